// SPDX-License-Identifier: Apache-2.0
// Gives program-scope constants their place: small ones become variables (address space 0, where pointers are offsets into
// a known object), the others go into the stage's constant data and are reached by address. Turns constant expressions
// about addresses of program-scope variables into instructions.
#include "src/shader/lower/constant_image.hpp"
#include "src/shader/lower/interface_builder.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>

#include <algorithm>

namespace basanite::shader::lower {

namespace {

// Drivers fill a variable that has an initial value before the function starts, element by element; lavapipe takes seconds
// to compile some hundred of those (docs/workarounds.md). Small tables stay values that a driver can fold.
constexpr uint64_t kLargestVariableBytes = 64;
constexpr unsigned kConstantSpace = 2;

// Whether the printer can follow `pointer` as an offset into one object: it only leads to loads, by way of GEPs and casts.
bool isOnlyLoaded(const llvm::Value& pointer) {
  return std::all_of(pointer.user_begin(), pointer.user_end(), [](const llvm::User* user) {
    if (llvm::isa<llvm::LoadInst>(user)) return true;
    if (!llvm::isa<llvm::GetElementPtrInst>(user) && !llvm::isa<llvm::AddrSpaceCastInst>(user)) return false;
    return isOnlyLoaded(*user);
  });
}

// Makes one use of a pointer, of which isOnlyLoaded() holds, one of `now`, a pointer into another address space.
void moveUse(llvm::Use& use, llvm::Value* now, std::vector<llvm::Instruction*>& dead) {
  auto* user = llvm::cast<llvm::Instruction>(use.getUser());
  if (llvm::isa<llvm::LoadInst>(user)) {
    use.set(now);
    return;
  }
  if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
    std::vector<llvm::Value*> indices(element->idx_begin(), element->idx_end());
    auto* copy = llvm::GetElementPtrInst::Create(element->getSourceElementType(), now, indices, "", element->getIterator());
    copy->setIsInBounds(element->isInBounds());
    now = copy;
  }
  std::vector<llvm::Use*> uses;
  for (llvm::Use& inner : user->uses()) uses.push_back(&inner);
  for (llvm::Use* inner : uses) moveUse(*inner, now, dead);
  dead.push_back(user);
}

class ConstantPlacer {
 public:
  explicit ConstantPlacer(Unit& unit) : m_unit(unit) {}

  base::Result<void> place(llvm::GlobalVariable& global) {
    global.removeDeadConstantUsers();
    if (global.use_empty()) return {};
    bool large = m_unit.module.getDataLayout().getTypeAllocSize(global.getValueType()) > kLargestVariableBytes;
    bool variable = isOnlyLoaded(global) ? !large : global.getAddressSpace() == 0;
    if (variable && global.getAddressSpace() == 0) return {};
    for (const llvm::User* user : global.users()) {
      if (llvm::isa<llvm::Instruction>(user)) continue;
      return m_unit.error("the address of program-scope constant " + global.getName().str() +
                          " is the initial value of another constant, which Basanite does not support");
    }
    if (variable) toVariable(global);
    else BASANITE_TRY_VOID(toData(global));
    return {};
  }

 private:
  void toVariable(llvm::GlobalVariable& global) {
    auto* moved = new llvm::GlobalVariable(m_unit.module, global.getValueType(), true, llvm::GlobalValue::InternalLinkage,
                                           global.getInitializer(), "", nullptr, llvm::GlobalValue::NotThreadLocal, 0);
    replaceUses(global, [&](llvm::Function&) { return moved; });
    moved->takeName(&global);
    global.eraseFromParent();
  }

  base::Result<void> toData(llvm::GlobalVariable& global) {
    const llvm::DataLayout& layout = m_unit.module.getDataLayout();
    std::optional<std::vector<uint8_t>> image = constantImage(layout, global.getInitializer());
    if (!image) {
      return m_unit.error("program-scope constant " + global.getName().str() + " holds something that is not a number");
    }
    std::vector<uint8_t>& data = m_unit.binary.constantData;
    llvm::Align align = std::max(global.getAlign().valueOrOne(), layout.getABITypeAlign(global.getValueType()));
    uint64_t offset = llvm::alignTo(data.size(), align);
    data.resize(offset, 0);
    data.insert(data.end(), image->begin(), image->end());
    llvm::DenseMap<llvm::Function*, llvm::Value*> addresses;
    replaceUses(global, [&](llvm::Function& function) {
      llvm::Value*& address = addresses[&function];
      if (!address) address = addressIn(function, offset, global.getAddressSpace());
      return address;
    });
    global.eraseFromParent();
    return {};
  }

  // The address of byte `offset` of the constant data, for all of `function`.
  llvm::Value* addressIn(llvm::Function& function, uint64_t offset, unsigned addressSpace) {
    if (m_word == kNoWord) {
      m_word = m_unit.binary.bindings.size();
      Binding binding;
      binding.kind = BindingKind::constantData;
      m_unit.binary.bindings.push_back(binding);
    }
    llvm::BasicBlock& entry = function.getEntryBlock();
    llvm::IRBuilder<> builder(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    llvm::Value* base = callInternal(m_unit, builder, kRecordFunction + std::to_string(m_word), builder.getInt64Ty(), {}, true);
    unsigned space = addressSpace == 0 ? kConstantSpace : addressSpace;
    return builder.CreateIntToPtr(builder.CreateAdd(base, builder.getInt64(offset)),
                                  llvm::PointerType::get(builder.getContext(), space));
  }

  // `now` gives the pointer that takes the place of `global` in a function.
  template <class Now> void replaceUses(llvm::GlobalVariable& global, Now now) {
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : global.uses()) uses.push_back(&use);
    std::vector<llvm::Instruction*> dead;
    for (llvm::Use* use : uses) {
      llvm::Value* pointer = now(*llvm::cast<llvm::Instruction>(use->getUser())->getFunction());
      if (pointer->getType() == global.getType()) use->set(pointer);
      else moveUse(*use, pointer, dead);
    }
    for (llvm::Instruction* instruction : dead) instruction->eraseFromParent();
  }

  Unit& m_unit;
  static constexpr size_t kNoWord = SIZE_MAX;
  size_t m_word = kNoWord; // of the record: the constant data's address
};

} // namespace

base::Result<void> spellOutAddresses(Unit& unit) {
  std::vector<llvm::Constant*> all;
  for (llvm::GlobalVariable& global : unit.module.globals()) all.push_back(&global);
  llvm::convertUsersOfConstantsToInstructions(all);
  return {};
}

base::Result<void> placeConstants(Unit& unit) {
  std::vector<llvm::GlobalVariable*> constants;
  for (llvm::GlobalVariable& global : unit.module.globals()) {
    if (global.getAddressSpace() == 3 || global.getAddressSpace() == 6) continue;
    if (!global.hasInitializer() || !global.isConstant())
      return unit.error("it uses the program-scope variable " + global.getName().str() + ", which is not a constant");
    constants.push_back(&global);
  }
  BASANITE_TRY_VOID(spellOutAddresses(unit));
  ConstantPlacer placer(unit);
  for (llvm::GlobalVariable* global : constants) BASANITE_TRY_VOID(placer.place(*global));
  return {};
}

} // namespace basanite::shader::lower
