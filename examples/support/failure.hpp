// SPDX-License-Identifier: Apache-2.0
// How this program gives up: one sentence on the standard error stream and exit code 1.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include <Foundation/Foundation.hpp>

namespace stage_timings {

[[noreturn]] inline void fail(const std::string& sentence) {
  std::fprintf(stderr, "stage_timings: %s\n", sentence.c_str());
  std::exit(1);
}

// Takes ownership of what a new...() method returned. When that is nil, fails with `what` could not be made
// and why.
template <class T>
NS::SharedPtr<T> own(T* object, const std::string& what, const NS::Error* error = nullptr) {
  if (object) return NS::TransferPtr(object);
  const NS::String* reason = error ? error->localizedDescription() : nullptr;
  fail("cannot make " + what + (reason ? ": " + std::string(reason->utf8String()) : "."));
}

} // namespace stage_timings
