"""Elements of a matrix: sums, extremes, diagonals, real and imaginary parts, other shapes, comparisons, and how they are printed."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any, Callable, Optional

import numpy as np

from . import storage as _storage
from .._calls.library import CONJ, NOTRANS, TRANS, Scalar

if TYPE_CHECKING:
    from .._calls.context import Context
    from .matrix import Matrix

_ONE, _ZERO = Scalar(1, 0), Scalar(0, 0)


def axis_of(m: Matrix, axis: Any) -> Optional[int]:
    """The axis along which, from 0 on; None: all of them."""
    axes = range(m._ndim) if axis is None else [operator.index(a) for a in (axis if isinstance(axis, tuple) else (axis,))]
    if any(not -m._ndim <= a < m._ndim for a in axes):
        raise ValueError(f"axis={axis} is out of bounds for {m._ndim} dimension{'s' * (m._ndim > 1)}")
    chosen = {a % m._ndim for a in axes}
    if len(chosen) != len(axes) or not axes:
        raise ValueError(f"axis={axis} names no axis, or one twice")
    return chosen.pop() if axis is not None and len(chosen) == 1 else None


def constant(context: Context, dtype: np.dtype[Any], n: int, value: Any = 1) -> Matrix:
    """A column of n times the same."""
    return _storage.of_whole(context, np.full((n, 1), value, dtype))


def _row_sums(m: Matrix) -> Matrix:
    """Of a real matrix, on its device, by a product with ones."""
    sums = _storage.made(m._context, m.dtype, m._rows, 1)
    sums._ndim = 1
    if m.size:
        m._context("gemv", _ONE, m, constant(m._context, m.dtype, m._cols), _ZERO, sums)
    elif sums.size:
        _storage.move("scale", _ZERO, sums)
    return sums


def total(m: Matrix, axis: Optional[int]) -> Any:
    """The sum of all elements, or a vector of those along an axis. The parts of complex ones are added up by themselves, as a product with
    ones would make NaN of what is infinite."""
    if m.dtype.kind == "c":
        re, im = (total(part(m, which), axis) for which in (0, 1))
        if axis is None or m._ndim == 1:
            return m.dtype.type(complex(re, im))
        both = np.empty(re.shape, m.dtype)
        both.real, both.imag = _storage.fetch(re), _storage.fetch(im)
        return _storage.placed(m._context, both)
    if axis is None or m._ndim == 1:
        sums = _row_sums(m.T if m._ndim == 2 else _row(m))
        return m.dtype.type(_row_sums(_row(sums)).item()) if sums._rows != 1 else m.dtype.type(sums.item())
    return _row_sums(m if axis == 1 else m.T)


def _row(v: Matrix) -> Matrix:
    """A vector as one row."""
    return v._seen(v._context.library.trans(v._view), 2)


def extreme(m: Matrix, axis: Optional[int], of: Callable[..., Any]) -> Any:
    """The largest or smallest, by NumPy."""
    result = of(_storage.fetch(m), axis=axis)
    return result if axis is None or m._ndim == 1 else _storage.placed(m._context, result)


def diagonal_view(m: Matrix, offset: int = 0) -> Matrix:
    """A diagonal in place: a row with a longer step, as a vector."""
    if m._ndim != 2:
        raise ValueError("the diagonal of a vector: a matrix of two dimensions has one")
    k = max(0, min(m._rows + min(0, offset), m._cols - max(0, offset)))
    i, j = (max(0, -offset), max(0, offset)) if k else (0, 0)
    down, along = m._strides()
    address = m._address() + (i * down + j * along) * m.dtype.itemsize
    return _storage.wrapped(m._context, m.dtype, (k, 1), address, (down + along, TRANS | m._op & CONJ), m._store, m._store.on_host, ndim=1)


def widen(m: Matrix, new: Matrix) -> None:
    """new := m, with imaginary parts that are zero: a matrix of its own, by columns, on the same device."""
    if not m.size:
        return
    real, ld = m.dtype, new._ld()
    length = ld * (new._cols - 1) + new._rows
    line = _storage.made(m._context, real, length, 1)
    _storage.move("copy", m, _storage.wrapped(m._context, real, (m._rows, m._cols), line._address(), (ld, NOTRANS), line._store))
    _storage.move("scale", _ZERO, new)
    _storage.move("copy", line, _storage.wrapped(m._context, real, (length, 1), new._address(), (2, TRANS), new._store))  # every second number


def part(m: Matrix, which: int) -> Matrix:
    """The real parts (0) or the imaginary ones (1), new."""
    if m.dtype.kind != "c":
        new = m.copy()
        if which and new.size:
            _storage.move("scale", _ZERO, new)
        return new
    whole, real = m.copy(), np.dtype(m.dtype.char.lower())
    ld = whole._ld()
    length = ld * (whole._cols - 1) + whole._rows if whole.size else 0
    line = _storage.made(m._context, real, length, 1)
    if length:  # every second number, with what is between the columns
        address = whole._address() + which * real.itemsize
        _storage.move("copy", _storage.wrapped(m._context, real, (length, 1), address, (2, TRANS), whole._store), line)
    new = _storage.wrapped(m._context, real, (m._rows, m._cols), line._address(), (ld, NOTRANS), line._store, ndim=m._ndim)
    return new


def reshaped(m: Matrix, shape: tuple[int, ...], order: str) -> Matrix:
    """A copy with the same elements in another shape."""
    if order not in ("C", "F", "A"):
        raise ValueError(f"order={order!r} is none of 'C', 'F', 'A'")
    sizes = [operator.index(n) for n in shape]
    if len(sizes) not in (1, 2):
        raise ValueError(f"a matrix has one or two dimensions, not {len(sizes)}")
    known = math.prod(n for n in sizes if n != -1)
    if sizes.count(-1) == 1 and known and m.size % known == 0:
        sizes[sizes.index(-1)] = m.size // known
    if min(sizes) < 0 or math.prod(sizes) != m.size:
        raise ValueError(f"cannot reshape a matrix that is {m.shape} into {tuple(shape)}")
    rows, cols = sizes[0], sizes[1] if len(sizes) == 2 else 1
    if order == "F":  # the transposes, by rows
        line, layout = _storage.by_rows(m.T if m._ndim == 2 else m), (max(1, rows), NOTRANS)
    else:
        line, layout = _storage.by_rows(m), (max(1, cols), TRANS)
    return _storage.wrapped(m._context, m.dtype, (rows, cols), line._address(), layout, line._store, ndim=len(sizes))


def compared(m: Matrix, other: Any, how: Callable[[Any, Any], Any]) -> Any:
    """Element by element, an array of booleans in host memory; NotImplemented: with what is no array or number."""
    if other is None or isinstance(other, (str, bytes)):
        return NotImplemented
    a, b = _storage.fetch(m), _storage.on_host(other)
    np.broadcast_shapes(a.shape, b.shape)  # an error, where some versions of NumPy say False
    return how(a, b)


def _corners(m: Matrix, edge: int) -> np.ndarray[Any, Any]:
    """What is printed of a large one: the first and last rows and columns, and one between them that stands for the others."""
    block = m
    for axis in range(m._ndim):
        n = m.shape[axis]
        if n > 2 * edge + 1:
            block = block[[*range(edge + 1), *range(n - edge, n)]] if axis == 0 else block[:, [*range(edge + 1), *range(n - edge, n)]]
    return _storage.fetch(block)


def text(m: Matrix, prefix: str = "", suffix: str = "", separator: str = " ") -> str:
    """The elements as NumPy prints them. Of a large matrix only those are fetched that are seen."""
    how: Any = np.get_printoptions()
    large = m.size > how["threshold"]
    a = _corners(m, how["edgeitems"]) if large else _storage.fetch(m)
    return np.array2string(a, prefix=prefix, suffix=suffix, separator=separator, threshold=0 if large else how["threshold"])


def representation(m: Matrix) -> str:
    """As NumPy's of an array, and the device. It never fails: those who print have other troubles already."""
    try:
        device = m._context.devices()[0]
        end = [f"shape={m.shape}"] if m.size > np.get_printoptions()["threshold"] or not m.size else []
        end += [f"dtype={m.dtype}"] if m.dtype.char not in "dD" else []
        end += [f"device={f'{device.backend}:{device.ordinal}' if m._context.on_gpu else device.backend!r})"]
        elements, last = "tesela.Matrix(" + (text(m, "tesela.Matrix(", ",", ", ") if m.size else "[]"), ", ".join(end)
        room = np.get_printoptions()["linewidth"] - len(elements) + elements.rfind("\n") + 1
        return elements + ("," + (" " if len(last) + 2 <= room else "\n" + " " * len("tesela.Matrix("))) + last
    except Exception as why:
        return f"<tesela.Matrix {' x '.join(map(str, m.shape))} {m.dtype}: {why}>"
