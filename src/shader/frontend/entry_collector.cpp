// SPDX-License-Identifier: Apache-2.0
// Implementation of entry_collector.hpp: an entry function as a whole, and the indices of its arguments.
#include "src/shader/frontend/entry_collector.hpp"

#include "src/shader/frontend/attributes.hpp"
#include "src/shader/frontend/entry_describer.hpp"

#include <clang/Basic/Diagnostic.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

Describer::Describer(const clang::FunctionDecl& function, Stage stage)
    : m_function(function), m_context(function.getASTContext()), m_policy(m_context.getPrintingPolicy()) {
  m_entry.stage = stage;
  m_policy.SuppressTagKeyword = true;
  m_policy.SuppressScope = true;
}

Entry Describer::run() {
  std::vector<Tag> tags = tagsOf(m_function);
  const Tag* hostName = findTag(tags, "host_name");
  m_entry.name = hostName ? hostName->argument : m_function.getNameAsString();
  if (m_entry.stage == Stage::visible) {
    describeVisible(tags);
    return std::move(m_entry);
  }
  if (const Tag* limit = findTag(tags, "max_total_threads_per_threadgroup")) {
    if (!(kGroups & bitOf(m_entry.stage)))
      error(m_function, "attribute 'max_total_threads_per_threadgroup' applies to kernel, object and mesh functions only");
    m_entry.maxTotalThreadsPerThreadgroup = number(*limit);
    if (m_entry.maxTotalThreadsPerThreadgroup == 0) error(m_function, "'max_total_threads_per_threadgroup' must be at least 1");
  }
  if (const Tag* limit = findTag(tags, "max_total_threadgroups_per_mesh_grid")) {
    if (m_entry.stage != Stage::object)
      error(m_function, "attribute 'max_total_threadgroups_per_mesh_grid' applies to object functions only");
    m_entry.maxTotalThreadgroupsPerMeshGrid = number(*limit);
    if (m_entry.maxTotalThreadgroupsPerMeshGrid == 0)
      error(m_function, "'max_total_threadgroups_per_mesh_grid' must be at least 1");
  }
  if (findTag(tags, "early_fragment_tests")) {
    if (m_entry.stage != Stage::fragment) error(m_function, "attribute 'early_fragment_tests' applies to fragment functions only");
    m_entry.earlyFragmentTests = true;
  }
  if (findTag(tags, "patch")) {
    error(m_function, fmt::format("post-tessellation vertex functions such as '{}' are not supported: Metal 4's encoders draw no patches",
                                  m_function.getNameAsString()));
    return std::move(m_entry);
  }
  for (const clang::ParmVarDecl* parameter : m_function.parameters()) describeParameter(*parameter);
  assignIndices();
  if (m_entry.stage == Stage::mesh && m_entry.mesh.topology.empty())
    error(m_function, fmt::format("mesh function '{}' needs a parameter of type mesh<...> to put its output in", m_entry.name));
  describeResult(tags);
  return std::move(m_entry);
}

// What a visible function gets is up to its callers: its parameters are those of any function.
void Describer::describeVisible(const std::vector<Tag>& tags) {
  m_entry.stitchable = findTag(tags, "stitchable") != nullptr;
  m_entry.signature = signature(m_function.getType());
  if (m_function.isVariadic()) error(m_function, fmt::format("visible function '{}' must have a fixed number of parameters", m_entry.name));
  for (const clang::ParmVarDecl* parameter : m_function.parameters())
    for (const Tag& tag : tagsOf(*parameter))
      error(*parameter, fmt::format("attribute '{}' does not apply to parameter '{}': visible functions get their arguments from those that "
                                    "call them",
                                    tag.name, parameter->getNameAsString()));
}

void Describer::error(const clang::Decl& decl, const std::string& message) { error(decl.getLocation(), message); }

void Describer::error(clang::SourceLocation location, const std::string& message) {
  clang::DiagnosticsEngine& diagnostics = m_context.getDiagnostics();
  unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
  diagnostics.Report(location, id) << message;
}

