"""Arrays of others (NumPy, PyTorch, CuPy, whatever has DLPack): where they are, and results of their kind there.

An operation is written once, over matrices; a Call sees to it that its operands are matrices of one context, that what it makes is made
where its results belong, and that it keeps its place among the work on the caller's stream.
"""

from __future__ import annotations

import functools
import sys
from types import TracebackType
from typing import Any, Callable, NamedTuple, Optional, TypeVar, Union

import numpy as np

from . import _context, _dlpack
from ._context import Context
from ._dlpack import Array, packed
from ._library import NOTRANS, TRANS, library
from ._matrix import Matrix
from ._storage import SMALL, address_of, by_rows, element_type, layout_of, made, move, of_numpy, of_whole, wrapped


Result = TypeVar("Result")


class Place(NamedTuple):
    """A kind of array on a device. `gpu` is the number of the GPU, None on the host."""

    kind: str  # numpy, tesela, torch, cupy, or other
    gpu: Optional[int]
    like: Any
    array: Any  # as NumPy sees it, if it is in host memory; else itself


_NUMPY = Place("numpy", None, None, None)


def _is_of(a: Any, module: str, name: str) -> bool:
    """Is it of this class of a module that somebody has imported?"""
    return isinstance(a, getattr(sys.modules.get(module), name, ()))


def place_of(a: Any) -> Union[np.ndarray[Any, Any], Place]:
    """Of an array that is not NumPy's; an array of NumPy's itself, also of what becomes one."""
    if isinstance(a, Matrix):
        context = a._context
        return Place("tesela", context.ordinal if context.on_gpu else None, a, a)
    if isinstance(a, np.ma.MaskedArray):
        raise ValueError("masked arrays are not supported")
    if isinstance(a, (np.ndarray, np.generic, list, tuple)):
        return np.asarray(a)
    if _is_of(a, "torch", "Tensor"):
        t = _tensor(a)
        return Place("torch", t.get_device(), t, t) if t.is_cuda else Place("torch", None, t, t.numpy())
    if _is_of(a, "cupy", "ndarray"):
        return Place("cupy", int(a.device.id), a, a)
    if hasattr(a, "__dlpack_device__"):
        kind, number = a.__dlpack_device__()
        if int(kind) == _dlpack.CUDA:
            return Place("other", int(number), a, a)
        if int(kind) == _dlpack.CPU:
            return Place("other", None, a, np.from_dlpack(a))
        raise TypeError(f"an array on a device of DLPack's kind {int(kind)}: only the host's and CUDA's can be used")
    if hasattr(a, "__cuda_array_interface__"):
        return Place("other", _context.current().ordinal, a, a)
    return np.asarray(a)


@functools.lru_cache(maxsize=None)
def _torch_types() -> dict[Any, Any]:
    """NumPy's of PyTorch's types, and the other way."""
    pairs = [(getattr(sys.modules["torch"], name), np.dtype(name)) for name in ("float32", "float64", "complex64", "complex128")]
    return dict(pairs + [(ours, theirs) for theirs, ours in pairs])


def _tensor(t: Any) -> Any:
    """One whose memory shows its elements; TypeError: it is of no use here."""
    if t.requires_grad:
        raise TypeError("the tensor requires grad, which Tesela does not keep account of: detach() it")
    if not (t.is_cuda or t.is_cpu):
        raise TypeError(f"a tensor on {t.device}: only the host and CUDA can be used")
    if t.dtype not in _torch_types():
        raise TypeError(f"elements are of float32, float64, complex64 or complex128, not {str(t.dtype).partition('.')[2]}")
    return t.resolve_conj().resolve_neg() if t.is_conj() or t.is_neg() else t


