# SPDX-License-Identifier: Apache-2.0
"""The API table in memory: look-up by qualified name, parsed types and the signatures that a linker sees."""

import dataclasses
import json
import re

# Types of other systems' headers that NSPrivate.hpp declares, as the C++ ABI sees them on 64-bit Linux.
FOREIGN_TYPES = {
    "CFTimeInterval": "double",
    "CGColorSpaceRef": "CGColorSpace*",
    "IOSurfaceRef": "__IOSurface*",
    "SEL": "objc_selector*",
    "dispatch_data_t": "dispatch_data_s*",
    "dispatch_queue_t": "dispatch_queue_s*",
    "kern_return_t": "int",
    "task_id_token_t": "unsigned int",
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "std::uint64_t": "unsigned long",
    "std::intptr_t": "long",
    "std::uintptr_t": "unsigned long",
}

NAME = re.compile(r"\b((?:NS|MTL|MTL4|CA)::\w+)")
FUNCTION_TYPE = re.compile(r"std::function<(?P<result>[^()]+?)\s*\((?P<params>.*)\)>")
BLOCK_TYPE = re.compile(r"^(?P<result>[^()]+?)\s*\(\^\)\((?P<params>.*)\)$")


@dataclasses.dataclass
class Entity:
    """One declaration: its qualified name, the header it lives in, its kind and its row of the table."""

    name: str
    header: str
    kind: str  # enum, options, struct, class, alias
    row: dict


class Model:
    """The table, indexed. Rows keep the shape that /api/README of the table describes."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.table = json.load(file)
        self.headers = self.table["headers"]
        self.entities = {}
        self.aliases = {}
        for header in self.headers:
            for row in header["enums"]:
                if not row["name"]:
                    continue
                self._add(header, row, row["kind"])
                if row["kind"] == "options":
                    self.aliases[qualified(row)] = row["underlying"]
            for row in header["structs"]:
                self._add(header, row, "struct")
            for row in header["classes"]:
                self._add(header, row, "class")
            for row in header["aliases"]:
                if qualified(row) not in self.entities:
                    self._add(header, row, "alias")
                self.aliases[qualified(row)] = row["type"]
        self._add_function_companions()

    def _add(self, header, row, kind):
        self.entities[qualified(row)] = Entity(qualified(row), header["path"], kind, row)

    def _add_function_companions(self):
        """Pairs each block overload with its std::function overload, adding those that the table lacks.

        A method that only exists with a block could not be called from g++, so it gets a companion of ours.
        """
        for header in self.headers:
            owners = [(header["functions"], None)] + [(row["methods"], row) for row in header["classes"]]
            for methods, owner in owners:
                known = {self.parameter_key(method, owner): method for method in methods}
                for method in list(methods):
                    if not self.is_block_method(method):
                        continue
                    wanted = dict(method, params=[self._companion_param(param) for param in method["params"]])
                    twin = known.get(self.parameter_key(wanted, owner))
                    if twin is None:
                        twin = known.get(self.parameter_key(wanted, owner).replace(" const&", "&"))
                    if twin is None and method.get("linkage") != "C":
                        wanted["companion"] = True
                        methods.insert(methods.index(method) + 1, wanted)
                        known[self.parameter_key(wanted, owner)] = wanted
                        twin = wanted
                    method["twin"] = twin

    def _companion_param(self, param):
        block = self.block_of(param["type"])
        if not block:
            return param
        result, params = block
        inner = "" if params in ("", "void") else params
        return dict(param, type=f"const std::function<{result}({inner})>&")

    def block_of(self, type_text):
        """(result, parameters) when the type is a block or an alias of one, else None."""
        text = re.sub(r"^const ", "", type_text.strip())
        match = BLOCK_TYPE.match(self.aliases.get(text, text))
        return (match["result"], match["params"]) if match else None

    def is_block_method(self, method):
        return any(self.block_of(param["type"]) for param in method["params"])

    def parameter_key(self, method, owner):
        const = " const" if method.get("const") else ""
        return f"{method['name']}({', '.join(self.canonical(p['type']) for p in method['params'])}){const}"

    def signature(self, method, owner=None):
        """What the demangler prints for the method or function: the identity used in api/implemented.txt."""
        if method.get("linkage") == "C":
            return method["name"]
        scope = qualified(owner) if owner else method["namespace"]
        return f"{scope}::{self.parameter_key(method, owner)}"

    def canonical(self, type_text):
        """The type of a parameter as the demangler spells it: aliases resolved, const to the east, arrays decayed."""
        base, levels = self._parse(type_text)
        levels = list(levels)
        if levels[-1] in ("const", "* const"):
            levels[-1] = levels[-1].replace("const", "").strip()
        text = base
        for level in levels:
            text += " const" if level == "const" else level
        return text

    def _parse(self, type_text):
        """(base, levels): levels[0] is "" or "const" for the base, then one "*", "* const" or "&" each."""
        text = type_text.strip()
        function = FUNCTION_TYPE.search(text)
        function_type = None
        if function:
            params = [self.canonical(strip_name(p)) for p in split_params(function["params"])]
            function_type = f"std::function<{self.canonical(function['result'])} ({', '.join(params)})>"
            text = text[: function.start()] + "@function" + text[function.end() :]
        block = BLOCK_TYPE.match(text)
        if block:
            params = [self.canonical(strip_name(p)) for p in split_params(block["params"])]
            return f"{self.canonical(block['result'])} ({', '.join(params)}) block_pointer", [""]
        if "(&)" in text:
            return re.sub(r"^const (\w+)", r"\1 const", text), [""]
        text = text.replace("[]", "*")
        tokens = re.findall(r"@function|&&|[*&]|[\w:]+(?:<[^<>]*>)?(?:\.\.\.)?", text)
        words, levels, leading_const = [], [""], False
        for token in tokens:
            if token == "const" and not words:
                leading_const = True
            elif token == "const":
                levels[-1] = (levels[-1] + " const").strip()
            elif token in ("*", "&", "&&"):
                levels.append(token)
            else:
                words.append(token)
        base = " ".join(words)
        if base == "@function":
            base = function_type
        elif base in self.aliases or base in FOREIGN_TYPES:
            base, inner = self._parse(self.aliases.get(base) or FOREIGN_TYPES[base])
            inner = list(inner)
            if (leading_const or levels[0] == "const") and "const" not in inner[-1]:
                inner[-1] = (inner[-1] + " const").strip()
            return base, inner + levels[1:]
        if leading_const:
            levels[0] = "const"
        return base, levels


def qualified(row):
    return f"{row['namespace']}::{row['name']}" if row["namespace"] else row["name"]


def split_params(text):
    """Splits a parameter list at its top-level commas."""
    parts, depth, start = [], 0, 0
    for index, char in enumerate(text):
        if char in "(<":
            depth += 1
        elif char in ")>":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    parts = [part.strip() for part in parts]
    return [part for part in parts if part not in ("", "void")]


def strip_name(param):
    """A parameter without its name: "MTL::Device* pDevice" gives "MTL::Device*"."""
    match = re.match(r"^(?P<type>.*[*&\s])(?P<name>\w+)$", param.strip())
    if not match or "::" in param[match.start("name") :]:
        return param.strip()
    if match["type"].strip() in ("", "const", "unsigned", "long", "unsigned long"):
        return param.strip()
    return match["type"].strip()