void Describer::warn(const clang::Decl& decl, const std::string& message) {
  clang::DiagnosticsEngine& diagnostics = m_context.getDiagnostics();
  diagnostics.Report(decl.getLocation(), diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << message;
}

void Describer::describeParameter(const clang::ParmVarDecl& decl) {
  Parameter parameter;
  parameter.name = decl.getNameAsString();
  std::vector<Tag> tags = tagsOf(decl);
  clang::QualType type = decl.getType();
  m_indexGiven = false;
  if (describeHandles(decl, tags, parameter)) {
  } else if ((type->isPointerType() || type->isReferenceType()) && findTag(tags, "payload")) {
    describePayload(decl, parameter);
  } else if (type->isPointerType() || type->isReferenceType()) {
    describeBuffer(decl, tags, parameter);
  } else if (const auto* record = type->getAsCXXRecordDecl(); record && isMetal(*record) && isTexture(*record)) {
    describeTexture(decl, *record, tags, parameter);
  } else if (record && isMetal(*record) && record->getName() == "sampler") {
    parameter.kind = ParameterKind::sampler;
    parameter.typeName = "sampler";
    takeIndex(decl, tags, "sampler", kSamplerCount, parameter);
  } else if (record && isMetal(*record) && isFunctionTable(*record)) {
    describeFunctionTable(decl, *record, tags, parameter);
  } else if (record && isMetal(*record) && record->getName() == "mesh") {
    describeMesh(decl, *record, parameter);
  } else if (record && isMetal(*record) && record->getName() == "mesh_grid_properties") {
    parameter.kind = ParameterKind::gridProperties;
    parameter.typeName = "mesh_grid_properties";
    parameter.keys = {"air.mesh_grid_properties"};
    if (m_entry.stage != Stage::object)
      error(decl, fmt::format("parameter '{}': only object functions have mesh_grid_properties", parameter.name));
  } else if (findTag(tags, "stage_in")) {
    describeStageIn(decl, parameter);
  } else {
    describeBuiltin(decl, tags, parameter);
  }
  m_entry.parameters.push_back(std::move(parameter));
  m_hasIndex.push_back(m_indexGiven);
}

bool Describer::describeHandles(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter) {
  const auto* array = decl.getType().getNonReferenceType()->getAsCXXRecordDecl();
  if (!array || !isMetal(*array) || array->getName() != "array") return false;
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(array);
  const auto* element = special ? special->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl() : nullptr;
  if (!element || !isMetal(*element)) return false;
  bool sampler = element->getName() == "sampler";
  if (!sampler && !isTexture(*element) && !isFunctionTable(*element)) return false;
  parameter.count = integer(special->getTemplateArgs()[1]);
  if (sampler) {
    parameter.kind = ParameterKind::sampler;
    parameter.typeName = "sampler";
    takeIndex(decl, tags, "sampler", kSamplerCount, parameter);
  } else if (isFunctionTable(*element)) {
    describeFunctionTable(decl, *element, tags, parameter);
  } else {
    describeTexture(decl, *element, tags, parameter);
  }
  return true;
}

void Describer::takeIndex(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, std::string_view kind, uint32_t count, Parameter& parameter) {
  m_indexGiven = false;
  for (const Tag& tag : tags) {
    if (tag.name == kind) {
      if (tag.argument.empty()) {
        error(decl, fmt::format("attribute '{}' needs an index, as in [[{}(0)]]", kind, kind));
        return;
      }
      parameter.index = number(tag);
      m_indexGiven = true;
      if (parameter.count && parameter.index < count && parameter.index + parameter.count > count) {
        error(decl, fmt::format("parameter '{}' takes {} indices {} to {}, but indices are 0 to {}", parameter.name, kind, parameter.index,
                                parameter.index + parameter.count - 1, count - 1));
      }
      if (parameter.index >= count) {
        error(decl, fmt::format("{} index {} of parameter '{}' is out of range: indices are 0 to {}", kind, tag.argument,
                                parameter.name, count - 1));
      }
    } else if (tag.name == "function_constant") {
      parameter.condition = tag.argument;
    } else if (tag.name == "raster_order_group" && kind != "sampler" && kind != "threadgroup") {
      if (m_entry.stage != Stage::fragment) error(decl, "attribute 'raster_order_group' applies to fragment functions only");
      parameter.rasterOrderGroup = number(tag);
    } else if (tag.name == "user") {
      warn(decl, fmt::format("attribute 'user' means nothing on parameter '{}', which is no varying; it takes the next free {} index",
                             parameter.name, kind));
    } else if (tag.name == "raster_order_group" || tag.name == "id") {
      error(decl, fmt::format("attribute '{}' is not supported yet on parameter '{}'", tag.name, parameter.name));
    } else {
      error(decl, fmt::format("attribute '{}' does not apply to parameter '{}': a parameter of type '{}' takes [[{}(n)]]", tag.name,
                              parameter.name, parameter.typeName, kind));
    }
  }
}

int Describer::indexSpace(const Parameter& parameter) {
  switch (parameter.kind) {
  case ParameterKind::buffer: return parameter.addressSpace == 3 ? 3 : 0;
  case ParameterKind::functionTable: return 0;
  case ParameterKind::texture: return 1;
  case ParameterKind::sampler: return 2;
  default: return -1;
  }
}

void Describer::assignIndices() {
  constexpr const char* kKinds[] = {"buffer", "texture", "sampler", "threadgroup"};
  // Of arguments that are there on a condition, one may take the other's place.
  std::vector<uint32_t> used[4], always[4];
  for (size_t i = 0; i < m_entry.parameters.size(); ++i) {
    Parameter& parameter = m_entry.parameters[i];
    int space = indexSpace(parameter);
    if (space < 0 || !m_hasIndex[i]) continue;
    // Arguments that a function constant switches may share an index.
    bool taken = false;
    for (uint32_t index = 0; index < std::max(1u, parameter.count); ++index) {
      taken |= parameter.condition.empty() && std::count(always[space].begin(), always[space].end(), parameter.index + index) > 0;
      used[space].push_back(parameter.index + index);
      if (parameter.condition.empty()) always[space].push_back(parameter.index + index);
    }
    if (taken) {
      error(*m_function.getParamDecl(static_cast<unsigned>(i)),
            fmt::format("parameter '{}' uses {} index {}, which another parameter has", parameter.name, kKinds[space], parameter.index));
    }
  }
  for (size_t i = 0; i < m_entry.parameters.size(); ++i) {
    Parameter& parameter = m_entry.parameters[i];
    int space = indexSpace(parameter);
    if (space < 0 || m_hasIndex[i]) continue;
    auto fits = [&] {
      for (uint32_t index = 0; index < std::max(1u, parameter.count); ++index)
        if (std::count(used[space].begin(), used[space].end(), parameter.index + index)) return false;
      return true;
    };
    while (!fits()) ++parameter.index;
    for (uint32_t index = 0; index < std::max(1u, parameter.count); ++index) used[space].push_back(parameter.index + index);
  }
}

std::optional<Stage> stageOf(const clang::FunctionDecl& function) {
  std::vector<Tag> tags = tagsOf(function);
  if (findTag(tags, "vertex")) return Stage::vertex;
  if (findTag(tags, "fragment")) return Stage::fragment;
  if (findTag(tags, "kernel")) return Stage::kernel;
  if (findTag(tags, "object")) return Stage::object;
  if (findTag(tags, "mesh")) return Stage::mesh;
  if (findTag(tags, "visible") || findTag(tags, "stitchable")) return Stage::visible;
  return std::nullopt;
}

namespace {
constexpr uint32_t kFunctionConstantCount = 65536; // as Metal limits them
} // namespace

std::optional<FunctionConstant> describeFunctionConstant(const clang::VarDecl& variable) {
  std::vector<Tag> tags = tagsOf(variable);
  const Tag* tag = findTag(tags, "function_constant");
  if (!tag) return std::nullopt;
  clang::DiagnosticsEngine& diagnostics = variable.getASTContext().getDiagnostics();
  auto error = [&](const std::string& message) {
    diagnostics.Report(variable.getLocation(), diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0")) << message;
  };
  FunctionConstant constant{variable.getNameAsString(), mangledName(variable), number(*tag), {}};
  if (constant.index >= kFunctionConstantCount) {
    error(fmt::format("index {} of function constant '{}' is out of range: indices are 0 to {}", tag->argument, constant.name,
                      kFunctionConstantCount - 1));
  }
  if (variable.hasInit()) error(fmt::format("function constant '{}' gets its value from the API and cannot have an initial one", constant.name));
  if (auto type = Describer::valueType(variable.getType())) constant.type = *type;
  else error(fmt::format("function constant '{}' must be a scalar or a vector", constant.name));
  return constant;
}

Entry describeEntry(const clang::FunctionDecl& function, Stage stage) { return Describer(function, stage).run(); }

} // namespace basanite::shader::frontend
