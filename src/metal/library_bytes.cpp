// SPDX-License-Identifier: Apache-2.0
// Implementation of library_bytes.hpp.
#include "src/metal/library_bytes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace basanite::metal {

namespace {

constexpr int kUnreadable = static_cast<int>(MTL::LibraryErrorFileNotFound);
// Enough for the header of a container, and for that of a universal file with more slices than there are
// GPUs.
constexpr size_t kBeginBytes = 4096;
constexpr size_t kUniversalHeaderBytes = 8, kSliceBytes = 20;

class File {
 public:
  // Without waiting for a writer where it is a pipe.
  explicit File(const std::string& path)
      : m_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~File() {
    if (m_descriptor >= 0) ::close(m_descriptor);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  // The size of a file that can be read from end to end. Error: there is none, or it is of another kind.
  base::Result<uint64_t> regularSize(const std::string& path, std::string_view what) const;
  // All of `target`, from byte `at` of the file on; false: errno says why, or is 0 where the file ends
  // before.
  bool read(std::span<uint8_t> target, uint64_t at) const {
    while (!target.empty()) {
      errno = 0;
      ssize_t count = ::pread(m_descriptor, target.data(), target.size(), static_cast<off_t>(at));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      target = target.subspan(static_cast<size_t>(count));
      at += static_cast<uint64_t>(count);
    }
    return true;
  }

 private:
  int m_descriptor;
};

// errno says why; 0 where the file ends too early.
base::Error unreadable(const std::string& path, std::string_view what) {
  return base::Error{fmt::format("{}: the {} file could not be read: {}.", path, what,
                                 errno ? std::strerror(errno) : "it ends too early"),
                     kUnreadable};
}

base::Result<uint64_t> File::regularSize(const std::string& path, std::string_view what) const {
  struct stat state = {};
  if (m_descriptor < 0 || ::fstat(m_descriptor, &state) != 0) return unreadable(path, what);
  if (S_ISDIR(state.st_mode))
    return base::Error{
        fmt::format("{}: this is a folder, not {} {} file.", path, what == "archive" ? "an" : "a", what),
        kUnreadable};
  if (!S_ISREG(state.st_mode))
    return base::Error{fmt::format("{}: this is a pipe or a device, not {} {} file.", path,
                                   what == "archive" ? "an" : "a", what),
                       kUnreadable};
  return static_cast<uint64_t>(state.st_size);
}

// The first `size` bytes.
base::Result<LibraryBytes> readBytes(const File& file, const std::string& path, std::string_view what,
                                     uint64_t size) {
  if (size > kMaxLibraryFileBytes)
    return base::Error{fmt::format("{}: The {} has {} bytes, but one of at most {} can be opened.", path,
                                   what, size, kMaxLibraryFileBytes),
                       kInvalidLibraryFile};
  std::unique_ptr<uint8_t[]> bytes(new (std::nothrow) uint8_t[size]);
  if (!bytes)
    return base::Error{fmt::format("{}: there is no memory for the {} bytes of the {}.", path, size, what),
                       kInvalidLibraryFile};
  if (!file.read({bytes.get(), static_cast<size_t>(size)}, 0)) return unreadable(path, what);
  return LibraryBytes(std::move(bytes), static_cast<size_t>(size));
}

uint64_t bigAt(std::span<const uint8_t> bytes, size_t offset) {
  uint64_t value = 0;
  for (size_t i = 0; i < 4; ++i) value = value << 8 | bytes[offset + i];
  return value;
}

// How long the file is by its own account; `begin` has its first bytes.
uint64_t statedBytes(std::span<const uint8_t> begin, uint64_t fileBytes) {
  constexpr size_t kSizeAt = 16;
  if (begin.size() >= kSizeAt + 8 && std::equal(begin.begin(), begin.begin() + 4, "MTLB")) {
    uint64_t size = 0;
    for (size_t i = 8; i > 0; --i) size = size << 8 | begin[kSizeAt + i - 1];
    return size;
  }
  if (begin.size() < kUniversalHeaderBytes || bigAt(begin, 0) != 0xCAFEBABE) return begin.size();
  uint64_t count = bigAt(begin, 4), end = begin.size();
  if (count > (begin.size() - kUniversalHeaderBytes) / kSliceBytes) return fileBytes;
  for (uint64_t i = 0; i < count; ++i) {
    size_t row = kUniversalHeaderBytes + i * kSliceBytes;
    end = std::max(end, bigAt(begin, row + 8) + bigAt(begin, row + 12));
  }
  // A slice that goes past the end is for the reader to name.
  return std::min(end, fileBytes);
}

} // namespace

base::Result<LibraryBytes> readLibraryBytes(const std::string& path) {
  File file(path);
  BASANITE_TRY(uint64_t fileBytes, file.regularSize(path, "library"));
  std::array<uint8_t, kBeginBytes> room;
  std::span<uint8_t> begin(room.data(), static_cast<size_t>(std::min<uint64_t>(fileBytes, room.size())));
  if (!file.read(begin, 0)) return unreadable(path, "library");
  uint64_t size = statedBytes(begin, fileBytes);
  if (size > fileBytes)
    return base::Error{fmt::format("{}: The library file is damaged: its header says that it has {} bytes, "
                                   "but there are {}.",
                                   path, size, fileBytes),
                       kInvalidLibraryFile};
  // A header that says less than there must be is for the reader to name.
  return readBytes(file, path, "library", std::max<uint64_t>(size, begin.size()));
}

base::Result<LibraryBytes> readWholeFile(const std::string& path, std::string_view what) {
  File file(path);
  BASANITE_TRY(uint64_t fileBytes, file.regularSize(path, what));
  return readBytes(file, path, what, fileBytes);
}

} // namespace basanite::metal
