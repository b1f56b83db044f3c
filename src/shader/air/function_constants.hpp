// SPDX-License-Identifier: Apache-2.0
// The function constants that a module declares.
#pragma once

#include "src/shader/compiler.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace basanite::shader::air {

// Whether the function constant of a variable's name has a value is a constant of its own: an i8 of that name with this
// behind it.
constexpr const char* kIsDefinedSuffix = ".is_defined";

struct FunctionConstant {
  llvm::GlobalVariable* global = nullptr;
  llvm::GlobalVariable* isDefined = nullptr; // null when nothing asks
  FunctionConstantInfo info;
  std::string typeName;
};

// What Apple's compiler asks of function constants through intrinsics becomes plain code over constants:
// air.is_function_constant_defined reads the constant beside the one it names, air.normalize_function_constant_predicate is a
// comparison with zero. Error: a question about something that is no variable.
base::Result<void> spellOutFunctionConstants(llvm::Module& module);

// In the order of the module's list. A row that cannot be read is left out.
std::vector<FunctionConstant> functionConstants(llvm::Module& module);

// MTL::DataType of a scalar or vector by its name in MSL ("float4"); 0 (None) for others. And back.
DataType dataTypeNamed(std::string_view name);
std::string dataTypeName(DataType type); // "type 77" for others

} // namespace basanite::shader::air
