# SPDX-License-Identifier: Apache-2.0
"""Turns the model into the text of each header."""

import re

from . import bodies
from .model import NAME, qualified

STANDARD_INCLUDES = [
    ("std::function", "functional"),
    ("std::hash", "functional"),
    ("std::enable_if_t", "type_traits"),
    ("uint", "cstdint"),
    ("std::intptr_t", "cstdint"),
    ("size_t", "cstddef"),
    ("std::nullptr_t", "cstddef"),
]
UMBRELLAS = {
    "Foundation/Foundation.hpp": ["Foundation/"],
    "Metal/Metal.hpp": ["Metal/"],
    "QuartzCore/QuartzCore.hpp": ["QuartzCore/"],
}
DEFINES = {"Foundation": "Foundation/NSDefines.hpp", "Metal": "Metal/MTLDefines.hpp", "QuartzCore": "QuartzCore/CADefines.hpp"}


class Emitter:
    """Writes headers for one model and the set of signatures that the library exports."""

    def __init__(self, model, implemented):
        self.model = model
        self.implemented = implemented
        self.names_of_values = self._names_of_values()
        self.includes = {header["path"]: self._needed_headers(header) for header in model.headers}
        self._check_cycles()

    # The truth about a declaration.

    def is_inline(self, method, owner):
        signature = self.model.signature(method, owner)
        return signature in bodies.INLINE_BODIES or (owner is not None and owner["name"] == "SharedPtr")

    def is_available(self, method, owner=None):
        twin = method.get("twin")
        if twin is not None:
            return self.is_available(twin, owner)
        return self.is_inline(method, owner) or self.model.signature(method, owner) in self.implemented

    def is_constant_available(self, row):
        return row["value"] is not None or qualified(row) in self.implemented

    # What a header has to include.

    def _needed_headers(self, header):
        path, needed = header["path"], set()

        def add(name):
            entity = self.model.entities.get(name)
            if entity and entity.header != path:
                needed.add(entity.header)

        def add_types(text):
            for name in NAME.findall(text):
                entity = self.model.entities.get(name)
                if entity and (entity.kind != "class" or "template" in entity.row):
                    add(name)

        for row in header["classes"]:
            for base in row["bases"]:
                for name in NAME.findall(base):
                    if name != qualified(row):
                        add(name)
            for parameter in row.get("template", []):
                for name in NAME.findall(parameter.get("default", "")):
                    add(name)
            for method in row["methods"]:
                add_types(method["returns"])
                for param in method["params"]:
                    add_types(param["type"])
        for row in header["structs"]:
            for field in row["fields"]:
                if "type" in field:
                    add_types(field["type"])
        for row in header["enums"]:
            add_types(row["underlying"])
        for row in header["aliases"] + header["constants"]:
            add_types(row["type"])
            if self.model.entities.get(row["type"]):
                add(row["type"])
        for row in header["functions"]:
            add_types(row["returns"])
            for param in row["params"]:
                add_types(param["type"])
        return needed

    def _check_cycles(self):
        state = {}

        def visit(path, trail):
            if state.get(path) == "done":
                return
            if state.get(path) == "open":
                raise SystemExit("headers include each other: " + " -> ".join(trail + [path]))
            state[path] = "open"
            for needed in sorted(self.includes[path]):
                visit(needed, trail + [path])
            state[path] = "done"

        for path in self.includes:
            visit(path, [])

    # Headers.

    def files(self):
        """{path below include/: text} for all headers."""
        files = {}
        for header in self.model.headers:
            path = header["path"]
            files[path] = self._umbrella(path) if path in UMBRELLAS else self._header(header)
        files["metal/metal.hpp"] = self._text(
            "The whole API in one header.",
            ["#include <Foundation/Foundation.hpp>", "#include <Metal/Metal.hpp>", "#include <QuartzCore/QuartzCore.hpp>"],
        )
        return files

    def _umbrella(self, path):
        prefix = UMBRELLAS[path][0]
        lines = [
            f"#include <{header['path']}>" for header in self.model.headers
            if header["path"].startswith(prefix) and header["path"] != path
        ]
        if path.startswith("Metal/"):
            lines.insert(0, "#include <Foundation/Foundation.hpp>")
        if path.startswith("QuartzCore/"):
            lines.insert(0, "#include <Metal/Metal.hpp>")
        return self._text(f"Everything of {path.split('/')[0]}.", lines)

    def _text(self, sentence, lines):
        head = ["// SPDX-License-Identifier: Apache-2.0", f"// {sentence} Generated by scripts/generate_headers.", "#pragma once", ""]
        return "\n".join(head + lines).rstrip() + "\n"

    def _sentence(self, header):
        names = [qualified(row) for row in header["classes"]] or [qualified(row) for row in header["structs"]]
        names = names or [row["name"] and qualified(row) for row in header["enums"]]
        names = names or [qualified(row) for row in header["aliases"]] or [row["name"] for row in header["macros"]]
        if not names:
            return f"What the headers of {header['path'].split('/')[0]} share."
        if len(names) > 3:
            return f"{names[0]}, {names[1]} and what belongs to them."
        return f"{' and '.join(names) if len(names) < 3 else names[0] + ', ' + names[1] + ' and ' + names[2]}."

    def _header(self, header):
        path = header["path"]
        special = {
            "Foundation/NSDefines.hpp": ("Attributes that the headers share.", bodies.NS_DEFINES),
            "Foundation/NSPrivate.hpp": (
                "Types of other Apple headers, and the library functions behind the inline parts.",
                "#include <Foundation/NSDefines.hpp>\n" + bodies.NS_PRIVATE,
            ),
            "Foundation/NSSharedPtr.hpp": (
                "NS::SharedPtr, the owner of one retain.",
                "#include <Foundation/NSPrivate.hpp>\n#include <cstddef>\n#include <functional>\n#include <type_traits>\n\n"
                + bodies.NS_SHARED_PTR,
            ),
        }
        if path in special:
            sentence, text = special[path]
            return self._text(sentence, text.rstrip("\n").split("\n"))

        chunks = self._declarations(header)
        body = self._namespaces(chunks)
        forward = self._forward_declarations(header, "\n".join(body))
        return self._text(self._sentence(header), self._include_lines(header, "\n".join(body)) + forward + body + self._macros(header))

    def _include_lines(self, header, text):
        path = header["path"]
        top = path.split("/")[0]
        needed = set(self.includes[path])
        if path == DEFINES[top]:
            if top != "Foundation":
                needed.add("Foundation/NSDefines.hpp")
        else:
            needed.add(DEFINES[top])
            if path.endswith("Private.hpp") and top != "Foundation":
                needed.add("Foundation/NSPrivate.hpp")
            needed.add("Foundation/NSPrivate.hpp")
        if path == "Metal/MTLHeaderBridge.hpp":
            needed.add("Metal/MTLPrivate.hpp")
        lines = [f"#include <{name}>" for name in sorted(needed)]
        standard = sorted({name for word, name in STANDARD_INCLUDES if word in text})
        if standard:
            lines += [f"#include <{name}>" for name in standard]
        return lines + [""]

    def _forward_declarations(self, header, text):
        local = {qualified(row): row for row in header["classes"]}
        wanted = set(local)
        for name in NAME.findall(text):
            entity = self.model.entities.get(name)
            if entity is None and name not in self.names_of_values:
                wanted.add(name)
            elif entity and entity.kind == "class" and entity.header not in self.includes[header["path"]]:
                wanted.add(name)
        chunks = []
        for name in sorted(wanted, key=lambda n: (n.split("::")[0], n)):
            namespace, short = name.split("::")
            entity = self.model.entities.get(name)
            if entity and "template" in entity.row:
                if any("default" in parameter for parameter in entity.row["template"]):
                    continue
                chunks.append((namespace, [f"template {self._template(entity.row)} class {short};"]))
            else:
                chunks.append((namespace, [f"class {short};"]))
        return self._namespaces(chunks, compact=True)

    def _names_of_values(self):
        """Qualified names of constants, functions and enumerators: a forward declaration would hide them."""
        names = set()
        for header in self.model.headers:
            names.update(qualified(row) for row in header["constants"] + header["functions"])
            for row in header["enums"]:
                names.update(f"{row['namespace']}::{enumerator['name']}" for enumerator in row["enumerators"])
        return names

    def _namespaces(self, chunks, compact=False):
        """Wraps (namespace, lines) chunks, neighbours of one namespace together."""
        lines, current = [], None
        for namespace, chunk in chunks:
            if namespace != current:
                if current:
                    lines += [f"}} // namespace {current}", ""]
                if namespace:
                    lines += [f"namespace {namespace} {{"] + ([] if compact else [""])
                current = namespace
            lines += chunk + ([] if compact else [""])
        if current:
            lines += [f"}} // namespace {current}", ""]
        return lines

    def _declarations(self, header):
        chunks = []
        for row in header["enums"]:
            chunks.append((row["namespace"], self._enum(row)))
        structs = self._sorted_by_use(header["structs"], lambda row: " ".join(f.get("type", "") for f in row["fields"]))
        types_first = [row for row in header["aliases"] if "std::function" not in row["type"] and not self.model.block_of(row["type"])]
        for row in types_first:
            if row["type"] not in [qualified(s) for s in structs]:
                chunks.append((row["namespace"], [f"using {row['name']} = {row['type']};"]))
        for row in header["constants"]:
            chunks.append((row["namespace"], self._constant(row)))
        for row in structs:
            chunks.append((row["namespace"], self._struct(row)))
        for row in types_first:
            if row["type"] in [qualified(s) for s in structs]:
                chunks.append((row["namespace"], [f"using {row['name']} = {row['type']};"]))
        for row in header["aliases"]:
            block = self.model.block_of(row["type"])
            if block:
                chunks.append((row["namespace"], ["#ifdef __BLOCKS__", f"using {row['name']} = {row['type']};", "#endif"]))
            elif row not in types_first:
                chunks.append((row["namespace"], [f"using {row['name']} = {row['type']};"]))
        for row in self._sorted_by_use(header["classes"], lambda row: " ".join(row["bases"])):
            chunks.append((row["namespace"], self._class(row)))
        for row in header["functions"]:
            chunks.append((row["namespace"], self._function(row)))
        return chunks

    def _sorted_by_use(self, rows, text_of):
        """Rows in the table's order, but what a row needs complete comes before it."""
        by_name = {qualified(row): row for row in rows}
        done, result = set(), []

        def visit(row):
            if qualified(row) in done:
                return
            done.add(qualified(row))
            for name in NAME.findall(text_of(row)):
                if name in by_name and name != qualified(row):
                    visit(by_name[name])
            result.append(row)

        for row in rows:
            visit(row)
        return result

    # Declarations.

    def _enum(self, row):
        suffix = "" if row["signed"] or row["bits"] < 64 else "ULL"
        entries = []
        for enumerator in row["enumerators"]:
            value = enumerator["value"]
            entries.append(f"  {enumerator['name']} = {value}{suffix if value > 0x7FFFFFFF else ''},")
        if not row["name"]:
            return [f"enum : {row['underlying']} {{"] + entries + ["};"]
        if row["kind"] == "options":
            return [f"using {row['name']} = {row['underlying']};", f"enum : {row['name']} {{"] + entries + ["};"]
        return [f"enum {row['name']} : {row['underlying']} {{"] + entries + ["};"]

    def _constant(self, row):
        if row["value"] is not None:
            value = row["value"]
            if value == -(2**63):
                text = "-9223372036854775807L - 1"
            elif value > 2**63 - 1:
                text = f"{value}UL"
            else:
                text = f"{value}L"
            return [f"inline constexpr {row['type']} {row['name']} = {text};"]
        mark = "" if self.is_constant_available(row) else f' BASANITE_UNAVAILABLE("{qualified(row)}")'
        return [f"BASANITE_EXPORT extern {row['type']} const {row['name']}{mark};"]

    def _struct(self, row):
        name = qualified(row)
        packed = "BASANITE_PACKED " if row["packed"] else ""
        lines = [f"struct {packed}{row['name']} {{"]
        defaults = bodies.FIELD_DEFAULTS.get(name, {})
        lines += self._fields(row["fields"], defaults, 1)
        constructors = [m for m in row["methods"] if m.get("kind") == "constructor"]
        if name in bodies.STRUCT_CONSTRUCTORS:
            lines += [""] + ["  " + text for text in bodies.STRUCT_CONSTRUCTORS[name]]
        elif constructors:
            lines += ["", "#if !BASANITE_AGGREGATES", f"  {row['name']}() = default;"]
            for method in constructors:
                if method["params"]:
                    lines.append("  " + self._memberwise_constructor(row, method))
            lines.append("#endif")
        others = [m for m in row["methods"] if m.get("kind") != "constructor"]
        if others:
            lines.append("")
        for method in others:
            signature = self.model.signature(method, row)
            body = bodies.STRUCT_BODIES.get(signature)
            if body is None and method["name"] == "Make":
                body = f"return {name}{{{', '.join(p['name'] for p in method['params'])}}};"
            if body is None:
                raise SystemExit(f"no body for {signature}")
            static = "static " if method["static"] else ""
            const = " const" if method["const"] else ""
            lines.append(f"  {static}{method['returns']} {method['name']}({self._params(method)}){const} {{ {body} }}")
        return lines + ["};"]

    def _memberwise_constructor(self, row, method):
        fields = [field["name"] for field in row["fields"]]
        params, inits = [], []
        for field, param in zip(fields, method["params"]):
            params.append(f"{param['type']} {field}Value")
            inits.append(f"{field}({field}Value)")
        return f"constexpr {row['name']}({', '.join(params)}) : {', '.join(inits)} {{}}"

    def _fields(self, fields, defaults, depth):
        pad, lines = "  " * depth, []
        for field in fields:
            if "anonymous" in field:
                lines += [f"{pad}__extension__ {field['anonymous']} {{"] + self._fields(field["fields"], {}, depth + 1) + [f"{pad}}};"]
                continue
            array = f"[{field['array']}]" if "array" in field else ""
            default = f" = {defaults[field['name']]}" if field["name"] in defaults else ""
            lines.append(f"{pad}{field['type']} {field['name']}{array}{default};")
        return lines

    def _template(self, row):
        parts = []
        for parameter in row["template"]:
            default = f" = {parameter['default']}" if "default" in parameter else ""
            parts.append(f"{parameter['kind']} {parameter['name']}{default}")
        return f"<{', '.join(parts)}>"

    def _params(self, method, with_default=True):
        parts = []
        for param in method["params"]:
            parts.append(declare(param["type"], param["name"]) + (f" = {param['default']}" if "default" in param and with_default else ""))
        return ", ".join(parts)

    def _class(self, row):
        name = qualified(row)
        template = f"template {self._template(row)} " if "template" in row else ""
        export = "" if template else "BASANITE_EXPORT "
        lines = [f"{template}class {export}{row['name']} : public {', public '.join(row['bases'])} {{"]
        if name == "NS::Object":
            lines += [" public:", "  Object() = delete;", "  Object(const Object&) = delete;", "  Object& operator=(const Object&) = delete;", "  ~Object() = delete;", ""]
        access = "public" if name == "NS::Object" else None
        methods = sorted(row["methods"], key=lambda m: m.get("access", "public") != "public")
        for method in methods:
            wanted = method.get("access", "public")
            if wanted != access:
                lines.append(f" {wanted}:")
                access = wanted
            lines += ["  " + line if not line.startswith("#") else line for line in self._method(method, row)]
        return lines + ["};"]

    def _method(self, method, owner):
        signature = self.model.signature(method, owner)
        head = "static " if method["static"] else ""
        if "template" in method:
            head = f"template {self._template(method)} " + head
        tail = " const" if method["const"] else ""
        text = f"{head}{method['returns']} {method['name']}({self._params(method)}){tail}"
        return self._finish(method, owner, signature, text)

    def _function(self, row):
        signature = self.model.signature(row)
        head = f"template {self._template(row)} inline " if "template" in row else "BASANITE_EXPORT "
        if row.get("linkage") == "C":
            head = 'extern "C" ' + head
        return self._finish(row, None, signature, f"{head}{row['returns']} {row['name']}({self._params(row)})")

    def _finish(self, method, owner, signature, text):
        plain = re.sub(r"\(.*", "", signature)
        deprecated = "BASANITE_DEPRECATED " if method.get("deprecated") else ""
        if deprecated and text.startswith("template"):
            end = text.index("> ") + 2
            text, deprecated = text[:end] + deprecated + text[end:], ""
        if signature in bodies.RUNTIME_ONLY:
            return [f'{text} BASANITE_RUNTIME_ONLY("{plain}");']
        body = bodies.INLINE_BODIES.get(signature)
        if body:
            for param in method["params"]:
                if param["name"] not in body:
                    text = text.replace(f" {param['name']}", "", 1)
            return [f"{deprecated}{text} {{", *[f"  {line.strip()}" for line in body.split("\n")], "}"]
        block = self.model.is_block_method(method)
        available = self.is_available(method, owner)
        if block and available:
            inline = "inline " if owner is None else ""
            text = text.replace("BASANITE_EXPORT ", inline)
            lines = [f"{deprecated}{text} {self._block_body(method)}"]
        elif available:
            lines = [f"{deprecated}{text};"]
        else:
            lines = [f'{text} BASANITE_UNAVAILABLE("{plain}");']
        if owner is not None and not block:
            lines += self._address_overload(method, text, "" if available else f' BASANITE_UNAVAILABLE("{plain}")')
        return ["#ifdef __BLOCKS__", *lines, "#endif"] if block else lines

    def _address_overload(self, method, text, mark):
        """An overload that takes a buffer range as an address alone: an aggregate has no converting constructor."""
        range_type = "const MTL4::BufferRange "
        if range_type not in text:
            return []
        arguments = [
            f"MTL4::BufferRange{{{p['name']}}}" if "MTL4::BufferRange" in p["type"] else p["name"] for p in method["params"]
        ]
        result = "" if method["returns"] == "void" else "return "
        body = mark + ";" if mark else f" {{ {result}{method['name']}({', '.join(arguments)}); }}"
        return ["#if BASANITE_AGGREGATES", text.replace(range_type, "uint64_t ") + body, "#endif"]

    def _block_body(self, method):
        arguments, setup = [], ""
        for param in method["params"]:
            if not self.model.block_of(param["type"]):
                arguments.append(param["name"])
                continue
            twin_type = method["twin"]["params"][len(arguments)]["type"]
            if twin_type.endswith("&") and not twin_type.startswith("const"):
                setup = f"auto held = basanite_block::hold({param['name']}); "
                arguments.append("held")
            else:
                arguments.append(f"basanite_block::hold({param['name']})")
        result = "" if method["returns"] == "void" else "return "
        return f"{{ {setup}{result}{method['name']}({', '.join(arguments)}); }}"

    def _macros(self, header):
        lines = []
        for row in header["macros"]:
            if row["name"] == "MTLSTR":
                lines += bodies.MTLSTR.rstrip("\n").split("\n")
            elif row["name"] == "METALCPP_SUPPORTS_VERSION":
                lines += bodies.METALCPP_VERSION_CHECK.rstrip("\n").split("\n")
            else:
                lines.append(f"#define {row['name']} {row['value']}")
        return lines


def declare(type_text, name):
    """A parameter declaration: arrays, array references and blocks carry the name inside the type."""
    if "(^)" in type_text:
        return type_text.replace("(^)", f"(^{name})", 1)
    if "(&)" in type_text:
        return type_text.replace("(&)", f"(&{name})", 1)
    match = re.match(r"^(.*?)(\[\d*\])$", type_text)
    if match:
        return f"{match[1]} {name}{match[2]}"
    return f"{type_text} {name}".rstrip()
