// SPDX-License-Identifier: Apache-2.0
// Pipeline archives: what is captured, found again (in another process without a compiler), and what is wrong
// with a file that cannot be used.
#include "tests/support/child_process.hpp"
#include "tests/support/metal_fixture.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>

namespace fs = std::filesystem;

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(#include <metal_stdlib>
using namespace metal;
constant int kFactor [[function_constant(0)]];
constant float3 kTable[5] = {float3(0, 1, 0), float3(1, 0, 0), float3(0, 0, 1), float3(1, 1, 0), float3(0, 1, 1)};
kernel void scale(device int* data [[buffer(0)]], uint i [[thread_position_in_grid]]) { data[i] *= kFactor; }
struct In { float2 position [[attribute(0)]]; };
struct Out { float4 position [[position]]; float2 uv; };
vertex Out corner(In in [[stage_in]]) { return {float4(in.position, 0, 1), in.position * 0.5f + 0.5f}; }
fragment float4 paint(Out in [[stage_in]], texture2d<float> image [[texture(0)]], constant uint& which [[buffer(0)]]) {
  constexpr sampler nearest(filter::nearest);
  return image.sample(nearest, in.uv) * float4(0.5f, 0.5f, 0.5f, 0) + float4(kTable[which] * 0.8f, 1) * 0.5f + float4(0, 0, 0, 0.5f);
}
)";

constexpr NS::UInteger kDescriptors = MTL4::PipelineDataSetSerializerConfigurationCaptureDescriptors;
constexpr NS::UInteger kBinaries = MTL4::PipelineDataSetSerializerConfigurationCaptureBinaries;

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

class Archives : public MetalFixture {
 protected:
  // What a program draws and computes; `compiler` makes its pipelines, `options` says where else they come
  // from.
  void program(MTL4::Compiler* compiler, const MTL4::CompilerTaskOptions* options);
  NS::SharedPtr<MTL4::CompilerTaskOptions> lookUpIn(MTL4::Archive* archive) {
    auto options = NS::TransferPtr(MTL4::CompilerTaskOptions::alloc()->init());
    options->setLookupArchives(NS::Array::array(archive));
    return options;
  }
  NS::SharedPtr<MTL4::Archive> open(const fs::path& path) {
    NS::Error* error = nullptr;
    auto archive =
        NS::TransferPtr(m_device->newArchive(NS::URL::fileURLWithPath(string(path.string())), &error));
    EXPECT_TRUE(archive) << text(error);
    return archive;
  }

  void SetUp() override {
    MetalFixture::SetUp();
    std::string pattern = (fs::temp_directory_path() / "basanite_archive.XXXXXX").string();
    ASSERT_TRUE(mkdtemp(pattern.data()));
    m_folder = pattern;
  }
  void TearDown() override {
    MetalFixture::TearDown();
    if (!m_folder.empty()) fs::remove_all(m_folder);
  }

  NS::SharedPtr<MTL4::PipelineDataSetSerializer> serializer(NS::UInteger configuration) {
    auto descriptor = NS::TransferPtr(MTL4::PipelineDataSetSerializerDescriptor::alloc()->init());
    descriptor->setConfiguration(configuration);
    return NS::TransferPtr(m_device->newPipelineDataSetSerializer(descriptor.get()));
  }
  NS::SharedPtr<MTL4::Compiler> capturing(MTL4::PipelineDataSetSerializer* serializer) {
    auto descriptor = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
    descriptor->setLabel(string("capturing"));
    descriptor->setPipelineDataSetSerializer(serializer);
    NS::Error* error = nullptr;
    auto compiler = NS::TransferPtr(m_device->newCompiler(descriptor.get(), &error));
    EXPECT_TRUE(compiler) << text(error);
    return compiler;
  }
  // An archive of the program's pipelines.
  fs::path written() {
    auto all = serializer(kBinaries);
    auto compiler = capturing(all.get());
    program(compiler.get(), nullptr);
    fs::path path = m_folder / "pipelines.archive";
    write(all.get(), path);
    return path;
  }
  void write(MTL4::PipelineDataSetSerializer* serializer, const fs::path& path) {
    NS::Error* error = nullptr;
    EXPECT_TRUE(
        serializer->serializeAsArchiveAndFlushToURL(NS::URL::fileURLWithPath(string(path.string())), &error))
        << text(error);
  }
  // Why the file cannot be opened.
  std::string openError(const fs::path& path) {
    NS::Error* error = nullptr;
    auto archive =
        NS::TransferPtr(m_device->newArchive(NS::URL::fileURLWithPath(string(path.string())), &error));
    EXPECT_FALSE(archive);
    return text(error);
  }

