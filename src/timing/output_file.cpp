// SPDX-License-Identifier: Apache-2.0
// Files through zlib, which also writes plain ones.
#include "src/timing/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>
#include <zlib.h>

namespace basanite::timing {

base::Result<OutputFile> OutputFile::create(const std::string& path, Form form) {
  errno = 0;
  gzFile file = gzopen(path.c_str(), form == Form::gzip ? "wb6" : "wbT");
  if (!file)
    return base::Error{
        fmt::format("The file {} cannot be written: {}.", path, std::strerror(errno != 0 ? errno : ENOMEM))};
  gzbuffer(file, 1 << 18);
  return OutputFile(path, file);
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)), m_file(std::exchange(other.m_file, nullptr)),
      m_systemError(other.m_systemError), m_failed(other.m_failed) {}

OutputFile::~OutputFile() {
  if (!m_file) return;
  gzclose(m_file);
  std::remove(m_path.c_str());
}

void OutputFile::fail() {
  m_failed = true;
  m_systemError = errno;
}

void OutputFile::write(std::string_view bytes) {
  constexpr size_t kMostAtOnce = 1 << 30;
  while (!bytes.empty() && !m_failed) {
    const auto part = static_cast<unsigned>(std::min(bytes.size(), kMostAtOnce));
    errno = 0;
    if (gzwrite(m_file, bytes.data(), part) != static_cast<int>(part)) return fail();
    bytes.remove_prefix(part);
  }
}

base::Result<void> OutputFile::finish() {
  errno = 0;
  if (gzclose(std::exchange(m_file, nullptr)) != Z_OK && !m_failed) fail();
  if (!m_failed) return {};
  std::remove(m_path.c_str());
  return base::Error{
      fmt::format("The file {} could not be written to its end: {}.", m_path,
                  m_systemError != 0 ? std::strerror(m_systemError) : "it could not be compressed")};
}

base::Result<void> writeFile(const std::string& path, std::string_view bytes) {
  BASANITE_TRY(OutputFile file, OutputFile::create(path, OutputFile::Form::plain));
  file.write(bytes);
  return file.finish();
}

std::string gzipped(std::string_view bytes) {
  constexpr int kGzipWindow = 15 + 16; // the largest window, in gzip's wrapping
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzipWindow, 9, Z_DEFAULT_STRATEGY) != Z_OK) return {};
  std::string result;
  char block[1 << 16];
  int state = Z_OK;
  do {
    if (stream.avail_in == 0) {
      const size_t part = std::min<size_t>(bytes.size(), 1 << 30);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      stream.avail_in = static_cast<uInt>(part);
      bytes.remove_prefix(part);
    }
    stream.next_out = reinterpret_cast<Bytef*>(block);
    stream.avail_out = sizeof(block);
    state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(block, sizeof(block) - stream.avail_out);
  } while (state == Z_OK || state == Z_BUF_ERROR);
  deflateEnd(&stream);
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t bits = 0;
    for (size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0);
    for (size_t j = 0; j < 4; ++j) text += j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

} // namespace basanite::timing
