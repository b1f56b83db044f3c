// SPDX-License-Identifier: Apache-2.0
// What kernels compute: control flow, integers, conversions, halves and math, each against the same thing on the CPU.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace basanite::tests {
namespace {

// Cases that fall through are part of what is tested, and a macro's argument cannot hold a comment that says so.
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"

// Compiles the same text for the CPU and as MSL.
#define BASANITE_BOTH(name, ...) \
  namespace name {               \
  __VA_ARGS__                    \
  }                              \
  constexpr const char* name##Text = #__VA_ARGS__;

using uint = uint32_t;

class Arithmetic : public MetalFixture {
 protected:
  // out[id] = kernel(in[id]); 32-bit words in and out, `outWords` a thread.
  std::vector<uint> run(MTL::Library* library, const char* kernel, const std::vector<uint>& in, size_t threads,
                        size_t outWords = 1) {
    auto pipeline = computePipeline(library, kernel);
    if (!pipeline) return {};
    auto input = sharedBuffer(in), output = sharedBuffer(threads * outWords * 4);
    auto table = argumentTable(2);
    table->setAddress(input->gpuAddress(), 0);
    table->setAddress(output->gpuAddress(), 1);
    dispatch(pipeline.get(), table.get(), threads);
    return contents<uint>(output.get());
  }
};

// ---- control flow ------------------------------------------------------------------------------------------------

BASANITE_BOTH(
    torture,
    // Loops in loops, left and continued from every depth.
    inline uint nested(uint seed) {
      uint total = 0;
      for (uint i = 0; i < 12; ++i) {
        if ((seed >> i) & 1) continue;
        uint j = 0;
        while (true) {
          j += 1 + (seed & 3);
          if (j > 20) break;
          if ((i + j) % 5 == 0) continue;
          uint k = j;
          do {
            total += i * j + k;
            if ((total & 31) == 7) return total * 1000 + 1;
            if (k % 3 == 1) break;
            --k;
          } while (k > j / 2);
          if (total > 5000) break;
        }
        if (total > 6000) return total + 2;
      }
      return total;
    }
    // Cases that fall through, share bodies and leave the loop around them.
    inline uint switched(uint seed) {
      uint state = seed % 9;
      uint result = seed;
      for (int step = 0; step < 20; ++step) {
        switch (state) {
          case 0: result = result * 3 + 1; state = 4; break;
          case 1:
          case 2: result ^= 0x5a5a; state = result % 9; continue;
          case 3: result += 7;
          case 4: result += 11; state = (state + 3) % 9; break;
          case 5: if (result & 1) return result + 500;
          case 6: { for (uint i = 0; i < state; ++i) { if (i == 3) break; result += i * i; } state = 8; break; }
          case 7: return result;
          default: result = (result >> 3) | (result << 29); state = result % 8; break;
        }
        if (result == 12345) break;
        result += uint(step);
      }
      return result ^ state;
    }
    inline bool isPrime(uint n) {
      if (n < 2) return false;
      for (uint d = 2; d * d <= n; ++d)
        if (n % d == 0) return false;
      return true;
    }
    // Short-circuit conditions with side effects, calls in conditions, several exits.
    inline uint shortCircuit(uint seed) {
      uint count = 0;
      uint n = seed % 300;
      while (n > 1 && (isPrime(n) || ((n & 1) && ++count < 40) || n % 7 != 3)) {
        if (isPrime(n) && n % 4 == 1) { count += n; n -= 2; }
        else if (n % 3 == 0) n /= 3;
        else { n -= 1; count += 3; if (count > 200) return count + 100000; }
      }
      return count * 31 + n;
    }
    // Arrays indexed at run time, insertion sort, swaps.
    inline uint sorted(uint seed) {
      int values[10];
      for (int i = 0; i < 10; ++i) { seed = seed * 1664525u + 1013904223u; values[i] = int(seed >> 20) - 2000; }
      for (int i = 1; i < 10; ++i) {
        int v = values[i];
        int j = i - 1;
        for (; j >= 0 && values[j] > v; --j) values[j + 1] = values[j];
        values[j + 1] = v;
      }
      uint hash = 0;
      for (int i = 0; i < 10; ++i) hash = hash * 131 + uint(values[i]);
      return hash;
    }
    // Loop-carried values swapped every round.
    inline uint gcdSum(uint seed) {
      uint a = seed % 10007 + 1, b = seed / 10007 % 9973 + 1, rounds = 0;
      while (b != 0) { uint t = a % b; a = b; b = t; ++rounds; }
      return a * 100 + rounds;
    }
    // A loop whose exit leads to different places.
    inline uint collatz(uint seed) {
      uint n = seed % 5000 + 1;
      for (uint steps = 0; ; ++steps) {
        if (n == 1) return steps;
        if (steps == 90) return 1000000 + n;
        n = (n & 1) ? 3 * n + 1 : n / 2;
      }
    }
    inline uint ternaries(uint seed) {
      int a = int(seed & 255) - 128, b = int((seed >> 8) & 255) - 128;
      int c = a > b ? (a > 0 ? a - b : b * 2) : (b > 50 ? -a : (a == b ? 77 : a * b));
      return uint(c) + ((seed >> 16) % 3 == 0 ? 1u : (seed >> 16) % 3 == 1 ? 10u : 100u);
    })

constexpr const char* kTortureKernels[] = {"nested", "switched", "shortCircuit", "sorted", "gcdSum", "collatz", "ternaries"};

TEST_F(Arithmetic, ControlFlowGoesWhereTheCpuGoes) {
  std::string source = std::string("#include <metal_stdlib>\nusing namespace metal;\n") + tortureText + "\n";
  for (const char* name : kTortureKernels)
    source += std::string("kernel void ") + name +
              "Kernel(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]],"
              " uint id [[thread_position_in_grid]]) { out[id] = " + name + "(in[id]); }\n";
  auto lib = library(source);
  ASSERT_TRUE(lib);
  std::mt19937 random(11);
  std::vector<uint> in(4096);
  for (size_t i = 0; i < in.size(); ++i) in[i] = i < 512 ? uint(i) : random();
  const auto check = [&](const char* kernel, uint (*reference)(uint)) {
    auto got = run(lib.get(), kernel, in, in.size());
    ASSERT_EQ(got.size(), in.size()) << kernel;
    int shown = 0;
    for (size_t i = 0; i < in.size() && shown < 3; ++i)
      if (const uint wanted = reference(in[i]); got[i] != wanted) {
        ADD_FAILURE() << kernel << "(" << in[i] << ") is " << got[i] << ", expected " << wanted;
        ++shown;
      }
  };
  check("nestedKernel", torture::nested);
  check("switchedKernel", torture::switched);
  check("shortCircuitKernel", torture::shortCircuit);
  check("sortedKernel", torture::sorted);
  check("gcdSumKernel", torture::gcdSum);
  check("collatzKernel", torture::collatz);
  check("ternariesKernel", torture::ternaries);
}

// ---- language ----------------------------------------------------------------------------------------------------

TEST_F(Arithmetic, OverloadsTemplatesMethodsAndConstantTables) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;

constant uint kPrimes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
struct Knot { float at; float2 value; };
constant Knot kCurve[] = {{0.0f, float2(1, 2)}, {1.0f, float2(3, 4)}, {2.0f, float2(5, 6)}};
constant float3x3 kMatrix = float3x3(float3(1, 4, 7), float3(2, 5, 8), float3(3, 6, 9));
constexpr constant int kShift = 3;

namespace detail {
template <typename T> struct Stack {
  T items[6];
  int count = 0;
  void push(T item) thread { items[count++] = item; }
  T pop() thread { return items[--count]; }
  int size() const thread { return count; }
};
}
template <typename T, int N> T sum(thread const T (&values)[N]) {
  T total = T(0);
  for (int i = 0; i < N; ++i) total += values[i];
  return total;
}
template <int N> struct Factorial { static constexpr constant int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static constexpr constant int value = 1; };

int kind(int) { return 1; }
int kind(uint) { return 2; }
int kind(float) { return 3; }
int kind(half) { return 4; }
int kind(float2) { return 5; }
int kind(thread int*) { return 6; }
int kind(device uint*) { return 7; }

struct Complex {
  float re, im;
  Complex(float r = 0, float i = 0) : re(r), im(i) {}
  Complex operator*(Complex b) const { return Complex(re * b.re - im * b.im, re * b.im + im * b.re); }
  thread Complex& operator+=(Complex b) thread { re += b.re; im += b.im; return *this; }
};
struct Base { int id() const { return 40; } int n = 1; };
struct Derived : Base { int m = 2; int all() const { return id() + n + m; } };
void divide(int a, int b, thread int& quotient, thread int& rest) { quotient = a / b; rest = a % b; }
static inline float byDefault(float x, float scale = 10.0f) { return x * scale; }

kernel void language(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  device uint* to = out + id * 16;
  uint x = in[id];
  to[0] = kPrimes[x % 8] * kPrimes[(x / 8) % 8];
  to[1] = uint(kCurve[x % 3].value.y + kCurve[x % 3].at * 10);
  to[2] = uint((kMatrix * float3(1, 10, 100))[x % 3]);
  detail::Stack<float2> stack;
  for (uint i = 0; i < 5; ++i) stack.push(float2(i, x));
  stack.pop();
  to[3] = uint(stack.pop().x) * 10;
  to[3] += uint(stack.size());
  int values[4] = {int(x), 2, 3, 4};
  float floats[3] = {0.5f, 0.25f, 0.25f};
  to[4] = uint(sum(values)) * 10 + uint(sum(floats));
  to[5] = Factorial<5>::value;
  int local = 3;
  to[6] = kind(1) + 10 * kind(1u) + 100 * kind(1.0f) + 1000 * kind(half(1)) + 10000 * kind(float2(1)) +
          100000 * kind(&local) + 1000000 * kind(out);
  Complex c = Complex(1, 2) * Complex(3, -1);
  c += Complex(10);
  to[7] = uint(c.re) * 100 + uint(c.im);
  Derived derived;
  derived.n = int(x % 7);
  to[8] = derived.all();
  int quotient, rest;
  divide(int(x % 1000), 7, quotient, rest);
  to[9] = quotient * 10 + rest;
  to[10] = uint(byDefault(2) + byDefault(2, 1));
  auto lambda = [x](uint y) { return x % 100 + y; };
  to[11] = lambda(5);
  uint4 v = uint4(1, 2, 3, 4);
  v.xw = v.wx;
  v.yz += uint2(10, 20);
  v.rgb = v.bgr;
  to[12] = v.x * 1000000 + v.y * 10000 + v.z * 100 + v.w;
  float4 mixed = float4(float2(1, 2), 3, 4).wzyx;
  mixed[x % 4] = 9;
  to[13] = uint(mixed.x * 1000 + mixed.y * 100 + mixed.z * 10 + mixed.w);
  to[14] = select(10u, 20u, (x & 1) != 0) + (all(uint2(x) == uint2(x, x)) ? 1 : 0) + (any(uint2(x, 0) > uint2(x)) ? 100 : 0);
  to[15] = (x << kShift) >> kShift;
}
)";
  auto lib = library(source);
  ASSERT_TRUE(lib);
  std::vector<uint> in(64);
  for (uint i = 0; i < 64; ++i) in[i] = i * 37;
  auto got = run(lib.get(), "language", in, in.size(), 16);
  ASSERT_EQ(got.size(), 1024u);
  const uint primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
  for (size_t i = 0; i < in.size(); ++i) {
    const uint x = in[i];
    std::array<uint, 4> reversed{4, 3, 2, 1};
    reversed[x % 4] = 9;
    const std::array<uint, 16> wanted{primes[x % 8] * primes[(x / 8) % 8],
                                      2 + (x % 3) * 2 + (x % 3) * 10,
                                      std::array<uint, 3>{321, 654, 987}[x % 3],
                                      3 * 10 + 3,
                                      (x + 9) * 10 + 1,
                                      120,
                                      7654321,
                                      1505,
                                      40 + x % 7 + 2,
                                      (x % 1000) / 7 * 10 + x % 1000 % 7,
                                      22,
                                      x % 100 + 5,
                                      23u * 1000000 + 12 * 10000 + 4 * 100 + 1,
                                      reversed[0] * 1000 + reversed[1] * 100 + reversed[2] * 10 + reversed[3],
                                      ((x & 1) ? 20u : 10u) + 1,
                                      x};
    for (size_t word = 0; word < 16; ++word) ASSERT_EQ(got[i * 16 + word], wanted[word]) << "word " << word << " of " << x;
  }
}

