"""Matrices as objects of Python: indexed, compared, copied, pickled, printed, summed up. NumPy is the reference for all of it."""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import unittest
from typing import Any

import numpy as np
from common import Case, DEVICES, random

import tesela

# Steps, lists and masks beside each other: keys of a 9 x 8 matrix.
KEYS = (np.s_[::2], np.s_[1::3, ::2], np.s_[::-1], np.s_[:, ::-1], np.s_[7:1:-2, 1:5], np.s_[2:7, 6:0:-3], np.s_[[3]], np.s_[[1, 2, 3, 7, 7, 0]],
        np.s_[:, [5, -1]], np.s_[[8, 0], 1:4], np.s_[::3, [2, 0]], np.s_[[0, -2], ::4], np.s_[[1, 4], 2], np.s_[3, [0, 2, 5]], np.s_[4, ::3],
        np.s_[::4, 5], np.s_[[]], np.s_[:, []], np.s_[5:5:2], np.s_[np.arange(9) % 2 == 0], np.s_[:, np.arange(8) > 4],
        np.s_[[True] * 4 + [False] * 5],
        np.ix_([1, 5, 2], [0, 3]), np.s_[..., [1, 2]], np.s_[[2, 1], ...], np.s_[np.array([1, 2], np.uint8)], np.s_[0:1:3], np.s_[np.array(4)])
ONE_BY_ONE = (np.s_[[0, 3, 8], [1, 1, 7]], np.s_[[[0, 1], [2, 3]], [[1, 2], [3, 4]]], np.arange(72).reshape(9, 8) % 5 == 0,
              np.s_[np.zeros((9, 8), bool)])


