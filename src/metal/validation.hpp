// SPDX-License-Identifier: Apache-2.0
// What happens on misuse of the API: MTL_DEBUG_LAYER=1 prints and aborts; else the first sentence of a
// recording is kept.
#pragma once

#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace basanite::metal {

enum class ErrorMode {
  abort,  // MTL_DEBUG_LAYER=1 alone, or MTL_DEBUG_LAYER_ERROR_MODE=assert
  print,  // nslog
  silent, // ignore, and without the layer
};

// Read again whenever a device is made, as on Apple's. Thread-safe.
void readDebugLayerSettings();
ErrorMode debugLayerMode();

// Misuse where no command buffer is at hand (argument tables, allocators, queues, heaps): goes through the
// layer, and without it to standard error, because no feedback could carry it. `message` is one sentence with
// value and limit.
void reportMisuse(std::string_view message);
template <class... Args> void reportMisuse(fmt::format_string<Args...> format, Args&&... args) {
  reportMisuse(std::string_view(fmt::format(format, std::forward<Args>(args)...)));
}

// The first error of one recording of a command buffer. One thread, as its command buffer.
class ErrorKeeper {
 public:
  enum class Mode { reports, probes };
  // One that probes keeps the message, and nobody else hears of it.
  explicit ErrorKeeper(Mode mode = Mode::reports) : m_mode(mode) {}
  // Goes through the layer; the first message since clear() is kept.
  void report(std::string_view message);
  template <class... Args> void report(fmt::format_string<Args...> format, Args&&... args) {
    report(std::string_view(fmt::format(format, std::forward<Args>(args)...)));
  }
  void clear() { m_message.clear(); }
  // From here on reports come from this command of an indirect command buffer, whose label outlives that;
  // until endCommand().
  void beginCommand(std::string_view bufferLabel, uint64_t index) {
    m_bufferLabel = bufferLabel;
    m_command = index;
  }
  void endCommand() { m_command.reset(); }
  bool failed() const { return !m_message.empty(); }
  const std::string& message() const { return m_message; }

 private:
  Mode m_mode;
  std::string m_message;
  std::string_view m_bufferLabel;
  std::optional<uint64_t> m_command;
};

} // namespace basanite::metal
