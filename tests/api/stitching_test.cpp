// SPDX-License-Identifier: Apache-2.0
// Stitched functions: graphs of calls that become visible functions.
#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(#include <metal_stdlib>
using namespace metal;
[[stitchable]] float add(float a, float b) { return a + b; }
[[stitchable]] float times(float a, float b) { return a * b; }
[[stitchable]] float4 spread(float a, float4 b) { return a * b; }
[[stitchable]] float4 turned(float4 a) { return a.wxyz; }
[[stitchable]] void put(device float* log, float value) { log[1] = log[0]; log[0] = value; }
[[stitchable]] int whole(float a) { return int(a); }
[[visible]] float loose(float a) { return a; }
[[visible]] float made(float a, float b);
kernel void call(device float* data [[buffer(0)]], uint i [[thread_position_in_grid]]) { data[i] = made(data[i], 3); }
kernel void through(visible_function_table<float4(float, float4)> table [[buffer(0)]], device float4* data [[buffer(1)]]) {
  data[0] = table[0](data[0].x, data[0]); }
kernel void write(visible_function_table<void(device float*, float, float)> table [[buffer(0)]], device float* data [[buffer(1)]]) {
  table[0](data, 5, 7); }
)";

NS::String* string(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

class Stitching : public MetalFixture {
 protected:
  using Node = NS::SharedPtr<MTL::FunctionStitchingFunctionNode>;
  using Any = const NS::Object*;

  void SetUp() override {
    MetalFixture::SetUp();
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }
  static NS::Array* list(std::initializer_list<Any> objects) {
    return NS::Array::array(objects.begin(), objects.size());
  }
  NS::SharedPtr<MTL::FunctionStitchingInputNode> input(NS::UInteger index) {
    return NS::TransferPtr(MTL::FunctionStitchingInputNode::alloc()->init(index));
  }
  Node node(const char* name, std::initializer_list<Any> arguments, std::initializer_list<Any> after = {}) {
    return NS::TransferPtr(
        MTL::FunctionStitchingFunctionNode::alloc()->init(string(name), list(arguments), list(after)));
  }
  NS::SharedPtr<MTL::FunctionStitchingGraph> graph(const char* name, std::initializer_list<Any> nodes,
                                                   const Node& output) {
    return NS::TransferPtr(MTL::FunctionStitchingGraph::alloc()->init(string(name), list(nodes), output.get(),
                                                                      NS::Array::array()));
  }
  NS::SharedPtr<MTL::Library> stitched(MTL::FunctionStitchingGraph* graph,
                                       std::initializer_list<const char*> functions,
                                       std::string* error = nullptr) {
    std::vector<NS::SharedPtr<MTL::Function>> owned;
    std::vector<Any> used;
    for (const char* name : functions) {
      owned.push_back(NS::TransferPtr(m_library->newFunction(string(name))));
      used.push_back(owned.back().get());
    }
    auto descriptor = NS::TransferPtr(MTL::StitchedLibraryDescriptor::alloc()->init());
    descriptor->setFunctionGraphs(NS::Array::array(graph));
    descriptor->setFunctions(NS::Array::array(used.data(), used.size()));
    NS::Error* problem = nullptr;
    auto library = NS::TransferPtr(m_device->newLibrary(descriptor.get(), &problem));
    if (error)
      *error = text(problem);
    else
      EXPECT_TRUE(library) << text(problem);
    return library;
  }
  NS::SharedPtr<MTL::ComputePipelineState> linked(const char* kernel, MTL4::FunctionDescriptor* function_) {
    auto linking = NS::TransferPtr(MTL4::StaticLinkingDescriptor::alloc()->init());
    linking->setFunctionDescriptors(NS::Array::array(function_));
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunctionDescriptor(function(m_library.get(), kernel).get());
    descriptor->setStaticLinkingDescriptor(linking.get());
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
    EXPECT_TRUE(pipeline) << text(error);
    return pipeline;
  }
  // Runs a kernel whose table (buffer 0) has the one function that it is linked with, over the data of
  // buffer 1.
  std::vector<float> run(MTL::ComputePipelineState* pipeline, const char* name,
                         const std::vector<float>& data) {
    auto descriptor = NS::TransferPtr(MTL::VisibleFunctionTableDescriptor::alloc()->init());
    descriptor->setFunctionCount(1);
    auto table = NS::TransferPtr(pipeline->newVisibleFunctionTable(descriptor.get()));
    table->setFunction(pipeline->functionHandle(string(name)), 0);
    m_residency->addAllocation(table.get());
    m_residency->commit();
    auto buffer = sharedBuffer(data);
    auto arguments = argumentTable(2);
    arguments->setResource(table->gpuResourceID(), 0);
    arguments->setAddress(buffer->gpuAddress(), 1);
    dispatch(pipeline, arguments.get(), 1);
    return contents<float>(buffer.get());
  }

  NS::SharedPtr<MTL::Library> m_library;
};

// made(a, b) = (a + b) * (a + b) + b
TEST_F(Stitching, AGraphIsAFunction) {
  auto a = input(0), b = input(1);
  Node sum = node("add", {a.get(), b.get()});
  Node square = node("times", {sum.get(), sum.get()});
  Node result = node("add", {square.get(), b.get()});
  auto library =
      stitched(graph("made", {sum.get(), square.get(), result.get()}, result).get(), {"add", "times"});
  ASSERT_TRUE(library);
  EXPECT_STREQ(library->functionNames()->object<NS::String>(0)->utf8String(), "made");
  auto pipeline = linked("call", function(library.get(), "made").get());
  auto data = sharedBuffer(std::vector<float>{1, 2, -5});
  auto arguments = argumentTable(1);
  arguments->setAddress(data->gpuAddress(), 0);
  dispatch(pipeline.get(), arguments.get(), 3);
  EXPECT_EQ(contents<float>(data.get()), (std::vector<float>{19, 28, 7}));
}

TEST_F(Stitching, VectorsAndDescriptorsOfMetal4) {
  auto a = input(0), v = input(1);
  Node scaled = node("spread", {a.get(), v.get()});
  Node result = node("turned", {scaled.get()});
  auto descriptor = NS::TransferPtr(MTL4::StitchedFunctionDescriptor::alloc()->init());
  descriptor->setFunctionGraph(graph("spin", {scaled.get(), result.get()}, result).get());
  auto spread = function(m_library.get(), "spread"), turned = function(m_library.get(), "turned");
  descriptor->setFunctionDescriptors(list({spread.get(), turned.get()}));
  auto pipeline = linked("through", descriptor.get());
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(run(pipeline.get(), "spin", {2, 3, 4, 5}), (std::vector<float>{10, 4, 6, 8}));
}

// Without control dependencies calls run as listed; with them, as they say.
TEST_F(Stitching, ControlDependenciesOrderCalls) {
  auto log = input(0), first = input(1), second = input(2);
  Node one = node("put", {log.get(), first.get()});
  Node two = node("put", {log.get(), second.get()});
  auto listed = stitched(graph("both", {one.get(), two.get()}, {}).get(), {"put"});
  ASSERT_TRUE(listed);
  EXPECT_EQ(run(linked("write", function(listed.get(), "both").get()).get(), "both", {0, 0}),
            (std::vector<float>{7, 5}));
  one->setControlDependencies(list({two.get()}));
  auto ordered = stitched(graph("both", {one.get(), two.get()}, {}).get(), {"put"});
  ASSERT_TRUE(ordered);
  EXPECT_EQ(run(linked("write", function(ordered.get(), "both").get()).get(), "both", {0, 0}),
            (std::vector<float>{5, 7}));
}

TEST_F(Stitching, WhatDoesNotFitIsAnError) {
  auto a = input(0), b = input(1);
  std::string error;
  Node lost = node("lost", {a.get()});
  EXPECT_FALSE(stitched(graph("g", {lost.get()}, lost).get(), {"add"}, &error));
  EXPECT_EQ(error, "The graph of the stitched function \"g\": node 0, which calls \"lost\", names no "
                   "function of the descriptor.");
  Node few = node("add", {a.get()});
  EXPECT_FALSE(stitched(graph("g", {few.get()}, few).get(), {"add"}, &error));
  EXPECT_EQ(error, "The graph of the stitched function \"g\": node 0, which calls \"add\", has 1 arguments, "
                   "but the function has 2 parameters.");
  Node number = node("whole", {a.get()});
  Node sum = node("add", {number.get(), b.get()});
  EXPECT_FALSE(stitched(graph("g", {number.get(), sum.get()}, sum).get(), {"add", "whole"}, &error));
  EXPECT_EQ(error, "The graph of the stitched function \"g\": node 1, which calls \"add\", takes as argument "
                   "0 the result of \"whole\", which is "
                   "\"int\", where \"float\" is needed.");
  Node wide = node("turned", {a.get()});
  Node both = node("spread", {a.get(), wide.get()});
  EXPECT_FALSE(stitched(graph("g", {wide.get(), both.get()}, both).get(), {"turned", "spread"}, &error));
  EXPECT_EQ(error, "The graph of the stitched function \"g\": node 1, which calls \"spread\", takes input 0 "
                   "as argument 0, where \"float\" is "
                   "needed; another node takes it as \"float4\".");
  Node self = node("add", {a.get(), b.get()});
  self->setControlDependencies(list({self.get()}));
  EXPECT_FALSE(stitched(graph("g", {self.get()}, self).get(), {"add"}, &error));
  EXPECT_EQ(error,
            "The graph of the stitched function \"g\": node 0, which calls \"add\", depends on itself.");
  self->setControlDependencies(nullptr);
  Node odd = node("loose", {a.get()});
  EXPECT_FALSE(stitched(graph("g", {odd.get()}, odd).get(), {"loose"}, &error));
  EXPECT_EQ(error, "The function \"loose\" is not [[stitchable]], so it cannot stand in a graph.");
  auto third = input(2);
  Node gap = node("add", {a.get(), third.get()});
  EXPECT_FALSE(stitched(graph("g", {gap.get()}, gap).get(), {"add"}, &error));
  EXPECT_EQ(error,
            "The graph of the stitched function \"g\": no node takes input 1, so its type is not known.");
  EXPECT_FALSE(stitched(graph("", {self.get()}, self).get(), {"add"}, &error));
  EXPECT_EQ(error, "A graph to be stitched has no functionName.");
}

} // namespace
} // namespace basanite::tests
