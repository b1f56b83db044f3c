// SPDX-License-Identifier: Apache-2.0
// Work of a chosen cost, entries and feedback times; see the header.
#include "tests/api/counters_fixture.hpp"

#include <algorithm>
#include <memory>

namespace basanite::tests {

namespace {

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;

struct Varyings { float4 position [[position]]; };

float turn(float value, uint steps) {
  for (uint i = 0; i < steps; ++i) value = fma(value, 0.999f, 0.25f) - value * value * 0.001f;
  return value;
}

kernel void burn(device float* out [[buffer(0)]], constant uint& steps [[buffer(1)]],
                 uint id [[thread_position_in_grid]]) {
  out[id] = turn(float(id) * 0.0001f, steps);
}

vertex Varyings fullScreen(uint id [[vertex_id]]) {
  return {float4(id == 1 ? 3.0f : -1.0f, id == 2 ? 3.0f : -1.0f, 0.5f, 1.0f)};
}

fragment float4 costly(Varyings in [[stage_in]], constant uint& steps [[buffer(1)]]) {
  float value = turn(in.position.x * 0.001f, steps);
  return float4(value, value * 0.5f, 1.0f, 1.0f);
}

vertex Varyings costlyVertex(uint id [[vertex_id]], constant uint& steps [[buffer(1)]]) {
  return {float4(-2.0f, turn(float(id) * 0.0001f, steps) * 0.001f - 8.0f, 0.5f, 1.0f)};
}
)";

constexpr NS::UInteger kBurnThreads = 4096;
constexpr NS::UInteger kVertexCount = 30'000;
constexpr NS::UInteger kStepsStride = 256;
constexpr NS::UInteger kStepsPlaces = 256;

} // namespace

std::vector<uint64_t> CountersFixture::entries(MTL4::CounterHeap* heap, NS::UInteger first,
                                               NS::UInteger count) {
  NS::Data* data = heap->resolveCounterRange(NS::Range::Make(first, count));
  EXPECT_NE(data, nullptr);
  if (!data) return std::vector<uint64_t>(count);
  EXPECT_EQ(data->length(), count * sizeof(uint64_t));
  std::vector<uint64_t> values(count);
  if (count) std::memcpy(values.data(), data->bytes(), count * sizeof(uint64_t));
  return values;
}

double CountersFixture::between(MTL4::CounterHeap* heap, NS::UInteger a, NS::UInteger b) {
  const uint64_t from = entries(heap, a, 1)[0], to = entries(heap, b, 1)[0];
  EXPECT_NE(from, 0u) << "entry " << a;
  EXPECT_NE(to, 0u) << "entry " << b;
  return to >= from ? double(to - from) : -double(from - to);
}

void CountersFixture::makePipelines() {
  if (m_burn) return;
  auto lib = library(kSource);
  m_burn = computePipeline(lib.get(), "burn");
  auto setFormat = [](MTL4::RenderPipelineDescriptor* descriptor) {
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
  };
  m_fill = renderPipeline(lib.get(), "fullScreen", "costly", setFormat);
  m_vertices = renderPipeline(lib.get(), "costlyVertex", "costly", setFormat);
  m_burnt = sharedBuffer(kBurnThreads * sizeof(float));
  m_steps = sharedBuffer(kStepsStride * kStepsPlaces);
  m_arguments = argumentTable(2);
  m_arguments->setAddress(m_burnt->gpuAddress(), 0);
}

uint64_t CountersFixture::stepsAddress(uint32_t steps) {
  auto place = std::find(m_knownSteps.begin(), m_knownSteps.end(), steps);
  const auto index = NS::UInteger(place - m_knownSteps.begin());
  if (place == m_knownSteps.end()) {
    EXPECT_LT(index, kStepsPlaces);
    m_knownSteps.push_back(steps);
    std::memcpy(static_cast<char*>(m_steps->contents()) + index * kStepsStride, &steps, sizeof steps);
  }
  return m_steps->gpuAddress() + index * kStepsStride;
}

void CountersFixture::burn(MTL4::ComputeCommandEncoder* encoder, uint32_t steps) {
  makePipelines();
  m_arguments->setAddress(stepsAddress(steps), 1);
  encoder->setComputePipelineState(m_burn.get());
  encoder->setArgumentTable(m_arguments.get());
  encoder->dispatchThreads(MTL::Size::Make(kBurnThreads, 1, 1), MTL::Size::Make(64, 1, 1));
}

void CountersFixture::fill(MTL4::RenderCommandEncoder* encoder, uint32_t steps, NS::UInteger instances) {
  makePipelines();
  m_arguments->setAddress(stepsAddress(steps), 1);
  fill(encoder, m_arguments.get(), instances);
}

NS::SharedPtr<MTL4::ArgumentTable> CountersFixture::fillTable(uint32_t steps) {
  makePipelines();
  auto table = argumentTable(2);
  table->setAddress(m_burnt->gpuAddress(), 0);
  table->setAddress(stepsAddress(steps), 1);
  return table;
}

void CountersFixture::fill(MTL4::RenderCommandEncoder* encoder, MTL4::ArgumentTable* table,
                           NS::UInteger instances) {
  encoder->setRenderPipelineState(m_fill.get());
  encoder->setArgumentTable(table, kVertex | kFragment);
  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3), instances);
}

