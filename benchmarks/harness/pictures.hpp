// SPDX-License-Identifier: Apache-2.0
// Checks that both sides drew the same picture: a ratio between different work would mean nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace basanite::benchmarks {

// Mean absolute difference of two pictures of 8-bit channels. Ends the process when it is above `limit`, or
// when the pictures differ in size or show nothing; `what` names them.
double comparePictures(const std::string& what, const std::vector<uint8_t>& ours,
                       const std::vector<uint8_t>& twin, double limit);

} // namespace basanite::benchmarks
