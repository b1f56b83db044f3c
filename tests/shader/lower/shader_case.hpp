// SPDX-License-Identifier: Apache-2.0
// Fixture of the lowering tests: AIR text or MSL in, SPIR-V assembly out. Links only libbasanite_compiler.
#pragma once

#include "src/shader/compiler.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace basanite::shader::test {

// Traits of a device that can do everything.
DeviceTraits allTraits();

// AIR text with the data layout and triple put before it.
Program airProgram(const std::string& text);
// Fails the test with the diagnostics when the source does not compile.
Program mslProgram(const std::string& source);

// The assembly of a kernel, or "" after a test failure.
std::string kernelAssembly(const Program& program, const std::string& name, const DeviceTraits& traits = allTraits());
StageBinary lowerKernel(const Program& program, const std::string& name, const DeviceTraits& traits = allTraits());
// The error of a kernel that must not lower, or "" (with a test failure) when it does.
std::string kernelError(const Program& program, const std::string& name, const DeviceTraits& traits = allTraits());

RenderBinaries lowerRender(const RenderRequest& request);
std::string renderError(const RenderRequest& request);
MeshBinaries lowerMesh(const MeshRequest& request);
std::string meshError(const MeshRequest& request);
std::string assembly(const StageBinary& binary);

// Expects each fragment to occur in `text`, in order.
void expectInOrder(const std::string& text, const std::vector<std::string>& fragments);
void expectContains(const std::string& text, const std::string& fragment);
void expectLacks(const std::string& text, const std::string& fragment);
size_t countOf(const std::string& text, const std::string& fragment);

} // namespace basanite::shader::test
