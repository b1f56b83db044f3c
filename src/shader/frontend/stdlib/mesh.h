// SPDX-License-Identifier: Apache-2.0
// Mesh and object functions: the mesh<...> argument that takes a mesh function's output, and mesh_grid_properties.
#pragma clang system_header

namespace metal {

enum class topology { point, line, triangle };

struct $mesh_object;
struct $grid_object;
typedef __attribute__((address_space(7))) $mesh_object* $mesh_handle;

void $air_set_index($mesh_handle, uint, uchar) __asm("air.set_index_mesh");
void $air_set_indices($mesh_handle, uint, $native<uchar, 2>) __asm("air.set_indices_mesh.v2i8");
void $air_set_indices($mesh_handle, uint, $native<uchar, 4>) __asm("air.set_indices_mesh.v4i8");
void $air_set_primitive_count($mesh_handle, uint) __asm("air.set_primitive_count_mesh");
void $air_set_threadgroups(__local $grid_object*, $native<uint, 3>) __asm("air.set_threadgroups_per_grid_mesh_properties");

// mesh_passes.cpp replaces each by one intrinsic for each member of T.
template <class T> void $mesh_set_vertex($mesh_handle, uint, __private const T*);
template <class T> void $mesh_set_primitive($mesh_handle, uint, __private const T*);

struct $mesh_base {
  $mesh_handle $m;
};

template <class P> struct $mesh_primitives : $mesh_base {
  $inline void set_primitive(uint i, P value) const { $mesh_set_primitive<P>(this->$m, i, &value); }
};
template <> struct $mesh_primitives<void> : $mesh_base {};

template <class V, class P, uint NV, uint NP, topology T = topology::triangle> struct mesh : $mesh_primitives<P> {
  static constexpr const uint max_vertices = NV;
  static constexpr const uint max_primitives = NP;
  static constexpr const uint indices_per_primitive = T == topology::point ? 1 : T == topology::line ? 2 : 3;
  static constexpr const uint max_indices = NP * indices_per_primitive;

  $inline void set_vertex(uint i, V value) const { $mesh_set_vertex<V>(this->$m, i, &value); }
  $inline void set_index(uint i, uchar vertex) const { $air_set_index(this->$m, i, vertex); }
  $inline void set_indices(uint i, vec<uchar, 2> vertices) const { $air_set_indices(this->$m, i, vertices.$v); }
  $inline void set_indices(uint i, vec<uchar, 4> vertices) const { $air_set_indices(this->$m, i, vertices.$v); }
  $inline void set_primitive_count(uint count) const { $air_set_primitive_count(this->$m, count); }
};

struct mesh_grid_properties {
  __local $grid_object* $g;
  $inline void set_threadgroups_per_grid(vec<uint, 3> threadgroups) const { $air_set_threadgroups($g, threadgroups.$v); }
};

} // namespace metal
