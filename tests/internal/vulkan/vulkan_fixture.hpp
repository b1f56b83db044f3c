// SPDX-License-Identifier: Apache-2.0
// A device shared by all tests of a program, and the check that validation stayed silent.
#pragma once

#include "src/vulkan/buffer.hpp"
#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/queue.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace basanite::vulkan::test {

// The value, or a failed test and the end of the program (nothing that follows could run).
template <class T> T must(base::Result<T> result) {
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
  return std::move(result).value();
}
inline void must(base::Result<void> result) {
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    std::abort();
  }
}

// SPIR-V words of assembly text.
std::vector<uint32_t> assemble(const char* text);

class VulkanTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Records with `record`, submits and waits.
  template <class Record> void run(Record&& record) {
    auto pool = must(CommandPool::create(m_device));
    auto commands = CommandBuffer::create(m_device);
    must(commands->begin(pool));
    record(*commands);
    must(commands->end());
    Batch batch;
    commands->appendTo(batch.vkCommandBuffers);
    uint64_t serial = must(m_queue->submit(std::move(batch)));
    EXPECT_TRUE(must(m_queue->wait(serial, 60'000'000'000)));
  }
  base::Ref<ComputePipeline> kernel(const char* text, LocalSize size = {8, 1, 1});
  base::Ref<Buffer> sharedBuffer(uint64_t lengthBytes);

  base::Ref<Device> m_device;
  base::Ref<Queue> m_queue;

 private:
  uint64_t m_messagesBefore = 0;
};

} // namespace basanite::vulkan::test
