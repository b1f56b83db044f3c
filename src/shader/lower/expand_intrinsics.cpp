// SPDX-License-Identifier: Apache-2.0
// Rewrites air.* intrinsics without a SPIR-V twin as plain IR, and bit counting of other widths than 32 as 32-bit steps.
#include "src/shader/air/name.hpp"
#include "src/shader/lower/interface_builder.hpp"

#include <cmath>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

constexpr double kPi = 3.14159265358979323846;

class Expander {
 public:
  Expander(Unit& unit, llvm::CallInst& call, const air::IntrinsicName& name)
      : m_unit(unit), m_module(unit.module), m_call(call), m_name(name), b(&call), m_type(call.getType()) {
    if (auto* operation = llvm::dyn_cast<llvm::FPMathOperator>(&call)) b.setFastMathFlags(operation->getFastMathFlags());
  }

  // The value that replaces the call, or null when the intrinsic stays.
  Value* run() {
    const std::string& f = m_name.family;
    if (f == "convert") return convert();
    if (f == "get_simdgroup_size") return builtIn(spv::BuiltIn::SubgroupSize);
    if (f == "get_num_samples") return callInternal(m_unit, b, kSampleCountFunction, m_type, {}, true);
    // A quad is four neighbouring threads. In wider simdgroups than the device's widenSimdgroups does this.
    if (f == "quad_shuffle" && arity(2) && m_unit.simdgroupParts == 1) {
      Value* lane = loadBuiltIn(m_unit, b, spv::BuiltIn::SubgroupLocalInvocationId, b.getInt32Ty());
      Value* inQuad = b.CreateAnd(b.CreateZExtOrTrunc(arg(1), b.getInt32Ty()), 3);
      Value* index = b.CreateTrunc(b.CreateOr(b.CreateAnd(lane, ~uint64_t(3)), inQuad), b.getInt16Ty());
      std::string name = "air.simd_shuffle";
      for (const std::string& part : m_name.suffix) name += "." + part;
      llvm::Function* quad = m_call.getCalledFunction();
      llvm::FunctionCallee shuffle =
          m_module.getOrInsertFunction(name, llvm::FunctionType::get(m_type, {m_type, b.getInt16Ty()}, false), quad->getAttributes());
      return b.CreateCall(shuffle, {arg(0), index});
    }
    if (f.starts_with("interpolate_")) return interpolate(f);
    if (f == "get_thread_index_in_simdgroup") return builtIn(spv::BuiltIn::SubgroupLocalInvocationId);
    if (m_type->isFPOrFPVectorTy()) return floating(f);
    if (m_type->isIntOrIntVectorTy()) return integer(f);
    return nullptr;
  }

 private:
  Value* arg(unsigned i) { return m_call.getArgOperand(i); }
  bool arity(unsigned n) const { return m_call.arg_size() == n; }
  llvm::Constant* real(double value) { return llvm::ConstantFP::get(m_type, value); }
  llvm::Constant* number(uint64_t value) { return llvm::ConstantInt::get(m_type, value); }

