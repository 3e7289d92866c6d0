"""Eigenvectors of a matrix of which every process has a block of rows, and equations with it, on four processes:
    mpirun -np 4 python3 examples/python/distributed/eigh.py
    torchrun --nproc-per-node 4 examples/python/distributed/eigh.py"""

import os

import numpy as np

import tesela.distributed as td

n, comm = 400, None  # all processes of mpirun
if "TORCHELASTIC_RUN_ID" in os.environ:
    import torch.distributed as dist

    dist.init_process_group("gloo")
    comm = dist.group.WORLD
with td.Grid(comm) as grid:  # or td.Grid(communicator) of mpi4py's
    # this process makes its rows of a symmetric matrix: as NumPy stores them, row by row
    share = -(-n // grid.size)
    i = np.arange(n)[grid.rank * share:(grid.rank + 1) * share, None]
    mine = 1 / (1.0 + np.abs(i - np.arange(n)))

    A = td.from_local(mine, grid)  # no copy: mine is A.local
    w, V = td.eigh(A)  # w on every process, V by rows as A
    off = td.matmul(A, V).local - V.local * w  # local work on what is here
    worst = grid.largest(np.abs(off).max(initial=0))

    B = td.distribute(np.ones((n, 2)), td.Rows(), grid=grid, order="C")
    X = td.solve(A, B, assume_a="pos")
    left = grid.largest(np.abs(td.matmul(A, X).local - B.local).max(initial=0))
    low, at = td.eigh(A, subset_by_index=[0, 4])
    if grid.rank == 0:
        print(f"{grid}\neigenvalues {w[0]:.4f} ... {w[-1]:.4f}, residual {worst:.1e}\nequations: residual {left:.1e}\n{V}, the five lowest: {at}")
    assert worst < 1e-11 and left < 1e-11 and np.allclose(low, w[:5])
