// SPDX-License-Identifier: Apache-2.0
// NS::Error's object.
#pragma once

#include "src/foundation/collections.hpp"
#include "src/foundation/string.hpp"

#include <Foundation/NSError.hpp>

namespace basanite::foundation {

// Immutable once initialised.
class Error final : public Object {
 public:
  Error() = default;
  Error(String* domain, long code, Dictionary* userInfo)
      : m_domain(domain), m_code(code), m_userInfo(userInfo) {}

  // Only while nobody else has the object: between alloc and init.
  void set(String* domain, long code, Dictionary* userInfo);

  String* domain() const { return m_domain.get(); }
  long code() const { return m_code; }
  Dictionary* userInfo() const { return m_userInfo.get(); }
  // The entry of the user info as it is, or null.
  Object* info(const NS::String* key) const;
  std::string localizedDescription() const;

  const char* className() const override { return "NSError"; }
  uint64_t hash() const override { return static_cast<uint64_t>(m_code); }
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }

 private:
  Retained<String> m_domain;
  long m_code = 0;
  Retained<Dictionary> m_userInfo;
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Error, basanite::foundation::Error)
