"""How a set of processes becomes a grid. Each way has create(rows, cols), called by all of them, which may be called again for another shape; rank, and
local, the number of this process on its machine, are known after the first. largest(number, grid): of all processes' numbers."""

from __future__ import annotations

import ctypes
import socket
import struct
import sys
import time
from typing import Any, Union

from .._calls import library as _library
from .._calls.library import library as calls
from ._library import GATHERER, library, mpi


def _made(status: int, grid: ctypes.c_void_p) -> ctypes.c_void_p:
    if status:
        raise _library.failure(status, calls().error(None).decode(), "grid_create")
    return grid


class _Mpi:
    def largest(self, number: float, grid: ctypes.c_void_p) -> float:
        return float(mpi().entry.largest(grid, number))


class World(_Mpi):
    """All processes that mpirun has started. MPI is initialised, and finalised at exit, by the library if nobody else has."""

    rank = local = 0

    def create(self, rows: int, cols: int) -> ctypes.c_void_p:
        grid, rank, local = ctypes.c_void_p(), ctypes.c_int(), ctypes.c_int()
        status = mpi().entry.open(rows, cols, grid, rank, local)
        self.rank, self.local = rank.value, local.value
        return _made(status, grid)


class Mpi4py(_Mpi):
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
        return _made(mpi().grid_create(self._handle, rows, cols, grid), grid)


class _Tcp:
    """Processes that another launcher has started: they talk by TCP, and have one function beforehand, gather(mine), of a few bytes."""

    def __init__(self, rank: int, size: int) -> None:
        self.rank, self.size = rank, size
        hosts = self.gather(socket.gethostname().encode()[:64].ljust(64))
        self.local = hosts[:rank].count(hosts[rank])

    def gather(self, mine: bytes) -> list[bytes]:
        raise NotImplementedError

    def create(self, rows: int, cols: int) -> ctypes.c_void_p:
        def gather(_: Any, mine: int, everything: int, count: int) -> int:
            try:
                found = b"".join(self.gather(ctypes.string_at(mine, count)))
            except Exception:  # it is the library that says so, on all processes
                return 1
            ctypes.memmove(everything, found, len(found))
            return 0

        grid = ctypes.c_void_p()
        return _made(library().grid_create_tcp(self.rank, self.size, GATHERER(gather), None, rows, cols, grid), grid)

    def largest(self, number: float, grid: ctypes.c_void_p) -> float:
        return max(float(struct.unpack("d", one)[0]) for one in self.gather(struct.pack("d", number)))


class Group(_Tcp):
    """Those of a process group of torch.distributed's: torchrun's, for one."""

    def __init__(self, group: Any) -> None:
        import torch.distributed as dist

        self._group = group
        super().__init__(dist.get_rank(group), dist.get_world_size(group))

    def gather(self, mine: bytes) -> list[bytes]:
        import torch.distributed as dist

        found: list[Any] = [None] * self.size
        dist.all_gather_object(found, mine, self._group)
        return found


class Address(_Tcp):
    """Rank, how many there are, and "host:port", where rank 0 listens."""

    PATIENCE = 60.0  # seconds for the others to come

    def __init__(self, rank: int, size: int, address: str) -> None:
        if not 0 <= rank < size:
            raise ValueError(f"there is no rank {rank} of {size} processes")
        host, _, port = address.rpartition(":")
        if not host or not port.isdigit():
            raise ValueError(f"an address is host:port, and this is {address!r}")
        self._others = _listen(host, int(port), size, self.PATIENCE) if rank == 0 else [_connect(host, int(port), rank, self.PATIENCE)]
        super().__init__(rank, size)

    def gather(self, mine: bytes) -> list[bytes]:
        """By rank 0, which hands all of it to all."""
        if self.rank:
            self._others[0].sendall(mine)
            found = _receive(self._others[0], len(mine) * self.size)
        else:
            found = mine + b"".join(_receive(other, len(mine)) for other in self._others)
            for other in self._others:
                other.sendall(found)
        return [found[i:i + len(mine)] for i in range(0, len(found), len(mine))]


def _listen(host: str, port: int, size: int, patience: float) -> list[socket.socket]:
    """Connections to the other ranks, in their order"""
    others: dict[int, socket.socket] = {}
    with socket.create_server((host, port)) as server:
        server.settimeout(patience)
        while len(others) < size - 1:
            other, _ = server.accept()
            other.settimeout(patience)
            others[struct.unpack("i", _receive(other, 4))[0]] = other
    return [others[rank] for rank in range(1, size)]


def _connect(host: str, port: int, rank: int, patience: float) -> socket.socket:
    end = time.monotonic() + patience
    while True:
        try:
            first = socket.create_connection((host, port), timeout=patience)
            break
        except ConnectionRefusedError:  # rank 0 is not there yet
            if time.monotonic() > end:
                raise
            time.sleep(0.05)
    first.sendall(struct.pack("i", rank))
    return first


def _receive(other: socket.socket, count: int) -> bytes:
    found = b""
    while len(found) < count:
        part = other.recv(count - len(found))
        if not part:
            raise ConnectionError("a process has left before the grid was made")
        found += part
    return found


def start_of(comm: Any) -> Union[World, Mpi4py, Group, Address]:
    if comm is None:
        return World()
    if isinstance(comm, tuple):
        return Address(*comm)
    torch = sys.modules.get("torch.distributed")
    if torch is not None and isinstance(comm, torch.ProcessGroup):
        return Group(comm)
    return Mpi4py(comm)
