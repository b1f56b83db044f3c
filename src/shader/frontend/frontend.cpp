// SPDX-License-Identifier: Apache-2.0
// Implementation of frontend.hpp: sets clang up, parses, generates IR and hands it to the AIR steps.
#include "src/shader/frontend/frontend.hpp"

#include "src/shader/frontend/air_module.hpp"
#include "src/shader/frontend/air_passes.hpp"
#include "src/shader/frontend/attributes.hpp"
#include "src/shader/frontend/diagnostics.hpp"
#include "src/shader/frontend/entry_collector.hpp"
#include "src/shader/frontend/entry_describer.hpp"
#include "src/shader/frontend/nesting_guard.hpp"
#include "src/shader/frontend/virtual_files.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Mangle.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <set>

namespace basanite::shader::frontend {

namespace {

constexpr size_t kMostSourceBytes = size_t(32) << 20;
constexpr uint64_t kMostVariableBytes = uint64_t(64) << 20;

// ---- language ----

// OpenCL's own words become plain identifiers.
void adaptKeywords(clang::Preprocessor& preprocessor) {
  clang::IdentifierTable& table = preprocessor.getIdentifierTable();
  for (const char* word :
       {"global", "local", "generic", "constant", "kernel", "pipe", "read_only", "write_only", "read_write",
        "vec_step", "image1d_t", "image2d_t", "image3d_t", "__read_only", "__write_only", "__read_write"}) {
    clang::IdentifierInfo& identifier = table.get(word);
    if (identifier.getTokenID() != clang::tok::identifier) identifier.revertTokenIDToIdentifier();
  }
}

std::shared_ptr<clang::CompilerInvocation> makeInvocation(clang::DiagnosticsEngine& diagnostics) {
  static const char* const kArguments[] = {"-triple",
                                           "spir64",
                                           "-x",
                                           "cl",
                                           "-cl-std=clc++2021",
                                           "-cl-single-precision-constant",
                                           "-fdeclspec",
                                           "-cl-ext=-cl_khr_fp64,-__opencl_c_fp64",
                                           "-O2",
                                           "-disable-llvm-passes",
                                           "-disable-lifetime-markers",
                                           "-fpreserve-vec3-type",
                                           "-fno-validate-pch",
                                           "-fpch-instantiate-templates",
                                           "-Wno-undefined-internal",
                                           "-Wno-duplicate-decl-specifier",
                                           "-Wno-c++11-narrowing",
                                           "-Wno-c99-designator",
                                           "-Wno-c++20-designator",
                                           "-Wno-c++20-extensions",
                                           "-Wno-c++2b-extensions",
                                           "-Wno-missing-declarations",
                                           "-Wno-stack-exhausted", "-Wno-ignored-attributes",
                                           "-Wno-literal-range"};
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::CompilerInvocation::CreateFromArgs(*invocation, kArguments, diagnostics);
  invocation->getDiagnosticOpts().ShowCarets = false; // no "1 error generated." on standard error
  invocation->getDiagnosticOpts().ElideType = false;
  clang::ProcessWarningOptions(diagnostics, invocation->getDiagnosticOpts(), false);
  invocation->getHeaderSearchOpts().AddPath(kStandardLibraryFolder, clang::frontend::System, false, true);
  invocation->getHeaderSearchOpts().UseBuiltinIncludes = false;
  invocation->getHeaderSearchOpts().UseStandardSystemIncludes = false;
  invocation->getHeaderSearchOpts().UseStandardCXXIncludes = false;
  return invocation;
}

// ---- consumers ----

// Sees every function of the user's as it is finished and describes the entries at the end, while errors
// still count.
class EntryFinder : public clang::ASTConsumer {
 public:
  EntryFinder(std::vector<Entry>& entries, std::vector<FunctionConstant>& constants, std::vector<FunctionReference>& references,
              std::vector<Entry>& exports, std::map<std::string, clang::SourceLocation>& places, const SourceOptions& options)
      : m_entries(entries), m_constants(constants), m_references(references), m_exports(exports), m_places(places), m_options(options) {}
  // Set before the end of the translation unit.
  clang::CodeGenerator* generator = nullptr;

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* decl : group) visit(*decl);
    return true;
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    // Types of a source with errors may have no layout.
    if (context.getDiagnostics().hasErrorOccurred()) return;
    std::unique_ptr<clang::MangleContext> mangler(context.createMangleContext());
    std::set<std::string> names;
    for (clang::FunctionDecl* function : m_functions) {
      Entry entry = describeEntry(*function, *stageOf(*function));
      applyOptions(entry);
      entry.mangledName = symbolOf(*mangler, *function);
      if (!names.insert(entry.name).second) {
        clang::DiagnosticsEngine& diagnostics = context.getDiagnostics();
        diagnostics.Report(function->getLocation(),
                           diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                       "another entry function is named '%0' already"))
            << entry.name;
      }
      m_places[entry.name] = function->getLocation();
      m_entries.push_back(std::move(entry));
    }
    for (const clang::FunctionDecl* function : m_declared) {
      if (function->isDefined()) continue;
      std::vector<Tag> tags = tagsOf(*function);
      const Tag* hostName = findTag(tags, "host_name");
      m_references.push_back({hostName ? hostName->argument : function->getNameAsString(), symbolOf(*mangler, *function)});
    }
    for (const clang::FunctionDecl* function : m_exported) {
      Entry& entry = m_exports.emplace_back();
      entry.stage = Stage::visible;
      entry.name = entry.mangledName = symbolOf(*mangler, *function);
    }
    for (const clang::VarDecl* variable : m_variables) {
      if (auto constant = describeFunctionConstant(*variable)) m_constants.push_back(std::move(*constant));
    }
    if (!context.getDiagnostics().hasErrorOccurred()) emitConditions();
  }

 private:
  static std::string symbolOf(clang::MangleContext& mangler, const clang::FunctionDecl& function) {
    std::string symbol;
    llvm::raw_string_ostream stream(symbol);
    if (mangler.shouldMangleDeclName(&function)) mangler.mangleName(clang::GlobalDecl(&function), stream);
    else stream << function.getName();
    return symbol;
  }

  void applyOptions(Entry& entry) const {
    if (entry.stage == Stage::kernel && entry.maxTotalThreadsPerThreadgroup == 0)
      entry.maxTotalThreadsPerThreadgroup = m_options.maxTotalThreadsPerThreadgroup;
    if (!m_options.preserveInvariance) return;
    for (std::vector<Leaf>* leaves : {&entry.outputs, &entry.mesh.vertexOutputs})
      for (Leaf& leaf : *leaves)
        if (leaf.keys.size() == 1 && leaf.keys[0] == "air.position") leaf.keys.push_back("air.invariant");
  }

  // Variables that only say whether an argument is there are used by no code.
  void emitConditions() {
    std::set<std::string> names;
    for (const Entry& entry : m_entries) {
      for (const Parameter& parameter : entry.parameters) {
        names.insert(parameter.condition);
        for (const Leaf& leaf : parameter.leaves) names.insert(leaf.condition);
      }
      for (const std::vector<Leaf>* leaves :
           {&entry.outputs, &entry.mesh.vertexOutputs, &entry.mesh.primitiveOutputs})
        for (const Leaf& leaf : *leaves) names.insert(leaf.condition);
    }
    if (names.size() <= 1 && names.contains("")) return;
    for (const clang::VarDecl* variable : m_variables) {
      if (variable->getType()->isBooleanType() && names.contains(mangledName(*variable))) {
        generator->GetAddrOfGlobal(clang::GlobalDecl(variable), false);
      }
    }
  }

  void visit(clang::Decl& decl) {
    if (auto* space = llvm::dyn_cast<clang::NamespaceDecl>(&decl))
      visitMembers(*space);
    else if (auto* linkage = llvm::dyn_cast<clang::LinkageSpecDecl>(&decl))
      visitMembers(*linkage);
    else if (auto* variable = llvm::dyn_cast<clang::VarDecl>(&decl)) {
      checkVariable(*variable);
      checkSize(*variable);
      if (!variable->isInvalidDecl() && variable->isFileVarDecl()) m_variables.push_back(variable);
    } else if (auto* function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      for (clang::Decl* inner : function->decls()) {
        auto* local = llvm::dyn_cast<clang::VarDecl>(inner);
        if (!local) continue;
        if (local->isStaticLocal()) checkVariable(*local);
        checkSize(*local);
      }
      visitFunction(*function);
    }
  }

  // A variable that outlives its function must lie in constant or threadgroup memory: Metal has no others,
  // and what a thread wrote there would be lost.
  void checkVariable(const clang::VarDecl& variable) {
    clang::QualType type = variable.getType();
    if (variable.isInvalidDecl() || type->isDependentType() || type->isReferenceType() ||
        type.isConstQualified() || variable.isConstexpr())
      return;
    clang::LangAS space = type.getAddressSpace();
    if (space == clang::LangAS::opencl_constant || space == clang::LangAS::opencl_local) return;
    clang::DiagnosticsEngine& diagnostics = variable.getASTContext().getDiagnostics();
    diagnostics.Report(variable.getLocation(),
                       diagnostics.getCustomDiagID(
                           clang::DiagnosticsEngine::Error,
                           "variable '%0' is neither local to a call nor in the constant address space"))
        << variable.getName();
  }
  // What fits no GPU would take the compiler's memory first.
  void checkSize(const clang::VarDecl& variable) {
    clang::QualType type = variable.getType();
    if (variable.isInvalidDecl() || type->isDependentType() || type->isReferenceType() || type->isIncompleteType()) return;
    const auto bytes = static_cast<uint64_t>(variable.getASTContext().getTypeSizeInChars(type).getQuantity());
    if (bytes <= kMostVariableBytes) return;
    clang::DiagnosticsEngine& diagnostics = variable.getASTContext().getDiagnostics();
    diagnostics.Report(variable.getLocation(), diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                                           "variable '%0' takes %1 bytes; at most %2 are possible"))
        << variable.getName() << std::to_string(bytes) << std::to_string(kMostVariableBytes);
  }

  void visitMembers(clang::DeclContext& context) {
    for (clang::Decl* member : context.decls()) visit(*member);
  }

  // What another program may call: no inline function, of which every program has its own.
  static bool isExported(const clang::FunctionDecl& function) {
    return function.hasExternalFormalLinkage() && !function.isInlined() && !function.isMain();
  }

  void visitFunction(clang::FunctionDecl& function) {
    if (function.isDependentContext()) return;
    if (!function.isThisDeclarationADefinition()) {
      if (function.isFirstDecl() && stageOf(function) == Stage::visible) m_declared.push_back(&function);
      return;
    }
    if (function.getTemplateSpecializationKind() == clang::TSK_ImplicitInstantiation) return;
    if (!stageOf(function)) {
      if (m_options.dynamicLibrary && isExported(function) && m_seen.insert(&function).second) {
        function.addAttr(clang::UsedAttr::CreateImplicit(function.getASTContext()));
        m_exported.push_back(&function);
      }
      return;
    }
    if (!m_seen.insert(&function).second) return;
    settleAnnotations(function);
    for (clang::ParmVarDecl* parameter : function.parameters()) settleAnnotations(*parameter);
    // Entries without other users are emitted all the same.
    function.addAttr(clang::UsedAttr::CreateImplicit(function.getASTContext()));
    m_functions.push_back(&function);
  }

  std::vector<Entry>& m_entries;
  std::vector<FunctionConstant>& m_constants;
  std::vector<FunctionReference>& m_references;
  std::vector<Entry>& m_exports;
  std::map<std::string, clang::SourceLocation>& m_places;
  const SourceOptions& m_options;
  std::vector<clang::FunctionDecl*> m_functions;
  std::vector<const clang::FunctionDecl*> m_declared; // visible ones, by a declaration
  std::vector<const clang::FunctionDecl*> m_exported; // of a dynamic library
  std::vector<const clang::VarDecl*> m_variables; // at program scope
  std::set<clang::FunctionDecl*> m_seen;
};

