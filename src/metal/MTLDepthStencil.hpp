// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLDepthStencil.hpp: the descriptors and the state, which is plain dynamic state for
// the backend.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLDepthStencil.hpp>

namespace basanite::metal {

struct StencilDescriptorFields {
  MTL::CompareFunction stencilCompareFunction = MTL::CompareFunctionAlways;
  MTL::StencilOperation stencilFailureOperation = MTL::StencilOperationKeep;
  MTL::StencilOperation depthFailureOperation = MTL::StencilOperationKeep;
  MTL::StencilOperation depthStencilPassOperation = MTL::StencilOperationKeep;
  uint32_t readMask = 0xffffffffu;
  uint32_t writeMask = 0xffffffffu;
};

class StencilDescriptor final : public PropertyBag<StencilDescriptor, StencilDescriptorFields> {
 public:
  const char* className() const override { return "MTLStencilDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::StencilDescriptor, basanite::metal::StencilDescriptor)

namespace basanite::metal {

struct DepthStencilDescriptorFields {
  Copied<NS::String> label;
  MTL::CompareFunction depthCompareFunction = MTL::CompareFunctionAlways;
  bool depthWriteEnabled = false;
  Made<StencilDescriptor> frontFaceStencil;
  Made<StencilDescriptor> backFaceStencil;
};

class DepthStencilDescriptor final
    : public PropertyBag<DepthStencilDescriptor, DepthStencilDescriptorFields> {
 public:
  const char* className() const override { return "MTLDepthStencilDescriptor"; }
};

// Immutable; any thread.
class DepthStencilState final : public foundation::Object {
 public:
  // Error: a number in the descriptor that is no enumerator.
  static base::Result<foundation::Retained<DepthStencilState>>
  create(Device* device, const DepthStencilDescriptor& descriptor);
  const char* className() const override { return "MTLDepthStencilState"; }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
  MTL::CompareFunction depthCompare = MTL::CompareFunctionAlways;
  bool depthWrite = false;
  bool stencilTest = false; // false when both faces are the defaults, which change and reject nothing
  StencilDescriptorFields front;
  StencilDescriptorFields back;

 private:
  DepthStencilState(Device* device, const DepthStencilDescriptor& descriptor);
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::DepthStencilDescriptor, basanite::metal::DepthStencilDescriptor)
BASANITE_BRIDGE(MTL::DepthStencilState, basanite::metal::DepthStencilState)
