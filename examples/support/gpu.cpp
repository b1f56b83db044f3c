// SPDX-License-Identifier: Apache-2.0
// Makes the device and its objects.
#include "examples/support/gpu.hpp"

#include "examples/support/failure.hpp"

#include <cstring>
#include <fstream>
#include <iterator>

namespace examples {
namespace {

NS::SharedPtr<MTL4::LibraryFunctionDescriptor> functionNamed(const MTL::Library* library,
                                                             const std::string& name) {
  auto function = NS::TransferPtr(MTL4::LibraryFunctionDescriptor::alloc()->init());
  function->setLibrary(library);
  function->setName(string(name));
  return function;
}

std::string readSource(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    fail("cannot read the shader source '" + file.string() +
         "': it belongs beside the program, or name its folder with --shaders.");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void blendByAlpha(MTL4::RenderPipelineColorAttachmentDescriptor* color) {
  color->setBlendingState(MTL4::BlendStateEnabled);
  color->setSourceRGBBlendFactor(MTL::BlendFactorSourceAlpha);
  color->setDestinationRGBBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
  color->setSourceAlphaBlendFactor(MTL::BlendFactorOne);
  color->setDestinationAlphaBlendFactor(MTL::BlendFactorOneMinusSourceAlpha);
}

} // namespace

NS::String* string(const std::string& text) {
  return NS::String::string(text.c_str(), NS::UTF8StringEncoding);
}

Gpu::Gpu() {
  m_device = own(MTL::CreateSystemDefaultDevice(), "a Metal device (is there a GPU and a driver for it?)");
  if (!m_device->supportsFamily(MTL::GPUFamilyMetal4))
    fail("the device '" + name() + "' does not support Metal 4.");

  NS::Error* error = nullptr;
  auto compilerDescriptor = NS::TransferPtr(MTL4::CompilerDescriptor::alloc()->init());
  m_compiler = own(m_device->newCompiler(compilerDescriptor.get(), &error), "the compiler", error);

  auto residencyDescriptor = NS::TransferPtr(MTL::ResidencySetDescriptor::alloc()->init());
  m_residencySet =
      own(m_device->newResidencySet(residencyDescriptor.get(), &error), "the residency set", error);
}

bool Gpu::isCpu() const {
  const std::string deviceName = name();
  return deviceName.find("llvmpipe") != deviceName.npos || deviceName.find("lavapipe") != deviceName.npos;
}

NS::SharedPtr<MTL::Buffer> Gpu::newBuffer(NS::UInteger length, const std::string& label, const void* bytes) {
  auto buffer =
      own(m_device->newBuffer(length, MTL::ResourceStorageModeShared), "the buffer '" + label + "'");
  buffer->setLabel(string(label));
  if (bytes) std::memcpy(buffer->contents(), bytes, length);
  m_residencySet->addAllocation(buffer.get());
  return buffer;
}

NS::SharedPtr<MTL::Texture> Gpu::newTexture(const MTL::TextureDescriptor* descriptor,
                                            const std::string& label) {
  auto texture = own(m_device->newTexture(descriptor), "the texture '" + label + "'");
  texture->setLabel(string(label));
  m_residencySet->addAllocation(texture.get());
  return texture;
}

void Gpu::makeResident(MTL4::CommandQueue* queue) {
  m_residencySet->commit();
  queue->addResidencySet(m_residencySet.get());
}

NS::SharedPtr<MTL::Library> Gpu::newLibrary(const std::filesystem::path& sourceFile) {
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL4::LibraryDescriptor::alloc()->init());
  descriptor->setName(string(sourceFile.filename().string()));
  descriptor->setSource(string(readSource(sourceFile)));
  return own(m_compiler->newLibrary(descriptor.get(), &error),
             "the shader library " + sourceFile.filename().string(), error);
}

NS::SharedPtr<MTL::RenderPipelineState> Gpu::newRenderPipeline(const MTL::Library* library,
                                                               const RenderPipelineRecipe& recipe) {
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL4::RenderPipelineDescriptor::alloc()->init());
  descriptor->setLabel(string(recipe.label));
  descriptor->setVertexFunctionDescriptor(functionNamed(library, recipe.vertexFunction).get());
  if (!recipe.fragmentFunction.empty())
    descriptor->setFragmentFunctionDescriptor(functionNamed(library, recipe.fragmentFunction).get());
  if (recipe.vertexDescriptor) descriptor->setVertexDescriptor(recipe.vertexDescriptor);
  if (recipe.colorFormat != MTL::PixelFormatInvalid) {
    MTL4::RenderPipelineColorAttachmentDescriptor* color = descriptor->colorAttachments()->object(0);
    color->setPixelFormat(recipe.colorFormat);
    if (recipe.blended) blendByAlpha(color);
  }
  return own(m_compiler->newRenderPipelineState(descriptor.get(), nullptr, &error),
             "the pipeline '" + recipe.label + "'", error);
}

NS::SharedPtr<MTL::ComputePipelineState> Gpu::newComputePipeline(const MTL::Library* library,
                                                                 const std::string& function) {
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL4::ComputePipelineDescriptor::alloc()->init());
  descriptor->setComputeFunctionDescriptor(functionNamed(library, function).get());
  return own(m_compiler->newComputePipelineState(descriptor.get(), nullptr, &error),
             "the pipeline '" + function + "'", error);
}

NS::SharedPtr<MTL4::ArgumentTable> Gpu::newArgumentTable(const std::string& label, NS::UInteger buffers,
                                                         NS::UInteger textures, NS::UInteger samplers) {
  NS::Error* error = nullptr;
  auto descriptor = NS::TransferPtr(MTL4::ArgumentTableDescriptor::alloc()->init());
  descriptor->setLabel(string(label));
  descriptor->setMaxBufferBindCount(buffers);
  descriptor->setMaxTextureBindCount(textures);
  descriptor->setMaxSamplerStateBindCount(samplers);
  return own(m_device->newArgumentTable(descriptor.get(), &error), "the argument table '" + label + "'",
             error);
}

} // namespace examples
