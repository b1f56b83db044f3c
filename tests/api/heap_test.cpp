// SPDX-License-Identifier: Apache-2.0
// Heaps: automatic and placement, their books, aliasing; and buffers over a program's own memory.
#include "tests/support/metal_fixture.hpp"

#include <atomic>
#include <cstdlib>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
kernel void fill(device uint* out [[buffer(0)]], constant uint& first [[buffer(1)]], uint id [[thread_position_in_grid]]) { out[id] = first + id; }
kernel void copy(const device uint* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id [[thread_position_in_grid]]) { out[id] = in[id]; }
kernel void paint(texture2d<float, access::write> out [[texture(0)]], uint2 at [[thread_position_in_grid]]) {
  out.write(float4(at.x / 255.0f, at.y / 255.0f, 0, 1), at);
}
)";
constexpr NS::UInteger kMiB = 1 << 20;

class Heaps : public MetalFixture {
 protected:
  NS::SharedPtr<MTL::Heap> heap(MTL::HeapType type, MTL::StorageMode storage, NS::UInteger size = kMiB) {
    auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
    descriptor->setType(type);
    descriptor->setStorageMode(storage);
    descriptor->setSize(size);
    auto made = NS::TransferPtr(m_device->newHeap(descriptor.get()));
    EXPECT_TRUE(made);
    return made;
  }
  void fill(MTL::Buffer* buffer, uint32_t first, NS::UInteger count) {
    if (!m_fill) m_fill = computePipeline(kSource, "fill");
    auto start = sharedBuffer(std::vector<uint32_t>{first});
    auto table = argumentTable(2);
    table->setAddress(buffer->gpuAddress(), 0);
    table->setAddress(start->gpuAddress(), 1);
    dispatch(m_fill.get(), table.get(), count);
  }
  std::vector<uint32_t> words(MTL::Buffer* buffer, NS::UInteger count) {
    if (!m_copy) m_copy = computePipeline(kSource, "copy");
    auto out = sharedBuffer(count * 4);
    auto table = argumentTable(2);
    table->setAddress(buffer->gpuAddress(), 0);
    table->setAddress(out->gpuAddress(), 1);
    dispatch(m_copy.get(), table.get(), count);
    return contents<uint32_t>(out.get());
  }
  template <class Make> std::string refusal(Make make) {
    testing::internal::CaptureStderr();
    auto made = NS::TransferPtr(make());
    std::string said = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(made);
    return said;
  }
  NS::SharedPtr<MTL::ComputePipelineState> m_fill, m_copy;
};

TEST_F(Heaps, DescriptorsHaveMetalsDefaults) {
  auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
  EXPECT_EQ(descriptor->size(), 0u);
  EXPECT_EQ(descriptor->storageMode(), MTL::StorageModePrivate);
  EXPECT_EQ(descriptor->type(), MTL::HeapTypeAutomatic);
  EXPECT_EQ(descriptor->hazardTrackingMode(), MTL::HazardTrackingModeDefault);
  descriptor->setResourceOptions(MTL::ResourceStorageModeShared | MTL::ResourceCPUCacheModeWriteCombined);
  EXPECT_EQ(descriptor->storageMode(), MTL::StorageModeShared);
  EXPECT_EQ(descriptor->cpuCacheMode(), MTL::CPUCacheModeWriteCombined);
  descriptor->setSize(kMiB);
  auto made = NS::TransferPtr(m_device->newHeap(descriptor.get()));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->size(), kMiB);
  EXPECT_EQ(made->usedSize(), 0u);
  EXPECT_GE(made->currentAllocatedSize(), kMiB);
  EXPECT_EQ(made->maxAvailableSize(256), kMiB);
  EXPECT_EQ(made->cpuCacheMode(), MTL::CPUCacheModeWriteCombined);
  EXPECT_EQ(made->hazardTrackingMode(), MTL::HazardTrackingModeUntracked) << "a heap's default";
  EXPECT_EQ(made->device(), m_device.get());
  made->setLabel(NS::String::string("scratch", NS::UTF8StringEncoding));
  EXPECT_STREQ(made->label()->utf8String(), "scratch");
  EXPECT_EQ(made->setPurgeableState(MTL::PurgeableStateKeepCurrent), MTL::PurgeableStateNonVolatile);
  EXPECT_EQ(made->setPurgeableState(MTL::PurgeableStateVolatile), MTL::PurgeableStateNonVolatile);
  EXPECT_EQ(made->setPurgeableState(MTL::PurgeableStateNonVolatile), MTL::PurgeableStateVolatile);
}

