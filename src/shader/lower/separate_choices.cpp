// SPDX-License-Identifier: Apache-2.0
// Takes apart pointers that lead to one of several thread or threadgroup variables: SPIR-V's logical pointers
// lead to one.
#include "src/shader/lower/lowering.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <map>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Value;

bool isChoice(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::PHINode, llvm::SelectInst>(instruction) || !instruction.getType()->isPointerTy())
    return false;
  unsigned space = instruction.getType()->getPointerAddressSpace();
  return space == 0 || space == 3;
}

// Does a copy of memory read or write through a choice?
bool throughChoice(const Value* pointer) {
  while (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) pointer = step->getPointerOperand();
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(pointer);
  return instruction && isChoice(*instruction);
}

// Phis, selects and GEPs over pointers that hang together, and the variables they may lead to.
class Web {
 public:
  Web(const llvm::DataLayout& layout, Value* start)
      : m_layout(layout), m_space(start->getType()->getPointerAddressSpace()) {
    m_sound = add(start);
    for (size_t i = 0; m_sound && i < m_members.size(); ++i)
      for (llvm::User* user : m_members[i]->users()) m_sound = m_sound && addUser(user, m_members[i]);
  }

  bool contains(const Value* value) const { return m_members.contains(const_cast<Value*>(value)); }
  // Can it be taken apart, and is there more than one variable?
  bool needsWork() const { return m_sound && m_variables.size() > 1; }

