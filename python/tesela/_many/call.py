"""One call of the library on one matrix or on a stack of them, wherever it is and whatever kind of array it is in.

The library stores matrices by columns. An array of shape (.., n, m), by rows without gaps, is for it a batch of m x n matrices: the transposes of what its owner sees.
Such an array is said to be stored here. One of shape (.., m, n), by columns without gaps, is seen: it is what its owner sees. A line is of shape (.., n), and for the
library a batch of columns.
"""

from __future__ import annotations

import ctypes
import math
from types import TracebackType
from typing import Any, Optional

import numpy as np

from .._arrays.storage import Store, address_of, again
from .._calls import options as _options
from .._calls.fast import entry as entry_of
from .._calls.library import NOTRANS, TRANS, Scalar, View, letters
from .spaces import NumPy

_POINTER = ctypes.POINTER(ctypes.c_int64)
INT, HALF = np.dtype(np.int64), np.dtype(np.int32)
GOOD = np.zeros((), np.int64)  # the outcome of one matrix, as a rule
GOOD.flags.writeable = False
GENERAL, LOWER, UPPER = range(3)
# type, rows, columns, address, stride and count of what is stored (a count below 0: one matrix); rows, columns, op, triangle and units of what is seen of it
Seen = tuple[int, int, int, int, int, int, int, int, int, int, int]
_REAL = {letter: np.dtype(letter.lower()) for letter in "fdFD"}


