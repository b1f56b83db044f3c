// SPDX-License-Identifier: Apache-2.0
// What a device says of itself and makes: resources and their properties, libraries, compile options, tasks, residency.
#include "tests/support/metal_fixture.hpp"

#include <atomic>

namespace basanite::tests {
namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
#ifndef VALUE
#define VALUE 1
#endif
struct In {
  float3 position [[attribute(2)]];
  ushort4 bones [[attribute(5)]];
};
struct Varyings { float4 position [[position]]; };
vertex Varyings skinned(In in [[stage_in]]) { return {float4(in.position * float(in.bones.x), 1)}; }
fragment float4 red() { return float4(1, 0, 0, 1); }
kernel void store(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) { out[id] = VALUE + id; }
)";

NS::String* string(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

class Devices : public MetalFixture {
 protected:
  uint32_t firstStored(MTL::ComputePipelineState* pipeline) {
    auto out = sharedBuffer(64 * 4);
    auto table = argumentTable(1);
    table->setAddress(out->gpuAddress(), 0);
    dispatch(pipeline, table.get(), 64);
    return contents<uint32_t>(out.get())[0];
  }
};

TEST_F(Devices, DescribeThemselves) {
  EXPECT_GT(m_device->name()->length(), 0u);
  EXPECT_TRUE(m_device->supportsFamily(MTL::GPUFamilyMetal4));
  EXPECT_GE(m_device->maxThreadsPerThreadgroup().width, 256u);
  EXPECT_GE(m_device->maxThreadgroupMemoryLength(), 16384u);
  EXPECT_GE(m_device->maxBufferLength(), NS::UInteger(1) << 28);
  EXPECT_GT(m_device->recommendedMaxWorkingSetSize(), 0u);
  EXPECT_TRUE(m_device->supportsTextureSampleCount(1));
  EXPECT_FALSE(m_device->supportsTextureSampleCount(3));
  EXPECT_EQ(m_queue->device(), m_device.get());
  EXPECT_EQ(m_commands->device(), m_device.get());
  EXPECT_EQ(m_compiler->device(), m_device.get());
}

TEST_F(Devices, BuffersAndTexturesKeepWhatTheyWereMadeWith) {
  const std::vector<uint32_t> words{1, 2, 3, 4};
  auto copied = NS::TransferPtr(m_device->newBuffer(words.data(), 16, MTL::ResourceStorageModeShared));
  ASSERT_TRUE(copied);
  EXPECT_EQ(contents<uint32_t>(copied.get()), words);
  EXPECT_EQ(copied->length(), 16u);
  EXPECT_GE(copied->allocatedSize(), 16u);
  EXPECT_EQ(copied->storageMode(), MTL::StorageModeShared);
  EXPECT_NE(copied->gpuAddress(), 0u);
  EXPECT_EQ(copied->device(), m_device.get());
  copied->setLabel(string("words"));
  EXPECT_STREQ(copied->label()->utf8String(), "words");
  auto hidden = NS::TransferPtr(m_device->newBuffer(64, MTL::ResourceStorageModePrivate));
  ASSERT_TRUE(hidden);
  EXPECT_EQ(hidden->contents(), nullptr);
  EXPECT_EQ(hidden->storageMode(), MTL::StorageModePrivate);
  // Private memory is reached by the GPU only.
  auto back = sharedBuffer(64);
  m_residency->addAllocation(hidden.get());
  m_residency->addAllocation(copied.get());
  m_residency->commit();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->copyFromBuffer(copied.get(), 0, hidden.get(), 48, 16);
              encoder->barrierAfterEncoderStages(MTL::StageBlit, MTL::StageBlit, MTL4::VisibilityOptionDevice);
              encoder->copyFromBuffer(hidden.get(), 48, back.get(), 0, 16);
              encoder->endEncoding();
            }),
            "");
  EXPECT_EQ(std::memcmp(back->contents(), words.data(), 16), 0);

  auto* descriptor = MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRG16Float, 30, 20, true);
  descriptor->setUsage(MTL::TextureUsageShaderRead | MTL::TextureUsageRenderTarget);
  descriptor->setStorageMode(MTL::StorageModePrivate);
  auto texture = NS::TransferPtr(m_device->newTexture(descriptor));
  ASSERT_TRUE(texture);
  EXPECT_EQ(texture->width(), 30u);
  EXPECT_EQ(texture->height(), 20u);
  EXPECT_EQ(texture->depth(), 1u);
  EXPECT_EQ(texture->arrayLength(), 1u);
  EXPECT_EQ(texture->sampleCount(), 1u);
  EXPECT_EQ(texture->mipmapLevelCount(), 5u);
  EXPECT_EQ(texture->pixelFormat(), MTL::PixelFormatRG16Float);
  EXPECT_EQ(texture->textureType(), MTL::TextureType2D);
  EXPECT_EQ(texture->usage(), MTL::TextureUsageShaderRead | MTL::TextureUsageRenderTarget);
  // The descriptor is copied: a later change of it changes no texture.
  descriptor->setWidth(8);
  EXPECT_EQ(texture->width(), 30u);
}

