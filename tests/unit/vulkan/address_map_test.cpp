// SPDX-License-Identifier: Apache-2.0
// The address map: bounds, many entries, many threads.
#include "src/vulkan/address_map.hpp"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>
#include <vector>

namespace basanite::vulkan {
namespace {

VkBuffer handle(uint64_t value) { return reinterpret_cast<VkBuffer>(value); }

TEST(AddressMap, FindsTheRangeAroundAnAddress) {
  AddressMap map;
  map.insert(0x1000, 0x100, handle(1), nullptr);
  map.insert(0x1100, 0x10, handle(2), nullptr);
  map.insert(0x9000, 1, handle(3), nullptr);

  EXPECT_FALSE(map.find(0));
  EXPECT_FALSE(map.find(0xfff));
  auto first = map.find(0x1000);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->vkBuffer, handle(1));
  EXPECT_EQ(first->offset, 0u);
  EXPECT_EQ(first->remaining, 0x100u);
  auto last = map.find(0x10ff);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->offset, 0xffu);
  EXPECT_EQ(last->remaining, 1u);
  auto neighbour = map.find(0x1100);
  ASSERT_TRUE(neighbour);
  EXPECT_EQ(neighbour->vkBuffer, handle(2));
  EXPECT_FALSE(map.find(0x1110));
  EXPECT_TRUE(map.find(0x9000));
  EXPECT_FALSE(map.find(0x9001));
  EXPECT_FALSE(map.find(UINT64_MAX));

  EXPECT_EQ(map.eraseCount(), 0u);
  map.erase(0x1000);
  EXPECT_EQ(map.eraseCount(), 1u);
  EXPECT_FALSE(map.find(0x1080));
  EXPECT_EQ(map.size(), 2u);
}

TEST(AddressMap, ReachesTheEndOfTheAddressSpace) {
  AddressMap map;
  map.insert(UINT64_MAX - 15, 16, handle(1), nullptr);
  auto last = map.find(UINT64_MAX);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->offset, 15u);
}

TEST(AddressMap, HoldsAHundredThousandRanges) {
  constexpr uint64_t kCount = 100'000, kStride = 4096, kLength = 1000;
  std::vector<uint64_t> order(kCount);
  for (uint64_t i = 0; i < kCount; ++i) order[i] = i;
  std::mt19937_64 random(1);
  std::shuffle(order.begin(), order.end(), random);

  AddressMap map;
  for (uint64_t i : order) map.insert((i + 1) * kStride, kLength, handle(i + 1), nullptr);
  ASSERT_EQ(map.size(), kCount);
  for (uint64_t i = 0; i < kCount; ++i) {
    uint64_t offset = random() % kLength;
    auto found = map.find((i + 1) * kStride + offset);
    ASSERT_TRUE(found) << i;
    ASSERT_EQ(found->vkBuffer, handle(i + 1));
    ASSERT_EQ(found->offset, offset);
    ASSERT_FALSE(map.find((i + 1) * kStride + kLength + random() % (kStride - kLength)));
  }
  for (uint64_t i = 0; i < kCount; i += 2) map.erase((i + 1) * kStride);
  ASSERT_EQ(map.size(), kCount / 2);
  for (uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(map.find((i + 1) * kStride).has_value(), i % 2 == 1) << i;
}

TEST(AddressMap, ReadersAndWritersMix) {
  AddressMap map;
  map.insert(0x10, 0x10, handle(99), nullptr);
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> wrong{0};
  std::vector<std::thread> readers;
  for (int t = 0; t < 2; ++t)
    readers.emplace_back([&] {
      while (!stop) {
        auto found = map.find(0x18);
        if (!found || found->vkBuffer != handle(99)) ++wrong;
      }
    });
  for (uint64_t i = 1; i <= 2000; ++i) map.insert(i * 4096, 64, handle(i), nullptr);
  for (uint64_t i = 1; i <= 2000; ++i) map.erase(i * 4096);
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(map.size(), 1u);
}

TEST(AddressMapDeathTest, TwoBuffersAtOneAddressAreABug) {
  AddressMap map;
  map.insert(0x1000, 16, handle(1), nullptr);
  EXPECT_DEATH(map.insert(0x1000, 16, handle(2), nullptr), "same address");
  EXPECT_DEATH(map.insert(0x2000, 0, handle(2), nullptr), "not empty");
}

} // namespace
} // namespace basanite::vulkan
