// SPDX-License-Identifier: Apache-2.0
// A Metal program of its own, so that what it measures is what programs get.
#include "tools/basanite/stamp_error.hpp"

#include "src/timing/comparison.hpp"

#include <Foundation/Foundation.hpp>
#include <Metal/Metal.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fmt/format.h>
#include <string>
#include <utility>
#include <vector>

namespace basanite::tool {

namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
vertex float4 corners(uint i [[vertex_id]]) { return float4(i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0, 1); }
fragment float4 burn(float4 at [[position]], constant uint& steps [[buffer(0)]]) {
  float x = at.x * 0.01;
  for (uint i = 0; i < steps; ++i) x = fract(x * 1.7 + at.y * 0.001);
  return float4(x);
}
)";

constexpr std::array<uint32_t, 5> kUnits = {1, 10, 100, 10, 1};
constexpr size_t kKinds = 3;          // of different cost: the first three
constexpr NS::UInteger kStride = 256; // of their step counts in the buffer
constexpr NS::UInteger kSide = 256;
constexpr int kRepeats = 9;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

class StampProbe {
 public:
  explicit StampProbe(MTL::Device* device) : m_device(device) {}

  base::Result<void> setUp();
  base::Result<StampError> measure();

 private:
  using Intervals = std::vector<double>; // ns
  void setSteps(uint32_t base);
  // The draws in one pass, by indices into kUnits.
  base::Result<Intervals> run(const std::vector<size_t>& draws, MTL4::TimestampGranularity granularity);
  // The median of each draw's intervals.
  base::Result<Intervals> medians(const std::vector<size_t>& draws, MTL4::TimestampGranularity granularity);

  MTL::Device* m_device;
  NS::SharedPtr<MTL4::CommandQueue> m_queue;
  NS::SharedPtr<MTL4::CommandAllocator> m_allocator;
  NS::SharedPtr<MTL4::CommandBuffer> m_commands;
  NS::SharedPtr<MTL::SharedEvent> m_event;
  NS::SharedPtr<MTL4::ArgumentTable> m_table;
  NS::SharedPtr<MTL4::CounterHeap> m_heap;
  NS::SharedPtr<MTL::RenderPipelineState> m_pipeline;
  NS::SharedPtr<MTL::Buffer> m_steps;
  NS::SharedPtr<MTL::Texture> m_target;
  NS::SharedPtr<MTL::ResidencySet> m_residency;
  NS::SharedPtr<MTL4::RenderPassDescriptor> m_pass;
  uint64_t m_runs = 0;
};

base::Error errorOf(const char* what, const NS::Error* error) {
  return {fmt::format("{} cannot be made: {}", what,
                      error ? error->localizedDescription()->utf8String() : "see the message above.")};
}

