// SPDX-License-Identifier: Apache-2.0
// Implementation of initial_values.hpp.
#include "src/shader/frontend/initial_values.hpp"

#include "src/shader/air/analyses.hpp"
#include "src/shader/frontend/pointer_passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Evaluator.h>

#include <vector>

namespace basanite::shader::frontend {

namespace {

// Reads a variable that an earlier initialiser should have computed and has not.
bool readsUncomputed(const llvm::Function& function) {
  llvm::SmallPtrSet<const llvm::Value*, 4> written;
  auto visit = [&](auto&& take) {
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block) take(instruction);
  };
  visit([&](const llvm::Instruction& instruction) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) written.insert(llvm::getUnderlyingObject(store->getPointerOperand()));
  });
  bool found = false;
  visit([&](const llvm::Instruction& instruction) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    auto* global = load ? llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(load->getPointerOperand())) : nullptr;
    found |= global && !global->isConstant() && !written.contains(global);
  });
  return found;
}

// Puts the results in place and drops the function. False when something in it has no value yet.
bool compute(llvm::Function& function) {
  if (readsUncomputed(function)) return false;
  llvm::Evaluator evaluator(function.getParent()->getDataLayout(), nullptr);
  llvm::Constant* result = nullptr;
  if (!evaluator.EvaluateFunction(&function, result, llvm::SmallVector<llvm::Constant*, 0>())) return false;
  for (auto& [global, value] : evaluator.getMutatedInitializers()) {
    global->setInitializer(value);
    global->setConstant(true);
  }
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) llvm::cast<llvm::Instruction>(user)->eraseFromParent();
  function.eraseFromParent();
  return true;
}

// The evaluator is at ease with loads and stores at constant places, not with memory intrinsics, generic pointers and loops
// over them.
void simplify(const std::vector<llvm::Function*>& functions) {
  air::Analyses analyses;
  llvm::FunctionPassManager passes;
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes.addPass(llvm::InferAddressSpacesPass(kGeneric));
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3)));
    passes.addPass(llvm::EarlyCSEPass());
  }
  for (llvm::Function* function : functions) passes.run(*function, analyses.functions);
}

} // namespace

std::optional<AirProblem> computeInitialValues(llvm::Module& module) {
  // Declared only: a function constant, whose value comes later.
  bool hasFunctionConstants = llvm::any_of(module.globals(), [](const llvm::GlobalVariable& global) {
    return global.isDeclaration() && (global.getAddressSpace() == kDevice || global.getAddressSpace() == kConstant);
  });
  std::vector<llvm::Function*> initialisers;
  for (llvm::Function& function : module)
    if (function.getName().starts_with(kInitialiserPrefix) && !function.isDeclaration()) initialisers.push_back(&function);
  if (initialisers.empty()) return std::nullopt;
  simplify(initialisers);
  // They are not in the program's order: one may wait for another.
  size_t before = 0;
  do {
    before = initialisers.size();
    llvm::erase_if(initialisers, [](llvm::Function* function) { return compute(*function); });
  } while (initialisers.size() < before);
  if (!initialisers.empty() && !hasFunctionConstants)
    return AirProblem{"", "a program-scope variable has an initial value that is not a constant expression"};
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  if (!list || !initialisers.empty()) return std::nullopt;
  std::vector<llvm::Function*> callers;
  if (list->hasInitializer())
    for (llvm::Value* row : list->getInitializer()->operands())
      if (auto* caller = llvm::dyn_cast_or_null<llvm::Function>(llvm::cast<llvm::Constant>(row)->getAggregateElement(1u)))
        callers.push_back(caller);
  list->eraseFromParent();
  for (llvm::Function* caller : callers) {
    caller->removeDeadConstantUsers();
    if (caller->use_empty()) caller->eraseFromParent();
  }
  return std::nullopt;
}

} // namespace basanite::shader::frontend
