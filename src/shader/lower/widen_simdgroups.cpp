// SPDX-License-Identifier: Apache-2.0
// Kernels that look at their simdgroup, on devices with subgroups of fewer than 32 threads: each invocation
// is made to run several threads (its parts), with a mask for each part instead of jumps.
//
// Blocks are laid out in topological order. A block runs once for each part whose mask says so; it sets the
// masks of the blocks that it branches to. A loop is left when no part has to go round again. Where threads
// of a simdgroup meet (air.simd_*, barriers), all parts have run up to there, so the operation sees the
// values of all. Values that live from one block to another travel in variables, which SROA makes values
// again (tidy).
#include "src/shader/air/name.hpp"
#include "src/shader/lower/interface_builder.hpp"
#include "src/shader/lower/simdgroup_parts.hpp"
#include "src/shader/lower/tidy.hpp"

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/FixIrreducible.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace basanite::shader::lower {

namespace {

using llvm::BasicBlock;
using llvm::Instruction;
using llvm::Type;
using llvm::Value;

llvm::Function* calledDeclaration(const Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() ? callee : nullptr;
}

bool looksAtSimdgroup(llvm::StringRef name) {
  return (name.starts_with("air.simd_") && name != "air.simd_is_helper_thread") ||
         name.starts_with("air.get_simdgroup_size") ||
         name.starts_with("air.get_thread_index_in_simdgroup") || name.starts_with("air.simdgroup.barrier");
}

bool isBarrier(llvm::StringRef name) {
  return name.starts_with("air.wg.barrier") || name.starts_with("air.simdgroup.barrier");
}

bool isMeetingPlace(const Instruction& instruction) {
  llvm::Function* callee = calledDeclaration(instruction);
  if (!callee) return false;
  llvm::StringRef name = callee->getName();
  return isBarrier(name) || name.starts_with("air.quad_") ||
         (name.starts_with("air.simd_") && name != "air.simd_is_helper_thread");
}

// The built-in input that the instruction reads, if it is one.
std::optional<spv::BuiltIn> builtInOf(const Unit& unit, const Instruction& instruction) {
  llvm::Function* callee = calledDeclaration(instruction);
  llvm::StringRef name = callee ? callee->getName() : llvm::StringRef();
  unsigned number = 0;
  if (!name.consume_front(kInputFunction) || name.getAsInteger(10, number)) return std::nullopt;
  return unit.variables[number].builtIn;
}

class Widener {
 public:
  explicit Widener(Unit& unit)
      : m_unit(unit), m_function(*unit.main), m_parts(unit.simdgroupParts),
        m_width(kSimdgroupThreads / unit.simdgroupParts), b(unit.module.getContext()) {}

  base::Result<void> run();

 private:
  void prepare();
  void collectShared();
  bool isShared(const Instruction& instruction) const;
  void repeatAddresses();
  void demote();
  base::Result<void> begin();
  base::Result<void> emitLevel(llvm::Loop* level);
  base::Result<void> emitLoop(llvm::Loop* loop);
  base::Result<void> emitBlock(BasicBlock& block);
  base::Result<void> emitMeeting(BasicBlock& block);
  void emitPart(BasicBlock& block, unsigned part);
  void leave(Instruction& terminator, unsigned part);
  PartValues takeMasks(BasicBlock& block);
  Value* mapped(Value* value, unsigned part) {
    auto found = m_values[part].find(value);
    return found == m_values[part].end() ? value : static_cast<Value*>(found->second);
  }
  // Emitting continues in `block`.
  void go(BasicBlock* block) { b.SetInsertPoint(block); }
  BasicBlock* newBlock() { return BasicBlock::Create(b.getContext(), "", &m_function); }

  Unit& m_unit;
  llvm::Function& m_function;
  const unsigned m_parts, m_width;
  llvm::IRBuilder<> b;
  std::vector<BasicBlock*> m_order; // of the original blocks, reverse post-order
  llvm::DominatorTree m_dominators;
  llvm::LoopInfo m_loops;
  llvm::SmallPtrSet<llvm::Loop*, 8> m_emittedLoops;
  llvm::SmallPtrSet<const Instruction*, 32> m_shared;   // the same for all parts, computed at the start
  std::vector<llvm::DenseMap<Value*, Value*>> m_values; // by part
  llvm::DenseMap<BasicBlock*, llvm::SmallVector<llvm::AllocaInst*, 8>>
      m_masks; // of each block: a part has to run it
  std::unique_ptr<GroupOperations> m_operations;
};

// Branches and returns only, reducible, each meeting place in a block of its own.
void Widener::prepare() {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::LowerSwitchPass());
  passes.addPass(llvm::FixIrreduciblePass());
  runFunctionPasses(m_function, passes);
  llvm::removeUnreachableBlocks(m_function);
  std::vector<Instruction*> meetings;
  for (BasicBlock& block : m_function)
    for (Instruction& instruction : block)
      if (isMeetingPlace(instruction)) meetings.push_back(&instruction);
  for (Instruction* meeting : meetings) {
    llvm::SplitBlock(meeting->getParent(), meeting);
    llvm::SplitBlock(meeting->getParent(), meeting->getNextNode());
  }
}

// What every thread computes alike - words of the record, push constants - and nothing can be wrong about
// computing early.
bool Widener::isShared(const Instruction& instruction) const {
  if (instruction.isTerminator() || llvm::isa<llvm::PHINode, llvm::AllocaInst>(instruction) ||
      instruction.mayReadOrWriteMemory())
    return false;
  if (llvm::Function* callee = calledDeclaration(instruction)) {
    // A subgroup is a simdgroup, so these are as they are.
    if (const auto builtIn = builtInOf(m_unit, instruction))
      return builtIn == spv::BuiltIn::WorkgroupId || builtIn == spv::BuiltIn::NumWorkgroups ||
             builtIn == spv::BuiltIn::SubgroupId || builtIn == spv::BuiltIn::NumSubgroups;
    if (!callee->getName().starts_with("basanite.") && !callee->isIntrinsic()) return false;
  } else if (!llvm::isSafeToSpeculativelyExecute(&instruction)) {
    return false;
  }
  for (const Value* operand : instruction.operands()) {
    auto* other = llvm::dyn_cast<Instruction>(operand);
    if (other && !m_shared.contains(other)) return false;
  }
  return true;
}

void Widener::collectShared() {
  // Reverse post-order meets operands before their users, but for phis, which are never shared.
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&m_function);
  for (BasicBlock* block : order)
    for (Instruction& instruction : *block)
      if (isShared(instruction)) m_shared.insert(&instruction);
}

