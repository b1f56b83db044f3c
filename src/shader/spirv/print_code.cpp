// SPDX-License-Identifier: Apache-2.0
// Printer: blocks, terminators and plain LLVM instructions.
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace basanite::shader::spirv {

void Printer::printBlock(llvm::BasicBlock& block, const lower::ControlFlow& flow) {
  m_builder.label(blockId(&block));
  if (&block == &m_function->getEntryBlock()) {
    // SPIR-V wants a function's variables first.
    for (llvm::BasicBlock& other : *m_function)
      for (llvm::Instruction& instruction : other)
        if (llvm::isa<llvm::AllocaInst>(instruction)) makeObject(&instruction);
    if (m_unit.rasterOrdered && m_function == m_unit.main) m_builder.emitVoid(spv::Op::OpBeginInvocationInterlockEXT, {});
  }
  for (llvm::Instruction& instruction : block) {
    if (!m_error.message.empty()) return;
    if (instruction.isTerminator())
      printTerminator(instruction, flow);
    else
      printInstruction(instruction);
  }
}

void Printer::printTerminator(llvm::Instruction& end, const lower::ControlFlow& flow) {
  // Nothing may stand between the merge and the branch: what the branch needs is printed first.
  Id selector = 0;
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
    selector = value(choice->getCondition());
    if (choice->getCondition()->getType()->getIntegerBitWidth() < 32)
      selector = m_builder.emit(spv::Op::OpUConvert, m_builder.typeInt(32), {selector});
  }
  auto merge = flow.merges.find(end.getParent());
  if (merge != flow.merges.end()) {
    if (merge->second.continueTarget) {
      m_builder.emitVoid(spv::Op::OpLoopMerge,
                         {blockId(merge->second.merge), blockId(merge->second.continueTarget), 0});
    } else {
      m_builder.emitVoid(spv::Op::OpSelectionMerge, {blockId(merge->second.merge), 0});
    }
  }
  if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (branch->isUnconditional()) {
      m_builder.emitVoid(spv::Op::OpBranch, {blockId(branch->getSuccessor(0))});
    } else {
      m_builder.emitVoid(spv::Op::OpBranchConditional,
                         {value(branch->getCondition()), blockId(branch->getSuccessor(0)),
                          blockId(branch->getSuccessor(1))});
    }
    return;
  }
  if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&end)) {
    unsigned width = choice->getCondition()->getType()->getIntegerBitWidth();
    std::vector<uint32_t> words{selector, blockId(choice->getDefaultDest())};
    for (auto& option : choice->cases()) {
      uint64_t number = option.getCaseValue()->getZExtValue();
      words.push_back(static_cast<uint32_t>(number));
      if (width > 32) words.push_back(static_cast<uint32_t>(number >> 32));
      words.push_back(blockId(option.getCaseSuccessor()));
    }
    m_builder.emitVoid(spv::Op::OpSwitch, words);
    return;
  }
  if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&end)) {
    if (m_unit.rasterOrdered && m_function == m_unit.main) m_builder.emitVoid(spv::Op::OpEndInvocationInterlockEXT, {});
    if (m_unit.entry.stage == Stage::object && m_function == m_unit.main)
      printMeshTasks();
    else if (result->getReturnValue())
      m_builder.emitVoid(spv::Op::OpReturnValue, {value(result->getReturnValue())});
    else
      m_builder.emitVoid(spv::Op::OpReturn, {});
    return;
  }
  if (llvm::isa<llvm::UnreachableInst>(end)) {
    m_builder.emitVoid(spv::Op::OpUnreachable, {});
    return;
  }
  fail(fmt::format("it ends a block with {}", end.getOpcodeName()));
}

