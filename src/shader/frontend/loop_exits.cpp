// SPDX-License-Identifier: Apache-2.0
// Implementation of loop_exits.hpp.
#include "src/shader/frontend/loop_exits.hpp"

#include <algorithm>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <set>

namespace basanite::shader::frontend {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using Blocks = llvm::SetVector<BasicBlock*>;

constexpr const char* kFlagFunction = "air.loop_flag.i32";
// Each loop is changed at most once, and new ones are not made; this only ends what should not happen.
constexpr unsigned kMostLoops = 1000;

// Functions over the simdgroup, and functions of the program that use one.
std::set<const llvm::Function*> meetingFunctions(llvm::Module& module) {
  std::set<const llvm::Function*> meeting;
  for (llvm::Function& function : module)
    if (function.isDeclaration() &&
        (function.getName().starts_with("air.simd_") || function.getName().starts_with("air.quad_")))
      meeting.insert(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : module) {
      if (meeting.contains(&function)) continue;
      for (Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (!call || !meeting.contains(call->getCalledFunction())) continue;
        meeting.insert(&function);
        changed = true;
        break;
      }
    }
  }
  return meeting;
}

class ExitKeeper {
 public:
  ExitKeeper(llvm::Function& function, const std::set<const llvm::Function*>& meeting)
      : m_function(function), m_meeting(meeting) {}

  void run() {
    for (unsigned round = 0; round < kMostLoops; ++round)
      if (!changeOne()) return;
  }