// Addresses of thread and threadgroup memory are computed anew in each block that uses them: in the printer
// they belong to one known object, which a variable would hide.
void Widener::repeatAddresses() {
  auto isAddress = [&](Instruction& instruction) {
    return instruction.getType()->isPointerTy() &&
           llvm::isa<llvm::GetElementPtrInst, llvm::CastInst>(instruction) &&
           !m_shared.contains(&instruction);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (BasicBlock& block : m_function) {
      for (Instruction& instruction : llvm::make_early_inc_range(block)) {
        if (!isAddress(instruction)) continue;
        llvm::DenseMap<BasicBlock*, Instruction*> copies;
        for (llvm::Use& use : llvm::make_early_inc_range(instruction.uses())) {
          auto* user = llvm::cast<Instruction>(use.getUser());
          auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
          BasicBlock* where = phi ? phi->getIncomingBlock(use) : user->getParent();
          if (where == &block) continue;
          Instruction*& copy = copies[where];
          if (!copy) {
            copy = instruction.clone();
            copy->insertBefore(*where, where->getFirstInsertionPt());
            changed = true;
          }
          use.set(copy);
        }
        if (instruction.use_empty()) instruction.eraseFromParent();
      }
    }
  }
}

void Widener::demote() {
  std::vector<llvm::PHINode*> phis;
  for (BasicBlock& block : m_function)
    for (llvm::PHINode& phi : block.phis()) phis.push_back(&phi);
  for (llvm::PHINode* phi : phis) llvm::DemotePHIToStack(phi);
  std::vector<Instruction*> values;
  for (BasicBlock& block : m_function)
    for (Instruction& instruction : block) {
      if (llvm::isa<llvm::AllocaInst>(instruction) || m_shared.contains(&instruction) ||
          builtInOf(m_unit, instruction))
        continue;
      for (llvm::User* user : instruction.users())
        if (llvm::cast<Instruction>(user)->getParent() != &block) {
          values.push_back(&instruction);
          break;
        }
    }
  for (Instruction* value : values) llvm::DemoteRegToStack(*value);
}

