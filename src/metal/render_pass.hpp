// SPDX-License-Identifier: Apache-2.0
// A render pass descriptor in the backend's terms.
#pragma once

#include "src/metal/MTL4RenderPass.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/vulkan/graphics_pipeline.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/render_scope.hpp"

#include <vector>

namespace basanite::metal {

struct RenderPass {
  // Error: an attachment that does not fit, with index, value and limit.
  static base::Result<RenderPass> create(Device& device, const RenderPassDescriptor4& descriptor);

  // Makes it the continuation of a suspended pass: attachments keep their contents, ordered after the earlier
  // part.
  void resume(vulkan::CommandBuffer& commands);

  vulkan::RenderTargets targets;
  vulkan::PassFormats formats;
  std::array<MTL::PixelFormat, kMaxColorAttachments> colorFormats{};
  NS::UInteger width = 0, height = 0; // of the whole render target
  NS::UInteger sampleCount = 1;
  std::vector<base::Ref<vulkan::Image>> images; // whose views the targets are

  bool depthOnly() const { return targets.colorCount == 0; }
};

} // namespace basanite::metal
