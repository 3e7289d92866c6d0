"""Storage that the library computes on: made by it, or somebody's array wrapped in place."""

from __future__ import annotations

import ctypes
import operator
from typing import TYPE_CHECKING, Any, Optional, Sequence

import numpy as np

from . import matrix as _matrix
from .._calls import context as _context, library as _library
from .._calls.context import Context
from .._calls.library import NOTRANS, TRANS, View, library

if TYPE_CHECKING:
    from .matrix import Matrix

TYPES = {"f": 0, "d": 1, "F": 2, "D": 3, np.dtype(np.int64).char: 4}  # tsl_type; the last is of pivots
SMALL = 1 << 14  # elements: fewer are copied and looked at by NumPy itself
DTYPES = [np.dtype(letter) for letter in TYPES]


def element_type(dtype: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = np.dtype(dtype).newbyteorder("=")
    if found.char not in "fdFD":
        raise TypeError(f"elements are of float32, float64, complex64 or complex128, not {found}")
    return found


class Store:
    """A tsl_matrix, and what must live as long as it. It ends with the last Matrix that looks at it. An array is wrapped when the library
    is to see it first: one that is only copied, by NumPy, never is."""

    __slots__ = ("context", "type", "base", "on_host", "late", "frozen", "_handle", "_wrap", "_views")

    def __init__(self, context: Context, type: int, base: object = None, on_host: bool = False, late: bool = False,
                 wrap: tuple[int, ...] = ()) -> None:
        self.context = context
        self.type = type
        self.base = base
        self.on_host = on_host  # an array of the caller's kind in host memory
        self.late = late  # somebody else sees to the order of its memory's next use: nobody waits at its end
        self.frozen = False  # a copy that stands for elements of another matrix: whoever assigns to it means that one
        self._handle: Optional[ctypes.c_void_p] = None
        self._wrap = wrap  # m, n, address, ld, and of tiles their size; of a batch stride and count
        self._views: dict[Any, View] = {}  # of all of it, by op, and of parts; nobody changes them

    def create(self, m: int, n: int) -> None:
        handle = ctypes.c_void_p()
        self.context("matrix_create", self.type, m, n, handle)
        self._handle = handle

    def whole(self, op: int = NOTRANS) -> View:
        """All of it, through this op."""
        view = self._views.get(op)
        if view is None:
            context = self.context
            if self._handle is None:
                with context.lock:
                    if self._handle is None:
                        self._handle = context.wrapped(self.type, *self._wrap)
            view = context.library.whole(self._handle)
            view.op = op
            self._views[op] = view  # whole: another thread may see it at once
        return view

    def seen(self, how: tuple[Any, ...]) -> View:
        """So many rows and columns of it, through an op, as a triangle, perhaps with units on its diagonal."""
        view = self._views.get(how)
        if view is None:
            rows, columns, op, uplo, unit = how
            view = self._views[how] = View(self.whole(NOTRANS).mat, 0, 0, rows, columns, op, uplo, unit, 0)
        return view

    def __del__(self) -> None:  # in a child of fork the library leaves alone what the parent made
        if self._handle is not None and not self.context.library.ending:
            if self.late:
                self.context.late.append(self._handle)
            else:
                self.context.library.matrix_free(self._handle)


def made(context: Context, dtype: np.dtype[Any], m: int, n: int) -> Matrix:
    """m x n on the context's first device; contents undefined."""
    store = Store(context, TYPES[dtype.char])
    store.create(m, n)
    return _matrix.Matrix(store, m, n)


def by_rows(m: Matrix) -> Matrix:
    """A copy of it by rows without gaps, which is the only order that some know."""
    rows, cols = m._rows, m._cols
    line = made(m._context, m.dtype, rows * cols, 1)
    copy = wrapped(m._context, m.dtype, (rows, cols), line._address(), (max(1, cols), TRANS), line._store)
    if m.size:
        move("copy", m, copy)
    copy._ndim = m._ndim
    return copy


def wrapped(context: Context, dtype: np.dtype[Any], shape: Sequence[int], address: int, layout: tuple[int, int],
            base: object, on_host: bool = False, late: bool = False, ndim: int = 2, object: Any = None) -> Matrix:
    """The array at this address, in place; layout as layout_of gives it. `base` is kept alive meanwhile."""
    rows, cols = shape
    ld, op = layout
    wrap = (cols, rows, address, ld) if op & TRANS else (rows, cols, address, ld)
    if late:
        store = again(context, TYPES[dtype.char], wrap)
    else:
        store = Store(context, TYPES[dtype.char], base, on_host, False, wrap)
    return _matrix.Matrix(store, rows, cols, op, ndim, object)


def again(context: Context, type: int, wrap: tuple[int, ...]) -> Store:
    """Of memory that somebody else keeps for the call: a library that keeps what is freed for later, as PyTorch does, comes with the same
    addresses again and again."""
    known = context.again
    store: Optional[Store] = known.get((type, wrap))
    if store is None:
        if len(known) >= 2048:
            known.clear()  # those in use have owners
        store = known[type, wrap] = Store(context, type, late=True, wrap=wrap)
    return store


def layout_of(shape: Sequence[int], strides: Sequence[int], size: int = 1) -> Optional[tuple[int, int]]:
    """Leading dimension and op of an array of elements of this size, the unit of strides; None: it is not stored by columns or by rows."""
    (m, n), (down, along) = shape, strides
    if m == 0 or n == 0:
        return max(1, m), NOTRANS
    if down == size or m == 1:
        ld, odd = divmod(along, size) if n > 1 else (m, 0)
        if ld >= m and not odd:
            return ld, NOTRANS
    if along == size or n == 1:
        ld, odd = divmod(down, size) if m > 1 else (n, 0)
        if ld >= n and not odd:
            return ld, TRANS
    return None


# By NumPy's ABI an array begins as every object does, then has the address of its elements. To ask for it takes a microsecond more.
_pointer_at, _HEAD, _probe = ctypes.c_void_p.from_address, object.__basicsize__, np.empty(1)
_IS_SO = _pointer_at(id(_probe) + _HEAD).value == _probe.__array_interface__["data"][0]


def address_of(a: np.ndarray[Any, Any]) -> int:
    return (_pointer_at(id(a) + _HEAD).value or 0) if _IS_SO else int(a.__array_interface__["data"][0])


def of_numpy(context: Context, a: np.ndarray[Any, Any]) -> Matrix:
    """A view of a NumPy array of one or two dimensions, by rows or by columns, in place; any other layout is copied first."""
    two = a if a.ndim == 2 else a.reshape(-1, 1)
    dtype = a.dtype
    layout = layout_of(two.shape, two.strides, dtype.itemsize) if two.flags.aligned and dtype.isnative else None
    if layout is None:
        return of_whole(context, np.array(two, dtype=dtype.newbyteorder("="), order="F"), False, a.ndim)
    return wrapped(context, dtype, two.shape, address_of(two), layout, two, True, False, a.ndim, two)


def of_whole(context: Context, a: np.ndarray[Any, Any], by_rows: bool = False, ndim: int = 2) -> Matrix:
    """The same of an array of two dimensions without gaps, of a type of ours."""
    rows, cols = a.shape
    layout = (cols, TRANS) if by_rows and cols > 1 else (rows or 1, NOTRANS)
    return wrapped(context, a.dtype, (rows, cols), address_of(a), layout, a, True, False, ndim, a)


def move(function: str, *args: Any) -> None:
    """copy, scale, expand or laswp: on the host where all operands are in its memory, else on their device."""
    context: Context = (args[0] if isinstance(args[0], _matrix.Matrix) else args[1])._context  # a number or a kind may come first
    if not context.on_host and _in_host_memory(args):
        _on_host(function, args)
    elif function == "copy":
        _copy(context, *args)
    else:
        context(function, *args)


def _copy(context: Context, source: Matrix, target: Matrix) -> None:
    """Elements that change their neighbours on the way to a device, or from it, need room there a second time: where there is none for all
    of them, half by half."""
    m, n = source._rows, source._cols
    try:
        return context("copy", source, target)
    except MemoryError:
        if m * n < 2:
            raise
    half = max(m, n) // 2
    for i, j, rows, cols in ((0, 0, half, n), (half, 0, m - half, n)) if m > n else ((0, 0, m, half), (0, half, m, n - half)):
        _copy(context, source._part(i, j, rows, cols), target._part(i, j, rows, cols))


def pass_over(context: Context, function: str, *args: Any) -> None:
    """norm, dot or gemv, which are not computed by parts: on the context's device; where that is too small for them, on the host if they
    are in its memory."""
    try:
        return context(function, *args)
    except MemoryError:
        if context.on_host or not _in_host_memory(args):
            raise
    _on_host(function, args)


def _in_host_memory(args: Sequence[Any]) -> bool:
    return all(arg._store.on_host for arg in args if isinstance(arg, _matrix.Matrix))


def _on_host(function: str, args: Sequence[Any]) -> None:
    host = _context.context("host")
    host(function, *[_seen_by(host, arg) if isinstance(arg, _matrix.Matrix) else arg for arg in args])


def _seen_by(context: Context, m: Matrix) -> Matrix:
    """The same view of an array in host memory, for the host's context."""
    view = m._view
    whole = wrapped(context, m.dtype, (view.m, view.n), m._address(), (m._ld(), NOTRANS), m._store, True)
    there = library().general(whole._view)
    there.op, there.uplo, there.diag = view.op, view.uplo, view.diag
    return whole._seen(there)


def in_tiles(m: Matrix) -> Matrix:
    """The same array in host memory, cut into tiles, which need not be on a device all at once."""
    store = m._store
    cut = Store(store.context, store.type, store, True, False, (*store._wrap, store.context.tile(m.dtype.itemsize)))
    return _matrix.Matrix(cut, m._rows, m._cols, m._op, m._ndim)


def fetch(m: Matrix) -> np.ndarray[Any, Any]:
    """A copy in host memory, by columns."""
    if isinstance(m._object, np.ndarray):
        return np.array(m._object, order="F").reshape(m.shape, order="F")
    out = np.empty((m._rows, m._cols), m.dtype, order="F")
    if out.size:
        move("copy", m, of_whole(m._context, out))
    return out.reshape(m.shape, order="F")


def of_host(a: np.ndarray[Any, Any]) -> Matrix:
    """The same by the context of the host, whatever devices are chosen."""
    return of_numpy(_context.context("host"), a)


def placed(context: Context, a: np.ndarray[Any, Any]) -> Matrix:
    """A matrix of its own, on the context's device, with the elements of an array in host memory."""
    if a.ndim not in (1, 2):
        raise ValueError(f"a matrix has one or two dimensions, not {a.ndim}")
    source = of_numpy(context, a)
    new = made(context, source.dtype, source._rows, source._cols)
    new._ndim = a.ndim
    if new.size:
        move("copy", source, new)
    return new


def on_host(value: Any, dtype: Optional[np.dtype[Any]] = None) -> np.ndarray[Any, Any]:
    """Numbers, or an array of anybody's, in host memory."""
    from .kinds import plain

    if hasattr(value, "__dlpack__") and not isinstance(value, (np.ndarray, _matrix.Matrix)):  # it may be on a device
        number = getattr(value, "ndim", None) == 0
        value = asarray(value) if not number else value.item() if hasattr(value, "item") else value
    return plain(value, dtype)


def as_reals(m: Matrix, context: Optional[Context] = None) -> Matrix:
    """What is stored, without the op it is seen through; complex elements as pairs of real ones, one above the other."""
    pairs, view = 1 + (m.dtype.kind == "c"), m._view
    real = np.dtype(m.dtype.char.lower())
    return wrapped(context or m._context, real, (pairs * view.m, view.n), m._address(), (pairs * m._ld(), NOTRANS), m._store)


def asarray(a: Any, dtype: Any = None) -> Matrix:
    """`a` as a matrix that stays on the device. What is there already (a Matrix, an array on a GPU) is not copied; host data is."""
    from .places import Call

    if isinstance(a, _matrix.Matrix):
        return a if dtype is None or np.dtype(dtype) == a.dtype else a.astype(dtype)
    with Call(a, matrices=True) as c:
        (m,) = c.take((1, 2), dtype=None if dtype is None else element_type(dtype))
        if m._store.base is not None and (m._context.on_gpu and c.on_gpu):
            return m
        return c.copied(m)


asarray.__module__ = "tesela"  # pickles name it


def empty(shape: Any, dtype: Any = float) -> Matrix:
    """A matrix (or, of one size, a vector) on the device; contents undefined."""
    try:
        sizes = tuple(operator.index(size) for size in ((shape,) if np.ndim(shape) == 0 else shape))
    except TypeError:
        raise TypeError(f"shape={shape!r} is neither an integer nor a pair of them") from None
    if len(sizes) not in (1, 2) or min(sizes) < 0:
        raise ValueError(f"shape={shape!r}: a matrix has one or two dimensions, and no negative sizes")
    m = made(_context.current(), element_type(dtype), sizes[0], sizes[1] if len(sizes) == 2 else 1)
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
        move("expand", _library.TRIANGULAR, m._seen(lib.unit(lib.lower(m._view))), m)
