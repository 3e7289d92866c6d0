"""Stacks of eigenvalues, singular values and what follows from them: one call, the results of each matrix alone; and on a GPU nothing by way of the host."""

from __future__ import annotations

import sys
import types
import unittest
from typing import Any, Callable, Iterator
from unittest import mock

import numpy as np
from common import Case, positive, random

import tesela
from tesela import _eig, _factor, _functions, _products, _schur, _solve, _svd
from tesela._arrays import storage as _storage
from tesela._calls import context as _context
from tesela._many import stacks as _stacks
from tesela._many import call, spaces

Function = Callable[[Any, Any, Any], Any]


def put_together(T: Any, Z: Any) -> Any:
    """Z T Z^H: neither T nor Z is unique."""
    return Z @ T @ Z.conj().swapaxes(-1, -2)


def values() -> Iterator[tuple[str, Function]]:
    """Functions with unique results, of general matrices, definite ones and right-hand sides."""
    for UPLO in "LU":
        yield f"eigvalsh {UPLO}", lambda a, s, b: tesela.eigvalsh(s, UPLO=UPLO)
        yield f"eigh pair {UPLO}", lambda a, s, b: tesela.eigh(s, s @ s / 9, lower=UPLO == "L", eigvals_only=True)
    yield "eigvalsh some", lambda a, s, b: tesela.eigvalsh(s, subset_by_index=(1, 2))
    for output in ("real", "complex"):
        yield f"schur {output}", lambda a, s, b: put_together(*tesela.schur(a, output))
    yield "sqrtm", lambda a, s, b: tesela.sqrtm(s)
    yield "logm", lambda a, s, b: tesela.logm(s)
    for name in ("eigvals", "svdvals", "slogdet", "expm", "pinv", "matrix_rank", "cond", "det"):
        yield name, lambda a, s, b: getattr(tesela, name)(a)
    yield "cond -2", lambda a, s, b: tesela.cond(a, -2)
    for hermitian in (False, True):
        yield f"matrix_rank tol {hermitian}", lambda a, s, b: tesela.matrix_rank(s, 1.0, hermitian)
        yield f"pinv rtol {hermitian}", lambda a, s, b: tesela.pinv(s, rtol=1e-3, hermitian=hermitian)
        yield f"pinv atol {hermitian}", lambda a, s, b: tesela.pinv(s, atol=1e-3, hermitian=hermitian, return_rank=True)
        yield f"svd {hermitian}", lambda a, s, b: tesela.svd(s, compute_uv=False, hermitian=hermitian)
    for m, n in ((4, 4), (4, 3), (3, 4)):
        yield f"svd {m}x{n}", lambda a, s, b: tesela.svd(a[..., :m, :n], compute_uv=False)
        yield f"pinv {m}x{n}", lambda a, s, b: tesela.pinv(a[..., :m, :n])
        yield f"cond {m}x{n}", lambda a, s, b: tesela.cond(a[..., :m, :n])
        for how in ({}, {"lapack_driver": "gelsd"}, {"cond": 1e-3}):
            yield f"lstsq {m}x{n} {how}", lambda a, s, b: tesela.lstsq(a[..., :m, :n], b[..., :m, :], **how)[0]


