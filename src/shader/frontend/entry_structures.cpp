// SPDX-License-Identifier: Apache-2.0
// Part of entry_describer.hpp: what a [[stage_in]] structure holds, and the structures of a mesh.
#include "src/shader/frontend/entry_describer.hpp"

#include <clang/AST/RecordLayout.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

namespace {

constexpr const char* kInterpolations[][3] = {
    {"center_perspective", "air.center", "air.perspective"},
    {"center_no_perspective", "air.center", "air.no_perspective"},
    {"centroid_perspective", "air.centroid", "air.perspective"},
    {"centroid_no_perspective", "air.centroid", "air.no_perspective"},
    {"sample_perspective", "air.sample", "air.perspective"},
    {"sample_no_perspective", "air.sample", "air.no_perspective"},
};

} // namespace

bool isInterpolation(const std::string& name) {
  return name == "flat" || std::any_of(std::begin(kInterpolations), std::end(kInterpolations),
                                       [&](const auto& row) { return name == row[0]; });
}

void Describer::forEachLeaf(const clang::CXXRecordDecl& record, uint64_t base, LeafVisitor visit) {
  if (!record.isCompleteDefinition()) return;
  const clang::ASTRecordLayout& layout = m_context.getASTRecordLayout(&record);
  for (const clang::CXXBaseSpecifier& baseClass : record.bases()) {
    const auto* baseRecord = baseClass.getType()->getAsCXXRecordDecl();
    forEachLeaf(*baseRecord,
                base + static_cast<uint64_t>(layout.getBaseClassOffset(baseRecord).getQuantity()), visit);
  }
  for (const clang::FieldDecl* field : record.fields()) {
    uint64_t offset = base + layout.getFieldOffset(field->getFieldIndex()) / 8;
    Leaf leaf;
    leaf.name = field->getNameAsString();
    leaf.offset = offset;
    std::vector<Tag> tags = tagsOf(*field);
    if (const Tag* condition = findTag(tags, "function_constant")) leaf.condition = condition->argument;
    clang::QualType type = field->getType();
    if (const auto* array = m_context.getAsConstantArrayType(type)) {
      leaf.arrayLength = static_cast<unsigned>(array->getZExtSize());
      type = array->getElementType();
    }
    if (auto value = valueType(type)) {
      leaf.type = *value;
      (this->*visit)(*field, std::move(leaf));
    } else if (auto pulled = interpolantType(type); pulled && leaf.arrayLength == 0) {
      leaf.type = *pulled;
      leaf.interpolant = true;
      (this->*visit)(*field, std::move(leaf));
    } else if (const auto* nested = type->getAsCXXRecordDecl();
               nested && !isMetal(*nested) && leaf.arrayLength == 0) {
      forEachLeaf(*nested, offset, visit);
    } else {
      error(*field, fmt::format("member '{}' of type '{}' cannot cross a stage's interface: only scalars, "
                                "vectors and structures of "
                                "them can",
                                leaf.name, typeName(field->getType())));
    }
  }
}

void Describer::describeStageIn(const clang::ParmVarDecl& decl, Parameter& parameter) {
  parameter.kind = ParameterKind::stageIn;
  const auto* record = decl.getType()->getAsCXXRecordDecl();
  if (m_entry.stage == Stage::object || m_entry.stage == Stage::mesh) {
    error(decl, fmt::format("parameter '{}': {} functions have no [[stage_in]]", parameter.name,
                            stageName(m_entry.stage)));
    return;
  }
  if (!record || valueType(decl.getType())) {
    error(decl, fmt::format("parameter '{}' with attribute 'stage_in' must be a structure, not '{}'",
                            parameter.name, typeName(decl.getType())));
    return;
  }
  if (m_sawStageIn) error(decl, "a function has at most one [[stage_in]] parameter");
  m_sawStageIn = true;
  m_leaves = &parameter.leaves;
  forEachLeaf(*record, 0,
              m_entry.stage == Stage::fragment ? &Describer::fragmentInput : &Describer::vertexInput);
}

