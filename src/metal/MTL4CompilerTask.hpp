// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4CompilerTask.hpp.
#pragma once

#include "src/foundation/object.hpp"

#include <Metal/MTL4CompilerTask.hpp>
#include <condition_variable>
#include <mutex>

namespace basanite::metal {

class Compiler4;

// One asynchronous compilation. Thread-safe.
class CompilerTask final : public foundation::Object {
 public:
  explicit CompilerTask(Compiler4* owner);
  const char* className() const override { return "MTL4CompilerTask"; }

  void setStatus(MTL4::CompilerTaskStatus status);
  MTL4::CompilerTaskStatus status() const;
  // Returns after the completion handler has.
  void waitUntilCompleted();

  foundation::Retained<foundation::Object> compiler;

 private:
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  MTL4::CompilerTaskStatus m_status = MTL4::CompilerTaskStatusScheduled;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::CompilerTask, basanite::metal::CompilerTask)
