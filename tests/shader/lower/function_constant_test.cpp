// SPDX-License-Identifier: Apache-2.0
// Function constants in the back end: what stays of an entry function once its constants have values.
#include "tests/shader/lower/shader_case.hpp"

#include <cstring>

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
#include <metal_mesh>
using namespace metal;
constant bool kFlag [[function_constant(0)]];
constant int kCount [[function_constant(1)]];
constant int kMaybe [[function_constant(2)]];
constant float kHeight [[function_constant(3)]];
constant bool kMany = kCount > 4;
constant bool kGiven = is_function_constant_defined(kMaybe);
constant float kSlope = sin(kHeight);
kernel void gated(device float* out [[buffer(0)]], const device float* a [[buffer(1), function_constant(kFlag)]],
                  const device float* b [[buffer(2), function_constant(kMany)]],
                  texture2d<float> t [[texture(0), function_constant(kGiven)]]) {
  float v = 0;
  if (kFlag) v += a[0];
  if (kMany) v += b[0];
  if (kGiven) v += t.read(uint2(0)).x;
  out[0] = v; }
kernel void only(device int* out [[buffer(0)]]) { out[0] = kCount; }
kernel void slope(device float* out [[buffer(0)]]) { out[0] = kSlope; }
struct MeshVertex { float4 p [[position]]; float size [[point_size, function_constant(kFlag)]]; float3 tint [[function_constant(kFlag)]]; float2 uv; };
struct MeshPrimitive { float4 color [[function_constant(kMany)]]; uint layer [[render_target_array_index, function_constant(kFlag)]];
                       bool culled [[primitive_culled, function_constant(kFlag)]]; };
[[mesh]] void mesher(metal::mesh<MeshVertex, MeshPrimitive, 3, 1, topology::point> m, uint t [[thread_index_in_threadgroup]]) {
  MeshVertex v; v.p = 1; v.size = 20; v.tint = 30; v.uv = 40; m.set_vertex(t, v);
  MeshPrimitive p; p.color = 50; p.layer = 60; p.culled = t > 0; m.set_primitive(0, p);
  m.set_index(0, 0); m.set_primitive_count(1); }
struct Uv { float2 uv; };
fragment float4 readsUv(Uv in [[stage_in]]) { return in.uv.xyxy; }
struct Tint { float3 tint; };
fragment float4 readsTint(Tint in [[stage_in]]) { return in.tint.xyzx; }
struct Color { float4 color; };
fragment float4 readsColor(Color in [[stage_in]]) { return in.color; }
kernel void free(device float* out [[buffer(0)]]) { out[0] = 1; }
)";

const Program& program() {
  static Program compiled = mslProgram(kSource);
  return compiled;
}

template <class T> FunctionConstantValue value(uint32_t index, DataType type, T number) {
  FunctionConstantValue result{"", index, type, std::vector<uint8_t>(sizeof(T))};
  std::memcpy(result.bytes.data(), &number, sizeof(T));
  return result;
}
FunctionConstantValue flag(bool on) { return value<uint8_t>(0, 53, on); }
FunctionConstantValue count(int32_t number) { return value(1, 29, number); }

base::Result<StageBinary> lowered(const char* name, std::vector<FunctionConstantValue> constants) {
  return basanite_compiler_instance()->lowerKernel({{&program(), name, std::move(constants)}, allTraits()});
}

std::string argumentsOf(base::Result<StageBinary> binary) {
  if (!binary.ok()) return binary.error().message;
  std::string names;
  for (const Binding& binding : binary->bindings) names += binding.name + " ";
  return names;
}

TEST(FunctionConstants, ArgumentsWhoseConditionIsFalseAreGone) {
  EXPECT_EQ(argumentsOf(lowered("gated", {flag(false), count(1)})), "out ");
  EXPECT_EQ(argumentsOf(lowered("gated", {flag(true), count(1)})), "out a ");
  EXPECT_EQ(argumentsOf(lowered("gated", {flag(false), count(5)})), "out b ");
  EXPECT_EQ(argumentsOf(lowered("gated", {flag(true), count(5), value(2, 29, 0)})), "out a b t ");
  // Of two values for one constant the last counts.
  EXPECT_EQ(argumentsOf(lowered("gated", {flag(true), flag(false), count(1)})), "out ");
}

