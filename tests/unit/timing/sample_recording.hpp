// SPDX-License-Identifier: Apache-2.0
// A small game as a recording in memory, with figures that are easy to check.
#pragma once

#include "src/timing/recording.hpp"

#include <cstdint>
#include <string>

namespace basanite::timing::test {

class SampleRecording {
 public:
  static constexpr uint64_t kStartNs = 1'000'000'000;
  static constexpr uint64_t kFrameNs = 10'000'000; // from one to the next
  static constexpr uint32_t kMainThread = 71, kLoaderThread = 72;

  SampleRecording() {
    recording.commandLine = {"/opt/game/bin/racer", "--level", "3 & <4>"};
    recording.version = "0.1.0";
    recording.processId = 4711;
    recording.startHostNs = kStartNs;
    recording.startUnixNs = 1'795'000'000'000'000'000;
    recording.endHostNs = kStartNs;
    recording.complete = true;
    recording.strings = {""};
    RecordedDevice device;
    device.id = 1;
    device.name = "Test GPU";
    device.driver = "test 1.2";
    device.nsPerTick = 1;
    device.validBits = 64;
    device.calibrated = true;
    device.clockErrorNs = 1'234;
    recording.devices.push_back(device);
    recording.queues = {{1, 1, "main"}};
    recording.threads = {{kMainThread, "main"}, {kLoaderThread, ""}};
    recording.overhead = {40, 40, 1.012, 0.99, 1.02, 1.004};
  }

  StringId text(const std::string& text) {
    for (StringId id = 0; id < recording.strings.size(); ++id)
      if (recording.strings[id] == text) return id;
    recording.strings.push_back(text);
    return static_cast<StringId>(recording.strings.size() - 1);
  }

  // A pass whose only stage (fragment or compute) takes this long; times are from the recording's start.
  RecordedEncoder pass(const std::string& label, uint64_t beginNs, uint64_t lengthNs,
                       trace::EncoderKind kind = trace::EncoderKind::render) {
    RecordedEncoder encoder;
    encoder.id = ++m_ids;
    encoder.kind = kind;
    encoder.label = text(label);
    encoder.thread = kMainThread;
    const bool isRender = kind == trace::EncoderKind::render;
    encoder.stages[size_t(isRender ? trace::Stage::fragment : trace::Stage::compute)] = at(beginNs, lengthNs);
    (isRender ? encoder.draws : encoder.dispatches) = 3;
    if (isRender) encoder.vertices = 3'000;
    return encoder;
  }

  static Interval at(uint64_t beginNs, uint64_t lengthNs) {
    return {kStartNs + beginNs, kStartNs + beginNs + lengthNs};
  }

  RecordedAttachment attachment(const std::string& label, trace::LoadAction load, trace::StoreAction store) {
    return {trace::AttachmentKind::color, load, store, 0, 1'000 + text(label), text(label)};
  }

  // A commit and frame of its own. It is called 2 ms before its GPU work begins.
  RecordedCommit& commit(std::vector<RecordedEncoder> encoders) {
    RecordedCommit commit;
    commit.id = recording.commits.size() + 1;
    commit.frame = recording.commits.size();
    commit.queue = 1;
    commit.thread = kMainThread;
    commit.stamped = true;
    for (const RecordedEncoder& encoder : encoders) {
      const Interval gpu = encoder.gpu();
      commit.gpu.beginNs = commit.gpu.beginNs == 0 ? gpu.beginNs : std::min(commit.gpu.beginNs, gpu.beginNs);
      commit.gpu.endNs = std::max(commit.gpu.endNs, gpu.endNs);
    }
    if (commit.gpu.beginNs == 0) commit.gpu = at(recording.commits.size() * kFrameNs, 1'000'000);
    const uint64_t called =
        commit.gpu.beginNs > kStartNs + 2'000'000 ? commit.gpu.beginNs - 2'000'000 : kStartNs;
    commit.call = {called, called + 50'000};
    uint64_t encode = called > kStartNs + 1'000'000 ? called - 1'000'000 : kStartNs;
    for (RecordedEncoder& encoder : encoders) {
      if (!encoder.encoding.isMeasured()) encoder.encoding = {encode, encode + 100'000};
      encode += 100'000;
    }
    commit.encoders = std::move(encoders);
    RecordedFrame frame;
    frame.index = commit.frame;
    frame.firstCommit = recording.commits.size();
    frame.commitCount = 1;
    frame.gpu = commit.gpu;
    frame.host = {commit.encoders.empty() ? commit.call.beginNs : commit.encoders[0].encoding.beginNs,
                  commit.call.endNs};
    frame.stamped = true;
    recording.frames.push_back(frame);
    recording.endHostNs = std::max(recording.endHostNs, commit.gpu.endNs);
    recording.commits.push_back(std::move(commit));
    return recording.commits.back();
  }

  // Frames of a shadow map (1 ms), a scene (4 ms, two debug groups in it) and bloom (compute, 2 ms); every
  // tenth frame the scene takes 12 ms more, which makes it a slow one.
  void play(size_t frames) {
    uint64_t begin = 3'000'000 + recording.commits.size() * kFrameNs;
    for (size_t i = 0; i < frames; ++i) {
      const uint64_t more = i % 10 == 9 ? 12'000'000 : 0;
      RecordedEncoder shadow = pass("shadow map", begin, 1'000'000);
      RecordedEncoder scene = pass("scene", begin + 1'000'000, 4'000'000 + more);
      scene.stages[size_t(trace::Stage::vertex)] = at(begin + 1'000'000, 500'000);
      scene.groups.push_back({text("opaque"), 0, 0, 2, at(begin + 1'000'000, 3'000'000), {}});
      scene.groups.push_back({text("trees"), 1, 1, 1, at(begin + 2'000'000, 1'000'000), {}});
      RecordedEncoder bloom = pass("bloom", begin + 5'000'000 + more, 2'000'000, trace::EncoderKind::compute);
      RecordedCommit& made = commit({shadow, scene, bloom});
      made.groups.push_back({text("post"), 0, 2, 1, {}, {}});
      made.feedback = {made.gpu.endNs, made.gpu.endNs + 20'000};
      made.feedbackThread = kLoaderThread;
      recording.memory.push_back({made.call.beginNs, 1 << 20, (2 << 20) + i * 4096, 0, 8 << 20, 10, 5});
      begin += kFrameNs + more;
    }
  }

  void zone(trace::ZoneKind kind, const std::string& name, uint64_t beginNs, uint64_t lengthNs) {
    recording.zones.push_back({kind, false, kLoaderThread, 0, text(name), 0, at(beginNs, lengthNs)});
  }

  Recording recording;

 private:
  ObjectId m_ids = 0;
};

} // namespace basanite::timing::test
