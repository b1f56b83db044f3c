// SPDX-License-Identifier: Apache-2.0
// Sampler descriptors in Vulkan's terms.
#include "src/metal/sampler_create.hpp"

#include "src/metal/enum_map.hpp"

namespace basanite::metal {

base::Result<base::Ref<vulkan::Sampler>> createSampler(const base::Ref<vulkan::Device>& device,
                                                       const SamplerDescriptorFields& fields,
                                                       std::string_view label) {
  vulkan::SamplerInfo info;
  info.minFilter = toVkFilter(fields.minFilter);
  info.magFilter = toVkFilter(fields.magFilter);
  info.mipmapped = fields.mipFilter != MTL::SamplerMipFilterNotMipmapped;
  info.mipmapMode = toVkMipmapMode(fields.mipFilter);
  info.addressU = toVkAddressMode(fields.sAddressMode);
  info.addressV = toVkAddressMode(fields.tAddressMode);
  info.addressW = toVkAddressMode(fields.rAddressMode);
  bool toZero = fields.sAddressMode == MTL::SamplerAddressModeClampToZero ||
                fields.tAddressMode == MTL::SamplerAddressModeClampToZero ||
                fields.rAddressMode == MTL::SamplerAddressModeClampToZero;
  info.borderColor = toVkBorderColor(toZero ? MTL::SamplerBorderColorTransparentBlack : fields.borderColor);
  // Never is the descriptor's default and means that the sampler compares nothing.
  info.compare = fields.compareFunction != MTL::CompareFunctionNever;
  info.compareOp = toVkCompareOp(fields.compareFunction);
  info.maxAnisotropy = static_cast<float>(fields.maxAnisotropy);
  info.lodMin = fields.lodMinClamp;
  info.lodMax = fields.lodMaxClamp;
  info.lodBias = fields.lodBias;
  info.normalizedCoordinates = fields.normalizedCoordinates;
  return vulkan::Sampler::create(device, info, label);
}

} // namespace basanite::metal
