// SPDX-License-Identifier: Apache-2.0
// Values that name nothing: made-up addresses and resource IDs, numbers that are no enumerators, textures used in ways they
// were not made for, outputs that a format cannot hold. Each is one sentence, and the process lives.
#include "tests/support/metal_fixture.hpp"

#include <functional>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings corner(uint id [[vertex_id]]) {
  Varyings out; out.position = float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1); return out; }
vertex Varyings offset(uint id [[vertex_id]], constant float4& shift [[buffer(3)]]) {
  Varyings out; out.position = float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1) + shift; return out; }
fragment float4 plain() { return float4(1, 1, 1, 1); }
fragment float4 sampled(Varyings in [[stage_in]], texture2d<float> picture [[texture(1)]], sampler how [[sampler(2)]]) {
  return picture.sample(how, in.position.xy); }
fragment float4 floats() { return float4(1, 1, 1, 1); }
fragment half2 halves() { return half2(1, 1); }
fragment int4 signedOnes() { return int4(-1, -2, -3, -4); }
fragment uint4 unsignedOnes() { return uint4(1, 2, 3, 4); }
struct Two { float4 first [[color(0)]]; ushort2 third [[color(2)]]; };
fragment Two two() { Two out; out.first = float4(1); out.third = ushort2(7, 8); return out; }
kernel void copyWord(const device uint* from [[buffer(0)]], device uint* to [[buffer(1)]]) { to[0] = from[0]; }
kernel void store(texture2d<float, access::write> out [[texture(0)]]) { out.write(float4(1, 0, 0, 1), uint2(0)); }
kernel void readAndStore(texture2d<float, access::read_write> both [[texture(0)]]) {
  both.write(both.read(uint2(0)) + float4(1), uint2(0)); }
kernel void readTexel(texture2d<float, access::read> in [[texture(0)]], device float4* out [[buffer(0)]]) {
  out[0] = in.read(uint2(0)); }
)";

class BadValues : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(8, 8);
  }
  static void expectParts(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* vertex, const char* fragment) {
    return renderPipeline(m_library.get(), vertex, fragment,
                          [](auto* d) { d->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm); });
  }
  std::string dispatchError(MTL::ComputePipelineState* kernel, MTL4::ArgumentTable* table) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
      encoder->setComputePipelineState(kernel);
      encoder->setArgumentTable(table);
      encoder->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
      encoder->endEncoding();
    });
  }
  std::string rendering(const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::RenderCommandEncoder* encoder = commands->renderCommandEncoder(clearPass(m_target.get()));
      record(encoder);
      encoder->endEncoding();
    });
  }
  static void triangle(MTL4::RenderCommandEncoder* encoder) {
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  }
  // What standard error says while a method without an error parameter returns null.
  static std::string misuse(const std::function<bool()>& make) {
    testing::internal::CaptureStderr();
    bool made = make();
    std::string log = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(made);
    return log;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target;
};

// ---- argument tables ---------------------------------------------------------------------------------------------------

TEST_F(BadValues, AnAddressInNoBufferIsNamedAndTheCommandIsSkipped) {
  auto kernel = computePipeline(m_library.get(), "copyWord");
  ASSERT_TRUE(kernel);
  auto from = sharedBuffer(std::vector<uint32_t>{42}), to = sharedBuffer(std::vector<uint32_t>{7});
  auto table = argumentTable(2);
  table->setAddress(to->gpuAddress(), 1);
  for (MTL::GPUAddress address : {MTL::GPUAddress(0x1234), ~MTL::GPUAddress(0), MTL::GPUAddress(0)}) {
    table->setAddress(address, 0);
    expectParts(dispatchError(kernel.get(), table.get()), {"kernel", "buffer(0)", "from", "copyWord", "no buffer"});
  }
  table->setAddress(0xdead0000, 0);
  expectParts(dispatchError(kernel.get(), table.get()), {"0xdead0000"});
  EXPECT_EQ(contents<uint32_t>(to.get())[0], 7u) << "no such dispatch may run";
  table->setAddress(from->gpuAddress(), 0);
  EXPECT_EQ(dispatchError(kernel.get(), table.get()), "");
  EXPECT_EQ(contents<uint32_t>(to.get())[0], 42u);
}

