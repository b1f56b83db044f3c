// SPDX-License-Identifier: Apache-2.0
// MTL4::Archive.
#include "src/metal/MTL4Archive.hpp"

#include "src/foundation/url.hpp"
#include "src/metal/MTL4Compiler.hpp"
#include "src/metal/MTL4ComputePipeline.hpp"
#include "src/metal/MTLComputePipeline.hpp"
#include "src/metal/MTLRenderPipeline.hpp"
#include "src/metal/error.hpp"
#include "src/metal/library_bytes.hpp"
#include "src/metal/pipeline_code.hpp"
#include "src/vulkan/pipeline_cache.hpp"

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

base::Result<foundation::Retained<Archive>> Archive::open(Device* device, const NS::URL* url) {
  constexpr int kMissing = static_cast<int>(MTL::LibraryErrorFileNotFound);
  if (!url) return base::Error{"The URL of the archive is null.", kMissing};
  const foundation::Url& impl = *toImpl(url);
  if (!impl.isFile())
    return base::Error{fmt::format("An archive is opened from a file URL, not from \"{}\".", impl.text()),
                       kMissing};
  BASANITE_TRY(LibraryBytes bytes, readWholeFile(impl.filePath(), "archive"));
  auto read = readArchive(bytes.bytes());
  if (!read)
    return base::Error{fmt::format("{}: {}", impl.filePath(), read.error().message), kInvalidLibraryFile};
  auto data = std::make_shared<ArchiveData>(std::move(read).value());
  device->backend->pipelineCache().merge(data->driverCache);
  data->driverCache.clear();
  return foundation::Retained<Archive>::adopt(new Archive(device, std::move(data)));
}

Archive::Archive(Device* owner, std::shared_ptr<const ArchiveData> contents)
    : device(owner), data(std::move(contents)) {
  device->noteArchive(data);
}

namespace {

template <class Impl> auto* orError(base::Result<foundation::Retained<Impl>> result, NS::Error** error) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  if (error) *error = nullptr;
  if (result) return toPublic((*result).detach());
  setError(error, kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorInternal), result.error());
  return static_cast<Public*>(nullptr);
}

CodeOrigin only(const Archive& archive) { return {{archive.data}, nullptr, true}; }

} // namespace

} // namespace basanite::metal

BASANITE_OBJECT(MTL4::Archive, NS::String, label, setLabel)
MTL::ComputePipelineState*
MTL4::Archive::newComputePipelineState(const MTL4::ComputePipelineDescriptor* descriptor, NS::Error** error) {
  using namespace basanite::metal;
  if (!this) return {};
  return orError(makeComputePipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                     only(*toImpl(this))),
                 error);
}
MTL::RenderPipelineState* MTL4::Archive::newRenderPipelineState(const MTL4::PipelineDescriptor* descriptor,
                                                                NS::Error** error) {
  using namespace basanite::metal;
  if (!this) return {};
  return orError(makeRenderPipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                    only(*toImpl(this))),
                 error);
}
MTL::ComputePipelineState* MTL4::Archive::newComputePipelineState(
    const MTL4::ComputePipelineDescriptor* descriptor,
    const MTL4::PipelineStageDynamicLinkingDescriptor* dynamicLinkingDescriptor, NS::Error** error) {
  using namespace basanite::metal;
  if (!this) return {};
  return orError(makeComputePipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                     only(*toImpl(this)),
                                     dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr),
                 error);
}
MTL::RenderPipelineState* MTL4::Archive::newRenderPipelineState(
    const MTL4::PipelineDescriptor* descriptor,
    const MTL4::RenderPipelineDynamicLinkingDescriptor* dynamicLinkingDescriptor, NS::Error** error) {
  using namespace basanite::metal;
  if (!this) return {};
  return orError(makeRenderPipeline(toImpl(this)->device.get(), descriptor ? toImpl(descriptor) : nullptr,
                                    only(*toImpl(this)),
                                    dynamicLinkingDescriptor ? toImpl(dynamicLinkingDescriptor) : nullptr),
                 error);
}
