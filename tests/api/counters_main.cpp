// SPDX-License-Identifier: Apache-2.0
// main() of the counter tests: the tests, or in a child process one scenario.
#include "tests/api/counters_scenario.hpp"
#include "tests/support/child_process.hpp"

#include <cstdio>
#include <gtest/gtest.h>
#include <map>

namespace basanite::tests {

namespace {

// A function's static, since scenarios register before main() in no set order.
std::map<std::string, std::function<int()>>& scenarios() {
  static std::map<std::string, std::function<int()>> s_scenarios;
  return s_scenarios;
}

} // namespace

CounterScenario::CounterScenario(const char* name, std::function<int()> body) {
  scenarios().emplace(name, std::move(body));
}

} // namespace basanite::tests

int main(int argumentCount, char** arguments) {
  using namespace basanite::tests;
  const std::string name = scenarioName();
  if (!name.empty()) {
    auto found = scenarios().find(name);
    if (found != scenarios().end()) return found->second();
    std::printf("There is no scenario \"%s\".\n", name.c_str());
    return 126;
  }
  testing::InitGoogleTest(&argumentCount, arguments);
  return RUN_ALL_TESTS();
}
