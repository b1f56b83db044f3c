// SPDX-License-Identifier: Apache-2.0
// MTL::FunctionConstantValues.
#include "src/metal/MTLFunctionConstantValues.hpp"

#include "src/metal/validation.hpp"

#include <algorithm>
#include <limits>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;

namespace basanite::metal {

DataTypeSize sizeOf(MTL::DataType type) {
  // The scalar's type; its vectors of 2, 3 and 4 follow.
  struct Scalar {
    MTL::DataType first;
    uint32_t bytes;
  };
  constexpr Scalar kScalars[] = {{MTL::DataTypeFloat, 4}, {MTL::DataTypeHalf, 2},  {MTL::DataTypeInt, 4},
                                 {MTL::DataTypeUInt, 4},  {MTL::DataTypeShort, 2}, {MTL::DataTypeUShort, 2},
                                 {MTL::DataTypeChar, 1},  {MTL::DataTypeUChar, 1}, {MTL::DataTypeBool, 1},
                                 {MTL::DataTypeLong, 8},  {MTL::DataTypeULong, 8}};
  for (const Scalar& scalar : kScalars) {
    if (type < scalar.first || type > scalar.first + 3) continue;
    uint32_t lanes = static_cast<uint32_t>(type - scalar.first) + 1;
    return {lanes * scalar.bytes, (lanes == 3 ? 4 : lanes) * scalar.bytes};
  }
  return {};
}

void FunctionConstantValues::set(const void* value, MTL::DataType type, std::string_view name,
                                 NS::UInteger index) {
  constexpr const char* kMethod = "FunctionConstantValues::setConstantValue";
  if (!value) return reportMisuse("{}: the value is null.", kMethod);
  DataTypeSize size = sizeOf(type);
  if (size.bytes == 0)
    return reportMisuse("{}: the data type {} is no scalar or vector that a function constant can have.",
                        kMethod, static_cast<uint64_t>(type));
  if (index > std::numeric_limits<uint32_t>::max())
    return reportMisuse("{}: the index {} is above 32 bits.", kMethod, index);
  shader::FunctionConstantValue entry;
  entry.name = name;
  entry.index = static_cast<uint32_t>(index);
  entry.type = static_cast<shader::DataType>(type);
  const auto* bytes = static_cast<const uint8_t*>(value);
  entry.bytes.assign(bytes, bytes + size.bytes);
  // The compiler lets the last one count where a name and an index mean the same constant.
  std::erase_if(values, [&](const shader::FunctionConstantValue& earlier) {
    return earlier.name == entry.name && (!entry.name.empty() || earlier.index == entry.index);
  });
  values.push_back(std::move(entry));
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::FunctionConstantValues)
void MTL::FunctionConstantValues::reset() {
  if (this) toImpl(this)->resetFields();
}
void MTL::FunctionConstantValues::setConstantValue(const void* value, MTL::DataType type,
                                                   NS::UInteger index) {
  if (this) toImpl(this)->set(value, type, {}, index);
}
void MTL::FunctionConstantValues::setConstantValue(const void* value, MTL::DataType type,
                                                   const NS::String* name) {
  if (!this) return;
  if (textOf(name).empty())
    return basanite::metal::reportMisuse("FunctionConstantValues::setConstantValue: the name is empty.");
  toImpl(this)->set(value, type, textOf(name), 0);
}
void MTL::FunctionConstantValues::setConstantValues(const void* values, MTL::DataType type, NS::Range range) {
  if (!this) return;
  if (!values)
    return basanite::metal::reportMisuse("FunctionConstantValues::setConstantValues: the array is null.");
  const auto* bytes = static_cast<const uint8_t*>(values);
  uint32_t stride = basanite::metal::sizeOf(type).stride;
  for (NS::UInteger i = 0; i < range.length; ++i) {
    toImpl(this)->set(bytes + i * stride, type, {}, range.location + i);
    if (stride == 0) return; // has been reported
  }
}
