// SPDX-License-Identifier: Apache-2.0
// Varying locations, assigned when two stages meet in a pipeline.
#include "src/shader/lower/link_stages.hpp"

#include <fmt/format.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/raw_ostream.h>

namespace basanite::shader::lower {

namespace {

std::string typeText(const llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

// "user(color)" is "color" to the one who wrote it.
std::string plainName(const std::string& varying) {
  if (varying.starts_with("user(") && varying.ends_with(")")) return varying.substr(5, varying.size() - 6);
  return varying;
}

const llvm::Type* outputType(const air::EntryPoint& vertex, size_t member) {
  const llvm::Type* result = vertex.function->getReturnType();
  auto* record = llvm::dyn_cast<llvm::StructType>(result);
  if (!record) return result;
  return member < record->getNumElements() ? record->getElementType(static_cast<unsigned>(member)) : result;
}

} // namespace

base::Result<VaryingLocations> linkVaryings(const air::EntryPoint& vertex, const air::EntryPoint* fragment) {
  VaryingLocations locations;
  if (!fragment) return locations;
  for (const air::Input& input : fragment->inputs) {
    if (input.kind != "air.fragment_input" || input.unused) continue;
    const llvm::Argument* argument = fragment->function->getArg(input.parameter);
    if (argument->use_empty()) continue;
    const llvm::Type* written = nullptr;
    for (size_t i = 0; i < vertex.outputs.size(); ++i)
      if (vertex.outputs[i].kind == "air.vertex_output" && vertex.outputs[i].varying == input.varying && vertex.outputs[i].present)
        written = outputType(vertex, i);
    std::string name = input.name.empty() ? plainName(input.varying) : input.name;
    if (!written) {
      return base::Error{fmt::format("Fragment function \"{}\" reads the varying \"{}\", which vertex function \"{}\" does not write.",
                                     fragment->name, name, vertex.name)};
    }
    std::string readText = typeText(argument->getType()), writtenText = typeText(written);
    if (readText != writtenText) {
      return base::Error{fmt::format("The varying \"{}\" is {} in vertex function \"{}\", but {} in fragment function \"{}\".", name,
                                     writtenText, vertex.name, readText, fragment->name)};
    }
    locations.try_emplace(input.varying, static_cast<uint32_t>(locations.size()));
  }
  return locations;
}

} // namespace basanite::shader::lower
