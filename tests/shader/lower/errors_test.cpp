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

TEST(LowerErrors, GroupInputsOutsideGroupsAreNamed) {
  for (const std::string kind : {"dispatch_simdgroups_per_threadgroup", "dispatch_quadgroups_per_threadgroup",
                                 "quadgroups_per_threadgroup", "quadgroup_index_in_threadgroup",
                                 "threads_per_quadgroup", "simdgroups_per_threadgroup"}) {
    SCOPED_TRACE(kind);
    Program program = airProgram(R"(
define <4 x float> @v(i32 %n) {
  %f = uitofp i32 %n to float
  %v = insertelement <4 x float> zeroinitializer, float %f, i64 0
  ret <4 x float> %v
}
define <4 x float> @p(i32 %n) {
  %f = uitofp i32 %n to float
  %v = insertelement <4 x float> zeroinitializer, float %f, i64 0
  ret <4 x float> %v
}
define <4 x float> @good(i32 %n) {
  ret <4 x float> zeroinitializer
}
!air.vertex = !{!0, !8}
!air.fragment = !{!4}
!0 = !{ptr @v, !1, !3}
!1 = !{!2}
!2 = !{!"air.position", !"air.arg_type_name", !"float4", !"air.arg_name", !"position"}
!3 = !{!7}
!4 = !{ptr @p, !5, !3}
!5 = !{!6}
!6 = !{!"air.render_target", i32 0, i32 0, !"air.arg_type_name", !"float4"}
!7 = !{i32 0, !"air.)" + kind + R"(", !"air.arg_type_name", !"uint", !"air.arg_name", !"n"}
!8 = !{ptr @good, !1, !3}
)");
    RenderRequest request;
    request.vertex = {&program, "v"};
    request.traits = allTraits();
    expectContains(renderError(request),
                   "argument \"n\" is of kind air." + kind + ", which a vertex function does not have");
    request.vertex = {&program, "good"};
    request.fragment = FunctionRef{&program, "p"};
    expectContains(renderError(request),
                   "argument \"n\" is of kind air." + kind + ", which a fragment function does not have");
  }
}

TEST(LowerErrors, MeshCallsWithTooFewArgumentsAreNamed) {
  for (const std::string call :
       {"air.set_vertex_data_mesh.v2f32", "air.set_primitive_data_mesh.f32", "air.set_clip_distance_mesh",
        "air.set_primitive_count_mesh", "air.set_position_mesh", "air.set_indices_mesh.v2i8"}) {
    SCOPED_TRACE(call);
    Program program =
        airProgram("define void @m(ptr addrspace(7) %m) {\n  call void @" + call +
                   "(ptr addrspace(7) %m)\n  ret void\n}\ndeclare void @" + call + R"AIR((ptr addrspace(7))
!air.mesh = !{!0}
!0 = !{ptr @m, !1, !2}
!1 = !{}
!2 = !{!3}
!3 = !{i32 0, !"air.mesh", !4, !"air.arg_type_name", !"mesh<V, void, 8, 8, point>", !"air.arg_name", !"m"}
!4 = !{!"air.mesh_type_info", !5, !1, i32 8, i32 8, !"air.point"}
!5 = !{!6, !7}
!6 = !{!"air.position", !"air.arg_type_name", !"float4", !"air.arg_name", !"position"}
!7 = !{!"air.mesh_vertex_data", i32 0, !"user(uv)", !"air.arg_type_name", !"float2", !"air.arg_name", !"uv"}
)AIR");
    MeshRequest request;
    request.mesh = {&program, "m"};
    request.traits = allTraits();
    expectContains(meshError(request),
                   "Mesh function \"m\": it calls " + call + " with 1 arguments, but there must be ");
  }
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
