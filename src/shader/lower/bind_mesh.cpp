// SPDX-License-Identifier: Apache-2.0
// Mesh and object functions: their intrinsics become output arrays and threadgroup variables, with a prologue
// and an epilogue.
//
// Metal says how many primitives there are whenever it likes, one index at a time, from any thread. SPIR-V
// wants the counts before the first output, indices a whole primitive at a time, and the launch of mesh
// threadgroups as the last thing an object function does. So the outputs are sized to the declared maxima at
// once; count and indices gather in threadgroup memory; behind a barrier at the end each thread writes its
// share of the primitives and culls those past the count.
#include "src/shader/air/name.hpp"
#include "src/shader/lower/interface_builder.hpp"
#include "src/shader/lower/link_stages.hpp"

#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

constexpr unsigned kThreadgroupSpace = 3;
constexpr uint32_t kBarrierFlags = 2 | 16; // threadgroup memory and payload

class MeshBinder {
 public:
  explicit MeshBinder(Unit& unit)
      : m_unit(unit), m_b(unit.module.getContext()), m_i32(m_b.getInt32Ty()),
        m_mesh(unit.entry.mesh ? presentMembers(*unit.entry.mesh) : air::MeshType()) {}

  base::Result<void> run() {
    BASANITE_TRY_VOID(collectCalls());
    const bool mesh = m_unit.entry.stage == Stage::mesh;
    llvm::BasicBlock* epilogue = joinReturns();
    // Behind the inputs, which bindInterface() reads in the first block.
    m_b.SetInsertPoint(m_unit.main->getEntryBlock().getTerminator());
    if (mesh) return bindMeshStage(*epilogue);
    bindObjectStage(*epilogue);
    return {};
  }

 private:
  static air::MeshType presentMembers(air::MeshType mesh) {
    for (std::vector<air::Output>* outputs : {&mesh.vertexOutputs, &mesh.primitiveOutputs})
      std::erase_if(*outputs, [](const air::Output& output) { return !output.present; });
    return mesh;
  }

