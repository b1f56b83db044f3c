// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLDynamicLibrary.hpp: functions that programs are linked with when their pipelines are
// made.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/library_code.hpp"
#include "src/metal/property.hpp"

#include <Foundation/NSString.hpp>
#include <Metal/MTLDynamicLibrary.hpp>
#include <memory>
#include <string>

namespace basanite::metal {

// Immutable but for its label; any thread.
class DynamicLibrary final : public foundation::Object {
 public:
  DynamicLibrary(Device* owner, std::shared_ptr<const LibraryCode> libraryCode, std::string name)
      : device(owner), code(std::move(libraryCode)), installName(std::move(name)) {}
  const char* className() const override { return "MTLDynamicLibrary"; }

  // Its bitcode; what it needs of other libraries has to be linked beside it. Error: a null URL, a file that
  // cannot be written.
  base::Result<void> write(const NS::URL* url) const;

  foundation::Retained<Device> device;
  std::shared_ptr<const LibraryCode> code;
  std::string installName;
  Copied<NS::String> label;
};

class Library;

// Of one that was compiled with the libraryType Dynamic. Null and any other are errors.
base::Result<foundation::Retained<DynamicLibrary>> makeDynamicLibrary(Device* device, const Library* library);
// Of a file that DynamicLibrary::write() made. Error: a file that cannot be read, or is no such file.
base::Result<foundation::Retained<DynamicLibrary>> openDynamicLibrary(Device* device, const NS::URL* url);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::DynamicLibrary, basanite::metal::DynamicLibrary)
