// SPDX-License-Identifier: Apache-2.0
// Implementation of source_files.hpp.
#include "tools/basanite/source_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <iterator>

namespace basanite::tool {

namespace {

bool fits(const std::string& name, const std::vector<std::string>& extensions,
          const std::vector<std::string>& ignored) {
  for (const std::string& part : ignored)
    if (name.find(part) != std::string::npos) return false;
  for (const std::string& extension : extensions)
    if (extension == "*" || name.ends_with(extension)) return true;
  return false;
}

} // namespace

base::Result<std::vector<SourceFile>> findSources(const std::vector<std::string>& inputs,
                                                  const std::vector<std::string>& extensions,
                                                  const std::vector<std::string>& ignored) {
  namespace fs = std::filesystem;
  std::vector<SourceFile> files;
  for (const std::string& input : inputs) {
    std::error_code failure;
    if (input == "-" || fs::is_regular_file(input, failure)) {
      files.push_back({input, input == "-" ? "<stdin>" : input});
      continue;
    }
    if (!fs::is_directory(input, failure))
      return base::Error{fmt::format("There is no file or folder named {}.", input)};
    std::vector<SourceFile> found;
    auto walk =
        fs::recursive_directory_iterator(input, fs::directory_options::skip_permission_denied, failure);
    for (; !failure && walk != fs::recursive_directory_iterator(); walk.increment(failure)) {
      std::string name = walk->path().lexically_relative(input).string();
      if (walk->is_regular_file(failure) && fits(name, extensions, ignored))
        found.push_back({walk->path().string(), name});
    }
    if (found.empty())
      return base::Error{
          fmt::format("Folder {} holds no file ending in {}.", input, fmt::join(extensions, " or "))};
    std::sort(found.begin(), found.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

base::Result<std::string> readSource(const SourceFile& file) {
  if (file.path == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream stream(file.path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream.good() && !stream.eof())
    return base::Error{fmt::format("File {} could not be read.", file.path)};
  return text;
}

} // namespace basanite::tool
