"""Storage that the library computes on: made by it, or somebody's array wrapped in place."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from . import _context, _library
from ._context import Context
from ._library import View, library

if TYPE_CHECKING:
    from ._matrix import Matrix

TYPES = {"f": 0, "d": 1, "F": 2, "D": 3, "q": 4}  # tsl_type; the last is of pivots
SMALL = 1 << 14  # elements: fewer are copied and looked at by NumPy itself
DTYPES = [np.dtype(letter) for letter in ("f", "d", "F", "D", "int64")]


class Store:
    """A tsl_matrix, and what must live as long as it. It ends with the last Matrix that looks at it."""

    __slots__ = ("context", "handle", "type", "base", "on_host", "late", "process")

    def __init__(self, context: Context, handle: ctypes.c_void_p, type: int, base: object, on_host: bool, late: bool = False) -> None:
        self.context = context
        self.handle = handle
        self.type = type
        self.base = base
        self.on_host = on_host  # an array of the caller's kind in host memory
        self.late = late  # somebody else sees to the order of its memory's next use: nobody waits at its end
        self.process = os.getpid()

    def __del__(self, getpid: Any = os.getpid, library: Any = library) -> None:
        if self.process != getpid():  # what a parent made is not a child's to free
            return
        if self.late:
            self.context.late.append(self.handle)
        else:
            library().tsl_matrix_free(self.handle)


def made(context: Context, dtype: np.dtype[Any], m: int, n: int, base: object = None) -> Matrix:
    """m x n on the context's first device; contents undefined."""
    from ._matrix import Matrix

    type = TYPES[np.dtype(dtype).char if dtype != np.int64 else "q"]
    handle = ctypes.c_void_p()
    context("matrix_create", type, m, n, handle)
    return Matrix(Store(context, handle, type, base, False), library().tsl_whole(handle), 2)


def by_rows(m: Matrix) -> Matrix:
    """A copy of it by rows without gaps, which is the only order that some know."""
    rows, cols = m._rows, m._cols
    line = made(m._context, m.dtype, rows * cols, 1)
    copy = wrapped(m._context, m.dtype, (rows, cols), line._address(), (max(1, cols), _library.TRANS), line._store)
    if m.size:
        move("copy", m, copy)
    copy._ndim = m._ndim
    return copy


def wrapped(context: Context, dtype: np.dtype[Any], shape: tuple[int, int], address: int, layout: tuple[int, int],
            base: object, on_host: bool = False, late: bool = False) -> Matrix:
    """The array at this address, in place; layout as layout_of gives it. `base` is kept alive meanwhile."""
    from ._matrix import Matrix

    ld, op = layout
    m, n = shape[::-1] if op & _library.TRANS else shape
    type = TYPES[np.dtype(dtype).char if dtype != np.int64 else "q"]
    handle = ctypes.c_void_p()
    context("matrix_wrap", type, m, n, address, ld, handle)
    view: View = library().tsl_whole(handle)
    view.op = op
    return Matrix(Store(context, handle, type, base, on_host, late), view, 2)


def layout_of(shape: Sequence[int], strides: Sequence[int]) -> Optional[tuple[int, int]]:
    """Leading dimension and op of an array with these strides, in elements; None: it is not stored by columns or by rows."""
    (m, n), (down, along) = shape, strides
    if m == 0 or n == 0:
        return max(1, m), _library.NOTRANS
    if down == 1 or m == 1:
        ld = along if n > 1 else m
        if ld >= m:
            return ld, _library.NOTRANS
    if along == 1 or n == 1:
        ld = down if m > 1 else n
        if ld >= n:
            return ld, _library.TRANS
    return None


def address_of(a: np.ndarray[Any, Any]) -> int:
    return int(a.__array_interface__["data"][0])  # sooner than by a.ctypes


