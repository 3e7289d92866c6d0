"""Distributed arrays: each process's part is a NumPy array, in which the library reads and writes."""

from __future__ import annotations

import ctypes
import weakref
from types import SimpleNamespace
from typing import Any, Literal, Optional

import numpy as np

from .._arrays.kinds import common_dtype
from .._calls.library import View
from ._grid import Grid
from ._layouts import Along, BlockCyclic, Columns, Copies, Layout, Placed, Rows, placed
from ._library import library

TYPES = {"f": 0, "d": 1, "F": 2, "D": 3, "l": 4, "q": 4}  # tsl_type, by NumPy's letters
Order = Literal["F", "C"]
Part = np.ndarray[Any, np.dtype[Any]]


class Array:
    """A matrix, or a vector, distributed over a grid.

    shape, dtype  of all of it
    layout        which process has what
    local         this process's part, no copy: what is written there is in the matrix
    order         'F' or 'C': how parts are stored, by columns or by rows
    """

    __module__ = "tesela.distributed"
    __array_priority__ = 100

    def __init__(self, grid: Grid, shape: tuple[int, ...], layout: Layout, local: Part, order: Order) -> None:
        """The parts of all processes, as they are."""
        self.grid, self.shape, self.layout, self.local, self.order = grid, shape, layout, local, order
        self.dtype = local.dtype
        m, n = self.rows, self.columns
        part = _flat(local, placed(grid, layout, m, n), m, n)
        stored = part.T if order == "C" else part
        step = stored.strides[1] // stored.itemsize if stored.shape[1] > 1 and stored.size else 0
        handle = ctypes.c_void_p()
        structure = placed(grid, layout, m, n).structure(order == "C")
        sizes = (n, m) if order == "C" else (m, n)
        x = grid.context
        x.run(library().matrix_wrap_on, "wrap", structure, TYPES[self.dtype.char], *sizes, stored.ctypes.data if stored.size else None,
              max(1, step, stored.shape[0]), handle)
        self._handle = handle
        weakref.finalize(self, _free, x.library, handle).atexit = False
        whole = x.library.whole(handle)
        self._view: View = x.library.trans(whole) if order == "C" else whole

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def rows(self) -> int:
        return self.shape[0]

    @property
    def columns(self) -> int:
        return self.shape[1] if len(self.shape) == 2 else 1

    def block(self, m: int, n: int) -> View:
        """Its first m rows and n columns"""
        view: View = self.grid.context.library.sub(self._view, 0, 0, m, n)
        return view

    def indices(self, axis: int) -> Any:
        """The numbers, in all of the array, of the rows (axis 0) or columns of the local part."""
        return placed(self.grid, self.layout, self.rows, self.columns).indices(axis, (self.rows, self.columns)[axis])

    def to(self, layout: Layout, order: Order = "F") -> Array:
        """The same in another layout, or another copy in this one."""
        other = empty(self.grid, self.shape, self.dtype, layout, order)
        self.grid.context.run(self.grid.context.library.copy, "copy", self._view, other._view)
        return other

    def astype(self, dtype: Any) -> Array:
        """With other elements. Each process converts its part."""
        return Array(self.grid, self.shape, self.layout, self.local.astype(dtype, order=self.order), self.order)

    def gather(self, rank: int = 0) -> Optional[Part]:
        """All of it as a NumPy array on the process of this rank, None on the others."""
        all_ = self.to(Copies(rank)).local
        return all_ if self.grid.rank == rank else None

    def everywhere(self) -> Part:
        """All of it as a NumPy array on every process."""
        return self.to(Copies()).local

    def __array__(self, *unused: Any, **words: Any) -> Part:
        raise TypeError("a distributed array is no NumPy array: use its local, gather() or everywhere()")

    def __repr__(self) -> str:
        return f"Array(shape={self.shape}, dtype={self.dtype}, {self.layout}, local part of {self.local.shape})"


def _free(lib: SimpleNamespace, handle: ctypes.c_void_p) -> None:
    if not lib.ending:
        lib.matrix_free(handle)


def _flat(local: Part, at: Placed, m: int, n: int) -> Part:
    """A part as a matrix of rows and columns."""
    return local if local.ndim == 2 else local.reshape(at.count(0, m), at.count(1, n))


def _part_shape(shape: tuple[int, ...], at: Placed) -> tuple[int, ...]:
    if len(shape) == 2:
        return at.count(0, shape[0]), at.count(1, shape[1])
    return (at.count(0, shape[0]) * at.count(1, 1),)


def empty(grid: Grid, shape: tuple[int, ...], dtype: Any, layout: Layout, order: Order = "F") -> Array:
    if order not in ("F", "C"):
        raise ValueError(f"order={order!r} is neither 'F' nor 'C'")
    at = placed(grid, layout, shape[0], shape[1] if len(shape) == 2 else 1)
    return Array(grid, shape, layout, np.empty(_part_shape(shape, at), dtype, order=order), order)


def _need_grid(grid: Any) -> None:
    if not isinstance(grid, Grid):
        raise TypeError(f"grid={grid!r} is no tesela.distributed.Grid")


