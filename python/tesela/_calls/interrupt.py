"""Ctrl-C during a long call. Python notes a signal at once, but acts on it when the call returns. So while the main thread is
in one, a thread waits for the number that Python writes for a signal (signal.set_wakeup_fd), and ends the call by tsl_cancel.
KeyboardInterrupt comes as ever."""

from __future__ import annotations

import os
import signal
import threading
from types import SimpleNamespace
from typing import Any, Optional

LONG = 512 * 512  # elements of an operand: below that no call takes long

_main = threading.main_thread().ident
_ends: Optional[tuple[int, int]] = None  # of the pipe
_process = 0  # whose thread waits: a child of a fork has none
_lock = threading.Lock()
_running: Optional[tuple[SimpleNamespace, Any]] = None  # the library and the context of the call; under the lock
_before = -1  # the file of others that is told of signals, too


def _watch(end: int) -> None:
    while True:
        told = os.read(end, 64)
        if _before >= 0:
            try:
                os.write(_before, told)
            except OSError:
                pass  # as Python, which cannot write there either
        with _lock:
            if signal.SIGINT in told and _running:
                _running[0].cancel(_running[1])


def _begun() -> int:
    """The end to write to, with a thread of this process at the other"""
    global _ends, _process
    if _ends is None or _process != os.getpid():
        _ends, _process = os.pipe(), os.getpid()
        os.set_blocking(_ends[1], False)
        threading.Thread(target=_watch, args=(_ends[0],), name="tesela-interrupt", daemon=True).start()
    return _ends[1]


def applies() -> bool:
    """In the main thread, unless SIGINT means something else to the program."""
    return threading.get_ident() == _main and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def run(lib: SimpleNamespace, handle: Any, function: Any, *args: Any) -> int:
    """function(handle, *args), which Ctrl-C ends"""
    global _running, _before
    _before = signal.set_wakeup_fd(_begun(), warn_on_full_buffer=False)
    try:
        with _lock:
            _running = lib, handle
        return int(function(handle, *args))
    finally:
        with _lock:
            _running = None
        signal.set_wakeup_fd(_before, warn_on_full_buffer=False)
