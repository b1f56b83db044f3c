// SPDX-License-Identifier: Apache-2.0
// Part of entry_describer.hpp: parameters that are no structures: buffers, payloads, textures and built-in
// inputs.
#include "src/shader/frontend/entry_describer.hpp"

#include <clang/AST/RecordLayout.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

bool Describer::isTexture(const clang::CXXRecordDecl& record) {
  llvm::StringRef name = record.getName();
  return name.starts_with("texture") || name.starts_with("depth");
}

void Describer::describeBuffer(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags,
                               Parameter& parameter) {
  clang::QualType type = decl.getType();
  clang::QualType pointee = type->getPointeeType();
  parameter.kind = ParameterKind::buffer;
  parameter.reference = type->isReferenceType();
  parameter.typeName = pointee->isVoidType() ? "void" : typeName(pointee);
  bool readOnly = pointee.isConstQualified();
  switch (pointee.getAddressSpace()) {
  case clang::LangAS::opencl_global:
    parameter.addressSpace = 1;
    break;
  case clang::LangAS::opencl_local:
    parameter.addressSpace = 3;
    break;
  case clang::LangAS::opencl_generic:
    if (!readOnly) {
      error(decl, fmt::format("parameter '{}' needs an address space: device, constant or threadgroup",
                              parameter.name));
    }
    parameter.addressSpace = 2;
    break;
  default:
    error(decl,
          fmt::format(
              "parameter '{}' of an entry function must point to device, constant or threadgroup memory",
              parameter.name));
  }
  parameter.access = readOnly ? "air.read" : "air.read_write";
  bool threadgroup = parameter.addressSpace == 3;
  if (threadgroup && m_entry.stage != Stage::kernel && m_entry.stage != Stage::object) {
    error(decl, fmt::format("parameter '{}': only kernel and object functions have threadgroup arguments",
                            parameter.name));
  }
  takeIndex(decl, tags, threadgroup ? "threadgroup" : "buffer", kBufferCount, parameter);
  if (!pointee->isVoidType() && !pointee->isIncompleteType()) {
    parameter.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(pointee).getQuantity());
    parameter.align = static_cast<uint32_t>(m_context.getTypeAlignInChars(pointee).getQuantity());
    if (const auto* record = pointee->getAsCXXRecordDecl(); record && !valueType(pointee))
      describeMembers(*record, parameter.members);
  }
}

void Describer::describePayload(const clang::ParmVarDecl& decl, Parameter& parameter) {
  clang::QualType pointee = decl.getType()->getPointeeType();
  parameter.kind = ParameterKind::payload;
  parameter.reference = decl.getType()->isReferenceType();
  parameter.typeName = pointee->isVoidType() ? "void" : typeName(pointee);
  parameter.addressSpace = 6;
  if (m_entry.stage != Stage::object && m_entry.stage != Stage::mesh)
    error(decl, fmt::format("parameter '{}': only object and mesh functions have a payload", parameter.name));
  if (pointee.getAddressSpace() != clang::LangAS::opencl_local)
    error(decl, fmt::format("parameter '{}' with attribute 'payload' must point to object_data memory",
                            parameter.name));
  if (m_entry.stage == Stage::mesh && !pointee.isConstQualified())
    error(decl, fmt::format("parameter '{}': a mesh function only reads its payload: use const object_data",
                            parameter.name));
  if (pointee->isVoidType() || pointee->isIncompleteType()) return;
  parameter.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(pointee).getQuantity());
  parameter.align = static_cast<uint32_t>(m_context.getTypeAlignInChars(pointee).getQuantity());
  if (const auto* record = pointee->getAsCXXRecordDecl(); record && !valueType(pointee))
    describeMembers(*record, parameter.members);
}

namespace {
// Deeper than this, reflection names a structure and says nothing of its members.
constexpr size_t kMaxReflectedDepth = 8;
} // namespace

