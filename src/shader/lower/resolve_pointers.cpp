// SPDX-License-Identifier: Apache-2.0
// Pointers to functions become numbers, and calls through them a choice among the functions that may be
// meant: SPIR-V has no function pointers.
#include "src/shader/lower/lowering.hpp"

#include <fmt/format.h>
#include <functional>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <map>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

constexpr const char* kGetFunction = "air.get_function_pointer_visible_function_table";
constexpr const char* kGetSize = "air.get_size_visible_function_table";
// Functions that the program takes the address of are numbered from here: no table holds so many.
constexpr uint64_t kFirstLocal = uint64_t(1) << 32;

class PointerResolver {
 public:
  explicit PointerResolver(Unit& unit)
      : m_unit(unit), m_module(unit.module), m_context(unit.module.getContext()) {}

  base::Result<void> run() {
    replaceSizes();
    std::vector<llvm::CallInst*> calls;
    std::vector<llvm::Instruction*> users; // of pointers from tables, and of addresses of functions
    auto collect = [&](Value& pointer) {
      for (llvm::User* user : pointer.users())
        if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) users.push_back(instruction);
    };
    for (llvm::Function& function : m_module) {
      if (function.getName() == kGetFunction)
        for (llvm::User* user : function.users()) collect(*llvm::cast<llvm::CallInst>(user));
      if (!function.isDeclaration()) collect(function);
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
              call && !call->getCalledFunction() && !call->isInlineAsm())
            calls.push_back(call);
    }
    // Addresses first: the choices are among what has a number.
    for (llvm::Instruction* user : users) keepAsNumber(*user);
    std::vector<std::pair<llvm::CallInst*, Value*>> numbered;
    for (llvm::CallInst* call : calls) numbered.emplace_back(call, number(*call->getCalledOperand(), *call));
    if (!m_problem.empty()) return m_unit.error(m_problem);
    for (auto [call, id] : numbered) replaceCall(*call, *id);
    for (llvm::Instruction* pointer : m_dead)
      if (!pointer->getType()->isVoidTy())
        pointer->replaceAllUsesWith(llvm::PoisonValue::get(pointer->getType()));
    for (llvm::Instruction* pointer : m_dead) pointer->eraseFromParent();
    return checkRecursion();
  }

 private:
  Type* word() { return Type::getInt64Ty(m_context); }

  // ---- tables ----

  // An address of nothing is a table without entries.
  llvm::Function* helper(llvm::StringRef name, Type* result, std::vector<Type*> parameters,
                         const std::function<void(llvm::Function&)>& build) {
    if (llvm::Function* known = m_module.getFunction(name)) return known;
    auto* function = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                            llvm::GlobalValue::InternalLinkage, name, m_module);
    build(*function);
    return function;
  }

  llvm::Function* sizeFunction(unsigned space) {
    Type* table = llvm::PointerType::get(m_context, space);
    return helper(fmt::format("basanite.table_size.{}", space), word(), {table},
                  [&](llvm::Function& function) {
                    IRBuilder<> builder(llvm::BasicBlock::Create(m_context, "entry", &function));
                    auto* read = llvm::BasicBlock::Create(m_context, "read", &function);
                    auto* none = llvm::BasicBlock::Create(m_context, "none", &function);
                    builder.CreateCondBr(builder.CreateIsNull(function.getArg(0)), none, read);
                    builder.SetInsertPoint(none);
                    builder.CreateRet(builder.getInt64(0));
                    builder.SetInsertPoint(read);
                    builder.CreateRet(builder.CreateAlignedLoad(word(), function.getArg(0), llvm::Align(8)));
                  });
  }

  llvm::Function* entryFunction(unsigned space) {
    Type* table = llvm::PointerType::get(m_context, space);
    return helper(fmt::format("basanite.table_entry.{}", space), word(), {table, Type::getInt32Ty(m_context)},
                  [&](llvm::Function& function) {
                    IRBuilder<> builder(llvm::BasicBlock::Create(m_context, "entry", &function));
                    auto* read = llvm::BasicBlock::Create(m_context, "read", &function);
                    auto* none = llvm::BasicBlock::Create(m_context, "none", &function);
                    Value* index = builder.CreateZExt(function.getArg(1), word());
                    Value* size = builder.CreateCall(sizeFunction(space), {function.getArg(0)});
                    builder.CreateCondBr(builder.CreateICmpULT(index, size), read, none);
                    builder.SetInsertPoint(none);
                    builder.CreateRet(builder.getInt64(0));
                    builder.SetInsertPoint(read);
                    Value* place = builder.CreateGEP(word(), function.getArg(0),
                                                     builder.CreateAdd(index, builder.getInt64(1)));
                    builder.CreateRet(builder.CreateAlignedLoad(word(), place, llvm::Align(8)));
                  });
  }

  void replaceSizes() {
    llvm::Function* size = m_module.getFunction(kGetSize);
    if (!size) return;
    for (llvm::User* user : llvm::make_early_inc_range(size->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      IRBuilder<> builder(call);
      Value* all =
          builder.CreateCall(sizeFunction(call->getArgOperand(0)->getType()->getPointerAddressSpace()),
                             {call->getArgOperand(0)});
      call->replaceAllUsesWith(builder.CreateZExtOrTrunc(all, call->getType()));
      call->eraseFromParent();
    }
  }

  // ---- pointers to numbers ----

  uint64_t idOf(llvm::Function& function) {
    for (size_t i = 0; i < m_unit.linkedFunctions.size(); ++i)
      if (m_unit.linkedFunctions[i] == &function) return i + 1;
    auto [known, isNew] = m_localIds.try_emplace(&function, kFirstLocal + m_locals.size());
    if (isNew) m_locals.push_back(&function);
    return known->second;
  }

  // The number that a pointer stands for, as a value that exists before `place`.
  Value* number(Value& pointer, llvm::Instruction& place) {
    if (llvm::isa<llvm::ConstantPointerNull, llvm::UndefValue>(pointer))
      return llvm::ConstantInt::get(word(), 0);
    if (auto* function = llvm::dyn_cast<llvm::Function>(&pointer))
      return llvm::ConstantInt::get(word(), idOf(*function));
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&pointer);
    if (!instruction) return IRBuilder<>(&place).CreatePtrToInt(&pointer, word());
    if (auto known = m_numbers.find(instruction); known != m_numbers.end()) return known->second;
    IRBuilder<> builder(instruction);
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      llvm::PHINode* twin = builder.CreatePHI(word(), phi->getNumIncomingValues());
      m_numbers[phi] = twin;
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        twin->addIncoming(number(*phi->getIncomingValue(i), *phi->getIncomingBlock(i)->getTerminator()),
                          phi->getIncomingBlock(i));
      bury(*phi);
      return twin;
    }
    Value* twin = nullptr;
    auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    if (callee && callee->getName() == kGetFunction) {
      Value* table = call->getArgOperand(0);
      twin = builder.CreateCall(entryFunction(table->getType()->getPointerAddressSpace()),
                                {table, call->getArgOperand(1)});
      bury(*call);
    } else if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(instruction)) {
      Value* first = number(*choice->getTrueValue(), *choice);
      Value* second = number(*choice->getFalseValue(), *choice);
      twin = builder.CreateSelect(choice->getCondition(), first, second);
      bury(*choice);
    } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
      twin = builder.CreateAlignedLoad(word(), load->getPointerOperand(), load->getAlign());
      bury(*load);
    } else if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(instruction)) {
      twin = builder.CreateFreeze(number(*freeze->getOperand(0), *freeze));
      bury(*freeze);
    } else {
      builder.SetInsertPoint(instruction->getNextNode());
      twin = builder.CreatePtrToInt(instruction, word());
    }
    m_numbers[instruction] = twin;
    return twin;
  }

  // Once its own users are looked at.
  void bury(llvm::Instruction& pointer) {
    m_dead.push_back(&pointer);
    std::vector<llvm::Instruction*> users;
    for (llvm::User* user : pointer.users()) users.push_back(llvm::cast<llvm::Instruction>(user));
    for (llvm::Instruction* user : users) keepAsNumber(*user);
  }

  // What an instruction does with a pointer to a function, it does with the number.
  void keepAsNumber(llvm::Instruction& user) {
    if (!m_kept.insert(&user).second) return;
    IRBuilder<> builder(&user);
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      if (isPointer(*store->getValueOperand())) {
        builder.CreateAlignedStore(number(*store->getValueOperand(), user), store->getPointerOperand(),
                                   store->getAlign());
        m_dead.push_back(store);
      }
    } else if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&user)) {
      Value* result = builder.CreateICmp(comparison->getPredicate(), number(*comparison->getOperand(0), user),
                                         number(*comparison->getOperand(1), user));
      comparison->replaceAllUsesWith(result);
      m_dead.push_back(comparison);
    } else if (llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user)) {
      number(user, user);
    } else if (auto* cast = llvm::dyn_cast<llvm::PtrToIntInst>(&user)) {
      cast->replaceAllUsesWith(
          builder.CreateZExtOrTrunc(number(*cast->getOperand(0), user), cast->getType()));
      m_dead.push_back(cast);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user)) {
      for (llvm::Use& argument : call->args())
        if (isPointer(*argument))
          argument.set(builder.CreateIntToPtr(number(*argument, user), argument->getType()));
    } else if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&user)) {
      if (isPointer(*result->getReturnValue()))
        result->setOperand(0, builder.CreateIntToPtr(number(*result->getReturnValue(), user),
                                                     result->getReturnValue()->getType()));
    } else if (!llvm::isa<llvm::LoadInst>(user)) {
      m_problem = fmt::format(
          "it does more with a pointer to a function than to call it, to compare it and to keep it ({})",
          user.getOpcodeName());
    }
  }

  static bool isPointer(Value& value) {
    if (llvm::isa<llvm::Function>(value)) return true;
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&value))
      return call->getCalledFunction() && call->getCalledFunction()->getName() == kGetFunction;
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&value)) {
      for (Value* incoming : phi->incoming_values())
        if (incoming != phi && !llvm::isa<llvm::PHINode>(incoming) && isPointer(*incoming)) return true;
      return false;
    }
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value))
      return isPointer(*choice->getTrueValue()) || isPointer(*choice->getFalseValue());
    if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&value)) return isPointer(*freeze->getOperand(0));
    return false;
  }

  // ---- calls ----

  // Two of one key can be called alike. Structures travel by pointer: what is behind counts too.
  std::string keyOf(llvm::FunctionType* type, const llvm::AttributeList& attributes) {
    std::string key = fmt::format("{}", static_cast<const void*>(type));
    for (unsigned i = 0; i < type->getNumParams(); ++i)
      for (Type* behind : {attributes.getParamByValType(i), attributes.getParamStructRetType(i)})
        key += behind ? fmt::format(",{}", m_module.getDataLayout().getTypeAllocSize(behind).getFixedValue())
                      : ",";
    return key;
  }

  void replaceCall(llvm::CallInst& call, Value& id) {
    IRBuilder<> builder(&call);
    std::vector<Value*> arguments = {&id};
    arguments.insert(arguments.end(), call.arg_begin(), call.arg_end());
    llvm::CallInst* chosen = builder.CreateCall(chooser(call), arguments);
    chosen->takeName(&call);
    call.replaceAllUsesWith(chosen);
    call.eraseFromParent();
  }

  llvm::Function* chooser(llvm::CallInst& call) {
    llvm::FunctionType* type = call.getFunctionType();
    const std::string key = keyOf(type, call.getAttributes());
    llvm::Function*& function = m_choosers[key];
    if (function) return function;
    std::vector<Type*> parameters = {word()};
    parameters.insert(parameters.end(), type->param_begin(), type->param_end());
    function = llvm::Function::Create(llvm::FunctionType::get(type->getReturnType(), parameters, false),
                                      llvm::GlobalValue::InternalLinkage,
                                      fmt::format("basanite.choose.{}", m_choosers.size() - 1), m_module);
    IRBuilder<> builder(llvm::BasicBlock::Create(m_context, "entry", function));
    auto* none = llvm::BasicBlock::Create(m_context, "none", function);
    llvm::SwitchInst* choice = builder.CreateSwitch(function->getArg(0), none);
    // A null pointer, or one to a function of another type: the result is zero.
    builder.SetInsertPoint(none);
    for (unsigned i = 0; i < type->getNumParams(); ++i)
      if (Type* result = call.getParamStructRetType(i))
        builder.CreateMemSet(function->getArg(i + 1), builder.getInt8(0),
                             m_module.getDataLayout().getTypeAllocSize(result).getFixedValue(),
                             call.getParamAlign(i));
    if (type->getReturnType()->isVoidTy())
      builder.CreateRetVoid();
    else
      builder.CreateRet(llvm::Constant::getNullValue(type->getReturnType()));
    auto add = [&](llvm::Function& target, uint64_t number) {
      if (keyOf(target.getFunctionType(), target.getAttributes()) != key) return;
      auto* block = llvm::BasicBlock::Create(m_context, "call", function);
      choice->addCase(builder.getInt64(number), block);
      builder.SetInsertPoint(block);
      std::vector<Value*> arguments;
      for (unsigned i = 1; i < function->arg_size(); ++i) arguments.push_back(function->getArg(i));
      llvm::CallInst* direct = builder.CreateCall(&target, arguments);
      direct->setCallingConv(target.getCallingConv());
      direct->setAttributes(target.getAttributes());
      if (type->getReturnType()->isVoidTy())
        builder.CreateRetVoid();
      else
        builder.CreateRet(direct);
    };
    for (size_t i = 0; i < m_unit.linkedFunctions.size(); ++i)
      if (m_unit.linkedFunctions[i]) add(*m_unit.linkedFunctions[i], i + 1);
    for (size_t i = 0; i < m_locals.size(); ++i) add(*m_locals[i], kFirstLocal + i);
    return function;
  }

  // ---- checks ----

  // Through a table a function may come back to itself. Which one it is says more than the choice that leads
  // there.
  base::Result<void> checkRecursion() const {
    llvm::SmallPtrSet<const llvm::Function*, 16> done, active;
    std::vector<const llvm::Function*> path;
    std::string culprit;
    std::function<void(const llvm::Function&)> visit = [&](const llvm::Function& function) {
      if (done.contains(&function) || function.isDeclaration() || !culprit.empty()) return;
      if (!active.insert(&function).second) {
        for (auto at = path.rbegin(); at != path.rend(); ++at) {
          if ((*at)->getName().starts_with("visible.")) culprit = (*at)->getName().drop_front(8).str();
          if (*at == &function) break;
        }
        return;
      }
      path.push_back(&function);
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
            if (const llvm::Function* callee = call->getCalledFunction()) visit(*callee);
      path.pop_back();
      active.erase(&function);
      done.insert(&function);
    };
    visit(*m_unit.entry.function);
    if (culprit.empty()) return {};
    return m_unit.error(fmt::format("the visible function \"{}\" can come to call itself: it calls functions "
                                    "of its own type through a table, "
                                    "or by name. Recursion is not possible on Vulkan",
                                    culprit));
  }

  Unit& m_unit;
  llvm::Module& m_module;
  llvm::LLVMContext& m_context;
  llvm::DenseMap<llvm::Instruction*, Value*> m_numbers;
  llvm::DenseMap<const llvm::Function*, uint64_t> m_localIds;
  std::vector<llvm::Function*> m_locals;
  std::vector<llvm::Instruction*> m_dead;
  llvm::SmallPtrSet<llvm::Instruction*, 32> m_kept;
  std::map<std::string, llvm::Function*> m_choosers;
  std::string m_problem;
};

} // namespace

base::Result<void> resolvePointers(Unit& unit) { return PointerResolver(unit).run(); }

} // namespace basanite::shader::lower
