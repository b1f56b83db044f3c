// SPDX-License-Identifier: Apache-2.0
// MTL::FunctionStitchingGraph, its nodes and attributes, MTL::StitchedLibraryDescriptor, and how a library is
// made of them.
#include "src/metal/MTLFunctionStitching.hpp"

#include "src/metal/MTL4StitchedFunctionDescriptor.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/background.hpp"
#include "src/metal/digest.hpp"
#include "src/metal/error.hpp"

#include <fmt/format.h>
#include <map>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

const foundation::Object* elementOf(const NS::Array* list, NS::UInteger index) {
  return objectOf(list->object<NS::Object>(index));
}
NS::UInteger countOf(const NS::Array* list) { return list ? list->count() : 0; }

// A graph of objects becomes one of numbers.
class GraphReader {
 public:
  explicit GraphReader(const FunctionStitchingGraph& graph) : m_graph(graph) {
    m_result.name = textOf(graph.functionName.get());
  }

  base::Result<shader::StitchedGraph> read() {
    if (m_result.name.empty()) return base::Error{"A graph to be stitched has no functionName."};
    const NS::Array* nodes = m_graph.nodes.get();
    for (NS::UInteger i = 0; i < countOf(nodes); ++i) {
      // Inputs are no calls, and may be listed.
      if (dynamic_cast<const FunctionStitchingInputNode*>(elementOf(nodes, i))) continue;
      BASANITE_TRY_VOID(numberOf(elementOf(nodes, i), "nodes"));
    }
    if (m_graph.outputNode.get()) {
      BASANITE_TRY(m_result.output, numberOf(objectOf(m_graph.outputNode.get()), "outputNode"));
    }
    // What they refer to may be more nodes.
    for (size_t i = 0; i < m_nodes.size(); ++i) {
      const FunctionStitchingFunctionNode& node = *m_nodes[i];
      shader::StitchedNode read;
      read.function = textOf(node.name.get());
      for (NS::UInteger a = 0; a < countOf(node.arguments.get()); ++a) {
        const foundation::Object* argument = elementOf(node.arguments.get(), a);
        if (const auto* input = dynamic_cast<const FunctionStitchingInputNode*>(argument)) {
          if (input->argumentIndex > UINT32_MAX)
            return error(fmt::format("an input node has the argumentIndex {}", input->argumentIndex));
          read.arguments.push_back({true, static_cast<uint32_t>(input->argumentIndex)});
          continue;
        }
        BASANITE_TRY(uint32_t number, numberOf(argument, "arguments"));
        read.arguments.push_back({false, number});
      }
      for (NS::UInteger d = 0; d < countOf(node.controlDependencies.get()); ++d) {
        BASANITE_TRY(uint32_t number,
                     numberOf(elementOf(node.controlDependencies.get(), d), "controlDependencies"));
        read.after.push_back(number);
      }
      m_result.nodes.push_back(std::move(read));
    }
    return std::move(m_result);
  }

 private:
  base::Error error(const std::string& what) const {
    return base::Error{fmt::format("The graph of the stitched function \"{}\": {}.", m_result.name, what)};
  }

  base::Result<uint32_t> numberOf(const foundation::Object* object, const char* property) {
    const auto* node = dynamic_cast<const FunctionStitchingFunctionNode*>(object);
    if (!node)
      return error(fmt::format("an element of {} is an {}, which is no node that calls a function", property,
                               object->className()));
    auto [known, isNew] = m_numbers.try_emplace(node, static_cast<uint32_t>(m_nodes.size()));
    if (isNew) m_nodes.push_back(node);
    return known->second;
  }

  const FunctionStitchingGraph& m_graph;
  shader::StitchedGraph m_result;
  std::vector<const FunctionStitchingFunctionNode*> m_nodes;
  std::map<const FunctionStitchingFunctionNode*, uint32_t> m_numbers;
};