TEST_F(BadValues, AnAddressOfABufferThatIsGoneIsNamed) {
  auto kernel = computePipeline(m_library.get(), "copyWord");
  ASSERT_TRUE(kernel);
  auto to = sharedBuffer(std::vector<uint32_t>{7});
  auto table = argumentTable(2);
  table->setAddress(to->gpuAddress(), 1);
  // Not in the fixture's residency set, which would keep it. It is used while it lives, so that the table has seen it and
  // nothing of the commands' own has to be made at its address later.
  auto brief = NS::TransferPtr(m_device->newBuffer(4096, MTL::ResourceStorageModeShared));
  const MTL::GPUAddress address = brief->gpuAddress();
  table->setAddress(address, 0);
  EXPECT_EQ(dispatchError(kernel.get(), table.get()), "");
  brief.reset();
  table->setAddress(to->gpuAddress(), 0);
  table->setAddress(address, 0);
  expectParts(dispatchError(kernel.get(), table.get()), {"buffer(0)", "no buffer"});
}

TEST_F(BadValues, AVertexStageNamesItsOwnAddress) {
  auto state = pipeline("offset", "plain");
  ASSERT_TRUE(state);
  auto table = argumentTable(4);
  table->setAddress(0x40, 3);
  expectParts(rendering([&](auto* encoder) {
                encoder->setRenderPipelineState(state.get());
                encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
                triangle(encoder);
              }),
              {"vertex", "0x40", "buffer(3)", "shift", "offset"});
  EXPECT_EQ(pixels(m_target.get())[0], (Pixel{0, 0, 0, 255}));
}

TEST_F(BadValues, ResourceIDsOfNothingAreNamedAndTheDrawIsSkipped) {
  auto state = pipeline("corner", "sampled");
  ASSERT_TRUE(state);
  auto picture = texture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead);
  auto how = sampler([](auto*) {});
  auto table = argumentTable(0, 2, 3);
  const auto drawError = [&] {
    return rendering([&](auto* encoder) {
      encoder->setRenderPipelineState(state.get());
      encoder->setArgumentTable(table.get(), MTL::RenderStageFragment);
      triangle(encoder);
    });
  };
  table->setSamplerState(how->gpuResourceID(), 2);
  for (uint64_t id : {uint64_t(31000), uint64_t(1) << 40, ~uint64_t(0)}) {
    table->setTexture(MTL::ResourceID{id}, 1);
    expectParts(drawError(), {"fragment", "texture(1)", "picture", "sampled", "no texture"});
  }
  table->setTexture(MTL::ResourceID{0xabcdef}, 1);
  expectParts(drawError(), {"0xabcdef"});
  table->setTexture(picture->gpuResourceID(), 1);
  for (uint64_t id : {uint64_t(2000), uint64_t(1) << 33}) {
    table->setSamplerState(MTL::ResourceID{id}, 2);
    expectParts(drawError(), {"fragment", "sampler(2)", "how", "no sampler"});
  }
  table->setSamplerState(how->gpuResourceID(), 2);
  EXPECT_EQ(drawError(), "");
}

TEST_F(BadValues, ATextureOfAnotherTypeIsNamedWithBothTypes) {
  auto kernel = computePipeline(m_library.get(), "readTexel");
  ASSERT_TRUE(kernel);
  auto out = sharedBuffer(16);
  auto table = argumentTable(1, 1);
  table->setAddress(out->gpuAddress(), 0);
  const auto errorWith = [&](MTL::TextureType type, NS::UInteger depth, NS::UInteger slices) {
    auto descriptor = NS::TransferPtr(MTL::TextureDescriptor::alloc()->init());
    descriptor->setTextureType(type);
    descriptor->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    descriptor->setWidth(4);
    descriptor->setHeight(4);
    descriptor->setDepth(depth);
    descriptor->setArrayLength(slices);
    auto other = NS::TransferPtr(m_device->newTexture(descriptor.get()));
    EXPECT_TRUE(other);
    table->setTexture(other->gpuResourceID(), 0);
    return dispatchError(kernel.get(), table.get());
  };
  expectParts(errorWith(MTL::TextureType3D, 4, 1), {"readTexel", "texture(0)", "as a 2D texture,", "is a 3D texture."});
  expectParts(errorWith(MTL::TextureType2DArray, 1, 3), {"as a 2D texture,", "is a 2D texture array."});
  expectParts(errorWith(MTL::TextureTypeCube, 1, 1), {"as a 2D texture,", "is a cube texture."});
  EXPECT_EQ(errorWith(MTL::TextureType2D, 1, 1), "");
}

