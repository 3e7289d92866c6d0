"""tesela.torch beside torch.linalg on tensors of a GPU: times, ratios, residuals.

    python3 bench/python/torch_table.py [--orders 64,512] [--types d,s] [--stacks 4,16] [--only NAME,..] [--library] [--seconds S] [--json FILE]

A ratio is their time / ours; both are medians of calls in turns, each from a device that is idle until it is so again, after a call of each that is not
counted: at least 20 of them, or for 50 ms each, and for --seconds together if they have not been 200 by then. Calls of more than 50 ms are measured twice,
of more than half a second once. With --library the library's own calls in each of ours are measured, too, alone and on the same operands: a share is their time / ours,
which is what Python, PyTorch's copies and its allocations leave of the library. A result whose residual is not small is marked WRONG. Where the time of a small call goes says torch_steps.py,
and numpy_table.py how stacks in host memory are beside NumPy.
"""

import argparse
import json
import statistics
import sys
import time

ONE = ("cholesky cholesky_ex solve solve_ex solve_triangular inv inv_ex lu lu_factor lu_factor_ex lu_solve ldl_factor ldl_solve qr eigh eigvalsh eig eigvals svd svdvals "
       "lstsq pinv matrix_rank cond det slogdet matrix_exp matrix_norm householder_product").split()
STACKS = "cholesky solve inv lu qr eigh svd".split()


def arguments():
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbers = lambda text: [int(n) for n in text.split(",") if n]
    read.add_argument("--orders", type=numbers, default=[64, 512, 2048, 4096])
    read.add_argument("--types", default="d,s")
    read.add_argument("--stacks", type=numbers, default=[4, 8, 16, 32, 64, 128, 256])
    read.add_argument("--only", default="")
    read.add_argument("--library", action="store_true")
    read.add_argument("--seconds", type=float, default=0.3)
    read.add_argument("--json", default="")
    return read.parse_args()


# ---- problems


class Problem:
    """Matrices of a kind: any, definite, and right-hand sides; m is torch.linalg or tesela.torch."""

    def __init__(self, torch, shape, dtype, device):
        n, self.torch = shape[-1], torch
        make = torch.Generator(device).manual_seed(n)
        normal = lambda *size: torch.randn(*size, dtype=dtype, device=device, generator=make)
        self.eye = torch.eye(n, dtype=dtype, device=device)
        self.a = normal(*shape) / n ** 0.5 + 2 * self.eye
        self.s = self.a @ self.a.mT
        self.b = normal(*shape[:-1], 1)
        self.lu = torch.linalg.lu_factor(self.a)
        self.ldl = torch.linalg.ldl_factor(self.s) if len(shape) == 2 else None
        self.qr = torch.geqrf(self.a) if len(shape) == 2 else None

    def call(self, m, name):
        a, s, b = self.a, self.s, self.b
        special = {"solve": lambda: m.solve(a, b), "solve_ex": lambda: m.solve_ex(a, b), "solve_triangular": lambda: m.solve_triangular(a, b, upper=True), "lstsq": lambda: m.lstsq(a, b),
                   "lu_solve": lambda: m.lu_solve(*self.lu, b), "ldl_solve": lambda: m.ldl_solve(*self.ldl, b), "matrix_norm": lambda: m.matrix_norm(a, 1),
                   "svd": lambda: m.svd(a, full_matrices=False), "householder_product": lambda: m.householder_product(*self.qr),
                   "matrix_exp": lambda: m.matrix_exp(a / 2)}
        function = getattr(m, name)
        return special.get(name) or (lambda: function(s if name in ("cholesky", "cholesky_ex", "eigh", "eigvalsh", "ldl_factor") else a))

    def residual(self, name, x):
        """Of a result, relative; None: by their result."""
        torch, a, s, b, eye = self.torch, self.a, self.s, self.b, self.eye
        off = lambda x, y: float(((x - y).abs().amax((-2, -1)) / y.abs().amax((-2, -1))).max())
        if name.endswith("_ex"):
            name, x = name[:-3], x if name == "lu_factor_ex" else x[0]
        if name == "cholesky":
            return off(x @ x.mT, s)
        if name in ("solve", "lu_solve", "ldl_solve", "lstsq"):
            x = x.solution if name == "lstsq" else x
            return off((s if name == "ldl_solve" else a) @ x, b)
        if name == "solve_triangular":
            return off(a.triu() @ x, b)
        if name in ("inv", "pinv"):
            return off(a @ x, eye.expand(a.shape))
        if name == "lu":
            return off(x.P @ x.L @ x.U, a)
        if name == "lu_factor":
            return off((lambda P, L, U: P @ L @ U)(*torch.lu_unpack(*x[:2])), a)
        if name == "qr":
            return max(off(x.Q @ x.R, a), off(x.Q.mT @ x.Q, eye.expand(a.shape)))
        if name == "eigh":
            w, v = x
            return max(off(v @ (w.unsqueeze(-1) * v.mT), s), off(v.mT @ v, eye.expand(a.shape)))
        if name == "svd":
            return max(off(x.U @ (x.S.unsqueeze(-1) * x.Vh), a), off(x.U.mT @ x.U, eye.expand(a.shape)))
        if name == "eig":
            return off(a.to(x[1].dtype) @ x[1], x[1] * x[0].unsqueeze(-2))
        return None


