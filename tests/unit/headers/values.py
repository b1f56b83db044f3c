# SPDX-License-Identifier: Apache-2.0
"""Writes static_asserts for enumerator values and struct layouts: values.py metal_api.json OUTPUT.cpp

It shares no code with the generator, so that the two check each other.
"""

import json
import sys

SIZES = {
    "float": 4, "double": 8, "int32_t": 4, "uint16_t": 2, "uint32_t": 4, "uint64_t": 8, "std::uint64_t": 8, "uint8_t": 1,
    "unsigned long": 8, "NS::UInteger": 8, "NS::Integer": 8,
}


def size_of(type_text, sizes):
    return 8 if type_text.endswith("*") else sizes[type_text]


def layout(fields, sizes, union=False, start=0):
    """([(name, offset)], size) of packed fields."""
    offsets, at, largest = [], start, 0
    for field in fields:
        if "anonymous" in field:
            inner, size = layout(field["fields"], sizes, field["anonymous"] == "union", start if union else at)
            offsets += inner
        else:
            size = size_of(field["type"], sizes) * field.get("array", 1)
            offsets.append((field["name"], start if union else at))
        largest = max(largest, size)
        at += size
    return offsets, largest if union else at - start


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        headers = json.load(file)["headers"]
    lines = ["#include <metal/metal.hpp>", "#include <cstddef>", "#include <type_traits>", ""]
    sizes = dict(SIZES)
    count = 0
    for header in headers:
        for enum in header["enums"]:
            scope = f"{enum['namespace']}::"
            if enum["name"]:
                sizes[scope + enum["name"]] = enum["bits"] // 8
                lines.append(f"static_assert(sizeof({scope}{enum['name']}) == {enum['bits'] // 8});")
                integer = f"{scope}{enum['name']}"
                if enum["kind"] == "enum":
                    integer = f"std::underlying_type_t<{integer}>"
                lines.append(f"static_assert(std::is_same_v<{integer}, {enum['underlying']}>);")
            for enumerator in enum["enumerators"]:
                value = enumerator["value"]
                text = f"{value}ULL" if value >= 0 else f"static_cast<unsigned long long>({value}LL)"
                lines.append(f"static_assert(static_cast<unsigned long long>({scope}{enumerator['name']}) == {text});")
                count += 1
        for constant in header["constants"]:
            if constant["value"] is not None:
                text = f"{constant['value']}ULL" if constant["value"] >= 0 else f"{constant['value'] + 2**64}ULL"
                lines.append(f"static_assert(static_cast<unsigned long long>({constant['namespace']}::{constant['name']}) == {text});")
                count += 1
    waiting = [struct for header in headers for struct in header["structs"] if struct["packed"]]
    while waiting:
        ready = []
        for struct in waiting:
            try:
                ready.append((struct, layout(struct["fields"], sizes)))
            except KeyError:
                continue
        if not ready:
            raise SystemExit("no size known for a field of " + waiting[0]["name"])
        for struct, (offsets, size) in ready:
            name = f"{struct['namespace']}::{struct['name']}"
            sizes[name] = size
            lines.append(f"static_assert(sizeof({name}) == {size} && alignof({name}) == 1);")
            for field, offset in offsets:
                lines.append(f"static_assert(offsetof({name}, {field}) == {offset});")
            count += 1
            waiting.remove(struct)
    lines += ["", f"// {count} values and layouts.", ""]
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    return 0


sys.exit(main())
