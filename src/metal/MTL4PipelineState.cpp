// SPDX-License-Identifier: Apache-2.0
// MTL4::PipelineDescriptor and MTL4::PipelineOptions.
#include "src/metal/MTL4PipelineState.hpp"

#include "src/metal/enum_check.hpp"

namespace basanite::metal {

base::Result<MTL4::ShaderReflection> PipelineDescriptor4::reflection() const {
  if (!options.get()) return MTL4::ShaderReflection(MTL4::ShaderReflectionNone);
  const PipelineOptions& given = *foundation::toImpl(options.get());
  BASANITE_TRY_VOID(checkEnum("shaderValidation", given.shaderValidation));
  constexpr MTL4::ShaderReflection kAll =
      MTL4::ShaderReflectionBindingInfo | MTL4::ShaderReflectionBufferTypeInfo;
  if (given.shaderReflection & ~kAll)
    return base::Error{
        fmt::format("shaderReflection is {:#x}, which has bits that are no ShaderReflection ({:#x}).",
                    given.shaderReflection, kAll)};
  return given.shaderReflection;
}

} // namespace basanite::metal

BASANITE_ALLOC_INIT(MTL4::PipelineDescriptor)
BASANITE_OBJECT(MTL4::PipelineDescriptor, NS::String, label, setLabel)
BASANITE_OBJECT(MTL4::PipelineDescriptor, MTL4::PipelineOptions, options, setOptions)

BASANITE_ALLOC_INIT(MTL4::PipelineOptions)
BASANITE_VALUE(MTL4::PipelineOptions, MTL4::ShaderReflection, shaderReflection, setShaderReflection)
BASANITE_VALUE(MTL4::PipelineOptions, MTL::ShaderValidation, shaderValidation, setShaderValidation)
