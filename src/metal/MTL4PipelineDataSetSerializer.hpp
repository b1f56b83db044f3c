// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTL4PipelineDataSetSerializer.hpp: remembers the pipelines that compilers make, for
// archives and scripts.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/metal/property.hpp"

#include <Metal/MTL4PipelineDataSetSerializer.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace basanite::metal {

struct PipelineDataSetSerializerDescriptorFields {
  MTL4::PipelineDataSetSerializerConfiguration configuration = 0;
};
class PipelineDataSetSerializerDescriptor final
    : public PropertyBag<PipelineDataSetSerializerDescriptor, PipelineDataSetSerializerDescriptorFields> {
 public:
  const char* className() const override { return "MTL4PipelineDataSetSerializerDescriptor"; }
};

// Thread-safe.
class PipelineDataSetSerializer final : public foundation::Object {
 public:
  PipelineDataSetSerializer(Device* owner, MTL4::PipelineDataSetSerializerConfiguration what)
      : device(owner), configuration(what) {}
  const char* className() const override { return "MTL4PipelineDataSetSerializer"; }

  bool capturesBinaries() const {
    return configuration & MTL4::PipelineDataSetSerializerConfigurationCaptureBinaries;
  }
  bool capturesDescriptors() const {
    return configuration & MTL4::PipelineDataSetSerializerConfigurationCaptureDescriptors;
  }

  // The code of a pipeline (`key`: pipeline_code.hpp) and its functions, of which null ones are not there.
  // Does nothing where binaries are not captured.
  void captureBinaries(const std::string& key, const std::vector<shader::StageBinary>& stages,
                       const std::vector<const FoundFunction*>& functions);
  // A pipeline's description, JSON of pipeline_script.hpp. Does nothing where descriptors are not captured.
  void captureDescription(const std::string& json);

  // Writes what was captured, and forgets it once it is written. Error: one sentence.
  base::Result<void> writeArchive(const std::string& path);
  // Error: descriptors are not captured.
  base::Result<std::string> script() const;

  foundation::Retained<Device> device;
  const MTL4::PipelineDataSetSerializerConfiguration configuration;

 private:
  mutable std::mutex m_mutex;
  ArchiveData m_data; // guarded by m_mutex; its libraries come last
  std::map<std::string, std::shared_ptr<const LibraryCode>>
      m_libraries;                         // by source digest; guarded by m_mutex
  std::vector<std::string> m_descriptions; // guarded by m_mutex; each is there once
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::PipelineDataSetSerializerDescriptor,
                basanite::metal::PipelineDataSetSerializerDescriptor)
BASANITE_BRIDGE(MTL4::PipelineDataSetSerializer, basanite::metal::PipelineDataSetSerializer)
