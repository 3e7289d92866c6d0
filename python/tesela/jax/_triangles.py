"""Systems with triangles."""

from __future__ import annotations

import functools
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from ._call import adjoint, beside, call, inexact, mm, system

_OPS = {0: "N", 1: "T", 2: "C", "N": "N", "T": "T", "C": "C"}


@functools.lru_cache(maxsize=None)
def _trsm(letters: str) -> Any:
    return system(lambda a, b: call("trsm", letters, (a, b), (), place=1)[0])


def _seen(a: Any, op: str) -> Any:
    return a if op == "N" else a.mT if op == "T" else adjoint(a)


def triangular(a: Any, b: Any, lower: bool, op: str = "N", unit: bool = False) -> Any:
    """op(A)^-1 b, of stacks that are broadcast. The transpose of A^-H is the conjugate of A^-1."""
    if 0 in b.shape or 0 in a.shape:
        return jnp.zeros(jnp.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:], b.dtype)
    b, (whole,) = beside(b, (a, 2))
    t = jnp.tril(whole, -int(unit)) if lower else jnp.triu(whole, int(unit))
    if unit:
        t = t + jnp.eye(a.shape[-1], dtype=a.dtype)
    kept = lax.stop_gradient(whole)
    uplo, diag = "L" if lower else "U", "U" if unit else "N"

    def solve(_: Any, x: Any) -> Any:
        return _trsm(uplo + op + diag)(kept, x)

    def transposed(_: Any, x: Any) -> Any:
        if op == "C":
            return _trsm(uplo + "N" + diag)(kept, x.conj()).conj()
        return _trsm(uplo + ("T" if op == "N" else "N") + diag)(kept, x)

    return lax.custom_linear_solve(lambda x: mm(_seen(t, op), x), b, solve, transposed)


def columns(name: str, a: Any, b: Any) -> tuple[Any, bool]:
    """Right-hand sides as matrices; was it a vector?"""
    vector = b.ndim == 1
    b = b[:, None] if vector else b
    if b.ndim < 2 or b.shape[-2] != a.shape[-1]:
        raise ValueError(f"tesela.jax.{name}: a is {a.shape}, and b is {b.shape}")
    return b, vector


@functools.partial(jax.jit, static_argnames=("trans", "lower", "unit_diagonal", "overwrite_b", "debug", "check_finite"))
def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False, debug: Any = None,
                     check_finite: bool = True) -> Any:
    a, b = inexact("solve_triangular", a, b)
    if trans not in _OPS or a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"tesela.jax.solve_triangular: a is {a.shape}, trans={trans!r}")
    b, vector = columns("solve_triangular", a, b)
    x = triangular(a, b, lower, _OPS[trans], unit_diagonal)
    return x[..., 0] if vector else x
