// SPDX-License-Identifier: Apache-2.0
// BASANITE_TRACE, well-formed and not.
#include "src/trace/options.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace basanite::trace {
namespace {

std::string refusal(std::string_view text) {
  auto options = parseOptions(text);
  return options.ok() ? "" : options.error().message;
}

TEST(TraceOptions, AFileAloneIsEnough) {
  auto options = parseOptions("out/app.trace");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->path, "out/app.trace");
  EXPECT_FALSE(options->precise);
  EXPECT_EQ(options->every, Every::pass);
  EXPECT_EQ(options->firstFrame, 0u);
  EXPECT_EQ(options->lastFrame, UINT64_MAX);
}

TEST(TraceOptions, TakesAllOfThem) {
  auto options = parseOptions("a,precise,every=draw,frames=10..20");
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->precise);
  EXPECT_EQ(options->every, Every::draw);
  EXPECT_EQ(options->firstFrame, 10u);
  EXPECT_EQ(options->lastFrame, 20u);
  options = parseOptions("a,frames=7,every=pass");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->firstFrame, 7u);
  EXPECT_EQ(options->lastFrame, 7u);
}

TEST(TraceOptions, PutsInTheProcessId) {
  auto options = parseOptions("x.%p.trace");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->path, "x." + std::to_string(getpid()) + ".trace");
}

TEST(TraceOptions, SaysWhatMakesNoSense) {
  EXPECT_EQ(refusal(",precise"), "no file is named ahead of the first comma.");
  EXPECT_EQ(refusal("a,exact"),
            "there is no option 'exact'; there are: precise, every=draw, every=pass, frames=A..B.");
  EXPECT_EQ(refusal("a,"), "there is no option ''; there are: precise, every=draw, every=pass, frames=A..B.");
  for (const char* range : {"x", "1..", "..2", "1..x", "-1..2", "1...2", "", "99999999999999999999"})
    EXPECT_EQ(refusal(std::string("a,frames=") + range),
              std::string("frames=") + range +
                  " is no range of frames; frames=10..20 is one, and frames=10.");
  EXPECT_EQ(refusal("a,frames=3..2"), "frames=3..2 is an empty range of frames.");
}

} // namespace
} // namespace basanite::trace
