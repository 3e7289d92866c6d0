"""Tensors on a GPU: in place, on their stream, results beside them."""

from __future__ import annotations

import os
import unittest
from typing import Any, Iterator

import numpy as np
import test_elements
from common import TYPES, positive, random
from gpu import OnGpu

import tesela


class OnlyInterface:
    """An array that has nothing but __cuda_array_interface__."""

    def __init__(self, t: Any, stream: Any = None) -> None:
        self.keep = t
        self.shape = tuple(t.shape)
        self.dtype = np.dtype(str(t.dtype).partition(".")[2])
        self.__cuda_array_interface__ = {**t.__cuda_array_interface__, "version": 3, "stream": stream}


class OnlyDlpack:
    def __init__(self, t: Any) -> None:
        self.t = t
        self.shape = tuple(t.shape)
        self.dtype = np.dtype(str(t.dtype).partition(".")[2])

    def __dlpack__(self, stream: Any = None) -> Any:
        return self.t.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> Any:
        return self.t.__dlpack_device__()


class Gpu(OnGpu):
    def test_stacks_there(self) -> None:
        """Every function of stacks on the GPU in one call: the results of the host."""
        from unittest import mock

        import test_stacks_spectra
        from tesela import _eig, _functions, _schur, _svd
        from tesela._many import stacks as _stacks

        forbidden = [mock.patch.object(module, "each", side_effect=AssertionError("one after the other")) for module in (_stacks, _eig, _svd, _schur, _functions)]
        for dtype in TYPES:
            a, b = random((2, 3, 4, 4), dtype) + 2 * np.eye(4, dtype=dtype), random((3, 4, 2), dtype, 1)
            s = a @ a.conj().swapaxes(-1, -2)
            for patch in forbidden:
                patch.start()
            try:
                for name, f in (*test_stacks_spectra.values(), *test_stacks_spectra.OnDevice("others").others()):
                    with self.subTest(name, dtype=dtype):
                        self.on_gpu_stacks(f(*map(self.there, (a, s, b))), f(a, s, b), dtype)
            finally:
                for patch in forbidden:
                    patch.stop()

    def on_gpu_stacks(self, got: Any, want: Any, dtype: str) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.on_gpu_stacks(g, w, dtype)
        elif isinstance(want, np.ndarray):
            self.same(got, want, dtype, 300)
        else:
            self.assertEqual(got, want)

    def test_functions(self) -> None:
        for dtype in TYPES:
            n = 300
            a, s, b = random((n, n), dtype) + 40 * np.eye(n, dtype=dtype), positive(n, dtype), random((n, 3), dtype, 1)
            A, S, B = map(self.there, (a, s, b))
            for got, want in ((tesela.solve(A, B), np.linalg.solve(a, b)), (tesela.solve(A.T, B[:, 0]), np.linalg.solve(a.T, b[:, 0])),
                              (tesela.solve(S, B, assume_a="pos"), np.linalg.solve(s, b)), (tesela.inv(A), np.linalg.inv(a)),
                              (tesela.cholesky(S, lower=True), np.linalg.cholesky(s)),
                              (tesela.cholesky(S), np.linalg.cholesky(s).conj().T),
                              (tesela.cho_solve(tesela.cho_factor(S), B), np.linalg.solve(s, b)),
                              (tesela.lu_solve(tesela.lu_factor(A), B), np.linalg.solve(a, b)),
                              (tesela.solve_triangular(A, B, lower=True), np.linalg.solve(np.tril(a), b)),
                              (tesela.lstsq(A[:, :50], B)[0], np.linalg.lstsq(a[:, :50], b, rcond=None)[0]),
                              (tesela.matmul(A, B), a @ b), (tesela.matmul(A, A.T), a @ a.T),
                              (tesela.matmul(A.T, A.T), a.T @ a.T), (tesela.matmul(A.mH, B), a.conj().T @ b),
                              (tesela.matmul(A[::2, ::3], B[:100]), a[::2, ::3] @ b[:100]), (tesela.matmul(A, B[:, 1]), a @ b[:, 1]),
                              (tesela.matmul(B[:, 1], A), b[:, 1] @ a),
                              (tesela.solve(self.torch.stack([A, S]), B)[1], np.linalg.solve(s, b))):
                self.same(got, want, dtype, 10)
            for mode in ("full", "economic"):
                q, r = tesela.qr(A[:, :70], mode=mode)
                self.same(q @ r, a[:, :70], dtype, 10)
            h = (a + a.conj().T) / 2
            H = self.there(h)
            w, v = tesela.eigh(H)
            self.same(w, np.linalg.eigvalsh(h), dtype, 10)
            self.same(H @ v, (v * w).cpu().numpy(), dtype, 10)
            w, v = tesela.eigh(H, S, subset_by_index=[0, 9])
            self.same(H @ v, (S @ (v * w)).cpu().numpy(), dtype, 10)
            p, l, u = tesela.lu(A)
            self.same(p.to(l.dtype) @ l @ u, a, dtype, 10)
            self.close(tesela.norm(A), np.linalg.norm(a), dtype)
            self.close(tesela.det(A / 40), np.linalg.det(a / 40), dtype, 100)
            self.same(A, a, dtype)  # nothing was overwritten
            self.assertRaises(tesela.LinAlgError, tesela.cholesky, -S)
            self.assertRaises(tesela.LinAlgError, tesela.solve, 0 * A, B)
            self.assertRaises(ValueError, tesela.solve, A * float("nan"), B)
            kept = S.data_ptr()
            self.assertEqual(tesela.cholesky(S, lower=True, overwrite_a=True).data_ptr(), kept)

    def test_complex_roots(self) -> None:
        """Of a real matrix whose root is complex: computed, and left, on the GPU."""
        s = positive(30, "d")
        root = tesela.sqrtm(self.there(-s))
        self.same(root @ root, -s.astype("D"), "D", 100)

    def test_types(self) -> None:
        """Integers become double, on the GPU."""
        torch, a = self.torch, np.array([[3, 1], [1, 2]])
        A = self.there(a)
        for name in ("int64", "int32", "uint8", "bool", "float16"):
            want = "f" if name == "float16" else "d"
            got = tesela.matmul(A.to(getattr(torch, name)), A.to(getattr(torch, name)))
            self.assertEqual(got.dtype, torch.float32 if want == "f" else torch.float64)
            self.same(got, np.ones((2, 2)) @ np.ones((2, 2)) if name == "bool" else a @ a, want)
        self.same(tesela.solve(A, A[0]), np.linalg.solve(a, a[0]), "d")

    def test_dlpack_to_the_host(self) -> None:
        a = random((5, 3), "D")
        m = tesela.asarray(self.there(a))
        for M, want in ((m, a), (m.H, a.conj().T), (m[1:3], a[1:3])):
            class There:
                def __dlpack__(self, **how: Any) -> Any:
                    return M.__dlpack__(dl_device=(1, 0))

                def __dlpack_device__(self) -> tuple[int, int]:
                    return 1, 0

            np.testing.assert_array_equal(np.from_dlpack(There()), want)
        self.assertRaises(BufferError, lambda: m.__dlpack__(dl_device=(1, 0), copy=False))

    def test_others(self) -> None:
        for dtype in TYPES:
            a = random((200, 200), dtype) + 30 * np.eye(200, dtype=dtype)
            A = self.there(a)
            stream = self.torch.cuda.current_stream().cuda_stream or 1
            for other in (OnlyInterface(A), OnlyInterface(A, stream), OnlyDlpack(A), OnlyDlpack(A.T.contiguous().T)):
                got = tesela.inv(other)
                self.assertIsInstance(got, tesela.Matrix)
                self.close(np.asarray(got), np.linalg.inv(a), dtype)
                self.same(self.torch.from_dlpack(got), np.linalg.inv(a), dtype)

    def test_matrices(self) -> None:
        for dtype in TYPES:
            a = random((100, 80), dtype)
            A = self.there(a)
            m = tesela.asarray(A)  # the same memory
            self.assertEqual(m._address(), A.data_ptr())
            self.close(np.asarray(m.H @ m), a.conj().T @ a, dtype)
            A[3, 4] = 7
            self.torch.cuda.synchronize()
            self.assertEqual(m[3, 4], 7)
            own = tesela.asarray(a)
            for M, want in ((own, a), (own.T, a.T), (own[2:9, 3:], a[2:9, 3:]), (own.H, a.conj().T)):
                self.same(self.torch.from_dlpack(M), want, dtype)
            self.same(self.torch.as_tensor(own, device="cuda"), a, dtype)
            t = self.torch.from_dlpack(own)
            del own
            self.same(t, a, dtype)

    def test_addresses_again(self) -> None:
        """Memory that PyTorch hands out once more, of other shapes, orders and types, and more of them than are remembered."""
        for turn in range(2):
            for n in range(1, 120):
                dtype = TYPES[n % 4]
                a, b = random((n, 3), dtype, turn), random((3, n), dtype, turn + 1)
                A, B = self.there(a), self.there(b)
                self.same(tesela.matmul(A, B), a @ b, dtype, 10)
                self.same(tesela.matmul(B.T, A.T), b.T @ a.T, dtype, 10)

    def test_streams(self) -> None:
        """What is still being computed when the call is made, and what uses the result at once: no wait but on the stream."""
        torch, n = self.torch, 2048
        x = torch.randn(n, n, dtype=torch.float64, device="cuda")
        busy = torch.randn(8192, 8192, device="cuda")
        torch.cuda.synchronize()
        for stream in (torch.cuda.current_stream(), torch.cuda.Stream(), torch.cuda.Stream()):
            with torch.cuda.stream(stream):
                for i in range(4):
                    late = torch.zeros_like(x)
                    for _ in range(4):
                        busy @ busy
                    late.copy_(x)  # zeros, until all that is done
                    late.mul_(i + 1)
                    product = tesela.matmul(late, x)
                    sum_ = product + 1
                    for _ in range(4):
                        busy @ busy
                    late.mul_(2)
                    steps = tesela.matmul(late[:, ::2], x[::2])  # of elements in no order, which PyTorch copies first
                    late.zero_()
                    error = (sum_ - 1 - (i + 1) * (x @ x)).abs().max()
                    self.assertLess(error.item(), 1e-9)
                    error = (steps - 2 * (i + 1) * (x[:, ::2] @ x[::2])).abs().max()
                    self.assertLess(error.item(), 1e-9)

    def test_kinds_together(self) -> None:
        """Each kind's own work goes before the call, and the call before what comes after; with a Matrix the result is one that lasts."""
        from tesela._arrays.places import Call

        a, b = random((200, 200), "d") + 30 * np.eye(200), random((200, 3), "d", 1)
        A, B, M = self.there(a), self.there(b), tesela.asarray(a)
        x, stream = np.linalg.solve(a, b), int(self.torch.cuda.current_stream().cuda_stream)
        for other in (OnlyDlpack(B), OnlyInterface(B)):
            self.same(tesela.solve(A, other), x, "d")
            self.close(np.asarray(tesela.solve(M, other)), x, "d")
            for operands in ((A, other), (other, A)):
                with Call(*operands) as c:
                    self.assertEqual((c._streams, c._waits, c._late), ([stream], True, False))
        with Call(A, B) as c:
            self.assertEqual((c._streams, c._waits, c._late), ([stream], False, True))
        for overwrite in (False, True):
            X = tesela.solve(M, B.T.contiguous().T, overwrite_b=overwrite)
            self.assertIsInstance(X, tesela.Matrix)
            self.assertFalse(X._store.late)
            self.close(np.asarray(X), x, "d")

    def test_out(self) -> None:
        torch = self.torch
        a, b = random((40, 50), "d"), random((50, 60), "d", 1)
        A, B, want = self.there(a), self.there(b), a @ b
        for out in (torch.zeros(40, 60, dtype=torch.float64, device="cuda"), torch.zeros(60, 40, device="cuda").T,
                    torch.zeros(80, 120, dtype=torch.float64, device="cuda")[::2, ::2], torch.zeros(80, 120, device="cuda")[::2, ::2]):
            for left, right in ((A, B), (tesela.asarray(a), tesela.asarray(b))):
                out.zero_()
                self.assertIs(tesela.matmul(left, right, out=out), out)
                self.same(out, want, "f")
        for host in (np.zeros((40, 60)), np.zeros((80, 60), "f")[::2]):
            tesela.matmul(A, B, out=host)
            self.close(host, want, "f")
        there = tesela.zeros((40, 60), "f")
        tesela.matmul(A, B, out=there)
        self.close(there, want, "f")
        self.assertRaises(TypeError, tesela.matmul, A, B, out=torch.zeros(40, 60, dtype=torch.int32, device="cuda"))
        with tesela.options(devices="host"):
            self.assertRaises(ValueError, tesela.matmul, a, b, out=out)

    def test_memory(self) -> None:
        """A product of tensors moves nothing to the library's memory."""
        torch = self.torch
        a = torch.randn(4096, 4096, dtype=torch.float64, device="cuda")
        tesela.matmul(a, a)
        before = tesela.devices()[0].used
        tesela.matmul(a, a.T)
        self.assertLess(tesela.devices()[0].used - before, 1 << 20)

    def test_host_data(self) -> None:
        for dtype in TYPES:
            n = 1000 if dtype == "D" else 600
            a, s, b = random((n, n), dtype) + 60 * np.eye(n, dtype=dtype), positive(n, dtype), random((n, 3), dtype, 1)
            for order in "CF":
                A = np.array(a, order=order)
                self.close(tesela.solve(A, b), np.linalg.solve(a, b), dtype, 10)
                q, r = tesela.qr(A)
                self.close(q @ r, a, dtype, 10)
                self.close(tesela.inv(A), np.linalg.inv(a), dtype, 10)
                limits = (("cuda:0", "8M"), ("cuda:0x2", "16M")) if dtype == "D" else ((None, None),)  # too small for it
                for devices, memory in limits:
                    with tesela.options(devices=devices, memory=memory):
                        for overwrite in (False, True):
                            got = tesela.cholesky(np.array(s, order=order), lower=True, overwrite_a=overwrite)
                            self.close(got, np.linalg.cholesky(s), dtype, 10)

    def test_fork(self) -> None:
        tesela.matmul(self.there(np.eye(3)), self.there(np.eye(3)))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                with tesela.options(devices="host"):
                    good = abs(tesela.solve(2 * np.eye(3), np.ones(3)) - 0.5).max() < 1e-12
                try:
                    tesela.asarray(np.eye(3))
                except tesela.Error as error:
                    code = 0 if good and "forked" in str(error) else 1
            finally:
                os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class _OnGpu:
    """The tests of elements, of matrices on a GPU."""

    @classmethod
    def setUpClass(cls) -> None:
        if tesela.devices()[0].backend != "cuda":
            raise unittest.SkipTest("no GPU here")

    def everywhere(self) -> Iterator[tuple[str, str]]:
        for dtype in TYPES:
            with tesela.options(devices="cuda:0"):
                yield "cuda:0", dtype


class Indices(_OnGpu, test_elements.Indices):
    pass


class Compared(_OnGpu, test_elements.Compared):
    pass


class Copied(_OnGpu, test_elements.Copied):
    pass


class Elements(_OnGpu, test_elements.Elements):
    pass


if __name__ == "__main__":
    unittest.main()
