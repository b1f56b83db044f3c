// SPDX-License-Identifier: Apache-2.0
// Constexpr samplers and constant tables of a stage, and the records that carry its arguments.
#include "src/metal/pipeline_stage.hpp"

#include "src/base/shader_log.hpp"
#include "src/metal/MTLLogState.hpp"
#include "src/metal/MTLSampler.hpp"
#include "src/metal/MTLVisibleFunctionTable.hpp"
#include "src/metal/enum_map.hpp"
#include "src/metal/sampler_create.hpp"
#include "src/vulkan/host_transfer.hpp"

#include <algorithm>
#include <array>
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

const char* kindName(shader::BindingKind kind) {
  switch (kind) {
  case shader::BindingKind::texture:
    return "texture";
  case shader::BindingKind::sampler:
    return "sampler";
  default: // a table of functions is bound like a buffer
    return "buffer";
  }
}

// What a report says first, and the words for an argument in it.
struct Place {
  const PipelineStage& stage;
  std::string_view stageName;
  const shader::Binding& binding;
  ErrorKeeper& errors;

  const char* kind() const { return kindName(binding.kind); }
  // A buffer of a vertex descriptor has no name in the source.
  std::string argument() const {
    std::string place = fmt::format("{}({})", kind(), binding.index);
    return binding.name.empty() ? place : fmt::format("{} \"{}\"", place, binding.name);
  }
};

bool isLog(const shader::Binding& binding) {
  return binding.kind == shader::BindingKind::buffer && binding.index == base::abi::kLogBinding;
}

const std::vector<ArgumentTable::Slot>& slotsOf(const ArgumentTable& table, shader::BindingKind kind) {
  return kind == shader::BindingKind::sampler   ? table.samplers
         : kind == shader::BindingKind::texture ? table.textures
                                                : table.buffers;
}

// The slot of a binding, or null after reporting why there is none.
const ArgumentTable::Slot* findSlot(const Place& at, const ArgumentTable* table) {
  if (!table) {
    at.errors.report("The {} stage has no argument table, but its function \"{}\" reads {}.", at.stageName,
                     at.stage.functionName, at.argument());
    return nullptr;
  }
  const auto& slots = slotsOf(*table, at.binding.kind);
  if (at.binding.index >= slots.size()) {
    at.errors.report("The {} stage's argument table has {} {} bindings, but its function \"{}\" reads {}.",
                     at.stageName, slots.size(), at.kind(), at.stage.functionName, at.argument());
    return nullptr;
  }
  if (!slots[at.binding.index].set) {
    at.errors.report(
        "The {} stage's argument table has nothing set at {}({}), which its function \"{}\" reads as "
        "\"{}\".",
        at.stageName, at.kind(), at.binding.index, at.stage.functionName, at.binding.name);
    return nullptr;
  }
  return &slots[at.binding.index];
}

