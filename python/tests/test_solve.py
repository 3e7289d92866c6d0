"""Systems of equations and least squares."""

from __future__ import annotations

import unittest

import numpy as np
from common import Case, TYPES, layouts, need, positive, random

import tesela


class Solve(Case):
    def test_types_and_devices(self) -> None:
        for devices, dtype in self.everywhere():
            a, b = random((70, 70), dtype) + 20 * np.eye(70, dtype=dtype), random((70, 5), dtype, 1)
            for B in (b, b[:, 0], np.asfortranarray(b), b[:, :0]):
                x = tesela.solve(a, B)
                self.assertIsInstance(x, np.ndarray)
                self.assertEqual(x.dtype, np.dtype(dtype))
                self.close(x, np.linalg.solve(a, B), dtype)
            self.close(tesela.solve(a, b, transposed=True), np.linalg.solve(a.T, b), dtype)

    def test_layouts(self) -> None:
        for dtype in TYPES:
            a, b = random((20, 20), dtype) + 8 * np.eye(20, dtype=dtype), random((20, 3), dtype, 1)
            want = np.linalg.solve(a, b)
            for i, (other, B) in enumerate(layouts(b)):
                for (name, A), (_, B) in zip(layouts(a), [list(layouts(b))[i] for _ in layouts(a)]):
                    with self.subTest(dtype=dtype, a=name, b=other):
                        keep = A.copy(), B.copy()
                        self.close(tesela.solve(A, B), want, dtype)
                        np.testing.assert_array_equal(A, keep[0])
                        np.testing.assert_array_equal(B, keep[1])
                        self.close(tesela.solve(A, B, overwrite_a=True, overwrite_b=True), want, dtype)
            for step in (1, 2, -1):
                line = np.repeat(b[:, 0], 2)[::2] if step == 2 else b[::step, 0]
                self.close(tesela.solve(a, line), np.linalg.solve(a, line), dtype)

    def test_structures(self) -> None:
        for devices, dtype in self.everywhere():
            n = 40
            s, b = positive(n, dtype), random((n, 2), dtype, 1)
            sym = random((n, n), dtype) + 9 * np.eye(n, dtype=dtype)
            sym = np.tril(sym) + np.tril(sym, -1).T
            her = np.tril(sym) + np.tril(sym, -1).conj().T
            her[np.diag_indices(n)] = her.diagonal().real
            nan = np.full((n, n), np.nan, dtype)
            for lower in (False, True):
                def part(a: object) -> object:
                    return np.tril(a) + np.triu(nan, 1) if lower else np.triu(a) + np.tril(nan, -1)
                for order in "CF":
                    for assume, a in (("pos", s), ("sym", sym), ("her", her)):
                        half = np.array(part(a), order=order)
                        x = tesela.solve(half, b, lower=lower, assume_a=assume, check_finite=False)
                        self.solves(x, a, b, dtype)
                self.solves(tesela.solve(s, b, lower=lower, assume_a="pos", transposed=True), s.T, b, dtype)
                for words, a in ((("sym", "symmetric"), sym), (("her", "hermitian"), her), (("pos", "positive definite"), s), (("gen", "general", None), sym)):
                    for assume in words:
                        self.solves(tesela.solve(a, b[:, 0], lower=lower, assume_a=assume, transposed=True), a.T, b[:, 0], dtype)
                        A, B = np.array(a, order="F"), np.array(b, order="F")
                        self.solves(tesela.solve(A, B, lower, True, True, assume_a=assume), a, b, dtype)
            zero = np.zeros((3, 3), dtype)
            for assume in ("sym", "her"):
                self.assertRaises(np.linalg.LinAlgError, tesela.solve, zero, np.ones(3, dtype), assume_a=assume)
                swap = np.array([[0, 1], [1, 0]], dtype)  # no pivot on the diagonal
                self.close(tesela.solve(swap, np.array([1, 2], dtype), assume_a=assume), np.array([2, 1]), dtype)
            self.solves(tesela.solve(sym, b, assume_a="upper triangular"), np.triu(sym), b, dtype)

    def test_dtypes(self) -> None:
        a, b = np.array([[2, 1], [1, 3]]), np.array([1, 2])
        for t in "bhiq?BHIQd":
            self.assertEqual(tesela.solve(a.astype("q"), b.astype(t)).dtype, np.float64)
        for left, right, want in (("f", "f", "f"), ("f", "d", "d"), ("f", "F", "F"), ("d", "F", "D"), ("F", "q", "D"), ("f", "q", "d"),
                                  ("g", "f", "d"), ("e", "e", "f")):
            self.assertEqual(tesela.solve(a.astype(left), b.astype(right)).dtype.char, want, (left, right))
        for bad in (a.astype("U3"), a.astype(object), a.astype("M8[s]")):
            self.assertRaises(TypeError, tesela.solve, bad, b)
        masked = np.ma.masked_array(a, a == 3)  # what the mask hides would be computed with
        for bad in ((masked, b), (a, masked[0]), ([masked[0], masked[1]], b), (a, [b[:1], masked[1, 1:]])):
            self.assertRaisesRegex(ValueError, "masked", tesela.solve, *bad)
        self.assertIs(type(tesela.solve(np.matrix(a), b)), np.ndarray)
        self.close(tesela.solve([[2.0, 1], [1, 3]], [1, 2]), [0.2, 0.6], "d")

    def test_errors(self) -> None:
        a = random((5, 5), "d")
        self.assertRaises(ValueError, tesela.solve, a[:4], a[:4])
        self.assertRaises(ValueError, tesela.solve, a, a[:4])
        self.assertRaises(ValueError, tesela.solve, a[0], a[0])
        self.assertRaises(ValueError, tesela.solve, np.ones(()), np.ones(()))
        self.assertRaises(ValueError, tesela.solve, a, a, assume_a="round")
        for bad in (np.nan, np.inf, -np.inf):
            for kind in "fdFD":
                worse = a.astype(kind)
                worse[3, 1] = bad
                self.assertRaises(ValueError, tesela.solve, worse, a)
                self.assertRaises(ValueError, tesela.solve, a, worse)
        large = np.full((2, 2), 1e308 + 1e308j)  # finite, though its magnitude is not
        tesela.norm(large, check_finite=True)
        for devices, dtype in self.everywhere():
            for order in "CF":
                zero = np.zeros((5, 5), dtype, order)
                self.assertRaises(tesela.LinAlgError, tesela.solve, zero, a.astype(dtype))
                self.assertRaises(np.linalg.LinAlgError, tesela.solve, -np.eye(5, dtype=dtype), a.astype(dtype), assume_a="pos")

    def test_empty(self) -> None:
        for devices, dtype in self.everywhere():
            self.assertEqual(tesela.solve(np.zeros((0, 0), dtype), np.zeros((0, 3), dtype)).shape, (0, 3))
            self.assertEqual(tesela.solve(np.zeros((0, 0), dtype), np.zeros(0, dtype)).shape, (0,))
            self.assertEqual(tesela.solve(np.eye(3, dtype=dtype), np.zeros((3, 0), dtype)).shape, (3, 0))

    def test_one_array_twice(self) -> None:
        """What may be overwritten is not what must still be read."""
        for n in (3, 200, 600):
            for solve in (tesela.solve, tesela.lstsq):
                x = np.asfortranarray(np.eye(n) + 1)
                got = solve(x, x, overwrite_a=True, overwrite_b=True)
                np.testing.assert_allclose(got if solve is tesela.solve else got[0], np.eye(n), atol=1e-10)
            whole = np.asfortranarray(np.tril(np.ones((n, n + 1))) + np.eye(n, n + 1))
            b = whole[:, 1:]
            want = np.linalg.solve(np.tril(whole[:, :n]), b)
            np.testing.assert_allclose(tesela.solve_triangular(whole[:, :n], b, lower=True, overwrite_b=True), want, atol=1e-10)

    def test_wrong_kinds(self) -> None:
        a = np.eye(3)
        for f in (tesela.solve, tesela.lstsq, tesela.solve_triangular, tesela.matmul):
            for args in ((a, None), (None, a), (a, "abc"), (None, None)):
                with self.assertRaises((TypeError, ValueError)):
                    f(*args)
        for f in (tesela.lu_solve, tesela.cho_solve):
            for args in ((None, a), ((None, None), a), ((a, "abc" if f is tesela.lu_solve else 0), None)):
                with self.assertRaises((TypeError, ValueError)):
                    f(*args)

    def test_mixed_precision(self) -> None:
        for devices in ("host", "host:1"):
            for dtype in "dD":
                with self.subTest(devices=devices, dtype=dtype), tesela.options(devices=devices):
                    a, b = random((90, 90), dtype) + 30 * np.eye(90, dtype=dtype), random((90, 2), dtype, 1)
                    x, how = tesela.solve(a, b, precision="fp32", full_output=True)
                    self.close(x, np.linalg.solve(a, b), dtype)
                    self.assertEqual(how.precision, "fp32")
                    self.assertLess(how.backward_error, 1e-14)
                    self.assertGreater(how.iterations, 0)
                    self.assertTrue(0 < how.forward_error < 1e-6 and how.condition >= 1)
                    self.close(tesela.solve(a, b, precision="auto"), np.linalg.solve(a, b), dtype)
                    x, how = tesela.solve(a, b[:, 0], accuracy=1e-3, precision="fp32", full_output=True)
                    self.assertLess(how.backward_error, 1e-3)
                    s = positive(90, dtype)
                    x, how = tesela.solve(s, b, assume_a="pos", lower=True, precision="fp32", full_output=True)
                    self.close(x, np.linalg.solve(s, b), dtype)
                    self.close(tesela.solve(a, b, precision="fp64", transposed=True), np.linalg.solve(a.T, b), dtype)
                    self.assertRaises(tesela.LinAlgError, tesela.solve, 0 * a, b, precision="fp32")
                    for assume, part in (("lower triangular", np.tril(a)), ("upper triangular", np.triu(a))):  # only that is used
                        for transposed in (False, True):
                            x = tesela.solve(a, b, assume_a=assume, precision="fp32", transposed=transposed)
                            self.close(x, np.linalg.solve(part.T if transposed else part, b), dtype)
        self.assertRaises(ValueError, tesela.solve, a, b, precision="fp8")
        self.assertRaises(ValueError, tesela.solve, a, b, full_output=True)


