#!/bin/sh
# What the program writes is whole when it is stopped, and told when it cannot be written. Usage: cli_output.sh TESELA TEST_OUTPUT,
# where `TEST_OUTPUT json FILE` says whether a file is JSON, and `pages FILE` whether it would be if it were cut at the end of a page.
tesela=${1:?usage: cli_output.sh TESELA TEST_OUTPUT}
checker=${2:?usage: cli_output.sh TESELA TEST_OUTPUT}
. "$(dirname "$0")/cli_begin.sh"

json() { "$checker" json "$1"; }

# stopped SIGNAL STATUS FILE WORDS...: bench is stopped by the signal after it has shown two rows, and every row shown is in the JSON FILE
stopped() {
    signal=$1 want=$2 file=$3
    shift 3
    : >"$dir/out" # there before it is looked for
    : >"$dir/err"
    "$tesela" bench gemm -n 10:1000:1 --reps 1 "$@" >"$dir/out" 2>"$dir/err" &
    pid=$!
    table=$dir/out
    [ "$file" = "$dir/out" ] && table=$dir/err
    await 2 '^dgemm' "$table"
    kill -"$signal" $pid
    wait $pid
    status=$?
    rows=$(grep -c '^dgemm' "$table")
    [ "$signal" = KILL ] && ! json "$file" && echo ']' >>"$file" # all that may be missing
    json "$file" && test "$(grep -c '"routine": "gemm"' "$file")" -ge "$rows" && test "$rows" -ge 2 && test $status -eq "$want"
    report $? "bench $*, stopped by $signal: whole JSON with the $rows rows that were shown, status $want (was $status)"
}

stopped TERM 143 "$dir/rows.json" --json "$dir/rows.json"
stopped KILL 137 "$dir/rows.json" --json "$dir/rows.json"
stopped TERM 143 "$dir/out" --json -
# A shell that starts a program in the background lets it ignore Ctrl-C: another shell sends it to the program in front.
: >"$dir/int.json"
sh -c '(until [ "$(grep -c routine "$1")" -ge 2 ]; do sleep 0.1; done; kill -INT $$) & exec "$0" bench gemm -n 10:1000:1 --reps 1 --json "$1"' "$tesela" "$dir/int.json" >"$dir/out" 2>/dev/null
status=$?
json "$dir/int.json" && test "$(grep -c '"routine"' "$dir/int.json")" -ge "$(grep -c '^dgemm' "$dir/out")" && test $status -ne 0
report $? "bench --json, stopped by Ctrl-C: whole JSON with the rows that were shown (status $status)"

"$tesela" bench gemm -n 1:20:1 --reps 1 --json "$dir/many.json" >"$dir/out"
"$checker" pages "$dir/many.json" && test "$(wc -c <"$dir/many.json")" -gt 12288
report $? "no record lies across the end of a page, where a write may be cut"
(trap '' XFSZ; ulimit -f 16; "$tesela" bench gemm -n 1:60:1 --reps 1 --json "$dir/full.json" >"$dir/out" 2>"$dir/err")
status=$?
json "$dir/full.json" && test $status -eq 1 && grep -q 'too large' "$dir/err" && test "$(wc -c <"$dir/full.json")" -gt 4096
report $? "a file that cannot grow is told, and keeps the records before whole"

# A pipe gets its bracket at the end.
"$tesela" bench gemm -n 5,6 --reps 1 --json - 2>/dev/null | cat >"$dir/pipe.json"
json "$dir/pipe.json" && test "$(grep -c '"routine"' "$dir/pipe.json")" -eq 2
report $? "bench --json - into a pipe"
"$tesela" bench gemm -n 5,6 --reps 1 --json - 2>/dev/null >"$dir/file.json"
json "$dir/file.json"
report $? "bench --json - into a file"
grep -q '"date": "20[0-9-]*T[0-9:]*Z", "cpu": "..*", "cores": [1-9][0-9]*, "gpu": .*"libraries": ".*OpenBLAS.*", "version": "[0-9.]*", "commit": "..*"' "$dir/file.json"
report $? "... with date, machine, libraries, version and commit"

# Energy: never a number where there is no counter, and why; rates per watt where there is.
TESELA_POWERCAP=$dir/none "$tesela" bench gemm -n 50 --reps 1 --energy 0.1 --json "$dir/energy.json" >"$dir/out" 2>"$dir/err"
test $? -eq 0 && json "$dir/energy.json" && grep -q 'CPU not readable here (.*none' "$dir/out" && grep -q '"cpu_joules": null, "watts": null, "gflops_per_watt": null' "$dir/energy.json"
report $? "bench --energy without counters says so"
mkdir -p "$dir/powercap/intel-rapl:0" && echo package-0 >"$dir/powercap/intel-rapl:0/name" && echo 262143328850 >"$dir/powercap/intel-rapl:0/max_energy_range_uj" &&
    echo 0 >"$dir/powercap/intel-rapl:0/energy_uj"
