"""What a call of the package costs on small NumPy arrays: python3 bench/python_calls.py [ORDER...]. A line of JSON for each order: microseconds
of the shortest of many rounds in turns, Tesela's and, where it is installed, SciPy's (of matmul NumPy's)."""

import json
import sys
import time

import numpy as np

import tesela

try:
    from scipy import linalg
except ImportError:
    linalg = None


def microseconds(*functions, calls=40, rounds=60):
    """Of each the shortest round; they take turns, so that what else the machine does concerns all."""
    shortest = [float("inf")] * len(functions)
    for _ in range(rounds):
        for i, function in enumerate(functions):
            start = time.perf_counter()
            for _ in range(calls):
                function()
            shortest[i] = min(shortest[i], (time.perf_counter() - start) / calls)
    return [round(1e6 * seconds, 1) for seconds in shortest]


for n in map(int, sys.argv[1:] or ["4", "10", "50", "200"]):
    rng = np.random.default_rng(n)
    a = rng.standard_normal((n, n)) + n * np.eye(n)
    s, b = a @ a.T, rng.standard_normal(n)
    lu, cho = tesela.lu_factor(a), tesela.cho_factor(s)
    line = {"n": n}
    for name, args in (("matmul", (a, a)), ("solve", (a, b)), ("cholesky", (s,)), ("cho_factor", (s,)), ("cho_solve", (cho, b)), ("qr", (a,)),
                       ("lu", (a,)), ("lu_factor", (a,)), ("lu_solve", (lu, b)), ("solve_triangular", (a, b)), ("norm", (a,)), ("inv", (a,)),
                       ("det", (a,)), ("lstsq", (a, b))):
        ours, theirs = getattr(tesela, name), np.matmul if name == "matmul" else getattr(linalg, name, None)
        both = [ours, theirs] if theirs else [ours]
        line[name] = microseconds(*[lambda f=f: f(*args) for f in both], rounds=60 if n < 100 else 10)
    print(json.dumps(line), flush=True)
