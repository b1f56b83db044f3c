// SPDX-License-Identifier: Apache-2.0
// MTL::Buffer.
#include "src/metal/MTLBuffer.hpp"

#include "src/metal/MTLTexture.hpp"
#include "src/metal/validation.hpp"

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

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
MTL::Texture* MTL::Buffer::newTexture(const MTL::TextureDescriptor* descriptor, NS::UInteger offset,
                                      NS::UInteger bytesPerRow) {
  if (!this) return {};
  if (!descriptor) {
    basanite::metal::reportMisuse("Buffer::newTexture: the descriptor is null.");
    return nullptr;
  }
  auto texture = basanite::metal::Texture::createOver(toImpl(this), *toImpl(descriptor), offset, bytesPerRow);
  if (texture) return toPublic((*texture).detach());
  basanite::metal::reportMisuse("Buffer::newTexture: {}", texture.error().message);
  return nullptr;
}
// Markers are for captures, which there are none of: the range is checked, and nothing kept.
void MTL::Buffer::addDebugMarker(const NS::String*, NS::Range range) {
  if (!this) return;
  NS::UInteger length = toImpl(this)->backend->length();
  if (range.location <= length && range.length <= length - range.location) return;
  basanite::metal::reportMisuse(
      "Buffer::addDebugMarker: {} bytes from offset {} on do not fit the buffer of {} bytes.",
      NS::UInteger(range.length), NS::UInteger(range.location), length);
}
void MTL::Buffer::removeAllDebugMarkers() {}
// A process has one device of a GPU, and no device shares memory with another.
MTL::Buffer* MTL::Buffer::newRemoteBufferViewForDevice(const MTL::Device*) {
  basanite::metal::reportMisuse("Buffer::newRemoteBufferViewForDevice: no two devices share memory here.");
  return nullptr;
}
MTL::Buffer* MTL::Buffer::remoteStorageBuffer() const { return nullptr; }
MTL::BufferSparseTier MTL::Buffer::sparseBufferTier() const { return MTL::BufferSparseTierNone; }
