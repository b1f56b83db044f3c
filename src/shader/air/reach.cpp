// SPDX-License-Identifier: Apache-2.0
// Implementation of reach.hpp.
#include "src/shader/air/reach.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/Error.h>

namespace basanite::shader::air {

void Reach::add(llvm::Value* value) {
  auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(value);
  if (!constant) return;
  if (auto* object = llvm::dyn_cast<llvm::GlobalObject>(constant)) {
    if (m_reached.insert(object).second) m_work.push_back(object);
    return;
  }
  if (!m_seen.insert(constant).second) return;
  for (llvm::Use& operand : constant->operands()) add(operand.get());
}

base::Result<llvm::GlobalObject*> Reach::next() {
  if (m_work.empty()) return nullptr;
  llvm::GlobalObject* object = m_work.back();
  m_work.pop_back();
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object)) {
    if (variable->hasInitializer()) add(variable->getInitializer());
  } else if (auto* function = llvm::dyn_cast<llvm::Function>(object)) {
    if (llvm::Error error = function->materialize())
      return base::Error{
          fmt::format("The program's AIR could not be read: {}.", llvm::toString(std::move(error)))};
    for (llvm::BasicBlock& block : *function)
      for (llvm::Instruction& instruction : block)
        for (llvm::Use& operand : instruction.operands()) add(operand.get());
  }
  return object;
}

} // namespace basanite::shader::air
