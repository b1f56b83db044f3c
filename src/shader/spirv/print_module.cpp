// SPDX-License-Identifier: Apache-2.0
// Printer: types, constants, interface variables, push constants and the entry point.
#include "src/base/shader_abi.hpp"
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader::spirv {

namespace {

// Thread and threadgroup memory and payloads, where a pointer is an offset into one object.
bool isObjectSpace(unsigned addressSpace) { return addressSpace == 0 || addressSpace == 3 || addressSpace == 6; }

} // namespace

base::Result<std::vector<uint32_t>> print(lower::Unit& unit) { return Printer(unit).run(); }

Id Printer::fail(const std::string& what) {
  if (m_error.message.empty()) m_error = m_function ? m_unit.error(*m_function, what) : m_unit.error(what);
  return m_builder.constantU32(0);
}

base::Result<std::vector<uint32_t>> Printer::run() {
  m_builder.capability(spv::Capability::Shader);
  m_builder.capability(spv::Capability::PhysicalStorageBufferAddresses);
  m_builder.capability(spv::Capability::VulkanMemoryModel);
  m_builder.extension("SPV_KHR_physical_storage_buffer");
  printInterface();
  for (llvm::Function& function : m_unit.module)
    if (!function.isDeclaration()) m_functions[&function] = m_builder.newId();
  for (llvm::Function& function : m_unit.module) {
    if (!m_error.message.empty()) break;
    if (!function.isDeclaration()) printFunction(function);
  }
  m_function = nullptr;
  printEntryPoint();
  if (!m_error.message.empty()) return m_error;
  return m_builder.finish();
}

Id Printer::type(llvm::Type* type) {
  if (auto* integer = llvm::dyn_cast<llvm::IntegerType>(type)) {
    switch (integer->getBitWidth()) {
    case 1: return m_builder.typeBool();
    case 8:
      if (!m_unit.traits.int8) return fail("it computes with 8-bit integers, which the device does not have");
      return m_builder.typeInt(8);
    case 16:
      if (!m_unit.traits.int16) return fail("it computes with 16-bit integers, which the device does not have");
      return m_builder.typeInt(16);
    case 32: return m_builder.typeInt(32);
    case 64: return m_builder.typeInt(64);
    default: return fail(fmt::format("it uses a {}-bit integer", integer->getBitWidth()));
    }
  }
  if (type->isVoidTy()) return m_builder.typeVoid();
  if (type->isFloatTy()) return m_builder.typeFloat(32);
  if (type->isHalfTy()) {
    if (!m_unit.traits.float16) return fail("it computes with half (16-bit float), which the device does not have");
    return m_builder.typeFloat(16);
  }
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    unsigned count = vector->getNumElements();
    if (count < 2 || count > 4) return fail(fmt::format("it uses a vector of {} components", count));
    return m_builder.typeVector(this->type(vector->getElementType()), count);
  }
  if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type)) {
    switch (pointer->getAddressSpace()) {
    case 0:
    case 3:
    case 6: return m_builder.typeInt(32);
    case 1:
    case 2: return m_builder.typeInt(64);
    default: return fail(fmt::format("it uses a pointer in address space {}", pointer->getAddressSpace()));
    }
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    Id length = m_builder.constantU32(static_cast<uint32_t>(array->getNumElements()));
    return m_builder.typeArray(this->type(array->getElementType()), length);
  }
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    std::vector<Id> members;
    for (llvm::Type* member : record->elements()) members.push_back(this->type(member));
    return m_builder.typeStruct(members);
  }
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return fail("it uses the type " + text);
}

