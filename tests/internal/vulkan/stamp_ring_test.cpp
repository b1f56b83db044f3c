// SPDX-License-Identifier: Apache-2.0
// Places for Basanite's own stamps: all different, empty when handed out, and used again.
#include "src/vulkan/stamp_ring.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <cstring>
#include <set>
#include <utility>

namespace basanite::vulkan::test {
namespace {

class StampRingTest : public VulkanTest {};

TEST_F(StampRingTest, HandsOutEachPlaceOnce) {
  auto ring = StampRing::create(m_device);
  constexpr uint32_t kBlocks = StampRing::kMaxHeaps * StampRing::kHeapEntries / StampBlock::kEntries;
  std::vector<base::Ref<StampBlock>> blocks;
  std::set<std::pair<CounterHeap*, uint32_t>> places;
  for (uint32_t i = 0; i < kBlocks; ++i) {
    blocks.push_back(ring->take());
    ASSERT_TRUE(blocks.back()) << i;
    EXPECT_TRUE(places.emplace(&blocks.back()->heap(), blocks.back()->first()).second);
    EXPECT_LE(blocks.back()->first() + StampBlock::kEntries, blocks.back()->heap().count());
  }
  EXPECT_FALSE(ring->take());
  blocks.pop_back();
  EXPECT_TRUE(ring->take());
}

TEST_F(StampRingTest, ABlockIsEmptyWhenItIsHandedOutAgain) {
  auto ring = StampRing::create(m_device);
  auto block = ring->take();
  CounterHeap* heap = &block->heap();
  const uint32_t first = block->first();
  const uint64_t stamp = 42;
  std::memcpy(static_cast<uint64_t*>(heap->buffer().contents()) + first + 5, &stamp, sizeof(stamp));
  EXPECT_EQ(block->value(5), 42u);
  block = nullptr;
  block = ring->take();
  EXPECT_EQ(&block->heap(), heap);
  EXPECT_EQ(block->first(), first);
  EXPECT_EQ(block->value(5), 0u);
}

TEST_F(StampRingTest, OutlivesTheLastBlockOnly) {
  auto block = StampRing::create(m_device)->take();
  EXPECT_EQ(block->value(0), 0u);
}

} // namespace
} // namespace basanite::vulkan::test
