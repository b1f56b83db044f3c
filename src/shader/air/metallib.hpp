// SPDX-License-Identifier: Apache-2.0
// The .metallib container: one module of AIR for each function, with a list of names, kinds and hashes. The
// layout is that of facts/air-and-metallib.md section 1. Nothing here looks into the AIR.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/compiler.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace basanite::shader::air {

// The numbers of the tag TYPE.
enum class MetallibKind : uint8_t {
  vertex,
  fragment,
  kernel,
  unqualified,
  visible,
  external,
  intersection,
  mesh,
  object
};

// With its article, for messages: "a visible function".
const char* aMetallibKind(MetallibKind kind);
std::optional<Stage> stageOf(MetallibKind kind); // none: no stage of a pipeline

struct MetallibVersion {
  uint16_t major = 0, minor = 0;
};

struct MetallibFunction {
  std::string name;
  MetallibKind kind = MetallibKind::kernel;
  MetallibVersion air, language;
  std::array<uint8_t, 32> hash{}; // SHA-256 of `bitcode`
  // From the first byte of the container.
  uint64_t publicOffset = 0, privateOffset = 0, bitcodeOffset = 0;
  // In the wrapper of Darwin's tools, padded. When read: a part of what was read.
  std::span<const uint8_t> bitcode;
  std::vector<VertexAttributeInfo> vertexAttributes;
};

struct Metallib {
  uint16_t platform = 0;
  MetallibVersion container;
  std::vector<MetallibFunction> functions;
};

// `bytes` is a whole file, or a universal file with a container in it; the result points into it. Every
// offset is checked against the file and every hash against the bitcode. Functions have names of their own;
// their bitcode is one and the same or does not overlap. Time and memory grow with the size of the file.
// Error: one sentence with what is wrong and where.
base::Result<Metallib> readMetallib(std::span<const uint8_t> bytes);

// What a function to be written is.
struct MetallibEntry {
  std::string name;
  MetallibKind kind = MetallibKind::kernel;
  MetallibVersion air, language;
  std::vector<uint8_t> bitcode; // wrapped already or not
  std::vector<VertexAttributeInfo> vertexAttributes;
  std::vector<FunctionConstantInfo> constants;
};

// A container as the tools of macOS 26 write it. Error: a name that is too long.
base::Result<std::vector<uint8_t>> writeMetallib(const std::vector<MetallibEntry>& entries);

} // namespace basanite::shader::air
