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

  // The name is kept only where something is recorded. Value and queue are those of ZoneRecord.
  void describe(std::string_view name, uint64_t value = 0, uint32_t queue = 0) {
    if (!m_recorder) return;
    m_record.name = m_recorder->text(name);
    m_record.value = value;
    m_record.queue = queue;
  }
  // Not worth a record when it turns out to be shorter.
  void dropBelow(uint64_t lengthNs) { m_leastNs = lengthNs; }
  void failed(bool failed) { m_record.failed = failed ? 1 : 0; }

 private:
  void finish() {
    m_record.endHostNs = base::hostNowNs();
    if (m_record.endHostNs - m_record.beginHostNs < m_leastNs) return;
    m_record.thread = Recorder::threadId();
    m_recorder->add(m_record);
  }

  Recorder* m_recorder;
  ZoneRecord m_record;
  uint64_t m_leastNs = 0;
};

} // namespace basanite::trace