  // The kernel times `factor`.
  NS::SharedPtr<MTL4::ComputePipelineDescriptor> kernel(MTL::Library* library, int factor,
                                                        const char* label = "times") {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    values->setConstantValue(&factor, MTL::DataTypeInt, NS::UInteger(0));
    auto special = NS::TransferPtr(MTL4::SpecializedFunctionDescriptor::alloc()->init());
    special->setFunctionDescriptor(function(library, "scale").get());
    special->setConstantValues(values.get());
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunctionDescriptor(special.get());
    descriptor->setLabel(string(label));
    return descriptor;
  }

  NS::SharedPtr<MTL4::RenderPipelineDescriptor> drawing(MTL::Library* library, NS::UInteger stride = 8) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    vertices->attributes()->object(0)->setFormat(MTL::VertexFormatFloat2);
    vertices->attributes()->object(0)->setBufferIndex(2);
    vertices->layouts()->object(2)->setStride(stride);
    descriptor->setVertexDescriptor(vertices.get());
    descriptor->setVertexFunctionDescriptor(function(library, "corner").get());
    descriptor->setFragmentFunctionDescriptor(function(library, "paint").get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    return descriptor;
  }

  fs::path m_folder;
};

void Archives::program(MTL4::Compiler* compiler, const MTL4::CompilerTaskOptions* options) {
  NS::Error* error = nullptr;
  auto source = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  source->setSource(string(kSource));
  auto library = NS::TransferPtr(compiler->newLibrary(source.get(), &error));
  ASSERT_TRUE(library) << text(error);
  EXPECT_EQ(library->functionNames()->count(), 3u);

  auto times =
      NS::TransferPtr(compiler->newComputePipelineState(kernel(library.get(), 7).get(), options, &error));
  ASSERT_TRUE(times) << text(error);
  auto data = sharedBuffer(std::vector<int>{1, -2, 30, 4});
  auto table = argumentTable(3, 1);
  table->setAddress(data->gpuAddress(), 0);
  dispatch(times.get(), table.get(), MTL::Size::Make(4, 1, 1), MTL::Size::Make(4, 1, 1));
  EXPECT_EQ(contents<int>(data.get()), (std::vector<int>{7, -14, 210, 28}));

  auto draw =
      NS::TransferPtr(compiler->newRenderPipelineState(drawing(library.get()).get(), options, &error));
  ASSERT_TRUE(draw) << text(error);
  auto image = texture(2, 2, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead, MTL::StorageModeShared);
  const std::vector<Pixel> texels = {
      {200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {200, 200, 0, 255}};
  image->replaceRegion(MTL::Region::Make2D(0, 0, 2, 2), 0, texels.data(), 8);
  auto corners = sharedBuffer(std::vector<float>{-1, -1, 3, -1, -1, 3});
  auto which = sharedBuffer(std::vector<uint32_t>{3});
  table->setAddress(which->gpuAddress(), 0);
  table->setTexture(image->gpuResourceID(), 0);
  auto vertexTable = argumentTable(3);
  vertexTable->setAddress(corners->gpuAddress(), 2);
  auto target = colorTarget(4, 4);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(draw.get());
              encoder->setArgumentTable(vertexTable.get(), MTL::RenderStageVertex);
              encoder->setArgumentTable(table.get(), MTL::RenderStageFragment);
              encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
              encoder->endEncoding();
            }),
            "");
  auto drawn = pixels(target.get());
  // Half the texel, half of (204, 204, 0); uv's v goes up, and so does the picture's. Whole numbers: drivers round halves as
  // they like.
  EXPECT_EQ(drawn[0], (Pixel{102, 102, 100, 255}));
  EXPECT_EQ(drawn[3], (Pixel{202, 202, 0, 255}));
  EXPECT_EQ(drawn[15], (Pixel{102, 202, 0, 255}));
  EXPECT_EQ(drawn[12], (Pixel{202, 102, 0, 255}));
}

TEST_F(Archives, ASecondProcessCompilesNothing) {
  fs::path path = written();
  EXPECT_EQ(std::distance(fs::directory_iterator(m_folder), {}), 1)
      << "something was left beside the archive";
  ChildResult result = runScenario(
      "archived", {{"BASANITE_COMPILER", "/nonexistent"}, {"BASANITE_TEST_ARCHIVE", path.string()}});
  EXPECT_EQ(result.exitCode, 0) << result.output;
  // The same without the archive cannot work: the scenario has no compiler.
  result = runScenario("archived", {{"BASANITE_COMPILER", "/nonexistent"}, {"BASANITE_TEST_ARCHIVE", ""}});
  EXPECT_EQ(result.exitCode, 1) << result.output;
  EXPECT_NE(result.output.find("The shader compiler library could not be loaded: /nonexistent"),
            std::string::npos)
      << result.output;
}

