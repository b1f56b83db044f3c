// SPDX-License-Identifier: Apache-2.0
// Implementation of air_passes.hpp: the pass list is runAirPasses() at the end, with the reason for each step's place.
#include "src/shader/frontend/air_passes.hpp"

#include "src/shader/air/analyses.hpp"
#include "src/shader/air/function_constants.hpp"
#include "src/shader/air/visible_functions.hpp"
#include "src/shader/frontend/initial_values.hpp"
#include "src/shader/frontend/leaf_access.hpp"
#include "src/shader/frontend/loop_exits.hpp"
#include "src/shader/frontend/mesh_passes.hpp"
#include "src/shader/frontend/pointer_passes.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/LoopUnrollPass.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <fmt/format.h>
#include <map>
#include <set>

namespace basanite::shader::frontend {

namespace {

std::string plainName(const llvm::Function& function) { return llvm::demangle(function.getName().str()); }

AirProblem problemIn(const llvm::Function& function, std::string message) { return {function.getName().str(), std::move(message)}; }

// ---- intrinsics ----

bool isConvergentIntrinsic(llvm::StringRef name) {
  for (const char* part : {"barrier", "air.simd_", "air.quad_", "dfdx", "dfdy", "fwidth", "air.sample_", "calculate_", "discard", "air.loop_flag"}) {
    if (name.contains(part)) return true;
  }
  return false;
}

bool touchesMemory(llvm::StringRef name) {
  for (const char* part : {"barrier", "fence", "atomic", "write_texture", "read_texture", "read_depth", "discard", "sincos", "simd_", "quad_", "air.set_", "air.loop_flag"}) {
    if (name.contains(part)) return true;
  }
  return false;
}

// Texture look-ups return {value, i8 resident}; the headers declare them as returning the value.
bool returnsResidency(llvm::StringRef name) {
  for (const char* prefix : {"air.sample_texture", "air.sample_depth", "air.sample_compare", "air.read_texture", "air.read_depth", "air.gather"}) {
    if (name.starts_with(prefix)) return true;
  }
  return false;
}

void addResidency(llvm::Function& declared) {
  llvm::Module& module = *declared.getParent();
  std::string name = declared.getName().str();
  declared.setName("");
  auto* result = llvm::StructType::get(declared.getReturnType(), llvm::Type::getInt8Ty(module.getContext()));
  std::vector<llvm::Type*> parameters(declared.getFunctionType()->param_begin(), declared.getFunctionType()->param_end());
  auto* replacement =
      llvm::Function::Create(llvm::FunctionType::get(result, parameters, false), declared.getLinkage(), name, module);
  for (llvm::User* user : llvm::make_early_inc_range(declared.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> arguments(call->arg_begin(), call->arg_end());
    llvm::CallInst* pair = builder.CreateCall(replacement, arguments);
    llvm::Value* value = builder.CreateExtractValue(pair, 0);
    value->takeName(call);
    call->replaceAllUsesWith(value);
    call->eraseFromParent();
  }
  declared.eraseFromParent();
}

// Metal's conversions from float to integer saturate; LLVM's are poison out of range, and drivers fold int(x) back to
// float on that ground. Before the optimiser, which would do the same. It knows the saturating intrinsics: it folds them
// and moves them out of loops.
void saturateConversions(llvm::Module& module) {
  for (llvm::Function& function : module.functions()) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
        bool toSigned = llvm::isa<llvm::FPToSIInst>(instruction);
        if (!toSigned && !llvm::isa<llvm::FPToUIInst>(instruction)) continue;
        llvm::Value* source = instruction.getOperand(0);
        llvm::CallInst* convert = llvm::IRBuilder<>(&instruction).CreateIntrinsic(
            toSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat, {instruction.getType(), source->getType()}, {source});
        convert->takeName(&instruction);
        instruction.replaceAllUsesWith(convert);
        instruction.eraseFromParent();
      }
    }
  }
}

