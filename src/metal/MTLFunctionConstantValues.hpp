// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLFunctionConstantValues.hpp: values for the function constants of a shader.
#pragma once

#include "src/metal/property.hpp"
#include "src/shader/compiler.hpp"

#include <Metal/MTLFunctionConstantValues.hpp>
#include <vector>

namespace basanite::metal {

struct FunctionConstantValuesFields {
  std::vector<shader::FunctionConstantValue> values; // one for each index and each name
};
class FunctionConstantValues final
    : public PropertyBag<FunctionConstantValues, FunctionConstantValuesFields> {
 public:
  const char* className() const override { return "MTLFunctionConstantValues"; }

  // Takes the place of an earlier value of the same name, or of the same index where neither has a name. A
  // type that is no scalar or vector of MSL, and a null value, are reported and change nothing.
  void set(const void* value, MTL::DataType type, std::string_view name, NS::UInteger index);
};

// Bytes of a scalar or vector and from one to the next in an array; 0 for other types.
struct DataTypeSize {
  uint32_t bytes = 0;
  uint32_t stride = 0;
};
DataTypeSize sizeOf(MTL::DataType type);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::FunctionConstantValues, basanite::metal::FunctionConstantValues)
