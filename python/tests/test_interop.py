"""Arrays of others: PyTorch on the host, mapped files, whatever has DLPack; results of the same kind."""

from __future__ import annotations

import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from common import Case, TYPES, need, positive, random

import tesela
from tesela._storage import address_of, by_rows


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
        self.assertRaises(TypeError, tesela.solve, torch.eye(2, dtype=torch.int64), torch.ones(2))
        self.assertRaises(TypeError, tesela.solve, torch.eye(2, dtype=torch.bfloat16), torch.ones(2))
        self.assertRaises(TypeError, tesela.solve, torch.eye(2, requires_grad=True), torch.ones(2))


class Jax(Case):
    def test_host_arrays(self) -> None:
        jax = need("jax")
        a, b = random((8, 8), "f") + 3 * np.eye(8, dtype="f"), random((8,), "f", 1)
        A, B = jax.numpy.asarray(a), jax.numpy.asarray(b)
        for got, want in ((tesela.solve(A, B), np.linalg.solve(a, b)), (tesela.inv(A), np.linalg.inv(a)), (tesela.matmul(A, A), a @ a)):
            self.assertIsInstance(got, jax.Array)
            self.close(got, want, "f")
        self.close(jax.dlpack.from_dlpack(by_rows(tesela.asarray(A))), a, "f")


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
