// SPDX-License-Identifier: Apache-2.0
// Takes the type bfloat out of a module: it moves as its 16 bits and computes as float, rounded to nearest
// even after each operation. Conversions of integers of any width, +, - and * come out as if rounded once.
// All else that float rounds, fma above all, is rounded twice, to float and then to bfloat, and may be the
// neighbour of the nearest bfloat. Our own front end has no such type (its bfloat is a class); Apple's
// compiler writes it.
#include "src/shader/lower/lowering.hpp"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

// `type` with every bfloat in it replaced; the same type when there is none.
Type* replaced(Type* type, Type* instead) {
  if (type->isBFloatTy()) return instead;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    Type* element = replaced(vector->getElementType(), instead);
    return element == vector->getElementType() ? type : llvm::FixedVectorType::get(element, vector->getNumElements());
  }
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    Type* element = replaced(array->getElementType(), instead);
    return element == array->getElementType() ? type : llvm::ArrayType::get(element, array->getNumElements());
  }
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type); record && !record->isOpaque()) {
    std::vector<Type*> members;
    for (Type* member : record->elements()) members.push_back(replaced(member, instead));
    return llvm::equal(members, record->elements()) ? type : llvm::StructType::get(type->getContext(), members, record->isPacked());
  }
  if (auto* function = llvm::dyn_cast<llvm::FunctionType>(type)) {
    std::vector<Type*> parameters;
    for (Type* parameter : function->params()) parameters.push_back(replaced(parameter, instead));
    Type* result = replaced(function->getReturnType(), instead);
    if (result == function->getReturnType() && llvm::equal(parameters, function->params())) return type;
    return llvm::FunctionType::get(result, parameters, function->isVarArg());
  }
  return type;
}

Type* asBits(Type* type) { return replaced(type, Type::getInt16Ty(type->getContext())); }
Type* asFloat(Type* type) { return replaced(type, Type::getFloatTy(type->getContext())); }
bool holdsBfloat(Type* type) { return asBits(type) != type; }
bool isBfloat(const Value* value) { return value->getType()->getScalarType()->isBFloatTy(); }

Type* withLanes(Type* scalar, Type* like) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(like);
  return vector ? llvm::FixedVectorType::get(scalar, vector->getNumElements()) : scalar;
}

Value* widened(IRBuilder<>& b, Value* value) {
  if (!isBfloat(value)) return value;
  Type* type = value->getType();
  Type* wide = withLanes(b.getInt32Ty(), type);
  Value* bits = b.CreateBitCast(value, withLanes(b.getInt16Ty(), type));
  return b.CreateBitCast(b.CreateShl(b.CreateZExt(bits, wide), 16), withLanes(b.getFloatTy(), type));
}

// The nearest bfloat, the even one of two; NaN stays one.
Value* rounded(IRBuilder<>& b, Value* value) {
  Type* type = value->getType();
  Type* wide = withLanes(b.getInt32Ty(), type);
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(wide, n); };
  Value* bits = b.CreateBitCast(value, wide);
  Value* odd = b.CreateAnd(b.CreateLShr(bits, 16), number(1));
  Value* near = b.CreateLShr(b.CreateAdd(bits, b.CreateAdd(odd, number(0x7fff))), 16);
  Value* isNan = b.CreateICmpUGT(b.CreateAnd(bits, number(0x7fffffff)), number(0x7f800000));
  Value* nan = b.CreateOr(b.CreateLShr(bits, 16), number(0x40));
  Value* narrow = b.CreateTrunc(b.CreateSelect(isNan, nan, near), withLanes(b.getInt16Ty(), type));
  return b.CreateBitCast(narrow, withLanes(Type::getBFloatTy(b.getContext()), type));
}

// An integer that float holds exactly and that rounds to the same bfloat: the low bits of a large one, far
// below the eight that bfloat keeps, become one bit that says whether any was set (rounding to odd, of two's
// complement too).
Value* holdable(IRBuilder<>& b, Value* value, bool isSigned) {
  Type* type = value->getType();
  const unsigned width = type->getScalarSizeInBits();
  auto power = [&](unsigned n) { return llvm::ConstantInt::get(type, uint64_t(1) << n); };
  Value* result = value;
  // Of numbers with their leading bit at shift + 9 to shift + 23 the `shift` low bits go; the next step takes
  // the larger ones.
  for (unsigned shift = 15; shift + 9 < width; shift += 15) {
    Value* low = b.CreateAnd(value, b.CreateSub(power(shift), power(0)));
    Value* some = b.CreateICmpNE(low, llvm::Constant::getNullValue(type));
    Value* jammed = b.CreateOr(b.CreateSub(value, low),
                               b.CreateSelect(some, power(shift), llvm::Constant::getNullValue(type)));
    // The bits from the leading one on; of a negative number those of its complement.
    Value* magnitude = isSigned ? b.CreateXor(value, b.CreateAShr(value, width - 1)) : value;
    result = b.CreateSelect(b.CreateICmpUGE(magnitude, power(shift + 9)), jammed, result);
  }
  return result;
}

