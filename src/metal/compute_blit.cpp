// SPDX-License-Identifier: Apache-2.0
// The blit half of MTL4::ComputeCommandEncoder: copies, fills, mipmaps.
#include "src/metal/MTL4ComputeCommandEncoder.hpp"
#include "src/metal/MTLBuffer.hpp"
#include "src/metal/MTLTexture.hpp"
#include "src/metal/enum_map.hpp"
#include "src/vulkan/format_table.hpp"

#include <Metal/MTLBlitCommandEncoder.hpp>
#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

using basanite::foundation::toImpl;

namespace basanite::metal {

namespace {

// Where a slice of a level of a texture lies in its image: 3D textures have planes where others have layers.
struct TextureRegion {
  VkImageSubresourceLayers subresource{};
  VkOffset3D offset{};
  VkExtent3D extent{};
};

// Checks method arguments; the encoder and the method's name ride along.
class BlitCheck {
 public:
  BlitCheck(ComputeCommandEncoder4& encoder, const char* method)
      : m_errors(encoder.commandBuffer->errors), m_method(method) {}

  bool buffer(const Buffer* buffer, const char* role, NS::UInteger offset, NS::UInteger length) {
    if (!buffer) return fail(fmt::format("the {} buffer is null", role));
    uint64_t size = buffer->backend->length();
    if (offset <= size && length <= size - offset) return true;
    return fail(fmt::format("{} bytes from offset {} on do not fit the {} buffer of {} bytes", length, offset,
                            role, size));
  }

  bool texture(const Texture* texture, const char* role, NS::UInteger slice, NS::UInteger level) {
    if (!texture) return fail(fmt::format("the {} texture is null", role));
    if (!texture->image)
      return fail(fmt::format("the {} texture is a texture buffer, which is copied as a buffer", role));
    if (level >= texture->fields.mipmapLevelCount)
      return fail(fmt::format("level {} is past the {} texture's {} levels", level, role,
                              NS::UInteger(texture->fields.mipmapLevelCount)));
    if (slice < texture->layerCount()) return true;
    return fail(
        fmt::format("slice {} is past the {} texture's {} slices", slice, role, texture->layerCount()));
  }

  bool region(const Texture& texture, const char* role, NS::UInteger level, const MTL::Origin& origin,
              const MTL::Size& size) {
    NS::UInteger width = texture.levelWidth(level), height = texture.levelHeight(level),
                 depth = texture.levelDepth(level);
    bool fits = origin.x <= width && size.width <= width - origin.x && origin.y <= height &&
                size.height <= height - origin.y && origin.z <= depth && size.depth <= depth - origin.z;
    if (fits) return true;
    return fail(fmt::format(
        "the region from ({}, {}, {}) of {} x {} x {} texels does not fit level {} of the {} texture, "
        "{} x {} x {}",
        NS::UInteger(origin.x), NS::UInteger(origin.y), NS::UInteger(origin.z), NS::UInteger(size.width),
        NS::UInteger(size.height), NS::UInteger(size.depth), level, role, width, height, depth));
  }

  bool fail(const std::string& sentence) {
    m_errors.report("{}: {}.", m_method, sentence);
    return false;
  }

