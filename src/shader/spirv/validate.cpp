// SPDX-License-Identifier: Apache-2.0
// Validation and disassembly through SPIRV-Tools.
#include "src/shader/spirv/validate.hpp"

#include <spirv-tools/libspirv.hpp>

namespace basanite::shader::spirv {

base::Result<void> validate(const std::vector<uint32_t>& words) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message;
  tools.SetMessageConsumer([&](spv_message_level_t level, const char*, const spv_position_t&, const char* text) {
    if (level <= SPV_MSG_ERROR && message.empty()) message = text;
  });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  if (tools.Validate(words.data(), words.size(), options)) return {};
  return base::Error{message.empty() ? "the module is not valid SPIR-V" : message};
}

base::Result<std::string> disassemble(const std::vector<uint32_t>& words) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message, text;
  tools.SetMessageConsumer([&](spv_message_level_t, const char*, const spv_position_t&, const char* what) {
    if (message.empty()) message = what;
  });
  if (tools.Disassemble(words, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES))
    return text;
  return base::Error{"The SPIR-V module could not be disassembled: " + message + "."};
}

} // namespace basanite::shader::spirv
