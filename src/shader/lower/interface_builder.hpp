// SPDX-License-Identifier: Apache-2.0
// IR helpers shared by the passes that make the entry function's interface.
#pragma once

#include "src/shader/lower/lowering.hpp"

#include <llvm/IR/IRBuilder.h>

namespace basanite::shader::lower {

// Calls the internal function `name` of the given type, declaring it on first use. Reads are free of side effects.
llvm::Value* callInternal(Unit& unit, llvm::IRBuilder<>& builder, const std::string& name, llvm::Type* result,
                          llvm::ArrayRef<llvm::Value*> arguments, bool reads);

// The value of a new input variable; `variable.type` is its type.
llvm::Value* loadInput(Unit& unit, llvm::IRBuilder<>& builder, InterfaceVariable variable);
llvm::Value* loadBuiltIn(Unit& unit, llvm::IRBuilder<>& builder, spv::BuiltIn builtIn, llvm::Type* type);
void storeOutput(Unit& unit, llvm::IRBuilder<>& builder, InterfaceVariable variable, llvm::Value* value);
// Memory that lives outside functions and has no initial value: threadgroup variables and payloads.
llvm::GlobalVariable* declareMemory(Unit& unit, llvm::Type* type, const std::string& name, unsigned addressSpace);
// The number of an output variable, which is added when there is none at its place.
size_t declareOutput(Unit& unit, InterfaceVariable variable);
// Stores one element of an output array, or with a second index a part of one; `variable.type` is the element's type.
void storeElement(Unit& unit, llvm::IRBuilder<>& builder, InterfaceVariable variable, llvm::ArrayRef<llvm::Value*> indices,
                  llvm::Value* value);

// The type that crosses a stage boundary: 16-bit floats and small integers travel as 32 bits.
llvm::Type* interfaceType(llvm::Type* type);
// The product of the threadgroup's sizes.
llvm::Value* threadCount(Unit& unit, llvm::IRBuilder<>& builder);

// Takes the first components of `value` and widens or narrows unsigned integers (or floats) to get `type`.
// Null when there is no such conversion.
llvm::Value* adapt(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type, bool isSigned = false);

// One fetched attribute of a vertex descriptor: `address` is the byte address (i64) of the element's first byte,
// `type` the shader's type. Error: what does not fit.
base::Result<llvm::Value*> fetchVertexAttribute(Unit& unit, llvm::IRBuilder<>& builder, uint32_t format,
                                                llvm::Value* address, llvm::Type* type, const std::string& name);

} // namespace basanite::shader::lower
