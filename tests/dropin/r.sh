#!/bin/sh
# R over the drop-in library: preloaded, and by R's own path of libraries. Usage: tests/dropin/r.sh BUILD SCRIPT
build=$1 script=$2
if ! command -v Rscript >/dev/null; then
    echo "1..0 # SKIP no R here"
    exit 77
fi
export TESELA_LOG=info
home=$(R RHOME)
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
LD_PRELOAD=$build/libtesela_blas.so Rscript --vanilla "$script" preloaded 2>"$said" || exit 1
grep -q 'dgesv .*: Tesela' "$said" || { echo "not ok - preloaded, R did not compute by Tesela"; exit 1; }
R_LD_LIBRARY_PATH=$home/lib:$build/names Rscript --vanilla "$script" "by path" 2>"$said" || exit 1
grep -q 'dgemm .*: Tesela' "$said" || { echo "not ok - by path, R did not compute by Tesela"; exit 1; }
