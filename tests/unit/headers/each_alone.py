# SPDX-License-Identifier: Apache-2.0
"""Every header compiles alone, without a warning: each_alone.py COMPILER INCLUDE_FOLDER"""

import pathlib
import sys

from compiling import compile_source, in_parallel, report


def main():
    compiler, include = sys.argv[1], pathlib.Path(sys.argv[2])
    headers = sorted(path.relative_to(include) for path in include.rglob("*.hpp"))
    results = in_parallel(lambda header: compile_source(compiler, include, f"#include <{header}>\n"), headers)
    failures = [(header, messages) for header, (ok, messages) in zip(headers, results) if not ok]
    return report(failures, len(headers))


sys.exit(main())