class BfloatExpander {
 public:
  explicit BfloatExpander(Unit& unit) : m_unit(unit) {}

  base::Result<void> run() {
    if (!anywhere()) return {};
    if (holdsBfloat(m_unit.entry.function->getFunctionType()))
      return m_unit.error("it has an argument or a result of type bfloat, which Basanite does not support");
    for (llvm::Function& function : m_unit.module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) BASANITE_TRY_VOID(compute(instruction));
    return move();
  }

 private:
  bool anywhere() const {
    for (const llvm::GlobalVariable& global : m_unit.module.globals())
      if (holdsBfloat(global.getValueType())) return true;
    for (const llvm::Function& function : m_unit.module) {
      if (holdsBfloat(function.getFunctionType())) return true;
      for (const llvm::BasicBlock& block : function)
        for (const llvm::Instruction& instruction : block) {
          if (holdsBfloat(instruction.getType())) return true;
          for (const llvm::Use& operand : instruction.operands())
            if (holdsBfloat(operand->getType())) return true;
        }
    }
    return false;
  }

  // ---- first: what computes does so in float; afterwards bfloat is only moved and cast to and from its bits

  base::Result<void> compute(llvm::Instruction& instruction) {
    bool touches = isBfloat(&instruction);
    for (const llvm::Use& operand : instruction.operands()) touches |= isBfloat(operand.get());
    if (!touches) return {};
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return computeCall(*call);
    IRBuilder<> b(&instruction);
    if (llvm::isa<llvm::FPMathOperator>(instruction)) b.setFastMathFlags(instruction.getFastMathFlags());
    Value* result = nullptr;
    if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      result = b.CreateBinOp(binary->getOpcode(), widened(b, binary->getOperand(0)), widened(b, binary->getOperand(1)));
    } else if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
      result = b.CreateUnOp(unary->getOpcode(), widened(b, unary->getOperand(0)));
    } else if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
      result = b.CreateFCmp(compare->getPredicate(), widened(b, compare->getOperand(0)), widened(b, compare->getOperand(1)));
    } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction); cast && !llvm::isa<llvm::BitCastInst>(cast)) {
      Value* from = widened(b, cast->getOperand(0));
      if (isBfloat(cast) && from->getType()->isIntOrIntVectorTy())
        from = holdable(b, from, llvm::isa<llvm::SIToFPInst>(cast));
      Type* to = asFloat(cast->getType());
      result = from->getType() == to ? from : b.CreateCast(cast->getOpcode(), from, to);
    } else {
      return {};
    }
    replace(instruction, b, result);
    return {};
  }

  base::Result<void> computeCall(llvm::CallInst& call) {
    llvm::Function* callee = call.getCalledFunction();
    if (!callee || !callee->isDeclaration()) return {};
    std::string name = callee->getName().str();
    bool pointers = llvm::any_of(call.args(), [](const llvm::Use& argument) { return argument->getType()->isPointerTy(); });
    bool otherRounding = llvm::any_of(std::initializer_list<const char*>{".rtz", ".rtp", ".rtn"},
                                      [&](const char* ending) { return llvm::StringRef(name).ends_with(ending); });
    if (pointers || otherRounding || name.find("bf16") == std::string::npos)
      return m_unit.error(*call.getFunction(), fmt::format("it calls {} with bfloat, which Basanite does not support", name));
    for (size_t at = name.find("bf16"); at != std::string::npos; at = name.find("bf16", at)) name.replace(at, 4, "f32");

    IRBuilder<> b(&call);
    std::vector<Value*> arguments;
    for (const llvm::Use& argument : call.args()) arguments.push_back(widened(b, argument.get()));
    Value* result = nullptr;
    const bool toFloat = llvm::StringRef(name).starts_with("air.convert.f.") && arguments.size() == 1;
    if (toFloat && arguments[0]->getType()->isIntOrIntVectorTy())
      arguments[0] = holdable(b, arguments[0], name.find(".s.") != std::string::npos);
    if (toFloat && arguments[0]->getType() == asFloat(call.getType())) {
      result = arguments[0];
    } else {
      auto* type = llvm::cast<llvm::FunctionType>(asFloat(callee->getFunctionType()));
      llvm::FunctionCallee made = m_unit.module.getOrInsertFunction(name, type, callee->getAttributes());
      llvm::CallInst* replacement = b.CreateCall(made, arguments);
      if (llvm::isa<llvm::FPMathOperator>(replacement) && llvm::isa<llvm::FPMathOperator>(call))
        replacement->setFastMathFlags(call.getFastMathFlags());
      result = replacement;
    }
    replace(call, b, result);
    return {};
  }

  static void replace(llvm::Instruction& instruction, IRBuilder<>& b, Value* result) {
    if (isBfloat(&instruction)) result = rounded(b, result);
    if (!instruction.getType()->isVoidTy()) instruction.replaceAllUsesWith(result);
    instruction.eraseFromParent();
  }

  // ---- then: the type itself becomes that of its bits

  base::Result<void> move() {
    for (llvm::GlobalVariable& global : llvm::make_early_inc_range(m_unit.module.globals())) BASANITE_TRY_VOID(moveGlobal(global));
    for (llvm::Function& function : llvm::make_early_inc_range(m_unit.module)) moveFunction(function);
    for (llvm::Function& function : m_unit.module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block) BASANITE_TRY_VOID(moveInstruction(instruction));
    for (llvm::Function& function : m_unit.module)
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
          auto* cast = llvm::dyn_cast<llvm::BitCastInst>(&instruction);
          if (!cast || cast->getType() != cast->getOperand(0)->getType()) continue;
          cast->replaceAllUsesWith(cast->getOperand(0));
          cast->eraseFromParent();
        }
    return {};
  }

  base::Result<void> moveGlobal(llvm::GlobalVariable& global) {
    if (!holdsBfloat(global.getValueType())) return {};
    llvm::Constant* initializer = nullptr;
    if (global.hasInitializer()) {
      initializer = bitsOf(global.getInitializer());
      if (!initializer) return m_unit.error("the bfloat variable " + global.getName().str() + " has an unusual initial value");
    }
    auto* moved = new llvm::GlobalVariable(m_unit.module, asBits(global.getValueType()), global.isConstant(), global.getLinkage(),
                                           initializer, "", &global, global.getThreadLocalMode(), global.getAddressSpace());
    moved->copyAttributesFrom(&global);
    moved->takeName(&global);
    global.replaceAllUsesWith(moved);
    global.eraseFromParent();
    return {};
  }

  static void moveFunction(llvm::Function& function) {
    if (!holdsBfloat(function.getFunctionType())) return;
    auto* type = llvm::cast<llvm::FunctionType>(asBits(function.getFunctionType()));
    llvm::Function* moved = llvm::Function::Create(type, function.getLinkage(), function.getAddressSpace(), "");
    function.getParent()->getFunctionList().insert(function.getIterator(), moved);
    moved->copyAttributesFrom(&function);
    moved->takeName(&function);
    moved->splice(moved->begin(), &function);
    for (auto [before, after] : llvm::zip(function.args(), moved->args())) {
      after.takeName(&before);
      before.mutateType(after.getType());
      before.replaceAllUsesWith(&after);
    }
    function.replaceAllUsesWith(moved);
    function.eraseFromParent();
  }

  base::Result<void> moveInstruction(llvm::Instruction& instruction) {
    for (llvm::Use& operand : instruction.operands()) {
      auto* constant = llvm::dyn_cast<llvm::Constant>(operand.get());
      if (!constant || !holdsBfloat(constant->getType())) continue;
      llvm::Constant* bits = bitsOf(constant);
      if (!bits) return m_unit.error(*instruction.getFunction(), "it has an unusual constant of type bfloat");
      operand.set(bits);
    }
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      variable->setAllocatedType(asBits(variable->getAllocatedType()));
    } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      address->setSourceElementType(asBits(address->getSourceElementType()));
      address->setResultElementType(asBits(address->getResultElementType()));
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      call->mutateFunctionType(llvm::cast<llvm::FunctionType>(asBits(call->getFunctionType())));
    } else {
      instruction.mutateType(asBits(instruction.getType()));
    }
    return {};
  }

  // Null for an expression.
  static llvm::Constant* bitsOf(llvm::Constant* constant) {
    Type* type = asBits(constant->getType());
    if (type == constant->getType()) return constant;
    if (llvm::isa<llvm::PoisonValue>(constant)) return llvm::PoisonValue::get(type);
    if (llvm::isa<llvm::UndefValue>(constant)) return llvm::UndefValue::get(type);
    if (constant->isNullValue()) return llvm::Constant::getNullValue(type);
    if (auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) return llvm::ConstantInt::get(type, number->getValueAPF().bitcastToAPInt());
    std::vector<llvm::Constant*> members;
    if (!constant->getAggregateElement(0u)) return nullptr;
    for (unsigned i = 0; llvm::Constant* member = constant->getAggregateElement(i); ++i) {
      members.push_back(bitsOf(member));
      if (!members.back()) return nullptr;
    }
    if (type->isVectorTy()) return llvm::ConstantVector::get(members);
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) return llvm::ConstantArray::get(array, members);
    return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(type), members);
  }

  Unit& m_unit;
};

} // namespace

base::Result<void> expandBfloat(Unit& unit) { return BfloatExpander(unit).run(); }

} // namespace basanite::shader::lower