// Whether the function can do with the texture what it does; else the reason has been reported.
bool checkTexture(const Place& at, uint64_t value, const vulkan::DescriptorHeap& heap) {
  vulkan::ImageSlotState state = heap.imageState(value);
  if (!state.live) {
    at.errors.report(
        "The {} stage's argument table has the resource ID {:#x} at {}, which its function \"{}\" uses; "
        "no texture has that ID.",
        at.stageName, value, at.argument(), at.stage.functionName);
    return false;
  }
  if (state.null) return true;
  auto wanted = static_cast<MTL::TextureType>(at.binding.textureType);
  const bool wantsTexels = wanted == MTL::TextureTypeTextureBuffer;
  if (state.texelBuffer != wantsTexels) {
    at.errors.report(
        "The {} stage's function \"{}\" takes {} as a {}, but the texture in its argument table is a {}.",
        at.stageName, at.stage.functionName, at.argument(), textureTypeName(wanted),
        textureTypeName(state.texelBuffer ? MTL::TextureTypeTextureBuffer
                                          : toTextureType(state.type, state.multisampled)));
    return false;
  }
  if (!wantsTexels &&
      (state.type != toVkImageViewType(wanted) || state.multisampled != isMultisampleTexture(wanted))) {
    at.errors.report(
        "The {} stage's function \"{}\" takes {} as a {}, but the texture in its argument table is a {}.",
        at.stageName, at.stage.functionName, at.argument(), textureTypeName(wanted),
        textureTypeName(toTextureType(state.type, state.multisampled)));
    return false;
  }
  if (at.binding.writes && !state.storage) {
    at.errors.report(
        "The {} stage's function \"{}\" writes {}, but the texture in its argument table cannot be "
        "written: its usage lacks TextureUsageShaderWrite, or its format or swizzle does not allow it.",
        at.stageName, at.stage.functionName, at.argument());
    return false;
  }
  if (!at.binding.writes && !state.sampled) {
    at.errors.report(
        "The {} stage's function \"{}\" reads {}, but the texture in its argument table has a format that "
        "this device cannot read.",
        at.stageName, at.stage.functionName, at.argument());
    return false;
  }
  return true;
}

// Whether the value is a table of functions that the stage may call; else the reason has been reported.
bool checkFunctionTable(const Place& at, uint64_t value, const ArgumentTable& table) {
  if (value == 0) return true; // the null table, which a function can ask for
  std::string objection;
  const bool found = withFunctionTable(table.device.get(), value, [&](const VisibleFunctionTable& functions) {
    objection = functions.objection(at.stage.linkFamily, at.binding.signature);
  });
  if (!found)
    at.errors.report("The {} stage's argument table has the resource ID {:#x} at {}, which its function "
                     "\"{}\" calls functions of; no "
                     "visible function table has that ID.",
                     at.stageName, value, at.argument(), at.stage.functionName);
  else if (!objection.empty())
    at.errors.report("The {} stage's function \"{}\" calls functions of {}, but the table there {}.",
                     at.stageName, at.stage.functionName, at.argument(), objection);
  return found && objection.empty();
}

// Whether the value of a set slot is something that the GPU can be given: made-up numbers would end the
// process on some drivers. Else the reason has been reported.
bool checkValue(const Place& at, uint64_t value, const ArgumentTable& table,
                vulkan::AddressCache& addresses) {
  switch (at.binding.kind) {
  case shader::BindingKind::buffer:
    // 0 is the null of a table whose bindings were initialised.
    if (value == 0 ? table.initialized : addresses.find(value).has_value()) return true;
    at.errors.report(
        "The {} stage's argument table has the address {:#x} at {}, which its function \"{}\" uses; no "
        "buffer contains it.",
        at.stageName, value, at.argument(), at.stage.functionName);
    return false;
  case shader::BindingKind::texture:
    return checkTexture(at, value, table.device->backend->descriptorHeap());
  case shader::BindingKind::functionTable:
    return checkFunctionTable(at, value, table);
  default:
    if (table.device->backend->descriptorHeap().samplerLive(value)) return true;
    at.errors.report(
        "The {} stage's argument table has the resource ID {:#x} at {}, which its function \"{}\" uses; "
        "no sampler has that ID.",
        at.stageName, value, at.argument(), at.stage.functionName);
    return false;
  }
}

std::vector<RecordWord> wordsOf(const PipelineStage& stage) {
  std::vector<RecordWord> words;
  words.reserve(stage.bindings.size());
  for (const shader::Binding& binding : stage.bindings) {
    RecordWord word{binding.kind, binding.index};
    if (binding.kind == shader::BindingKind::texture) {
      const auto type = static_cast<MTL::TextureType>(binding.textureType);
      if (type != MTL::TextureTypeTextureBuffer)
        word.demand = {toVkImageViewType(type), isMultisampleTexture(type), binding.writes};
    }
    if (binding.kind == shader::BindingKind::constantSampler)
      word.constant = stage.constantSamplers[binding.index]->slot();
    if (binding.kind == shader::BindingKind::constantData) word.constant = stage.constantData->gpuAddress();
    if (binding.kind == shader::BindingKind::functionTable) word.constant = stage.linkFamily;
    words.push_back(word);
  }
  return words;
}

