// SPDX-License-Identifier: Apache-2.0
// Takes the variable apart at its commas.
#include "src/trace/options.hpp"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace basanite::trace {

namespace {

std::optional<uint64_t> number(std::string_view text) {
  uint64_t value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

base::Result<void> parseFrames(std::string_view text, Options& options) {
  const size_t dots = text.find("..");
  const auto first = number(text.substr(0, dots));
  const auto last = dots == std::string_view::npos ? first : number(text.substr(dots + 2));
  if (!first || !last)
    return base::Error{
        fmt::format("frames={} is no range of frames; frames=10..20 is one, and frames=10.", text)};
  if (*first > *last)
    return base::Error{fmt::format("frames={}..{} is an empty range of frames.", *first, *last)};
  options.firstFrame = *first;
  options.lastFrame = *last;
  return {};
}

} // namespace

base::Result<Options> parseOptions(std::string_view text) {
  Options options;
  size_t comma = text.find(',');
  options.path = text.substr(0, comma);
  if (options.path.empty()) return base::Error{"no file is named ahead of the first comma."};
  if (const size_t mark = options.path.find("%p"); mark != std::string::npos)
    options.path.replace(mark, 2, std::to_string(getpid()));
  while (comma != std::string_view::npos) {
    text.remove_prefix(comma + 1);
    comma = text.find(',');
    const std::string_view word = text.substr(0, comma);
    constexpr std::string_view kFrames = "frames=";
    if (word == "precise")
      options.precise = true;
    else if (word == "every=draw")
      options.every = Every::draw;
    else if (word == "every=pass")
      options.every = Every::pass;
    else if (word.starts_with(kFrames))
      BASANITE_TRY_VOID(parseFrames(word.substr(kFrames.size()), options));
    else
      return base::Error{fmt::format(
          "there is no option '{}'; there are: precise, every=draw, every=pass, frames=A..B.", word)};
  }
  return options;
}

} // namespace basanite::trace
