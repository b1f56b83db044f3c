// SPDX-License-Identifier: Apache-2.0
// Entry functions: parameters, results and their metadata in AIR's form.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

TEST(Entry, KernelBuffersBecomeAirParameters) {
  std::string air = compileToAir(R"(
struct Params { float4 tint; uint count; float w[3]; };
kernel void k(device float* out [[buffer(3)]], device const int* in [[buffer(0)]], constant Params& p [[buffer(1)]],
              threadgroup float* scratch [[threadgroup(2)]], uint i [[thread_position_in_grid]]) {
  scratch[i] = p.w[0];
  out[i] = float(in[i]) + p.tint.x + scratch[0];
})");
  EXPECT_HAS(air, "define void @k(ptr addrspace(1) \"air-buffer-no-alias\" %out, ptr addrspace(1) \"air-buffer-no-alias\" %in, "
                  "ptr addrspace(2) \"air-buffer-no-alias\" %p, ptr addrspace(3) \"air-buffer-no-alias\" %scratch, i32 %i)");
  EXPECT_HAS(air, "{i32 0, !\"air.buffer\", !\"air.location_index\", i32 3, i32 1, !\"air.read_write\", !\"air.address_space\", i32 1, "
                  "!\"air.arg_type_size\", i32 4, !\"air.arg_type_align_size\", i32 4, !\"air.arg_type_name\", !\"float\", "
                  "!\"air.arg_name\", !\"out\"}");
  EXPECT_HAS(air, "!\"air.location_index\", i32 0, i32 1, !\"air.read\", !\"air.address_space\", i32 1");
  EXPECT_HAS(air, "{i32 2, !\"air.buffer\", !\"air.buffer_size\", i32 32, !\"air.location_index\", i32 1, i32 1, !\"air.read\", "
                  "!\"air.address_space\", i32 2, !\"air.struct_type_info\"");
  EXPECT_HAS(air, "{i32 0, i32 16, i32 0, !\"float4\", !\"tint\", i32 16, i32 4, i32 0, !\"uint\", !\"count\", i32 20, i32 4, i32 3, "
                  "!\"float\", !\"w\"}");
  EXPECT_HAS(air, "{i32 3, !\"air.buffer\", !\"air.location_index\", i32 2, i32 1, !\"air.read_write\", !\"air.address_space\", i32 3");
  EXPECT_HAS(air, "{i32 4, !\"air.thread_position_in_grid\", !\"air.arg_type_name\", !\"uint\", !\"air.arg_name\", !\"i\"}");
  EXPECT_HAS(air, "!air.kernel = !{");
  EXPECT_HAS(air, "target triple = \"air64_v28-apple-macosx26.0.0\"");
  EXPECT_HAS(air, "!air.version = !{");
  EXPECT_HAS(air, "!{i32 2, i32 8, i32 0}");
  EXPECT_HAS(air, "!{!\"Metal\", i32 4, i32 0, i32 0}");
  EXPECT_HAS(air, "air.compile.fast_math_enable");
  EXPECT_HAS_NOT(air, "addrspace(4)");
}

TEST(Entry, VertexStageInIsFlattenedAndResultIsByValue) {
  std::string air = compileToAir(R"(
struct In { float3 position [[attribute(0)]]; half4 color [[attribute(5)]]; uint2 ids [[attribute(2)]]; };
struct Out { float4 position [[position]]; half4 color; float2 uv [[user(texcoord)]]; float size [[point_size]]; uint id [[flat]]; };
vertex Out v(In in [[stage_in]], uint vid [[vertex_id]], ushort iid [[instance_id]]) {
  Out o; o.position = float4(in.position, 1); o.color = in.color; o.uv = float2(vid, iid); o.size = 2; o.id = in.ids.y; return o;
})");
  EXPECT_HAS(air, "define <{ <4 x float>, <4 x half>, <2 x float>, float, i32 }> @v(<3 x float> %position, <4 x half> %color, <2 x i32> %ids, i32 %vid, i16 %iid)");
  EXPECT_HAS(air, "{!\"air.position\", !\"air.arg_type_name\", !\"float4\", !\"air.arg_name\", !\"position\"}");
  EXPECT_HAS(air, "{!\"air.vertex_output\", !\"user(color)\", !\"air.arg_type_name\", !\"half4\", !\"air.arg_name\", !\"color\"}");
  EXPECT_HAS(air, "{!\"air.vertex_output\", !\"user(texcoord)\", !\"air.arg_type_name\", !\"float2\"");
  EXPECT_HAS(air, "{!\"air.point_size\", !\"air.arg_type_name\", !\"float\"");
  EXPECT_HAS(air, "{i32 1, !\"air.vertex_input\", !\"air.location_index\", i32 5, i32 1, !\"air.arg_type_name\", !\"half4\", !\"air.arg_name\", !\"color\"}");
  EXPECT_HAS(air, "{i32 4, !\"air.instance_id\", !\"air.arg_type_name\", !\"ushort\"");
}