void Printer::printInstruction(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction)) return;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
    std::vector<uint32_t> words;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      // LLVM lists a block once for each of its edges here (cases of a switch, say), SPIR-V once; the values
      // are the same.
      if (phi->getBasicBlockIndex(phi->getIncomingBlock(i)) != static_cast<int>(i)) continue;
      words.push_back(value(phi->getIncomingValue(i)));
      words.push_back(blockId(phi->getIncomingBlock(i)));
    }
    m_builder.emitAs(resultId(*phi), spv::Op::OpPhi, type(phi->getType()), words);
    return;
  }
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return printCall(*call);
  if (auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (read->isAtomic()) return atomicInstruction(instruction);
    Id loaded = load(read->getType(), read->getPointerOperand(), read->getAlign(), read->isVolatile());
    return define(instruction, loaded);
  }
  if (auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (write->isAtomic()) return atomicInstruction(instruction);
    return store(value(write->getValueOperand()), write->getValueOperand()->getType(),
                 write->getPointerOperand(), write->getAlign(), write->isVolatile());
  }
  if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
      llvm::isa<llvm::FenceInst>(instruction))
    return atomicInstruction(instruction);

  Id id = 0;
  std::vector<uint32_t> words;
  Id resultType = type(instruction.getType());
  auto emit = [&](spv::Op op) { m_builder.emitAs(resultId(instruction), op, resultType, words); };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::GetElementPtr:
    id = elementAddress(llvm::cast<llvm::GetElementPtrInst>(instruction));
    break;
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp:
    id = compare(llvm::cast<llvm::CmpInst>(instruction));
    break;
  case llvm::Instruction::ShuffleVector:
    id = shuffle(llvm::cast<llvm::ShuffleVectorInst>(instruction));
    break;
  case llvm::Instruction::Freeze:
    id = value(instruction.getOperand(0));
    break;
  case llvm::Instruction::FNeg:
    words = {value(instruction.getOperand(0))};
    return emit(spv::Op::OpFNegate);
  case llvm::Instruction::Select:
    words = {value(instruction.getOperand(0)), value(instruction.getOperand(1)),
             value(instruction.getOperand(2))};
    return emit(spv::Op::OpSelect);
  case llvm::Instruction::ExtractElement:
    words = {value(instruction.getOperand(0))};
    if (auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1))) {
      words.push_back(static_cast<uint32_t>(index->getZExtValue()));
      return emit(spv::Op::OpCompositeExtract);
    }
    words.push_back(value(instruction.getOperand(1)));
    return emit(spv::Op::OpVectorExtractDynamic);
  case llvm::Instruction::InsertElement:
    if (auto* index = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(2))) {
      words = {value(instruction.getOperand(1)), value(instruction.getOperand(0)),
               static_cast<uint32_t>(index->getZExtValue())};
      return emit(spv::Op::OpCompositeInsert);
    }
    words = {value(instruction.getOperand(0)), value(instruction.getOperand(1)),
             value(instruction.getOperand(2))};
    return emit(spv::Op::OpVectorInsertDynamic);
  case llvm::Instruction::ExtractValue: {
    auto& extract = llvm::cast<llvm::ExtractValueInst>(instruction);
    if (auto bare = m_bareResults.find(extract.getAggregateOperand()); bare != m_bareResults.end()) {
      define(instruction, extract.getIndices()[0] == 0 ? bare->second : m_builder.constantInt(8, 1));
      return;
    }
    words = {value(extract.getAggregateOperand())};
    words.insert(words.end(), extract.idx_begin(), extract.idx_end());
    return emit(spv::Op::OpCompositeExtract);
  }
  case llvm::Instruction::InsertValue: {
    auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
    words = {value(insert.getInsertedValueOperand()), value(insert.getAggregateOperand())};
    words.insert(words.end(), insert.idx_begin(), insert.idx_end());
    return emit(spv::Op::OpCompositeInsert);
  }
  default:
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
      id = binary(*operation);
    else if (auto* conversion = llvm::dyn_cast<llvm::CastInst>(&instruction))
      id = cast(*conversion);
    else
      fail(fmt::format("it uses the instruction {}, which Basanite does not support",
                       instruction.getOpcodeName()));
  }
  if (m_error.message.empty()) define(instruction, id);
}