class Indices(Case):
    def test_reading(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((9, 8), dtype)
            m = tesela.asarray(a)
            wide = tesela.asarray(random((12, 13), dtype))
            wide[2:11, 3:11] = a
            for key in KEYS + ONE_BY_ONE:
                with self.subTest(key=key, devices=devices, dtype=dtype):
                    for M, A in ((m, a), (wide[2:11, 3:11], a)):
                        got = M[key]
                        self.assertEqual(got.shape, A[key].shape)
                        np.testing.assert_array_equal(np.asarray(got), A[key])
            for M, A in ((m.T, a.T), (m.H, a.conj().T), (m.conj(), a.conj())):
                for key in (np.s_[::2, 1::2], np.s_[[7, 0, 3]], np.s_[:, [2, 5]], np.s_[::-3], np.s_[3, ::2]):
                    np.testing.assert_array_equal(np.asarray(M[key]), A[key])
            for V, v in ((m[:, 2], a[:, 2]), (m[3], a[3]), (m.H[1], a.conj().T[1])):
                for key in (np.s_[::2], np.s_[::-1], np.s_[[1, 1, 0]], np.s_[5:1:-2], np.s_[...], np.arange(len(v)) % 3 == 1):
                    np.testing.assert_array_equal(np.asarray(V[key]), v[key])

    def test_writing(self) -> None:
        for devices, dtype in self.everywhere():
            for key in KEYS + ONE_BY_ONE:
                with self.subTest(key=key, devices=devices, dtype=dtype):
                    a = random((9, 8), dtype)
                    m = tesela.asarray(a)
                    values = random(a[key].shape, dtype, 1)
                    for value in (values, 3.0, tesela.asarray(values) if values.ndim in (1, 2) else values):
                        m[key] = value
                        a[key] = np.asarray(value)
                        np.testing.assert_array_equal(np.asarray(m), a)
                    t = tesela.asarray(np.array(a.T))  # through its transpose
                    t.T[key] = values
                    a[key] = values
                    np.testing.assert_array_equal(np.asarray(t.T), a)
            m, a = tesela.asarray(a), a.copy()
            m[::2] = m[1::2][[0, 1, 2, 3, 0]]  # of itself
            a[::2] = a[1::2][[0, 1, 2, 3, 0]]
            m[::-1] = m
            a[::-1] = a.copy()
            v, w = m[2], a[2]
            v[::3], w[::3] = 7, 7
            m[1::4] += 1
            a[1::4] += 1
            m[:, [1, 3]] *= 2
            a[:, [1, 3]] *= 2
            m[a.real > 1] = 0
            a[a.real > 1] = 0
            np.testing.assert_array_equal(np.asarray(m), a)

    def test_writing_to_a_copy(self) -> None:
        """A step makes a view in NumPy and a copy here: what is meant for the matrix is not lost in silence."""
        m = tesela.asarray(random((6, 5), "d"))
        for part in (m[::2], m[::2].T, m[::2][1:], m[:, ::2][0], m[::-1]):
            self.assertRaisesRegex(ValueError, "copy", part.__setitem__, 0, 1.0)
        mine = m[::2].copy()
        mine[0] = 1
        listed = m[[0, 1]]  # NumPy's is a copy, too
        listed[0] = 1
        self.assertEqual((mine[0, 0], listed[0, 1]), (1, 1))

    def test_wrong(self) -> None:
        m, a = tesela.asarray(random((9, 8), "d")), np.zeros((9, 8))
        for key in (9, -10, np.s_[0, 8], np.s_[0, 0, 0], np.s_[[9]], np.s_[[0, -10]], np.s_[:, [8]], 1.5, "x", np.s_[[0.5]], np.s_[..., ...],
                    [True, False], np.ones((8, 9), bool), np.s_[[0, 1], [0, 1, 2]], np.s_[np.ones((9, 8), bool), 0]):
            with self.subTest(key=key):
                self.assertRaises(IndexError, lambda: a[key])
                self.assertRaises(IndexError, lambda: m[key])
                self.assertRaises(IndexError, m.__setitem__, key, 0)
        for key in (True, False, None, np.s_[:, None], np.bool_(True)):  # NumPy's have a dimension more
            self.assertRaises(IndexError, lambda: m[key])
        self.assertRaises(ValueError, m.__setitem__, np.s_[::2], np.ones((3, 8)))
        self.assertRaises(ValueError, m.__setitem__, np.s_[[1, 2]], np.ones((2, 7)))

    def test_iteration(self) -> None:
        a = random((3, 4), "d")
        m = tesela.asarray(a)
        np.testing.assert_array_equal([np.asarray(row) for row in m], a)
        self.assertEqual(list(m[1]), list(a[1]))
        self.assertTrue(a[1, 2] in m and 17.5 not in m)
        self.assertEqual(m.tolist(), a.tolist())


class Compared(Case):
    @np.errstate(invalid="ignore")
    def test_element_by_element(self) -> None:
        for devices, dtype in self.everywhere():
            a = np.round(random((5, 4), dtype))
            b = np.round(random((5, 4), dtype, 1))
            a[0, 0] = b[1, 1] = np.nan
            A, B = tesela.asarray(a), tesela.asarray(b)
            for got, want in ((A == B, a == b), (A != B, a != b), (A < B, a < b), (A >= B, a >= b), (A > 0, a > 0), (A <= B, a <= b),
                              (a == B, a == b), (A == b, a == b), (a < B, a < b), (0 == A, a == 0), (A == b[0], a == b[0]),
                              (A.T == B.T, (a == b).T), (A == A.copy(), a == a), (A == a.tolist(), a == a), (A[0] == A[0], a[0] == a[0])):
                self.assertIs(type(got), np.ndarray)
                np.testing.assert_array_equal(got, want)
        self.assertRaises(ValueError, bool, A == B)
        self.assertRaises(ValueError, lambda: A == np.ones((3, 3)))
        with tesela.options(devices="host:1"):
            self.assertTrue((tesela.asarray(b[2:]) == B[2:]).all())  # of different devices
        self.assertIs(A == None, False)  # noqa: E711
        self.assertIs(A != "x", True)

    def test_hash(self) -> None:
        self.assertRaisesRegex(TypeError, "unhashable", hash, tesela.eye(2))


def _doubled(m: Any) -> Any:
    return m + m


class Copied(Case):
    def test_is_its_own(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((5, 4), dtype)
            for of in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)), lambda x: copy.deepcopy([x, x])[1]):
                m = tesela.asarray(a)
                for M, A in ((m, a), (m.T, a.T), (m[1:3, 2:], a[1:3, 2:]), (m.H, a.conj().T), (m[:, 1], a[:, 1]), (m[:0], a[:0])):
                    other = of(M)
                    self.assertIs(type(other), tesela.Matrix)
                    self.assertEqual((other.shape, other.dtype), (A.shape, A.dtype))
                    np.testing.assert_array_equal(np.asarray(other), A)
                    if other.size:
                        other[...] = 99
                np.testing.assert_array_equal(np.asarray(m), a)

    def test_pickles(self) -> None:
        a = random((5, 4), "d")
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            np.testing.assert_array_equal(np.asarray(pickle.loads(pickle.dumps(tesela.asarray(a), protocol))), a)
        with tesela.options(devices="host:1"):
            data = pickle.dumps(tesela.asarray(a))
        self.assertNotIn(b"tesela._", data)  # names of the package's own are no part of it
        with tesela.options(devices="host:2"):  # to the devices of whoever loads it
            loaded = pickle.loads(data)
            self.close(loaded @ tesela.eye(4), a, "d")
        for other in (tesela.devices()[0], tesela.Solution(1, "gmres", "fp32", 0.0, 0.0, 1.0)):
            self.assertEqual(pickle.loads(pickle.dumps(other)), other)

    def test_in_a_pool(self) -> None:
        with tesela.options(devices="host"), multiprocessing.get_context("fork").Pool(1) as pool:
            a = random((3, 3), "d")
            np.testing.assert_array_equal(np.asarray(pool.apply_async(_doubled, (tesela.asarray(a),)).get(60)), 2 * a)


