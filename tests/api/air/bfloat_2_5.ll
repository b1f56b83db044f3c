; SPDX-License-Identifier: Apache-2.0
; AIR 2.5: bfloat in buffers, a table, threadgroup memory, arithmetic, a conversion, an intrinsic and a helper function.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64-apple-macosx13.0.0"

; 1, -3, 0.5, 100
@_ZL5table = internal unnamed_addr addrspace(2) constant [4 x bfloat] [bfloat 0xR3F80, bfloat 0xRC040, bfloat 0xR3F00, bfloat 0xR42C8], align 2
@_ZZ6bfloatE5parts = internal unnamed_addr addrspace(3) global [64 x bfloat] undef, align 2

; With s = in[id] * bfloat(id) + table[id mod 4], and that of the thread opposite:
; out[2 id] = max(s, opposite) + 1, out[2 id + 1] = in[id] + 2; every operation rounded to bfloat.
define void @bfloat25(bfloat addrspace(1)* nocapture readonly "air-buffer-no-alias" %in, bfloat addrspace(1)* nocapture writeonly "air-buffer-no-alias" %out, i32 %id, i32 %lane) #0 {
  %wide = zext i32 %id to i64
  %from = getelementptr inbounds bfloat, bfloat addrspace(1)* %in, i64 %wide
  %x = load bfloat, bfloat addrspace(1)* %from, align 2
  %number = tail call bfloat @air.convert.f.bf16.u.i32(i32 %id) #2
  %product = fmul bfloat %x, %number
  %row = and i64 %wide, 3
  %entry = getelementptr inbounds [4 x bfloat], [4 x bfloat] addrspace(2)* @_ZL5table, i64 0, i64 %row
  %add = load bfloat, bfloat addrspace(2)* %entry, align 2
  %s = fadd bfloat %product, %add
  %own = zext i32 %lane to i64
  %ownPlace = getelementptr inbounds [64 x bfloat], [64 x bfloat] addrspace(3)* @_ZZ6bfloatE5parts, i64 0, i64 %own
  store bfloat %s, bfloat addrspace(3)* %ownPlace, align 2
  tail call void @air.wg.barrier(i32 2, i32 1) #1
  %other = sub i64 63, %own
  %otherPlace = getelementptr inbounds [64 x bfloat], [64 x bfloat] addrspace(3)* @_ZZ6bfloatE5parts, i64 0, i64 %other
  %opposite = load bfloat, bfloat addrspace(3)* %otherPlace, align 2
  %most = tail call bfloat @llvm.maxnum.bf16(bfloat %s, bfloat %opposite) #2
  %v0 = insertelement <2 x bfloat> undef, bfloat %most, i64 0
  %v1 = insertelement <2 x bfloat> %v0, bfloat %x, i64 1
  %sums = call fastcc <2 x bfloat> @_ZL3addDv2_DF16b(<2 x bfloat> %v1) #3
  %pairs = bitcast bfloat addrspace(1)* %out to <2 x bfloat> addrspace(1)*
  %to = getelementptr inbounds <2 x bfloat>, <2 x bfloat> addrspace(1)* %pairs, i64 %wide
  store <2 x bfloat> %sums, <2 x bfloat> addrspace(1)* %to, align 4
  ret void
}

define internal fastcc <2 x bfloat> @_ZL3addDv2_DF16b(<2 x bfloat> %v) #3 {
  %sum = fadd <2 x bfloat> %v, <bfloat 0xR3F80, bfloat 0xR4000>
  ret <2 x bfloat> %sum
}

declare bfloat @air.convert.f.bf16.u.i32(i32) #2
declare bfloat @llvm.maxnum.bf16(bfloat, bfloat) #2
declare void @air.wg.barrier(i32, i32) #1

attributes #0 = { convergent nounwind }
attributes #1 = { convergent nounwind }
attributes #2 = { nounwind readnone }
attributes #3 = { noinline nounwind }

!air.version = !{!0}
!air.language_version = !{!1}
!air.kernel = !{!2}
!0 = !{i32 2, i32 5, i32 0}
!1 = !{!"Metal", i32 3, i32 1, i32 0}
!2 = !{void (bfloat addrspace(1)*, bfloat addrspace(1)*, i32, i32)* @bfloat25, !3, !4}
!3 = !{}
!4 = !{!5, !6, !7, !8}
!5 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 2, !"air.arg_type_align_size", i32 2, !"air.arg_type_name", !"bfloat", !"air.arg_name", !"in"}
!6 = !{i32 1, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 2, !"air.arg_type_align_size", i32 2, !"air.arg_type_name", !"bfloat", !"air.arg_name", !"out"}
!7 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!8 = !{i32 3, !"air.thread_index_in_threadgroup", !"air.arg_type_name", !"uint", !"air.arg_name", !"lane"}
