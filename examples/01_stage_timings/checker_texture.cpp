// SPDX-License-Identifier: Apache-2.0
// Paints the ground's tile in linear light and uploads it level by level.
#include "examples/01_stage_timings/checker_texture.hpp"

#include "examples/01_stage_timings/vector_math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace examples::stage_timings {
namespace {

constexpr uint32_t kSide = 256; // pixels; a power of two
constexpr uint32_t kJointWidth = 2;
constexpr Float3 kBright = {0.64f, 0.61f, 0.57f}; // linear reflectance
constexpr Float3 kDark = {0.43f, 0.42f, 0.42f};
constexpr Float3 kJoint = {0.30f, 0.29f, 0.29f};

std::vector<Float3> paintTile() {
  std::vector<Float3> pixels(kSide * kSide);
  constexpr uint32_t kSquare = kSide / 2;
  for (uint32_t y = 0; y < kSide; ++y)
    for (uint32_t x = 0; x < kSide; ++x) {
      const bool joint = x % kSquare < kJointWidth || y % kSquare < kJointWidth;
      const bool bright = (x / kSquare + y / kSquare) % 2 == 0;
      pixels[y * kSide + x] = joint ? kJoint : bright ? kBright : kDark;
    }
  return pixels;
}

// Averages each block of 2 x 2 pixels: the next smaller level.
std::vector<Float3> halved(const std::vector<Float3>& pixels, uint32_t side) {
  const uint32_t half = side / 2;
  std::vector<Float3> result(half * half);
  for (uint32_t y = 0; y < half; ++y)
    for (uint32_t x = 0; x < half; ++x) {
      const Float3* block = &pixels[2 * y * side + 2 * x];
      result[y * half + x] = (block[0] + block[1] + block[side] + block[side + 1]) * 0.25f;
    }
  return result;
}

uint8_t encodedSrgb(float linear) {
  const float c = std::clamp(linear, 0.0f, 1.0f);
  const float encoded = c <= 0.0031308f ? 12.92f * c : 1.055f * std::pow(c, 1 / 2.4f) - 0.055f;
  return static_cast<uint8_t>(std::lround(encoded * 255));
}

std::vector<uint8_t> encoded(const std::vector<Float3>& pixels) {
  std::vector<uint8_t> bytes;
  bytes.reserve(4 * pixels.size());
  for (const Float3& pixel : pixels)
    bytes.insert(bytes.end(), {encodedSrgb(pixel.x), encodedSrgb(pixel.y), encodedSrgb(pixel.z), 255});
  return bytes;
}

} // namespace

NS::SharedPtr<MTL::Texture> newCheckerTexture(Gpu& gpu) {
  MTL::TextureDescriptor* descriptor =
      MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm_sRGB, kSide, kSide, true);
  descriptor->setStorageMode(MTL::StorageModeShared);
  descriptor->setUsage(MTL::TextureUsageShaderRead);
  NS::SharedPtr<MTL::Texture> texture = gpu.newTexture(descriptor, "checker");

  std::vector<Float3> pixels = paintTile();
  uint32_t side = kSide;
  for (NS::UInteger level = 0; level < texture->mipmapLevelCount(); ++level, side /= 2) {
    texture->replaceRegion(MTL::Region::Make2D(0, 0, side, side), level, encoded(pixels).data(), 4 * side);
    pixels = halved(pixels, side);
  }
  return texture;
}

} // namespace examples::stage_timings
