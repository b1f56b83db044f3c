// SPDX-License-Identifier: Apache-2.0
// Implementation of pipeline_script.hpp. Enumerations are written as the numbers of the public headers.
#include "src/metal/pipeline_script.hpp"

#include "src/metal/MTL4ComputePipeline.hpp"
#include "src/metal/MTL4MeshRenderPipeline.hpp"
#include "src/metal/MTL4RenderPipeline.hpp"

#include <nlohmann/json.hpp>

namespace basanite::metal {

namespace {

using Json = nlohmann::ordered_json;

Json describe(const FoundFunction& function) {
  Json constants = Json::array();
  for (const shader::FunctionConstantValue& value : function.constants) {
    Json entry;
    if (value.name.empty())
      entry["index"] = value.index;
    else
      entry["name"] = value.name;
    entry["type"] = value.type;
    entry["bytes"] = value.bytes;
    constants.push_back(std::move(entry));
  }
  return {{"name", function.name}, {"library", function.code->digest()}, {"constants", std::move(constants)}};
}

Json describe(MTL::Size size) {
  return Json::array({NS::UInteger(size.width), NS::UInteger(size.height), NS::UInteger(size.depth)});
}

Json describe(const VertexDescriptor& descriptor) {
  Json attributes = Json::array(), layouts = Json::array();
  const auto* attributeArray = descriptor.attributes.ifMade();
  for (size_t i = 0; attributeArray && i < kMaxVertexAttributes; ++i)
    if (const auto* a = attributeArray->ifMade(i); a && a->format != MTL::VertexFormatInvalid)
      attributes.push_back({{"index", i},
                            {"format", static_cast<uint64_t>(a->format)},
                            {"offset", a->offset},
                            {"bufferIndex", a->bufferIndex}});
  const auto* layoutArray = descriptor.layouts.ifMade();
  for (size_t i = 0; layoutArray && i < kMaxVertexBuffers; ++i)
    if (const auto* l = layoutArray->ifMade(i))
      layouts.push_back({{"bufferIndex", i},
                         {"stride", l->stride},
                         {"stepFunction", static_cast<uint64_t>(l->stepFunction)},
                         {"stepRate", l->stepRate}});
  return {{"attributes", std::move(attributes)}, {"layouts", std::move(layouts)}};
}

Json describe(const RenderPipelineColorAttachmentArray4* array) {
  Json attachments = Json::array();
  for (size_t i = 0; array && i < kMaxColorAttachments; ++i) {
    const RenderPipelineColorAttachment4* a = array->ifMade(i);
    if (!a || a->pixelFormat == MTL::PixelFormatInvalid) continue;
    attachments.push_back(
        {{"index", i},
         {"pixelFormat", static_cast<uint64_t>(a->pixelFormat)},
         {"blendingState", static_cast<int64_t>(a->blendingState)},
         {"sourceRGBBlendFactor", static_cast<uint64_t>(a->sourceRGBBlendFactor)},
         {"destinationRGBBlendFactor", static_cast<uint64_t>(a->destinationRGBBlendFactor)},
         {"rgbBlendOperation", static_cast<uint64_t>(a->rgbBlendOperation)},
         {"sourceAlphaBlendFactor", static_cast<uint64_t>(a->sourceAlphaBlendFactor)},
         {"destinationAlphaBlendFactor", static_cast<uint64_t>(a->destinationAlphaBlendFactor)},
         {"alphaBlendOperation", static_cast<uint64_t>(a->alphaBlendOperation)},
         {"writeMask", static_cast<uint64_t>(a->writeMask)}});
  }
  return attachments;
}

// What vertex and mesh pipelines have in common.
template <class Descriptor> Json begin(const char* kind, const Descriptor& d, const FoundFunction* fragment) {
  Json json = {{"kind", kind}, {"label", std::string(foundation::textOf(d.label.get()))}};
  if (fragment) json["fragmentFunction"] = describe(*fragment);
  json["rasterSampleCount"] = d.rasterSampleCount;
  json["rasterizationEnabled"] = d.rasterizationEnabled;
  json["alphaToCoverageState"] = static_cast<int64_t>(d.alphaToCoverageState);
  json["alphaToOneState"] = static_cast<int64_t>(d.alphaToOneState);
  json["colorAttachmentMappingState"] = static_cast<int64_t>(d.colorAttachmentMappingState);
  json["colorAttachments"] = describe(d.colorAttachments.ifMade());
  return json;
}

// Names and labels are the program's, and need not be UTF-8.
std::string text(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace

std::string describePipeline(const RenderPipelineDescriptor4& d, const FoundFunction& vertex,
                             const FoundFunction* fragment) {
  Json json = begin("render", d, fragment);
  json["vertexFunction"] = describe(vertex);
  if (d.vertexDescriptor.get())
    json["vertexDescriptor"] = describe(*foundation::toImpl(d.vertexDescriptor.get()));
  json["inputPrimitiveTopology"] = static_cast<uint64_t>(d.inputPrimitiveTopology);
  return text(json);
}

std::string describePipeline(const MeshRenderPipelineDescriptor4& d, const FoundFunction* object,
                             const FoundFunction& mesh, const FoundFunction* fragment) {
  Json json = begin("mesh", d, fragment);
  if (object) json["objectFunction"] = describe(*object);
  json["meshFunction"] = describe(mesh);
  json["maxTotalThreadsPerObjectThreadgroup"] = d.maxTotalThreadsPerObjectThreadgroup;
  json["maxTotalThreadsPerMeshThreadgroup"] = d.maxTotalThreadsPerMeshThreadgroup;
  json["maxTotalThreadgroupsPerMeshGrid"] = d.maxTotalThreadgroupsPerMeshGrid;
  json["requiredThreadsPerObjectThreadgroup"] = describe(d.requiredThreadsPerObjectThreadgroup);
  json["requiredThreadsPerMeshThreadgroup"] = describe(d.requiredThreadsPerMeshThreadgroup);
  json["payloadMemoryLength"] = d.payloadMemoryLength;
  return text(json);
}

std::string describePipeline(const ComputePipelineDescriptor4& d, const FoundFunction& kernel) {
  Json json = {{"kind", "compute"}, {"label", std::string(foundation::textOf(d.label.get()))}};
  json["computeFunction"] = describe(kernel);
  json["maxTotalThreadsPerThreadgroup"] = d.maxTotalThreadsPerThreadgroup;
  json["requiredThreadsPerThreadgroup"] = describe(d.requiredThreadsPerThreadgroup);
  json["threadGroupSizeIsMultipleOfThreadExecutionWidth"] = d.threadGroupSizeIsMultipleOfThreadExecutionWidth;
  return text(json);
}

std::string pipelineScript(const std::vector<std::string>& descriptions) {
  Json pipelines = Json::array();
  for (const std::string& description : descriptions) pipelines.push_back(Json::parse(description));
  return text({{"generator", "Basanite"}, {"version", 1}, {"pipelines", std::move(pipelines)}}, 2) + "\n";
}

} // namespace basanite::metal
