// SPDX-License-Identifier: Apache-2.0
// Constexpr samplers of old AIR in the form of new AIR.
#pragma once

namespace llvm {
class Module;
}

namespace basanite::shader::air {

// Begins the name of every constant that is the words of a constexpr sampler.
constexpr const char* kSamplerStatePrefix = "__air_sampler_state";

// AIR 1.8 hands a constexpr sampler over as its word turned into a pointer. It becomes the address of a
// constant that holds the word, as in later versions: one for each word, however many uses it has.
void nameConstantSamplers(llvm::Module& module);

} // namespace basanite::shader::air
