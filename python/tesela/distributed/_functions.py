"""The functions: operands are brought to blocks over the grid's rows and columns (tsl_copy), computed with there, and results go back to where the
first operand is: sharded the same way, stored in the same order."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from .._arrays.kinds import common_dtype
from .._calls import errors as _errors, library as _library
from .._calls.library import Scalar, Selection, View
from ._array import Array, empty
from ._layouts import Along, BlockCyclic, Columns, Copies, Rows


class EighResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Array


class QRResult(NamedTuple):
    Q: Array
    R: Array


class SVDResult(NamedTuple):
    U: Array
    S: Any
    Vh: Array


def _need(a: Any, name: str, dimensions: tuple[int, ...] = (2,)) -> None:
    if not isinstance(a, Array):
        raise TypeError(f"{name} is {type(a).__name__}: distribute() or from_local() makes a distributed array of it")
    if a.ndim not in dimensions:
        raise ValueError(f"{name} has {a.ndim} dimension{'s' if a.ndim > 1 else ''}")


def _need_square(a: Any, name: str) -> None:
    _need(a, name)
    if a.shape[0] != a.shape[1]:
        raise ValueError(f"{name} is {a.shape[0]} x {a.shape[1]}, must be square")


def _need_same_grid(a: Array, b: Array) -> None:
    if a.grid is not b.grid:
        raise ValueError("a and b are on different grids")


def _work(a: Array, dtype: Any = None) -> Array:
    """A copy to compute in, which is overwritten."""
    dtype = a.dtype if dtype is None else dtype
    return (a if a.dtype == dtype else a.astype(dtype)).to(BlockCyclic())


def _read(a: Array, dtype: Any) -> Array:
    """The same to be read only: itself, where it lies like that"""
    return a if a.dtype == dtype and a.layout == BlockCyclic() and a.order == "F" else _work(a, dtype)


def _made(like: Array, *shape: int, dtype: Any = None) -> Array:
    return empty(like.grid, shape, like.dtype if dtype is None else dtype, BlockCyclic())


def _call(a: Array, function: str, *args: Any) -> None:
    x = a.grid.context
    x.run(getattr(x.library, function), function, *args)


def _info(a: Array, function: str, *args: Any) -> int:
    outcome = ctypes.c_int64()
    _call(a, function, *args, outcome)
    return outcome.value


def _triangle(a: Array, view: View, lower: bool) -> View:
    x = a.grid.context.library
    triangle: View = x.lower(view) if lower else x.upper(view)
    return triangle


def _clear_other(a: Array, view: View, lower: bool) -> None:
    """Zeros in the other triangle"""
    _call(a, "expand", _library.TRIANGULAR, _triangle(a, view, lower), view)


def _everywhere(a: Array, n: int, dtype: Any) -> Array:
    return empty(a.grid, (n,), dtype, Copies())


def _result(like: Array, work: Array, shape: tuple[int, ...]) -> Array:
    """The first rows and columns of what was computed, in the layout and order of an operand. Rows and columns are cut anew where the shape is
    another."""
    layout = like.layout
    if isinstance(layout, (Rows, Columns)) and like.shape != shape:
        layout = Rows() if len(shape) == 1 else type(layout)()
    result = empty(like.grid, shape, work.dtype, layout, like.order)
    _call(like, "copy", work.block(result.rows, result.columns), result._view)
    return result


def matmul(a: Array, b: Array) -> Array:
    """The product, as a is."""
    _need(a, "a")
    _need(b, "b", (1, 2))
    _need_same_grid(a, b)
    if a.shape[1] != b.shape[0]:
        raise ValueError(f"a is {a.shape} and b {b.shape}: they cannot be multiplied")
    dtype = common_dtype(a.dtype, b.dtype)
    A, B = _read(a, dtype), _read(b, dtype)
    C = _made(A, a.shape[0], b.columns, dtype=dtype)
    _call(C, "gemm", Scalar(1, 0), A._view, B._view, Scalar(0, 0), C._view)
    return _result(a, C, a.shape[:1] + b.shape[1:])


def cholesky(a: Array, lower: bool = False) -> Array:
    """U with a = U^H U, or L with a = L L^H; only that triangle of a is read. LinAlgError: a is not positive definite."""
    _need_square(a, "a")
    W = _work(a)
    info = _info(W, "potrf", _triangle(W, W._view, lower))
    if info:
        raise _errors.no_factor(info)
    _clear_other(W, W._view, lower)
    return _result(a, W, a.shape)


def solve(a: Array, b: Array, *, assume_a: str = "gen", lower: bool = False) -> Array:
    """x with a x = b, as b is. assume_a='pos': a is positive definite, and one triangle of it is read. LinAlgError: a is singular, or not definite."""
    _need_square(a, "a")
    _need(b, "b", (1, 2))
    _need_same_grid(a, b)
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"a is {a.shape} and b {b.shape}: they do not go together")
    if assume_a not in ("gen", "pos"):
        raise ValueError(f"assume_a={assume_a!r} is neither 'gen' nor 'pos'")
    dtype = common_dtype(a.dtype, b.dtype)
    A, X = _work(a, dtype), _work(b, dtype)
    if assume_a == "pos":
        info = _info(A, "posv", _triangle(A, A._view, lower), X._view)
        if info:
            raise _errors.not_definite(info)
    else:
        pivots = empty(a.grid, a.shape[:1], np.dtype(np.int64), Along())
        info = _info(A, "gesv", A._view, pivots._view, X._view)
        if info:
            raise _errors.singular(info)
    return _result(b, X, b.shape)


def qr(a: Array, mode: str = "economic") -> Any:
    """(Q, R) with a = Q R, Q with as many columns as a has rows or columns, whichever are fewer; mode 'r': R alone."""
    _need(a, "a")
    if mode not in ("economic", "reduced", "r"):
        raise ValueError(f"mode={mode!r} is none of 'economic', 'reduced', 'r'")
    m, n = a.shape
    k = min(m, n)
    W = _work(a)
    tau = empty(a.grid, (k,), a.dtype, Along())
    _call(W, "geqrf", W._view, tau._view)
    R = _made(W, k, n)
    _call(W, "copy", W.block(k, n), R._view)
    _clear_other(R, R.block(k, k), False)
    if mode == "r":
        return _result(a, R, (k, n))
    _call(W, "orgqr", W.block(m, k), tau._view)
    return QRResult(_result(a, W, (m, k)), _result(a, R, (k, n)))


def _need_full_rank(A: Array) -> None:
    """Of what gels has left: no element on the diagonal of R (L) is zero but for rounding of its column (row)."""
    m, n = A.shape
    least = max(m, n) * float(np.finfo(A.dtype).eps)
    rows, cols = A.indices(0)[:, None], A.indices(1)[None, :]
    sizes = np.abs(A.local) * ((rows <= cols) if m >= n else (rows >= cols))
    top = A.grid.largest(float(sizes.max(initial=0)))
    diagonal = np.where(rows == cols, sizes, np.inf)
    small = np.flatnonzero((diagonal <= least * top).any(axis=0)) if diagonal.size else np.arange(0)
    suspects = sorted((int(cols[0, j]) for j in small), reverse=True)
    while True:  # the first suspect of all processes that are left
        mine = suspects[-1] if suspects else min(m, n)
        i = min(m, n) - int(A.grid.largest(min(m, n) - mine))
        if i == min(m, n):
            return
        if mine == i:
            suspects.pop()
        line = np.flatnonzero((cols[0] if m >= n else rows[:, 0]) == i)
        part = sizes[:, line] if m >= n else sizes[line]
        own = diagonal[:, line] if m >= n else diagonal[line]
        largest = A.grid.largest(float(part.max(initial=0)))
        size = A.grid.largest(float(own[np.isfinite(own)].max(initial=0)))
        if size <= least * largest:
            raise _errors.nearly_deficient(1 + i)


def lstsq(a: Array, b: Array) -> Array:
    """x with least |a x - b|, or if there are many, that of least |x|; as b is. a must be of full rank: else a LinAlgError."""
    _need(a, "a")
    _need(b, "b", (1, 2))
    _need_same_grid(a, b)
    m, n = a.shape
    if b.shape[0] != m:
        raise ValueError(f"a is {a.shape} and b {b.shape}: they do not go together")
    dtype = common_dtype(a.dtype, b.dtype)
    A, B = _work(a, dtype), _made(a, max(m, n), b.columns, dtype=dtype)
    _call(B, "copy", (b if b.dtype == dtype else b.astype(dtype))._view, B.block(m, b.columns))
    info = _info(A, "gels", A._view, B._view)
    if info:
        raise _errors.deficient(info)
    _need_full_rank(A)
    return _result(b, B, (n,) + b.shape[1:])


def eigh(a: Array, b: Optional[Array] = None, *, lower: bool = True, eigvals_only: bool = False, type: int = 1,
         subset_by_index: Optional[Sequence[int]] = None, subset_by_value: Optional[Sequence[float]] = None) -> Any:
    """(w, v) with a v = v diag(w), or with a positive definite b as tesela.eigh; w on every process, v as a. LinAlgError: b is not positive definite, or an
    eigenvalue was not found."""
    _need_square(a, "a")
    n = a.shape[0]
    which = _selected(n, subset_by_index, subset_by_value)
    dtype = a.dtype
    if b is not None:
        _need_square(b, "b")
        _need_same_grid(a, b)
        if b.shape != a.shape:
            raise ValueError(f"a is {a.shape} and b {b.shape}: they do not go together")
        if type not in (1, 2, 3):
            raise ValueError(f"type={type!r} is none of 1, 2, 3")
        dtype = common_dtype(a.dtype, b.dtype)
    A = _work(a, dtype)
    w, found = _everywhere(a, n, np.dtype(dtype.char.lower())), ctypes.c_int64()
    columns = 0 if eigvals_only else which.iu - which.il + 1 if which.range == _library.RANGE_INDEX else n
    V = _made(A, n, columns)
    if b is None:
        info = _info(A, "syev", _triangle(A, A._view, lower), which, w._view, V._view, found)
    else:
        B = _work(b, dtype)
        info = _info(A, "sygv", type, _triangle(A, A._view, lower), _triangle(B, B._view, lower), which, w._view, V._view, found)
    if info:
        raise _errors.eigen_failure(info, n)
    values = w.local[:found.value].copy()
    return values if eigvals_only else EighResult(values, _result(a, V, (n, found.value)))


def eigvalsh(a: Array, b: Optional[Array] = None, **words: Any) -> Any:
    """The eigenvalues alone, as of eigh."""
    return eigh(a, b, eigvals_only=True, **words)


def _selected(n: int, index: Optional[Sequence[int]], value: Optional[Sequence[float]]) -> Selection:
    if index is not None and value is not None:
        raise ValueError("subset_by_index and subset_by_value: one of them at most")
    if index is not None:
        low, high = map(int, index)
        if not 0 <= low <= high < n:
            raise ValueError(f"subset_by_index=({low}, {high}): there are eigenvalues 0 to {n - 1}")
        return Selection(_library.RANGE_INDEX, low + 1, high + 1, 0, 0)
    if value is not None:
        below, above = map(float, value)
        if not below < above:
            raise ValueError(f"subset_by_value=({below}, {above}): the first must be less than the second")
        return Selection(_library.RANGE_VALUE, 0, 0, below, above)
    return Selection(_library.RANGE_ALL, 0, 0, 0, 0)


def svd(a: Array, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """(U, s, Vh) with a = U diag(s) Vh; s on every process, U and Vh as a. LinAlgError: a singular value was not found."""
    _need(a, "a")
    m, n = a.shape
    k = min(m, n)
    W, s = _work(a), _everywhere(a, k, np.dtype(a.dtype.char.lower()))
    if not compute_uv:
        if _info(W, "gesvd", W._view, _library.SVD_AUTO, s._view, View(), View()):
            raise _errors.no_values()
        return s.local
    U, Vh = _made(W, m, m if full_matrices else k), _made(W, n if full_matrices else k, n)
    if _info(W, "gesvd", W._view, _library.SVD_AUTO, s._view, U._view, Vh._view):
        raise _errors.no_values()
    return SVDResult(_result(a, U, U.shape), s.local, _result(a, Vh, Vh.shape))
