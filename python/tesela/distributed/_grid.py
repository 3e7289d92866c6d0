"""Grids of processes."""

from __future__ import annotations

import ctypes
from typing import Any, Optional

from .._calls import context as _context, options as _options
from .._calls.context import Context
from ._library import library
from ._start import start_of


class Grid:
    """Processes as rows x cols; if neither is given as square as can be, those of a machine beside each other. All of them make it, and all later calls, in the same order.

    comm     an mpi4py communicator; a process group of torch.distributed; (rank, size, "host:port"), where rank 0 listens; None: all processes of mpirun
    block    of what is distributed in two dimensions: rows and columns of a block
    devices  where this process computes, as of tesela.options; None: those of the options, and of several GPUs of a machine one each
    """

    def __init__(self, comm: Any = None, rows: int = 0, cols: int = 0, *, block: int = 64, devices: Optional[str] = None) -> None:
        if block < 1:
            raise ValueError(f"block={block!r} must be at least 1")
        self._start = start_of(comm)
        handle = self._start.create(rows, cols)
        lib = library()
        self.block = block
        self.rows, self.cols = lib.grid_rows(handle), lib.grid_cols(handle)
        self.row, self.col = lib.grid_row(handle), lib.grid_col(handle)
        self.size = self.rows * self.cols
        self.rank = self._start.rank
        self._places = {(self.rows, self.cols): (self.row, self.col)}
        self.context = _own_context(devices, self._start.local)
        self._handles = {(self.rows, self.cols): handle}
        self._open = True

    def handle(self, rows: int, cols: int) -> ctypes.c_void_p:
        """The same processes, rank by rank, in this shape: made by all of them when first used."""
        if not self._open:
            raise ValueError("the grid has been closed")
        if (rows, cols) not in self._handles:
            made = self._handles[rows, cols] = self._start.create(rows, cols)
            self._places[rows, cols] = library().grid_row(made), library().grid_col(made)
        return self._handles[rows, cols]

    def place(self, rows: int, cols: int) -> tuple[int, int]:
        """Of this process, in the grid of that shape"""
        self.handle(rows, cols)
        return self._places[rows, cols]

    def place_of(self, rank: int) -> tuple[int, int]:
        """Of the process of that rank, in this grid"""
        row, col = ctypes.c_int(), ctypes.c_int()
        library().grid_place(self.handle(self.rows, self.cols), rank, row, col)
        return row.value, col.value

    def largest(self, number: float) -> float:
        """Of all processes' numbers, none of them negative."""
        return self._start.largest(float(number), self.handle(self.rows, self.cols))

    def agree(self, problem: Optional[str]) -> None:
        """Raises ValueError on all processes if one of them has a problem."""
        if self.largest(bool(problem)):
            raise ValueError(problem or "another process of the grid refuses its part: its own error says why")

    def close(self) -> None:
        """Arrays of the grid are of no use afterwards. Called by all processes; a program that ends need not."""
        if self._open:
            self._open = False
            for handle in self._handles.values():
                library().grid_free(handle)

    def __enter__(self) -> Grid:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Grid({self.rows} x {self.cols} processes, this is ({self.row}, {self.col}), rank {self.rank})"


def _own_context(devices: Optional[str], local: int) -> Context:
    if devices is not None:
        return _context.context(devices)
    found = _context.current()
    chosen = _options.DEVICES or _options.chosen.get().get("devices")
    if chosen or not found.on_gpu or found.one:
        return found
    return _context.context(f"cuda:{local % len(found.devices())}")
