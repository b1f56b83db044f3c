// SPDX-License-Identifier: Apache-2.0
// Visible functions: linked with pipelines, called through tables and by name, added to pipelines, found in
// archives.
#include "tests/support/metal_fixture.hpp"

#include <filesystem>
#include <unistd.h>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(#include <metal_stdlib>
using namespace metal;
constant float kFactor [[function_constant(0)]];
[[visible]] float twice(float x) { return 2 * x; }
[[visible]] float plusTen(float x) { return x + 10; }
[[visible]] float negated(float x) { return -x; }
[[visible]] float scaled(float x) { return kFactor * x; }
[[visible]] int counted(int x) { return x + 1; }
[[visible]] float4 mixed(float4 a, device const float* weights) { return a * weights[1] + weights[0]; }
[[visible]] float4 flipped(float4 a, device const float*) { return a.wzyx; }
using Op = float(float);
kernel void apply(visible_function_table<Op> table [[buffer(0)]], device float* data [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  data[i] = table[i % 5](data[i]); }
kernel void sizes(visible_function_table<Op> table [[buffer(0)]], device float* data [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  data[i] = is_null_visible_function_table(table) ? -1 : float(table.size()); }
struct Argument { uint first; visible_function_table<float4(float4, device const float*)> table; device float* weights; };
kernel void shade(constant Argument& a [[buffer(0)]], device float4* data [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  data[i] = a.table[a.first + (i & 1)](data[i], a.weights); }
[[visible]] float elsewhere(float x);
kernel void named(device float* data [[buffer(0)]], uint i [[thread_position_in_grid]]) { data[i] = elsewhere(data[i]); }
struct Out { float4 position [[position]]; float shade; };
vertex Out corner(uint v [[vertex_id]], visible_function_table<Op> table [[buffer(0)]]) {
  float2 p = float2(v & 1, v >> 1) * 4 - 1;
  return {float4(p, 0, 1), table[0](0.1f)}; }
fragment float4 paint(Out in [[stage_in]], visible_function_table<Op> table [[buffer(0)]]) {
  uint pixel = uint(in.position.x);
  return float4(table[pixel & 1](in.shade), in.shade, 0, 1); }
)";

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

template <class T> NS::Array* arrayOf(const std::vector<NS::SharedPtr<T>>& objects) {
  std::vector<const NS::Object*> pointers;
  for (const auto& object : objects) pointers.push_back(object.get());
  return NS::Array::array(pointers.data(), pointers.size());
}

class FunctionTables : public MetalFixture {
 protected:
  using Functions = std::vector<NS::SharedPtr<MTL4::LibraryFunctionDescriptor>>;

  void SetUp() override {
    MetalFixture::SetUp();
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
  }

  NS::SharedPtr<MTL4::StaticLinkingDescriptor> linking(const std::vector<const char*>& names) {
    Functions functions;
    for (const char* name : names) functions.push_back(function(m_library.get(), name));
    auto linking = NS::TransferPtr(MTL4::StaticLinkingDescriptor::alloc()->init());
    linking->setFunctionDescriptors(arrayOf(functions));
    return linking;
  }
  NS::SharedPtr<MTL4::ComputePipelineDescriptor> describe(const char* kernel,
                                                          const std::vector<const char*>& names) {
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunctionDescriptor(function(m_library.get(), kernel).get());
    descriptor->setStaticLinkingDescriptor(linking(names).get());
    return descriptor;
  }
  NS::SharedPtr<MTL::ComputePipelineState> make(MTL4::ComputePipelineDescriptor* descriptor) {
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor, nullptr, &error));
    EXPECT_TRUE(pipeline) << text(error);
    return pipeline;
  }
  std::string failure(MTL4::ComputePipelineDescriptor* descriptor) {
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor, nullptr, &error)));
    return text(error);
  }
  // "" is a null entry.
  NS::SharedPtr<MTL::VisibleFunctionTable> tableOf(MTL::ComputePipelineState* pipeline,
                                                   const std::vector<const char*>& names) {
    auto descriptor = NS::TransferPtr(MTL::VisibleFunctionTableDescriptor::alloc()->init());
    descriptor->setFunctionCount(names.size());
    auto table = NS::TransferPtr(pipeline->newVisibleFunctionTable(descriptor.get()));
    for (size_t i = 0; i < names.size(); ++i) {
      if (!*names[i]) continue;
      MTL::FunctionHandle* handle = pipeline->functionHandle(string(names[i]));
      EXPECT_TRUE(handle) << names[i];
      table->setFunction(handle, i);
    }
    m_residency->addAllocation(table.get());
    m_residency->commit();
    return table;
  }
  // The data after the kernel, whose table is buffer 0 and whose data is buffer 1.
  std::vector<float> run(MTL::ComputePipelineState* pipeline, MTL::VisibleFunctionTable* table,
                         const std::vector<float>& data) {
    auto buffer = sharedBuffer(data);
    auto arguments = argumentTable(2);
    arguments->setResource(table ? table->gpuResourceID() : MTL::ResourceID{0}, 0);
    arguments->setAddress(buffer->gpuAddress(), 1);
    dispatch(pipeline, arguments.get(), data.size());
    return contents<float>(buffer.get());
  }
  // What the feedback of a dispatch says that cannot run.
  std::string refusal(MTL::ComputePipelineState* pipeline, MTL::ResourceID table) {
    auto buffer = sharedBuffer(std::vector<float>(8));
    auto arguments = argumentTable(2);
    arguments->setResource(table, 0);
    arguments->setAddress(buffer->gpuAddress(), 1);
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(pipeline);
      encoder->setArgumentTable(arguments.get());
      encoder->dispatchThreads(MTL::Size::Make(8, 1, 1), MTL::Size::Make(8, 1, 1));
      encoder->endEncoding();
    });
  }

  NS::SharedPtr<MTL::Library> m_library;
};

