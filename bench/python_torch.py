"""Tesela beside torch.linalg on tensors of a GPU: python3 bench/python_torch.py [TYPE [ORDER...]]. A line of JSON for each problem: seconds of
both (the best of some, in turns, on fresh copies), their ratio, and the backward errors."""

import json
import sys
import time

import torch

import tesela


def best(call, repeats):
    times = []
    for _ in range(repeats):
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return min(times)


def problems(n, dtype):
    a = torch.randn(n, n, dtype=dtype, device="cuda")
    b = torch.randn(n, 64, dtype=dtype, device="cuda")
    s = a @ a.T + n * torch.eye(n, dtype=dtype, device="cuda")

    def off(x, y):
        return (torch.linalg.matrix_norm(x - y) / torch.linalg.matrix_norm(y)).item()

    yield "solve", lambda: tesela.solve(a, b), lambda: torch.linalg.solve(a, b), lambda x: off(a @ x, b)
    yield ("cholesky", lambda: tesela.cholesky(s, lower=True), lambda: torch.linalg.cholesky(s), lambda l: off(l @ l.T, s))
    yield "qr", lambda: tesela.qr(a), lambda: torch.linalg.qr(a, mode="complete"), lambda f: off(f[0] @ f[1], a)
    yield "inv", lambda: tesela.inv(a), lambda: torch.linalg.inv(a), lambda x: off(a @ x, torch.eye(n, dtype=dtype, device="cuda"))
    yield "matmul", lambda: tesela.matmul(a, a), lambda: a @ a, lambda c: off(c, a @ a)


kind = sys.argv[1] if len(sys.argv) > 1 else "float64"
for n in map(int, sys.argv[2:] or ["4096", "8192"]):
    for name, ours, theirs, error in problems(n, getattr(torch, kind)):
        errors = error(ours()), error(theirs())  # and the first call of each, which loads what it needs
        times = best(ours, 4), best(theirs, 4)
        print(json.dumps({"what": name, "type": kind, "n": n, "tesela_s": round(times[0], 6), "torch_s": round(times[1], 6),
                          "ratio": round(times[1] / times[0], 3), "tesela_error": errors[0], "torch_error": errors[1]}), flush=True)