TEST_F(Archives, WhatDecidesTheCodeDecidesTheLookUp) {
  fs::path path = written();
  auto archive = open(path);
  auto library = this->library(kSource);
  NS::Error* error = nullptr;
  EXPECT_TRUE(NS::TransferPtr(archive->newComputePipelineState(kernel(library.get(), 7).get(), &error)))
      << text(error);
  EXPECT_TRUE(NS::TransferPtr(
      archive->newComputePipelineState(kernel(library.get(), 7, "another name").get(), &error)));
  EXPECT_FALSE(error);
  EXPECT_FALSE(NS::TransferPtr(archive->newComputePipelineState(kernel(library.get(), 8).get(), &error)));
  EXPECT_EQ(text(error), "The archive does not hold the pipeline \"times\".");
  EXPECT_TRUE(NS::TransferPtr(archive->newRenderPipelineState(drawing(library.get()).get(), &error)))
      << text(error);
  EXPECT_FALSE(NS::TransferPtr(archive->newRenderPipelineState(drawing(library.get(), 12).get(), &error)));
  EXPECT_EQ(text(error), "The archive does not hold the pipeline \"corner+paint\".");
  // Blending is none of the code's business.
  auto blended = drawing(library.get());
  blended->colorAttachments()->object(0)->setBlendingState(MTL4::BlendStateEnabled);
  EXPECT_TRUE(NS::TransferPtr(archive->newRenderPipelineState(blended.get(), &error))) << text(error);
  // Another source with the same names.
  auto other = this->library(std::string(kSource) + "// changed\n");
  EXPECT_FALSE(NS::TransferPtr(archive->newComputePipelineState(kernel(other.get(), 7).get(), &error)));
  EXPECT_FALSE(NS::TransferPtr(archive->newComputePipelineState(nullptr, &error)));
  EXPECT_EQ(text(error), "The pipeline descriptor is null.");
}

TEST_F(Archives, ALookUpThatFindsNothingCompiles) {
  fs::path path = written();
  auto archive = open(path);
  archive->setLabel(string("pipelines"));
  EXPECT_EQ(archive->label()->utf8String(), std::string("pipelines"));
  auto library = this->library(kSource);
  NS::Error* error = nullptr;
  auto options = lookUpIn(archive.get());
  EXPECT_EQ(options->lookupArchives()->count(), 1u);
  auto pipeline = NS::TransferPtr(
      m_compiler->newComputePipelineState(kernel(library.get(), 9).get(), options.get(), &error));
  EXPECT_TRUE(pipeline) << text(error);
}

TEST_F(Archives, TasksLookUpToo) {
  fs::path path = written();
  auto archive = open(path);
  auto all = serializer(kBinaries);
  auto compiler = capturing(all.get());
  EXPECT_EQ(compiler->pipelineDataSetSerializer(), all.get());
  EXPECT_EQ(compiler->label()->utf8String(), std::string("capturing"));
  EXPECT_EQ(compiler->device(), m_device.get());
  auto library = this->library(kSource);
  int made = 0;
  auto task = NS::TransferPtr(compiler->newComputePipelineState(
      kernel(library.get(), 7).get(), lookUpIn(archive.get()).get(),
      MTL4::NewComputePipelineStateCompletionHandlerFunction(
          [&](MTL::ComputePipelineState* state, NS::Error*) { made += state != nullptr; })));
  auto second = NS::TransferPtr(compiler->newRenderPipelineState(
      drawing(library.get()).get(), lookUpIn(archive.get()).get(),
      MTL4::NewRenderPipelineStateCompletionHandlerFunction(
          [&](MTL::RenderPipelineState* state, NS::Error*) { made += state != nullptr; })));
  EXPECT_EQ(task->compiler(), compiler.get());
  task->waitUntilCompleted();
  second->waitUntilCompleted();
  EXPECT_EQ(made, 2);
  EXPECT_EQ(task->status(), MTL4::CompilerTaskStatusFinished);
  // What came from an archive is captured like what was compiled.
  fs::path copy = m_folder / "copy.archive";
  write(all.get(), copy);
  NS::Error* error = nullptr;
  EXPECT_TRUE(NS::TransferPtr(open(copy)->newComputePipelineState(kernel(library.get(), 7).get(), &error)))
      << text(error);
}

