// SPDX-License-Identifier: Apache-2.0
// `basanite devices`: every Vulkan device, what it has of what Basanite can use, and how true its stamps are.
#pragma once

namespace CLI {
class App;
}

namespace basanite::tool {

struct DevicesOptions {
  bool json = false;
  bool noMeasure = false;
};

// Adds the subcommand; `options` is filled when the command line is parsed and must outlive it.
CLI::App* addDevicesCommand(CLI::App& app, DevicesOptions& options);

// Does the work. Exit code 0 when there is a device that Basanite can use, else 1.
int runDevices(const DevicesOptions& options);

} // namespace basanite::tool
