// SPDX-License-Identifier: Apache-2.0
// Fixture of the mesh tests: pipelines of object, mesh and fragment functions, and one pass of mesh draws.
#pragma once

#include "tests/support/metal_fixture.hpp"

namespace basanite::tests {

class MeshFixture : public MetalFixture {
 protected:
  using SetUpDescriptor = std::function<void(MTL4::MeshRenderPipelineDescriptor*)>;
  static constexpr NS::UInteger kSize = 64;

  static MTL::Size size(NS::UInteger x, NS::UInteger y = 1, NS::UInteger z = 1) {
    return MTL::Size::Make(x, y, z);
  }

  NS::SharedPtr<MTL4::MeshRenderPipelineDescriptor> meshDescriptor(MTL::Library* library,
                                                                   std::string_view object,
                                                                   std::string_view mesh,
                                                                   std::string_view fragment) {
    auto descriptor = NS::TransferPtr(MTL4::MeshRenderPipelineDescriptor::alloc()->init());
    auto set = [&](std::string_view name, auto setter) {
      if (!name.empty()) (descriptor.get()->*setter)(function(library, name).get());
    };
    set(object, &MTL4::MeshRenderPipelineDescriptor::setObjectFunctionDescriptor);
    set(mesh, &MTL4::MeshRenderPipelineDescriptor::setMeshFunctionDescriptor);
    set(fragment, &MTL4::MeshRenderPipelineDescriptor::setFragmentFunctionDescriptor);
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    return descriptor;
  }

  // "" for a stage that is not wanted. Null, with a test failure, when the pipeline cannot be made.
  NS::SharedPtr<MTL::RenderPipelineState> meshPipeline(MTL::Library* library, std::string_view object,
                                                       std::string_view mesh, std::string_view fragment,
                                                       const SetUpDescriptor& setUp = {}) {
    if (!library) return {};
    auto descriptor = meshDescriptor(library, object, mesh, fragment);
    if (setUp) setUp(descriptor.get());
    NS::Error* error = nullptr;
    auto pipeline = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
    EXPECT_TRUE(pipeline) << mesh << ": " << text(error);
    return pipeline;
  }
  std::string meshPipelineError(MTL::Library* library, std::string_view object, std::string_view mesh,
                                std::string_view fragment, const SetUpDescriptor& setUp = {}) {
    auto descriptor = meshDescriptor(library, object, mesh, fragment);
    if (setUp) setUp(descriptor.get());
    NS::Error* error = nullptr;
    EXPECT_FALSE(NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error)));
    return text(error);
  }

  // One pass over `target`, cleared to black; the error of its feedback.
  std::string encode(MTL::Texture* target, const std::function<void(MTL4::RenderCommandEncoder*)>& draw) {
    return runCommands([&](MTL4::CommandBuffer* commands) {
      auto* encoder = commands->renderCommandEncoder(clearPass(target));
      draw(encoder);
      encoder->endEncoding();
    });
  }
};

} // namespace basanite::tests
