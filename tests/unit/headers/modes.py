# SPDX-License-Identifier: Apache-2.0
"""The whole API and the struct forms in every language mode: modes.py GXX CLANGXX INCLUDE_FOLDER"""

import pathlib
import sys

from compiling import compile_source, in_parallel, report

PRIVATE = ["NS_PRIVATE_IMPLEMENTATION", "MTL_PRIVATE_IMPLEMENTATION", "CA_PRIVATE_IMPLEMENTATION", "METAL_PRIVATE_IMPLEMENTATION"]

# Forms that metal-cpp itself allows hold from C++17 on.
FORMS_17 = """
#include <metal/metal.hpp>
[[maybe_unused]] static MTL::Size sizes() {
  MTL::Size size(1, 2, 3);
  MTL::Size braces{1, 2, 3};
  MTL::Size copied = {1, 2, 3};
  MTL::Size assigned;
  assigned.width = size.width + braces.width + copied.width;
  assigned = MTL::Size::Make(4, 5, 6);
  return assigned;
}
[[maybe_unused]] static MTL::Region regions() { return MTL::Region(1, 2).size.width ? MTL::Region(0, 0, 1, 1) : MTL::Region::Make3D(0, 0, 0, 1, 1, 1); }
[[maybe_unused]] static MTL::ClearColor colors() { return MTL::ClearColor(0.0, 0.5, 1.0, 1.0); }
[[maybe_unused]] static MTL::Viewport viewports() { return MTL::Viewport{0, 0, 1, 1, 0, 1}; }
[[maybe_unused]] static NS::Range ranges() { return NS::Range(0, 1); }
[[maybe_unused]] static MTL4::BufferRange bufferRanges() { return MTL4::BufferRange(16); }
[[maybe_unused]] static MTL::TextureSwizzleChannels swizzles() { return MTL::TextureSwizzleChannels(); }
static_assert(METALCPP_SUPPORTS_VERSION(381, 0, 0) && METALCPP_SUPPORTS_VERSION(370, 9, 9));
static_assert(!METALCPP_SUPPORTS_VERSION(382, 0, 0));
"""


def main():
    gxx, clangxx, include = sys.argv[1:4]
    forms_20 = FORMS_17 + pathlib.Path("struct_forms.inc").read_text(encoding="utf-8")
    cases = []
    for compiler in (gxx, clangxx):
        cases.append((compiler, ["-std=c++17", "-pedantic"], FORMS_17))
        cases.append((compiler, ["-std=c++20", "-pedantic"], forms_20))
        cases.append((compiler, ["-std=c++20"], "#include <Foundation/Foundation.hpp>\n#include <Metal/Metal.hpp>\n#include <QuartzCore/QuartzCore.hpp>\n"))
    cases.append((clangxx, ["-std=c++17", "-fblocks"], FORMS_17))
    cases.append((clangxx, ["-std=c++20", "-fblocks"], forms_20))

    def run(case):
        compiler, flags, source = case
        return compile_source(compiler, include, source, [*flags, "-fsyntax-only"], PRIVATE)

    results = in_parallel(run, cases)
    failures = [(" ".join([c[0], *c[1]]), messages) for c, (ok, messages) in zip(cases, results) if not ok]
    return report(failures, len(cases))


sys.exit(main())
