// SPDX-License-Identifier: Apache-2.0
// Bad input: what the caller is told, that nothing else breaks, and what the debug layer and the environment change.
#include "tests/support/child_process.hpp"
#include "tests/support/metal_fixture.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <unistd.h>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(#include <metal_stdlib>
using namespace metal;
struct FromVertex { float4 position [[position]]; float4 shade; };
struct ToFragment { float4 position [[position]]; float4 glow; };
vertex FromVertex corner(uint id [[vertex_id]]) {
  FromVertex out;
  out.position = float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1);
  out.shade = float4(1);
  return out;
}
fragment float4 shaded(FromVertex in [[stage_in]]) { return in.shade; }
fragment float4 glowing(ToFragment in [[stage_in]]) { return in.glow; }
kernel void fill(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = 5; }
)";

NS::String* string(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

class Errors : public MetalFixture {
 protected:
  static void expectParts(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  }
  std::string compileError(const char* source) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(m_device->newLibrary(string(source), nullptr, &error));
    EXPECT_FALSE(library);
    EXPECT_NE(error, nullptr);
    return error ? text(error) : "";
  }
  std::string pipelineError(std::string_view vertex, std::string_view fragment) {
    auto lib = library(kSource);
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    auto vertexFunction = function(lib.get(), vertex), fragmentFunction = function(lib.get(), fragment);
    descriptor->setVertexFunctionDescriptor(vertexFunction.get());
    descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
    EXPECT_NE(error, nullptr);
    return error ? text(error) : "";
  }
};

TEST_F(Errors, NullViewportsAndMoreThanTheDeviceTakesAreNamed) {
  auto target = colorTarget(8, 8);
  auto encode = [&](const std::function<void(MTL4::RenderCommandEncoder*)>& set) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(clearPass(target.get()));
      set(encoder);
      encoder->endEncoding();
    });
  };
  EXPECT_NE(encode([](auto* encoder) { encoder->setViewports(nullptr, 1); }).find("the array is null"), std::string::npos);
  EXPECT_NE(encode([](auto* encoder) { encoder->setScissorRects(nullptr, 1); }).find("the array is null"), std::string::npos);
  std::vector<MTL::Viewport> many(1000, MTL::Viewport{0, 0, 8, 8, 0, 1});
  EXPECT_NE(encode([&](auto* encoder) { encoder->setViewports(many.data(), many.size()); }).find("1000 viewports"),
            std::string::npos);
}

TEST_F(Errors, MslThatDoesNotCompileNamesFileLineAndColumnAndShowsTheLine) {
  const std::string message = compileError("#include <metal_stdlib>\nusing namespace metal;\n\nkernel void k(device int* p "
                                           "[[buffer(0)]]) {\n  p[0] = undeclared + 1;\n}\n");
  // program_source:5:10: error: ..., the line as it was written, a caret under its column.
  expectParts(message, {":5:10: error:", "undeclared", "\n  p[0] = undeclared + 1;\n"});
  const size_t line = message.find("  p[0] = undeclared + 1;\n");
  ASSERT_NE(line, std::string::npos) << message;
  const size_t caretLine = message.find('\n', line) + 1;
  EXPECT_EQ(message.find('^', caretLine) - caretLine, 9u) << message;

  expectParts(compileError("kernel void k(device int* p [[buffer(0)]]) { p[0] = 1 }"), {":1:", "error:", "^"});
  // Words that the front end rewrites keep their columns and their spelling.
  const std::string spelled = compileError("#include <metal_stdlib>\nusing namespace metal;\n"
                                           "constant float kTable[2] = {1, 2}; constant int bad = nothing;\n");
  expectParts(spelled, {":3:", "constant float kTable[2] = {1, 2}; constant int bad = nothing;", "nothing"});
  // A missing include and a type error far down.
  expectParts(compileError("#include \"not_there.h\"\n"), {":1:", "not_there.h"});
  expectParts(compileError("#include <metal_stdlib>\nusing namespace metal;\n\n\n\n\nkernel void k(texture2d<float> t "
                           "[[texture(0)]]) { int x = t; }\n"),
              {":7:", "error:"});
}

TEST_F(Errors, CompilerDescriptorNamesTheFileInDiagnostics) {
  auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  descriptor->setName(string("water.metal"));
  descriptor->setSource(string("kernel void k() { oops; }\n"));
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newLibrary(descriptor.get(), &error)));
  expectParts(text(error), {"water.metal:1:19: error:", "oops"});
}

