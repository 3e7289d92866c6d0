"""Systems of equations, inverses, determinants."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax

from ._call import beside, call, diagonal, good, inexact, integers, low, matrices, mm, on_diagonal, system
from ._factor import factored
from ._triangles import columns


class SlogdetResult(NamedTuple):
    sign: Any
    logabsdet: Any


@functools.lru_cache(maxsize=None)
def _getrs(op: str) -> Any:
    return system(lambda f, p, b: call("getrs", op, (f, p, b), (), place=2)[0])


def solution(a: Any, f: Any, pivots: Any, b: Any) -> Any:
    """A^-1 b by the factors of A. Derivatives of any order are systems with the same factors."""
    b, (a, f, pivots) = beside(b, (a, 2), (f, 2), (pivots, 2))
    return lax.custom_linear_solve(lambda x: mm(a, x), b, lambda _, x: _getrs("N")(f, pivots, x), lambda _, x: _getrs("T")(f, pivots, x))


def _factored(a: Any) -> tuple[Any, Any, Any]:
    return factored(lax.stop_gradient(a))


@jax.jit
def solve(a: Any, b: Any) -> Any:
    a, b = inexact("solve", a, b)
    a = matrices("solve", a, square=True)
    b, vector = columns("solve", a, b)
    if 0 in a.shape or 0 in b.shape:
        x = jnp.zeros(jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], b.dtype)
    else:
        f, pivots, infos = _factored(a)
        x = solution(a, good(infos, f), pivots, b)
    return x[..., 0] if vector else x


@jax.custom_jvp
def _inv(a: Any) -> Any:
    if 0 in a.shape:
        return a
    f, pivots, wrong = factored(a)
    x, _ = call("getri", "", (f, pivots), (integers(*a.shape[:-2]),))
    return good(wrong, x)


@_inv.defjvp
def _(primals: Any, tangents: Any) -> Any:
    x = _inv(*primals)
    return x, -mm(mm(x, tangents[0]), x)


@jax.jit
def inv(a: Any) -> Any:
    return _inv(matrices("inv", a, square=True))


# ---- determinants


def _phase(d: Any) -> Any:
    size = jnp.abs(d)
    return jnp.where(size == 0, 0, d / jnp.where(size == 0, 1, size).astype(d.dtype))


def _turn(pivots: Any, dtype: Any) -> Any:
    """1 or -1, for the exchanges."""
    moved = low(pivots) != jnp.arange(1, pivots.shape[-2] + 1, dtype=jnp.int32)
    return (1 - 2 * (moved.sum(-1) % 2)).astype(dtype)


def _logarithm(f: Any, pivots: Any) -> tuple[Any, Any]:
    d = diagonal(f)
    return _phase(d).prod(-1) * _turn(pivots, f.dtype), jnp.log(jnp.abs(d)).sum(-1)


@jax.custom_jvp
def _slogdet(a: Any) -> tuple[Any, Any]:
    if 0 in a.shape:
        return jnp.ones(a.shape[:-2], a.dtype), jnp.zeros(a.shape[:-2], jnp.finfo(a.dtype).dtype)
    f, pivots, _ = factored(a)
    return _logarithm(f, pivots)


def _trace_of(a: Any, f: Any, pivots: Any, da: Any) -> Any:
    """tr(A^-1 dA)"""
    return diagonal(solution(a, f, pivots, da)).sum(-1)


@_slogdet.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """With t = tr(A^-1 dA): d logabsdet = Re t, d sign = i sign Im t."""
    (a,), (da,) = primals, tangents
    sign, size = _slogdet(a)
    f, pivots, _ = _factored(a)
    t = _trace_of(a, f, pivots, da)
    return (sign, size), ((1j * t.imag * sign, t.real) if jnp.iscomplexobj(a) else (jnp.zeros_like(sign), t))


@functools.partial(jax.jit, static_argnames=("method",))
def slogdet(a: Any, *, method: Any = None) -> Any:
    if method not in (None, "lu"):
        raise ValueError(f"tesela.jax.slogdet: method={method!r}; there is 'lu'")
    return SlogdetResult(*_slogdet(matrices("slogdet", a, square=True)))


@jax.custom_jvp
def _det(a: Any) -> Any:
    if 0 in a.shape:
        return jnp.ones(a.shape[:-2], a.dtype)
    f, pivots, _ = factored(a)
    return diagonal(f).prod(-1) * _turn(pivots, a.dtype)


def _cofactors(a: Any) -> Any:
    """det(A) A^-1 by singular values, of singular matrices too: U and V^H have determinants of size 1, and s_i stands for the product of the others."""
    from ._spectra import _svd

    U, s, Vh = _svd(a, False)
    n = a.shape[-1]
    others = jnp.where(jnp.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    phase = _det(lax.stop_gradient(U)) * _det(lax.stop_gradient(Vh))
    return phase[..., None, None] * mm(jnp.conj(Vh).mT, others[..., None].astype(a.dtype) * jnp.conj(U).mT)


@_det.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """d det = det tr(A^-1 dA), where A^-1 is, else tr(adj(A) dA). Both ways are safe where the other one is taken."""
    (a,), (da,) = primals, tangents
    value = _det(a)
    if 0 in a.shape:
        return value, jnp.zeros_like(value)
    singular = (value == 0)[..., None, None]
    n = a.shape[-1]

    def plain(da: Any) -> Any:
        safe = jnp.where(singular, jnp.eye(n, dtype=a.dtype), a)
        f, pivots, _ = _factored(safe)
        return value * _trace_of(safe, f, pivots, da)

    def degenerate(da: Any) -> Any:
        apart = on_diagonal(jnp.arange(1, n + 1, dtype=a.dtype))
        safe = jnp.where(singular, a, apart)
        slow = jnp.sum(_cofactors(safe).mT * da, (-2, -1))
        return jnp.where(singular[..., 0, 0], slow, plain(da))

    return value, lax.cond(singular.any(), degenerate, plain, da)


@jax.jit
def det(a: Any) -> Any:
    return _det(matrices("det", a, square=True))