  void run() {
    for (llvm::Instruction* access : m_accesses) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(access))
        rewrite(*load);
      else
        rewrite(*llvm::cast<llvm::StoreInst>(access));
      access->eraseFromParent();
    }
    for (Value* member : m_members) member->replaceAllUsesWith(llvm::PoisonValue::get(member->getType()));
    for (Value* member : m_members) llvm::cast<llvm::Instruction>(member)->eraseFromParent();
  }

 private:
  struct Place {
    Value* number; // of the variable
    Value* offset; // bytes; nullptr: 0
  };

  // A pointer that feeds the web: a member or a variable.
  bool add(Value* pointer) {
    if (llvm::isa<llvm::UndefValue>(pointer)) return true;
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(pointer)) {
      if (!m_members.insert(pointer)) return true;
      auto* instruction = llvm::cast<llvm::Instruction>(pointer);
      for (Value* operand : instruction->operands())
        if (operand->getType()->isPointerTy() && !add(operand)) return false;
      return true;
    }
    if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer)) {
      m_hasOffsets = true;
      // A place in a variable; what else leads there is no part of the web.
      if (!throughChoice(step)) return add(step->getPointerOperand());
      return !m_members.insert(pointer) || add(step->getPointerOperand());
    }
    if (!llvm::isa<llvm::AllocaInst, llvm::GlobalVariable, llvm::Argument>(pointer)) return false;
    m_variables.insert(pointer);
    return true;
  }

  bool addUser(llvm::User* user, const Value* pointer) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user)) {
      m_accesses.insert(load);
      return !load->isAtomic();
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      m_accesses.insert(store);
      return !store->isAtomic() && store->getValueOperand() != pointer;
    }
    if (llvm::isa<llvm::PHINode, llvm::SelectInst>(user)) return add(user);
    if (auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      if (!m_members.insert(step)) return true;
      // What a phi or select takes from it again has an offset.
      for (llvm::User* next : step->users()) m_hasOffsets |= llvm::isa<llvm::PHINode, llvm::SelectInst>(next);
      return true;
    }
    return false;
  }

  llvm::IntegerType* numberType() const { return llvm::Type::getInt32Ty(m_variables[0]->getContext()); }
  llvm::Type* offsetType() const { return m_layout.getIndexType(m_variables[0]->getType()); }

  Place placeOf(Value* pointer) {
    if (auto known = m_places.find(pointer); known != m_places.end()) return known->second;
    if (llvm::isa<llvm::UndefValue>(pointer)) return {llvm::ConstantInt::get(numberType(), 0), nullptr};
    if (!contains(pointer) && !llvm::isa<llvm::GetElementPtrInst>(pointer)) {
      auto at = std::find(m_variables.begin(), m_variables.end(), pointer) - m_variables.begin();
      return {llvm::ConstantInt::get(numberType(), static_cast<uint64_t>(at)), nullptr};
    }
    auto offset = [&](const Place& place) {
      return place.offset ? place.offset : llvm::ConstantInt::get(offsetType(), 0);
    };
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(pointer)) {
      IRBuilder<> builder(phi);
      llvm::PHINode* number = builder.CreatePHI(numberType(), phi->getNumIncomingValues());
      llvm::PHINode* bytes =
          m_hasOffsets ? builder.CreatePHI(offsetType(), phi->getNumIncomingValues()) : nullptr;
      m_places[phi] = {number, bytes};
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
        Place incoming = placeOf(phi->getIncomingValue(i));
        number->addIncoming(incoming.number, phi->getIncomingBlock(i));
        if (bytes) bytes->addIncoming(offset(incoming), phi->getIncomingBlock(i));
      }
      return m_places[phi];
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(pointer)) {
      Place one = placeOf(select->getTrueValue()), other = placeOf(select->getFalseValue());
      IRBuilder<> builder(select);
      Place place{builder.CreateSelect(select->getCondition(), one.number, other.number), nullptr};
      if (one.offset || other.offset)
        place.offset = builder.CreateSelect(select->getCondition(), offset(one), offset(other));
      return m_places[select] = place;
    }
    auto* step = llvm::cast<llvm::GetElementPtrInst>(pointer);
    Place place = placeOf(step->getPointerOperand());
    IRBuilder<> builder(step);
    Value* bytes = llvm::emitGEPOffset(&builder, m_layout, step);
    return m_places[step] = {place.number, place.offset ? builder.CreateAdd(place.offset, bytes) : bytes};
  }

  // Where the access would go were the variable the right one; its start when it is not, which is there in
  // any case.
  struct Candidate {
    Value* isRight;
    Value* pointer;
  };
  Candidate candidate(IRBuilder<>& builder, const Place& place, size_t i) {
    Value* isRight = builder.CreateICmpEQ(place.number, llvm::ConstantInt::get(numberType(), i));
    if (!place.offset) return {isRight, m_variables[i]};
    Value* bytes = place.offset;
    if (!llvm::isa<llvm::Constant>(bytes))
      bytes = builder.CreateSelect(isRight, bytes, llvm::ConstantInt::get(bytes->getType(), 0));
    return {isRight, builder.CreateGEP(builder.getInt8Ty(), m_variables[i], bytes)};
  }

  void rewrite(llvm::LoadInst& load) {
    Place place = placeOf(load.getPointerOperand());
    IRBuilder<> builder(&load);
    Value* value = nullptr;
    for (size_t i = 0; i < m_variables.size(); ++i) {
      Candidate one = candidate(builder, place, i);
      if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(one.isRight); known && known->isZero()) continue;
      Value* loaded =
          builder.CreateAlignedLoad(load.getType(), one.pointer, load.getAlign(), load.isVolatile());
      value = value ? builder.CreateSelect(one.isRight, loaded, value) : loaded;
    }
    load.replaceAllUsesWith(value ? value : llvm::PoisonValue::get(load.getType()));
  }

  void rewrite(llvm::StoreInst& store) {
    Place place = placeOf(store.getPointerOperand());
    for (size_t i = 0; i < m_variables.size(); ++i) {
      IRBuilder<> builder(&store);
      Candidate one = candidate(builder, place, i);
      Value* value = store.getValueOperand();
      if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(one.isRight)) {
        if (known->isOne())
          builder.CreateAlignedStore(value, one.pointer, store.getAlign(), store.isVolatile());
        continue;
      }
      if (m_space == 0) {
        Value* before = builder.CreateAlignedLoad(value->getType(), one.pointer, store.getAlign());
        builder.CreateAlignedStore(builder.CreateSelect(one.isRight, value, before), one.pointer,
                                   store.getAlign());
        continue;
      }
      // Other threads see this memory: what is not stored to is left alone.
      llvm::Instruction* then = llvm::SplitBlockAndInsertIfThen(one.isRight, store.getIterator(), false);
      IRBuilder<>(then).CreateAlignedStore(value, one.pointer, store.getAlign(), store.isVolatile());
    }
  }

  const llvm::DataLayout& m_layout;
  const unsigned m_space;
  bool m_sound = true;
  bool m_hasOffsets = false;
  llvm::SetVector<Value*> m_members;
  llvm::SetVector<Value*> m_variables;
  llvm::SetVector<llvm::Instruction*> m_accesses;
  std::map<Value*, Place> m_places;
};

} // namespace

base::Result<void> separateChoices(Unit& unit) {
  for (llvm::Function& function : unit.module) {
    std::vector<llvm::MemTransferInst*> transfers;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
            transfer && llvm::isa<llvm::ConstantInt>(transfer->getLength()) &&
            (throughChoice(transfer->getRawDest()) || throughChoice(transfer->getRawSource())))
          transfers.push_back(transfer);
    for (llvm::MemTransferInst* transfer : transfers) expandTransfer(*transfer);
    for (llvm::MemTransferInst* transfer : transfers) transfer->eraseFromParent();

    // A web that was taken apart takes its pointers with it: look anew.
    llvm::SmallPtrSet<const Value*, 8> left;
    for (bool again = true; again;) {
      again = false;
      for (llvm::BasicBlock& block : function) {
        for (llvm::Instruction& instruction : block) {
          if (!isChoice(instruction) || left.contains(&instruction)) continue;
          Web web(unit.module.getDataLayout(), &instruction);
          if (web.needsWork()) {
            web.run();
            again = true;
            break;
          }
          left.insert(&instruction);
        }
        if (again) break;
      }
    }
  }
  return {};
}

} // namespace basanite::shader::lower
