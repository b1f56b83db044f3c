// SPDX-License-Identifier: Apache-2.0
// Tables of visible functions.
#pragma clang system_header

namespace metal {

struct $visible_function_table_object;
typedef void $visible_function();

uint $get_size_visible_function_table(__global $visible_function_table_object*) __asm("air.get_size_visible_function_table");
$visible_function* $get_visible_function(__global $visible_function_table_object*, uint)
    __asm("air.get_function_pointer_visible_function_table");

template <class F> struct visible_function_table {
  __global $visible_function_table_object* $t;

  $inline constexpr visible_function_table() : $t(nullptr) {}
  $inline uint size() const { return $get_size_visible_function_table($t); }
  $inline bool empty() const { return size() == 0; }
  $inline F* operator[](uint index) const { return (F*)$get_visible_function($t, index); }
};

template <class F> $inline bool is_null_visible_function_table(visible_function_table<F> table) { return table.$t == nullptr; }

} // namespace metal