void Describer::describeMembers(const clang::CXXRecordDecl& record, std::vector<MemberInfo>& members, uint32_t base) {
  if (!record.isCompleteDefinition() || isMetal(record) || m_openRecords.size() >= kMaxReflectedDepth ||
      std::count(m_openRecords.begin(), m_openRecords.end(), &record))
    return;
  m_openRecords.push_back(&record);
  const clang::ASTRecordLayout& layout = m_context.getASTRecordLayout(&record);
  for (const clang::CXXBaseSpecifier& inherited : record.bases())
    if (const auto* parent = inherited.getType()->getAsCXXRecordDecl(); parent && !inherited.isVirtual())
      describeMembers(*parent, members, base + static_cast<uint32_t>(layout.getBaseClassOffset(parent).getQuantity()));
  for (const clang::FieldDecl* field : record.fields()) {
    MemberInfo member;
    member.offset = base + static_cast<uint32_t>(layout.getFieldOffset(field->getFieldIndex()) / 8);
    member.name = field->getNameAsString();
    std::vector<Tag> tags = tagsOf(*field);
    if (const Tag* id = findTag(tags, "id"))
      member.argumentIndex = number(*id);
    else if (!members.empty())
      member.argumentIndex = members.back().argumentIndex + std::max(1u, members.back().arrayLength);
    describeMemberType(field->getType(), member);
    members.push_back(std::move(member));
  }
  m_openRecords.pop_back();
}

void Describer::describeMemberType(clang::QualType type, MemberInfo& member) {
  if (const auto* array = m_context.getAsConstantArrayType(type)) {
    member.arrayLength = static_cast<uint32_t>(array->getZExtSize());
    type = array->getElementType();
  } else if (const auto* special = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
             special && isMetal(*special) && special->getName() == "array") {
    member.arrayLength = integer(special->getTemplateArgs()[1]);
    type = special->getTemplateArgs()[0].getAsType();
  }
  member.size = static_cast<uint32_t>(m_context.getTypeSizeInChars(type).getQuantity());
  if (type->isPointerType() || type->isReferenceType()) {
    describeTarget(type->getPointeeType(), member);
    return;
  }
  const auto* record = type->getAsCXXRecordDecl();
  if (record && isMetal(*record) && isTexture(*record)) {
    member.handle = "air.texture";
    member.typeName = libraryTypeName(*record);
    const auto* special = llvm::cast<clang::ClassTemplateSpecializationDecl>(record);
    member.access = fmt::format("air.{}", accessWord(integer(special->getTemplateArgs()[1])));
    return;
  }
  if (record && isMetal(*record) && record->getName() == "sampler") {
    member.handle = "air.sampler";
    member.typeName = "sampler";
    return;
  }
  if (record && isMetal(*record) && isFunctionTable(*record)) {
    member.handle = "air.visible_function_table";
    member.typeName = libraryTypeName(*record);
    member.access = "air.read";
    return;
  }
  // Of an enumeration readers want to know what it is in memory.
  if (const auto* enumeration = type->getAs<clang::EnumType>()) type = enumeration->getDecl()->getIntegerType();
  member.typeName = typeName(type);
  while (const auto* array = m_context.getAsConstantArrayType(type)) type = array->getElementType();
  record = type->getAsCXXRecordDecl();
  if (record && !valueType(type)) describeMembers(*record, member.members);
}

void Describer::describeTarget(clang::QualType pointee, MemberInfo& member) {
  member.handle = "air.buffer";
  member.targetName = pointee->isVoidType() ? "void" : typeName(pointee);
  member.typeName = member.targetName + "*";
  member.access = pointee.isConstQualified() ? "air.read" : "air.read_write";
  member.addressSpace = pointee.getAddressSpace() == clang::LangAS::opencl_global ? 1 : 2;
  if (pointee->isVoidType() || pointee->isIncompleteType() || pointee->isFunctionType()) return;
  member.targetSize = static_cast<uint32_t>(m_context.getTypeSizeInChars(pointee).getQuantity());
  member.targetAlign = static_cast<uint32_t>(m_context.getTypeAlignInChars(pointee).getQuantity());
  if (const auto* record = pointee->getAsCXXRecordDecl(); record && !valueType(pointee))
    describeMembers(*record, member.members);
}

