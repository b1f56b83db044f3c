// SPDX-License-Identifier: Apache-2.0
// Indirect command buffers: commands are stores into their records (src/base/indirect_abi.hpp).
#pragma clang system_header

namespace metal {

enum class primitive_type { point = 0, line = 1, line_strip = 2, triangle = 3, triangle_strip = 4 };

// Members of argument buffers: the gpuResourceID of a pipeline state and of an indirect command buffer.
struct render_pipeline_state {
  ulong $id;
};
struct compute_pipeline_state {
  ulong $id;
};
struct command_buffer {
  ulong $id;
  $inline size_t size() const { return ((__global const uint*)$id)[3]; }
};

// One command; those past the end of their buffer take nothing.
struct $indirect_command {
  __global uint* $r; // the record; null past the end
  uint $words;       // of it
  uint $first, $second;

  $inline $indirect_command(command_buffer buffer, uint index) {
    __global const uint* header = (__global const uint*)buffer.$id;
    $words = header[2] / 4;
    $first = header[4];
    $second = header[5];
    ulong records = *(__global const ulong*)buffer.$id;
    $r = (__global uint*)(index < header[3] ? records + ulong(index) * header[2] : 0ul);
  }
  $inline void reset() {
    if ($r)
      for (uint i = 0; i < $words; ++i) $r[i] = 0;
  }
  $inline void $copy($indirect_command other) {
    if ($r && other.$r)
      for (uint i = 0; i < min($words, other.$words); ++i) $r[i] = other.$r[i];
  }
  $inline void $set_pipeline(ulong id) {
    if ($r) *(__global ulong*)($r + 2) = id;
  }
  // `place`: the first of its stage's; `count`: how many those are.
  $inline void $set_buffer(ulong address, uint place, uint index, uint count) {
    if ($r && index < count) *(__global ulong*)($r + 16 + 2 * (place + index)) = address;
  }
};

struct render_command : $indirect_command {
  $inline explicit render_command(command_buffer buffer, uint index) : $indirect_command(buffer, index) {}
  $inline void copy_command(render_command other) { this->$copy(other); }
  $inline void set_render_pipeline_state(render_pipeline_state state) { this->$set_pipeline(state.$id); }
  template <class T> $inline void set_vertex_buffer(__global T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, 0, index, this->$first);
  }
  template <class T> $inline void set_vertex_buffer(constant T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, 0, index, this->$first);
  }
  template <class T> $inline void set_fragment_buffer(__global T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, this->$first, index, this->$second);
  }
  template <class T> $inline void set_fragment_buffer(constant T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, this->$first, index, this->$second);
  }
  $inline void draw_primitives(primitive_type type, uint vertex_start, uint vertex_count, uint instance_count, uint base_instance) {
    if (!this->$r) return;
    this->$r[0] = 1;
    this->$r[1] = (uint)type;
    this->$r[4] = vertex_count;
    this->$r[5] = instance_count;
    this->$r[6] = vertex_start;
    this->$r[7] = base_instance;
  }
#define $DRAW_INDEXED(qualifiers, T, index_type)                                                                       \
  $inline void draw_indexed_primitives(primitive_type type, uint index_count, qualifiers T* index_buffer, uint instance_count, \
                                       uint base_vertex, uint base_instance) {                                         \
    this->$draw_indexed(type, index_count, index_type, (ulong)index_buffer, instance_count, base_vertex, base_instance); \
  }
  $DRAW_INDEXED(__global const, ushort, 0)
  $DRAW_INDEXED(__global const, uint, 1)
  $DRAW_INDEXED(constant, ushort, 0)
  $DRAW_INDEXED(constant, uint, 1)
#undef $DRAW_INDEXED
  $inline void $draw_indexed(primitive_type type, uint index_count, uint index_type, ulong indices, uint instance_count,
                             uint base_vertex, uint base_instance) {
    if (!this->$r) return;
    this->$r[0] = 2;
    this->$r[1] = (uint)type;
    this->$r[4] = index_count;
    this->$r[5] = instance_count;
    this->$r[6] = 0;
    this->$r[7] = base_vertex;
    this->$r[8] = base_instance;
    this->$r[9] = index_type;
    *(__global ulong*)(this->$r + 10) = indices;
  }
};

struct compute_command : $indirect_command {
  $inline explicit compute_command(command_buffer buffer, uint index) : $indirect_command(buffer, index) {}
  $inline void copy_command(compute_command other) { this->$copy(other); }
  $inline void set_compute_pipeline_state(compute_pipeline_state state) { this->$set_pipeline(state.$id); }
  template <class T> $inline void set_kernel_buffer(__global T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, 0, index, this->$first);
  }
  template <class T> $inline void set_kernel_buffer(constant T* buffer, uint index) {
    this->$set_buffer((ulong)buffer, 0, index, this->$first);
  }
  // Executions keep every command behind the one before it, whether it asks for that or not.
  $inline void set_barrier() {}
  $inline void clear_barrier() {}
  $inline void concurrent_dispatch_threadgroups(uint3 threadgroups, uint3 threads) { this->$dispatch(32, threadgroups, threads); }
  $inline void concurrent_dispatch_threads(uint3 threads, uint3 threads_per_threadgroup) {
    this->$dispatch(64, threads, threads_per_threadgroup);
  }
  $inline void $dispatch(uint type, uint3 grid, uint3 threads) {
    if (!this->$r) return;
    this->$r[0] = type;
    for (uint axis = 0; axis < 3; ++axis) {
      this->$r[4 + axis] = grid[axis];
      this->$r[12 + axis] = threads[axis];
    }
  }
};

} // namespace metal
