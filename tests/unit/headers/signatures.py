# SPDX-License-Identifier: Apache-2.0
"""The generator's signatures are those of the linker: signatures.py COMPILER REPOSITORY

Every method of the table is defined and compiled; the symbols must be exactly the signatures that the generator looks
for in a library.
"""

import pathlib
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[2])
sys.path.insert(0, str(root / "scripts"))

from header_generator.emit import Emitter, declare  # noqa: E402
from header_generator.library import declared_signatures  # noqa: E402
from header_generator.model import Model, qualified  # noqa: E402


def definition(scope, method):
    params = ", ".join(declare(param["type"], "") for param in method["params"])
    const = " const" if method.get("const") else ""
    return f"{method['returns']} {scope}{method['name']}({params}){const} {{ __builtin_trap(); }}"


def main():
    model = Model(root / "api/metal_api.json")
    emitter = Emitter(model, set())
    lines, expected = ["#include <metal/metal.hpp>"], set()
    for header in model.headers:
        for row in header["classes"]:
            for method in row["methods"]:
                if "template" in row or "template" in method or model.is_block_method(method) or emitter.is_inline(method, row):
                    continue
                lines.append(definition(f"{qualified(row)}::", method))
                expected.add(model.signature(method, row))
        for row in header["functions"]:
            if "template" in row or model.is_block_method(row):
                continue
            prefix = 'extern "C" ' if row.get("linkage") == "C" else ""
            lines.append(prefix + definition(f"{row['namespace']}::" if row["namespace"] else "", row))
            expected.add(model.signature(row))
    with tempfile.TemporaryDirectory() as folder:
        compiled = subprocess.run(
            [sys.argv[1], "-std=c++20", "-O0", "-w", "-DBASANITE_BUILDING", f"-I{root / 'include'}", "-x", "c++", "-", "-c", "-o", f"{folder}/all.o"],
            input="\n".join(lines) + "\n", text=True, capture_output=True, check=False,
        )
        if compiled.returncode != 0:
            print(compiled.stderr[:4000])
            return 1
        symbols = subprocess.run(["nm", "--defined-only", "--demangle", f"{folder}/all.o"], capture_output=True, text=True, check=True)
    found = {line.split(" ", 2)[2] for line in symbols.stdout.splitlines()}
    missing = sorted(expected - found)
    for name in missing[:20]:
        print(f"not among the compiled symbols: {name}")
    undeclared = sorted(expected - declared_signatures(model))
    for name in undeclared[:20]:
        print(f"not looked for in a library: {name}")
    print(f"{len(expected) - len(missing)} of {len(expected)} signatures agree")
    return 1 if missing or undeclared or len(expected) < 3000 else 0


sys.exit(main())
