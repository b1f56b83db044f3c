// SPDX-License-Identifier: Apache-2.0
// Pass 1: depth as the sun sees it. There is no fragment function; the rasteriser writes the depth.
#include <metal_stdlib>
using namespace metal;

struct ShadowVertex {
    float3 position [[attribute(0)]];
};

vertex float4 shadowMapVertex(ShadowVertex in [[stage_in]],
                              constant float4x4& shadowFromWorld [[buffer(1)]]) {
    return shadowFromWorld * float4(in.position, 1);
}
