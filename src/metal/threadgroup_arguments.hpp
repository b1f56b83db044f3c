// SPDX-License-Identifier: Apache-2.0
// What dispatches and mesh draws check alike: the sizes of threadgroups and the memory passed to them.
#pragma once

#include "src/metal/validation.hpp"
#include "src/vulkan/threadgroup_shape.hpp"

#include <Metal/MTLTypes.hpp>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basanite::metal {

// The axes of a size. Reads a member of MTL::Size once, whatever packing it has.
struct Counts {
  std::array<uint64_t, 3> axis;
  explicit Counts(const MTL::Size& size) : axis{size.width, size.height, size.depth} {}
  bool empty() const { return axis[0] == 0 || axis[1] == 0 || axis[2] == 0; }
  bool fits32Bits() const;
  // Of counts that fit.
  std::array<uint32_t, 3> narrow() const;
  bool operator==(const Counts&) const = default;
};

// What a stage of a pipeline takes.
struct ThreadgroupLimits {
  const char* stage;         // "kernel", "object", "mesh"
  NS::UInteger most;         // threads of one threadgroup
  MTL::Size required;        // all 0: any size
  const uint32_t* deviceMax; // along each axis
};

// False, with a report that names the method, the pipeline, the value and the limit.
bool checkThreadgroup(const char* method, std::string_view pipelineName, const Counts& threads,
                      const ThreadgroupLimits& limits, ErrorKeeper& errors);

// The threadgroup memory that an encoder has been told to pass, by argument index. Same thread rule as the
// encoder.
class ThreadgroupArguments {
 public:
  // Bytes: a multiple of 16, at most `limitBytes`; 0 takes the argument away. An illegal value is reported
  // and changes nothing.
  void set(const char* method, NS::UInteger lengthBytes, NS::UInteger index, NS::UInteger limitBytes,
           ErrorKeeper& errors);
  bool empty() const { return m_lengths.empty(); }
  // The lengths of those arguments that a stage reads, in ascending index order; nothing, with a report, when
  // one has not been set.
  std::optional<std::vector<vulkan::ThreadgroupLength>> lengthsOf(const char* method, const char* stage,
                                                                  std::string_view pipelineName,
                                                                  std::span<const uint32_t> read,
                                                                  ErrorKeeper& errors) const;

 private:
  std::vector<vulkan::ThreadgroupLength> m_lengths; // in ascending index order, none of 0 bytes
};

} // namespace basanite::metal
