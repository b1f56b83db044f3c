// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4CommandBuffer.hpp: a recording, its encoders and its first error.
#pragma once

#include "src/metal/MTL4CommandAllocator.hpp"
#include "src/metal/MTL4Counters.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/MTLIndirectCommandBuffer.hpp"
#include "src/metal/MTLLogState.hpp"
#include "src/metal/MTLResidencySet.hpp"
#include "src/metal/property.hpp"
#include "src/metal/render_pass.hpp"
#include "src/metal/trace_recording.hpp"
#include "src/metal/validation.hpp"
#include "src/vulkan/address_map.hpp"
#include "src/vulkan/command_buffer.hpp"
#include "src/vulkan/timestamp_recorder.hpp"

#include <Metal/MTL4CommandBuffer.hpp>
#include <Metal/MTLGPUAddress.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace basanite::metal {

class CommandEncoder4;
class CounterHeap;
class Fence;

// What the GPU still needs of a recording until it has run; the app may drop all of it after the commit.
struct HeldObjects {
  std::vector<base::Ref<base::RefCounted>> objects;
  void add(base::RefCounted* object) {
    if (objects.empty() || objects.back().get() != object) addOther(object);
  }

 private:
  void addOther(base::RefCounted* object) {
    // Objects that take turns are held once: the last few are looked at.
    constexpr size_t kLast = 4;
    const size_t count = objects.size();
    for (size_t back = 2; back <= std::min(kLast, count); ++back)
      if (objects[count - back].get() == object) return;
    objects.emplace_back(object);
  }
};

struct CommandBufferOptions4Fields {
  Strong<MTL::LogState> logState;
};
class CommandBufferOptions4 final : public PropertyBag<CommandBufferOptions4, CommandBufferOptions4Fields> {
 public:
  const char* className() const override { return "MTL4CommandBufferOptions"; }
};

// One thread at a time.
class CommandBuffer4 final : public foundation::Object {
 public:
  explicit CommandBuffer4(Device* owner);
  ~CommandBuffer4() override;
  const char* className() const override { return "MTL4CommandBuffer"; }

  enum class State : uint8_t { fresh, recording, ended, committed };

  // Keeps the sentence for the commit's feedback while there is a recording to commit; else it is misuse at
  // large.
  template <class... Args> void report(fmt::format_string<Args...> format, Args&&... args) {
    std::string message = fmt::format(format, std::forward<Args>(args)...);
    if (state == State::recording || state == State::ended)
      errors.report(std::string_view(message));
    else
      reportMisuse(std::string_view(message));
  }
  // False, with the report, when there is no recording for `method` to add to.
  bool isRecording(const char* method);
  // The recording may take commands from `method`, none of an open encoder: else reported, and false.
  bool canEncode(const char* method);
  // The same for a new encoder, which may not follow one that suspended or resumed its pass.
  bool canOpenEncoder(const char* method);
  // `logState`: takes what shaders log; may be null.
  void begin(CommandAllocator* allocator, LogState* logState);
  void end();
  // Called by an encoder when it ends.
  void encoderEnded(CommandEncoder4* encoder);
  // Keeps a reference for as long as the recording lives: encoders are handed out autoreleased.
  void adoptEncoder(foundation::Retained<CommandEncoder4> encoder);
  bool hasEncoders() const { return !m_encoders.empty(); }
  // Writes a stamp that is complete when everything encoded so far is, an open encoder's commands included.
  void stamp(const char* method, const MTL4::CounterHeap* heap, NS::UInteger index);
  // The heap's entry as the place of a stamp; nothing when it was reported.
  std::optional<vulkan::StampTarget> stampTarget(const char* method, const MTL4::CounterHeap* heap,
                                                 NS::UInteger index) {
    // Programs stamp every draw: what a legal stamp needs is inline.
    vulkan::CounterHeap* backend = heap ? foundation::toImpl(heap)->backend.get() : nullptr;
    if (!backend || &backend->device() != device->backend.get() || index >= backend->count()) [[unlikely]] {
      refuseStamp(method, heap, index);
      return std::nullopt;
    }
    held.add(backend);
    return vulkan::StampTarget{backend, static_cast<uint32_t>(index)};
  }
  // Where `lengthBytes` of indirect arguments lie; nothing when it was reported.
  std::optional<vulkan::BufferLocation> findArguments(const char* method, MTL::GPUAddress address,
                                                      NS::UInteger lengthBytes);
  // The CPU must leave the commands as they are until the commit, which has taken them now.
  void noteExecution(IndirectCommandBuffer* buffer, const NS::Range& range);
  // Called by the queue at the commit: reports commands that were changed after their execution was encoded.
  void checkExecutions();
  // Called by the queue when the recording has been handed over.
  void markCommitted();

  foundation::Retained<Device> device;
  base::Ref<vulkan::CommandBuffer> backend;
  vulkan::TimestampRecorder timestamps;
  std::unique_ptr<RecordingTrace> trace; // of this recording, until its commit; null: nothing is recorded
  ErrorKeeper errors;
  HeldObjects held;
  vulkan::AddressCache addresses;                                // of the device
  std::vector<IndirectExpansion> expansions;                     // of this recording
  std::vector<foundation::Retained<ResidencySet>> residencySets; // of this recording
  Copied<NS::String> label;
  foundation::Retained<CommandAllocator> allocator; // of this recording
  std::unique_ptr<LogRecording> log;                // of this recording; null: what shaders log goes nowhere
  State state = State::fresh;
  // A pass that goes on over several command buffers of one commit: the first encoder resumes it, the last
  // suspends it.
  std::optional<PassShape> resumedPass, suspendedPass;
  // The visibility results of the last render encoder by offset, until the commit has tied the parts of a
  // pass together.
  std::map<uint64_t, vulkan::VisibilityEntry*> visibility;
  // False when Vulkan refused to end the recording, so there is nothing to submit.
  bool submittable = false;

 private:
  void forgetRecording();
  void refuseStamp(const char* method, const MTL4::CounterHeap* heap, NS::UInteger index);

  CommandEncoder4* m_openEncoder = nullptr;
  std::vector<IndirectExecution> m_executions;
  std::vector<foundation::Retained<CommandEncoder4>> m_encoders;
  uint32_t m_debugGroupDepth = 0;

  friend class ::MTL4::CommandBuffer;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CommandBufferOptions, basanite::metal::CommandBufferOptions4)
BASANITE_BRIDGE(MTL4::CommandBuffer, basanite::metal::CommandBuffer4)
