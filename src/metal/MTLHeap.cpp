// SPDX-License-Identifier: Apache-2.0
// MTL::HeapDescriptor and MTL::Heap, and the places of resources in heaps.
#include "src/metal/MTLHeap.hpp"

#include "src/metal/enum_check.hpp"
#include "src/metal/make_result.hpp"
#include "src/metal/purgeable.hpp"

#include <fmt/format.h>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

HeapPlace::HeapPlace() = default;
HeapPlace::HeapPlace(Heap* heap, uint64_t offset, uint64_t sizeBytes,
                     std::optional<vulkan::MemoryHeap::Piece> piece)
    : m_heap(heap), m_offset(offset), m_sizeBytes(sizeBytes), m_piece(piece), m_holds(true) {
  m_heap->heldBytes += sizeBytes;
}
HeapPlace::HeapPlace(HeapPlace&& other) noexcept
    : m_heap(std::move(other.m_heap)), m_offset(other.m_offset), m_sizeBytes(other.m_sizeBytes),
      m_piece(other.m_piece), m_holds(other.m_holds.exchange(false)) {}
HeapPlace& HeapPlace::operator=(HeapPlace&& other) noexcept {
  if (this == &other) return *this;
  makeAliasable();
  m_heap = std::move(other.m_heap);
  m_offset = other.m_offset;
  m_sizeBytes = other.m_sizeBytes;
  m_piece = other.m_piece;
  m_holds = other.m_holds.exchange(false);
  return *this;
}
HeapPlace::~HeapPlace() { makeAliasable(); }

void HeapPlace::makeAliasable() {
  if (!m_holds.exchange(false)) return;
  m_heap->heldBytes -= m_sizeBytes;
  if (m_piece) m_heap->backend->give(*m_piece);
}

namespace {

bool isNear(MTL::StorageMode storage) {
  return storage == MTL::StorageModeShared || storage == MTL::StorageModeManaged;
}

} // namespace

Heap::Heap(Device* owner, const HeapDescriptorFields& descriptor)
    : device(owner), type(descriptor.type),
      options(makeResourceOptions(descriptor.storageMode, descriptor.cpuCacheMode,
                                  descriptor.hazardTrackingMode == MTL::HazardTrackingModeDefault
                                      ? MTL::HazardTrackingModeUntracked
                                      : descriptor.hazardTrackingMode)) {}

base::Result<foundation::Retained<Heap>> Heap::create(Device* device, const HeapDescriptorFields& d) {
  BASANITE_TRY_VOID(checkEnum("storageMode", d.storageMode));
  BASANITE_TRY_VOID(checkEnum("cpuCacheMode", d.cpuCacheMode));
  BASANITE_TRY_VOID(checkEnum("hazardTrackingMode", d.hazardTrackingMode));
  if (d.type == MTL::HeapTypeSparse || d.maxCompatiblePlacementSparsePageSize != 0)
    return base::Error{"Basanite has no heaps for sparse resources (HeapTypeSparse, "
                       "maxCompatiblePlacementSparsePageSize)."};
  if (d.type != MTL::HeapTypeAutomatic && d.type != MTL::HeapTypePlacement)
    return base::Error{fmt::format("{} is no heap type.", static_cast<int64_t>(d.type))};
  if (d.storageMode == MTL::StorageModeMemoryless) return base::Error{"A heap cannot be memoryless."};
  auto heap = foundation::Retained<Heap>::adopt(new Heap(device, d));
  BASANITE_TRY(heap->backend,
               vulkan::MemoryHeap::create(device->backend, d.size,
                                          isNear(d.storageMode) ? vulkan::MemoryKind::shared
                                                                : vulkan::MemoryKind::deviceLocal));
  return heap;
}

base::Result<HeapNeed> Heap::bufferNeed(Device* device, NS::UInteger length, MTL::ResourceOptions) {
  if (length == 0) return base::Error{"A buffer of 0 bytes cannot be made."};
  if (length > device->backend->limits().maxBufferBytes)
    return base::Error{fmt::format("A buffer of {} bytes is longer than the {} bytes that the device allows.",
                                   length, device->backend->limits().maxBufferBytes)};
  vulkan::MemoryNeed need = vulkan::MemoryHeap::bufferNeed(*device->backend, length);
  return HeapNeed{need.size, need.alignment};
}

