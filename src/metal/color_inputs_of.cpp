// SPDX-License-Identifier: Apache-2.0
// Finds the input attachments of a SPIR-V module, and the class of what they hold.
#include "src/metal/color_inputs_of.hpp"

#include <fmt/format.h>
#include <map>
#include <span>
#include <spirv/unified1/spirv.hpp11>

namespace basanite::metal {

namespace {

using Words = std::span<const uint32_t>;

// What is declared in a module, by result id; the words behind the instruction's first.
struct Declarations {
  std::map<uint32_t, std::pair<spv::Op, Words>> types;
  std::map<uint32_t, uint32_t> pointerOf;  // of variables: the id of their type
  std::map<uint32_t, uint32_t> attachment; // of variables: their input attachment
};

bool collect(Words module, Declarations& found) {
  constexpr size_t kHeaderWords = 5;
  for (size_t at = kHeaderWords; at < module.size();) {
    const uint32_t length = module[at] >> spv::WordCountShift;
    const auto op = static_cast<spv::Op>(module[at] & spv::OpCodeMask);
    if (length == 0 || length > module.size() - at) return false;
    const Words operands = module.subspan(at + 1, length - 1);
    at += length;
    if (op == spv::Op::OpFunction) return true; // every declaration stands ahead of the code
    const bool type = op == spv::Op::OpTypeFloat || op == spv::Op::OpTypeInt || op == spv::Op::OpTypeImage ||
                      op == spv::Op::OpTypePointer;
    if (type && operands.size() >= 2) found.types[operands[0]] = {op, operands};
    if (op == spv::Op::OpVariable && operands.size() >= 2) found.pointerOf[operands[1]] = operands[0];
    if (op == spv::Op::OpDecorate && operands.size() >= 3 &&
        operands[1] == static_cast<uint32_t>(spv::Decoration::InputAttachmentIndex))
      found.attachment[operands[0]] = operands[2];
  }
  return true;
}

// The operands of the type `id` when it is of that kind and has as many.
Words typeOf(const Declarations& found, uint32_t id, spv::Op op, size_t least) {
  auto type = found.types.find(id);
  if (type == found.types.end() || type->second.first != op || type->second.second.size() < least) return {};
  return type->second.second;
}

} // namespace

base::Result<std::array<shader::ColorClass, shader::kMaxColorOutputs>>
colorInputsOf(const shader::StageBinary& fragment) {
  std::array<shader::ColorClass, shader::kMaxColorOutputs> classes{};
  Declarations found;
  if (!collect(fragment.spirv, found))
    return base::Error{"The fragment function's SPIR-V ends in the middle of an instruction."};
  for (const auto& [variable, index] : found.attachment) {
    const Words pointer = typeOf(found, found.pointerOf[variable], spv::Op::OpTypePointer, 3);
    const Words image = pointer.empty() ? Words{} : typeOf(found, pointer[2], spv::Op::OpTypeImage, 2);
    if (index >= classes.size() || image.empty())
      return base::Error{
          fmt::format("The fragment function's SPIR-V has an input attachment {} that is no color "
                      "attachment.",
                      index)};
    const Words integer = typeOf(found, image[1], spv::Op::OpTypeInt, 3);
    classes[index] = integer.empty() ? shader::ColorClass::floating
                     : integer[2]    ? shader::ColorClass::signedInteger
                                     : shader::ColorClass::unsignedInteger;
  }
  return classes;
}

} // namespace basanite::metal
