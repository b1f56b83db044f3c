// SPDX-License-Identifier: Apache-2.0
// Scenarios in processes of their own; see the header.
#include "tests/support/child_process.hpp"

#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace basanite::tests {

namespace {

constexpr const char* kVariable = "BASANITE_TEST_SCENARIO";
constexpr int kTimeoutMs = 60'000;

bool names(const char* entry, const std::string& variable) {
  return std::strncmp(entry, variable.c_str(), variable.size()) == 0 && entry[variable.size()] == '=';
}

} // namespace

ChildResult runScenario(const std::string& scenario,
                        const std::vector<std::pair<std::string, std::string>>& environment,
                        const ChildPlace& place) {
  auto changes = environment;
  changes.emplace_back(kVariable, scenario);
  std::vector<std::string> variables;
  for (char** entry = environ; *entry; ++entry) {
    bool isChanged = false;
    for (auto& [name, value] : changes) isChanged |= names(*entry, name);
    if (!isChanged) variables.push_back(*entry);
  }
  for (auto& [name, value] : changes)
    if (!value.empty()) variables.push_back(name + "=" + value);
  std::vector<char*> pointers;
  for (auto& variable : variables) pointers.push_back(variable.data());
  pointers.push_back(nullptr);

  ChildResult result;
  int ends[2];
  if (pipe(ends) != 0) return result;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addchdir_np(&actions, place.workingFolder.c_str());
  std::string program = place.program;
  char* arguments[] = {program.data(), nullptr};
  pid_t child = 0;
  const int spawned = posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (spawned != 0) {
    close(ends[0]);
    result.output = std::strerror(spawned);
    return result;
  }
  pollfd readable{ends[0], POLLIN, 0};
  char bytes[4096];
  while (true) {
    if (poll(&readable, 1, kTimeoutMs) <= 0) {
      kill(child, SIGKILL);
      break;
    }
    const ssize_t count = read(ends[0], bytes, sizeof bytes);
    if (count <= 0) break;
    result.output.append(bytes, size_t(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status)) result.exitCode = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

std::string scenarioName() {
  const char* name = std::getenv(kVariable);
  return name ? name : "";
}

} // namespace basanite::tests
