// SPDX-License-Identifier: Apache-2.0
// What stands behind one MTL4::CommandQueue: an ordered stream of batches, its timeline, and completion
// callbacks.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/semaphore.hpp"
#include "src/vulkan/submitter.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

namespace basanite::vulkan {

// What a completion callback gets.
struct Completion {
  uint64_t serial = 0;
  std::optional<base::Error> error; // device lost, or the submission was refused
};
using CompletionHandler = std::function<void(const Completion&)>;

// Thread-safe. May share a VkQueue with other queues of the device. The destructor waits for what was
// submitted.
class Queue final : public base::RefCounted {
 public:
  static base::Result<base::Ref<Queue>> create(const base::Ref<Device>& device, std::string_view label = {});

  // Submits in call order. `onComplete` runs once, on the queue's completion thread, after the GPU has
  // finished the batch; in order of submission; after deferred deletions that the batch held up. An empty
  // batch is legal: its waits hold all later batches, its signals follow all earlier ones. Error (nothing was
  // submitted): device lost, out of memory.
  base::Result<uint64_t> submit(Batch batch, CompletionHandler onComplete = {});

  // True when the serial has completed within the time, callbacks not included.
  base::Result<bool> wait(uint64_t serial, uint64_t timeoutNs);
  // Waits for everything submitted, callbacks included. Not from a callback.
  void waitIdle();

  // This queue's timeline; its value is the serial of the newest completed batch.
  VkSemaphore vkTimeline() const { return m_timeline->vkSemaphore(); }
  Device& device() const { return *m_device; }

  // Called by the submitter when a held batch could not be handed to Vulkan.
  void refuse(uint64_t serial, base::Error error);

 private:
  struct Completer; // the completion thread's state; outlives the queue when the last reference goes on that
                    // thread
  explicit Queue(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~Queue() override;

  base::Ref<Device> m_device;
  base::Ref<Semaphore> m_timeline;
  std::shared_ptr<Completer> m_completer;
};

} // namespace basanite::vulkan
