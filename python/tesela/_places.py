"""Arrays of others (NumPy, PyTorch, CuPy, whatever has DLPack): where they are, and results of their kind there.

An operation is written once, over matrices; a Call sees to it that its operands are matrices of one context, that what it makes is made
where its results belong, and that it keeps its place among the work on the caller's stream.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Callable, NamedTuple, Optional, TypeVar

import numpy as np

from . import _context, _dlpack, _library
from ._context import Context
from ._dlpack import Array
from ._library import library
from ._matrix import Matrix
from ._storage import SMALL, address_of, by_rows, layout_of, made, move, of_numpy, wrapped


Result = TypeVar("Result")


class Place(NamedTuple):
    """A kind of array on a device. `gpu` is the number of the GPU, None on the host."""

    kind: str  # numpy, tesela, torch, cupy, or other
    gpu: Optional[int]
    like: Any


def _is_of(a: Any, module: str, name: str) -> bool:
    """Is it of this class of a module that somebody has imported?"""
    return isinstance(a, getattr(sys.modules.get(module), name, ()))


def place_of(a: Any) -> Place:
    if isinstance(a, Matrix):
        return Place("tesela", a._context.ordinal if a._context.on_gpu else None, a)
    if isinstance(a, (np.ndarray, np.generic)):
        return Place("numpy", None, a)
    if _is_of(a, "torch", "Tensor"):
        return Place("torch", a.device.index if a.device.type == "cuda" else None, a)
    if _is_of(a, "cupy", "ndarray"):
        return Place("cupy", int(a.device.id), a)
    if hasattr(a, "__dlpack_device__"):
        kind, number = a.__dlpack_device__()
        if int(kind) == _dlpack.CUDA:
            return Place("other", int(number), a)
        if int(kind) == _dlpack.CPU:
            return Place("other", None, a)
        raise TypeError(f"an array on a device of DLPack's kind {int(kind)}: only the host's and CUDA's can be used")
    if hasattr(a, "__cuda_array_interface__"):
        return Place("other", _context.current().ordinal, a)
    return Place("numpy", None, a)


def _torch_array(t: Any) -> Array:
    if t.requires_grad:
        raise TypeError("the tensor requires grad, which Tesela does not keep account of: detach() it")
    if t.device.type not in ("cpu", "cuda"):
        raise TypeError(f"a tensor on {t.device}: only the host and CUDA can be used")
    t = t.resolve_conj().resolve_neg()
    name = str(t.dtype).partition(".")[2]
    if name not in ("float32", "float64", "complex64", "complex128"):
        raise TypeError(f"elements are of float32, float64, complex64 or complex128, not {name}")
    return Array(t.data_ptr(), tuple(t.shape), tuple(t.stride()), np.dtype(name), t)


def _interface_array(a: Any, context: Context) -> Array:
    i = a.__cuda_array_interface__
    dtype = np.dtype(i["typestr"])
    if dtype.char not in "fdFD":
        raise TypeError(f"elements are of float32, float64, complex64 or complex128, not {dtype}")
    shape = tuple(i["shape"])
    strides = i.get("strides")
    if strides is None:
        strides = tuple(dtype.itemsize * int(np.prod(shape[k + 1:], dtype=np.int64)) for k in range(len(shape)))
    if i.get("stream") is not None:
        context("follow", i["stream"])
    return Array(i["data"][0], shape, tuple(s // dtype.itemsize for s in strides), dtype, a)


def common_dtype(dtypes: list[np.dtype[Any]]) -> np.dtype[Any]:
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
        places = [place_of(a) for a in arrays]
        self.place = next((p for p in places if p.kind == "tesela"), next((p for p in places if p.kind != "numpy"), places[0]))
        mine = [p.like._context for p in places if p.kind == "tesela"]
        gpus = [p.gpu for p in places if p.kind != "tesela" and p.gpu is not None]
        self.on_gpu = bool(gpus)
        if mine:
            self.context: Context = mine[0]
            if any(other is not self.context for other in mine):
                raise ValueError("the matrices were made on different devices")
        elif gpus:
            self.context = _context.on_gpu(gpus[0])
        elif matrices:
            self.context = _context.current()
        else:
            self.context = _context.on_host(max((max(np.shape(a), default=0) for a in arrays), default=0))
        if gpus and (not self.context.on_gpu or any(gpu != self.context.ordinal for gpu in gpus)):
            raise ValueError("arrays on several devices")
        if matrices:
            self.place = Place("tesela", None, None)
        self.in_host_memory = self.place.gpu is None and self.place.kind != "tesela" and not self.context.one
        self._stream = self._current_stream([p for p in places if p.gpu is not None]) if gpus else None
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
            self.context("follow", self._stream)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        if self._stream is not None:
            self.context("precede", self._stream)
        elif self.on_gpu:
            self.context("wait")
        self._kept.clear()

    # ---- operands

    def dtype(self, *arrays: Any) -> np.dtype[Any]:
        return common_dtype([_dtype(a) for a in arrays])

    def take(self, a: Any, dtype: Any = None, dims: tuple[int, ...] = (1, 2)) -> Matrix:
        """`a` as a matrix of the context: its own memory, unless its elements must be converted or lie in no order."""
        m = self._view(a, dtype)
        if m._ndim not in dims:
            raise ValueError(f"expected {' or '.join(map(str, dims))} dimensions, got {m._ndim}")
        wanted = common_dtype([m.dtype]) if dtype is None else np.dtype(dtype)
        return m if m.dtype == wanted else m.astype(wanted)

    def _view(self, a: Any, dtype: Any) -> Matrix:
        if isinstance(a, Matrix):
            return a
        p = place_of(a)
        if p.kind == "numpy" or (p.gpu is None and p.kind == "other"):
            host = np.asarray(a) if p.kind == "numpy" else np.from_dlpack(a)
            if host.ndim not in (1, 2):
                raise ValueError(f"expected a matrix or a vector, got {host.ndim} dimensions")
            wanted = common_dtype([host.dtype]) if dtype is None else np.dtype(dtype)
            return of_numpy(self.context, host if host.dtype == wanted else host.astype(wanted))
        if p.kind == "torch":
            at = _torch_array(a)
            a = at.keep
        elif hasattr(a, "__dlpack__") and p.kind != "cupy":
            at = _dlpack.read(a, library().tsl_stream(self.context.handle) or 1)
        else:
            at = _interface_array(a, self.context)
        return self._wrapped(at, a, p.gpu is None)

    def _wrapped(self, at: Array, a: Any, on_host: bool) -> Matrix:
        if len(at.shape) not in (1, 2):
            raise ValueError(f"expected a matrix or a vector, got {len(at.shape)} dimensions")
        shape = (at.shape[0], at.shape[1] if len(at.shape) == 2 else 1)
        strides = (at.strides[0], at.strides[1] if len(at.shape) == 2 else 1)
        layout = layout_of(shape, strides)
        if layout is None:
            if not hasattr(a, "contiguous") and not hasattr(a, "copy"):
                raise ValueError("the array is stored neither by rows nor by columns")
            return self._view(a.contiguous() if hasattr(a, "contiguous") else a.copy(order="C"), None)
        m = wrapped(self.context, at.dtype, shape, at.address, layout, at.keep, on_host, self._late)
        self._kept.append(at.keep)
        m._ndim = len(at.shape)
        m._object = a
        return m

    # ---- what the call makes

    def new(self, m: int, n: int, dtype: Any, by_rows: bool = False) -> Matrix:
        """m x n, undefined, in the memory where results belong; on one device with a memory of its own, in that."""
        p, dtype = self.place, np.dtype(dtype)
        order: Any = "C" if by_rows else "F"
        if p.kind == "torch" and (p.gpu is not None or self.in_host_memory):
            torch = sys.modules["torch"]
            strides = (max(1, n), 1) if by_rows else (1, max(1, m))
            t = torch.empty_strided((m, n), strides, dtype=getattr(torch, dtype.name), device=p.like.device)
            return self._wrapped(Array(t.data_ptr(), (m, n), strides, dtype, t), t, p.gpu is None)
        if p.kind == "cupy":
            return self._view(sys.modules["cupy"].empty((m, n), dtype, order=order), None)
        if self.in_host_memory:
            return of_numpy(self.context, np.empty((m, n), dtype, order=order))
        return made(self.context, dtype, n, m).T if by_rows else made(self.context, dtype, m, n)

    def pivots(self, n: int) -> Matrix:
        """A column for n pivots, as new."""
        if self.in_host_memory:
            return of_numpy(self.context, np.empty((n, 1), np.int64, order="F"))
        return made(self.context, np.dtype(np.int64), n, 1)

    def copied(self, a: Matrix, any_order: bool = False) -> Matrix:
        """A copy to be overwritten. In any order: in the host's memory as it lies, so that no element changes its neighbours."""
        turned = a._view.op == _library.TRANS
        if self.in_host_memory and isinstance(a._object, np.ndarray) and (any_order or not turned or a.size < SMALL):
            copy = of_numpy(self.context, np.array(a._object, order="C" if any_order and turned else "F"))
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
        return allowed and (any_order or a._view.op == _library.NOTRANS) and _is_own(a, original)

    def hand(self, m: Matrix, ndim: Optional[int] = None) -> Any:
        """The matrix as a result: of the kind of the arguments, where they are."""
        m._ndim = m._ndim if ndim is None else ndim
        p = self.place
        if p.kind == "tesela":
            return m
        if m._object is None and p.gpu is None:
            host = np.empty((m._rows, m._cols), m.dtype, order="F")
            if host.size:
                move("copy", m, of_numpy(self.context, host))
            m, m._object = of_numpy(self.context, host), host
            m._ndim = 2 if ndim is None else ndim
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
    return a is original or a._object is original


def _dtype(a: Any) -> np.dtype[Any]:
    if isinstance(a, Matrix):
        return a.dtype
    if _is_of(a, "torch", "Tensor"):
        name = str(a.dtype).partition(".")[2]
        return np.dtype(str(name if name != "bfloat16" else "V2"))
    return np.dtype(a.dtype) if hasattr(a, "dtype") else np.asarray(a).dtype