// The new entry block: variables, what all parts share, and each part's built-in inputs.
base::Result<void> Widener::begin() {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&m_function);
  m_order.assign(order.begin(), order.end());
  m_dominators.recalculate(m_function);
  m_loops.analyze(m_dominators);

  BasicBlock* oldEntry = &m_function.getEntryBlock();
  BasicBlock* entry = BasicBlock::Create(b.getContext(), "", &m_function, oldEntry);
  go(entry);
  m_values.resize(m_parts);
  for (BasicBlock* block : m_order) {
    auto& masks = m_masks[block];
    for (unsigned p = 0; p < m_parts; ++p) masks.push_back(b.CreateAlloca(b.getInt1Ty()));
    for (Instruction& instruction : *block) {
      if (!llvm::isa<llvm::AllocaInst>(instruction)) continue;
      for (unsigned p = 0; p < m_parts; ++p) m_values[p][&instruction] = b.Insert(instruction.clone());
    }
  }
  for (auto& [block, masks] : m_masks)
    for (llvm::AllocaInst* mask : masks) b.CreateStore(b.getFalse(), mask);
  for (BasicBlock* block : m_order)
    for (Instruction& instruction : llvm::make_early_inc_range(*block))
      if (m_shared.contains(&instruction)) instruction.moveBefore(*entry, entry->end());

  Type* i32 = b.getInt32Ty();
  Value* lane = loadBuiltIn(m_unit, b, spv::BuiltIn::SubgroupLocalInvocationId, i32);
  Value* simdgroup = loadBuiltIn(m_unit, b, spv::BuiltIn::SubgroupId, i32);
  Value* size = callInternal(m_unit, b, kLocalSizeFunction, llvm::FixedVectorType::get(i32, 3), {}, true);
  Value* width = b.CreateExtractElement(size, uint64_t(0));
  Value* height = b.CreateExtractElement(size, uint64_t(1));
  Value* threads = threadCount(m_unit, b);
  m_operations = std::make_unique<GroupOperations>(m_unit, b, lane, m_width);
  for (unsigned p = 0; p < m_parts; ++p) {
    Value* inSimdgroup = b.CreateAdd(lane, b.getInt32(p * m_width));
    Value* thread = b.CreateAdd(b.CreateMul(simdgroup, b.getInt32(kSimdgroupThreads)), inSimdgroup);
    Value* row = b.CreateUDiv(thread, width);
    Value* position = llvm::PoisonValue::get(size->getType());
    position = b.CreateInsertElement(position, b.CreateURem(thread, width), uint64_t(0));
    position = b.CreateInsertElement(position, b.CreateURem(row, height), uint64_t(1));
    position = b.CreateInsertElement(position, b.CreateUDiv(row, height), uint64_t(2));
    // The last simdgroup of a threadgroup may have fewer threads.
    b.CreateStore(b.CreateICmpULT(thread, threads), m_masks[oldEntry][p]);
    for (BasicBlock* block : m_order)
      for (Instruction& instruction : *block) {
        const auto builtIn = builtInOf(m_unit, instruction);
        if (!builtIn) continue;
        Value* value = nullptr;
        if (builtIn == spv::BuiltIn::LocalInvocationId) value = position;
        if (builtIn == spv::BuiltIn::LocalInvocationIndex) value = thread;
        if (builtIn == spv::BuiltIn::SubgroupLocalInvocationId) value = inSimdgroup;
        if (builtIn == spv::BuiltIn::SubgroupSize) value = b.getInt32(kSimdgroupThreads);
        if (!value)
          return m_unit.error(
              fmt::format("its built-in input {} has no value for simdgroups wider than the device's",
                          static_cast<unsigned>(*builtIn)));
        m_values[p][&instruction] = value;
      }
  }
  return {};
}