class Inverse(Case):
    def test_structures(self) -> None:
        """Only the triangle that is named is read."""
        for devices, dtype in self.everywhere():
            n = 30
            s, nan = positive(n, dtype), np.full((n, n), np.nan, dtype)
            sym = random((n, n), dtype) + 9 * np.eye(n, dtype=dtype)
            sym = np.tril(sym) + np.tril(sym, -1).T
            her = np.tril(sym) + np.tril(sym, -1).conj().T
            her[np.diag_indices(n)] = her.diagonal().real
            for lower in (False, True):
                for assume, a in (("pos", s), ("sym", sym), ("her", her)):
                    half = np.tril(a) + np.triu(nan, 1) if lower else np.triu(a) + np.tril(nan, -1)
                    for order in "CF":
                        for overwrite in (False, True):
                            x = tesela.inv(np.array(half, order=order), overwrite, False, assume_a=assume, lower=lower)
                            self.close(x, np.linalg.inv(a), dtype, 10)
                            self.assertEqual(x.dtype, np.dtype(dtype))
                word, T = ("lower triangular", np.tril(s)) if lower else ("upper triangular", np.triu(s))
                half = T + (np.triu(nan, 1) if lower else np.tril(nan, -1))
                self.close(tesela.inv(half, check_finite=False, assume_a=word), np.linalg.inv(T), dtype)
                for bad in (np.zeros((3, 3), dtype), -np.eye(3, dtype=dtype)):
                    self.assertRaises(tesela.LinAlgError, tesela.inv, bad, assume_a="pos", lower=lower)
                for assume in ("sym", "her", word):
                    self.assertRaises(tesela.LinAlgError, tesela.inv, np.zeros((3, 3), dtype), assume_a=assume, lower=lower)
                for assume in ("pos", "sym", "her", word):
                    self.assertEqual(tesela.inv(np.zeros((0, 0), dtype), assume_a=assume, lower=lower).shape, (0, 0))
        self.assertRaises(ValueError, tesela.inv, np.eye(2), assume_a="round")


