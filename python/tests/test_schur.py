"""Matrices that are not symmetric: eigenpairs, Schur and Hessenberg forms: residuals, and NumPy's own eigenvalues."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import Case, eps, layouts, random

import tesela


class General(Case):
    def small(self, off: Any, n: int, a: Any) -> None:
        self.assertLessEqual(np.linalg.norm(off), 30 * max(n, 1) * eps(a.dtype) * max(np.linalg.norm(a), 1e-30))

    def nearest(self, w: Any, a: Any) -> None:
        """Each of NumPy's eigenvalues is among w."""
        if a.size:
            apart = np.abs(np.asarray(w)[:, None] - np.linalg.eigvals(a)[None, :]).min(axis=0).max()
            self.assertLessEqual(apart, 1e4 * eps(a.dtype) * np.linalg.norm(a))

    def test_eig(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (0, 1, 2, 3, 20, 71):
                a = random((n, n), dtype)
                w, vl, vr = map(np.asarray, tesela.eig(a, left=True))
                self.assertEqual((w.dtype.kind, w.shape, vr.shape), ("c", (n,), (n, n)))
                self.small(a @ vr - vr * w, n, a)
                self.small(a.conj().T @ vl - vl * w.conj(), n, a)
                self.nearest(w, a)
                self.nearest(tesela.eigvals(a), a)
                pair = tesela.eig(a)
                self.small(a @ pair.eigenvectors - pair.eigenvectors * pair.eigenvalues, n, a)
            upper = np.triu(random((5, 5), "d"))
            self.assertEqual(np.asarray(tesela.eig(upper)[1]).dtype.kind, "f")

    def test_schur(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (0, 1, 3, 33):
                a = random((n, n), dtype)
                for output in ("real", "complex"):
                    t, z = map(np.asarray, tesela.schur(a, output))
                    self.small(a - z @ t @ z.conj().T, n, a)
                    self.small(z.conj().T @ z - np.eye(n), n, np.ones(1, a.dtype))
                    self.assertEqual(t.dtype.kind, "c" if output == "complex" else a.dtype.kind)
                    self.assertFalse(np.tril(t, -1 if t.dtype.kind == "c" else -2).any())
                for sort, first in (("lhp", lambda w: w.real < 0), ("rhp", lambda w: w.real >= 0), ("iuc", lambda w: abs(w) <= 1), ("ouc", lambda w: abs(w) > 1)):
                    t, z, sdim = tesela.schur(a, "complex", sort=sort)
                    t, z = np.asarray(t), np.asarray(z)
                    self.small(a - z @ t @ z.conj().T, n, a)
                    self.assertEqual(list(first(np.diag(t))), [True] * sdim + [False] * (n - sdim))

    def test_hessenberg(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (0, 1, 2, 3, 40):
                a = random((n, n), dtype)
                h, q = map(np.asarray, tesela.hessenberg(a, calc_q=True))
                self.small(a - q @ h @ q.conj().T, n, a)
                self.small(q.conj().T @ q - np.eye(n), n, np.ones(1, a.dtype))
                self.assertFalse(np.tril(h, -2).any())
                np.testing.assert_array_equal(h, tesela.hessenberg(a))

    def test_layouts_kinds_stacks(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((13, 13), dtype)
            for _, A in layouts(a, devices):
                keep = A.copy()
                w, v = tesela.eig(A)
                self.small(a @ np.asarray(v) - np.asarray(v) * np.asarray(w), 13, a)
                t, z = map(np.asarray, tesela.schur(A))
                self.small(a - z @ t @ z.conj().T, 13, a)
                np.testing.assert_array_equal(A, keep)
            w, v = tesela.eig(tesela.asarray(a))
            self.assertIsInstance(v, tesela.Matrix)
            self.small(a @ np.asarray(v) - np.asarray(v) * np.asarray(w), 13, a)
        a = random((2, 3, 5, 5), "d")
        w = np.asarray(tesela.eigvals(a))
        np.testing.assert_allclose(w.sum(axis=-1), np.trace(a, axis1=-2, axis2=-1), atol=1e-12)

    def test_refused(self) -> None:
        a = random((3, 3), "d")
        with self.assertRaises(ValueError):
            tesela.schur(a, "imaginary")
        with self.assertRaises(ValueError):
            tesela.schur(a, sort="abs")
        with self.assertRaises(ValueError):
            tesela.eig(a[:2])
        a[0, 0] = np.nan
        with self.assertRaises(ValueError):
            tesela.eigvals(a)
        with self.assertRaises(tesela.LinAlgError):
            tesela.eigvals(a, check_finite=False)


if __name__ == "__main__":
    unittest.main()
