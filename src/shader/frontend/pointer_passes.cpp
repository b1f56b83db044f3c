// SPDX-License-Identifier: Apache-2.0
// Implementation of pointer_passes.hpp.
#include "src/shader/frontend/pointer_passes.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <set>

namespace basanite::shader::frontend {

namespace {

class ConstantMover {
 public:
  explicit ConstantMover(llvm::Module& module) : m_module(module) {}

  void run() {
    std::vector<llvm::GlobalVariable*> globals;
    for (llvm::GlobalVariable& global : m_module.globals()) {
      if (global.getName().starts_with("llvm.")) continue;
      if (global.getAddressSpace() == kDevice || global.getAddressSpace() == 0) globals.push_back(&global);
    }
    for (llvm::GlobalVariable* global : globals) move(*global);
    for (llvm::Instruction* instruction : m_dead) instruction->eraseFromParent();
  }

 private:
  void move(llvm::GlobalVariable& global) {
    llvm::convertUsersOfConstantsToInstructions({&global});
    // A function constant has no value yet; what is computed from one is written by a constructor.
    auto linkage = global.hasInitializer() ? llvm::GlobalValue::InternalLinkage : llvm::GlobalValue::ExternalLinkage;
    auto* moved = new llvm::GlobalVariable(m_module, global.getValueType(), !isWritten(global), linkage,
                                           global.hasInitializer() ? global.getInitializer() : nullptr, "", &global,
                                           llvm::GlobalValue::NotThreadLocal, kConstant);
    moved->setAlignment(global.getAlign());
    moved->takeName(&global);
    // A generic pointer in place of each use; InferAddressSpaces turns those into constant ones.
    auto* generic = llvm::PointerType::get(m_module.getContext(), kGeneric);
    std::vector<llvm::User*> users(global.user_begin(), global.user_end());
    for (llvm::User* user : users) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) continue;
      llvm::IRBuilder<> builder(insertionPoint(*instruction, global));
      replacePointer(*instruction, &global, builder.CreateAddrSpaceCast(moved, generic));
    }
    global.removeDeadConstantUsers();
    if (global.use_empty()) global.eraseFromParent();
  }

  static bool isWritten(const llvm::Value& pointer) {
    for (const llvm::Use& use : pointer.uses()) {
      const llvm::User* user = use.getUser();
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && use.getOperandNo() == store->getPointerOperandIndex()) return true;
      if (llvm::isa<llvm::MemIntrinsic>(user) && use.getOperandNo() == 0) return true;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(user) && isWritten(*user)) return true;
    }
    return false;
  }

  static llvm::Instruction* insertionPoint(llvm::Instruction& user, llvm::Value& value) {
    auto* phi = llvm::dyn_cast<llvm::PHINode>(&user);
    if (!phi) return &user;
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      if (phi->getIncomingValue(i) == &value) return phi->getIncomingBlock(i)->getTerminator();
    }
    return &user;
  }

  // Makes `user` take the generic `to` where it took `from`, and follows the pointers derived from it.
  void replacePointer(llvm::Instruction& user, llvm::Value* from, llvm::Value* to) {
    if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&user); cast && cast->getDestAddressSpace() == kGeneric) {
      cast->replaceAllUsesWith(to);
      m_dead.push_back(cast);
      return;
    }
    if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
      llvm::IRBuilder<> builder(gep);
      std::vector<llvm::Value*> indices(gep->idx_begin(), gep->idx_end());
      llvm::Value* moved = builder.CreateGEP(gep->getSourceElementType(), to, indices, "", gep->isInBounds());
      followUsers(*gep, moved);
      m_dead.push_back(gep);
      return;
    }
    if (auto* intrinsic = llvm::dyn_cast<llvm::MemTransferInst>(&user)) {
      llvm::IRBuilder<> builder(intrinsic);
      if (intrinsic->getRawDest() == from)
        builder.CreateMemCpy(to, intrinsic->getDestAlign(), intrinsic->getRawSource(), intrinsic->getSourceAlign(), intrinsic->getLength());
      else builder.CreateMemCpy(intrinsic->getRawDest(), intrinsic->getDestAlign(), to, intrinsic->getSourceAlign(), intrinsic->getLength());
      m_dead.push_back(intrinsic);
      return;
    }
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst, llvm::StoreInst>(user)) {
      user.replaceUsesOfWith(from, to);
      return;
    }
    // A phi, a select or a call: hand it the pointer in the space it was written for; the back end reports what it cannot follow.
    llvm::IRBuilder<> builder(insertionPoint(user, *from));
    user.replaceUsesOfWith(from, builder.CreateAddrSpaceCast(to, from->getType()));
  }

  void followUsers(llvm::Instruction& from, llvm::Value* to) {
    std::vector<llvm::User*> users(from.user_begin(), from.user_end());
    for (llvm::User* user : users) replacePointer(*llvm::cast<llvm::Instruction>(user), &from, to);
  }

  llvm::Module& m_module;
  std::vector<llvm::Instruction*> m_dead;
};

