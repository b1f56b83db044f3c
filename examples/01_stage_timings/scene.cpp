// SPDX-License-Identifier: Apache-2.0
// Places the camera and the sun.
#include "examples/01_stage_timings/scene.hpp"

namespace examples::stage_timings {
namespace {

constexpr Float3 kTarget = {0.12f, 0.45f, 0};
constexpr float kDistance = 2.9f;
constexpr float kCameraHeight = 0.95f;
constexpr float kRestingAngle = -0.30f; // radians around the vertical axis, 0 in front of the bunny
constexpr float kSwing = 1.2f;          // radians from the first frame to the last
constexpr float kTanHalfFovY = 0.27f;   // 30 degrees from top to bottom

constexpr Float3 kTowardsSun = {-0.85f, 0.80f, 0.10f};
constexpr Float3 kLitCenter = {0.2f, 0.35f, -0.15f};
constexpr float kLitRadius = 1.35f; // the shadow map covers this around its centre

} // namespace

FrameUniforms frameUniforms(uint32_t frame, uint32_t frameCount, float aspect) {
  const float remaining = 1 - static_cast<float>(frame + 1) / static_cast<float>(frameCount);
  const float angle = kRestingAngle - kSwing * remaining;
  const Float3 eye = {kDistance * std::sin(angle), kCameraHeight, kDistance * std::cos(angle)};
  const ViewAxes camera = viewAxes(eye, kTarget);

  const Float3 towardsSun = normalized(kTowardsSun);
  const Float3 sun = kLitCenter + towardsSun * (2 * kLitRadius);

  FrameUniforms uniforms;
  uniforms.shadowFromWorld = orthographicMatrix(kLitRadius, kLitRadius, kLitRadius, 3 * kLitRadius) *
                             viewMatrix(sun, viewAxes(sun, kLitCenter));
  uniforms.clipFromWorld = perspectiveMatrix(kTanHalfFovY, aspect, 0.1f, 100) * viewMatrix(eye, camera);
  uniforms.cameraPosition = {eye, 1};
  uniforms.sunDirection = {towardsSun, 0};
  uniforms.cameraRight = {camera.right * (kTanHalfFovY * aspect), 0};
  uniforms.cameraUp = {camera.up * kTanHalfFovY, 0};
  uniforms.cameraForward = {camera.forward, 0};
  return uniforms;
}

} // namespace examples::stage_timings
