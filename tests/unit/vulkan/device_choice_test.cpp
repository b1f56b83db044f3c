// SPDX-License-Identifier: Apache-2.0
// The choice of a device, and the sentences when none will do.
#include "src/vulkan/device_choice.hpp"

#include "src/vulkan/feature_chain.hpp"

#include <algorithm>
#include <gtest/gtest.h>

namespace basanite::vulkan {
namespace {

constexpr uint64_t kGiB = 1ull << 30;

std::vector<DeviceCandidate> machine() {
  return {{"llvmpipe (LLVM 15.0.6, 256 bits)", VK_PHYSICAL_DEVICE_TYPE_CPU, 24 * kGiB, {}},
          {"Small Discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 4 * kGiB, {}},
          {"Integrated", VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 32 * kGiB, {}},
          {"Large Discrete", VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 16 * kGiB, {}}};
}

size_t picked(const std::vector<DeviceCandidate>& candidates, std::optional<std::string> wanted = {}) {
  auto result = pickDevice(candidates, wanted);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? *result : size_t(-1);
}

TEST(DeviceChoice, PrefersDiscreteWithMostMemoryThenIntegratedThenCpu) {
  auto devices = machine();
  EXPECT_EQ(picked(devices), 3u);
  devices[3].missing = "The device \"Large Discrete\" lacks the Vulkan feature shaderInt64.";
  EXPECT_EQ(picked(devices), 1u);
  devices[1].missing = "no";
  EXPECT_EQ(picked(devices), 2u);
  devices[2].missing = "no";
  EXPECT_EQ(picked(devices), 0u);
}

TEST(DeviceChoice, TakesTheOneThatIsNamed) {
  EXPECT_EQ(picked(machine(), "0"), 0u);
  EXPECT_EQ(picked(machine(), "2"), 2u);
  EXPECT_EQ(picked(machine(), "LLVMPIPE"), 0u);
  EXPECT_EQ(picked(machine(), "small"), 1u);
  EXPECT_EQ(picked(machine(), "discrete"), 1u) << "the first that matches";
}

TEST(DeviceChoice, SaysWhatThereIsWhenNothingMatches) {
  for (const char* wanted : {"4", "voodoo", "123456789"}) {
    auto result = pickDevice(machine(), std::string(wanted));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message,
              std::string("BASANITE_DEVICE=") + wanted +
                  " matches no Vulkan device; there are: 0 \"llvmpipe (LLVM 15.0.6, 256 bits)\", 1 \"Small Discrete\", "
                  "2 \"Integrated\", 3 \"Large Discrete\".");
  }
}

TEST(DeviceChoice, NamesDeviceAndFeatureThatIsMissing) {
  auto devices = machine();
  devices[1].missing = missingFeatureSentence("Small Discrete", "bufferDeviceAddress");
  auto named = pickDevice(devices, "small");
  ASSERT_FALSE(named.ok());
  EXPECT_EQ(named.error().message, "The device \"Small Discrete\" lacks the Vulkan feature bufferDeviceAddress.");
  for (DeviceCandidate& device : devices) device.missing = missingFeatureSentence(device.name, "timelineSemaphore");
  auto none = pickDevice(devices, {});
  ASSERT_FALSE(none.ok());
  for (const char* part : {"No Vulkan device of this machine can run Metal 4 programs.",
                           "The device \"Integrated\" lacks the Vulkan feature timelineSemaphore.", "Install a newer driver"})
    EXPECT_NE(none.error().message.find(part), std::string::npos) << none.error().message;
}

TEST(DeviceChoice, EveryRequirementOfTheDesignIsAskedFor) {
  FeatureChain chain;
  std::vector<std::string> names;
  visitRequired(chain, [&](VkBool32&, const char* name) { names.push_back(name); });
  for (const char* wanted : {"bufferDeviceAddress", "descriptorIndexing", "dynamicRendering", "synchronization2",
                             "timelineSemaphore", "hostQueryReset", "shaderInt64", "scalarBlockLayout"})
    EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
}

} // namespace
} // namespace basanite::vulkan
