// SPDX-License-Identifier: Apache-2.0
// MTL::LogicalToPhysicalColorAttachmentMap.
#include "src/metal/color_attachment_map.hpp"

#include "src/metal/validation.hpp"

using basanite::foundation::toImpl;

namespace basanite::metal {
namespace {

bool isAttachment(const char* method, NS::UInteger index) {
  if (index < kMaxColorAttachments) return true;
  reportMisuse("LogicalToPhysicalColorAttachmentMap::{}: the index {} is not below {}.", method, index,
               kMaxColorAttachments);
  return false;
}

} // namespace
} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL::LogicalToPhysicalColorAttachmentMap)
NS::UInteger MTL::LogicalToPhysicalColorAttachmentMap::getPhysicalIndex(NS::UInteger logicalIndex) {
  if (!this || !basanite::metal::isAttachment("getPhysicalIndex", logicalIndex)) return 0;
  return toImpl(this)->physical[logicalIndex];
}
void MTL::LogicalToPhysicalColorAttachmentMap::reset() {
  if (this) toImpl(this)->resetFields();
}
void MTL::LogicalToPhysicalColorAttachmentMap::setPhysicalIndex(NS::UInteger physicalIndex,
                                                                NS::UInteger logicalIndex) {
  constexpr const char* kMethod = "setPhysicalIndex";
  if (!this || !basanite::metal::isAttachment(kMethod, physicalIndex) ||
      !basanite::metal::isAttachment(kMethod, logicalIndex))
    return;
  toImpl(this)->physical[logicalIndex] = static_cast<uint8_t>(physicalIndex);
}
