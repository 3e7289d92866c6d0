"""Which process has which rows and columns."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np

from . import _library
from ._grid import Grid
from ._library import EVERY, OVER_COLS, OVER_NONE, OVER_ROWS

Indices = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class BlockCyclic:
    """Blocks of nb x nb over the grid's rows and columns in turn: what the library computes with. None: the grid's block."""

    __module__ = "tesela.distributed"
    nb: Optional[int] = None


@dataclass(frozen=True)
class Rows:
    """Process r has the r-th of equal blocks of rows: nb, or as many as make one for each process, the last ones fewer or none, as of
    torch.chunk."""

    __module__ = "tesela.distributed"
    nb: Optional[int] = None


@dataclass(frozen=True)
class Columns:
    """The same of columns."""

    __module__ = "tesela.distributed"
    nb: Optional[int] = None


@dataclass(frozen=True)
class Copies:
    """All of it on every process, or on that of one rank."""

    rank: Optional[int] = None


@dataclass(frozen=True)
class Along:
    """A vector whose elements lie with the rows of a matrix in blocks, with a copy in every process column."""


Layout = Union[BlockCyclic, Rows, Columns, Copies, Along]


@dataclass(frozen=True)
class Placed:
    """A layout of m x n elements on a grid: its shape, and for both dimensions the direction they are distributed over, in blocks."""

    grid: Grid
    shape: tuple[int, int]
    over: tuple[int, int]
    nb: tuple[int, int]
    fixed: tuple[int, int] = (EVERY, EVERY)

    def indices(self, d: int, n: int) -> Indices:
        """Of this process, of n rows (d = 0) or columns."""
        place = self.grid.place(*self.shape)
        if any(fixed not in (EVERY, at) for fixed, at in zip(self.fixed, place)):
            return np.arange(0)
        all_ = np.arange(n)
        if self.over[d] == OVER_NONE:
            return all_
        direction = 0 if self.over[d] == OVER_ROWS else 1
        here: Indices = all_[all_ // self.nb[d] % self.shape[direction] == place[direction]]
        return here

    def count(self, d: int, n: int) -> int:
        return len(self.indices(d, n))

    def structure(self, turned: bool) -> _library.Layout:
        """tsl_layout, of the transpose if that is what is stored"""
        axes = [_library.Axis(over, nb, 0) for over, nb in zip(self.over, self.nb)]
        rows, cols = axes[::-1] if turned else axes
        return _library.Layout(ctypes.c_void_p(self.grid.handle(*self.shape).value), rows, cols, *self.fixed, 0)


def placed(grid: Grid, layout: Layout, m: int, n: int) -> Placed:
    size = grid.size
    nb = getattr(layout, "nb", None)
    if nb is not None and nb < 1:
        raise ValueError(f"{layout!r}: nb must be at least 1")
    if isinstance(layout, BlockCyclic):
        return Placed(grid, (grid.rows, grid.cols), (OVER_ROWS, OVER_COLS), (nb or grid.block,) * 2)
    if isinstance(layout, Along):
        return Placed(grid, (grid.rows, grid.cols), (OVER_ROWS, OVER_NONE), (grid.block, 1))
    if isinstance(layout, Copies):
        if layout.rank is not None and not 0 <= layout.rank < size:
            raise ValueError(f"rank {layout.rank}: the grid has {size} processes")
        at = (EVERY, EVERY) if layout.rank is None else grid.place_of(layout.rank)
        return Placed(grid, (grid.rows, grid.cols), (OVER_NONE, OVER_NONE), (1, 1), at)
    if isinstance(layout, (Rows, Columns)):
        d = int(isinstance(layout, Columns))
        share = nb or max(1, -(-(m, n)[d] // size))
        if share * size < (m, n)[d]:
            raise ValueError(f"{layout!r}: {size} blocks of {share} are fewer than {(m, n)[d]}")
        if d == 0:
            return Placed(grid, (size, 1), (OVER_ROWS, OVER_NONE), (share, 1))
        return Placed(grid, (1, size), (OVER_NONE, OVER_COLS), (1, share))
    raise TypeError(f"layout={layout!r} is none of BlockCyclic, Rows, Columns")
