"""Arrays of others as operands, and results of their kind where they are.

An operation is written once, over matrices; a Call sees to it that its operands are matrices of one context, that what it makes is made
where its results belong, and that it keeps its place among the work on the caller's stream.
"""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any, Callable, Optional, Sequence, TypeVar, Union

import numpy as np

from . import dlpack as _dlpack
from .._calls import context as _context
from .._calls.context import Context
from .dlpack import Array
from .kinds import Place, common_dtype, interface_array, is_of, named, place_of, stream_of, torch_types
from .._calls.library import NOTRANS, TRANS, library
from .matrix import Matrix
from .storage import SMALL, address_of, by_rows, fetch, in_tiles, layout_of, made, move, of_numpy, of_whole, wrapped

Result = TypeVar("Result")

_NUMPY = Place("numpy", None, None, None)


class Call:
    """One call: `with Call(a, b) as c`. The first array that is not NumPy's says where results belong, a Matrix before all."""

    def __init__(self, *arrays: Any, matrices: bool = False, names: Sequence[str] = "ab") -> None:
        self._names, self._given = names, arrays
        self._operands = operands = [a if type(a) is np.ndarray else named(name, a) for name, a in zip(names, arrays)]
        others = [p for p in operands if isinstance(p, Place)]
        mine = [p for p in others if p.kind == "tesela"]
        self._gpus = gpus = [p for p in others if p.gpu is not None and p.kind != "tesela"]
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
        self._for_host = self.place.gpu is None and self.place.kind != "tesela"  # that is where results belong
        self.in_host_memory = self._for_host and not self.context.one  # what the call makes
        self._made = False  # on the device
        self._streams: list[int] = []  # of the callers' kinds of arrays, whose work goes before ours, and after
        self._waits = False  # at the end: somebody has no stream that says when his array is free again
        # What is wrapped is used in this call only, which streams order.
        self._late = bool(gpus) and not mine and not matrices and all(p.kind in ("torch", "cupy") for p in gpus)
        self._kept: list[object] = []  # until the streams have been told

    def __enter__(self) -> Call:
        if self._gpus:
            if len(self.context.late) > 64:
                self.context.end_late()
            self._follow(self._gpus)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        for stream in self._streams:
            self.context.order("precede", stream)
        if self._waits:
            self.context("wait")
        self._kept.clear()

    def _follow(self, places: list[Place]) -> None:
        """Work on these arrays goes before ours, and what comes after the call goes after it."""
        for p in {p.kind: p for p in places}.values():  # all are on one device
            stream = stream_of(p)
            if stream is None:
                self._waits = True
            elif stream not in self._streams:
                self._streams.append(stream)
                self.context.order("follow", stream)

    # ---- operands

    def take(self, *dims: tuple[int, ...], dtype: Optional[np.dtype[Any]] = None, double: bool = False) -> list[Matrix]:
        """The arrays as matrices of the context, of one type: their own memory, unless elements must be converted or lie in no order.
        `dims` are the numbers of dimensions that each may have."""
        found = [self._found_named(name, p) if isinstance(p, Place) else p for name, p in zip(self._names, self._operands)]
        if dtype is None:
            dtypes = [at.dtype for at in found]
            try:
                dtype = common_dtype(*dtypes, np.dtype("d")) if double else common_dtype(*dtypes)
            except TypeError as why:
                wrong = [name for name, each in zip(self._names, dtypes) if each.kind not in "biufc"]
                raise TypeError(f"{wrong[0]}: {why}") from None
        for at, allowed, name in zip(found, dims, self._names):
            if len(at.shape) not in allowed:
                raise ValueError(f"{name}: expected {' or '.join(map(str, allowed))} dimensions, got {len(at.shape)}")
        return [self._matrix(at, dtype) for at in found]

    def deliver(self, m: Matrix, out: Any) -> None:
        """Copies a result to the caller's array that need_out has let pass; elements are converted on the way if need be."""
        p = place_of(out)
        at = self._found_with(p) if isinstance(p, Place) else p
        m._ndim = len(at.shape)
        if isinstance(at, Matrix):
            at[...] = m if m._context is at._context else fetch(m)
        elif isinstance(at, np.ndarray):
            to = of_numpy(self.context, at) if at.dtype == m.dtype else None
            if to is not None and address_of(to._object) == address_of(at):
                move("copy", m, to)
            else:
                at[...] = fetch(m)
        else:
            to = self._wrapped(at)
            move("copy", m if m.dtype == to.dtype else m.astype(to.dtype), to)
            if to._object is not at.array:  # one that lies in no order
                for stream in self._streams:
                    self.context.order("precede", stream)
                at.array[...] = to._object

    def _found_with(self, p: Place) -> Union[np.ndarray[Any, Any], Array, Matrix]:
        """Of an array that is not among the operands."""
        if p.gpu is not None and p.kind != "tesela":
            if not self.context.on_gpu or p.gpu != self.context.ordinal:
                raise ValueError("arrays on several devices")
            self._follow([p])
        return self._found(p)

    def _found_named(self, name: str, p: Place) -> Union[np.ndarray[Any, Any], Array, Matrix]:
        try:
            return self._found(p)
        except TypeError as why:
            raise TypeError(f"{name}: {why}") from None

    def _found(self, p: Place) -> Union[np.ndarray[Any, Any], Array, Matrix]:
        """Where it is. Its maker's work on it goes before ours."""
        a = p.array
        if isinstance(a, (np.ndarray, Matrix)):
            return a
        if p.kind == "torch":
            return Array(a.data_ptr(), a.shape, a.stride(), torch_types()[a.dtype], a, a)
        if hasattr(a, "__dlpack__") and p.kind != "cupy":
            return _dlpack.read(a, library().stream(self.context.handle) or 1)
        return interface_array(a, self.context)

    def _matrix(self, at: Union[np.ndarray[Any, Any], Array, Matrix], dtype: np.dtype[Any]) -> Matrix:
        if isinstance(at, np.ndarray):
            return of_numpy(self.context, at if at.dtype == dtype else at.astype(dtype))
        m = at if isinstance(at, Matrix) else self._wrapped(at)
        return m if m.dtype == dtype else m.astype(dtype)

    def _of(self, a: Any) -> Matrix:
        """An array that was made in this call for one of its own kind."""
        p = place_of(a)
        at = self._found(p) if isinstance(p, Place) else p
        return self._matrix(at, at.dtype)

    def _wrapped(self, at: Array) -> Matrix:
        a, ndim = at.array, len(at.shape)
        shape, strides = (at.shape, at.strides) if ndim == 2 else (at.shape + (1,), at.strides + (1,))
        layout = layout_of(shape, strides)
        if layout is None:
            if not hasattr(a, "contiguous") and not hasattr(a, "copy"):
                raise ValueError("the array is stored neither by rows nor by columns")
            whole = a.contiguous() if hasattr(a, "contiguous") else a.copy(order="C")
            for stream in self._streams:  # the copy, too, is on its owner's stream
                self.context.order("follow", stream)
            return self._of(whole)
        self._kept.append(at.keep)
        return wrapped(self.context, at.dtype, shape, at.address, layout, at.keep, False, self._late, ndim, a)

    # ---- what the call makes

    def new(self, m: int, n: int, dtype: np.dtype[Any], by_rows: bool = False) -> Matrix:
        """m x n, undefined, in the memory where results belong; on one device with a memory of its own, in that."""
        p = self.place
        order: Any = "C" if by_rows else "F"
        if p.kind == "torch" and p.gpu is not None:
            strides = (max(1, n), 1) if by_rows else (1, max(1, m))
            t = sys.modules["torch"].empty_strided((m, n), strides, dtype=torch_types()[dtype], device=p.like.device)
            return self._wrapped(Array(t.data_ptr(), (m, n), strides, dtype, t, t))
        if p.kind == "cupy":
            return self._of(sys.modules["cupy"].empty((m, n), dtype, order=order))
        if self.in_host_memory:
            return of_whole(self.context, np.empty((m, n), dtype, order), by_rows)
        self._made = True
        return made(self.context, dtype, n, m).T if by_rows else made(self.context, dtype, m, n)

    def pivots(self, n: int) -> Matrix:
        """A column for n pivots, as new."""
        if self.in_host_memory:
            return of_whole(self.context, np.empty((n, 1), np.int64))
        self._made = True
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
        """All that a call overwrites is in one memory: where it has the caller's in the host's, the rest is made there, too. So nothing of his
        is overwritten when the device turns out to be too small, and the call begins again."""
        if not (allowed and (any_order or a._op == NOTRANS) and _is_own(a, original) and self._alone(original)):
            return False
        if a._store.on_host and not self.in_host_memory:
            self.in_host_memory = self._for_host and not self._made
            return self.in_host_memory
        return True

    def _alone(self, original: Any) -> bool:
        """Is no other operand in its memory? What one may overwrite, another may have to be read from."""
        others: list[Any] = [p.like if isinstance(p, Place) else p for a, p in zip(self._given, self._operands) if a is not original]
        if len(others) < len(self._operands) - 1:
            return False
        if isinstance(original, np.ndarray):
            return not any(isinstance(p, np.ndarray) and np.may_share_memory(p, original) for p in others)
        if is_of(original, "torch", "Tensor"):
            return not any(is_of(p, "torch", "Tensor") and p.untyped_storage().data_ptr() == original.untyped_storage().data_ptr() for p in others)
        return True

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
            if self.in_host_memory or not self._for_host:
                raise
        self.in_host_memory = True  # the error is gone, and with it what it held on the device
        return compute()

    def by_parts(self, compute: Callable[[Matrix], None], A: Matrix, X: Matrix) -> None:
        """compute(A), whose result is X, of an operation that sees by itself to no parts of a flat matrix; where the devices' memory is too
        small for A, and both are in the host's, with A in tiles."""
        in_host_memory = A._store.on_host and X._store.on_host and not self.context.on_host
        if not (in_host_memory and self.context.one):  # else it has turned out to be too small
            try:
                return compute(A)
            except MemoryError:
                if not in_host_memory:
                    raise
        compute(in_tiles(A))


def _shaped(array: Any, m: Matrix) -> Any:
    if m._ndim == 1 and len(array.shape) == 2:
        return array[:, 0] if array.shape[1] == 1 else array.reshape(-1)
    return array


def _is_own(a: Matrix, original: Any) -> bool:
    """Is this the memory of the caller's own array, for him to see what is written there?"""
    if isinstance(original, np.ndarray):
        same = isinstance(a._object, np.ndarray) and address_of(a._object) == address_of(original)
        return same and original.dtype == a.dtype and bool(original.flags.writeable)
    if isinstance(a._object, np.ndarray) and is_of(original, "torch", "Tensor"):
        return address_of(a._object) == int(original.data_ptr())
    return a is original or a._object is original

