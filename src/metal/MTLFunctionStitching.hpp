// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLFunctionStitching.hpp: graphs of calls, of which libraries are made.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSString.hpp>
#include <Metal/MTLFunctionStitching.hpp>
#include <memory>
#include <vector>

namespace basanite::metal {

class FunctionStitchingAttribute : public foundation::Object {
 public:
  const char* className() const override { return "MTLFunctionStitchingAttribute"; }
};
// Calls are always inlined when a pipeline is made.
class FunctionStitchingAlwaysInline final : public FunctionStitchingAttribute {
 public:
  const char* className() const override { return "MTLFunctionStitchingAttributeAlwaysInline"; }
};

struct FunctionStitchingNodeFields {};
class FunctionStitchingNode : public PropertyBag<FunctionStitchingNode, FunctionStitchingNodeFields> {
 public:
  const char* className() const override { return "MTLFunctionStitchingNode"; }
};

// Nodes are told apart by who they are, so lists and graphs share them.
struct FunctionStitchingInputNodeFields {
  NS::UInteger argumentIndex = 0;
};
class FunctionStitchingInputNode final
    : public PropertyBag<FunctionStitchingInputNode, FunctionStitchingInputNodeFields,
                         FunctionStitchingNode> {
 public:
  const char* className() const override { return "MTLFunctionStitchingInputNode"; }
};

struct FunctionStitchingFunctionNodeFields {
  Copied<NS::String> name;
  Copied<NS::Array> arguments;           // of MTL::FunctionStitchingNode
  Copied<NS::Array> controlDependencies; // of MTL::FunctionStitchingFunctionNode
};
class FunctionStitchingFunctionNode final
    : public PropertyBag<FunctionStitchingFunctionNode, FunctionStitchingFunctionNodeFields,
                         FunctionStitchingNode> {
 public:
  const char* className() const override { return "MTLFunctionStitchingFunctionNode"; }
};

struct FunctionStitchingGraphFields {
  Copied<NS::String> functionName;
  Copied<NS::Array> nodes;                               // of MTL::FunctionStitchingFunctionNode
  Strong<MTL::FunctionStitchingFunctionNode> outputNode; // null: the function returns nothing
  Copied<NS::Array> attributes;
};
class FunctionStitchingGraph final
    : public PropertyBag<FunctionStitchingGraph, FunctionStitchingGraphFields> {
 public:
  const char* className() const override { return "MTLFunctionStitchingGraph"; }
};

struct StitchedLibraryDescriptorFields {
  Copied<NS::Array> functionGraphs; // of MTL::FunctionStitchingGraph
  Copied<NS::Array> functions;      // of MTL::Function
  MTL::StitchedLibraryOptions options = MTL::StitchedLibraryOptionNone;
};
class StitchedLibraryDescriptor final
    : public PropertyBag<StitchedLibraryDescriptor, StitchedLibraryDescriptorFields> {
 public:
  const char* className() const override { return "MTLStitchedLibraryDescriptor"; }
};

// A library with a visible function for each graph; its nodes name functions of the list. Error: what is
// missing, what does not fit, with graph and node.
base::Result<std::shared_ptr<const LibraryCode>>
stitch(const std::vector<const FunctionStitchingGraph*>& graphs, const std::vector<FoundFunction>& functions);
// A null descriptor is an error.
base::Result<foundation::Retained<Library>> makeStitchedLibrary(Device* device,
                                                                const StitchedLibraryDescriptor* descriptor);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::FunctionStitchingAttribute, basanite::metal::FunctionStitchingAttribute)
BASANITE_BRIDGE(MTL::FunctionStitchingAttributeAlwaysInline, basanite::metal::FunctionStitchingAlwaysInline)
BASANITE_BRIDGE(MTL::FunctionStitchingNode, basanite::metal::FunctionStitchingNode)
BASANITE_BRIDGE(MTL::FunctionStitchingInputNode, basanite::metal::FunctionStitchingInputNode)
BASANITE_BRIDGE(MTL::FunctionStitchingFunctionNode, basanite::metal::FunctionStitchingFunctionNode)
BASANITE_BRIDGE(MTL::FunctionStitchingGraph, basanite::metal::FunctionStitchingGraph)
BASANITE_BRIDGE(MTL::StitchedLibraryDescriptor, basanite::metal::StitchedLibraryDescriptor)
