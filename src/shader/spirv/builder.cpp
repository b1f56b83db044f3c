// SPDX-License-Identifier: Apache-2.0
// Word-level construction of a SPIR-V module.
#include "src/shader/spirv/builder.hpp"

namespace basanite::shader::spirv {

namespace {

constexpr uint32_t kVersion = 0x00010600; // SPIR-V 1.6, Vulkan 1.3's

void append(std::vector<uint32_t>& words, spv::Op op, std::span<const uint32_t> operands) {
  words.push_back(static_cast<uint32_t>((operands.size() + 1) << 16) | static_cast<uint32_t>(op));
  words.insert(words.end(), operands.begin(), operands.end());
}

void append(std::vector<uint32_t>& words, spv::Op op, std::initializer_list<uint32_t> operands) {
  append(words, op, std::span<const uint32_t>(operands.begin(), operands.size()));
}

} // namespace

void appendText(std::vector<uint32_t>& words, std::string_view text) {
  uint32_t word = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size()) word |= static_cast<uint32_t>(static_cast<uint8_t>(text[i])) << (8 * (i % 4));
    if (i % 4 == 3 || i == text.size()) {
      words.push_back(word);
      word = 0;
    }
  }
}

Id Builder::declare(spv::Op op, Id type, std::span<const uint32_t> operands) {
  Words key{static_cast<uint32_t>(op), type};
  key.insert(key.end(), operands.begin(), operands.end());
  auto [entry, isNew] = m_declared.try_emplace(std::move(key), 0);
  if (!isNew) return entry->second;
  Id id = newId();
  entry->second = id;
  Words words;
  if (type) words.push_back(type);
  words.push_back(id);
  words.insert(words.end(), operands.begin(), operands.end());
  append(m_declarations, op, words);
  return id;
}

Id Builder::typeVoid() { return declare(spv::Op::OpTypeVoid, 0, {}); }
Id Builder::typeBool() { return declare(spv::Op::OpTypeBool, 0, {}); }

Id Builder::typeInt(unsigned width, bool isSigned) {
  if (width == 8) capability(spv::Capability::Int8);
  if (width == 16) capability(spv::Capability::Int16);
  if (width == 64) capability(spv::Capability::Int64);
  return declare(spv::Op::OpTypeInt, 0, {width, isSigned ? 1u : 0u});
}

Id Builder::typeFloat(unsigned width) {
  if (width == 16) capability(spv::Capability::Float16);
  return declare(spv::Op::OpTypeFloat, 0, {width});
}

Id Builder::typeVector(Id element, unsigned count) { return declare(spv::Op::OpTypeVector, 0, {element, count}); }
Id Builder::typeArray(Id element, Id length) { return declare(spv::Op::OpTypeArray, 0, {element, length}); }
Id Builder::typeRuntimeArray(Id element) { return declare(spv::Op::OpTypeRuntimeArray, 0, {element}); }
Id Builder::typeStruct(std::span<const Id> members) { return declare(spv::Op::OpTypeStruct, 0, members); }

Id Builder::typeBlock(std::span<const Id> members) {
  Id id = newId();
  Words words{id};
  words.insert(words.end(), members.begin(), members.end());
  append(m_declarations, spv::Op::OpTypeStruct, words);
  decorate(id, spv::Decoration::Block);
  return id;
}

Id Builder::typePointer(spv::StorageClass storage, Id pointee) {
  return declare(spv::Op::OpTypePointer, 0, {static_cast<uint32_t>(storage), pointee});
}

Id Builder::typeFunction(Id result, std::span<const Id> parameters) {
  Words words{result};
  words.insert(words.end(), parameters.begin(), parameters.end());
  return declare(spv::Op::OpTypeFunction, 0, words);
}

Id Builder::typeImage(const ImageShape& shape) {
  return declare(spv::Op::OpTypeImage, 0,
                 {shape.sampledType, static_cast<uint32_t>(shape.dim), shape.depth ? 1u : 0u, shape.arrayed ? 1u : 0u,
                  shape.multisampled ? 1u : 0u, shape.storage ? 2u : 1u,
                  static_cast<uint32_t>(shape.format)});
}

Id Builder::typeSampler() { return declare(spv::Op::OpTypeSampler, 0, {}); }
Id Builder::typeSampledImage(Id image) { return declare(spv::Op::OpTypeSampledImage, 0, {image}); }

Id Builder::constantBool(bool value) {
  return declare(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, typeBool(), {});
}

