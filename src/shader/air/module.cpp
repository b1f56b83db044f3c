// SPDX-License-Identifier: Apache-2.0
// AIR loading and entry-point metadata.
#include "src/shader/air/module.hpp"

#include "src/shader/air/constant_samplers.hpp"
#include "src/shader/air/function_constants.hpp"
#include "src/shader/air/reach.hpp"
#include "src/shader/air/visible_functions.hpp"

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader::air {

namespace {

// Walks the operands of one metadata tuple: strings are keys, constants and nodes their values.
class Cursor {
 public:
  explicit Cursor(const llvm::MDNode& node) : m_node(node) {}
  bool done() const { return m_next >= m_node.getNumOperands(); }
  void skip() { ++m_next; }

  // The operand's text, or empty when it is no string. Moves on either way.
  std::string key() {
    const llvm::Metadata* operand = m_node.getOperand(m_next++);
    auto* text = llvm::dyn_cast_or_null<llvm::MDString>(operand);
    return text ? text->getString().str() : std::string();
  }
  // The next operand as text; stays when it is none.
  std::string text() { return !done() && llvm::isa_and_nonnull<llvm::MDString>(m_node.getOperand(m_next)) ? key() : ""; }
  // The next operand as a number; stays (and gives the default) when it is none.
  uint32_t number(uint32_t otherwise = 0) {
    if (done()) return otherwise;
    auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(m_node.getOperand(m_next));
    if (!value) return otherwise;
    ++m_next;
    return static_cast<uint32_t>(value->getZExtValue());
  }
  // The next operand as a node; null when it is none.
  const llvm::MDNode* node() { return done() ? nullptr : llvm::dyn_cast_or_null<llvm::MDNode>(m_node.getOperand(m_next++).get()); }
  // The next operand as a variable, or as a node that begins with one; stays when it is neither.
  llvm::GlobalVariable* variable() {
    if (done()) return nullptr;
    auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(m_node.getOperand(m_next).get());
    auto* inner = node && node->getNumOperands() ? llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(node->getOperand(0)) : nullptr;
    if (inner) {
      ++m_next;
      return inner;
    }
    auto* global = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(m_node.getOperand(m_next));
    if (global) ++m_next;
    return global;
  }

 private:
  const llvm::MDNode& m_node;
  unsigned m_next = 0;
};

} // namespace

Input readInput(const llvm::MDNode& node) {
  Input input;
  Cursor cursor(node);
  input.parameter = cursor.number();
  input.kind = cursor.text();
  // Apple's compiler puts the condition in front, ours at the end.
  if (input.kind == "air.function_constant") {
    input.condition = cursor.variable();
    input.kind = cursor.text();
  }
  if (input.kind == "air.fragment_input" || input.kind == "air.interpolation_function") input.varying = cursor.text();
  if (input.kind == "air.render_target") input.location = cursor.number();
  while (!cursor.done()) {
    std::string key = cursor.key();
    if (key == "air.location_index") {
      input.location = cursor.number();
      input.count = cursor.number(1);
    } else if (key == "air.read" || key == "air.sample") {
      input.reads = true, input.writes = false;
    } else if (key == "air.write") {
      input.reads = false, input.writes = true;
    } else if (key == "air.read_write") {
      input.reads = input.writes = true;
    } else if (key == "air.address_space") {
      input.addressSpace = static_cast<int>(cursor.number());
    } else if (key == "air.arg_type_size") {
      input.typeSize = cursor.number();
    } else if (key == "air.arg_type_align_size") {
      input.typeAlign = cursor.number();
    } else if (key == "air.arg_type_name") {
      input.typeName = cursor.text();
    } else if (key == "air.arg_name") {
      input.name = cursor.text();
    } else if (key == "air.struct_type_info") {
      input.members = cursor.node();
    } else if (key == "air.mesh_type_info") {
      if (!cursor.done()) cursor.skip();
    } else if (key == "air.centroid") {
      input.interpolation = Interpolation::centroid;
    } else if (key == "air.flat") {
      input.interpolation = Interpolation::flat;
    } else if (key == "air.no_perspective") {
      input.perspective = false;
    } else if (key == "air.raster_order_group") {
      cursor.number();
      input.rasterOrdered = true;
    } else if (key == "air.arg_unused") {
      input.unused = true;
    } else if (key == "air.function_constant") {
      input.condition = cursor.variable();
    }
    // In a fragment input "air.sample" is an interpolation, elsewhere an access.
    if (key == "air.sample" && input.kind == "air.fragment_input") input.interpolation = Interpolation::sample;
  }
  return input;
}

namespace {

Output readOutput(const llvm::MDNode& node) {
  Output output;
  Cursor cursor(node);
  output.kind = cursor.text();
  if (output.kind == "air.function_constant") {
    output.condition = cursor.variable();
    output.kind = cursor.text();
  }
  if (output.kind == "air.vertex_output") output.varying = cursor.text();
  if (output.kind == "air.mesh_vertex_data" || output.kind == "air.mesh_primitive_data") {
    output.index = cursor.number();
    output.varying = cursor.text();
  }
  if (output.kind == "air.render_target") {
    output.index = cursor.number();
    output.dualSource = cursor.number();
  }
  while (!cursor.done()) {
    std::string key = cursor.key();
    if (key == "air.arg_type_name") output.typeName = cursor.text();
    else if (key == "air.arg_name") output.name = cursor.text();
    else if (key == "air.invariant") output.invariant = true;
    else if (key == "air.function_constant") output.condition = cursor.variable();
    else if (key == "air.depth_qualifier") output.depthQualifier = cursor.text();
    else if (key == "air.clip_distance_array_size" || key == "air.array_size") output.arraySize = cursor.number();
    else if (key == "air.any" || key == "air.greater" || key == "air.less") output.depthQualifier = key;
  }
  return output;
}

// The node behind "air.mesh": {"air.mesh_type_info", vertex outputs, primitive outputs, i32, i32, topology}.
std::optional<MeshType> readMeshType(const llvm::MDNode& input) {
  for (const llvm::MDOperand& operand : input.operands()) {
    auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get());
    auto* key = node && node->getNumOperands() == 6 ? llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(0)) : nullptr;
    if (!key || key->getString() != "air.mesh_type_info") continue;
    MeshType mesh;
    auto readOutputs = [&](unsigned index, std::vector<Output>& into) {
      auto* list = llvm::dyn_cast_or_null<llvm::MDNode>(node->getOperand(index));
      if (!list) return;
      for (const llvm::MDOperand& output : list->operands())
        if (auto* member = llvm::dyn_cast_or_null<llvm::MDNode>(output.get())) into.push_back(readOutput(*member));
    };
    readOutputs(1, mesh.vertexOutputs);
    readOutputs(2, mesh.primitiveOutputs);
    Cursor cursor(*node);
    for (int i = 0; i < 3; ++i) cursor.skip();
    mesh.maxVertices = cursor.number();
    mesh.maxPrimitives = cursor.number();
    std::string topology = cursor.text();
    mesh.indicesPerPrimitive = topology == "air.point" ? 1 : topology == "air.line" ? 2 : topology == "air.triangle" ? 3 : 0;
    if (mesh.maxVertices == 0 || mesh.maxPrimitives == 0 || mesh.indicesPerPrimitive == 0) return std::nullopt;
    return mesh;
  }
  return std::nullopt;
}

