// SPDX-License-Identifier: Apache-2.0
// Asks the backend what there is; only the stamps are measured through the API.
#include "tools/basanite/devices_command.hpp"

#include "src/vulkan/physical_device.hpp"
#include "src/vulkan/workarounds.hpp"
#include "tools/basanite/compile_command.hpp"
#include "tools/basanite/stamp_error.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace basanite::tool {

namespace {

constexpr const char* kFooter =
    "The stamps are measured by draws of cost 1, 10, 100, 10 and 1 in one pass, against each alone in a "
    "pass: "
    "how much of the\n"
    "time stands at a wrong draw. docs/timestamps.md says what relaxed and precise are, docs/workarounds.md "
    "what a row is.\n"
    "Exit codes: 0 there is a device that Basanite can use; 1 there is none; 2 a wrong command line.";

struct Feature {
  const char* name;
  bool vulkan::DeviceFeatures::* has;
};

// What programs come to ask about, in their words.
constexpr Feature kFeatures[] = {
    {"mesh shaders", &vulkan::DeviceFeatures::meshShader},
    {"object shaders", &vulkan::DeviceFeatures::taskShader},
    {"half arithmetic", &vulkan::DeviceFeatures::shaderFloat16},
    {"8-bit integers", &vulkan::DeviceFeatures::shaderInt8},
    {"16-bit integers", &vulkan::DeviceFeatures::shaderInt16},
    {"64-bit atomics", &vulkan::DeviceFeatures::shaderBufferInt64Atomics},
    {"float atomics", &vulkan::DeviceFeatures::shaderBufferFloat32AtomicAdd},
    {"barycentric coordinates", &vulkan::DeviceFeatures::fragmentBarycentric},
    {"fill mode lines", &vulkan::DeviceFeatures::fillModeNonSolid},
    {"depth clamp", &vulkan::DeviceFeatures::depthClamp},
    {"several viewports", &vulkan::DeviceFeatures::multiViewport},
    {"anisotropic filtering", &vulkan::DeviceFeatures::samplerAnisotropy},
    {"dual-source blending", &vulkan::DeviceFeatures::dualSrcBlend},
    {"sample shading", &vulkan::DeviceFeatures::sampleRateShading},
    {"cube arrays", &vulkan::DeviceFeatures::imageCubeArray},
    {"counting visibility", &vulkan::DeviceFeatures::occlusionQueryPrecise},
    {"read-write textures of any format", &vulkan::DeviceFeatures::shaderStorageImageReadWithoutFormat},
    {"BC textures", &vulkan::DeviceFeatures::textureCompressionBC},
    {"ETC2 textures", &vulkan::DeviceFeatures::textureCompressionETC2},
    {"ASTC textures", &vulkan::DeviceFeatures::textureCompressionASTC},
    {"calibrated timestamps", &vulkan::DeviceFeatures::calibratedTimestamps},
    {"stamps inside a pass", &vulkan::DeviceFeatures::dynamicRenderingLocalRead},
};

struct DeviceReport {
  const vulkan::PhysicalDevice* physical;
  std::vector<std::string> has, lacks;
  std::string row, relaxed, precise; // of its workarounds
  std::optional<StampError> error;
  std::string whyNotMeasured; // a sentence; empty when it was, or was not to be
};

DeviceReport describe(const vulkan::PhysicalDevice& physical) {
  DeviceReport report;
  report.physical = &physical;
  for (const Feature& feature : kFeatures)
    (physical.features().*feature.has ? report.has : report.lacks).emplace_back(feature.name);
  const vulkan::Workarounds& workarounds = vulkan::workaroundsFor(physical.driverId());
  report.row = workarounds.driver;
  report.relaxed = workarounds.relaxedStamp == vulkan::RelaxedStamp::doubled ? "doubled" : "plain";
  const bool barriers = physical.features().dynamicRenderingLocalRead && workarounds.localReadBarrierIsolates;
  report.precise = barriers ? "between barriers" : "split the pass";
  return report;
}

std::string vulkanVersion(const vulkan::PhysicalDevice& physical) {
  const uint32_t version = physical.properties().apiVersion;
  return fmt::format("{}.{}.{}", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
                     VK_API_VERSION_PATCH(version));
}

void print(size_t index, const DeviceReport& report, bool isDefault) {
  const vulkan::PhysicalDevice& physical = *report.physical;
  fmt::print("{}  {}{}\n", index, physical.name(), isDefault ? "  (the default)" : "");
  fmt::print("   driver   {} {}, Vulkan {}\n", physical.driverName(), physical.driverInfo(),
             vulkanVersion(physical));
  if (physical.missingFeature()) {
    fmt::print("   unusable {}\n", *physical.missingFeature());
    return;
  }
  fmt::print("   has      {}\n", fmt::join(report.has, ", "));
  fmt::print("   lacks    {}\n",
             report.lacks.empty() ? "nothing of note" : fmt::format("{}", fmt::join(report.lacks, ", ")));
  const vulkan::DeviceLimits& limits = physical.limits();
  if (limits.timestampValidBits == 0) {
    fmt::print("   stamps   none: its queues have no timestamps\n");
    return;
  }
  fmt::print("   stamps   {} bits of {} ns a tick; row \"{}\": relaxed ones {}, precise ones {}\n",
             limits.timestampValidBits, limits.timestampPeriodNs, report.row, report.relaxed, report.precise);
  if (report.error)
    fmt::print(
        "   F1 F10 F100 F10 F1: at a wrong draw stand {:.1f} % of the time by relaxed stamps, {:.1f} % by "
        "precise ones\n",
        report.error->relaxedPercent, report.error->precisePercent);
  if (!report.whyNotMeasured.empty()) fmt::print("   not measured: {}\n", report.whyNotMeasured);
}

nlohmann::ordered_json jsonOf(size_t index, const DeviceReport& report, bool isDefault) {
  const vulkan::PhysicalDevice& physical = *report.physical;
  nlohmann::ordered_json json = {{"index", index},
                                 {"name", physical.name()},
                                 {"default", isDefault},
                                 {"driver", physical.driverName() + " " + physical.driverInfo()},
                                 {"vulkan", vulkanVersion(physical)},
                                 {"usable", !physical.missingFeature()}};
  if (physical.missingFeature()) json["missing"] = *physical.missingFeature();
  json["has"] = report.has;
  json["lacks"] = report.lacks;
  json["timestamps"] = {{"bits", physical.limits().timestampValidBits},
                        {"ns_per_tick", physical.limits().timestampPeriodNs},
                        {"row", report.row},
                        {"relaxed", report.relaxed},
                        {"precise", report.precise}};
  if (report.error)
    json["misplaced_percent"] = {{"relaxed", report.error->relaxedPercent},
                                 {"precise", report.error->precisePercent}};
  if (!report.whyNotMeasured.empty()) json["not_measured"] = report.whyNotMeasured;
  return json;
}

} // namespace

