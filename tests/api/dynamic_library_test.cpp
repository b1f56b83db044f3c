// SPDX-License-Identifier: Apache-2.0
// Dynamic libraries: made, written, read, linked with programs when their pipelines are made.
#include "tests/support/metal_fixture.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace basanite::tests {
namespace {

constexpr const char* kShared = R"(#include <metal_stdlib>
using namespace metal;
namespace tools { float3 weigh(float3 v, constant float& w) { return v * w + 1; } }
static float hidden(float x) { return x * x; }
float squared(float x) { return hidden(x); }
)";
constexpr const char* kUser = R"(#include <metal_stdlib>
using namespace metal;
namespace tools { extern float3 weigh(float3 v, constant float& w); }
extern float squared(float x);
kernel void use(device packed_float3* data [[buffer(0)]], constant float& w [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  data[i] = tools::weigh(data[i], w) + squared(data[i].x); }
)";

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

class DynamicLibraries : public MetalFixture {
 protected:
  NS::SharedPtr<MTL::Library> compile(const char* source, MTL::CompileOptions* options, NS::Error** error) {
    return NS::TransferPtr(m_device->newLibrary(string(source), options, error));
  }
  NS::SharedPtr<MTL::Library> sharedLibrary(const char* source = kShared) {
    auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
    options->setLibraryType(MTL::LibraryTypeDynamic);
    options->setInstallName(string("@rpath/shared.metallib"));
    NS::Error* error = nullptr;
    auto library = compile(source, options.get(), &error);
    EXPECT_TRUE(library) << text(error);
    return library;
  }
  NS::SharedPtr<MTL::DynamicLibrary> dynamicLibrary(const char* source = kShared) {
    NS::Error* error = nullptr;
    auto library = NS::TransferPtr(m_compiler->newDynamicLibrary(sharedLibrary(source).get(), &error));
    EXPECT_TRUE(library) << text(error);
    return library;
  }
  NS::SharedPtr<MTL::Library> user(MTL::DynamicLibrary* shared, NS::Error** error) {
    auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
    options->setLibraries(NS::Array::array(shared));
    return compile(kUser, options.get(), error);
  }
  void expectUse(MTL::ComputePipelineState* pipeline) {
    auto data = sharedBuffer(std::vector<float>{1, 2, 3, 4, 5, 6});
    auto weight = sharedBuffer(std::vector<float>{10});
    auto arguments = argumentTable(2);
    arguments->setAddress(data->gpuAddress(), 0);
    arguments->setAddress(weight->gpuAddress(), 1);
    dispatch(pipeline, arguments.get(), 2);
    EXPECT_EQ(contents<float>(data.get()), (std::vector<float>{12, 22, 32, 57, 67, 77}));
  }
};

TEST_F(DynamicLibraries, AProgramCallsWhatALibraryDefines) {
  auto library = sharedLibrary();
  EXPECT_EQ(library->type(), MTL::LibraryTypeDynamic);
  EXPECT_STREQ(library->installName()->utf8String(), "@rpath/shared.metallib");
  auto shared = dynamicLibrary();
  EXPECT_STREQ(shared->installName()->utf8String(), "@rpath/shared.metallib");
  NS::Error* error = nullptr;
  auto program = user(shared.get(), &error);
  ASSERT_TRUE(program) << text(error);
  auto pipeline = computePipeline(program.get(), "use");
  ASSERT_TRUE(pipeline);
  expectUse(pipeline.get());
}

TEST_F(DynamicLibraries, FilesKeepThem) {
  auto shared = dynamicLibrary();
  auto path =
      std::filesystem::temp_directory_path() / ("basanite_dynamic_library." + std::to_string(getpid()));
  NS::URL* url = NS::URL::fileURLWithPath(string(path.string()));
  NS::Error* error = nullptr;
  ASSERT_TRUE(shared->serializeToURL(url, &error)) << text(error);
  auto read = NS::TransferPtr(m_device->newDynamicLibrary(url, &error));
  ASSERT_TRUE(read) << text(error);
  EXPECT_STREQ(read->installName()->utf8String(), "@rpath/shared.metallib");
  auto program = user(read.get(), &error);
  ASSERT_TRUE(program) << text(error);
  auto pipeline = computePipeline(program.get(), "use");
  ASSERT_TRUE(pipeline);
  expectUse(pipeline.get());
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 3);
  EXPECT_FALSE(NS::TransferPtr(m_device->newDynamicLibrary(url, &error)));
  EXPECT_EQ(text(error),
            path.string() + ": The file is no dynamic library of Basanite's: its contents are damaged.");
  std::ofstream(path) << "something else";
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newDynamicLibrary(url, &error)));
  EXPECT_EQ(text(error), path.string() + ": The file is no dynamic library of Basanite's: it begins with "
                                         "something else, or it was written by "
                                         "another version.");
  EXPECT_EQ(error->code(), NS::Integer(MTL::DynamicLibraryErrorInvalidFile));
  std::filesystem::remove(path);
}

TEST_F(DynamicLibraries, WhatIsDefinedNowhereIsNamed) {
  NS::Error* error = nullptr;
  EXPECT_FALSE(compile(kUser, nullptr, &error));
  EXPECT_NE(text(error).find("is declared and used but has no body"), std::string::npos) << text(error);
  auto other = dynamicLibrary("float unrelated(float x) { return x; }");
  EXPECT_FALSE(user(other.get(), &error));
  // Asked to wait, the error comes with the pipeline, and a library that is preloaded mends it.
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setAllowReferencingUndefinedSymbols(true);
  auto program = compile(kUser, options.get(), &error);
  ASSERT_TRUE(program) << text(error);
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(function(program.get(), "use").get());
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error)));
  EXPECT_NE(text(error).find("Kernel function \"use\": it calls \""), std::string::npos) << text(error);
  EXPECT_NE(
      text(error).find("which none of the 0 dynamic libraries that the pipeline is linked with defines."),
      std::string::npos)
      << text(error);
  auto shared = dynamicLibrary();
  auto dynamic = NS::TransferPtr(MTL4::PipelineStageDynamicLinkingDescriptor::alloc()->init());
  dynamic->setPreloadedLibraries(NS::Array::array(shared.get()));
  auto pipeline =
      NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), dynamic.get(), nullptr, &error));
  ASSERT_TRUE(pipeline) << text(error);
  expectUse(pipeline.get());
}

TEST_F(DynamicLibraries, OnlyDynamicLibrariesBecomeSome) {
  NS::Error* error = nullptr;
  auto plain = library("kernel void f() {}");
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newDynamicLibrary(plain.get(), &error)));
  EXPECT_EQ(text(error), "The library is no dynamic one: it was compiled with the libraryType Executable.");
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setLibraryType(MTL::LibraryTypeDynamic);
  EXPECT_FALSE(compile(kShared, options.get(), &error));
  EXPECT_EQ(text(error),
            "The compile options ask for the libraryType Dynamic, but their installName is empty.");
  options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setLibraries(NS::Array::array(string("a")));
  EXPECT_FALSE(compile(kShared, options.get(), &error));
  EXPECT_NE(text(error).find("Element 0 of the compile options' libraries is an "), std::string::npos)
      << text(error);
}

} // namespace
} // namespace basanite::tests
