// SPDX-License-Identifier: Apache-2.0
// Reads a file that BASANITE_TRACE wrote, record by record in constant memory.
#pragma once

#include "src/base/result.hpp"
#include "src/trace/format.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

// A record as it lies in the file; valid until the next one is read.
struct RawRecord {
  trace::RecordKind kind{};
  uint32_t thread = 0;                // whose chunk it is in
  std::span<const std::byte> payload; // without its header

  // The record's fields; those that an older writer did not know keep their defaults.
  template <class T> T as() const {
    T value;
    std::memcpy(static_cast<void*>(&value), payload.data(),
                payload.size() < sizeof(T) ? payload.size() : sizeof(T));
    return value;
  }
  // The text of a StringRecord; as much as is there.
  std::string_view text() const;
};

// One thread. Any bytes are safe to read.
class RecordingFile {
 public:
  // Error, a sentence: cannot be opened, is empty, not a recording, of another version (both named).
  static base::Result<RecordingFile> open(const std::string& path);

  // The next record; nothing at the end, after which fault() and ended() say how it ended.
  std::optional<RawRecord> next();

  // Why reading stopped before the end of the file, a sentence; empty when it did not.
  const std::string& fault() const { return m_fault; }
  // An EndRecord has been read: the program ended in good order.
  bool ended() const { return m_ended; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  RecordingFile(std::string path, std::FILE* file) : m_path(std::move(path)), m_file(file) {}
  bool readChunk();

  std::string m_path;
  std::unique_ptr<std::FILE, Close> m_file;
  std::vector<std::byte> m_chunk;
  uint32_t m_thread = 0;
  size_t m_at = 0;       // in m_chunk
  uint64_t m_offset = 0; // of the next chunk in the file
  std::string m_fault;
  bool m_ended = false;
};

} // namespace basanite::timing
