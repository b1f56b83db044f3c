// SPDX-License-Identifier: Apache-2.0
// Implementation of pipeline_code.hpp.
#include "src/metal/pipeline_code.hpp"

#include "src/base/log.hpp"
#include "src/base/stopwatch.hpp"
#include "src/metal/MTL4PipelineDataSetSerializer.hpp"
#include "src/metal/digest.hpp"
#include "src/metal/stage_links.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace basanite::metal {

namespace {

using Stages = std::vector<shader::StageBinary>;
using Functions = std::vector<const FoundFunction*>; // null ones among them

// ---- keys: all that decides what the compiler makes ----

void addFunction(Digest& digest, const FoundFunction& function) {
  digest.add(function.code->digest())
      .add(function.name)
      .add(function.calledName)
      .add(uint64_t(function.constants.size()));
  for (const shader::FunctionConstantValue& value : function.constants)
    digest.add(value.name).add(uint64_t(value.index)).add(uint64_t(value.type)).add(std::span(value.bytes));
}

void addLinks(Digest& digest, const StageLinks& links) {
  for (const std::vector<FoundFunction>* functions : {&links.functions, &links.privateFunctions}) {
    digest.add(uint64_t(functions->size()));
    for (const FoundFunction& function : *functions) addFunction(digest, function);
  }
  digest.add(uint64_t(links.libraries.size()));
  for (const auto& library : links.libraries) digest.add(library->digest());
}

void addFunctions(Digest& digest, const Functions& functions) {
  static const StageLinks kNothing;
  for (const FoundFunction* function : functions) {
    digest.add(uint64_t(function != nullptr));
    if (!function) continue;
    addFunction(digest, *function);
    addLinks(digest, function->links ? *function->links : kNothing);
  }
}

void addTraits(Digest& digest, const shader::DeviceTraits& traits) {
  // Every member by name: with one more this does not compile before it counts here too.
  const auto& [subgroupSize, float16, int8, int16, storage8, storage16, explicitLayout, demote, barycentric,
               minLod, atomics64, interlock, texelBuffers, stencilExport, colorInputs, kernelStageIn] =
      traits;
  digest.add(uint64_t(subgroupSize));
  for (bool trait : {float16, int8, int16, storage8, storage16, explicitLayout, demote, barycentric, minLod,
                     atomics64, interlock, texelBuffers, stencilExport, colorInputs, kernelStageIn})
    digest.add(uint64_t(trait));
}

Digest& begin(Digest& digest, std::string_view kind, const shader::DeviceTraits& traits,
              const Functions& functions) {
  digest.add(kind).add(archiveBuild());
  addTraits(digest, traits);
  addFunctions(digest, functions);
  return digest;
}

std::string keyOf(const shader::RenderRequest& request, const Functions& functions) {
  Digest digest;
  begin(digest, "render", request.traits, functions).add(uint64_t(request.attributes.size()));
  for (const shader::VertexFetchAttribute& a : request.attributes)
    for (uint32_t field : {a.attributeIndex, a.format, a.bufferIndex, a.offset}) digest.add(uint64_t(field));
  for (const shader::VertexFetchLayout& l : request.layouts)
    for (uint32_t field : {l.bufferIndex, l.stride, l.stepFunction, l.stepRate}) digest.add(uint64_t(field));
  return digest.text();
}

std::string keyOf(const shader::MeshRequest& request, const Functions& functions) {
  Digest digest;
  return begin(digest, "mesh", request.traits, functions).add(uint64_t(request.payloadBytes)).text();
}

std::string keyOf(const shader::KernelRequest& request, const Functions& functions) {
  Digest digest;
  return begin(digest, "kernel", request.traits, functions).text();
}

// ---- the same, for each kind ----

constexpr std::string_view kFunctions = "The functions of the pipeline";

// Archived stages that are not those that were asked for cannot be used.
bool holdStages(const Stages& stages, const Functions& functions) {
  size_t next = 0;
  for (const FoundFunction* function : functions) {
    if (!function) continue;
    if (next == stages.size() || stages[next].stage != function->info.stage) return false;
    ++next;
  }
  return next == stages.size();
}

std::optional<Stages> archived(const CodeOrigin& origin, const std::string& key, const Functions& functions) {
  for (const auto& archive : origin.archives) {
    auto found = archive->pipelines.find(key);
    if (found == archive->pipelines.end()) continue;
    auto stages = readRecord(found->second);
    if (!stages) base::logError("{}", stages.error().message);
    if (stages && holdStages(*stages, functions)) return std::move(stages).value();
  }
  return std::nullopt;
}

// Programs that a call of the compiler needs, and what they are linked with: alive until it is done.
class Programs {
 public:
  base::Result<const shader::Program*> of(const LibraryCode& code) {
    BASANITE_TRY(auto program, code.program());
    m_programs.push_back(std::move(program));
    return m_programs.back().get();
  }
  base::Result<const shader::LinkedFunctions*> of(const StageLinks& links) {
    auto linked = std::make_unique<shader::LinkedFunctions>();
    auto add = [&](const std::vector<FoundFunction>& functions,
                   std::vector<shader::FunctionRef>& into) -> base::Result<void> {
      for (const FoundFunction& function : functions) {
        into.push_back(function.ref());
        BASANITE_TRY(into.back().program, of(*function.code));
      }
      return {};
    };
    BASANITE_TRY_VOID(add(links.functions, linked->functions));
    BASANITE_TRY_VOID(add(links.privateFunctions, linked->privateFunctions));
    for (const auto& library : links.libraries) {
      BASANITE_TRY(const shader::Program* program, of(*library));
      linked->libraries.push_back(program);
    }
    m_linked.push_back(std::move(linked));
    return m_linked.back().get();
  }

