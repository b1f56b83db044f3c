; SPDX-License-Identifier: Apache-2.0
; AIR 2.7: function constants as variables that a constructor copies, a question whether one has a value, and an argument that depends on it.
target datalayout = "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32"
target triple = "air64_v27-apple-macosx15.0.0"

@_Z4gain.MTL_FC_INIT_9_j = internal unnamed_addr addrspace(2) externally_initialized constant i32 undef, section "air.fc_initializer", align 4
@_ZL4gain = internal unnamed_addr addrspace(2) global i32 undef, align 4
@_Z4plus.MTL_FC_INIT_5_b = internal addrspace(2) externally_initialized constant i8 undef, section "air.fc_initializer", align 1
@_ZL4plus = internal unnamed_addr addrspace(2) global i8 undef, align 1
@_ZL11plusDefined = internal unnamed_addr addrspace(2) global i8 0, align 1
@__metal_implicit_fc_pred_0 = internal addrspace(2) global i8 0, align 1
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 65535, void ()* @_GLOBAL__sub_I_constants.metal, i8* null }]
@llvm.compiler.used = appending global [1 x i8*] [i8* addrspacecast (i8 addrspace(2)* @__metal_implicit_fc_pred_0 to i8*)], section "llvm.metadata"

define internal void @_GLOBAL__sub_I_constants.metal() #0 section "air.static_init" {
  %gain = load i32, i32 addrspace(2)* @_Z4gain.MTL_FC_INIT_9_j, align 4
  store i32 %gain, i32 addrspace(2)* @_ZL4gain, align 4
  %plus = load i8, i8 addrspace(2)* @_Z4plus.MTL_FC_INIT_5_b, align 1, !range !16
  store i8 %plus, i8 addrspace(2)* @_ZL4plus, align 1
  %defined = tail call i1 @air.is_function_constant_defined(i8 addrspace(2)* nocapture @_Z4plus.MTL_FC_INIT_5_b) #2
  %byte = zext i1 %defined to i8
  store i8 %byte, i8 addrspace(2)* @_ZL11plusDefined, align 1
  %normal = tail call i8 @air.normalize_function_constant_predicate.i8(i8 %byte) #2
  store i8 %normal, i8 addrspace(2)* @__metal_implicit_fc_pred_0, align 1
  ret void
}

; out[id] = id * gain + (plus has a value ? (plus ? more[id] : 3) : 7).
define void @constants27(i32 addrspace(1)* nocapture writeonly "air-buffer-no-alias" %out, i32 addrspace(1)* nocapture readonly "air-buffer-no-alias" %more, i32 %id) #1 {
  %gain = load i32, i32 addrspace(2)* @_ZL4gain, align 4
  %product = mul i32 %id, %gain
  %wide = zext i32 %id to i64
  %known = load i8, i8 addrspace(2)* @_ZL11plusDefined, align 1, !range !16
  %unknown = icmp eq i8 %known, 0
  br i1 %unknown, label %done, label %choose

choose:
  %plus = load i8, i8 addrspace(2)* @_ZL4plus, align 1, !range !16
  %without = icmp eq i8 %plus, 0
  br i1 %without, label %done, label %add

add:
  %from = getelementptr inbounds i32, i32 addrspace(1)* %more, i64 %wide
  %value = load i32, i32 addrspace(1)* %from, align 4
  br label %done

done:
  %rest = phi i32 [ 7, %0 ], [ 3, %choose ], [ %value, %add ]
  %sum = add i32 %product, %rest
  %to = getelementptr inbounds i32, i32 addrspace(1)* %out, i64 %wide
  store i32 %sum, i32 addrspace(1)* %to, align 4
  ret void
}

declare i1 @air.is_function_constant_defined(i8 addrspace(2)* nocapture) #2
declare i8 @air.normalize_function_constant_predicate.i8(i8) #2

attributes #0 = { nounwind }
attributes #1 = { nounwind }
attributes #2 = { nounwind readnone }

!air.version = !{!0}
!air.language_version = !{!1}
!air.kernel = !{!2}
!air.function_constants = !{!9, !10}
!0 = !{i32 2, i32 7, i32 0}
!1 = !{!"Metal", i32 3, i32 2, i32 0}
!2 = !{void (i32 addrspace(1)*, i32 addrspace(1)*, i32)* @constants27, !3, !4}
!3 = !{}
!4 = !{!5, !6, !8}
!5 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"out"}
!6 = !{i32 1, !"air.function_constant", !7, !"air.buffer", !"air.location_index", i32 1, i32 1, !"air.read", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"more"}
!7 = !{i8 addrspace(2)* @__metal_implicit_fc_pred_0, !"bool", !"plusDefined"}
!8 = !{i32 2, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!9 = !{i32 addrspace(2)* @_Z4gain.MTL_FC_INIT_9_j, !"uint", !"gain", i32 9, i1 true}
!10 = !{i8 addrspace(2)* @_Z4plus.MTL_FC_INIT_5_b, !"bool", !"plus", i32 5, i1 false}
!16 = !{i8 0, i8 2}
