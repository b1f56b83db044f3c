// SPDX-License-Identifier: Apache-2.0
// MTL::CompileOptions: what each option does to a library, and the warnings of one that compiled.
#include "tests/support/metal_fixture.hpp"

#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>

namespace basanite::tests {
namespace {

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

class CompileOptions : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    m_options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  }

  NS::SharedPtr<MTL::Library> compile(const char* source, NS::Error** error) {
    auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
    descriptor->setSource(string(source));
    descriptor->setOptions(m_options.get());
    return NS::TransferPtr(m_compiler->newLibrary(descriptor.get(), error));
  }

  // out of the kernel "f" of one thread, which reads `in`.
  std::vector<float> run(const char* source, const std::vector<float>& in, size_t count) {
    NS::Error* error = nullptr;
    auto library = compile(source, &error);
    EXPECT_TRUE(library) << text(error);
    std::vector<float> out(count, -1);
    if (!library) return out;
    auto pipeline = computePipeline(library.get(), "f");
    auto input = sharedBuffer(in);
    auto output = sharedBuffer(out);
    auto table = argumentTable(2);
    table->setAddress(input->gpuAddress(), 0);
    table->setAddress(output->gpuAddress(), 1);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    return contents<float>(output.get());
  }

  NS::SharedPtr<MTL::CompileOptions> m_options;
};

TEST_F(CompileOptions, MathModeSaysWhatArithmeticMayAssume) {
  constexpr const char* source =
      R"(kernel void f(const device float* in [[buffer(0)]], device float* out [[buffer(1)]]) {
    out[0] = (in[0] + in[1]) - in[0];
    out[1] = in[2] == in[2] ? 1 : 2;
  })";
  const std::vector<float> in = {1e8f, 1, std::nanf("")};
  EXPECT_EQ(m_options->mathMode(), MTL::MathModeFast);
  EXPECT_EQ(run(source, in, 2), (std::vector<float>{1, 1}));
  m_options->setMathMode(MTL::MathModeRelaxed);
  EXPECT_EQ(run(source, in, 2), (std::vector<float>{1, 2}));
  m_options->setMathMode(MTL::MathModeSafe);
  EXPECT_EQ(run(source, in, 2), (std::vector<float>{0, 2}));
}

TEST_F(CompileOptions, OfFunctionsOnlyFastMathModeForgetsNan) {
  constexpr const char* source =
      R"(kernel void f(const device float* in [[buffer(0)]], device float* out [[buffer(1)]]) {
    out[0] = metal::fmin(in[0], 3.0f);
    out[1] = metal::clamp(in[1], 0.0f, 1.0f);
    out[2] = metal::sin(in[1]);
  })";
  EXPECT_EQ(m_options->mathFloatingPointFunctions(), MTL::MathFloatingPointFunctionsFast);
  for (auto functions : {MTL::MathFloatingPointFunctionsFast, MTL::MathFloatingPointFunctionsPrecise}) {
    m_options->setMathMode(MTL::MathModeRelaxed);
    m_options->setMathFloatingPointFunctions(functions);
    auto out = run(source, {std::nanf(""), 2}, 3);
    EXPECT_EQ(out[0], 3);
    EXPECT_EQ(out[1], 1);
    EXPECT_NEAR(out[2], std::sin(2.0f), 1e-5f);
  }
}

TEST_F(CompileOptions, FastMathEnabledIsBothAtOnce) {
  EXPECT_TRUE(m_options->fastMathEnabled());
  m_options->setFastMathEnabled(false);
  EXPECT_EQ(m_options->mathMode(), MTL::MathModeSafe);
  EXPECT_EQ(m_options->mathFloatingPointFunctions(), MTL::MathFloatingPointFunctionsPrecise);
  m_options->setFastMathEnabled(true);
  EXPECT_EQ(m_options->mathMode(), MTL::MathModeFast);
  EXPECT_EQ(m_options->mathFloatingPointFunctions(), MTL::MathFloatingPointFunctionsFast);
}

TEST_F(CompileOptions, MacrosAndLanguageVersionReachThePreprocessor) {
  const NS::Object* names[] = {string("FACTOR"), string("NAME")};
  const NS::Object* values[] = {NS::Number::number(7), string("(FACTOR + 1)")};
  m_options->setPreprocessorMacros(NS::Dictionary::dictionary(values, names, 2));
  m_options->setLanguageVersion(MTL::LanguageVersion3_1);
  EXPECT_EQ(run(R"(kernel void f(const device float* in [[buffer(0)]], device float* out [[buffer(1)]]) {
    out[0] = FACTOR * in[0]; out[1] = NAME; out[2] = __METAL_VERSION__;
#ifdef __FAST_MATH__
    out[3] = 1;
#else
    out[3] = 0;
#endif
  })",
                {3}, 4),
            (std::vector<float>{21, 8, 310, 1}));
}

