// SPDX-License-Identifier: Apache-2.0
// Turns the entry function into `void main()`: arguments become record words, inputs and push constants;
// results, outputs.
#include "src/base/shader_abi.hpp"
#include "src/shader/air/constant_samplers.hpp"
#include "src/shader/air/texture_name.hpp"
#include "src/shader/air/type_name.hpp"
#include "src/shader/lower/interface_builder.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/Instructions.h>
#include <set>

namespace basanite::shader::lower {

namespace {

using llvm::IRBuilder;
using llvm::Type;
using llvm::Value;

Type* vectorOf(Type* element, unsigned count) {
  return count == 1 ? element : llvm::FixedVectorType::get(element, count);
}

unsigned componentCount(Type* type) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

// Of the components of a size.
Value* product(IRBuilder<>& builder, Value* size) {
  Value* all = builder.CreateExtractElement(size, uint64_t(0));
  for (uint64_t axis = 1; axis < 3; ++axis)
    all = builder.CreateMul(all, builder.CreateExtractElement(size, axis));
  return all;
}

enum class KernelSource { builtIn, fullSize, gridThreads, gridGroups, localSize, zero };
struct KernelInput {
  const char* kind;
  KernelSource source;
  spv::BuiltIn builtIn;
  uint32_t pushOffset;
  bool vector;
};
constexpr uint32_t kThreadsPerGridOffset = offsetof(base::abi::PushConstants, threadsPerGrid);
constexpr uint32_t kThreadgroupsPerGridOffset = offsetof(base::abi::PushConstants, threadgroupsPerGrid);
constexpr uint32_t kFullSizeOffset = offsetof(base::abi::PushConstants, fullThreadgroupSize);
constexpr uint32_t kOriginOffset = offsetof(base::abi::PushConstants, threadgroupOrigin);
constexpr spv::BuiltIn kNoBuiltIn = spv::BuiltIn::Max;
constexpr KernelInput kKernelInputs[] = {
    {"air.thread_position_in_threadgroup", KernelSource::builtIn, spv::BuiltIn::LocalInvocationId, 0, true},
    {"air.thread_index_in_threadgroup", KernelSource::builtIn, spv::BuiltIn::LocalInvocationIndex, 0, false},
    {"air.thread_index_in_simdgroup", KernelSource::builtIn, spv::BuiltIn::SubgroupLocalInvocationId, 0,
     false},
    {"air.simdgroup_index_in_threadgroup", KernelSource::builtIn, spv::BuiltIn::SubgroupId, 0, false},
    {"air.simdgroups_per_threadgroup", KernelSource::builtIn, spv::BuiltIn::NumSubgroups, 0, false},
    {"air.threads_per_simdgroup", KernelSource::builtIn, spv::BuiltIn::SubgroupSize, 0, false},
    {"air.thread_execution_width", KernelSource::builtIn, spv::BuiltIn::SubgroupSize, 0, false},
    {"air.threads_per_threadgroup", KernelSource::localSize, kNoBuiltIn, 0, true},
    {"air.dispatch_threads_per_threadgroup", KernelSource::fullSize, kNoBuiltIn, 0, true},
    {"air.threads_per_grid", KernelSource::gridThreads, kNoBuiltIn, kThreadsPerGridOffset, true},
    {"air.grid_size", KernelSource::gridThreads, kNoBuiltIn, kThreadsPerGridOffset, true},
    {"air.threadgroups_per_grid", KernelSource::gridGroups, kNoBuiltIn, kThreadgroupsPerGridOffset, true},
    {"air.grid_origin", KernelSource::zero, kNoBuiltIn, 0, true},
};

struct RasterInput {
  const char* kind;
  Stage stage;
  spv::BuiltIn builtIn;
  char type; // 'i' i32, 'b' i1, '2' / '4' float vector, 'm' sample mask
};
constexpr RasterInput kRasterInputs[] = {
    {"air.vertex_id", Stage::vertex, spv::BuiltIn::VertexIndex, 'i'},
    {"air.instance_id", Stage::vertex, spv::BuiltIn::InstanceIndex, 'i'},
    {"air.base_vertex", Stage::vertex, spv::BuiltIn::BaseVertex, 'i'},
    {"air.base_instance", Stage::vertex, spv::BuiltIn::BaseInstance, 'i'},
    {"air.position", Stage::fragment, spv::BuiltIn::FragCoord, '4'},
    {"air.front_facing", Stage::fragment, spv::BuiltIn::FrontFacing, 'b'},
    {"air.point_coord", Stage::fragment, spv::BuiltIn::PointCoord, '2'},
    {"air.sample_id", Stage::fragment, spv::BuiltIn::SampleId, 'i'},
    {"air.sample_mask_in", Stage::fragment, spv::BuiltIn::SampleMask, 'm'},
    {"air.sample_mask", Stage::fragment, spv::BuiltIn::SampleMask, 'm'},
    {"air.primitive_id", Stage::fragment, spv::BuiltIn::PrimitiveId, 'i'},
    {"air.thread_index_in_simdgroup", Stage::fragment, spv::BuiltIn::SubgroupLocalInvocationId, 'i'},
    {"air.threads_per_simdgroup", Stage::fragment, spv::BuiltIn::SubgroupSize, 'i'},
    {"air.render_target_array_index", Stage::fragment, spv::BuiltIn::Layer, 'i'},
    {"air.viewport_array_index", Stage::fragment, spv::BuiltIn::ViewportIndex, 'i'},
};

class InterfaceBinder {
 public:
  explicit InterfaceBinder(Unit& unit)
      : m_unit(unit), m_context(unit.module.getContext()), m_builder(m_context) {}

