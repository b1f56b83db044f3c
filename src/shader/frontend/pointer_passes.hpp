// SPDX-License-Identifier: Apache-2.0
// Steps of air_passes.cpp that bring pointers into AIR's address spaces and variables out of memory.
#pragma once

#include "src/shader/frontend/air_passes.hpp"

#include <llvm/IR/PassManager.h>

namespace basanite::shader::frontend {

// AIR's numbers, and 4 for clang's generic pointers, of which none may be left at the end.
constexpr unsigned kDevice = 1, kConstant = 2, kThreadgroup = 3, kGeneric = 4;

// Program-scope constants: clang puts them into global memory (1), AIR into constant memory (2). After inlining.
void moveConstants(llvm::Module& module);

// `condition ? buffer[i] : local`: a choice between objects in different memories becomes a choice between copies.
void separateMixedChoices(llvm::Module& module);

// Generic pointers that are left are constant ones: they came out of memory. Problem: one that leads elsewhere too.
std::optional<AirProblem> retypeGenericPointers(llvm::Module& module);

// `v[i]` through a reference leaves a vector variable that is addressed by component. Where that is all, loads and stores
// of components become insertions and extractions, so that SROA can make a value of the variable.
struct ComponentAccessPass : llvm::PassInfoMixin<ComponentAccessPass> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace basanite::shader::frontend
