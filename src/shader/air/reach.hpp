// SPDX-License-Identifier: Apache-2.0
// Walks what the functions and variables of a module refer to.
#pragma once

#include "src/base/result.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <vector>

namespace llvm {
class Constant;
class GlobalObject;
class Value;
} // namespace llvm

namespace basanite::shader::air {

class Reach {
 public:
  // A value to start from; what it refers to is handed out too. Null adds nothing.
  void add(llvm::Value* value);

  // Each object that is reached, once; null at the end. The body of a function that is still in the module's
  // bitcode is read in. Error: the bitcode is damaged.
  base::Result<llvm::GlobalObject*> next();

  bool contains(const llvm::GlobalObject* object) const { return object && m_reached.contains(object); }

 private:
  llvm::SmallPtrSet<const llvm::GlobalObject*, 32> m_reached;
  llvm::SmallPtrSet<const llvm::Constant*, 32> m_seen;
  std::vector<llvm::GlobalObject*> m_work;
};

} // namespace basanite::shader::air
