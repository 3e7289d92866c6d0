#!/bin/sh
# The contract of the command line: exit statuses, one-line errors, JSON that is JSON. Usage: tests/scripts/cli.sh PATH_TO_TESELA
tesela=${1:?usage: cli.sh PATH_TO_TESELA}
. "$(dirname "$0")/cli_begin.sh"

run() {
    "$tesela" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}

# exits STATUS WORDS...: the command ends with that status
exits() {
    want=$1
    shift
    run "$@"
    test "$status" -eq "$want"
    report $? "tesela $*: exit status $want (was $status)"
}

# refuses WORD WORDS...: exit status 2, nothing on stdout, one line on stderr that names WORD
refuses() {
    word=$1
    shift
    run "$@"
    test "$status" -eq 2 && test ! -s "$dir/out" && test "$(lines "$dir/err")" -eq 1 && grep -q -e "$word" "$dir/err"
    report $? "tesela $*: refused in one line that names $word"
}

# lists WORD WORDS...: exit status 2, and after a line that names WORD all routines, on lines of 100 characters at most
lists() {
    word=$1
    shift
    run "$@"
    test "$status" -eq 2 && test ! -s "$dir/out" && head -n 1 "$dir/err" | grep -q -e "$word" &&
        test "$(sed 1d "$dir/err" | awk 'length > 100' | wc -l)" -eq 0 && test "$(sed 1d "$dir/err" | tr ', ' '\n\n' | grep -c .)" -eq "$known"
    report $? "tesela $*: names $word and all $known routines"
}
known=$("$tesela" help bench | sed -n '/^Routines:/,$p' | sed 's/^Routines://' | tr ' ' '\n' | grep -c .)

# fails WORD WORDS...: exit status 1 and one line on stderr that names WORD
fails() {
    word=$1
    shift
    run "$@"
    test "$status" -eq 1 && test "$(lines "$dir/err")" -eq 1 && grep -q -e "$word" "$dir/err"
    report $? "tesela $*: fails in one line that names $word"
}

shows() {
    grep -q -e "$1" "$dir/out"
    report $? "... and shows $1"
}

exits 0 --version
shows '^tesela [0-9]'
exits 0 -V
shows '^tesela [0-9]'
exits 0 help
shows 'tesela bench'
for command in info demo bench tune explain solve lstsq factor multiply inverse determinant condition eig svd rank cond; do
    exits 0 help $command
    shows "tesela $command"
    exits 0 $command --help
done
# What completes words, and the manual pages, follow what the program says.
completes() {
    words=$1
    shift
    got=$(PATH=$(dirname "$tesela"):$PATH bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tesela; echo "${COMPREPLY[*]}"' \
        "$(dirname "$0")/../../cli/completion.bash" "$@")
    test "$got" = "$words"
    report $? "completion of $*: $words (was $got)"
}
if [ "$(basename "$tesela")" = tesela ]; then
    completes solve tesela so
    completes "--pos --precision" tesela solve --p
    completes "--products" tesela bench --pr
fi
sh "$(dirname "$0")/../../scripts/man" "$dir/man" "$tesela" && grep -q "accuracy" "$dir/man/tesela-solve.1" && grep -q '^.TH TESELA 1' "$dir/man/tesela.1"
report $? "manual pages"
exits 0 info
if grep -q 'CUDA.*no driver' "$dir/out"; then
    LD_DEBUG=files "$tesela" info >"$dir/out" 2>&1
    ! grep -q libcublas "$dir/out"
    report $? "cuBLAS is not loaded where there is no driver"
else skip "cuBLAS without a driver: there is one, or no CUDA"
fi
shows 'TESELA_DEVICES *host'
exits 0 info --devices host:2,mem=1.5M
shows 'virtual.*limit 1.5 MiB'
exits 0 demo -n 100
shows ok
exits 0 bench gemm,trsm,syrk,herk,potrf -t s,d,c,z -n 1,7,33 --check --reps 1
exits 0 bench trtri,lauum,potri,potrs,posv -t s,d,c,z -n 1,7,33 -k 5 --uplo L,U --check --vs openblas --reps 1
for v in low butterfly; do exits 0 bench sgesv,cgesv,sposv -n 40 -k 3 --tile 16 --variant $v --check --reps 1; done
for v in tournament nopiv window; do exits 0 bench getrf,gesv -t d,z -n 40 -k 3 --tile 16 --variant $v --check --reps 1; done
for v in 1 2 3; do exits 0 bench potrf -t d,z -n 40 --uplo L,U --tile 16 --variant $v --check --reps 1; done
exits 0 bench gemm --trans NN,TC -t z -m 5 -n 3:9:3 -k 4 --check --reps 1 --tile 16
exits 0 bench trsm --side L,R --uplo l,u --trans N,T,C --diag N,U -n 20 --check --reps 1 --devices host:2
exits 0 bench gemm -n 20 --vs openblas --reps 1
for how in native emulated emulated-fast; do
    exits 0 bench gemm,syrk,potrf -t s,d,c,z -n 7,33 --tile 16 --products $how --check --reps 1 --json "$dir/products.json"
    shows "^dpotrf *uplo=L,products=$how .* yes\$"
    test "$(grep -c '^ *elements: off by at most [0-9.e-]* u' "$dir/out")" -eq 8 && test "$(grep -c '"accuracy": [0-9]' "$dir/products.json")" -eq 8
    report $? "... and how accurate elements of products are"
    test "$(grep -c "\"policy\": \"auto\", \"products\": \"$how\"" "$dir/products.json")" -eq 24
    report $? "... and the records say how products were computed"
