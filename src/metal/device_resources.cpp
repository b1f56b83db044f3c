// SPDX-License-Identifier: Apache-2.0
// The resources and events that MTL::Device makes, and what resources take of a heap.
#include "src/metal/MTLBuffer.hpp"
#include "src/metal/MTLDevice.hpp"
#include "src/metal/MTLEvent.hpp"
#include "src/metal/MTLHeap.hpp"
#include "src/metal/MTLResidencySet.hpp"
#include "src/metal/MTLResourceViewPool.hpp"
#include "src/metal/MTLTexture.hpp"
#include "src/metal/enum_check.hpp"
#include "src/metal/error.hpp"
#include "src/metal/make_result.hpp"
#include "src/metal/validation.hpp"
#include "src/vulkan/host_transfer.hpp"

#include <cstring>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

constexpr auto kNotSupported = static_cast<NS::Integer>(MTL::DeviceErrorNotSupported);

base::Result<foundation::Retained<Buffer>> makeBuffer(Device* device, NS::UInteger length,
                                                      MTL::ResourceOptions options) {
  if (length == 0) return base::Error{"A buffer of 0 bytes cannot be made."};
  MTL::StorageMode storage = storageModeOf(options);
  BASANITE_TRY_VOID(checkEnum("The storage mode of the resource options", storage));
  BASANITE_TRY_VOID(checkEnum("The CPU cache mode of the resource options", cpuCacheModeOf(options)));
  BASANITE_TRY_VOID(
      checkEnum("The hazard tracking mode of the resource options", hazardTrackingModeOf(options)));
  bool near = storage == MTL::StorageModeShared || storage == MTL::StorageModeManaged;
  BASANITE_TRY(auto backend,
               vulkan::Buffer::create(device->backend, length,
                                      near ? vulkan::MemoryKind::shared : vulkan::MemoryKind::deviceLocal));
  return foundation::Retained<Buffer>::adopt(new Buffer(device, std::move(backend), options));
}

base::Result<foundation::Retained<Buffer>> makeBuffer(Device* device, const void* bytes, NS::UInteger length,
                                                      MTL::ResourceOptions options) {
  if (!bytes) return base::Error{"The pointer to the buffer's first contents is null."};
  BASANITE_TRY(auto buffer, makeBuffer(device, length, options));
  if (void* contents = buffer->backend->contents())
    std::memcpy(contents, bytes, length);
  else
    BASANITE_TRY_VOID(device->backend->hostTransfer().uploadBuffer(*buffer->backend, 0, bytes, length));
  return buffer;
}

base::Result<foundation::Retained<Buffer>>
makeBufferOver(Device* device, const void* bytes, NS::UInteger length, MTL::ResourceOptions options,
               const std::function<void(void*, NS::UInteger)>& deallocator) {
  if (!bytes) return base::Error{"The pointer to the buffer's memory is null."};
  MTL::StorageMode storage = storageModeOf(options);
  if (storage != MTL::StorageModeShared && storage != MTL::StorageModeManaged)
    return base::Error{
        fmt::format("A buffer over a program's own memory has the storage mode Shared or Managed, "
                    "not {}.",
                    static_cast<uint64_t>(storage))};
  void* memory = const_cast<void*>(bytes);
  auto release = [memory, length, deallocator] {
    if (deallocator) deallocator(memory, length);
  };
  BASANITE_TRY(auto backend, vulkan::Buffer::createOver(device->backend, memory, length, release));
  return foundation::Retained<Buffer>::adopt(new Buffer(device, std::move(backend), options));
}

template <class EventClass> base::Result<foundation::Retained<EventClass>> makeEvent(Device* device) {
  BASANITE_TRY(auto semaphore, vulkan::Semaphore::create(device->backend));
  return foundation::Retained<EventClass>::adopt(new EventClass(device, std::move(semaphore)));
}

base::Result<foundation::Retained<Texture>> makeTexture(Device* device, const TextureDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor is null."};
  return Texture::create(device, *descriptor);
}

base::Result<foundation::Retained<SharedEvent>> makeSharedEvent(Device* device,
                                                                const SharedEventHandle* handle) {
  if (!handle || !handle->semaphore) return base::Error{"The handle is null or of no event."};
  if (handle->device.get() != device) return base::Error{"The handle is of another device's event."};
  auto event = foundation::Retained<SharedEvent>::adopt(new SharedEvent(device, handle->semaphore));
  event->label = handle->label;
  return event;
}

