"""Cholesky, LU and QR, and solutions with their factors."""

from __future__ import annotations

import unittest

import numpy as np
from common import Case, TYPES, layouts, need, positive, random

import tesela


class Cholesky(Case):
    def test_factor(self) -> None:
        for devices, dtype in self.everywhere():
            s = positive(100, dtype)
            for lower in (False, True):
                half = np.tril(s) if lower else np.triu(s)  # the other triangle is not read
                for order in "CF":
                    a = np.array(half, order=order)
                    f = tesela.cholesky(a, lower=lower)
                    self.assertEqual(f.dtype, np.dtype(dtype))
                    self.close(f, np.tril(f) if lower else np.triu(f), dtype)
                    self.close(f @ f.conj().T if lower else f.conj().T @ f, s, dtype, 10)
                    np.testing.assert_array_equal(a, half)
                    g = tesela.cholesky(a, lower=lower, overwrite_a=True)
                    self.assertTrue(np.shares_memory(g, a))
                    np.testing.assert_allclose(g, f, rtol=0, atol=1e-3)

    def test_layouts(self) -> None:
        for dtype in TYPES:
            s = positive(20, dtype)
            for lower in (False, True):
                want = np.linalg.cholesky(s) if lower else np.linalg.cholesky(s).conj().T
                for name, a in layouts(s):
                    with self.subTest(name):
                        self.close(tesela.cholesky(a, lower=lower), want, dtype)
                        c, low = tesela.cho_factor(a, lower=lower, overwrite_a=True)
                        self.assertEqual(low, lower)
                        self.close(np.tril(c) if lower else np.triu(c), want, dtype)

    def test_solve(self) -> None:
        for devices, dtype in self.everywhere():
            s, b = positive(60, dtype), random((60, 3), dtype, 1)
            for lower in (False, True):
                for name, a in layouts(s, devices):
                    factor = tesela.cho_factor(a, lower=lower)
                    self.close(tesela.cho_solve(factor, b), np.linalg.solve(s, b), dtype)
                self.close(tesela.cho_solve(factor, b[:, 0]), np.linalg.solve(s, b[:, 0]), dtype)

    def test_errors(self) -> None:
        for devices, dtype in self.everywhere():
            a = np.diag(np.array([1, 2, -1, 4], dtype))
            with self.assertRaisesRegex(tesela.LinAlgError, "^3-th leading minor"):
                tesela.cholesky(a)
            self.assertRaises(tesela.LinAlgError, tesela.cho_factor, a, lower=True)
            self.assertEqual(tesela.cholesky(np.zeros((0, 0), dtype)).shape, (0, 0))
        self.assertRaises(ValueError, tesela.cholesky, np.ones((2, 3)))
        self.assertRaises(ValueError, tesela.cholesky, np.full((2, 2), np.nan))
        self.assertRaises(ValueError, tesela.cho_solve, (np.eye(2), True), np.ones(3))