CLI::App* addDevicesCommand(CLI::App& app, DevicesOptions& options) {
  CLI::App* command =
      app.add_subcommand("devices", "List the Vulkan devices and what Basanite can do with them");
  command->footer(kFooter);
  command->add_flag("--json", options.json, "Print JSON");
  command->add_flag("--no-measure", options.noMeasure, "Do not measure how true the stamps are");
  return command;
}

int runDevices(const DevicesOptions& options) {
  const auto all = vulkan::PhysicalDevice::all();
  if (!all.ok()) {
    fmt::print(stderr, "basanite devices: {}\n", all.error().message);
    return kExitFailures;
  }
  const auto chosen = vulkan::PhysicalDevice::choose();
  auto list = nlohmann::ordered_json::array();
  size_t usable = 0;
  for (size_t i = 0; i < all.value().size(); ++i) {
    const vulkan::PhysicalDevice& physical = all.value()[i];
    DeviceReport report = describe(physical);
    if (!physical.missingFeature()) {
      const bool stamps = physical.limits().timestampValidBits != 0;
      if (stamps && !options.noMeasure) {
        auto error = measureStampError(usable);
        if (error.ok())
          report.error = *error;
        else
          report.whyNotMeasured = error.error().message;
      }
      ++usable;
    }
    const bool isDefault = chosen.ok() && chosen.value().vkPhysicalDevice() == physical.vkPhysicalDevice();
    if (options.json)
      list.push_back(jsonOf(i, report, isDefault));
    else
      print(i, report, isDefault);
  }
  if (options.json) fmt::print("{}\n", list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  if (all.value().empty())
    fmt::print(stderr, "basanite devices: There is no Vulkan device: install a driver (lavapipe, "
                       "Mesa's renderer on the CPU, will do).\n");
  return usable > 0 ? kExitDone : kExitFailures;
}

} // namespace basanite::tool
