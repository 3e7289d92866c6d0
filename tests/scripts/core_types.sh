#!/bin/sh
# Runs test programs as for several kinds of processor whose kernels OpenBLAS has and this one can run, in full for all: which it takes, and so which
# defects it has, depends on the machine.
#   core_types.sh PRINTS-THE-NAME PROGRAM... [full PROGRAM...]
# Those after the word `full` only where every test is run in its longest form (make test-all). The first prints the library's name and core type in its first line, "OpenBLAS 0.3.21 (Haswell)", and is run like the others.
case $(uname -m) in
x86_64)
    types="Sandybridge Haswell SkylakeX"
    [ "${TESELA_TEST_ALL:-0}" != 1 ] || types="Prescott Nehalem $types Zen Cooperlake Sapphirerapids"
    ;;
aarch64) types="armv8 cortexa57 neoversen1 neoversev1 neoversen2 thunderx2t99" ;;
*) types="" ;;
esac
count=0 failed=0 ran=0
out=$(mktemp)
trap 'rm -f "$out"' EXIT
for type in $types; do
    OPENBLAS_CORETYPE=$type "$1" >"$out" 2>&1
    if [ $? -eq 132 ]; then # an instruction that is not there
        continue
    fi
    head -n 1 "$out" | grep -qi "OpenBLAS.*($type)" || continue # this OpenBLAS has no kernels for it
    ran=$((ran + 1))
    for program; do
        if [ "$program" = full ]; then
            [ "${TESELA_TEST_ALL:-0}" = 1 ] && continue || break
        fi
        OPENBLAS_CORETYPE=$type "$program" >"$out" 2>&1
        status=$? count=$((count + 1))
        if [ $status -eq 0 ]; then
            echo "ok $count - $type: $(basename "$program")"
        else
            failed=1
            echo "not ok $count - $type: $(basename "$program"), status $status"
            grep -E '^(not ok|#)' "$out" | tail -n 20 | sed 's/^/# /'
        fi
    done
done
if [ $ran -eq 0 ]; then
    echo "ok 1 # SKIP no core type of OpenBLAS can be chosen here"
    exit 77
fi
exit $failed
