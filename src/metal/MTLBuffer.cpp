// SPDX-License-Identifier: Apache-2.0
// MTL::Buffer.
#include "src/metal/MTLBuffer.hpp"

using basanite::foundation::toImpl;

// Null for private storage, as on Apple's.
void* MTL::Buffer::contents() {
  if (!this) return {};
  return toImpl(this)->backend->contents();
}
// Managed memory is coherent here, so the GPU sees host writes without being told.
void MTL::Buffer::didModifyRange(NS::Range) {}
MTL::GPUAddress MTL::Buffer::gpuAddress() const {
  if (!this) return {};
  return toImpl(this)->backend->gpuAddress();
}
NS::UInteger MTL::Buffer::length() const {
  if (!this) return {};
  return toImpl(this)->backend->length();
}
MTL::BufferSparseTier MTL::Buffer::sparseBufferTier() const { return MTL::BufferSparseTierNone; }
