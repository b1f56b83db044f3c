// SPDX-License-Identifier: Apache-2.0
// Mesh and object functions through front end and back end, and the errors of linking them.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
#include <metal_mesh>
using namespace metal;
struct V { float4 position [[position]]; float2 uv; half3 tint; float unread; };
struct P { float3 color; uint id [[flat]]; };
using Triangles = metal::mesh<V, P, 64, 32, topology::triangle>;
struct Payload { float2 offsets[16]; uint count; };
[[object, max_total_threads_per_threadgroup(32), max_total_threadgroups_per_mesh_grid(16)]]
void amplify(object_data Payload& payload [[payload]], mesh_grid_properties grid, constant float& scale [[buffer(3)]],
             threadgroup float* scratch [[threadgroup(1)]], uint t [[thread_index_in_threadgroup]],
             uint3 g [[threadgroup_position_in_grid]]) {
  scratch[t] = scale;
  if (t == 0) payload.count = g.x;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t < 16) payload.offsets[t] = float2(t, scratch[t ^ 1]);
  if (t == 0) grid.set_threadgroups_per_grid(uint3(4, 1, 1)); }
[[object]] void bytes(object_data uchar* payload [[payload]], mesh_grid_properties grid, uint t [[thread_index_in_threadgroup]]) {
  payload[t] = uchar(t);
  grid.set_threadgroups_per_grid(uint3(1, 2, 3)); }
[[object]] void counting(object_data atomic_uint* payload [[payload]], mesh_grid_properties grid) {
  atomic_fetch_add_explicit(payload, 2, memory_order_relaxed);
  grid.set_threadgroups_per_grid(uint3(1)); }
[[object]] void silent(object_data Payload& payload [[payload]]) { payload.count = 1; }
[[mesh, max_total_threads_per_threadgroup(64)]]
void quads(Triangles m, const object_data Payload& payload [[payload]], device const float* in [[buffer(2)]],
           uint t [[thread_index_in_threadgroup]], uint3 n [[threadgroups_per_grid]]) {
  V v; v.position = float4(in[t]); v.uv = payload.offsets[t & 15]; v.tint = half3(1); v.unread = 4;
  m.set_vertex(t, v);
  if (t < payload.count) {
    P p; p.color = float3(n.x, 0, 1); p.id = t;
    m.set_primitive(t, p);
    m.set_index(t * 3, 0);
    m.set_indices(t * 3 + 1, uchar2(t, t + 1));
  }
  if (t == 0) m.set_primitive_count(payload.count); }
[[mesh]] void byteReader(Triangles m, const object_data uint* payload [[payload]], uint t [[thread_index_in_threadgroup]]) {
  V v; v.position = float4(payload[t]); m.set_vertex(t, v); m.set_primitive_count(1); }
struct Plain { float4 position [[position]]; };
struct Flags { bool culled [[primitive_culled]]; uint layer [[render_target_array_index]]; };
[[mesh]] void points(metal::mesh<Plain, void, 8, 8, topology::point> m, uint t [[thread_index_in_threadgroup]]) {
  Plain v; v.position = float4(t); m.set_vertex(t, v); m.set_index(t, t); if (t == 0) m.set_primitive_count(8); }
[[mesh]] void lines(metal::mesh<Plain, Flags, 8, 4, topology::line> m, uint t [[thread_index_in_threadgroup]]) {
  Plain v; v.position = float4(t); m.set_vertex(t, v); m.set_index(t, t);
  Flags f; f.culled = t > 2; f.layer = t; m.set_primitive(t / 2, f);
  m.set_primitive_count(4); }
[[mesh]] void uncounted(Triangles m, uint t [[thread_index_in_threadgroup]]) { V v; v.position = float4(t); m.set_vertex(t, v); }
struct F { V v; P p; };
fragment float4 shade(F in [[stage_in]]) { return float4(in.p.color * float3(in.v.tint), in.v.uv.x + float(in.p.id)); }
fragment float4 numbered(uint id [[primitive_id]]) { return float4(id); }
struct Other { float4 missing; };
fragment float4 asksMore(Other in [[stage_in]]) { return in.missing; }
struct OtherType { float4 color; };
fragment float4 asksWider(OtherType in [[stage_in]]) { return in.color; }
)";

const Program& program() {
  static Program compiled = mslProgram(kSource);
  return compiled;
}

MeshRequest pipeline(const std::string& object, const std::string& mesh, const std::string& fragment) {
  MeshRequest request;
  if (!object.empty()) request.object = FunctionRef{&program(), object};
  request.mesh = {&program(), mesh};
  if (!fragment.empty()) request.fragment = FunctionRef{&program(), fragment};
  request.traits = allTraits();
  return request;
}

// Older disassemblers know some of the extension's numbers by the names of its predecessor only.
std::string assemblyText(const StageBinary& binary) {
  std::string text = assembly(binary);
  for (const std::string name : {"OutputPrimitives", "OutputTriangles", "OutputLines", "PerPrimitive"})
    for (size_t at = text.find(name + "NV"); at != std::string::npos; at = text.find(name + "NV"))
      text.replace(at + name.size(), 2, "EXT");
  return text;
}

