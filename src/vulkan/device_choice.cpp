// SPDX-License-Identifier: Apache-2.0
// Ranks devices and says why none will do.
#include "src/vulkan/device_choice.hpp"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace basanite::vulkan {
namespace {

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

int rankOf(VkPhysicalDeviceType type) {
  switch (type) {
  case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
    return 4;
  case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
    return 3;
  case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
    return 2;
  case VK_PHYSICAL_DEVICE_TYPE_OTHER:
    return 1;
  default:
    return 0;
  }
}

bool better(const DeviceCandidate& a, const DeviceCandidate& b) {
  int rankA = rankOf(a.type), rankB = rankOf(b.type);
  if (rankA != rankB) return rankA > rankB;
  return a.deviceLocalBytes > b.deviceLocalBytes;
}

std::string listOf(std::span<const DeviceCandidate> candidates) {
  std::string text;
  for (size_t i = 0; i < candidates.size(); ++i)
    text += fmt::format("{}{} \"{}\"", i ? ", " : "", i, candidates[i].name);
  return text;
}

} // namespace

std::string missingFeatureSentence(const std::string& device, const char* feature) {
  return fmt::format("The device \"{}\" lacks the Vulkan feature {}.", device, feature);
}

base::Result<size_t> pickDevice(std::span<const DeviceCandidate> candidates, const std::optional<std::string>& wanted) {
  if (wanted) {
    std::optional<size_t> named;
    const bool isIndex = std::all_of(wanted->begin(), wanted->end(), [](unsigned char c) { return std::isdigit(c); });
    if (isIndex && wanted->size() < 6) {
      size_t index = std::stoul(*wanted);
      if (index < candidates.size()) named = index;
    } else {
      for (size_t i = 0; i < candidates.size() && !named; ++i)
        if (lowerCase(candidates[i].name).find(lowerCase(*wanted)) != std::string::npos) named = i;
    }
    if (!named)
      return base::Error{
          fmt::format("BASANITE_DEVICE={} matches no Vulkan device; there are: {}.", *wanted, listOf(candidates))};
    if (candidates[*named].missing) return base::Error{*candidates[*named].missing};
    return *named;
  }

  std::optional<size_t> best;
  for (size_t i = 0; i < candidates.size(); ++i)
    if (!candidates[i].missing && (!best || better(candidates[i], candidates[*best]))) best = i;
  if (best) return *best;

  std::string reasons;
  for (const DeviceCandidate& candidate : candidates) reasons += " " + *candidate.missing;
  return base::Error{"No Vulkan device of this machine can run Metal 4 programs." + reasons +
                     " Install a newer driver; mesa-vulkan-drivers 25 has lavapipe, which runs on the CPU."};
}

} // namespace basanite::vulkan
