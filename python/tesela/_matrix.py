"""Matrices that stay on the device: operators, slices as views, and the ways out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional, Union

import numpy as np

from . import _library, _storage
from ._context import Context
from ._library import Scalar, View, library

if TYPE_CHECKING:
    from ._storage import Store

Number = Union[int, float, complex]


def scalar(value: Any) -> Scalar:
    value = complex(value)
    return Scalar(value.real, value.imag)


class Matrix:
    """A block of a matrix on the device, as seen: the whole, a slice, or the (conjugate) transpose of one.

    Slices and transposes share its elements, and keep them alive. numpy.asarray fetches a copy; DLPack hands over the memory itself.
    Calls return before the work is done where they can; whatever needs the elements waits. One with one dimension is a vector.
    """

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
        device = self._context.devices()[0]
        return f"<tesela.Matrix {' x '.join(map(str, self.shape))} {self.dtype} on {device.name}>"

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

    def _plain(self) -> Matrix:
        """The same elements without a conjugation that memory does not show."""
        return self.copy() if self._op & _library.CONJ and self.dtype.kind == "c" else self

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, self._context.ordinal) if self._context.on_gpu else (1, 0)

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        from ._dlpack import export

        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            raise BufferError("the elements are on another device: fetch them with numpy.asarray")
        return export(self.copy() if copy else self._plain(), stream)

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
        """Rounded or widened, s and d or c and z; to complex by way of the host."""
        dtype = _storage.element_type(dtype)
        if dtype == self.dtype:
            return self.copy()
        new = _storage.made(self._context, dtype, self._rows, self._cols)
        new._ndim = self._ndim
        if dtype.kind == self.dtype.kind:
            self._context.info("convert", self, new)
        else:
            new[...] = _storage.fetch(self).astype(dtype)
        return new

    # ---- slices

    def _part(self, i: int, j: int, rows: int, cols: int) -> Matrix:
        """A block; all of it is the matrix itself."""
        if rows == self._rows and cols == self._cols:
            return self
        return self._seen(library().sub(self._view, i, j, rows, cols), 2)

    def _block(self, key: Any) -> tuple[View, int]:
        keys = key if isinstance(key, tuple) else (key,)
        if Ellipsis in [k for k in keys if k is Ellipsis]:
            at = [k is Ellipsis for k in keys].index(True)
            keys = keys[:at] + (slice(None),) * (self._ndim + 1 - len(keys)) + keys[at + 1:]
        if len(keys) > self._ndim:
            raise IndexError(f"too many indices: the matrix has {self._ndim} dimensions")
        keys = keys + (slice(None),) * (2 - len(keys))
        begins, counts, kept = [], [], []
        for k, length in zip(keys, (self._rows, self._cols)):
            if isinstance(k, slice):
                start, stop, step = k.indices(length)
                if step != 1:
                    raise IndexError("a slice of a matrix on the device has a step of 1")
                begins.append(start)
                counts.append(max(0, stop - start))
                kept.append(True)
            else:
                index = k.__index__() if hasattr(k, "__index__") else None
                if index is None:
                    raise IndexError("only integers and slices may index a matrix on the device")
                if not -length <= index < length:
                    raise IndexError(f"index {index} is out of bounds for {length}")
                begins.append(index % length)
                counts.append(1)
                kept.append(False)
        view = library().sub(self._view, begins[0], begins[1], counts[0], counts[1])
        if self._ndim == 1:
            kept = kept[:1]
        elif kept == [False, True]:  # a row, as a vector
            view = library().trans(view)
        return view, sum(kept)

    def __getitem__(self, key: Any) -> Any:
        view, ndim = self._block(key)
        part = self._seen(view, ndim)
        return part.item() if ndim == 0 else part

    def __setitem__(self, key: Any, value: Any) -> None:
        view, ndim = self._block(key)
        block = self._seen(view, ndim or 1)
        if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):  # it may be on the device
            number = getattr(value, "ndim", None) == 0
            value = _storage.asarray(value) if not number else value.item() if hasattr(value, "item") else value
        here = isinstance(value, Matrix) and value._context is self._context
        if here and value.dtype == self.dtype and value.shape == block.shape:
            source = value.copy() if value._store is self._store else value  # they may overlap
        else:
            from ._kinds import plain

            host = plain(value, self.dtype)
            while host.ndim > len(block.shape) and host.shape[0] == 1:  # as NumPy assigns
                host = host[0]
            source = _storage.of_numpy(self._context, np.broadcast_to(host, block.shape))
        if block.size:
            _storage.move("copy", source, block)

    # ---- operators

    def __matmul__(self, other: Any) -> Any:
        from ._products import matmul

        return matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        from ._products import matmul

        return matmul(other, self)

    def _flat(self, factor: Number) -> Matrix:
        """The block as it is stored, as one vector from its first element to its last, with what is between the columns. For 1 and -1, of
        real numbers: a complex product with them would make NaN of the other part of an infinite one."""
        length, dtype = self._ld() * (self._view.n - 1) + self._view.m, self.dtype
        if dtype.kind == "c" and factor in (1, -1):
            length, dtype = 2 * length, np.dtype(dtype.char.lower())
        return _storage.wrapped(self._context, dtype, (length, 1), self._address(), (length, _library.NOTRANS), self._store)

    def _times(self, factor: Number) -> None:
        """In place, of one that is by columns; unlike scale, zero keeps NaN."""
        if self.size:
            self._context("scal", scalar(factor), self._flat(factor))

    def _combined(self, alpha: Number, other: Any, beta: Number) -> Any:
        """alpha self + beta other, new."""
        from ._places import Call

        with Call(self, other) as c:
            a, b = c.take((1, 2), (1, 2))
            if a.shape != b.shape:
                raise ValueError(f"operands are {a.shape} and {b.shape}")
            y = c.copied(a)
            x = b if b._op == _library.NOTRANS and b._ld() == y._ld() and not b._store.on_host else c.copied(b)
            if y.size:  # both lie alike: they are added up as vectors, with what is between the columns
                if alpha != 1:
                    y._times(alpha)
                self._context("axpy", scalar(beta), x._flat(beta), y._flat(beta))
        y._ndim = self._ndim
        return y

    def __add__(self, other: Any) -> Any:
        return NotImplemented if np.ndim(other) == 0 else self._combined(1, other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return NotImplemented if np.ndim(other) == 0 else self._combined(1, other, -1)

    def __rsub__(self, other: Any) -> Any:
        return NotImplemented if np.ndim(other) == 0 else self._combined(-1, other, 1)

    def _become(self, result: Matrix) -> Matrix:
        """In place; as in NumPy nothing of the result is lost but digits."""
        if result.shape != self.shape:
            raise ValueError(f"a result that is {result.shape} in place of {self.shape}")
        if not np.can_cast(result.dtype, self.dtype, "same_kind"):
            raise TypeError(f"cannot cast the result from {result.dtype} to {self.dtype}")
        self[...] = result
        return self

    def __iadd__(self, other: Any) -> Any:
        return self._become(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._become(self - other)

    def __imatmul__(self, other: Any) -> Any:
        return self._become(self @ other)

    def __mul__(self, factor: Any) -> Any:
        if np.ndim(factor) != 0 or isinstance(factor, (str, bytes)):
            return NotImplemented
        factor = complex(factor)
        if factor.imag and self.dtype.kind != "c":
            new = self.astype(np.result_type(self.dtype, np.complex64))
        else:
            new = self.copy()
        new._times(factor)
        return new

    __rmul__ = __mul__

    def __imul__(self, factor: Any) -> Any:
        return self._become(self * factor)

    def __truediv__(self, factor: Any) -> Any:
        if np.ndim(factor) != 0 or isinstance(factor, (str, bytes)):
            return NotImplemented
        factor = complex(factor)
        with np.errstate(all="ignore"):
            inverse = complex(np.divide(1.0, factor if factor.imag else factor.real))
        if factor != 0 and abs(inverse) > np.finfo(self.dtype).max:  # of a tiny one; what is divided need not be large
            return self * 2.0**100 / (factor * 2.0**100)
        return self * inverse

    def __itruediv__(self, factor: Any) -> Any:
        return self._become(self / factor)

    def __neg__(self) -> Any:
        return self * -1

    def __pos__(self) -> Matrix:
        return self.copy()

    def wait(self) -> Matrix:
        """Waits for the work on its device."""
        self._context("wait")
        return self