// ---- usage ---------------------------------------------------------------------------------------------------------------

TEST_F(BadValues, WritingATextureMadeWithoutShaderWriteIsNamed) {
  auto store = computePipeline(m_library.get(), "store"), both = computePipeline(m_library.get(), "readAndStore");
  ASSERT_TRUE(store && both);
  auto readOnly = texture(4, 4, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead);
  auto writable = texture(4, 4, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  auto table = argumentTable(0, 1);
  table->setTexture(readOnly->gpuResourceID(), 0);
  expectParts(dispatchError(store.get(), table.get()), {"store", "writes", "texture(0)", "out", "TextureUsageShaderWrite"});
  expectParts(dispatchError(both.get(), table.get()), {"readAndStore", "texture(0)", "TextureUsageShaderWrite"});
  table->setTexture(writable->gpuResourceID(), 0);
  EXPECT_EQ(dispatchError(store.get(), table.get()), "");
  EXPECT_EQ(texels<float>(writable.get())[0], 1);
}

// Vulkan lets every image that can be sampled be sampled, so a missing ShaderRead loses nothing.
TEST_F(BadValues, ReadingATextureMadeWithoutShaderReadWorks) {
  auto store = computePipeline(m_library.get(), "store"), read = computePipeline(m_library.get(), "readTexel");
  ASSERT_TRUE(store && read);
  auto writeOnly = texture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderWrite);
  auto out = sharedBuffer(16);
  auto table = argumentTable(1, 1);
  table->setAddress(out->gpuAddress(), 0);
  table->setTexture(writeOnly->gpuResourceID(), 0);
  EXPECT_EQ(dispatchError(store.get(), table.get()), "");
  EXPECT_EQ(dispatchError(read.get(), table.get()), "");
  EXPECT_EQ(contents<float>(out.get()), (std::vector<float>{1, 0, 0, 1}));
}

// ---- outputs -------------------------------------------------------------------------------------------------------------

