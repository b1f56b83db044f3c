// SPDX-License-Identifier: Apache-2.0
// Printer: texture and sampler operations on the bindless arrays of descriptor set 0.
#include "src/base/shader_abi.hpp"
#include "src/shader/spirv/printer.hpp"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>

namespace basanite::shader::spirv {

namespace {

enum class Operation {
  sample, sampleCompare, gather, gatherCompare, read, write, width, height, depth, arraySize, mipLevels, samples,
  clampedLod, unclampedLod, isNull, fence, atomic,
};

struct OperationName {
  const char* prefix;
  Operation operation;
};
// Longer names first.
constexpr OperationName kOperations[] = {
    {"sample_compare_", Operation::sampleCompare}, {"sample_", Operation::sample},
    {"gather_compare_", Operation::gatherCompare}, {"gather_", Operation::gather},
    {"read_", Operation::read},                    {"write_", Operation::write},
    {"get_width_", Operation::width},              {"get_height_", Operation::height},
    {"get_depth_", Operation::depth},              {"get_array_size_", Operation::arraySize},
    {"get_num_mip_levels_", Operation::mipLevels}, {"get_num_samples_", Operation::samples},
    {"calculate_clamped_lod_", Operation::clampedLod}, {"calculate_unclamped_lod_", Operation::unclampedLod},
    {"is_null_", Operation::isNull},               {"fence_", Operation::fence},
    {"atomic_", Operation::atomic},
};

struct Kind {
  const char* name;
  spv::Dim dim;
  bool arrayed, multisampled;
  unsigned coordinates;
};
constexpr Kind kKinds[] = {
    {"1d", spv::Dim::Dim1D, false, false, 1},       {"1d_array", spv::Dim::Dim1D, true, false, 1},
    {"2d", spv::Dim::Dim2D, false, false, 2},       {"2d_array", spv::Dim::Dim2D, true, false, 2},
    {"2d_ms", spv::Dim::Dim2D, false, true, 2},     {"2d_ms_array", spv::Dim::Dim2D, true, true, 2},
    {"3d", spv::Dim::Dim3D, false, false, 3},       {"cube", spv::Dim::Cube, false, false, 3},
    {"cube_array", spv::Dim::Cube, true, false, 3}, {"buffer_1d", spv::Dim::Buffer, false, false, 1},
};

constexpr uint32_t kBias = 0x1, kLod = 0x2, kGrad = 0x4, kConstOffset = 0x8, kSample = 0x40, kMinLod = 0x80,
                   kNonPrivateTexel = 0x400;

} // namespace

class TexturePrinter {
 public:
  TexturePrinter(Printer& printer, llvm::CallInst& call, const air::IntrinsicName& name)
      : p(printer), b(printer.m_builder), m_call(call), m_name(name), m_context(call.getContext()) {}

  bool run();

 private:
  bool parse();
  void setTexelType(llvm::Type* result);
  llvm::Value* next() { return m_next < m_call.arg_size() ? m_call.getArgOperand(m_next++) : nullptr; }
  llvm::Type* peekType(unsigned ahead = 0) const {
    return m_next + ahead < m_call.arg_size() ? m_call.getArgOperand(m_next + ahead)->getType() : nullptr;
  }
  static bool isInt(llvm::Type* type, unsigned bits) { return type && type->isIntegerTy(bits); }
  Id loadDescriptor(Id array, Id type, llvm::Value* handle, spv::Capability nonUniform);
  spv::Capability nonUniformImages(bool storage) const;
  bool fromRecord(llvm::Value* handle, uint32_t& word) const;
  Id image(llvm::Value* handle, bool storage);
  Id sampledImage(llvm::Value* texture, llvm::Value* sampler);
  Id imageType(bool storage);
  Id toFloat(llvm::Value* value);
  Id toU32(llvm::Value* value);
  Id coordinate(llvm::Value* coordinate, llvm::Value* layer);
  Id texelCoordinate(llvm::Value* coordinate, llvm::Value* face, llvm::Value* layer, unsigned& count);
  Id constOffset(llvm::Value* offset);
  void finish(Id texel);
  Id convertTexel(Id texel, llvm::Type* to);
  void sample();
  void gather();
  void read();
  void write();
  void query();
  void lodQuery();
  void atomic();
  void facesAsLayers();
  void refuseLevel(const char* doing, llvm::Value* level);
  ImageShape shape(bool storage);
  Id& arrayOf(const ImageShape& shape);

