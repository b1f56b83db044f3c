// SPDX-License-Identifier: Apache-2.0
// Implementation of function_constants.hpp.
#include "src/shader/air/function_constants.hpp"

#include "src/shader/air/type_name.hpp"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace basanite::shader::air {

namespace {

// MTL::DataType of the scalar; those of its vectors of 2, 3 and 4 follow.
struct ScalarName {
  const char* name;
  DataType first;
};
constexpr ScalarName kScalars[] = {{"float", 3}, {"half", 16},  {"int", 29},    {"uint", 33}, {"short", 37}, {"ushort", 41},
                                   {"char", 45}, {"uchar", 49}, {"bool", 53},   {"long", 81}, {"ulong", 85}};

} // namespace

DataType dataTypeNamed(std::string_view name) {
  const TypeName type = parseTypeName(name);
  for (const ScalarName& scalar : kScalars)
    if (type.scalar == scalar.name) return scalar.first + type.lanes - 1;
  return 0;
}

std::string dataTypeName(DataType type) {
  for (const ScalarName& scalar : kScalars) {
    if (type < scalar.first || type > scalar.first + 3) continue;
    return type == scalar.first ? scalar.name : fmt::format("{}{}", scalar.name, type - scalar.first + 1);
  }
  return fmt::format("type {}", type);
}

namespace {

llvm::GlobalVariable& definedBeside(llvm::GlobalVariable& constant) {
  std::string name = constant.getName().str() + kIsDefinedSuffix;
  llvm::Module& module = *constant.getParent();
  if (llvm::GlobalVariable* known = module.getNamedGlobal(name)) return *known;
  return *new llvm::GlobalVariable(module, llvm::Type::getInt8Ty(module.getContext()), true, llvm::GlobalValue::ExternalLinkage,
                                   nullptr, name, nullptr, llvm::GlobalValue::NotThreadLocal, constant.getAddressSpace());
}

} // namespace

base::Result<void> spellOutFunctionConstants(llvm::Module& module) {
  constexpr llvm::StringRef kNormalize = "air.normalize_function_constant_predicate.";
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    bool asks = function.getName() == "air.is_function_constant_defined";
    if (!function.isDeclaration() || (!asks && !function.getName().starts_with(kNormalize))) continue;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call || call->arg_size() != 1) return base::Error{fmt::format("It uses {} in an unknown way.", function.getName().str())};
      llvm::IRBuilder<> builder(call);
      llvm::Value* value = call->getArgOperand(0);
      if (asks) {
        auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(value->stripPointerCasts());
        if (!constant) return base::Error{fmt::format("It asks {} about something that is no function constant.", function.getName().str())};
        value = builder.CreateLoad(builder.getInt8Ty(), &definedBeside(*constant));
      }
      if (!value->getType()->isIntegerTy() || !call->getType()->isIntegerTy())
        return base::Error{fmt::format("It uses {} in an unknown way.", function.getName().str())};
      value = builder.CreateICmpNE(value, llvm::ConstantInt::get(value->getType(), 0));
      call->replaceAllUsesWith(builder.CreateZExtOrTrunc(value, call->getType()));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
  return {};
}

std::vector<FunctionConstant> functionConstants(llvm::Module& module) {
  std::vector<FunctionConstant> constants;
  const llvm::NamedMDNode* list = module.getNamedMetadata("air.function_constants");
  if (!list) return constants;
  for (const llvm::MDNode* node : list->operands()) {
    if (node->getNumOperands() < 5) continue;
    FunctionConstant constant;
    constant.global = llvm::mdconst::dyn_extract_or_null<llvm::GlobalVariable>(node->getOperand(0));
    auto* typeName = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(1));
    auto* name = llvm::dyn_cast_or_null<llvm::MDString>(node->getOperand(2));
    auto* index = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(3));
    auto* required = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(4));
    if (!constant.global || !typeName || !name || !index || !required) continue;
    constant.isDefined = module.getNamedGlobal(constant.global->getName().str() + kIsDefinedSuffix);
    constant.typeName = typeName->getString().str();
    constant.info.name = name->getString().str();
    constant.info.type = dataTypeNamed(constant.typeName);
    constant.info.index = static_cast<uint32_t>(index->getZExtValue());
    constant.info.required = !required->isZero();
    constants.push_back(std::move(constant));
  }
  return constants;
}

} // namespace basanite::shader::air