TEST(Entry, VertexAttributesAreReflected) {
  auto program = compile(R"(
struct In { float3 position [[attribute(0)]]; half4 color [[attribute(5)]]; uint2 ids [[attribute(2)]]; bool b [[attribute(3)]]; };
vertex float4 v(In in [[stage_in]]) { return float4(in.position, in.ids.x); }
[[max_total_threads_per_threadgroup(128)]] kernel void k(device int* o [[buffer(0)]]) { o[0] = 1; })");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->functions.size(), 2u);
  const FunctionInfo& v = program->functions[0];
  EXPECT_EQ(v.name, "v");
  EXPECT_EQ(v.stage, Stage::vertex);
  ASSERT_EQ(v.vertexAttributes.size(), 4u);
  EXPECT_EQ(v.vertexAttributes[0].name, "position");
  EXPECT_EQ(v.vertexAttributes[0].type, 5u); // MTL::DataTypeFloat3
  EXPECT_EQ(v.vertexAttributes[1].index, 5u);
  EXPECT_EQ(v.vertexAttributes[1].type, 19u); // Half4
  EXPECT_EQ(v.vertexAttributes[2].type, 34u); // UInt2
  EXPECT_EQ(v.vertexAttributes[3].type, 53u); // Bool
  EXPECT_EQ(program->functions[1].stage, Stage::kernel);
  EXPECT_EQ(program->functions[1].maxTotalThreadsPerThreadgroup, 128u);
  EXPECT_HAS(airText(*program), "!{!\"air.max_work_group_size\", i32 128}");
}

TEST(Entry, FragmentInputsCarryInterpolation) {
  std::string air = compileToAir(R"(
struct In { float4 position [[position]]; float2 a; float b [[center_no_perspective]]; float c [[centroid_perspective]];
            float d [[sample_no_perspective]]; float4 e [[flat]]; uint f; float g [[user(named)]]; };
fragment float4 f(In in [[stage_in]], bool front [[front_facing]], float2 pc [[point_coord]], uint prim [[primitive_id]]) {
  return float4(in.a, in.b + in.c + in.d, in.e.x + in.f + in.g + in.position.x + (front ? 1 : 0) + pc.x + prim);
})");
  EXPECT_HAS(air, "{i32 0, !\"air.position\", !\"air.center\", !\"air.no_perspective\", !\"air.arg_type_name\", !\"float4\"");
  EXPECT_HAS(air, "!\"user(a)\", !\"air.center\", !\"air.perspective\"");
  EXPECT_HAS(air, "!\"user(b)\", !\"air.center\", !\"air.no_perspective\"");
  EXPECT_HAS(air, "!\"user(c)\", !\"air.centroid\", !\"air.perspective\"");
  EXPECT_HAS(air, "!\"user(d)\", !\"air.sample\", !\"air.no_perspective\"");
  EXPECT_HAS(air, "!\"user(e)\", !\"air.flat\"");
  EXPECT_HAS(air, "!\"user(f)\", !\"air.flat\"");
  EXPECT_HAS(air, "!\"user(named)\", !\"air.center\", !\"air.perspective\"");
  EXPECT_HAS(air, "!\"air.front_facing\", !\"air.arg_type_name\", !\"bool\"");
  EXPECT_HAS(air, "i1 %front");
}

