"""Contexts: one per device specification, made at first use; options; what devices there are and what a call would do."""

from __future__ import annotations

import atexit
import contextlib
import contextvars
import ctypes
import os
import threading
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Union

from . import _library
from ._library import library

# The environment is read once.
_DEVICES = os.environ.get("TESELA_DEVICES") or None
_OFFLOAD_MIN = int(os.environ.get("TESELA_OFFLOAD_MIN") or 512)  # the order from which a problem in host memory goes to a GPU

# Those the library has by these names, and what it calls "as by default".
_SET = {"tile": "0", "variant": "auto", "policy": "auto", "dist": "2d", "diag_on": "auto", "path": "auto", "graph": ""}

_chosen: contextvars.ContextVar[dict[str, Any]] = contextvars.ContextVar("tesela.options", default={})


@contextlib.contextmanager
def options(*, devices: Optional[str] = None, memory: Union[int, str, None] = None, offload_min: Optional[int] = None,
            tile: Optional[int] = None, variant: Optional[str] = None, policy: Optional[str] = None, dist: Optional[str] = None,
            diag_on: Optional[str] = None, path: Optional[str] = None, graph: Optional[str] = None) -> Iterator[None]:
    """Options of the calls in this block, of this thread (or task); those not named stay as they are outside.

    devices      a device specification: "host", "cuda", "cuda:1", virtual ones as "host:4,mem=64M"; else TESELA_DEVICES, else all GPUs
    memory       at most so much memory of each device, in bytes or as "8G": larger problems are computed by parts
    offload_min  problems in host memory of a smaller order stay on the host; TESELA_OFFLOAD_MIN, else 512
    tile, variant, policy, dist, diag_on, path, graph   as of tsl_set in tesela.h
    """
    given = dict(devices=devices, memory=memory, offload_min=offload_min, tile=tile, variant=variant, policy=policy, dist=dist,
                 diag_on=diag_on, path=path, graph=graph)
    given = {name: value for name, value in given.items() if value is not None}
    token = _chosen.set({**_chosen.get(), **given})
    try:
        yield
    finally:
        _chosen.reset(token)


@dataclass(frozen=True)
class Device:
    """A device of the context in use."""

    name: str
    backend: str
    ordinal: int
    is_virtual: bool
    memory: int  #: bytes there are
    limit: Optional[int]  #: bytes it may hold; None: whatever there is
    used: int  #: bytes the library holds
    peak: int  #: and held at most


class Context:
    """A tsl_context. Calls on one take turns: the lock keeps a call together with its options and its line about an error."""

    def __init__(self, spec: Optional[str]) -> None:
        lib = library()
        config = _library.Config(size=ctypes.sizeof(_library.Config), devices=spec.encode() if spec is not None else None)
        handle = ctypes.c_void_p()
        status = lib.context_create(config, handle)
        if status:
            raise _library.failure(status, lib.error(None).decode())
        self.library = lib
        self.handle = handle
        self.lock = threading.RLock()
        self._applied: dict[str, Any] = {}
        self.late: list[ctypes.c_void_p] = []  # matrices whose end can wait, and does not have to be waited for
        self.again: dict[tuple[int, tuple[int, ...]], Any] = {}  # stores that may be wanted once more, by what they wrap
        infos = self._query()
        first = infos[0]
        self.on_gpu = bool(first.backend != b"host")
        self.ordinal = int(first.ordinal)
        self.on_host = len(infos) == 1 and not self.on_gpu and not first.is_virtual  # computes in host memory
        self.one = len(infos) == 1 and not self.on_host  # one device with a memory of its own

    def _query(self) -> list[_library.DeviceInfo]:
        infos = []
        for d in range(self.library.device_count(self.handle)):
            info = _library.DeviceInfo()
            self._check(self.library.device_query(self.handle, d, info))
            infos.append(info)
        return infos

    def devices(self) -> list[Device]:
        with self.lock:
            return [Device(i.name.decode(), i.backend.decode(), i.ordinal, bool(i.is_virtual), i.total,
                           None if i.limit == ctypes.c_size_t(-1).value else i.limit, i.used, i.peak) for i in self._query()]

    def _check(self, status: int) -> None:
        if status:
            own = self.library.error(self.handle) or self.library.error(None)  # a context that is gone, or of a parent, has none
            raise _library.failure(status, own.decode())

    def _apply(self, wanted: dict[str, Any]) -> None:
        for name, default in _SET.items():
            value = wanted.get(name, default)
            if value != self._applied.get(name, default):
                self._check(self.library.set(self.handle, name.replace("_", "-").encode(), str(value).encode()))
                self._applied[name] = value

    def __call__(self, function: str, *args: Any) -> None:
        """tsl_FUNCTION with this context; raises what it returns. A Matrix is passed as its view, and lives as long as the call."""
        plain = [self.handle]
        for arg in args:
            plain.append(getattr(arg, "_view", arg))
        with self.lock:
            wanted = _chosen.get()
            if wanted or self._applied:
                self._apply(wanted)
            status = getattr(self.library, function)(*plain)
            if status:
                self._check(status)

    def wrapped(self, type: int, m: int, n: int, address: int, ld: int, *tile: int) -> ctypes.c_void_p:
        """A tsl_matrix of this memory, flat or cut into tiles of this size, which no options concern. The lock is the caller's."""
        handle = ctypes.c_void_p()
        wrap = self.library.tiled_wrap if tile else self.library.matrix_wrap
        status = wrap(self.handle, type, m, n, address, ld, *tile, handle)
        if status:
            self._check(status)
        return handle

    def tile(self, itemsize: int) -> int:
        """A size of tiles of which each device has room for several."""
        chosen = _chosen.get().get("tile")
        room = min(device.memory if device.limit is None else device.limit for device in self.devices())
        size = 1024
        while size > 64 and 8 * size * size * itemsize > room:
            size //= 2
        return int(chosen or size)

    def end_late(self) -> None:
        """Before a call is put behind the work of others: the end of a matrix waits for all work."""
        with self.lock:
            while self.late:
                self.library.matrix_free(self.late.pop())

    def info(self, function: str, *args: Any) -> int:
        """The same of a function with an outcome, which it waits for."""
        outcome = ctypes.c_int64()
        self(function, *args, outcome)
        return outcome.value


