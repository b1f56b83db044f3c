// SPDX-License-Identifier: Apache-2.0
// VulkanMemoryAllocator's implementation.
#define VMA_IMPLEMENTATION
#include "src/vulkan/vma.hpp"
