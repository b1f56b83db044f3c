// SPDX-License-Identifier: Apache-2.0
// Kernels out of rows, inputs for them, and the comparison in ULPs.
#include "tests/api/numbers/numbers.hpp"

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>

namespace basanite::tests {

const ScalarTraits& traitsOf(Scalar type) {
  static const ScalarTraits kTraits[] = {
      {"float", 32, true, true, 24, -126, 128}, {"half", 16, true, true, 11, -14, 16},
      {"bfloat", 16, true, true, 8, -126, 128}, {"char", 8, false, true, 0, 0, 0},
      {"uchar", 8, false, false, 0, 0, 0},      {"short", 16, false, true, 0, 0, 0},
      {"ushort", 16, false, false, 0, 0, 0},    {"int", 32, false, true, 0, 0, 0},
      {"uint", 32, false, false, 0, 0, 0},      {"long", 64, false, true, 0, 0, 0},
      {"ulong", 64, false, false, 0, 0, 0},     {"bool", 8, false, false, 0, 0, 0},
  };
  return kTraits[static_cast<size_t>(type)];
}

double valueOf(Scalar type, uint64_t pattern) {
  if (type == Scalar::f32) return std::bit_cast<float>(static_cast<uint32_t>(pattern));
  if (type == Scalar::bf16) return std::bit_cast<float>(static_cast<uint32_t>(pattern << 16));
  const int exponent = static_cast<int>(pattern >> 10) & 31;
  const double fraction = static_cast<double>(pattern & 1023);
  double magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  if (exponent == 31)
    magnitude =
        (pattern & 1023) ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity();
  return pattern & 0x8000 ? -magnitude : magnitude;
}

double ulpOf(Scalar type, double value) {
  const ScalarTraits& traits = traitsOf(type);
  int exponent = traits.minExponent;
  if (value != 0 && std::isfinite(value)) exponent = std::max(exponent, std::ilogb(value));
  return std::ldexp(1.0, std::min(exponent, traits.maxExponent - 1) - traits.precision + 1);
}

uint64_t patternOf(Scalar type, double value) {
  const ScalarTraits& traits = traitsOf(type);
  const uint64_t sign = std::signbit(value) ? uint64_t(1) << (traits.bits - 1) : 0;
  const int fractionBits = traits.precision - 1;
  const uint64_t infinity = ((uint64_t(1) << (traits.bits - 1 - fractionBits)) - 1) << fractionBits;
  if (std::isnan(value)) return infinity | (uint64_t(1) << (fractionBits - 1));
  const double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | infinity;
  const double unit = ulpOf(type, magnitude);
  const double units = std::nearbyint(magnitude / unit);
  if (units * unit >= std::ldexp(1.0, traits.maxExponent)) return sign | infinity;
  const int step = std::ilogb(unit) - (traits.minExponent - fractionBits); // binades above the lowest
  // Rounding up to the next binade carries into the exponent by itself.
  return sign | ((uint64_t(step) << fractionBits) + static_cast<uint64_t>(units));
}

bool isDenormal(Scalar type, uint64_t pattern) {
  const double value = valueOf(type, pattern);
  return value != 0 && std::fabs(value) < std::ldexp(1.0, traitsOf(type).minExponent);
}

namespace {

// lavapipe compiles these kernels in half the time when it does not optimise them.
[[maybe_unused]] const int kUnoptimised = setenv("GALLIVM_PERF", "nopt", 0);

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

constexpr const char* kPrelude = R"(
#include <metal_stdlib>
using namespace metal;
// A value's pattern in a 64-bit word, and back.
template <class T> struct Word {
  static T from(ulong w) { return T(w); }
  static ulong to(T v) { return ulong(v); }
};
template <> struct Word<float> {
  static float from(ulong w) { return as_type<float>(uint(w)); }
  static ulong to(float v) { return as_type<uint>(v); }
};
template <> struct Word<half> {
  static half from(ulong w) { return as_type<half>(ushort(w)); }
  static ulong to(half v) { return as_type<ushort>(v); }
};
template <> struct Word<bfloat> {
  static bfloat from(ulong w) { return as_type<bfloat>(ushort(w)); }
  static ulong to(bfloat v) { return as_type<ushort>(v); }
};
#define KERNEL(name) kernel void name(const device ulong* in [[buffer(0)]], device ulong* out [[buffer(1)]], \
                                      constant uint& count [[buffer(2)]], uint id [[thread_position_in_grid]])
)";

