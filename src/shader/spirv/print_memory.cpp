// SPDX-License-Identifier: Apache-2.0
// Printer: addresses, loads, stores and atomics. Device memory is reached by address, everything else as
// arrays of scalars.
#include "src/base/shader_abi.hpp"
#include "src/shader/lower/constant_image.hpp"
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

namespace basanite::shader::spirv {

namespace {

bool isAddressSpace(unsigned space) { return space == 1 || space == 2; }

uint64_t scalarBytes(const llvm::DataLayout& layout, llvm::Type* scalar) {
  return layout.getTypeStoreSize(scalar).getFixedValue();
}

// Memory holds booleans as bytes and pointers as 64-bit words.
llvm::Type* memoryScalar(llvm::Type* type) {
  llvm::Type* scalar = type->getScalarType();
  if (scalar->isIntegerTy(1)) return llvm::Type::getInt8Ty(type->getContext());
  if (scalar->isPointerTy()) return llvm::Type::getInt64Ty(type->getContext());
  return scalar;
}

unsigned countOf(llvm::Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// What the accesses of an object have in common.
struct AccessScan {
  const llvm::DataLayout& layout;
  unsigned unit = 8;
  llvm::Type* element = nullptr;
  bool mixed = false;
  std::string problem;
  llvm::SmallPtrSet<llvm::Value*, 16> seen;

  void access(llvm::Type* type, llvm::Align align) {
    llvm::Type* scalar = memoryScalar(type);
    unsigned bytes = static_cast<unsigned>(scalarBytes(layout, scalar));
    unit = std::min<unsigned>({unit, bytes, static_cast<unsigned>(std::min<uint64_t>(align.value(), 8))});
    if (element && element != scalar) mixed = true;
    element = scalar;
  }

  void scan(llvm::Value* pointer) {
    if (!seen.insert(pointer).second) return;
    for (llvm::User* user : pointer->users()) {
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user))
        access(load->getType(), load->getAlign());
      else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
        if (store->getValueOperand() == pointer)
          problem = "the address of a thread or threadgroup variable is stored in memory";
        else
          access(store->getValueOperand()->getType(), store->getAlign());
      } else if (llvm::isa<llvm::GetElementPtrInst>(user) || llvm::isa<llvm::PHINode>(user) ||
                 llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::FreezeInst>(user)) {
        scan(user);
      } else if (auto* exchange = llvm::dyn_cast<llvm::AtomicRMWInst>(user)) {
        access(exchange->getValOperand()->getType(), exchange->getAlign());
      } else if (auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(user)) {
        access(swap->getNewValOperand()->getType(), swap->getAlign());
      } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(user)) {
        llvm::StringRef name = call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
        // Atomics and the results that intrinsics write are 32 bits wide.
        if (name.contains(".i64"))
          access(llvm::Type::getInt64Ty(call->getContext()), llvm::Align(8));
        else
          access(llvm::Type::getInt32Ty(call->getContext()), llvm::Align(4));
      } else if (!llvm::isa<llvm::ICmpInst>(user)) {
        problem =
            "the address of a thread or threadgroup variable is used in a way that Basanite does not support";
      }
    }
  }
};

} // namespace

// ---- small integer arithmetic that folds constants ----

Id Printer::add(unsigned width, Id a, Id b) {
  auto x = m_builder.constantValue(a), y = m_builder.constantValue(b);
  if (x && y) return m_builder.constantInt(width, *x + *y);
  if (x && *x == 0) return b;
  if (y && *y == 0) return a;
  return m_builder.emit(spv::Op::OpIAdd, m_builder.typeInt(width), {a, b});
}

Id Printer::multiply(unsigned width, Id a, uint64_t factor) {
  if (auto x = m_builder.constantValue(a)) return m_builder.constantInt(width, *x * factor);
  if (factor == 1) return a;
  return m_builder.emit(spv::Op::OpIMul, m_builder.typeInt(width), {a, m_builder.constantInt(width, factor)});
}