  Id scalarType() { return m_floating ? b.typeFloat(32) : b.typeInt(32, m_signed); }

  Printer& p;
  Builder& b;
  llvm::CallInst& m_call;
  const air::IntrinsicName& m_name;
  llvm::LLVMContext& m_context;
  Operation m_operation = Operation::sample;
  Kind m_kind{};
  std::string m_atomic; // "fetch_add"
  spv::ImageFormat m_format = spv::ImageFormat::Unknown;
  bool m_depth = false, m_grad = false;
  bool m_floating = true, m_signed = false;
  unsigned m_next = 0;
};

bool TexturePrinter::parse() {
  std::string_view family = m_name.family;
  const OperationName* found = nullptr;
  for (const OperationName& candidate : kOperations)
    if (family.starts_with(candidate.prefix)) {
      found = &candidate;
      break;
    }
  if (!found) return false;
  family.remove_prefix(std::string_view(found->prefix).size());
  m_operation = found->operation;
  if (m_operation == Operation::atomic) {
    size_t end = family.find("_explicit_");
    if (end == std::string_view::npos) return false;
    m_atomic = family.substr(0, end);
    family.remove_prefix(end + 10);
  }
  if (family.ends_with("_grad")) {
    m_grad = true;
    family.remove_suffix(5);
  }
  if (family.starts_with("texture_")) family.remove_prefix(8);
  else if (family.starts_with("depth_")) {
    m_depth = true;
    family.remove_prefix(6);
  } else {
    return false;
  }
  for (const Kind& candidate : kKinds)
    if (family == candidate.name) m_kind = candidate;
  return m_kind.name != nullptr;
}

bool TexturePrinter::run() {
  if (m_name.family == "get_read_sampler") {
    p.define(m_call, b.constantInt(64, 0));
    return true;
  }
  if (!parse()) return false;
  if (m_kind.dim == spv::Dim::Buffer && !p.m_unit.traits.texelBuffers) {
    p.fail("it uses a texture_buffer, which Basanite does not support yet");
    return true;
  }
  switch (m_operation) {
  case Operation::sample:
  case Operation::sampleCompare: sample(); break;
  case Operation::gather:
  case Operation::gatherCompare: gather(); break;
  case Operation::read: read(); break;
  case Operation::write: write(); break;
  case Operation::clampedLod:
  case Operation::unclampedLod: lodQuery(); break;
  case Operation::atomic: atomic(); break;
  case Operation::isNull: {
    Id handle = p.value(m_call.getArgOperand(0));
    Id isNull = b.emit(spv::Op::OpIEqual, b.typeBool(), {handle, b.constantInt(64, 0)});
    if (!m_call.getType()->isIntegerTy(1)) return false;
    p.define(m_call, isNull);
    break;
  }
  case Operation::fence: {
    uint32_t semantics = static_cast<uint32_t>(spv::MemorySemanticsMask::AcquireRelease) |
                         static_cast<uint32_t>(spv::MemorySemanticsMask::ImageMemory) |
                         static_cast<uint32_t>(spv::MemorySemanticsMask::MakeAvailable) |
                         static_cast<uint32_t>(spv::MemorySemanticsMask::MakeVisible);
    b.emitVoid(spv::Op::OpMemoryBarrier,
               {b.constantU32(static_cast<uint32_t>(spv::Scope::QueueFamily)), b.constantU32(semantics)});
    break;
  }
  default: query(); break;
  }
  return true;
}

// The image's component type follows from the texel type in the IR: 16-bit kinds are sampled as 32 bits.
void TexturePrinter::setTexelType(llvm::Type* result) {
  llvm::Type* texel = result->isStructTy() ? result->getStructElementType(0) : result;
  m_floating = texel->getScalarType()->isFloatingPointTy();
  m_signed = !m_floating && m_name.has("s");
}

bool TexturePrinter::fromRecord(llvm::Value* handle, uint32_t& word) const {
  auto* cast = llvm::dyn_cast<llvm::IntToPtrInst>(handle);
  auto* call = cast ? llvm::dyn_cast<llvm::CallInst>(cast->getOperand(0)) : nullptr;
  if (!call || !call->getCalledFunction()) return false;
  llvm::StringRef name = call->getCalledFunction()->getName();
  if (!name.consume_front(lower::kRecordFunction)) return false;
  word = static_cast<uint32_t>(std::stoul(name.str()));
  return true;
}

ImageShape TexturePrinter::shape(bool storage) {
  return {m_kind.dim, scalarType(), m_depth && !storage, m_kind.arrayed, m_kind.multisampled, storage, m_format};
}

Id TexturePrinter::imageType(bool storage) {
  if (m_kind.dim == spv::Dim::Dim1D) b.capability(storage ? spv::Capability::Image1D : spv::Capability::Sampled1D);
  if (m_kind.dim == spv::Dim::Buffer) b.capability(storage ? spv::Capability::ImageBuffer : spv::Capability::SampledBuffer);
  if (m_kind.dim == spv::Dim::Cube && m_kind.arrayed)
    b.capability(storage ? spv::Capability::ImageCubeArray : spv::Capability::SampledCubeArray);
  if (m_kind.multisampled && storage) b.capability(spv::Capability::StorageImageMultisample);
  return b.typeImage(shape(storage));
}

// Storage views of cube textures are arrays of faces.
void TexturePrinter::facesAsLayers() {
  if (m_kind.dim != spv::Dim::Cube) return;
  m_kind.dim = spv::Dim::Dim2D;
  m_kind.arrayed = true;
}

// A texture that is written is seen through a view of one level: no other can be named.
void TexturePrinter::refuseLevel(const char* doing, llvm::Value* level) {
  auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(level);
  if (!level || (constant && constant->isZero())) return;
  std::string which = constant ? fmt::format("level {}", constant->getZExtValue()) : "a level that is not constant";
  p.fail(fmt::format("it {} {} of a texture that may be written; Basanite supports level 0 only (make a texture view of the level)", doing, which));
}

// What a shader declares that takes images from an array by an index that differs from thread to thread.
spv::Capability TexturePrinter::nonUniformImages(bool storage) const {
  if (m_kind.dim == spv::Dim::Buffer)
    return storage ? spv::Capability::StorageTexelBufferArrayNonUniformIndexing : spv::Capability::UniformTexelBufferArrayNonUniformIndexing;
  return storage ? spv::Capability::StorageImageArrayNonUniformIndexing : spv::Capability::SampledImageArrayNonUniformIndexing;
}

Id TexturePrinter::loadDescriptor(Id array, Id type, llvm::Value* handle, spv::Capability nonUniform) {
  Id index = b.emit(spv::Op::OpUConvert, b.typeInt(32), {p.value(handle)});
  Id pointer = b.emit(spv::Op::OpAccessChain, b.typePointer(spv::StorageClass::UniformConstant, type), {array, index});
  Id loaded = b.emit(spv::Op::OpLoad, type, {pointer});
  uint32_t word = 0;
  if (!fromRecord(handle, word)) {
    // From memory, so that neighbouring threads may hold different ones.
    b.capability(spv::Capability::ShaderNonUniform);
    b.capability(nonUniform);
    for (Id id : {index, pointer, loaded}) b.decorate(id, spv::Decoration::NonUniform);
  }
  return loaded;
}

// The bindless array that holds such images.
Id& TexturePrinter::arrayOf(const ImageShape& shape) {
  Id& array = p.m_images[shape];
  if (array) return array;
  bool buffer = shape.dim == spv::Dim::Buffer;
  b.capability(spv::Capability::RuntimeDescriptorArray);
  array = b.globalVariable(spv::StorageClass::UniformConstant, b.typeRuntimeArray(imageType(shape.storage)));
  b.decorate(array, spv::Decoration::DescriptorSet, {0});
  uint32_t binding = shape.storage ? (buffer ? base::abi::kStorageTexelBufferBinding : base::abi::kStorageImageBinding)
                                   : (buffer ? base::abi::kUniformTexelBufferBinding : base::abi::kSampledImageBinding);
  b.decorate(array, spv::Decoration::Binding, {binding});
  return array;
}

Id TexturePrinter::image(llvm::Value* handle, bool storage) {
  Id type = imageType(storage);
  return loadDescriptor(arrayOf(shape(storage)), type, handle, nonUniformImages(storage));
}

Id TexturePrinter::sampledImage(llvm::Value* texture, llvm::Value* sampler) {
  Id loadedImage = image(texture, false);
  if (!p.m_samplerArray) {
    b.capability(spv::Capability::RuntimeDescriptorArray);
    p.m_samplerArray = b.globalVariable(spv::StorageClass::UniformConstant, b.typeRuntimeArray(b.typeSampler()));
    b.decorate(p.m_samplerArray, spv::Decoration::DescriptorSet, {0});
    b.decorate(p.m_samplerArray, spv::Decoration::Binding, {base::abi::kSamplerBinding});
  }
  Id loadedSampler = loadDescriptor(p.m_samplerArray, b.typeSampler(), sampler, spv::Capability::SampledImageArrayNonUniformIndexing);
  Id combined = b.emit(spv::Op::OpSampledImage, b.typeSampledImage(imageType(false)), {loadedImage, loadedSampler});
  uint32_t word = 0;
  if (!fromRecord(texture, word) || !fromRecord(sampler, word)) {
    b.capability(spv::Capability::ShaderNonUniform);
    b.decorate(combined, spv::Decoration::NonUniform);
  }
  return combined;
}

Id TexturePrinter::toFloat(llvm::Value* value) {
  llvm::Type* type = value->getType();
  Id id = p.value(value);
  if (!type->getScalarType()->isHalfTy()) return id;
  return b.emit(spv::Op::OpFConvert, p.type(type->getWithNewType(llvm::Type::getFloatTy(m_context))), {id});
}

Id TexturePrinter::toU32(llvm::Value* value) {
  llvm::Type* type = value->getType();
  Id id = p.value(value);
  if (type->getScalarSizeInBits() == 32) return id;
  return b.emit(spv::Op::OpUConvert, p.type(type->getWithNewType(llvm::Type::getInt32Ty(m_context))), {id});
}

Id TexturePrinter::coordinate(llvm::Value* given, llvm::Value* layer) {
  Id id = toFloat(given);
  if (!layer) return id;
  Id f32 = b.typeFloat(32);
  Id layerId = b.emit(spv::Op::OpConvertUToF, f32, {toU32(layer)});
  return b.emit(spv::Op::OpCompositeConstruct, b.typeVector(f32, m_kind.coordinates + 1), {id, layerId});
}

Id TexturePrinter::texelCoordinate(llvm::Value* given, llvm::Value* face, llvm::Value* layer, unsigned& count) {
  Id u32 = b.typeInt(32);
  Id id = toU32(given);
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(given->getType());
  count = vector ? vector->getNumElements() : 1;
  if (!face && !layer) return id;
  Id last = layer ? toU32(layer) : b.constantU32(0);
  if (face) {
    Id base = layer ? b.emit(spv::Op::OpIMul, u32, {last, b.constantU32(6)}) : last;
    last = b.emit(spv::Op::OpIAdd, u32, {base, toU32(face)});
  }
  ++count;
  return b.emit(spv::Op::OpCompositeConstruct, b.typeVector(u32, count), {id, last});
}

// A constant offset operand, or 0 when there is none or it is zero.
Id TexturePrinter::constOffset(llvm::Value* offset) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(offset);
  if (!constant) {
    p.fail("it samples a texture with an offset that is not constant");
    return 0;
  }
  return constant->isNullValue() || llvm::isa<llvm::UndefValue>(constant) ? 0 : p.constant(constant);
}

