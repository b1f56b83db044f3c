// SPDX-License-Identifier: Apache-2.0
// The reflection objects of pipelines and functions.
#pragma once

#include "src/foundation/object.hpp"
#include "src/metal/MTLArgument.hpp"
#include "src/shader/compiler.hpp"

#include <Metal/MTL4PipelineState.hpp>
#include <Metal/MTLComputePipeline.hpp>
#include <Metal/MTLLibrary.hpp>
#include <Metal/MTLRenderPipeline.hpp>
#include <vector>

namespace basanite::metal {

// One stage's arguments, as bindings and in the older form. Immutable; any thread.
struct StageReflection {
  StageReflection() : StageReflection(nullptr, false) {}
  // A null stage has none.
  StageReflection(const shader::StageBinary* stage, bool types);
  StageReflection(const std::vector<shader::ArgumentReflection>& arguments, bool types);

  NS::Array* bindings() const { return reinterpret_cast<NS::Array*>(bindingArray.get()); }
  NS::Array* arguments() const { return reinterpret_cast<NS::Array*>(argumentArray.get()); }

  foundation::Retained<foundation::Object> bindingArray, argumentArray; // NSArrays
};

class RenderPipelineReflection final : public foundation::Object {
 public:
  const char* className() const override { return "MTLRenderPipelineReflection"; }
  StageReflection vertex, object, mesh, fragment, tile;
};

class ComputePipelineReflection final : public foundation::Object {
 public:
  const char* className() const override { return "MTLComputePipelineReflection"; }
  StageReflection kernel;
};

class FunctionReflection final : public foundation::Object {
 public:
  const char* className() const override { return "MTLFunctionReflection"; }
  StageReflection function;
};

// Whether a pipeline with these options is to tell of its bindings, and of what its buffers hold.
inline bool wantsBindings(MTL4::ShaderReflection reflection) {
  return reflection != MTL4::ShaderReflectionNone;
}
inline bool wantsTypes(MTL4::ShaderReflection reflection) {
  return reflection & MTL4::ShaderReflectionBufferTypeInfo;
}

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::RenderPipelineReflection, basanite::metal::RenderPipelineReflection)
BASANITE_BRIDGE(MTL::ComputePipelineReflection, basanite::metal::ComputePipelineReflection)
BASANITE_BRIDGE(MTL::FunctionReflection, basanite::metal::FunctionReflection)
