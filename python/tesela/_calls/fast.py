"""The compiled way to call functions on views (python/fast/fast.c), where it has been built; else ctypes calls them, which takes some microseconds more of each
call. TESELA_FAST names its file; "no": ctypes is to call."""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
import sys
import sysconfig
from pathlib import Path
from typing import Any, Optional

from .library import letters, library, shared

NAME = "tesela_fast"
FILE = NAME + ".abi3.so"


def _places() -> list[Path]:
    """Where the library is, as in a build's folder; else in the package."""
    named = os.environ.get("TESELA_FAST")
    if named:
        return [Path(named)]
    return [Path(shared()._name).parent / FILE, Path(__file__).parent.parent / "lib" / FILE]


@functools.lru_cache(maxsize=None)
def module() -> Optional[Any]:
    """None: there is none, or none for this Python."""
    stable = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
    for place in _places() if stable else []:
        if place.is_file():
            try:
                loader = importlib.machinery.ExtensionFileLoader(NAME, str(place))
                spec = importlib.util.spec_from_loader(NAME, loader)
                found: Any = importlib.util.module_from_spec(spec) if spec else None
                loader.exec_module(found)
            except ImportError:
                continue
            found.bind(*[_address(getattr(library(), name)) for name in ("matrix_wrap", "batch_wrap", "matrix_free", "follow", "precede")])
            return found
    return None


def _address(function: Any) -> int:
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def calls(handle: int) -> Optional[Any]:
    """Of a context; None: ctypes is to call."""
    found = module()
    return None if found is None else found.Calls(handle)


@functools.lru_cache(maxsize=None)
def entry(name: str) -> Optional[tuple[int, int]]:
    """What `call` takes first of such a function; None: it is not one that it can call."""
    found = module()
    kind = None if found is None else found.signature(letters(name)[1:])
    return None if kind is None else (_address(getattr(library(), name)), kind)
