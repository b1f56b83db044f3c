// SPDX-License-Identifier: Apache-2.0
// MTL::VertexDescriptor, its attributes, its layouts and their arrays.
#include "src/metal/MTLVertexDescriptor.hpp"

using basanite::foundation::toImpl;

BASANITE_ALLOC_INIT(MTL::VertexAttributeDescriptor)
BASANITE_VALUE(MTL::VertexAttributeDescriptor, NS::UInteger, bufferIndex, setBufferIndex)
BASANITE_VALUE(MTL::VertexAttributeDescriptor, MTL::VertexFormat, format, setFormat)
BASANITE_VALUE(MTL::VertexAttributeDescriptor, NS::UInteger, offset, setOffset)

BASANITE_ALLOC_INIT(MTL::VertexBufferLayoutDescriptor)
BASANITE_VALUE(MTL::VertexBufferLayoutDescriptor, NS::UInteger, stride, setStride)
BASANITE_VALUE(MTL::VertexBufferLayoutDescriptor, MTL::VertexStepFunction, stepFunction, setStepFunction)
BASANITE_VALUE(MTL::VertexBufferLayoutDescriptor, NS::UInteger, stepRate, setStepRate)

BASANITE_ALLOC_INIT(MTL::VertexAttributeDescriptorArray)
MTL::VertexAttributeDescriptor* MTL::VertexAttributeDescriptorArray::object(NS::UInteger index) {
  if (!this) return {};
  return toImpl(this)->object(index);
}
void MTL::VertexAttributeDescriptorArray::setObject(const MTL::VertexAttributeDescriptor* attributeDesc,
                                                    NS::UInteger index) {
  if (!this) return;
  toImpl(this)->setObject(attributeDesc, index);
}

BASANITE_ALLOC_INIT(MTL::VertexBufferLayoutDescriptorArray)
MTL::VertexBufferLayoutDescriptor* MTL::VertexBufferLayoutDescriptorArray::object(NS::UInteger index) {
  if (!this) return {};
  return toImpl(this)->object(index);
}
void MTL::VertexBufferLayoutDescriptorArray::setObject(const MTL::VertexBufferLayoutDescriptor* bufferDesc,
                                                       NS::UInteger index) {
  if (!this) return;
  toImpl(this)->setObject(bufferDesc, index);
}

BASANITE_ALLOC_INIT(MTL::VertexDescriptor)
BASANITE_OBJECT_GETTER(MTL::VertexDescriptor, MTL::VertexAttributeDescriptorArray, attributes)
BASANITE_OBJECT_GETTER(MTL::VertexDescriptor, MTL::VertexBufferLayoutDescriptorArray, layouts)
void MTL::VertexDescriptor::reset() {
  if (!this) return;
  toImpl(this)->resetFields();
}
MTL::VertexDescriptor* MTL::VertexDescriptor::vertexDescriptor() {
  return basanite::foundation::toPublicAutoreleased(new basanite::metal::VertexDescriptor);
}
