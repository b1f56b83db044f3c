// SPDX-License-Identifier: Apache-2.0
// The file that BASANITE_TRACE names: a header, then chunks of records, as the recorder writes and src/timing
// reads them.
//
// Everything is little-endian and lies as the structures below do. A file is written front to back and never
// rewritten, so a killed program leaves one that is good up to its last whole record. Strings are defined
// before they are used. A reader skips records of kinds it does not know, and takes records that are longer
// than it knows (fields are only ever appended); a change that an older reader would misread raises kVersion.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace basanite::trace {

static_assert(std::endian::native == std::endian::little);

constexpr std::array<char, 8> kMagic = {'B', 'S', 'N', 'T', 'R', 'A', 'C', 'E'};
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMaxChunkBytes = 1 << 20; // of the payload
constexpr uint32_t kMaxRecordBytes = 65'528; // header included

// At offset 0.
struct FileHeader {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kVersion;
  uint32_t headerBytes = 16; // the first chunk begins there
};
static_assert(sizeof(FileHeader) == 16);

// Before every chunk. Its records were emitted by one thread, in that order; chunks of different threads are
// in no order of time.
struct ChunkHeader {
  uint32_t thread = 0; // the operating system's thread id
  uint32_t payloadBytes = 0;
};

enum class RecordKind : uint16_t {
  string = 1,
  process = 2,
  device = 3,
  thread = 4,
  queue = 5,
  clock = 6,
  commit = 7,
  encoder = 8,
  attachment = 9,
  barrier = 10,
  draw = 11,
  group = 12,
  zone = 13,
  memory = 14,
  overhead = 15,
  lost = 16,
  warning = 17,
  end = 18,
};

// Before every record: `bytes` includes this header and is a multiple of 8.
struct RecordHeader {
  RecordKind kind;
  uint16_t bytes = 0;
  uint32_t reserved = 0;
};
static_assert(sizeof(RecordHeader) == 8);

using StringId = uint32_t; // 0: no text
using ObjectId = uint64_t; // of commits, encoders and textures: unique in the file; 0: none

// Times ending in HostNs are CLOCK_MONOTONIC, those ending in GpuNs the device's counter-heap clock; 0: not
// measured.

// Followed by `lengthBytes` of UTF-8 and padding.
struct StringRecord {
  static constexpr RecordKind kKind = RecordKind::string;
  StringId id = 0;
  uint32_t lengthBytes = 0;
};

enum class Every : uint8_t { pass = 0, draw = 1 };

struct ProcessRecord {
  static constexpr RecordKind kKind = RecordKind::process;
  uint64_t startHostNs = 0; // when recording began
  uint64_t startUnixNs = 0; // the same moment on the calendar
  uint64_t firstFrame = 0;
  uint64_t lastFrame = UINT64_MAX; // inclusive
  uint32_t processId = 0;
  StringId commandLine = 0; // arguments, a NUL between each
  StringId version = 0;     // of Basanite
  uint8_t precise = 0;      // stamps drain the GPU; else relaxed
  Every every = Every::pass;
  uint16_t reserved = 0;
};

struct DeviceRecord {
  static constexpr RecordKind kKind = RecordKind::device;
  uint32_t device = 0; // from 1
  StringId name = 0;
  StringId driver = 0;     // with its version
  StringId workaround = 0; // row of docs/workarounds.md
  double nsPerTick = 0;
  uint32_t validBits = 0;
  uint32_t calibrated = 0; // clocks are read together; else the GPU's is probed by stamps
};

struct ThreadRecord {
  static constexpr RecordKind kKind = RecordKind::thread;
  uint32_t thread = 0;
  StringId name = 0;
};

struct QueueRecord {
  static constexpr RecordKind kKind = RecordKind::queue;
  uint32_t queue = 0; // from 1
  uint32_t device = 0;
  StringId label = 0;
  uint32_t reserved = 0;
};

