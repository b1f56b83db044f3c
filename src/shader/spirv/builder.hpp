// SPDX-License-Identifier: Apache-2.0
// Builds one SPIR-V module word by word: deduplicated types and constants, decorations, functions. Knows no LLVM.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace basanite::shader::spirv {

using Id = uint32_t;

// What distinguishes one OpTypeImage from another here (the format is always Unknown but for atomics).
struct ImageShape {
  spv::Dim dim = spv::Dim::Dim2D;
  Id sampledType = 0;
  bool depth = false;
  bool arrayed = false;
  bool multisampled = false;
  bool storage = false;
  spv::ImageFormat format = spv::ImageFormat::Unknown;
  auto operator<=>(const ImageShape&) const = default;
};

// One module under construction; not thread-safe. Instructions go to the function that is open.
class Builder {
 public:
  Id newId() { return m_nextId++; }

  void capability(spv::Capability capability) { m_capabilities.insert(static_cast<uint32_t>(capability)); }
  void extension(std::string_view name) { m_extensions.insert(std::string(name)); }

  Id typeVoid();
  Id typeBool();
  Id typeInt(unsigned width, bool isSigned = false);
  Id typeFloat(unsigned width);
  Id typeVector(Id element, unsigned count);
  Id typeArray(Id element, Id length);
  Id typeRuntimeArray(Id element);
  Id typeStruct(std::span<const Id> members);
  Id typeBlock(std::span<const Id> members); // never shared, so that it can carry layout decorations
  Id typePointer(spv::StorageClass storage, Id pointee);
  Id typeFunction(Id result, std::span<const Id> parameters);
  Id typeImage(const ImageShape& shape);
  Id typeSampler();
  Id typeSampledImage(Id image);

  Id constantBool(bool value);
  Id constantInt(unsigned width, uint64_t value, bool isSigned = false);
  Id constantU32(uint32_t value) { return constantInt(32, value); }
  Id constantFloatBits(unsigned width, uint64_t bits);
  Id constantNull(Id type);
  Id constantComposite(Id type, std::span<const Id> members);
  Id specConstantU32(uint32_t specId, uint32_t value);
  Id specConstantComposite(Id type, std::span<const Id> members);
  Id specConstantOp(spv::Op op, Id type, std::initializer_list<Id> operands);

  // The value of an integer constant made by constantInt.
  std::optional<uint64_t> constantValue(Id id) const;

  // Declares a variable outside functions and lists it in the entry point's interface.
  Id globalVariable(spv::StorageClass storage, Id pointee, Id initializer = 0);

  void name(Id id, std::string_view text);
  void decorate(Id id, spv::Decoration decoration, std::initializer_list<uint32_t> operands = {});
  void memberDecorate(Id type, uint32_t member, spv::Decoration decoration, std::initializer_list<uint32_t> operands = {});
  void executionMode(Id function, spv::ExecutionMode mode, std::initializer_list<uint32_t> operands = {});
  void entryPoint(spv::ExecutionModel model, Id function, std::string_view name);

  void beginFunction(Id function, Id result, Id functionType);
  Id functionParameter(Id type);
  void endFunction();
  void label(Id block);

  Id emit(spv::Op op, Id type, std::span<const uint32_t> operands);
  Id emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return emit(op, type, std::span<const uint32_t>(operands.begin(), operands.size()));
  }
  // With a result id chosen before (forward references of phis and blocks).
  void emitAs(Id result, spv::Op op, Id type, std::span<const uint32_t> operands);
  void emitVoid(spv::Op op, std::span<const uint32_t> operands);
  void emitVoid(spv::Op op, std::initializer_list<uint32_t> operands) {
    emitVoid(op, std::span<const uint32_t>(operands.begin(), operands.size()));
  }
  Id glsl(GLSLstd450 instruction, Id type, std::initializer_list<Id> operands);

  // The finished module; the builder is spent afterwards.
  std::vector<uint32_t> finish();

 private:
  using Words = std::vector<uint32_t>;
  Id declare(spv::Op op, Id type, std::span<const uint32_t> operands);
  Id declare(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return declare(op, type, std::span<const uint32_t>(operands.begin(), operands.size()));
  }
  Id glslSet();

  Id m_nextId = 1;
  Id m_glslSet = 0;
  std::set<uint32_t> m_capabilities;
  std::set<std::string> m_extensions;
  std::map<Words, Id> m_declared;
  std::unordered_map<Id, uint64_t> m_constantValues;
  std::map<std::pair<uint32_t, uint32_t>, Id> m_specConstants;
  std::vector<Id> m_interface;
  Words m_entryPoint, m_executionModes, m_names, m_decorations, m_declarations, m_code;
  std::set<Words> m_decorated;
};

// Appends text as SPIR-V's literal string: zero-terminated, padded to words.
void appendText(std::vector<uint32_t>& words, std::string_view text);

} // namespace basanite::shader::spirv
