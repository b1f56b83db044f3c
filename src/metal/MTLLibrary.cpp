// SPDX-License-Identifier: Apache-2.0
// MTL::CompileOptions, Library, Function and VertexAttribute.
#include "src/metal/MTLLibrary.hpp"

#include "src/base/log.hpp"
#include "src/base/stopwatch.hpp"
#include "src/foundation/collections.hpp"
#include "src/metal/background.hpp"
#include "src/metal/error.hpp"
#include "src/metal/function_lookup.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSEnumerator.hpp>
#include <Foundation/NSNumber.hpp>
#include <algorithm>
#include <vector>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::metal::autoreleasedArray;

namespace basanite::metal {

namespace {

using Macros = std::vector<std::pair<std::string, std::string>>;

// Values may be strings or numbers; description() is the text of either.
Macros macrosOf(const NS::Dictionary* dictionary) {
  Macros macros;
  if (!dictionary) return macros;
  NS::Enumerator<NS::String>* keys = dictionary->keyEnumerator<NS::String>();
  while (NS::String* key = keys->nextObject()) {
    auto* value = dictionary->object<NS::Object>(key);
    macros.emplace_back(std::string(textOf(key)), objectOf(value)->description());
  }
  return macros;
}

shader::SourceOptions sourceOptions(const CompileOptions* options, std::string_view name) {
  shader::SourceOptions result;
  if (!name.empty()) result.name = name;
  if (!options) return result;
  result.macros = macrosOf(options->preprocessorMacros.get());
  result.fastMath = options->mathMode != MTL::MathModeSafe;
  result.languageVersion = static_cast<uint32_t>(options->languageVersion);
  if (options->optimizationLevel == MTL::LibraryOptimizationLevelSize) result.optimizationLevel = 1;
  return result;
}

} // namespace

Library::Library(Device* owner, std::shared_ptr<const shader::Program> compiled)
    : device(owner), program(std::move(compiled)) {}

base::Result<foundation::Retained<Library>> Library::compile(Device* device, std::string_view source,
                                                             const CompileOptions* options,
                                                             std::string_view name) {
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  const base::Stopwatch watch;
  BASANITE_TRY(shader::Program program, compiler->compileSource(source, sourceOptions(options, name)));
  base::logInfo("The library \"{}\" of {} function{} was compiled in {:.1f} ms.",
                name.empty() ? "(unnamed)" : name, program.functions.size(),
                program.functions.size() == 1 ? "" : "s", watch.elapsedMs());
  if (!program.warnings.empty()) base::logInfo("{}", program.warnings);
  return foundation::Retained<Library>::adopt(
      new Library(device, std::make_shared<const shader::Program>(std::move(program))));
}

const shader::FunctionInfo* Library::find(std::string_view functionName) const {
  auto found = std::find_if(program->functions.begin(), program->functions.end(),
                            [&](const shader::FunctionInfo& info) { return info.name == functionName; });
  return found == program->functions.end() ? nullptr : &*found;
}

base::Result<foundation::Retained<Function>> Library::specialize(std::string_view name,
                                                                 const FunctionConstantValues* values) {
  BASANITE_TRY(FoundFunction found, findFunction(*this, name));
  if (values) found.constants = values->values;
  BASANITE_TRY(auto constants, functionConstantsOf(found));
  for (const shader::FunctionConstantInfo& constant : constants) {
    bool given = std::any_of(found.constants.begin(), found.constants.end(),
                             [&](const shader::FunctionConstantValue& v) {
                               return v.name.empty() ? v.index == constant.index : v.name == constant.name;
                             });
    if (!given && constant.required)
      return base::Error{fmt::format("The function \"{}\" needs a value for its function constant \"{}\" "
                                     "([[function_constant({})]]).",
                                     name, constant.name, constant.index)};
  }
  auto function = foundation::Retained<Function>::adopt(new Function(this, found.info));
  function->constants = std::move(found.constants);
  return function;
}

base::Result<foundation::Retained<Function>> Library::specialize(const FunctionDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The function descriptor is null."};
  if (!descriptor->name.get()) return base::Error{"The function descriptor names no function."};
  const MTL::FunctionConstantValues* values = descriptor->constantValues.get();
  BASANITE_TRY(auto function, specialize(textOf(descriptor->name.get()), values ? toImpl(values) : nullptr));
  function->specializedName = textOf(descriptor->specializedName.get());
  return function;
}

namespace {

// The +1 object, or null and the error.
MTL::Function* orError(base::Result<foundation::Retained<Function>> result, NS::Error** error) {
  if (error) *error = nullptr;
  if (result) return toPublic((*result).detach());
  setError(error, kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorFunctionNotFound),
           result.error());
  return nullptr;
}

} // namespace

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::CompileOptions)
// The older switch over the same state as mathMode.
bool MTL::CompileOptions::fastMathEnabled() const {
  if (!this) return {};
  return toImpl(this)->mathMode == MTL::MathModeFast;
}
void MTL::CompileOptions::setFastMathEnabled(bool fastMathEnabled) {
  if (!this) return;
  toImpl(this)->mathMode = fastMathEnabled ? MTL::MathModeFast : MTL::MathModeSafe;
}
BASANITE_VALUE(MTL::CompileOptions, MTL::LanguageVersion, languageVersion, setLanguageVersion)
BASANITE_VALUE(MTL::CompileOptions, MTL::MathMode, mathMode, setMathMode)
BASANITE_VALUE(MTL::CompileOptions, MTL::LibraryOptimizationLevel, optimizationLevel, setOptimizationLevel)
BASANITE_OBJECT(MTL::CompileOptions, NS::Dictionary, preprocessorMacros, setPreprocessorMacros)
BASANITE_VALUE(MTL::CompileOptions, bool, preserveInvariance, setPreserveInvariance)