// One moment on both clocks: at the start, about every second, at the end.
struct ClockRecord {
  static constexpr RecordKind kKind = RecordKind::clock;
  uint32_t device = 0;
  uint32_t reserved = 0;
  uint64_t hostNs = 0;
  uint64_t gpuNs = 0;
  uint64_t errorNs = 0; // the pair is right to within this
};

// Emitted when the commit's work is done and its feedback handlers have run; behind the records of its
// encoders.
struct CommitRecord {
  static constexpr RecordKind kKind = RecordKind::commit;
  ObjectId commit = 0; // from 1, in the order of the calls
  uint64_t frame = 0;  // from 0; see docs/timing-tool.md for where one ends
  uint32_t queue = 0;
  uint32_t thread = 0; // that committed
  uint64_t callBeginHostNs = 0, callEndHostNs = 0;
  uint64_t startGpuNs = 0, endGpuNs = 0;                   // of all its work, as in its feedback
  uint64_t feedbackBeginHostNs = 0, feedbackEndHostNs = 0; // the handlers; equal when there are none
  uint32_t feedbackThread = 0;
  uint32_t commandBufferCount = 0;
  uint32_t encoderCount = 0;
  StringId label = 0;  // of the first command buffer
  StringId error = 0;  // that the feedback reports
  uint8_t stamped = 0; // its encoders have stamps; without in blocks that measure what stamps cost
  uint8_t presents = 0;
  uint16_t reserved = 0;
};

// What the arrays of an encoder's stages are indexed by.
enum class Stage : uint8_t { vertex, object, mesh, fragment, compute };
constexpr size_t kStageCount = 5;

enum class EncoderKind : uint8_t { render = 0, compute = 1 };

struct EncoderRecord {
  static constexpr RecordKind kKind = RecordKind::encoder;
  ObjectId encoder = 0;
  ObjectId commit = 0;
  uint32_t commandBuffer = 0; // index in the commit
  uint32_t index = 0;         // in the commit
  uint32_t thread = 0;        // that encoded
  StringId label = 0;
  uint64_t encodeBeginHostNs = 0, encodeEndHostNs = 0;        // from its making to endEncoding
  std::array<uint64_t, kStageCount> beginGpuNs{}, endGpuNs{}; // 0: a stage that it does not have, or no stamp
  uint64_t vertices = 0;                                      // times instances, of direct draws
  uint32_t draws = 0;
  uint32_t dispatches = 0;
  uint32_t copies = 0; // copies, fills, mipmaps
  uint32_t barriers = 0;
  uint32_t width = 0, height = 0; // of the render target
  uint32_t samples = 0;
  EncoderKind kind = EncoderKind::render;
  uint8_t suspends = 0, resumes = 0; // a part of a pass over several command buffers
  uint8_t reserved = 0;
};

enum class LoadAction : uint8_t { dontCare = 0, load = 1, clear = 2 };
enum class StoreAction : uint8_t { dontCare = 0, store = 1, resolve = 2, storeAndResolve = 3, unknown = 4 };
enum class AttachmentKind : uint8_t { color = 0, depth = 1, stencil = 2 };

// Behind its encoder.
struct AttachmentRecord {
  static constexpr RecordKind kKind = RecordKind::attachment;
  ObjectId encoder = 0;
  ObjectId texture = 0; // the same for all views of a texture, while it lives
  StringId label = 0;   // the texture's
  uint32_t index = 0;   // of a colour attachment
  AttachmentKind kind = AttachmentKind::color;
  LoadAction load = LoadAction::dontCare;
  StoreAction store = StoreAction::dontCare;
  uint8_t reserved = 0;
  uint32_t reserved2 = 0;
};

// MTL::Stages as the program gave them. Behind its encoder.
enum class BarrierKind : uint8_t { consumer = 0, producer = 1, encoder = 2, fenceWait = 3, fenceUpdate = 4 };
struct BarrierRecord {
  static constexpr RecordKind kKind = RecordKind::barrier;
  ObjectId encoder = 0;
  uint64_t afterStages = 0, beforeStages = 0; // 0 where the call has none
  uint32_t beforeDraw = 0;                    // it stands ahead of the encoder's command of this index
  BarrierKind kind = BarrierKind::consumer;
  uint8_t reserved = 0;
  uint16_t reserved2 = 0;
};

