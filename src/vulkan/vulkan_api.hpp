// SPDX-License-Identifier: Apache-2.0
// The Vulkan API as this module uses it: volk's declarations, loaded at run time, never linked.
// Device functions are called through Device::fn(), a table per VkDevice; instance functions are volk's
// globals.
#pragma once

#include <volk.h>

#include "src/vulkan/vulkan_extras.hpp"
