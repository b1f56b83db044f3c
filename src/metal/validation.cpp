// SPDX-License-Identifier: Apache-2.0
// The debug layer's switches and what a report does under each.
#include "src/metal/validation.hpp"

#include "src/base/env.hpp"
#include "src/base/log.hpp"

#include <atomic>
#include <cstdlib>

namespace basanite::metal {

namespace {

std::atomic<ErrorMode> s_mode{ErrorMode::silent};

void printOrAbort(ErrorMode mode, std::string_view message) {
  if (mode == ErrorMode::silent) return;
  base::logError("Metal API misuse: {}", message);
  if (mode == ErrorMode::abort) std::abort();
}

} // namespace

void readDebugLayerSettings() {
  ErrorMode mode = ErrorMode::silent;
  if (base::envFlag("MTL_DEBUG_LAYER")) {
    std::string text = base::envText("MTL_DEBUG_LAYER_ERROR_MODE").value_or("assert");
    mode = text == "nslog" ? ErrorMode::print : text == "ignore" ? ErrorMode::silent : ErrorMode::abort;
  }
  s_mode.store(mode);
}

ErrorMode debugLayerMode() { return s_mode.load(); }

void reportMisuse(std::string_view message) {
  ErrorMode mode = debugLayerMode();
  if (mode == ErrorMode::silent) {
    base::logError("Metal API misuse: {}", message);
    return;
  }
  printOrAbort(mode, message);
}

void ErrorKeeper::report(std::string_view message) {
  std::string placed;
  if (m_command) {
    placed = fmt::format("Command {} of the indirect command buffer \"{}\": {}", *m_command, m_bufferLabel, message);
    message = placed;
  }
  if (m_message.empty()) m_message = message;
  if (m_mode == Mode::reports) printOrAbort(debugLayerMode(), message);
}

} // namespace basanite::metal