TEST_F(Heaps, AutomaticOnesKeepTheirResourcesApart) {
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModeShared);
  const MTL::SizeAndAlign need = m_device->heapBufferSizeAndAlign(1000, MTL::ResourceStorageModeShared);
  EXPECT_GE(need.size, 1000u);
  EXPECT_EQ(need.size % need.align, 0u);
  std::vector<NS::SharedPtr<MTL::Buffer>> buffers;
  for (int i = 0; i < 3; ++i) {
    buffers.push_back(NS::TransferPtr(from->newBuffer(1000, MTL::ResourceStorageModeShared)));
    ASSERT_TRUE(buffers.back());
    EXPECT_EQ(buffers.back()->heap(), from.get());
    EXPECT_EQ(buffers.back()->heapOffset() % need.align, 0u);
    EXPECT_EQ(buffers.back()->length(), 1000u);
  }
  EXPECT_EQ(from->usedSize(), 3 * need.size);
  m_residency->addAllocation(from.get());
  for (uint32_t i = 0; i < 3; ++i) fill(buffers[i].get(), 1000 * i, 250);
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(contents<uint32_t>(buffers[i].get())[249], 1000 * i + 249) << "the CPU sees a shared heap";
    EXPECT_EQ(words(buffers[i].get(), 250)[0], 1000 * i);
    EXPECT_EQ(buffers[i]->gpuAddress() - buffers[0]->gpuAddress(),
              buffers[i]->heapOffset() - buffers[0]->heapOffset());
  }
  buffers.clear();
  EXPECT_EQ(from->usedSize(), 0u);
  EXPECT_EQ(from->maxAvailableSize(256), kMiB);
}

TEST_F(Heaps, AFullOneSaysWhatIsLeft) {
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModePrivate, 65536);
  auto first = NS::TransferPtr(from->newBuffer(40960, MTL::ResourceStorageModePrivate));
  ASSERT_TRUE(first);
  std::string said = refusal([&] { return from->newBuffer(40960, MTL::ResourceStorageModePrivate); });
  EXPECT_NE(said.find("of 65536 bytes has no room for 40960 bytes"), std::string::npos) << said;
  EXPECT_NE(said.find("the largest gap is 24576"), std::string::npos) << said;
  EXPECT_EQ(from->maxAvailableSize(256), 24576u);
  first.reset();
  EXPECT_TRUE(NS::TransferPtr(from->newBuffer(65536, MTL::ResourceStorageModePrivate)));
}

TEST_F(Heaps, ResourcesKeepThemAlive) {
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModeShared);
  auto buffer = NS::TransferPtr(from->newBuffer(256, MTL::ResourceStorageModeShared));
  from.reset();
  fill(buffer.get(), 5, 64);
  EXPECT_EQ(contents<uint32_t>(buffer.get())[63], 68u);
}

TEST_F(Heaps, TexturesLieInPrivateOnes) {
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 32, 16, false);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  descriptor->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  const MTL::SizeAndAlign need = m_device->heapTextureSizeAndAlign(descriptor);
  EXPECT_GE(need.size, 32 * 16 * 4u);
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModePrivate);
  auto first = NS::TransferPtr(from->newTexture(descriptor)),
       second = NS::TransferPtr(from->newTexture(descriptor));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(from->usedSize(), 2 * need.size);
  EXPECT_EQ(first->heap(), from.get());
  EXPECT_NE(first->heapOffset(), second->heapOffset());
  EXPECT_EQ(first->hazardTrackingMode(), MTL::HazardTrackingModeUntracked);
  auto paint = computePipeline(kSource, "paint");
  auto table = argumentTable(0, 1);
  for (MTL::Texture* texture : {first.get(), second.get()}) {
    table->setTexture(texture->gpuResourceID(), 0);
    dispatch(paint.get(), table.get(), MTL::Size::Make(32, 16, 1), MTL::Size::Make(8, 8, 1));
    auto seen = pixels(texture);
    for (size_t i = 0; i < seen.size(); ++i)
      ASSERT_EQ(seen[i], (Pixel{uint8_t(i % 32), uint8_t(i / 32), 0, 255}));
  }
  auto view = NS::TransferPtr(first->newTextureView(MTL::PixelFormatRGBA8Unorm_sRGB));
  ASSERT_TRUE(view);
  EXPECT_EQ(view->heap(), from.get()) << "a view lies where its texture does";
}