TEST(Entry, FragmentOutputs) {
  std::string air = compileToAir(R"(
struct Out { float4 c0 [[color(0)]]; half4 c2 [[color(2)]]; float depth [[depth(less)]]; uint mask [[sample_mask]]; };
fragment Out f() { Out o; o.c0 = float4(1); o.c2 = half4(0.5h); o.depth = 0.25; o.mask = 3; return o; }
[[early_fragment_tests]] fragment half4 g() { return half4(1); }
fragment void h() { discard_fragment(); })");
  EXPECT_HAS(air, "define <{ <4 x float>, <4 x half>, float, i32 }> @f()");
  EXPECT_HAS(air, "{!\"air.render_target\", i32 2, i32 0, !\"air.arg_type_name\", !\"half4\"");
  EXPECT_HAS(air, "{!\"air.depth\", !\"air.depth_qualifier\", !\"air.less\", !\"air.arg_type_name\", !\"float\"");
  EXPECT_HAS(air, "{!\"air.sample_mask\", !\"air.arg_type_name\", !\"uint\"");
  EXPECT_HAS(air, "define <4 x half> @g()");
  EXPECT_HAS(air, "!\"early_fragment_tests\"");
  EXPECT_HAS(air, "define void @h()");
  EXPECT_HAS(air, "call void @air.discard_fragment()");
}

TEST(Entry, EveryKernelInputWithScalarAndVectorTypes) {
  std::string air = compileToAir(R"(
kernel void k(device uint* o [[buffer(0)]], uint3 a [[thread_position_in_grid]], ushort2 b [[thread_position_in_threadgroup]],
  uint c [[thread_index_in_threadgroup]], uint2 d [[threadgroup_position_in_grid]], uint3 e [[threads_per_grid]],
  ushort3 f [[threads_per_threadgroup]], uint g [[threadgroups_per_grid]], uint h [[thread_index_in_simdgroup]],
  uint i [[simdgroup_index_in_threadgroup]], uint j [[simdgroups_per_threadgroup]], ushort l [[threads_per_simdgroup]],
  uint m [[thread_execution_width]], uint3 n [[dispatch_threads_per_threadgroup]]) {
  o[0] = a.x + b.y + c + d.x + e.z + f.x + g + h + i + j + l + m + n.y;
})");
  for (const char* kind : {"thread_position_in_grid", "thread_position_in_threadgroup", "thread_index_in_threadgroup", "threadgroup_position_in_grid",
                           "threads_per_grid", "threads_per_threadgroup", "threadgroups_per_grid", "thread_index_in_simdgroup",
                           "simdgroup_index_in_threadgroup", "simdgroups_per_threadgroup", "threads_per_simdgroup", "thread_execution_width",
                           "dispatch_threads_per_threadgroup"}) {
    EXPECT_HAS(air, std::string("!\"air.") + kind + "\"");
  }
  EXPECT_HAS(air, "<3 x i32> %a, <2 x i16> %b, i32 %c, <2 x i32> %d, <3 x i32> %e, <3 x i16> %f, i32 %g");
}

TEST(Entry, TexturesAndSamplers) {
  std::string air = compileToAir(R"(
fragment float4 f(texture2d<float> t [[texture(4)]], depth2d<float> d [[texture(1)]], sampler s [[sampler(3)]]) {
  return t.sample(s, float2(0.5)) + d.sample(s, float2(0.5));
}
kernel void k(texture2d<half, access::write> o [[texture(0)]], texture2d<uint, access::read> i [[texture(1)]], uint2 p [[thread_position_in_grid]]) {
  o.write(half4(i.read(p)), p);
})");
  EXPECT_HAS(air, "@f(ptr addrspace(1) %t, ptr addrspace(1) %d, ptr addrspace(2) %s)");
  EXPECT_HAS(air, "{i32 0, !\"air.texture\", !\"air.location_index\", i32 4, i32 1, !\"air.sample\", !\"air.arg_type_name\", "
                  "!\"texture2d<float, sample>\", !\"air.arg_name\", !\"t\"}");
  EXPECT_HAS(air, "!\"depth2d<float, sample>\"");
  EXPECT_HAS(air, "{i32 2, !\"air.sampler\", !\"air.location_index\", i32 3, i32 1, !\"air.arg_type_name\", !\"sampler\", !\"air.arg_name\", !\"s\"}");
  EXPECT_HAS(air, "!\"air.write\", !\"air.arg_type_name\", !\"texture2d<half, write>\"");
  EXPECT_HAS(air, "!\"air.read\", !\"air.arg_type_name\", !\"texture2d<uint, read>\"");
}

