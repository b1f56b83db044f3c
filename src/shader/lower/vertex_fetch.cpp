// SPDX-License-Identifier: Apache-2.0
// Reads one vertex attribute of any MTL::VertexFormat from memory and converts it to the type the shader declares.
#include "src/shader/lower/interface_builder.hpp"

#include <fmt/format.h>
#include <llvm/IR/Intrinsics.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

enum class Kind { unsignedInt, signedInt, unsignedNorm, signedNorm, floating, packed1010102, packedSigned1010102, bgra8, rg11b10, rgb9e5 };

struct Format {
  uint32_t number; // MTL::VertexFormat
  Kind kind;
  uint8_t bits;    // of a component
  uint8_t components;
};

constexpr Format kFormats[] = {
    {1, Kind::unsignedInt, 8, 2},    {2, Kind::unsignedInt, 8, 3},    {3, Kind::unsignedInt, 8, 4},
    {4, Kind::signedInt, 8, 2},      {5, Kind::signedInt, 8, 3},      {6, Kind::signedInt, 8, 4},
    {7, Kind::unsignedNorm, 8, 2},   {8, Kind::unsignedNorm, 8, 3},   {9, Kind::unsignedNorm, 8, 4},
    {10, Kind::signedNorm, 8, 2},    {11, Kind::signedNorm, 8, 3},    {12, Kind::signedNorm, 8, 4},
    {13, Kind::unsignedInt, 16, 2},  {14, Kind::unsignedInt, 16, 3},  {15, Kind::unsignedInt, 16, 4},
    {16, Kind::signedInt, 16, 2},    {17, Kind::signedInt, 16, 3},    {18, Kind::signedInt, 16, 4},
    {19, Kind::unsignedNorm, 16, 2}, {20, Kind::unsignedNorm, 16, 3}, {21, Kind::unsignedNorm, 16, 4},
    {22, Kind::signedNorm, 16, 2},   {23, Kind::signedNorm, 16, 3},   {24, Kind::signedNorm, 16, 4},
    {25, Kind::floating, 16, 2},     {26, Kind::floating, 16, 3},     {27, Kind::floating, 16, 4},
    {28, Kind::floating, 32, 1},     {29, Kind::floating, 32, 2},     {30, Kind::floating, 32, 3},
    {31, Kind::floating, 32, 4},     {32, Kind::signedInt, 32, 1},    {33, Kind::signedInt, 32, 2},
    {34, Kind::signedInt, 32, 3},    {35, Kind::signedInt, 32, 4},    {36, Kind::unsignedInt, 32, 1},
    {37, Kind::unsignedInt, 32, 2},  {38, Kind::unsignedInt, 32, 3},  {39, Kind::unsignedInt, 32, 4},
    {40, Kind::packedSigned1010102, 32, 4}, {41, Kind::packed1010102, 32, 4}, {42, Kind::bgra8, 8, 4},
    {45, Kind::unsignedInt, 8, 1},   {46, Kind::signedInt, 8, 1},     {47, Kind::unsignedNorm, 8, 1},
    {48, Kind::signedNorm, 8, 1},    {49, Kind::unsignedInt, 16, 1},  {50, Kind::signedInt, 16, 1},
    {51, Kind::unsignedNorm, 16, 1}, {52, Kind::signedNorm, 16, 1},   {53, Kind::floating, 16, 1},
    {54, Kind::rg11b10, 32, 3},      {55, Kind::rgb9e5, 32, 3},
};

class Fetcher {
 public:
  Fetcher(IRBuilder<>& builder, const Format& format, Value* address) : b(builder), m_format(format), m_address(address) {}

  // The format's components as 32-bit floats or 32-bit integers.
  std::vector<Value*> components() {
    Type* f32 = b.getFloatTy();
    std::vector<Value*> out;
    switch (m_format.kind) {
    case Kind::unsignedInt:
    case Kind::signedInt:
      for (unsigned i = 0; i < m_format.components; ++i) out.push_back(integer(i, m_format.kind == Kind::signedInt));
      break;
    case Kind::unsignedNorm:
    case Kind::signedNorm:
      for (unsigned i = 0; i < m_format.components; ++i)
        out.push_back(normalized(integer(i, m_format.kind == Kind::signedNorm), m_format.bits, m_format.kind == Kind::signedNorm));
      break;
    case Kind::bgra8:
      for (unsigned i : {2u, 1u, 0u, 3u}) out.push_back(normalized(integer(i, false), 8, false));
      break;
    case Kind::floating:
      for (unsigned i = 0; i < m_format.components; ++i) {
        Value* bits = load(i);
        // Half to float through the packed 32-bit form, so that no 16-bit float type is needed.
        if (m_format.bits == 16) out.push_back(halfToFloat(b.CreateZExt(bits, b.getInt32Ty())));
        else out.push_back(b.CreateBitCast(bits, f32));
      }
      break;
    case Kind::packed1010102:
    case Kind::packedSigned1010102: {
      Value* word = load(0);
      bool isSigned = m_format.kind == Kind::packedSigned1010102;
      for (unsigned i = 0; i < 4; ++i) {
        unsigned width = i == 3 ? 2 : 10;
        out.push_back(normalized(field(word, 10 * i, width, isSigned), width, isSigned));
      }
      break;
    }
    case Kind::rg11b10: {
      Value* word = load(0);
      // An 11 or 10-bit float is a half without sign and with fewer mantissa bits.
      out.push_back(halfToFloat(b.CreateShl(field(word, 0, 11, false), 4)));
      out.push_back(halfToFloat(b.CreateShl(field(word, 11, 11, false), 4)));
      out.push_back(halfToFloat(b.CreateShl(field(word, 22, 10, false), 5)));
      break;
    }
    case Kind::rgb9e5: {
      Value* word = load(0);
      // 2^(e - 15 - 9), built from its bits: the biased exponent lies between 103 and 134.
      Value* exponent = b.CreateAdd(field(word, 27, 5, false), b.getInt32(127 - 24));
      Value* scale = b.CreateBitCast(b.CreateShl(exponent, 23), f32);
      for (unsigned i = 0; i < 3; ++i) out.push_back(b.CreateFMul(b.CreateUIToFP(field(word, 9 * i, 9, false), f32), scale));
      break;
    }
    }
    return out;
  }

