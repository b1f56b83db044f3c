# SPDX-License-Identifier: Apache-2.0
"""What a built library exports, as signatures of the table."""

import subprocess


def exported_signatures(library, model):
    """The signatures of the table that the shared library defines."""
    result = subprocess.run(
        ["nm", "--dynamic", "--defined-only", "--demangle", str(library)], capture_output=True, text=True, check=False
    )
    if result.returncode != 0:
        raise SystemExit(f"nm cannot read {library}: {result.stderr.strip()}")
    exported = set()
    for line in result.stdout.splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3:
            exported.add(parts[2].split("@@")[0])
    return exported & declared_signatures(model)


def declared_signatures(model):
    """Every signature of the table that a library could export."""
    names = set()
    for header in model.headers:
        for row in header["classes"]:
            for method in row["methods"]:
                if not model.is_block_method(method):
                    names.add(model.signature(method, row))
        for row in header["functions"]:
            if not model.is_block_method(row):
                names.add(model.signature(row))
        for row in header["constants"]:
            if row["value"] is None:
                names.add(f"{row['namespace']}::{row['name']}")
    return names
