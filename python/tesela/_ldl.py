"""L D L^T of symmetric matrices, L D L^H of Hermitian ones."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import diagonal_of, need_finite, need_square
from ._solve import triangle
from ._many.stacks import each, ndim
from ._arrays.storage import fetch, move, of_numpy

Array = np.ndarray[Any, Any]


def ldl(A: Any, lower: bool = True, hermitian: bool = True, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any, Any]:
    """(lu, d, perm) with a = lu d lu^H, or lu d lu^T unless `hermitian`: lu[perm] is a unit triangle, d has blocks of order 1 and 2 on its diagonal (Bunch and
    Kaufman). Only the lower triangle of a is read, or the upper one. A singular d is no error here. The factors are taken apart in the host's memory.
    """
    if ndim(A) > 2:
        return each(lambda x: ldl(x, lower, hermitian, False, check_finite), A)  # type: ignore[no-any-return]
    with Call(A) as c:
        (a,) = c.take((2,))
        n = need_square(a)
        need_finite(check_finite, a)
        conjugate = hermitian and a.dtype.kind == "c"
        if conjugate and n and np.any(diagonal_of(a).imag):
            warnings.warn("ldl: imaginary parts on the diagonal are ignored; hermitian=False is for symmetric matrices", _complex_warning(), stacklevel=2)

        def compute() -> tuple[Any, Any, Any]:
            F, p = c.overwritten(a, A, overwrite_a), c.pivots(n)
            if n:
                c.context.info("hetrf" if conjugate else "sytrf", triangle(F, lower), p)
            f, piv = np.array(fetch(F), order="C").reshape(n, n), fetch(p).reshape(-1)
            blocks = _blocks(piv, lower)
            d = _diagonal(f, blocks, lower, conjugate)
            lu, perm = _outer(f, piv, blocks, lower)
            return _handed(c, lu), _handed(c, d), c.hand_numbers(perm)

        return c.within(compute)


def _complex_warning() -> type[Warning]:
    return getattr(getattr(np, "exceptions", np), "ComplexWarning")  # type: ignore[no-any-return]


def _blocks(piv: Array, lower: bool) -> list[tuple[int, int]]:
    """(first row, order) of the blocks of d, in the order in which their columns were eliminated."""
    found, k = [], 0 if lower else len(piv) - 1
    while 0 <= k < len(piv):
        size = 2 if piv[k] < 0 else 1
        found.append((k if lower else k - size + 1, size))
        k += size if lower else -size
    return found


def _diagonal(f: Array, blocks: list[tuple[int, int]], lower: bool, conjugate: bool) -> Array:
    """d; what f has of it beside the diagonal becomes zero."""
    d = np.diag(f.diagonal().real.astype(f.dtype) if conjugate else f.diagonal().copy())
    for k, size in blocks:
        if size == 2:
            i, j = (k + 1, k) if lower else (k, k + 1)
            d[i, j], d[j, i], f[i, j] = f[i, j], np.conj(f[i, j]) if conjugate else f[i, j], 0
    return d


def _outer(f: Array, piv: Array, blocks: list[tuple[int, int]], lower: bool) -> tuple[Array, Array]:
    """P1 L1 P2 L2 .. : the exchanges of a block reach its own columns and those eliminated after it, the last ones first."""
    n = len(f)
    lu = np.tril(f, -1) if lower else np.triu(f, 1)
    lu[np.diag_indices(n)] = 1
    rows = np.arange(n)
    for k, size in reversed(blocks):
        i, with_ = k + size - 1 if lower else k, abs(int(piv[k])) - 1
        if i != with_:
            columns = slice(k, n) if lower else slice(0, k + size)
            lu[[i, with_], columns] = lu[[with_, i], columns]
            rows[[i, with_]] = rows[[with_, i]]
    return lu, np.argsort(rows)


def _handed(c: Call, a: Array) -> Any:
    X: Matrix = c.new(len(a), len(a), a.dtype)
    if X.size:
        move("copy", of_numpy(c.context, np.asfortranarray(a)), X)
    return c.hand(X)