class Printed(Case):
    def test_as_numpy_prints(self) -> None:
        rng = np.random.default_rng(0)
        for devices in DEVICES:
            with tesela.options(devices=devices):
                for a in (rng.standard_normal((3, 4)), rng.standard_normal((3, 4)).astype("f"), random((2, 2), "D"), np.eye(3),
                          rng.standard_normal(5),
                          1e10 * rng.standard_normal((60, 70)), np.arange(5000.0), rng.standard_normal((4, 2000)), rng.standard_normal((7, 1000)),
                          np.array([[np.nan, np.inf, -1e-300]]), rng.standard_normal((2000, 1))):
                    m = tesela.asarray(a)
                    self.assertEqual(str(m), str(a))
                    self.assertEqual(f"{m}", str(a))
                    numbers = np.array2string(a, prefix="tesela.Matrix(", separator=", ", suffix=",")
                    self.assertTrue(repr(m).startswith("tesela.Matrix(" + numbers), repr(m))
                    self.assertIn("device='host'", repr(m))
                    self.assertEqual("float32" in repr(m), a.dtype == "f")
                    self.assertEqual(f"shape={a.shape}" in repr(m), a.size > 1000)
                    self.assertLessEqual(max(map(len, repr(m).splitlines())), 75)
                with np.printoptions(precision=2, threshold=5, edgeitems=1):
                    self.assertEqual(str(m), str(a))
                self.assertEqual(repr(tesela.zeros((0, 3), "f")), "tesela.Matrix([], shape=(0, 3), dtype=float32, device='host')")

    def test_of_a_large_one_little_is_fetched(self) -> None:
        with tesela.options(devices="host:1", memory="20M"):  # there is no room for a second one
            m = tesela.zeros((1500, 1500))
            self.assertIn("...", repr(m))
            self.assertRaises(MemoryError, m.copy)

    def test_never_fails(self) -> None:
        m = tesela.eye(3)
        destroyed = tesela._calls.context.Context("host:1")
        m = tesela._arrays.storage.made(destroyed, np.dtype("d"), 3, 4)
        destroyed.library.context_destroy(destroyed.handle)
        self.assertIn("3 x 4 float64", repr(m))


