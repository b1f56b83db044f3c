// SPDX-License-Identifier: Apache-2.0
// The table's rows of <metal_integer>, the integer operators and select(). Results are exact; arithmetic
// wraps.
#include "tests/api/numbers/numbers.hpp"

#include <algorithm>
#include <utility>

namespace basanite::tests {

namespace {

using In = const Wide*;
using Type = const ScalarTraits&;
__extension__ using Unsigned = unsigned __int128;

Wide largest(Type type) { return (Wide(1) << (type.isSigned ? type.bits - 1 : type.bits)) - 1; }
Wide smallest(Type type) { return type.isSigned ? -(Wide(1) << (type.bits - 1)) : Wide(0); }
Wide saturated(Wide value, Type type) { return std::clamp(value, smallest(type), largest(type)); }
// As the bits of an unsigned number of the type's width.
uint64_t pattern(Wide value, Type type) {
  return type.bits == 64 ? uint64_t(value) : uint64_t(value) & ((uint64_t(1) << type.bits) - 1);
}
Wide sign(uint64_t bits, unsigned width,
          Type type) { // the lowest `width` bits as a number of the type's signedness
  const Wide value = width == 64 ? Wide(bits) : Wide(bits & ((uint64_t(1) << width) - 1));
  return type.isSigned && width && (bits >> (width - 1) & 1) ? value - (Wide(1) << width) : value;
}
Wide upperHalf(In in, Type type) {
  return type.isSigned ? (in[0] * in[1]) >> type.bits
                       : Wide((Unsigned(in[0]) * Unsigned(in[1])) >> type.bits);
}
uint64_t leadingZeros(Wide value, Type type) {
  uint64_t count = 0;
  for (unsigned bit = type.bits; bit-- > 0 && !(pattern(value, type) >> bit & 1);) ++count;
  return count;
}
uint64_t trailingZeros(Wide value, Type type) {
  uint64_t count = 0;
  while (count < type.bits && !(pattern(value, type) >> count & 1)) ++count;
  return count;
}
Wide middle(In in) { return std::max(std::min(in[0], in[1]), std::min(std::max(in[0], in[1]), in[2])); }
// Metal takes a shift's count modulo the width.
unsigned countOf(In in, Type type) { return static_cast<unsigned>(pattern(in[1], type) & (type.bits - 1)); }
Wide extracted(In in, unsigned offset, unsigned bits, Type type) {
  return bits ? sign(pattern(in[0], type) >> offset, bits, type) : Wide(0);
}
Wide inserted(In in, unsigned offset, unsigned bits, Type type) {
  const uint64_t mask = (bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1) << offset;
  return Wide((pattern(in[0], type) & ~mask) | ((bits ? pattern(in[1], type) << offset : 0) & mask));
}

const IntegerRow kRows[] = {
    {"abs", "r = abs(x);", [](In in, Type) { return in[0] < 0 ? -in[0] : in[0]; }},
    {"absdiff", "r = T(absdiff(x, y));",
     [](In in, Type) { return in[0] < in[1] ? in[1] - in[0] : in[0] - in[1]; }},
    {"addsat", "r = addsat(x, y);", [](In in, Type type) { return saturated(in[0] + in[1], type); }},
    {"subsat", "r = subsat(x, y);", [](In in, Type type) { return saturated(in[0] - in[1], type); }},
    {"madsat", "r = madsat(x, y, z);",
     [](In in, Type type) {
       if (type.bits == 64 && !type.isSigned) {
         const Unsigned exact = Unsigned(in[0]) * Unsigned(in[1]) + Unsigned(in[2]);
         return exact > Unsigned(largest(type)) ? largest(type) : Wide(exact);
       }
       return saturated(in[0] * in[1] + in[2], type);
     }},
    {"mulhi", "r = mulhi(x, y);", upperHalf},
    {"madhi", "r = madhi(x, y, z);", [](In in, Type type) { return upperHalf(in, type) + in[2]; }},
    {"hadd", "r = hadd(x, y);", [](In in, Type) { return (in[0] + in[1]) >> 1; }},
    {"rhadd", "r = rhadd(x, y);", [](In in, Type) { return (in[0] + in[1] + 1) >> 1; }},
    {"popcount", "r = popcount(x);",
     [](In in, Type type) {
       Wide count = 0;
       for (unsigned bit = 0; bit < type.bits; ++bit) count += pattern(in[0], type) >> bit & 1;
       return count;
     }},
    {"reverse_bits", "r = reverse_bits(x);",
     [](In in, Type type) {
       uint64_t result = 0;
       for (unsigned bit = 0; bit < type.bits; ++bit)
         result |= (pattern(in[0], type) >> bit & 1) << (type.bits - 1 - bit);
       return Wide(result);
     }},
    {"rotate", "r = rotate(x, y);",
     [](In in, Type type) {
       const unsigned count = countOf(in, type);
       const uint64_t bits = pattern(in[0], type);
       return Wide(count ? (bits << count) | (bits >> (type.bits - count)) : bits);
     }},
    {"clz", "r = clz(x);", [](In in, Type type) { return Wide(leadingZeros(in[0], type)); }},
    {"ctz", "r = ctz(x);", [](In in, Type type) { return Wide(trailingZeros(in[0], type)); }},
    {"extract_bits", "r = extract_bits(x, uint(y), uint(z));",
     [](In in, Type type) { return extracted(in, unsigned(in[1]), unsigned(in[2]), type); },
     IntegerRow::bitRange},
    {"extract_bits", "r = extract_bits(x, 3u, 4u);",
     [](In in, Type type) { return extracted(in, 3, 4, type); }},
    {"insert_bits", "r = insert_bits(x, T(~x), uint(y), uint(z));",
     [](In in, Type type) {
       const Wide values[] = {in[0], ~in[0]};
       return inserted(values, unsigned(in[1]), unsigned(in[2]), type);
     },
     IntegerRow::bitRange},
    {"insert_bits", "r = insert_bits(x, y, 2u, 5u);",
     [](In in, Type type) { return inserted(in, 2, 5, type); }},
    {"min", "r = min(x, y);", [](In in, Type) { return std::min(in[0], in[1]); }},
    {"max", "r = max(x, y);", [](In in, Type) { return std::max(in[0], in[1]); }},
    {"min3", "r = min3(x, y, z);", [](In in, Type) { return std::min({in[0], in[1], in[2]}); }},
    {"max3", "r = max3(x, y, z);", [](In in, Type) { return std::max({in[0], in[1], in[2]}); }},
    {"median3", "r = median3(x, y, z);", [](In in, Type) { return middle(in); }},
    {"clamp", "r = clamp(x, min(y, z), max(y, z));",
     [](In in, Type) { return std::min(std::max(in[0], std::min(in[1], in[2])), std::max(in[1], in[2])); }},
    {"mul24", "r = mul24(x, y);", [](In in, Type) { return in[0] * in[1]; }, IntegerRow::within24, 'T',
     IntegerRow::only32},
    {"mad24", "r = mad24(x, y, z);", [](In in, Type) { return in[0] * in[1] + in[2]; }, IntegerRow::within24,
     'T', IntegerRow::only32},
    {"select", "r = select(x, y, z < T(7));", [](In in, Type) { return in[2] < 7 ? in[1] : in[0]; }},
    {"operator+", "r = T(x + y);", [](In in, Type) { return in[0] + in[1]; }},
    {"operator-", "r = T(x - y);", [](In in, Type) { return in[0] - in[1]; }},
    {"operator-", "r = T(-x);", [](In in, Type) { return -in[0]; }},
    {"operator*", "r = T(x * y);", [](In in, Type) { return Wide(Unsigned(in[0]) * Unsigned(in[1])); }},
    {"operator/", "r = T(x / y);", [](In in, Type) { return in[0] / in[1]; }, IntegerRow::division},
    {"operator%", "r = T(x % y);", [](In in, Type) { return in[0] % in[1]; }, IntegerRow::division},
    {"operator<<", "r = T(x << y);",
     [](In in, Type type) { return Wide(pattern(in[0], type) << countOf(in, type)); }, IntegerRow::shift},
    {"operator>>", "r = T(x >> y);", [](In in, Type type) { return in[0] >> countOf(in, type); },
     IntegerRow::shift},
    {"operator&", "r = T(x & y);", [](In in, Type) { return in[0] & in[1]; }},
    {"operator|", "r = T(x | y);", [](In in, Type) { return in[0] | in[1]; }},
    {"operator^", "r = T(x ^ y);", [](In in, Type) { return in[0] ^ in[1]; }},
    {"operator~", "r = T(~x);", [](In in, Type) { return ~in[0]; }},
    {"operator<", "r = x < y;", [](In in, Type) { return Wide(in[0] < in[1]); }, IntegerRow::everything, 'B'},
    {"operator>", "r = x > y;", [](In in, Type) { return Wide(in[0] > in[1]); }, IntegerRow::everything, 'B'},
    {"operator<=", "r = x <= y;", [](In in, Type) { return Wide(in[0] <= in[1]); }, IntegerRow::everything,
     'B'},
    {"operator>=", "r = x >= y;", [](In in, Type) { return Wide(in[0] >= in[1]); }, IntegerRow::everything,
     'B'},
    {"operator==", "r = x == y;", [](In in, Type) { return Wide(in[0] == in[1]); }, IntegerRow::everything,
     'B'},
    {"operator!=", "r = x != y;", [](In in, Type) { return Wide(in[0] != in[1]); }, IntegerRow::everything,
     'B'},
};

} // namespace

std::span<const IntegerRow> integerRows() { return kRows; }

} // namespace basanite::tests
