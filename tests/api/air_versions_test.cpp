// SPDX-License-Identifier: Apache-2.0
// Modules in the forms that Apple's compiler gave AIR from 1.8 to 2.8, typed pointers included, draw and
// compute right. tests/api/air has them as text and as the bitcode that LLVM 14 makes of it; air.metallib
// beside this program holds them.
#include "tests/support/metal_fixture.hpp"

#include <bit>
#include <cmath>
#include <filesystem>

namespace basanite::tests {
namespace {

class AirVersions : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    auto path = std::filesystem::read_symlink("/proc/self/exe").parent_path() / "air.metallib";
    NS::Error* error = nullptr;
    m_library = NS::TransferPtr(
        m_device->newLibrary(NS::String::string(path.c_str(), NS::UTF8StringEncoding), &error));
    ASSERT_TRUE(m_library) << text(error);
  }

  // 4 x 4 texels of one byte a channel.
  NS::SharedPtr<MTL::Texture> image(const std::vector<Pixel>& texels) {
    auto made =
        texture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead, MTL::StorageModeShared);
    made->replaceRegion(MTL::Region::Make2D(0, 0, 4, 4), 0, texels.data(), 16);
    return made;
  }

  NS::SharedPtr<MTL::Library> m_library;
};

std::vector<Pixel> sixteenTexels() {
  std::vector<Pixel> texels;
  for (int i = 0; i < 16; ++i)
    texels.push_back({uint8_t(i * 16), uint8_t(i * 10), uint8_t(255 - i), uint8_t(i % 2 ? 255 : 51)});
  return texels;
}

TEST_F(AirVersions, Air18DrawsATexture) {
  auto pipeline =
      renderPipeline(m_library.get(), "corner18", "texel18", [](MTL4::RenderPipelineDescriptor* descriptor) {
        descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
      });
  ASSERT_TRUE(pipeline);
  std::vector<Pixel> texels = sixteenTexels();
  auto source = image(texels);
  auto scale = sharedBuffer(std::vector<float>{1, 1, 1, 1});
  auto table = argumentTable(1, 1);
  table->setAddress(scale->gpuAddress(), 0);
  table->setTexture(source->gpuResourceID(), 0);
  auto target = colorTarget(4, 4);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(target.get()));
              encoder->setRenderPipelineState(pipeline.get());
              encoder->setArgumentTable(table.get(), MTL::RenderStageVertex | MTL::RenderStageFragment);
              encoder->drawPrimitives(MTL::PrimitiveTypeTriangleStrip, NS::UInteger(0), NS::UInteger(4));
              encoder->endEncoding();
            }),
            "");
  // Red is limited to one half, which lies in the middle of two values of the target: devices take either.
  std::vector<Pixel> drawn = pixels(target.get());
  for (size_t i = 0; i < texels.size(); ++i) {
    if (texels[i].r < 128) continue;
    EXPECT_TRUE(drawn[i].r == 127 || drawn[i].r == 128) << int(drawn[i].r);
    texels[i].r = drawn[i].r;
  }
  EXPECT_EQ(drawn, texels);
}

TEST_F(AirVersions, Air23SumsTexelsInThreadgroupMemory) {
  auto pipeline = computePipeline(m_library.get(), "tally23");
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(pipeline->maxTotalThreadsPerThreadgroup(), 64u);
  auto source = image(sixteenTexels());
  auto output = sharedBuffer(std::vector<uint32_t>(3));
  auto table = argumentTable(1, 1);
  table->setAddress(output->gpuAddress(), 0);
  table->setTexture(source->gpuResourceID(), 0);
  dispatch(pipeline.get(), table.get(), 64 * 3);
  // Each texel four times in a threadgroup of 64.
  EXPECT_EQ(contents<uint32_t>(output.get()), std::vector<uint32_t>(3, 4 * 16 * (0 + 15) * 16 / 2));
}

