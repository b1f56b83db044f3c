// SPDX-License-Identifier: Apache-2.0
// Neighbouring blocks are compared, so that a program whose frames grow or shrink is not taken for overhead.
#include "src/trace/overhead.hpp"

#include <algorithm>
#include <cmath>

namespace basanite::trace {

namespace {

// Of `values`, which are not empty; between two in proportion.
double quantile(std::vector<double>& values, double share) {
  std::sort(values.begin(), values.end());
  const double position = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(position);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (values[above] - values[below]) * (position - static_cast<double>(below));
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  return quantile(values, 0.5);
}

bool isStamped(uint64_t block) { return block % 2 == 0; }

} // namespace

OverheadMeter::OverheadMeter(const Options& options)
    : m_firstWanted(options.firstFrame), m_lastWanted(options.lastFrame) {
  if (m_firstWanted >= kFrames)
    m_firstFrame = m_firstWanted - kFrames;
  else if (m_lastWanted - m_firstWanted >= 2 * kFrames)
    m_firstFrame = m_firstWanted;
  if (m_firstFrame) m_samples.resize(kFrames);
}

bool OverheadMeter::stamps(uint64_t frame) const {
  if (m_firstFrame && frame >= *m_firstFrame && frame - *m_firstFrame < kFrames)
    return isStamped((frame - *m_firstFrame) / kBlockFrames);
  constexpr uint64_t kAhead = 8;
  return frame + kAhead >= m_firstWanted && frame <= m_lastWanted;
}

void OverheadMeter::add(uint64_t frame, bool stamped, uint64_t gpuNs, uint64_t commitHostNs) {
  if (!m_firstFrame || frame < *m_firstFrame || frame - *m_firstFrame >= kFrames || gpuNs == 0) return;
  std::lock_guard lock(m_mutex);
  m_samples[frame - *m_firstFrame] = {true, stamped, gpuNs, commitHostNs};
}

std::optional<OverheadRecord> OverheadMeter::result() const {
  if (!m_firstFrame) return std::nullopt;
  struct Block {
    std::optional<double> gpuNs, periodNs;
  };
  std::vector<Block> blocks;
  OverheadRecord record;
  std::lock_guard lock(m_mutex);
  for (uint64_t block = 0; block < kBlocks; ++block) {
    std::vector<double> gpuNs, periodNs;
    for (uint64_t i = 0; i < kBlockFrames; ++i) {
      const size_t frame = block * kBlockFrames + i;
      const Sample& sample = m_samples[frame];
      // A recording may have begun in the block before.
      if (!sample.there || sample.stamped != isStamped(block) || block == 0) continue;
      ++(sample.stamped ? record.framesWith : record.framesWithout);
      gpuNs.push_back(static_cast<double>(sample.gpuNs));
      // The first one's time began in the block before.
      const Sample& before = m_samples[frame - 1];
      if (i > 0 && before.there && sample.commitHostNs > before.commitHostNs)
        periodNs.push_back(static_cast<double>(sample.commitHostNs - before.commitHostNs));
    }
    blocks.push_back({median(std::move(gpuNs)), median(std::move(periodNs))});
  }
  std::vector<double> gpuRatios, periodRatios;
  const auto compare = [&](std::optional<double> Block::* value, std::vector<double>& ratios) {
    for (uint64_t block = 1; block < kBlocks; block += 2) {
      std::vector<double> with;
      for (const uint64_t neighbour : {block - 1, block + 1})
        if (neighbour < kBlocks && blocks[neighbour].*value) with.push_back(*(blocks[neighbour].*value));
      if (blocks[block].*value && !with.empty()) ratios.push_back(*median(with) / *(blocks[block].*value));
    }
  };
  compare(&Block::gpuNs, gpuRatios);
  compare(&Block::periodNs, periodRatios);
  if (gpuRatios.empty()) return std::nullopt;
  record.gpuRatio = quantile(gpuRatios, 0.5);
  record.gpuRatioLow = quantile(gpuRatios, 0.25);
  record.gpuRatioHigh = quantile(gpuRatios, 0.75);
  if (!periodRatios.empty()) record.periodRatio = quantile(periodRatios, 0.5);
  return record;
}

} // namespace basanite::trace