 private:
  std::vector<std::shared_ptr<const shader::Program>> m_programs;
  std::vector<std::unique_ptr<const shader::LinkedFunctions>> m_linked;
};

// `compile` gets the compiler once every function has its program.
template <class Compile>
base::Result<Stages> codeFor(const CodeOrigin& origin, std::string_view subject, std::string_view name,
                             const std::string& key, const Functions& functions,
                             const std::vector<shader::FunctionRef*>& references, Compile compile) {
  Stages stages;
  if (auto known = archived(origin, key, functions)) {
    base::logInfo("{} \"{}\" came from an archive.", subject, name);
    stages = std::move(*known);
  } else if (origin.archivesOnly) {
    return base::Error{fmt::format("The archive does not hold the pipeline \"{}\".", name)};
  } else {
    Programs programs;
    for (size_t i = 0; i < functions.size(); ++i) {
      if (!functions[i]) continue;
      BASANITE_TRY(references[i]->program, programs.of(*functions[i]->code));
      if (functions[i]->links) {
        BASANITE_TRY(references[i]->linked, programs.of(*functions[i]->links));
      }
    }
    BASANITE_TRY(shader::Compiler * compiler, shader::loadCompiler());
    const base::Stopwatch watch;
    BASANITE_TRY(stages, compile(*compiler));
    base::logInfo("{} \"{}\" {} lowered to SPIR-V in {:.1f} ms.", subject, name,
                  functions.size() == 1 ? "was" : "were", watch.elapsedMs());
  }
  if (origin.serializer) origin.serializer->captureBinaries(key, stages, functions);
  return stages;
}

void append(Stages& stages, std::optional<shader::StageBinary>& stage) {
  if (stage) stages.push_back(std::move(*stage));
}

std::optional<shader::StageBinary> take(Stages& stages, shader::Stage stage) {
  auto found = std::find_if(stages.begin(), stages.end(),
                            [&](const shader::StageBinary& s) { return s.stage == stage; });
  if (found == stages.end()) return std::nullopt;
  return std::move(*found);
}

} // namespace

base::Result<shader::RenderBinaries> renderCode(const CodeOrigin& origin, std::string_view name,
                                                shader::RenderRequest& request, const FoundFunction& vertex,
                                                const FoundFunction* fragment) {
  const Functions functions = {&vertex, fragment};
  BASANITE_TRY(Stages stages, codeFor(origin, kFunctions, name, keyOf(request, functions), functions,
                                      {&request.vertex, request.fragment ? &*request.fragment : nullptr},
                                      [&](shader::Compiler& compiler) -> base::Result<Stages> {
                                        BASANITE_TRY(shader::RenderBinaries binaries,
                                                     compiler.lowerRender(request));
                                        Stages made = {std::move(binaries.vertex)};
                                        append(made, binaries.fragment);
                                        return made;
                                      }));
  shader::RenderBinaries binaries;
  binaries.vertex = std::move(*take(stages, shader::Stage::vertex));
  binaries.fragment = take(stages, shader::Stage::fragment);
  return binaries;
}

base::Result<shader::MeshBinaries> meshCode(const CodeOrigin& origin, std::string_view name,
                                            shader::MeshRequest& request, const FoundFunction* object,
                                            const FoundFunction& mesh, const FoundFunction* fragment) {
  const Functions functions = {object, &mesh, fragment};
  BASANITE_TRY(Stages stages, codeFor(origin, kFunctions, name, keyOf(request, functions), functions,
                                      {request.object ? &*request.object : nullptr, &request.mesh,
                                       request.fragment ? &*request.fragment : nullptr},
                                      [&](shader::Compiler& compiler) -> base::Result<Stages> {
                                        BASANITE_TRY(shader::MeshBinaries binaries,
                                                     compiler.lowerMesh(request));
                                        Stages made;
                                        append(made, binaries.object);
                                        made.push_back(std::move(binaries.mesh));
                                        append(made, binaries.fragment);
                                        return made;
                                      }));
  shader::MeshBinaries binaries;
  binaries.object = take(stages, shader::Stage::object);
  binaries.mesh = std::move(*take(stages, shader::Stage::mesh));
  binaries.fragment = take(stages, shader::Stage::fragment);
  return binaries;
}

base::Result<shader::StageBinary> kernelCode(const CodeOrigin& origin, std::string_view name,
                                             shader::KernelRequest& request, const FoundFunction& kernel) {
  const Functions functions = {&kernel};
  BASANITE_TRY(Stages stages,
               codeFor(origin, "The kernel", name, keyOf(request, functions), functions, {&request.kernel},
                       [&](shader::Compiler& compiler) -> base::Result<Stages> {
                         BASANITE_TRY(shader::StageBinary binary, compiler.lowerKernel(request));
                         return Stages{std::move(binary)};
                       }));
  return std::move(stages.front());
}

} // namespace basanite::metal
