// SPDX-License-Identifier: Apache-2.0
// Function constants: values of every type by index and by name, constants computed from them, arguments and outputs that
// depend on them, and what is said when a value is missing or wrong.
#include "tests/support/metal_fixture.hpp"

#include <array>
#include <functional>

namespace basanite::tests {
namespace {

NS::String* string(const char* text) { return NS::String::string(text, NS::UTF8StringEncoding); }

constexpr const char* kSource = R"(
#include <metal_stdlib>
using namespace metal;
constant bool kFlag [[function_constant(0)]];
constant int kInt [[function_constant(1)]];
constant uint kUint [[function_constant(2)]];
constant float kFloat [[function_constant(3)]];
constant half kHalf [[function_constant(4)]];
constant short kShort [[function_constant(5)]];
constant uchar kUchar [[function_constant(6)]];
constant float4 kFloat4 [[function_constant(7)]];
constant int3 kInt3 [[function_constant(8)]];
constant bool2 kBool2 [[function_constant(9)]];
namespace inner { constant float kScale [[function_constant(20)]]; }
constant int kMaybe [[function_constant(30)]];
constant int kChosen = is_function_constant_defined(kMaybe) ? kMaybe : 77;
constant bool kHasMaybe = is_function_constant_defined(kMaybe);
constant bool kBoth = kFlag && kInt > 3;
constant float4 kDoubled = kFloat4 * 2 + float4(float3(kInt3), 0);
kernel void everything(device float* out [[buffer(0)]]) {
  out[0] = kFlag ? 1 : 2; out[1] = kInt; out[2] = kUint; out[3] = kFloat; out[4] = kHalf; out[5] = kShort; out[6] = kUchar;
  out[7] = kFloat4.x; out[8] = kFloat4.w; out[9] = kInt3.z; out[10] = kBool2.x; out[11] = kBool2.y; out[12] = inner::kScale;
  out[13] = kBoth ? 1 : 2; out[14] = kDoubled.y; out[15] = kDoubled.z; }
kernel void maybe(device int* out [[buffer(0)]]) { out[0] = kChosen; out[1] = kHasMaybe; }
kernel void none(device float* out [[buffer(0)]]) { out[0] = 5; }
kernel void loop(device float* out [[buffer(0)]]) {
  float sum = 0;
  for (int i = 0; i < kInt; ++i) { if (kFlag) sum += i; else sum -= i; }
  switch (kInt) { case 4: sum += 100; break; case 5: sum += 200; break; default: sum += 300; }
  out[0] = sum; }
kernel void arguments(device float* out [[buffer(0)]], const device float* extra [[buffer(1), function_constant(kFlag)]],
                      texture2d<float, access::read> picture [[texture(0), function_constant(kHasMaybe)]],
                      const device float* other [[buffer(2), function_constant(kBoth)]]) {
  float value = 1;
  if (kFlag) value += extra[0];
  if (kHasMaybe) value += picture.read(uint2(0)).r * 1000;
  if (kBoth) value += other[0];
  out[0] = value; }
struct Input { float2 at [[attribute(0)]]; float4 tint [[attribute(1), function_constant(kFlag)]]; };
struct Varyings { float4 position [[position]]; float4 tint [[function_constant(kFlag)]]; };
vertex Varyings place(Input in [[stage_in]]) {
  Varyings out; out.position = float4(in.at, 0, 1);
  if (kFlag) out.tint = in.tint;
  return out; }
struct Targets { float4 first [[color(0)]]; float4 second [[color(1), function_constant(kHasMaybe)]]; };
fragment Targets paint(Varyings in [[stage_in]]) {
  Targets out; out.first = float4(0, 0, 1, 1);
  if (kFlag) out.first = in.tint;
  if (kHasMaybe) out.second = float4(1, 1, 0, 1);
  return out; }
)";

class FunctionConstants : public MetalFixture {
 protected:
  void SetUp() override {
    MetalFixture::SetUp();
    if (HasFatalFailure()) return;
    m_library = library(kSource);
    ASSERT_TRUE(m_library);
    m_values = NS::TransferPtr(MTL::FunctionConstantValues::alloc()->init());
  }
  template <class T> void set(T value, MTL::DataType type, NS::UInteger index) {
    m_values->setConstantValue(&value, type, index);
  }
  void setFlagAndInt(bool flag, int number) {
    set(flag, MTL::DataTypeBool, 0);
    set(number, MTL::DataTypeInt, 1);
  }
  NS::SharedPtr<MTL4::SpecializedFunctionDescriptor> specialized(const char* name) {
    auto descriptor = NS::TransferPtr(MTL4::SpecializedFunctionDescriptor::alloc()->init());
    auto base = function(m_library.get(), name);
    descriptor->setFunctionDescriptor(base.get());
    descriptor->setConstantValues(m_values.get());
    return descriptor;
  }
  NS::SharedPtr<MTL::ComputePipelineState> kernel(const char* name, std::string* error = nullptr) {
    auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
    auto specializedFunction = specialized(name);
    descriptor->setComputeFunctionDescriptor(specializedFunction.get());
    NS::Error* problem = nullptr;
    auto pipeline = NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &problem));
    if (error) *error = problem ? text(problem) : "";
    else EXPECT_TRUE(pipeline) << text(problem);
    return pipeline;
  }
  template <class T> std::vector<T> run(MTL::ComputePipelineState* pipeline, size_t count) {
    if (!pipeline) return std::vector<T>(count);
    auto out = sharedBuffer(count * sizeof(T));
    auto table = argumentTable(1);
    table->setAddress(out->gpuAddress(), 0);
    dispatch(pipeline, table.get(), MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    return contents<T>(out.get());
  }
  static void expectParts(const std::string& message, std::initializer_list<const char*> parts) {
    for (const char* part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << message;
  }

  NS::SharedPtr<MTL::Library> m_library;
  NS::SharedPtr<MTL::FunctionConstantValues> m_values;
};

TEST_F(FunctionConstants, EveryTypeHasTheValueThatWasSet) {
  struct Four { float x, y, z, w; };
  struct Three { int x, y, z, none; };
  setFlagAndInt(true, -4);
  set(4000000000u, MTL::DataTypeUInt, 2);
  set(1.5f, MTL::DataTypeFloat, 3);
  set(uint16_t(0xc100), MTL::DataTypeHalf, 4); // -2.5
  set(short(-300), MTL::DataTypeShort, 5);
  set(uint8_t(250), MTL::DataTypeUChar, 6);
  set(Four{1, 2, 3, 4}, MTL::DataTypeFloat4, 7);
  set(Three{5, 6, 7, 0}, MTL::DataTypeInt3, 8);
  set(std::array<bool, 2>{false, true}, MTL::DataTypeBool2, 9);
  const float scale = 0.125f;
  m_values->setConstantValue(&scale, MTL::DataTypeFloat, string("kScale"));
  auto pipeline = kernel("everything");
  EXPECT_EQ(run<float>(pipeline.get(), 16), (std::vector<float>{1, -4, 4000000000.f, 1.5f, -2.5f, -300, 250, 1, 4, 7, 0, 1,
                                                                0.125f, 2, 2 * 2 + 6, 2 * 3 + 7}));
  // Other values, another pipeline; the first one stays as it was.
  setFlagAndInt(true, 4);
  auto second = kernel("everything");
  EXPECT_EQ(run<float>(second.get(), 16)[13], 1);
  EXPECT_EQ(run<float>(pipeline.get(), 16)[13], 2);
}

TEST_F(FunctionConstants, WhetherOneIsDefinedIsKnown) {
  EXPECT_EQ(run<int>(kernel("maybe").get(), 2), (std::vector<int>{77, 0}));
  set(12, MTL::DataTypeInt, 30);
  EXPECT_EQ(run<int>(kernel("maybe").get(), 2), (std::vector<int>{12, 1}));
  m_values->reset();
  EXPECT_EQ(run<int>(kernel("maybe").get(), 2), (std::vector<int>{77, 0}));
}

TEST_F(FunctionConstants, LoopsAndBranchesFollowThem) {
  setFlagAndInt(true, 4);
  EXPECT_EQ(run<float>(kernel("loop").get(), 1)[0], 0 + 1 + 2 + 3 + 100);
  setFlagAndInt(false, 5);
  EXPECT_EQ(run<float>(kernel("loop").get(), 1)[0], -(0 + 1 + 2 + 3 + 4) + 200);
}

TEST_F(FunctionConstants, ArgumentsAreThereOnlyWhenTheirConditionHolds) {
  auto extra = sharedBuffer(std::vector<float>{10}), other = sharedBuffer(std::vector<float>{100}), out = sharedBuffer(4);
  auto picture = texture(1, 1, MTL::PixelFormatR32Float, MTL::TextureUsageShaderRead, MTL::StorageModeShared);
  const float texel = 3;
  picture->replaceRegion(MTL::Region::Make2D(0, 0, 1, 1), 0, &texel, 4);
  const auto runWith = [&](MTL::ComputePipelineState* pipeline, MTL4::ArgumentTable* table) {
    table->setAddress(out->gpuAddress(), 0);
    dispatch(pipeline, table, MTL::Size::Make(1, 1, 1), MTL::Size::Make(1, 1, 1));
    return contents<float>(out.get())[0];
  };
  // None: the table needs no more than the first buffer.
  setFlagAndInt(false, 9);
  auto bare = kernel("arguments");
  ASSERT_TRUE(bare);
  EXPECT_EQ(runWith(bare.get(), argumentTable(1).get()), 1);
  // Two buffers.
  setFlagAndInt(true, 9);
  auto table = argumentTable(3, 1);
  table->setAddress(extra->gpuAddress(), 1);
  table->setAddress(other->gpuAddress(), 2);
  auto two = kernel("arguments");
  ASSERT_TRUE(two);
  EXPECT_EQ(runWith(two.get(), table.get()), 111);
  // One of them, and the texture.
  setFlagAndInt(true, 3);
  set(1, MTL::DataTypeInt, 30);
  table->setTexture(picture->gpuResourceID(), 0);
  auto textured = kernel("arguments");
  ASSERT_TRUE(textured);
  EXPECT_EQ(runWith(textured.get(), table.get()), 1 + 10 + 3000);
}

TEST_F(FunctionConstants, VertexInputsVaryingsAndOutputsFollowThem) {
  struct Vertex { float x, y; float r, g, b, a; };
  auto vertices = sharedBuffer(std::vector<Vertex>{{-1, 1, 1, 0, 0, 1}, {3, 1, 1, 0, 0, 1}, {-1, -3, 1, 0, 0, 1}});
  auto table = argumentTable(1);
  table->setAddress(vertices->gpuAddress(), 0);
  for (bool flag : {false, true}) {
    for (bool both : {false, true}) {
      SCOPED_TRACE(testing::Message() << flag << both);
      m_values->reset();
      set(flag, MTL::DataTypeBool, 0);
      if (both) set(1, MTL::DataTypeInt, 30);
      auto layout = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
      layout->attributes()->object(0)->setFormat(MTL::VertexFormatFloat2);
      // Without the flag the descriptor has no such attribute.
      if (flag) layout->attributes()->object(1)->setFormat(MTL::VertexFormatFloat4);
      if (flag) layout->attributes()->object(1)->setOffset(8);
      layout->layouts()->object(0)->setStride(sizeof(Vertex));
      auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
      auto vertexFunction = specialized("place"), fragmentFunction = specialized("paint");
      descriptor->setVertexFunctionDescriptor(vertexFunction.get());
      descriptor->setFragmentFunctionDescriptor(fragmentFunction.get());
      descriptor->setVertexDescriptor(layout.get());
      descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA8Unorm);
      // An integer format: the second output would not fit it, and is not there.
      descriptor->colorAttachments()->object(1)->setPixelFormat(both ? MTL::PixelFormatRGBA8Unorm : MTL::PixelFormatRGBA8Uint);
      NS::Error* error = nullptr;
      auto pipeline = NS::TransferPtr(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error));
      ASSERT_TRUE(pipeline) << text(error);
      auto first = colorTarget(4, 4);
      auto second = colorTarget(4, 4, both ? MTL::PixelFormatRGBA8Unorm : MTL::PixelFormatRGBA8Uint);
      EXPECT_EQ(runCommands([&](MTL4::CommandBuffer* commands) {
                  MTL4::RenderPassDescriptor* pass = clearPass(first.get());
                  pass->colorAttachments()->object(1)->setTexture(second.get());
                  pass->colorAttachments()->object(1)->setLoadAction(MTL::LoadActionClear);
                  pass->colorAttachments()->object(1)->setStoreAction(MTL::StoreActionStore);
                  auto* encoder = commands->renderCommandEncoder(pass);
                  encoder->setRenderPipelineState(pipeline.get());
                  encoder->setArgumentTable(table.get(), MTL::RenderStageVertex);
                  encoder->drawPrimitives(MTL::PrimitiveTypeTriangle, NS::UInteger(0), NS::UInteger(3));
                  encoder->endEncoding();
                }),
                "");
      EXPECT_EQ(pixels(first.get())[5], (flag ? Pixel{255, 0, 0, 255} : Pixel{0, 0, 255, 255}));
      if (both) {
        EXPECT_EQ(pixels(second.get())[5], (Pixel{255, 255, 0, 255}));
      }
    }
  }
}

