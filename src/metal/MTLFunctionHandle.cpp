// SPDX-License-Identifier: Apache-2.0
// MTL::FunctionHandle.
#include "src/metal/MTLFunctionHandle.hpp"

#include "src/base/log.hpp"
#include "src/metal/MTL4BinaryFunction.hpp"

using basanite::foundation::textOf;
using basanite::foundation::toImpl;
using basanite::foundation::toPublic;

namespace basanite::metal {

MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              std::optional<uint64_t> number, std::string_view pipeline,
                              std::string_view what) {
  if (number) return foundation::toPublicAutoreleased(new FunctionHandle(device, links, *number));
  base::logError("functionHandle: the pipeline \"{}\" is not linked with the function \"{}\"{}.", pipeline,
                 what, links ? "" : ", nor with any other in that stage");
  return nullptr;
}

MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const NS::String* name, std::string_view pipeline) {
  if (!name) return nullptr;
  const std::string_view text = textOf(name);
  return handleOf(device, links, links ? links->numberOf(text) : std::nullopt, pipeline, text);
}

MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const MTL::Function* function, std::string_view pipeline) {
  if (!function) return nullptr;
  const Function& own = *toImpl(function);
  const FoundFunction wanted{own.library->code, own.info.name, own.info, own.constants, {}, nullptr};
  return handleOf(device, links, links ? links->numberOf(wanted) : std::nullopt, pipeline, own.info.name);
}

MTL::FunctionHandle* handleOf(Device* device, const std::shared_ptr<const StageLinks>& links,
                              const MTL4::BinaryFunction* function, std::string_view pipeline) {
  if (!function) return nullptr;
  const FoundFunction& wanted = toImpl(function)->function;
  return handleOf(device, links, links ? links->numberOf(wanted) : std::nullopt, pipeline,
                  wanted.shownName());
}

} // namespace basanite::metal

MTL::Device* MTL::FunctionHandle::device() const {
  return this ? toPublic(toImpl(this)->device.get()) : nullptr;
}
MTL::FunctionType MTL::FunctionHandle::functionType() const {
  return this ? MTL::FunctionTypeVisible : MTL::FunctionType{};
}
MTL::ResourceID MTL::FunctionHandle::gpuResourceID() const {
  return MTL::ResourceID{this ? toImpl(this)->number : 0};
}
NS::String* MTL::FunctionHandle::name() const {
  return this ? basanite::foundation::makeAutoreleasedString(toImpl(this)->function().shownName()) : nullptr;
}
