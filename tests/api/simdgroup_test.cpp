// SPDX-License-Identifier: Apache-2.0
// Simdgroups have 32 threads on every device whose subgroups have 32 or fewer, wherever in a kernel they
// meet: in divergent branches, loops of different lengths, threadgroups of any shape. Expected values come
// from the host.
#include "tests/support/metal_fixture.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace basanite::tests {
namespace {

constexpr const char* kHeader = "#include <metal_stdlib>\nusing namespace metal;\n";

class Simdgroups : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    auto pipeline = computePipeline(
        std::string(kHeader) + "kernel void f(device uint* o [[buffer(0)]]) { *o = 1; }", "f");
    if (!pipeline || pipeline->threadExecutionWidth() != 32)
      GTEST_SKIP() << "the device's subgroups are wider than 32";
  }

  // `count` values of one dispatch of `threads` threads in threadgroups of `group`; every element starts as
  // `initial`.
  template <class T>
  std::vector<T> run(const std::string& source, size_t count, MTL::Size threads, MTL::Size group,
                     T initial = T()) {
    auto pipeline = computePipeline(kHeader + source, "f");
    if (!pipeline) return std::vector<T>(count);
    auto output = sharedBuffer(std::vector<T>(count, initial));
    auto arguments = argumentTable(1);
    arguments->setAddress(output->gpuAddress(), 0);
    dispatch(pipeline.get(), arguments.get(), threads, group);
    return contents<T>(output.get());
  }
  template <class T> std::vector<T> run(const std::string& source, size_t count, NS::UInteger threads) {
    return run<T>(source, count, MTL::Size::Make(threads, 1, 1), MTL::Size::Make(threads, 1, 1));
  }
};

TEST_F(Simdgroups, ThreadsAreNumberedAlongTheThreadgroupsRows) {
  constexpr uint32_t kWidth = 10, kHeight = 7, kDepth = 2, kThreads = kWidth * kHeight * kDepth;
  auto out = run<uint32_t>(
      R"(kernel void f(device uint* o [[buffer(0)]], uint3 p [[thread_position_in_threadgroup]],
      uint index [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]], uint group [[simdgroup_index_in_threadgroup]],
      uint groups [[simdgroups_per_threadgroup]], uint width [[threads_per_simdgroup]], uint3 size [[threads_per_threadgroup]]) {
    device uint* at = o + ((p.z * 7 + p.y) * 10 + p.x) * 8;
    at[0] = index; at[1] = lane; at[2] = group; at[3] = groups; at[4] = width; at[5] = size.x * 10000 + size.y * 100 + size.z;
    at[6] = simd_sum(1u); at[7] = simd_sum(index);
  })",
      kThreads * 8, MTL::Size::Make(kWidth, kHeight, kDepth), MTL::Size::Make(kWidth, kHeight, kDepth));
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / 32 * 32, behind = std::min(first + 32, kThreads);
    const uint32_t* at = &out[i * 8];
    ASSERT_EQ(at[0], i);
    ASSERT_EQ(at[1], i % 32);
    ASSERT_EQ(at[2], i / 32);
    ASSERT_EQ(at[3], (kThreads + 31) / 32);
    ASSERT_EQ(at[4], 32u);
    ASSERT_EQ(at[5], 100702u);
    ASSERT_EQ(at[6], behind - first);
    ASSERT_EQ(at[7], (first + behind - 1) * (behind - first) / 2);
  }
}

TEST_F(Simdgroups, EdgesOfAGridHaveFewerThreads) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
    o[i] = simd_sum(1u) * 1000 + simd_max(i);
  })",
                    150, MTL::Size::Make(150, 1, 1), MTL::Size::Make(64, 1, 1));
  for (uint32_t i = 0; i < 150; ++i) {
    const uint32_t first = i / 32 * 32, behind = std::min(first + 32, 150u);
    ASSERT_EQ(out[i], (behind - first) * 1000 + behind - 1) << i;
  }
}

