// SPDX-License-Identifier: Apache-2.0
// Implementation of library_code.hpp.
#include "src/metal/library_code.hpp"

#include "src/metal/digest.hpp"
#include "src/metal/library_bytes.hpp"

#include <algorithm>

namespace basanite::metal {

namespace {

std::string digestOf(const LibraryInterface& library) {
  if (library.includedFiles.empty()) return library.sourceDigest;
  Digest digest;
  digest.add(library.sourceDigest);
  for (const LibraryInterface::IncludedFile& file : library.includedFiles) digest.add(file.digest);
  return digest.text();
}

} // namespace

std::optional<std::string> fileDigest(const std::string& path) {
  auto bytes = readWholeFile(path, "source");
  if (!bytes) return std::nullopt;
  return Digest().add(bytes->bytes()).text();
}

bool includesUnchanged(const LibraryInterface& known) {
  return std::all_of(
      known.includedFiles.begin(), known.includedFiles.end(),
      [](const LibraryInterface::IncludedFile& file) { return fileDigest(file.path) == file.digest; });
}

LibraryCode::LibraryCode(std::string sourceDigest, shader::Program program) {
  m_interface.sourceDigest = std::move(sourceDigest);
  for (const std::string& path : program.includedFiles)
    m_interface.includedFiles.push_back({path, fileDigest(path).value_or(std::string())});
  m_interface.functions = program.functions;
  m_interface.unusable = program.unusable;
  m_interface.warnings = program.warnings;
  m_digest = digestOf(m_interface);
  m_program = std::make_shared<const shader::Program>(std::move(program));
}

LibraryCode::LibraryCode(LibraryInterface known, Make make)
    : m_interface(std::move(known)), m_digest(digestOf(m_interface)), m_make(std::move(make)),
      m_constants(std::move(m_interface.constants)) {
  m_interface.constants.clear();
}

LibraryInterface LibraryCode::interface() const {
  LibraryInterface copy = m_interface;
  std::lock_guard lock(m_mutex);
  copy.constants = m_constants;
  return copy;
}

base::Result<std::shared_ptr<const shader::Program>> LibraryCode::program() const {
  std::lock_guard lock(m_mutex);
  if (!m_program) {
    auto made = m_make();
    if (made)
      m_program = std::make_shared<const shader::Program>(std::move(made).value());
    else
      m_program = std::move(made).error();
  }
  return *m_program;
}

base::Result<FunctionConstantList> LibraryCode::functionConstants(const std::string& function,
                                                                  shader::Stage stage) const {
  {
    std::lock_guard lock(m_mutex);
    if (auto known = m_constants.find(function); known != m_constants.end()) return known->second;
  }
  BASANITE_TRY(auto needed, program());
  BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
  BASANITE_TRY(FunctionConstantList constants,
               compiler->functionConstants({needed.get(), function, {}}, stage));
  std::lock_guard lock(m_mutex);
  return m_constants.try_emplace(function, std::move(constants)).first->second;
}

} // namespace basanite::metal