  // Another air function of the same type, e.g. air("sin", {x}).
  Value* air(const std::string& family, llvm::ArrayRef<Value*> arguments) {
    std::string name = "air." + std::string(m_name.fast ? "fast_" : "") + family;
    for (const std::string& part : m_name.suffix) name += "." + part;
    std::vector<Type*> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    llvm::FunctionCallee callee = m_module.getOrInsertFunction(name, llvm::FunctionType::get(m_type, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return b.CreateCall(callee, arguments);
  }

  Value* builtIn(spv::BuiltIn which) { return b.CreateZExtOrTrunc(loadBuiltIn(m_unit, b, which, b.getInt32Ty()), m_type); }

  // interpolate_<center|centroid|sample|offset>_<perspective|no_perspective>(handle, [where]).
  Value* interpolate(const std::string& f) {
    auto* handle = llvm::dyn_cast<llvm::ConstantExpr>(arg(0));
    auto* number = handle && handle->getOpcode() == llvm::Instruction::IntToPtr ? llvm::dyn_cast<llvm::ConstantInt>(handle->getOperand(0)) : nullptr;
    if (!number) return nullptr;
    std::string how = f.substr(12, f.find('_', 12) - 12);
    std::vector<Value*> arguments;
    if (how == "sample") arguments.push_back(b.CreateZExtOrTrunc(arg(1), b.getInt32Ty()));
    // Metal counts from the pixel's corner, Vulkan from its centre.
    if (how == "offset") arguments.push_back(b.CreateFSub(arg(1), llvm::ConstantFP::get(arg(1)->getType(), 0.5)));
    Type* wide = m_type->getWithNewType(b.getFloatTy());
    std::string name = kInterpolateFunction + how + "." + std::to_string(number->getZExtValue() - 1);
    return b.CreateFPCast(callInternal(m_unit, b, name, wide, arguments, true), m_type);
  }

  Value* fabs(Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  Value* trunc(Value* x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x); }
  Value* minimum(Value* x, Value* y) { return air("fmin", {x, y}); }
  Value* maximum(Value* x, Value* y) { return air("fmax", {x, y}); }
  Value* withSign(Value* magnitude, Value* sign) {
    Type* bits = m_type->getWithNewType(b.getIntNTy(m_type->getScalarSizeInBits()));
    uint64_t signBit = uint64_t(1) << (m_type->getScalarSizeInBits() - 1);
    Value* m = b.CreateAnd(b.CreateBitCast(magnitude, bits), llvm::ConstantInt::get(bits, signBit - 1));
    Value* s = b.CreateAnd(b.CreateBitCast(sign, bits), llvm::ConstantInt::get(bits, signBit));
    return b.CreateBitCast(b.CreateOr(m, s), m_type);
  }

  // x in half turns brought into [-1, 1], exactly: x - 2 * round(x / 2).
  Value* halfTurns(Value* x) {
    Value* turns = b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, b.CreateFMul(x, real(0.5)));
    return b.CreateFSub(x, b.CreateFMul(turns, real(2.0)));
  }

  Value* convert() {
    // convert.<dst kind>.<dst type>.<src kind>.<src type>[.rounding]
    if (m_name.suffix.size() < 4 || !arity(1)) return nullptr;
    const std::string& to = m_name.suffix[0];
    const std::string& from = m_name.suffix[2];
    if (m_name.suffix[1].find("bf16") != std::string::npos || m_name.suffix[3].find("bf16") != std::string::npos) return nullptr;
    Value* x = arg(0);
    Type* source = x->getType();
    bool toBool = m_type->getScalarType()->isIntegerTy(1);
    if (to == "f" && from == "f") return b.CreateFPCast(x, m_type);
    if (to == "f") return from == "s" ? b.CreateSIToFP(x, m_type) : b.CreateUIToFP(x, m_type);
    if (from == "f") {
      if (toBool) return b.CreateFCmpUNE(x, llvm::Constant::getNullValue(source));
      return saturating(x, to == "s");
    }
    if (toBool) return b.CreateICmpNE(x, llvm::Constant::getNullValue(source));
    return from == "s" ? b.CreateSExtOrTrunc(x, m_type) : b.CreateZExtOrTrunc(x, m_type);
  }

  // Float to integer: saturates, and NaN gives 0.
  Value* saturating(Value* x, bool isSigned) {
    Type* source = x->getType();
    unsigned bits = m_type->getScalarSizeInBits();
    // Half overflows before 32-bit limits do; compare in 32-bit floats.
    if (source->getScalarType()->isHalfTy()) {
      source = source->getWithNewType(b.getFloatTy());
      x = b.CreateFPExt(x, source);
    }
    b.clearFastMathFlags(); // the comparisons below are about NaN and infinity
    double above = std::ldexp(1.0, isSigned ? int(bits) - 1 : int(bits)); // first value too large
    llvm::APInt largest = isSigned ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    llvm::APInt smallest = isSigned ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt(bits, 0);
    Value* tooLarge = b.CreateFCmpOGE(x, llvm::ConstantFP::get(source, above));
    double below = isSigned ? -above : 0.0;
    Value* tooSmall = b.CreateFCmpOLT(x, llvm::ConstantFP::get(source, below));
    Value* nan = b.CreateFCmpUNO(x, x);
    // The conversion itself only ever sees values in range, so that nothing undefined is computed.
    Value* out = b.CreateOr(b.CreateOr(tooLarge, tooSmall), nan);
    Value* safe = b.CreateSelect(out, llvm::Constant::getNullValue(source), x);
    Value* result = isSigned ? b.CreateFPToSI(safe, m_type) : b.CreateFPToUI(safe, m_type);
    result = b.CreateSelect(tooLarge, llvm::ConstantInt::get(m_type, largest), result);
    return b.CreateSelect(tooSmall, llvm::ConstantInt::get(m_type, smallest), result);
  }

  Value* floating(const std::string& f) {
    if (arity(1)) {
      Value* x = arg(0);
      if (f == "sinpi") return air("sin", {b.CreateFMul(halfTurns(x), real(kPi))});
      if (f == "cospi") return air("cos", {b.CreateFMul(halfTurns(x), real(kPi))});
      if (f == "tanpi") return air("tan", {b.CreateFMul(halfTurns(x), real(kPi))});
      if (f == "exp10") return air("exp2", {b.CreateFMul(x, real(std::log2(10.0)))});
      if (f == "log10") return b.CreateFMul(air("log2", {x}), real(std::log10(2.0)));
      if (f == "saturate") {
        Value* low = m_name.fast ? air("fmax", {x, real(0)}) : b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, x, real(0));
        return m_name.fast ? air("fmin", {low, real(1)}) : b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, low, real(1));
      }
      if (f == "fract") {
        // Below 1 even where x - floor(x) rounds up.
        double last = m_type->getScalarType()->isHalfTy() ? 1.0 - std::ldexp(1.0, -11) : 1.0 - std::ldexp(1.0, -24);
        Value* part = b.CreateFSub(x, b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x));
        return b.CreateBinaryIntrinsic(llvm::Intrinsic::minimum, part, real(last));
      }
      if (f == "sign") {
        // A denormal that compares as zero gives a zero of its sign.
        Value* zeroOrNan = b.CreateSelect(b.CreateFCmpOEQ(x, real(0)), withSign(real(0), x), real(0));
        Value* negative = b.CreateSelect(b.CreateFCmpOLT(x, real(0)), real(-1), zeroOrNan);
        return b.CreateSelect(b.CreateFCmpOGT(x, real(0)), real(1), negative);
      }
      if (f == "round") {
        // Half away from zero: the fraction is exact, so 0.49999997 stays 0.
        Value* whole = trunc(x);
        Value* part = fabs(b.CreateFSub(x, whole));
        Value* away = b.CreateSelect(b.CreateFCmpOGE(part, real(0.5)), real(1), real(0));
        return withSign(b.CreateFAdd(fabs(whole), away), x);
      }
    }
    if (arity(2)) {
      Value* x = arg(0);
      Value* y = arg(1);
      if (f == "fmod") {
        if (x->getType() != y->getType()) return nullptr;
        return b.CreateFSub(x, b.CreateFMul(y, trunc(b.CreateFDiv(x, y))));
      }
      if (f == "copysign") return withSign(x, y);
      // Greater or unordered: NaN stays NaN.
      if (f == "fdim") return b.CreateSelect(b.CreateFCmpUGT(x, y), b.CreateFSub(x, y), real(0));
      if (f == "pow") {
        // SPIR-V's Pow wants a base that is not negative; an odd exponent brings the sign back, a broken one gives NaN.
        Value* magnitude = air("powr", {fabs(x), y});
        Value* wholeY = trunc(y);
        Value* isWhole = b.CreateFCmpOEQ(wholeY, y);
        Value* half = b.CreateFMul(y, real(0.5));
        Value* isOdd = b.CreateAnd(isWhole, b.CreateFCmpUNE(trunc(half), half));
        Value* negative = b.CreateFCmpOLT(x, real(0));
        Value* signedResult = b.CreateSelect(b.CreateAnd(negative, isOdd), b.CreateFNeg(magnitude), magnitude);
        Value* nan = llvm::ConstantFP::getQNaN(m_type);
        Value* result = b.CreateSelect(b.CreateAnd(negative, b.CreateNot(isWhole)), nan, signedResult);
        return b.CreateSelect(b.CreateFCmpOEQ(y, real(0)), real(1), result);
      }
      if (f == "sincos" && y->getType()->isPointerTy()) {
        b.CreateAlignedStore(air("cos", {x}), y, llvm::Align(m_type->getScalarSizeInBits() / 8));
        return air("sin", {x});
      }
    }
    if (arity(3)) {
      Value* x = arg(0);
      Value* y = arg(1);
      Value* z = arg(2);
      if (f == "fmin3") return minimum(minimum(x, y), z);
      if (f == "fmax3") return maximum(maximum(x, y), z);
      if (f == "fmedian3") return maximum(minimum(x, y), minimum(maximum(x, y), z));
    }
    return nullptr;
  }

  // x * y + z of 64 bits as two words of the exact sum, cut to the type's limits.
  Value* madSat64(Value* x, Value* y, Value* z, bool isSigned) {
    Value* zero = llvm::Constant::getNullValue(m_type);
    Value* low = b.CreateMul(x, y);
    Value* high = mulHigh64(x, y, isSigned);
    Value* sum = b.CreateAdd(low, z);
    high = b.CreateAdd(high, b.CreateZExt(b.CreateICmpULT(sum, low), m_type));
    if (!isSigned) return b.CreateSelect(b.CreateICmpEQ(high, zero), sum, llvm::Constant::getAllOnesValue(m_type));
    high = b.CreateAdd(high, b.CreateAShr(z, number(63)));
    // In range where the upper word only repeats the lower one's sign.
    Value* limit = b.CreateXor(b.CreateAShr(high, number(63)), number(0x7fffffffffffffff));
    return b.CreateSelect(b.CreateICmpEQ(high, b.CreateAShr(sum, number(63))), sum, limit);
  }

  // A scalar bit count of 32 bits, for every component; none is 0 or the width where it shifts.
  Value* bitCount(Value* count) {
    Value* wide = b.CreateZExtOrTrunc(count, m_type->getScalarType());
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(m_type);
    return vector ? b.CreateVectorSplat(vector->getNumElements(), wide) : wide;
  }
  Value* none(Value* count) { return b.CreateICmpEQ(count, llvm::Constant::getNullValue(m_type)); }

  // x's `bits` bits from `offset` on: to the top and back down, which extends the sign or not. SPIR-V's are of 32 bits.
  Value* extractBits(bool isSigned) {
    uint64_t width = m_type->getScalarSizeInBits();
    Value* offset = bitCount(arg(1));
    Value* bits = bitCount(arg(2));
    Value* mask = number(width - 1);
    Value* up = b.CreateShl(arg(0), b.CreateAnd(b.CreateSub(number(width), b.CreateAdd(offset, bits)), mask));
    Value* down = b.CreateAnd(b.CreateSub(number(width), bits), mask);
    return b.CreateSelect(none(bits), llvm::Constant::getNullValue(m_type), isSigned ? b.CreateAShr(up, down) : b.CreateLShr(up, down));
  }
  Value* insertBits() {
    uint64_t width = m_type->getScalarSizeInBits();
    Value* bits = bitCount(arg(3));
    Value* offset = b.CreateAnd(bitCount(arg(2)), number(width - 1));
    Value* ones = b.CreateLShr(llvm::Constant::getAllOnesValue(m_type), b.CreateAnd(b.CreateSub(number(width), bits), number(width - 1)));
    Value* mask = b.CreateSelect(none(bits), llvm::Constant::getNullValue(m_type), b.CreateShl(ones, offset));
    return b.CreateOr(b.CreateAnd(arg(0), b.CreateNot(mask)), b.CreateAnd(b.CreateShl(arg(1), offset), mask));
  }

  // The upper half of a 64-bit product, from four 32-bit ones.
  Value* mulHigh64(Value* x, Value* y, bool isSigned) {
    auto lowWord = [&](Value* v) { return b.CreateAnd(v, number(0xffffffff)); };
    auto highWord = [&](Value* v) { return b.CreateLShr(v, number(32)); };
    Value* carry = highWord(b.CreateMul(lowWord(x), lowWord(y)));
    Value* middle = b.CreateAdd(b.CreateMul(highWord(x), lowWord(y)), carry);
    Value* second = b.CreateAdd(b.CreateMul(lowWord(x), highWord(y)), lowWord(middle));
    Value* result = b.CreateAdd(b.CreateAdd(b.CreateMul(highWord(x), highWord(y)), highWord(middle)), highWord(second));
    if (!isSigned) return result;
    // As unsigned numbers, negative factors are 2^64 too large.
    result = b.CreateSub(result, b.CreateAnd(b.CreateAShr(x, number(63)), y));
    return b.CreateSub(result, b.CreateAnd(b.CreateAShr(y, number(63)), x));
  }

  Value* integer(const std::string& f) {
    bool isSigned = m_name.has("s");
    unsigned bits = m_type->getScalarSizeInBits();
    auto low = [&](Value* x, Value* y) {
      return b.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, y);
    };
    auto high = [&](Value* x, Value* y) {
      return b.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, y);
    };
    auto wide = [&](Value* x) {
      Type* type = m_type->getWithNewBitWidth(bits * 2);
      return isSigned ? b.CreateSExt(x, type) : b.CreateZExt(x, type);
    };
    auto mulHigh = [&](Value* x, Value* y) -> Value* {
      if (bits == 64) return mulHigh64(x, y, isSigned);
      if (bits > 16) return nullptr;
      return b.CreateTrunc(b.CreateLShr(b.CreateMul(wide(x), wide(y)), bits), m_type);
    };
    if (f == "clz" && !m_call.arg_empty()) return b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, arg(0), b.getFalse());
    if (f == "ctz" && !m_call.arg_empty()) return b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, arg(0), b.getFalse());
    if (f == "popcount" && arity(1)) return b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, arg(0));
    if (f == "extract_bits" && arity(3) && bits != 32) return extractBits(isSigned);
    if (f == "insert_bits" && arity(4) && bits != 32) return insertBits();
    if (f == "reverse_bits" && arity(1)) return b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, arg(0));
    if (arity(2)) {
      Value* x = arg(0);
      Value* y = arg(1);
      if (f == "abs_diff") return b.CreateSub(high(x, y), low(x, y));
      if (f == "mul24") return b.CreateMul(x, y);
      if (f == "hadd") {
        Value* half = isSigned ? b.CreateAShr(b.CreateXor(x, y), 1) : b.CreateLShr(b.CreateXor(x, y), 1);
        return b.CreateAdd(b.CreateAnd(x, y), half);
      }
      if (f == "rhadd") {
        Value* half = isSigned ? b.CreateAShr(b.CreateXor(x, y), 1) : b.CreateLShr(b.CreateXor(x, y), 1);
        return b.CreateSub(b.CreateOr(x, y), half);
      }
      if (f == "rotate") return b.CreateIntrinsic(llvm::Intrinsic::fshl, {m_type}, {x, x, y});
      if (f == "add_sat") return b.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::sadd_sat : llvm::Intrinsic::uadd_sat, x, y);
      if (f == "sub_sat") return b.CreateBinaryIntrinsic(isSigned ? llvm::Intrinsic::ssub_sat : llvm::Intrinsic::usub_sat, x, y);
      if (f == "mul_hi") return mulHigh(x, y);
    }
    if (arity(3)) {
      Value* x = arg(0);
      Value* y = arg(1);
      Value* z = arg(2);
      if (f == "min3") return low(low(x, y), z);
      if (f == "max3") return high(high(x, y), z);
      if (f == "median3") return high(low(x, y), low(high(x, y), z));
      if (f == "mad_sat" && bits <= 32) {
        Value* exact = b.CreateAdd(b.CreateMul(wide(x), wide(y)), wide(z));
        llvm::APInt largest = isSigned ? llvm::APInt::getSignedMaxValue(bits).sext(bits * 2) : llvm::APInt::getMaxValue(bits).zext(bits * 2);
        Value* limited = low(exact, llvm::ConstantInt::get(exact->getType(), largest));
        if (isSigned) limited = high(limited, llvm::ConstantInt::get(exact->getType(), llvm::APInt::getSignedMinValue(bits).sext(bits * 2)));
        return b.CreateTrunc(limited, m_type);
      }
      if (f == "mad_sat" && bits == 64) return madSat64(x, y, z, isSigned);
      if (f == "mad24") return b.CreateAdd(b.CreateMul(x, y), z);
      if (f == "mad_hi") {
        Value* product = mulHigh(x, y);
        if (!product && bits == 32) {
          std::string name = "air.mul_hi";
          for (const std::string& part : m_name.suffix) name += "." + part;
          llvm::FunctionCallee callee = m_module.getOrInsertFunction(name, llvm::FunctionType::get(m_type, {m_type, m_type}, false));
          product = b.CreateCall(callee, {x, y});
        }
        return product ? b.CreateAdd(product, z) : nullptr;
      }
    }
    return nullptr;
  }

  Unit& m_unit;
  llvm::Module& m_module;
  llvm::CallInst& m_call;
  const air::IntrinsicName& m_name;
  IRBuilder<> b;
  Type* m_type;
};

