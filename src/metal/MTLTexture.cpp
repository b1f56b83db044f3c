// SPDX-License-Identifier: Apache-2.0
// MTL::TextureDescriptor, TextureViewDescriptor and Texture.
#include "src/metal/MTLTexture.hpp"

#include "src/metal/enum_map.hpp"
#include "src/metal/validation.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/host_transfer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

// A checked CPU transfer; nothing when the region is wrong, which has then been reported.
std::optional<vulkan::ImageTransfer> checkTransfer(const Texture& texture, const char* method,
                                                   const MTL::Region& region, NS::UInteger level,
                                                   NS::UInteger slice, NS::UInteger bytesPerRow,
                                                   NS::UInteger bytesPerImage) {
  MTL::StorageMode storage = storageModeOf(texture.options);
  if (storage == MTL::StorageModePrivate || storage == MTL::StorageModeMemoryless) {
    reportMisuse("{}: the CPU cannot reach a texture of storage mode {}.", method,
                 storage == MTL::StorageModePrivate ? "Private" : "Memoryless");
    return std::nullopt;
  }
  if (level >= texture.fields.mipmapLevelCount) {
    reportMisuse("{}: level {} is past the texture's {} levels.", method, level,
                 NS::UInteger(texture.fields.mipmapLevelCount));
    return std::nullopt;
  }
  if (slice >= texture.layerCount()) {
    reportMisuse("{}: slice {} is past the texture's {} slices.", method, slice, texture.layerCount());
    return std::nullopt;
  }
  if (texture.fields.sampleCount > 1) {
    reportMisuse("{}: a multisample texture has no texels that the CPU could reach.", method);
    return std::nullopt;
  }
  MTL::Origin origin = region.origin;
  MTL::Size size = region.size;
  NS::UInteger width = texture.levelWidth(level), height = texture.levelHeight(level),
               depth = texture.levelDepth(level);
  if (size.width == 0 || size.height == 0 || size.depth == 0) return std::nullopt;
  auto fits = [](NS::UInteger start, NS::UInteger length, NS::UInteger limit) {
    return start <= limit && length <= limit - start;
  };
  if (!fits(origin.x, size.width, width) || !fits(origin.y, size.height, height) ||
      !fits(origin.z, size.depth, depth)) {
    reportMisuse(
        "{}: the region from ({}, {}, {}) of {} x {} x {} texels does not fit level {} of {} x {} x {}.",
        method, NS::UInteger(origin.x), NS::UInteger(origin.y), NS::UInteger(origin.z),
        NS::UInteger(size.width), NS::UInteger(size.height), NS::UInteger(size.depth), level, width, height,
        depth);
    return std::nullopt;
  }
  vulkan::FormatInfo info = vulkan::formatInfo(texture.vkFormat);
  NS::UInteger blocks = (size.width + info.blockWidth - 1) / info.blockWidth;
  NS::UInteger rows = (size.height + info.blockHeight - 1) / info.blockHeight;
  NS::UInteger rowBytes = blocks * texture.transferBlockBytes();
  // One row, or one image, needs no pitch.
  if (bytesPerRow == 0 && rows == 1) bytesPerRow = rowBytes;
  if (bytesPerImage == 0) bytesPerImage = bytesPerRow * rows;
  if (bytesPerRow < rowBytes) {
    reportMisuse("{}: {} bytes a row are too few for {} texels of {}, which take {}.", method, bytesPerRow,
                 NS::UInteger(size.width), texture.formatName(), rowBytes);
    return std::nullopt;
  }
  vulkan::ImageTransfer transfer;
  transfer.aspect = texture.transferAspect();
  transfer.level = static_cast<uint32_t>(texture.baseLevel + level);
  transfer.layer = static_cast<uint32_t>(texture.baseSlice + slice);
  transfer.offset = {static_cast<int32_t>(origin.x), static_cast<int32_t>(origin.y),
                     static_cast<int32_t>(origin.z)};
  transfer.extent = {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height),
                     static_cast<uint32_t>(size.depth)};
  transfer.bytesPerRow = bytesPerRow;
  transfer.bytesPerImage = bytesPerImage;
  return transfer;
}

// Between the rows of a texture over a buffer, which the CPU sees, and the caller's.
void copyRows(const Texture& texture, const vulkan::ImageTransfer& transfer, uint8_t* bytes, bool toTexture) {
  const size_t texelBytes = texture.transferBlockBytes();
  for (uint32_t y = 0; y < transfer.extent.height; ++y) {
    uint8_t* there = texture.hostRow(static_cast<NS::UInteger>(transfer.offset.y) + y) +
                     static_cast<size_t>(transfer.offset.x) * texelBytes;
    uint8_t* here = bytes + y * transfer.bytesPerRow;
    std::memcpy(toTexture ? there : here, toTexture ? here : there, transfer.extent.width * texelBytes);
  }
}

