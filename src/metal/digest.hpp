// SPDX-License-Identifier: Apache-2.0
// Digests of values that shall be found again in another process: same values in the same order, same text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace basanite::metal {

// 128 bits (XXH3): against chance, not against somebody who makes a collision on purpose. One thread.
class Digest {
 public:
  Digest();
  ~Digest();
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  // Each with its length, so that "ab", "c" differs from "a", "bc".
  Digest& add(std::string_view text);
  Digest& add(std::span<const uint8_t> bytes);
  Digest& add(uint64_t number);

  // 32 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

} // namespace basanite::metal
