"""Eigenvalues, singular values, and what follows from them."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from ._call import (Shape, adjoint, call, complex_of, diagonal, good, inexact, integers, matrices, mm, on_diagonal, real_of, symmetric, without_diagonal)


class EighResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class EigResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class SVDResult(NamedTuple):
    U: Any
    S: Any
    Vh: Any


def _differences(values: Any) -> Any:
    """values[j] - values[i]; 1 where i = j."""
    return values[..., None, :] - values[..., :, None] + jnp.eye(values.shape[-1], dtype=values.dtype)


# ---- symmetric and Hermitian matrices


def _syev(a: Any, vectors: bool) -> tuple[Any, Any]:
    stack, n = a.shape[:-2], a.shape[-1]
    if 0 in a.shape[-2:]:
        return jnp.zeros((*stack, 0), real_of(a.dtype)), a
    V, infos, w = call("syev", "VL" if vectors else "NL", (a,), (integers(*stack), Shape((*stack, n), real_of(a.dtype))))
    values, found = good(infos, w, V)
    return values, found


@jax.custom_jvp
def _eigh(a: Any) -> tuple[Any, Any]:
    return _syev(a, True)


@_eigh.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """dw = diag(V^H dA V), V^H dV = (V^H dA V) / (w_j - w_i) off the diagonal."""
    w, V = _eigh(*primals)
    inner = mm(adjoint(V), mm(symmetric(tangents[0]), V))
    return (w, V), (diagonal(inner).real, mm(V, without_diagonal(inner / _differences(w))))


@jax.custom_jvp
def _eigvalsh(a: Any) -> Any:
    return _syev(a, False)[0]


@_eigvalsh.defjvp
def _(primals: Any, tangents: Any) -> Any:
    w, V = _eigh(*primals)
    return w, jnp.einsum("...ij,...ij->...j", V.conj(), mm(symmetric(tangents[0]), V)).real


def _whole(name: str, a: Any, UPLO: Any, symmetrize_input: bool) -> Any:
    """Hermitian matrices, whose lower triangle is read."""
    a = matrices(name, a, square=True)
    if UPLO not in (None, "L", "U"):
        raise ValueError(f"tesela.jax.{name}: UPLO={UPLO!r} is neither 'L' nor 'U'")
    return symmetric(a) if symmetrize_input else adjoint(a) if UPLO == "U" else a


@functools.partial(jax.jit, static_argnames=("UPLO", "symmetrize_input"))
def eigh(a: Any, UPLO: Any = None, symmetrize_input: bool = True) -> Any:
    return EighResult(*_eigh(_whole("eigh", a, UPLO, symmetrize_input)))


@functools.partial(jax.jit, static_argnames=("UPLO", "symmetrize_input"))
def eigvalsh(a: Any, UPLO: Any = "L", *, symmetrize_input: bool = True) -> Any:
    return _eigvalsh(_whole("eigvalsh", a, UPLO, symmetrize_input))


# ---- other square matrices


def _geev(a: Any, vectors: bool) -> tuple[Any, Any]:
    stack, n, kind = a.shape[:-2], a.shape[-1], complex_of(a.dtype)
    if 0 in a.shape[-2:]:
        return jnp.zeros((*stack, 0), kind), a.astype(kind)
    many, w = not jnp.iscomplexobj(a), Shape((*stack, n), a.dtype)
    _, infos, *found = call("geev", "", (a,), (integers(*stack), w, *[w] * many, *[Shape(a.shape, a.dtype)] * vectors))
    values = good(infos, jax.lax.complex(found[0], found[1]) if many else found[0])
    if not vectors:
        return values, a
    V = found[-1]
    return values, good(infos, _pairs(V, found[1]) if many else V)


def _pairs(v: Any, wi: Any) -> Any:
    """Of a real matrix two columns are one vector, and its conjugate."""
    sign = wi[..., None, :]
    re = jnp.where(sign < 0, jnp.roll(v, 1, -1), v)
    return jax.lax.complex(re, jnp.where(sign > 0, jnp.roll(v, -1, -1), jnp.where(sign < 0, -v, 0)))


def _inner(V: Any, da: Any) -> Any:
    """V^-1 dA V"""
    from ._solve import solve

    return solve(V, mm(da.astype(V.dtype), V))


@jax.custom_jvp
def _eig(a: Any) -> tuple[Any, Any]:
    return _geev(a, True)


@_eig.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """As of eigh, with V^-1 in place of V^H; vectors keep their length, which takes off the real part of V^H dV's diagonal."""
    w, V = _eig(*primals)
    inner = _inner(V, tangents[0])
    dV = mm(V, without_diagonal(inner / _differences(w)))
    longer = jnp.sum(V.conj() * dV, -2).real
    return (w, V), (diagonal(inner), dV - V * longer[..., None, :])


