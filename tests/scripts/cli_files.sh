#!/bin/sh
# The commands on files: results against each other, exit statuses, nothing half written. Usage: tests/scripts/cli_files.sh PATH_TO_TESELA
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
refuses 2 format multiply a.mtx b.mtx -o out.mtx --format xls
refuses 2 delimiter multiply a.mtx b.mtx -o out.mtx --delimiter 12
refuses 2 delimiter multiply a.mtx b.mtx -o out.mtx --delimiter .
refuses 2 skip multiply a.mtx b.mtx -o out.mtx --skip -1
refuses 2 "skip is of CSV" multiply a.mtx b.mtx -o out.mtx --skip 1
refuses 2 "header is of CSV" multiply a.mtx b.mtx -o out.mtx --header x
refuses 2 "delimiter is of CSV" determinant a.mtx --delimiter tab
refuses 2 "L or U" inverse a.mtx -o out.mtx --pos X
refuses 2 "no option" determinant a.mtx -o out.mtx
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
refuses 1 "30 x 30.*as many rows" solve a.mtx c.mtx -o out.mtx
refuses 1 "50 x 30.*must be square" solve tall.mtx c.mtx -o out.mtx
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
refuses 1 singular inverse zero.mtx -o out.mtx
refuses 1 definite inverse a.mtx --pos L -o out.mtx
refuses 1 "50 x 30, and must be square" inverse tall.mtx -o out.mtx
refuses 1 "50 x 30, and must be square" determinant tall.mtx
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
refuses 1 "no way to say" lstsq begins.mtx nothing.mtx -o out.csv
refuses 1 "no/such" multiply a.mtx b.mtx -o no/such/out.mtx
refuses 1 "30 x 4 times.*as many rows" multiply b.mtx b.mtx -o out.mtx

# warns WORD WORDS...: exit status 3, one line that names WORD, and the result x.mtx is written
warns() {
    word=$1
    shift
    rm -f x.mtx
    "$tesela" "$@" -o x.mtx >out 2>err
    status=$?
    test $status -eq 3 && test "$(lines err)" -eq 1 && grep -q -e "warning.*$word" err && test -s x.mtx
    report $? "tesela $*: written, with a warning that names $word (exit status $status)"
}

# NaN, and matrices that are singular to working precision
awk 'NR == 100 { $1 = "nan" } { print }' a.mtx >nan.mtx
awk 'NR == 100 { $1 = "inf" } { print }' tall.mtx >inf.mtx
warns "30 of 120 elements\|120 of 120 elements" solve nan.mtx b.mtx
warns elements lstsq nan.mtx b.mtx
grep -q '= -*nan' out
report $? "... and a residual that is not known to be small"
warns elements lstsq inf.mtx c.mtx
printf '%%%%MatrixMarket matrix array real general\n3 2\n1\n0\n0\ninf\n1\n0\n' >above.mtx # beside infinity the rank is not known
printf '%%%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n' >ones.mtx
warns elements lstsq above.mtx ones.mtx
warns elements factor lu nan.mtx --pivots pn.mtx
warns elements factor qr nan.mtx --r r.mtx
warns elements inverse nan.mtx
warns elements multiply nan.mtx b.mtx
awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print 40, 40; for (j = 1; j <= 40; j++) for (i = 1; i <= 40; i++) printf "%.17g\n", 1 / (i + j - 1) }' >hilbert.mtx
awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print 40, 1; for (i = 1; i <= 40; i++) print 1 / i }' >h.mtx
warns "no digit" solve hilbert.mtx h.mtx --precision fp64
warns "no digit" inverse hilbert.mtx
"$tesela" solve hilbert.mtx h.mtx --precision fp64 -o x.mtx --json >out 2>err
test $? -eq 3 && grep -q '"forward_error": .*"warning": "no digit' out
report $? "... and says so as JSON"
"$tesela" determinant nan.mtx >out 2>err
test $? -eq 3 && grep -q warning err && "$tesela" condition nan.mtx >out 2>err
test $? -eq 3 && grep -q warning err
report $? "the determinant and the condition number of NaN"

# The errors that are told are those of what is written.
does solve s.mtx b.mtx -t s -o x.npy
error=$(sed 's/.*backward error \([^,]*\), forward error \([^;]*\);.*/\1 \2/' out)
echo "$error" | awk '{ exit !($1 > 1e-10 && $1 < 1e-6 && $2 > 5e-8 && $2 < 1e-3) }'
report $? "solve -t s: the errors of single precision ($error)"
does lstsq a.mtx b.mtx -o x.mtx
sed 's/.*= \([^;]*\);.*/\1/' out | awk '{ exit !($1 > 0 && $1 < 1e-10) }'
report $? "lstsq of a square matrix: its residual is computed"

