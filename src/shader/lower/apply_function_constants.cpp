// SPDX-License-Identifier: Apache-2.0
// Implementation of apply_function_constants.hpp.
#include "src/shader/lower/apply_function_constants.hpp"

#include "src/shader/air/function_constants.hpp"
#include "src/shader/air/reach.hpp"
#include "src/shader/lower/lowering.hpp"
#include "src/shader/lower/tidy.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Evaluator.h>
#include <map>

namespace basanite::shader::lower {

namespace {

// The functions that compute initial values, in program order.
std::vector<llvm::Function*> initialisers(llvm::Module& module) {
  std::vector<llvm::Function*> found;
  llvm::GlobalVariable* list = module.getNamedGlobal("llvm.global_ctors");
  auto* rows = list && list->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer()) : nullptr;
  if (!rows) return found;
  for (llvm::Value* row : rows->operands()) {
    auto* function = llvm::dyn_cast_or_null<llvm::Function>(llvm::cast<llvm::Constant>(row)->getAggregateElement(1u));
    if (!function || function->isDeclaration()) continue;
    // clang's calls one function a variable.
    std::vector<llvm::Function*> called;
    bool onlyCalls = true;
    for (llvm::BasicBlock& block : *function)
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee && !callee->isDeclaration() && callee->arg_empty()) called.push_back(callee);
        else onlyCalls &= llvm::isa<llvm::ReturnInst>(instruction);
      }
    if (onlyCalls) found.insert(found.end(), called.begin(), called.end());
    else found.push_back(function);
  }
  return found;
}

// What a function returns, and what it sets of a mesh's vertices and primitives.
template <class EntryPoint> auto outputLists(EntryPoint& entry) {
  std::vector<decltype(&entry.outputs)> lists = {&entry.outputs};
  if (entry.mesh) lists.insert(lists.end(), {&entry.mesh->vertexOutputs, &entry.mesh->primitiveOutputs});
  return lists;
}

// What an entry function depends on, initialisers of the constants that it reads included.
class Dependencies {
 public:
  static base::Result<Dependencies> of(llvm::Module& module, const air::EntryPoint& entry) {
    Dependencies result;
    result.m_initialisers = initialisers(module);
    // The initialisers, by what they write.
    std::multimap<const llvm::GlobalObject*, llvm::Function*> writers;
    for (llvm::Function* function : result.m_initialisers)
      for (llvm::BasicBlock& block : *function)
        for (llvm::Instruction& instruction : block)
          if (const llvm::GlobalVariable* written = writtenBy(instruction)) writers.emplace(written, function);
    air::Reach& reach = result.m_reach;
    reach.add(entry.function);
    for (const air::Input& input : entry.inputs) reach.add(input.condition);
    for (const std::vector<air::Output>* outputs : outputLists(entry))
      for (const air::Output& output : *outputs) reach.add(output.condition);
    for (;;) {
      BASANITE_TRY(llvm::GlobalObject * object, reach.next());
      if (!object) return result;
      auto [first, last] = writers.equal_range(object);
      for (; first != last; ++first) reach.add(first->second);
    }
  }

  bool contain(const llvm::GlobalObject* object) const { return m_reach.contains(object); }
  std::vector<llvm::Function*> reachedInitialisers() const {
    std::vector<llvm::Function*> reached;
    for (llvm::Function* function : m_initialisers)
      if (m_reach.contains(function)) reached.push_back(function);
    return reached;
  }

 private:
  static const llvm::GlobalVariable* writtenBy(const llvm::Instruction& instruction) {
    const llvm::Value* to = nullptr;
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) to = store->getPointerOperand();
    else if (auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) to = memory->getRawDest();
    return to ? llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(to)) : nullptr;
  }

  std::vector<llvm::Function*> m_initialisers;
  air::Reach m_reach;
};

// A constant of this type whose memory holds these bytes, from `at` on; what lies past them is zero.
llvm::Constant* constantFrom(const llvm::DataLayout& layout, llvm::Type* type, const std::vector<uint8_t>& bytes, uint64_t at) {
  if (type->isIntegerTy() || type->isFloatingPointTy()) {
    uint64_t bits = 0;
    uint64_t size = layout.getTypeStoreSize(type).getFixedValue();
    if (at < bytes.size()) std::memcpy(&bits, bytes.data() + at, std::min<uint64_t>({size, bytes.size() - at, sizeof(bits)}));
    auto* number = llvm::ConstantInt::get(llvm::IntegerType::get(type->getContext(), type->getPrimitiveSizeInBits()), bits);
    return type->isIntegerTy() ? number : llvm::ConstantFP::get(type, llvm::APFloat(type->getFltSemantics(), number->getValue()));
  }
  std::vector<llvm::Constant*> members;
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      members.push_back(
          constantFrom(layout, record->getElementType(i), bytes, at + layout.getStructLayout(record)->getElementOffset(i).getFixedValue()));
    return llvm::ConstantStruct::get(record, members);
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (!array && !vector) return nullptr;
  llvm::Type* part = array ? array->getElementType() : vector->getElementType();
  uint64_t stride = array ? layout.getTypeAllocSize(part).getFixedValue() : layout.getTypeStoreSize(part).getFixedValue();
  uint64_t count = array ? array->getNumElements() : vector->getNumElements();
  for (uint64_t i = 0; i < count; ++i) members.push_back(constantFrom(layout, part, bytes, at + i * stride));
  return array ? llvm::ConstantArray::get(array, members) : llvm::ConstantVector::get(members);
}

