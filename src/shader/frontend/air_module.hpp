// SPDX-License-Identifier: Apache-2.0
// Gives clang's module the shape of AIR: entry functions with flat parameters, and the metadata that describes them.
#pragma once

#include "src/shader/frontend/entry.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace basanite::shader::frontend {

struct AirModuleOptions {
  std::string sourceName;
  MathMode mathMode = MathMode::fast;
  uint32_t languageMajor = 4, languageMinor = 0;
};

// Replaces each entry by a wrapper of the API's name with AIR's parameters and result; every function of the user's becomes internal.
// The visible functions that are defined elsewhere get AIR's names.
void addEntryWrappers(llvm::Module& module, const std::vector<Entry>& entries, const std::vector<FunctionReference>& references);

// The entry lists and the module-level facts. Call last: it names the functions that exist then.
void addAirMetadata(llvm::Module& module, const std::vector<Entry>& entries, const std::vector<FunctionConstant>& constants,
                    const std::vector<FunctionReference>& references, const AirModuleOptions& options);

} // namespace basanite::shader::frontend
