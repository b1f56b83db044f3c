// SPDX-License-Identifier: Apache-2.0
// NS::Error.
#include "src/foundation/error.hpp"

#include <fmt/format.h>

namespace basanite::foundation {

void Error::set(String* domain, long code, Dictionary* userInfo) {
  m_domain = Retained<String>(domain);
  m_code = code;
  m_userInfo = Retained<Dictionary>(userInfo);
}

Object* Error::info(const NS::String* key) const {
  return static_cast<Object*>(basanite_dictionary_object(m_userInfo.get(), key));
}

std::string Error::localizedDescription() const {
  if (const auto* given = dynamic_cast<const String*>(info(NS::LocalizedDescriptionKey)))
    return std::string(given->text());
  std::string text = "The operation couldn’t be completed.";
  if (const auto* failure = dynamic_cast<const String*>(info(NS::LocalizedFailureErrorKey)))
    text = failure->text();
  if (const auto* reason = dynamic_cast<const String*>(info(NS::LocalizedFailureReasonErrorKey))) {
    return fmt::format("{} {}", text, reason->text());
  }
  return fmt::format("{} ({} error {}.)", text, m_domain ? m_domain->text() : std::string_view("(null)"),
                     m_code);
}

bool Error::isEqual(const Object* other) const {
  const auto* error = dynamic_cast<const Error*>(other);
  if (!error || error->m_code != m_code) return false;
  const auto same = [](const Object* left, const Object* right) {
    return left == right || (left && right && left->isEqual(right));
  };
  return same(m_domain.get(), error->m_domain.get()) && same(m_userInfo.get(), error->m_userInfo.get());
}

std::string Error::description() const {
  std::string text =
      fmt::format("Error Domain={} Code={} \"{}\"", m_domain ? m_domain->text() : std::string_view("(null)"),
                  m_code, localizedDescription());
  if (m_userInfo && !m_userInfo->entries.empty()) text += " UserInfo=" + m_userInfo->description();
  return text;
}

NS::Error* makeError(NS::String* domain, long code, std::string_view message) {
  auto* userInfo = new Dictionary;
  userInfo->entries.emplace(Retained<Object>(objectOf(NS::LocalizedDescriptionKey)),
                            Retained<Object>::adopt(objectOf(makeString(message))));
  auto* error = new Error(toImpl(domain), code, userInfo);
  userInfo->release();
  return toPublic(error);
}

void setError(NS::Error** out, NS::String* domain, long code, std::string_view message) {
  if (!out) return;
  *out = makeError(domain, code, message);
  objectOf(*out)->autorelease();
}

} // namespace basanite::foundation

using basanite::foundation::String;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace {

NS::String* infoString(const NS::Error* error, const NS::String* key) {
  auto* impl = toImpl(error);
  return impl ? toPublic(dynamic_cast<::String*>(impl->info(key))) : nullptr;
}

} // namespace

NS::Error* NS::Error::alloc() { return toPublic(new basanite::foundation::Error); }

NS::Error* NS::Error::init() { return this; }

NS::Error* NS::Error::init(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* pDictionary) {
  auto* error = toImpl(this);
  if (!error) return nullptr;
  error->set(toImpl(domain), code, toImpl(pDictionary));
  return this;
}

NS::Error* NS::Error::error(NS::ErrorDomain domain, NS::Integer code, NS::Dictionary* pDictionary) {
  NS::Error* error = alloc()->init(domain, code, pDictionary);
  toImpl(error)->autorelease();
  return error;
}

NS::Integer NS::Error::code() const {
  auto* error = toImpl(this);
  return error ? error->code() : 0;
}

NS::ErrorDomain NS::Error::domain() const {
  auto* error = toImpl(this);
  return error ? toPublic(error->domain()) : nullptr;
}

NS::Dictionary* NS::Error::userInfo() const {
  auto* error = toImpl(this);
  if (!error) return nullptr;
  return error->userInfo() ? toPublic(error->userInfo()) : NS::Dictionary::dictionary();
}

NS::String* NS::Error::localizedDescription() const {
  auto* error = toImpl(this);
  return error ? basanite::foundation::makeAutoreleasedString(error->localizedDescription()) : nullptr;
}

NS::String* NS::Error::localizedFailureReason() const {
  return infoString(this, NS::LocalizedFailureReasonErrorKey);
}

NS::String* NS::Error::localizedRecoverySuggestion() const {
  return infoString(this, NS::LocalizedRecoverySuggestionErrorKey);
}

NS::Array* NS::Error::localizedRecoveryOptions() const {
  auto* error = toImpl(this);
  if (!error) return nullptr;
  return toPublic(
      dynamic_cast<basanite::foundation::Array*>(error->info(NS::LocalizedRecoveryOptionsErrorKey)));
}
