"""Norms along axes: of vectors and of matrices, of stacks of them, of any order. Sums and maxima are the array's own library's, singular values ours."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from .._svd import svdvals
from .common import is_complex, ready, space


def _kept(values: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """With an axis of one element for each that is gone."""
    if keepdims:
        for axis in sorted(axes):
            values = space(values).expand_dims(values, axis) if hasattr(space(values), "expand_dims") else values.unsqueeze(axis)
    return values


def _most(sizes: Any, axis: int) -> Any:
    return sizes.amax(axis) if hasattr(sizes, "amax") else sizes.max(axis)


def _least(sizes: Any, axis: int) -> Any:
    return sizes.amin(axis) if hasattr(sizes, "amin") else sizes.min(axis)


def _squares(a: Any) -> Any:
    """Of the sizes."""
    return a.real * a.real + a.imag * a.imag if is_complex(a) else a * a


def _axes(a: Any, axis: Any) -> tuple[int, ...]:
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    for i in given:
        if not -len(a.shape) <= i < len(a.shape):
            raise np.exceptions.AxisError(i, len(a.shape)) if hasattr(np, "exceptions") else np.AxisError(i, len(a.shape))  # type: ignore[attr-defined]
    return tuple(i % len(a.shape) for i in given)


def of_vectors(a: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    """Along one axis, or along several as one vector."""
    if isinstance(ord, str) or not isinstance(ord, (int, float, np.number, type(None))):
        raise ValueError(f"ord={ord!r} is no norm of a vector")
    xp, rest = space(a), tuple(i for i in range(len(a.shape)) if i not in axes)
    turned = a.permute(*rest, *axes) if hasattr(a, "permute") else xp.transpose(a, rest + axes)
    flat = turned.reshape([a.shape[i] for i in rest] + [math.prod(a.shape[i] for i in axes)])
    if ord is None or ord == 2:
        return _kept(xp.sqrt(_squares(flat).sum(-1)), axes, keepdims)
    sizes = abs(flat)
    if ord == math.inf:
        values = _most(sizes, -1)
    elif ord == -math.inf:
        values = _least(sizes, -1)
    elif ord == 0:
        values = (flat != 0).sum(-1)
        values = values.astype(sizes.dtype) if hasattr(values, "astype") else values.to(sizes.dtype)
    elif ord == 1:
        values = sizes.sum(-1)
    else:
        values = (sizes ** float(ord)).sum(-1) ** (1 / float(ord))
    return _kept(values, axes, keepdims)


def of_matrices(a: Any, ord: Any, axes: tuple[int, ...], keepdims: bool) -> Any:
    if axes[0] == axes[1]:
        raise ValueError("Duplicate axes given.")
    if ord in (None, "fro", "f"):
        return of_vectors(a, 2, axes, keepdims)
    m = space(a).moveaxis(a, axes, (-2, -1))
    if ord in (2, -2, "nuc"):
        s = svdvals(m)
        values = s.sum(-1) if ord == "nuc" else s[..., 0] if ord == 2 else s[..., -1]
    elif ord in (1, -1, math.inf, -math.inf):
        sums = abs(m).sum(-2 if abs(ord) == 1 else -1)
        values = _most(sums, -1) if ord > 0 else _least(sums, -1)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return _kept(values, axes, keepdims)


def along(a: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    """numpy.linalg.norm's, with an axis or with dimensions that are kept."""
    a = ready(a)
    if axis is None:
        axes = tuple(range(len(a.shape)))
        if ord is None:
            return of_vectors(a, 2, axes, keepdims)
    else:
        axes = _axes(a, axis)
    if len(axes) == 1:
        return of_vectors(a, ord, axes, keepdims)
    if len(axes) == 2:
        return of_matrices(a, ord, axes, keepdims)
    raise ValueError("Improper number of dimensions to norm.")


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """Of any order, along an axis, along several as one, or of all elements."""
    a = ready(x)
    return of_vectors(a, ord, tuple(range(len(a.shape))) if axis is None else _axes(a, axis), keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """Of a matrix, or of each of a stack."""
    a = ready(x)
    if len(a.shape) < 2:
        raise ValueError(f"matrix_norm: a matrix has 2 dimensions at least, and this has {len(a.shape)}")
    return of_matrices(a, ord, (len(a.shape) - 2, len(a.shape) - 1), keepdims)


def condition(a: Any, p: Any, inverse: Any) -> Optional[Any]:
    """|a| |a^-1| of a stack."""
    return matrix_norm(a, ord=p) * matrix_norm(inverse, ord=p)
