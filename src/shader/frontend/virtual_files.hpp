// SPDX-License-Identifier: Apache-2.0
// The files that clang sees: the user's, respelled, over our own metal_stdlib, which exists in memory only.
#pragma once

#include "src/shader/frontend/respell.hpp"

#include <llvm/Support/VirtualFileSystem.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::shader::frontend {

constexpr const char* kStandardLibraryFolder = "/metal";
constexpr const char* kPreludePath = "/metal/prelude.h";
constexpr const char* kOptionsPath = "/metal/options.h"; // the macros of one compile
constexpr const char* kPchPath = "/metal/prelude.pch";

// The embedded PCH; empty in the tool that makes it.
std::string_view embeddedPch();

// One per compile; not thread-safe. Owns the respelled texts for as long as diagnostics may ask for them.
class UserFileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  explicit UserFileSystem(Respelling how = {});

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;

  // The text behind a path that was opened; nullptr for our own headers.
  const RespelledSource* find(const std::string& path) const;
  // The user's files that were read, in alphabetical order.
  std::vector<std::string> opened() const;

 private:
  const RespelledSource* load(const std::string& path);

  std::map<std::string, std::unique_ptr<RespelledSource>> m_sources;
  const Respelling m_how;
};

} // namespace basanite::shader::frontend
