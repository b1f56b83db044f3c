// SPDX-License-Identifier: Apache-2.0
// Printer: calls of helpers, internal functions, llvm.* and the air.* that have a SPIR-V twin.
#include "src/base/shader_abi.hpp"
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace basanite::shader::spirv {

namespace {

uint32_t mask(spv::MemorySemanticsMask bits) { return static_cast<uint32_t>(bits); }

struct GlslEntry {
  const char* family;
  GLSLstd450 instruction;
  unsigned arguments;
};
constexpr GlslEntry kGlsl[] = {
    {"sin", GLSLstd450Sin, 1},           {"cos", GLSLstd450Cos, 1},           {"tan", GLSLstd450Tan, 1},
    {"asin", GLSLstd450Asin, 1},         {"acos", GLSLstd450Acos, 1},         {"atan", GLSLstd450Atan, 1},
    {"atan2", GLSLstd450Atan2, 2},       {"sinh", GLSLstd450Sinh, 1},         {"cosh", GLSLstd450Cosh, 1},
    {"tanh", GLSLstd450Tanh, 1},         {"asinh", GLSLstd450Asinh, 1},       {"acosh", GLSLstd450Acosh, 1},
    {"atanh", GLSLstd450Atanh, 1},       {"exp", GLSLstd450Exp, 1},           {"exp2", GLSLstd450Exp2, 1},
    {"log", GLSLstd450Log, 1},           {"log2", GLSLstd450Log2, 1},         {"powr", GLSLstd450Pow, 2},
    {"sqrt", GLSLstd450Sqrt, 1},         {"rsqrt", GLSLstd450InverseSqrt, 1}, {"fabs", GLSLstd450FAbs, 1},
    {"floor", GLSLstd450Floor, 1},       {"ceil", GLSLstd450Ceil, 1},         {"trunc", GLSLstd450Trunc, 1},
    {"rint", GLSLstd450RoundEven, 1},    {"mix", GLSLstd450FMix, 3},          {"step", GLSLstd450Step, 2},
    {"smoothstep", GLSLstd450SmoothStep, 3}, {"fma", GLSLstd450Fma, 3},       {"cross", GLSLstd450Cross, 2},
    {"length", GLSLstd450Length, 1},     {"distance", GLSLstd450Distance, 2}, {"normalize", GLSLstd450Normalize, 1},
    {"reflect", GLSLstd450Reflect, 2},   {"faceforward", GLSLstd450FaceForward, 3}, {"ldexp", GLSLstd450Ldexp, 2},
};

// Packing with GLSL twins; the 16-bit float results of the f16 forms are converted from 32 bits.
struct PackEntry {
  const char* suffix;
  GLSLstd450 pack, unpack;
  unsigned components;
};
constexpr PackEntry kPacks[] = {
    {"snorm2x16", GLSLstd450PackSnorm2x16, GLSLstd450UnpackSnorm2x16, 2},
    {"unorm2x16", GLSLstd450PackUnorm2x16, GLSLstd450UnpackUnorm2x16, 2},
    {"snorm4x8", GLSLstd450PackSnorm4x8, GLSLstd450UnpackSnorm4x8, 4},
    {"unorm4x8", GLSLstd450PackUnorm4x8, GLSLstd450UnpackUnorm4x8, 4},
};

} // namespace

void Printer::printCall(llvm::CallInst& call) {
  llvm::Function* callee = call.getCalledFunction();
  if (!callee) {
    fail("it calls through a function pointer");
    return;
  }
  llvm::StringRef name = callee->getName();
  Id id = 0;
  if (!callee->isDeclaration()) {
    std::vector<uint32_t> words{m_functions[callee]};
    for (llvm::Value* argument : call.args()) words.push_back(value(argument));
    id = m_builder.emit(spv::Op::OpFunctionCall, type(call.getType()), words);
  } else if (name.starts_with("basanite.")) {
    id = internalCall(call, name);
  } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    id = llvmCall(*intrinsic);
  } else if (air::isIntrinsic(name.str())) {
    id = airCall(call);
  } else {
    fail("it calls " + name.str() + ", which is not defined");
  }
  // Zero: nothing to define, or defined on the way.
  if (id && !call.getType()->isVoidTy()) define(call, id);
}

