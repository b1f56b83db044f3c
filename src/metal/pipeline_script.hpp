// SPDX-License-Identifier: Apache-2.0
// Descriptions of pipelines as JSON, which PipelineDataSetSerializer::serializeAsPipelinesScript hands out.
#pragma once

#include "src/metal/function_lookup.hpp"

#include <string>
#include <vector>

namespace basanite::metal {

class ComputePipelineDescriptor4;
class MeshRenderPipelineDescriptor4;
class RenderPipelineDescriptor4;

// A null function is not there.
std::string describePipeline(const RenderPipelineDescriptor4& descriptor, const FoundFunction& vertex,
                             const FoundFunction* fragment);
std::string describePipeline(const MeshRenderPipelineDescriptor4& descriptor, const FoundFunction* object,
                             const FoundFunction& mesh, const FoundFunction* fragment);
std::string describePipeline(const ComputePipelineDescriptor4& descriptor, const FoundFunction& kernel);

// The script of pipelines that were so described.
std::string pipelineScript(const std::vector<std::string>& descriptions);

} // namespace basanite::metal
