// SPDX-License-Identifier: Apache-2.0
// What the lowering passes share: one stage on its way from AIR to the form that the SPIR-V printer takes.
//
// The printer's input is LLVM IR in which
//   - the entry function is `void main()`; its arguments and results became calls of the functions named
//   below,
//   - AS 1 and 2 pointers are addresses, AS 0 and 3 pointers are byte offsets into one known object,
//   - loads and stores are of scalars and vectors, memory intrinsics are gone,
//   - control flow is structured, with the merges noted in ControlFlow.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/air/module.hpp"
#include "src/shader/compiler.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>
#include <map>
#include <optional>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <vector>

namespace llvm {
class MemTransferInst;
} // namespace llvm

namespace basanite::shader::lower {

// Internal functions; each is followed by its number where one is stated.
constexpr const char* kInputFunction = "basanite.input.";   // T (): value of input variable n
constexpr const char* kOutputFunction = "basanite.output."; // void (T): stores output variable n
constexpr const char* kRecordFunction = "basanite.record."; // i64 (): word n of the stage's argument record
constexpr const char* kPushFunction = "basanite.push.";     // i32 or <3 x i32> (): push constant at byte n
constexpr const char* kInterpolateFunction =
    "basanite.interpolate."; // <how>.n: T (...): input variable n at another place
constexpr const char* kColorInputFunction =
    "basanite.color_input."; // n.<s|u>: <4 x T> (): this pixel of colour attachment n
constexpr const char* kSampleCountFunction = "basanite.sample_count"; // i32 (): of the pipeline's attachments
constexpr const char* kLocalSizeFunction = "basanite.local_size";     // <3 x i32> ()
constexpr const char* kThreadgroupVariable =
    "basanite.threadgroup."; // AS3 global of a [[threadgroup(n)]] argument
constexpr const char* kElementFunction =
    "basanite.element."; // void (i32..., T): stores at indices of output array n
constexpr const char* kMeshOutputsFunction =
    "basanite.mesh_outputs"; // void (i32, i32): counts of vertices and primitives
constexpr const char* kMeshTasksFunction =
    "basanite.mesh_tasks"; // void (i32, i32, i32): launches them where main returns
constexpr const char* kPayloadVariable = "basanite.payload"; // AS6 global of the [[payload]] argument

// Threads of a simdgroup, as Metal programs count on (the threadExecutionWidth of every Apple GPU).
constexpr unsigned kSimdgroupThreads = 32;

// One SPIR-V Input or Output variable.
struct InterfaceVariable {
  bool isInput = true;
  llvm::Type* type = nullptr;
  std::optional<spv::BuiltIn> builtIn; // else a location
  uint32_t location = 0;
  uint32_t index = 0; // dual source
  bool isSigned = false;
  uint32_t elements = 0; // not 0: an array of them, as mesh functions write
  bool flat = false, noPerspective = false, centroid = false, sample = false, invariant = false,
       perPrimitive = false;
  std::string name;
};

struct Merge {
  llvm::BasicBlock* merge = nullptr;
  llvm::BasicBlock* continueTarget = nullptr; // set: a loop
};

// Where control meets again, and the order to print blocks in.
struct ControlFlow {
  std::vector<llvm::BasicBlock*> order;
  llvm::DenseMap<const llvm::BasicBlock*, Merge> merges; // by header
};

struct VaryingPlace {
  uint32_t location = 0;
  bool perPrimitive = false;
};
using VaryingLocations = std::map<std::string, VaryingPlace>;

// One stage being lowered. Owned by the call that lowers it, used from one thread.
struct Unit {
  llvm::Module& module;
  air::EntryPoint entry;
  const DeviceTraits& traits;
  const RenderRequest* render = nullptr;      // vertex stage: descriptor
  const VaryingLocations* varyings = nullptr; // vertex, mesh and fragment stage
  bool meshPipeline = false;
  bool fragmentReadsPrimitiveId = false; // mesh stage: of the fragment function
  unsigned payloadUnitBytes = 4;         // object and mesh stage: element of the payload array; both agree
  unsigned simdgroupParts = 1;           // threads that each invocation runs: see widen_simdgroups.cpp
  std::vector<llvm::Function*> linkedFunctions; // what number i + 1 in a table of functions stands for; until resolvePointers
  llvm::Function* main = nullptr;        // after bindInterface
  StageBinary binary;
  std::vector<InterfaceVariable> variables;
  std::string depthQualifier;
  bool rasterOrdered = false; // fragment stage: runs in the order of primitives, pixel by pixel
  bool writesStencil = false;
  std::map<const llvm::Function*, ControlFlow> controlFlow;

  // The error of this unit: "Vertex function "f": <what>."
  base::Error error(const std::string& what) const;
  // The same for a place inside `function`, which may be a helper.
  base::Error error(const llvm::Function& function, const std::string& what) const;
};

// "Vertex function "f"", for messages.
std::string titleOf(const air::EntryPoint& entry);

// Drops what the entry function does not reach, and all metadata lists.
base::Result<void> pruneModule(llvm::Module& module, const air::EntryPoint& entry);

// Puts loads and stores before a copy of memory, which stays.
void expandTransfer(llvm::MemTransferInst& transfer);

// ---- the passes, in the order that passes.cpp gives reasons for; the second is pruneModule() ----
base::Result<void> resolvePointers(Unit& unit);
base::Result<void> chooseSimdgroups(Unit& unit);
base::Result<void> expandBfloat(Unit& unit);
base::Result<void> inlineCalls(Unit& unit);
base::Result<void> separateChoices(Unit& unit);
base::Result<void> bindInterface(Unit& unit);
base::Result<void> bindMesh(Unit& unit);
base::Result<void> placeConstants(Unit& unit);
base::Result<void> expandMemory(Unit& unit);
base::Result<void> expandAtomics(Unit& unit);
base::Result<void> expandIntrinsics(Unit& unit);
base::Result<void> splitResults(Unit& unit);
base::Result<void> widenSimdgroups(Unit& unit);
base::Result<void> tidy(Unit& unit);
base::Result<void> splitWideVectors(Unit& unit);
base::Result<void> spellOutAddresses(Unit& unit);
base::Result<void> structurise(Unit& unit);

// All of them.
base::Result<void> runPasses(Unit& unit);

} // namespace basanite::shader::lower
