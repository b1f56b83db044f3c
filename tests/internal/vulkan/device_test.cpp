// SPDX-License-Identifier: Apache-2.0
// Opening and choosing devices; the validation counter itself.
#include "src/vulkan/address_map.hpp"
#include "src/vulkan/validation.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace basanite::vulkan::test {
namespace {

// Sets a variable for one scope.
class ScopedEnv {
 public:
  ScopedEnv(const char* name, const std::string& value) : m_name(name) {
    if (const char* old = std::getenv(name)) m_old = old;
    setenv(name, value.c_str(), 1);
  }
  ~ScopedEnv() {
    if (m_old)
      setenv(m_name, m_old->c_str(), 1);
    else
      unsetenv(m_name);
  }

 private:
  const char* m_name;
  std::optional<std::string> m_old;
};

using DeviceTest = VulkanTest;

TEST_F(DeviceTest, OpensAndNamesItself) {
  const PhysicalDevice& physical = m_device->physical();
  EXPECT_FALSE(physical.name().empty());
  EXPECT_FALSE(physical.driverName().empty());
  EXPECT_GE(physical.properties().apiVersion, VK_API_VERSION_1_3);
  EXPECT_FALSE(physical.missingFeature().has_value());
  EXPECT_GT(m_device->limits().subgroupSize, 0u);
  EXPECT_GE(m_device->limits().maxThreadsPerThreadgroup, 128u);
  EXPECT_GE(m_device->limits().maxBufferBytes, uint64_t(1) << 27);
}

TEST_F(DeviceTest, ValidationIsOn) { EXPECT_TRUE(must(Instance::get())->validation()); }

TEST_F(DeviceTest, ChoosesByIndexAndByPartOfTheNameInAnyCase) {
  auto all = must(PhysicalDevice::all());
  ASSERT_FALSE(all.empty());
  {
    ScopedEnv env("BASANITE_DEVICE", "0");
    auto chosen = PhysicalDevice::choose();
    ASSERT_EQ(chosen.ok(), !all[0].missingFeature().has_value());
    if (chosen.ok()) {
      EXPECT_EQ(chosen.value().name(), all[0].name());
    }
  }
  std::string part = m_device->physical().name().substr(1, 4);
  for (char& c : part) c = static_cast<char>(std::toupper(c));
  ScopedEnv env("BASANITE_DEVICE", part);
  EXPECT_EQ(must(PhysicalDevice::choose()).name(), m_device->physical().name());
}

TEST_F(DeviceTest, AnUnknownDeviceNameListsThoseThatExist) {
  for (const char* wanted : {"no such device", "99"}) {
    ScopedEnv env("BASANITE_DEVICE", wanted);
    auto chosen = PhysicalDevice::choose();
    ASSERT_FALSE(chosen.ok());
    EXPECT_NE(chosen.error().message.find(wanted), std::string::npos) << chosen.error().message;
    EXPECT_NE(chosen.error().message.find(m_device->physical().name()), std::string::npos)
        << chosen.error().message;
  }
}

// A buffer of 0 bytes.
void makeMistake(Device& device) {
  VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
  info.size = 0;
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
  VkBuffer vkBuffer = VK_NULL_HANDLE;
  device.fn().vkCreateBuffer(device.vkDevice(), &info, nullptr, &vkBuffer);
  if (vkBuffer) device.fn().vkDestroyBuffer(device.vkDevice(), vkBuffer, nullptr);
}

// Its own device and program state: the mistake must be counted.
TEST(Validation, CountsAMistake) {
  auto device = must(Device::create(must(PhysicalDevice::choose())));
  uint64_t before = validationMessageCount();
  makeMistake(*device);
  EXPECT_GT(validationMessageCount(), before);
  EXPECT_NE(lastValidationMessage().find("size"), std::string::npos) << lastValidationMessage();
}

// In a process of its own, since the variable is read once.
[[noreturn]] void makeMistakeUnder(const char* validation) {
  setenv("BASANITE_VALIDATION", validation, 1);
  makeMistake(*must(Device::create(must(PhysicalDevice::choose()))));
  std::exit(0);
}

TEST(ValidationDeathTest, AbortEndsTheProcessAtTheFirstMessage) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(makeMistakeUnder("abort"), ::testing::KilledBySignal(SIGABRT),
              "Vulkan validation \\[VUID.*size");
  EXPECT_EXIT(makeMistakeUnder("1"), ::testing::ExitedWithCode(0), "Vulkan validation \\[VUID.*size");
}

// In a process of its own, since an instance is made once. Exits with 0 after printing the error.
[[noreturn]] void printWhyNoDevice(const char* variable, const char* value) {
  unsetenv("VK_DRIVER_FILES"); // it would come before VK_ICD_FILENAMES
  setenv(variable, value, 1);
  auto chosen = PhysicalDevice::choose();
  std::fputs(chosen.ok() ? "a device was found" : chosen.error().message.c_str(), stderr);
  std::exit(chosen.ok() ? 1 : 0);
}

TEST(InstanceDeathTest, WhatIsMissingIsNamed) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(printWhyNoDevice("VK_ICD_FILENAMES", "/no/such/driver.json"), ::testing::ExitedWithCode(0),
              "No Vulkan driver was found; install one.*mesa-vulkan-drivers");
  EXPECT_EXIT(printWhyNoDevice("VK_LAYER_PATH", "/no/such/folder"), ::testing::ExitedWithCode(0),
              "VK_LAYER_KHRONOS_validation is not installed.*vulkan-validationlayers");
}

TEST(Validation, EveryFilterNamesAMessageAndAReason) {
  for (const ValidationFilter& filter : validationFilters()) {
    EXPECT_GT(std::string(filter.messageId).size(), 10u);
    EXPECT_GT(std::string(filter.contains).size(), 5u) << filter.messageId << ": the id alone takes too much";
    EXPECT_GT(std::string(filter.reason).size(), 10u) << filter.messageId;
  }
}

TEST_F(DeviceTest, ASecondDeviceIsIndependent) {
  auto second = must(Device::create(m_device->physical()));
  auto buffer = must(Buffer::create(second, 256, MemoryKind::shared));
  EXPECT_TRUE(second->addressMap().find(buffer->gpuAddress()).has_value());
  EXPECT_NE(second->vkDevice(), m_device->vkDevice());
}

} // namespace
} // namespace basanite::vulkan::test