  base::Result<void> run();

 private:
  struct Key {
    BindingKind kind;
    uint32_t index;
    auto operator<=>(const Key&) const = default;
  };

  base::Result<void> collectBindings();
  base::Result<void> collectConstantSamplers();
  base::Result<const VertexFetchLayout*> layoutOf(const air::Input& input,
                                                  const VertexFetchAttribute*& attribute) const;
  base::Result<void> bindInputs();
  base::Result<Value*> inputValue(const air::Input& input, Type* type);
  base::Result<Value*> vertexInput(const air::Input& input, Type* type);
  // Inputs of the stages that run in threadgroups. Null: it is none of them.
  Value* groupInput(const air::Input& input);
  // Inputs that take more than one plain built-in: barycentrics, quadgroups, vertex amplification. Null: it
  // is none of them.
  Value* derivedInput(const air::Input& input);
  base::Result<void> bindOutputs();
  base::Result<void> bindOutput(const air::Output& output, Value* value);
  Value* recordWord(Key key);
  Value* recordPointer(Key key, Type* type) { return m_builder.CreateIntToPtr(recordWord(key), type); }
  bool used(const air::Input& input) const { return !m_arguments[input.parameter]->use_empty(); }
  std::string label(const air::Input& input) const {
    return input.name.empty() ? fmt::format("number {}", input.parameter) : fmt::format("\"{}\"", input.name);
  }