# What does not fit a device is computed, and is there, whatever can be said of it.
matrix 200 200 spd >large.mtx
matrix 200 2 general >right.mtx
"$tesela" solve large.mtx right.mtx --devices host:1,mem=150K -o x.mtx >out 2>err
test $? -eq 0 && "$tesela" multiply large.mtx x.mtx -o ax.mtx >out 2>err && near ax.mtx right.mtx
report $? "solve larger than the device"
"$tesela" lstsq large.mtx right.mtx --devices host:1,mem=150K -o x.mtx >out 2>err
test $? -eq 0 && "$tesela" multiply large.mtx x.mtx -o ax.mtx >out 2>err && near ax.mtx right.mtx
report $? "lstsq larger than the device"
"$tesela" inverse large.mtx --devices host:1,mem=150K -o x.mtx >out 2>err
test $? -eq 0 && "$tesela" multiply x.mtx right.mtx -o y.mtx >out 2>err && "$tesela" solve large.mtx right.mtx -o x.mtx >out && near y.mtx x.mtx
report $? "inverse larger than the device"

# Inverse, determinant, condition: what is known of these matrices
does inverse s.mtx --pos L -o x.mtx
does multiply s.mtx x.mtx -o ax.mtx
awk 'NR == 2 { n = $1 } NR > 2 { k = NR - 3; d = $1 - (int(k / n) == k % n); if (d < 0) d = -d; if (!(d < 1e-13)) bad = 1 } END { exit bad }' ax.mtx
report $? "A inv(A) is the identity"
does inverse s.mtx -o y.mtx
near x.mtx y.mtx
report $? "... by LU, too"
printf '0,2\n3,0\n' >p.csv
does determinant p.csv
grep -q '2 x 2: -6; sign -1, log|det| 1.791759469' out
report $? "the determinant of a permutation's kin: $(cat out)"
printf '(0+1e200j),0\n0,1e200\n' >c.csv
does determinant c.csv --json
grep -q '"determinant": 0, "sign": 0, "log_abs_determinant": 921.03403719.*"determinant_imaginary": null, "sign_imaginary": 1,' out
report $? "a determinant that is too large for a number, complex: $(cat out)"
printf '1,2\n2,4\n' >one.csv
does determinant one.csv
grep -q ': 0; sign 0, log|det| -inf' out
report $? "the determinant of a singular matrix"
does condition one.csv --json
grep -q '"condition": null, "reciprocal": 0,' out
report $? "... and its condition number"
printf '1,0,0\n0,1e-3,0\n0,1,1e3\n' >bad.csv
does condition bad.csv # |A| is 1000 and |inv(A)| 1001
grep -q 'about 1.001e+06;' out
report $? "a condition number: $(cat out)"
does condition hilbert.mtx
grep -q 'about [0-9.]*e+\(19\|2[0-9]\);' out
report $? "... of a matrix that is singular to working precision: $(cat out)"
does condition s.mtx --pos U
does determinant s.mtx --pos U -t s

# Eigenvalues and vectors
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 1\n2 2 2\n3 2 1\n3 3 2\n' >e.mtx
does eig e.mtx -o w.csv
awk 'BEGIN { split("0.585786437627 2 3.414213562373", want) } { d = $1 - want[NR]; if (d < 0) d = -d; if (!(d < 1e-11)) bad = 1 } END { exit bad || NR != 3 }' w.csv
report $? "the eigenvalues of a known matrix, ascending"
does eig s.mtx -o w.mtx --vectors v.npy
grep -q '30 eigenpairs of 30 x 30, .* to .*, backward error [0-9.]*e-1[4-7];' out
report $? "... of a larger one: $(cat out)"
does multiply s.mtx v.npy -o av.mtx
awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print "30 30" } NR > 2 { w[NR - 2] = $1 } END { for (j = 1; j <= 30; j++) for (i = 1; i <= 30; i++) print i == j ? w[i] : 0 }' w.mtx >l.mtx
does multiply v.npy l.mtx -o vl.mtx
near av.mtx vl.mtx
report $? "A V is V L"
does multiply v.npy v.npy --trans TN -o vv.mtx
awk 'NR == 2 { n = $1 } NR > 2 { k = NR - 3; d = $1 - (int(k / n) == k % n); if (d < 0) d = -d; if (!(d < 1e-13)) bad = 1 } END { exit bad }' vv.mtx
report $? "V^T V is the identity"
does eig s.mtx --index 29:30 -o some.csv
does eig s.mtx --range 39.5: -o above.csv
test "$(lines some.csv)" -eq 2 && test "$(awk '$1 > 39.5' above.csv | wc -l)" -eq "$(lines above.csv)" && tail -n 2 above.csv | paste -d' ' - some.csv |
    awk '{ d = $1 - $2; if (d < 0) d = -d; if (!(d < 1e-11)) exit 1 }'
