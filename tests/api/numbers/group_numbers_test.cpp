// SPDX-License-Identifier: Apache-2.0
// Functions over simdgroups and quads, of every type, with all threads and with some of them; and atomic
// functions.
#include "tests/support/metal_fixture.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace basanite::tests {
namespace {

// The threads of one simdgroup or quad, by lane.
struct Group {
  std::vector<double> x; // each thread's value
  std::vector<bool> active;
  size_t width() const { return x.size(); }
};
constexpr double kAnything = -12345; // not said by Metal

double folded(const Group& group, size_t end, double start, double (*combine)(double, double)) {
  double result = start;
  for (size_t i = 0; i < end; ++i)
    if (group.active[i]) result = combine(result, group.x[i]);
  return result;
}
double plus(double a, double b) { return a + b; }
double times(double a, double b) { return a * b; }
double smaller(double a, double b) { return std::min(a, b); }
double larger(double a, double b) { return std::max(a, b); }
double both(double a, double b) { return double(int64_t(a) & int64_t(b)); }
double either(double a, double b) { return double(int64_t(a) | int64_t(b)); }
double oneOf(double a, double b) { return double(int64_t(a) ^ int64_t(b)); }
size_t firstActive(const Group& group) {
  return size_t(std::find(group.active.begin(), group.active.end(), true) - group.active.begin());
}

struct GroupRow {
  const char* name;
  const char* body; // of x, filling (T), lane and width of the group; "simd_" stands for either prefix
  double (*reference)(const Group& group, size_t lane);
  enum Kind : uint8_t {
    moves,
    reduces,
    bits
  } kind; // `moves` reads other threads, which must all be active; `bits` takes integers
};
const GroupRow kRows[] = {
    {"sum", "simd_sum(x)", [](const Group& g, size_t) { return folded(g, g.width(), 0, plus); },
     GroupRow::reduces},
    {"product", "simd_product(x)", [](const Group& g, size_t) { return folded(g, g.width(), 1, times); },
     GroupRow::reduces},
    {"min", "simd_min(x)", [](const Group& g, size_t) { return folded(g, g.width(), 1000, smaller); },
     GroupRow::reduces},
    {"max", "simd_max(x)", [](const Group& g, size_t) { return folded(g, g.width(), -1000, larger); },
     GroupRow::reduces},
    {"prefix_inclusive_sum", "simd_prefix_inclusive_sum(x)",
     [](const Group& g, size_t lane) { return folded(g, lane + 1, 0, plus); }, GroupRow::reduces},
    {"prefix_exclusive_sum", "simd_prefix_exclusive_sum(x)",
     [](const Group& g, size_t lane) { return folded(g, lane, 0, plus); }, GroupRow::reduces},
    {"prefix_inclusive_product", "simd_prefix_inclusive_product(x)",
     [](const Group& g, size_t lane) { return folded(g, lane + 1, 1, times); }, GroupRow::reduces},
    {"prefix_exclusive_product", "simd_prefix_exclusive_product(x)",
     [](const Group& g, size_t lane) { return folded(g, lane, 1, times); }, GroupRow::reduces},
    {"broadcast_first", "simd_broadcast_first(x)", [](const Group& g, size_t) { return g.x[firstActive(g)]; },
     GroupRow::reduces},
    {"and", "simd_and(x)", [](const Group& g, size_t) { return folded(g, g.width(), -1, both); },
     GroupRow::bits},
    {"or", "simd_or(x)", [](const Group& g, size_t) { return folded(g, g.width(), 0, either); },
     GroupRow::bits},
    {"xor", "simd_xor(x)", [](const Group& g, size_t) { return folded(g, g.width(), 0, oneOf); },
     GroupRow::bits},
    {"broadcast", "simd_broadcast(x, 3)", [](const Group& g, size_t) { return g.x[3]; }, GroupRow::moves},
    {"shuffle", "simd_shuffle(x, ushort((lane * 3 + 1) % width))",
     [](const Group& g, size_t lane) { return g.x[(lane * 3 + 1) % g.width()]; }, GroupRow::moves},
    {"shuffle_xor", "simd_shuffle_xor(x, 3)", [](const Group& g, size_t lane) { return g.x[lane ^ 3]; },
     GroupRow::moves},
    {"shuffle_up", "simd_shuffle_up(x, 2)",
     [](const Group& g, size_t lane) { return lane >= 2 ? g.x[lane - 2] : kAnything; }, GroupRow::moves},
    {"shuffle_down", "simd_shuffle_down(x, 1)",
     [](const Group& g, size_t lane) { return lane + 1 < g.width() ? g.x[lane + 1] : kAnything; },
     GroupRow::moves},
    {"shuffle_rotate_up", "simd_shuffle_rotate_up(x, 1)",
     [](const Group& g, size_t lane) { return g.x[(lane + g.width() - 1) % g.width()]; }, GroupRow::moves},
    {"shuffle_rotate_down", "simd_shuffle_rotate_down(x, 3)",
     [](const Group& g, size_t lane) { return g.x[(lane + 3) % g.width()]; }, GroupRow::moves},
    // The filling is x + 8; from below come its upper threads, from above its lower ones.
    {"shuffle_and_fill_up", "simd_shuffle_and_fill_up(x, filling, 2)",
     [](const Group& g, size_t lane) { return lane >= 2 ? g.x[lane - 2] : g.x[lane + g.width() - 2] + 8; },
     GroupRow::moves},
    {"shuffle_and_fill_down", "simd_shuffle_and_fill_down(x, filling, 1)",
     [](const Group& g, size_t lane) {
       return lane + 1 < g.width() ? g.x[lane + 1] : g.x[lane + 1 - g.width()] + 8;
     },
     GroupRow::moves},
    {"shuffle_and_fill_up", "simd_shuffle_and_fill_up(x, filling, 1, 2)",
     [](const Group& g, size_t lane) { return lane % 2 ? g.x[lane - 1] : g.x[lane + 1] + 8; },
     GroupRow::moves},
    {"shuffle_and_fill_down", "simd_shuffle_and_fill_down(x, filling, 1, 2)",
     [](const Group& g, size_t lane) { return lane % 2 ? g.x[lane - 1] + 8 : g.x[lane + 1]; },
     GroupRow::moves},
    // Votes: is x above 2?
    {"all", "T(simd_all(x > T(2)))",
     [](const Group& g, size_t) {
       for (size_t i = 0; i < g.width(); ++i)
         if (g.active[i] && g.x[i] <= 2) return 0.0;
       return 1.0;
     },
     GroupRow::reduces},
    {"any", "T(simd_any(x > T(2)))",
     [](const Group& g, size_t) {
       for (size_t i = 0; i < g.width(); ++i)
         if (g.active[i] && g.x[i] > 2) return 1.0;
       return 0.0;
     },
     GroupRow::reduces},
    {"is_first", "T(simd_is_first())",
     [](const Group& g, size_t lane) { return double(lane == firstActive(g)); }, GroupRow::reduces},
    {"ballot", "T(popcount(ulong(VOTE(simd_ballot(x > T(2))))))",
     [](const Group& g, size_t) {
       double count = 0;
       for (size_t i = 0; i < g.width(); ++i) count += g.active[i] && g.x[i] > 2;
       return count;
     },
     GroupRow::reduces},
    {"ballot", "T((ulong(VOTE(simd_ballot(x > T(2)))) >> lane) & 1ul)",
     [](const Group& g, size_t lane) { return double(g.x[lane] > 2); }, GroupRow::reduces},
    {"active_threads_mask", "T(popcount(ulong(VOTE(simd_active_threads_mask()))))",
     [](const Group& g, size_t) { return double(std::count(g.active.begin(), g.active.end(), true)); },
     GroupRow::reduces},
};

class GroupNumbers : public MetalFixture {
 protected:
  static constexpr size_t kThreads = 128, kThreadgroup = 64;

