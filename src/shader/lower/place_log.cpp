// SPDX-License-Identifier: Apache-2.0
// Implementation of place_log.hpp.
#include "src/shader/lower/place_log.hpp"

#include "src/base/shader_log.hpp"
#include "src/shader/lower/interface_builder.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>

namespace basanite::shader::lower {

namespace {

// Loggers are constants that hold the addresses of their names. What is read of one is known by now, and one
// that stayed would keep the names as another constant's initial value.
void dropUnusedConstants(llvm::Module& module) {
  for (bool dropped = true; dropped;) {
    dropped = false;
    for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
      global.removeDeadConstantUsers();
      if (!global.isConstant() || !global.use_empty()) continue;
      global.eraseFromParent();
      dropped = true;
    }
  }
}

} // namespace

base::Result<void> placeLog(Unit& unit) {
  llvm::Function* source = unit.module.getFunction("air.basanite.log_buffer");
  if (!source || source->use_empty()) return {};
  dropUnusedConstants(unit.module);
  const std::string word = kRecordFunction + std::to_string(unit.binary.bindings.size());
  Binding binding;
  binding.kind = BindingKind::buffer;
  binding.index = base::abi::kLogBinding;
  binding.name = "os_log";
  binding.writes = true;
  unit.binary.bindings.push_back(binding);
  for (llvm::User* user : llvm::make_early_inc_range(source->users())) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call) return unit.error("it takes the address of a function of the library that logs");
    llvm::IRBuilder<> builder(call);
    llvm::Value* address = callInternal(unit, builder, word, builder.getInt64Ty(), {}, true);
    call->replaceAllUsesWith(builder.CreateIntToPtr(address, call->getType()));
    call->eraseFromParent();
  }
  return {};
}

} // namespace basanite::shader::lower
