"""Sylvester's and Lyapunov's equations: residuals, and what is refused."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import Case, eps, layouts, random

import tesela

SHAPES = ((1, 1), (2, 3), (37, 20), (20, 71), (0, 3), (3, 0))


def shifted(n: int, dtype: str, seed: int) -> Any:
    return (random((n, n), dtype, seed) + (4 + 2 * n ** 0.5) * np.eye(n)).astype(dtype)


class Sylvester(Case):
    def solves(self, a: Any, b: Any, q: Any, x: Any) -> None:
        x = np.asarray(x)
        self.assertEqual((x.shape, x.dtype), (q.shape, q.dtype))
        bound = 30 * max(*q.shape, 1) * eps(q.dtype) * (np.linalg.norm(a) + np.linalg.norm(b)) * max(np.linalg.norm(x), 1e-30)
        self.assertLessEqual(np.linalg.norm(a @ x + x @ b - q), bound)

    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in SHAPES:
                a, b, q = shifted(m, dtype, 1), shifted(n, dtype, 2), random((m, n), dtype, 3)
                self.solves(a, b, q, tesela.solve_sylvester(a, b, q))
                r = random((m, m), dtype, 4)
                self.solves(a, a.conj().T, r, tesela.solve_continuous_lyapunov(a, r))

    def test_layouts_and_kinds(self) -> None:
        a, b, q = shifted(7, "d", 1), shifted(5, "d", 2), random((7, 5), "d", 3)
        for _, A in layouts(a):
            self.solves(a, b, q, tesela.solve_sylvester(A, b, q))
            np.testing.assert_array_equal(A, a)
        self.assertIsInstance(tesela.solve_sylvester(tesela.asarray(a), tesela.asarray(b), tesela.asarray(q)), tesela.Matrix)
        z = tesela.solve_sylvester(a, b * 1j, q)
        self.solves(a.astype("D"), b * 1j, q.astype("D"), z)

    def test_refused(self) -> None:
        self.assertRaises(ValueError, tesela.solve_sylvester, np.ones((2, 3)), np.eye(3), np.ones((2, 3)))
        self.assertRaises(ValueError, tesela.solve_sylvester, np.eye(2), np.eye(3), np.ones((3, 2)))
        self.assertRaises(np.linalg.LinAlgError, tesela.solve_sylvester, np.eye(2), -np.eye(3), np.ones((2, 3)))
        self.assertRaises(np.linalg.LinAlgError, tesela.solve_continuous_lyapunov, np.zeros((2, 2)), np.ones((2, 2)))
        a = (np.diag(np.ones(29), -1) * 0.01 + np.diag(np.ones(29), 1) * 4).astype("F")  # whose solution overflows
        self.assertRaises(np.linalg.LinAlgError, tesela.solve_sylvester, a, -a, np.ones((30, 30), "F"))
        self.assertRaises(np.linalg.LinAlgError, tesela.solve_continuous_lyapunov, a, np.ones((30, 30), "F"))
        self.assertRaises(np.linalg.LinAlgError, tesela.solve_sylvester, np.full((2, 2), np.nan), np.eye(2), np.ones((2, 2)))


if __name__ == "__main__":
    unittest.main()
