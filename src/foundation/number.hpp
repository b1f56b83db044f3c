// SPDX-License-Identifier: Apache-2.0
// The objects of NS::Value and NS::Number.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSNumber.hpp>
#include <variant>

namespace basanite::foundation {

// Bytes with an Objective-C type encoding. Immutable once initialised.
class Value : public Object {
 public:
  // False, with a logged sentence, when the encoding is not understood.
  bool set(const void* bytes, const char* encoding);

  const std::vector<std::byte>& bytes() const { return m_bytes; }
  const char* encoding() const { return m_encoding.c_str(); }

  const char* className() const override { return "NSValue"; }
  uint64_t hash() const override;
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }

 protected:
  std::vector<std::byte> m_bytes;
  std::string m_encoding;
};

// A number that remembers the type it was made with. Equal numbers of different types are equal objects.
class Number final : public Value {
 public:
  using Storage = std::variant<bool, int64_t, uint64_t, float, double>;

  template <class T> void setNumber(T value, const char* encoding) {
    set(&value, encoding);
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, float> || std::is_same_v<T, double>) {
      m_number = value;
    } else if constexpr (std::is_signed_v<T>) {
      m_number = static_cast<int64_t>(value);
    } else {
      m_number = static_cast<uint64_t>(value);
    }
  }

  // Converted as a cast in C would, but a floating-point value beyond the integer's range gives the nearest.
  template <class T> T as() const;
  int compare(const Number& other) const;
  std::string text() const;

  const char* className() const override { return "NSNumber"; }
  uint64_t hash() const override;
  bool isEqual(const Object* other) const override;
  std::string description() const override { return text(); }

 private:
  Storage m_number = int64_t(0);
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Value, basanite::foundation::Value)
BASANITE_BRIDGE(NS::Number, basanite::foundation::Number)
