// SPDX-License-Identifier: Apache-2.0
// Sets BASANITE_TRACE, waits, finds the recording and hands it to the reports.
#include "tools/basanite/time_command.hpp"

#include "src/timing/analysis.hpp"
#include "src/timing/output_file.hpp"
#include "src/timing/pass_report.hpp"
#include "src/timing/recording.hpp"
#include "src/timing/report_html.hpp"
#include "tools/basanite/child_process.hpp"
#include "tools/basanite/compile_command.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <string_view>
#include <sys/ioctl.h>
#include <system_error>
#include <unistd.h>

namespace basanite::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFooter =
    "The program runs as it is, with BASANITE_TRACE in its environment; its exit code and signals are kept. "
    "Frames are counted\n"
    "from 0; one ends with each commit, or with each present where there are any. For a while at the "
    "beginning "
    "every second\n"
    "block of four frames runs without stamps, so that the report can say what they cost.\n\n"
    "Relaxed stamps (the default) let draws overlap as they do without; --every draw --precise times each "
    "draw "
    "and dispatch\n"
    "alone, and the frame takes longer. With --json the figures go to standard output and the program's own "
    "output to standard\n"
    "error. Exit codes: the program's; 2 a wrong command line or a folder that cannot be written; 127 the "
    "program was not found;\n"
    "126 it cannot be run.";

constexpr std::string_view kPrefix = "recording.", kSuffix = ".trace";

int complain(const std::string& sentence, int exitCode = kExitUsage) {
  fmt::print(stderr, "basanite time: {}\n", sentence);
  return exitCode;
}

std::string baseName(const std::string& program) { return fs::path(program).filename().string(); }

bool isRange(std::string_view text) {
  const auto isNumber = [](std::string_view part) {
    uint64_t value = 0;
    const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), value);
    return fault == std::errc() && end == part.data() + part.size();
  };
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return isNumber(text);
  return isNumber(text.substr(0, dots)) && isNumber(text.substr(dots + 2));
}

bool isRecording(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with(kPrefix) && name.ends_with(kSuffix);
}

// The recordings in the folder, the one with most bytes first.
std::vector<fs::path> recordingsIn(const fs::path& folder) {
  std::vector<std::pair<uintmax_t, fs::path>> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (isRecording(entry.path())) found.emplace_back(entry.file_size(error), entry.path());
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<fs::path> paths;
  for (auto& [bytes, path] : found) paths.push_back(std::move(path));
  return paths;
}

// Makes the folder, and takes recordings of earlier runs out of it. Error: a sentence.
base::Result<fs::path> prepareFolder(const fs::path& wanted) {
  std::error_code error;
  const fs::path folder = fs::absolute(wanted, error);
  // BASANITE_TRACE cannot say such a name.
  if (folder.string().find_first_of(",%") != std::string::npos)
    return base::Error{fmt::format("The folder {} has a comma or a percent sign in its name; choose another "
                                   "with -o.",
                                   folder.string())};
  fs::create_directories(folder, error);
  if (error)
    return base::Error{fmt::format("The folder {} cannot be made: {}.", folder.string(), error.message())};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return base::Error{
        fmt::format("The folder {} cannot be written to: {}.", folder.string(), std::strerror(errno))};
  for (const fs::path& old : recordingsIn(folder)) fs::remove(old, error);
  return folder;
}

std::string variableFor(const TimeOptions& options, const fs::path& folder) {
  std::string text = fmt::format("{}{}%p{}", (folder / "").string(), kPrefix, kSuffix);
  if (options.precise) text += ",precise";
  text += ",every=" + options.every;
  if (!options.frames.empty()) text += ",frames=" + options.frames;
  return text;
}

