// SPDX-License-Identifier: Apache-2.0
// Collects clang's diagnostics as text in terms of the user's own source and Metal's names.
#pragma once

#include "src/shader/frontend/respell.hpp"

#include <clang/Basic/Diagnostic.h>

#include <string>
#include <string_view>

namespace basanite::shader::frontend {

class UserFileSystem;

class DiagnosticText : public clang::DiagnosticConsumer {
 public:
  // Both outlive this object. `main` is the text of the main file, which has no path of its own.
  DiagnosticText(const RespelledSource& main, const UserFileSystem& files, bool color)
      : m_main(main), m_files(files), m_color(color) {}

  void BeginSourceFile(const clang::LangOptions& options, const clang::Preprocessor*) override { m_language = &options; }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override;

  const std::string& text() {
    printHeld();
    return m_text;
  }

 private:
  struct Place {
    std::string file;
    std::string_view original;
    size_t offset = 0;
    bool ours = false; // in metal_stdlib
  };
  Place placeOf(clang::SourceManager& sources, clang::SourceLocation at) const;
  void print(const char* level, const clang::Diagnostic& info, clang::SourceLocation location, const std::string& message);
  void printHeld();

  const RespelledSource& m_main;
  const UserFileSystem& m_files;
  bool m_color;
  const clang::LangOptions* m_language = nullptr;
  std::string m_text;
  // An error inside metal_stdlib waits for the note that says which line of the user's led there.
  std::string m_held;
  std::string m_heldFallback;
};

} // namespace basanite::shader::frontend