(at=0; while [ -d "$dir/powercap" ]; do at=$((at + 1000000)) && echo $at >"$dir/counted" && mv "$dir/counted" "$dir/powercap/intel-rapl:0/energy_uj"; done) 2>/dev/null &
counting=$!
for window in 0.2 1 5; do # where the machine is busy the counter may stand still for a while
    TESELA_POWERCAP=$dir/powercap "$tesela" bench gemm -n 300 --reps 1 --energy $window --json "$dir/energy.json" >"$dir/out" 2>"$dir/err"
    status=$?
    grep -q ' per W at' "$dir/out" && break
done
kill $counting
test $status -eq 0 && json "$dir/energy.json" && grep -qE 'energy: CPU [0-9.e+-]+ J; [0-9.e+-]+ Gflop/s per W at' "$dir/out" &&
    grep -qE '"cpu_joules": [0-9.e+-]+, "watts": [0-9.e+-]+, "gflops_per_watt": [0-9.e+-]+' "$dir/energy.json"
report $? "bench --energy by a counter: joules, watts, Gflop/s per W"

# A copy of the tree, inside a repository of another's: the commit is told by the environment, or unknown.
stamped() { # COMMIT [VARIABLES...]: what a build there would say
    want=$1
    shift
    env -u TESELA_COMMIT "$@" cmake -D source="$dir/copy" -D out="$dir/stamp.h" -P "$dir/copy/commit.cmake" >"$dir/out" 2>&1
    grep -q "^#define TESELA_COMMIT \"$want\"$" "$dir/stamp.h"
    report $? "a copy's commit with '$*': $want (was $(cat "$dir/stamp.h"))"
}
mkdir "$dir/copy"
cp "$(dirname "$0")/../../cmake/commit.cmake" "$dir/copy"
sed -i 's/^set(archived .*/set(archived "$Format:%h$")/' "$dir/copy/commit.cmake" # this tree may be an archive itself
git init -q "$dir" 2>"$dir/out" && git -C "$dir" -c user.name=x -c user.email=x commit -q --allow-empty -m x
stamped unknown
stamped 12ab+ TESELA_COMMIT=12ab+
sed -i 's/\$Format:%h\$/0123abc/' "$dir/copy/commit.cmake"
stamped 0123abc # as `git archive` does

# tells WORD COMMAND...: fails in one line that names WORD
tells() {
    word=$1
    shift
    "$@" 2>"$dir/err"
    status=$?
    test $status -eq 1 && test "$(wc -l <"$dir/err")" -eq 1 && grep -q -e "$word" "$dir/err"
    report $? "$word: told, and exit status 1 (was $status: $(head -1 "$dir/err"))"
}

# warns WORD COMMAND...: the same of what does not make the work fail: exit status 0
warns() {
    word=$1
    shift
    "$@" 2>"$dir/err"
    status=$?
    test $status -eq 0 && test "$(wc -l <"$dir/err")" -eq 1 && grep -q -e "warning: $word" "$dir/err"
    report $? "$word: told, and exit status 0 (was $status: $(head -1 "$dir/err"))"
}

to_full() { "$@" >/dev/full; }
recorded() { "$tesela" bench gemm -n 10 --reps 1 --json "$1" >/dev/null; }
traced() { TESELA_TRACE=$1 "$tesela" bench gemm -n 10 --reps 1 >/dev/null; }

if [ -w /dev/full ]; then
    tells '--json /dev/full.*No space' recorded /dev/full
    tells 'output.*No space' to_full "$tesela" bench gemm -n 10 --reps 1
    tells 'output.*No space' to_full "$tesela" info
    warns 'TESELA_TRACE.*No space' traced /dev/full
else
    skip "there is no /dev/full"
fi
tells '--json.*no/such' recorded "$dir/no/such/file"
warns 'TESELA_TRACE.*no/such' traced "$dir/no/such/file"
traced "$dir/trace.json" && json "$dir/trace.json"
report $? "a trace of bench"

# What bench shows: the counters of tiles; no failure as a wrong result, no rate above its limit
"$tesela" bench potrf --devices host:2 --path tiles --tile 16 -n 64 --policy cache --reps 1 >"$dir/out"
grep -q '20 tasks; tiles: [0-9]* to devices' "$dir/out"
report $? "bench shows the counters of one run"
"$tesela" bench gemm --devices host:1,mem=100K --path one -n 400 --check --reps 1 >"$dir/out" 2>"$dir/err"
status=$?
test $status -eq 1 && grep -q 'dgemm.*failed' "$dir/out" && ! grep -q wrong "$dir/out"
report $? "a run out of memory has failed, and is not wrong"
"$tesela" bench gemm,potrf -n 16,64,512 --reps 1 >"$dir/out"
! grep -q '[1-9][0-9][0-9]\.[0-9]%' "$dir/out" || ! grep '[0-9]%' "$dir/out" | grep -v '100\.0%' | grep -q '[1-9][0-9][0-9]\.[0-9]%'
report $? "no rate is above its limit"

echo "1..$count"
test "$failed" -eq 0