done
refuses "--products exact: .*none of auto, native, emulated, emulated-fast" bench gemm --products exact
TESELA_PRODUCTS=emulated "$tesela" bench gemm -n 9 --reps 1 >"$dir/out" 2>"$dir/err"; shows 'trans=NN,products=emulated '
TESELA_PRODUCTS=emulated "$tesela" bench gemm -n 9 --reps 1 --products auto >"$dir/out" 2>"$dir/err"; shows 'trans=NN  '
batches=gemm_batch,trsm_batch,potrf_batch,posv_batch,getrf_batch,gesv_batch,geqrf_batch
for devices in host host:1; do
    exits 0 bench $batches -t s,d,c,z -n 1,7,33 -k 3 --uplo L,U --count 20 --check --vs openblas --reps 1 --devices $devices --json "$dir/batches.json"
    shows '^zgesv_batch .* 33x3[*]20 .* yes$'
    test "$(grep -c '"n": 7, "k": 3, "count": 20, .*"ok": true' "$dir/batches.json")" -eq 16
    report $? "... and the records say how many problems there were"
done
# every routine, on the host and in a device's memory
all=$("$tesela" help bench | sed -n '/^Routines:/,$p' | sed 's/Routines://' | tr -s ' \n' ',' | sed 's/^,//; s/,$//')
test "$(echo "$all" | tr ',' '\n' | wc -l)" -ge 63
report $? "help bench lists all routines"
exits 0 bench "$all" -n 23 -k 5 --check --reps 1 --devices host:1
test "$(grep -c ' yes$' "$dir/out")" -eq "$(echo "$all" | tr ',' '\n' | wc -l)"
report $? "... and each is right"
vectors=trmv,syr,syr2,gbmv,tbmv,tbsv,tpmv,tpsv,axpy,scal,copy,swap,nrm2,asum,iamax,rot,rotg,lange,lansy,lantr
exits 0 bench $vectors -t s,d,c,z -n 1,17 -m 9 -k 3 --norm M,1,I,F --uplo L,U --trans N,T,C --diag N,U --check --reps 1
exits 0 bench syev,syevr,sygv,stedc,sterf -t s,d -n 1,17 -k 3 --jobz N,V --uplo L,U --check --vs openblas --reps 1
exits 0 bench gebrd -t d,c -m 17 -n 1,23 --check --vs openblas --reps 1
exits 0 bench gesvd -t s,z -m 17 -n 1,23 --jobz N,V --check --vs openblas --reps 1
exits 0 bench gehrd,geev,gees -t s,z -n 1,23 --jobz N,V --check --vs openblas --reps 1
exits 0 bench geqp3,geqp3_random,gelsy -t s,z -m 17 -n 1,23 -k 3 --check --vs openblas --reps 1
exits 0 bench bdsdc -t s,d -n 1,17 --jobz N,V --check --vs openblas --reps 1
exits 0 bench ge2gb -t s,z -n 1,17 -k 3 --check --reps 1
exits 0 bench heev,heevr,hegv -t c,z -n 1,17 -k 3 --jobz N,V --uplo L,U --check --vs openblas --reps 1
exits 0 bench sscal,srot -t c -n 1,17 --check --vs openblas --reps 1
exits 0 bench dscal,drot -t z -n 1,17 --check --vs openblas --reps 1
shows '^zdscal .* yes$'
exits 0 bench axpy,dot,dotc,hpmv,tpsv -n 50 --check --vs openblas --reps 1
refuses 'types cz' bench hpmv -t d
refuses '--norm X' bench lange --norm X
refuses '--jobz X' bench syev --jobz X
refuses 'axpy has no form' bench axpy --grid 1x1
refuses '--energy soon' bench gemm --energy soon
refuses '--energy 0: seconds' demo --energy 0
refuses 'not with --grid' bench gemm --grid 1x1 --energy 1