TEST_F(Heaps, PlacementPutsResourcesWhereTheAppSays) {
  auto from = heap(MTL::HeapTypePlacement, MTL::StorageModeShared);
  const NS::UInteger align = m_device->heapBufferSizeAndAlign(4096, MTL::ResourceStorageModeShared).align;
  auto low = NS::TransferPtr(from->newBuffer(4096, MTL::ResourceStorageModeShared, 0));
  auto high = NS::TransferPtr(from->newBuffer(4096, MTL::ResourceStorageModeShared, 4 * align));
  auto same = NS::TransferPtr(from->newBuffer(4096, MTL::ResourceStorageModeShared, 0));
  ASSERT_TRUE(low && high && same);
  EXPECT_EQ(high->heapOffset(), 4 * align);
  EXPECT_EQ(high->gpuAddress(), low->gpuAddress() + 4 * align);
  EXPECT_EQ(same->gpuAddress(), low->gpuAddress());
  fill(low.get(), 7, 16);
  EXPECT_EQ(contents<uint32_t>(same.get())[15], 22u) << "the same bytes";
  fill(same.get(), 100, 16);
  EXPECT_EQ(words(low.get(), 16)[0], 100u);
}

// A texture and a buffer in turn in the same bytes, with a barrier between.
TEST_F(Heaps, AliasedResourcesTakeTurns) {
  auto from = heap(MTL::HeapTypePlacement, MTL::StorageModePrivate);
  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 64, 64, false);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  descriptor->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageShaderWrite);
  auto buffer = NS::TransferPtr(from->newBuffer(64 * 64 * 4, MTL::ResourceStorageModePrivate, 0));
  auto image = NS::TransferPtr(from->newTexture(descriptor, 0));
  ASSERT_TRUE(buffer && image);
  auto paint = computePipeline(kSource, "paint"), fill = computePipeline(kSource, "fill"),
       copy = computePipeline(kSource, "copy");
  auto first = sharedBuffer(std::vector<uint32_t>{3}), out = sharedBuffer(4096 * 4),
       back = sharedBuffer(64 * 64 * 4);
  auto filling = argumentTable(2), copying = argumentTable(2), painting = argumentTable(0, 1);
  filling->setAddress(buffer->gpuAddress(), 0);
  filling->setAddress(first->gpuAddress(), 1);
  copying->setAddress(buffer->gpuAddress(), 0);
  copying->setAddress(out->gpuAddress(), 1);
  painting->setTexture(image->gpuResourceID(), 0);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->computeCommandEncoder();
              auto barrier = [&] {
                encoder->barrierAfterEncoderStages(
                    MTL::StageDispatch | MTL::StageBlit, MTL::StageDispatch | MTL::StageBlit,
                    MTL4::VisibilityOptionDevice | MTL4::VisibilityOptionResourceAlias);
              };
              encoder->setComputePipelineState(fill.get());
              encoder->setArgumentTable(filling.get());
              encoder->dispatchThreads(MTL::Size::Make(4096, 1, 1), MTL::Size::Make(64, 1, 1));
              barrier();
              encoder->setComputePipelineState(copy.get());
              encoder->setArgumentTable(copying.get());
              encoder->dispatchThreads(MTL::Size::Make(4096, 1, 1), MTL::Size::Make(64, 1, 1));
              barrier();
              encoder->setComputePipelineState(paint.get());
              encoder->setArgumentTable(painting.get());
              encoder->dispatchThreads(MTL::Size::Make(64, 64, 1), MTL::Size::Make(8, 8, 1));
              barrier();
              encoder->copyFromTexture(image.get(), 0, 0, MTL::Origin::Make(0, 0, 0),
                                       MTL::Size::Make(64, 64, 1), back.get(), 0, 256, 64 * 256);
              encoder->endEncoding();
            }),
            "");
  auto filled = contents<uint32_t>(out.get());
  for (uint32_t i = 0; i < 4096; ++i) ASSERT_EQ(filled[i], i + 3);
  auto painted = contents<Pixel>(back.get());
  for (size_t i = 0; i < painted.size(); ++i)
    ASSERT_EQ(painted[i], (Pixel{uint8_t(i % 64), uint8_t(i / 64), 0, 255}));
}