Id Printer::binary(llvm::BinaryOperator& operation) {
  llvm::Type* llvmType = operation.getType();
  Id resultType = type(llvmType);
  Id a = value(operation.getOperand(0)), b = value(operation.getOperand(1));
  bool boolean = llvmType->getScalarType()->isIntegerTy(1);
  auto plain = [&](spv::Op op) { return m_builder.emit(op, resultType, {a, b}); };
  auto floating = [&](spv::Op op) {
    Id id = plain(op);
    // What fast math did not allow to contract must stay two roundings.
    if (!operation.hasAllowContract()) m_builder.decorate(id, spv::Decoration::NoContraction);
    return id;
  };
  // A shift past the width is poison in LLVM but may be reached by code whose result is unused; SPIR-V leaves
  // it undefined too.
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return boolean ? plain(spv::Op::OpLogicalNotEqual) : plain(spv::Op::OpIAdd);
  case llvm::Instruction::Sub:
    return boolean ? plain(spv::Op::OpLogicalNotEqual) : plain(spv::Op::OpISub);
  case llvm::Instruction::Mul:
    return boolean ? plain(spv::Op::OpLogicalAnd) : plain(spv::Op::OpIMul);
  case llvm::Instruction::And:
    return boolean ? plain(spv::Op::OpLogicalAnd) : plain(spv::Op::OpBitwiseAnd);
  case llvm::Instruction::Or:
    return boolean ? plain(spv::Op::OpLogicalOr) : plain(spv::Op::OpBitwiseOr);
  case llvm::Instruction::Xor:
    return boolean ? plain(spv::Op::OpLogicalNotEqual) : plain(spv::Op::OpBitwiseXor);
  case llvm::Instruction::UDiv:
    return plain(spv::Op::OpUDiv);
  case llvm::Instruction::SDiv:
    return plain(spv::Op::OpSDiv);
  case llvm::Instruction::URem:
    return plain(spv::Op::OpUMod);
  case llvm::Instruction::SRem: {
    // Vulkan leaves OpSRem undefined for negative operands (an H200 gives 2 for 2 % -2); OpSDiv it defines.
    Id quotient = plain(spv::Op::OpSDiv);
    Id whole = m_builder.emit(spv::Op::OpIMul, resultType, {quotient, b});
    return m_builder.emit(spv::Op::OpISub, resultType, {a, whole});
  }
  case llvm::Instruction::Shl:
    return plain(spv::Op::OpShiftLeftLogical);
  case llvm::Instruction::LShr:
    return plain(spv::Op::OpShiftRightLogical);
  case llvm::Instruction::AShr:
    return plain(spv::Op::OpShiftRightArithmetic);
  case llvm::Instruction::FAdd:
    return floating(spv::Op::OpFAdd);
  case llvm::Instruction::FSub:
    return floating(spv::Op::OpFSub);
  case llvm::Instruction::FMul:
    return floating(spv::Op::OpFMul);
  case llvm::Instruction::FDiv:
    return plain(spv::Op::OpFDiv);
  case llvm::Instruction::FRem:
    return plain(spv::Op::OpFRem);
  default:
    return fail(fmt::format("it uses the instruction {}", operation.getOpcodeName()));
  }
}

