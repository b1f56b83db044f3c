// SPDX-License-Identifier: Apache-2.0
// array, initializer_list, and the records that kernels fill for tessellation.
#pragma clang system_header

// The compiler makes one of a braced list.
namespace std {
template <class T> class initializer_list {
  const T* $begin;
  size_t $size;

 public:
  $inline constexpr initializer_list() : $begin(nullptr), $size(0) {}
  $inline constexpr size_t size() const { return $size; }
  $inline constexpr const T* begin() const { return $begin; }
  $inline constexpr const T* end() const { return $begin + $size; }
};
} // namespace std

namespace metal {

using std::initializer_list;

template <class T, ulong N> struct array {
  T $e[N];
  $inline constexpr ulong size() const { return N; }
  $inline constexpr bool empty() const { return N == 0; }
  $inline T& operator[](ulong i) { return $e[i]; }
  $inline constexpr const T& operator[](ulong i) const { return $e[i]; }
};


template <class T> typename remove_reference<T>::type&& declval();

// Whether an argument buffer's or optional argument's handle is 0.
template <class X> $inline auto is_null_texture(X texture) -> decltype(texture.$t == nullptr) { return texture.$t == nullptr; }
$inline bool is_null_sampler(sampler s) { return s.$word == 0; }

} // namespace metal

struct MTLQuadTessellationFactorsHalf {
  half edgeTessellationFactor[4];
  half insideTessellationFactor[2];
};
struct MTLTriangleTessellationFactorsHalf {
  half edgeTessellationFactor[3];
  half insideTessellationFactor;
};
namespace metal {
using ::MTLQuadTessellationFactorsHalf;
using ::MTLTriangleTessellationFactorsHalf;
} // namespace metal
