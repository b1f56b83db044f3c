// SPDX-License-Identifier: Apache-2.0
// Runs a call with room for deep recursion: clang and LLVM call themselves for each level of what they work
// on, and the caller's stack may be small.
#pragma once

#include <functional>
#include <optional>

namespace basanite::shader {

// Calls `call` on a thread of its own with a stack of 256 MiB (of address space; memory is taken as it is
// used), and returns when it has returned. Where there is no such thread, on the caller's.
void runRoomy(const std::function<void()>& call);

// The same for a call that has a result.
template <class Call> auto roomy(Call call) {
  std::optional<decltype(call())> result;
  runRoomy([&] { result.emplace(call()); });
  return std::move(*result);
}

} // namespace basanite::shader
