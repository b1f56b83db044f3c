// SPDX-License-Identifier: Apache-2.0
// Clean-up with LLVM's own passes, none of which threads jumps, duplicates convergent code or invents odd integer types.
#include "src/shader/lower/tidy.hpp"

#include "src/shader/air/analyses.hpp"
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace basanite::shader::lower {

namespace {

llvm::SimplifyCFGOptions controlFlowOptions() {
  llvm::SimplifyCFGOptions options;
  options.convertSwitchToLookupTable(false).convertSwitchRangeToICmp(false).needCanonicalLoops(true);
  options.hoistCommonInsts(false).sinkCommonInsts(false);
  // Folding `a && b` into one condition takes most short-circuit shapes out of the structuriser's way.
  options.bonusInstThreshold(4);
  return options;
}

} // namespace

void runFunctionPasses(llvm::Module& module, llvm::FunctionPassManager& passes) {
  air::Analyses analyses;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, analyses.functions);
}

void runFunctionPasses(llvm::Function& function, llvm::FunctionPassManager& passes) {
  air::Analyses analyses;
  passes.run(function, analyses.functions);
}

void foldConstants(llvm::Module& module) {
  llvm::FunctionPassManager passes;
  // Twice: a branch that goes may leave a phi with one value.
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::InstSimplifyPass());
    passes.addPass(llvm::SimplifyCFGPass(controlFlowOptions()));
    passes.addPass(llvm::ADCEPass());
  }
  runFunctionPasses(module, passes);
}

base::Result<void> tidy(Unit& unit) {
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SimplifyCFGPass(controlFlowOptions()));
  passes.addPass(llvm::ADCEPass());
  runFunctionPasses(unit.module, passes);
  return {};
}

// A bool read from a vector of bytes comes as one bit of all of them: "bitcast <4 x i8> to <32 x i1>" and an element of that.
static void readBitsFromBytes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::BitCastInst*> casts;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
            cast && cast->getType()->isVectorTy() && cast->getType()->getScalarType()->isIntegerTy(1) && cast->getSrcTy()->isIntOrIntVectorTy())
          casts.push_back(cast);
    for (llvm::BitCastInst* cast : casts) {
      llvm::Value* source = cast->getOperand(0);
      unsigned bits = source->getType()->getScalarSizeInBits();
      for (llvm::User* user : llvm::make_early_inc_range(cast->users())) {
        auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(user);
        auto* index = element ? llvm::dyn_cast<llvm::ConstantInt>(element->getIndexOperand()) : nullptr;
        if (!index) continue;
        llvm::IRBuilder<> b(element);
        uint64_t bit = index->getZExtValue();
        llvm::Value* lane = source->getType()->isVectorTy() ? b.CreateExtractElement(source, bit / bits) : source;
        element->replaceAllUsesWith(b.CreateTrunc(b.CreateLShr(lane, bit % bits), b.getInt1Ty()));
        element->eraseFromParent();
      }
      if (cast->use_empty()) cast->eraseFromParent();
    }
  }
}

base::Result<void> splitWideVectors(Unit& unit) {
  readBitsFromBytes(unit.module);
  bool wide = false;
  auto check = [&](llvm::Type* type) {
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      wide |= vector->getNumElements() > 4 || vector->getNumElements() == 1;
  };
  for (llvm::Function& function : unit.module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        check(instruction.getType());
        for (llvm::Use& operand : instruction.operands()) check(operand->getType());
      }
  if (!wide) return {};
  llvm::FunctionPassManager passes;
  llvm::ScalarizerPassOptions options;
  options.ScalarizeLoadStore = true;
  passes.addPass(llvm::ScalarizerPass(options));
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::ADCEPass());
  runFunctionPasses(unit.module, passes);
  return {};
}

} // namespace basanite::shader::lower
