// SPDX-License-Identifier: Apache-2.0
// Recording: copies, fills, dispatches, the bindless set.
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/sampler.hpp"
#include "tests/internal/vulkan/shaders.hpp"
#include "tests/internal/vulkan/vulkan_fixture.hpp"

#include <cstring>

namespace basanite::vulkan::test {
namespace {

constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kTransfer = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;

class CommandTest : public VulkanTest {
 protected:
  // Constants whose vertexRecord points at the given words, in upload memory.
  static base::abi::PushConstants constantsFor(CommandBuffer& commands,
                                               std::initializer_list<uint64_t> words) {
    UploadSpan span = must(commands.pool().upload(words.size() * 8, 8));
    std::copy(words.begin(), words.end(), static_cast<uint64_t*>(span.contents));
    base::abi::PushConstants constants;
    constants.vertexRecord = span.gpuAddress;
    return constants;
  }
};

TEST_F(CommandTest, CopiesBytes) {
  auto source = sharedBuffer(64), target = sharedBuffer(64);
  auto* from = static_cast<uint8_t*>(source->contents());
  for (int i = 0; i < 64; ++i) from[i] = static_cast<uint8_t>(i);
  run([&](CommandBuffer& commands) {
    commands.copyBuffer(source->vkBuffer(), 3, target->vkBuffer(), 10, 7);
    commands.copyBuffer(source->vkBuffer(), 0, target->vkBuffer(), 0, 0);
  });
  auto* to = static_cast<uint8_t*>(target->contents());
  for (int i = 0; i < 64; ++i) EXPECT_EQ(to[i], i >= 10 && i < 17 ? i - 7 : 0) << i;
}

TEST_F(CommandTest, FillsAnyRange) {
  struct Case {
    uint64_t offset, length;
  };
  for (Case c : {Case{0, 32}, Case{1, 2}, Case{1, 30}, Case{3, 5}, Case{4, 7}, Case{5, 1}, Case{2, 2},
                 Case{31, 1}, Case{7, 0}}) {
    auto buffer = sharedBuffer(32);
    run([&](CommandBuffer& commands) { commands.fillBuffer(buffer->vkBuffer(), c.offset, c.length, 0xa5); });
    auto* bytes = static_cast<uint8_t*>(buffer->contents());
    for (uint64_t i = 0; i < 32; ++i)
      EXPECT_EQ(bytes[i], i >= c.offset && i < c.offset + c.length ? 0xa5 : 0)
          << "byte " << i << " of " << c.offset << "+" << c.length;
  }
}

TEST_F(CommandTest, DispatchesThreadgroups) {
  auto pipeline = kernel(kCountKernel);
  auto output = sharedBuffer(16 * 3 * 4);
  run([&](CommandBuffer& commands) {
    auto constants = constantsFor(commands, {output->gpuAddress()});
    commands.dispatchThreadgroups(*pipeline, constants, {2, 3, 1}, {8, 1, 1});
    commands.barrier(kCompute, VK_PIPELINE_STAGE_2_HOST_BIT);
  });
  auto* words = static_cast<uint32_t*>(output->contents());
  for (uint32_t y = 0; y < 3; ++y)
    for (uint32_t x = 0; x < 16; ++x) EXPECT_EQ(words[y * 16 + x], 1 + x + 1000 * y);
}

TEST_F(CommandTest, ThreadsThatDoNotFillAThreadgroupRunOnceEach) {
  auto pipeline = kernel(kCountKernel);
  struct Grid {
    Extent threads, group;
  };
  for (const Grid& grid : {Grid{{13, 1, 1}, {8, 1, 1}}, Grid{{10, 7, 3}, {4, 4, 2}},
                           Grid{{3, 2, 1}, {8, 8, 1}}, Grid{{8, 8, 1}, {4, 4, 1}}}) {
    const auto& [width, height, depth] = grid.threads;
    const uint32_t count = width * height * depth;
    auto output = sharedBuffer((count + 64) * 4);
    run([&](CommandBuffer& commands) {
      auto constants = constantsFor(commands, {output->gpuAddress()});
      commands.dispatchThreads(*pipeline, constants, grid.threads, grid.group);
    });
    auto* words = static_cast<uint32_t*>(output->contents());
    for (uint32_t z = 0; z < depth; ++z)
      for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x)
          ASSERT_EQ(words[(z * height + y) * width + x], 1 + x + 1000 * y) << x << ", " << y << ", " << z;
    for (uint32_t i = count; i < count + 64; ++i) ASSERT_EQ(words[i], 0u) << "past the grid";
  }
}

TEST_F(CommandTest, DispatchesIndirectly) {
  auto pipeline = kernel(kCountKernel);
  auto output = sharedBuffer(64 * 4), arguments = sharedBuffer(16);
  const uint32_t groups[3] = {4, 1, 1};
  std::memcpy(static_cast<uint8_t*>(arguments->contents()) + 4, groups, sizeof(groups));
  run([&](CommandBuffer& commands) {
    auto constants = constantsFor(commands, {output->gpuAddress()});
    commands.dispatchIndirect(*pipeline, constants, arguments->vkBuffer(), 4, {8, 1, 1});
  });
  auto* words = static_cast<uint32_t*>(output->contents());
  for (uint32_t x = 0; x < 64; ++x) EXPECT_EQ(words[x], x < 32 ? 1 + x : 0);
}

TEST_F(CommandTest, ABarrierOrdersDispatchesAndCopies) {
  auto pipeline = kernel(kCountKernel);
  auto work = must(Buffer::create(m_device, 32, MemoryKind::deviceLocal));
  auto result = sharedBuffer(32);
  run([&](CommandBuffer& commands) {
    commands.fillBuffer(work->vkBuffer(), 0, 32, 0);
    commands.barrier(kTransfer, kCompute);
    auto constants = constantsFor(commands, {work->gpuAddress()});
    for (int i = 0; i < 3; ++i) {
      commands.dispatchThreadgroups(*pipeline, constants, {1, 1, 1}, {8, 1, 1});
      commands.barrier(kCompute, kCompute | kTransfer);
    }
    commands.copyBuffer(work->vkBuffer(), 0, result->vkBuffer(), 0, 32);
  });
  auto* words = static_cast<uint32_t*>(result->contents());
  for (uint32_t x = 0; x < 8; ++x) EXPECT_EQ(words[x], 3 * (1 + x));
}

TEST_F(CommandTest, ReadsAndWritesThroughTheBindlessSet) {
  ImageInfo info;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.width = info.height = 4;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT;
  auto source = must(Image::create(m_device, info, "source"));
  auto target = must(Image::create(m_device, info, "target"));
  auto sourceView = must(ImageView::create(source, {})), targetView = must(ImageView::create(target, {}));
  auto sampler = must(Sampler::create(m_device, {}, "nearest"));
  ImageTransfer all;
  all.extent = {4, 4, 1};
  all.bytesPerRow = 16;
  uint8_t texels[16][4], back[16][4];
  for (uint8_t i = 0; i < 16; ++i)
    for (uint8_t c = 0; c < 4; ++c) texels[i][c] = static_cast<uint8_t>(16 * c + i);
  must(m_device->hostTransfer().uploadImage(*source, all, texels));

  auto pipeline = kernel(kBindlessKernel, {4, 4, 1});
  run([&](CommandBuffer& commands) {
    auto constants = constantsFor(commands, {sourceView->slot(), targetView->slot(), sampler->slot()});
    commands.dispatchThreadgroups(*pipeline, constants, {1, 1, 1}, {4, 4, 1});
  });
  must(m_device->hostTransfer().readImage(*target, all, back));
  for (int i = 0; i < 16; ++i)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(back[i][c], texels[i][3 - c]) << i << ", " << c;
}

TEST_F(CommandTest, TheNullTextureReadsZero) {
  ImageInfo info;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.width = info.height = 4;
  info.usage = VK_IMAGE_USAGE_STORAGE_BIT;
  auto target = must(Image::create(m_device, info, "target"));
  auto targetView = must(ImageView::create(target, {}));
  ImageTransfer all;
  all.extent = {4, 4, 1};
  all.bytesPerRow = 16;
  std::vector<uint32_t> texels(16, 0x01020304);
  must(m_device->hostTransfer().uploadImage(*target, all, texels.data()));
  auto pipeline = kernel(kBindlessKernel, {4, 4, 1});
  run([&](CommandBuffer& commands) {
    auto constants = constantsFor(commands, {0, targetView->slot(), 0});
    commands.dispatchThreadgroups(*pipeline, constants, {1, 1, 1}, {4, 4, 1});
  });
  must(m_device->hostTransfer().readImage(*target, all, texels.data()));
  for (uint32_t texel : texels) EXPECT_EQ(texel, 0u);
}

TEST_F(CommandTest, VariantsAreCompiledOnceASize) {
  auto pipeline = kernel(kCountKernel);
  EXPECT_EQ(pipeline->variantCount(), 1u);
  VkPipeline first = must(pipeline->variant({8, 1, 1}));
  EXPECT_EQ(must(pipeline->variant({8, 1, 1})), first);
  EXPECT_NE(must(pipeline->variant({4, 2, 1})), first);
  EXPECT_EQ(pipeline->variantCount(), 2u);
  auto tooMany = pipeline->variant({4096, 4096, 1});
  ASSERT_FALSE(tooMany.ok());
  EXPECT_NE(tooMany.error().message.find("4096x4096x1"), std::string::npos) << tooMany.error().message;
  auto none = pipeline->variant({0, 1, 1});
  EXPECT_FALSE(none.ok());
}

TEST_F(CommandTest, ThePrologueRunsFirst) {
  auto buffer = sharedBuffer(16), copy = sharedBuffer(16);
  run([&](CommandBuffer& commands) {
    commands.copyBuffer(buffer->vkBuffer(), 0, copy->vkBuffer(), 0, 16);
    // Recorded later, executed earlier.
    m_device->fn().vkCmdFillBuffer(commands.vkPrologue(), buffer->vkBuffer(), 0, 16, 0x07070707);
    EXPECT_EQ(commands.vkPrologue(), commands.vkPrologue());
  });
  EXPECT_EQ(static_cast<uint32_t*>(copy->contents())[3], 0x07070707u);
}

TEST_F(CommandTest, TheFirstErrorComesOutAtTheEnd) {
  auto pool = must(CommandPool::create(m_device));
  auto commands = CommandBuffer::create(m_device);
  EXPECT_FALSE(commands->end().ok()) << "not begun";
  must(commands->begin(pool));
  EXPECT_FALSE(commands->begin(pool).ok()) << "begun twice";
  commands->fail(base::Error{"first"});
  commands->fail(base::Error{"second"});
  auto ended = commands->end();
  ASSERT_FALSE(ended.ok());
  EXPECT_EQ(ended.error().message, "first");
  must(pool->reset());
  must(commands->begin(pool));
  EXPECT_TRUE(commands->end().ok()) << "a new recording starts clean";
}

TEST_F(CommandTest, DebugLabelsNest) {
  auto buffer = sharedBuffer(16);
  run([&](CommandBuffer& commands) {
    commands.setLabel("labelled");
    commands.pushDebugGroup("outer");
    commands.insertDebugLabel("here");
    commands.fillBuffer(buffer->vkBuffer(), 0, 16, 1);
    commands.popDebugGroup();
  });
  EXPECT_EQ(static_cast<uint8_t*>(buffer->contents())[0], 1);
}

} // namespace
} // namespace basanite::vulkan::test
