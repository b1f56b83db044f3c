// SPDX-License-Identifier: Apache-2.0
// Reads chunk by chunk; a length is believed only after it was compared with the limits of the format.
#include "src/timing/recording_file.hpp"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>

namespace basanite::timing {

std::string_view RawRecord::text() const {
  const auto head = as<trace::StringRecord>();
  if (payload.size() < sizeof(head)) return {};
  const size_t length = std::min<size_t>(head.lengthBytes, payload.size() - sizeof(head));
  return {reinterpret_cast<const char*>(payload.data()) + sizeof(head), length};
}

base::Result<RecordingFile> RecordingFile::open(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rbe");
  if (!file) return base::Error{fmt::format("The file {} cannot be opened: {}.", path, std::strerror(errno))};
  RecordingFile recording(path, file);
  trace::FileHeader header;
  const size_t bytes = std::fread(&header, 1, sizeof(header), file);
  if (bytes == 0) return base::Error{fmt::format("The file {} is empty or cannot be read.", path)};
  if (std::memcmp(&header, trace::kMagic.data(), std::min(bytes, trace::kMagic.size())) != 0)
    return base::Error{fmt::format("The file {} is not a recording of Basanite.", path)};
  if (bytes < sizeof(header))
    return base::Error{fmt::format("The file {} ends after {} bytes, inside its header of {}.", path, bytes,
                                   sizeof(header))};
  if (header.version != trace::kVersion)
    return base::Error{fmt::format("The file {} is a recording of version {}; this program reads version {}.",
                                   path, header.version, trace::kVersion)};
  if (header.headerBytes < sizeof(header) || std::fseek(file, header.headerBytes, SEEK_SET) != 0)
    return base::Error{fmt::format("The file {} is damaged: its header says that it takes {} bytes.", path,
                                   header.headerBytes)};
  recording.m_offset = header.headerBytes;
  return recording;
}

bool RecordingFile::readChunk() {
  trace::ChunkHeader header;
  const size_t headerBytes = std::fread(&header, 1, sizeof(header), m_file.get());
  if (headerBytes == 0) return false;
  if (headerBytes < sizeof(header)) {
    m_fault = fmt::format("The file {} is cut off at byte {}.", m_path, m_offset + headerBytes);
    return false;
  }
  if (header.payloadBytes > trace::kMaxChunkBytes) {
    m_fault = fmt::format("The file {} is damaged at byte {}: a chunk of {} bytes, where {} are the most.",
                          m_path, m_offset, header.payloadBytes, trace::kMaxChunkBytes);
    return false;
  }
  m_chunk.resize(header.payloadBytes);
  const size_t bytes = std::fread(m_chunk.data(), 1, header.payloadBytes, m_file.get());
  m_offset += sizeof(header) + bytes;
  // What is there of the last chunk is good up to its last whole record.
  if (bytes < header.payloadBytes)
    m_fault = fmt::format("The file {} is cut off at byte {}.", m_path, m_offset);
  m_chunk.resize(bytes);
  m_thread = header.thread;
  m_at = 0;
  return true;
}

std::optional<RawRecord> RecordingFile::next() {
  while (m_at == m_chunk.size()) {
    if (!m_fault.empty() || !readChunk()) return std::nullopt;
  }
  trace::RecordHeader header{};
  const size_t left = m_chunk.size() - m_at;
  if (left >= sizeof(header)) std::memcpy(&header, &m_chunk[m_at], sizeof(header));
  const bool cut = left < sizeof(header) || header.bytes > left;
  if (cut || header.bytes < sizeof(header) || header.bytes % 8 != 0) {
    if (m_fault.empty())
      m_fault = fmt::format("The file {} is damaged at byte {}: no record fits there.", m_path,
                            m_offset - m_chunk.size() + m_at);
    m_at = m_chunk.size();
    return std::nullopt;
  }
  RawRecord record{header.kind, m_thread,
                   std::span(m_chunk).subspan(m_at + sizeof(header), header.bytes - sizeof(header))};
  m_at += header.bytes;
  m_ended |= header.kind == trace::RecordKind::end;
  return record;
}

} // namespace basanite::timing