void Describer::vertexInput(const clang::FieldDecl& field, Leaf leaf) {
  std::vector<Tag> tags = tagsOf(field);
  const Tag* attribute = findTag(tags, "attribute");
  if (!attribute || leaf.arrayLength || leaf.interpolant) {
    error(field, fmt::format("member '{}' of a {} function's [[stage_in]] structure needs [[attribute(n)]]{}",
                             leaf.name, stageName(m_entry.stage),
                             leaf.arrayLength ? " and cannot be an array" : ""));
    return;
  }
  if (number(*attribute) >= kAttributeCount) {
    error(field, fmt::format("attribute index {} of member '{}' is out of range: indices are 0 to {}",
                             attribute->argument, leaf.name, kAttributeCount - 1));
  }
  leaf.keys = {m_entry.stage == Stage::vertex ? "air.vertex_input" : "air.stage_in", "air.location_index",
               fmt::format("#{}", number(*attribute)), "#1"};
  m_leaves->push_back(std::move(leaf));
}

std::string Describer::varyingName(const std::vector<Tag>& tags, const std::string& member) {
  const Tag* user = findTag(tags, "user");
  return fmt::format("user({})", user ? user->argument : member);
}

void Describer::fragmentInput(const clang::FieldDecl& field, Leaf leaf) {
  std::vector<Tag> tags = tagsOf(field);
  if (findTag(tags, "point_size")) return; // an output of the vertex stage only; the member stays undefined
  if (findTag(tags, "clip_distance") || findTag(tags, "primitive_culled")) return;
  if (leaf.arrayLength) {
    error(field, fmt::format("member '{}' of a fragment function's [[stage_in]] structure cannot be an array",
                             leaf.name));
    return;
  }
  if (const Tag* color = findTag(tags, "color")) {
    if (number(*color) >= kColorCount)
      error(field, fmt::format("color index {} is out of range: indices are 0 to {}", color->argument,
                               kColorCount - 1));
    leaf.keys = {"air.render_target", fmt::format("#{}", number(*color))};
    m_leaves->push_back(std::move(leaf));
    return;
  }
  for (const BuiltinInput& builtin : builtinInputs()) {
    if (!(builtin.stages & kFragment) || !findTag(tags, builtin.attribute)) continue;
    if (!fits(builtin, leaf.type)) {
      error(field, fmt::format("member '{}' with attribute '{}' cannot have type '{}': use {}", leaf.name,
                               builtin.attribute, leaf.type.name, expectedType(builtin)));
    }
    leaf.keys = builtinKeys(builtin.attribute);
    m_leaves->push_back(std::move(leaf));
    return;
  }
  if (leaf.interpolant) {
    leaf.keys = {"air.interpolation_function", varyingName(tags, leaf.name), "air.center",
                 leaf.type.noPerspective ? "air.no_perspective" : "air.perspective"};
    m_leaves->push_back(std::move(leaf));
    return;
  }
  leaf.keys = {"air.fragment_input", varyingName(tags, leaf.name)};
  bool integral = leaf.type.kind != ScalarKind::floating;
  if (findTag(tags, "flat") || integral) {
    leaf.keys.push_back("air.flat");
  } else {
    const char* const* row = kInterpolations[0];
    for (const auto& candidate : kInterpolations) {
      if (findTag(tags, candidate[0])) row = candidate;
    }
    leaf.keys.push_back(row[1]);
    leaf.keys.push_back(row[2]);
  }
  m_leaves->push_back(std::move(leaf));
}

