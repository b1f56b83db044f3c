// SPDX-License-Identifier: Apache-2.0
// The layers of the picture, a draw each, from the sky to the grain on top. Everything is computed from noise.
#include <metal_stdlib>
using namespace metal;

// Mirrors the structure of the same name in landscape.hpp.
struct Layer {
    float4 area;   // left, bottom, right, top in clip space
    float4 low;    // colour and opacity at the lower edge of the layer
    float4 high;   // and at its upper edge
    float scale;   // size of a thing, or frequency of the noise
    float aspect;  // width / height of the picture
    float pixel;   // height of a pixel in clip space
    uint things;   // how many things, or columns of a range
    uint samples;  // of the noise: within a pixel, or around a thing
    uint octaves;
    uint range;    // the range of mountains, or that on which the things stand
    uint seed;
};

constant float kShore = -0.34; // where the lake begins, in clip space
constant float2 kMoon = float2(0.78, 0.50);

// ---- noise ---------------------------------------------------------------------------------------------------------

uint scrambled(uint x) {
    x = (x ^ (x >> 15)) * 0x85ebca77u;
    return x ^ (x >> 13);
}

// 0 to 1.
float fraction(uint bits) { return float(bits >> 8) * (1.0 / 16777216.0); }

float random(uint x, uint seed) { return fraction(scrambled(scrambled(x * 0x9e3779b1u) + seed * 0xc2b2ae3du)); }

float cornerValue(uint2 corner, uint seed) { return fraction(scrambled(corner.x * 0x9e3779b1u + corner.y + seed)); }

// Smooth, 0 to 1, with features of size 1.
float noise(float2 p, uint seed) {
    const float2 whole = floor(p);
    const uint2 cell = uint2(int2(whole)) * uint2(1, 0xc2b2ae3du);
    const uint2 right = uint2(1, 0), up = uint2(0, 0xc2b2ae3du);
    const float2 part = p - whole;
    const float2 t = part * part * (3.0 - 2.0 * part);
    seed *= 0x27d4eb2fu;
    const float below = mix(cornerValue(cell, seed), cornerValue(cell + right, seed), t.x);
    const float above = mix(cornerValue(cell + up, seed), cornerValue(cell + up + right, seed), t.x);
    return mix(below, above, t.y);
}

float layered(float2 p, uint octaves, uint seed) {
    float sum = 0.0, weight = 0.5, total = 0.0;
    for (uint i = 0; i < octaves; ++i) {
        sum += weight * noise(p, seed + i);
        total += weight;
        weight *= 0.5;
        p = float2(0.8 * p.x - 0.6 * p.y, 0.6 * p.x + 0.8 * p.y) * 2.03;
    }
    return sum / total;
}

// Streaks along x, thicker where a second noise bends them.
float cloudiness(float2 p, uint octaves, uint seed) {
    const float2 bent = p + 0.9 * float2(noise(p * 0.9, seed + 31u), layered(p * 0.7 + 5.2, 2, seed + 47u));
    return layered(bent, octaves, seed);
}

// The noise around a thing, a thousandth wide.
float around(float2 p, constant Layer& layer, uint seed) {
    float sum = 0.0;
    for (uint i = 0; i < layer.samples; ++i)
        sum += layered(p + 0.001 * (float2(random(i, 3), random(i, 4)) - 0.5), layer.octaves, seed);
    return sum / float(layer.samples);
}

// ---- mountains -----------------------------------------------------------------------------------------------------

struct Range {
    float base, height, frequency;
    float3 foot, crest;
};

Range rangeOf(uint index) {
    switch (index) {
    case 0: return {-0.18, 0.56, 1.25, float3(0.80, 0.60, 0.56), float3(0.46, 0.44, 0.56)};
    case 1: return {-0.27, 0.50, 1.75, float3(0.55, 0.45, 0.50), float3(0.29, 0.31, 0.43)};
    case 2: return {-0.33, 0.36, 2.20, float3(0.33, 0.31, 0.38), float3(0.16, 0.20, 0.29)};
    default: return {-0.38, 0.22, 2.60, float3(0.12, 0.15, 0.20), float3(0.06, 0.09, 0.13)};
    }
}

// The height of a range's outline: sharp crests from folded noise.
float outline(Range range, float x, uint octaves, uint seed) {
    float sum = 0.0, weight = 0.6, frequency = range.frequency;
    for (uint i = 0; i < octaves; ++i) {
        const float fold = 1.0 - abs(2.0 * noise(float2(x * frequency + 17.3 * float(i), 0.5), seed + i) - 1.0);
        sum += weight * fold * (i == 0 ? fold : 1.0);
        weight *= 0.46;
        frequency *= 2.07;
    }
    return range.base + range.height * sum;
}

