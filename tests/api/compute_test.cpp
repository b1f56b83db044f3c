// SPDX-License-Identifier: Apache-2.0
// Kernels on the device: every shape of dispatch, threadgroup memory, atomics, and memory laid out as Metal lays it out.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <cstddef>

namespace basanite::tests {
namespace {

class Compute : public MetalFixture {};

TEST_F(Compute, SaxpyOnAMillionElements) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void saxpy(constant float& a [[buffer(0)]], const device float* x [[buffer(1)]], device float* y [[buffer(2)]],
                  uint id [[thread_position_in_grid]]) {
  y[id] = a * x[id] + y[id];
}
)";
  constexpr size_t kCount = 1 << 20;
  std::vector<float> x(kCount), y(kCount);
  for (size_t i = 0; i < kCount; ++i) {
    x[i] = float(i % 4096);
    y[i] = float(i / 4096);
  }
  auto pipeline = computePipeline(source, "saxpy");
  ASSERT_TRUE(pipeline);
  EXPECT_GE(pipeline->maxTotalThreadsPerThreadgroup(), 256u);
  EXPECT_GT(pipeline->threadExecutionWidth(), 0u);
  auto a = sharedBuffer(std::vector<float>{3}), xs = sharedBuffer(x), ys = sharedBuffer(y);
  auto table = argumentTable(3);
  table->setAddress(a->gpuAddress(), 0);
  table->setAddress(xs->gpuAddress(), 1);
  table->setAddress(ys->gpuAddress(), 2);
  dispatch(pipeline.get(), table.get(), MTL::Size::Make(kCount, 1, 1), MTL::Size::Make(256, 1, 1));
  auto got = contents<float>(ys.get());
  size_t wrong = 0;
  for (size_t i = 0; i < kCount; ++i) wrong += got[i] != 3 * x[i] + y[i];
  EXPECT_EQ(wrong, 0u);
}

// ---- dispatch shapes ---------------------------------------------------------------------------------------------

constexpr const char* kShapeSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Seen {
  uint hits;
  uint index;
  packed_uint3 local, group, size, fullSize, grid, groups;
};
kernel void see(device Seen* out [[buffer(0)]], device atomic_uint* hits [[buffer(1)]], constant uint3& extent [[buffer(2)]],
                uint3 at [[thread_position_in_grid]], uint3 local [[thread_position_in_threadgroup]],
                uint3 group [[threadgroup_position_in_grid]], uint3 size [[threads_per_threadgroup]],
                uint3 fullSize [[dispatch_threads_per_threadgroup]], uint3 grid [[threads_per_grid]],
                uint3 groups [[threadgroups_per_grid]], uint index [[thread_index_in_threadgroup]]) {
  if (any(at >= extent)) {
    atomic_fetch_add_explicit(&hits[extent.x * extent.y * extent.z], 1u, memory_order_relaxed);
    return;
  }
  uint cell = (at.z * extent.y + at.y) * extent.x + at.x;
  atomic_fetch_add_explicit(&hits[cell], 1u, memory_order_relaxed);
  device Seen& seen = out[cell];
  seen.index = index;
  seen.local = local;
  seen.group = group;
  seen.size = size;
  seen.fullSize = fullSize;
  seen.grid = grid;
  seen.groups = groups;
}
kernel void seeLine(device uint4* out [[buffer(0)]], uint at [[thread_position_in_grid]],
                    uint local [[thread_position_in_threadgroup]], ushort group [[threadgroup_position_in_grid]],
                    uint size [[threads_per_threadgroup]]) {
  out[at] = uint4(local, group, size, 7);
}
)";

using Triple = std::array<uint32_t, 3>;
struct Seen {
  uint32_t hits, index;
  Triple local, group, size, fullSize, grid, groups;
};

class Dispatch : public MetalFixture {
 protected:
  enum class How { threads, threadgroups, threadgroupsIndirect };

