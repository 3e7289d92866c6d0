#!/bin/sh
# The commands on files: results against each other, exit statuses, nothing half written. Usage: tests/cli_files.sh PATH_TO_TESELA
tesela=$(realpath "${1:?usage: cli_files.sh PATH_TO_TESELA}") || exit 1
. "$(dirname "$0")/cli_begin.sh"
cd "$dir" || exit 1

# matrix M N KIND: MatrixMarket text, the same on every run; KIND spd: symmetric, with a large diagonal
matrix() {
    awk -v m="$1" -v n="$2" -v kind="$3" 'BEGIN {
        print "%%MatrixMarket matrix array real general"; print m, n
        for (j = 1; j <= n; j++) for (i = 1; i <= m; i++) {
            lo = i < j ? i : j; hi = i < j ? j : i
            x = kind == "spd" ? ((lo * 37 + hi * 101) % 19) / 19 + (i == j ? 40 : 0) : sin(i * 37 + j * 101 + i * j * 0.7)
            printf "%.17g\n", x
        } }'
}

# near A B: the same matrix but for roundoff
near() {
    paste "$1" "$2" | awk 'NR == 2 && ($1 != $3 || $2 != $4) { bad = 1 }
        NR > 2 { d = $1 - $2; if (d < 0) d = -d; if (!(d < 1e-11)) bad = 1; n++ } END { exit bad || n == 0 }'
}

# does WORDS...: exit status 0 and nothing on stderr
does() {
    "$tesela" "$@" >out 2>err
    status=$?
    test $status -eq 0 && test ! -s err
    report $? "tesela $* (exit status $status)"
}

# refuses STATUS WORD WORDS...: that status, one line that names WORD, no file out.mtx
refuses() {
    want=$1 word=$2
    shift 2
    rm -f out.mtx
    "$tesela" "$@" >out 2>err
    status=$?
    test $status -eq "$want" && test "$(lines err)" -eq 1 && grep -q -e "$word" err && test ! -e out.mtx && test -z "$(ls | grep 'mtx\.......$')"
    report $? "tesela $*: refused in one line that names $word, and nothing is written"
}

matrix 30 30 general >a.mtx
matrix 30 30 spd >s.mtx
matrix 30 4 general >b.mtx
matrix 50 30 general >tall.mtx
matrix 50 4 general >c.mtx

does solve a.mtx b.mtx -o x.npy
does multiply a.mtx x.npy -o ax.mtx
near ax.mtx b.mtx
report $? "A X is B"
does solve s.mtx b.mtx --pos U --precision fp64 -o x.mtx
does multiply s.mtx x.mtx -o ax.mtx
near ax.mtx b.mtx
report $? "A X is B, A positive definite"
does factor chol s.mtx -o l.raw
does multiply l.raw@30x30 l.raw@30x30 --trans NT -o ll.mtx
near ll.mtx s.mtx
report $? "L L^T is A"
does factor qr tall.mtx -o q.npy --r r.npy
does multiply q.npy r.npy -o qr.mtx
near qr.mtx tall.mtx
report $? "Q R is A"
does lstsq tall.mtx c.mtx -o x.npy
does multiply tall.mtx x.npy -o fit.mtx
does multiply tall.mtx fit.mtx --trans TN -o left.mtx
does multiply tall.mtx c.mtx --trans TN -o right.mtx
near left.mtx right.mtx
report $? "A^T A X is A^T B"
does factor lu tall.mtx -o lu.npy --pivots p.mtx
test "$(sed -n 2p p.mtx)" = "30 1" && awk 'NR > 2 && ($1 < NR - 2 || $1 > 50) { bad = 1 } END { exit bad }' p.mtx
report $? "thirty pivots, none above its row"
"$tesela" multiply - b.mtx --format npy <a.mtx 2>err | "$tesela" solve a.mtx - -o x.mtx >out 2>>err
near x.mtx b.mtx
report $? "through pipes"
does solve a.mtx b.mtx -o x.mtx --json
grep -q '"backward_error": [0-9]' out
report $? "... and says the backward error as JSON"
does multiply a.mtx b.mtx -t c -o x.npy

