// SPDX-License-Identifier: Apache-2.0
// MTL4::CommitFeedback.
#include "src/metal/MTL4CommitFeedback.hpp"

BASANITE_VALUE_GETTER(MTL4::CommitFeedback, CFTimeInterval, GPUEndTime, gpuEndTime)
BASANITE_VALUE_GETTER(MTL4::CommitFeedback, CFTimeInterval, GPUStartTime, gpuStartTime)
BASANITE_OBJECT_GETTER(MTL4::CommitFeedback, NS::Error, error)
