// SPDX-License-Identifier: Apache-2.0
// Descriptors: their defaults, what copies share, and arrays that make their elements on access.
#include "src/metal/MTL4RenderPass.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/MTLSampler.hpp"
#include "src/metal/MTLTexture.hpp"
#include "src/metal/MTLVertexDescriptor.hpp"

#include <gtest/gtest.h>

namespace basanite::metal {
namespace {

using foundation::Retained;
using foundation::toImpl;

template <class Impl> Retained<Impl> make() { return Retained<Impl>::adopt(new Impl); }
template <class Impl> Retained<Impl> copyOf(const Retained<Impl>& object) {
  return Retained<Impl>::adopt(static_cast<Impl*>(object->copy()));
}

TEST(RenderPipelineColorAttachment, Defaults) {
  auto attachment = make<RenderPipelineColorAttachment4>();
  EXPECT_EQ(attachment->pixelFormat, MTL::PixelFormatInvalid);
  EXPECT_EQ(attachment->blendingState, MTL4::BlendStateDisabled);
  EXPECT_EQ(attachment->sourceRGBBlendFactor, MTL::BlendFactorOne);
  EXPECT_EQ(attachment->destinationRGBBlendFactor, MTL::BlendFactorZero);
  EXPECT_EQ(attachment->rgbBlendOperation, MTL::BlendOperationAdd);
  EXPECT_EQ(attachment->writeMask, MTL::ColorWriteMask(MTL::ColorWriteMaskAll));
}

TEST(RenderPass, DepthClearsAndColorDoesNotCare) {
  auto pass = make<RenderPassDescriptor4>();
  EXPECT_EQ(pass->depthAttachment.impl()->loadAction, MTL::LoadActionClear);
  EXPECT_EQ(pass->depthAttachment.impl()->clearDepth, 1.0);
  auto* color = toImpl(pass->colorAttachments.impl()->object(0));
  EXPECT_EQ(color->loadAction, MTL::LoadActionDontCare);
  EXPECT_EQ(color->storeAction, MTL::StoreActionStore);
  EXPECT_EQ(double(color->clearColor.alpha), 1.0);
}

TEST(Arrays, MakeElementsOnAccessAndKeepThem) {
  auto array = make<RenderPassColorAttachmentDescriptorArray>();
  EXPECT_EQ(array->ifMade(3), nullptr);
  auto* element = array->object(3);
  ASSERT_NE(element, nullptr);
  EXPECT_EQ(array->object(3), element);
  EXPECT_EQ(array->object(kMaxColorAttachments), nullptr);
}

TEST(Arrays, SetObjectCopiesAndNullResets) {
  auto array = make<RenderPassColorAttachmentDescriptorArray>();
  auto element = make<RenderPassColorAttachmentDescriptor>();
  element->level = 2;
  array->setObject(foundation::toPublic(element.get()), 1);
  element->level = 5;
  EXPECT_EQ(toImpl(array->object(1))->level, 2u);
  array->setObject(nullptr, 1);
  EXPECT_EQ(array->ifMade(1), nullptr);
  EXPECT_EQ(toImpl(array->object(1))->level, 0u);
}

TEST(Copy, IsDeepOverNestedDescriptors) {
  auto pass = make<RenderPassDescriptor4>();
  pass->renderTargetWidth = 64;
  toImpl(pass->colorAttachments.impl()->object(0))->slice = 3;
  auto copy = copyOf(pass);
  toImpl(pass->colorAttachments.impl()->object(0))->slice = 9;
  EXPECT_EQ(copy->renderTargetWidth, 64u);
  EXPECT_EQ(toImpl(copy->colorAttachments.impl()->object(0))->slice, 3u);
}

TEST(Copy, ReachesTheBaseClass) {
  auto attachment = make<RenderPassDepthAttachmentDescriptor>();
  attachment->level = 4;
  attachment->clearDepth = 0.25;
  auto copy = copyOf(attachment);
  EXPECT_EQ(copy->level, 4u);
  EXPECT_EQ(copy->clearDepth, 0.25);
}

TEST(Copy, OfAVertexDescriptorKeepsLayouts) {
  auto descriptor = make<VertexDescriptor>();
  toImpl(descriptor->layouts.impl()->object(2))->stride = 24;
  toImpl(descriptor->attributes.impl()->object(1))->format = MTL::VertexFormatFloat3;
  auto copy = copyOf(descriptor);
  EXPECT_EQ(toImpl(copy->layouts.impl()->object(2))->stride, 24u);
  EXPECT_EQ(toImpl(copy->attributes.impl()->object(1))->format, MTL::VertexFormatFloat3);
  EXPECT_EQ(copy->attributes.impl()->ifMade(0), nullptr);
  EXPECT_EQ(toImpl(copy->layouts.impl()->object(0))->stepFunction, MTL::VertexStepFunctionPerVertex);
}

TEST(Properties, ThroughThePublicClass) {
  auto* sampler = MTL::SamplerDescriptor::alloc()->init();
  EXPECT_EQ(sampler->maxAnisotropy(), 1u);
  EXPECT_TRUE(sampler->normalizedCoordinates());
  sampler->setSAddressMode(MTL::SamplerAddressModeRepeat);
  sampler->setLabel(nullptr);
  EXPECT_EQ(sampler->label(), nullptr);
  NS::String* label = foundation::makeString("shadow");
  sampler->setLabel(label);
  label->release();
  EXPECT_EQ(foundation::textOf(sampler->label()), "shadow");
  auto* copy = sampler->copy();
  sampler->release();
  EXPECT_EQ(copy->sAddressMode(), MTL::SamplerAddressModeRepeat);
  EXPECT_EQ(foundation::textOf(copy->label()), "shadow");
  copy->release();
}

TEST(TextureDescriptor, OptionsAndModesAreOneState) {
  auto* descriptor = MTL::TextureDescriptor::alloc()->init();
  EXPECT_EQ(descriptor->pixelFormat(), MTL::PixelFormatRGBA8Unorm);
  EXPECT_EQ(descriptor->usage(), MTL::TextureUsage(MTL::TextureUsageShaderRead));
  descriptor->setResourceOptions(MTL::ResourceStorageModePrivate | MTL::ResourceHazardTrackingModeUntracked);
  EXPECT_EQ(descriptor->storageMode(), MTL::StorageModePrivate);
  EXPECT_EQ(descriptor->hazardTrackingMode(), MTL::HazardTrackingModeUntracked);
  descriptor->setStorageMode(MTL::StorageModeShared);
  EXPECT_EQ(descriptor->resourceOptions(), MTL::ResourceOptions(MTL::ResourceHazardTrackingModeUntracked));
  descriptor->release();
}

TEST(RenderPipelineDescriptor, ResetRestoresEveryField) {
  auto* descriptor = MTL4::RenderPipelineDescriptor::alloc()->init();
  descriptor->setRasterSampleCount(4);
  descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatR8Unorm);
  NS::String* label = foundation::makeString("sky");
  descriptor->setLabel(label);
  label->release();
  descriptor->reset();
  EXPECT_EQ(descriptor->rasterSampleCount(), 1u);
  EXPECT_TRUE(descriptor->isRasterizationEnabled());
  EXPECT_EQ(descriptor->colorAttachments()->object(0)->pixelFormat(), MTL::PixelFormatInvalid);
  EXPECT_EQ(descriptor->label(), nullptr);
  descriptor->release();
}

} // namespace
} // namespace basanite::metal
