// SPDX-License-Identifier: Apache-2.0
// Internal class of MTL4Archive.hpp: pipelines that need not be compiled.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/archive_data.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Foundation/NSURL.hpp>
#include <Metal/MTL4Archive.hpp>
#include <memory>

namespace basanite::metal {

// Immutable but for its label; any thread. While it lives, libraries that it knows are compiled only when
// something is asked of them that it does not hold.
class Archive final : public foundation::Object {
 public:
  // Error: one sentence that begins with the path.
  static base::Result<foundation::Retained<Archive>> open(Device* device, const NS::URL* url);

  Archive(Device* owner, std::shared_ptr<const ArchiveData> contents);
  const char* className() const override { return "MTL4Archive"; }

  foundation::Retained<Device> device;
  std::shared_ptr<const ArchiveData> data;
  Copied<NS::String> label;
};

} // namespace basanite::metal

BASANITE_BRIDGE(MTL4::Archive, basanite::metal::Archive)
