// SPDX-License-Identifier: Apache-2.0
// Another source of library_file_test: its library has this source and that of the default library.
#include <metal_stdlib>

template <class T> kernel void fill(device T* out [[buffer(0)]], constant T& value [[buffer(1)]], uint id [[thread_position_in_grid]]) {
  out[id] = value;
}
template [[host_name("fill<float>")]] kernel void fill<float>(device float*, constant float&, uint);
template [[host_name("fill<uchar>")]] kernel void fill<uchar>(device uchar*, constant uchar&, uint);
