// SPDX-License-Identifier: Apache-2.0
// Implementation of stitch.hpp.
#include "src/shader/stitch.hpp"

#include "src/shader/air/module.hpp"
#include "src/shader/air/visible_functions.hpp"
#include "src/shader/lower/link_functions.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader {

namespace {

using llvm::Type;
using llvm::Value;

// A function that nodes call.
struct Callee {
  std::string name;
  llvm::Function* function = nullptr;
  // By the signature; empty where it is not known.
  std::string result;
  std::vector<std::string> parameters;
};

// "float4(float4, device int*)" into its result and parameters.
void readSignature(const std::string& text, Callee& callee) {
  int depth = 0;
  size_t open = std::string::npos, begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (open == std::string::npos) {
      if (c == '<') ++depth;
      if (c == '>') --depth;
      if (c == '(' && depth == 0) {
        open = i;
        callee.result = text.substr(0, i);
        begin = i + 1;
      }
      continue;
    }
    if (c == '<' || c == '(') ++depth;
    const bool closes = c == ')' && depth == 0;
    if ((c == ',' && depth == 0) || closes) {
      std::string parameter = text.substr(begin, i - begin);
      parameter.erase(0, parameter.find_first_not_of(' '));
      if (!parameter.empty()) callee.parameters.push_back(std::move(parameter));
      begin = i + 1;
      if (closes) return;
    }
    if (c == '>' || c == ')') --depth;
  }
}

class GraphStitcher {
 public:
  GraphStitcher(llvm::Module& module, const StitchedGraph& graph, const std::vector<Callee>& callees)
      : m_module(module), m_context(module.getContext()), m_graph(graph), m_callees(callees),
        m_builder(module.getContext()) {}

  base::Result<FunctionInfo> run() {
    BASANITE_TRY_VOID(findCallees());
    BASANITE_TRY_VOID(findInputs());
    BASANITE_TRY_VOID(orderNodes());
    llvm::Function* function = declare();
    m_builder.SetInsertPoint(llvm::BasicBlock::Create(m_context, "entry", function));
    m_results.resize(m_graph.nodes.size());
    for (uint32_t node : m_order) call(node, *function);
    finish(*function);
    return info();
  }

 private:
  // What an argument of a stitched function is: as the first function that takes it says.
  struct Input {
    Type* type = nullptr; // null: nothing takes it
    llvm::AttributeSet attributes;
    std::string typeName;
  };

  base::Error error(const std::string& what) const {
    return base::Error{fmt::format("The graph of the stitched function \"{}\": {}.", m_graph.name, what)};
  }
  base::Error error(uint32_t node, const std::string& what) const {
    return error(fmt::format("node {}, which calls \"{}\", {}", node, m_graph.nodes[node].function, what));
  }

  static unsigned first(const Callee& callee) { return callee.function->hasStructRetAttr() ? 1 : 0; }
  static unsigned count(const Callee& callee) {
    return static_cast<unsigned>(callee.function->arg_size()) - first(callee);
  }
  static bool returnsNothing(const Callee& callee) {
    return !callee.function->hasStructRetAttr() && callee.function->getReturnType()->isVoidTy();
  }
  static std::string parameterName(const Callee& callee, unsigned parameter) {
    return parameter < callee.parameters.size() ? callee.parameters[parameter] : std::string();
  }
  // A type in memory where it is passed there.
  static Type* parameterType(const Callee& callee, unsigned parameter) {
    unsigned index = first(callee) + parameter;
    Type* behind = callee.function->getParamByValType(index);
    return behind ? behind : callee.function->getArg(index)->getType();
  }
  static Type* resultType(const Callee& callee) {
    return callee.function->hasStructRetAttr() ? callee.function->getParamStructRetType(0)
                                               : callee.function->getReturnType();
  }
  static bool differ(const std::string& a, const Type* aType, const std::string& b, const Type* bType) {
    return a.empty() || b.empty() ? aType != bType : a != b;
  }

  base::Result<void> findCallees() {
    if (m_graph.nodes.empty()) return error("it has no node");
    for (uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
      const StitchedNode& node = m_graph.nodes[i];
      auto callee = std::find_if(m_callees.begin(), m_callees.end(),
                                 [&](const Callee& c) { return c.name == node.function; });
      if (callee == m_callees.end()) return error(i, "names no function of the descriptor");
      if (node.arguments.size() != count(*callee))
        return error(i, fmt::format("has {} arguments, but the function has {} parameters",
                                    node.arguments.size(), count(*callee)));
      m_nodes.push_back(&*callee);
    }
    if (m_graph.output && *m_graph.output >= m_graph.nodes.size())
      return error("its output is none of its nodes");
    return {};
  }

