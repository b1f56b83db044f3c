// SPDX-License-Identifier: Apache-2.0
// MSL through front end and back end: vertex, fragment and kernel functions, and the errors of linking them.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; float2 uv; half3 color; uint id [[flat]]; };
struct Attributes { float3 pos [[attribute(0)]]; float2 uv [[attribute(1)]]; half4 color [[attribute(2)]]; };
struct Uniforms { float4x4 mvp; float limit; };
vertex Varyings vertexMain(Attributes in [[stage_in]], constant Uniforms& u [[buffer(1)]], uint vid [[vertex_id]]) {
  Varyings o; o.position = u.mvp * float4(in.pos, 1); o.uv = in.uv; o.color = in.color.rgb; o.id = vid; return o; }
struct Small { float4 position [[position]]; float2 uv; };
vertex Small vertexSmall(uint vid [[vertex_id]]) { Small o; o.position = float4(vid); o.uv = float2(vid); return o; }
fragment float4 fragmentMain(Varyings in [[stage_in]], texture2d<float> t [[texture(0)]], depth2d<float> shadow [[texture(1)]],
                             sampler s [[sampler(0)]], constant Uniforms& u [[buffer(2)]]) {
  constexpr sampler compare(filter::linear, address::repeat, compare_func::less);
  float4 c = t.sample(s, in.uv) * float4(float3(in.color), 1);
  float d = shadow.sample_compare(compare, in.uv, 0.5);
  if (c.a < u.limit) discard_fragment();
  return c * d + float(in.id); }
kernel void tonemap(texture2d<float, access::read> in [[texture(0)]], texture2d<float, access::write> out [[texture(1)]],
                    uint2 gid [[thread_position_in_grid]]) {
  if (gid.x >= out.get_width() || gid.y >= out.get_height()) return;
  float4 c = in.read(gid); out.write(c / (c + 1), gid); }
kernel void shared(device float* out [[buffer(0)]], threadgroup float* scratch [[threadgroup(2)]],
                   uint id [[thread_position_in_grid]], uint local [[thread_position_in_threadgroup]]) {
  threadgroup uint counts[16];
  counts[local & 15] = local; scratch[local] = out[id];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[id] = scratch[local ^ 1] + float(counts[(local + 1) & 15]); }
kernel void reduce(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]],
                   uint local [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint partial[128];
  partial[local] = in[id];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 64; step > 0; step /= 2) {
    if (local < step) partial[local] += partial[local + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (local == 0) out[group] = partial[0] + partial[7]; }
constant float kTable[5] = {1, 2, 4, 8, 16};
kernel void table(device float* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  float own[7]; for (uint i = 0; i < 7; ++i) own[(i * 3 + id) % 7] = kTable[(i + id) % 5];
  out[id] = own[id % 7]; }
)";

const Program& program() {
  static Program compiled = mslProgram(kSource);
  return compiled;
}

RenderRequest pipeline(const std::string& vertex, const std::string& fragment) {
  RenderRequest request;
  request.vertex = {&program(), vertex};
  if (!fragment.empty()) request.fragment = FunctionRef{&program(), fragment};
  request.attributes = {{0, 30, 0, 0}, {1, 29, 0, 12}, {2, 9, 0, 20}};
  request.layouts = {{0, 24, 1, 1}};
  request.traits = allTraits();
  return request;
}

TEST(MslStages, VertexAndFragmentMeetByName) {
  RenderBinaries binaries = lowerRender(pipeline("vertexMain", "fragmentMain"));
  ASSERT_TRUE(binaries.fragment);
  std::string vertexText = assembly(binaries.vertex), fragmentText = assembly(*binaries.fragment);
  expectContains(vertexText, "OpEntryPoint Vertex %vertexMain \"main\"");
  expectContains(vertexText, "BuiltIn Position");
  expectContains(vertexText, "BuiltIn PointSize");
  expectContains(vertexText, "OpDecorate %user_uv_ Location 0");
  expectContains(fragmentText, "OpDecorate %user_uv_ Location 0");
  expectContains(fragmentText, "OpDecorate %user_id_ Flat");
  expectContains(fragmentText, "OpImageSampleImplicitLod");
  expectContains(fragmentText, "OpImageSampleDrefImplicitLod");
  expectContains(fragmentText, "OpDemoteToHelperInvocation");
  // Buffer 0 comes from the vertex descriptor, 1 from the function.
  ASSERT_EQ(binaries.vertex.bindings.size(), 2u);
  EXPECT_EQ(binaries.vertex.bindings[0].index, 0u);
  EXPECT_EQ(binaries.vertex.bindings[1].index, 1u);
  EXPECT_EQ(binaries.vertex.bindings[1].name, "u");
  // Buffers, textures, samplers, constexpr samplers: in this order.
  const std::vector<Binding>& words = binaries.fragment->bindings;
  ASSERT_EQ(words.size(), 5u);
  EXPECT_EQ(words[0].kind, BindingKind::buffer);
  EXPECT_EQ(words[1].kind, BindingKind::texture);
  EXPECT_FALSE(words[1].depthTexture);
  EXPECT_TRUE(words[2].depthTexture);
  EXPECT_EQ(words[3].kind, BindingKind::sampler);
  EXPECT_EQ(words[4].kind, BindingKind::constantSampler);
  ASSERT_EQ(binaries.fragment->constantSamplers.size(), 1u);
  const ConstantSampler& sampler = binaries.fragment->constantSamplers[0];
  EXPECT_EQ(sampler.addressS, 2u);        // repeat
  EXPECT_EQ(sampler.minFilter, 1u);       // linear
  EXPECT_EQ(sampler.compareFunction, 1u); // less
  EXPECT_EQ(binaries.fragment->colorOutputs, 1u);
  EXPECT_TRUE(binaries.fragment->discards);
}