  void check(Triple grid, Triple group, How how) {
    SCOPED_TRACE(testing::Message() << "grid " << grid[0] << " x " << grid[1] << " x " << grid[2] << ", group " << group[0]
                                    << " x " << group[1] << " x " << group[2]
                                    << (how == How::threads ? " by threads"
                                        : how == How::threadgroups ? " by threadgroups" : " indirectly"));
    const size_t cells = size_t(grid[0]) * grid[1] * grid[2];
    auto out = sharedBuffer(cells * sizeof(Seen));
    auto hits = sharedBuffer(std::vector<uint32_t>(cells + 1, 0));
    auto extent = sharedBuffer(std::vector<uint32_t>{grid[0], grid[1], grid[2], 0});
    Triple groups;
    for (int i = 0; i < 3; ++i) groups[i] = (grid[i] + group[i] - 1) / group[i];
    auto arguments = sharedBuffer(std::vector<uint32_t>{99, groups[0], groups[1], groups[2]});
    auto table = argumentTable(3);
    table->setAddress(out->gpuAddress(), 0);
    table->setAddress(hits->gpuAddress(), 1);
    table->setAddress(extent->gpuAddress(), 2);
    const auto size = [](Triple t) { return MTL::Size::Make(t[0], t[1], t[2]); };
    EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
                encoder->setComputePipelineState(m_pipeline.get());
                encoder->setArgumentTable(table.get());
                switch (how) {
                case How::threads: encoder->dispatchThreads(size(grid), size(group)); break;
                case How::threadgroups: encoder->dispatchThreadgroups(size(groups), size(group)); break;
                case How::threadgroupsIndirect:
                  encoder->dispatchThreadgroups(arguments->gpuAddress() + 4, size(group));
                  break;
                }
                encoder->endEncoding();
              }),
              "");
    auto counts = contents<uint32_t>(hits.get());
    auto seen = contents<Seen>(out.get());
    for (size_t cell = 0; cell < cells; ++cell)
      if (counts[cell] != 1) FAIL() << "thread " << cell << " ran " << counts[cell] << " times";
    Triple threadsRun = grid;
    if (how != How::threads)
      for (int i = 0; i < 3; ++i) threadsRun[i] = groups[i] * group[i];
    EXPECT_EQ(counts[cells], size_t(threadsRun[0]) * threadsRun[1] * threadsRun[2] - cells) << "threads past the extent";
    for (uint32_t z = 0; z < grid[2]; ++z)
      for (uint32_t y = 0; y < grid[1]; ++y)
        for (uint32_t x = 0; x < grid[0]; ++x) {
          const Triple at{x, y, z};
          const Seen& s = seen[(z * grid[1] + y) * grid[0] + x];
          Triple local, inGroup, sizeHere;
          for (int i = 0; i < 3; ++i) {
            local[i] = at[i] % group[i];
            inGroup[i] = at[i] / group[i];
            sizeHere[i] = std::min(group[i], threadsRun[i] - inGroup[i] * group[i]);
          }
          const uint32_t index = (local[2] * sizeHere[1] + local[1]) * sizeHere[0] + local[0];
          if (s.local == local && s.group == inGroup && s.size == sizeHere && s.fullSize == group && s.groups == groups &&
              s.grid == threadsRun && s.index == index)
            continue;
          SCOPED_TRACE(testing::Message() << "thread " << x << ", " << y << ", " << z);
          ASSERT_EQ(s.local, local);
          ASSERT_EQ(s.group, inGroup);
          ASSERT_EQ(s.size, sizeHere);
          ASSERT_EQ(s.fullSize, group);
          ASSERT_EQ(s.groups, groups);
          ASSERT_EQ(s.grid, threadsRun);
          ASSERT_EQ(s.index, index);
        }
  }

  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kShapeSource);
    m_pipeline = computePipeline(m_library.get(), "see");
    ASSERT_TRUE(m_pipeline);
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::ComputePipelineState> m_pipeline;
};

