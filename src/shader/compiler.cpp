// SPDX-License-Identifier: Apache-2.0
// The Compiler behind compiler.hpp: each call works in an LLVM context of its own, so calls may run in
// parallel.
#include "src/shader/compiler.hpp"

#include "src/shader/air/module.hpp"
#include "src/shader/air/reflection.hpp"
#include "src/shader/library_file.hpp"
#include "src/shader/lower/apply_function_constants.hpp"
#include "src/shader/lower/link_functions.hpp"
#include "src/shader/lower/link_stages.hpp"
#include "src/shader/lower/lone_stage.hpp"
#include "src/shader/lower/lowering.hpp"
#include "src/shader/roomy_compiler.hpp"
#include "src/shader/spirv/printer.hpp"
#include "src/shader/spirv/validate.hpp"
#include "src/shader/stitch.hpp"
#ifdef BASANITE_HAS_FRONTEND
#include "src/shader/frontend/frontend.hpp"
#endif

#include <algorithm>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader {

namespace {

// An entry function in a module and context of its own.
struct LoadedStage {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  air::EntryPoint entry;
  std::vector<llvm::Function*> linkedFunctions; // as Unit::linkedFunctions
};

// Function constants have no values yet.
base::Result<LoadedStage> readStage(const FunctionRef& reference, Stage stage) {
  if (!reference.program) return base::Error{"No program was given for function \"" + reference.name + "\"."};
  auto context = std::make_unique<llvm::LLVMContext>();
  BASANITE_TRY(air::LoadedEntry loaded, air::loadEntry(*reference.program, *context, stage, reference.name));
  return LoadedStage{std::move(context), std::move(loaded.module), std::move(loaded.entry), {}};
}

base::Result<LoadedStage> loadStage(const FunctionRef& reference, Stage stage) {
  BASANITE_TRY(LoadedStage loaded, readStage(reference, stage));
  BASANITE_TRY_VOID(lower::applyFunctionConstants(*loaded.module, loaded.entry, reference.constants));
  BASANITE_TRY(loaded.linkedFunctions, lower::linkFunctions(*loaded.module, loaded.entry, reference.linked));
  return loaded;
}

lower::Unit makeUnit(LoadedStage& stage, const DeviceTraits& traits) {
  lower::Unit unit{*stage.module, stage.entry, traits};
  unit.binary.stage = stage.entry.stage;
  unit.binary.maxTotalThreadsPerThreadgroup = stage.entry.maxTotalThreadsPerThreadgroup;
  unit.binary.maxTotalThreadgroupsPerMeshGrid = stage.entry.maxTotalThreadgroupsPerMeshGrid;
  unit.binary.arguments = air::argumentsOf(stage.entry);
  unit.linkedFunctions = stage.linkedFunctions;
  return unit;
}

base::Result<void> printUnit(lower::Unit& unit) {
  BASANITE_TRY(unit.binary.spirv, spirv::print(unit));
  base::Result<void> valid = spirv::validate(unit.binary.spirv);
  if (!valid.ok())
    return unit.error("the generated SPIR-V is not valid, which is a fault of Basanite: " +
                      valid.error().message);
  return {};
}

base::Result<StageBinary> lowerUnit(lower::Unit unit) {
  BASANITE_TRY_VOID(lower::runPasses(unit));
  BASANITE_TRY_VOID(printUnit(unit));
  return std::move(unit.binary);
}

bool reads(const air::EntryPoint& entry, std::string_view kind) {
  for (const air::Input& input : entry.inputs)
    if (input.kind == kind && !input.unused && !entry.function->getArg(input.parameter)->use_empty())
      return true;
  return false;
}

// Bytes of the function's [[payload]] argument; 0 where it does not use one.
uint32_t payloadBytesOf(const air::EntryPoint& entry) {
  if (!reads(entry, "air.payload")) return 0;
  for (const air::Input& input : entry.inputs)
    if (input.kind == "air.payload") return std::max(input.typeSize, 4u);
  return 0;
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

  base::Result<Program> readLibrary(std::span<const uint8_t> bytes) override { return readLibraryFile(bytes); }

  base::Result<std::vector<uint8_t>> writeLibrary(const std::vector<FunctionRef>& functions) override {
    return writeLibraryFile(functions);
  }

  base::Result<Program> stitch(const StitchRequest& request) override { return stitchGraphs(request); }

  base::Result<RenderBinaries> lowerRender(const RenderRequest& request) override {
    BASANITE_TRY(LoadedStage vertex, loadStage(request.vertex, Stage::vertex));
    std::optional<LoadedStage> fragment;
    if (request.fragment) {
      BASANITE_TRY(fragment, loadStage(*request.fragment, Stage::fragment));
    }
    BASANITE_TRY(lower::VaryingLocations varyings,
                 lower::linkVaryings(vertex.entry, fragment ? &fragment->entry : nullptr));
    RenderBinaries binaries;
    lower::Unit vertexUnit = makeUnit(vertex, request.traits);
    vertexUnit.render = &request;
    vertexUnit.varyings = &varyings;
    BASANITE_TRY(binaries.vertex, lowerUnit(std::move(vertexUnit)));
    if (fragment) {
      lower::Unit fragmentUnit = makeUnit(*fragment, request.traits);
      fragmentUnit.varyings = &varyings;
      BASANITE_TRY(binaries.fragment, lowerUnit(std::move(fragmentUnit)));
    }
    return binaries;
  }

  base::Result<MeshBinaries> lowerMesh(const MeshRequest& request) override {
    BASANITE_TRY(LoadedStage mesh, loadStage(request.mesh, Stage::mesh));
    std::optional<LoadedStage> object, fragment;
    if (request.object) {
      BASANITE_TRY(object, loadStage(*request.object, Stage::object));
    }
    if (request.fragment) {
      BASANITE_TRY(fragment, loadStage(*request.fragment, Stage::fragment));
    }
    uint32_t payloadBytes = payloadBytesOf(mesh.entry);
    if (payloadBytes && !object)
      return base::Error{"Mesh function \"" + mesh.entry.name +
                         "\" reads a payload, but the pipeline has no object function to write it."};
    if (object) payloadBytes = std::max(payloadBytes, payloadBytesOf(object->entry));
    if (payloadBytes && request.payloadBytes) {
      if (request.payloadBytes < payloadBytes)
        return base::Error{"Mesh function \"" + mesh.entry.name +
                           "\" and its object function share a payload of " + std::to_string(payloadBytes) +
                           " bytes, but the pipeline's payloadMemoryLength is " +
                           std::to_string(request.payloadBytes) + "."};
      payloadBytes = request.payloadBytes;
    }
    payloadBytes = (payloadBytes + 3) / 4 * 4;

    BASANITE_TRY(lower::VaryingLocations varyings,
                 lower::linkVaryings(mesh.entry, fragment ? &fragment->entry : nullptr));
    MeshBinaries binaries;
    lower::Unit meshUnit = makeUnit(mesh, request.traits);
    meshUnit.varyings = &varyings;
    meshUnit.meshPipeline = true;
    meshUnit.fragmentReadsPrimitiveId = fragment && reads(fragment->entry, "air.primitive_id");
    meshUnit.binary.payloadBytes = payloadBytes;
    BASANITE_TRY_VOID(lower::runPasses(meshUnit));
    BASANITE_TRY_VOID(printUnit(meshUnit));
    if (object) {
      lower::Unit objectUnit = makeUnit(*object, request.traits);
      objectUnit.meshPipeline = true;
      objectUnit.binary.payloadBytes = payloadBytes;
      objectUnit.payloadUnitBytes = meshUnit.payloadUnitBytes;
      BASANITE_TRY_VOID(lower::runPasses(objectUnit));
      BASANITE_TRY_VOID(printUnit(objectUnit));
      // Both stages must declare the payload as the same type: the smaller pieces win.
      if (objectUnit.payloadUnitBytes != meshUnit.payloadUnitBytes) {
        meshUnit.payloadUnitBytes = objectUnit.payloadUnitBytes;
        BASANITE_TRY_VOID(printUnit(meshUnit));
      }
      binaries.object = std::move(objectUnit.binary);
    }
    binaries.mesh = std::move(meshUnit.binary);
    if (fragment) {
      lower::Unit fragmentUnit = makeUnit(*fragment, request.traits);
      fragmentUnit.varyings = &varyings;
      fragmentUnit.meshPipeline = true;
      BASANITE_TRY(binaries.fragment, lowerUnit(std::move(fragmentUnit)));
    }
    return binaries;
  }

  base::Result<StageBinary> lowerKernel(const KernelRequest& request) override {
    BASANITE_TRY(LoadedStage kernel, loadStage(request.kernel, Stage::kernel));
    return lowerUnit(makeUnit(kernel, request.traits));
  }

  base::Result<StageBinary> lowerFunction(const FunctionRef& function, const DeviceTraits& traits) override {
    for (const FunctionInfo& info :
         function.program ? function.program->functions : std::vector<FunctionInfo>()) {
      if (info.name != function.name) continue;
      if (info.stage == Stage::visible)
        return base::Error{"Function \"" + function.name + "\" is a visible function, which is lowered with the functions that call it."};
      BASANITE_TRY(LoadedStage stage, readStage(function, info.stage));
      BASANITE_TRY(std::vector<FunctionConstantInfo> constants, lower::reachedFunctionConstants(*stage.module, stage.entry));
      std::vector<FunctionConstantValue> values;
      for (const FunctionConstantInfo& constant : constants)
        if (constant.required) values.push_back({constant.name, constant.index, constant.type, {}});
      // Behind the zeroes: values that were given win.
      values.insert(values.end(), function.constants.begin(), function.constants.end());
      BASANITE_TRY_VOID(lower::applyFunctionConstants(*stage.module, stage.entry, values));
      BASANITE_TRY(stage.linkedFunctions, lower::linkFunctions(*stage.module, stage.entry, function.linked));
      lower::Unit unit = makeUnit(stage, traits);
      lower::VaryingLocations varyings = lower::loneVaryings(stage.entry);
      unit.varyings = &varyings;
      RenderRequest request;
      if (info.stage == Stage::vertex || (info.stage == Stage::kernel && traits.kernelStageIn)) {
        BASANITE_TRY(request, lower::loneRequest(stage.entry));
        unit.render = &request;
      }
      unit.meshPipeline = info.stage == Stage::object || info.stage == Stage::mesh;
      unit.binary.payloadBytes = (payloadBytesOf(stage.entry) + 3) / 4 * 4;
      return lowerUnit(std::move(unit));
    }
    return base::Error{"There is no function named \"" + function.name + "\" in the program."};
  }

  base::Result<std::vector<FunctionConstantInfo>> functionConstants(const FunctionRef& function, Stage stage) override {
    BASANITE_TRY(LoadedStage loaded, readStage(function, stage));
    return lower::reachedFunctionConstants(*loaded.module, loaded.entry);
  }

  base::Result<std::vector<ArgumentReflection>> reflect(const FunctionRef& function, Stage stage) override {
    BASANITE_TRY(LoadedStage loaded, readStage(function, stage));
    if (!function.constants.empty())
      BASANITE_TRY_VOID(lower::applyFunctionConstants(*loaded.module, loaded.entry, function.constants));
    return air::argumentsOf(loaded.entry);
  }

  base::Result<std::string> disassembleAir(const Program& program) override {
    std::string text;
    llvm::raw_string_ostream stream(text);
    auto print = [&](const std::string& function) -> base::Result<void> {
      llvm::LLVMContext context;
      BASANITE_TRY(std::unique_ptr<llvm::Module> module, air::loadModule(program, function, context));
      module->print(stream, nullptr);
      return {};
    };
    if (!program.air.empty()) {
      BASANITE_TRY_VOID(print({}));
      return text;
    }
    if (program.functions.empty()) stream << "; a library file without a function that a pipeline can use\n";
    for (const FunctionInfo& info : program.functions) {
      stream << "; " << stageName(info.stage) << " function " << info.name << "\n";
      BASANITE_TRY_VOID(print(info.name));
    }
    for (const UnusableFunction& function : program.unusable)
      stream << "; " << function.name << " is " << function.kind << ", which no pipeline can use\n";
    return text;
  }

  base::Result<std::string> disassembleSpirv(const std::vector<uint32_t>& spirv) override {
    return spirv::disassemble(spirv);
  }
};

} // namespace

} // namespace basanite::shader

extern "C" __attribute__((visibility("default"))) const char* basanite_compiler_interface() {
  return BASANITE_COMPILER_INTERFACE;
}

extern "C" __attribute__((visibility("default"))) basanite::shader::Compiler* basanite_compiler_instance() {
  // Never destroyed: other static objects may compile until the very end.
  static auto* compiler = new basanite::shader::RoomyCompiler<basanite::shader::CompilerImplementation>();
  return compiler;
}