Id TexturePrinter::convertTexel(Id texel, llvm::Type* to) {
  llvm::Type* scalar = to->getScalarType();
  if (scalar->isHalfTy()) return b.emit(spv::Op::OpFConvert, p.type(to), {texel});
  if (scalar->isIntegerTy(16)) {
    // Narrowing keeps the low bits whatever the sign.
    llvm::Type* wide = to->getWithNewType(llvm::Type::getInt32Ty(m_context));
    if (m_signed) texel = b.emit(spv::Op::OpBitcast, p.type(wide), {texel});
    return b.emit(spv::Op::OpUConvert, p.type(to), {texel});
  }
  if (scalar->isIntegerTy(32) && m_signed) return b.emit(spv::Op::OpBitcast, p.type(to), {texel});
  return texel;
}

// `texel` is a 4-vector (or a scalar) of the image's component type; hands the call's users what they expect.
void TexturePrinter::finish(Id texel) {
  llvm::Type* result = m_call.getType();
  llvm::Type* wanted = result->isStructTy() ? result->getStructElementType(0) : result;
  texel = convertTexel(texel, wanted);
  // The second member says whether the texel was resident; it always is, and no value is made for it unless asked.
  if (result->isStructTy()) p.m_bareResults[&m_call] = texel;
  else p.define(m_call, texel);
}

