// SPDX-License-Identifier: Apache-2.0
// Prints a lowered unit as SPIR-V. It decides nothing: every shape it meets has one printed form, or is an error.
#pragma once

#include "src/base/result.hpp"
#include "src/shader/air/name.hpp"
#include "src/shader/lower/lowering.hpp"
#include "src/shader/spirv/builder.hpp"

#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace basanite::shader::spirv {

// The finished, not yet validated words.
base::Result<std::vector<uint32_t>> print(lower::Unit& unit);

// The instruction of an atomic operation by LLVM's name for it ("xchg", "add", "min"), on signed integers or not.
std::optional<spv::Op> atomicOperation(std::string_view name, bool isSigned);

// One unit being printed. The parts live in print_module.cpp (types, constants, interface), print_code.cpp
// (instructions), print_memory.cpp, print_calls.cpp (intrinsics), print_mesh.cpp and print_textures.cpp. The first failure is kept and
// printing goes on with meaningless ids, so that no step needs its own error path.
class Printer {
 public:
  explicit Printer(lower::Unit& unit) : m_unit(unit), m_layout(unit.module.getDataLayout()) {}
  base::Result<std::vector<uint32_t>> run();

 private:
  // A memory object whose pointers are byte offsets: an array of one scalar type.
  struct Object {
    spv::StorageClass storage = spv::StorageClass::Function;
    Id variable = 0;
    llvm::Type* element = nullptr;
    unsigned elementBytes = 4;
  };

  Id fail(const std::string& what);

  // print_module.cpp
  Id type(llvm::Type* type);
  Id constant(llvm::Constant* constant);
  Id value(llvm::Value* value);
  Id zero(llvm::Type* of) { return m_builder.constantNull(type(of)); }
  Id splat(llvm::Type* like, Id scalar); // repeats a constant scalar when `like` is a vector
  Id intConstant(llvm::Type* like, uint64_t number);
  Id floatConstant(llvm::Type* like, double number);
  void printInterface();
  void printEntryPoint();
  void printFunction(llvm::Function& function);
  Id pushConstant(uint32_t offset);
  Id recordWord(uint32_t word);
  Id localSize();
  uint32_t recordOffset() const; // in the push constants
  Id variableFor(size_t index);
  Id variableType(const lower::InterfaceVariable& variable);

  // print_code.cpp
  void printBlock(llvm::BasicBlock& block, const lower::ControlFlow& flow);
  void printInstruction(llvm::Instruction& instruction);
  void printTerminator(llvm::Instruction& end, const lower::ControlFlow& flow);
  Id binary(llvm::BinaryOperator& operation);
  Id compare(llvm::CmpInst& comparison);
  Id cast(llvm::CastInst& cast);
  Id shuffle(llvm::ShuffleVectorInst& shuffle);
  Id bitcast(Id from, llvm::Type* source, llvm::Type* target);
  Id blockId(const llvm::BasicBlock* block);
  void define(llvm::Value& value, Id id);
  Id resultId(llvm::Value& value);

  // print_memory.cpp
  Id elementAddress(llvm::GetElementPtrInst& element);
  Id load(llvm::Type* type, llvm::Value* pointer, llvm::Align align, bool isVolatile);
  void store(Id stored, llvm::Type* type, llvm::Value* pointer, llvm::Align align, bool isVolatile);
  Id loadAddress(llvm::Type* scalarOrVector, Id address, llvm::Align align, unsigned addressSpace, bool isVolatile);
  void storeAddress(Id stored, llvm::Type* scalarOrVector, Id address, llvm::Align align, bool isVolatile);
  Id loadScalar(const Object& object, llvm::Type* scalar, Id offset, bool isVolatile);
  void storeScalar(const Object& object, Id stored, llvm::Type* scalar, Id offset, bool isVolatile);
  Id joinUnits(const std::vector<Id>& units, unsigned unitBytes, llvm::Type* scalar);
  std::vector<Id> splitUnits(Id whole, llvm::Type* scalar, unsigned unitBytes);
  Id elementPointer(const Object& object, Id offset, unsigned element);
  const Object* objectOf(llvm::Value* pointer);
  void makeObject(llvm::Value* root);
  Id atomicPointer(llvm::Value* pointer, llvm::Type* type);
  void atomic(llvm::CallInst& call, const air::IntrinsicName& name);
  void atomicInstruction(llvm::Instruction& instruction);
  Id add(unsigned width, Id a, Id b);
  Id multiply(unsigned width, Id a, uint64_t factor);
  void requireStorage(llvm::Type* scalar);

  // print_calls.cpp
  void printCall(llvm::CallInst& call);
  Id internalCall(llvm::CallInst& call, llvm::StringRef name);
  Id llvmCall(llvm::IntrinsicInst& call);
  Id airCall(llvm::CallInst& call);
  Id mathCall(llvm::CallInst& call, const air::IntrinsicName& name);
  Id groupCall(llvm::CallInst& call, const air::IntrinsicName& name);
  void barrier(llvm::CallInst& call, bool simdgroup);

  // print_mesh.cpp
  void printMeshInterface();
  Id makePayload();
  void printMeshModes(Id main);
  void printMeshTasks();
  Id meshCall(llvm::CallInst& call, llvm::StringRef name);

  // print_textures.cpp
  bool textureCall(llvm::CallInst& call, const air::IntrinsicName& name);

  lower::Unit& m_unit;
  const llvm::DataLayout& m_layout;
  Builder m_builder;
  base::Error m_error;
  llvm::Function* m_function = nullptr;
  llvm::DenseMap<const llvm::Value*, Id> m_values;
  llvm::DenseMap<const llvm::BasicBlock*, Id> m_blocks;
  llvm::DenseMap<const llvm::Function*, Id> m_functions;
  llvm::DenseMap<const llvm::Value*, Object> m_objects;
  llvm::DenseMap<const llvm::Value*, Id> m_bareResults; // {texel, resident} results, of which only the texel is made
  std::map<size_t, Id> m_interface;
  std::map<ImageShape, Id> m_images;
  std::map<std::pair<uint32_t, Id>, Id> m_colorInputs; // by attachment and component type
  Id m_samplerArray = 0;
  Id m_pushBlock = 0;
  Id m_payload = 0;                // object and mesh stage: the payload variable
  std::vector<Id> m_meshTasks;     // object stage: counts of mesh threadgroups, once printed
  std::map<uint32_t, std::pair<uint32_t, Id>> m_pushMembers; // byte offset: member, type

  friend class TexturePrinter;
};

} // namespace basanite::shader::spirv
