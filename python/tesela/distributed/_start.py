"""How a set of processes becomes a grid. Each has create(rows, cols), called by all of them, which may be called again for another shape; rank, and
local, the number of this process on its machine, are known after the first."""

from __future__ import annotations

import ctypes
from typing import Any

from .._calls import library as _library
from .._calls.library import library as calls
from ._library import library


def _made(status: int, grid: ctypes.c_void_p) -> ctypes.c_void_p:
    if status:
        raise _library.failure(status, calls().error(None).decode(), "grid_create")
    return grid


class World:
    """All processes that mpirun has started. MPI is initialised, and finalised at exit, by the library if nobody else has."""

    rank = local = 0

    def create(self, rows: int, cols: int) -> ctypes.c_void_p:
        grid, rank, local = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        status = library().entry.open(rows, cols, grid, rank, local)
        self.rank, self.local = rank.value, local.value
        return _made(status, grid)


class Mpi4py:
    """Those of a communicator of mpi4py's, by its handle, which is an address or a number."""

    def __init__(self, comm: Any) -> None:
        try:
            from mpi4py import MPI
        except ImportError:
            raise TypeError(f"a grid is made of a communicator of mpi4py's, not of {type(comm).__name__}") from None
        if not isinstance(comm, MPI.Intracomm) or comm == MPI.COMM_NULL:
            raise TypeError(f"a grid is made of a communicator of mpi4py's (MPI.Intracomm), not of {comm!r}")
        handle = (ctypes.c_int if MPI._sizeof(comm) == ctypes.sizeof(ctypes.c_int) else ctypes.c_void_p).from_address(MPI._addressof(comm))
        self._comm = comm  # as long as grids of it are made
        self._handle = handle.value
        self.rank = comm.Get_rank()
        machine = comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.local = machine.Get_rank()
        machine.Free()

    def create(self, rows: int, cols: int) -> ctypes.c_void_p:
        grid = ctypes.c_void_p()
        return _made(library().grid_create(self._handle, rows, cols, grid), grid)
