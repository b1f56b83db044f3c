// SPDX-License-Identifier: Apache-2.0
// The ordered list of lowering passes, with the reason for each edge.
#include "src/shader/lower/link_math.hpp"
#include "src/shader/lower/place_log.hpp"

#include <cctype>
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>

namespace basanite::shader::lower {

std::string titleOf(const air::EntryPoint& entry) {
  std::string stage = stageName(entry.stage);
  stage[0] = static_cast<char>(std::toupper(stage[0]));
  return fmt::format("{} function \"{}\"", stage, entry.name);
}

base::Error Unit::error(const std::string& what) const {
  return base::Error{fmt::format("{}: {}.", titleOf(entry), what)};
}

base::Error Unit::error(const llvm::Function& function, const std::string& what) const {
  if (&function == main || &function == entry.function) return error(what);
  return error(fmt::format("in helper {}: {}", function.getName().str(), what));
}

namespace {
base::Result<void> prune(Unit& unit) { return pruneModule(unit.module, unit.entry); }

// The flags of loops (frontend/loop_exits.hpp) become the plain values that they are.
base::Result<void> releaseLoopFlags(Unit& unit) {
  llvm::Function* flag = unit.module.getFunction("air.loop_flag.i32");
  if (!flag) return {};
  for (llvm::User* user : llvm::make_early_inc_range(flag->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
  return {};
}
} // namespace

base::Result<void> runPasses(Unit& unit) {
  using Pass = base::Result<void> (*)(Unit&);
  constexpr Pass kPasses[] = {
      resolvePointers, // first: only now it shows what the entry reaches
      prune, // nothing below should cost time on, or fail for, what the entry does not reach
      chooseSimdgroups, // before inlineCalls, which inlines everything for widenSimdgroups
      expandBfloat,     // before anything that looks at types: nothing below knows this one
      inlineCalls, // needs final call graph; before tidy, so that thread-memory arguments can become values
      separateChoices, // while variables are still variables, which tidy makes values of
      tidy,            // SROA and dead code: bindInterface gives a record word only to arguments still used
      bindInterface,   // before the expansions, because vertex fetch emits plain loads and conversions
      bindMesh, // after the arguments are gone; its epilogue is plain IR that the steps below treat as the
                // user's
      placeLog, // after tidy, which reads the names out of loggers; before placeConstants, which places them
      expandMemory,     // memcpy and aggregates to scalar accesses; placeConstants wants only loads and GEPs
      placeConstants,   // program-scope tables leave the address space that means "64-bit address"
      expandAtomics,    // atomics of floats to those of integers; new loops, so before anything counts blocks
      linkMath,         // before expandIntrinsics, which expands what the linked functions call
      expandIntrinsics, // air.* without a SPIR-V twin to plain IR; may add selects that tidy folds
      splitResults,     // before the last tidy, which drops the members that nobody asks for
      widenSimdgroups,  // when nothing else adds code; before the last tidy, which turns its variables into
                        // values
      tidy,             // folds what the steps above left behind; last chance to change values
      splitWideVectors, // after tidy, which may still form or remove wide vectors
      spellOutAddresses, // tidy folds constant offsets into constant expressions, which the printer does not
                         // take
      releaseLoopFlags,  // when nothing threads jumps any more, which would take the loops' exits out of them
                         // again
      structurise,       // last: any later change of the control flow would undo it
  };
  for (Pass pass : kPasses) BASANITE_TRY_VOID(pass(unit));
  return {};
}

} // namespace basanite::shader::lower