// AIR's names for what saturateConversions() made. After the optimiser.
void nameConversions(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module.functions())) {
    bool toSigned = function.getIntrinsicID() == llvm::Intrinsic::fptosi_sat;
    if (!toSigned && function.getIntrinsicID() != llvm::Intrinsic::fptoui_sat) continue;
    llvm::FunctionType* type = function.getFunctionType();
    llvm::FunctionCallee named = module.getOrInsertFunction(
        fmt::format("air.convert.{}.{}.f.{}", toSigned ? "s" : "u", suffixOf(type->getReturnType()), suffixOf(type->getParamType(0))), type);
    auto* target = llvm::cast<llvm::Function>(named.getCallee());
    target->addFnAttr(llvm::Attribute::NoUnwind);
    target->addFnAttr(llvm::Attribute::WillReturn);
    target->setMemoryEffects(llvm::MemoryEffects::none());
    function.replaceAllUsesWith(target);
    function.eraseFromParent();
  }
}

// Functions whose fast forms may take a NaN for anything.
bool mindsNan(llvm::StringRef function) {
  llvm::StringRef family = function.split('.').first;
  for (llvm::StringRef minding : {"fmin", "fmax", "fmin3", "fmax3", "fmedian3", "clamp", "saturate", "step", "smoothstep", "sign"})
    if (family == minding) return true;
  return false;
}

// "air.auto_sin.f32" in the headers means: fast or precise, as the compile options say.
void settleIntrinsics(llvm::Module& module, const AirPassOptions& options) {
  std::vector<llvm::Function*> declared; // the loop below adds functions
  for (llvm::Function& function : module.functions()) {
    if (function.isDeclaration() && function.getName().starts_with("air.")) declared.push_back(&function);
  }
  for (llvm::Function* each : declared) {
    llvm::Function& function = *each;
    if (function.use_empty()) {
      function.eraseFromParent();
      continue;
    }
    std::string name = function.getName().str();
    constexpr llvm::StringLiteral kAuto = "air.auto_";
    if (llvm::StringRef(name).starts_with(kAuto)) {
      std::string plain = name.substr(kAuto.size());
      bool fast = options.fastFunctions && (options.mathMode == MathMode::fast || !mindsNan(plain));
      name = (fast ? "air.fast_" : "air.") + plain;
      if (llvm::Function* existing = module.getFunction(name)) {
        function.replaceAllUsesWith(existing);
        function.eraseFromParent();
        continue;
      }
      function.setName(name);
    }
    if (returnsResidency(name)) addResidency(function);
  }
  for (llvm::Function& function : module.functions()) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !name.starts_with("air.")) continue;
    llvm::AttributeList attributes;
    function.setAttributes(attributes);
    function.setCallingConv(llvm::CallingConv::C);
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.addFnAttr(llvm::Attribute::WillReturn);
    if (isConvergentIntrinsic(name)) function.addFnAttr(llvm::Attribute::Convergent);
    if (!touchesMemory(name)) function.setMemoryEffects(llvm::MemoryEffects::none());
    else if (name.starts_with("air.read_")) function.setMemoryEffects(llvm::MemoryEffects::readOnly());
    for (llvm::User* user : function.users()) {
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        call->setAttributes(attributes);
        call->setCallingConv(llvm::CallingConv::C);
      }
    }
  }
}

// The vertex and mesh functions, and what they call.
std::set<llvm::Function*> positionFunctions(llvm::Module& module, const std::vector<Entry>& entries) {
  std::set<llvm::Function*> found;
  std::vector<llvm::Function*> open;
  auto add = [&](llvm::Function* function) {
    if (function && found.insert(function).second) open.push_back(function);
  };
  for (const Entry& entry : entries)
    if (entry.stage == Stage::vertex || entry.stage == Stage::mesh) add(module.getFunction(entry.name));
  while (!open.empty()) {
    llvm::Function* function = open.back();
    open.pop_back();
    for (llvm::Instruction& instruction : llvm::instructions(*function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) add(call->getCalledFunction());
  }
  return found;
}

// Per-instruction flags, as AIR has them.
void addFastMathFlags(llvm::Module& module, const AirPassOptions& options) {
  llvm::FastMathFlags flags;
  flags.setFast();
  if (options.mathMode == MathMode::relaxed) {
    flags.setNoNaNs(false);
    flags.setNoInfs(false);
  }
  std::set<llvm::Function*> exact;
  if (options.preserveInvariance) exact = positionFunctions(module, *options.entries);
  for (llvm::Function& function : module.functions()) {
    if (exact.contains(&function)) continue;
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setFastMathFlags(flags);
      }
    }
  }
}

