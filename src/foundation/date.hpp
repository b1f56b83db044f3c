// SPDX-License-Identifier: Apache-2.0
// NS::Date's object.
#pragma once

#include "src/foundation/object.hpp"

#include <Foundation/NSDate.hpp>
#include <chrono>

namespace basanite::foundation {

class Date final : public Object {
 public:
  using Time = std::chrono::system_clock::time_point;
  explicit Date(Time time) : m_time(time) {}

  Time time() const { return m_time; }

  const char* className() const override { return "NSDate"; }
  uint64_t hash() const override { return static_cast<uint64_t>(m_time.time_since_epoch().count()); }
  bool isEqual(const Object* other) const override;
  std::string description() const override; // "2026-01-31 12:00:00 +0000"
  Object* copy() const override { return retainedSelf(); }

 private:
  const Time m_time;
};

} // namespace basanite::foundation

BASANITE_BRIDGE(NS::Date, basanite::foundation::Date)
