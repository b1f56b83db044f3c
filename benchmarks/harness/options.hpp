// SPDX-License-Identifier: Apache-2.0
// The command line that every benchmark program understands, and the one way out when something cannot be
// measured.
#pragma once

#include <string>
#include <string_view>

namespace basanite::benchmarks {

struct Options {
  unsigned repeats = 0;
  bool quick = false;   // fewer repeats, and the dearest measurements left out
  std::string filter;   // rows whose name does not contain it are left out; empty: all
  std::string jsonFile; // empty: no file

  bool wants(std::string_view row) const { return row.find(filter) != std::string_view::npos; }
};

// Ends the process after --help, and with code 2 and a sentence after a wrong option. With --quick a third of
// the default repeats are made, at least 3, unless --repeats says otherwise.
Options parseOptions(int argc, char** argv, const char* program, const char* what, unsigned defaultRepeats);

// Prints "PROGRAM: sentence" and ends the process with code 1.
[[noreturn]] void fail(std::string_view sentence);

} // namespace basanite::benchmarks
