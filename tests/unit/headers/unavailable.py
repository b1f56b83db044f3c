# SPDX-License-Identifier: Apache-2.0
"""Using what is not implemented is an error that names it: unavailable.py COMPILER REPOSITORY"""

import pathlib
import sys

from compiling import compile_source, report

root = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(root / "scripts"))

from header_generator.model import Model, qualified  # noqa: E402


def candidates(model, implemented):
    """One use of each kind of declaration that is not implemented, as (name, source)."""
    seen = set()
    for header in model.headers:
        for row in header["classes"]:
            if "template" in row or row["name"] == "Object":
                continue
            names = [method["name"] for method in row["methods"]]
            for method in row["methods"]:
                signature = model.signature(method, row)
                plain = f"{qualified(row)}::{method['name']}"
                kind = "static method" if method["static"] else "method"
                if signature in implemented or method["params"] or "template" in method or kind in seen or names.count(method["name"]) > 1:
                    continue
                seen.add(kind)
                call = f"{plain}()" if method["static"] else f"object->{method['name']}()"
                yield plain, f"void use([[maybe_unused]] {qualified(row)}* object) {{ (void){call}; }}"
        for row in header["functions"]:
            if "function" not in seen and not row["params"] and model.signature(row) not in implemented:
                seen.add("function")
                plain = model.signature(row).replace("()", "")
                yield plain, f"void use() {{ (void){plain}(); }}"
        for row in header["constants"]:
            if "constant" not in seen and row["value"] is None and qualified(row) not in implemented:
                seen.add("constant")
                yield qualified(row), f"auto use() {{ return {qualified(row)}; }}"


def main():
    compiler, include = sys.argv[1], root / "include"
    model = Model(root / "api/metal_api.json")
    implemented = set((root / "api/implemented.txt").read_text(encoding="utf-8").splitlines())
    failures, count = [], 1
    good = "#include <metal/metal.hpp>\nvoid use(NS::Object* object) { object->retain(); object->release(); }\n"
    ok, messages = compile_source(compiler, include, good)
    if not ok:
        failures.append(("what is implemented compiles", messages))
    for name, source in candidates(model, implemented):
        count += 1
        source = f"#include <metal/metal.hpp>\n{source}\n"
        ok, messages = compile_source(compiler, include, source)
        if ok:
            failures.append((name, "compiled, though it is not implemented"))
        elif f"{name} is not implemented in Basanite yet" not in messages:
            failures.append((name, messages))
        ok, messages = compile_source(compiler, include, source, defines=["BASANITE_BUILDING"])
        if not ok:
            failures.append((f"{name} with BASANITE_BUILDING", messages))
        print(name)
    runtime = "#include <metal/metal.hpp>\nstruct Use : NS::Object { static bool f() { return respondsToSelector(nullptr, nullptr); } };\n"
    ok, messages = compile_source(compiler, include, runtime)
    count += 1
    if ok or "NS::Object::respondsToSelector needs the Objective-C runtime" not in messages:
        failures.append(("NS::Object::respondsToSelector", messages))
    return report(failures, count)


sys.exit(main())