TEST_F(FunctionConstants, LibrariesMakeSpecializedFunctionsToo) {
  setFlagAndInt(true, 5);
  NS::Error* error = nullptr;
  auto loop = NS::TransferPtr(m_library->newFunction(string("loop"), m_values.get(), &error));
  ASSERT_TRUE(loop) << text(error);
  auto pipeline = NS::TransferPtr(m_device->newComputePipelineState(loop.get(), &error));
  ASSERT_TRUE(pipeline) << text(error);
  EXPECT_EQ(run<float>(pipeline.get(), 1)[0], 0 + 1 + 2 + 3 + 4 + 200);
  auto descriptor = NS::TransferPtr(MTL::FunctionDescriptor::alloc()->init());
  descriptor->setName(string("loop"));
  descriptor->setSpecializedName(string("loop_of_five"));
  descriptor->setConstantValues(m_values.get());
  auto named = NS::TransferPtr(m_library->newFunction(descriptor.get(), &error));
  ASSERT_TRUE(named) << text(error);
  EXPECT_STREQ(named->name()->utf8String(), "loop_of_five");
  EXPECT_STREQ(loop->name()->utf8String(), "loop");
  // A range of values of one type: 20 and 21, of which only one exists.
  const float scales[] = {8, 9};
  m_values->setConstantValues(scales, MTL::DataTypeFloat, NS::Range::Make(20, 2));

  NS::Dictionary* constants = loop->functionConstantsDictionary();
  ASSERT_EQ(constants->count(), 2u);
  auto* flag = constants->object<MTL::FunctionConstant>(string("kFlag"));
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(flag->index(), 0u);
  EXPECT_EQ(flag->type(), MTL::DataTypeBool);
  EXPECT_TRUE(flag->required());
  auto maybe = NS::TransferPtr(m_library->newFunction(string("maybe")));
  auto* optional = maybe->functionConstantsDictionary()->object<MTL::FunctionConstant>(string("kMaybe"));
  ASSERT_NE(optional, nullptr);
  EXPECT_EQ(optional->index(), 30u);
  EXPECT_FALSE(optional->required());
  auto none = NS::TransferPtr(m_library->newFunction(string("none")));
  EXPECT_EQ(none->functionConstantsDictionary()->count(), 0u);
}