TEST_F(Simdgroups, ReductionInTwoStepsThroughThreadgroupMemory) {
  // What every reduction kernel does: one value a simdgroup, then the first simdgroup alone sums those.
  auto out =
      run<float>(R"(kernel void f(device float* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]],
      uint lane [[thread_index_in_simdgroup]], uint group [[simdgroup_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup float partial[32];
    float sum = simd_sum(float(i));
    if (lane == 0) partial[group] = sum;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (group == 0) {
      sum = lane < n / 32 ? partial[lane] : 0.0f;
      sum = simd_sum(sum);
      if (lane == 0) o[0] = sum;
    }
  })",
                 1, 1024);
  EXPECT_EQ(out[0], 1023.0f * 512.0f);
}

TEST_F(Simdgroups, OnlyThreadsInTheBranchTakePart) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    device uint* at = o + i * 8;
    if (i % 3 == 0) {
      at[0] = simd_sum(i); at[1] = uint(ulong(simd_ballot(true))); at[2] = simd_prefix_exclusive_sum(1u);
      at[3] = simd_is_first(); at[4] = simd_broadcast_first(i);
    } else if (i % 5 == 0) {
      at[0] = simd_min(int(i)); at[1] = uint(ulong(simd_active_threads_mask())); at[2] = simd_prefix_inclusive_sum(i);
      at[3] = simd_is_first(); at[4] = simd_all(i % 5 == 0);
    } else {
      return;
    }
    at[5] = simd_sum(1u);
    at[6] = simd_max(i);
    at[7] = simd_any(i == 10);
  })",
                    64 * 8, 64);
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t first = i / 32 * 32;
    std::vector<uint32_t> threes, fives;
    for (uint32_t k = first; k < first + 32; ++k) {
      if (k % 3 == 0)
        threes.push_back(k);
      else if (k % 5 == 0)
        fives.push_back(k);
    }
    auto maskOf = [&](const std::vector<uint32_t>& members) {
      uint32_t bits = 0;
      for (uint32_t k : members) bits |= 1u << (k - first);
      return bits;
    };
    auto before = [&](const std::vector<uint32_t>& members) {
      return uint32_t(std::lower_bound(members.begin(), members.end(), i) - members.begin());
    };
    auto sum = [](auto begin, auto end) { return std::accumulate(begin, end, 0u); };
    const std::vector<uint32_t> got(&out[i * 8], &out[i * 8 + 8]);
    const uint32_t both = uint32_t(threes.size() + fives.size()),
                   largest = std::max(threes.back(), fives.back()), ten = first == 0;
    std::vector<uint32_t> wanted(8);
    if (i % 3 == 0) {
      wanted = {sum(threes.begin(), threes.end()),
                maskOf(threes),
                before(threes),
                i == threes[0],
                threes[0],
                both,
                largest,
                ten};
    } else if (i % 5 == 0) {
      wanted = {fives[0],
                maskOf(fives),
                sum(fives.begin(), fives.begin() + before(fives) + 1),
                i == fives[0],
                1,
                both,
                largest,
                ten};
    }
    ASSERT_EQ(got, wanted) << i;
  }
}

