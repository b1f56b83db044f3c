// SPDX-License-Identifier: Apache-2.0
// Mesh and object functions: arguments and metadata in AIR's form, outputs member by member, and what is
// refused.
#include "tests/shader/frontend/frontend_fixture.hpp"

namespace basanite::shader::frontend {
namespace {

constexpr const char* kTypes = R"(
struct V { float4 position [[position]]; float size [[point_size]]; float clip [[clip_distance]][2]; float2 uv; half3 tint [[user(shade)]]; };
struct P { float3 color; uint id [[flat]]; bool culled [[primitive_culled]]; ushort layer [[render_target_array_index]]; };
using Mesh = metal::mesh<V, P, 64, 32, topology::line>;
struct Payload { float3 a; uint b[4]; };
)";

TEST(Mesh, OutputGoesMemberByMember) {
  std::string air = compileToAir(std::string(kTypes) + R"(
static void put(Mesh m, uint i) { V v; v.position = float4(1); v.size = 2; v.clip[0] = 3; v.clip[1] = 4; v.uv = float2(5); v.tint = half3(6); m.set_vertex(i, v); }
[[mesh, max_total_threads_per_threadgroup(48)]] void f(Mesh m, uint t [[thread_index_in_threadgroup]]) {
  put(m, t);
  P p; p.color = float3(t); p.id = t; p.culled = t > 3; p.layer = 1; m.set_primitive(t, p);
  m.set_index(t, uchar(t)); m.set_indices(2, uchar2(1, 2)); m.set_indices(4, uchar4(1, 2, 3, 4)); m.set_primitive_count(Mesh::max_primitives);
})");
  EXPECT_HAS(air, "define void @f(ptr addrspace(7) %m, i32 %t)");
  EXPECT_HAS(air, "call void @air.set_position_mesh(ptr addrspace(7) %m, i32 %t, <4 x float>");
  EXPECT_HAS(air, "call void @air.set_point_size_mesh(ptr addrspace(7) %m, i32 %t, float 2.0");
  EXPECT_HAS(air, "call void @air.set_clip_distance_mesh(ptr addrspace(7) %m, i32 1, i32 %t, float 4.0");
  EXPECT_HAS(air,
             "call void @air.set_vertex_data_mesh.v2f32(ptr addrspace(7) %m, i32 0, i32 %t, <2 x float>");
  EXPECT_HAS(air, "call void @air.set_vertex_data_mesh.v3f16(ptr addrspace(7) %m, i32 1, i32 %t, <3 x half>");
  EXPECT_HAS(air,
             "call void @air.set_primitive_data_mesh.v3f32(ptr addrspace(7) %m, i32 0, i32 %t, <3 x float>");
  EXPECT_HAS(air, "call void @air.set_primitive_data_mesh.i32(ptr addrspace(7) %m, i32 1, i32 %t, i32 %t)");
  EXPECT_HAS(air, "call void @air.set_primitive_culled_mesh(ptr addrspace(7) %m, i32 %t, i1 ");
  EXPECT_HAS(air,
             "call void @air.set_render_target_array_index_mesh.i16(ptr addrspace(7) %m, i32 %t, i16 1)");
  EXPECT_HAS(air, "call void @air.set_index_mesh(ptr addrspace(7) %m, i32 %t, i8 ");
  EXPECT_HAS(air, "call void @air.set_indices_mesh.v2i8(ptr addrspace(7) %m, i32 2, <2 x i8> <i8 1, i8 2>)");
  EXPECT_HAS(
      air,
      "call void @air.set_indices_mesh.v4i8(ptr addrspace(7) %m, i32 4, <4 x i8> <i8 1, i8 2, i8 3, i8 4>)");
  EXPECT_HAS(air, "call void @air.set_primitive_count_mesh(ptr addrspace(7) %m, i32 32)");
  EXPECT_HAS(air, "!air.mesh = !{");
  EXPECT_HAS(air, "i32 64, i32 32, !\"air.line\"}");
  EXPECT_HAS(air, "!\"mesh<V, P, 64, 32, line>\"");
  EXPECT_HAS(air, "{!\"air.mesh_vertex_data\", i32 1, !\"user(shade)\", !\"air.arg_type_name\", !\"half3\", "
                  "!\"air.arg_name\", !\"tint\"}");
  EXPECT_HAS(air, "{!\"air.mesh_primitive_data\", i32 1, !\"user(id)\", !\"air.arg_type_name\", !\"uint\", "
                  "!\"air.arg_name\", !\"id\"}");
  EXPECT_HAS(air, "{!\"air.primitive_culled\", ");
  EXPECT_HAS(air, "!{!\"air.max_work_group_size\", i32 48}");
}

TEST(Mesh, AVertexMayBeAPositionAlone) {
  std::string air = compileToAir(
      "[[mesh]] void m(metal::mesh<float4, void, 3, 1> out, uint t [[thread_index_in_threadgroup]]) { "
      "out.set_vertex(t, float4(t, 2, 3, 4)); out.set_primitive_count(1); }");
  EXPECT_HAS(air, "call void @air.set_position_mesh(ptr addrspace(7) %out, i32 %t, <4 x float>");
  EXPECT_HAS(air, "{!\"air.position\", !\"air.arg_type_name\", !\"float4\"");
  EXPECT_HAS(diagnosticsOf("[[mesh]] void m(metal::mesh<float3, void, 3, 1> out) {}"),
             "[[position]] must be float4, not 'float3'");
}

TEST(Mesh, PayloadsHaveAnAddressSpaceOfTheirOwn) {
  std::string air = compileToAir(std::string(kTypes) + R"(
static void fill(object_data Payload& p, uint t) { p.a.yz = float2(t); p.b[t & 3] = t; }
[[object, max_total_threadgroups_per_mesh_grid(9)]] void o(object_data Payload& p [[payload]], mesh_grid_properties grid,
    uint t [[thread_index_in_threadgroup]]) { fill(p, t); if (t == 0) grid.set_threadgroups_per_grid(uint3(t, 2, 3)); }
[[mesh]] void m(metal::mesh<V, void, 3, 1> out, const object_data Payload* p [[payload]], device float3* d [[buffer(0)]]) {
  Payload whole = *p; d[0] = whole.a + float3(p->b[1]); })");
  EXPECT_HAS(air, "define void @o(ptr addrspace(6) %p, ptr addrspace(3) %grid, i32 %t)");
  EXPECT_HAS(air, "define void @m(ptr addrspace(7) %out, ptr addrspace(6) %p, ptr addrspace(1)");
  EXPECT_HAS(air,
             "call void @air.set_threadgroups_per_grid_mesh_properties(ptr addrspace(3) %grid, <3 x i32>");
  EXPECT_HAS(air, "{i32 0, !\"air.payload\", !\"air.struct_type_info\", ");
  EXPECT_HAS(air, "{i32 1, !\"air.mesh_grid_properties\", !\"air.arg_type_name\", !\"mesh_grid_properties\", "
                  "!\"air.arg_name\", !\"grid\"}");
  EXPECT_HAS(air, "!{!\"air.max_mesh_work_groups\", i32 9}");
  EXPECT_HAS(air, "!air.object = !{");
  EXPECT_HAS(air, "i32 3, i32 1, !\"air.triangle\"}");
  std::string object = functionText(air, "o");
  EXPECT_HAS(object, "store i32 %t, ptr addrspace(6) ");
  EXPECT_HAS_NOT(object, "addrspacecast");
}

// Members that are the same for payloads as for threadgroup memory; `payload` and `group` are the two bodies.
std::string overloaded(const std::string& payload, const std::string& group) {
  return std::string(kTypes) + R"(
template <typename T, size_t N> struct Array {
  T elements[N];
  thread T& operator[](size_t i) thread { return elements[i]; }
  constexpr const constant T& operator[](size_t i) const constant { return elements[i]; }
  threadgroup T& operator[](size_t i) threadgroup { )" +
         group + R"( }
  constexpr const threadgroup T& operator[](size_t i) const threadgroup { return elements[i]; }
  object_data T& operator[](size_t i) object_data
  {
    )" + payload +
         R"(
  }
  constexpr const object_data T& operator[](size_t i) const object_data { return elements[i]; }
  object_data T* begin() object_data;
  threadgroup T* begin() threadgroup;
};
struct Shared { Array<float, 4> values; };
[[object]] void o(object_data Shared& p [[payload]], mesh_grid_properties grid, uint t [[thread_index_in_threadgroup]]) {
  threadgroup Array<float, 4> scratch;
  scratch[t] = t;
  p.values[t] = 17;
  grid.set_threadgroups_per_grid(uint3(1)); }
[[mesh]] void m(metal::mesh<V, void, 3, 1> out, const object_data Shared& p [[payload]], device float* d [[buffer(0)]]) { d[0] = p.values[3]; }
)";
}

