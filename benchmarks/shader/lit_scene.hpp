// SPDX-License-Identifier: Apache-2.0
// The lit shader of the frame (frame_scene.hpp) for benchmarks that make it again and again.
#pragma once

#include "benchmarks/api/frame_scene.hpp"
#include "benchmarks/api/metal.hpp"
#include "benchmarks/raw_vulkan/device.hpp"

#include <string>
#include <vector>

namespace basanite::benchmarks {

// The frame's source with another constant for each number, so that no two are the same to a cache.
std::string litSource(unsigned number);
// What its vertex function reads.
NS::SharedPtr<MTL::VertexDescriptor> litVertices();
// The twin: from SPIR-V to a pipeline, no cache; ns.
std::vector<double> makeLitTwin(twin::Device& device);

} // namespace basanite::benchmarks
