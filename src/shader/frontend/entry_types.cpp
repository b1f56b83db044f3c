// SPDX-License-Identifier: Apache-2.0
// Part of entry_describer.hpp: attributes and types as clang has them.
#include "src/shader/frontend/entry_describer.hpp"

#include "src/shader/frontend/attributes.hpp"

#include <clang/AST/Attr.h>

#include <algorithm>
#include <fmt/format.h>

namespace basanite::shader::frontend {

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

const Tag* findTag(const std::vector<Tag>& tags, std::string_view name) {
  for (const Tag& tag : tags) {
    if (tag.name == name) return &tag;
  }
  return nullptr;
}

uint32_t number(const Tag& tag) {
  if (tag.argument.starts_with('-')) return UINT32_MAX;
  return static_cast<uint32_t>(
      std::min<unsigned long long>(std::strtoull(tag.argument.c_str(), nullptr, 10), UINT32_MAX));
}

std::string Describer::typeName(clang::QualType type) const {
  type = type.getNonReferenceType().getUnqualifiedType();
  const auto* record = type->getAsCXXRecordDecl();
  if (auto value = valueType(type)) return value->name;
  if (record && isMetal(*record) && llvm::isa<clang::ClassTemplateSpecializationDecl>(record))
    return libraryTypeName(*record);
  return type.getCanonicalType().getUnqualifiedType().getAsString(m_policy);
}

bool Describer::isMetal(const clang::CXXRecordDecl& record) {
  const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(record.getDeclContext());
  return space && space->getName() == "metal";
}

std::string Describer::libraryTypeName(const clang::CXXRecordDecl& record) const {
  const auto* special = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  std::string name = record.getNameAsString();
  if (!special) return name;
  const auto& arguments = special->getTemplateArgs();
  if (name == "matrix") {
    return fmt::format("{}{}x{}", typeName(arguments[0].getAsType()), integer(arguments[1]),
                       integer(arguments[2]));
  }
  if (name == "visible_function_table" && arguments[0].getKind() == clang::TemplateArgument::Type)
    return fmt::format("{}<{}>", name, signature(arguments[0].getAsType()));
  if (name.ends_with("atomic") && arguments[0].getKind() == clang::TemplateArgument::Type)
    return "atomic_" + typeName(arguments[0].getAsType());
  if (name.find("texture") == 0 || name.find("depth") == 0) {
    return fmt::format("{}<{}, {}>", name, typeName(arguments[0].getAsType()),
                       accessWord(integer(arguments[1])));
  }
  return m_context.getRecordType(&record).getAsString(m_policy);
}

std::string Describer::signature(clang::QualType function) const {
  const auto* type = function->getAs<clang::FunctionProtoType>();
  if (!type) return typeName(function);
  std::string text = signatureType(type->getReturnType()) + "(";
  for (clang::QualType parameter : type->param_types())
    text += (text.ends_with('(') ? "" : ", ") + signatureType(parameter);
  return text + ")";
}

std::string Describer::signatureType(clang::QualType type) const {
  const clang::QualType pointee = type->getPointeeType();
  if (pointee.isNull()) return type->isVoidType() ? "void" : typeName(type);
  std::string space;
  switch (pointee.getAddressSpace()) {
  case clang::LangAS::opencl_global: space = "device "; break;
  case clang::LangAS::opencl_local: space = "threadgroup "; break;
  case clang::LangAS::opencl_generic: space = "constant "; break;
  default: space = pointee->isFunctionType() ? "" : "thread "; break;
  }
  // What is constant cannot be written anyway.
  if (pointee.isConstQualified() && space != "constant ") space += "const ";
  return space + (pointee->isFunctionType() ? signature(pointee) : signatureType(pointee)) + (type->isReferenceType() ? "&" : "*");
}

unsigned Describer::integer(const clang::TemplateArgument& argument) {
  return static_cast<unsigned>(argument.getAsIntegral().getZExtValue());
}

const char* Describer::accessWord(unsigned access) {
  constexpr const char* kWords[] = {"sample", "read", "write", "read_write"};
  return access < 4 ? kWords[access] : "sample";
}

std::optional<ValueType> Describer::valueType(clang::QualType type) {
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
  case B::Bool:
    return ValueType{ScalarKind::boolean, 8, 1, "bool"};
  case B::Char_S:
  case B::SChar:
    return ValueType{ScalarKind::signedInt, 8, 1, "char"};
  case B::Char_U:
  case B::UChar:
    return ValueType{ScalarKind::unsignedInt, 8, 1, "uchar"};
  case B::Short:
    return ValueType{ScalarKind::signedInt, 16, 1, "short"};
  case B::UShort:
    return ValueType{ScalarKind::unsignedInt, 16, 1, "ushort"};
  case B::Int:
    return ValueType{ScalarKind::signedInt, 32, 1, "int"};
  case B::UInt:
    return ValueType{ScalarKind::unsignedInt, 32, 1, "uint"};
  case B::Long:
    return ValueType{ScalarKind::signedInt, 64, 1, "long"};
  case B::ULong:
    return ValueType{ScalarKind::unsignedInt, 64, 1, "ulong"};
  case B::Half:
    return ValueType{ScalarKind::floating, 16, 1, "half"};
  case B::Float:
    return ValueType{ScalarKind::floating, 32, 1, "float"};
  default:
    return std::nullopt;
  }
}

std::optional<ValueType> Describer::interpolantType(clang::QualType type) const {
  const auto* special =
      llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
  if (!special || !isMetal(*special) || special->getName() != "interpolant") return std::nullopt;
  auto value = valueType(special->getTemplateArgs()[0].getAsType());
  if (value) value->noPerspective = integer(special->getTemplateArgs()[1]) == 1;
  return value;
}

} // namespace basanite::shader::frontend
