// SPDX-License-Identifier: Apache-2.0
// Functions by descriptor: what is found, and what the refusals say.
#include "src/metal/function_lookup.hpp"

#include "src/metal/MTL4LibraryFunctionDescriptor.hpp"

#include <gtest/gtest.h>

namespace basanite::metal {
namespace {

using foundation::Retained;

class FunctionLookup : public ::testing::Test {
 protected:
  FunctionLookup() {
    shader::Program program;
    program.functions.resize(2);
    program.functions[0].name = "sky_vertex";
    program.functions[0].stage = shader::Stage::vertex;
    program.functions[1].name = "blur";
    program.functions[1].stage = shader::Stage::kernel;
    m_library = Retained<Library>::adopt(new Library(nullptr, std::make_shared<LibraryCode>("digest", std::move(program))));
  }
  base::Result<FoundFunction> find(const char* name, shader::Stage stage) {
    auto descriptor = Retained<LibraryFunctionDescriptor>::adopt(new LibraryFunctionDescriptor);
    NS::String* text = foundation::makeString(name);
    descriptor->name.set(text);
    text->release();
    descriptor->library.set(foundation::toPublic(m_library.get()));
    return findFunction(foundation::toPublic(static_cast<FunctionDescriptor4*>(descriptor.get())), stage);
  }
  Retained<Library> m_library;
};

TEST_F(FunctionLookup, FindsByName) {
  auto found = find("blur", shader::Stage::kernel);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->name, "blur");
  EXPECT_EQ(found->code, m_library->code);
}

TEST_F(FunctionLookup, ListsTheNamesThereAre) {
  auto found = find("blurr", shader::Stage::kernel);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message,
            "The library has no function \"blurr\"; its functions are: \"sky_vertex\", \"blur\".");
  EXPECT_EQ(found.error().code, static_cast<int>(MTL::LibraryErrorFunctionNotFound));
}

TEST_F(FunctionLookup, RefusesAnotherStage) {
  auto found = find("blur", shader::Stage::fragment);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message,
            "The function \"blur\" is a kernel function, but a fragment function is needed here.");
}

TEST_F(FunctionLookup, RefusesAPlainDescriptor) {
  auto plain = Retained<FunctionDescriptor4>::adopt(new FunctionDescriptor4);
  auto found = findFunction(foundation::toPublic(plain.get()), shader::Stage::vertex);
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("MTL4FunctionDescriptor"), std::string::npos) << found.error().message;
}

} // namespace
} // namespace basanite::metal
