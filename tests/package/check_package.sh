#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# check_package.sh BUILD COMPILER [README]: installs the build to a fresh prefix, builds the consumer project against it
# and runs it; with README the consumer's program is the first C++ block of that file.
set -euo pipefail
build=$1 compiler=$2 readme=${3:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --prefix "$work/prefix" >/dev/null
cp -r "$here/consumer" "$work/consumer"
if [ -n "$readme" ]; then
  awk '/^```cpp/ && !done {inside = 1; next} /^```/ && inside {inside = 0; done = 1} inside' "$readme" >"$work/consumer/main.cpp"
fi
cmake -S "$work/consumer" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" >/dev/null
cmake --build "$work/build" >/dev/null
# A shader that changes is compiled again, and the program finds its library from any folder.
touch "$work/consumer/shaders/factor.h"
cmake --build "$work/build" | grep "Compiling default.metallib of consumer" >/dev/null
# Two programs in one folder cannot both have a library of one name.
cmake -DCLASH=another "$work/build" >/dev/null
if cmake -DCLASH=default "$work/build" >"$work/clash" 2>&1; then
  echo "check_package: two default.metallib in one folder were taken" >&2
  exit 1
fi
tr -s '\n ' ' ' <"$work/clash" |
  grep 'basanite_add_metallib(neighbour): the target "consumer" already makes' >/dev/null
cd /
"$work/build/consumer"
