// SPDX-License-Identifier: Apache-2.0
// Implementation of library_file.hpp.
#include "src/shader/library_file.hpp"

#include "src/shader/air/isolate_entry.hpp"
#include "src/shader/air/metallib.hpp"
#include "src/shader/air/module.hpp"
#include "src/shader/lower/apply_function_constants.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <map>
#include <memory>
#include <set>

namespace basanite::shader {

namespace {

air::MetallibKind kindOf(Stage stage) {
  switch (stage) {
  case Stage::vertex:
    return air::MetallibKind::vertex;
  case Stage::fragment:
    return air::MetallibKind::fragment;
  case Stage::kernel:
    return air::MetallibKind::kernel;
  case Stage::object:
    return air::MetallibKind::object;
  case Stage::mesh:
    return air::MetallibKind::mesh;
  case Stage::visible:
    return air::MetallibKind::visible;
  }
  return air::MetallibKind::kernel;
}

// Of "air.version" {2, 8, 0} and "air.language_version" {"Metal", 4, 0, 0}.
air::MetallibVersion versionIn(const llvm::Module& module, const char* list, unsigned first) {
  const llvm::NamedMDNode* named = module.getNamedMetadata(list);
  if (!named || named->getNumOperands() == 0) return {};
  const llvm::MDNode* node = named->getOperand(0);
  auto number = [&](unsigned index) {
    auto* value = index < node->getNumOperands()
                      ? llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node->getOperand(index))
                      : nullptr;
    return static_cast<uint16_t>(value ? value->getZExtValue() : 0);
  };
  return {number(first), number(first + 1)};
}

base::Result<air::MetallibEntry> entryFor(const FunctionRef& reference) {
  const Program& program = *reference.program;
  auto info = std::find_if(program.functions.begin(), program.functions.end(),
                           [&](const FunctionInfo& candidate) { return candidate.name == reference.name; });
  if (info == program.functions.end())
    return base::Error{fmt::format("There is no function named \"{}\" in the program.", reference.name)};
  air::MetallibEntry entry;
  entry.name = reference.name;
  entry.kind = kindOf(info->stage);
  entry.vertexAttributes = info->vertexAttributes;
  llvm::LLVMContext context;
  BASANITE_TRY(std::unique_ptr<llvm::Module> module, air::loadModule(program, reference.name, context));
  entry.air = versionIn(*module, "air.version", 0);
  entry.language = versionIn(*module, "air.language_version", 1);
  BASANITE_TRY(air::EntryPoint point, air::findEntry(*module, info->stage, reference.name));
  BASANITE_TRY(entry.constants, lower::reachedFunctionConstants(*module, point));
  if (program.air.empty()) {
    entry.bitcode = *program.functionAir[static_cast<size_t>(info - program.functions.begin())];
    return entry;
  }
  BASANITE_TRY_VOID(air::isolateEntry(*module, info->stage, reference.name));
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module, stream);
  entry.bitcode.assign(bitcode.begin(), bitcode.end());
  return entry;
}

} // namespace

base::Result<Program> readLibraryFile(std::span<const uint8_t> bytes) {
  BASANITE_TRY(air::Metallib library, air::readMetallib(bytes));
  Program program;
  // Blobs that are not one and the same do not overlap, so where one begins tells it.
  std::map<const uint8_t*, std::shared_ptr<const std::vector<uint8_t>>> copies;
  for (air::MetallibFunction& function : library.functions) {
    std::optional<Stage> stage = air::stageOf(function.kind);
    if (!stage) {
      program.unusable.push_back({std::move(function.name), air::aMetallibKind(function.kind)});
      continue;
    }
    FunctionInfo info;
    info.name = std::move(function.name);
    info.stage = *stage;
    info.vertexAttributes = std::move(function.vertexAttributes);
    info.stitchable = *stage == Stage::visible; // a file has one kind for both
    program.functions.push_back(std::move(info));
    std::shared_ptr<const std::vector<uint8_t>>& copy = copies[function.bitcode.data()];
    if (!copy)
      copy = std::make_shared<const std::vector<uint8_t>>(function.bitcode.begin(), function.bitcode.end());
    program.functionAir.push_back(copy);
  }
  return program;
}

base::Result<std::vector<uint8_t>> writeLibraryFile(const std::vector<FunctionRef>& functions) {
  std::vector<air::MetallibEntry> entries;
  std::set<std::string> names;
  for (const FunctionRef& function : functions) {
    if (!function.program) return base::Error{"No program was given for function \"" + function.name + "\"."};
    if (!names.insert(function.name).second)
      return base::Error{fmt::format(
          "Two functions are named \"{}\"; in one library each needs a name of its own.", function.name)};
    BASANITE_TRY(air::MetallibEntry entry, entryFor(function));
    entries.push_back(std::move(entry));
  }
  return air::writeMetallib(entries);
}

} // namespace basanite::shader