TEST_F(BadValues, OutputsAndFormatsOfDifferentClassesAreNamedWhenThePipelineIsMade) {
  using Formats = std::vector<MTL::PixelFormat>;
  const auto errorOf = [&](const char* fragment, const Formats& formats) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    auto vertexFunction = function(m_library.get(), "corner"), fragmentFunction = function(m_library.get(), fragment);
    descriptor->setVertexFunctionDescriptor(vertexFunction.get());
    descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
    for (size_t i = 0; i < formats.size(); ++i) descriptor->colorAttachments()->object(i)->setPixelFormat(formats[i]);
    NS::Error* error = nullptr;
    auto made = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
    EXPECT_EQ(!made, error != nullptr);
    return error ? text(error) : "";
  };
  expectParts(errorOf("floats", {MTL::PixelFormatRGBA32Uint}),
              {"floats", "floating-point", "color(0)", "RGBA32Uint", "unsigned integer"});
  expectParts(errorOf("floats", {MTL::PixelFormatR8Sint}), {"floats", "R8Sint", "signed integer"});
  expectParts(errorOf("halves", {MTL::PixelFormatRG16Sint}), {"halves", "floating-point", "RG16Sint"});
  expectParts(errorOf("signedOnes", {MTL::PixelFormatRGBA8Unorm}), {"signedOnes", "signed integer", "RGBA8Unorm", "floating-point"});
  expectParts(errorOf("signedOnes", {MTL::PixelFormatRGBA32Uint}), {"signedOnes", "RGBA32Uint", "unsigned integer"});
  expectParts(errorOf("unsignedOnes", {MTL::PixelFormatRGBA32Sint}), {"unsignedOnes", "unsigned integer", "RGBA32Sint"});
  expectParts(errorOf("unsignedOnes", {MTL::PixelFormatRG11B10Float}), {"unsignedOnes", "RG11B10Float"});
  expectParts(errorOf("two", {MTL::PixelFormatRGBA8Unorm, MTL::PixelFormatInvalid, MTL::PixelFormatRG8Unorm}),
              {"two", "color(2)", "unsigned integer", "RG8Unorm"});
  // What goes together.
  EXPECT_EQ(errorOf("floats", {MTL::PixelFormatRGBA8Unorm}), "");
  EXPECT_EQ(errorOf("floats", {MTL::PixelFormatR16Snorm}), "");
  EXPECT_EQ(errorOf("halves", {MTL::PixelFormatRGBA8Unorm_sRGB}), "");
  EXPECT_EQ(errorOf("signedOnes", {MTL::PixelFormatRG8Sint}), "");
  EXPECT_EQ(errorOf("unsignedOnes", {MTL::PixelFormatRGB10A2Uint}), "");
  EXPECT_EQ(errorOf("two", {MTL::PixelFormatRGBA8Unorm, MTL::PixelFormatInvalid, MTL::PixelFormatRG16Uint}), "");
  // An attachment that the function does not write, and an output without an attachment.
  EXPECT_EQ(errorOf("floats", {MTL::PixelFormatRGBA8Unorm, MTL::PixelFormatRGBA32Uint}), "");
  EXPECT_EQ(errorOf("two", {MTL::PixelFormatRGBA8Unorm}), "");
}

// ---- numbers that are no enumerators -----------------------------------------------------------------------------------

TEST_F(BadValues, EncodersNameThem) {
  auto state = pipeline("corner", "plain");
  ASSERT_TRUE(state);
  auto indices = sharedBuffer(std::vector<uint16_t>{0, 1, 2, 0});
  const auto draws = [&](const std::function<void(MTL4::RenderCommandEncoder*)>& record) {
    return rendering([&](auto* encoder) {
      encoder->setRenderPipelineState(state.get());
      record(encoder);
    });
  };
  expectParts(draws([](auto* e) { e->drawPrimitives(MTL::PrimitiveType(77), NS::UInteger(0), NS::UInteger(3)); }),
              {"drawPrimitives", "77", "PrimitiveType"});
  expectParts(draws([&](auto* e) {
                e->drawIndexedPrimitives(MTL::PrimitiveType(5), 3, MTL::IndexTypeUInt16, indices->gpuAddress(), 6);
              }),
              {"drawIndexedPrimitives", "5", "PrimitiveType"});
  expectParts(draws([&](auto* e) {
                e->drawIndexedPrimitives(MTL::PrimitiveTypeTriangle, 3, MTL::IndexType(2), indices->gpuAddress(), 6);
              }),
              {"drawIndexedPrimitives", "2", "IndexType"});
  expectParts(draws([](auto* e) { e->setCullMode(MTL::CullMode(3)); }), {"setCullMode", "3", "CullMode"});
  expectParts(draws([](auto* e) { e->setFrontFacingWinding(MTL::Winding(9)); }), {"setFrontFacingWinding", "9", "Winding"});
  expectParts(draws([](auto* e) { e->setTriangleFillMode(MTL::TriangleFillMode(2)); }),
              {"setTriangleFillMode", "2", "TriangleFillMode"});
  expectParts(draws([](auto* e) { e->setDepthClipMode(MTL::DepthClipMode(7)); }), {"setDepthClipMode", "7", "DepthClipMode"});
  // A wrong number after a right one, and a right one again.
  expectParts(draws([](auto* e) {
                triangle(e);
                e->drawPrimitives(MTL::PrimitiveType(77), NS::UInteger(0), NS::UInteger(3));
                triangle(e);
              }),
              {"77"});
}

