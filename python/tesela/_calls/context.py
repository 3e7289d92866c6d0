"""Contexts: one per device specification, made at first use; what devices there are and what a call would do."""

from __future__ import annotations

import atexit
import ctypes
import itertools
import operator
import os
import threading
import weakref
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NoReturn, Optional

from . import fast as _fast, interrupt as _interrupt, library as _library, options as _options
from .library import library


@dataclass(frozen=True)
class Device:
    """A device of the context in use."""

    __module__ = "tesela"

    name: str
    backend: str
    ordinal: int
    is_virtual: bool
    memory: int  #: bytes there are
    limit: Optional[int]  #: bytes it may hold; None: whatever there is
    used: int  #: bytes the library holds
    peak: int  #: and held at most


_LEGACY = 1  # cudaStreamLegacy; 0 is the same stream


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
        self.turn = 0  # when it was used last
        self._applied: dict[str, Any] = {}  # what the library was told
        self.options: Optional[dict[str, Any]] = {}  # those of the last call; None: not all of them could be applied
        self.late: list[ctypes.c_void_p] = []  # matrices whose end can wait, and does not have to be waited for
        self.again: dict[tuple[int, tuple[int, ...]], Any] = {}  # stores that may be wanted once more, by what they wrap
        # Not by __del__: when this is called nobody can find the context any more.
        self.fast = _fast.calls(handle.value or 0)  # None: ctypes calls
        weakref.finalize(self, _destroy, lib, handle, self.late, self.fast).atexit = False
        infos = self._query()
        first = infos[0]
        self.on_gpu = bool(first.backend != b"host")
        self.ordinal = int(first.ordinal)
        self.on_host = len(infos) == 1 and not self.on_gpu and not first.is_virtual  # computes in host memory
        self.one = len(infos) == 1 and not self.on_host  # one device with a memory of its own
        # Its calls are on CUDA's default stream, where those of most programs are: they are in order without more being said.
        self.on_default = self.on_gpu and not lib.adopt(handle, _LEGACY)

    def _query(self) -> list[_library.DeviceInfo]:
        infos = []
        for d in range(self.library.device_count(self.handle)):
            info = _library.DeviceInfo()
            self._check(self.library.device_query(self.handle, d, info), "device_query")
            infos.append(info)
        return infos

    def devices(self) -> list[Device]:
        with self.lock:
            return [Device(i.name.decode(), i.backend.decode(), i.ordinal, bool(i.is_virtual), i.total,
                           None if i.limit == ctypes.c_size_t(-1).value else i.limit, i.used, i.peak) for i in self._query()]

    def _check(self, status: int, what: str) -> None:
        if status:
            self.fail(status, what)

    def fail(self, status: int, what: str) -> NoReturn:
        """What the library says of this status of a call."""
        own = self.library.error(self.handle) or self.library.error(None)  # a context that is gone, or of a parent, has none
        raise _library.failure(status, own.decode(), what)

    def apart(self, stream: Optional[int]) -> Optional[int]:
        """The stream, if calls have to be put in order with its work; None: they are."""
        return None if self.on_default and stream in (0, _LEGACY) else stream

    def order(self, how: str, stream: int) -> None:
        """follow or precede a stream, which no options concern."""
        if self.apart(stream) is None:
            return
        with self.lock:
            status = getattr(self.library, how)(self.handle, stream)
            if status:
                self.fail(status, how)

    def apply(self, wanted: dict[str, Any], function: str) -> None:
        """These options to this call and those that follow. The lock is the caller's."""
        self.options = None
        for name, default in _options.SET.items():
            value = wanted.get(name, default)
            if value != self._applied.get(name, default):
                self._check(self.library.set(self.handle, name.replace("_", "-").encode(), str(value).encode()), function)
                self._applied[name] = value
        self.options = wanted

    def __call__(self, function: str, *args: Any) -> None:
        """tsl_FUNCTION with this context; raises what it returns. A Matrix is passed as its view, and lives as long as the call."""
        plain, size = [], 0
        for arg in args:
            view = getattr(arg, "_view", None)
            if view is None:
                plain.append(arg)
            else:
                plain.append(view)
                size = view.m * view.n if view.m * view.n > size else size
        self.run(getattr(self.library, function), function, *plain, long=size >= _interrupt.LONG)

    def run(self, function: Any, what: str, *args: Any, long: bool = False) -> None:
        """A function of the library with this context, under the options of the block; `what` is its name without tsl_."""
        with self.lock:
            wanted = _options.chosen.get()
            if wanted is not self.options:
                self.apply(wanted, what)
            if long and _interrupt.applies():
                status = _interrupt.run(self.library, self.handle, function, *args)
            else:
                status = function(self.handle, *args)
            if status:
                self._check(status, what)

    def wrapped(self, type: int, m: int, n: int, address: int, ld: int, *how: int) -> ctypes.c_void_p:
        """A tsl_matrix of this memory, flat, cut into tiles of this size, or a batch of this stride and count, which no options concern. The lock is the
        caller's."""
        handle = ctypes.c_void_p()
        wrap = (self.library.matrix_wrap, self.library.tiled_wrap, self.library.batch_wrap)[len(how)]
        status = wrap(self.handle, type, m, n, address, ld, *how, handle)
        if status:
            self._check(status, "wrap")
        return handle

    def tile(self, itemsize: int) -> int:
        """A size of tiles of which each device has room for several."""
        chosen = _options.chosen.get().get("tile")
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