TEST_F(Errors, UnknownFunctionsListTheNamesThatExist) {
  auto lib = library(kSource);
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto missing = function(lib.get(), "fil");
  descriptor->setComputeFunctionDescriptor(missing.get());
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error)));
  expectParts(text(error), {"\"fil\"", "fill", "corner", "shaded", "glowing"});
  EXPECT_FALSE(NS::TransferPtr(lib->newFunction(string("fil"))));
  EXPECT_EQ(lib->functionNames()->count(), 4u);
  // A function of the wrong kind is named with both kinds.
  auto wrongKind = function(lib.get(), "corner");
  descriptor->setComputeFunctionDescriptor(wrongKind.get());
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error)));
  expectParts(text(error), {"\"corner\"", "vertex", "kernel"});
  // Descriptors with parts missing.
  auto empty = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(empty.get(), nullptr, &error)));
  EXPECT_NE(text(error), "no error");
  // A compute descriptor where a render descriptor belongs.
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(empty.get(), nullptr, &error)));
  EXPECT_NE(text(error), "no error");
}

TEST_F(Errors, AVaryingThatNobodyWritesNamesBothFunctionsAndTheVarying) {
  expectParts(pipelineError("corner", "glowing"), {"corner", "glowing", "glow"});
}

TEST_F(Errors, EncodingMistakesComeOutInTheFeedbackAndTheNextRecordingIsClean) {
  auto lib = library(kSource);
  auto fill = computePipeline(lib.get(), "fill");
  auto shaded = renderPipeline(lib.get(), "corner", "shaded", [](auto* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  ASSERT_TRUE(fill && shaded);
  auto target = colorTarget(8, 8);
  auto wrongTarget = colorTarget(8, 8, MTL::PixelFormatR32Float);
  auto buffer = sharedBuffer(256);
  auto table = argumentTable(1);
  table->setAddress(buffer->gpuAddress(), 0);
  const auto triangle = [](MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  };
  const auto rendering = [&](const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
      record(encoder);
      encoder->endEncoding();
    });
  };
  const auto computing = [&](const std::function<void(MTL4::ComputeCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->setArgumentTable(table.get());
      record(encoder);
      encoder->endEncoding();
    });
  };
  const auto one = MTL::Size::Make(1, 1, 1);
  expectParts(rendering(triangle), {"pipeline"});
  expectParts(computing([&](auto* e) { e->dispatchThreads(one, one); }), {"pipeline"});
  expectParts(computing([&](auto* e) {
                e->setComputePipelineState(fill.get());
                e->dispatchThreads(one, MTL::Size::Make(64, 64, 64));
              }),
              {"64 x 64 x 64"});
  expectParts(computing([&](auto* e) {
                e->setComputePipelineState(fill.get());
                e->dispatchThreads(one, MTL::Size::Make(0, 1, 1));
              }),
              {"0 x 1 x 1"});
  expectParts(computing([&](auto* e) { e->fillBuffer(buffer.get(), NS::Range::Make(200, 100), 1); }), {"200", "100", "256"});
  expectParts(computing([&](auto* e) { e->copyFromBuffer(buffer.get(), 250, buffer.get(), 0, 10); }), {"250", "10", "256"});
  // A copy whose region lies outside.
  expectParts(computing([&](auto* e) {
                e->copyFromTexture(target.get(), 0, 0, MTL::Origin::Make(4, 0, 0), MTL::Size::Make(5, 1, 1), buffer.get(), 0,
                                   20, 20);
              }),
              {"8"});
  expectParts(rendering([&](auto* e) {
                e->setRenderPipelineState(shaded.get());
                e->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 3, MTL::IndexTypeUInt16, MTL::GPUAddress(0x1000), 6);
              }),
              {"0x1000"});
  // The pipeline's and the pass's formats differ.
  expectParts(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(wrongTarget.get()));
                encoder->setRenderPipelineState(shaded.get());
                triangle(encoder);
                encoder->endEncoding();
              }),
              {"RGBA8Unorm", "R32Float"});
  // A pass without attachments or size.
  expectParts(runCommands([&](MTL4::CommandBuffer* commands) {
                auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
                EXPECT_EQ(commands->renderCommandEncoder(pass.get()), nullptr);
              }),
              {"attachment"});
  // All that left nothing behind.
  EXPECT_EQ(computing([&](auto* e) {
              e->setComputePipelineState(fill.get());
              e->dispatchThreads(MTL::Size::Make(64, 1, 1), MTL::Size::Make(64, 1, 1));
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(buffer.get()), std::vector<uint32_t>(64, 5));
  EXPECT_EQ(rendering([&](auto* e) {
              e->setRenderPipelineState(shaded.get());
              triangle(e);
            }),
            "");
  EXPECT_EQ(pixels(target.get()), std::vector<Pixel>(64, Pixel{255, 255, 255, 255}));
}

TEST_F(Errors, NullArraysAndBoundlessCapacitiesAreSurvived) {
  testing::internal::CaptureStderr();
  m_queue->commit(nullptr, 3);
  m_queue->addResidencySets(nullptr, 3);
  m_queue->removeResidencySets(nullptr, 3);
  m_residency->addAllocations(nullptr, 3);
  m_residency->removeAllocations(nullptr, 3);
  expectParts(testing::internal::GetCapturedStderr(),
              {"CommandQueue::commit: the array of 3 command buffers is null", "CommandQueue::addResidencySets",
               "CommandQueue::removeResidencySets", "ResidencySet::addAllocations", "ResidencySet::removeAllocations"});
  m_queue->commit(nullptr, 0);
  auto descriptor = NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init());
  descriptor->setInitialCapacity(~NS::UInteger(0));
  EXPECT_TRUE(NS::TransferPtr(m_device->newResidencySet(descriptor.get(), nullptr)));
  EXPECT_EQ(runCommands([](MTL4::CommandBuffer*) {}), "");
}

