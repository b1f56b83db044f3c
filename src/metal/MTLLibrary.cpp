// SPDX-License-Identifier: Apache-2.0
// MTL::CompileOptions, Library, Function and VertexAttribute.
#include "src/metal/MTLLibrary.hpp"

#include "src/base/log.hpp"
#include "src/base/stopwatch.hpp"
#include "src/foundation/collections.hpp"
#include "src/metal/MTLDynamicLibrary.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/background.hpp"
#include "src/metal/digest.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/error.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/trace/zone.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSEnumerator.hpp>
#include <Foundation/NSNumber.hpp>
#include <algorithm>
#include <limits>
#include <map>
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

base::Result<void> checkLanguageVersion(MTL::LanguageVersion version) {
  // The last minor version of each major one.
  constexpr MTL::LanguageVersion kLast[] = {MTL::LanguageVersion1_2, MTL::LanguageVersion2_4,
                                            MTL::LanguageVersion3_2, MTL::LanguageVersion4_1};
  for (MTL::LanguageVersion last : kLast)
    if (version <= last && version >> 16 == last >> 16) return {};
  return base::Error{
      fmt::format("languageVersion is {}.{} ({:#x}), which is no LanguageVersion (1.0 to 4.1).",
                  static_cast<uint64_t>(version) >> 16, static_cast<uint64_t>(version) & 0xffff,
                  static_cast<uint64_t>(version))};
}

// Error: an option that would have to change the library, and cannot.
base::Result<void> checkSupported(const CompileOptions& options) {
  BASANITE_TRY_VOID(checkEnum("libraryType", options.libraryType));
  BASANITE_TRY_VOID(checkEnum("compileSymbolVisibility", options.compileSymbolVisibility));
  BASANITE_TRY_VOID(
      checkEnum("floatingPointConversionRoundingMode", options.floatingPointConversionRoundingMode));
  const MTL::Size& threads = options.requiredThreadsPerThreadgroup;
  const bool dynamic = options.libraryType == MTL::LibraryTypeDynamic;
  if (dynamic && textOf(options.installName.get()).empty())
    return base::Error{
        "The compile options ask for the libraryType Dynamic, but their installName is empty."};
  const std::pair<bool, const char*> unsupported[] = {
      {dynamic && options.compileSymbolVisibility == MTL::CompileSymbolVisibilityHidden,
       "a dynamic library with the compileSymbolVisibility Hidden"},
      {options.enableLogging, "enableLogging"},
      {options.floatingPointConversionRoundingMode == MTL::FloatingPointConversionRoundingModeTowardZero,
       "the floatingPointConversionRoundingMode TowardZero"},
      {threads.width != 0 || threads.height != 0 || threads.depth != 0, "requiredThreadsPerThreadgroup"}};
  for (const auto& [asked, what] : unsupported)
    if (asked)
      return base::Error{fmt::format("The compile options ask for {}, which is not supported yet.", what),
                         static_cast<int>(MTL::LibraryErrorUnsupported)};
  return {};
}

base::Result<shader::SourceOptions> sourceOptions(const CompileOptions* options, std::string_view name) {
  shader::SourceOptions result;
  if (!name.empty()) result.name = name;
  if (!options) return result;
  BASANITE_TRY_VOID(checkLanguageVersion(options->languageVersion));
  BASANITE_TRY_VOID(checkEnum("mathMode", options->mathMode));
  BASANITE_TRY_VOID(checkEnum("mathFloatingPointFunctions", options->mathFloatingPointFunctions));
  BASANITE_TRY_VOID(checkEnum("optimizationLevel", options->optimizationLevel));
  BASANITE_TRY_VOID(checkSupported(*options));
  constexpr NS::UInteger kMostThreads = std::numeric_limits<uint32_t>::max();
  NS::UInteger threads = options->maxTotalThreadsPerThreadgroup;
  if (threads > kMostThreads)
    return base::Error{fmt::format("maxTotalThreadsPerThreadgroup is {}, above {}.", threads, kMostThreads)};
  result.macros = macrosOf(options->preprocessorMacros.get());
  result.mathMode = static_cast<shader::MathMode>(options->mathMode);
  result.fastFunctions = options->mathFloatingPointFunctions == MTL::MathFloatingPointFunctionsFast;
  result.preserveInvariance = options->preserveInvariance;
  result.maxTotalThreadsPerThreadgroup = static_cast<uint32_t>(threads);
  result.languageVersion = static_cast<uint32_t>(options->languageVersion);
  if (options->optimizationLevel == MTL::LibraryOptimizationLevelSize) result.optimizationLevel = 1;
  result.dynamicLibrary = options->libraryType == MTL::LibraryTypeDynamic;
  result.anySymbols = options->allowReferencingUndefinedSymbols;
  return result;
}

using Libraries = std::vector<std::shared_ptr<const LibraryCode>>;