@jax.custom_jvp
def _eigvals(a: Any) -> Any:
    return _geev(a, False)[0]


@_eigvals.defjvp
def _(primals: Any, tangents: Any) -> Any:
    w, V = _eig(*primals)
    return w, diagonal(_inner(V, tangents[0]))


@jax.jit
def eig(a: Any) -> Any:
    return EigResult(*_eig(matrices("eig", a, square=True)))


@jax.jit
def eigvals(a: Any) -> Any:
    return _eigvals(matrices("eigvals", a, square=True))


# ---- singular values


def _gesvd(a: Any, full: bool, vectors: bool) -> Any:
    stack, (m, n) = a.shape[:-2], a.shape[-2:]
    k, real = min(m, n), real_of(a.dtype)
    u, v = (m, n) if full else (k, k)
    if k == 0:
        U, V = [jnp.broadcast_to(jnp.eye(rows, columns, dtype=a.dtype), (*stack, rows, columns)) for rows, columns in ((m, u), (v, n))]
        return (U, jnp.zeros((*stack, 0), real), V) if vectors else jnp.zeros((*stack, 0), real)
    more = [Shape((*stack, m, u), a.dtype), Shape((*stack, v, n), a.dtype)] if vectors else []
    _, infos, s, *both = call("gesvd", "", (a,), (integers(*stack), Shape((*stack, k), real), *more))
    return good(infos, both[0], s, both[1]) if vectors else good(infos, s)


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _svd(a: Any, full: bool) -> tuple[Any, Any, Any]:
    U, s, Vh = _gesvd(a, full, True)
    return U, s, Vh


def _skew(a: Any) -> Any:
    return a - adjoint(a)


@_svd.defjvp
def _(full: bool, primals: Any, tangents: Any) -> Any:
    """With P = U^H dA V: ds = Re diag(P); U^H dU = (P S + S P^H) / E and V^H dV = (S P + P^H S) / E off the diagonal, E_ij = s_j^2 - s_i^2; on the diagonal is what
    the phase of P's says, half each; outside the spaces of U and V what is left of dA is divided by S."""
    (a,), (da,) = primals, tangents
    U, s, Vh = _svd(a, full)
    m, n = a.shape[-2:]
    if full and m != n:
        raise NotImplementedError("tesela.jax.svd: with full_matrices a matrix that is not square has no derivative")
    V, S = adjoint(Vh), s[..., None, :].astype(a.dtype)
    P = mm(adjoint(U), mm(da, V))
    E = _differences(s * s)
    right = P * S
    left = P * S.mT
    W, Z = without_diagonal((right + adjoint(right)) / E), without_diagonal((left + adjoint(left)) / E)
    if jnp.iscomplexobj(a):
        turn = on_diagonal(1j * diagonal(P).imag / (2 * s))
        W, Z = W + turn, Z - turn
    dU, dV = mm(U, W), mm(V, Z)
    if m > n:
        beside = mm(da, V) / S
        dU = dU + beside - mm(U, mm(adjoint(U), beside))
    if n > m:
        beside = mm(adjoint(da), U) / S
        dV = dV + beside - mm(V, mm(adjoint(V), beside))
    return (U, s, Vh), (dU, diagonal(P).real, adjoint(dV))


@jax.custom_jvp
def _svdvals(a: Any) -> Any:
    return _gesvd(a, False, False)


@_svdvals.defjvp
def _(primals: Any, tangents: Any) -> Any:
    U, s, Vh = _svd(*primals, False)
    return s, jnp.einsum("...ij,...ij->...j", U.conj(), mm(tangents[0], adjoint(Vh))).real


@functools.partial(jax.jit, static_argnames=("full_matrices", "compute_uv", "hermitian"))
def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    a = matrices("svd", a, square=hermitian)
    if not compute_uv:
        return svdvals(a) if not hermitian else -jnp.sort(-jnp.abs(_eigvalsh(symmetric(a))), -1)
    if not hermitian:
        return SVDResult(*_svd(a, full_matrices))
    w, V = _eigh(symmetric(a))
    order = jnp.argsort(-jnp.abs(w), -1)
    w, V = jnp.take_along_axis(w, order, -1), jnp.take_along_axis(V, order[..., None, :], -1)
    sign = jnp.where(w < 0, -1, 1).astype(a.dtype)
    return SVDResult(V, jnp.abs(w), adjoint(V * sign[..., None, :]))