  Unit& m_unit;
  llvm::LLVMContext& m_context;
  IRBuilder<> m_builder;
  std::vector<llvm::Argument*> m_arguments;
  std::map<Key, Binding> m_bindings;
  std::map<Key, uint32_t> m_words;
  std::map<uint32_t, Value*> m_loadedWords;
  std::vector<llvm::GlobalVariable*> m_samplers;
};

base::Result<const VertexFetchLayout*>
InterfaceBinder::layoutOf(const air::Input& input, const VertexFetchAttribute*& attribute) const {
  attribute = nullptr;
  for (const VertexFetchAttribute& candidate : m_unit.render->attributes)
    if (candidate.attributeIndex == input.location) attribute = &candidate;
  if (!attribute || attribute->format == 0) {
    return m_unit.error(fmt::format(
        "it reads vertex attribute {} ([[attribute({})]]), which the vertex descriptor does not have",
        label(input), input.location));
  }
  for (const VertexFetchLayout& layout : m_unit.render->layouts)
    if (layout.bufferIndex == attribute->bufferIndex) return &layout;
  return m_unit.error(fmt::format(
      "the vertex descriptor takes attribute {} from buffer {}, but has no layout for that buffer",
      input.location, attribute->bufferIndex));
}

base::Result<void> InterfaceBinder::collectBindings() {
  for (const air::Input& input : m_unit.entry.inputs) {
    if (!used(input)) continue;
    Type* type = m_arguments[input.parameter]->getType();
    Binding binding;
    binding.index = input.location;
    binding.name = input.name;
    binding.reads = input.reads;
    binding.writes = input.writes;
    if (input.kind == "air.buffer" || input.kind == "air.indirect_buffer") {
      if (!type->isPointerTy()) return m_unit.error("buffer argument " + label(input) + " is not a pointer");
      if (type->getPointerAddressSpace() == 3) continue;
      binding.kind = BindingKind::buffer;
      binding.dataSize = input.typeSize;
      binding.dataAlign = input.typeAlign;
    } else if (input.kind == "air.texture") {
      binding.kind = BindingKind::texture;
      if (auto name = air::parseTextureName(input.typeName)) {
        binding.textureType = name->type;
        binding.depthTexture = name->depth;
      }
    } else if (input.kind == "air.sampler") {
      binding.kind = BindingKind::sampler;
    } else if (input.kind == "air.visible_function_table") {
      binding.kind = BindingKind::functionTable;
      llvm::StringRef signature = input.typeName;
      if (signature.consume_front("visible_function_table<") && signature.consume_back(">"))
        binding.signature = signature.str();
    } else if (input.kind == "air.vertex_input" || input.kind == "air.stage_in") {
      if (!m_unit.render)
        return m_unit.error("its [[stage_in]] argument needs a stage input descriptor, which Metal 4's "
                            "pipelines do not have");
      const VertexFetchAttribute* attribute = nullptr;
      BASANITE_TRY(const VertexFetchLayout* layout, layoutOf(input, attribute));
      binding.kind = BindingKind::buffer;
      binding.index = layout->bufferIndex;
      binding.name.clear();
      binding.writes = false;
    } else {
      continue;
    }
    // An array of textures, samplers or tables has a word for each element.
    for (uint32_t element = 1; element < input.count && binding.kind != BindingKind::buffer; ++element) {
      Binding next = binding;
      next.index += element;
      m_bindings.try_emplace({next.kind, next.index}, next);
    }
    if (input.rasterOrdered) m_unit.rasterOrdered = true;
    auto [entry, isNew] = m_bindings.try_emplace({binding.kind, binding.index}, binding);
    if (!isNew) {
      // A vertex-descriptor buffer and an explicit [[buffer(n)]] share the word; the named one tells more.
      bool reads = entry->second.reads || binding.reads, writes = entry->second.writes || binding.writes;
      if (entry->second.name.empty()) entry->second = binding;
      entry->second.reads = reads;
      entry->second.writes = writes;
    }
  }
  if (m_unit.rasterOrdered && !m_unit.traits.pixelInterlock)
    return m_unit.error(
        "it uses [[raster_order_group(n)]], for which the device lacks fragment shader interlock");
  return collectConstantSamplers();
}

base::Result<void> InterfaceBinder::collectConstantSamplers() {
  // A constexpr sampler is a constant of one or two words whose address is handed to a texture operation.
  for (llvm::GlobalVariable& global : m_unit.module.globals()) {
    if (!global.hasInitializer() || !global.isConstant()) continue;
    // By its name too: it may go to a helper function first.
    bool isSampler = global.getName().starts_with(air::kSamplerStatePrefix);
    for (llvm::User* user : global.users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      isSampler |= callee && callee->getName().starts_with("air.") &&
                   (callee->getName().contains("texture_") || callee->getName().contains("depth_"));
    }
    if (!isSampler) continue;
    uint64_t words[2] = {0, 0};
    const llvm::Constant* initializer = global.getInitializer();
    if (auto* word = llvm::dyn_cast<llvm::ConstantInt>(initializer)) {
      words[0] = word->getZExtValue();
    } else {
      for (unsigned i = 0; i < 2; ++i) {
        auto* element = llvm::dyn_cast_or_null<llvm::ConstantInt>(initializer->getAggregateElement(i));
        if (!element)
          return m_unit.error("constexpr sampler " + global.getName().str() + " has no constant words");
        words[i] = element->getZExtValue();
      }
    }
    ConstantSampler sampler = air::decodeSampler(words[0], words[1]);
    Binding binding;
    binding.kind = BindingKind::constantSampler;
    binding.index = static_cast<uint32_t>(m_unit.binary.constantSamplers.size());
    binding.name = global.getName().str();
    m_bindings[{binding.kind, binding.index}] = binding;
    m_unit.binary.constantSamplers.push_back(sampler);
    m_samplers.push_back(&global);
  }
  return {};
}

Value* InterfaceBinder::recordWord(Key key) {
  uint32_t word = m_words.at(key);
  Value*& loaded = m_loadedWords[word];
  if (!loaded) {
    loaded = callInternal(m_unit, m_builder, kRecordFunction + std::to_string(word), m_builder.getInt64Ty(),
                          {}, true);
  }
  return loaded;
}

base::Result<Value*> InterfaceBinder::vertexInput(const air::Input& input, Type* type) {
  const VertexFetchAttribute* attribute = nullptr;
  BASANITE_TRY(const VertexFetchLayout* layout, layoutOf(input, attribute));
  if (layout->stride == UINT32_MAX) {
    return m_unit.error(fmt::format(
        "the layout of vertex buffer {} has a dynamic stride, which is not supported", layout->bufferIndex));
  }
  Type* i32 = m_builder.getInt32Ty();
  Value* element = nullptr;
  switch (layout->stepFunction) {
  case 0:
    break;
  case 1:
    element = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::VertexIndex, i32);
    break;
  case 2:
    element = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::InstanceIndex, i32);
    if (layout->stepRate != 1) {
      Value* first = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::BaseInstance, i32);
      Value* steps = m_builder.getInt32(0);
      if (layout->stepRate > 1) {
        steps =
            m_builder.CreateUDiv(m_builder.CreateSub(element, first), m_builder.getInt32(layout->stepRate));
      }
      element = m_builder.CreateAdd(first, steps);
    }
    break;
  case 5:
  case 6:
    if (m_unit.entry.stage == Stage::kernel) {
      air::Input position;
      position.kind = "air.thread_position_in_grid";
      Value* at = groupInput(position);
      element = m_builder.CreateExtractElement(at, uint64_t(layout->stepFunction - 5));
      break;
    }
    [[fallthrough]];
  default:
    return m_unit.error(
        fmt::format("the layout of vertex buffer {} has step function {}, which needs tessellation",
                    layout->bufferIndex, layout->stepFunction));
  }
  Value* address = recordWord({BindingKind::buffer, layout->bufferIndex});
  if (element) {
    Value* offset = m_builder.CreateMul(m_builder.CreateZExt(element, m_builder.getInt64Ty()),
                                        m_builder.getInt64(layout->stride));
    address = m_builder.CreateAdd(address, offset);
  }
  if (attribute->offset) address = m_builder.CreateAdd(address, m_builder.getInt64(attribute->offset));
  return fetchVertexAttribute(m_unit, m_builder, attribute->format, address, type,
                              fmt::format("{} ([[attribute({})]])", label(input), input.location));
}

