"""Stacks of matrices."""

from __future__ import annotations

import importlib.util
import unittest
from typing import Any, Callable, Iterator
from unittest import mock

import numpy as np
from common import TYPES, Case, need, positive, random

import tesela
from tesela import _factor, _products
from tesela._many import stacks as _stacks


def functions(n: int) -> Iterator[tuple[str, Callable[[Any, Any, Any], Any]]]:
    """Of matrices, definite ones and right-hand sides, or of stacks of them."""
    for lower in (False, True):
        yield f"cholesky {lower}", lambda a, s, b: tesela.cholesky(s, lower)
        yield f"cho_factor {lower}", lambda a, s, b: tesela.cho_factor(s, lower)
        yield f"cho_solve {lower}", lambda a, s, b: tesela.cho_solve((s / n, lower), b)
        for assume in ("pos", "sym", "her"):
            for transposed in (False, True):
                yield f"solve {assume} {lower} {transposed}", lambda a, s, b: tesela.solve(s, b, lower, assume_a=assume, transposed=transposed)
            yield f"inv {assume} {lower}", lambda a, s, b: tesela.inv(s, assume_a=assume, lower=lower)
        for trans in "NTC":
            yield f"triangle {lower} {trans}", lambda a, s, b: tesela.solve_triangular(a, b, trans, lower)
        yield f"triangle {lower} unit", lambda a, s, b: tesela.solve_triangular(a / (4 * n), b, 0, lower, True)
    for assume in (None, "lower triangular", "upper triangular"):
        yield f"inv {assume}", lambda a, s, b: tesela.inv(a, assume_a=assume)
        for transposed in (False, True):
            yield f"solve {assume} {transposed}", lambda a, s, b: tesela.solve(a, b, assume_a=assume, transposed=transposed)
    for trans in (0, 1, 2):
        yield f"lu_solve {trans}", lambda a, s, b: tesela.lu_solve(tesela.lu_factor(a), b, trans)
    for rows, cols in ((n, n), (n, max(1, n - 2)), (max(1, n - 2), n)):
        def block(x: Any, rows: int = rows, cols: int = cols) -> Any:
            return x[..., :rows, :cols]

        yield f"lu {rows}x{cols}", lambda a, s, b: tesela.lu(block(a[..., ::-1, :]))
        yield f"lu p l {rows}x{cols}", lambda a, s, b: tesela.lu(block(a[..., ::-1, :]), permute_l=True)
        yield f"lu indices {rows}x{cols}", lambda a, s, b: tesela.lu(block(a[..., ::-1, :]), p_indices=True)
        yield f"lu_factor {rows}x{cols}", lambda a, s, b: tesela.lu_factor(block(a))
        for mode in ("full", "economic", "r", "raw"):
            yield f"qr {mode} {rows}x{cols}", lambda a, s, b: tesela.qr(block(a), mode=mode)
        yield f"lstsq {rows}x{cols}", lambda a, s, b: tesela.lstsq(block(a), b[..., :rows, :])
        yield f"matmul {rows}x{cols}", lambda a, s, b: tesela.matmul(block(a), b[..., :cols, :])
    yield "det", lambda a, s, b: tesela.det(a / (2 * n))