TEST_F(CompileOptions, AValueWithoutMeaningIsAnError) {
  constexpr const char* source = "kernel void f() {}";
  NS::Error* error = nullptr;
  m_options->setLanguageVersion(static_cast<MTL::LanguageVersion>(0x20007));
  EXPECT_FALSE(compile(source, &error));
  EXPECT_EQ(text(error), "languageVersion is 2.7 (0x20007), which is no LanguageVersion (1.0 to 4.1).");
  m_options->setLanguageVersion(MTL::LanguageVersion4_0);
  m_options->setMathMode(static_cast<MTL::MathMode>(3));
  EXPECT_FALSE(compile(source, &error));
  EXPECT_EQ(text(error), "mathMode is 3, which is no MathMode (0 to 2).");
  m_options->setMathMode(MTL::MathModeFast);
  m_options->setMaxTotalThreadsPerThreadgroup(NS::UInteger(1) << 32);
  EXPECT_FALSE(compile(source, &error));
  EXPECT_EQ(text(error), "maxTotalThreadsPerThreadgroup is 4294967296, above 4294967295.");
}

TEST_F(CompileOptions, WhatIsNotSupportedIsRefusedByName) {
  constexpr const char* source = "kernel void f() {}";
  NS::Error* error = nullptr;
  auto refused = [&](const char* what) {
    EXPECT_FALSE(compile(source, &error));
    EXPECT_EQ(text(error),
              std::string("The compile options ask for ") + what + ", which is not supported yet.");
    EXPECT_EQ(error ? error->code() : 0, NS::Integer(MTL::LibraryErrorUnsupported));
    m_options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  };
  m_options->setLibraryType(MTL::LibraryTypeDynamic);
  m_options->setInstallName(string("@rpath/a.metallib"));
  m_options->setCompileSymbolVisibility(MTL::CompileSymbolVisibilityHidden);
  refused("a dynamic library with the compileSymbolVisibility Hidden");
  m_options->setEnableLogging(true);
  refused("enableLogging");
  m_options->setFloatingPointConversionRoundingMode(MTL::FloatingPointConversionRoundingModeTowardZero);
  refused("the floatingPointConversionRoundingMode TowardZero");
  m_options->setRequiredThreadsPerThreadgroup(MTL::Size::Make(8, 8, 1));
  refused("requiredThreadsPerThreadgroup");
  // Their defaults may be set, and what only dynamic libraries have use for.
  m_options->setLibraryType(MTL::LibraryTypeExecutable);
  m_options->setInstallName(nullptr);
  m_options->setEnableLogging(false);
  m_options->setAllowReferencingUndefinedSymbols(true);
  m_options->setCompileSymbolVisibility(MTL::CompileSymbolVisibilityHidden);
  EXPECT_TRUE(compile(source, &error)) << text(error);
}

TEST_F(CompileOptions, ThreadLimitIsThatOfKernelsWithoutTheirOwn) {
  m_options->setMaxTotalThreadsPerThreadgroup(96);
  NS::Error* error = nullptr;
  auto library = compile(R"(kernel void plain() {}
    [[max_total_threads_per_threadgroup(32)]] kernel void own() {})",
                         &error);
  ASSERT_TRUE(library) << text(error);
  EXPECT_EQ(computePipeline(library.get(), "plain")->maxTotalThreadsPerThreadgroup(), 96u);
  EXPECT_EQ(computePipeline(library.get(), "own")->maxTotalThreadsPerThreadgroup(), 32u);
}

constexpr const char* kWarns = R"(#warning "mind the gap"
kernel void f() {})";

TEST_F(CompileOptions, WarningsComeBesideAValidLibrary) {
  NS::Error* error = nullptr;
  auto library = compile(kWarns, &error);
  ASSERT_TRUE(library);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorCompileWarning));
  EXPECT_EQ(error->domain()->utf8String(), std::string("MTLLibraryErrorDomain"));
  EXPECT_NE(text(error).find(":1:2: warning: \"mind the gap\""), std::string::npos) << text(error);
  EXPECT_TRUE(computePipeline(library.get(), "f"));

  auto older = NS::TransferPtr(m_device->newLibrary(string(kWarns), m_options.get(), &error));
  EXPECT_TRUE(older);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), NS::Integer(MTL::LibraryErrorCompileWarning));
  auto clean = NS::TransferPtr(m_device->newLibrary(string("kernel void f() {}"), m_options.get(), &error));
  EXPECT_TRUE(clean);
  EXPECT_FALSE(error);
}

TEST_F(CompileOptions, WarningsReachHandlersToo) {
  auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  descriptor->setSource(string(kWarns));
  NS::Integer code = 0;
  bool there = false;
  auto task = NS::TransferPtr(m_compiler->newLibrary(
      descriptor.get(),
      MTL::NewLibraryCompletionHandlerFunction([&](MTL::Library* library, NS::Error* error) {
        there = library != nullptr;
        code = error ? error->code() : 0;
      })));
  task->waitUntilCompleted();
  EXPECT_TRUE(there);
  EXPECT_EQ(code, NS::Integer(MTL::LibraryErrorCompileWarning));
}

} // namespace
} // namespace basanite::tests