base::Result<Value*> InterfaceBinder::inputValue(const air::Input& input, Type* type) {
  Type* i32 = m_builder.getInt32Ty();
  Type* floatType = m_builder.getFloatTy();
  if (input.kind == "air.buffer" || input.kind == "air.indirect_buffer") {
    if (type->getPointerAddressSpace() == 3) {
      std::string name = kThreadgroupVariable + std::to_string(input.location);
      auto* array = llvm::ArrayType::get(m_builder.getInt8Ty(), 0);
      m_unit.binary.threadgroupArguments.push_back(input.location);
      return static_cast<Value*>(declareMemory(m_unit, array, name, 3));
    }
    return recordPointer({BindingKind::buffer, input.location}, type);
  }
  if (input.kind == "air.texture" || input.kind == "air.sampler" ||
      input.kind == "air.visible_function_table") {
    BindingKind kind = input.kind == "air.texture"   ? BindingKind::texture
                       : input.kind == "air.sampler" ? BindingKind::sampler
                                                     : BindingKind::functionTable;
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
        array && array->getElementType()->isPointerTy()) {
      if (array->getNumElements() != input.count)
        return m_unit.error(fmt::format("argument {} has {} elements, but {} in its AIR metadata",
                                        label(input), array->getNumElements(), input.count));
      Value* all = llvm::PoisonValue::get(array);
      for (uint32_t i = 0; i < input.count; ++i)
        all = m_builder.CreateInsertValue(
            all, recordPointer({kind, input.location + i}, array->getElementType()), i);
      return all;
    }
    if (!type->isPointerTy()) return m_unit.error("argument " + label(input) + " is not a handle");
    return recordPointer({kind, input.location}, type);
  }
  if (input.kind == "air.vertex_input" || input.kind == "air.stage_in") return vertexInput(input, type);
  if (input.kind == "air.payload") {
    if (!type->isPointerTy()) return m_unit.error("payload argument " + label(input) + " is not a pointer");
    auto* array = llvm::ArrayType::get(m_builder.getInt8Ty(), m_unit.binary.payloadBytes);
    return static_cast<Value*>(
        declareMemory(m_unit, array, kPayloadVariable, type->getPointerAddressSpace()));
  }
  // Handles that only intrinsics take; bindMesh replaces those.
  if (input.kind == "air.mesh" || input.kind == "air.mesh_grid_properties")
    return static_cast<Value*>(llvm::Constant::getNullValue(type));

  if (input.kind == "air.render_target") {
    if (!m_unit.traits.colorInputs)
      return m_unit.error(fmt::format("argument {} reads the colour attachment ([[color({})]] as input), for "
                                      "which the device lacks dynamic rendering local read",
                                      label(input), input.location));
    Type* texel = vectorOf(type->getScalarType()->isFloatingPointTy() ? floatType : i32, 4);
    // Its name says whether an integer has a sign: the attachment's type must agree.
    std::string name = kColorInputFunction + std::to_string(input.location) +
                       (input.typeName.starts_with("u") ? ".u" : ".s");
    return adapt(m_builder, callInternal(m_unit, m_builder, name, texel, {}, true), type);
  }
  if (input.kind == "air.interpolation_function") {
    // A handle is the number of its variable plus one; expandIntrinsics reads it back.
    InterfaceVariable variable;
    variable.type = vectorOf(floatType, air::parseTypeName(input.typeName).lanes);
    variable.name = input.varying;
    auto location = m_unit.varyings->find(input.varying);
    if (location == m_unit.varyings->end())
      return m_unit.error("varying " + input.varying + " has no location");
    variable.location = location->second.location;
    variable.noPerspective = !input.perspective;
    m_unit.variables.push_back(variable);
    return static_cast<Value*>(
        llvm::ConstantExpr::getIntToPtr(m_builder.getInt64(m_unit.variables.size()), type));
  }
  if (input.kind == "air.fragment_input") {
    Type* scalar = type->getScalarType();
    if (!scalar->isFloatTy() && !scalar->isHalfTy() && !scalar->isIntegerTy())
      return m_unit.error("varying " + label(input) + " has a type that cannot cross stages");
    InterfaceVariable variable;
    variable.type = interfaceType(type);
    variable.name = input.varying;
    auto location = m_unit.varyings->find(input.varying);
    if (location == m_unit.varyings->end())
      return m_unit.error("varying " + input.varying + " has no location");
    variable.location = location->second.location;
    variable.perPrimitive = location->second.perPrimitive;
    variable.flat = input.interpolation == air::Interpolation::flat || scalar->isIntegerTy();
    // One value for the whole primitive: there is nothing to interpolate.
    const bool interpolated = !variable.flat && !variable.perPrimitive;
    variable.centroid = interpolated && input.interpolation == air::Interpolation::centroid;
    variable.sample = interpolated && input.interpolation == air::Interpolation::sample;
    variable.noPerspective = interpolated && !input.perspective;
    return adapt(m_builder, loadInput(m_unit, m_builder, variable), type);
  }

  Value* value = nullptr;
  if (air::isGroupStage(m_unit.entry.stage)) {
    value = groupInput(input);
  } else {
    for (const RasterInput& known : kRasterInputs) {
      if (input.kind != known.kind || m_unit.entry.stage != known.stage) continue;
      switch (known.type) {
      case 'i':
        value = loadBuiltIn(m_unit, m_builder, known.builtIn, i32);
        break;
      case 'b':
        value = loadBuiltIn(m_unit, m_builder, known.builtIn, m_builder.getInt1Ty());
        break;
      case '2':
        value = loadBuiltIn(m_unit, m_builder, known.builtIn, vectorOf(floatType, 2));
        break;
      case '4':
        value = loadBuiltIn(m_unit, m_builder, known.builtIn, vectorOf(floatType, 4));
        break;
      default:
        value = loadBuiltIn(m_unit, m_builder, known.builtIn, llvm::ArrayType::get(i32, 1));
        value = m_builder.CreateExtractValue(value, 0);
        break;
      }
    }
  }
  if (input.kind == "air.barycentric_coord" && !m_unit.traits.fragmentBarycentric)
    return m_unit.error("argument " + label(input) +
                        " is [[barycentric_coord]], which the device does not have");
  if (!value) value = derivedInput(input);
  if (!value) {
    return m_unit.error(
        fmt::format("argument {} is of kind {}, which {} function does not have or Basanite does not support",
                    label(input), input.kind, aStage(m_unit.entry.stage)));
  }
  value = adapt(m_builder, value, type);
  if (!value)
    return m_unit.error(
        fmt::format("argument {} of kind {} has an unexpected type", label(input), input.kind));
  return value;
}

