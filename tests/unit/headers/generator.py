# SPDX-License-Identifier: Apache-2.0
"""scripts/generate_headers writes only what changed, and --check finds every difference: generator.py REPOSITORY"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    repository = pathlib.Path(sys.argv[1])
    script = repository / "scripts/generate_headers"

    def run(root, *arguments):
        result = subprocess.run([sys.executable, "-B", str(script), "--root", str(root), *arguments], capture_output=True, text=True, check=False)
        return result.returncode, result.stdout + result.stderr

    def expect(condition, sentence, output=""):
        if not condition:
            raise SystemExit(f"{sentence}\n{output}")

    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "api").mkdir()
        for name in ("metal_api.json", "implemented.txt"):
            shutil.copy(repository / "api" / name, root / "api" / name)
        status, output = run(root)
        expect(status == 0, "generating into an empty folder fails", output)
        status, output = run(root, "--check")
        expect(status == 0, "what was just written is not up to date", output)
        before = {path: path.stat().st_mtime_ns for path in root.rglob("*.hpp")}
        run(root)
        expect(before == {path: path.stat().st_mtime_ns for path in root.rglob("*.hpp")}, "unchanged files were written again")

        header = root / "include/Metal/MTLBuffer.hpp"
        text = header.read_text(encoding="utf-8")
        header.write_text(text + "// edited\n", encoding="utf-8")
        (root / "include/Metal/MTLStray.hpp").write_text("", encoding="utf-8")
        status, output = run(root, "--check")
        expect(status == 1 and "MTLBuffer.hpp is not what" in output, "an edited header is not found", output)
        expect("MTLStray.hpp is not written by" in output, "a stray header is not found", output)
        run(root)
        expect(header.read_text(encoding="utf-8") == text, "an edited header is not restored")
        expect(not (root / "include/Metal/MTLStray.hpp").exists(), "a stray header stays")

        (root / "api/implemented.txt").write_text("MTL::Buffer::fly()\n", encoding="utf-8")
        status, output = run(root, "--check")
        expect(status == 1 and "MTL::Buffer::fly()" in output, "an unknown signature is not found", output)

        # A library with one method of the table, and one that is not in it.
        (root / "api/implemented.txt").write_text("MTL::Buffer::length() const\n", encoding="utf-8")
        source = "namespace MTL { class Buffer { public: void* contents(); int other(); };\nvoid* Buffer::contents() { return 0; }\nint Buffer::other() { return 0; } }\n"
        library = root / "libexample.so"
        subprocess.run(["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)], input=source, text=True, check=True)
        listed = root / "api/implemented.txt"
        status, output = run(root, "--library", str(library))
        expect(listed.read_text(encoding="utf-8") == "MTL::Buffer::contents()\nMTL::Buffer::length() const\n", "the library's method is not added", output)
        expect("MTL::Buffer::length() const" in output, "a listed method that the library lacks is not named", output)
        expect("void* contents();" in header.read_text(encoding="utf-8"), "an implemented method is still marked")
        status, output = run(root, "--check", "--library", str(library))
        expect(status == 1, "--check with a library that lacks a listed method passes", output)
        run(root, "--library", str(library), "--exact")
        expect(listed.read_text(encoding="utf-8") == "MTL::Buffer::contents()\n", "--exact keeps what the library lacks")
        page = (root / "docs/api-coverage.md").read_text(encoding="utf-8")
        expect("| MTL::Buffer | 1 |" in page, "the coverage page does not count it", page)
    print("passed")
    return 0


sys.exit(main())