class Spectra(Case):
    def alike(self, got: Any, want: Any, at: tuple[int, ...], dtype: str) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.alike(g, w, at, dtype)
        else:
            self.assertEqual(np.asarray(got).dtype.kind, np.asarray(want).dtype.kind)
            self.close(np.asarray(got)[at], want, dtype, 300)

    def test_as_one_by_one(self) -> None:
        forbidden = [mock.patch.object(module, "each", side_effect=AssertionError("one after the other")) for module in (_stacks, _eig, _svd, _schur, _functions)]
        for devices, dtype in self.everywhere():
            a, b = random((2, 3, 4, 4), dtype) + 2 * np.eye(4, dtype=dtype), random((3, 4, 2), dtype, 1)
            s = a @ a.conj().swapaxes(-1, -2)
            whole = np.broadcast_to(b, (2, 3, 4, 2))
            for name, f in values():
                for patch in forbidden:
                    patch.start()
                try:
                    got = f(a, s, b)
                finally:
                    for patch in forbidden:
                        patch.stop()
                for at in ((0, 1), (1, 2)):
                    with self.subTest(name, devices=devices, dtype=dtype, at=at):
                        self.alike(got, f(a[at], s[at], whole[at]), at, dtype)

    def test_vectors(self) -> None:
        for devices, dtype in self.everywhere():
            a = random((2, 3, 5, 5), dtype)
            s = a + a.conj().swapaxes(-1, -2)
            w, v = tesela.eigh(s)
            self.close(s @ v, v * w[..., None, :], dtype, 10)
            w, v = tesela.eigh(s, subset_by_index=(0, 1))
            self.assertEqual((w.shape, v.shape), ((2, 3, 2), (2, 3, 5, 2)))
            self.close(s @ v, v * w[..., None, :], dtype, 10)
            p = np.stack([positive(5, dtype, k) for k in range(3)])
            w, v = tesela.eigh(s, p)
            self.close(s @ v, p @ v * w[..., None, :], dtype, 30)
            w, l, r = tesela.eig(a, left=True)
            self.close(a @ r, r * w[..., None, :], dtype, 30)
            self.close(l.conj().swapaxes(-1, -2) @ a, w[..., :, None] * l.conj().swapaxes(-1, -2), dtype, 30)
            for x in (a, a[..., :3], a[..., :3, :]):
                for full in (True, False):
                    u, sv, vh = tesela.svd(x, full_matrices=full)
                    k = sv.shape[-1]
                    self.close(u[..., :k] * sv[..., None, :] @ vh[..., :k, :], x, dtype, 10)
                    self.assertEqual((u.shape, vh.shape), tuple(np.linalg.svd(x, full_matrices=full)[i].shape for i in (0, 2)))

    def test_of_hermitian_matrices(self) -> None:
        """By the lower triangle alone, of both signs and of any rank."""
        for devices, dtype in self.everywhere():
            a = random((2, 3, 5, 5), dtype)
            s = a + a.conj().swapaxes(-1, -2)
            s[0, 1, 2], s[0, 1, :, 2], s[1, 1] = 0, 0, 0
            half = np.tril(s)
            u, sv, vh = tesela.svd(half, hermitian=True)
            self.close(u * sv[..., None, :] @ vh, s, dtype, 10)
            for q in (u, vh):
                self.close(q @ q.conj().swapaxes(-1, -2), np.broadcast_to(np.eye(5), s.shape), dtype, 10)
            self.close(sv, np.linalg.svd(s, compute_uv=False), dtype, 10)
            self.close(tesela.svd(half, compute_uv=False, hermitian=True), sv, dtype, 10)
            want = np.linalg.pinv(s, 1e-3)
            x, rank = tesela.pinv(half, rtol=1e-3, hermitian=True, return_rank=True)
            self.close(x, want, dtype, 100)
            self.close(tesela.pinv(half, rtol=1e-3, hermitian=True), want, dtype, 100)
            self.assertEqual(rank.tolist(), [[5, 4, 5], [5, 0, 5]])
            self.assertEqual(tesela.matrix_rank(half, hermitian=True, rtol=1e-3).tolist(), rank.tolist())
        with self.assertRaises(ValueError):
            tesela.svd(np.ones((2, 3, 4)), hermitian=True)

    def test_any_rank(self) -> None:
        """A stack with a matrix that is not of full rank goes by singular values."""
        a, v = np.stack([np.eye(3), np.diag([1.0, 0, 2])]), np.ones(3)
        x, _, rank, s = tesela.lstsq(a, v)
        self.close(x, np.array([[1, 1, 1], [1, 0, 0.5]]), "d")
        self.assertEqual(rank.tolist(), [3, 2])
        self.assertRaisesRegex(tesela.LinAlgError, "matrix 1 of the stack", tesela.lstsq, a, v, lapack_driver="gels")
        roots = tesela.sqrtm(np.stack([np.eye(2), -np.eye(2)]))  # the second has no real one
        self.close(roots @ roots, np.stack([np.eye(2), -np.eye(2)]), "d")
        self.assertRaisesRegex(tesela.LinAlgError, "matrix 1 of the stack", tesela.logm, np.stack([np.eye(2), np.zeros((2, 2))]))
        for tol in (np.array([0.5, 1.5]), 0.5):
            self.assertEqual(tesela.matrix_rank(a, tol).tolist(), np.linalg.matrix_rank(a, tol).tolist())

    def test_one_is_wrong(self) -> None:
        a = np.stack([np.eye(3)] * 4)
        a[2, 1, 1] = np.nan
        for f in (tesela.eigh, tesela.svd, tesela.eig, tesela.pinv, lambda a, **how: tesela.svd(a, hermitian=True, **how), lambda a, **how: tesela.pinv(a, hermitian=True, **how)):
            self.assertRaises(ValueError, f, a)
            self.assertRaisesRegex(tesela.LinAlgError, "matrix 2 of the stack", f, a, check_finite=False)
        self.assertTrue(np.isnan(tesela.cond(a)[2]) and tesela.cond(a)[1] == 1)
        sign, logs = tesela.slogdet(np.stack([np.eye(2), np.zeros((2, 2)), [[0, 1], [1, 0]]]))
        self.assertEqual((sign.tolist(), logs.tolist()), ([1, 0, -1], [0, -np.inf, 0]))


