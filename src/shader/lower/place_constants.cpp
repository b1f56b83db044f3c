// SPDX-License-Identifier: Apache-2.0
// Moves program-scope constants to address space 0, where pointers are offsets into a known object, and turns constant
// expressions about addresses of program-scope variables into instructions.
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

namespace basanite::shader::lower {

namespace {

// Rewrites the uses of `old` (a pointer in AS 1 or 2) to `now`. False when a use cannot follow.
bool rewriteUses(llvm::Value* old, llvm::Value* now, std::vector<llvm::Instruction*>& dead) {
  std::vector<llvm::Use*> uses;
  for (llvm::Use& use : old->uses()) uses.push_back(&use);
  for (llvm::Use* use : uses) {
    auto* user = llvm::dyn_cast<llvm::Instruction>(use->getUser());
    if (!user) return false;
    if (llvm::isa<llvm::LoadInst>(user)) {
      use->set(now);
    } else if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
      std::vector<llvm::Value*> indices(element->idx_begin(), element->idx_end());
      auto* copy = llvm::GetElementPtrInst::Create(element->getSourceElementType(), now, indices, "", element->getIterator());
      copy->setIsInBounds(element->isInBounds());
      if (!rewriteUses(element, copy, dead)) return false;
      dead.push_back(element);
    } else if (llvm::isa<llvm::AddrSpaceCastInst>(user)) {
      if (!rewriteUses(user, now, dead)) return false;
      dead.push_back(user);
    } else {
      return false;
    }
  }
  return true;
}

} // namespace

base::Result<void> spellOutAddresses(Unit& unit) {
  std::vector<llvm::Constant*> all;
  for (llvm::GlobalVariable& global : unit.module.globals()) all.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(all);
  return {};
}

base::Result<void> placeConstants(Unit& unit) {
  std::vector<llvm::GlobalVariable*> constants;
  for (llvm::GlobalVariable& global : unit.module.globals()) {
    if (global.getAddressSpace() == 3) continue;
    if (!global.hasInitializer() || !global.isConstant())
      return unit.error("it uses the program-scope variable " + global.getName().str() + ", which is not a constant");
    constants.push_back(&global);
  }
  BASANITE_TRY_VOID(spellOutAddresses(unit));
  for (llvm::GlobalVariable* global : constants) {
    if (global->getAddressSpace() == 0) continue;
    auto* moved = new llvm::GlobalVariable(unit.module, global->getValueType(), true, llvm::GlobalValue::InternalLinkage,
                                           global->getInitializer(), "", nullptr, llvm::GlobalValue::NotThreadLocal, 0);
    std::string name = global->getName().str();
    std::vector<llvm::Instruction*> dead;
    global->removeDeadConstantUsers();
    if (!rewriteUses(global, moved, dead)) {
      return unit.error("the address of program-scope constant " + name + " is used in a way that Basanite does not support");
    }
    for (llvm::Instruction* instruction : dead) instruction->eraseFromParent();
    global->eraseFromParent();
    moved->setName(name);
  }
  return {};
}

} // namespace basanite::shader::lower
