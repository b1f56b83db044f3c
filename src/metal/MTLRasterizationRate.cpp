// SPDX-License-Identifier: Apache-2.0
// MTL::RasterizationRateMap and what it is made from.
#include "src/metal/MTLRasterizationRate.hpp"

#include "src/metal/validation.hpp"

#include <Foundation/NSNumber.hpp>
#include <algorithm>
#include <fmt/format.h>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

using foundation::Retained;

RasterizationRateLayerDescriptor::RasterizationRateLayerDescriptor()
    : horizontal(Retained<RasterizationRateSampleArray>::adopt(new RasterizationRateSampleArray)),
      vertical(Retained<RasterizationRateSampleArray>::adopt(new RasterizationRateSampleArray)) {}

foundation::Object* RasterizationRateLayerDescriptor::copy() const {
  auto* result = new RasterizationRateLayerDescriptor;
  result->sampleCount = sampleCount;
  result->maxSampleCount = maxSampleCount;
  result->horizontal->rates = horizontal->rates;
  result->vertical->rates = vertical->rates;
  return result;
}

void RasterizationRateLayerDescriptor::resize(MTL::Size count) {
  sampleCount = MTL::Size::Make(count.width, count.height, 0);
  horizontal->rates.resize(count.width);
  vertical->rates.resize(count.height);
}

RasterizationRateMapDescriptor::RasterizationRateMapDescriptor()
    : layers(Retained<RasterizationRateLayerArray>::adopt(new RasterizationRateLayerArray)) {}

foundation::Object* RasterizationRateMapDescriptor::copy() const {
  auto* result = new RasterizationRateMapDescriptor;
  result->screenSize = screenSize;
  result->label = label;
  for (const auto& [index, layer] : layers->layers)
    result->layers->layers[index] = Retained<RasterizationRateLayerDescriptor>::adopt(
        static_cast<RasterizationRateLayerDescriptor*>(layer->copy()));
  return result;
}

base::Result<Retained<RasterizationRateMap>>
RasterizationRateMap::create(Device* device, const RasterizationRateMapDescriptor* d) {
  if (!d) return base::Error{"The rasterization rate map descriptor is null."};
  if (d->screenSize.width == 0 || d->screenSize.height == 0)
    return base::Error{fmt::format("The rasterization rate map is for a screen of {} x {}.",
                                   NS::UInteger(d->screenSize.width), NS::UInteger(d->screenSize.height))};
  const NS::UInteger count = d->layerCount();
  if (count == 0) return base::Error{"The rasterization rate map has no layer."};
  for (NS::UInteger index = 0; index < count; ++index) {
    auto found = d->layers->layers.find(index);
    if (found == d->layers->layers.end())
      return base::Error{
          fmt::format("The rasterization rate map has {} layers, but none at {}.", count, index)};
    auto check = [&](const char* axis, const std::vector<float>& rates) -> base::Result<void> {
      if (rates.empty())
        return base::Error{
            fmt::format("Layer {} of the rasterization rate map has no {} samples.", index, axis)};
      for (size_t i = 0; i < rates.size(); ++i)
        if (rates[i] != 1)
          return base::Error{
              fmt::format("Layer {} of the rasterization rate map has the rate {} at {} sample {}; "
                          "Basanite draws at rate 1 only.",
                          index, rates[i], axis, i)};
      return {};
    };
    BASANITE_TRY_VOID(check("horizontal", found->second->horizontal->rates));
    BASANITE_TRY_VOID(check("vertical", found->second->vertical->rates));
  }
  auto map = Retained<RasterizationRateMap>::adopt(new RasterizationRateMap);
  map->device = Retained<Device>(device);
  map->screenSize = MTL::Size::Make(d->screenSize.width, d->screenSize.height, 0);
  map->layerCount = count;
  map->label = d->label;
  return map;
}

