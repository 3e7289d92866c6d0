"""Singular values and vectors, and what follows from them: residuals, and NumPy's own results."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import Case, TYPES, eps, layouts, need, random

import tesela

SHAPES = ((1, 1), (3, 3), (37, 37), (50, 20), (20, 50), (5, 1), (1, 5), (0, 3), (3, 0))


class Svd(Case):
    def factors(self, a: Any, u: Any, s: Any, vh: Any, full: bool) -> None:
        u, s, vh = map(np.asarray, (u, s, vh))
        (m, n), d = a.shape, min(a.shape)
        unit = 30 * max(m, n, 1) * eps(a.dtype)
        self.assertEqual((u.shape, s.shape, vh.shape), ((m, m if full else d), (d,), (n if full else d, n)))
        self.assertEqual((u.dtype, s.dtype, vh.dtype), (a.dtype, np.dtype(a.dtype.char.lower()), a.dtype))
        self.assertTrue((np.diff(s) <= 0).all() and (s >= 0).all())
        self.assertLessEqual(np.linalg.norm(a - (u[:, :d] * s) @ vh[:d]), unit * max(np.linalg.norm(a), 1e-30))
        self.assertLessEqual(np.linalg.norm(u.conj().T @ u - np.eye(u.shape[1])), unit)
        self.assertLessEqual(np.linalg.norm(vh @ vh.conj().T - np.eye(vh.shape[0])), unit)

    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            for shape in SHAPES:
                a = random(shape, dtype)
                for full in (True, False):
                    for driver in ("gesdd", "gesvd", "polar"):
                        self.factors(a, *tesela.svd(a, full, lapack_driver=driver), full)
                s = np.linalg.svd(a, compute_uv=False) if a.size else np.zeros(0)
                self.close(tesela.svdvals(a), s, dtype, max(shape))
                self.close(tesela.svd(a, compute_uv=False), s, dtype, max(shape))
            self.assertEqual(tesela.svd(random((4, 3), dtype)).U.shape, (4, 4))

    def test_layouts_and_kinds(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((21, 13), dtype)
            for _, A in layouts(a, devices):
                keep = A.copy()
                self.factors(a, *tesela.svd(A), True)
                np.testing.assert_array_equal(A, keep)
                self.factors(a, *tesela.svd(A, overwrite_a=True), True)
            m = tesela.asarray(a)
            u, s, vh = tesela.svd(m, full_matrices=False)
            self.assertIsInstance(u, tesela.Matrix)
            self.factors(a, u, s, vh, False)

    def test_stacks(self) -> None:
        a = random((2, 3, 5, 4), "d")
        u, s, vh = tesela.svd(a, full_matrices=False)
        np.testing.assert_allclose((u * s[..., None, :]) @ vh, a, atol=1e-13)
        np.testing.assert_allclose(tesela.pinv(a), np.linalg.pinv(a), atol=1e-12)
        np.testing.assert_array_equal(tesela.matrix_rank(a), np.linalg.matrix_rank(a))
        np.testing.assert_allclose(tesela.cond(a), np.linalg.cond(a), rtol=1e-12)

    def test_refused(self) -> None:
        nan = np.full((3, 3), np.nan)
        self.assertRaises(ValueError, tesela.svd, nan)
        self.assertRaises(np.linalg.LinAlgError, tesela.svd, nan, check_finite=False)
        self.assertRaises(ValueError, tesela.svd, np.eye(3), lapack_driver="gesvj")
        self.assertRaises(ValueError, tesela.svd, np.ones(3))
        self.assertRaises(ValueError, tesela.polar, np.eye(3), side="up")


class Polar(Case):
    def test_sides(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in ((1, 1), (13, 13), (30, 11), (11, 30)):
                a = random((m, n), dtype)
                for side in ("right", "left"):
                    u, p = tesela.polar(a, side)
                    unit = 30 * max(m, n) * eps(dtype)
                    self.assertEqual((u.shape, p.shape), ((m, n), (n, n) if side == "right" else (m, m)))
                    self.assertLessEqual(np.linalg.norm(a - (u @ p if side == "right" else p @ u)), unit * np.linalg.norm(a))
                    self.assertLessEqual(np.linalg.norm(p - p.conj().T), unit * np.linalg.norm(a))
                    gram = u.conj().T @ u if m >= n else u @ u.conj().T
                    self.assertLessEqual(np.linalg.norm(gram - np.eye(min(m, n))), unit)
                    self.assertGreaterEqual(np.linalg.eigvalsh(p).min(), -unit * np.linalg.norm(a))


class Follows(Case):
    def test_pinv_rank_and_spaces(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n, r in ((9, 9, 9), (20, 12, 5), (12, 20, 5), (7, 7, 0)):
                a = (random((m, r), dtype) @ random((r, n), dtype, 1)).astype(dtype)
                unit = 100 * max(m, n) * eps(dtype)
                self.assertEqual(tesela.matrix_rank(a), r)
                x, rank = tesela.pinv(a, return_rank=True)
                self.assertEqual((x.shape, rank), ((n, m), r))
                self.assertLessEqual(np.linalg.norm(a @ x @ a - a), unit * np.linalg.norm(a) ** 2 * max(np.linalg.norm(x), 1) + 1e-30)
                self.assertLessEqual(np.linalg.norm(x - np.linalg.pinv(a, max(m, n) * eps(dtype))), unit * np.linalg.norm(x) ** 2 * max(1, np.linalg.norm(a)) + 1e-30)
                q, z = tesela.orth(a), tesela.null_space(a)
                self.assertEqual((q.shape, z.shape), ((m, r), (n, n - r)))
                self.assertLessEqual(np.linalg.norm(a @ z), unit * max(np.linalg.norm(a), 1))
                self.assertLessEqual(np.linalg.norm(q @ (q.conj().T @ a) - a), unit * max(np.linalg.norm(a), 1))

    def test_hermitian(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((9, 9), dtype)
            half = np.tril(a)
            whole = half + np.tril(a, -1).conj().T
            whole[np.diag_indices(9)] = whole.diagonal().real
            u, s, vh = tesela.svd(a, hermitian=True)
            self.close((u * s) @ vh, whole, dtype, 10)
            self.close(tesela.svd(half, compute_uv=False, hermitian=True), np.linalg.svd(whole, compute_uv=False), dtype, 10)
            self.close(tesela.pinv(half, hermitian=True), np.linalg.pinv(whole), dtype, 100)
            low = np.outer(a[0], a[0].conj()).astype(dtype)
            self.assertEqual(tesela.matrix_rank(np.tril(low), hermitian=True), 1)
            self.assertRaises(ValueError, tesela.svd, random((3, 4), dtype), hermitian=True)

    def test_scipy(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            for m, n, r in ((9, 9, 9), (12, 7, 4), (7, 12, 4)):
                a = (random((m, r), dtype) @ random((r, n), dtype, 1)).astype(dtype)
                for words in ({}, {"rcond": 1e-3}):
                    for name in ("orth", "null_space"):
                        x, y = getattr(tesela, name)(a, **words), getattr(linalg, name)(a, **words)
                        self.assertEqual((x.shape, x.dtype), (y.shape, y.dtype))
                        self.close(x @ x.conj().T, y @ y.conj().T, dtype, 1000)
                for words in ({}, {"atol": 1e-3}, {"rtol": 1e-3}, {"atol": 1e-4, "rtol": 1e-4, "return_rank": True}):
                    x, y = tesela.pinv(a, **words), linalg.pinv(a, **words)
                    if "return_rank" in words:
                        self.assertEqual(x[1], y[1])
                        x, y = x[0], y[0]
                    self.close(x, y, dtype, 1000)

    def test_tolerances(self) -> None:
        """As SciPy's: atol is added to the relative one."""
        a = np.diag([1.0, 1e-20, 1e-8])
        for words, rank in (({}, 2), ({"atol": 1e-30}, 2), ({"atol": 1e-30, "rtol": 0}, 3), ({"atol": 1e-4}, 1), ({"rtol": 1e-4}, 1)):
            self.assertEqual(tesela.pinv(a, return_rank=True, **words)[1], rank, words)
        self.assertEqual(tesela.matrix_rank(a, tol=1e-30), 3)
        for words in ({"rtol": -1e-3}, {"atol": -1e-3}, {"rcond": -1e-3}):
            self.assertRaises(ValueError, tesela.pinv, a, **words)
        bad = np.array([[1.0, np.nan], [0.0, 1.0]])
        for f in (tesela.polar, tesela.orth, tesela.null_space, tesela.svd, tesela.pinv):
            self.assertRaises(ValueError, f, bad)

    def test_cond_and_norms(self) -> None:
        for dtype in TYPES:
            a = random((8, 8), dtype)
            for p in (None, 2, -2, "fro", 1, np.inf):
                self.assertAlmostEqual(tesela.cond(a, p) / np.linalg.cond(a, p), 1, 3)
            for b in (a, random((5, 9), dtype)):
                for ord in (2, -2, "nuc"):
                    self.assertAlmostEqual(tesela.norm(b, ord) / np.linalg.norm(b, ord), 1, 4)
        self.assertEqual(tesela.cond(np.ones((2, 2)), 1), np.inf)
        self.assertEqual(tesela.cond(np.diag([1.0, 0])), np.inf)
        bad = np.eye(3)
        bad[0, 1] = np.nan
        for p in (None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf):
            self.assertTrue(np.isnan(tesela.cond(bad, p)), p)
        np.testing.assert_array_equal(tesela.cond(np.stack([np.eye(3), bad]), 1), [1, np.nan])
        self.assertEqual(tesela.cond(np.diag([1.0, np.inf]), 1), np.inf)
        self.assertEqual(tesela.matrix_rank(np.zeros(3)), 0)


if __name__ == "__main__":
    unittest.main()
