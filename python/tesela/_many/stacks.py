"""Stacks: arrays of more than two dimensions, the last of which are matrices. In the host's memory they are computed as batches (batch.py); what
has no form for batches is taken one after the other, here."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, Sequence, TypeVar, cast

import numpy as np

from .._calls.errors import LinAlgError, in_stack
from .._arrays.kinds import plain
from .._arrays.matrix import Matrix

Function = TypeVar("Function", bound=Callable[..., Any])


def ndim(a: Any) -> int:
    if type(a) is np.ndarray:
        return a.ndim
    return int(a.ndim) if hasattr(a, "ndim") else np.ndim(a)


def _overwriting(f: Callable[..., Any]) -> set[Any]:
    """The places and names of its arguments overwrite_a and overwrite_b."""
    code = f.__code__
    return {key for at in enumerate(code.co_varnames[:code.co_argcount]) if at[1].startswith("overwrite") for key in at}


def _sparing(flags: set[Any], first: int, args: Sequence[Any], how: dict[str, Any]) -> tuple[Sequence[Any], dict[str, Any]]:
    """The arguments from `first` on without leave to overwrite: what is broadcast is used again, and results of stacks are new anyway."""
    return ([False if i in flags else arg for i, arg in enumerate(args, first)],
            {name: value for name, value in how.items() if name not in flags})


def of_one(batch: Callable[..., Any]) -> Callable[[Function], Function]:
    """Makes a function of a matrix one of stacks, too. `batch` is the same of stacks, where it does not return None."""
    def decorate(f: Function) -> Function:
        flags = _overwriting(f)

        @functools.wraps(f)
        def call(a: Any, *args: Any, **how: Any) -> Any:
            if ndim(a) <= 2:
                return f(a, *args, **how)
            results = batch(a, *args, **how)
            if results is not None:
                return results
            if any(isinstance(arg, str) for arg in args[:1]):  # NumPy's place for a mode: f sees to the stack
                return f(a, *args, **how)
            rest, named = _sparing(flags, 1, args, how)
            return each(lambda x: f(x, *rest, **named), a)

        return cast(Function, call)

    return decorate


def of_two(batch: Callable[..., Any]) -> Callable[[Function], Function]:
    """The same of a function of a matrix and right-hand sides."""
    def decorate(f: Function) -> Function:
        flags = _overwriting(f)

        @functools.wraps(f)
        def call(a: Any, b: Any, *args: Any, **how: Any) -> Any:
            if ndim(a) <= 2 and ndim(b) <= 2:
                return f(a, b, *args, **how)
            results = batch(a, b, *args, **how)
            if results is not None:
                return results
            rest, named = _sparing(flags, 2, args, how)
            return each(lambda x, y: f(x, y, *rest, **named), a, b)

        return cast(Function, call)

    return decorate


def each(f: Callable[..., Any], *arrays: Any, cores: Sequence[int] = (2, 2, 2)) -> Any:
    """f of the matrices of stacks, which are broadcast; its results as stacks. `cores` says how many dimensions f is given, at most."""
    arrays = tuple(plain(a) if isinstance(a, np.ndarray) or not hasattr(a, "shape") else a for a in arrays)
    stacks = [tuple(a.shape[:max(0, len(a.shape) - core)]) for a, core in zip(arrays, cores)]
    whole = np.broadcast_shapes(*stacks)
    if 0 in whole:  # there is no matrix, but what results of one would look like is known
        return _stacked([f(*map(_sample, arrays, cores))], whole)
    results = []
    for at in np.ndindex(*whole):
        places = [tuple(i if n > 1 else 0 for i, n in zip(at[len(whole) - len(stack):], stack)) for stack in stacks]
        try:
            results.append(f(*[a[place] if place else a for a, place in zip(arrays, places)]))
        except LinAlgError as why:
            raise in_stack(why, at) from None
    return _stacked(results, whole)


def _sample(a: Any, core: int) -> Any:
    """One that has an inverse."""
    shape = tuple(a.shape[max(0, len(a.shape) - core):])
    home = type(a).__module__.partition(".")[0]
    if not isinstance(a, np.ndarray) and home not in ("torch", "cupy"):
        raise ValueError("a stack without matrices")
    space: Any = np if isinstance(a, np.ndarray) else sys.modules[home]
    how = {"dtype": a.dtype, "device": a.device} if home == "torch" else {"dtype": a.dtype}
    return space.eye(*shape, **how) if len(shape) == 2 else space.zeros(shape, **how)


def _stacked(parts: list[Any], whole: tuple[int, ...]) -> Any:
    first = parts[0]
    if isinstance(first, tuple):
        columns = [_stacked(list(column), whole) for column in zip(*parts)]
        return type(first)(*columns) if hasattr(first, "_fields") else tuple(columns)
    if first is None or isinstance(first, bool):  # the same of all
        return first
    if isinstance(first, Matrix):
        raise TypeError("a stack of matrices on a device needs a library that has such arrays, as PyTorch, CuPy and JAX do")
    home = type(first).__module__.partition(".")[0]
    space = first.__array_namespace__() if hasattr(first, "__array_namespace__") else sys.modules[home] if home in ("torch", "cupy") else np
    return space.stack(parts)[:math.prod(whole)].reshape(whole + tuple(np.shape(first)))
