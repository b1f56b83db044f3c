// SPDX-License-Identifier: Apache-2.0
// Volk's implementation for the twins; libbasanite keeps its own hidden.
#define VOLK_IMPLEMENTATION
#include <volk.h>