namespace {

void setLayer(RasterizationRateLayerArray& array, const MTL::RasterizationRateLayerDescriptor* layer,
              NS::UInteger index) {
  if (layer)
    array.layers[index] = Retained<RasterizationRateLayerDescriptor>(toImpl(layer));
  else
    array.layers.erase(index);
}

MTL::RasterizationRateLayerDescriptor* layerAt(const RasterizationRateLayerArray& array, NS::UInteger index) {
  auto found = array.layers.find(index);
  return found == array.layers.end() ? nullptr : toPublic(found->second.get());
}

MTL::RasterizationRateMapDescriptor*
makeDescriptor(MTL::Size screenSize, NS::UInteger count,
               const MTL::RasterizationRateLayerDescriptor* const* layers) {
  auto* descriptor = new RasterizationRateMapDescriptor;
  descriptor->screenSize = screenSize;
  for (NS::UInteger i = 0; layers && i < count; ++i) setLayer(*descriptor->layers, layers[i], i);
  descriptor->autorelease();
  return toPublic(descriptor);
}

} // namespace

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::RasterizationRateSampleArray)
NS::Number* MTL::RasterizationRateSampleArray::object(NS::UInteger index) {
  if (!this || index >= toImpl(this)->rates.size()) return nullptr;
  return NS::Number::number(toImpl(this)->rates[index]);
}
void MTL::RasterizationRateSampleArray::setObject(const NS::Number* value, NS::UInteger index) {
  if (!this || !value) return;
  if (index >= toImpl(this)->rates.size())
    return basanite::metal::reportMisuse(
        "RasterizationRateSampleArray::setObject: the index {} is past the {} samples.", index,
        toImpl(this)->rates.size());
  toImpl(this)->rates[index] = value->floatValue();
}

BASANITE_ALLOC_INIT(MTL::RasterizationRateLayerDescriptor)
MTL::RasterizationRateLayerDescriptor* MTL::RasterizationRateLayerDescriptor::init(MTL::Size sampleCount) {
  return init(sampleCount, nullptr, nullptr);
}
MTL::RasterizationRateLayerDescriptor* MTL::RasterizationRateLayerDescriptor::init(MTL::Size sampleCount,
                                                                                   const float* horizontal,
                                                                                   const float* vertical) {
  if (!this) return nullptr;
  auto* self = toImpl(this);
  self->resize(sampleCount);
  self->maxSampleCount = self->sampleCount;
  if (horizontal) std::copy_n(horizontal, self->horizontal->rates.size(), self->horizontal->rates.begin());
  if (vertical) std::copy_n(vertical, self->vertical->rates.size(), self->vertical->rates.begin());
  return this;
}
MTL::RasterizationRateSampleArray* MTL::RasterizationRateLayerDescriptor::horizontal() const {
  return this ? toPublic(toImpl(this)->horizontal.get()) : nullptr;
}
float* MTL::RasterizationRateLayerDescriptor::horizontalSampleStorage() const {
  return this ? toImpl(this)->horizontal->rates.data() : nullptr;
}
BASANITE_VALUE_GETTER(MTL::RasterizationRateLayerDescriptor, MTL::Size, maxSampleCount, maxSampleCount)
BASANITE_VALUE_GETTER(MTL::RasterizationRateLayerDescriptor, MTL::Size, sampleCount, sampleCount)
void MTL::RasterizationRateLayerDescriptor::setSampleCount(MTL::Size sampleCount) {
  if (!this) return;
  const MTL::Size most = toImpl(this)->maxSampleCount;
  if (sampleCount.width > most.width || sampleCount.height > most.height)
    return basanite::metal::reportMisuse(
        "RasterizationRateLayerDescriptor::setSampleCount: {} x {} samples; it was made for {} x {}.",
        NS::UInteger(sampleCount.width), NS::UInteger(sampleCount.height), NS::UInteger(most.width),
        NS::UInteger(most.height));
  toImpl(this)->resize(sampleCount);
}
MTL::RasterizationRateSampleArray* MTL::RasterizationRateLayerDescriptor::vertical() const {
  return this ? toPublic(toImpl(this)->vertical.get()) : nullptr;
}
float* MTL::RasterizationRateLayerDescriptor::verticalSampleStorage() const {
  return this ? toImpl(this)->vertical->rates.data() : nullptr;
}

