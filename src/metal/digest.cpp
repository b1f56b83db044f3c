// SPDX-License-Identifier: Apache-2.0
// Implementation of digest.hpp with xxHash.
#include "src/metal/digest.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace basanite::metal {

struct Digest::State {
  XXH3_state_t hash;
};

Digest::Digest() : m_state(new State) { XXH3_128bits_reset(&m_state->hash); }

Digest::~Digest() = default;

Digest& Digest::add(uint64_t number) {
  uint8_t bytes[sizeof(number)];
  for (size_t i = 0; i < sizeof(number); ++i) bytes[i] = static_cast<uint8_t>(number >> (8 * i));
  XXH3_128bits_update(&m_state->hash, bytes, sizeof(bytes));
  return *this;
}

Digest& Digest::add(std::span<const uint8_t> bytes) {
  add(uint64_t(bytes.size()));
  if (!bytes.empty()) XXH3_128bits_update(&m_state->hash, bytes.data(), bytes.size());
  return *this;
}

Digest& Digest::add(std::string_view text) {
  return add(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

std::string Digest::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&m_state->hash);
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

} // namespace basanite::metal