Id Printer::constant(llvm::Constant* constant) {
  llvm::Type* llvmType = constant->getType();
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant); number && !llvmType->isVectorTy()) {
    Id typeId = type(llvmType);
    if (llvmType->isIntegerTy(1)) return m_builder.constantBool(number->isOne());
    if (!m_error.message.empty()) return typeId;
    return m_builder.constantInt(llvmType->getIntegerBitWidth(), number->getZExtValue());
  }
  if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant); number && !llvmType->isVectorTy()) {
    Id typeId = type(llvmType);
    if (!m_error.message.empty()) return typeId;
    return m_builder.constantFloatBits(llvmType->getPrimitiveSizeInBits(),
                                       number->getValueAPF().bitcastToAPInt().getZExtValue());
  }
  if (llvm::isa<llvm::ConstantPointerNull>(constant))
    return m_builder.constantInt(isObjectSpace(llvmType->getPointerAddressSpace()) ? 32 : 64, 0);
  // An undefined value is printed as zero, so that drivers agree on it.
  if (llvm::isa<llvm::UndefValue>(constant) || constant->isNullValue()) return zero(llvmType);
  if (llvm::isa<llvm::GlobalVariable>(constant)) {
    unsigned space = llvmType->getPointerAddressSpace();
    if (isObjectSpace(space)) return m_builder.constantU32(0);
    return fail("it uses the address of " + constant->getName().str());
  }
  if (auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant)) {
    if (expression->getOpcode() == llvm::Instruction::IntToPtr || expression->getOpcode() == llvm::Instruction::PtrToInt)
      return this->constant(expression->getOperand(0));
    return fail("it uses a constant expression that Basanite does not support");
  }
  if (llvmType->isVectorTy() || llvmType->isAggregateType()) {
    unsigned count = llvmType->isVectorTy()  ? llvm::cast<llvm::FixedVectorType>(llvmType)->getNumElements()
                     : llvmType->isArrayTy() ? static_cast<unsigned>(llvmType->getArrayNumElements())
                                             : llvmType->getStructNumElements();
    std::vector<Id> members;
    for (unsigned i = 0; i < count; ++i) members.push_back(this->constant(constant->getAggregateElement(i)));
    return m_builder.constantComposite(type(llvmType), members);
  }
  return fail("it uses a constant of an unexpected kind");
}

Id Printer::value(llvm::Value* value) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(value)) return this->constant(constant);
  if (llvm::isa<llvm::AllocaInst>(value)) return m_builder.constantU32(0);
  Id& id = m_values[value];
  if (!id) id = m_builder.newId();
  return id;
}

Id Printer::splat(llvm::Type* like, Id scalar) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like);
  if (!vector) return scalar;
  std::vector<Id> members(vector->getNumElements(), scalar);
  return m_builder.constantComposite(type(like), members);
}

Id Printer::intConstant(llvm::Type* like, uint64_t number) {
  return splat(like, m_builder.constantInt(like->getScalarSizeInBits(), number));
}

Id Printer::floatConstant(llvm::Type* like, double number) {
  return constant(llvm::cast<llvm::Constant>(llvm::ConstantFP::get(like, number)));
}

void Printer::define(llvm::Value& value, Id id) {
  Id& known = m_values[&value];
  if (!known) known = id;
  // A phi printed earlier has named the result already.
  else if (known != id) m_builder.emitAs(known, spv::Op::OpCopyObject, type(value.getType()), std::vector<uint32_t>{id});
}

Id Printer::resultId(llvm::Value& value) { return this->value(&value); }

Id Printer::blockId(const llvm::BasicBlock* block) {
  Id& id = m_blocks[block];
  if (!id) id = m_builder.newId();
  return id;
}

// ---- interface ----

Id Printer::variableType(const lower::InterfaceVariable& variable) {
  if (variable.elements) return m_builder.typeArray(type(variable.type), m_builder.constantU32(variable.elements));
  if (!variable.isSigned || !variable.type->isIntOrIntVectorTy()) return type(variable.type);
  Id scalar = m_builder.typeInt(variable.type->getScalarSizeInBits(), true);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(variable.type);
  return vector ? m_builder.typeVector(scalar, vector->getNumElements()) : scalar;
}

