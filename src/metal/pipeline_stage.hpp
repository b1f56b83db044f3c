// SPDX-License-Identifier: Apache-2.0
// One shader stage of a pipeline as the encoders see it: which arguments it reads, in the order of its
// record, and what belongs to the shader itself: constexpr samplers and constant tables.
#pragma once

#include "src/metal/MTL4ArgumentTable.hpp"
#include "src/metal/validation.hpp"
#include "src/shader/compiler.hpp"
#include "src/vulkan/address_map.hpp"
#include "src/vulkan/buffer.hpp"
#include "src/vulkan/command_pool.hpp"
#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/sampler.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::metal {

class LogRecording;
struct LogStrings;

// How a word of a stage's record comes about: what an encoder looks at for each draw.
struct RecordWord {
  shader::BindingKind kind = shader::BindingKind::buffer;
  uint32_t index = 0;           // of the argument table's slots of that kind
  vulkan::ImageDemand demand{}; // of a texture
  uint64_t constant =
      0; // the word itself, for what belongs to the shader; of a function table, whose it may be
};

struct PipelineStage {
  std::string functionName;
  std::vector<shader::Binding> bindings;
  std::vector<base::Ref<vulkan::Sampler>> constantSamplers; // of the shader's constexpr samplers
  base::Ref<vulkan::Buffer> constantData;                   // its program-scope tables; null without any
  std::shared_ptr<const LogStrings> logStrings; // the same bytes, of a function that logs; else null
  std::vector<RecordWord> words;                // one a binding
  // Never 0. Equal for stages whose records of one table are equal: same bindings in the same order, same
  // constexpr samplers and constant data.
  uint64_t recordLayout = 0;
  uint64_t linkFamily = 0; // StageLinks::family; 0: the stage is linked with nothing

  // Error: a constexpr sampler that the device cannot make; no memory for the tables.
  static base::Result<PipelineStage> create(const base::Ref<vulkan::Device>& device,
                                            std::string_view functionName, const shader::StageBinary& binary,
                                            uint64_t linkFamily = 0);
  // Calls `hold` with each object that the GPU needs for as long as it runs the stage.
  template <class Hold> void forEachObject(Hold hold) const {
    for (const auto& sampler : constantSamplers) hold(sampler.get());
    if (constantData) hold(constantData.get());
  }
};

// The words where each is what it should be; false where one is not as simple as that.
inline bool writeUsualWords(const std::vector<RecordWord>& words, const ArgumentTable& table,
                            vulkan::AddressCache& addresses, uint64_t* out) {
  const auto find = [](const std::vector<ArgumentTable::Slot>& slots, uint32_t index, uint64_t& value) {
    if (index >= slots.size() || !slots[index].set) return false;
    value = slots[index].value;
    return true;
  };
  for (const RecordWord& word : words) {
    uint64_t value = word.constant;
    if (word.kind == shader::BindingKind::buffer) {
      if (!find(table.buffers, word.index, value) || value == 0 || !addresses.contains(value)) return false;
    } else if (word.kind == shader::BindingKind::texture) {
      if (!find(table.textures, word.index, value) ||
          !table.device->backend->descriptorHeap().meets(value, word.demand))
        return false;
    } else if (word.kind == shader::BindingKind::sampler) {
      if (!find(table.samplers, word.index, value) ||
          !table.device->backend->descriptorHeap().samplerLive(value))
        return false;
    } else if (word.kind == shader::BindingKind::functionTable) {
      return false;
    }
    *out++ = value;
  }
  return true;
}

// The stage's argument record (src/base/shader_abi.hpp): a snapshot of what it reads from `table`, written to
// the pool's upload memory; its address, which is 0 for a stage without arguments. `log`: where the
// recording's lines go; may be null. False when the draw or dispatch must not run: the reason (no table,
// table too small, slot never set, a value that is no buffer's, texture's or sampler's, a texture that the
// function cannot use so), with stage, kind, index and value, has then been reported.
bool writeArgumentRecord(const PipelineStage& stage, std::string_view stageName, const ArgumentTable* table,
                         vulkan::AddressCache& addresses, vulkan::CommandPool& pool, LogRecording* log,
                         ErrorKeeper& errors, uint64_t& address);
// The same in a few instructions where there is nothing to report; false leaves it to writeArgumentRecord().
inline bool writeUsualRecord(const PipelineStage& stage, const ArgumentTable* table,
                             vulkan::AddressCache& addresses, vulkan::CommandPool& pool, uint64_t& address) {
  vulkan::UploadSpan span;
  if (!table || stage.words.empty() ||
      !pool.uploadAtHand(stage.words.size() * sizeof(uint64_t), alignof(uint64_t), span) ||
      !writeUsualWords(stage.words, *table, addresses, static_cast<uint64_t*>(span.contents)))
    return false;
  address = span.gpuAddress;
  return true;
}

// The argument table set for a stage, and what its last record was made from; equal values make an equal
// record.
struct StageArguments {
  foundation::Retained<ArgumentTable> table;
  uint64_t recordedLayout = 0; // 0: there is no record yet
  uint64_t recordedVersion = 0;
  uint64_t version() const { return table ? table->version : 0; }
  bool isCurrent() const {
    return recordedVersion == version();
  } // a record of the same layout would be equal
  bool recorded(const PipelineStage& stage) const {
    return recordedVersion == version() && recordedLayout == stage.recordLayout;
  }
};

} // namespace basanite::metal