Value* InterfaceBinder::groupInput(const air::Input& input) {
  Type* i32 = m_builder.getInt32Ty();
  Type* i32x3 = vectorOf(i32, 3);
  const bool mesh = m_unit.entry.stage == Stage::mesh;
  auto pushed = [&](uint32_t offset, Type* type) {
    return callInternal(m_unit, m_builder, kPushFunction + std::to_string(offset), type, {}, true);
  };
  // A mesh grid is whole: its threadgroups are all of the local size.
  auto fullSize = [&] {
    return mesh ? callInternal(m_unit, m_builder, kLocalSizeFunction, i32x3, {}, true)
                : pushed(kFullSizeOffset, i32x3);
  };
  auto group = [&] {
    Value* id = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::WorkgroupId, i32x3);
    return mesh ? id : m_builder.CreateAdd(id, pushed(kOriginOffset, i32x3));
  };
  if (input.kind == "air.thread_position_in_grid") {
    Value* local = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::LocalInvocationId, i32x3);
    return m_builder.CreateAdd(m_builder.CreateMul(group(), fullSize()), local);
  }
  if (input.kind == "air.threadgroup_position_in_grid") return group();
  for (const KernelInput& known : kKernelInputs) {
    if (input.kind != known.kind) continue;
    Type* sourceType = known.vector ? i32x3 : i32;
    switch (known.source) {
    case KernelSource::builtIn:
      return loadBuiltIn(m_unit, m_builder, known.builtIn, sourceType);
    case KernelSource::fullSize:
      return fullSize();
    case KernelSource::gridThreads:
    case KernelSource::gridGroups: {
      // The runtime does not know the counts of an indirect dispatch and pushes zeros
      // (src/base/shader_abi.hpp).
      Value* counts = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::NumWorkgroups, i32x3);
      if (known.source == KernelSource::gridThreads) counts = m_builder.CreateMul(counts, fullSize());
      if (mesh) return counts;
      Value* direct = pushed(known.pushOffset, i32x3);
      return m_builder.CreateSelect(m_builder.CreateICmpEQ(direct, llvm::Constant::getNullValue(i32x3)),
                                    counts, direct);
    }
    case KernelSource::localSize:
      return callInternal(m_unit, m_builder, kLocalSizeFunction, sourceType, {}, true);
    case KernelSource::zero:
      return llvm::Constant::getNullValue(sourceType);
    }
  }
  return nullptr;
}