class LU(Case):
    def test_lu(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in ((40, 40), (50, 30), (30, 50), (1, 5), (5, 1), (0, 3), (3, 0)):
                for name, a in layouts(random((m, n), dtype), devices):
                    p, l, u = tesela.lu(a)
                    self.assertEqual((p.shape, l.shape, u.shape), ((m, m), (m, min(m, n)), (min(m, n), n)))
                    self.close(p @ l @ u, a, dtype)
                    np.testing.assert_array_equal(l, np.tril(l))
                    np.testing.assert_array_equal(u, np.triu(u))
                    np.testing.assert_array_equal(l.diagonal(), 1)
                    self.assertLessEqual(np.abs(l).max(initial=0), 1.5)
                    pl, u2 = tesela.lu(a, permute_l=True)
                    self.close(pl @ u2, a, dtype)
                    index, l3, u3 = tesela.lu(a, p_indices=True)
                    self.close(l3[index] @ u3, a, dtype)

    def test_solve(self) -> None:
        for devices, dtype in self.everywhere():
            a, b = random((45, 45), dtype) + 15 * np.eye(45, dtype=dtype), random((45, 3), dtype, 1)
            for order in "CF":
                factors = tesela.lu_factor(np.array(a, order=order))
                self.assertEqual(factors[1].dtype, np.int32)
                for trans, s in ((0, a), (1, a.T), (2, a.conj().T)):
                    for B in (b, b[:, 0], np.asfortranarray(b)):
                        self.close(tesela.lu_solve(factors, B, trans=trans), np.linalg.solve(s, B), dtype)
                by_rows = np.ascontiguousarray(factors[0]), factors[1]
                self.close(tesela.lu_solve(by_rows, b), np.linalg.solve(a, b), dtype)

    def test_errors(self) -> None:
        lu, piv = tesela.lu_factor(np.zeros((3, 3)))  # singular: the factors are there all the same
        np.testing.assert_array_equal(lu, 0)
        self.assertRaises(ValueError, tesela.lu_solve, (np.eye(3), np.array([0, 1])), np.ones(3))
        self.assertRaises(ValueError, tesela.lu_solve, (np.eye(3), np.array([0, 1, 7])), np.ones(3))
        self.assertRaises(ValueError, tesela.lu, np.array([[1.0, np.inf]]))


class QR(Case):
    def test_modes(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in ((30, 30), (50, 20), (20, 50), (1, 4), (4, 1), (0, 3), (3, 0)):
                k = min(m, n)
                for name, a in layouts(random((m, n), dtype), devices):
                    q, r = tesela.qr(a)
                    self.assertEqual((q.shape, r.shape), ((m, m), (m, n)))
                    self.close(q @ r, a, dtype)
                    self.close(q.conj().T @ q, np.eye(m), dtype)
                    np.testing.assert_array_equal(r, np.triu(r))
                    q, r1 = tesela.qr(a, mode="economic")
                    self.assertEqual((q.shape, r1.shape), ((m, k), (k, n)))
                    self.close(q @ r1, a, dtype)
                    (r2,) = tesela.qr(a, mode="r")
                    self.close(r2, r, dtype)
                    (raw, tau), r3 = tesela.qr(a, mode="raw")
                    self.assertEqual((raw.shape, tau.shape, r3.shape), ((m, n), (k,), (k, n)))
                    self.close(np.triu(raw)[:k], r1, dtype)
        a = random((6, 4), "d").copy(order="F")
        self.close(np.abs(tesela.qr(a.copy(order="F"), overwrite_a=True)[1]), np.abs(np.linalg.qr(a, "complete")[1]), "d")

    def test_qr_pivoting(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in ((9, 5), (5, 9), (30, 30), (1, 1), (3, 0)):
                a = random((m, n), dtype)
                for mode in ("full", "economic"):
                    q, r, p = tesela.qr(a, mode=mode, pivoting=True)
                    self.close(q @ r, a[:, p], dtype, 10)
                    self.close(q.conj().T @ q, np.eye(q.shape[1]), dtype, 10)
                    sizes = np.abs(np.diagonal(r))
                    self.assertTrue(np.all(sizes[1:] <= sizes[:-1] * (1 + 1e-4)))
                    self.assertEqual(sorted(p), list(range(n)))
                r, p = tesela.qr(a, mode="r", pivoting=True)
                (raw, tau), r2, p2 = tesela.qr(a, mode="raw", pivoting=True)
                self.close(r[:min(m, n)], r2, dtype)
                self.assertEqual(list(p), list(p2))

    def test_errors(self) -> None:
        self.assertRaises(ValueError, tesela.qr, np.eye(3), mode="whole")
        self.assertRaises(ValueError, tesela.qr, np.ones(3))
        self.assertRaises(ValueError, tesela.qr, np.full((2, 2), np.inf))


class Scipy(Case):
    """The same calls, by SciPy and by us."""

    def test_same_results(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            for m, n in ((9, 9), (12, 7), (7, 12)):
                for order in "CF":
                    a = np.array(random((m, n), dtype), order=order)
                    for kw in ({}, {"permute_l": True}):
                        for x, y in zip(tesela.lu(a, **kw), linalg.lu(a, **kw)):
                            self.close(x, y, dtype)
                            self.assertEqual(x.dtype.kind, y.dtype.kind)
                    if m == n:
                        (lu, piv), (lu2, piv2) = tesela.lu_factor(a), linalg.lu_factor(a)
                        self.close(lu, lu2, dtype)
                        np.testing.assert_array_equal(piv, piv2)
                        self.close(tesela.lu_solve((lu2, piv2), a), np.eye(n), dtype)
                        self.close(linalg.lu_solve((lu, piv), a), np.eye(n), dtype)
                        s = positive(n, dtype)
                        for lower in (False, True):
                            self.close(tesela.cholesky(s, lower=lower), linalg.cholesky(s, lower=lower), dtype)
                            self.close(linalg.cho_solve(tesela.cho_factor(s, lower=lower), a), np.linalg.solve(s, a), dtype)
                    for mode in ("full", "economic", "r"):
                        for x, y in zip(tesela.qr(a, mode=mode), linalg.qr(a, mode=mode)):
                            self.assertEqual(x.shape, y.shape)
                            self.close(np.abs(x[:, :7]), np.abs(y[:, :7]), dtype)  # columns of Q are those of LAPACK but for signs
                    (raw, tau), r = tesela.qr(a, mode="raw")
                    (raw2, tau2), r2 = linalg.qr(a, mode="raw")
                    self.assertEqual((raw.shape, tau.shape, r.shape), (raw2.shape, tau2.shape, r2.shape))


if __name__ == "__main__":
    unittest.main()