TEST_F(Dispatch, ThreadsRunEachGridPointOnceWithSmallerGroupsAtTheEdges) {
  check({1000, 1, 1}, {64, 1, 1}, How::threads);
  check({5, 1, 1}, {64, 1, 1}, How::threads);
  check({37, 21, 1}, {8, 8, 1}, How::threads);
  check({32, 21, 1}, {8, 8, 1}, How::threads);
  check({9, 7, 5}, {4, 4, 4}, How::threads);
  check({8, 7, 4}, {4, 2, 3}, How::threads);
}

TEST_F(Dispatch, ThreadgroupsRunWhole) {
  check({100, 1, 1}, {32, 1, 1}, How::threadgroups);
  check({37, 21, 3}, {8, 4, 2}, How::threadgroups);
}

TEST_F(Dispatch, IndirectThreadgroupCountsComeFromMemory) {
  check({100, 1, 1}, {32, 1, 1}, How::threadgroupsIndirect);
  check({16, 9, 3}, {8, 4, 2}, How::threadgroupsIndirect);
}

// Vulkan promises no more than 65,535 threadgroups an axis, and many devices have just that.
TEST_F(Dispatch, MoreThreadgroupsThanADeviceTakesAtOnceRunInPieces) {
  check({70000, 1, 1}, {1, 1, 1}, How::threads);
  check({70000, 1, 1}, {1, 1, 1}, How::threadgroups);
  check({140001, 1, 1}, {2, 1, 1}, How::threads); // the left-over threadgroup lies beyond the limit too
  check({2, 70001, 3}, {1, 1, 2}, How::threads);
  check({2, 3, 65537}, {1, 2, 1}, How::threads);
  check({1, 65536, 2}, {1, 1, 1}, How::threadgroups);
  // The next one starts at the origin again.
  check({100, 3, 1}, {32, 1, 1}, How::threadgroups);
}

TEST_F(Dispatch, ScalarPositionsTakeTheFirstDimension) {
  auto line = computePipeline(m_library.get(), "seeLine");
  ASSERT_TRUE(line);
  auto out = sharedBuffer(50 * 16);
  auto table = argumentTable(1);
  table->setAddress(out->gpuAddress(), 0);
  dispatch(line.get(), table.get(), MTL::Size::Make(50, 1, 1), MTL::Size::Make(16, 1, 1));
  auto got = contents<std::array<uint32_t, 4>>(out.get());
  for (uint32_t i = 0; i < 50; ++i)
    EXPECT_EQ(got[i], (std::array<uint32_t, 4>{i % 16, i / 16, i < 48 ? 16u : 2u, 7})) << i;
}

// ---- threadgroup memory and atomics ------------------------------------------------------------------------------

