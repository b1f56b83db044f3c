// SPDX-License-Identifier: Apache-2.0
// Pipelines whose formats, blending and write masks are left open when they are compiled and said later.
#include "tests/api/mesh_fixture.hpp"

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
vertex Varyings cover(uint id [[vertex_id]]) {
  return {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)};
}
fragment float4 halfRed() { return float4(1, 0, 0, 0.5); }
fragment uint4 whole() { return uint4(7); }
)";

constexpr const char* kMeshSource = R"(
#include <metal_stdlib>
using namespace metal;
struct Varyings { float4 position [[position]]; };
using Triangle = mesh<Varyings, void, 3, 1, topology::triangle>;
[[mesh]] void coverMesh(Triangle out, uint id [[thread_index_in_threadgroup]]) {
  if (id == 0) out.set_primitive_count(1);
  if (id < 3) {
    out.set_vertex(id, {float4(id == 1 ? 3 : -1, id == 2 ? -3 : 1, 0, 1)});
    out.set_index(id, id);
  }
}
fragment float4 halfRed() { return float4(1, 0, 0, 0.5); }
)";

constexpr Pixel kRed{255, 0, 0, 128}, kBlended{128, 0, 128, 191};

class Specialization : public MeshFixture {
 protected:
  void SetUp() override {
    MeshFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_target = colorTarget(kSize, kSize);
  }
  using Color = MTL4::RenderPipelineColorAttachmentDescriptor;
  static void open(Color* color) {
    color->setPixelFormat(MTL::PixelFormatUnspecialized);
    color->setBlendingState(MTL4::BlendStateUnspecialized);
    color->setSourceRGBBlendFactor(MTL::BlendFactorUnspecialized);
    color->setDestinationRGBBlendFactor(MTL::BlendFactorUnspecialized);
    color->setRgbBlendOperation(MTL::BlendOperationUnspecialized);
    color->setSourceAlphaBlendFactor(MTL::BlendFactorUnspecialized);
    color->setDestinationAlphaBlendFactor(MTL::BlendFactorUnspecialized);
    color->setAlphaBlendOperation(MTL::BlendOperationUnspecialized);
    color->setWriteMask(MTL::ColorWriteMaskUnspecialized);
  }
  static void blend(Color* color) {
    color->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    color->setBlendingState(MTL4::BlendStateEnabled);
    color->setSourceRGBBlendFactor(MTL::BlendFactorSourceAlpha);
    color->setDestinationRGBBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
    color->setSourceAlphaBlendFactor(MTL::BlendFactorSourceAlpha);
    color->setDestinationAlphaBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
  }
  NS::SharedPtr<MTL::RenderPipelineState> pipeline(const char* fragment,
                                                   const std::function<void(Color*)>& set) {
    return renderPipeline(m_library.get(), "cover", fragment,
                          [&](MTL4::RenderPipelineDescriptor* descriptor) {
                            descriptor->setLabel(NS::String::string("open", NS::UTF8StringEncoding));
                            set(descriptor->colorAttachments()->object(0));
                          });
  }
  // Of a vertex pipeline; `set` says what the pipeline left open. "" and the state, or the error.
  std::string specialize(MTL::RenderPipelineState* base, const std::function<void(Color*)>& set,
                         NS::SharedPtr<MTL::RenderPipelineState>& state) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    set(descriptor->colorAttachments()->object(0));
    NS::Error* error = nullptr;
    state =
        NS::TransferPtr(m_compiler->newRenderPipelineStateBySpecialization(descriptor.get(), base, &error));
    EXPECT_EQ(state.get() == nullptr, error != nullptr);
    return error ? text(error) : "";
  }
  std::string drawError(MTL::RenderPipelineState* state, MTL::Texture* target) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(clearPass(target, MTL::ClearColor::Make(0, 0, 1, 1)));
      encoder->setRenderPipelineState(state);
      encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
      encoder->endEncoding();
    });
  }
  void expectDrawn(MTL::RenderPipelineState* state, const Pixel& wanted) {
    EXPECT_EQ(drawError(state, m_target.get()), "");
    expectNear(pixels(m_target.get())[9], wanted);
  }
  static void expectNear(const Pixel& got, const Pixel& wanted) {
    EXPECT_NEAR(got.r, wanted.r, 1);
    EXPECT_NEAR(got.g, wanted.g, 1);
    EXPECT_NEAR(got.b, wanted.b, 1);
    EXPECT_NEAR(got.a, wanted.a, 1);
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::Texture> m_target;
};

TEST_F(Specialization, OpenStateActsAsItsDefaultsUntilItIsSaid) {
  auto base = pipeline("halfRed", [](Color* color) {
    open(color);
    color->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  });
  ASSERT_TRUE(base);
  expectDrawn(base.get(), kRed);
  NS::SharedPtr<MTL::RenderPipelineState> state;
  // Source and destination alpha: 0.5 * 0.5 + 1 * 0.5.
  EXPECT_EQ(specialize(base.get(), blend, state), "");
  expectDrawn(state.get(), kBlended);
  EXPECT_EQ(
      specialize(base.get(), [](Color* color) { color->setWriteMask(MTL::ColorWriteMaskAlpha); }, state), "");
  expectDrawn(state.get(), {0, 0, 255, 128});
  // What the second descriptor leaves open too is at its default.
  EXPECT_EQ(specialize(base.get(), open, state), "");
  expectDrawn(state.get(), kRed);
  expectDrawn(base.get(), kRed);
}