Id Printer::variableFor(size_t index) {
  Id& id = m_interface[index];
  if (id) return id;
  const lower::InterfaceVariable& variable = m_unit.variables[index];
  id = m_builder.globalVariable(variable.isInput ? spv::StorageClass::Input : spv::StorageClass::Output, variableType(variable));
  if (!variable.name.empty()) m_builder.name(id, variable.name);
  if (variable.builtIn) {
    m_builder.decorate(id, spv::Decoration::BuiltIn, {static_cast<uint32_t>(*variable.builtIn)});
    switch (*variable.builtIn) {
    case spv::BuiltIn::BaseVertex:
    case spv::BuiltIn::BaseInstance: m_builder.capability(spv::Capability::DrawParameters); break;
    case spv::BuiltIn::SampleId: m_builder.capability(spv::Capability::SampleRateShading); break;
    case spv::BuiltIn::ClipDistance: m_builder.capability(spv::Capability::ClipDistance); break;
    case spv::BuiltIn::PrimitiveId:
      if (!m_unit.meshPipeline) m_builder.capability(spv::Capability::Geometry);
      break;
    case spv::BuiltIn::Layer: m_builder.capability(spv::Capability::ShaderLayer); break;
    case spv::BuiltIn::ViewportIndex: m_builder.capability(spv::Capability::ShaderViewportIndex); break;
    case spv::BuiltIn::BaryCoordKHR:
    case spv::BuiltIn::BaryCoordNoPerspKHR:
      m_builder.capability(spv::Capability::FragmentBarycentricKHR);
      m_builder.extension("SPV_KHR_fragment_shader_barycentric");
      break;
    case spv::BuiltIn::SubgroupId:
    case spv::BuiltIn::SubgroupSize:
    case spv::BuiltIn::SubgroupLocalInvocationId:
    case spv::BuiltIn::NumSubgroups: m_builder.capability(spv::Capability::GroupNonUniform); break;
    default: break;
    }
  } else {
    m_builder.decorate(id, spv::Decoration::Location, {variable.location});
    if (variable.index) m_builder.decorate(id, spv::Decoration::Index, {variable.index});
  }
  if (variable.perPrimitive) m_builder.decorate(id, spv::Decoration::PerPrimitiveEXT);
  if (variable.flat) m_builder.decorate(id, spv::Decoration::Flat);
  if (variable.noPerspective) m_builder.decorate(id, spv::Decoration::NoPerspective);
  if (variable.centroid) m_builder.decorate(id, spv::Decoration::Centroid);
  if (variable.sample) {
    m_builder.decorate(id, spv::Decoration::Sample);
    m_builder.capability(spv::Capability::SampleRateShading);
  }
  if (variable.invariant) m_builder.decorate(id, spv::Decoration::Invariant);
  return id;
}

void Printer::printInterface() {
  // A dual-source output makes Index explicit on its twin too.
  bool dualSource = false;
  for (const lower::InterfaceVariable& variable : m_unit.variables) dualSource |= variable.index != 0;

  // The push-constant block holds only what is read.
  std::map<uint32_t, Id> members;
  for (llvm::Function& function : m_unit.module) {
    llvm::StringRef name = function.getName();
    if (function.use_empty()) continue;
    if (name.consume_front(lower::kRecordFunction)) {
      members[recordOffset()] = m_builder.typeInt(64);
    } else if (name.consume_front(lower::kPushFunction)) {
      members[static_cast<uint32_t>(std::stoul(name.str()))] = type(function.getReturnType());
    } else if (name.consume_front(lower::kOutputFunction) || name.consume_front(lower::kInputFunction)) {
      size_t index = std::stoul(name.str());
      Id id = variableFor(index);
      const lower::InterfaceVariable& variable = m_unit.variables[index];
      if (dualSource && !variable.isInput && !variable.builtIn && !variable.index)
        m_builder.decorate(id, spv::Decoration::Index, {0});
    }
  }
  printMeshInterface();
  if (members.empty()) return;
  std::vector<Id> types;
  for (auto& [offset, memberType] : members) {
    m_pushMembers[offset] = {static_cast<uint32_t>(types.size()), memberType};
    types.push_back(memberType);
  }
  Id block = m_builder.typeBlock(types);
  for (auto& [offset, member] : m_pushMembers) m_builder.memberDecorate(block, member.first, spv::Decoration::Offset, {offset});
  m_pushBlock = m_builder.globalVariable(spv::StorageClass::PushConstant, block);
  m_builder.name(m_pushBlock, "push");
}

Id Printer::pushConstant(uint32_t offset) {
  auto [member, memberType] = m_pushMembers.at(offset);
  Id pointer = m_builder.emit(spv::Op::OpAccessChain, m_builder.typePointer(spv::StorageClass::PushConstant, memberType),
                              {m_pushBlock, m_builder.constantU32(member)});
  return m_builder.emit(spv::Op::OpLoad, memberType, {pointer});
}

uint32_t Printer::recordOffset() const {
  switch (m_unit.entry.stage) {
  case Stage::fragment: return offsetof(base::abi::PushConstants, fragmentRecord);
  case Stage::mesh: return offsetof(base::abi::PushConstants, meshRecord);
  default: return offsetof(base::abi::PushConstants, vertexRecord);
  }
}

Id Printer::recordWord(uint32_t word) {
  Id u64 = m_builder.typeInt(64);
  Id address = add(64, pushConstant(recordOffset()), m_builder.constantInt(64, word * 8));
  Id pointer = m_builder.emit(spv::Op::OpConvertUToPtr, m_builder.typePointer(spv::StorageClass::PhysicalStorageBuffer, u64), {address});
  return m_builder.emit(spv::Op::OpLoad, u64, {pointer, static_cast<uint32_t>(spv::MemoryAccessMask::Aligned), 8});
}

