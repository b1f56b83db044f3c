// SPDX-License-Identifier: Apache-2.0
// The type bfloat of Apple's AIR goes away before anything is printed; what cannot be done with it is refused by name.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

std::string kernelWith(const std::string& body, const std::string& declarations) {
  return "define void @f(ptr addrspace(1) %out, i32 %id) {\n" + body + "  ret void\n}\n" + declarations + R"(
!air.kernel = !{!0}
!0 = !{ptr @f, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 2, !"air.arg_type_align_size", i32 2, !"air.arg_type_name", !"bfloat", !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
)";
}

TEST(Bfloat, MovesAsBitsAndComputesAsFloat) {
  std::string text = kernelAssembly(airProgram(kernelWith(R"(  %x = load <2 x bfloat>, ptr addrspace(1) %out, align 4
  %y = fmul fast <2 x bfloat> %x, <bfloat 0xR4040, bfloat 0xR3F00>
  %n = call <2 x float> @air.convert.f.v2f32.f.v2bf16(<2 x bfloat> %y)
  %less = fcmp olt <2 x bfloat> %y, %x
  %z = select <2 x i1> %less, <2 x bfloat> %y, <2 x bfloat> zeroinitializer
  store <2 x bfloat> %z, ptr addrspace(1) %out, align 4
  store <2 x float> %n, ptr addrspace(1) %out, align 4
)",
                                                          "declare <2 x float> @air.convert.f.v2f32.f.v2bf16(<2 x bfloat>)\n")),
                                    "f");
  expectContains(text, "OpFMul %v2float");
  expectContains(text, "OpFOrdLessThan");
  expectContains(text, "OpLoad %v2ushort");
}

TEST(Bfloat, RefusesByName) {
  std::string result = "declare bfloat @air.modf.bf16(bfloat, ptr)\n";
  std::string error = kernelError(airProgram(kernelWith(R"(  %slot = alloca bfloat
  %x = load bfloat, ptr addrspace(1) %out, align 2
  %y = call bfloat @air.modf.bf16(bfloat %x, ptr %slot)
  store bfloat %y, ptr addrspace(1) %out, align 2
)",
                                                        result)),
                                  "f");
  expectContains(error, "Kernel function \"f\": it calls air.modf.bf16 with bfloat, which Basanite does not support.");
  error = kernelError(airProgram(kernelWith(R"(  %y = call bfloat @air.convert.f.bf16.f.f32.rtz(float 1.0)
  store bfloat %y, ptr addrspace(1) %out, align 2
)",
                                            "declare bfloat @air.convert.f.bf16.f.f32.rtz(float)\n")),
                      "f");
  expectContains(error, "it calls air.convert.f.bf16.f.f32.rtz with bfloat");
}

} // namespace
} // namespace basanite::shader::test
