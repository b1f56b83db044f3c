// SPDX-License-Identifier: Apache-2.0
// MTL::LogStateDescriptor and MTL::LogState.
#include "src/metal/MTLLogState.hpp"

#include "src/base/log.hpp"
#include "src/base/shader_log.hpp"
#include "src/metal/log_format.hpp"
#include "src/metal/make_result.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <span>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace abi = base::abi;

std::optional<std::string> LogStrings::at(uint64_t where) const {
  if (where < address || where - address >= bytes.size()) return std::nullopt;
  const char* first = reinterpret_cast<const char*>(bytes.data()) + (where - address);
  return std::string(first, strnlen(first, bytes.size() - (where - address)));
}

LogRecording::LogRecording(LogState* state, base::Ref<vulkan::Buffer> buffer)
    : m_state(state), m_buffer(std::move(buffer)) {}
LogRecording::~LogRecording() { m_state->giveBack(std::move(m_buffer)); }

void LogRecording::keep(const std::shared_ptr<const LogStrings>& strings) {
  if (std::find(m_strings.begin(), m_strings.end(), strings) == m_strings.end()) m_strings.push_back(strings);
}

std::optional<std::string> LogRecording::textAt(uint64_t address) const {
  for (const auto& strings : m_strings)
    if (auto text = strings->at(address)) return text;
  return std::nullopt;
}

namespace {

const char* levelName(uint32_t level) {
  constexpr const char* kNames[] = {"", "debug", "info", "notice", "error", "fault"};
  return level < std::size(kNames) ? kNames[level] : "";
}

uint64_t addressIn(std::span<const uint32_t> line, size_t word) {
  return line[word] | static_cast<uint64_t>(line[word + 1]) << 32;
}

} // namespace

void LogRecording::deliver() {
  auto* header = static_cast<uint32_t*>(m_buffer->contents());
  const uint32_t dropped = header[abi::kLogDroppedWord];
  const auto handlers = m_state->handlers();
  std::span<const uint32_t> left(header + abi::kLogHeaderWords, header[abi::kLogCapacityWord]);
  while (!left.empty() && left[0] >= abi::kLogLineWords && left[0] <= left.size()) {
    std::span<const uint32_t> line = left.first(left[0]);
    left = left.subspan(line.size());
    std::string subsystem = textAt(addressIn(line, 2)).value_or("");
    std::string category = textAt(addressIn(line, 4)).value_or("");
    std::string text =
        formatLogLine(textAt(addressIn(line, 6)).value_or("?"), line.subspan(abi::kLogLineWords),
                      [this](uint64_t address) { return textAt(address); });
    if (handlers.empty()) {
      std::string from =
          subsystem.empty() && category.empty() ? "" : fmt::format("[{}:{}] ", subsystem, category);
      std::fputs(fmt::format("{}{}: {}\n", from, levelName(line[1]), text).c_str(), stderr);
      continue;
    }
    NS::String* strings[] = {foundation::makeAutoreleasedString(subsystem),
                             foundation::makeAutoreleasedString(category),
                             foundation::makeAutoreleasedString(text)};
    for (const auto& handler : handlers)
      handler(strings[0], strings[1], static_cast<MTL::LogLevel>(line[1]), strings[2]);
  }
  if (dropped != 0)
    base::logError(
        "{} lines that shaders logged were dropped: the log buffer of a command buffer has {} bytes "
        "(LogStateDescriptor::setBufferSize).",
        dropped, m_buffer->length());
}

base::Result<foundation::Retained<LogState>> LogState::create(Device* device,
                                                              const LogStateDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The log state descriptor is null."};
  if (descriptor->bufferSize < kLeastBytes || descriptor->bufferSize > kMostBytes)
    return base::Error{fmt::format("The buffer size of a log state is {} to {} bytes, not {}.", kLeastBytes,
                                   kMostBytes, NS::Integer(descriptor->bufferSize)),
                       static_cast<int>(MTL::LogStateErrorInvalidSize)};
  if (descriptor->level < MTL::LogLevelUndefined || descriptor->level > MTL::LogLevelFault)
    return base::Error{
        fmt::format("{} is no log level.", static_cast<int64_t>(MTL::LogLevel(descriptor->level)))};
  return foundation::Retained<LogState>::adopt(new LogState(device, *descriptor));
}

void LogState::addHandler(MTL::LogHandlerFunction handler) {
  std::lock_guard lock(m_mutex);
  m_handlers.push_back(std::move(handler));
}

std::vector<MTL::LogHandlerFunction> LogState::handlers() const {
  std::lock_guard lock(m_mutex);
  return m_handlers;
}

base::Result<std::unique_ptr<LogRecording>> LogState::record() {
  base::Ref<vulkan::Buffer> buffer;
  {
    std::lock_guard lock(m_mutex);
    if (!m_free.empty()) {
      buffer = std::move(m_free.back());
      m_free.pop_back();
    }
  }
  if (!buffer) {
    BASANITE_TRY(buffer,
                 vulkan::Buffer::create(m_device->backend, static_cast<uint64_t>(m_descriptor.bufferSize),
                                        vulkan::MemoryKind::readback, "shader log"));
  }
  auto* header = static_cast<uint32_t*>(buffer->contents());
  // Lines are recognised by their lengths: what the last recording wrote must be gone.
  const uint32_t words = static_cast<uint32_t>(m_descriptor.bufferSize / 4) - abi::kLogHeaderWords;
  const uint32_t written = std::min(header[abi::kLogUsedWord], words);
  std::memset(header, 0, (abi::kLogHeaderWords + size_t(written)) * sizeof(uint32_t));
  header[abi::kLogCapacityWord] = words;
  header[abi::kLogLevelWord] = static_cast<uint32_t>(m_descriptor.level);
  return std::make_unique<LogRecording>(this, std::move(buffer));
}

void LogState::giveBack(base::Ref<vulkan::Buffer> buffer) {
  std::lock_guard lock(m_mutex);
  m_free.push_back(std::move(buffer));
}

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::LogStateDescriptor)
BASANITE_VALUE(MTL::LogStateDescriptor, NS::Integer, bufferSize, setBufferSize)
BASANITE_VALUE(MTL::LogStateDescriptor, MTL::LogLevel, level, setLevel)

// Handlers are called on a library thread, or the queue's feedback queue, once a command buffer is done,
// before its feedback.
void MTL::LogState::addLogHandler(const MTL::LogHandlerFunction& handler) {
  if (!this) return;
  if (!handler) return reportMisuse("LogState::addLogHandler: the handler is null.");
  toImpl(this)->addHandler(handler);
}

MTL::LogState* MTL::Device::newLogState(const MTL::LogStateDescriptor* descriptor, NS::Error** error) {
  if (!this) return {};
  return orError(basanite::metal::LogState::create(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
                 "MTLLogStateErrorDomain", static_cast<NS::Integer>(MTL::LogStateErrorInvalid), error);
}