"$tesela" >"$dir/out" 2>"$dir/err"
test $? -eq 2
report $? "tesela: without a command, exit status 2"
refuses frob frob
exits 0 explain potrf -n 4096 --grid 1x1,2x2
shows '^dpotrf on GPUs'
shows '^ *2x2 *4096'
exits 0 explain potrf -n 4096 --grid 12,7
shows '^ *3x4 *4096'
shows '^ *1x7 *4096'
refuses 'or a number of processes' explain potrf --grid 0
exits 0 explain trsm -t z -n 4096 -m 100 --nb 64 --grid 4x2 --weak --variant pp --devices host
shows '^ztrsm without look-ahead on cores'
exits 0 explain potrf -n 4096 --grid 2x2 --variant 1
shows '^dpotrf without look-ahead'
for v in 2 3 leaf pp; do refuses "variant $v: of potrf on a grid there are auto, ahead, 1\$" explain potrf --grid 2x2 --variant $v; done
refuses 'of trsm on a grid there are auto, ahead, pp$' explain trsm --grid 2x2 --variant rec
refuses 'of gemm on a grid there are auto$' explain gemm --grid 2x2 --variant mp
refuses getrf explain getrf --grid 2x2
exits 0 explain potrf -n 3000 --nb 64 --grid 2x2,3x3 --clock --node 2 --scatter 0.03 --seed 5
shows '^ *3x3 *3000'
exits 0 explain gemm -n 1000 -k 500 --nb 64 --grid 2x3 --clock --json
shows '"most_bytes": [1-9]'
exits 0 explain getrf -n 1000 --nb 64 --grid 2x3 --clock
exits 0 explain zgeqrf -n 500 -m 900 --nb 32 --grid 3x2 --clock
exits 0 explain getrf -n 2000 --nb 64 --grid 4x2 --clock --node 4x1 --json
shows '"tile": "4x1"'
exits 0 explain getrf -n 20000 --nb 1000 --grid 8x8 --clock --node best
shows ', nodes 8x1$'
exits 0 explain getrf -n 2000 --nb 64 --grid 2x2 --clock --node best
refuses '--node 3y' explain getrf --grid 2x2 --clock --node 3y
refuses '--node 0x2' explain getrf --grid 2x2 --clock --node 0x2
refuses 'the clock does not know .gesvd' explain gesvd --grid 2x2 --clock
refuses 'node, --scatter, --seed, .* go with --clock' explain potrf --grid 2x2 --node 2
refuses 'clock and what goes with it go with --grid' explain potrf --clock
exits 0 explain getrf -n 2000 --nb 64 --grid 4x2 --clock --devices host --variant tournament
shows '^dgetrf by tournament by the clock'
refuses 'nopiv: of getrf on a grid there are auto, ahead, 3, tournament$' explain getrf --grid 2x2 --clock --variant nopiv
refuses '--nb goes with --grid' explain potrf --nb 3
lists dfrob explain dfrob
lists frob explain frob
refuses '-t x' explain potrf -t x
refuses 'type d' explain dpotrf -t z
for name in dpotrf 'potrf -t d' gemmt zherk 'gemmt -t c' idamax dznrm2 dscal srot csscal zdrot zgerc dlantr dsbmv chpr2 srotmg; do
    exits 0 explain $name -n 50
    shows '^moved: nothing'
