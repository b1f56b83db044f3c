// SPDX-License-Identifier: Apache-2.0
// A file that is written front to back, compressed or not; and text compressed in memory.
#pragma once

#include "src/base/result.hpp"

#include <string>
#include <string_view>

struct gzFile_s;

namespace basanite::timing {

// One thread. A file that could not be written to its end, or was never finished, is removed.
class OutputFile {
 public:
  enum class Form { plain, gzip };

  // Replaces a file that is there. Error, a sentence: it cannot be made.
  static base::Result<OutputFile> create(const std::string& path, Form form);
  OutputFile(OutputFile&& other) noexcept;
  OutputFile& operator=(OutputFile&&) = delete;
  ~OutputFile();

  // Errors are kept for finish().
  void write(std::string_view bytes);
  // Once. Error, a sentence: not everything could be written, for one because the disk is full.
  base::Result<void> finish();

 private:
  OutputFile(std::string path, gzFile_s* file) : m_path(std::move(path)), m_file(file) {}
  void fail();

  std::string m_path;
  gzFile_s* m_file; // null once it is finished or moved away
  int m_systemError = 0;
  bool m_failed = false;
};

// The whole text into a file. Error as above.
base::Result<void> writeFile(const std::string& path, std::string_view bytes);

// In gzip's format.
std::string gzipped(std::string_view bytes);

// RFC 4648, with padding.
std::string base64(std::string_view bytes);

} // namespace basanite::timing
