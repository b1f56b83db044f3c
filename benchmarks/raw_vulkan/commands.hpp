// SPDX-License-Identifier: Apache-2.0
// One command buffer of a twin, recorded again and again, with its timestamps.
#pragma once

#include "benchmarks/raw_vulkan/device.hpp"

namespace basanite::benchmarks::twin {

struct Target {
  const Image* color = nullptr;
  const Image* depth = nullptr;
  bool load = false; // else cleared: color to 0, depth to 1
};

// How a stamp is written inside a pass; the forms of docs/timestamps.md.
enum class Stamp : uint8_t {
  plain,
  doubled,           // the stamp, then a throw-away one
  localReadBarriers, // barrier, stamp, barrier inside the pass; needs dynamic rendering local read
  split,             // the pass is ended, stamped behind a barrier, and resumed
};

class Commands {
 public:
  // `stamps`: how many timestamps a recording may write, throw-away ones included.
  Commands(Device& device, uint32_t stamps);

  // Forgets the last recording, with which the GPU must be done.
  void prepare();
  // After prepare().
  void begin();
  void end() { check(vkEndCommandBuffer(vk), "vkEndCommandBuffer"); }

  void beginRendering(const Target& target);
  void endRendering() { vkCmdEndRendering(vk); }
  void bind(VkPipeline vkPipeline) { vkCmdBindPipeline(vk, VK_PIPELINE_BIND_POINT_GRAPHICS, vkPipeline); }
  void push(const void* bytes, uint32_t lengthBytes) {
    vkCmdPushConstants(vk, m_device.vkLayout(), kPushConstantStages, 0, lengthBytes, bytes);
  }
  void barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before);

  // Outside rendering: behind all that came before, ahead of all that follows. True on every driver measured.
  // Returns the stamp's index in stamps().
  uint32_t stampOutside();
  // Inside the rendering of `target`, before or after a draw.
  uint32_t stampInside(Stamp form, const Target& target);
  // After the recording has run: ticks, and nanoseconds since the first stamp.
  std::vector<uint64_t> ticks() const;
  std::vector<double> stamps() const;
  // Copies all stamps so far to a buffer, as a program that keeps them on the GPU does. Outside rendering.
  void copyStamps(const Buffer& destination) { copyStampsIn(vk, destination); }
  // The same, as a command of another recording.
  void copyStampsIn(VkCommandBuffer vkCommands, const Buffer& destination) const;

  VkCommandBuffer vk = VK_NULL_HANDLE;

 private:
  uint32_t write(VkPipelineStageFlags2 stage);

  Device& m_device;
  VkCommandPool m_vkPool = VK_NULL_HANDLE;
  VkQueryPool m_vkQueries = VK_NULL_HANDLE;
  uint32_t m_capacity = 0;
  uint32_t m_written = 0;
};

} // namespace basanite::benchmarks::twin
