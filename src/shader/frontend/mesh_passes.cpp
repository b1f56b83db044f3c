// SPDX-License-Identifier: Apache-2.0
// Implementation of mesh_passes.hpp.
#include "src/shader/frontend/mesh_passes.hpp"

#include "src/shader/frontend/leaf_access.hpp"
#include "src/shader/frontend/pointer_passes.hpp"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <set>

namespace basanite::shader::frontend {

namespace {

class MeshCallExpander {
 public:
  MeshCallExpander(llvm::Module& module, const MeshType& mesh)
      : m_module(module), m_mesh(mesh), m_builder(module.getContext()) {}

  void run(llvm::Function& entry) {
    std::vector<llvm::CallInst*> calls;
    for (llvm::BasicBlock& block : entry) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call && call->getCalledFunction() && call->getCalledFunction()->getName().contains("$mesh_set_"))
          calls.push_back(call);
      }
    }
    for (llvm::CallInst* call : calls) {
      m_builder.SetInsertPoint(call);
      bool vertex = call->getCalledFunction()->getName().contains("$mesh_set_vertex");
      for (const Leaf& leaf : vertex ? m_mesh.vertexOutputs : m_mesh.primitiveOutputs) expand(*call, leaf);
      call->eraseFromParent();
    }
  }

 private:
  void expand(llvm::CallInst& call, const Leaf& leaf) {
    llvm::Value* mesh = call.getArgOperand(0);
    llvm::Value* element = call.getArgOperand(1);
    llvm::Value* value = loadLeaf(m_builder, leaf, call.getArgOperand(2));
    const std::string& kind = leaf.keys[0];
    std::string name = "air.set_" + kind.substr(4);
    if (kind == "air.mesh_vertex_data" || kind == "air.mesh_primitive_data") {
      name = fmtName(
          kind == "air.mesh_vertex_data" ? "air.set_vertex_data_mesh" : "air.set_primitive_data_mesh", value);
      emit(name, {mesh, m_builder.getInt32(static_cast<uint32_t>(std::stoul(leaf.keys[1].substr(1)))),
                  element, value});
    } else if (kind == "air.clip_distance") {
      for (unsigned i = 0; i < std::max(1u, leaf.arrayLength); ++i) {
        llvm::Value* distance = leaf.arrayLength ? m_builder.CreateExtractValue(value, i) : value;
        emit(name + "_mesh", {mesh, m_builder.getInt32(i), element, distance});
      }
    } else {
      // The indices into layers and viewports are of any integer type, the others of one.
      name += "_mesh";
      emit(kind.ends_with("_array_index") ? fmtName(name, value) : name, {mesh, element, value});
    }
  }

  static std::string fmtName(const std::string& family, llvm::Value* value) {
    return family + "." + suffixOf(value->getType());
  }

  void emit(const std::string& name, llvm::ArrayRef<llvm::Value*> arguments) {
    std::vector<llvm::Type*> types;
    for (llvm::Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee =
        m_module.getOrInsertFunction(name, llvm::FunctionType::get(m_builder.getVoidTy(), types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::WillReturn);
    function->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
    m_builder.CreateCall(callee, arguments);
  }

  llvm::Module& m_module;
  const MeshType& m_mesh;
  llvm::IRBuilder<> m_builder;
};

// Follows one payload argument through its casts to threadgroup memory.
class PayloadMover {
 public:
  explicit PayloadMover(llvm::Argument& payload) : m_payload(payload), m_type(payload.getType()) {}

  // What is in the way, or nothing.
  std::optional<std::string> run() {
    for (llvm::User* user : m_payload.users()) {
      auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(user);
      if (cast && cast->getDestAddressSpace() == kThreadgroup) follow(*cast, m_payload);
    }
    if (!m_problem) {
      for (llvm::Instruction* choice : m_choices)
        for (llvm::Value* operand : choice->operands())
          if (operand->getType()->isPointerTy() && operand->getType() != m_type &&
              !llvm::isa<llvm::Constant>(operand))
            m_problem = "a pointer leads to the payload or to threadgroup memory depending on the path "
                        "taken; this is not supported";
    }
    for (llvm::Instruction* instruction : m_dead) instruction->eraseFromParent();
    return m_problem;
  }

 private:
  // Every use of `from` becomes one of `to`, which is in the payload's address space.
  void follow(llvm::Instruction& from, llvm::Value& to) {
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : from.uses()) uses.push_back(&use);
    for (llvm::Use* use : uses) replace(*use, to);
    if (&from != &to) m_dead.push_back(&from);
  }

  void replace(llvm::Use& use, llvm::Value& to) {
    auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user) ||
        (llvm::isa<llvm::StoreInst>(user) && use.getOperandNo() == 1)) {
      use.set(&to);
    } else if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) {
      use.set(&to);
      if (!llvm::isa<llvm::GetElementPtrInst>(user)) m_choices.insert(&user);
      if (user.getType() == m_type) return;
      user.mutateType(m_type);
      std::vector<llvm::Use*> uses;
      for (llvm::Use& next : user.uses()) uses.push_back(&next);
      for (llvm::Use* next : uses) replace(*next, user);
    } else if (auto* cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&user)) {
      llvm::IRBuilder<> builder(cast);
      cast->replaceAllUsesWith(builder.CreateAddrSpaceCast(&to, cast->getType()));
      m_dead.push_back(cast);
    } else if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&user)) {
      llvm::IRBuilder<> builder(transfer);
      llvm::Value* target = use.getOperandNo() == 0 ? &to : transfer->getRawDest();
      llvm::Value* source = use.getOperandNo() == 1 ? &to : transfer->getRawSource();
      builder.CreateMemCpy(target, transfer->getDestAlign(), source, transfer->getSourceAlign(),
                           transfer->getLength());
      m_dead.push_back(transfer);
    } else if (auto* set = llvm::dyn_cast<llvm::MemSetInst>(&user)) {
      llvm::IRBuilder<> builder(set);
      builder.CreateMemSet(&to, set->getValue(), set->getLength(), set->getDestAlign());
      m_dead.push_back(set);
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&user);
               call && call->getCalledFunction() &&
               call->getCalledFunction()->getName().starts_with("air.atomic.local.")) {
      renameAtomic(*call, use, to);
    } else {
      m_problem = "the address of a payload is stored or handed on in a way that is not supported";
    }
  }

  void renameAtomic(llvm::CallInst& call, llvm::Use& use, llvm::Value& to) {
    llvm::Function& local = *call.getCalledFunction();
    std::string name =
        "air.atomic.object_data." + local.getName().substr(llvm::StringRef("air.atomic.local.").size()).str();
    std::vector<llvm::Type*> types(local.getFunctionType()->param_begin(),
                                   local.getFunctionType()->param_end());
    types[0] = m_type;
    auto* type = llvm::FunctionType::get(local.getReturnType(), types, false);
    llvm::FunctionCallee callee = call.getModule()->getOrInsertFunction(name, type);
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
    llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::WillReturn);
    use.set(&to);
    call.setCalledFunction(callee);
  }

  llvm::Argument& m_payload;
  llvm::Type* m_type;
  std::set<llvm::Instruction*> m_choices;
  std::vector<llvm::Instruction*> m_dead;
  std::optional<std::string> m_problem;
};

} // namespace

void expandMeshCalls(llvm::Module& module, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    llvm::Function* function = entry.stage == Stage::mesh ? module.getFunction(entry.name) : nullptr;
    if (function) MeshCallExpander(module, entry.mesh).run(*function);
  }
}

std::optional<AirProblem> movePayloads(llvm::Module& module, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    if (entry.stage != Stage::object && entry.stage != Stage::mesh) continue;
    llvm::Function* function = module.getFunction(entry.name);
    if (!function) continue;
    for (llvm::Argument& argument : function->args()) {
      if (!argument.getType()->isPointerTy() || argument.getType()->getPointerAddressSpace() != kObjectData)
        continue;
      if (auto problem = PayloadMover(argument).run()) return AirProblem{function->getName().str(), *problem};
    }
  }
  return std::nullopt;
}

} // namespace basanite::shader::frontend
