// SPDX-License-Identifier: Apache-2.0
// Creates images and views, and retires them.
#include "src/vulkan/image.hpp"

#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/host_transfer.hpp"
#include "src/vulkan/memory_heap.hpp"
#include "src/vulkan/vma.hpp"
#include "src/vulkan/vulkan_error.hpp"

#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

constexpr VkImageUsageFlags kAttachmentUsages = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                                VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;

// The wanted uses and those that every image gets; an error for a use that the format cannot have.
base::Result<VkImageUsageFlags> resolveUsage(VkFormatFeatureFlags2 features, const ImageInfo& info,
                                             std::string_view label) {
  VkImageUsageFlags usage = info.usage;
  if (features & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT) usage |= VK_IMAGE_USAGE_SAMPLED_BIT;
  if (features & VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT;
  if (features & VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT) usage |= VK_IMAGE_USAGE_TRANSFER_DST_BIT;

  struct Rule {
    VkImageUsageFlags usage;
    VkFormatFeatureFlags2 feature;
    const char* words;
  };
  constexpr Rule kRules[] = {
      {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT, "read in shaders"},
      {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT, "written in shaders"},
      {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT, "a color attachment"},
      {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT,
       "a depth or stencil attachment"},
  };
  for (const Rule& rule : kRules)
    if ((usage & rule.usage) && !(features & rule.feature) && !info.mutableFormat)
      return base::Error{fmt::format("The texture \"{}\" of VkFormat {} cannot be {} on this device.", label,
                                     static_cast<int>(info.format), rule.words)};
  return usage;
}

VkImageAspectFlags defaultAspect(VkFormat format) {
  VkImageAspectFlags aspects = formatInfo(format).aspects;
  if (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) return VK_IMAGE_ASPECT_DEPTH_BIT;
  return aspects;
}

bool isIdentity(const VkComponentMapping& swizzle) {
  auto is = [](VkComponentSwizzle value, VkComponentSwizzle own) {
    return value == VK_COMPONENT_SWIZZLE_IDENTITY || value == own;
  };
  return is(swizzle.r, VK_COMPONENT_SWIZZLE_R) && is(swizzle.g, VK_COMPONENT_SWIZZLE_G) &&
         is(swizzle.b, VK_COMPONENT_SWIZZLE_B) && is(swizzle.a, VK_COMPONENT_SWIZZLE_A);
}

// How Vulkan is asked for it; an error for what the device cannot do.
base::Result<VkImageCreateInfo> describe(const Device& device, const ImageInfo& info, VkImageTiling tiling,
                                         std::string_view label) {
  const FormatTable& formats = device.formats();
  VkImageCreateInfo vkInfo{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  BASANITE_TRY(vkInfo.usage,
               resolveUsage(tiling == VK_IMAGE_TILING_LINEAR ? formats.linearFeatures(info.format)
                                                             : formats.features(info.format),
                            info, label));
  // Fragment functions may read what they draw to.
  if (device.features().dynamicRenderingLocalRead && (vkInfo.usage & VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT))
    vkInfo.usage |= VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
  vkInfo.imageType = info.type;
  vkInfo.format = info.format;
  vkInfo.extent = {info.width, info.height, info.depth};
  vkInfo.mipLevels = info.mipLevels;
  vkInfo.arrayLayers = info.arrayLayers;
  vkInfo.samples = info.samples;
  vkInfo.tiling = tiling;
  // What lies in a linear image's memory already is to stay.
  vkInfo.initialLayout =
      tiling == VK_IMAGE_TILING_LINEAR ? VK_IMAGE_LAYOUT_PREINITIALIZED : VK_IMAGE_LAYOUT_UNDEFINED;
  if (info.cubeCompatible) vkInfo.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
  if (info.mutableFormat)
    vkInfo.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT | VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
  // Passes with sample positions of their own may use it.
  if (device.features().sampleLocations && info.samples != VK_SAMPLE_COUNT_1_BIT &&
      formatInfo(info.format).isDepth())
    vkInfo.flags |= VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
  if (info.type == VK_IMAGE_TYPE_3D && (info.usage & kAttachmentUsages))
    vkInfo.flags |= VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT;

  VkPhysicalDeviceImageFormatInfo2 formatQuery{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
  formatQuery.format = vkInfo.format;
  formatQuery.type = vkInfo.imageType;
  formatQuery.tiling = vkInfo.tiling;
  formatQuery.usage = vkInfo.usage;
  formatQuery.flags = vkInfo.flags;
  VkImageFormatProperties2 limits{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
  VkResult result =
      vkGetPhysicalDeviceImageFormatProperties2(device.physical().vkPhysicalDevice(), &formatQuery, &limits);
  if (result != VK_SUCCESS)
    return base::Error{
        fmt::format("The device \"{}\" has no {}textures of VkFormat {} with usage {:#x} (texture \"{}\").",
                    device.physical().name(), tiling == VK_IMAGE_TILING_LINEAR ? "linear " : "",
                    static_cast<int>(info.format), vkInfo.usage, label)};
  const VkImageFormatProperties& max = limits.imageFormatProperties;
  if (info.width > max.maxExtent.width || info.height > max.maxExtent.height ||
      info.depth > max.maxExtent.depth || info.mipLevels > max.maxMipLevels ||
      info.arrayLayers > max.maxArrayLayers)
    return base::Error{fmt::format(
        "The texture \"{}\" of {}x{}x{} with {} levels and {} layers is above the limits of "
        "this device: {}x{}x{}, {} levels, {} layers.",
        label, info.width, info.height, info.depth, info.mipLevels, info.arrayLayers, max.maxExtent.width,
        max.maxExtent.height, max.maxExtent.depth, max.maxMipLevels, max.maxArrayLayers)};
  if (!(info.samples & max.sampleCounts))
    return base::Error{fmt::format("The texture \"{}\" cannot have {} samples in VkFormat {} on this device.",
                                   label, static_cast<int>(info.samples), static_cast<int>(info.format))};
  return vkInfo;
}

} // namespace

base::Result<base::Ref<Image>> Image::create(const base::Ref<Device>& device, const ImageInfo& info,
                                             std::string_view label) {
  BASANITE_TRY(VkImageCreateInfo vkInfo, describe(*device, info, VK_IMAGE_TILING_OPTIMAL, label));
  auto image = base::Ref<Image>::adopt(new Image(device));
  VmaAllocationCreateInfo allocationInfo{};
  allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
  VmaAllocationInfo allocated{};
  VkResult result = vmaCreateImage(device->allocator(), &vkInfo, &allocationInfo, &image->m_vkImage,
                                   &image->m_allocation, &allocated);
  if (result != VK_SUCCESS)
    return vulkanError(
        fmt::format("Creating the texture \"{}\" of {}x{}x{}", label, info.width, info.height, info.depth),
        result);
  image->m_allocatedSize = allocated.size;
  image->m_share.take(device->imageUse(), allocated.size);
  image->m_info = info;
  image->m_info.usage = vkInfo.usage;
  image->m_aspects = formatInfo(info.format).aspects;
  image->setLabel(label);
  device->hostTransfer().initializeImage(image->m_vkImage, image->m_aspects, vkInfo.initialLayout);
  return image;
}

base::Result<void> Image::open(const VkImageCreateInfo& vkInfo, const ImageInfo& info) {
  m_info = info;
  m_info.usage = vkInfo.usage;
  m_aspects = formatInfo(info.format).aspects;
  VkResult result = m_device->fn().vkCreateImage(m_device->vkDevice(), &vkInfo, nullptr, &m_vkImage);
  if (result != VK_SUCCESS)
    return vulkanError(fmt::format("Creating a texture of {}x{}x{}", info.width, info.height, info.depth),
                       result);
  return {};
}

base::Result<void> Image::bind(const MemorySpan& memory) {
  VkMemoryRequirements requirements{};
  m_device->fn().vkGetImageMemoryRequirements(m_device->vkDevice(), m_vkImage, &requirements);
  if (!(requirements.memoryTypeBits >> memory.typeIndex & 1))
    return base::Error{fmt::format("The device \"{}\" cannot place such a texture in this kind of memory.",
                                   m_device->physical().name())};
  if (memory.offset % requirements.alignment != 0)
    return base::Error{
        fmt::format("The texture would begin {} bytes past a multiple of the {} bytes that it is "
                    "aligned to.",
                    memory.offset % requirements.alignment, requirements.alignment)};
  uint64_t behind = memory.memoryBytes - memory.offset;
  if (requirements.size > behind)
    return base::Error{
        fmt::format("The texture takes {} bytes on this device, but only {} lie behind its offset.",
                    requirements.size, behind)};
  VkResult result =
      m_device->fn().vkBindImageMemory(m_device->vkDevice(), m_vkImage, memory.vkMemory, memory.offset);
  if (result != VK_SUCCESS) return vulkanError("Placing a texture in memory", result);
  m_allocatedSize = requirements.size;
  return {};
}

base::Result<base::Ref<Image>> Image::createIn(const base::Ref<MemoryHeap>& heap, uint64_t offset,
                                               const ImageInfo& info) {
  BASANITE_TRY(VkImageCreateInfo vkInfo, describe(*heap->device(), info, VK_IMAGE_TILING_OPTIMAL, {}));
  auto image = base::Ref<Image>::adopt(new Image(heap->device()));
  BASANITE_TRY_VOID(image->open(vkInfo, info));
  image->m_heap = heap;
  if (offset > heap->size())
    return base::Error{fmt::format("The offset {} is past the heap of {} bytes.", offset, heap->size())};
  MemorySpan memory = heap->memory();
  memory.memoryBytes = memory.offset + heap->size();
  memory.offset += offset;
  BASANITE_TRY_VOID(image->bind(memory));
  heap->device()->hostTransfer().initializeImage(image->m_vkImage, image->m_aspects, vkInfo.initialLayout);
  return image;
}

base::Result<base::Ref<Image>> Image::createOver(const base::Ref<Buffer>& buffer, uint64_t offset,
                                                 uint64_t bytesPerRow, const ImageInfo& info) {
  Device& device = *buffer->device();
  BASANITE_TRY(VkImageCreateInfo vkInfo, describe(device, info, VK_IMAGE_TILING_LINEAR, {}));
  VkExternalMemoryImageCreateInfo external{VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO};
  external.handleTypes = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  if (buffer->memory().hostImport) {
    vkInfo.pNext = &external;
    vkInfo.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED; // what Vulkan asks for of shared memory
  }
  auto image = base::Ref<Image>::adopt(new Image(buffer->device()));
  BASANITE_TRY_VOID(image->open(vkInfo, info));
  image->m_buffer = buffer;
  VkImageSubresource subresource{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout{};
  device.fn().vkGetImageSubresourceLayout(device.vkDevice(), image->m_vkImage, &subresource, &layout);
  if (layout.rowPitch != bytesPerRow && info.height > 1)
    return base::Error{
        fmt::format("The rows of a linear texture of {} texels are {} bytes apart on this device, "
                    "not {}.",
                    info.width, layout.rowPitch, bytesPerRow)};
  uint64_t end = bytesPerRow * (info.height - 1) + info.width * formatInfo(info.format).blockBytes;
  if (offset > buffer->length() || end > buffer->length() - offset)
    return base::Error{fmt::format("{} rows of {} bytes from offset {} on do not fit the buffer of {} bytes.",
                                   info.height, bytesPerRow, offset, buffer->length())};
  MemorySpan memory = buffer->memory();
  if (offset < layout.offset)
    return base::Error{
        fmt::format("On this device a linear texture begins {} bytes or more behind its buffer's "
                    "first byte, not {}.",
                    layout.offset, offset)};
  memory.offset += offset - layout.offset;
  BASANITE_TRY_VOID(image->bind(memory));
  device.hostTransfer().initializeImage(image->m_vkImage, image->m_aspects, vkInfo.initialLayout);
  return image;
}

base::Result<MemoryNeed> Image::memoryNeed(const Device& device, const ImageInfo& info) {
  BASANITE_TRY(VkImageCreateInfo vkInfo, describe(device, info, VK_IMAGE_TILING_OPTIMAL, {}));
  VkDeviceImageMemoryRequirements query{VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS};
  query.pCreateInfo = &vkInfo;
  VkMemoryRequirements2 requirements{VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  device.fn().vkGetDeviceImageMemoryRequirements(device.vkDevice(), &query, &requirements);
  return MemoryHeap::padded(device, requirements.memoryRequirements);
}

uint64_t Image::linearRowAlignment(const Device& device, VkFormat format) {
  if (!(device.formats().linearFeatures(format) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT)) return 0;
  VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {1, 2, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.tiling = VK_IMAGE_TILING_LINEAR;
  info.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
  VkImage vkImage = VK_NULL_HANDLE;
  if (device.fn().vkCreateImage(device.vkDevice(), &info, nullptr, &vkImage) != VK_SUCCESS) return 0;
  VkImageSubresource subresource{VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout{};
  device.fn().vkGetImageSubresourceLayout(device.vkDevice(), vkImage, &subresource, &layout);
  device.fn().vkDestroyImage(device.vkDevice(), vkImage, nullptr);
  return layout.rowPitch;
}

Image::~Image() {
  if (!m_vkImage) return;
  m_device->hostTransfer().forget(m_vkImage);
  m_device->retire([device = m_device.get(), vkImage = m_vkImage, allocation = m_allocation,
                    views = std::move(m_attachmentViews)] {
    for (const AttachmentView& view : views)
      device->fn().vkDestroyImageView(device->vkDevice(), view.vkView, nullptr);
    if (allocation) return vmaDestroyImage(device->allocator(), vkImage, allocation);
    device->fn().vkDestroyImage(device->vkDevice(), vkImage, nullptr);
  });
}

void Image::setLabel(std::string_view label) { m_device->setName(VK_OBJECT_TYPE_IMAGE, m_vkImage, label); }

base::Result<VkImageView> Image::attachmentView(VkFormat format, uint32_t level, uint32_t baseLayer,
                                                uint32_t layerCount) {
  if (format == VK_FORMAT_UNDEFINED) format = m_info.format;
  std::lock_guard lock(m_viewMutex);
  for (const AttachmentView& view : m_attachmentViews)
    if (view.format == format && view.level == level && view.baseLayer == baseLayer &&
        view.layerCount == layerCount)
      return view.vkView;

  VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  usage.usage = m_info.usage & kAttachmentUsages;
  VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, &usage};
  info.image = m_vkImage;
  info.format = format;
  if (m_info.type == VK_IMAGE_TYPE_1D)
    info.viewType = layerCount > 1 ? VK_IMAGE_VIEW_TYPE_1D_ARRAY : VK_IMAGE_VIEW_TYPE_1D;
  else
    info.viewType = layerCount > 1 ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D;
  info.subresourceRange = {m_aspects, level, 1, baseLayer, layerCount};
  VkImageView vkView = VK_NULL_HANDLE;
  VkResult result = m_device->fn().vkCreateImageView(m_device->vkDevice(), &info, nullptr, &vkView);
  if (result != VK_SUCCESS) return vulkanError("Creating an attachment view", result);
  m_attachmentViews.push_back({format, level, baseLayer, layerCount, vkView});
  return vkView;
}

base::Result<base::Ref<ImageView>> ImageView::create(const base::Ref<Image>& image,
                                                     const ImageViewInfo& info) {
  Device& device = image->device();
  auto view = base::Ref<ImageView>::adopt(new ImageView(image));
  ImageViewInfo& resolved = view->m_info;
  resolved = info;
  if (resolved.format == VK_FORMAT_UNDEFINED) resolved.format = image->info().format;
  if (resolved.aspect == 0) resolved.aspect = defaultAspect(resolved.format);
  if (resolved.levelCount == VK_REMAINING_MIP_LEVELS)
    resolved.levelCount = image->info().mipLevels - resolved.baseLevel;
  if (resolved.layerCount == VK_REMAINING_ARRAY_LAYERS)
    resolved.layerCount = image->info().arrayLayers - resolved.baseLayer;
  if (resolved.baseLevel + resolved.levelCount > image->info().mipLevels ||
      resolved.baseLayer + resolved.layerCount > image->info().arrayLayers)
    return base::Error{
        fmt::format("A view of levels {}+{} and layers {}+{} reaches outside a texture of {} levels and {} "
                    "layers.",
                    resolved.baseLevel, resolved.levelCount, resolved.baseLayer, resolved.layerCount,
                    image->info().mipLevels, image->info().arrayLayers)};

  VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
  VkImageViewCreateInfo vkInfo{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, &usage};
  vkInfo.image = image->vkImage();
  vkInfo.viewType = resolved.type;
  vkInfo.format = resolved.format;
  vkInfo.components = resolved.swizzle;
  vkInfo.subresourceRange = {resolved.aspect, resolved.baseLevel, resolved.levelCount, resolved.baseLayer,
                             resolved.layerCount};
  const FormatTable& formats = device.formats();
  if ((image->info().usage & VK_IMAGE_USAGE_SAMPLED_BIT) && formats.sampled(resolved.format)) {
    usage.usage = VK_IMAGE_USAGE_SAMPLED_BIT;
    VkResult result =
        device.fn().vkCreateImageView(device.vkDevice(), &vkInfo, nullptr, &view->m_vkSampledView);
    if (result != VK_SUCCESS) return vulkanError("Creating a texture view", result);
  }
  if ((image->info().usage & VK_IMAGE_USAGE_STORAGE_BIT) && formats.storage(resolved.format) &&
      image->info().samples == VK_SAMPLE_COUNT_1_BIT && resolved.aspect == VK_IMAGE_ASPECT_COLOR_BIT &&
      isIdentity(resolved.swizzle)) {
    usage.usage = VK_IMAGE_USAGE_STORAGE_BIT;
    VkResult result =
        device.fn().vkCreateImageView(device.vkDevice(), &vkInfo, nullptr, &view->m_vkStorageView);
    if (result != VK_SUCCESS) return vulkanError("Creating a writable texture view", result);
  }
  if (!info.ownSlot) return view;
  BASANITE_TRY(view->m_slot, device.descriptorHeap().allocateImage(
                                 view->m_vkSampledView, view->m_vkStorageView, resolved.type,
                                 image->info().samples != VK_SAMPLE_COUNT_1_BIT));
  return view;
}

ImageView::~ImageView() {
  m_image->device().retire(
      [device = &m_image->device(), sampled = m_vkSampledView, storage = m_vkStorageView, slot = m_slot] {
        if (slot) device->descriptorHeap().freeImage(slot);
        device->fn().vkDestroyImageView(device->vkDevice(), sampled, nullptr);
        device->fn().vkDestroyImageView(device->vkDevice(), storage, nullptr);
      });
}

} // namespace basanite::vulkan
