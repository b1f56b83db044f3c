// SPDX-License-Identifier: Apache-2.0
// How long a lit shader takes from MSL source to a library, to a pipeline, and to its first frame's worth of
// driver work. The twin starts from SPIR-V: what it spends, every program spends. front_end compares with a
// GLSL compiler.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/shader/lit_scene.hpp"

namespace basanite::benchmarks {
namespace {

enum Value { kLibrary, kPipeline };

std::vector<double> compileOurs(Metal& metal, const MTL::VertexDescriptor* vertices) {
  auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
  static unsigned number = 0;
  const std::string source = litSource(++number);
  const Stopwatch libraryWatch;
  auto library = metal.library(source);
  const double libraryNs = libraryWatch.ns();
  const Stopwatch pipelineWatch;
  auto pipeline =
      metal.renderPipeline(library.get(), "litVertex", "litFragment", MTL::PixelFormatRGBA16Float, vertices);
  return {libraryNs, pipelineWatch.ns()};
}

Summary inMs(const Summary& ns) { return {ns.median / 1e6, ns.low / 1e6, ns.high / 1e6}; }

void run(const Options& options) {
  Metal metal;
  twin::Device device(metal.name());
  auto vertices = litVertices();
  const std::vector<double> first = compileOurs(metal, vertices.get());
  const auto result = interleave(options.repeats, {[&] { return compileOurs(metal, vertices.get()); },
                                                   [&] { return makeLitTwin(device); }});
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
