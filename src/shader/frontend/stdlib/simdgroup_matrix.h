// SPDX-License-Identifier: Apache-2.0
// simdgroup_matrix<T, 8, 8>: two neighbouring elements a thread of 32, as thread_elements() shows them. Products take rows
// and columns from other threads by shuffles.
#pragma clang system_header

namespace metal {

void $need_32_threads() __asm("air.simd_need_32_threads");

template <class T, int Columns, int Rows> struct simdgroup_matrix {
  static_assert(Columns == 8 && Rows == 8, "a simdgroup_matrix has 8 columns and 8 rows");
  static_assert(__is_same(T, float) || __is_same(T, half) || __is_same(T, bfloat), "simdgroup_matrix is supported for float, half and bfloat");
  typedef vec<T, 2> $elements;
  typedef $elements storage_type; // of one thread
  $elements $e;

  simdgroup_matrix() = default;
  // The value on the diagonal, 0 elsewhere.
  $inline explicit simdgroup_matrix(T diagonal) {
    uint row = $row(), column = $column();
    $e = $elements(row == column ? diagonal : T(0), row == column + 1 ? diagonal : T(0));
  }
  $inline thread $elements& thread_elements() thread { return $e; }
  $inline $elements thread_elements() const { return $e; }

  // Where the first of a thread's two elements lies; the second is right of it.
  static $inline uint $row() {
    $need_32_threads();
    uint lane = $simd_lane();
    return (lane & 6) >> 1 | (lane & 16) >> 2;
  }
  static $inline uint $column() {
    uint lane = $simd_lane();
    return (lane & 1) << 1 | (lane & 8) >> 1;
  }
  // The thread that holds the elements (row, column) and (row, column + 1), for an even column.
  static $inline ushort $holder(uint row, uint column) {
    return (ushort)((row & 3) << 1 | (row & 4) << 2 | (column & 2) >> 1 | (column & 4) << 1);
  }
};
typedef simdgroup_matrix<float, 8, 8> simdgroup_float8x8;
typedef simdgroup_matrix<half, 8, 8> simdgroup_half8x8;
typedef simdgroup_matrix<bfloat, 8, 8> simdgroup_bfloat8x8;

template <class T, int Columns, int Rows = Columns> $inline simdgroup_matrix<T, Columns, Rows> make_filled_simdgroup_matrix(T value) {
  simdgroup_matrix<T, Columns, Rows> m;
  m.$e = vec<T, 2>(value);
  return m;
}
template <class T, int Columns, int Rows = Columns> $inline simdgroup_matrix<T, Columns, Rows> make_diagonal_simdgroup_matrix(T value) {
  return simdgroup_matrix<T, Columns, Rows>(value);
}

#define $SIMDGROUP_LOAD(space)                                                                               \
  template <class T>                                                                                         \
  $inline void simdgroup_load(thread simdgroup_matrix<T, 8, 8>& m, const space T* from, ulong rowElements = 8, \
                              ulong2 origin = ulong2(0), bool transpose = false) {                           \
    ulong row = simdgroup_matrix<T, 8, 8>::$row(), column = simdgroup_matrix<T, 8, 8>::$column();            \
    if (transpose) {                                                                                         \
      const space T* at = from + (origin.y + column) * rowElements + origin.x + row;                         \
      m.$e = vec<T, 2>(at[0], at[rowElements]);                                                              \
    } else {                                                                                                 \
      const space T* at = from + (origin.y + row) * rowElements + origin.x + column;                         \
      m.$e = vec<T, 2>(at[0], at[1]);                                                                        \
    }                                                                                                        \
  }
#define $SIMDGROUP_STORE(space)                                                                              \
  template <class T>                                                                                         \
  $inline void simdgroup_store(simdgroup_matrix<T, 8, 8> m, space T* to, ulong rowElements = 8, ulong2 origin = ulong2(0), \
                               bool transpose = false) {                                                     \
    ulong row = simdgroup_matrix<T, 8, 8>::$row(), column = simdgroup_matrix<T, 8, 8>::$column();            \
    ulong step = transpose ? rowElements : 1;                                                                \
    space T* at = transpose ? to + (origin.y + column) * rowElements + origin.x + row                        \
                            : to + (origin.y + row) * rowElements + origin.x + column;                       \
    at[0] = m.$e.x;                                                                                          \
    at[step] = m.$e.y;                                                                                       \
  }
$SIMDGROUP_LOAD(__global)
$SIMDGROUP_LOAD(__local)
$SIMDGROUP_LOAD(__generic)
$SIMDGROUP_STORE(__global)
$SIMDGROUP_STORE(__local)
#undef $SIMDGROUP_LOAD
#undef $SIMDGROUP_STORE

// d = a * b + c; sums in the wider of the types.
template <class D, class A, class B, class C>
$inline void simdgroup_multiply_accumulate(thread simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b,
                                           simdgroup_matrix<C, 8, 8> c) {
  uint row = simdgroup_matrix<A, 8, 8>::$row(), column = simdgroup_matrix<A, 8, 8>::$column();
  float2 sum = float2(c.$e);
  for (uint k = 0; k < 8; k += 2) {
    vec<A, 2> left = simd_shuffle(a.$e, simdgroup_matrix<A, 8, 8>::$holder(row, k));
    vec<B, 2> first = simd_shuffle(b.$e, simdgroup_matrix<A, 8, 8>::$holder(k, column));
    vec<B, 2> second = simd_shuffle(b.$e, simdgroup_matrix<A, 8, 8>::$holder(k + 1, column));
    sum += float(left.x) * float2(first) + float(left.y) * float2(second);
  }
  d.$e = vec<D, 2>(sum);
}
template <class D, class A, class B>
$inline void simdgroup_multiply(thread simdgroup_matrix<D, 8, 8>& d, simdgroup_matrix<A, 8, 8> a, simdgroup_matrix<B, 8, 8> b) {
  simdgroup_multiply_accumulate(d, a, b, make_filled_simdgroup_matrix<D, 8, 8>(D(0)));
}
template <class T>
$inline simdgroup_matrix<T, 8, 8> operator*(simdgroup_matrix<T, 8, 8> a, simdgroup_matrix<T, 8, 8> b) {
  simdgroup_matrix<T, 8, 8> d;
  simdgroup_multiply(d, a, b);
  return d;
}

} // namespace metal