// One number for each different list of words, for the life of the process.
uint64_t recordLayoutOf(const std::vector<RecordWord>& words) {
  std::vector<std::array<uint64_t, 3>> key;
  key.reserve(words.size());
  for (const RecordWord& word : words) {
    const bool ofTheShader =
        word.kind == shader::BindingKind::constantSampler || word.kind == shader::BindingKind::constantData;
    key.push_back({static_cast<uint64_t>(word.kind), ofTheShader ? 0 : word.index, word.constant});
  }
  static std::mutex s_mutex;
  static std::map<std::vector<std::array<uint64_t, 3>>, uint64_t> s_layouts;
  std::lock_guard lock(s_mutex);
  uint64_t next = s_layouts.size() + 1;
  return s_layouts.try_emplace(std::move(key), next).first->second;
}

} // namespace

base::Result<PipelineStage> PipelineStage::create(const base::Ref<vulkan::Device>& device,
                                                  std::string_view functionName,
                                                  const shader::StageBinary& binary, uint64_t linkFamily) {
  PipelineStage stage;
  stage.linkFamily = linkFamily;
  stage.functionName = functionName;
  stage.bindings = binary.bindings;
  for (const shader::ConstantSampler& sampler : binary.constantSamplers) {
    BASANITE_TRY(auto made, createSampler(device, fieldsOf(sampler), functionName));
    stage.constantSamplers.push_back(std::move(made));
  }
  if (!binary.constantData.empty()) {
    const std::vector<uint8_t>& bytes = binary.constantData;
    BASANITE_TRY(stage.constantData,
                 vulkan::Buffer::create(device, bytes.size(), vulkan::MemoryKind::deviceLocal,
                                        fmt::format("constants of {}", functionName)));
    BASANITE_TRY_VOID(
        device->hostTransfer().uploadBuffer(*stage.constantData, 0, bytes.data(), bytes.size()));
    if (std::any_of(stage.bindings.begin(), stage.bindings.end(), isLog))
      stage.logStrings = std::make_shared<const LogStrings>(
          LogStrings{stage.constantData->gpuAddress(), binary.constantData});
  }
  stage.words = wordsOf(stage);
  stage.recordLayout = recordLayoutOf(stage.words);
  return stage;
}

bool writeArgumentRecord(const PipelineStage& stage, std::string_view stageName, const ArgumentTable* table,
                         vulkan::AddressCache& addresses, vulkan::CommandPool& pool, LogRecording* log,
                         ErrorKeeper& errors, uint64_t& address) {
  address = 0;
  if (stage.words.empty()) return true;
  auto span = pool.upload(stage.words.size() * sizeof(uint64_t), alignof(uint64_t));
  if (!span) {
    errors.report(span.error().message);
    return false;
  }
  auto* out = static_cast<uint64_t*>(span->contents);
  for (size_t i = 0; i < stage.words.size(); ++i) {
    const RecordWord& word = stage.words[i];
    if (word.kind == shader::BindingKind::constantSampler || word.kind == shader::BindingKind::constantData) {
      out[i] = word.constant;
      continue;
    }
    if (isLog(stage.bindings[i])) {
      out[i] = log ? log->gpuAddress() : 0;
      if (log && stage.logStrings) log->keep(stage.logStrings);
      continue;
    }
    const Place place{stage, stageName, stage.bindings[i], errors};
    const ArgumentTable::Slot* slot = findSlot(place, table);
    if (!slot || !checkValue(place, slot->value, *table, addresses)) return false;
    out[i] = slot->value;
  }
  address = span->gpuAddress;
  return true;
}

} // namespace basanite::metal