PartValues Widener::takeMasks(BasicBlock& block) {
  PartValues masks;
  for (llvm::AllocaInst* mask : m_masks[&block]) {
    masks.push_back(b.CreateLoad(b.getInt1Ty(), mask));
    b.CreateStore(b.getFalse(), mask);
  }
  return masks;
}

// Where `part` goes from here.
void Widener::leave(Instruction& terminator, unsigned part) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator);
  if (!branch) return; // a return: nowhere
  auto maskOf = [&](unsigned successor) { return m_masks[branch->getSuccessor(successor)][part]; };
  if (branch->isUnconditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) {
    b.CreateStore(b.getTrue(), maskOf(0));
    return;
  }
  Value* condition = mapped(branch->getCondition(), part);
  b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), maskOf(0)), condition), maskOf(0));
  b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), maskOf(1)), b.CreateNot(condition)), maskOf(1));
}

void Widener::emitPart(BasicBlock& block, unsigned part) {
  for (Instruction& instruction : block) {
    if (instruction.isTerminator() || llvm::isa<llvm::AllocaInst>(instruction) ||
        m_values[part].contains(&instruction))
      continue;
    Instruction* copy = instruction.clone();
    for (llvm::Use& operand : copy->operands()) operand.set(mapped(operand.get(), part));
    b.Insert(copy);
    m_values[part][&instruction] = copy;
  }
  leave(*block.getTerminator(), part);
}

base::Result<void> Widener::emitMeeting(BasicBlock& block) {
  const PartValues active = takeMasks(block);
  llvm::Function* meeting = nullptr;
  for (Instruction& instruction : block)
    if (isMeetingPlace(instruction)) meeting = calledDeclaration(instruction);
  // A barrier is for whole subgroups: those of its invocations that run no thread take part.
  Value* condition =
      isBarrier(meeting->getName()) ? m_operations->anyThread(active) : m_operations->anyPart(active);
  BasicBlock* body = newBlock();
  BasicBlock* next = newBlock();
  b.CreateCondBr(condition, body, next);
  go(body);
  for (Instruction& instruction : block) {
    if (instruction.isTerminator()) break;
    if (isMeetingPlace(instruction)) {
      auto& call = llvm::cast<llvm::CallBase>(instruction);
      if (isBarrier(meeting->getName())) {
        if (meeting->getName().starts_with("air.simdgroup.barrier")) {
          // The vote above has made the subgroup meet, so memory is what is left. (lavapipe takes a control
          // barrier of a subgroup for one of the workgroup, where other simdgroups may execute it less
          // often.)
          Type* i32 = b.getInt32Ty();
          auto fence = m_unit.module.getOrInsertFunction("air.atomic.fence", b.getVoidTy(), i32, i32, i32);
          b.CreateCall(fence, {call.getArgOperand(0), b.getInt32(0), b.getInt32(0)});
        } else {
          b.Insert(instruction.clone());
        }
        continue;
      }
      std::vector<PartValues> arguments(call.arg_size());
      for (unsigned i = 0; i < call.arg_size(); ++i)
        for (unsigned p = 0; p < m_parts; ++p) arguments[i].push_back(mapped(call.getArgOperand(i), p));
      const PartValues results = m_operations->run(meeting, arguments, active);
      if (results.empty())
        return m_unit.error(
            fmt::format("it calls {}, which Basanite has not for simdgroups wider than the device's",
                        meeting->getName().str()));
      for (unsigned p = 0; p < m_parts; ++p) m_values[p][&instruction] = results[p];
      continue;
    }
    for (unsigned p = 0; p < m_parts; ++p) {
      if (m_values[p].contains(&instruction)) continue;
      Instruction* copy = instruction.clone();
      for (llvm::Use& operand : copy->operands()) operand.set(mapped(operand.get(), p));
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(copy)) {
        // Into a variable of demote(): parts that are not here keep theirs.
        Value* old = b.CreateLoad(store->getValueOperand()->getType(), store->getPointerOperand());
        store->setOperand(0, b.CreateSelect(active[p], store->getValueOperand(), old));
      }
      b.Insert(copy);
      m_values[p][&instruction] = copy;
    }
  }
  for (unsigned p = 0; p < m_parts; ++p) {
    llvm::AllocaInst* mask = m_masks[block.getSingleSuccessor()][p];
    b.CreateStore(b.CreateOr(b.CreateLoad(b.getInt1Ty(), mask), active[p]), mask);
  }
  b.CreateBr(next);
  go(next);
  return {};
}

