// SPDX-License-Identifier: Apache-2.0
// Buffers, their addresses and contents, and transfers by the CPU.
#include "src/vulkan/address_map.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <cstring>
#include <numeric>
#include <set>

namespace basanite::vulkan::test {
namespace {

using MemoryTest = VulkanTest;

TEST_F(MemoryTest, TheAddressLeadsBackToTheBuffer) {
  auto buffer = sharedBuffer(1000);
  ASSERT_NE(buffer->gpuAddress(), 0u);
  EXPECT_EQ(buffer->gpuAddress() % 256, 0u);
  auto location = m_device->addressMap().find(buffer->gpuAddress() + 40);
  ASSERT_TRUE(location);
  EXPECT_EQ(location->buffer, buffer.get());
  EXPECT_EQ(location->vkBuffer, buffer->vkBuffer());
  EXPECT_EQ(location->offset, 40u);
  EXPECT_EQ(location->remaining, 960u);
  auto past = m_device->addressMap().find(buffer->gpuAddress() + 1000);
  EXPECT_TRUE(!past || past->buffer != buffer.get());

  uint64_t address = buffer->gpuAddress();
  buffer = nullptr;
  EXPECT_FALSE(m_device->addressMap().find(address));
}

TEST_F(MemoryTest, NewBuffersReadZero) {
  // Memory that held something before is what a fresh buffer is likely to get.
  for (int round = 0; round < 2; ++round)
    for (MemoryKind kind : {MemoryKind::shared, MemoryKind::readback, MemoryKind::deviceLocal}) {
      auto buffer = must(Buffer::create(m_device, 4096, kind));
      EXPECT_EQ(buffer->contents() != nullptr, kind != MemoryKind::deviceLocal);
      std::vector<uint8_t> bytes(4096, 0xcc);
      must(m_device->hostTransfer().readBuffer(*buffer, 0, bytes.data(), bytes.size()));
      EXPECT_EQ(std::accumulate(bytes.begin(), bytes.end(), 0u), 0u) << int(kind);
      std::memset(bytes.data(), 0xff, bytes.size());
      must(m_device->hostTransfer().uploadBuffer(*buffer, 0, bytes.data(), bytes.size()));
      std::vector<uint8_t> back(4096);
      must(m_device->hostTransfer().readBuffer(*buffer, 0, back.data(), back.size()));
      EXPECT_EQ(back, bytes) << int(kind);
    }
}

TEST_F(MemoryTest, UploadsToAPrivateBufferLandInOrder) {
  auto buffer = must(Buffer::create(m_device, 64, MemoryKind::deviceLocal));
  uint32_t first[4] = {1, 2, 3, 4}, second[2] = {7, 8};
  must(m_device->hostTransfer().uploadBuffer(*buffer, 16, first, sizeof(first)));
  must(m_device->hostTransfer().uploadBuffer(*buffer, 20, second, sizeof(second)));
  uint32_t back[16];
  must(m_device->hostTransfer().readBuffer(*buffer, 0, back, sizeof(back)));
  const uint32_t expected[16] = {0, 0, 0, 0, 1, 7, 8, 4, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(std::memcmp(back, expected, sizeof(back)), 0);
}

TEST_F(MemoryTest, PendingUploadsGoAheadOfTheNextSubmission) {
  auto source = must(Buffer::create(m_device, 16, MemoryKind::deviceLocal));
  auto target = sharedBuffer(16);
  const char text[16] = "fifteen letters";
  must(m_device->hostTransfer().uploadBuffer(*source, 0, text, sizeof(text)));
  EXPECT_GT(m_device->hostTransfer().pendingCount(), 0u);
  run([&](CommandBuffer& commands) {
    commands.copyBuffer(source->vkBuffer(), 0, target->vkBuffer(), 0, 16);
  });
  EXPECT_EQ(m_device->hostTransfer().pendingCount(), 0u);
  EXPECT_STREQ(static_cast<const char*>(target->contents()), text);
}

TEST_F(MemoryTest, WorkOnABufferThatGoesAwayIsDropped) {
  size_t before = m_device->hostTransfer().pendingCount();
  auto buffer = must(Buffer::create(m_device, 64, MemoryKind::deviceLocal));
  EXPECT_EQ(m_device->hostTransfer().pendingCount(), before + 1);
  buffer = nullptr;
  EXPECT_EQ(m_device->hostTransfer().pendingCount(), before);
}

TEST_F(MemoryTest, BadSizesAreSentences) {
  auto empty = Buffer::create(m_device, 0, MemoryKind::shared, "nothing");
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message.find("nothing"), std::string::npos);
  auto huge = Buffer::create(m_device, uint64_t(1) << 60, MemoryKind::shared, "huge");
  ASSERT_FALSE(huge.ok());
  EXPECT_NE(huge.error().message.find(std::to_string(uint64_t(1) << 60)), std::string::npos)
      << huge.error().message;
  auto buffer = sharedBuffer(16);
  char byte = 0;
  EXPECT_FALSE(m_device->hostTransfer().uploadBuffer(*buffer, 16, &byte, 1).ok());
  EXPECT_FALSE(m_device->hostTransfer().readBuffer(*buffer, 17, &byte, 0).ok());
  EXPECT_FALSE(m_device->hostTransfer().readBuffer(*buffer, UINT64_MAX, &byte, 1).ok());
}

TEST_F(MemoryTest, UploadMemoryOfAPoolIsAddressableAndRecycled) {
  auto pool = must(CommandPool::create(m_device));
  UploadSpan first = must(pool->upload(100, 16));
  UploadSpan second = must(pool->upload(100, 256));
  EXPECT_EQ(first.vkBuffer, second.vkBuffer);
  EXPECT_EQ(second.gpuAddress % 256, 0u);
  EXPECT_GE(second.offset, first.offset + 100);
  auto location = m_device->addressMap().find(second.gpuAddress);
  ASSERT_TRUE(location);
  EXPECT_EQ(location->vkBuffer, second.vkBuffer);
  EXPECT_EQ(location->offset, second.offset);

  UploadSpan large = must(pool->upload(1 << 20));
  std::memset(large.contents, 1, 1 << 20);
  UploadSpan after = must(pool->upload(1 << 17));
  EXPECT_TRUE(after.vkBuffer != large.vkBuffer || after.offset >= (1 << 20));
  uint64_t allocated = pool->allocatedSize();
  EXPECT_GE(allocated, (uint64_t(1) << 20) + (1 << 17));
  for (int round = 0; round < 3; ++round) {
    must(pool->reset());
    must(pool->upload(100, 16));
    must(pool->upload(1 << 20));
    must(pool->upload(1 << 17));
  }
  EXPECT_EQ(pool->allocatedSize(), allocated);
}

TEST_F(MemoryTest, TimesOfRecordingsHaveSlotsOfTheirOwnThatAreUsedAgain) {
  auto pool = must(CommandPool::create(m_device));
  std::vector<base::Ref<CommandBufferTimes>> held;
  std::set<std::pair<VkBuffer, uint64_t>> places;
  for (int i = 0; i < 70; ++i) {
    held.push_back(must(pool->takeTimes()));
    EXPECT_EQ(held.back()->startNs(), 0u);
    EXPECT_EQ(held.back()->endNs(), 0u);
    EXPECT_TRUE(places.insert({held.back()->buffer().vkBuffer(), held.back()->offset()}).second) << i;
  }
  const uint64_t allocated = pool->allocatedSize();
  // The GPU writes one; who takes its slot next finds zeroes. A reset of the pool leaves it alone.
  auto& written = held[40];
  const std::pair<VkBuffer, uint64_t> place{written->buffer().vkBuffer(), written->offset()};
  run([&](CommandBuffer& commands) {
    commands.fillBuffer(place.first, place.second, 16, 0x11);
    commands.barrier(VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_HOST_BIT);
  });
  must(pool->reset());
  EXPECT_EQ(written->startNs(), 0x1111111111111111u);
  EXPECT_EQ(written->endNs(), 0x1111111111111111u);
  EXPECT_EQ(held[39]->endNs(), 0u);
  EXPECT_EQ(held[41]->startNs(), 0u);
  written = nullptr;
  written = must(pool->takeTimes());
  EXPECT_EQ((std::pair{written->buffer().vkBuffer(), written->offset()}), place);
  EXPECT_EQ(written->startNs(), 0u);
  EXPECT_EQ(written->endNs(), 0u);
  EXPECT_EQ(pool->allocatedSize(), allocated);
  pool = nullptr;
  EXPECT_EQ(held[69]->startNs(), 0u) << "times outlive their pool";
}

} // namespace
} // namespace basanite::vulkan::test