TEST(Mesh, MembersForPayloadsAndForThreadgroupMemoryMayBeTheSame) {
  std::string air = compileToAir(overloaded("return elements[i];", "return elements[i];"));
  EXPECT_HAS(functionText(air, "o"), "store float 1.700000e+01, ptr addrspace(6)");
  EXPECT_HAS(functionText(air, "m"), "load float, ptr addrspace(6)");
  // What stands behind a member that is left out keeps its line.
  EXPECT_HAS(
      diagnosticsOf(overloaded("return elements[i];", "return elements[i];") + "\nvoid f() { missing(); }"),
      "31:12: error: use of undeclared");
}

TEST(Mesh, MembersForPayloadsThatDifferFromThoseForThreadgroupMemoryAreRefused) {
  EXPECT_HAS(diagnosticsOf(overloaded("return elements[i + 1];", "return elements[i];")),
             "class member cannot be redeclared");
}

TEST(Mesh, FunctionsAreReflected) {
  auto program =
      compile(std::string(kTypes) +
              "[[object]] void o(mesh_grid_properties g) { g.set_threadgroups_per_grid(uint3(1)); }\n"
              "[[mesh]] void m(Mesh out) { out.set_primitive_count(0); }");
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->functions.size(), 2u);
  EXPECT_EQ(program->functions[0].stage, Stage::object);
  EXPECT_EQ(program->functions[1].stage, Stage::mesh);
}

