// SPDX-License-Identifier: Apache-2.0
// Internal class of MTLFunctionHandle.hpp: a function that a stage of a pipeline is linked with, as its
// tables know it.
#pragma once

#include "src/metal/MTLDevice.hpp"
#include "src/metal/stage_links.hpp"

#include <Metal/MTLFunctionHandle.hpp>

namespace basanite::metal {

// Immutable; any thread.
class FunctionHandle final : public foundation::Object {
 public:
  FunctionHandle(Device* owner, std::shared_ptr<const StageLinks> stageLinks, uint64_t functionNumber)
      : device(owner), links(std::move(stageLinks)), number(functionNumber) {}
  const char* className() const override { return "MTLFunctionHandle"; }
  const FoundFunction& function() const { return links->functions[number - 1]; }

  foundation::Retained<Device> device;
  std::shared_ptr<const StageLinks> links;
  uint64_t number = 0;
};

// Autoreleased. Null after a logged sentence where the stage is not linked with the function; `pipeline` and
// `what` are for it.
MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              std::optional<uint64_t> number, std::string_view pipeline,
                              std::string_view what);
// Of the function that the caller's object is. Null ones give null.
MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const NS::String* name, std::string_view pipeline);
MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const MTL::Function* function, std::string_view pipeline);
MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const MTL4::BinaryFunction* function, std::string_view pipeline);

} // namespace basanite::metal

BASANITE_BRIDGE(MTL::FunctionHandle, basanite::metal::FunctionHandle)