// The choice is a phi of generic pointers that is only read from. Each side copies what is read into a variable instead.
class MixedChoices {
 public:
  static void run(llvm::Module& module) {
    for (llvm::Function& function : module.functions()) {
      std::vector<llvm::PHINode*> choices;
      for (llvm::BasicBlock& block : function) {
        for (llvm::PHINode& phi : block.phis()) {
          if (phi.getType()->isPointerTy() && phi.getType()->getPointerAddressSpace() == kGeneric && isMixed(phi)) choices.push_back(&phi);
        }
      }
      for (llvm::PHINode* phi : choices) MixedChoices(*phi).rewrite();
    }
  }

 private:
  explicit MixedChoices(llvm::PHINode& phi) : m_phi(phi), m_layout(phi.getModule()->getDataLayout()) {}

  static bool isMixed(llvm::PHINode& phi) {
    std::optional<unsigned> first;
    for (llvm::Value* incoming : phi.incoming_values()) {
      unsigned space = incoming->stripPointerCasts()->getType()->getPointerAddressSpace();
      if (first && *first != space) return true;
      first = space;
    }
    return false;
  }

  void rewrite() {
    if (!measure(m_phi, 0) || m_extent == 0 || writesBeforeLastRead()) return;
    llvm::IRBuilder<> entry(&*m_phi.getFunction()->getEntryBlock().getFirstInsertionPt());
    auto* copy = entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), m_extent));
    copy->setAlignment(llvm::Align(16));
    for (unsigned i = 0; i < m_phi.getNumIncomingValues(); ++i) {
      llvm::IRBuilder<> builder(m_phi.getIncomingBlock(i)->getTerminator());
      builder.CreateMemCpy(copy, copy->getAlign(), m_phi.getIncomingValue(i), llvm::MaybeAlign(m_align), m_extent);
    }
    llvm::IRBuilder<> builder(&*m_phi.getParent()->getFirstInsertionPt());
    m_phi.replaceAllUsesWith(builder.CreateAddrSpaceCast(copy, m_phi.getType()));
    m_phi.eraseFromParent();
  }

  // The bytes read through `pointer`; false when it is used for anything else than reading right here.
  bool measure(llvm::Value& pointer, uint64_t offset) {
    for (llvm::User* user : pointer.users()) {
      auto* instruction = llvm::cast<llvm::Instruction>(user);
      if (instruction->getParent() != m_phi.getParent()) return false;
      if (auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        llvm::APInt step(m_layout.getIndexTypeSizeInBits(gep->getType()), 0);
        if (!gep->accumulateConstantOffset(m_layout, step) || step.isNegative() || !measure(*gep, offset + step.getZExtValue())) return false;
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
        read(*load, offset + m_layout.getTypeStoreSize(load->getType()), load->getAlign());
      } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(instruction)) {
        auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
        if (copy->getRawSource() != &pointer || copy->getRawDest() == &pointer || !length) return false;
        read(*copy, offset + length->getZExtValue(), copy->getSourceAlign().valueOrOne());
      } else {
        return false;
      }
    }
    return true;
  }

  void read(llvm::Instruction& reader, uint64_t end, llvm::Align align) {
    m_extent = std::max(m_extent, end);
    m_align = std::min(m_align, align);
    m_readers.insert(&reader);
  }

  bool writesBeforeLastRead() const {
    size_t left = m_readers.size();
    for (llvm::Instruction& instruction : *m_phi.getParent()) {
      if (m_readers.count(&instruction)) --left;
      else if (instruction.mayWriteToMemory()) return true;
      if (left == 0) return false;
    }
    return true;
  }

  llvm::PHINode& m_phi;
  const llvm::DataLayout& m_layout;
  std::set<llvm::Instruction*> m_readers;
  uint64_t m_extent = 0;
  llvm::Align m_align{16};
};

