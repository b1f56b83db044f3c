// SPDX-License-Identifier: Apache-2.0
// A shader compiler library of another build, as far as the loader can tell: it must be refused, never called.
#include <cstdlib>

extern "C" {
__attribute__((visibility("default"))) const char* basanite_compiler_interface() { return "another build"; }
__attribute__((visibility("default"))) void* basanite_compiler_instance() { std::abort(); }
}