enum class CommandKind : uint8_t { draw = 0, meshDraw = 1, dispatch = 2, copy = 3 };

// With every=draw: one command of an encoder. Behind its encoder.
struct DrawRecord {
  static constexpr RecordKind kKind = RecordKind::draw;
  ObjectId encoder = 0;
  uint64_t beginGpuNs = 0, endGpuNs = 0; // between the stamp behind the command before it and its own
  uint64_t vertices = 0;                 // times instances; threads of a dispatch; 0: from memory
  uint32_t index = 0;                    // in the encoder
  StringId pipeline = 0;
  CommandKind kind = CommandKind::draw;
  uint8_t reserved = 0;
  uint16_t reserved2 = 0;
  uint32_t reserved3 = 0;
};

// A debug group. In an encoder: behind it. Of a command buffer (encoder 0): behind the last encoder it holds.
struct GroupRecord {
  static constexpr RecordKind kKind = RecordKind::group;
  ObjectId commit = 0;
  ObjectId encoder = 0; // 0: of the command buffer
  uint64_t beginGpuNs = 0, endGpuNs = 0;
  uint64_t beginHostNs = 0, endHostNs = 0; // of encoding
  StringId label = 0;
  uint32_t depth = 0;            // groups around it, at the same level
  uint32_t first = 0, count = 0; // commands of the encoder; or encoders of the commit
};

enum class ZoneKind : uint8_t {
  other = 0,
  compileLibrary = 1,
  compilePipeline = 2,
  waitForEvent = 3, // SharedEvent::waitUntilSignaledValue
  queueWait = 4,    // CommandQueue::wait
  queueSignal = 5,  // CommandQueue::signalEvent
  present = 6,
  upload = 7,
};

// What a thread of the host did.
struct ZoneRecord {
  static constexpr RecordKind kKind = RecordKind::zone;
  uint64_t beginHostNs = 0, endHostNs = 0;
  uint64_t value = 0; // of an event
  uint32_t thread = 0;
  StringId name = 0; // function, pipeline, event or queue
  ZoneKind kind = ZoneKind::other;
  uint8_t failed = 0;
  uint16_t reserved = 0;
  uint32_t queue = 0; // of queueWait, queueSignal, present
};

// Bytes alive now.
struct MemoryRecord {
  static constexpr RecordKind kKind = RecordKind::memory;
  uint64_t hostNs = 0;
  uint64_t bufferBytes = 0, textureBytes = 0, heapBytes = 0;
  uint64_t driverBytes = 0; // all that Basanite has from the driver, its own included
  uint32_t bufferCount = 0, textureCount = 0;
};

// What stamps cost, from blocks of frames with and without them by turns. The newest one counts.
struct OverheadRecord {
  static constexpr RecordKind kKind = RecordKind::overhead;
  uint32_t framesWith = 0, framesWithout = 0;
  double gpuRatio = 0;                      // median over neighbouring blocks of GPU time with / without
  double periodRatio = 0;                   // the same of the time from frame to frame
  double gpuRatioLow = 0, gpuRatioHigh = 0; // quartiles
};

// In all so far. The newest one counts.
struct LostRecord {
  static constexpr RecordKind kKind = RecordKind::lost;
  uint64_t stamps = 0;  // no slot was free
  uint64_t records = 0; // the disk did not keep up, or is full
};

// Anything that makes the figures less than they seem.
struct WarningRecord {
  static constexpr RecordKind kKind = RecordKind::warning;
  uint64_t hostNs = 0;
  StringId text = 0; // a sentence
  uint32_t reserved = 0;
};

// The last record of a program that ended in good order.
struct EndRecord {
  static constexpr RecordKind kKind = RecordKind::end;
  uint64_t hostNs = 0;
};

} // namespace basanite::trace