void writeTexels(Texture& texture, const MTL::Region& region, NS::UInteger level, NS::UInteger slice,
                 const void* bytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage) {
  if (!bytes) return reportMisuse("Texture::replaceRegion: the source pointer is null.");
  auto transfer =
      checkTransfer(texture, "Texture::replaceRegion", region, level, slice, bytesPerRow, bytesPerImage);
  if (!transfer) return;
  if (texture.hostRow(0))
    return copyRows(texture, *transfer, static_cast<uint8_t*>(const_cast<void*>(bytes)), true);
  auto result = texture.device->backend->hostTransfer().uploadImage(*texture.image, *transfer, bytes);
  if (!result) reportMisuse("Texture::replaceRegion: {}", result.error().message);
}

void readTexels(Texture& texture, void* bytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage,
                const MTL::Region& region, NS::UInteger level, NS::UInteger slice) {
  if (!bytes) return reportMisuse("Texture::getBytes: the destination pointer is null.");
  auto transfer =
      checkTransfer(texture, "Texture::getBytes", region, level, slice, bytesPerRow, bytesPerImage);
  if (!transfer) return;
  if (texture.hostRow(0)) return copyRows(texture, *transfer, static_cast<uint8_t*>(bytes), false);
  auto result = texture.device->backend->hostTransfer().readImage(*texture.image, *transfer, bytes);
  if (!result) reportMisuse("Texture::getBytes: {}", result.error().message);
}

MTL::Texture* makeView(Texture& texture, const TextureViewDescriptorFields& fields) {
  auto view = texture.createView(fields);
  if (!view) {
    reportMisuse("Texture::newTextureView: {}", view.error().message);
    return nullptr;
  }
  return toPublic((*view).detach());
}

TextureViewDescriptorFields wholeView(const Texture& texture) {
  TextureViewDescriptorFields fields;
  fields.textureType = texture.fields.textureType;
  fields.levelRange = NS::Range::Make(0, texture.fields.mipmapLevelCount);
  fields.sliceRange = NS::Range::Make(0, texture.layerCount());
  return fields;
}

NS::UInteger levelsFor(NS::UInteger size, bool mipmapped) {
  return mipmapped ? static_cast<NS::UInteger>(std::bit_width(std::max<uint64_t>(1, size))) : 1;
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::TextureDescriptor)
BASANITE_VALUE(MTL::TextureDescriptor, bool, allowGPUOptimizedContents, setAllowGPUOptimizedContents)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, arrayLength, setArrayLength)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::TextureCompressionType, compressionType, setCompressionType)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::CPUCacheMode, cpuCacheMode, setCpuCacheMode)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, depth, setDepth)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::HazardTrackingMode, hazardTrackingMode, setHazardTrackingMode)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, height, setHeight)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, mipmapLevelCount, setMipmapLevelCount)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::PixelFormat, pixelFormat, setPixelFormat)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::SparsePageSize, placementSparsePageSize,
               setPlacementSparsePageSize)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, sampleCount, setSampleCount)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::StorageMode, storageMode, setStorageMode)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::TextureSwizzleChannels, swizzle, setSwizzle)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::TextureType, textureType, setTextureType)
BASANITE_VALUE(MTL::TextureDescriptor, MTL::TextureUsage, usage, setUsage)
BASANITE_VALUE(MTL::TextureDescriptor, NS::UInteger, width, setWidth)

// The options word and the three modes are two views of the same state.
MTL::ResourceOptions MTL::TextureDescriptor::resourceOptions() const {
  if (!this) return {};
  auto* self = toImpl(this);
  return makeResourceOptions(self->storageMode, self->cpuCacheMode, self->hazardTrackingMode);
}
void MTL::TextureDescriptor::setResourceOptions(MTL::ResourceOptions resourceOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  self->storageMode = storageModeOf(resourceOptions);
  self->cpuCacheMode = cpuCacheModeOf(resourceOptions);
  self->hazardTrackingMode = hazardTrackingModeOf(resourceOptions);
}

MTL::TextureDescriptor* MTL::TextureDescriptor::texture2DDescriptor(MTL::PixelFormat pixelFormat,
                                                                    NS::UInteger width, NS::UInteger height,
                                                                    bool mipmapped) {
  auto* result = new basanite::metal::TextureDescriptor;
  result->pixelFormat = pixelFormat;
  result->width = width;
  result->height = height;
  result->mipmapLevelCount = levelsFor(std::max(width, height), mipmapped);
  return basanite::foundation::toPublicAutoreleased(result);
}
MTL::TextureDescriptor* MTL::TextureDescriptor::textureCubeDescriptor(MTL::PixelFormat pixelFormat,
                                                                      NS::UInteger size, bool mipmapped) {
  auto* result = new basanite::metal::TextureDescriptor;
  result->textureType = MTL::TextureTypeCube;
  result->pixelFormat = pixelFormat;
  result->width = size;
  result->height = size;
  result->mipmapLevelCount = levelsFor(size, mipmapped);
  return basanite::foundation::toPublicAutoreleased(result);
}