void Describer::describeMesh(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record,
                             Parameter& parameter) {
  constexpr const char* kTopologies[] = {"point", "line", "triangle"};
  constexpr uint32_t kMostVertices = 256, kMostPrimitives = 512; // Metal's limits
  parameter.kind = ParameterKind::meshOutput;
  if (m_entry.stage != Stage::mesh)
    error(decl, fmt::format("parameter '{}': only mesh functions have a mesh", parameter.name));
  const auto& arguments = llvm::cast<clang::ClassTemplateSpecializationDecl>(&record)->getTemplateArgs();
  clang::QualType vertexType = arguments[0].getAsType(), primitiveType = arguments[1].getAsType();
  MeshType& mesh = m_entry.mesh;
  if (!mesh.topology.empty()) error(decl, "a mesh function has one mesh<...> parameter");
  mesh.maxVertices = integer(arguments[2]);
  mesh.maxPrimitives = integer(arguments[3]);
  mesh.topology = kTopologies[std::min(integer(arguments[4]), 2u)];
  parameter.typeName = fmt::format("mesh<{}, {}, {}, {}, {}>", typeName(vertexType),
                                   primitiveType->isVoidType() ? "void" : typeName(primitiveType),
                                   mesh.maxVertices, mesh.maxPrimitives, mesh.topology);
  if (mesh.maxVertices == 0 || mesh.maxVertices > kMostVertices || mesh.maxPrimitives == 0 ||
      mesh.maxPrimitives > kMostPrimitives)
    error(decl,
          fmt::format(
              "'{}' has {} vertices and {} primitives: 1 to {} vertices and 1 to {} primitives are possible",
              parameter.typeName, mesh.maxVertices, mesh.maxPrimitives, kMostVertices, kMostPrimitives));
  const auto* vertexRecord = vertexType->getAsCXXRecordDecl();
  const auto* primitiveRecord = primitiveType->getAsCXXRecordDecl();
  m_sawPosition = false;
  m_leaves = &mesh.vertexOutputs;
  if (auto bare = valueType(vertexType)) {
    // As the bare result of a vertex function, it is the position.
    Leaf leaf;
    leaf.name = "position";
    leaf.type = *bare;
    vertexOutput(decl.getLocation(), {{"position", "", ""}}, std::move(leaf));
  } else if (vertexRecord) {
    forEachLeaf(*vertexRecord, 0, &Describer::vertexOutputField);
  } else {
    error(decl,
          fmt::format("the vertex type of '{}' must be a structure with a [[position]]", parameter.typeName));
    return;
  }
  if (!m_sawPosition)
    error(decl, fmt::format("the vertex type of '{}' has no member with attribute [[position]]",
                            parameter.typeName));
  for (const Leaf& leaf : mesh.vertexOutputs)
    if (leaf.keys[0] == "air.render_target_array_index" || leaf.keys[0] == "air.viewport_array_index")
      error(decl, fmt::format("member '{}' of the vertex type of '{}' belongs into its primitive type",
                              leaf.name, parameter.typeName));
  numberMeshData("air.mesh_vertex_data", mesh.vertexOutputs);
  if (primitiveType->isVoidType()) return;
  if (!primitiveRecord || valueType(primitiveType)) {
    error(decl, fmt::format("the primitive type of '{}' must be a structure or void", parameter.typeName));
    return;
  }
  m_leaves = &mesh.primitiveOutputs;
  forEachLeaf(*primitiveRecord, 0, &Describer::primitiveOutputField);
  numberMeshData("air.mesh_primitive_data", mesh.primitiveOutputs);
}

void Describer::primitiveOutputField(const clang::FieldDecl& field, Leaf leaf) {
  std::vector<Tag> tags = tagsOf(field);
  if (leaf.arrayLength) {
    error(field, fmt::format("member '{}' of a mesh's primitive type cannot be an array", leaf.name));
    return;
  }
  for (const char* builtin :
       {"primitive_culled", "primitive_id", "render_target_array_index", "viewport_array_index"}) {
    if (!findTag(tags, builtin)) continue;
    bool boolean = leaf.type.kind == ScalarKind::boolean;
    if (leaf.type.kind == ScalarKind::floating || leaf.type.lanes != 1 ||
        boolean != (std::string_view(builtin) == "primitive_culled"))
      error(field, fmt::format("member '{}' with attribute '{}' cannot have type '{}'", leaf.name, builtin,
                               leaf.type.name));
    leaf.keys = {std::string("air.") + builtin};
  }
  if (leaf.keys.empty()) leaf.keys = {"", varyingName(tags, leaf.name)};
  m_leaves->push_back(std::move(leaf));
}

void Describer::numberMeshData(const char* kind, std::vector<Leaf>& leaves) {
  unsigned next = 0;
  for (Leaf& leaf : leaves) {
    if (leaf.keys.size() < 2 || !leaf.keys[1].starts_with("user(")) continue;
    leaf.keys = {kind, fmt::format("#{}", next++), leaf.keys[1]};
  }
}

} // namespace basanite::shader::frontend