Id Printer::internalCall(llvm::CallInst& call, llvm::StringRef name) {
  if (name.consume_front(lower::kRecordFunction)) return recordWord(static_cast<uint32_t>(std::stoul(name.str())));
  if (name.consume_front(lower::kPushFunction))
    return pushConstant(static_cast<uint32_t>(std::stoul(name.str())));
  if (name == lower::kLocalSizeFunction) return localSize();
  if (name == lower::kSampleCountFunction) return m_builder.specConstantU32(base::abi::kSampleCountConstant, 1);
  if (name.consume_front(lower::kColorInputFunction)) {
    auto [number, sign] = name.split('.');
    uint32_t index = static_cast<uint32_t>(std::stoul(number.str()));
    bool floating = call.getType()->isFPOrFPVectorTy();
    Id scalar = floating ? m_builder.typeFloat(32) : m_builder.typeInt(32, sign == "s");
    ImageShape shape{spv::Dim::SubpassData, scalar, false, false, false, true};
    Id image = m_builder.typeImage(shape);
    Id& variable = m_colorInputs[{index, scalar}];
    if (!variable) {
      m_builder.capability(spv::Capability::InputAttachment);
      variable = m_builder.globalVariable(spv::StorageClass::UniformConstant, image);
      m_builder.decorate(variable, spv::Decoration::DescriptorSet, {base::abi::kColorInputSet});
      m_builder.decorate(variable, spv::Decoration::Binding, {index});
      m_builder.decorate(variable, spv::Decoration::InputAttachmentIndex, {index});
    }
    Id here = m_builder.constantNull(m_builder.typeVector(m_builder.typeInt(32, true), 2));
    Id loaded = m_builder.emit(spv::Op::OpLoad, image, {variable});
    Id texel = m_builder.emit(spv::Op::OpImageRead, m_builder.typeVector(scalar, 4), {loaded, here});
    return !floating && sign == "s" ? m_builder.emit(spv::Op::OpBitcast, type(call.getType()), {texel}) : texel;
  }
  if (name.consume_front(lower::kInterpolateFunction)) {
    auto [how, number] = name.split('.');
    Id variable = variableFor(std::stoul(number.str())), result = type(call.getType());
    if (how == "center") return m_builder.emit(spv::Op::OpLoad, result, {variable});
    m_builder.capability(spv::Capability::InterpolationFunction);
    if (how == "centroid") return m_builder.glsl(GLSLstd450InterpolateAtCentroid, result, {variable});
    return m_builder.glsl(how == "sample" ? GLSLstd450InterpolateAtSample : GLSLstd450InterpolateAtOffset, result,
                          {variable, value(call.getArgOperand(0))});
  }
  if (name.consume_front(lower::kInputFunction))
    return m_builder.emit(spv::Op::OpLoad, type(call.getType()), {variableFor(std::stoul(name.str()))});
  if (name.consume_front(lower::kOutputFunction)) {
    size_t index = std::stoul(name.str());
    const lower::InterfaceVariable& variable = m_unit.variables[index];
    Id stored = value(call.getArgOperand(0));
    if (variableType(variable) != type(variable.type))
      stored = m_builder.emit(spv::Op::OpBitcast, variableType(variable), {stored});
    m_builder.emitVoid(spv::Op::OpStore, {variableFor(index), stored});
    return 0;
  }
  if (name == lower::kMeshOutputsFunction || name == lower::kMeshTasksFunction || name.starts_with(lower::kElementFunction))
    return meshCall(call, name);
  if (name == "basanite.unpack_half2")
    return m_builder.glsl(GLSLstd450UnpackHalf2x16, type(call.getType()), {value(call.getArgOperand(0))});
  return fail("internal function " + name.str() + " has no printed form");
}

