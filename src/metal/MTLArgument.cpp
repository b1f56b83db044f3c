// SPDX-License-Identifier: Apache-2.0
// MTL::Binding and its kinds, and MTL::Argument.
#include "src/metal/MTLArgument.hpp"

#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

Binding::Binding(const shader::ArgumentReflection& argument, bool types)
    : info(argument),
      name(foundation::Retained<foundation::Object>::adopt(objectOf(foundation::makeString(argument.name)))) {
  info.type.members.clear();
  info.type.element.clear();
  if (!types || argument.kind != shader::ArgumentKind::buffer) return;
  held = Type::make(argument.type);
  shader::TypeReflection pointing;
  pointing.dataType = static_cast<shader::DataType>(MTL::DataTypePointer);
  pointing.access = argument.access;
  pointing.element = {argument.type};
  pointer = foundation::Retained<PointerType>::adopt(new PointerType(pointing));
}

foundation::Retained<Binding> Binding::make(const shader::ArgumentReflection& argument, bool types) {
  using foundation::Retained;
  switch (argument.kind) {
  case shader::ArgumentKind::buffer:
    return Retained<Binding>::adopt(new BufferBinding(argument, types));
  case shader::ArgumentKind::threadgroup:
    return Retained<Binding>::adopt(new ThreadgroupBinding(argument, types));
  case shader::ArgumentKind::texture:
    return Retained<Binding>::adopt(new TextureBinding(argument, types));
  case shader::ArgumentKind::payload:
    return Retained<Binding>::adopt(new ObjectPayloadBinding(argument, types));
  case shader::ArgumentKind::sampler:
  case shader::ArgumentKind::functionTable:
    break;
  }
  return Retained<Binding>::adopt(new Binding(argument, types));
}

MTL::BindingType Binding::type() const {
  switch (info.kind) {
  case shader::ArgumentKind::buffer:
    return MTL::BindingTypeBuffer;
  case shader::ArgumentKind::threadgroup:
    return MTL::BindingTypeThreadgroupMemory;
  case shader::ArgumentKind::texture:
    return MTL::BindingTypeTexture;
  case shader::ArgumentKind::sampler:
    return MTL::BindingTypeSampler;
  case shader::ArgumentKind::payload:
    return MTL::BindingTypeObjectPayload;
  case shader::ArgumentKind::functionTable:
    return MTL::BindingTypeVisibleFunctionTable;
  }
  return MTL::BindingTypeBuffer;
}

namespace {

MTL::StructType* structureOf(const Binding* binding) {
  auto* type = binding ? dynamic_cast<const StructType*>(binding->held.get()) : nullptr;
  return type ? toPublic(type) : nullptr;
}
MTL::PointerType* pointerOf(const Binding* binding) {
  return binding && binding->pointer ? toPublic(binding->pointer.get()) : nullptr;
}
// What the binding is an argument of, or null.
const Binding* bindingOf(const MTL::Argument* argument) {
  return argument ? toImpl(argument)->binding.get() : nullptr;
}
const shader::TypeReflection& typeOf(const Binding* binding) {
  static const shader::TypeReflection none;
  return binding ? binding->info.type : none;
}
bool hasKind(const Binding* binding, shader::ArgumentKind kind) {
  return binding && binding->info.kind == kind;
}

} // namespace

} // namespace basanite::metal

using namespace basanite::metal;
using basanite::shader::ArgumentKind;

MTL::BindingAccess MTL::Binding::access() const {
  return this ? toImpl(this)->access() : MTL::BindingAccessReadOnly;
}
bool MTL::Binding::argument() const { return isArgument(); }
NS::UInteger MTL::Binding::index() const { return this ? toImpl(this)->info.index : 0; }
bool MTL::Binding::isArgument() const { return this && toImpl(this)->isArgument; }
bool MTL::Binding::isUsed() const { return this && toImpl(this)->info.used; }
NS::String* MTL::Binding::name() const {
  return this ? reinterpret_cast<NS::String*>(toImpl(this)->name.get()) : nullptr;
}
MTL::BindingType MTL::Binding::type() const { return this ? toImpl(this)->type() : MTL::BindingTypeBuffer; }
bool MTL::Binding::used() const { return isUsed(); }

