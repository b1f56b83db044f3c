// SPDX-License-Identifier: Apache-2.0
// MTL::Device: how it is found, what it says of itself. What it makes is in device_make.cpp.
#include "src/metal/MTLDevice.hpp"

#include "src/base/log.hpp"
#include "src/metal/enum_map.hpp"
#include "src/metal/property.hpp"
#include "src/metal/sample_positions.hpp"
#include "src/metal/trace_device.hpp"
#include "src/metal/validation.hpp"
#include "src/vulkan/counter_heap.hpp"
#include "src/vulkan/descriptor_heap.hpp"
#include "src/vulkan/format_table.hpp"
#include "src/vulkan/image.hpp"
#include "src/vulkan/physical_device.hpp"
#include "src/vulkan/range_mask.hpp"
#include "src/vulkan/visibility_results.hpp"
#include "src/vulkan/workarounds.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSString.hpp>
#include <Metal/MTL4Counters.hpp>
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

shader::DeviceTraits traitsOf(const vulkan::PhysicalDevice& physical) {
  const vulkan::DeviceFeatures& features = physical.features();
  shader::DeviceTraits traits;
  traits.subgroupSize = physical.limits().subgroupSize;
  traits.float16 = features.shaderFloat16;
  traits.int8 = features.shaderInt8;
  traits.int16 = features.shaderInt16;
  traits.storage8 = features.storageBuffer8Bit;
  traits.storage16 = features.storageBuffer16Bit;
  traits.workgroupExplicitLayout = features.workgroupExplicitLayout;
  traits.demote = features.shaderDemoteToHelperInvocation;
  traits.fragmentBarycentric = features.fragmentBarycentric;
  traits.minLod = features.shaderResourceMinLod;
  traits.int64Atomics = features.shaderBufferInt64Atomics;
  traits.stencilExport = features.stencilExport;
  traits.texelBuffers = features.bindlessTexelBuffers();
  traits.colorInputs = features.dynamicRenderingLocalRead;
  traits.pixelInterlock = features.fragmentPixelInterlock;
  return traits;
}

// What a program may come to ask about: which driver it is, how true its stamps are, what it cannot do.
void logDevice(const vulkan::PhysicalDevice& physical, const shader::DeviceTraits& traits) {
  const vulkan::DeviceFeatures& features = physical.features();
  const vulkan::DeviceLimits& limits = physical.limits();
  const uint32_t version = physical.properties().apiVersion;
  base::logInfo("The device is \"{}\": driver {} {}, Vulkan {}.{}.{}.", physical.name(),
                physical.driverName(), physical.driverInfo(), VK_API_VERSION_MAJOR(version),
                VK_API_VERSION_MINOR(version), VK_API_VERSION_PATCH(version));
  const vulkan::Workarounds& workarounds = vulkan::workaroundsFor(physical.driverId());
  const bool barriers = features.dynamicRenderingLocalRead && workarounds.localReadBarrierIsolates;
  const bool doubled = workarounds.relaxedStamp == vulkan::RelaxedStamp::doubled;
  base::logInfo(
      "Timestamps: {} bits of {} ns a tick, {}; precise ones between draws {}; relaxed ones are {}.",
      limits.timestampValidBits, limits.timestampPeriodNs,
      features.calibratedTimestamps ? "calibrated" : "not calibrated",
      barriers ? "stand between barriers" : "split the pass", doubled ? "doubled" : "plain");
  std::string lacks;
  const std::pair<bool, const char*> optional[] = {{features.meshShader, "mesh shaders"},
                                                   {features.shaderFloat16, "half arithmetic"},
                                                   {features.shaderInt8, "8-bit integers"},
                                                   {features.shaderInt16, "16-bit integers"},
                                                   {features.shaderBufferInt64Atomics, "64-bit atomics"},
                                                   {features.textureCompressionBC, "BC textures"},
                                                   {features.textureCompressionASTC, "ASTC textures"},
                                                   {features.textureCompressionETC2, "ETC2 textures"}};
  for (const auto& [there, name] : optional)
    if (!there) lacks += (lacks.empty() ? "" : ", ") + std::string(name);
  base::logInfo("Simdgroups have {} threads. The device lacks: {}.", traits.subgroupSize,
                lacks.empty() ? "nothing of note" : lacks);
}

} // namespace