void TexturePrinter::sample() {
  bool compare = m_operation == Operation::sampleCompare;
  setTexelType(m_call.getType());
  llvm::Value* texture = next();
  llvm::Value* sampler = next();
  if (m_depth && isInt(peekType(), 32)) next(); // a constant 1
  llvm::Value* coordinates = next();
  llvm::Value* layer = m_kind.arrayed ? next() : nullptr;
  llvm::Value* reference = compare ? next() : nullptr;
  llvm::Value* ddx = m_grad ? next() : nullptr;
  llvm::Value* ddy = m_grad ? next() : nullptr;
  Id minLod = 0, offset = 0;
  auto takeMinLod = [&] {
    if (!peekType() || !peekType()->isFloatingPointTy()) return;
    llvm::Value* value = next();
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value);
    if (!constant || !constant->isZero()) minLod = toFloat(value);
  };
  if (m_grad) takeMinLod();
  if (isInt(peekType(), 1) && peekType(1) && peekType(1)->isIntOrIntVectorTy() && !isInt(peekType(1), 1)) {
    next();
    offset = constOffset(next());
  }
  llvm::Value* lodFlag = nullptr;
  llvm::Value* lod = nullptr;
  if (!m_grad) {
    if (isInt(peekType(), 1)) {
      lodFlag = next();
      lod = next();
    }
    takeMinLod();
  }
  if (!coordinates || (compare && !reference) || (m_grad && !ddy)) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + " with unexpected parameters");
    return;
  }
  auto* flag = llvm::dyn_cast_or_null<llvm::ConstantInt>(lodFlag);
  if (lodFlag && !flag) {
    p.fail("it samples a texture with a level-of-detail mode that is not constant");
    return;
  }
  bool explicitLod = m_grad || (flag && flag->isOne()) || p.m_unit.entry.stage != Stage::fragment;

  Id combined = sampledImage(texture, sampler);
  std::vector<uint32_t> words{combined, coordinate(coordinates, layer)};
  if (reference) words.push_back(toFloat(reference));
  uint32_t operands = 0;
  std::vector<Id> operandIds;
  if (m_grad) {
    operands |= kGrad;
    operandIds = {toFloat(ddx), toFloat(ddy)};
  } else if (explicitLod) {
    operands |= kLod;
    operandIds = {lod ? toFloat(lod) : p.floatConstant(llvm::Type::getFloatTy(m_context), 0)};
    // Without derivatives, a stage looks at level 0, moved by the bias (the operand that else holds the level); the bound is known here.
    if (minLod) operandIds[0] = b.glsl(GLSLstd450FMax, b.typeFloat(32), {operandIds[0], minLod});
    minLod = 0;
  } else if (lod) {
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(lod);
    if (!constant || !constant->isZero()) {
      operands |= kBias;
      operandIds = {toFloat(lod)};
    }
  }
  if (offset) {
    operands |= kConstOffset;
    operandIds.push_back(offset);
  }
  if (minLod) {
    if (!p.m_unit.traits.minLod) {
      p.fail("it samples a texture with min_lod_clamp, for which the device lacks the feature shaderResourceMinLod");
      return;
    }
    b.capability(spv::Capability::MinLod);
    operands |= kMinLod;
    operandIds.push_back(minLod);
  }
  if (operands) {
    words.push_back(operands);
    words.insert(words.end(), operandIds.begin(), operandIds.end());
  }
  Id result;
  if (compare) {
    result = b.emit(explicitLod ? spv::Op::OpImageSampleDrefExplicitLod : spv::Op::OpImageSampleDrefImplicitLod, b.typeFloat(32), words);
  } else {
    result = b.emit(explicitLod ? spv::Op::OpImageSampleExplicitLod : spv::Op::OpImageSampleImplicitLod, b.typeVector(scalarType(), 4), words);
    if (m_depth) result = b.emit(spv::Op::OpCompositeExtract, scalarType(), {result, 0});
  }
  finish(result);
}

