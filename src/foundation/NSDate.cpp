// SPDX-License-Identifier: Apache-2.0
// NS::Date.
#include "src/foundation/date.hpp"

#include <algorithm>
#include <ctime>

namespace basanite::foundation {

bool Date::isEqual(const Object* other) const {
  const auto* date = dynamic_cast<const Date*>(other);
  return date && date->m_time == m_time;
}

std::string Date::description() const {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(m_time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[64];
  return std::string(text, std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S +0000", &parts));
}

} // namespace basanite::foundation

NS::Date* NS::Date::dateWithTimeIntervalSinceNow(NS::TimeInterval secs) {
  using Time = basanite::foundation::Date::Time;
  // About a century either way: clocks of 64-bit nanoseconds overflow soon after.
  constexpr double kLimitSeconds = 3.0e9;
  const std::chrono::duration<double> offset(std::clamp(secs, -kLimitSeconds, kLimitSeconds));
  const Time time = std::chrono::system_clock::now() + std::chrono::duration_cast<Time::duration>(offset);
  return basanite::foundation::toPublicAutoreleased(new basanite::foundation::Date(time));
}