// The dynamic libraries of the compile options. Error: an element that is none.
base::Result<Libraries> librariesOf(const CompileOptions* options) {
  Libraries libraries;
  const NS::Array* list = options ? options->libraries.get() : nullptr;
  for (NS::UInteger i = 0; list && i < list->count(); ++i) {
    const auto* object = objectOf(list->object<NS::Object>(i));
    const auto* library = dynamic_cast<const DynamicLibrary*>(object);
    if (!library)
      return base::Error{
          fmt::format("Element {} of the compile options' libraries is an {}, not an MTLDynamicLibrary.", i,
                      object->className())};
    libraries.push_back(library->code);
  }
  return libraries;
}

std::string sourceDigest(std::string_view source, const shader::SourceOptions& options,
                         const Libraries& libraries) {
  Digest digest;
  digest.add(uint64_t(options.dynamicLibrary))
      .add(uint64_t(options.anySymbols))
      .add(uint64_t(libraries.size()));
  for (const auto& library : libraries) digest.add(library->digest());
  digest.add("source").add(archiveBuild()).add(source).add(options.name);
  // Of a macro given twice the last one counts, and a dictionary has no order.
  std::map<std::string, std::string> macros(options.macros.begin(), options.macros.end());
  digest.add(uint64_t(macros.size()));
  for (const auto& [name, value] : macros) digest.add(name).add(value);
  digest.add(static_cast<uint64_t>(options.mathMode)).add(uint64_t(options.fastFunctions));
  digest.add(uint64_t(options.preserveInvariance)).add(uint64_t(options.maxTotalThreadsPerThreadgroup));
  digest.add(uint64_t(options.languageVersion)).add(uint64_t(options.optimizationLevel));
  return digest.text();
}

base::Result<shader::Program> compileNow(std::string_view source, shader::SourceOptions options,
                                         const Libraries& libraries) {
  for (const auto& library : libraries) {
    BASANITE_TRY(auto program, library->program());
    options.importedSymbols.insert(options.importedSymbols.end(), program->exports.begin(),
                                   program->exports.end());
  }
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  const base::Stopwatch watch;
  BASANITE_TRY(shader::Program program, compiler->compileSource(source, options));
  base::logInfo("The library \"{}\" of {} function{} was compiled in {:.1f} ms.", options.name,
                program.functions.size(), program.functions.size() == 1 ? "" : "s", watch.elapsedMs());
  if (!program.warnings.empty()) base::logInfo("{}", program.warnings);
  return program;
}

} // namespace

Library::Library(Device* owner, std::shared_ptr<const LibraryCode> libraryCode)
    : device(owner), code(std::move(libraryCode)) {}

base::Result<foundation::Retained<Library>> Library::compile(Device* device, std::string_view source,
                                                             const CompileOptions* options,
                                                             std::string_view name) {
  trace::Zone zone(trace::ZoneKind::compileLibrary);
  zone.failed(true); // until it is known better
  BASANITE_TRY(shader::SourceOptions settled, sourceOptions(options, name));
  zone.describe(settled.name);
  BASANITE_TRY(Libraries libraries, librariesOf(options));
  std::string digest = sourceDigest(source, settled, libraries);
  std::shared_ptr<LibraryCode> code;
  if (auto known = device->archivedLibrary(digest); known && includesUnchanged(*known)) {
    base::logInfo("The library \"{}\" is known to an archive and is not compiled.", settled.name);
    code = std::make_shared<LibraryCode>(std::move(*known), [text = std::string(source), settled, libraries] {
      return compileNow(text, settled, libraries);
    });
  } else {
    BASANITE_TRY(shader::Program program, compileNow(source, settled, libraries));
    code = std::make_shared<LibraryCode>(std::move(digest), std::move(program));
  }
  code->setLibraries(std::move(libraries));
  auto library = foundation::Retained<Library>::adopt(new Library(device, std::move(code)));
  if (settled.dynamicLibrary) {
    library->type = MTL::LibraryTypeDynamic;
    library->installName = textOf(options->installName.get());
  }
  zone.failed(false);
  return library;
}

void setWarnings(NS::Error** error, const Library& library) {
  if (library.code->warnings().empty()) return;
  setError(error, kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorCompileWarning),
           library.code->warnings());
}