MTL::TextureDescriptor* MTL::TextureDescriptor::textureBufferDescriptor(MTL::PixelFormat pixelFormat,
                                                                        NS::UInteger width,
                                                                        MTL::ResourceOptions resourceOptions,
                                                                        MTL::TextureUsage usage) {
  auto* result = new basanite::metal::TextureDescriptor;
  result->textureType = MTL::TextureTypeTextureBuffer;
  result->pixelFormat = pixelFormat;
  result->width = width;
  result->usage = usage;
  result->storageMode = storageModeOf(resourceOptions);
  result->cpuCacheMode = cpuCacheModeOf(resourceOptions);
  result->hazardTrackingMode = hazardTrackingModeOf(resourceOptions);
  return basanite::foundation::toPublicAutoreleased(result);
}

BASANITE_ALLOC_INIT(MTL::TextureViewDescriptor)
BASANITE_VALUE(MTL::TextureViewDescriptor, NS::Range, levelRange, setLevelRange)
BASANITE_VALUE(MTL::TextureViewDescriptor, MTL::PixelFormat, pixelFormat, setPixelFormat)
BASANITE_VALUE(MTL::TextureViewDescriptor, NS::Range, sliceRange, setSliceRange)
BASANITE_VALUE(MTL::TextureViewDescriptor, MTL::TextureSwizzleChannels, swizzle, setSwizzle)
BASANITE_VALUE(MTL::TextureViewDescriptor, MTL::TextureType, textureType, setTextureType)