 private:
  ErrorKeeper& m_errors;
  const char* m_method;
};

TextureRegion toRegion(const Texture& texture, VkImageAspectFlags aspect, NS::UInteger slice,
                       NS::UInteger level, const MTL::Origin& origin, const MTL::Size& size) {
  TextureRegion region;
  region.subresource = {aspect, static_cast<uint32_t>(texture.baseLevel + level),
                        static_cast<uint32_t>(texture.baseSlice + slice), 1};
  region.offset = {static_cast<int32_t>(origin.x), static_cast<int32_t>(origin.y),
                   static_cast<int32_t>(origin.z)};
  region.extent = {static_cast<uint32_t>(size.width), static_cast<uint32_t>(size.height),
                   static_cast<uint32_t>(size.depth)};
  return region;
}

// The aspect that a buffer copy moves; nothing when it was reported.
std::optional<VkImageAspectFlags> copyAspect(BlitCheck& check, const Texture& texture,
                                             MTL::BlitOption options) {
  if (options & MTL::BlitOptionRowLinearPVRTC) {
    check.fail("BlitOptionRowLinearPVRTC needs a PVRTC texture, which Basanite cannot make");
    return std::nullopt;
  }
  vulkan::FormatInfo info = vulkan::formatInfo(texture.vkFormat);
  bool wantsDepth = options & MTL::BlitOptionDepthFromDepthStencil;
  bool wantsStencil = options & MTL::BlitOptionStencilFromDepthStencil;
  if (info.isDepth() && info.isStencil()) {
    if (wantsDepth != wantsStencil)
      return VkImageAspectFlags(wantsDepth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT);
    check.fail(fmt::format("a texture of format {} needs a blit option that chooses depth or stencil",
                           texture.formatName()));
    return std::nullopt;
  }
  if (wantsDepth || wantsStencil) {
    check.fail(fmt::format("the blit option chooses depth or stencil, but the format {} does not have both",
                           texture.formatName()));
    return std::nullopt;
  }
  return texture.transferAspect();
}

// The buffer side of a buffer-texture copy, and how many bytes it spans; nothing when it was reported.
struct BufferLayout {
  uint32_t rowTexels = 0, imageTexels = 0;
  NS::UInteger bytes = 0;
};
std::optional<BufferLayout> bufferLayout(BlitCheck& check, const Texture& texture, VkImageAspectFlags aspect,
                                         NS::UInteger offset, NS::UInteger bytesPerRow,
                                         NS::UInteger bytesPerImage, const MTL::Size& size) {
  vulkan::FormatInfo info = vulkan::formatInfo(texture.vkFormat);
  NS::UInteger blockBytes = vulkan::aspectBytes(texture.vkFormat, aspect);
  NS::UInteger columns = (size.width + info.blockWidth - 1) / info.blockWidth;
  NS::UInteger rows = (size.height + info.blockHeight - 1) / info.blockHeight;
  if (bytesPerRow == 0 && rows == 1) bytesPerRow = columns * blockBytes;
  if (bytesPerImage == 0) bytesPerImage = bytesPerRow * rows;
  if (offset % blockBytes != 0 || bytesPerRow % blockBytes != 0) {
    check.fail(fmt::format("offset {} and {} bytes a row must be multiples of {}'s {} bytes", offset,
                           bytesPerRow, texture.formatName(), blockBytes));
    return std::nullopt;
  }
  if (bytesPerRow < columns * blockBytes) {
    check.fail(fmt::format("{} bytes a row are too few for {} texels of {}, which take {}", bytesPerRow,
                           NS::UInteger(size.width), texture.formatName(), columns * blockBytes));
    return std::nullopt;
  }
  if (size.depth > 1 && (bytesPerImage % bytesPerRow != 0 || bytesPerImage < bytesPerRow * rows)) {
    check.fail(fmt::format("{} bytes an image must be a multiple of {} bytes a row and hold {} rows",
                           bytesPerImage, bytesPerRow, rows));
    return std::nullopt;
  }
  BufferLayout layout;
  layout.rowTexels = static_cast<uint32_t>(bytesPerRow / blockBytes * info.blockWidth);
  layout.imageTexels =
      size.depth > 1 ? static_cast<uint32_t>(bytesPerImage / bytesPerRow * info.blockHeight) : 0;
  layout.bytes = (size.depth - 1) * bytesPerImage + (rows - 1) * bytesPerRow + columns * blockBytes;
  return layout;
}

bool isEmpty(const MTL::Size& size) { return size.width == 0 || size.height == 0 || size.depth == 0; }

// One side of a copy between a buffer and a texture; both directions describe it alike.
struct BufferTextureCopy {
  const Buffer* buffer;
  NS::UInteger offset, bytesPerRow, bytesPerImage;
  const Texture* texture;
  NS::UInteger slice, level;
  MTL::Origin origin;
  MTL::Size size;
  MTL::BlitOption options;
};

void copyBufferTexture(ComputeCommandEncoder4& encoder, const char* method, const BufferTextureCopy& copy,
                       bool toTexture) {
  if (!encoder.beginBlit(method)) return;
  BlitCheck check(encoder, method);
  const char* textureRole = toTexture ? "destination" : "source";
  const char* bufferRole = toTexture ? "source" : "destination";
  if (!check.texture(copy.texture, textureRole, copy.slice, copy.level)) return;
  const Texture& texture = *copy.texture;
  if (!check.region(texture, textureRole, copy.level, copy.origin, copy.size)) return;
  if (isEmpty(copy.size)) return;
  auto aspect = copyAspect(check, texture, copy.options);
  if (!aspect) return;
  auto layout =
      bufferLayout(check, texture, *aspect, copy.offset, copy.bytesPerRow, copy.bytesPerImage, copy.size);
  if (!layout || !check.buffer(copy.buffer, bufferRole, copy.offset, layout->bytes)) return;
  TextureRegion region = toRegion(texture, *aspect, copy.slice, copy.level, copy.origin, copy.size);
  VkBufferImageCopy2 vkCopy{VK_STRUCTURE_TYPE_BUFFER_IMAGE_COPY_2};
  vkCopy.bufferOffset = copy.offset;
  vkCopy.bufferRowLength = layout->rowTexels;
  vkCopy.bufferImageHeight = layout->imageTexels;
  vkCopy.imageSubresource = region.subresource;
  vkCopy.imageOffset = region.offset;
  vkCopy.imageExtent = region.extent;
  vulkan::CommandBuffer& commands = *encoder.commandBuffer->backend;
  if (toTexture)
    commands.copyBufferToImage(copy.buffer->backend->vkBuffer(), *texture.image, {&vkCopy, 1});
  else
    commands.copyImageToBuffer(*texture.image, copy.buffer->backend->vkBuffer(), {&vkCopy, 1});
}

// Both textures have been checked on their own.
bool checkPair(BlitCheck& check, const Texture& source, const Texture& destination) {
  if (source.fields.sampleCount != destination.fields.sampleCount)
    return check.fail(fmt::format("the source has {} samples a pixel, the destination {}",
                                  NS::UInteger(source.fields.sampleCount),
                                  NS::UInteger(destination.fields.sampleCount)));
  vulkan::FormatInfo from = vulkan::formatInfo(source.vkFormat),
                     to = vulkan::formatInfo(destination.vkFormat);
  bool alike = from.blockBytes == to.blockBytes && from.aspects == to.aspects &&
               from.blockWidth == to.blockWidth && from.blockHeight == to.blockHeight;
  if (alike) return true;
  return check.fail(
      fmt::format("texels of {} cannot be copied to {}", source.formatName(), destination.formatName()));
}

bool rangesMeet(NS::UInteger a, NS::UInteger b, NS::UInteger length) {
  return a < b ? b - a < length : a - b < length;
}

// Whether slices and levels of two textures are the same of one image; views count as the image that they
// show.
bool subresourcesMeet(const Texture& source, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
                      const Texture& destination, NS::UInteger destinationSlice,
                      NS::UInteger destinationLevel, NS::UInteger sliceCount, NS::UInteger levelCount) {
  return source.image.get() == destination.image.get() &&
         rangesMeet(source.baseSlice + sourceSlice, destination.baseSlice + destinationSlice, sliceCount) &&
         rangesMeet(source.baseLevel + sourceLevel, destination.baseLevel + destinationLevel, levelCount);
}

VkImageCopy2 toImageCopy(const Texture& source, const TextureRegion& from, const Texture& destination,
                         const TextureRegion& to) {
  VkImageCopy2 copy{VK_STRUCTURE_TYPE_IMAGE_COPY_2};
  copy.srcSubresource = from.subresource;
  copy.srcSubresource.aspectMask = source.image->aspects();
  copy.srcOffset = from.offset;
  copy.dstSubresource = to.subresource;
  copy.dstSubresource.aspectMask = destination.image->aspects();
  copy.dstOffset = to.offset;
  copy.extent = from.extent;
  return copy;
}

// Whole slices and levels.
void copySlices(ComputeCommandEncoder4& encoder, const char* method, const Texture* source,
                NS::UInteger sourceSlice, NS::UInteger sourceLevel, const Texture* destination,
                NS::UInteger destinationSlice, NS::UInteger destinationLevel, NS::UInteger sliceCount,
                NS::UInteger levelCount) {
  if (!encoder.beginBlit(method)) return;
  if (sliceCount == 0 || levelCount == 0) return;
  BlitCheck check(encoder, method);
  constexpr NS::UInteger kMost = std::numeric_limits<uint32_t>::max(); // so that the sums below cannot wrap
  if (std::max({sourceSlice, sourceLevel, destinationSlice, destinationLevel, sliceCount, levelCount}) >
      kMost) {
    check.fail(fmt::format(
        "{} slices and {} levels from slice {} and level {} to slice {} and level {} are out of range",
        sliceCount, levelCount, sourceSlice, sourceLevel, destinationSlice, destinationLevel));
    return;
  }
  if (!check.texture(source, "source", sourceSlice + sliceCount - 1, sourceLevel + levelCount - 1) ||
      !check.texture(destination, "destination", destinationSlice + sliceCount - 1,
                     destinationLevel + levelCount - 1) ||
      !checkPair(check, *source, *destination))
    return;
  if (subresourcesMeet(*source, sourceSlice, sourceLevel, *destination, destinationSlice, destinationLevel,
                       sliceCount, levelCount)) {
    check.fail("the source and the destination slices overlap in one texture");
    return;
  }
  std::vector<VkImageCopy2> copies;
  for (NS::UInteger i = 0; i < levelCount; ++i) {
    NS::UInteger from = sourceLevel + i, to = destinationLevel + i;
    MTL::Size size =
        MTL::Size::Make(source->levelWidth(from), source->levelHeight(from), source->levelDepth(from));
    MTL::Origin origin = MTL::Origin::Make(0, 0, 0);
    if (!check.region(*destination, "destination", to, origin, size)) return;
    VkImageAspectFlags aspect = source->transferAspect();
    VkImageCopy2 copy =
        toImageCopy(*source, toRegion(*source, aspect, sourceSlice, from, origin, size), *destination,
                    toRegion(*destination, aspect, destinationSlice, to, origin, size));
    copy.srcSubresource.layerCount = copy.dstSubresource.layerCount = static_cast<uint32_t>(sliceCount);
    copies.push_back(copy);
  }
  encoder.commandBuffer->backend->copyImage(*source->image, *destination->image, copies);
}

const Texture* implOrNull(const MTL::Texture* texture) { return texture ? toImpl(texture) : nullptr; }
const Buffer* implOrNull(const MTL::Buffer* buffer) { return buffer ? toImpl(buffer) : nullptr; }

constexpr const char* kCopyFromBuffer = "ComputeCommandEncoder::copyFromBuffer";
constexpr const char* kCopyFromTexture = "ComputeCommandEncoder::copyFromTexture";

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

void MTL4::ComputeCommandEncoder::copyFromBuffer(const MTL::Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                                 const MTL::Buffer* destinationBuffer,
                                                 NS::UInteger destinationOffset, NS::UInteger size) {
  if (!this || !toImpl(this)->beginBlit(kCopyFromBuffer)) return;
  auto* self = toImpl(this);
  const auto* source = implOrNull(sourceBuffer);
  const auto* destination = implOrNull(destinationBuffer);
  BlitCheck check(*self, kCopyFromBuffer);
  if (!check.buffer(source, "source", sourceOffset, size) ||
      !check.buffer(destination, "destination", destinationOffset, size))
    return;
  if (source == destination && sourceOffset < destinationOffset + size &&
      destinationOffset < sourceOffset + size && size != 0) {
    check.fail(fmt::format("source bytes from {} and destination bytes from {} on overlap", sourceOffset,
                           destinationOffset));
    return;
  }
  self->commandBuffer->backend->copyBuffer(source->backend->vkBuffer(), sourceOffset,
                                           destination->backend->vkBuffer(), destinationOffset, size);
}

void MTL4::ComputeCommandEncoder::copyFromBuffer(const MTL::Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                                 NS::UInteger sourceBytesPerRow,
                                                 NS::UInteger sourceBytesPerImage, MTL::Size sourceSize,
                                                 const MTL::Texture* destinationTexture,
                                                 NS::UInteger destinationSlice, NS::UInteger destinationLevel,
                                                 MTL::Origin destinationOrigin) {
  copyFromBuffer(sourceBuffer, sourceOffset, sourceBytesPerRow, sourceBytesPerImage, sourceSize,
                 destinationTexture, destinationSlice, destinationLevel, destinationOrigin,
                 MTL::BlitOptionNone);
}

void MTL4::ComputeCommandEncoder::copyFromBuffer(const MTL::Buffer* sourceBuffer, NS::UInteger sourceOffset,
                                                 NS::UInteger sourceBytesPerRow,
                                                 NS::UInteger sourceBytesPerImage, MTL::Size sourceSize,
                                                 const MTL::Texture* destinationTexture,
                                                 NS::UInteger destinationSlice, NS::UInteger destinationLevel,
                                                 MTL::Origin destinationOrigin, MTL::BlitOption options) {
  if (!this) return;
  copyBufferTexture(*toImpl(this), kCopyFromBuffer,
                    {implOrNull(sourceBuffer), sourceOffset, sourceBytesPerRow, sourceBytesPerImage,
                     implOrNull(destinationTexture), destinationSlice, destinationLevel, destinationOrigin,
                     sourceSize, options},
                    true);
}

void MTL4::ComputeCommandEncoder::copyFromTexture(const MTL::Texture* sourceTexture,
                                                  const MTL::Texture* destinationTexture) {
  if (!this) return;
  const auto* source = implOrNull(sourceTexture);
  copySlices(*toImpl(this), kCopyFromTexture, source, 0, 0, implOrNull(destinationTexture), 0, 0,
             source ? source->layerCount() : 1, source ? NS::UInteger(source->fields.mipmapLevelCount) : 1);
}

void MTL4::ComputeCommandEncoder::copyFromTexture(const MTL::Texture* sourceTexture, NS::UInteger sourceSlice,
                                                  NS::UInteger sourceLevel,
                                                  const MTL::Texture* destinationTexture,
                                                  NS::UInteger destinationSlice,
                                                  NS::UInteger destinationLevel, NS::UInteger sliceCount,
                                                  NS::UInteger levelCount) {
  if (!this) return;
  copySlices(*toImpl(this), kCopyFromTexture, implOrNull(sourceTexture), sourceSlice, sourceLevel,
             implOrNull(destinationTexture), destinationSlice, destinationLevel, sliceCount, levelCount);
}

void MTL4::ComputeCommandEncoder::copyFromTexture(const MTL::Texture* sourceTexture, NS::UInteger sourceSlice,
                                                  NS::UInteger sourceLevel, MTL::Origin sourceOrigin,
                                                  MTL::Size sourceSize, const MTL::Buffer* destinationBuffer,
                                                  NS::UInteger destinationOffset,
                                                  NS::UInteger destinationBytesPerRow,
                                                  NS::UInteger destinationBytesPerImage) {
  copyFromTexture(sourceTexture, sourceSlice, sourceLevel, sourceOrigin, sourceSize, destinationBuffer,
                  destinationOffset, destinationBytesPerRow, destinationBytesPerImage, MTL::BlitOptionNone);
}

void MTL4::ComputeCommandEncoder::copyFromTexture(
    const MTL::Texture* sourceTexture, NS::UInteger sourceSlice, NS::UInteger sourceLevel,
    MTL::Origin sourceOrigin, MTL::Size sourceSize, const MTL::Texture* destinationTexture,
    NS::UInteger destinationSlice, NS::UInteger destinationLevel, MTL::Origin destinationOrigin) {
  if (!this || !toImpl(this)->beginBlit(kCopyFromTexture)) return;
  auto* self = toImpl(this);
  const auto* source = implOrNull(sourceTexture);
  const auto* destination = implOrNull(destinationTexture);
  BlitCheck check(*self, kCopyFromTexture);
  if (!check.texture(source, "source", sourceSlice, sourceLevel) ||
      !check.texture(destination, "destination", destinationSlice, destinationLevel) ||
      !check.region(*source, "source", sourceLevel, sourceOrigin, sourceSize) ||
      !check.region(*destination, "destination", destinationLevel, destinationOrigin, sourceSize) ||
      !checkPair(check, *source, *destination) || isEmpty(sourceSize))
    return;
  VkImageAspectFlags aspect = source->transferAspect();
  if (subresourcesMeet(*source, sourceSlice, sourceLevel, *destination, destinationSlice, destinationLevel, 1,
                       1) &&
      rangesMeet(sourceOrigin.x, destinationOrigin.x, sourceSize.width) &&
      rangesMeet(sourceOrigin.y, destinationOrigin.y, sourceSize.height) &&
      rangesMeet(sourceOrigin.z, destinationOrigin.z, sourceSize.depth)) {
    check.fail("the source and the destination region overlap in one texture");
    return;
  }
  VkImageCopy2 copy = toImageCopy(
      *source, toRegion(*source, aspect, sourceSlice, sourceLevel, sourceOrigin, sourceSize), *destination,
      toRegion(*destination, aspect, destinationSlice, destinationLevel, destinationOrigin, sourceSize));
  self->commandBuffer->backend->copyImage(*source->image, *destination->image, {&copy, 1});
}

void MTL4::ComputeCommandEncoder::copyFromTexture(const MTL::Texture* sourceTexture, NS::UInteger sourceSlice,
                                                  NS::UInteger sourceLevel, MTL::Origin sourceOrigin,
                                                  MTL::Size sourceSize, const MTL::Buffer* destinationBuffer,
                                                  NS::UInteger destinationOffset,
                                                  NS::UInteger destinationBytesPerRow,
                                                  NS::UInteger destinationBytesPerImage,
                                                  MTL::BlitOption options) {
  if (!this) return;
  copyBufferTexture(*toImpl(this), kCopyFromTexture,
                    {implOrNull(destinationBuffer), destinationOffset, destinationBytesPerRow,
                     destinationBytesPerImage, implOrNull(sourceTexture), sourceSlice, sourceLevel,
                     sourceOrigin, sourceSize, options},
                    false);
}

void MTL4::ComputeCommandEncoder::fillBuffer(const MTL::Buffer* buffer, NS::Range range, uint8_t value) {
  constexpr const char* kMethod = "ComputeCommandEncoder::fillBuffer";
  if (!this || !toImpl(this)->beginBlit(kMethod)) return;
  auto* self = toImpl(this);
  BlitCheck check(*self, kMethod);
  if (range.length == 0) {
    check.fail("the range is empty");
    return;
  }
  if (!check.buffer(implOrNull(buffer), "filled", range.location, range.length)) return;
  self->commandBuffer->backend->fillBuffer(toImpl(buffer)->backend->vkBuffer(), range.location, range.length,
                                           value);
}

void MTL4::ComputeCommandEncoder::generateMipmaps(const MTL::Texture* texture) {
  constexpr const char* kMethod = "ComputeCommandEncoder::generateMipmaps";
  if (!this || !toImpl(this)->beginBlit(kMethod)) return;
  auto* self = toImpl(this);
  BlitCheck check(*self, kMethod);
  if (!check.texture(implOrNull(texture), "mipmapped", 0, 0)) return;
  const auto* impl = toImpl(texture);
  if (impl->fields.mipmapLevelCount < 2) {
    check.fail("the texture has only one level");
    return;
  }
  if (impl->vkFormat != impl->image->info().format) {
    check.fail(fmt::format(
        "the view has the format {}, but Vulkan filters levels in the format of the texture it shows",
        impl->formatName()));
    return;
  }
  if (!self->commandBuffer->device->backend->formats().filterable(impl->vkFormat)) {
    check.fail(fmt::format("the device cannot filter the format {}", impl->formatName()));
    return;
  }
  self->commandBuffer->backend->generateMipmaps(*impl->image, static_cast<uint32_t>(impl->baseLevel),
                                                static_cast<uint32_t>(impl->fields.mipmapLevelCount),
                                                static_cast<uint32_t>(impl->baseSlice), impl->layerCount());
}

// Images have one layout for their whole life, so there is nothing to optimize for either side.
void MTL4::ComputeCommandEncoder::optimizeContentsForCPUAccess(const MTL::Texture*) {
  if (this) toImpl(this)->beginBlit("ComputeCommandEncoder::optimizeContentsForCPUAccess");
}
void MTL4::ComputeCommandEncoder::optimizeContentsForCPUAccess(const MTL::Texture*, NS::UInteger,
                                                               NS::UInteger) {
  if (this) toImpl(this)->beginBlit("ComputeCommandEncoder::optimizeContentsForCPUAccess");
}
void MTL4::ComputeCommandEncoder::optimizeContentsForGPUAccess(const MTL::Texture*) {
  if (this) toImpl(this)->beginBlit("ComputeCommandEncoder::optimizeContentsForGPUAccess");
}
void MTL4::ComputeCommandEncoder::optimizeContentsForGPUAccess(const MTL::Texture*, NS::UInteger,
                                                               NS::UInteger) {
  if (this) toImpl(this)->beginBlit("ComputeCommandEncoder::optimizeContentsForGPUAccess");
}
