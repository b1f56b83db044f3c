// SPDX-License-Identifier: Apache-2.0
// MTL4::BinaryFunctionDescriptor and MTL4::BinaryFunction.
#include "src/metal/MTL4BinaryFunction.hpp"

#include <fmt/format.h>

using basanite::foundation::textOf;
using basanite::foundation::toImpl;

namespace basanite::metal {

base::Result<foundation::Retained<BinaryFunction>>
BinaryFunction::create(const BinaryFunctionDescriptor* descriptor) {
  if (!descriptor) return base::Error{"The binary function descriptor is null."};
  if (!descriptor->functionDescriptor.get())
    return base::Error{"A binary function needs a function; functionDescriptor is null."};
  constexpr MTL4::BinaryFunctionOptions kOptions = MTL4::BinaryFunctionOptionPipelineIndependent;
  if (descriptor->options & ~kOptions)
    return base::Error{
        fmt::format("options is {:#x}, which has bits that are no BinaryFunctionOption ({:#x}).",
                    descriptor->options, kOptions)};
  auto binary = foundation::Retained<BinaryFunction>::adopt(new BinaryFunction);
  BASANITE_TRY(binary->function, findFunction(descriptor->functionDescriptor.get(), shader::Stage::visible));
  if (std::string_view name = textOf(descriptor->name.get()); !name.empty())
    binary->function.calledName = name;
  // What it needs to be compiled shows here, not when the first pipeline is made.
  BASANITE_TRY_VOID(binary->function.code->program());
  return binary;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::BinaryFunctionDescriptor)
BASANITE_OBJECT(MTL4::BinaryFunctionDescriptor, MTL4::FunctionDescriptor, functionDescriptor,
                setFunctionDescriptor)
BASANITE_OBJECT(MTL4::BinaryFunctionDescriptor, NS::String, name, setName)
BASANITE_VALUE(MTL4::BinaryFunctionDescriptor, MTL4::BinaryFunctionOptions, options, setOptions)

MTL::FunctionType MTL4::BinaryFunction::functionType() const {
  return this ? MTL::FunctionTypeVisible : MTL::FunctionType{};
}
NS::String* MTL4::BinaryFunction::name() const {
  return this ? basanite::foundation::makeAutoreleasedString(toImpl(this)->function.shownName()) : nullptr;
}
