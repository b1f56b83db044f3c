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
#include "src/vulkan/sampler.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::metal {

class LogRecording;
struct LogStrings;

struct PipelineStage {
  std::string functionName;
  std::vector<shader::Binding> bindings;
  std::vector<base::Ref<vulkan::Sampler>> constantSamplers; // of the shader's constexpr samplers
  base::Ref<vulkan::Buffer> constantData;                   // its program-scope tables; null without any
  std::shared_ptr<const LogStrings> logStrings; // the same bytes, of a function that logs; else null
  // Never 0. Equal for stages whose records of one table are equal: same bindings in the same order, same
  // constexpr samplers and constant data.
  uint64_t recordLayout = 0;

  // Error: a constexpr sampler that the device cannot make; no memory for the tables.
  static base::Result<PipelineStage> create(const base::Ref<vulkan::Device>& device,
                                            std::string_view functionName, const shader::StageBinary& binary);
  // Calls `hold` with each object that the GPU needs for as long as it runs the stage.
  template <class Hold> void forEachObject(Hold hold) const {
    for (const auto& sampler : constantSamplers) hold(sampler.get());
    if (constantData) hold(constantData.get());
  }
};

// The stage's argument record (src/base/shader_abi.hpp): a snapshot of what it reads from `table`, written to
// the pool's upload memory. `log`: where the recording's lines go; may be null. 0 for a stage without
// arguments. Nothing when the draw or dispatch must not run: the reason (no table, table too small, slot
// never set, a value that is no buffer's, texture's or sampler's, a texture that the function cannot use so),
// with stage, kind, index and value, has then been reported.
std::optional<uint64_t> writeArgumentRecord(const PipelineStage& stage, std::string_view stageName,
                                            const ArgumentTable* table, vulkan::AddressCache& addresses,
                                            vulkan::CommandPool& pool, LogRecording* log,
                                            ErrorKeeper& errors);

// The argument table set for a stage, and what its last record was made from; equal values make an equal
// record.
struct StageArguments {
  foundation::Retained<ArgumentTable> table;
  uint64_t recordedLayout = 0; // 0: there is no record yet
  uint64_t recordedVersion = 0;
  uint64_t version() const { return table ? table->version : 0; }
  bool recorded(const PipelineStage& stage) const {
    return recordedVersion == version() && recordedLayout == stage.recordLayout;
  }
};

} // namespace basanite::metal
