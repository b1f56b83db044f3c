// SPDX-License-Identifier: Apache-2.0
// Runs a program in the foreground and ends as it does: signals go through, the exit code comes back.
#pragma once

#include "src/base/result.hpp"

#include <functional>
#include <string>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace basanite::tool {

struct ChildOptions {
  std::vector<std::string> command;                             // found as a shell would find it; one or more
  std::vector<std::pair<std::string, std::string>> environment; // beside that of this process
  bool outputToErrors = false; // its standard output goes where standard error goes
  // Called about every half second while it runs.
  std::function<void()> whileRunning;
};

// How it ended.
struct ChildEnd {
  pid_t processId = 0;
  int exitCode = 0;
  int signal = 0; // that ended it; 0: none
};

// Waits for the end. Signals that are sent to this process meanwhile are the program's; those of the terminal
// it gets itself. Error, a sentence: it cannot be run, with the exit code a shell has for that (127: not
// found, 126: found).
base::Result<ChildEnd> runChild(const ChildOptions& options);

// Ends this process as the child ended: with its exit code, or by its signal, without a core of our own.
int endAs(const ChildEnd& end);

} // namespace basanite::tool