class ComponentAccess {
 public:
  static bool run(llvm::Function& function) {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : function.getEntryBlock()) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
    }
    bool changed = false;
    for (llvm::AllocaInst* variable : variables) changed |= ComponentAccess(*variable).rewrite();
    return changed;
  }

 private:
  explicit ComponentAccess(llvm::AllocaInst& variable) : m_variable(variable) {
    llvm::Type* type = variable.getAllocatedType();
    while (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      if (structure->getNumElements() != 1) return;
      type = structure->getElementType(0);
    }
    m_vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  }

  bool rewrite() {
    if (!m_vector) return false;
    std::vector<llvm::Instruction*> components;
    std::vector<llvm::MemTransferInst*> copies;
    for (llvm::User* user : m_variable.users()) {
      if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        auto* length = llvm::dyn_cast<llvm::ConstantInt>(copy->getLength());
        uint64_t size = m_variable.getModule()->getDataLayout().getTypeAllocSize(m_vector);
        if (copy->getRawDest() != &m_variable || copy->isVolatile() || !length || length->getZExtValue() != size) return false;
        copies.push_back(copy);
        continue;
      }
      if (isAccess(*user, m_variable)) {
        if (llvm::getLoadStoreType(user) != m_vector) return false;
        continue;
      }
      auto* gep = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (!gep || gep->getNumIndices() != 1 || gep->getSourceElementType() != m_vector->getElementType()) return false;
      for (llvm::User* access : gep->users()) {
        if (!isAccess(*access, *gep) || llvm::getLoadStoreType(access) != m_vector->getElementType()) return false;
        components.push_back(llvm::cast<llvm::Instruction>(access));
      }
    }
    if (components.empty()) return false;
    for (llvm::MemTransferInst* copy : copies) {
      llvm::IRBuilder<> builder(copy);
      llvm::Value* all = builder.CreateAlignedLoad(m_vector, copy->getRawSource(), copy->getSourceAlign());
      builder.CreateAlignedStore(all, &m_variable, m_variable.getAlign());
      copy->eraseFromParent();
    }
    for (llvm::Instruction* access : components) rewriteAccess(*access);
    return true;
  }

  static bool isAccess(llvm::User& user, llvm::Value& pointer) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) return load->isSimple();
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&user);
    return store && store->isSimple() && store->getPointerOperand() == &pointer;
  }

  void rewriteAccess(llvm::Instruction& access) {
    llvm::IRBuilder<> builder(&access);
    auto* gep = llvm::cast<llvm::GetElementPtrInst>(llvm::getLoadStorePointerOperand(&access));
    llvm::Value* index = gep->getOperand(1);
    llvm::Value* all = builder.CreateAlignedLoad(m_vector, &m_variable, m_variable.getAlign());
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) {
      all = builder.CreateInsertElement(all, store->getValueOperand(), index);
      builder.CreateAlignedStore(all, &m_variable, m_variable.getAlign());
    } else {
      access.replaceAllUsesWith(builder.CreateExtractElement(all, index));
    }
    access.eraseFromParent();
    if (gep->use_empty()) gep->eraseFromParent();
  }

  llvm::AllocaInst& m_variable;
  llvm::FixedVectorType* m_vector = nullptr;
};

} // namespace

void moveConstants(llvm::Module& module) { ConstantMover(module).run(); }

void separateMixedChoices(llvm::Module& module) { MixedChoices::run(module); }

llvm::PreservedAnalyses ComponentAccessPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  return ComponentAccess::run(function) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