Id Printer::compare(llvm::CmpInst& comparison) {
  using Predicate = llvm::CmpInst::Predicate;
  Id resultType = type(comparison.getType());
  llvm::Type* operandType = comparison.getOperand(0)->getType();
  Id a = value(comparison.getOperand(0)), b = value(comparison.getOperand(1));
  auto emit = [&](spv::Op op) { return m_builder.emit(op, resultType, {a, b}); };
  bool boolean = operandType->getScalarType()->isIntegerTy(1);
  auto invert = [&](Id id) { return m_builder.emit(spv::Op::OpLogicalNot, resultType, {id}); };
  if (boolean) {
    auto ordered = [&](Id low, Id high) { // low < high, as unsigned
      return m_builder.emit(spv::Op::OpLogicalAnd, resultType, {invert(low), high});
    };
    switch (comparison.getPredicate()) {
    case Predicate::ICMP_EQ:
      return emit(spv::Op::OpLogicalEqual);
    case Predicate::ICMP_NE:
      return emit(spv::Op::OpLogicalNotEqual);
    case Predicate::ICMP_ULT:
    case Predicate::ICMP_SGT:
      return ordered(a, b);
    case Predicate::ICMP_UGT:
    case Predicate::ICMP_SLT:
      return ordered(b, a);
    case Predicate::ICMP_UGE:
    case Predicate::ICMP_SLE:
      return invert(ordered(a, b));
    default:
      return invert(ordered(b, a));
    }
  }
  switch (comparison.getPredicate()) {
  case Predicate::ICMP_EQ:
    return emit(spv::Op::OpIEqual);
  case Predicate::ICMP_NE:
    return emit(spv::Op::OpINotEqual);
  case Predicate::ICMP_ULT:
    return emit(spv::Op::OpULessThan);
  case Predicate::ICMP_ULE:
    return emit(spv::Op::OpULessThanEqual);
  case Predicate::ICMP_UGT:
    return emit(spv::Op::OpUGreaterThan);
  case Predicate::ICMP_UGE:
    return emit(spv::Op::OpUGreaterThanEqual);
  case Predicate::ICMP_SLT:
    return emit(spv::Op::OpSLessThan);
  case Predicate::ICMP_SLE:
    return emit(spv::Op::OpSLessThanEqual);
  case Predicate::ICMP_SGT:
    return emit(spv::Op::OpSGreaterThan);
  case Predicate::ICMP_SGE:
    return emit(spv::Op::OpSGreaterThanEqual);
  case Predicate::FCMP_OEQ:
    return emit(spv::Op::OpFOrdEqual);
  case Predicate::FCMP_OGT:
    return emit(spv::Op::OpFOrdGreaterThan);
  case Predicate::FCMP_OGE:
    return emit(spv::Op::OpFOrdGreaterThanEqual);
  case Predicate::FCMP_OLT:
    return emit(spv::Op::OpFOrdLessThan);
  case Predicate::FCMP_OLE:
    return emit(spv::Op::OpFOrdLessThanEqual);
  case Predicate::FCMP_ONE:
    return emit(spv::Op::OpFOrdNotEqual);
  case Predicate::FCMP_UEQ:
    return emit(spv::Op::OpFUnordEqual);
  case Predicate::FCMP_UGT:
    return emit(spv::Op::OpFUnordGreaterThan);
  case Predicate::FCMP_UGE:
    return emit(spv::Op::OpFUnordGreaterThanEqual);
  case Predicate::FCMP_ULT:
    return emit(spv::Op::OpFUnordLessThan);
  case Predicate::FCMP_ULE:
    return emit(spv::Op::OpFUnordLessThanEqual);
  case Predicate::FCMP_UNE:
    return emit(spv::Op::OpFUnordNotEqual);
  case Predicate::FCMP_ORD:
  case Predicate::FCMP_UNO: {
    Id nan = m_builder.emit(spv::Op::OpIsNan, resultType, {a});
    if (a != b) {
      Id other = m_builder.emit(spv::Op::OpIsNan, resultType, {b});
      nan = m_builder.emit(spv::Op::OpLogicalOr, resultType, {nan, other});
    }
    return comparison.getPredicate() == Predicate::FCMP_UNO ? nan : invert(nan);
  }
  case Predicate::FCMP_TRUE:
    return splat(comparison.getType(), m_builder.constantBool(true));
  case Predicate::FCMP_FALSE:
    return splat(comparison.getType(), m_builder.constantBool(false));
  default:
    return fail("it uses a comparison that Basanite does not support");
  }
}

Id Printer::bitcast(Id from, llvm::Type* source, llvm::Type* target) {
  if (type(source) == type(target)) return from;
  return m_builder.emit(spv::Op::OpBitcast, type(target), {from});
}