TEST_F(Archives, FlushingForgets) {
  auto all = serializer(kBinaries);
  auto compiler = capturing(all.get());
  auto library = this->library(kSource);
  NS::Error* error = nullptr;
  ASSERT_TRUE(
      NS::TransferPtr(compiler->newComputePipelineState(kernel(library.get(), 7).get(), nullptr, &error)))
      << text(error);
  write(all.get(), m_folder / "first");
  write(all.get(), m_folder / "second");
  EXPECT_TRUE(NS::TransferPtr(
      open(m_folder / "first")->newComputePipelineState(kernel(library.get(), 7).get(), &error)));
  EXPECT_FALSE(NS::TransferPtr(
      open(m_folder / "second")->newComputePipelineState(kernel(library.get(), 7).get(), &error)));
}

TEST_F(Archives, ReflectionComesFromTheArchiveToo) {
  fs::path path = written();
  auto archive = open(path);
  auto library = this->library(kSource);
  auto options = NS::TransferPtr(MTL4::PipelineOptions::alloc()->init());
  options->setShaderReflection(MTL4::ShaderReflectionBindingInfo);
  auto descriptor = drawing(library.get());
  descriptor->setOptions(options.get());
  NS::Error* error = nullptr;
  auto state = NS::TransferPtr(archive->newRenderPipelineState(descriptor.get(), &error));
  ASSERT_TRUE(state) << text(error);
  ASSERT_TRUE(state->reflection());
  EXPECT_EQ(state->reflection()->fragmentBindings()->count(), 2u);
}

TEST_F(Archives, ChangedIncludesAreCompiledAnew) {
  auto includeValue = [&](int value) {
    std::ofstream(m_folder / "value.h") << "#define VALUE " << value << "\n";
  };
  includeValue(5);
  auto source = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  source->setSource(
      string("#include \"value.h\"\nkernel void scale(device int* data [[buffer(0)]]) { data[0] = VALUE; }"));
  source->setName(string((m_folder / "main.metal").string()));
  auto all = serializer(kBinaries);
  auto compiler = capturing(all.get());
  auto run = [&](MTL4::Archive* archive) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(compiler->newLibrary(source.get(), &error));
    EXPECT_TRUE(library) << text(error);
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    descriptor->setComputeFunctionDescriptor(function(library.get(), "scale").get());
    auto options = archive ? lookUpIn(archive) : NS::SharedPtr<MTL4::CompilerTaskOptions>();
    auto pipeline =
        NS::TransferPtr(compiler->newComputePipelineState(descriptor.get(), options.get(), &error));
    EXPECT_TRUE(pipeline) << text(error);
    auto data = sharedBuffer(std::vector<int>{0});
    auto table = argumentTable(1);
    table->setAddress(data->gpuAddress(), 0);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    return contents<int>(data.get())[0];
  };
  EXPECT_EQ(run(nullptr), 5);
  write(all.get(), m_folder / "archive");
  auto archive = open(m_folder / "archive");
  EXPECT_EQ(run(archive.get()), 5);
  includeValue(6);
  EXPECT_EQ(run(archive.get()), 6);
}

TEST_F(Archives, ScriptsDescribePipelines) {
  auto all = serializer(kDescriptors | kBinaries);
  auto compiler = capturing(all.get());
  program(compiler.get(), nullptr);
  NS::Error* error = nullptr;
  NS::Data* script = all->serializeAsPipelinesScript(&error);
  ASSERT_TRUE(script) << text(error);
  std::string json(reinterpret_cast<const char*>(script->bytes()), script->length());
  for (const char* part :
       {"\"pipelines\": [", "\"kind\": \"compute\"", "\"label\": \"times\"", "\"name\": \"scale\"",
        "\"kind\": \"render\"", "\"name\": \"corner\"", "\"pixelFormat\": 70", "\"stride\": 8"})
    EXPECT_NE(json.find(part), std::string::npos) << part << " in " << json;
  write(all.get(), m_folder / "both");
  EXPECT_TRUE(open(m_folder / "both"));
}