base::Result<foundation::Retained<Heap>> makeHeap(Device* device, const HeapDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The descriptor is null."};
  return Heap::create(device, *descriptor);
}

// Zero, with the sentence reported, for what cannot be made.
MTL::SizeAndAlign orReportNeed(const char* method, base::Result<HeapNeed> need) {
  if (need) return MTL::SizeAndAlign{need->size, need->alignment};
  reportMisuse("{}: {}", method, need.error().message);
  return MTL::SizeAndAlign{0, 0};
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

MTL::SizeAndAlign MTL::Device::heapBufferSizeAndAlign(NS::UInteger length, MTL::ResourceOptions options) {
  if (!this) return {};
  return orReportNeed("Device::heapBufferSizeAndAlign",
                      basanite::metal::Heap::bufferNeed(toImpl(this), length, options));
}
MTL::SizeAndAlign MTL::Device::heapTextureSizeAndAlign(const MTL::TextureDescriptor* desc) {
  if (!this) return {};
  if (!desc)
    return orReportNeed("Device::heapTextureSizeAndAlign", basanite::base::Error{"The descriptor is null."});
  return orReportNeed("Device::heapTextureSizeAndAlign",
                      basanite::metal::Heap::textureNeed(toImpl(this), *toImpl(desc)));
}

MTL::Buffer* MTL::Device::newBuffer(NS::UInteger length, MTL::ResourceOptions options) {
  if (!this) return {};
  return orReport("Device::newBuffer", makeBuffer(toImpl(this), length, options));
}
// Copies the bytes.
MTL::Buffer* MTL::Device::newBuffer(const void* pointer, NS::UInteger length, MTL::ResourceOptions options) {
  if (!this) return {};
  return orReport("Device::newBuffer", makeBuffer(toImpl(this), pointer, length, options));
}
// The memory stays the app's: the deallocator is called once the buffer is gone and the GPU is done with it.
MTL::Buffer* MTL::Device::newBuffer(const void* pointer, NS::UInteger length, MTL::ResourceOptions options,
                                    const std::function<void(void*, NS::UInteger)>& deallocator) {
  if (!this) return {};
  return orReport("Device::newBuffer", makeBufferOver(toImpl(this), pointer, length, options, deallocator));
}

MTL::Event* MTL::Device::newEvent() {
  if (!this) return {};
  return orReport("Device::newEvent", makeEvent<basanite::metal::Event>(toImpl(this)));
}
MTL::SharedEvent* MTL::Device::newSharedEvent() {
  if (!this) return {};
  return orReport("Device::newSharedEvent", makeEvent<basanite::metal::SharedEvent>(toImpl(this)));
}
MTL::SharedEvent* MTL::Device::newSharedEvent(const MTL::SharedEventHandle* sharedEventHandle) {
  if (!this) return {};
  return orReport("Device::newSharedEvent",
                  makeSharedEvent(toImpl(this), sharedEventHandle ? toImpl(sharedEventHandle) : nullptr));
}
MTL::Heap* MTL::Device::newHeap(const MTL::HeapDescriptor* descriptor) {
  if (!this) return {};
  return orReport("Device::newHeap", makeHeap(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::ResidencySet* MTL::Device::newResidencySet(const MTL::ResidencySetDescriptor* desc, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  if (desc) return toPublic(new basanite::metal::ResidencySet(toImpl(this), *toImpl(desc)));
  setError(error, kDeviceErrorDomain, kNotSupported,
           std::string_view("The residency set descriptor is null."));
  return nullptr;
}

MTL::Texture* MTL::Device::newTexture(const MTL::TextureDescriptor* descriptor) {
  if (!this) return {};
  return orReport("Device::newTexture", makeTexture(toImpl(this), descriptor ? toImpl(descriptor) : nullptr));
}

MTL::TextureViewPool* MTL::Device::newTextureViewPool(const MTL::ResourceViewPoolDescriptor* descriptor,
                                                      NS::Error** error) {
  if (!this) return {};
  return orError(
      basanite::metal::TextureViewPool::create(toImpl(this), descriptor ? toImpl(descriptor) : nullptr),
      kDeviceErrorDomain, kNotSupported, error);
}
