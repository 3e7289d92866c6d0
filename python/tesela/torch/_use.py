"""Puts our functions in torch.linalg's place, and takes them away again."""

from __future__ import annotations

import functools
import sys
import threading
from typing import Any, Callable

import torch

_TYPES = (torch.float32, torch.float64, torch.complex64, torch.complex128)
_lock = threading.Lock()
_theirs: dict[str, Callable[..., Any]] = {}
_uses = 0


def _routed(name: str, ours: Callable[..., Any], theirs: Callable[..., Any]) -> Callable[..., Any]:
    """Tensors that are not ours to compute with, as of half precision or on another device, go where they went."""
    @functools.wraps(theirs)
    def call(*args: Any, **how: Any) -> Any:
        first = args[0] if args else next(iter(how.values()), None)
        mine = isinstance(first, torch.Tensor) and first.dtype in _TYPES and first.device.type in ("cpu", "cuda") and first.layout is torch.strided
        return (ours if mine and how.get("pivot", True) else theirs)(*args, **how)

    return call


class use:
    """`with tesela.torch.use():` calls of torch.linalg's functions are ours, in all threads, until the block ends; `tesela.torch.use()` alone: until `off()` of
    what it returns. Blocks may be nested. Names that were imported from torch.linalg before stay what they were."""

    def __init__(self) -> None:
        global _uses
        ours = sys.modules["tesela.torch"]
        with _lock:
            if not _uses:
                for name in ours.__all__:
                    theirs = getattr(torch.linalg, name, None)
                    if callable(theirs) and not isinstance(theirs, type):
                        _theirs[name] = theirs
                        setattr(torch.linalg, name, _routed(name, getattr(ours, name), theirs))
            _uses += 1
        self._on = True

    def off(self) -> None:
        global _uses
        with _lock:
            if self._on:
                self._on = False
                _uses -= 1
                if not _uses:
                    for name, theirs in _theirs.items():
                        setattr(torch.linalg, name, theirs)
                    _theirs.clear()

    def __enter__(self) -> use:
        return self

    def __exit__(self, *error: object) -> None:
        self.off()
