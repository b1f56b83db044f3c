// SPDX-License-Identifier: Apache-2.0
// Conversions between all scalar types and their vectors, as_type, and packing into integers.
#include "tests/api/numbers/numbers.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace basanite::tests {
namespace {

constexpr Scalar kTypes[] = {Scalar::f32, Scalar::f16, Scalar::bf16, Scalar::i8,
                             Scalar::u8,  Scalar::i16, Scalar::u16,  Scalar::i32,
                             Scalar::u32, Scalar::i64, Scalar::u64,  Scalar::boolean};

// An integer as a double, with the last bit set where it does not fit: what is rounded from it is rounded
// once.
double withOddRest(Wide value) {
  const bool negative = value < 0;
  Wide size = negative ? -value : value;
  int shift = 0;
  while ((size >> shift) >= (Wide(1) << 53)) ++shift;
  Wide kept = size >> shift;
  if ((kept << shift) != size) kept |= 1;
  const double result = std::ldexp(double(int64_t(kept)), shift);
  return negative ? -result : result;
}
Wide integerOf(Scalar type, uint64_t pattern) {
  const ScalarTraits& traits = traitsOf(type);
  if (type == Scalar::boolean) return pattern & 1;
  const uint64_t bits = traits.bits == 64 ? pattern : pattern & ((uint64_t(1) << traits.bits) - 1);
  return traits.isSigned && (bits >> (traits.bits - 1)) ? Wide(bits) - (Wide(1) << traits.bits) : Wide(bits);
}
uint64_t cut(Wide value, Scalar type) {
  const unsigned bits = traitsOf(type).bits;
  return bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << bits) - 1);
}
uint64_t converted(Scalar from, uint64_t pattern, Scalar to) {
  const ScalarTraits& target = traitsOf(to);
  if (!traitsOf(from).floating) {
    const Wide value = integerOf(from, pattern);
    if (to == Scalar::boolean) return value != 0;
    return target.floating ? patternOf(to, withOddRest(value)) : cut(value, to);
  }
  const double value = valueOf(from, pattern);
  if (to == Scalar::boolean) return value != 0;
  if (target.floating) return patternOf(to, value);
  // Metal saturates, and takes NaN for 0.
  if (std::isnan(value)) return 0;
  const double low = target.isSigned ? -std::ldexp(1.0, int(target.bits) - 1) : 0,
               high = std::ldexp(1.0, int(target.bits) - int(target.isSigned));
  const Wide limit = target.isSigned ? (Wide(1) << (target.bits - 1)) - 1 : (Wide(1) << target.bits) - 1;
  if (value >= high) return cut(limit, to);
  if (value <= low) return cut(target.isSigned ? -limit - 1 : Wide(0), to);
  return cut(Wide(value), to);
}

