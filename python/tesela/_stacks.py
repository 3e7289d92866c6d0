"""Stacks: arrays of more than two dimensions, the last of which are matrices. As in SciPy they are taken one after the other."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, Sequence, TypeVar, cast

import numpy as np

from ._matrix import Matrix

Function = TypeVar("Function", bound=Callable[..., Any])


def ndim(a: Any) -> int:
    return int(a.ndim) if hasattr(a, "ndim") else np.ndim(a)


def of_one(f: Function) -> Function:
    """A function of a matrix, also of stacks."""

    @functools.wraps(f)
    def call(a: Any, *args: Any, **how: Any) -> Any:
        return each(lambda x: f(x, *args, **how), a) if ndim(a) > 2 else f(a, *args, **how)

    return cast(Function, call)


def of_two(f: Function) -> Function:
    """A function of a matrix and right-hand sides, also of stacks."""

    @functools.wraps(f)
    def call(a: Any, b: Any, *args: Any, **how: Any) -> Any:
        return each(lambda x, y: f(x, y, *args, **how), a, b) if ndim(a) > 2 or ndim(b) > 2 else f(a, b, *args, **how)

    return cast(Function, call)


def each(f: Callable[..., Any], *arrays: Any, cores: Sequence[int] = (2, 2, 2)) -> Any:
    """f of the matrices of stacks, which are broadcast; its results as stacks. `cores` says how many dimensions f is given, at most."""
    arrays = tuple(a if hasattr(a, "shape") else np.asarray(a) for a in arrays)
    stacks = [tuple(a.shape[:max(0, len(a.shape) - core)]) for a, core in zip(arrays, cores)]
    whole = np.broadcast_shapes(*stacks)
    if 0 in whole:  # there is no matrix, but what results of one would look like is known
        return _stacked([f(*map(_sample, arrays, cores))], whole)
    results = []
    for at in np.ndindex(*whole):
        places = [tuple(i if n > 1 else 0 for i, n in zip(at[len(whole) - len(stack):], stack)) for stack in stacks]
        results.append(f(*[a[place] if place else a for a, place in zip(arrays, places)]))
    return _stacked(results, whole)


def _sample(a: Any, core: int) -> Any:
    """One that has an inverse."""
    if not isinstance(a, np.ndarray):
        raise ValueError("a stack without matrices")
    shape = a.shape[max(0, a.ndim - core):]
    return np.eye(shape[0], shape[1], dtype=a.dtype) if len(shape) == 2 else np.zeros(shape, a.dtype)


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
