// SPDX-License-Identifier: Apache-2.0
// Integer functions and operators of every type and width against exact integers.
#include "tests/api/numbers/numbers.hpp"

namespace basanite::tests {
namespace {

using IntegerNumbers = Numbers;

TEST_F(IntegerNumbers, OfEightBits) {
  checkIntegers(integerRows(), Scalar::i8);
  checkIntegers(integerRows(), Scalar::u8);
}
TEST_F(IntegerNumbers, OfSixteenBits) {
  checkIntegers(integerRows(), Scalar::i16);
  checkIntegers(integerRows(), Scalar::u16);
}
TEST_F(IntegerNumbers, OfThirtyTwoBits) {
  checkIntegers(integerRows(), Scalar::i32);
  checkIntegers(integerRows(), Scalar::u32);
}
TEST_F(IntegerNumbers, OfSixtyFourBits) {
  checkIntegers(integerRows(), Scalar::i64);
  checkIntegers(integerRows(), Scalar::u64);
}

} // namespace
} // namespace basanite::tests
