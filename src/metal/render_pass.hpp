// SPDX-License-Identifier: Apache-2.0
// A render pass descriptor in the backend's terms.
#pragma once

#include "src/metal/MTL4RenderPass.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/vulkan/graphics_pipeline.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/render_scope.hpp"

#include <string>
#include <vector>

namespace basanite::metal {

// What all parts of a pass over several command buffers must have in common.
struct PassShape {
  // By index; their views, which a texture hands out once for each level, slice and format. Null: none.
  std::array<VkImageView, kMaxColorAttachments> colors{};
  VkImageView depth = VK_NULL_HANDLE, stencil = VK_NULL_HANDLE;
  NS::UInteger width = 0, height = 0, layerCount = 0, sampleCount = 0;

  // How a part of this shape fails to continue one of the other: a clause with both values. Empty: it does.
  std::string differenceFrom(const PassShape& other) const;
};

// What is known of an attachment's store action.
struct StoreState {
  std::string name;      // of the attachment in messages; empty: there is none
  bool deferred = false; // the descriptor leaves it to the encoder
  bool unknown = false;  // and the encoder has not said yet
  bool memoryless = false;

  bool present() const { return !name.empty(); }
};

struct RenderPass {
  // Error: an attachment that does not fit, with index, value and limit.
  static base::Result<RenderPass> create(Device& device, const RenderPassDescriptor4& descriptor);

  // Makes it the continuation of a suspended pass: attachments keep their contents, ordered after the earlier
  // part.
  void resume(vulkan::CommandBuffer& commands);
  // Makes it a part that another one continues: store actions are the last part's.
  void suspend();
  // Fixes a store action that was left unknown. Error: what keeps it from being so.
  static base::Result<void> store(StoreState& state, vulkan::RenderTarget& target, MTL::StoreAction action);
  PassShape shape() const;

  vulkan::RenderTargets targets;
  vulkan::PassFormats formats;
  std::array<MTL::PixelFormat, kMaxColorAttachments> colorFormats{};
  NS::UInteger width = 0, height = 0; // of the whole render target
  NS::UInteger sampleCount = 1;
  std::vector<base::Ref<vulkan::Image>> images; // whose views the targets are

  std::array<StoreState, kMaxColorAttachments> colorStores;
  StoreState depthStore, stencilStore;
  bool mapsColors = false; // takes a map of colour attachments
  bool suspended = false;  // another part says what is stored

  std::vector<VkSampleLocationEXT> sampleLocations; // empty: the device's

  base::Ref<vulkan::Buffer> visibilityBuffer; // null: none
  bool visibilityAccumulates = false;

  bool depthOnly() const { return targets.colorCount == 0; }
};

} // namespace basanite::metal
