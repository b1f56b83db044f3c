// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLCaptureManager.hpp and MTLCaptureScope.hpp.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Foundation/NSURL.hpp>
#include <Metal/MTLCaptureManager.hpp>
#include <Metal/MTLCaptureScope.hpp>
#include <mutex>

namespace basanite::metal {

struct CaptureDescriptorFields {
  Strong<NS::Object> captureObject;
  MTL::CaptureDestination destination = MTL::CaptureDestinationDeveloperTools;
  Copied<NS::URL> outputURL;
};
class CaptureDescriptor final : public PropertyBag<CaptureDescriptor, CaptureDescriptorFields> {
 public:
  const char* className() const override { return "MTLCaptureDescriptor"; }
};

// What an app would have captured. Its bounds mean nothing without a capture.
class CaptureScope final : public foundation::Object {
 public:
  explicit CaptureScope(Device* owner) : device(owner) {}
  const char* className() const override { return "MTLCaptureScope"; }
  foundation::Retained<Device> device;
  Copied<NS::String> label;
};

// One a process. No capture ever starts: every attempt says so. Thread-safe.
class CaptureManager final : public foundation::Object {
 public:
  static CaptureManager& shared();
  const char* className() const override { return "MTLCaptureManager"; }
  std::mutex mutex;
  foundation::Retained<CaptureScope> defaultScope; // guarded by mutex
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::CaptureDescriptor, basanite::metal::CaptureDescriptor)
BASANITE_BRIDGE(MTL::CaptureScope, basanite::metal::CaptureScope)
BASANITE_BRIDGE(MTL::CaptureManager, basanite::metal::CaptureManager)
