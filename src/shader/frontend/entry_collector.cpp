// SPDX-License-Identifier: Apache-2.0
// Implementation of entry_collector.hpp.
#include "src/shader/frontend/entry_collector.hpp"

#include "src/shader/frontend/attributes.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/Diagnostic.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

namespace {

struct Tag {
  std::string name;
  std::string argument;  // first
  std::string argument2; // second
};

std::vector<Tag> tagsOf(const clang::Decl& decl) {
  std::vector<Tag> tags;
  for (const auto* attribute : decl.specific_attrs<clang::BTFDeclTagAttr>()) {
    llvm::StringRef text = attribute->getBTFDeclTag();
    if (!text.consume_front(kAttributeTagPrefix)) continue;
    auto [name, arguments] = text.split('=');
    auto [first, second] = arguments.split(',');
    tags.push_back({name.str(), first.str(), second.str()});
  }
  return tags;
}

const Tag* find(const std::vector<Tag>& tags, std::string_view name) {
  for (const Tag& tag : tags) {
    if (tag.name == name) return &tag;
  }
  return nullptr;
}

// Negative and oversized arguments become the largest number, which no index may be.
uint32_t number(const Tag& tag) {
  if (tag.argument.starts_with('-')) return UINT32_MAX;
  return static_cast<uint32_t>(std::min<unsigned long long>(std::strtoull(tag.argument.c_str(), nullptr, 10), UINT32_MAX));
}

constexpr unsigned kVertex = 1, kFragment = 2, kKernel = 4, kObject = 8, kMesh = 16;
constexpr unsigned kGroups = kKernel | kObject | kMesh; // stages that run in threadgroups

unsigned bitOf(Stage stage) { return 1u << static_cast<unsigned>(stage); }

struct BuiltinInput {
  const char* attribute;
  unsigned stages;
  unsigned maxLanes;
  bool floating = false;
  bool boolean = false;
};

constexpr BuiltinInput kBuiltinInputs[] = {
    {"vertex_id", kVertex, 1},
    {"instance_id", kVertex, 1},
    {"base_vertex", kVertex, 1},
    {"base_instance", kVertex, 1},
    {"amplification_id", kVertex | kFragment | kObject | kMesh, 1},
    {"amplification_count", kVertex | kFragment | kObject | kMesh, 1},
    {"position", kFragment, 4, true},
    {"front_facing", kFragment, 1, false, true},
    {"point_coord", kFragment, 2, true},
    {"primitive_id", kFragment, 1},
    {"barycentric_coord", kFragment, 3, true},
    {"sample_id", kFragment, 1},
    {"sample_mask", kFragment, 1},
    {"render_target_array_index", kFragment, 1},
    {"viewport_array_index", kFragment, 1},
    {"thread_position_in_grid", kGroups, 3},
    {"thread_position_in_threadgroup", kGroups, 3},
    {"thread_index_in_threadgroup", kGroups, 1},
    {"threadgroup_position_in_grid", kGroups, 3},
    {"threads_per_grid", kGroups, 3},
    {"threads_per_threadgroup", kGroups, 3},
    {"threadgroups_per_grid", kGroups, 3},
    {"grid_origin", kKernel, 3},
    {"grid_size", kKernel, 3},
    {"thread_index_in_simdgroup", kGroups | kFragment, 1},
    {"simdgroup_index_in_threadgroup", kGroups, 1},
    {"simdgroups_per_threadgroup", kGroups, 1},
    {"threads_per_simdgroup", kGroups | kFragment, 1},
    {"thread_execution_width", kGroups, 1},
    {"dispatch_threads_per_threadgroup", kGroups, 3},
    {"dispatch_simdgroups_per_threadgroup", kGroups, 1},
    {"dispatch_quadgroups_per_threadgroup", kGroups, 1},
    {"quadgroup_index_in_threadgroup", kGroups, 1},
    {"quadgroups_per_threadgroup", kGroups, 1},
    {"thread_index_in_quadgroup", kGroups | kFragment, 1},
    {"threads_per_quadgroup", kGroups, 1},
};

constexpr const char* kInterpolations[][3] = {
    {"center_perspective", "air.center", "air.perspective"},       {"center_no_perspective", "air.center", "air.no_perspective"},
    {"centroid_perspective", "air.centroid", "air.perspective"},   {"centroid_no_perspective", "air.centroid", "air.no_perspective"},
    {"sample_perspective", "air.sample", "air.perspective"},       {"sample_no_perspective", "air.sample", "air.no_perspective"},
};

// The last index of each resource kind plus one, as Metal limits them.
constexpr uint32_t kBufferCount = 31, kTextureCount = 128, kSamplerCount = 16, kColorCount = 8, kAttributeCount = 31;
constexpr uint32_t kFunctionConstantCount = 65536;

class Describer {
  friend std::optional<FunctionConstant> frontend::describeFunctionConstant(const clang::VarDecl& variable);