Id Printer::llvmCall(llvm::IntrinsicInst& call) {
  Id result = type(call.getType());
  auto argument = [&](unsigned i) { return value(call.getArgOperand(i)); };
  auto one = [&](GLSLstd450 instruction) { return m_builder.glsl(instruction, result, {argument(0)}); };
  auto two = [&](GLSLstd450 instruction) { return m_builder.glsl(instruction, result, {argument(0), argument(1)}); };
  auto op = [&](spv::Op code) { return m_builder.emit(code, result, {argument(0)}); };
  llvm::Type* llvmType = call.getType();
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::smax: return two(GLSLstd450SMax);
  case llvm::Intrinsic::smin: return two(GLSLstd450SMin);
  case llvm::Intrinsic::umax: return two(GLSLstd450UMax);
  case llvm::Intrinsic::umin: return two(GLSLstd450UMin);
  case llvm::Intrinsic::abs: return one(GLSLstd450SAbs);
  case llvm::Intrinsic::maxnum: return two(GLSLstd450NMax);
  case llvm::Intrinsic::minnum: return two(GLSLstd450NMin);
  case llvm::Intrinsic::maximum: return two(GLSLstd450FMax);
  case llvm::Intrinsic::minimum: return two(GLSLstd450FMin);
  case llvm::Intrinsic::fabs: return one(GLSLstd450FAbs);
  case llvm::Intrinsic::floor: return one(GLSLstd450Floor);
  case llvm::Intrinsic::ceil: return one(GLSLstd450Ceil);
  case llvm::Intrinsic::trunc: return one(GLSLstd450Trunc);
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
  case llvm::Intrinsic::roundeven: return one(GLSLstd450RoundEven);
  case llvm::Intrinsic::sqrt: return one(GLSLstd450Sqrt);
  case llvm::Intrinsic::sin: return one(GLSLstd450Sin);
  case llvm::Intrinsic::cos: return one(GLSLstd450Cos);
  case llvm::Intrinsic::exp: return one(GLSLstd450Exp);
  case llvm::Intrinsic::exp2: return one(GLSLstd450Exp2);
  case llvm::Intrinsic::log: return one(GLSLstd450Log);
  case llvm::Intrinsic::log2: return one(GLSLstd450Log2);
  case llvm::Intrinsic::pow: return two(GLSLstd450Pow);
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd: return m_builder.glsl(GLSLstd450Fma, result, {argument(0), argument(1), argument(2)});
  case llvm::Intrinsic::ctpop: return op(spv::Op::OpBitCount);
  case llvm::Intrinsic::bitreverse: return op(spv::Op::OpBitReverse);
  case llvm::Intrinsic::ctlz: {
    // FindUMsb gives -1 for zero, so that 31 minus it is 32.
    Id highest = one(GLSLstd450FindUMsb);
    return m_builder.emit(spv::Op::OpISub, result, {intConstant(llvmType, 31), highest});
  }
  case llvm::Intrinsic::cttz: {
    Id lowest = one(GLSLstd450FindILsb);
    Id boolean = type(llvm::CmpInst::makeCmpResultType(llvmType));
    Id isZero = m_builder.emit(spv::Op::OpIEqual, boolean, {argument(0), zero(llvmType)});
    return m_builder.emit(spv::Op::OpSelect, result, {isZero, intConstant(llvmType, 32), lowest});
  }
  default: return fail("it calls " + call.getCalledFunction()->getName().str() + ", which Basanite does not support");
  }
}