report $? "some of them, by number and by value"
does eig e.mtx --range=-2:-1 -o none.npy --vectors v.npy --json
grep -q '"found": 0, "least": null' out
report $? "none of them"
does eig e.mtx --generalized e.mtx -o w.csv --vectors v.csv
awk '{ d = $1 - 1; if (d < 0) d = -d; if (!(d < 1e-14)) bad = 1 } END { exit bad || NR != 3 }' w.csv
report $? "A v = l A v"
printf '2,(0+1j)\n(0-1j),2\n' >h.csv
does eig h.csv -o w.csv --vectors v.npy --devices host:1
test "$(awk '{ printf "%.3f ", $1 }' w.csv)" = "1.000 3.000 "
report $? "a Hermitian matrix has real ones"
refuses 1 "not symmetric" eig a.mtx -o out.mtx
does eig a.mtx --uplo U -o w.csv
does eig a.mtx --general -o w.npy --vectors v.npy
refuses 2 "no --range" eig a.mtx --general --range 1:2 -o out.mtx
refuses 1 "30 x 4, and must be square" eig b.mtx --general -o out.mtx
refuses 1 "NaN" eig nan.mtx --general -o out.mtx
refuses 1 "30 x 4, and must be square" eig b.mtx -o out.mtx
refuses 1 "order 3 and B of 30" eig e.mtx --generalized s.mtx -o out.mtx
refuses 1 "NaN" eig nan.mtx --uplo L -o out.mtx
refuses 1 "1 to 3" eig e.mtx --index 2:4 -o out.mtx
refuses 1 "v.npy: No such" eig e.mtx -o out.mtx --vectors none/v.npy
refuses 2 "both results" eig e.mtx -o out.mtx --vectors out.mtx
refuses 2 "LO:HI" eig e.mtx --range 2:1 -o out.mtx
refuses 2 "I:J" eig e.mtx --index 0:1 -o out.mtx
refuses 2 "at most" eig e.mtx --index 1:1 --range 1:2 -o out.mtx
printf '1,0,0\n0,-1,0\n0,0,1\n' >i.csv
refuses 1 "i.csv is not positive definite: its leading minor of order 2" eig e.mtx --generalized i.csv -o out.mtx
refuses 1 "memory" eig s.mtx -o out.mtx --devices host:1,mem=4K

# CSV as it comes from other programs, and back
printf '\357\273\277x;y\r\n4;2\r\n2;5\r\n' >a.csv
printf '# b\n8.0e+00\n9.0e+00\n' >b.csv
does solve a.csv b.csv -o x.csv
test "$(paste -sd' ' x.csv | awk '{ printf "%.3f %.3f", $1, $2 }')" = "1.375 1.250"
report $? "CSV with a header, a mark and semicolons"
does multiply a.csv a.csv -o x.tsv --header '# a	b'
test "$(cat x.tsv)" = "$(printf '# a\tb\n20\t18\n18\t29')"
report $? "... and with tabs, as .tsv"
does multiply a.csv a.csv -t z --delimiter ';' -o z.csv
test "$(head -n 1 z.csv)" = "(20+0j);(18+0j)" && "$tesela" multiply a.csv a.csv -t z --format csv 2>err | cmp -s - z.csv
test $? -eq 1 # by commas
report $? "complex elements as NumPy writes them"
does multiply z.csv a.csv --delimiter ';' -o x.mtx
printf '2001 2002\n1 2\n' >years.txt
does multiply years.txt years.txt --skip 1 --trans TN -o x.csv
test "$(paste -sd' ' x.csv)" = "1,2 2,4"
report $? "a header of numbers, by --skip"
refuses 1 "line 2: field 1 is not a number" multiply one.csv b.mtx -o out.mtx --delimiter ' '
python=
for p in python3 /usr/bin/python3; do "$p" -c 'import numpy' >/dev/null 2>&1 && python=$p; done
if [ -n "$python" ]; then
    "$python" - <<'PYTHON'
import numpy as np
rng = np.random.default_rng(1)
a, z = rng.standard_normal((70, 70)), rng.standard_normal((70, 3)) + 1j * rng.standard_normal((70, 3))
np.savez("s.npz", a=a, z=z)
np.savez_compressed("p.npz", a=a, z=np.round(z), half=np.arange(70, dtype="f2"))
np.save("big.npy", a.astype(">f8"))
np.savetxt("z.txt", z)
np.savetxt("a.csv", a, delimiter=",", header="70 columns")
PYTHON
    does multiply s.npz:a s.npz:z -o s.npy
    does multiply big.npy z.txt -o b.npy
    does multiply a.csv p.npz:z -o p.csv
    does multiply p.npz:a p.npz:half -o h.npy
    "$python" - <<'PYTHON'
