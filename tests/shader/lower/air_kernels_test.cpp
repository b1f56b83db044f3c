// SPDX-License-Identifier: Apache-2.0
// Kernels written as AIR text: buffers, arithmetic, control flow, entry errors.
#include "tests/shader/lower/shader_case.hpp"

#include <memory>

namespace basanite::shader::test {
namespace {

constexpr const char* kLoopKernel = R"(
define void @sum(ptr addrspace(1) "air-buffer-no-alias" %in, ptr addrspace(1) %out, ptr addrspace(2) %count, i32 %id) {
entry:
  %n = load i32, ptr addrspace(2) %count, align 4
  %inside = icmp ult i32 %id, %n
  br i1 %inside, label %head, label %done
head:
  %i = phi i32 [ 0, %entry ], [ %next, %head ]
  %total = phi float [ 0.0, %entry ], [ %more, %head ]
  %wide = zext i32 %i to i64
  %at = getelementptr inbounds float, ptr addrspace(1) %in, i64 %wide
  %value = load float, ptr addrspace(1) %at, align 4
  %more = fadd fast float %total, %value
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %head, label %store
store:
  %index = zext i32 %id to i64
  %to = getelementptr inbounds float, ptr addrspace(1) %out, i64 %index
  store float %more, ptr addrspace(1) %to, align 4
  br label %done
done:
  ret void
}
!air.kernel = !{!0}
!air.version = !{!9}
!0 = !{ptr @sum, !1, !2}
!1 = !{}
!2 = !{!3, !4, !5, !6}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"in"}
!4 = !{i32 1, !"air.buffer", !"air.location_index", i32 3, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"out"}
!5 = !{i32 2, !"air.buffer", !"air.buffer_size", i32 4, !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 2, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"count"}
!6 = !{i32 3, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!9 = !{i32 2, i32 8, i32 0}
)";

TEST(AirKernels, LoopAndBranchBecomeStructured) {
  Program program = airProgram(kLoopKernel);
  StageBinary binary = lowerKernel(program, "sum");
  std::string text = assembly(binary);
  expectInOrder(text, {"OpMemoryModel PhysicalStorageBuffer64 Vulkan", "OpEntryPoint GLCompute", "OpSelectionMerge", "OpLoopMerge",
                       "OpLoad %float", "OpFAdd %float", "OpStore"});
  expectContains(text, "BuiltIn WorkgroupSize");
  ASSERT_EQ(binary.bindings.size(), 3u);
  EXPECT_EQ(binary.bindings[0].index, 0u);
  EXPECT_EQ(binary.bindings[0].name, "in");
  EXPECT_TRUE(binary.bindings[0].reads);
  EXPECT_FALSE(binary.bindings[0].writes);
  EXPECT_EQ(binary.bindings[1].index, 1u);
  EXPECT_EQ(binary.bindings[1].dataSize, 4u);
  EXPECT_EQ(binary.bindings[2].index, 3u);
  EXPECT_TRUE(binary.bindings[2].writes);
}

// AIR 1.8 writes a constexpr sampler as its number wherever it is used; a stage has room for few samplers.
TEST(AirKernels, UsesOfOneNumberedSamplerAreOneSampler) {
  std::string body;
  for (int i = 0; i < 26; ++i)
    body += "  %r" + std::to_string(i) +
            " = call { <4 x float>, i8 } @air.sample_texture_2d.v4f32(ptr addrspace(1) %image, ptr "
            "addrspace(2) inttoptr (i64 " +
            (i % 13 == 12 ? "34901797601017920" : "34901797601017929") +
            " to ptr addrspace(2)), <2 x float> zeroinitializer, i1 true, <2 x i32> zeroinitializer, i1 "
            "true, float 0.0, float 0.0, i32 0)\n"
            "  %v" +
            std::to_string(i) + " = extractvalue { <4 x float>, i8 } %r" + std::to_string(i) +
            ", 0\n"
            "  store volatile <4 x float> %v" +
            std::to_string(i) + ", ptr addrspace(1) %out, align 16\n";
  Program text =
      airProgram("define void @f(ptr addrspace(1) %image, ptr addrspace(1) %out) {\n" + body + R"(  ret void
}
declare { <4 x float>, i8 } @air.sample_texture_2d.v4f32(ptr addrspace(1), ptr addrspace(2), <2 x float>, i1, <2 x i32>, i1, float, float, i32)
!air.kernel = !{!0}
!0 = !{ptr @f, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.texture", !"air.location_index", i32 0, i32 1, !"air.sample", !"air.arg_type_name", !"texture2d<float, sample>", !"air.arg_name", !"image"}
!4 = !{i32 1, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 16, !"air.arg_type_align_size", i32 16, !"air.arg_type_name", !"float4", !"air.arg_name", !"out"}
)");
  Program library;
  library.functions.push_back({.name = "f"});
  library.functionAir.push_back(std::make_shared<const std::vector<uint8_t>>(text.air));
  StageBinary binary = lowerKernel(library, "f");
  ASSERT_EQ(binary.constantSamplers.size(), 2u);
  EXPECT_EQ(countOf(assembly(binary), "OpImageSampleExplicitLod"), 26u);
}

TEST(AirKernels, UnknownNameListsTheNamesThatExist) {
  Program program = airProgram(kLoopKernel);
  std::string error = kernelError(program, "summ");
  expectContains(error, "\"summ\"");
  expectContains(error, "sum (kernel)");
}

TEST(AirKernels, WrongStageNamesBoth) {
  Program program = airProgram(kLoopKernel);
  RenderRequest request;
  request.vertex = {&program, "sum"};
  request.traits = allTraits();
  std::string error = renderError(request);
  expectContains(error, "\"sum\" is a kernel function");
  expectContains(error, "vertex function is needed");
}

} // namespace
} // namespace basanite::shader::test
