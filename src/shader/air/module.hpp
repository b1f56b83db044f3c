// SPDX-License-Identifier: Apache-2.0
// Reads AIR: bitcode (or its text form) into an LLVM module, and an entry point's metadata into plain structures.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/compiler.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalVariable;
class LLVMContext;
class MDNode;
class Module;
} // namespace llvm

namespace basanite::shader::air {

// Loads and verifies the AIR that holds a program's function. The module lives in `context`, which the caller owns and
// uses from one thread.
base::Result<std::unique_ptr<llvm::Module>> loadModule(const Program& program, const std::string& function,
                                                       llvm::LLVMContext& context);
// The same for any AIR: bitcode, wrapped or not, or text.
base::Result<std::unique_ptr<llvm::Module>> loadModule(std::span<const uint8_t> air, llvm::LLVMContext& context);

enum class Interpolation : uint8_t { center, centroid, sample, flat };

// One parameter of an entry function.
struct Input {
  unsigned parameter = 0;
  std::string kind;             // "air.buffer", "air.thread_position_in_grid", ...
  uint32_t location = 0;        // air.location_index, or [[color(n)]]
  uint32_t count = 1;
  bool reads = true;
  bool writes = false;
  int addressSpace = -1;        // -1: not stated
  std::string typeName, name;   // air.arg_type_name, air.arg_name
  uint32_t typeSize = 0, typeAlign = 0;
  const llvm::MDNode* members = nullptr; // air.struct_type_info; null: no structure, or none stated
  std::string varying;          // the join key, "user(x)" or "generated(...)"
  Interpolation interpolation = Interpolation::center;
  bool perspective = true;
  bool rasterOrdered = false;   // [[raster_order_group(n)]]
  bool unused = false;
  llvm::GlobalVariable* condition = nullptr; // the constant without whose truth the parameter is not there; null: always there
};

// One member of the value that an entry function returns, in member order.
struct Output {
  std::string kind;             // "air.position", "air.vertex_output", "air.render_target", ...
  std::string varying;
  uint32_t index = 0;           // [[color(n)]]; data number of a mesh's vertex or primitive
  uint32_t dualSource = 0;      // [[index(n)]]
  uint32_t arraySize = 0;       // clip distances
  std::string depthQualifier;   // "air.any", "air.greater", "air.less"
  std::string typeName, name;
  bool invariant = false;
  llvm::GlobalVariable* condition = nullptr; // as Input::condition
  bool present = true;                       // false: the condition is false, and the member is dropped
};

// The mesh argument of a mesh function.
struct MeshType {
  std::vector<Output> vertexOutputs, primitiveOutputs;
  uint32_t maxVertices = 0, maxPrimitives = 0;
  uint32_t indicesPerPrimitive = 3; // 1 points, 2 lines, 3 triangles
};

struct EntryPoint {
  llvm::Function* function = nullptr;
  std::string name;
  Stage stage = Stage::kernel;
  std::vector<Input> inputs;
  std::vector<Output> outputs;
  std::optional<MeshType> mesh; // mesh functions
  uint32_t maxTotalThreadsPerThreadgroup = 0;
  uint32_t maxTotalThreadgroupsPerMeshGrid = 0;
  bool earlyFragmentTests = false;
};

// Stages that run in threadgroups: kernel, object and mesh.
inline bool isGroupStage(Stage stage) { return stage == Stage::kernel || stage == Stage::object || stage == Stage::mesh; }

// One argument, or one resource in an argument buffer, from its node.
Input readInput(const llvm::MDNode& node);

// Error: the names that exist when there is no such function, both stages when it is of another one.
base::Result<EntryPoint> findEntry(llvm::Module& module, Stage stage, const std::string& name);

// An entry function and the module that it lives in. Of the module's other functions only those that the entry or the initial
// values of program-scope constants reach have a body.
struct LoadedEntry {
  std::unique_ptr<llvm::Module> module;
  EntryPoint entry;
};

// Loads as much of a program's AIR as one entry function needs, and verifies it. `context` as in loadModule(). Error: the AIR is
// damaged; as findEntry().
base::Result<LoadedEntry> loadEntry(const Program& program, llvm::LLVMContext& context, Stage stage, const std::string& name);

// The same for the function of a symbol of a dynamic library (Program::exports); the entry has no list of anything.
base::Result<LoadedEntry> loadExport(const Program& program, llvm::LLVMContext& context, const std::string& symbol);

// Decodes the words of a constexpr sampler.
ConstantSampler decodeSampler(uint64_t word0, uint64_t word1);

} // namespace basanite::shader::air