Value* InterfaceBinder::derivedInput(const air::Input& input) {
  const std::string& kind = input.kind;
  Type* i32 = m_builder.getInt32Ty();
  auto lane = [&] { return loadBuiltIn(m_unit, m_builder, spv::BuiltIn::SubgroupLocalInvocationId, i32); };
  auto groupsOf = [&](Value* threads, Value* width) {
    return m_builder.CreateUDiv(
        m_builder.CreateAdd(threads, m_builder.CreateSub(width, m_builder.getInt32(1))), width);
  };
  auto dispatchedThreads = [&] {
    air::Input size;
    size.kind = "air.dispatch_threads_per_threadgroup";
    return product(m_builder, groupInput(size));
  };
  // A pipeline draws each vertex once: there is no other amplification yet.
  if (kind == "air.amplification_id") return m_builder.getInt32(0);
  if (kind == "air.amplification_count") return m_builder.getInt32(1);
  // Four consecutive lanes of a simdgroup are a quadgroup.
  if (kind == "air.barycentric_coord") {
    const auto builtIn = input.perspective ? spv::BuiltIn::BaryCoordKHR : spv::BuiltIn::BaryCoordNoPerspKHR;
    return loadBuiltIn(m_unit, m_builder, builtIn, vectorOf(m_builder.getFloatTy(), 3));
  }
  if (kind == "air.thread_index_in_quadgroup") return m_builder.CreateAnd(lane(), 3);
  if (!air::isGroupStage(m_unit.entry.stage)) return nullptr;
  if (kind == "air.threads_per_quadgroup") return m_builder.getInt32(4);
  if (kind == "air.quadgroup_index_in_threadgroup") {
    Value* group = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::SubgroupId, i32);
    Value* size = loadBuiltIn(m_unit, m_builder, spv::BuiltIn::SubgroupSize, i32);
    return m_builder.CreateAdd(m_builder.CreateMul(group, m_builder.CreateLShr(size, 2)),
                               m_builder.CreateLShr(lane(), 2));
  }
  if (kind == "air.quadgroups_per_threadgroup")
    return groupsOf(threadCount(m_unit, m_builder), m_builder.getInt32(4));
  // Of a threadgroup as it was dispatched: one at the edge of the grid may have fewer.
  if (kind == "air.dispatch_quadgroups_per_threadgroup")
    return groupsOf(dispatchedThreads(), m_builder.getInt32(4));
  if (kind == "air.dispatch_simdgroups_per_threadgroup")
    return groupsOf(dispatchedThreads(), loadBuiltIn(m_unit, m_builder, spv::BuiltIn::SubgroupSize, i32));
  return nullptr;
}

base::Result<void> InterfaceBinder::bindInputs() {
  std::vector<bool> bound(m_arguments.size(), false);
  for (const air::Input& input : m_unit.entry.inputs) {
    bound[input.parameter] = true;
    if (!used(input)) continue;
    llvm::Argument* argument = m_arguments[input.parameter];
    BASANITE_TRY(Value * value, inputValue(input, argument->getType()));
    if (!value) return m_unit.error("argument " + label(input) + " has an unexpected type");
    argument->replaceAllUsesWith(value);
  }
  for (size_t i = 0; i < bound.size(); ++i)
    if (!bound[i] && !m_arguments[i]->use_empty())
      return m_unit.error(fmt::format("parameter {} has no AIR metadata", i));
  for (size_t i = 0; i < m_samplers.size(); ++i) {
    llvm::GlobalVariable* global = m_samplers[i];
    global->replaceAllUsesWith(
        recordPointer({BindingKind::constantSampler, static_cast<uint32_t>(i)}, global->getType()));
    global->eraseFromParent();
  }
  return {};
}

base::Result<void> InterfaceBinder::bindOutput(const air::Output& output, Value* value) {
  if (!output.present) return {};
  InterfaceVariable variable;
  variable.isInput = false;
  variable.invariant = output.invariant;
  variable.name = output.name;
  Type* i32 = m_builder.getInt32Ty();
  auto store = [&](std::optional<spv::BuiltIn> builtIn, Type* type, bool isSigned) -> base::Result<void> {
    variable.builtIn = builtIn;
    variable.type = type;
    variable.isSigned = isSigned;
    Value* adapted = adapt(m_builder, value, type, isSigned);
    if (!adapted)
      return m_unit.error(
          fmt::format("output {} of kind {} has an unexpected type", output.name, output.kind));
    storeOutput(m_unit, m_builder, variable, adapted);
    return {};
  };
  Type* type = value->getType();
  bool isSigned = type->getScalarType()->isIntegerTy() && !output.typeName.starts_with("u") &&
                  !output.typeName.starts_with("bool");

  if (m_unit.entry.stage == Stage::vertex) {
    if (output.kind == "air.position")
      return store(spv::BuiltIn::Position, vectorOf(m_builder.getFloatTy(), 4), false);
    if (output.kind == "air.point_size") return store(spv::BuiltIn::PointSize, m_builder.getFloatTy(), false);
    if (output.kind == "air.render_target_array_index") return store(spv::BuiltIn::Layer, i32, false);
    if (output.kind == "air.viewport_array_index") return store(spv::BuiltIn::ViewportIndex, i32, false);
    if (output.kind == "air.clip_distance") {
      unsigned count =
          type->isArrayTy() ? static_cast<unsigned>(type->getArrayNumElements()) : componentCount(type);
      auto* array = llvm::ArrayType::get(m_builder.getFloatTy(), count);
      Value* distances = llvm::PoisonValue::get(array);
      for (unsigned i = 0; i < count; ++i) {
        Value* distance = type->isArrayTy()    ? m_builder.CreateExtractValue(value, i)
                          : type->isVectorTy() ? m_builder.CreateExtractElement(value, i)
                                               : value;
        distances = m_builder.CreateInsertValue(distances, distance, i);
      }
      variable.builtIn = spv::BuiltIn::ClipDistance;
      variable.type = array;
      storeOutput(m_unit, m_builder, variable, distances);
      return {};
    }
    if (output.kind == "air.vertex_output") {
      auto location = m_unit.varyings->find(output.varying);
      if (location == m_unit.varyings->end()) return {}; // no fragment stage reads it
      variable.location = location->second.location;
      variable.name = output.varying;
      return store(std::nullopt, interfaceType(type), isSigned && type->getScalarSizeInBits() < 32);
    }
  }
  if (m_unit.entry.stage == Stage::fragment) {
    if (output.kind == "air.render_target") {
      variable.location = output.index;
      variable.index = output.dualSource;
      if (output.index >= kMaxColorOutputs)
        return m_unit.error(fmt::format("output {} is [[color({})]]; there are {}", output.name, output.index,
                                        kMaxColorOutputs));
      m_unit.binary.colorOutputs |= 1u << output.index;
      m_unit.binary.colorClasses[output.index] = !type->getScalarType()->isIntegerTy() ? ColorClass::floating
                                                 : isSigned ? ColorClass::signedInteger
                                                            : ColorClass::unsignedInteger;
      return store(std::nullopt, interfaceType(type), isSigned);
    }
    if (output.kind == "air.depth") {
      m_unit.binary.writesDepth = true;
      m_unit.depthQualifier = output.depthQualifier.empty() ? "air.any" : output.depthQualifier;
      return store(spv::BuiltIn::FragDepth, m_builder.getFloatTy(), false);
    }
    if (output.kind == "air.stencil") {
      if (!m_unit.traits.stencilExport)
        return m_unit.error("it writes [[stencil]], which the device does not have");
      m_unit.writesStencil = true;
      return store(spv::BuiltIn::FragStencilRefEXT, i32, true);
    }
    if (output.kind == "air.sample_mask") {
      auto* array = llvm::ArrayType::get(i32, 1);
      Value* mask = adapt(m_builder, value, i32);
      if (!mask) return m_unit.error("its sample mask output is not an integer");
      variable.builtIn = spv::BuiltIn::SampleMask;
      variable.type = array;
      storeOutput(m_unit, m_builder, variable,
                  m_builder.CreateInsertValue(llvm::PoisonValue::get(array), mask, 0));
      return {};
    }
  }
  return m_unit.error(
      fmt::format("output {} is of kind {}, which {} function does not have or Basanite does not support",
                  output.name, output.kind, aStage(m_unit.entry.stage)));
}