// ---- integers ----------------------------------------------------------------------------------------------------

TEST_F(Arithmetic, IntegersOfEverySizeWrapDivideShiftAndSaturate) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void integers(const device uint2* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  device uint* to = out + id * 40;
  uint a = in[id].x, b = in[id].y;
  int sa = int(a), sb = int(b);
  uint shift = b & 31;
  int n = 0;
  to[n++] = a * b;
  to[n++] = a / b;
  to[n++] = a % b;
  to[n++] = uint(sa / sb);
  to[n++] = uint(sa % sb);
  to[n++] = uint(sa >> shift);
  to[n++] = a >> shift;
  to[n++] = a << shift;
  to[n++] = mulhi(a, b);
  to[n++] = uint(mulhi(sa, sb));
  to[n++] = clz(a);
  to[n++] = ctz(a);
  to[n++] = popcount(a);
  to[n++] = reverse_bits(a);
  to[n++] = rotate(a, shift);
  to[n++] = extract_bits(a, 5, 9);
  to[n++] = uint(extract_bits(sa, 5, 9));
  to[n++] = insert_bits(a, b, 4, 12);
  to[n++] = abs(sa);
  to[n++] = absdiff(sa, sb);
  to[n++] = addsat(a, b);
  to[n++] = uint(addsat(sa, sb));
  to[n++] = subsat(a, b);
  to[n++] = uint(subsat(sa, sb));
  to[n++] = hadd(a, b);
  to[n++] = uint(rhadd(sa, sb));
  to[n++] = uint(clamp(sa, -1000, 1000));
  to[n++] = min(a, b) ^ max(a, b);
  to[n++] = uint(min(sa, sb)) ^ uint(max(sa, sb));
  to[n++] = uint(int(char(a) * char(b)));
  to[n++] = uint(uchar(uchar(a) + uchar(b)));
  to[n++] = uint(int(short(short(a) * short(b))));
  to[n++] = uint(ushort(ushort(a) - ushort(b)));
  to[n++] = uint(int(char(a) >> 2)) + uint(uchar(a) >> 2);
  to[n++] = uint(int(short(a) / short(b | 1)));
  long wide = long(sa) * long(sb);
  to[n++] = uint(wide);
  to[n++] = uint(wide >> 32);
  ulong other = (ulong(a) << 32) | b;
  to[n++] = uint((other / 1000003ul) >> 7);
  to[n++] = uint(popcount(other) * 100 + clz(other));
  char4 bytes = as_type<char4>(a) + as_type<char4>(b);
  to[n++] = as_type<uint>(bytes);
}
)";
  auto lib = library(source);
  ASSERT_TRUE(lib);
  std::mt19937 random(5);
  std::vector<uint> in;
  const uint edges[] = {1, 2, 3, 7, 31, 32, 255, 256, 32767, 32768, 65535, 0x7fffffff, 0x80000001, 0xfffffffe};
  for (uint a : edges)
    for (uint b : edges) in.insert(in.end(), {a, b});
  while (in.size() < 1024) in.insert(in.end(), {uint(random()), uint(random() >> (random() % 30)) | 1});
  auto got = run(lib.get(), "integers", in, in.size() / 2, 40);
  ASSERT_EQ(got.size(), in.size() / 2 * 40);
  const auto clamped = [](int64_t value, int64_t low, int64_t high) { return uint(std::clamp(value, low, high)); };
  const auto reversed = [](uint value) {
    uint result = 0;
    for (int i = 0; i < 32; ++i) result |= ((value >> i) & 1) << (31 - i);
    return result;
  };
  for (size_t i = 0; i < in.size(); i += 2) {
    const uint a = in[i], b = in[i + 1], shift = b & 31;
    const int sa = int(a), sb = int(b);
    const int64_t wa = sa, wb = sb, product = wa * wb;
    const uint64_t ua = a, ub = b, other = (ua << 32) | b;
    uint bytes = 0;
    for (int k = 0; k < 4; ++k) bytes |= (((a >> (8 * k)) + (b >> (8 * k))) & 255) << (8 * k);
    const std::array<uint, 40> wanted{a * b,
                                      a / b,
                                      a % b,
                                      uint(wa / wb),
                                      uint(wa % wb),
                                      uint(sa >> shift),
                                      a >> shift,
                                      a << shift,
                                      uint((ua * ub) >> 32),
                                      uint(product >> 32),
                                      uint(std::countl_zero(a)),
                                      uint(std::countr_zero(a)),
                                      uint(std::popcount(a)),
                                      reversed(a),
                                      std::rotl(a, int(shift)),
                                      (a >> 5) & 511,
                                      uint(int(a << 18) >> 23),
                                      (a & ~0xfff0u) | ((b & 0xfff) << 4),
                                      uint(std::abs(wa)),
                                      uint(std::abs(wa - wb)),
                                      clamped(int64_t(ua + ub), 0, 0xffffffff),
                                      clamped(wa + wb, INT32_MIN, INT32_MAX),
                                      clamped(int64_t(ua) - int64_t(ub), 0, 0xffffffff),
                                      clamped(wa - wb, INT32_MIN, INT32_MAX),
                                      uint((ua + ub) >> 1),
                                      uint((wa + wb + 1) >> 1),
                                      clamped(wa, -1000, 1000),
                                      a ^ b,
                                      a ^ b,
                                      uint(int8_t(a) * int8_t(b)),
                                      uint(uint8_t(a + b)),
                                      uint(int16_t(uint(int16_t(a)) * uint(int16_t(b)))),
                                      uint(uint16_t(a - b)),
                                      uint(int8_t(a) >> 2) + (uint8_t(a) >> 2),
                                      uint(int16_t(a) / int16_t(b | 1)),
                                      uint(product),
                                      uint(product >> 32),
                                      uint((other / 1000003u) >> 7),
                                      uint(std::popcount(other) * 100 + std::countl_zero(other)),
                                      bytes};
    for (size_t word = 0; word < 40; ++word)
      ASSERT_EQ(got[i / 2 * 40 + word], wanted[word]) << "word " << word << " of " << a << ", " << b;
  }
}

