// SPDX-License-Identifier: Apache-2.0
// How AIR speaks of visible functions: those that are defined, and those that are called and defined
// elsewhere.
#pragma once

namespace llvm {
class Module;
}

namespace basanite::shader::air {

// The list of what is called and defined elsewhere: rows of {"air.visible_function_reference", function,
// name}. The function is a declaration whose symbol ends in the mark.
constexpr const char* kReferenceList = "air.visible_function_references";
constexpr const char* kReferenceMark = ".MTL_VISIBLE_FN_REF";

// Once nameReferences() has run, the symbol of a reference is its name behind this.
constexpr const char* kReferencePrefix = "basanite.reference.";
void nameReferences(llvm::Module& module);

// Ours, in the entry node of a visible function: {"basanite.signature", text}, and a string where it may
// stand in a graph.
constexpr const char* kSignatureKey = "basanite.signature";
constexpr const char* kStitchableKey = "basanite.stitchable";

} // namespace basanite::shader::air
