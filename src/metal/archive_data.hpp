// SPDX-License-Identifier: Apache-2.0
// What a pipeline archive holds, and its file form: a header with a digest, then CBOR.
#pragma once

#include "src/base/result.hpp"
#include "src/metal/library_code.hpp"
#include "src/shader/compiler.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace basanite::metal {

// The stages of a pipeline in the form that archives keep them in: opening one does not look inside.
using PipelineRecord = std::vector<uint8_t>;
PipelineRecord writeRecord(const std::vector<shader::StageBinary>& stages);
// Error: one sentence with what is wrong with the bytes; no bytes can do harm.
base::Result<std::vector<shader::StageBinary>> readRecord(std::span<const uint8_t> record);

struct ArchiveData {
  std::map<std::string, LibraryInterface> libraries; // by source digest
  std::map<std::string, PipelineRecord> pipelines;   // by the key of pipeline_code.hpp
  std::vector<uint8_t> driverCache;                  // the driver's; empty: none
};

// Which build makes and reads archives: code of another compiler is not taken.
const char* archiveBuild();

std::vector<uint8_t> writeArchive(const ArchiveData& data);
// Error: one sentence with what is wrong with the bytes; no bytes can do harm.
base::Result<ArchiveData> readArchive(std::span<const uint8_t> bytes);

// Writes a file that is either whole or not there: beside `path` first, then in its place. Error: one
// sentence with the path.
base::Result<void> writeFileAtomically(const std::string& path, std::span<const uint8_t> bytes);

} // namespace basanite::metal
