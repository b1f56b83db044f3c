// SPDX-License-Identifier: Apache-2.0
// The one door of the shader compiler: MSL or AIR in, SPIR-V and binding lists out. No Vulkan, no LLVM, no
// API types. The implementation lives in libbasanite_compiler, which loadCompiler() (src/shader/loader.cpp)
// opens on first use, so that the runtime library links no LLVM. Every method is thread-safe; results are
// plain values owned by the caller.
#pragma once

#include "src/base/result.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace basanite::shader {

// `visible` is no stage of a pipeline: functions of that kind are called by those of the stages that are
// linked with them.
enum class Stage : uint8_t { vertex, fragment, kernel, object, mesh, visible };

// As MSL writes them.
constexpr const char* stageName(Stage stage) {
  constexpr const char* kNames[] = {"vertex", "fragment", "kernel", "object", "mesh", "visible"};
  return kNames[static_cast<size_t>(stage)];
}
// With its article, for messages: "an object".
inline std::string aStage(Stage stage) {
  return std::string(stage == Stage::object ? "an " : "a ") + stageName(stage);
}

// ---- front end: source to program
// ------------------------------------------------------------------------------

// What floating-point arithmetic may assume and rearrange; MTL::MathMode's numbers.
enum class MathMode : uint8_t {
  safe,    // nothing
  relaxed, // rearranges, but keeps infinities and NaN
  fast,    // rearranges, and takes infinities and NaN for impossible
};

struct SourceOptions {
  std::string name = "program_source"; // file name in diagnostics
  std::vector<std::pair<std::string, std::string>> macros;
  std::vector<std::string> includeDirectories;
  MathMode mathMode = MathMode::fast;
  // Whether functions such as sin(), named without fast:: or precise::, are the fast ones. Those that treat
  // NaN in a way of their own (fmin, clamp, ...) are fast under MathMode::fast only.
  bool fastFunctions = true;
  // Vertex and mesh functions compute equal positions from equal expressions: their positions are
  // [[invariant]], and nothing in them is rearranged.
  bool preserveInvariance = false;
  uint32_t maxTotalThreadsPerThreadgroup =
      0; // of kernels that do not say themselves; 0 = no limit of their own
  bool warningsAsErrors = false;
  uint32_t languageVersion = 0;   // MTL::LanguageVersion (major << 16 | minor); 0 = newest
  unsigned optimizationLevel = 2; // 0..3
  bool color = false;             // ANSI colours in diagnostics
  // A dynamic library: programs that are linked with it may call its functions (Program::exports).
  bool dynamicLibrary = false;
  // Functions without a body that the program may call: exports of the libraries that it is to be linked
  // with.
  std::vector<std::string> importedSymbols;
  bool anySymbols = false; // a function without a body is no error: pipelines are linked with what defines it
};

// MTL::DataType's numbers, so that reflection needs no table on the way to the API.
using DataType = uint32_t;

struct VertexAttributeInfo {
  std::string name;
  uint32_t index = 0; // [[attribute(n)]]
  DataType type = 0;
};

// A function constant that a function reads or that decides on one of its arguments.
struct FunctionConstantInfo {
  std::string name;
  DataType type = 0;
  uint32_t index = 0;   // [[function_constant(n)]]
  bool required = true; // false: the program asks whether it has a value
};

struct FunctionInfo {
  std::string name; // host_name where given
  Stage stage = Stage::kernel;
  std::vector<VertexAttributeInfo> vertexAttributes; // vertex functions with [[stage_in]]
  uint32_t maxTotalThreadsPerThreadgroup = 0;        // from the attribute; 0 = none
  std::string signature;   // visible functions: "float(float, device int*)"; empty where it is not known
  bool stitchable = false; // visible functions: may stand in a graph
};

// A function of a library file that no pipeline can use.
struct UnusableFunction {
  std::string name;
  std::string kind; // with its article: "a visible function"
};