// ---- threadgroup variables ----

// Each instantiation of $threadgroup_variable<S>(size, align) stands for one variable.
void makeThreadgroupVariables(llvm::Module& module) {
  for (llvm::Function& function : llvm::make_early_inc_range(module.functions())) {
    if (!function.getName().contains("$threadgroup_variable")) continue;
    llvm::GlobalVariable* variable = nullptr;
    for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      if (!variable) {
        uint64_t size = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
        uint64_t align = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1))->getZExtValue();
        unsigned element = align >= 4 ? 4 : static_cast<unsigned>(align);
        auto* type = llvm::ArrayType::get(llvm::Type::getIntNTy(module.getContext(), element * 8), size / element);
        variable = new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::InternalLinkage, llvm::UndefValue::get(type),
                                            "threadgroup.variable", nullptr, llvm::GlobalValue::NotThreadLocal, kThreadgroup);
        variable->setAlignment(llvm::Align(align));
      }
      call->replaceAllUsesWith(variable);
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

// ---- inlining ----

// Structures travel by pointer in clang's output, so helpers are inlined; only recursion cannot be.
void markForInlining(llvm::Module& module) {
  for (llvm::Function& function : module.functions()) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.removeFnAttr(llvm::Attribute::MinSize);
    if (function.isDeclaration() || function.hasExternalLinkage()) continue;
    // Each computes one variable from function constants: apart, so that the others' constants need no value for it.
    if (function.getName().starts_with(kInitialiserPrefix)) continue;
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

// ---- constexpr samplers: an integer made into a handle (texture.h) becomes AIR 2.8's constant and its list entry ----

// Does a value come from sampler arguments or from memory that the program is given, and not from a constexpr sampler, whose
// words are no handle?
class HandleOrigin {
 public:
  bool isHandle(llvm::Value& value) {
    if (!m_seen.insert(&value).second) return true; // judged where it was first met
    if (llvm::isa<llvm::Argument, llvm::UndefValue>(value)) return true;
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return holdsHandles(*load->getPointerOperand());
    if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&value)) return isHandle(*choice->getTrueValue()) && isHandle(*choice->getFalseValue());
    if (!llvm::isa<llvm::IntToPtrInst, llvm::PtrToIntInst, llvm::AddrSpaceCastInst, llvm::ExtractValueInst, llvm::InsertValueInst,
                   llvm::PHINode, llvm::FreezeInst>(value))
      return false;
    for (llvm::Use& operand : llvm::cast<llvm::Instruction>(value).operands())
      if (!isHandle(*operand)) return false;
    return true;
  }

 private:
  // What lies behind an address: anything in the program's buffers, in variables only what is stored there.
  bool holdsHandles(llvm::Value& pointer) {
    llvm::Value* object = llvm::getUnderlyingObject(&pointer, 0);
    if (auto* global = llvm::dyn_cast<llvm::GlobalVariable>(object))
      return global->hasInitializer() && llvm::isa<llvm::UndefValue>(global->getInitializer()) && onlyHandlesStored(*global);
    if (llvm::isa<llvm::AllocaInst>(object)) return onlyHandlesStored(*object);
    if (!llvm::isa<llvm::PHINode, llvm::SelectInst>(object)) return llvm::isa<llvm::Argument, llvm::LoadInst>(object);
    if (!m_seen.insert(object).second) return true;
    for (llvm::Use& operand : llvm::cast<llvm::Instruction>(object)->operands())
      if (operand->getType()->isPointerTy() && !holdsHandles(*operand)) return false;
    return true;
  }

  bool onlyHandlesStored(llvm::Value& address) {
    if (!m_stores.insert(&address).second) return true;
    for (llvm::User* user : address.users()) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == &address || !isHandle(*store->getValueOperand())) return false;
      } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(user)) {
        if (copy->getRawDest() == &address && !holdsHandles(*copy->getRawSource())) return false;
      } else if (llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator, llvm::PHINode, llvm::SelectInst>(user)) {
        if (!onlyHandlesStored(*user)) return false;
      } else if (!llvm::isa<llvm::LoadInst, llvm::LifetimeIntrinsic, llvm::ICmpInst>(user)) {
        return false;
      }
    }
    return true;
  }

  std::set<llvm::Value*> m_seen, m_stores;
};

