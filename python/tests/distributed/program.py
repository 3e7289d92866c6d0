"""The program of test_distributed.py: mpirun runs it on several processes. Each checks what it sees against NumPy; rank 0 says the results as TAP, with the
word of every process where one differs."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path
from typing import Any, Callable

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # common.py
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import numpy as np

import tesela
import tesela.distributed as td

from common import TYPES, eps, positive, random

LAYOUTS = ((None, "F"), (td.BlockCyclic(3), "C"), (td.Rows(), "C"), (td.Rows(), "F"), (td.Columns(), "C"), (td.Columns(), "F"))
number = 0
failed = 0


def check(grid: td.Grid, name: str, body: Callable[[], None]) -> None:
    global number, failed
    number += 1
    problem = ""
    try:
        body()
    except Exception:
        problem = traceback.format_exc()
    worst = grid.largest(bool(problem))
    if problem:
        print(f"# rank {grid.rank}: {name}\n" + "".join(f"# {line}\n" for line in problem.splitlines()), end="", flush=True)
    failed += int(worst)
    if grid.rank == 0:
        print(f"{'not ok' if worst else 'ok'} {number} - {name}", flush=True)


def near(x: Any, y: Any, a: Any, factor: float = 30) -> None:
    """x and y differ by no more than rounding of numbers of a's size does."""
    x, y = np.asarray(x), np.asarray(y)
    assert x.shape == y.shape, (x.shape, y.shape)
    size = factor and factor * eps(np.asarray(a).dtype) * max(1, *np.shape(a)) * max(1.0, float(np.abs(a).max(initial=0)))
    assert np.abs(x - y).max(initial=0) <= size, (np.abs(x - y).max(initial=0), size)


def refused(kind: type, words: str, call: Callable[[], Any]) -> None:
    try:
        call()
    except kind as why:
        assert words in str(why), str(why)
        return
    raise AssertionError(f"no {kind.__name__}")


def functions(grid: td.Grid, dtype: str, layout: Any, order: str) -> None:
    n = 37
    a, p, b = random((n, n), dtype), positive(n, dtype), random((n, 5), dtype, 1)
    tall, wide = random((n, 11), dtype, 2), random((11, n), dtype, 3)
    A, P, B, T, W = (td.distribute(x, layout, grid=grid, order=order) for x in (a, p, b, tall, wide))

    def like(x: td.Array) -> Any:
        assert type(x.layout) is type(A.layout) and x.order == order and x.dtype == dtype, (x, x.order)
        return x.everywhere()

    near(A.everywhere(), a, a, 0)
    near(like(td.matmul(A, T)), a @ tall, a)
    low, up = like(td.cholesky(P, lower=True)), like(td.cholesky(P))
    near(low @ low.conj().T, p, p), near(up.conj().T @ up, p, p)
    assert np.array_equal(low, np.tril(low)) and np.array_equal(up, np.triu(up))
    x = like(td.solve(A, B))
    near(a @ x, b, np.abs(a) @ np.abs(x))
    near(p @ like(td.solve(P, B, assume_a="pos")), b, p)
    for c, C in ((tall, T), (wide, W), (a, A)):
        q, r = map(like, td.qr(C))
        near(q @ r, c, c), near(q.conj().T @ q, np.eye(q.shape[1]), q)
        assert np.array_equal(r, np.triu(r))
        near(abs(like(td.qr(C, mode="r"))), abs(r), c)
    near(like(td.lstsq(T, B)), np.linalg.lstsq(tall, b, rcond=None)[0], tall)
    small = td.distribute(b[:11], layout, grid=grid, order=order)
    near(like(td.lstsq(W, small)), np.linalg.lstsq(wide, b[:11], rcond=None)[0], wide)
    s = a + a.conj().T
    S = td.distribute(s, layout, grid=grid, order=order)
    w, V = td.eigh(S)
    v = like(V)
    near(s @ v, v * w, s), near(v.conj().T @ v, np.eye(n), v), near(w, np.linalg.eigvalsh(s), s)
    near(td.eigvalsh(S, lower=False), w, s)
    w3, V3 = td.eigh(S, subset_by_index=[2, 6])
    assert like(V3).shape == (n, 5)
    near(w3, w[2:7], s), near(s @ V3.everywhere(), V3.everywhere() * w3, s)
    w4, V4 = td.eigh(S, subset_by_value=[(w[3] + w[4]) / 2, (w[9] + w[10]) / 2])
    near(w4, w[4:10], s), near(s @ like(V4), V4.everywhere() * w4, s)
    w2, V2 = td.eigh(S, P)
    near(s @ like(V2), p @ V2.everywhere() * w2, p)
    for c, C in ((tall, T), (wide, W)):
        for full in (False, True):
            u, sigma, vh = td.svd(C, full_matrices=full)
            u, vh, k = like(u), like(vh), min(c.shape)
            assert u.shape == (c.shape[0], c.shape[0] if full else k) and vh.shape == (c.shape[1] if full else k, c.shape[1])
            near((u[:, :k] * sigma) @ vh[:k], c, c), near(u.conj().T @ u, np.eye(u.shape[1]), u), near(vh @ vh.conj().T, np.eye(len(vh)), vh)
        near(td.svd(C, compute_uv=False), sigma, c)
    near(A.everywhere(), a, a, 0), near(P.everywhere(), p, p, 0)  # operands are as they were


