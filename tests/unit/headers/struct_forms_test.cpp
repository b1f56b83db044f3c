// SPDX-License-Identifier: Apache-2.0
// The plain structs give the same values whichever way they are made.
#include <metal/metal.hpp>

#include "tests/unit/headers/struct_forms.inc"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <type_traits>

namespace {

template <class T> bool same(const T& left, const T& right) {
  return std::memcmp(&left, &right, sizeof(T)) == 0;
}

// The fields are packed, so they are passed by value.
MTL::Size size(NS::UInteger width, NS::UInteger height, NS::UInteger depth) {
  MTL::Size result;
  result.width = width;
  result.height = height;
  result.depth = depth;
  return result;
}

TEST(StructForms, Size) {
  const MTL::Size expected = size(1, 2, 3);
  EXPECT_TRUE(same(forms::kSizeCall, expected));
  EXPECT_TRUE(same(forms::kSizeBraces, expected));
  EXPECT_TRUE(same(forms::kSizeDesignated, expected));
  EXPECT_TRUE(same(forms::kSizeMake, expected));
  const MTL::Size part = {.width = 1};
  EXPECT_TRUE(same(part, size(1, 0, 0)));
  EXPECT_TRUE(same(MTL::Size(), size(0, 0, 0)));
  static_assert(std::is_trivially_copyable_v<MTL::Size> && std::is_aggregate_v<MTL::Size>);
}

TEST(StructForms, OriginAndRegion) {
  MTL::Region expected;
  expected.origin = MTL::Origin(1, 2, 3);
  expected.size = size(4, 5, 6);
  EXPECT_TRUE(same(forms::kOriginCall, forms::kOriginDesignated));
  EXPECT_TRUE(same(forms::kRegion3D, expected));
  EXPECT_TRUE(same(forms::kRegionParts, expected));
  EXPECT_TRUE(same(forms::kRegion2D, MTL::Region(1, 2, 0, 4, 5, 1)));
  EXPECT_TRUE(same(forms::kRegion1D, MTL::Region(1, 0, 0, 4, 1, 1)));
  EXPECT_TRUE(same(MTL::Region::Make1D(1, 4), forms::kRegion1D));
  EXPECT_TRUE(same(MTL::Region::Make2D(1, 2, 4, 5), forms::kRegion2D));
}

TEST(StructForms, ClearColor) {
  MTL::ClearColor expected;
  expected.red = 0.25;
  expected.green = 0.5;
  expected.blue = 0.75;
  expected.alpha = 1.0;
  EXPECT_TRUE(same(forms::kColorCall, expected));
  EXPECT_TRUE(same(forms::kColorBraces, expected));
  EXPECT_TRUE(same(forms::kColorDesignated, expected));
  EXPECT_TRUE(same(forms::kColorMake, expected));
}

TEST(StructForms, ViewportAndScissor) {
  EXPECT_TRUE(same(forms::kViewportCall, forms::kViewportDesignated));
  EXPECT_EQ(double(forms::kViewportCall.zfar), 1.0);
  EXPECT_TRUE(same(forms::kScissorCall, forms::kScissorDesignated));
  EXPECT_EQ(NS::UInteger(forms::kScissorCall.height), 4u);
}

TEST(StructForms, BufferRange) {
  EXPECT_TRUE(same(forms::kRangeCall, forms::kRangeDesignated));
  EXPECT_TRUE(same(forms::kRangeCall, forms::kRangeMake));
  EXPECT_EQ(uint64_t(forms::kRangeCall.length), 128u);
  EXPECT_EQ(uint64_t(forms::kRangeAddress.bufferAddress), 64u);
  EXPECT_EQ(uint64_t(forms::kRangeAddress.length), ~uint64_t(0));
  EXPECT_EQ(uint64_t(forms::kRangeNone.bufferAddress), 0u);
  EXPECT_EQ(uint64_t(forms::kRangeNone.length), 0u);
}

TEST(StructForms, Others) {
  EXPECT_EQ(uint64_t(forms::kResourceId._impl), 7u);
  EXPECT_TRUE(same(forms::kSamplePosition, forms::kSampleDesignated));
  EXPECT_EQ(NS::UInteger(forms::kSizeAndAlign.align), 4u);
  EXPECT_EQ(NS::Integer(forms::kVersion.majorVersion), 26);
}

TEST(StructForms, Range) {
  EXPECT_TRUE(forms::kNsRangeCall.Equal(forms::kNsRangeDesignated));
  EXPECT_TRUE(forms::kNsRangeCall.Equal(forms::kNsRangeMake));
  EXPECT_EQ(forms::kNsRangeCall.Max(), 5u);
  EXPECT_FALSE(forms::kNsRangeCall.LocationInRange(1));
  EXPECT_TRUE(forms::kNsRangeCall.LocationInRange(2));
  EXPECT_TRUE(forms::kNsRangeCall.LocationInRange(4));
  EXPECT_FALSE(forms::kNsRangeCall.LocationInRange(5));
}

TEST(StructForms, Swizzle) {
  EXPECT_TRUE(same(forms::kSwizzleDefault, forms::kSwizzleNone));
  EXPECT_EQ(MTL::TextureSwizzle(forms::kSwizzleNone.blue), MTL::TextureSwizzleBlue);
  EXPECT_EQ(MTL::TextureSwizzle(forms::kSwizzleCall.red), MTL::TextureSwizzleOne);
  EXPECT_EQ(MTL::TextureSwizzle(forms::kSwizzleDesignated.green), MTL::TextureSwizzleGreen);
}

TEST(StructForms, PackedFloats) {
  EXPECT_EQ(float(forms::kFloat3.y), 2.0f);
  EXPECT_EQ(forms::kFloat3[2], 3.0f);
  MTL::PackedFloat3 changed = forms::kFloat3;
  changed[0] = 9.0f;
  EXPECT_EQ(float(changed.x), 9.0f);
  EXPECT_EQ(float(MTL::PackedFloatQuaternion(1, 2, 3, 4).w), 4.0f);
  MTL::PackedFloat4x3 matrix({1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12});
  EXPECT_EQ(float(matrix[3].z), 12.0f);
  EXPECT_EQ(float(forms::kBox.max.x), 1.0f);
  const MTL::AxisAlignedBoundingBox nothing;
  EXPECT_TRUE(std::isinf(float(nothing.min.x)) && float(nothing.min.x) > 0 && float(nothing.max.x) < 0);
}

} // namespace
