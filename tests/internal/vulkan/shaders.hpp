// SPDX-License-Identifier: Apache-2.0
// Small SPIR-V modules in assembly, for tests of the backend without a compiler.
#pragma once

namespace basanite::vulkan::test {

// Adds 1 + x + 1000 y to word (z * grid.y + y) * grid.x + x of the buffer in word 0 of the record; the position
// comes from the push constants, as in every generated kernel.
constexpr const char* kCountKernel = R"(
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %4 "main" %gl_WorkGroupID %19 %gl_LocalInvocationID
OpExecutionModeId %4 LocalSizeId %7 %8 %9
OpDecorate %7 SpecId 0
OpDecorate %8 SpecId 1
OpDecorate %9 SpecId 2
OpDecorate %gl_WorkGroupID BuiltIn WorkgroupId
OpMemberDecorate %_struct_17 0 Offset 0
OpMemberDecorate %_struct_17 1 Offset 32
OpMemberDecorate %_struct_17 2 Offset 64
OpDecorate %_struct_17 Block
OpDecorate %gl_LocalInvocationID BuiltIn LocalInvocationId
OpDecorate %_runtimearr_uint ArrayStride 4
OpMemberDecorate %_struct_31 0 Offset 0
OpDecorate %_struct_31 Block
OpDecorate %_runtimearr_ulong ArrayStride 8
OpMemberDecorate %_struct_40 0 Offset 0
OpDecorate %_struct_40 Block
%void = OpTypeVoid
%3 = OpTypeFunction %void
%uint = OpTypeInt 32 0
%7 = OpSpecConstant %uint 1
%8 = OpSpecConstant %uint 1
%9 = OpSpecConstant %uint 1
%v3uint = OpTypeVector %uint 3
%_ptr_Input_v3uint = OpTypePointer Input %v3uint
%gl_WorkGroupID = OpVariable %_ptr_Input_v3uint Input
%ulong = OpTypeInt 64 0
%_struct_17 = OpTypeStruct %ulong %v3uint %v3uint
%_ptr_PushConstant__struct_17 = OpTypePointer PushConstant %_struct_17
%19 = OpVariable %_ptr_PushConstant__struct_17 PushConstant
%int = OpTypeInt 32 1
%int_2 = OpConstant %int 2
%_ptr_PushConstant_v3uint = OpTypePointer PushConstant %v3uint
%gl_LocalInvocationID = OpVariable %_ptr_Input_v3uint Input
OpTypeForwardPointer %_ptr_PhysicalStorageBuffer__struct_31 PhysicalStorageBuffer
%_runtimearr_uint = OpTypeRuntimeArray %uint
%_struct_31 = OpTypeStruct %_runtimearr_uint
%_ptr_PhysicalStorageBuffer__struct_31 = OpTypePointer PhysicalStorageBuffer %_struct_31
%int_0 = OpConstant %int 0
%_ptr_PushConstant_ulong = OpTypePointer PushConstant %ulong
OpTypeForwardPointer %_ptr_PhysicalStorageBuffer__struct_40 PhysicalStorageBuffer
%_runtimearr_ulong = OpTypeRuntimeArray %ulong
%_struct_40 = OpTypeStruct %_runtimearr_ulong
%_ptr_PhysicalStorageBuffer__struct_40 = OpTypePointer PhysicalStorageBuffer %_struct_40
%_ptr_PhysicalStorageBuffer_ulong = OpTypePointer PhysicalStorageBuffer %ulong
%int_1 = OpConstant %int 1
%uint_1 = OpConstant %uint 1
%_ptr_PushConstant_uint = OpTypePointer PushConstant %uint
%uint_0 = OpConstant %uint 0
%uint_1000 = OpConstant %uint 1000
%_ptr_PhysicalStorageBuffer_uint = OpTypePointer PhysicalStorageBuffer %uint
%4 = OpFunction %void None %3
%5 = OpLabel
%15 = OpLoad %v3uint %gl_WorkGroupID
%23 = OpAccessChain %_ptr_PushConstant_v3uint %19 %int_2
%24 = OpLoad %v3uint %23
%25 = OpIMul %v3uint %15 %24
%27 = OpLoad %v3uint %gl_LocalInvocationID
%28 = OpIAdd %v3uint %25 %27
%36 = OpAccessChain %_ptr_PushConstant_ulong %19 %int_0
%37 = OpLoad %ulong %36
%41 = OpConvertUToPtr %_ptr_PhysicalStorageBuffer__struct_40 %37
%43 = OpAccessChain %_ptr_PhysicalStorageBuffer_ulong %41 %int_0 %int_0
%44 = OpLoad %ulong %43 Aligned 8
%45 = OpConvertUToPtr %_ptr_PhysicalStorageBuffer__struct_31 %44
%50 = OpCompositeExtract %uint %28 2
%54 = OpAccessChain %_ptr_PushConstant_uint %19 %int_1 %uint_1
%55 = OpLoad %uint %54
%56 = OpIMul %uint %50 %55
%58 = OpCompositeExtract %uint %28 1
%59 = OpIAdd %uint %56 %58
%61 = OpAccessChain %_ptr_PushConstant_uint %19 %int_1 %uint_0
%62 = OpLoad %uint %61
%63 = OpIMul %uint %59 %62
%65 = OpCompositeExtract %uint %28 0
%66 = OpIAdd %uint %63 %65
%69 = OpIAdd %uint %uint_1 %65
%73 = OpIMul %uint %uint_1000 %58
%74 = OpIAdd %uint %69 %73
%76 = OpAccessChain %_ptr_PhysicalStorageBuffer_uint %45 %int_0 %66
%77 = OpLoad %uint %76 Aligned 4
%78 = OpIAdd %uint %77 %74
OpStore %76 %78 Aligned 4
OpReturn
OpFunctionEnd
)";

