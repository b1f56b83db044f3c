// SPDX-License-Identifier: Apache-2.0
// MTL::SamplerDescriptor and MTL::SamplerState.
#include "src/metal/MTLSampler.hpp"

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

SamplerState::SamplerState(Device* owner, base::Ref<vulkan::Sampler> backend, const NS::String* name)
    : device(owner), sampler(std::move(backend)) {
  label.set(name);
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::SamplerDescriptor)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerBorderColor, borderColor, setBorderColor)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::CompareFunction, compareFunction, setCompareFunction)
BASANITE_OBJECT(MTL::SamplerDescriptor, NS::String, label, setLabel)
BASANITE_VALUE(MTL::SamplerDescriptor, bool, lodAverage, setLodAverage)
BASANITE_VALUE(MTL::SamplerDescriptor, float, lodBias, setLodBias)
BASANITE_VALUE(MTL::SamplerDescriptor, float, lodMaxClamp, setLodMaxClamp)
BASANITE_VALUE(MTL::SamplerDescriptor, float, lodMinClamp, setLodMinClamp)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerMinMagFilter, magFilter, setMagFilter)
BASANITE_VALUE(MTL::SamplerDescriptor, NS::UInteger, maxAnisotropy, setMaxAnisotropy)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerMinMagFilter, minFilter, setMinFilter)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerMipFilter, mipFilter, setMipFilter)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerReductionMode, reductionMode, setReductionMode)
BASANITE_VALUE(MTL::SamplerDescriptor, bool, normalizedCoordinates, setNormalizedCoordinates)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerAddressMode, rAddressMode, setRAddressMode)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerAddressMode, sAddressMode, setSAddressMode)
BASANITE_VALUE(MTL::SamplerDescriptor, bool, supportArgumentBuffers, setSupportArgumentBuffers)
BASANITE_VALUE(MTL::SamplerDescriptor, MTL::SamplerAddressMode, tAddressMode, setTAddressMode)

MTL::Device* MTL::SamplerState::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
MTL::ResourceID MTL::SamplerState::gpuResourceID() const {
  if (!this) return {};
  return MTL::ResourceID{toImpl(this)->sampler->slot()};
}
BASANITE_OBJECT_GETTER(MTL::SamplerState, NS::String, label)