  void check(const char* type, bool quads, unsigned vector = 1) {
    const std::string t = type, prefix = quads ? "quad_" : "simd_";
    const bool integers = t != "float" && t != "half",
               isSigned = t != "uint" && t != "ushort" && t != "uchar" && t != "ulong";
    std::string source =
        "#include <metal_stdlib>\nusing namespace metal;\ntypedef " + t + " T;\n#define VOTE(v) (" + prefix +
        "vote::vote_t)(v)\n" +
        "kernel void k(const device int* in [[buffer(0)]], device float* out [[buffer(1)]], device uint4* "
        "places [[buffer(2)]],\n"
        "  uint id [[thread_position_in_grid]], uint group [[threadgroup_position_in_grid]], uint simdLane "
        "[[thread_index_in_simdgroup]],\n"
        "  uint simdWidth [[threads_per_simdgroup]], uint simdgroup [[simdgroup_index_in_threadgroup]]) {\n";
    source +=
        quads
            ? "  uint lane = simdLane & 3, width = 4, number = simdgroup * (simdWidth / 4) + simdLane / 4;\n"
            : "  uint lane = simdLane, width = simdWidth, number = simdgroup;\n";
    source += "  places[id] = uint4(group * 64 + number, lane, width, 0);\n";
    const auto valueOf = [&](const char* text) {
      std::string value = t + std::to_string(vector) + "(";
      for (unsigned i = 0; i + 1 < vector; ++i) value += "T(0), ";
      return vector == 1 ? std::string(text) : value + text + ")";
    };
    source += "  T scalar = T(in[id]); auto x = " + valueOf("scalar") +
              ", filling = " + valueOf("T(scalar + T(8))") + ";\n";
    struct Part {
      const GroupRow* row;
      bool some;
    };
    std::vector<Part> parts;
    for (const GroupRow& row : kRows) {
      if (row.kind == GroupRow::bits && !integers) continue;
      std::string body = row.body;
      if (vector > 1 && body.find("T(") != std::string::npos) continue; // votes are of scalars
      for (size_t at = 0; (at = body.find("simd_", at)) != std::string::npos; at += 5)
        body.replace(at, 5, prefix);
      if (vector > 1) body = "(" + body + ")[" + std::to_string(vector - 1) + "]";
      for (bool some : {false, true}) {
        if (some && row.kind == GroupRow::moves) continue;
        const std::string at =
            "out[" + std::to_string(parts.size()) + " * " + std::to_string(kThreads) + " + id]";
        source += some ? "  if (in[id + 128]) { " + at + " = float(" + body + "); }\n"
                       : "  " + at + " = float(" + body + ");\n";
        parts.push_back({&row, some});
      }
    }
    auto lib = library(source + "}\n");
    ASSERT_TRUE(lib);
    auto pipeline = computePipeline(lib.get(), "k");
    ASSERT_TRUE(pipeline);
    std::vector<int> in(kThreads * 2);
    for (size_t i = 0; i < kThreads; ++i) {
      // Few that are not 1, so that products stay small.
      in[i] = i % 13 == 5 ? 3 : i % 11 == 7 ? 2 : isSigned && i % 17 == 3 ? -1 : i % 29 == 28 ? 5 : 1;
      in[kThreads + i] = (i * 7 + i / 8) % 5 < 3;
    }
    auto input = sharedBuffer(in), output = sharedBuffer(parts.size() * kThreads * 4),
         where = sharedBuffer(kThreads * 16);
    auto table = argumentTable(3);
    table->setAddress(input->gpuAddress(), 0);
    table->setAddress(output->gpuAddress(), 1);
    table->setAddress(where->gpuAddress(), 2);
    dispatch(pipeline.get(), table.get(), MTL::Size::Make(kThreads, 1, 1),
             MTL::Size::Make(kThreadgroup, 1, 1));
    const auto got = contents<float>(output.get());
    const auto places = contents<uint32_t>(where.get());
    for (size_t p = 0; p < parts.size(); ++p) {
      int wrong = 0;
      for (size_t i = 0; i < kThreads && wrong < 2; ++i) {
        Group group;
        group.x.assign(places[i * 4 + 2], 0);
        group.active.assign(places[i * 4 + 2], false);
        for (size_t other = 0; other < kThreads; ++other) {
          if (places[other * 4] != places[i * 4]) continue;
          ASSERT_LT(places[other * 4 + 1], group.width());
          group.x[places[other * 4 + 1]] = in[other];
          group.active[places[other * 4 + 1]] = !parts[p].some || in[kThreads + other];
        }
        const size_t lane = places[i * 4 + 1];
        if (!group.active[lane]) continue;
        double wanted = parts[p].row->reference(group, lane);
        if (t == "uchar" && wanted != kAnything) wanted = double(uint8_t(int64_t(wanted))); // products wrap
        if (wanted == kAnything || double(got[p * kThreads + i]) == wanted) continue;
        ++wrong;
        ADD_FAILURE() << prefix << parts[p].row->name << " of " << t << vector
                      << (parts[p].some ? ", some threads" : "") << ": lane " << lane << " of "
                      << group.width() << " has " << got[p * kThreads + i] << ", expected " << wanted;
      }
    }
  }
};

TEST_F(GroupNumbers, SimdgroupsOfScalars) {
  for (const char* type : {"int", "float", "half", "uchar"}) check(type, false);
}
TEST_F(GroupNumbers, SimdgroupsOfVectors) { check("float", false, 3); }
TEST_F(GroupNumbers, QuadsOfScalars) {
  for (const char* type : {"int", "half"}) check(type, true);
}
TEST_F(GroupNumbers, MatricesOfSimdgroups) {
  auto lib = library(R"(#include <metal_stdlib>
using namespace metal;
kernel void k(const device float* a [[buffer(0)]], const device float* b [[buffer(1)]], device float* out [[buffer(2)]]) {
  simdgroup_float8x8 x, y, product, sum = make_filled_simdgroup_matrix<float, 8, 8>(0.5f);
  simdgroup_load(x, a, 8);
  simdgroup_load(y, b, 8);
  simdgroup_multiply(product, x, y);
  simdgroup_store(product, out, 8);
  simdgroup_multiply_accumulate(sum, x, make_diagonal_simdgroup_matrix<float, 8, 8>(3.0f), sum);
  simdgroup_store(sum, out + 64, 8);
})");
  ASSERT_TRUE(lib);
  auto pipeline = computePipeline(lib.get(), "k");
  ASSERT_TRUE(pipeline);
  std::vector<float> a, b;
  for (int i = 0; i < 64; ++i) {
    a.push_back(float(i % 7 - 3));
    b.push_back(float(i * 5 % 11 - 4));
  }
  auto first = sharedBuffer(a), second = sharedBuffer(b), out = sharedBuffer(128 * 4);
  auto table = argumentTable(3);
  table->setAddress(first->gpuAddress(), 0);
  table->setAddress(second->gpuAddress(), 1);
  table->setAddress(out->gpuAddress(), 2);
  dispatch(pipeline.get(), table.get(), MTL::Size::Make(32, 1, 1), MTL::Size::Make(32, 1, 1));
  const auto got = contents<float>(out.get());
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 8; ++column) {
      float wanted = 0;
      for (int k = 0; k < 8; ++k) wanted += a[row * 8 + k] * b[k * 8 + column];
      ASSERT_EQ(got[row * 8 + column], wanted) << row << ", " << column;
      ASSERT_EQ(got[64 + row * 8 + column], 3 * a[row * 8 + column] + 0.5f) << row << ", " << column;
    }
}