void TexturePrinter::gather() {
  bool compare = m_operation == Operation::gatherCompare;
  setTexelType(m_call.getType());
  llvm::Value* texture = next();
  llvm::Value* sampler = next();
  if (m_depth && isInt(peekType(), 32)) next();
  llvm::Value* coordinates = next();
  llvm::Value* layer = m_kind.arrayed ? next() : nullptr;
  llvm::Value* reference = compare ? next() : nullptr;
  Id offset = 0;
  if (isInt(peekType(), 1)) {
    next();
    offset = constOffset(next());
  }
  Id component = b.constantU32(0);
  if (!m_depth) {
    auto* constant = llvm::dyn_cast_or_null<llvm::ConstantInt>(next());
    if (!constant) {
      p.fail("it gathers a texture component that is not constant");
      return;
    }
    component = b.constantU32(static_cast<uint32_t>(constant->getZExtValue()));
  }
  if (!coordinates || (compare && !reference)) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + " with unexpected parameters");
    return;
  }
  std::vector<uint32_t> words{sampledImage(texture, sampler), coordinate(coordinates, layer), compare ? toFloat(reference) : component};
  if (offset) words.insert(words.end(), {kConstOffset, offset});
  finish(b.emit(compare ? spv::Op::OpImageDrefGather : spv::Op::OpImageGather, b.typeVector(scalarType(), 4), words));
}

