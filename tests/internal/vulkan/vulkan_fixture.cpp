// SPDX-License-Identifier: Apache-2.0
// Opens the shared device with validation on.
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include "src/vulkan/validation.hpp"

#include <cstdlib>
#include <cstring>
#include <spirv-tools/libspirv.hpp>

namespace basanite::vulkan::test {
namespace {

base::Ref<Device> g_device;

class Environment : public ::testing::Environment {
 public:
  void SetUp() override { setenv("BASANITE_VALIDATION", "1", 0); }
  void TearDown() override { g_device = nullptr; }
};
const auto* g_environment = ::testing::AddGlobalTestEnvironment(new Environment);

} // namespace

std::vector<uint32_t> assemble(const char* text) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t& at, const char* what) {
    message += std::to_string(at.line) + ": " + what + "\n";
  });
  std::vector<uint32_t> words;
  EXPECT_TRUE(tools.Assemble(text, &words)) << message;
  EXPECT_TRUE(tools.Validate(words)) << message;
  return words;
}

void VulkanTest::SetUp() {
  m_messagesBefore = validationMessageCount();
  if (!g_device) g_device = must(Device::create(must(PhysicalDevice::choose())));
  m_device = g_device;
  m_queue = must(Queue::create(m_device, "test queue"));
}

void VulkanTest::TearDown() {
  m_queue->waitIdle();
  m_queue = nullptr;
  must(m_device->waitIdle());
  EXPECT_EQ(validationMessageCount(), m_messagesBefore) << lastValidationMessage();
}

base::Ref<ComputePipeline> VulkanTest::kernel(const char* text, LocalSize size) {
  auto words = assemble(text);
  ComputePipelineInfo info;
  info.spirv = words;
  info.label = "test kernel";
  return must(ComputePipeline::create(m_device, info, size));
}

base::Ref<Buffer> VulkanTest::sharedBuffer(uint64_t lengthBytes) {
  return must(Buffer::create(m_device, lengthBytes, MemoryKind::shared, "test buffer"));
}

} // namespace basanite::vulkan::test