TEST_F(Arithmetic, ConversionsSaturateRoundAndReinterpret) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void convert(const device float* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  device uint* to = out + id * 12;
  float x = in[id];
  to[0] = uint(int(x));
  to[1] = uint(x);
  to[2] = uint(int(short(x)));
  to[3] = uint(uchar(x));
  to[4] = uint(int(char(x)));
  to[5] = as_type<uint>(float(half(x)));
  to[6] = as_type<ushort>(half(x));
  to[7] = as_type<uint>(x);
  to[8] = x ? 1 : 0;
  long wide = long(x);
  to[9] = uint(wide);
  to[10] = uint(wide >> 32);
  to[11] = as_type<uint>(float(int(x)) + float(uint(x)));
}
)";
  // Fast math may take NaN and infinity for impossible.
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setMathMode(MTL::MathModeSafe);
  NS::Error* error = nullptr;
  auto lib = NS::TransferPtr(
      m_device->newLibrary(NS::String::string(source, NS::UTF8StringEncoding), options.get(), &error));
  ASSERT_TRUE(lib) << text(error);
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> values{0, 0.5f, 0.999f, 1, -1, -0.5f, 1.5f, 2.5f, -2.75f, 127, 128, 129.5f, -128, -129, 255, 256, 300,
                                  32767, 32768, 40000, -32768, -40000, 65504, 2147483520.0f, 2147483648.0f, 4294967040.0f,
                                  3e9f, -3e9f, 4294967296.0f, 1e10f, -1e10f, 1e30f, -1e30f, inf, -inf, std::nanf(""),
                                  0.1f, 1.0f / 3, 6.1035e-5f, 0.00061035f, 1024.6f, 3.14159f};
  std::vector<uint> in;
  for (float value : values) in.push_back(std::bit_cast<uint>(value));
  auto got = run(lib.get(), "convert", in, in.size(), 12);
  ASSERT_EQ(got.size(), in.size() * 12);
  const auto saturated = [](float x, double low, double high) -> int64_t {
    return std::isnan(x) ? 0 : int64_t(std::clamp(std::trunc(double(x)), low, high));
  };
  const auto toHalf = [](float x) -> uint {
    const uint bits = std::bit_cast<uint>(x), sign = (bits >> 16) & 0x8000;
    const double magnitude = std::fabs(double(x));
    if (std::isnan(x)) return sign | 0x7e00;
    if (magnitude >= 65520) return sign | 0x7c00;
    if (magnitude == 0) return sign;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const double unit = std::ldexp(1.0, std::max(exponent - 11, -24));
    const double rounded = std::nearbyint(magnitude / unit);
    if (exponent - 11 < -24) return sign | uint(rounded);
    return sign + (uint(exponent + 13) << 10) + uint(rounded);
  };
  for (size_t i = 0; i < values.size(); ++i) {
    const float x = values[i];
    SCOPED_TRACE(testing::Message() << "value " << x);
    const uint* to = &got[i * 12];
    EXPECT_EQ(int(to[0]), saturated(x, INT32_MIN, INT32_MAX));
    EXPECT_EQ(to[1], uint(saturated(x, 0, UINT32_MAX)));
    EXPECT_EQ(int(to[2]), saturated(x, -32768, 32767));
    EXPECT_EQ(to[3], uint(saturated(x, 0, 255)));
    EXPECT_EQ(int(to[4]), saturated(x, -128, 127));
    if (!std::isnan(x)) {
      EXPECT_EQ(to[6], toHalf(x));
      EXPECT_EQ(to[7], in[i]);
      if (std::fabs(x) < 60000) {
        EXPECT_NEAR(std::bit_cast<float>(to[5]), x, std::fabs(x) / 2048 + 6e-8f);
      }
    }
    EXPECT_EQ(to[8], x != 0 ? 1u : 0u);
    if (std::fabs(x) < 1e18f) {
      EXPECT_EQ(int64_t(to[9] | (uint64_t(to[10]) << 32)), int64_t(x));
    }
    EXPECT_EQ(std::bit_cast<float>(to[11]),
              float(int32_t(saturated(x, INT32_MIN, INT32_MAX))) + float(uint(saturated(x, 0, UINT32_MAX))));
  }
}

