// SPDX-License-Identifier: Apache-2.0
// Turns memcpy, memmove, memset and accesses of whole structs and arrays into loads and stores of scalars and
// vectors.
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LowerMemIntrinsics.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

constexpr uint64_t kUnrolledBytes = 256;

// The widest integer of at most four bytes that `bytes` is a multiple of and the alignment allows.
unsigned unitFor(uint64_t bytes, llvm::Align align) {
  for (unsigned unit : {4u, 2u})
    if (bytes % unit == 0 && align.value() >= unit) return unit;
  return 1;
}

Value* offsetBy(IRBuilder<>& builder, Value* pointer, uint64_t bytes) {
  return bytes ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, bytes) : pointer;
}

void copyUnrolled(IRBuilder<>& builder, Value* to, llvm::Align toAlign, Value* from, llvm::Align fromAlign,
                  uint64_t bytes) {
  unsigned unit = unitFor(bytes, std::min(toAlign, fromAlign));
  Type* type = builder.getIntNTy(unit * 8);
  std::vector<Value*> values;
  // All loads before all stores: right for overlapping memory too.
  for (uint64_t at = 0; at < bytes; at += unit)
    values.push_back(
        builder.CreateAlignedLoad(type, offsetBy(builder, from, at), llvm::commonAlignment(fromAlign, at)));
  for (uint64_t at = 0; at < bytes; at += unit)
    builder.CreateAlignedStore(values[at / unit], offsetBy(builder, to, at),
                               llvm::commonAlignment(toAlign, at));
}

// A loop of `count` iterations before `before`; `body` gets the index.
template <class Body> void emitLoop(llvm::Instruction* before, Value* count, Body body) {
  llvm::BasicBlock* head = before->getParent();
  llvm::BasicBlock* tail = head->splitBasicBlock(before->getIterator());
  llvm::Function* function = head->getParent();
  auto* loop = llvm::BasicBlock::Create(head->getContext(), "", function, tail);
  auto* block = llvm::BasicBlock::Create(head->getContext(), "", function, tail);
  head->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> builder(loop);
  llvm::PHINode* index = builder.CreatePHI(count->getType(), 2);
  index->addIncoming(llvm::ConstantInt::get(count->getType(), 0), head);
  builder.CreateCondBr(builder.CreateICmpULT(index, count), block, tail);
  builder.SetInsertPoint(block);
  body(builder, index);
  index->addIncoming(builder.CreateAdd(index, llvm::ConstantInt::get(count->getType(), 1)),
                     builder.GetInsertBlock());
  builder.CreateBr(loop);
}

void expandSet(llvm::MemSetInst& set) {
  IRBuilder<> builder(&set);
  Value* to = set.getRawDest();
  llvm::Align align = set.getDestAlign().valueOrOne();
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(set.getLength());
  auto* byte = llvm::dyn_cast<llvm::ConstantInt>(set.getValue());
  uint64_t bytes = length ? length->getZExtValue() : 1;
  unsigned unit = length && byte ? unitFor(bytes, align) : 1;
  Type* type = builder.getIntNTy(unit * 8);
  Value* value =
      byte ? llvm::ConstantInt::get(type, llvm::APInt::getSplat(unit * 8, byte->getValue())) : set.getValue();
  if (length && bytes <= kUnrolledBytes) {
    for (uint64_t at = 0; at < bytes; at += unit)
      builder.CreateAlignedStore(value, offsetBy(builder, to, at), llvm::commonAlignment(align, at));
    return;
  }
  Value* count = length ? llvm::ConstantInt::get(length->getType(), bytes / unit) : set.getLength();
  emitLoop(&set, count, [&](IRBuilder<>& b, Value* index) {
    b.CreateAlignedStore(value, b.CreateGEP(type, to, index), llvm::Align(unit));
  });
}

} // namespace