// Samples texture record[0] through sampler record[2] and writes its components in reverse order to the same relative
// place of image record[1].
constexpr const char* kBindlessKernel = R"(
OpCapability Shader
OpCapability Int64
OpCapability ImageQuery
OpCapability StorageImageWriteWithoutFormat
OpCapability RuntimeDescriptorArray
OpCapability PhysicalStorageBufferAddresses
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %4 "main" %18 %gl_GlobalInvocationID %61 %69 %85
OpExecutionModeId %4 LocalSizeId %7 %8 %9
OpDecorate %7 SpecId 0
OpDecorate %8 SpecId 1
OpDecorate %9 SpecId 2
OpDecorate %_runtimearr_ulong ArrayStride 8
OpMemberDecorate %_struct_13 0 Offset 0
OpDecorate %_struct_13 Block
OpMemberDecorate %_struct_16 0 Offset 0
OpDecorate %_struct_16 Block
OpDecorate %gl_GlobalInvocationID BuiltIn GlobalInvocationId
OpDecorate %61 DescriptorSet 0
OpDecorate %61 Binding 0
OpDecorate %69 DescriptorSet 0
OpDecorate %69 Binding 2
OpDecorate %85 DescriptorSet 0
OpDecorate %85 Binding 1
OpDecorate %85 NonReadable
%void = OpTypeVoid
%3 = OpTypeFunction %void
%uint = OpTypeInt 32 0
%7 = OpSpecConstant %uint 1
%8 = OpSpecConstant %uint 1
%9 = OpSpecConstant %uint 1
OpTypeForwardPointer %_ptr_PhysicalStorageBuffer__struct_13 PhysicalStorageBuffer
%ulong = OpTypeInt 64 0
%_runtimearr_ulong = OpTypeRuntimeArray %ulong
%_struct_13 = OpTypeStruct %_runtimearr_ulong
%_ptr_PhysicalStorageBuffer__struct_13 = OpTypePointer PhysicalStorageBuffer %_struct_13
%_struct_16 = OpTypeStruct %ulong
%_ptr_PushConstant__struct_16 = OpTypePointer PushConstant %_struct_16
%18 = OpVariable %_ptr_PushConstant__struct_16 PushConstant
%int = OpTypeInt 32 1
%int_0 = OpConstant %int 0
%_ptr_PushConstant_ulong = OpTypePointer PushConstant %ulong
%_ptr_PhysicalStorageBuffer_ulong = OpTypePointer PhysicalStorageBuffer %ulong
%int_1 = OpConstant %int 1
%int_2 = OpConstant %int 2
%v2int = OpTypeVector %int 2
%v3uint = OpTypeVector %uint 3
%_ptr_Input_v3uint = OpTypePointer Input %v3uint
%gl_GlobalInvocationID = OpVariable %_ptr_Input_v3uint Input
%v2uint = OpTypeVector %uint 2
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%58 = OpTypeImage %float 2D 0 0 0 1 Unknown
%_runtimearr_58 = OpTypeRuntimeArray %58
%_ptr_UniformConstant__runtimearr_58 = OpTypePointer UniformConstant %_runtimearr_58
%61 = OpVariable %_ptr_UniformConstant__runtimearr_58 UniformConstant
%_ptr_UniformConstant_58 = OpTypePointer UniformConstant %58
%66 = OpTypeSampler
%_runtimearr_66 = OpTypeRuntimeArray %66
%_ptr_UniformConstant__runtimearr_66 = OpTypePointer UniformConstant %_runtimearr_66
%69 = OpVariable %_ptr_UniformConstant__runtimearr_66 UniformConstant
%_ptr_UniformConstant_66 = OpTypePointer UniformConstant %66
%74 = OpTypeSampledImage %58
%v2float = OpTypeVector %float 2
%float_0_5 = OpConstant %float 0.5
%82 = OpTypeImage %float 2D 0 0 0 2 Unknown
%_runtimearr_82 = OpTypeRuntimeArray %82
%_ptr_UniformConstant__runtimearr_82 = OpTypePointer UniformConstant %_runtimearr_82
%85 = OpVariable %_ptr_UniformConstant__runtimearr_82 UniformConstant
%_ptr_UniformConstant_82 = OpTypePointer UniformConstant %82
%float_0 = OpConstant %float 0
%105 = OpConstantComposite %v2float %float_0_5 %float_0_5
%4 = OpFunction %void None %3
%5 = OpLabel
%22 = OpAccessChain %_ptr_PushConstant_ulong %18 %int_0
%23 = OpLoad %ulong %22
%24 = OpConvertUToPtr %_ptr_PhysicalStorageBuffer__struct_13 %23
%29 = OpAccessChain %_ptr_PhysicalStorageBuffer_ulong %24 %int_0 %int_0
%30 = OpLoad %ulong %29 Aligned 8
%31 = OpUConvert %uint %30
%35 = OpAccessChain %_ptr_PhysicalStorageBuffer_ulong %24 %int_0 %int_1
%36 = OpLoad %ulong %35 Aligned 8
%37 = OpUConvert %uint %36
%41 = OpAccessChain %_ptr_PhysicalStorageBuffer_ulong %24 %int_0 %int_2
%42 = OpLoad %ulong %41 Aligned 8
%43 = OpUConvert %uint %42
%51 = OpLoad %v3uint %gl_GlobalInvocationID
%52 = OpVectorShuffle %v2uint %51 %51 0 1
%53 = OpBitcast %v2int %52
%64 = OpAccessChain %_ptr_UniformConstant_58 %61 %31
%65 = OpLoad %58 %64
%72 = OpAccessChain %_ptr_UniformConstant_66 %69 %43
%73 = OpLoad %66 %72
%75 = OpSampledImage %74 %65 %73
%78 = OpConvertSToF %v2float %53
%81 = OpFAdd %v2float %78 %105
%88 = OpAccessChain %_ptr_UniformConstant_82 %85 %37
%89 = OpLoad %82 %88
%90 = OpImageQuerySize %v2int %89
%91 = OpConvertSToF %v2float %90
%92 = OpFDiv %v2float %81 %91
%94 = OpImageSampleExplicitLod %v4float %75 %92 Lod %float_0
%97 = OpLoad %82 %88
%100 = OpVectorShuffle %v4float %94 %94 3 2 1 0
OpImageWrite %97 %53 %100
OpReturn
OpFunctionEnd
)";

