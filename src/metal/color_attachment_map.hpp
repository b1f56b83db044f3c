// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL::LogicalToPhysicalColorAttachmentMap: where a pass has what a pipeline calls color n.
#pragma once

#include "src/metal/MTLRenderPass.hpp"

#include <Metal/MTLRenderPipeline.hpp>
#include <array>
#include <cstdint>

namespace basanite::metal {

struct ColorAttachmentMapFields {
  static constexpr std::array<uint8_t, kMaxColorAttachments> kIdentity = {0, 1, 2, 3, 4, 5, 6, 7};
  std::array<uint8_t, kMaxColorAttachments> physical = kIdentity; // by logical index
};
class ColorAttachmentMap final : public PropertyBag<ColorAttachmentMap, ColorAttachmentMapFields> {
 public:
  const char* className() const override { return "MTLLogicalToPhysicalColorAttachmentMap"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::LogicalToPhysicalColorAttachmentMap, basanite::metal::ColorAttachmentMap)