// A compiled library: AIR-dialect LLVM bitcode and what the API must know of its functions. Immutable.
struct Program {
  std::vector<uint8_t> air;
  std::vector<FunctionInfo> functions;
  // A library file has a module for each of its functions: one for each of `functions` (never null; several
  // may share one), and `air` is empty.
  std::vector<std::shared_ptr<const std::vector<uint8_t>>> functionAir;
  std::vector<UnusableFunction> unusable;
  std::string warnings;                   // diagnostics text of a successful compile; empty when clean
  std::vector<std::string> includedFiles; // the user's, as clang found them; not the source itself
  std::vector<std::string> exports;       // symbols of a dynamic library's functions
};

// ---- back end: program to SPIR-V
// ---------------------------------------------------------------------------------

// What the device can do, as far as code generation depends on it. Filled from src/vulkan's device limits.
struct DeviceTraits {
  uint32_t subgroupSize = 32;
  bool float16 = false;
  bool int8 = false;
  bool int16 = false;
  bool storage8 = false;
  bool storage16 = false;
  bool workgroupExplicitLayout = false;
  bool demote = true;
  bool fragmentBarycentric = false;
  bool minLod = false; // min_lod_clamp where the level follows from derivatives or gradients
  bool int64Atomics = false;
  // No pipeline of this version can use kernelStageIn, whatever the device has: tools and tests set it.
  bool pixelInterlock = false; // [[raster_order_group(n)]]
  bool texelBuffers = false;   // texture_buffer, at the bindings that src/base/shader_abi.hpp names for it
  bool stencilExport = false;  // [[stencil]] results
  bool colorInputs =
      false; // [[color(n)]] inputs: input attachments, at the set that src/base/shader_abi.hpp names
  bool kernelStageIn = false; // [[stage_in]] of kernels, as a vertex descriptor that steps by thread
};

struct FunctionConstantValue {
  std::string name; // empty: by index
  uint32_t index = 0;
  DataType type = 0;          // must be the constant's
  std::vector<uint8_t> bytes; // as in memory
};

struct LinkedFunctions;

struct FunctionRef {
  const Program* program = nullptr; // not owned; alive during the call
  std::string name;
  std::vector<FunctionConstantValue> constants; // of those given twice the last one counts
  const LinkedFunctions* linked = nullptr;      // not owned; null: nothing
  std::string alias; // of a linked function: what those that call it by name say; empty: its name
};

// What a function of a stage is linked with when a pipeline is made. The functions are visible ones.
struct LinkedFunctions {
  // What tables of functions may lead to. The number i + 1 in a table stands for functions[i].
  std::vector<FunctionRef> functions;
  std::vector<FunctionRef> privateFunctions; // called by name only
  std::vector<const Program*> libraries;     // dynamic ones; of two that define a function the first counts
};

// Vertex fetch happens in the shader; these come from the vertex descriptor. Formats and step functions are
// MTL::VertexFormat / MTL::VertexStepFunction numbers.
struct VertexFetchAttribute {
  uint32_t attributeIndex = 0;
  uint32_t format = 0;
  uint32_t bufferIndex = 0;
  uint32_t offset = 0;
};
struct VertexFetchLayout {
  uint32_t bufferIndex = 0;
  uint32_t stride = 0;       // bytes
  uint32_t stepFunction = 1; // 0 constant, 1 per vertex, 2 per instance
  uint32_t stepRate = 1;
};

// ---- stitching: visible functions made of calls ----

struct StitchedArgument {
  bool isInput = true; // of the stitched function; else the result of a node
  uint32_t index = 0;
};
struct StitchedNode {
  std::string function; // in StitchRequest::functions
  std::vector<StitchedArgument> arguments;
  std::vector<uint32_t> after; // nodes that must have run, besides those whose results it takes
};
// Every node runs once, in this order as far as the nodes' dependencies let it.
struct StitchedGraph {
  std::string name;
  std::vector<StitchedNode> nodes;
  std::optional<uint32_t> output; // the node whose result is the function's; none: it has none
};
struct StitchRequest {
  std::vector<StitchedGraph> graphs;
  std::vector<FunctionRef> functions; // visible ones
};

struct RenderRequest {
  FunctionRef vertex;
  std::optional<FunctionRef> fragment;
  std::vector<VertexFetchAttribute> attributes;
  std::vector<VertexFetchLayout> layouts;
  DeviceTraits traits;
};

