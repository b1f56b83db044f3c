// SPDX-License-Identifier: Apache-2.0
// Pointers that lead to one of several thread or threadgroup variables: values are chosen instead.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {
namespace {

TEST(PointerChoice, ObjectsChosenByAFunctionOfValues) {
  Program program = mslProgram(R"(
#include <metal_stdlib>
using namespace metal;
template <typename T> struct Indexed { uint i; T v; };
template <typename T> bool operator<(Indexed<T> l, Indexed<T> r) { return l.v < r.v || (l.v == r.v && l.i < r.i); }
struct Min { template <typename V> V operator()(V a, V b) { return a < b ? a : b; } };
struct Big { float4 v[6]; float key; };
kernel void small(device Indexed<float>* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Min op;
  o[i] = op(o[i], o[i + 1]);
}
kernel void big(device Big* o [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  Big a = o[i], b = o[i + 1];
  for (int n = 0; n < 6; ++n) a.v[(n + i) % 6] *= 2;
  o[i] = a.key < b.key || (a.key == b.key && a.v[i % 6].x < 1) ? a : b;
})");
  expectContains(kernelAssembly(program, "small"), "OpSelect");
  expectContains(kernelAssembly(program, "big"), "OpSelect");
}

TEST(PointerChoice, StoresThroughPointersToThreadVariables) {
  Program program = airProgram(R"(
define void @k(ptr addrspace(1) %o, i32 %i) {
entry:
  %a = alloca [8 x float], align 4
  %b = alloca [4 x float], align 4
  store float 1.0, ptr %a
  store float 2.0, ptr %b
  %c = icmp ugt i32 %i, 3
  %p = select i1 %c, ptr %a, ptr %b
  %wide = zext i32 %i to i64
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %f = uitofp i32 %n to float
  store float %f, ptr %q, align 4
  %next = getelementptr i8, ptr %q, i64 4
  %n1 = add i32 %n, 1
  %done = icmp eq i32 %n1, 4
  br i1 %done, label %end, label %loop
end:
  %x = getelementptr [8 x float], ptr %a, i64 0, i64 %wide
  %y = load float, ptr %x, align 4
  %z = load float, ptr %b, align 4
  %s = fadd float %y, %z
  store float %s, ptr addrspace(1) %o, align 4
  ret void
}
!air.kernel = !{!0}
!0 = !{ptr @k, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"float", !"air.arg_name", !"o"}
!4 = !{i32 1, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"i"}
)");
  expectContains(kernelAssembly(program, "k"), "OpSelect");
}

// What is not stored to is left alone: other threads may be writing it.
TEST(PointerChoice, ThreadgroupVariablesAreStoredToUnderACondition) {
  Program program = mslProgram(R"(
#include <metal_stdlib>
using namespace metal;
kernel void k(device float* o [[buffer(0)]], uint i [[thread_position_in_grid]], uint l [[thread_index_in_threadgroup]]) {
  threadgroup float a[64];
  threadgroup float b[64];
  a[l] = 1; b[l] = 2;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  threadgroup float* p = o[i] > 1 ? a : b;
  p[l] = 3;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  o[i] = a[63 - l] + p[l ^ 1];
})");
  std::string text = kernelAssembly(program, "k");
  expectContains(text, "OpBranchConditional");
  expectContains(text, "OpSelect");
}

} // namespace
} // namespace basanite::shader::test