// Lanes `first` .. of a group of ten as one value.
std::string load(Scalar type, unsigned width, unsigned first, const char* stream) {
  const std::string name = traitsOf(type).name;
  const auto one = [&](unsigned lane) {
    return "Word<" + name + ">::from(in[" + stream + " + i + " + std::to_string(first + lane) + "])";
  };
  if (width == 1) return one(0);
  std::string text = name + std::to_string(width) + "(";
  for (unsigned lane = 0; lane < width; ++lane) text += (lane ? ", " : "") + one(lane);
  return text + ")";
}

std::string typeName(Scalar type, unsigned width) {
  return traitsOf(type).name + (width == 1 ? "" : std::to_string(width));
}

std::string textOf(const Kernel& kernel) {
  std::string text =
      "KERNEL(" + kernel.name + ") {\n  uint i = id * " + std::to_string(kernel.group()) + ";\n";
  unsigned first = 0;
  for (unsigned width : kernel.widths) {
    text += "  {\n    typedef " + typeName(kernel.xType, width) + " T;\n    typedef " +
            typeName(Scalar::i32, width) + " I;\n";
    text += "    const T x = " + load(kernel.xType, width, first, "0") + ";\n";
    text += "    const " + typeName(kernel.yType, width) +
            " y = " + load(kernel.yType, width, first, "count") + ";\n";
    text += "    const " + typeName(kernel.zType, width) +
            " z = " + load(kernel.zType, width, first, "2 * count") + ";\n";
    for (size_t part = 0; part < kernel.parts.size(); ++part) {
      const std::string result = typeName(kernel.parts[part].result, 1);
      text += "    { typedef " + typeName(kernel.parts[part].result, width) + " R; R r; " +
              kernel.parts[part].body + "\n";
      for (unsigned lane = 0; lane < width; ++lane)
        text += "      out[" + std::to_string(part) + " * count + i + " + std::to_string(first + lane) +
                "] = Word<" + result + ">::to(r" + (width == 1 ? "" : "[" + std::to_string(lane) + "]") +
                ");\n";
      text += "    }\n";
    }
    text += "  }\n";
    first += width;
  }
  return text + "}\n";
}

} // namespace

unsigned Kernel::group() const {
  unsigned sum = 0;
  for (unsigned width : widths) sum += width;
  return sum;
}

NS::SharedPtr<MTL::Library> Numbers::libraryOf(const std::vector<Kernel>& kernels, bool fastMath) {
  std::string source = kPrelude;
  for (const Kernel& kernel : kernels) source += textOf(kernel);
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setMathMode(fastMath ? MTL::MathModeFast : MTL::MathModeSafe);
  options->setMathFloatingPointFunctions(fastMath ? MTL::MathFloatingPointFunctionsFast
                                                  : MTL::MathFloatingPointFunctionsPrecise);
  NS::Error* error = nullptr;
  auto library = NS::TransferPtr(m_device->newLibrary(
      NS::String::string(source.c_str(), NS::UTF8StringEncoding), options.get(), &error));
  EXPECT_TRUE(library) << text(error);
  return library;
}

std::vector<uint64_t> Numbers::run(MTL::Library* library, const Kernel& kernel, const Inputs& inputs) {
  auto pipeline = computePipeline(library, kernel.name);
  if (!pipeline) return {};
  const size_t count = inputs.count();
  std::vector<uint64_t> words(inputs.x);
  words.insert(words.end(), inputs.y.begin(), inputs.y.end());
  words.insert(words.end(), inputs.z.begin(), inputs.z.end());
  auto in = sharedBuffer(words), out = sharedBuffer(count * kernel.parts.size() * 8),
       size = sharedBuffer(std::vector<uint32_t>{uint32_t(count)});
  auto table = argumentTable(3);
  table->setAddress(in->gpuAddress(), 0);
  table->setAddress(out->gpuAddress(), 1);
  table->setAddress(size->gpuAddress(), 2);
  dispatch(pipeline.get(), table.get(), count / kernel.group());
  return contents<uint64_t>(out.get());
}

// ---- inputs
// ---------------------------------------------------------------------------------------------------------

