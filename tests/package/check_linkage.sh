#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_linkage.sh LIBBASANITE LIBBASANITE_COMPILER: the runtime library links neither LLVM nor clang nor Vulkan (all three are
# opened at run time, by it or by the compiler), and the compiler library exports its one door only.
set -euo pipefail
needed=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
if grep -iE 'llvm|clang|vulkan' <<<"$needed"; then
  echo "libbasanite links the above"
  exit 1
fi
exported=$(nm -D --defined-only "$2" | awk '$2 ~ /[TDB]/ {print $3}')
if [ "$exported" != $'basanite_compiler_instance\nbasanite_compiler_interface' ]; then
  echo "libbasanite_compiler exports: $exported"
  exit 1
fi
echo "linkage is as designed"
