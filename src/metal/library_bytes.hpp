// SPDX-License-Identifier: Apache-2.0
// The bytes of library and archive files. No file, however large or of whatever kind, takes more memory than
// a library may.
#pragma once

#include "src/base/result.hpp"

#include <Metal/MTLLibrary.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace basanite::metal {

// The code of "invalid library file".
constexpr int kInvalidLibraryFile = static_cast<int>(MTL::LibraryErrorUnsupported);
constexpr uint64_t kMaxLibraryFileBytes = uint64_t(1) << 32;

class LibraryBytes {
 public:
  LibraryBytes(std::unique_ptr<uint8_t[]> bytes, size_t size) : m_bytes(std::move(bytes)), m_size(size) {}
  std::span<const uint8_t> bytes() const { return {m_bytes.get(), m_size}; }

 private:
  std::unique_ptr<uint8_t[]> m_bytes;
  size_t m_size;
};

// As many bytes as the header of the file (or of the universal file; facts/air-and-metallib.md 1.1) speaks
// of; of a file that is neither only the beginning, which is enough to say so. Any thread. Error: one
// sentence that begins with the path.
base::Result<LibraryBytes> readLibraryBytes(const std::string& path);
// All of a file; `what` is its kind, for messages: "archive". Any thread. Error: as above.
base::Result<LibraryBytes> readWholeFile(const std::string& path, std::string_view what);

} // namespace basanite::metal
