// SPDX-License-Identifier: Apache-2.0
// The table's rows of <metal_relational> and the comparisons. Those that ask what a number is answer under
// fast math too.
#include "tests/api/numbers/numbers.hpp"

#include <cmath>
#include <initializer_list>

namespace basanite::tests {

namespace {

using In = const Triple&;
constexpr Range kRange{-9, 9};

constexpr FloatRow question(const char* name, const char* body, unsigned arguments, Reference reference,
                            Reference halfReference = nullptr) {
  return {name, body,          arguments, reference, kRange, {},     {},
          {},   halfReference, false,     'B',       false,  {0, 0}, true};
}
constexpr FloatRow comparison(const char* name, const char* body, Reference reference) {
  return {name, body, 2, reference, kRange, {}, {}, {}, nullptr, false, 'B', false};
}

const FloatRow kRows[] = {
    question("isnan", "r = isnan(x);", 1, [](In in) { return double(std::isnan(in.x)); }),
    question("isinf", "r = isinf(x);", 1, [](In in) { return double(std::isinf(in.x)); }),
    question("isfinite", "r = isfinite(x);", 1, [](In in) { return double(std::isfinite(in.x)); }),
    question(
        "isnormal", "r = isnormal(x);", 1,
        [](In in) { return double(std::isfinite(in.x) && std::fabs(in.x) >= std::ldexp(1.0, -126)); },
        [](In in) { return double(std::isfinite(in.x) && std::fabs(in.x) >= std::ldexp(1.0, -14)); }),
    question("signbit", "r = signbit(x);", 1, [](In in) { return double(std::signbit(in.x)); }),
    question("isordered", "r = isordered(x, y);", 2,
             [](In in) { return double(!std::isnan(in.x) && !std::isnan(in.y)); }),
    question("isunordered", "r = isunordered(x, y);", 2,
             [](In in) { return double(std::isnan(in.x) || std::isnan(in.y)); }),
    comparison("operator<", "r = x < y;", [](In in) { return double(in.x < in.y); }),
    comparison("operator>", "r = x > y;", [](In in) { return double(in.x > in.y); }),
    comparison("operator<=", "r = x <= y;", [](In in) { return double(in.x <= in.y); }),
    comparison("operator>=", "r = x >= y;", [](In in) { return double(in.x >= in.y); }),
    comparison("operator==", "r = x == y;", [](In in) { return double(in.x == in.y); }),
    comparison("operator!=", "r = x != y;", [](In in) { return double(in.x != in.y); }),
    {"select",
     "r = select(x, y, z > T(1));",
     3,
     [](In in) { return in.z > 1 ? in.y : in.x; },
     kRange,
     {},
     {},
     {},
     nullptr,
     false,
     'T',
     false},
};

} // namespace

std::span<const FloatRow> relationalRows() { return kRows; }

} // namespace basanite::tests