TEST(FunctionConstants, ValuesAreFoldedAway) {
  auto binary = lowered("only", {count(1234)});
  ASSERT_TRUE(binary.ok()) << binary.error().message;
  std::string text = assembly(*binary);
  expectContains(text, "1234");
  expectLacks(text, " Private");
}

TEST(FunctionConstants, MissingWrongAndIncomputableValuesAreNamed) {
  EXPECT_EQ(argumentsOf(lowered("only", {})),
            "Kernel function \"only\": the function constant \"kCount\" ([[function_constant(1)]], int) has no value.");
  EXPECT_EQ(argumentsOf(lowered("only", {value(1, 3, 1.0f)})),
            "Kernel function \"only\": the function constant \"kCount\" ([[function_constant(1)]]) is int, but its value was given as float.");
  // One that the function does not depend on may be missing, or of any type.
  EXPECT_EQ(argumentsOf(lowered("free", {value(1, 3, 1.0f)})), "out ");
  std::string message = argumentsOf(lowered("slope", {value(3, 3, 1.0f)}));
  EXPECT_NE(message.find("cannot be computed when the pipeline is made"), std::string::npos) << message;
}

TEST(FunctionConstants, AFunctionTellsWhichItDependsOn) {
  auto constants = basanite_compiler_instance()->functionConstants({&program(), "gated", {}}, Stage::kernel);
  ASSERT_TRUE(constants.ok()) << constants.error().message;
  std::string text;
  for (const FunctionConstantInfo& info : *constants)
    text += info.name + ":" + std::to_string(info.index) + ":" + std::to_string(info.type) + (info.required ? " " : "? ");
  EXPECT_EQ(text, "kFlag:0:53 kCount:1:29 kMaybe:2:29? ");
  auto none = basanite_compiler_instance()->functionConstants({&program(), "free", {}}, Stage::kernel);
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none->empty());
}

base::Result<MeshBinaries> meshOf(const char* fragment, std::vector<FunctionConstantValue> constants) {
  MeshRequest request;
  request.mesh = {&program(), "mesher", std::move(constants)};
  request.fragment = FunctionRef{&program(), fragment, {}};
  request.traits = allTraits();
  return basanite_compiler_instance()->lowerMesh(request);
}

TEST(FunctionConstants, MembersOfMeshesWhoseConditionIsFalseAreGone) {
  auto all = meshOf("readsTint", {flag(true), count(5)});
  ASSERT_TRUE(all.ok()) << all.error().message;
  std::string text = assembly(all->mesh);
  for (const char* written : {"BuiltIn Layer", "%float_20", "%float_30", "%uint_60"}) expectContains(text, written);
  // Position, size and tint of a vertex.
  EXPECT_EQ(all->mesh.vertexComponents, 8u);

  auto some = meshOf("readsUv", {flag(false), count(1)});
  ASSERT_TRUE(some.ok()) << some.error().message;
  text = assembly(some->mesh);
  for (const char* absent : {"BuiltIn Layer", "%float_20", "%float_30", "%uint_60", "%float_50"}) expectLacks(text, absent);
  expectContains(text, "%float_40");
  expectContains(text, "BuiltIn PointSize"); // 1, as of any mesh of points without a size
  EXPECT_EQ(some->mesh.vertexComponents, 6u);
}

TEST(FunctionConstants, MembersOfMeshesThatAreGoneCannotBeRead) {
  EXPECT_TRUE(meshOf("readsColor", {flag(false), count(5)}).ok());
  auto color = meshOf("readsColor", {flag(true), count(1)});
  ASSERT_FALSE(color.ok());
  EXPECT_EQ(color.error().message, "Fragment function \"readsColor\" reads the varying \"color\", which mesh function \"mesher\" does not write.");
  auto tint = meshOf("readsTint", {flag(false), count(5)});
  ASSERT_FALSE(tint.ok());
  EXPECT_EQ(tint.error().message, "Fragment function \"readsTint\" reads the varying \"tint\", which mesh function \"mesher\" does not write.");
  // They decide on the mesh, so the mesh function depends on them.
  auto missing = meshOf("readsUv", {flag(true)});
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "Mesh function \"mesher\": the function constant \"kCount\" ([[function_constant(1)]], int) has no value.");
}

TEST(FunctionConstants, ALoneFunctionIsLoweredWithZeroes) {
  auto binary = basanite_compiler_instance()->lowerFunction({&program(), "gated", {}}, allTraits());
  EXPECT_EQ(argumentsOf(binary), "out ");
}

} // namespace
} // namespace basanite::shader::test
