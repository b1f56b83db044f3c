// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLLibrary.hpp: compile options, libraries and their functions.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/shader/compiler.hpp"

#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSString.hpp>
#include <Metal/MTLLibrary.hpp>
#include <memory>
#include <string>

namespace basanite::metal {

struct CompileOptionsFields {
  Copied<NS::Dictionary> preprocessorMacros; // NS::String to NS::String or NS::Number
  MTL::MathMode mathMode = MTL::MathModeFast;
  MTL::LanguageVersion languageVersion = MTL::LanguageVersion4_0;
  MTL::LibraryOptimizationLevel optimizationLevel = MTL::LibraryOptimizationLevelDefault;
  bool preserveInvariance = false;
};
class CompileOptions final : public PropertyBag<CompileOptions, CompileOptionsFields> {
 public:
  const char* className() const override { return "MTLCompileOptions"; }
};

// A compiled program. Immutable but for its label; any thread.
class Library final : public foundation::Object {
 public:
  // `options` may be null. Error: the compiler's diagnostics.
  static base::Result<foundation::Retained<Library>>
  compile(Device* device, std::string_view source, const CompileOptions* options, std::string_view name);

  Library(Device* owner, std::shared_ptr<const shader::Program> compiled);
  const char* className() const override { return "MTLLibrary"; }

  // Null when there is none of that name.
  const shader::FunctionInfo* find(std::string_view functionName) const;

  foundation::Retained<Device> device;
  std::shared_ptr<const shader::Program> program;
  Copied<NS::String> label;
};

class Function final : public foundation::Object {
 public:
  Function(Library* owner, const shader::FunctionInfo& functionInfo) : library(owner), info(functionInfo) {}
  const char* className() const override { return "MTLFunction"; }

  foundation::Retained<Library> library;
  shader::FunctionInfo info;
  Copied<NS::String> label;
};

class VertexAttribute final : public foundation::Object {
 public:
  const char* className() const override { return "MTLVertexAttribute"; }
  shader::VertexAttributeInfo info;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::CompileOptions, basanite::metal::CompileOptions)
BASANITE_BRIDGE(MTL::Library, basanite::metal::Library)
BASANITE_BRIDGE(MTL::Function, basanite::metal::Function)
BASANITE_BRIDGE(MTL::VertexAttribute, basanite::metal::VertexAttribute)
