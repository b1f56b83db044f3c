// SPDX-License-Identifier: Apache-2.0
// A value or an error sentence: how every fallible internal call reports failure (no exceptions).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace basanite::base {

// What went wrong, as a sentence with the offending value and the limit in it.
// `code` is the code of the NS::Error that the front makes of it (0: the front chooses).
struct Error {
  std::string message;
  int code = 0;
};

template <class T> class [[nodiscard]] Result {
 public:
  Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return m_state.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Only when ok().
  T& value() & { return *std::get_if<0>(&m_state); }
  const T& value() const& { return *std::get_if<0>(&m_state); }
  T value() && { return std::move(*std::get_if<0>(&m_state)); }
  T& operator*() & { return value(); }
  T* operator->() { return std::get_if<0>(&m_state); }

  // Only when !ok().
  const Error& error() const& { return *std::get_if<1>(&m_state); }
  Error error() && { return std::move(*std::get_if<1>(&m_state)); }

 private:
  std::variant<T, Error> m_state;
};

template <> class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}

  bool ok() const { return !m_error; }
  explicit operator bool() const { return ok(); }
  const Error& error() const& { return *m_error; }
  Error error() && { return std::move(*m_error); }

 private:
  std::optional<Error> m_error;
};

} // namespace basanite::base

#define BASANITE_CONCAT_(a, b) a##b
#define BASANITE_CONCAT(a, b) BASANITE_CONCAT_(a, b)

// BASANITE_TRY(auto x, expression): x is the value, or the enclosing function returns the error.
#define BASANITE_TRY(declaration, ...)                                                                       \
  auto BASANITE_CONCAT(tryResult_, __LINE__) = (__VA_ARGS__);                                                \
  if (!BASANITE_CONCAT(tryResult_, __LINE__).ok())                                                           \
    return std::move(BASANITE_CONCAT(tryResult_, __LINE__)).error();                                         \
  declaration = std::move(BASANITE_CONCAT(tryResult_, __LINE__)).value()

// The same for Result<void>.
#define BASANITE_TRY_VOID(...)                                                                               \
  do {                                                                                                       \
    auto tryResult_ = (__VA_ARGS__);                                                                         \
    if (!tryResult_.ok()) return std::move(tryResult_).error();                                              \
  } while (0)
