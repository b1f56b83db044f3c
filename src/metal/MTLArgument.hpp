// SPDX-License-Identifier: Apache-2.0
// Internal classes of MTLArgument.hpp: what reflection tells of a function's arguments, and the types of what
// they hold. All are immutable once made; any thread. What an object gives out lives as long as the object.
#pragma once

#include "src/foundation/object.hpp"
#include "src/shader/compiler.hpp"

#include <Foundation/NSArray.hpp>
#include <Metal/MTLArgument.hpp>
#include <string>
#include <string_view>

namespace basanite::metal {

// A type in memory. Of no use but as one of the classes below where it is a structure, array, pointer or
// texture.
class Type : public foundation::Object {
 public:
  Type() = default;
  explicit Type(const shader::TypeReflection& reflection) : info(reflection) {
    info.members.clear();
    info.element.clear();
  }
  // Of the class that fits. Never null.
  static foundation::Retained<Type> make(const shader::TypeReflection& reflection);
  const char* className() const override { return "MTLType"; }
  MTL::DataType dataType() const { return static_cast<MTL::DataType>(info.dataType); }

  shader::TypeReflection info; // without members and element
};

class StructType final : public Type {
 public:
  StructType() = default;
  explicit StructType(const shader::TypeReflection& reflection);
  const char* className() const override { return "MTLStructType"; }
  foundation::Retained<foundation::Object> members; // an NSArray of StructMembers
};

class StructMember final : public foundation::Object {
 public:
  StructMember() = default;
  explicit StructMember(const shader::MemberReflection& member);
  const char* className() const override { return "MTLStructMember"; }
  foundation::Retained<foundation::Object> name; // an NSString
  NS::UInteger offset = 0, argumentIndex = 0;
  foundation::Retained<Type> type;
};

class ArrayType final : public Type {
 public:
  ArrayType() = default;
  explicit ArrayType(const shader::TypeReflection& reflection);
  const char* className() const override { return "MTLArrayType"; }
  foundation::Retained<Type> element; // null: not known
};

class PointerType final : public Type {
 public:
  PointerType() = default;
  explicit PointerType(const shader::TypeReflection& reflection);
  const char* className() const override { return "MTLPointerType"; }
  foundation::Retained<Type> element; // null: not known
};

class TextureReferenceType final : public Type {
 public:
  TextureReferenceType() = default;
  explicit TextureReferenceType(const shader::TypeReflection& reflection) : Type(reflection) {}
  const char* className() const override { return "MTLTextureReferenceType"; }
};

// One argument of a function.
class Binding : public foundation::Object {
 public:
  // `types`: whether it tells what buffers hold beyond their sizes.
  Binding(const shader::ArgumentReflection& argument, bool types);
  // Of the class that fits.
  static foundation::Retained<Binding> make(const shader::ArgumentReflection& argument, bool types);
  const char* className() const override { return "MTLBinding"; }
  MTL::BindingType type() const;
  MTL::BindingAccess access() const { return static_cast<MTL::BindingAccess>(info.access); }

  shader::ArgumentReflection info;               // without members and element of its type
  foundation::Retained<foundation::Object> name; // an NSString
  bool isArgument = true;                        // false: a buffer of the vertex descriptor
  foundation::Retained<Type> held;               // what a buffer holds; null where that was not asked for
  foundation::Retained<PointerType> pointer;     // to it
};

class BufferBinding final : public Binding {
 public:
  using Binding::Binding;
  const char* className() const override { return "MTLBufferBinding"; }
};
class TextureBinding final : public Binding {
 public:
  using Binding::Binding;
  const char* className() const override { return "MTLTextureBinding"; }
};
class ThreadgroupBinding final : public Binding {
 public:
  using Binding::Binding;
  const char* className() const override { return "MTLThreadgroupBinding"; }
};
class ObjectPayloadBinding final : public Binding {
 public:
  using Binding::Binding;
  const char* className() const override { return "MTLObjectPayloadBinding"; }
};

// The older form of a binding.
class Argument final : public foundation::Object {
 public:
  Argument() = default;
  explicit Argument(foundation::Retained<Binding> newer) : binding(std::move(newer)) {}
  const char* className() const override { return "MTLArgument"; }
  foundation::Retained<Binding> binding; // null: made by the program, which nothing can be told of
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::Type, basanite::metal::Type)
BASANITE_BRIDGE(MTL::StructType, basanite::metal::StructType)
BASANITE_BRIDGE(MTL::StructMember, basanite::metal::StructMember)
BASANITE_BRIDGE(MTL::ArrayType, basanite::metal::ArrayType)
BASANITE_BRIDGE(MTL::PointerType, basanite::metal::PointerType)
BASANITE_BRIDGE(MTL::TextureReferenceType, basanite::metal::TextureReferenceType)
BASANITE_BRIDGE(MTL::Binding, basanite::metal::Binding)
BASANITE_BRIDGE(MTL::BufferBinding, basanite::metal::BufferBinding)
BASANITE_BRIDGE(MTL::TextureBinding, basanite::metal::TextureBinding)
BASANITE_BRIDGE(MTL::ThreadgroupBinding, basanite::metal::ThreadgroupBinding)
BASANITE_BRIDGE(MTL::ObjectPayloadBinding, basanite::metal::ObjectPayloadBinding)
BASANITE_BRIDGE(MTL::Argument, basanite::metal::Argument)
