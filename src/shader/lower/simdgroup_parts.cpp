// SPDX-License-Identifier: Apache-2.0
// Functions over simdgroups of 32 threads, computed from those of narrower subgroups.
#include "src/shader/lower/simdgroup_parts.hpp"

#include "src/shader/air/name.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

namespace basanite::shader::lower {

using llvm::Type;
using llvm::Value;

Value* GroupOperations::add(Value* x, Value* y) {
  return x->getType()->isFPOrFPVectorTy() ? b.CreateFAdd(x, y) : b.CreateAdd(x, y);
}
Value* GroupOperations::multiply(Value* x, Value* y) {
  return x->getType()->isFPOrFPVectorTy() ? b.CreateFMul(x, y) : b.CreateMul(x, y);
}
Value* GroupOperations::signedMinimum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateICmpSLT(x, y), x, y);
}
Value* GroupOperations::signedMaximum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateICmpSGT(x, y), x, y);
}
Value* GroupOperations::unsignedMinimum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateICmpULT(x, y), x, y);
}
Value* GroupOperations::unsignedMaximum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateICmpUGT(x, y), x, y);
}
// The number where one of the two is NaN.
Value* GroupOperations::floatMinimum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateOr(b.CreateFCmpOLT(x, y), b.CreateFCmpUNO(y, y)), x, y);
}
Value* GroupOperations::floatMaximum(Value* x, Value* y) {
  return b.CreateSelect(b.CreateOr(b.CreateFCmpOGT(x, y), b.CreateFCmpUNO(y, y)), x, y);
}
Value* GroupOperations::bitAnd(Value* x, Value* y) { return b.CreateAnd(x, y); }
Value* GroupOperations::bitOr(Value* x, Value* y) { return b.CreateOr(x, y); }
Value* GroupOperations::bitXor(Value* x, Value* y) { return b.CreateXor(x, y); }

GroupOperations::Arithmetic GroupOperations::arithmetic(const std::string& operation, Type* type,
                                                        bool isSigned) {
  const bool floating = type->isFPOrFPVectorTy();
  const unsigned bits = type->getScalarSizeInBits();
  auto number = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
  if (operation == "sum")
    return {&GroupOperations::add,
            floating ? llvm::ConstantFP::getNegativeZero(type) : llvm::Constant::getNullValue(type)};
  if (operation == "product")
    return {&GroupOperations::multiply,
            floating ? llvm::ConstantFP::get(type, 1.0) : llvm::ConstantInt::get(type, 1)};
  if (operation == "min") {
    if (floating) return {&GroupOperations::floatMinimum, llvm::ConstantFP::getInfinity(type, false)};
    if (isSigned) return {&GroupOperations::signedMinimum, number(llvm::APInt::getSignedMaxValue(bits))};
    return {&GroupOperations::unsignedMinimum, number(llvm::APInt::getMaxValue(bits))};
  }
  if (operation == "max") {
    if (floating) return {&GroupOperations::floatMaximum, llvm::ConstantFP::getInfinity(type, true)};
    if (isSigned) return {&GroupOperations::signedMaximum, number(llvm::APInt::getSignedMinValue(bits))};
    return {&GroupOperations::unsignedMaximum, llvm::Constant::getNullValue(type)};
  }
  if (operation == "and") return {&GroupOperations::bitAnd, llvm::Constant::getAllOnesValue(type)};
  if (operation == "or") return {&GroupOperations::bitOr, llvm::Constant::getNullValue(type)};
  if (operation == "xor") return {&GroupOperations::bitXor, llvm::Constant::getNullValue(type)};
  return {};
}

Value* GroupOperations::call(llvm::Function* like, const std::string& operation,
                             llvm::ArrayRef<Value*> arguments) {
  const std::string name = like->getName().str();
  std::vector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(like->getReturnType(), types, false);
  llvm::FunctionCallee callee = m_unit.module.getOrInsertFunction(
      "air.simd_" + operation + name.substr(name.find('.', 4)), type, like->getAttributes());
  return b.CreateCall(callee, arguments);
}

Value* GroupOperations::vote(const char* operation, Value* condition) {
  llvm::FunctionCallee callee =
      m_unit.module.getOrInsertFunction(std::string("air.simd_") + operation, b.getInt1Ty(), b.getInt1Ty());
  llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  return b.CreateCall(callee, {condition});
}

Value* GroupOperations::anyPart(const PartValues& active) {
  Value* any = active[0];
  for (unsigned p = 1; p < m_parts; ++p) any = b.CreateOr(any, active[p]);
  return any;
}

Value* GroupOperations::anyThread(const PartValues& active) { return vote("any", anyPart(active)); }

Value* GroupOperations::ballot(const PartValues& condition) {
  llvm::FunctionCallee callee =
      m_unit.module.getOrInsertFunction("air.simd_ballot.i64", b.getInt64Ty(), b.getInt1Ty());
  llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  Value* threads = b.getInt32(0);
  for (unsigned p = 0; p < m_parts; ++p) {
    Value* lanes = b.CreateTrunc(b.CreateCall(callee, {condition[p]}), b.getInt32Ty());
    threads = b.CreateOr(threads, b.CreateShl(lanes, p * m_width));
  }
  return threads;
}

Value* GroupOperations::threadOf(unsigned part) { return b.CreateAdd(m_lane, b.getInt32(part * m_width)); }