Numbers::Inputs Numbers::floatInputs(Scalar type, const FloatRow& row) {
  const ScalarTraits& traits = traitsOf(type);
  const double inf = std::numeric_limits<double>::infinity();
  const double smallest = std::ldexp(1.0, traits.minExponent - traits.precision + 1),
               normal = std::ldexp(1.0, traits.minExponent);
  const double largest =
      std::ldexp(1.0, traits.maxExponent) - ulpOf(type, std::ldexp(1.0, traits.maxExponent - 1));
  const double epsilon = std::ldexp(1.0, 1 - traits.precision);
  std::vector<double> specials{
      0.0, 1.0, inf, std::numeric_limits<double>::quiet_NaN(), smallest, normal, largest, 0.5, 2.0, 3.0};
  if (row.arguments < 3)
    for (double value :
         {normal - smallest, normal * 3, epsilon, 1 - epsilon / 2, 1 + epsilon, 0.25, 0.5 - epsilon / 4, 1.5,
          2.5, 3.141592653589793, 10.0, 100.0, std::ldexp(1.0, traits.precision - 1) - 0.5,
          std::ldexp(1.0, traits.precision), largest / 3, std::sqrt(largest)})
      specials.push_back(value);
  if (row.arguments == 1)
    for (double value : {smallest * 5,
                         normal * (1 + epsilon),
                         1.5707963267948966,
                         0.7853981633974483,
                         6.283185307179586,
                         22.0,
                         88.0,
                         89.0,
                         104.0,
                         128.0,
                         127.5,
                         38.5,
                         1000.5,
                         1e5,
                         1e10,
                         1e20,
                         0.1,
                         0.001,
                         1e-6,
                         1e-10,
                         0.3333333,
                         0.75,
                         11.0,
                         15.5})
      specials.push_back(value);
  const size_t positive = specials.size();
  for (size_t i = 0; i < positive; ++i) specials.push_back(-specials[i]);

  Inputs inputs;
  const auto whole = [&](double value) {
    return row.integers ? uint64_t(uint32_t(int32_t(std::clamp(value, -1e9, 1e9)))) : patternOf(type, value);
  };
  std::vector<Triple> tuples;
  if (row.arguments == 1) {
    for (double x : specials) tuples.push_back({x, 0, 0});
  } else if (row.arguments == 2) {
    std::vector<double> second = specials;
    if (row.integers) {
      second.clear();
      for (int k : {0,   1,   2,   5,   14,  15,  16,  24,  25,  30,  60,   100,    126,
                    127, 128, 149, 150, 200, 252, 254, 277, 300, 400, 1000, 1000000})
        for (int sign : {1, -1}) second.push_back(sign * k);
    }
    for (double x : specials)
      for (double y : second) tuples.push_back({x, y, 0});
  } else {
    for (double x : specials)
      for (double y : specials)
        for (double z : specials)
          if ((tuples.size() + size_t(x != y)) % 2 || std::isnan(x + y + z) || x == y)
            tuples.push_back({x, y, z});
  }
  // Every special value comes by each lane of a vector: ten of them in a row from each start.
  std::mt19937_64 random(type == Scalar::f32 ? 1 : 2);
  if (row.arguments == 1) {
    for (size_t start = 0; start < tuples.size(); ++start)
      for (size_t lane = 0; lane < 10; ++lane) {
        const Triple& t = tuples[(start + lane) % tuples.size()];
        inputs.add(patternOf(type, t.x), whole(t.y), patternOf(type, t.z));
      }
  } else {
    for (size_t i = tuples.size(); i > 1; --i) std::swap(tuples[i - 1], tuples[random() % i]);
    for (const Triple& t : tuples) inputs.add(patternOf(type, t.x), whole(t.y), patternOf(type, t.z));
  }
  const auto between = [&](const Range& range) {
    const double u = double(random() >> 11) / 9007199254740992.0;
    // Half of them evenly, half by magnitude, so that small ones come too.
    if (random() % 2) return range.low + (range.high - range.low) * u;
    const double top = std::max(std::fabs(range.low), std::fabs(range.high));
    double value = top * std::exp2(-u * (random() % 4 ? 8 : traits.maxExponent * 0.9));
    if (range.low < 0 && (range.high <= 0 || random() % 2)) value = -value;
    return std::clamp(value, range.low, range.high);
  };
  const Range others = row.range2.low == 0 && row.range2.high == 0 ? row.range : row.range2;
  for (int i = 0; i < 4000; ++i) {
    const double y = between(others);
    inputs.add(patternOf(type, between(row.range)), whole(row.integers ? std::trunc(y) : y),
               patternOf(type, between(others)));
  }
  // The borders themselves.
  for (double x : {row.range.low, row.range.high})
    for (double y : {others.low, others.high})
      inputs.add(patternOf(type, x), whole(y), patternOf(type, others.high));
  while (inputs.count() % 180) inputs.add(inputs.x[0], inputs.y[0], inputs.z[0]);
  return inputs;
}

