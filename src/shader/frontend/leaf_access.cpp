// SPDX-License-Identifier: Apache-2.0
// Implementation of leaf_access.hpp.
#include "src/shader/frontend/leaf_access.hpp"

#include <fmt/format.h>

namespace basanite::shader::frontend {

namespace {

llvm::Type* scalarType(llvm::LLVMContext& context, const ValueType& type, bool inMemory) {
  if (type.kind == ScalarKind::floating)
    return type.bits == 16 ? llvm::Type::getHalfTy(context) : llvm::Type::getFloatTy(context);
  if (type.kind == ScalarKind::boolean)
    return inMemory ? llvm::Type::getInt8Ty(context) : llvm::Type::getInt1Ty(context);
  return llvm::Type::getIntNTy(context, type.bits);
}

} // namespace

llvm::Type* interfaceType(llvm::LLVMContext& context, const ValueType& type, bool inMemory) {
  llvm::Type* scalar = scalarType(context, type, inMemory);
  return type.lanes == 1 ? scalar : static_cast<llvm::Type*>(llvm::FixedVectorType::get(scalar, type.lanes));
}

llvm::Type* leafType(llvm::LLVMContext& context, const Leaf& leaf, bool inMemory) {
  if (leaf.interpolant) return llvm::PointerType::get(context, 1);
  llvm::Type* type = interfaceType(context, leaf.type, inMemory);
  return leaf.arrayLength ? static_cast<llvm::Type*>(llvm::ArrayType::get(type, leaf.arrayLength)) : type;
}

// Packed vectors have the alignment of their component.
llvm::Align memoryAlign(const ValueType& type) {
  unsigned bytes = type.bits / 8;
  if (type.name.rfind("packed_", 0) == 0 || type.lanes == 1) return llvm::Align(bytes);
  return llvm::Align(bytes * (type.lanes == 3 ? 4 : type.lanes));
}

llvm::Value* offsetBy(llvm::IRBuilder<>& builder, llvm::Value* base, uint64_t offset) {
  return offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset) : base;
}

llvm::Value* loadLeaf(llvm::IRBuilder<>& builder, const Leaf& leaf, llvm::Value* base) {
  llvm::LLVMContext& context = builder.getContext();
  if (leaf.arrayLength) {
    llvm::Value* array = llvm::PoisonValue::get(leafType(context, leaf));
    for (unsigned i = 0; i < leaf.arrayLength; ++i) {
      Leaf element = leaf;
      element.arrayLength = 0;
      element.offset = leaf.offset + i * uint64_t(leaf.type.bits / 8) * leaf.type.lanes;
      array = builder.CreateInsertValue(array, loadLeaf(builder, element, base), i);
    }
    return array;
  }
  llvm::Type* memory = interfaceType(context, leaf.type, true);
  llvm::Value* value =
      builder.CreateAlignedLoad(memory, offsetBy(builder, base, leaf.offset), memoryAlign(leaf.type));
  llvm::Type* type = interfaceType(context, leaf.type);
  return type == memory ? value : builder.CreateTrunc(value, type);
}

std::string suffixOf(llvm::Type* type) {
  llvm::Type* scalar = type->getScalarType();
  std::string name = fmt::format("{}{}", scalar->isIntegerTy() ? "i" : "f", scalar->getScalarSizeInBits());
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? fmt::format("v{}{}", vector->getNumElements(), name) : name;
}

} // namespace basanite::shader::frontend
