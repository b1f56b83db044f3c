// SPDX-License-Identifier: Apache-2.0
// What both kernels multiply by, less one.
#pragma once
#define FACTOR 1