// ---- comparison
// -----------------------------------------------------------------------------------------------------

void Numbers::compare(const FloatRow& row, Scalar type, const Bound& bound, bool fastMath,
                      const std::string& title, const Inputs& inputs, const std::vector<uint64_t>& got) {
  ASSERT_EQ(got.size(), inputs.count()) << title;
  const Reference reference = type != Scalar::f32 && row.halfReference ? row.halfReference : row.reference;
  const bool mayFlush = type != Scalar::f16; // Metal keeps the denormals of half, not those of float
  size_t wrong = 0, compared = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const auto second = [&](uint64_t pattern) {
      return row.integers ? double(int32_t(uint32_t(pattern))) : valueOf(type, pattern);
    };
    const Triple in{valueOf(type, inputs.x[i]), second(inputs.y[i]), valueOf(type, inputs.z[i])};
    const double arguments[3] = {in.x, in.y, in.z};
    bool finite = true;
    for (unsigned k = 0; k < row.arguments; ++k) finite = finite && std::isfinite(arguments[k]);
    if (fastMath && !finite && !row.onBits) continue;
    if (bound.domain && !bound.domain(in)) continue;
    ++compared;

    // Denormal inputs may count as zeros of their sign: each choice is a reference of its own.
    const unsigned choices = mayFlush ? 1u << row.arguments : 1;
    bool good = false;
    double best = std::numeric_limits<double>::infinity(), wanted = 0;
    for (unsigned choice = 0; choice < choices && !good; ++choice) {
      Triple flushed = in;
      double* fields[3] = {&flushed.x, &flushed.y, &flushed.z};
      bool differs = choice == 0;
      for (unsigned k = 0; k < row.arguments; ++k) {
        const uint64_t pattern = k == 0 ? inputs.x[i] : k == 1 ? inputs.y[i] : inputs.z[i];
        if (!(choice >> k & 1) || (k == 1 && row.integers) || !isDenormal(type, pattern)) continue;
        *fields[k] = std::copysign(0.0, *fields[k]);
        differs = true;
      }
      if (!differs) continue;
      // Zeros that the function is not defined for may give anything.
      if (choice != 0 && bound.domain && !bound.domain(flushed)) {
        good = true;
        break;
      }
      const double exact = reference(flushed);
      if (choice == 0) wanted = exact;
      if (row.result != 'T') {
        good = double(int32_t(uint32_t(got[i]))) == exact;
        continue;
      }
      const double result = valueOf(type, got[i]);
      if (std::isnan(exact)) {
        good = fastMath || std::isnan(result);
        continue;
      }
      const uint64_t nearest = patternOf(type, exact);
      const double rounded = valueOf(type, nearest);
      if (std::isinf(rounded) && fastMath) {
        good = true; // fast math takes infinity for impossible
        continue;
      }
      if (got[i] == nearest) {
        good = true;
        best = 0;
        continue;
      }
      if (result == 0 && rounded == 0) {
        good = fastMath || bound.anyZero;
        continue;
      }
      // Results below the normal ones may become zero.
      if (mayFlush && result == 0 && std::fabs(rounded) <= std::ldexp(1.0, traitsOf(type).minExponent)) {
        good = true;
        continue;
      }
      if (std::isnan(result)) continue;
      // An infinity is the step after the largest number.
      const double top = std::ldexp(1.0, traitsOf(type).maxExponent);
      const double there = std::isinf(result) ? std::copysign(top, result) : result;
      const double aim = std::isinf(exact) ? std::copysign(top, exact) : exact;
      const double error = std::fabs(there - aim);
      const double ulps = error / ulpOf(type, exact);
      best = std::min(best, ulps);
      const double limit =
          bound.ulps * ulpOf(type, exact) + (bound.allowed ? bound.allowed(flushed, exact) : 0.0);
      good = (bound.ulps > 0 || bound.allowed) && error <= limit;
    }
    if (std::isfinite(best)) worst = std::max(worst, best);
    if (good) continue;
    if (++wrong <= 4) {
      std::string call = "(";
      for (unsigned k = 0; k < row.arguments; ++k) {
        char number[64];
        std::snprintf(number, sizeof number, "%s%.9g", k ? ", " : "", arguments[k]);
        call += number;
      }
      char message[256];
      if (row.result == 'T')
        std::snprintf(message, sizeof message, ") is %.9g (%#llx), expected %.9g: off by %.3g ULP, input %zu",
                      valueOf(type, got[i]), static_cast<unsigned long long>(got[i]), wanted, best, i);
      else
        std::snprintf(message, sizeof message, ") is %d, expected %.9g, input %zu", int32_t(uint32_t(got[i])),
                      wanted, i);
      ADD_FAILURE() << title << call << message;
    }
  }
  if (wrong > 4) ADD_FAILURE() << title << ": " << wrong << " of " << compared << " results are wrong";
  EXPECT_GT(compared, 100u) << title;
  if (std::getenv("NUMBERS_PRINT_ERRORS"))
    std::printf("%-40s %8zu compared, worst %.3g ULP\n", title.c_str(), compared, worst);
}

