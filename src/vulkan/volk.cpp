// SPDX-License-Identifier: Apache-2.0
// Volk's implementation, compiled here so that its function pointers stay hidden inside our library: an
// application that links Vulkan itself has the same names.
#define VOLK_IMPLEMENTATION
#include <volk.h>