std::optional<AirProblem> makeSamplerConstants(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* word = llvm::Type::getInt64Ty(context);
  std::map<uint64_t, llvm::GlobalVariable*> constants;
  for (llvm::Function& function : module.functions()) {
    llvm::StringRef name = function.getName();
    if (!function.isDeclaration() || !(name.starts_with("air.sample_") || name.starts_with("air.gather_") || name.starts_with("air.calculate_"))) continue;
    for (llvm::User* user : function.users()) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      llvm::Value* handle = call->getArgOperand(1);
      if (llvm::isa<llvm::Argument, llvm::GlobalVariable>(handle)) continue;
      auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(handle);
      auto* bits = cast && cast->getOpcode() == llvm::Instruction::IntToPtr ? llvm::dyn_cast<llvm::ConstantInt>(cast->getOperand(0)) : nullptr;
      if (!bits) {
        if (HandleOrigin().isHandle(*handle)) continue;
        return problemIn(*call->getFunction(), "a texture look-up chooses among constexpr samplers while it runs, which is not supported; use "
                                               "sampler arguments, or one constexpr sampler");
      }
      llvm::GlobalVariable*& global = constants[bits->getZExtValue()];
      if (!global) {
        auto* type = llvm::ArrayType::get(word, 2);
        auto* state = llvm::ConstantArray::get(type, {bits, llvm::ConstantInt::get(word, 0)});
        global = new llvm::GlobalVariable(module, type, true, llvm::GlobalValue::InternalLinkage, state, "sampler.state", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, kConstant);
        global->setAlignment(llvm::Align(8));
        llvm::Metadata* node[] = {llvm::MDString::get(context, "air.sampler_state"), llvm::ValueAsMetadata::get(global)};
        module.getOrInsertNamedMetadata("air.sampler_states")->addOperand(llvm::MDNode::get(context, node));
      }
      call->setArgOperand(1, global);
      call->removeParamAttr(1, llvm::Attribute::NonNull);
    }
  }
  return std::nullopt;
}

// ---- function constants ----

// is_function_constant_defined(x) (prelude.h) becomes the value of a constant beside x.
std::optional<AirProblem> nameDefinedConstants(llvm::Module& module) {
  llvm::Function* query = module.getFunction("air.is_function_constant_defined");
  if (!query) return std::nullopt;
  llvm::Type* byte = llvm::Type::getInt8Ty(module.getContext());
  for (llvm::User* user : llvm::make_early_inc_range(query->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    auto* constant = llvm::dyn_cast<llvm::GlobalVariable>(call->getArgOperand(0)->stripPointerCasts());
    if (!constant || constant->hasInitializer())
      return problemIn(*call->getFunction(), "is_function_constant_defined() takes the name of a function constant");
    std::string name = constant->getName().str() + air::kIsDefinedSuffix;
    llvm::GlobalVariable* defined = module.getNamedGlobal(name);
    if (!defined) {
      defined = new llvm::GlobalVariable(module, byte, true, llvm::GlobalValue::ExternalLinkage, nullptr, name, nullptr,
                                         llvm::GlobalValue::NotThreadLocal, kConstant);
    }
    llvm::IRBuilder<> builder(call);
    call->replaceAllUsesWith(builder.CreateICmpNE(builder.CreateLoad(byte, defined), llvm::ConstantInt::get(byte, 0)));
    call->eraseFromParent();
  }
  query->eraseFromParent();
  return std::nullopt;
}

// ---- checks ----

std::optional<AirProblem> checkModule(llvm::Module& module, const AirPassOptions& options) {
  for (llvm::Function& function : module.functions()) {
    if (function.isDeclaration()) {
      llvm::StringRef name = function.getName();
      if (!function.use_empty() && !name.starts_with("air.") && !name.starts_with("llvm.") && !name.ends_with(air::kReferenceMark) &&
          !(options.definedElsewhere && options.definedElsewhere(name.str()))) {
        return problemIn(function, fmt::format("function '{}' is declared and used but has no body", plainName(function)));
      }
      continue;
    }
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        // What a pointer may lead to is known when a pipeline is made.
        if (!call || !call->getCalledFunction()) continue;
        if (call->getCalledFunction()->hasLocalLinkage() && !call->getCalledFunction()->getName().starts_with(kInitialiserPrefix)) {
          return problemIn(*call->getCalledFunction(), fmt::format("function '{}' is recursive; Metal has no recursion", plainName(*call->getCalledFunction())));
        }
      }
    }
  }
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (llvm::verifyModule(module, &stream)) return AirProblem{"", "the compiler made an invalid module: " + problem};
  return std::nullopt;
}

