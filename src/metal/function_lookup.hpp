// SPDX-License-Identifier: Apache-2.0
// From a Metal 4 function descriptor to a function of a compiled program.
#pragma once

#include "src/metal/MTL4FunctionDescriptor.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/shader/compiler.hpp"

#include <memory>
#include <string>
#include <vector>

namespace basanite::metal {

struct StageLinks;

struct FoundFunction {
  std::shared_ptr<const LibraryCode> code;
  std::string name;
  shader::FunctionInfo info;
  std::vector<shader::FunctionConstantValue> constants;
  std::string calledName; // of a linked function, where it is not the library's name for it
  std::shared_ptr<const StageLinks>
      links; // of a stage's function: what it is linked with (stage_links.hpp); null: nothing

  const std::string& shownName() const { return calledName.empty() ? name : calledName; }
  // Without its program and what it is linked with, which is there once somebody has to have it
  // (pipeline_code.hpp).
  shader::FunctionRef ref() const { return {nullptr, name, constants, nullptr, calledName}; }
};

// Error: a descriptor that names no library or function, a base MTL4::FunctionDescriptor, which names
// nothing, a function of another stage, or an unknown name with the names that exist.
base::Result<FoundFunction> findFunction(const MTL4::FunctionDescriptor* descriptor, shader::Stage stage);
base::Result<FoundFunction> findFunction(const Library& library, std::string_view name, shader::Stage stage);
// Of whatever stage the function is.
base::Result<FoundFunction> findFunction(const Library& library, std::string_view name);
// The function constants that the function depends on. Error: what the compiler says of the program.
base::Result<std::vector<shader::FunctionConstantInfo>> functionConstantsOf(const FoundFunction& function);

} // namespace basanite::metal