// Textures that a function can have as arguments, of which there may be more than of anything else.
constexpr uint32_t kMaxArrayCount = 128;
constexpr Stage kStages[] = {Stage::vertex, Stage::fragment, Stage::kernel, Stage::object, Stage::mesh, Stage::visible};

std::string entryFunctionName(const llvm::MDNode& node) {
  if (node.getNumOperands() == 0) return {};
  auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node.getOperand(0));
  return function ? function->getName().str() : std::string();
}

// The one entry function of a file's module goes by the name that the file gives it, whatever it is called inside.
void takeLibraryName(llvm::Module& module, const std::string& name) {
  llvm::Function* entry = nullptr;
  for (Stage stage : kStages) {
    const llvm::NamedMDNode* list = module.getNamedMetadata(std::string("air.") + stageName(stage));
    if (!list) continue;
    for (const llvm::MDNode* node : list->operands()) {
      auto* function = node->getNumOperands() ? llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) : nullptr;
      if (!function) continue;
      if (entry) return;
      entry = function;
    }
  }
  if (!entry || entry->getName() == name) return;
  if (llvm::GlobalValue* taken = module.getNamedValue(name)) taken->setName(name + ".shadowed");
  entry->setName(name);
}

enum class Bodies { all, onDemand };

base::Result<std::unique_ptr<llvm::Module>> parse(std::span<const uint8_t> air, llvm::LLVMContext& context, Bodies bodies) {
  if (air.empty()) return base::Error{"The program holds no AIR."};
  llvm::StringRef bytes(reinterpret_cast<const char*>(air.data()), air.size());
  llvm::SMDiagnostic diagnostic;
  // A copy, because the reader wants a zero after the last byte.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes, "air");
  std::unique_ptr<llvm::Module> module = bodies == Bodies::all ? llvm::parseIR(buffer->getMemBufferRef(), diagnostic, context)
                                                               : llvm::getLazyIRModule(std::move(buffer), diagnostic, context);
  if (module) return module;
  return base::Error{
      fmt::format("The program's AIR could not be read: line {}: {}.", diagnostic.getLineNo(), diagnostic.getMessage().str())};
}