def vectors(grid: td.Grid) -> None:
    n = 23
    a, b = random((n, n), "d"), random((n,), "d", 1)
    for layout in (None, td.Rows()):
        A, B = td.distribute(a, layout, grid=grid), td.distribute(b, layout, grid=grid)
        x = td.solve(A, B)
        assert x.shape == (n,) and x.local.ndim == 1
        near(a @ x.everywhere(), b, a)
        near(td.matmul(A, B).everywhere(), a @ b, a)


def parts(grid: td.Grid) -> None:
    """Parts are taken as they are, and results are parts again; what is written to a part is in the matrix."""
    n, share = 4 * grid.size - 1, 4
    s = random((n, n), "d")
    s = s + s.T
    mine = slice(grid.rank * share, (grid.rank + 1) * share)
    for layout, part in ((td.Rows(), s[mine]), (td.Columns(), s[:, mine])):
        for order in "CF":
            local = np.array(part, order=order)
            A = td.from_local(local, grid, layout)
            assert A.local is local and A.shape == (n, n)
            w, V = td.eigh(A)
            assert V.local.shape == local.shape
            near(s @ V.everywhere(), V.everywhere() * w, s)
            local *= 2
            near(A.everywhere(), 2 * s, s, 0)
            near(A.indices(int(layout == td.Columns())), np.arange(n)[mine], [0], 0)
    wide = np.zeros((len(s[mine]), n + 3))  # a part with gaps between its rows
    wide[:, :n] = s[mine]
    near(td.from_local(wide[:, :n], grid).everywhere(), s, s, 0)
    few = s[:2] if grid.rank == 0 else s[:0]  # all of it on the first process
    near(td.from_local(np.array(few), grid).everywhere(), s[:2], s, 0)
    B = td.distribute(s, td.BlockCyclic(2), grid=grid)
    near(td.from_local(B.local.copy(order="F"), grid, td.BlockCyclic(2), s.shape).everywhere(), s, s, 0)


def roots(grid: td.Grid) -> None:
    last = grid.size - 1
    for dtype in TYPES:
        a = random((9, 14), dtype)
        A = td.distribute(a if grid.rank == last else None, td.Columns(), grid=grid, root=last)
        got = A.gather(0)
        assert (got is None) == (grid.rank != 0)
        if got is not None:
            near(got, a, a, 0)
    v = td.distribute(np.arange(7) if grid.rank == 0 else None, grid=grid, root=0)
    near(v.everywhere(), np.arange(7.0), [1.0], 0)
    e = td.distribute(np.empty((0, 3)), grid=grid)
    assert e.everywhere().shape == (0, 3) and td.matmul(td.distribute(np.empty((5, 0)), td.Rows(), grid=grid), e).everywhere().tolist() == np.zeros((5, 3)).tolist()