done
# told LINE VARIABLE ROUTINE: with that variable the plan has such a line
told() {
    env "$2" "$tesela" explain "$3" -n 50 >"$dir/out" 2>"$dir/err"
    report $? "$2 tesela explain $3"
    shows "$1"
}
exits 0 explain dgemm -n 50
shows '^products: native, because no tuning table says otherwise$'
exits 0 tune gemm -t d -n 16 --budget 3600 --out "$dir/emulated"
printf 'emulated d 40 30\nemulated s - -\nemulated potrf d 50\n' >>"$dir/emulated"
told '^products: by residues where, for m x n and k terms, (1/m + 1/n) 40/2 + 30/k is 1 or less .* the tuning table says so; else native' TESELA_TUNE=$dir/emulated dpotrf
told '^products: potrf in variant wide from order 50 on, because the tuning table says so$' TESELA_TUNE=$dir/emulated dposv
told '^products: getrf never in variant wide, because no tuning table says from which order$' TESELA_TUNE=$dir/emulated dgetrf
told '^products: native, because the tuning table says so$' TESELA_TUNE=$dir/emulated sgemm
told '^products: by residues, each element looked at, because it was set' TESELA_PRODUCTS=emulated zgetrf
told '^products: by residues, not looked at, because it was set' TESELA_PRODUCTS=emulated-fast cgemm
told '^products: native, because it was set$' TESELA_PRODUCTS=native dgeqrf
exits 0 explain dgemv -n 50
test "$(grep -c '^products' "$dir/out")" -eq 0
report $? "... and says nothing of products where there are none"
exits 0 help bench
for name in gemmt trsv posv; do shows "[ :]$name"; done
refuses '--grid 2by2' explain potrf --grid 2by2
fails no/such explain potrf --grid 2x2 --fit "$dir/no/such/file"
refuses frob help frob
refuses extra info extra
refuses '--frob' info --frob
refuses '--devices' info --devices
refuses "'nowhere' is not a kind of device" info --devices nowhere
refuses 'x12' demo -n x12
refuses '-n' demo -n 0
refuses '3000000000: a number from 1 to 100000' demo -n 3000000000
refuses '3000000000: a size is N' bench gemm -n 3000000000
refuses '4000000000: a number from 1 to' explain dgemm -n 4000000000
fails 'n = 1000000000 (trans=NN): out of host memory$' bench gemm -n 1000000000
fails 'n = 997384855 .*: out of host memory$' bench gbmv -t z -n 997384855 -k 577972233 # 2^64 + 4944 bytes
fails "zgbmv's AB of 1152921505 x 1000000000 elements is too large" explain zgbmv -n 1000000000 -k 576460752
lists routine bench
lists gemmm bench gemmm
lists routine explain
lists gemmm explain gemmm
lists "no routine" bench gemm,
refuses two bench gemm two
refuses "'--frob'" bench gemm --frob
refuses '-t q' bench gemm -t q
refuses '-n 12x' bench gemm -n 12x
refuses '-n -3' bench gemm -n -3
refuses '-n 99999999999999999999' bench gemm -n 99999999999999999999
refuses '9:3:2' bench gemm -n 9:3:2
refuses '3:9' bench gemm -n 3:9
refuses '-m' bench gemm -m ''
refuses '--trans Q' bench gemm --trans Q
refuses '--trans NT' bench trsm --trans NT
refuses zsyrk bench syrk -t z --trans C
refuses '--uplo X' bench potrf --uplo X
refuses 'bench: -m' bench potrf -m 5
refuses 'bench: -k' bench potrf,trsm -k 5
refuses '--count: none' bench potrf --count 5
refuses '--count 0' bench potrf_batch --count 0
refuses '--side' bench potrf --side L
refuses '--reps' bench gemm --reps 0
refuses '--check' bench gemm --check=yes
refuses mkl bench gemm --vs mkl
refuses '--tile' bench gemm --tile many
refuses '--variant' bench gemm --variant nonesuch
fails cublas bench gemm -n 10 --vs cublas
fails cublas-fixed bench gemm -n 10 --vs cublas-fixed
fails potrf bench gemm,potrf -n 10 --vs cublas
fails '--json' bench gemm -n 10 --json "$dir/no/such/file"
lists gemmm tune gemmm
refuses gemv tune gemv --devices host
refuses "--width 0" tune trsm --width 0
refuses '-t q' tune gemm -t q
refuses '-n 0' tune gemm -n 0
refuses '9:3:2' tune gemm -n 9:3:2
refuses '--budget' tune gemm --budget soon
refuses '--budget' tune gemm --budget 0
refuses '--out' tune gemm --out ''
refuses "'--frob'" tune gemm --frob
refuses nowhere tune gemm --devices nowhere
fails no/such tune gemm -n 8 --out "$dir/no/such/file"