void TexturePrinter::read() {
  setTexelType(m_call.getType());
  llvm::Value* texture = next();
  // Newer AIR hands a sampler token and an offset along.
  bool hasToken = peekType() && peekType()->isPointerTy();
  if (hasToken) next();
  if (m_depth && isInt(peekType(), 32) && m_call.arg_size() > m_next + 2) next();
  llvm::Value* coordinates = next();
  bool cube = m_kind.dim == spv::Dim::Cube;
  llvm::Value* face = cube ? next() : nullptr;
  llvm::Value* layer = m_kind.arrayed ? next() : nullptr;
  llvm::Value* sampleIndex = m_kind.multisampled ? next() : nullptr;
  unsigned left = m_call.arg_size() > m_next ? m_call.arg_size() - m_next : 0;
  Id offset = 0;
  if (hasToken && left >= 3) offset = constOffset(next());
  llvm::Value* lod = !m_kind.multisampled && left >= 2 ? next() : nullptr;
  auto* access = llvm::dyn_cast<llvm::ConstantInt>(m_call.getArgOperand(m_call.arg_size() - 1));
  bool storage = access && access->getZExtValue() == 3;
  bool buffer = m_kind.dim == spv::Dim::Buffer;
  if (storage) {
    refuseLevel("reads", lod);
    facesAsLayers();
  }
  if (!coordinates) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + " with unexpected parameters");
    return;
  }
  if (cube && !storage) {
    p.fail("it reads texels of a cube texture by coordinate, which Basanite does not support");
    return;
  }
  unsigned count = 0;
  Id at = texelCoordinate(coordinates, face, layer, count);
  Id u32 = b.typeInt(32);
  Id coordinateType = count == 1 ? u32 : b.typeVector(u32, count);
  if (offset) at = b.emit(spv::Op::OpIAdd, coordinateType, {at, offset});
  Id loaded = image(texture, storage);
  b.capability(spv::Capability::ImageQuery);

  // Out of range reads give zero: ask for a texel that exists, and drop it.
  auto* level = llvm::dyn_cast_or_null<llvm::ConstantInt>(lod);
  bool anyLevel = lod && !(level && level->isZero()) && !storage;
  Id lodId = anyLevel ? toU32(lod) : b.constantU32(0);
  Id boolean = b.typeBool();
  Id inside = 0;
  if (anyLevel) {
    Id levels = b.emit(spv::Op::OpImageQueryLevels, u32, {loaded});
    inside = b.emit(spv::Op::OpULessThan, boolean, {lodId, levels});
    lodId = b.emit(spv::Op::OpSelect, u32, {inside, lodId, b.constantU32(0)});
  }
  Id size = storage || m_kind.multisampled || buffer ? b.emit(spv::Op::OpImageQuerySize, coordinateType, {loaded})
                                           : b.emit(spv::Op::OpImageQuerySizeLod, coordinateType, {loaded, lodId});
  Id within = b.emit(spv::Op::OpULessThan, count == 1 ? boolean : b.typeVector(boolean, count), {at, size});
  if (count > 1) within = b.emit(spv::Op::OpAll, boolean, {within});
  inside = inside ? b.emit(spv::Op::OpLogicalAnd, boolean, {inside, within}) : within;
  at = b.emit(spv::Op::OpSelect, coordinateType, {inside, at, b.constantNull(coordinateType)});

  Id texelType = b.typeVector(scalarType(), 4);
  std::vector<uint32_t> words{loaded, at};
  if (sampleIndex) words.insert(words.end(), {kSample | (storage ? kNonPrivateTexel : 0), toU32(sampleIndex)});
  else if (storage) words.push_back(kNonPrivateTexel);
  else if (!buffer) words.insert(words.end(), {kLod, lodId});
  if (storage) b.capability(spv::Capability::StorageImageReadWithoutFormat);
  Id texel = b.emit(storage ? spv::Op::OpImageRead : spv::Op::OpImageFetch, texelType, words);
  texel = b.emit(spv::Op::OpSelect, texelType, {inside, texel, b.constantNull(texelType)});
  if (m_depth) texel = b.emit(spv::Op::OpCompositeExtract, scalarType(), {texel, 0});
  finish(texel);
}

