"""Arrays of others: PyTorch on the host, mapped files, whatever has DLPack; results of the same kind."""

from __future__ import annotations

import ctypes
import gc
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from common import Case, TYPES, need, positive, random

import tesela
from tesela._arrays.storage import address_of, by_rows


class OnlyDlpack:
    """An array that says nothing but where it is, not even its shape."""

    def __init__(self, a: np.ndarray[Any, Any]) -> None:
        self.a = a

    def __dlpack__(self, **how: Any) -> Any:
        return self.a.__dlpack__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.a.__dlpack_device__()


class Torch(Case):
    def test_host_tensors(self) -> None:
        torch = need("torch")
        for devices, dtype in self.everywhere():
            a, s, b = random((20, 20), dtype) + 6 * np.eye(20, dtype=dtype), positive(20, dtype), random((20, 3), dtype, 1)
            A, S, B = map(torch.from_numpy, (a, s, b))
            for got, want in ((tesela.solve(A, B), np.linalg.solve(a, b)), (tesela.solve(A.T, B[:, 0]), np.linalg.solve(a.T, b[:, 0])),
                              (tesela.cholesky(S, lower=True), np.linalg.cholesky(s)), (tesela.inv(A), np.linalg.inv(a)),
                              (tesela.matmul(A, B), a @ b), (tesela.lu_solve(tesela.lu_factor(A), B), np.linalg.solve(a, b)),
                              (tesela.solve(A, b), np.linalg.solve(a, b)), (tesela.matmul(A[::2, ::3], B[:7]), a[::2, ::3] @ b[:7]),
                              (tesela.matmul(A.mH, B), a.conj().T @ b), (tesela.matmul(B[:, 0], A), b[:, 0] @ a)):
                self.assertIsInstance(got, torch.Tensor)
                self.close(got.resolve_conj().numpy(), want, dtype)
            q, r = tesela.qr(A, mode="economic")
            self.close((q @ r).numpy(), a, dtype)
            self.close(tesela.norm(A), np.linalg.norm(a), dtype)
            np.testing.assert_array_equal(np.asarray(tesela.asarray(A)), a)
            f = tesela.cholesky(S, lower=True, overwrite_a=True)  # in place: no copy is made
            self.assertEqual(f.data_ptr(), S.data_ptr())
        parameter = torch.nn.Parameter(torch.eye(2), requires_grad=False)
        self.assertIsInstance(tesela.inv(parameter), torch.Tensor)
        for wrong in (torch.eye(2, dtype=torch.bfloat16), torch.eye(2, requires_grad=True)):
            self.assertRaisesRegex(TypeError, "^a: ", tesela.solve, wrong, torch.ones(2))
            self.assertRaisesRegex(TypeError, "^b: ", tesela.solve, torch.eye(2), wrong)
        self.assertRaisesRegex(ValueError, "sparse", tesela.solve, torch.eye(2).to_sparse(), torch.ones(2))

    def test_types(self) -> None:
        """As of NumPy's arrays: integers become double, half precision single."""
        torch = need("torch")
        a = np.array([[3, 1], [1, 2]])
        for name, want in (("int64", "d"), ("int32", "d"), ("int8", "d"), ("uint8", "d"), ("float16", "f")):
            A, B = torch.from_numpy(a).to(getattr(torch, name)), torch.ones(2)
            for got in (tesela.inv(A), tesela.matmul(A, A), tesela.solve(A, B), tesela.cholesky(A), tesela.asarray(A)):
                self.assertEqual(str(got.dtype).rpartition(".")[2], np.dtype(want).name)
            self.close(tesela.solve(A, B), np.linalg.solve(a, np.ones(2)), want)
            self.close(tesela.matmul(A, a), a @ a, want)
            self.close(tesela.inv(torch.stack([A, A]))[1], np.linalg.inv(a), want)
            keep = A.clone()
            tesela.inv(A, overwrite_a=True)  # which is no memory of the result
            self.assertTrue((A == keep).all())
        self.close(tesela.inv(torch.eye(2, dtype=torch.bool)), np.eye(2), "d")
        self.assertRaises(TypeError, tesela.matmul, A, A, out=torch.zeros((2, 2), dtype=torch.int64))

    def test_taken_over(self) -> None:
        """The memory itself, to be written by both."""
        torch = need("torch")
        for devices, dtype in self.everywhere():
            m = tesela.asarray(random((5, 3), dtype))
            t = torch.from_dlpack(m)
            t[2, 1] = 17
            m[0, 0] = 18
            self.assertEqual((m[2, 1], t[0, 0].item()), (17, 18))


