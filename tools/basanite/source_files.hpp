// SPDX-License-Identifier: Apache-2.0
// The sources that a command line names.
#pragma once

#include "src/base/result.hpp"

#include <string>
#include <vector>

namespace basanite::tool {

struct SourceFile {
  std::string path; // "-": standard input
  std::string name; // as shown: below a folder, relative to it
};

// Files in the order given, folders searched to the bottom in alphabetical order. Error: a path that does not
// exist, or a folder with no fitting file.
base::Result<std::vector<SourceFile>> findSources(const std::vector<std::string>& inputs,
                                                  const std::vector<std::string>& extensions,
                                                  const std::vector<std::string>& ignored);

// The whole text.
base::Result<std::string> readSource(const SourceFile& file);

} // namespace basanite::tool
