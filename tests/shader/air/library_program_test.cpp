// SPDX-License-Identifier: Apache-2.0
// Programs made of library files whose functions share a module or that no pipeline can use.
#include "src/shader/compiler.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace basanite::shader::test {
namespace {

constexpr const char* kSource = "kernel void one(device int* x [[buffer(0)]]) { x[0] = 1; }\n"
                                "kernel void two(device int* x [[buffer(0)]]) { x[0] = 2; }\n";

std::vector<uint8_t> library(const std::vector<std::string>& names) {
  Compiler* compiler = basanite_compiler_instance();
  auto program = compiler->compileSource(kSource, {});
  if (!program) {
    ADD_FAILURE() << program.error().message;
    return {};
  }
  std::vector<FunctionRef> functions;
  for (const std::string& name : names) functions.push_back({&*program, name, {}});
  auto file = compiler->writeLibrary(functions);
  if (file) return *file;
  ADD_FAILURE() << file.error().message;
  return {};
}

// The payload of a function's tag.
std::vector<uint8_t>::iterator payloadOf(std::vector<uint8_t>& file, std::string_view tag, int function) {
  auto at = file.begin();
  for (int i = 0; i <= function; ++i) at = std::search(at + (i > 0), file.end(), tag.begin(), tag.end());
  return at + 6;
}

Program programOf(const std::vector<uint8_t>& file) {
  auto program = basanite_compiler_instance()->readLibrary(file);
  if (program) return std::move(program).value();
  ADD_FAILURE() << program.error().message;
  return {};
}

TEST(LibraryProgram, FunctionsOfOneBlobShareIt) {
  std::vector<uint8_t> file = library({"one", "two"});
  Program apart = programOf(file);
  ASSERT_EQ(apart.functionAir.size(), 2u);
  EXPECT_NE(apart.functionAir[0], apart.functionAir[1]);
  std::copy_n(payloadOf(file, "HASH", 0), 32, payloadOf(file, "HASH", 1));
  std::copy_n(payloadOf(file, "MDSZ", 0), 8, payloadOf(file, "MDSZ", 1));
  std::copy_n(payloadOf(file, "OFFT", 0) + 16, 8, payloadOf(file, "OFFT", 1) + 16);
  Program program = programOf(file);
  ASSERT_EQ(program.functionAir.size(), 2u);
  EXPECT_EQ(program.functionAir[0], program.functionAir[1]);
  EXPECT_EQ(*program.functionAir[0], *apart.functionAir[0]);
  // The module's entry takes the name that the file gives it.
  for (const char* name : {"one", "two"}) {
    auto binary = basanite_compiler_instance()->lowerFunction({&program, name, {}}, {});
    EXPECT_TRUE(binary) << binary.error().message;
  }
}

TEST(LibraryProgram, WithoutAUsableFunctionSaysWhatIsThere) {
  constexpr uint8_t kIntersection = 6;
  Compiler* compiler = basanite_compiler_instance();
  std::vector<uint8_t> file = library({"one", "two"});
  for (int function : {0, 1}) *payloadOf(file, "TYPE", function) = kIntersection;
  Program program = programOf(file);
  EXPECT_TRUE(program.functions.empty());
  auto text = compiler->disassembleAir(program);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "; a library file without a function that a pipeline can use\n"
                   "; one is an intersection function, which no pipeline can use\n"
                   "; two is an intersection function, which no pipeline can use\n");
  auto binary = compiler->lowerKernel({{&program, "one", {}}, {}});
  ASSERT_FALSE(binary);
  EXPECT_NE(binary.error().message.find("There is no function named \"one\" in the library."),
            std::string::npos)
      << binary.error().message;
}

TEST(LibraryProgram, EmptyLibraryIsToldFromOneWithFunctions) {
  auto text = basanite_compiler_instance()->disassembleAir(programOf(library({})));
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text, "; a library file without a function that a pipeline can use\n");
}

} // namespace
} // namespace basanite::shader::test
