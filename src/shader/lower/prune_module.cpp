// SPDX-License-Identifier: Apache-2.0
// Keeps what the entry function reaches; everything else, metadata included, is dropped.
#include "src/shader/air/reach.hpp"
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/Constants.h>

namespace basanite::shader::lower {

base::Result<void> pruneModule(llvm::Module& module, const air::EntryPoint& entry) {
  while (!module.named_metadata_empty()) module.eraseNamedMetadata(&*module.named_metadata_begin());

  air::Reach reached;
  reached.add(entry.function);
  for (;;) {
    BASANITE_TRY(llvm::GlobalObject * object, reached.next());
    if (!object) break;
    if (!llvm::isa<llvm::GlobalVariable, llvm::Function>(object))
      return base::Error{titleOf(entry) + ": it uses an indirect function, which AIR does not have."};
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
