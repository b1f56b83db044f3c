// SPDX-License-Identifier: Apache-2.0
// Constexpr samplers of a stage, and the records that carry its arguments.
#include "src/metal/pipeline_stage.hpp"

#include "src/metal/MTLSampler.hpp"
#include "src/metal/sampler_create.hpp"

#include <map>
#include <mutex>

namespace basanite::metal {

namespace {

SamplerDescriptorFields fieldsOf(const shader::ConstantSampler& sampler) {
  SamplerDescriptorFields fields;
  fields.minFilter = static_cast<MTL::SamplerMinMagFilter>(sampler.minFilter);
  fields.magFilter = static_cast<MTL::SamplerMinMagFilter>(sampler.magFilter);
  fields.mipFilter = static_cast<MTL::SamplerMipFilter>(sampler.mipFilter);
  fields.sAddressMode = static_cast<MTL::SamplerAddressMode>(sampler.addressS);
  fields.tAddressMode = static_cast<MTL::SamplerAddressMode>(sampler.addressT);
  fields.rAddressMode = static_cast<MTL::SamplerAddressMode>(sampler.addressR);
  fields.borderColor = static_cast<MTL::SamplerBorderColor>(sampler.borderColor);
  fields.compareFunction = static_cast<MTL::CompareFunction>(sampler.compareFunction);
  fields.maxAnisotropy = sampler.maxAnisotropy;
  fields.lodMinClamp = sampler.lodMin;
  fields.lodMaxClamp = sampler.lodMax;
  fields.lodBias = sampler.lodBias;
  fields.normalizedCoordinates = sampler.normalizedCoordinates;
  return fields;
}

// The slot of a binding, or null after reporting why there is none.
const ArgumentTable::Slot* findSlot(const PipelineStage& stage, std::string_view stageName,
                                    const shader::Binding& binding, const ArgumentTable* table,
                                    ErrorKeeper& errors) {
  const char* kind = binding.kind == shader::BindingKind::buffer    ? "buffer"
                     : binding.kind == shader::BindingKind::texture ? "texture"
                                                                    : "sampler";
  if (!table) {
    errors.report("The {} stage has no argument table, but its function \"{}\" reads {}({}) \"{}\".",
                  stageName, stage.functionName, kind, binding.index, binding.name);
    return nullptr;
  }
  const auto& slots = binding.kind == shader::BindingKind::buffer    ? table->buffers
                      : binding.kind == shader::BindingKind::texture ? table->textures
                                                                     : table->samplers;
  if (binding.index >= slots.size()) {
    errors.report(
        "The {} stage's argument table has {} {} bindings, but its function \"{}\" reads {}({}) \"{}\".",
        stageName, slots.size(), kind, stage.functionName, kind, binding.index, binding.name);
    return nullptr;
  }
  if (!slots[binding.index].set) {
    errors.report(
        "The {} stage's argument table has nothing set at {}({}), which its function \"{}\" reads as \"{}\".",
        stageName, kind, binding.index, stage.functionName, binding.name);
    return nullptr;
  }
  return &slots[binding.index];
}

// One number for each different list of words, for the life of the process.
uint64_t recordLayoutOf(const PipelineStage& stage) {
  constexpr int kKindShift = 32; // above an index or a sampler's slot
  std::vector<uint64_t> words;
  words.reserve(stage.bindings.size());
  for (const shader::Binding& binding : stage.bindings) {
    bool constant = binding.kind == shader::BindingKind::constantSampler;
    uint64_t place = constant ? stage.constantSamplers[binding.index]->slot() : binding.index;
    words.push_back(static_cast<uint64_t>(binding.kind) << kKindShift | place);
  }
  static std::mutex s_mutex;
  static std::map<std::vector<uint64_t>, uint64_t> s_layouts;
  std::lock_guard lock(s_mutex);
  uint64_t next = s_layouts.size() + 1;
  return s_layouts.try_emplace(std::move(words), next).first->second;
}

} // namespace

base::Result<PipelineStage> PipelineStage::create(const base::Ref<vulkan::Device>& device,
                                                  std::string_view functionName,
                                                  const shader::StageBinary& binary) {
  PipelineStage stage;
  stage.functionName = functionName;
  stage.bindings = binary.bindings;
  for (const shader::ConstantSampler& sampler : binary.constantSamplers) {
    BASANITE_TRY(auto made, createSampler(device, fieldsOf(sampler), functionName));
    stage.constantSamplers.push_back(std::move(made));
  }
  stage.recordLayout = recordLayoutOf(stage);
  return stage;
}

std::optional<uint64_t> writeArgumentRecord(const PipelineStage& stage, std::string_view stageName,
                                            const ArgumentTable* table, vulkan::CommandPool& pool,
                                            ErrorKeeper& errors) {
  if (stage.bindings.empty()) return 0;
  auto span = pool.upload(stage.bindings.size() * sizeof(uint64_t), alignof(uint64_t));
  if (!span) {
    errors.report(span.error().message);
    return std::nullopt;
  }
  auto* words = static_cast<uint64_t*>(span->contents);
  for (size_t i = 0; i < stage.bindings.size(); ++i) {
    const shader::Binding& binding = stage.bindings[i];
    if (binding.kind == shader::BindingKind::constantSampler) {
      words[i] = stage.constantSamplers[binding.index]->slot();
      continue;
    }
    const ArgumentTable::Slot* slot = findSlot(stage, stageName, binding, table, errors);
    if (!slot) return std::nullopt;
    words[i] = slot->value;
  }
  return span->gpuAddress;
}

} // namespace basanite::metal