Id Printer::localSize() {
  Id u32 = m_builder.typeInt(32);
  Id sizes[3] = {m_builder.specConstantU32(base::abi::kLocalSizeXConstant, 1),
                 m_builder.specConstantU32(base::abi::kLocalSizeYConstant, 1),
                 m_builder.specConstantU32(base::abi::kLocalSizeZConstant, 1)};
  const Id vector = m_builder.typeVector(u32, 3);
  Id size = m_builder.specConstantComposite(vector, sizes);
  if (m_unit.simdgroupParts > 1) {
    // Invocations are fewer than threads: whole subgroups, one for each simdgroup.
    const uint32_t width = lower::kSimdgroupThreads / m_unit.simdgroupParts;
    auto op = [&](spv::Op code, Id x, Id y) { return m_builder.specConstantOp(code, u32, {x, y}); };
    Id threads = op(spv::Op::OpIMul, op(spv::Op::OpIMul, sizes[0], sizes[1]), sizes[2]);
    Id simdgroups = op(spv::Op::OpUDiv, op(spv::Op::OpIAdd, threads, m_builder.constantU32(lower::kSimdgroupThreads - 1)),
                       m_builder.constantU32(lower::kSimdgroupThreads));
    Id one = m_builder.constantU32(1);
    Id invocations[3] = {op(spv::Op::OpIMul, simdgroups, m_builder.constantU32(width)), one, one};
    Id size3 = m_builder.specConstantComposite(vector, invocations);
    m_builder.decorate(size3, spv::Decoration::BuiltIn, {static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize)});
    return size;
  }
  m_builder.decorate(size, spv::Decoration::BuiltIn, {static_cast<uint32_t>(spv::BuiltIn::WorkgroupSize)});
  return size;
}

void Printer::printEntryPoint() {
  Id main = m_functions[m_unit.main];
  m_builder.name(main, m_unit.entry.name);
  switch (m_unit.entry.stage) {
  case Stage::vertex: m_builder.entryPoint(spv::ExecutionModel::Vertex, main, "main"); break;
  case Stage::kernel:
    m_builder.entryPoint(spv::ExecutionModel::GLCompute, main, "main");
    m_builder.executionMode(main, spv::ExecutionMode::LocalSize, {1, 1, 1}); // overridden by WorkgroupSize
    localSize();
    break;
  case Stage::object:
  case Stage::mesh: printMeshModes(main); break;
  case Stage::fragment:
    m_builder.entryPoint(spv::ExecutionModel::Fragment, main, "main");
    m_builder.executionMode(main, spv::ExecutionMode::OriginUpperLeft);
    if (m_unit.entry.earlyFragmentTests) m_builder.executionMode(main, spv::ExecutionMode::EarlyFragmentTests);
    if (m_unit.rasterOrdered) {
      m_builder.extension("SPV_EXT_fragment_shader_interlock");
      m_builder.capability(spv::Capability::FragmentShaderPixelInterlockEXT);
      m_builder.executionMode(main, spv::ExecutionMode::PixelInterlockOrderedEXT);
    }
    if (m_unit.writesStencil) {
      m_builder.extension("SPV_EXT_shader_stencil_export");
      m_builder.capability(spv::Capability::StencilExportEXT);
      m_builder.executionMode(main, spv::ExecutionMode::StencilRefReplacingEXT);
    }
    if (m_unit.binary.writesDepth) {
      m_builder.executionMode(main, spv::ExecutionMode::DepthReplacing);
      if (m_unit.depthQualifier == "air.greater") m_builder.executionMode(main, spv::ExecutionMode::DepthGreater);
      if (m_unit.depthQualifier == "air.less") m_builder.executionMode(main, spv::ExecutionMode::DepthLess);
    }
    break;
  case Stage::visible: break; // none is a stage
  }
}

void Printer::printFunction(llvm::Function& function) {
  m_function = &function;
  m_blocks.clear();
  Id result = type(function.getReturnType());
  std::vector<Id> parameters;
  for (llvm::Argument& argument : function.args()) parameters.push_back(type(argument.getType()));
  m_builder.beginFunction(m_functions[&function], result, m_builder.typeFunction(result, parameters));
  if (&function != m_unit.main && !function.getName().empty()) m_builder.name(m_functions[&function], function.getName().str());
  for (llvm::Argument& argument : function.args()) define(argument, m_builder.functionParameter(type(argument.getType())));
  const lower::ControlFlow& flow = m_unit.controlFlow.at(&function);
  for (llvm::BasicBlock* block : flow.order) printBlock(*block, flow);
  m_builder.endFunction();
}

} // namespace basanite::shader::spirv