// ---- atomics
// --------------------------------------------------------------------------------------------------------

// Threads that all do the same to one object: the end is the same in whatever order they come.
struct AtomicRow {
  const char* name;
  const char* body; // with a (the atomic), v (the thread's own value); gives what was there
  double start;
  double (*value)(size_t thread);
  double (*combine)(double, double);
  bool floats;
};
const AtomicRow kAtomics[] = {
    {"atomic_fetch_add_explicit", "atomic_fetch_add_explicit(a, v, memory_order_relaxed)", 5,
     [](size_t i) { return double(i % 7); }, plus, true},
    {"atomic_fetch_sub_explicit", "atomic_fetch_sub_explicit(a, v, memory_order_relaxed)", 5000,
     [](size_t i) { return double(i % 5); }, [](double a, double b) { return a - b; }, true},
    {"atomic_fetch_min_explicit", "atomic_fetch_min_explicit(a, v, memory_order_relaxed)", 900,
     [](size_t i) { return double((i * 37) % 101 + 3); }, smaller, false},
    {"atomic_fetch_max_explicit", "atomic_fetch_max_explicit(a, v, memory_order_relaxed)", 2,
     [](size_t i) { return double((i * 37) % 101 + 3); }, larger, false},
    {"atomic_fetch_and_explicit", "atomic_fetch_and_explicit(a, v, memory_order_relaxed)", 0xffff,
     [](size_t i) { return double(0xffff ^ (1 << i % 11)); }, both, false},
    {"atomic_fetch_or_explicit", "atomic_fetch_or_explicit(a, v, memory_order_relaxed)", 1,
     [](size_t i) { return double(1 << i % 13); }, either, false},
    {"atomic_fetch_xor_explicit", "atomic_fetch_xor_explicit(a, v, memory_order_relaxed)", 9,
     [](size_t i) { return double(i * 2654435761u % 4096); }, oneOf, false},
    {"atomic_exchange_explicit", "atomic_exchange_explicit(a, v, memory_order_relaxed)", 7,
     [](size_t i) { return double(i + 100); }, nullptr, true},
    {"atomic_compare_exchange_weak_explicit",
     "[&]() { T seen = atomic_load_explicit(a, memory_order_relaxed); while "
     "(!atomic_compare_exchange_weak_explicit(a, &seen, T(seen + v), "
     "memory_order_relaxed, memory_order_relaxed)); return seen; }()",
     3, [](size_t i) { return double(i % 4 + 1); }, plus, true},
};

