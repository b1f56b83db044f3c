// SPDX-License-Identifier: Apache-2.0
// What a function of a stage is linked with, found from the descriptors: visible functions, and dynamic
// libraries.
#pragma once

#include "src/metal/MTL4LinkingDescriptor.hpp"
#include "src/metal/function_lookup.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace basanite::metal {

// Immutable once it is found; shared by the pipeline, its handles and the pipelines that are made from it.
struct StageLinks {
  std::vector<FoundFunction> functions; // number i + 1 in tables is functions[i]
  std::vector<FoundFunction> privateFunctions;
  std::vector<std::shared_ptr<const LibraryCode>> libraries;
  // The same for all pipelines that are made from one: they agree in the numbers. Never 0.
  uint64_t family = 0;

  // Its number; nothing where the stage is not linked with it.
  std::optional<uint64_t> numberOf(std::string_view name) const;
  std::optional<uint64_t> numberOf(const FoundFunction& function) const;
};

// Of both descriptors, either may be null. `place` names the stage in messages. Error: what is no function
// descriptor, binary function or library; a function that is no visible one; a group with a function that is
// not linked.
base::Result<std::shared_ptr<const StageLinks>> findLinks(const MTL4::StaticLinkingDescriptor* linked,
                                                          const StageDynamicLinkingDescriptor* dynamic,
                                                          std::string_view place);

// With the dynamic libraries that the stage's own function was compiled to be linked with.
std::shared_ptr<const StageLinks> withLibrariesOf(const FoundFunction& function,
                                                  std::shared_ptr<const StageLinks> links);

// With more functions behind those that there are (null: none): MTL4::BinaryFunction or MTL::Function
// objects. Error: one that is neither.
base::Result<std::shared_ptr<const StageLinks>> addLinks(const std::shared_ptr<const StageLinks>& links,
                                                         const NS::Array* functions, std::string_view place);

} // namespace basanite::metal
