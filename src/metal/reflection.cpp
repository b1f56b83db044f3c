// SPDX-License-Identifier: Apache-2.0
// MTL::RenderPipelineReflection, ComputePipelineReflection and FunctionReflection.
#include "src/metal/reflection.hpp"

#include "src/metal/property.hpp"

#include <fmt/format.h>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

using Bindings = std::vector<foundation::Retained<Binding>>;

void fill(StageReflection& stage, const Bindings& bindings) {
  std::vector<foundation::Object*> newer, older;
  std::vector<foundation::Retained<Argument>> arguments;
  for (const auto& binding : bindings) {
    newer.push_back(binding.get());
    arguments.push_back(foundation::Retained<Argument>::adopt(new Argument(binding)));
    older.push_back(arguments.back().get());
  }
  stage.bindingArray =
      foundation::Retained<foundation::Object>::adopt(objectOf(foundation::makeArray(newer)));
  stage.argumentArray =
      foundation::Retained<foundation::Object>::adopt(objectOf(foundation::makeArray(older)));
}

Bindings bindingsOf(const std::vector<shader::ArgumentReflection>& arguments, bool types) {
  Bindings bindings;
  for (const shader::ArgumentReflection& argument : arguments)
    bindings.push_back(Binding::make(argument, types));
  return bindings;
}

} // namespace

StageReflection::StageReflection(const std::vector<shader::ArgumentReflection>& arguments, bool types) {
  fill(*this, bindingsOf(arguments, types));
}

StageReflection::StageReflection(const shader::StageBinary* stage, bool types) {
  Bindings bindings;
  if (stage) bindings = bindingsOf(stage->arguments, types);
  // Buffers of the vertex descriptor have no argument, and no name but the one that tools know them by.
  for (const shader::Binding& binding : stage ? stage->bindings : std::vector<shader::Binding>()) {
    if (binding.kind != shader::BindingKind::buffer || !binding.name.empty() ||
        stage->stage != shader::Stage::vertex)
      continue;
    shader::ArgumentReflection buffer;
    buffer.name = fmt::format("vertexBuffer.{}", binding.index);
    buffer.index = binding.index;
    bindings.push_back(Binding::make(buffer, false));
    bindings.back()->isArgument = false;
  }
  fill(*this, bindings);
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::RenderPipelineReflection)
NS::Array* MTL::RenderPipelineReflection::fragmentArguments() const {
  return this ? toImpl(this)->fragment.arguments() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::fragmentBindings() const {
  return this ? toImpl(this)->fragment.bindings() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::meshBindings() const {
  return this ? toImpl(this)->mesh.bindings() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::objectBindings() const {
  return this ? toImpl(this)->object.bindings() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::tileArguments() const {
  return this ? toImpl(this)->tile.arguments() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::tileBindings() const {
  return this ? toImpl(this)->tile.bindings() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::vertexArguments() const {
  return this ? toImpl(this)->vertex.arguments() : nullptr;
}
NS::Array* MTL::RenderPipelineReflection::vertexBindings() const {
  return this ? toImpl(this)->vertex.bindings() : nullptr;
}

BASANITE_ALLOC_INIT(MTL::ComputePipelineReflection)
NS::Array* MTL::ComputePipelineReflection::arguments() const {
  return this ? toImpl(this)->kernel.arguments() : nullptr;
}
NS::Array* MTL::ComputePipelineReflection::bindings() const {
  return this ? toImpl(this)->kernel.bindings() : nullptr;
}

BASANITE_ALLOC_INIT(MTL::FunctionReflection)
NS::Array* MTL::FunctionReflection::bindings() const {
  return this ? toImpl(this)->function.bindings() : nullptr;
}
