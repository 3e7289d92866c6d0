"""Matrices that stay on the device."""

from __future__ import annotations

import gc
import unittest
import weakref

import numpy as np
from common import Case, TYPES, layouts, need, positive, random

import tesela


class Four:
    """A number that NumPy cannot have as an array, as one of PyTorch's on a GPU."""

    ndim = 0

    def __complex__(self) -> complex:
        return 4 + 0j

    def __float__(self) -> float:
        return 4.0

    def __array__(self, *args: object) -> object:
        raise TypeError("on a GPU")

    __dlpack__ = __array__

    def item(self) -> float:
        return 4.0


class Basics(Case):
    def test_in_and_out(self) -> None:
        for devices, dtype in self.everywhere():
            for name, a in layouts(random((7, 5), dtype), devices):
                m = tesela.asarray(a)
                self.assertEqual((m.shape, m.ndim, m.dtype, m.size, len(m)), ((7, 5), 2, np.dtype(dtype), 35, 7))
                np.testing.assert_array_equal(np.asarray(m), a)
                np.testing.assert_array_equal(np.asarray(m.T), a.T)
                np.testing.assert_array_equal(np.asarray(m.H), a.conj().T)
                np.testing.assert_array_equal(np.asarray(m.conj()), a.conj())
                np.testing.assert_array_equal(np.asarray(m.T.H), a.conj())
            v = tesela.asarray(a[:, 1])
            self.assertEqual(v.shape, (7,))
            np.testing.assert_array_equal(np.asarray(v), a[:, 1])
            self.assertIs(tesela.asarray(m), m)
            np.testing.assert_array_equal(np.asarray(tesela.eye(3, dtype)), np.eye(3))
            np.testing.assert_array_equal(np.asarray(tesela.zeros((2, 3), dtype)), np.zeros((2, 3)))
            self.assertEqual(np.asarray(tesela.empty((0, 3), dtype)).shape, (0, 3))
            self.assertEqual(tesela.asarray(np.zeros((3, 0), dtype)).shape, (3, 0))
        self.assertEqual(tesela.asarray([[1, 2]]).dtype, np.float64)
        self.assertEqual(tesela.asarray(np.eye(2), dtype="F").dtype, np.complex64)
        self.assertRaises(TypeError, tesela.empty, (2, 2), int)
        self.assertRaises(TypeError, tesela.asarray, np.eye(2), dtype=int)
        self.assertRaises(ValueError, tesela.empty, (2, 2, 2))
        self.assertRaises(ValueError, tesela.asarray, np.ones((2, 2, 2)))
        self.assertRaises(TypeError, tesela.asarray, [["a"]])

    def test_copies_are_its_own(self) -> None:
        a = random((3, 3), "d")
        m = tesela.asarray(a)
        was = a.copy()
        a[:] = 0
        np.testing.assert_array_equal(np.asarray(m), was)
        fetched = np.asarray(m)
        fetched[:] = 1
        np.testing.assert_array_equal(np.asarray(m), was)

    def test_slices(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((9, 8), dtype)
            m = tesela.asarray(a)
            for key in (np.s_[2:5], np.s_[:, 3:], np.s_[1:4, 2:7], np.s_[-3:, :-2], np.s_[2], np.s_[:, 4], np.s_[-1, 2:5], np.s_[5:2],
                        np.s_[...], np.s_[..., 2], np.s_[3, ...], np.s_[:100], np.s_[np.int64(3)]):
                for M, A in ((m, a), (m.T, a.T), (m.H, a.conj().T)):
                    np.testing.assert_array_equal(np.asarray(M[key]), A[key])
            self.assertEqual(m[3, 4], a[3, 4])
            self.assertEqual(m[3][4], a[3, 4])
            np.testing.assert_array_equal(np.asarray(m[2:7, 1:6][1:3].T[2:]), a[2:7, 1:6][1:3].T[2:])
            m[1:3, 2:4] = 0
            a[1:3, 2:4] = 0
            m[5] = a[6]
            a[5] = a[6]
            m[:, 0] = tesela.asarray(a[:, 1])
            a[:, 0] = a[:, 1]
            m[2, 2] = 7
            a[2, 2] = 7
            m.T[3:5, 6:8] = random((2, 2), dtype)
            a.T[3:5, 6:8] = random((2, 2), dtype)
            m[1:6] = m[0:5]  # what overlaps is read first
            a[1:6] = a[0:5].copy()
            m[3:6, 3:6] = m[3:6, 3:6].T
            a[3:6, 3:6] = a[3:6, 3:6].T.copy()
            np.testing.assert_array_equal(np.asarray(m), a)

    def test_operators(self) -> None:
        for devices, dtype in self.everywhere():
            a, b, c = random((9, 6), dtype), random((9, 6), dtype, 1), random((6, 4), dtype, 2)
            A, B, C = map(tesela.asarray, (a, b, c))
            for got, want in ((A + B, a + b), (A - B, a - b), (2 * A, 2 * a), (A * 3, a * 3), (A / 2, a / 2), (-A, -a), (A @ C, a @ c),
                              (A + b, a + b), (b - A, b - a), (a @ C, a @ c), (A @ c, a @ c), (A.T + B.T, a.T + b.T),
                              (A[2:5] + B[1:4], a[2:5] + b[1:4]), (A @ C @ C.H - A @ (C @ C.H), np.zeros((9, 6))),
                              (A.H @ B, a.conj().T @ b), (A @ C[:, 0], a @ c[:, 0]), (A[:, 0] + B[:, 0], a[:, 0] + b[:, 0]),
                              (A[0] @ C, a[0] @ c), (A * np.float64(0.5), a * 0.5)):
                self.assertIsInstance(got, tesela.Matrix)
                self.close(got, want, dtype)
            self.close(A[:, 0] @ B[:, 0], a[:, 0] @ b[:, 0], dtype)
            A += B
            A[1:3] *= 2
            A -= b
            want = a + b
            want[1:3] *= 2
            self.close(A, want - b, dtype)
            self.assertTrue(np.isnan(np.asarray(tesela.asarray(np.full((2, 2), np.nan, dtype)) * 0)).all())
            self.assertEqual((tesela.asarray(a) * 2j).dtype.kind, "c")
            self.assertRaises(ValueError, lambda: A + C)
            self.assertRaises(TypeError, lambda: A * B)
            self.assertRaises(TypeError, lambda: np.ones((9, 6)) * B)

    def test_infinite_parts(self) -> None:
        """A sum, a difference and a negation leave the other part of a complex number alone, as in NumPy."""
        for devices, dtype in self.everywhere():
            a = random((4, 3), dtype)
            a[0, 1], a[2, 2] = np.inf, np.nan
            A, B = tesela.asarray(a), tesela.asarray(np.ones((4, 3), dtype))
            with np.errstate(invalid="ignore"):
                for got, want in ((-A, -a), (A + B, a + 1), (B + A, a + 1), (B - A, 1 - a), (A - B, a - 1), (B.T - A.T, 1 - a.T),
                                  (1j - a - A.conj(), 1j - a - a.conj())):
                    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-6)

    def test_division(self) -> None:
        """By zero and by what has no finite inverse, as NumPy's."""
        for devices, dtype in self.everywhere():
            a = np.array([[1e-3, 0, -1]], dtype)
            tiny = np.finfo(dtype).tiny / 64
            with np.errstate(all="ignore"):
                for factor in (3, 0, 0.0, -0.0, np.inf, np.nan, True, np.float32(0.5)) + ((1j, -2 + 1j) if dtype in "FD" else (tiny,)):
                    got, want = tesela.asarray(a) / factor, a / np.asarray(factor, dtype)
                    self.assertEqual(got.dtype, a.dtype)
                    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5)
                self.assertEqual((tesela.asarray(a) / Four())[0, 2], -0.25)
            self.assertRaises(TypeError, lambda: tesela.asarray(a) / "2")
            self.assertRaises(TypeError, lambda: tesela.asarray(a) / tesela.asarray(a))

    def test_in_place(self) -> None:
        """The matrix itself, which its views see; what it cannot hold is refused, and leaves it as it was."""
        for devices, dtype in self.everywhere():
            a, b = random((3, 3), dtype), random((3, 3), dtype, 1)
            m = tesela.asarray(a)
            same, view = m, m.T
            m += b
            m -= 2 * b
            m *= 3
            m /= 4
            m @= b
            self.assertIs(m, same)
            want = (a - b) * 3 / 4 @ b
            self.close(view.T, want, dtype)
            if dtype in "fd":
                for change in (lambda x: x.__iadd__(1j * b), lambda x: x.__isub__(tesela.asarray(1j * b)), lambda x: x.__imul__(2j),
                               lambda x: x.__itruediv__(1j), lambda x: x.__imatmul__(1j * b)):
                    self.assertRaises(TypeError, change, m)
            self.assertRaises(ValueError, m.__imatmul__, b[:, :1])  # nothing is spread out
            self.close(m, want, dtype)

    def test_numbers_and_truth(self) -> None:
        one, two = tesela.asarray([[2.0]]), tesela.asarray([0.0, 1])
        self.assertEqual((float(one), complex(one), bool(one), bool(two[:1]), bool(two[:0])), (2, 2, True, False, False))
        self.assertRaises(TypeError, float, two)
        self.assertRaises(TypeError, complex, two)
        self.assertRaises(ValueError, bool, two)

    def test_assignment(self) -> None:
        """Of what has more dimensions, all but those of a single step; of matrices of other devices; of numbers that are arrays."""
        with tesela.options(devices="host:1"):
            m = tesela.zeros((3, 4))
            elsewhere = tesela.asarray(random((3, 4), "d"))
        with tesela.options(devices="host"):
            own = tesela.asarray(random((3, 4), "d", 1))
        a = np.zeros((3, 4))
        for key, value in ((np.s_[1], random((1, 4), "d")), (np.s_[:, 2], random((1, 1, 3), "d")), (np.s_[0, 0], 5.0),
                           (np.s_[...], random((1, 3, 4), "d")), (np.s_[2, 2], np.array(7.0))):
            m[key] = value
            a[key] = value
        np.testing.assert_array_equal(np.asarray(m), a)
        self.assertRaises(ValueError, m.__setitem__, 0, random((2, 4), "d"))
        for other in (elsewhere, own):
            m[...] = other
            np.testing.assert_array_equal(np.asarray(m), np.asarray(other))
        m[0, 1] = m[2] = Four()
        self.assertEqual((m[0, 1], m[2, 3]), (4, 4))
        torch = need("torch")
        m[0, 1] = torch.tensor(3.0)
        m[1] = torch.ones(4, dtype=torch.float64)
        self.assertEqual((m[0, 1], m[1, 3]), (3, 1))

    def test_masked(self) -> None:
        m, masked = tesela.zeros((2, 2)), np.ma.masked_array(np.ones((2, 2)), [[0, 1], [0, 0]])
        for bad in (masked, list(masked)):
            self.assertRaisesRegex(ValueError, "masked", m.__setitem__, slice(None), bad)
            self.assertRaisesRegex(ValueError, "masked", lambda: m + bad)
        self.assertRaises(TypeError, m.__setitem__, (0, 0), 1j)
        np.testing.assert_array_equal(np.asarray(m), 0)

    def test_astype(self) -> None:
        a = random((4, 3), "d")
        for t in TYPES:
            m = tesela.asarray(a).astype(t) if t in "fd" else tesela.asarray(a).T.astype(t).T
            self.close(m, a, "f")
            self.assertEqual(m.dtype.char, t)
            self.assertTrue(m.dtype.isnative)
            other = np.dtype(t).newbyteorder()
            for m in (tesela.asarray(a).astype(other), tesela.asarray(a, other), tesela.zeros((4, 3), other) + a):
                self.close(m, a, "f")

    def test_life(self) -> None:
        """A view keeps its matrix alive, and the last one lets it go."""
        with tesela.options(devices="host:1"):
            numbers = np.arange(1000000.0).reshape(1000, 1000)
            tesela.asarray(numbers)  # from then on there is workspace
            before = tesela.devices()[0].used
            m = tesela.asarray(numbers)
            view = m[10:12].T[5]
            gone = weakref.ref(m)
            del m
            gc.collect()
            self.assertIsNone(gone())
            self.assertGreaterEqual(tesela.devices()[0].used, before + 8000000)
            np.testing.assert_array_equal(np.asarray(view), [10005, 11005])
            capsule = view.__dlpack__()
            del view
            gc.collect()
            self.assertGreaterEqual(tesela.devices()[0].used, before + 8000000)
            del capsule
            gc.collect()
            self.assertLess(tesela.devices()[0].used, before + 8000000)


