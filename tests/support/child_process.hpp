// SPDX-License-Identifier: Apache-2.0
// Runs a scenario of the test program in a process of its own: other environments, and ends that a test must survive.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace basanite::tests {

struct ChildResult {
  int exitCode = -1;      // of an ordinary exit; -1 when a signal ended it
  int signal = 0;         // that ended it; 0 = none
  std::string output;     // standard output and standard error together
};

struct ChildPlace {
  std::string program = "/proc/self/exe"; // a copy of this program
  std::string workingFolder = ".";
};

// Starts this program again with BASANITE_TEST_SCENARIO=`scenario` and these variables (an empty value unsets one) and
// waits for its end; after 60 s it is killed.
ChildResult runScenario(const std::string& scenario, const std::vector<std::pair<std::string, std::string>>& environment,
                        const ChildPlace& place = {});

// In the child: the scenario's name. Empty in the parent.
std::string scenarioName();

} // namespace basanite::tests
