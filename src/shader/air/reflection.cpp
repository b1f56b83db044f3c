// SPDX-License-Identifier: Apache-2.0
// Implementation of reflection.hpp. Facts: facts/air-and-metallib.md 2.4.
#include "src/shader/air/reflection.hpp"

#include "src/shader/air/function_constants.hpp"
#include "src/shader/air/texture_name.hpp"

#include <algorithm>
#include <charconv>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Metadata.h>
#include <optional>

namespace basanite::shader::air {

namespace {

// MTL::DataType's numbers.
constexpr DataType kStruct = 1, kArray = 2, kFloat2x2 = 7, kHalf2x2 = 20, kTexture = 58, kSampler = 59, kFunctionTable = 115,
                   kPointer = 60, kBfloat = 121;
// MTL::BindingAccess's numbers.
constexpr uint32_t kReadOnly = 0, kReadWrite = 1, kWriteOnly = 2;
// Files may nest types in any way; deeper ones are named only.
constexpr int kMaxDepth = 16;

bool takeFront(std::string_view& text, std::string_view front) {
  if (!text.starts_with(front)) return false;
  text.remove_prefix(front.size());
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<uint32_t> numberIn(std::string_view text) {
  text = trimmed(text);
  uint32_t value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct SizeAlign {
  uint32_t size = 0, align = 0;
};

// Of a scalar or vector; packed ones are aligned as their scalar.
SizeAlign vectorSize(uint32_t scalarBytes, uint32_t lanes, bool packed) {
  if (packed) return {scalarBytes * lanes, scalarBytes};
  uint32_t size = scalarBytes * (lanes == 3 ? 4 : lanes);
  return {size, size};
}

uint32_t scalarBytes(std::string_view scalar) {
  if (scalar.ends_with("char") || scalar == "bool") return 1;
  if (scalar.ends_with("short") || scalar == "half" || scalar == "bfloat") return 2;
  return scalar.ends_with("long") ? 8 : 4;
}

// "float3", "packed_half2", "bfloat": nothing for other names.
std::optional<TypeReflection> valueNamed(std::string_view name) {
  std::string_view plain = name;
  bool packed = takeFront(plain, "packed_");
  // vec<bfloat, 2>, as a class that clang does not know by a shorter name.
  std::string joined;
  if (std::string_view inner = plain; takeFront(inner, "vec<") && inner.ends_with('>')) {
    inner.remove_suffix(1);
    size_t comma = inner.rfind(',');
    if (comma == std::string_view::npos) return std::nullopt;
    joined = std::string(trimmed(inner.substr(0, comma))) + std::string(trimmed(inner.substr(comma + 1)));
    plain = joined;
  }
  uint32_t lanes = plain.empty() || plain.back() < '2' || plain.back() > '4'
                       ? 1
                       : static_cast<uint32_t>(plain.back() - '0');
  std::string_view scalar = lanes == 1 ? plain : plain.substr(0, plain.size() - 1);
  DataType type = scalar == "bfloat" ? kBfloat + lanes - 1 : dataTypeNamed(plain);
  if (type == 0) return std::nullopt;
  SizeAlign size = vectorSize(scalarBytes(scalar), lanes, packed);
  TypeReflection result;
  result.dataType = type;
  result.size = size.size;
  result.align = size.align;
  return result;
}

// "float4x3": four columns of three.
std::optional<TypeReflection> matrixNamed(std::string_view name) {
  bool packed = takeFront(name, "packed_");
  bool half = takeFront(name, "half");
  if (!half && !takeFront(name, "float")) return std::nullopt;
  if (name.size() != 3 || name[1] != 'x' || name[0] < '2' || name[0] > '4' || name[2] < '2' || name[2] > '4')
    return std::nullopt;
  auto columns = static_cast<uint32_t>(name[0] - '0'), rows = static_cast<uint32_t>(name[2] - '0');
  SizeAlign column = vectorSize(half ? 2 : 4, rows, packed);
  TypeReflection result;
  result.dataType = (half ? kHalf2x2 : kFloat2x2) + (columns - 2) * 3 + rows - 2;
  result.size = columns * column.size;
  result.align = column.align;
  return result;
}

TypeReflection arrayOf(TypeReflection element, uint32_t length, uint32_t stride) {
  TypeReflection result;
  result.dataType = kArray;
  result.arrayLength = length;
  result.stride = stride;
  result.size = stride * length;
  result.align = element.align;
  result.element.push_back(std::move(element));
  return result;
}

uint32_t accessOf(const Input& input) {
  return input.writes ? (input.reads ? kReadWrite : kWriteOnly) : kReadOnly;
}

class Reader {
 public:
  TypeReflection type(std::string_view name, const llvm::MDNode* members, uint32_t bytes);
  TypeReflection resource(const Input& input);

 private:
  std::vector<MemberReflection> members(const llvm::MDNode& node);
  int m_depth = 0;
};

std::optional<TypeReflection> textureNamed(std::string_view name) {
  std::optional<TextureName> texture = parseTextureName(name);
  if (!texture) return std::nullopt;
  TypeReflection result;
  result.dataType = kTexture;
  result.size = result.align = sizeof(uint64_t);
  result.textureType = texture->type;
  result.depthTexture = texture->depth;
  size_t open = name.find('<'), end = name.find_first_of(",>");
  if (open != std::string_view::npos && end != std::string_view::npos && open < end)
    result.textureDataType = dataTypeNamed(trimmed(name.substr(open + 1, end - open - 1)));
  std::string_view access = end == std::string_view::npos ? std::string_view() : name.substr(end);
  if (access.find("read_write") != std::string_view::npos)
    result.access = kReadWrite;
  else if (access.find("write") != std::string_view::npos)
    result.access = kWriteOnly;
  return result;
}

TypeReflection Reader::type(std::string_view name, const llvm::MDNode* memberNode, uint32_t bytes) {
  TypeReflection result;
  result.size = bytes;
  if (m_depth >= kMaxDepth) return result;
  ++m_depth;
  name = trimmed(name);
  // "T[4]", outermost dimension first.
  size_t bracket = name.find('[');
  if (bracket != std::string_view::npos && name.ends_with(']')) {
    size_t close = name.find(']', bracket);
    std::optional<uint32_t> length = numberIn(name.substr(bracket + 1, close - bracket - 1));
    std::string inner = std::string(trimmed(name.substr(0, bracket))) + std::string(name.substr(close + 1));
    if (length && *length) {
      TypeReflection element = type(inner, memberNode, bytes / *length);
      uint32_t stride = element.size;
      result = arrayOf(std::move(element), *length, stride);
    }
  } else if (std::string_view inner = name; takeFront(inner, "array<") && inner.ends_with('>')) {
    inner.remove_suffix(1);
    size_t comma = inner.rfind(',');
    std::optional<uint32_t> length =
        comma == std::string_view::npos ? std::nullopt : numberIn(inner.substr(comma + 1));
    if (length && *length) {
      TypeReflection element = type(inner.substr(0, comma), memberNode, bytes / *length);
      uint32_t stride = element.size;
      result = arrayOf(std::move(element), *length, stride);
    }
  } else if (auto value = valueNamed(name)) {
    result = std::move(*value);
  } else if (auto matrix = matrixNamed(name)) {
    result = std::move(*matrix);
  } else if (auto texture = textureNamed(name)) {
    result = std::move(*texture);
  } else if (name == "sampler") {
    result.dataType = kSampler;
    result.size = result.align = sizeof(uint64_t);
  } else if (std::string_view atomic = name; takeFront(atomic, "atomic_")) {
    if (auto value = valueNamed(atomic)) result = std::move(*value);
  } else if (memberNode) {
    result.dataType = kStruct;
    result.members = members(*memberNode);
    for (const MemberReflection& member : result.members)
      result.align = std::max(result.align, member.type.align);
  }
  if (bytes && result.size == 0) result.size = bytes;
  --m_depth;
  return result;
}

TypeReflection Reader::resource(const Input& input) {
  TypeReflection result;
  if (input.kind == "air.texture" || input.kind == "air.sampler") {
    result = type(input.kind == "air.sampler" ? "sampler" : input.typeName, nullptr, 0);
    result.access = accessOf(input);
    return result;
  }
  if (input.kind == "air.visible_function_table") {
    result.dataType = kFunctionTable;
    result.size = result.align = sizeof(uint64_t);
    return result;
  }
  result.dataType = kPointer;
  result.size = result.align = sizeof(uint64_t);
  result.access = accessOf(input);
  TypeReflection target = type(input.typeName, input.members, input.typeSize);
  if (input.typeSize) target.size = input.typeSize;
  if (input.typeAlign) target.align = input.typeAlign;
  if (target.dataType || target.size) result.element.push_back(std::move(target));
  return result;
}

// Rows of {offset, size, array length, type name, name}, each with {"air.struct_type_info", node} in front
// where its type is a structure and {"air.indirect_argument", node} behind it where it is a resource.
std::vector<MemberReflection> Reader::members(const llvm::MDNode& node) {
  std::vector<MemberReflection> result;
  const llvm::MDNode* nested = nullptr;
  uint32_t nextIndex = 0;
  auto textAt = [&](unsigned i) {
    auto* text = i < node.getNumOperands() ? llvm::dyn_cast_or_null<llvm::MDString>(node.getOperand(i).get())
                                           : nullptr;
    return text ? std::string_view(text->getString().data(), text->getString().size()) : std::string_view();
  };
  auto numberAt = [&](unsigned i) -> std::optional<uint32_t> {
    auto* value = i < node.getNumOperands()
                      ? llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node.getOperand(i))
                      : nullptr;
    if (!value) return std::nullopt;
    return static_cast<uint32_t>(value->getZExtValue());
  };
  for (unsigned i = 0; i < node.getNumOperands();) {
    std::string_view key = textAt(i);
    if (!key.empty()) {
      auto* value = i + 1 < node.getNumOperands()
                        ? llvm::dyn_cast_or_null<llvm::MDNode>(node.getOperand(i + 1).get())
                        : nullptr;
      if (key == "air.struct_type_info") nested = value;
      if (key == "air.indirect_argument" && !result.empty()) {
        MemberReflection& member = result.back();
        if (value) {
          Input input = readInput(*value);
          member.argumentIndex = input.location;
          TypeReflection type = resource(input);
          if (member.type.dataType == kArray && !member.type.element.empty())
            member.type.element[0] = std::move(type);
          else
            member.type = std::move(type);
        } else if (auto index = numberAt(i + 1)) {
          member.argumentIndex = *index;
        }
        nextIndex = member.argumentIndex + std::max(1u, member.type.arrayLength);
      }
      i += 2;
      continue;
    }
    auto offset = numberAt(i), size = numberAt(i + 1), length = numberAt(i + 2);
    if (!offset || !size || !length) break;
    MemberReflection member;
    member.offset = *offset;
    member.name = textAt(i + 4);
    member.argumentIndex = nextIndex;
    member.type = type(textAt(i + 3), nested, *size);
    if (*length) member.type = arrayOf(std::move(member.type), *length, *size);
    nextIndex += std::max(1u, *length);
    nested = nullptr;
    result.push_back(std::move(member));
    i += 5;
  }
  return result;
}

} // namespace

TypeReflection typeNamed(std::string_view name) { return Reader().type(name, nullptr, 0); }

std::vector<ArgumentReflection> argumentsOf(const EntryPoint& entry) {
  std::vector<ArgumentReflection> arguments;
  for (const Input& input : entry.inputs) {
    ArgumentReflection argument;
    bool buffer = input.kind == "air.buffer" || input.kind == "air.indirect_buffer";
    if (buffer) {
      const llvm::Type* type = entry.function->getArg(input.parameter)->getType();
      bool threadgroup = type->isPointerTy() && type->getPointerAddressSpace() == 3;
      argument.kind = threadgroup ? ArgumentKind::threadgroup : ArgumentKind::buffer;
    } else if (input.kind == "air.texture") {
      argument.kind = ArgumentKind::texture;
    } else if (input.kind == "air.sampler") {
      argument.kind = ArgumentKind::sampler;
    } else if (input.kind == "air.visible_function_table") {
      argument.kind = ArgumentKind::functionTable;
    } else if (input.kind == "air.payload") {
      argument.kind = ArgumentKind::payload;
    } else {
      continue;
    }
    argument.name = input.name;
    argument.index = input.location;
    argument.arrayLength = std::max(1u, input.count);
    argument.used = !input.unused && !entry.function->getArg(input.parameter)->use_empty();
    argument.access = accessOf(input);
    argument.type = Reader().resource(input);
    // A buffer is told of by what it holds.
    if (argument.type.dataType == kPointer) {
      TypeReflection target;
      if (!argument.type.element.empty()) target = std::move(argument.type.element.front());
      argument.type = std::move(target);
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

} // namespace basanite::shader::air