Id Printer::elementAddress(llvm::GetElementPtrInst& element) {
  if (element.getType()->isVectorTy()) return fail("it computes a vector of pointers");
  unsigned width = isAddressSpace(element.getPointerAddressSpace()) ? 64 : 32;
  Id address = value(element.getPointerOperand());
  uint64_t fixed = 0;
  std::vector<Id> parts;
  for (auto step = llvm::gep_type_begin(element), end = llvm::gep_type_end(element); step != end; ++step) {
    llvm::Value* index = step.getOperand();
    if (llvm::StructType* record = step.getStructTypeOrNull()) {
      unsigned member = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      fixed += m_layout.getStructLayout(record)->getElementOffset(member).getFixedValue();
      continue;
    }
    uint64_t stride = step.getSequentialElementStride(m_layout).getFixedValue();
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(index)) {
      fixed += static_cast<uint64_t>(number->getSExtValue()) * stride;
      continue;
    }
    unsigned indexWidth = index->getType()->getIntegerBitWidth();
    Id id = value(index);
    if (indexWidth != width) {
      spv::Op op = indexWidth < width ? spv::Op::OpSConvert : spv::Op::OpUConvert;
      id = m_builder.emit(op, m_builder.typeInt(width), {id});
    }
    parts.push_back(multiply(width, id, stride));
  }
  for (Id part : parts) address = add(width, address, part);
  return add(width, address, m_builder.constantInt(width, fixed));
}

// ---- objects ----

const Printer::Object* Printer::objectOf(llvm::Value* pointer) {
  llvm::SmallPtrSet<llvm::Value*, 8> seen;
  std::vector<llvm::Value*> work{pointer};
  llvm::Value* root = nullptr;
  while (!work.empty()) {
    llvm::Value* at = work.back();
    work.pop_back();
    if (!seen.insert(at).second) continue;
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(at))
      work.push_back(element->getPointerOperand());
    else if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(at))
      work.push_back(freeze->getOperand(0));
    else if (auto* phi = llvm::dyn_cast<llvm::PHINode>(at))
      work.insert(work.end(), phi->op_begin(), phi->op_end());
    else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(at)) {
      work.push_back(select->getTrueValue());
      work.push_back(select->getFalseValue());
    } else if (llvm::isa<llvm::AllocaInst>(at) || llvm::isa<llvm::GlobalVariable>(at)) {
      if (root && root != at) {
        fail("a pointer may lead to one of several thread or threadgroup variables, which Basanite does not "
             "support");
        return nullptr;
      }
      root = at;
    } else if (!llvm::isa<llvm::UndefValue>(at)) {
      fail("it uses a thread or threadgroup pointer whose variable is not known");
      return nullptr;
    }
  }
  if (!root) {
    fail("it accesses memory through an undefined pointer");
    return nullptr;
  }
  auto found = m_objects.find(root);
  if (found == m_objects.end()) {
    makeObject(root);
    found = m_objects.find(root);
  }
  return found == m_objects.end() ? nullptr : &found->second;
}