std::string digestOf(const shader::StitchRequest& request, const std::vector<FoundFunction>& functions) {
  Digest digest;
  digest.add("stitched").add(archiveBuild()).add(uint64_t(functions.size()));
  for (const FoundFunction& function : functions) {
    digest.add(function.code->digest())
        .add(function.name)
        .add(function.calledName)
        .add(uint64_t(function.constants.size()));
    for (const shader::FunctionConstantValue& value : function.constants)
      digest.add(value.name).add(uint64_t(value.index)).add(uint64_t(value.type)).add(std::span(value.bytes));
  }
  for (const shader::StitchedGraph& graph : request.graphs) {
    digest.add(graph.name)
        .add(uint64_t(graph.nodes.size()))
        .add(uint64_t(graph.output ? *graph.output + 1 : 0));
    for (const shader::StitchedNode& node : graph.nodes) {
      digest.add(node.function).add(uint64_t(node.arguments.size()));
      for (const shader::StitchedArgument& argument : node.arguments)
        digest.add(uint64_t(argument.isInput)).add(uint64_t(argument.index));
      digest.add(uint64_t(node.after.size()));
      for (uint32_t before : node.after) digest.add(uint64_t(before));
    }
  }
  return digest.text();
}

} // namespace

base::Result<std::shared_ptr<const LibraryCode>>
stitch(const std::vector<const FunctionStitchingGraph*>& graphs,
       const std::vector<FoundFunction>& functions) {
  shader::StitchRequest request;
  for (const FunctionStitchingGraph* graph : graphs) {
    BASANITE_TRY(shader::StitchedGraph read, GraphReader(*graph).read());
    request.graphs.push_back(std::move(read));
  }
  std::vector<std::shared_ptr<const shader::Program>> programs; // alive until the compiler is done
  std::vector<std::shared_ptr<const LibraryCode>> libraries;
  for (const FoundFunction& function : functions) {
    BASANITE_TRY(auto program, function.code->program());
    request.functions.push_back(function.ref());
    request.functions.back().program = program.get();
    programs.push_back(std::move(program));
    libraries.insert(libraries.end(), function.code->libraries().begin(), function.code->libraries().end());
  }
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  BASANITE_TRY(shader::Program program, compiler->stitch(request));
  auto code = std::make_shared<LibraryCode>(digestOf(request, functions), std::move(program));
  code->setLibraries(std::move(libraries));
  return std::shared_ptr<const LibraryCode>(std::move(code));
}

base::Result<foundation::Retained<Library>> makeStitchedLibrary(Device* device,
                                                                const StitchedLibraryDescriptor* d) {
  if (!d) return base::Error{"The stitched library's descriptor is null."};
  if (d->options & MTL::StitchedLibraryOptionFailOnBinaryArchiveMiss)
    return base::Error{
        "The stitched library's options have FailOnBinaryArchiveMiss, but binary archives are not supported.",
        static_cast<int>(MTL::LibraryErrorUnsupported)};
  std::vector<const FunctionStitchingGraph*> graphs;
  for (NS::UInteger i = 0; i < countOf(d->functionGraphs.get()); ++i) {
    const foundation::Object* object = elementOf(d->functionGraphs.get(), i);
    graphs.push_back(dynamic_cast<const FunctionStitchingGraph*>(object));
    if (!graphs.back())
      return base::Error{
          fmt::format("Element {} of functionGraphs is an {}, not an MTLFunctionStitchingGraph.", i,
                      object->className())};
  }
  if (graphs.empty()) return base::Error{"The stitched library's functionGraphs are empty."};
  std::vector<FoundFunction> functions;
  for (NS::UInteger i = 0; i < countOf(d->functions.get()); ++i) {
    const foundation::Object* object = elementOf(d->functions.get(), i);
    const auto* function = dynamic_cast<const Function*>(object);
    if (!function)
      return base::Error{
          fmt::format("Element {} of functions is an {}, not an MTLFunction.", i, object->className())};
    BASANITE_TRY(FoundFunction found,
                 findFunction(*function->library, function->info.name, shader::Stage::visible));
    found.constants = function->constants;
    found.calledName = function->specializedName;
    functions.push_back(std::move(found));
  }
  BASANITE_TRY(auto code, stitch(graphs, functions));
  return foundation::Retained<Library>::adopt(new Library(device, std::move(code)));
}

base::Result<FoundFunction> findStitchedFunction(const StitchedFunctionDescriptor& descriptor) {
  if (!descriptor.functionGraph.get())
    return base::Error{"A stitched function needs a graph; functionGraph is null."};
  std::vector<FoundFunction> functions;
  const NS::Array* list = descriptor.functionDescriptors.get();
  for (NS::UInteger i = 0; i < countOf(list); ++i) {
    const auto* described = dynamic_cast<const FunctionDescriptor4*>(elementOf(list, i));
    if (!described)
      return base::Error{fmt::format(
          "Element {} of a stitched function's functionDescriptors is an {}, not an MTL4FunctionDescriptor.",
          i, elementOf(list, i)->className())};
    BASANITE_TRY(FoundFunction function, findFunction(toPublic(described), shader::Stage::visible));
    functions.push_back(std::move(function));
  }
  BASANITE_TRY(auto code, stitch({toImpl(descriptor.functionGraph.get())}, functions));
  const shader::FunctionInfo info = code->functions().front();
  return FoundFunction{std::move(code), info.name, info, {}, {}, nullptr};
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::FunctionStitchingAttributeAlwaysInline)