Device::Device(base::Ref<vulkan::Device> device, std::unique_ptr<vulkan::Clock> deviceClock)
    : backend(std::move(device)), clock(std::move(deviceClock)), m_traits(traitsOf(backend->physical())) {
  const vulkan::DeviceLimits& limits = backend->limits();
  bool selectable = limits.subgroupSizeSelectableInCompute && limits.minSubgroupSize <= kSimdgroupThreads &&
                    kSimdgroupThreads <= limits.maxSubgroupSize;
  if (!selectable) return;
  m_requiredSubgroupSize = kSimdgroupThreads;
  m_traits.subgroupSize = kSimdgroupThreads;
}

base::Result<base::Ref<vulkan::ComputePipeline>> Device::visibilityKernel() {
  std::lock_guard lock(m_kernelMutex);
  if (!m_visibilityKernel) {
    BASANITE_TRY(m_visibilityKernel, vulkan::VisibilityResults::createKernel(backend));
  }
  return m_visibilityKernel;
}

base::Result<base::Ref<vulkan::ComputePipeline>> Device::rangeMaskKernel() {
  std::lock_guard lock(m_kernelMutex);
  if (!m_rangeMaskKernel) {
    BASANITE_TRY(m_rangeMaskKernel, vulkan::RangeMask::createKernel(backend));
  }
  return m_rangeMaskKernel;
}

base::Result<vulkan::ExpandKernels> Device::expandKernels() {
  std::lock_guard lock(m_kernelMutex);
  if (!m_expandKernels.expand) {
    BASANITE_TRY(m_expandKernels, vulkan::ExpandKernels::create(backend));
  }
  return m_expandKernels;
}

void Device::noteArchive(const std::shared_ptr<const ArchiveData>& archive) {
  std::lock_guard lock(m_archiveMutex);
  std::erase_if(m_archives, [](const auto& known) { return known.expired(); });
  m_archives.insert(m_archives.begin(), archive);
}

std::vector<std::shared_ptr<const ArchiveData>> Device::archives() const {
  std::vector<std::shared_ptr<const ArchiveData>> open;
  std::lock_guard lock(m_archiveMutex);
  for (const auto& known : m_archives)
    if (auto archive = known.lock()) open.push_back(std::move(archive));
  return open;
}

std::optional<LibraryInterface> Device::archivedLibrary(const std::string& sourceDigest) const {
  for (const auto& archive : archives())
    if (auto known = archive->libraries.find(sourceDigest); known != archive->libraries.end())
      return known->second;
  return std::nullopt;
}

base::Result<foundation::Retained<Device>> Device::open(const vulkan::PhysicalDevice& physical) {
  static std::mutex s_mutex;
  static auto* s_devices = new std::map<VkPhysicalDevice, foundation::Retained<Device>>;
  std::lock_guard lock(s_mutex);
  auto found = s_devices->find(physical.vkPhysicalDevice());
  if (found != s_devices->end()) return found->second;
  BASANITE_TRY(auto backend, vulkan::Device::create(physical));
  BASANITE_TRY(auto clock, vulkan::Clock::create(backend));
  auto device = foundation::Retained<Device>::adopt(new Device(std::move(backend), std::move(clock)));
  device->trace = DeviceTrace::create(device->backend, *device->clock);
  s_devices->emplace(physical.vkPhysicalDevice(), device);
  if (base::printsInfo()) logDevice(physical, device->traits());
  return device;
}