TEST_F(Errors, CopiesWithinOneTextureMustNotOverlap) {
  auto target = colorTarget(8, 8), other = colorTarget(8, 8);
  const auto copy = [&](const std::function<void(MTL4::ComputeCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      record(encoder);
      encoder->endEncoding();
    });
  };
  const auto region = [&](NS::UInteger from, NS::UInteger to) {
    return copy([&](auto* e) {
      e->copyFromTexture(target.get(), 0, 0, MTL::Origin::Make(from, 0, 0), MTL::Size::Make(4, 8, 1), target.get(), 0, 0,
                         MTL::Origin::Make(to, 0, 0));
    });
  };
  expectParts(copy([&](auto* e) { e->copyFromTexture(target.get(), target.get()); }), {"copyFromTexture", "overlap"});
  expectParts(region(0, 3), {"copyFromTexture", "overlap"});
  expectParts(region(4, 1), {"copyFromTexture", "overlap"});
  EXPECT_EQ(region(0, 4), "");
  EXPECT_EQ(copy([&](auto* e) { e->copyFromTexture(target.get(), other.get()); }), "");
}

TEST_F(Errors, ThreadgroupMemoryAboveTheDeviceNamesBothSizes) {
  auto lib = library("#include <metal_stdlib>\nusing namespace metal;\n"
                     "kernel void much(device int* o [[buffer(0)]]) { threadgroup int a[100000]; a[o[0]] = 1; "
                     "threadgroup_barrier(mem_flags::mem_threadgroup); o[0] = a[o[1]]; }");
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto kernel = function(lib.get(), "much");
  descriptor->setComputeFunctionDescriptor(kernel.get());
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error)));
  expectParts(text(error), {"much", "400000", std::to_string(m_device->maxThreadgroupMemoryLength()).c_str()});
}

TEST_F(Errors, PipelinesNameColorFormatsThatNothingCanBeDrawnTo) {
  auto lib = library(kSource);
  auto vertexFunction = function(lib.get(), "corner"), fragmentFunction = function(lib.get(), "shaded");
  const std::pair<MTL::PixelFormat, const char*> formats[] = {{MTL::PixelFormatDepth32Float, "Depth32Float"},
                                                              {MTL::PixelFormatBC1_RGBA, "BC1_RGBA"},
                                                              {MTL::PixelFormat(9999), "attachment 1"}};
  for (const auto& [format, part] : formats) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    descriptor->setVertexFunctionDescriptor(vertexFunction.get());
    descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
    descriptor->colorAttachments()->object(1)->setPixelFormat(format);
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
    expectParts(text(error), {"attachment 1", part});
  }
}

