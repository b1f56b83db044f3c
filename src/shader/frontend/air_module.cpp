// SPDX-License-Identifier: Apache-2.0
// Implementation of air_module.hpp.
#include "src/shader/frontend/air_module.hpp"

#include "src/shader/air/function_constants.hpp"
#include "src/shader/air/visible_functions.hpp"
#include "src/shader/frontend/pointer_passes.hpp"

#include "src/base/check.hpp"
#include "src/shader/frontend/leaf_access.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace basanite::shader::frontend {

namespace {

constexpr const char* kDataLayout =
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64"
    "-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32";
constexpr const char* kTriple = "air64_v28-apple-macosx26.0.0";

class WrapperBuilder {
 public:
  WrapperBuilder(llvm::Module& module, const Entry& entry)
      : m_module(module), m_context(module.getContext()), m_entry(entry), m_user(*module.getFunction(entry.mangledName)),
        m_builder(m_context) {}

  void run() {
    std::vector<llvm::Type*> types;
    for (const Parameter& parameter : m_entry.parameters) appendTypes(parameter, types);
    const bool visible = m_entry.stage == Stage::visible;
    auto* functionType = visible ? m_user.getFunctionType() : llvm::FunctionType::get(resultType(), types, false);
    m_wrapper = llvm::Function::Create(functionType, llvm::GlobalValue::ExternalLinkage, "", m_module);
    m_wrapper->addFnAttr(llvm::Attribute::NoUnwind);
    if (llvm::GlobalValue* taken = m_module.getNamedValue(m_entry.name)) taken->setName(m_entry.name + ".shadowed");
    m_wrapper->setName(m_entry.name);
    m_builder.SetInsertPoint(llvm::BasicBlock::Create(m_context, "entry", m_wrapper));
    if (visible) forward();
    else emitCall();
  }

 private:
  // A visible function keeps clang's form: those that call it through a table do too.
  void forward() {
    m_wrapper->setAttributes(m_user.getAttributes());
    m_wrapper->removeFnAttr(llvm::Attribute::NoInline);
    m_wrapper->removeFnAttr(llvm::Attribute::OptimizeNone);
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : m_wrapper->args()) arguments.push_back(&argument);
    llvm::CallInst* call = m_builder.CreateCall(&m_user, arguments);
    call->setCallingConv(m_user.getCallingConv());
    call->setAttributes(m_user.getAttributes());
    if (call->getType()->isVoidTy()) m_builder.CreateRetVoid();
    else m_builder.CreateRet(call);
  }

  void appendTypes(const Parameter& parameter, std::vector<llvm::Type*>& types) {
    switch (parameter.kind) {
    case ParameterKind::buffer: types.push_back(pointer(parameter.addressSpace)); return;
    case ParameterKind::texture:
    case ParameterKind::functionTable: types.push_back(handles(parameter, 1)); return;
    case ParameterKind::sampler: types.push_back(handles(parameter, 2)); return;
    case ParameterKind::payload: types.push_back(pointer(6)); return;
    case ParameterKind::meshOutput: types.push_back(pointer(7)); return;
    case ParameterKind::gridProperties: types.push_back(pointer(3)); return;
    case ParameterKind::builtin: types.push_back(interfaceType(m_context, parameter.type)); return;
    case ParameterKind::stageIn:
      for (const Leaf& leaf : parameter.leaves) types.push_back(leafType(m_context, leaf));
      return;
    }
  }

  llvm::Type* handles(const Parameter& parameter, unsigned addressSpace) {
    if (!parameter.count) return pointer(addressSpace);
    return llvm::ArrayType::get(pointer(addressSpace), parameter.count);
  }
  llvm::PointerType* pointer(unsigned addressSpace) { return llvm::PointerType::get(m_context, addressSpace); }

  llvm::Type* resultType() {
    if (m_entry.outputs.empty()) return llvm::Type::getVoidTy(m_context);
    if (m_entry.outputs.size() == 1) return leafType(m_context, m_entry.outputs[0]);
    std::vector<llvm::Type*> members;
    for (const Leaf& leaf : m_entry.outputs) members.push_back(leafType(m_context, leaf));
    return llvm::StructType::get(m_context, members, true);
  }

