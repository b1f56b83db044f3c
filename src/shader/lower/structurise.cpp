// SPDX-License-Identifier: Apache-2.0
// Structured control flow in two tiers: name the merges of what is structured already; else restructure, then name them.
#include "src/shader/lower/merge_finder.hpp"
#include "src/shader/lower/tidy.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Scalar/StructurizeCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/UnifyFunctionExitNodes.h>
#include <llvm/Transforms/Utils/UnifyLoopExits.h>

namespace basanite::shader::lower {

namespace {

// More blocks than this would take the restructuring passes minutes.
constexpr size_t kBlockBudget = 20000;

// A loop that nothing leaves gets an exit that is never taken, because structured loops have a merge block.
bool giveLoopsExits(llvm::Function& function) {
  bool changed = false;
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exits;
    loop->getExitBlocks(exits);
    if (!exits.empty()) continue;
    auto* latch = loop->getLoopLatch();
    if (!latch) continue;
    if (latch->getTerminator()->getNumSuccessors() != 1) latch = llvm::SplitEdge(latch, loop->getHeader(), &dominators, &loops);
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    if (!branch || branch->isConditional()) continue;
    auto* out = llvm::BasicBlock::Create(function.getContext(), "", &function);
    llvm::IRBuilder<> builder(out);
    if (function.getReturnType()->isVoidTy()) builder.CreateRetVoid();
    else builder.CreateRet(llvm::Constant::getNullValue(function.getReturnType()));
    builder.SetInsertPoint(branch);
    builder.CreateCondBr(builder.getTrue(), branch->getSuccessor(0), out);
    branch->eraseFromParent();
    changed = true;
  }
  return changed;
}

// Gives each way into a short returning block its own copy: early returns then need no common merge.
void separateReturns(llvm::Function& function) {
  std::vector<llvm::BasicBlock*> returning;
  for (llvm::BasicBlock& block : function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator()) && block.hasNPredecessorsOrMore(2)) returning.push_back(&block);
  for (llvm::BasicBlock* block : returning) {
    size_t length = 0;
    bool convergent = false;
    for (llvm::Instruction& instruction : *block) {
      length += !llvm::isa<llvm::PHINode>(instruction);
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      convergent |= call && call->isConvergent();
    }
    if (convergent || length > 32) continue;
    std::vector<llvm::BasicBlock*> from(llvm::pred_begin(block), llvm::pred_end(block));
    std::sort(from.begin(), from.end());
    from.erase(std::unique(from.begin(), from.end()), from.end());
    // The last way in keeps the original. A conditional branch may come in by both edges; both go to the one copy.
    for (size_t i = 0; i + 1 < from.size(); ++i) {
      if (!llvm::isa<llvm::BranchInst>(from[i]->getTerminator())) continue;
      llvm::ValueToValueMapTy map;
      auto* copy = llvm::BasicBlock::Create(function.getContext(), "", &function);
      for (llvm::Instruction& instruction : *block) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
          map[phi] = phi->getIncomingValueForBlock(from[i]);
          continue;
        }
        llvm::Instruction* clone = instruction.clone();
        clone->insertInto(copy, copy->end());
        llvm::RemapInstruction(clone, map, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
        map[&instruction] = clone;
      }
      unsigned edges = 0;
      for (unsigned s = 0; s < from[i]->getTerminator()->getNumSuccessors(); ++s) {
        if (from[i]->getTerminator()->getSuccessor(s) != block) continue;
        from[i]->getTerminator()->setSuccessor(s, copy);
        ++edges;
      }
      for (; edges > 0; --edges) block->removePredecessor(from[i], /*KeepOneInputPHIs=*/true);
    }
  }
}

// `br c, X, X` is `br X`.
void foldTwinBranches(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) != branch->getSuccessor(1)) continue;
    branch->getSuccessor(0)->removePredecessor(&block, /*KeepOneInputPHIs=*/true);
    llvm::IRBuilder<>(branch).CreateBr(branch->getSuccessor(0));
    branch->eraseFromParent();
  }
}

void run(llvm::Function& function, auto... passes) {
  llvm::FunctionPassManager manager;
  (manager.addPass(std::move(passes)), ...);
  runFunctionPasses(function, manager);
}

void restructure(llvm::Function& function) {
  run(function, llvm::LowerSwitchPass(), llvm::FixIrreduciblePass(), llvm::LoopSimplifyPass());
  // Irreducible cycles have only now become loops, some without an exit.
  giveLoopsExits(function);
  run(function, llvm::UnifyFunctionExitNodesPass(), llvm::LoopSimplifyPass(), llvm::UnifyLoopExitsPass(), llvm::StructurizeCFGPass());
  llvm::removeUnreachableBlocks(function);
}

// One try at naming the merges of the function as it is.
std::string attempt(llvm::Function& function, ControlFlow& flow) {
  flow = ControlFlow();
  llvm::removeUnreachableBlocks(function);
  foldTwinBranches(function);
  // Many helpers and shaders are one block and need nothing.
  if (function.size() > 1) {
    run(function, llvm::LoopSimplifyPass());
    if (giveLoopsExits(function)) run(function, llvm::LoopSimplifyPass());
  }
  return findMerges(function, flow);
}

} // namespace

base::Result<void> structurise(Unit& unit) {
  for (llvm::Function& function : unit.module) {
    if (function.isDeclaration()) continue;
    llvm::removeUnreachableBlocks(function);
    if (function.size() > kBlockBudget)
      return unit.error(function, "it has " + std::to_string(function.size()) + " basic blocks, more than can be structured");
    ControlFlow flow;
    std::string problem = attempt(function, flow);
    if (!problem.empty()) {
      separateReturns(function);
      problem = attempt(function, flow);
    }
    if (!problem.empty()) {
      llvm::removeUnreachableBlocks(function);
      restructure(function);
      problem = attempt(function, flow);
    }
    if (!problem.empty()) return unit.error(function, "its control flow could not be structured: " + problem);
    unit.controlFlow[&function] = std::move(flow);
  }
  return {};
}

} // namespace basanite::shader::lower
