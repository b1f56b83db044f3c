// SPDX-License-Identifier: Apache-2.0
// MTL::Type and its kinds, and MTL::StructMember.
#include "src/metal/MTLArgument.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

namespace {

foundation::Retained<Type> elementOf(const shader::TypeReflection& reflection) {
  return reflection.element.empty() ? foundation::Retained<Type>() : Type::make(reflection.element.front());
}

// The type as one of the kinds above; null when it is of another, or none is known.
template <class Impl> auto* as(const Type* type) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  auto* kind = dynamic_cast<const Impl*>(type);
  return kind ? toPublic(kind) : static_cast<Public*>(nullptr);
}

MTL::DataType dataTypeOf(const Type* type) { return type ? type->dataType() : MTL::DataTypeNone; }

} // namespace

foundation::Retained<Type> Type::make(const shader::TypeReflection& reflection) {
  using foundation::Retained;
  switch (static_cast<MTL::DataType>(reflection.dataType)) {
  case MTL::DataTypeStruct:
    return Retained<Type>::adopt(new StructType(reflection));
  case MTL::DataTypeArray:
    return Retained<Type>::adopt(new ArrayType(reflection));
  case MTL::DataTypePointer:
    return Retained<Type>::adopt(new PointerType(reflection));
  case MTL::DataTypeTexture:
    return Retained<Type>::adopt(new TextureReferenceType(reflection));
  default:
    return Retained<Type>::adopt(new Type(reflection));
  }
}

StructType::StructType(const shader::TypeReflection& reflection) : Type(reflection) {
  std::vector<foundation::Retained<StructMember>> made;
  std::vector<foundation::Object*> pointers;
  for (const shader::MemberReflection& member : reflection.members) {
    made.push_back(foundation::Retained<StructMember>::adopt(new StructMember(member)));
    pointers.push_back(made.back().get());
  }
  members = foundation::Retained<foundation::Object>::adopt(objectOf(foundation::makeArray(pointers)));
}

StructMember::StructMember(const shader::MemberReflection& member)
    : name(foundation::Retained<foundation::Object>::adopt(objectOf(foundation::makeString(member.name)))),
      offset(member.offset), argumentIndex(member.argumentIndex), type(Type::make(member.type)) {}

ArrayType::ArrayType(const shader::TypeReflection& reflection)
    : Type(reflection), element(elementOf(reflection)) {}

PointerType::PointerType(const shader::TypeReflection& reflection)
    : Type(reflection), element(elementOf(reflection)) {}

} // namespace basanite::metal

using namespace basanite::metal;

BASANITE_ALLOC_INIT(MTL::Type)
MTL::DataType MTL::Type::dataType() const { return this ? toImpl(this)->dataType() : MTL::DataTypeNone; }

BASANITE_ALLOC_INIT(MTL::StructType)
NS::Array* MTL::StructType::members() const {
  return this ? reinterpret_cast<NS::Array*>(toImpl(this)->members.get()) : nullptr;
}
MTL::StructMember* MTL::StructType::memberByName(const NS::String* name) {
  if (!this || !name) return nullptr;
  NS::Array* all = members();
  for (NS::UInteger i = 0; all && i < all->count(); ++i) {
    auto* member = all->object<MTL::StructMember>(i);
    if (basanite::foundation::textOf(member->name()) == basanite::foundation::textOf(name)) return member;
  }
  return nullptr;
}

