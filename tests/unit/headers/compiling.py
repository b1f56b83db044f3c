# SPDX-License-Identifier: Apache-2.0
"""Runs a compiler over a piece of source; shared by the checks of this folder."""

import concurrent.futures
import os
import subprocess

WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def compile_source(compiler, include, source, flags=("-std=c++20", "-fsyntax-only"), defines=()):
    """(success, messages)."""
    command = [compiler, *flags, *WARNINGS, *(f"-D{name}" for name in defines), f"-I{include}", "-x", "c++", "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    return result.returncode == 0, result.stderr


def in_parallel(function, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def report(failures, count):
    """Prints what failed and gives the exit status."""
    for name, messages in failures:
        print(f"FAILED {name}\n{messages[:2000]}")
    print(f"{count - len(failures)} of {count} passed")
    return 1 if failures or count == 0 else 0
