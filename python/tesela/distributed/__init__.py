"""Matrices distributed over MPI processes: every process makes the same calls, with its part.

    import tesela.distributed as td

    grid = td.Grid()                                  # the processes of mpirun; td.Grid(comm) of an mpi4py communicator
    A = td.from_local(part, grid)                     # this process's block of rows, as it is
    w, V = td.eigh(A)                                 # w on every process; V as A: V.local is this process's block of rows
"""

from __future__ import annotations

from ._array import Array, distribute, from_local
from ._dtensor import from_dtensor, to_dtensor
from ._functions import cholesky, eigh, eigvalsh, lstsq, matmul, qr, solve, svd
from ._grid import Grid
from ._layouts import BlockCyclic, Columns, Rows

__all__ = ["Array", "BlockCyclic", "Columns", "Grid", "Rows", "cholesky", "distribute", "eigh", "eigvalsh", "from_dtensor", "from_local", "lstsq",
           "matmul", "qr", "solve", "svd", "to_dtensor"]
