"""Stacks as batches: all their matrices in one call of the library, in the host's memory or on a GPU.

A batch is `count` matrices of one shape, stored by columns, equally far apart. A stack of NumPy's is stored by rows: as it lies it is a batch of
the transposes. What a call overwrites is a copy.
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from .._calls import errors as _errors
from .._arrays.kinds import Place, common_dtype, place_of, torch_types
from .call import Many
from .spaces import NumPy, space
from .._calls.typed import typed

Array = Any  # of any kind that has a space


class Read(NamedTuple):
    """An operand that is only read. turned: what is stored by columns are the transposes."""

    array: Array
    ld: int
    stride: int
    turned: bool
    address: int

    @property
    def place(self) -> tuple[int, int, int]:
        return self.address, self.ld, self.stride


class Batch(Many):
    """A call on stacks, which are broadcast. Arrays are in `arrays`, of one type; a vector is a matrix of one column. Here a stack has one dimension, its
    own shape is `stack`."""

    def __init__(self, home: NumPy, arrays: list[Array], stack: tuple[int, ...], dtype: np.dtype[Any], vectors: list[bool], like: Any) -> None:
        super().__init__(home, like, (math.prod(stack),), dtype, max(max(a.shape[-2:]) for a in arrays))
        self.arrays, self.stack, self.vectors = arrays, stack, vectors
        self.calls = typed()[dtype]
        self.xp = home.xp

    # ---- operands

    def flat(self, i: int) -> Array:
        """Operand i, broadcast, of shape (count, m, n); a copy only where its matrices are not equally far apart."""
        a = self.arrays[i]
        m, n = a.shape[-2:]
        return self.xp.broadcast_to(a, self.stack + (m, n)).reshape(self.count, m, n)

    def finite(self, check: bool) -> None:
        for name, a in zip("ab", self.arrays):
            if check and not self.space.finite(a):
                raise _errors.not_finite(name)

    def read(self, i: int) -> Read:
        """Operand i as it lies, if matrices are stored by rows or by columns, else a copy by rows."""
        a = self.flat(i)
        m, n = a.shape[1:]
        strides = self.space.strides(a)
        if strides is not None:
            apart, down, right = strides
            if apart >= 0 and (right == 1 or n == 1) and (down >= n or m == 1):
                return Read(a, n if m == 1 else down, apart, True, self.space.address(a))
            if apart >= 0 and (down == 1 or m == 1) and (right >= m or n == 1):
                return Read(a, m if n == 1 else right, apart, False, self.space.address(a))
        a = self.rows(a)
        return Read(a, n, m * n, True, self.space.address(a))

    def by_columns(self, i: int, transposed: bool = False) -> Array:
        """A copy of operand i, stored by columns: of shape (count, n, m); or of the transposes."""
        return self.rows(self.flat(i)) if transposed else self.columns(self.flat(i))

    def written(self, stored: Array) -> tuple[int, int, int]:
        """Address, leading dimension and stride of the batch that lies in such an array, of shape (count, columns, rows)."""
        return self.space.address(stored), max(1, stored.shape[2]), stored.shape[1] * stored.shape[2]

    def whole_numbers(self, *shape: int) -> Array:
        return self.space.empty(self.like, (self.count, *shape), np.dtype(np.int64))

    # ---- calls

    def run(self, name: str, *args: Any) -> None:
        with self:
            self.context.run(getattr(self.calls, name), name, *args)

    def outcomes(self, error: Callable[[int], _errors.LinAlgError], name: str, *args: Any) -> None:
        """A call whose last argument is infos: an error says which matrix is the first that has one."""
        infos = np.empty(self.count, np.int64)
        self.run(name, *args, infos.ctypes.data)
        self.need(infos, error)

    def need(self, infos: Any, error: Callable[[int], _errors.LinAlgError]) -> None:
        found = _errors.first_of(self.space.to_host(infos), self.stack, error)
        if found is not None:
            raise found

    # ---- results

    def hand(self, stored: Array, vector: bool = False) -> Any:
        """A batch stored by columns as the result, a stack: its transposes as NumPy sees it."""
        turned = self.space.turned(stored)
        return self.hand_rows(turned[:, :, 0] if vector else turned)

    def hand_rows(self, results: Array) -> Any:
        """Results, one for each matrix, as a stack."""
        return results.reshape(self.stack + tuple(results.shape[1:]))


def opened(*arrays: Any, vectors: int = 0) -> Optional[Batch]:
    """None: not one for the batch calls; then they are taken one after the other, and what is wrong with them is said there. The last `vectors`
    of the arrays may have one dimension, and are vectors then."""
    found: list[Any] = []
    home, like = "numpy", None
    gpus = set()
    for a in arrays:
        p: Any = a if type(a) is np.ndarray else place_of(a)
        if isinstance(p, Place):
            if p.kind not in ("torch", "cupy"):
                return None
            gpus.add(p.gpu)
            home, like, p = p.kind, p.like if like is None else like, p.like
        found.append(p)
    if len(gpus) > 1 or like is not None and any(isinstance(a, np.ndarray) for a in found) and None not in gpus:
        return None
    there = space(home, bool(gpus and None not in gpus))
    if home == "torch":
        found = [there.xp.from_numpy(_numbers(a)) if isinstance(a, np.ndarray) else a for a in found]
    first = len(found) - vectors
    if any(a.ndim < (2 if i < first else 1) for i, a in enumerate(found)):
        return None
    types = [torch_types()[a.dtype] if home == "torch" else a.dtype for a in found]
    if any(t.kind not in "biufc" for t in types):
        return None
    single = [a.ndim == 1 for a in found]
    dtype = common_dtype(*types)
    found = [(a[:, np.newaxis] if one else a) for a, one in zip(found, single)]
    found = [a if t == dtype and (home == "torch" or a.dtype.isnative) else there.cast(a, dtype) for a, t in zip(found, types)]
    stack = np.broadcast_shapes(*(tuple(a.shape[:-2]) for a in found))
    if 0 in stack or any(0 in a.shape for a in found):
        return None
    return Batch(there, found, stack, dtype, single, like if like is not None else found[0])


def _numbers(a: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy, of a type of ours: PyTorch warns of arrays that cannot be written to."""
    return np.array(a, common_dtype(a.dtype), order="C")
