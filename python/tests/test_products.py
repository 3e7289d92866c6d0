"""Products, norms, inverses, determinants."""

from __future__ import annotations

import math
import unittest

import numpy as np
from common import Case, TYPES, layouts, need, random

import tesela


class Matmul(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            for m, k, n in ((40, 30, 20), (1, 7, 5), (5, 7, 1), (1, 7, 1), (3, 0, 2), (0, 3, 2), (3, 2, 0)):
                a, b = random((m, k), dtype), random((k, n), dtype, 1)
                for (_, A), (_, B) in zip(layouts(a), list(layouts(b))[::-1]):
                    c = tesela.matmul(A, B)
                    self.close(c, a @ b, dtype)
                    self.assertEqual(c.dtype, np.dtype(dtype))
                if n == 2 or m == 40:
                    self.close(tesela.matmul(a, b[:, 0]), a @ b[:, 0], dtype)
                if m == 40:
                    self.close(tesela.matmul(a[0], b), a[0] @ b, dtype)
                    self.close(tesela.matmul(a[0, ::2], b[::-2, 1][::-1]), a[0, ::2] @ b[::-2, 1][::-1], dtype)

    def test_stacks_and_out(self) -> None:
        for dtype in TYPES:
            a, b = random((3, 1, 4, 5), dtype), random((2, 5, 6), dtype, 1)
            self.close(tesela.matmul(a, b), a @ b, dtype)
            self.close(tesela.matmul(a, b[0, :, 0]), a @ b[0, :, 0], dtype)
            self.close(tesela.matmul(a[0, 0, 0], b), a[0, 0, 0] @ b, dtype)
            for order in "CF":
                out = np.full((4, 6), np.nan, dtype, order)
                self.assertIs(tesela.matmul(a[0, 0], b[0], out=out), out)
                self.close(out, a[0, 0] @ b[0], dtype)

            self.close(tesela.matmul(a.tolist(), b.tolist()), a @ b, "f" if dtype in "fF" else dtype)
            self.assertEqual(tesela.matmul(a[:0], b).shape, (0, 2, 4, 6))
            out = np.full((3, 2, 4, 6), np.nan, dtype)
            self.assertIs(tesela.matmul(a, b, out=out), out)
            self.close(out, a @ b, dtype)
        self.assertRaises(ValueError, tesela.matmul, a, b, out=out[0])
        self.assertRaises(ValueError, tesela.matmul, a[:, 0], b)
        self.assertRaises(ValueError, tesela.matmul, a, np.ma.masked_array(b))

    def test_out_of_any_kind(self) -> None:
        """What can be written to is, whatever its type and its order; the rest is refused."""
        for devices, dtype in self.everywhere():
            a, b = random((4, 5), dtype), random((5, 6), dtype, 1)
            want = a @ b
            for to in ("FD" if dtype in "FD" else "fdFDg") + "":
                for out in (np.zeros((4, 6), to), np.zeros((4, 6), to, "F"), np.zeros((8, 6), to)[::2], np.zeros((8, 18), to)[::2, ::3],
                            np.zeros((4, 6), np.dtype(to).newbyteorder()), np.zeros((4, 6), to)[::-1]):
                    self.assertIs(tesela.matmul(a, b, out=out), out)
                    self.close(out, want, "f")
                vector = np.zeros(12, to)[::2]
                tesela.matmul(a[0], b, out=vector)
                self.close(vector, want[0], "f")
                if to != "g":
                    there = tesela.zeros((6, 7), to)
                    block = there[1:5, :6]
                    self.assertIs(tesela.matmul(a, b, out=block), block)
                    self.close(there[1:5, :6], want, "f")
                    self.close(there[0], np.zeros(7), "f")
                    tesela.matmul(tesela.asarray(a), tesela.asarray(b), out=block)
                    self.close(block, want, "f")
            fixed = np.zeros((4, 6), dtype)
            fixed.flags.writeable = False
            stacks = np.stack([a, a])
            for x, shape in ((a, (4, 6)), (stacks, (2, 4, 6))):
                self.assertRaises(TypeError, tesela.matmul, x, b, out=np.zeros(shape, int))
                self.assertRaises(TypeError, tesela.matmul, x, b, out=np.zeros(shape).tolist())
                self.assertRaises(ValueError, tesela.matmul, x, b, out=np.broadcast_to(fixed, shape))
                if dtype in "FD":
                    self.assertRaises(TypeError, tesela.matmul, x, b, out=np.zeros(shape, dtype.lower()))
            self.assertRaises(ValueError, tesela.matmul, a, b, out=fixed)
            np.testing.assert_array_equal(fixed, 0)
        torch = need("torch")
        for out in (torch.zeros(4, 6), torch.zeros(8, 6, dtype=torch.complex128)[::2]):
            self.assertIs(tesela.matmul(a, b, out=out) if out.is_complex() else tesela.matmul(a.real, b.real, out=out), out)
            self.close(out.numpy(), want if out.is_complex() else a.real @ b.real, "f")
        self.assertRaises(ValueError, tesela.matmul, a, b, out=torch.zeros(4, 6, dtype=torch.complex128).conj())

    def test_errors(self) -> None:
        self.assertRaises(ValueError, tesela.matmul, np.ones((2, 3)), np.ones((2, 3)))
        self.assertRaises(ValueError, tesela.matmul, np.ones(3), np.ones(2))
        self.assertRaises(ValueError, tesela.matmul, np.ones((2, 3)), 2.0)
        self.assertRaises(ValueError, tesela.matmul, np.ones((2, 3)), np.ones((3, 2)), out=np.ones((3, 3)))
        self.assertRaises(TypeError, tesela.matmul, np.array([["a"]]), np.ones((1, 1)))
        self.assertEqual(tesela.matmul([[1, 2]], [[3], [4]]).tolist(), [[11.0]])


class Norm(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            for name, a in layouts(random((20, 13), dtype), devices):
                for ord in (None, "fro", 1, np.inf):
                    value = tesela.norm(a, ord)
                    self.close(value, np.linalg.norm(a, ord), dtype)
                    self.assertEqual(value.dtype, np.linalg.norm(a, ord).dtype)
                for ord in (None, 2, 1, np.inf):
                    self.close(tesela.norm(a[:, 2], ord), np.linalg.norm(a[:, 2], ord), dtype)
        self.assertEqual(tesela.norm(np.array([1e300, 1e300])), math.sqrt(2) * 1e300)
        a = random((6, 6), "D")
        for p in (-1, -np.inf):
            self.assertAlmostEqual(tesela.norm(a, p), np.linalg.norm(a, p), places=12)
            self.assertAlmostEqual(tesela.cond(a, p), np.linalg.cond(a, p), places=9)

    def test_errors(self) -> None:
        for bad, ord in ((np.eye(3), "foo"), (np.eye(3), 3), (np.ones(3), "fro"), (np.ones(3), "nuc")):
            self.assertRaises(ValueError, np.linalg.norm, bad, ord)
            self.assertRaises(ValueError, tesela.norm, bad, ord)
        self.assertRaisesRegex(ValueError, "masked", tesela.norm, [[np.ma.masked_array([1.0, 2], [0, 1])]])
        self.assertRaises(ValueError, tesela.norm, np.array([np.nan]))
        self.assertTrue(np.isnan(tesela.norm(np.array([np.nan]), check_finite=False)))
        self.assertEqual(tesela.norm(np.zeros((0, 3))), 0)
        for nothing, ord in ((np.zeros((0, 3)), np.inf), (np.zeros((3, 0)), 1), (np.zeros(0), np.inf)):
            self.assertEqual(tesela.norm(nothing, ord), 0)

    def test_any_shape(self) -> None:
        """Without `ord`, of all elements."""
        for dtype in TYPES:
            a = random((2, 3, 4), dtype)
            self.close(tesela.norm(a), np.sqrt((np.abs(a) ** 2).sum()), dtype)
            self.close(tesela.norm(a[0, 0, 0]), np.abs(a[0, 0, 0]), dtype)
        self.assertEqual(tesela.norm(-3.0), 3)
        self.assertEqual(tesela.norm([[[3, 4]]]), 5)
        self.assertRaises(ValueError, tesela.norm, a, 1)


class InvDet(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            for n in (1, 2, 25):
                a = random((n, n), dtype) / 5 + np.eye(n, dtype=dtype)
                for name, A in layouts(a, devices):
                    with self.subTest(devices=devices, dtype=dtype, layout=name, n=n):
                        self.close(tesela.inv(A), np.linalg.inv(a), dtype, 100)
                        self.close(tesela.det(A), np.linalg.det(a), dtype, 10)
                        self.close(tesela.inv(A, overwrite_a=True), np.linalg.inv(a), dtype, 100)
            self.assertEqual(tesela.inv(np.zeros((0, 0), dtype)).shape, (0, 0))
            self.assertEqual(tesela.det(np.zeros((0, 0), dtype)), 1)
            self.assertEqual(tesela.det(np.zeros((3, 3), dtype)), 0)
            self.assertRaises(tesela.LinAlgError, tesela.inv, np.zeros((3, 3), dtype))
            swap = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 2]], dtype)
            self.assertEqual(tesela.det(swap), -2)
        self.assertRaises(ValueError, tesela.inv, np.ones((2, 3)))
        self.assertRaises(ValueError, tesela.det, np.full((2, 2), np.nan))

    def test_scipy(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            a = random((8, 8), dtype)
            self.close(tesela.inv(a), linalg.inv(a), dtype, 100)
            self.close(tesela.det(a), linalg.det(a), dtype, 10)
            for ord in (None, "fro", 1, np.inf):
                self.close(tesela.norm(a, ord), linalg.norm(a, ord), dtype)


if __name__ == "__main__":
    unittest.main()
