// SPDX-License-Identifier: Apache-2.0
// Library files for the tests of the container: their bitcode is any bytes, since the container does not look
// into it.
#pragma once

#include "src/shader/air/metallib.hpp"

#include <gtest/gtest.h>

namespace basanite::shader::air::test {

inline std::vector<uint8_t> someBitcode(size_t size, uint8_t seed) {
  std::vector<uint8_t> bytes = {'B', 'C', 0xC0, 0xDE};
  while (bytes.size() < size) bytes.push_back(static_cast<uint8_t>(seed + bytes.size() * 7));
  return bytes;
}

// A vertex function with attributes, a fragment function, a kernel with function constants.
inline std::vector<MetallibEntry> someEntries() {
  MetallibEntry vertex{"corner", MetallibKind::vertex, {2, 8},
                       {4, 0},   someBitcode(100, 1),  {{"position", 0, 5}, {"uv", 3, 4}},
                       {}};
  MetallibEntry fragment{"shade", MetallibKind::fragment, {2, 7}, {3, 2}, someBitcode(61, 2), {}, {}};
  MetallibEntry kernel{"twice<float>",
                       MetallibKind::kernel,
                       {2, 3},
                       {2, 3},
                       someBitcode(44, 3),
                       {},
                       {{"scale", 3, 7, true}, {"on", 53, 300, false}}};
  return {vertex, fragment, kernel};
}

inline std::vector<uint8_t> written(const std::vector<MetallibEntry>& entries) {
  auto file = writeMetallib(entries);
  if (file) return *file;
  ADD_FAILURE() << file.error().message;
  return {};
}

inline std::string readError(std::span<const uint8_t> bytes) {
  auto library = readMetallib(bytes);
  if (!library) return library.error().message;
  ADD_FAILURE() << "the file was read";
  return {};
}

} // namespace basanite::shader::air::test