base::Result<void> StampProbe::setUp() {
  NS::Error* error = nullptr;
  const auto source = NS::String::string(kSource, NS::UTF8StringEncoding);
  const auto library = NS::TransferPtr(m_device->newLibrary(source, nullptr, &error));
  if (!library) return errorOf("The shaders", error);
  const auto compilerDescriptor = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
  const auto compiler = NS::TransferPtr(m_device->newCompiler(compilerDescriptor.get(), &error));
  if (!compiler) return errorOf("The compiler", error);
  const auto function = [&](const char* name) {
    auto descriptor = NS::TransferPtr(MTL4::LibraryFunctionDescriptor::alloc()->init());
    descriptor->setLibrary(library.get());
    descriptor->setName(NS::String::string(name, NS::UTF8StringEncoding));
    return descriptor;
  };
  const auto pipelineDescriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  pipelineDescriptor->setVertexFunctionDescriptor(function("corners").get());
  pipelineDescriptor->setFragmentFunctionDescriptor(function("burn").get());
  pipelineDescriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  m_pipeline = NS::TransferPtr(compiler->newRenderPipelineState(pipelineDescriptor.get(), nullptr, &error));
  if (!m_pipeline) return errorOf("The pipeline", error);

  const auto heapDescriptor = NS::TransferPtr(MTL4::CounterHeapDescriptor::alloc()->init());
  heapDescriptor->setType(MTL4::CounterHeapTypeTimestamp);
  heapDescriptor->setCount(kUnits.size() + 1);
  m_heap = NS::TransferPtr(m_device->newCounterHeap(heapDescriptor.get(), &error));
  if (!m_heap) return errorOf("The counter heap", error);
  const auto tableDescriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
  tableDescriptor->setMaxBufferBindCount(1);
  m_table = NS::TransferPtr(m_device->newArgumentTable(tableDescriptor.get(), &error));
  if (!m_table) return errorOf("The argument table", error);
  const auto residencyDescriptor = NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init());
  m_residency = NS::TransferPtr(m_device->newResidencySet(residencyDescriptor.get(), &error));
  if (!m_residency) return errorOf("The residency set", error);

  m_steps = NS::TransferPtr(m_device->newBuffer(kKinds * kStride, MTL::ResourceStorageModeShared));
  auto* textureDescriptor =
      MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormatRGBA8Unorm, kSide, kSide, false);
  textureDescriptor->setUsage(MTL::TextureUsageRenderTarget);
  textureDescriptor->setStorageMode(MTL::StorageModePrivate);
  m_target = NS::TransferPtr(m_device->newTexture(textureDescriptor));
  m_queue = NS::TransferPtr(m_device->newMTL4CommandQueue());
  m_allocator = NS::TransferPtr(m_device->newCommandAllocator());
  m_commands = NS::TransferPtr(m_device->newCommandBuffer());
  m_event = NS::TransferPtr(m_device->newSharedEvent());
  if (!m_steps || !m_target || !m_queue || !m_allocator || !m_commands || !m_event)
    return errorOf("The queue and its memory", nullptr);
  m_residency->addAllocation(m_steps.get());
  m_residency->addAllocation(m_target.get());
  m_residency->commit();
  m_queue->addResidencySet(m_residency.get());
  m_pass = NS::TransferPtr(MTL4::RenderPassDescriptor::alloc()->init());
  m_pass->colorAttachments()->object(0)->setTexture(m_target.get());
  m_pass->colorAttachments()->object(0)->setLoadAction(MTL::LoadActionClear);
  return {};
}

void StampProbe::setSteps(uint32_t base) {
  for (size_t kind = 0; kind < kKinds; ++kind) {
    const uint32_t steps = base * kUnits[kind];
    std::memcpy(static_cast<std::byte*>(m_steps->contents()) + kind * kStride, &steps, sizeof(steps));
  }
}

base::Result<StampProbe::Intervals> StampProbe::run(const std::vector<size_t>& draws,
                                                    MTL4::TimestampGranularity granularity) {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  MTL4::RenderCommandEncoder* encoder = m_commands->renderCommandEncoder(m_pass.get());
  encoder->setRenderPipelineState(m_pipeline.get());
  encoder->setArgumentTable(m_table.get(), MTL::RenderStageFragment);
  encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), 0);
  for (size_t i = 0; i < draws.size(); ++i) {
    // The costs are the same from both ends.
    const size_t kind = std::min(draws[i], kUnits.size() - 1 - draws[i]);
    m_table->setAddress(m_steps->gpuAddress() + kind * kStride, 0);
    encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
    encoder->writeTimestamp(granularity, MTL::RenderStageFragment, m_heap.get(), i + 1);
  }
  encoder->endEncoding();
  m_commands->endCommandBuffer();
  std::string failure;
  const auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler([&](MTL4::CommitFeedback* feedback) {
    if (feedback->error()) failure = feedback->error()->localizedDescription()->utf8String();
  });
  const auto afterFeedback = NS::TransferPtr(m_device->newSharedEvent());
  options->addFeedbackHandler([&](MTL4::CommitFeedback*) { afterFeedback->setSignaledValue(1); });
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  m_queue->commit(list, 1, options.get());
  m_queue->signalEvent(m_event.get(), ++m_runs);
  constexpr uint64_t kPatienceMs = 60'000;
  if (!afterFeedback->waitUntilSignaledValue(1, kPatienceMs) ||
      !m_event->waitUntilSignaledValue(m_runs, kPatienceMs))
    return base::Error{
        fmt::format("A pass of {} draws is not over after {} s.", draws.size(), kPatienceMs / 1000)};
  if (!failure.empty()) return base::Error{failure};
  const NS::Data* data = m_heap->resolveCounterRange({0, draws.size() + 1});
  std::vector<uint64_t> stamps(draws.size() + 1);
  std::memcpy(stamps.data(), data->bytes(), stamps.size() * sizeof(uint64_t));
  Intervals intervals;
  for (size_t i = 0; i < draws.size(); ++i)
    intervals.push_back(static_cast<double>(stamps[i + 1]) - static_cast<double>(stamps[i]));
  return intervals;
}

