// SPDX-License-Identifier: Apache-2.0
// Texture look-ups return {texel, resident}. Choices between such pairs become choices between their members:
// the printer makes values of the members only.
#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace basanite::shader::lower {

namespace {

bool isChoice(const llvm::Value* value) {
  return value->getType()->isStructTy() && llvm::isa<llvm::PHINode, llvm::SelectInst>(value);
}

class Splitter {
 public:
  // A member of a pair; that of a pair which is no choice is taken in front of `before`.
  llvm::Value* member(llvm::Value* pair, unsigned index, llvm::Instruction* before) {
    llvm::IRBuilder<> builder(before);
    if (!isChoice(pair)) return builder.CreateExtractValue(pair, index);
    auto known = m_members.find({pair, index});
    if (known != m_members.end()) return known->second;
    llvm::Type* type = pair->getType()->getStructElementType(index);
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(pair)) {
      builder.SetInsertPoint(select);
      llvm::Value* chosen =
          builder.CreateSelect(select->getCondition(), member(select->getTrueValue(), index, select),
                               member(select->getFalseValue(), index, select));
      m_members[{pair, index}] = chosen;
      return chosen;
    }
    auto* phi = llvm::cast<llvm::PHINode>(pair);
    builder.SetInsertPoint(phi);
    llvm::PHINode* split = builder.CreatePHI(type, phi->getNumIncomingValues());
    m_members[{pair, index}] = split; // before its incoming values, which may lead back to it
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::BasicBlock* from = phi->getIncomingBlock(i);
      int met = split->getBasicBlockIndex(from); // a switch may come in twice, with one value
      split->addIncoming(met >= 0 ? split->getIncomingValue(static_cast<unsigned>(met))
                                  : member(phi->getIncomingValue(i), index, from->getTerminator()),
                         from);
    }
    return split;
  }

 private:
  std::map<std::pair<llvm::Value*, unsigned>, llvm::Value*> m_members;
};

} // namespace

base::Result<void> splitResults(Unit& unit) {
  for (llvm::Function& function : unit.module) {
    std::vector<llvm::ExtractValueInst*> extracts;
    std::vector<llvm::Instruction*> choices;
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        if (isChoice(&instruction)) choices.push_back(&instruction);
        auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction);
        if (extract && extract->getNumIndices() == 1 && isChoice(extract->getAggregateOperand()))
          extracts.push_back(extract);
      }
    Splitter splitter;
    for (llvm::ExtractValueInst* extract : extracts) {
      extract->replaceAllUsesWith(
          splitter.member(extract->getAggregateOperand(), extract->getIndices()[0], extract));
      extract->eraseFromParent();
    }
    // Those that are left over choose between each other, if at all.
    auto isDead = [&](llvm::Instruction* choice) {
      return llvm::all_of(choice->users(),
                          [&](llvm::User* user) { return llvm::is_contained(choices, user); });
    };
    if (!llvm::all_of(choices, isDead)) continue;
    for (llvm::Instruction* choice : choices) choice->dropAllReferences();
    for (llvm::Instruction* choice : choices) choice->eraseFromParent();
  }
  return {};
}

} // namespace basanite::shader::lower