MTL::Device* MTL::Library::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
NS::Array* MTL::Library::functionNames() const {
  if (!this) return {};
  std::vector<NS::String*> names;
  for (const auto& info : toImpl(this)->program->functions)
    names.push_back(basanite::foundation::makeAutoreleasedString(info.name));
  for (const auto& function : toImpl(this)->program->unusable)
    names.push_back(basanite::foundation::makeAutoreleasedString(function.name));
  return autoreleasedArray(names);
}
BASANITE_OBJECT(MTL::Library, NS::String, label, setLabel)
MTL::Function* MTL::Library::newFunction(const NS::String* functionName) {
  if (!this) return {};
  const auto* info = toImpl(this)->find(textOf(functionName));
  return info ? toPublic(new basanite::metal::Function(toImpl(this), *info)) : nullptr;
}
MTL::Function* MTL::Library::newFunction(const MTL::FunctionDescriptor* descriptor, NS::Error** error) {
  if (!this) return {};
  return basanite::metal::orError(toImpl(this)->specialize(descriptor ? toImpl(descriptor) : nullptr), error);
}
void MTL::Library::newFunction(const MTL::FunctionDescriptor* pDescriptor,
                               const MTL::FunctionCompletionHandlerFunction& completionHandler) {
  if (!this) return;
  basanite::foundation::Retained<basanite::metal::Library> library(toImpl(this));
  basanite::metal::Copied<MTL::FunctionDescriptor> descriptor;
  descriptor.set(pDescriptor);
  basanite::metal::runInBackground([library, descriptor, completionHandler] {
    NS::Error* error = nullptr;
    auto* function = toPublic(library.get())->newFunction(descriptor.get(), &error);
    if (completionHandler) completionHandler(function, error);
    if (function) basanite::metal::objectOf(function)->release();
  });
}
MTL::Function* MTL::Library::newFunction(const NS::String* name,
                                         const MTL::FunctionConstantValues* constantValues,
                                         NS::Error** error) {
  if (!this) return {};
  return basanite::metal::orError(
      toImpl(this)->specialize(textOf(name), constantValues ? toImpl(constantValues) : nullptr), error);
}
void MTL::Library::newFunction(const NS::String* pFunctionName,
                               const MTL::FunctionConstantValues* pConstantValues,
                               const MTL::FunctionCompletionHandlerFunction& completionHandler) {
  if (!this) return;
  auto* descriptor = new basanite::metal::FunctionDescriptor;
  descriptor->name.set(pFunctionName);
  descriptor->constantValues.set(pConstantValues);
  newFunction(toPublic(descriptor), completionHandler);
  descriptor->release();
}
MTL::LibraryType MTL::Library::type() const { return MTL::LibraryTypeExecutable; }

