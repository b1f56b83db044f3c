// SPDX-License-Identifier: Apache-2.0
// The Compiler behind compiler.hpp: each call works in an LLVM context of its own, so calls may run in
// parallel.
#include "src/shader/compiler.hpp"

#include "src/shader/air/module.hpp"
#include "src/shader/lower/apply_function_constants.hpp"
#include "src/shader/lower/link_stages.hpp"
#include "src/shader/lower/lone_stage.hpp"
#include "src/shader/lower/lowering.hpp"
#include "src/shader/spirv/printer.hpp"
#include "src/shader/spirv/validate.hpp"
#ifdef BASANITE_HAS_FRONTEND
#include "src/shader/frontend/frontend.hpp"
#endif

#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader {

namespace {

// An entry function in a module and context of its own.
struct LoadedStage {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  air::EntryPoint entry;
};

base::Result<LoadedStage> loadStage(const FunctionRef& reference, Stage stage) {
  if (!reference.program) return base::Error{"No program was given for function \"" + reference.name + "\"."};
  LoadedStage loaded;
  loaded.context = std::make_unique<llvm::LLVMContext>();
  BASANITE_TRY(loaded.module, air::loadModule(*reference.program, *loaded.context));
  BASANITE_TRY(loaded.entry, air::findEntry(*loaded.module, stage, reference.name));
  BASANITE_TRY_VOID(lower::applyFunctionConstants(*loaded.module, loaded.entry, reference.constants));
  return loaded;
}

base::Result<StageBinary> lowerStage(LoadedStage& stage, const DeviceTraits& traits,
                                     const RenderRequest* render, const lower::VaryingLocations* varyings) {
  lower::Unit unit{*stage.module, stage.entry, traits, render, varyings, nullptr, {}, {}, {}, {}};
  unit.binary.stage = stage.entry.stage;
  unit.binary.maxTotalThreadsPerThreadgroup = stage.entry.maxTotalThreadsPerThreadgroup;
  BASANITE_TRY_VOID(lower::runPasses(unit));
  BASANITE_TRY(unit.binary.spirv, spirv::print(unit));
  base::Result<void> valid = spirv::validate(unit.binary.spirv);
  if (!valid.ok())
    return unit.error("the generated SPIR-V is not valid, which is a fault of Basanite: " +
                      valid.error().message);
  return std::move(unit.binary);
}

class CompilerImplementation final : public Compiler {
 public:
  base::Result<Program> compileSource(std::string_view source, const SourceOptions& options) override {
#ifdef BASANITE_HAS_FRONTEND
    return frontend::compileSource(source, options);
#else
    return base::Error{
        "This build of the shader compiler reads AIR only; it was built without the MSL front end."};
#endif
  }

  base::Result<RenderBinaries> lowerRender(const RenderRequest& request) override {
    BASANITE_TRY(LoadedStage vertex, loadStage(request.vertex, Stage::vertex));
    std::optional<LoadedStage> fragment;
    if (request.fragment) {
      BASANITE_TRY(fragment, loadStage(*request.fragment, Stage::fragment));
    }
    BASANITE_TRY(lower::VaryingLocations varyings,
                 lower::linkVaryings(vertex.entry, fragment ? &fragment->entry : nullptr));
    RenderBinaries binaries;
    BASANITE_TRY(binaries.vertex, lowerStage(vertex, request.traits, &request, &varyings));
    if (fragment) {
      BASANITE_TRY(binaries.fragment, lowerStage(*fragment, request.traits, nullptr, &varyings));
    }
    return binaries;
  }

  base::Result<StageBinary> lowerKernel(const KernelRequest& request) override {
    BASANITE_TRY(LoadedStage kernel, loadStage(request.kernel, Stage::kernel));
    return lowerStage(kernel, request.traits, nullptr, nullptr);
  }

  base::Result<StageBinary> lowerFunction(const FunctionRef& function, const DeviceTraits& traits) override {
    for (const FunctionInfo& info :
         function.program ? function.program->functions : std::vector<FunctionInfo>()) {
      if (info.name != function.name) continue;
      FunctionRef complete = function;
      BASANITE_TRY(std::vector<FunctionConstantInfo> constants, functionConstants(function, info.stage));
      // In front: values that were given win.
      for (const FunctionConstantInfo& constant : constants)
        if (constant.required)
          complete.constants.insert(complete.constants.begin(),
                                    FunctionConstantValue{constant.name, constant.index, constant.type, {}});
      BASANITE_TRY(LoadedStage stage, loadStage(complete, info.stage));
      if (info.stage == Stage::kernel) return lowerStage(stage, traits, nullptr, nullptr);
      lower::VaryingLocations varyings = lower::loneVaryings(stage.entry);
      RenderRequest request;
      BASANITE_TRY(request, lower::loneRequest(stage.entry));
      return lowerStage(stage, traits, info.stage == Stage::vertex ? &request : nullptr, &varyings);
    }
    return base::Error{"There is no function named \"" + function.name + "\" in the program."};
  }

  base::Result<std::vector<FunctionConstantInfo>> functionConstants(const FunctionRef& function, Stage stage) override {
    if (!function.program) return base::Error{"No program was given for function \"" + function.name + "\"."};
    llvm::LLVMContext context;
    BASANITE_TRY(std::unique_ptr<llvm::Module> module, air::loadModule(*function.program, context));
    BASANITE_TRY(air::EntryPoint entry, air::findEntry(*module, stage, function.name));
    return lower::reachedFunctionConstants(*module, entry);
  }

  base::Result<std::string> disassembleAir(const Program& program) override {
    llvm::LLVMContext context;
    BASANITE_TRY(std::unique_ptr<llvm::Module> module, air::loadModule(program, context));
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream, nullptr);
    return text;
  }

  base::Result<std::string> disassembleSpirv(const std::vector<uint32_t>& spirv) override {
    return spirv::disassemble(spirv);
  }
};

} // namespace

} // namespace basanite::shader

extern "C" __attribute__((visibility("default"))) basanite::shader::Compiler* basanite_compiler_instance() {
  // Never destroyed: other static objects may compile until the very end.
  static auto* compiler = new basanite::shader::CompilerImplementation();
  return compiler;
}