TEST_F(Errors, UseInTheWrongOrderIsNamedAndSurvived) {
  auto lib = library(kSource);
  auto fill = computePipeline(lib.get(), "fill");
  ASSERT_TRUE(fill);
  auto buffer = sharedBuffer(256);
  // An encoder after its endEncoding.
  expectParts(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encoder->endEncoding();
                encoder->fillBuffer(buffer.get(), NS::Range::Make(0, 4), 1);
              }),
              {"endEncoding"});
  // Two encoders at once; the second is refused.
  expectParts(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encoder->setLabel(string("first one"));
                EXPECT_EQ(commands->computeCommandEncoder(), nullptr);
                encoder->endEncoding();
              }),
              {"first one", "open"});
  // The command buffer ended with an open encoder.
  expectParts(runCommands([&](MTL4::CommandBuffer* commands) { commands->computeCommandEncoder(); }), {"open"});

  // A commit of a buffer still recording does not run, and says so.
  const auto feedbackOf = [&](const MTL4::CommandBuffer* commands) {
    std::string error = "no feedback";
    auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
    auto delivered = NS::TransferPtr(m_device->newSharedEvent());
    options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
      error = feedback->error() ? text(feedback->error()) : "";
      delivered->setSignaledValue(1);
    });
    const MTL4::CommandBuffer* list[] = {commands};
    m_queue->commit(list, 1, options.get());
    EXPECT_TRUE(delivered->waitUntilSignaledValue(1, 30'000));
    return error;
  };
  auto fresh = NS::TransferPtr(m_device->newCommandBuffer());
  fresh->setLabel(string("my frame"));
  auto allocator = NS::TransferPtr(m_device->newCommandAllocator());
  EXPECT_NE(feedbackOf(fresh.get()), "") << "never begun";
  fresh->beginCommandBuffer(allocator.get());
  expectParts(feedbackOf(fresh.get()), {"my frame"});
  EXPECT_EQ(fresh->renderCommandEncoder(nullptr), nullptr);
  fresh->endCommandBuffer();
  feedbackOf(fresh.get());
  // The same recording twice.
  EXPECT_EQ(runCommands([](MTL4::CommandBuffer*) {}), "");
  EXPECT_NE(feedbackOf(m_commands.get()), "");
  EXPECT_EQ(runCommands([](MTL4::CommandBuffer*) {}), "");
}

TEST_F(Errors, ResourcesThatCannotBeMadeAreNull) {
  EXPECT_FALSE(NS::TransferPtr(m_device->newBuffer(0, MTL::ResourceStorageModeShared)));
  EXPECT_FALSE(NS::TransferPtr(m_device->newBuffer(NS::UInteger(1) << 60, MTL::ResourceStorageModeShared)));
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 0, 4, false);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTexture(descriptor)));
  descriptor->setWidth(1 << 20);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTexture(descriptor)));
  descriptor->setWidth(4);
  descriptor->setMipmapLevelCount(9);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTexture(descriptor)));
  descriptor->setMipmapLevelCount(1);
  descriptor->setPixelFormat(MTL::PixelFormatInvalid);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTexture(descriptor)));
  descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  EXPECT_TRUE(NS::TransferPtr(m_device->newTexture(descriptor)));
  descriptor->setWidth((NS::UInteger(1) << 32) + 4);
  EXPECT_FALSE(NS::TransferPtr(m_device->newTexture(descriptor))) << "not cut to 4";

  auto sampler = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
  sampler->setSAddressMode(MTL::SamplerAddressModeClampToZero);
  sampler->setTAddressMode(MTL::SamplerAddressModeClampToBorderColor);
  EXPECT_TRUE(NS::TransferPtr(m_device->newSamplerState(sampler.get())));
  sampler->setBorderColor(MTL::SamplerBorderColorOpaqueWhite);
  EXPECT_FALSE(NS::TransferPtr(m_device->newSamplerState(sampler.get()))) << "two borders of different colors";
}

TEST_F(Errors, PassesAndVertexLayoutsThatCannotBeAreNamed) {
  const std::string samples = runCommands([&](MTL4::CommandBuffer* commands) {
    auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
    pass->setRenderTargetWidth(8);
    pass->setRenderTargetHeight(8);
    pass->setDefaultRasterSampleCount(3);
    EXPECT_EQ(commands->renderCommandEncoder(pass.get()), nullptr);
  });
  EXPECT_NE(samples.find("3 samples"), std::string::npos) << samples;
  const std::string size = runCommands([&](MTL4::CommandBuffer* commands) {
    auto pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
    pass->setRenderTargetWidth((NS::UInteger(1) << 32) + 8);
    pass->setRenderTargetHeight(8);
    EXPECT_EQ(commands->renderCommandEncoder(pass.get()), nullptr);
  });
  EXPECT_NE(size.find("4294967304"), std::string::npos) << size;

  auto shaders = library(R"(
#include <metal_stdlib>
using namespace metal;
struct In { float4 position [[attribute(0)]]; };
vertex float4 placed(In in [[stage_in]]) { return in.position; }
)");
  auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  vertices->attributes()->object(0)->setFormat(MTL::VertexFormatFloat4);
  vertices->layouts()->object(0)->setStride(MTL::BufferLayoutStrideDynamic);
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  descriptor->setVertexFunctionDescriptor(function(shaders.get(), "placed").get());
  descriptor->setVertexDescriptor(vertices.get());
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
  EXPECT_NE(text(error).find("dynamic"), std::string::npos) << text(error);
  vertices->layouts()->object(0)->setStride(16);
  vertices->attributes()->object(0)->setBufferIndex(NS::UInteger(1) << 32);
  descriptor->setVertexDescriptor(vertices.get());
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error))) << "not cut to buffer 0";
}