struct MeshRequest {
  std::optional<FunctionRef> object;
  FunctionRef mesh;
  std::optional<FunctionRef> fragment;
  uint32_t payloadBytes = 0; // 0: what the functions' [[payload]] arguments take
  DeviceTraits traits;
};

struct KernelRequest {
  FunctionRef kernel;
  DeviceTraits traits;
};

// ---- reflection: a function's arguments as its source has them ----

struct MemberReflection;

// A type in memory. Enumerations carry the numbers of MTL::DataType, MTL::TextureType and MTL::BindingAccess.
struct TypeReflection {
  DataType dataType = 0;                 // 0: not known
  uint32_t size = 0, align = 0;          // bytes; 0 not known
  std::vector<MemberReflection> members; // of a structure
  // Of an array its element, of a pointer what it points to (none: not known, or a type that points to
  // itself).
  std::vector<TypeReflection> element;
  uint32_t arrayLength = 0, stride = 0; // of an array; stride in bytes
  // Of a pointer, texture or sampler.
  uint32_t access = 0;
  uint32_t textureType = 2;
  DataType textureDataType = 0;
  bool depthTexture = false;
};

struct MemberReflection {
  std::string name;
  uint32_t offset = 0;        // bytes
  uint32_t argumentIndex = 0; // [[id(n)]], or the place among the structure's members
  TypeReflection type;
};

enum class ArgumentKind : uint8_t { buffer, threadgroup, texture, sampler, payload, functionTable };

struct ArgumentReflection {
  ArgumentKind kind = ArgumentKind::buffer;
  std::string name;
  uint32_t index = 0;       // [[buffer(n)]] and its kin
  uint32_t arrayLength = 1; // of an array of textures or samplers
  bool used = true;
  uint32_t access = 0; // MTL::BindingAccess
  TypeReflection type; // what a buffer holds; a texture's or sampler's own
};

enum class BindingKind : uint8_t { buffer, texture, sampler, constantSampler, constantData, functionTable };

// Values of MTL::TextureType.
using TextureType = uint32_t;

// One word of the stage's argument record (src/base/shader_abi.hpp), in record order.
struct Binding {
  BindingKind kind = BindingKind::buffer;
  uint32_t index = 0; // Metal's [[buffer(n)]] (also of a functionTable) / [[texture(n)]] / [[sampler(n)]];
                      // constantSampler: index into constantSamplers
  std::string name; // the argument's name in the source; empty for vertex-descriptor buffers
  bool reads = true;
  bool writes = false;
  uint32_t dataSize = 0; // buffers: bytes of the pointee type; 0 unknown
  uint32_t dataAlign = 0;
  TextureType textureType = 2;
  bool depthTexture = false;
  std::string signature; // functionTable: of the functions in it, as in FunctionInfo
};

// Bytes; no type of MSL needs more.
constexpr uint32_t kConstantDataAlign = 256;

// A constexpr sampler, decoded. Enumerations carry the numbers of MTL::Sampler*.
struct ConstantSampler {
  uint32_t minFilter = 0, magFilter = 0, mipFilter = 0;
  uint32_t addressS = 0, addressT = 0, addressR = 0;
  uint32_t borderColor = 0,
           compareFunction = 0; // compareFunction: MTL::CompareFunction; 0 (Never) = no comparison
  uint32_t maxAnisotropy = 1;
  float lodMin = 0, lodMax = 3.4e38f, lodBias = 0;
  bool normalizedCoordinates = true;
};

// What the component type of a colour output and that of an attachment's format must agree in.
enum class ColorClass : uint8_t { none, floating, signedInteger, unsignedInteger };
constexpr size_t kMaxColorOutputs = 8;