TEST_F(FunctionTables, EachThreadCallsItsOwnFunction) {
  auto pipeline = make(describe("apply", {"twice", "plusTen", "negated"}).get());
  auto table = tableOf(pipeline.get(), {"negated", "twice", "", "plusTen", "twice"});
  std::vector<float> data(40);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i + 1);
  std::vector<float> result = run(pipeline.get(), table.get(), data);
  for (size_t i = 0; i < data.size(); ++i) {
    const float expected[] = {-data[i], 2 * data[i], 0, data[i] + 10, 2 * data[i]};
    EXPECT_EQ(result[i], expected[i % 5]) << i;
  }
  // Entries change between runs, and go.
  table->setFunction(pipeline->functionHandle(string("plusTen")), 0);
  table->setFunction(nullptr, 1);
  result = run(pipeline.get(), table.get(), data);
  EXPECT_EQ(result[0], 11);
  EXPECT_EQ(result[1], 0);
  const MTL::FunctionHandle* both[] = {pipeline->functionHandle(string("twice")), nullptr};
  table->setFunctions(both, NS::Range::Make(3, 2));
  result = run(pipeline.get(), table.get(), data);
  EXPECT_EQ(result[3], 8);
  EXPECT_EQ(result[4], 0);
}

TEST_F(FunctionTables, AnIndexPastTheEndCallsNothing) {
  auto pipeline = make(describe("apply", {"twice"}).get());
  auto table = tableOf(pipeline.get(), {"twice", "twice"});
  EXPECT_EQ(run(pipeline.get(), table.get(), {1, 2, 3, 4, 5}), (std::vector<float>{2, 4, 0, 0, 0}));
}

TEST_F(FunctionTables, TablesKnowTheirSizeAndMayBeNull) {
  auto pipeline = make(describe("sizes", {"twice"}).get());
  auto table = tableOf(pipeline.get(), {"twice", "", ""});
  EXPECT_EQ(run(pipeline.get(), table.get(), {5}), std::vector<float>{3});
  EXPECT_EQ(run(pipeline.get(), nullptr, {5}), std::vector<float>{-1});
  EXPECT_EQ(run(make(describe("apply", {"twice"}).get()).get(), nullptr, {5}), std::vector<float>{0});
}

