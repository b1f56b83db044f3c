// SPDX-License-Identifier: Apache-2.0
// Lets programs outside the library (our API tests) see how many validation messages there were.
#include "src/vulkan/validation.hpp"

// The number of unfiltered validation messages since the process began; 0 without BASANITE_VALIDATION=1. Thread-safe.
extern "C" __attribute__((visibility("default"))) uint64_t basanite_validation_message_count() {
  return basanite::vulkan::validationMessageCount();
}