  void store(llvm::Value* value, const ValueType& type, llvm::Value* base, uint64_t offset) {
    llvm::Type* memory = interfaceType(m_context, type, true);
    if (memory != value->getType()) value = m_builder.CreateZExt(value, memory);
    m_builder.CreateAlignedStore(value, offsetBy(m_builder, base, offset), memoryAlign(type));
  }

  // The user's argument that is passed through memory: a copy of its own.
  llvm::AllocaInst* slotFor(unsigned argument) {
    llvm::Type* type = m_user.getParamByValType(argument);
    if (!type) type = m_user.getParamStructRetType(argument);
    BASANITE_CHECK(type, "clang passed an aggregate in an unknown way");
    llvm::AllocaInst* slot = m_builder.CreateAlloca(type);
    slot->setAlignment(std::max(slot->getAlign(), m_user.getParamAlign(argument).valueOrOne()));
    return slot;
  }

  void emitCall() {
    std::vector<llvm::Value*> arguments;
    llvm::Value* result = nullptr;
    if (m_user.hasStructRetAttr()) {
      result = slotFor(0);
      arguments.push_back(result);
    }
    unsigned next = 0; // parameter of the wrapper
    for (const Parameter& parameter : m_entry.parameters) {
      unsigned argument = static_cast<unsigned>(arguments.size());
      llvm::Type* wanted = m_user.getFunctionType()->getParamType(argument);
      bool throughMemory = m_user.hasParamAttribute(argument, llvm::Attribute::ByVal);
      if (parameter.kind == ParameterKind::stageIn) {
        llvm::Value* slot = slotFor(argument);
        for (const Leaf& leaf : parameter.leaves) {
          llvm::Argument* value = m_wrapper->getArg(next++);
          value->setName(leaf.name);
          if (leaf.interpolant) m_builder.CreateStore(value, offsetBy(m_builder, slot, leaf.offset));
          else store(value, leaf.type, slot, leaf.offset);
        }
        arguments.push_back(slot);
        continue;
      }
      llvm::Argument* value = m_wrapper->getArg(next++);
      value->setName(parameter.name);
      if (throughMemory) {
        llvm::Value* slot = slotFor(argument);
        if (parameter.kind == ParameterKind::builtin) store(value, parameter.type, slot, 0);
        else m_builder.CreateStore(value, slot);
        arguments.push_back(slot);
      } else if (parameter.count) {
        llvm::AllocaInst* slot = m_builder.CreateAlloca(value->getType());
        m_builder.CreateStore(value, slot);
        arguments.push_back(slot->getType() == wanted ? slot : m_builder.CreateAddrSpaceCast(slot, wanted));
      } else if (value->getType()->isPointerTy() && value->getType() != wanted) {
        arguments.push_back(m_builder.CreateAddrSpaceCast(value, wanted));
      } else {
        arguments.push_back(value);
      }
    }
    llvm::CallInst* call = m_builder.CreateCall(&m_user, arguments);
    call->setCallingConv(m_user.getCallingConv());
    call->setAttributes(m_user.getAttributes());
    emitReturn(call, result);
  }

  void emitReturn(llvm::CallInst* call, llvm::Value* slot) {
    if (m_entry.outputs.empty()) {
      m_builder.CreateRetVoid();
    } else if (!m_entry.returnsRecord) {
      m_builder.CreateRet(call);
    } else if (m_entry.outputs.size() == 1) {
      m_builder.CreateRet(loadLeaf(m_builder, m_entry.outputs[0], slot));
    } else {
      llvm::Value* value = llvm::PoisonValue::get(resultType());
      for (unsigned i = 0; i < m_entry.outputs.size(); ++i) {
        value = m_builder.CreateInsertValue(value, loadLeaf(m_builder, m_entry.outputs[i], slot), i);
      }
      m_builder.CreateRet(value);
    }
  }

  llvm::Module& m_module;
  llvm::LLVMContext& m_context;
  const Entry& m_entry;
  llvm::Function& m_user;
  llvm::Function* m_wrapper = nullptr;
  llvm::IRBuilder<> m_builder;
};