void Printer::barrier(llvm::CallInst& call, bool simdgroup) {
  auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
  if (!flags) {
    fail("it calls a barrier whose memory flags are not constant");
    return;
  }
  uint64_t bits = flags->getZExtValue();
  uint32_t storage = 0;
  if (bits & 1) storage |= mask(spv::MemorySemanticsMask::UniformMemory);
  if (bits & 2) storage |= mask(spv::MemorySemanticsMask::WorkgroupMemory);
  if (bits & 4) storage |= mask(spv::MemorySemanticsMask::ImageMemory);
  // Payloads are workgroup memory to some readers of the specification and output memory to others.
  if (bits & 16) storage |= mask(spv::MemorySemanticsMask::WorkgroupMemory) | mask(spv::MemorySemanticsMask::OutputMemory);
  uint32_t semantics = 0;
  if (storage) {
    semantics = storage | mask(spv::MemorySemanticsMask::AcquireRelease) | mask(spv::MemorySemanticsMask::MakeAvailable) |
                mask(spv::MemorySemanticsMask::MakeVisible);
  }
  spv::Scope scope = simdgroup ? spv::Scope::Subgroup : spv::Scope::Workgroup;
  Id scopeId = m_builder.constantU32(static_cast<uint32_t>(scope));
  m_builder.emitVoid(spv::Op::OpControlBarrier, {scopeId, scopeId, m_builder.constantU32(semantics)});
}

Id Printer::airCall(llvm::CallInst& call) {
  std::string fullName = call.getCalledFunction()->getName().str();
  air::IntrinsicName name = air::parseIntrinsic(fullName);
  if (name.family == "wg" || name.family == "simdgroup") {
    if (!name.suffix.empty() && name.suffix[0] == "barrier" && call.arg_size() >= 1) {
      barrier(call, name.family == "simdgroup");
      return 0;
    }
  } else if (name.family == "atomic") {
    if (!name.suffix.empty() && name.suffix[0] == "fence") {
      // Flags, order, scope: everything that a fence may cover, at the width that the flags ask for.
      auto* flags = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      uint64_t bits = flags ? flags->getZExtValue() : 7;
      uint32_t semantics = mask(spv::MemorySemanticsMask::AcquireRelease) | mask(spv::MemorySemanticsMask::MakeAvailable) |
                           mask(spv::MemorySemanticsMask::MakeVisible);
      if (bits & 1) semantics |= mask(spv::MemorySemanticsMask::UniformMemory);
      if (bits & 2) semantics |= mask(spv::MemorySemanticsMask::WorkgroupMemory);
      if (bits & 4) semantics |= mask(spv::MemorySemanticsMask::ImageMemory);
      if ((bits & 7) == 0) semantics |= mask(spv::MemorySemanticsMask::UniformMemory);
      m_builder.emitVoid(spv::Op::OpMemoryBarrier,
                         {m_builder.constantU32(static_cast<uint32_t>(spv::Scope::QueueFamily)), m_builder.constantU32(semantics)});
      return 0;
    }
    atomic(call, name);
    return 0;
  } else if (name.family == "discard_fragment") {
    if (m_unit.entry.stage != Stage::fragment) return fail("it calls discard_fragment(), which only fragment functions may");
    m_builder.capability(spv::Capability::DemoteToHelperInvocation);
    m_builder.emitVoid(spv::Op::OpDemoteToHelperInvocation, {});
    m_unit.binary.discards = true;
    return 0;
  } else if (textureCall(call, name)) {
    return 0;
  } else if (Id id = groupCall(call, name)) {
    return id;
  } else if (Id math = mathCall(call, name)) {
    return math;
  }
  return fail("it calls " + fullName + ", which Basanite does not support");
}

