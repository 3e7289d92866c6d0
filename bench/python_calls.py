"""What a call of the package costs on small NumPy arrays: python3 bench/python_calls.py [ORDER...]. A line of JSON for each order: microseconds
of the shortest of many rounds, Tesela's and, where it is installed, SciPy's (of matmul NumPy's)."""

import json
import sys
import time

import numpy as np

import tesela

try:
    from scipy import linalg
except ImportError:
    linalg = None


def microseconds(call, calls=40, rounds=60):
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        times.append((time.perf_counter() - start) / calls)
    return round(1e6 * min(times), 1)


for n in map(int, sys.argv[1:] or ["4", "50", "200"]):
    rng = np.random.default_rng(n)
    a = rng.standard_normal((n, n)) + n * np.eye(n)
    s, b = a @ a.T, rng.standard_normal(n)
    line = {"n": n}
    for name, args in (("matmul", (a, a)), ("solve", (a, b)), ("cholesky", (s,)), ("qr", (a,)), ("lu", (a,)), ("lu_factor", (a,)),
                       ("solve_triangular", (a, b)), ("norm", (a,)), ("inv", (a,)), ("det", (a,)), ("lstsq", (a, b))):
        theirs = np.matmul if name == "matmul" else getattr(linalg, name, None)
        rounds = 60 if n < 100 else 10
        ours = microseconds(lambda: getattr(tesela, name)(*args), rounds=rounds)
        line[name] = [ours, theirs and microseconds(lambda: theirs(*args), rounds=rounds)]
    print(json.dumps(line), flush=True)