// llvm.* that SPIR-V lacks, or has for 32 bits only.
Value* expandLlvm(llvm::IntrinsicInst& call) {
  IRBuilder<> b(&call);
  Type* type = call.getType();
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(type, value); };
  unsigned bits = type->getScalarSizeInBits();
  auto arg = [&](unsigned i) { return call.getArgOperand(i); };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr: {
    bool left = call.getIntrinsicID() == llvm::Intrinsic::fshl;
    // Shifting by the whole width is undefined; two steps keep both counts below it.
    Value* count = b.CreateAnd(arg(2), number(bits - 1));
    Value* rest = b.CreateXor(count, number(bits - 1));
    if (left) return b.CreateOr(b.CreateShl(arg(0), count), b.CreateLShr(b.CreateLShr(arg(1), number(1)), rest));
    return b.CreateOr(b.CreateShl(b.CreateShl(arg(0), number(1)), rest), b.CreateLShr(arg(1), count));
  }
  case llvm::Intrinsic::uadd_sat: {
    Value* sum = b.CreateAdd(arg(0), arg(1));
    return b.CreateSelect(b.CreateICmpULT(sum, arg(0)), llvm::Constant::getAllOnesValue(type), sum);
  }
  case llvm::Intrinsic::usub_sat:
    return b.CreateSelect(b.CreateICmpUGT(arg(0), arg(1)), b.CreateSub(arg(0), arg(1)), llvm::Constant::getNullValue(type));
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat: {
    bool addition = call.getIntrinsicID() == llvm::Intrinsic::sadd_sat;
    Value* x = arg(0);
    Value* y = arg(1);
    Value* result = addition ? b.CreateAdd(x, y) : b.CreateSub(x, y);
    // Overflow: the result's sign differs from x's although the operands allowed it.
    Value* signs = addition ? b.CreateAnd(b.CreateXor(x, result), b.CreateXor(y, result))
                            : b.CreateAnd(b.CreateXor(x, y), b.CreateXor(x, result));
    Value* overflow = b.CreateICmpSLT(signs, llvm::Constant::getNullValue(type));
    Value* limit = b.CreateXor(b.CreateAShr(x, number(bits - 1)), llvm::ConstantInt::get(type, llvm::APInt::getSignedMaxValue(bits)));
    return b.CreateSelect(overflow, limit, result);
  }
  case llvm::Intrinsic::scmp:
  case llvm::Intrinsic::ucmp: {
    bool isSigned = call.getIntrinsicID() == llvm::Intrinsic::scmp;
    Value* less = isSigned ? b.CreateICmpSLT(arg(0), arg(1)) : b.CreateICmpULT(arg(0), arg(1));
    Value* more = isSigned ? b.CreateICmpSGT(arg(0), arg(1)) : b.CreateICmpUGT(arg(0), arg(1));
    return b.CreateSub(b.CreateZExt(more, type), b.CreateZExt(less, type));
  }
  case llvm::Intrinsic::copysign: {
    Type* integer = type->getWithNewType(b.getIntNTy(bits));
    uint64_t signBit = uint64_t(1) << (bits - 1);
    Value* magnitude = b.CreateAnd(b.CreateBitCast(arg(0), integer), llvm::ConstantInt::get(integer, signBit - 1));
    Value* sign = b.CreateAnd(b.CreateBitCast(arg(1), integer), llvm::ConstantInt::get(integer, signBit));
    return b.CreateBitCast(b.CreateOr(magnitude, sign), type);
  }
  case llvm::Intrinsic::vector_reduce_add:
  case llvm::Intrinsic::vector_reduce_mul:
  case llvm::Intrinsic::vector_reduce_and:
  case llvm::Intrinsic::vector_reduce_or:
  case llvm::Intrinsic::vector_reduce_xor: {
    auto opcode = call.getIntrinsicID() == llvm::Intrinsic::vector_reduce_add   ? llvm::Instruction::Add
                  : call.getIntrinsicID() == llvm::Intrinsic::vector_reduce_mul ? llvm::Instruction::Mul
                  : call.getIntrinsicID() == llvm::Intrinsic::vector_reduce_and ? llvm::Instruction::And
                  : call.getIntrinsicID() == llvm::Intrinsic::vector_reduce_or  ? llvm::Instruction::Or
                                                                                : llvm::Instruction::Xor;
    unsigned count = llvm::cast<llvm::FixedVectorType>(arg(0)->getType())->getNumElements();
    Value* result = b.CreateExtractElement(arg(0), uint64_t(0));
    for (unsigned i = 1; i < count; ++i) result = b.CreateBinOp(opcode, result, b.CreateExtractElement(arg(0), uint64_t(i)));
    return result;
  }
  case llvm::Intrinsic::expect: return arg(0);
  case llvm::Intrinsic::bswap: {
    Value* result = number(0);
    for (unsigned at = 0; at < bits; at += 8) {
      Value* byte = b.CreateAnd(b.CreateLShr(arg(0), number(at)), number(255));
      result = b.CreateOr(result, b.CreateShl(byte, number(bits - 8 - at)));
    }
    return result;
  }
  case llvm::Intrinsic::ctlz:
  case llvm::Intrinsic::cttz:
  case llvm::Intrinsic::ctpop:
  case llvm::Intrinsic::bitreverse: {
    if (bits == 32) return nullptr;
    Type* word = type->getWithNewBitWidth(32);
    auto on32 = [&](Value* x) -> Value* {
      if (call.arg_size() == 2) return b.CreateBinaryIntrinsic(call.getIntrinsicID(), x, b.getFalse());
      return b.CreateUnaryIntrinsic(call.getIntrinsicID(), x);
    };
    if (bits < 32) {
      Value* x = b.CreateZExt(arg(0), word);
      if (call.getIntrinsicID() == llvm::Intrinsic::cttz) x = b.CreateOr(x, llvm::ConstantInt::get(word, uint64_t(1) << bits));
      Value* result = on32(x);
      if (call.getIntrinsicID() == llvm::Intrinsic::ctlz) result = b.CreateSub(result, llvm::ConstantInt::get(word, 32 - bits));
      if (call.getIntrinsicID() == llvm::Intrinsic::bitreverse) result = b.CreateLShr(result, llvm::ConstantInt::get(word, 32 - bits));
      return b.CreateTrunc(result, type);
    }
    if (bits != 64) return nullptr;
    Value* lowWord = b.CreateTrunc(arg(0), word);
    Value* highWord = b.CreateTrunc(b.CreateLShr(arg(0), number(32)), word);
    Value* low = b.CreateZExt(on32(lowWord), type);
    Value* high = b.CreateZExt(on32(highWord), type);
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::ctpop: return b.CreateAdd(low, high);
    case llvm::Intrinsic::bitreverse: return b.CreateOr(b.CreateShl(low, number(32)), high);
    case llvm::Intrinsic::ctlz:
      return b.CreateSelect(b.CreateICmpEQ(highWord, llvm::Constant::getNullValue(word)), b.CreateAdd(low, number(32)), high);
    default:
      return b.CreateSelect(b.CreateICmpEQ(lowWord, llvm::Constant::getNullValue(word)), b.CreateAdd(high, number(32)), low);
    }
  }
  default: return nullptr;
  }
}

} // namespace

base::Result<void> expandIntrinsics(Unit& unit) {
  // Expansions may use intrinsics that expand themselves, so rounds are made until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::Function& function : unit.module) {
      std::vector<llvm::CallInst*> calls;
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction()) calls.push_back(call);
      for (llvm::CallInst* call : calls) {
        Value* replacement = nullptr;
        std::string name = call->getCalledFunction()->getName().str();
        if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(call)) {
          replacement = expandLlvm(*intrinsic);
        } else if (name == "air.simd_need_32_threads") {
          if (unit.traits.subgroupSize * unit.simdgroupParts != kSimdgroupThreads) {
            return unit.error(function, "it uses simdgroup_matrix, which needs simdgroups of 32 threads; the device's have " +
                                            std::to_string(unit.traits.subgroupSize));
          }
          call->eraseFromParent();
          continue;
        } else if (air::isIntrinsic(name)) {
          air::IntrinsicName parsed = air::parseIntrinsic(name);
          replacement = Expander(unit, *call, parsed).run();
        }
        if (!replacement) continue;
        call->replaceAllUsesWith(replacement);
        call->eraseFromParent();
        changed = true;
      }
    }
  }
  return {};
}

} // namespace basanite::shader::lower
