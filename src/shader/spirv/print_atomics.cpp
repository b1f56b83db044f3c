// SPDX-License-Identifier: Apache-2.0
// Printer: atomics, of AIR's intrinsics and of LLVM's own instructions.
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace basanite::shader::spirv {

namespace {

// Queue-family scope needs no feature and reaches every thread that may share device memory in one queue.
constexpr uint32_t kDeviceScope = static_cast<uint32_t>(spv::Scope::QueueFamily);
constexpr uint32_t kWorkgroupScope = static_cast<uint32_t>(spv::Scope::Workgroup);

uint32_t mask(spv::MemorySemanticsMask bits) { return static_cast<uint32_t>(bits); }

// Memory semantics of an AIR order (0 relaxed, 2 acquire, 3 release, 4 both, 5 sequential) on one storage class.
uint32_t semantics(uint64_t order, bool threadgroup) {
  if (order == 0) return 0;
  uint32_t storage = mask(threadgroup ? spv::MemorySemanticsMask::WorkgroupMemory : spv::MemorySemanticsMask::UniformMemory);
  if (order == 2) return storage | mask(spv::MemorySemanticsMask::Acquire) | mask(spv::MemorySemanticsMask::MakeVisible);
  if (order == 3) return storage | mask(spv::MemorySemanticsMask::Release) | mask(spv::MemorySemanticsMask::MakeAvailable);
  return storage | mask(spv::MemorySemanticsMask::AcquireRelease) | mask(spv::MemorySemanticsMask::MakeAvailable) |
         mask(spv::MemorySemanticsMask::MakeVisible);
}

// A load may not release, a store may not acquire.
uint64_t loadOrder(uint64_t order) { return order == 0 || order == 3 ? 0 : 2; }
uint64_t storeOrder(uint64_t order) { return order == 0 || order == 2 ? 0 : 3; }

uint64_t orderOf(llvm::AtomicOrdering ordering) {
  switch (ordering) {
  case llvm::AtomicOrdering::Acquire: return 2;
  case llvm::AtomicOrdering::Release: return 3;
  case llvm::AtomicOrdering::AcquireRelease: return 4;
  case llvm::AtomicOrdering::SequentiallyConsistent: return 5;
  default: return 0;
  }
}

} // namespace

std::optional<spv::Op> atomicOperation(std::string_view name, bool isSigned) {
  struct Row {
    std::string_view name;
    spv::Op signedOp, unsignedOp;
  };
  constexpr Row kOperations[] = {
      {"xchg", spv::Op::OpAtomicExchange, spv::Op::OpAtomicExchange}, {"add", spv::Op::OpAtomicIAdd, spv::Op::OpAtomicIAdd},
      {"sub", spv::Op::OpAtomicISub, spv::Op::OpAtomicISub},          {"and", spv::Op::OpAtomicAnd, spv::Op::OpAtomicAnd},
      {"or", spv::Op::OpAtomicOr, spv::Op::OpAtomicOr},               {"xor", spv::Op::OpAtomicXor, spv::Op::OpAtomicXor},
      {"min", spv::Op::OpAtomicSMin, spv::Op::OpAtomicUMin},          {"max", spv::Op::OpAtomicSMax, spv::Op::OpAtomicUMax},
  };
  for (const Row& row : kOperations)
    if (row.name == name) return isSigned ? row.signedOp : row.unsignedOp;
  return std::nullopt;
}

Id Printer::atomicPointer(llvm::Value* pointer, llvm::Type* accessed) {
  unsigned targetSpace = pointer->getType()->getPointerAddressSpace();
  bool longDevice = accessed->isIntegerTy(64) && (targetSpace == 1 || targetSpace == 2);
  if (longDevice) {
    if (!m_unit.traits.int64Atomics) return fail("it uses an atomic operation on a 64-bit value, which the device does not have");
    m_builder.capability(spv::Capability::Int64Atomics);
  }
  if (!accessed->isIntegerTy(32) && !longDevice) {
    std::string name = accessed->isFloatTy() ? "float" : fmt::format("{}-bit", accessed->getScalarSizeInBits());
    return fail("it uses an atomic operation on a " + name + " value, which Basanite does not support");
  }
  unsigned space = pointer->getType()->getPointerAddressSpace();
  if (space == 1 || space == 2) {
    return m_builder.emit(spv::Op::OpConvertUToPtr, m_builder.typePointer(spv::StorageClass::PhysicalStorageBuffer, type(accessed)),
                          {value(pointer)});
  }
  const Object* object = objectOf(pointer);
  if (!object) return 0;
  if (object->elementBytes != 4 || !object->element->isIntegerTy(32))
    return fail("it uses an atomic operation on threadgroup memory that is also accessed in smaller pieces");
  if (object->storage == spv::StorageClass::Function || object->storage == spv::StorageClass::Private)
    return fail("it uses an atomic operation on thread memory");
  return elementPointer(*object, value(pointer), 0);
}

void Printer::atomic(llvm::CallInst& call, const air::IntrinsicName& name) {
  // air.atomic.<global|local>.<operation>[.weak][.s|.u].<type>
  if (name.suffix.size() < 2) {
    fail("it calls " + call.getCalledFunction()->getName().str() + ", which Basanite does not support");
    return;
  }
  bool local = name.suffix[0] == "local" || name.suffix[0] == "object_data";
  const std::string& operation = name.suffix[1];
  Id scope = m_builder.constantU32(local ? kWorkgroupScope : kDeviceScope);
  auto number = [&](unsigned index) {
    auto* constant = index < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index)) : nullptr;
    return constant ? constant->getZExtValue() : uint64_t(0);
  };
  auto sem = [&](uint64_t order) { return m_builder.constantU32(semantics(order, local)); };
  llvm::Value* target = call.getArgOperand(0);
  bool isSigned = name.has("s");

  if (operation == "cmpxchg") {
    // (ptr, thread pointer to expected, desired, success order, failure order, scope, volatile): returns the old value
    // and writes it to expected.
    llvm::Type* type = call.getArgOperand(2)->getType();
    Id pointer = atomicPointer(target, type);
    Id expected = load(type, call.getArgOperand(1), llvm::Align(4), false);
    Id old = m_builder.emit(spv::Op::OpAtomicCompareExchange, this->type(type),
                            {pointer, scope, sem(number(3)), sem(loadOrder(number(4))), value(call.getArgOperand(2)), expected});
    store(old, type, call.getArgOperand(1), llvm::Align(4), false);
    if (!call.getType()->isVoidTy()) define(call, old);
    return;
  }
  if (operation == "load") {
    Id pointer = atomicPointer(target, call.getType());
    define(call, m_builder.emit(spv::Op::OpAtomicLoad, type(call.getType()), {pointer, scope, sem(loadOrder(number(1)))}));
    return;
  }
  llvm::Value* operand = call.getArgOperand(1);
  Id pointer = atomicPointer(target, operand->getType());
  if (operation == "store") {
    m_builder.emitVoid(spv::Op::OpAtomicStore, {pointer, scope, sem(storeOrder(number(2))), value(operand)});
    return;
  }
  if (std::optional<spv::Op> op = atomicOperation(operation, isSigned)) {
    Id old = m_builder.emit(*op, type(operand->getType()), {pointer, scope, sem(number(2)), value(operand)});
    if (!call.getType()->isVoidTy()) define(call, old);
    return;
  }
  fail("it calls " + call.getCalledFunction()->getName().str() + ", which Basanite does not support");
}