 private:
  // Where a loop goes on after its end, or a function after all its returns.
  static bool isEnd(const BasicBlock& block) {
    const llvm::StringRef name = block.getName();
    return name.starts_with("for.end") || name.starts_with("while.end") || name.starts_with("do.end");
  }
  bool meets(const BasicBlock& block) const {
    return std::any_of(block.begin(), block.end(), [&](const Instruction& instruction) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      return call && m_meeting.contains(call->getCalledFunction());
    });
  }

  // What the program has in `loop` behind an edge that leads out of it.
  Blocks regionBehind(BasicBlock* exit, llvm::Loop& loop) const {
    Blocks region;
    std::vector<BasicBlock*> next = {exit};
    while (!next.empty()) {
      BasicBlock* block = next.back();
      next.pop_back();
      if (region.contains(block) || loop.contains(block) || !m_dominators.dominates(loop.getHeader(), block))
        continue;
      if (block->getName().starts_with("return")) continue;
      if (isEnd(*block) && !endsInside(*block, region)) continue;
      region.insert(block);
      next.insert(next.end(), llvm::succ_begin(block), llvm::succ_end(block));
    }
    return region;
  }
  // Whether the end is one of a loop in the region.
  bool endsInside(const BasicBlock& end, const Blocks& region) const {
    return std::any_of(llvm::pred_begin(&end), llvm::pred_end(&end), [&](const BasicBlock* from) {
      const llvm::Loop* inner = m_loops.getLoopFor(from);
      if (!region.contains(const_cast<BasicBlock*>(from))) return false;
      return m_dispatches.contains(from) ||
             (inner && !inner->contains(&end) && region.contains(inner->getHeader()));
    });
  }

  bool changeOne() {
    llvm::removeUnreachableBlocks(m_function);
    m_dominators.recalculate(m_function);
    m_loops.releaseMemory();
    m_loops.analyze(m_dominators);
    llvm::SmallVector<llvm::Loop*, 8> loops = m_loops.getLoopsInPreorder();
    // Inner loops first: what goes round in them is in the outer ones too.
    for (llvm::Loop* loop : llvm::reverse(loops)) {
      if (m_done.contains(loop->getHeader()) || !loop->getHeader()->phis().empty()) continue;
      llvm::SmallVector<std::pair<BasicBlock*, BasicBlock*>, 4> exits;
      loop->getExitEdges(exits);
      Blocks region;
      for (auto [from, to] : exits) {
        const Blocks behind = regionBehind(to, *loop);
        if (std::any_of(behind.begin(), behind.end(), [&](BasicBlock* block) { return meets(*block); }))
          region.insert(behind.begin(), behind.end());
      }
      if (region.empty()) continue;
      m_done.insert(loop->getHeader());
      keep(*loop, region);
      return true;
    }
    return false;
  }

  void keep(llvm::Loop& loop, Blocks& region) {
    llvm::LLVMContext& context = m_function.getContext();
    BasicBlock* header = loop.getHeader();
    // A return gets a block of its own, which stays outside.
    for (BasicBlock* block : Blocks(region))
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator()))
        llvm::SplitBlock(block, end)->setName("return.kept");
    demoteAcross(loop, region);

    llvm::IRBuilder<> b(&m_function.getEntryBlock(), m_function.getEntryBlock().begin());
    llvm::AllocaInst* flag = b.CreateAlloca(b.getInt32Ty());
    BasicBlock* head = BasicBlock::Create(context, "loop.head", &m_function, header);
    BasicBlock* dispatch = BasicBlock::Create(context, "loop.dispatch", &m_function);
    m_dispatches.insert(dispatch);
    m_done.insert(head);
    for (BasicBlock* from : llvm::SmallVector<BasicBlock*, 4>(llvm::predecessors(header))) {
      if (!loop.contains(from)) b.SetInsertPoint(from->getTerminator()), b.CreateStore(b.getInt32(0), flag);
      from->getTerminator()->replaceSuccessorWith(header, head);
    }
    b.SetInsertPoint(head);
    auto* function =
        llvm::cast<llvm::Function>(m_function.getParent()
                                       ->getOrInsertFunction(kFlagFunction, b.getInt32Ty(), b.getInt32Ty())
                                       .getCallee());
    function->setConvergent();
    llvm::CallInst* seen = b.CreateCall(function, {b.CreateLoad(b.getInt32Ty(), flag)});
    b.CreateCondBr(b.CreateICmpEQ(seen, b.getInt32(0)), header, dispatch);

    // Each way out of the region, once.
    llvm::MapVector<BasicBlock*, llvm::ConstantInt*> ways;
    for (BasicBlock* block : region) {
      Instruction* end = block->getTerminator();
      for (unsigned s = 0; s < end->getNumSuccessors(); ++s) {
        BasicBlock* to = end->getSuccessor(s);
        if (region.contains(to) || to == head || loop.contains(to)) continue;
        auto [way, isNew] = ways.insert({to, nullptr});
        if (isNew) way->second = b.getInt32(static_cast<uint32_t>(ways.size()));
        BasicBlock* leave = BasicBlock::Create(context, "loop.leave", &m_function, dispatch);
        b.SetInsertPoint(leave);
        b.CreateStore(way->second, flag);
        b.CreateBr(head);
        end->setSuccessor(s, leave);
      }
    }
    b.SetInsertPoint(dispatch);
    auto* choice = b.CreateSwitch(b.CreateLoad(b.getInt32Ty(), flag), ways.front().first,
                                  static_cast<unsigned>(ways.size()));
    for (auto& [to, number] : ways)
      if (to != ways.front().first) choice->addCase(number, to);
  }

  // Values of the loop and the region that are used behind them, where they do not dominate any more.
  void demoteAcross(llvm::Loop& loop, const Blocks& region) {
    auto inside = [&](const BasicBlock* block) {
      return loop.contains(block) || region.contains(const_cast<BasicBlock*>(block));
    };
    std::vector<llvm::PHINode*> phis;
    std::vector<Instruction*> values;
    for (BasicBlock& block : m_function) {
      const bool here = inside(&block);
      for (Instruction& instruction : block) {
        auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
        if (phi && !here && std::any_of(phi->block_begin(), phi->block_end(), [&](BasicBlock* from) {
              return region.contains(from);
            }))
          phis.push_back(phi);
        if (here && std::any_of(instruction.user_begin(), instruction.user_end(), [&](llvm::User* user) {
              return !inside(llvm::cast<Instruction>(user)->getParent());
            }))
          values.push_back(&instruction);
      }
    }
    for (llvm::PHINode* phi : phis) llvm::DemotePHIToStack(phi);
    for (Instruction* value : values) llvm::DemoteRegToStack(*value);
  }

  llvm::Function& m_function;
  const std::set<const llvm::Function*>& m_meeting;
  llvm::DominatorTree m_dominators;
  llvm::LoopInfo m_loops;
  std::set<const BasicBlock*> m_dispatches; // where changed loops lead out
  std::set<const BasicBlock*> m_done;       // headers of changed loops, before and after
};

} // namespace

void keepLoopExits(llvm::Module& module) {
  const std::set<const llvm::Function*> meeting = meetingFunctions(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && meeting.contains(&function)) ExitKeeper(function, meeting).run();
}

} // namespace basanite::shader::frontend