TEST_F(FunctionTables, StandInArgumentBuffers) {
  auto pipeline = make(describe("shade", {"mixed", "flipped"}).get());
  auto table = tableOf(pipeline.get(), {"", "flipped", "mixed"});
  auto weights = sharedBuffer(std::vector<float>{0.5f, 3});
  struct Argument {
    uint32_t first;
    uint64_t table, weights;
  };
  auto argument =
      sharedBuffer(std::vector<Argument>{{1, table->gpuResourceID()._impl, weights->gpuAddress()}});
  auto data = sharedBuffer(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  auto arguments = argumentTable(2);
  arguments->setAddress(argument->gpuAddress(), 0);
  arguments->setAddress(data->gpuAddress(), 1);
  dispatch(pipeline.get(), arguments.get(), 2);
  EXPECT_EQ(contents<float>(data.get()), (std::vector<float>{4, 3, 2, 1, 15.5f, 18.5f, 21.5f, 24.5f}));
}

TEST_F(FunctionTables, FunctionsWithConstantsAreLinkedSpecialized) {
  auto constants = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  const float factor = 5;
  constants->setConstantValue(&factor, MTL::DataTypeFloat, NS::UInteger(0));
  auto specialized = NS::TransferPtr(MTL4::SpecializedFunctionDescriptor::alloc()->init());
  specialized->setFunctionDescriptor(function(m_library.get(), "scaled").get());
  specialized->setConstantValues(constants.get());
  specialized->setSpecializedName(string("fiveTimes"));
  auto linked = NS::TransferPtr(MTL4::StaticLinkingDescriptor::alloc()->init());
  linked->setFunctionDescriptors(NS::Array::array(specialized.get()));
  auto descriptor = describe("apply", {});
  descriptor->setStaticLinkingDescriptor(linked.get());
  auto pipeline = make(descriptor.get());
  auto table = tableOf(pipeline.get(), {"fiveTimes"});
  EXPECT_STREQ(pipeline->functionHandle(string("fiveTimes"))->name()->utf8String(), "fiveTimes");
  EXPECT_EQ(run(pipeline.get(), table.get(), {7}), std::vector<float>{35});
  EXPECT_EQ(failure(describe("apply", {"scaled"}).get()),
            "Visible function \"scaled\": the function constant \"kFactor\" ([[function_constant(0)]], "
            "float) has no value.");
}

TEST_F(FunctionTables, PrivateFunctionsAreCalledByName) {
  EXPECT_EQ(failure(describe("named", {}).get()),
            "Kernel function \"named\": it calls the visible function \"elsewhere\", which is not among "
            "the functions that the pipeline is linked with.");
  auto other = library("[[visible]] float elsewhere(float x) { return x * 3 + 1; }");
  auto linked = NS::TransferPtr(MTL4::StaticLinkingDescriptor::alloc()->init());
  linked->setPrivateFunctionDescriptors(NS::Array::array(function(other.get(), "elsewhere").get()));
  auto descriptor = describe("named", {});
  descriptor->setStaticLinkingDescriptor(linked.get());
  auto pipeline = make(descriptor.get());
  // It has no number.
  EXPECT_FALSE(pipeline->functionHandle(string("elsewhere")));
  auto data = sharedBuffer(std::vector<float>{1, 2, 3});
  auto arguments = argumentTable(1);
  arguments->setAddress(data->gpuAddress(), 0);
  dispatch(pipeline.get(), arguments.get(), 3);
  EXPECT_EQ(contents<float>(data.get()), (std::vector<float>{4, 7, 10}));
}

TEST_F(FunctionTables, VertexAndFragmentStagesHaveTheirOwn) {
  auto pipeline =
      renderPipeline(m_library.get(), "corner", "paint", [&](MTL4::RenderPipelineDescriptor* descriptor) {
        descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
        descriptor->setVertexStaticLinkingDescriptor(linking({"twice"}).get());
        descriptor->setFragmentStaticLinkingDescriptor(linking({"twice", "plusTen"}).get());
      });
  ASSERT_TRUE(pipeline);
  auto descriptor = NS::TransferPtr(MTL::VisibleFunctionTableDescriptor::alloc()->init());
  descriptor->setFunctionCount(2);
  auto vertexTable =
      NS::TransferPtr(pipeline->newVisibleFunctionTable(descriptor.get(), MTL::RenderStageVertex));
  auto fragmentTable =
      NS::TransferPtr(pipeline->newVisibleFunctionTable(descriptor.get(), MTL::RenderStageFragment));
  EXPECT_FALSE(NS::TransferPtr(pipeline->newVisibleFunctionTable(descriptor.get(), MTL::RenderStageMesh)));
  vertexTable->setFunction(pipeline->functionHandle(string("twice"), MTL::RenderStageVertex), 0);
  fragmentTable->setFunction(pipeline->functionHandle(string("twice"), MTL::RenderStageFragment), 0);
  fragmentTable->setFunction(pipeline->functionHandle(string("plusTen"), MTL::RenderStageFragment), 1);
  EXPECT_FALSE(pipeline->functionHandle(string("plusTen"), MTL::RenderStageVertex));
  m_residency->addAllocation(vertexTable.get());
  m_residency->addAllocation(fragmentTable.get());
  m_residency->commit();
  auto target = colorTarget(4, 4);
  auto vertexArguments = argumentTable(1), fragmentArguments = argumentTable(1);
  vertexArguments->setResource(vertexTable->gpuResourceID(), 0);
  fragmentArguments->setResource(fragmentTable->gpuResourceID(), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(pipeline.get());
              encoder->setArgumentTable(vertexArguments.get(), MTL::RenderStageVertex);
              encoder->setArgumentTable(fragmentArguments.get(), MTL::RenderStageFragment);
              encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              encoder->endEncoding();
            }),
            "");
  std::vector<Pixel> image = pixels(target.get());
  EXPECT_EQ(image[0], (Pixel{102, 51, 0, 255}));
  EXPECT_EQ(image[1], (Pixel{255, 51, 0, 255}));
}

