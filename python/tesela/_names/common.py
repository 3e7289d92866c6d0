"""What every kind of array has, under one name: NumPy's, PyTorch's, CuPy's, and matrices that stay on the device."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .._arrays.kinds import common_dtype, is_of, plain
from .._arrays.matrix import Matrix
from .._arrays.storage import made, move
from .._calls.library import Scalar


def ready(a: Any, name: str = "a") -> Any:
    """An array to compute with: lists, numbers and integers as NumPy has them, of a type of ours."""
    if isinstance(a, Matrix):
        return a
    if is_of(a, "torch", "Tensor"):
        return a if a.is_floating_point() or a.is_complex() else a.double()
    if not is_of(a, "cupy", "ndarray"):
        a = plain(a)
    try:
        dtype = common_dtype(a.dtype)
    except TypeError as why:
        raise TypeError(f"{name}: {why}") from None
    return a if a.dtype == dtype else a.astype(dtype)


def space(a: Any) -> Any:
    """The library whose array it is."""
    return sys.modules["torch"] if is_of(a, "torch", "Tensor") else sys.modules["cupy"] if is_of(a, "cupy", "ndarray") else np


def square(a: Any, name: str = "a") -> Any:
    """ready(a), and square."""
    a = ready(a, name)
    if len(a.shape) < 2 or a.shape[-1] != a.shape[-2]:
        raise ValueError(f"{name}: expected a square matrix, got one that is {tuple(a.shape)}")
    return a


def is_complex(a: Any) -> bool:
    return bool(a.is_complex()) if is_of(a, "torch", "Tensor") else bool(a.dtype.kind == "c")


def single(a: Any) -> bool:
    return str(a.dtype).endswith(("float32", "complex64"))


def eps(a: Any) -> float:
    return float(np.finfo("f" if single(a) else "d").eps)


def adjoint(a: Any) -> Any:
    return a.H if isinstance(a, Matrix) else a.mH if is_of(a, "torch", "Tensor") else a.conj().swapaxes(-1, -2)


def transposed(a: Any) -> Any:
    return a.T if isinstance(a, Matrix) else a.mT if is_of(a, "torch", "Tensor") else a.swapaxes(-1, -2)


def zeros(like: Any, *shape: int) -> Any:
    """Of the same kind and type, in the same place."""
    if isinstance(like, Matrix):
        m = made(like._context, like.dtype, *shape)
        if m.size:
            move("scale", Scalar(0, 0), m)
        return m
    xp = space(like)
    return xp.zeros(shape, dtype=like.dtype, device=like.device) if xp is not np and xp.__name__ == "torch" else xp.zeros(shape, like.dtype)


def identity(like: Any, n: int) -> Any:
    if isinstance(like, Matrix):
        from .._arrays.storage import make_identity

        m = made(like._context, like.dtype, n, n)
        make_identity(m)
        return m
    xp = space(like)
    return xp.eye(n, dtype=like.dtype, device=like.device) if xp is not np and xp.__name__ == "torch" else xp.eye(n, dtype=like.dtype)


def blocks(rows: list[list[Any]]) -> Any:
    """The matrix of these blocks; 0 is one of zeros, in the type of the first."""
    heights = [next(b.shape[-2] for b in row if not isinstance(b, int)) for row in rows]
    widths = [next(row[j].shape[-1] for row in rows if not isinstance(row[j], int)) for j in range(len(rows[0]))]
    whole = zeros(rows[0][0], sum(heights), sum(widths))
    for i, row in enumerate(rows):
        for j, block in enumerate(row):
            if not isinstance(block, int):
                top, left = sum(heights[:i]), sum(widths[:j])
                whole[top:top + heights[i], left:left + widths[j]] = block
    return whole


def widened(a: Any, *others: Any) -> Any:
    """Complex, if one of the others is."""
    return a * (1 + 0j) if not is_complex(a) and any(is_complex(b) for b in others) else a


def on_host(a: Any) -> np.ndarray[Any, Any]:
    """In the host's memory, for what looks at elements one by one."""
    return np.asarray(a.cpu() if is_of(a, "torch", "Tensor") else a.get() if is_of(a, "cupy", "ndarray") else a)


def back(result: np.ndarray[Any, Any], like: Any) -> Any:
    """A result that was made there, of the kind of an argument."""
    if isinstance(like, Matrix):
        from .._arrays.storage import placed

        return placed(like._context, np.asfortranarray(result))
    xp = space(like)
    return xp.from_numpy(np.ascontiguousarray(result)).to(like.device) if xp is not np and xp.__name__ == "torch" else xp.asarray(result)