Value* GroupOperations::fetch(llvm::Function* like, const PartValues& x, Value* lane, Value* part) {
  Value* laneIndex = b.CreateTrunc(lane, b.getInt16Ty());
  auto from = [&](unsigned p) { return call(like, "shuffle", {x[p], laneIndex}); };
  if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(part))
    return from(static_cast<unsigned>(known->getZExtValue()));
  Value* result = from(0);
  for (unsigned p = 1; p < m_parts; ++p)
    result = b.CreateSelect(b.CreateICmpEQ(part, b.getInt32(p)), from(p), result);
  return result;
}

Value* GroupOperations::fetch(llvm::Function* like, const PartValues& x, Value* thread) {
  Value* inside = b.CreateAnd(thread, kSimdgroupThreads - 1);
  return fetch(like, x, b.CreateAnd(inside, m_width - 1), b.CreateUDiv(inside, b.getInt32(m_width)));
}

PartValues GroupOperations::run(llvm::Function* function, llvm::ArrayRef<PartValues> arguments,
                                const PartValues& active) {
  const air::IntrinsicName name = air::parseIntrinsic(function->getName().str());
  if (name.family == "quad_shuffle" && arguments.size() == 2) {
    // The four threads of a quad are in one part.
    PartValues fetched;
    for (unsigned p = 0; p < m_parts; ++p) {
      Value* inQuad = b.CreateAnd(b.CreateZExtOrTrunc(arguments[1][p], b.getInt32Ty()), 3);
      Value* lane = b.CreateOr(b.CreateAnd(m_lane, ~uint64_t(3)), inQuad);
      fetched.push_back(call(function, "shuffle", {arguments[0][p], b.CreateTrunc(lane, b.getInt16Ty())}));
    }
    return fetched;
  }
  if (!name.family.starts_with("simd_")) return {};
  const std::string operation = name.family.substr(5);
  const bool isSigned = name.has("s");
  PartValues results;
  auto same = [&](Value* value) { results.assign(m_parts, value); };

  if (operation == "is_first" || operation == "broadcast_first") {
    Value* threads = ballot(active);
    Value* lowest = b.CreateAnd(threads, b.CreateNeg(threads));
    if (operation == "is_first") {
      for (unsigned p = 0; p < m_parts; ++p)
        results.push_back(b.CreateICmpEQ(b.CreateShl(b.getInt32(1), threadOf(p)), lowest));
      return results;
    }
    Value* first = b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, b.CreateSub(lowest, b.getInt32(1)));
    same(fetch(function, arguments[0], first));
    return results;
  }
  if (arguments.empty()) return {};
  const PartValues& x = arguments[0];
  Type* type = x[0]->getType();
  auto activeOr = [&](unsigned p, Value* neutral) { return b.CreateSelect(active[p], x[p], neutral); };

  if (operation == "all" || operation == "any") {
    const bool all = operation == "all";
    Value* mine = b.getInt1(all);
    for (unsigned p = 0; p < m_parts; ++p) {
      Value* condition = activeOr(p, b.getInt1(all));
      mine = all ? b.CreateAnd(mine, condition) : b.CreateOr(mine, condition);
    }
    same(vote(operation.c_str(), mine));
    return results;
  }
  if (operation == "ballot") {
    PartValues conditions;
    for (unsigned p = 0; p < m_parts; ++p) conditions.push_back(activeOr(p, b.getFalse()));
    same(b.CreateZExt(ballot(conditions), function->getReturnType()));
    return results;
  }
  for (bool inclusive : {false, true}) {
    const std::string prefix = inclusive ? "prefix_inclusive_" : "prefix_exclusive_";
    if (!operation.starts_with(prefix)) continue;
    const std::string sum = operation.substr(prefix.size());
    const Arithmetic steps = arithmetic(sum, type, isSigned);
    if (!steps.combine) return {};
    // The threads of a part follow those of the parts before it.
    Value* before = steps.neutral;
    for (unsigned p = 0; p < m_parts; ++p) {
      Value* value = activeOr(p, steps.neutral);
      results.push_back((this->*steps.combine)(before, call(function, operation, {value})));
      before = (this->*steps.combine)(before, call(function, sum, {value}));
    }
    return results;
  }
  if (const Arithmetic steps = arithmetic(operation, type, isSigned); steps.combine) {
    Value* mine = activeOr(0, steps.neutral);
    for (unsigned p = 1; p < m_parts; ++p) mine = (this->*steps.combine)(mine, activeOr(p, steps.neutral));
    same(call(function, operation, {mine}));
    return results;
  }
  if (arguments.size() < 2) return {};
  for (unsigned p = 0; p < m_parts; ++p) {
    Value* n = b.CreateZExtOrTrunc(arguments[1][p], b.getInt32Ty());
    Value* own = threadOf(p);
    if (operation == "shuffle" || operation == "broadcast") {
      results.push_back(fetch(function, x, n));
    } else if (operation == "shuffle_xor") {
      Value* inside = b.CreateAnd(n, kSimdgroupThreads - 1);
      results.push_back(fetch(function, x, b.CreateXor(m_lane, b.CreateAnd(inside, m_width - 1)),
                              b.CreateXor(b.getInt32(p), b.CreateUDiv(inside, b.getInt32(m_width)))));
    } else if (operation == "shuffle_up" || operation == "shuffle_down") {
      // A thread without one at that distance keeps its own value.
      const bool up = operation == "shuffle_up";
      Value* inside =
          up ? b.CreateICmpUGE(own, n) : b.CreateICmpULT(n, b.CreateSub(b.getInt32(kSimdgroupThreads), own));
      Value* other = fetch(function, x, up ? b.CreateSub(own, n) : b.CreateAdd(own, n));
      results.push_back(b.CreateSelect(inside, other, x[p]));
    } else {
      return {};
    }
  }
  return results;
}

} // namespace basanite::shader::lower