base::Result<void> InterfaceBinder::bindOutputs() {
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : *m_unit.main)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(end);
  const std::vector<air::Output>& outputs = m_unit.entry.outputs;
  for (llvm::ReturnInst* end : returns) {
    m_builder.SetInsertPoint(end);
    Value* result = end->getReturnValue();
    if (result) {
      auto* record = llvm::dyn_cast<llvm::StructType>(result->getType());
      bool bare = outputs.size() == 1 && (!record || record->getNumElements() != 1);
      unsigned members = bare ? 1 : record ? record->getNumElements() : 0;
      if (members != outputs.size()) {
        return m_unit.error(fmt::format("it returns {} values, but its AIR metadata lists {} outputs",
                                        members, outputs.size()));
      }
      for (unsigned i = 0; i < outputs.size(); ++i)
        BASANITE_TRY_VOID(bindOutput(outputs[i], bare ? result : m_builder.CreateExtractValue(result, i)));
    } else if (!outputs.empty()) {
      return m_unit.error(
          fmt::format("it returns nothing, but its AIR metadata lists {} outputs", outputs.size()));
    }
    if (m_unit.entry.stage == Stage::vertex) {
      // Vulkan wants a point size from every pipeline that draws points, and which one does is not known
      // here.
      bool written = std::any_of(outputs.begin(), outputs.end(), [](const air::Output& o) {
        return o.kind == "air.point_size" && o.present;
      });
      if (!written) {
        InterfaceVariable size;
        size.isInput = false;
        size.builtIn = spv::BuiltIn::PointSize;
        size.type = m_builder.getFloatTy();
        storeOutput(m_unit, m_builder, size, llvm::ConstantFP::get(m_builder.getFloatTy(), 1.0));
      }
    }
    m_builder.CreateRetVoid();
    end->eraseFromParent();
  }
  return {};
}

base::Result<void> InterfaceBinder::run() {
  llvm::Function* old = m_unit.entry.function;
  for (llvm::Argument& argument : old->args()) m_arguments.push_back(&argument);
  BASANITE_TRY_VOID(collectBindings());
  for (auto& [key, binding] : m_bindings) {
    m_words[key] = static_cast<uint32_t>(m_unit.binary.bindings.size());
    m_unit.binary.bindings.push_back(binding);
  }

  auto* type = llvm::FunctionType::get(m_builder.getVoidTy(), false);
  auto* main = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", m_unit.module);
  main->splice(main->begin(), old);
  // Inputs are read in a block of their own, so that they dominate everything.
  auto* first = &main->getEntryBlock();
  auto* prologue = llvm::BasicBlock::Create(m_context, "", main, first);
  m_builder.SetInsertPoint(prologue);
  m_builder.SetInsertPoint(m_builder.CreateBr(first));
  for (auto it = first->begin(); it != first->end();) {
    llvm::Instruction& instruction = *it++;
    if (llvm::isa<llvm::AllocaInst>(instruction)) instruction.moveBefore(*prologue, prologue->begin());
  }
  m_unit.main = main;
  BASANITE_TRY_VOID(bindInputs());
  BASANITE_TRY_VOID(bindOutputs());
  std::sort(m_unit.binary.threadgroupArguments.begin(), m_unit.binary.threadgroupArguments.end());
  old->replaceAllUsesWith(llvm::PoisonValue::get(old->getType()));
  old->eraseFromParent();
  main->setName("main");
  m_unit.entry.function = main;
  return {};
}

} // namespace