void CountersFixture::vertices(MTL4::RenderCommandEncoder* encoder, uint32_t steps) {
  makePipelines();
  m_arguments->setAddress(stepsAddress(steps), 1);
  encoder->setRenderPipelineState(m_vertices.get());
  encoder->setArgumentTable(m_arguments.get(), kVertex | kFragment);
  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), kVertexCount);
}

namespace {

// The least of some repeats: other processes only lengthen.
double leastOf(int repeats, const std::function<double()>& measure) {
  double least = measure();
  for (int repeat = 1; repeat < repeats; ++repeat) least = std::min(least, measure());
  return least;
}

// Doubles the steps until they take half of `ns` more than one step does, then scales: what a dispatch or a
// pass costs by itself must not be taken for steps.
uint32_t stepsFor(double ns, const std::function<double(uint32_t)>& measureOnce) {
  constexpr uint32_t kMost = 1u << 28;
  auto measure = [&](uint32_t steps) { return leastOf(7, [&] { return measureOnce(steps); }); };
  const double fixedNs = measure(1);
  uint32_t steps = 8;
  double taken = measure(steps) - fixedNs;
  while (taken < ns / 2 && steps < kMost) {
    steps *= 2;
    taken = measure(steps) - fixedNs;
  }
  return uint32_t(std::clamp(steps * (ns - fixedNs) / std::max(taken, 1.0), 1.0, double(kMost)));
}

} // namespace

double CountersFixture::fillOnceNs(uint32_t steps) {
  if (!m_ownStamps) m_ownStamps = counterHeap(2);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = openPass(commands);
              encoder->writeTimestamp(kPrecise, kFragment, m_ownStamps.get(), 0);
              fill(encoder, steps);
              encoder->writeTimestamp(kPrecise, kFragment, m_ownStamps.get(), 1);
              encoder->endEncoding();
            }),
            "");
  return between(m_ownStamps.get(), 0, 1);
}

double CountersFixture::burnOnceNs(uint32_t steps) {
  if (!m_ownStamps) m_ownStamps = counterHeap(2);
  EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
              auto* encoder = commands->computeCommandEncoder();
              encoder->writeTimestamp(kPrecise, m_ownStamps.get(), 0);
              burn(encoder, steps);
              encoder->writeTimestamp(kPrecise, m_ownStamps.get(), 1);
              encoder->endEncoding();
            }),
            "");
  return between(m_ownStamps.get(), 0, 1);
}

uint32_t CountersFixture::burnStepsFor(double ns) {
  burnOnceNs(8); // the first dispatch pays for its pipeline
  return stepsFor(ns, [&](uint32_t steps) { return burnOnceNs(steps); });
}

uint32_t CountersFixture::fillStepsFor(double ns) {
  fillOnceNs(8); // as above
  return stepsFor(ns, [&](uint32_t steps) { return fillOnceNs(steps); });
}

double CountersFixture::fillNs(uint32_t steps) {
  return leastOf(5, [&] { return fillOnceNs(steps); });
}

double CountersFixture::burnNs(uint32_t steps) {
  return leastOf(5, [&] { return burnOnceNs(steps); });
}

MTL::Texture* CountersFixture::target() {
  if (!m_target) m_target = colorTarget(m_targetSize, m_targetSize);
  return m_target.get();
}

CommitTimes CountersFixture::timedRun(const std::function<void(MTL4::CommandBuffer*)>& record,
                                      const std::function<void()>& beforeCommit) {
  m_allocator->reset();
  m_commands->beginCommandBuffer(m_allocator.get());
  record(m_commands.get());
  m_commands->endCommandBuffer();
  if (beforeCommit) beforeCommit();
  // The handler owns what it writes: it may run after a wait that gave up.
  struct Delivery {
    CommitTimes times;
    NS::SharedPtr<MTL::SharedEvent> event;
  };
  auto delivery = std::make_shared<Delivery>();
  delivery->event = NS::TransferPtr(m_device->newSharedEvent());
  auto options = NS::TransferPtr(MTL4::CommitOptions::alloc()->init());
  options->addFeedbackHandler([delivery](MTL4::CommitFeedback* feedback) {
    if (feedback->error()) delivery->times.error = text(feedback->error());
    delivery->times.gpuStartSeconds = feedback->GPUStartTime();
    delivery->times.gpuEndSeconds = feedback->GPUEndTime();
    delivery->event->setSignaledValue(1);
  });
  const MTL4::CommandBuffer* list[] = {m_commands.get()};
  const double before = nowNs();
  m_queue->commit(list, 1, options.get());
  const bool isDelivered = delivery->event->waitUntilSignaledValue(1, 60'000);
  EXPECT_TRUE(isDelivered) << "the commit's feedback never came";
  if (!isDelivered) return CommitTimes{"the commit's feedback never came"};
  delivery->times.hostNs = nowNs() - before;
  return delivery->times;
}

bool CountersFixture::atLeastOnce(int times, const std::function<bool()>& attempt) {
  for (int i = 0; i < times; ++i)
    if (attempt()) return true;
  return false;
}

} // namespace basanite::tests
