"""PyTorch's DTensors that are sharded along one dimension, as they are: parts share their memory. The processes of torch.distributed must be those of
the grid, rank by rank, so they are MPI processes too (mpirun, or a launcher that sets both up)."""

from __future__ import annotations

import importlib
from typing import Any, Optional

from ._array import Array, from_local
from ._grid import Grid
from ._layouts import Columns, Rows


def _torch(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as why:
        raise ImportError(f"DTensors need PyTorch 2.5 or newer with torch.distributed: {why}") from None


def from_dtensor(tensor: Any, grid: Grid) -> Array:
    """A DTensor with the one placement Shard(0) or Shard(1), of one or two dimensions, in the host's memory. No copy."""
    tensors = _torch("torch.distributed.tensor")
    problem, layout, part = None, None, None
    if not isinstance(tensor, tensors.DTensor):
        problem = f"{type(tensor).__name__} is no DTensor"
    elif len(tensor.placements) != 1 or not tensor.placements[0].is_shard():
        problem = f"placements {tuple(tensor.placements)}: one Shard(0) or Shard(1) can be taken; redistribute the tensor"
    elif tensor.device_mesh.size() != grid.size or tensor.device_mesh.get_local_rank() != grid.rank:
        problem = (f"the mesh has {tensor.device_mesh.size()} processes and this is number {tensor.device_mesh.get_local_rank()} of them; the grid has {grid.size}, "
                   f"and it is number {grid.rank}")
    else:
        part = tensor.to_local().detach()
        if part.device.type != "cpu":
            problem = f"the tensor is on {part.device.type}: parts in the host's memory can be taken"
        layout = (Rows(), Columns())[tensor.placements[0].dim]
    grid.agree(problem)
    assert part is not None and layout is not None
    return from_local(part.numpy(), grid, layout, tuple(tensor.shape))


def to_dtensor(array: Array, mesh: Optional[Any] = None) -> Any:
    """The other way, of an array by Rows() or Columns(). mesh: one dimension, all processes; None: of those of torch.distributed. No copy."""
    torch, tensors = _torch("torch"), _torch("torch.distributed.tensor")
    if not isinstance(array.layout, (Rows, Columns)):
        raise ValueError(f"an array by {array.layout} is no DTensor of one Shard: use to(Rows()) or to(Columns())")
    d = int(isinstance(array.layout, Columns))
    share = array.layout.nb
    if share is not None and share != max(1, -(-array.shape[d] // array.grid.size)):
        raise ValueError(f"{array.layout} are not the blocks of torch.chunk: use to({type(array.layout).__name__}())")
    if mesh is None:
        mesh = _torch("torch.distributed.device_mesh").init_device_mesh("cpu", (array.grid.size,))
    stride = (1,) if array.ndim == 1 else (array.shape[1], 1)
    return tensors.DTensor.from_local(torch.from_numpy(array.local), mesh, [tensors.Shard(d)], run_check=False, shape=torch.Size(array.shape), stride=stride)
