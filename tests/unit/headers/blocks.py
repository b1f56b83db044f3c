# SPDX-License-Identifier: Apache-2.0
"""Block handlers compile and run: blocks.py CLANGXX INCLUDE_FOLDER

The few symbols of a block runtime that the program needs are defined in it, so that none has to be installed.
"""

import pathlib
import subprocess
import sys
import tempfile

from compiling import compile_source

PROGRAM = r"""
#include <metal/metal.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct BlockDescriptor { unsigned long reserved, size; void (*copy)(void*, void*); void (*dispose)(void*); };
struct BlockLayout { void* isa; int flags, reserved; void* invoke; BlockDescriptor* descriptor; };

static int live = 0;
extern "C" {
void* _NSConcreteStackBlock[32];
void* _NSConcreteGlobalBlock[32];
void _Block_object_assign(void*, const void*, const int) {}
void _Block_object_dispose(const void*, const int) {}
void* _Block_copy(const void* block) {
  auto* from = static_cast<const BlockLayout*>(block);
  void* copy = std::malloc(from->descriptor->size);
  std::memcpy(copy, block, from->descriptor->size);
  ++live;
  return copy;
}
void _Block_release(const void* block) {
  --live;
  std::free(const_cast<void*>(block));
}
}

static std::function<int(int)> adder(int amount) {
  return basanite_block::hold(^(int value) { return value + amount; });
}

// The types of the API are blocks here.
static_assert(__is_same(MTL::CommandBufferHandler, void (^)(MTL::CommandBuffer*)));
static_assert(__is_same(MTL4::CommitFeedbackHandler, void (^)(MTL4::CommitFeedback*)));

int main() {
  {
    std::function<int(int)> add = adder(40);
    std::function<int(int)> again = add;
    if (add(2) != 42 || again(3) != 43) return 1;
    if (live != 1) return 2;
    int (^none)(int) = nullptr;
    if (basanite_block::hold(none)) return 3;
  }
  return live == 0 ? 0 : 4;
}
"""

# An overload of ours beside each block overload lets both kinds of handler be passed.
OVERLOADS = """
#include <metal/metal.hpp>
void use(MTL::CommandBuffer* buffer, MTL4::CommitOptions* options, MTL::Device* device) {
  buffer->addCompletedHandler(^(MTL::CommandBuffer*) {});
  buffer->addCompletedHandler([](MTL::CommandBuffer*) {});
  options->addFeedbackHandler(^(MTL4::CommitFeedback*) {});
  options->addFeedbackHandler([](MTL4::CommitFeedback*) {});
  device->newBuffer(nullptr, 4, MTL::ResourceStorageModeShared, ^(void*, NS::UInteger) {});
  device->newBuffer(nullptr, 4, MTL::ResourceStorageModeShared, nullptr);
}
"""


def main():
    compiler, include = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/blocks"
        built = subprocess.run(
            [compiler, "-std=c++20", "-fblocks", "-Wall", "-Wextra", "-Werror", f"-I{include}", "-x", "c++", "-", "-o", program],
            input=PROGRAM, text=True, capture_output=True, check=False,
        )
        if built.returncode != 0:
            print(built.stderr)
            return 1
        status = subprocess.run([program], check=False).returncode
        if status != 0:
            print(f"the program gave {status}")
            return 1
    ok, messages = compile_source(compiler, include, OVERLOADS, ["-std=c++20", "-fblocks", "-fsyntax-only"], ["BASANITE_BUILDING"])
    print(messages)
    return 0 if ok else 1


sys.exit(main())
