#!/bin/sh
# The Octave package as a user installs it: the library in a folder where no loader looks, the package by pkg install, which finds the
# library by pkg-config or, where there is none, by TESELA_PREFIX. Then its tests and the example.
# Usage: tests/scripts/octave.sh PACKAGE INCLUDE LIBRARY SCRATCH EXAMPLE
package=$1 include=$2 library=$3 scratch=$4 example=$5
if ! command -v octave-cli >/dev/null || ! command -v mkoctfile >/dev/null; then
    echo "ok 1 # SKIP no Octave here"
    echo "1..1"
    exit 77
fi
fail() { echo "not ok - $*"; exit 1; }
unset LD_LIBRARY_PATH TESELA_INCLUDE TESELA_LIBDIR TESELA_PREFIX PKG_CONFIG_PATH
rm -rf "$scratch" && mkdir -p "$scratch" && scratch=$(cd "$scratch" && pwd) || exit 1
build=$(dirname "$library")
libdir=$scratch/prefix/$(sed -n 's,^libdir=${prefix}/,,p' "$build/tesela.pc")
mkdir -p "$libdir/pkgconfig" && cp -P "$build"/libtesela.so* "$libdir" && cp "$build/tesela.pc" "$libdir/pkgconfig" || exit 1
cp -R "$include" "$scratch/prefix/include" && cp -R "$package" "$scratch/octave" || exit 1

# Where there is no library the package says so; TESELA_PREFIX is enough to find it.
make -s -n -C "$scratch/octave/src" PKG_CONFIG=false >"$scratch/none.log" 2>&1 && fail "built without a library"
grep -q "Tesela is not found" "$scratch/none.log" || fail "not said that there is no library"
make -s -n -C "$scratch/octave/src" PKG_CONFIG=false TESELA_PREFIX="$scratch/prefix" | grep -q -e "-rpath,$libdir " || fail "TESELA_PREFIX"

octave() { HOME=$scratch TESELA_DEVICES=host octave-cli --no-init-file "$@"; }
# Lists of packages in the scratch folder too: Octave would write the machine's, if root runs this.
package() { octave --eval "pkg prefix '$scratch/packages' '$scratch/packages'; pkg local_list '$scratch/list'; pkg global_list '$scratch/global'; $1"; }
tar czf "$scratch/tesela-octave.tar.gz" -C "$scratch" octave || exit 1
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH="$libdir/pkgconfig"
else
    export TESELA_PREFIX="$scratch/prefix"
fi
CXXFLAGS="-O0 -g0" package "pkg install -local '$scratch/tesela-octave.tar.gz'" || fail "pkg install"
for script in "$package/tests.m" "$example"; do
    package "pkg load tesela; source ('$script')" || fail "$script"
done
