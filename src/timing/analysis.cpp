// SPDX-License-Identifier: Apache-2.0
// Puts into words what is known about a recording.
#include "src/timing/analysis.hpp"

#include "src/timing/text.hpp"

#include <algorithm>
#include <ctime>

#include <fmt/format.h>

namespace basanite::timing {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + printable(word);
  return line;
}

std::string dateText(uint64_t unixNs) {
  const auto seconds = static_cast<std::time_t>(unixNs / 1'000'000'000);
  std::tm parts{};
  if (unixNs == 0 || !gmtime_r(&seconds, &parts)) return {};
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string timeText(uint64_t ns) {
  if (ns < 10'000) return fmt::format("{} ns", ns);
  return fmt::format("{:.1f} us", static_cast<double>(ns) / 1e3);
}

std::string overheadText(const RecordedOverhead& overhead) {
  if (overhead.framesWith == 0 || overhead.framesWithout == 0) return "not measured: the run was too short";
  const auto percent = [](double ratio) { return 100 * (ratio - 1); };
  return fmt::format(
      "{:+.1f} % GPU time (quartiles {:+.1f} to {:+.1f} %), {:+.1f} % frame time, over {} frames with stamps "
      "and {} without",
      percent(overhead.gpuRatio), percent(overhead.gpuRatioLow), percent(overhead.gpuRatioHigh),
      percent(overhead.periodRatio), overhead.framesWith, overhead.framesWithout);
}

} // namespace

std::vector<std::string> notesOf(const Recording& recording) {
  std::vector<std::string> notes;
  if (!recording.fault.empty()) notes.push_back(printable(recording.fault) + " What comes before is shown.");
  if (recording.fault.empty() && !recording.complete)
    notes.emplace_back("The program did not end in good order; what it had recorded until then is shown.");
  if (recording.commits.empty())
    notes.emplace_back("The recording has no completed commit, so there is no GPU time in it.");
  if (recording.lostStamps > 0)
    notes.push_back(
        fmt::format("{} stamps found no free slot; their encoders have no times.", recording.lostStamps));
  if (recording.lostRecords > 0)
    notes.push_back(fmt::format("{} records were lost because the disk did not keep up or was full.",
                                recording.lostRecords));
  for (const std::string& warning : recording.warnings) notes.push_back(printable(warning));
  return notes;
}

std::vector<std::pair<std::string, std::string>> factsOf(const Recording& recording) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](std::string name, std::string value) {
    if (!value.empty()) facts.emplace_back(std::move(name), std::move(value));
  };
  add("Command", joined(recording.commandLine));
  add("Recorded", dateText(recording.startUnixNs));
  for (const RecordedDevice& device : recording.devices) {
    add("Device", printable(device.name));
    add("Driver", printable(device.driver));
    add("Timestamps",
        fmt::format("{:g} ns a tick, {} bits{}{}", device.nsPerTick, device.validBits,
                    device.workaround.empty() ? "" : "; workaround: ", printable(device.workaround)));
    add("Clock error",
        fmt::format("GPU times stand right on the CPU's clock to within {}{}; drift of {:+.1f} ppm corrected",
                    timeText(device.clockErrorNs), device.calibrated ? "" : " (clocks are not calibrated)",
                    device.clockDriftPpm));
  }
  add("Stamps",
      fmt::format("{}, {}", recording.precise ? "precise (work is kept from overlapping)" : "relaxed",
                  recording.every == trace::Every::draw ? "every draw and dispatch" : "every pass"));
  add("Overhead", overheadText(recording.overhead));
  const auto unstamped = std::count_if(recording.frames.begin(), recording.frames.end(),
                                       [](const RecordedFrame& frame) { return !frame.stamped; });
  add("Frames", unstamped == 0
                    ? fmt::format("{}", recording.frames.size())
                    : fmt::format("{}, {} of them without stamps in all passes, which measure the overhead",
                                  recording.frames.size(), unstamped));
  add("Basanite", printable(recording.version));
  return facts;
}

std::string programName(const Recording& recording) {
  if (recording.commandLine.empty() || recording.commandLine.front().empty()) return "recording";
  const std::string& path = recording.commandLine.front();
  return printable(path.substr(path.find_last_of('/') + 1));
}

} // namespace basanite::timing
