// SPDX-License-Identifier: Apache-2.0
// IR types of the leaves of interface structures, and reading them from memory.
#pragma once

#include "src/shader/frontend/entry.hpp"

#include <llvm/IR/IRBuilder.h>
#include <string>

namespace basanite::shader::frontend {

// Memory holds booleans as bytes.
llvm::Type* interfaceType(llvm::LLVMContext& context, const ValueType& type, bool inMemory = false);
llvm::Type* leafType(llvm::LLVMContext& context, const Leaf& leaf, bool inMemory = false);
llvm::Align memoryAlign(const ValueType& type);

llvm::Value* offsetBy(llvm::IRBuilder<>& builder, llvm::Value* base, uint64_t offset);
// The value of `leaf` in the structure at `base`.
llvm::Value* loadLeaf(llvm::IRBuilder<>& builder, const Leaf& leaf, llvm::Value* base);

// The name of a type in an intrinsic's suffix: i32, v4f16.
std::string suffixOf(llvm::Type* type);

} // namespace basanite::shader::frontend