_contexts: dict[Optional[str], Context] = {}
_making = threading.RLock()


def context(spec: Optional[str]) -> Context:
    """The context of these devices; None: those of TESELA_DEVICES, else all GPUs, else the host."""
    found = _contexts.get(spec)
    if found is None:
        with _making:
            found = _contexts.get(spec)
            if found is None:
                found = Context(spec)
                if spec is None and found.on_host:  # the host has one context, not two
                    found = _contexts.setdefault("host", found)
                _contexts[spec] = found
    return found


def on_gpu(ordinal: int) -> Context:
    """The context for data that is on this GPU."""
    chosen = _specification()
    main = context(chosen)
    if main.on_gpu and main.ordinal == ordinal:
        return main
    if chosen is not None:
        raise ValueError(f"the array is on GPU {ordinal}, and the devices chosen ({chosen}) do not begin with it")
    return context(f"cuda:{ordinal}")


def on_host(order: int) -> Context:
    """The context for data of this order in host memory."""
    chosen = _specification()
    if chosen is None and _DEVICES is None and order < int(_chosen.get().get("offload_min", _OFFLOAD_MIN)):
        return context("host")
    return context(chosen)


def current() -> Context:
    """The context of matrices to be made."""
    return context(_specification())


def _specification() -> Optional[str]:
    chosen = _chosen.get()
    spec, memory = chosen.get("devices"), chosen.get("memory")
    if memory is None:
        return spec
    if spec is None:
        spec = _DEVICES or ("cuda" if context(None).on_gpu else "host:1")
    return "+".join(f"{group},mem={memory}" for group in spec.split("+"))


def devices() -> list[Device]:
    """The devices of the context in use, which is opened if need be."""
    return current().devices()


def explain(routine: str, *sizes: int) -> str:
    """What a call such as explain("dpotrf", 20000) would do on arrays in host memory: device or tiles, memory, bytes moved, time.

    Sizes are those the routine has, in its order: m, n, k of "dgemm"; m, n of "dgetrf" and "dgeqrf"; n of "dpotrf".
    """
    if not 1 <= len(sizes) <= 3:
        raise TypeError("explain takes from one to three sizes")
    m, n, k = (*sizes, sizes[-1], sizes[-1])[:3]
    text = ctypes.create_string_buffer(1 << 14)
    current()("explain", routine.encode(), m, n, k, text, len(text))
    return text.value.decode().rstrip("\n")


def libraries() -> str:
    """Versions of the libraries in use, a line each."""
    return str(library().libraries().decode()).rstrip("\n")


def wait() -> None:
    """Waits for the work that calls on matrices of the device have left there."""
    for each in set(_contexts.values()):
        each("wait")


# A child makes contexts of its own. No call may be at work while a process forks, so every context is held meanwhile.
_held: list[Context] = []


def _before_fork() -> None:
    _making.acquire()
    _held[:] = set(_contexts.values())
    for each in _held:
        each.lock.acquire()


def _in_parent() -> None:
    for each in _held:
        each.lock.release()
    _held.clear()
    _making.release()


def _in_child() -> None:
    global _making
    _making = threading.RLock()
    for each in _held:
        each.lock = threading.RLock()
    _held.clear()
    _contexts.clear()


os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


@atexit.register
def _end() -> None:
    for each in set(_contexts.values()):
        each.library.context_destroy(each.handle)
    _contexts.clear()