// What `#pragma METAL fp math_mode(safe)`, or relaxed, and `contract(off)` ask for. Wherever they stand, all of the
// program keeps to it.
struct MathPragmas {
  bool safe = false, relaxed = false;
  bool separate = false; // products and sums
};

void readMathPragmas(std::string_view text, MathPragmas& pragmas) {
  for (size_t at = text.find("METAL"); at != std::string_view::npos; at = text.find("METAL", at + 1)) {
    std::string_view line = text.substr(at > 100 ? at - 100 : 0, 200);
    const size_t word = std::min<size_t>(at, 100);
    line = line.substr(0, line.find('\n', word));
    if (size_t end = line.rfind('\n', word); end != std::string_view::npos) line.remove_prefix(end + 1);
    auto has = [&](std::string_view part) { return line.find(part) != std::string_view::npos; };
    if (!has("#") || !has("pragma") || !has("fp")) continue;
    pragmas.safe |= has("math_mode") && has("safe");
    pragmas.relaxed |= has("math_mode") && has("relaxed");
    pragmas.separate |= has("contract") && has("off");
  }
}

MathMode modeOf(const SourceOptions& options, const MathPragmas& pragmas) {
  if (pragmas.safe || pragmas.separate) return MathMode::safe;
  return pragmas.relaxed ? std::min(options.mathMode, MathMode::relaxed) : options.mathMode;
}