Id Printer::mathCall(llvm::CallInst& call, const air::IntrinsicName& name) {
  llvm::Type* llvmType = call.getType();
  if (llvmType->isVoidTy()) return 0;
  auto argument = [&](unsigned i) { return value(call.getArgOperand(i)); };
  auto emit = [&](GLSLstd450 instruction, std::initializer_list<Id> operands) {
    return m_builder.glsl(instruction, type(llvmType), operands);
  };
  for (const GlslEntry& entry : kGlsl) {
    if (name.family != entry.family) continue;
    if (call.arg_size() != entry.arguments) return 0;
    switch (entry.arguments) {
    case 1: return emit(entry.instruction, {argument(0)});
    case 2: return emit(entry.instruction, {argument(0), argument(1)});
    default: return emit(entry.instruction, {argument(0), argument(1), argument(2)});
    }
  }
  bool isSigned = name.has("s");
  bool integer = llvmType->isIntOrIntVectorTy();
  if (name.family == "fmax" || name.family == "fmin") {
    bool maximum = name.family == "fmax";
    return emit(name.fast ? (maximum ? GLSLstd450FMax : GLSLstd450FMin) : (maximum ? GLSLstd450NMax : GLSLstd450NMin),
                {argument(0), argument(1)});
  }
  if (name.family == "max" && integer) return emit(isSigned ? GLSLstd450SMax : GLSLstd450UMax, {argument(0), argument(1)});
  if (name.family == "min" && integer) return emit(isSigned ? GLSLstd450SMin : GLSLstd450UMin, {argument(0), argument(1)});
  if (name.family == "abs" && integer) return isSigned ? emit(GLSLstd450SAbs, {argument(0)}) : argument(0);
  if (name.family == "clamp") {
    GLSLstd450 instruction = integer ? (isSigned ? GLSLstd450SClamp : GLSLstd450UClamp) : name.fast ? GLSLstd450FClamp : GLSLstd450NClamp;
    return emit(instruction, {argument(0), argument(1), argument(2)});
  }
  if (name.family == "refract") return emit(GLSLstd450Refract, {argument(0), argument(1), argument(2)});
  if (name.family == "dot") {
    if (!call.getArgOperand(0)->getType()->isVectorTy() || !llvmType->isFloatingPointTy()) return 0;
    return m_builder.emit(spv::Op::OpDot, type(llvmType), {argument(0), argument(1)});
  }
  if (name.family == "any" || name.family == "all") {
    llvm::Type* operand = call.getArgOperand(0)->getType();
    Id condition = argument(0);
    if (!operand->getScalarType()->isIntegerTy(1)) return 0;
    if (!operand->isVectorTy()) return condition;
    return m_builder.emit(name.family == "any" ? spv::Op::OpAny : spv::Op::OpAll, m_builder.typeBool(), {condition});
  }
  if (name.family == "dfdx" || name.family == "dfdy" || name.family == "fwidth") {
    if (m_unit.entry.stage != Stage::fragment) return fail("it takes a derivative, which only fragment functions may");
    // SPIR-V's derivatives are 32-bit.
    bool half = llvmType->getScalarType()->isHalfTy();
    llvm::Type* wide = llvmType->getWithNewType(llvm::Type::getFloatTy(llvmType->getContext()));
    Id operand = argument(0);
    if (half) operand = m_builder.emit(spv::Op::OpFConvert, type(wide), {operand});
    spv::Op op = name.family == "dfdx" ? spv::Op::OpDPdx : name.family == "dfdy" ? spv::Op::OpDPdy : spv::Op::OpFwidth;
    Id id = m_builder.emit(op, type(half ? wide : llvmType), {operand});
    return half ? m_builder.emit(spv::Op::OpFConvert, type(llvmType), {id}) : id;
  }
  if (name.family == "pack" || name.family == "unpack") {
    // pack.<format>.<type> and unpack.<format>.<type>, with vectors of 16 or 32-bit floats.
    if (name.suffix.empty()) return 0;
    for (const PackEntry& entry : kPacks) {
      if (name.suffix[0] != entry.suffix || name.has("srgb")) continue;
      llvm::Type* floats = name.family == "pack" ? call.getArgOperand(0)->getType() : llvmType;
      llvm::Type* wide = floats->getWithNewType(llvm::Type::getFloatTy(floats->getContext()));
      Id operand = argument(0);
      if (name.family == "pack") {
        if (floats != wide) operand = m_builder.emit(spv::Op::OpFConvert, type(wide), {operand});
        return m_builder.glsl(entry.pack, type(llvmType), {operand});
      }
      Id id = m_builder.glsl(entry.unpack, type(wide), {operand});
      return floats != wide ? m_builder.emit(spv::Op::OpFConvert, type(floats), {id}) : id;
    }
  }
  if (name.family == "extract_bits" && llvmType->getScalarSizeInBits() == 32) {
    return m_builder.emit(isSigned ? spv::Op::OpBitFieldSExtract : spv::Op::OpBitFieldUExtract, type(llvmType),
                          {argument(0), argument(1), argument(2)});
  }
  if (name.family == "insert_bits" && llvmType->getScalarSizeInBits() == 32) {
    return m_builder.emit(spv::Op::OpBitFieldInsert, type(llvmType), {argument(0), argument(1), argument(2), argument(3)});
  }
  if (name.family == "mul_hi" && llvmType->getScalarSizeInBits() == 32) {
    Id members[2] = {type(llvmType), type(llvmType)};
    Id both = m_builder.emit(isSigned ? spv::Op::OpSMulExtended : spv::Op::OpUMulExtended, m_builder.typeStruct(members),
                             {argument(0), argument(1)});
    return m_builder.emit(spv::Op::OpCompositeExtract, type(llvmType), {both, 1});
  }
  return 0;
}

