// SPDX-License-Identifier: Apache-2.0
// What stands behind a library: what the API tells of its functions, and their program, which is made when
// the first pipeline or question needs it. A library that an open archive knows is not compiled before that.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/compiler.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::metal {

using FunctionConstantList = std::vector<shader::FunctionConstantInfo>;

// All that can be told of a library without its program; what an archive keeps of it.
struct LibraryInterface {
  struct IncludedFile {
    std::string path;
    std::string digest; // of its bytes
  };
  std::string
      sourceDigest; // of what the library was made from: the source with its options, or the file's bytes
  std::vector<IncludedFile> includedFiles;
  std::vector<shader::FunctionInfo> functions;
  std::vector<shader::UnusableFunction> unusable;
  std::string warnings;
  std::map<std::string, FunctionConstantList> constants; // of the functions that somebody asked about
};

// Of the bytes of a file; nothing where it cannot be read.
std::optional<std::string> fileDigest(const std::string& path);
// Whether the files that a library's source included are what they were.
bool includesUnchanged(const LibraryInterface& known);

// Immutable but for what it learns when asked. Thread-safe.
class LibraryCode {
 public:
  using Make = std::function<base::Result<shader::Program>()>;
  // With a program at hand.
  LibraryCode(std::string sourceDigest, shader::Program program);
  // `make` is called at most once, by the first that needs the program.
  LibraryCode(LibraryInterface known, Make make);

  const std::vector<shader::FunctionInfo>& functions() const { return m_interface.functions; }
  const std::vector<shader::UnusableFunction>& unusable() const { return m_interface.unusable; }
  const std::string& warnings() const { return m_interface.warnings; }
  // Of all that decides what the library's functions do, included files too.
  const std::string& digest() const { return m_digest; }
  const std::string& sourceDigest() const { return m_interface.sourceDigest; }
  // Dynamic libraries that the library's functions were compiled to be linked with.
  const std::vector<std::shared_ptr<const LibraryCode>>& libraries() const { return m_libraries; }
  // Before anybody else has it.
  void setLibraries(std::vector<std::shared_ptr<const LibraryCode>> libraries) {
    m_libraries = std::move(libraries);
  }
  // For archives.
  LibraryInterface interface() const;

  // Error: the compiler's, of a library that was not compiled so far.
  base::Result<std::shared_ptr<const shader::Program>> program() const;
  // The function constants that the function depends on. Error: the compiler's.
  base::Result<FunctionConstantList> functionConstants(const std::string& function,
                                                       shader::Stage stage) const;

 private:
  LibraryInterface m_interface; // its constants are guarded by m_mutex
  std::string m_digest;
  std::vector<std::shared_ptr<const LibraryCode>> m_libraries;
  Make m_make;
  mutable std::mutex m_mutex;
  mutable std::optional<base::Result<std::shared_ptr<const shader::Program>>> m_program; // guarded by m_mutex
  mutable std::map<std::string, FunctionConstantList> m_constants;                       // guarded by m_mutex
};

} // namespace basanite::metal
