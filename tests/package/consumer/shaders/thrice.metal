// SPDX-License-Identifier: Apache-2.0
// A kernel of the consumer's default library.
#include "factor.h"
#include <metal_stdlib>
kernel void thrice(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] *= FACTOR + EXTRA + 1; }