class Fetched(Case):
    def test_few_numbers(self) -> None:
        """Of a matrix on a device of its own no more is fetched than a diagonal, singular values or pivots."""
        sizes: list[int] = []
        patches = []
        for module in (_eig, _svd, _functions, _solve, _factor, _products, _storage):
            if hasattr(module, "fetch"):
                patches.append(mock.patch.object(module, "fetch", side_effect=lambda m, f=module.fetch: (sizes.append(m.size), f(m))[1]))
        n = 40
        a, b = random((n, n), "d") + n * np.eye(n), random((n, 3), "d", 1)
        with tesela.options(devices="host:1"):
            A, S, B = tesela.asarray(a), tesela.asarray(a @ a.T), tesela.asarray(b)
            for patch in patches:
                patch.start()
            try:
                for f in (lambda: tesela.lstsq(A[:, :30], B), lambda: tesela.lstsq(A[:30], B[:30]), lambda: tesela.pinv(A), lambda: tesela.pinv(A, atol=1e-3, return_rank=True),
                          lambda: tesela.svd(A), lambda: tesela.eigh(S), lambda: tesela.solve(A, B), lambda: tesela.inv(A), lambda: tesela.qr(A), lambda: tesela.cholesky(S),
                          lambda: tesela.det(A), lambda: tesela.slogdet(A), lambda: tesela.lu(A), lambda: tesela.lu_factor(A), lambda: tesela.matrix_rank(A),
                          lambda: tesela.cond(A), lambda: tesela.expm(A), lambda: tesela.orth(A), lambda: tesela.norm(A, 2), lambda: tesela.sqrtm(S),
                          lambda: tesela.sqrtm(-1 * S), lambda: A.astype("D")):
                    f()
            finally:
                for patch in patches:
                    patch.stop()
        self.assertTrue(sizes)
        self.assertLessEqual(max(sizes), n)


