// SPDX-License-Identifier: Apache-2.0
// Varying locations, assigned when two stages meet in a pipeline.
#include "src/shader/lower/link_stages.hpp"

#include "src/shader/air/type_name.hpp"

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

struct Written {
  const llvm::Type* type = nullptr; // null: nobody writes it
  std::string typeName;             // Metal's; empty where the AIR does not say
  bool perPrimitive = false;
};

Written findWritten(const air::EntryPoint& before, const std::string& varying) {
  if (!before.mesh) {
    for (size_t i = 0; i < before.outputs.size(); ++i) {
      const air::Output& output = before.outputs[i];
      if (output.kind == "air.vertex_output" && output.varying == varying && output.present)
        return {outputType(before, i), output.typeName, false};
    }
    return {};
  }
  llvm::LLVMContext& context = before.function->getContext();
  for (const air::Output& output : before.mesh->vertexOutputs)
    if (output.varying == varying && output.present) return {typeNamed(context, output.typeName), output.typeName, false};
  for (const air::Output& output : before.mesh->primitiveOutputs)
    if (output.varying == varying && output.present) return {typeNamed(context, output.typeName), output.typeName, true};
  return {};
}

} // namespace

llvm::Type* typeNamed(llvm::LLVMContext& context, const std::string& name) {
  const auto [scalarName, lanes] = air::parseTypeName(name);
  llvm::Type* scalar = nullptr;
  if (scalarName == "float")
    scalar = llvm::Type::getFloatTy(context);
  else if (scalarName == "half")
    scalar = llvm::Type::getHalfTy(context);
  else if (scalarName == "bool")
    scalar = llvm::Type::getInt1Ty(context);
  else if (scalarName == "char" || scalarName == "uchar")
    scalar = llvm::Type::getInt8Ty(context);
  else if (scalarName == "short" || scalarName == "ushort")
    scalar = llvm::Type::getInt16Ty(context);
  else if (scalarName == "int" || scalarName == "uint")
    scalar = llvm::Type::getInt32Ty(context);
  return !scalar || lanes == 1 ? scalar : llvm::FixedVectorType::get(scalar, lanes);
}

base::Result<VaryingLocations> linkVaryings(const air::EntryPoint& before, const air::EntryPoint* fragment) {
  VaryingLocations locations;
  if (!fragment) return locations;
  const char* stage = stageName(before.stage);
  for (const air::Input& input : fragment->inputs) {
    bool pulled = input.kind == "air.interpolation_function";
    if ((input.kind != "air.fragment_input" && !pulled) || input.unused) continue;
    const llvm::Argument* argument = fragment->function->getArg(input.parameter);
    if (argument->use_empty()) continue;
    Written written = findWritten(before, input.varying);
    std::string name = input.name.empty() ? plainName(input.varying) : input.name;
    if (!written.type) {
      return base::Error{fmt::format(
          "Fragment function \"{}\" reads the varying \"{}\", which {} function \"{}\" does not write.",
          fragment->name, name, stage, before.name)};
    }
    // An interpolant's argument is a handle: what it interpolates is known by name only.
    const llvm::Type* read = pulled ? typeNamed(fragment->function->getContext(), input.typeName) : argument->getType();
    // The stages' types live in contexts of their own and are compared as text.
    std::string readText = read ? typeText(read) : input.typeName, writtenText = typeText(written.type);
    if (readText != writtenText) {
      bool named = !input.typeName.empty() && !written.typeName.empty() && input.typeName != written.typeName;
      return base::Error{fmt::format("The {} \"{}\" is {} in {} function \"{}\", but {} in fragment function \"{}\".",
                                     pulled ? "interpolant" : "varying", name, named ? written.typeName : writtenText, stage, before.name,
                                     named ? input.typeName : readText, fragment->name)};
    }
    locations.try_emplace(input.varying,
                          VaryingPlace{static_cast<uint32_t>(locations.size()), written.perPrimitive});
  }
  return locations;
}

} // namespace basanite::shader::lower