void Printer::makeObject(llvm::Value* root) {
  AccessScan scan{m_layout, 8, nullptr, false, {}, {}};
  scan.scan(root);
  auto* global = llvm::dyn_cast<llvm::GlobalVariable>(root);
  auto* local = llvm::dyn_cast<llvm::AllocaInst>(root);
  std::string name = root->getName().empty() ? "a variable" : "variable " + root->getName().str();
  if (!scan.problem.empty()) {
    fail(scan.problem + " (" + name + ")");
    return;
  }
  if (!scan.element) return; // never accessed
  Object object;
  object.elementBytes = scan.unit;
  bool uniform = !scan.mixed && scalarBytes(m_layout, scan.element) == scan.unit;
  if (global && global->getAddressSpace() == 6) {
    // Both stages declare the same type: integers of the unit that they agreed on.
    if (scan.unit < m_unit.payloadUnitBytes) m_unit.payloadUnitBytes = scan.unit;
    object.elementBytes = scan.unit = m_unit.payloadUnitBytes;
    uniform = false;
  }
  object.element = uniform ? scan.element : llvm::Type::getIntNTy(root->getContext(), scan.unit * 8);
  Id element = type(object.element);

  llvm::Type* whole = global ? global->getValueType() : local->getAllocatedType();
  uint64_t bytes = m_layout.getTypeAllocSize(whole).getFixedValue();
  if (local) {
    auto* count = llvm::dyn_cast<llvm::ConstantInt>(local->getArraySize());
    if (!count) {
      fail("it has an array of variable length");
      return;
    }
    bytes *= count->getZExtValue();
  }
  uint64_t elements = std::max<uint64_t>(1, (bytes + scan.unit - 1) / scan.unit);

  if (local) {
    object.storage = spv::StorageClass::Function;
    Id array = m_builder.typeArray(element, m_builder.constantU32(static_cast<uint32_t>(elements)));
    object.variable = m_builder.emit(spv::Op::OpVariable, m_builder.typePointer(object.storage, array),
                                     {static_cast<uint32_t>(object.storage)});
  } else if (global->getAddressSpace() == 3) {
    object.storage = spv::StorageClass::Workgroup;
    llvm::StringRef argument = global->getName();
    Id length = m_builder.constantU32(static_cast<uint32_t>(elements));
    if (argument.consume_front(lower::kThreadgroupVariable)) {
      uint32_t index = static_cast<uint32_t>(std::stoul(argument.str()));
      Id byteLength = m_builder.specConstantU32(base::abi::kThreadgroupLengthConstant + index, 16);
      length = scan.unit == 1 ? byteLength
                              : m_builder.specConstantOp(spv::Op::OpUDiv, m_builder.typeInt(32),
                                                         {byteLength, m_builder.constantU32(scan.unit)});
    } else {
      m_unit.binary.staticThreadgroupBytes += static_cast<uint32_t>(elements * scan.unit);
    }
    object.variable = m_builder.globalVariable(object.storage, m_builder.typeArray(element, length));
  } else if (global->getAddressSpace() == 6) {
    object.storage = spv::StorageClass::TaskPayloadWorkgroupEXT;
    object.variable = makePayload();
  } else {
    object.storage = spv::StorageClass::Private;
    // The initializer's bytes, cut into elements.
    std::optional<std::vector<uint8_t>> image = lower::constantImage(m_layout, global->getInitializer());
    if (!image) {
      fail("program-scope constant " + name + " holds something that is not a number");
      return;
    }
    image->resize(elements * scan.unit, 0);
    std::vector<Id> members;
    for (uint64_t i = 0; i < elements; ++i) {
      uint64_t bits = 0;
      for (unsigned j = 0; j < scan.unit; ++j) bits |= uint64_t((*image)[i * scan.unit + j]) << (8 * j);
      members.push_back(object.element->isFloatingPointTy() ? m_builder.constantFloatBits(scan.unit * 8, bits)
                                                            : m_builder.constantInt(scan.unit * 8, bits));
    }
    Id array = m_builder.typeArray(element, m_builder.constantU32(static_cast<uint32_t>(elements)));
    object.variable =
        m_builder.globalVariable(object.storage, array, m_builder.constantComposite(array, members));
  }
  if (root->hasName()) m_builder.name(object.variable, root->getName().str());
  m_objects[root] = object;
}

Id Printer::elementPointer(const Object& object, Id offset, unsigned element) {
  Id index;
  if (auto known = m_builder.constantValue(offset)) {
    index = m_builder.constantU32(static_cast<uint32_t>(*known / object.elementBytes + element));
  } else {
    index = offset;
    if (object.elementBytes > 1) {
      unsigned shift = object.elementBytes == 2 ? 1 : object.elementBytes == 4 ? 2 : 3;
      index = m_builder.emit(spv::Op::OpShiftRightLogical, m_builder.typeInt(32),
                             {offset, m_builder.constantU32(shift)});
    }
    index = add(32, index, m_builder.constantU32(element));
  }
  return m_builder.emit(spv::Op::OpAccessChain, m_builder.typePointer(object.storage, type(object.element)),
                        {object.variable, index});
}

