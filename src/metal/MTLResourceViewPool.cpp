// SPDX-License-Identifier: Apache-2.0
// MTL::ResourceViewPoolDescriptor, ResourceViewPool and TextureViewPool.
#include "src/metal/MTLResourceViewPool.hpp"

#include "src/metal/validation.hpp"
#include "src/vulkan/descriptor_heap.hpp"

#include <fmt/format.h>
#include <limits>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

ResourceViewPool::ResourceViewPool(Device* owner, const ResourceViewPoolDescriptorFields& descriptor,
                                   uint32_t firstSlot)
    : device(owner), label(descriptor.label), baseSlot(firstSlot), m_views(descriptor.resourceViewCount) {}

ResourceViewPool::~ResourceViewPool() {
  vulkan::Device* backend = device->backend.get();
  backend->retire([backend, slot = baseSlot, count = static_cast<uint32_t>(m_views.size())] {
    backend->descriptorHeap().freeImage(slot, count);
  });
}

void ResourceViewPool::write(NS::UInteger index, foundation::Retained<Texture>& view) {
  vulkan::DescriptorHeap& heap = device->backend->descriptorHeap();
  uint32_t slot = baseSlot + static_cast<uint32_t>(index);
  if (!view)
    heap.setNull(slot);
  else if (view->texels)
    heap.setTexelBuffer(slot, view->texels->vkReadView(), view->texels->vkWriteView());
  else
    heap.setImage(slot, view->view->vkSampledView(), view->view->vkStorageView(), view->view->info().type,
                  view->image->info().samples != VK_SAMPLE_COUNT_1_BIT);
  std::swap(m_views[index], view);
}

base::Result<uint32_t> ResourceViewPool::set(NS::UInteger index, foundation::Retained<Texture> view) {
  if (index >= m_views.size())
    return base::Error{fmt::format("Index {} is past the {} views of the pool \"{}\".", index, m_views.size(),
                                   foundation::textOf(label.get()))};
  std::lock_guard lock(m_mutex);
  write(index, view);
  return baseSlot + static_cast<uint32_t>(index);
}

std::vector<foundation::Retained<Texture>> ResourceViewPool::views(const NS::Range& range) const {
  std::lock_guard lock(m_mutex);
  auto first = m_views.begin() + static_cast<ptrdiff_t>(range.location);
  return {first, first + static_cast<ptrdiff_t>(range.length)};
}

base::Result<uint32_t> ResourceViewPool::copyFrom(const ResourceViewPool& source, const NS::Range& range,
                                                  NS::UInteger index) {
  auto inside = [&](NS::UInteger start, NS::UInteger count) {
    return start <= count && range.length <= count - start;
  };
  if (!inside(range.location, source.count()) || !inside(index, count()))
    return base::Error{fmt::format(
        "{} views from index {} of a pool of {} to index {} of a pool of {} do not fit.",
        NS::UInteger(range.length), NS::UInteger(range.location), source.count(), index, count())};
  auto copies = source.views(range);
  std::lock_guard lock(m_mutex);
  for (size_t i = 0; i < copies.size(); ++i) write(index + i, copies[i]);
  return baseSlot + static_cast<uint32_t>(index);
}

base::Result<foundation::Retained<TextureViewPool>>
TextureViewPool::create(Device* device, const ResourceViewPoolDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor of the texture view pool is null."};
  NS::UInteger count = descriptor->resourceViewCount;
  if (count == 0 || count > std::numeric_limits<uint32_t>::max())
    return base::Error{fmt::format("A texture view pool has 1 to {} views, not {}.",
                                   device->backend->descriptorHeap().imageCapacity() - 1, count)};
  BASANITE_TRY(uint32_t first,
               device->backend->descriptorHeap().allocateImageRange(static_cast<uint32_t>(count)));
  return foundation::Retained<TextureViewPool>::adopt(new TextureViewPool(device, *descriptor, first));
}

