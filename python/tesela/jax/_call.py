"""A call of the library inside XLA's programs, and what all functions need. Arrays are stacks: the calls take any number of dimensions before those of a
matrix."""

from __future__ import annotations

import functools
from typing import Any, Callable, Optional, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from ._library import TARGET, register

_TYPES = ("float32", "float64", "complex64", "complex128")
mm = functools.partial(jnp.matmul, precision=lax.Precision.HIGHEST)


class Shape(jax.ShapeDtypeStruct):  # type: ignore[misc]
    """Of a result."""


def _layout(a: Any, ndim: int) -> Optional[tuple[int, ...]]:
    """Matrices are stored by columns, all else as ever; from the slowest dimension to the fastest."""
    if a.ndim != ndim or not jnp.issubdtype(a.dtype, jnp.inexact):
        return None
    return (*range(ndim - 2), ndim - 1, ndim - 2)


def call(name: str, letters: str, arrays: Sequence[Any], results: Sequence[Shape], place: int = 0, tolerance: float = -1.0) -> Any:
    """Array number `place` is overwritten, and is the first result, of the same shape."""
    register()
    a = arrays[place]
    whole = (Shape(a.shape, a.dtype), *results)
    f = jax.ffi.ffi_call(TARGET, whole, vmap_method="broadcast_all", input_layouts=[_layout(b, a.ndim) for b in arrays],
                         output_layouts=[_layout(b, a.ndim) for b in whole], input_output_aliases={place: 0})
    return f(*arrays, call=name, letters=letters, tolerance=np.float64(tolerance))


def integers(*shape: int) -> Shape:
    """The library's whole numbers have 64 bits, which JAX may not have: they are pairs of 32."""
    return Shape((*shape, 2), jnp.int32)


def low(pairs: Any) -> Any:
    return pairs[..., 0]


def good(infos: Any, *arrays: Any) -> Any:
    """Results, NaN where the outcome of their problem is not zero."""
    made = []
    for a in arrays:
        wrong = (low(infos) != 0).reshape(infos.shape[:-1] + (1,) * (a.ndim - infos.ndim + 1))
        made.append(jnp.where(wrong, jnp.asarray(jnp.nan, a.dtype), a))
    return made[0] if len(made) == 1 else tuple(made)


def real_of(dtype: Any) -> Any:
    return jnp.finfo(dtype).dtype


def complex_of(dtype: Any) -> Any:
    return jnp.result_type(dtype, jnp.complex64)


def inexact(name: str, *arrays: Any) -> Any:
    """Arrays of one type that is computed with."""
    dtype = jnp.result_type(*arrays, 0.0)
    if dtype.name not in _TYPES:
        raise TypeError(f"tesela.jax.{name}: elements of {dtype.name} are not computed with: float32, float64, complex64 and complex128 are")
    made = [jnp.asarray(a, dtype) for a in arrays]
    return made[0] if len(made) == 1 else made


def matrices(name: str, a: Any, square: bool = False) -> Any:
    a = inexact(name, a)
    if a.ndim < 2 or square and a.shape[-1] != a.shape[-2]:
        raise ValueError(f"tesela.jax.{name}: the array must be of {'square ' if square else ''}matrices, and its shape is {a.shape}")
    return a


def adjoint(a: Any) -> Any:
    return a.mT.conj() if jnp.iscomplexobj(a) else a.mT


def symmetric(a: Any) -> Any:
    return (a + adjoint(a)) / 2


def diagonal(a: Any) -> Any:
    return jnp.diagonal(a, axis1=-2, axis2=-1)


def on_diagonal(d: Any) -> Any:
    return d[..., None] * jnp.eye(d.shape[-1], dtype=d.dtype)


def without_diagonal(a: Any) -> Any:
    return jnp.where(jnp.eye(a.shape[-1], dtype=bool), 0, a)


def no_tangent(a: Any) -> Any:
    """Of whole numbers."""
    return np.zeros(a.shape, jax.dtypes.float0)


def system(solve: Callable[..., Any]) -> Any:
    """solve(*fixed, b): under vmap, and of stacks of fewer dimensions, the fixed ones are not copied for each b, but b has all dimensions."""
    f = jax.custom_batching.custom_vmap(solve)

    @f.def_vmap
    def rule(size: int, mapped: Sequence[bool], *arrays: Any) -> tuple[Any, bool]:
        *fixed, b = [a if on else a[None] for a, on in zip(arrays, mapped)]
        return f(*fixed, jnp.broadcast_to(b, (size, *b.shape[1:]))), True

    return f


def beside(b: Any, *fixed: tuple[Any, int]) -> tuple[Any, list[Any]]:
    """b and fixed arrays, whose elements have so many dimensions, in one number of dimensions of a stack; b has all of it."""
    stack = jnp.broadcast_shapes(b.shape[:-2], *[a.shape[:a.ndim - n] for a, n in fixed])
    return jnp.broadcast_to(b, stack + b.shape[-2:]), [a.reshape((1,) * (len(stack) + n - a.ndim) + a.shape) for a, n in fixed]
