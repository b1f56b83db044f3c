# SPDX-License-Identifier: Apache-2.0
"""B81: the sources of all examples compile: builds.py COMPILER SOURCE_FOLDER [FLAG...]

Both compilers and, where a compiler has them, blocks on: the std::function overloads are there either way.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys


def main():
    compiler, root, flags = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
    sources = sorted((root / "examples").glob("*/*.cpp"))

    def compile_one(source):
        command = [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wno-missing-field-initializers", *flags,
                   f"-I{root / 'include'}", f"-I{root}", str(source)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(compile_one, sources))
    failed = 0
    for source, result in zip(sources, results):
        if result.returncode != 0:
            failed += 1
            print(f"FAILED {source.relative_to(root)}\n{result.stderr[:2000]}")
    print(f"{len(sources) - failed} of {len(sources)} compiled")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
