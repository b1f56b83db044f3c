// SPDX-License-Identifier: Apache-2.0
// The objects of NS::Array, NS::Dictionary, NS::Set and NS::Enumerator. Elements are retained while they are
// in.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSArray.hpp>
#include <Foundation/NSDictionary.hpp>
#include <Foundation/NSEnumerator.hpp>
#include <Foundation/NSSet.hpp>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace basanite::foundation {

struct HashObject {
  size_t operator()(const Retained<Object>& object) const { return object->hash(); }
};
struct EqualObjects {
  bool operator()(const Retained<Object>& left, const Retained<Object>& right) const {
    return left.get() == right.get() || left->isEqual(right.get());
  }
};

// All of these are immutable once initialised.
class Array final : public Object {
 public:
  std::vector<Retained<Object>> elements;

  const char* className() const override { return "NSArray"; }
  uint64_t hash() const override { return elements.size(); }
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }
};

class Dictionary final : public Object {
 public:
  std::unordered_map<Retained<Object>, Retained<Object>, HashObject, EqualObjects> entries;

  const char* className() const override { return "NSDictionary"; }
  uint64_t hash() const override { return entries.size(); }
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }
};

class Set final : public Object {
 public:
  std::unordered_set<Retained<Object>, HashObject, EqualObjects> elements;

  const char* className() const override { return "NSSet"; }
  uint64_t hash() const override { return elements.size(); }
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }
};

// Walks over a snapshot. Used by one thread at a time.
class Enumerator final : public Object {
 public:
  explicit Enumerator(std::vector<Retained<Object>> elements) : m_elements(std::move(elements)) {}

  // The next element, or null after the last. It lives as long as the enumerator.
  Object* next() { return m_next < m_elements.size() ? m_elements[m_next++].get() : nullptr; }
  // What next has not given yet; the enumerator is at its end afterwards.
  std::vector<Retained<Object>> rest();

  const char* className() const override { return "NSEnumerator"; }

 private:
  std::vector<Retained<Object>> m_elements;
  size_t m_next = 0;
};

// Retains `count` public objects. Logs and gives nothing when one of them is null, naming the class that
// asked.
bool retainAll(const NS::Object* const* objects, NS::UInteger count, const char* className,
               std::vector<Retained<Object>>* result);

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Array, basanite::foundation::Array)
BASANITE_BRIDGE(NS::Dictionary, basanite::foundation::Dictionary)
BASANITE_BRIDGE(NS::Set, basanite::foundation::Set)
BASANITE_BRIDGE(NS::Enumerator<NS::Object>, basanite::foundation::Enumerator)