TEST_F(BadValues, PassesNameThem) {
  const auto passError = [&](const std::function<void(MTL4::RenderPassDescriptor*)>& set) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      MTL4::RenderPassDescriptor* pass = clearPass(m_target.get());
      set(pass);
      EXPECT_EQ(commands->renderCommandEncoder(pass), nullptr);
    });
  };
  expectParts(passError([](auto* p) { p->colorAttachments()->object(0)->setLoadAction(MTL::LoadAction(3)); }),
              {"color attachment 0", "loadAction", "3", "LoadAction"});
  expectParts(passError([](auto* p) { p->colorAttachments()->object(0)->setStoreAction(MTL::StoreAction(60)); }),
              {"color attachment 0", "storeAction", "60", "StoreAction"});
}

TEST_F(BadValues, PipelinesNameThem) {
  const auto errorOf = [&](const std::function<void(MTL4::RenderPipelineDescriptor*)>& set) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    auto vertexFunction = function(m_library.get(), "corner"), fragmentFunction = function(m_library.get(), "plain");
    descriptor->setVertexFunctionDescriptor(vertexFunction.get());
    descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    set(descriptor.get());
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
    return text(error);
  };
  const auto color = [](auto* d) { return d->colorAttachments()->object(0); };
  expectParts(errorOf([&](auto* d) { color(d)->setPixelFormat(MTL::PixelFormat(9999)); }), {"9999", "PixelFormat"});
  expectParts(errorOf([&](auto* d) { color(d)->setSourceRGBBlendFactor(MTL::BlendFactor(20)); }),
              {"sourceRGBBlendFactor", "color attachment 0", "20", "BlendFactor"});
  expectParts(errorOf([&](auto* d) { color(d)->setDestinationAlphaBlendFactor(MTL::BlendFactor(99)); }),
              {"destinationAlphaBlendFactor", "99"});
  expectParts(errorOf([&](auto* d) { color(d)->setRgbBlendOperation(MTL::BlendOperation(6)); }),
              {"rgbBlendOperation", "6", "BlendOperation"});
  expectParts(errorOf([&](auto* d) { color(d)->setAlphaBlendOperation(MTL::BlendOperation(7)); }), {"alphaBlendOperation", "7"});
  expectParts(errorOf([&](auto* d) { color(d)->setBlendingState(MTL4::BlendState(3)); }), {"blendingState", "3", "BlendState"});
  expectParts(errorOf([&](auto* d) { color(d)->setWriteMask(MTL::ColorWriteMask(0x40)); }), {"writeMask", "0x40", "ColorWriteMask"});
  expectParts(errorOf([&](auto* d) { d->setAlphaToCoverageState(MTL4::AlphaToCoverageState(2)); }), {"alphaToCoverageState", "2"});
  const auto vertices = [](MTL4::RenderPipelineDescriptor* d, MTL::VertexFormat format, MTL::VertexStepFunction step) {
    auto layout = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    layout->attributes()->object(2)->setFormat(format);
    layout->layouts()->object(0)->setStride(16);
    layout->layouts()->object(0)->setStepFunction(step);
    d->setVertexDescriptor(layout.get());
  };
  for (uint64_t format : {43u, 44u, 56u, 1000u})
    expectParts(errorOf([&](auto* d) { vertices(d, MTL::VertexFormat(format), MTL::VertexStepFunctionPerVertex); }),
                {"attribute 2", "VertexFormat", std::to_string(format).c_str()});
  expectParts(errorOf([&](auto* d) { vertices(d, MTL::VertexFormatFloat, MTL::VertexStepFunction(5)); }),
              {"stepFunction", "buffer 0", "5", "VertexStepFunction"});
  expectParts(errorOf([&](auto* d) { vertices(d, MTL::VertexFormatFloat, MTL::VertexStepFunctionPerPatch); }),
              {"Vertex buffer 0", "PerPatch", "tessellation"});
}

