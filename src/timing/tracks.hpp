// SPDX-License-Identifier: Apache-2.0
// A recording as tracks of spans and counters over time: what every picture of it and every trace file shows.
#pragma once

#include "src/timing/frame_statistics.hpp"
#include "src/timing/pass_statistics.hpp"
#include "src/timing/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace basanite::timing {

// Nanoseconds from the beginning of the recording.
struct TrackSpan {
  uint64_t beginNs = 0, endNs = 0;          // the end never lies before the begin
  uint32_t name = 0;                        // index in Tracks::names
  int32_t pass = -1;                        // index in PassTable::passes
  uint32_t row = 0;                         // spans of one row do not overlap
  int32_t frame = -1;                       // index in Recording::frames
  const RecordedEncoder* encoder = nullptr; // of a GPU span, in the recording
};

enum class TrackKind : uint8_t {
  frames, // from the end of one to the end of the next
  stage,  // GPU work of one stage of a queue
  nested, // commits, debug groups and draws of a queue
  thread, // CPU work
};

struct Track {
  TrackKind kind{};
  std::string group; // the heading of neighbouring tracks: a queue, "CPU"
  std::string name;
  uint32_t rows = 0;
  std::vector<TrackSpan> spans; // by begin
};

struct CounterTrack {
  std::string name;
  struct Value {
    uint64_t ns = 0;
    uint64_t bytes = 0;
  };
  std::vector<Value> values; // by time
};

// An arrow from the call of a commit to its work on the GPU.
struct TrackFlow {
  uint64_t fromNs = 0, toNs = 0;
  uint32_t fromTrack = 0, toTrack = 0; // indices in Tracks::tracks
  uint32_t fromSpan = 0, toSpan = 0;   // indices in their spans
};

// Overlapping spans take rows of their own up to so many.
constexpr uint32_t kMostRows = 24;

struct Tracks {
  uint64_t originHostNs = 0; // the beginning of the recording
  uint64_t lengthNs = 0;
  std::vector<std::string> names; // valid UTF-8
  std::vector<Track> tracks;
  std::vector<CounterTrack> counters; // bytes of memory
  std::vector<TrackFlow> flows;       // by the time of the call
  std::vector<uint32_t> waitNames;    // of spans in which a thread only waits
  size_t spanCount = 0;
  size_t leftOut = 0; // spans that found all rows taken
};

// Refers to encoders of the recording, which must outlive it.
Tracks tracksOf(const Recording& recording, const PassTable& passes, const FrameStatistics& frames);

} // namespace basanite::timing
