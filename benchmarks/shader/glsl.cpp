// SPDX-License-Identifier: Apache-2.0
// Implementation of glsl.hpp.
#include "benchmarks/shader/glsl.hpp"

#include "benchmarks/harness/options.hpp"

#include <glslang/Public/ResourceLimits.h>
#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>
#include <spirv-tools/optimizer.hpp>

namespace basanite::benchmarks {

void openGlsl() { glslang::InitializeProcess(); }
void closeGlsl() { glslang::FinalizeProcess(); }

std::vector<uint32_t> compileGlsl(const std::string& source, GlslStage stage) {
  const EShLanguage language = stage == GlslStage::fragment ? EShLangFragment : EShLangCompute;
  glslang::TShader shader(language);
  const char* text = source.c_str();
  shader.setStrings(&text, 1);
  shader.setEnvInput(glslang::EShSourceGlsl, language, glslang::EShClientVulkan, 460);
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_3);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_6);
  const auto messages = static_cast<EShMessages>(EShMsgSpvRules | EShMsgVulkanRules);
  if (!shader.parse(GetDefaultResources(), 460, false, messages))
    fail(std::string("glslang: ") + shader.getInfoLog());
  glslang::TProgram program;
  program.addShader(&shader);
  if (!program.link(messages)) fail(std::string("glslang: ") + program.getInfoLog());
  std::vector<uint32_t> words;
  glslang::GlslangToSpv(*program.getIntermediate(language), words);
  return words;
}

std::vector<uint32_t> optimised(const std::vector<uint32_t>& spirv) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.RegisterPerformancePasses();
  std::vector<uint32_t> words;
  if (!optimizer.Run(spirv.data(), spirv.size(), &words)) fail("spirv-opt cannot optimise a twin.");
  return words;
}

} // namespace basanite::benchmarks
