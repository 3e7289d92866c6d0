"""Small problems, which have a form of their own: as the general one computes them, and refuses them."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import subprocess
import sys
import unittest
from typing import Any, Callable, Iterator
from unittest import mock

import numpy as np
from common import Case, TYPES, in_threads, layouts, positive, random

import tesela
from tesela import _factor, _products, _small, _solve
from tesela._calls import context as contexts, fast
from tesela._many import kernels
from tesela._many.call import Many
from tesela._many.spaces import space

GENERAL = {"devices": "host", "offload_min": 0}  # options that no small problem has


def calls(dtype: str, n: int = 9) -> Iterator[tuple[str, Callable[[Any, Any, Any, Any], Any]]]:
    """Functions of a general matrix, a definite one, right-hand sides and a vector."""
    for lower in (False, True):
        yield f"cholesky {lower}", lambda a, s, b, v: tesela.cholesky(s, lower=lower)
        yield f"cho_factor {lower}", lambda a, s, b, v: tesela.cho_factor(s, lower=lower)[0]
        yield f"cho_solve {lower}", lambda a, s, b, v: tesela.cho_solve((s, lower), b)
        yield f"solve pos {lower}", lambda a, s, b, v: tesela.solve(s, b, assume_a="pos", lower=lower)
        for trans in "NTC":
            for unit in (False, True):
                yield f"triangle {lower} {trans} {unit}", lambda a, s, b, v: tesela.solve_triangular(a / n, b, trans, lower, unit)
    for transposed in (False, True):
        yield f"solve {transposed}", lambda a, s, b, v: tesela.solve(a, b, transposed=transposed)
        yield f"solve vector {transposed}", lambda a, s, b, v: tesela.solve(a, v, transposed=transposed)
    for trans in (0, 1, 2):
        yield f"lu_solve {trans}", lambda a, s, b, v: tesela.lu_solve((a, np.arange(n, dtype=np.int32)[::-1].copy()), b, trans)
    yield "inv", lambda a, s, b, v: tesela.inv(a)
    yield "det", lambda a, s, b, v: tesela.det(a / n)
    yield "lu", lambda a, s, b, v: tesela.lu(a)
    yield "lu_factor", lambda a, s, b, v: tesela.lu_factor(a)
    for part in (slice(None), slice(6)):
        for mode in ("full", "economic"):
            yield f"qr {mode}", lambda a, s, b, v: tesela.qr(a[:, part], mode=mode)
            yield f"qr {mode} wide", lambda a, s, b, v: tesela.qr(a[part], mode=mode)
        yield "lstsq", lambda a, s, b, v: tesela.lstsq(a[:, part], b)[:3]
        yield "lstsq wide", lambda a, s, b, v: tesela.lstsq(a[part], v[part])[:3]
    for ord in (None, "fro", 1, np.inf):
        yield f"norm {ord}", lambda a, s, b, v: tesela.norm(a[:, :7].copy(), ord)
    yield "matmul", lambda a, s, b, v: tesela.matmul(a, b)
    yield "matmul T", lambda a, s, b, v: tesela.matmul(b.T, a)
    yield "matmul T T", lambda a, s, b, v: tesela.matmul(b.T, a.T)
    yield "matmul vector", lambda a, s, b, v: tesela.matmul(a, v)
    yield "matmul vector T", lambda a, s, b, v: tesela.matmul(b.T, v)
    yield "vector matmul", lambda a, s, b, v: tesela.matmul(v, b)
    yield "vector matmul T", lambda a, s, b, v: tesela.matmul(v, a.T)
    yield "dot", lambda a, s, b, v: tesela.matmul(v, v)


class Small(Case):
    def same(self, got: Any, want: Any, dtype: str) -> None:
        if isinstance(got, tuple):
            self.assertEqual(len(got), len(want))
            for g, w in zip(got, want):
                self.same(g, w, dtype)
            return
        self.assertIs(type(got), type(want))
        self.assertEqual(np.asarray(got).dtype, np.asarray(want).dtype)
        self.close(got, want, dtype, 10)

    def test_as_the_general_form(self) -> None:
        for dtype in TYPES:
            a, s = random((9, 9), dtype) + 9 * np.eye(9, dtype=dtype), positive(9, dtype)
            b, v = random((9, 4), dtype, 1), random((9,), dtype, 2)
            for (name, A), (_, S), (_, B) in zip(layouts(a), layouts(s), layouts(b)):
                for what, call in calls(dtype):
                    with self.subTest(what, dtype=dtype, layout=name):
                        keep = [x.copy() for x in (A, S, B, v)]
                        with tesela.options(devices="host"):
                            got = call(A, S, B, v)
                        with tesela.options(**GENERAL), mock.patch.object(_small, "_run", side_effect=AssertionError):
                            want = call(A, S, B, v)
                        self.same(got, want, dtype)
                        for x, was in zip((A, S, B, v), keep):
                            np.testing.assert_array_equal(x, was)

    def test_is_used(self) -> None:
        """By arrays with rows or columns without gaps, unless something asks for the other form."""
        never = mock.Mock(side_effect=AssertionError("the general form"))
        a, s, b, v = random((9, 9), "d") + 9 * np.eye(9), positive(9, "d"), random((9, 4), "d", 1), random((9,), "d", 2)
        for order in "CF":
            arrays = [np.array(x, order=order) for x in (a, s, b)]
            for what, call in calls("d"):
                if "matmul" not in what or order == "C":
                    with self.subTest(what, order=order), tesela.options(devices="host"):
                        with mock.patch.object(_products, "Call", never), mock.patch.object(_solve, "Call", never), \
                                mock.patch.object(_factor, "Call", never):
                            call(*arrays, v)
        with mock.patch.object(_small, "_run", never):
            for other in (lambda: tesela.inv(np.eye(200)), lambda: tesela.solve(a, b, overwrite_a=True), lambda: tesela.inv(np.zeros((0, 0))),
                          lambda: tesela.inv(np.eye(2, dtype=int)), lambda: tesela.inv(np.eye(2, dtype=">f8")),
                          lambda: tesela.matmul(a, b.astype("f")), lambda: tesela.inv(np.matrix(a))):
                with tesela.options(devices="host"):
                    other()
            for options in ({"devices": "host:1"}, {"devices": "host", "tile": 32}, {"offload_min": 4}, GENERAL):
                with tesela.options(**options):
                    tesela.inv(a)

    def test_refuses_alike(self) -> None:
        """Errors are the general form's, word by word."""
        e, bad = np.eye(4), np.eye(4)
        bad[1, 2] = np.nan
        zero, sign = np.diag([1.0, 0, 1, 1]), np.diag([1.0, 1, -1, 1])
        for dtype in TYPES:
            E, N, Z, S, o = (x.astype(dtype) for x in (e, bad, zero, sign, np.ones(4)))
            for call in (lambda: tesela.solve(N, o), lambda: tesela.solve(E, N), lambda: tesela.inv(N), lambda: tesela.det(N), lambda: tesela.norm(N),
                         lambda: tesela.cholesky(N), lambda: tesela.qr(N), lambda: tesela.lu(N), lambda: tesela.lstsq(N, o),
                         lambda: tesela.solve_triangular(N, o), lambda: tesela.cho_solve((N, True), o), lambda: tesela.lu_factor(N),
                         lambda: tesela.solve(Z, o), lambda: tesela.inv(Z), lambda: tesela.cholesky(S), lambda: tesela.solve(S, o, assume_a="pos"),
                         lambda: tesela.solve_triangular(Z, o), lambda: tesela.lstsq(Z, o, lapack_driver="gels"), lambda: tesela.solve(E[:3], o), lambda: tesela.inv(E[:3]),
                         lambda: tesela.solve(E, o[:3]), lambda: tesela.matmul(E, o[:3]), lambda: tesela.matmul(o[:3], E), lambda: tesela.solve(o, o),
                         lambda: tesela.lu_solve((E, np.array([0, 1, 2, 4])), o), lambda: tesela.lu_solve((E, np.array([0, -1, 2, 3])), o),
                         lambda: tesela.norm(E, 3), lambda: tesela.norm(E, [1]), lambda: tesela.cholesky(E[:2]), lambda: tesela.matmul(o, o[:2])):
                errors = []
                for options in ({"devices": "host"}, GENERAL):
                    with tesela.options(**options):
                        try:
                            errors.append(repr(call()))
                        except Exception as error:
                            errors.append(repr(error))
                self.assertEqual(errors[0], errors[1])
                self.assertIn("Error(", errors[0])
            with tesela.options(devices="host"):  # what is singular but no error, what is not looked at, and what is large
                self.assertEqual(tesela.det(Z), 0)
                self.assertEqual(tesela.lu_factor(Z)[0][1, 1], 0)
                self.assertTrue(np.isnan(tesela.matmul(N, E)).any())
                self.assertTrue(np.isnan(tesela.solve(N, o, check_finite=False)).any())
                large = np.finfo(dtype).max / 8
                self.close(tesela.norm(np.array([[large, 0], [0, 1]], dtype)) / large, 1, dtype)
                self.close(tesela.inv(large * E) * large, np.eye(4), dtype)

    def test_from_several_threads(self) -> None:
        wrong = []

        def work(k: int) -> None:
            a, v = random((6, 6), "d", k) + 9 * np.eye(6), random((6,), "d", k)
            want = np.linalg.solve(a, v)
            for i in range(200):
                with tesela.options(devices="host", tile=i) if k % 2 and i % 9 == 0 else tesela.options(devices="host"):
                    if abs(tesela.solve(a, v) - want).max() > 1e-12:
                        wrong.append(i)

        in_threads(work, range(4))
        self.assertEqual(wrong, [])