TEST_F(FunctionTables, FunctionsCanBeAddedToAPipeline) {
  auto binaryOf = [&](const char* name) {
    auto descriptor = NS::TransferPtr(MTL4::BinaryFunctionDescriptor::alloc()->init());
    descriptor->setFunctionDescriptor(function(m_library.get(), name).get());
    descriptor->setName(string(std::string("binary ") + name));
    NS::Error* error = nullptr;
    auto binary = NS::TransferPtr(m_compiler->newBinaryFunction(descriptor.get(), nullptr, &error));
    EXPECT_TRUE(binary) << text(error);
    return binary;
  };
  auto plusTen = binaryOf("plusTen"), negated = binaryOf("negated");
  EXPECT_STREQ(plusTen->name()->utf8String(), "binary plusTen");
  EXPECT_EQ(plusTen->functionType(), MTL::FunctionTypeVisible);
  auto descriptor = describe("apply", {"twice"});
  auto dynamic = NS::TransferPtr(MTL4::PipelineStageDynamicLinkingDescriptor::alloc()->init());
  EXPECT_EQ(dynamic->maxCallStackDepth(), 1u);
  dynamic->setBinaryLinkedFunctions(NS::Array::array(plusTen.get()));
  NS::Error* error = nullptr;
  auto rigid =
      NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), dynamic.get(), nullptr, &error));
  ASSERT_TRUE(rigid) << text(error);
  EXPECT_FALSE(NS::TransferPtr(
      rigid->newComputePipelineStateWithBinaryFunctions(NS::Array::array(negated.get()), &error)));
  EXPECT_EQ(
      text(error),
      "The pipeline \"apply\" takes no more functions: its descriptor's supportBinaryLinking is false.");
  descriptor->setSupportBinaryLinking(true);
  auto pipeline =
      NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), dynamic.get(), nullptr, &error));
  ASSERT_TRUE(pipeline) << text(error);
  auto table = tableOf(pipeline.get(), {"twice", "binary plusTen", ""});
  EXPECT_EQ(run(pipeline.get(), table.get(), {1, 2, 3}), (std::vector<float>{2, 12, 0}));
  EXPECT_FALSE(pipeline->functionHandle(negated.get()));
  auto more = NS::TransferPtr(
      pipeline->newComputePipelineStateWithBinaryFunctions(NS::Array::array(negated.get()), &error));
  ASSERT_TRUE(more) << text(error);
  // The table serves both; what only the newer one knows is nothing to the older one.
  table->setFunction(more->functionHandle(negated.get()), 2);
  EXPECT_EQ(run(more.get(), table.get(), {1, 2, 3}), (std::vector<float>{2, 12, -3}));
  EXPECT_EQ(run(pipeline.get(), table.get(), {1, 2, 3}), (std::vector<float>{2, 12, 0}));
}

TEST_F(FunctionTables, GroupsAreOfLinkedFunctions) {
  auto groupOf = [&](const char* name) {
    return NS::Dictionary::dictionary(NS::Array::array(function(m_library.get(), name).get()),
                                      string("simple"));
  };
  auto linked = linking({"twice", "negated"});
  linked->setGroups(groupOf("negated"));
  auto descriptor = describe("apply", {});
  descriptor->setStaticLinkingDescriptor(linked.get());
  auto pipeline = make(descriptor.get());
  auto table = tableOf(pipeline.get(), {"negated"});
  EXPECT_EQ(run(pipeline.get(), table.get(), {4}), std::vector<float>{-4});
  linked->setGroups(groupOf("plusTen"));
  descriptor->setStaticLinkingDescriptor(linked.get());
  EXPECT_EQ(failure(descriptor.get()), "The group \"simple\" of the kernel stage has the function "
                                       "\"plusTen\", which is not among its functionDescriptors.");
}