@jax.jit
def svdvals(x: Any) -> Any:
    return _svdvals(matrices("svdvals", x))


# ---- the pseudo-inverse, ranks, least squares


@functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
def _pinv(a: Any, tolerance: float) -> Any:
    m, n = a.shape[-2:]
    if 0 in a.shape[-2:]:
        return jnp.zeros((*a.shape[:-2], n, m), a.dtype)
    stack = a.shape[:-2]
    _, infos, P, _ = call("pinv", "", (a,), (integers(*stack), Shape((*stack, n, m), a.dtype), integers(*stack)), tolerance=tolerance)
    return good(infos, P)


@_pinv.defjvp
def _(tolerance: float, primals: Any, tangents: Any) -> Any:
    """dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P, of a rank that does not change."""
    (a,), (da,) = primals, tangents
    P = _pinv(a, tolerance)
    outer = mm(adjoint(da), adjoint(P))
    return P, -mm(mm(P, da), P) + mm(P, mm(adjoint(P), adjoint(da) - mm(mm(adjoint(da), a), P))) + mm(outer - mm(P, mm(a, outer)), P)


@functools.partial(jax.jit, static_argnames=("rtol", "hermitian"))
def pinv(a: Any, rtol: Any = None, hermitian: bool = False) -> Any:
    """rtol, a number: singular values not above so much of the largest count as zero. None: 10 max(m, n) eps, as jax.numpy.linalg has it."""
    a = matrices("pinv", a, square=hermitian)
    limit = 10 * max(a.shape[-2:]) * float(jnp.finfo(a.dtype).eps) if rtol is None else float(rtol)
    if not hermitian:
        return _pinv(a, limit)
    w, V = _eigh(symmetric(a))
    size = jnp.abs(w)
    kept = size > limit * size.max(-1, keepdims=True, initial=0)
    over = jnp.where(kept, 1 / jnp.where(kept, w, 1), 0).astype(a.dtype)
    return mm(V * over[..., None, :], adjoint(V))


@functools.partial(jax.jit, static_argnames=("hermitian",))
def matrix_rank(M: Any, rtol: Any = None, *, hermitian: bool = False) -> Any:
    a = matrices("matrix_rank", M, square=hermitian)
    s = jnp.abs(_eigvalsh(symmetric(a))) if hermitian else svdvals(a)
    limit = max(a.shape[-2:]) * jnp.finfo(a.dtype).eps if rtol is None else jnp.asarray(rtol)[..., None]
    return (s > limit * s.max(-1, keepdims=True, initial=0)).sum(-1)


@functools.partial(jax.jit, static_argnames=("numpy_resid",))
def lstsq(a: Any, b: Any, rcond: Any = None, *, numpy_resid: bool = False) -> Any:
    """(x, residuals, rank, s), of one matrix, by singular values. numpy_resid: no residuals where the rank is not that of the columns, as NumPy has it."""
    a, b = inexact("lstsq", a, b)
    if a.ndim != 2 or b.ndim not in (1, 2) or b.shape[0] != a.shape[0]:
        raise ValueError(f"tesela.jax.lstsq: a is {a.shape}, and b is {b.shape}")
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    m, n = a.shape
    if 0 in a.shape:
        x, rank, s = jnp.zeros((n, b.shape[1]), a.dtype), jnp.zeros((), jnp.int32), jnp.zeros(0, real_of(a.dtype))
    else:
        limit = max(m, n) * jnp.finfo(a.dtype).eps if rcond is None else jnp.where(jnp.asarray(rcond) < 0, jnp.finfo(a.dtype).eps, rcond)
        U, s, Vh = _svd(a, False)
        kept = s > limit * s[0]
        rank = kept.sum()
        over = jnp.where(kept, 1 / jnp.where(kept, s, 1), 0).astype(a.dtype)
        x = mm(adjoint(Vh), over[:, None] * mm(adjoint(U), b))
    residuals = (jnp.abs(b - mm(a, x)) ** 2).sum(0)
    if numpy_resid:
        residuals = jnp.where(rank == n, residuals, jnp.nan) if m > n else residuals[:0]
    return x[:, 0] if vector else x, residuals, rank, s


@functools.partial(jax.jit, static_argnames=("p",))
def cond(x: Any, p: Any = None) -> Any:
    a = matrices("cond", x)
    if p in (None, 2, -2):
        s = svdvals(a)
        return s[..., 0] / s[..., -1] if p != -2 else s[..., -1] / s[..., 0]
    from ._solve import inv

    return jnp.linalg.norm(a, p, (-2, -1)) * jnp.linalg.norm(inv(matrices("cond", a, square=True)), p, (-2, -1))
