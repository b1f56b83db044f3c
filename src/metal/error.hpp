// SPDX-License-Identifier: Apache-2.0
// Error sentences to NS::Error, and the error domains that the API's failures carry.
#pragma once

#include "src/base/result.hpp"

#include <Foundation/NSError.hpp>
#include <string_view>

namespace basanite::metal {

// Apple's names; the public headers declare no constants for them.
constexpr std::string_view kLibraryErrorDomain = "MTLLibraryErrorDomain";
constexpr std::string_view kDynamicLibraryErrorDomain = "MTLDynamicLibraryDomain";
constexpr std::string_view kDeviceErrorDomain = "MTLDeviceErrorDomain";
constexpr std::string_view kCommandQueueErrorDomain = "MTL4CommandQueueErrorDomain";
constexpr std::string_view kCounterErrorDomain = "MTLCounterErrorDomain";

// Autoreleased; localizedDescription is the message. Any thread.
NS::Error* makeError(std::string_view domain, NS::Integer code, std::string_view message);

// Fills an out-parameter that may be null.
void setError(NS::Error** out, std::string_view domain, NS::Integer code, std::string_view message);
// The error's own code wins over `code` when it has one.
void setError(NS::Error** out, std::string_view domain, NS::Integer code, const base::Error& error);

} // namespace basanite::metal
