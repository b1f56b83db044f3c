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

// Half way between two floats or bfloats but for a bit at the very end, which must not get lost on the way
// through float.
TEST(Bfloat, WideIntegersAreRoundedOnce) {
  struct Case {
    const char* conversion;
    uint32_t bits;
  };
  const Case cases[] = {
      {"uitofp i32 16842753", 0x4b81}, // 0x1010001, to 16908288
      {"uitofp i32 16842752", 0x4b80}, // a tie, to the even one
      {"sitofp i32 -16842753", 0xcb81},
      {"sitofp i32 -16842752", 0xcb80},
      {"sitofp i32 -16842751", 0xcb80},
      {"sitofp i32 -2147483648", 0xcf00},
      {"uitofp i32 4294967295", 0x4f80},
      {"uitofp i32 2155872257", 0x4f01}, // 0x80800001
      {"uitofp i32 2155872256", 0x4f00},
      {"sitofp i32 -1", 0xbf80},
      {"uitofp i32 16777215", 0x4b80},
      {"sitofp i32 257", 0x4380},
      {"uitofp i64 1103806595073", 0x5381}, // 0x10100000001
      {"uitofp i64 1103806595072", 0x5380},
      {"sitofp i64 -1130297953353729", 0xd881}, // -0x4040000000001
      {"sitofp i64 -1130297953353728", 0xd880},
      {"uitofp i64 9259400833873739777", 0x5f01}, // 0x8080000000000001
      {"uitofp i64 9259400833873739776", 0x5f00},
      {"uitofp i64 9223372036854775809", 0x5f00},
      {"uitofp i64 18446744073709551615", 0x5f80},
      {"sitofp i64 -9223372036854775808", 0xdf00},
      {"uitofp i16 257", 0x4380},
      {"uitofp i16 259", 0x4382},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.conversion);
    std::string text = kernelAssembly(
        airProgram(kernelWith(std::string("  %x = ") + each.conversion +
                                  " to bfloat\n  store bfloat %x, ptr addrspace(1) %out, align 2\n",
                              "")),
        "f");
    expectContains(text, "OpConstant %ushort " + std::to_string(each.bits) + "\n");
  }
}

TEST(Bfloat, ConvertingCallsTakeWideIntegersToo) {
  std::string text =
      kernelAssembly(airProgram(kernelWith(R"(  %a = call bfloat @air.convert.f.bf16.s.i32(i32 %id)
  store bfloat %a, ptr addrspace(1) %out, align 2
)",
                                           "declare bfloat @air.convert.f.bf16.s.i32(i32)\n")),
                     "f");
  expectContains(text, "%uint_32768"); // the bit that stands for those below
  expectContains(text, "OpConvertSToF");
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
