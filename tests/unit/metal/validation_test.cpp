// SPDX-License-Identifier: Apache-2.0
// MTL_DEBUG_LAYER and its error modes, and the first error that a recording keeps.
#include "src/metal/validation.hpp"

#include <cstdlib>
#include <gtest/gtest.h>

namespace basanite::metal {
namespace {

class DebugLayer : public ::testing::Test {
 protected:
  void SetUp() override { set(nullptr, nullptr); }
  void TearDown() override { set(nullptr, nullptr); }
  static void set(const char* layer, const char* mode) {
    layer ? setenv("MTL_DEBUG_LAYER", layer, 1) : unsetenv("MTL_DEBUG_LAYER");
    mode ? setenv("MTL_DEBUG_LAYER_ERROR_MODE", mode, 1) : unsetenv("MTL_DEBUG_LAYER_ERROR_MODE");
    readDebugLayerSettings();
  }
};
using DebugLayerDeathTest = DebugLayer;

TEST_F(DebugLayer, ReadsItsVariables) {
  EXPECT_EQ(debugLayerMode(), ErrorMode::silent);
  set("0", "assert");
  EXPECT_EQ(debugLayerMode(), ErrorMode::silent);
  set("1", nullptr);
  EXPECT_EQ(debugLayerMode(), ErrorMode::abort);
  set("1", "nslog");
  EXPECT_EQ(debugLayerMode(), ErrorMode::print);
  set("1", "ignore");
  EXPECT_EQ(debugLayerMode(), ErrorMode::silent);
}

TEST_F(DebugLayer, KeepsTheFirstErrorOnly) {
  ErrorKeeper errors;
  EXPECT_FALSE(errors.failed());
  errors.report("index {} is past {}", 7, 4);
  errors.report("something else");
  EXPECT_TRUE(errors.failed());
  EXPECT_EQ(errors.message(), "index 7 is past 4");
  errors.clear();
  EXPECT_FALSE(errors.failed());
}

TEST_F(DebugLayerDeathTest, AbortsWithTheMessage) {
  EXPECT_DEATH(
      {
        setenv("MTL_DEBUG_LAYER", "1", 1);
        readDebugLayerSettings();
        ErrorKeeper errors;
        errors.report("index {} is past {}", 7, 4);
      },
      "index 7 is past 4");
}

} // namespace
} // namespace basanite::metal
