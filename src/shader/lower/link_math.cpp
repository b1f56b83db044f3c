// SPDX-License-Identifier: Apache-2.0
// Math whose bounds Vulkan does not promise becomes calls of math_library.cpp's functions, which are linked
// in as needed. Halves are computed as 32-bit floats and rounded.
#include "src/shader/lower/link_math.hpp"

#include "src/shader/air/name.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/Error.h>
#include <llvm/Support/MemoryBuffer.h>

// math_embed.cpp.
extern "C" const char basanite_math_begin[];
extern "C" const char basanite_math_end[];

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

constexpr const char* kPrefix = "basanite.math.";

// Which forms of a function ours stands for.
enum class Floats : uint8_t {
  precise, // of 32 bits: the precise form; fast ones are the driver's
  always,  // both: Vulkan promises 4096 ULP or nothing
};
enum class Halves : uint8_t {
  ours,   // as our 32-bit function
  driver, // as the driver's 32-bit function, whose error is far below a half's ULP
};
struct Entry {
  const char* family;
  unsigned arguments;
  Floats floats;
  Halves halves = Halves::ours;
  const char* ofHalves = nullptr; // another function for them
};
constexpr Entry kEntries[] = {
    {"sin", 1, Floats::precise},
    {"cos", 1, Floats::precise},
    {"tan", 1, Floats::precise},
    {"sinpi", 1, Floats::precise},
    {"cospi", 1, Floats::precise},
    {"tanpi", 1, Floats::precise},
    {"exp", 1, Floats::precise, Halves::driver},
    {"exp2", 1, Floats::precise, Halves::driver},
    {"exp10", 1, Floats::precise, Halves::driver},
    {"log", 1, Floats::precise},
    {"log2", 1, Floats::precise},
    {"log10", 1, Floats::precise},
    {"pow", 2, Floats::precise, Halves::ours, "pow_half"},
    {"powr", 2, Floats::precise, Halves::ours, "powr_half"},
    {"sinh", 1, Floats::precise},
    {"cosh", 1, Floats::precise},
    {"tanh", 1, Floats::precise},
    {"fmod", 2, Floats::precise},
    {"asin", 1, Floats::always},
    {"acos", 1, Floats::always},
    {"atan", 1, Floats::always},
    {"atan2", 2, Floats::always},
    {"asinh", 1, Floats::always},
    {"acosh", 1, Floats::always},
    {"atanh", 1, Floats::always},
    {"rsqrt", 1, Floats::precise},
    {"sqrt", 1, Floats::precise},
    {"divide", 2, Floats::precise},
};

class MathLinker {
 public:
  explicit MathLinker(Unit& unit) : m_unit(unit), m_module(unit.module) {}