void Describer::describeTexture(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record,
                                const std::vector<Tag>& tags, Parameter& parameter) {
  parameter.kind = ParameterKind::texture;
  parameter.typeName = libraryTypeName(record);
  const auto* special = llvm::cast<clang::ClassTemplateSpecializationDecl>(&record);
  parameter.access = fmt::format("air.{}", accessWord(integer(special->getTemplateArgs()[1])));
  takeIndex(decl, tags, "texture", kTextureCount, parameter);
}

bool Describer::isFunctionTable(const clang::CXXRecordDecl& record) { return record.getName() == "visible_function_table"; }

void Describer::describeFunctionTable(const clang::ParmVarDecl& decl, const clang::CXXRecordDecl& record,
                                      const std::vector<Tag>& tags, Parameter& parameter) {
  parameter.kind = ParameterKind::functionTable;
  parameter.typeName = libraryTypeName(record);
  parameter.access = "air.read";
  takeIndex(decl, tags, "buffer", kBufferCount, parameter);
}

void Describer::describeBuiltin(const clang::ParmVarDecl& decl, const std::vector<Tag>& tags,
                                Parameter& parameter) {
  parameter.kind = ParameterKind::builtin;
  std::string shown = typeName(decl.getType());
  auto value = valueType(decl.getType());
  if (tags.empty()) {
    error(decl, fmt::format("parameter '{}' of {} function '{}' needs an attribute that says where its value "
                            "of type '{}' comes from, "
                            "such as {}",
                            parameter.name, stageName(m_entry.stage), m_function.getNameAsString(), shown,
                            value ? exampleAttribute()
                                  : "[[stage_in]], or to be a pointer or reference with [[buffer(n)]]"));
    return;
  }
  for (const Tag& tag : tags) {
    if (tag.name == "function_constant") {
      parameter.condition = tag.argument;
      continue;
    }
    if (tag.name == "color") {
      if (m_entry.stage != Stage::fragment || !value || value->kind == ScalarKind::boolean ||
          number(tag) >= kColorCount) {
        error(decl,
              fmt::format("[[color({})]] does not apply to parameter '{}' of type '{}' of a {} function",
                          tag.argument, parameter.name, shown, stageName(m_entry.stage)));
        return;
      }
      parameter.type = *value;
      parameter.typeName = value->name;
      parameter.keys = {"air.render_target", fmt::format("#{}", number(tag))};
      continue;
    }
    const auto inputs = builtinInputs();
    const auto builtin = std::find_if(inputs.begin(), inputs.end(),
                                      [&](const BuiltinInput& b) { return tag.name == b.attribute; });
    if (builtin == inputs.end()) {
      if (isInterpolation(tag.name) || tag.name == "raster_order_group") continue;
      error(decl, fmt::format("attribute '{}' does not apply to parameter '{}' of type '{}'", tag.name,
                              parameter.name, shown));
      return;
    }
    if (!(builtin->stages & bitOf(m_entry.stage))) {
      error(decl, fmt::format("attribute '{}' is not an input of {} function (parameter '{}')", tag.name,
                              aStage(m_entry.stage), parameter.name));
      return;
    }
    if (!value || !fits(*builtin, *value)) {
      error(decl, fmt::format("parameter '{}' with attribute '{}' cannot have type '{}': use {}",
                              parameter.name, tag.name, shown, expectedType(*builtin)));
      return;
    }
    parameter.type = *value;
    parameter.typeName = value->name;
    parameter.keys = builtinKeys(tag.name);
  }
  if (parameter.keys.empty()) {
    error(decl, fmt::format("parameter '{}' has no attribute that says where its value comes from",
                            parameter.name));
  }
}

const char* Describer::exampleAttribute() const {
  switch (m_entry.stage) {
  case Stage::vertex:
    return "[[vertex_id]] or [[instance_id]]";
  case Stage::fragment:
    return "[[position]], [[front_facing]] or [[primitive_id]]";
  case Stage::kernel:
  case Stage::object:
  case Stage::mesh:
    return "[[thread_position_in_grid]]";
  case Stage::visible:
    break;
  }
  return "";
}

} // namespace basanite::shader::frontend
