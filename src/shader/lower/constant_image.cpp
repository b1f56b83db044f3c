// SPDX-License-Identifier: Apache-2.0
// Implementation of constant_image.hpp.
#include "src/shader/lower/constant_image.hpp"

#include <llvm/IR/DerivedTypes.h>

#include <algorithm>

namespace basanite::shader::lower {

namespace {

bool write(const llvm::DataLayout& layout, llvm::Constant* constant, uint64_t at, std::vector<uint8_t>& image) {
  if (constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant)) return true;
  llvm::Type* type = constant->getType();
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i)
      if (!write(layout, constant->getAggregateElement(i), at + places->getElementOffset(i).getFixedValue(), image)) return false;
    return true;
  }
  auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  if (array || vector) {
    uint64_t count = array ? array->getNumElements() : vector->getNumElements();
    uint64_t stride = array ? layout.getTypeAllocSize(array->getElementType()).getFixedValue()
                            : layout.getTypeStoreSize(vector->getElementType()).getFixedValue();
    for (uint64_t i = 0; i < count; ++i)
      if (!write(layout, constant->getAggregateElement(static_cast<unsigned>(i)), at + i * stride, image)) return false;
    return true;
  }
  llvm::APInt bits;
  if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(constant)) bits = number->getValue();
  else if (auto* floating = llvm::dyn_cast<llvm::ConstantFP>(constant)) bits = floating->getValueAPF().bitcastToAPInt();
  else return false;
  for (unsigned i = 0; i < (bits.getBitWidth() + 7) / 8; ++i)
    image[at + i] = static_cast<uint8_t>(bits.extractBitsAsZExtValue(std::min(8u, bits.getBitWidth() - i * 8), i * 8));
  return true;
}

} // namespace

std::optional<std::vector<uint8_t>> constantImage(const llvm::DataLayout& layout, llvm::Constant* constant) {
  std::vector<uint8_t> image(layout.getTypeAllocSize(constant->getType()).getFixedValue(), 0);
  if (!write(layout, constant, 0, image)) return std::nullopt;
  return image;
}

} // namespace basanite::shader::lower
