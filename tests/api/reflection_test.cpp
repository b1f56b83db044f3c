// SPDX-License-Identifier: Apache-2.0
// What pipelines, libraries and functions tell of a program's arguments.
#include "tests/support/metal_fixture.hpp"

#include <map>

namespace basanite::tests {
namespace {

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}
std::string text(const NS::String* string) { return string ? string->utf8String() : "(null)"; }

constexpr const char* kSource = R"(#include <metal_stdlib>
using namespace metal;
enum class Kind : ushort { flat, round };
struct Light { float3 position; packed_half3 color; bool on; };
struct Base { uint flags; };
struct Node { float weight; device Node* next; };
struct Scene : Base {
  float4x4 view;
  half3x2 skew;
  Light lights[3];
  float table[2][5];
  Kind kind;
  uchar4 tint;
  array<int2, 6> path;
  atomic_uint count;
  ulong id;
};
struct Resources {
  texture2d<half> albedo;
  sampler smooth;
  const device float3* points [[id(7)]];
  array<texturecube<float>, 4> sky;
  device Node* nodes;
};
constant bool kGlow [[function_constant(3)]];
struct In { float3 position [[attribute(0)]]; half2 uv [[attribute(2)]]; };
struct Out { float4 position [[position]]; float2 uv; };
vertex Out corner(In in [[stage_in]], constant Scene& scene [[buffer(1)]], const device uint* unused [[buffer(4)]]) {
  return {scene.view * float4(in.position, scene.table[1][2] + scene.lights[0].position.x), float2(in.uv)};
}
fragment float4 paint(Out in [[stage_in]], texture2d<float> image [[texture(2)]], depth2d_array<float> shadow [[texture(5)]],
                      sampler s [[sampler(1)]], device float4* glow [[buffer(0), function_constant(kGlow)]],
                      constant Resources& all [[buffer(3)]]) {
  float4 c = image.sample(s, in.uv) + shadow.sample(s, in.uv, 1) + all.points[2].x + float4(all.albedo.sample(all.smooth, in.uv));
  if (kGlow) c += glow[0];
  return c;
}
kernel void sum(const device int* in [[buffer(0)]], device int* out [[buffer(1)]], threadgroup int4* scratch [[threadgroup(2)]],
                texture2d<uint, access::write> picture [[texture(0)]], uint i [[thread_position_in_threadgroup]]) {
  scratch[i] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = scratch[0].x;
  picture.write(uint4(i), uint2(i, 0));
}
)";

class Reflection : public MetalFixture {
 protected:
  NS::SharedPtr<MTL4::PipelineOptions> options(MTL4::ShaderReflection reflection) {
    auto options = NS::TransferPtr(MTL4::PipelineOptions::alloc()->init());
    EXPECT_EQ(options->shaderReflection(), MTL4::ShaderReflection(MTL4::ShaderReflectionNone));
    options->setShaderReflection(reflection);
    return options;
  }