base::Result<HeapNeed> Heap::textureNeed(Device* device, const TextureDescriptorFields& d) {
  if (d.textureType == MTL::TextureTypeTextureBuffer) {
    BASANITE_TRY(NS::UInteger bytes, Texture::texelBufferBytes(d));
    return bufferNeed(device, bytes, 0);
  }
  BASANITE_TRY(vulkan::ImageInfo info, Texture::imageInfo(device, d));
  BASANITE_TRY(vulkan::MemoryNeed need, vulkan::Image::memoryNeed(*device->backend, info));
  return HeapNeed{need.size, need.alignment};
}

base::Result<void> Heap::checkOptions(MTL::ResourceOptions resourceOptions) const {
  if (storageModeOf(resourceOptions) != storageModeOf(options) ||
      cpuCacheModeOf(resourceOptions) != cpuCacheModeOf(options))
    return base::Error{fmt::format(
        "The resource's storage mode {} and CPU cache mode {} are not the heap's, {} and "
        "{}.",
        static_cast<uint64_t>(storageModeOf(resourceOptions)),
        static_cast<uint64_t>(cpuCacheModeOf(resourceOptions)), static_cast<uint64_t>(storageModeOf(options)),
        static_cast<uint64_t>(cpuCacheModeOf(options)))};
  return {};
}

base::Result<HeapPlace> Heap::place(const HeapNeed& need, std::optional<NS::UInteger> offset) {
  if (offset.has_value() != (type == MTL::HeapTypePlacement))
    return base::Error{offset ? "Only a heap of HeapTypePlacement takes resources at an offset."
                              : "A heap of HeapTypePlacement takes resources at an offset only."};
  if (offset) {
    if (*offset % need.alignment != 0)
      return base::Error{
          fmt::format("The offset {} is no multiple of the {} bytes that the resource is aligned to.",
                      *offset, need.alignment)};
    return HeapPlace(this, *offset, need.size, std::nullopt);
  }
  auto piece = backend->take(need.size, need.alignment);
  if (!piece)
    return base::Error{
        fmt::format("The heap \"{}\" of {} bytes has no room for {} bytes aligned to {}: the largest "
                    "gap is {}.",
                    foundation::textOf(label.get()), backend->size(), need.size, need.alignment,
                    backend->largestFree(need.alignment))};
  return HeapPlace(this, piece->offset, need.size, piece);
}

base::Result<foundation::Retained<Buffer>> Heap::makeBuffer(NS::UInteger length,
                                                            MTL::ResourceOptions resourceOptions,
                                                            std::optional<NS::UInteger> offset) {
  BASANITE_TRY_VOID(checkOptions(resourceOptions));
  BASANITE_TRY(HeapNeed need, bufferNeed(device.get(), length, resourceOptions));
  BASANITE_TRY(HeapPlace home, place(need, offset));
  BASANITE_TRY(auto buffer, vulkan::Buffer::createIn(backend, home.offset(), length));
  auto made = foundation::Retained<Buffer>::adopt(new Buffer(device.get(), std::move(buffer), options));
  made->place = std::move(home);
  return made;
}

base::Result<foundation::Retained<Texture>> Heap::makeTexture(const TextureDescriptorFields& d,
                                                              std::optional<NS::UInteger> offset) {
  BASANITE_TRY_VOID(checkOptions(makeResourceOptions(d.storageMode, d.cpuCacheMode, d.hazardTrackingMode)));
  BASANITE_TRY(HeapNeed need, textureNeed(device.get(), d));
  BASANITE_TRY(HeapPlace home, place(need, offset));
  auto image = [&](const vulkan::ImageInfo& info) {
    return vulkan::Image::createIn(backend, home.offset(), info);
  };
  auto buffer = [&](NS::UInteger bytes) { return vulkan::Buffer::createIn(backend, home.offset(), bytes); };
  BASANITE_TRY(auto made, Texture::create(device.get(), d, image, buffer));
  made->options = options;
  made->place = std::move(home);
  return made;
}

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::HeapDescriptor)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::CPUCacheMode, cpuCacheMode, setCpuCacheMode)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::HazardTrackingMode, hazardTrackingMode, setHazardTrackingMode)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::SparsePageSize, maxCompatiblePlacementSparsePageSize,
               setMaxCompatiblePlacementSparsePageSize)
