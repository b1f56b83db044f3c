; SPDX-License-Identifier: Apache-2.0
; AIR 1.8: typed pointers, a named result structure, buffers without an address space in the metadata.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx10.11.0"

%struct.Corner = type { <4 x float>, <2 x float> }

; Corner id of a strip of two triangles over the whole target, scaled by buffer 0.
define %struct.Corner @corner18(i32 %id, <4 x float> addrspace(2)* nocapture readonly %scale) #0 {
  %right = and i32 %id, 1
  %up = lshr i32 %id, 1
  %u = uitofp i32 %right to float
  %v = uitofp i32 %up to float
  %u2 = fmul fast float %u, 2.000000e+00
  %v2 = fmul fast float %v, 2.000000e+00
  %x = fadd fast float %u2, -1.000000e+00
  %y = fadd fast float %v2, -1.000000e+00
  %p0 = insertelement <4 x float> <float undef, float undef, float 0.000000e+00, float 1.000000e+00>, float %x, i32 0
  %p1 = insertelement <4 x float> %p0, float %y, i32 1
  %factor = load <4 x float>, <4 x float> addrspace(2)* %scale, align 16
  %position = fmul fast <4 x float> %p1, %factor
  %down = fsub fast float 1.000000e+00, %v
  %t0 = insertelement <2 x float> undef, float %u, i32 0
  %uv = insertelement <2 x float> %t0, float %down, i32 1
  %r0 = insertvalue %struct.Corner undef, <4 x float> %position, 0
  %r1 = insertvalue %struct.Corner %r0, <2 x float> %uv, 1
  ret %struct.Corner %r1
}

attributes #0 = { nounwind readonly "unsafe-fp-math"="true" }

!air.version = !{!0}
!air.language_version = !{!1}
!air.vertex = !{!2}
!0 = !{i32 1, i32 8, i32 0}
!1 = !{!"Metal", i32 1, i32 1, i32 0}
!2 = !{%struct.Corner (i32, <4 x float> addrspace(2)*)* @corner18, !3, !6}
!3 = !{!4, !5}
!4 = !{!"air.position", !"air.arg_type_name", !"float4", !"air.arg_name", !"position"}
!5 = !{!"air.vertex_output", !"user(uv)", !"air.arg_type_name", !"float2", !"air.arg_name", !"uv"}
!6 = !{!7, !8}
!7 = !{i32 0, !"air.vertex_id", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!8 = !{i32 1, !"air.buffer", !"air.buffer_size", i32 16, !"air.location_index", i32 0, i32 1, !"air.read", !"air.arg_type_size", i32 16, !"air.arg_type_align_size", i32 16, !"air.arg_type_name", !"float4", !"air.arg_name", !"scale"}