def difference(torch, ours, theirs):
    """Of results that are unique, relative. Equal infinities do not differ, nor does NaN from NaN."""
    if isinstance(ours, tuple):
        return max(difference(torch, *pair) for pair in zip(ours, theirs))
    if not ours.is_floating_point() and not ours.is_complex():
        return float((ours != theirs).any())
    if ours.is_complex():  # eigenvalues, in any order
        ours, theirs = ours.abs().sort().values, theirs.abs().sort().values
    same = (ours == theirs) | ours.isnan() & theirs.isnan()
    off, sizes = (ours - theirs).abs().masked_fill(same, 0).nan_to_num(float("inf"), float("inf")), theirs.abs()
    return float(off.max() / sizes.masked_fill(~sizes.isfinite(), 0).max()) if off.any() else 0.0


# ---- times


LEAST, SECONDS, MOST, LONG = 20, 0.05, 200, 0.5


def measured(wait, calls, seconds):
    """The medians of all, in turns: of times until the device is idle, and until the call has returned. A call may have something to be done before each."""
    def once(call):
        getattr(call, "before", wait)()
        wait()
        start = time.perf_counter()
        call()
        returned = time.perf_counter()
        wait()
        return time.perf_counter() - start, returned - start

    for call in calls:
        once(call)
    found = [[] for _ in calls]
    while True:
        for call, times in zip(calls, found):
            times.append(once(call))
        spent, count = [sum(t for t, _ in times) for times in found], len(found[0])
        slow = max(spent) / count
        if slow > LONG or slow > SECONDS and count >= 2:
            break
        if (count >= LEAST or min(spent) >= SECONDS) and (sum(spent) >= seconds or count >= MOST):
            break
    return [statistics.median(t for t, _ in times) for times in found], [statistics.median(r for _, r in times) for times in found]


class Library:
    """The library's calls in a call of ours, to be made again on the same operands, by ctypes or compiled calls, with nothing between them."""

    def __init__(self, call):
        from tesela._calls import fast
        from tesela._many.call import Many
        from tesela.torch import _plan

        self.calls, self.operands, plain = [], {}, Many.call

        def noted(k, name, *args):
            for t in k._kept:  # outcomes on the host among them
                self.operands.setdefault(id(t), (t, t.clone() if hasattr(t, "clone") else None))
            entry = fast.entry(name) if k.context.fast is not None else None
            self.calls.append((lambda: k._by_ctypes(name, args)) if entry is None else (lambda f=k.context.fast.call: f(*entry, args)))
            return plain(k, name, *args)

        _plan.forget()
        Many.call = noted
        try:
            self.results = call()
        finally:
            Many.call = plain

    def before(self):
        for operand, was in self.operands.values():
            if was is not None:
                operand.copy_(was)

    def __call__(self):
        for call in self.calls:
            call()


def row(where, what, times, returns, residual, limit, rows):
    found = dict(where, what=what, theirs_ms=times[0] * 1e3, ours_ms=times[1] * 1e3, ratio=times[0] / times[1], theirs_returns_us=returns[0] * 1e6,
                 ours_returns_us=returns[1] * 1e6, residual=residual, good=bool(residual <= limit))
    alone = ""
    if len(times) > 2:
        found.update(library_ms=times[2] * 1e3, share=times[2] / times[1])
        alone = "  library %9.3f ms %6.3f" % (found["library_ms"], found["share"])
    rows.append(found)
    print("%-20s %s %-16s theirs %9.3f ms  ours %9.3f ms  %7.3f  returns %6.0f %6.0f us%s  residual %.0e%s" % (
        what, found["type"], found["shape"], found["theirs_ms"], found["ours_ms"], found["ratio"], found["theirs_returns_us"], found["ours_returns_us"], alone, residual,
        "" if found["good"] else "  WRONG"), flush=True)


def on_gpu(shapes, names, types, seconds, library, rows):
    import torch

    import tesela.torch as ours

    for letter in types:
        dtype = {"d": torch.float64, "s": torch.float32}[letter]
        for shape in shapes:
            p, limit = Problem(torch, shape, dtype, "cuda"), 200 * shape[-1] * torch.finfo(dtype).eps
            for name in names:
                calls = [p.call(torch.linalg, name), p.call(ours, name)]
                try:
                    alone = [Library(calls[1])] if library else []
                    calls += [one for one in alone if one.calls]
                    for _ in range(3):  # the third is as all that follow
                        got = calls[1]()
                    residual = p.residual(name, got)
                    residual = difference(torch, got, calls[0]()) if residual is None else residual
                    times, returns = measured(torch.cuda.synchronize, calls, seconds)
                except Exception as why:
                    print(f"{name:20} {letter} {shape} {type(why).__name__}: {why}", flush=True)
                    rows.append({"what": name, "type": letter, "shape": list(shape), "error": str(why)})
                    continue
                row({"where": "gpu", "type": letter, "shape": list(shape)}, name, times, returns, residual, limit, rows)


def main():
    how, rows = arguments(), []
    only, types = set(filter(None, how.only.split(","))), how.types.split(",")
    chosen = lambda names: [name for name in names if not only or name in only]
    if how.orders:
        on_gpu([(n, n) for n in how.orders], chosen(ONE), types, how.seconds, how.library, rows)
    if how.stacks:
        on_gpu([(max(4, min(10000, 1 << 22 >> 2 * (n.bit_length() - 1))), n, n) for n in how.stacks], chosen(STACKS), types, how.seconds, how.library, rows)
    slow = [r for r in rows if "ratio" in r and r["ratio"] < 1]
    bad = [r for r in rows if not r.get("good")]
    print(f"{len(rows)} problems, {len(slow)} slower than they must be, {len(bad)} wrong")
    if how.json:
        with open(how.json, "w") as out:
            json.dump(rows, out, indent=0)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
