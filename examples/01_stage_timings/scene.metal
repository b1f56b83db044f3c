// SPDX-License-Identifier: Apache-2.0
// Pass 2: bunny, ground and sky in linear light, with the sun's shadow.
#include <metal_stdlib>
using namespace metal;

// Mirrors the structure of the same name in scene.hpp.
struct FrameUniforms {
    float4x4 shadowFromWorld;
    float4x4 clipFromWorld;
    float4 cameraPosition;
    float4 sunDirection; // towards the sun
    float4 cameraRight;  // the ray through a point of the screen is forward + x * right + y * up
    float4 cameraUp;
    float4 cameraForward;
};

// Light, all linear.
constant float3 kSunColor = float3(3.3, 2.75, 2.1);
constant float3 kZenith = float3(0.12, 0.26, 0.52);
constant float3 kHorizon = float3(1.0, 0.78, 0.66);
constant float3 kHaze = float3(1.0, 0.80, 0.58); // warms the sky around the sun
constant float3 kGroundBounce = float3(0.30, 0.25, 0.21);

float3 skyRadiance(float3 direction, float3 sunDirection) {
    const float height = saturate(direction.y);
    const float3 gradient = mix(kHorizon, kZenith, 1.0 - exp(-220.0 * height * height));
    const float towardsSun = saturate(dot(direction, sunDirection));
    return gradient + kHaze * (0.22 * pow(towardsSun, 6.0)) * exp(-2.0 * height);
}

// Light from all around for a surface that faces along the normal: sky above, ground below.
float3 ambientIrradiance(float3 normal) {
    const float3 above = 0.8 * mix(kHorizon, kZenith, 0.75);
    return mix(kGroundBounce, above, 0.5 + 0.5 * normal.y);
}

// The part of the sun that reaches a point: 16 comparisons, each filtered over four texels.
float sunVisibility(depth2d<float> shadowMap, float4 shadowPosition) {
    constexpr sampler comparison(coord::normalized, filter::linear, address::clamp_to_edge,
                                 compare_func::less_equal);
    const float3 clip = shadowPosition.xyz / shadowPosition.w;
    const float2 center = float2(0.5 + 0.5 * clip.x, 0.5 - 0.5 * clip.y);
    if (any(center < 0.0) || any(center > 1.0) || clip.z > 1.0) return 1.0; // outside the map

    const float2 spacing = 2.2 / float2(shadowMap.get_width(), shadowMap.get_height());
    float lit = 0.0;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            lit += shadowMap.sample_compare(comparison, center + (float2(x, y) - 1.5) * spacing, clip.z);
    return lit / 16.0;
}

// ---- surfaces ------------------------------------------------------------------------------------------------------

struct SurfaceVertex {
    float3 position [[attribute(0)]];
    float3 normal [[attribute(1)]];
};

struct Surface {
    float4 clipPosition [[position]];
    float3 position;
    float3 normal;
    float4 shadowPosition;
};

vertex Surface surfaceVertex(SurfaceVertex in [[stage_in]], constant FrameUniforms& frame [[buffer(1)]]) {
    const float4 position = float4(in.position, 1);
    Surface out;
    out.clipPosition = frame.clipFromWorld * position;
    out.position = in.position;
    out.normal = in.normal;
    out.shadowPosition = frame.shadowFromWorld * position;
    return out;
}

// Glazed porcelain: a soft body, a tight highlight, and the sky mirrored at grazing angles.
fragment float4 bunnyFragment(Surface in [[stage_in]],
                              constant FrameUniforms& frame [[buffer(1)]],
                              depth2d<float> shadowMap [[texture(1)]]) {
    const float3 albedo = float3(0.70, 0.60, 0.52);
    const float3 normal = normalize(in.normal);
    const float3 view = normalize(frame.cameraPosition.xyz - in.position);
    const float3 sun = frame.sunDirection.xyz;
    const float visibility = sunVisibility(shadowMap, in.shadowPosition);

    // Light that enters bleeds a little past the terminator, reddened on its way.
    const float facing = dot(normal, sun);
    const float3 wrap = float3(0.22, 0.12, 0.08);
    const float3 body = saturate((facing + wrap) / (1.0 + wrap)) * visibility;

    // The ground takes away sky light near the foot.
    const float openness = mix(0.45, 1.0, smoothstep(-0.05, 0.45, in.position.y));
    const float3 diffuse = albedo * (kSunColor * body + ambientIrradiance(normal) * openness);

    const float fresnel = 0.04 + 0.96 * pow(1.0 - saturate(dot(normal, view)), 5.0);
    const float3 halfway = normalize(view + sun);
    const float highlight = pow(saturate(dot(normal, halfway)), 90.0) * 2.6;
    const float3 mirrored = reflect(-view, normal);
    const float3 reflection = mix(kGroundBounce, skyRadiance(mirrored, sun), smoothstep(-0.25, 0.25, mirrored.y));
    const float3 glaze = fresnel * reflection * openness + kSunColor * (0.12 * highlight * visibility * saturate(facing));

    return float4(diffuse * (1.0 - 0.5 * fresnel) + glaze, 1);
}

// Tiles that fade into the horizon.
fragment float4 groundFragment(Surface in [[stage_in]],
                               constant FrameUniforms& frame [[buffer(1)]],
                               texture2d<float> checker [[texture(0)]],
                               depth2d<float> shadowMap [[texture(1)]],
                               sampler checkerSampler [[sampler(0)]]) {
    const float3 sun = frame.sunDirection.xyz;
    const float3 albedo = checker.sample(checkerSampler, in.position.xz * 1.25).rgb;

    // The bunny hides part of the sky from the ground around its foot.
    const float2 fromFoot = in.position.xz / float2(0.52, 0.42);
    const float openness = 1.0 - 0.62 * exp(-1.1 * dot(fromFoot, fromFoot));
    const float3 sunlight = kSunColor * (saturate(sun.y) * sunVisibility(shadowMap, in.shadowPosition));
    const float3 lit = albedo * 0.62 * (sunlight + ambientIrradiance(float3(0, 1, 0)) * openness);

    const float3 toPoint = in.position - frame.cameraPosition.xyz;
    const float3 ray = normalize(toPoint);
    const float3 horizon = skyRadiance(normalize(float3(ray.x, 0.0, ray.z)), sun);
    return float4(mix(lit, horizon, smoothstep(3.5, 13.0, length(toPoint))), 1);
}

// ---- sky -----------------------------------------------------------------------------------------------------------

struct SkyPoint {
    float4 clipPosition [[position]];
    float3 ray;
};

// One triangle that covers the screen, at the far end of the depth range.
vertex SkyPoint skyVertex(uint id [[vertex_id]], constant FrameUniforms& frame [[buffer(1)]]) {
    const float2 corner = float2((id << 1) & 2, id & 2) * 2.0 - 1.0;
    SkyPoint out;
    out.clipPosition = float4(corner, 1, 1);
    out.ray = frame.cameraForward.xyz + corner.x * frame.cameraRight.xyz + corner.y * frame.cameraUp.xyz;
    return out;
}

fragment float4 skyFragment(SkyPoint in [[stage_in]], constant FrameUniforms& frame [[buffer(1)]]) {
    return float4(skyRadiance(normalize(in.ray), frame.sunDirection.xyz), 1);
}
