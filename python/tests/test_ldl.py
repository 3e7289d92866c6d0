"""L D L^T and L D L^H: the factors multiply to the matrix, and are SciPy's own."""

from __future__ import annotations

import unittest
import warnings
from typing import Any

import numpy as np
from common import Case, TYPES, eps, layouts, need, random

import tesela


def indefinite(n: int, dtype: str, hermitian: bool, seed: int = 0) -> Any:
    """With a small diagonal, so that there are blocks of order 2"""
    a = random((n, n), dtype, seed)
    a = a + (a.conj().T if hermitian else a.T)
    a[np.diag_indices(n)] *= 0.1
    return a.astype(dtype)


class Ldl(Case):
    def factors(self, a: Any, lu: Any, d: Any, perm: Any, lower: bool, hermitian: bool) -> None:
        lu, d, perm, n = np.asarray(lu), np.asarray(d), np.asarray(perm), len(a)
        self.assertEqual((lu.dtype, d.dtype), (a.dtype, a.dtype))
        self.assertEqual((lu.shape, d.shape, perm.shape), ((n, n), (n, n), (n,)))
        back = lu.conj().T if hermitian else lu.T
        self.assertLessEqual(np.linalg.norm(lu @ d @ back - a), 30 * max(n, 1) * eps(a.dtype) * max(np.linalg.norm(a), 1e-30))
        triangle = lu[perm]
        np.testing.assert_array_equal(triangle, np.tril(triangle) if lower else np.triu(triangle))
        np.testing.assert_array_equal(triangle.diagonal(), np.ones(n))
        np.testing.assert_array_equal(d, np.triu(np.tril(d, 1), -1))
        off = np.abs(d.diagonal(1)) > 0
        self.assertFalse((off[1:] & off[:-1]).any())  # blocks of order 2 at most
        np.testing.assert_array_equal(d, d.conj().T if hermitian else d.T)

    def test_types_and_devices(self) -> None:
        blocks = 0
        for devices, dtype in self.everywhere():
            for hermitian in (True, False):
                for n in (0, 1, 2, 3, 40, 97):
                    a = indefinite(n, dtype, hermitian)
                    for lower in (True, False):
                        half = np.tril(a) if lower else np.triu(a)
                        lu, d, perm = tesela.ldl(half, lower, hermitian)
                        self.factors(a, lu, d, perm, lower, hermitian or dtype in "fd")
                        blocks += int(np.count_nonzero(np.diagonal(d, 1)))
        self.assertGreater(blocks, 100)

    def test_layouts_and_kinds(self) -> None:
        for devices, dtype in self.everywhere():
            a = indefinite(21, dtype, True)
            for _, A in layouts(a, devices):
                keep = A.copy()
                self.factors(a, *tesela.ldl(A), True, True)
                np.testing.assert_array_equal(A, keep)
                self.factors(a, *tesela.ldl(A, overwrite_a=True), True, True)
            lu, d, perm = tesela.ldl(tesela.asarray(a), lower=False)
            self.assertIsInstance(lu, tesela.Matrix)
            self.factors(a, lu, d, perm, False, True)

    def test_scipy(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            for hermitian in (True, False):
                for lower in (True, False):
                    a = indefinite(31, dtype, hermitian)
                    ours, theirs = tesela.ldl(a, lower, hermitian), linalg.ldl(a, lower, hermitian)
                    for x, y in zip(ours[:2], theirs[:2]):
                        self.close(x, y, dtype, 100)
                        self.assertEqual(x.dtype, y.dtype)
                    np.testing.assert_array_equal(ours[2], theirs[2])

    def test_stacks(self) -> None:
        a = np.stack([indefinite(5, "d", True, seed) for seed in range(3)])
        lu, d, perm = tesela.ldl(a)
        np.testing.assert_allclose(lu @ d @ lu.transpose(0, 2, 1), a, atol=1e-13)
        self.assertEqual(perm.shape, (3, 5))

    def test_singular_and_refused(self) -> None:
        lu, d, perm = tesela.ldl(np.zeros((3, 3)))
        np.testing.assert_array_equal(lu @ d, np.zeros((3, 3)))
        self.assertRaises(ValueError, tesela.ldl, np.full((2, 2), np.nan))
        self.assertRaises(ValueError, tesela.ldl, np.ones((2, 3)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertRaises(Warning, tesela.ldl, np.eye(2) * 1j)
            tesela.ldl(np.eye(2) * 1j, hermitian=False)


if __name__ == "__main__":
    unittest.main()