Id Printer::cast(llvm::CastInst& cast) {
  llvm::Type* from = cast.getSrcTy();
  llvm::Type* to = cast.getDestTy();
  Id source = value(cast.getOperand(0));
  Id resultType = type(to);
  auto emit = [&](spv::Op op) { return m_builder.emit(op, resultType, {source}); };
  bool fromBool = from->getScalarType()->isIntegerTy(1), toBool = to->getScalarType()->isIntegerTy(1);
  auto choose = [&](Id whenTrue, Id whenFalse) {
    return m_builder.emit(spv::Op::OpSelect, resultType, {source, whenTrue, whenFalse});
  };
  switch (cast.getOpcode()) {
  case llvm::Instruction::Trunc:
    if (toBool) {
      Id low = m_builder.emit(spv::Op::OpBitwiseAnd, type(from), {source, intConstant(from, 1)});
      return m_builder.emit(spv::Op::OpINotEqual, resultType, {low, zero(from)});
    }
    return emit(spv::Op::OpUConvert);
  case llvm::Instruction::ZExt:
    return fromBool ? choose(intConstant(to, 1), zero(to)) : emit(spv::Op::OpUConvert);
  case llvm::Instruction::SExt:
    return fromBool ? choose(intConstant(to, ~uint64_t(0)), zero(to)) : emit(spv::Op::OpSConvert);
  case llvm::Instruction::UIToFP:
    return fromBool ? choose(floatConstant(to, 1), zero(to)) : emit(spv::Op::OpConvertUToF);
  case llvm::Instruction::SIToFP:
    return fromBool ? choose(floatConstant(to, -1), zero(to)) : emit(spv::Op::OpConvertSToF);
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI:
    if (toBool) return m_builder.emit(spv::Op::OpFUnordNotEqual, resultType, {source, zero(from)});
    return emit(cast.getOpcode() == llvm::Instruction::FPToUI ? spv::Op::OpConvertFToU
                                                              : spv::Op::OpConvertFToS);
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FPExt:
    return emit(spv::Op::OpFConvert);
  case llvm::Instruction::BitCast:
    if (from->getScalarType()->isIntegerTy(1)) return fail("it reinterprets a vector of booleans");
    return bitcast(source, from, to);
  case llvm::Instruction::PtrToInt: {
    unsigned have = m_layout.getPointerSizeInBits(0);
    if (from->getPointerAddressSpace() == 0 || from->getPointerAddressSpace() == 3) have = 32;
    return to->getIntegerBitWidth() == have ? source : emit(spv::Op::OpUConvert);
  }
  case llvm::Instruction::IntToPtr:
    if (to->getPointerAddressSpace() == 0 || to->getPointerAddressSpace() == 3)
      return fail("it makes a thread or threadgroup pointer out of an integer");
    return from->getIntegerBitWidth() == 64 ? source : emit(spv::Op::OpUConvert);
  case llvm::Instruction::AddrSpaceCast: {
    auto isAddress = [](llvm::Type* pointer) {
      unsigned space = pointer->getPointerAddressSpace();
      return space == 1 || space == 2;
    };
    if (isAddress(from) && isAddress(to)) return source;
    return fail(fmt::format("it converts a pointer from address space {} to {}",
                            from->getPointerAddressSpace(), to->getPointerAddressSpace()));
  }
  default:
    return fail(fmt::format("it uses the conversion {}", cast.getOpcodeName()));
  }
}

Id Printer::shuffle(llvm::ShuffleVectorInst& shuffle) {
  Id a = value(shuffle.getOperand(0)), b = value(shuffle.getOperand(1));
  std::vector<uint32_t> words{a, b};
  // A component that nobody defined takes the first one: any value is right, and this one exists everywhere.
  for (int index : shuffle.getShuffleMask()) words.push_back(index < 0 ? 0 : static_cast<uint32_t>(index));
  return m_builder.emit(spv::Op::OpVectorShuffle, type(shuffle.getType()), words);
}

} // namespace basanite::shader::spirv