class Elsewhere(np.lib.mixins.NDArrayOperatorsMixin):
    """An array that says it is on a GPU: its memory is the host's, and who makes it NumPy's trips."""

    def __init__(self, a: Any) -> None:
        self._a = a

    shape, ndim, dtype, flags, strides, itemsize = (property(lambda self, name=name: getattr(self._a, name))
                                                    for name in ("shape", "ndim", "dtype", "flags", "strides", "itemsize"))
    real, imag = (property(lambda self, name=name: Elsewhere(getattr(self._a, name)), lambda self, x, name=name: setattr(self._a, name, bare(x)))
                  for name in ("real", "imag"))
    device = types.SimpleNamespace(id=0)
    data = property(lambda self: types.SimpleNamespace(ptr=self._a.__array_interface__["data"][0]))

    def __array__(self, *args: Any, **how: Any) -> Any:
        raise AssertionError("a copy in the host's memory")

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **how: Any) -> Any:
        if "out" in how:
            how["out"] = tuple(bare(x) for x in how["out"])
        for x in inputs:
            if isinstance(x, np.ndarray) and x.ndim:
                raise AssertionError("an array of NumPy's beside one that is elsewhere")
        return there(getattr(ufunc, method)(*map(bare, inputs), **how))

    def __getattr__(self, name: str) -> Any:
        if name not in ("swapaxes", "reshape", "conj", "sum", "any", "all", "prod", "max", "min", "astype", "copy"):
            raise AttributeError(name)
        return lambda *args, **how: there(getattr(self._a, name)(*map(bare, args), **how))

    def __getitem__(self, key: Any) -> Any:
        return there(self._a[tuple(map(bare, key)) if isinstance(key, tuple) else bare(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self._a[tuple(map(bare, key)) if isinstance(key, tuple) else bare(key)] = bare(value)

    def __bool__(self) -> bool:
        return bool(self._a)


def bare(x: Any) -> Any:
    return x._a if isinstance(x, Elsewhere) else x


def there(x: Any) -> Any:
    return Elsewhere(np.asarray(x)) if isinstance(x, (np.ndarray, np.generic)) else x


class Library(types.ModuleType):
    """Stands for CuPy: NumPy's functions, on such arrays."""

    ndarray = Elsewhere
    asnumpy = staticmethod(bare)
    asarray = staticmethod(lambda a: there(np.array(bare(a))))
    cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=0))

    def __getattr__(self, name: str) -> Any:
        f = getattr(np, name)

        def call(*args: Any, **how: Any) -> Any:
            if name == "diagonal":
                return there(np.einsum("...ii->...i", bare(args[0])))
            return there(f(*map(bare, args), **{key: bare(value) for key, value in how.items()}))

        return call


class OnDevice(Case):
    def test_nothing_by_way_of_the_host(self) -> None:
        """Of arrays on a GPU: results are there, and no array of theirs is made NumPy's on the way."""
        host = _context.context("host")
        spaces.space.cache_clear()
        patches = [mock.patch.dict(sys.modules, {"cupy": Library("cupy")}), mock.patch.object(_context, "on_gpu", lambda gpu: host),
                   mock.patch.object(spaces.CuPy, "stream", lambda self, a: None), mock.patch.object(call, "again", lambda c, t, w: call.Store(c, t, None, True, False, w))]
        for patch in patches:
            patch.start()
        try:
            for dtype in "dF":
                a, b = random((2, 3, 4, 4), dtype) + 2 * np.eye(4, dtype=dtype), random((3, 4, 2), dtype, 1)
                s = a @ a.conj().swapaxes(-1, -2)
                A, S, B = Elsewhere(a), Elsewhere(s), Elsewhere(b)
                for name, f in (*values(), *self.others()):
                    with self.subTest(name, dtype=dtype):
                        if name.startswith("eigh pair"):
                            f = lambda a, s, b: tesela.eigh(s, s, eigvals_only=True)  # noqa: E731
                        self.same(f(A, S, B), f(a, s, b), dtype)
        finally:
            for patch in patches:
                patch.stop()
            spaces.space.cache_clear()

    def others(self) -> Iterator[tuple[str, Function]]:
        for lower in (False, True):
            yield "cholesky", lambda a, s, b: tesela.cholesky(s, lower)
            yield "cho_solve", lambda a, s, b: tesela.cho_solve(tesela.cho_factor(s, lower), b)
            yield "solve_triangular", lambda a, s, b: tesela.solve_triangular(a, b, lower=lower)
            for structure in ("pos", "sym", "her", "gen"):
                yield "solve", lambda a, s, b: tesela.solve(s, b, lower, assume_a=structure)
                yield "inv", lambda a, s, b: tesela.inv(s, assume_a=structure, lower=lower)
        yield "lu", lambda a, s, b: tesela.lu(a)
        yield "lu p", lambda a, s, b: tesela.lu(a, p_indices=True)
        yield "lu l", lambda a, s, b: tesela.lu(a, permute_l=True)
        yield "lu_solve", lambda a, s, b: tesela.lu_solve(tesela.lu_factor(a), b, 2)
        for mode in ("full", "economic", "r", "raw"):
            yield "qr", lambda a, s, b: tesela.qr(a[..., :3], mode=mode)
        yield "matmul", lambda a, s, b: tesela.matmul(a, b)
        yield "eigh", lambda a, s, b: tesela.eigh(s).eigenvalues
        yield "eig", lambda a, s, b: tesela.eig(a).eigenvalues
        yield "svd", lambda a, s, b: tesela.svd(a).S

    def same(self, got: Any, want: Any, dtype: str) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.same(g, w, dtype)
        elif isinstance(want, np.ndarray):
            self.assertIsInstance(got, Elsewhere)
            self.close(bare(got), want, dtype, 100)
        else:
            self.assertEqual(got, want)


if __name__ == "__main__":
    unittest.main()