class Many:
    """`with Many(..) as k: k.call(..)`. What the array's own library does to operands is done before the block, what it does to results after it: so the block
    keeps its place among the work on the caller's stream."""

    def __init__(self, space: NumPy, like: Any, whole: tuple[int, ...], dtype: np.dtype[Any], order: int, one: bool = False) -> None:
        """one: a single matrix is to be a batch of one for the library."""
        self.space, self.like, self.whole, self.dtype = space, like, whole, dtype
        self.count = math.prod(whole) if whole else 1
        self.batch = one or bool(whole)
        each = self.count if self.batch else -1
        self._counts = (-1 if whole else each, each)  # for the library: of a matrix, which stands for all of a stack, and of a stack
        self.context = space.context(like, order)
        self._kept: list[Any] = []
        self.stays = False  # outcomes are to be an array where the others are: on a GPU nobody waits for them

    @property
    def complex(self) -> bool:
        return self.dtype.char in "FD"

    @property
    def real(self) -> np.dtype[Any]:
        return _REAL[self.dtype.char]

    def __enter__(self) -> Many:
        context = self.context
        self._stream = context.apart(self.space.stream(self.like)) if self.space.on_gpu else None
        if len(context.late) > 64:
            context.end_late()
        if self._stream is not None:
            context.order("follow", self._stream)
        return self

    def __exit__(self, kind: Optional[type[BaseException]], error: Optional[BaseException], where: Optional[TracebackType]) -> None:
        if self._stream is not None:
            self.context.order("precede", self._stream)
        self._kept.clear()

    # ---- operands

    def empty(self, columns: int, rows: int, dtype: Optional[np.dtype[Any]] = None) -> Any:
        """Stored, undefined."""
        return self.space.empty(self.like, self.whole + (columns, rows), dtype or self.dtype)

    def room(self, rows: int, columns: int) -> Any:
        """Seen, undefined."""
        return self.space.empty_by_columns(self.like, (*self.whole, rows, columns), self.dtype)

    def line(self, n: int, dtype: Optional[np.dtype[Any]] = None) -> Any:
        """A line, undefined."""
        return self.space.empty(self.like, (*self.whole, n), dtype or self.dtype)

    def seen(self, a: Any) -> Any:
        """Matrices, seen: a copy, broadcast."""
        if a.shape[:-2] == self.whole:
            return self.space.by_columns(a, self.dtype)
        return self.space.turned(self.columns(a))

    def columns(self, a: Any) -> Any:
        """Matrices, stored: a copy, broadcast."""
        return self.rows(self.space.turned(a))

    def rows(self, a: Any) -> Any:
        """The transposes, stored: a copy in the same order."""
        if a.shape[:-2] == self.whole:
            return self.space.copy(a, self.dtype)
        stored = self.empty(*a.shape[-2:])
        self.space.fill(stored, a)
        return stored

    def triangle(self, a: Any, lower: bool) -> Any:
        """rows of a triangle, with zeros outside."""
        if a.shape[:-2] == self.whole:
            return self.space.triangle(a, lower, self.dtype)
        return self.rows(self.space.clear(a, lower))

    def identity(self, columns: int, rows: Optional[int] = None) -> Any:
        """Stored: units, one after the other."""
        return self.rows(self.space.eye(self.like, columns, columns if rows is None else rows, self.dtype))

    def view(self, stored: Any, uplo: int = GENERAL, unit: bool = False, op: int = NOTRANS, part: Optional[tuple[int, int]] = None) -> Seen:
        """What the library sees: the first rows and columns, if a part is meant; then a triangle of what is stored; then through op."""
        shape, space = stored.shape, self.space
        self._kept.append(stored)
        n, m = shape[-2], shape[-1]
        rows, columns = part or (m, n)
        return space.types[stored.dtype], m, n, space.address(stored), m * n, self._counts[len(shape) > 2], rows, columns, op, uplo, unit

    def view_seen(self, seen: Any, uplo: int = GENERAL, unit: bool = False, op: int = NOTRANS, part: Optional[tuple[int, int]] = None) -> Seen:
        """The same of what is seen."""
        shape, space = seen.shape, self.space
        self._kept.append(seen)
        m, n = shape[-2], shape[-1]
        rows, columns = part or (m, n)
        return space.types[seen.dtype], m, n, space.address(seen), m * n, self._counts[len(shape) > 2], rows, columns, op, uplo, unit

    def view_line(self, line: Any) -> Seen:
        n, space = line.shape[-1], self.space
        self._kept.append(line)
        return space.types[line.dtype], n, 1, space.address(line), n, self._counts[1], n, 1, NOTRANS, GENERAL, False

    def reading(self, a: Any, lower: bool, unit: bool) -> Seen:
        """Triangles that are only read, as their owner sees them; in place, if they lie so."""
        fits = len(a.shape) == 2 or a.shape[:-2] == self.whole
        if not (fits and self.space.packed(a)):
            if fits and self.space.packed_columns(a):
                return self.view_seen(a, LOWER if lower else UPPER, unit)
            a = self.rows(a)
        return self.view(a, UPPER if lower else LOWER, unit, TRANS)

    # ---- calls

    def call(self, name: str, *args: Any) -> int:
        """Views are as `view` gives them, None where there is none; True stands for the place of an outcome, which is returned."""
        if not self.count:
            return 0
        context = self.context
        with context.lock:
            wanted = _options.chosen.get()
            if wanted is not context.options:
                context.apply(wanted, name)
            entry = entry_of(name) if context.fast is not None else None
            outcome: int = self._by_ctypes(name, args) if entry is None else context.fast.call(*entry, args)  # type: ignore[union-attr]
            if outcome < 0:
                context.fail(-1 - outcome, name)
        return outcome

    def _by_ctypes(self, name: str, args: tuple[Any, ...]) -> int:
        """What the compiled call does: an outcome, or -1 - a status."""
        context, outcome = self.context, ctypes.c_int64()
        plain = [self._plain(letter, arg, outcome) for letter, arg in zip(letters(name)[1:], args)]
        status = getattr(context.library, name)(context.handle, *plain)
        return -1 - status if status else outcome.value

    def _plain(self, letter: str, arg: Any, outcome: ctypes.c_int64) -> Any:
        if letter == "v":
            return View() if arg is None else self._seen(*arg)
        if letter == "I" and arg is not None:
            return outcome if arg is True else ctypes.cast(arg, _POINTER)
        return Scalar(arg, 0) if letter == "a" else arg

    def _seen(self, type_: int, m: int, n: int, address: int, stride: int, count: int, *how: int) -> View:
        wrap = (m, n, address, m or 1) + ((stride, count) if count >= 0 else ())
        once = self.space.on_gpu or self.context.on_host  # memory that is used in this call only: the same addresses come again and again
        store = again(self.context, type_, wrap) if once else Store(self.context, type_, None, True, False, wrap)
        self._kept.append(store)
        rows, columns, op, uplo, unit = how
        if (rows, columns, uplo, unit) == (m, n, GENERAL, 0):
            return store.whole(op)
        return store.seen((rows, columns, op, uplo, unit))

    def infos(self, name: str, *args: Any, told: bool = True) -> Any:
        """The outcomes of a call whose last argument they are, one of each matrix. Who is not to be told them does not wait."""
        if not told:
            self.call(name, *args, None)
            return GOOD
        if self.stays:
            return self._there(name, *args)
        if not self.batch:
            one = self.call(name, *args, True)
            return GOOD if not one else np.array(one)
        found = np.empty(self.whole, np.int64)  # there are as many as the library tells
        self._kept.append(found)
        self.call(name, *args, address_of(found))
        return found

    def _there(self, name: str, *args: Any) -> Any:
        """In 32 bits, and no other kernel makes them: they are halves of numbers that hold all of them."""
        halves = self.space.empty(self.like, (*self.whole, 2), HALF)
        self._kept.append(halves)
        self.call(name, *args, self.space.address(halves))
        return self.space.low(halves, self.whole)