MTL::Device* MTL::Function::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->library->device.get());
}
MTL::FunctionType MTL::Function::functionType() const {
  if (!this) return {};
  switch (toImpl(this)->info.stage) {
  case basanite::shader::Stage::vertex:
    return MTL::FunctionTypeVertex;
  case basanite::shader::Stage::fragment:
    return MTL::FunctionTypeFragment;
  case basanite::shader::Stage::kernel:
    return MTL::FunctionTypeKernel;
  case basanite::shader::Stage::object:
    return MTL::FunctionTypeObject;
  case basanite::shader::Stage::mesh:
    return MTL::FunctionTypeMesh;
  }
  return MTL::FunctionTypeKernel;
}
NS::Dictionary* MTL::Function::functionConstantsDictionary() const {
  if (!this) return {};
  auto* self = toImpl(this);
  auto* dictionary = new basanite::foundation::Dictionary;
  auto found = basanite::metal::findFunction(*self->library, self->info.name);
  if (!found) return basanite::foundation::toPublicAutoreleased(dictionary);
  auto constants = basanite::metal::functionConstantsOf(*found);
  if (!constants)
    basanite::base::logError("Function::functionConstantsDictionary: {}", constants.error().message);
  using Object = basanite::foundation::Object;
  for (const auto& info : constants ? *constants : std::vector<basanite::shader::FunctionConstantInfo>{}) {
    auto* constant = new basanite::metal::FunctionConstant;
    constant->info = info;
    dictionary->entries.emplace(basanite::foundation::Retained<Object>::adopt(
                                    basanite::metal::objectOf(basanite::foundation::makeString(info.name))),
                                basanite::foundation::Retained<Object>::adopt(constant));
  }
  return basanite::foundation::toPublicAutoreleased(dictionary);
}
BASANITE_OBJECT(MTL::Function, NS::String, label, setLabel)
NS::String* MTL::Function::name() const {
  if (!this) return {};
  auto* self = toImpl(this);
  return basanite::foundation::makeAutoreleasedString(self->specializedName.empty() ? self->info.name
                                                                                    : self->specializedName);
}
MTL::FunctionOptions MTL::Function::options() const { return MTL::FunctionOptionNone; }
MTL::PatchType MTL::Function::patchType() const { return MTL::PatchTypeNone; }
NS::Integer MTL::Function::patchControlPointCount() const { return -1; }
NS::Array* MTL::Function::vertexAttributes() const {
  if (!this) return {};
  std::vector<MTL::VertexAttribute*> attributes;
  for (const auto& info : toImpl(this)->info.vertexAttributes) {
    auto* attribute = new basanite::metal::VertexAttribute;
    attribute->info = info;
    attributes.push_back(basanite::foundation::toPublicAutoreleased(attribute));
  }
  return autoreleasedArray(attributes);
}

BASANITE_ALLOC_INIT(MTL::FunctionConstant)
NS::UInteger MTL::FunctionConstant::index() const { return this ? toImpl(this)->info.index : 0; }
NS::String* MTL::FunctionConstant::name() const {
  if (!this) return {};
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->info.name);
}
bool MTL::FunctionConstant::required() const { return this && toImpl(this)->info.required; }
MTL::DataType MTL::FunctionConstant::type() const {
  if (!this) return {};
  return static_cast<MTL::DataType>(toImpl(this)->info.type);
}

BASANITE_ALLOC_INIT(MTL::VertexAttribute)
NS::UInteger MTL::VertexAttribute::attributeIndex() const {
  if (!this) return {};
  return toImpl(this)->info.index;
}
MTL::DataType MTL::VertexAttribute::attributeType() const {
  if (!this) return {};
  return static_cast<MTL::DataType>(toImpl(this)->info.type);
}
bool MTL::VertexAttribute::isActive() const { return true; }
bool MTL::VertexAttribute::isPatchControlPointData() const { return false; }
bool MTL::VertexAttribute::isPatchData() const { return false; }
NS::String* MTL::VertexAttribute::name() const {
  if (!this) return {};
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->info.name);
}
