; SPDX-License-Identifier: Apache-2.0
; AIR 2.8: a sampler as two words that is listed, a read with a read-sampler and an offset, a program-scope table.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64_v28-apple-macosx26.0.0"

%struct._texture_2d_t = type opaque
%struct._sampler_t = type opaque

; Nearest, clamped to the edge, normalised coordinates.
@__air_sampler_state = internal addrspace(2) constant [2 x i64] [i64 34901797601017929, i64 0], align 8
@_ZL7weights = internal unnamed_addr addrspace(2) constant [4 x float] [float 1.000000e+00, float 1.000000e+01, float 1.000000e+02, float 1.000000e+03], align 4

; out[id] = (red read at (id, 0) + green sampled in the middle of texel (id, 1)) * weights[id]; fast maths.
define void @weigh28(float addrspace(1)* nocapture noundef writeonly "air-buffer-no-alias" %out, %struct._texture_2d_t addrspace(1)* nocapture readonly %image, i32 noundef %id) local_unnamed_addr #0 {
  %c0 = insertelement <2 x i32> <i32 undef, i32 0>, i32 %id, i64 0
  %reader = tail call %struct._sampler_t addrspace(2)* @air.get_read_sampler() #1
  %both = tail call { <4 x float>, i8 } @air.read_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly %image, %struct._sampler_t addrspace(2)* %reader, <2 x i32> %c0, <2 x i32> zeroinitializer, i32 0, i32 0) #2
  %texel = extractvalue { <4 x float>, i8 } %both, 0
  %red = extractelement <4 x float> %texel, i64 0
  %f = tail call fast float @air.convert.f.f32.u.i32(i32 %id) #1
  %middle = fadd fast float %f, 5.000000e-01
  %u = fmul fast float %middle, 2.500000e-01
  %uv = insertelement <2 x float> <float undef, float 3.750000e-01>, float %u, i64 0
  %sampled = tail call { <4 x float>, i8 } @air.sample_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly %image, %struct._sampler_t addrspace(2)* nocapture readonly bitcast ([2 x i64] addrspace(2)* @__air_sampler_state to %struct._sampler_t addrspace(2)*), <2 x float> %uv, i1 true, <2 x i32> zeroinitializer, i1 true, float 0.000000e+00, float 0.000000e+00, i32 0) #2
  %other = extractvalue { <4 x float>, i8 } %sampled, 0
  %green = extractelement <4 x float> %other, i64 1
  %sum = fadd fast float %red, %green
  %wide = zext i32 %id to i64
  %place = getelementptr inbounds [4 x float], [4 x float] addrspace(2)* @_ZL7weights, i64 0, i64 %wide
  %weight = load float, float addrspace(2)* %place, align 4
  %result = fmul fast float %sum, %weight
  %to = getelementptr inbounds float, float addrspace(1)* %out, i64 %wide
  store float %result, float addrspace(1)* %to, align 4
  ret void
}

declare %struct._sampler_t addrspace(2)* @air.get_read_sampler() local_unnamed_addr #1
declare { <4 x float>, i8 } @air.read_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly, %struct._sampler_t addrspace(2)*, <2 x i32>, <2 x i32>, i32, i32) local_unnamed_addr #2
declare float @air.convert.f.f32.u.i32(i32) local_unnamed_addr #1
declare { <4 x float>, i8 } @air.sample_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly, %struct._sampler_t addrspace(2)* nocapture readonly, <2 x float>, i1, <2 x i32>, i1, float, float, i32) local_unnamed_addr #2

attributes #0 = { convergent mustprogress nofree nounwind willreturn "approx-func-fp-math"="true" "unsafe-fp-math"="true" }
attributes #1 = { mustprogress nofree nosync nounwind readnone willreturn }
attributes #2 = { argmemonly convergent mustprogress nofree nounwind readonly willreturn }

!air.version = !{!0}
!air.language_version = !{!1}
!air.compile_options = !{!11, !12, !13}
!air.kernel = !{!2}
!air.sampler_states = !{!8}
!0 = !{i32 2, i32 8, i32 0}
!1 = !{!"Metal", i32 4, i32 0, i32 0}
!2 = !{void (float addrspace(1)*, %struct._texture_2d_t addrspace(1)*, i32)* @weigh28, !3, !4}
!3 = !{}
!4 = !{!5, !6, !7}
!5 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"out"}
!6 = !{i32 1, !"air.texture", !"air.location_index", i32 0, i32 1, !"air.sample", !"air.arg_type_name", !"texture2d<float, sample>", !"air.arg_name", !"image"}
!7 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!8 = !{!"air.sampler_state", [2 x i64] addrspace(2)* @__air_sampler_state}
!11 = !{!"air.compile.denorms_disable"}
!12 = !{!"air.compile.fast_math_enable"}
!13 = !{!"air.compile.framebuffer_fetch_enable"}