  NS::SharedPtr<MTL::RenderPipelineState> drawing(MTL::Library* library, MTL4::ShaderReflection reflection,
                                                  bool glow = true) {
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
    vertices->attributes()->object(0)->setFormat(MTL::VertexFormatFloat3);
    vertices->attributes()->object(0)->setBufferIndex(8);
    vertices->attributes()->object(2)->setFormat(MTL::VertexFormatHalf2);
    vertices->attributes()->object(2)->setBufferIndex(8);
    vertices->attributes()->object(2)->setOffset(12);
    vertices->layouts()->object(8)->setStride(16);
    descriptor->setVertexDescriptor(vertices.get());
    descriptor->setVertexFunctionDescriptor(function(library, "corner").get());
    auto special = NS::TransferPtr(MTL4::SpecializedFunctionDescriptor::alloc()->init());
    auto values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
    values->setConstantValue(&glow, MTL::DataTypeBool, NS::UInteger(3));
    special->setFunctionDescriptor(function(library, "paint").get());
    special->setConstantValues(values.get());
    descriptor->setFragmentFunctionDescriptor(special.get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
    descriptor->setOptions(options(reflection).get());
    NS::Error* error = nullptr;
    auto state = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
    EXPECT_TRUE(state) << basanite::tests::text(error);
    return state;
  }

  // By name; a name that is there twice is a failure.
  static std::map<std::string, MTL::Binding*> byName(NS::Array* array) {
    std::map<std::string, MTL::Binding*> bindings;
    for (NS::UInteger i = 0; array && i < array->count(); ++i) {
      auto* binding = array->object<MTL::Binding>(i);
      EXPECT_TRUE(bindings.emplace(text(binding->name()), binding).second) << text(binding->name());
    }
    return bindings;
  }
};

TEST_F(Reflection, NamesIndicesAndKindsOfARenderPipeline) {
  auto library = this->library(kSource);
  auto state = drawing(library.get(), MTL4::ShaderReflectionBindingInfo);
  ASSERT_TRUE(state);
  ASSERT_TRUE(state->reflection());
  auto vertex = byName(state->reflection()->vertexBindings());
  ASSERT_EQ(vertex.size(), 3u);
  EXPECT_EQ(vertex["scene"]->type(), MTL::BindingTypeBuffer);
  EXPECT_EQ(vertex["scene"]->index(), 1u);
  EXPECT_EQ(vertex["scene"]->access(), MTL::BindingAccessReadOnly);
  EXPECT_TRUE(vertex["scene"]->isUsed());
  EXPECT_TRUE(vertex["scene"]->isArgument());
  EXPECT_EQ(vertex["unused"]->index(), 4u);
  EXPECT_FALSE(vertex["unused"]->isUsed());
  EXPECT_EQ(vertex["vertexBuffer.8"]->index(), 8u);
  EXPECT_TRUE(vertex["vertexBuffer.8"]->isUsed());
  EXPECT_FALSE(vertex["vertexBuffer.8"]->isArgument());

  auto fragment = byName(state->reflection()->fragmentBindings());
  ASSERT_EQ(fragment.size(), 5u);
  EXPECT_EQ(fragment["glow"]->access(), MTL::BindingAccessReadWrite);
  EXPECT_EQ(fragment["s"]->type(), MTL::BindingTypeSampler);
  EXPECT_EQ(fragment["s"]->index(), 1u);
  ASSERT_EQ(fragment["image"]->type(), MTL::BindingTypeTexture);
  auto* image = static_cast<MTL::TextureBinding*>(fragment["image"]);
  EXPECT_EQ(image->index(), 2u);
  EXPECT_EQ(image->textureType(), MTL::TextureType2D);
  EXPECT_EQ(image->textureDataType(), MTL::DataTypeFloat);
  EXPECT_FALSE(image->isDepthTexture());
  EXPECT_EQ(image->arrayLength(), 1u);
  auto* shadow = static_cast<MTL::TextureBinding*>(fragment["shadow"]);
  EXPECT_EQ(shadow->textureType(), MTL::TextureType2DArray);
  EXPECT_TRUE(shadow->isDepthTexture());
  // Without type information a buffer tells its size only.
  auto* scene = static_cast<MTL::BufferBinding*>(vertex["scene"]);
  EXPECT_EQ(scene->bufferDataType(), MTL::DataTypeStruct);
  EXPECT_FALSE(scene->bufferStructType());
  EXPECT_EQ(state->reflection()->meshBindings()->count(), 0u);
}

TEST_F(Reflection, OnlyWhatTheDescriptorAsksFor) {
  auto library = this->library(kSource);
  auto silent = drawing(library.get(), MTL4::ShaderReflectionNone);
  ASSERT_TRUE(silent);
  EXPECT_FALSE(silent->reflection());
  // An argument that a function constant leaves out is not there.
  auto dull = drawing(library.get(), MTL4::ShaderReflectionBindingInfo, false);
  ASSERT_TRUE(dull);
  EXPECT_EQ(byName(dull->reflection()->fragmentBindings()).count("glow"), 0u);

  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(function(library.get(), "sum").get());
  descriptor->setOptions(options(8).get());
  NS::Error* error = nullptr;
  EXPECT_FALSE(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
  EXPECT_EQ(basanite::tests::text(error),
            "shaderReflection is 0x8, which has bits that are no ShaderReflection (0x3).");
}

TEST_F(Reflection, StructuresOfBuffers) {
  auto library = this->library(kSource);
  auto state =
      drawing(library.get(), MTL4::ShaderReflectionBindingInfo | MTL4::ShaderReflectionBufferTypeInfo);
  ASSERT_TRUE(state);
  auto vertex = byName(state->reflection()->vertexBindings());
  auto* binding = static_cast<MTL::BufferBinding*>(vertex["scene"]);
  ASSERT_TRUE(binding);
  auto* scene = binding->bufferStructType();
  ASSERT_TRUE(scene);
  struct Row {
    const char* name;
    NS::UInteger offset;
    MTL::DataType type;
  };
  const Row rows[] = {{"flags", 0, MTL::DataTypeUInt},    {"view", 16, MTL::DataTypeFloat4x4},
                      {"skew", 80, MTL::DataTypeHalf3x2}, {"lights", 96, MTL::DataTypeArray},
                      {"table", 192, MTL::DataTypeArray}, {"kind", 232, MTL::DataTypeUShort},
                      {"tint", 236, MTL::DataTypeUChar4}, {"path", 240, MTL::DataTypeArray},
                      {"count", 288, MTL::DataTypeUInt},  {"id", 296, MTL::DataTypeULong}};
  ASSERT_EQ(scene->members()->count(), std::size(rows));
  for (size_t i = 0; i < std::size(rows); ++i) {
    SCOPED_TRACE(rows[i].name);
    auto* member = scene->members()->object<MTL::StructMember>(i);
    EXPECT_EQ(text(member->name()), rows[i].name);
    EXPECT_EQ(member->offset(), rows[i].offset);
    EXPECT_EQ(member->dataType(), rows[i].type);
  }
  EXPECT_EQ(binding->bufferDataSize(), 304u);
  EXPECT_EQ(binding->bufferAlignment(), 16u);
  EXPECT_EQ(binding->bufferPointerType()->elementStructType()->members()->count(), std::size(rows));

  auto* lights = scene->memberByName(string("lights"))->arrayType();
  ASSERT_TRUE(lights);
  EXPECT_EQ(lights->arrayLength(), 3u);
  EXPECT_EQ(lights->stride(), 32u);
  ASSERT_TRUE(lights->elementStructType());
  auto* color = lights->elementStructType()->memberByName(string("color"));
  ASSERT_TRUE(color);
  EXPECT_EQ(color->offset(), 16u);
  EXPECT_EQ(color->dataType(), MTL::DataTypeHalf3);
  auto* table = scene->memberByName(string("table"))->arrayType();
  ASSERT_TRUE(table && table->elementArrayType());
  EXPECT_EQ(table->arrayLength(), 2u);
  EXPECT_EQ(table->stride(), 20u);
  EXPECT_EQ(table->elementArrayType()->arrayLength(), 5u);
  EXPECT_EQ(table->elementArrayType()->elementType(), MTL::DataTypeFloat);
  EXPECT_EQ(scene->memberByName(string("path"))->arrayType()->elementType(), MTL::DataTypeInt2);
  EXPECT_FALSE(scene->memberByName(string("missing")));
}

TEST_F(Reflection, ArgumentBuffers) {
  auto library = this->library(kSource);
  auto state = drawing(library.get(), MTL4::ShaderReflectionBufferTypeInfo);
  ASSERT_TRUE(state);
  auto fragment = byName(state->reflection()->fragmentBindings());
  auto* all = static_cast<MTL::BufferBinding*>(fragment["all"])->bufferStructType();
  ASSERT_TRUE(all);
  ASSERT_EQ(all->members()->count(), 5u);
  auto* albedo = all->memberByName(string("albedo"));
  ASSERT_TRUE(albedo->textureReferenceType());
  EXPECT_EQ(albedo->argumentIndex(), 0u);
  EXPECT_EQ(albedo->textureReferenceType()->textureDataType(), MTL::DataTypeHalf);
  EXPECT_EQ(albedo->textureReferenceType()->textureType(), MTL::TextureType2D);
  EXPECT_EQ(all->memberByName(string("smooth"))->dataType(), MTL::DataTypeSampler);
  auto* points = all->memberByName(string("points"));
  EXPECT_EQ(points->argumentIndex(), 7u);
  EXPECT_EQ(points->offset(), 16u);
  ASSERT_TRUE(points->pointerType());
  EXPECT_EQ(points->pointerType()->elementType(), MTL::DataTypeFloat3);
  EXPECT_EQ(points->pointerType()->access(), MTL::BindingAccessReadOnly);
  EXPECT_EQ(points->pointerType()->dataSize(), 16u);
  auto* sky = all->memberByName(string("sky"));
  EXPECT_EQ(sky->argumentIndex(), 8u);
  ASSERT_TRUE(sky->arrayType() && sky->arrayType()->elementTextureReferenceType());
  EXPECT_EQ(sky->arrayType()->arrayLength(), 4u);
  EXPECT_EQ(sky->arrayType()->elementTextureReferenceType()->textureType(), MTL::TextureTypeCube);
  // A type that points to itself is told of once.
  auto* nodes = all->memberByName(string("nodes"));
  EXPECT_EQ(nodes->argumentIndex(), 12u);
  ASSERT_TRUE(nodes->pointerType() && nodes->pointerType()->elementStructType());
  EXPECT_EQ(nodes->pointerType()->access(), MTL::BindingAccessReadWrite);
  auto* next = nodes->pointerType()->elementStructType()->memberByName(string("next"));
  ASSERT_TRUE(next && next->pointerType());
  EXPECT_FALSE(next->pointerType()->elementStructType());
  EXPECT_EQ(next->pointerType()->dataSize(), 16u);
}

TEST_F(Reflection, KernelsAndTheOlderArguments) {
  auto library = this->library(kSource);
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(function(library.get(), "sum").get());
  descriptor->setOptions(options(MTL4::ShaderReflectionBindingInfo).get());
  NS::Error* error = nullptr;
  auto state = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error));
  ASSERT_TRUE(state) << basanite::tests::text(error);
  ASSERT_TRUE(state->reflection());
  auto bindings = byName(state->reflection()->bindings());
  ASSERT_EQ(bindings.size(), 4u);
  ASSERT_EQ(bindings["scratch"]->type(), MTL::BindingTypeThreadgroupMemory);
  auto* scratch = static_cast<MTL::ThreadgroupBinding*>(bindings["scratch"]);
  EXPECT_EQ(scratch->index(), 2u);
  EXPECT_EQ(scratch->threadgroupMemoryDataSize(), 16u);
  EXPECT_EQ(scratch->threadgroupMemoryAlignment(), 16u);
  EXPECT_EQ(bindings["picture"]->access(), MTL::BindingAccessWriteOnly);
  EXPECT_EQ(static_cast<MTL::TextureBinding*>(bindings["picture"])->textureDataType(), MTL::DataTypeUInt);
  EXPECT_EQ(static_cast<MTL::BufferBinding*>(bindings["in"])->bufferDataType(), MTL::DataTypeInt);
  EXPECT_EQ(static_cast<MTL::BufferBinding*>(bindings["in"])->bufferDataSize(), 4u);