bool MTL::Texture::allowGPUOptimizedContents() const {
  if (!this) return {};
  return toImpl(this)->fields.allowGPUOptimizedContents;
}
NS::UInteger MTL::Texture::arrayLength() const {
  if (!this) return {};
  return toImpl(this)->fields.arrayLength;
}
MTL::Buffer* MTL::Texture::buffer() const {
  if (!this) return {};
  return toPublic(toImpl(this)->buffer.get());
}
NS::UInteger MTL::Texture::bufferBytesPerRow() const {
  if (!this || !toImpl(this)->buffer) return {};
  return toImpl(this)->bufferBytesPerRow;
}
NS::UInteger MTL::Texture::bufferOffset() const {
  if (!this || !toImpl(this)->buffer) return {};
  return toImpl(this)->bufferOffset;
}
MTL::TextureCompressionType MTL::Texture::compressionType() const {
  if (!this) return {};
  return toImpl(this)->fields.compressionType;
}
NS::UInteger MTL::Texture::depth() const {
  if (!this) return {};
  return toImpl(this)->fields.depth;
}
// No texture is sparse: there is no tail.
NS::UInteger MTL::Texture::firstMipmapInTail() const { return 0; }
NS::UInteger MTL::Texture::tailSizeInBytes() const { return 0; }
bool MTL::Texture::framebufferOnly() const { return isFramebufferOnly(); }
void MTL::Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, MTL::Region region,
                            NS::UInteger level) {
  if (!this) return;
  basanite::metal::readTexels(*toImpl(this), pixelBytes, bytesPerRow, 0, region, level, 0);
}
void MTL::Texture::getBytes(void* pixelBytes, NS::UInteger bytesPerRow, NS::UInteger bytesPerImage,
                            MTL::Region region, NS::UInteger level, NS::UInteger slice) {
  if (!this) return;
  basanite::metal::readTexels(*toImpl(this), pixelBytes, bytesPerRow, bytesPerImage, region, level, slice);
}
MTL::ResourceID MTL::Texture::gpuResourceID() const {
  if (!this) return {};
  return MTL::ResourceID{toImpl(this)->slot()};
}
NS::UInteger MTL::Texture::height() const {
  if (!this) return {};
  return toImpl(this)->fields.height;
}
// Surfaces are of Apple's systems alone.
IOSurfaceRef MTL::Texture::iosurface() const { return {}; }
NS::UInteger MTL::Texture::iosurfacePlane() const { return 0; }
bool MTL::Texture::isFramebufferOnly() const { return false; }
bool MTL::Texture::isShareable() const { return false; }
bool MTL::Texture::isSparse() const { return false; }
NS::UInteger MTL::Texture::mipmapLevelCount() const {
  if (!this) return {};
  return toImpl(this)->fields.mipmapLevelCount;
}
// A process has one device of a GPU, and no device shares memory with another.
MTL::Texture* MTL::Texture::newRemoteTextureViewForDevice(const MTL::Device*) {
  reportMisuse("Texture::newRemoteTextureViewForDevice: no two devices share memory here.");
  return nullptr;
}
MTL::Texture* MTL::Texture::remoteStorageTexture() const { return nullptr; }
MTL::SharedTextureHandle* MTL::Texture::newSharedTextureHandle() {
  reportMisuse("Texture::newSharedTextureHandle: Basanite has no textures that processes share.");
  return nullptr;
}
MTL::Texture* MTL::Texture::newTextureView(MTL::PixelFormat pixelFormat) {
  if (!this) return {};
  auto fields = wholeView(*toImpl(this));
  fields.pixelFormat = pixelFormat;
  fields.swizzle = toImpl(this)->fields.swizzle;
  return makeView(*toImpl(this), fields);
}
MTL::Texture* MTL::Texture::newTextureView(const MTL::TextureViewDescriptor* descriptor) {
  if (!this) return {};
  if (!descriptor) {
    reportMisuse("Texture::newTextureView: the descriptor is null.");
    return nullptr;
  }
  return makeView(*toImpl(this), *toImpl(descriptor));
}
MTL::Texture* MTL::Texture::newTextureView(MTL::PixelFormat pixelFormat, MTL::TextureType textureType,
                                           NS::Range levelRange, NS::Range sliceRange) {
  if (!this) return {};
  return newTextureView(pixelFormat, textureType, levelRange, sliceRange, toImpl(this)->fields.swizzle);
}
MTL::Texture* MTL::Texture::newTextureView(MTL::PixelFormat pixelFormat, MTL::TextureType textureType,
                                           NS::Range levelRange, NS::Range sliceRange,
                                           MTL::TextureSwizzleChannels swizzle) {
  if (!this) return {};
  TextureViewDescriptorFields fields;
  fields.pixelFormat = pixelFormat;
  fields.textureType = textureType;
  fields.levelRange = levelRange;
  fields.sliceRange = sliceRange;
  fields.swizzle = swizzle;
  return makeView(*toImpl(this), fields);
}
NS::UInteger MTL::Texture::parentRelativeLevel() const {
  if (!this) return {};
  return toImpl(this)->parentLevel;
}
NS::UInteger MTL::Texture::parentRelativeSlice() const {
  if (!this) return {};
  return toImpl(this)->parentSlice;
}
MTL::Texture* MTL::Texture::parentTexture() const {
  if (!this) return {};
  return toPublic(toImpl(this)->parent.get());
}
MTL::PixelFormat MTL::Texture::pixelFormat() const {
  if (!this) return {};
  return toImpl(this)->fields.pixelFormat;
}
void MTL::Texture::replaceRegion(MTL::Region region, NS::UInteger level, const void* pixelBytes,
                                 NS::UInteger bytesPerRow) {
  if (!this) return;
  basanite::metal::writeTexels(*toImpl(this), region, level, 0, pixelBytes, bytesPerRow, 0);
}
void MTL::Texture::replaceRegion(MTL::Region region, NS::UInteger level, NS::UInteger slice,
                                 const void* pixelBytes, NS::UInteger bytesPerRow,
                                 NS::UInteger bytesPerImage) {
  if (!this) return;
  basanite::metal::writeTexels(*toImpl(this), region, level, slice, pixelBytes, bytesPerRow, bytesPerImage);
}
// What it was made from.
MTL::Resource* MTL::Texture::rootResource() const {
  if (!this) return {};
  if (toImpl(this)->parent) return toPublic(toImpl(this)->parent.get());
  return toPublic(toImpl(this)->buffer.get());
}
bool MTL::Texture::shareable() const { return isShareable(); }
NS::UInteger MTL::Texture::sampleCount() const {
  if (!this) return {};
  return toImpl(this)->fields.sampleCount;
}
MTL::TextureSparseTier MTL::Texture::sparseTextureTier() const { return MTL::TextureSparseTierNone; }
MTL::TextureSwizzleChannels MTL::Texture::swizzle() const {
  if (!this) return {};
  return toImpl(this)->fields.swizzle;
}
MTL::TextureType MTL::Texture::textureType() const {
  if (!this) return {};
  return toImpl(this)->fields.textureType;
}
MTL::TextureUsage MTL::Texture::usage() const {
  if (!this) return {};
  return toImpl(this)->fields.usage;
}
NS::UInteger MTL::Texture::width() const {
  if (!this) return {};
  return toImpl(this)->fields.width;
}