TEST_F(Simdgroups, LoopsOfDifferentLengthsMeetInEachRound) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    uint total = 0, rounds = 0;
    for (uint n = 0; n < i % 32 % 7; ++n) {
      if (n == 4 && i % 2) break;
      if (n == 1 && i % 5 == 0) continue;
      total = total * 31 + simd_sum(n + i);
      for (uint k = i % 3; simd_any(k != 0); k = k ? k - 1 : 0) ++rounds;
    }
    o[i * 2] = total;
    o[i * 2 + 1] = rounds + 1000 * simd_sum(1u);
  })",
                    64 * 2, 64);
  for (uint32_t first = 0; first < 64; first += 32) {
    std::vector<uint32_t> total(32), rounds(32);
    std::vector<bool> inside(32, true);
    for (uint32_t n = 0; n < 7; ++n) {
      std::vector<uint32_t> meeting;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const uint32_t i = first + lane;
        if (n >= lane % 7 || (n == 4 && i % 2)) inside[lane] = false;
        if (inside[lane] && !(n == 1 && i % 5 == 0)) meeting.push_back(lane);
      }
      uint32_t sum = 0, longest = 0;
      for (uint32_t lane : meeting) sum += n + first + lane, longest = std::max(longest, (first + lane) % 3);
      for (uint32_t lane : meeting) total[lane] = total[lane] * 31 + sum, rounds[lane] += longest;
    }
    for (uint32_t lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(out[(first + lane) * 2], total[lane]) << first + lane;
      ASSERT_EQ(out[(first + lane) * 2 + 1], rounds[lane] + 32000) << first + lane;
    }
  }
}

TEST_F(Simdgroups, ShufflesReachEveryThread) {
  auto out = run<int32_t>(
      R"(kernel void f(device int* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]], ushort lane [[thread_index_in_simdgroup]]) {
    device int* at = o + i * 8;
    int x = int(i) * 3 - 50;
    at[0] = simd_shuffle(x, ushort(31 - lane)); at[1] = simd_shuffle_xor(x, ushort(17)); at[2] = simd_broadcast(x, ushort(30));
    at[3] = simd_shuffle_up(x, ushort(9)); at[4] = simd_shuffle_down(x, ushort(13)); at[5] = simd_shuffle(short4(x, x, i, x), ushort(lane * 5 % 32)).z;
    at[6] = simd_shuffle_rotate_up(x, ushort(11)); at[7] = int(simd_shuffle_xor(half(i), ushort(lane & 8)));
  })",
      64 * 8, 64);
  for (int i = 0; i < 64; ++i) {
    const int first = i / 32 * 32, lane = i % 32;
    auto x = [&](int of) { return (first + of) * 3 - 50; };
    const std::vector<int32_t> got(&out[i * 8], &out[i * 8 + 8]);
    const std::vector<int32_t> wanted = {x(31 - lane),
                                         x(lane ^ 17),
                                         x(30),
                                         lane >= 9 ? x(lane - 9) : got[3],
                                         lane + 13 < 32 ? x(lane + 13) : got[4],
                                         first + lane * 5 % 32,
                                         x((lane + 21) % 32),
                                         first + (lane ^ (lane & 8))};
    ASSERT_EQ(got, wanted) << i;
  }
}

TEST_F(Simdgroups, VariablesOfAThreadStayItsOwn) {
  // Arrays with computed indices, values that live across barriers, a loop between, atomics of threadgroup
  // memory.
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    threadgroup atomic_uint counter;
    threadgroup uint shared[100];
    uint mine[8];
    for (uint k = 0; k < 8; ++k) mine[k] = i * k;
    if (i == 0) atomic_store_explicit(&counter, 0u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint round = 0; round < 3; ++round) {
      shared[i] = mine[(i + round) % 8];
      threadgroup_barrier(mem_flags::mem_threadgroup);
      mine[(i * 3 + round) % 8] += shared[99 - i];
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    atomic_fetch_add_explicit(&counter, simd_sum(mine[i % 8]) & 15u, memory_order_relaxed);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint hash = 0;
    for (uint k = 0; k < 8; ++k) hash = hash * 7 + mine[k];
    o[i] = hash + atomic_load_explicit(&counter, memory_order_relaxed);
  })",
                    100, 100);
  std::vector<std::array<uint32_t, 8>> mine(100);
  for (uint32_t i = 0; i < 100; ++i)
    for (uint32_t k = 0; k < 8; ++k) mine[i][k] = i * k;
  for (uint32_t round = 0; round < 3; ++round) {
    std::vector<uint32_t> shared(100);
    for (uint32_t i = 0; i < 100; ++i) shared[i] = mine[i][(i + round) % 8];
    for (uint32_t i = 0; i < 100; ++i) mine[i][(i * 3 + round) % 8] += shared[99 - i];
  }
  uint32_t counter = 0;
  for (uint32_t i = 0; i < 100; ++i) {
    uint32_t sum = 0;
    for (uint32_t k = i / 32 * 32; k < std::min(i / 32 * 32 + 32, 100u); ++k) sum += mine[k][k % 8];
    counter += sum & 15;
  }
  for (uint32_t i = 0; i < 100; ++i) {
    uint32_t hash = 0;
    for (uint32_t k = 0; k < 8; ++k) hash = hash * 7 + mine[i][k];
    ASSERT_EQ(out[i], hash + counter) << i;
  }
}

