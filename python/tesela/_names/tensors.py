"""NumPy's products, powers and shapes of matrices: over operators of the array's own library, and products of ours."""

from __future__ import annotations

import math
import operator
from typing import Any, Optional, Sequence

import numpy as np

from .._arrays.matrix import Matrix
from .._products import matmul
from .._solve import inv, solve
from .common import identity, ready, space, square, transposed, zeros


def matrix_power(a: Any, n: int) -> Any:
    """a to a whole power, negative ones too; of stacks, too."""
    a = square(a)
    n = operator.index(n)
    if n < 0:
        a, n = inv(a), -n
    if n == 0:
        unit = identity(a, a.shape[-1])
        if len(a.shape) == 2:
            return unit
        return zeros(a, *a.shape) + unit
    result = None
    while True:
        if n & 1:
            result = a if result is None else matmul(result, a)
        n >>= 1
        if not n:
            return result.copy() if result is a and hasattr(a, "copy") else result
        a = matmul(a, a)


def multi_dot(arrays: Sequence[Any], *, out: Any = None) -> Any:
    """The product of all, in the order of least work; the first and the last may be vectors."""
    if len(arrays) < 2:
        raise ValueError("Expecting at least two arrays.")
    parts = [ready(a) for a in arrays]
    row, column = len(parts[0].shape) == 1, len(parts[-1].shape) == 1
    if row:
        parts[0] = parts[0].reshape(1, -1)
    if column:
        parts[-1] = parts[-1].reshape(-1, 1)
    if any(len(p.shape) != 2 for p in parts):
        raise np.linalg.LinAlgError("multi_dot: matrices have 2 dimensions, and only the first and the last may be vectors")
    result = _product(parts, _cuts([p.shape[0] for p in parts] + [parts[-1].shape[1]]), 0, len(parts) - 1)
    if row and column:
        result = result[0, 0]
    elif row or column:
        result = result.reshape(-1)
    if out is None:
        return result
    out[...] = result
    return out


def _cuts(sizes: list[int]) -> dict[tuple[int, int], int]:
    """Where the product of matrices i to j is cut in two: of least work, by those of fewer matrices."""
    count = len(sizes) - 1
    work, cuts = {(i, i): 0 for i in range(count)}, {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            work[i, j], cuts[i, j] = min((work[i, k] + work[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j))
    return cuts


def _product(parts: list[Any], cuts: dict[tuple[int, int], int], i: int, j: int) -> Any:
    if i == j:
        return parts[i]
    k = cuts[i, j]
    return matmul(_product(parts, cuts, i, k), _product(parts, cuts, k + 1, j))


def tensorsolve(a: Any, b: Any, axes: Optional[Sequence[int]] = None) -> Any:
    """x with tensordot(a, x, x.ndim) = b."""
    a, b = ready(a), ready(b, "b")
    if axes is not None:
        a = space(a).moveaxis(a, tuple(axes), tuple(range(a.ndim - len(axes), a.ndim)))
    shape = tuple(a.shape[b.ndim:])
    if math.prod(shape) != math.prod(b.shape):
        raise np.linalg.LinAlgError("Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == prod(a.shape[:b.ndim])")
    return solve(a.reshape(-1, math.prod(shape)), b.reshape(-1)).reshape(shape)


def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of tensordot(a, ., ind)."""
    a = ready(a)
    if ind <= 0:
        raise ValueError("Invalid ind argument.")
    shape = tuple(a.shape)
    return inv(a.reshape(math.prod(shape[:ind]), -1)).reshape(shape[ind:] + shape[:ind])


def tensordot(a: Any, b: Any, /, *, axes: Any = 2) -> Any:
    """Sums over pairs of axes: over the last of a and the first of b, so many; or over those that are named."""
    a, b = _elementwise("tensordot", a, b)
    if isinstance(axes, int):
        over = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        left, right = ([i] if isinstance(i, int) else list(i) for i in axes)
        over = [i % a.ndim for i in left], [i % b.ndim for i in right]
    if [a.shape[i] for i in over[0]] != [b.shape[i] for i in over[1]]:
        raise ValueError("shape-mismatch for sum")
    xp, rest = space(a), ([i for i in range(a.ndim) if i not in over[0]], [i for i in range(b.ndim) if i not in over[1]])
    turn = xp.permute if hasattr(xp, "permute") else xp.transpose
    inner, shape = math.prod(a.shape[i] for i in over[0]), [a.shape[i] for i in rest[0]] + [b.shape[i] for i in rest[1]]
    left, right = turn(a, rest[0] + over[0]).reshape(-1, inner), turn(b, over[1] + rest[1]).reshape(inner, -1)
    return matmul(left, right).reshape(shape)


def outer(a: Any, b: Any, /) -> Any:
    """Of two vectors."""
    a, b = ready(a), ready(b, "b")
    if len(a.shape) != 1 or len(b.shape) != 1:
        raise ValueError(f"outer: vectors have 1 dimension, and these have {len(a.shape)} and {len(b.shape)}")
    return matmul(a.reshape(-1, 1), b.reshape(1, -1))


def _elementwise(name: str, *arrays: Any) -> list[Any]:
    if any(isinstance(a, Matrix) for a in arrays):
        raise TypeError(f"{name}: of arrays, not of matrices on a device: numpy.asarray() first")
    return [ready(a) for a in arrays]


def cross(a: Any, b: Any, /, *, axis: int = -1) -> Any:
    """Of vectors of three elements, along an axis."""
    a, b = _elementwise("cross", a, b)
    if a.shape[axis] != 3 or b.shape[axis] != 3:
        raise ValueError(f"cross: both must have 3 elements along the axis, and have {a.shape[axis]} and {b.shape[axis]}")
    xp = space(a)
    a, b = xp.moveaxis(a, axis, -1), xp.moveaxis(b, axis, -1)
    x, y, z = (a[..., i] * b[..., j] - a[..., j] * b[..., i] for i, j in ((1, 2), (2, 0), (0, 1)))
    return xp.moveaxis(xp.stack((x, y, z), -1), -1, axis)


def vecdot(a: Any, b: Any, /, *, axis: int = -1) -> Any:
    """Sums of conj(a) b along an axis, broadcast."""
    a, b = _elementwise("vecdot", a, b)
    if a.shape[axis] != b.shape[axis]:
        raise ValueError(f"vecdot: {a.shape[axis]} elements beside {b.shape[axis]}")
    return (a.conj() * b).sum(axis)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """Of a matrix, or of each of a stack."""
    if isinstance(x, Matrix):
        return x.diagonal(offset)
    x = ready(x)
    return space(x).diagonal(x, offset, -2, -1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sum of the diagonal."""
    if isinstance(x, Matrix):
        return x.trace(offset)
    d = diagonal(x, offset=offset)
    return d.sum(-1) if dtype is None else d.sum(-1, dtype=dtype)


def matrix_transpose(x: Any, /) -> Any:
    x = ready(x)
    if len(x.shape) < 2:
        raise ValueError(f"matrix_transpose: a matrix has 2 dimensions at least, and this has {len(x.shape)}")
    return transposed(x)
