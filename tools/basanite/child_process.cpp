// SPDX-License-Identifier: Apache-2.0
// A pipe that closes at exec tells a program that cannot be run from one that fails.
#include "tools/basanite/child_process.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace basanite::tool {

namespace {

constexpr std::array kForwarded = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT};

volatile pid_t g_child = 0;

void forward(int signal, siginfo_t* info, void*) {
  const int error = errno;
  // The terminal's go to the whole foreground group, so the child has them already.
  if (info->si_code <= 0 && g_child > 0) kill(g_child, signal);
  errno = error;
}

// Handlers for the time a child runs; what was ignored stays so.
class Forwarding {
 public:
  Forwarding() {
    struct sigaction action{};
    action.sa_sigaction = forward;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (size_t i = 0; i < kForwarded.size(); ++i) {
      sigaction(kForwarded[i], nullptr, &m_before[i]);
      if (m_before[i].sa_handler != SIG_IGN) sigaction(kForwarded[i], &action, nullptr);
    }
  }
  ~Forwarding() {
    for (size_t i = 0; i < kForwarded.size(); ++i) sigaction(kForwarded[i], &m_before[i], nullptr);
  }

 private:
  std::array<struct sigaction, kForwarded.size()> m_before{};
};

[[noreturn]] void become(const ChildOptions& options, int report) {
  for (const auto& [name, value] : options.environment) setenv(name.c_str(), value.c_str(), 1);
  if (options.outputToErrors) dup2(STDERR_FILENO, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (const std::string& argument : options.command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof(error));
  _exit(127);
}

} // namespace

base::Result<ChildEnd> runChild(const ChildOptions& options) {
  const std::string& program = options.command.front();
  const auto refuse = [&](int error) {
    return base::Error{fmt::format("{} cannot be run: {}.", program, std::strerror(error)),
                       error == ENOENT ? 127 : 126};
  };
  int pipe[2];
  if (pipe2(pipe, O_CLOEXEC) != 0) return refuse(errno);
  const Forwarding forwarding;
  // A signal that comes before there is a child to name waits for it.
  sigset_t forwarded, before;
  sigemptyset(&forwarded);
  for (int signal : kForwarded) sigaddset(&forwarded, signal);
  pthread_sigmask(SIG_BLOCK, &forwarded, &before);
  const pid_t child = fork();
  if (child > 0) g_child = child;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (child < 0) return refuse(errno);
  if (child == 0) become(options, pipe[1]);
  close(pipe[1]);
  int error = 0;
  const bool failed = read(pipe[0], &error, sizeof(error)) == sizeof(error);
  close(pipe[0]);
  int status = 0;
  while (true) {
    const pid_t ended = waitpid(child, &status, options.whileRunning ? WNOHANG : 0);
    if (ended == child) break;
    if (ended < 0 && errno != EINTR) return refuse(errno);
    if (ended == 0) {
      constexpr int kPeriodMs = 20, kPeriodsToCall = 25;
      static int s_periods = 0;
      poll(nullptr, 0, kPeriodMs);
      if (++s_periods % kPeriodsToCall == 0) options.whileRunning();
    }
  }
  g_child = 0;
  if (failed) return refuse(error);
  ChildEnd end;
  end.processId = child;
  if (WIFSIGNALED(status))
    end.signal = WTERMSIG(status);
  else
    end.exitCode = WEXITSTATUS(status);
  return end;
}

int endAs(const ChildEnd& end) {
  if (end.signal == 0) return end.exitCode;
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  signal(end.signal, SIG_DFL);
  raise(end.signal);
  constexpr int kShellsBase = 128; // where the signal could not be raised
  return kShellsBase + end.signal;
}

} // namespace basanite::tool