struct StageBinary {
  Stage stage = Stage::kernel;
  std::vector<uint32_t> spirv; // validated; entry point "main"
  std::vector<Binding> bindings;
  std::vector<ArgumentReflection>
      arguments; // those that its function constants leave it, in the order of the source
  std::vector<ConstantSampler> constantSamplers;
  // What a constantData binding points to: program-scope tables, to be kept at an address aligned to
  // kConstantDataAlign.
  std::vector<uint8_t> constantData;
  // fragment
  uint32_t colorOutputs = 0; // bit n: writes [[color(n)]]
  std::array<ColorClass, kMaxColorOutputs> colorClasses{};
  bool writesDepth = false;
  bool discards = false;
  // kernel, object and mesh
  uint32_t maxTotalThreadsPerThreadgroup = 0;
  uint32_t staticThreadgroupBytes = 0;
  std::vector<uint32_t> threadgroupArguments; // indices of [[threadgroup(n)]] arguments
  // object
  uint32_t maxTotalThreadgroupsPerMeshGrid = 0; // from the attribute; 0 = none
  // object and mesh
  uint32_t payloadBytes = 0; // of the payload that both stages declare; 0 = none
  // mesh
  uint32_t maxVertices = 0, maxPrimitives = 0;
  uint32_t vertexComponents = 0, primitiveComponents = 0; // 32-bit outputs of one vertex, of one primitive
};

struct RenderBinaries {
  StageBinary vertex;
  std::optional<StageBinary> fragment;
};

struct MeshBinaries {
  std::optional<StageBinary> object;
  StageBinary mesh;
  std::optional<StageBinary> fragment;
};

class Compiler {
 public:
  virtual ~Compiler() = default;

  // MSL source to a program. The error's message is the full diagnostics text: file:line:column, the source
  // line and a caret.
  virtual base::Result<Program> compileSource(std::string_view source, const SourceOptions& options) = 0;

  // The functions of a .metallib file, Apple's or ours (or of the one in a universal file); `bytes` is the
  // whole file. Error: what is damaged and where, or what kind of library cannot be used.
  virtual base::Result<Program> readLibrary(std::span<const uint8_t> bytes) = 0;
  // A .metallib file of these functions; their constants are not looked at. Error: two of one name, a name
  // that does not exist.
  virtual base::Result<std::vector<uint8_t>> writeLibrary(const std::vector<FunctionRef>& functions) = 0;

  // A program with a visible function for each graph. Error: what does not fit, with the graph's name and the
  // number of the node.
  virtual base::Result<Program> stitch(const StitchRequest& request) = 0;

  // Links and lowers the functions of a pipeline. Errors name the function, and for a varying that no vertex
  // stage writes, both functions and the varying. An unknown function name lists the names that exist.
  virtual base::Result<RenderBinaries> lowerRender(const RenderRequest& request) = 0;
  virtual base::Result<MeshBinaries> lowerMesh(const MeshRequest& request) = 0;
  virtual base::Result<StageBinary> lowerKernel(const KernelRequest& request) = 0;

  // Lowers one function of any stage by itself, for tools: varyings take locations in the order of the
  // function's interface, vertex attributes are read tightly packed from the highest buffer index that the
  // function leaves free, function constants without a value are zero.
  virtual base::Result<StageBinary> lowerFunction(const FunctionRef& function,
                                                  const DeviceTraits& traits) = 0;

  // The function constants that the function depends on. `function.constants` is not looked at.
  virtual base::Result<std::vector<FunctionConstantInfo>> functionConstants(const FunctionRef& function,
                                                                            Stage stage) = 0;

  // The function's arguments. Without `function.constants` those that depend on function constants are among
  // them; with them, those that they leave.
  virtual base::Result<std::vector<ArgumentReflection>> reflect(const FunctionRef& function, Stage stage) = 0;

  // Text forms for tools and tests. A library file's functions follow each other, each under a comment; those
  // that no pipeline can use are comments only.
  virtual base::Result<std::string> disassembleAir(const Program& program) = 0;
  virtual base::Result<std::string> disassembleSpirv(const std::vector<uint32_t>& spirv) = 0;
};

// The process-wide compiler, opened on first use (thread-safe). Searches beside libbasanite, then the
// loader's path; BASANITE_COMPILER names another file. Error: one sentence with what was tried.
base::Result<Compiler*> loadCompiler();

} // namespace basanite::shader

// What libbasanite_compiler exports. The returned object lives as long as the process.
extern "C" basanite::shader::Compiler* basanite_compiler_instance();
