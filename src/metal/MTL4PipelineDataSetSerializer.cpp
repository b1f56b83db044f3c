// SPDX-License-Identifier: Apache-2.0
// MTL4::PipelineDataSetSerializer and its descriptor.
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"

#include "src/foundation/url.hpp"
#include "src/metal/error.hpp"
#include "src/metal/pipeline_script.hpp"
#include "src/metal/stage_links.hpp"
#include "src/vulkan/pipeline_cache.hpp"

#include <Foundation/NSData.hpp>
#include <Foundation/NSURL.hpp>
#include <Metal/MTLLibrary.hpp>
#include <algorithm>
#include <fmt/format.h>

using basanite::foundation::toImpl;

namespace basanite::metal {

void PipelineDataSetSerializer::captureBinaries(const std::string& key,
                                                const std::vector<shader::StageBinary>& stages,
                                                const std::vector<const FoundFunction*>& functions) {
  if (!capturesBinaries()) return;
  PipelineRecord record = writeRecord(stages);
  std::lock_guard lock(m_mutex);
  m_data.pipelines.insert_or_assign(key, std::move(record));
  auto note = [&](const std::shared_ptr<const LibraryCode>& code) {
    m_libraries.insert_or_assign(code->sourceDigest(), code);
  };
  for (const FoundFunction* function : functions) {
    if (!function) continue;
    note(function->code);
    if (!function->links) continue;
    for (const FoundFunction& linked : function->links->functions) note(linked.code);
    for (const FoundFunction& linked : function->links->privateFunctions) note(linked.code);
    for (const auto& library : function->links->libraries) note(library);
  }
}

void PipelineDataSetSerializer::captureDescription(const std::string& json) {
  if (!capturesDescriptors()) return;
  std::lock_guard lock(m_mutex);
  if (std::find(m_descriptions.begin(), m_descriptions.end(), json) == m_descriptions.end())
    m_descriptions.push_back(json);
}

base::Result<void> PipelineDataSetSerializer::writeArchive(const std::string& path) {
  if (!capturesBinaries())
    return base::Error{"The serializer captures no binaries: its descriptor's configuration lacks "
                       "PipelineDataSetSerializerConfigurationCaptureBinaries."};
  std::lock_guard lock(m_mutex);
  for (const auto& [digest, code] : m_libraries) m_data.libraries.insert_or_assign(digest, code->interface());
  BASANITE_TRY(m_data.driverCache, device->backend->pipelineCache().data());
  BASANITE_TRY_VOID(writeFileAtomically(path, metal::writeArchive(m_data)));
  m_data = {};
  m_libraries.clear();
  return {};
}

base::Result<std::string> PipelineDataSetSerializer::script() const {
  if (!capturesDescriptors())
    return base::Error{"The serializer captures no descriptors: its descriptor's configuration lacks "
                       "PipelineDataSetSerializerConfigurationCaptureDescriptors."};
  std::lock_guard lock(m_mutex);
  return pipelineScript(m_descriptions);
}

namespace {

void report(NS::Error** error, const base::Error& why) {
  setError(error, kLibraryErrorDomain, static_cast<NS::Integer>(MTL::LibraryErrorInternal), why);
}

base::Result<std::string> pathOf(const NS::URL* url) {
  if (!url) return base::Error{"The URL of the archive is null."};
  const foundation::Url& impl = *toImpl(url);
  if (!impl.isFile())
    return base::Error{fmt::format("An archive is written to a file URL, not to \"{}\".", impl.text())};
  return impl.filePath();
}

} // namespace

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::PipelineDataSetSerializerDescriptor)
BASANITE_VALUE(MTL4::PipelineDataSetSerializerDescriptor, MTL4::PipelineDataSetSerializerConfiguration,
               configuration, setConfiguration)

bool MTL4::PipelineDataSetSerializer::serializeAsArchiveAndFlushToURL(const NS::URL* url, NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto path = basanite::metal::pathOf(url);
  auto written = path ? toImpl(this)->writeArchive(*path) : basanite::base::Result<void>(path.error());
  if (!written) basanite::metal::report(error, written.error());
  return written.ok();
}
NS::Data* MTL4::PipelineDataSetSerializer::serializeAsPipelinesScript(NS::Error** error) {
  if (!this) return {};
  if (error) *error = nullptr;
  auto script = toImpl(this)->script();
  if (!script) {
    basanite::metal::report(error, script.error());
    return nullptr;
  }
  NS::Data* data = basanite::foundation::makeData(script->data(), script->size());
  basanite::metal::objectOf(data)->autorelease();
  return data;
}