import numpy as np
a, z = (np.load("s.npz")[name] for name in "az")
for name, right in (("s.npy", z), ("b.npy", z), ("h.npy", np.arange(70))):
    assert np.allclose(np.load(name), a @ right, atol=1e-12, rtol=0), name
assert np.allclose(np.loadtxt("p.csv", delimiter=",", dtype=complex), a @ np.round(z), atol=1e-12, rtol=0)
PYTHON
    report $? "what NumPy writes is read, and it reads what is written"
    refuses 2 input multiply s.npz:a s.npz:z -o s.npz --format npy
    refuses 1 "arrays" multiply s.npz s.npz:z -o out.mtx
    refuses 1 "pipe" multiply - s.npz:z -o out.mtx <p.npz
else
    skip "no NumPy here"
fi

# Singular values and vectors, and what they say
printf '3,0\n0,-2\n0,0\n' >d.csv
does svd d.csv -o s.csv --u u.csv --vt vt.csv
test "$(awk '{ printf "%.9f ", $1 }' s.csv)" = "3.000000000 2.000000000 " && test "$(lines u.csv)" -eq 3 && test "$(lines vt.csv)" -eq 2 && grep -q '2 singular values of 3 x 2, 3 down to 2, backward error' out
report $? "the singular values of a known matrix: $(cat out)"
does svd b.mtx -o s.mtx --u u.npy --vt vt.mtx
grep -q '4 singular values of 30 x 4, .* down to .*, backward error [0-9.]*e-1[4-7];' out
report $? "... of a tall one: $(cat out)"
awk 'BEGIN { print "%%MatrixMarket matrix array real general"; print "4 4" } NR > 2 { s[NR - 2] = $1 } END { for (j = 1; j <= 4; j++) for (i = 1; i <= 4; i++) print i == j ? s[i] : 0 }' s.mtx >ds.mtx
does multiply ds.mtx vt.mtx -o svt.mtx
does multiply u.npy svt.mtx -o usv.mtx
near usv.mtx b.mtx
report $? "U S VT is A"
for driver in auto dc qr polar; do does svd b.mtx -o s-$driver.mtx --driver $driver && near s-$driver.mtx s.mtx && report $? "... by $driver"; done
does svd b.mtx -o s.mtx --u u.csv --full --devices host:1
test "$(lines u.csv)" -eq 30 && test "$(head -n 1 u.csv | tr ',' '\n' | wc -l)" -eq 30
report $? "all of U"
does svd h.csv --vt v.npy --format npy -o s.npy --json
grep -q '"m": 2, "n": 2, "largest": [0-9.]*, "least": [0-9.]*, "backward_error": null' out
report $? "vectors on one side, as JSON: $(cat out)"
refuses 2 "driver takes" svd b.mtx -o out.mtx --driver fast
refuses 2 "of --u and --vt" svd b.mtx -o out.mtx --full
refuses 2 "both results" svd b.mtx -o out.mtx --u x.mtx --vt x.mtx
refuses 2 "both results" svd b.mtx -o out.mtx --vt out.mtx
refuses 1 "NaN" svd nan.mtx -o out.mtx
refuses 1 "none/v.npy: No such" svd b.mtx -o out.mtx --u gone.npy --vt none/v.npy
test ! -e gone.npy
report $? "... and what was written before is taken back"
refuses 1 "memory" svd a.mtx -o out.mtx --devices host:1,mem=4K
does rank d.csv
grep -q 'rank 2 of 3 x 2: singular values above .* count; the largest 3, the last 2; ' out
report $? "the rank: $(cat out)"
does rank d.csv --tol 2.5
grep -q 'rank 1 of 3 x 2: .* the last 3, the next 2;' out
report $? "... above a tolerance: $(cat out)"
does rank d.csv --rtol 0.5 --json
grep -qE '"rank": 2, "tolerance": 1\.(5|4999)[0-9]*, "largest": [0-9.]*, "last": [0-9.]*, "next": null' out
report $? "... of the largest"
does rank hilbert.mtx --json
grep -q '"rank": 1[0-9],' out
report $? "... of a matrix that is singular to working precision: $(cat out)"
does cond d.csv
grep -q 'condition number of 3 x 2 in the 2-norm: 1.5; singular values 3 down to 2;' out
report $? "the condition number in the 2-norm: $(cat out)"
printf '1,2\n0,0\n' >null.csv
does cond null.csv --json
grep -q '"condition": null, "reciprocal": 0,' out
report $? "... of a singular matrix"
refuses 2 "at most" rank d.csv --tol 1 --rtol 1
refuses 2 "from 0 on" rank d.csv --tol=-1
refuses 1 "NaN" rank nan.mtx
refuses 1 "NaN" cond nan.mtx
refuses 2 "a file is needed" cond

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
