// SPDX-License-Identifier: Apache-2.0
// Implementation of roomy_thread.hpp.
#include "src/shader/roomy_thread.hpp"

#include <pthread.h>

namespace basanite::shader {

void runRoomy(const std::function<void()>& call) {
  constexpr size_t kStackBytes = size_t(256) << 20;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  int failed = pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&call));
  pthread_attr_destroy(&attributes);
  if (failed) return call();
  pthread_join(thread, nullptr);
}

} // namespace basanite::shader