void TexturePrinter::write() {
  llvm::Value* texture = next();
  llvm::Value* coordinates = next();
  llvm::Value* face = m_kind.dim == spv::Dim::Cube ? next() : nullptr;
  llvm::Value* layer = m_kind.arrayed ? next() : nullptr;
  llvm::Value* texel = next();
  if (!texel || !texel->getType()->isVectorTy()) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + " with unexpected parameters");
    return;
  }
  if (m_call.arg_size() > m_next + 1) refuseLevel("writes", next()); // the access stands behind it
  setTexelType(texel->getType());
  facesAsLayers();
  unsigned count = 0;
  Id at = texelCoordinate(coordinates, face, layer, count);
  Id texelType = b.typeVector(scalarType(), 4);
  Id stored = p.value(texel);
  llvm::Type* given = texel->getType();
  if (given->getScalarType()->isHalfTy()) {
    stored = b.emit(spv::Op::OpFConvert, texelType, {stored});
  } else if (given->getScalarType()->isIntegerTy(16)) {
    llvm::Type* wide = given->getWithNewType(llvm::Type::getInt32Ty(m_context));
    stored = b.emit(m_signed ? spv::Op::OpSConvert : spv::Op::OpUConvert, p.type(wide), {stored});
    if (m_signed) stored = b.emit(spv::Op::OpBitcast, texelType, {stored});
  } else if (m_signed) {
    stored = b.emit(spv::Op::OpBitcast, texelType, {stored});
  }
  Id loaded = image(texture, true);
  b.capability(spv::Capability::StorageImageWriteWithoutFormat);
  b.emitVoid(spv::Op::OpImageWrite, {loaded, at, stored, kNonPrivateTexel});
}

void TexturePrinter::query() {
  llvm::Value* texture = next();
  llvm::Value* lod = next();
  // The handle's own argument tells through which array it can be seen. The views of storage images have one level, so the levels
  // are counted through the sampled ones, which every image has.
  uint32_t word = 0;
  bool storage = fromRecord(texture, word) && p.m_unit.binary.bindings[word].writes && m_operation != Operation::mipLevels;
  m_floating = true;
  if (storage) facesAsLayers();
  Id u32 = b.typeInt(32);
  b.capability(spv::Capability::ImageQuery);
  Id loaded = image(texture, storage);
  if (m_operation == Operation::mipLevels) {
    p.define(m_call, b.emit(spv::Op::OpImageQueryLevels, u32, {loaded}));
    return;
  }
  if (m_operation == Operation::samples) {
    p.define(m_call, b.emit(spv::Op::OpImageQuerySamples, u32, {loaded}));
    return;
  }
  unsigned dimensions = m_kind.dim == spv::Dim::Cube ? 2 : m_kind.coordinates;
  if (m_kind.dim == spv::Dim::Dim2D) dimensions = 2;
  unsigned count = dimensions + (m_kind.arrayed ? 1 : 0);
  Id type = count == 1 ? u32 : b.typeVector(u32, count);
  Id size;
  if (storage || m_kind.multisampled || m_kind.dim == spv::Dim::Buffer) {
    size = b.emit(spv::Op::OpImageQuerySize, type, {loaded});
  } else {
    Id level = lod && lod->getType()->isIntegerTy() ? toU32(lod) : b.constantU32(0);
    size = b.emit(spv::Op::OpImageQuerySizeLod, type, {loaded, level});
  }
  auto* level = llvm::dyn_cast_or_null<llvm::ConstantInt>(lod);
  bool shrinks = storage && m_operation != Operation::arraySize && lod && lod->getType()->isIntegerTy() && !(level && level->isZero());
  unsigned component = m_operation == Operation::width ? 0 : m_operation == Operation::height ? 1 : m_operation == Operation::depth ? 2 : dimensions;
  if (component >= count) {
    p.fail("it asks a texture for a dimension that it does not have");
    return;
  }
  Id extent = count == 1 ? size : b.emit(spv::Op::OpCompositeExtract, u32, {size, component});
  if (shrinks) {
    Id halved = b.emit(spv::Op::OpShiftRightLogical, u32, {extent, toU32(lod)});
    Id isZero = b.emit(spv::Op::OpIEqual, b.typeBool(), {halved, b.constantU32(0)});
    extent = b.emit(spv::Op::OpSelect, u32, {isZero, b.constantU32(1), halved});
  }
  p.define(m_call, extent);
}

