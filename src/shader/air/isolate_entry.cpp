// SPDX-License-Identifier: Apache-2.0
// Implementation of isolate_entry.hpp.
#include "src/shader/air/isolate_entry.hpp"

#include "src/shader/air/analyses.hpp"
#include "src/shader/air/module.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/StripDeadPrototypes.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace basanite::shader::air {

namespace {

// Variables that only metadata names, which does not keep them alive: conditions of arguments and function
// constants.
class NamedVariables {
 public:
  void add(const llvm::MDNode& node) {
    if (!m_seen.insert(&node).second) return;
    for (const llvm::MDOperand& operand : node.operands()) {
      if (auto* inner = llvm::dyn_cast_or_null<llvm::MDNode>(operand.get()))
        add(*inner);
      else if (auto* variable = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(operand))
        m_variables.insert(variable);
    }
  }
  const llvm::SmallPtrSetImpl<llvm::GlobalVariable*>& variables() const { return m_variables; }

 private:
  llvm::SmallPtrSet<const llvm::MDNode*, 32> m_seen;
  llvm::SmallPtrSet<llvm::GlobalVariable*, 16> m_variables;
};

void dropUnreached(llvm::Module& module) {
  Analyses analyses;
  llvm::ModulePassManager passes;
  passes.addPass(llvm::GlobalDCEPass());
  passes.addPass(llvm::StripDeadPrototypesPass());
  passes.run(module, analyses.modules);
}

} // namespace

base::Result<void> isolateEntry(llvm::Module& module, Stage stage, const std::string& name) {
  BASANITE_TRY(EntryPoint entry, findEntry(module, stage, name));
  NamedVariables named;
  for (Stage candidate : {Stage::vertex, Stage::fragment, Stage::kernel, Stage::object, Stage::mesh, Stage::visible}) {
    llvm::NamedMDNode* list = module.getNamedMetadata(std::string("air.") + stageName(candidate));
    if (!list) continue;
    llvm::MDNode* kept = nullptr;
    for (llvm::MDNode* node : list->operands()) {
      if (candidate == stage && node->getNumOperands() &&
          llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0)) == entry.function)
        kept = node;
    }
    list->clearOperands();
    if (!kept) {
      list->eraseFromParent();
      continue;
    }
    list->addOperand(kept);
    named.add(*kept);
  }
  if (const llvm::NamedMDNode* constants = module.getNamedMetadata("air.function_constants"))
    for (const llvm::MDNode* node : constants->operands()) named.add(*node);

  for (llvm::Function& function : module)
    if (&function != entry.function && !function.isDeclaration())
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
  std::vector<llvm::GlobalValue*> kept(named.variables().begin(), named.variables().end());
  appendToCompilerUsed(module, kept);
  dropUnreached(module);
  removeFromUsedLists(module, [&](llvm::Constant* constant) {
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant);
    return variable && named.variables().contains(variable);
  });
  return {};
}

} // namespace basanite::shader::air