// The file calls the function by another name than its module does, as for a [[host_name]].
TEST_F(AirVersions, Air27FunctionConstantsDecideOnNumbersAndArguments) {
  auto more = sharedBuffer(std::vector<uint32_t>(64, 5000));
  struct Case {
    bool given, plus;
    uint32_t rest;
  };
  for (Case c : {Case{false, false, 7}, {true, false, 3}, {true, true, 5000}}) {
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    uint32_t gain = 11;
    values->setConstantValue(&gain, MTL::DataTypeUInt, NS::UInteger(9));
    if (c.given) values->setConstantValue(&c.plus, MTL::DataTypeBool, MTLSTR("plus"));
    NS::Error* error = nullptr;
    auto function = NS::TransferPtr(m_library->newFunction(MTLSTR("constants<uint>"), values.get(), &error));
    ASSERT_TRUE(function) << text(error);
    auto pipeline = NS::TransferPtr(m_device->newComputePipelineState(function.get(), &error));
    ASSERT_TRUE(pipeline) << text(error);
    auto output = sharedBuffer(std::vector<uint32_t>(64));
    auto table = argumentTable(2);
    table->setAddress(output->gpuAddress(), 0);
    // Without a value the argument is not there and needs no buffer.
    if (c.given) table->setAddress(more->gpuAddress(), 1);
    dispatch(pipeline.get(), table.get(), 64);
    EXPECT_EQ(contents<uint32_t>(output.get())[40], 40 * 11 + c.rest);
  }
  NS::Error* error = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_library->newFunction(MTLSTR("constants<uint>"), nullptr, &error)));
  EXPECT_NE(text(error).find("needs a value for its function constant \"gain\" ([[function_constant(9)]])"),
            std::string::npos)
      << text(error);
}

TEST_F(AirVersions, Air28ReadsAndSamples) {
  auto pipeline = computePipeline(m_library.get(), "weigh28");
  ASSERT_TRUE(pipeline);
  std::vector<Pixel> texels = sixteenTexels();
  auto source = image(texels);
  auto output = sharedBuffer(std::vector<float>(4));
  auto table = argumentTable(1, 1);
  table->setAddress(output->gpuAddress(), 0);
  table->setTexture(source->gpuResourceID(), 0);
  dispatch(pipeline.get(), table.get(), 4);
  const float weights[] = {1, 10, 100, 1000};
  for (size_t i = 0; i < 4; ++i)
    EXPECT_NEAR(contents<float>(output.get())[i], (texels[i].r + texels[4 + i].g) / 255.0f * weights[i],
                1e-5f * weights[i]);
}

uint16_t bfloatBits(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
float bfloatValue(uint16_t bits) { return std::bit_cast<float>(uint32_t(bits) << 16); }
float asBfloat(float value) { return bfloatValue(bfloatBits(value)); }

TEST_F(AirVersions, Air25BfloatIsRoundedAfterEachOperation) {
  auto pipeline = computePipeline(m_library.get(), "bfloat25");
  ASSERT_TRUE(pipeline);
  std::vector<uint16_t> numbers(64);
  for (size_t i = 0; i < 64; ++i) numbers[i] = bfloatBits(float(i) * 0.37f - 9.0f);
  numbers[1] = bfloatBits(257.0f); // halfway cases of the sum with 2 and of the products
  numbers[3] = bfloatBits(255.0f);
  numbers[5] = 0x7fc1; // NaN
  numbers[7] = 0x7f80; // infinity
  numbers[9] = 0x7f7f; // the largest: the product overflows
  numbers[11] = 0x8000;
  auto input = sharedBuffer(numbers);
  auto output = sharedBuffer(std::vector<uint16_t>(128));
  auto table = argumentTable(2);
  table->setAddress(input->gpuAddress(), 0);
  table->setAddress(output->gpuAddress(), 1);
  dispatch(pipeline.get(), table.get(), 64);

  const float rows[] = {1, -3, 0.5f, 100};
  float s[64];
  for (size_t i = 0; i < 64; ++i)
    s[i] = asBfloat(asBfloat(bfloatValue(numbers[i]) * asBfloat(float(i))) + rows[i % 4]);
  std::vector<uint16_t> results = contents<uint16_t>(output.get());
  for (size_t i = 0; i < 64; ++i) {
    float most = std::fmax(s[i], s[63 - i]);
    EXPECT_EQ(results[2 * i], bfloatBits(most + 1)) << i << ": " << most;
    if (i == 5)
      EXPECT_TRUE(std::isnan(bfloatValue(results[2 * i + 1])));
    else
      EXPECT_EQ(results[2 * i + 1], bfloatBits(bfloatValue(numbers[i]) + 2)) << i;
  }
}

// A function of a kind that no pipeline takes is listed, and asking for it says what it is.
TEST_F(AirVersions, AnIntersectionFunctionIsRefusedByName) {
  NS::Error* error = nullptr;
  bool listed = false;
  for (NS::UInteger i = 0; i < m_library->functionNames()->count(); ++i)
    listed |= std::string(m_library->functionNames()->object<NS::String>(i)->utf8String()) == "seen";
  EXPECT_TRUE(listed);
  EXPECT_FALSE(NS::TransferPtr(m_library->newFunction(MTLSTR("seen"))));
  EXPECT_FALSE(NS::TransferPtr(m_library->newFunction(MTLSTR("seen"), nullptr, &error)));
  EXPECT_EQ(
      text(error),
      "The function \"seen\" of the library is an intersection function, which no pipeline can use yet.");
}

} // namespace
} // namespace basanite::tests
