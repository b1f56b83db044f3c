// SPDX-License-Identifier: Apache-2.0
// Program-scope constants: which of them travel as constant data, and the bytes they have there.
#include "tests/shader/lower/shader_case.hpp"

#include <cstring>

namespace basanite::shader::test {
namespace {

const Binding* constantDataOf(const StageBinary& binary) {
  for (const Binding& binding : binary.bindings)
    if (binding.kind == BindingKind::constantData) return &binding;
  return nullptr;
}

template <class T> T at(const StageBinary& binary, size_t offset) {
  T value{};
  if (offset + sizeof(T) > binary.constantData.size()) {
    ADD_FAILURE() << "byte " << offset << " of " << binary.constantData.size();
    return value;
  }
  std::memcpy(&value, binary.constantData.data() + offset, sizeof(T));
  return value;
}

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
constant float kSmall[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
constant float kLarge[17] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
constant float kUnused[400] = {7};
struct Mixed { uchar first; half second; float3 third; int last[2]; };
constant Mixed kMixed[3] = {{1, 1.5h, {1, 2, 3}, {4, 5}}, {6, -2.0h, {7, 8, 9}, {10, -11}}, {}};
kernel void small(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = kSmall[id & 15]; }
kernel void large(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = kLarge[id % 17]; }
kernel void mixed(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  Mixed m = kMixed[id % 3];
  out[id] = m.first + m.second + m.third.y + m.last[id & 1]; }
kernel void two(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  out[id] = kLarge[id % 17] + kMixed[id % 3].third.x; }
kernel void chosen(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  constant float* table = id & 1 ? kSmall : kLarge;
  out[id] = table[id & 7]; }
kernel void fixed(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = kLarge[16]; }
struct Corner { float4 position [[position]]; float shade; };
vertex Corner corner(uint id [[vertex_id]]) { Corner c; c.position = float4(kLarge[id % 17]); c.shade = 1; return c; }
fragment float4 shaded(Corner in [[stage_in]]) { return float4(kMixed[uint(in.shade) % 3].third, kLarge[uint(in.shade) % 17]); }
)";

const Program& program() {
  static Program compiled = mslProgram(kSource);
  return compiled;
}

TEST(ConstantTables, UpTo64BytesAreAVariable) {
  StageBinary binary = lowerKernel(program(), "small");
  EXPECT_EQ(constantDataOf(binary), nullptr);
  EXPECT_TRUE(binary.constantData.empty());
  expectContains(assembly(binary), "OpConstantComposite");
}

TEST(ConstantTables, LargerOnesAreBytesBehindAnAddress) {
  StageBinary binary = lowerKernel(program(), "large");
  ASSERT_NE(constantDataOf(binary), nullptr);
  EXPECT_EQ(constantDataOf(binary), &binary.bindings.back());
  ASSERT_EQ(binary.constantData.size(), 17 * sizeof(float)) << "no table that the kernel does not read";
  for (size_t i = 0; i < 17; ++i) EXPECT_EQ(at<float>(binary, 4 * i), static_cast<float>(1 << i)) << i;
  std::string text = assembly(binary);
  expectLacks(text, "OpConstantComposite %_arr");
  expectLacks(text, " Private");
}

TEST(ConstantTables, MembersLieWhereMetalPutsThem) {
  StageBinary binary = lowerKernel(program(), "mixed");
  // uchar at 0, half at 2, float3 at 16, int[2] at 32; 48 bytes in all.
  ASSERT_EQ(binary.constantData.size(), 3u * 48);
  EXPECT_EQ(at<uint8_t>(binary, 0), 1);
  EXPECT_EQ(at<uint16_t>(binary, 2), 0x3e00);
  EXPECT_EQ(at<float>(binary, 16), 1);
  EXPECT_EQ(at<float>(binary, 24), 3);
  EXPECT_EQ(at<int32_t>(binary, 36), 5);
  EXPECT_EQ(at<uint8_t>(binary, 48), 6);
  EXPECT_EQ(at<uint16_t>(binary, 50), 0xc000);
  EXPECT_EQ(at<float>(binary, 68), 8);
  EXPECT_EQ(at<int32_t>(binary, 84), -11);
  for (size_t i = 96; i < 144; ++i) EXPECT_EQ(binary.constantData[i], 0) << i;
}

TEST(ConstantTables, SeveralShareOneBindingAtAlignedOffsets) {
  StageBinary binary = lowerKernel(program(), "two");
  size_t count = 0;
  for (const Binding& binding : binary.bindings) count += binding.kind == BindingKind::constantData;
  EXPECT_EQ(count, 1u);
  // 68 bytes of floats and 144 of structures aligned to 16, in either order.
  ASSERT_TRUE(binary.constantData.size() == 80u + 144 || binary.constantData.size() == 144u + 68) << binary.constantData.size();
  bool floatsFirst = binary.constantData.size() == 80u + 144;
  EXPECT_EQ(at<float>(binary, floatsFirst ? 64 : 144 + 64), 65536);
  EXPECT_EQ(at<float>(binary, (floatsFirst ? 80 : 0) + 64), 7);
}

TEST(ConstantTables, APointerThatMayLeadToSeveralTablesIsAnAddress) {
  StageBinary binary = lowerKernel(program(), "chosen");
  // Both tables, the small one too: a pointer to it must be a number.
  EXPECT_EQ(binary.constantData.size(), (16 + 17) * sizeof(float));
}

TEST(ConstantTables, AConstantIndexNeedsNoTable) {
  StageBinary binary = lowerKernel(program(), "fixed");
  EXPECT_EQ(constantDataOf(binary), nullptr);
  EXPECT_TRUE(binary.constantData.empty());
}

TEST(ConstantTables, EachStageHasItsOwn) {
  RenderRequest request;
  request.vertex = {&program(), "corner"};
  request.fragment = FunctionRef{&program(), "shaded"};
  request.traits = allTraits();
  RenderBinaries binaries = lowerRender(request);
  ASSERT_TRUE(binaries.fragment);
  EXPECT_EQ(binaries.vertex.constantData.size(), 17 * sizeof(float));
  EXPECT_GT(binaries.fragment->constantData.size(), 17 * sizeof(float));
}

TEST(ConstantTables, ATableInAHelperThatIsNotInlinedIsReached) {
  StageBinary binary = lowerKernel(airProgram(R"(
@table = internal addrspace(2) constant [40 x i32] [i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9,
  i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24,
  i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31, i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39], align 4
define internal i32 @look(i32 %i) noinline {
  %e = getelementptr inbounds [40 x i32], ptr addrspace(2) @table, i32 0, i32 %i
  %v = load i32, ptr addrspace(2) %e, align 4
  ret i32 %v
}
define void @k(ptr addrspace(1) %out, i32 %id) {
  %a = call i32 @look(i32 %id)
  %b = call i32 @look(i32 %a)
  %s = add i32 %a, %b
  store i32 %s, ptr addrspace(1) %out, align 4
  ret void
}
!air.kernel = !{!0}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"int", !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
)"), "k");
  ASSERT_EQ(binary.constantData.size(), 160u);
  EXPECT_EQ(at<int32_t>(binary, 156), 39);
}

} // namespace
} // namespace basanite::shader::test