TEST_F(Compute, ThreadgroupMemoryReducesAndTransposes) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void sums(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]],
                 uint local [[thread_index_in_threadgroup]], uint group [[threadgroup_position_in_grid]]) {
  threadgroup uint partial[128];
  partial[local] = in[id];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 64; step > 0; step /= 2) {
    if (local < step) partial[local] += partial[local + step];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (local == 0) out[group] = partial[0];
}
struct Tile {
  float2 cells[8][9];
  int count;
};
kernel void transpose(const device float2* in [[buffer(0)]], device float2* out [[buffer(1)]],
                      threadgroup Tile* tile [[threadgroup(0)]], threadgroup int* order [[threadgroup(1)]],
                      uint2 local [[thread_position_in_threadgroup]], uint2 group [[threadgroup_position_in_grid]]) {
  tile->cells[local.y][local.x] = in[(group.y * 8 + local.y) * 16 + group.x * 8 + local.x];
  uint index = local.y * 8 + local.x;
  order[index] = int(index) * 2;
  if (index == 5) tile->count = 1234;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float2 value = tile->cells[local.x][local.y];
  value.y += float(order[63 - index] + tile->count);
  out[(group.x * 8 + local.y) * 16 + group.y * 8 + local.x] = value;
}
)";
  auto lib = library(source);
  auto sums = computePipeline(lib.get(), "sums");
  auto transpose = computePipeline(lib.get(), "transpose");
  ASSERT_TRUE(sums && transpose);
  EXPECT_EQ(sums->staticThreadgroupMemoryLength(), 512u);
  std::vector<uint32_t> values(1024);
  for (uint32_t i = 0; i < 1024; ++i) values[i] = i * i;
  auto in = sharedBuffer(values);
  auto out = sharedBuffer(8 * 4);
  auto table = argumentTable(2);
  table->setAddress(in->gpuAddress(), 0);
  table->setAddress(out->gpuAddress(), 1);
  dispatch(sums.get(), table.get(), MTL::Size::Make(1024, 1, 1), MTL::Size::Make(128, 1, 1));
  auto got = contents<uint32_t>(out.get());
  for (uint32_t group = 0; group < 8; ++group) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < 128; ++i) sum += values[group * 128 + i];
    EXPECT_EQ(got[group], sum);
  }

  std::vector<float> pairs(512);
  for (size_t i = 0; i < 256; ++i) {
    pairs[i * 2] = float(i);
    pairs[i * 2 + 1] = float(i) * 1000;
  }
  auto pairsIn = sharedBuffer(pairs);
  auto pairsOut = sharedBuffer(512 * 4);
  table->setAddress(pairsIn->gpuAddress(), 0);
  table->setAddress(pairsOut->gpuAddress(), 1);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(transpose.get());
              encoder->setArgumentTable(table.get());
              encoder->setThreadgroupMemoryLength(592, 0); // 8 * 9 * 8 + 4, rounded up to 16
              encoder->setThreadgroupMemoryLength(256, 1);
              encoder->dispatchThreads(MTL::Size::Make(16, 16, 1), MTL::Size::Make(8, 8, 1));
              encoder->endEncoding();
            }),
            "");
  auto swapped = contents<std::array<float, 2>>(pairsOut.get());
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x) {
      const int index = (y % 8) * 8 + x % 8;
      const float from = float(x * 16 + y);
      ASSERT_EQ(swapped[y * 16 + x], (std::array<float, 2>{from, from * 1000 + float((63 - index) * 2 + 1234)})) << x << ", " << y;
    }
}