def gaps(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The same matrices, with room between them, their rows and their elements."""
    wide = np.full(tuple(2 * m for m in a.shape), np.nan, a.dtype)
    wide[::2, ::2, ::2, ::2] = a
    return wide[::2, ::2, ::2, ::2]


def block(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    wide = np.full(a.shape[:2] + (a.shape[2] + 2, a.shape[3] + 3), np.nan, a.dtype)
    wide[:, :, 1:-1, 1:-2] = a
    return wide[:, :, 1:-1, 1:-2]


STORAGES: list[Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]] = [
    gaps, block, lambda a: np.array(a.swapaxes(2, 3), order="C").swapaxes(2, 3), lambda a: np.array(a, order="F"),
    lambda a: np.array(a[::-1, :, ::-1])[::-1, :, ::-1], lambda a: a.astype(a.dtype.newbyteorder())]


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

    def test_as_one_by_one(self) -> None:
        """Every function of stacks in every storage, beside the same of each matrix alone; and it is one call for all of them."""
        for devices, dtype in self.everywhere():
            for n in (1, 2, 5, 17) if devices == "host" else (5,):
                a = random((2, 3, n, n), dtype) + 2 * n * np.eye(n, dtype=dtype)
                s = a @ a.conj().swapaxes(-1, -2)
                s = (s + s.conj().swapaxes(-1, -2)) / 2
                b = random((2, 3, n, 2), dtype, 1)
                with mock.patch.object(_stacks, "each", side_effect=AssertionError), mock.patch.object(_factor, "each", side_effect=AssertionError), \
                        mock.patch.object(_products, "each", side_effect=AssertionError):
                    for name, f in functions(n):
                        for A, S, B in ((a, s, b), *(tuple(map(kind, (a, s, b))) for kind in STORAGES if devices == "host" and n == 5)):
                            got = f(A, S, B)
                            for at in ((0, 1), (1, 2)):
                                with self.subTest(name, devices=devices, dtype=dtype, n=n, at=at):
                                    self.alike(got, f(a[at], s[at], b[at]), at, dtype, 10 * n)

    def alike(self, got: Any, want: Any, at: tuple[int, ...], dtype: str, scale: float) -> None:
        """A result of stacks and that of one of the matrices; some are tuples."""
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.alike(g, w, at, dtype, scale)
        elif want is None or isinstance(want, bool):
            self.assertIs(got, want)
        else:
            self.assertEqual(got.dtype, np.asarray(want).dtype)
            self.close(got[at], want, dtype, scale)

    def test_broadcast(self) -> None:
        """Operands that stand for many are not copied to each, but where stacks cross."""
        for dtype in TYPES:
            a, b = random((2, 1, 4, 4), dtype) + 9 * np.eye(4, dtype=dtype), random((3, 4, 2), dtype, 1)
            v, one = random((4,), dtype, 2), random((4, 4), dtype, 3) + 9 * np.eye(4, dtype=dtype)
            whole = np.broadcast_to(b, (2, 3, 4, 2))
            for got, want in ((tesela.solve(a, b), np.linalg.solve(a, whole)), (tesela.solve(one, b), np.linalg.solve(one, b)),
                              (tesela.matmul(a, b), a @ b), (tesela.matmul(one, b), one @ b), (tesela.matmul(b.swapaxes(1, 2), one), b.swapaxes(1, 2) @ one),
                              (tesela.matmul(v, b), v @ b), (tesela.matmul(a, v), a @ v),
                              (tesela.solve_triangular(one, b, "C", lower=True), np.linalg.solve(np.tril(one).conj().T, b)),
                              (tesela.lu_solve(tesela.lu_factor(one), b), np.linalg.solve(one, b)),
                              (tesela.lu_solve(tesela.lu_factor(a), b), np.linalg.solve(a, whole))):
                self.close(got, want, dtype, 10)
            out = np.empty((2, 3, 4, 2), dtype)
            self.assertIs(tesela.matmul(a, b, out=out), out)
            self.close(out, a @ b, dtype, 10)

    def test_whole_numbers(self) -> None:
        a = np.arange(2 * 3 * 3).reshape(2, 3, 3) ** 2 % 7
        self.assertEqual(tesela.matmul(a, a).dtype, np.float64)
        self.close(tesela.matmul(a, a.astype("f")), a @ a, "d")
        self.close(tesela.matmul(a, a.astype("F")), a @ a, "d")

    def test_which(self) -> None:
        """An error says which matrix it is of; it is the first."""
        for devices in ("host", "host:1", "host:3"):
            with tesela.options(devices=devices):
                for dtype in TYPES:
                    a = np.broadcast_to(np.eye(3, dtype=dtype), (4, 5, 3, 3)).copy()
                    a[2, 3, 1, 1] = a[3, 0, 2, 2] = 0
                    v = np.ones(3, dtype)
                    for f in (tesela.inv, lambda a: tesela.solve(a, v), tesela.cholesky, tesela.cho_factor, lambda a: tesela.solve_triangular(a, v),
                              lambda a: tesela.solve(a, v, assume_a="pos"), lambda a: tesela.inv(a, assume_a="pos"),
                              lambda a: tesela.inv(a, assume_a="upper triangular"), lambda a: tesela.lstsq(a, v, lapack_driver="gels")):
                        self.assertRaisesRegex(tesela.LinAlgError, r"matrix \(2, 3\) of the stack: .*(2,2|order 2|2-th|diagonal 1)", f, a)
                        self.assertRaisesRegex(tesela.LinAlgError, "matrix 1 of the stack", f, a[2, 2:4])
                        f(a[:2])
                    self.close(tesela.det(a), np.linalg.det(a), dtype)
                    lu, piv = tesela.lu_factor(a)  # no error there
                    self.close(lu, a, dtype)

    def test_not_finite(self) -> None:
        for dtype in TYPES:
            a, v = np.broadcast_to(np.eye(3, dtype=dtype), (4, 3, 3)).copy(), np.ones(3, dtype)
            large = a * np.finfo(dtype).max / 4  # whose squares are not finite
            self.close(tesela.inv(large) * large[0, 0, 0], a, dtype)
            a[2, 0, 1] = np.nan
            for f in (tesela.inv, tesela.det, tesela.lu, tesela.lu_factor, tesela.qr, tesela.cholesky, tesela.cho_factor,
                      lambda a, **how: tesela.solve(a, v, **how), lambda a, **how: tesela.solve_triangular(a, v, **how),
                      lambda a, **how: tesela.lstsq(a, v, **how)):
                self.assertRaisesRegex(ValueError, "^a: .*infs or NaNs", f, a)
            # what is wrong with one of them touches no other
            x = tesela.solve_triangular(a, v, check_finite=False)
            self.close(x[[0, 1, 3]], np.ones((3, 3)), dtype)
            self.assertTrue(np.isnan(x[2, 0]))
            b = np.ones((4, 3, 1), dtype)
            b[1, 1] = np.inf
            self.assertRaisesRegex(ValueError, "^b: .*infs or NaNs", tesela.solve, a[:1], b)

    def test_many(self) -> None:
        """More than a part of the batch has."""
        for dtype in TYPES:
            a = random((1000, 3, 3), dtype) + 5 * np.eye(3, dtype=dtype)
            s = a @ a.conj().swapaxes(1, 2)
            self.close(tesela.cholesky(s, lower=True), np.linalg.cholesky(s), dtype, 10)
            self.close(tesela.solve(a, a[:, :, :1]), np.broadcast_to(np.eye(3, 1), (1000, 3, 1)), dtype, 10)
            self.close(tesela.matmul(tesela.inv(a), a), np.broadcast_to(np.eye(3), (1000, 3, 3)), dtype, 10)

    def test_few_large(self) -> None:
        """They are computed one after the other, each by all cores."""
        for dtype in "dF":
            a = random((2, 300, 300), dtype) + 20 * np.eye(300, dtype=dtype)
            x = tesela.solve(a, a[:, :, :2])
            self.close(x, np.broadcast_to(np.eye(300, 2), (2, 300, 2)), dtype, 10)
            s = a @ a.conj().swapaxes(1, 2)
            self.close(tesela.cholesky(s, lower=True), np.linalg.cholesky(s), dtype, 300)

    def test_torch(self) -> None:
        torch = need("torch")
        a, b = random((3, 4, 4), "d") + 5 * np.eye(4), random((3, 4, 2), "d", 1)
        x = tesela.solve(torch.from_numpy(a), torch.from_numpy(b))
        self.assertIsInstance(x, torch.Tensor)
        self.close(x, np.linalg.solve(a, b), "d", 10)
        lu, piv = tesela.lu_factor(torch.from_numpy(a))
        self.assertIsInstance(piv, torch.Tensor)
        self.close(tesela.lu_solve((lu, piv), torch.from_numpy(b)), np.linalg.solve(a, b), "d", 10)
        self.assertRaises(TypeError, tesela.inv, torch.from_numpy(a).requires_grad_())

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
