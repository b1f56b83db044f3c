// SPDX-License-Identifier: Apache-2.0
// Keeps what the entry function reaches; everything else, metadata included, is dropped.
#include "src/shader/lower/lowering.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

namespace basanite::shader::lower {

namespace {

void reach(llvm::Value* value, llvm::SmallPtrSetImpl<llvm::GlobalObject*>& reached,
           std::vector<llvm::GlobalObject*>& work, llvm::SmallPtrSetImpl<llvm::Constant*>& seen) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !seen.insert(constant).second) return;
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(constant)) {
    if (reached.insert(object).second) work.push_back(object);
    return;
  }
  for (llvm::Use& operand : constant->operands()) reach(operand.get(), reached, work, seen);
}

} // namespace

base::Result<void> pruneModule(Unit& unit) {
  llvm::Module& module = unit.module;
  while (!module.named_metadata_empty()) module.eraseNamedMetadata(&*module.named_metadata_begin());

  llvm::SmallPtrSet<llvm::GlobalObject*, 32> reached;
  llvm::SmallPtrSet<llvm::Constant*, 32> seen;
  std::vector<llvm::GlobalObject*> work;
  reach(unit.entry.function, reached, work, seen);
  while (!work.empty()) {
    llvm::GlobalObject* object = work.back();
    work.pop_back();
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
      if (variable->hasInitializer()) reach(variable->getInitializer(), reached, work, seen);
      continue;
    }
    auto* function = llvm::dyn_cast<llvm::Function>(object);
    if (!function) return unit.error("it uses an alias or an indirect function, which AIR does not have");
    for (llvm::BasicBlock& block : *function)
      for (llvm::Instruction& instruction : block)
        for (llvm::Use& operand : instruction.operands()) reach(operand.get(), reached, work, seen);
  }

  std::vector<llvm::GlobalObject*> dead;
  for (llvm::GlobalObject& object : module.global_objects())
    if (!reached.contains(&object)) dead.push_back(&object);
  for (llvm::GlobalObject* object : dead) {
    if (auto* function = llvm::dyn_cast<llvm::Function>(object)) function->deleteBody();
    if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) variable->setInitializer(nullptr);
  }
  for (llvm::GlobalObject* object : dead) {
    object->removeDeadConstantUsers();
    if (!object->use_empty()) object->replaceAllUsesWith(llvm::PoisonValue::get(object->getType()));
    object->eraseFromParent();
  }
  return {};
}

} // namespace basanite::shader::lower
