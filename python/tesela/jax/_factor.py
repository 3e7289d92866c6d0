"""Factorizations: Cholesky, LU, QR."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ._call import (Shape, adjoint, call, diagonal, good, inexact, integers, low, matrices, mm, no_tangent, on_diagonal, symmetric)
from ._triangles import columns, triangular


class QRResult(NamedTuple):
    Q: Any
    R: Any


# ---- Cholesky


@jax.custom_jvp
def _cholesky(a: Any) -> Any:
    if not a.shape[-1]:
        return a
    f, infos = call("potrf", "L", (a,), (integers(*a.shape[:-2]),))
    return good(infos, jnp.tril(f))


@_cholesky.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """A = L L^H: with Phi the lower triangle, its diagonal halved, dL = L Phi(L^-1 dA L^-H)."""
    L = _cholesky(*primals)
    half = triangular(L, symmetric(tangents[0]), True)
    inner = adjoint(triangular(L, adjoint(half), True))
    return L, mm(L, jnp.tril(inner) - on_diagonal(diagonal(inner)) / 2)


@functools.partial(jax.jit, static_argnames=("upper", "symmetrize_input"))
def cholesky(a: Any, *, upper: bool = False, symmetrize_input: bool = True) -> Any:
    a = matrices("cholesky", a, square=True)
    a = symmetric(a) if symmetrize_input else adjoint(a) if upper else a
    L = _cholesky(a)
    return adjoint(L) if upper else L


@functools.partial(jax.jit, static_argnames=("lower", "overwrite_a", "check_finite"))
def _cho_factor(a: Any, lower: bool, overwrite_a: bool, check_finite: bool) -> Any:
    a = matrices("cho_factor", a, square=True)
    L = _cholesky(a if lower else adjoint(a))
    return L if lower else adjoint(L)


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    return _cho_factor(a, bool(lower), False, False), lower


@functools.partial(jax.jit, static_argnums=1)
def _cho_solve(c: Any, lower: bool, b: Any) -> Any:
    c, b = inexact("cho_solve", c, b)
    b, vector = columns("cho_solve", c, b)
    first, second = ("N", "C") if lower else ("C", "N")
    x = triangular(c, triangular(c, b, lower, first), lower, second)
    return x[..., 0] if vector else x


def cho_solve(c_and_lower: Any, b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    c, lower = c_and_lower
    return _cho_solve(c, bool(lower), b)


# ---- LU


def factored(a: Any) -> tuple[Any, Any, Any]:
    """LU, pivots as the library has them, and infos, without derivatives."""
    n = min(a.shape[-2:])
    f, infos, pivots = call("getrf", "", (a,), (integers(*a.shape[:-2]), integers(*a.shape[:-2], n)))
    return f, pivots, infos


@jax.custom_jvp
def _lu(a: Any) -> tuple[Any, Any, Any]:
    """LU, pivots from 0, and the row of A that each row of LU comes from."""
    if 0 in a.shape[-2:]:
        rows = jnp.broadcast_to(jnp.arange(a.shape[-2], dtype=jnp.int32), a.shape[:-1])
        return a, jnp.zeros((*a.shape[:-2], 0), jnp.int32), rows
    f, pivots, _ = factored(a)
    p = low(pivots) - 1
    return f, p, lax.linalg.lu_pivots_to_permutation(p, a.shape[-2])


def _parts(f: Any) -> tuple[Any, Any]:
    m, n = f.shape[-2:]
    k = min(m, n)
    return jnp.tril(f[..., :k], -1) + jnp.eye(m, k, dtype=f.dtype), jnp.triu(f[..., :k, :])


@_lu.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """P A = L U. With F = L1^-1 (P dA)1 U1^-1 of the leading square: dL1 = L1 tril(F, -1), dU1 = triu(F) U1; the rest of L and U follow."""
    (a,), (da,) = primals, tangents
    f, p, rows = _lu(a)
    (m, n), k = a.shape[-2:], min(a.shape[-2:])
    x = jnp.take_along_axis(da, rows[..., None], -2)
    L, U = _parts(f)
    L1, U1 = L[..., :k, :], U[..., :k]
    inner = _over(triangular(L1, x[..., :k, :k], True, unit=True), U1)
    dL = mm(L1, jnp.tril(inner, -1))
    dU = mm(jnp.triu(inner), U1)
    if m > k:
        dL = jnp.concatenate([dL, _over(x[..., k:, :k] - mm(L[..., k:, :], dU), U1)], -2)
    if n > k:
        dU = jnp.concatenate([dU, triangular(L1, x[..., k:] - mm(dL, U[..., k:]), True, unit=True)], -1)
    whole = jnp.concatenate([dL, jnp.zeros((*a.shape[:-2], m, n - k), a.dtype)], -1) + jnp.concatenate([dU, jnp.zeros((*a.shape[:-2], m - k, n), a.dtype)], -2)
    return (f, p, rows), (whole, no_tangent(p), no_tangent(rows))


def _over(b: Any, u: Any) -> Any:
    """b U^-1"""
    return triangular(u, b.mT, False, "T").mT


@functools.partial(jax.jit, static_argnames=("permute_l", "overwrite_a", "check_finite"))
def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    a = matrices("lu", a)
    f, _, rows = _lu(a)
    L, U = _parts(f)
    P = (jnp.arange(a.shape[-2], dtype=rows.dtype)[:, None] == rows[..., None, :]).astype(jnp.finfo(a.dtype).dtype)
    if permute_l:
        return mm(P.astype(a.dtype), L), U
    return P, L, U


@functools.partial(jax.jit, static_argnames=("overwrite_a", "check_finite"))
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return _lu(matrices("lu_factor", a))[:2]


@functools.partial(jax.jit, static_argnames=("trans", "overwrite_b", "check_finite"))
def lu_solve(lu_and_piv: Any, b: Any, trans: int = 0, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    f, pivots = lu_and_piv
    f, b = inexact("lu_solve", f, b)
    if trans not in (0, 1, 2) or f.ndim < 2 or f.shape[-1] != f.shape[-2]:
        raise ValueError(f"tesela.jax.lu_solve: the factors are {f.shape}, trans={trans!r}")
    b, vector = columns("lu_solve", f, b)
    rows = lax.linalg.lu_pivots_to_permutation(jnp.asarray(pivots, jnp.int32), f.shape[-1])
    stack = jnp.broadcast_shapes(b.shape[:-2], f.shape[:-2])
    b, rows = jnp.broadcast_to(b, stack + b.shape[-2:]), jnp.broadcast_to(rows, stack + rows.shape[-1:])
    if trans == 0:
        b = jnp.take_along_axis(b, rows[..., None], -2)
        x = triangular(f, triangular(f, b, True, unit=True), False)
    else:
        op = "T" if trans == 1 else "C"
        x = triangular(f, triangular(f, b, False, op), True, op, unit=True)
        x = jnp.take_along_axis(x, jnp.argsort(rows, -1)[..., None], -2)
    return x[..., 0] if vector else x


# ---- QR


def _geqrf(a: Any) -> Any:
    return call("geqrf", "", (a,), (Shape((*a.shape[:-2], min(a.shape[-2:])), a.dtype),))


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _qr(a: Any, complete: bool) -> tuple[Any, Any]:
    m, n = a.shape[-2:]
    k = m if complete else min(m, n)
    if 0 in a.shape[-2:]:
        return jnp.broadcast_to(jnp.eye(m, k, dtype=a.dtype), (*a.shape[:-2], m, k)), a[..., :k, :]
    f, tau = _geqrf(a)
    R = jnp.triu(f[..., :k, :])
    if k > n:
        f = jnp.concatenate([f, jnp.zeros((*f.shape[:-1], k - n), f.dtype)], -1)
    return call("orgqr", "", (f[..., :k], tau), ())[0], R


@_qr.defjvp
def _(complete: bool, primals: Any, tangents: Any) -> Any:
    """X = dA R^-1, Y = Q^H X of the leading columns: dQ = X + Q (W - Y), dR = (Y - W) R, where W is skew and Y - W a triangle with a real diagonal; of columns after
    those dR = dQ^H A + Q^H dA."""
    (a,), (da,) = primals, tangents
    m, n = a.shape[-2:]
    k = min(m, n)
    Q, R = _qr(a, complete)
    if complete and m > n:
        raise NotImplementedError("tesela.jax.qr: of a matrix that is taller than wide mode 'complete' has no derivative")
    X = triangular(R[..., :k], da[..., :k].mT, False, "T").mT
    Y = mm(adjoint(Q), X)
    below = jnp.tril(Y, -1)
    W = below - adjoint(below)
    if jnp.iscomplexobj(a):
        W = W + 1j * on_diagonal(diagonal(Y).imag)
    dQ, dR = X + mm(Q, W - Y), mm(Y - W, R[..., :k])
    if n > k:
        dR = jnp.concatenate([dR, mm(adjoint(dQ), a[..., k:]) + mm(adjoint(Q), da[..., k:])], -1)
    return (Q, R), (dQ, dR)


@functools.partial(jax.jit, static_argnames=("mode",))
def qr(a: Any, mode: str = "reduced") -> Any:
    a = matrices("qr", a)
    if mode == "raw":
        f, tau = _geqrf(a)
        return f.mT, tau
    if mode not in ("reduced", "complete", "r"):
        raise ValueError(f"tesela.jax.qr: mode={mode!r} is none of 'reduced', 'complete', 'r', 'raw'")
    Q, R = _qr(a, mode == "complete")
    return R if mode == "r" else QRResult(Q, R)