TEST_F(Simdgroups, SwitchesAndEarlyReturns) {
  auto out =
      run<uint32_t>(R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    uint r = 0;
    switch (i % 4) {
    case 0: r = simd_sum(i); break;
    case 1: r = 7; [[fallthrough]];
    case 2: r += simd_sum(1u); if (i > 40) { o[i] = r; return; } break;
    default: for (uint k = 0;; ++k) { r += simd_max(k); if (k == i % 8) break; }
    }
    o[i] = r + 100 * simd_sum(1u);
  })",
                    64, 64);
  for (uint32_t first = 0; first < 64; first += 32) {
    uint32_t fours = 0, onesAndTwos = 0, left = 0;
    for (uint32_t i = first; i < first + 32; ++i) {
      if (i % 4 == 0) fours += i;
      if (i % 4 == 1 || i % 4 == 2) onesAndTwos += 1, left += i > 40;
    }
    for (uint32_t i = first; i < first + 32; ++i) {
      uint32_t r = 0;
      if (i % 4 == 0) r = fours;
      if (i % 4 == 1) r = 7 + onesAndTwos;
      if (i % 4 == 2) r = onesAndTwos;
      if (i % 4 == 3)
        for (uint32_t k = 0; k <= i % 8; ++k) r += k;
      const bool returned = (i % 4 == 1 || i % 4 == 2) && i > 40;
      ASSERT_EQ(out[i], returned ? r : r + 100 * (32 - left)) << i;
    }
  }
}

TEST_F(Simdgroups, WhatLeavesALoopMeetsInItsRound) {
  // A function over the simdgroup before `break` or `return` sees the threads that leave in the same round,
  // not those of all.
  auto out = run<uint32_t>(R"(
  static uint ofMyKind(uint key, uint i) {
    for (;;) {
      uint c = simd_broadcast_first(key);
      if (c == key) return simd_sum(i);
    }
  }
  static void byReturn(device uint* o, uint i) {
    for (uint a = 0; a < 3; ++a)
      for (uint b = 0; b < 3; ++b)
        if (i % 9 == a * 3 + b) { *o = simd_sum(1u); return; }
  }
  kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    device uint* at = o + i * 8;
    uint h = 0;
    for (uint k = 0; k < 4; ++k)
      if (i % 4 == k) { h += simd_sum(1u); break; }
    at[0] = h;
    for (;;) {
      uint c = simd_broadcast_first(i % 5);
      if (c == i % 5) { at[1] = simd_sum(i); break; }
    }
    for (uint n = 0; n < 2; ++n) at[2 + n] = ofMyKind((i + n) % 5, i);
    byReturn(at + 4, i);
    uint n = 0;
    while (true) {
      if (i % 3 == n) {
        uint s = 0;
        for (uint q = 0; q < 2; ++q) s += simd_sum(q + 1);
        at[5] = s;
        break;
      }
      ++n;
    }
    do {
      if (i % 2 == 0) { at[6] = simd_max(i); break; }
      at[6] = simd_min(i);
    } while (false);
    at[7] = simd_sum(1u);
  })",
                           64 * 8, 64);
  for (uint32_t i = 0; i < 64; ++i) {
    auto over = [&](auto alike, auto value) {
      uint32_t sum = 0;
      for (uint32_t k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) sum += alike(k) ? value(k) : 0;
      return sum;
    };
    auto one = [](uint32_t) { return 1u; };
    auto self = [](uint32_t k) { return k; };
    auto sameBy = [&](uint32_t modulus, uint32_t offset = 0) {
      return [=](uint32_t k) { return (k + offset) % modulus == (i + offset) % modulus; };
    };
    const uint32_t first = i / 32 * 32;
    const std::vector<uint32_t> got(&out[i * 8], &out[i * 8 + 8]);
    const std::vector<uint32_t> wanted = {over(sameBy(4), one),           over(sameBy(5), self),
                                          over(sameBy(5), self),          over(sameBy(5, 1), self),
                                          over(sameBy(9), one),           3 * over(sameBy(3), one),
                                          i % 2 ? first + 1 : first + 30, 32};
    ASSERT_EQ(got, wanted) << i;
  }
}