TEST_F(Archives, WhatIsNotCapturedCannotBeWritten) {
  NS::Error* error = nullptr;
  auto descriptors = serializer(kDescriptors);
  EXPECT_FALSE(descriptors->serializeAsArchiveAndFlushToURL(
      NS::URL::fileURLWithPath(string((m_folder / "a").string())), &error));
  EXPECT_NE(text(error).find("captures no binaries"), std::string::npos) << text(error);
  EXPECT_FALSE(fs::exists(m_folder / "a"));
  auto binaries = serializer(kBinaries);
  EXPECT_FALSE(binaries->serializeAsPipelinesScript(&error));
  EXPECT_NE(text(error).find("captures no descriptors"), std::string::npos) << text(error);
  EXPECT_FALSE(binaries->serializeAsArchiveAndFlushToURL(nullptr, &error));
  EXPECT_EQ(text(error), "The URL of the archive is null.");
  EXPECT_FALSE(binaries->serializeAsArchiveAndFlushToURL(
      NS::URL::fileURLWithPath(string("/nonexistent/folder/a")), &error));
  EXPECT_EQ(text(error), "/nonexistent/folder/a: the file could not be made: No such file or directory.");
}

TEST_F(Archives, AFileThatIsNoArchiveIsOneSentence) {
  EXPECT_EQ(openError(m_folder / "missing"),
            (m_folder / "missing").string() +
                ": the archive file could not be read: No such file or directory.");
  EXPECT_EQ(openError(m_folder), m_folder.string() + ": this is a folder, not an archive file.");
  NS::Error* error = nullptr;
  EXPECT_FALSE(m_device->newArchive(nullptr, &error));
  EXPECT_EQ(text(error), "The URL of the archive is null.");
  std::ofstream(m_folder / "text") << "MTLB or whatever this is, it is no archive";
  EXPECT_EQ(openError(m_folder / "text"),
            (m_folder / "text").string() + ": This is no archive of Basanite's.");
  std::ofstream(m_folder / "old") << "BasaniteArchive0 and what an older build writes";
  EXPECT_EQ(openError(m_folder / "old"),
            (m_folder / "old").string() +
                ": The archive was made by another build of Basanite; it must be made anew.");
}

TEST_F(Archives, DamageIsFoundWhereverItIs) {
  fs::path path = written();
  std::ifstream stream(path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  ASSERT_GT(whole.size(), 1000u);
  fs::path damaged = m_folder / "damaged";
  auto refuses = [&](const std::string& bytes, const std::string& what) {
    std::ofstream(damaged, std::ios::binary) << bytes;
    NS::Error* error = nullptr;
    auto archive =
        NS::TransferPtr(m_device->newArchive(NS::URL::fileURLWithPath(string(damaged.string())), &error));
    ASSERT_FALSE(archive) << what;
    ASSERT_EQ(text(error).find(damaged.string() + ": "), 0u) << text(error);
  };
  for (size_t size = 0; size < whole.size(); size += size < 100 ? 1 : 997)
    refuses(whole.substr(0, size), "cut to " + std::to_string(size));
  refuses(whole + "x", "a byte more");
  for (size_t at = 0; at < whole.size(); at += at < 100 ? 1 : 997) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
    refuses(bytes, "byte " + std::to_string(at));
  }
}

TEST_F(Archives, ManyThreadsCaptureTogether) {
  auto all = serializer(kBinaries | kDescriptors);
  auto compiler = capturing(all.get());
  auto library = this->library(kSource);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
      for (int i = 0; i < 3; ++i) {
        NS::Error* error = nullptr;
        auto state = NS::TransferPtr(
            compiler->newComputePipelineState(kernel(library.get(), 10 * t + i).get(), nullptr, &error));
        EXPECT_TRUE(state) << text(error);
      }
    });
  for (auto& thread : threads) thread.join();
  write(all.get(), m_folder / "many");
  auto archive = open(m_folder / "many");
  for (int t = 0; t < 4; ++t)
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(NS::TransferPtr(
          archive->newComputePipelineState(kernel(library.get(), 10 * t + i).get(), nullptr)));
}

// The program once more with what the archive holds: the other process of ASecondProcessCompilesNothing.
class Archived : public Archives {
  void TestBody() override {
    const char* path = std::getenv("BASANITE_TEST_ARCHIVE");
    if (!path) return program(m_compiler.get(), nullptr);
    auto archive = open(path);
    program(m_compiler.get(), lookUpIn(archive.get()).get());
  }
};

} // namespace
} // namespace basanite::tests

int main(int argumentCount, char** arguments) {
  testing::InitGoogleTest(&argumentCount, arguments);
  if (basanite::tests::scenarioName() == "archived") {
    testing::RegisterTest("Archived", "Program", nullptr, nullptr, __FILE__, __LINE__,
                          []() -> basanite::tests::Archives* { return new basanite::tests::Archived; });
    testing::GTEST_FLAG(filter) = "Archived.*";
  }
  return RUN_ALL_TESTS();
}