Id Printer::groupCall(llvm::CallInst& call, const air::IntrinsicName& name) {
  if (!std::string_view(name.family).starts_with("simd_") && name.family != "get_simdgroup_size") return 0;
  if (m_unit.entry.stage == Stage::vertex) return 0;
  std::string operation = name.family == "get_simdgroup_size" ? "size" : name.family.substr(5);
  llvm::Type* llvmType = call.getType();
  Id result = type(llvmType);
  Id scope = m_builder.constantU32(static_cast<uint32_t>(spv::Scope::Subgroup));
  auto argument = [&](unsigned i) { return value(call.getArgOperand(i)); };
  bool floating = llvmType->isFPOrFPVectorTy();
  bool isSigned = name.has("s");
  auto lane = [&](unsigned i) {
    llvm::Type* indexType = call.getArgOperand(i)->getType();
    Id index = argument(i);
    return indexType->isIntegerTy(32) ? index : m_builder.emit(spv::Op::OpUConvert, m_builder.typeInt(32), {index});
  };
  auto reduce = [&](spv::Op op, spv::GroupOperation group) {
    m_builder.capability(spv::Capability::GroupNonUniform);
    m_builder.capability(spv::Capability::GroupNonUniformArithmetic);
    return m_builder.emit(op, result, {scope, static_cast<uint32_t>(group), argument(0)});
  };
  spv::GroupOperation whole = spv::GroupOperation::Reduce;
  if (operation == "sum") return reduce(floating ? spv::Op::OpGroupNonUniformFAdd : spv::Op::OpGroupNonUniformIAdd, whole);
  if (operation == "product") return reduce(floating ? spv::Op::OpGroupNonUniformFMul : spv::Op::OpGroupNonUniformIMul, whole);
  if (operation == "min")
    return reduce(floating ? spv::Op::OpGroupNonUniformFMin : isSigned ? spv::Op::OpGroupNonUniformSMin : spv::Op::OpGroupNonUniformUMin, whole);
  if (operation == "max")
    return reduce(floating ? spv::Op::OpGroupNonUniformFMax : isSigned ? spv::Op::OpGroupNonUniformSMax : spv::Op::OpGroupNonUniformUMax, whole);
  if (operation == "and") return reduce(spv::Op::OpGroupNonUniformBitwiseAnd, whole);
  if (operation == "or") return reduce(spv::Op::OpGroupNonUniformBitwiseOr, whole);
  if (operation == "xor") return reduce(spv::Op::OpGroupNonUniformBitwiseXor, whole);
  for (auto [prefix, group] : {std::pair{"prefix_inclusive_", spv::GroupOperation::InclusiveScan},
                               std::pair{"prefix_exclusive_", spv::GroupOperation::ExclusiveScan}}) {
    if (operation == std::string(prefix) + "sum")
      return reduce(floating ? spv::Op::OpGroupNonUniformFAdd : spv::Op::OpGroupNonUniformIAdd, group);
    if (operation == std::string(prefix) + "product")
      return reduce(floating ? spv::Op::OpGroupNonUniformFMul : spv::Op::OpGroupNonUniformIMul, group);
  }
  auto shuffle = [&](spv::Op op, spv::Capability capability) {
    m_builder.capability(spv::Capability::GroupNonUniform);
    m_builder.capability(capability);
    return m_builder.emit(op, result, {scope, argument(0), lane(1)});
  };
  if (operation == "shuffle" || operation == "broadcast")
    return shuffle(spv::Op::OpGroupNonUniformShuffle, spv::Capability::GroupNonUniformShuffle);
  if (operation == "shuffle_xor") return shuffle(spv::Op::OpGroupNonUniformShuffleXor, spv::Capability::GroupNonUniformShuffle);
  if (operation == "shuffle_up") return shuffle(spv::Op::OpGroupNonUniformShuffleUp, spv::Capability::GroupNonUniformShuffleRelative);
  if (operation == "shuffle_down")
    return shuffle(spv::Op::OpGroupNonUniformShuffleDown, spv::Capability::GroupNonUniformShuffleRelative);
  if (operation == "broadcast_first") {
    m_builder.capability(spv::Capability::GroupNonUniform);
    m_builder.capability(spv::Capability::GroupNonUniformBallot);
    return m_builder.emit(spv::Op::OpGroupNonUniformBroadcastFirst, result, {scope, argument(0)});
  }
  if (operation == "all" || operation == "any") {
    if (!llvmType->isIntegerTy(1) || !call.getArgOperand(0)->getType()->isIntegerTy(1)) return 0;
    m_builder.capability(spv::Capability::GroupNonUniform);
    m_builder.capability(spv::Capability::GroupNonUniformVote);
    return m_builder.emit(operation == "all" ? spv::Op::OpGroupNonUniformAll : spv::Op::OpGroupNonUniformAny, result, {scope, argument(0)});
  }
  if (operation == "is_helper_thread" && llvmType->isIntegerTy(1)) {
    if (m_unit.entry.stage != Stage::fragment) return fail("it calls simd_is_helper_thread(), which only fragment functions may");
    m_builder.capability(spv::Capability::DemoteToHelperInvocation);
    m_builder.extension("SPV_EXT_demote_to_helper_invocation");
    return m_builder.emit(spv::Op::OpIsHelperInvocationEXT, result, {});
  }
  if (operation == "is_first" && llvmType->isIntegerTy(1)) {
    m_builder.capability(spv::Capability::GroupNonUniform);
    return m_builder.emit(spv::Op::OpGroupNonUniformElect, result, {scope});
  }
  if (operation == "ballot" && llvmType->isIntegerTy(64) && call.arg_size() == 1) {
    m_builder.capability(spv::Capability::GroupNonUniform);
    m_builder.capability(spv::Capability::GroupNonUniformBallot);
    Id u32 = m_builder.typeInt(32);
    Id bits = m_builder.emit(spv::Op::OpGroupNonUniformBallot, m_builder.typeVector(u32, 4), {scope, argument(0)});
    Id low = m_builder.emit(spv::Op::OpVectorShuffle, m_builder.typeVector(u32, 2), {bits, bits, 0, 1});
    return m_builder.emit(spv::Op::OpBitcast, result, {low});
  }
  return 0;
}

} // namespace basanite::shader::spirv
