"""Singular values and vectors, and what follows from them: polar decomposition, pseudo-inverse, rank, condition, bases of the range and the null space."""

from __future__ import annotations

import ctypes
import math
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _small
from ._calls import library as _library
from ._calls.errors import LinAlgError, no_values
from ._calls.library import View
from ._many import kernels, spectra
from ._many.call import GOOD
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import multiply, need_finite, need_square
from ._solve import expanded
from ._many.stacks import each, ndim
from ._arrays.storage import fetch, move, of_numpy

_DRIVERS = {"gesdd": _library.SVD_AUTO, "gesvd": _library.SVD_QR, "polar": _library.SVD_POLAR}


class SVDResult(NamedTuple):
    """As NumPy's: three arrays, with names."""

    U: Any
    S: Any
    Vh: Any


class PolarResult(NamedTuple):
    u: Any
    p: Any


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: str = "gesdd",
        hermitian: bool = False) -> Any:
    """(U, s, Vh) with a = U diag(s) Vh, s descending; U and Vh square, or with full_matrices=False as many columns and rows as there are singular values. s alone
    with compute_uv=False.

    lapack_driver  'gesdd': the fastest where the matrix is; 'gesvd': implicit QR of the bidiagonal form; 'polar': by the polar decomposition
    hermitian      a is Hermitian: its lower triangle alone is read, as by NumPy

    LinAlgError: a singular value was not found, or an element is NaN or infinite.
    """
    if lapack_driver not in _DRIVERS:
        raise ValueError(f"lapack_driver={lapack_driver!r} is none of {', '.join(map(repr, _DRIVERS))}")
    if ndim(a) > 2:
        parts = spectra.svd(a, full_matrices, compute_uv, check_finite, _DRIVERS[lapack_driver], hermitian)
        if parts is not None:
            return SVDResult(*parts) if compute_uv else parts[1]
        return each(lambda x: svd(x, full_matrices, compute_uv, False, check_finite, lapack_driver, hermitian), a)
    k = _small.one(a, check_finite) if not (overwrite_a or hermitian) else None
    if k is not None:
        U, s, Vh, info = kernels.svd(k, a, full_matrices, compute_uv, _DRIVERS[lapack_driver])
        if info is GOOD:
            return SVDResult(U, s, Vh) if compute_uv else s
    with Call(a) as c:
        (A,) = c.take((2,))
        need_finite(check_finite, A)

        def compute() -> Any:
            U, s, Vh = _factors(c, _whole(c, A) if hermitian else c.overwritten(A, a, overwrite_a), full_matrices, compute_uv, lapack_driver)
            return SVDResult(c.hand(U), c.hand(s, 1), c.hand(Vh)) if U is not None and Vh is not None else c.hand(s, 1)

        return c.within(compute)


