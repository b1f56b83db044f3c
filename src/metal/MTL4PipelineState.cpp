// SPDX-License-Identifier: Apache-2.0
// MTL4::PipelineDescriptor.
#include "src/metal/MTL4PipelineState.hpp"

BASANITE_ALLOC_INIT(MTL4::PipelineDescriptor)
BASANITE_OBJECT(MTL4::PipelineDescriptor, NS::String, label, setLabel)
