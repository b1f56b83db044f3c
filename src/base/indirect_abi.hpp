// SPDX-License-Identifier: Apache-2.0
// An indirect command buffer in GPU memory: a header, and a record for each command. Kernels write it through
// src/shader/frontend/stdlib/indirect.h, the CPU through src/metal, and src/vulkan/expand_commands.comp reads it; change
// all of them in one commit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace basanite::base::abi {

// MTL::IndirectCommandBuffer::gpuResourceID is its address.
struct IndirectHeader {
  uint64_t records = 0;    // 0   address of record 0
  uint32_t recordBytes = 0; // 8   from one record to the next
  uint32_t count = 0;      // 12  of records
  uint32_t firstBuffers = 0;  // 16  places in a record for buffers of the vertex stage or the kernel
  uint32_t secondBuffers = 0; // 20  and, behind them, of the fragment stage
  uint32_t reserved[10] = {};
};
static_assert(sizeof(IndirectHeader) == 64);

// Addresses of buffers follow, 64 bits each. All zero: a command that does nothing.
struct IndirectRecord {
  uint32_t type = 0;          // 0   a bit of MTL::IndirectCommandType
  uint32_t primitiveType = 0; // 4   MTL::PrimitiveType
  uint64_t pipeline = 0;      // 8   gpuResourceID: the address of its IndirectLayout; 0: none set
  // The members of VkDrawIndirectCommand; of VkDrawIndexedIndirectCommand, the first index being 0; or threadgroups, or
  // threads, along the three axes.
  uint32_t arguments[5] = {}; // 16
  uint32_t indexType = 0;     // 36  MTL::IndexType
  uint64_t indices = 0;       // 40  address
  uint32_t threadsPerThreadgroup[3] = {}; // 48
  uint32_t reserved = 0;                  // 60
};
static_assert(sizeof(IndirectRecord) == 64);
static_assert(offsetof(IndirectRecord, arguments) == 16 && offsetof(IndirectRecord, indices) == 40);

// What a pipeline's argument records are made of: counts, then the entries of the vertex stage or the kernel, then those
// of the fragment stage.
struct IndirectLayout {
  uint32_t firstEntries = 0, secondEntries = 0;
};
struct IndirectLayoutEntry {
  uint32_t isConstant = 0; // 1: the word is `value`; 0: the address of buffer `index`
  uint32_t index = 0;
  uint64_t value = 0;
};
static_assert(sizeof(IndirectLayout) == 8 && sizeof(IndirectLayoutEntry) == 16);

} // namespace basanite::base::abi
