// SPDX-License-Identifier: Apache-2.0
// Functions full of loops, switches and early exits, on the device and on the CPU: control_flow_functions.py
// wrote one text for both.
#include "tests/support/metal_fixture.hpp"

#include <iterator>
#include <random>

namespace basanite::tests {
namespace {

using uint = uint32_t;

// Cases fall through, variables and labels go unused: that is what such functions are made of.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#include <control_flow_functions.inc>
#pragma GCC diagnostic pop

constexpr const char* kText =
#include <control_flow_text.inc>
    ;

// Each kernel runs ten of the functions, so that a wrong merge of one does not hide behind the next.
constexpr size_t kPerKernel = 10, kKernels = std::size(kFunctions) / kPerKernel;
static_assert(std::size(kFunctions) >= 200 && std::size(kFunctions) % kPerKernel == 0);

class ControlFlowNumbers : public MetalFixture {
 protected:
  // Kernels `first` up to `last`, 96 threads each, in 32 of which neighbours get far different arguments.
  void check(size_t first, size_t last) {
    std::string source = std::string("#include <metal_stdlib>\nusing namespace metal;\n") + kText;
    for (size_t k = first; k < last; ++k) {
      source += "kernel void k" + std::to_string(k) +
                "(const device uint2* in [[buffer(0)]], device uint* out [[buffer(1)]], uint id "
                "[[thread_position_in_grid]]) {\n";
      for (size_t f = 0; f < kPerKernel; ++f)
        source += "  out[id * " + std::to_string(kPerKernel) + " + " + std::to_string(f) + "] = function" +
                  std::to_string(k * kPerKernel + f) + "(in[id].x, in[id].y);\n";
      source += "}\n";
    }
    auto lib = library(source);
    ASSERT_TRUE(lib);
    std::mt19937 random(21);
    std::vector<uint> in;
    for (uint i = 0; i < 96; ++i) {
      in.push_back(i < 64 ? i : uint(random()));
      in.push_back(i < 64 ? i / 8 : uint(random()));
    }
    auto input = sharedBuffer(in), output = sharedBuffer(96 * kPerKernel * 4);
    auto table = argumentTable(2);
    table->setAddress(input->gpuAddress(), 0);
    table->setAddress(output->gpuAddress(), 1);
    for (size_t k = first; k < last; ++k) {
      auto pipeline = computePipeline(lib.get(), "k" + std::to_string(k));
      if (!pipeline) continue;
      dispatch(pipeline.get(), table.get(), 96);
      const auto got = contents<uint>(output.get());
      for (size_t f = 0; f < kPerKernel; ++f) {
        const size_t number = k * kPerKernel + f;
        for (size_t i = 0; i < 96; ++i) {
          const uint wanted = kFunctions[number](in[2 * i], in[2 * i + 1]);
          if (got[i * kPerKernel + f] == wanted) continue;
          ADD_FAILURE() << "function" << number << "(" << in[2 * i] << ", " << in[2 * i + 1] << ") is "
                        << got[i * kPerKernel + f] << ", expected " << wanted;
          break;
        }
      }
    }
  }
};

TEST_F(ControlFlowNumbers, FirstQuarter) { check(0, kKernels / 4); }
TEST_F(ControlFlowNumbers, SecondQuarter) { check(kKernels / 4, kKernels / 2); }
TEST_F(ControlFlowNumbers, ThirdQuarter) { check(kKernels / 2, kKernels * 3 / 4); }
TEST_F(ControlFlowNumbers, LastQuarter) { check(kKernels * 3 / 4, kKernels); }

} // namespace
} // namespace basanite::tests