// fmuladd may be one operation or two: here it must be two.
void separateProducts(llvm::Module& module) {
  std::vector<llvm::IntrinsicInst*> work;
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
            call && call->getIntrinsicID() == llvm::Intrinsic::fmuladd)
          work.push_back(call);
  for (llvm::IntrinsicInst* call : work) {
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateFAdd(
        builder.CreateFMul(call->getArgOperand(0), call->getArgOperand(1)), call->getArgOperand(2)));
    call->eraseFromParent();
  }
}

class CompileAction : public clang::ASTFrontendAction {
 public:
  // `pragmas`: asked when every file was read.
  CompileAction(llvm::LLVMContext& context, std::vector<Entry>& entries, std::vector<FunctionConstant>& constants,
                std::vector<FunctionReference>& references, const SourceOptions& options, std::function<MathPragmas()> pragmas)
      : m_context(context), m_entries(entries), m_constants(constants), m_references(references), m_options(options),
        m_pragmas(std::move(pragmas)) {}

  bool BeginSourceFileAction(clang::CompilerInstance& instance) override {
    adaptKeywords(instance.getPreprocessor());
    instance.getPreprocessor().setTokenWatcher([this, &instance](const clang::Token& token) { watch(instance, token); });
    return true;
  }

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& instance,
                                                        llvm::StringRef name) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    auto finder = std::make_unique<EntryFinder>(m_entries, m_constants, m_references, m_exports, m_places, m_options);
    EntryFinder& entryFinder = *finder;
    consumers.push_back(std::move(finder));
    m_generator = clang::CreateLLVMCodeGen(instance.getDiagnostics(), name, &instance.getVirtualFileSystem(),
                                           instance.getHeaderSearchOpts(), instance.getPreprocessorOpts(),
                                           instance.getCodeGenOpts(), m_context);
    entryFinder.generator = m_generator;
    consumers.push_back(std::unique_ptr<clang::ASTConsumer>(m_generator));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }

  // The AST still lives here, so that what the AIR steps find wrong can be told with its place.
  void EndSourceFileAction() override {
    clang::DiagnosticsEngine& diagnostics = getCompilerInstance().getDiagnostics();
    if (diagnostics.hasErrorOccurred()) return;
    m_module.reset(m_generator->ReleaseModule());
    if (!m_module) return;
    // Those of a dynamic library get wrappers of their own symbols, as visible functions do.
    std::vector<Entry> wrapped = m_entries;
    wrapped.insert(wrapped.end(), m_exports.begin(), m_exports.end());
    addEntryWrappers(*m_module, wrapped, m_references);
    const MathPragmas pragmas = m_pragmas();
    const MathMode mode = modeOf(m_options, pragmas);
    if (pragmas.separate) separateProducts(*m_module);
    std::optional<AirProblem> problem =
        runAirPasses(*m_module, {mode, m_options.fastFunctions && mode != MathMode::safe, m_options.preserveInvariance,
                                 m_options.optimizationLevel, &m_entries,
                                 [this](const std::string& symbol) { return isImported(symbol); }});
    if (!problem) return;
    clang::SourceLocation location;
    if (auto entry = m_places.find(problem->function); entry != m_places.end())
      location = entry->second;
    else if (const clang::Decl* decl = m_generator->GetDeclForMangledName(problem->function))
      location = decl->getLocation();
    diagnostics.Report(location, diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0"))
        << problem->message;
  }

  std::unique_ptr<llvm::Module> takeModule() { return std::move(m_module); }
  // The functions of a dynamic library, as far as their names go.
  const std::vector<Entry>& exports() const { return m_exports; }

 private:
  bool isImported(const std::string& symbol) const {
    const auto& imported = m_options.importedSymbols;
    return m_options.anySymbols || std::find(imported.begin(), imported.end(), symbol) != imported.end();
  }

  // Once the source goes too deep the parser sees its end, and unwinds.
  void watch(clang::CompilerInstance& instance, const clang::Token& token) {
    if (!m_tooDeep && m_nesting.take(token.getKind())) return;
    clang::DiagnosticsEngine& diagnostics = instance.getDiagnostics();
    if (!m_tooDeep)
      diagnostics.Report(token.getLocation(),
                         diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Fatal,
                                                     "operators, calls or statements are nested or chained more than %0 "
                                                     "deep"))
          << kMaxNesting;
    m_tooDeep = true;
    const_cast<clang::Token&>(token).setKind(clang::tok::eof);
  }

  llvm::LLVMContext& m_context;
  std::vector<Entry>& m_entries;
  std::vector<FunctionConstant>& m_constants;
  std::vector<FunctionReference>& m_references;
  std::vector<Entry> m_exports;
  const SourceOptions& m_options;
  std::function<MathPragmas()> m_pragmas;
  NestingGuard m_nesting;
  bool m_tooDeep = false;
  std::map<std::string, clang::SourceLocation> m_places;
  clang::CodeGenerator* m_generator = nullptr; // owned by the consumer
  std::unique_ptr<llvm::Module> m_module;
};