BASANITE_VALUE(MTL::HeapDescriptor, NS::UInteger, size, setSize)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::SparsePageSize, sparsePageSize, setSparsePageSize)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::StorageMode, storageMode, setStorageMode)
BASANITE_VALUE(MTL::HeapDescriptor, MTL::HeapType, type, setType)
MTL::ResourceOptions MTL::HeapDescriptor::resourceOptions() const {
  if (!this) return {};
  auto* self = toImpl(this);
  return makeResourceOptions(self->storageMode, self->cpuCacheMode, self->hazardTrackingMode);
}
void MTL::HeapDescriptor::setResourceOptions(MTL::ResourceOptions resourceOptions) {
  if (!this) return;
  auto* self = toImpl(this);
  self->storageMode = storageModeOf(resourceOptions);
  self->cpuCacheMode = cpuCacheModeOf(resourceOptions);
  self->hazardTrackingMode = hazardTrackingModeOf(resourceOptions);
}

MTL::CPUCacheMode MTL::Heap::cpuCacheMode() const {
  if (!this) return {};
  return cpuCacheModeOf(toImpl(this)->options);
}
NS::UInteger MTL::Heap::currentAllocatedSize() const {
  if (!this) return {};
  return toImpl(this)->backend->size();
}
MTL::Device* MTL::Heap::device() const {
  if (!this) return {};
  return toPublic(toImpl(this)->device.get());
}
MTL::HazardTrackingMode MTL::Heap::hazardTrackingMode() const {
  if (!this) return {};
  return hazardTrackingModeOf(toImpl(this)->options);
}
BASANITE_OBJECT_GETTER(MTL::Heap, NS::String, label)
void MTL::Heap::setLabel(const NS::String* label) {
  if (!this) return;
  toImpl(this)->label.set(label);
  toImpl(this)->backend->setLabel(basanite::foundation::textOf(label));
}
// Of a placement heap all of it: where its resources lie is the app's business.
NS::UInteger MTL::Heap::maxAvailableSize(NS::UInteger alignment) {
  if (!this) return {};
  auto* self = toImpl(this);
  if (self->type == MTL::HeapTypePlacement) return self->backend->size();
  if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
    reportMisuse("Heap::maxAvailableSize: the alignment {} is no power of two.", alignment);
    return 0;
  }
  return self->backend->largestFree(alignment);
}
MTL::Buffer* MTL::Heap::newBuffer(NS::UInteger length, MTL::ResourceOptions options) {
  if (!this) return {};
  return orReport("Heap::newBuffer", toImpl(this)->makeBuffer(length, options, std::nullopt));
}
MTL::Buffer* MTL::Heap::newBuffer(NS::UInteger length, MTL::ResourceOptions options, NS::UInteger offset) {
  if (!this) return {};
  return orReport("Heap::newBuffer", toImpl(this)->makeBuffer(length, options, offset));
}
MTL::Texture* MTL::Heap::newTexture(const MTL::TextureDescriptor* descriptor) {
  if (!this) return {};
  if (!descriptor) {
    reportMisuse("Heap::newTexture: the descriptor is null.");
    return nullptr;
  }
  return orReport("Heap::newTexture", toImpl(this)->makeTexture(*toImpl(descriptor), std::nullopt));
}
MTL::Texture* MTL::Heap::newTexture(const MTL::TextureDescriptor* descriptor, NS::UInteger offset) {
  if (!this) return {};
  if (!descriptor) {
    reportMisuse("Heap::newTexture: the descriptor is null.");
    return nullptr;
  }
  return orReport("Heap::newTexture", toImpl(this)->makeTexture(*toImpl(descriptor), offset));
}
MTL::ResourceOptions MTL::Heap::resourceOptions() const {
  if (!this) return {};
  return toImpl(this)->options;
}
MTL::PurgeableState MTL::Heap::setPurgeableState(MTL::PurgeableState state) {
  if (!this) return {};
  return exchangePurgeableState("Heap::setPurgeableState", toImpl(this)->purgeableState, state);
}
NS::UInteger MTL::Heap::size() const {
  if (!this) return {};
  return toImpl(this)->backend->size();
}
MTL::StorageMode MTL::Heap::storageMode() const {
  if (!this) return {};
  return storageModeOf(toImpl(this)->options);
}
MTL::HeapType MTL::Heap::type() const {
  if (!this) return {};
  return toImpl(this)->type;
}
NS::UInteger MTL::Heap::usedSize() const {
  if (!this) return {};
  return toImpl(this)->heldBytes;
}
