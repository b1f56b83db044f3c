// SPDX-License-Identifier: Apache-2.0
// MTL4::StaticLinkingDescriptor, PipelineStageDynamicLinkingDescriptor and
// RenderPipelineDynamicLinkingDescriptor.
#include "src/metal/MTL4LinkingDescriptor.hpp"

BASANITE_ALLOC_INIT(MTL4::StaticLinkingDescriptor)
BASANITE_OBJECT(MTL4::StaticLinkingDescriptor, NS::Array, functionDescriptors, setFunctionDescriptors)
BASANITE_OBJECT(MTL4::StaticLinkingDescriptor, NS::Array, privateFunctionDescriptors,
                setPrivateFunctionDescriptors)
BASANITE_OBJECT(MTL4::StaticLinkingDescriptor, NS::Dictionary, groups, setGroups)

BASANITE_ALLOC_INIT(MTL4::PipelineStageDynamicLinkingDescriptor)
BASANITE_OBJECT(MTL4::PipelineStageDynamicLinkingDescriptor, NS::Array, binaryLinkedFunctions,
                setBinaryLinkedFunctions)
BASANITE_OBJECT(MTL4::PipelineStageDynamicLinkingDescriptor, NS::Array, preloadedLibraries,
                setPreloadedLibraries)
BASANITE_VALUE(MTL4::PipelineStageDynamicLinkingDescriptor, NS::UInteger, maxCallStackDepth,
               setMaxCallStackDepth)

BASANITE_ALLOC_INIT(MTL4::RenderPipelineDynamicLinkingDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDynamicLinkingDescriptor,
                       MTL4::PipelineStageDynamicLinkingDescriptor, vertexLinkingDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDynamicLinkingDescriptor,
                       MTL4::PipelineStageDynamicLinkingDescriptor, fragmentLinkingDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDynamicLinkingDescriptor,
                       MTL4::PipelineStageDynamicLinkingDescriptor, tileLinkingDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDynamicLinkingDescriptor,
                       MTL4::PipelineStageDynamicLinkingDescriptor, objectLinkingDescriptor)
BASANITE_OBJECT_GETTER(MTL4::RenderPipelineDynamicLinkingDescriptor,
                       MTL4::PipelineStageDynamicLinkingDescriptor, meshLinkingDescriptor)