// ---- sky -----------------------------------------------------------------------------------------------------------

float3 skyColor(float2 p) {
    const float height = saturate((p.y - kShore) / (1.0 - kShore));
    const float3 horizon = float3(1.00, 0.70, 0.48), rose = float3(0.72, 0.46, 0.52);
    const float3 blue = float3(0.20, 0.27, 0.46), night = float3(0.05, 0.08, 0.19);
    float3 color = mix(horizon, rose, smoothstep(0.10, 0.34, height));
    color = mix(color, blue, smoothstep(0.28, 0.62, height));
    color = mix(color, night, smoothstep(0.55, 1.0, height));
    const float2 fromMoon = p - kMoon;
    return color + float3(0.20, 0.19, 0.16) * exp(-7.0 * dot(fromMoon, fromMoon));
}

// ---- layers that cover an area -------------------------------------------------------------------------------------

struct Cover {
    float4 clipPosition [[position]];
    float2 p; // clip space, x stretched to square pixels
    float height; // 0 at the lower edge of the area, 1 at the upper
};

vertex Cover coverVertex(uint id [[vertex_id]], constant Layer& layer [[buffer(0)]]) {
    const float2 corner = float2(id & 1, id >> 1);
    const float2 clip = mix(layer.area.xy, layer.area.zw, corner);
    Cover out;
    out.clipPosition = float4(clip, 0, 1);
    out.p = clip * float2(layer.aspect, 1);
    out.height = corner.y;
    return out;
}

// The place of a sample within its pixel.
float2 sampleOffset(uint index, constant Layer& layer) {
    return layer.pixel * (float2(random(index, 3), random(index, 4)) - 0.5) * float(layer.samples > 1);
}

fragment float4 skyFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    return float4(skyColor(in.p), 1);
}

fragment float4 cloudFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    float density = 0.0;
    for (uint i = 0; i < layer.samples; ++i) {
        const float2 p = in.p + sampleOffset(i, layer);
        density += cloudiness(p * float2(0.45, 1.9) * layer.scale, layer.octaves, layer.seed);
    }
    density = smoothstep(0.46, 0.82, density / float(layer.samples));
    const float edges = smoothstep(0.0, 0.3, in.height) * smoothstep(0.0, 0.35, 1.0 - in.height);
    const float4 color = mix(layer.low, layer.high, in.height);
    return float4(color.rgb, color.a * density * edges);
}

fragment float4 mistFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    float density = 0.0;
    for (uint i = 0; i < layer.samples; ++i)
        density += layered((in.p + sampleOffset(i, layer)) * float2(1.0, 3.5) * layer.scale, layer.octaves, layer.seed);
    density /= float(layer.samples);
    const float edges = smoothstep(0.0, 0.35, in.height) * smoothstep(0.0, 0.65, 1.0 - in.height);
    const float4 color = mix(layer.low, layer.high, in.height);
    return float4(color.rgb, color.a * edges * (0.25 + 0.75 * smoothstep(0.3, 0.75, density)));
}

fragment float4 moonFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    float4 sum = float4(0);
    for (uint i = 0; i < layer.samples; ++i) {
        const float2 local = (in.p + sampleOffset(i, layer) - kMoon) / layer.scale;
        const float distance = length(local);
        const float disc = smoothstep(1.02, 0.98, distance);
        const float seas = smoothstep(0.42, 0.62, layered(local * 1.7 + 3.0, layer.octaves, layer.seed));
        const float3 face = mix(float3(1.0, 0.97, 0.88), float3(0.83, 0.80, 0.74), seas) * (1.0 - 0.12 * distance * distance);
        const float halo = 0.35 * exp(-1.6 * max(0.0, distance - 1.0)) * smoothstep(4.0, 2.0, distance);
        sum += float4(mix(float3(1.0, 0.95, 0.82), face, disc), max(disc, halo));
    }
    return sum / float(layer.samples);
}