base::Result<StampProbe::Intervals> StampProbe::medians(const std::vector<size_t>& draws,
                                                        MTL4::TimestampGranularity granularity) {
  std::vector<Intervals> ofDraw(draws.size());
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    BASANITE_TRY(const Intervals intervals, run(draws, granularity));
    for (size_t i = 0; i < draws.size(); ++i) ofDraw[i].push_back(intervals[i]);
  }
  Intervals result;
  for (Intervals& values : ofDraw) result.push_back(median(std::move(values)));
  return result;
}

base::Result<StampError> StampProbe::measure() {
  // Long enough to be told apart, short enough to fit between two turns of a busy machine's scheduler.
  constexpr double kEnoughNs = 1'000'000;
  constexpr uint32_t kMostSteps = 1 << 20;
  constexpr MTL4::TimestampGranularity kPrecise = MTL4::TimestampGranularityPrecise;
  for (uint32_t steps = 1; steps < kMostSteps; steps *= 2) {
    setSteps(steps);
    BASANITE_TRY(const Intervals dearest, run({2}, kPrecise));
    if (dearest[0] >= kEnoughNs) break;
  }
  Intervals alone;
  for (size_t kind = 0; kind < kKinds; ++kind) {
    BASANITE_TRY(const Intervals one, medians({kind}, kPrecise));
    alone.push_back(one[0]);
  }
  // A pass costs something beyond its draws; what two draws of known proportion say it is, none of them owes
  // alone.
  const double unitNs = (alone[1] - alone[0]) / (kUnits[1] - kUnits[0]);
  const double passNs = std::max(0.0, alone[0] - unitNs * kUnits[0]);
  const std::vector<size_t> all = {0, 1, 2, 3, 4};
  BASANITE_TRY(const Intervals relaxed, medians(all, MTL4::TimestampGranularityRelaxed));
  BASANITE_TRY(const Intervals precise, medians(all, kPrecise));
  timing::Comparison comparison;
  comparison.ways = {"relaxed", "precise"};
  for (const size_t i : all) {
    const double aloneNs = alone[std::min(i, kUnits.size() - 1 - i)];
    comparison.rows.push_back({"", "", std::max(0.0, aloneNs - passNs), aloneNs, {relaxed[i], precise[i]}});
  }
  return StampError{timing::misplacedPercent(comparison, 0), timing::misplacedPercent(comparison, 1)};
}

} // namespace

base::Result<StampError> measureStampError(size_t usable) {
  const auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const auto devices = NS::TransferPtr(MTL::CopyAllDevices());
  if (!devices || usable >= devices->count()) return base::Error{"The device cannot be opened."};
  StampProbe probe(devices->object<MTL::Device>(usable));
  BASANITE_TRY_VOID(probe.setUp());
  return probe.measure();
}

} // namespace basanite::tool
