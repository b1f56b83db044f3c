// SPDX-License-Identifier: Apache-2.0
// A compiler that does each call with room for deep recursion, whatever stack its caller has.
#pragma once

#include "src/shader/compiler.hpp"
#include "src/shader/roomy_thread.hpp"

namespace basanite::shader {

// `Inner` is a Compiler; as thread-safe as it.
template <class Inner> class RoomyCompiler final : public Compiler {
 public:
  base::Result<Program> compileSource(std::string_view source, const SourceOptions& options) override {
    return roomy([&] { return m_inner.compileSource(source, options); });
  }
  base::Result<Program> readLibrary(std::span<const uint8_t> bytes) override {
    return roomy([&] { return m_inner.readLibrary(bytes); });
  }
  base::Result<std::vector<uint8_t>> writeLibrary(const std::vector<FunctionRef>& functions) override {
    return roomy([&] { return m_inner.writeLibrary(functions); });
  }
  base::Result<Program> stitch(const StitchRequest& request) override {
    return roomy([&] { return m_inner.stitch(request); });
  }
  base::Result<RenderBinaries> lowerRender(const RenderRequest& request) override {
    return roomy([&] { return m_inner.lowerRender(request); });
  }
  base::Result<MeshBinaries> lowerMesh(const MeshRequest& request) override {
    return roomy([&] { return m_inner.lowerMesh(request); });
  }
  base::Result<StageBinary> lowerKernel(const KernelRequest& request) override {
    return roomy([&] { return m_inner.lowerKernel(request); });
  }
  base::Result<StageBinary> lowerFunction(const FunctionRef& function, const DeviceTraits& traits) override {
    return roomy([&] { return m_inner.lowerFunction(function, traits); });
  }
  base::Result<std::vector<FunctionConstantInfo>> functionConstants(const FunctionRef& function,
                                                                    Stage stage) override {
    return roomy([&] { return m_inner.functionConstants(function, stage); });
  }
  base::Result<std::vector<ArgumentReflection>> reflect(const FunctionRef& function, Stage stage) override {
    return roomy([&] { return m_inner.reflect(function, stage); });
  }
  base::Result<std::string> disassembleAir(const Program& program) override {
    return roomy([&] { return m_inner.disassembleAir(program); });
  }
  base::Result<std::string> disassembleSpirv(const std::vector<uint32_t>& spirv) override {
    return roomy([&] { return m_inner.disassembleSpirv(spirv); });
  }

 private:
  Inner m_inner;
};

} // namespace basanite::shader
