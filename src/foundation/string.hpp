// SPDX-License-Identifier: Apache-2.0
// NS::String's object, and how a module defines the string constants of the API.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSString.hpp>
#include <string>
#include <string_view>

namespace basanite::foundation {

// Immutable once initialised. The text is valid UTF-8 and NUL-terminated.
class String final : public Object {
 public:
  String() = default;
  explicit String(std::string text) { setText(std::move(text)); }
  // A constant that lives for ever over text that does, too.
  constexpr String(const char* text, size_t sizeBytes)
      : Object(Immortal()), m_bytes(text), m_sizeBytes(sizeBytes) {}

  // Only while nobody else has the object: between alloc and init.
  void setText(std::string text);

  std::string_view text() const { return {m_bytes, m_sizeBytes}; }
  const char* cString() const { return m_bytes; }
  size_t utf16Length() const;

  const char* className() const override { return "NSString"; }
  uint64_t hash() const override { return std::hash<std::string_view>{}(text()); }
  bool isEqual(const Object* other) const override;
  std::string description() const override { return std::string(text()); }
  Object* copy() const override { return retainedSelf(); }

 private:
  ~String() override;

  const char* m_bytes = "";
  size_t m_sizeBytes = 0;
  bool m_owned = false;

  template <class T> friend union NeverDestroyed;
};

// Storage whose object is never destroyed, so that constants outlive every static destructor.
template <class T> union NeverDestroyed {
  template <class... Args> constexpr explicit NeverDestroyed(Args... args) : object(args...) {}
  constexpr ~NeverDestroyed() {}
  T object;
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::String, basanite::foundation::String)

// Defines a string constant that a public header declares, inside its namespace:
// BASANITE_STRING_CONSTANT(ErrorDomain, CocoaErrorDomain, "NSCocoaErrorDomain")
#define BASANITE_STRING_CONSTANT(Type, Name, text)                                                           \
  static constinit basanite::foundation::NeverDestroyed<basanite::foundation::String> Name##Object(          \
      text, sizeof(text) - 1);                                                                               \
  Type const Name = reinterpret_cast<NS::String*>(&Name##Object);
