// SPDX-License-Identifier: Apache-2.0
// Deferred deletion: when deleters run.
#include "src/vulkan/deferred_delete.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace basanite::vulkan {
namespace {

TEST(DeferredDelete, RunsAtOnceWhenNothingIsInFlight) {
  DeferredDelete table;
  bool ran = false;
  table.push(5, 5, [&] { ran = true; });
  EXPECT_TRUE(ran);
  EXPECT_EQ(table.pendingCount(), 0u);
}

TEST(DeferredDelete, WaitsForItsSerialAndKeepsTheOrder) {
  DeferredDelete table;
  std::vector<int> ran;
  table.push(1, 0, [&] { ran.push_back(1); });
  table.push(3, 0, [&] { ran.push_back(3); });
  table.push(2, 0, [&] { ran.push_back(2); }); // arrives late
  EXPECT_EQ(table.collect(0), 0u);
  EXPECT_EQ(table.collect(1), 1u);
  EXPECT_EQ(table.collect(2), 1u);
  EXPECT_EQ(table.pendingCount(), 1u);
  EXPECT_EQ(table.collect(3), 1u);
  EXPECT_EQ(ran, (std::vector<int>{1, 2, 3}));
}

TEST(DeferredDelete, ADeleterMayReleaseMore) {
  DeferredDelete table;
  bool inner = false;
  table.push(1, 0, [&] { table.push(2, 1, [&] { inner = true; }); });
  EXPECT_EQ(table.collect(1), 1u);
  EXPECT_FALSE(inner);
  EXPECT_EQ(table.collect(2), 1u);
  EXPECT_TRUE(inner);
}

} // namespace
} // namespace basanite::vulkan
