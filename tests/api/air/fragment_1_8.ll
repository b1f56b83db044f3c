; SPDX-License-Identifier: Apache-2.0
; AIR 1.8: a constexpr sampler as a number (nearest, clamped to the edge), a sample without level or residency.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx10.11.0"

%struct._texture_2d_t = type opaque
%struct._sampler_t = type opaque

define <4 x float> @texel18(<4 x float> %position, <2 x float> %uv, %struct._texture_2d_t addrspace(1)* nocapture readonly %image) #0 {
  %texel = tail call <4 x float> @air.sample_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly %image, %struct._sampler_t addrspace(2)* nocapture readonly inttoptr (i64 34901797601017929 to %struct._sampler_t addrspace(2)*), <2 x float> %uv, i1 true, <2 x i32> zeroinitializer, i1 false, float 0.000000e+00) #1
  %half = tail call <4 x float> @air.fast_clamp.v4f32(<4 x float> %texel, <4 x float> zeroinitializer, <4 x float> <float 5.000000e-01, float 1.000000e+00, float 1.000000e+00, float 1.000000e+00>) #1
  ret <4 x float> %half
}

declare <4 x float> @air.sample_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly, %struct._sampler_t addrspace(2)* nocapture readonly, <2 x float>, i1, <2 x i32>, i1, float) #2
declare <4 x float> @air.fast_clamp.v4f32(<4 x float>, <4 x float>, <4 x float>) #1

attributes #0 = { nounwind "unsafe-fp-math"="true" }
attributes #1 = { nounwind readnone }
attributes #2 = { argmemonly nounwind noduplicate readonly }

!air.version = !{!0}
!air.language_version = !{!1}
!air.fragment = !{!2}
!0 = !{i32 1, i32 8, i32 0}
!1 = !{!"Metal", i32 1, i32 1, i32 0}
!2 = !{<4 x float> (<4 x float>, <2 x float>, %struct._texture_2d_t addrspace(1)*)* @texel18, !3, !5}
!3 = !{!4}
!4 = !{!"air.render_target", i32 0, i32 0, !"air.arg_type_name", !"float4"}
!5 = !{!6, !7, !8}
!6 = !{i32 0, !"air.position", !"air.center", !"air.no_perspective", !"air.arg_type_name", !"float4", !"air.arg_name", !"position", !"air.arg_unused"}
!7 = !{i32 1, !"air.fragment_input", !"user(uv)", !"air.center", !"air.perspective", !"air.arg_type_name", !"float2", !"air.arg_name", !"uv"}
!8 = !{i32 2, !"air.texture", !"air.location_index", i32 0, i32 1, !"air.sample", !"air.arg_type_name", !"texture2d<float, sample>", !"air.arg_name", !"image"}
