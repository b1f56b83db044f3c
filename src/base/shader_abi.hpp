// SPDX-License-Identifier: Apache-2.0
// The contract between generated SPIR-V and the runtime: push constants, argument records, descriptor bindings.
// Both src/shader (writes code that reads this) and src/vulkan (fills it) include this page; change it in one commit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace basanite::base::abi {

// Device features that generated code may need (declared per shader, only what it uses): shaderInt64,
// bufferDeviceAddress, vulkanMemoryModel, runtimeDescriptorArray, shaderDemoteToHelperInvocation; and where used:
// shaderFloat16, shaderInt8, shaderInt16, storageBuffer8BitAccess, storageBuffer16BitAccess, shaderDrawParameters,
// shaderStorageImageReadWithoutFormat, shaderStorageImageWriteWithoutFormat, shaderSampledImageArrayNonUniformIndexing,
// shaderStorageImageArrayNonUniformIndexing, shaderOutputLayer, shaderOutputViewportIndex, shaderClipDistance,
// sampleRateShading, geometryShader (only [[primitive_id]] in a fragment function of a vertex pipeline), dualSrcBlend,
// meshShader and taskShader.

// The push-constant block, visible to all stages, byte offset 0. Every shader declares only what it reads.
// A *record* is an array of 64-bit words in device memory, 8-byte aligned; word i belongs to entry i of the
// stage's StageBinary::bindings (src/shader/compiler.hpp):
//   buffer          the buffer's GPU address (0 when nothing is bound)
//   texture         index into both bindless image arrays (0: the null texture)
//   sampler         index into the bindless sampler array
//   constantSampler likewise, for a constexpr sampler of the shader
//   constantData    the GPU address of the stage's StageBinary::constantData
//   functionTable   the GPU address of a table of functions (0 when nothing is bound): the number of its entries as a
//                   64-bit word, then the entries. Entry n is 0 or the number of a function in
//                   shader::LinkedFunctions::functions, counted from 1.
// The record is a snapshot taken at the draw or dispatch, so the shader may treat it as constant.
struct PushConstants {
  uint64_t vertexRecord = 0;   // 0   vertex or kernel stage (object stage of a mesh pipeline)
  uint64_t fragmentRecord = 0; // 8   fragment stage
  uint64_t meshRecord = 0;     // 16  mesh stage
  uint64_t tileRecord = 0;     // 24  tile stage
  // Kernel and object stages. Edge threadgroups of a non-uniform grid run as dispatches or draws of their own with a smaller
  // local size, so positions come from the full size. Grid counts are 0 in an indirect call: there the shader takes
  // NumWorkgroups.
  uint32_t threadsPerGrid[3] = {};       // 32
  uint32_t reserved0 = 0;                // 44
  uint32_t threadgroupsPerGrid[3] = {};  // 48
  uint32_t reserved1 = 0;                // 60
  uint32_t fullThreadgroupSize[3] = {};  // 64  dispatch_threads_per_threadgroup
  uint32_t reserved2 = 0;                // 76
  // Kernel and object stages. Added to the position of every threadgroup: a dispatch above the device's limit runs in pieces,
  // and Vulkan's mesh draws have no base for the edges of a grid.
  uint32_t threadgroupOrigin[3] = {}; // 80
  uint32_t reserved3 = 0;             // 92
};
static_assert(sizeof(PushConstants) == 96);
static_assert(offsetof(PushConstants, threadgroupOrigin) == 80);
static_assert(offsetof(PushConstants, threadsPerGrid) == 32 && offsetof(PushConstants, fullThreadgroupSize) == 64);

// Descriptor set 0, the only set. All three are runtime arrays, partially bound and updated after bind.
// Several variables of different image types may share a binding (aliases): the texture behind an index has the
// type the shader was compiled for.
constexpr uint32_t kSampledImageBinding = 0; // OpTypeImage, Sampled = 1
constexpr uint32_t kStorageImageBinding = 1; // OpTypeImage, Sampled = 2, format Unknown
constexpr uint32_t kSamplerBinding = 2;      // OpTypeSampler
// Only in shaders compiled with DeviceTraits::texelBuffers.
constexpr uint32_t kUniformTexelBufferBinding = 3; // OpTypeImage of Dim Buffer, Sampled = 1
constexpr uint32_t kStorageTexelBufferBinding = 4; // OpTypeImage of Dim Buffer, Sampled = 2

// Only in shaders compiled with DeviceTraits::colorInputs: colour attachment n is input attachment n, binding n of this set.
constexpr uint32_t kColorInputSet = 1;

// Specialization constants (uint32) of kernel, object and mesh stages: the local size of the dispatch or draw.
constexpr uint32_t kLocalSizeXConstant = 0;
constexpr uint32_t kLocalSizeYConstant = 1;
constexpr uint32_t kLocalSizeZConstant = 2;
// Specialization constant (uint32) of a fragment function: the samples of the pipeline's attachments.
constexpr uint32_t kSampleCountConstant = 3;
// Byte lengths of the dynamic [[threadgroup(n)]] arguments: constant kThreadgroupLengthConstant + n.
constexpr uint32_t kThreadgroupLengthConstant = 16;

} // namespace basanite::base::abi