# tuning: an entry found, kept, found again; a table the library takes; files of others left alone. The searches end by themselves
# long before this time, on any machine.
long='--budget 3600'
exits 0 tune gemm -t d -n 64 $long --out "$dir/table"
shows '^gemm d 64 \* [0-9-]* [a-z]* .*leaf=[0-9]'
exits 0 tune gemm -t d -n 64,20 $long --out "$dir/table"
test "$(grep -c '^gemm d 64 ' "$dir/table")" -eq 1 && test "$(wc -l <"$dir/out")" -eq 1 && grep -q '1 already' "$dir/err"
report $? "... and keeps the entry that was there"
exits 0 tune gemm -t d -n 64 $long --out "$dir/table" --again
test "$(grep -c '^gemm d' "$dir/table")" -eq 2 && test "$(wc -l <"$dir/out")" -eq 1
report $? "... in place of the old one"
TESELA_TUNE=$dir/table "$tesela" info >"$dir/out" 2>"$dir/err"
shows "TESELA_TUNE $dir/table (2 entries)"
exits 0 tune trsm potrf -t s,z -n 40 $long
exits 0 info
shows "$dir/cache/tesela/host-.*tune (4 entries)"
exits 0 tune potrf -t s,d -n 40,50 --devices host:1 $long --out "$dir/apart"
test "$(grep -c '^core potrf [sd] [45]0 \* - leaf leaf=[0-9.]*$' "$dir/apart")" -eq 4 && test "$(grep -c '^link [0-9.]*$' "$dir/apart")" -eq 1
report $? "... of a core and the link, beside potrf on a device with a memory of its own"
exits 0 tune potrf -t d -n 40 --devices host:1 $long --out "$dir/apart" --again
test "$(wc -l <"$dir/apart")" -eq 10 && test "$(wc -l <"$dir/out")" -eq 3
report $? "... each in place of the old one"
sed -i '/^core potrf d/d; /^link/d' "$dir/apart"
exits 0 tune potrf -t s,d -n 40,50 --devices host:1 $long --out "$dir/apart"
test "$(wc -l <"$dir/apart")" -eq 10 && test "$(wc -l <"$dir/out")" -eq 3
report $? "... and found again where they alone are missing"
# products by residues: they never pay on the host; where the table says they do, a line for each operation with a variant for them
exits 0 tune products -t s,d -n 24 $long --out "$dir/residues"
test "$(grep -c '^emulated [sd] - -$' "$dir/residues")" -eq 2 && test "$(wc -l <"$dir/residues")" -eq 3
report $? "... and they never pay here"
sed -i 's/^emulated d - -$/emulated d 8 4/' "$dir/residues"
exits 0 tune products -t s,d -n 24,20 $long --out "$dir/residues"
test "$(grep -c '^emulated [a-z]* d [-0-9]*$' "$dir/residues")" -eq "$(grep -c '^TSL_VARIANT.*TSL_BY_RESIDUES' "$(dirname "$0")/../../src/core/variants.def")"
report $? "... a line for each operation"
exits 0 tune products -t s,d $long --out "$dir/residues"
test "$(grep -c '^[^#]' "$dir/out")" -eq 0 && grep -q ' 0 found, 11 already there' "$dir/err"
report $? "... and keeps what was there"
TESELA_TUNE=$dir/residues "$tesela" info >"$dir/out" 2>"$dir/err"
shows "TESELA_TUNE $dir/residues"
echo frob >"$dir/frob"
run tune gemm -n 8 --out "$dir/frob"
test "$status" -eq 1 && grep -q "frob ignored: line 1" "$dir/err" && grep -q "tune: .*frob is not a tuning table" "$dir/err"
report $? "tune refuses a file that is no table, and says why"
test "$(cat "$dir/frob")" = frob
report $? "... and leaves the file as it was"
TESELA_LOG=warn TESELA_TUNE=$dir/frob "$tesela" info >"$dir/out" 2>"$dir/err"
test $? -eq 0 && grep -q "tesela warn: .*frob ignored: line 1" "$dir/err"
report $? "a broken table is ignored with a warning"
# goes_on: what was shown is what was found, and the rest is left
goes_on() {
    found=$(sed -n 's/.*: \([0-9]*\) found, 0 already there.*/\1/p' "$dir/err")
    left=$(sed -n 's/.* \([0-9]*\) left: the same command goes on$/\1/p' "$dir/err")
    test "$(wc -l <"$dir/out")" -eq "${found:-none}" && test $((found + ${left:-0})) -eq 8 && test "$found" -ge 1
}
: >"$dir/out" # there before it is looked for
"$tesela" tune gemm potrf -n 300:900:200 $long --out "$dir/stopped" >"$dir/out" 2>"$dir/err" &
await 1 '^gemm d' "$dir/out"
kill -INT $!
wait $! && goes_on && test "$left" -ge 1
report $? "tesela tune, interrupted: exit status 0, $found found and $left left"
TESELA_TUNE=$dir/stopped "$tesela" info >"$dir/out" 2>"$dir/err"
shows "TESELA_TUNE $dir/stopped ($found entr"
exits 0 tune gemm potrf -n 300:900:200 --budget 1 --out "$dir/brief"
goes_on
report $? "... out of time: $found found, ${left:-none} left"