TEST_F(Simdgroups, MathFunctionsMayStandBeside) {
  auto out =
      run<float>(R"(kernel void f(device float* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
    float x = float(i % 7) + 1;
    o[i] = precise::sqrt(x * x) + precise::divide(6.0f, x) + float(simd_sum(1u));
  })",
                 64, 64);
  for (int i = 0; i < 64; ++i) {
    const float x = float(i % 7) + 1;
    ASSERT_EQ(out[i], x + 6.0f / x + 32.0f) << i;
  }
}

TEST_F(Simdgroups, TheirBarriersAreTheirOwn) {
  // Each simdgroup passes as many barriers as its number says; values cross it in between.
  auto out = run<uint32_t>(
      R"(kernel void f(device uint* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint group [[simdgroup_index_in_threadgroup]]) {
    threadgroup uint next[128];
    uint x = i;
    for (uint k = 0; k < 3 * (3 - group); ++k) {
      next[i] = x;
      simdgroup_barrier(mem_flags::mem_threadgroup);
      x = next[(i & ~31u) | ((i + 1) & 31u)];
      simdgroup_barrier(mem_flags::mem_threadgroup);
    }
    o[i] = x;
  })",
      128, 128);
  for (uint32_t i = 0; i < 128; ++i) ASSERT_EQ(out[i], (i & ~31u) | ((i + 3 * (3 - i / 32)) & 31u)) << i;
}

TEST_F(Simdgroups, MatricesMultiply) {
  // A 16 by 16 product, a simdgroup for each 8 by 8 block, with half factors and one transposed load.
  auto out = run<float>(
      R"(kernel void f(device float* o [[buffer(0)]], uint i [[thread_index_in_threadgroup]], uint group [[simdgroup_index_in_threadgroup]]) {
    threadgroup float a[256];
    threadgroup half b[256];
    for (uint k = i; k < 256; k += 128) { a[k] = float(k % 13) - 6; b[k] = half(k % 7) * 0.5h; }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint row = group / 2 * 8, column = group % 2 * 8;
    simdgroup_float8x8 sum = make_filled_simdgroup_matrix<float, 8, 8>(1.0f);
    for (uint k = 0; k < 16; k += 8) {
      simdgroup_float8x8 left;
      simdgroup_half8x8 right;
      simdgroup_load(left, a, 16, ulong2(k, row));
      simdgroup_load(right, b, 16, ulong2(k, column), true);
      simdgroup_multiply_accumulate(sum, left, right, sum);
    }
    simdgroup_store(sum, o, 16, ulong2(column, row));
  })",
      256, 128);
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 16; ++column) {
      float sum = 1;
      for (int k = 0; k < 16; ++k)
        sum += (float((row * 16 + k) % 13) - 6) * float((column * 16 + k) % 7) * 0.5f;
      ASSERT_EQ(out[row * 16 + column], sum) << row << ' ' << column;
    }
}

} // namespace
} // namespace basanite::tests