  base::Result<void> findInputs() {
    for (uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
      for (unsigned a = 0; a < m_graph.nodes[i].arguments.size(); ++a) {
        const StitchedArgument& argument = m_graph.nodes[i].arguments[a];
        const std::string wanted = parameterName(*m_nodes[i], a);
        Type* type = parameterType(*m_nodes[i], a);
        if (!argument.isInput) {
          if (argument.index >= m_graph.nodes.size())
            return error(i, fmt::format("takes as argument {} the result of no node of the graph", a));
          const Callee& source = *m_nodes[argument.index];
          if (returnsNothing(source))
            return error(i, fmt::format("takes as argument {} the result of \"{}\", which returns nothing", a,
                                        source.name));
          if (differ(wanted, type, source.result, resultType(source)))
            return error(
                i, fmt::format("takes as argument {} the result of \"{}\", which is {}, where {} is needed",
                               a, source.name, shown(source.result), shown(wanted)));
          continue;
        }
        if (argument.index >= kMostInputs)
          return error(i, fmt::format("takes input {}; inputs are 0 to {}", argument.index, kMostInputs - 1));
        if (argument.index >= m_inputs.size()) m_inputs.resize(argument.index + 1);
        Input& input = m_inputs[argument.index];
        if (!input.type) {
          unsigned index = first(*m_nodes[i]) + a;
          input = {m_nodes[i]->function->getArg(index)->getType(),
                   m_nodes[i]->function->getAttributes().getParamAttrs(index), wanted};
          m_inputTypes.resize(m_inputs.size());
          m_inputTypes[argument.index] = type;
        } else if (differ(wanted, type, input.typeName, m_inputTypes[argument.index])) {
          return error(
              i, fmt::format("takes input {} as argument {}, where {} is needed; another node takes it as {}",
                             argument.index, a, shown(wanted), shown(input.typeName)));
        }
      }
    }
    for (size_t i = 0; i < m_inputs.size(); ++i)
      if (!m_inputs[i].type) return error(fmt::format("no node takes input {}, so its type is not known", i));
    return {};
  }

  static std::string shown(const std::string& type) {
    return type.empty() ? "another type" : "\"" + type + "\"";
  }

  base::Result<void> orderNodes() {
    std::vector<uint8_t> state(m_graph.nodes.size(), 0); // 1: being visited, 2: done
    for (uint32_t i = 0; i < m_graph.nodes.size(); ++i) BASANITE_TRY_VOID(visit(i, state));
    return {};
  }
  base::Result<void> visit(uint32_t node, std::vector<uint8_t>& state) {
    if (state[node] == 2) return {};
    if (state[node] == 1) return error(node, "depends on itself");
    state[node] = 1;
    for (uint32_t before : m_graph.nodes[node].after) {
      if (before >= m_graph.nodes.size())
        return error(node, "has a control dependency that is no node of the graph");
      BASANITE_TRY_VOID(visit(before, state));
    }
    for (const StitchedArgument& argument : m_graph.nodes[node].arguments)
      if (!argument.isInput) BASANITE_TRY_VOID(visit(argument.index, state));
    state[node] = 2;
    m_order.push_back(node);
    return {};
  }

  bool returnsStructure() const {
    return m_graph.output && m_nodes[*m_graph.output]->function->hasStructRetAttr();
  }

  llvm::Function* declare() {
    std::vector<Type*> types;
    std::vector<llvm::AttributeSet> attributes;
    Type* result = Type::getVoidTy(m_context);
    if (m_graph.output) {
      const llvm::Function& source = *m_nodes[*m_graph.output]->function;
      result = source.getReturnType();
      if (source.hasStructRetAttr()) {
        types.push_back(source.getArg(0)->getType());
        attributes.push_back(source.getAttributes().getParamAttrs(0));
      }
    }
    for (const Input& input : m_inputs) {
      types.push_back(input.type);
      attributes.push_back(input.attributes);
    }
    auto* function = llvm::Function::Create(llvm::FunctionType::get(result, types, false),
                                            llvm::GlobalValue::ExternalLinkage, m_graph.name, m_module);
    function->setAttributes(llvm::AttributeList::get(m_context, {}, {}, attributes));
    function->addFnAttr(llvm::Attribute::NoUnwind);
    return function;
  }

