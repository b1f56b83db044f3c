// SPDX-License-Identifier: Apache-2.0
// Libraries from .metallib files: by path, from memory, and a program's default library.
#pragma once

#include "src/metal/MTLLibrary.hpp"

#include <Foundation/NSBundle.hpp>
#include <Foundation/NSPrivate.hpp>
#include <string_view>

namespace basanite::metal {

using LibraryResult = base::Result<foundation::Retained<Library>>;

// Any thread. Error: a file that cannot be read (LibraryErrorFileNotFound), or that is no library, or
// damaged; the sentence begins with the path.
LibraryResult openLibraryFile(Device* device, std::string_view path);
// `url` may be null, which is an error, as is any URL but that of a file.
LibraryResult openLibraryUrl(Device* device, const NS::URL* url);
// `data` is an NS::Data, or an object of the libdispatch that the program is linked with. Null is an error.
LibraryResult openLibraryData(Device* device, dispatch_data_t data);

// default.metallib of a bundle; docs/metal-to-vulkan.md has the order of the search. Null: the main bundle.
// Error: where it was looked for, or what is wrong with the one that was found.
LibraryResult openDefaultLibrary(Device* device, const NS::Bundle* bundle);

} // namespace basanite::metal