class Elements(Case):
    def test_sums(self) -> None:
        for devices, dtype in self.everywhere():
            for shape in ((7, 5), (1, 6), (6, 1), (300, 211), (0, 3), (3, 0)):
                a = random(shape, dtype)
                m = tesela.asarray(a)
                for M, A in ((m, a), (m.T, a.T), (m.H, a.conj().T), (m[1:4, :2], a[1:4, :2])):
                    for axis in (None, 0, 1, -1, (0, 1), (1,)):
                        with self.subTest(shape=shape, devices=devices, dtype=dtype, axis=axis):
                            scale = 1 + float(np.abs(A).sum())
                            got = M.sum(axis)
                            self.close(got, A.sum(axis), dtype, scale)
                            self.assertIs(type(got), np.dtype(dtype).type if axis in (None, (0, 1)) else tesela.Matrix)
                            if A.size:
                                self.close(M.mean(axis), A.mean(axis), dtype)
                                if dtype in "fd":
                                    np.testing.assert_array_equal(np.asarray(M.max(axis)), A.max(axis))
                                    np.testing.assert_array_equal(np.asarray(M.min(axis)), A.min(axis))
            v = tesela.asarray(a := random((37,), dtype))
            self.close([v.sum(), v.sum(0), v.mean(), np.sum(v)], [a.sum()] * 2 + [a.mean(), a.sum()], dtype, 40)
            for value in (np.inf, -np.inf, np.nan) + ((complex(0, np.inf),) if dtype in "FD" else ()):
                b = random((4, 3), dtype)
                b[1, 2] = value
                m = tesela.asarray(b)
                got = np.array([m.sum(), *np.asarray(m.sum(0)), *np.asarray(m.sum(1))])
                want = np.array([b.sum(), *b.sum(0), *b.sum(1)])
                np.testing.assert_allclose(got.real, want.real, 1e-4)
                np.testing.assert_allclose(got.imag, want.imag, 1e-4)
            np.testing.assert_array_equal(np.max(tesela.asarray(np.abs(b))), np.max(np.abs(b)))
        m = tesela.zeros((2, 3))
        for axis in (2, -3, (0, 0), (0, 2), ()):
            self.assertRaises(ValueError, m.sum, axis)
        self.assertRaises(TypeError, m.sum, 0.5)
        self.assertRaises(ValueError, tesela.zeros((0, 2)).max)
        self.assertRaises(TypeError, m.sum, None, int)

    def test_diagonals(self) -> None:
        for devices, dtype in self.everywhere():
            for shape in ((5, 5), (7, 4), (3, 6), (0, 4), (1, 1)):
                a = random(shape, dtype)
                m = tesela.asarray(a)
                for M, A in ((m, a), (m.T, a.T), (m.H, a.conj().T), (m[1:, 1:], a[1:, 1:])):
                    for offset in (0, 1, -1, 3, -4, 20):
                        np.testing.assert_array_equal(np.asarray(M.diagonal(offset)), A.diagonal(offset))
                        self.close(M.trace(offset), A.trace(offset), dtype)
            d = m.diagonal()
            d[...] = 17
            self.assertNotEqual(m[0, 0], 17)
        self.assertRaises(ValueError, tesela.zeros(3).diagonal)

    def test_parts(self) -> None:
        for devices, dtype in self.everywhere():
            for shape in ((7, 5), (1, 4), (33, 40), (0, 2)):
                a = random(shape, dtype)
                m = tesela.asarray(a)
                for M, A in ((m, a), (m.T, a.T), (m.H, a.conj().T), (m[2:5, 1:3], a[2:5, 1:3]), (m[:, 0], a[:, 0]), (m[:1], a[:1])):
                    for got, want in ((M.real, A.real), (M.imag, A.imag), (np.real(M), A.real)):
                        self.assertEqual((got.shape, got.dtype), (want.shape, want.dtype))
                        np.testing.assert_array_equal(np.asarray(got), want)
            keep = m.imag
            del m, M, got
            gc.collect()
            np.testing.assert_array_equal(np.asarray(keep), a.imag)

    def test_shapes(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((6, 4), dtype)
            m = tesela.asarray(a)
            for M, A in ((m, a), (m.T, a.T), (m.H, a.conj().T), (m[1:4, 1:3], a[1:4, 1:3]), (m[:, 1], a[:, 1]), (m[2], a[2])):
                for shape in ((-1,), (2, -1), (-1, 1), (1, -1), (A.size,), (A.size // 2, 2)):
                    for order in ("C", "F"):
                        got, want = M.reshape(*shape, order=order), A.reshape(*shape, order=order)
                        self.assertEqual(got.shape, want.shape)
                        np.testing.assert_array_equal(np.asarray(got), want)
                    np.testing.assert_array_equal(np.asarray(np.reshape(M, shape)), A.reshape(shape))
            self.close(m.reshape((4, 6)) @ m, a.reshape(4, 6) @ a, dtype)
            self.assertEqual(tesela.zeros((0, 3), dtype).reshape(5, 0).shape, (5, 0))
        for wrong in ((5,), (-1, -1), (-1, 5), (2, 3, 4), (), (-2, -12)):
            self.assertRaises(ValueError, m.reshape, wrong)
        self.assertRaises(TypeError, m.reshape, 2.5)
        self.assertRaises(ValueError, m.reshape, -1, order="K")

    def test_numbers_added(self) -> None:
        """The type follows from that of the number, as NumPy 2's; parts that are infinite leave the other part alone."""
        for devices, dtype in self.everywhere():
            a = random((5, 3), dtype)
            a[2, 1] = -np.inf
            m = tesela.asarray(a)
            with np.errstate(invalid="ignore"):
                for x in (1, 2.5, 0, -0.0, np.inf, True, np.float32(3), np.array(2.0), 2j, 1 + 0j, complex(np.inf, 1), np.complex64(1j)):
                    for M, A in ((m, a), (m.T, a.T), (m[1:4, 1:], a[1:4, 1:]), (m[:, 0], a[:, 0]), (m.H, a.conj().T), (m[:0], a[:0])):
                        number = complex(x) if np.iscomplexobj(x) else float(x)
                        for got, want in ((M + x, A + number), (x + M, A + number), (M - x, A - number), (x - M, number - A)):
                            self.assertEqual(got.dtype, np.result_type(a.dtype, np.complex64) if np.iscomplexobj(x) else a.dtype)
                            np.testing.assert_allclose(np.asarray(got), want, 1e-6)
            np.testing.assert_array_equal(np.asarray(m), a)
            m += 1
            m -= 0.5
            self.close(m[:2], a[:2] + 0.5, dtype)
            for wrong in ("1", None, object(), [1, 2]):
                self.assertRaises((TypeError, ValueError), lambda: m + wrong)
                self.assertRaises((TypeError, ValueError), lambda: wrong - m)


if __name__ == "__main__":
    unittest.main()
