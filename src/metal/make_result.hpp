// SPDX-License-Identifier: Apache-2.0
// How a new* method hands out what was made, or says why nothing was.
#pragma once

#include "src/base/result.hpp"
#include "src/foundation/object.hpp"
#include "src/metal/MTLLibrary.hpp"
#include "src/metal/error.hpp"
#include "src/metal/validation.hpp"

#include <string_view>
#include <type_traits>
#include <utility>

namespace basanite::metal {

// The +1 object; or null, with the sentence reported because the method has no error parameter.
template <class Impl> auto* orReport(const char* method, base::Result<foundation::Retained<Impl>> result) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  if (result) return foundation::toPublic((*result).detach());
  reportMisuse("{}: {}", method, result.error().message);
  return static_cast<Public*>(nullptr);
}

// The +1 object, or null and the error.
template <class Impl>
auto* orError(base::Result<foundation::Retained<Impl>> result, std::string_view domain, NS::Integer code,
              NS::Error** error) {
  using Public = typename foundation::PublicOf<Impl>::Type;
  if (error) *error = nullptr;
  if (result) {
    if constexpr (std::is_same_v<Impl, Library>) setWarnings(error, **result);
    return foundation::toPublic((*result).detach());
  }
  setError(error, domain, code, result.error());
  return static_cast<Public*>(nullptr);
}

} // namespace basanite::metal
