// SPDX-License-Identifier: Apache-2.0
// How long a lit shader takes from MSL source to a library, to a pipeline, and to its first frame's worth of
// driver work. The twin starts from SPIR-V: what it spends, every program spends. There is no GLSL compiler
// library to compare the front end with.
#include "benchmarks/api/frame_scene.hpp"
#include "benchmarks/api/metal.hpp"
#include "benchmarks/harness/report.hpp"
#include "benchmarks/raw_vulkan/device.hpp"
#include "benchmarks/raw_vulkan/shaders/spirv.hpp"

#include <cstddef>
#include <fmt/format.h>
#include <string_view>

namespace basanite::benchmarks {
namespace {

enum Value { kLibrary, kPipeline };

// Another constant each time, so that no cache below can know the shader.
std::string saltedSource() {
  static unsigned salt = 0;
  std::string source = kFrameSource;
  const std::string_view constant = "60.0f";
  return source.replace(source.find(constant), constant.size(), fmt::format("60.{}f", ++salt));
}

std::vector<double> compileOurs(Metal& metal, const MTL::VertexDescriptor* vertices) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  const std::string source = saltedSource();
  const Stopwatch libraryWatch;
  auto library = metal.library(source);
  const double libraryNs = libraryWatch.ns();
  const Stopwatch pipelineWatch;
  auto pipeline =
      metal.renderPipeline(library.get(), "litVertex", "litFragment", MTL::PixelFormatRGBA16Float, vertices);
  return {libraryNs, pipelineWatch.ns()};
}

std::vector<double> makeTwin(twin::Device& device) {
  twin::GraphicsRecipe recipe;
  recipe.vertex = twin::spirv::litVert;
  recipe.fragment = twin::spirv::litFrag;
  recipe.color = VK_FORMAT_R16G16B16A16_SFLOAT;
  recipe.depth = VK_FORMAT_D32_SFLOAT;
  recipe.vertexStrideBytes = sizeof(FrameVertex);
  recipe.attributes = {{0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0},
                       {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(FrameVertex, normal)}};
  const Stopwatch watch;
  device.makeGraphics(recipe);
  return {watch.ns()};
}

Summary inMs(const Summary& ns) { return {ns.median / 1e6, ns.low / 1e6, ns.high / 1e6}; }

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  auto vertices = NS::TransferPtr(MTL::VertexDescriptor::alloc()->init());
  for (NS::UInteger i = 0; i < 2; ++i) {
    MTL::VertexAttributeDescriptor* attribute = vertices->attributes()->object(i);
    attribute->setFormat(MTL::VertexFormatFloat3);
    attribute->setOffset(i * offsetof(FrameVertex, normal));
    attribute->setBufferIndex(0);
  }
  vertices->layouts()->object(0)->setStride(sizeof(FrameVertex));

  const std::vector<double> first = compileOurs(metal, vertices.get());
  const auto result = interleave(options.repeats, {[&] { return compileOurs(metal, vertices.get()); },
                                                   [&] { return makeTwin(device); }});
  Report report("compile_time", metal.name(), options.repeats);
  report.table("a lit shader", "ms", {"first", "ours", "twin", "ours/twin"}, 2);
  if (options.wants("source to library"))
    report.row("source to library", {first[kLibrary] / 1e6, inMs(result[0][kLibrary]), Cell(), Cell()});
  if (options.wants("library to pipeline"))
    report.row("library to pipeline", {first[kPipeline] / 1e6, inMs(result[0][kPipeline]), inMs(result[1][0]),
                                       ratio(result[0][kPipeline], result[1][0])});
  report.note("first: the first of the process, with the opening of the compiler. twin: from SPIR-V to a "
              "Vulkan pipeline, no cache.");
  report.finish(options);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "compile_time", "How long a lit shader takes from MSL source to a pipeline.",
                   15));
}
