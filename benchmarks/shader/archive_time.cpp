// SPDX-License-Identifier: Apache-2.0
// What a pipeline costs that comes from an archive: opening the file, making a library that it knows, and the
// pipeline. The driver has the pipeline in its cache, so what is left is ours. The twin takes SPIR-V to a
// pipeline through its driver.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/shader/lit_scene.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

enum Value { kOpen, kLibrary, kPipeline };

template <class T> NS::SharedPtr<T> must(T* object, const char* what, NS::Error* const& error) {
  if (object) return NS::TransferPtr(object);
  std::fprintf(stderr, "archive_time: %s could not be made: %s\n", what,
               error ? error->localizedDescription()->utf8String() : "no reason given");
  std::exit(1);
}

class Scene {
 public:
  Scene(Metal& metal, std::string folder)
      : m_metal(metal), m_path(std::move(folder) + "/pipelines.archive"), m_vertices(litVertices()) {}

  // Captures `count` pipelines, each of a library of its own.
  void write(unsigned count) {
    NS::Error* error = nullptr;
    auto what = NS::TransferPtr(MTL4::PipelineDataSetSerializerDescriptor::alloc()->init());
    what->setConfiguration(MTL4::PipelineDataSetSerializerConfigurationCaptureBinaries);
    auto serializer =
        must(m_metal.device()->newPipelineDataSetSerializer(what.get()), "the serializer", error);
    auto descriptor = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
    descriptor->setPipelineDataSetSerializer(serializer.get());
    m_compiler = must(m_metal.device()->newCompiler(descriptor.get(), &error), "the compiler", error);
    for (unsigned i = 0; i < count; ++i) pipeline(library(i).get(), nullptr);
    if (serializer->serializeAsArchiveAndFlushToURL(NS::URL::fileURLWithPath(string(m_path)), &error)) return;
    std::fprintf(stderr, "archive_time: %s\n", error->localizedDescription()->utf8String());
    std::exit(1);
  }

  std::vector<double> read() {
    auto pool = NS::TransferPtr(NS::AutoreleasePool::alloc()->init());
    NS::Error* error = nullptr;
    const Stopwatch openWatch;
    auto archive = must(m_metal.device()->newArchive(NS::URL::fileURLWithPath(string(m_path)), &error),
                        "the archive", error);
    const double openNs = openWatch.ns();
    const Stopwatch libraryWatch;
    auto known = library(0);
    const double libraryNs = libraryWatch.ns();
    const Stopwatch pipelineWatch;
    pipeline(known.get(), archive.get());
    return {openNs, libraryNs, pipelineWatch.ns()};
  }

  uint64_t bytes() const { return std::filesystem::file_size(m_path); }

 private:
  NS::SharedPtr<MTL::Library> library(unsigned number) {
    auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
    descriptor->setSource(string(litSource(number)));
    NS::Error* error = nullptr;
    return must(m_compiler->newLibrary(descriptor.get(), &error), "the library", error);
  }

  // From the archive, or compiled where there is none.
  void pipeline(MTL::Library* library, MTL4::Archive* archive) {
    auto function = [&](const char* name) {
      auto named = NS::TransferPtr(MTL4::LibraryFunctionDescriptor::alloc()->init());
      named->setLibrary(library);
      named->setName(string(name));
      return named;
    };
    auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
    descriptor->setVertexFunctionDescriptor(function("litVertex").get());
    descriptor->setFragmentFunctionDescriptor(function("litFragment").get());
    descriptor->colorAttachments()->object(0)->setPixelFormat(MTL::PixelFormatRGBA16Float);
    descriptor->setVertexDescriptor(m_vertices.get());
    NS::Error* error = nullptr;
    must(archive ? archive->newRenderPipelineState(descriptor.get(), &error)
                 : m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error),
         "the pipeline", error);
  }

  Metal& m_metal;
  std::string m_path;
  NS::SharedPtr<MTL::VertexDescriptor> m_vertices;
  NS::SharedPtr<MTL4::Compiler> m_compiler;
};

Summary inMs(const Summary& ns) { return {ns.median / 1e6, ns.low / 1e6, ns.high / 1e6}; }

void run(const Options& options) {
  constexpr unsigned kPipelines = 100;
  Metal metal;
  twin::Device device(metal.name());
  std::string folder = (std::filesystem::temp_directory_path() / "basanite_archive_time.XXXXXX").string();
  if (!mkdtemp(folder.data())) {
    std::perror("archive_time");
    std::exit(1);
  }
  {
    Scene scene(metal, folder);
    scene.write(kPipelines);
    const auto result =
        interleave(options.repeats, {[&] { return scene.read(); }, [&] { return makeLitTwin(device); }});
    Report report("archive_time", metal.name(), options.repeats);
    report.table("a lit shader from an archive", "ms", {"ours", "twin", "ours/twin"}, 3);
    const std::string open =
        fmt::format("open an archive of {} pipelines, {} KiB", kPipelines, scene.bytes() / 1024);
    if (options.wants("open")) report.row(open, {inMs(result[0][kOpen]), Cell(), Cell()});
    if (options.wants("library"))
      report.row("a library that it knows", {inMs(result[0][kLibrary]), Cell(), Cell()});
    if (options.wants("pipeline"))
      report.row("a pipeline from it",
                 {inMs(result[0][kPipeline]), inMs(result[1][0]), ratio(result[0][kPipeline], result[1][0])});
    report.note("ours: the driver knows the pipeline. twin: from SPIR-V to a Vulkan pipeline, no cache.");
    report.finish(options);
  }
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "archive_time", "What a pipeline costs that comes from an archive.", 15));
}
