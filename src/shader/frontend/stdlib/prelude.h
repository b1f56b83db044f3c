// SPDX-License-Identifier: Apache-2.0
// All of metal_stdlib, read before every source (precompiled).
#include "types.h"
#include "vec.h"
#include "matrix.h"
#include "math.h"
#include "integer.h"
#include "geometric.h"
#include "pack.h"
#include "texture.h"
#include "compute.h"
#include "mesh.h"
