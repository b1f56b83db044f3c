// SPDX-License-Identifier: Apache-2.0
// VkResult to sentence.
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

struct ResultText {
  VkResult result;
  const char* name;
  const char* words;
};

constexpr ResultText kResults[] = {
    {VK_SUCCESS, "VK_SUCCESS", "no error"},
    {VK_NOT_READY, "VK_NOT_READY", "the result is not ready yet"},
    {VK_TIMEOUT, "VK_TIMEOUT", "the time ran out"},
    {VK_INCOMPLETE, "VK_INCOMPLETE", "the list changed while it was read"},
    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY", "out of host memory"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY", "out of device memory"},
    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", "the driver could not be initialised"},
    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST", "the device was lost"},
    {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED", "memory could not be mapped"},
    {VK_ERROR_LAYER_NOT_PRESENT, "VK_ERROR_LAYER_NOT_PRESENT", "a layer is not installed"},
    {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT", "an extension is not supported"},
    {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", "a feature is not supported"},
    {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER", "there is no compatible driver"},
    {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", "there are too many objects of this kind"},
    {VK_ERROR_FORMAT_NOT_SUPPORTED, "VK_ERROR_FORMAT_NOT_SUPPORTED",
     "the device does not support the format"},
    {VK_ERROR_FRAGMENTED_POOL, "VK_ERROR_FRAGMENTED_POOL", "the pool is fragmented"},
    {VK_ERROR_OUT_OF_POOL_MEMORY, "VK_ERROR_OUT_OF_POOL_MEMORY", "the pool is full"},
    {VK_ERROR_FRAGMENTATION, "VK_ERROR_FRAGMENTATION", "the memory is fragmented"},
    {VK_ERROR_INVALID_EXTERNAL_HANDLE, "VK_ERROR_INVALID_EXTERNAL_HANDLE",
     "the external handle is not valid"},
    {VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS, "VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS",
     "the address is taken"},
    {VK_ERROR_SURFACE_LOST_KHR, "VK_ERROR_SURFACE_LOST_KHR", "the surface was lost"},
    {VK_ERROR_NATIVE_WINDOW_IN_USE_KHR, "VK_ERROR_NATIVE_WINDOW_IN_USE_KHR", "the window is in use"},
    {VK_SUBOPTIMAL_KHR, "VK_SUBOPTIMAL_KHR", "the swapchain no longer matches its surface exactly"},
    {VK_ERROR_OUT_OF_DATE_KHR, "VK_ERROR_OUT_OF_DATE_KHR", "the swapchain no longer matches its surface"},
    {VK_ERROR_INVALID_SHADER_NV, "VK_ERROR_INVALID_SHADER_NV", "the driver rejected the shader"},
    {VK_PIPELINE_COMPILE_REQUIRED, "VK_PIPELINE_COMPILE_REQUIRED", "the pipeline is not in the cache"},
    {VK_ERROR_UNKNOWN, "VK_ERROR_UNKNOWN", "the driver gives no reason"},
};

const ResultText* find(VkResult result) {
  for (const ResultText& row : kResults)
    if (row.result == result) return &row;
  return nullptr;
}

} // namespace

const char* resultName(VkResult result) {
  const ResultText* row = find(result);
  return row ? row->name : "unlisted VkResult";
}

base::Error vulkanError(std::string_view what, VkResult result) {
  if (const ResultText* row = find(result))
    return base::Error{fmt::format("{} failed: {} ({}).", what, row->words, row->name)};
  return base::Error{fmt::format("{} failed: VkResult {}.", what, static_cast<int>(result))};
}

} // namespace basanite::vulkan