TEST_F(FunctionTables, WhatCannotBeCalledIsRefusedBySentence) {
  auto pipeline = make(describe("apply", {"twice", "counted"}).get());
  auto wrong = tableOf(pipeline.get(), {"twice", "counted"});
  EXPECT_EQ(refusal(pipeline.get(), wrong->gpuResourceID()),
            "The kernel stage's function \"apply\" calls functions of buffer(0) \"table\", but the table "
            "there has at index 1 the function "
            "\"counted\", which is int(int), where float(float) is called.");
  auto other = make(describe("apply", {"twice"}).get());
  auto others = tableOf(other.get(), {"twice"});
  EXPECT_EQ(refusal(pipeline.get(), others->gpuResourceID()),
            "The kernel stage's function \"apply\" calls functions of buffer(0) \"table\", but the table "
            "there holds functions of another "
            "pipeline or stage, \"apply\".");
  auto buffer = sharedBuffer(std::vector<float>(8));
  std::string message = refusal(pipeline.get(), MTL::ResourceID{buffer->gpuAddress()});
  EXPECT_NE(message.find("at buffer(0) \"table\", which its function \"apply\" calls functions of; no "
                         "visible function table has that ID."),
            std::string::npos)
      << message;
  // Neither changes the table.
  auto table = tableOf(pipeline.get(), {"twice"});
  table->setFunction(other->functionHandle(string("twice")), 0);
  table->setFunction(pipeline->functionHandle(string("twice")), 1);
  EXPECT_EQ(run(pipeline.get(), table.get(), {4, 4}), (std::vector<float>{8, 0}));
  EXPECT_FALSE(pipeline->functionHandle(string("nobody")));
  EXPECT_FALSE(pipeline->newVisibleFunctionTable(nullptr));
  EXPECT_EQ(failure(describe("apply", {"sizes"}).get()),
            "The function \"sizes\" is a kernel function, but a visible function is needed here.");
}

TEST_F(FunctionTables, ReflectionTellsOfTables) {
  NS::Error* error = nullptr;
  EXPECT_EQ(NS::TransferPtr(m_library->newFunction(MTLSTR("twice")))->functionType(),
            MTL::FunctionTypeVisible);
  auto options = NS::TransferPtr(MTL4::PipelineOptions::alloc()->init());
  options->setShaderReflection(MTL4::ShaderReflectionBindingInfo);
  auto descriptor = describe("apply", {"twice"});
  descriptor->setOptions(options.get());
  auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
  ASSERT_TRUE(pipeline) << text(error);
  auto* binding = pipeline->reflection()->bindings()->object<MTL::Binding>(0);
  EXPECT_EQ(binding->type(), MTL::BindingTypeVisibleFunctionTable);
  EXPECT_STREQ(binding->name()->utf8String(), "table");
}

TEST_F(FunctionTables, LinkedPipelinesAreFoundInArchives) {
  auto serializerDescriptor = NS::TransferPtr(MTL4::PipelineDataSetSerializerDescriptor::alloc()->init());
  serializerDescriptor->setConfiguration(MTL4::PipelineDataSetSerializerConfigurationCaptureBinaries);
  auto serializer = NS::TransferPtr(m_device->newPipelineDataSetSerializer(serializerDescriptor.get()));
  auto compilerDescriptor = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
  compilerDescriptor->setPipelineDataSetSerializer(serializer.get());
  NS::Error* error = nullptr;
  auto compiler = NS::TransferPtr(m_device->newCompiler(compilerDescriptor.get(), &error));
  ASSERT_TRUE(NS::TransferPtr(
      compiler->newComputePipelineState(describe("apply", {"twice", "negated"}).get(), nullptr, &error)))
      << text(error);
  auto path =
      std::filesystem::temp_directory_path() / ("basanite_linked_archive." + std::to_string(getpid()));
  NS::URL* url = NS::URL::fileURLWithPath(string(path.string()));
  ASSERT_TRUE(serializer->serializeAsArchiveAndFlushToURL(url, &error)) << text(error);
  auto archive = NS::TransferPtr(m_device->newArchive(url, &error));
  ASSERT_TRUE(archive) << text(error);
  std::filesystem::remove(path);
  auto pipeline = NS::TransferPtr(
      archive->newComputePipelineState(describe("apply", {"twice", "negated"}).get(), &error));
  ASSERT_TRUE(pipeline) << text(error);
  auto table = tableOf(pipeline.get(), {"twice", "negated"});
  EXPECT_EQ(run(pipeline.get(), table.get(), {3, 4}), (std::vector<float>{6, -4}));
  // Other functions, or others in order, are another pipeline.
  EXPECT_FALSE(NS::TransferPtr(
      archive->newComputePipelineState(describe("apply", {"negated", "twice"}).get(), &error)));
}

} // namespace
} // namespace basanite::tests
