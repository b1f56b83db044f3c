// SPDX-License-Identifier: Apache-2.0
// Sizes of Objective-C type encodings ("i", "{Range=QQ}", "[4f]"), which NS::Value takes.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace basanite::foundation {

// Bytes that a value of the encoded type takes on a 64-bit system; nothing when the encoding is not
// understood.
std::optional<size_t> encodedSize(std::string_view encoding);

} // namespace basanite::foundation
