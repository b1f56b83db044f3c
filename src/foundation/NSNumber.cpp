// SPDX-License-Identifier: Apache-2.0
// NS::Number.
#include "src/foundation/number.hpp"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace basanite::foundation {

template <class T> T Number::as() const {
  return std::visit(
      [](auto number) -> T {
        if constexpr (std::is_floating_point_v<decltype(number)> && std::is_integral_v<T> &&
                      !std::is_same_v<T, bool>) {
          if (std::isnan(number)) return 0;
          if (number <= static_cast<decltype(number)>(std::numeric_limits<T>::min()))
            return std::numeric_limits<T>::min();
          if (number >= static_cast<decltype(number)>(std::numeric_limits<T>::max()))
            return std::numeric_limits<T>::max();
        }
        return static_cast<T>(number);
      },
      m_number);
}

int Number::compare(const Number& other) const {
  const auto order = [](auto left, auto right) { return left < right ? -1 : left > right ? 1 : 0; };
  return std::visit(
      [&](auto left, auto right) -> int {
        using L = decltype(left);
        using R = decltype(right);
        if constexpr (std::is_floating_point_v<L> || std::is_floating_point_v<R>) {
          return order(static_cast<long double>(left), static_cast<long double>(right));
        } else if constexpr (std::is_same_v<L, uint64_t> && std::is_same_v<R, int64_t>) {
          return right < 0 ? 1 : order(left, static_cast<uint64_t>(right));
        } else if constexpr (std::is_same_v<L, int64_t> && std::is_same_v<R, uint64_t>) {
          return left < 0 ? -1 : order(static_cast<uint64_t>(left), right);
        } else {
          return order(static_cast<std::common_type_t<L, R>>(left),
                       static_cast<std::common_type_t<L, R>>(right));
        }
      },
      m_number, other.m_number);
}

std::string Number::text() const {
  return std::visit(
      [](auto number) {
        if constexpr (std::is_same_v<decltype(number), bool>)
          return std::string(number ? "1" : "0");
        else
          return fmt::format("{}", number);
      },
      m_number);
}

uint64_t Number::hash() const { return std::hash<double>{}(as<double>()); }

bool Number::isEqual(const Object* other) const {
  const auto* number = dynamic_cast<const Number*>(other);
  return number && compare(*number) == 0;
}

} // namespace basanite::foundation

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace {

template <class T> NS::Number* initNumber(NS::Number* number, T value, const char* encoding) {
  if (auto* impl = toImpl(number)) impl->setNumber(value, encoding);
  return number;
}

template <class T> T numberAs(const NS::Number* number) {
  auto* impl = toImpl(number);
  return impl ? impl->as<T>() : T();
}

NS::Number* autoreleased(NS::Number* number) {
  toImpl(number)->autorelease();
  return number;
}

} // namespace

NS::Number* NS::Number::alloc() {
  auto* number = new basanite::foundation::Number;
  number->setNumber(0, "i");
  return toPublic(number);
}

NS::Number* NS::Number::init(bool value) { return initNumber(this, value, "B"); }
NS::Number* NS::Number::init(char value) { return initNumber(this, value, "c"); }
NS::Number* NS::Number::init(unsigned char value) { return initNumber(this, value, "C"); }
NS::Number* NS::Number::init(short value) { return initNumber(this, value, "s"); }
NS::Number* NS::Number::init(unsigned short value) { return initNumber(this, value, "S"); }
NS::Number* NS::Number::init(int value) { return initNumber(this, value, "i"); }
NS::Number* NS::Number::init(unsigned int value) { return initNumber(this, value, "I"); }
NS::Number* NS::Number::init(long value) { return initNumber(this, value, "q"); }
NS::Number* NS::Number::init(unsigned long value) { return initNumber(this, value, "Q"); }
NS::Number* NS::Number::init(long long value) { return initNumber(this, value, "q"); }
NS::Number* NS::Number::init(unsigned long long value) { return initNumber(this, value, "Q"); }
NS::Number* NS::Number::init(float value) { return initNumber(this, value, "f"); }
NS::Number* NS::Number::init(double value) { return initNumber(this, value, "d"); }

NS::Number* NS::Number::number(bool value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(char value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(unsigned char value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(short value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(unsigned short value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(int value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(unsigned int value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(long value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(unsigned long value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(long long value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(unsigned long long value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(float value) { return autoreleased(alloc()->init(value)); }
NS::Number* NS::Number::number(double value) { return autoreleased(alloc()->init(value)); }

bool NS::Number::boolValue() const { return numberAs<bool>(this); }
char NS::Number::charValue() const { return numberAs<char>(this); }
unsigned char NS::Number::unsignedCharValue() const { return numberAs<unsigned char>(this); }
short NS::Number::shortValue() const { return numberAs<short>(this); }
unsigned short NS::Number::unsignedShortValue() const { return numberAs<unsigned short>(this); }
int NS::Number::intValue() const { return numberAs<int>(this); }
unsigned int NS::Number::unsignedIntValue() const { return numberAs<unsigned int>(this); }
long NS::Number::longValue() const { return numberAs<long>(this); }
unsigned long NS::Number::unsignedLongValue() const { return numberAs<unsigned long>(this); }
long long NS::Number::longLongValue() const { return numberAs<long long>(this); }
unsigned long long NS::Number::unsignedLongLongValue() const { return numberAs<unsigned long long>(this); }
float NS::Number::floatValue() const { return numberAs<float>(this); }
double NS::Number::doubleValue() const { return numberAs<double>(this); }
NS::Integer NS::Number::integerValue() const { return numberAs<NS::Integer>(this); }
NS::UInteger NS::Number::unsignedIntegerValue() const { return numberAs<NS::UInteger>(this); }

NS::String* NS::Number::stringValue() const {
  auto* number = toImpl(this);
  return number ? basanite::foundation::makeAutoreleasedString(number->text()) : nullptr;
}

NS::ComparisonResult NS::Number::compare(const NS::Number* pOtherNumber) const {
  auto* number = toImpl(this);
  auto* other = toImpl(pOtherNumber);
  if (!number || !other) return NS::OrderedSame;
  const int order = number->compare(*other);
  return order < 0 ? NS::OrderedAscending : order > 0 ? NS::OrderedDescending : NS::OrderedSame;
}

bool NS::Number::isEqualToNumber(const NS::Number* pNumber) const {
  auto* number = toImpl(this);
  return number && pNumber && number->compare(*toImpl(pNumber)) == 0;
}
