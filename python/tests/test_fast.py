"""The compiled calls (python/fast) beside those by ctypes: the same bits, errors and memory, whichever thread calls."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import subprocess
import sys
import threading
import unittest
from typing import Any

import numpy as np
from common import Case, random

from tesela._calls import context as contexts, fast
from tesela._many import kernels
from tesela._many.call import Many
from tesela._many.spaces import space

MANY = 3000  # more than it keeps


def call(a: Any, order: int = 0) -> Many:
    return Many(space("numpy", False), a, a.shape[:-2], a.dtype, order)


def results(dtype: Any) -> list[Any]:
    """Of calls with every kind of argument."""
    a, b = random((4, 5, 5), dtype.char), random((4, 5, 2), dtype.char)
    s = a @ a.conj().swapaxes(-1, -2) + np.eye(5, dtype=dtype)
    found: list[Any] = []
    for at in (slice(None), 0):  # a stack, and one
        x, y, z = a[at], b[at], s[at]
        found += [*kernels.cholesky(call(z), z, True), *kernels.solve(call(x), x, y), *kernels.inv(call(x), x), *kernels.ldl_factor(call(z), z, True)]
        found += [*kernels.eigh(call(z), z, True), *kernels.eigh(call(z), z, True, False), *kernels.eigh_pair(call(z), x + x, z, 1, True, True)]
        found += [*kernels.eig(call(x), x), *kernels.svd(call(x), x, True), *kernels.svd(call(x), x, True, False), *kernels.pinv(call(x), x, 0.1)]
        found += [kernels.expm(call(x), x), *kernels.by_schur_form(call(z), "sqrtm", z), *kernels.schur(call(x), x), *kernels.gels(call(x), x, y)]
        found += [kernels.solve_triangular(call(y, 5), x, y, True, False), kernels.solve_triangular(call(y, 5), x.swapaxes(-1, -2), y, False, True)]
        f, tau = kernels.geqrf(call(x), x, 5)
        found += [f.copy(), tau, kernels.orgqr(call(x), f, tau, 5)]
    return [np.asarray(x) for x in found if x is not None]


class Fast(Case):
    def setUp(self) -> None:
        if fast._module() is None:
            self.skipTest("the compiled calls are not built, or not wanted: " + os.environ.get("TESELA_FAST", ""))

    def test_same_bits(self) -> None:
        code = ("import pickle, sys, numpy as np, test_fast; from tesela._calls import fast; assert fast._module() is None; "
                "sys.stdout.buffer.write(pickle.dumps([test_fast.results(np.dtype(t)) for t in 'fdFD']))")
        told = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, cwd=os.path.dirname(__file__),
                              env={**os.environ, "TESELA_FAST": "no", "PYTHONPATH": os.pathsep.join(sys.path)})
        for dtype, theirs in zip("fdFD", pickle.loads(told.stdout)):
            ours = results(np.dtype(dtype))
            self.assertEqual(len(ours), len(theirs))
            for i, (x, y) in enumerate(zip(ours, theirs)):
                self.assertTrue(np.array_equal(x, y, equal_nan=x.dtype.kind in "fc"), f"{dtype}, result {i}")

    def test_functions_are_known(self) -> None:
        """All that the kernels call."""
        for name in ("potrf", "getrf", "gesv", "getrs", "getri", "trsm", "sytrf", "hetrf", "sytrs", "hetrs", "geqrf", "orgqr", "syev", "sygv", "geev", "gesvd", "pinv",
                     "expm", "sqrtm", "logm", "gees", "gels"):
            self.assertIsNotNone(fast.entry(name), name)
        self.assertIsNone(fast.entry("wait"))

    def test_errors(self) -> None:
        a = random((3, 3), "d")
        k = call(a)
        with self.assertRaisesRegex(ValueError, "trsm"):
            k.call("trsm", 0, 1.0, k.view(a, 1), k.view(a[:, :2].copy()))
        entry = fast.entry("potrf")
        assert entry is not None
        calls = contexts.context("host").fast
        for wrong in ((), (None,), (None, None, None), ((1, 2), None), (tuple("abcdefghijk"), None), (3, None)):
            with self.assertRaises(TypeError):
                calls.call(*entry, wrong)
        with self.assertRaises(ValueError):
            calls.call(entry[0], 99, (None, None))
        self.assertEqual(kernels.cholesky(call(-np.eye(3)), -np.eye(3), True)[1], 1)

    def test_many_places(self) -> None:
        """More matrices than it keeps, at places of their own, and again."""
        arrays = [np.full((2, 2), 1.0 + i) + np.diag([i, 1.0]) for i in range(MANY)]
        for _ in range(2):
            for i in range(0, MANY, 7):
                self.assertLess(abs(kernels.inv(call(arrays[i]), arrays[i])[0] @ arrays[i] - np.eye(2)).max(), 1e-8)
            k = call(arrays[0])
            for a in arrays:
                k.infos("getrf", k.view(a.copy()), k.view(np.empty((1, 2), np.int64)))

    def test_memory(self) -> None:
        a = random((6, 6), "d")
        s = a @ a.T + np.eye(6)
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def some() -> None:
            for _ in range(2500):
                kernels.cholesky(call(s), s, True)
                kernels.inv(call(a), a)

        some()
        gc.collect()
        before = peak()
        for _ in range(4):
            some()
        self.assertLess(peak() - before, 4096, "kilobytes after 10,000 calls of each")

    def test_threads(self) -> None:
        wrong: list[str] = []

        def work(seed: int) -> None:
            rng = np.random.default_rng(seed)
            for _ in range(150):
                n = int(rng.integers(1, 9))
                a = rng.standard_normal((n, n)) + 4 * np.eye(n)
                if abs(kernels.inv(call(a), a)[0] @ a - np.eye(n)).max() > 1e-8:
                    wrong.append(f"inv {seed}")
                x, info = kernels.solution(call(a), a, a[:, :1])
                if info.any() or abs(a @ x - a[:, :1]).max() > 1e-8:
                    wrong.append(f"solve {seed}")

        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