  bool producesIntegers() const { return m_format.kind == Kind::unsignedInt || m_format.kind == Kind::signedInt; }
  bool isSigned() const { return m_format.kind == Kind::signedInt; }

 private:
  Value* load(unsigned component) {
    Type* type = b.getIntNTy(m_format.bits);
    Value* address = component ? b.CreateAdd(m_address, b.getInt64(component * m_format.bits / 8)) : m_address;
    Value* pointer = b.CreateIntToPtr(address, b.getPtrTy(2));
    return b.CreateAlignedLoad(type, pointer, llvm::Align(m_format.bits / 8));
  }
  Value* integer(unsigned component, bool isSigned) {
    Value* value = load(component);
    return isSigned ? b.CreateSExt(value, b.getInt32Ty()) : b.CreateZExt(value, b.getInt32Ty());
  }
  Value* field(Value* word, unsigned low, unsigned width, bool isSigned) {
    if (!isSigned) return b.CreateAnd(b.CreateLShr(word, low), (1u << width) - 1);
    return b.CreateAShr(b.CreateShl(word, 32 - low - width), 32 - width);
  }
  Value* normalized(Value* integerValue, unsigned bits, bool isSigned) {
    Type* f32 = b.getFloatTy();
    Value* value = isSigned ? b.CreateSIToFP(integerValue, f32) : b.CreateUIToFP(integerValue, f32);
    double largest = isSigned ? double((1u << (bits - 1)) - 1) : double((1u << bits) - 1);
    value = b.CreateFDiv(value, llvm::ConstantFP::get(f32, largest));
    if (!isSigned) return value;
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, value, llvm::ConstantFP::get(f32, -1.0));
  }
  Value* halfToFloat(Value* bits) {
    auto* pair = llvm::FixedVectorType::get(b.getFloatTy(), 2);
    llvm::Module* module = b.GetInsertBlock()->getModule();
    auto* type = llvm::FunctionType::get(pair, {b.getInt32Ty()}, false);
    llvm::FunctionCallee unpack = module->getOrInsertFunction("basanite.unpack_half2", type);
    llvm::cast<llvm::Function>(unpack.getCallee())->setDoesNotAccessMemory();
    return b.CreateExtractElement(b.CreateCall(unpack, {bits}), uint64_t(0));
  }

  IRBuilder<>& b;
  const Format& m_format;
  Value* m_address;
};

} // namespace

base::Result<Value*> fetchVertexAttribute(Unit& unit, IRBuilder<>& builder, uint32_t format, Value* address, Type* type,
                                          const std::string& name) {
  const Format* known = nullptr;
  for (const Format& candidate : kFormats)
    if (candidate.number == format) known = &candidate;
  if (!known) return unit.error(fmt::format("vertex attribute {} has the unknown vertex format {}", name, format));
  if (known->bits == 8 && !(unit.traits.int8 && unit.traits.storage8))
    return unit.error(fmt::format("vertex attribute {} has 8-bit components, which the device cannot load", name));
  if (known->bits == 16 && !(unit.traits.int16 && unit.traits.storage16))
    return unit.error(fmt::format("vertex attribute {} has 16-bit components, which the device cannot load", name));

  Fetcher fetcher(builder, *known, address);
  Type* scalar = type->getScalarType();
  bool wantFloat = scalar->isFloatTy() || scalar->isHalfTy();
  if (!wantFloat && !scalar->isIntegerTy()) return unit.error("vertex attribute " + name + " has an unexpected type");
  if (!wantFloat && !fetcher.producesIntegers()) {
    return unit.error(fmt::format("vertex attribute {} is an integer in the function, but vertex format {} gives floating point",
                                  name, format));
  }
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  unsigned count = vector ? vector->getNumElements() : 1;
  std::vector<Value*> parts = fetcher.components();
  Value* result = vector ? llvm::PoisonValue::get(type) : nullptr;
  for (unsigned i = 0; i < count; ++i) {
    Value* part;
    if (i >= parts.size()) {
      // Missing components read as 0, 0, 0, 1.
      part = wantFloat ? static_cast<Value*>(llvm::ConstantFP::get(scalar, i == 3 ? 1.0 : 0.0))
                       : llvm::ConstantInt::get(scalar, i == 3 ? 1 : 0);
    } else if (wantFloat) {
      part = parts[i];
      if (fetcher.producesIntegers())
        part = fetcher.isSigned() ? builder.CreateSIToFP(part, scalar) : builder.CreateUIToFP(part, scalar);
      else part = builder.CreateFPCast(part, scalar);
    } else {
      part = fetcher.isSigned() ? builder.CreateSExtOrTrunc(parts[i], scalar) : builder.CreateZExtOrTrunc(parts[i], scalar);
    }
    result = vector ? builder.CreateInsertElement(result, part, uint64_t(i)) : part;
  }
  return result;
}

} // namespace basanite::shader::lower
