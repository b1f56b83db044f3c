// SPDX-License-Identifier: Apache-2.0
// Selective inlining: helpers that are small, called once, or whose parameters SPIR-V functions cannot express.
#include "src/shader/lower/lowering.hpp"

#include <functional>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace basanite::shader::lower {

namespace {

constexpr unsigned kSmallFunction = 60; // instructions

bool expressible(llvm::Type* type) {
  if (auto* pointer = llvm::dyn_cast<llvm::PointerType>(type)) return pointer->getAddressSpace() == 1;
  return type->isVoidTy() || type->isIntOrIntVectorTy() || type->isFPOrFPVectorTy();
}

// Thread and threadgroup pointers belong to one known object in the printer, constant pointers may lead to a
// program-scope table: neither can be a parameter. Handles of textures (AS1) can.
bool mustInline(const llvm::Function& function) {
  if (!expressible(function.getReturnType())) return true;
  for (const llvm::Argument& argument : function.args())
    if (!expressible(argument.getType())) return true;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      // Texture operations trace their sampler to the record; discard must stand in the entry's control flow.
      if (callee && (callee->getName().contains("sample_") || callee->getName().contains("gather_") ||
                     callee->getName().starts_with("air.discard")))
        return true;
    }
  return false;
}

} // namespace

base::Result<void> inlineCalls(Unit& unit) {
  // Bottom-up order of the call graph; a cycle is recursion.
  std::vector<llvm::Function*> order;
  llvm::SmallPtrSet<llvm::Function*, 16> done, active;
  const llvm::Function* recursive = nullptr;
  std::function<void(llvm::Function*)> visit = [&](llvm::Function* function) {
    if (done.contains(function) || function->isDeclaration()) return;
    if (!active.insert(function).second) {
      recursive = function;
      return;
    }
    for (llvm::BasicBlock& block : *function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          if (llvm::Function* callee = call->getCalledFunction()) visit(callee);
        }
    active.erase(function);
    if (done.insert(function).second) order.push_back(function);
  };
  visit(unit.entry.function);
  if (recursive) return unit.error("function " + recursive->getName().str() + " calls itself, which Metal does not allow");

  for (llvm::Function* function : order) {
    std::vector<llvm::CallBase*> calls;
    for (llvm::BasicBlock& block : *function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
          if (llvm::Function* callee = call->getCalledFunction(); callee && !callee->isDeclaration()) calls.push_back(call);
    for (llvm::CallBase* call : calls) {
      llvm::Function* callee = call->getCalledFunction();
      if (unit.simdgroupParts == 1 && !callee->hasOneUse() && callee->getInstructionCount() > kSmallFunction && !mustInline(*callee)) continue;
      callee->removeFnAttr(llvm::Attribute::NoInline);
      callee->removeFnAttr(llvm::Attribute::OptimizeNone);
      llvm::InlineFunctionInfo info;
      llvm::InlineResult result = llvm::InlineFunction(*call, info);
      if (!result.isSuccess()) {
        return unit.error("helper " + callee->getName().str() + " could not be inlined: " + result.getFailureReason());
      }
    }
  }
  for (llvm::Function* function : order)
    if (function != unit.entry.function && function->use_empty()) function->eraseFromParent();
  for (llvm::Function& function : unit.module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
  }
  return {};
}

} // namespace basanite::shader::lower
