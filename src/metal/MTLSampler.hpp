// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLSampler.hpp: the sampler descriptor and the sampler state.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/sampler.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLSampler.hpp>
#include <cfloat>

namespace basanite::metal {

struct SamplerDescriptorFields {
  Copied<NS::String> label;
  MTL::SamplerMinMagFilter minFilter = MTL::SamplerMinMagFilterNearest;
  MTL::SamplerMinMagFilter magFilter = MTL::SamplerMinMagFilterNearest;
  MTL::SamplerMipFilter mipFilter = MTL::SamplerMipFilterNotMipmapped;
  MTL::SamplerAddressMode sAddressMode = MTL::SamplerAddressModeClampToEdge;
  MTL::SamplerAddressMode tAddressMode = MTL::SamplerAddressModeClampToEdge;
  MTL::SamplerAddressMode rAddressMode = MTL::SamplerAddressModeClampToEdge;
  MTL::SamplerBorderColor borderColor = MTL::SamplerBorderColorTransparentBlack;
  MTL::CompareFunction compareFunction = MTL::CompareFunctionNever;
  NS::UInteger maxAnisotropy = 1;
  float lodMinClamp = 0;
  float lodMaxClamp = FLT_MAX;
  float lodBias = 0;
  bool lodAverage =
      false; // permission to approximate; Vulkan has no such switch, so it is kept and has no effect
  bool normalizedCoordinates = true;
  MTL::SamplerReductionMode reductionMode = MTL::SamplerReductionModeWeightedAverage;
  bool supportArgumentBuffers = false; // every sampler has a resource id here, so there is nothing to switch
};

class SamplerDescriptor final : public PropertyBag<SamplerDescriptor, SamplerDescriptorFields> {
 public:
  const char* className() const override { return "MTLSamplerDescriptor"; }
};

// Immutable; any thread.
class SamplerState final : public foundation::Object {
 public:
  SamplerState(Device* device, base::Ref<vulkan::Sampler> sampler, const NS::String* label);
  const char* className() const override { return "MTLSamplerState"; }

  foundation::Retained<Device> device;
  base::Ref<vulkan::Sampler> sampler;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::SamplerDescriptor, basanite::metal::SamplerDescriptor)
BASANITE_BRIDGE(MTL::SamplerState, basanite::metal::SamplerState)