  base::Result<void> run() {
    for (llvm::Function& function : m_module) {
      std::vector<llvm::Instruction*> candidates;
      for (llvm::BasicBlock& block : function)
        for (llvm::Instruction& instruction : block)
          if (llvm::isa<llvm::CallInst>(instruction) || instruction.getOpcode() == llvm::Instruction::FDiv)
            candidates.push_back(&instruction);
      for (llvm::Instruction* instruction : candidates) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
        Value* replacement = call ? ofCall(*call) : ofDivision(*instruction);
        if (!replacement) continue;
        instruction->replaceAllUsesWith(replacement);
        instruction->eraseFromParent();
      }
    }
    return m_used ? link() : base::Result<void>();
  }

 private:
  static bool isFloat(const Type* type) { return type->getScalarType()->isFloatTy(); }
  static bool isHalf(const Type* type) { return type->getScalarType()->isHalfTy(); }

  Value* ofCall(llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    Type* type = call.getType();
    if (!callee || !(isFloat(type) || isHalf(type))) return nullptr;
    air::IntrinsicName name;
    if (air::isIntrinsic(callee->getName().str())) name = air::parseIntrinsic(callee->getName().str());
    for (const Entry& entry : kEntries) {
      if (name.family != entry.family) continue;
      std::vector<Value*> arguments(call.arg_begin(), call.arg_end());
      if (arguments.size() != entry.arguments) return nullptr;
      for (Value* argument : arguments)
        if (argument->getType() != type) return nullptr;
      IRBuilder<> b(&call);
      return isHalf(type) ? ofHalves(b, entry, arguments) : ofFloats(b, entry, name.fast, arguments);
    }
    return nullptr;
  }

  Value* ofFloats(IRBuilder<>& b, const Entry& entry, bool fast, llvm::ArrayRef<Value*> arguments) {
    bool ours = entry.floats == Floats::always || !fast;
    if (ours) return callEach(b, entry.family, arguments);
    // The division that a program asks for by name is not one of fast math.
    if (std::string_view(entry.family) == "divide") return b.CreateFDiv(arguments[0], arguments[1]);
    return nullptr;
  }

  Value* ofHalves(IRBuilder<>& b, const Entry& entry, llvm::ArrayRef<Value*> arguments) {
    Type* type = arguments[0]->getType();
    Type* wide = type->getWithNewType(b.getFloatTy());
    std::vector<Value*> widened;
    for (Value* argument : arguments) widened.push_back(b.CreateFPExt(argument, wide));
    Value* result = entry.halves == Halves::driver
                        ? callDriver(b, std::string("air.fast_") + entry.family, widened)
                        : callEach(b, entry.ofHalves ? entry.ofHalves : entry.family, widened);
    return b.CreateFPTrunc(result, type);
  }

  // Fast math may take the driver's division; a half's comes out right from one of 32 bits.
  Value* ofDivision(llvm::Instruction& division) {
    Type* type = division.getType();
    Value* x = division.getOperand(0);
    Value* y = division.getOperand(1);
    bool fast = division.hasAllowReciprocal();
    IRBuilder<> b(&division);
    if (isFloat(type)) return !fast ? callEach(b, "divide", {x, y}) : nullptr;
    if (!isHalf(type)) return nullptr;
    b.setFastMathFlags(division.getFastMathFlags());
    Type* wide = type->getWithNewType(b.getFloatTy());
    x = b.CreateFPExt(x, wide);
    y = b.CreateFPExt(y, wide);
    return b.CreateFPTrunc(!fast ? callEach(b, "divide", {x, y}) : b.CreateFDiv(x, y), type);
  }

  Value* callDriver(IRBuilder<>& b, std::string name, llvm::ArrayRef<Value*> arguments) {
    Type* type = arguments[0]->getType();
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    name += vector ? ".v" + std::to_string(vector->getNumElements()) + "f32" : ".f32";
    std::vector<Type*> types(arguments.size(), type);
    llvm::FunctionCallee callee =
        m_module.getOrInsertFunction(name, llvm::FunctionType::get(type, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return b.CreateCall(callee, arguments);
  }

  // One call for each component: the functions are of scalars.
  Value* callEach(IRBuilder<>& b, const std::string& name, llvm::ArrayRef<Value*> arguments) {
    llvm::Function* function = declared(name, arguments.size());
    auto callOne = [&](llvm::ArrayRef<Value*> scalars) -> Value* {
      llvm::CallInst* call = b.CreateCall(function, scalars);
      call->setCallingConv(function->getCallingConv());
      return call;
    };
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
    if (!vector) return callOne(arguments);
    Value* result = llvm::PoisonValue::get(vector);
    for (uint64_t i = 0; i < vector->getNumElements(); ++i) {
      std::vector<Value*> scalars;
      for (Value* argument : arguments) scalars.push_back(b.CreateExtractElement(argument, i));
      result = b.CreateInsertElement(result, callOne(scalars), i);
    }
    return result;
  }

  llvm::Function* declared(const std::string& name, size_t arguments) {
    m_used = true;
    Type* type = Type::getFloatTy(m_module.getContext());
    std::vector<Type*> types(arguments, type);
    auto callee = m_module.getOrInsertFunction(kPrefix + name, llvm::FunctionType::get(type, types, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    return function;
  }

  base::Result<void> link() {
    llvm::StringRef bytes(basanite_math_begin, static_cast<size_t>(basanite_math_end - basanite_math_begin));
    auto library = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bytes, "math"), m_module.getContext());
    if (!library)
      return m_unit.error("the compiler's math library could not be read: " +
                          llvm::toString(library.takeError()));
    llvm::Module& source = **library;
    source.setDataLayout(m_module.getDataLayout());
    source.setTargetTriple(m_module.getTargetTriple());
    for (const char* list : {"llvm.module.flags", "llvm.ident", "opencl.ocl.version", "opencl.spir.version"})
      if (llvm::NamedMDNode* node = source.getNamedMetadata(list)) source.eraseNamedMetadata(node);
    if (llvm::Linker::linkModules(m_module, std::move(*library), llvm::Linker::LinkOnlyNeeded))
      return m_unit.error("the compiler's math library could not be linked");
    for (llvm::Function& function : m_module)
      if (function.getName().starts_with(kPrefix) && !function.isDeclaration())
        function.setLinkage(llvm::GlobalValue::InternalLinkage);
    return {};
  }

  Unit& m_unit;
  llvm::Module& m_module;
  bool m_used = false;
};

} // namespace

base::Result<void> linkMath(Unit& unit) { return MathLinker(unit).run(); }

} // namespace basanite::shader::lower