 public:
  Describer(const clang::FunctionDecl& function, Stage stage)
      : m_function(function), m_context(function.getASTContext()), m_policy(m_context.getPrintingPolicy()) {
    m_entry.stage = stage;
    m_policy.SuppressTagKeyword = true;
    m_policy.SuppressScope = true;
  }

  Entry run() {
    std::vector<Tag> tags = tagsOf(m_function);
    const Tag* hostName = find(tags, "host_name");
    m_entry.name = hostName ? hostName->argument : m_function.getNameAsString();
    if (const Tag* limit = find(tags, "max_total_threads_per_threadgroup")) {
      if (!(kGroups & bitOf(m_entry.stage)))
        error(m_function, "attribute 'max_total_threads_per_threadgroup' applies to kernel, object and mesh functions only");
      m_entry.maxTotalThreadsPerThreadgroup = number(*limit);
      if (m_entry.maxTotalThreadsPerThreadgroup == 0) error(m_function, "'max_total_threads_per_threadgroup' must be at least 1");
    }
    if (const Tag* limit = find(tags, "max_total_threadgroups_per_mesh_grid")) {
      if (m_entry.stage != Stage::object)
        error(m_function, "attribute 'max_total_threadgroups_per_mesh_grid' applies to object functions only");
      m_entry.maxTotalThreadgroupsPerMeshGrid = number(*limit);
      if (m_entry.maxTotalThreadgroupsPerMeshGrid == 0)
        error(m_function, "'max_total_threadgroups_per_mesh_grid' must be at least 1");
    }
    if (find(tags, "early_fragment_tests")) {
      if (m_entry.stage != Stage::fragment) error(m_function, "attribute 'early_fragment_tests' applies to fragment functions only");
      m_entry.earlyFragmentTests = true;
    }
    if (find(tags, "patch")) {
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

 private:
  void error(const clang::Decl& decl, const std::string& message) { error(decl.getLocation(), message); }
  void error(clang::SourceLocation location, const std::string& message) {
    clang::DiagnosticsEngine& diagnostics = m_context.getDiagnostics();
    unsigned id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "%0");
    diagnostics.Report(location, id) << message;
  }

  void warn(const clang::Decl& decl, const std::string& message) {
    clang::DiagnosticsEngine& diagnostics = m_context.getDiagnostics();
    diagnostics.Report(decl.getLocation(), diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Warning, "%0")) << message;
  }

  std::string typeName(clang::QualType type) const {
    type = type.getNonReferenceType().getUnqualifiedType();
    const auto* record = type->getAsCXXRecordDecl();
    if (auto value = valueType(type)) return value->name;
    if (record && isMetal(*record) && llvm::isa<clang::ClassTemplateSpecializationDecl>(record)) return libraryTypeName(*record);
    return type.getCanonicalType().getUnqualifiedType().getAsString(m_policy);
  }