void setValue(llvm::GlobalVariable& global, llvm::Constant* value) {
  global.setInitializer(value);
  global.setLinkage(llvm::GlobalValue::InternalLinkage);
  global.setExternallyInitialized(false);
  global.setConstant(true);
}

const FunctionConstantValue* valueFor(const FunctionConstantInfo& info, const std::vector<FunctionConstantValue>& values) {
  // The last one given counts.
  for (auto value = values.rbegin(); value != values.rend(); ++value)
    if (value->name.empty() ? value->index == info.index : value->name == info.name) return &*value;
  return nullptr;
}

base::Result<void> setValues(const std::vector<air::FunctionConstant>& constants, const Dependencies& needed,
                             const std::vector<FunctionConstantValue>& values, const std::string& function, const llvm::DataLayout& layout) {
  for (const air::FunctionConstant& constant : constants) {
    bool read = needed.contain(constant.global);
    if (!read && !needed.contain(constant.isDefined)) continue;
    const FunctionConstantInfo& info = constant.info;
    const FunctionConstantValue* value = valueFor(info, values);
    if (!value && info.required) {
      return base::Error{fmt::format("{}: the function constant \"{}\" ([[function_constant({})]], {}) has no value.", function, info.name,
                                     info.index, constant.typeName)};
    }
    if (value && value->type != info.type) {
      return base::Error{fmt::format("{}: the function constant \"{}\" ([[function_constant({})]]) is {}, but its value was given as {}.",
                                     function, info.name, info.index, constant.typeName, air::dataTypeName(value->type))};
    }
    if (constant.isDefined)
      setValue(*constant.isDefined, llvm::ConstantInt::get(constant.isDefined->getValueType(), value ? 1 : 0));
    if (!read) continue;
    llvm::Type* type = constant.global->getValueType();
    llvm::Constant* bits = value ? constantFrom(layout, type, value->bytes, 0) : llvm::Constant::getNullValue(type);
    if (!bits) return base::Error{fmt::format("{}: the function constant \"{}\" has a type that cannot be set.", function, info.name)};
    setValue(*constant.global, bits);
  }
  return {};
}

base::Result<void> runInitialisers(llvm::Module& module, const Dependencies& needed, const std::string& function) {
  for (llvm::Function* initialiser : needed.reachedInitialisers()) {
    llvm::Evaluator evaluator(module.getDataLayout(), nullptr);
    llvm::Constant* result = nullptr;
    if (!evaluator.EvaluateFunction(initialiser, result, llvm::SmallVector<llvm::Constant*, 0>())) {
      return base::Error{fmt::format("{}: the initial value of a program-scope constant that depends on function constants cannot be "
                                     "computed when the pipeline is made ({}).",
                                     function, initialiser->getName().str())};
    }
    for (auto& [global, value] : evaluator.getMutatedInitializers()) setValue(*global, value);
  }
  return {};
}

// The value of a condition; true for none.
base::Result<bool> isPresent(const llvm::GlobalVariable* condition, const std::string& function) {
  if (!condition) return true;
  auto* value = condition->hasInitializer() ? llvm::dyn_cast<llvm::ConstantInt>(condition->getInitializer()) : nullptr;
  if (!value) {
    return base::Error{fmt::format("{}: the condition {} of an argument has no value.", function, condition->getName().str())};
  }
  return !value->isZero();
}

} // namespace

base::Result<void> applyFunctionConstants(llvm::Module& module, air::EntryPoint& entry, const std::vector<FunctionConstantValue>& values) {
  std::vector<air::FunctionConstant> constants = air::functionConstants(module);
  std::string function = titleOf(entry);
  if (!constants.empty()) {
    BASANITE_TRY(Dependencies needed, Dependencies::of(module, entry));
    BASANITE_TRY_VOID(setValues(constants, needed, values, function, module.getDataLayout()));
    BASANITE_TRY_VOID(runInitialisers(module, needed, function));
  }

  std::vector<air::Input> inputs;
  for (air::Input& input : entry.inputs) {
    BASANITE_TRY(bool present, isPresent(input.condition, function));
    input.condition = nullptr;
    if (present) {
      inputs.push_back(std::move(input));
      continue;
    }
    llvm::Argument* argument = entry.function->getArg(input.parameter);
    argument->replaceAllUsesWith(llvm::Constant::getNullValue(argument->getType()));
  }
  entry.inputs = std::move(inputs);
  for (std::vector<air::Output>* outputs : outputLists(entry)) {
    for (air::Output& output : *outputs) {
      BASANITE_TRY(output.present, isPresent(output.condition, function));
      output.condition = nullptr;
    }
  }
  // What the entry does not reach is not worth folding: a library may hold hundreds of functions.
  BASANITE_TRY_VOID(pruneModule(module, entry));
  if (!constants.empty()) foldConstants(module);
  return {};
}

base::Result<std::vector<FunctionConstantInfo>> reachedFunctionConstants(llvm::Module& module, const air::EntryPoint& entry) {
  BASANITE_TRY(Dependencies needed, Dependencies::of(module, entry));
  std::vector<FunctionConstantInfo> infos;
  for (const air::FunctionConstant& constant : air::functionConstants(module))
    if (needed.contain(constant.global) || needed.contain(constant.isDefined)) infos.push_back(constant.info);
  return infos;
}

} // namespace basanite::shader::lower
