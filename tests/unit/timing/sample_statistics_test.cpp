// SPDX-License-Identifier: Apache-2.0
// Medians, percentiles and the rank test against values worked out elsewhere.
#include "src/timing/sample_statistics.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace basanite::timing {
namespace {

TEST(SampleStatistics, anEmptySampleIsZero) {
  const Sample none;
  EXPECT_EQ(none.median(), 0);
  EXPECT_EQ(none.percentile(95), 0);
  EXPECT_EQ(none.most(), 0);
  EXPECT_EQ(none.sum(), 0);
}

TEST(SampleStatistics, medianAndPercentilesAreOrderStatistics) {
  EXPECT_EQ(Sample({3, 1, 2}).median(), 2);
  EXPECT_EQ(Sample({4, 1, 2, 3}).median(), 2.5);
  std::vector<double> hundred;
  for (int i = 100; i > 0; --i) hundred.push_back(i);
  const Sample sample(hundred);
  EXPECT_EQ(sample.percentile(95), 95);
  EXPECT_EQ(sample.percentile(0), 1);
  EXPECT_EQ(sample.percentile(100), 100);
  EXPECT_EQ(Sample({7}).percentile(95), 7);
  EXPECT_EQ(Sample({1, 2, 3}).percentile(95), 3);
  EXPECT_EQ(sample.sum(), 5050);
}

// The worked example of a textbook table: U is 17 of 20.
TEST(SampleStatistics, rankTestGivesKnownProbabilities) {
  const Sample a({19, 22, 16, 29, 24}), b({20, 11, 17, 12});
  EXPECT_NEAR(mannWhitneyExact(a, b), 1.0 / 9, 1e-12);
  EXPECT_NEAR(mannWhitneyNormal(a, b), 0.11134688653314041, 1e-12);
  EXPECT_NEAR(mannWhitneyExact(Sample({1, 2, 3, 4, 5}), Sample({6, 7, 8, 9, 10})), 2.0 / 252, 1e-12);
  EXPECT_EQ(mannWhitney(a, Sample()), 1);
  EXPECT_EQ(mannWhitney(Sample(), b), 1);
}

// Every way to share seven to ten ranks out, counted one by one.
TEST(SampleStatistics, exactRankTestCountsEveryWayAlsoWithTies) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    const size_t n = 3 + random() % 3, m = 4 + random() % 2;
    std::vector<double> all(n + m);
    for (double& value : all) value = random() % 6;
    const auto rankSum = [&](uint32_t inA) {
      double sum = 0;
      for (size_t i = 0; i < all.size(); ++i) {
        if (!(inA >> i & 1)) continue;
        double below = 0, equal = 0;
        for (double other : all) {
          below += other < all[i];
          equal += other == all[i];
        }
        sum += below + (equal + 1) / 2;
      }
      return sum;
    };
    const double mean = static_cast<double>(n) * static_cast<double>(n + m + 1) / 2;
    const double distance = std::abs(rankSum((1u << n) - 1) - mean);
    double asFar = 0, ways = 0;
    for (uint32_t inA = 0; inA < 1u << (n + m); ++inA) {
      if (static_cast<size_t>(std::popcount(inA)) != n) continue;
      ++ways;
      asFar += std::abs(rankSum(inA) - mean) >= distance - 1e-9;
    }
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(n);
    EXPECT_NEAR(mannWhitneyExact(Sample({all.begin(), middle}), Sample({middle, all.end()})), asFar / ways,
                1e-12);
  }
}

TEST(SampleStatistics, approximationAgreesWithTheExactTestWhereTheyMeet) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise(100, 10);
  for (double shift : {0.0, 3.0, 8.0}) {
    std::vector<double> a(20), b(20);
    for (double& value : a) value = noise(random);
    for (double& value : b) value = noise(random) + shift;
    EXPECT_NEAR(mannWhitneyExact(Sample(a), Sample(b)), mannWhitneyNormal(Sample(a), Sample(b)), 0.01)
        << shift;
  }
}

// One question in a hundred is answered wrongly at a level of 1 %, and no more.
TEST(SampleStatistics, falseAlarmsAreAsRareAsTheLevelSays) {
  std::mt19937 random(13);
  std::normal_distribution<double> noise(100, 10);
  int alarms = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> a(60), b(60);
    for (double& value : a) value = noise(random);
    for (double& value : b) value = noise(random);
    alarms += mannWhitney(Sample(a), Sample(b)) < 0.01;
  }
  EXPECT_GT(alarms, 5);
  EXPECT_LT(alarms, 40);
}

TEST(SampleStatistics, equalSamplesDoNotDiffer) {
  EXPECT_EQ(mannWhitneyExact(Sample({5, 5, 5}), Sample({5, 5, 5})), 1);
  EXPECT_EQ(mannWhitneyNormal(Sample(std::vector<double>(50, 5)), Sample(std::vector<double>(50, 5))), 1);
}

TEST(SampleStatistics, holmCorrectsForManyQuestions) {
  const std::vector<double> adjusted = holmAdjusted({0.04, 0.01, 0.03, 0.5});
  ASSERT_EQ(adjusted.size(), 4u);
  EXPECT_NEAR(adjusted[1], 0.04, 1e-12);
  EXPECT_NEAR(adjusted[2], 0.09, 1e-12);
  EXPECT_NEAR(adjusted[0], 0.09, 1e-12);
  EXPECT_NEAR(adjusted[3], 0.5, 1e-12);
  EXPECT_TRUE(holmAdjusted({}).empty());
}

} // namespace
} // namespace basanite::timing