namespace {

// The slot's ID, or 0 (the null texture's) with the sentence reported.
MTL::ResourceID orReportId(const char* method, base::Result<uint32_t> slot) {
  if (slot) return MTL::ResourceID{*slot};
  reportMisuse("{}: {}", method, slot.error().message);
  return MTL::ResourceID{0};
}

MTL::ResourceID setView(const char* method, ResourceViewPool& pool, NS::UInteger index,
                        base::Result<foundation::Retained<Texture>> view) {
  if (view) return orReportId(method, pool.set(index, std::move(*view)));
  reportMisuse("{}: {}", method, view.error().message);
  return MTL::ResourceID{0};
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::ResourceViewPoolDescriptor)
BASANITE_OBJECT(MTL::ResourceViewPoolDescriptor, NS::String, label, setLabel)
BASANITE_VALUE(MTL::ResourceViewPoolDescriptor, NS::UInteger, resourceViewCount, setResourceViewCount)

MTL::ResourceID MTL::ResourceViewPool::baseResourceID() const {
  if (!this) return {};
  return MTL::ResourceID{toImpl(this)->baseSlot};
}
MTL::ResourceID MTL::ResourceViewPool::copyResourceViewsFromPool(const MTL::ResourceViewPool* sourcePool,
                                                                 NS::Range sourceRange,
                                                                 NS::UInteger destinationIndex) {
  if (!this) return {};
  constexpr const char* kMethod = "ResourceViewPool::copyResourceViewsFromPool";
  if (!sourcePool) {
    reportMisuse("{}: the source pool is null.", kMethod);
    return MTL::ResourceID{0};
  }
  return orReportId(kMethod, toImpl(this)->copyFrom(*toImpl(sourcePool), sourceRange, destinationIndex));
}
MTL::Device* MTL::ResourceViewPool::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
BASANITE_OBJECT_GETTER(MTL::ResourceViewPool, NS::String, label)
NS::UInteger MTL::ResourceViewPool::resourceViewCount() const {
  if (!this) return {};
  return toImpl(this)->count();
}

MTL::ResourceID MTL::TextureViewPool::setTextureView(const MTL::Texture* texture, NS::UInteger index) {
  if (!this) return {};
  basanite::foundation::Retained<basanite::metal::Texture> view(texture ? toImpl(texture) : nullptr);
  return orReportId("TextureViewPool::setTextureView", toImpl(this)->set(index, std::move(view)));
}
MTL::ResourceID MTL::TextureViewPool::setTextureView(const MTL::Texture* texture,
                                                     const MTL::TextureViewDescriptor* descriptor,
                                                     NS::UInteger index) {
  if (!this) return {};
  constexpr const char* kMethod = "TextureViewPool::setTextureView";
  if (!texture || !descriptor) {
    reportMisuse("{}: the {} is null.", kMethod, texture ? "descriptor" : "texture");
    return MTL::ResourceID{0};
  }
  return setView(kMethod, *toImpl(this), index,
                 toImpl(texture)->createView(*toImpl(descriptor), basanite::metal::Texture::Slot::ofAPool));
}
MTL::ResourceID MTL::TextureViewPool::setTextureViewFromBuffer(const MTL::Buffer* buffer,
                                                               const MTL::TextureDescriptor* descriptor,
                                                               NS::UInteger offset, NS::UInteger bytesPerRow,
                                                               NS::UInteger index) {
  if (!this) return {};
  constexpr const char* kMethod = "TextureViewPool::setTextureViewFromBuffer";
  if (!buffer || !descriptor) {
    reportMisuse("{}: the {} is null.", kMethod, buffer ? "descriptor" : "buffer");
    return MTL::ResourceID{0};
  }
  return setView(kMethod, *toImpl(this), index,
                 basanite::metal::Texture::createOver(toImpl(buffer), *toImpl(descriptor), offset,
                                                      bytesPerRow, basanite::metal::Texture::Slot::ofAPool));
}
