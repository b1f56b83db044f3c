// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLDevice.hpp: the device behind every other object of the front.
#pragma once

#include "src/base/result.hpp"
#include "src/foundation/object.hpp"
#include "src/metal/archive_data.hpp"
#include "src/shader/compiler.hpp"
#include "src/vulkan/clock.hpp"
#include "src/vulkan/command_expander.hpp"
#include "src/vulkan/compute_pipeline.hpp"
#include "src/vulkan/device.hpp"

#include <Metal/MTLDevice.hpp>
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace basanite::metal {

class DeviceTrace;

// Thread-safe. One a GPU and process, and never destroyed, as the system's devices are on Apple's: apps
// compare the pointers, and creating it again would cost them a driver start-up.
class Device final : public foundation::Object {
 public:
  static constexpr uint32_t kSimdgroupThreads = 32; // what Metal programs count on

  // Error: what the backend says.
  static base::Result<foundation::Retained<Device>> open(const vulkan::PhysicalDevice& physical);

  Device(base::Ref<vulkan::Device> device, std::unique_ptr<vulkan::Clock> clock);
  const char* className() const override { return "MTLDevice"; }

  // What the shader compiler must know of this device.
  const shader::DeviceTraits& traits() const { return m_traits; }
  // The subgroup size to ask for in compute pipelines; 0 where it cannot be chosen.
  uint32_t requiredSubgroupSize() const { return m_requiredSubgroupSize; }
  // Threads of a kernel's simdgroup: narrower subgroups are widened by the shader compiler
  // (lower/widen_simdgroups.cpp).
  uint32_t kernelSimdgroupThreads() const { return std::max(m_traits.subgroupSize, kSimdgroupThreads); }

  // Archives that are open, newest first.
  void noteArchive(const std::shared_ptr<const ArchiveData>& archive);
  std::vector<std::shared_ptr<const ArchiveData>> archives() const;
  // What an open archive knows of a library made from what has this digest.
  std::optional<LibraryInterface> archivedLibrary(const std::string& sourceDigest) const;

  // The kernel behind visibility results, made on first use. Error: what the backend says.
  base::Result<base::Ref<vulkan::ComputePipeline>> visibilityKernel();
  // Those behind indirect command buffers, likewise.
  base::Result<base::Ref<vulkan::ComputePipeline>> rangeMaskKernel();
  base::Result<vulkan::ExpandKernels> expandKernels();

  base::Ref<vulkan::Device> backend;
  std::unique_ptr<vulkan::Clock> clock;
  DeviceTrace* trace = nullptr; // set once, when the device is opened; null: BASANITE_TRACE asks for nothing
  // A permission: the compiler's threads are as many as they are (background.cpp).
  std::atomic<bool> maximizesCompilation{false};

 private:
  mutable std::mutex m_archiveMutex;
  std::vector<std::weak_ptr<const ArchiveData>> m_archives; // guarded by m_archiveMutex
  std::mutex m_kernelMutex;
  base::Ref<vulkan::ComputePipeline> m_visibilityKernel, m_rangeMaskKernel; // guarded by m_kernelMutex
  vulkan::ExpandKernels m_expandKernels;                                    // guarded by m_kernelMutex
  shader::DeviceTraits m_traits;
  uint32_t m_requiredSubgroupSize = 0;
};

// What the GPU architecture is called: the driver's name.
class Architecture final : public foundation::Object {
 public:
  const char* className() const override { return "MTLArchitecture"; }
  foundation::Object* copy() const override {
    auto* self = const_cast<Architecture*>(this);
    self->retain();
    return self;
  }
  std::string name;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Device, basanite::metal::Device)
BASANITE_BRIDGE(MTL::Architecture, basanite::metal::Architecture)