void Printer::atomicInstruction(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    uint32_t bits = semantics(4, true) | mask(spv::MemorySemanticsMask::UniformMemory);
    m_builder.emitVoid(spv::Op::OpMemoryBarrier, {m_builder.constantU32(kDeviceScope), m_builder.constantU32(bits)});
    return;
  }
  llvm::Value* target = const_cast<llvm::Value*>(llvm::getLoadStorePointerOperand(&instruction));
  auto* modify = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction);
  if (modify) target = modify->getPointerOperand();
  if (exchange) target = exchange->getPointerOperand();
  bool local = target->getType()->getPointerAddressSpace() == 3;
  Id scope = m_builder.constantU32(local ? kWorkgroupScope : kDeviceScope);
  auto sem = [&](uint64_t order) { return m_builder.constantU32(semantics(order, local)); };
  if (auto* read = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    Id pointer = atomicPointer(target, read->getType());
    return define(instruction, m_builder.emit(spv::Op::OpAtomicLoad, type(read->getType()),
                                              {pointer, scope, sem(loadOrder(orderOf(read->getOrdering())))}));
  }
  if (auto* write = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    Id pointer = atomicPointer(target, write->getValueOperand()->getType());
    return m_builder.emitVoid(spv::Op::OpAtomicStore, {pointer, scope, sem(storeOrder(orderOf(write->getOrdering()))),
                                                       value(write->getValueOperand())});
  }
  if (exchange) {
    Id u32 = type(exchange->getNewValOperand()->getType());
    Id pointer = atomicPointer(target, exchange->getNewValOperand()->getType());
    Id expected = value(exchange->getCompareOperand());
    Id old = m_builder.emit(spv::Op::OpAtomicCompareExchange, u32,
                            {pointer, scope, sem(orderOf(exchange->getSuccessOrdering())),
                             sem(loadOrder(orderOf(exchange->getFailureOrdering()))), value(exchange->getNewValOperand()), expected});
    Id same = m_builder.emit(spv::Op::OpIEqual, m_builder.typeBool(), {old, expected});
    return define(instruction, m_builder.emit(spv::Op::OpCompositeConstruct, type(exchange->getType()), {old, same}));
  }
  llvm::StringRef name = llvm::AtomicRMWInst::getOperationName(modify->getOperation());
  bool isUnsigned = name == "umin" || name == "umax";
  std::optional<spv::Op> op = atomicOperation(isUnsigned ? name.drop_front().str() : name.str(), !isUnsigned);
  if (!op) {
    fail("it uses the atomic operation " + name.str());
    return;
  }
  llvm::Type* type = modify->getValOperand()->getType();
  Id pointer = atomicPointer(target, type);
  define(instruction, m_builder.emit(*op, this->type(type), {pointer, scope, sem(orderOf(modify->getOrdering())),
                                                            value(modify->getValOperand())}));
}

} // namespace basanite::shader::spirv