class ConversionNumbers : public Numbers {
 protected:
  void check(bool fastMath) {
    std::vector<Kernel> kernels;
    for (Scalar from : kTypes) {
      Kernel kernel;
      kernel.name = std::string("from_") + traitsOf(from).name;
      kernel.xType = kernel.yType = kernel.zType = from;
      kernel.widths = {1, fastMath ? 2u : kernels.size() % 2 ? 3u : 4u};
      for (Scalar to : kTypes) kernel.parts.push_back({"r = R(x);", to});
      kernels.push_back(kernel);
    }
    auto library = libraryOf(kernels, fastMath);
    ASSERT_TRUE(library);
    for (size_t k = 0; k < kernels.size(); ++k) {
      const Scalar from = kTypes[k];
      const ScalarTraits& source = traitsOf(from);
      const uint64_t all = from == Scalar::boolean ? 1
                           : source.bits == 64     ? ~uint64_t(0)
                                                   : (uint64_t(1) << source.bits) - 1;
      std::mt19937_64 random(6);
      Inputs in;
      const auto add = [&](uint64_t pattern) {
        if (source.floating && fastMath && !std::isfinite(valueOf(from, pattern))) return;
        in.add(pattern & all, 0, 0);
      };
      for (uint64_t edge : {uint64_t(0), uint64_t(1), uint64_t(2), all, all - 1, all >> 1, (all >> 1) + 1,
                            (all >> 1) - 1, all / 3})
        add(edge);
      if (source.floating) {
        for (double value : {0.0,
                             0.5,
                             0.999,
                             1.0,
                             1.5,
                             2.5,
                             127.0,
                             128.0,
                             129.5,
                             255.0,
                             256.0,
                             300.0,
                             32767.0,
                             32768.0,
                             40000.0,
                             65504.0,
                             65519.0,
                             65520.0,
                             65535.0,
                             65536.0,
                             2147483520.0,
                             2147483648.0,
                             4294967040.0,
                             4294967296.0,
                             9.2233720e18,
                             9.3e18,
                             1.8446743e19,
                             1.9e19,
                             1e30,
                             6.1e-5,
                             3e-8,
                             6e-8,
                             1e-40,
                             std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()})
          for (double sign : {1.0, -1.0}) add(patternOf(from, value * sign));
        for (int i = 0; i < 900; ++i)
          add(patternOf(from, std::exp2(double(random() % 8000) / 100 - 16) * (random() % 2 ? 1 : -1)));
      }
      // Halves of the last places of floats, halves and bfloats, where rounding to even shows.
      for (unsigned bit = 0; bit < source.bits; ++bit)
        for (uint64_t low : {0ull, 1ull, 2ull, 3ull, 5ull})
          for (unsigned place : {8u, 11u, 24u, 53u})
            if (bit >= place)
              add((uint64_t(1) << bit) | (uint64_t(1) << (bit - place)) | (low ? low - 1 : 0) |
                  (low > 2 ? uint64_t(2) << (bit - place) : 0));
      for (int i = 0; i < 900; ++i) add(random() >> (random() % 64));
      while (in.count() % 180) add(1);
      const std::vector<uint64_t> got = run(library.get(), kernels[k], in);
      ASSERT_EQ(got.size(), in.count() * std::size(kTypes));
      for (size_t part = 0; part < std::size(kTypes); ++part) {
        const Scalar to = kTypes[part];
        int wrong = 0;
        for (size_t i = 0; i < in.count() && wrong < 3; ++i) {
          const uint64_t result = traitsOf(to).floating || to == Scalar::boolean
                                      ? got[part * in.count() + i]
                                      : cut(Wide(got[part * in.count() + i]), to);
          const uint64_t wanted = converted(from, in.x[i], to);
          if (result == wanted) continue;
          if (traitsOf(to).floating && std::isnan(valueOf(to, wanted)) && std::isnan(valueOf(to, result)))
            continue;
          // Denormals of 32 bits, and those bfloats that are, may count as zero.
          if (source.floating && from != Scalar::f16 && isDenormal(from, in.x[i]) &&
              result == converted(from, in.x[i] & ~(all >> 1), to))
            continue;
          if (traitsOf(to).floating && to != Scalar::f16 && isDenormal(to, wanted) &&
              valueOf(to, result) == 0)
            continue;
          ++wrong;
          ADD_FAILURE() << source.name << " to " << traitsOf(to).name << (fastMath ? ", fast math" : "")
                        << ": " << std::hex << in.x[i] << " became " << result << ", expected " << wanted
                        << std::dec << " (input " << i << ")";
        }
      }
    }
  }
};

TEST_F(ConversionNumbers, BetweenAllScalarTypes) { check(false); }
TEST_F(ConversionNumbers, BetweenAllScalarTypesWithFastMath) { check(true); }