// ---- bytes to scalars and back ----

Id Printer::joinUnits(const std::vector<Id>& units, unsigned unitBytes, llvm::Type* scalar) {
  Id unitType = m_builder.typeInt(unitBytes * 8);
  if (units.size() == 1) return m_builder.emit(spv::Op::OpBitcast, type(scalar), {units[0]});
  if (units.size() == 8) {
    Id u32 = m_builder.typeInt(32);
    std::vector<Id> words;
    for (unsigned half = 0; half < 2; ++half) {
      std::vector<Id> bytes(units.begin() + half * 4, units.begin() + half * 4 + 4);
      Id quad = m_builder.emit(spv::Op::OpCompositeConstruct, m_builder.typeVector(unitType, 4), bytes);
      words.push_back(m_builder.emit(spv::Op::OpBitcast, u32, {quad}));
    }
    return joinUnits(words, 4, scalar);
  }
  Id vector = m_builder.emit(spv::Op::OpCompositeConstruct,
                             m_builder.typeVector(unitType, static_cast<unsigned>(units.size())), units);
  return m_builder.emit(spv::Op::OpBitcast, type(scalar), {vector});
}

std::vector<Id> Printer::splitUnits(Id whole, llvm::Type* scalar, unsigned unitBytes) {
  unsigned count = static_cast<unsigned>(scalarBytes(m_layout, scalar)) / unitBytes;
  Id unitType = m_builder.typeInt(unitBytes * 8);
  if (count == 1) return {m_builder.emit(spv::Op::OpBitcast, unitType, {whole})};
  std::vector<Id> units;
  if (count == 8) {
    llvm::Type* i32 = llvm::Type::getInt32Ty(scalar->getContext());
    for (Id word : splitUnits(whole, scalar, 4))
      for (Id byte : splitUnits(word, i32, 1)) units.push_back(byte);
    return units;
  }
  Id vector = m_builder.emit(spv::Op::OpBitcast, m_builder.typeVector(unitType, count), {whole});
  for (unsigned i = 0; i < count; ++i)
    units.push_back(m_builder.emit(spv::Op::OpCompositeExtract, unitType, {vector, i}));
  return units;
}

namespace {

// Payloads are shared too, but SPIR-V has no NonPrivatePointer for them.
bool isShared(spv::StorageClass storage) { return storage == spv::StorageClass::Workgroup; }

uint32_t accessMask(const char* kind, bool isVolatile) {
  uint32_t mask = isVolatile ? static_cast<uint32_t>(spv::MemoryAccessMask::Volatile) : 0;
  // Memory that other threads may see takes part in barriers.
  if (kind[0] == 's') mask |= static_cast<uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);
  return mask;
}

} // namespace

Id Printer::loadScalar(const Object& object, llvm::Type* scalar, Id offset, bool isVolatile) {
  unsigned count = static_cast<unsigned>(scalarBytes(m_layout, scalar)) / object.elementBytes;
  uint32_t mask = accessMask(isShared(object.storage) ? "shared" : "own", isVolatile);
  std::vector<Id> units;
  for (unsigned i = 0; i < count; ++i)
    units.push_back(
        m_builder.emit(spv::Op::OpLoad, type(object.element), {elementPointer(object, offset, i), mask}));
  if (count == 1 && object.element == scalar) return units[0];
  return joinUnits(units, object.elementBytes, scalar);
}

void Printer::storeScalar(const Object& object, Id stored, llvm::Type* scalar, Id offset, bool isVolatile) {
  uint32_t mask = accessMask(isShared(object.storage) ? "shared" : "own", isVolatile);
  std::vector<Id> units =
      object.element == scalar ? std::vector<Id>{stored} : splitUnits(stored, scalar, object.elementBytes);
  for (unsigned i = 0; i < units.size(); ++i)
    m_builder.emitVoid(spv::Op::OpStore, {elementPointer(object, offset, i), units[i], mask});
}

