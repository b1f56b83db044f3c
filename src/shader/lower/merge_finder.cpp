// SPDX-License-Identifier: Apache-2.0
// One walk over the dominator tree that assigns merges; what it accepts is what SPIR-V calls structured.
#include "src/shader/lower/merge_finder.hpp"

#include <algorithm>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <set>

namespace basanite::shader::lower {

namespace {

using llvm::BasicBlock;

// Where a block may jump to besides the blocks it dominates.
struct Scope {
  BasicBlock* merge = nullptr;          // of the innermost selection, if that lies within the innermost loop
  BasicBlock* loopMerge = nullptr;      // of the innermost loop
  BasicBlock* continueTarget = nullptr; // of the innermost loop
};

class MergeFinder {
 public:
  MergeFinder(llvm::Function& function, ControlFlow& flow)
      : m_function(function), m_flow(flow), m_dominators(function), m_loops(m_dominators) {}

  std::string run() {
    prepareLoops();
    walk(&m_function.getEntryBlock(), {});
    if (m_problem.empty() && m_flow.order.size() != m_function.size()) fail("a block was not reached");
    return m_problem;
  }

 private:
  struct LoopBlocks {
    BasicBlock* merge = nullptr;
    BasicBlock* continueTarget = nullptr;
  };

  void fail(const char* what) {
    if (m_problem.empty()) m_problem = what;
  }
  BasicBlock* failHere(const char* what) {
    fail(what);
    return nullptr;
  }
  bool failed() const { return !m_problem.empty(); }

  BasicBlock* unreachableBlock() {
    auto* block = BasicBlock::Create(m_function.getContext(), "", &m_function);
    llvm::IRBuilder<>(block).CreateUnreachable();
    return block;
  }

  // Splits every loop header into a block of phis alone (it carries the loop's merge) and the rest, and a latch that
  // does not end in the back edge alone or with the exit.
  void prepareLoops() {
    for (llvm::Loop* loop : m_loops.getLoopsInPreorder()) {
      BasicBlock* header = loop->getHeader();
      BasicBlock* latch = loop->getLoopLatch();
      if (!latch) return fail("a loop has several back edges");
      BasicBlock* rest = llvm::SplitBlock(header, header->getFirstNonPHIIt(), &m_dominators, &m_loops);
      if (latch == header) latch = rest;
      LoopBlocks blocks;
      blocks.merge = chooseMerge(*loop, latch);
      if (failed()) return;
      // Outer loops come first; a block that one of them ends or continues at is not this loop's merge as well.
      if (blocks.merge && !m_taken.insert(blocks.merge).second) {
        std::vector<BasicBlock*> from;
        for (BasicBlock* predecessor : llvm::predecessors(blocks.merge))
          if (loop->contains(predecessor) && !llvm::is_contained(from, predecessor)) from.push_back(predecessor);
        blocks.merge = llvm::SplitBlockPredecessors(blocks.merge, from, ".exit", &m_dominators, &m_loops);
        if (!blocks.merge) return fail("a loop's exit could not be split");
      }
      // The latch is the continue target when it only goes back or out; else a new block is.
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
      bool plain = branch && (branch->isUnconditional() ||
                              (branch->getSuccessor(0) == header && branch->getSuccessor(1) == blocks.merge) ||
                              (branch->getSuccessor(1) == header && branch->getSuccessor(0) == blocks.merge));
      if (plain && latch != rest) {
        blocks.continueTarget = latch;
      } else {
        blocks.continueTarget = llvm::SplitEdge(latch, header, &m_dominators, &m_loops);
        if (!blocks.continueTarget || blocks.continueTarget == latch) return fail("a back edge could not be split");
      }
      m_taken.insert(blocks.continueTarget);
      m_loopBlocks[header] = blocks;
    }
  }

  static bool endsFunction(const BasicBlock* block) { return block->getTerminator()->getNumSuccessors() == 0; }

  BasicBlock* chooseMerge(llvm::Loop& loop, BasicBlock* latch) {
    llvm::SmallVector<BasicBlock*, 4> exits;
    loop.getUniqueExitBlocks(exits);
    // A block that only returns may stay inside the construct; any other exit is where the loop ends.
    BasicBlock* merge = nullptr;
    for (BasicBlock* exit : exits) {
      if (endsFunction(exit)) continue;
      if (merge) {
        fail("a loop is left to several places");
        return nullptr;
      }
      merge = exit;
    }
    if (!merge)
      for (BasicBlock* exit : exits)
        if (llvm::is_contained(llvm::successors(latch), exit)) merge = exit;
    if (!merge && !exits.empty()) merge = exits.front();
    return merge;
  }

  // Blocks that `block` immediately dominates and that are not plainly its own arm.
  std::vector<BasicBlock*> joinsOf(BasicBlock* block, const Scope& scope) {
    std::vector<BasicBlock*> joins;
    for (llvm::DomTreeNode* child : *m_dominators.getNode(block)) {
      BasicBlock* candidate = child->getBlock();
      if (candidate == scope.loopMerge || candidate == scope.continueTarget) continue;
      if (candidate->getUniquePredecessor() == block) continue;
      joins.push_back(candidate);
    }
    return joins;
  }

  // The distinct predecessors of `target` that `block` dominates, but `except` does not.
  std::vector<BasicBlock*> edgesInto(BasicBlock* target, BasicBlock* block, BasicBlock* except) {
    std::vector<BasicBlock*> from;
    for (BasicBlock* predecessor : llvm::predecessors(target)) {
      if (!m_dominators.dominates(block, predecessor)) continue;
      if (except && m_dominators.dominates(except, predecessor)) continue;
      if (!llvm::is_contained(from, predecessor)) from.push_back(predecessor);
    }
    return from;
  }

