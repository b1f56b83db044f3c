// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLVertexDescriptor.hpp: where vertex attributes lie in memory.
#pragma once

#include "src/metal/property.hpp"

#include <Metal/MTLVertexDescriptor.hpp>

namespace basanite::metal {

struct VertexAttributeDescriptorFields {
  MTL::VertexFormat format = MTL::VertexFormatInvalid;
  NS::UInteger offset = 0;
  NS::UInteger bufferIndex = 0;
};
class VertexAttributeDescriptor final
    : public PropertyBag<VertexAttributeDescriptor, VertexAttributeDescriptorFields> {
 public:
  const char* className() const override { return "MTLVertexAttributeDescriptor"; }
};

struct VertexBufferLayoutDescriptorFields {
  NS::UInteger stride = 0;
  MTL::VertexStepFunction stepFunction = MTL::VertexStepFunctionPerVertex;
  NS::UInteger stepRate = 1;
};
class VertexBufferLayoutDescriptor final
    : public PropertyBag<VertexBufferLayoutDescriptor, VertexBufferLayoutDescriptorFields> {
 public:
  const char* className() const override { return "MTLVertexBufferLayoutDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::VertexAttributeDescriptor, basanite::metal::VertexAttributeDescriptor)
BASANITE_BRIDGE(MTL::VertexBufferLayoutDescriptor, basanite::metal::VertexBufferLayoutDescriptor)

namespace basanite::metal {

constexpr size_t kMaxVertexAttributes = 31;
constexpr size_t kMaxVertexBuffers = 31;

class VertexAttributeDescriptorArray final
    : public DescriptorArray<VertexAttributeDescriptorArray, VertexAttributeDescriptor,
                             kMaxVertexAttributes> {
 public:
  const char* className() const override { return "MTLVertexAttributeDescriptorArray"; }
};
class VertexBufferLayoutDescriptorArray final
    : public DescriptorArray<VertexBufferLayoutDescriptorArray, VertexBufferLayoutDescriptor,
                             kMaxVertexBuffers> {
 public:
  const char* className() const override { return "MTLVertexBufferLayoutDescriptorArray"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::VertexAttributeDescriptorArray, basanite::metal::VertexAttributeDescriptorArray)
BASANITE_BRIDGE(MTL::VertexBufferLayoutDescriptorArray, basanite::metal::VertexBufferLayoutDescriptorArray)

namespace basanite::metal {

struct VertexDescriptorFields {
  Made<VertexAttributeDescriptorArray> attributes;
  Made<VertexBufferLayoutDescriptorArray> layouts;
};
class VertexDescriptor final : public PropertyBag<VertexDescriptor, VertexDescriptorFields> {
 public:
  const char* className() const override { return "MTLVertexDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::VertexDescriptor, basanite::metal::VertexDescriptor)
