"""Functions of matrices: beside each other, NumPy's eigenvalues and, where it is there, SciPy."""

from __future__ import annotations

import ctypes
import unittest
from typing import Any

import numpy as np
from common import Case, eps, layouts, random

import tesela
from tesela._calls.library import Scalar
from tesela._arrays.places import Call
from tesela._arrays.storage import of_whole


def by_eigenvalues(a: Any, f: Any) -> Any:
    w, v = np.linalg.eig(a.astype("D"))
    return (v * f(w)) @ np.linalg.inv(v)


class Functions(Case):
    def near(self, x: Any, y: Any, dtype: Any, factor: float) -> None:
        x, y = np.asarray(x), np.asarray(y)
        self.assertLessEqual(np.linalg.norm(x - y), factor * eps(np.dtype(dtype)) * max(np.linalg.norm(y), 1e-30))

    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (1, 2, 3, 17):
                a = (random((n, n), dtype) / np.sqrt(n)).astype(dtype)
                self.assertEqual(np.asarray(tesela.expm(a)).dtype, np.dtype(dtype))
                self.near(tesela.expm(a), by_eigenvalues(a, np.exp), dtype, 3000)
                b = (a + 4 * np.eye(n)).astype(dtype)
                root, logarithm = np.asarray(tesela.sqrtm(b)), np.asarray(tesela.logm(b))
                self.assertEqual((root.dtype, logarithm.dtype), (np.dtype(dtype), np.dtype(dtype)))
                self.near(root @ root, b, dtype, 3000)
                self.near(tesela.expm(logarithm), b, dtype, 3000)
                sign, logabs = tesela.slogdet(a)
                want = np.linalg.slogdet(a.astype("D"))
                self.assertLess(abs(sign - want[0]), 1e-3)
                self.assertLess(abs(float(logabs) - want[1]), 1e4 * eps(np.dtype(dtype)))
            self.assertEqual(np.asarray(tesela.expm(np.zeros((0, 0), dtype))).shape, (0, 0))

    def test_negative_eigenvalues_give_complex_results(self) -> None:
        a = np.diag([-4.0, 9.0, 1.0])
        np.testing.assert_allclose(tesela.sqrtm(a), np.diag([2j, 3, 1]), atol=1e-14)
        np.testing.assert_allclose(tesela.logm(a), np.diag([np.log(4) + 1j * np.pi, np.log(9), 0]), atol=1e-13)
        self.assertEqual(tesela.sqrtm(a.astype("f")).dtype, np.dtype("F"))
        root, off = tesela.sqrtm(a, disp=False)
        self.assertLess(off, 1e-14)
        self.assertLess(tesela.logm(a, disp=False)[1], 1e-13)

    def test_what_has_none(self) -> None:
        nilpotent = np.array([[0.0, 1.0], [0.0, 0.0]])
        for f in (tesela.sqrtm, tesela.logm):
            with self.assertRaises(tesela.LinAlgError):
                f(nilpotent)
            with self.assertRaises(ValueError):
                f(np.array([[1.0, np.nan], [0.0, 1.0]]))
            with self.assertRaises(ValueError):
                f(np.zeros((2, 3)))
        np.testing.assert_array_equal(tesela.sqrtm(np.zeros((3, 3))), np.zeros((3, 3)))
        np.testing.assert_array_equal(tesela.expm(nilpotent), [[1, 1], [0, 1]])
        self.assertTrue(np.isnan(tesela.expm(np.array([[1.0, np.inf], [0.0, 1.0]]))).all())

    def test_not_square(self) -> None:
        for f in (tesela.expm, tesela.slogdet):
            for a in (np.ones((2, 3)), np.ones((4, 2, 3)), np.ones(3), 1.0, np.ones((0, 3)), []):
                self.assertRaises(tesela.LinAlgError, f, a)
            self.assertRaises(TypeError, f, [["a", "b"], ["c", "d"]])

    def test_determinants(self) -> None:
        a = random((300, 300), "d") * 1e3
        sign, logabs = tesela.slogdet(a)
        want = np.linalg.slogdet(a)
        self.assertEqual(sign, want[0])
        self.assertAlmostEqual(float(logabs), want[1], places=6)
        self.assertEqual(tuple(map(float, tesela.slogdet(np.zeros((3, 3))))), (0.0, -np.inf))
        self.assertEqual(tuple(tesela.slogdet(np.zeros((0, 0)))), (1.0, 0.0))
        z = random((5, 5), "D")
        for _, A in layouts(z, "host"):
            np.testing.assert_allclose(tesela.slogdet(A)[0], np.linalg.slogdet(z)[0], rtol=1e-12)
        m = tesela.asarray(z)
        np.testing.assert_allclose(tesela.slogdet(m.H)[0], np.conj(np.linalg.slogdet(z)[0]), rtol=1e-12)

    def test_stacks_and_kinds(self) -> None:
        a = random((2, 3, 4, 4), "d") + 5 * np.eye(4)
        want = np.array([[by_eigenvalues(m, np.sqrt).real for m in row] for row in a])
        np.testing.assert_allclose(tesela.sqrtm(a), want, atol=1e-12)
        np.testing.assert_allclose(tesela.logm(tesela.expm(a / 9)), a / 9, atol=1e-12)
        for x, y in zip(tesela.slogdet(a), np.linalg.slogdet(a)):
            np.testing.assert_allclose(x, y, rtol=1e-12)
        keep = a[0, 0].copy()
        m = tesela.asarray(keep)
        self.assertIsInstance(tesela.expm(m), tesela.Matrix)
        np.testing.assert_array_equal(np.asarray(m), keep)

    def test_pivots_that_are_none(self) -> None:
        for devices, dtype in self.everywhere():
            with Call(np.eye(3, dtype=dtype)) as c:
                (A,) = c.take((2,))
                for given in ((1, 2, 4), (0, 2, 3)):
                    p = of_whole(c.context, np.array(given, np.int64).reshape(3, 1))
                    self.assertRaises(ValueError, c.context, "logdet", A, p, Scalar(), ctypes.c_double())

    def test_scipy(self) -> None:
        try:
            import scipy.linalg
        except ImportError:
            self.skipTest("no SciPy here")
        rng = np.random.default_rng(3)
        a = np.triu(rng.standard_normal((30, 30)) * 3, 1) + np.diag(np.linspace(1, 2, 30))
        for f in ("expm", "sqrtm", "logm"):
            want = getattr(scipy.linalg, f)(a / 40 if f == "expm" else a / 20)
            got = getattr(tesela, f)(a / 40 if f == "expm" else a / 20)
            self.assertLess(np.linalg.norm(got - want), 1e-9 * np.linalg.norm(want), f)


if __name__ == "__main__":
    unittest.main()
