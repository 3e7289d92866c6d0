"""Options of calls: what the environment says, what a block of calls asks for, and what each of them may be."""

from __future__ import annotations

import contextvars
import functools
import operator
import os
import re
import warnings
from typing import Any, Callable, Optional, TypeVar, Union

Function = TypeVar("Function", bound=Callable[..., Any])

_ALLOWED = {"policy": ("auto", "basic", "affinity", "cache", "write-back"), "dist": ("2d", "rows", "cols"),
            "diag_on": ("auto", "device", "host"), "path": ("auto", "one", "tiles"),
            "products": ("auto", "native", "emulated", "emulated-fast")}
_asked = os.environ.get("TESELA_PRODUCTS", "auto")

# Those that tsl_set has by these names, and what a context has without it.
SET = {"tile": "0", "variant": "auto", "products": _asked if _asked in _ALLOWED["products"] else "auto", "policy": "auto", "dist": "2d",
       "diag_on": "auto", "path": "auto", "graph": ""}

chosen: contextvars.ContextVar[dict[str, Any]] = contextvars.ContextVar("tesela.options", default={})


def _count(name: str, value: Any) -> int:
    """An integer that is not negative."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}={value!r} is not an integer") from None
    if number < 0:
        raise ValueError(f"{name}={value!r} is negative")
    return number


def _memory(name: str, value: Any) -> Any:
    if isinstance(value, str):
        if re.fullmatch(r"\d+(\.\d+)?[KMGkmg]?", value):
            return value
    elif not isinstance(value, float) and _count(name, value) > 0:
        return _count(name, value)
    raise ValueError(f"{name}={value!r} is neither a number of bytes nor a size as '64M' or '8G'")


def _text(name: str, value: Any) -> str:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str):
        raise TypeError(f"{name}={value!r} is not a string")
    if name in _ALLOWED and value not in _ALLOWED[name]:
        raise ValueError(f"{name}={value!r} is none of {', '.join(_ALLOWED[name])}")
    return value


def _checked(name: str, value: Any) -> Any:
    return _memory(name, value) if name == "memory" else _count(name, value) if name in ("offload_min", "tile") else _text(name, value)


class options:
    """Options of the calls in a `with` block, of this thread (or task); those not named stay as they are outside.

    devices      a device specification: "host", "cuda", "cuda:1", virtual ones as "host:4,mem=64M"; else TESELA_DEVICES, else all GPUs
    memory       at most so much memory of each device, in bytes or as "8G": larger problems are computed by parts
    offload_min  problems in host memory of a smaller order stay on the host; TESELA_OFFLOAD_MIN, else 512
    tile, variant, products, policy, dist, diag_on, path, graph   as of tsl_set in tesela.h

    As a decorator: options of the calls that a function makes.
    """

    __module__ = "tesela"
    _used = True  # but for one that is complete and waits for its block

    def __init__(self, *, devices: Optional[str] = None, memory: Union[int, str, None] = None, offload_min: Optional[int] = None,
                 tile: Optional[int] = None, variant: Optional[str] = None, products: Optional[str] = None,
                 policy: Optional[str] = None, dist: Optional[str] = None, diag_on: Optional[str] = None, path: Optional[str] = None,
                 graph: Union[str, os.PathLike[str], None] = None) -> None:
        given = dict(devices=devices, memory=memory, offload_min=offload_min, tile=tile, variant=variant, products=products,
                     policy=policy, dist=dist, diag_on=diag_on, path=path, graph=graph)
        self._given = {name: _checked(name, value) for name, value in given.items() if value is not None}
        self._tokens: list[contextvars.Token[dict[str, Any]]] = []
        self._used = False

    def __enter__(self) -> None:
        self._used = True
        self._tokens.append(chosen.set({**chosen.get(), **self._given}))

    def __exit__(self, *error: object) -> None:
        chosen.reset(self._tokens.pop())

    def __call__(self, function: Function) -> Function:
        self._used = True

        @functools.wraps(function)
        def call(*args: Any, **how: Any) -> Any:
            with options(**self._given):  # of its own: calls may be nested, and in several threads
                return function(*args, **how)

        return call  # type: ignore[return-value]

    def __del__(self) -> None:
        if not self._used:
            warnings.warn("tesela.options has an effect in a `with` block only", RuntimeWarning, stacklevel=2)


# The environment is read once.
DEVICES = os.environ.get("TESELA_DEVICES") or None


def _offload_min() -> int:
    text = os.environ.get("TESELA_OFFLOAD_MIN") or "512"
    if not text.strip().isdecimal():
        raise ValueError(f"TESELA_OFFLOAD_MIN={text!r} is not a number")
    return int(text)


OFFLOAD_MIN = _offload_min()  # the order from which a problem in host memory goes to a GPU
