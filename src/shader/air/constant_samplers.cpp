// SPDX-License-Identifier: Apache-2.0
// Implementation of constant_samplers.hpp.
#include "src/shader/air/constant_samplers.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>

namespace basanite::shader::air {

namespace {

constexpr unsigned kSamplerSpace = 2;

// The word of a pointer into the samplers' address space that is a number; null for every other value.
llvm::ConstantInt* wordOf(llvm::Value* value) {
  auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
  if (!cast || cast->getOpcode() != llvm::Instruction::IntToPtr || cast->getType()->getPointerAddressSpace() != kSamplerSpace)
    return nullptr;
  return llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0));
}

} // namespace

void nameConstantSamplers(llvm::Module& module) {
  llvm::Type* wide = llvm::Type::getInt64Ty(module.getContext());
  auto* words = llvm::ArrayType::get(wide, 2);
  std::map<uint64_t, llvm::GlobalVariable*> named; // by word: a sampler that is used often is one sampler
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        for (llvm::Use& operand : instruction.operands()) {
          llvm::ConstantInt* word = wordOf(operand.get());
          if (!word) continue;
          llvm::GlobalVariable*& state = named[word->getZExtValue()];
          if (!state) {
            llvm::Constant* members[] = {llvm::ConstantInt::get(wide, word->getZExtValue()),
                                         llvm::ConstantInt::get(wide, 0)};
            state = new llvm::GlobalVariable(module, words, true, llvm::GlobalValue::InternalLinkage,
                                             llvm::ConstantArray::get(words, members), kSamplerStatePrefix,
                                             nullptr, llvm::GlobalValue::NotThreadLocal, kSamplerSpace);
          }
          operand.set(state);
        }
}

} // namespace basanite::shader::air
