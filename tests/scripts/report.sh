#!/bin/sh
# The page of `tesela report`: what it refuses, what it says, and what a browser shows of it. Usage: tests/scripts/report.sh PATH_TO_TESELA
tesela=$(realpath "${1:?usage: report.sh PATH_TO_TESELA}") || exit 1
. "$(dirname "$0")/cli_begin.sh"
source=$(realpath "$(dirname "$0")/../..")
cd "$dir" || exit 1
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import matplotlib' >/dev/null 2>&1 && python=$p; done
if [ -z "$python" ]; then
    skip "no matplotlib here"
    echo "1..1"
    exit 77
fi

"$tesela" bench gemm,potrf -t d -n 32,64,128 --vs openblas --check --reps 1 --json r.json >out 2>&1
TESELA_TRACE=trace.json "$tesela" bench potrf -n 300 --devices host:2 --tile 64 --path tiles --reps 1 >>out 2>&1
"$tesela" report r.json trace.json -o page.html 2>err
test $? -eq 0 && test ! -s err
report $? "a page of records and a trace"
grep -q 'dgemm' page.html && grep -q 'against openblas' page.html && grep -q '×</td>' page.html && test "$(grep -c '<svg' page.html)" -ge 3
report $? "... with families, ratios and pictures"
! grep -qE '(src|href)="?(https?:)?//' page.html
report $? "... that needs nothing from elsewhere"

printf '[\n{"name":"a","ph":"X","pid":0,"tid":0,"ts":1,"dur":1}   ' >killed.json
"$tesela" report killed.json -o killed.html 2>err
report $? "a trace whose writer was killed before its bracket"

# Energy beside the time, and where it was not readable no number.
energy() { sed "s/\"residual\"/\"energy\": {\"gpu_joules\": null, \"cpu_joules\": $1, \"gflops_per_watt\": $2}, &/" "$3"; }
energy 12.25 3.5 r.json >joules.json
"$tesela" report joules.json -o joules.html && grep -q '<td>12.25</td><td>3.5</td>' joules.html && grep -q 'J, CPU' joules.html && ! grep -q ' per W' page.html
report $? "joules and rates per watt"
energy null null r.json >dark.json
"$tesela" report dark.json -o dark.html && grep -q '<td>not readable</td>' dark.html && ! grep -q '<td>12\.25' dark.html
report $? "... or that they were not readable"

# What was measured, by anyone, is never above the line of the limit.
sed 's/"limit": [0-9.e+]*/"limit": 0.001/' r.json >low.json
"$tesela" report low.json -o low.html && grep -q '<td>[0-9]* %</td>' low.html && ! grep -qE '<td>(10[1-9]|1[1-9][0-9]|[2-9][0-9][0-9]|[0-9]{4,}) %</td>' low.html
report $? "no rate above the limit"

# Products by residues are a family of their own.
sed 's/"policy": "auto"/&, "products": "emulated"/' r.json >residues.json
"$tesela" report r.json residues.json -o ways.html && test "$(grep -o '<h2>dgemm' ways.html | wc -l)" -eq 2 &&
    grep -q '<h2>dgemm[^<]*products emulated' ways.html
report $? "records of native and emulated products are kept apart"

# Two versions are two lines, and what was committed last has ratios and the hardware's limit.
sed 's/"commit": "[^"]*"/"commit": "another"/' r.json >other.json
"$tesela" report r.json other.json -o both.html && test "$(grep -o '<h2>dgemm[^<]*commit another' both.html | wc -l)" -eq 1 &&
    test "$(grep -o '<h2>dgemm' both.html | wc -l)" -eq 2 && ! grep -q '<h2>[^<]*commit' page.html