TEST_F(FunctionConstants, MissingAndWrongValuesAreNamed) {
  std::string error;
  EXPECT_FALSE(kernel("loop", &error));
  expectParts(error, {"loop", "kFlag", "function_constant(0)", "bool", "no value"});
  set(true, MTL::DataTypeBool, 0);
  set(1.0f, MTL::DataTypeFloat, 1);
  EXPECT_FALSE(kernel("loop", &error));
  expectParts(error, {"loop", "kInt", "function_constant(1)", "int", "float"});
  // What a function does not use needs no value.
  m_values->reset();
  EXPECT_TRUE(kernel("none"));
  // Unspecialized, and made by a library without values.
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  auto plain = function(m_library.get(), "loop");
  descriptor->setComputeFunctionDescriptor(plain.get());
  NS::Error* problem = nullptr;
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &problem)));
  expectParts(text(problem), {"kFlag"});
  EXPECT_FALSE(NS::TransferPtr(m_library->newFunction(string("loop"), m_values.get(), &problem)));
  expectParts(text(problem), {"loop", "kFlag"});
  EXPECT_FALSE(NS::TransferPtr(m_library->newFunction(string("lop"), m_values.get(), &problem)));
  expectParts(text(problem), {"lop", "loop"});
  auto empty = NS::TransferPtr(MTL4::SpecializedFunctionDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(empty.get());
  EXPECT_FALSE(NS::TransferPtr(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &problem)));
  expectParts(text(problem), {"functionDescriptor"});
  // Values that no constant can have.
  testing::internal::CaptureStderr();
  m_values->setConstantValue(nullptr, MTL::DataTypeInt, NS::UInteger(1));
  const int number = 4;
  m_values->setConstantValue(&number, MTL::DataTypeTexture, NS::UInteger(1));
  const std::string log = testing::internal::GetCapturedStderr();
  expectParts(log, {"the value is null", "58"});
}

TEST_F(FunctionConstants, SourcesThatMisuseThemSayWhere) {
  const auto errorOf = [&](const char* body) {
    NS::Error* error = nullptr;
    std::string source = std::string("#include <metal_stdlib>\nusing namespace metal;\n") + body;
    EXPECT_FALSE(NS::TransferPtr(m_device->newLibrary(string(source.c_str()), nullptr, &error)));
    return text(error);
  };
  expectParts(errorOf("constant int a [[function_constant(0)]] = 4;\nkernel void k(device int* o [[buffer(0)]]) { o[0] = a; }"),
              {":3:", "a", "initial"});
  expectParts(errorOf("kernel void k(device int* o [[buffer(0), function_constant(nothing)]]) { }"), {":3:", "bool"});
  expectParts(errorOf("constant int n [[function_constant(0)]];\nkernel void k(device int* o [[buffer(0), function_constant(n)]]) { }"),
              {":4:", "bool"});
  expectParts(errorOf("struct S { int x; };\nconstant S s [[function_constant(0)]];\nkernel void k(device int* o [[buffer(0)]]) { o[0] = s.x; }"),
              {":4:", "s", "scalar or a vector"});
}

} // namespace
} // namespace basanite::tests
