// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLBuffer.hpp.
#pragma once

#include "src/metal/MTLResource.hpp"
#include "src/vulkan/buffer.hpp"

#include <Metal/MTLBuffer.hpp>

namespace basanite::metal {

class Buffer final : public Resource {
 public:
  Buffer(Device* owner, base::Ref<vulkan::Buffer> buffer, MTL::ResourceOptions resourceOptions)
      : Resource(owner, resourceOptions), backend(std::move(buffer)) {}
  const char* className() const override { return "MTLBuffer"; }
  uint64_t allocatedSize() const override { return backend->allocatedSize(); }
  void labelChanged(std::string_view text) override { backend->setLabel(text); }

  base::Ref<vulkan::Buffer> backend;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Buffer, basanite::metal::Buffer)
