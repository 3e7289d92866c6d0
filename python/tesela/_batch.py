"""Stacks in the host's memory as batches: all their matrices in one call of the library.

A batch is `count` matrices of one shape, stored by columns, equally far apart. A stack of NumPy's is stored by rows: as it lies it is a batch of
the transposes. What a call overwrites is a copy.
"""

from __future__ import annotations

import ctypes
import math
import sys
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from . import _context, _errors
from ._kinds import Place, common_dtype, place_of
from ._library import library
from ._storage import TYPES, address_of
from ._typed import typed

Array = np.ndarray[Any, Any]


class Read(NamedTuple):
    """An operand that is only read. turned: what is stored by columns are the transposes."""

    array: Array
    ld: int
    stride: int
    turned: bool

    @property
    def place(self) -> tuple[int, int, int]:
        return address_of(self.array), self.ld, self.stride


def written(stored: Array) -> tuple[int, int, int]:
    """Address, leading dimension and stride of the batch that lies in such an array, of shape (count, columns, rows)."""
    return address_of(stored), max(1, stored.shape[2]), stored.shape[1] * stored.shape[2]


class Batch:
    """A call on stacks, which are broadcast. Arrays are in `arrays`, of one type; a vector is a matrix of one column."""

    arrays: list[Array]
    whole: tuple[int, ...]  # the shape of the stack
    count: int
    vectors: list[bool]

    def __init__(self, arrays: list[Array], whole: tuple[int, ...], dtype: np.dtype[Any], vectors: list[bool], like: Any) -> None:
        self.arrays, self.whole, self.count, self.vectors, self.dtype = arrays, whole, math.prod(whole), vectors, dtype
        self.calls = typed()[dtype]
        self.complex = dtype.kind == "c"
        self._like = like  # a tensor: results are such
        self.context = _context.on_host(max(max(a.shape[-2:]) for a in arrays))

    # ---- operands

    def flat(self, i: int) -> Array:
        """Operand i, broadcast, of shape (count, m, n); a copy only where its matrices are not equally far apart."""
        a = self.arrays[i]
        return np.broadcast_to(a, self.whole + a.shape[-2:]).reshape(self.count, *a.shape[-2:])

    def finite(self, check: bool) -> None:
        """Squares add up to NaN or infinity if an element is one; they may, too, if elements are large."""
        for name, a in zip("ab", self.arrays):
            if check and not math.isfinite(np.vdot(a, a).real) and not np.isfinite(a).all():
                raise _errors.not_finite(name)

    def read(self, i: int) -> Read:
        """Operand i as it lies, if matrices are stored by rows or by columns, else a copy by rows."""
        a = self.flat(i)
        m, n = a.shape[1:]
        if a.flags.aligned and not any(s % a.itemsize for s in a.strides):
            apart, down, right = (s // a.itemsize for s in a.strides)
            if apart >= 0 and (right == 1 or n == 1) and (down >= n or m == 1):
                return Read(a, n if m == 1 else down, apart, True)
            if apart >= 0 and (down == 1 or m == 1) and (right >= m or n == 1):
                return Read(a, m if n == 1 else right, apart, False)
        return Read(np.ascontiguousarray(a), n, m * n, True)

    def by_columns(self, i: int, transposed: bool = False) -> Array:
        """A copy of operand i, stored by columns: of shape (count, n, m); or of the transposes."""
        a = self.flat(i)
        return np.array(a if transposed else a.swapaxes(1, 2), order="C")

    def new(self, columns: int, rows: int) -> Array:
        """A batch of matrices, stored by columns, undefined."""
        return np.empty((self.count, columns, rows), self.dtype)

    def identities(self, n: int) -> Array:
        stored = self.new(n, n)
        stored[...] = np.eye(n, dtype=self.dtype)
        return stored

    # ---- calls

    def run(self, name: str, *args: Any) -> None:
        self.context.run(getattr(self.calls, name), name, *args)

    def infos(self, error: Callable[[int], _errors.LinAlgError], name: str, *args: Any) -> None:
        """A call whose last argument is infos: an error says which matrix is the first that has one."""
        infos = np.empty(self.count, np.int64)
        self.run(name, *args, address_of(infos))
        self.need(infos, error)

    def need(self, infos: Array, error: Callable[[int], _errors.LinAlgError]) -> None:
        found = _errors.first_of(infos, self.whole, error)
        if found is not None:
            raise found

    def views(self, name: str, *batches: Array) -> None:
        """A call that has no typed form for batches, on all of each batch, which are stored by columns."""
        made: list[ctypes.c_void_p] = []
        with self.context.lock:
            try:
                for stored in batches:
                    made.append(self.context.wrapped(TYPES[self.dtype.char], stored.shape[2], stored.shape[1], *written(stored), self.count))
                self.context(name, *(library().whole(handle) for handle in made))
            finally:
                for handle in made:
                    library().matrix_free(handle)

    # ---- results

    def hand(self, stored: Array, vector: bool = False) -> Any:
        """A batch stored by columns as the result, a stack: its transposes as NumPy sees it."""
        return self.hand_rows(stored.swapaxes(1, 2)[:, :, 0] if vector else stored.swapaxes(1, 2))

    def hand_rows(self, results: Array) -> Any:
        """Results, one for each matrix, as a stack."""
        stack = results.reshape(self.whole + results.shape[1:])
        return stack if self._like is None else sys.modules["torch"].from_numpy(stack)


def opened(*arrays: Any, vectors: int = 0) -> Optional[Batch]:
    """None: not one for the batch calls; then they are taken one after the other, and what is wrong with them is said there. The last `vectors`
    of the arrays may have one dimension, and are vectors then."""
    found, like = [], None
    for a in arrays:
        p: Any = a if type(a) is np.ndarray else place_of(a)
        if isinstance(p, Place):
            if p.kind != "torch" or p.gpu is not None:
                return None
            like, p = like if like is not None else p.like, p.array
        found.append(p)
    first = len(found) - vectors
    if any(a.ndim < (2 if i < first else 1) or a.dtype.kind not in "biufc" for i, a in enumerate(found)):
        return None
    single = [a.ndim == 1 for a in found]
    dtype = common_dtype(*(a.dtype for a in found))
    found = [(a[:, np.newaxis] if one else a).astype(dtype, copy=False) for a, one in zip(found, single)]
    whole = np.broadcast_shapes(*(a.shape[:-2] for a in found))
    return None if 0 in whole or any(a.size == 0 for a in found) else Batch(found, whole, dtype, single, like)
