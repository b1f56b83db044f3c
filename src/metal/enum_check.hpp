// SPDX-License-Identifier: Apache-2.0
// Numbers that are no enumerators: found where they enter, before the switches of enum_map.cpp take them for
// something.
#pragma once

#include "src/base/result.hpp"

#include <Metal/MTL4Counters.hpp>
#include <Metal/MTL4PipelineState.hpp>
#include <Metal/MTL4RenderPipeline.hpp>
#include <Metal/MTLDepthStencil.hpp>
#include <Metal/MTLLibrary.hpp>
#include <Metal/MTLPipeline.hpp>
#include <Metal/MTLRenderCommandEncoder.hpp>
#include <Metal/MTLRenderPass.hpp>
#include <Metal/MTLRenderPipeline.hpp>
#include <Metal/MTLResource.hpp>
#include <Metal/MTLSampler.hpp>
#include <Metal/MTLTexture.hpp>
#include <Metal/MTLVertexDescriptor.hpp>
#include <cstdint>
#include <fmt/format.h>
#include <type_traits>

namespace basanite::metal {

// The members of an enumeration are 0 to `last`; `name` is its own without the namespace.
struct EnumInfo {
  const char* name;
  uint64_t last;
};

constexpr EnumInfo enumInfo(MTL::PrimitiveType) { return {"PrimitiveType", MTL::PrimitiveTypeTriangleStrip}; }
constexpr EnumInfo enumInfo(MTL::IndexType) { return {"IndexType", MTL::IndexTypeUInt32}; }
constexpr EnumInfo enumInfo(MTL::CullMode) { return {"CullMode", MTL::CullModeBack}; }
constexpr EnumInfo enumInfo(MTL::Winding) { return {"Winding", MTL::WindingCounterClockwise}; }
constexpr EnumInfo enumInfo(MTL::TriangleFillMode) {
  return {"TriangleFillMode", MTL::TriangleFillModeLines};
}
constexpr EnumInfo enumInfo(MTL::DepthClipMode) { return {"DepthClipMode", MTL::DepthClipModeClamp}; }
constexpr EnumInfo enumInfo(MTL::CompareFunction) { return {"CompareFunction", MTL::CompareFunctionAlways}; }
constexpr EnumInfo enumInfo(MTL::StencilOperation) {
  return {"StencilOperation", MTL::StencilOperationDecrementWrap};
}
constexpr EnumInfo enumInfo(MTL::BlendFactor) { return {"BlendFactor", MTL::BlendFactorUnspecialized}; }
constexpr EnumInfo enumInfo(MTL::BlendOperation) {
  return {"BlendOperation", MTL::BlendOperationUnspecialized};
}
constexpr EnumInfo enumInfo(MTL4::BlendState) { return {"BlendState", MTL4::BlendStateUnspecialized}; }
constexpr EnumInfo enumInfo(MTL4::AlphaToCoverageState) {
  return {"AlphaToCoverageState", MTL4::AlphaToCoverageStateEnabled};
}
constexpr EnumInfo enumInfo(MTL4::AlphaToOneState) {
  return {"AlphaToOneState", MTL4::AlphaToOneStateEnabled};
}
constexpr EnumInfo enumInfo(MTL4::IndirectCommandBufferSupportState) {
  return {"IndirectCommandBufferSupportState", MTL4::IndirectCommandBufferSupportStateEnabled};
}
constexpr EnumInfo enumInfo(MTL4::LogicalToPhysicalColorAttachmentMappingState) {
  return {"LogicalToPhysicalColorAttachmentMappingState",
          MTL4::LogicalToPhysicalColorAttachmentMappingStateInherited};
}
constexpr EnumInfo enumInfo(MTL::SamplerMinMagFilter) {
  return {"SamplerMinMagFilter", MTL::SamplerMinMagFilterLinear};
}
constexpr EnumInfo enumInfo(MTL::SamplerMipFilter) {
  return {"SamplerMipFilter", MTL::SamplerMipFilterLinear};
}
constexpr EnumInfo enumInfo(MTL::SamplerAddressMode) {
  return {"SamplerAddressMode", MTL::SamplerAddressModeClampToBorderColor};
}
constexpr EnumInfo enumInfo(MTL::SamplerBorderColor) {
  return {"SamplerBorderColor", MTL::SamplerBorderColorOpaqueWhite};
}
constexpr EnumInfo enumInfo(MTL::LoadAction) { return {"LoadAction", MTL::LoadActionClear}; }
constexpr EnumInfo enumInfo(MTL::StoreAction) {
  return {"StoreAction", MTL::StoreActionCustomSampleDepthStore};
}
constexpr EnumInfo enumInfo(MTL::MultisampleDepthResolveFilter) {
  return {"MultisampleDepthResolveFilter", MTL::MultisampleDepthResolveFilterMax};
}
constexpr EnumInfo enumInfo(MTL::MultisampleStencilResolveFilter) {
  return {"MultisampleStencilResolveFilter", MTL::MultisampleStencilResolveFilterDepthResolvedSample};
}
constexpr EnumInfo enumInfo(MTL::TextureType) { return {"TextureType", MTL::TextureTypeTextureBuffer}; }
constexpr EnumInfo enumInfo(MTL::TextureSwizzle) { return {"TextureSwizzle", MTL::TextureSwizzleAlpha}; }
constexpr EnumInfo enumInfo(MTL::TextureCompressionType) {
  return {"TextureCompressionType", MTL::TextureCompressionTypeLossy};
}
constexpr EnumInfo enumInfo(MTL::StorageMode) { return {"StorageMode", MTL::StorageModeMemoryless}; }
constexpr EnumInfo enumInfo(MTL::CPUCacheMode) { return {"CPUCacheMode", MTL::CPUCacheModeWriteCombined}; }
constexpr EnumInfo enumInfo(MTL::HazardTrackingMode) {
  return {"HazardTrackingMode", MTL::HazardTrackingModeTracked};
}
constexpr EnumInfo enumInfo(MTL::VertexStepFunction) {
  return {"VertexStepFunction", MTL::VertexStepFunctionPerPatchControlPoint};
}
constexpr EnumInfo enumInfo(MTL::VisibilityResultMode) {
  return {"VisibilityResultMode", MTL::VisibilityResultModeCounting};
}
constexpr EnumInfo enumInfo(MTL::VisibilityResultType) {
  return {"VisibilityResultType", MTL::VisibilityResultTypeAccumulate};
}
constexpr EnumInfo enumInfo(MTL4::TimestampGranularity) {
  return {"TimestampGranularity", MTL4::TimestampGranularityPrecise};
}

constexpr EnumInfo enumInfo(MTL::MathMode) { return {"MathMode", MTL::MathModeFast}; }
constexpr EnumInfo enumInfo(MTL::MathFloatingPointFunctions) {
  return {"MathFloatingPointFunctions", MTL::MathFloatingPointFunctionsPrecise};
}
constexpr EnumInfo enumInfo(MTL::LibraryType) { return {"LibraryType", MTL::LibraryTypeDynamic}; }
constexpr EnumInfo enumInfo(MTL::CompileSymbolVisibility) {
  return {"CompileSymbolVisibility", MTL::CompileSymbolVisibilityHidden};
}
constexpr EnumInfo enumInfo(MTL::FloatingPointConversionRoundingMode) {
  return {"FloatingPointConversionRoundingMode", MTL::FloatingPointConversionRoundingModeTowardZero};
}
constexpr EnumInfo enumInfo(MTL::LibraryOptimizationLevel) {
  return {"LibraryOptimizationLevel", MTL::LibraryOptimizationLevelSize};
}
constexpr EnumInfo enumInfo(MTL::ShaderValidation) {
  return {"ShaderValidation", MTL::ShaderValidationDisabled};
}

template <class E> constexpr bool isKnown(E value) {
  return static_cast<uint64_t>(value) <= enumInfo(value).last;
}

// One sentence without its full stop: `what` is the property or argument that has the value.
template <class E> std::string unknownEnumerator(std::string_view what, E value) {
  const EnumInfo info = enumInfo(value);
  return fmt::format("{} is {}, which is no {} (0 to {})", what,
                     static_cast<std::underlying_type_t<E>>(value), info.name, info.last);
}

// Error: the value of `what` is none of its enumeration's.
template <class E> base::Result<void> checkEnum(std::string_view what, E value) {
  if (isKnown(value)) return {};
  return base::Error{unknownEnumerator(what, value) + "."};
}

} // namespace basanite::metal