TEST_F(BadValues, ObjectsNameThem) {
  const auto depthStencil = [&](const std::function<void(MTL::DepthStencilDescriptor*)>& set) {
    return misuse([&] {
      auto descriptor = NS::TransferPtr(MTL::DepthStencilDescriptor::alloc()->init());
      set(descriptor.get());
      return bool(NS::TransferPtr(m_device->newDepthStencilState(descriptor.get())));
    });
  };
  expectParts(depthStencil([](auto* d) { d->setDepthCompareFunction(MTL::CompareFunction(99)); }),
              {"depthCompareFunction", "99", "CompareFunction"});
  expectParts(depthStencil([](auto* d) { d->frontFaceStencil()->setStencilCompareFunction(MTL::CompareFunction(8)); }),
              {"stencilCompareFunction", "8"});
  expectParts(depthStencil([](auto* d) { d->backFaceStencil()->setDepthFailureOperation(MTL::StencilOperation(8)); }),
              {"depthFailureOperation", "8", "StencilOperation"});

  const auto samplerState = [&](const std::function<void(MTL::SamplerDescriptor*)>& set) {
    return misuse([&] {
      auto descriptor = NS::TransferPtr(MTL::SamplerDescriptor::alloc()->init());
      set(descriptor.get());
      return bool(NS::TransferPtr(m_device->newSamplerState(descriptor.get())));
    });
  };
  expectParts(samplerState([](auto* d) { d->setMinFilter(MTL::SamplerMinMagFilter(2)); }), {"minFilter", "2"});
  expectParts(samplerState([](auto* d) { d->setMagFilter(MTL::SamplerMinMagFilter(3)); }), {"magFilter", "3"});
  expectParts(samplerState([](auto* d) { d->setMipFilter(MTL::SamplerMipFilter(4)); }), {"mipFilter", "4"});
  expectParts(samplerState([](auto* d) { d->setTAddressMode(MTL::SamplerAddressMode(6)); }), {"tAddressMode", "6"});
  expectParts(samplerState([](auto* d) { d->setBorderColor(MTL::SamplerBorderColor(3)); }), {"borderColor", "3"});
  expectParts(samplerState([](auto* d) { d->setCompareFunction(MTL::CompareFunction(99)); }), {"compareFunction", "99"});

  const auto textureOf = [&](const std::function<void(MTL::TextureDescriptor*)>& set) {
    return misuse([&] {
      auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 4, 4, false);
      set(descriptor);
      return bool(NS::TransferPtr(m_device->newTexture(descriptor)));
    });
  };
  expectParts(textureOf([](auto* d) { d->setTextureType(MTL::TextureType(77)); }), {"textureType", "77", "TextureType"});
  expectParts(textureOf([](auto* d) { d->setPixelFormat(MTL::PixelFormat(9999)); }), {"9999", "pixel format"});
  expectParts(textureOf([](auto* d) { d->setStorageMode(MTL::StorageMode(4)); }), {"storageMode", "4", "StorageMode"});
  expectParts(textureOf([](auto* d) {
                auto swizzle = MTL::TextureSwizzleChannels::Default();
                swizzle.blue = MTL::TextureSwizzle(6);
                d->setSwizzle(swizzle);
              }),
              {"blue", "6", "TextureSwizzle"});
  auto base = texture(4, 4, MTL::PixelFormatRGBA8Unorm, MTL::TextureUsageShaderRead | MTL::TextureUsagePixelFormatView);
  expectParts(misuse([&] { return bool(NS::TransferPtr(base->newTextureView(MTL::PixelFormat(9999)))); }), {"9999"});
  expectParts(misuse([&] {
                return bool(NS::TransferPtr(base->newTextureView(MTL::PixelFormatRGBA8Unorm, MTL::TextureType(77),
                                                                 NS::Range::Make(0, 1), NS::Range::Make(0, 1))));
              }),
              {"77", "TextureType"});
  expectParts(misuse([&] { return bool(NS::TransferPtr(m_device->newBuffer(16, MTL::ResourceOptions(0x50)))); }),
              {"storage mode", "5", "StorageMode"});
}

} // namespace
} // namespace basanite::tests