TEST_F(Arithmetic, HalvesComputeInTheirOwnPrecision) {
  constexpr const char* source = R"(
#include <metal_stdlib>
using namespace metal;
kernel void halves(const device half2* in [[buffer(0)]], device half* out [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  device half* to = out + id * 8;
  half a = in[id].x, b = in[id].y;
  to[0] = a + b;
  to[1] = a * b;
  to[2] = a - b;
  to[3] = fma(a, b, 0.5h);
  to[4] = max(a, b);
  to[5] = abs(b);
  half4 v = half4(a, b, a, b) * 2.0h;
  to[6] = v.x + v.w;
  to[7] = dot(half2(a, b), half2(1.0h, 2.0h));
}
)";
  auto lib = library(source);
  ASSERT_TRUE(lib);
  const auto toFloat = [](uint bits) {
    const int exponent = int(bits >> 10) & 31;
    const float magnitude = exponent ? std::ldexp(float((bits & 1023) + 1024), exponent - 25) : std::ldexp(float(bits & 1023), -24);
    return bits & 0x8000 ? -magnitude : magnitude;
  };
  std::vector<uint> in;
  std::mt19937 random(3);
  for (int i = 0; i < 256; ++i) {
    const auto one = [&] { return uint(random() & 0x83ff) | ((random() % 9 + 11) << 10); }; // magnitudes from 1/16 to 32
    in.push_back(one() | (one() << 16));
  }
  auto got = run(lib.get(), "halves", in, in.size(), 4);
  ASSERT_EQ(got.size(), in.size() * 4);
  for (size_t i = 0; i < in.size(); ++i) {
    const float a = toFloat(in[i] & 0xffff), b = toFloat(in[i] >> 16);
    const float wanted[] = {a + b, a * b, a - b, a * b + 0.5f, std::max(a, b), std::fabs(b), 2 * a + 2 * b, a + 2 * b};
    const float terms = std::fabs(a) + std::fabs(b);
    for (int k = 0; k < 8; ++k) {
      const float value = toFloat((got[i * 4 + k / 2] >> (16 * (k % 2))) & 0xffff);
      // One rounding to 11 bits, two where a product or sum is rounded before the last step.
      const float scale = k == 1 ? std::fabs(a * b) : k == 3 ? std::fabs(a * b) + 0.5f : k >= 6 ? 4 * terms : std::fabs(wanted[k]);
      EXPECT_NEAR(value, wanted[k], scale / 1024 + 1e-7f) << "result " << k << " of " << a << ", " << b;
    }
  }
}

