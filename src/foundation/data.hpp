// SPDX-License-Identifier: Apache-2.0
// NS::Data's object.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSData.hpp>

namespace basanite::foundation {

// Immutable bytes, aligned for any scalar type.
class Data final : public Object {
 public:
  explicit Data(std::vector<std::byte> content) : m_bytes(std::move(content)) {}

  const std::vector<std::byte>& bytes() const { return m_bytes; }

  const char* className() const override { return "NSData"; }
  uint64_t hash() const override;
  bool isEqual(const Object* other) const override;
  std::string description() const override;
  Object* copy() const override { return retainedSelf(); }

 private:
  const std::vector<std::byte> m_bytes;
};

// The object behind a pointer of unknown type to an object of ours or of another library's; null when it is
// no Data. The first word behind the pointer must be readable.
const Data* dataBehind(const void* object);

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Data, basanite::foundation::Data)