TEST(MeshStages, ObjectFunctionLaunchesWithItsPayloadAtTheVeryEnd) {
  MeshBinaries binaries = lowerMesh(pipeline("amplify", "quads", "shade"));
  ASSERT_TRUE(binaries.object);
  std::string text = assemblyText(*binaries.object);
  expectContains(text, "OpEntryPoint TaskEXT %amplify \"main\"");
  expectContains(text, "OpCapability MeshShadingEXT");
  expectContains(text, "OpExtension \"SPV_EXT_mesh_shader\"");
  expectContains(text, "%payload = OpVariable %_ptr_TaskPayloadWorkgroupEXT__arr_uint_uint_34");
  // The counts are cleared first, gathered in threadgroup memory, and read behind a barrier.
  expectInOrder(text, {"OpControlBarrier", "OpControlBarrier", "OpControlBarrier", "OpEmitMeshTasksEXT",
                       "%payload\n", "OpFunctionEnd"});
  EXPECT_EQ(countOf(text, "OpEmitMeshTasksEXT"), 1u) << text;
  expectLacks(text, "OpReturn");
  EXPECT_EQ(binaries.object->maxTotalThreadsPerThreadgroup, 32u);
  EXPECT_EQ(binaries.object->maxTotalThreadgroupsPerMeshGrid, 16u);
  EXPECT_EQ(binaries.object->payloadBytes, 136u);
  EXPECT_EQ(binaries.object->threadgroupArguments, std::vector<uint32_t>{1});
  ASSERT_EQ(binaries.object->bindings.size(), 1u);
  EXPECT_EQ(binaries.object->bindings[0].index, 3u);
  expectContains(text, "SpecId 17"); // kThreadgroupLengthConstant + 1
}

TEST(MeshStages, MeshFunctionWritesArraysAndWholePrimitives) {
  MeshBinaries binaries = lowerMesh(pipeline("amplify", "quads", "shade"));
  std::string text = assemblyText(binaries.mesh);
  expectContains(text, "OpEntryPoint MeshEXT %quads \"main\"");
  for (const char* mode : {"OutputVertices 64", "OutputPrimitivesEXT 32", "OutputTrianglesEXT"})
    expectContains(text, mode);
  expectContains(text, "BuiltIn Position");
  expectContains(text, "BuiltIn PrimitiveTriangleIndicesEXT");
  expectContains(text, "BuiltIn CullPrimitiveEXT");
  expectContains(text, "OpDecorate %user_color_ PerPrimitiveEXT");
  expectLacks(text, "OpDecorate %user_uv_ PerPrimitiveEXT");
  expectLacks(text, "unread");
  expectLacks(text, "PointSize");
  // Once, ahead of every store to an output; the counts are the declared maxima.
  EXPECT_EQ(countOf(text, "OpSetMeshOutputsEXT %uint_64 %uint_32"), 1u) << text;
  size_t counts = text.find("OpSetMeshOutputsEXT"), firstOutput = text.find("OpAccessChain %_ptr_Output_");
  EXPECT_LT(counts, firstOutput) << text;
  // Indices are stored a triangle at a time.
  expectContains(text, "OpAccessChain %_ptr_Output_v3uint");
  expectLacks(text, "OpAccessChain %_ptr_Output_uint %2");
  EXPECT_EQ(binaries.mesh.maxVertices, 64u);
  EXPECT_EQ(binaries.mesh.maxPrimitives, 32u);
  // Position (4), uv (2) and tint (3) of a vertex, color (3) and id (1) of a primitive.
  EXPECT_EQ(binaries.mesh.vertexComponents, 9u);
  EXPECT_EQ(binaries.mesh.primitiveComponents, 4u);
  // The record comes from the mesh stage's own word.
  expectContains(text, "Offset 16");
}

TEST(MeshStages, PositionsMayBeInvariant) {
  Program invariant = mslProgram(R"(#include <metal_stdlib>
    using namespace metal;
    struct V { float4 position [[position, invariant]]; };
    [[mesh]] void m(metal::mesh<V, void, 3, 1> m, uint t [[thread_index_in_threadgroup]]) {
      V v; v.position = float4(t); m.set_vertex(t, v); m.set_index(t, t); m.set_primitive_count(1); })");
  MeshRequest request;
  request.mesh = {&invariant, "m"};
  request.traits = allTraits();
  expectContains(assembly(lowerMesh(request).mesh), " Invariant");
}