def errors(grid: td.Grid) -> None:
    a, b = random((8, 8), "d"), random((5, 2), "d")
    A, B = td.distribute(a, grid=grid), td.distribute(b, grid=grid)
    refused(ValueError, "must be square", lambda: td.cholesky(B))
    refused(ValueError, "do not go together", lambda: td.solve(A, B))
    refused(TypeError, "distribute()", lambda: td.eigh(a))
    refused(TypeError, "no NumPy array", lambda: np.asarray(A))
    refused(ValueError, "subset_by_index", lambda: td.eigh(A, subset_by_index=[0, 8]))
    refused(ValueError, "fewer than", lambda: td.distribute(np.eye(2 * grid.size), td.Rows(1), grid=grid))
    refused(TypeError, "layout", lambda: td.distribute(a, "rows", grid=grid))
    refused(ValueError, "dimensions", lambda: td.distribute(np.zeros((2, 2, 2)), grid=grid))
    refused(np.linalg.LinAlgError, "minor", lambda: td.cholesky(td.distribute(-np.eye(8), grid=grid)))
    refused(np.linalg.LinAlgError, "singular", lambda: td.solve(td.distribute(np.zeros((8, 8)), grid=grid), A))
    graded = np.eye(6, 4) * [1, 1e-30, 1e-10, 1]  # of full rank, however small its columns are
    near(td.lstsq(td.distribute(graded, grid=grid), td.distribute(graded @ np.ones((4, 1)), grid=grid)).everywhere(), np.ones((4, 1)), [1.0])
    refused(np.linalg.LinAlgError, "full rank", lambda: td.lstsq(td.distribute(np.outer(np.arange(8.0), [3, 0.1, 7]), grid=grid), A))
    c = a + a.T
    c[7, 3] = np.nan
    refused(np.linalg.LinAlgError, "NaN", lambda: td.eigh(td.distribute(c, grid=grid)))
    refused(np.linalg.LinAlgError, "NaN", lambda: td.svd(td.distribute(c, grid=grid)))
    # what is wrong on one process alone is an error of all
    words = "" if grid.rank else "float32"
    refused(ValueError, words, lambda: td.from_local(np.zeros((2, 3), np.float16 if grid.rank == 0 else float), grid))
    refused(ValueError, "by rows" if grid.rank == 0 else "", lambda: td.from_local(np.zeros((8, 8))[::2, ::2] if grid.rank == 0 else np.zeros((4, 4)), grid))
    if grid.size > 1:  # parts that do not fit together
        refused(ValueError, "", lambda: td.from_local(np.zeros((2 + (grid.rank == grid.size - 1), 3)), grid))
        refused(ValueError, "type", lambda: td.from_local(np.zeros((2, 3), "f" if grid.rank == 0 else "d"), grid))
    near(td.matmul(A, A).everywhere(), a @ a, a)  # the grid is as good as before


def communicators(comm: Any) -> None:
    """Grids of halves of the processes, by mpi4py's communicators"""
    half = comm.Split(comm.rank % 2, -comm.rank)
    with td.Grid(half, block=4) as grid:
        assert grid.rank == half.rank and grid.size == half.size
        a = random((13, 13), "d", comm.rank % 2)
        near(td.matmul(td.distribute(a, td.Rows(), grid=grid), td.distribute(a, grid=grid)).everywhere(), a @ a, a)
    half.Free()
    refused(TypeError, "communicator", lambda: td.Grid("everybody"))


def dtensors(grid: td.Grid) -> None:
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import Replicate, Shard, distribute_tensor
    import torch

    dist.init_process_group("gloo", init_method="file://" + os.environ["TESELA_TEST_STORE"], rank=grid.rank, world_size=grid.size)
    mesh = init_device_mesh("cpu", (grid.size,))
    s = random((4 * grid.size + 3, 4 * grid.size + 3), "d")
    s = s + s.T
    for d in range(2):
        tensor = distribute_tensor(torch.from_numpy(s), mesh, [Shard(d)])
        A = td.from_dtensor(tensor, grid)
        assert A.local.size == 0 or A.local.ctypes.data == tensor.to_local().data_ptr()
        w, V = td.eigh(A)
        back = td.to_dtensor(V, mesh)
        assert back.placements == (Shard(d),) and tuple(back.shape) == s.shape
        v = back.full_tensor().numpy()
        near(s @ v, v * w, s)
    refused(ValueError, "placements", lambda: td.from_dtensor(distribute_tensor(torch.from_numpy(s), mesh, [Replicate()]), grid))
    refused(ValueError, "no DTensor", lambda: td.from_dtensor(torch.from_numpy(s), grid))
    refused(ValueError, "to(Rows())", lambda: td.to_dtensor(td.distribute(s, grid=grid)))
    dist.destroy_process_group()


def processes(words: list[str]) -> Any:
    """What the grid is made of"""
    if words[:1] == ["mpi4py"]:
        from mpi4py import MPI

        return MPI.COMM_WORLD
    if words[:1] == ["address"]:
        return int(words[1]), int(words[2]), words[3]
    if words[:1] == ["group"]:
        import torch.distributed as dist

        dist.init_process_group("gloo")
        return dist.group.WORLD
    return None


def main() -> None:
    words = sys.argv[1:]
    comm = processes(words)
    grid = td.Grid(comm, block=4)
    if "torch" in words:
        check(grid, "DTensors", lambda: dtensors(grid))
    elif "mpi4py" in words:
        check(grid, "communicators", lambda: communicators(comm))
    else:
        for turn, dtype in enumerate(TYPES):
            for layout, order in LAYOUTS if dtype == "d" and os.environ.get("TESELA_TEST_ALL") else LAYOUTS[turn + (comm is None)::4]:
                check(grid, f"functions of {dtype} by {layout or 'blocks'} in {order} order", lambda: functions(grid, dtype, layout, order))
        for body in (vectors, parts, roots, errors):
            check(grid, body.__name__, lambda: body(grid))
    grid.close()
    if grid.rank == 0:
        print(f"1..{number}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
