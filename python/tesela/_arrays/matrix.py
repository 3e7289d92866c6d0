"""Matrices that stay on the device: operators, blocks as views, and the ways out."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator, Optional

import numpy as np

from . import arithmetic as _arithmetic, elements as _elements, index as _index, storage as _storage
from .._calls import library as _library
from .._calls.context import Context
from .._calls.library import View, library

if TYPE_CHECKING:
    from .storage import Store


class Matrix:
    """A block of a matrix on the device, as seen: the whole, a slice, or the (conjugate) transpose of one.

    Slices (without a step) and transposes share its elements, and keep them alive. numpy.asarray fetches a copy; DLPack hands over the memory itself.
    Calls return before the work is done where they can; whatever needs the elements waits. One with one dimension is a vector.
    """

    __module__ = "tesela"
    __slots__ = ("_store", "_rows", "_cols", "_op", "_ndim", "_object", "_block_of", "__weakref__")
    __array_priority__ = 1000.0
    __array_ufunc__ = None  # numpy's operators leave it to ours

    def __init__(self, store: Store, rows: int, cols: int, op: int = 0, ndim: int = 2, object: Any = None,
                 block: Optional[View] = None) -> None:
        self._store = store
        self._rows = rows  # as seen through op
        self._cols = cols
        self._op = op
        self._ndim = ndim
        self._object = object  # the array of the caller's kind whose memory this is
        self._block_of = block  # what the library sees; None: the whole store, or not asked for yet

    # ---- what it is

    @property
    def _context(self) -> Context:
        return self._store.context

    @property
    def _view(self) -> View:
        view = self._block_of
        if view is None:
            view = self._block_of = self._store.whole(self._op)
        return view

    @property
    def shape(self) -> tuple[int, ...]:
        return (self._rows, self._cols) if self._ndim == 2 else (self._rows,)

    @property
    def ndim(self) -> int:
        return self._ndim

    @property
    def size(self) -> int:
        return self._rows * self._cols

    @property
    def dtype(self) -> np.dtype[Any]:
        return _storage.DTYPES[self._store.type]

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return _elements.representation(self)

    def __str__(self) -> str:
        return _elements.text(self)

    def _seen(self, view: View, ndim: Optional[int] = None) -> Matrix:
        if not view.mat:
            raise IndexError("a block outside the matrix")
        rows, cols, op = view.m, view.n, view.op
        if op & _library.TRANS:
            rows, cols = cols, rows
        return Matrix(self._store, rows, cols, op, self._ndim if ndim is None else ndim, None, view)

    @property
    def T(self) -> Matrix:
        return self if self._ndim == 1 else self._seen(library().trans(self._view))

    @property
    def H(self) -> Matrix:
        """The conjugate transpose."""
        return self.conj() if self._ndim == 1 else self._seen(library().herm(self._view))

    def conj(self) -> Matrix:
        return self._seen(library().conj(self._view)) if self.dtype.kind == "c" else self

    # ---- ways out

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("the elements are on the device: an array of them is a copy")
        a = _storage.fetch(self)
        return a if dtype is None else a.astype(dtype, copy=False)

    def item(self) -> Any:
        if self.size != 1:
            raise ValueError("only a matrix of one element is a number")
        return _storage.fetch(self).reshape(-1)[0].item()

    def _number(self) -> Any:
        if self.size != 1:
            raise TypeError("only a matrix of one element is a number")
        return self.item()

    def __float__(self) -> float:
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def __bool__(self) -> bool:
        if self.size > 1:
            raise ValueError("whether a matrix of several elements is true is not defined")
        return bool(self.size and self.item())

    def _address(self) -> int:
        """Of the first element of the block."""
        view = self._view
        start = library().matrix_data(view.mat) or 0
        return int(start + (view.i + view.j * self._ld()) * self.dtype.itemsize)

    def _ld(self) -> int:
        return int(library().matrix_ld(self._view.mat))

    def _strides(self) -> tuple[int, ...]:
        """In elements, as seen."""
        ld = self._ld()
        strides = (ld, 1) if self._op & _library.TRANS else (1, ld)
        return strides if self._ndim == 2 else strides[:1]

    def _is_compact(self) -> bool:
        """Is there nothing between its columns?"""
        return bool(self._view.n == 1 or self._ld() == self._view.m)

    def _plain(self) -> Matrix:
        """The same elements without a conjugation that memory does not show."""
        return self.copy() if self._op & _library.CONJ and self.dtype.kind == "c" else self

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, self._context.ordinal) if self._context.on_gpu else (1, 0)

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        from .dlpack import CPU, export, for_jax

        m = self
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            if tuple(dl_device) != (CPU, 0):
                raise BufferError(f"the elements are on DLPack's device {self.__dlpack_device__()}: they can go to the host, {(CPU, 0)}, only")
            m, stream = _storage.of_host(_storage.fetch(self)), None
        elif copy or for_jax(1) and not self._is_compact():
            m = _storage.by_rows(self)
        else:
            m = self._plain()
        if copy is False and m is not self:
            raise BufferError("this takes a copy of the elements, and copy=False allows none")
        return export(m, stream, max_version, m is not self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self._context.on_gpu:
            raise AttributeError("the elements are not on a GPU")
        if self._plain() is not self:
            raise AttributeError("a conjugated view has no elements of its own: copy() has")
        size = self.dtype.itemsize
        stream = int(library().stream(self._context.handle) or 0)
        return {"shape": self.shape, "strides": tuple(size * s for s in self._strides()), "typestr": self.dtype.str,
                "data": (self._address(), False), "version": 3, "stream": stream or None}

    def copy(self) -> Matrix:
        """A matrix of its own with the same elements."""
        new = _storage.made(self._context, self.dtype, self._rows, self._cols)
        new._ndim = self._ndim
        _storage.move("copy", self, new)
        return new

    def astype(self, dtype: Any) -> Matrix:
        """Rounded or widened, s and d or c and z, or to complex; from complex by way of the host."""
        dtype = _storage.element_type(dtype)
        if dtype == self.dtype:
            return self.copy()
        new = _storage.made(self._context, dtype, self._rows, self._cols)
        new._ndim = self._ndim
        if dtype.kind == self.dtype.kind:
            self._context.info("convert", self, new)
        elif dtype.char == self.dtype.char.upper():
            _elements.widen(self, new)
        else:
            new[...] = _storage.fetch(self).astype(dtype)
        return new

    # ---- slices

    def _part(self, i: int, j: int, rows: int, cols: int) -> Matrix:
        """A block; all of it is the matrix itself."""
        if rows == self._rows and cols == self._cols:
            return self
        return self._seen(library().sub(self._view, i, j, rows, cols), 2)

    def __getitem__(self, key: Any) -> Any:
        return _index.get(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        _index.put(self, key, value)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(self._rows))

    def __contains__(self, value: Any) -> bool:
        return bool(np.any(self == value))

    # ---- elements

    def __eq__(self, other: Any) -> Any:
        """Element by element, as NumPy's: an array of booleans in host memory. So are the others."""
        return _elements.compared(self, other, operator.eq)

    def __ne__(self, other: Any) -> Any:
        return _elements.compared(self, other, operator.ne)

    def __lt__(self, other: Any) -> Any:
        return _elements.compared(self, other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return _elements.compared(self, other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return _elements.compared(self, other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return _elements.compared(self, other, operator.ge)

    __hash__ = None  # type: ignore[assignment]  # as of all that changes

    def sum(self, axis: Any = None, dtype: None = None, out: None = None) -> Any:
        """Of all elements, a number; along an axis, a vector."""
        return _elements.total(self, self._reduction(axis, dtype, out))

    def mean(self, axis: Any = None, dtype: None = None, out: None = None) -> Any:
        axis = self._reduction(axis, dtype, out)
        with np.errstate(all="ignore"):
            return _elements.total(self, axis) / (self.size if axis is None else self.shape[axis])

    def max(self, axis: Any = None, out: None = None) -> Any:
        """The largest, found by the host; so is min."""
        return _elements.extreme(self, self._reduction(axis, None, out), np.max)

    def min(self, axis: Any = None, out: None = None) -> Any:
        return _elements.extreme(self, self._reduction(axis, None, out), np.min)

    def _reduction(self, axis: Any, dtype: Any, out: Any) -> Optional[int]:
        if dtype is not None or out is not None:
            raise TypeError("dtype and out are NumPy's, and not of matrices on a device: astype() or numpy.asarray() first")
        return _elements.axis_of(self, axis)

    def diagonal(self, offset: int = 0) -> Matrix:
        """A copy of the diagonal, as a vector."""
        return _elements.diagonal_view(self, offset).copy()

    def trace(self, offset: int = 0) -> Any:
        return self.diagonal(offset).sum()

    @property
    def real(self) -> Matrix:
        """The real parts: the matrix itself, if it is real, else new."""
        return self if self.dtype.kind != "c" else _elements.part(self, 0)

    @property
    def imag(self) -> Matrix:
        """The imaginary parts, new."""
        return _elements.part(self, 1)

    def reshape(self, *shape: Any, order: str = "C") -> Matrix:
        """A copy in another shape; -1 is the size that follows from the other."""
        sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
        return _elements.reshaped(self, tuple(sizes), order)

    def tolist(self) -> Any:
        return _storage.fetch(self).tolist()

    def __copy__(self) -> Matrix:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Matrix:
        return self.copy()

    def __reduce__(self) -> Any:
        """By way of the host. Whoever loads it has it on his own devices, by his options."""
        return _storage.asarray, (_storage.fetch(self),)

    # ---- operators

    def __matmul__(self, other: Any) -> Any:
        from .._products import matmul

        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        from .._products import matmul

        return matmul(other, self)

    def __add__(self, other: Any) -> Any:
        return _arithmetic.added(self, 1, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _arithmetic.added(self, 1, other, -1)

    def __rsub__(self, other: Any) -> Any:
        return _arithmetic.added(self, -1, other, 1)

    def __mul__(self, factor: Any) -> Any:
        return _arithmetic.multiplied(self, factor)

    __rmul__ = __mul__

    def __truediv__(self, factor: Any) -> Any:
        return _arithmetic.divided(self, factor)

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Matrix:
        return self.copy()

    def _become(self, result: Matrix) -> Matrix:
        """In place; as in NumPy nothing of the result is lost but digits."""
        if result.shape != self.shape:
            raise ValueError(f"a result that is {result.shape} in place of {self.shape}")
        if not np.can_cast(result.dtype, self.dtype, "same_kind"):
            raise TypeError(f"cannot cast the result from {result.dtype} to {self.dtype}")
        if self._store.frozen:  # M[::2] += 1 assigns the result to M itself
            return result
        self[...] = result
        return self

    def __iadd__(self, other: Any) -> Any:
        return self._become(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._become(self - other)

    def __imatmul__(self, other: Any) -> Any:
        return self._become(self @ other)

    def __imul__(self, factor: Any) -> Any:
        return self._become(self * factor)

    def __itruediv__(self, factor: Any) -> Any:
        return self._become(self / factor)

    def wait(self) -> Matrix:
        """Waits for the work on its device."""
        self._context("wait")
        return self