def of_numpy(context: Context, a: np.ndarray[Any, Any]) -> Matrix:
    """A view of a NumPy array of one or two dimensions, by rows or by columns, in place; any other layout is copied first."""
    two = a if a.ndim == 2 else a.reshape(-1, 1)
    size = a.itemsize
    layout = None
    if two.flags.aligned and a.dtype.isnative:
        (down, odd), (along, odder) = divmod(two.strides[0], size), divmod(two.strides[1], size)
        layout = None if odd or odder else layout_of(two.shape, (down, along))
    if layout is None:
        two = np.array(two, dtype=a.dtype.newbyteorder("="), order="F")
        layout = max(1, two.shape[0]), _library.NOTRANS
    m = wrapped(context, two.dtype, (two.shape[0], two.shape[1]), address_of(two), layout, two, True)
    m._object = two
    m._ndim = a.ndim
    return m


def move(function: str, *args: Any) -> None:
    """copy, scale, expand or laswp: on the host where all operands are in its memory, else on their device."""
    matrices = [arg for arg in args if hasattr(arg, "_store")]
    context = matrices[0]._context
    if not context.on_host and all(m._store.on_host for m in matrices):
        context = _context.context("host")
        args = tuple(_on_host(context, arg) if hasattr(arg, "_store") else arg for arg in args)
    context(function, *args)


def _on_host(context: Context, m: Matrix) -> Matrix:
    """The same view of an array in host memory, for the host's context."""
    view = m._view
    other = wrapped(context, m.dtype, (view.m, view.n), m._address(), (m._ld(), 0), m._store, True)
    other._view.op, other._view.uplo, other._view.diag = view.op, view.uplo, view.diag
    return other


def fetch(m: Matrix) -> np.ndarray[Any, Any]:
    """A copy in host memory, by columns."""
    out = np.empty((m._rows, m._cols), m.dtype, order="F")
    if out.size:
        move("copy", m, of_numpy(m._context, out))
    return out.reshape(m.shape, order="F")


def asarray(a: Any, dtype: Any = None) -> Matrix:
    """`a` as a matrix that stays on the device. What is there already (a Matrix, an array on a GPU) is not copied; host data is."""
    from ._matrix import Matrix
    from ._places import Call

    if isinstance(a, Matrix):
        return a if dtype is None or np.dtype(dtype) == a.dtype else a.astype(dtype)
    with Call(a, matrices=True) as c:
        m = c.take(a, dtype)
        if m._store.base is not None and (m._context.on_gpu and c.on_gpu):
            return m
        return c.copied(m)


def empty(shape: Any, dtype: Any = float) -> Matrix:
    """A matrix (or, of one size, a vector) on the device; contents undefined."""
    sizes = (int(shape),) if np.ndim(shape) == 0 else tuple(int(size) for size in shape)
    if len(sizes) not in (1, 2):
        raise ValueError(f"a matrix has one or two dimensions, not {len(sizes)}")
    if np.dtype(dtype).char not in "fdFD":
        raise TypeError(f"elements are of float32, float64, complex64 or complex128, not {np.dtype(dtype)}")
    m = made(_context.current(), np.dtype(dtype), sizes[0], sizes[1] if len(sizes) == 2 else 1)
    m._ndim = len(sizes)
    return m


def zeros(shape: Any, dtype: Any = float) -> Matrix:
    """A matrix (or vector) of zeros on the device."""
    m = empty(shape, dtype)
    move("scale", _library.Scalar(0, 0), m)
    return m


def eye(n: int, dtype: Any = float) -> Matrix:
    """The identity of order n on the device."""
    m = zeros((n, n), dtype)
    make_identity(m)
    return m


def make_identity(m: Matrix) -> None:
    """Of a square matrix."""
    lib = library()
    move("scale", _library.Scalar(0, 0), m)
    if m._rows:  # the triangle of zeros with ones on its diagonal
        move("expand", _library.TRIANGULAR, m._seen(lib.tsl_unit(lib.tsl_lower(m._view))), m)