// ---- tidying ----

// Threadgroup variables move next to what Apple's compiler leaves; nothing of clang's OpenCL metadata is AIR.
void removeForeignMetadata(llvm::Module& module) {
  for (const char* name : {"opencl.ocl.version", "opencl.cxx.version", "opencl.spir.version", "llvm.ident", "opencl.used.extensions",
                           "opencl.used.optional.core.features", "llvm.module.flags", "opencl.compiler.options"}) {
    if (llvm::NamedMDNode* node = module.getNamedMetadata(name)) node->eraseFromParent();
  }
  for (const char* name : {"llvm.used", "llvm.compiler.used"}) {
    if (llvm::GlobalVariable* used = module.getNamedGlobal(name)) used->eraseFromParent();
  }
  for (llvm::Function& function : module.functions()) {
    function.setCallingConv(llvm::CallingConv::C);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("stack-protector-buffer-size");
    function.removeFnAttr("uniform-work-group-size");
    if (!function.isDeclaration()) function.removeFnAttr(llvm::Attribute::Convergent);
    // A call whose convention differs from its function's is undefined to LLVM; so is one through a pointer.
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) call->setCallingConv(llvm::CallingConv::C);
  }
}

// ---- loops ----

// Nothing writes constant memory while a function runs, so stores and barriers do not stand in the way of its loads. No
// pointer is marked as dereferenceable, not even a reference: the address of an unbound buffer is 0, and a load that the
// program does not reach must not be made. After the last InferAddressSpaces: generic pointers are constant ones now, or
// retypeGenericPointers() refuses the module.
class InvariantLoadsPass : public llvm::PassInfoMixin<InvariantLoadsPass> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || !load->isSimple()) continue;
        unsigned space = load->getPointerAddressSpace();
        if (space != kConstant && space != kGeneric) continue;
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(function.getContext(), {}));
      }
    }
    return llvm::PreservedAnalyses::none();
  }
};