// The mirrored sky and mountains, broken by ripples that grow towards the viewer.
fragment float4 lakeFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    float3 sum = float3(0);
    for (uint i = 0; i < layer.samples; ++i) {
        const float2 p = in.p + sampleOffset(i, layer);
        const float depth = kShore - p.y;
        const float2 surface = float2(p.x / (0.22 + depth), 1.0 / (0.06 + depth)) * layer.scale;
        const float ripple = layered(surface, layer.octaves, layer.seed) - 0.5;
        const float2 mirrored = float2(p.x + 0.14 * ripple * (0.15 + depth), kShore + 1.25 * depth + 0.55 * ripple * (0.05 + depth));
        float3 color = skyColor(mirrored);
        for (uint range = 0; range < 4; ++range) {
            const Range mountains = rangeOf(range);
            const float crest = outline(mountains, mirrored.x, 3, 11u * range);
            const float inside = smoothstep(crest + 0.012, crest - 0.012, mirrored.y);
            const float height = saturate((mirrored.y - mountains.base) / (1.1 * mountains.height));
            color = mix(color, mix(mountains.foot, mountains.crest, height), inside);
        }
        const float2 fromMoon = (mirrored - kMoon) / float2(0.10, 0.16);
        color += float3(0.9, 0.8, 0.6) * exp(-dot(fromMoon, fromMoon));
        const float darkness = 0.80 - 0.42 * smoothstep(0.0, 0.66, depth);
        sum += color * darkness * float3(0.86, 0.94, 1.0);
    }
    return float4(sum / float(layer.samples), 1);
}

// Darkens the corners, and noise below two steps of 8 bits frees the gradients of bands.
fragment float4 grainFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    const float2 fromCenter = in.p / float2(layer.aspect, 1);
    const float vignette = 0.34 * smoothstep(0.5, 1.75, dot(fromCenter, fromCenter));
    const uint2 pixel = uint2(in.clipPosition.xy);
    return float4(0, 0, 0, vignette + 0.012 * random(pixel.x + pixel.y * 8192u, layer.seed));
}

// ---- a range of mountains: a strip of columns ----------------------------------------------------------------------

vertex Cover rangeVertex(uint id [[vertex_id]], constant Layer& layer [[buffer(0)]]) {
    const Range range = rangeOf(layer.range);
    const float x = -1.0 + 2.0 * float(id >> 1) / float(layer.things);
    const float crest = outline(range, x * layer.aspect, layer.octaves, 11u * layer.range);
    const float y = id & 1 ? crest : layer.area.y;
    Cover out;
    out.clipPosition = float4(x, y, 0, 1);
    out.p = float2(x * layer.aspect, y);
    out.height = saturate((y - range.base) / (1.1 * range.height));
    return out;
}

// Slopes lit from the left, the more the nearer the crest.
fragment float4 rangeFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    const Range range = rangeOf(layer.range);
    const float folds = layered(float2(in.p.x * 5.0 + in.p.y * 2.6, in.p.y * 3.0) * layer.scale, 3, layer.seed);
    const float light = 0.90 + 0.34 * (folds - 0.35) * in.height;
    return float4(mix(range.foot, range.crest, in.height) * light, 1);
}

// The near shore: a bank in the corner from which the reeds grow.
vertex Cover shoreVertex(uint id [[vertex_id]], constant Layer& layer [[buffer(0)]]) {
    const float across = float(id >> 1) / float(layer.things);
    const float x = mix(layer.area.x, layer.area.z, across);
    const float bank = mix(layer.area.w, layer.area.y, pow(across, 1.4)) +
                       0.05 * (layered(float2(x * 5.0, 0.5), layer.octaves, layer.seed) - 0.5);
    Cover out;
    out.clipPosition = float4(x, id & 1 ? bank : -1.0, 0, 1);
    out.p = float2(x * layer.aspect, out.clipPosition.y);
    out.height = float(id & 1);
    return out;
}

fragment float4 plainFragment(Cover in [[stage_in]], constant Layer& layer [[buffer(0)]]) {
    return mix(layer.low, layer.high, saturate(in.height));
}

// ---- many small things ---------------------------------------------------------------------------------------------

// A conifer of three stacked triangles on the outline of its range.
vertex Cover treeVertex(uint id [[vertex_id]], uint instance [[instance_id]], constant Layer& layer [[buffer(0)]]) {
    const float x = mix(layer.area.x, layer.area.z, (float(instance) + random(instance, layer.seed)) / float(layer.things));
    const float grove = around(float2(x * 4.0, 2.5), layer, layer.seed + 5u);
    const float size = layer.scale * (0.35 + 0.65 * random(instance, layer.seed + 1u)) * smoothstep(0.25, 0.6, grove);
    const float foot = outline(rangeOf(layer.range), x * layer.aspect, layer.octaves, 11u * layer.range);
    const float storey = float(id / 3);
    const uint corner = id % 3;
    const float width = (0.30 - 0.07 * storey) * (corner == 0 ? -1.0 : corner == 1 ? 1.0 : 0.0);
    const float height = 0.26 * storey + (corner == 2 ? 0.46 : 0.0);
    Cover out;
    out.clipPosition = float4(x + size * width / layer.aspect, foot + size * (height - 0.08), 0, 1);
    out.p = out.clipPosition.xy * float2(layer.aspect, 1);
    out.height = height;
    return out;
}

