// SPDX-License-Identifier: Apache-2.0
// How an example gives up: one sentence on the standard error stream and an exit code.
#pragma once

#include <string>

#include <Foundation/Foundation.hpp>

namespace examples {

// What its sentences begin with; each example defines its own.
extern const char* const kProgramName;

// Exit code 1.
[[noreturn]] void fail(const std::string& sentence);
// Exit code 2: the command line is wrong, as the sentence says; "(see --help)." is put behind it.
[[noreturn]] void failUsage(const std::string& sentence);

// Takes ownership of what a new...() method returned. When that is nil, fails with `what` could not be made
// and why. The error is a reference because the method that sets it may be called in the same expression.
template <class T> NS::SharedPtr<T> own(T* object, const std::string& what, NS::Error* const& error) {
  if (object) return NS::TransferPtr(object);
  const NS::String* reason = error ? error->localizedDescription() : nullptr;
  fail("cannot make " + what + (reason ? ": " + std::string(reason->utf8String()) : "."));
}
template <class T> NS::SharedPtr<T> own(T* object, const std::string& what) {
  NS::Error* const none = nullptr;
  return own(object, what, none);
}

} // namespace examples
