// SPDX-License-Identifier: Apache-2.0
// NS::String.
#include "src/foundation/string.hpp"

#include "src/base/log.hpp"
#include "src/foundation/unicode.hpp"

#include <Foundation/NSRange.hpp>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace basanite::foundation {

void String::setText(std::string text) {
  if (m_owned) delete[] m_bytes;
  char* bytes = new char[text.size() + 1];
  std::memcpy(bytes, text.c_str(), text.size() + 1);
  m_bytes = bytes;
  m_sizeBytes = text.size();
  m_owned = true;
}

String::~String() {
  if (m_owned) delete[] m_bytes;
}

size_t String::utf16Length() const { return foundation::utf16Length(text()); }

bool String::isEqual(const Object* other) const {
  const auto* string = dynamic_cast<const String*>(other);
  return string && string->text() == text();
}

NS::String* makeString(std::string_view text) {
  return toPublic(new String(isValidUtf8(text) ? std::string(text) : repairUtf8(text)));
}

NS::String* makeAutoreleasedString(std::string_view text) {
  NS::String* string = makeString(text);
  objectOf(string)->autorelease();
  return string;
}

std::string_view textOf(const NS::String* string) {
  return string ? toImpl(string)->text() : std::string_view();
}

NS::String* makeConstantString(std::string_view text) {
  struct Constants {
    std::mutex mutex;
    std::unordered_map<std::string_view, String*> byText;
  };
  static auto* constants = new Constants;
  std::lock_guard lock(constants->mutex);
  const auto found = constants->byText.find(text);
  if (found != constants->byText.end()) return toPublic(found->second);
  auto* string = new String(isValidUtf8(text) ? std::string(text) : repairUtf8(text));
  string->makeImmortal();
  if (string->text() == text) constants->byText.emplace(string->text(), string);
  return toPublic(string);
}

namespace {

// Bytes that live as long as the pool they are in: results such as cString's.
class PooledBytes final : public Object {
 public:
  explicit PooledBytes(std::string bytes) : bytes(std::move(bytes)) {}
  const char* className() const override { return "NSData"; }

  std::string bytes;
};

// A string from bytes in an encoding; logs and gives nothing where that is impossible.
std::optional<std::string> decodeOrLog(std::string_view bytes, NS::StringEncoding encoding) {
  if (!isSupportedEncoding(encoding)) {
    base::logError("NSString does not support string encoding {}: it knows ASCII, UTF-8, ISO Latin 1, UTF-16 "
                   "and UTF-32.",
                   static_cast<uint64_t>(encoding));
    return std::nullopt;
  }
  return decode(bytes, encoding);
}

size_t terminatedBytes(const char* string, NS::StringEncoding encoding) {
  const size_t unit = unitBytes(encoding);
  if (unit == 1) return std::strlen(string);
  size_t length = 0;
  while (std::any_of(string + length, string + length + unit, [](char c) { return c != 0; })) length += unit;
  return length;
}

// Compares unit by unit after case folding.
int compareFolded(const std::u16string& left, const std::u16string& right) {
  for (size_t i = 0; i < left.size() && i < right.size(); ++i) {
    const char16_t a = foldCase(left[i]);
    const char16_t b = foldCase(right[i]);
    if (a != b) return a < b ? -1 : 1;
  }
  return left.size() == right.size() ? 0 : left.size() < right.size() ? -1 : 1;
}

} // namespace

} // namespace basanite::foundation

using namespace basanite::foundation;

void* basanite_constant_string(const char* text, std::uintptr_t length) {
  return makeConstantString({text, length});
}

NS::String* NS::String::alloc() { return toPublic(new basanite::foundation::String); }

NS::String* NS::String::init() { return this; }

NS::String* NS::String::init(const NS::String* pString) {
  auto* string = toImpl(this);
  if (!string) return nullptr;
  string->setText(std::string(textOf(pString)));
  return this;
}

NS::String* NS::String::init(const char* pString, NS::StringEncoding encoding) {
  auto* string = toImpl(this);
  if (!string) return nullptr;
  auto text = pString ? decodeOrLog({pString, terminatedBytes(pString, encoding)}, encoding) : std::nullopt;
  if (!text) {
    string->release();
    return nullptr;
  }
  string->setText(std::move(*text));
  return this;
}

