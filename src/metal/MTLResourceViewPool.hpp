// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLResourceViewPool.hpp and MTLTextureViewPool.hpp: runs of neighbouring slots of the
// bindless set.
#pragma once

#include "src/metal/MTLTexture.hpp"

#include <Metal/MTLResourceViewPool.hpp>
#include <Metal/MTLTextureViewPool.hpp>
#include <mutex>
#include <vector>

namespace basanite::metal {

struct ResourceViewPoolDescriptorFields {
  Copied<NS::String> label;
  NS::UInteger resourceViewCount = 0;
};
class ResourceViewPoolDescriptor final
    : public PropertyBag<ResourceViewPoolDescriptor, ResourceViewPoolDescriptorFields> {
 public:
  const char* className() const override { return "MTLResourceViewPoolDescriptor"; }
};

// Slot i has the resource ID baseSlot + i; a slot that nobody has set shows the null texture. Changing a slot
// that the GPU may be using is the app's race. Thread-safe.
class ResourceViewPool : public foundation::Object {
 public:
  ResourceViewPool(Device* owner, const ResourceViewPoolDescriptorFields& descriptor, uint32_t firstSlot);
  ~ResourceViewPool() override;
  const char* className() const override { return "MTLResourceViewPool"; }

  // `view` may be null. Error: the index is past the end.
  base::Result<uint32_t> set(NS::UInteger index, foundation::Retained<Texture> view);
  // Error: a range that is not inside both pools.
  base::Result<uint32_t> copyFrom(const ResourceViewPool& source, const NS::Range& range, NS::UInteger index);
  std::vector<foundation::Retained<Texture>> views(const NS::Range& range) const; // inside the pool
  NS::UInteger count() const { return m_views.size(); }

  foundation::Retained<Device> device;
  Copied<NS::String> label;
  const uint32_t baseSlot;

 private:
  void write(NS::UInteger index, foundation::Retained<Texture>& view);

  mutable std::mutex m_mutex;
  std::vector<foundation::Retained<Texture>> m_views; // guarded by m_mutex; null: the null texture
};

class TextureViewPool final : public ResourceViewPool {
 public:
  // Error: no descriptor, or no such run of free slots, with both numbers.
  static base::Result<foundation::Retained<TextureViewPool>>
  create(Device* device, const ResourceViewPoolDescriptor* descriptor);
  using ResourceViewPool::ResourceViewPool;
  const char* className() const override { return "MTLTextureViewPool"; }
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::ResourceViewPoolDescriptor, basanite::metal::ResourceViewPoolDescriptor)
BASANITE_BRIDGE(MTL::ResourceViewPool, basanite::metal::ResourceViewPool)
BASANITE_BRIDGE(MTL::TextureViewPool, basanite::metal::TextureViewPool)