const shader::FunctionInfo* Library::find(std::string_view functionName) const {
  auto found = std::find_if(code->functions().begin(), code->functions().end(),
                            [&](const shader::FunctionInfo& info) { return info.name == functionName; });
  return found == code->functions().end() ? nullptr : &*found;
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

base::Result<foundation::Retained<FunctionReflection>> Library::reflect(std::string_view name) const {
  BASANITE_TRY(FoundFunction found, findFunction(*this, name));
  BASANITE_TRY(auto program, code->program());
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  BASANITE_TRY(auto arguments, compiler->reflect({program.get(), found.name, {}}, found.info.stage));
  auto reflection = foundation::Retained<FunctionReflection>::adopt(new FunctionReflection);
  reflection->function = StageReflection(arguments, true);
  return reflection;
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
BASANITE_VALUE(MTL::CompileOptions, bool, allowReferencingUndefinedSymbols,
               setAllowReferencingUndefinedSymbols)
BASANITE_VALUE(MTL::CompileOptions, MTL::CompileSymbolVisibility, compileSymbolVisibility,
               setCompileSymbolVisibility)
BASANITE_VALUE(MTL::CompileOptions, bool, enableLogging, setEnableLogging)
BASANITE_VALUE(MTL::CompileOptions, MTL::FloatingPointConversionRoundingMode,
               floatingPointConversionRoundingMode, setFloatingPointConversionRoundingMode)
BASANITE_OBJECT(MTL::CompileOptions, NS::String, installName, setInstallName)
BASANITE_OBJECT(MTL::CompileOptions, NS::Array, libraries, setLibraries)
BASANITE_VALUE(MTL::CompileOptions, MTL::LibraryType, libraryType, setLibraryType)
BASANITE_VALUE(MTL::CompileOptions, MTL::Size, requiredThreadsPerThreadgroup,
               setRequiredThreadsPerThreadgroup)
// The older switch over the same state as mathMode and mathFloatingPointFunctions.
bool MTL::CompileOptions::fastMathEnabled() const {
  if (!this) return {};
  return toImpl(this)->mathMode == MTL::MathModeFast;
}
void MTL::CompileOptions::setFastMathEnabled(bool fastMathEnabled) {
  if (!this) return;
  toImpl(this)->mathMode = fastMathEnabled ? MTL::MathModeFast : MTL::MathModeSafe;
  toImpl(this)->mathFloatingPointFunctions =
      fastMathEnabled ? MTL::MathFloatingPointFunctionsFast : MTL::MathFloatingPointFunctionsPrecise;
}
BASANITE_VALUE(MTL::CompileOptions, MTL::LanguageVersion, languageVersion, setLanguageVersion)
BASANITE_VALUE(MTL::CompileOptions, MTL::MathFloatingPointFunctions, mathFloatingPointFunctions,
               setMathFloatingPointFunctions)
BASANITE_VALUE(MTL::CompileOptions, MTL::MathMode, mathMode, setMathMode)
BASANITE_VALUE(MTL::CompileOptions, NS::UInteger, maxTotalThreadsPerThreadgroup,
               setMaxTotalThreadsPerThreadgroup)
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
  for (const auto& info : toImpl(this)->code->functions())
    names.push_back(basanite::foundation::makeAutoreleasedString(info.name));
  for (const auto& function : toImpl(this)->code->unusable())
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
BASANITE_VALUE_GETTER(MTL::Library, MTL::LibraryType, type, type)
// Those that dynamic libraries are made of have one.
NS::String* MTL::Library::installName() const {
  if (!this || toImpl(this)->installName.empty()) return nullptr;
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->installName);
}
MTL::FunctionReflection* MTL::Library::reflectionForFunction(const NS::String* functionName) {
  if (!this) return {};
  auto reflection = toImpl(this)->reflect(textOf(functionName));
  if (reflection) return basanite::foundation::toPublicAutoreleased((*reflection).detach());
  basanite::base::logError("Library::reflectionForFunction: {}", reflection.error().message);
  return nullptr;
}

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
  case basanite::shader::Stage::visible:
    return MTL::FunctionTypeVisible;
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
// Kernels with stage input are refused when they are compiled, so only vertex functions have any.
NS::Array* MTL::Function::stageInputAttributes() const {
  if (!this) return {};
  std::vector<MTL::Attribute*> attributes;
  for (const auto& info : toImpl(this)->info.vertexAttributes) {
    auto* attribute = new basanite::metal::Attribute;
    attribute->info = info;
    attributes.push_back(basanite::foundation::toPublicAutoreleased(attribute));
  }
  return autoreleasedArray(attributes);
}
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
bool MTL::VertexAttribute::active() const { return isActive(); }
bool MTL::VertexAttribute::patchControlPointData() const { return isPatchControlPointData(); }
bool MTL::VertexAttribute::patchData() const { return isPatchData(); }
bool MTL::VertexAttribute::isActive() const { return true; }
bool MTL::VertexAttribute::isPatchControlPointData() const { return false; }
bool MTL::VertexAttribute::isPatchData() const { return false; }
NS::String* MTL::VertexAttribute::name() const {
  if (!this) return {};
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->info.name);
}

BASANITE_ALLOC_INIT(MTL::Attribute)
bool MTL::Attribute::active() const { return isActive(); }
NS::UInteger MTL::Attribute::attributeIndex() const { return this ? toImpl(this)->info.index : 0; }
MTL::DataType MTL::Attribute::attributeType() const {
  return this ? static_cast<MTL::DataType>(toImpl(this)->info.type) : MTL::DataTypeNone;
}
bool MTL::Attribute::isActive() const { return this != nullptr; }
bool MTL::Attribute::isPatchControlPointData() const { return false; }
bool MTL::Attribute::isPatchData() const { return false; }
NS::String* MTL::Attribute::name() const {
  return this ? basanite::foundation::makeAutoreleasedString(toImpl(this)->info.name) : nullptr;
}
bool MTL::Attribute::patchControlPointData() const { return false; }
bool MTL::Attribute::patchData() const { return false; }
