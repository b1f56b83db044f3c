// SPDX-License-Identifier: Apache-2.0
// Names of the library that are not supported yet: each is refused at its use, by name.
#pragma clang system_header

#define $REFUSED_TEMPLATE(name)                                                                              \
  template <class... A> struct name {                                                                        \
    static_assert($never<void, A...>, #name " is not supported yet");                                        \
  };
#define $REFUSED_TYPE(name) struct __attribute__((unavailable(#name " is not supported yet"))) name {};

namespace metal {

$REFUSED_TEMPLATE(patch_control_point)
$REFUSED_TEMPLATE(imageblock)
$REFUSED_TEMPLATE(tensor)
$REFUSED_TYPE(rasterization_rate_map_data)

namespace raytracing {
$REFUSED_TEMPLATE(acceleration_structure)
$REFUSED_TEMPLATE(intersector)
$REFUSED_TEMPLATE(intersection_query)
$REFUSED_TEMPLATE(intersection_result)
$REFUSED_TEMPLATE(intersection_function_table)
$REFUSED_TYPE(primitive_acceleration_structure)
$REFUSED_TYPE(instance_acceleration_structure)
$REFUSED_TYPE(ray)
$REFUSED_TYPE(intersection_params)
struct instancing;
struct triangle_data;
struct curve_data;
struct world_space_data;
struct primitive_motion;
struct instance_motion;
struct extended_limits;
} // namespace raytracing

} // namespace metal

#undef $REFUSED_TEMPLATE
#undef $REFUSED_TYPE
