// SPDX-License-Identifier: Apache-2.0
// Pass 3: scene light to display values, one thread a pixel.
#include <metal_stdlib>
using namespace metal;

constant float kExposure = 0.56;

// A filmic curve of the usual rational form: a soft toe, a long shoulder, white at 1.
float3 filmic(float3 light) {
    const float3 bright = light * (2.51 * light + 0.03);
    const float3 limit = light * (2.43 * light + 0.59) + 0.14;
    return saturate(bright / limit);
}

float3 encodedSrgb(float3 linear) {
    const float3 low = 12.92 * linear;
    const float3 high = 1.055 * pow(linear, float3(1.0 / 2.4)) - 0.055;
    return select(high, low, linear <= 0.0031308);
}

// Noise below one step of 8 bits, which keeps smooth gradients free of bands.
float dither(uint2 pixel) {
    return fract(52.9829189 * fract(dot(float2(pixel), float2(0.06711056, 0.00583715)))) - 0.5;
}

kernel void toneMap(texture2d<float, access::read> radiance [[texture(0)]],
                    texture2d<float, access::write> picture [[texture(1)]],
                    uint2 pixel [[thread_position_in_grid]]) {
    const uint2 size = uint2(picture.get_width(), picture.get_height());
    if (any(pixel >= size)) return;

    const float2 fromCenter = (float2(pixel) + 0.5) / float2(size) - 0.5;
    const float vignette = 1.0 - 0.45 * dot(fromCenter, fromCenter);
    const float3 light = radiance.read(pixel).rgb * (kExposure * vignette);
    // The curve bleaches bright colours; a little more saturation before it makes up for that.
    const float3 vivid = max(mix(float3(dot(light, float3(0.2126, 0.7152, 0.0722))), light, 1.25), float3(0.0));
    const float3 display = encodedSrgb(filmic(vivid)) + dither(pixel) / 255.0;
    picture.write(float4(display, 1), pixel);
}
