// SPDX-License-Identifier: Apache-2.0
// MTL::StencilDescriptor, DepthStencilDescriptor and DepthStencilState.
#include "src/metal/MTLDepthStencil.hpp"

#include "src/metal/enum_check.hpp"

namespace basanite::metal {

namespace {

bool isDefault(const StencilDescriptorFields& face) {
  return face.stencilCompareFunction == MTL::CompareFunctionAlways &&
         face.stencilFailureOperation == MTL::StencilOperationKeep &&
         face.depthFailureOperation == MTL::StencilOperationKeep &&
         face.depthStencilPassOperation == MTL::StencilOperationKeep;
}

base::Result<void> checkFace(const StencilDescriptorFields& face) {
  BASANITE_TRY_VOID(checkEnum("stencilCompareFunction", face.stencilCompareFunction));
  BASANITE_TRY_VOID(checkEnum("stencilFailureOperation", face.stencilFailureOperation));
  BASANITE_TRY_VOID(checkEnum("depthFailureOperation", face.depthFailureOperation));
  BASANITE_TRY_VOID(checkEnum("depthStencilPassOperation", face.depthStencilPassOperation));
  return {};
}

} // namespace

base::Result<foundation::Retained<DepthStencilState>>
DepthStencilState::create(Device* device, const DepthStencilDescriptor& descriptor) {
  BASANITE_TRY_VOID(checkEnum("depthCompareFunction", descriptor.depthCompareFunction));
  auto state = foundation::Retained<DepthStencilState>::adopt(new DepthStencilState(device, descriptor));
  BASANITE_TRY_VOID(checkFace(state->front));
  BASANITE_TRY_VOID(checkFace(state->back));
  return state;
}

DepthStencilState::DepthStencilState(Device* owner, const DepthStencilDescriptor& descriptor)
    : device(owner), label(descriptor.label), depthCompare(descriptor.depthCompareFunction),
      depthWrite(descriptor.depthWriteEnabled) {
  if (const StencilDescriptor* face = descriptor.frontFaceStencil.ifMade()) front = *face;
  if (const StencilDescriptor* face = descriptor.backFaceStencil.ifMade()) back = *face;
  stencilTest = !isDefault(front) || !isDefault(back);
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::StencilDescriptor)
BASANITE_VALUE(MTL::StencilDescriptor, MTL::StencilOperation, depthFailureOperation, setDepthFailureOperation)
BASANITE_VALUE(MTL::StencilDescriptor, MTL::StencilOperation, depthStencilPassOperation,
               setDepthStencilPassOperation)
BASANITE_VALUE(MTL::StencilDescriptor, uint32_t, readMask, setReadMask)
BASANITE_VALUE(MTL::StencilDescriptor, MTL::CompareFunction, stencilCompareFunction,
               setStencilCompareFunction)
BASANITE_VALUE(MTL::StencilDescriptor, MTL::StencilOperation, stencilFailureOperation,
               setStencilFailureOperation)
BASANITE_VALUE(MTL::StencilDescriptor, uint32_t, writeMask, setWriteMask)

BASANITE_ALLOC_INIT(MTL::DepthStencilDescriptor)
BASANITE_OBJECT(MTL::DepthStencilDescriptor, MTL::StencilDescriptor, backFaceStencil, setBackFaceStencil)
BASANITE_VALUE(MTL::DepthStencilDescriptor, MTL::CompareFunction, depthCompareFunction,
               setDepthCompareFunction)
BASANITE_VALUE(MTL::DepthStencilDescriptor, bool, depthWriteEnabled, setDepthWriteEnabled)
BASANITE_VALUE_GETTER(MTL::DepthStencilDescriptor, bool, isDepthWriteEnabled, depthWriteEnabled)
BASANITE_OBJECT(MTL::DepthStencilDescriptor, MTL::StencilDescriptor, frontFaceStencil, setFrontFaceStencil)
BASANITE_OBJECT(MTL::DepthStencilDescriptor, NS::String, label, setLabel)

MTL::Device* MTL::DepthStencilState::device() const {
  if (!this) return {};
  return basanite::foundation::toPublic(basanite::foundation::toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL::DepthStencilState, NS::String, label)
