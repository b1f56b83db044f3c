// SPDX-License-Identifier: Apache-2.0
// Turns the records of an indirect command buffer into arguments of Vulkan's draws and dispatches and into the argument
// records of their shaders, a thread each command (src/vulkan/command_expander.hpp).
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

// base::abi::kLocalSizeXConstant is 0.
layout(local_size_x_id = 0) in;

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words { uint word[]; };
layout(buffer_reference, scalar, buffer_reference_align = 8) buffer Longs { uint64_t word[]; };

// ExpandCandidate.
struct Candidate {
  uint64_t pipeline;
  uint type;
  uint primitiveType;
  uint threads[3];
  uint reserved;
};
// ExpandParameters of command_expander.cpp.
layout(buffer_reference, scalar, buffer_reference_align = 8) readonly buffer Parameters {
  uint64_t records;
  uint64_t range;
  uint64_t entries;
  uint64_t arguments;
  uint64_t jobs;
  uint64_t status;
  uint first, count;
  uint recordBytes;
  uint candidateCount;
  uint firstBuffers, secondBuffers;
  uint firstWords, secondWords;
  uint inheritsBuffers, inheritsPipeline;
  uint mostIndices;
  uint reserved;
  Candidate candidates[];
};
layout(push_constant, scalar) uniform Constants { Parameters p; };

// MTL::IndirectCommandType.
const uint kDrawIndexed = 2, kDispatch = 32, kDispatchThreads = 64;
// ExpandFault.
const uint kNoPipeline = 1, kNoBuffer = 2, kUnevenGrid = 3, kTooManyIndices = 4;

// The first fault is kept.
void fail(uint fault, uint command, uint a, uint b) {
  Words status = Words(p.status);
  if (atomicCompSwap(status.word[0], 0u, fault) != 0) return;
  status.word[1] = command;
  status.word[2] = a;
  status.word[3] = b;
}

// False after a fault. `place`: of the stage's buffers in the record.
bool writeArguments(uint command, Words record, Words layoutWords, uint firstEntry, uint entryCount, Longs to, uint place,
                    uint buffers, uint stage) {
  for (uint i = 0; i < entryCount; ++i) {
    const uint at = 2 + 4 * (firstEntry + i);
    uint64_t word = 0;
    if (layoutWords.word[at] != 0) {
      word = packUint2x32(uvec2(layoutWords.word[at + 2], layoutWords.word[at + 3]));
    } else {
      const uint index = layoutWords.word[at + 1];
      if (index < buffers)
        word = packUint2x32(uvec2(record.word[16 + 2 * (place + index)], record.word[17 + 2 * (place + index)]));
      if (word == 0) {
        fail(kNoBuffer, command, index, stage);
        return false;
      }
    }
    to.word[i] = word;
  }
  return true;
}

void main() {
  const uint id = gl_GlobalInvocationID.x;
  if (id >= p.count) return;
  Words entries = Words(p.entries + uint64_t(id) * p.candidateCount * 32);
  for (uint i = 0; i < p.candidateCount * 8; ++i) entries.word[i] = 0;
  Words job = Words(p.jobs + uint64_t(id) * 16);
  job.word[2] = 0;

  const uint command = p.first + id;
  if (p.range != 0) {
    Words range = Words(p.range);
    if (command < range.word[0] || command - range.word[0] >= range.word[1]) return;
  }
  Words record = Words(p.records + uint64_t(command) * p.recordBytes);
  const uint type = record.word[0];
  if (type == 0) return;
  const bool compute = type == kDispatch || type == kDispatchThreads;
  const uint64_t pipeline = packUint2x32(uvec2(record.word[2], record.word[3]));
  uint found = 0;
  for (; found < p.candidateCount; ++found) {
    Candidate candidate = p.candidates[found];
    if (candidate.type != (compute ? kDispatch : type)) continue;
    if (p.inheritsPipeline == 0 && candidate.pipeline != pipeline) continue;
    if (compute ? candidate.threads[0] == record.word[12] && candidate.threads[1] == record.word[13] &&
                      candidate.threads[2] == record.word[14]
                : candidate.primitiveType == record.word[1])
      break;
  }
  if (found == p.candidateCount) {
    fail(kNoPipeline, command, 0, 0);
    return;
  }
  Candidate candidate = p.candidates[found];

  if (p.inheritsBuffers == 0) {
    Words layoutWords = Words(candidate.pipeline);
    const uint firstEntries = layoutWords.word[0], secondEntries = layoutWords.word[1];
    const uint64_t arguments = p.arguments + uint64_t(id) * (p.firstWords + p.secondWords) * 8;
    if (!writeArguments(command, record, layoutWords, 0, firstEntries, Longs(arguments), 0, p.firstBuffers, 0)) return;
    if (!writeArguments(command, record, layoutWords, firstEntries, secondEntries,
                        Longs(arguments + uint64_t(p.firstWords) * 8), p.firstBuffers, p.secondBuffers, 1))
      return;
  }

  const uint to = found * 8;
  uint words[5];
  for (int i = 0; i < 5; ++i) words[i] = record.word[4 + i];
  if (type == kDispatchThreads) {
    for (int axis = 0; axis < 3; ++axis) {
      const uint threads = candidate.threads[axis];
      if (words[axis] % threads != 0) {
        fail(kUnevenGrid, command, words[axis], threads);
        return;
      }
      words[axis] /= threads;
    }
  }
  if (type == kDrawIndexed) {
    const uint count = words[0];
    // The total may wrap, but not before a fault has been noted, and what is written stays inside all the same.
    const uint begin = count <= p.mostIndices ? atomicAdd(Words(p.status).word[7], count) : p.mostIndices;
    if (begin > p.mostIndices || count > p.mostIndices - begin) {
      fail(kTooManyIndices, command, count, p.mostIndices);
      return;
    }
    const uint isStrip = candidate.primitiveType == 2 || candidate.primitiveType == 4 ? 1 : 0;
    job.word[0] = record.word[10];
    job.word[1] = record.word[11];
    job.word[3] = begin;
    // Last: a job without a count is none.
    job.word[2] = count | (record.word[9] != 0 ? 0x80000000u : 0u) | isStrip << 30;
    words[2] = begin;
  }
  for (int i = 0; i < 5; ++i) entries.word[to + i] = words[i];
}
