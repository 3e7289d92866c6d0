"""Where the time of small calls of tesela.torch on a GPU goes.

    python3 bench/python/torch_steps.py [--steps 64,10000x4x4] [--kernels 64,10000x4x4] [--one 16,32,64,128] [--only NAME,..]

--steps: microseconds of the parts of calls, each from an idle device to the return and until the device is idle again.
--kernels: of calls of torch.linalg and ours, by torch.profiler: kernels and their time, copies, and calls of CUDA that launch, copy or wait.
--one: one matrix as it is and as a stack of one, by the library's calls: microseconds until the device is idle, so that thresholds can be told.
"""

import argparse
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import torch_table  # noqa: E402


def arguments():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    shapes = lambda text: [tuple(int(n) for n in shape.split("x")) for shape in text.split(",") if shape]
    read.add_argument("--steps", type=shapes, default=[])
    read.add_argument("--kernels", type=shapes, default=[])
    read.add_argument("--one", type=lambda text: [int(n) for n in text.split(",") if n], default=[])
    read.add_argument("--only", default="")
    return read.parse_args()


def timed(wait, part, turns=100, before=20):
    """Medians, in microseconds: until it returns, and until the device is idle."""
    times = []
    for _ in range(before + turns):
        wait()
        start = time.perf_counter()
        part()
        returned = time.perf_counter()
        wait()
        times.append((returned - start, time.perf_counter() - start))
    return [1e6 * statistics.median(t[before:]) for t in zip(*times)]


def steps(shape):
    import torch

    import tesela.torch as ours
    from tesela._calls import fast
    from tesela._many import kernels
    from tesela.torch import _op

    shape = shape if len(shape) > 1 else shape * 2
    p, n = torch_table.Problem(torch, shape, torch.float64, "cuda"), shape[-1]
    a, s, b = p.a, p.s, p.b
    k = _op.many(a)
    f, pivots, x = k.seen(a), k.line(n, kernels.INT), k.seen(b)
    g, stream, wait = k.rows(s), k.space.stream(a), torch.cuda.synchronize

    def entered():
        with k:
            pass

    def potrf(told):
        with k:
            return k.infos("potrf", k.view(g.copy_(s), kernels.UPPER), told=told)

    parts = {"nothing": lambda: None, "need": lambda: _op.need("x", a, square=True), "alone": lambda: _op.alone(a, False, True), "many": lambda: _op.many(a),
             "clone": a.clone, "by columns": lambda: k.seen(a), "new_empty": lambda: k.line(n, kernels.INT), "tril": a.tril, "copy_": lambda: g.copy_(s),
             "with": entered, "view": lambda: k.view(g), "stream": lambda: k.space.stream(a), "order": lambda: k.context.order("follow", stream),
             "copy_, potrf, not told": lambda: potrf(False), "copy_, potrf, told": lambda: potrf(True),
             "getrf, not told": lambda: k.infos("getrf", k.view_seen(f), k.view_line(pivots), told=False),
             "getrf, told": lambda: k.infos("getrf", k.view_seen(f), k.view_line(pivots)),
             "trsm": lambda: k.call("trsm", 0, 1.0, k.view_seen(f, kernels.UPPER), k.view_seen(x)), "item": lambda: pivots.view(-1)[0].item()}
    names = ["cholesky", "solve_triangular", "lu_factor", "solve", "inv", "lu_solve", "qr", "slogdet", "eigvalsh"] + ["householder_product"] * (len(shape) == 2)
    parts.update({f"{who} {name}": p.call(m, name) for name in names for who, m in (("theirs", torch.linalg), ("ours", ours))})
    print(f"{shape}, compiled calls: {'yes' if fast.module() else 'no'}; microseconds from an idle device to the return, and until it is idle")
    for name, part in parts.items():
        print("  %-32s %8.1f %8.1f" % (name, *timed(wait, part)), flush=True)


WAITS = ("Synchronize", "cudaEventQuery")


