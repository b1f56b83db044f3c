// SPDX-License-Identifier: Apache-2.0
// What an example leaves behind: its folder, its text files, its picture, and the line that says how far it
// is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace examples {

// Each fails with a sentence when the file system refuses.
void makeFolder(const std::filesystem::path& folder);
void writeText(const std::filesystem::path& file, const std::string& text);
// An opaque PNG of RGBA bytes, rows without gaps.
void writePicture(const std::filesystem::path& file, const void* pixels, uint32_t width, uint32_t height);

// "WHAT n of m" on one line of a terminal, or every tenth on a line of its own elsewhere.
void showProgress(const char* what, uint32_t done, uint32_t all);

} // namespace examples
