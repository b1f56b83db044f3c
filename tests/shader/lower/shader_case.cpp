// SPDX-License-Identifier: Apache-2.0
// Implementation of shader_case.hpp.
#include "tests/shader/lower/shader_case.hpp"

namespace basanite::shader::test {

namespace {

constexpr const char* kHeader =
    "target datalayout = \"e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64-v16:16:16-v24:32:32-"
    "v32:32:32-v48:64:64-v64:64:64-v96:128:128-v128:128:128-v192:256:256-v256:256:256-v512:512:512-v1024:1024:1024-n8:16:32\"\n"
    "target triple = \"air64_v28-apple-macosx26.0.0\"\n";

Compiler& compiler() { return *basanite_compiler_instance(); }

} // namespace

DeviceTraits allTraits() {
  DeviceTraits traits;
  traits.float16 = traits.int8 = traits.int16 = traits.storage8 = traits.storage16 = traits.workgroupExplicitLayout = true;
  return traits;
}

Program airProgram(const std::string& text) {
  std::string whole = kHeader + text;
  Program program;
  program.air.assign(whole.begin(), whole.end());
  return program;
}

Program mslProgram(const std::string& source) {
  auto result = compiler().compileSource(source, {});
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(result).value();
}

StageBinary lowerKernel(const Program& program, const std::string& name, const DeviceTraits& traits) {
  KernelRequest request;
  request.kernel = {&program, name};
  request.traits = traits;
  auto result = compiler().lowerKernel(request);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(result).value();
}

std::string assembly(const StageBinary& binary) {
  if (binary.spirv.empty()) return {};
  auto text = compiler().disassembleSpirv(binary.spirv);
  if (!text.ok()) {
    ADD_FAILURE() << text.error().message;
    return {};
  }
  return std::move(text).value();
}

std::string kernelAssembly(const Program& program, const std::string& name, const DeviceTraits& traits) {
  return assembly(lowerKernel(program, name, traits));
}

std::string kernelError(const Program& program, const std::string& name, const DeviceTraits& traits) {
  KernelRequest request;
  request.kernel = {&program, name};
  request.traits = traits;
  auto result = compiler().lowerKernel(request);
  if (!result.ok()) return result.error().message;
  ADD_FAILURE() << name << " lowered:\n" << assembly(*result);
  return {};
}

RenderBinaries lowerRender(const RenderRequest& request) {
  auto result = compiler().lowerRender(request);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(result).value();
}

std::string renderError(const RenderRequest& request) {
  auto result = compiler().lowerRender(request);
  if (!result.ok()) return result.error().message;
  ADD_FAILURE() << "the pipeline lowered";
  return {};
}

MeshBinaries lowerMesh(const MeshRequest& request) {
  auto result = compiler().lowerMesh(request);
  if (!result.ok()) {
    ADD_FAILURE() << result.error().message;
    return {};
  }
  return std::move(result).value();
}

std::string meshError(const MeshRequest& request) {
  auto result = compiler().lowerMesh(request);
  if (!result.ok()) return result.error().message;
  ADD_FAILURE() << "the pipeline lowered";
  return {};
}

void expectInOrder(const std::string& text, const std::vector<std::string>& fragments) {
  size_t from = 0;
  for (const std::string& fragment : fragments) {
    size_t at = text.find(fragment, from);
    if (at == std::string::npos) {
      ADD_FAILURE() << "missing (in this order): " << fragment << "\nin:\n" << text;
      return;
    }
    from = at + fragment.size();
  }
}

void expectContains(const std::string& text, const std::string& fragment) {
  EXPECT_NE(text.find(fragment), std::string::npos) << "missing: " << fragment << "\nin:\n" << text;
}

void expectLacks(const std::string& text, const std::string& fragment) {
  EXPECT_EQ(text.find(fragment), std::string::npos) << "unwanted: " << fragment << "\nin:\n" << text;
}

size_t countOf(const std::string& text, const std::string& fragment) {
  size_t count = 0;
  for (size_t at = text.find(fragment); at != std::string::npos; at = text.find(fragment, at + fragment.size())) ++count;
  return count;
}

} // namespace basanite::shader::test
