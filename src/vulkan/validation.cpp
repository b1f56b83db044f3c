// SPDX-License-Identifier: Apache-2.0
// Counts and prints what the validation layer says.
#include "src/vulkan/validation.hpp"

#include "src/base/env.hpp"
#include "src/base/log.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace basanite::vulkan {
namespace {

std::atomic<uint64_t> g_messageCount{0};
std::mutex g_lastMutex;
std::string g_lastMessage;

// Debian 12's layer is 1.3.239, older than VK_KHR_dynamic_rendering_local_read.
constexpr ValidationFilter kFilters[] = {
    {"VUID_Undefined", "Device Extension VK_KHR_dynamic_rendering_local_read is not supported by this layer",
     "layer 1.3.239 is older than the extension"},
    {"VUID-VkDeviceCreateInfo-pNext-pNext", "unknown VkStructureType (1000232000)",
     "layer 1.3.239 does not know the extension's feature structure"},
    {"UNASSIGNED-CoreValidation-DrawState-InvalidImageLayout", "For optimal performance",
     "advice, not an error: every image stays in GENERAL (src/vulkan/image.hpp says why)"},
    {"VUID-vkCmdPipelineBarrier2-None-06191", "a dynamic render pass instance is active",
     "the extension allows what this older rule forbids: a barrier inside dynamic rendering"},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06061",
     "renderPass = VK_NULL_HANDLE, but fragment shader includes InputAttachment capability",
     "the extension allows what this older rule forbids: input attachments in dynamic rendering"},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06482", "renderpass must not be VK_NULL_HANDLE",
     "the same for attachment access in rasterization order"},
    {"VUID-VkGraphicsPipelineCreateInfo-pNext-pNext", "unknown VkStructureType (1000232001)",
     "layer 1.3.239 does not know the extension's attachment locations"},
    {"VUID-VkGraphicsPipelineCreateInfo-pNext-pNext", "unknown VkStructureType (1000232002)",
     "layer 1.3.239 does not know the extension's input attachment indices"},
};

bool filtered(const char* messageId, const char* message) {
  for (const ValidationFilter& filter : kFilters)
    if (messageId && !std::strcmp(messageId, filter.messageId) && std::strstr(message, filter.contains))
      return true;
  return false;
}

VKAPI_ATTR VkBool32 VKAPI_CALL onMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                         VkDebugUtilsMessageTypeFlagsEXT type,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
  if (filtered(data->pMessageIdName, data->pMessage)) return VK_FALSE;
  g_messageCount.fetch_add(1, std::memory_order_relaxed);
  {
    std::lock_guard lock(g_lastMutex);
    g_lastMessage = data->pMessage;
  }
  auto level = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT ? base::LogLevel::error
                                                                         : base::LogLevel::warning;
  base::logMessage(level, fmt::format("Vulkan validation [{}]: {}",
                                      data->pMessageIdName ? data->pMessageIdName : "no id", data->pMessage));
  static const bool abortOnMessage = base::envText("BASANITE_VALIDATION") == "abort";
  if (abortOnMessage) std::abort();
  return VK_FALSE;
}

} // namespace

uint64_t validationMessageCount() { return g_messageCount.load(std::memory_order_relaxed); }

std::string lastValidationMessage() {
  std::lock_guard lock(g_lastMutex);
  return g_lastMessage;
}

std::span<const ValidationFilter> validationFilters() { return kFilters; }

VkDebugUtilsMessengerCreateInfoEXT validationMessengerInfo() {
  VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  info.pfnUserCallback = onMessage;
  return info;
}

} // namespace basanite::vulkan
