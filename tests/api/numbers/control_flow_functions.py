#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes functions full of nested loops, switches and early exits, in what MSL and C++ share.

Usage: control_flow_functions.py CODE TEXT

CODE becomes the functions, for the CPU; TEXT the same lines as C++ raw strings, for the device; the list of names is part of CODE.
The same at every run: seeds are fixed. Every loop is bounded and every operation defined, so that any difference in results is a fault.
"""
import random
import sys

COUNT = 240
LEAVES = 12  # small functions that the others call


class Writer:
    def __init__(self, number):
        self.random = random.Random(7000 + number)
        self.number = number
        self.lines = []
        self.counter = 0
        self.variables = ["a", "b", "h"]
        self.budget = self.random.randint(7, 15) if number >= LEAVES else 4  # statements

    def line(self, depth, text):
        self.lines.append("  " * depth + text)

    def name(self):
        self.counter += 1
        return f"v{self.counter}"

    def atom(self):
        kind = self.random.randrange(6)
        if kind < 4:
            return self.random.choice(self.variables)
        if kind == 4:
            return f"t[{self.random.choice(self.variables)} & 7u]"
        return f"{self.random.randrange(1, 60)}u"

    def value(self, depth=2):
        if depth == 0 or self.random.random() < 0.25:
            return self.atom()
        x, y = self.value(depth - 1), self.value(depth - 1)
        form = self.random.randrange(9)
        if form == 0:
            return f"({x} * {self.random.randrange(3, 99)}u)"
        if form == 1:
            return f"({x} >> {self.random.randrange(1, 9)}u)"
        if form == 2:
            return f"({x} % {self.random.randrange(2, 17)}u)"
        if form == 3:
            return f"({self.condition(1, False)} ? {x} : {y})"
        if form == 4:
            return f"({x} << ({y} & 7u))"
        return f"({x} {self.random.choice(['+', '-', '^', '|', '&', '+'])} {y})"

    def condition(self, depth=2, effects=True):
        """A bool. With effects only where && and || order them: never inside a value."""
        form = self.random.randrange(8)
        if depth and form == 0:
            return f"({self.condition(depth - 1, effects)} && {self.condition(depth - 1, effects)})"
        if depth and form == 1:
            return f"({self.condition(depth - 1, effects)} || {self.condition(depth - 1, effects)})"
        if form == 2:
            return f"!({self.value(1)} & {self.random.choice([1, 2, 3, 4])}u)"
        if form == 3:
            return f"({self.value(1)} % {self.random.randrange(2, 9)}u == {self.random.randrange(0, 2)}u)"
        if depth and effects and form == 4:
            return f"((h += {self.random.randrange(1, 9)}u) % {self.random.randrange(2, 6)}u != 0u)"
        left, right = self.value(1), self.value(1)
        if left == right:
            right = f"{self.random.randrange(1, 60)}u"
        return f"({left} {self.random.choice(['<', '>', '<=', '>=', '!='])} {right})"

    def assignment(self, depth):
        target = self.random.choice(["h", "h", "h", "a", "b", "t"])
        if target == "t":
            target = f"t[{self.atom()} & 7u]"
        operator = self.random.choice(["=", "+=", "^=", "-=", "="])
        if target == "h" and operator == "=":
            self.line(depth, f"h = h * {self.random.choice([31, 33, 131, 17])}u + {self.value()};")
        else:
            self.line(depth, f"{target} {operator} {self.value()};")

    def leave(self, depth, loops, switches):
        """A conditional break, continue or return."""
        ways = ["return"] if self.random.random() < 0.35 else []
        if loops:
            ways += ["continue", "break"]
        elif switches:
            ways += ["break"]
        if not ways:
            ways = ["return"]
        way = self.random.choice(ways)
        text = f"return h + {self.value(1)};" if way == "return" else f"{way};"
        self.line(depth, f"if ({self.condition()}) {text}")

    def block(self, depth, loops, switches, statements):
        scope = len(self.variables)
        for _ in range(statements):
            self.statement(depth, loops, switches)
        del self.variables[scope:]

    def statement(self, depth, loops, switches):
        self.budget -= 1
        nested = self.budget > 0 and depth < 7
        kind = self.random.random()
        if not nested or kind < 0.26:
            self.assignment(depth)
        elif kind < 0.42:
            self.leave(depth, loops, switches)
        elif kind < 0.60:
            self.line(depth, f"if ({self.condition()}) {{")
            self.block(depth + 1, loops, switches, self.random.randint(1, 3))
            if self.random.random() < 0.6:
                self.line(depth, "} else {")
                self.block(depth + 1, loops, switches, self.random.randint(1, 3))
            self.line(depth, "}")
        elif kind < 0.84 and loops < 3:
            self.loop(depth, loops)
        elif kind < 0.97:
            self.switch(depth, loops)
        elif self.number >= LEAVES and loops < 2:
            self.line(depth, f"h += function{self.random.randrange(LEAVES)}({self.value(1)}, {self.value(1)});")
        else:
            self.assignment(depth)

    def loop(self, depth, loops):
        index = self.name()
        limit = f"({self.value(1)} & {self.random.choice([3, 7])}u) + {self.random.randrange(1, 4)}u" if loops < 2 else f"{self.random.randrange(2, 5)}u"
        form = self.random.randrange(4)
        bound = self.name()
        self.line(depth, "{")
        self.line(depth + 1, f"const uint {bound} = {limit};")
        if form == 0:
            self.line(depth + 1, f"for (uint {index} = 0; {index} < {bound}; ++{index}) {{")
        elif form == 1:
            self.line(depth + 1, f"uint {index} = 0;")
            self.line(depth + 1, f"while ({index} < {bound} && {self.condition(1)}) {{")
            self.line(depth + 2, f"++{index};")
        elif form == 2:
            self.line(depth + 1, f"uint {index} = 0;")
            self.line(depth + 1, "do {")
            self.line(depth + 2, f"++{index};")
        else:  # left from within only
            self.line(depth + 1, f"for (uint {index} = 0;; ++{index}) {{")
            way = self.random.choice(["break;", "break;", "return h;"])
            self.line(depth + 2, f"if ({index} >= {bound}) {way}")
        scope = len(self.variables)
        self.variables.append(index)
        self.block(depth + 2, loops + 1, 0, self.random.randint(1, 4))
        if self.random.random() < 0.5:
            self.leave(depth + 2, loops + 1, 0)
        del self.variables[scope:]
        self.line(depth + 1, f"}} while ({index} < {bound} && {self.condition(1)});" if form == 2 else "}")
        self.line(depth, "}")

    def switch(self, depth, loops):
        cases = self.random.randint(2, 6)
        self.line(depth, f"switch ({self.value(1)} % {cases + self.random.randrange(2)}u) {{")
        labels = list(range(cases))
        self.random.shuffle(labels)
        default = self.random.randrange(cases) if self.random.random() < 0.7 else -1
        for place, label in enumerate(labels):
            self.line(depth + 1, f"case {label}u:")
            if place == default:
                self.line(depth + 1, "default:")
            if self.random.random() < 0.2 and place + 1 < cases:
                continue  # shares the next one's body
            self.line(depth + 1, "{")
            self.block(depth + 2, 0 if loops == 0 else loops, 1, self.random.randint(1, 2))
            self.line(depth + 1, "}")
            way = self.random.random()
            if way < 0.55 or place + 1 == cases:
                self.line(depth + 1, "break;")
            elif way < 0.65 and loops:
                self.line(depth + 1, "continue;")
            elif way < 0.72:
                self.line(depth + 1, "return h ^ a;")
        self.line(depth, "}")

    def function(self):
        self.line(0, f"inline uint function{self.number}(uint a, uint b) {{")
        self.line(1, f"uint h = a ^ (b * {self.random.randrange(3, 999)}u);")
        self.line(1, "uint t[8];")
        self.line(1, "for (uint i = 0; i < 8; ++i) t[i] = a * (i + 1u) + b;")
        while self.budget > 0:
            self.statement(1, 0, 0)
        self.line(1, "for (uint i = 0; i < 8; ++i) h = h * 31u + t[i];")
        self.line(1, "return h + a * 3u + b;")
        self.line(0, "}")
        return self.lines


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    functions = [Writer(number).function() for number in range(COUNT)]
    with open(sys.argv[1], "w", encoding="ascii") as code:
        for lines in functions:
            code.write("\n".join(lines) + "\n")
        names = ", ".join(f"function{number}" for number in range(COUNT))
        code.write(f"using Function = uint (*)(uint, uint);\nconst Function kFunctions[] = {{{names}}};\n")
    with open(sys.argv[2], "w", encoding="ascii") as text:
        for lines in functions:
            text.write('R"msl(' + "\n".join(lines) + '\n)msl"\n')


main()