def _interface_array(a: Any, context: Context) -> Array:
    i = a.__cuda_array_interface__
    dtype = element_type(i["typestr"])
    shape, size, there = tuple(i["shape"]), dtype.itemsize, i.get("strides")
    strides = packed(shape) if there is None else tuple(s // size for s in there)
    if i.get("stream") is not None:
        context("follow", i["stream"])
    return Array(i["data"][0], shape, strides, dtype, a, a)


@functools.lru_cache(maxsize=None)
def common_dtype(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """As SciPy chooses: single only if all are, double for integers and whatever else is real, complex if one is."""
    for dtype in dtypes:
        if dtype.kind not in "biufc":
            raise TypeError(f"elements of {dtype} are not numbers that can be computed with")
    single = all(dtype.char in "fFe" for dtype in dtypes)
    complex_ = any(dtype.kind == "c" for dtype in dtypes)
    return np.dtype(("F" if single else "D") if complex_ else ("f" if single else "d"))


class Call:
    """One call: `with Call(a, b) as c`. The first array that is not NumPy's says where results belong, a Matrix before all."""

    def __init__(self, *arrays: Any, matrices: bool = False) -> None:
        self._operands = operands = [a if type(a) is np.ndarray else place_of(a) for a in arrays]
        others = [p for p in operands if isinstance(p, Place)]
        mine = [p for p in others if p.kind == "tesela"]
        gpus = [p for p in others if p.gpu is not None and p.kind != "tesela"]
        self.place = (mine or others or (_NUMPY,))[0]
        self.on_gpu = bool(gpus)
        if mine:
            self.context: Context = self.place.like._context
            if any(p.like._context is not self.context for p in mine):
                raise ValueError("the matrices were made on different devices")
        elif gpus:
            self.context = _context.on_gpu(gpus[0].gpu or 0)
        elif matrices:
            self.context = _context.current()
        else:
            self.context = _context.on_host(max([n for p in operands for n in (p.array if isinstance(p, Place) else p).shape], default=0))
        if gpus and (not self.context.on_gpu or any(p.gpu != self.context.ordinal for p in gpus)):
            raise ValueError("arrays on several devices")
        if matrices:
            self.place = Place("tesela", None, None, None)
        self.in_host_memory = self.place.gpu is None and self.place.kind != "tesela" and not self.context.one
        self._stream = self._current_stream(gpus) if gpus else None
        self._late = self._stream is not None and not matrices  # what is wrapped is used in this call only, which the stream orders
        self._kept: list[object] = []  # until the stream has been told

    @staticmethod
    def _current_stream(places: list[Place]) -> Optional[int]:
        """The stream on which the caller's own work on these arrays is ordered; None: their makers see to it (DLPack)."""
        for p in places:
            if p.kind == "torch":
                return int(sys.modules["torch"].cuda.current_stream(p.gpu).cuda_stream)
            if p.kind == "cupy":
                return int(sys.modules["cupy"].cuda.get_current_stream().ptr)
        return None

    def __enter__(self) -> Call:
        if self._stream is not None:
            if len(self.context.late) > 64:
                self.context.end_late()
            self.context("follow", self._stream)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        if self._stream is not None:
            self.context("precede", self._stream)
        elif self.on_gpu:
            self.context("wait")
        self._kept.clear()

    # ---- operands

    def take(self, *dims: tuple[int, ...], dtype: Optional[np.dtype[Any]] = None, double: bool = False) -> list[Matrix]:
        """The arrays as matrices of the context, of one type: their own memory, unless elements must be converted or lie in no order.
        `dims` are the numbers of dimensions that each may have."""
        found = [self._found(p) if isinstance(p, Place) else p for p in self._operands]
        if dtype is None:
            dtypes = [at.dtype for at in found]
            dtype = common_dtype(*dtypes, np.dtype("d")) if double else common_dtype(*dtypes)
        for at, allowed in zip(found, dims):
            if len(at.shape) not in allowed:
                raise ValueError(f"expected {' or '.join(map(str, allowed))} dimensions, got {len(at.shape)}")
        return [self._matrix(at, dtype) for at in found]

    def target(self, a: Any, dtype: np.dtype[Any]) -> Matrix:
        """The caller's array that a result of this type is to be copied to."""
        p = place_of(a)
        return self._matrix(self._found(p) if isinstance(p, Place) else p, dtype)

    def _found(self, p: Place) -> Union[np.ndarray[Any, Any], Array, Matrix]:
        """Where it is. Its maker's work on it goes before ours."""
        a = p.array
        if isinstance(a, (np.ndarray, Matrix)):
            return a
        if p.kind == "torch":
            return Array(a.data_ptr(), a.shape, a.stride(), _torch_types()[a.dtype], a, a)
        if hasattr(a, "__dlpack__") and p.kind != "cupy":
            return _dlpack.read(a, library().stream(self.context.handle) or 1)
        return _interface_array(a, self.context)

    def _matrix(self, at: Union[np.ndarray[Any, Any], Array, Matrix], dtype: np.dtype[Any]) -> Matrix:
        if isinstance(at, np.ndarray):
            return of_numpy(self.context, at if at.dtype == dtype else at.astype(dtype))
        m = at if isinstance(at, Matrix) else self._wrapped(at)
        return m if m.dtype == dtype else m.astype(dtype)

    def _wrapped(self, at: Array) -> Matrix:
        a, ndim = at.array, len(at.shape)
        shape, strides = (at.shape, at.strides) if ndim == 2 else (at.shape + (1,), at.strides + (1,))
        layout = layout_of(shape, strides)
        if layout is None:
            if not hasattr(a, "contiguous") and not hasattr(a, "copy"):
                raise ValueError("the array is stored neither by rows nor by columns")
            whole = a.contiguous() if hasattr(a, "contiguous") else a.copy(order="C")
            if self._stream is not None:  # the copy, too, is on the caller's stream
                self.context("follow", self._stream)
            return self.target(whole, at.dtype)
        self._kept.append(at.keep)
        return wrapped(self.context, at.dtype, shape, at.address, layout, at.keep, False, self._late, ndim, a)

    # ---- what the call makes

    def new(self, m: int, n: int, dtype: np.dtype[Any], by_rows: bool = False) -> Matrix:
        """m x n, undefined, in the memory where results belong; on one device with a memory of its own, in that."""
        p = self.place
        order: Any = "C" if by_rows else "F"
        if p.kind == "torch" and p.gpu is not None:
            strides = (max(1, n), 1) if by_rows else (1, max(1, m))
            t = sys.modules["torch"].empty_strided((m, n), strides, dtype=_torch_types()[dtype], device=p.like.device)
            return self._wrapped(Array(t.data_ptr(), (m, n), strides, dtype, t, t))
        if p.kind == "cupy":
            return self.target(sys.modules["cupy"].empty((m, n), dtype, order=order), dtype)
        if self.in_host_memory:
            return of_whole(self.context, np.empty((m, n), dtype, order), by_rows)
        return made(self.context, dtype, n, m).T if by_rows else made(self.context, dtype, m, n)

    def pivots(self, n: int) -> Matrix:
        """A column for n pivots, as new."""
        if self.in_host_memory:
            return of_whole(self.context, np.empty((n, 1), np.int64))
        return made(self.context, np.dtype(np.int64), n, 1)

    def copied(self, a: Matrix, any_order: bool = False) -> Matrix:
        """A copy to be overwritten, by columns. In any order: a large one in the host's memory as it lies, so that no element changes its
        neighbours."""
        turned, small = a._op == TRANS, a._rows * a._cols < SMALL
        if self.in_host_memory and isinstance(a._object, np.ndarray) and (any_order or not turned or small):
            by_rows = turned and not small
            copy = of_whole(self.context, np.array(a._object, order="C" if by_rows else "F"), by_rows)
        else:
            copy = self.new(a._rows, a._cols, a.dtype)
            if copy.size:
                move("copy", a, copy)
        copy._ndim = a._ndim
        return copy

    def overwritten(self, a: Matrix, original: Any, allowed: bool, any_order: bool = False) -> Matrix:
        """What an operation may overwrite: `a` itself, if that is allowed and it is the caller's own memory, else a copy."""
        return a if self.may_overwrite(a, original, allowed, any_order) else self.copied(a, any_order)

    def may_overwrite(self, a: Matrix, original: Any, allowed: bool, any_order: bool = False) -> bool:
        return allowed and (any_order or a._op == NOTRANS) and _is_own(a, original)

    def hand(self, m: Matrix, ndim: Optional[int] = None) -> Any:
        """The matrix as a result: of the kind of the arguments, where they are."""
        m._ndim = m._ndim if ndim is None else ndim
        p = self.place
        if p.kind == "tesela":
            return m
        if m._object is None and p.gpu is None:
            host = of_whole(self.context, np.empty((m._rows, m._cols), m.dtype, "F"))
            if host.size:
                move("copy", m, host)
            host._ndim = m._ndim
            m = host
        if p.kind == "numpy":
            return _shaped(m._object, m)
        if p.kind == "torch":
            t = m._object if not isinstance(m._object, np.ndarray) else sys.modules["torch"].from_numpy(m._object)
            return _shaped(t, m)
        if p.kind == "cupy":
            return _shaped(m._object, m)
        return self._by_dlpack(m)

    def _by_dlpack(self, m: Matrix) -> Any:
        like = self.place.like
        space = like.__array_namespace__() if hasattr(like, "__array_namespace__") else None
        if space is None or not hasattr(space, "from_dlpack"):
            return m if self.place.gpu is not None else _shaped(m._object, m)
        if self.place.gpu is None:
            return space.asarray(np.ascontiguousarray(_shaped(m._object, m)))
        return space.from_dlpack(by_rows(m))

    def hand_numbers(self, a: np.ndarray[Any, Any]) -> Any:
        """A NumPy array (pivots) beside such results."""
        if self.place.kind == "torch":
            return sys.modules["torch"].from_numpy(np.asarray(a)).to(self.place.like.device)
        if self.place.kind == "cupy":
            return sys.modules["cupy"].asarray(a)
        return a

    def within(self, compute: Callable[[], Result]) -> Result:
        """compute(), in the device's memory; where that is too small, in the host's, by parts."""
        try:
            return compute()
        except MemoryError:
            if self.in_host_memory or self.place.gpu is not None or self.place.kind == "tesela":
                raise
            self.in_host_memory = True
            return compute()


def _shaped(array: Any, m: Matrix) -> Any:
    if m._ndim == 1 and len(array.shape) == 2:
        return array[:, 0] if array.shape[1] == 1 else array.reshape(-1)
    return array


def _is_own(a: Matrix, original: Any) -> bool:
    """Is this the memory of the caller's own array, for him to see what is written there?"""
    if isinstance(original, np.ndarray):
        same = isinstance(a._object, np.ndarray) and address_of(a._object) == address_of(original)
        return same and original.dtype == a.dtype and bool(original.flags.writeable)
    if isinstance(a._object, np.ndarray) and _is_of(original, "torch", "Tensor"):
        return address_of(a._object) == int(original.data_ptr())
    return a is original or a._object is original

