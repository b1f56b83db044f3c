// SPDX-License-Identifier: Apache-2.0
#pragma clang system_header