Id Builder::constantInt(unsigned width, uint64_t value, bool isSigned) {
  Id type = typeInt(width, isSigned);
  if (width < 64) value &= (uint64_t(1) << width) - 1;
  Id id;
  if (width == 64) {
    id = declare(spv::Op::OpConstant, type, {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  } else {
    // Narrow signed literals are stored sign-extended, unsigned ones zero-extended.
    uint32_t word = static_cast<uint32_t>(value);
    if (isSigned && width < 32 && (value >> (width - 1))) word |= ~uint32_t(0) << width;
    id = declare(spv::Op::OpConstant, type, {word});
  }
  m_constantValues[id] = value;
  return id;
}

Id Builder::constantFloatBits(unsigned width, uint64_t bits) {
  Id type = typeFloat(width);
  if (width == 64) return declare(spv::Op::OpConstant, type, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
  return declare(spv::Op::OpConstant, type, {static_cast<uint32_t>(bits)});
}

Id Builder::constantNull(Id type) { return declare(spv::Op::OpConstantNull, type, {}); }

Id Builder::constantComposite(Id type, std::span<const Id> members) {
  return declare(spv::Op::OpConstantComposite, type, members);
}

Id Builder::specConstantU32(uint32_t specId, uint32_t value) {
  auto [entry, isNew] = m_specConstants.try_emplace({specId, value}, 0);
  if (!isNew) return entry->second;
  Id type = typeInt(32);
  entry->second = newId();
  append(m_declarations, spv::Op::OpSpecConstant, {type, entry->second, value});
  decorate(entry->second, spv::Decoration::SpecId, {specId});
  return entry->second;
}

Id Builder::specConstantComposite(Id type, std::span<const Id> members) {
  return declare(spv::Op::OpSpecConstantComposite, type, members);
}

Id Builder::specConstantOp(spv::Op op, Id type, std::initializer_list<Id> operands) {
  Words words{static_cast<uint32_t>(op)};
  words.insert(words.end(), operands.begin(), operands.end());
  return declare(spv::Op::OpSpecConstantOp, type, words);
}

std::optional<uint64_t> Builder::constantValue(Id id) const {
  auto found = m_constantValues.find(id);
  if (found == m_constantValues.end()) return std::nullopt;
  return found->second;
}

Id Builder::globalVariable(spv::StorageClass storage, Id pointee, Id initializer) {
  Id type = typePointer(storage, pointee);
  Id id = newId();
  if (initializer) {
    append(m_declarations, spv::Op::OpVariable, {type, id, static_cast<uint32_t>(storage), initializer});
  } else {
    append(m_declarations, spv::Op::OpVariable, {type, id, static_cast<uint32_t>(storage)});
  }
  m_interface.push_back(id);
  return id;
}

void Builder::name(Id id, std::string_view text) {
  Words words{id};
  appendText(words, text);
  append(m_names, spv::Op::OpName, words);
}

void Builder::decorate(Id id, spv::Decoration decoration, std::initializer_list<uint32_t> operands) {
  Words words{id, static_cast<uint32_t>(decoration)};
  words.insert(words.end(), operands.begin(), operands.end());
  if (m_decorated.insert(words).second) append(m_decorations, spv::Op::OpDecorate, words);
}

void Builder::memberDecorate(Id type, uint32_t member, spv::Decoration decoration,
                             std::initializer_list<uint32_t> operands) {
  Words words{type, member, static_cast<uint32_t>(decoration)};
  words.insert(words.end(), operands.begin(), operands.end());
  append(m_decorations, spv::Op::OpMemberDecorate, words);
}

void Builder::executionMode(Id function, spv::ExecutionMode mode, std::initializer_list<uint32_t> operands) {
  Words words{function, static_cast<uint32_t>(mode)};
  words.insert(words.end(), operands.begin(), operands.end());
  append(m_executionModes, spv::Op::OpExecutionMode, words);
}

void Builder::entryPoint(spv::ExecutionModel model, Id function, std::string_view name) {
  m_entryPoint = {static_cast<uint32_t>(model), function};
  appendText(m_entryPoint, name);
}

void Builder::beginFunction(Id function, Id result, Id functionType) {
  append(m_code, spv::Op::OpFunction, {result, function, 0u, functionType});
}

Id Builder::functionParameter(Id type) { return emit(spv::Op::OpFunctionParameter, type, {}); }
void Builder::endFunction() { append(m_code, spv::Op::OpFunctionEnd, {}); }
void Builder::label(Id block) { append(m_code, spv::Op::OpLabel, {block}); }

Id Builder::emit(spv::Op op, Id type, std::span<const uint32_t> operands) {
  Id result = newId();
  emitAs(result, op, type, operands);
  return result;
}

void Builder::emitAs(Id result, spv::Op op, Id type, std::span<const uint32_t> operands) {
  Words words{type, result};
  words.insert(words.end(), operands.begin(), operands.end());
  append(m_code, op, words);
}

void Builder::emitVoid(spv::Op op, std::span<const uint32_t> operands) { append(m_code, op, operands); }

Id Builder::glslSet() {
  if (!m_glslSet) m_glslSet = newId();
  return m_glslSet;
}

Id Builder::glsl(GLSLstd450 instruction, Id type, std::initializer_list<Id> operands) {
  Words words{glslSet(), static_cast<uint32_t>(instruction)};
  words.insert(words.end(), operands.begin(), operands.end());
  return emit(spv::Op::OpExtInst, type, words);
}

std::vector<uint32_t> Builder::finish() {
  Words module{spv::MagicNumber, kVersion, 0, m_nextId, 0};
  for (uint32_t capability : m_capabilities) append(module, spv::Op::OpCapability, {capability});
  for (const std::string& name : m_extensions) {
    Words words;
    appendText(words, name);
    append(module, spv::Op::OpExtension, words);
  }
  if (m_glslSet) {
    Words words{m_glslSet};
    appendText(words, "GLSL.std.450");
    append(module, spv::Op::OpExtInstImport, words);
  }
  append(module, spv::Op::OpMemoryModel,
         {static_cast<uint32_t>(spv::AddressingModel::PhysicalStorageBuffer64),
          static_cast<uint32_t>(spv::MemoryModel::Vulkan)});
  Words entry = m_entryPoint;
  entry.insert(entry.end(), m_interface.begin(), m_interface.end());
  append(module, spv::Op::OpEntryPoint, entry);
  for (const Words* section : {&m_executionModes, &m_names, &m_decorations, &m_declarations, &m_code})
    module.insert(module.end(), section->begin(), section->end());
  return module;
}

} // namespace basanite::shader::spirv
