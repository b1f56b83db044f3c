// SPDX-License-Identifier: Apache-2.0
// The table of metal_stdlib's functions, what each must give, and the fixture that runs rows of it on the
// device and compares.
#pragma once

#include "tests/support/metal_fixture.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::tests {

// ---- scalar types
// ---------------------------------------------------------------------------------------------------

enum class Scalar : uint8_t { f32, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64, boolean };

struct ScalarTraits {
  const char* name; // in MSL
  unsigned bits;
  bool floating, isSigned;
  int precision;   // floating: bits of the significand, the hidden one included
  int minExponent; // floating: 2^minExponent is the smallest normal number
  int maxExponent; // floating: all finite numbers are below 2^maxExponent
};
const ScalarTraits& traitsOf(Scalar type);

// The value of a pattern of a floating-point type, exactly; and the nearest pattern of a value (to even).
double valueOf(Scalar type, uint64_t pattern);
uint64_t patternOf(Scalar type, double value);
// The distance of the type's numbers at `value`, never below that of its smallest ones.
double ulpOf(Scalar type, double value);
bool isDenormal(Scalar type, uint64_t pattern);

// ---- rows
// -----------------------------------------------------------------------------------------------------------

struct Triple {
  double x, y, z;
};

// How far a result may lie from the reference. The Metal Shading Language Specification's chapter on
// numerical compliance gives the ULPs: one table for precise functions, one for fast ones, one for half.
struct Bound {
  // 0: the reference, rounded to nearest even. Otherwise ULPs at the reference's magnitude.
  double ulps = 0;
  // An error that is allowed besides, absolute: what follows from a definition such as "0.5 * (exp(x) -
  // exp(-x))".
  double (*allowed)(const Triple& in, double reference) = nullptr;
  // Where the function is defined at all; null: everywhere. Other inputs are not compared.
  bool (*domain)(const Triple& in) = nullptr;
  bool anyZero = false; // either zero will do
};
constexpr Bound kUndefined{-1};

struct Range {
  double low, high;
};

using Reference = double (*)(const Triple&);

// A function of floating-point arguments. `body` computes r (type T) from x, y and z; @ stands for the
// namespace, T for the type of this width, I for int of this width, B for bool.
struct FloatRow {
  const char* name; // as in the headers
  const char* body;
  unsigned arguments;
  Reference reference;
  Range range; // where most inputs lie; the special values come besides
  Bound precise, fast, half;
  Reference halfReference = nullptr; // where it differs
  bool integers = false;             // y counts: a whole number of type int
  char result = 'T';                 // 'I' int, 'B' bool
  bool forms = true;                 // there are fast:: and precise:: forms of it
  Range range2 = {0, 0};             // of y and z; {0, 0}: range
  bool onBits = false;               // fast math too answers for NaN and infinity
};

std::span<const FloatRow> mathRows();
std::span<const FloatRow> commonRows();
std::span<const FloatRow> relationalRows();

// Integers as wide as needed: the exact result, cut down to the type's width afterwards.
__extension__ using Wide = __int128;
struct IntegerRow {
  const char* name;
  const char* body; // r of type T from x, y and z, all of type T
  Wide (*reference)(const Wide* in, const ScalarTraits& type);
  // Which inputs it is defined for; a bitRange (y from, z many) is for scalars.
  enum Domain : uint8_t { everything, division, shift, within24, bitRange } domain = everything;
  char result = 'T'; // 'B' bool
  enum Types : uint8_t { all, signedOnly, only32 } types = all;
};
std::span<const IntegerRow> integerRows();

// ---- running
// --------------------------------------------------------------------------------------------------------

// One kernel: some widths of bodies for one type.
struct Kernel {
  // Computes r; the parts of a kernel have the same inputs, and their results follow each other.
  struct Part {
    std::string body;
    Scalar result = Scalar::f32;
  };
  std::string name;
  std::vector<Part> parts;
  Scalar xType = Scalar::f32, yType = Scalar::f32, zType = Scalar::f32;
  std::vector<unsigned> widths = {1};

  // Inputs a thread takes: a value of each width.
  unsigned group() const;
};

class Numbers : public MetalFixture {
 protected:
  // Patterns in and out, one 64-bit word each. Every list is a multiple of 180 long, which each kernel's
  // group divides.
  struct Inputs {
    std::vector<uint64_t> x, y, z;
    size_t count() const { return x.size(); }
    void add(uint64_t a, uint64_t b, uint64_t c) {
      x.push_back(a);
      y.push_back(b);
      z.push_back(c);
    }
  };

  NS::SharedPtr<MTL::Library> libraryOf(const std::vector<Kernel>& kernels, bool fastMath);
  std::vector<uint64_t> run(MTL::Library* library, const Kernel& kernel, const Inputs& inputs);

  // Every special value at every place of a vector, and random ones of `range`.
  static Inputs floatInputs(Scalar type, const FloatRow& row);
  void checkFloats(std::span<const FloatRow> rows, Scalar type, bool fastMath);
  void checkIntegers(std::span<const IntegerRow> rows, Scalar type);

 private:
  void compare(const FloatRow& row, Scalar type, const Bound& bound, bool fastMath, const std::string& title,
               const Inputs& inputs, const std::vector<uint64_t>& got);
};

} // namespace basanite::tests