  static bool isMetal(const clang::CXXRecordDecl& record) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record.getDeclContext());
    return space && space->getName() == "metal";
  }

  std::string libraryTypeName(const clang::CXXRecordDecl& record) const {
    const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
    std::string name = record.getNameAsString();
    if (!special) return name;
    const auto& arguments = special->getTemplateArgs();
    if (name == "matrix") {
      return fmt::format("{}{}x{}", typeName(arguments[0].getAsType()), integer(arguments[1]), integer(arguments[2]));
    }
    if (name.find("texture") == 0 || name.find("depth") == 0) {
      return fmt::format("{}<{}, {}>", name, typeName(arguments[0].getAsType()), accessWord(integer(arguments[1])));
    }
    return m_context.getRecordType(&record).getAsString(m_policy);
  }

  static unsigned integer(const clang::TemplateArgument& argument) {
    return static_cast<unsigned>(argument.getAsIntegral().getZExtValue());
  }
  static const char* accessWord(unsigned access) {
    constexpr const char* kWords[] = {"sample", "read", "write", "read_write"};
    return access < 4 ? kWords[access] : "sample";
  }

  // Scalars, enumerations and metal::vec / packed_vec.
  static std::optional<ValueType> valueType(clang::QualType type) {
    type = type.getCanonicalType().getUnqualifiedType();
    if (const auto* enumeration = type->getAs<clang::EnumType>()) {
      auto value = valueType(enumeration->getDecl()->getIntegerType());
      if (value) value->name = enumeration->getDecl()->getNameAsString();
      return value;
    }
    if (const auto* record = type->getAsCXXRecordDecl()) {
      const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
      if (!special || !isMetal(*record)) return std::nullopt;
      bool packed = special->getName() == "packed_vec";
      if (special->getName() != "vec" && !packed) return std::nullopt;
      auto value = valueType(special->getTemplateArgs()[0].getAsType());
      if (!value) return std::nullopt;
      value->lanes = integer(special->getTemplateArgs()[1]);
      value->name = fmt::format("{}{}{}", packed ? "packed_" : "", value->name, value->lanes);
      return value;
    }
    const auto* builtin = type->getAs<clang::BuiltinType>();
    if (!builtin) return std::nullopt;
    using B = clang::BuiltinType;
    switch (builtin->getKind()) {
    case B::Bool: return ValueType{ScalarKind::boolean, 8, 1, "bool"};
    case B::Char_S: case B::SChar: return ValueType{ScalarKind::signedInt, 8, 1, "char"};
    case B::Char_U: case B::UChar: return ValueType{ScalarKind::unsignedInt, 8, 1, "uchar"};
    case B::Short: return ValueType{ScalarKind::signedInt, 16, 1, "short"};
    case B::UShort: return ValueType{ScalarKind::unsignedInt, 16, 1, "ushort"};
    case B::Int: return ValueType{ScalarKind::signedInt, 32, 1, "int"};
    case B::UInt: return ValueType{ScalarKind::unsignedInt, 32, 1, "uint"};
    case B::Long: return ValueType{ScalarKind::signedInt, 64, 1, "long"};
    case B::ULong: return ValueType{ScalarKind::unsignedInt, 64, 1, "ulong"};
    case B::Half: return ValueType{ScalarKind::floating, 16, 1, "half"};
    case B::Float: return ValueType{ScalarKind::floating, 32, 1, "float"};
    default: return std::nullopt;
    }
  }

  // ---- parameters ----

  void describeParameter(const clang::ParmVarDecl& decl) {
    Parameter parameter;
    parameter.name = decl.getNameAsString();
    std::vector<Tag> tags = tagsOf(decl);
    clang::QualType type = decl.getType();
    m_indexGiven = false;
    if (describeHandles(decl, tags, parameter)) {
    } else if ((type->isPointerType() || type->isReferenceType()) && find(tags, "payload")) {
      describePayload(decl, parameter);
    } else if (type->isPointerType() || type->isReferenceType()) {
      describeBuffer(decl, tags, parameter);
    } else if (const auto* record = type->getAsCXXRecordDecl(); record && isMetal(*record) && isTexture(*record)) {
      describeTexture(decl, *record, tags, parameter);
    } else if (record && isMetal(*record) && record->getName() == "sampler") {
      parameter.kind = ParameterKind::sampler;
      parameter.typeName = "sampler";
      takeIndex(decl, tags, "sampler", kSamplerCount, parameter);
    } else if (record && isMetal(*record) && record->getName() == "mesh") {
      describeMesh(decl, *record, parameter);
    } else if (record && isMetal(*record) && record->getName() == "mesh_grid_properties") {
      parameter.kind = ParameterKind::gridProperties;
      parameter.typeName = "mesh_grid_properties";
      parameter.keys = {"air.mesh_grid_properties"};
      if (m_entry.stage != Stage::object)
        error(decl, fmt::format("parameter '{}': only object functions have mesh_grid_properties", parameter.name));
    } else if (find(tags, "stage_in")) {
      describeStageIn(decl, parameter);
    } else {
      describeBuiltin(decl, tags, parameter);
    }
    m_entry.parameters.push_back(std::move(parameter));
    m_hasIndex.push_back(m_indexGiven);
  }

  // array<texture2d<float>, 4> and array<sampler, 4>, or references to them: one index for each element.
  bool describeHandles(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter) {
    const auto* array = decl.getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (!array || !isMetal(*array) || array->getName() != "array") return false;
    const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(array);
    const auto* element = special ? special->getTemplateArgs()[0].getAsType()->getAsCXXRecordDecl() : nullptr;
    if (!element || !isMetal(*element)) return false;
    bool sampler = element->getName() == "sampler";
    if (!sampler && !isTexture(*element)) return false;
    parameter.count = integer(special->getTemplateArgs()[1]);
    if (sampler) {
      parameter.kind = ParameterKind::sampler;
      parameter.typeName = "sampler";
      takeIndex(decl, tags, "sampler", kSamplerCount, parameter);
    } else {
      describeTexture(decl, *element, tags, parameter);
    }
    return true;
  }

  static bool isTexture(const clang::CXXRecordDecl& record) {
    llvm::StringRef name = record.getName();
    return name.starts_with("texture") || name.starts_with("depth");
  }

  // Reads [[kind(n)]] if present. Other resource attributes on the same parameter are errors.
  void takeIndex(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, std::string_view kind, uint32_t count,
                 Parameter& parameter) {
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

  void describeBuffer(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter) {
    clang::QualType type = decl.getType();
    clang::QualType pointee = type->getPointeeType();
    parameter.kind = ParameterKind::buffer;
    parameter.reference = type->isReferenceType();
    parameter.typeName = pointee->isVoidType() ? "void" : typeName(pointee);
    bool readOnly = pointee.isConstQualified();
    switch (pointee.getAddressSpace()) {
    case clang::LangAS::opencl_global: parameter.addressSpace = 1; break;
    case clang::LangAS::opencl_local: parameter.addressSpace = 3; break;
    case clang::LangAS::opencl_generic:
      if (!readOnly) {
        error(decl, fmt::format("parameter '{}' needs an address space: device, constant or threadgroup", parameter.name));
      }
      parameter.addressSpace = 2;
      break;
    default:
      error(decl, fmt::format("parameter '{}' of an entry function must point to device, constant or threadgroup memory", parameter.name));
    }
    parameter.access = readOnly ? "air.read" : "air.read_write";
    bool threadgroup = parameter.addressSpace == 3;
    if (threadgroup && m_entry.stage != Stage::kernel && m_entry.stage != Stage::object) {
      error(decl, fmt::format("parameter '{}': only kernel and object functions have threadgroup arguments", parameter.name));
    }
    takeIndex(decl, tags, threadgroup ? "threadgroup" : "buffer", kBufferCount, parameter);
    if (!pointee->isVoidType() && !pointee->isIncompleteType()) {
      parameter.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(pointee).getQuantity());
      parameter.align = static_cast<uint32_t>(m_context.getTypeAlignInChars(pointee).getQuantity());
      if (const auto* record = pointee->getAsCXXRecordDecl(); record && !valueType(pointee)) describeMembers(*record, parameter.members);
    }
  }

  void describePayload(const clang::ParmVarDecl& decl, Parameter& parameter) {
    clang::QualType pointee = decl.getType()->getPointeeType();
    parameter.kind = ParameterKind::payload;
    parameter.reference = decl.getType()->isReferenceType();
    parameter.typeName = pointee->isVoidType() ? "void" : typeName(pointee);
    parameter.addressSpace = 6;
    parameter.keys = {"air.payload"};
    if (m_entry.stage != Stage::object && m_entry.stage != Stage::mesh)
      error(decl, fmt::format("parameter '{}': only object and mesh functions have a payload", parameter.name));
    if (pointee.getAddressSpace() != clang::LangAS::opencl_local)
      error(decl, fmt::format("parameter '{}' with attribute 'payload' must point to object_data memory", parameter.name));
    if (m_entry.stage == Stage::mesh && !pointee.isConstQualified())
      error(decl, fmt::format("parameter '{}': a mesh function only reads its payload: use const object_data", parameter.name));
    if (pointee->isVoidType() || pointee->isIncompleteType()) return;
    parameter.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(pointee).getQuantity());
    parameter.align = static_cast<uint32_t>(m_context.getTypeAlignInChars(pointee).getQuantity());
    if (const auto* record = pointee->getAsCXXRecordDecl(); record && !valueType(pointee)) describeMembers(*record, parameter.members);
  }

  // mesh<V, P, max vertices, max primitives, topology>
  void describeMesh(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record, Parameter& parameter) {
    constexpr const char* kTopologies[] = {"point", "line", "triangle"};
    constexpr uint32_t kMostVertices = 256, kMostPrimitives = 512; // Metal's limits
    parameter.kind = ParameterKind::meshOutput;
    if (m_entry.stage != Stage::mesh) error(decl, fmt::format("parameter '{}': only mesh functions have a mesh", parameter.name));
    const auto& arguments = llvm::cast<clang::ClassTemplateSpecializationDecl>(&record)->getTemplateArgs();
    clang::QualType vertexType = arguments[0].getAsType(), primitiveType = arguments[1].getAsType();
    MeshType& mesh = m_entry.mesh;
    if (!mesh.topology.empty()) error(decl, "a mesh function has one mesh<...> parameter");
    mesh.maxVertices = integer(arguments[2]);
    mesh.maxPrimitives = integer(arguments[3]);
    mesh.topology = kTopologies[std::min(integer(arguments[4]), 2u)];
    parameter.typeName = fmt::format("mesh<{}, {}, {}, {}, {}>", typeName(vertexType),
                                     primitiveType->isVoidType() ? "void" : typeName(primitiveType), mesh.maxVertices,
                                     mesh.maxPrimitives, mesh.topology);
    if (mesh.maxVertices == 0 || mesh.maxVertices > kMostVertices || mesh.maxPrimitives == 0 || mesh.maxPrimitives > kMostPrimitives)
      error(decl, fmt::format("'{}' has {} vertices and {} primitives: 1 to {} vertices and 1 to {} primitives are possible",
                              parameter.typeName, mesh.maxVertices, mesh.maxPrimitives, kMostVertices, kMostPrimitives));
    const auto* vertexRecord = vertexType->getAsCXXRecordDecl();
    const auto* primitiveRecord = primitiveType->getAsCXXRecordDecl();
    if (!vertexRecord || valueType(vertexType)) {
      error(decl, fmt::format("the vertex type of '{}' must be a structure with a [[position]]", parameter.typeName));
      return;
    }
    m_sawPosition = false;
    m_leaves = &mesh.vertexOutputs;
    forEachLeaf(*vertexRecord, 0, &Describer::vertexOutputField);
    if (!m_sawPosition)
      error(decl, fmt::format("the vertex type of '{}' has no member with attribute [[position]]", parameter.typeName));
    for (const Leaf& leaf : mesh.vertexOutputs)
      if (leaf.keys[0] == "air.render_target_array_index" || leaf.keys[0] == "air.viewport_array_index")
        error(decl, fmt::format("member '{}' of the vertex type of '{}' belongs into its primitive type", leaf.name, parameter.typeName));
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

  void primitiveOutputField(const clang::FieldDecl& field, Leaf leaf) {
    std::vector<Tag> tags = tagsOf(field);
    if (leaf.arrayLength) {
      error(field, fmt::format("member '{}' of a mesh's primitive type cannot be an array", leaf.name));
      return;
    }
    for (const char* builtin : {"primitive_culled", "primitive_id", "render_target_array_index", "viewport_array_index"}) {
      if (!find(tags, builtin)) continue;
      bool boolean = leaf.type.kind == ScalarKind::boolean;
      if (leaf.type.kind == ScalarKind::floating || leaf.type.lanes != 1 || boolean != (std::string_view(builtin) == "primitive_culled"))
        error(field, fmt::format("member '{}' with attribute '{}' cannot have type '{}'", leaf.name, builtin, leaf.type.name));
      leaf.keys = {std::string("air.") + builtin};
    }
    if (leaf.keys.empty()) leaf.keys = {"", varyingName(tags, leaf.name)};
    m_leaves->push_back(std::move(leaf));
  }

  // Members that are no built-ins are data of a vertex or primitive, numbered in order.
  static void numberMeshData(const char* kind, std::vector<Leaf>& leaves) {
    unsigned next = 0;
    for (Leaf& leaf : leaves) {
      if (leaf.keys.size() < 2 || !leaf.keys[1].starts_with("user(")) continue;
      leaf.keys = {kind, "#" + std::to_string(next++), leaf.keys[1]};
    }
  }

  void describeMembers(const clang::CXXRecordDecl& record, std::vector<MemberInfo>& members) {
    if (!record.isCompleteDefinition() || isMetal(record)) return;
    const clang::ASTRecordLayout& layout = m_context.getASTRecordLayout(&record);
    for (const clang::FieldDecl* field : record.fields()) {
      MemberInfo member;
      clang::QualType type = field->getType();
      member.offset = static_cast<uint32_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
      if (const auto* array = m_context.getAsConstantArrayType(type)) {
        member.arrayLength = static_cast<uint32_t>(array->getZExtSize());
        type = array->getElementType();
      }
      member.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(type).getQuantity());
      member.typeName = type->isPointerType() ? typeName(type->getPointeeType()) + "*" : typeName(type);
      member.name = field->getNameAsString();
      members.push_back(std::move(member));
    }
  }

  void describeTexture(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record, const std::vector<Tag>& tags,
                       Parameter& parameter) {
    parameter.kind = ParameterKind::texture;
    parameter.typeName = libraryTypeName(record);
    const auto* special = llvm::cast<clang::ClassTemplateSpecializationDecl>(&record);
    parameter.access = fmt::format("air.{}", accessWord(integer(special->getTemplateArgs()[1])));
    takeIndex(decl, tags, "texture", kTextureCount, parameter);
  }

  void describeBuiltin(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags, Parameter& parameter) {
    parameter.kind = ParameterKind::builtin;
    std::string shown = typeName(decl.getType());
    auto value = valueType(decl.getType());
    if (tags.empty()) {
      error(decl, fmt::format("parameter '{}' of {} function '{}' needs an attribute that says where its value of type '{}' comes from, "
                              "such as {}",
                              parameter.name, stageName(m_entry.stage), m_function.getNameAsString(), shown,
                              value ? exampleAttribute() : "[[stage_in]], or to be a pointer or reference with [[buffer(n)]]"));
      return;
    }
    for (const Tag& tag : tags) {
      if (tag.name == "function_constant") {
        parameter.condition = tag.argument;
        continue;
      }
      if (tag.name == "color") {
        if (m_entry.stage != Stage::fragment || !value || value->kind == ScalarKind::boolean || number(tag) >= kColorCount) {
          error(decl, fmt::format("[[color({})]] does not apply to parameter '{}' of type '{}' of a {} function", tag.argument,
                                  parameter.name, shown, stageName(m_entry.stage)));
          return;
        }
        parameter.type = *value;
        parameter.typeName = value->name;
        parameter.keys = {"air.render_target", "#" + std::to_string(number(tag))};
        continue;
      }
      const auto* builtin = std::find_if(std::begin(kBuiltinInputs), std::end(kBuiltinInputs),
                                         [&](const BuiltinInput& b) { return tag.name == b.attribute; });
      if (builtin == std::end(kBuiltinInputs)) {
        if (isInterpolation(tag.name) || tag.name == "raster_order_group") continue;
        error(decl, fmt::format("attribute '{}' does not apply to parameter '{}' of type '{}'", tag.name, parameter.name, shown));
        return;
      }
      if (!(builtin->stages & bitOf(m_entry.stage))) {
        error(decl, fmt::format("attribute '{}' is not an input of {} function (parameter '{}')", tag.name,
                                aStage(m_entry.stage), parameter.name));
        return;
      }
      if (!value || !fits(*builtin, *value)) {
        error(decl, fmt::format("parameter '{}' with attribute '{}' cannot have type '{}': use {}", parameter.name, tag.name, shown,
                                expectedType(*builtin)));
        return;
      }
      parameter.type = *value;
      parameter.typeName = value->name;
      parameter.keys = builtinKeys(tag.name);
    }
    if (parameter.keys.empty()) {
      error(decl, fmt::format("parameter '{}' has no attribute that says where its value comes from", parameter.name));
    }
  }

  const char* exampleAttribute() const {
    switch (m_entry.stage) {
    case Stage::vertex: return "[[vertex_id]] or [[instance_id]]";
    case Stage::fragment: return "[[position]], [[front_facing]] or [[primitive_id]]";
    case Stage::kernel:
    case Stage::object:
    case Stage::mesh: return "[[thread_position_in_grid]]";
    }
    return "";
  }

  static bool fits(const BuiltinInput& builtin, const ValueType& type) {
    if (builtin.floating) return type.kind == ScalarKind::floating && type.lanes == builtin.maxLanes;
    if (builtin.boolean) return type.kind == ScalarKind::boolean && type.lanes == 1;
    if (type.kind != ScalarKind::unsignedInt && type.kind != ScalarKind::signedInt) return false;
    return type.bits >= 16 && type.bits <= 32 && type.lanes <= builtin.maxLanes;
  }

  static std::string expectedType(const BuiltinInput& builtin) {
    if (builtin.floating) return fmt::format("float{}", builtin.maxLanes);
    if (builtin.boolean) return "bool";
    return builtin.maxLanes == 1 ? "uint or ushort" : "uint or ushort, or a vector of 2 or 3 of them";
  }

  static std::vector<std::string> builtinKeys(const std::string& attribute) {
    if (attribute == "position") return {"air.position", "air.center", "air.no_perspective"};
    if (attribute == "sample_mask") return {"air.sample_mask_in"};
    return {"air." + attribute};
  }

  static bool isInterpolation(const std::string& name) {
    return name == "flat" || std::any_of(std::begin(kInterpolations), std::end(kInterpolations),
                                         [&](const auto& row) { return name == row[0]; });
  }

  // ---- structures ----

  using LeafVisitor = void (Describer::*)(const clang::FieldDecl& field, Leaf leaf);

  void forEachLeaf(const clang::CXXRecordDecl& record, uint64_t base, LeafVisitor visit) {
    if (!record.isCompleteDefinition()) return;
    const clang::ASTRecordLayout& layout = m_context.getASTRecordLayout(&record);
    for (const clang::CXXBaseSpecifier& baseClass : record.bases()) {
      const auto* baseRecord = baseClass.getType()->getAsCXXRecordDecl();
      forEachLeaf(*baseRecord, base + static_cast<uint64_t>(layout.getBaseClassOffset(baseRecord).getQuantity()), visit);
    }
    for (const clang::FieldDecl* field : record.fields()) {
      uint64_t offset = base + layout.getFieldOffset(field->getFieldIndex()) / 8;
      Leaf leaf;
      leaf.name = field->getNameAsString();
      leaf.offset = offset;
      std::vector<Tag> tags = tagsOf(*field);
      if (const Tag* condition = find(tags, "function_constant")) leaf.condition = condition->argument;
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
      } else if (const auto* nested = type->getAsCXXRecordDecl(); nested && !isMetal(*nested) && leaf.arrayLength == 0) {
        forEachLeaf(*nested, offset, visit);
      } else {
        error(*field, fmt::format("member '{}' of type '{}' cannot cross a stage's interface: only scalars, vectors and structures of "
                                  "them can",
                                  leaf.name, typeName(field->getType())));
      }
    }
  }

  // The value's type of interpolant<T, interpolation>.
  std::optional<ValueType> interpolantType(clang::QualType type) const {
    const auto* special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (!special || !isMetal(*special) || special->getName() != "interpolant") return std::nullopt;
    auto value = valueType(special->getTemplateArgs()[0].getAsType());
    if (value) value->noPerspective = integer(special->getTemplateArgs()[1]) == 1;
    return value;
  }

  void describeStageIn(const clang::ParmVarDecl& decl, Parameter& parameter) {
    parameter.kind = ParameterKind::stageIn;
    const auto* record = decl.getType()->getAsCXXRecordDecl();
    if (m_entry.stage == Stage::object || m_entry.stage == Stage::mesh) {
      error(decl, fmt::format("parameter '{}': {} functions have no [[stage_in]]", parameter.name, stageName(m_entry.stage)));
      return;
    }
    if (!record || valueType(decl.getType())) {
      error(decl, fmt::format("parameter '{}' with attribute 'stage_in' must be a structure, not '{}'", parameter.name,
                              typeName(decl.getType())));
      return;
    }
    if (m_sawStageIn) error(decl, "a function has at most one [[stage_in]] parameter");
    m_sawStageIn = true;
    m_leaves = &parameter.leaves;
    forEachLeaf(*record, 0, m_entry.stage == Stage::fragment ? &Describer::fragmentInput : &Describer::vertexInput);
  }

  void vertexInput(const clang::FieldDecl& field, Leaf leaf) {
    std::vector<Tag> tags = tagsOf(field);
    const Tag* attribute = find(tags, "attribute");
    if (!attribute || leaf.arrayLength || leaf.interpolant) {
      error(field, fmt::format("member '{}' of a {} function's [[stage_in]] structure needs [[attribute(n)]]{}", leaf.name, stageName(m_entry.stage),
                               leaf.arrayLength ? " and cannot be an array" : ""));
      return;
    }
    if (number(*attribute) >= kAttributeCount) {
      error(field, fmt::format("attribute index {} of member '{}' is out of range: indices are 0 to {}", attribute->argument, leaf.name,
                               kAttributeCount - 1));
    }
    leaf.keys = {m_entry.stage == Stage::vertex ? "air.vertex_input" : "air.stage_in", "air.location_index", "#" + std::to_string(number(*attribute)), "#1"};
    m_leaves->push_back(std::move(leaf));
  }

  static std::string varyingName(const std::vector<Tag>& tags, const std::string& member) {
    const Tag* user = find(tags, "user");
    return fmt::format("user({})", user ? user->argument : member);
  }

  void fragmentInput(const clang::FieldDecl& field, Leaf leaf) {
    std::vector<Tag> tags = tagsOf(field);
    if (find(tags, "point_size")) return; // an output of the vertex stage only; the member stays undefined
    if (find(tags, "clip_distance") || find(tags, "primitive_culled")) return;
    if (leaf.arrayLength) {
      error(field, fmt::format("member '{}' of a fragment function's [[stage_in]] structure cannot be an array", leaf.name));
      return;
    }
    if (const Tag* color = find(tags, "color")) {
      if (number(*color) >= kColorCount) error(field, fmt::format("color index {} is out of range: indices are 0 to {}", color->argument, kColorCount - 1));
      leaf.keys = {"air.render_target", "#" + std::to_string(number(*color))};
      m_leaves->push_back(std::move(leaf));
      return;
    }
    for (const BuiltinInput& builtin : kBuiltinInputs) {
      if (!(builtin.stages & kFragment) || !find(tags, builtin.attribute)) continue;
      if (!fits(builtin, leaf.type)) {
        error(field, fmt::format("member '{}' with attribute '{}' cannot have type '{}': use {}", leaf.name, builtin.attribute,
                                 leaf.type.name, expectedType(builtin)));
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
    if (find(tags, "flat") || integral) {
      leaf.keys.push_back("air.flat");
    } else {
      const char* const* row = kInterpolations[0];
      for (const auto& candidate : kInterpolations) {
        if (find(tags, candidate[0])) row = candidate;
      }
      leaf.keys.push_back(row[1]);
      leaf.keys.push_back(row[2]);
    }
    m_leaves->push_back(std::move(leaf));
  }

  // ---- results ----

  void describeResult(const std::vector<Tag>& functionTags) {
    clang::QualType type = m_function.getReturnType();
    m_leaves = &m_entry.outputs;
    if (kGroups & bitOf(m_entry.stage)) {
      if (!type->isVoidType()) error(m_function, fmt::format("{} function '{}' must return void", stageName(m_entry.stage), m_entry.name));
      return;
    }
    if (type->isVoidType()) return;
    if (auto value = valueType(type)) {
      m_entry.returnsRecord = type->isRecordType();
      Leaf leaf;
      leaf.type = *value;
      if (m_entry.stage == Stage::vertex) {
        leaf.name = "position";
        std::vector<Tag> tags = {{"position", "", ""}};
        vertexOutput(m_function, m_function.getLocation(), tags, std::move(leaf));
      } else {
        std::vector<Tag> tags = functionTags;
        if (!find(tags, "color") && !find(tags, "depth") && !find(tags, "sample_mask")) tags.push_back({"color", "0", ""});
        fragmentOutput(m_function.getLocation(), tags, std::move(leaf));
      }
      return;
    }
    const auto* record = type->getAsCXXRecordDecl();
    if (!record || isMetal(*record)) {
      error(m_function, fmt::format("{} function '{}' cannot return '{}'", stageName(m_entry.stage), m_entry.name, typeName(type)));
      return;
    }
    m_entry.returnsRecord = true;
    m_sawPosition = false;
    forEachLeaf(*record, 0, m_entry.stage == Stage::vertex ? &Describer::vertexOutputField : &Describer::fragmentOutputField);
    if (m_entry.stage == Stage::vertex && !m_sawPosition) {
      error(m_function, fmt::format("vertex function '{}' returns '{}', which has no member with attribute [[position]]", m_entry.name,
                                    typeName(type)));
    }
  }

  void vertexOutputField(const clang::FieldDecl& field, Leaf leaf) {
    vertexOutput(field, field.getLocation(), tagsOf(field), std::move(leaf));
  }
  void fragmentOutputField(const clang::FieldDecl& field, Leaf leaf) {
    std::vector<Tag> tags = tagsOf(field);
    fragmentOutput(field.getLocation(), tags, std::move(leaf));
  }

  void vertexOutput(const clang::Decl&, clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf) {
    if (find(tags, "clip_distance")) {
      if (leaf.type.kind != ScalarKind::floating || leaf.type.lanes != 1) {
        error(location, fmt::format("member '{}' with attribute 'clip_distance' must be float or an array of float", leaf.name));
      }
      leaf.keys = {"air.clip_distance", "air.clip_distance_array_size", "#" + std::to_string(std::max(1u, leaf.arrayLength))};
    } else if (leaf.arrayLength || leaf.interpolant) {
      error(location, fmt::format("member '{}' of a vertex function's result cannot be an array or interpolant", leaf.name));
      return;
    } else if (find(tags, "position")) {
      if (leaf.type.kind != ScalarKind::floating || leaf.type.bits != 32 || leaf.type.lanes != 4) {
        error(location, fmt::format("[[position]] must be float4, not '{}'", leaf.type.name));
      }
      m_sawPosition = true;
      leaf.keys = {"air.position"};
      if (find(tags, "invariant")) leaf.keys.push_back("air.invariant");
    } else if (find(tags, "point_size")) {
      if (leaf.type.kind != ScalarKind::floating || leaf.type.lanes != 1) {
        error(location, fmt::format("[[point_size]] must be float, not '{}'", leaf.type.name));
      }
      leaf.keys = {"air.point_size"};
    } else if (find(tags, "render_target_array_index")) {
      leaf.keys = {"air.render_target_array_index"};
    } else if (find(tags, "viewport_array_index")) {
      leaf.keys = {"air.viewport_array_index"};
    } else {
      leaf.keys = {"air.vertex_output", varyingName(tags, leaf.name)};
    }
    m_leaves->push_back(std::move(leaf));
  }

  void fragmentOutput(clang::SourceLocation location, const std::vector<Tag>& tags, Leaf leaf) {
    if (leaf.arrayLength || leaf.interpolant) {
      error(location, fmt::format("member '{}' of a fragment function's result cannot be an array or interpolant", leaf.name));
      return;
    }
    if (const Tag* color = find(tags, "color")) {
      if (number(*color) >= kColorCount) {
        error(location, fmt::format("color index {} is out of range: indices are 0 to {}", color->argument, kColorCount - 1));
      }
      const Tag* index = find(tags, "index");
      leaf.keys = {"air.render_target", "#" + std::to_string(number(*color)), "#" + std::to_string(index ? number(*index) : 0)};
    } else if (const Tag* depth = find(tags, "depth")) {
      std::string qualifier = depth->argument.empty() ? "any" : depth->argument;
      if (qualifier != "any" && qualifier != "less" && qualifier != "greater") {
        error(location, fmt::format("[[depth({})]]: the qualifier must be any, less or greater", qualifier));
      }
      if (leaf.type.kind != ScalarKind::floating || leaf.type.bits != 32 || leaf.type.lanes != 1) {
        error(location, fmt::format("[[depth]] must be float, not '{}'", leaf.type.name));
      }
      leaf.keys = {"air.depth", "air.depth_qualifier", "air." + qualifier};
    } else if (find(tags, "sample_mask")) {
      leaf.keys = {"air.sample_mask"};
    } else if (find(tags, "stencil")) {
      leaf.keys = {"air.stencil"};
    } else {
      error(location, fmt::format("member '{}' of a fragment function's result needs an attribute such as [[color(n)]] or [[depth(any)]]",
                                  leaf.name));
      return;
    }
    m_leaves->push_back(std::move(leaf));
  }

  // ---- indices ----

  static int indexSpace(const Parameter& parameter) {
    switch (parameter.kind) {
    case ParameterKind::buffer: return parameter.addressSpace == 3 ? 3 : 0;
    case ParameterKind::texture: return 1;
    case ParameterKind::sampler: return 2;
    default: return -1;
    }
  }

  // Resources without an index take the lowest free ones, in order.
  void assignIndices() {
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

  const clang::FunctionDecl& m_function;
  clang::ASTContext& m_context;
  clang::PrintingPolicy m_policy;
  Entry m_entry;
  std::vector<bool> m_hasIndex;
  std::vector<Leaf>* m_leaves = nullptr;
  bool m_indexGiven = false;
  bool m_sawStageIn = false;
  bool m_sawPosition = false;
};

} // namespace

std::optional<Stage> stageOf(const clang::FunctionDecl& function) {
  std::vector<Tag> tags = tagsOf(function);
  if (find(tags, "vertex")) return Stage::vertex;
  if (find(tags, "fragment")) return Stage::fragment;
  if (find(tags, "kernel")) return Stage::kernel;
  if (find(tags, "object")) return Stage::object;
  if (find(tags, "mesh")) return Stage::mesh;
  return std::nullopt;
}

std::optional<FunctionConstant> describeFunctionConstant(const clang::VarDecl& variable) {
  std::vector<Tag> tags = tagsOf(variable);
  const Tag* tag = find(tags, "function_constant");
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