void TexturePrinter::lodQuery() {
  if (p.m_unit.entry.stage != Stage::fragment) {
    p.fail("it calculates a level of detail, which only fragment functions may");
    return;
  }
  m_floating = true;
  llvm::Value* texture = next();
  llvm::Value* sampler = next();
  if (m_depth && isInt(peekType(), 32)) next();
  llvm::Value* coordinates = next();
  b.capability(spv::Capability::ImageQuery);
  Id f32 = b.typeFloat(32);
  Id both = b.emit(spv::Op::OpImageQueryLod, b.typeVector(f32, 2), {sampledImage(texture, sampler), toFloat(coordinates)});
  p.define(m_call, b.emit(spv::Op::OpCompositeExtract, f32, {both, m_operation == Operation::clampedLod ? 0u : 1u}));
}

// (texture, texel, [face], [layer], [expected], [value], access), of four components whose first counts.
void TexturePrinter::atomic() {
  llvm::Value* texture = next();
  llvm::Value* coordinates = next();
  llvm::Value* face = m_kind.dim == spv::Dim::Cube ? next() : nullptr;
  llvm::Value* layer = m_kind.arrayed ? next() : nullptr;
  llvm::Value* expected = m_atomic == "compare_exchange_weak" ? next() : nullptr;
  llvm::Value* given = m_atomic == "load" ? nullptr : next();
  llvm::Type* texel = given ? given->getType() : m_call.getType();
  if (!coordinates || !texel->isVectorTy() || !texel->getScalarType()->isIntegerTy(32)) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + ", which Basanite does not support");
    return;
  }
  m_floating = false;
  m_signed = m_name.has("s");
  m_format = m_signed ? spv::ImageFormat::R32i : spv::ImageFormat::R32ui;
  facesAsLayers();
  unsigned count = 0;
  Id at = texelCoordinate(coordinates, face, layer, count);
  Id image = imageType(true), scalar = scalarType(), vector = b.typeVector(scalar, 4);
  Id index = b.emit(spv::Op::OpUConvert, b.typeInt(32), {p.value(texture)});
  Id element = b.emit(spv::Op::OpAccessChain, b.typePointer(spv::StorageClass::UniformConstant, image), {arrayOf(shape(true)), index});
  Id pointer = b.emit(spv::Op::OpImageTexelPointer, b.typePointer(spv::StorageClass::Image, scalar), {element, at, b.constantU32(0)});
  uint32_t word = 0;
  if (!fromRecord(texture, word)) {
    b.capability(spv::Capability::ShaderNonUniform);
    b.capability(nonUniformImages(true));
    for (Id id : {index, element, pointer}) b.decorate(id, spv::Decoration::NonUniform);
  }
  auto first = [&](llvm::Value* from) {
    Id id = p.value(from);
    if (m_signed) id = b.emit(spv::Op::OpBitcast, vector, {id});
    return b.emit(spv::Op::OpCompositeExtract, scalar, {id, 0});
  };
  Id scope = b.constantU32(static_cast<uint32_t>(spv::Scope::QueueFamily));
  Id relaxed = b.constantU32(0);
  Id old = 0;
  if (m_atomic == "store") {
    b.emitVoid(spv::Op::OpAtomicStore, {pointer, scope, relaxed, first(given)});
    return;
  }
  if (m_atomic == "load") old = b.emit(spv::Op::OpAtomicLoad, scalar, {pointer, scope, relaxed});
  if (expected) old = b.emit(spv::Op::OpAtomicCompareExchange, scalar, {pointer, scope, relaxed, relaxed, first(given), first(expected)});
  std::string operation = m_atomic == "exchange" ? "xchg" : m_atomic.starts_with("fetch_") ? m_atomic.substr(6) : m_atomic;
  if (std::optional<spv::Op> op = atomicOperation(operation, m_signed)) old = b.emit(*op, scalar, {pointer, scope, relaxed, first(given)});
  if (!old) {
    p.fail("it calls " + m_call.getCalledFunction()->getName().str() + ", which Basanite does not support");
    return;
  }
  if (m_call.getType()->isVoidTy()) return;
  Id none = b.constantNull(scalar);
  finish(b.emit(spv::Op::OpCompositeConstruct, vector, {old, none, none, none}));
}

bool Printer::textureCall(llvm::CallInst& call, const air::IntrinsicName& name) { return TexturePrinter(*this, call, name).run(); }

} // namespace basanite::shader::spirv