class Jax(Case):
    def test_host_arrays(self) -> None:
        jax = need("jax")
        a, b = random((8, 8), "f") + 3 * np.eye(8, dtype="f"), random((8,), "f", 1)
        A, B = jax.numpy.asarray(a), jax.numpy.asarray(b)
        for got, want in ((tesela.solve(A, B), np.linalg.solve(a, b)), (tesela.inv(A), np.linalg.inv(a)), (tesela.matmul(A, A), a @ a)):
            self.assertIsInstance(got, jax.Array)
            self.close(got, want, "f")
        for dtype in "fF":
            a = random((7, 5), dtype)
            m = tesela.asarray(a)
            for M, want in ((m, a), (m.T, a.T), (m[1:4, 2:], a[1:4, 2:]), (m[0], a[0]), (m[:, 1], a[:, 1]), (m.H, a.conj().T), (by_rows(m), a)):
                np.testing.assert_array_equal(jax.numpy.from_dlpack(M), want)
        self.assertRaisesRegex(TypeError, "^a: ", tesela.inv, jax.numpy.eye(2, dtype="bfloat16"))
        self.close(tesela.inv(2 * jax.numpy.eye(2, dtype=int)), np.eye(2) / 2, "f")


class Others(Case):
    def test_dlpack(self) -> None:
        for dtype in TYPES:
            a = random((8, 8), dtype) + 3 * np.eye(8, dtype=dtype)
            self.close(tesela.inv(OnlyDlpack(a)), np.linalg.inv(a), dtype)
            np.testing.assert_array_equal(np.asarray(tesela.asarray(OnlyDlpack(a))), a)

            self.close(tesela.matmul(OnlyDlpack(a), OnlyDlpack(a)), a @ a, dtype)
            self.close(tesela.solve(OnlyDlpack(a), OnlyDlpack(a[0])), np.linalg.solve(a, a[0]), dtype)
            for part in (a, a[0]):
                self.close(tesela.norm(OnlyDlpack(part)), np.linalg.norm(part), dtype)
            self.assertRaises(ValueError, tesela.inv, OnlyDlpack(np.stack([a, a])))  # a stack says that it is one

    def test_versions(self) -> None:
        """Of the protocol: what the consumer asks for, by whatever arguments it knows."""
        name = ctypes.pythonapi.PyCapsule_GetName
        name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
        with tesela.options(devices="host"):
            m, z = tesela.asarray(random((5, 3), "d")), tesela.asarray(random((5, 3), "D"))
        for how, want in (({}, b"dltensor"), ({"max_version": None}, b"dltensor"), ({"max_version": (0, 8)}, b"dltensor"),
                          ({"max_version": (1, 0)}, b"dltensor_versioned"), ({"max_version": (2, 3), "copy": True}, b"dltensor_versioned"),
                          ({"stream": None, "dl_device": (1, 0), "copy": False}, b"dltensor")):
            self.assertEqual(name(m.__dlpack__(**how)), want)
        for how in ({"dl_device": (2, 0)}, {"dl_device": (8, 0)}):
            self.assertRaises(BufferError, lambda: m.__dlpack__(**how))
        self.assertRaises(BufferError, lambda: z.H.__dlpack__(copy=False))
        shared = np.from_dlpack(m)
        if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # before, NumPy takes all that comes by DLPack for constant
            shared[1, 2] = 17
            self.assertEqual(m[1, 2], 17)
            own = np.from_dlpack(m, copy=True)
            own[1, 2] = 18
            self.assertEqual(m[1, 2], 17)
            self.assertTrue(np.shares_memory(np.from_dlpack(m, copy=False), shared))
        m[0, 0] = 19
        self.assertEqual(shared[0, 0], 19)

    def test_of_both_forms(self) -> None:
        """A producer that knows versions, and one that does not."""
        from tesela._arrays import dlpack as _dlpack

        with tesela.options(devices="host"):
            m = tesela.asarray(random((4, 3), "d"))

        class Old:
            def __dlpack__(self, stream: Any = None) -> Any:
                return m.__dlpack__()

        for producer in (m, Old()):
            at = _dlpack.read(producer, -1)
            self.assertEqual((at.address, at.shape, at.strides, at.dtype), (m._address(), (4, 3), m._strides(), m.dtype))
        count = len(_dlpack._alive)
        del at
        gc.collect()
        self.assertEqual(len(_dlpack._alive), count - 1)

    def test_sparse(self) -> None:
        sparse = need("scipy.sparse")
        for kind in ("csr_matrix", "coo_matrix", "csr_array"):
            s = getattr(sparse, kind)(np.eye(3))
            for name, call in (("a", lambda: tesela.solve(s, np.ones(3))), ("b", lambda: tesela.solve(np.eye(3), s)), ("a", lambda: tesela.inv(s)),
                               ("b", lambda: tesela.matmul(np.eye(3), s)), ("a", lambda: tesela.asarray(s)), ("", lambda: tesela.eye(3) + s),
                               ("", lambda: tesela.eye(3).__setitem__(..., s)), ("a", lambda: tesela.norm(s)), ("a", lambda: tesela.det(s))):
                self.assertRaisesRegex(ValueError, f"^{name}.*sparse.*toarray", call)

    def test_strange_device(self) -> None:
        class Elsewhere(OnlyDlpack):
            def __dlpack_device__(self) -> tuple[int, int]:
                return 8, 0

        self.assertRaises(TypeError, tesela.inv, Elsewhere(np.eye(2)))


