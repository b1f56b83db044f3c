// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLLibrary.hpp: compile options, libraries and their functions.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/MTLFunctionConstantValues.hpp"
#include "src/metal/MTLFunctionDescriptor.hpp"
#include "src/metal/library_code.hpp"
#include "src/metal/property.hpp"
#include "src/metal/reflection.hpp"
#include "src/shader/compiler.hpp"

#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSString.hpp>
#include <Metal/MTLLibrary.hpp>
#include <memory>
#include <string>
#include <vector>

namespace basanite::metal {

struct CompileOptionsFields {
  Copied<NS::Dictionary> preprocessorMacros; // NS::String to NS::String or NS::Number
  MTL::MathMode mathMode = MTL::MathModeFast;
  MTL::MathFloatingPointFunctions mathFloatingPointFunctions = MTL::MathFloatingPointFunctionsFast;
  NS::UInteger maxTotalThreadsPerThreadgroup =
      0; // of kernels that do not say themselves; 0: no limit of their own
  MTL::LanguageVersion languageVersion = MTL::LanguageVersion4_0;
  MTL::LibraryOptimizationLevel optimizationLevel = MTL::LibraryOptimizationLevelDefault;
  bool preserveInvariance = false;
  bool allowReferencingUndefinedSymbols = false;
  MTL::CompileSymbolVisibility compileSymbolVisibility = MTL::CompileSymbolVisibilityDefault;
  MTL::LibraryType libraryType = MTL::LibraryTypeExecutable;
  Copied<NS::String> installName; // of a dynamic library
  Copied<NS::Array> libraries;    // of MTL::DynamicLibrary
  // Anything but these values is refused when a library is made.
  bool enableLogging = false;
  MTL::FloatingPointConversionRoundingMode floatingPointConversionRoundingMode =
      MTL::FloatingPointConversionRoundingModeToNearestEven;
  MTL::Size requiredThreadsPerThreadgroup = MTL::Size::Make(0, 0, 0);
};
class CompileOptions final : public PropertyBag<CompileOptions, CompileOptionsFields> {
 public:
  const char* className() const override { return "MTLCompileOptions"; }
};

class Function;

// A compiled program. Immutable but for its label; any thread.
class Library final : public foundation::Object {
 public:
  // `options` may be null. Where an open archive knows the source, it is compiled later, if ever. Error: the
  // compiler's diagnostics; an option without a meaning.
  static base::Result<foundation::Retained<Library>>
  compile(Device* device, std::string_view source, const CompileOptions* options, std::string_view name);

  Library(Device* owner, std::shared_ptr<const LibraryCode> libraryCode);
  const char* className() const override { return "MTLLibrary"; }

  // A function with values for its function constants (may be null). Error: no such function, with the names
  // that exist; a constant without a value, or with one of another type.
  base::Result<foundation::Retained<Function>> specialize(std::string_view name,
                                                          const FunctionConstantValues* values);
  // Also takes what a descriptor says; `descriptor` may be null, which is an error.
  base::Result<foundation::Retained<Function>> specialize(const FunctionDescriptor* descriptor);

  // What the function's arguments are. Error: no such function; what the compiler says.
  base::Result<foundation::Retained<FunctionReflection>> reflect(std::string_view name) const;

  // Null when there is none of that name.
  const shader::FunctionInfo* find(std::string_view functionName) const;

  foundation::Retained<Device> device;
  std::shared_ptr<const LibraryCode> code;
  Copied<NS::String> label;
  MTL::LibraryType type = MTL::LibraryTypeExecutable;
  std::string installName; // of one that a dynamic library can be made of
};

// Sets the error that a library with warnings comes with (code LibraryErrorCompileWarning); without warnings
// nothing happens.
void setWarnings(NS::Error** error, const Library& library);

class Function final : public foundation::Object {
 public:
  Function(Library* owner, const shader::FunctionInfo& functionInfo) : library(owner), info(functionInfo) {}
  const char* className() const override { return "MTLFunction"; }

  foundation::Retained<Library> library;
  shader::FunctionInfo info;
  std::vector<shader::FunctionConstantValue> constants;
  std::string specializedName; // "": the library's name for it
  Copied<NS::String> label;
};

class FunctionConstant final : public foundation::Object {
 public:
  const char* className() const override { return "MTLFunctionConstant"; }
  shader::FunctionConstantInfo info;
};

class Attribute final : public foundation::Object {
 public:
  const char* className() const override { return "MTLAttribute"; }
  shader::VertexAttributeInfo info;
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
BASANITE_BRIDGE(MTL::FunctionConstant, basanite::metal::FunctionConstant)
BASANITE_BRIDGE(MTL::Attribute, basanite::metal::Attribute)
BASANITE_BRIDGE(MTL::VertexAttribute, basanite::metal::VertexAttribute)