# ---- the compiled calls (python/fast) beside those by ctypes: the same bits, errors and memory, whichever thread calls

MANY = 3000  # more than it keeps


def call_on(a: Any, order: int = 0) -> Many:
    return Many(space("numpy", False), a, a.shape[:-2], a.dtype, order)


def results(dtype: Any) -> list[Any]:
    """Of calls with every kind of argument."""
    a, b = random((4, 5, 5), dtype.char), random((4, 5, 2), dtype.char)
    s = a @ a.conj().swapaxes(-1, -2) + np.eye(5, dtype=dtype)
    found: list[Any] = []
    for at in (slice(None), 0):  # a stack, and one
        x, y, z = a[at], b[at], s[at]
        found += [*kernels.cholesky(call_on(z), z, True), *kernels.solve(call_on(x), x, y), *kernels.inv(call_on(x), x), *kernels.lu(call_on(x), x), *kernels.ldl_factor(call_on(z), z, True)]
        found += [*kernels.eigh(call_on(z), z, True), *kernels.eigh(call_on(z), z, True, False), *kernels.eigh_pair(call_on(z), x + x, z, 1, True, True)]
        found += [*kernels.eig(call_on(x), x), *kernels.svd(call_on(x), x, True), *kernels.svd(call_on(x), x, True, False), *kernels.pinv(call_on(x), x, 0.1)]
        found += [kernels.expm(call_on(x), x), *kernels.by_schur_form(call_on(z), "sqrtm", z), *kernels.schur(call_on(x), x), *kernels.gels(call_on(x), x, y)]
        found += [kernels.solve_triangular(call_on(y, 5), x, y, True, False), kernels.solve_triangular(call_on(y, 5), x.swapaxes(-1, -2), y, False, True)]
        f, tau = kernels.geqrf(call_on(x), x, 5)
        found += [f.copy(), tau, kernels.orgqr(call_on(x), f, tau, 5)]
    return [np.asarray(x) for x in found if x is not None]