namespace {

MTL::Device* createDefault() {
  readDebugLayerSettings();
  auto physical = vulkan::PhysicalDevice::choose();
  if (!physical) {
    base::logError("{}", physical.error().message);
    return nullptr;
  }
  auto device = Device::open(*physical);
  if (!device) {
    base::logError("{}", device.error().message);
    return nullptr;
  }
  return toPublic((*device).detach());
}

NS::Array* copyAll() {
  readDebugLayerSettings();
  std::vector<foundation::Object*> devices;
  auto all = vulkan::PhysicalDevice::all();
  if (!all) base::logError("{}", all.error().message);
  std::vector<foundation::Retained<Device>> opened;
  for (const vulkan::PhysicalDevice& physical : all ? *all : std::vector<vulkan::PhysicalDevice>()) {
    if (physical.missingFeature()) continue;
    auto device = Device::open(physical);
    if (!device) {
      base::logWarning("{}", device.error().message);
      continue;
    }
    opened.push_back(*device);
    devices.push_back(opened.back().get());
  }
  return foundation::makeArray(devices);
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;

extern "C" MTL::Device* MTLCreateSystemDefaultDevice() { return createDefault(); }
extern "C" NS::Array* MTLCopyAllDevices() { return copyAll(); }
MTL::Device* MTL::CreateSystemDefaultDevice() { return createDefault(); }
NS::Array* MTL::CopyAllDevices() { return copyAll(); }

NS::String* MTL::Architecture::name() const {
  if (!this) return {};
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->name);
}

MTL::Architecture* MTL::Device::architecture() const {
  if (!this) return {};
  auto* architecture = new basanite::metal::Architecture;
  architecture->name = toImpl(this)->backend->physical().driverName();
  return basanite::foundation::toPublicAutoreleased(architecture);
}
// Argument buffers are memory like any other, with addresses and resource IDs in it.
MTL::ArgumentBuffersTier MTL::Device::argumentBuffersSupport() const { return MTL::ArgumentBuffersTier2; }
bool MTL::Device::barycentricCoordsSupported() const { return areBarycentricCoordsSupported(); }
bool MTL::Device::depth24Stencil8PixelFormatSupported() const {
  return isDepth24Stencil8PixelFormatSupported();
}
bool MTL::Device::headless() const { return isHeadless(); }
bool MTL::Device::lowPower() const { return isLowPower(); }
bool MTL::Device::removable() const { return isRemovable(); }
bool MTL::Device::programmableSamplePositionsSupported() const {
  return areProgrammableSamplePositionsSupported();
}
bool MTL::Device::rasterOrderGroupsSupported() const { return areRasterOrderGroupsSupported(); }
// Where in the machine a GPU sits, and which others it reaches, no driver says.
NS::UInteger MTL::Device::locationNumber() const { return 0; }
uint64_t MTL::Device::maxTransferRate() const { return 0; }
uint32_t MTL::Device::peerCount() const { return 0; }
uint64_t MTL::Device::peerGroupID() const { return 0; }
uint32_t MTL::Device::peerIndex() const { return 0; }
bool MTL::Device::areBarycentricCoordsSupported() const { return false; }
bool MTL::Device::areProgrammableSamplePositionsSupported() const {
  return this && toImpl(this)->backend->features().sampleLocations;
}
bool MTL::Device::areRasterOrderGroupsSupported() const {
  return this && toImpl(this)->backend->features().fragmentPixelInterlock;
}
NS::UInteger MTL::Device::currentAllocatedSize() const {
  if (!this) return {};
  return toImpl(this)->backend->allocatedBytes();
}
void MTL::Device::getDefaultSamplePositions(MTL::SamplePosition* positions, NS::UInteger count) {
  const auto standard = basanite::metal::defaultSamplePositions(count);
  if (!this || !positions) return;
  if (standard.empty())
    return basanite::metal::reportMisuse(
        "Device::getDefaultSamplePositions: {} samples; there are positions of 1, 2, 4 and 8.", count);
  std::copy(standard.begin(), standard.end(), positions);
}
bool MTL::Device::hasUnifiedMemory() const {
  if (!this) return {};
  return toImpl(this)->backend->limits().unifiedMemory;
}
bool MTL::Device::isDepth24Stencil8PixelFormatSupported() const {
  if (!this) return {};
  return toImpl(this)->backend->formats().renderable(VK_FORMAT_D24_UNORM_S8_UINT);
}
// Nothing here presents to a display that belongs to the device.
bool MTL::Device::isHeadless() const { return true; }
bool MTL::Device::isLowPower() const {
  if (!this) return {};
  return toImpl(this)->backend->physical().properties().deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
}
bool MTL::Device::isRemovable() const { return false; }
MTL::DeviceLocation MTL::Device::location() const {
  return hasUnifiedMemory() ? MTL::DeviceLocationBuiltIn : MTL::DeviceLocationUnspecified;
}
NS::UInteger MTL::Device::maxArgumentBufferSamplerCount() const {
  if (!this) return {};
  return toImpl(this)->backend->descriptorHeap().samplerCapacity() - 1;
}
NS::UInteger MTL::Device::maxBufferLength() const {
  if (!this) return {};
  return toImpl(this)->backend->limits().maxBufferBytes;
}
NS::UInteger MTL::Device::maxThreadgroupMemoryLength() const {
  if (!this) return {};
  return toImpl(this)->backend->limits().maxThreadgroupMemoryBytes;
}
MTL::Size MTL::Device::maxThreadsPerThreadgroup() const {
  if (!this) return {};
  const auto& limits = toImpl(this)->backend->limits();
  return MTL::Size::Make(limits.maxThreadgroupWidth[0], limits.maxThreadgroupWidth[1],
                         limits.maxThreadgroupWidth[2]);
}
NS::UInteger MTL::Device::maximumConcurrentCompilationTaskCount() const {
  return std::clamp(std::thread::hardware_concurrency(), 1u, 4u);
}
// What the rows of a 2D texture over a buffer, and its offset, are multiples of.
NS::UInteger MTL::Device::minimumLinearTextureAlignmentForPixelFormat(MTL::PixelFormat format) {
  if (!this) return {};
  const PixelFormatInfo* info = pixelFormatInfo(format);
  NS::UInteger bytes =
      info && info->vkFormat != VK_FORMAT_UNDEFINED
          ? basanite::vulkan::Image::linearRowAlignment(*toImpl(this)->backend, info->vkFormat)
          : 0;
  if (bytes == 0)
    reportMisuse(
        "Device::minimumLinearTextureAlignmentForPixelFormat: the device has no linear textures of the "
        "pixel format {}.",
        pixelFormatText(format));
  return bytes;
}
NS::UInteger MTL::Device::minimumTextureBufferAlignmentForPixelFormat(MTL::PixelFormat) {
  if (!this) return {};
  return toImpl(this)->backend->physical().properties().limits.minTexelBufferOffsetAlignment;
}
NS::String* MTL::Device::name() const {
  if (!this) return {};
  return basanite::foundation::makeAutoreleasedString(toImpl(this)->backend->physical().name());
}
// Nanoseconds: the unit of counter-heap entries.
uint64_t MTL::Device::queryTimestampFrequency() { return 1'000'000'000; }
MTL::ReadWriteTextureTier MTL::Device::readWriteTextureSupport() const {
  if (!this) return {};
  return toImpl(this)->backend->features().shaderStorageImageReadWithoutFormat
             ? MTL::ReadWriteTextureTier2
             : MTL::ReadWriteTextureTierNone;
}
uint64_t MTL::Device::recommendedMaxWorkingSetSize() const {
  if (!this) return {};
  return toImpl(this)->backend->limits().deviceLocalBytes;
}
uint64_t MTL::Device::registryID() const {
  if (!this) return {};
  uint64_t id = 0;
  std::memcpy(&id, toImpl(this)->backend->physical().deviceUuid(), sizeof id);
  return id;
}
// Both in nanoseconds: CLOCK_MONOTONIC and the clock of counter-heap entries.
void MTL::Device::sampleTimestamps(MTL::Timestamp* cpuTimestamp, MTL::Timestamp* gpuTimestamp) {
  if (!this) return;
  const basanite::vulkan::ClockSample sample = toImpl(this)->clock->sample();
  if (cpuTimestamp) *cpuTimestamp = sample.hostNs;
  if (gpuTimestamp) *gpuTimestamp = sample.gpuNs;
}
void MTL::Device::setShouldMaximizeConcurrentCompilation(bool shouldMaximizeConcurrentCompilation) {
  if (this) toImpl(this)->maximizesCompilation = shouldMaximizeConcurrentCompilation;
}
bool MTL::Device::shouldMaximizeConcurrentCompilation() const {
  return this && toImpl(this)->maximizesCompilation;
}
NS::UInteger MTL::Device::sizeOfCounterHeapEntry(MTL4::CounterHeapType type) {
  return type == MTL4::CounterHeapTypeTimestamp ? basanite::vulkan::CounterHeap::kEntryBytes : 0;
}
bool MTL::Device::supports32BitFloatFiltering() const {
  if (!this) return {};
  return toImpl(this)->backend->formats().filterable(VK_FORMAT_R32_SFLOAT);
}
bool MTL::Device::supports32BitMSAA() const {
  if (!this) return {};
  return toImpl(this)->backend->physical().properties().limits.framebufferColorSampleCounts &
         VK_SAMPLE_COUNT_4_BIT;
}
bool MTL::Device::supportsBCTextureCompression() const {
  if (!this) return {};
  return toImpl(this)->backend->features().textureCompressionBC;
}
bool MTL::Device::supportsCounterSampling(MTL::CounterSamplingPoint) { return false; }
bool MTL::Device::supportsDynamicLibraries() const { return true; }
// The families that name an API. Those that name a GPU promise features that no Vulkan device has all of.
bool MTL::Device::supportsFamily(MTL::GPUFamily gpuFamily) {
  switch (gpuFamily) {
  case MTL::GPUFamilyCommon1:
  case MTL::GPUFamilyCommon2:
  case MTL::GPUFamilyCommon3:
  case MTL::GPUFamilyMetal3:
  case MTL::GPUFamilyMetal4:
    return true;
  default:
    return false;
  }
}
bool MTL::Device::supportsFunctionPointers() const { return true; }
bool MTL::Device::supportsFunctionPointersFromRender() const { return true; }
bool MTL::Device::supportsPlacementSparse() const { return false; }
bool MTL::Device::supportsPrimitiveMotionBlur() const { return false; }
bool MTL::Device::supportsPullModelInterpolation() const { return false; }
bool MTL::Device::supportsQueryTextureLOD() const { return false; }
bool MTL::Device::supportsRasterizationRateMap(NS::UInteger) { return false; }
bool MTL::Device::supportsRaytracing() const { return false; }
bool MTL::Device::supportsRaytracingFromRender() const { return false; }
bool MTL::Device::supportsRenderDynamicLibraries() const { return true; }
bool MTL::Device::supportsShaderBarycentricCoordinates() const { return false; }
bool MTL::Device::supportsTextureSampleCount(NS::UInteger sampleCount) {
  if (!this) return {};
  const auto& limits = toImpl(this)->backend->physical().properties().limits;
  VkSampleCountFlags counts = limits.framebufferColorSampleCounts & limits.framebufferDepthSampleCounts;
  return sampleCount != 0 && (sampleCount & (sampleCount - 1)) == 0 && (counts & sampleCount) != 0;
}
bool MTL::Device::supportsVertexAmplificationCount(NS::UInteger count) { return count == 1; }