refuses 2 input multiply a.mtx b.mtx -o a.mtx
ln a.mtx same.mtx
refuses 2 input multiply a.mtx b.mtx -o same.mtx
refuses 2 format multiply a.mtx b.mtx -o out.mtx --format csv
refuses 2 "-o FILE" solve a.mtx b.mtx --json
refuses 2 standard multiply - - -o out.mtx
refuses 2 needed solve a.mtx -o out.mtx
refuses 2 pivots factor lu a.mtx -o out.mtx
refuses 2 factorization factor svd a.mtx -o out.mtx
refuses 2 precision solve a.mtx b.mtx --precision half -o out.mtx
if command -v python3 >/dev/null; then
    refuses 2 required report
    refuses 2 required report a.mtx
    refuses 2 unrecognized report a.mtx -o out.mtx --foo
fi
refuses 1 "30 x 30" solve a.mtx c.mtx -o out.mtx
refuses 1 "No such file" solve none.mtx b.mtx -o out.mtx
refuses 1 "No such file" solve a.mtx b.mtx -o no/such/out.mtx --json
mkdir folder.mtx
refuses 1 folder multiply a.mtx b.mtx -o folder.mtx
refuses 1 "No such file" factor qr a.mtx -o out.mtx --r no/r.mtx
refuses 2 "-o FILE" solve a.mtx b.mtx --json -o /dev/stdout --format npy
"$tesela" multiply a.mtx b.mtx -o want.mtx >/dev/null
"$tesela" multiply a.mtx b.mtx -o /dev/stdout --format mtx >got.mtx 2>said && cmp want.mtx got.mtx && grep -q product said
report $? "standard output by another name has the result, and nothing else"
cp a.mtx grows.mtx
"$tesela" multiply grows.mtx b.mtx >>grows.mtx 2>err
test $? -eq 2 && grep -q input err && "$tesela" multiply grows.mtx b.mtx -o grows.mtx >>grows.mtx 2>err
test $? -eq 2 && grep -q input err && cmp a.mtx grows.mtx
report $? "an input that is standard output, too, is not written to"
"$tesela" multiply a.mtx b.mtx -o said.npy >said.npy 2>err
test $? -eq 2 && grep -q -e --format err && test ! -s said.npy && "$tesela" multiply a.mtx b.mtx -o said.npy --format npy >said.npy 2>err &&
    "$tesela" multiply a.mtx b.mtx -o said2.npy >out && cmp said.npy said2.npy
report $? "a file that is standard output, too, has no other format than its name says"
if [ -w /dev/full ]; then
    "$tesela" solve a.mtx b.mtx --json -o /dev/full --format npy >said 2>/dev/null
    test $? -eq 1 && test ! -s said
    report $? "nothing is said of a result that could not be written"
fi
printf '%%%%MatrixMarket matrix coordinate real symmetric\n30 30 2\n2 1 4\n1 2 4\n' >sides.mtx
refuses 1 "both sides" multiply sides.mtx b.mtx -o out.mtx
printf '%%%%MatrixMarket matrix coordinate real skew-symmetric\n30 30 1\n2 2 4\n' >skew.mtx
refuses 1 "zero" multiply skew.mtx b.mtx -o out.mtx
printf '%%%%MatrixMarket matrix coordinate complex hermitian\n30 30 1\n2 2 4 1\n' >hermitian.mtx
refuses 1 "real" multiply hermitian.mtx b.mtx -o out.mtx
head -n 100 a.mtx >cut.mtx
refuses 1 truncated solve cut.mtx b.mtx -o out.mtx
refuses 1 definite factor chol a.mtx -o out.mtx
awk 'NR > 2 { $1 = 0 } { print }' a.mtx >zero.mtx
refuses 1 singular solve zero.mtx b.mtx -o out.mtx
awk 'NR == 2 { print 50, 31; next } NR > 2 && NR <= 52 { first[NR] = $1 } NR > 52 && NR <= 102 { last[NR - 50] = $1 + first[NR - 50] } { print }
    END { for (i = 3; i <= 52; i++) printf "%.17g\n", last[i] }' tall.mtx >depends.mtx
