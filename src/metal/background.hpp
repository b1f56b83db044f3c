// SPDX-License-Identifier: Apache-2.0
// Threads for asynchronous compilation and for handlers that no queue can call.
#pragma once

#include <functional>

namespace basanite::metal {

// Runs `job` on a library thread, inside an autorelease pool. Jobs start in order; several run at once. Any
// thread.
void runInBackground(std::function<void()> job);

} // namespace basanite::metal