class Pipeline {
 public:
  // One body per entry, structures and references taken apart.
  void inlineHelpers(llvm::Module& module) {
    llvm::ModulePassManager pipeline;
    // Each helper once while it is small, instead of every copy of it: its own variables become values.
    llvm::FunctionPassManager perHelper;
    perHelper.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    perHelper.addPass(llvm::EarlyCSEPass());
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(perHelper)));
    pipeline.addPass(llvm::AlwaysInlinerPass(false));
    pipeline.addPass(llvm::GlobalDCEPass());
    llvm::FunctionPassManager perFunction;
    perFunction.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    perFunction.addPass(llvm::EarlyCSEPass());
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(perFunction)));
    pipeline.run(module, m_analyses.modules);
    m_analyses.modules.clear();
  }

  // No jump threading, no vectoriser: the back end structures what comes out of here. Short loops with a constant count
  // are unrolled, because texture offsets must end up constant and local arrays should vanish.
  void optimise(llvm::Module& module, unsigned level) {
    llvm::SimplifyCFGOptions simplify;
    simplify.hoistCommonInsts(false).sinkCommonInsts(false).convertSwitchToLookupTable(false).needCanonicalLoops(true);
    llvm::FunctionPassManager perFunction;
    // Generic pointers (methods, references, constant) get the space they came from once SROA has made them values.
    perFunction.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    perFunction.addPass(llvm::InferAddressSpacesPass(kGeneric));
    // Twice: what the first round makes constant, the second unrolls and takes out of memory.
    for (unsigned round = 0; round < (level > 0 ? 2u : 0u); ++round) {
      perFunction.addPass(llvm::InstCombinePass());
      perFunction.addPass(llvm::SimplifyCFGPass(simplify));
      perFunction.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopFullUnrollPass(3)));
      perFunction.addPass(ComponentAccessPass());
      perFunction.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
      perFunction.addPass(llvm::EarlyCSEPass(true));
      perFunction.addPass(llvm::SCCPPass());
      perFunction.addPass(llvm::InferAddressSpacesPass(kGeneric));
      perFunction.addPass(llvm::GVNPass(llvm::GVNOptions().setPRE(false).setLoadPRE(false)));
      perFunction.addPass(llvm::InstCombinePass());
      perFunction.addPass(llvm::SimplifyCFGPass(simplify));
    }
    if (level > 0) hoistFromLoops(perFunction, simplify);
    perFunction.addPass(llvm::ADCEPass());
    llvm::ModulePassManager pipeline;
    pipeline.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(perFunction)));
    pipeline.addPass(llvm::GlobalDCEPass());
    pipeline.run(module, m_analyses.modules);
  }

 private:
  // Drivers cannot tell that a load through a 64-bit address is the same in every round. Rotated loops (`if (c) do ... while
  // (c)`) have a place in front of them that is reached only if the body is; what the body always does may move there.
  static void hoistFromLoops(llvm::FunctionPassManager& perFunction, const llvm::SimplifyCFGOptions& simplify) {
    perFunction.addPass(InvariantLoadsPass());
    perFunction.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopRotatePass()));
    perFunction.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), /*UseMemorySSA=*/true));
    perFunction.addPass(llvm::EarlyCSEPass(true));
    perFunction.addPass(llvm::InstCombinePass());
    perFunction.addPass(llvm::SimplifyCFGPass(simplify));
  }

  air::Analyses m_analyses;
};

bool callsHelpers(const llvm::Module& module) {
  for (const llvm::Function& function : module)
    for (const llvm::BasicBlock& block : function)
      for (const llvm::Instruction& instruction : block)
        if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (const llvm::Function* helper = call->getCalledFunction(); helper && !helper->isDeclaration()) return true;
  return false;
}

} // namespace

std::optional<AirProblem> runAirPasses(llvm::Module& module, const AirPassOptions& options) {
  keepLoopExits(module); // first: afterwards blocks behind a loop and blocks that leave it are one
  saturateConversions(module);
  settleIntrinsics(module, options);
  if (options.mathMode != MathMode::safe && !options.preserveInvariance) addFastMathFlags(module, options);
  makeThreadgroupVariables(module);
  markForInlining(module);
  removeForeignMetadata(module);
  Pipeline pipeline;
  pipeline.inlineHelpers(module);
  // Operators of vectors are helpers: which stage they work for shows once they are inlined.
  if (options.mathMode != MathMode::safe && options.preserveInvariance) addFastMathFlags(module, options);
  if (auto problem = nameDefinedConstants(module)) return problem;
  if (auto problem = computeInitialValues(module)) return problem;
  // Between inlining, which tells whose mesh a call is for, and the optimiser, which shall see values instead of memory.
  expandMeshCalls(module, *options.entries);
  if (auto problem = movePayloads(module, *options.entries)) return problem;
  separateMixedChoices(module);
  moveConstants(module);
  pipeline.optimise(module, options.optimizationLevel);
  // What a pointer to a function leads to is known now.
  if (callsHelpers(module)) {
    pipeline.inlineHelpers(module);
    pipeline.optimise(module, options.optimizationLevel);
  }
  if (auto problem = retypeGenericPointers(module)) return problem;
  nameConversions(module);
  if (auto problem = makeSamplerConstants(module)) return problem;
  return checkModule(module, options);
}

} // namespace basanite::shader::frontend