// Each expression gives the word back.
TEST_F(ConversionNumbers, AsTypeKeepsEveryBit) {
  constexpr const char* kExpressions[] = {
      "as_type<ulong>(as_type<uint2>(w))",
      "as_type<ulong>(as_type<int2>(w))",
      "as_type<ulong>(as_type<float2>(w))",
      "as_type<ulong>(as_type<half4>(w))",
      "as_type<ulong>(as_type<ushort4>(w))",
      "as_type<ulong>(as_type<short4>(as_type<float2>(w)))",
      "ulong(as_type<long>(w))",
      "as_type<ulong>(uint2(as_type<uint>(as_type<half2>(uint(w))), as_type<uint>(as_type<uchar4>(uint(w >> "
      "32)))))",
      "as_type<ulong>(uint2(as_type<uint>(as_type<float>(uint(w))), as_type<uint>(as_type<char4>(uint(w >> "
      "32)))))",
      "as_type<ulong>(uint2(as_type<uint>(as_type<short2>(uint(w))), as_type<uint>(as_type<int>(uint(w >> "
      "32)))))",
      "ulong(as_type<ushort>(as_type<half>(ushort(w)))) | (w & ~0xfffful)",
      "ulong(as_type<ushort>(as_type<bfloat>(ushort(w)))) | (w & ~0xfffful)",
      "ulong(as_type<ushort>(as_type<uchar2>(ushort(w)))) | (w & ~0xfffful)",
      "ulong(as_type<uchar>(as_type<char>(uchar(w)))) | (w & ~0xfful)",
      "ulong(as_type<uchar4>(uint(w)).x) | ulong(as_type<ushort2>(uint(w)).x & 0xff00) | "
      "ulong(as_type<uchar4>(uint(w))[2]) << 16 | ulong(as_type<uchar4>(uint(w)).w) << 24 | (w & "
      "0xffffffff00000000ul)",
      "ulong(as_type<uint2>(w).x) | ulong(as_type<uint2>(w).y) << 32",
  };
  std::string source = "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(const device ulong* "
                       "in [[buffer(0)]], device ulong* out "
                       "[[buffer(1)]], uint id [[thread_position_in_grid]]) {\n  ulong w = in[id];\n";
  for (size_t i = 0; i < std::size(kExpressions); ++i)
    source += "  out[id * " + std::to_string(std::size(kExpressions)) + " + " + std::to_string(i) +
              "] = " + kExpressions[i] + ";\n";
  auto lib = library(source + "}\n");
  ASSERT_TRUE(lib);
  auto pipeline = computePipeline(lib.get(), "k");
  ASSERT_TRUE(pipeline);
  std::mt19937_64 random(8);
  std::vector<uint64_t> words{
      0,          ~uint64_t(0),      0x7f800001ff800001, 0x7fc00000ffc00000, 0x7c01fc01fe007e00,
      0x80000000, 0x0000000180000001};
  while (words.size() < 256) words.push_back(random());
  auto in = sharedBuffer(words), out = sharedBuffer(words.size() * std::size(kExpressions) * 8);
  auto table = argumentTable(2);
  table->setAddress(in->gpuAddress(), 0);
  table->setAddress(out->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), words.size());
  const auto got = contents<uint64_t>(out.get());
  for (size_t i = 0; i < words.size(); ++i)
    for (size_t k = 0; k < std::size(kExpressions); ++k)
      ASSERT_EQ(got[i * std::size(kExpressions) + k], words[i])
          << kExpressions[k] << " of " << std::hex << words[i];
}

// ---- packing
// --------------------------------------------------------------------------------------------------------

struct Format {
  const char* name; // between pack_float_to_ and unpack_..._to_float
  const char* unpackName;
  unsigned components;
  std::array<unsigned, 4> bits;  // from the lowest
  std::array<unsigned, 4> order; // which component stands at that place
  bool isSigned, srgb;
};
constexpr Format kFormats[] = {
    {"snorm4x8", "snorm4x8", 4, {8, 8, 8, 8}, {0, 1, 2, 3}, true, false},
    {"unorm4x8", "unorm4x8", 4, {8, 8, 8, 8}, {0, 1, 2, 3}, false, false},
    {"snorm2x16", "snorm2x16", 2, {16, 16, 0, 0}, {0, 1, 2, 3}, true, false},
    {"unorm2x16", "unorm2x16", 2, {16, 16, 0, 0}, {0, 1, 2, 3}, false, false},
    {"unorm10a2", "unorm10a2", 4, {10, 10, 10, 2}, {0, 1, 2, 3}, false, false},
    {"unorm565", "unorm565", 3, {5, 6, 5, 0}, {2, 1, 0, 3}, false, false},
    {"srgb_unorm4x8", "unorm4x8_srgb", 4, {8, 8, 8, 8}, {0, 1, 2, 3}, false, true},
};
double toSrgb(double x) { return x <= 0.0031308 ? 12.92 * x : 1.055 * std::pow(x, 1 / 2.4) - 0.055; }
double fromSrgb(double x) { return x <= 0.04045 ? x / 12.92 : std::pow((x + 0.055) / 1.055, 2.4); }