BASANITE_ALLOC_INIT(MTL::FunctionStitchingInputNode)
MTL::FunctionStitchingInputNode* MTL::FunctionStitchingInputNode::init(NS::UInteger argument) {
  setArgumentIndex(argument);
  return this;
}
BASANITE_VALUE(MTL::FunctionStitchingInputNode, NS::UInteger, argumentIndex, setArgumentIndex)

BASANITE_ALLOC_INIT(MTL::FunctionStitchingFunctionNode)
MTL::FunctionStitchingFunctionNode*
MTL::FunctionStitchingFunctionNode::init(const NS::String* name, const NS::Array* arguments,
                                         const NS::Array* controlDependencies) {
  setName(name);
  setArguments(arguments);
  setControlDependencies(controlDependencies);
  return this;
}
BASANITE_OBJECT(MTL::FunctionStitchingFunctionNode, NS::String, name, setName)
BASANITE_OBJECT(MTL::FunctionStitchingFunctionNode, NS::Array, arguments, setArguments)
BASANITE_OBJECT(MTL::FunctionStitchingFunctionNode, NS::Array, controlDependencies, setControlDependencies)

BASANITE_ALLOC_INIT(MTL::FunctionStitchingGraph)
MTL::FunctionStitchingGraph*
MTL::FunctionStitchingGraph::init(const NS::String* functionName, const NS::Array* nodes,
                                  const MTL::FunctionStitchingFunctionNode* outputNode,
                                  const NS::Array* attributes) {
  setFunctionName(functionName);
  setNodes(nodes);
  setOutputNode(outputNode);
  setAttributes(attributes);
  return this;
}
BASANITE_OBJECT(MTL::FunctionStitchingGraph, NS::String, functionName, setFunctionName)
BASANITE_OBJECT(MTL::FunctionStitchingGraph, NS::Array, nodes, setNodes)
BASANITE_OBJECT(MTL::FunctionStitchingGraph, MTL::FunctionStitchingFunctionNode, outputNode, setOutputNode)
BASANITE_OBJECT(MTL::FunctionStitchingGraph, NS::Array, attributes, setAttributes)

BASANITE_ALLOC_INIT(MTL::StitchedLibraryDescriptor)
BASANITE_OBJECT(MTL::StitchedLibraryDescriptor, NS::Array, functionGraphs, setFunctionGraphs)
BASANITE_OBJECT(MTL::StitchedLibraryDescriptor, NS::Array, functions, setFunctions)
BASANITE_VALUE(MTL::StitchedLibraryDescriptor, MTL::StitchedLibraryOptions, options, setOptions)

MTL::Library* MTL::Device::newLibrary(const MTL::StitchedLibraryDescriptor* descriptor, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto library =
      basanite::metal::makeStitchedLibrary(toImpl(this), descriptor ? toImpl(descriptor) : nullptr);
  if (library) return toPublic((*library).detach());
  basanite::metal::setError(error, basanite::metal::kLibraryErrorDomain,
                            static_cast<NS::Integer>(MTL::LibraryErrorCompileFailure), library.error());
  return nullptr;
}
void MTL::Device::newLibrary(const MTL::StitchedLibraryDescriptor* pDescriptor,
                             const MTL::NewLibraryCompletionHandlerFunction& completionHandler) {
  if (!this) return;
  basanite::foundation::Retained<basanite::metal::Device> device(toImpl(this));
  basanite::metal::Copied<MTL::StitchedLibraryDescriptor> descriptor;
  descriptor.set(pDescriptor);
  basanite::metal::runInBackground([device, descriptor, completionHandler] {
    NS::Error* error = nullptr;
    MTL::Library* library = toPublic(device.get())->newLibrary(descriptor.get(), &error);
    if (completionHandler) completionHandler(library, error);
    if (library) basanite::metal::objectOf(library)->release();
  });
}