refuses 1 "full rank" lstsq depends.mtx c.mtx -o out.mtx
awk 'NR == 2 { rows = $1 } NR > 2 { $1 *= 1e-6 ^ int((NR - 3) / rows % 5) } { print }' tall.mtx >scaled.mtx
does lstsq scaled.mtx c.mtx -o x.mtx
awk 'NR == 3 { $1 = 0 } { print }' tall.mtx >begins.mtx # by zero
printf '%%%%MatrixMarket matrix array real general\n50 0\n' >nothing.mtx
does lstsq begins.mtx nothing.mtx -o x.mtx
test "$(sed -n 2p x.mtx)" = "30 0"
report $? "no right-hand sides, no solutions"
refuses 1 "no/such" multiply a.mtx b.mtx -o no/such/out.mtx
refuses 1 "30 x 4 times" multiply b.mtx b.mtx -o out.mtx

# One file by two names
ln -s . here
refuses 2 both factor lu a.mtx -o out.mtx --pivots ./out.mtx
refuses 2 both factor lu a.mtx -o out.mtx --pivots here/out.mtx
cp a.mtx copy.mtx
refuses 2 input multiply - b.mtx -o copy.mtx <copy.mtx
refuses 2 format multiply a.mtx b.mtx -o result.txt
test ! -s out
report $? "... before anything is computed"
"$tesela" factor lu tall.mtx -o lu.npy --pivots - >out 2>err
cmp -s out p.mtx
report $? "pivots on standard output, and nothing else"
mkfifo sink
if [ -w /dev/full ]; then
    cat sink >/dev/null &
    refuses 1 "No space" factor lu a.mtx -o /dev/full --pivots sink --format mtx
    wait $!
    test -p sink
    report $? "... and what is no file is not removed"
fi

# Files that have more than they say, or are shorter than the whole matrix
(cat b.mtx && echo 1) >more.mtx
refuses 1 "more elements" multiply a.mtx more.mtx -o out.mtx
(cat b.mtx && printf '\n%% the end\n') >ends.mtx
does multiply a.mtx ends.mtx -o x.mtx
cat l.raw >sink &
refuses 1 "more than" multiply sink@29x30 b.mtx -o out.mtx
wait $!
awk 'BEGIN { n = 100; print "%%MatrixMarket matrix array real skew-symmetric"; print n, n
    for (j = 1; j <= n; j++) for (i = j + 1; i <= n; i++) print (i + j) % 2 }' >skew.mtx
does multiply skew.mtx skew.mtx -o x.mtx
(printf '\223NUMPY\001\000\166\000' && printf '%-117s\n' "{'descr': '<u8', 'fortran_order': True, 'shape': (1, 1), }" && printf '\005\000\000\000\000\000\000\000') >five.npy
does multiply five.npy five.npy -o x.mtx
test "$(sed -n 3p x.mtx)" = 25
report $? "unsigned integers of 8 bytes"
does factor lu tall.mtx -o lu.npy --pivots p.npy
does multiply a.mtx p.npy --trans nn -o x.npy
head -c 100 x.npy | grep -aq '(30,)'
report $? "a matrix times a vector is a vector"

# Ctrl-C while it waits for its input
mkfifo pipe
"$tesela" multiply pipe b.mtx -o out.mtx >out 2>err &
pid=$!
exec 3<>pipe # without waiting for the reader
kill -TERM $pid
wait $pid 2>/dev/null
test $? -gt 128 && test ! -e out.mtx
report $? "a signal ends it, and nothing is written"
exec 3>&-

echo "1..$count"
exit $((failed > 0))