// ---- other environments ------------------------------------------------------------------------------------------

TEST(Environment, BasaniteDeviceThatNamesNothingListsTheDevices) {
  const ChildResult result = runScenario("device", {{"BASANITE_DEVICE", "voodoo2"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(result.exitCode, 3) << result.output;
  EXPECT_NE(result.output.find("BASANITE_DEVICE"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("voodoo2"), std::string::npos) << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << "one sentence: " << result.output;
}

TEST(Environment, BasaniteDeviceByIndexAndByPartOfTheName) {
  const ChildResult byIndex = runScenario("device", {{"BASANITE_DEVICE", "0"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(byIndex.exitCode, 0) << byIndex.output;
  const size_t name = byIndex.output.find("device: ");
  ASSERT_NE(name, std::string::npos) << byIndex.output;
  std::string part = byIndex.output.substr(name + 8, 5);
  for (char& c : part) c = char(std::toupper(c));
  const ChildResult byName = runScenario("device", {{"BASANITE_DEVICE", part}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(byName.exitCode, 0) << byName.output;
}

TEST(Environment, NoVulkanDriverIsOneSentenceThatSaysWhatToInstall) {
  const ChildResult result = runScenario("device", {{"VK_DRIVER_FILES", "/nonexistent.json"},
                                                    {"VK_ICD_FILENAMES", "/nonexistent.json"},
                                                    {"BASANITE_DEVICE", ""},
                                                    {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(result.exitCode, 3) << result.output;
  EXPECT_NE(result.output.find("nstall"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("mesa-vulkan-drivers"), std::string::npos) << result.output;
}

TEST(Environment, NoVulkanLoaderIsOneSentenceThatSaysWhatToInstall) {
  // Files that are no libraries, found ahead of the loader.
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / ("basanite_loader_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  for (const char* name : {"libvulkan.so.1", "libvulkan.so"}) std::ofstream(folder / name) << "no library\n";
  const char* path = std::getenv("LD_LIBRARY_PATH");
  const ChildResult result = runScenario("device", {{"LD_LIBRARY_PATH", folder.string() + (path ? ":" + std::string(path) : "")},
                                                    {"BASANITE_VALIDATION", ""}});
  std::filesystem::remove_all(folder);
  EXPECT_EQ(result.exitCode, 3) << "the device is null, and the process goes on: " << result.output;
  for (const char* part : {"No Vulkan loader (libvulkan.so.1)", "install it", "libvulkan1", "mesa-vulkan-drivers"})
    EXPECT_NE(result.output.find(part), std::string::npos) << part << ": " << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << "one sentence: " << result.output;
}

TEST(Environment, TheLogTellsTheDeviceAndWhatWasCompiled) {
  const ChildResult quiet = runScenario("kernel", {{"BASANITE_LOG", "0"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(quiet.exitCode, 0);
  EXPECT_EQ(quiet.output, "");
  const ChildResult told = runScenario("kernel", {{"BASANITE_LOG", "1"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(told.exitCode, 0);
  for (const char* pattern :
       {"The device is \".+\": driver .+, Vulkan 1\\.[0-9]+\\.[0-9]+\\.",
        "Timestamps: [0-9]+ bits of [0-9.]+ ns a tick, (not )?calibrated; precise ones between draws (stand between barriers|split the "
        "pass); relaxed ones are (plain|doubled)\\.",
        "Simdgroups have [0-9]+ threads\\. The device lacks: .+\\.", "The library \".+\" of 4 functions was compiled in [0-9.]+ ms\\.",
        "The kernel \"fill\" was lowered to SPIR-V in [0-9.]+ ms\\.",
        "The driver compiled the kernel \"fill\" for threadgroups of 32x1x1 in [0-9.]+ ms\\."})
    EXPECT_TRUE(std::regex_search(told.output, std::regex("(^|\n)basanite: " + std::string(pattern) + "\n"))) << pattern << "\n" << told.output;
  EXPECT_EQ(std::count(told.output.begin(), told.output.end(), '\n'), 6) << "no more than that: " << told.output;
}

TEST(Environment, MissingShaderCompilerIsAnErrorOfTheLibrary) {
  const ChildResult result =
      runScenario("library", {{"BASANITE_COMPILER", "/nonexistent/compiler.so"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(result.exitCode, 3) << result.output;
  EXPECT_NE(result.output.find("/nonexistent/compiler.so"), std::string::npos) << result.output;
}

TEST(Environment, AShaderCompilerOfAnotherBuildIsRefused) {
  const ChildResult result =
      runScenario("library", {{"BASANITE_COMPILER", OTHER_COMPILER}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(result.exitCode, 3) << "signal " << result.signal << "\n" << result.output;
  EXPECT_NE(result.output.find(OTHER_COMPILER " is of another build of Basanite"), std::string::npos) << result.output;
}

TEST(Environment, TheDebugLayerAbortsWithTheMessageUnlessToldOtherwise) {
  const ChildResult aborted = runScenario("misuse", {{"MTL_DEBUG_LAYER", "1"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(aborted.signal, SIGABRT) << aborted.output;
  EXPECT_NE(aborted.output.find("index 9"), std::string::npos) << aborted.output;
  EXPECT_EQ(aborted.output.find("survived"), std::string::npos) << aborted.output;
  const ChildResult logged = runScenario(
      "misuse", {{"MTL_DEBUG_LAYER", "1"}, {"MTL_DEBUG_LAYER_ERROR_MODE", "nslog"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(logged.exitCode, 0) << logged.output;
  EXPECT_NE(logged.output.find("index 9"), std::string::npos) << logged.output;
  EXPECT_NE(logged.output.find("survived"), std::string::npos) << logged.output;
  const ChildResult ignored = runScenario(
      "misuse", {{"MTL_DEBUG_LAYER", "1"}, {"MTL_DEBUG_LAYER_ERROR_MODE", "ignore"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(ignored.exitCode, 0) << ignored.output;
  EXPECT_NE(ignored.output.find("survived"), std::string::npos) << ignored.output;
  const ChildResult encoding = runScenario("encoding", {{"MTL_DEBUG_LAYER", "1"}, {"BASANITE_VALIDATION", ""}});
  EXPECT_EQ(encoding.signal, SIGABRT) << encoding.output;
  EXPECT_NE(encoding.output.find("pipeline"), std::string::npos) << encoding.output;
}

} // namespace

namespace {

// What a child does; 3 = the thing asked for could not be made.
int runAsChild(const std::string& scenario) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  auto device = NS::TransferPtr(MTL::CreateSystemDefaultDevice());
  if (!device) return 3;
  if (scenario == "device") {
    std::printf("device: %s\n", device->name()->utf8String());
    return 0;
  }
  if (scenario == "library") {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(device->newLibrary(string(kSource), nullptr, &error));
    std::printf("%s\n", text(error).c_str());
    return library ? 0 : 3;
  }
  if (scenario == "kernel") {
    auto library = NS::TransferPtr(device->newLibrary(string(kSource), nullptr, nullptr));
    auto fill = NS::TransferPtr(library->newFunction(string("fill")));
    return NS::TransferPtr(device->newComputePipelineState(fill.get(), nullptr)) ? 0 : 3;
  }
  if (scenario == "misuse") {
    auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
    descriptor->setMaxBufferBindCount(2);
    auto table = NS::TransferPtr(device->newArgumentTable(descriptor.get(), nullptr));
    table->setAddress(0, 9);
    std::puts("survived");
    return 0;
  }
  if (scenario == "encoding") {
    auto commands = NS::TransferPtr(device->newCommandBuffer());
    auto allocator = NS::TransferPtr(device->newCommandAllocator());
    commands->beginCommandBuffer(allocator.get());
    commands->computeCommandEncoder()->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    std::puts("survived");
    return 0;
  }
  return 4;
}

} // namespace
} // namespace basanite::tests

int main(int argumentCount, char** arguments) {
  if (const std::string scenario = basanite::tests::scenarioName(); !scenario.empty())
    return basanite::tests::runAsChild(scenario);
  testing::InitGoogleTest(&argumentCount, arguments);
  return RUN_ALL_TESTS();
}
