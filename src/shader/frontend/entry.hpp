// SPDX-License-Identifier: Apache-2.0
// What the AST says of an entry function, free of clang and LLVM types: the contract between entry_collector and air_module.
#pragma once

#include "src/shader/compiler.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace basanite::shader::frontend {

enum class ScalarKind : uint8_t { boolean, signedInt, unsignedInt, floating };

// A scalar or vector as it crosses the entry's interface.
struct ValueType {
  ScalarKind kind = ScalarKind::floating;
  unsigned bits = 32; // of one component; 8 for bool (its size in memory)
  unsigned lanes = 1;
  std::string name;   // Metal's: "float4"
  bool noPerspective = false; // of an interpolant
};

// One scalar or vector of a [[stage_in]] or result structure, nested structures taken apart.
struct Leaf {
  std::string name;
  ValueType type;
  uint64_t offset = 0;       // bytes from the start of the outermost structure
  unsigned arrayLength = 0;  // [[clip_distance]] only; 0 = not an array
  bool interpolant = false;  // interpolant<T, ...>: a handle crosses instead of the value
  std::vector<std::string> keys; // the node's kind string and what follows it, up to the type name; numbers as "#n"
  std::string condition;     // the variable, mangled, without whose truth it is not there; empty: always
};

// One row of a buffer's struct_type_info.
struct MemberInfo {
  uint32_t offset = 0, size = 0, arrayLength = 0; // size: of one element
  std::string typeName, name;
  std::vector<MemberInfo> members; // of a structure, or of one that a pointer points to
  // What an argument buffer holds: "air.buffer" for pointers, "air.texture", "air.sampler", "air.visible_function_table"; empty for
  // plain values.
  std::string handle;
  std::string access;       // as Parameter::access
  uint32_t argumentIndex = 0; // [[id(n)]], or its place
  // Pointers: what is pointed to.
  unsigned addressSpace = 1;
  uint32_t targetSize = 0, targetAlign = 0;
  std::string targetName;
};

enum class ParameterKind : uint8_t { buffer, texture, sampler, builtin, stageIn, payload, meshOutput, gridProperties, functionTable };

struct Parameter {
  ParameterKind kind = ParameterKind::buffer;
  std::string name;
  std::string typeName;
  uint32_t index = 0;          // [[buffer(n)]], [[texture(n)]], [[sampler(n)]], [[threadgroup(n)]]
  unsigned addressSpace = 1;   // AIR's number; buffers only
  std::string access;          // "air.read", "air.read_write", "air.sample", ...
  bool reference = false;      // a bounded buffer (T&)
  uint32_t count = 0;          // array<texture, n> and its like of samplers and function tables; 0 = no array
  std::optional<uint32_t> rasterOrderGroup;
  uint32_t size = 0, align = 0;
  std::vector<MemberInfo> members;
  ValueType type;              // builtin
  std::vector<std::string> keys; // builtin: as Leaf::keys
  std::vector<Leaf> leaves;    // stageIn
  std::string condition;       // as Leaf::condition
};

// A program-scope variable with [[function_constant(n)]].
struct FunctionConstant {
  std::string name;
  std::string mangledName;
  uint32_t index = 0;
  ValueType type;
};

// What the mesh<...> argument of a mesh function says.
struct MeshType {
  std::vector<Leaf> vertexOutputs, primitiveOutputs;
  uint32_t maxVertices = 0, maxPrimitives = 0;
  std::string topology; // "point", "line" or "triangle"
};

struct Entry {
  Stage stage = Stage::kernel;
  std::string name;            // the API's name
  std::string mangledName;     // of the user's function in the module
  std::vector<Parameter> parameters;
  std::vector<Leaf> outputs;
  bool returnsRecord = false;  // result comes through memory (structure or vector), else it is one scalar
  uint32_t maxTotalThreadsPerThreadgroup = 0;
  uint32_t maxTotalThreadgroupsPerMeshGrid = 0;
  bool earlyFragmentTests = false;
  MeshType mesh;
  // Visible functions only: nothing of the above but the names.
  std::string signature;
  bool stitchable = false;
};

// A function that is called but defined elsewhere.
struct FunctionReference {
  std::string name;        // a visible function's: the API's
  std::string mangledName; // in the module
};

} // namespace basanite::shader::frontend