void expandTransfer(llvm::MemTransferInst& transfer) {
  IRBuilder<> builder(&transfer);
  Value* to = transfer.getRawDest();
  Value* from = transfer.getRawSource();
  llvm::Align toAlign = transfer.getDestAlign().valueOrOne(),
              fromAlign = transfer.getSourceAlign().valueOrOne();
  auto* length = llvm::dyn_cast<llvm::ConstantInt>(transfer.getLength());
  if (length && length->getZExtValue() <= kUnrolledBytes) {
    copyUnrolled(builder, to, toAlign, from, fromAlign, length->getZExtValue());
    return;
  }
  uint64_t bytes = length ? length->getZExtValue() : 1;
  unsigned unit = unitFor(bytes, std::min(toAlign, fromAlign));
  Value* count = length ? llvm::ConstantInt::get(length->getType(), bytes / unit) : transfer.getLength();
  Type* type = builder.getIntNTy(unit * 8);
  emitLoop(&transfer, count, [&](IRBuilder<>& b, Value* index) {
    Value* value = b.CreateAlignedLoad(type, b.CreateGEP(type, from, index), llvm::Align(unit));
    b.CreateAlignedStore(value, b.CreateGEP(type, to, index), llvm::Align(unit));
  });
}

namespace {

struct Leaf {
  Type* type;
  uint64_t offset;
  std::vector<unsigned> path;
};

void collectLeaves(const llvm::DataLayout& layout, Type* type, uint64_t offset, std::vector<unsigned> path,
                   std::vector<Leaf>& leaves) {
  auto descend = [&](unsigned index, Type* member, uint64_t at) {
    std::vector<unsigned> inner = path;
    inner.push_back(index);
    collectLeaves(layout, member, at, std::move(inner), leaves);
  };
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      descend(i, record->getElementType(i), offset + places->getElementOffset(i).getFixedValue());
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    uint64_t stride = layout.getTypeAllocSize(array->getElementType());
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      descend(i, array->getElementType(), offset + i * stride);
  } else {
    leaves.push_back({type, offset, std::move(path)});
  }
}

} // namespace

base::Result<void> expandMemory(Unit& unit) {
  const llvm::DataLayout& layout = unit.module.getDataLayout();
  for (llvm::Function& function : unit.module) {
    std::vector<llvm::Instruction*> work;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) work.push_back(&instruction);
    for (llvm::Instruction* instruction : work) {
      IRBuilder<> builder(instruction);
      if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(instruction)) {
        bool constant = llvm::isa<llvm::ConstantInt>(transfer->getLength());
        if (llvm::isa<llvm::MemMoveInst>(transfer) &&
            (!constant ||
             llvm::cast<llvm::ConstantInt>(transfer->getLength())->getZExtValue() > kUnrolledBytes))
          return unit.error(function,
                            "it moves overlapping memory of more than 256 bytes or of unknown size");
        expandTransfer(*transfer);
        transfer->eraseFromParent();
      } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(instruction)) {
        expandSet(*set);
        set->eraseFromParent();
      } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(instruction);
                 intrinsic && (intrinsic->isLifetimeStartOrEnd() || intrinsic->isAssumeLikeIntrinsic())) {
        if (intrinsic->use_empty()) intrinsic->eraseFromParent();
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
                 load && load->getType()->isAggregateType()) {
        std::vector<Leaf> leaves;
        collectLeaves(layout, load->getType(), 0, {}, leaves);
        Value* whole = llvm::PoisonValue::get(load->getType());
        for (const Leaf& leaf : leaves) {
          Value* part = builder.CreateAlignedLoad(
              leaf.type, offsetBy(builder, load->getPointerOperand(), leaf.offset),
              llvm::commonAlignment(load->getAlign(), leaf.offset), load->isVolatile());
          whole = builder.CreateInsertValue(whole, part, leaf.path);
        }
        load->replaceAllUsesWith(whole);
        load->eraseFromParent();
      } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(instruction);
                 store && store->getValueOperand()->getType()->isAggregateType()) {
        std::vector<Leaf> leaves;
        collectLeaves(layout, store->getValueOperand()->getType(), 0, {}, leaves);
        for (const Leaf& leaf : leaves) {
          Value* part = builder.CreateExtractValue(store->getValueOperand(), leaf.path);
          builder.CreateAlignedStore(part, offsetBy(builder, store->getPointerOperand(), leaf.offset),
                                     llvm::commonAlignment(store->getAlign(), leaf.offset),
                                     store->isVolatile());
        }
        store->eraseFromParent();
      }
    }
  }
  return {};
}

} // namespace basanite::shader::lower