report $? "records of two commits are kept apart"
last=$(dirname "$(ls "$source"/bench/results/*/*.json | tail -n 1)") # a folder may have texts only
set --
for file in "$last"/*.json; do [ $# -ge 3 ] || set -- "$@" "$file"; done
if [ "${TESELA_TEST_ALL:-0}" = 1 ]; then set -- "$last"; fi
"$tesela" report "$@" -o last.html && grep -q '<td class="better">[0-9.]*×' last.html && grep -q '<td>[0-9]* %</td>' last.html && grep -q "the hardware's limit" last.html
report $? "$(basename "$last"): ratios and the hardware's limit"

# What the clock says is told as simulated, with all that was assumed.
"$tesela" explain potrf -n 4000 --nb 64 --grid 2x2,2x4 --weak --clock --node 2x1 --scatter 0.03 --json >clock.json
"$tesela" report clock.json -o simulated.html && grep -q '<h2>Simulated, not measured: dpotrf, n = 4000 √P' simulated.html && ! grep -q 'Tesela: measured' simulated.html &&
    grep -q '48 GB/s and 5 µs between nodes of 2' simulated.html && grep -q '<td>2x4, nodes 2x1</td>' simulated.html && test "$(grep -c '<svg' simulated.html)" -eq 1
report $? "what was simulated is told so"
"$tesela" report clock.json -o simulated.svg && grep -q 'Simulated, not measured' simulated.svg && grep -q '^<svg' simulated.svg
report $? "... and drawn alone"
"$tesela" report r.json clock.json -o with.html && grep -q 'Tesela: measured' with.html && grep -q 'Simulated, not measured' with.html
report $? "... beside what was measured"
"$tesela" explain getrf -n 2000 --nb 64 --grid 2x2,4x2 --weak --clock --devices host --variant tournament --json >played.json
"$tesela" report played.json -o played.html && grep -q '<td>dgetrf by tournament</td>' played.html
report $? "... by its variant"
sed 's/"near_latency": [^,]*, //' clock.json >dark_clock.json

# refuses WORD FILES...: one line that names WORD, and no page
refuses() {
    word=$1
    shift
    "$tesela" report "$@" -o no.html >out 2>err
    test $? -ne 0 && test "$(tail -n 1 err | grep -c -e "$word")" -eq 1 && test ! -e no.html
    report $? "tesela report $*: refused, naming $word"
}
sed 's/"ok": true/"ok": false/' r.json >wrong.json
"$tesela" report wrong.json -o wrong.html && grep -q 'Left out.*dgemm' wrong.html && ! grep -q '<svg' wrong.html
report $? "wrong results are told, not drawn"
head -c 300 r.json >cut.json
echo '{}' >empty.json
printf '\377\376' >binary.json
refuses 'all that was assumed' dark_clock.json
refuses 'not JSON' cut.json
refuses neither empty.json
refuses binary.json binary.json
refuses none.json none.json
cp r.json no.html.json
"$tesela" report r.json -o r.json >out 2>err
test $? -eq 1 && grep -q input err
report $? "an input is not written over"

"$tesela" report r.json trace.json -o - >said.html 2>err
test $? -eq 0 && test ! -s err && cmp -s said.html page.html && test ! -e ./-
report $? "- is standard output"
mkfifo pipe.html
cat pipe.html >piped.html &
"$tesela" report r.json trace.json -o pipe.html 2>err
test $? -eq 0 && test -p pipe.html && wait $! && cmp -s piped.html page.html
report $? "a pipe is written to, and stays"
[ -p pipe.html ] || kill $! # it waits for a writer
if [ -w /dev/full ]; then
    ln -s /dev/full full.html # a link, so that a mistake costs no device
    "$tesela" report r.json -o full.html >out 2>err
    test $? -eq 1 && grep -q 'full.html: No space' err && test -L full.html
    report $? "a page that cannot be written is told"
else
    skip "there is no /dev/full"
fi

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -z "$browser" ]; then
    skip "no browser here"
else
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$dir/profile" --window-size=1100,2200 \
        --screenshot="$dir/page.png" "file://$dir/page.html" >out 2>&1
    "$python" - page.png <<'PY'
import sys
import matplotlib.image
pixels = matplotlib.image.imread(sys.argv[1])[:, :, :3]
def seen(colour):
    want = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return int((abs(pixels - want).max(axis=2) < 0.06).sum())
ours, rival, moved = seen("#0072B2"), seen("#CC79A7"), seen("#D55E00")
print("# pixels of Tesela, OpenBLAS, transfers:", ours, rival, moved)
sys.exit(not (ours > 800 and rival > 100 and moved > 8 and pixels.min() < 0.3))
PY
    report $? "a browser shows lines of both, and transfers"
fi
echo "1..$count"
exit $((failed > 0))