TEST(MeshStages, FragmentInputsAgreeWithTheMesh) {
  MeshBinaries binaries = lowerMesh(pipeline("amplify", "quads", "shade"));
  ASSERT_TRUE(binaries.fragment);
  std::string meshText = assemblyText(binaries.mesh), text = assemblyText(*binaries.fragment);
  expectContains(text, "OpDecorate %user_color_ PerPrimitiveEXT");
  expectContains(text, "OpCapability MeshShadingEXT");
  for (const char* name : {"color", "id", "uv", "tint"}) {
    std::string decoration = std::string("OpDecorate %user_") + name + "_ Location ";
    size_t at = text.find(decoration), meshAt = meshText.find(decoration);
    ASSERT_NE(at, std::string::npos) << name;
    ASSERT_NE(meshAt, std::string::npos) << name;
    EXPECT_EQ(text.substr(at, decoration.size() + 1), meshText.substr(meshAt, decoration.size() + 1));
  }
}

TEST(MeshStages, PayloadsOfBothStagesHaveOneType) {
  MeshBinaries binaries = lowerMesh(pipeline("bytes", "byteReader", ""));
  ASSERT_TRUE(binaries.object);
  // The object function stores bytes, so the mesh function joins its words from bytes too.
  for (const std::string& text : {assemblyText(*binaries.object), assemblyText(binaries.mesh)})
    expectContains(text, "%payload = OpVariable %_ptr_TaskPayloadWorkgroupEXT__arr_uchar_uint_4");
  MeshRequest larger = pipeline("bytes", "byteReader", "");
  larger.payloadBytes = 256;
  EXPECT_EQ(lowerMesh(larger).object->payloadBytes, 256u);
}

TEST(MeshStages, AtomicsOnPayloads) {
  MeshBinaries binaries = lowerMesh(pipeline("counting", "byteReader", ""));
  ASSERT_TRUE(binaries.object);
  expectContains(assemblyText(*binaries.object), "OpAtomicIAdd");
}

TEST(MeshStages, AnObjectFunctionThatSaysNothingLaunchesNothing) {
  MeshBinaries binaries = lowerMesh(pipeline("silent", "points", ""));
  ASSERT_TRUE(binaries.object);
  expectContains(assemblyText(*binaries.object), "OpEmitMeshTasksEXT %uint_0 %uint_0 %uint_0 %payload");
}

TEST(MeshStages, PointsHaveASizeAndOneIndex) {
  std::string text = assemblyText(lowerMesh(pipeline("", "points", "")).mesh);
  expectContains(text, "OutputPoints");
  expectContains(text, "BuiltIn PrimitivePointIndicesEXT");
  expectContains(text, "BuiltIn PointSize");
}

TEST(MeshStages, LinesWithFlags) {
  std::string text = assemblyText(lowerMesh(pipeline("", "lines", "")).mesh);
  expectContains(text, "OutputLinesEXT");
  expectContains(text, "BuiltIn PrimitiveLineIndicesEXT");
  expectContains(text, "OpAccessChain %_ptr_Output_v2uint");
  expectContains(text, "BuiltIn Layer");
  expectContains(text, "BuiltIn CullPrimitiveEXT");
}

TEST(MeshStages, WithoutACountThereIsNoPrimitive) {
  std::string text = assemblyText(lowerMesh(pipeline("", "uncounted", "")).mesh);
  expectContains(text, "OpSetMeshOutputsEXT %uint_0 %uint_0");
  expectLacks(text, "OpControlBarrier");
}

TEST(MeshStages, PrimitiveNumbersReachFragmentsThatAsk) {
  MeshBinaries binaries = lowerMesh(pipeline("", "points", "numbered"));
  expectContains(assemblyText(binaries.mesh), "BuiltIn PrimitiveId");
  ASSERT_TRUE(binaries.fragment);
  std::string text = assemblyText(*binaries.fragment);
  expectContains(text, "BuiltIn PrimitiveId");
  expectLacks(text, "OpCapability Geometry");
  expectLacks(assemblyText(lowerMesh(pipeline("", "points", "")).mesh), "PrimitiveId");
}

TEST(MeshStages, FunctionsLowerWithoutTheirPipeline) {
  for (const char* name : {"amplify", "quads", "points"}) {
    auto binary = basanite_compiler_instance()->lowerFunction({&program(), name}, allTraits());
    ASSERT_TRUE(binary.ok()) << binary.error().message;
    expectContains(assemblyText(*binary), "OpCapability MeshShadingEXT");
  }
}

TEST(MeshStages, ErrorsNameFunctionsAndValues) {
  std::string error = meshError(pipeline("", "quads", "shade"));
  expectContains(error, "\"quads\" reads a payload");
  error = meshError(pipeline("", "points", "asksMore"));
  expectContains(error,
                 "\"asksMore\" reads the varying \"missing\", which mesh function \"points\" does not write");
  error = meshError(pipeline("amplify", "quads", "asksWider"));
  expectContains(error, "\"color\" is float3 in mesh function \"quads\", but float4 in fragment function");
  MeshRequest small = pipeline("amplify", "quads", "shade");
  small.payloadBytes = 64;
  error = meshError(small);
  expectContains(error, "136 bytes");
  expectContains(error, "payloadMemoryLength is 64");
  error = meshError(pipeline("", "amplify", ""));
  expectContains(error, "\"amplify\" is an object function, but a mesh function is needed here");
}

} // namespace
} // namespace basanite::shader::test
