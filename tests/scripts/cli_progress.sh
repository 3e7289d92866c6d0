#!/bin/sh
# The line about long work: on a terminal it comes, grows and goes; into a pipe nothing is written of it, and results are the same.
# Usage: tests/scripts/cli_progress.sh PATH_TO_TESELA
tesela=$(realpath "${1:?usage: cli_progress.sh PATH_TO_TESELA}") || exit 1
. "$(dirname "$0")/cli_begin.sh"
if ! command -v python3 >/dev/null; then
    skip "no python3 here, which makes a terminal"
    echo "1..1"
    exit 77
fi
python3 - "$tesela" "$dir" <<'PY'
import array, os, pty, random, re, subprocess, sys

tesela, folder = sys.argv[1:]
os.environ.update(OPENBLAS_NUM_THREADS="1", TESELA_DEVICES="host")
count = failed = 0


def report(good, text):
    global count, failed
    count += 1
    failed += not good
    print("%s %d - %s" % ("ok" if good else "not ok", count, text), flush=True)


def path(name):
    return os.path.join(folder, name)


def numbers(name, count):
    random.seed(1)
    some = array.array("d", (random.random() - 0.5 for _ in range(99991)))  # more than columns, which repeat after as many
    with open(path(name), "wb") as file:
        array.array("d", (some * (count // len(some) + 1))[:count]).tofile(file)


def words(n, out):
    return [tesela, "lstsq", "-t", "z", "%s@%dx%d" % (path("a.raw"), n, n - 1), "%s@%dx1" % (path("b.raw"), n), "-o", path(out)]


def squares(n):  # symmetric, and not
    numbers("g.raw", n * n)
    with open(path("g.raw"), "rb") as file:
        g = array.array("d", file.read())
    with open(path("s.raw"), "wb") as file:
        array.array("d", (g[min(i, j) * n + max(i, j)] for j in range(n) for i in range(n))).tofile(file)


def on_terminal(argv):  # what it writes to stderr, a terminal
    main, other = pty.openpty()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=other)
    os.close(other)
    text = b""
    while True:
        try:
            some = os.read(main, 4096)
        except OSError:  # Linux's way to say that the other end is closed
            break
        if not some:
            break
        text += some
    os.close(main)
    return child.wait(), text.decode()


used, percent = 800, []
while len(percent) < 2 and used < 5000:  # long enough to be told about, however fast the machine
    used = used * 5 // 4
    numbers("a.raw", 2 * used * (used - 1))
    numbers("b.raw", 2 * used)
    status, text = on_terminal(words(used, "seen.npy"))
    lines = re.findall(r"lstsq: (\d+) %, ([\d.e+]+) Gflop/s, [\d:]+ (?:s|min|h) left\x1b\[K\r", text)
    percent = [int(p) for p, rate in lines]
print("# n = %d, per cent: %s" % (used, percent))
report(status == 0 and len(percent) >= 2, "a terminal shows how far it is, the rate and the time left")
report(percent == sorted(percent) and percent and percent[0] < 100 and percent[-1] <= 100, "... which grows")
report(text.endswith("\x1b[K"), "... and is gone in the end")
piped = subprocess.run(words(used, "piped.npy") + ["--json"], capture_output=True, text=True)
report(piped.returncode == 0 and piped.stderr == "", "a pipe sees nothing of it")
with open(path("piped.npy"), "rb") as a, open(path("seen.npy"), "rb") as b:
    report(a.read() == b.read(), "the results are the same")

numbers("a.raw", 2 * used * (used - 1))
with open(path("a.raw"), "r+b") as file:  # a column of zeros in the end: no full rank
    file.seek(16 * used * (used - 2))
    file.write(bytes(16 * used))
status, text = on_terminal(words(used, "none.npy"))
report(status == 1 and re.search(r"\x1b\[Ktesela: lstsq: .* has not full rank[^\r]*\r\n$", text), "an error stands on a line of its own")

for name, file, more in (("eig", "s.raw", ["--vectors", path("v.npy")]), ("svd", "g.raw", []), ("eig --general", "g.raw", ["--general"])):
    n, percent = 640, []
    while len(set(percent)) < 2 and n < 4000:
        n = n * 5 // 4
        squares(n)
        status, text = on_terminal([tesela, name.split()[0], "%s@%dx%d" % (path(file), n, n), "-o", path("w.npy"), *more])
        percent = [int(p) for p in re.findall(r": (\d+) %, ", text)]
    print("# n = %d, per cent: %s" % (n, percent))
    report(status == 0 and len(set(percent)) >= 2 and percent == sorted(percent), "%s shows how far it is" % name)
print("1..%d" % count)
sys.exit(failed > 0)
PY
