// SPDX-License-Identifier: Apache-2.0
// Implementation of render_links.hpp; the properties and methods of render pipelines that are about linking.
#include "src/metal/render_links.hpp"

#include "src/base/log.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/MTLVisibleFunctionTable.hpp"
#include "src/metal/error.hpp"

#include <fmt/format.h>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;
using basanite::metal::handleOf;

namespace basanite::metal {

namespace {

using Links = std::shared_ptr<const StageLinks>;

base::Result<Links> find(const Made<StaticLinkingDescriptor>& linked,
                         const Made<StageDynamicLinkingDescriptor>* dynamic, const char* stage) {
  const auto* fixed = linked.ifMade();
  return findLinks(fixed ? foundation::toPublic(fixed) : nullptr, dynamic ? dynamic->ifMade() : nullptr,
                   stage);
}

base::Result<void> add(Links& links, const Copied<NS::Array>& functions, bool supported, const char* stage,
                       const char* property) {
  if (!functions.get() || functions.get()->count() == 0) return {};
  if (!links)
    return base::Error{
        fmt::format("There are binary functions for the {} stage, which the pipeline does not have.", stage)};
  if (!supported)
    return base::Error{fmt::format(
        "The pipeline's {} stage takes no more functions: its descriptor's {} is false.", stage, property)};
  BASANITE_TRY(links, addLinks(links, functions.get(), stage));
  return {};
}

base::Result<void> refuse(const Copied<NS::Array>& functions, const char* stage) {
  Links none;
  return add(none, functions, false, stage, "");
}

} // namespace

const Links& RenderLinks::of(MTL::RenderStages stage) const {
  static const Links kNone;
  switch (stage) {
  case MTL::RenderStageVertex:
    return vertex;
  case MTL::RenderStageFragment:
    return fragment;
  case MTL::RenderStageObject:
    return object;
  case MTL::RenderStageMesh:
    return mesh;
  default:
    return kNone;
  }
}

base::Result<RenderLinks> findRenderLinks(const RenderPipelineDescriptor4& d,
                                          const RenderDynamicLinkingDescriptor* dynamic) {
  RenderLinks links;
  BASANITE_TRY(links.vertex, find(d.vertexStaticLinkingDescriptor,
                                  dynamic ? &dynamic->vertexLinkingDescriptor : nullptr, "vertex"));
  BASANITE_TRY(links.fragment, find(d.fragmentStaticLinkingDescriptor,
                                    dynamic ? &dynamic->fragmentLinkingDescriptor : nullptr, "fragment"));
  return links;
}

base::Result<RenderLinks> findRenderLinks(const MeshRenderPipelineDescriptor4& d,
                                          const RenderDynamicLinkingDescriptor* dynamic) {
  RenderLinks links;
  BASANITE_TRY(links.object, find(d.objectStaticLinkingDescriptor,
                                  dynamic ? &dynamic->objectLinkingDescriptor : nullptr, "object"));
  BASANITE_TRY(links.mesh, find(d.meshStaticLinkingDescriptor,
                                dynamic ? &dynamic->meshLinkingDescriptor : nullptr, "mesh"));
  BASANITE_TRY(links.fragment, find(d.fragmentStaticLinkingDescriptor,
                                    dynamic ? &dynamic->fragmentLinkingDescriptor : nullptr, "fragment"));
  return links;
}

base::Result<RenderLinks> addRenderLinks(const RenderLinks& links, const RenderPipelineDescriptor4& made,
                                         const RenderBinaryFunctionsFields& functions) {
  RenderLinks more = links;
  BASANITE_TRY_VOID(add(more.vertex, functions.vertexAdditionalBinaryFunctions,
                        made.supportVertexBinaryLinking, "vertex", "supportVertexBinaryLinking"));
  BASANITE_TRY_VOID(add(more.fragment, functions.fragmentAdditionalBinaryFunctions,
                        made.supportFragmentBinaryLinking, "fragment", "supportFragmentBinaryLinking"));
  BASANITE_TRY_VOID(refuse(functions.tileAdditionalBinaryFunctions, "tile"));
  BASANITE_TRY_VOID(refuse(functions.objectAdditionalBinaryFunctions, "object"));
  BASANITE_TRY_VOID(refuse(functions.meshAdditionalBinaryFunctions, "mesh"));
  return more;
}

base::Result<RenderLinks> addRenderLinks(const RenderLinks& links, const MeshRenderPipelineDescriptor4& made,
                                         const RenderBinaryFunctionsFields& functions) {
  RenderLinks more = links;
  BASANITE_TRY_VOID(add(more.object, functions.objectAdditionalBinaryFunctions,
                        made.supportObjectBinaryLinking, "object", "supportObjectBinaryLinking"));
  BASANITE_TRY_VOID(add(more.mesh, functions.meshAdditionalBinaryFunctions, made.supportMeshBinaryLinking,
                        "mesh", "supportMeshBinaryLinking"));
  BASANITE_TRY_VOID(add(more.fragment, functions.fragmentAdditionalBinaryFunctions,
                        made.supportFragmentBinaryLinking, "fragment", "supportFragmentBinaryLinking"));
  BASANITE_TRY_VOID(refuse(functions.tileAdditionalBinaryFunctions, "tile"));
  BASANITE_TRY_VOID(refuse(functions.vertexAdditionalBinaryFunctions, "vertex"));
  return more;
}

base::Result<foundation::Retained<RenderPipelineState>>
RenderPipelineState::withFunctions(const RenderBinaryFunctionsDescriptor* functions) const {
  if (!functions) return base::Error{"The binary functions descriptor is null."};
  if (const auto* own = dynamic_cast<const MeshRenderPipelineDescriptor4*>(made.get())) {
    BASANITE_TRY(RenderLinks more, addRenderLinks(links, *own, *functions));
    return create(device.get(), *own, {}, std::move(more));
  }
  const auto* own = dynamic_cast<const RenderPipelineDescriptor4*>(made.get());
  if (!own)
    return base::Error{fmt::format("The pipeline \"{}\" is of a kind that takes no functions.", name())};
  BASANITE_TRY(RenderLinks more, addRenderLinks(links, *own, *functions));
  return create(device.get(), *own, {}, std::move(more));
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::RenderPipelineBinaryFunctionsDescriptor)
BASANITE_OBJECT(MTL4::RenderPipelineBinaryFunctionsDescriptor, NS::Array, vertexAdditionalBinaryFunctions,
                setVertexAdditionalBinaryFunctions)
BASANITE_OBJECT(MTL4::RenderPipelineBinaryFunctionsDescriptor, NS::Array, fragmentAdditionalBinaryFunctions,
                setFragmentAdditionalBinaryFunctions)
BASANITE_OBJECT(MTL4::RenderPipelineBinaryFunctionsDescriptor, NS::Array, tileAdditionalBinaryFunctions,
                setTileAdditionalBinaryFunctions)
BASANITE_OBJECT(MTL4::RenderPipelineBinaryFunctionsDescriptor, NS::Array, objectAdditionalBinaryFunctions,
                setObjectAdditionalBinaryFunctions)
BASANITE_OBJECT(MTL4::RenderPipelineBinaryFunctionsDescriptor, NS::Array, meshAdditionalBinaryFunctions,
                setMeshAdditionalBinaryFunctions)
void MTL4::RenderPipelineBinaryFunctionsDescriptor::reset() {
  if (this) toImpl(this)->resetFields();
}

MTL::FunctionHandle* MTL::RenderPipelineState::functionHandle(const MTL4::BinaryFunction* function,
                                                              MTL::RenderStages stage) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links.of(stage), function, toImpl(this)->name());
}
MTL::FunctionHandle* MTL::RenderPipelineState::functionHandle(const MTL::Function* function,
                                                              MTL::RenderStages stage) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links.of(stage), function, toImpl(this)->name());
}
MTL::FunctionHandle* MTL::RenderPipelineState::functionHandle(const NS::String* name,
                                                              MTL::RenderStages stage) {
  if (!this) return {};
  return handleOf(toImpl(this)->device.get(), toImpl(this)->links.of(stage), name, toImpl(this)->name());
}
MTL::RenderPipelineState* MTL::RenderPipelineState::newRenderPipelineState(
    const MTL4::RenderPipelineBinaryFunctionsDescriptor* binaryFunctionsDescriptor, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto more =
      toImpl(this)->withFunctions(binaryFunctionsDescriptor ? toImpl(binaryFunctionsDescriptor) : nullptr);
  if (more) return toPublic((*more).detach());
  basanite::metal::setError(error, basanite::metal::kLibraryErrorDomain,
                            static_cast<NS::Integer>(MTL::LibraryErrorInternal), more.error());
  return nullptr;
}
MTL::VisibleFunctionTable*
MTL::RenderPipelineState::newVisibleFunctionTable(const MTL::VisibleFunctionTableDescriptor* descriptor,
                                                  MTL::RenderStages stage) {
  if (!this) return {};
  auto* self = toImpl(this);
  auto table = basanite::metal::VisibleFunctionTable::create(
      self->device.get(), self->links.of(stage), self->name(), descriptor ? toImpl(descriptor) : nullptr);
  if (table) return toPublic((*table).detach());
  basanite::base::logError("RenderPipelineState::newVisibleFunctionTable: {}", table.error().message);
  return nullptr;
}
