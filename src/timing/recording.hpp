// SPDX-License-Identifier: Apache-2.0
// A recording in memory: what BASANITE_TRACE wrote, with every time on the host's clock, for reports to walk
// over.
#pragma once

#include "src/base/result.hpp"
#include "src/trace/format.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace basanite::timing {

using trace::ObjectId;
using trace::StringId;

// Nanoseconds of the host (CLOCK_MONOTONIC); 0: not measured.
struct Interval {
  uint64_t beginNs = 0, endNs = 0;
  bool isMeasured() const { return beginNs != 0 && endNs != 0; }
  // 0 where it is not measured or ends before it begins.
  uint64_t lengthNs() const { return isMeasured() && endNs > beginNs ? endNs - beginNs : 0; }
  bool operator==(const Interval&) const = default;
};

struct RecordedDevice {
  uint32_t id = 0;
  std::string name, driver, workaround;
  double nsPerTick = 0;
  uint32_t validBits = 0;
  bool calibrated = false;
  uint64_t clockErrorNs = 0; // its GPU times lie right on the host's clock to within this
  double clockDriftPpm = 0;  // of the GPU's clock against the host's, corrected in all times
};

struct RecordedQueue {
  uint32_t id = 0;
  uint32_t device = 0; // id
  std::string label;
};

struct RecordedThread {
  uint32_t id = 0;
  std::string name;
};

struct RecordedAttachment {
  trace::AttachmentKind kind{};
  trace::LoadAction load{};
  trace::StoreAction store{};
  uint32_t index = 0;
  ObjectId texture = 0;
  StringId label = 0;
};

struct RecordedBarrier {
  trace::BarrierKind kind{};
  uint64_t afterStages = 0, beforeStages = 0; // MTL::Stages
  uint32_t beforeDraw = 0;
};

// With every=draw: one command of an encoder.
struct RecordedDraw {
  trace::CommandKind kind{};
  uint32_t index = 0; // in the encoder
  StringId pipeline = 0;
  uint64_t vertices = 0;
  Interval gpu;
};

// A debug group inside an encoder or, in a commit, around encoders.
struct RecordedGroup {
  StringId label = 0;
  uint32_t depth = 0;
  uint32_t first = 0, count = 0; // draws of the encoder; encoders of the commit
  Interval gpu, encoding;
};

struct RecordedEncoder {
  ObjectId id = 0;
  trace::EncoderKind kind{};
  StringId label = 0;
  uint32_t commandBuffer = 0; // index in the commit
  uint32_t thread = 0;
  Interval encoding;
  std::array<Interval, trace::kStageCount> stages{}; // by trace::Stage
  uint64_t vertices = 0;
  uint32_t draws = 0, dispatches = 0, copies = 0, barrierCount = 0;
  uint32_t width = 0, height = 0, samples = 0;
  bool suspends = false, resumes = false;
  std::vector<RecordedAttachment> attachments;
  std::vector<RecordedBarrier> barriers;
  std::vector<RecordedGroup> groups;
  std::vector<RecordedDraw> commands;

  // From the first stage's begin to the last one's end.
  Interval gpu() const;
};

struct RecordedCommit {
  ObjectId id = 0;
  uint64_t frame = 0;
  uint32_t queue = 0; // id
  uint32_t thread = 0, feedbackThread = 0;
  StringId label = 0, error = 0;
  uint32_t commandBufferCount = 0;
  bool stamped = false; // else its encoders' stages are not measured
  bool presents = false;
  Interval call, gpu, feedback;
  std::vector<RecordedEncoder> encoders; // in order of encoding
  std::vector<RecordedGroup> groups;     // of its command buffers
};

// What belongs together on the screen: the commits up to a present, or one commit where nothing is presented.
struct RecordedFrame {
  uint64_t index = 0;
  size_t firstCommit = 0, commitCount = 0; // in Recording::commits
  Interval gpu;                            // of all its commits
  Interval host;                           // from the first begin of encoding to the last commit's return
  bool stamped = false;                    // all of it
};

struct RecordedZone {
  trace::ZoneKind kind{};
  bool failed = false;
  uint32_t thread = 0;
  uint32_t queue = 0;
  StringId name = 0;
  uint64_t value = 0;
  Interval time;
};

struct RecordedMemory {
  uint64_t hostNs = 0;
  uint64_t bufferBytes = 0, textureBytes = 0, heapBytes = 0, driverBytes = 0;
  uint32_t bufferCount = 0, textureCount = 0;
};

struct RecordedOverhead {
  uint32_t framesWith = 0, framesWithout = 0; // both 0: not measured
  double gpuRatio = 0, gpuRatioLow = 0, gpuRatioHigh = 0;
  double periodRatio = 0;
};

// A plain value.
struct Recording {
  std::vector<std::string> commandLine;
  std::string version; // of Basanite
  uint32_t processId = 0;
  uint64_t startHostNs = 0, startUnixNs = 0, endHostNs = 0;
  uint64_t firstFrame = 0, lastFrame = UINT64_MAX; // asked for
  bool precise = false;
  trace::Every every = trace::Every::pass;
  bool complete = false; // the program ended in good order
  std::string fault;     // why reading stopped early, a sentence; else empty

  std::vector<std::string> strings; // by StringId; [0] is empty
  std::vector<RecordedDevice> devices;
  std::vector<RecordedQueue> queues;
  std::vector<RecordedThread> threads;
  std::vector<RecordedCommit> commits; // in order of the calls
  std::vector<RecordedFrame> frames;   // in order
  std::vector<RecordedZone> zones;     // by begin
  std::vector<RecordedMemory> memory;  // by time
  RecordedOverhead overhead;
  uint64_t lostStamps = 0, lostRecords = 0;
  std::vector<std::string> warnings; // of the recorder

  std::string_view text(StringId id) const {
    return id < strings.size() ? std::string_view(strings[id]) : "";
  }
  // The encoder's label, or what it is ("render pass", "compute pass") where it has none.
  std::string_view nameOf(const RecordedEncoder& encoder) const;
};

// Error, a sentence: not a recording that this program reads (recording_file.hpp). A file that was cut off or
// is damaged further on gives what comes before; `fault` says so. Encoders whose commit had not completed are
// left out.
base::Result<Recording> readRecording(const std::string& path);

} // namespace basanite::timing
