// SPDX-License-Identifier: Apache-2.0
// One render pass: dynamic rendering that begins late, may be split for a stamp or a barrier, and ends once.
#pragma once

#include "src/vulkan/timestamp_recorder.hpp"
#include "src/vulkan/visibility_results.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace basanite::vulkan {

constexpr uint32_t kMaxColorTargets = 8;

// One attachment; images are in GENERAL. There is no store action: whether a part of the pass is its last is
// not known when it begins, so every part stores. Metal's DontCare allows that, and only tile-based GPUs
// would gain from less.
struct RenderTarget {
  VkImageView vkView = VK_NULL_HANDLE;
  VkImageView vkResolveView = VK_NULL_HANDLE; // null: never resolves
  VkResolveModeFlagBits resolveMode = VK_RESOLVE_MODE_NONE;
  bool resolves = true; // where there is a view; may be set until the pass ends
  VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  VkClearValue clear{};
};

struct RenderTargets {
  std::array<RenderTarget, kMaxColorTargets> colors; // vkView null: no attachment at that index
  uint32_t colorCount = 0;                           // highest used index + 1
  RenderTarget depth;
  RenderTarget stencil;
  VkRect2D area{};
  uint32_t layerCount = 1;
  // The device cannot resolve depth and stencil in one part, since they differ in it (VUID-VkRenderingInfo-
  // pDepthAttachment-06102 to 06105): each gets one of its own.
  bool resolvesAspectsApart = false;
};

// Stamps are held back until it is known what follows them, since that decides where they may go
// (docs/timestamps.md): the first draw, another draw, or the end. Same thread rule as the command buffer.
// end() exactly once.
class RenderScope {
 public:
  RenderScope(CommandBuffer& commands, TimestampRecorder& timestamps, const RenderTargets& targets);

  // Draws report to `results`, which outlive the scope. Before the first draw.
  void setVisibility(VisibilityResults& results) { m_visibility = &results; }

  // Whether an attachment resolves may be changed until end().
  RenderTargets& targets() { return m_targets; }

  // Of the pipeline that draws next.
  void setColorLocations(const ColorLocations& locations) { m_locations = locations; }

  // beforeDraw() has nothing to do for a pipeline that was drawn with last and reads no colours.
  bool isReady() const { return m_open && m_held.empty() && !(m_visibility && m_visibility->isStale()); }
  // Before each draw: begins rendering when it has not begun, writes the stamps held back, switches
  // visibility results, and orders what the draw reads of the colour attachments behind what earlier ones
  // wrote.
  void beforeDraw(bool readsColors = false) {
    if (!isReady()) prepareDraw();
    if (m_locations != m_partLocations) moveColors();
    if (readsColors != m_colorsRead || (readsColors && !m_ordersColors)) orderColors(readsColors);
  }

  // A stamp that is complete when every draw so far has completed `stage` (one bit, the latest that the app
  // named).
  void writeTimestamp(Granularity granularity, VkPipelineStageFlagBits2 stage, StampTarget target) {
    m_held.push_back({stage, target});
    m_heldPrecise |= granularity == Granularity::precise;
  }

  // Later work of this pass waits for earlier work of the queue. Before the first draw it goes ahead of the
  // pass; after it the pass is split, since Vulkan has no such barrier inside rendering.
  void barrier(VkPipelineStageFlags2 after, VkPipelineStageFlags2 before, bool memory = true);

  // Ends the pass, with every held stamp written. A pass that never drew still clears, loads and stores.
  void end();

 private:
  struct Held {
    VkPipelineStageFlagBits2 stage;
    StampTarget target;
  };
  void prepareDraw();
  void open();
  void close();
  // Resolves what is to be resolved and the last part did not, in parts that draw nothing.
  void resolveRest();
  void moveColors();
  void orderColors(bool readsColors);
  void resolvePart(std::span<const VkRenderingAttachmentInfo> colors, const VkRenderingAttachmentInfo* depth,
                   const VkRenderingAttachmentInfo* stencil);
  // A bit for each attachment that resolves: colours from bit 0 on, then depth, then stencil.
  uint32_t resolving() const;
  // What of this pass comes right behind the stamps.
  enum class Followed : uint8_t { byDraws, byOther };
  void writeHeld(Followed by);
  // The stamps themselves; `stage` for all, or each at its own.
  void writeQueries(std::optional<VkPipelineStageFlagBits2> stage = {});

  CommandBuffer& m_commands;
  TimestampRecorder& m_timestamps;
  RenderTargets m_targets;
  VisibilityResults* m_visibility = nullptr;
  std::vector<Held> m_held;
  bool m_heldPrecise = false;       // any of them
  bool m_isolatesByBarrier = false; // precise stamps stay inside the pass; else they split it
  bool m_open = false;              // inside rendering now
  bool m_resumed = false;           // a part has ended before
  uint32_t m_partResolves = 0;      // resolving(), of the last part
  ColorLocations m_locations = kOwnColorLocations, m_partLocations = kOwnColorLocations;
  bool m_ordersColors = false; // draws that read colours wait for each other by themselves
  bool m_colorsRead = false;   // by the last draw
};

} // namespace basanite::vulkan
