// SPDX-License-Identifier: Apache-2.0
// Puts ready bitcode into a library file, for tests of modules that our own front end does not make.
// Usage: pack_metallib OUTPUT NAME:KIND:MAJOR:MINOR:FILE...   KIND is the number of the tag TYPE, the version
// that of AIR.
#include "src/shader/air/metallib.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

using basanite::shader::air::MetallibEntry;
using basanite::shader::air::MetallibKind;

int main(int count, char** arguments) {
  std::vector<MetallibEntry> entries;
  for (int i = 2; i < count; ++i) {
    std::istringstream fields(arguments[i]);
    std::string name, kind, major, minor, path;
    for (std::string* field : {&name, &kind, &major, &minor, &path}) std::getline(fields, *field, ':');
    std::ifstream file(path, std::ios::binary);
    MetallibEntry entry;
    entry.name = name;
    entry.kind = static_cast<MetallibKind>(std::atoi(kind.c_str()));
    entry.air = {static_cast<uint16_t>(std::atoi(major.c_str())),
                 static_cast<uint16_t>(std::atoi(minor.c_str()))};
    entry.bitcode.assign(std::istreambuf_iterator<char>(file), {});
    if (entry.bitcode.empty()) {
      std::fprintf(stderr, "pack_metallib: %s could not be read.\n", path.c_str());
      return 1;
    }
    entries.push_back(std::move(entry));
  }
  auto library = basanite::shader::air::writeMetallib(entries);
  if (!library) {
    std::fprintf(stderr, "pack_metallib: %s\n", library.error().message.c_str());
    return 1;
  }
  std::ofstream file(arguments[1], std::ios::binary);
  file.write(reinterpret_cast<const char*>(library->data()), static_cast<std::streamsize>(library->size()));
  return file ? 0 : 1;
}
