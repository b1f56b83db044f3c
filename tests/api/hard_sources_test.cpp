// SPDX-License-Identifier: Apache-2.0
// Sources that want to take the process down: each ends in an NS::Error, and the next library compiles. Many
// compiles, one after the other and at once.
#include "tests/support/metal_fixture.hpp"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <malloc.h>
#include <pthread.h>
#include <thread>
#include <unistd.h>

namespace basanite::tests {
namespace {

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

std::string times(const std::string& text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string kernelOf(const std::string& body) {
  return "kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]]) { " + body + " }";
}

// BASANITE_TEST_LONG=1 asks for the sizes that a continuous run has no time for.
bool longRun() {
  const char* set = std::getenv("BASANITE_TEST_LONG");
  return set && *set == '1';
}

class HardSources : public MetalFixture {
 protected:
  NS::SharedPtr<MTL::Library> compile(const std::string& source, NS::Error** error,
                                      const std::string& name = {}) {
    auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
    descriptor->setSource(string(source));
    if (!name.empty()) descriptor->setName(string(name));
    return NS::TransferPtr(m_compiler->newLibrary(descriptor.get(), error));
  }
  // The error of a source that does not compile; another one compiles right after it.
  std::string errorOf(const std::string& source, const std::string& name = {}) {
    NS::Error* error = nullptr;
    EXPECT_FALSE(compile(source, &error, name));
    EXPECT_TRUE(error);
    const std::string message = text(error);
    EXPECT_TRUE(compile(kernelOf("o[i] = 1;"), &error)) << text(error);
    return message;
  }
};

constexpr const char* kTooDeep = "operators, calls or statements are nested or chained more than 8192 deep";

TEST_F(HardSources, EndlessChainsAndNestsAreErrors) {
  struct Row {
    const char* name;
    std::string source;
    const char* error;
  };
  const size_t deep = 20000;
  const Row rows[] = {
      {"brackets", kernelOf("o[0] = " + times("(", deep) + "1" + times(")", deep) + ";"),
       "bracket nesting level exceeded"},
      {"blocks", kernelOf(times("{", deep) + times("}", deep)), "bracket nesting level exceeded"},
      {"signs", kernelOf("o[0] = " + times("- ", deep) + "1;"), kTooDeep},
      {"negations", kernelOf("o[0] = " + times("!", deep) + "i;"), kTooDeep},
      {"assignments", kernelOf("float x; o[0] = " + times("x = ", deep) + "1;"), kTooDeep},
      {"conditions", kernelOf("o[0] = " + times("i ? 2 : ", deep) + "1;"), kTooDeep},
      {"commas", kernelOf("o[0] = (" + times("i, ", deep) + "1);"), kTooDeep},
      {"template arguments",
       "template <class T> struct W {};\n" + kernelOf(times("W<", deep) + "int" + times(">", deep) + " x;"),
       kTooDeep},
      {"pointers", "typedef float" + times("*", deep) + " T;", kTooDeep},
      {"calls",
       "struct S { thread S& m() { return *this; } };\n" + kernelOf("S s; s" + times(".m()", deep) + ";"),
       kTooDeep},
      {"loops", kernelOf(times("for (;;) ", deep) + "o[0] = 1;"), kTooDeep},
      {"macros",
       [] {
         std::string text = "#define A0 1\n";
         for (int n = 1; n < 30; ++n)
           text += "#define A" + std::to_string(n) + " A" + std::to_string(n - 1) + " + A" +
                   std::to_string(n - 1) + "\n";
         return text + kernelOf("o[0] = A29;");
       }(),
       kTooDeep},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    std::string message = errorOf(row.source);
    EXPECT_NE(message.find(row.error), std::string::npos) << message.substr(0, 2000);
  }
}

TEST_F(HardSources, LongListsAreNoChains) {
  NS::Error* error = nullptr;
  EXPECT_TRUE(
      compile("constant int t[] = {" + times("-1, ", 20000) + "};\n" + kernelOf("o[i] = t[i];"), &error))
      << text(error);
  EXPECT_TRUE(compile(kernelOf(times("o[i] += 1; ", 3000)), &error)) << text(error).substr(0, 1000);
  EXPECT_TRUE(compile(kernelOf("o[0] = i" + times(" + i", 1000) + ";"), &error))
      << text(error).substr(0, 1000);
}

TEST_F(HardSources, EndlessRecursionIsAnError) {
  EXPECT_NE(errorOf("template <int N> struct F { static constant int v = F<N + 1>::v; };\n" +
                    kernelOf("o[0] = F<0>::v;"))
                .find("recursive template instantiation exceeded maximum depth"),
            std::string::npos);
  EXPECT_NE(
      errorOf("constexpr int f(int n) { return f(n + 1); }\nstatic_assert(f(0) == 1, \"\");\n" + kernelOf(""))
          .find("constant expression"),
      std::string::npos);
  EXPECT_NE(
      errorOf("float f(float x) { return f(x + 1); }\n" + kernelOf("o[0] = f(1);")).find("is recursive"),
      std::string::npos);
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("basanite_hard_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "again.h") << "#include \"again.h\"\n";
  EXPECT_NE(
      errorOf("#include \"again.h\"\n", (folder / "main.metal").string()).find("#include nested too deeply"),
      std::string::npos);
  fs::remove_all(folder);
}

TEST_F(HardSources, SizesBeyondReasonAreErrors) {
  EXPECT_NE(
      errorOf(std::string(size_t(longRun() ? 100 : 33) << 20, ' ')).find("at most 33554432 can be compiled"),
      std::string::npos);
  EXPECT_NE(errorOf("constant int t[1000000000] = {1};\n" + kernelOf("o[0] = t[i];"))
                .find("'t' takes 4000000000 bytes; at most 67108864"),
            std::string::npos);
  EXPECT_NE(
      errorOf(kernelOf("int t[1000000000]; t[i] = 1; o[0] = t[i + 1];")).find("'t' takes 4000000000 bytes"),
      std::string::npos);
}

TEST_F(HardSources, WhatIsNoSourceIsAnError) {
  EXPECT_FALSE(errorOf("\x01\x02\xff\xfe{{{").empty());
  EXPECT_FALSE(errorOf("R\"(unterminated").empty());
  EXPECT_FALSE(errorOf("/* unterminated").empty());
  EXPECT_FALSE(errorOf("#if 1\n").empty());
  NS::Error* error = nullptr;
  for (const char* what : {"crash", "llvm_fatal_error", "overflow_stack", "assert", "parser_crash"})
    EXPECT_TRUE(compile(std::string("#pragma clang __debug ") + what + "\n" + kernelOf("o[i] = 1;"), &error))
        << what << text(error);
}

// A thread of an app's may have a small stack.
TEST_F(HardSources, CompileOnASmallStack) {
  std::string message = "the thread did not run";
  std::function<void()> work = [&] {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    NS::Error* error = nullptr;
    auto library =
        compile("template <int N> struct F { static constexpr int v() { return F<N - 1>::v() + 1; } };\n"
                "template <> struct F<0> { static constexpr int v() { return 0; } };\n" +
                    kernelOf("o[0] = F<300>::v() + (i" + times(" + i", 1000) + ");"),
                &error);
    message = library ? "" : text(error);
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 << 10);
  pthread_t thread;
  auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  EXPECT_EQ(message, "");
}

TEST_F(HardSources, ThreadsCompileAtOnce) {
  std::atomic<int> made{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
      for (int n = 0; n < 5; ++n) {
        NS::Error* error = nullptr;
        auto good = compile(kernelOf("o[i] = " + std::to_string(10 * t + n) + ";"), &error);
        EXPECT_TRUE(good) << text(error);
        auto bad = compile("kernel void k() { missing" + std::to_string(t) + "(); }", &error);
        EXPECT_FALSE(bad);
        EXPECT_NE(text(error).find("'missing" + std::to_string(t) + "'"), std::string::npos) << text(error);
        auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
        descriptor->setComputeFunctionDescriptor(function(good.get(), "k").get());
        made +=
            NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error)) ? 1 : 0;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(made, 20);
}

// Bytes of the process in memory.
long residentBytes() {
  malloc_trim(0);
  std::ifstream stream("/proc/self/statm");
  long total = 0, resident = 0;
  stream >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

TEST_F(HardSources, CompilingOverAndOverTakesNoMemory) {
  const int count = longRun() ? 10000 : 100;
  auto compileOnce = [&](int n) {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    NS::Error* error = nullptr;
    auto library = compile(kernelOf("o[i] = metal::sin(o[i] * " + std::to_string(n) + ");"), &error);
    ASSERT_TRUE(library) << text(error);
    ASSERT_TRUE(computePipeline(library.get(), "k"));
    ASSERT_FALSE(compile("kernel void k() { missing(); }", &error));
  };
  for (int n = 0; n < 20; ++n) compileOnce(n);
  const long before = residentBytes();
  for (int n = 0; n < count; ++n) compileOnce(n);
  const long grown = residentBytes() - before;
  RecordProperty("grownKiB", int(grown / 1024));
  std::printf("%d compiles: %ld KiB more than after the first 20\n", count, grown / 1024);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LT(grown, 12 << 20);
#endif
}

} // namespace
} // namespace basanite::tests