void Printer::requireStorage(llvm::Type* scalar) {
  unsigned bits = scalar->getScalarSizeInBits();
  if (bits == 8) {
    if (!m_unit.traits.storage8) fail("it accesses 8-bit values in memory, which the device cannot do");
    m_builder.capability(spv::Capability::StorageBuffer8BitAccess);
  } else if (bits == 16) {
    if (!m_unit.traits.storage16) fail("it accesses 16-bit values in memory, which the device cannot do");
    m_builder.capability(spv::Capability::StorageBuffer16BitAccess);
  }
}

Id Printer::loadAddress(llvm::Type* accessed, Id address, llvm::Align align, unsigned addressSpace,
                        bool isVolatile) {
  llvm::Type* scalar = accessed->getScalarType();
  unsigned bytes = static_cast<unsigned>(scalarBytes(m_layout, scalar));
  uint32_t mask = accessMask(addressSpace == 1 ? "shared" : "own", isVolatile) |
                  static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
  // A volatile (or coherent) object is one that other threads change meanwhile; in raster order any may be.
  bool coherent = (isVolatile || m_unit.rasterOrdered) && addressSpace == 1;
  if (coherent) mask |= static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerVisible);
  auto loadOne = [&](Id valueType, Id from, uint32_t alignment) {
    Id pointer =
        m_builder.emit(spv::Op::OpConvertUToPtr,
                       m_builder.typePointer(spv::StorageClass::PhysicalStorageBuffer, valueType), {from});
    std::vector<uint32_t> words{pointer, mask, alignment};
    if (coherent) words.push_back(m_builder.constantU32(static_cast<uint32_t>(spv::Scope::QueueFamily)));
    return m_builder.emit(spv::Op::OpLoad, valueType, words);
  };
  if (align.value() >= bytes) {
    requireStorage(scalar);
    return loadOne(type(accessed), address, static_cast<uint32_t>(std::min<uint64_t>(align.value(), 16)));
  }
  // Vulkan wants an alignment of at least the scalar's size: take smaller pieces.
  unsigned unit = static_cast<unsigned>(align.value());
  llvm::Type* piece = llvm::Type::getIntNTy(accessed->getContext(), unit * 8);
  requireStorage(piece);
  std::vector<Id> scalars;
  for (unsigned component = 0; component < countOf(accessed); ++component) {
    std::vector<Id> units;
    for (unsigned at = 0; at < bytes; at += unit)
      units.push_back(
          loadOne(type(piece), add(64, address, m_builder.constantInt(64, component * bytes + at)), unit));
    scalars.push_back(joinUnits(units, unit, scalar));
  }
  return scalars.size() == 1 ? scalars[0]
                             : m_builder.emit(spv::Op::OpCompositeConstruct, type(accessed), scalars);
}

void Printer::storeAddress(Id stored, llvm::Type* accessed, Id address, llvm::Align align, bool isVolatile) {
  llvm::Type* scalar = accessed->getScalarType();
  unsigned bytes = static_cast<unsigned>(scalarBytes(m_layout, scalar));
  uint32_t mask = accessMask("shared", isVolatile) | static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
  const bool coherent = isVolatile || m_unit.rasterOrdered;
  if (coherent) mask |= static_cast<uint32_t>(spv::MemoryAccessMask::MakePointerAvailable);
  auto storeOne = [&](Id valueType, Id what, Id to, uint32_t alignment) {
    Id pointer =
        m_builder.emit(spv::Op::OpConvertUToPtr,
                       m_builder.typePointer(spv::StorageClass::PhysicalStorageBuffer, valueType), {to});
    std::vector<uint32_t> words{pointer, what, mask, alignment};
    if (coherent) words.push_back(m_builder.constantU32(static_cast<uint32_t>(spv::Scope::QueueFamily)));
    m_builder.emitVoid(spv::Op::OpStore, words);
  };
  if (align.value() >= bytes) {
    requireStorage(scalar);
    return storeOne(type(accessed), stored, address,
                    static_cast<uint32_t>(std::min<uint64_t>(align.value(), 16)));
  }
  unsigned unit = static_cast<unsigned>(align.value());
  llvm::Type* piece = llvm::Type::getIntNTy(accessed->getContext(), unit * 8);
  requireStorage(piece);
  unsigned count = countOf(accessed);
  for (unsigned component = 0; component < count; ++component) {
    Id part =
        count == 1 ? stored : m_builder.emit(spv::Op::OpCompositeExtract, type(scalar), {stored, component});
    std::vector<Id> units = splitUnits(part, scalar, unit);
    for (unsigned i = 0; i < units.size(); ++i)
      storeOne(type(piece), units[i],
               add(64, address, m_builder.constantInt(64, component * bytes + i * unit)), unit);
  }
}

