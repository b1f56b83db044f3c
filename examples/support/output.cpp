// SPDX-License-Identifier: Apache-2.0
// Writes files and progress.
#include "examples/support/output.hpp"

#include "examples/support/failure.hpp"

#include <cstdio>
#include <fstream>

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

namespace examples {

void makeFolder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail(fmt::format("cannot make the folder '{}': {}.", folder.string(), error.message()));
}

void writeText(const std::filesystem::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) fail(fmt::format("cannot write '{}'.", file.string()));
}

void writePicture(const std::filesystem::path& file, const void* pixels, uint32_t width, uint32_t height) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&image, file.c_str(), 0, pixels, 0, nullptr))
    fail(fmt::format("cannot write '{}': {}.", file.string(), image.message));
}

void showProgress(const char* what, uint32_t done, uint32_t all) {
  constexpr uint32_t kPerLine = 10;
  static const bool kTerminal = isatty(STDOUT_FILENO) != 0;
  if (kTerminal)
    fmt::print("\r{} {} of {}{}", what, done, all, done == all ? "\n" : "");
  else if (done % kPerLine == 0 || done == all)
    fmt::print("{} {} of {}\n", what, done, all);
  std::fflush(stdout);
}

} // namespace examples
