"""Cholesky factors of a matrix with rows added or taken: NumPy's factor of that matrix."""

from __future__ import annotations

import unittest

import numpy as np
from common import Case, eps, layouts, positive, random

import tesela


class Update(Case):
    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            for n, k in ((1, 1), (3, 2), (40, 7), (20, 33), (0, 2), (4, 0)):
                a, x = positive(n, dtype), random((k, n), dtype, 2)
                more = a + x.conj().T @ x
                for lower in (False, True):
                    for down in (False, True):
                        was, want = (more, a) if down else (a, more)
                        c = np.linalg.cholesky(was).astype(dtype) if n else was
                        c = c if lower else c.conj().T
                        r = np.asarray(tesela.cholesky_update(c, x, lower, down))
                        self.assertEqual((r.shape, r.dtype), (c.shape, c.dtype))
                        found = r @ r.conj().T if lower else r.conj().T @ r
                        self.assertLessEqual(np.linalg.norm(found - want), 30 * max(n, 1) * eps(dtype) * max(np.linalg.norm(more), 1))
                        np.testing.assert_array_equal(np.triu(r, 1) if lower else np.tril(r, -1), 0)

    def test_layouts_and_kinds(self) -> None:
        a, x = positive(6, "d"), random((6,), "d", 1)
        c = np.linalg.cholesky(a).T
        want = np.linalg.cholesky(a + np.outer(x, x)).T
        for _, C in layouts(c):
            self.close(tesela.cholesky_update(C, x), want, "d", 6)
            np.testing.assert_array_equal(C, c)
        self.assertIsInstance(tesela.cholesky_update(tesela.asarray(np.asfortranarray(c)), x), tesela.Matrix)

    def test_refused(self) -> None:
        self.assertRaises(np.linalg.LinAlgError, tesela.cholesky_update, np.eye(3), np.array([0, 2.0, 0]), downdate=True)
        self.assertRaises(ValueError, tesela.cholesky_update, np.eye(3), np.ones(2))
        self.assertRaises(ValueError, tesela.cholesky_update, np.ones((2, 3)), np.ones(3))


if __name__ == "__main__":
    unittest.main()
