// SPDX-License-Identifier: Apache-2.0
// Rewrites atomic operations on floats as those on their bits: plain SPIR-V has no others. Additions become
// loops of compare and exchange.
#include "src/shader/air/name.hpp"
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/IRBuilder.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// The same intrinsic on 32-bit integers.
Value* onBits(llvm::Module& module, llvm::CallInst& call, const std::string& name,
              const std::vector<Value*>& arguments) {
  IRBuilder<> b(&call);
  std::vector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  Type* result = call.getType()->isFloatTy() ? b.getInt32Ty() : call.getType();
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  Value* made = b.CreateCall(callee, arguments);
  return call.getType()->isFloatTy() ? b.CreateBitCast(made, b.getFloatTy()) : made;
}

// LLVM's order of an AIR one.
llvm::AtomicOrdering orderOf(const llvm::CallInst& call) {
  auto* order = call.arg_size() > 2 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2)) : nullptr;
  switch (order ? order->getZExtValue() : 0) {
  case 2:
    return llvm::AtomicOrdering::Acquire;
  case 3:
    return llvm::AtomicOrdering::Release;
  case 4:
    return llvm::AtomicOrdering::AcquireRelease;
  case 5:
    return llvm::AtomicOrdering::SequentiallyConsistent;
  default:
    return llvm::AtomicOrdering::Monotonic;
  }
}

// old = *p; while (!exchange(p, old, old + x)) old = *p;
Value* addInLoop(llvm::CallInst& call, bool subtract) {
  Value* pointer = call.getArgOperand(0);
  Value* operand = call.getArgOperand(1);
  llvm::BasicBlock* head = call.getParent();
  llvm::BasicBlock* tail = head->splitBasicBlock(call.getIterator());
  auto* loop = llvm::BasicBlock::Create(head->getContext(), "", head->getParent(), tail);
  head->getTerminator()->eraseFromParent();
  IRBuilder<> b(head);
  Type* i32 = b.getInt32Ty();
  auto* first = b.CreateAlignedLoad(i32, pointer, llvm::Align(4));
  first->setAtomic(llvm::AtomicOrdering::Monotonic);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  llvm::PHINode* old = b.CreatePHI(i32, 2);
  Value* before = b.CreateBitCast(old, b.getFloatTy());
  Value* after = subtract ? b.CreateFSub(before, operand) : b.CreateFAdd(before, operand);
  Value* pair = b.CreateAtomicCmpXchg(pointer, old, b.CreateBitCast(after, i32), llvm::Align(4),
                                      orderOf(call), llvm::AtomicOrdering::Monotonic);
  old->addIncoming(first, head);
  old->addIncoming(b.CreateExtractValue(pair, 0), loop);
  b.CreateCondBr(b.CreateExtractValue(pair, 1), tail, loop);
  b.SetInsertPoint(&call);
  return b.CreateBitCast(old, b.getFloatTy());
}

} // namespace

base::Result<void> expandAtomics(Unit& unit) {
  std::vector<std::pair<llvm::CallInst*, air::IntrinsicName>> calls;
  for (llvm::Function& function : unit.module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (!call || !call->getCalledFunction() ||
            !call->getCalledFunction()->getName().starts_with("air.atomic."))
          continue;
        air::IntrinsicName name = air::parseIntrinsic(call->getCalledFunction()->getName().str());
        if (name.suffix.size() >= 3 && name.suffix.back() == "f32") calls.emplace_back(call, std::move(name));
      }
  for (auto& [call, name] : calls) {
    const std::string& operation = name.suffix[1];
    Value* result = nullptr;
    if (operation == "add" || operation == "sub") {
      result = addInLoop(*call, operation == "sub");
    } else if (operation == "load" || operation == "store" || operation == "xchg" || operation == "cmpxchg") {
      std::string bits = call->getCalledFunction()->getName().str();
      bits.replace(bits.size() - 3, 3, "i32");
      IRBuilder<> b(call);
      std::vector<Value*> arguments(call->arg_begin(), call->arg_end());
      for (Value*& argument : arguments)
        if (argument->getType()->isFloatTy()) argument = b.CreateBitCast(argument, b.getInt32Ty());
      result = onBits(unit.module, *call, bits, arguments);
    } else {
      continue; // the printer names it
    }
    if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(result);
    call->eraseFromParent();
  }
  return {};
}

} // namespace basanite::shader::lower
