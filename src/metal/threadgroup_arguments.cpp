// SPDX-License-Identifier: Apache-2.0
// The checks, and the sentences that they report.
#include "src/metal/threadgroup_arguments.hpp"

#include "src/metal/MTL4ArgumentTable.hpp"

#include <algorithm>
#include <limits>

namespace basanite::metal {

namespace {
constexpr NS::UInteger kLengthMultiple = 16;
} // namespace

bool Counts::fits32Bits() const {
  return *std::max_element(axis.begin(), axis.end()) <= std::numeric_limits<uint32_t>::max();
}

std::array<uint32_t, 3> Counts::narrow() const {
  return {static_cast<uint32_t>(axis[0]), static_cast<uint32_t>(axis[1]), static_cast<uint32_t>(axis[2])};
}

bool checkThreadgroup(const char* method, std::string_view pipelineName, const Counts& threads,
                      const ThreadgroupLimits& limits, ErrorKeeper& errors) {
  const auto& n = threads.axis;
  if (threads.empty() || !threads.fits32Bits()) {
    errors.report("{}: {} threadgroups of {} x {} x {} threads are not possible.", method, limits.stage, n[0],
                  n[1], n[2]);
    return false;
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (n[axis] <= limits.deviceMax[axis]) continue;
    errors.report(
        "{}: {} threadgroups of {} x {} x {} threads do not fit the device, which takes {} x {} x {}.",
        method, limits.stage, n[0], n[1], n[2], limits.deviceMax[0], limits.deviceMax[1],
        limits.deviceMax[2]);
    return false;
  }
  const uint64_t total = n[0] * n[1] * n[2];
  if (total > limits.most) {
    errors.report("{}: {} threadgroups of {} x {} x {} have {} threads; the pipeline \"{}\" takes {}.",
                  method, limits.stage, n[0], n[1], n[2], total, pipelineName, limits.most);
    return false;
  }
  const Counts required(limits.required);
  if (!required.empty() && required != threads) {
    errors.report(
        "{}: the pipeline \"{}\" requires {} threadgroups of {} x {} x {} threads, not {} x {} x {}.", method,
        pipelineName, limits.stage, required.axis[0], required.axis[1], required.axis[2], n[0], n[1], n[2]);
    return false;
  }
  return true;
}

void ThreadgroupArguments::set(const char* method, NS::UInteger lengthBytes, NS::UInteger index,
                               NS::UInteger limitBytes, ErrorKeeper& errors) {
  if (index >= kMaxBufferBindings)
    return errors.report("{}: index {} is past the {} threadgroup arguments.", method, index,
                         kMaxBufferBindings);
  if (lengthBytes % kLengthMultiple != 0)
    return errors.report("{}: {} bytes are not a multiple of {}.", method, lengthBytes, kLengthMultiple);
  if (lengthBytes > limitBytes)
    return errors.report("{}: {} bytes are more than the device's {} of threadgroup memory.", method,
                         lengthBytes, limitBytes);
  const auto place = std::lower_bound(m_lengths.begin(), m_lengths.end(), index,
                                      [](const auto& length, NS::UInteger i) { return length.index < i; });
  const bool there = place != m_lengths.end() && place->index == index;
  if (there && lengthBytes == 0)
    m_lengths.erase(place);
  else if (there)
    place->bytes = static_cast<uint32_t>(lengthBytes);
  else if (lengthBytes > 0)
    m_lengths.insert(place, {static_cast<uint32_t>(index), static_cast<uint32_t>(lengthBytes)});
}

std::optional<std::vector<vulkan::ThreadgroupLength>>
ThreadgroupArguments::lengthsOf(const char* method, const char* stage, std::string_view pipelineName,
                                std::span<const uint32_t> read, ErrorKeeper& errors) const {
  std::vector<vulkan::ThreadgroupLength> lengths;
  for (const auto& length : m_lengths)
    if (std::find(read.begin(), read.end(), length.index) != read.end()) lengths.push_back(length);
  if (lengths.size() == read.size()) return lengths;
  for (uint32_t index : read) {
    const bool given = std::any_of(lengths.begin(), lengths.end(),
                                   [&](const auto& length) { return length.index == index; });
    if (given) continue;
    errors.report(
        "{}: the pipeline \"{}\" reads threadgroup({}) in its {} function, but no length was set for it.",
        method, pipelineName, index, stage);
    return std::nullopt;
  }
  return lengths;
}

} // namespace basanite::metal