TEST_F(Specialization, OnePipelineServesFormatsSaidLater) {
  auto base = pipeline("halfRed", open);
  ASSERT_TRUE(base);
  const std::string unready = drawError(base.get(), m_target.get());
  EXPECT_NE(unready.find("\"open\" leaves the format of color attachment 0 unspecialized"), std::string::npos)
      << unready;
  NS::SharedPtr<MTL::RenderPipelineState> state;
  EXPECT_EQ(specialize(base.get(), blend, state), "");
  expectDrawn(state.get(), kBlended);
  EXPECT_EQ(specialize(
                base.get(), [](Color* color) { color->setPixelFormat(MTL::PixelFormatR32Float); }, state),
            "");
  base.reset(); // the specialized one stands alone
  auto floats = colorTarget(kSize, kSize, MTL::PixelFormatR32Float);
  EXPECT_EQ(drawError(state.get(), floats.get()), "");
  EXPECT_EQ(texels<float>(floats.get())[9], 1.0f);
}

TEST_F(Specialization, FieldsThatWereSaidStay) {
  auto base = pipeline("halfRed", [](Color* color) {
    blend(color);
    color->setWriteMask(MTL::ColorWriteMaskUnspecialized);
  });
  NS::SharedPtr<MTL::RenderPipelineState> state;
  EXPECT_EQ(specialize(
                base.get(),
                [](Color* color) {
                  color->setPixelFormat(MTL::PixelFormatR32Float);
                  color->setBlendingState(MTL4::BlendStateDisabled);
                  color->setWriteMask(MTL::ColorWriteMaskRed | MTL::ColorWriteMaskGreen);
                },
                state),
            "");
  expectDrawn(state.get(), {128, 0, 255, 255});
}

TEST_F(Specialization, TheDescriptorComesFromThePipeline) {
  auto base = pipeline("halfRed", open);
  auto descriptor =
      NS::TransferPtr(static_cast<MTL4::RenderPipelineDescriptor*>(base->newRenderPipelineDescriptor()));
  ASSERT_TRUE(descriptor);
  auto* color = descriptor->colorAttachments()->object(0);
  EXPECT_EQ(color->pixelFormat(), MTL::PixelFormatUnspecialized);
  EXPECT_STREQ(descriptor->label()->utf8String(), "open");
  blend(color);
  // In the background this time.
  NS::SharedPtr<MTL::RenderPipelineState> state;
  std::string error;
  auto task = NS::TransferPtr(m_compiler->newRenderPipelineStateBySpecialization(
      descriptor.get(), base.get(), [&](MTL::RenderPipelineState* made, NS::Error* failure) {
        state = NS::RetainPtr(made);
        if (failure) error = text(failure);
      }));
  task->waitUntilCompleted();
  EXPECT_EQ(error, "");
  ASSERT_TRUE(state);
  expectDrawn(state.get(), kBlended);
  EXPECT_EQ(state->newRenderPipelineDescriptor(), nullptr) << "nothing is left to say";
}

TEST_F(Specialization, MeshPipelinesToo) {
  auto meshes = library(kMeshSource);
  auto base = meshPipeline(meshes.get(), "", "coverMesh", "halfRed",
                           [](auto* descriptor) { open(descriptor->colorAttachments()->object(0)); });
  ASSERT_TRUE(base);
  auto descriptor = NS::TransferPtr(MTL4::MeshRenderPipelineDescriptor::alloc()->init());
  blend(descriptor->colorAttachments()->object(0));
  NS::Error* error = nullptr;
  auto state = NS::TransferPtr(
      m_compiler->newRenderPipelineStateBySpecialization(descriptor.get(), base.get(), &error));
  ASSERT_TRUE(state) << text(error);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->renderCommandEncoder(
                  clearPass(m_target.get(), MTL::ClearColor::Make(0, 0, 1, 1)));
              encoder->setRenderPipelineState(state.get());
              encoder->drawMeshThreadgroups(size(1), size(1), size(32));
              encoder->endEncoding();
            }),
            "");
  expectNear(pixels(m_target.get())[9], kBlended);
  auto wrong = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  EXPECT_FALSE(m_compiler->newRenderPipelineStateBySpecialization(wrong.get(), base.get(), &error));
  EXPECT_NE(text(error).find("MTL4MeshRenderPipelineDescriptor"), std::string::npos) << text(error);
}

TEST_F(Specialization, WhatCannotBeSpecializedIsNamed) {
  NS::SharedPtr<MTL::RenderPipelineState> state;
  auto expect = [&](const std::string& message, const char* part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  auto closed = pipeline("halfRed", blend);
  expect(specialize(closed.get(), blend, state), "\"open\" leaves nothing unspecialized");
  expect(specialize(nullptr, blend, state), "null");
  auto base = pipeline("halfRed", open);
  NS::Error* error = nullptr;
  EXPECT_FALSE(m_compiler->newRenderPipelineStateBySpecialization(nullptr, base.get(), &error));
  expect(text(error), "descriptor is null");
  NS::SharedPtr<MTL::RenderPipelineState> first;
  EXPECT_EQ(specialize(base.get(), blend, first), "");
  expect(specialize(first.get(), blend, state), "made by specialization");
  auto integers = pipeline("whole", open);
  expect(specialize(
             integers.get(), [](Color* color) { color->setPixelFormat(MTL::PixelFormatRGBA8Unorm); }, state),
         "writes unsigned integer values to color(0)");
  expect(specialize(
             base.get(), [](Color* color) { color->setPixelFormat(static_cast<MTL::PixelFormat>(9999)); },
             state),
         "9999");
}

} // namespace
} // namespace basanite::tests
