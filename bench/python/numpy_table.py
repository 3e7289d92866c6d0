"""Functions of numpy.linalg on stacks in host memory: our time / NumPy's, on one core.

    python3 bench/python/numpy_table.py [--stacks 10000x3,2000x10,200x50] [--types d,z] [--only NAME,..] [--limit 2] [--seconds S] [--json FILE]

Times are medians of calls in turns, of the processor's time that this process takes: other programs count little. A ratio above the limit is measured once
more, and the lower one counts. A result that is not NumPy's but for rounding is marked WRONG. lstsq is not here, which takes no stacks in NumPy.
"""

import argparse
import json
import os
import statistics
import sys
import time

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before anybody loads it
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})  # our threads are as many as there are cores

import numpy as np  # noqa: E402

import tesela  # noqa: E402

AXES = (-2, -1)
# What a name is called with: m is a module, a any matrix, s a definite one, b a right-hand side, B several.
CALLS = {
    "solve": lambda m, a, s, b: m.solve(a, b), "inv": lambda m, a, s, b: m.inv(a), "det": lambda m, a, s, b: m.det(a), "slogdet": lambda m, a, s, b: m.slogdet(a),
    "cholesky": lambda m, a, s, b: m.cholesky(s) if m is np.linalg else m.cholesky(s, lower=True),
    "qr": lambda m, a, s, b: m.qr(a, "reduced"), "qr r": lambda m, a, s, b: m.qr(a, "r"),
    "eigh": lambda m, a, s, b: m.eigh(s), "eigvalsh": lambda m, a, s, b: m.eigvalsh(s), "eig": lambda m, a, s, b: m.eig(a), "eigvals": lambda m, a, s, b: m.eigvals(a),
    "svd": lambda m, a, s, b: m.svd(a), "svdvals": lambda m, a, s, b: m.svd(a, compute_uv=False), "svd hermitian": lambda m, a, s, b: m.svd(s, hermitian=True),
    "pinv": lambda m, a, s, b: m.pinv(a), "pinv hermitian": lambda m, a, s, b: m.pinv(s, hermitian=True),
    "matrix_rank": lambda m, a, s, b: m.matrix_rank(a), "cond": lambda m, a, s, b: m.cond(a), "cond 1": lambda m, a, s, b: m.cond(a, 1),
    "norm": lambda m, a, s, b: m.norm(a, axis=AXES), "norm 1": lambda m, a, s, b: m.norm(a, 1, axis=AXES), "norm 2": lambda m, a, s, b: m.norm(a, 2, axis=AXES),
    "norm nuc": lambda m, a, s, b: m.norm(a, "nuc", axis=AXES), "norm of vectors": lambda m, a, s, b: m.norm(a, axis=-1),
    "matrix_power 5": lambda m, a, s, b: m.matrix_power(a, 5), "matrix_power -2": lambda m, a, s, b: m.matrix_power(a, -2),
    "matmul": lambda m, a, s, b: np.matmul(a, s) if m is np.linalg else m.matmul(a, s),
}


def arguments():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shapes = lambda text: [tuple(int(n) for n in shape.split("x")) for shape in text.split(",")]
    read.add_argument("--stacks", type=shapes, default=[(10000, 3), (2000, 10), (200, 50)])
    read.add_argument("--types", default="d,z")
    read.add_argument("--only", default="")
    read.add_argument("--limit", type=float, default=2)
    read.add_argument("--seconds", type=float, default=0.5, help="at least, of a pair; 15 turns at least")
    read.add_argument("--json", default="")
    return read.parse_args()


def problem(count, n, letter):
    """Stacks of any matrices, of definite ones, and of right-hand sides; all far from singular."""
    rng = np.random.default_rng(n)
    a = rng.standard_normal((count, n, n)) / n ** 0.5 + 5 * np.eye(n)
    if letter in "cz":
        a = a + 1j * rng.standard_normal(a.shape) / n ** 0.5
    a = a.astype({"s": "f", "d": "d", "c": "F", "z": "D"}[letter])
    return a, a @ a.conj().swapaxes(-1, -2), a[..., :1].copy()


def unique(name, x, a, s):
    """What of a result does not depend on how it is computed: of factors their product beside the matrix."""
    if name == "qr":
        return x[0] @ x[1]
    if name == "qr r":
        return np.abs(x)
    if name == "eigh":
        return np.concatenate([x[0], np.abs((x[1] * x[0][:, None]) @ x[1].conj().swapaxes(-1, -2) - s).max(-1)], -1)
    if name == "eig":
        return np.concatenate([np.sort(np.abs(x[0]), -1), np.abs(a @ x[1] - x[1] * x[0][:, None]).max(-1)], -1)
    if name == "eigvals":
        return np.sort(np.abs(x), -1)
    if name in ("svd", "svd hermitian"):
        return (x[0] * x[1][:, None]) @ x[2]
    return np.stack(x) if isinstance(x, tuple) else x


def measured(pair, seconds):
    """The medians of both, in turns."""
    found = ([], [])
    while len(found[0]) < 15 or sum(map(sum, found)) < seconds:
        for call, times in zip(pair, found):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    return [statistics.median(times) for times in found]


def main():
    how, rows = arguments(), []
    only = set(filter(None, how.only.split(",")))
    print(f"NumPy {np.__version__}; {tesela.libraries()}".replace("\n", "; "))
    print(f"{'':18}" + "".join(f"{letter} {count} x {n} x {n}".rjust(19) for letter in how.types.split(",") for count, n in how.stacks))
    problems = [(letter, count, n, problem(count, n, letter)) for letter in how.types.split(",") for count, n in how.stacks]
    for name, call in CALLS.items():
        if only and name not in only:
            continue
        print(f"{name:18}", end="", flush=True)
        for letter, count, n, given in problems:
            pair = (lambda: call(np.linalg, *given)), (lambda: call(tesela, *given))
            theirs, ours = (unique(name, compute(), *given[:2]) for compute in pair)
            good = theirs.shape == ours.shape and bool(np.abs(ours - theirs).max() <= 1000 * n * np.finfo(given[0].dtype).eps * np.abs(theirs).max())
            times = measured(pair, how.seconds)
            if times[1] > how.limit * times[0]:
                times = min(times, measured(pair, how.seconds), key=lambda t: t[1] / t[0])
            rows.append({"what": name, "type": letter, "count": count, "n": n, "theirs_us": times[0] * 1e6, "ours_us": times[1] * 1e6, "ratio": times[1] / times[0], "good": good})
            print(f"{times[1] / times[0]:14.2f}{'' if good else 'WRONG':5}", end="", flush=True)
        print(flush=True)
    wrong, slow = [r for r in rows if not r["good"]], [r for r in rows if r["ratio"] > how.limit]
    print(f"{len(rows)} problems, {len(slow)} above {how.limit}, {len(wrong)} wrong")
    if how.json:
        with open(how.json, "w") as out:
            json.dump(rows, out, indent=0)
    return 1 if wrong or slow else 0


if __name__ == "__main__":
    sys.exit(main())
