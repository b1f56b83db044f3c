// SPDX-License-Identifier: Apache-2.0
// How a texture or a texture view is made from its descriptor: checks first, then one image and one bindless
// slot.
#include "src/metal/MTLTexture.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/enum_map.hpp"
#include "src/vulkan/format_table.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <limits>

namespace basanite::metal {

namespace {

bool isDepthOrStencil(VkFormat format) {
  return vulkan::formatInfo(format).aspects & (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
}

// Formats with an sRGB twin may be viewed as that twin without being asked for it at creation.
bool hasSrgbTwin(MTL::PixelFormat format) {
  switch (format) {
  case MTL::PixelFormatRGBA8Unorm:
  case MTL::PixelFormatRGBA8Unorm_sRGB:
  case MTL::PixelFormatBGRA8Unorm:
  case MTL::PixelFormatBGRA8Unorm_sRGB:
    return true;
  default:
    return false;
  }
}

VkComponentMapping toVkMapping(const MTL::TextureSwizzleChannels& channels, MTL::PixelFormat format) {
  VkComponentMapping mapping{toVkSwizzle(channels.red), toVkSwizzle(channels.green),
                             toVkSwizzle(channels.blue), toVkSwizzle(channels.alpha)};
  if (isAlphaOnly(format)) {
    // Alpha is stored in the red channel; the color channels read as zero.
    auto throughAlpha = [](VkComponentSwizzle wanted) {
      if (wanted == VK_COMPONENT_SWIZZLE_A) return VK_COMPONENT_SWIZZLE_R;
      return wanted == VK_COMPONENT_SWIZZLE_ONE ? VK_COMPONENT_SWIZZLE_ONE : VK_COMPONENT_SWIZZLE_ZERO;
    };
    return {throughAlpha(mapping.r), throughAlpha(mapping.g), throughAlpha(mapping.b),
            throughAlpha(mapping.a)};
  }
  // The backend gives storage access only to views whose swizzle it sees to be the identity.
  auto simplify = [](VkComponentSwizzle wanted, VkComponentSwizzle own) {
    return wanted == own ? VK_COMPONENT_SWIZZLE_IDENTITY : wanted;
  };
  return {simplify(mapping.r, VK_COMPONENT_SWIZZLE_R), simplify(mapping.g, VK_COMPONENT_SWIZZLE_G),
          simplify(mapping.b, VK_COMPONENT_SWIZZLE_B), simplify(mapping.a, VK_COMPONENT_SWIZZLE_A)};
}

base::Result<void> checkSwizzle(const MTL::TextureSwizzleChannels& swizzle) {
  BASANITE_TRY_VOID(checkEnum("The swizzle's red channel", swizzle.red));
  BASANITE_TRY_VOID(checkEnum("The swizzle's green channel", swizzle.green));
  BASANITE_TRY_VOID(checkEnum("The swizzle's blue channel", swizzle.blue));
  BASANITE_TRY_VOID(checkEnum("The swizzle's alpha channel", swizzle.alpha));
  return {};
}

base::Result<void> checkDescriptor(const TextureDescriptorFields& d) {
  BASANITE_TRY_VOID(checkEnum("textureType", d.textureType));
  BASANITE_TRY_VOID(checkEnum("storageMode", d.storageMode));
  BASANITE_TRY_VOID(checkEnum("cpuCacheMode", d.cpuCacheMode));
  BASANITE_TRY_VOID(checkEnum("hazardTrackingMode", d.hazardTrackingMode));
  BASANITE_TRY_VOID(checkEnum("compressionType", d.compressionType));
  BASANITE_TRY_VOID(checkSwizzle(d.swizzle));
  const PixelFormatInfo* format = pixelFormatInfo(d.pixelFormat);
  if (!format)
    return base::Error{
        fmt::format("A texture needs a pixel format; {} is none.", static_cast<uint64_t>(d.pixelFormat))};
  if (format->vkFormat == VK_FORMAT_UNDEFINED)
    return base::Error{fmt::format("The pixel format {} has no counterpart in Vulkan.", format->name)};
  if (d.placementSparsePageSize != 0)
    return base::Error{"Basanite has no textures with placement sparse pages (placementSparsePageSize)."};
  constexpr NS::UInteger kMost = std::numeric_limits<int32_t>::max(); // Vulkan's coordinates are 32-bit
  if (d.width > kMost || d.height > kMost || d.depth > kMost || d.arrayLength > kMost / 6)
    return base::Error{fmt::format("A texture of {} x {} x {} texels and {} slices is too large.",
                                   NS::UInteger(d.width), NS::UInteger(d.height), NS::UInteger(d.depth),
                                   NS::UInteger(d.arrayLength))};
  if (d.width == 0 || d.height == 0 || d.depth == 0)
    return base::Error{fmt::format("A texture of {} x {} x {} texels is empty.", NS::UInteger(d.width),
                                   NS::UInteger(d.height), NS::UInteger(d.depth))};
  if (d.arrayLength == 0 || (d.arrayLength > 1 && !isArrayTexture(d.textureType)))
    return base::Error{
        fmt::format("The array length is {}, but this texture type takes 1 (array types: 1 or more).",
                    NS::UInteger(d.arrayLength))};
  if (d.depth > 1 && d.textureType != MTL::TextureType3D)
    return base::Error{fmt::format("The depth is {}, but only 3D textures have one.", NS::UInteger(d.depth))};
  const bool texelBuffer = d.textureType == MTL::TextureTypeTextureBuffer;
  if ((texelBuffer || toVkImageType(d.textureType) == VK_IMAGE_TYPE_1D) && d.height > 1)
    return base::Error{fmt::format("The height is {}, but a {}'s is 1.", NS::UInteger(d.height),
                                   textureTypeName(d.textureType))};
  if (isCubeTexture(d.textureType) && d.width != d.height)
    return base::Error{fmt::format("A cube's faces are square, not {} x {}.", NS::UInteger(d.width),
                                   NS::UInteger(d.height))};
  uint64_t largest = std::max<uint64_t>({d.width, d.height, d.depth});
  uint64_t mostLevels = texelBuffer ? 1 : static_cast<uint64_t>(std::bit_width(largest));
  if (d.mipmapLevelCount == 0 || d.mipmapLevelCount > mostLevels)
    return base::Error{fmt::format("The mipmap level count is {}, but a texture of this size has 1 to {}.",
                                   NS::UInteger(d.mipmapLevelCount), mostLevels)};
  if (!std::has_single_bit(static_cast<uint64_t>(d.sampleCount)) || d.sampleCount > 64)
    return base::Error{fmt::format("The sample count is {}; it must be a power of two up to 64.",
                                   NS::UInteger(d.sampleCount))};
  if ((d.sampleCount > 1) != isMultisampleTexture(d.textureType))
    return base::Error{
        fmt::format("The sample count is {}, but more than one sample goes with multisample texture "
                    "types and only with them.",
                    NS::UInteger(d.sampleCount))};
  if (isAlphaOnly(d.pixelFormat) &&
      (d.usage & (MTL::TextureUsageRenderTarget | MTL::TextureUsageShaderWrite)))
    return base::Error{"A8Unorm textures can be read by shaders but neither rendered to nor written."};
  return {};
}

// A texture that is itself written by shaders needs a storage view: without one its writes would vanish
// unseen. With TextureUsagePixelFormatView it may be written through a view of another format.
base::Result<void> checkWritable(const TextureDescriptorFields& d, const vulkan::FormatTable& formats) {
  if (!(d.usage & (MTL::TextureUsageShaderWrite | MTL::TextureUsageShaderAtomic)) ||
      (d.usage & MTL::TextureUsagePixelFormatView))
    return {};
  if (!formats.storage(toVkFormat(d.pixelFormat)))
    return base::Error{fmt::format("Shaders cannot write textures of format {} on this device; view one of a "
                                   "format that they can (TextureUsagePixelFormatView).",
                                   pixelFormatName(d.pixelFormat))};
  if (isMultisampleTexture(d.textureType)) return base::Error{"Shaders cannot write multisample textures."};
  return {};
}

VkImageUsageFlags imageUsage(const TextureDescriptorFields& d, VkFormat vkFormat,
                             const vulkan::FormatTable& formats) {
  VkImageUsageFlags attachment = isDepthOrStencil(vkFormat) ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT
                                                            : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;
  if (d.usage == MTL::TextureUsageUnknown) {
    VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    if (formats.storage(vkFormat) && !isMultisampleTexture(d.textureType) && !isAlphaOnly(d.pixelFormat))
      usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (formats.renderable(vkFormat) && !isAlphaOnly(d.pixelFormat)) usage |= attachment;
    return usage;
  }
  VkImageUsageFlags usage = 0;
  if (d.usage & MTL::TextureUsageShaderRead) usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (d.usage & (MTL::TextureUsageShaderWrite | MTL::TextureUsageShaderAtomic))
    usage |= VK_IMAGE_USAGE_STORAGE_BIT;
  if (d.usage & MTL::TextureUsageRenderTarget) usage |= attachment;
  return usage;
}

} // namespace

Texture::Texture(Device* owner, const TextureDescriptorFields& descriptor)
    : Resource(owner, makeResourceOptions(descriptor.storageMode, descriptor.cpuCacheMode,
                                          descriptor.hazardTrackingMode)),
      fields(descriptor), vkFormat(toVkFormat(descriptor.pixelFormat)) {}

base::Result<vulkan::ImageInfo> Texture::imageInfo(Device* device, const TextureDescriptorFields& d) {
  BASANITE_TRY_VOID(checkDescriptor(d));
  BASANITE_TRY_VOID(checkWritable(d, device->backend->formats()));
  vulkan::ImageInfo info;
  info.type = toVkImageType(d.textureType);
  info.format = toVkFormat(d.pixelFormat);
  info.width = static_cast<uint32_t>(d.width);
  info.height = static_cast<uint32_t>(d.height);
  info.depth = static_cast<uint32_t>(d.depth);
  info.mipLevels = static_cast<uint32_t>(d.mipmapLevelCount);
  info.arrayLayers = static_cast<uint32_t>(isCubeTexture(d.textureType) ? d.arrayLength * 6 : d.arrayLength);
  info.samples = static_cast<VkSampleCountFlagBits>(d.sampleCount);
  info.usage = imageUsage(d, info.format, device->backend->formats());
  // Arrays of squares may be viewed as cubes.
  info.cubeCompatible = isCubeTexture(d.textureType) || (d.textureType == MTL::TextureType2DArray &&
                                                         d.width == d.height && d.arrayLength >= 6);
  info.mutableFormat = (d.usage & MTL::TextureUsagePixelFormatView) || hasSrgbTwin(d.pixelFormat);
  return info;
}

base::Result<foundation::Retained<Texture>> Texture::create(Device* device,
                                                            const TextureDescriptorFields& d) {
  auto makeImage = [device](const vulkan::ImageInfo& info) {
    return vulkan::Image::create(device->backend, info);
  };
  auto makeBuffer = [device, &d](NS::UInteger lengthBytes) {
    bool near = d.storageMode == MTL::StorageModeShared || d.storageMode == MTL::StorageModeManaged;
    return vulkan::Buffer::create(device->backend, lengthBytes,
                                  near ? vulkan::MemoryKind::shared : vulkan::MemoryKind::deviceLocal);
  };
  return create(device, d, makeImage, makeBuffer);
}

base::Result<foundation::Retained<Texture>> Texture::create(Device* device, const TextureDescriptorFields& d,
                                                            const ImageMaker& makeImage,
                                                            const BufferMaker& makeBuffer) {
  auto texture = foundation::Retained<Texture>::adopt(new Texture(device, d));
  if (d.textureType == MTL::TextureTypeTextureBuffer) {
    BASANITE_TRY(NS::UInteger lengthBytes, texelBufferBytes(d));
    BASANITE_TRY(auto bytes, makeBuffer(lengthBytes));
    BASANITE_TRY_VOID(texture->openTexels(bytes, 0, Slot::own));
    return texture;
  }
  BASANITE_TRY(vulkan::ImageInfo info, imageInfo(device, d));
  BASANITE_TRY(texture->image, makeImage(info));
  BASANITE_TRY_VOID(texture->openView(Slot::own));
  return texture;
}

base::Result<void> Texture::openView(Slot slot) {
  vulkan::ImageViewInfo info;
  info.ownSlot = slot == Slot::own;
  info.type = toVkImageViewType(fields.textureType);
  info.aspect = transferAspect();
  info.swizzle = toVkMapping(fields.swizzle, fields.pixelFormat);
  BASANITE_TRY(view, vulkan::ImageView::create(image, info));
  return {};
}

base::Result<NS::UInteger> Texture::texelBufferBytes(const TextureDescriptorFields& d) {
  BASANITE_TRY_VOID(checkDescriptor(d));
  if (d.usage & MTL::TextureUsageRenderTarget)
    return base::Error{"A texture buffer cannot be rendered to (TextureUsageRenderTarget)."};
  const MTL::TextureSwizzleChannels identity = MTL::TextureSwizzleChannels::Default();
  if (isAlphaOnly(d.pixelFormat) || d.swizzle.red != identity.red || d.swizzle.green != identity.green ||
      d.swizzle.blue != identity.blue || d.swizzle.alpha != identity.alpha)
    return base::Error{
        fmt::format("Basanite has no texture buffers with a swizzle, which the format {} has or the "
                    "descriptor asks for.",
                    pixelFormatName(d.pixelFormat))};
  vulkan::FormatInfo info = vulkan::formatInfo(toVkFormat(d.pixelFormat));
  if (info.compressed() || info.isDepth() || info.isStencil())
    return base::Error{
        fmt::format("A texture buffer cannot have the format {}.", pixelFormatName(d.pixelFormat))};
  return d.width * info.blockBytes;
}

base::Result<void> Texture::openTexels(const base::Ref<vulkan::Buffer>& bytes, NS::UInteger offset,
                                       Slot slot) {
  vulkan::TexelBufferInfo info;
  info.ownSlot = slot == Slot::own;
  info.format = vkFormat;
  info.offset = offset;
  info.texels = fields.width;
  info.write =
      fields.usage & (MTL::TextureUsageShaderWrite | MTL::TextureUsageShaderAtomic) ||
      (fields.usage == MTL::TextureUsageUnknown &&
       device->backend->formats().bufferFeatures(vkFormat) & VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT);
  BASANITE_TRY(texels, vulkan::TexelBuffer::create(bytes, info));
  bufferOffset = offset;
  bufferBytesPerRow = fields.width * vulkan::formatInfo(vkFormat).blockBytes;
  return {};
}

base::Result<foundation::Retained<Texture>> Texture::createOver(Buffer* buffer,
                                                                const TextureDescriptorFields& d,
                                                                NS::UInteger offset, NS::UInteger bytesPerRow,
                                                                Slot slot) {
  if (d.storageMode != storageModeOf(buffer->options))
    return base::Error{fmt::format("The descriptor's storage mode is {}, but that of the buffer is {}.",
                                   static_cast<uint64_t>(d.storageMode),
                                   static_cast<uint64_t>(storageModeOf(buffer->options)))};
  Device* device = buffer->device.get();
  auto texture = foundation::Retained<Texture>::adopt(new Texture(device, d));
  texture->buffer = foundation::Retained<Buffer>(buffer);
  if (d.textureType == MTL::TextureTypeTextureBuffer) {
    BASANITE_TRY(NS::UInteger rowBytes, texelBufferBytes(d));
    if (bytesPerRow != 0 && bytesPerRow < rowBytes)
      return base::Error{fmt::format("{} bytes a row are too few for {} texels of {}, which take {}.",
                                     bytesPerRow, NS::UInteger(d.width), pixelFormatName(d.pixelFormat),
                                     rowBytes)};
    BASANITE_TRY_VOID(texture->openTexels(buffer->backend, offset, slot));
    return texture;
  }
  if (d.textureType != MTL::TextureType2D || d.mipmapLevelCount != 1)
    return base::Error{
        fmt::format("A texture over a buffer is a texture buffer or a 2D texture of one level, not a "
                    "{} of {}.",
                    textureTypeName(d.textureType), NS::UInteger(d.mipmapLevelCount))};
  BASANITE_TRY(vulkan::ImageInfo info, imageInfo(device, d));
  vulkan::FormatInfo format = vulkan::formatInfo(info.format);
  if (format.compressed() || format.isDepth() || format.isStencil())
    return base::Error{
        fmt::format("A texture over a buffer cannot have the format {}.", texture->formatName())};
  NS::UInteger rowBytes = d.width * format.blockBytes;
  if (bytesPerRow < rowBytes)
    return base::Error{fmt::format("{} bytes a row are too few for {} texels of {}, which take {}.",
                                   bytesPerRow, NS::UInteger(d.width), texture->formatName(), rowBytes)};
  if (d.usage == MTL::TextureUsageUnknown) info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  info.cubeCompatible = false;
  BASANITE_TRY(texture->image, vulkan::Image::createOver(buffer->backend, offset, bytesPerRow, info));
  BASANITE_TRY_VOID(texture->openView(slot));
  texture->bufferOffset = offset;
  texture->bufferBytesPerRow = bytesPerRow;
  return texture;
}

uint8_t* Texture::hostRow(NS::UInteger y) const {
  const vulkan::Buffer* bytes = texels ? texels->buffer().get() : buffer ? buffer->backend.get() : nullptr;
  if (!bytes || !bytes->contents()) return nullptr;
  return static_cast<uint8_t*>(bytes->contents()) + bufferOffset + y * bufferBytesPerRow;
}

base::Result<foundation::Retained<Texture>> Texture::createTexelView(const TextureViewDescriptorFields& d,
                                                                     Slot slot) {
  TextureDescriptorFields shown = fields;
  if (d.pixelFormat != MTL::PixelFormatInvalid) shown.pixelFormat = d.pixelFormat;
  shown.swizzle = d.swizzle;
  if (d.textureType != MTL::TextureTypeTextureBuffer)
    return base::Error{fmt::format("A view of texture type {} cannot show a texture of type {}.",
                                   static_cast<uint64_t>(d.textureType),
                                   static_cast<uint64_t>(fields.textureType))};
  BASANITE_TRY(NS::UInteger bytes, texelBufferBytes(shown));
  if (bytes != bufferBytesPerRow)
    return base::Error{fmt::format("A view of format {} cannot show a texture of format {}: their texels "
                                   "differ in size or kind.",
                                   pixelFormatName(shown.pixelFormat), formatName())};
  auto texture = foundation::Retained<Texture>::adopt(new Texture(device.get(), shown));
  texture->parent = foundation::Retained<Texture>(this);
  texture->buffer = buffer;
  BASANITE_TRY_VOID(texture->openTexels(texels->buffer(), bufferOffset, slot));
  return texture;
}

base::Result<foundation::Retained<Texture>> Texture::createView(const TextureViewDescriptorFields& d,
                                                                Slot slot) {
  BASANITE_TRY_VOID(checkEnum("The view's textureType", d.textureType));
  BASANITE_TRY_VOID(checkSwizzle(d.swizzle));
  if (texels) return createTexelView(d, slot);
  if (d.textureType == MTL::TextureTypeTextureBuffer)
    return base::Error{"A view of a texture cannot be a texture buffer (TextureTypeTextureBuffer)."};
  TextureDescriptorFields shown = fields;
  if (d.pixelFormat != MTL::PixelFormatInvalid) shown.pixelFormat = d.pixelFormat;
  shown.textureType = d.textureType;
  shown.swizzle = d.swizzle;
  NS::Range levels = d.levelRange, slices = d.sliceRange;
  NS::UInteger slicesHere = layerCount();
  auto inside = [](const NS::Range& range, NS::UInteger count) {
    return range.length != 0 && range.location < count && range.length <= count - range.location;
  };
  if (!inside(levels, fields.mipmapLevelCount))
    return base::Error{fmt::format("The view's levels {} to {} are not all among the texture's {}.",
                                   NS::UInteger(levels.location), levels.location + levels.length,
                                   NS::UInteger(fields.mipmapLevelCount))};
  if (!inside(slices, slicesHere))
    return base::Error{fmt::format("The view's slices {} to {} are not all among the texture's {}.",
                                   NS::UInteger(slices.location), slices.location + slices.length,
                                   slicesHere)};
  const PixelFormatInfo* format = pixelFormatInfo(shown.pixelFormat);
  if (!format || format->vkFormat == VK_FORMAT_UNDEFINED)
    return base::Error{fmt::format("The view's pixel format {} has no counterpart in Vulkan.",
                                   pixelFormatText(shown.pixelFormat))};
  if (format->vkFormat != image->info().format && !image->info().mutableFormat)
    return base::Error{fmt::format("A view of format {} of a texture of format {} needs "
                                   "TextureUsagePixelFormatView in the texture's usage.",
                                   format->name, formatName())};
  vulkan::FormatInfo own = vulkan::formatInfo(image->info().format),
                     wanted = vulkan::formatInfo(format->vkFormat);
  if (wanted.blockBytes != own.blockBytes || wanted.blockWidth != own.blockWidth ||
      wanted.blockHeight != own.blockHeight || wanted.aspects != own.aspects)
    return base::Error{fmt::format("A view of format {} cannot show a texture of format {}: their texels "
                                   "differ in size or kind.",
                                   format->name, formatName())};
  if (toVkImageType(d.textureType) != image->info().type ||
      isMultisampleTexture(d.textureType) != (fields.sampleCount > 1))
    return base::Error{fmt::format("A view of texture type {} cannot show a texture of type {}.",
                                   static_cast<uint64_t>(d.textureType),
                                   static_cast<uint64_t>(fields.textureType))};
  bool cube = isCubeTexture(d.textureType);
  if (cube && !image->info().cubeCompatible)
    return base::Error{"A cube view needs a cube texture, or a 2D array of six or more square slices."};
  if (cube && slices.length % 6 != 0)
    return base::Error{
        fmt::format("A cube view takes 6 slices a cube, not {}.", NS::UInteger(slices.length))};
  if (!cube && !isArrayTexture(d.textureType) && slices.length != 1)
    return base::Error{fmt::format("A view that is neither an array nor a cube shows 1 slice, not {}.",
                                   NS::UInteger(slices.length))};

  shown.mipmapLevelCount = levels.length;
  shown.arrayLength = cube ? slices.length / 6 : slices.length;
  shown.width = levelWidth(levels.location);
  shown.height = levelHeight(levels.location);
  shown.depth = levelDepth(levels.location);
  auto texture = foundation::Retained<Texture>::adopt(new Texture(device.get(), shown));
  texture->image = image;
  texture->parent = foundation::Retained<Texture>(this);
  texture->buffer = buffer;
  texture->bufferOffset = bufferOffset;
  texture->bufferBytesPerRow = bufferBytesPerRow;
  texture->parentLevel = levels.location;
  texture->parentSlice = slices.location;
  texture->baseLevel = baseLevel + levels.location;
  texture->baseSlice = baseSlice + slices.location;

  vulkan::ImageViewInfo view;
  view.type = toVkImageViewType(d.textureType);
  view.format = texture->vkFormat;
  view.aspect = texture->transferAspect();
  view.baseLevel = static_cast<uint32_t>(texture->baseLevel);
  view.levelCount = static_cast<uint32_t>(levels.length);
  view.baseLayer = static_cast<uint32_t>(texture->baseSlice);
  view.layerCount = static_cast<uint32_t>(slices.length);
  view.swizzle = toVkMapping(d.swizzle, shown.pixelFormat);
  view.ownSlot = slot == Slot::own;
  BASANITE_TRY(texture->view, vulkan::ImageView::create(image, view));
  return texture;
}

void Texture::labelChanged(std::string_view text) {
  if (parent || buffer) return;
  if (image)
    image->setLabel(text);
  else
    texels->buffer()->setLabel(text);
}

NS::UInteger Texture::levelWidth(NS::UInteger level) const {
  return std::max<NS::UInteger>(1, fields.width >> level);
}
NS::UInteger Texture::levelHeight(NS::UInteger level) const {
  return std::max<NS::UInteger>(1, fields.height >> level);
}
NS::UInteger Texture::levelDepth(NS::UInteger level) const {
  return std::max<NS::UInteger>(1, fields.depth >> level);
}

uint32_t Texture::layerCount() const {
  return static_cast<uint32_t>(isCubeTexture(fields.textureType) ? fields.arrayLength * 6
                                                                 : fields.arrayLength);
}

VkImageAspectFlags Texture::transferAspect() const {
  if (isStencilView(fields.pixelFormat)) return VK_IMAGE_ASPECT_STENCIL_BIT;
  vulkan::FormatInfo info = vulkan::formatInfo(vkFormat);
  if (info.isDepth()) return VK_IMAGE_ASPECT_DEPTH_BIT;
  return info.isStencil() ? VK_IMAGE_ASPECT_STENCIL_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

uint32_t Texture::transferBlockBytes() const { return vulkan::aspectBytes(vkFormat, transferAspect()); }
const char* Texture::formatName() const { return pixelFormatName(fields.pixelFormat); }

} // namespace basanite::metal