// ---- math --------------------------------------------------------------------------------------------------------

struct MathCase {
  const char* expression; // of x and y
  double (*reference)(double x, double y);
  double low, high; // of x; y runs over 0.1 .. 4
  double relative, absolute;
};

// Errors as Metal states them for fast math, or Vulkan's where those are looser.
const MathCase kMath[] = {
    {"sin(x)", [](double x, double) { return std::sin(x); }, -3.14, 3.14, 0, 1.0 / 2048},
    {"cos(x)", [](double x, double) { return std::cos(x); }, -3.14, 3.14, 0, 1.0 / 2048},
    {"tan(x)", [](double x, double) { return std::tan(x); }, -1.2, 1.2, 1.0 / 512, 1.0 / 1024},
    {"asin(x)", [](double x, double) { return std::asin(x); }, -1, 1, 0, 1.0 / 1024},
    {"acos(x)", [](double x, double) { return std::acos(x); }, -1, 1, 0, 1.0 / 1024},
    {"atan(x)", [](double x, double) { return std::atan(x); }, -20, 20, 1.0 / 2048, 1e-5},
    {"atan2(x, y)", [](double x, double y) { return std::atan2(x, y); }, -20, 20, 1.0 / 2048, 1e-5},
    {"atan2(x, -y)", [](double x, double y) { return std::atan2(x, -y); }, 0.5, 20, 1.0 / 2048, 1e-5},
    {"sinh(x)", [](double x, double) { return std::sinh(x); }, -6, 6, 1e-4, 1e-4},
    {"cosh(x)", [](double x, double) { return std::cosh(x); }, -6, 6, 1e-4, 1e-4},
    {"tanh(x)", [](double x, double) { return std::tanh(x); }, -6, 6, 1e-4, 1e-4},
    {"exp(x)", [](double x, double) { return std::exp(x); }, -20, 20, 1e-5, 1e-30},
    {"exp2(x)", [](double x, double) { return std::exp2(x); }, -20, 20, 1e-5, 1e-30},
    {"exp10(x)", [](double x, double) { return std::pow(10.0, x); }, -8, 8, 1e-4, 1e-30},
    {"log(x)", [](double x, double) { return std::log(x); }, 0.01, 1000, 1e-5, 1e-5},
    {"log2(x)", [](double x, double) { return std::log2(x); }, 0.01, 1000, 1e-5, 1e-5},
    {"log10(x)", [](double x, double) { return std::log10(x); }, 0.01, 1000, 1e-5, 1e-5},
    {"pow(x, y)", [](double x, double y) { return std::pow(x, y); }, 0.05, 20, 1e-4, 1e-6},
    {"powr(x, y)", [](double x, double y) { return std::pow(x, y); }, 0.05, 20, 1e-4, 1e-6},
    {"sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0, 1000, 1e-6, 1e-7},
    {"rsqrt(x)", [](double x, double) { return 1 / std::sqrt(x); }, 0.01, 1000, 1e-6, 1e-7},
    {"fabs(x)", [](double x, double) { return std::fabs(x); }, -9, 9, 0, 0},
    {"floor(x)", [](double x, double) { return std::floor(x); }, -9, 9, 0, 0},
    {"ceil(x)", [](double x, double) { return std::ceil(x); }, -9, 9, 0, 0},
    {"round(x)", [](double x, double) { return std::round(x); }, -9, 9, 0, 0},
    {"rint(x)", [](double x, double) { return std::nearbyint(x); }, -9, 9, 0, 0},
    {"trunc(x)", [](double x, double) { return std::trunc(x); }, -9, 9, 0, 0},
    {"fract(x)", [](double x, double) { return x - std::floor(x); }, -9, 9, 0, 1e-6},
    {"fmod(x, y)", [](double x, double y) { return std::fmod(x, y); }, -9, 9, 0, 1e-5},
    {"fmin(x, y)", [](double x, double y) { return std::fmin(x, y); }, -9, 9, 0, 0},
    {"max(x, y)", [](double x, double y) { return std::fmax(x, y); }, -9, 9, 0, 0},
    {"clamp(x, -y, y)", [](double x, double y) { return std::clamp(x, -y, y); }, -9, 9, 0, 0},
    {"saturate(x)", [](double x, double) { return std::clamp(x, 0.0, 1.0); }, -2, 2, 0, 0},
    {"sign(x)", [](double x, double) { return double((x > 0) - (x < 0)); }, -2, 2, 0, 0},
    {"step(y, x)", [](double x, double y) { return x < y ? 0.0 : 1.0; }, -2, 5, 0, 0},
    {"mix(x, y, 0.25f)", [](double x, double y) { return x + (y - x) * 0.25; }, -9, 9, 1e-6, 1e-6},
    {"smoothstep(0.0f, y, x)",
     [](double x, double y) {
       const double t = std::clamp(x / y, 0.0, 1.0);
       return t * t * (3 - 2 * t);
     },
     -2, 5, 1e-5, 1e-5},
    {"fma(x, y, 3.0f)", [](double x, double y) { return x * y + 3; }, -9, 9, 1e-6, 1e-6},
    {"copysign(y, x)", [](double x, double y) { return std::copysign(y, x); }, -9, 9, 0, 0},
    {"ldexp(x, 5)", [](double x, double) { return x * 32; }, -9, 9, 0, 0},
    {"x / y", [](double x, double y) { return x / y; }, -9, 9, 1e-6, 0},
    {"length(float3(x, y, 2))", [](double x, double y) { return std::sqrt(x * x + y * y + 4); }, -9, 9, 1e-5, 1e-6},
    {"distance(float2(x, 0), float2(0, y))", [](double x, double y) { return std::hypot(x, y); }, -9, 9, 1e-5, 1e-6},
    {"dot(float4(x, y, 1, 2), float4(y, x, 3, 4))", [](double x, double y) { return 2 * x * y + 11; }, -9, 9, 1e-5, 1e-5},
    {"cross(float3(x, y, 1), float3(1, 2, 3)).z", [](double x, double y) { return 2 * x - y; }, -9, 9, 1e-5, 1e-5},
    {"normalize(float2(x, y)).y", [](double x, double y) { return y / std::hypot(x, y); }, -9, 9, 1e-5, 1e-6},
    {"reflect(float2(x, y), float2(0, 1)).y", [](double, double y) { return -y; }, -9, 9, 1e-6, 1e-6},
    {"faceforward(float2(0, y), float2(x, 0), float2(1, 0)).y", [](double x, double y) { return x < 0 ? y : -y; }, -9, 9, 0, 0},
    {"refract(normalize(float2(x, -y)), float2(0, 1), 0.5f).x",
     [](double x, double y) { return 0.5 * x / std::hypot(x, y); }, -9, 9, 1e-5, 1e-5},
    {"(isnan(x) ? 1.0f : 0.0f) + (isinf(y) ? 2.0f : 4.0f)", [](double, double) { return 4.0; }, -9, 9, 0, 0},
    {"precise::sin(x)", [](double x, double) { return std::sin(x); }, -3.14, 3.14, 0, 1.0 / 2048},
    {"fast::sqrt(x)", [](double x, double) { return std::sqrt(x); }, 0, 1000, 1e-6, 1e-7},
    {"(float2x2(x, y, 1, 2) * float2(3, 4)).y", [](double, double y) { return y * 3 + 8; }, -9, 9, 1e-6, 1e-6},
    {"determinant(float3x3(float3(x, 0, 1), float3(0, y, 0), float3(1, 0, 2)))",
     [](double x, double y) { return y * (2 * x - 1); }, -9, 9, 1e-5, 1e-5},
    {"transpose(float2x3(float3(1, x, 3), float3(4, y, 6)))[1].y", [](double, double y) { return y; }, -9, 9, 0, 0},
};

TEST_F(Arithmetic, MathFunctionsStayWithinTheirErrors) {
  constexpr size_t kCount = std::size(kMath), kSamples = 512;
  std::string source = "#include <metal_stdlib>\nusing namespace metal;\n"
                       "kernel void math(const device float2* in [[buffer(0)]], device float* out [[buffer(1)]],\n"
                       "                 uint id [[thread_position_in_grid]]) {\n  float x, y;\n";
  for (size_t i = 0; i < kCount; ++i)
    source += "  x = in[id * " + std::to_string(kCount) + " + " + std::to_string(i) + "].x;" +
              " y = in[id * " + std::to_string(kCount) + " + " + std::to_string(i) + "].y;" +
              " out[id * " + std::to_string(kCount) + " + " + std::to_string(i) + "] = " + kMath[i].expression + ";\n";
  source += "}\n";
  auto lib = library(source);
  ASSERT_TRUE(lib);
  std::mt19937 random(17);
  std::vector<float> inputs;
  for (size_t sample = 0; sample < kSamples; ++sample)
    for (const MathCase& c : kMath) {
      const double t = double(random() % 100001) / 100000, u = double(random() % 100001) / 100000;
      inputs.push_back(float(c.low + (c.high - c.low) * t));
      inputs.push_back(float(0.1 + 3.9 * u));
    }
  std::vector<uint> in(inputs.size());
  std::memcpy(in.data(), inputs.data(), inputs.size() * 4);
  auto got = run(lib.get(), "math", in, kSamples, kCount);
  ASSERT_EQ(got.size(), kSamples * kCount);
  for (size_t i = 0; i < kCount; ++i) {
    const MathCase& c = kMath[i];
    int wrong = 0;
    for (size_t sample = 0; sample < kSamples; ++sample) {
      const size_t at = sample * kCount + i;
      const double x = inputs[at * 2], y = inputs[at * 2 + 1], wanted = c.reference(x, y), value = std::bit_cast<float>(got[at]);
      if (std::fabs(value - wanted) <= c.relative * std::fabs(wanted) + c.absolute + std::fabs(wanted) * 6e-8) continue;
      if (wrong++ == 0)
        ADD_FAILURE() << c.expression << " with x = " << x << ", y = " << y << " is " << value << ", expected " << wanted;
    }
    EXPECT_EQ(wrong, 0) << c.expression << " of " << kSamples;
  }
}

} // namespace
} // namespace basanite::tests
