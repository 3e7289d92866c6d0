"""Stacks of matrices."""

from __future__ import annotations

import importlib.util
import unittest
from typing import Any

import numpy as np
from common import Case, positive, random

import tesela


class Stacks(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            a, s = random((2, 3, 4, 4), dtype) + 5 * np.eye(4, dtype=dtype), np.stack([positive(4, dtype, k) for k in range(3)])
            b, v = random((3, 4, 2), dtype, 1), random((4,), dtype, 2)
            columns = np.broadcast_to(b, (2, 3, 4, 2))
            vectors = np.broadcast_to(v, (2, 3, 4))[..., np.newaxis]
            for got, want in ((tesela.solve(a, b), np.linalg.solve(a, columns)), (tesela.solve(a, v), np.linalg.solve(a, vectors)[..., 0]),
                              (tesela.solve(a[0, 0], b=b), np.linalg.solve(a[0, 0], b)), (tesela.inv(a), np.linalg.inv(a)),
                              (tesela.solve(s, b, assume_a="pos"), np.linalg.solve(s, b)), (tesela.det(a / 5), np.linalg.det(a / 5)),
                              (tesela.cholesky(s, lower=True), np.linalg.cholesky(s)),
                              (tesela.cho_solve(tesela.cho_factor(s), b), np.linalg.solve(s, b)),
                              (tesela.cho_solve(tesela.cho_factor(s[0]), b), np.linalg.solve(s[0], b)),
                              (tesela.lu_solve(tesela.lu_factor(a), b), np.linalg.solve(a, columns)),
                              (tesela.lu_solve(tesela.lu_factor(a), v), np.linalg.solve(a, vectors)[..., 0]),
                              (tesela.solve_triangular(a, b, lower=True), np.linalg.solve(np.tril(a), columns)),
                              (np.matmul(*tesela.qr(a[..., :3], mode="economic")), a[..., :3]),
                              (np.matmul(*tesela.lu(a, permute_l=True)), a), (tesela.inv(a.tolist()), np.linalg.inv(a))):
                self.close(got, want, dtype, 10)
            self.assertEqual(tesela.inv(a).dtype, np.dtype(dtype))
            x, residues, rank, none = tesela.lstsq(a[..., :3], v)
            self.assertEqual((x.shape, residues.shape, rank.tolist(), none), ((2, 3, 3), (2, 3), [[3, 3, 3], [3, 3, 3]], None))
            self.close(x[1, 2], np.linalg.lstsq(a[1, 2, :, :3], v, rcond=None)[0], dtype, 10)
            factor, lower = tesela.cho_factor(s, lower=True)
            self.assertIs(lower, True)
            self.close(tesela.cho_solve((factor, np.full(3, lower)), b), np.linalg.solve(s, b), dtype, 10)  # as SciPy has it
        x, how = tesela.solve(a.astype("D"), b, precision="fp32", full_output=True)
        self.assertEqual((how.precision.shape, how.iterations.shape), ((2, 3), (2, 3)))

    def test_empty(self) -> None:
        """Without a matrix there is nothing to compute; what comes has the shape and type it would have."""
        a, b = np.zeros((2, 0, 4, 4), "F"), np.zeros((4, 3), "f")
        for got, shape in ((tesela.inv(a), (2, 0, 4, 4)), (tesela.det(a), (2, 0)), (tesela.solve(a, b), (2, 0, 4, 3)),
                           (tesela.lu_factor(a)[1], (2, 0, 4)), (tesela.lu_solve(tesela.lu_factor(a), b), (2, 0, 4, 3)),
                           (tesela.qr(a[..., :2])[1], (2, 0, 4, 2)), (tesela.matmul(a, b), (2, 0, 4, 3)),
                           (tesela.cho_solve(tesela.cho_factor(a), b), (2, 0, 4, 3)), (tesela.lstsq(a[..., :2], b)[0], (2, 0, 2, 3))):
            self.assertEqual(got.shape, shape)
        self.assertEqual(tesela.inv(a).dtype, np.complex64)

    def test_overwrite(self) -> None:
        s = np.stack([positive(4, "d", k) for k in range(3)])
        want = np.linalg.cholesky(s)
        self.close(tesela.cholesky(s, lower=True, overwrite_a=True), want, "d")

    def test_overwrite_what_is_broadcast(self) -> None:
        """It is there for every step."""
        a, s, v = random((3, 4, 4), "d") + 5 * np.eye(4), positive(4, "d"), random((4,), "d", 1)
        B = random((2, 4, 2), "d", 2)
        kinds = [lambda x: np.array(x, order="F")]
        if importlib.util.find_spec("torch"):
            kinds.append(importlib.import_module("torch").from_numpy)
        for kind in kinds:
            def my(x: np.ndarray[Any, Any]) -> Any:
                return kind(x.copy())

            lu, cho = tesela.lu_factor(a), tesela.cho_factor(s)
            for got, want in ((tesela.solve(my(a), my(v), overwrite_b=True), tesela.solve(a, v)),
                              (tesela.solve(my(a), my(v), False, False, True), tesela.solve(a, v)),
                              (tesela.solve(my(a[:1]), my(B), overwrite_a=True), tesela.solve(a[0], B)),
                              (tesela.solve(my(a[0]), my(B), overwrite_a=True, overwrite_b=True), tesela.solve(a[0], B)),
                              (tesela.solve_triangular(my(a), my(v), overwrite_b=True), tesela.solve_triangular(a, v)),
                              (tesela.lstsq(my(a[0, :, :3]), my(B), overwrite_a=True)[0], tesela.lstsq(a[0, :, :3], B)[0]),
                              (tesela.lu_solve(lu, my(v), overwrite_b=True), tesela.lu_solve(lu, v)),
                              (tesela.cho_solve((np.stack([cho[0]] * 2), cho[1]), my(v), overwrite_b=True),
                               np.stack([np.linalg.solve(s, v)] * 2))):
                self.close(got, want, "d")
        self.assertRaises(TypeError, tesela.inv, a, True, True, True)  # too many

    def test_errors(self) -> None:
        a = np.stack([np.eye(3), np.zeros((3, 3))])
        self.assertRaises(tesela.LinAlgError, tesela.inv, a)
        self.assertRaises(ValueError, tesela.inv, a[:0, :2])
        self.assertRaises(ValueError, tesela.inv, a[:, :2])
        self.assertRaises(ValueError, tesela.solve, a, np.ones((5, 3, 1)))
        self.assertRaises(ValueError, tesela.solve, a, np.ones((2, 4, 1)))
        masked = np.ma.masked_array(a, a == 0)
        for bad in (masked, masked[:0], [masked[0], masked[0]], [a[0], masked[0]]):
            self.assertRaisesRegex(ValueError, "masked", tesela.inv, bad)


if __name__ == "__main__":
    unittest.main()
