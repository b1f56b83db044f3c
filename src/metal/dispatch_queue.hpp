// SPDX-License-Identifier: Apache-2.0
// Queues that handlers are called on: serial ones of ours behind a dispatch_queue_t, or the program's own.
#pragma once

#include <Foundation/NSPrivate.hpp>
#include <functional>
#include <memory>

namespace basanite::metal {

// A copy means the same queue. Empty until it is given one. Thread-safe.
class HandlerQueue {
 public:
  // A new serial queue: its jobs run one after the other on library threads, each in an autorelease pool.
  static HandlerQueue make();
  // The queue behind a handle: one of ours that is alive, or one of the libdispatch that the program is
  // linked with, which is retained. Null: empty. Without a libdispatch an unknown handle is reported, and a
  // new queue of ours stands in.
  static HandlerQueue of(dispatch_queue_t handle);

  explicit operator bool() const { return m_queue != nullptr; }
  dispatch_queue_t handle() const; // null when empty
  // Not when empty.
  void run(std::function<void()> job) const;

  class Queue;

 private:
  std::shared_ptr<Queue> m_queue;
};

} // namespace basanite::metal