  NS::Array* arguments = state->reflection()->arguments();
  ASSERT_EQ(arguments->count(), 4u);
  auto* first = arguments->object<MTL::Argument>(0);
  EXPECT_EQ(text(first->name()), "in");
  EXPECT_EQ(first->type(), MTL::ArgumentTypeBuffer);
  EXPECT_EQ(first->access(), MTL::BindingAccessReadOnly);
  EXPECT_TRUE(first->isActive());
  EXPECT_EQ(first->bufferDataSize(), 4u);
  EXPECT_EQ(arguments->object<MTL::Argument>(2)->threadgroupMemoryDataSize(), 16u);
}

TEST_F(Reflection, LibrariesAndFunctions) {
  auto library = this->library(kSource);
  EXPECT_EQ(library->type(), MTL::LibraryTypeExecutable);
  EXPECT_FALSE(library->installName());
  EXPECT_EQ(library->functionNames()->count(), 3u);
  auto* reflection = library->reflectionForFunction(string("paint"));
  ASSERT_TRUE(reflection);
  // Nobody has said yet that the glow is not there.
  auto bindings = byName(reflection->bindings());
  EXPECT_EQ(bindings.size(), 5u);
  EXPECT_EQ(bindings.count("glow"), 1u);
  EXPECT_TRUE(static_cast<MTL::BufferBinding*>(bindings["all"])->bufferStructType());

  auto corner = NS::TransferPtr(library->newFunction(string("corner")));
  ASSERT_TRUE(corner);
  NS::Array* attributes = corner->stageInputAttributes();
  ASSERT_EQ(attributes->count(), 2u);
  EXPECT_EQ(text(attributes->object<MTL::Attribute>(1)->name()), "uv");
  EXPECT_EQ(attributes->object<MTL::Attribute>(1)->attributeIndex(), 2u);
  EXPECT_EQ(attributes->object<MTL::Attribute>(1)->attributeType(), MTL::DataTypeHalf2);
  EXPECT_TRUE(attributes->object<MTL::Attribute>(1)->isActive());
  EXPECT_TRUE(corner->vertexAttributes()->object<MTL::VertexAttribute>(0)->isActive());
  auto paint = NS::TransferPtr(library->newFunction(string("paint")));
  EXPECT_EQ(paint->stageInputAttributes()->count(), 0u);
  EXPECT_EQ(paint->functionConstantsDictionary()->count(), 1u);
}

} // namespace
} // namespace basanite::tests