base::Result<void> Widener::emitBlock(BasicBlock& block) {
  for (Instruction& instruction : block)
    if (isMeetingPlace(instruction)) return emitMeeting(block);
  const PartValues masks = takeMasks(block);
  for (unsigned p = 0; p < m_parts; ++p) {
    BasicBlock* body = newBlock();
    BasicBlock* next = newBlock();
    b.CreateCondBr(masks[p], body, next);
    go(body);
    emitPart(block, p);
    b.CreateBr(next);
    go(next);
  }
  return {};
}

base::Result<void> Widener::emitLoop(llvm::Loop* loop) {
  auto waiting = [&] {
    PartValues masks;
    for (llvm::AllocaInst* mask : m_masks[loop->getHeader()])
      masks.push_back(b.CreateLoad(b.getInt1Ty(), mask));
    return m_operations->anyPart(masks);
  };
  BasicBlock* head = newBlock();
  b.CreateBr(head);
  go(head);
  BasicBlock* body = newBlock();
  BasicBlock* out = newBlock();
  b.CreateCondBr(waiting(), body, out);
  go(body);
  BASANITE_TRY_VOID(emitLevel(loop));
  b.CreateBr(head);
  go(out);
  return {};
}

// The blocks of a loop (null: of the function) that are in no inner one, and the inner ones, each whole where
// its header lies.
base::Result<void> Widener::emitLevel(llvm::Loop* level) {
  for (BasicBlock* block : m_order) {
    if (level && !level->contains(block)) continue;
    llvm::Loop* inner = m_loops.getLoopFor(block);
    if (inner == level) {
      BASANITE_TRY_VOID(emitBlock(*block));
      continue;
    }
    while (inner->getParentLoop() != level) inner = inner->getParentLoop();
    if (m_emittedLoops.insert(inner).second) BASANITE_TRY_VOID(emitLoop(inner));
  }
  return {};
}

base::Result<void> Widener::run() {
  // What is not inlined by now is math of ours (link_math.cpp), which a thread computes by itself.
  for (llvm::Function& function : m_unit.module) {
    if (&function == &m_function) continue;
    for (BasicBlock& block : function)
      for (Instruction& instruction : block)
        if (isMeetingPlace(instruction))
          return m_unit.error(function, "it uses functions of its simdgroup and could not be inlined, which "
                                        "simdgroups wider than the device's need");
  }
  prepare();
  collectShared();
  repeatAddresses();
  demote();
  BASANITE_TRY_VOID(begin());
  BASANITE_TRY_VOID(emitLevel(nullptr));
  b.CreateRetVoid();
  for (BasicBlock* block : m_order) block->dropAllReferences();
  for (BasicBlock* block : m_order) block->eraseFromParent();
  return {};
}

} // namespace

base::Result<void> chooseSimdgroups(Unit& unit) {
  if (unit.entry.stage != Stage::kernel || unit.traits.subgroupSize >= kSimdgroupThreads) return {};
  bool looks = false;
  for (const air::Input& input : unit.entry.inputs) {
    const bool asks =
        llvm::StringRef(input.kind).contains("simdgroup") || input.kind == "air.thread_execution_width";
    looks |= asks && !unit.entry.function->getArg(input.parameter)->use_empty();
  }
  for (llvm::Function& function : unit.module)
    looks |= function.isDeclaration() && !function.use_empty() && looksAtSimdgroup(function.getName());
  if (looks) unit.simdgroupParts = kSimdgroupThreads / unit.traits.subgroupSize;
  return {};
}

base::Result<void> widenSimdgroups(Unit& unit) {
  if (unit.simdgroupParts == 1) return {};
  return Widener(unit).run();
}

} // namespace basanite::shader::lower