Type* interfaceType(Type* type) {
  Type* scalar = type->getScalarType();
  llvm::LLVMContext& context = type->getContext();
  if (scalar->isHalfTy()) return vectorOf(Type::getFloatTy(context), componentCount(type));
  if (scalar->isIntegerTy()) return vectorOf(Type::getInt32Ty(context), componentCount(type));
  return type;
}

Value* threadCount(Unit& unit, IRBuilder<>& builder) {
  return product(
      builder, callInternal(unit, builder, kLocalSizeFunction, vectorOf(builder.getInt32Ty(), 3), {}, true));
}

Value* callInternal(Unit& unit, IRBuilder<>& builder, const std::string& name, Type* result,
                    llvm::ArrayRef<Value*> arguments, bool reads) {
  std::vector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  llvm::FunctionCallee callee = unit.module.getOrInsertFunction(name, type);
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  if (reads)
    function->setDoesNotAccessMemory();
  else
    function->setOnlyAccessesInaccessibleMemory();
  return builder.CreateCall(callee, arguments);
}

Value* loadInput(Unit& unit, IRBuilder<>& builder, InterfaceVariable variable) {
  Type* type = variable.type;
  unit.variables.push_back(std::move(variable));
  return callInternal(unit, builder, kInputFunction + std::to_string(unit.variables.size() - 1), type, {},
                      true);
}

Value* loadBuiltIn(Unit& unit, IRBuilder<>& builder, spv::BuiltIn builtIn, Type* type) {
  for (size_t i = 0; i < unit.variables.size(); ++i)
    if (unit.variables[i].isInput && unit.variables[i].builtIn == builtIn)
      return callInternal(unit, builder, kInputFunction + std::to_string(i), unit.variables[i].type, {},
                          true);
  InterfaceVariable variable;
  variable.builtIn = builtIn;
  variable.type = type;
  variable.flat = unit.entry.stage == Stage::fragment && (type->isIntegerTy(32) || type->isArrayTy());
  return loadInput(unit, builder, variable);
}

size_t declareOutput(Unit& unit, InterfaceVariable variable) {
  size_t index = unit.variables.size();
  for (size_t i = 0; i < unit.variables.size(); ++i) {
    const InterfaceVariable& known = unit.variables[i];
    if (!known.isInput && known.builtIn == variable.builtIn && known.location == variable.location &&
        known.index == variable.index)
      index = i;
  }
  if (index == unit.variables.size()) unit.variables.push_back(std::move(variable));
  return index;
}

void storeOutput(Unit& unit, IRBuilder<>& builder, InterfaceVariable variable, Value* value) {
  size_t index = declareOutput(unit, std::move(variable));
  callInternal(unit, builder, kOutputFunction + std::to_string(index), builder.getVoidTy(), {value}, false);
}

void storeElement(Unit& unit, IRBuilder<>& builder, InterfaceVariable variable,
                  llvm::ArrayRef<Value*> indices, Value* value) {
  size_t index = declareOutput(unit, std::move(variable));
  std::vector<Value*> arguments(indices.begin(), indices.end());
  arguments.push_back(value);
  callInternal(unit, builder, kElementFunction + std::to_string(index), builder.getVoidTy(), arguments,
               false);
}

Value* adapt(IRBuilder<>& builder, Value* value, Type* type, bool isSigned) {
  Type* from = value->getType();
  if (from == type) return value;
  unsigned have = componentCount(from), want = componentCount(type);
  if (want > have || from->isAggregateType() || type->isAggregateType()) return nullptr;
  if (want == 1 && have > 1) {
    value = builder.CreateExtractElement(value, uint64_t(0));
  } else if (want < have) {
    llvm::SmallVector<int, 4> mask;
    for (unsigned i = 0; i < want; ++i) mask.push_back(static_cast<int>(i));
    value = builder.CreateShuffleVector(value, mask);
  }
  Type* scalar = type->getScalarType();
  Type* fromScalar = from->getScalarType();
  if (scalar == fromScalar) return value;
  if (scalar->isFloatingPointTy() && fromScalar->isFloatingPointTy())
    return builder.CreateFPCast(value, type);
  if (scalar->isIntegerTy() && fromScalar->isIntegerTy())
    return isSigned ? builder.CreateSExtOrTrunc(value, type) : builder.CreateZExtOrTrunc(value, type);
  return nullptr;
}

base::Result<void> bindInterface(Unit& unit) { return InterfaceBinder(unit).run(); }

} // namespace basanite::shader::lower