namespace {

// The type with constant pointers for generic ones; the same where it has none.
llvm::FunctionType* withoutGeneric(llvm::FunctionType* type) {
  auto* generic = llvm::PointerType::get(type->getContext(), kGeneric);
  auto* constant = llvm::PointerType::get(type->getContext(), kConstant);
  std::vector<llvm::Type*> parameters(type->param_begin(), type->param_end());
  for (llvm::Type*& parameter : parameters)
    if (parameter == generic) parameter = constant;
  llvm::Type* result = type->getReturnType() == generic ? constant : type->getReturnType();
  return llvm::FunctionType::get(result, parameters, type->isVarArg());
}

// Functions that were not inlined: visible ones, those of libraries, those that only pointers lead to.
void retypeFunctions(llvm::Module& module) {
  std::vector<llvm::Function*> work;
  for (llvm::Function& function : module.functions())
    if (!function.getName().starts_with("air.") && !function.isIntrinsic() &&
        withoutGeneric(function.getFunctionType()) != function.getFunctionType())
      work.push_back(&function);
  for (llvm::Function* function : work) {
    auto* moved = llvm::Function::Create(withoutGeneric(function->getFunctionType()), function->getLinkage(), "", module);
    moved->copyAttributesFrom(function);
    moved->takeName(function);
    moved->splice(moved->begin(), function);
    for (unsigned i = 0; i < function->arg_size(); ++i) {
      llvm::Argument* from = function->getArg(i);
      llvm::Argument* to = moved->getArg(i);
      to->takeName(from);
      from->mutateType(to->getType());
      from->replaceAllUsesWith(to);
    }
    function->replaceAllUsesWith(moved);
    function->eraseFromParent();
  }
  for (llvm::Function& function : module.functions())
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !llvm::isa<llvm::IntrinsicInst>(call))
          call->mutateFunctionType(withoutGeneric(call->getFunctionType()));
}

} // namespace

namespace {

// To clang a pointer to a function is a generic one like any other. AIR's are plain, so all that such a pointer goes through
// becomes plain with it.
class FunctionPointers {
 public:
  explicit FunctionPointers(llvm::Module& module)
      : m_module(module), m_generic(llvm::PointerType::get(module.getContext(), kGeneric)),
        m_plain(llvm::PointerType::get(module.getContext(), 0)) {}

  void run() {
    declarePlain();
    for (llvm::Function& function : m_module) {
      const bool table = function.getName() == kGetFunction;
      for (llvm::User* user : function.users()) {
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && table) markUsers(*call);
        if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(user); cast && !function.isDeclaration()) markUsers(*cast);
      }
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && !call->getCalledFunction()) mark(*call->getCalledOperand());
    }
    for (llvm::Instruction* pointer : m_pointers) pointer->mutateType(m_plain);
    for (llvm::Instruction* pointer : m_pointers)
      if (!llvm::isa<llvm::CallInst>(pointer))
        for (llvm::Use& operand : pointer->operands()) makePlain(operand);
    for (llvm::Instruction* pointer : m_pointers)
      for (llvm::User* user : pointer->users())
        if (llvm::isa<llvm::ICmpInst>(user))
          for (llvm::Use& operand : user->operands()) makePlain(operand);
    for (llvm::Function& function : m_module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) {
          if (llvm::isa<llvm::StoreInst>(instruction)) makePlain(instruction.getOperandUse(0), false);
          if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) makePlain(call->getCalledOperandUse());
        }
    // Casts from what is plain now to what was plain before.
    for (llvm::Function& function : m_module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
          if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction); cast && cast->getType() == cast->getOperand(0)->getType()) {
            cast->replaceAllUsesWith(cast->getOperand(0));
            cast->eraseFromParent();
          }
  }

 private:
  static constexpr llvm::StringLiteral kGetFunction = "air.get_function_pointer_visible_function_table";

  // What tables hand out is plain from the beginning.
  void declarePlain() {
    llvm::Function* generic = m_module.getFunction(kGetFunction);
    if (!generic || generic->getReturnType() == m_plain) return;
    std::vector<llvm::Type*> parameters(generic->getFunctionType()->param_begin(), generic->getFunctionType()->param_end());
    auto* plain = llvm::Function::Create(llvm::FunctionType::get(m_plain, parameters, false), generic->getLinkage(), "", m_module);
    plain->copyAttributesFrom(generic);
    plain->takeName(generic);
    for (llvm::User* user : llvm::make_early_inc_range(generic->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      call->mutateType(m_plain);
      call->setCalledFunction(plain);
      m_pointers.push_back(call);
    }
    generic->eraseFromParent();
  }

  void markUsers(llvm::Value& pointer) {
    std::vector<llvm::User*> users(pointer.user_begin(), pointer.user_end());
    for (llvm::User* user : users) {
      if (llvm::isa<llvm::AddrSpaceCastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user)) mark(*user);
      if (llvm::isa<llvm::ICmpInst>(user))
        for (llvm::Value* operand : user->operand_values()) mark(*operand);
    }
  }

  void mark(llvm::Value& pointer) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(&pointer);
    if (!instruction || !instruction->getType()->isPointerTy() || !m_seen.insert(instruction).second) return;
    const bool passes = llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::AddrSpaceCastInst>(instruction);
    if (!passes && !llvm::isa<llvm::LoadInst>(instruction)) return;
    if (instruction->getType() == m_generic) m_pointers.push_back(instruction);
    if (passes)
      for (llvm::Use& operand : instruction->operands()) mark(*operand);
    markUsers(*instruction);
  }

  // Constants: addresses of functions, and where it stands beside a plain pointer, null.
  void makePlain(const llvm::Use& use, bool nullToo = true) {
    llvm::Use& operand = const_cast<llvm::Use&>(use);
    if (operand->getType() != m_generic) return;
    if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(operand.get());
        cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast && llvm::isa<llvm::Function>(cast->getOperand(0)))
      operand.set(cast->getOperand(0));
    else if (nullToo && llvm::isa<llvm::ConstantPointerNull>(operand.get()))
      operand.set(llvm::ConstantPointerNull::get(m_plain));
    else if (nullToo && llvm::isa<llvm::UndefValue>(operand.get()))
      operand.set(llvm::PoisonValue::get(m_plain));
  }

  llvm::Module& m_module;
  llvm::PointerType* m_generic;
  llvm::PointerType* m_plain;
  std::set<llvm::Instruction*> m_seen;
  std::vector<llvm::Instruction*> m_pointers; // generic ones, to be plain
};

} // namespace

