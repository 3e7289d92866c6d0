#!/bin/sh
# An example in another language: compiled as its user would, and run. Usage: tests/scripts/example.sh COMPILER SOURCE INCLUDE LIBRARY PROGRAM
compiler=$1 source=$2 include=$3 library=$4 program=$5
if ! command -v "${compiler%% *}" >/dev/null; then
    echo "ok 1 # SKIP no ${compiler%% *} here"
    echo "1..1"
    exit 77
fi
# shellcheck disable=SC2086
$compiler -Wall -I"$include" "$source" -o "$program" "$library" -Wl,-rpath,"$(dirname "$library")" && "$program"
status=$?
[ $status -eq 0 ] && echo "ok 1 - $(basename "$source")" || echo "not ok 1 - $(basename "$source")"
echo "1..1"
exit $status
