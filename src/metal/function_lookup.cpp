// SPDX-License-Identifier: Apache-2.0
// Finds the functions that descriptors name.
#include "src/metal/function_lookup.hpp"

#include "src/metal/MTL4LibraryFunctionDescriptor.hpp"
#include "src/metal/MTL4SpecializedFunctionDescriptor.hpp"
#include "src/metal/MTL4StitchedFunctionDescriptor.hpp"

#include <fmt/format.h>

namespace basanite::metal {

base::Result<FoundFunction> findFunction(const Library& library, std::string_view name) {
  const shader::FunctionInfo* info = library.find(name);
  if (!info) {
    for (const shader::UnusableFunction& function : library.code->unusable())
      if (function.name == name)
        return base::Error{
            fmt::format("The function \"{}\" of the library is {}, which no pipeline can use yet.", name,
                        function.kind),
            static_cast<int>(MTL::LibraryErrorUnsupported)};
    std::string names;
    for (const auto& function : library.code->functions())
      names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", function.name);
    return base::Error{fmt::format("The library has no function \"{}\"; its functions are: {}.", name,
                                   names.empty() ? "none" : names),
                       static_cast<int>(MTL::LibraryErrorFunctionNotFound)};
  }
  return FoundFunction{library.code, info->name, *info, {}, {}, nullptr};
}

base::Result<FoundFunction> findFunction(const Library& library, std::string_view name, shader::Stage stage) {
  BASANITE_TRY(FoundFunction function, findFunction(library, name));
  if (function.info.stage != stage)
    return base::Error{fmt::format("The function \"{}\" is {} function, but {} function is needed here.",
                                   name, shader::aStage(function.info.stage), shader::aStage(stage))};
  return function;
}

base::Result<std::vector<shader::FunctionConstantInfo>> functionConstantsOf(const FoundFunction& function) {
  return function.code->functionConstants(function.name, function.info.stage);
}

base::Result<FoundFunction> findFunction(const MTL4::FunctionDescriptor* descriptor, shader::Stage stage) {
  if (auto* specialized =
          dynamic_cast<const SpecializedFunctionDescriptor*>(foundation::toImpl(descriptor))) {
    if (!specialized->functionDescriptor.get())
      return base::Error{fmt::format("The {} function's specialized descriptor has no functionDescriptor.",
                                     shader::stageName(stage))};
    BASANITE_TRY(FoundFunction function, findFunction(specialized->functionDescriptor.get(), stage));
    if (specialized->constantValues.get()) {
      const auto& values = foundation::toImpl(specialized->constantValues.get())->values;
      function.constants.insert(function.constants.end(), values.begin(), values.end());
    }
    if (std::string_view name = foundation::textOf(specialized->specializedName.get());
        !name.empty() && stage == shader::Stage::visible)
      function.calledName = name;
    return function;
  }
  if (auto* stitched = dynamic_cast<const StitchedFunctionDescriptor*>(foundation::toImpl(descriptor))) {
    if (stage != shader::Stage::visible)
      return base::Error{
          fmt::format("A stitched function is a visible function, but {} function is needed here.",
                      shader::aStage(stage))};
    return findStitchedFunction(*stitched);
  }
  auto* named = dynamic_cast<const LibraryFunctionDescriptor*>(foundation::toImpl(descriptor));
  if (!named)
    return base::Error{
        fmt::format("The {} function must be described by an MTL4::LibraryFunctionDescriptor or an "
                    "MTL4::SpecializedFunctionDescriptor, not by an {}.",
                    shader::stageName(stage), foundation::toImpl(descriptor)->className())};
  if (!named->library.get())
    return base::Error{
        fmt::format("The {} function's descriptor names no library.", shader::stageName(stage))};
  if (!named->name.get())
    return base::Error{
        fmt::format("The {} function's descriptor names no function.", shader::stageName(stage))};
  return findFunction(*foundation::toImpl(named->library.get()), foundation::textOf(named->name.get()),
                      stage);
}

} // namespace basanite::metal
