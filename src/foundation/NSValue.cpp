// SPDX-License-Identifier: Apache-2.0
// NS::Value.
#include "src/base/log.hpp"
#include "src/foundation/number.hpp"
#include "src/foundation/type_encoding.hpp"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace basanite::foundation {

bool Value::set(const void* bytes, const char* encoding) {
  const auto size = encoding ? encodedSize(encoding) : std::nullopt;
  if (!size || !bytes) {
    base::logError("NSValue cannot hold a value of type encoding \"{}\"{}.", encoding ? encoding : "(null)",
                   bytes ? "" : " at address 0");
    return false;
  }
  const auto* first = static_cast<const std::byte*>(bytes);
  m_bytes.assign(first, first + *size);
  m_encoding = encoding;
  return true;
}

uint64_t Value::hash() const {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()});
}

bool Value::isEqual(const Object* other) const {
  const auto* value = dynamic_cast<const Value*>(other);
  return value && value->m_encoding == m_encoding && value->m_bytes == m_bytes;
}

std::string Value::description() const {
  return fmt::format("<{} of type {}, {} bytes>", className(), m_encoding, m_bytes.size());
}

} // namespace basanite::foundation

using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

NS::Value* NS::Value::alloc() { return toPublic(new basanite::foundation::Value); }

NS::Value* NS::Value::init(const void* pValue, const char* pType) {
  auto* value = toImpl(this);
  if (!value) return nullptr;
  if (!value->set(pValue, pType)) {
    value->release();
    return nullptr;
  }
  return this;
}

NS::Value* NS::Value::value(const void* pValue, const char* pType) {
  NS::Value* value = alloc()->init(pValue, pType);
  if (value) toImpl(value)->autorelease();
  return value;
}

NS::Value* NS::Value::value(const void* pPointer) { return value(&pPointer, "^v"); }

void NS::Value::getValue(void* pValue, NS::UInteger size) const {
  auto* value = toImpl(this);
  if (!value || !pValue) return;
  if (size != value->bytes().size()) {
    basanite::base::logError("NSValue holds {} bytes, {} were asked for.", value->bytes().size(), size);
    return;
  }
  std::memcpy(pValue, value->bytes().data(), size);
}

const char* NS::Value::objCType() const {
  auto* value = toImpl(this);
  return value ? value->encoding() : nullptr;
}

bool NS::Value::isEqualToValue(NS::Value* pValue) const {
  auto* value = toImpl(this);
  return value && pValue && value->isEqual(toImpl(pValue));
}

void* NS::Value::pointerValue() const {
  auto* value = toImpl(this);
  void* pointer = nullptr;
  if (value) std::memcpy(&pointer, value->bytes().data(), std::min(sizeof(pointer), value->bytes().size()));
  return pointer;
}