Id Printer::load(llvm::Type* wanted, llvm::Value* pointer, llvm::Align align, bool isVolatile) {
  llvm::Type* scalar = memoryScalar(wanted);
  unsigned count = countOf(wanted);
  llvm::Type* inMemory =
      count == 1 ? scalar : static_cast<llvm::Type*>(llvm::FixedVectorType::get(scalar, count));
  if (wanted->isPointerTy() && !isAddressSpace(wanted->getPointerAddressSpace()))
    return fail("it loads a thread or threadgroup pointer from memory");
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() % 8 != 0)
    return fail(fmt::format("it loads a {}-bit integer", scalar->getIntegerBitWidth()));
  unsigned space = pointer->getType()->getPointerAddressSpace();
  Id loaded;
  if (isAddressSpace(space)) {
    loaded = loadAddress(inMemory, value(pointer), align, space, isVolatile);
  } else {
    const Object* object = objectOf(pointer);
    if (!object) return m_builder.constantU32(0);
    Id offset = value(pointer);
    std::vector<Id> parts;
    unsigned bytes = static_cast<unsigned>(scalarBytes(m_layout, scalar));
    for (unsigned i = 0; i < count; ++i)
      parts.push_back(
          loadScalar(*object, scalar, add(32, offset, m_builder.constantU32(i * bytes)), isVolatile));
    loaded = count == 1 ? parts[0] : m_builder.emit(spv::Op::OpCompositeConstruct, type(inMemory), parts);
  }
  if (!wanted->getScalarType()->isIntegerTy(1)) return loaded;
  return m_builder.emit(spv::Op::OpINotEqual, type(wanted), {loaded, zero(inMemory)});
}

void Printer::store(Id stored, llvm::Type* given, llvm::Value* pointer, llvm::Align align, bool isVolatile) {
  llvm::Type* scalar = memoryScalar(given);
  unsigned count = countOf(given);
  llvm::Type* inMemory =
      count == 1 ? scalar : static_cast<llvm::Type*>(llvm::FixedVectorType::get(scalar, count));
  if (given->isPointerTy() && !isAddressSpace(given->getPointerAddressSpace())) {
    fail("it stores a thread or threadgroup pointer in memory");
    return;
  }
  if (scalar->isIntegerTy() && scalar->getIntegerBitWidth() % 8 != 0) {
    fail(fmt::format("it stores a {}-bit integer", scalar->getIntegerBitWidth()));
    return;
  }
  if (given->getScalarType()->isIntegerTy(1))
    stored =
        m_builder.emit(spv::Op::OpSelect, type(inMemory), {stored, intConstant(inMemory, 1), zero(inMemory)});
  unsigned space = pointer->getType()->getPointerAddressSpace();
  if (isAddressSpace(space)) return storeAddress(stored, inMemory, value(pointer), align, isVolatile);
  const Object* object = objectOf(pointer);
  if (!object) return;
  Id offset = value(pointer);
  unsigned bytes = static_cast<unsigned>(scalarBytes(m_layout, scalar));
  for (unsigned i = 0; i < count; ++i) {
    Id part = count == 1 ? stored : m_builder.emit(spv::Op::OpCompositeExtract, type(scalar), {stored, i});
    storeScalar(*object, part, scalar, add(32, offset, m_builder.constantU32(i * bytes)), isVolatile);
  }
}

} // namespace basanite::shader::spirv