void Numbers::checkFloats(std::span<const FloatRow> rows, Scalar type, bool fastMath) {
  // The form that the options choose, and the named ones.
  struct Form {
    const char* space;
    bool fast;
    std::vector<unsigned> widths; // shared out among the forms, since a driver's compiler takes its time
  };
  std::vector<Form> forms;
  if (type != Scalar::f32)
    forms =
        fastMath ? std::vector<Form>{{"metal::", true, {2}}} : std::vector<Form>{{"metal::", false, {1, 4}}};
  else if (fastMath)
    forms = {{"metal::", true, {3}}, {"precise::", false, {2}}};
  else
    forms = {{"metal::", false, {1, 4}}, {"fast::", true, {2}}};
  std::vector<Kernel> kernels;
  struct Job {
    const FloatRow* row;
    Bound bound;
    bool fast;
    std::string title;
  };
  std::vector<Job> jobs;
  for (const FloatRow& row : rows)
    for (const Form& form : forms) {
      const std::string body = row.body;
      if (&form != &forms[0] && (!row.forms || body.find('@') == std::string::npos)) continue;
      const Bound bound = type == Scalar::f32 ? (form.fast ? row.fast : row.precise) : row.half;
      if (bound.ulps < 0) continue;
      // lavapipe's Fma is a product and a sum, each rounded, as Vulkan allows.
      if (std::string_view(row.name) == "fma" && isCpuDevice()) continue;
      Kernel kernel;
      kernel.name = "k" + std::to_string(jobs.size());
      Kernel::Part part{replaced(body, "@", form.space), type};
      kernel.widths = form.widths;
      kernel.xType = kernel.yType = kernel.zType = type;
      if (row.integers) kernel.yType = Scalar::i32;
      if (row.result == 'I') part.result = Scalar::i32;
      if (row.result == 'B') part.result = Scalar::boolean;
      kernel.parts.push_back(part);
      kernels.push_back(kernel);
      // Fast math assumes that there are neither NaN nor infinities, and so does a fast function.
      jobs.push_back(
          {&row, bound, fastMath || form.fast,
           std::string(traitsOf(type).name) + (fastMath ? " fast " : " safe ") + form.space + row.name});
    }
  auto library = libraryOf(kernels, fastMath);
  ASSERT_TRUE(library);
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Inputs inputs = floatInputs(type, *jobs[i].row);
    compare(*jobs[i].row, type, jobs[i].bound, jobs[i].fast, jobs[i].title, inputs,
            run(library.get(), kernels[i], inputs));
  }
}

// ---- integers
// -------------------------------------------------------------------------------------------------------

namespace {

Wide valueOfInteger(const ScalarTraits& type, uint64_t pattern) {
  if (type.bits == 64) return type.isSigned ? Wide(int64_t(pattern)) : Wide(pattern);
  pattern &= (uint64_t(1) << type.bits) - 1;
  if (type.isSigned && (pattern >> (type.bits - 1))) return Wide(pattern) - (Wide(1) << type.bits);
  return Wide(pattern);
}

} // namespace