  // Visits `block` and everything it dominates within the scope, in an order that suits SPIR-V.
  void walk(BasicBlock* block, Scope scope) {
    while (block && !failed()) {
      if (!m_visited.insert(block).second) return fail("a block belongs to two constructs");
      auto loop = m_loopBlocks.find(block);
      block = loop != m_loopBlocks.end() ? walkLoop(block, loop->second, scope) : walkBlock(block, scope);
    }
  }

  // Returns the block to go on with in the same scope.
  BasicBlock* walkLoop(BasicBlock* header, LoopBlocks blocks, const Scope& scope) {
    bool hasExit = blocks.merge != nullptr;
    if (!hasExit) blocks.merge = unreachableBlock();
    m_flow.order.push_back(header);
    m_flow.merges[header] = {blocks.merge, blocks.continueTarget};
    walk(header->getSingleSuccessor(), {nullptr, blocks.merge, blocks.continueTarget});
    if (failed()) return nullptr;
    walk(blocks.continueTarget, {nullptr, blocks.merge, header});
    if (failed()) return nullptr;
    if (!hasExit) {
      m_visited.insert(blocks.merge);
      m_flow.order.push_back(blocks.merge);
      return nullptr;
    }
    return blocks.merge;
  }

  static bool leaves(BasicBlock* target, const Scope& scope) {
    return target == scope.loopMerge || target == scope.continueTarget;
  }

  BasicBlock* walkBlock(BasicBlock* block, const Scope& scope) {
    m_flow.order.push_back(block);
    llvm::Instruction* end = block->getTerminator();
    if (endsFunction(block)) return nullptr;
    if (end->getNumSuccessors() == 1) {
      BasicBlock* next = end->getSuccessor(0);
      if (leaves(next, scope) || next == scope.merge) return nullptr;
      if (m_dominators.getNode(next)->getIDom()->getBlock() == block) return next;
      return failHere("a block jumps out of several constructs");
    }
    if (!llvm::isa<llvm::BranchInst>(end) && !llvm::isa<llvm::SwitchInst>(end))
      return failHere("a terminator is neither branch, switch nor return");
    return walkSelection(block, scope);
  }

  BasicBlock* walkSelection(BasicBlock* block, const Scope& scope) {
    bool isSwitch = llvm::isa<llvm::SwitchInst>(block->getTerminator());
    if (!isSwitch) {
      // With one way out of the loop and one that stays, no merge is needed: a conditional break or continue.
      BasicBlock* first = block->getTerminator()->getSuccessor(0);
      BasicBlock* second = block->getTerminator()->getSuccessor(1);
      if (leaves(first, scope) && leaves(second, scope)) return nullptr;
      if (leaves(first, scope) || leaves(second, scope)) {
        BasicBlock* stays = leaves(first, scope) ? second : first;
        if (stays != scope.merge && stays->getUniquePredecessor() == block) return stays;
      }
    }
    if (isSwitch) {
      // A case may not be the loop's own merge or continue target; a block between the two may jump there.
      for (BasicBlock* target : {scope.loopMerge, scope.continueTarget})
        if (target && llvm::is_contained(llvm::successors(block), target))
          llvm::SplitBlockPredecessors(target, {block}, ".case", &m_dominators, &m_loops);
    }
    std::vector<BasicBlock*> joins = joinsOf(block, scope);
    if (joins.size() > 1) return failHere("a selection has several joins");
    BasicBlock* join = joins.empty() ? nullptr : joins.front();
    BasicBlock* merge = join;
    bool splitMerge = false;
    if (scope.merge) {
      std::vector<BasicBlock*> from = edgesInto(scope.merge, block, join);
      if (!from.empty()) {
        if (join) return failHere("a selection joins in two places");
        merge = llvm::SplitBlockPredecessors(scope.merge, from, ".merge", &m_dominators, &m_loops);
        if (!merge) return failHere("a shared merge could not be split");
        splitMerge = true;
      }
    }
    std::vector<BasicBlock*> arms;
    for (BasicBlock* successor : llvm::successors(block))
      if (!leaves(successor, scope) && successor != merge && !llvm::is_contained(arms, successor)) arms.push_back(successor);
    bool noMerge = merge == nullptr;
    if (noMerge) merge = unreachableBlock();
    m_flow.merges[block] = {merge, nullptr};
    for (BasicBlock* arm : arms) {
      walk(arm, {merge, scope.loopMerge, scope.continueTarget});
      if (failed()) return nullptr;
    }
    if (!noMerge && !splitMerge) return merge;
    // Nothing follows an unreachable merge, and a split one only goes on to the enclosing merge.
    m_visited.insert(merge);
    m_flow.order.push_back(merge);
    return nullptr;
  }

  llvm::Function& m_function;
  ControlFlow& m_flow;
  llvm::DominatorTree m_dominators;
  llvm::LoopInfo m_loops;
  std::map<BasicBlock*, LoopBlocks> m_loopBlocks;
  std::set<BasicBlock*> m_taken; // merges and continue targets of loops
  std::set<BasicBlock*> m_visited;
  std::string m_problem;
};

} // namespace

std::string findMerges(llvm::Function& function, ControlFlow& flow) { return MergeFinder(function, flow).run(); }

} // namespace basanite::shader::lower