base::Result<void> verify(const llvm::Module& module) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream)) return base::Error{"The program's AIR is not valid: " + problem};
  return {};
}

// The bodies of what a function and the initial values of program-scope constants reach.
base::Result<void> readReached(llvm::Module& module, llvm::Function& function) {
  Reach reached;
  reached.add(&function);
  reached.add(module.getNamedGlobal("llvm.global_ctors"));
  for (llvm::GlobalObject* object = &function; object;) {
    BASANITE_TRY(object, reached.next());
  }
  return verify(module);
}

} // namespace

base::Result<std::unique_ptr<llvm::Module>> loadModule(std::span<const uint8_t> air, llvm::LLVMContext& context) {
  BASANITE_TRY(std::unique_ptr<llvm::Module> module, parse(air, context, Bodies::all));
  BASANITE_TRY_VOID(verify(*module));
  return module;
}

base::Result<std::unique_ptr<llvm::Module>> loadModule(const Program& program, const std::string& function,
                                                       llvm::LLVMContext& context) {
  if (!program.air.empty()) return loadModule(program.air, context);
  for (size_t i = 0; i < program.functions.size(); ++i) {
    if (program.functions[i].name != function) continue;
    BASANITE_TRY(std::unique_ptr<llvm::Module> module, loadModule(*program.functionAir[i], context));
    takeLibraryName(*module, function);
    nameConstantSamplers(*module);
    BASANITE_TRY_VOID(spellOutFunctionConstants(*module));
    return module;
  }
  return base::Error{fmt::format("There is no function named \"{}\" in the library.", function)};
}

base::Result<EntryPoint> findEntry(llvm::Module& module, Stage stage, const std::string& name) {
  const llvm::MDNode* found = nullptr;
  Stage foundStage = stage;
  std::string existing;
  for (Stage candidate : kStages) {
    const llvm::NamedMDNode* list = module.getNamedMetadata(std::string("air.") + stageName(candidate));
    if (!list) continue;
    for (const llvm::MDNode* node : list->operands()) {
      std::string functionName = entryFunctionName(*node);
      if (functionName.empty()) continue;
      existing += fmt::format("{}{} ({})", existing.empty() ? "" : ", ", functionName, stageName(candidate));
      if (functionName != name) continue;
      if (!found || candidate == stage) found = node, foundStage = candidate;
    }
  }
  if (!found) {
    return base::Error{fmt::format("There is no function named \"{}\" in the library; it has: {}.", name,
                                   existing.empty() ? "no functions" : existing)};
  }
  if (foundStage != stage) {
    return base::Error{fmt::format("Function \"{}\" is {} function, but {} function is needed here.", name, aStage(foundStage),
                                   aStage(stage))};
  }
  if (found->getNumOperands() < 3) return base::Error{fmt::format("Function \"{}\" has malformed AIR metadata.", name)};

  EntryPoint entry;
  entry.function = llvm::mdconst::extract<llvm::Function>(found->getOperand(0));
  entry.name = name;
  entry.stage = stage;
  if (entry.function->isDeclaration()) return base::Error{fmt::format("Function \"{}\" has no body.", name)};
  auto readAll = [](const llvm::Metadata* list, auto read, auto& into) {
    auto* tuple = llvm::dyn_cast_or_null<llvm::MDNode>(list);
    if (!tuple) return;
    for (const llvm::MDOperand& operand : tuple->operands())
      if (auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get())) into.push_back(read(*node));
  };
  readAll(found->getOperand(1), readOutput, entry.outputs);
  readAll(found->getOperand(2), readInput, entry.inputs);
  for (unsigned i = 3; i < found->getNumOperands(); ++i) {
    const llvm::Metadata* extra = found->getOperand(i);
    if (auto* text = llvm::dyn_cast_or_null<llvm::MDString>(extra)) {
      if (text->getString() == "early_fragment_tests") entry.earlyFragmentTests = true;
      continue;
    }
    auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(extra);
    if (!node || node->getNumOperands() == 0) continue;
    Cursor cursor(*node);
    std::string key = cursor.key();
    if (key == "air.max_work_group_size") entry.maxTotalThreadsPerThreadgroup = cursor.number();
    if (key == "air.max_mesh_work_groups") entry.maxTotalThreadgroupsPerMeshGrid = cursor.number();
    if (key == "early_fragment_tests") entry.earlyFragmentTests = true;
    if (key == "air.patch") {
      return base::Error{fmt::format(
          "Vertex function \"{}\" is a post-tessellation function, which Basanite does not support.", name)};
    }
  }
  if (stage == Stage::mesh) {
    auto* inputs = llvm::dyn_cast_or_null<llvm::MDNode>(found->getOperand(2));
    for (unsigned i = 0; inputs && !entry.mesh && i < inputs->getNumOperands(); ++i)
      if (auto* node = llvm::dyn_cast_or_null<llvm::MDNode>(inputs->getOperand(i))) entry.mesh = readMeshType(*node);
    if (!entry.mesh) return base::Error{fmt::format("Mesh function \"{}\" has no description of its mesh in its AIR metadata.", name)};
  }
  for (const Input& input : entry.inputs) {
    if (input.parameter >= entry.function->arg_size()) {
      return base::Error{fmt::format("Function \"{}\" has {} parameters, but its AIR metadata speaks of number {}.", name,
                                     entry.function->arg_size(), input.parameter)};
    }
    if (input.count > kMaxArrayCount) {
      return base::Error{fmt::format("Argument {} (\"{}\") of function \"{}\" is an array of {} resources, but there are at most {} of a kind.",
                                     input.parameter, input.name, name, input.count, kMaxArrayCount)};
    }
  }
  return entry;
}