TEST_F(Heaps, MadeAliasableGivesTheBytesBack) {
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModeShared, 65536);
  auto old = NS::TransferPtr(from->newBuffer(65536, MTL::ResourceStorageModeShared));
  ASSERT_TRUE(old);
  EXPECT_FALSE(old->isAliasable());
  old->makeAliasable();
  EXPECT_TRUE(old->isAliasable());
  EXPECT_EQ(from->usedSize(), 0u);
  auto next = NS::TransferPtr(from->newBuffer(65536, MTL::ResourceStorageModeShared));
  ASSERT_TRUE(next);
  EXPECT_EQ(next->gpuAddress(), old->gpuAddress());
  old.reset();
  EXPECT_EQ(from->usedSize(), 65536u) << "the bytes are given back once";
  auto own = sharedBuffer(16);
  EXPECT_FALSE(own->heap());
  testing::internal::CaptureStderr();
  own->makeAliasable();
  EXPECT_NE(testing::internal::GetCapturedStderr().find("lies in no heap"), std::string::npos);
  EXPECT_FALSE(own->isAliasable());
}

// Index and indirect buffers arrive as addresses, which lead into the heap.
TEST_F(Heaps, IndirectArgumentsLieInThem) {
  auto from = heap(MTL::HeapTypeAutomatic, MTL::StorageModeShared);
  auto spare = NS::TransferPtr(from->newBuffer(512, MTL::ResourceStorageModeShared));
  auto counts = NS::TransferPtr(from->newBuffer(12, MTL::ResourceStorageModeShared));
  ASSERT_TRUE(spare && counts);
  const uint32_t groups[3] = {3, 1, 1};
  std::memcpy(counts->contents(), groups, 12);
  auto out = sharedBuffer(4 * 64), first = sharedBuffer(std::vector<uint32_t>{1});
  auto table = argumentTable(2);
  table->setAddress(out->gpuAddress(), 0);
  table->setAddress(first->gpuAddress(), 1);
  auto pipeline = computePipeline(kSource, "fill");
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->computeCommandEncoder();
              encoder->setComputePipelineState(pipeline.get());
              encoder->setArgumentTable(table.get());
              encoder->dispatchThreadgroups(counts->gpuAddress(), MTL::Size::Make(16, 1, 1));
              encoder->endEncoding();
            }),
            "");
  auto seen = contents<uint32_t>(out.get());
  EXPECT_EQ(seen[47], 48u);
  EXPECT_EQ(seen[48], 0u);
}

TEST_F(Heaps, TextureBuffersLieInThem) {
  auto from = heap(MTL::HeapTypePlacement, MTL::StorageModeShared);
  auto buffer = NS::TransferPtr(from->newBuffer(1024, MTL::ResourceStorageModeShared, 0));
  auto* descriptor = MTL::TextureDescriptor::textureBufferDescriptor(
      MTL::PixelFormatR32Uint, 4, MTL::ResourceStorageModeShared, MTL::TextureUsageShaderRead);
  auto over = NS::TransferPtr(buffer->newTexture(descriptor, 0, 0)),
       placed = NS::TransferPtr(from->newTexture(descriptor, 0));
  ASSERT_TRUE(over && placed);
  const uint32_t values[4] = {4, 3, 2, 1};
  over->replaceRegion(MTL::Region::Make1D(0, 4), 0, values, 16);
  uint32_t back[4] = {};
  placed->getBytes(back, 16, MTL::Region::Make1D(0, 4), 0);
  EXPECT_EQ(back[3], 1u) << "both show the heap's first bytes";
  EXPECT_EQ(over->heap(), from.get());
}