BASANITE_ALLOC_INIT(MTL::StructMember)
NS::UInteger MTL::StructMember::argumentIndex() const { return this ? toImpl(this)->argumentIndex : 0; }
MTL::ArrayType* MTL::StructMember::arrayType() {
  return this ? as<basanite::metal::ArrayType>(toImpl(this)->type.get()) : nullptr;
}
MTL::DataType MTL::StructMember::dataType() const {
  return this ? dataTypeOf(toImpl(this)->type.get()) : MTL::DataTypeNone;
}
NS::String* MTL::StructMember::name() const {
  return this ? reinterpret_cast<NS::String*>(toImpl(this)->name.get()) : nullptr;
}
NS::UInteger MTL::StructMember::offset() const { return this ? toImpl(this)->offset : 0; }
MTL::PointerType* MTL::StructMember::pointerType() {
  return this ? as<basanite::metal::PointerType>(toImpl(this)->type.get()) : nullptr;
}
MTL::StructType* MTL::StructMember::structType() {
  return this ? as<basanite::metal::StructType>(toImpl(this)->type.get()) : nullptr;
}
MTL::TextureReferenceType* MTL::StructMember::textureReferenceType() {
  return this ? as<basanite::metal::TextureReferenceType>(toImpl(this)->type.get()) : nullptr;
}

BASANITE_ALLOC_INIT(MTL::ArrayType)
// Indices that an element takes in an argument buffer.
NS::UInteger MTL::ArrayType::argumentIndexStride() const { return this && toImpl(this)->element ? 1 : 0; }
NS::UInteger MTL::ArrayType::arrayLength() const { return this ? toImpl(this)->info.arrayLength : 0; }
MTL::ArrayType* MTL::ArrayType::elementArrayType() {
  return this ? as<basanite::metal::ArrayType>(toImpl(this)->element.get()) : nullptr;
}
MTL::PointerType* MTL::ArrayType::elementPointerType() {
  return this ? as<basanite::metal::PointerType>(toImpl(this)->element.get()) : nullptr;
}
MTL::StructType* MTL::ArrayType::elementStructType() {
  return this ? as<basanite::metal::StructType>(toImpl(this)->element.get()) : nullptr;
}
MTL::TextureReferenceType* MTL::ArrayType::elementTextureReferenceType() {
  return this ? as<basanite::metal::TextureReferenceType>(toImpl(this)->element.get()) : nullptr;
}
MTL::DataType MTL::ArrayType::elementType() const {
  return this ? dataTypeOf(toImpl(this)->element.get()) : MTL::DataTypeNone;
}
NS::UInteger MTL::ArrayType::stride() const { return this ? toImpl(this)->info.stride : 0; }

BASANITE_ALLOC_INIT(MTL::PointerType)
MTL::BindingAccess MTL::PointerType::access() const {
  return this ? static_cast<MTL::BindingAccess>(toImpl(this)->info.access) : MTL::BindingAccessReadOnly;
}
NS::UInteger MTL::PointerType::alignment() const {
  return this && toImpl(this)->element ? toImpl(this)->element->info.align : 0;
}
NS::UInteger MTL::PointerType::dataSize() const {
  return this && toImpl(this)->element ? toImpl(this)->element->info.size : 0;
}
MTL::ArrayType* MTL::PointerType::elementArrayType() {
  return this ? as<basanite::metal::ArrayType>(toImpl(this)->element.get()) : nullptr;
}
MTL::StructType* MTL::PointerType::elementStructType() {
  return this ? as<basanite::metal::StructType>(toImpl(this)->element.get()) : nullptr;
}
MTL::DataType MTL::PointerType::elementType() const {
  return this ? dataTypeOf(toImpl(this)->element.get()) : MTL::DataTypeNone;
}

BASANITE_ALLOC_INIT(MTL::TextureReferenceType)
MTL::BindingAccess MTL::TextureReferenceType::access() const {
  return this ? static_cast<MTL::BindingAccess>(toImpl(this)->info.access) : MTL::BindingAccessReadOnly;
}
bool MTL::TextureReferenceType::isDepthTexture() const { return this && toImpl(this)->info.depthTexture; }
MTL::DataType MTL::TextureReferenceType::textureDataType() const {
  return this ? static_cast<MTL::DataType>(toImpl(this)->info.textureDataType) : MTL::DataTypeNone;
}
MTL::TextureType MTL::TextureReferenceType::textureType() const {
  return this ? static_cast<MTL::TextureType>(toImpl(this)->info.textureType) : MTL::TextureType2D;
}
