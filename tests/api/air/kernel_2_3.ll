; SPDX-License-Identifier: Apache-2.0
; AIR 2.3: threadgroup memory, an atomic, a barrier, conversions, a read of a texture with a level and no offset.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx11.0.0"

%struct._texture_2d_t = type opaque

@_ZZ4tallyE5total = internal unnamed_addr addrspace(3) global i32 undef, align 4

; out[group] = the sum over the threadgroup of the red texel at (id mod 4, id / 4 mod 4) in units of 1/255.
define void @tally23(i32 addrspace(1)* nocapture "air-buffer-no-alias" %out, %struct._texture_2d_t addrspace(1)* nocapture readonly %image, i32 %id, i32 %lane, i32 %group) #0 {
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %clear, label %gather

clear:
  store i32 0, i32 addrspace(3)* @_ZZ4tallyE5total, align 4
  br label %gather

gather:
  tail call void @air.wg.barrier(i32 2, i32 1) #2
  %x = and i32 %id, 3
  %rest = lshr i32 %id, 2
  %y = and i32 %rest, 3
  %c0 = insertelement <2 x i32> undef, i32 %x, i32 0
  %c1 = insertelement <2 x i32> %c0, i32 %y, i32 1
  %both = tail call { <4 x float>, i8 } @air.read_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly %image, <2 x i32> %c1, i32 0, i32 1) #3
  %texel = extractvalue { <4 x float>, i8 } %both, 0
  %red = extractelement <4 x float> %texel, i32 0
  %scaled = fmul fast float %red, 2.550000e+02
  %rounded = tail call fast float @air.rint.f32(float %scaled) #4
  %number = tail call i32 @air.convert.u.i32.f.f32(float %rounded) #4
  %before = tail call i32 @air.atomic.local.add.u.i32(i32 addrspace(3)* nocapture @_ZZ4tallyE5total, i32 %number, i32 0, i32 1, i1 true) #3
  tail call void @air.wg.barrier(i32 2, i32 1) #2
  br i1 %first, label %store, label %done

store:
  %sum = load i32, i32 addrspace(3)* @_ZZ4tallyE5total, align 4
  %wide = zext i32 %group to i64
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %wide
  store i32 %sum, i32 addrspace(1)* %to, align 4
  br label %done

done:
  ret void
}

declare void @air.wg.barrier(i32, i32) #1
declare { <4 x float>, i8 } @air.read_texture_2d.v4f32(%struct._texture_2d_t addrspace(1)* nocapture readonly, <2 x i32>, i32, i32) #5
declare float @air.rint.f32(float) #4
declare i32 @air.convert.u.i32.f.f32(float) #4
declare i32 @air.atomic.local.add.u.i32(i32 addrspace(3)* nocapture, i32, i32, i32, i1) #3

attributes #0 = { convergent nounwind }
attributes #1 = { convergent nounwind }
attributes #2 = { convergent nounwind }
attributes #3 = { argmemonly nounwind }
attributes #4 = { nounwind readnone }
attributes #5 = { argmemonly nounwind readonly }

!air.version = !{!0}
!air.language_version = !{!1}
!air.kernel = !{!2}
!0 = !{i32 2, i32 3, i32 0}
!1 = !{!"Metal", i32 2, i32 3, i32 0}
!2 = !{void (i32 addrspace(1)*, %struct._texture_2d_t addrspace(1)*, i32, i32, i32)* @tally23, !3, !4, !10}
!3 = !{}
!4 = !{!5, !6, !7, !8, !9}
!5 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"out"}
!6 = !{i32 1, !"air.texture", !"air.location_index", i32 0, i32 1, !"air.read", !"air.arg_type_name", !"texture2d<float, read>", !"air.arg_name", !"image"}
!7 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!8 = !{i32 3, !"air.thread_index_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"lane"}
!9 = !{i32 4, !"air.threadgroup_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"group"}
!10 = !{!"air.max_work_group_size", i32 64}