TEST_F(Devices, LibrariesListTheirFunctions) {
  auto lib = library(kSource);
  ASSERT_TRUE(lib);
  EXPECT_EQ(lib->functionNames()->count(), 3u);
  auto skinned = NS::TransferPtr(lib->newFunction(string("skinned")));
  auto red = NS::TransferPtr(lib->newFunction(string("red")));
  auto store = NS::TransferPtr(lib->newFunction(string("store")));
  ASSERT_TRUE(skinned && red && store);
  EXPECT_EQ(skinned->functionType(), MTL::FunctionTypeVertex);
  EXPECT_EQ(red->functionType(), MTL::FunctionTypeFragment);
  EXPECT_EQ(store->functionType(), MTL::FunctionTypeKernel);
  EXPECT_STREQ(store->name()->utf8String(), "store");
  NS::Array* attributes = skinned->vertexAttributes();
  ASSERT_NE(attributes, nullptr);
  ASSERT_EQ(attributes->count(), 2u);
  auto* bones = attributes->object<MTL::VertexAttribute>(1);
  EXPECT_STREQ(bones->name()->utf8String(), "bones");
  EXPECT_EQ(bones->attributeIndex(), 5u);
  EXPECT_EQ(bones->attributeType(), MTL::DataTypeUShort4);
  // The older way to a compute pipeline gives a pipeline that Metal 4's encoders take.
  NS::Error* error = nullptr;
  auto pipeline = NS::TransferPtr(m_device->newComputePipelineState(store.get(), &error));
  ASSERT_TRUE(pipeline) << text(error);
  EXPECT_EQ(firstStored(pipeline.get()), 1u);
}

TEST_F(Devices, MacrosReachTheSource) {
  auto options = NS::TransferPtr(MTL::CompileOptions::alloc()->init());
  options->setPreprocessorMacros(NS::Dictionary::dictionary(NS::Number::number(40), string("VALUE")));
  NS::Error* error = nullptr;
  auto lib = NS::TransferPtr(m_device->newLibrary(string(kSource), options.get(), &error));
  ASSERT_TRUE(lib) << text(error);
  auto pipeline = computePipeline(lib.get(), "store");
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(firstStored(pipeline.get()), 40u);
}

TEST_F(Devices, CompilerTasksFinishAndCallBack) {
  auto library = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  library->setSource(string(kSource));
  NS::SharedPtr<MTL::Library> made;
  std::atomic<int> calls{0};
  auto* task = m_compiler->newLibrary(library.get(), [&](MTL::Library* result, NS::Error* error) {
    EXPECT_EQ(error, nullptr) << text(error);
    made = NS::RetainPtr(result);
    ++calls;
  });
  ASSERT_NE(task, nullptr);
  task->waitUntilCompleted();
  EXPECT_EQ(task->status(), MTL4::CompilerTaskStatusFinished);
  EXPECT_EQ(task->compiler(), m_compiler.get());
  ASSERT_EQ(calls, 1);
  ASSERT_TRUE(made);
  task->release();

  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto store = function(made.get(), "store");
  descriptor->setComputeFunctionDescriptor(store.get());
  NS::SharedPtr<MTL::ComputePipelineState> pipeline;
  task = m_compiler->newComputePipelineState(
      descriptor.get(), nullptr,
      std::function<void(MTL::ComputePipelineState*, NS::Error*)>([&](MTL::ComputePipelineState* result, NS::Error* error) {
        EXPECT_EQ(error, nullptr) << text(error);
        pipeline = NS::RetainPtr(result);
        ++calls;
      }));
  ASSERT_NE(task, nullptr);
  task->waitUntilCompleted();
  task->release();
  ASSERT_EQ(calls, 2);
  ASSERT_TRUE(pipeline);
  EXPECT_EQ(firstStored(pipeline.get()), 1u);

  // A failure comes through the handler as well.
  library->setSource(string("kernel void k() { nothing; }"));
  std::string failure;
  task = m_compiler->newLibrary(library.get(), [&](MTL::Library* result, NS::Error* error) {
    EXPECT_EQ(result, nullptr);
    failure = text(error);
  });
  ASSERT_NE(task, nullptr);
  task->waitUntilCompleted();
  task->release();
  EXPECT_NE(failure.find("nothing"), std::string::npos) << failure;
}

TEST_F(Devices, ResidencySetsCountWhatTheyHold) {
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init());
  descriptor->setLabel(string("set"));
  auto set = NS::TransferPtr(m_device->newResidencySet(descriptor.get(), &error));
  ASSERT_TRUE(set) << text(error);
  auto first = NS::TransferPtr(m_device->newBuffer(4096, MTL::ResourceStorageModeShared));
  auto second = NS::TransferPtr(m_device->newBuffer(4096, MTL::ResourceStorageModeShared));
  const MTL::Allocation* both[] = {first.get(), second.get()};
  set->addAllocations(both, 2);
  set->addAllocation(first.get());
  set->commit();
  EXPECT_EQ(set->allocationCount(), 2u);
  EXPECT_EQ(set->allAllocations()->count(), 2u);
  EXPECT_TRUE(set->containsAllocation(second.get()));
  EXPECT_GE(set->allocatedSize(), 8192u);
  set->removeAllocation(second.get());
  set->commit();
  EXPECT_FALSE(set->containsAllocation(second.get()));
  EXPECT_EQ(set->allocationCount(), 1u);
  set->requestResidency();
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              commands->useResidencySet(set.get());
              MTL4::ComputeCommandEncoder* encoder = commands->computeCommandEncoder();
              encoder->fillBuffer(first.get(), NS::Range::Make(0, 4096), 0x21);
              encoder->endEncoding();
            }),
            "");
  EXPECT_EQ(contents<uint32_t>(first.get()), std::vector<uint32_t>(1024, 0x21212121));
  set->endResidency();
  set->removeAllAllocations();
  set->commit();
  EXPECT_EQ(set->allocationCount(), 0u);
}

} // namespace
} // namespace basanite::tests
