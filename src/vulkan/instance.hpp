// SPDX-License-Identifier: Apache-2.0
// The process's one VkInstance: finds the Vulkan loader, and with BASANITE_VALIDATION=1 the Khronos
// validation layer.
#pragma once

#include "src/base/result.hpp"
#include "src/vulkan/vulkan_api.hpp"

#include <memory>
#include <vector>

namespace basanite::vulkan {

class Instance {
 public:
  // Opened on first use and kept for the life of the process; thread-safe. A failure is remembered and
  // returned again. Error: no Vulkan loader, no driver, or BASANITE_VALIDATION set and no layer, each with
  // what to install.
  static base::Result<Instance*> get();

  VkInstance vkInstance() const { return m_vkInstance; }
  bool validation() const { return m_validation; }
  // VK_EXT_debug_utils is on: objects can be named and commands labelled.
  bool debugUtils() const { return m_debugUtils; }

  // All devices of at least Vulkan 1.0, in the driver's order.
  base::Result<std::vector<VkPhysicalDevice>> enumerate() const;

 private:
  static base::Result<Instance*> create();
  VkInstance m_vkInstance = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
  bool m_validation = false;
  bool m_debugUtils = false;
};

} // namespace basanite::vulkan