NS::String* NS::String::init(void* pBytes, NS::UInteger len, NS::StringEncoding encoding, bool freeBuffer) {
  auto* string = toImpl(this);
  if (!string) return nullptr;
  auto text =
      pBytes || len == 0 ? decodeOrLog({static_cast<const char*>(pBytes), len}, encoding) : std::nullopt;
  if (freeBuffer && text) std::free(pBytes);
  if (!text) {
    string->release();
    return nullptr;
  }
  string->setText(std::move(*text));
  return this;
}

NS::String* NS::String::string() { return makeAutoreleasedString(""); }

NS::String* NS::String::string(const NS::String* pString) { return makeAutoreleasedString(textOf(pString)); }

NS::String* NS::String::string(const char* pString, NS::StringEncoding encoding) {
  NS::String* string = alloc()->init(pString, encoding);
  if (string) objectOf(string)->autorelease();
  return string;
}

const char* NS::String::utf8String() const {
  auto* string = toImpl(this);
  return string ? string->cString() : nullptr;
}

const char* NS::String::fileSystemRepresentation() const { return utf8String(); }

const char* NS::String::cString(NS::StringEncoding encoding) const {
  auto* string = toImpl(this);
  if (!string) return nullptr;
  if (encoding == NS::UTF8StringEncoding) return string->cString();
  auto bytes = encode(string->text(), encoding);
  if (!bytes) return nullptr;
  bytes->append(unitBytes(encoding), '\0');
  auto* pooled = new PooledBytes(std::move(*bytes));
  pooled->autorelease();
  return pooled->bytes.c_str();
}

NS::UInteger NS::String::length() const {
  auto* string = toImpl(this);
  return string ? string->utf16Length() : 0;
}

NS::UInteger NS::String::lengthOfBytes(NS::StringEncoding encoding) const {
  const auto bytes = encode(textOf(this), encoding);
  return bytes ? bytes->size() : 0;
}

NS::UInteger NS::String::maximumLengthOfBytes(NS::StringEncoding encoding) const {
  // A UTF-16 unit takes up to three bytes in UTF-8: the pairs beyond U+FFFF take four for two units.
  const size_t perUnit = encoding == NS::UTF8StringEncoding ? 3 : unitBytes(encoding);
  return isSupportedEncoding(encoding) ? length() * perUnit : 0;
}

NS::unichar NS::String::character(NS::UInteger index) const {
  const std::string_view text = textOf(this);
  const std::u16string units = toUtf16(text);
  if (index >= units.size()) {
    basanite::base::logError("NSString has no character {}: its length is {}.", index, units.size());
    return 0;
  }
  return units[index];
}

bool NS::String::isEqualToString(const NS::String* pString) const {
  auto* string = toImpl(this);
  return string && pString && string->isEqual(toImpl(pString));
}

NS::ComparisonResult NS::String::caseInsensitiveCompare(const NS::String* pString) const {
  const int order = compareFolded(toUtf16(textOf(this)), toUtf16(textOf(pString)));
  return order < 0 ? NS::OrderedAscending : order > 0 ? NS::OrderedDescending : NS::OrderedSame;
}

NS::String* NS::String::stringByAppendingString(const NS::String* pString) const {
  auto* string = toImpl(this);
  return string ? makeAutoreleasedString(std::string(string->text()).append(textOf(pString))) : nullptr;
}

NS::Range NS::String::rangeOfString(const NS::String* pString, NS::StringCompareOptions options) const {
  const NS::Range none = NS::Range::Make(NS::NotFound, 0);
  constexpr NS::StringCompareOptions kKnown =
      NS::CaseInsensitiveSearch | NS::LiteralSearch | NS::BackwardsSearch | NS::AnchoredSearch;
  if (options & ~kKnown) {
    basanite::base::logError("NSString::rangeOfString does not support the search options {:#x}.",
                             options & ~kKnown);
    return none;
  }
  std::u16string text = toUtf16(textOf(this));
  std::u16string wanted = toUtf16(textOf(pString));
  if (wanted.empty() || wanted.size() > text.size()) return none;
  if (options & NS::CaseInsensitiveSearch) {
    std::transform(text.begin(), text.end(), text.begin(), foldCase);
    std::transform(wanted.begin(), wanted.end(), wanted.begin(), foldCase);
  }
  size_t at = std::u16string::npos;
  if (options & NS::AnchoredSearch) {
    const size_t end = options & NS::BackwardsSearch ? text.size() - wanted.size() : 0;
    if (text.compare(end, wanted.size(), wanted) == 0) at = end;
  } else {
    at = options & NS::BackwardsSearch ? text.rfind(wanted) : text.find(wanted);
  }
  return at == std::u16string::npos ? none : NS::Range::Make(at, wanted.size());
}
