// SPDX-License-Identifier: Apache-2.0
// What the validation layer says: printed to standard error, counted, and filtered by exact message id only.
#pragma once

#include "src/vulkan/vulkan_api.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace basanite::vulkan {

// Messages of warning severity or above that no filter took, since the process began. Thread-safe. Tests
// compare it before and after.
uint64_t validationMessageCount();
// The newest counted message's text; empty when there was none. Thread-safe.
std::string lastValidationMessage();

// A message that is known to be wrong, and why. docs/testing.md lists the same rows.
struct ValidationFilter {
  const char* messageId; // VkDebugUtilsMessengerCallbackDataEXT::pMessageIdName, compared whole
  const char* contains;  // text that must occur in the message as well; "" = any
  const char* reason;
};
std::span<const ValidationFilter> validationFilters();

// For VkInstanceCreateInfo::pNext and vkCreateDebugUtilsMessengerEXT. BASANITE_VALIDATION=abort aborts on the
// first counted message, so that a debugger or a stack trace shows the call.
VkDebugUtilsMessengerCreateInfoEXT validationMessengerInfo();

} // namespace basanite::vulkan
