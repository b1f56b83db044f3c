// SPDX-License-Identifier: Apache-2.0
// Writes recordings record by record, for tests of what reads them.
#pragma once

#include "src/trace/format.hpp"

#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace basanite::timing::test {

class RecordingBuilder {
 public:
  RecordingBuilder() { put(trace::FileHeader{}); }

  // The records that follow are one thread's.
  void chunk(uint32_t thread) {
    close();
    m_chunkAt = m_bytes.size();
    put(trace::ChunkHeader{thread, 0});
  }
  template <class T> void add(const T& record) {
    put(trace::RecordHeader{T::kKind, uint16_t(sizeof(trace::RecordHeader) + sizeof(T)), 0});
    put(record);
  }
  // Ids go up from 1.
  trace::StringId text(std::string_view text) {
    const size_t padded = (text.size() + 7) / 8 * 8;
    put(trace::RecordHeader{trace::RecordKind::string,
                            uint16_t(sizeof(trace::RecordHeader) + sizeof(trace::StringRecord) + padded), 0});
    put(trace::StringRecord{++m_strings, uint32_t(text.size())});
    m_bytes += text;
    m_bytes.append(padded - text.size(), '\0');
    return m_strings;
  }
  void raw(std::string_view bytes) { m_bytes += bytes; }

  // The file so far.
  const std::string& bytes() {
    close();
    return m_bytes;
  }
  void write(const std::string& path) { writeBytes(path, bytes()); }
  static void writeBytes(const std::string& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }

 private:
  template <class T> void put(const T& value) {
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void close() {
    if (m_chunkAt == 0) return;
    const auto payload = uint32_t(m_bytes.size() - m_chunkAt - sizeof(trace::ChunkHeader));
    std::memcpy(&m_bytes[m_chunkAt + offsetof(trace::ChunkHeader, payloadBytes)], &payload, sizeof(payload));
    m_chunkAt = 0;
  }

  std::string m_bytes;
  size_t m_chunkAt = 0; // 0: none is open
  trace::StringId m_strings = 0;
};

} // namespace basanite::timing::test