class MetadataBuilder {
 public:
  MetadataBuilder(llvm::Module& module, const AirModuleOptions& options)
      : m_module(module), m_context(module.getContext()), m_options(options) {}

  void run(const std::vector<Entry>& entries, const std::vector<FunctionConstant>& constants,
           const std::vector<FunctionReference>& references) {
    for (const Entry& entry : entries) addEntry(entry);
    addReferences(references);
    for (const FunctionConstant& constant : constants) addConstant(constant);
    addModuleFlags();
    addNamed("air.version", {integer(2), integer(8), integer(0)});
    addNamed("air.language_version", {string("Metal"), integer(m_options.languageMajor), integer(m_options.languageMinor), integer(0)});
    llvm::NamedMDNode* compileOptions = m_module.getOrInsertNamedMetadata("air.compile_options");
    for (const char* option : {"air.compile.denorms_disable",
                               m_options.mathMode != MathMode::safe ? "air.compile.fast_math_enable" : "air.compile.fast_math_disable",
                               "air.compile.framebuffer_fetch_enable"}) {
      compileOptions->addOperand(llvm::MDNode::get(m_context, {string(option)}));
    }
    addNamed("air.source_file_name", {string(m_options.sourceName)});
  }

 private:
  using Operands = std::vector<llvm::Metadata*>;

