// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLLogState.hpp: where the lines go that shaders log.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/property.hpp"
#include "src/vulkan/buffer.hpp"

#include <Metal/MTLLogState.hpp>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace basanite::metal {

struct LogStateDescriptorFields {
  MTL::LogLevel level = MTL::LogLevelUndefined; // the least that is written; Undefined: every one
  NS::Integer bufferSize = 1 << 20;             // bytes for the lines of one command buffer
};
class LogStateDescriptor final : public PropertyBag<LogStateDescriptor, LogStateDescriptorFields> {
 public:
  const char* className() const override { return "MTLLogStateDescriptor"; }
};

// The strings that a pipeline's stage may log: its constant data, by GPU address.
struct LogStrings {
  uint64_t address = 0;
  std::vector<uint8_t> bytes;
  std::optional<std::string> at(uint64_t where) const;
};

class LogState;

// What one recording of a command buffer logs. One thread at a time.
class LogRecording {
 public:
  LogRecording(LogState* state, base::Ref<vulkan::Buffer> buffer);
  ~LogRecording();
  uint64_t gpuAddress() const { return m_buffer->gpuAddress(); }
  // Pipelines may be gone when the lines are read.
  void keep(const std::shared_ptr<const LogStrings>& strings);
  // Hands the lines to the handlers. Once the GPU is done with the recording.
  void deliver();

 private:
  std::optional<std::string> textAt(uint64_t address) const;

  foundation::Retained<LogState> m_state;
  base::Ref<vulkan::Buffer> m_buffer;
  std::vector<std::shared_ptr<const LogStrings>> m_strings;
};

// Thread-safe.
class LogState final : public foundation::Object {
 public:
  static constexpr NS::Integer kLeastBytes = 1 << 10, kMostBytes = 1 << 30;
  // Error: a buffer size or a level that is none, with the limits.
  static base::Result<foundation::Retained<LogState>> create(Device* device,
                                                             const LogStateDescriptor* descriptor);
  const char* className() const override { return "MTLLogState"; }

  void addHandler(MTL::LogHandlerFunction handler);
  // In the order of their adding; without any the lines go to standard error.
  std::vector<MTL::LogHandlerFunction> handlers() const;

  // An empty buffer for a recording. Error: out of memory.
  base::Result<std::unique_ptr<LogRecording>> record();
  void giveBack(base::Ref<vulkan::Buffer> buffer);

 private:
  LogState(Device* owner, const LogStateDescriptorFields& descriptor)
      : m_device(owner), m_descriptor(descriptor) {}

  foundation::Retained<Device> m_device;
  const LogStateDescriptorFields m_descriptor;
  mutable std::mutex m_mutex;
  std::vector<MTL::LogHandlerFunction> m_handlers; // guarded by m_mutex
  std::vector<base::Ref<vulkan::Buffer>> m_free;   // guarded by m_mutex
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::LogStateDescriptor, basanite::metal::LogStateDescriptor)
BASANITE_BRIDGE(MTL::LogState, basanite::metal::LogState)