class PchAction : public clang::GeneratePCHAction {
 protected:
  bool BeginSourceFileAction(clang::CompilerInstance& instance) override {
    adaptKeywords(instance.getPreprocessor());
    return GeneratePCHAction::BeginSourceFileAction(instance);
  }
};

// ---- options ----

struct LanguageVersion {
  uint32_t major = 4, minor = 0;
};

LanguageVersion languageVersion(const SourceOptions& options) {
  if (options.languageVersion == 0) return {};
  return {options.languageVersion >> 16, options.languageVersion & 0xffff};
}

// The user's macros and the predefined ones that depend on options, as a file read before the source.
std::string optionsHeader(const SourceOptions& options) {
  LanguageVersion version = languageVersion(options);
  std::string text = fmt::format("#define __METAL_VERSION__ {}\n", version.major * 100 + version.minor * 10);
  if (options.mathMode == MathMode::fast) text += "#define __FAST_MATH__ 1\n";
  for (const auto& [name, value] : options.macros) text += fmt::format("#define {} {}\n", name, value);
  return text;
}

std::string folderOf(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

uint32_t dataTypeOf(const ValueType& type) {
  // First of each group of four (scalar, 2, 3, 4) in MTL::DataType.
  uint32_t base = 0;
  switch (type.kind) {
  case ScalarKind::floating:
    base = type.bits == 16 ? 16 : 3;
    break;
  case ScalarKind::boolean:
    base = 53;
    break;
  case ScalarKind::signedInt:
    base = type.bits == 8 ? 45 : type.bits == 16 ? 37 : type.bits == 32 ? 29 : 81;
    break;
  case ScalarKind::unsignedInt:
    base = type.bits == 8 ? 49 : type.bits == 16 ? 41 : type.bits == 32 ? 33 : 85;
    break;
  }
  return base + type.lanes - 1;
}

FunctionInfo functionInfo(const Entry& entry) {
  FunctionInfo info;
  info.name = entry.name;
  info.stage = entry.stage;
  info.maxTotalThreadsPerThreadgroup = entry.maxTotalThreadsPerThreadgroup;
  info.signature = entry.signature;
  info.stitchable = entry.stitchable;
  if (entry.stage != Stage::vertex) return info;
  for (const Parameter& parameter : entry.parameters) {
    for (const Leaf& leaf : parameter.leaves) {
      info.vertexAttributes.push_back(
          {leaf.name, static_cast<uint32_t>(std::stoul(leaf.keys[2].substr(1))), dataTypeOf(leaf.type)});
    }
  }
  return info;
}

base::Result<Program> compileOnce(std::string_view source, const SourceOptions& options, Respelling how) {
  RespelledSource respelled{std::string(source), how};
  auto files = llvm::makeIntrusiveRefCnt<UserFileSystem>(how);
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(kOptionsPath, 0,
                  llvm::MemoryBuffer::getMemBufferCopy(optionsHeader(options), kOptionsPath));
  overlay->pushOverlay(memory);

  DiagnosticText text(respelled, *files, options.color);
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(diagnosticOptions.get(), &text, false);

  clang::CompilerInstance instance;
  auto invocation = makeInvocation(*diagnostics);
  clang::PreprocessorOptions& preprocessor = invocation->getPreprocessorOpts();
  if (embeddedPch().empty()) {
    preprocessor.Includes.push_back(kPreludePath);
  } else {
    preprocessor.ImplicitPCHInclude = kPchPath;
    preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::PCH;
  }
  preprocessor.Includes.push_back(kOptionsPath);
  // `#pragma clang __debug crash` and its kin mean nothing.
  preprocessor.DisablePragmaDebugCrash = true;
  clang::HeaderSearchOptions& search = invocation->getHeaderSearchOpts();
  if (std::string folder = folderOf(options.name); !folder.empty())
    search.AddPath(folder, clang::frontend::Quoted, false, true);
  for (const std::string& directory : options.includeDirectories)
    search.AddPath(directory, clang::frontend::Angled, false, true);
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.Inputs.clear();
  clang::InputKind kind(clang::Language::OpenCLCXX);
  frontend.Inputs.emplace_back(llvm::MemoryBufferRef(respelled.respelled(), options.name), kind);

  instance.setInvocation(invocation);
  instance.setDiagnostics(diagnostics.get());
  diagnostics->setErrorLimit(20);
  diagnostics->setWarningsAsErrors(options.warningsAsErrors);
  instance.setFileManager(new clang::FileManager(clang::FileSystemOptions(), overlay));

  llvm::LLVMContext context;
  std::vector<Entry> entries;
  std::vector<FunctionConstant> constants;
  std::vector<FunctionReference> references;
  auto pragmas = [&] {
    MathPragmas found;
    readMathPragmas(respelled.original(), found);
    for (const std::string& path : files->opened()) readMathPragmas(files->find(path)->original(), found);
    return found;
  };
  CompileAction action(context, entries, constants, references, options, pragmas);
  bool succeeded = instance.ExecuteAction(action);
  std::unique_ptr<llvm::Module> module = action.takeModule();
  if (!succeeded || diagnostics->hasErrorOccurred() || !module) {
    std::string message = text.text();
    if (message.empty()) message = fmt::format("{}: error: the source could not be compiled\n", options.name);
    return base::Error{std::move(message)};
  }

  LanguageVersion version = languageVersion(options);
  addAirMetadata(*module, entries, constants, references, {options.name, modeOf(options, pragmas()), version.major, version.minor});

  Program program;
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  program.air.assign(bitcode.begin(), bitcode.end());
  for (const Entry& entry : entries) program.functions.push_back(functionInfo(entry));
  for (const Entry& entry : action.exports()) program.exports.push_back(entry.mangledName);
  program.warnings = text.text();
  program.includedFiles = files->opened();
  return program;
}

bool hasAny(const std::string& diagnostics, std::initializer_list<const char*> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return diagnostics.find(part) != std::string::npos; });
}

