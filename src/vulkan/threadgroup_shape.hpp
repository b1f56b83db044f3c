// SPDX-License-Identifier: Apache-2.0
// The shape of a threadgroup, which Metal states at the dispatch or draw and Vulkan wants in the pipeline.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

namespace basanite::vulkan {

struct LocalSize {
  uint32_t x = 1, y = 1, z = 1;
  auto operator<=>(const LocalSize&) const = default;
};

// The byte length of the dynamic [[threadgroup(index)]] argument.
struct ThreadgroupLength {
  uint32_t index = 0;
  uint32_t bytes = 0;
  auto operator<=>(const ThreadgroupLength&) const = default;
};

// The specialization constants of src/base/shader_abi.hpp for a shape. Not copied: info() points into it.
class ShapeConstants {
 public:
  // `lengths` in ascending index order.
  ShapeConstants(LocalSize size, std::span<const ThreadgroupLength> lengths);
  ShapeConstants(const ShapeConstants&) = delete;
  ShapeConstants& operator=(const ShapeConstants&) = delete;
  const VkSpecializationInfo* info() const { return &m_info; }

 private:
  std::vector<uint32_t> m_values;
  std::vector<VkSpecializationMapEntry> m_entries;
  VkSpecializationInfo m_info{};
};

} // namespace basanite::vulkan
