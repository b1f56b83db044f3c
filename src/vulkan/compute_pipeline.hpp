// SPDX-License-Identifier: Apache-2.0
// A kernel, and a VkPipeline of it for each local size and set of threadgroup-memory lengths that was
// dispatched.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/threadgroup_shape.hpp"

#include <cstdint>
#include <map>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

namespace basanite::vulkan {

struct ComputePipelineInfo {
  std::span<const uint32_t> spirv; // copied into a VkShaderModule
  std::string_view label;
  // Ask for this subgroup size where the device lets one choose (Metal programs assume 32); 0: the default.
  uint32_t requiredSubgroupSize = 0;
};

// Immutable but for the cache of variants. Thread-safe. Destruction is deferred.
class ComputePipeline final : public base::RefCounted {
 public:
  // Makes the variant of `expectedSize` at once, so that shader errors show here.
  static base::Result<base::Ref<ComputePipeline>> create(const base::Ref<Device>& device,
                                                         const ComputePipelineInfo& info,
                                                         LocalSize expectedSize = {32, 1, 1});

  // The pipeline for a local size; compiled on first use. `lengths` in ascending index order. Error: a size
  // above the device's limits, with both numbers.
  base::Result<VkPipeline> variant(LocalSize size, std::span<const ThreadgroupLength> lengths = {});

  size_t variantCount() const;
  const std::string& label() const { return m_label; }

 private:
  struct Key {
    LocalSize size;
    std::vector<ThreadgroupLength> lengths;
    auto operator<=>(const Key&) const = default;
  };
  explicit ComputePipeline(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~ComputePipeline() override;
  base::Result<VkPipeline> compile(const Key& key);

  base::Ref<Device> m_device;
  VkShaderModule m_vkModule = VK_NULL_HANDLE;
  std::string m_label;
  uint32_t m_requiredSubgroupSize = 0;
  mutable std::shared_mutex m_mutex;
  std::map<Key, VkPipeline> m_variants;
};

} // namespace basanite::vulkan