  llvm::Metadata* string(llvm::StringRef text) { return llvm::MDString::get(m_context, text); }
  llvm::Metadata* integer(uint32_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(m_context), value));
  }
  void addNamed(const char* name, const Operands& operands) {
    m_module.getOrInsertNamedMetadata(name)->addOperand(llvm::MDNode::get(m_context, operands));
  }

  void addModuleFlags() {
    constexpr std::pair<const char*, uint32_t> kLimits[] = {
        {"air.max_device_buffers", 31}, {"air.max_constant_buffers", 31},      {"air.max_threadgroup_buffers", 31},
        {"air.max_textures", 128},      {"air.max_read_write_textures", 8},    {"air.max_samplers", 16}};
    for (auto [name, value] : kLimits) m_module.addModuleFlag(llvm::Module::Max, name, value);
  }

  void append(Operands& node, const std::vector<std::string>& keys) {
    for (const std::string& key : keys) {
      if (key[0] == '#') node.push_back(integer(static_cast<uint32_t>(std::stoul(key.substr(1)))));
      else node.push_back(string(key));
    }
  }

  void appendNames(Operands& node, const std::string& type, const std::string& name) {
    node.insert(node.end(), {string("air.arg_type_name"), string(type), string("air.arg_name"), string(name)});
  }

  // One that no code reaches any more is not listed.
  void addReferences(const std::vector<FunctionReference>& references) {
    for (const FunctionReference& reference : references)
      if (llvm::Function* function = m_module.getFunction(reference.mangledName + air::kReferenceMark))
        addNamed(air::kReferenceList, {string("air.visible_function_reference"), llvm::ConstantAsMetadata::get(function), string(reference.name)});
  }

  // The variable, which the passes may have dropped when no code reads it.
  llvm::GlobalVariable* conditionVariable(const std::string& name) {
    if (llvm::GlobalVariable* known = m_module.getNamedGlobal(name)) return known;
    return new llvm::GlobalVariable(m_module, llvm::Type::getInt8Ty(m_context), true, llvm::GlobalValue::ExternalLinkage, nullptr, name,
                                    nullptr, llvm::GlobalValue::NotThreadLocal, kConstant);
  }

  void appendCondition(Operands& node, const std::string& condition) {
    if (condition.empty()) return;
    node.insert(node.end(), {string("air.function_constant"), llvm::ConstantAsMetadata::get(conditionVariable(condition))});
  }

  // A constant that no code and no argument asks for is not listed.
  void addConstant(const FunctionConstant& constant) {
    llvm::GlobalVariable* global = m_module.getNamedGlobal(constant.mangledName);
    llvm::GlobalVariable* defined = m_module.getNamedGlobal(constant.mangledName + air::kIsDefinedSuffix);
    if (!global && !defined) return;
    if (!global) global = conditionVariable(constant.mangledName);
    addNamed("air.function_constants", {llvm::ConstantAsMetadata::get(global), string(constant.type.name), string(constant.name),
                                        integer(constant.index), integer(defined ? 0 : 1)});
  }

  Operands outputNodes(const std::vector<Leaf>& leaves) {
    Operands nodes;
    for (const Leaf& leaf : leaves) {
      Operands node;
      append(node, leaf.keys);
      node.insert(node.end(), {string("air.arg_type_name"), string(leaf.type.name)});
      if (!leaf.name.empty()) node.insert(node.end(), {string("air.arg_name"), string(leaf.name)});
      appendCondition(node, leaf.condition);
      nodes.push_back(llvm::MDNode::get(m_context, node));
    }
    return nodes;
  }

  llvm::Metadata* meshTypeNode(const MeshType& mesh) {
    return llvm::MDNode::get(m_context, {string("air.mesh_type_info"), llvm::MDNode::get(m_context, outputNodes(mesh.vertexOutputs)),
                                         llvm::MDNode::get(m_context, outputNodes(mesh.primitiveOutputs)), integer(mesh.maxVertices),
                                         integer(mesh.maxPrimitives), string("air." + mesh.topology)});
  }

  void addEntry(const Entry& entry) {
    llvm::Function* function = m_module.getFunction(entry.name);
    BASANITE_CHECK(function, "an entry function was lost on the way");
    Operands outputs = outputNodes(entry.outputs), inputs;
    uint32_t index = 0;
    for (const Parameter& parameter : entry.parameters) {
      if (parameter.kind != ParameterKind::stageIn) {
        inputs.push_back(inputNode(entry, parameter, *function, index++));
        continue;
      }
      for (const Leaf& leaf : parameter.leaves) {
        Operands node = {integer(index)};
        append(node, leaf.keys);
        appendNames(node, leaf.type.name, leaf.name);
        appendCondition(node, leaf.condition);
        inputs.push_back(finish(node, *function, index++));
      }
    }
    Operands tuple = {llvm::ValueAsMetadata::get(function), llvm::MDNode::get(m_context, outputs), llvm::MDNode::get(m_context, inputs)};
    if (entry.maxTotalThreadsPerThreadgroup) {
      tuple.push_back(llvm::MDNode::get(m_context, {string("air.max_work_group_size"), integer(entry.maxTotalThreadsPerThreadgroup)}));
    }
    if (entry.maxTotalThreadgroupsPerMeshGrid) {
      tuple.push_back(llvm::MDNode::get(m_context, {string("air.max_mesh_work_groups"), integer(entry.maxTotalThreadgroupsPerMeshGrid)}));
    }
    if (entry.earlyFragmentTests) tuple.push_back(string("early_fragment_tests"));
    if (entry.stage == Stage::visible) {
      tuple.push_back(llvm::MDNode::get(m_context, {string(air::kSignatureKey), string(entry.signature)}));
      if (entry.stitchable) tuple.push_back(string(air::kStitchableKey));
    }
    m_module.getOrInsertNamedMetadata(std::string("air.") + stageName(entry.stage))->addOperand(llvm::MDNode::get(m_context, tuple));
  }

  llvm::Metadata* finish(Operands& node, llvm::Function& function, uint32_t index) {
    if (function.getArg(index)->use_empty()) node.push_back(string("air.arg_unused"));
    return llvm::MDNode::get(m_context, node);
  }

  llvm::Metadata* inputNode(const Entry& entry, const Parameter& parameter, llvm::Function& function, uint32_t index) {
    Operands node = {integer(index)};
    auto location = [&] { node.insert(node.end(), {string("air.location_index"), integer(parameter.index), integer(std::max(1u, parameter.count))}); };
    auto rasterOrder = [&] {
      if (parameter.rasterOrderGroup) node.insert(node.end(), {string("air.raster_order_group"), integer(*parameter.rasterOrderGroup)});
    };
    switch (parameter.kind) {
    case ParameterKind::buffer:
      node.push_back(string("air.buffer"));
      if (parameter.reference) node.insert(node.end(), {string("air.buffer_size"), integer(parameter.size)});
      location();
      node.insert(node.end(), {string(parameter.access), string("air.address_space"), integer(parameter.addressSpace)});
      rasterOrder();
      if (!parameter.members.empty()) node.insert(node.end(), {string("air.struct_type_info"), membersNode(parameter.members)});
      node.insert(node.end(), {string("air.arg_type_size"), integer(parameter.size), string("air.arg_type_align_size"),
                               integer(parameter.align)});
      function.addParamAttr(index, llvm::Attribute::get(m_context, "air-buffer-no-alias"));
      break;
    case ParameterKind::texture:
      node.push_back(string("air.texture"));
      location();
      node.push_back(string(parameter.access));
      rasterOrder();
      break;
    case ParameterKind::sampler:
      node.push_back(string("air.sampler"));
      location();
      break;
    case ParameterKind::functionTable:
      node.push_back(string("air.visible_function_table"));
      location();
      node.push_back(string(parameter.access));
      break;
    case ParameterKind::payload:
      node.push_back(string("air.payload"));
      if (!parameter.members.empty()) node.insert(node.end(), {string("air.struct_type_info"), membersNode(parameter.members)});
      node.insert(node.end(), {string("air.arg_type_size"), integer(parameter.size), string("air.arg_type_align_size"),
                               integer(parameter.align)});
      break;
    case ParameterKind::meshOutput:
      node.insert(node.end(), {string("air.mesh"), meshTypeNode(entry.mesh)});
      break;
    default:
      append(node, parameter.keys);
      break;
    }
    appendNames(node, parameter.typeName, parameter.name);
    appendCondition(node, parameter.condition);
    return finish(node, function, index);
  }

  llvm::Metadata* membersNode(const std::vector<MemberInfo>& members) {
    Operands node;
    for (const MemberInfo& member : members) {
      if (member.handle.empty() && !member.members.empty())
        node.insert(node.end(), {string("air.struct_type_info"), membersNode(member.members)});
      node.insert(node.end(), {integer(member.offset), integer(member.size), integer(member.arrayLength), string(member.typeName),
                               string(member.name)});
      if (!member.handle.empty()) node.insert(node.end(), {string("air.indirect_argument"), handleNode(member)});
    }
    return llvm::MDNode::get(m_context, node);
  }

  // Formed as the node of an argument.
  llvm::Metadata* handleNode(const MemberInfo& member) {
    Operands node = {integer(0), string(member.handle), string("air.location_index"), integer(member.argumentIndex),
                     integer(std::max(1u, member.arrayLength))};
    if (!member.access.empty()) node.push_back(string(member.access));
    if (member.handle == "air.buffer") {
      node.insert(node.end(), {string("air.address_space"), integer(member.addressSpace)});
      if (!member.members.empty()) node.insert(node.end(), {string("air.struct_type_info"), membersNode(member.members)});
      node.insert(node.end(), {string("air.arg_type_size"), integer(member.targetSize), string("air.arg_type_align_size"),
                               integer(member.targetAlign)});
    }
    appendNames(node, member.handle == "air.buffer" ? member.targetName : member.typeName, member.name);
    return llvm::MDNode::get(m_context, node);
  }

  llvm::Module& m_module;
  llvm::LLVMContext& m_context;
  const AirModuleOptions& m_options;
};

} // namespace

void addEntryWrappers(llvm::Module& module, const std::vector<Entry>& entries, const std::vector<FunctionReference>& references) {
  for (llvm::Function& function : module.functions()) {
    if (!function.isDeclaration()) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
  for (const FunctionReference& reference : references)
    if (llvm::Function* function = module.getFunction(reference.mangledName)) function->setName(reference.mangledName + air::kReferenceMark);
  for (const Entry& entry : entries) WrapperBuilder(module, entry).run();
}

void addAirMetadata(llvm::Module& module, const std::vector<Entry>& entries, const std::vector<FunctionConstant>& constants,
                    const std::vector<FunctionReference>& references, const AirModuleOptions& options) {
  module.setDataLayout(kDataLayout);
  module.setTargetTriple(kTriple);
  MetadataBuilder(module, options).run(entries, constants, references);
}

} // namespace basanite::shader::frontend
