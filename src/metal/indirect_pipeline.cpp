// SPDX-License-Identifier: Apache-2.0
// Makes them from pipeline states; gpuResourceID of pipeline states.
#include "src/metal/indirect_pipeline.hpp"

#include "src/base/indirect_abi.hpp"
#include "src/base/shader_log.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/MTLRenderPipeline.hpp"

#include <algorithm>
#include <cstring>
#include <map>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

bool takesBuffersOnly(const PipelineStage& stage) {
  return std::none_of(stage.bindings.begin(), stage.bindings.end(), [](const shader::Binding& binding) {
    return binding.kind == shader::BindingKind::texture || binding.kind == shader::BindingKind::sampler ||
           binding.kind == shader::BindingKind::functionTable;
  });
}

void addEntries(const PipelineStage& stage, std::vector<base::abi::IndirectLayoutEntry>& entries) {
  for (const shader::Binding& binding : stage.bindings) {
    base::abi::IndirectLayoutEntry entry;
    entry.index = binding.index;
    if (binding.kind == shader::BindingKind::constantSampler)
      entry.value = stage.constantSamplers[binding.index]->slot();
    if (binding.kind == shader::BindingKind::constantData) entry.value = stage.constantData->gpuAddress();
    // Without a place for its logs a shader keeps them to itself.
    entry.isConstant = binding.kind != shader::BindingKind::buffer || binding.index == base::abi::kLogBinding;
    entries.push_back(entry);
  }
}

struct List {
  std::mutex mutex;
  std::map<const vulkan::Device*, std::vector<std::weak_ptr<const IndirectPipeline>>>
      pipelines; // guarded by mutex
};
// Never destroyed, as devices are not.
List& list() {
  static List* s_list = new List;
  return *s_list;
}

// The address, or 0 with a report.
template <class State> MTL::ResourceID resourceIdOf(const char* method, const State& state) {
  auto pipeline = state.indirectPipeline();
  if (!pipeline) {
    reportMisuse("{}: {}", method, pipeline.error().message);
    return MTL::ResourceID{0};
  }
  return MTL::ResourceID{(*pipeline)->layout->gpuAddress()};
}

} // namespace

bool IndirectPipeline::takesBuffersOnly() const {
  return metal::takesBuffersOnly(first) && (!second || metal::takesBuffersOnly(*second));
}

base::Result<void> IndirectPipeline::makeLayout(const base::Ref<vulkan::Device>& device) {
  std::vector<base::abi::IndirectLayoutEntry> entries;
  addEntries(first, entries);
  base::abi::IndirectLayout counts;
  counts.firstEntries = static_cast<uint32_t>(entries.size());
  if (second) addEntries(*second, entries);
  counts.secondEntries = static_cast<uint32_t>(entries.size()) - counts.firstEntries;
  const size_t entryBytes = entries.size() * sizeof(entries[0]);
  BASANITE_TRY(layout, vulkan::Buffer::create(device, sizeof counts + entryBytes, vulkan::MemoryKind::shared,
                                              "layout of " + name));
  auto* contents = static_cast<std::byte*>(layout->contents());
  std::memcpy(contents, &counts, sizeof counts);
  if (entryBytes != 0) std::memcpy(contents + sizeof counts, entries.data(), entryBytes);
  return {};
}

void noteIndirectPipeline(const vulkan::Device& device,
                          const std::shared_ptr<const IndirectPipeline>& pipeline) {
  std::lock_guard lock(list().mutex);
  auto& pipelines = list().pipelines[&device];
  std::erase_if(pipelines, [](const auto& known) { return known.expired(); });
  pipelines.push_back(pipeline);
}

std::vector<std::shared_ptr<const IndirectPipeline>> indirectPipelines(const vulkan::Device& device) {
  std::vector<std::shared_ptr<const IndirectPipeline>> there;
  std::lock_guard lock(list().mutex);
  for (const auto& known : list().pipelines[&device])
    if (auto pipeline = known.lock()) there.push_back(std::move(pipeline));
  return there;
}

base::Result<std::shared_ptr<IndirectPipeline>> RenderPipelineState::makeIndirectPipeline() const {
  if (!supportsIndirect)
    return base::Error{
        fmt::format("the pipeline \"{}\" was made without supportIndirectCommandBuffers.", name())};
  if (mesh)
    return base::Error{
        fmt::format("the pipeline \"{}\" has a mesh function; commands that draw meshes are encoded by the "
                    "CPU only.",
                    name())};
  if (readsColors || inheritsColorMap)
    return base::Error{
        fmt::format("the pipeline \"{}\" {}, which only commands that the CPU encodes can.", name(),
                    readsColors ? "reads color attachments" : "inherits the color attachment map")};
  auto made = std::make_shared<IndirectPipeline>();
  made->name = name();
  made->graphics = backend;
  made->first = vertex;
  made->second = fragment;
  made->colorFormats = colorFormats;
  made->sampleCount = sampleCount;
  made->topology = topology;
  BASANITE_TRY_VOID(made->makeLayout(device->backend));
  noteIndirectPipeline(*device->backend, made);
  return made;
}

base::Result<std::shared_ptr<IndirectPipeline>> ComputePipelineState::makeIndirectPipeline() const {
  if (!supportsIndirect)
    return base::Error{
        fmt::format("the pipeline \"{}\" was made without supportIndirectCommandBuffers.", name())};
  auto made = std::make_shared<IndirectPipeline>();
  made->name = name();
  made->compute = backend;
  made->first = stage;
  made->requiredThreads = requiredThreadsPerThreadgroup;
  made->threadgroupArguments = threadgroupArguments;
  BASANITE_TRY_VOID(made->makeLayout(device->backend));
  noteIndirectPipeline(*device->backend, made);
  return made;
}

} // namespace basanite::metal

MTL::ResourceID MTL::RenderPipelineState::gpuResourceID() const {
  return this ? basanite::metal::resourceIdOf("RenderPipelineState::gpuResourceID", *toImpl(this))
              : MTL::ResourceID{0};
}
MTL::ResourceID MTL::ComputePipelineState::gpuResourceID() const {
  return this ? basanite::metal::resourceIdOf("ComputePipelineState::gpuResourceID", *toImpl(this))
              : MTL::ResourceID{0};
}
