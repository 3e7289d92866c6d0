"""Eigenvalues and eigenvectors: residuals, and NumPy's and SciPy's own results."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import Case, TYPES, eps, layouts, need, positive, random

import tesela


def hermitian(n: int, dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    a = random((n, n), dtype, seed)
    return ((a + a.conj().T) / 2).astype(dtype)


class Eigen(Case):
    def pairs(self, a: Any, w: Any, v: Any, dtype: Any, b: Any = None) -> None:
        """a v = b v diag(w), v^H b v = I, each to n eps; w ascending and real."""
        w, v, n = np.asarray(w), np.asarray(v), len(a)
        b = np.eye(n, dtype=dtype) if b is None else b
        self.assertEqual((w.dtype, v.dtype, v.shape), (np.dtype(dtype.lower()), np.dtype(dtype), (n, len(w))))
        self.assertTrue((np.diff(w) >= 0).all())
        unit = n * eps(dtype)
        scale = np.linalg.norm(a) + np.linalg.norm(b) * np.abs(w).max(initial=0)
        self.assertLessEqual(np.linalg.norm(a @ v - (b @ v) * w), 30 * unit * scale)
        self.assertLessEqual(np.linalg.norm(v.conj().T @ b @ v - np.eye(len(w))), 30 * unit * np.linalg.norm(b))


class Eigh(Eigen):
    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (0, 1, 2, 3, 37, 70):
                a = hermitian(n, dtype)
                w, v = tesela.eigh(a)
                self.assertIsInstance(v, np.ndarray)
                self.pairs(a, w, v, dtype)
                self.close(w, np.linalg.eigvalsh(a), dtype, n)
                self.close(tesela.eigvalsh(a), w, dtype, n)
                self.close(tesela.eigh(a, eigvals_only=True), w, dtype, n)
            self.assertEqual(tesela.eigh(a).eigenvectors.shape, (70, 70))

    def test_triangles_and_layouts(self) -> None:
        """Only the triangle that is named is read, and nothing is overwritten without leave."""
        for devices, dtype in self.everywhere():
            n = 21
            a, nan = hermitian(n, dtype), np.full((n, n), np.nan, dtype)
            for lower in (True, False):
                half = np.tril(a) + np.triu(nan, 1) if lower else np.triu(a) + np.tril(nan, -1)
                for name, A in layouts(half, devices):
                    keep = A.copy()
                    for how in ({"lower": lower}, {"UPLO": "L" if lower else "u"}):
                        self.pairs(a, *tesela.eigh(A, check_finite=False, **how), dtype)
                    np.testing.assert_array_equal(A, keep)
                    self.pairs(a, *tesela.eigh(A, check_finite=False, lower=lower, overwrite_a=True), dtype)

    def test_subsets(self) -> None:
        for devices, dtype in self.everywhere():
            n = 45
            a = hermitian(n, dtype)
            want = np.linalg.eigvalsh(a)
            for first, last in ((0, 0), (3, 11), (n - 5, n - 1), (0, n - 1)):
                w, v = tesela.eigh(a, subset_by_index=[first, last])
                self.close(w, want[first:last + 1], dtype, n)
                self.pairs(a, w, v, dtype)
                self.close(tesela.eigvalsh(a, subset_by_index=(first, last)), w, dtype, n)
            middle = float(want[10] + want[11]) / 2
            for low, high, part in ((-np.inf, middle, want[:11]), (middle, np.inf, want[11:]), (1e6, 2e6, want[:0])):
                w, v = tesela.eigh(a, subset_by_value=[low, high])
                self.close(w, part, dtype, n)
                self.pairs(a, w, v, dtype)
                self.close(tesela.eigvalsh(a, subset_by_value=[low, high]), part, dtype, n)

    def test_pairs_of_matrices(self) -> None:
        for devices, dtype in self.everywhere():
            n = 33
            a, b = hermitian(n, dtype), positive(n, dtype, 1)
            for lower in (True, False):
                for order in "CF":
                    A, B = np.array(a, order=order), np.array(b, order=order)
                    w, v = tesela.eigh(A, B, lower=lower)
                    self.pairs(a, w, v, dtype, b)
                    self.close(tesela.eigvalsh(A, B, lower=lower), w, dtype, n)
                    part = tesela.eigh(A, B, lower=lower, subset_by_index=[4, 9])
                    self.close(part.eigenvalues, w[4:10], dtype, n)
                    self.pairs(a, *part, dtype, b)
                    for kind in (2, 3):
                        w, v = tesela.eigh(A, B, lower=lower, type=kind)
                        left = a @ b if kind == 2 else b @ a
                        scale = np.linalg.norm(a) * np.linalg.norm(b) * np.linalg.norm(v)
                        self.assertLessEqual(np.linalg.norm(left @ v - v * w), 30 * n * eps(dtype) * scale)
                    self.pairs(a, *tesela.eigh(A, B, lower=lower, overwrite_a=True, overwrite_b=True), dtype, b)

    def test_stacks(self) -> None:
        for dtype in TYPES:
            a = np.stack([hermitian(6, dtype, s) for s in range(4)]).reshape(2, 2, 6, 6)
            result = tesela.eigh(a)
            self.assertEqual((result.eigenvalues.shape, result.eigenvectors.shape), ((2, 2, 6), (2, 2, 6, 6)))
            for i in np.ndindex(2, 2):
                self.pairs(a[i], result.eigenvalues[i], result.eigenvectors[i], dtype)
            self.close(tesela.eigvalsh(a), np.linalg.eigvalsh(a), dtype, 6)
            self.assertEqual(tesela.eigvalsh(a[:, :0]).shape, (2, 0, 6))
            b = positive(6, dtype)
            self.assertEqual(tesela.eigh(a, b, subset_by_index=[0, 1]).eigenvectors.shape, (2, 2, 6, 2))
            with self.assertRaisesRegex(tesela.LinAlgError, r"matrix 1 of the stack: b is not positive"):
                tesela.eigh(b, np.stack([b, -b]))
        self.assertRaisesRegex(ValueError, "stack", tesela.eigh, a, subset_by_value=[0, 1])

    def test_matrices(self) -> None:
        for devices in ("host", "host:1"):
            for dtype in TYPES:
                with tesela.options(devices=devices):
                    a, b = hermitian(30, dtype), positive(30, dtype)
                    A, B = tesela.asarray(a), tesela.asarray(b)
                    w, v = tesela.eigh(A)
                    self.assertIsInstance(w, tesela.Matrix)
                    self.assertIsInstance(v, tesela.Matrix)
                    self.assertEqual((w.shape, v.shape), ((30,), (30, 30)))
                    self.pairs(a, w, v, dtype)
                    np.testing.assert_array_equal(np.asarray(A), a)
                    self.pairs(a, *tesela.eigh(A.H, B, subset_by_index=[2, 5]), dtype, b)

    def test_hard_matrices(self) -> None:
        """Repeated, clustered, graded and zero eigenvalues; elements near the ends of the range."""
        n = 25
        q = np.linalg.qr(random((n, n), "d"))[0]
        clustered, graded = 1 + 1e-9 * np.arange(n), 10.0 ** -np.arange(n)
        for dtype in TYPES:
            tiny, huge = (1e-160, 1e160) if dtype in "dD" else (1e-22, 1e18)
            for a in (np.zeros((n, n)), np.eye(n), np.ones((n, n)), np.diag(np.arange(n) - 7.0), (q * clustered) @ q.T, (q * graded) @ q.T,
                      np.sqrt(np.outer(graded, graded)) * hermitian(n, "d"), hermitian(n, "d") * tiny, hermitian(n, "d") * huge):
                a = a.astype(dtype)
                size = float(np.abs(a).max()) or 1.0
                w, v = tesela.eigh(a)
                self.pairs((a / size).astype(dtype), (w / size).astype(w.dtype), v, dtype)

    def test_errors(self) -> None:
        a = hermitian(5, "d")
        nan = a.copy()
        nan[2, 1] = np.nan
        self.assertRaises(ValueError, tesela.eigh, nan)
        self.assertRaises(ValueError, tesela.eigh, a, nan)
        for devices, dtype in self.everywhere():
            for vectors in (False, True):
                self.assertRaisesRegex(tesela.LinAlgError, "converge", tesela.eigh, nan.astype(dtype), eigvals_only=vectors, check_finite=False)
            with self.assertRaisesRegex(tesela.LinAlgError, "b is not positive definite: its leading minor of order 3 "):
                tesela.eigh(a.astype(dtype), np.diag([1, 1, -1, 1, 1]).astype(dtype))
        for bad in (a[:4], a[0]):
            self.assertRaises(ValueError, tesela.eigh, bad)
        self.assertRaises(ValueError, tesela.eigh, a, a[:4, :4])
        for how in ({"UPLO": "X"}, {"type": 4}, {"driver": "gvd"}, {"driver": "none"}, {"driver": "evd", "subset_by_index": [0, 1]},
                    {"subset_by_index": [0, 1], "subset_by_value": [0, 1]}, {"subset_by_index": [0, 5]}, {"subset_by_index": [2, 1]},
                    {"subset_by_index": [1]}, {"subset_by_value": [1, 1]}, {"subset_by_value": [0, np.nan]}):
            self.assertRaises(ValueError, tesela.eigh, a, **how)
        self.assertRaises(ValueError, tesela.eigh, a, np.eye(5), driver="evr")
        self.assertRaises(TypeError, tesela.eigh, a, subset_by_index=[0.5, 1])

    def test_dtypes(self) -> None:
        for given, want in (("q", "d"), ("?", "d"), ("e", "f"), ("f", "f"), ("F", "F"), ("g", "d")):
            w, v = tesela.eigh(np.eye(3).astype(given))
            self.assertEqual((w.dtype.char, v.dtype.char), (want.lower(), want))
        self.assertEqual(tesela.eigh([[2, 1], [1, 2]])[0].tolist(), tesela.eigvalsh(np.array([[2.0, 1], [1, 2]])).tolist())


class Tridiagonal(Eigen):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            if dtype in "FD":
                continue
            for n in (1, 2, 3, 50):
                d, e = random((n,), dtype), random((n - 1,), dtype, 1)
                a = np.diag(d) + np.diag(e, 1) + np.diag(e, -1)
                keep = d.copy(), e.copy()
                w, v = tesela.eigh_tridiagonal(d, e)
                self.pairs(a, w, v, dtype)
                want = np.linalg.eigvalsh(a)
                self.close(tesela.eigh_tridiagonal(d, e, eigvals_only=True), want, dtype, n)
                k = n // 2
                part = tesela.eigh_tridiagonal(d, e, select="i", select_range=(k, n - 1))
                self.close(part[0], want[k:], dtype, n)
                self.pairs(a, *part, dtype)
                bound = float(want[k]) + 1e-3 * (1 + abs(float(want[k])))
                part = tesela.eigh_tridiagonal(d, e, select="v", select_range=(-np.inf, bound))
                self.close(part[0], want[want <= bound], dtype, n)
                self.pairs(a, *part, dtype)
                np.testing.assert_array_equal(d, keep[0])
                np.testing.assert_array_equal(e, keep[1])

    def test_errors(self) -> None:
        d, e = np.ones(4), np.ones(3)
        self.assertRaises(ValueError, tesela.eigh_tridiagonal, d, d)
        self.assertRaises(ValueError, tesela.eigh_tridiagonal, np.ones(0), np.ones(0))
        self.assertRaises(TypeError, tesela.eigh_tridiagonal, d.astype("D"), e)
        self.assertRaisesRegex(ValueError, "e: .*NaN", tesela.eigh_tridiagonal, d, e * np.nan)
        self.assertRaises(tesela.LinAlgError, tesela.eigh_tridiagonal, d, e * np.nan, check_finite=False)
        for how in ({"select": "x"}, {"select": "i"}, {"select": "i", "select_range": (0, 4)}, {"select": "v", "select_range": (1, 0)},
                    {"lapack_driver": "none"}):
            self.assertRaises(ValueError, tesela.eigh_tridiagonal, d, e, **how)


class Scipy(Eigen):
    """The same calls, by SciPy and by us."""

    def test_same_results(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            a, b = hermitian(14, dtype), positive(14, dtype)
            for how in ({}, {"lower": False}, {"subset_by_index": [2, 7]}, {"subset_by_value": [-1, 2]}, {"driver": "evr"}):
                for only in (False, True):
                    got, want = tesela.eigh(a, eigvals_only=only, **how), linalg.eigh(a, eigvals_only=only, **how)
                    self.same(got, want, dtype)
                    if "driver" not in how:
                        self.same(tesela.eigh(a, b, eigvals_only=only, **how), linalg.eigh(a, b, eigvals_only=only, **how), dtype)
            for kind in (2, 3):
                self.same(tesela.eigh(a, b, type=kind, eigvals_only=True), linalg.eigh(a, b, type=kind, eigvals_only=True), dtype)
        for dtype in "fd":
            d, e = random((14,), dtype), random((13,), dtype, 1)
            for how in ({}, {"select": "i", "select_range": (3, 5)}, {"select": "v", "select_range": (-1, 1)}):
                self.same(tesela.eigh_tridiagonal(d, e, **how), linalg.eigh_tridiagonal(d, e, **how), dtype)

    def same(self, got: Any, want: Any, dtype: str) -> None:
        """Values; vectors but for a factor of modulus 1 of each."""
        if not isinstance(want, tuple):
            got, want = (got,), (want,)
        self.assertEqual([x.dtype for x in got], [x.dtype for x in want])
        scale = 1 + float(np.abs(want[0]).max(initial=0))
        self.close(got[0], want[0], dtype, scale)
        if len(want) == 2:
            self.close(np.abs(got[1]), np.abs(want[1]), dtype, 100)


class Torch(Eigen):
    def test_tensors(self) -> None:
        torch = need("torch")
        for dtype in TYPES:
            a, b = hermitian(20, dtype), positive(20, dtype)
            w, v = tesela.eigh(torch.from_numpy(a))
            self.assertIsInstance(w, torch.Tensor)
            self.assertIsInstance(v, torch.Tensor)
            self.pairs(a, w.numpy(), v.numpy(), dtype)
            w, v = tesela.eigh(torch.from_numpy(np.stack([a, b])), torch.from_numpy(b), subset_by_index=(0, 2))
            self.assertEqual((tuple(w.shape), tuple(v.shape)), ((2, 3), (2, 20, 3)))
            self.pairs(b, w[1].numpy(), v[1].numpy(), dtype, b)


if __name__ == "__main__":
    unittest.main()
