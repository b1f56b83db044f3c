// SPDX-License-Identifier: Apache-2.0
// Math and common functions of float and half against double precision: each row of the table, every width,
// fast and precise.
#include "tests/api/numbers/numbers.hpp"

namespace basanite::tests {
namespace {

using MathNumbers = Numbers;

TEST_F(MathNumbers, FloatsWithFastMathOff) { checkFloats(mathRows(), Scalar::f32, false); }
TEST_F(MathNumbers, FloatsWithFastMathOn) { checkFloats(mathRows(), Scalar::f32, true); }
TEST_F(MathNumbers, HalvesWithFastMathOff) { checkFloats(mathRows(), Scalar::f16, false); }
TEST_F(MathNumbers, HalvesWithFastMathOn) { checkFloats(mathRows(), Scalar::f16, true); }
TEST_F(MathNumbers, CommonFunctionsOfFloats) {
  checkFloats(commonRows(), Scalar::f32, false);
  checkFloats(commonRows(), Scalar::f32, true);
}
TEST_F(MathNumbers, RelationalFunctions) {
  for (Scalar type : {Scalar::f32, Scalar::f16})
    for (bool fastMath : {false, true}) checkFloats(relationalRows(), type, fastMath);
}
TEST_F(MathNumbers, CommonFunctionsOfHalves) {
  checkFloats(commonRows(), Scalar::f16, false);
  checkFloats(commonRows(), Scalar::f16, true);
}

} // namespace
} // namespace basanite::tests