TEST_F(Heaps, WhatTheyCannotDoIsNamed) {
  auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  auto descriptor = NS::TransferPtr(MTL::HeapDescriptor::alloc()->init());
  std::string said = refusal([&] { return m_device->newHeap(descriptor.get()); });
  EXPECT_TRUE(has(said, "cannot have a size of 0 bytes")) << said;
  descriptor->setSize(kMiB);
  descriptor->setType(MTL::HeapTypeSparse);
  said = refusal([&] { return m_device->newHeap(descriptor.get()); });
  EXPECT_TRUE(has(said, "no heaps for sparse resources")) << said;
  descriptor->setType(MTL::HeapTypeAutomatic);
  descriptor->setStorageMode(MTL::StorageModeMemoryless);
  said = refusal([&] { return m_device->newHeap(descriptor.get()); });
  EXPECT_TRUE(has(said, "cannot be memoryless")) << said;
  descriptor->setStorageMode(MTL::StorageModePrivate);
  descriptor->setSize(~NS::UInteger(0));
  said = refusal([&] { return m_device->newHeap(descriptor.get()); });
  EXPECT_TRUE(has(said, "larger than the")) << said;
  said = refusal([&] { return m_device->newHeap(nullptr); });
  EXPECT_TRUE(has(said, "descriptor is null")) << said;

  auto automatic = heap(MTL::HeapTypeAutomatic, MTL::StorageModePrivate),
       placement = heap(MTL::HeapTypePlacement, MTL::StorageModePrivate);
  said = refusal([&] { return automatic->newBuffer(16, MTL::ResourceStorageModeShared); });
  EXPECT_TRUE(has(said, "storage mode 0 and CPU cache mode 0 are not the heap's, 2 and 0")) << said;
  said = refusal([&] { return automatic->newBuffer(16, MTL::ResourceStorageModePrivate, 0); });
  EXPECT_TRUE(has(said, "Only a heap of HeapTypePlacement")) << said;
  said = refusal([&] { return placement->newBuffer(16, MTL::ResourceStorageModePrivate); });
  EXPECT_TRUE(has(said, "at an offset only")) << said;
  said = refusal([&] { return placement->newBuffer(16, MTL::ResourceStorageModePrivate, 8); });
  EXPECT_TRUE(has(said, "offset 8 is no multiple of")) << said;
  said = refusal([&] { return placement->newBuffer(4096, MTL::ResourceStorageModePrivate, kMiB); });
  EXPECT_TRUE(has(said, "do not fit the heap of 1048576 bytes")) << said;
  auto* image = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, 1024, 1024, false);
  image->setStorageMode(MTL::StorageModePrivate);
  said = refusal([&] { return placement->newTexture(image, 0); });
  EXPECT_TRUE(has(said, "only 1048576 lie behind its offset")) << said;
  said = refusal([&] { return placement->newTexture(nullptr, 0); });
  EXPECT_TRUE(has(said, "descriptor is null")) << said;
  EXPECT_EQ(automatic->usedSize() + placement->usedSize(), 0u) << "what was refused holds nothing";
}

TEST_F(Heaps, BuffersOverAProgramsMemoryShareIt) {
  constexpr size_t kBytes = 65536;
  void* memory = std::aligned_alloc(kBytes, kBytes);
  std::memset(memory, 0, kBytes);
  static std::atomic<int> s_freed;
  s_freed = 0;
  auto buffer = NS::TransferPtr(m_device->newBuffer(memory, kBytes, MTL::ResourceStorageModeShared,
                                                    [&](void* pointer, NS::UInteger length) {
                                                      EXPECT_EQ(pointer, memory);
                                                      EXPECT_EQ(length, kBytes);
                                                      ++s_freed;
                                                    }));
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->contents(), memory);
  EXPECT_EQ(buffer->length(), kBytes);
  fill(buffer.get(), 9, 64);
  EXPECT_EQ(static_cast<uint32_t*>(memory)[63], 72u);
  static_cast<uint32_t*>(memory)[0] = 1234;
  EXPECT_EQ(words(buffer.get(), 1)[0], 1234u);
  auto* descriptor = MTL::TextureDescriptor::textureBufferDescriptor(
      MTL::PixelFormatR32Uint, 4, MTL::ResourceStorageModeShared, MTL::TextureUsageShaderRead);
  EXPECT_TRUE(NS::TransferPtr(buffer->newTexture(descriptor, 0, 0)));
  EXPECT_EQ(s_freed, 0);
  buffer.reset();
  runCommands([](MTL4::CommandBuffer*) {}); // what was in flight is over
  runCommands([](MTL4::CommandBuffer*) {});
  EXPECT_EQ(s_freed, 1);
  std::free(memory);
}

TEST_F(Heaps, MemoryThatCannotBeABufferIsNamed) {
  alignas(65536) static char s_memory[2 * 65536];
  auto none = [](void*, NS::UInteger) { FAIL() << "the memory stays the caller's"; };
  std::string said = refusal(
      [&] { return m_device->newBuffer(s_memory + 16, 65536, MTL::ResourceStorageModeShared, none); });
  EXPECT_NE(said.find("both must be multiples of"), std::string::npos) << said;
  said = refusal([&] { return m_device->newBuffer(s_memory, 100, MTL::ResourceStorageModeShared, none); });
  EXPECT_NE(said.find("of 100 bytes cannot be used without a copy"), std::string::npos) << said;
  said = refusal([&] { return m_device->newBuffer(s_memory, 65536, MTL::ResourceStorageModePrivate, none); });
  EXPECT_NE(said.find("Shared or Managed, not 2"), std::string::npos) << said;
  said = refusal([&] { return m_device->newBuffer(nullptr, 65536, MTL::ResourceStorageModeShared, none); });
  EXPECT_NE(said.find("is null"), std::string::npos) << said;
}

} // namespace
} // namespace basanite::tests
