// SPDX-License-Identifier: Apache-2.0
// Opens the Vulkan loader and makes the process's instance.
#include "src/vulkan/instance.hpp"

#include "src/base/env.hpp"
#include "src/base/log.hpp"
#include "src/vulkan/validation.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <algorithm>
#include <cstring>

namespace basanite::vulkan {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kNoDriver =
    "No Vulkan driver was found; install one, for example the package mesa-vulkan-drivers, "
    "whose lavapipe runs on the CPU where there is no GPU.";

std::vector<VkExtensionProperties> extensionsOf(const char* layer) {
  uint32_t count = 0;
  vkEnumerateInstanceExtensionProperties(layer, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data());
  extensions.resize(count);
  return extensions;
}

bool contains(const std::vector<VkExtensionProperties>& extensions, const char* name) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [&](const auto& extension) { return !std::strcmp(extension.extensionName, name); });
}

bool hasValidationLayer() {
  uint32_t count = 0;
  vkEnumerateInstanceLayerProperties(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  vkEnumerateInstanceLayerProperties(&count, layers.data());
  layers.resize(count);
  return std::any_of(layers.begin(), layers.end(),
                     [](const auto& layer) { return !std::strcmp(layer.layerName, kValidationLayer); });
}

} // namespace

base::Result<Instance*> Instance::get() {
  // Never destroyed: devices and the layer's messages may outlive every static of ours.
  static const base::Result<Instance*> instance = create();
  return instance;
}

base::Result<Instance*> Instance::create() {
  if (volkInitialize() != VK_SUCCESS)
    return base::Error{
        "No Vulkan loader (libvulkan.so.1) was found; install it, for example the package libvulkan1, and "
        "a driver, for example mesa-vulkan-drivers."};

  auto instance = std::make_unique<Instance>();
  std::vector<const char*> layers, extensionNames;
  auto extensions = extensionsOf(nullptr);

  VkValidationFeatureEnableEXT synchronization = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  VkValidationFeaturesEXT validationFeatures{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
  validationFeatures.enabledValidationFeatureCount = 1;
  validationFeatures.pEnabledValidationFeatures = &synchronization;
  VkDebugUtilsMessengerCreateInfoEXT messenger = validationMessengerInfo();

  VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
  application.pEngineName = "Basanite";
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  info.pApplicationInfo = &application;

  if (base::envFlag("BASANITE_VALIDATION")) {
    if (!hasValidationLayer())
      return base::Error{
          "BASANITE_VALIDATION is set, but the layer VK_LAYER_KHRONOS_validation is not installed; install "
          "it, for example the package vulkan-validationlayers."};
    instance->m_validation = true;
    base::logInfo("The Vulkan validation layer is on.");
    layers.push_back(kValidationLayer);
    auto layerExtensions = extensionsOf(kValidationLayer);
    if (contains(layerExtensions, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
      extensionNames.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
      validationFeatures.pNext = info.pNext;
      info.pNext = &validationFeatures;
    }
    extensions.insert(extensions.end(), layerExtensions.begin(), layerExtensions.end());
  }
  if (contains(extensions, VK_EXT_DEBUG_UTILS_EXTENSION_NAME)) {
    instance->m_debugUtils = true;
    extensionNames.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    if (instance->m_validation) {
      messenger.pNext = info.pNext;
      info.pNext = &messenger;
    }
  }
  info.enabledLayerCount = static_cast<uint32_t>(layers.size());
  info.ppEnabledLayerNames = layers.data();
  info.enabledExtensionCount = static_cast<uint32_t>(extensionNames.size());
  info.ppEnabledExtensionNames = extensionNames.data();

  VkResult result = vkCreateInstance(&info, nullptr, &instance->m_vkInstance);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) return base::Error{kNoDriver};
  if (result != VK_SUCCESS) return vulkanError("Creating the Vulkan instance", result);
  volkLoadInstanceOnly(instance->m_vkInstance);
  if (instance->m_validation && instance->m_debugUtils) {
    messenger.pNext = nullptr;
    result =
        vkCreateDebugUtilsMessengerEXT(instance->m_vkInstance, &messenger, nullptr, &instance->m_messenger);
    if (result != VK_SUCCESS) return vulkanError("Registering for validation messages", result);
  }
  return instance.release();
}

base::Result<std::vector<VkPhysicalDevice>> Instance::enumerate() const {
  uint32_t count = 0;
  VkResult result = vkEnumeratePhysicalDevices(m_vkInstance, &count, nullptr);
  if (result != VK_SUCCESS) return vulkanError("Listing the Vulkan devices", result);
  std::vector<VkPhysicalDevice> devices(count);
  result = vkEnumeratePhysicalDevices(m_vkInstance, &count, devices.data());
  if (result != VK_SUCCESS && result != VK_INCOMPLETE)
    return vulkanError("Listing the Vulkan devices", result);
  devices.resize(count);
  if (devices.empty()) return base::Error{kNoDriver};
  return devices;
}

} // namespace basanite::vulkan