TEST(MslStages, VertexAloneWritesOnlyBuiltIns) {
  RenderBinaries binaries = lowerRender(pipeline("vertexMain", ""));
  EXPECT_FALSE(binaries.fragment);
  expectLacks(assembly(binaries.vertex), "Location");
}

TEST(MslStages, UnwrittenVaryingNamesBothFunctions) {
  std::string error = renderError(pipeline("vertexSmall", "fragmentMain"));
  expectContains(error, "fragmentMain");
  expectContains(error, "vertexSmall");
  expectContains(error, "\"color\"");
}

TEST(MslStages, InterpolantsHaveTheTypeThatIsWritten) {
  Program interpolants = mslProgram(R"(#include <metal_stdlib>
    using namespace metal;
    struct V { float4 p [[position]]; float4 uv; half3 c [[user(tint)]]; };
    vertex V v() { V o; o.p = o.uv = 1; o.c = 1; return o; }
    struct Same { interpolant<float4, interpolation::perspective> uv; interpolant<half3, interpolation::no_perspective> c [[user(tint)]]; };
    fragment float4 same(Same in [[stage_in]]) { return in.uv.interpolate_at_center() + float4(in.c.interpolate_at_centroid().x); }
    struct Narrow { interpolant<float2, interpolation::perspective> uv; };
    fragment float4 narrow(Narrow in [[stage_in]]) { return in.uv.interpolate_at_center().x; }
    struct Precise { interpolant<float3, interpolation::perspective> c [[user(tint)]]; };
    fragment float4 precise(Precise in [[stage_in]]) { return in.c.interpolate_at_center().x; }
    struct Unread { interpolant<float, interpolation::perspective> uv; float4 p [[position]]; };
    fragment float4 unread(Unread in [[stage_in]]) { return in.p; })");
  auto link = [&](const char* fragment) {
    RenderRequest request;
    request.vertex = {&interpolants, "v"};
    request.fragment = FunctionRef{&interpolants, fragment};
    request.traits = allTraits();
    auto result = basanite_compiler_instance()->lowerRender(request);
    return result.ok() ? std::string() : result.error().message;
  };
  EXPECT_EQ(link("same"), "");
  EXPECT_EQ(link("unread"), "");
  EXPECT_EQ(link("narrow"), "The interpolant \"uv\" is float4 in vertex function \"v\", but float2 in "
                            "fragment function \"narrow\".");
  EXPECT_EQ(link("precise"), "The interpolant \"c\" is half3 in vertex function \"v\", but float3 in "
                             "fragment function \"precise\".");
}

TEST(MslStages, MissingAttributeIsNamed) {
  RenderRequest request = pipeline("vertexMain", "fragmentMain");
  request.attributes.pop_back();
  std::string error = renderError(request);
  expectContains(error, "\"vertexMain\"");
  expectContains(error, "attribute(2)");
}

TEST(MslStages, TextureReadIsBoundedAndWriteIsStorage) {
  StageBinary binary = lowerKernel(program(), "tonemap");
  std::string text = assembly(binary);
  expectInOrder(text, {"OpImageQuerySizeLod", "OpULessThan", "OpImageFetch", "OpSelect", "OpImageWrite"});
  ASSERT_EQ(binary.bindings.size(), 2u);
  EXPECT_TRUE(binary.bindings[0].reads);
  EXPECT_FALSE(binary.bindings[0].writes);
  EXPECT_TRUE(binary.bindings[1].writes);
}

TEST(MslStages, ThreadgroupMemoryIsTypedAndSized) {
  StageBinary binary = lowerKernel(program(), "shared");
  std::string text = assembly(binary);
  expectContains(text, "SpecId 18"); // kThreadgroupLengthConstant + 2
  expectContains(text, "OpControlBarrier");
  EXPECT_EQ(countOf(text, "Workgroup\n"), 2u) << text;
  EXPECT_EQ(binary.staticThreadgroupBytes, 64u);
  EXPECT_EQ(binary.threadgroupArguments, std::vector<uint32_t>{2});
}

TEST(MslStages, ConstantPlacesInThreadgroupMemory) {
  std::string text = kernelAssembly(program(), "reduce");
  expectContains(text, "OpTypePointer Workgroup %uint");
  expectInOrder(text, {"OpAccessChain %_ptr_Workgroup_uint ", " %uint_7\n"});
}

TEST(MslStages, ThreadArraysAndTables) {
  std::string text = kernelAssembly(program(), "table");
  expectContains(text, "OpTypePointer Private");
  expectContains(text, "OpTypePointer Function");
}

TEST(MslStages, MissingHalfIsNamed) {
  DeviceTraits traits = allTraits();
  traits.float16 = false;
  RenderRequest request = pipeline("vertexMain", "fragmentMain");
  request.traits = traits;
  expectContains(renderError(request), "half");
}

} // namespace
} // namespace basanite::shader::test
