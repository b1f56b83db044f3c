// SPDX-License-Identifier: Apache-2.0
// MTL::Fence.
#include "src/metal/MTLFence.hpp"

MTL::Device* MTL::Fence::device() const {
  if (!this) return {};
  return basanite::foundation::toPublic(basanite::foundation::toImpl(this)->device.get());
}
BASANITE_OBJECT(MTL::Fence, NS::String, label, setLabel)
