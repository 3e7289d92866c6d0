"""The exponential of a matrix."""

from __future__ import annotations

import functools
from typing import Any

import jax

from ._call import call, good, integers, matrices


@jax.custom_jvp
def _expm(a: Any) -> Any:
    if 0 in a.shape:
        return a
    f, infos = call("expm", "", (a,), (integers(*a.shape[:-2]),))
    return good(infos, f)


@_expm.defjvp
def _(primals: Any, tangents: Any) -> Any:
    """The derivative has to be steps that are linear in dA one by one, which a call of the library is not: those of JAX's own exponential."""
    with jax.default_matmul_precision("highest"):
        _, tangent = jax.jvp(jax.scipy.linalg.expm, primals, tangents)
    return _expm(*primals), tangent


@functools.partial(jax.jit, static_argnames=("upper_triangular", "max_squarings"))
def expm(A: Any, *, upper_triangular: bool = False, max_squarings: int = 16) -> Any:
    """max_squarings limits derivatives alone."""
    return _expm(matrices("expm", A, square=True))
