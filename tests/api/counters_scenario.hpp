// SPDX-License-Identifier: Apache-2.0
// Scenarios that counter tests run in child processes of their own program, each defined beside the test that
// uses it.
#pragma once

#include <functional>
#include <string>

namespace basanite::tests {

// A global of this type makes `body` what the child does under that name; its result is the exit code.
class CounterScenario {
 public:
  CounterScenario(const char* name, std::function<int()> body);
};

} // namespace basanite::tests