class Fast(Case):
    def setUp(self) -> None:
        if fast.module() is None:
            self.skipTest("the compiled calls are not built, or not wanted: " + os.environ.get("TESELA_FAST", ""))

    def test_same_bits(self) -> None:
        code = ("import pickle, sys, numpy as np, test_small; from tesela._calls import fast; assert fast.module() is None; "
                "sys.stdout.buffer.write(pickle.dumps([test_small.results(np.dtype(t)) for t in 'fdFD']))")
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
                     "expm", "sqrtm", "logm", "gees", "gels", "laswp"):
            self.assertIsNotNone(fast.entry(name), name)
        self.assertIsNone(fast.entry("wait"))

    def test_errors(self) -> None:
        a = random((3, 3), "d")
        k = call_on(a)
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
        self.assertEqual(kernels.cholesky(call_on(-np.eye(3)), -np.eye(3), True)[1], 1)

    def test_many_places(self) -> None:
        """More matrices than it keeps, at places of their own, and again."""
        arrays = [np.full((2, 2), 1.0 + i) + np.diag([i, 1.0]) for i in range(MANY)]
        for _ in range(2):
            for i in range(0, MANY, 7):
                self.assertLess(abs(kernels.inv(call_on(arrays[i]), arrays[i])[0] @ arrays[i] - np.eye(2)).max(), 1e-8)
            k = call_on(arrays[0])
            for a in arrays:
                k.infos("getrf", k.view(a.copy()), k.view(np.empty((1, 2), np.int64)))

    def test_memory(self) -> None:
        a = random((6, 6), "d")
        s = a @ a.T + np.eye(6)
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

        def some() -> None:
            for _ in range(2500):
                kernels.cholesky(call_on(s), s, True)
                kernels.inv(call_on(a), a)

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
                if abs(kernels.inv(call_on(a), a)[0] @ a - np.eye(n)).max() > 1e-8:
                    wrong.append(f"inv {seed}")
                x, _, _, info = kernels.solve(call_on(a), a, a[:, :1])
                if info.any() or abs(a @ x - a[:, :1]).max() > 1e-8:
                    wrong.append(f"solve {seed}")

        in_threads(work, range(8))
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