  // Does a call set a member that a function constant has taken out of the mesh?
  bool setsAbsentMember(const llvm::CallInst& call, const std::string& family) const {
    if (!m_unit.entry.mesh) return false;
    const air::MeshType& mesh = *m_unit.entry.mesh;
    const bool vertexData = family == "set_vertex_data_mesh",
               primitiveData = family == "set_primitive_data_mesh";
    auto* number =
        vertexData || primitiveData ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1)) : nullptr;
    for (const std::vector<air::Output>* outputs : {&mesh.vertexOutputs, &mesh.primitiveOutputs})
      for (const air::Output& output : *outputs) {
        if (output.present) continue;
        if (number && output.kind == (vertexData ? "air.mesh_vertex_data" : "air.mesh_primitive_data") &&
            output.index == number->getZExtValue())
          return true;
        if (family == "set_" + output.kind.substr(4) + "_mesh") return true;
      }
    return false;
  }

  // How many arguments the calls of a family have at least, the mesh or grid itself included; 0 for one that
  // is not known.
  static unsigned argumentCount(const std::string& family) {
    if (family == "set_vertex_data_mesh" || family == "set_primitive_data_mesh" ||
        family == "set_clip_distance_mesh")
      return 4;
    if (family == "set_primitive_count_mesh" || family.starts_with("set_threadgroups_per_grid")) return 2;
    for (const char* known : {"set_position_mesh", "set_point_size_mesh", "set_index_mesh",
                              "set_indices_mesh", "set_primitive_id_mesh", "set_primitive_culled_mesh",
                              "set_render_target_array_index_mesh", "set_viewport_array_index_mesh"})
      if (family == known) return 3;
    return 0;
  }

  base::Result<void> collectCalls() {
    std::vector<llvm::CallInst*> absent;
    for (llvm::BasicBlock& block : *m_unit.main)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
          const llvm::Function* callee = call->getCalledFunction();
          if (!callee || !callee->getName().starts_with("air.set_")) continue;
          air::IntrinsicName name = air::parseIntrinsic(callee->getName().str());
          if (name.family.find("_mesh") == std::string::npos) continue;
          if (call->arg_size() < argumentCount(name.family))
            return m_unit.error(fmt::format("it calls {} with {} arguments, but there must be {}",
                                            callee->getName().str(), call->arg_size(),
                                            argumentCount(name.family)));
          if (setsAbsentMember(*call, name.family))
            absent.push_back(call);
          else
            m_calls.push_back({call, name.family});
        }
    for (llvm::CallInst* call : absent) call->eraseFromParent();
    return {};
  }

  // All returns of main lead to one block, which is still empty but for its return.
  llvm::BasicBlock* joinReturns() {
    std::vector<llvm::ReturnInst*> returns;
    for (llvm::BasicBlock& block : *m_unit.main)
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(end);
    auto* last = llvm::BasicBlock::Create(m_b.getContext(), "", m_unit.main);
    llvm::ReturnInst::Create(m_b.getContext(), last);
    for (llvm::ReturnInst* end : returns) {
      llvm::BranchInst::Create(last, end->getIterator());
      end->eraseFromParent();
    }
    return last;
  }

  llvm::GlobalVariable* threadgroupArray(uint64_t words, const char* name) {
    llvm::GlobalVariable* variable =
        declareMemory(m_unit, llvm::ArrayType::get(m_i32, words), name, kThreadgroupSpace);
    variable->setAlignment(llvm::Align(4));
    return variable;
  }
  Value* word(llvm::GlobalVariable* array, Value* index) { return m_b.CreateGEP(m_i32, array, index); }
  Value* loadWord(llvm::GlobalVariable* array, Value* index) {
    return m_b.CreateAlignedLoad(m_i32, word(array, index), llvm::Align(4));
  }
  void storeWord(Value* value, llvm::GlobalVariable* array, Value* index) {
    m_b.CreateAlignedStore(value, word(array, index), llvm::Align(4));
  }
  Value* least(Value* a, uint32_t b) {
    return m_b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, llvm::ConstantInt::get(a->getType(), b));
  }
  Value* threadIndex() { return loadBuiltIn(m_unit, m_b, spv::BuiltIn::LocalInvocationIndex, m_i32); }

  void barrier() {
    auto* type = llvm::FunctionType::get(m_b.getVoidTy(), {m_i32, m_i32}, false);
    llvm::FunctionCallee callee = m_unit.module.getOrInsertFunction("air.wg.barrier", type);
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::Convergent);
    m_b.CreateCall(callee, {m_b.getInt32(kBarrierFlags), m_b.getInt32(1)});
  }

  // Zeroes words that only one thread, if any, will write, ahead of all that the function does.
  void clearAtStart(llvm::GlobalVariable* array, uint64_t words) {
    llvm::Instruction* end = m_unit.main->getEntryBlock().getTerminator();
    Value* isFirst = m_b.CreateICmpEQ(threadIndex(), m_b.getInt32(0));
    llvm::BasicBlock* head = end->getParent();
    llvm::BasicBlock* tail = head->splitBasicBlock(end->getIterator());
    auto* clear = llvm::BasicBlock::Create(m_b.getContext(), "", m_unit.main, tail);
    head->getTerminator()->eraseFromParent();
    m_b.SetInsertPoint(head);
    m_b.CreateCondBr(isFirst, clear, tail);
    m_b.SetInsertPoint(clear);
    for (uint64_t i = 0; i < words; ++i)
      storeWord(m_b.getInt32(0), array, m_b.getInt32(static_cast<uint32_t>(i)));
    m_b.CreateBr(tail);
    m_b.SetInsertPoint(end);
    barrier();
  }

  // ---- object stage

  void bindObjectStage(llvm::BasicBlock& epilogue) {
    Value* counts[3] = {m_b.getInt32(0), m_b.getInt32(0), m_b.getInt32(0)};
    if (!m_calls.empty()) {
      llvm::GlobalVariable* grid = threadgroupArray(3, "mesh.grid");
      clearAtStart(grid, 3);
      for (auto& [call, family] : m_calls) {
        m_b.SetInsertPoint(call);
        for (uint32_t axis = 0; axis < 3; ++axis)
          storeWord(m_b.CreateExtractElement(call->getArgOperand(1), axis), grid, m_b.getInt32(axis));
        call->eraseFromParent();
      }
      m_b.SetInsertPoint(epilogue.getTerminator());
      barrier();
      for (uint32_t axis = 0; axis < 3; ++axis) counts[axis] = loadWord(grid, m_b.getInt32(axis));
    }
    m_b.SetInsertPoint(epilogue.getTerminator());
    callInternal(m_unit, m_b, kMeshTasksFunction, m_b.getVoidTy(), {counts[0], counts[1], counts[2]}, false);
  }

  // ---- mesh stage

  base::Result<void> bindMeshStage(llvm::BasicBlock& epilogue) {
    m_unit.binary.maxVertices = m_mesh.maxVertices;
    m_unit.binary.maxPrimitives = m_mesh.maxPrimitives;
    BASANITE_TRY_VOID(makeDataVariables(m_mesh.vertexOutputs, false));
    BASANITE_TRY_VOID(makeDataVariables(m_mesh.primitiveOutputs, true));
    bool counted = false;
    for (auto& [call, family] : m_calls) counted |= family == "set_primitive_count_mesh";
    if (!counted) {
      // Without a count there are no primitives, and nothing to write them with.
      callInternal(m_unit, m_b, kMeshOutputsFunction, m_b.getVoidTy(), {m_b.getInt32(0), m_b.getInt32(0)},
                   false);
      for (auto& [call, family] : m_calls) call->eraseFromParent();
      return {};
    }
    callInternal(m_unit, m_b, kMeshOutputsFunction, m_b.getVoidTy(),
                 {m_b.getInt32(m_mesh.maxVertices), m_b.getInt32(m_mesh.maxPrimitives)}, false);
    m_count = threadgroupArray(1, "mesh.primitive_count");
    // One word more, for indices out of range.
    m_indices =
        threadgroupArray(uint64_t(m_mesh.maxPrimitives) * m_mesh.indicesPerPrimitive + 1, "mesh.indices");
    clearAtStart(m_count, 1);
    for (auto& [call, family] : m_calls) {
      m_b.SetInsertPoint(call);
      BASANITE_TRY_VOID(bindCall(*call, family));
      call->eraseFromParent();
    }
    writePrimitives(epilogue);
    return {};
  }

  struct DataVariable {
    InterfaceVariable variable;
    bool isRead = false; // by the fragment function
  };

  // Declares every member that the fragment function reads, written or not: Vulkan wants the interface to
  // match.
  base::Result<void> makeDataVariables(const std::vector<air::Output>& outputs, bool perPrimitive) {
    std::map<uint32_t, DataVariable>& data = perPrimitive ? m_primitiveData : m_vertexData;
    uint32_t& components = perPrimitive ? m_unit.binary.primitiveComponents : m_unit.binary.vertexComponents;
    for (const air::Output& output : outputs) {
      if (output.kind == "air.primitive_id") m_hasPrimitiveId = true;
      if (output.kind == "air.primitive_culled") m_hasCulled = true;
      if (output.kind == "air.position")
        components += 4;
      else if (output.varying.empty())
        components += std::max(1u, output.arraySize);
      if (output.varying.empty()) continue;
      Type* type = typeNamed(m_b.getContext(), output.typeName);
      if (!type)
        return m_unit.error(
            fmt::format("member \"{}\" of its mesh has the type {}, which cannot cross stages", output.name,
                        output.typeName));
      DataVariable entry;
      auto place = m_unit.varyings->find(output.varying);
      entry.isRead = place != m_unit.varyings->end() && place->second.perPrimitive == perPrimitive;
      entry.variable = arrayVariable(interfaceType(type), perPrimitive);
      entry.variable.name = output.varying;
      if (entry.isRead) {
        auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
        components += vector ? vector->getNumElements() : 1;
        entry.variable.location = place->second.location;
        declareOutput(m_unit, entry.variable);
      }
      data[output.index] = entry;
    }
    return {};
  }

  InterfaceVariable arrayVariable(Type* type, bool perPrimitive) const {
    InterfaceVariable variable;
    variable.isInput = false;
    variable.type = type;
    variable.elements = perPrimitive ? m_mesh.maxPrimitives : m_mesh.maxVertices;
    variable.perPrimitive = perPrimitive;
    return variable;
  }
  void storeBuiltIn(spv::BuiltIn builtIn, bool perPrimitive, Value* element, Value* value) {
    InterfaceVariable variable = arrayVariable(value->getType(), perPrimitive);
    variable.builtIn = builtIn;
    storeElement(m_unit, m_b, variable, element, value);
  }
  // A write out of range lands on the last element instead of in somebody else's memory.
  Value* vertexIndex(Value* index) { return least(index, m_mesh.maxVertices - 1); }
  Value* primitiveIndex(Value* index) { return least(index, m_mesh.maxPrimitives - 1); }

  base::Result<void> bindCall(llvm::CallInst& call, const std::string& family) {
    auto argument = [&](unsigned i) { return call.getArgOperand(i); };
    auto integer = [&](Value* value) { return m_b.CreateZExtOrTrunc(value, m_i32); };
    if (family == "set_position_mesh") {
      Value* vertex = vertexIndex(argument(1));
      InterfaceVariable position = arrayVariable(argument(2)->getType(), false);
      position.builtIn = spv::BuiltIn::Position;
      for (const air::Output& output : m_mesh.vertexOutputs)
        position.invariant |= output.kind == "air.position" && output.invariant;
      storeElement(m_unit, m_b, position, vertex, argument(2));
      // Vulkan wants a size of every point.
      if (m_mesh.indicesPerPrimitive == 1 && !writes("air.point_size"))
        storeBuiltIn(spv::BuiltIn::PointSize, false, vertex, llvm::ConstantFP::get(m_b.getFloatTy(), 1.0));
    } else if (family == "set_point_size_mesh") {
      if (m_mesh.indicesPerPrimitive != 1) return {};
      Value* size = adapt(m_b, argument(2), m_b.getFloatTy());
      if (!size) return m_unit.error("its point size is not a number");
      storeBuiltIn(spv::BuiltIn::PointSize, false, vertexIndex(argument(1)), size);
    } else if (family == "set_clip_distance_mesh") {
      return bindClipDistance(call);
    } else if (family == "set_vertex_data_mesh" || family == "set_primitive_data_mesh") {
      return bindData(call, family == "set_primitive_data_mesh");
    } else if (family == "set_index_mesh") {
      storeIndex(argument(1), argument(2));
    } else if (family == "set_indices_mesh") {
      auto* type = llvm::cast<llvm::FixedVectorType>(argument(2)->getType());
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        storeIndex(m_b.CreateAdd(argument(1), m_b.getInt32(i)),
                   m_b.CreateExtractElement(argument(2), uint64_t(i)));
    } else if (family == "set_primitive_count_mesh") {
      storeWord(least(argument(1), m_mesh.maxPrimitives), m_count, m_b.getInt32(0));
    } else if (family == "set_primitive_id_mesh") {
      storeBuiltIn(spv::BuiltIn::PrimitiveId, true, primitiveIndex(argument(1)), integer(argument(2)));
    } else if (family == "set_primitive_culled_mesh") {
      storeBuiltIn(spv::BuiltIn::CullPrimitiveEXT, true, primitiveIndex(argument(1)), argument(2));
    } else if (family == "set_render_target_array_index_mesh") {
      storeBuiltIn(spv::BuiltIn::Layer, true, primitiveIndex(argument(1)), integer(argument(2)));
    } else if (family == "set_viewport_array_index_mesh") {
      storeBuiltIn(spv::BuiltIn::ViewportIndex, true, primitiveIndex(argument(1)), integer(argument(2)));
    } else {
      return m_unit.error("it calls air." + family + ", which Basanite does not support");
    }
    return {};
  }

  bool writes(const char* kind) const {
    for (const air::Output& output : m_mesh.vertexOutputs)
      if (output.kind == kind) return true;
    return false;
  }

  base::Result<void> bindClipDistance(llvm::CallInst& call) {
    uint32_t count = 0;
    for (const air::Output& output : m_mesh.vertexOutputs)
      if (output.kind == "air.clip_distance") count = std::max(1u, output.arraySize);
    if (count == 0) return m_unit.error("it sets a clip distance that its mesh does not have");
    InterfaceVariable variable = arrayVariable(llvm::ArrayType::get(m_b.getFloatTy(), count), false);
    variable.builtIn = spv::BuiltIn::ClipDistance;
    Value* distance = adapt(m_b, call.getArgOperand(3), m_b.getFloatTy());
    if (!distance) return m_unit.error("its clip distance is not a number");
    storeElement(m_unit, m_b, variable,
                 {vertexIndex(call.getArgOperand(2)), least(call.getArgOperand(1), count - 1)}, distance);
    return {};
  }

  base::Result<void> bindData(llvm::CallInst& call, bool perPrimitive) {
    auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
    std::map<uint32_t, DataVariable>& data = perPrimitive ? m_primitiveData : m_vertexData;
    auto entry = number ? data.find(static_cast<uint32_t>(number->getZExtValue())) : data.end();
    if (entry == data.end())
      return m_unit.error("it sets a member of its mesh that its AIR metadata does not list");
    if (!entry->second.isRead) return {}; // no fragment stage reads it
    Value* value = adapt(m_b, call.getArgOperand(3), entry->second.variable.type);
    if (!value)
      return m_unit.error("member " + entry->second.variable.name + " of its mesh has an unexpected type");
    Value* element =
        perPrimitive ? primitiveIndex(call.getArgOperand(2)) : vertexIndex(call.getArgOperand(2));
    storeElement(m_unit, m_b, entry->second.variable, element, value);
    return {};
  }

  void storeIndex(Value* index, Value* vertex) {
    storeWord(m_b.CreateZExt(vertex, m_i32), m_indices,
              least(index, m_mesh.maxPrimitives * m_mesh.indicesPerPrimitive));
  }

  // for (p = thread; p < maxPrimitives; p += threads): the indices, and whether the primitive exists.
  void writePrimitives(llvm::BasicBlock& epilogue) {
    llvm::LLVMContext& context = m_b.getContext();
    llvm::Instruction* end = epilogue.getTerminator();
    m_b.SetInsertPoint(end);
    barrier();
    Value* count = loadWord(m_count, m_b.getInt32(0));
    Value* thread = threadIndex();
    Value* threads = threadCount(m_unit, m_b);
    llvm::BasicBlock* tail = epilogue.splitBasicBlock(end->getIterator());
    auto* header = llvm::BasicBlock::Create(context, "", m_unit.main, tail);
    auto* body = llvm::BasicBlock::Create(context, "", m_unit.main, tail);
    epilogue.getTerminator()->setSuccessor(0, header);
    m_b.SetInsertPoint(header);
    llvm::PHINode* primitive = m_b.CreatePHI(m_i32, 2);
    primitive->addIncoming(thread, &epilogue);
    m_b.CreateCondBr(m_b.CreateICmpULT(primitive, m_b.getInt32(m_mesh.maxPrimitives)), body, tail);
    m_b.SetInsertPoint(body);
    Value* exists = m_b.CreateICmpULT(primitive, count);
    writeIndices(primitive, exists);
    if (m_unit.fragmentReadsPrimitiveId && !m_hasPrimitiveId)
      storeBuiltIn(spv::BuiltIn::PrimitiveId, true, primitive, primitive);
    if (!m_hasCulled) {
      storeBuiltIn(spv::BuiltIn::CullPrimitiveEXT, true, primitive, m_b.CreateNot(exists));
    } else {
      auto* cull = llvm::BasicBlock::Create(context, "", m_unit.main, tail);
      auto* latch = llvm::BasicBlock::Create(context, "", m_unit.main, tail);
      m_b.CreateCondBr(exists, latch, cull);
      m_b.SetInsertPoint(cull);
      storeBuiltIn(spv::BuiltIn::CullPrimitiveEXT, true, primitive, m_b.getTrue());
      m_b.CreateBr(latch);
      m_b.SetInsertPoint(latch);
    }
    primitive->addIncoming(m_b.CreateAdd(primitive, threads), m_b.GetInsertBlock());
    m_b.CreateBr(header);
  }

  void writeIndices(Value* primitive, Value* exists) {
    const uint32_t count = m_mesh.indicesPerPrimitive;
    Value* first = m_b.CreateMul(primitive, m_b.getInt32(count));
    Value* indices = count == 1 ? nullptr : llvm::PoisonValue::get(llvm::FixedVectorType::get(m_i32, count));
    for (uint32_t i = 0; i < count; ++i) {
      Value* index = loadWord(m_indices, m_b.CreateAdd(first, m_b.getInt32(i)));
      // What the function left unset or out of range must not reach the rasteriser.
      index = m_b.CreateSelect(exists, least(index, m_mesh.maxVertices - 1), m_b.getInt32(0));
      indices = count == 1 ? index : m_b.CreateInsertElement(indices, index, uint64_t(i));
    }
    spv::BuiltIn builtIn = count == 1   ? spv::BuiltIn::PrimitivePointIndicesEXT
                           : count == 2 ? spv::BuiltIn::PrimitiveLineIndicesEXT
                                        : spv::BuiltIn::PrimitiveTriangleIndicesEXT;
    InterfaceVariable variable = arrayVariable(indices->getType(), true);
    variable.builtIn = builtIn;
    variable.perPrimitive = false; // an array over primitives, but not so decorated
    storeElement(m_unit, m_b, variable, primitive, indices);
  }

  Unit& m_unit;
  IRBuilder<> m_b;
  Type* m_i32;
  const air::MeshType m_mesh;
  std::vector<std::pair<llvm::CallInst*, std::string>> m_calls;
  std::map<uint32_t, DataVariable> m_vertexData, m_primitiveData;
  llvm::GlobalVariable* m_count = nullptr;
  llvm::GlobalVariable* m_indices = nullptr;
  bool m_hasPrimitiveId = false, m_hasCulled = false;
};

} // namespace

llvm::GlobalVariable* declareMemory(Unit& unit, Type* type, const std::string& name, unsigned addressSpace) {
  return new llvm::GlobalVariable(unit.module, type, false, llvm::GlobalValue::ExternalLinkage, nullptr, name,
                                  nullptr, llvm::GlobalValue::NotThreadLocal, addressSpace);
}

base::Result<void> bindMesh(Unit& unit) {
  if (unit.entry.stage != Stage::mesh && unit.entry.stage != Stage::object) return {};
  return MeshBinder(unit).run();
}

} // namespace basanite::shader::lower