TEST_F(Compute, AtomicsOnDeviceAndThreadgroupMemory) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void hammer(device atomic_uint* u [[buffer(0)]], device atomic_int* i [[buffer(1)]], device uint* order [[buffer(2)]],
                   uint id [[thread_position_in_grid]], uint local [[thread_index_in_threadgroup]]) {
  threadgroup atomic_uint counter;
  if (local == 0) atomic_store_explicit(&counter, 0u, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint ticket = atomic_fetch_add_explicit(&u[0], 1u, memory_order_relaxed);
  order[ticket] = id;
  atomic_fetch_sub_explicit(&u[1], 2u, memory_order_relaxed);
  atomic_fetch_and_explicit(&u[2], ~(1u << (id % 32)), memory_order_relaxed);
  atomic_fetch_or_explicit(&u[3], 1u << (id % 20), memory_order_relaxed);
  atomic_fetch_xor_explicit(&u[4], id, memory_order_relaxed);
  atomic_fetch_min_explicit(&u[5], 5000u - id, memory_order_relaxed);
  atomic_fetch_max_explicit(&u[6], id * 3u, memory_order_relaxed);
  atomic_fetch_min_explicit(&i[0], int(id) - 700, memory_order_relaxed);
  atomic_fetch_max_explicit(&i[1], int(id) - 700, memory_order_relaxed);
  atomic_exchange_explicit(&u[7], 9u, memory_order_relaxed);
  // A lock-free increment by compare and exchange.
  uint expected = atomic_load_explicit(&u[8], memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(&u[8], &expected, expected + 3u, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
  atomic_fetch_add_explicit(&counter, local, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (local == 0)
    atomic_fetch_add_explicit(&u[9], atomic_load_explicit(&counter, memory_order_relaxed), memory_order_relaxed);
}
)";
  auto pipeline = computePipeline(source, "hammer");
  ASSERT_TRUE(pipeline);
  constexpr uint32_t kThreads = 1024;
  auto u = sharedBuffer(std::vector<uint32_t>{0, 10000, 0xffffffff, 0, 0, 0xffffffff, 0, 1, 100, 0});
  auto i = sharedBuffer(std::vector<int32_t>{0, -2000});
  auto order = sharedBuffer(std::vector<uint32_t>(kThreads, 0xffffffff));
  auto table = argumentTable(3);
  table->setAddress(u->gpuAddress(), 0);
  table->setAddress(i->gpuAddress(), 1);
  table->setAddress(order->gpuAddress(), 2);
  dispatch(pipeline.get(), table.get(), kThreads);
  uint32_t folded = 0;
  for (uint32_t id = 0; id < kThreads; ++id) folded ^= id;
  EXPECT_EQ(contents<uint32_t>(u.get()),
            (std::vector<uint32_t>{kThreads, 10000 - 2 * kThreads, 0, (1u << 20) - 1, folded, 5000 - 1023, 1023 * 3, 9,
                                   100 + 3 * kThreads, 16 * (63 * 64 / 2)}));
  EXPECT_EQ(contents<int32_t>(i.get()), (std::vector<int32_t>{-700, 323}));
  auto tickets = contents<uint32_t>(order.get());
  std::sort(tickets.begin(), tickets.end());
  for (uint32_t id = 0; id < kThreads; ++id) ASSERT_EQ(tickets[id], id) << "each ticket goes to one thread";
}

// ---- memory layout -----------------------------------------------------------------------------------------------

constexpr const char* kLayoutSource = R"(
#include <metal_stdlib>
using namespace metal;
enum class Mode : ushort { off = 3, on = 500 };
struct Inner {
  char tag;
  float3 direction;
  packed_float3 packed;
  half weight;
};
struct Outer {
  bool isOn;
  uchar3 bytes;
  short2 pair;
  Inner inners[2];
  float3x3 rotation;
  float2x3 wide;
  half4 halves;
  long big;
  Mode mode;
  packed_short3 shorts;
  float4x4 transform;
  union {
    uint word;
    float number;
  };
  uint tail[3];
};
kernel void unpack(constant Outer* in [[buffer(0)]], device float* out [[buffer(1)]]) {
  constant Outer& o = in[1];
  int n = 0;
  out[n++] = o.isOn ? 1 : 0;
  out[n++] = o.bytes.z;
  out[n++] = o.pair.y;
  out[n++] = o.inners[1].tag;
  out[n++] = o.inners[1].direction.z;
  out[n++] = o.inners[1].packed[1];
  out[n++] = o.inners[1].weight;
  out[n++] = o.rotation[2][1];
  out[n++] = o.wide[1].z;
  out[n++] = o.halves.w;
  out[n++] = float(o.big / 1000000000);
  out[n++] = o.mode == Mode::on ? 1 : 0;
  out[n++] = o.shorts.z;
  out[n++] = (o.transform * float4(1, 2, 3, 1)).y;
  out[n++] = o.number;
  out[n++] = o.tail[2];
  out[n++] = sizeof(Outer);
  out[n++] = sizeof(Inner);
}
kernel void pack(device Outer* out [[buffer(0)]]) {
  Outer o = {};
  o.isOn = true;
  o.bytes = uchar3(1, 2, 200);
  o.pair = short2(-5, -6);
  for (int i = 0; i < 2; ++i) {
    o.inners[i].tag = char(-i - 7);
    o.inners[i].direction = float3(1.5f, 2.5f, 3.5f + i);
    o.inners[i].packed = packed_float3(4.5f, 5.5f + i, 6.5f);
    o.inners[i].weight = half(0.25f) + half(i);
  }
  o.rotation = float3x3(float3(1, 2, 3), float3(4, 5, 6), float3(7, 8, 9));
  o.wide = float2x3(float3(10, 11, 12), float3(13, 14, 15));
  o.halves = half4(1, 2, 3, -4);
  o.big = -77000000000L;
  o.mode = Mode::on;
  o.shorts = packed_short3(-1, -2, -3);
  o.transform = float4x4(1.0f);
  o.transform[3] = float4(20, 30, 40, 1);
  o.number = 0.125f;
  for (int i = 0; i < 3; ++i) o.tail[i] = 1000u + i;
  out[1] = o;
}
)";

struct alignas(16) Float3 {
  float x, y, z;
};
struct Inner {
  int8_t tag;
  Float3 direction;
  float packed[3];
  uint16_t weight;
};
struct Outer {
  uint8_t isOn;
  alignas(4) uint8_t bytes[3];
  alignas(4) int16_t pair[2];
  Inner inners[2];
  Float3 rotation[3];
  Float3 wide[2];
  alignas(8) uint16_t halves[4];
  int64_t big;
  uint16_t mode;
  int16_t shorts[3];
  alignas(16) float transform[16];
  uint32_t word;
  uint32_t tail[3];
};
static_assert(offsetof(Inner, direction) == 16 && offsetof(Inner, packed) == 32 && offsetof(Inner, weight) == 44);
static_assert(sizeof(Inner) == 48 && offsetof(Outer, inners) == 16 && offsetof(Outer, rotation) == 112);
static_assert(offsetof(Outer, wide) == 160 && offsetof(Outer, halves) == 192 && offsetof(Outer, big) == 200);
static_assert(offsetof(Outer, mode) == 208 && offsetof(Outer, shorts) == 210 && offsetof(Outer, transform) == 224);
static_assert(offsetof(Outer, word) == 288 && sizeof(Outer) == 304);

Outer sampleOuter() {
  Outer o{};
  o.isOn = 1;
  o.bytes[0] = 1, o.bytes[1] = 2, o.bytes[2] = 200;
  o.pair[0] = -5, o.pair[1] = -6;
  for (int i = 0; i < 2; ++i) {
    o.inners[i].tag = int8_t(-i - 7);
    o.inners[i].direction = {1.5f, 2.5f, 3.5f + float(i)};
    o.inners[i].packed[0] = 4.5f, o.inners[i].packed[1] = 5.5f + float(i), o.inners[i].packed[2] = 6.5f;
    o.inners[i].weight = i ? 0x3d00 : 0x3400;
  }
  for (int c = 0; c < 3; ++c) o.rotation[c] = {float(3 * c + 1), float(3 * c + 2), float(3 * c + 3)};
  o.wide[0] = {10, 11, 12}, o.wide[1] = {13, 14, 15};
  o.halves[0] = 0x3c00, o.halves[1] = 0x4000, o.halves[2] = 0x4200, o.halves[3] = 0xc400;
  o.big = -77000000000;
  o.mode = 500;
  o.shorts[0] = -1, o.shorts[1] = -2, o.shorts[2] = -3;
  for (int i = 0; i < 3; ++i) o.transform[i * 5] = 1;
  o.transform[12] = 20, o.transform[13] = 30, o.transform[14] = 40, o.transform[15] = 1;
  const float number = 0.125f;
  std::memcpy(&o.word, &number, 4);
  for (uint32_t i = 0; i < 3; ++i) o.tail[i] = 1000 + i;
  return o;
}

TEST_F(Compute, StructsVectorsAndMatricesLieInMemoryAsOnApple) {
  auto lib = library(kLayoutSource);
  auto unpack = computePipeline(lib.get(), "unpack");
  auto pack = computePipeline(lib.get(), "pack");
  ASSERT_TRUE(unpack && pack);
  auto in = sharedBuffer(std::vector<Outer>{Outer{}, sampleOuter()});
  auto out = sharedBuffer(18 * 4);
  auto table = argumentTable(2);
  table->setAddress(in->gpuAddress(), 0);
  table->setAddress(out->gpuAddress(), 1);
  dispatch(unpack.get(), table.get(), 1);
  EXPECT_EQ(contents<float>(out.get()),
            (std::vector<float>{1, 200, -6, -8, 4.5f, 6.5f, 1.25f, 8, 15, -4, -77, 1, -3, 32, 0.125f, 1002, 304, 48}));

  auto packed = sharedBuffer(2 * sizeof(Outer));
  std::memset(packed->contents(), 0, packed->length());
  table->setAddress(packed->gpuAddress(), 0);
  dispatch(pack.get(), table.get(), 1);
  const Outer got = contents<Outer>(packed.get())[1], wanted = sampleOuter();
#define BASANITE_SAME(member) EXPECT_EQ(std::memcmp(&got.member, &wanted.member, sizeof wanted.member), 0) << #member
  BASANITE_SAME(isOn);
  BASANITE_SAME(bytes);
  BASANITE_SAME(pair);
  for (int i = 0; i < 2; ++i) {
    BASANITE_SAME(inners[i].tag);
    EXPECT_EQ(std::memcmp(&got.inners[i].direction, &wanted.inners[i].direction, 12), 0);
    BASANITE_SAME(inners[i].packed);
    BASANITE_SAME(inners[i].weight);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(std::memcmp(&got.rotation[i], &wanted.rotation[i], 12), 0) << "rotation " << i;
  for (int i = 0; i < 2; ++i) EXPECT_EQ(std::memcmp(&got.wide[i], &wanted.wide[i], 12), 0) << "wide " << i;
  BASANITE_SAME(halves);
  BASANITE_SAME(big);
  BASANITE_SAME(mode);
  BASANITE_SAME(shorts);
  BASANITE_SAME(transform);
  BASANITE_SAME(word);
  BASANITE_SAME(tail);
#undef BASANITE_SAME
}

TEST_F(Compute, BuffersHoldPointersToOtherBuffers) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
struct Node {
  device Node* next;
  uint value;
};
struct Lists {
  device Node* first;
  device uint* out;
};
kernel void walk(constant Lists& lists [[buffer(0)]]) {
  uint sum = 0, count = 0;
  for (device Node* node = lists.first; node; node = node->next) {
    sum = sum * 10 + node->value;
    node->value = 0;
    ++count;
  }
  lists.out[0] = sum;
  lists.out[1] = count;
}
)";
  struct Node {
    uint64_t next;
    uint32_t value, padding;
  };
  auto pipeline = computePipeline(source, "walk");
  ASSERT_TRUE(pipeline);
  auto nodes = sharedBuffer(4 * sizeof(Node)), out = sharedBuffer(8);
  const uint64_t base = nodes->gpuAddress();
  const Node chain[] = {{base + 3 * 16, 4, 0}, {0, 9, 0}, {base + 16, 7, 0}, {base + 2 * 16, 2, 0}};
  std::memcpy(nodes->contents(), chain, sizeof chain);
  auto lists = sharedBuffer(std::vector<uint64_t>{base, out->gpuAddress()});
  auto table = argumentTable(1);
  table->setAddress(lists->gpuAddress(), 0);
  dispatch(pipeline.get(), table.get(), 1);
  EXPECT_EQ(contents<uint32_t>(out.get()), (std::vector<uint32_t>{4279, 4}));
  for (const Node& node : contents<Node>(nodes.get())) EXPECT_EQ(node.value, 0u);
}

} // namespace
} // namespace basanite::tests
