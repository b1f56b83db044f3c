// SPDX-License-Identifier: Apache-2.0
// What the stages of a render pipeline are linked with.
#pragma once

#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"
#include "src/metal/stage_links.hpp"

#include <memory>

namespace basanite::metal {

// Null for a stage that the pipeline does not have.
struct RenderLinks {
  std::shared_ptr<const StageLinks> vertex, fragment, object, mesh;

  // Null for none or several stages, and for one that the pipeline does not have.
  const std::shared_ptr<const StageLinks>& of(MTL::RenderStages stage) const;
};

// `dynamic` may be null. Error: as findLinks().
base::Result<RenderLinks> findRenderLinks(const RenderPipelineDescriptor4& descriptor,
                                          const RenderDynamicLinkingDescriptor* dynamic);
base::Result<RenderLinks> findRenderLinks(const MeshRenderPipelineDescriptor4& descriptor,
                                          const RenderDynamicLinkingDescriptor* dynamic);

// With more functions. Error: functions for a stage that was made without support for them; as addLinks().
base::Result<RenderLinks> addRenderLinks(const RenderLinks& links, const RenderPipelineDescriptor4& made,
                                         const RenderBinaryFunctionsFields& functions);
base::Result<RenderLinks> addRenderLinks(const RenderLinks& links, const MeshRenderPipelineDescriptor4& made,
                                         const RenderBinaryFunctionsFields& functions);

} // namespace basanite::metal
