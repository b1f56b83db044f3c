// SPDX-License-Identifier: Apache-2.0
// Calls on null objects: as in Objective-C they read as zero and do nothing.
#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>

#include <gtest/gtest.h>

namespace {

// Behind a volatile, so that the compiler cannot see that it is null.
template <class T> T* null() {
  static T* volatile object = nullptr;
  return object;
}

TEST(NullObjects, ADeviceMakesNothing) {
  auto* device = null<MTL::Device>();
  EXPECT_EQ(device->name(), nullptr);
  EXPECT_EQ(device->newBuffer(16, MTL::ResourceStorageModeShared), nullptr);
  EXPECT_EQ(device->newMTL4CommandQueue(), nullptr);
  EXPECT_EQ(device->newCommandBuffer(), nullptr);
  EXPECT_EQ(device->newSharedEvent(), nullptr);
  EXPECT_EQ(device->maxBufferLength(), 0u);
  EXPECT_EQ(NS::UInteger(device->maxThreadsPerThreadgroup().width), 0u);
}

TEST(NullObjects, ResourcesReadAsZero) {
  EXPECT_EQ(null<MTL::Buffer>()->contents(), nullptr);
  EXPECT_EQ(null<MTL::Buffer>()->gpuAddress(), 0u);
  EXPECT_EQ(null<MTL::Texture>()->width(), 0u);
  EXPECT_EQ(uint64_t(null<MTL::Texture>()->gpuResourceID()._impl), 0u);
  EXPECT_EQ(null<MTL::Library>()->functionNames(), nullptr);
  EXPECT_FALSE(null<MTL::SharedEvent>()->waitUntilSignaledValue(1, 1000));
  null<MTL::ResidencySet>()->addAllocation(nullptr);
}

TEST(NullObjects, CommandsAreDropped) {
  auto* commands = null<MTL4::CommandBuffer>();
  commands->beginCommandBuffer(nullptr);
  EXPECT_EQ(commands->computeCommandEncoder(), nullptr);
  auto* encoder = null<MTL4::RenderCommandEncoder>();
  encoder->setCullMode(MTL::CullModeBack);
  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
  encoder->endEncoding();
  null<MTL4::ComputeCommandEncoder>()->dispatchThreads(MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
  null<MTL4::CommandQueue>()->commit(nullptr, 0);
  commands->endCommandBuffer();
}

TEST(NullObjects, DescriptorsIgnoreWrites) {
  auto* descriptor = null<MTL::TextureDescriptor>();
  descriptor->setWidth(4);
  EXPECT_EQ(descriptor->width(), 0u);
  EXPECT_EQ(null<MTL4::RenderPassDescriptor>()->colorAttachments(), nullptr);
  EXPECT_EQ(null<MTL::VertexAttributeDescriptorArray>()->object(0), nullptr);
}

} // namespace