class SolveTriangular(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            t = random((33, 33), dtype) / 8 + 4 * np.eye(33, dtype=dtype)
            b = random((33, 4), dtype, 1)
            for lower in (False, True):
                for unit in (False, True):
                    T = np.tril(t) if lower else np.triu(t)
                    if unit:
                        T[np.diag_indices(33)] = 1
                    for name, A in layouts(t, devices):
                        for trans, S in ((0, T), ("T", T.T), (2, T.conj().T)):
                            for B in (b, np.asfortranarray(b), b[:, 0]):
                                x = tesela.solve_triangular(A, B, trans=trans, lower=lower, unit_diagonal=unit)
                                self.close(S @ x, B, dtype, 10)

    def test_errors(self) -> None:
        a = np.eye(4)
        a[2, 2] = 0
        with self.assertRaisesRegex(tesela.LinAlgError, "diagonal 2"):
            tesela.solve_triangular(a, np.ones(4))
        self.assertRaises(ValueError, tesela.solve_triangular, a, np.ones(3))
        self.assertRaises(ValueError, tesela.solve_triangular, a, np.ones(4), trans=3)
        self.close(tesela.solve_triangular(a, np.ones(4), unit_diagonal=True), np.ones(4), "d")
        b = np.ones(4)
        x = tesela.solve_triangular(np.eye(4) * 2, b, overwrite_b=True)
        self.close(x, np.full(4, 0.5), "d")
        self.close(b, x, "d")


class Lstsq(Case):
    def test_against_numpy(self) -> None:
        for devices, dtype in self.everywhere():
            for m, n in ((40, 17), (17, 40), (20, 20)):
                for order in "CF":
                    a, b = np.array(random((m, n), dtype), order=order), random((m, 3), dtype, 1)
                    for B in (b, b[:, 0]):
                        x, residues, rank, s = tesela.lstsq(a, B)
                        want, sums, order_, _ = np.linalg.lstsq(a, B, rcond=None)
                        self.close(x, want, dtype, 100)
                        self.assertEqual((rank, s), (min(m, n), None))
                        if m > n:
                            self.close(np.ravel(residues), sums, dtype, 10)
                        else:
                            self.assertEqual(np.size(residues), 0)

    def test_errors(self) -> None:
        a = np.ones((4, 2))
        a[:, 1] = 0
        self.assertRaises(tesela.LinAlgError, tesela.lstsq, a, np.ones(4), lapack_driver="gels")
        self.assertRaises(ValueError, tesela.lstsq, a, np.ones(4), lapack_driver="gelsx")
        self.assertRaises(ValueError, tesela.lstsq, a, np.ones(4), cond=1e-3, rcond=1e-3)
        self.assertRaises(ValueError, tesela.lstsq, a, np.ones(3))
        x, residues, rank, _ = tesela.lstsq(np.zeros((3, 0)), [1, 2, 3])
        self.assertEqual((x.shape, residues, rank), ((0,), 14, 0))
        self.assertEqual(tesela.lstsq(np.zeros((3, 0)), np.ones((3, 2)))[1].tolist(), [3, 3])
        for m, n in ((0, 0), (0, 3)):
            x, residues, rank, _ = tesela.lstsq(np.zeros((m, n)), np.zeros(m))
            self.assertEqual((x.tolist(), rank), ([0] * n, 0))

    def test_rank(self) -> None:
        """Rows or columns that depend on each other but for rounding leave no solution worth having."""
        for devices, dtype in self.everywhere():
            for m, n in ((9, 4), (4, 9), (5, 5)):
                a = random((m, n), dtype)
                tesela.lstsq(a * 1e-30 if dtype in "dD" else a, random((m,), dtype, 1))
                a[:, 2], a[2] = a[:, :2].sum(1), a[:2].sum(0)
                a[2, 2] = a[:2, :2].sum()
                for order in "CF":
                    self.assertRaisesRegex(tesela.LinAlgError, "rank", tesela.lstsq, np.array(a, order=order), np.ones(m, dtype), lapack_driver="gels")

    def test_sizes_of_columns(self) -> None:
        """Columns, or rows, of very different sizes do not depend on each other for that."""
        a = (np.arange(1.0, 101)[:, None] * 1e4) ** np.arange(4)
        x = np.array([1e18, 1e12, 1e6, 1])
        for devices, _ in self.everywhere():
            np.testing.assert_allclose(tesela.lstsq(a, a @ x)[0], x, rtol=1e-9)
            self.assertEqual(tesela.lstsq(a.T, x)[2], 4)
            u = np.arange(1.0, 21)
            self.assertRaisesRegex(tesela.LinAlgError, "rank", tesela.lstsq, np.c_[u * 1e-17, u / 3], u, lapack_driver="gels")

    def test_any_rank(self) -> None:
        """By each driver what NumPy finds, of full rank and not."""
        for devices, dtype in self.everywhere():
            for m, n, order in ((40, 17, "C"), (17, 40, "F"), (20, 20, "C"), (300, 40, "F")):
                a, b = np.array(random((m, n), dtype), order=order), random((m, 2), dtype, 1)
                for deficient in (False, True):
                    if deficient:
                        a[:, n // 2:2 * (n // 2)] = 2 * a[:, :n // 2]
                    for B in (b, b[:, 0]):
                        want, sums, rank, s = np.linalg.lstsq(a, B, rcond=None)
                        for how in ({"lapack_driver": "gelsd"}, {"lapack_driver": "gelsy"}, {"lapack_driver": "gelss"}, {"rcond": 1e-5}, {}):
                            x, residues, got, values = tesela.lstsq(a, B, **how)
                            self.close(x, want, dtype, 1000)
                            self.assertEqual(got, rank)
                            self.assertEqual(np.size(residues), np.size(sums))
                            if values is not None:
                                self.close(values, s, dtype, 10)
            self.assertEqual(tesela.lstsq(np.zeros((5, 3), dtype), np.ones(5, dtype))[2], 0)
        stack = np.ones((2, 4, 2))
        x, _, rank, s = tesela.lstsq(stack, np.ones(4), lapack_driver="gelsd")
        np.testing.assert_allclose(x, np.full((2, 2), 0.5))
        self.assertEqual((list(rank), s.shape), ([1, 1], (2, 2)))


class Scipy(Case):
    """The same calls, by SciPy and by us."""

    def test_same_results(self) -> None:
        linalg = need("scipy.linalg")
        for dtype in TYPES:
            a, b = random((12, 12), dtype) + 5 * np.eye(12, dtype=dtype), random((12, 2), dtype, 1)
            for order in "CF":
                A = np.array(a, order=order)
                for B in (b, b[:, 1]):
                    for kw in ({}, {"assume_a": "gen"}, {"overwrite_b": True}):
                        x, y = tesela.solve(A, B.copy(), **kw), linalg.solve(A, B.copy(), **kw)
                        self.close(x, y, dtype)
                        self.assertEqual(x.dtype, y.dtype)
                    for kw in ({"lower": True}, {"trans": 1}, {"trans": "C", "unit_diagonal": True}):
                        self.close(tesela.solve_triangular(A, B, **kw), linalg.solve_triangular(A, B, **kw), dtype, 100)
                    got, want = tesela.lstsq(A[:, :7], B), linalg.lstsq(A[:, :7], B)
                    self.close(got[0], want[0], dtype)
                    self.close(got[1], want[1], dtype)
                    self.assertEqual(got[2], want[2])


if __name__ == "__main__":
    unittest.main()