std::optional<AirProblem> retypeGenericPointers(llvm::Module& module) {
  auto* generic = llvm::PointerType::get(module.getContext(), kGeneric);
  auto* constant = llvm::PointerType::get(module.getContext(), kConstant);
  FunctionPointers(module).run();
  retypeFunctions(module);
  for (llvm::Function& function : module.functions()) {
    std::vector<llvm::Instruction*> dead;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        for (llvm::Use& operand : instruction.operands()) {
          if (operand->getType() != generic) continue;
          if (llvm::isa<llvm::ConstantPointerNull>(operand.get())) operand.set(llvm::ConstantPointerNull::get(constant));
          else if (llvm::isa<llvm::PoisonValue>(operand.get())) operand.set(llvm::PoisonValue::get(constant));
          else if (llvm::isa<llvm::UndefValue>(operand.get())) operand.set(llvm::UndefValue::get(constant));
          else if (auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(operand.get());
                   cast && cast->getOpcode() == llvm::Instruction::AddrSpaceCast && cast->getOperand(0)->getType() == constant)
            operand.set(cast->getOperand(0));
        }
        if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction)) {
          if (cast->getType() != generic && cast->getSrcTy() != generic && cast->getType() != constant) continue;
          if (cast->getType() == generic && cast->getSrcAddressSpace() != kConstant && cast->getSrcTy() != generic) {
            return AirProblem{function.getName().str(), "a pointer leads to thread, device or constant memory depending on the path taken; this is not supported"};
          }
        }
      }
    }
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (instruction.getType() == generic) instruction.mutateType(constant);
      }
    }
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        // The name of a copy says the spaces of its pointers.
        if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction);
            copy && (copy->getRawSource()->getType() != copy->getCalledFunction()->getFunctionType()->getParamType(1))) {
          llvm::IRBuilder<> builder(copy);
          if (llvm::isa<llvm::MemMoveInst>(copy)) {
            builder.CreateMemMove(copy->getRawDest(), copy->getDestAlign(), copy->getRawSource(), copy->getSourceAlign(), copy->getLength());
          } else {
            builder.CreateMemCpy(copy->getRawDest(), copy->getDestAlign(), copy->getRawSource(), copy->getSourceAlign(), copy->getLength());
          }
          copy->eraseFromParent();
          continue;
        }
        auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&instruction);
        if (!cast || cast->getType() != cast->getOperand(0)->getType()) continue;
        cast->replaceAllUsesWith(cast->getOperand(0));
        cast->eraseFromParent();
      }
    }
  }
  return std::nullopt;
}

} // namespace basanite::shader::frontend