  void call(uint32_t index, llvm::Function& function) {
    const llvm::Function& callee = *m_nodes[index]->function;
    std::vector<Value*> arguments;
    if (Type* structure = callee.hasStructRetAttr() ? callee.getParamStructRetType(0) : nullptr) {
      llvm::AllocaInst* slot = m_builder.CreateAlloca(structure);
      slot->setAlignment(std::max(slot->getAlign(), callee.getParamAlign(0).valueOrOne()));
      m_results[index] = slot;
      arguments.push_back(slot);
    }
    const unsigned firstInput = returnsStructure() ? 1 : 0;
    for (const StitchedArgument& argument : m_graph.nodes[index].arguments)
      arguments.push_back(argument.isInput ? function.getArg(firstInput + argument.index)
                                           : m_results[argument.index]);
    llvm::CallInst* made = m_builder.CreateCall(m_nodes[index]->function, arguments);
    made->setCallingConv(callee.getCallingConv());
    made->setAttributes(callee.getAttributes());
    if (!callee.hasStructRetAttr()) m_results[index] = made;
  }

  void finish(llvm::Function& function) {
    if (returnsStructure()) {
      Type* structure = function.getParamStructRetType(0);
      m_builder.CreateStore(m_builder.CreateLoad(structure, m_results[*m_graph.output]), function.getArg(0));
      m_builder.CreateRetVoid();
    } else if (function.getReturnType()->isVoidTy()) {
      m_builder.CreateRetVoid();
    } else {
      m_builder.CreateRet(m_results[*m_graph.output]);
    }
    const std::string text = signature();
    auto string = [&](const char* value) { return llvm::MDString::get(m_context, value); };
    llvm::MDNode* nothing = llvm::MDNode::get(m_context, {});
    m_module.getOrInsertNamedMetadata("air.visible")
        ->addOperand(llvm::MDNode::get(
            m_context, {llvm::ValueAsMetadata::get(&function), nothing, nothing,
                        llvm::MDNode::get(m_context, {string(air::kSignatureKey), string(text.c_str())}),
                        string(air::kStitchableKey)}));
  }

  // Empty where that of a function is not known.
  std::string signature() const {
    std::string text = "void(";
    if (m_graph.output) {
      const Callee& source = *m_nodes[*m_graph.output];
      if (source.result.empty()) return {};
      text = source.result + "(";
    }
    for (size_t i = 0; i < m_inputs.size(); ++i) {
      if (m_inputs[i].typeName.empty()) return {};
      text += (i ? ", " : "") + m_inputs[i].typeName;
    }
    return text + ")";
  }

  FunctionInfo info() const {
    FunctionInfo result;
    result.name = m_graph.name;
    result.stage = Stage::visible;
    result.signature = signature();
    result.stitchable = true;
    return result;
  }

  static constexpr uint32_t kMostInputs = 256;

  llvm::Module& m_module;
  llvm::LLVMContext& m_context;
  const StitchedGraph& m_graph;
  const std::vector<Callee>& m_callees;
  llvm::IRBuilder<> m_builder;
  std::vector<const Callee*> m_nodes; // what each calls
  std::vector<Input> m_inputs;
  std::vector<Type*> m_inputTypes; // as parameterType()
  std::vector<uint32_t> m_order;
  std::vector<Value*> m_results; // the place of one that is a structure
};

} // namespace

base::Result<Program> stitchGraphs(const StitchRequest& request) {
  llvm::LLVMContext context;
  llvm::Module module("stitched", context);
  LinkedFunctions linked;
  linked.functions = request.functions;
  air::EntryPoint title;
  title.stage = Stage::visible;
  title.name = request.graphs.empty() ? std::string() : request.graphs.front().name;
  Program program;
  std::vector<Callee> callees;
  for (const FunctionRef& reference : request.functions) {
    if (!reference.program)
      return base::Error{fmt::format("No program was given for function \"{}\".", reference.name)};
    for (const FunctionInfo& info : reference.program->functions) {
      if (info.name != reference.name) continue;
      if (info.stage == Stage::visible && !info.stitchable)
        return base::Error{fmt::format(
            "The function \"{}\" is not [[stitchable]], so it cannot stand in a graph.", info.name)};
      Callee& callee = callees.emplace_back();
      callee.name = reference.alias.empty() ? reference.name : reference.alias;
      readSignature(info.signature, callee);
    }
  }
  BASANITE_TRY(std::vector<llvm::Function*> functions, lower::linkFunctions(module, title, &linked));
  if (functions.size() != callees.size())
    return base::Error{"Two functions of one library that are to be stitched have the same name."};
  for (size_t i = 0; i < functions.size(); ++i) callees[i].function = functions[i];
  for (const StitchedGraph& graph : request.graphs) {
    if (module.getFunction(graph.name))
      return base::Error{fmt::format("Two stitched functions of the library are named \"{}\".", graph.name)};
    BASANITE_TRY(FunctionInfo info, GraphStitcher(module, graph, callees).run());
    program.functions.push_back(std::move(info));
  }
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  program.air.assign(bitcode.begin(), bitcode.end());
  return program;
}

} // namespace basanite::shader