// A blade of four segments, bent by its own weight and the wind.
vertex Cover reedVertex(uint id [[vertex_id]], uint instance [[instance_id]], constant Layer& layer [[buffer(0)]]) {
    const uint segment = id / 6, corner = id % 6;
    const uint along = segment + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0); // 0 at the root, 4 at the tip
    const float side = corner == 0 || corner == 1 || corner == 3 ? -1.0 : 1.0;
    const float across = random(instance, layer.seed);
    const float x = mix(layer.area.x, layer.area.z, across * sqrt(across));
    const float length = layer.scale * (0.45 + 0.55 * random(instance, layer.seed + 1u)) * (1.0 - 0.92 * across * across);
    const float t = float(along) / 4.0;
    const float wind = around(float2(x * 3.0, 0.7), layer, layer.seed + 2u) - 0.35;
    const float bend = (0.9 * wind + 0.5 * (random(instance, layer.seed + 3u) - 0.5)) * t * t;
    const float width = 0.0045 * (1.0 - t) * side;
    Cover out;
    out.clipPosition = float4(x + (length * bend + width) / layer.aspect, layer.area.y + length * t * (1.0 - 0.3 * bend * bend), 0, 1);
    out.p = out.clipPosition.xy * float2(layer.aspect, 1);
    out.height = t;
    return out;
}

struct Spark {
    float4 clipPosition [[position]];
    float2 local;
    float4 color;
};

Spark spark(uint corner, float2 center, float size, float4 color, float aspect) {
    const float2 local = float2(corner == 1 ? 3.0 : -1.0, corner == 2 ? 3.0 : -1.0);
    Spark out;
    out.clipPosition = float4(center + local * size / float2(aspect, 1), 0, 1);
    out.local = local;
    out.color = color;
    return out;
}

// Stars gather along a band across the sky.
vertex Spark starVertex(uint id [[vertex_id]], uint instance [[instance_id]], constant Layer& layer [[buffer(0)]]) {
    const float2 place = float2(random(instance, layer.seed), random(instance, layer.seed + 1u));
    const float2 center = mix(layer.area.xy, layer.area.zw, place);
    const float2 p = center * float2(layer.aspect, 1);
    const float band = exp(-9.0 * pow(p.y - 0.62 + 0.28 * p.x, 2.0));
    const float clumps = around(p * 2.5, layer, layer.seed + 2u);
    const float luck = random(instance, layer.seed + 3u);
    const float height = smoothstep(0.10, 0.75, center.y);
    const float brightness = height * (pow(luck, 14.0) + 0.55 * band * clumps * pow(luck, 3.0));
    const float size = layer.scale * (0.55 + 1.1 * pow(luck, 30.0));
    const float3 tint = mix(float3(1.0, 0.88, 0.76), float3(0.80, 0.88, 1.0), random(instance, layer.seed + 4u));
    return spark(id, center, size, float4(tint, saturate(brightness)), layer.aspect);
}

// The moon's path on the water.
vertex Spark glitterVertex(uint id [[vertex_id]], uint instance [[instance_id]], constant Layer& layer [[buffer(0)]]) {
    const float depth = pow(random(instance, layer.seed), 1.4);
    const float y = mix(layer.area.w, layer.area.y, depth);
    const float spread = (0.02 + 0.15 * depth) * (random(instance, layer.seed + 1u) + random(instance, layer.seed + 2u) - 1.0);
    const float2 center = float2(kMoon.x / layer.aspect + spread, y);
    const float waves = around(float2(center.x * 60.0, 4.0 / (0.05 + depth)), layer, layer.seed + 3u);
    const float brightness = smoothstep(0.46, 0.72, waves) * (1.0 - 0.5 * depth);
    return spark(id, center, layer.scale * (0.4 + depth), float4(layer.high.rgb, layer.high.a * brightness), layer.aspect);
}

vertex Spark fireflyVertex(uint id [[vertex_id]], uint instance [[instance_id]], constant Layer& layer [[buffer(0)]]) {
    const float2 place = float2(random(instance, layer.seed), random(instance, layer.seed + 1u));
    const float2 center = mix(layer.area.xy, layer.area.zw, place * float2(place.x, place.y));
    const float glow = 0.35 + 0.65 * random(instance, layer.seed + 2u);
    return spark(id, center, layer.scale * (0.5 + glow), float4(layer.high.rgb, layer.high.a * glow), layer.aspect);
}

fragment float4 sparkFragment(Spark in [[stage_in]]) {
    const float falloff = saturate(1.0 - dot(in.local, in.local));
    return float4(in.color.rgb, in.color.a * falloff * falloff);
}
