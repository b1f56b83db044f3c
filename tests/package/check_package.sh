#!/usr/bin/env bash
# Installs the build in $1 to a fresh prefix, builds tests/package/consumer ($2) against it with compiler $3 and runs it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
cmake -S "$2" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$3" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/consumer"