BASANITE_ALLOC_INIT(MTL::RasterizationRateLayerArray)
MTL::RasterizationRateLayerDescriptor* MTL::RasterizationRateLayerArray::object(NS::UInteger layerIndex) {
  return this ? basanite::metal::layerAt(*toImpl(this), layerIndex) : nullptr;
}
void MTL::RasterizationRateLayerArray::setObject(const MTL::RasterizationRateLayerDescriptor* layer,
                                                 NS::UInteger layerIndex) {
  if (this) basanite::metal::setLayer(*toImpl(this), layer, layerIndex);
}

BASANITE_ALLOC_INIT(MTL::RasterizationRateMapDescriptor)
BASANITE_OBJECT(MTL::RasterizationRateMapDescriptor, NS::String, label, setLabel)
BASANITE_VALUE(MTL::RasterizationRateMapDescriptor, MTL::Size, screenSize, setScreenSize)
MTL::RasterizationRateLayerDescriptor* MTL::RasterizationRateMapDescriptor::layer(NS::UInteger layerIndex) {
  return this ? basanite::metal::layerAt(*toImpl(this)->layers, layerIndex) : nullptr;
}
void MTL::RasterizationRateMapDescriptor::setLayer(const MTL::RasterizationRateLayerDescriptor* layer,
                                                   NS::UInteger layerIndex) {
  if (this) basanite::metal::setLayer(*toImpl(this)->layers, layer, layerIndex);
}
NS::UInteger MTL::RasterizationRateMapDescriptor::layerCount() const {
  return this ? toImpl(this)->layerCount() : 0;
}
MTL::RasterizationRateLayerArray* MTL::RasterizationRateMapDescriptor::layers() const {
  return this ? toPublic(toImpl(this)->layers.get()) : nullptr;
}
MTL::RasterizationRateMapDescriptor*
MTL::RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(MTL::Size screenSize) {
  return basanite::metal::makeDescriptor(screenSize, 0, nullptr);
}
MTL::RasterizationRateMapDescriptor* MTL::RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(
    MTL::Size screenSize, const MTL::RasterizationRateLayerDescriptor* layer) {
  return basanite::metal::makeDescriptor(screenSize, 1, &layer);
}
MTL::RasterizationRateMapDescriptor* MTL::RasterizationRateMapDescriptor::rasterizationRateMapDescriptor(
    MTL::Size screenSize, NS::UInteger layerCount,
    const MTL::RasterizationRateLayerDescriptor* const* layers) {
  return basanite::metal::makeDescriptor(screenSize, layerCount, layers);
}

MTL::Device* MTL::RasterizationRateMap::device() const {
  return this ? toPublic(toImpl(this)->device.get()) : nullptr;
}
BASANITE_OBJECT_GETTER(MTL::RasterizationRateMap, NS::String, label)
BASANITE_VALUE_GETTER(MTL::RasterizationRateMap, NS::UInteger, layerCount, layerCount)
BASANITE_VALUE_GETTER(MTL::RasterizationRateMap, MTL::Size, screenSize, screenSize)
// At rate 1 a pixel of the screen is one of the texture.
MTL::Coordinate2D
MTL::RasterizationRateMap::mapPhysicalToScreenCoordinates(MTL::Coordinate2D physicalCoordinates,
                                                          NS::UInteger layerIndex) {
  return physicalCoordinates;
}
MTL::Coordinate2D
MTL::RasterizationRateMap::mapScreenToPhysicalCoordinates(MTL::Coordinate2D screenCoordinates,
                                                          NS::UInteger layerIndex) {
  return screenCoordinates;
}
MTL::Size MTL::RasterizationRateMap::physicalGranularity() const {
  return this ? MTL::Size::Make(1, 1, 0) : MTL::Size::Make(0, 0, 0);
}
MTL::Size MTL::RasterizationRateMap::physicalSize(NS::UInteger layerIndex) {
  return this && layerIndex < toImpl(this)->layerCount ? toImpl(this)->screenSize : MTL::Size::Make(0, 0, 0);
}