base::Result<LoadedEntry> loadEntry(const Program& program, llvm::LLVMContext& context, Stage stage, const std::string& name) {
  LoadedEntry loaded;
  if (program.air.empty()) {
    // A file keeps a function a module: all of it is needed.
    BASANITE_TRY(loaded.module, loadModule(program, name, context));
    BASANITE_TRY(loaded.entry, findEntry(*loaded.module, stage, name));
  } else {
    BASANITE_TRY(loaded.module, parse(program.air, context, Bodies::onDemand));
    BASANITE_TRY(loaded.entry, findEntry(*loaded.module, stage, name));
    BASANITE_TRY_VOID(readReached(*loaded.module, *loaded.entry.function));
  }
  nameReferences(*loaded.module);
  return loaded;
}

base::Result<LoadedEntry> loadExport(const Program& program, llvm::LLVMContext& context, const std::string& symbol) {
  LoadedEntry loaded;
  BASANITE_TRY(loaded.module, parse(program.air, context, Bodies::onDemand));
  loaded.entry.function = loaded.module->getFunction(symbol);
  if (!loaded.entry.function || loaded.entry.function->isDeclaration())
    return base::Error{fmt::format("The library does not define the symbol \"{}\".", symbol)};
  loaded.entry.name = symbol;
  loaded.entry.stage = Stage::visible;
  BASANITE_TRY_VOID(readReached(*loaded.module, *loaded.entry.function));
  nameReferences(*loaded.module);
  return loaded;
}

namespace {

float halfToFloat(uint16_t half) {
  int exponent = (half >> 10) & 31;
  float mantissa = static_cast<float>(half & 1023);
  float value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(mantissa + 1024.0f, exponent - 25);
  return (half & 0x8000) ? -value : value;
}

} // namespace

ConstantSampler decodeSampler(uint64_t word0, uint64_t word1) {
  auto bits = [&](unsigned high, unsigned low) {
    return static_cast<uint32_t>((word0 >> low) & ((uint64_t(1) << (high - low + 1)) - 1));
  };
  // AIR's numbers on the left of each table, MTL::Sampler*'s inside.
  constexpr uint32_t kAddress[8] = {4, 0, 2, 3, 5, 0, 0, 0};
  constexpr uint32_t kCompare[16] = {0, 1, 3, 4, 6, 2, 5, 7, 0};
  ConstantSampler sampler;
  sampler.addressS = kAddress[bits(2, 0)];
  sampler.addressT = kAddress[bits(5, 3)];
  sampler.addressR = kAddress[bits(8, 6)];
  sampler.magFilter = bits(10, 9) ? 1 : 0;
  sampler.minFilter = bits(12, 11) ? 1 : 0;
  sampler.mipFilter = bits(14, 13);
  sampler.normalizedCoordinates = bits(15, 15) == 0;
  sampler.compareFunction = kCompare[bits(19, 16)];
  sampler.maxAnisotropy = bits(23, 20) + 1;
  sampler.lodMin = halfToFloat(static_cast<uint16_t>(bits(39, 24)));
  uint16_t lodMax = static_cast<uint16_t>(bits(55, 40));
  sampler.lodMax = lodMax == 0x7bff ? 3.4e38f : halfToFloat(lodMax);
  sampler.borderColor = bits(57, 56);
  sampler.lodBias = halfToFloat(static_cast<uint16_t>(word1 & 0xffff));
  return sampler;
}

} // namespace basanite::shader::air