void Numbers::checkIntegers(std::span<const IntegerRow> rows, Scalar scalar) {
  const ScalarTraits& type = traitsOf(scalar);
  const uint64_t all = type.bits == 64 ? ~uint64_t(0) : (uint64_t(1) << type.bits) - 1;
  std::vector<Kernel> kernels;
  std::vector<Inputs> inputs;
  std::vector<std::vector<const IntegerRow*>> rowsOf;
  for (auto domain : {IntegerRow::everything, IntegerRow::division, IntegerRow::shift, IntegerRow::within24,
                      IntegerRow::bitRange}) {
    Kernel kernel;
    std::vector<const IntegerRow*> list;
    for (const IntegerRow& row : rows) {
      if (row.domain != domain || (row.types == IntegerRow::signedOnly && !type.isSigned) ||
          (row.types == IntegerRow::only32 && type.bits != 32))
        continue;
      kernel.parts.push_back({row.body, row.result == 'B' ? Scalar::boolean : scalar});
      list.push_back(&row);
    }
    if (list.empty()) continue;
    kernel.name = "k" + std::to_string(kernels.size());
    kernel.xType = kernel.yType = kernel.zType = scalar;
    // Shared out among the types: what makes a vector's function makes all of them.
    constexpr unsigned kWidths[] = {4, 3, 2, 3, 4, 2, 3, 4};
    if (domain != IntegerRow::bitRange)
      kernel.widths = {1, kWidths[static_cast<size_t>(scalar) - static_cast<size_t>(Scalar::i8)]};
    // Edges by edges, then random numbers of every size.
    std::vector<uint64_t> edges{0,
                                1,
                                2,
                                3,
                                5,
                                7,
                                8,
                                31,
                                32,
                                33,
                                63,
                                64,
                                100,
                                all,
                                all - 1,
                                all >> 1,
                                (all >> 1) + 1,
                                (all >> 1) + 2,
                                all / 3,
                                all / 5};
    std::mt19937_64 random(9);
    Inputs in;
    const auto any = [&] { return (random() >> (random() % type.bits)) & all; };
    const auto add = [&](uint64_t x, uint64_t y, uint64_t z) {
      if (domain == IntegerRow::division && (y == 0 || (type.isSigned && y == all))) y = 3;
      // What a count past the width gives in a type that is promoted first, and for a vector, differs; those
      // below do not.
      if (domain == IntegerRow::shift && type.bits < 32) y %= type.bits;
      if (domain == IntegerRow::within24) {
        const auto cut = [&](uint64_t v) {
          return type.isSigned ? uint64_t(int64_t(v << 40) >> 40) & all : v & 0xffffff;
        };
        x = cut(x);
        y = cut(y);
      }
      if (domain == IntegerRow::bitRange) {
        y %= type.bits;
        z %= type.bits - y + 1;
      }
      in.add(x, y, z);
    };
    for (uint64_t x : edges)
      for (uint64_t y : edges) add(x, y, edges[(x + y) % edges.size()]);
    for (int i = 0; i < 1200; ++i) add(any(), any(), any());
    while (in.count() % 180) add(1, 1, 1);
    kernels.push_back(kernel);
    inputs.push_back(in);
    rowsOf.push_back(list);
  }
  auto library = libraryOf(kernels, true);
  ASSERT_TRUE(library);
  for (size_t k = 0; k < kernels.size(); ++k) {
    const std::vector<uint64_t> got = run(library.get(), kernels[k], inputs[k]);
    const size_t count = inputs[k].count();
    ASSERT_EQ(got.size(), count * rowsOf[k].size());
    for (size_t part = 0; part < rowsOf[k].size(); ++part) {
      size_t wrong = 0;
      for (size_t i = 0; i < count; ++i) {
        const Wide in[3] = {valueOfInteger(type, inputs[k].x[i]), valueOfInteger(type, inputs[k].y[i]),
                            valueOfInteger(type, inputs[k].z[i])};
        const uint64_t mask = rowsOf[k][part]->result == 'B' ? 1 : all;
        const uint64_t wanted = static_cast<uint64_t>(rowsOf[k][part]->reference(in, type)) & mask;
        if ((got[part * count + i] & mask) == wanted) continue;
        if (++wrong > 3) continue;
        ADD_FAILURE() << type.name << " " << rowsOf[k][part]->name << " of " << int64_t(in[0]) << ", "
                      << int64_t(in[1]) << ", " << int64_t(in[2]) << " is " << (got[part * count + i] & mask)
                      << ", expected " << wanted << " (input " << i << ")";
      }
      if (wrong > 3)
        ADD_FAILURE() << type.name << " " << rowsOf[k][part]->name << ": " << wrong << " of " << count
                      << " results are wrong";
    }
  }
}

} // namespace basanite::tests
