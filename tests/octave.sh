#!/bin/sh
# The Octave package: its compiled function built into a folder of its own, then its tests and the example.
# Usage: tests/octave.sh PACKAGE INCLUDE LIBRARY SCRATCH EXAMPLE
package=$1 include=$2 library=$3 scratch=$4 example=$5
if ! command -v octave-cli >/dev/null || ! command -v mkoctfile >/dev/null; then
    echo "ok 1 # SKIP no Octave here"
    echo "1..1"
    exit 77
fi
rm -rf "$scratch" && cp -R "$package" "$scratch" || exit 1
make -s -C "$scratch/src" TESELA_INCLUDE="$include" TESELA_LIBDIR="$(dirname "$library")" CXXFLAGS="-O0 -g0" || exit 1
for script in "$package/tests.m" "$example"; do
    HOME=$scratch TESELA_DEVICES=host octave-cli --no-init-file --path "$scratch/inst" --path "$scratch/src" "$script" || exit 1
done
