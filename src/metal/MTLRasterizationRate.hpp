// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLRasterizationRate.hpp: maps whose every rate is 1, which change nothing; other maps
// cannot be made.
#pragma once

#include "src/base/result.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLRasterizationRate.hpp>
#include <map>
#include <vector>

namespace basanite::metal {

// The rates along one axis of a layer, which writes and reads the same ones.
class RasterizationRateSampleArray final : public foundation::Object {
 public:
  const char* className() const override { return "MTLRasterizationRateSampleArray"; }
  std::vector<float> rates;
};

class RasterizationRateLayerDescriptor final : public foundation::Object {
 public:
  RasterizationRateLayerDescriptor();
  const char* className() const override { return "MTLRasterizationRateLayerDescriptor"; }
  foundation::Object* copy() const override;
  // The rates of samples that were there before stay; new ones are 0.
  void resize(MTL::Size count);

  MTL::Size sampleCount = MTL::Size::Make(0, 0, 0);
  MTL::Size maxSampleCount = MTL::Size::Make(0, 0, 0);                     // as it was made
  foundation::Retained<RasterizationRateSampleArray> horizontal, vertical; // never null
};

// Shares its layers with the descriptor that it belongs to.
class RasterizationRateLayerArray final : public foundation::Object {
 public:
  const char* className() const override { return "MTLRasterizationRateLayerArray"; }
  std::map<NS::UInteger, foundation::Retained<RasterizationRateLayerDescriptor>> layers;
};

class RasterizationRateMapDescriptor final : public foundation::Object {
 public:
  RasterizationRateMapDescriptor();
  const char* className() const override { return "MTLRasterizationRateMapDescriptor"; }
  foundation::Object* copy() const override;
  NS::UInteger layerCount() const { return layers->layers.empty() ? 0 : layers->layers.rbegin()->first + 1; }

  MTL::Size screenSize = MTL::Size::Make(0, 0, 0);
  Copied<NS::String> label;
  foundation::Retained<RasterizationRateLayerArray> layers; // never null
};

// Immutable; any thread.
class RasterizationRateMap final : public foundation::Object {
 public:
  // Error: no layer, no size, a layer that is missing, a rate other than 1.
  static base::Result<foundation::Retained<RasterizationRateMap>>
  create(Device* device, const RasterizationRateMapDescriptor* descriptor);
  const char* className() const override { return "MTLRasterizationRateMap"; }

  foundation::Retained<Device> device;
  MTL::Size screenSize = MTL::Size::Make(0, 0, 0);
  NS::UInteger layerCount = 0;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RasterizationRateSampleArray, basanite::metal::RasterizationRateSampleArray)
BASANITE_BRIDGE(MTL::RasterizationRateLayerDescriptor, basanite::metal::RasterizationRateLayerDescriptor)
BASANITE_BRIDGE(MTL::RasterizationRateLayerArray, basanite::metal::RasterizationRateLayerArray)
BASANITE_BRIDGE(MTL::RasterizationRateMapDescriptor, basanite::metal::RasterizationRateMapDescriptor)
BASANITE_BRIDGE(MTL::RasterizationRateMap, basanite::metal::RasterizationRateMap)