# JSON alone on stdout, the table on stderr
run bench gemm,potrf -t d,z -n 5,8 --check --vs openblas --reps 1 --json -
test "$status" -eq 0 && grep -q routine "$dir/err"
report $? "--json -: exit status 0, table on stderr"
cp "$dir/out" "$dir/stdout.json"
run bench gemm -n 5 --reps 1 --json "$dir/file.json"
test "$status" -eq 0 && grep -q '^routine' "$dir/out"
report $? "--json FILE: table on stdout"

# ... of other commands too: the same as without it, for programs
run info --json --devices host:2,mem=1.5M
cp "$dir/out" "$dir/info.json"
run explain dpotrf -n 300 --json
cp "$dir/out" "$dir/explain.json"
run explain potrf -n 4096 --grid 1x1,2x2 --json
cp "$dir/out" "$dir/grids.json"
if command -v python3 >/dev/null 2>&1; then
    python3 - "$dir" <<'PYTHON'
import json, sys
info, explain, grids = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("info", "explain", "grids"))
assert [d["limit"] for d in info["devices"]] == [3 << 19] * 2 and info["devices"][0]["virtual"] is True
assert any("OpenBLAS" in line for line in info["libraries"]) and info["environment"]["TESELA_DEVICES"] == "host" and info["version"] and info["tuning"]
assert explain["routine"] == "dpotrf" and explain["n"] == 300 and explain["seconds"] > 0
assert {"path", "device 0", "moved", "time"} <= {line["subject"] for line in explain["plan"]} and all(line["text"] for line in explain["plan"])
assert [g["grid"] for g in grids["grids"]] == ["1x1", "2x2"] and grids["grids"][1]["messages"] == 21 and grids["grids"][0]["seconds"] > 0
PYTHON
    report $? "--json of info and explain"
    python3 - "$dir/stdout.json" "$dir/file.json" <<'PYTHON'
import json, sys
keys = ("routine type m n k params devices tile variant policy seconds gflops gbytes limit residual ok "
        "to_device to_host peer bytes_to_device bytes_to_host bytes_peer tasks hits evictions idle "
        "date cpu cores gpu libraries version commit vs").split()
checked, plain = (json.load(open(name)) for name in sys.argv[1:])
assert len(checked) == 8 and len(plain) == 1
for r in checked + plain:
    assert list(r) == keys, list(r)
    assert r["seconds"] > 0 and r["gbytes"] > 0 and r["policy"] == "auto" and r["devices"] == "host"
for r in checked:
    assert r["ok"] is True and 0 <= r["residual"] < 30
    assert list(r["vs"]) == ["openblas"] and r["vs"]["openblas"]["ratio"] > 0 and r["vs"]["openblas"]["seconds"] > 0
assert [r["m"] for r in checked if r["routine"] == "potrf"] == [None] * 4
assert plain[0]["ok"] is None and plain[0]["residual"] is None and plain[0]["vs"] == {}
PYTHON
    report $? "the JSON is valid and has the keys agreed on"
else
    skip "no python3 to read the JSON"
fi

echo "1..$count"
test "$failed" -eq 0