class Functions(Case):
    def test_stay_there(self) -> None:
        for devices, dtype in self.everywhere():
            a, s = random((30, 30), dtype) + 10 * np.eye(30, dtype=dtype), positive(30, dtype)
            b = random((30, 3), dtype, 1)
            A, S, B = map(tesela.asarray, (a, s, b))
            for got, want in ((tesela.solve(A, B), np.linalg.solve(a, b)), (tesela.solve(A.T, B), np.linalg.solve(a.T, b)),
                              (tesela.solve(A, b), np.linalg.solve(a, b)), (tesela.solve(A, B[:, 0]), np.linalg.solve(a, b[:, 0])),
                              (tesela.solve(A.H, B), np.linalg.solve(a.conj().T, b)),
                              (tesela.cholesky(S, lower=True), np.linalg.cholesky(s)),
                              (tesela.cho_solve(tesela.cho_factor(S), B), np.linalg.solve(s, b)),
                              (tesela.lu_solve(tesela.lu_factor(A), B), np.linalg.solve(a, b)), (tesela.inv(A), np.linalg.inv(a)),
                              (tesela.inv(A[3:9, 3:9]), np.linalg.inv(a[3:9, 3:9])),
                              (tesela.lstsq(A[:, :7], B)[0], np.linalg.lstsq(a[:, :7], b, rcond=None)[0]),
                              (tesela.solve_triangular(A, B, lower=True), np.linalg.solve(np.tril(a), b)),
                              (tesela.qr(A)[0] @ tesela.qr(A)[1], a), (tesela.lu(A)[0] @ tesela.lu(A)[1] @ tesela.lu(A)[2], a)):
                self.assertIsInstance(got, tesela.Matrix)
                self.close(got, want, dtype, 10)
            self.close(np.asarray(A), a, dtype)  # none was overwritten
            self.close(np.asarray(S), s, dtype)
            self.close(tesela.norm(A), np.linalg.norm(a), dtype)
            self.close(tesela.det(A / 10), np.linalg.det(a / 10), dtype, 10)
            L = tesela.cholesky(S, lower=True, overwrite_a=True)
            self.close(np.asarray(L), np.asarray(S), dtype)
            with self.assertRaises(tesela.LinAlgError):
                tesela.cholesky(-1 * tesela.eye(3, dtype))

    def test_options_on_a_matrix_made_before(self) -> None:
        with tesela.options(devices="host:1"):
            s = positive(100, "d")
            S = tesela.asarray(s)
        with tesela.options(tile=16, variant="ahead"):
            L = tesela.cholesky(S, lower=True)
        self.close(L, np.linalg.cholesky(s), "d")
        with tesela.options(devices="host"):
            other = tesela.asarray(s)
        self.assertRaises(ValueError, lambda: S @ other)

    def test_dlpack(self) -> None:
        for devices in ("host", "host:1"):
            with tesela.options(devices=devices):
                for dtype in TYPES:
                    a = random((5, 4), dtype)
                    m = tesela.asarray(a)
                    self.assertEqual(m.__dlpack_device__(), (1, 0))
                    for M, A in ((m, a), (m.T, a.T), (m[1:3, 2:], a[1:3, 2:]), (m[:, 1], a[:, 1]), (m[2], a[2]), (m.H, a.conj().T)):
                        np.testing.assert_array_equal(np.from_dlpack(M), A)
                    shared = np.from_dlpack(m)
                    del m
                    gc.collect()
                    np.testing.assert_array_equal(shared, a)
                    self.assertFalse(hasattr(tesela.asarray(a), "__cuda_array_interface__"))
        torch = need("torch")
        m = tesela.asarray(random((5, 4), "d"))
        t = torch.from_dlpack(m)
        m[2, 2] = 5
        self.assertEqual(t[2, 2].item(), 5)


if __name__ == "__main__":
    unittest.main()
