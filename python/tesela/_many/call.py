"""One call of the library on one matrix or on a stack of them, wherever it is and whatever kind of array it is in.

The library stores matrices by columns. An array of shape (.., n, m), by rows without gaps, is for it a batch of m x n matrices: the transposes of what its owner sees.
Such an array is said to be stored here.
"""

from __future__ import annotations

import ctypes
import math
from types import TracebackType
from typing import Any, Optional

import numpy as np

from .._arrays.storage import Store, again
from .._calls import options as _options
from .._calls.library import NOTRANS, TRANS, View
from .spaces import NumPy

_POINTER = ctypes.POINTER(ctypes.c_int64)
GOOD = np.zeros((), np.int64)  # the outcome of one matrix, as a rule
GOOD.flags.writeable = False
GENERAL, LOWER, UPPER = range(3)
_REAL: dict[str, tuple[np.dtype[Any], bool]] = {letter: (np.dtype(letter.lower()), letter in "FD") for letter in "fdFD"}


class Many:
    """`with Many(..) as k: k.call(..)`. What the array's own library does to operands is done before the block, what it does to results after it: so the block
    keeps its place among the work on the caller's stream."""

    def __init__(self, space: NumPy, like: Any, whole: tuple[int, ...], dtype: np.dtype[Any], order: int) -> None:
        self.space, self.like, self.whole, self.dtype = space, like, tuple(whole), dtype
        self.count = math.prod(whole) if whole else 1
        self.real, self.complex = _REAL[dtype.char]
        self.context = space.context(like, order)
        self._again = space.on_gpu or self.context.on_host  # memory that is used in this call only: the same addresses come again and again
        self._kept: list[Any] = []

    def __enter__(self) -> Many:
        stream = self.space.stream(self.like) if self.space.on_gpu else None
        self._stream = stream
        if len(self.context.late) > 64:
            self.context.end_late()
        if stream is not None:
            self.context.order("follow", stream)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        if self._stream is not None:
            self.context.order("precede", self._stream)
        self._kept.clear()

    # ---- operands

    def empty(self, columns: int, rows: int, dtype: Optional[np.dtype[Any]] = None) -> Any:
        """Stored, undefined."""
        return self.space.empty(self.like, self.whole + (columns, rows), dtype or self.dtype)

    def columns(self, a: Any) -> Any:
        """Matrices, stored: a copy, broadcast."""
        return self.rows(self.space.turned(a))

    def rows(self, a: Any) -> Any:
        """The transposes, stored: a copy in the same order."""
        if len(a.shape) == 2 + len(self.whole) and a.shape[:-2] == self.whole:
            return self.space.copy(a, self.dtype)
        stored = self.empty(*a.shape[-2:])
        self.space.fill(stored, a)
        return stored

    def identity(self, columns: int, rows: Optional[int] = None) -> Any:
        """Stored: units, one after the other."""
        stored = self.empty(columns, columns if rows is None else rows)
        self.space.fill(stored, self.space.eye(self.like, columns, columns if rows is None else rows, self.dtype))
        return stored

    def view(self, stored: Any, uplo: int = GENERAL, unit: bool = False, op: int = NOTRANS, part: Optional[tuple[int, int]] = None) -> View:
        """What the library sees: the first rows and columns, if a part is meant; then a triangle of what is stored; then through op."""
        space, shape = self.space, stored.shape
        m, n = shape[-1], shape[-2]
        wrap: tuple[int, ...] = (m, n, space.address(stored), m or 1)
        if self.whole and len(shape) > 2:  # else it is one, only read where it stands for all
            wrap += (m * n, self.count)
        type_ = space.type(stored)
        store = again(self.context, type_, wrap) if self._again else Store(self.context, type_, stored, True, False, wrap)
        self._kept.append((store, stored))
        if uplo == GENERAL and not unit and op == NOTRANS and part is None:
            return store.whole(NOTRANS)
        rows, columns = part or (m, n)
        return store.seen((rows, columns, op, uplo, int(unit)))

    def reading(self, a: Any, lower: bool, unit: bool) -> View:
        """Triangles that are only read, as their owner sees them; in place, if they lie so."""
        space = self.space
        alone = len(a.shape) == 2 or tuple(a.shape[:-2]) == self.whole
        turned = True
        if alone and space.packed(a):
            stored = a
        elif alone and space.packed(space.turned(a)):
            stored, turned = space.turned(a), False
        else:
            stored = self.rows(a)
        return self.view(stored, LOWER if lower != turned else UPPER, unit, TRANS if turned else NOTRANS)

    # ---- calls

    def call(self, name: str, *args: Any) -> None:
        if self.count:
            context = self.context
            with context.lock:
                wanted = _options.chosen.get()
                if wanted is not context.options:
                    context.apply(wanted, name)
                status = getattr(context.library, name)(context.handle, *args)
                if status:
                    context.fail(status, name)

    def infos(self, name: str, *args: Any, told: bool = True) -> np.ndarray[Any, Any]:
        """The outcomes of a call whose last argument they are, one of each matrix. Who is not to be told them does not wait."""
        if not told:
            self.call(name, *args, None)
            return GOOD
        if not self.whole:
            one = ctypes.c_int64()
            self.call(name, *args, one)
            return GOOD if not one.value else np.array(one.value)
        found = np.zeros(self.whole, np.int64)
        if self.count:
            self.call(name, *args, ctypes.cast(found.ctypes.data, _POINTER))
        return found
