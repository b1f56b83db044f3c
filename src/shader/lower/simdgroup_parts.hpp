// SPDX-License-Identifier: Apache-2.0
// Simdgroups of 32 threads on a device whose subgroups are narrower (W threads): each invocation runs 32 / W
// threads, its "parts", one after the other between the places where threads of a simdgroup meet. Part p of
// the invocation with lane v is the simdgroup's thread p * W + v.
#pragma once

#include "src/shader/lower/lowering.hpp"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace basanite::shader::lower {

// One value for each part.
using PartValues = llvm::SmallVector<llvm::Value*, 8>;

// Functions over a simdgroup (air.simd_*), computed from those of the device's subgroups.
class GroupOperations {
 public:
  // `lane` is the invocation's own lane (i32), below `width`. Code goes where `builder` stands.
  GroupOperations(Unit& unit, llvm::IRBuilder<>& builder, llvm::Value* lane, unsigned width)
      : m_unit(unit), b(builder), m_lane(lane), m_width(width), m_parts(kSimdgroupThreads / width) {}

  // What the call of `function` gives each part; `arguments` are the call's, each with a value a part,
  // `active` says which parts take part (i1). Empty: there is no such function.
  PartValues run(llvm::Function* function, llvm::ArrayRef<PartValues> arguments, const PartValues& active);

  // Whether any part of any invocation of the subgroup is active (i1).
  llvm::Value* anyThread(const PartValues& active);
  // Whether any part of this invocation is (i1).
  llvm::Value* anyPart(const PartValues& active);

 private:
  using Combine = llvm::Value* (GroupOperations::*)(llvm::Value*, llvm::Value*);
  struct Arithmetic {
    Combine combine = nullptr;
    llvm::Constant* neutral = nullptr;
  };

  Arithmetic arithmetic(const std::string& operation, llvm::Type* type, bool isSigned);
  llvm::Value* add(llvm::Value* x, llvm::Value* y);
  llvm::Value* multiply(llvm::Value* x, llvm::Value* y);
  llvm::Value* signedMinimum(llvm::Value* x, llvm::Value* y);
  llvm::Value* signedMaximum(llvm::Value* x, llvm::Value* y);
  llvm::Value* unsignedMinimum(llvm::Value* x, llvm::Value* y);
  llvm::Value* unsignedMaximum(llvm::Value* x, llvm::Value* y);
  llvm::Value* floatMinimum(llvm::Value* x, llvm::Value* y);
  llvm::Value* floatMaximum(llvm::Value* x, llvm::Value* y);
  llvm::Value* bitAnd(llvm::Value* x, llvm::Value* y);
  llvm::Value* bitOr(llvm::Value* x, llvm::Value* y);
  llvm::Value* bitXor(llvm::Value* x, llvm::Value* y);

  // The function of the same types with another operation: "air.simd_<operation>.<rest of the name>".
  llvm::Value* call(llvm::Function* like, const std::string& operation,
                    llvm::ArrayRef<llvm::Value*> arguments);
  llvm::Value* vote(const char* operation, llvm::Value* condition);
  // Bit t is set when thread t of the simdgroup is active and its condition holds (i32).
  llvm::Value* ballot(const PartValues& condition);
  llvm::Value* threadOf(unsigned part);
  // x of the thread whose number is `thread` (i32, taken modulo 32).
  llvm::Value* fetch(llvm::Function* like, const PartValues& x, llvm::Value* thread);
  llvm::Value* fetch(llvm::Function* like, const PartValues& x, llvm::Value* lane, llvm::Value* part);

  Unit& m_unit;
  llvm::IRBuilder<>& b;
  llvm::Value* m_lane;
  unsigned m_width, m_parts;
};

} // namespace basanite::shader::lower