def _need_dimensions(shape: tuple[int, ...]) -> Optional[str]:
    return None if len(shape) in (1, 2) else f"an array of {len(shape)} dimensions: one or two can be distributed"


def distribute(array: Any, layout: Optional[Layout] = None, *, grid: Grid, root: Optional[int] = None, order: Order = "F") -> Array:
    """An array that every process has, or with `root` that of this process, the others giving None, in this layout (BlockCyclic()). A copy."""
    _need_grid(grid)
    layout = BlockCyclic() if layout is None else layout
    has = root is None or grid.rank == root
    if root is not None:
        placed(grid, Copies(root), 0, 0)
    a = np.asarray(array) if has else np.empty((0, 0))
    problem = _need_dimensions(a.shape) if has else None
    dtype = a.dtype
    if has and not problem:
        try:
            dtype = common_dtype(a.dtype)
        except TypeError as why:
            problem = str(why)
    grid.agree(problem)
    if root is None:
        result = empty(grid, a.shape, dtype, layout, order)
        index = result.indices(0), result.indices(1)
        result.local[...] = (a if a.ndim == 2 else a[:, None])[np.ix_(*index)].reshape(result.local.shape)
        return result
    said = [int(grid.largest(number if has else 0)) for number in (a.ndim, *(*a.shape, 0)[:2], "fdFD".find(dtype.char))]
    shape = tuple(said[1:1 + said[0]])
    whole = empty(grid, shape, np.dtype("fdFD"[said[3]]), Copies(root))
    if has:
        whole.local[...] = a
    return whole.to(layout, order)


def from_local(local: Any, grid: Grid, layout: Optional[Layout] = None, shape: Optional[tuple[int, ...]] = None) -> Array:
    """The parts of all processes as they are: no copy, whatever their order. Without a layout they are blocks of rows, rank by rank. `shape`, of all of
    the array, is needed for BlockCyclic only. Parts of rows, or columns, are of one size, the last ones smaller or empty; all parts are NumPy arrays of
    single or double precision, stored by rows, or all by columns."""
    _need_grid(grid)
    layout = Rows() if layout is None else layout
    problem = None
    if not isinstance(local, np.ndarray) or local.dtype.char not in "fdFD":
        what = f"an array of {local.dtype}" if isinstance(local, np.ndarray) else type(local).__name__
        problem = f"the local part is {what}: it must be a NumPy array of float32, float64, complex64 or complex128"
    else:
        problem = _need_dimensions(local.shape)
        if not problem and shape is not None and len(shape) != local.ndim:
            problem = f"the shape {shape} has not the {local.ndim} dimensions of the local part"
        if not problem and not local.flags.writeable:
            problem = "the local part cannot be written to"
    if not problem and isinstance(layout, Columns) and local.ndim == 1:
        problem = "a vector has no columns to distribute: Rows() or BlockCyclic()"
    if not problem and not isinstance(layout, (BlockCyclic, Rows, Columns)):
        problem = f"layout={layout!r} is none of BlockCyclic, Rows, Columns"
    if not problem and isinstance(layout, BlockCyclic) and shape is None:
        problem = "the shape of all of the array is needed for BlockCyclic"
    grid.agree(problem)
    if isinstance(layout, (Rows, Columns)):
        layout, shape = _from_shares(local, grid, layout, shape)
    assert shape is not None
    at = placed(grid, layout, shape[0], shape[1] if len(shape) == 2 else 1)
    want = _part_shape(shape, at)
    grid.agree(None if local.shape == want else f"the local part is {local.shape}, and of {shape} by {layout} this process has {want}")
    part = _flat(local, at, shape[0], shape[1] if len(shape) == 2 else 1)
    by_columns, by_rows = (not grid.largest(not _contiguous(p)) for p in (part, part.T))
    grid.agree(None if by_columns or by_rows else "the parts must all be contiguous by rows, or all by columns: numpy.ascontiguousarray makes a copy that is")
    return Array(grid, shape, layout, local, "F" if by_columns and local.ndim == 1 or not by_rows else "C")


def _contiguous(part: Part) -> bool:
    """Columns that the library can take: without gaps, one after the other"""
    m, n = part.shape
    item = part.itemsize
    return part.size == 0 or ((m == 1 or part.strides[0] == item) and (n == 1 or (part.strides[1] % item == 0 and part.strides[1] >= m * item)))


def _from_shares(local: Part, grid: Grid, layout: Any, shape: Optional[tuple[int, ...]]) -> tuple[Layout, tuple[int, ...]]:
    """The size of a block, and of all of the array, from the sizes of the parts."""
    d = int(isinstance(layout, Columns))
    own = local.shape[d]
    share = layout.nb or int(grid.largest(own))
    if shape is None:
        total = int(grid.largest(grid.rank * share + own if own else 0))
        shape = tuple(total if axis == d else int(grid.largest(size)) for axis, size in enumerate(local.shape))
    even = max(1, -(-shape[d] // grid.size))
    if layout.nb is None and share > 0 and share != even:
        layout = type(layout)(share)
    return layout, shape


__all__ = ["Along", "Array", "BlockCyclic", "Columns", "Rows", "distribute", "empty", "from_local"]
