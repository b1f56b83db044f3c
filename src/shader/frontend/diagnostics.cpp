// SPDX-License-Identifier: Apache-2.0
// Implementation of diagnostics.hpp.
#include "src/shader/frontend/diagnostics.hpp"

#include "src/shader/frontend/virtual_files.hpp"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

namespace {

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// clang names address spaces in OpenCL's words.
std::string inMetalWords(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"const __generic ", "constant "}, {"__generic const ", "constant "}, {"__generic ", ""},  {"'__generic'", "'constant'"},
      {"__global", "device"},            {"__local", "threadgroup"},        {"__private", "thread"}, {"metal::", ""},
      {"__constant", "constant"},          {" requires cl_khr_fp64 and __opencl_c_fp64 support", " is not possible in Metal"},        {"C++ for OpenCL version 2021", "Metal"},  {"C++ for OpenCL", "Metal"},  {"OpenCL C++", "Metal"},
      {"OpenCL", "Metal"}};
  for (auto [from, to] : kWords) replaceAll(text, from, to);
  return text;
}

} // namespace

void DiagnosticText::HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) {
  using Level = clang::DiagnosticsEngine::Level;
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (level == Level::Ignored || level == Level::Remark) return;
  const char* name = level == Level::Note ? "note" : level == Level::Warning ? "warning" : "error";
  llvm::SmallString<256> message;
  info.FormatDiagnostic(message);
  std::string words = inMetalWords(std::string(message));
  clang::SourceLocation location = info.getLocation();
  if (!location.isValid() || !info.hasSourceManager()) {
    m_text += fmt::format("{}: {}\n", name, words);
    return;
  }
  Place place = placeOf(info.getSourceManager(), info.getSourceManager().getFileLoc(location));
  if (level == Level::Note && place.ours) return; // overload candidates of metal_stdlib are ours to know
  if (level == Level::Note && !m_held.empty()) {
    print("error", info, location, m_held);
    m_held.clear();
    return;
  }
  printHeld();
  if (place.ours && level >= Level::Error) {
    m_held = words;
    m_heldFallback = fmt::format("{}: error: {}\n", place.file.substr(1), words);
    return;
  }
  print(name, info, location, words);
}

void DiagnosticText::printHeld() {
  if (!m_held.empty()) m_text += m_heldFallback;
  m_held.clear();
}

DiagnosticText::Place DiagnosticText::placeOf(clang::SourceManager& sources, clang::SourceLocation at) const {
  auto [file, offset] = sources.getDecomposedLoc(at);
  Place place;
  clang::PresumedLoc presumed = sources.getPresumedLoc(at, false);
  place.file = presumed.isValid() ? presumed.getFilename() : "?";
  const RespelledSource* source = nullptr;
  if (file == sources.getMainFileID()) source = &m_main;
  else if (auto entry = sources.getFileEntryRefForID(file)) source = m_files.find(entry->getName().str());
  if (source) {
    place.original = source->original();
    place.offset = source->originalOffset(offset);
  } else {
    bool invalid = false;
    llvm::StringRef buffer = sources.getBufferData(file, &invalid);
    if (!invalid) place.original = std::string_view(buffer.data(), buffer.size());
    place.offset = offset;
    place.ours = llvm::StringRef(place.file).starts_with(kStandardLibraryFolder) && place.file != kOptionsPath;
  }
  place.offset = std::min(place.offset, place.original.size());
  return place;
}

void DiagnosticText::print(const char* level, const clang::Diagnostic& info, clang::SourceLocation location, const std::string& message) {
  clang::SourceManager& sources = info.getSourceManager();
  clang::SourceLocation at = sources.getFileLoc(location);
  Place place = placeOf(sources, at);

  size_t lineBegin = place.offset == 0 ? 0 : place.original.rfind('\n', place.offset - 1) + 1;
  size_t lineEnd = std::min(place.original.find('\n', place.offset), place.original.size());
  size_t line = static_cast<size_t>(std::count(place.original.begin(), place.original.begin() + static_cast<long>(place.offset), '\n')) + 1;
  size_t column = place.offset - lineBegin + 1;
  std::string file = place.ours ? place.file.substr(1) : place.file;
  const char* bold = m_color ? "\033[1m" : "";
  const char* paint = !m_color ? "" : level[0] == 'e' ? "\033[1;31m" : level[0] == 'w' ? "\033[1;35m" : "\033[1;36m";
  const char* plain = m_color ? "\033[0m" : "";
  m_text += fmt::format("{}{}:{}:{}: {}{}:{} {}{}{}\n", bold, file, line, column, paint, level, plain, bold, message, plain);

  std::string shown(place.original.substr(lineBegin, lineEnd - lineBegin));
  if (!shown.empty() && shown.back() == '\r') shown.pop_back();
  std::string marks(shown.size() + 1, ' ');
  for (size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == '\t') marks[i] = '\t';
    else if (static_cast<unsigned char>(shown[i]) < ' ') shown[i] = '?';
  }
  for (const clang::CharSourceRange& range : info.getRanges()) {
    if (range.isInvalid() || !m_language) continue;
    clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
    clang::SourceLocation end = sources.getFileLoc(range.getEnd());
    if (sources.getFileID(begin) != sources.getFileID(at) || sources.getFileID(end) != sources.getFileID(at)) continue;
    if (range.isTokenRange()) end = clang::Lexer::getLocForEndOfToken(end, 0, sources, *m_language);
    if (end.isInvalid()) continue;
    size_t from = std::max(placeOf(sources, begin).offset, lineBegin);
    size_t to = std::min(placeOf(sources, end).offset, lineBegin + shown.size());
    for (size_t i = from; i < to; ++i) {
      if (marks[i - lineBegin] == ' ') marks[i - lineBegin] = '~';
    }
  }
  marks[std::min(place.offset - lineBegin, marks.size() - 1)] = '^';
  marks.erase(marks.find_last_not_of(" \t") + 1);
  m_text += shown + "\n" + marks + "\n";

  // Where a macro of the user's hides the place, say which.
  for (clang::SourceLocation inner = location; inner.isMacroID() && m_language; inner = sources.getImmediateMacroCallerLoc(inner)) {
    clang::SourceLocation spelled = sources.getSpellingLoc(inner);
    if (sources.isMacroArgExpansion(inner) || sources.isWrittenInScratchSpace(spelled)) continue;
    Place macro = placeOf(sources, spelled);
    if (macro.ours) continue;
    std::string_view before = macro.original.substr(0, macro.offset);
    size_t macroLine = static_cast<size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
    size_t newline = before.rfind('\n');
    size_t macroColumn = macro.offset - (newline == std::string_view::npos ? 0 : newline + 1) + 1;
    llvm::StringRef macroName = clang::Lexer::getImmediateMacroName(inner, sources, *m_language);
    m_text += fmt::format("{}:{}:{}: note: expanded from macro '{}'\n", macro.file, macroLine, macroColumn, macroName.str());
  }
}

} // namespace basanite::shader::frontend
