// SPDX-License-Identifier: Apache-2.0
// Printer: what only mesh and object stages have (SPV_EXT_mesh_shader), and the per-primitive inputs of
// fragment stages.
#include "src/shader/spirv/printer.hpp"

#include <llvm/IR/Constants.h>

namespace basanite::shader::spirv {

void Printer::printMeshInterface() {
  bool needed = m_unit.entry.stage == Stage::mesh || m_unit.entry.stage == Stage::object;
  for (const lower::InterfaceVariable& variable : m_unit.variables)
    needed |= variable.perPrimitive || (m_unit.meshPipeline && variable.builtIn == spv::BuiltIn::PrimitiveId);
  if (!needed) return;
  m_builder.capability(spv::Capability::MeshShadingEXT);
  m_builder.extension("SPV_EXT_mesh_shader");
  if (m_unit.entry.stage == Stage::fragment) return;
  // Outputs that nothing writes are part of the interface all the same.
  for (size_t i = 0; i < m_unit.variables.size(); ++i)
    if (!m_unit.variables[i].isInput) variableFor(i);
  // Ahead of the functions: an object function hands its payload on whether it wrote it or not.
  if (llvm::GlobalVariable* payload = m_unit.module.getGlobalVariable(lower::kPayloadVariable))
    makeObject(payload);
  if (m_unit.entry.stage == Stage::object && m_unit.binary.payloadBytes && !m_payload) makePayload();
}

Id Printer::makePayload() {
  const unsigned unit = m_unit.payloadUnitBytes;
  Id length = m_builder.constantU32((m_unit.binary.payloadBytes + unit - 1) / unit);
  m_payload = m_builder.globalVariable(spv::StorageClass::TaskPayloadWorkgroupEXT,
                                       m_builder.typeArray(m_builder.typeInt(unit * 8), length));
  m_builder.name(m_payload, "payload");
  return m_payload;
}

void Printer::printMeshModes(Id main) {
  const bool mesh = m_unit.entry.stage == Stage::mesh;
  m_builder.entryPoint(mesh ? spv::ExecutionModel::MeshEXT : spv::ExecutionModel::TaskEXT, main, "main");
  m_builder.executionMode(main, spv::ExecutionMode::LocalSize, {1, 1, 1}); // overridden by WorkgroupSize
  localSize();
  if (!mesh) return;
  const air::MeshType& type = *m_unit.entry.mesh;
  m_builder.executionMode(main, spv::ExecutionMode::OutputVertices, {type.maxVertices});
  m_builder.executionMode(main, spv::ExecutionMode::OutputPrimitivesEXT, {type.maxPrimitives});
  m_builder.executionMode(main, type.indicesPerPrimitive == 1   ? spv::ExecutionMode::OutputPoints
                                : type.indicesPerPrimitive == 2 ? spv::ExecutionMode::OutputLinesEXT
                                                                : spv::ExecutionMode::OutputTrianglesEXT);
}

void Printer::printMeshTasks() {
  if (m_meshTasks.size() != 3) {
    fail("it ends without launching its mesh threadgroups");
    return;
  }
  std::vector<uint32_t> words(m_meshTasks.begin(), m_meshTasks.end());
  if (m_payload) words.push_back(m_payload);
  m_builder.emitVoid(spv::Op::OpEmitMeshTasksEXT, words);
}

Id Printer::meshCall(llvm::CallInst& call, llvm::StringRef name) {
  if (name == lower::kMeshOutputsFunction) {
    m_builder.emitVoid(spv::Op::OpSetMeshOutputsEXT,
                       {value(call.getArgOperand(0)), value(call.getArgOperand(1))});
    return 0;
  }
  if (name == lower::kMeshTasksFunction) {
    m_meshTasks.clear();
    for (llvm::Value* count : call.args()) m_meshTasks.push_back(value(count));
    return 0;
  }
  name.consume_front(lower::kElementFunction);
  Id variable = variableFor(std::stoul(name.str()));
  llvm::Value* stored = call.getArgOperand(call.arg_size() - 1);
  std::vector<uint32_t> words{variable};
  for (unsigned i = 0; i + 1 < call.arg_size(); ++i) words.push_back(value(call.getArgOperand(i)));
  Id pointer =
      m_builder.emit(spv::Op::OpAccessChain,
                     m_builder.typePointer(spv::StorageClass::Output, type(stored->getType())), words);
  m_builder.emitVoid(spv::Op::OpStore, {pointer, value(stored)});
  return 0;
}

} // namespace basanite::shader::spirv
