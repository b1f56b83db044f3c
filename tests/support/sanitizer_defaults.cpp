// SPDX-License-Identifier: Apache-2.0
// What sanitizer builds of the tests run with; in other builds nobody asks. Part of every test program.

extern "C" {

// The device lives as long as the process, and the validation layer and lavapipe keep their notes on it where
// the leak checker does not look.
__attribute__((visibility("default"))) const char* __lsan_default_suppressions() {
  return "leak:libVkLayer_khronos_validation.so\nleak:libvulkan_lvp.so\n";
}

// What was suppressed is no part of what a program says: tests compare that.
__attribute__((visibility("default"))) const char* __lsan_default_options() { return "print_suppressions=0"; }

// GCC 12's runtime guesses where glibc put the thread-local storage of libraries opened late by a header that
// glibc 2.36 no longer writes, and the leak checker then crashes on the guess ("Tracer caught signal 11").
__attribute__((visibility("default"))) const char* __asan_default_options() {
  return "intercept_tls_get_addr=0";
}

#ifdef BASANITE_TSAN_SUPPRESSIONS
// The drivers are not instrumented; the file says why each line is there.
__attribute__((visibility("default"))) const char* __tsan_default_options() {
  return "suppressions=" BASANITE_TSAN_SUPPRESSIONS;
}
#endif
}
