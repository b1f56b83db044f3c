// SPDX-License-Identifier: Apache-2.0
// NS::Data.
#include "src/foundation/data.hpp"

#include <cstring>
#include <fmt/format.h>

namespace basanite::foundation {

uint64_t Data::hash() const {
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(m_bytes.data()), m_bytes.size()});
}

bool Data::isEqual(const Object* other) const {
  const auto* data = dynamic_cast<const Data*>(other);
  return data && data->m_bytes == m_bytes;
}

std::string Data::description() const {
  constexpr size_t kShown = 16;
  std::string text = fmt::format("{{length = {}, bytes = 0x", m_bytes.size());
  for (size_t i = 0; i < m_bytes.size() && i < kShown; ++i)
    text += fmt::format("{:02x}", static_cast<unsigned>(m_bytes[i]));
  return text + (m_bytes.size() > kShown ? " ...}" : "}");
}

NS::Data* makeData(const void* bytes, size_t sizeBytes) {
  const auto* first = static_cast<const std::byte*>(bytes);
  return adoptData(first ? std::vector<std::byte>(first, first + sizeBytes) : std::vector<std::byte>());
}

const Data* dataBehind(const void* object) {
  // The class's own virtual table is what only its objects begin with.
  static const auto* s_sample = new Data(std::vector<std::byte>());
  void *table = nullptr, *expected = nullptr;
  std::memcpy(&table, object, sizeof table);
  std::memcpy(&expected, static_cast<const void*>(s_sample), sizeof expected);
  return table == expected ? static_cast<const Data*>(object) : nullptr;
}

NS::Data* adoptData(std::vector<std::byte> bytes) { return toPublic(new Data(std::move(bytes))); }

} // namespace basanite::foundation

const void* NS::Data::bytes() const {
  auto* data = basanite::foundation::toImpl(this);
  return data ? data->bytes().data() : nullptr;
}

NS::UInteger NS::Data::length() const {
  auto* data = basanite::foundation::toImpl(this);
  return data ? data->bytes().size() : 0;
}