class AtomicNumbers : public MetalFixture {
 protected:
  static constexpr size_t kThreads = 64;

  void check(const std::string& type, bool threadgroup) {
    std::string source = "#include <metal_stdlib>\nusing namespace metal;\ntypedef " + type + " T;\n";
    std::vector<const AtomicRow*> rows;
    for (const AtomicRow& row : kAtomics) {
      if (type == "float" && !row.floats) continue;
      const std::string name = "k" + std::to_string(rows.size());
      source += "kernel void " + name +
                "(device atomic<T>* object [[buffer(0)]], const device T* in [[buffer(1)]], device T* out "
                "[[buffer(2)]], "
                "uint id [[thread_position_in_grid]]) {\n  T v = in[id];\n";
      if (threadgroup)
        source += "  threadgroup atomic<T> local; threadgroup atomic<T>* a = &local;\n"
                  "  if (id == 0) atomic_store_explicit(a, atomic_load_explicit(object, "
                  "memory_order_relaxed), memory_order_relaxed);\n"
                  "  threadgroup_barrier(mem_flags::mem_threadgroup);\n";
      else
        source += "  device atomic<T>* a = object;\n";
      source += std::string("  out[id] = ") + row.body + ";\n";
      if (threadgroup)
        source += "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
                  "  if (id == 0) atomic_store_explicit(object, atomic_load_explicit(a, "
                  "memory_order_relaxed), memory_order_relaxed);\n";
      source += "}\n";
      rows.push_back(&row);
    }
    auto lib = library(source);
    ASSERT_TRUE(lib);
    const bool floats = type == "float";
    const auto asWord = [&](double value) {
      const float f = float(value);
      uint32_t word = uint32_t(int64_t(value));
      if (floats) std::memcpy(&word, &f, 4);
      return word;
    };
    const auto asValue = [&](uint32_t word) {
      float f = 0;
      std::memcpy(&f, &word, 4);
      return floats ? double(f) : double(word);
    };
    for (size_t r = 0; r < rows.size(); ++r) {
      const AtomicRow& row = *rows[r];
      SCOPED_TRACE(std::string(row.name) + " of " + type +
                   (threadgroup ? " in threadgroup memory" : " in device memory"));
      auto pipeline = computePipeline(lib.get(), "k" + std::to_string(r));
      ASSERT_TRUE(pipeline);
      std::vector<uint32_t> values;
      for (size_t i = 0; i < kThreads; ++i) values.push_back(asWord(row.value(i)));
      auto object = sharedBuffer(std::vector<uint32_t>{asWord(row.start)}), in = sharedBuffer(values),
           out = sharedBuffer(kThreads * 4);
      auto table = argumentTable(3);
      table->setAddress(object->gpuAddress(), 0);
      table->setAddress(in->gpuAddress(), 1);
      table->setAddress(out->gpuAddress(), 2);
      dispatch(pipeline.get(), table.get(), kThreads);
      const double end = asValue(contents<uint32_t>(object.get())[0]);
      std::vector<double> seen;
      for (uint32_t word : contents<uint32_t>(out.get())) seen.push_back(asValue(word));
      if (!row.combine) {
        // Everything that was ever there was seen once, or is there still.
        std::vector<double> wanted{row.start};
        for (size_t i = 0; i < kThreads; ++i) wanted.push_back(row.value(i));
        seen.push_back(end);
        std::sort(seen.begin(), seen.end());
        std::sort(wanted.begin(), wanted.end());
        EXPECT_EQ(seen, wanted);
        continue;
      }
      double wanted = row.start;
      for (size_t i = 0; i < kThreads; ++i) wanted = row.combine(wanted, row.value(i));
      EXPECT_EQ(end, wanted);
      // Some thread came first, and some last.
      EXPECT_NE(std::find(seen.begin(), seen.end(), row.start), seen.end());
      bool last = false;
      for (size_t i = 0; i < kThreads; ++i) last = last || row.combine(seen[i], row.value(i)) == end;
      EXPECT_TRUE(last);
    }
  }
};

