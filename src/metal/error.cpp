// SPDX-License-Identifier: Apache-2.0
// Makes NS::Error objects.
#include "src/metal/error.hpp"

#include "src/foundation/object.hpp"

namespace basanite::metal {

NS::Error* makeError(std::string_view domain, NS::Integer code, std::string_view message) {
  NS::Error* error = foundation::makeError(foundation::makeConstantString(domain), code, message);
  foundation::objectOf(error)->autorelease();
  return error;
}

void setError(NS::Error** out, std::string_view domain, NS::Integer code, std::string_view message) {
  if (out) *out = makeError(domain, code, message);
}

void setError(NS::Error** out, std::string_view domain, NS::Integer code, const base::Error& error) {
  setError(out, domain, error.code ? error.code : code, error.message);
}

} // namespace basanite::metal
