// SPDX-License-Identifier: Apache-2.0
// Sizes of Objective-C type encodings.
#include "src/foundation/type_encoding.hpp"

#include <gtest/gtest.h>

using basanite::foundation::encodedSize;

TEST(TypeEncoding, Scalars) {
  EXPECT_EQ(encodedSize("c"), 1u);
  EXPECT_EQ(encodedSize("S"), 2u);
  EXPECT_EQ(encodedSize("f"), 4u);
  EXPECT_EQ(encodedSize("rq"), 8u);
  EXPECT_EQ(encodedSize("^v"), 8u);
  EXPECT_EQ(encodedSize("^{CGSize=dd}"), 8u);
}

TEST(TypeEncoding, StructsArePadded) {
  EXPECT_EQ(encodedSize("{P=ci}"), 8u);
  EXPECT_EQ(encodedSize("{P=ic}"), 8u);
  EXPECT_EQ(encodedSize("{CGRect={CGPoint=dd}{CGSize=dd}}"), 32u);
  EXPECT_EQ(encodedSize("{M=[4[3f]]}"), 48u);
  EXPECT_EQ(encodedSize("(U=cd)"), 8u);
}

TEST(TypeEncoding, RefusesNonsense) {
  for (const char* encoding : {"", "x", "{P=i", "[f]", "[3f", "ii", "^"})
    EXPECT_EQ(encodedSize(encoding), std::nullopt) << encoding;
}
