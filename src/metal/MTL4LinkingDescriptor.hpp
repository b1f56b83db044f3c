// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4LinkingDescriptor.hpp: what the stages of a pipeline are linked with.
#pragma once

#include "src/metal/property.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSDictionary.hpp>
#include <Metal/MTL4LinkingDescriptor.hpp>

namespace basanite::metal {

struct StaticLinkingDescriptorFields {
  Copied<NS::Array> functionDescriptors, privateFunctionDescriptors; // of MTL4::FunctionDescriptor
  Copied<NS::Dictionary> groups; // NS::String to NS::Array of MTL4::FunctionDescriptor
};
class StaticLinkingDescriptor final
    : public PropertyBag<StaticLinkingDescriptor, StaticLinkingDescriptorFields> {
 public:
  const char* className() const override { return "MTL4StaticLinkingDescriptor"; }
};

struct StageDynamicLinkingDescriptorFields {
  Copied<NS::Array> binaryLinkedFunctions; // of MTL4::BinaryFunction
  Copied<NS::Array> preloadedLibraries;    // of MTL::DynamicLibrary
  NS::UInteger maxCallStackDepth = 1;      // nothing here has a stack: calls become part of the stage
};
class StageDynamicLinkingDescriptor final
    : public PropertyBag<StageDynamicLinkingDescriptor, StageDynamicLinkingDescriptorFields> {
 public:
  const char* className() const override { return "MTL4PipelineStageDynamicLinkingDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::StaticLinkingDescriptor, basanite::metal::StaticLinkingDescriptor)
BASANITE_BRIDGE(MTL4::PipelineStageDynamicLinkingDescriptor, basanite::metal::StageDynamicLinkingDescriptor)

namespace basanite::metal {

struct RenderDynamicLinkingDescriptorFields {
  Made<StageDynamicLinkingDescriptor> vertexLinkingDescriptor, fragmentLinkingDescriptor,
      tileLinkingDescriptor, objectLinkingDescriptor, meshLinkingDescriptor;
};
class RenderDynamicLinkingDescriptor final
    : public PropertyBag<RenderDynamicLinkingDescriptor, RenderDynamicLinkingDescriptorFields> {
 public:
  const char* className() const override { return "MTL4RenderPipelineDynamicLinkingDescriptor"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::RenderPipelineDynamicLinkingDescriptor, basanite::metal::RenderDynamicLinkingDescriptor)