// One line on a terminal, over and over.
class Progress {
 public:
  explicit Progress(const fs::path& folder) : m_folder(folder) {}
  void show() {
    uintmax_t bytes = 0;
    std::error_code error;
    for (const fs::path& path : recordingsIn(m_folder)) bytes += fs::file_size(path, error);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    fmt::print(stderr, "\r\x1b[Kbasanite time: {:.1f} s, {:.1f} MB recorded", seconds,
               static_cast<double>(bytes) / 1e6);
    m_shown = true;
  }
  ~Progress() {
    if (m_shown) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  fs::path m_folder;
  std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
  bool m_shown = false;
};

size_t terminalColumns() {
  constexpr size_t kWithoutTerminal = 120, kLeast = 80;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWithoutTerminal;
  return std::max<size_t>(size.ws_col, kLeast);
}

// The recording under the name that it keeps, others left beside it. Nothing, after the sentence, when none
// came.
std::optional<fs::path> pickRecording(const fs::path& folder, const std::string& program) {
  std::vector<fs::path> recordings = recordingsIn(folder);
  if (recordings.empty()) {
    complain(fmt::format("Nothing was recorded: {} made no Metal device through Basanite.", program));
    return std::nullopt;
  }
  if (recordings.size() > 1)
    complain(fmt::format("{} processes made recordings; this is the largest one's, the others are the {}*{} "
                         "beside it in {}.",
                         recordings.size(), kPrefix, kSuffix, folder.string()));
  const fs::path kept = folder / "recording.trace";
  std::error_code error;
  fs::rename(recordings[0], kept, error);
  return error ? recordings[0] : kept;
}

void report(const TimeOptions& options, const fs::path& folder, const ChildEnd& end) {
  const std::string program = baseName(options.command.front());
  const auto path = pickRecording(folder, program);
  if (!path) return;
  auto recording = timing::readRecording(path->string());
  if (!recording.ok()) {
    complain(recording.error().message);
    return;
  }
  if (end.signal != 0)
    complain(fmt::format("{} was ended by signal {} ({}); what it recorded until then is kept.", program,
                         end.signal, strsignal(end.signal)));
  if (recording->commits.empty()) {
    const bool ranged = !options.frames.empty();
    complain(fmt::format("No frame was recorded: {} {}.", program,
                         ranged ? "did not complete one of frames " + options.frames
                                : std::string("made a device but completed no commit")));
  }
  const timing::Analysis analysis(*recording);
  const std::string json = timing::passReportJson(*recording, analysis);
  std::vector<fs::path> written = {*path};
  const auto write = [&](const char* name, const std::string& text) {
    auto result = timing::writeFile((folder / name).string(), text);
    if (result.ok())
      written.push_back(folder / name);
    else
      complain(result.error().message);
  };
  write("report.json", json);
  if (!options.noHtml) write("report.html", timing::reportHtml(*recording, analysis));
  if (options.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}", timing::passReport(*recording, analysis, {.maxColumns = terminalColumns()}));
    for (const fs::path& file : written) fmt::print("wrote {}\n", file.string());
  }
  std::fflush(stdout);
}

} // namespace

CLI::App* addTimeCommand(CLI::App& app, TimeOptions& options) {
  CLI::App* command = app.add_subcommand("time", "Run a program and show where its GPU time goes");
  command->footer(kFooter);
  command->add_flag("--precise", options.precise, "Stamps drain the GPU, so that each time is its own alone");
  command->add_option("--frames", options.frames, "Record these frames only: A..B, counted from 0")
      ->type_name("A..B")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            return isRange(text) ? "" : fmt::format("takes a range like 10..20, not '{}'", text);
          },
          ""));
  command->add_option("--every", options.every, "What is timed: every pass (default), or every draw too")
      ->type_name("pass|draw")
      ->check(CLI::Validator(
          [](const std::string& text) -> std::string {
            return text == "pass" || text == "draw" ? "" : fmt::format("takes pass or draw, not '{}'", text);
          },
          ""));
  command->add_option("-o,--output", options.folder, "Folder for the files (default: basanite-PROGRAM, here)")
      ->type_name("DIR");
  command->add_flag("--json", options.json, "Print the figures as JSON");
  command->add_flag("--no-html", options.noHtml, "Write no report.html");
  command->add_option("program", options.command, "The program and its arguments, behind --")
      ->type_name("PROGRAM...")
      ->required();
  return command;
}

int runTime(const TimeOptions& options) {
  const std::string program = baseName(options.command.front());
  auto folder = prepareFolder(options.folder.empty() ? "basanite-" + program : options.folder);
  if (!folder.ok()) return complain(folder.error().message);
  ChildOptions child;
  child.command = options.command;
  child.environment = {{"BASANITE_TRACE", variableFor(options, *folder)}};
  child.outputToErrors = options.json;
  std::optional<Progress> progress;
  // A program that writes to the same terminal would have it in the middle of its lines.
  if (isatty(STDERR_FILENO) && !isatty(STDOUT_FILENO) && !options.json) {
    progress.emplace(*folder);
    child.whileRunning = [&] { progress->show(); };
  }
  auto end = runChild(child);
  progress.reset();
  if (!end.ok()) return complain(end.error().message, end.error().code);
  report(options, *folder, *end);
  return endAs(*end);
}

} // namespace basanite::tool
