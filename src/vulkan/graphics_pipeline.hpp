// SPDX-License-Identifier: Apache-2.0
// A pipeline that draws with vertex or mesh functions, and a VkPipeline of it for each kind of pass and state
// it was drawn with.
//
// Metal 4's pipeline descriptor names no depth or stencil format, and some of Metal's encoder state is static
// in Vulkan 1.3; both are known at the first draw, where the variant is compiled. Everything else is dynamic
// state.
#pragma once

#include "src/base/ref.hpp"
#include "src/base/result.hpp"
#include "src/vulkan/device.hpp"
#include "src/vulkan/threadgroup_shape.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <shared_mutex>
#include <span>
#include <string>
#include <vector>

namespace basanite::vulkan {

constexpr uint32_t kMaxColorAttachments = 8;

// What a pass renders into; UNDEFINED where it has no attachment. Filled from the pass descriptor.
struct PassFormats {
  std::array<VkFormat, kMaxColorAttachments> color{}; // VK_FORMAT_UNDEFINED = 0
  VkFormat depth = VK_FORMAT_UNDEFINED;
  VkFormat stencil = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  uint32_t viewMask = 0;
  bool sampleLocations = false; // set by CommandBuffer::setSampleLocations

  // VkRenderingInfo::colorAttachmentCount of such a pass: up to the last one that is there.
  uint32_t colorCount() const {
    uint32_t count = kMaxColorAttachments;
    while (count > 0 && color[count - 1] == VK_FORMAT_UNDEFINED) --count;
    return count;
  }
  auto operator<=>(const PassFormats&) const = default;
};

enum class TopologyClass : uint8_t { point, line, triangle };
// Lists and strips of one kind share a pipeline; the exact topology is dynamic.
TopologyClass topologyClassOf(VkPrimitiveTopology topology);

// Threadgroups of a mesh draw; all at their defaults for vertex draws.
struct MeshShape {
  LocalSize object, mesh;
  std::vector<ThreadgroupLength> objectLengths; // in ascending index order
  auto operator<=>(const MeshShape&) const = default;
};

// Which output and input [[color(n)]] of a fragment function each attachment is; kNoColorLocation: none.
using ColorLocations = std::array<uint8_t, kMaxColorAttachments>;
constexpr ColorLocations kOwnColorLocations = {0, 1, 2, 3, 4, 5, 6, 7};
constexpr uint8_t kNoColorLocation = 0xff;
// As Vulkan takes them.
std::array<uint32_t, kMaxColorAttachments> vkLocations(const ColorLocations& locations);

// Encoder state that selects a variant.
struct VariantState {
  TopologyClass topologyClass = TopologyClass::triangle;
  VkPolygonMode polygonMode = VK_POLYGON_MODE_FILL;
  bool depthClamp = false;
  ColorLocations colorLocations = kOwnColorLocations; // others need dynamicRenderingLocalRead
  MeshShape threadgroups;
  auto operator<=>(const VariantState&) const = default;
};

struct GraphicsPipelineInfo {
  std::span<const uint32_t> vertexSpirv; // empty: a mesh pipeline
  std::span<const uint32_t> objectSpirv; // mesh pipelines; may be empty
  std::span<const uint32_t> meshSpirv;
  std::span<const uint32_t> fragmentSpirv; // empty: depth only, or rasterization off
  std::string_view label;
  // Blend state per color attachment of the pipeline; an attachment the pipeline does not name has mask 0.
  std::array<VkPipelineColorBlendAttachmentState, kMaxColorAttachments> blend{};
  bool rasterizationEnabled = true;
  bool alphaToCoverage = false;
  bool alphaToOne = false;
  bool readsColors = false; // the fragment function has [[color(n)]] inputs
};

// Immutable but for the cache of variants. Thread-safe. Destruction is deferred.
//
// Mesh pipelines need a device with mesh shaders, and task shaders where they have an object stage; the
// caller checks that.
//
// Dynamic, to be set before the first draw of a VkCommandBuffer (src/vulkan/command_buffer.hpp does):
// viewports and scissors with count, cull mode, front face, primitive topology and restart (not of mesh
// pipelines), rasterizer discard excepted (static), depth test / write / compare / bias / bias enable /
// bounds and bounds test, stencil test / ops / masks / reference, blend constants.
class GraphicsPipeline final : public base::RefCounted {
 public:
  // Makes the modules; with `expected` also that variant, so that shader errors show here.
  static base::Result<base::Ref<GraphicsPipeline>> create(const base::Ref<Device>& device,
                                                          const GraphicsPipelineInfo& info,
                                                          const PassFormats* expected = nullptr,
                                                          VariantState expectedState = {});

  // A pipeline that differs from `base` in its blend state only. Shares its modules, so it keeps it.
  static base::Ref<GraphicsPipeline>
  withBlend(const base::Ref<GraphicsPipeline>& base,
            const std::array<VkPipelineColorBlendAttachmentState, kMaxColorAttachments>& blend,
            std::string_view label);

  // The pipeline for a pass and state; compiled on first use. Error: fill mode lines or depth clamp on a
  // device without them, a format the device cannot blend, naming pipeline and value.
  base::Result<VkPipeline> variant(const PassFormats& formats, VariantState state);

  size_t variantCount() const;
  const std::string& label() const { return m_label; }
  bool isMesh() const { return m_vkMeshModule != VK_NULL_HANDLE; }
  // Whether a fragment function runs.
  bool hasFragmentStage() const { return m_vkFragmentModule != VK_NULL_HANDLE && m_rasterizationEnabled; }

 private:
  struct Key {
    PassFormats formats;
    VariantState state;
    auto operator<=>(const Key&) const = default;
  };
  explicit GraphicsPipeline(base::Ref<Device> device) : m_device(std::move(device)) {}
  ~GraphicsPipeline() override;
  base::Result<VkPipeline> compile(const Key& key);

  base::Ref<Device> m_device;
  base::Ref<GraphicsPipeline> m_base; // the modules' owner; null: this one
  VkShaderModule m_vkVertexModule = VK_NULL_HANDLE;
  VkShaderModule m_vkObjectModule = VK_NULL_HANDLE;
  VkShaderModule m_vkMeshModule = VK_NULL_HANDLE;
  VkShaderModule m_vkFragmentModule = VK_NULL_HANDLE;
  std::string m_label;
  std::array<VkPipelineColorBlendAttachmentState, kMaxColorAttachments> m_blend{};
  bool m_rasterizationEnabled = true;
  bool m_alphaToCoverage = false;
  bool m_alphaToOne = false;
  bool m_readsColors = false;
  mutable std::shared_mutex m_mutex;
  std::map<Key, VkPipeline> m_variants;
};

} // namespace basanite::vulkan
