"""CuPy's arrays on a GPU: one matrix and stacks, results beside them, on CuPy's current stream, and nothing but a few numbers by way of the host."""

from __future__ import annotations

import contextlib
import unittest
from typing import Any, Iterator
from unittest import mock

import numpy as np
import test_stacks_spectra
from common import TYPES, Case, need, positive, random

import tesela


class CuPy(Case):
    cupy: Any

    @classmethod
    def setUpClass(cls) -> None:
        cls.cupy = need("cupy")
        try:
            there = cls.cupy.cuda.runtime.getDeviceCount()
        except cls.cupy.cuda.runtime.CUDARuntimeError:
            there = 0
        if not there:
            raise unittest.SkipTest("no GPU here")

    def there(self, a: Any) -> Any:
        return self.cupy.asarray(a)

    def same(self, got: Any, want: Any, dtype: str, scale: float = 300) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.same(g, w, dtype, scale)
        elif isinstance(want, np.ndarray):
            self.assertIsInstance(got, self.cupy.ndarray)
            self.close(got.get(), want, dtype, scale)
        elif isinstance(want, np.generic):
            self.close(np.asarray(got.get() if isinstance(got, self.cupy.ndarray) else got), want, dtype, scale)
        else:
            self.assertEqual(got, want)

    @contextlib.contextmanager
    def watched(self) -> Iterator[list[int]]:
        """The sizes of arrays that are brought to the host's memory."""
        sizes: list[int] = []
        fetch, get = self.cupy.asnumpy, self.cupy.ndarray.get

        def asnumpy(a: Any, *args: Any, **how: Any) -> Any:
            if isinstance(a, self.cupy.ndarray):
                sizes.append(a.size)
            return fetch(a, *args, **how)

        def fetched(a: Any, *args: Any, **how: Any) -> Any:
            sizes.append(a.size)
            return get(a, *args, **how)

        with mock.patch.object(self.cupy, "asnumpy", asnumpy):
            try:
                with mock.patch.object(self.cupy.ndarray, "get", fetched):
                    yield sizes
            except TypeError:  # a type whose functions cannot be replaced: asnumpy alone is looked at
                yield sizes

    def functions(self) -> list[Any]:
        return [*test_stacks_spectra.values(), *test_stacks_spectra.OnDevice("others").others()]

    def test_watching(self) -> None:
        """The tripwire trips."""
        with self.watched() as sizes:
            self.cupy.asnumpy(self.there(np.zeros((3, 4))))
        self.assertIn(12, sizes)

    def test_stacks(self) -> None:
        """Every function of stacks, in one call, with no matrix fetched."""
        from tesela import _eig, _functions, _schur, _svd
        from tesela._many import stacks

        with contextlib.ExitStack() as patches:
            for module in (stacks, _eig, _svd, _schur, _functions):
                patches.enter_context(mock.patch.object(module, "each", side_effect=AssertionError("one after the other")))
            for dtype in TYPES:
                a, b = random((2, 3, 4, 4), dtype) + 2 * np.eye(4, dtype=dtype), random((3, 4, 2), dtype, 1)
                s = a @ a.conj().swapaxes(-1, -2)
                A, S, B = map(self.there, (a, s, b))
                for name, f in self.functions():
                    with self.subTest(name, dtype=dtype):
                        with self.watched() as sizes:
                            got = f(A, S, B)
                        self.assertLess(max(sizes, default=0), a.size // 2)
                        self.same(got, f(a, s, b), dtype)

    def test_one_matrix(self) -> None:
        for dtype in TYPES:
            n = 200
            a, s, b = random((n, n), dtype) + 30 * np.eye(n, dtype=dtype), positive(n, dtype), random((n, 3), dtype, 1)
            A, S, B = map(self.there, (a, s, b))
            with self.watched() as sizes:
                found = (tesela.solve(A, B), tesela.solve(A.T, B[:, 0]), tesela.inv(A), tesela.cholesky(S, lower=True), tesela.lu_solve(tesela.lu_factor(A), B),
                         tesela.solve_triangular(A, B, lower=True), tesela.lstsq(A[:, :50], B)[0], tesela.pinv(A[:, :50]), tesela.matmul(A, B),
                         tesela.eigvalsh(S), tesela.svdvals(A[:, :50]), tesela.expm(A / 100))
                q, r = tesela.qr(A[:, :70], mode="economic")
                w, v = tesela.eigh(S)
                u, x, vh = tesela.svd(A[:, :40], full_matrices=False)
            self.assertLess(max(sizes, default=0), n * n // 8)
            scale = float(np.abs(np.linalg.eigvalsh(s)).max())
            wanted = (np.linalg.solve(a, b), np.linalg.solve(a.T, b[:, 0]), np.linalg.inv(a), np.linalg.cholesky(s), np.linalg.solve(a, b), np.linalg.solve(np.tril(a), b),
                      np.linalg.lstsq(a[:, :50], b, rcond=None)[0], np.linalg.pinv(a[:, :50]), a @ b, np.linalg.eigvalsh(s), np.linalg.svd(a[:, :50], compute_uv=False))
            for got, want in zip(found, wanted):
                self.same(got, want.astype(want.dtype), dtype)
            self.same(found[-1] @ tesela.expm(-A / 100), np.eye(n, dtype=dtype), dtype)
            self.same(q @ r, a[:, :70], dtype)
            self.same(S @ v / scale, (v * w).get() / scale, dtype)
            self.same((u * x) @ vh, a[:, :40], dtype)
            self.same(A, a, dtype)  # nothing was overwritten
            self.assertRaises(tesela.LinAlgError, tesela.cholesky, -S)
            self.assertRaises(tesela.LinAlgError, tesela.solve, 0 * A, B)
            self.assertRaises(ValueError, tesela.solve, A * float("nan"), B)

    def test_orders(self) -> None:
        """By rows, by columns, blocks and steps of arrays."""
        a = random((3, 40, 40), "d") + 9 * np.eye(40)
        A = self.there(a)
        for seen, want in ((A.swapaxes(1, 2), a.swapaxes(1, 2)), (A[:, 5:30, 5:30], a[:, 5:30, 5:30]), (A[:, ::2, ::2], a[:, ::2, ::2]), (A[::-1], a[::-1]),
                           (self.cupy.asfortranarray(A[0]), a[0]), (A[1, 3:20, 3:20], a[1, 3:20, 3:20])):
            self.same(tesela.inv(seen), np.linalg.inv(want), "d")

    def test_memory_is_shared(self) -> None:
        a = random((30, 20), "d")
        A = self.there(a)
        m = tesela.asarray(A)
        self.assertEqual(m._address(), A.data.ptr)
        self.close(np.asarray(m.T @ m), a.T @ a, "d")
        self.same(self.cupy.from_dlpack(m), a, "d")
        self.same(self.cupy.asarray(m), a, "d")

    def test_streams(self) -> None:
        """What is still being computed when the call is made, and what uses the result at once: the call has its place on CuPy's current stream."""
        cupy, n = self.cupy, 1024
        x = cupy.random.standard_normal((n, n)) + 60 * cupy.eye(n)
        busy = cupy.random.standard_normal((6144, 6144), dtype=cupy.float32)
        stack = cupy.random.standard_normal((500, 16, 16)) + 9 * cupy.eye(16)
        product, inverses = x @ x, cupy.linalg.inv(stack)
        cupy.cuda.Device().synchronize()
        for stream in (cupy.cuda.Stream.null, cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)):
            with stream:
                for i in range(3):
                    late, many = cupy.zeros_like(x), cupy.zeros_like(stack) + cupy.eye(16)
                    for _ in range(3):
                        busy @ busy
                    late[...] = x  # zeros, until all that is done
                    many[...] = stack
                    got, more = tesela.matmul(late, x) + i, tesela.inv(many) * (i + 1)
                    late[...] = 0
                    many[...] = 0
                    self.assertLess(float(abs(got - i - product).max()), 1e-8)
                    self.assertLess(float(abs(more / (i + 1) - inverses).max()), 1e-9)

    def test_memory(self) -> None:
        """Thousands of calls leave nothing behind."""
        a = self.there(random((20, 20), "d") + 9 * np.eye(20))
        stack = self.there(random((7, 6, 6), "d") + 9 * np.eye(6))
        before: tuple[int, ...] = ()
        for turn in range(3000):
            tesela.solve(a, a[:, 0])
            tesela.inv(stack)
            if turn == 1000:
                before = (self.cupy.get_default_memory_pool().used_bytes(), tesela.devices()[0].used)
        for now, then in zip((self.cupy.get_default_memory_pool().used_bytes(), tesela.devices()[0].used), before):
            self.assertLess(now - then, 1 << 20)


if __name__ == "__main__":
    unittest.main()