// One triangle over the whole target at depth 0.5.
constexpr const char* kFullScreenVertex = R"(
OpCapability Shader
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %4 "main" %13 %gl_VertexIndex
OpMemberDecorate %_struct_11 0 BuiltIn Position
OpMemberDecorate %_struct_11 1 BuiltIn PointSize
OpMemberDecorate %_struct_11 2 BuiltIn ClipDistance
OpMemberDecorate %_struct_11 3 BuiltIn CullDistance
OpDecorate %_struct_11 Block
OpDecorate %gl_VertexIndex BuiltIn VertexIndex
%void = OpTypeVoid
%3 = OpTypeFunction %void
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%uint = OpTypeInt 32 0
%uint_1 = OpConstant %uint 1
%_arr_float_uint_1 = OpTypeArray %float %uint_1
%_struct_11 = OpTypeStruct %v4float %float %_arr_float_uint_1 %_arr_float_uint_1
%_ptr_Output__struct_11 = OpTypePointer Output %_struct_11
%13 = OpVariable %_ptr_Output__struct_11 Output
%int = OpTypeInt 32 1
%int_0 = OpConstant %int 0
%_ptr_Input_int = OpTypePointer Input %int
%gl_VertexIndex = OpVariable %_ptr_Input_int Input
%int_1 = OpConstant %int 1
%bool = OpTypeBool
%int_3 = OpConstant %int 3
%int_n1 = OpConstant %int -1
%int_2 = OpConstant %int 2
%float_0_5 = OpConstant %float 0.5
%float_1 = OpConstant %float 1
%_ptr_Output_v4float = OpTypePointer Output %v4float
%4 = OpFunction %void None %3
%5 = OpLabel
%18 = OpLoad %int %gl_VertexIndex
%21 = OpIEqual %bool %18 %int_1
%24 = OpSelect %int %21 %int_3 %int_n1
%25 = OpConvertSToF %float %24
%28 = OpIEqual %bool %18 %int_2
%29 = OpSelect %int %28 %int_3 %int_n1
%30 = OpConvertSToF %float %29
%33 = OpCompositeConstruct %v4float %25 %30 %float_0_5 %float_1
%35 = OpAccessChain %_ptr_Output_v4float %13 %int_0
OpStore %35 %33
OpReturn
OpFunctionEnd
)";

// Color (1, 0.4, 0.2, 1): each a whole number of 255ths, so that no driver has anything to round.
constexpr const char* kSolidFragment = R"(
OpCapability Shader
%1 = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %4 "main" %9
OpExecutionMode %4 OriginUpperLeft
OpDecorate %9 Location 0
%void = OpTypeVoid
%3 = OpTypeFunction %void
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%_ptr_Output_v4float = OpTypePointer Output %v4float
%9 = OpVariable %_ptr_Output_v4float Output
%float_1 = OpConstant %float 1
%float_0_4 = OpConstant %float 0.4
%float_0_2 = OpConstant %float 0.2
%13 = OpConstantComposite %v4float %float_1 %float_0_4 %float_0_2 %float_1
%4 = OpFunction %void None %3
%5 = OpLabel
OpStore %9 %13
OpReturn
OpFunctionEnd
)";

} // namespace basanite::vulkan::test