class Addresses(Case):
    def test_of_numpy(self) -> None:
        a = random((6, 7), "d")
        for b in (a, a.T, a[1:, 2:], a[::-1], a[:, 3], a[:0], np.matrix(a), a.astype("f").view(">f4")):
            self.assertEqual(address_of(b), b.__array_interface__["data"][0])


class Mapped(Case):
    def test_larger_than_memory(self) -> None:
        """A mapped file of 2 MB, in place, on devices with a memory of 1 MB."""
        n = 500
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.npy"
            s = positive(n, "d")
            for devices, order in (("host:1", "C"), ("host:2", "F")):
                a = np.lib.format.open_memmap(str(path), "w+", "d", (n, n), fortran_order=order == "F")
                a[:] = s
                with tesela.options(devices=devices, memory="1M"):
                    limit = tesela.devices()[0].limit
                    self.assertEqual(limit, 1 << 20)
                    f = tesela.cholesky(a, lower=True, overwrite_a=True)
                    self.assertTrue(np.shares_memory(f, a))
                    self.assertLessEqual(tesela.devices()[0].peak, limit)
                    want = np.linalg.cholesky(s)
                    self.close(f, want, "d", 10)
                    a.flush()
                    self.close(np.load(path), want, "d", 10)
                    b = random((n, 2), "d")
                    self.close(tesela.solve(s, b, assume_a="pos", lower=True), np.linalg.solve(s, b), "d", 10)
                    self.close(tesela.matmul(s[:, :300], s[:300]), s[:, :300] @ s[:300], "d", 10)
                    p, l, u = tesela.lu(s)
                    self.close(p @ l @ u, s, "d", 10)
                    q, r = tesela.qr(s)
                    self.close(q @ r, s, "d", 10)
                    self.close(tesela.solve(s, b), np.linalg.solve(s, b), "d", 10)
                    with self.assertRaises(MemoryError):
                        tesela.asarray(s)
                del a, f


if __name__ == "__main__":
    unittest.main()