TEST_F(ConversionNumbers, PackingRoundsAndUnpackingScales) {
  for (const char* type : {"float", "half"}) {
    const bool half = std::string_view(type) == "half";
    const Scalar scalar = half ? Scalar::f16 : Scalar::f32;
    std::string source = "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(const device "
                         "float4* in [[buffer(0)]], const device uint* words "
                         "[[buffer(1)]], device uint* packed [[buffer(2)]], device float4* unpacked "
                         "[[buffer(3)]], uint id [[thread_position_in_grid]]) {\n"
                         "  float4 f = in[id]; uint w = words[id];\n";
    const std::string count = std::to_string(std::size(kFormats)), t = type;
    for (size_t i = 0; i < std::size(kFormats); ++i) {
      const Format& format = kFormats[i];
      const char* parts = format.components == 4 ? "" : format.components == 3 ? ".xyz" : ".xy";
      const std::string at = "[id * " + count + " + " + std::to_string(i) + "]",
                        vector = t + std::to_string(format.components);
      source +=
          "  packed" + at + " = pack_" + t + "_to_" + format.name + "(" + vector + "(f" + parts + "));\n";
      source += "  { " + vector + " v = unpack_" + format.unpackName + "_to_" + t + "(" +
                (format.components == 3 ? "ushort(w)" : "w") + "); float4 r = float4(0.0f); r" + parts +
                " = float" + std::to_string(format.components) + "(v); unpacked" + at + " = r; }\n";
    }
    auto lib = library(source + "}\n");
    ASSERT_TRUE(lib);
    auto pipeline = computePipeline(lib.get(), "k");
    ASSERT_TRUE(pipeline);
    std::mt19937_64 random(12);
    std::vector<std::array<float, 4>> floats{{0, 1, -1, 0.5f},
                                             {2, -2, 1e30f, -1e30f},
                                             {-0.0f, 0.001f, 0.0031308f, 0.04f},
                                             {0.25f, 0.75f, -0.25f, 1.0f / 3}};
    std::vector<uint32_t> words{0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x80007fff, 0x01020304};
    while (floats.size() < 512) {
      std::array<float, 4> next{};
      for (float& value : next) value = float(double(random() >> 11) / 9007199254740992.0 * 2.4 - 1.2);
      floats.push_back(next);
    }
    if (half)
      for (auto& four : floats)
        for (float& value : four) value = float(valueOf(Scalar::f16, patternOf(Scalar::f16, value)));
    while (words.size() < floats.size()) words.push_back(uint32_t(random()));
    auto in = sharedBuffer(floats), inWords = sharedBuffer(words),
         packed = sharedBuffer(floats.size() * std::size(kFormats) * 4),
         unpacked = sharedBuffer(floats.size() * std::size(kFormats) * 16);
    auto table = argumentTable(4);
    table->setAddress(in->gpuAddress(), 0);
    table->setAddress(inWords->gpuAddress(), 1);
    table->setAddress(packed->gpuAddress(), 2);
    table->setAddress(unpacked->gpuAddress(), 3);
    dispatch(pipeline.get(), table.get(), floats.size());
    const auto gotPacked = contents<uint32_t>(packed.get());
    const auto gotUnpacked = contents<float>(unpacked.get());
    for (size_t i = 0; i < floats.size(); ++i)
      for (size_t f = 0; f < std::size(kFormats); ++f) {
        const Format& format = kFormats[f];
        unsigned shift = 0;
        for (unsigned place = 0; place < format.components; ++place) {
          SCOPED_TRACE(testing::Message()
                       << type << " " << format.name << ", place " << place << " of sample " << i);
          const unsigned bits = format.bits[place], component = format.order[place];
          const double scale = double((1u << (format.isSigned ? bits - 1 : bits)) - 1);
          const auto field = [&](uint32_t word) {
            const uint32_t raw = (word >> shift) & ((1u << bits) - 1);
            return format.isSigned ? double(int32_t(raw << (32 - bits)) >> (32 - bits)) : double(raw);
          };
          double value = std::clamp(double(floats[i][component]), format.isSigned ? -1.0 : 0.0, 1.0);
          if (format.srgb && component < 3) value = toSrgb(value);
          // Rounded to nearest; what lies within a float's error of the middle may go either way.
          ASSERT_NEAR(field(gotPacked[i * std::size(kFormats) + f]), value * scale, 0.5 + 1e-6 * scale)
              << floats[i][component];
          double wanted = std::max(field(words[i]) / scale, format.isSigned ? -1.0 : 0.0);
          if (format.srgb && component < 3) wanted = fromSrgb(wanted);
          const double got = gotUnpacked[(i * std::size(kFormats) + f) * 4 + component];
          ASSERT_NEAR(got, wanted,
                      ulpOf(scalar, wanted) * (half          ? 1
                                               : format.srgb ? 16
                                                             : 2))
              << std::hex << words[i];
          shift += bits;
        }
      }
  }
}

} // namespace
} // namespace basanite::tests
