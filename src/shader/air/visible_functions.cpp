// SPDX-License-Identifier: Apache-2.0
// Implementation of visible_functions.hpp.
#include "src/shader/air/visible_functions.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>

namespace basanite::shader::air {

void nameReferences(llvm::Module& module) {
  const llvm::NamedMDNode* list = module.getNamedMetadata(kReferenceList);
  if (!list) return;
  for (const llvm::MDNode* row : list->operands()) {
    if (row->getNumOperands() < 3) continue;
    auto* function = llvm::mdconst::dyn_extract_or_null<llvm::Function>(row->getOperand(1));
    auto* name = llvm::dyn_cast_or_null<llvm::MDString>(row->getOperand(2).get());
    if (function && name && function->isDeclaration()) function->setName(kReferencePrefix + name->getString());
  }
}

} // namespace basanite::shader::air
