// SPDX-License-Identifier: Apache-2.0
// Shaders as an ordinary sample has them: a lit mesh with a shadow map, and a tone-mapping kernel.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

constexpr const char* kScene = R"(
#include <simd/simd.h>
struct SceneUniforms {
  simd::float4x4 model, viewProjection, lightViewProjection;
  simd::float3 lightDirection;
  simd::float3 eye;
};
struct VertexIn { float3 position [[attribute(0)]]; float3 normal [[attribute(1)]]; float2 uv [[attribute(2)]]; };
struct VertexOut { float4 position [[position]]; float3 world; float3 normal; float2 uv; float4 inLight; };

vertex float4 shadow_vertex(VertexIn in [[stage_in]], constant SceneUniforms& u [[buffer(8)]]) {
  return u.lightViewProjection * u.model * float4(in.position, 1.0);
}
vertex VertexOut scene_vertex(VertexIn in [[stage_in]], constant SceneUniforms& u [[buffer(8)]]) {
  VertexOut out;
  float4 world = u.model * float4(in.position, 1.0);
  out.position = u.viewProjection * world;
  out.world = world.xyz;
  out.normal = (u.model * float4(in.normal, 0.0)).xyz;
  out.uv = in.uv;
  out.inLight = u.lightViewProjection * world;
  return out;
}
static float lit(depth2d<float> map, float4 p) {
  constexpr sampler compare(coord::normalized, filter::linear, address::clamp_to_edge, compare_func::less_equal);
  float3 q = p.xyz / p.w;
  float2 uv = float2(q.x * 0.5 + 0.5, 0.5 - q.y * 0.5);
  if (any(uv < 0.0) || any(uv > 1.0)) return 1.0;
  float sum = 0.0;
  for (int y = -1; y <= 1; ++y) {
    for (int x = -1; x <= 1; ++x) sum += map.sample_compare(compare, uv, q.z - 0.002, int2(x, y));
  }
  return sum / 9.0;
}
fragment half4 scene_fragment(VertexOut in [[stage_in]], bool front [[front_facing]], constant SceneUniforms& u [[buffer(0)]],
                              texture2d<half> albedo [[texture(0)]], depth2d<float> shadow [[texture(1)]], sampler s [[sampler(0)]]) {
  half4 base = albedo.sample(s, in.uv);
  if (base.a < 0.5h) discard_fragment();
  float3 n = normalize(front ? in.normal : -in.normal);
  float3 v = normalize(u.eye - in.world);
  float3 h = normalize(v - u.lightDirection);
  float diffuse = saturate(dot(n, -u.lightDirection));
  float specular = pow(saturate(dot(n, h)), 32.0);
  float light = 0.15 + (diffuse + specular) * lit(shadow, in.inLight);
  return half4(base.rgb * half(light), base.a);
}
)";

TEST(Samples, LitMeshWithShadowMap) {
  auto program = compile(kScene);
  ASSERT_TRUE(program) << program.error().message;
  EXPECT_EQ(program->warnings, "");
  std::string air = airText(*program);
  EXPECT_HAS(air, "define <4 x float> @shadow_vertex(<3 x float> %position, <3 x float> %normal, <2 x float> %uv, ptr addrspace(2) ");
  std::string fragment = functionText(air, "scene_fragment");
  // The 3 x 3 loop is unrolled, so that every offset is a constant.
  size_t lookups = 0;
  for (size_t at = fragment.find("@air.sample_compare_depth_2d.f32"); at != std::string::npos; at = fragment.find("@air.sample_compare_depth_2d.f32", at + 1)) ++lookups;
  EXPECT_EQ(lookups, 9u);
  EXPECT_HAS(fragment, "<2 x i32> <i32 -1, i32 1>");
  EXPECT_HAS_NOT(fragment, "alloca");
  EXPECT_HAS_NOT(air, "addrspace(4)");
  EXPECT_HAS_NOT(air, "define internal");
}

TEST(Samples, ToneMapping) {
  std::string air = compileToAir(R"(
struct ToneUniforms { float exposure; uint2 size; };
static float3 aces(float3 x) { return saturate((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)); }
kernel void tonemap(texture2d<float, access::read> source [[texture(0)]], texture2d<float, access::write> target [[texture(1)]],
                    constant ToneUniforms& u [[buffer(0)]], uint2 gid [[thread_position_in_grid]]) {
  if (any(gid >= u.size)) return;
  float3 c = source.read(gid).rgb * exp2(u.exposure);
  target.write(float4(pow(aces(c), 1.0 / 2.2), 1.0), gid);
})");
  std::string k = functionText(air, "tonemap");
  EXPECT_HAS(k, "@air.read_texture_2d.v4f32(ptr addrspace(1) %source");
  EXPECT_HAS(k, "@air.write_texture_2d.v4f32(ptr addrspace(1) %target");
  EXPECT_HAS(k, "@air.fast_exp2.f32");
}

// The array wrapper with one subscript operator for each address space, as shader translators write it.
TEST(Samples, TranslatedShader) {
  std::string air = compileToAir(R"(
template<typename T, size_t Num>
struct Wrapped {
    T elements[Num ? Num : 1];
    thread T& operator [] (size_t pos) thread { return elements[pos]; }
    constexpr const thread T& operator [] (size_t pos) const thread { return elements[pos]; }
    device T& operator [] (size_t pos) device { return elements[pos]; }
    constexpr const device T& operator [] (size_t pos) const device { return elements[pos]; }
    constexpr const constant T& operator [] (size_t pos) const constant { return elements[pos]; }
    threadgroup T& operator [] (size_t pos) threadgroup { return elements[pos]; }
    constexpr const threadgroup T& operator [] (size_t pos) const threadgroup { return elements[pos]; }
};
struct UBO { float4x4 uMVP; Wrapped<float4, 2> lights; };
constant Wrapped<float, 3> kSteps = Wrapped<float, 3>({ 1.0, 2.0, 3.0 });
struct main0_out { float4 FragColor [[color(0)]]; };
struct main0_in { float2 vUV [[user(locn0)]]; uint vId [[user(locn1), flat]]; };
static inline __attribute__((always_inline)) float4 samp(thread const texture2d<float>& t, thread const sampler& s, thread const float2& uv) { return t.sample(s, uv); }
fragment main0_out main0(main0_in in [[stage_in]], constant UBO& ubo [[buffer(0)]], texture2d<float> tex [[texture(0)]], sampler texSmplr [[sampler(0)]], float4 gl_FragCoord [[position]]) {
    main0_out out = {};
    float2 uv = in.vUV;
    out.FragColor = samp(tex, texSmplr, uv) * ubo.lights[in.vId & 1u] + float4(kSteps[in.vId % 3u]) + gl_FragCoord;
    return out;
}
)");
  std::string f = functionText(air, "main0");
  EXPECT_HAS(f, "@air.sample_texture_2d.v4f32(ptr addrspace(1) %tex, ptr addrspace(2) %texSmplr");
  EXPECT_HAS(air, "!\"user(locn1)\", !\"air.flat\"");
  EXPECT_HAS_NOT(air, "addrspace(4)");
}

} // namespace
} // namespace basanite::shader::frontend