// Do diagnostics tell of what clang makes of address spaces, which a thorough respelling may avoid?
bool mendedByThoroughness(const std::string& diagnostics) {
  return hasAny(diagnostics, {"conditional expression is ambiguous", "incompatible operand types (",
                              "could not match 'constant ", "use of overloaded operator '[]' is ambiguous",
                              "member cannot be redeclared", "constructor cannot be redeclared"});
}

// The next try at a source that `how` did not get through; `how` itself when its diagnostics are the
// program's own.
Respelling mended(Respelling how, const std::string& diagnostics) {
  if (diagnostics.find("invalid suffix '") != std::string::npos) how.suffixes = false;
  if (hasAny(diagnostics, {"changes address space", "thread auto &",
                           "no matching function for call to 'simdgroup_", "generic address space"}))
    how.threadMethods = true;
  if (diagnostics.find("because of address space mismatch") != std::string::npos) how.temporaries = true;
  if (hasAny(diagnostics, {"'<pseudo-object type>'", "invalid operands to binary expression ('vec<",
                           "invalid argument type 'vec<", " and 'vec<"}))
    how.properties = true;
  if (mendedByThoroughness(diagnostics)) how.thorough = true;
  return how;
}

// Do diagnostics name what a thorough respelling put there (stdlib/types.h), which is none of the program's?
bool namesRespelling(const std::string& diagnostics) {
  for (const char* name : {"$rvalue", "$element", "$constant"})
    if (diagnostics.find(name) != std::string::npos) return true;
  return false;
}

} // namespace