def svdvals(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The singular values, descending."""
    return svd(a, compute_uv=False, overwrite_a=overwrite_a, check_finite=check_finite)


def polar(a: Any, side: str = "right") -> Any:
    """(u, p) with a = u p ('right') or a = p u ('left'), p Hermitian and positive semidefinite; u has orthonormal columns, or rows if it has more columns.

    ValueError: an element is NaN or infinite.
    """
    if side not in ("right", "left"):
        raise ValueError(f"side={side!r} is none of 'right', 'left'")
    with Call(a) as c:
        (A,) = c.take((2,))
        need_finite(True, A)
        wide = A._rows < A._cols
        n = min(A._rows, A._cols)
        order = A._cols if side == "right" else A._rows

        def compute() -> Any:
            U, P = c.copied(A.H if wide else A), c.new(n, n, A.dtype)
            if n and c.context.info("polar", U, P):
                raise no_values()
            if wide == (side == "right"):  # from the other side: u p = (u p u^H) u
                W, half, P = c.new(order, n, A.dtype), P, c.new(order, order, A.dtype)
                multiply(U, half, W)
                multiply(W, U.H, P)
            return PolarResult(c.hand(c.copied(U.H) if wide else U), c.hand(P))

        return c.within(compute)


def pinv(a: Any, rcond: Optional[float] = None, hermitian: bool = False, *, atol: Optional[float] = None, rtol: Optional[float] = None,
         return_rank: bool = False, check_finite: bool = True) -> Any:
    """The pseudo-inverse; if `hermitian`, of the matrix that the lower triangle stands for. Singular values not above atol + rtol times the largest count as
    zero; rtol, or rcond, is max(m, n) eps unless it is given."""
    if rcond is not None and rtol is not None:
        raise ValueError("rcond and rtol: one of them at most")
    for name, value in (("atol", atol), ("rtol", rtol), ("rcond", rcond)):
        if value is not None and np.any(np.less(value, 0)):
            raise ValueError(f"{name}={value!r} is negative")
    if ndim(a) > 2:
        stacks = spectra.pinv(a, hermitian, atol, rtol if rcond is None else rcond, return_rank, check_finite)
        if stacks is not None:
            return stacks
        return each(lambda x: pinv(x, rcond, hermitian, atol=atol, rtol=rtol, return_rank=return_rank, check_finite=check_finite), a)
    k = _small.one(a, check_finite) if not (hermitian or atol or return_rank) else None
    if k is not None:
        relative = rtol if rcond is None else rcond
        P, info = kernels.pinv(k, a, -1.0 if relative is None else float(relative))
        if info is GOOD:
            return P
    with Call(a) as c:
        (A,) = c.take((2,))
        need_finite(check_finite, A)
        m, n = A._rows, A._cols

        def compute() -> Any:
            F, X, rank = _whole(c, A) if hermitian else c.copied(A), c.new(n, m, A.dtype), ctypes.c_int64()
            if not A.size:
                return (c.hand(X), 0) if return_rank else c.hand(X)
            relative = rtol if rcond is None else rcond
            share = -1.0 if relative is None else float(relative)
            if atol:  # as a share of the largest
                values = fetch(_factors(c, c.copied(F), False, False)[1])[:, 0]
                rounding = max(m, n) * float(np.finfo(values.dtype).eps) if relative is None else share
                share = rounding + float(atol) / float(values[0]) if values[0] else 1.0
            if c.context.info("pinv", F, share, X, rank):
                raise no_values()
            return (c.hand(X), rank.value) if return_rank else c.hand(X)

        return c.within(compute)


def matrix_rank(A: Any, tol: Optional[float] = None, hermitian: bool = False, *, rtol: Optional[float] = None) -> Any:
    """How many singular values are above tol, or rtol times the largest: max(m, n) eps unless one is given. Of a vector: whether it is zero.
    If `hermitian`, of the matrix that the lower triangle stands for."""
    if tol is not None and rtol is not None:
        raise ValueError("tol and rtol: one of them at most")
    if ndim(A) < 2:
        return int(bool(np.any(np.asarray(A))))
    if ndim(A) > 2:
        ranks = spectra.matrix_rank(A, tol, rtol if tol is None else 0.0, hermitian)
        return ranks if ranks is not None else each(lambda x: np.int64(matrix_rank(x, tol, hermitian, rtol=rtol)), A)
    m, n, s = _values(A, hermitian=hermitian)
    return _rank(s, m, n, tol, rtol if tol is None else 0.0)


def cond(x: Any, p: Any = None) -> Any:
    """The condition in the norm p: by singular values (None, 2, -2), or |x| |inv(x)| ('fro', 'nuc', 1, -1, inf, -inf). inf of a singular matrix."""
    if ndim(x) > 2:
        stacks = spectra.cond(x, p) if p in (None, 2, -2) else _stack_condition(x, p)
        return stacks if stacks is not None else each(lambda a: cond(a, p), x)
    if p in (None, 2, -2):
        m, n, s = _values(x, False)
        if s.size == 0:
            raise LinAlgError("cond is not defined on empty arrays")
        if np.isnan(s).any():
            return s.dtype.type(np.nan)
        least, most = (s[-1], s[0]) if p != -2 else (s[0], s[-1])
        return s.dtype.type(np.nan if least == most == 0 else np.inf if least == 0 else most / least)
    from ._products import norm
    from ._solve import inv

    with Call(x) as c:
        need_square(c.take((2,))[0])
    whole = norm(x, 1, check_finite=False)
    if not np.isfinite(whole):
        return whole  # NaN of NaN, else inf, as NumPy's
    try:
        return norm(x, p) * norm(inv(x), p)
    except LinAlgError:
        return np.float64(np.inf)


def _stack_condition(x: Any, p: Any) -> Any:
    """None: a matrix is singular, or not finite, and which one is seen one by one."""
    from ._names.norms import condition
    from ._solve import inv

    try:
        return condition(x, p, inv(x))
    except (LinAlgError, ValueError):
        return None


def orth(A: Any, rcond: Optional[float] = None) -> Any:
    """An orthonormal basis of the range of A."""
    with Call(A) as c:
        (a,) = c.take((2,))
        need_finite(True, a)

        def compute() -> Any:
            U, s, _ = _factors(c, c.copied(a), False, True)
            assert U is not None
            rank = _rank(fetch(s)[:, 0], a._rows, a._cols, None, rcond)
            return c.hand(c.copied(U._part(0, 0, a._rows, rank)))

        return c.within(compute)


def null_space(A: Any, rcond: Optional[float] = None, *, overwrite_a: bool = False, check_finite: bool = True, lapack_driver: str = "gesdd") -> Any:
    """An orthonormal basis of the null space of A."""
    if lapack_driver not in _DRIVERS:
        raise ValueError(f"lapack_driver={lapack_driver!r} is none of {', '.join(map(repr, _DRIVERS))}")
    with Call(A) as c:
        (a,) = c.take((2,))
        need_finite(check_finite, a)

        def compute() -> Any:
            _, s, Vh = _factors(c, c.overwritten(a, A, overwrite_a), True, True, lapack_driver)
            assert Vh is not None
            n, rank = a._cols, _rank(fetch(s)[:, 0], a._rows, a._cols, None, rcond)
            return c.hand(c.copied(Vh._part(rank, 0, n - rank, n).H))

        return c.within(compute)


def norm_by_values(a: Any, ord: Any, check_finite: bool) -> Any:
    """The norms of a matrix that singular values make: 2, -2, 'nuc'."""
    m, n, s = _values(a, check_finite)
    if s.size == 0:
        return s.dtype.type(0)
    return s.dtype.type(math.fsum(s) if ord == "nuc" else s[0] if ord == 2 else s[-1])


def _whole(c: Call, A: Matrix) -> Matrix:
    """The Hermitian matrix that A's lower triangle stands for"""
    need_square(A)
    return expanded(c, A, "her", True) if A.size else c.copied(A)


def _values(a: Any, check_finite: bool = True, hermitian: bool = False) -> tuple[int, int, Any]:
    """The sizes, and the singular values as NumPy's; NaN where the matrix has one and that is not looked for."""
    k = _small.one(a) if not hermitian else None
    if k is not None:
        _, s, _, info = kernels.svd(k, a, False, False)
        if info is GOOD:
            return *a.shape, k.space.to_host(s)
    with Call(a) as c:
        (A,) = c.take((2,))
        need_finite(check_finite, A)

        def compute() -> Any:
            try:
                return fetch(_factors(c, _whole(c, A) if hermitian else c.copied(A), False, False)[1])[:, 0]
            except LinAlgError:
                if check_finite:
                    raise
                return np.full(min(A._rows, A._cols), np.nan, A.dtype.char.lower())

        return A._rows, A._cols, c.within(compute)


def _factors(c: Call, F: Matrix, full: bool, vectors: bool, driver: str = "gesdd") -> tuple[Optional[Matrix], Matrix, Optional[Matrix]]:
    """Of F, which is overwritten"""
    m, n = F._rows, F._cols
    d = min(m, n)
    s = c.new(d, 1, np.dtype(F.dtype.char.lower()))
    U, Vh = (c.new(m, m if full else d, F.dtype), c.new(n if full else d, n, F.dtype)) if vectors else (None, None)
    if d:
        if c.context.info("gesvd", F, _DRIVERS[driver], s, U if U is not None else View(), Vh if Vh is not None else View()):
            raise no_values()
    else:
        for V in (U, Vh):
            if V is not None and V.size:
                move("copy", of_numpy(c.context, np.eye(V._rows, dtype=V.dtype, order="F")), V)
    return U, s, Vh


def _rank(s: Any, m: int, n: int, atol: Optional[float], rtol: Optional[float]) -> int:
    """Of descending values, those above the tolerance"""
    most = float(s[0]) if s.size else 0.0
    relative = rtol if rtol is not None else max(m, n) * float(np.finfo(s.dtype).eps)
    return int(np.count_nonzero(s > (atol or 0.0) + relative * most))