TEST(Mesh, FragmentsTakeVertexAndPrimitiveTogether) {
  std::string air = compileToAir(std::string(kTypes) + R"(
struct F { V v; P p; };
fragment float4 f(F in [[stage_in]]) { return float4(in.p.color, in.v.uv.x + in.p.id + float(in.v.tint.x)); })");
  EXPECT_HAS(air, "!\"user(color)\"");
  EXPECT_HAS(air, "!\"user(id)\", !\"air.flat\"");
  EXPECT_HAS(air, "!\"user(shade)\"");
  EXPECT_HAS_NOT(air, "culled");
}

TEST(Mesh, MistakesAreNamed) {
  auto refused = [](const std::string& source) { return diagnosticsOf(std::string(kTypes) + source); };
  EXPECT_HAS(refused("[[mesh]] void m(uint t [[thread_index_in_threadgroup]]) {}"),
             "mesh function 'm' needs a parameter of type mesh<...>");
  EXPECT_HAS(refused("[[object]] void o(Mesh m) {}"), "only mesh functions have a mesh");
  EXPECT_HAS(refused("[[mesh]] void m(Mesh out, mesh_grid_properties g) {}"),
             "only object functions have mesh_grid_properties");
  EXPECT_HAS(refused("[[mesh]] int m(Mesh out) { return 1; }"), "mesh function 'm' must return void");
  EXPECT_HAS(refused("[[mesh]] void m(Mesh out, object_data Payload& p [[payload]]) {}"),
             "a mesh function only reads its payload");
  EXPECT_HAS(refused("[[mesh]] void m(Mesh out, threadgroup float* t [[threadgroup(0)]]) {}"),
             "only kernel and object functions have threadgroup arguments");
  EXPECT_HAS(refused("kernel void k(object_data Payload& p [[payload]]) {}"),
             "only object and mesh functions have a payload");
  EXPECT_HAS(refused("[[object]] void o(device Payload& p [[payload]]) {}"),
             "must point to object_data memory");
  EXPECT_HAS(refused("struct N { float2 a; };\n[[mesh]] void m(metal::mesh<N, void, 3, 1> out) {}"),
             "no member with attribute [[position]]");
  EXPECT_HAS(refused("[[mesh]] void m(metal::mesh<V, P, 300, 1> out) {}"), "300 vertices");
  EXPECT_HAS(refused("[[object]] void o(uint i [[vertex_id]]) {}"),
             "'vertex_id' is not an input of an object function");
  EXPECT_HAS(refused("[[max_total_threadgroups_per_mesh_grid(4)]] kernel void k() {}"),
             "applies to object functions only");
}

} // namespace
} // namespace basanite::shader::frontend
