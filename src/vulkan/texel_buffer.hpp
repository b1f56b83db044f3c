// SPDX-License-Identifier: Apache-2.0
// A stretch of a buffer that shaders see as texels (Metal's texture buffers), with its place in the bindless
// set.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/buffer.hpp"

#include <cstdint>

namespace basanite::vulkan {

struct TexelBufferInfo {
  VkFormat format = VK_FORMAT_UNDEFINED;
  uint64_t offset = 0; // bytes
  uint64_t texels = 0;
  bool write = false;  // shaders may write
  bool ownSlot = true; // as ImageViewInfo::ownSlot
};

// Keeps the buffer alive. Destruction is deferred, slot included.
class TexelBuffer final : public base::RefCounted {
 public:
  // Error: a format that the device does not have as texels of a buffer, or not for writing; an offset or a
  // count that the device does not allow, with the limit; a range that does not fit.
  static base::Result<base::Ref<TexelBuffer>> create(const base::Ref<Buffer>& buffer,
                                                     const TexelBufferInfo& info);

  // As ImageView::slot(): textures of all kinds share one range of numbers. Never 0 with ownSlot.
  uint32_t slot() const { return m_slot; }
  const base::Ref<Buffer>& buffer() const { return m_buffer; }
  VkBufferView vkReadView() const { return m_vkReadView; }
  VkBufferView vkWriteView() const { return m_vkWriteView; }

 private:
  explicit TexelBuffer(base::Ref<Buffer> buffer) : m_buffer(std::move(buffer)) {}
  ~TexelBuffer() override;
  base::Result<VkBufferView> makeView(const TexelBufferInfo& info, VkBufferUsageFlags usage,
                                      VkBuffer& vkAlias);

  base::Ref<Buffer> m_buffer;
  // The buffer's memory again: a view must have all uses of its VkBuffer, and few formats have them all.
  VkBuffer m_vkReadAlias = VK_NULL_HANDLE, m_vkWriteAlias = VK_NULL_HANDLE;
  VkBufferView m_vkReadView = VK_NULL_HANDLE, m_vkWriteView = VK_NULL_HANDLE;
  uint32_t m_slot = 0;
};

} // namespace basanite::vulkan
