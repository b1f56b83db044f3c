// SPDX-License-Identifier: Apache-2.0
// Source to SPIR-V, warm, in one process: our compiler beside glslang on the same shader in GLSL. glslang
// neither optimises nor validates; ours does both. No device is needed.
#include "benchmarks/harness/report.hpp"
#include "benchmarks/shader/glsl.hpp"
#include "benchmarks/shader/texts.hpp"
#include "src/shader/compiler.hpp"

#include <fmt/format.h>

namespace basanite::benchmarks {
namespace {

constexpr unsigned kFunctions = 100; // of the large library

// Another constant each time, so that no cache below can know the shader.
std::string salted(std::string source) {
  static unsigned salt = 0;
  const std::string_view constant = "0.002";
  return source.replace(source.find(constant), constant.size(), fmt::format("0.002{}", ++salt));
}

template <class T> T orFail(base::Result<T> result) {
  if (!result.ok()) fail(result.error().message);
  return std::move(result).value();
}

struct Ours {
  shader::Compiler* compiler = orFail(shader::loadCompiler());
  shader::DeviceTraits traits;

  Ours() { traits.float16 = traits.int8 = traits.int16 = traits.storage8 = traits.storage16 = true; }

  shader::Program program(const std::string& source) {
    return orFail(compiler->compileSource(source, shader::SourceOptions()));
  }
  size_t spirvWords(const shader::Program& program, const std::string& function) {
    shader::FunctionRef reference;
    reference.program = &program;
    reference.name = function;
    return orFail(compiler->lowerFunction(reference, traits)).spirv.size();
  }
};

// Kernels of a dozen lines each, all different; the twin's are shaders of their own, as GLSL has one entry
// point.
std::string kernelBody(unsigned n, const char* load, const char* store) {
  return fmt::format(R"(  float x = {0};
  float sum = {1}.0;
  for (int k = 0; k < {2}; ++k) {{
    x = x * 1.{1} + float(k);
    if (x > 100.0) x -= 90.0;
    sum += sqrt(abs(x)) * {1}.5;
  }}
  sum += sin(sum) * cos(x) + clamp(x, 0.0, 1.0);
  {3} = sum;
)",
                     load, n + 1, n % 7 + 2, store);
}
std::string metalLibrary(unsigned salt) {
  std::string source = "#include <metal_stdlib>\nusing namespace metal;\n";
  for (unsigned n = 0; n < kFunctions; ++n) {
    source += fmt::format(
        "kernel void f{}(device float* data [[buffer(0)]], uint i [[thread_position_in_grid]]) {{\n{}}}\n", n,
        kernelBody(n + salt * kFunctions, "data[i]", "data[i]"));
  }
  return source;
}
std::string glslKernel(unsigned n) {
  return "#version 460\nlayout(local_size_x = 64) in;\nlayout(set = 0, binding = 0) buffer Data { float "
         "data[]; };\nvoid main() {\n"
         "uint i = gl_GlobalInvocationID.x;\n" +
         kernelBody(n, "data[i]", "data[i]") + "}\n";
}

Summary inMs(const Summary& ns) { return {ns.median / 1e6, ns.low / 1e6, ns.high / 1e6}; }

void run(const Options& options) {
  Ours ours;
  openGlsl();
  Report report("front_end", "no device", options.repeats);
  report.table("source to SPIR-V", "ms", {"ours", "of it, lowering", "glslang", "ours/glslang"}, 2);
  auto row = [&](const char* name, const Contender& mine, const Contender& twin) {
    if (!options.wants(name)) return;
    const auto result = interleave(options.repeats, {mine, twin});
    report.row(name, {inMs(result[0][0]), inMs(result[0][1]), inMs(result[1][0]),
                      ratio(result[0][0], result[1][0])});
  };
  const std::string metal = shaderText("surface.metal"), glsl = shaderText("surface.frag");
  row(
      "a fragment function of 100 lines",
      [&] {
        const std::string source = salted(metal);
        const Stopwatch watch;
        const shader::Program program = ours.program(source);
        const double parsed = watch.ns();
        ours.spirvWords(program, "surface");
        return std::vector<double>{watch.ns(), watch.ns() - parsed};
      },
      [&] {
        const std::string source = salted(glsl);
        const Stopwatch watch;
        compileGlsl(source, GlslStage::fragment);
        return std::vector<double>{watch.ns()};
      });
  unsigned salt = 0;
  row(
      "a library of 100 kernels",
      [&] {
        const std::string source = metalLibrary(++salt);
        const Stopwatch watch;
        const shader::Program program = ours.program(source);
        const double parsed = watch.ns();
        for (unsigned n = 0; n < kFunctions; ++n) ours.spirvWords(program, fmt::format("f{}", n));
        return std::vector<double>{watch.ns(), watch.ns() - parsed};
      },
      [&] {
        const unsigned first = ++salt * kFunctions;
        std::vector<std::string> sources;
        for (unsigned n = 0; n < kFunctions; ++n) sources.push_back(glslKernel(first + n));
        const Stopwatch watch;
        for (const std::string& source : sources) compileGlsl(source, GlslStage::compute);
        return std::vector<double>{watch.ns()};
      });
  report.note("Ours ends in validated, optimised SPIR-V; glslang in SPIR-V that is neither. Lowering: "
              "library to SPIR-V, as a "
              "pipeline does it.");
  report.finish(options);
  closeGlsl();
}

} // namespace
} // namespace basanite::benchmarks

int main(int argc, char** argv) {
  using namespace basanite::benchmarks;
  run(parseOptions(argc, argv, "front_end", "How long shaders take from source to SPIR-V, beside glslang.",
                   15));
}
