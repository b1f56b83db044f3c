// SPDX-License-Identifier: Apache-2.0
// How a backend sampler is made from a descriptor; used by sampler states and by shaders' constexpr samplers.
#pragma once

#include "src/metal/MTLSampler.hpp"

namespace basanite::metal {

// Error: what the device cannot do, named.
base::Result<base::Ref<vulkan::Sampler>> createSampler(const base::Ref<vulkan::Device>& device,
                                                       const SamplerDescriptorFields& fields,
                                                       std::string_view label);

} // namespace basanite::metal
