// SPDX-License-Identifier: Apache-2.0
// What a thread of the host does between two braces, as a record.
#pragma once

#include "src/base/host_clock.hpp"
#include "src/trace/recorder.hpp"

#include <string_view>

namespace basanite::trace {

// Records when it goes; nothing where nothing is recorded.
class Zone {
 public:
  explicit Zone(ZoneKind kind) : m_recorder(recorder()) {
    if (!m_recorder) return;
    m_record.kind = kind;
    m_record.beginHostNs = base::hostNowNs();
  }
  Zone(const Zone&) = delete;
  Zone& operator=(const Zone&) = delete;
  ~Zone() {
    if (m_recorder) finish();
  }

  // The name is kept only where something is recorded.
  void name(std::string_view text) {
    if (m_recorder) m_record.name = m_recorder->text(text);
  }
  void value(uint64_t value) { m_record.value = value; }
  void queue(uint32_t queue) { m_record.queue = queue; }
  void failed(bool failed) { m_record.failed = failed ? 1 : 0; }

 private:
  void finish() {
    m_record.endHostNs = base::hostNowNs();
    m_record.thread = Recorder::threadId();
    m_recorder->add(m_record);
  }

  Recorder* m_recorder;
  ZoneRecord m_record;
};

} // namespace basanite::trace
