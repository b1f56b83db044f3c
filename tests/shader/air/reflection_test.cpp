// SPDX-License-Identifier: Apache-2.0
// Types by their names in MSL.
#include "src/shader/air/reflection.hpp"

#include <gtest/gtest.h>
#include <string>

namespace basanite::shader::air {
namespace {

TEST(TypeNames, ScalarsVectorsAndMatrices) {
  struct Row {
    const char* name;
    DataType type;
    uint32_t size, align;
  };
  for (const Row& row : {Row{"float", 3, 4, 4},
                         {"float3", 5, 16, 16},
                         {"packed_float3", 5, 12, 4},
                         {"half2", 17, 4, 4},
                         {"uint4", 36, 16, 16},
                         {"char", 45, 1, 1},
                         {"bool3", 55, 4, 4},
                         {"ulong2", 86, 16, 16},
                         {"bfloat", 121, 2, 2},
                         {"vec<bfloat, 4>", 124, 8, 8},
                         {"float4x4", 15, 64, 16},
                         {"float3x2", 10, 24, 8},
                         {"half2x3", 21, 16, 8},
                         {"atomic_int", 29, 4, 4},
                         {"sampler", 59, 8, 8}}) {
    SCOPED_TRACE(row.name);
    TypeReflection type = typeNamed(row.name);
    EXPECT_EQ(type.dataType, row.type);
    EXPECT_EQ(type.size, row.size);
    EXPECT_EQ(type.align, row.align);
  }
}

TEST(TypeNames, ArraysInTheirOrder) {
  TypeReflection type = typeNamed("float [2][5]");
  EXPECT_EQ(type.dataType, 2u);
  EXPECT_EQ(type.arrayLength, 2u);
  EXPECT_EQ(type.stride, 20u);
  ASSERT_EQ(type.element.size(), 1u);
  EXPECT_EQ(type.element[0].arrayLength, 5u);
  EXPECT_EQ(type.element[0].element.at(0).dataType, 3u);
  TypeReflection library = typeNamed("array<int2, 6>");
  EXPECT_EQ(library.arrayLength, 6u);
  EXPECT_EQ(library.stride, 8u);
}

TEST(TypeNames, Textures) {
  TypeReflection type = typeNamed("texturecube_array<half, read_write>");
  EXPECT_EQ(type.dataType, 58u);
  EXPECT_EQ(type.textureType, 6u);
  EXPECT_EQ(type.textureDataType, 16u);
  EXPECT_EQ(type.access, 1u);
  EXPECT_TRUE(typeNamed("depth2d_ms<float, read>").depthTexture);
}

TEST(TypeNames, WhatIsNoneSaysSo) {
  for (const char* name : {"", "Light", "float5", "float [", "float []", "float [0]", "array<", "array<int>",
                           "vec<>", "half4x5", "]", "<"})
    EXPECT_EQ(typeNamed(name).dataType, 0u) << name;
  // Deeper than anybody nests.
  std::string deep = "int";
  for (int i = 0; i < 10000; ++i) deep += "[1]";
  EXPECT_EQ(typeNamed(deep).arrayLength, 1u);
}

} // namespace
} // namespace basanite::shader::air