NS::UInteger MTL::BufferBinding::bufferAlignment() const { return this ? toImpl(this)->info.type.align : 0; }
NS::UInteger MTL::BufferBinding::bufferDataSize() const { return this ? toImpl(this)->info.type.size : 0; }
MTL::DataType MTL::BufferBinding::bufferDataType() const {
  return this ? static_cast<MTL::DataType>(toImpl(this)->info.type.dataType) : MTL::DataTypeNone;
}
MTL::PointerType* MTL::BufferBinding::bufferPointerType() const {
  return this ? pointerOf(toImpl(this)) : nullptr;
}
MTL::StructType* MTL::BufferBinding::bufferStructType() const {
  return this ? structureOf(toImpl(this)) : nullptr;
}

NS::UInteger MTL::TextureBinding::arrayLength() const { return this ? toImpl(this)->info.arrayLength : 0; }
bool MTL::TextureBinding::depthTexture() const { return isDepthTexture(); }
bool MTL::TextureBinding::isDepthTexture() const { return this && toImpl(this)->info.type.depthTexture; }
MTL::DataType MTL::TextureBinding::textureDataType() const {
  return this ? static_cast<MTL::DataType>(toImpl(this)->info.type.textureDataType) : MTL::DataTypeNone;
}
MTL::TextureType MTL::TextureBinding::textureType() const {
  return this ? static_cast<MTL::TextureType>(toImpl(this)->info.type.textureType) : MTL::TextureType2D;
}

NS::UInteger MTL::ThreadgroupBinding::threadgroupMemoryAlignment() const {
  return this ? toImpl(this)->info.type.align : 0;
}
NS::UInteger MTL::ThreadgroupBinding::threadgroupMemoryDataSize() const {
  return this ? toImpl(this)->info.type.size : 0;
}

NS::UInteger MTL::ObjectPayloadBinding::objectPayloadAlignment() const {
  return this ? toImpl(this)->info.type.align : 0;
}
NS::UInteger MTL::ObjectPayloadBinding::objectPayloadDataSize() const {
  return this ? toImpl(this)->info.type.size : 0;
}

BASANITE_ALLOC_INIT(MTL::Argument)
MTL::BindingAccess MTL::Argument::access() const {
  const auto* binding = bindingOf(this);
  return binding ? binding->access() : MTL::BindingAccessReadOnly;
}
bool MTL::Argument::active() const { return isActive(); }
NS::UInteger MTL::Argument::arrayLength() const {
  const auto* binding = bindingOf(this);
  return binding ? binding->info.arrayLength : 0;
}
NS::UInteger MTL::Argument::bufferAlignment() const {
  return hasKind(bindingOf(this), ArgumentKind::buffer) ? typeOf(bindingOf(this)).align : 0;
}
NS::UInteger MTL::Argument::bufferDataSize() const {
  return hasKind(bindingOf(this), ArgumentKind::buffer) ? typeOf(bindingOf(this)).size : 0;
}
MTL::DataType MTL::Argument::bufferDataType() const {
  return hasKind(bindingOf(this), ArgumentKind::buffer)
             ? static_cast<MTL::DataType>(typeOf(bindingOf(this)).dataType)
             : MTL::DataTypeNone;
}
MTL::PointerType* MTL::Argument::bufferPointerType() const { return pointerOf(bindingOf(this)); }
MTL::StructType* MTL::Argument::bufferStructType() const { return structureOf(bindingOf(this)); }
NS::UInteger MTL::Argument::index() const {
  const auto* binding = bindingOf(this);
  return binding ? binding->info.index : 0;
}
bool MTL::Argument::isActive() const {
  const auto* binding = bindingOf(this);
  return binding && binding->info.used;
}
bool MTL::Argument::isDepthTexture() const { return typeOf(bindingOf(this)).depthTexture; }
NS::String* MTL::Argument::name() const {
  const auto* binding = bindingOf(this);
  return binding ? reinterpret_cast<NS::String*>(binding->name.get()) : nullptr;
}
MTL::DataType MTL::Argument::textureDataType() const {
  return static_cast<MTL::DataType>(typeOf(bindingOf(this)).textureDataType);
}
MTL::TextureType MTL::Argument::textureType() const {
  return static_cast<MTL::TextureType>(typeOf(bindingOf(this)).textureType);
}
NS::UInteger MTL::Argument::threadgroupMemoryAlignment() const {
  return hasKind(bindingOf(this), ArgumentKind::threadgroup) ? typeOf(bindingOf(this)).align : 0;
}
NS::UInteger MTL::Argument::threadgroupMemoryDataSize() const {
  return hasKind(bindingOf(this), ArgumentKind::threadgroup) ? typeOf(bindingOf(this)).size : 0;
}
MTL::ArgumentType MTL::Argument::type() const {
  const auto* binding = bindingOf(this);
  return binding ? static_cast<MTL::ArgumentType>(binding->type()) : MTL::ArgumentTypeBuffer;
}