base::Result<Program> compileSource(std::string_view source, const SourceOptions& options) {
  if (source.size() > kMostSourceBytes)
    return base::Error{fmt::format("{}: error: the source has {} bytes; at most {} can be compiled\n", options.name, source.size(),
                                   kMostSourceBytes)};
  registerMetalAttributes();
  Respelling how;
  base::Result<Program> program = compileOnce(source, options, how);
  if (program) return program;
  const base::Error first = program.error();
  while (!program) {
    const std::string& message = program.error().message;
    Respelling next = mended(how, message);
    if (next == how) {
      // Errors that went away were none of the program's: what is left tells what is wrong. When one stays
      // that a respelling was to mend, the source as it was written is told of, and so it is when a
      // respelling causes one.
      if (mended(Respelling(), message).shares(mended(Respelling(), first.message)) ||
          namesRespelling(message))
        return first;
      break;
    }
    how = next;
    program = compileOnce(source, options, how);
  }
  return program;
}

base::Result<void> writeStandardLibraryPch(const std::string& path) {
  registerMetalAttributes();
  RespelledSource nothing{std::string()};
  auto files = llvm::makeIntrusiveRefCnt<UserFileSystem>();
  DiagnosticText text(nothing, *files, false);
  llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> diagnosticOptions(new clang::DiagnosticOptions);
  auto diagnostics = clang::CompilerInstance::createDiagnostics(diagnosticOptions.get(), &text, false);
  clang::CompilerInstance instance;
  auto invocation = makeInvocation(*diagnostics);
  clang::FrontendOptions& frontend = invocation->getFrontendOpts();
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(kPreludePath, clang::InputKind(clang::Language::OpenCLCXX));
  frontend.OutputFile = path;
  instance.setInvocation(invocation);
  instance.setDiagnostics(diagnostics.get());
  instance.setFileManager(new clang::FileManager(clang::FileSystemOptions(), files));
  PchAction action;
  if (!instance.ExecuteAction(action) || diagnostics->hasErrorOccurred()) return base::Error{text.text()};
  return {};
}

} // namespace basanite::shader::frontend