def counted(torch, call, turns=5):
    """Of a call: kernels, their microseconds, copies, and calls of CUDA's that launch, copy and wait."""
    from torch.profiler import ProfilerActivity, profile

    call(), call()
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as seen:
        for _ in range(turns):
            call()
    kernels = copies = busy = launches = moves = waits = 0
    for e in seen.events():
        if "CUDA" in str(e.device_type):
            moved = e.name.startswith(("Memcpy", "Memset"))
            copies, kernels = copies + moved, kernels + (not moved)
            busy += e.time_range.elapsed_us()
        elif e.name.startswith("cu"):
            launches += "Launch" in e.name
            moves += e.name.startswith(("cudaMem", "cuMem")) and "Async" in e.name
            waits += any(word in e.name for word in WAITS)
    return [v / turns for v in (kernels, busy, copies, launches, moves, waits)]


def kernels_of(shape, only):
    import torch

    import tesela.torch as ours

    shape = shape if len(shape) > 1 else shape * 2
    p = torch_table.Problem(torch, shape, torch.float64, "cuda")
    print(f"{shape}: kernels, their us, copies on the device; launches, copies and waits of the host; us until idle: torch | ours")
    for name in torch_table.ONE if len(shape) == 2 else torch_table.STACKS:
        if only and name not in only:
            continue
        line = []
        for m in (torch.linalg, ours):
            call = p.call(m, name)
            line.append("%5.1f %8.1f %4.1f  %5.1f %4.1f %4.1f %9.1f" % (*counted(torch, call), timed(torch.cuda.synchronize, call, 20, 3)[1]))
        print("  %-20s %s" % (name, " | ".join(line)), flush=True)


def one_or_stack(orders):
    import torch

    from tesela._many import kernels
    from tesela.torch import _op

    print("us until idle of one matrix, and of it as a stack of one")
    for n in orders:
        p = torch_table.Problem(torch, (n, n), torch.float64, "cuda")
        f, pivots = kernels.lu_factor(_op.many(p.a), p.a)[:2]
        q, tau = kernels.geqrf(_op.many(p.a), p.a, n)
        calls = {"cholesky": lambda k, a, s, b, *_: kernels.cholesky(k, s, True), "lu_factor": lambda k, a, s, b, *_: kernels.lu_factor(k, a, False),
                 "solve": lambda k, a, s, b, *_: kernels.solve(k, a, b), "inv": lambda k, a, s, b, *_: kernels.inv(k, a),
                 "lu_solve": lambda k, a, s, b, f, p, *_: kernels.lu_solve(k, f, p, b, 0), "trsm": lambda k, a, s, b, *_: kernels.solve_triangular(k, a, b, False, False),
                 "geqrf": lambda k, a, s, b, *_: kernels.geqrf(k, a, n), "orgqr": lambda k, a, s, b, f, p, q, tau: kernels.orgqr(k, q.clone(), tau, n),
                 "gels": lambda k, a, s, b, *_: kernels.gels(k, a, b, False), "eigh": lambda k, a, s, b, *_: kernels.eigh(k, s, True, True),
                 "eigvalsh": lambda k, a, s, b, *_: kernels.eigh(k, s, True, False), "svd": lambda k, a, s, b, *_: kernels.svd(k, a, False),
                 "svdvals": lambda k, a, s, b, *_: kernels.svd(k, a, False, False), "expm": lambda k, a, s, b, *_: kernels.expm(k, a / 2)}
        for name, call in calls.items():
            given = p.a, p.s, p.b, f, pivots, q, tau
            found = []
            for args in (given, [t.unsqueeze(0) for t in given]):
                try:
                    found.append(timed(torch.cuda.synchronize, lambda: call(_op.many(args[0]), *args), 20, 3)[1])
                except Exception as why:
                    found.append(float("nan"))
                    print(f"  {n:4} {name}: {type(why).__name__}: {why}")
            print("  %4d %-12s %9.1f %9.1f  %s" % (n, name, *found, "stack" if found[1] < found[0] else "one"), flush=True)


def main():
    how = arguments()
    only = set(filter(None, how.only.split(",")))
    for shape in how.steps:
        steps(shape)
    for shape in how.kernels:
        kernels_of(shape, only)
    if how.one:
        one_or_stack(how.one)


if __name__ == "__main__":
    main()
