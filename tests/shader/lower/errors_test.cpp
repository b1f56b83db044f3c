// SPDX-License-Identifier: Apache-2.0
// What cannot be lowered is refused in one sentence that names the function and the cause.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

Program kernelCalling(const std::string& declaration, const std::string& body) {
  return airProgram(declaration + "\ndefine void @f(ptr addrspace(1) %out) {\nentry:\n" + body + R"(
  ret void
}
!air.kernel = !{!0}
!air.version = !{!9}
!0 = !{ptr @f, !1, !2}
!1 = !{}
!2 = !{!3}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"out"}
!9 = !{i32 2, i32 8, i32 0}
)");
}

TEST(LowerErrors, UnknownIntrinsicIsNamed) {
  Program program = kernelCalling("declare float @air.warp_time.f32(float)",
                                  "  %x = call float @air.warp_time.f32(float 1.0)\n  store float %x, ptr addrspace(1) %out, align 4");
  std::string error = kernelError(program, "f");
  expectContains(error, "Kernel function \"f\"");
  expectContains(error, "air.warp_time.f32");
}

TEST(LowerErrors, DerivativeOutsideFragmentIsNamed) {
  Program program = kernelCalling("declare float @air.dfdx.f32(float)",
                                  "  %v = load float, ptr addrspace(1) %out, align 4\n  %x = call float @air.dfdx.f32(float %v)\n"
                                  "  store float %x, ptr addrspace(1) %out, align 4");
  expectContains(kernelError(program, "f"), "derivative");
}

TEST(LowerErrors, MissingByteStorageIsNamed) {
  Program program = kernelCalling("", "  %v = load i8, ptr addrspace(1) %out, align 1\n  %w = add i8 %v, 1\n"
                                      "  store i8 %w, ptr addrspace(1) %out, align 1");
  DeviceTraits traits = allTraits();
  traits.storage8 = false;
  expectContains(kernelError(program, "f", traits), "8-bit");
  EXPECT_FALSE(lowerKernel(program, "f").spirv.empty());
}

TEST(LowerErrors, RecursionIsNamed) {
  Program program = kernelCalling("define internal float @again(float %x) noinline {\n  %y = call float @again(float %x)\n  ret float %y\n}",
                                  "  %x = call float @again(float 1.0)\n  store float %x, ptr addrspace(1) %out, align 4");
  expectContains(kernelError(program, "f"), "again calls itself");
}

TEST(LowerErrors, GarbageIsRefused) {
  Program program;
  program.air = {'n', 'o', 't', ' ', 'a', 'i', 'r'};
  expectContains(kernelError(program, "f"), "could not be read");
}

TEST(LowerErrors, UnderAlignedAccessesAreTakenApart) {
  Program program = kernelCalling("", "  %p = getelementptr i8, ptr addrspace(1) %out, i64 2\n  %v = load float, ptr addrspace(1) %p, align 2\n"
                                      "  store float %v, ptr addrspace(1) %out, align 1");
  std::string text = kernelAssembly(program, "f");
  EXPECT_EQ(countOf(text, "OpLoad %ushort"), 2u) << text;
  EXPECT_EQ(countOf(text, "Aligned|NonPrivatePointer 1\n"), 4u) << text;
}

// The metadata of a library file may say anything.
TEST(LowerErrors, TooManyResourcesInAnArray) {
  Program program = airProgram(R"(
define void @f(ptr addrspace(1) %image) {
  ret void
}
!air.kernel = !{!0}
!0 = !{ptr @f, !1, !2}
!1 = !{}
!2 = !{!3}
!3 = !{i32 0, !"air.texture", !"air.location_index", i32 0, i32 -1, !"air.sample", !"air.arg_type_name", !"texture2d<float, sample>", !"air.arg_name", !"image"}
)");
  EXPECT_EQ(kernelError(program, "f"),
            "Argument 0 (\"image\") of function \"f\" is an array of 4294967295 resources, but there are at most 128 of a kind.");
}

} // namespace
} // namespace basanite::shader::test
