// SPDX-License-Identifier: Apache-2.0
// Sampler descriptors in Vulkan's terms.
#include "src/metal/sampler_create.hpp"

#include "src/metal/enum_check.hpp"
#include "src/metal/enum_map.hpp"

#include <fmt/format.h>

namespace basanite::metal {

base::Result<base::Ref<vulkan::Sampler>> createSampler(const base::Ref<vulkan::Device>& device,
                                                       const SamplerDescriptorFields& fields,
                                                       std::string_view label) {
  BASANITE_TRY_VOID(checkEnum("minFilter", fields.minFilter));
  BASANITE_TRY_VOID(checkEnum("magFilter", fields.magFilter));
  BASANITE_TRY_VOID(checkEnum("mipFilter", fields.mipFilter));
  BASANITE_TRY_VOID(checkEnum("sAddressMode", fields.sAddressMode));
  BASANITE_TRY_VOID(checkEnum("tAddressMode", fields.tAddressMode));
  BASANITE_TRY_VOID(checkEnum("rAddressMode", fields.rAddressMode));
  BASANITE_TRY_VOID(checkEnum("borderColor", fields.borderColor));
  BASANITE_TRY_VOID(checkEnum("compareFunction", fields.compareFunction));
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
  bool toBorder = fields.sAddressMode == MTL::SamplerAddressModeClampToBorderColor ||
                  fields.tAddressMode == MTL::SamplerAddressModeClampToBorderColor ||
                  fields.rAddressMode == MTL::SamplerAddressModeClampToBorderColor;
  // Vulkan has one border for all axes, and ClampToZero is one of transparent black.
  if (toZero && toBorder && fields.borderColor != MTL::SamplerBorderColorTransparentBlack)
    return base::Error{fmt::format("The sampler \"{}\" mixes ClampToZero with ClampToBorderColor of another "
                                   "color than transparent black, which Vulkan cannot do.",
                                   label)};
  info.borderColor = toVkBorderColor(toZero ? MTL::SamplerBorderColorTransparentBlack : fields.borderColor);
  // Never is the descriptor's default and means that the sampler compares nothing.
  info.compare = fields.compareFunction != MTL::CompareFunctionNever;
  info.compareOp = toVkCompareOp(fields.compareFunction);
  info.maxAnisotropy = static_cast<float>(fields.maxAnisotropy);
  info.lodMin = fields.lodMinClamp;
  info.lodMax = fields.lodMaxClamp;
  info.lodBias = fields.lodBias;
  info.normalizedCoordinates = fields.normalizedCoordinates;
  switch (fields.reductionMode) {
  case MTL::SamplerReductionModeWeightedAverage:
    break;
  case MTL::SamplerReductionModeMinimum:
    info.reduction = VK_SAMPLER_REDUCTION_MODE_MIN;
    break;
  case MTL::SamplerReductionModeMaximum:
    info.reduction = VK_SAMPLER_REDUCTION_MODE_MAX;
    break;
  default:
    return base::Error{
        fmt::format("{} is no reduction mode of a sampler.", static_cast<uint64_t>(fields.reductionMode))};
  }
  return vulkan::Sampler::create(device, info, label);
}

} // namespace basanite::metal