def _destroy(lib: SimpleNamespace, handle: ctypes.c_void_p, late: list[ctypes.c_void_p], fast: Any) -> None:
    if not lib.ending:
        if fast is not None:
            fast.end()
        for matrix in late:
            lib.matrix_free(matrix)
        lib.context_destroy(handle)


# A context has threads and workspace of its own. Those used last are kept; one more lives as long as a matrix of it, and is found by its
# specification as long as it lives, so that matrices of the same devices go together.
KEPT = 8
kept: dict[Optional[str], Context] = {}
_alive: weakref.WeakValueDictionary[Optional[str], Context] = weakref.WeakValueDictionary()
_making = threading.RLock()
_turns = itertools.count(1)


def context(spec: Optional[str]) -> Context:
    """The context of these devices; None: those of TESELA_options.DEVICES, else all GPUs, else the host."""
    found = kept.get(spec) or _opened(spec)
    found.turn = next(_turns)
    return found


def _opened(spec: Optional[str]) -> Context:
    dropped = None  # ends after the lock: what it has to do may take long
    with _making:
        found = _alive.get(spec)
        if found is None:
            found = Context(spec)
            if spec is None and found.on_host:  # the host has one context, not two
                found = _alive.setdefault("host", found)
                kept["host"] = found
            _alive[spec] = found
        found.turn = next(_turns)
        kept[spec] = found
        named = [name for name in kept if name not in (None, "host")]
        if len(named) > KEPT:
            dropped = kept.pop(min(named, key=lambda name: kept[name].turn))
            dropped.again.clear()
    return found


def _every() -> set[Context]:
    return set(_alive.values())


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
    if chosen is None and _options.DEVICES is None and order < _options.chosen.get().get("offload_min", _options.OFFLOAD_MIN):
        return context("host")
    return context(chosen)


def current() -> Context:
    """The context of matrices to be made."""
    return context(_specification())


def _specification() -> Optional[str]:
    chosen = _options.chosen.get()
    if not chosen:
        return None
    spec, memory = chosen.get("devices"), chosen.get("memory")
    if memory is None:
        return spec
    if spec is None:
        spec = _options.DEVICES or ("cuda" if context(None).on_gpu else "host:1")
    return "+".join(f"{group},mem={memory}" for group in spec.split("+"))


def devices() -> list[Device]:
    """The devices of the context in use, which is opened if need be."""
    return current().devices()


def explain(routine: str, *sizes: int) -> str:
    """What a call such as explain("dpotrf", 20000) would do on arrays in host memory: device or tiles, memory, bytes moved, time.

    Sizes are those the routine has, in its order: m, n, k of "dgemm"; m, n of "dgetrf" and "dgeqrf"; n of "dpotrf".
    """
    if not isinstance(routine, str):
        raise TypeError(f"routine={routine!r} is not a name as 'dpotrf'")
    if not 1 <= len(sizes) <= 3:
        raise TypeError("explain takes from one to three sizes")
    m, n, k = map(operator.index, (*sizes, sizes[-1], sizes[-1])[:3])
    text = ctypes.create_string_buffer(1 << 14)
    current()("explain", routine.encode(), m, n, k, text, len(text))
    return text.value.decode().rstrip("\n")


def libraries() -> str:
    """Versions of the libraries in use, a line each."""
    return str(library().libraries().decode()).rstrip("\n")


def wait() -> None:
    """Waits for the work that calls on matrices of the device have left there."""
    for each in _every():
        each("wait")


# A child makes contexts of its own. No call may be at work while a process forks, so every context is held meanwhile.
_held: list[Context] = []


def _before_fork() -> None:
    _making.acquire()
    _held[:] = _every()
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
    kept.clear()
    _alive.clear()


os.register_at_fork(before=_before_fork, after_in_parent=_in_parent, after_in_child=_in_child)


@atexit.register
def _end() -> None:
    """A daemon thread may be in a call, or make one until the interpreter is gone. Calls under way are waited for; from then on the locks
    are kept, so that none begins. Nothing is destroyed: a thread may stand between two steps of its own, and the process gives back all of it."""
    _making.acquire()
    for each in _every():
        each.lock.acquire()
        each.library.ending = True
        each.library.wait(each.handle)
