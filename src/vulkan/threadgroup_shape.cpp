// SPDX-License-Identifier: Apache-2.0
// Specialization constants of a threadgroup's shape.
#include "src/vulkan/threadgroup_shape.hpp"

#include "src/base/shader_abi.hpp"

namespace basanite::vulkan {

ShapeConstants::ShapeConstants(LocalSize size, std::span<const ThreadgroupLength> lengths) {
  auto add = [&](uint32_t constant, uint32_t value) {
    m_entries.push_back(
        {constant, static_cast<uint32_t>(m_values.size() * sizeof(uint32_t)), sizeof(uint32_t)});
    m_values.push_back(value);
  };
  add(base::abi::kLocalSizeXConstant, size.x);
  add(base::abi::kLocalSizeYConstant, size.y);
  add(base::abi::kLocalSizeZConstant, size.z);
  for (const ThreadgroupLength& length : lengths)
    add(base::abi::kThreadgroupLengthConstant + length.index, length.bytes);
  m_info.mapEntryCount = static_cast<uint32_t>(m_entries.size());
  m_info.pMapEntries = m_entries.data();
  m_info.dataSize = m_values.size() * sizeof(uint32_t);
  m_info.pData = m_values.data();
}

} // namespace basanite::vulkan
