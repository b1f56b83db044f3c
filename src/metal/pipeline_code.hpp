// SPDX-License-Identifier: Apache-2.0
// Where the SPIR-V of a pipeline comes from: the archives that the program names, else the shader compiler.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/function_lookup.hpp"
#include "src/shader/compiler.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::metal {

class PipelineDataSetSerializer;

// Alive during the call that it is handed to.
struct CodeOrigin {
  std::vector<std::shared_ptr<const ArchiveData>> archives; // asked in this order
  PipelineDataSetSerializer* serializer = nullptr;          // remembers the code; null: nobody does
  bool archivesOnly = false;                                // what no archive has is an error
};

// The functions are those that the request names, whose programs are filled in when they are needed; a null
// one is not there. Error: the compiler's; with archivesOnly that no archive has the pipeline called `name`.
base::Result<shader::RenderBinaries> renderCode(const CodeOrigin& origin, std::string_view name,
                                                shader::RenderRequest& request, const FoundFunction& vertex,
                                                const FoundFunction* fragment);
base::Result<shader::MeshBinaries> meshCode(const CodeOrigin& origin, std::string_view name,
                                            shader::MeshRequest& request, const FoundFunction* object,
                                            const FoundFunction& mesh, const FoundFunction* fragment);
base::Result<shader::StageBinary> kernelCode(const CodeOrigin& origin, std::string_view name,
                                             shader::KernelRequest& request, const FoundFunction& kernel);

} // namespace basanite::metal