TEST_F(AtomicNumbers, OfIntegersInBothMemories) {
  for (const char* type : {"int", "uint"})
    for (bool threadgroup : {false, true}) check(type, threadgroup);
}
TEST_F(AtomicNumbers, OfFloatsInBothMemories) {
  for (bool threadgroup : {false, true}) check("float", threadgroup);
}
TEST_F(AtomicNumbers, SignedAndUnsignedLimitsDiffer) {
  auto lib = library(R"(#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_int* s [[buffer(0)]], device atomic_uint* u [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  int values[] = {-5, 3, 7, -9};
  atomic_fetch_min_explicit(s, values[id & 3], memory_order_relaxed);
  atomic_fetch_max_explicit(s + 1, values[id & 3], memory_order_relaxed);
  atomic_fetch_min_explicit(u, uint(values[id & 3]), memory_order_relaxed);
  atomic_fetch_max_explicit(u + 1, uint(values[id & 3]), memory_order_relaxed);
})");
  ASSERT_TRUE(lib);
  auto pipeline = computePipeline(lib.get(), "k");
  ASSERT_TRUE(pipeline);
  auto s = sharedBuffer(std::vector<int>{0, 0}), u = sharedBuffer(std::vector<uint32_t>{100, 0});
  auto table = argumentTable(2);
  table->setAddress(s->gpuAddress(), 0);
  table->setAddress(u->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), 64);
  EXPECT_EQ(contents<int>(s.get()), (std::vector<int>{-9, 7}));
  EXPECT_EQ(contents<uint32_t>(u.get()), (std::vector<uint32_t>{3, uint32_t(-5)}));
}
TEST_F(AtomicNumbers, LongLimitsOrTheirAbsenceByName) {
  auto lib = library(R"(#include <metal_stdlib>
using namespace metal;
kernel void k(device atomic_ulong* a [[buffer(0)]], uint id [[thread_position_in_grid]]) {
  ulong v = (ulong(id * 7 % 64 + 1) << 40) | id;
  atomic_min_explicit(a, v, memory_order_relaxed);
  atomic_max_explicit(a + 1, v, memory_order_relaxed);
})");
  ASSERT_TRUE(lib);
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto kernel = function(lib.get(), "k");
  descriptor->setComputeFunctionDescriptor(kernel.get());
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
  if (!pipeline) {
    EXPECT_NE(text(error).find("64-bit"), std::string::npos) << text(error);
    return;
  }
  auto object = sharedBuffer(std::vector<uint64_t>{~uint64_t(0), 0});
  auto table = argumentTable(1);
  table->setAddress(object->gpuAddress(), 0);
  dispatch(pipeline.get(), table.get(), 64);
  uint64_t low = ~uint64_t(0), high = 0;
  for (uint64_t id = 0; id < 64; ++id) {
    const uint64_t v = ((id * 7 % 64 + 1) << 40) | id;
    low = std::min(low, v);
    high = std::max(high, v);
  }
  EXPECT_EQ(contents<uint64_t>(object.get()), (std::vector<uint64_t>{low, high}));
}

} // namespace
} // namespace basanite::tests
