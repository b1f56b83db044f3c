// SPDX-License-Identifier: Apache-2.0
// Control flow: shapes by name, and random graphs, each of which must come out as valid structured SPIR-V.
#include "tests/shader/lower/shader_case.hpp"

#include <random>
#include <sstream>

namespace basanite::shader::test {
namespace {

constexpr const char* kMetadata = R"(
!air.kernel = !{!0}
!air.version = !{!9}
!0 = !{ptr @flow, !1, !2}
!1 = !{}
!2 = !{!3, !4}
!3 = !{i32 0, !"air.buffer", !"air.location_index", i32 0, i32 1, !"air.read_write", !"air.address_space", i32 1, !"air.arg_type_size", i32 4, !"air.arg_type_align_size", i32 4, !"air.arg_type_name", !"uint", !"air.arg_name", !"out"}
!4 = !{i32 1, !"air.thread_position_in_grid", !"air.arg_type_name", !"uint", !"air.arg_name", !"id"}
!9 = !{i32 2, i32 8, i32 0}
)";

// A kernel whose blocks jump anywhere: nested and irreducible loops, shared arms, jumps out of several
// levels.
std::string randomGraph(uint32_t seed, unsigned blocks) {
  std::mt19937 random(seed);
  auto pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  std::ostringstream text;
  text << "define void @flow(ptr addrspace(1) %out, i32 %id) {\nentry:\n  %state = alloca i32, align 4\n"
          "  store i32 %id, ptr %state, align 4\n  br label %b0\n";
  for (unsigned i = 0; i < blocks; ++i) {
    text << "b" << i << ":\n  %v" << i << " = load i32, ptr %state, align 4\n  %m" << i << " = mul i32 %v"
         << i << ", " << 3 + 2 * i << "\n  %n" << i << " = add i32 %m" << i << ", " << i << "\n  store i32 %n"
         << i << ", ptr %state, align 4\n";
    if (pick(3) == 0) text << "  store i32 %n" << i << ", ptr addrspace(1) %out, align 4\n";
    unsigned kind = i + 1 == blocks ? 0 : pick(10);
    if (kind == 0) {
      text << "  store i32 %n" << i << ", ptr addrspace(1) %out, align 4\n  ret void\n";
    } else if (kind <= 2) {
      text << "  br label %b" << pick(blocks) << "\n";
    } else if (kind <= 4) {
      text << "  switch i32 %n" << i << ", label %b" << pick(blocks) << " [ i32 1, label %b" << pick(blocks)
           << " i32 2, label %b" << pick(blocks) << " i32 7, label %b" << pick(blocks) << " ]\n";
    } else {
      // Mostly forward, as real code is.
      unsigned forward = std::min(blocks - 1, i + 1 + pick(3));
      text << "  %c" << i << " = icmp ult i32 %n" << i << ", " << 100 + pick(1000) << "\n  br i1 %c" << i
           << ", label %b" << forward << ", label %b"
           << (pick(3) == 0 ? pick(blocks) : std::min(blocks - 1, i + 1 + pick(4))) << "\n";
    }
  }
  text << "}\n" << kMetadata;
  return text.str();
}

TEST(ControlFlow, RandomGraphsBecomeValid) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::string text = randomGraph(seed, 3 + seed % 11);
    Program program = airProgram(text);
    StageBinary binary = lowerKernel(program, "flow");
    EXPECT_FALSE(binary.spirv.empty()) << text;
    if (HasFailure()) return;
  }
}

// One statement list of a random structured program, `depth` deep.
void randomStatements(std::mt19937& random, std::ostringstream& text, unsigned depth, bool inLoop,
                      bool inSwitch) {
  auto pick = [&](unsigned below) { return static_cast<unsigned>(random() % below); };
  unsigned count = 1 + pick(3);
  for (unsigned i = 0; i < count; ++i) {
    unsigned kind = depth == 0 ? pick(3) : pick(12);
    switch (kind) {
    case 0:
      text << "v = v * " << 3 + pick(9) << " + out[v & 3];\n";
      break;
    case 1:
      text << "out[" << pick(4) << "] += v;\n";
      break;
    case 2:
      if (inLoop && pick(2))
        text << "if ((v & " << 1 + pick(7) << ") == 1) " << (pick(2) && !inSwitch ? "break" : "continue")
             << ";\n";
      else
        text << "v ^= " << pick(100) << ";\n";
      break;
    case 3:
    case 4:
      text << "if (v > " << pick(50) << " && out[1] < v || v == " << pick(9) << ") {\n";
      randomStatements(random, text, depth - 1, inLoop, inSwitch);
      text << "} else {\n";
      randomStatements(random, text, depth - 1, inLoop, inSwitch);
      text << "}\n";
      break;
    case 5:
      text << "if ((v & 8) != 0) {\n";
      randomStatements(random, text, depth - 1, inLoop, inSwitch);
      text << "return; }\n";
      break;
    case 6:
    case 7:
      text << "for (uint i" << depth << " = 0; i" << depth << " < v; i" << depth << "++) {\n";
      randomStatements(random, text, depth - 1, true, false);
      text << "}\n";
      break;
    case 8:
      text << "do {\n";
      randomStatements(random, text, depth - 1, true, false);
      text << "v += out[2]; } while (v < " << 100 + pick(100) << ");\n";
      break;
    case 9:
    case 10:
      text << "switch (v & 7) {\ncase 0: v += 1; " << (pick(2) ? "break;" : "") << "\ncase 1: {\n";
      randomStatements(random, text, depth - 1, inLoop, true);
      text << "} break;\ncase 5:\ncase 6: out[3] = v; " << (pick(2) ? "break;" : "")
           << "\ndefault: v -= 2; }\n";
      break;
    default:
      text << "while (true) {\n";
      randomStatements(random, text, depth - 1, true, false);
      text << "if (v > 1000) break; v = v * 2 + 1; }\n";
      break;
    }
  }
}

// A phi names a block once an edge in LLVM and once in SPIR-V.
TEST(ControlFlow, SeveralCasesOfASwitchMayLeadToOnePhi) {
  Program program = airProgram(std::string(R"(
define void @flow(ptr addrspace(1) %out, i32 %id) {
entry:
  switch i32 %id, label %other [ i32 1, label %join i32 2, label %join i32 4, label %join ]
other:
  %double = mul i32 %id, 2
  br label %join
join:
  %value = phi i32 [ 7, %entry ], [ 7, %entry ], [ 7, %entry ], [ %double, %other ]
  store i32 %value, ptr addrspace(1) %out, align 4
  ret void
}
)") + kMetadata);
  EXPECT_FALSE(lowerKernel(program, "flow").spirv.empty());
}

TEST(ControlFlow, RandomProgramsBecomeValid) {
  std::ostringstream text;
  text << "#include <metal_stdlib>\nusing namespace metal;\n";
  constexpr unsigned kKernels = 60;
  for (unsigned i = 0; i < kKernels; ++i) {
    std::mt19937 random(i);
    text << "kernel void flow" << i
         << "(device uint* out [[buffer(0)]], uint id [[thread_position_in_grid]]) {\nuint v = out[id];\n";
    randomStatements(random, text, 3, false, false);
    text << "out[id] = v; }\n";
  }
  Program program = mslProgram(text.str());
  ASSERT_FALSE(program.air.empty());
  for (unsigned i = 0; i < kKernels; ++i) {
    SCOPED_TRACE("kernel " + std::to_string(i));
    EXPECT_FALSE(lowerKernel(program, "flow" + std::to_string(i)).spirv.empty());
    if (HasFailure()) return;
  }
}

} // namespace
} // namespace basanite::shader::test