TEST(Entry, IndicesAreAssignedWhereNoneIsGiven) {
  std::string air = compileToAir(R"(
kernel void k(device float* a, device float* b [[buffer(0)]], constant float& c, texture2d<float, access::write> t, device float* d) {
  a[0] = c; b[0] = c; d[0] = c; t.write(float4(c), uint2(0));
})");
  EXPECT_HAS(air, "{i32 0, !\"air.buffer\", !\"air.location_index\", i32 1, i32 1");
  EXPECT_HAS(air, "{i32 1, !\"air.buffer\", !\"air.location_index\", i32 0, i32 1");
  EXPECT_HAS(air, "!\"air.buffer_size\", i32 4, !\"air.location_index\", i32 2, i32 1");
  EXPECT_HAS(air, "{i32 3, !\"air.texture\", !\"air.location_index\", i32 0, i32 1");
  EXPECT_HAS(air, "{i32 4, !\"air.buffer\", !\"air.location_index\", i32 3, i32 1");
}

TEST(Entry, IndicesMayBeNamedConstants) {
  std::string air = compileToAir(R"(
enum BufferIndex { kVertices = 2, kUniforms };
constant uint kOther = 5;
kernel void k(device float* a [[buffer(kVertices)]], device float* b [[buffer(kUniforms)]], device float* c [[buffer(kOther)]],
              device float* d [[buffer(kUniforms + 4)]]) { a[0] = b[0] + c[0] + d[0]; })");
  for (int index : {2, 3, 5, 7}) EXPECT_HAS(air, "!\"air.buffer\", !\"air.location_index\", i32 " + std::to_string(index) + ", i32 1");
}

TEST(Entry, UnusedParametersAreMarked) {
  std::string air = compileToAir("kernel void k(device float* a [[buffer(0)]], device float* b [[buffer(1)]]) { a[0] = 1; }");
  EXPECT_HAS(air, "!\"air.arg_name\", !\"a\"}");
  EXPECT_HAS(air, "!\"air.arg_name\", !\"b\", !\"air.arg_unused\"}");
}

TEST(Entry, HostNamesAndTemplatesNameFunctions) {
  auto program = compile(R"(
[[host_name("renamed")]] kernel void original(device float* a [[buffer(0)]]) { a[0] = 1; }
template <typename T> kernel void fill(device T* a [[buffer(0)]], uint i [[thread_position_in_grid]]) { a[i] = T(2); }
template [[host_name("fill_float")]] kernel void fill<float>(device float*, uint);
template [[host_name("fill_int")]] kernel void fill<int>(device int*, uint);
)");
  ASSERT_TRUE(program) << program.error().message;
  std::vector<std::string> names;
  for (const FunctionInfo& function : program->functions) names.push_back(function.name);
  EXPECT_EQ(names, (std::vector<std::string>{"renamed", "fill_float", "fill_int"}));
  EXPECT_HAS(functionText(airText(*program), "fill_int"), "store i32 2");
}

TEST(Entry, AttributeFormOfStages) {
  auto program = compile(R"(
[[vertex]] float4 v(uint i [[vertex_id]]) { return float4(i); }
[[fragment]] float4 f() { return float4(1); }
[[kernel]] void k(device int* o [[buffer(0)]]) { o[0] = 1; })");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->functions.size(), 3u);
  EXPECT_EQ(program->functions[1].stage, Stage::fragment);
}

TEST(Entry, InheritedAndNestedStructuresCross) {
  std::string air = compileToAir(R"(
struct Base { float4 position [[position]]; };
struct Extra { float3 normal; float2 uv; };
struct Out : Base { Extra extra; float clip [[clip_distance]] [2]; };
vertex Out v(uint i [[vertex_id]]) {
  Out o; o.position = float4(i); o.extra.normal = float3(1); o.extra.uv = float2(2); o.clip[0] = 3; o.clip[1] = 4; return o;
})");
  EXPECT_HAS(air, "define <{ <4 x float>, <3 x float>, <2 x float>, [2 x float] }> @v(i32 %i)");
  EXPECT_HAS(air, "!\"user(normal)\"");
  EXPECT_HAS(air, "{!\"air.clip_distance\", !\"air.clip_distance_array_size\", i32 2");
}

} // namespace
} // namespace basanite::shader::frontend
