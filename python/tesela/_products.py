"""Products, norms, and what follows from a factorization at once: the inverse and the determinant."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from . import _context, _library
from ._library import Scalar, library
from ._matrix import Matrix
from ._places import Call
from ._storage import SMALL, fetch, move, wrapped

ONE, ZERO = Scalar(1, 0), Scalar(0, 0)


def is_finite(m: Matrix) -> bool:
    """By the largest magnitude, which is NaN if there is one. Complex elements are seen as pairs of real ones, and what is in the host's
    memory is looked at there."""
    if m.size < SMALL and isinstance(m._object, np.ndarray):
        return bool(np.isfinite(m._object).all())
    if m.size == 0:
        return True
    context = _context.context("host") if m._store.on_host else m._context
    pairs, view = 1 + (m.dtype.kind == "c"), m._view
    ld = m._ld()
    real = np.dtype(m.dtype.char.lower())
    parts = wrapped(context, real, (pairs * view.m, view.n), m._address(), (pairs * ld, _library.NOTRANS), m._store)
    result = ctypes.c_double()
    context("norm", _library.NORM_MAX, _library.SYMMETRIC, parts, result)
    return math.isfinite(result.value)


def need_finite(check: bool, *matrices: Matrix) -> None:
    if check and not all(map(is_finite, matrices)):
        raise ValueError("array must not contain infs or NaNs")


def need_square(m: Matrix) -> int:
    if m._ndim != 2 or m._rows != m._cols:
        raise ValueError(f"expected a square matrix, got {m.shape}")
    return m._rows


def matmul(a: Any, b: Any, out: Any = None) -> Any:
    """The product a @ b, of matrices or vectors, as numpy.matmul; of stacks of them one after the other."""
    if max(np.ndim(a), np.ndim(b)) > 2:
        return _stacked(a, b, out)
    with Call(a, b) as c:
        dtype = c.dtype(a, b)
        A, B = c.take(a, dtype), c.take(b, dtype)
        left = A._seen(library().tsl_trans(A._view)) if A._ndim == 1 else A  # a row
        if left._cols != B._rows:
            raise ValueError(f"matmul: {A.shape} and {B.shape} do not fit together")
        if A._ndim == B._ndim == 1 and out is None:
            number = Scalar()
            c.context("dot", A, B, number)
            return dtype.type(complex(number.re, number.im) if dtype.kind == "c" else number.re)
        if out is not None:
            shape = ((A._rows,) if A._ndim == 2 else ()) + ((B._cols,) if B._ndim == 2 else ())
            if tuple(np.shape(out)) != shape or not shape:
                raise ValueError(f"matmul: out is {tuple(np.shape(out))}, the product {shape}")

        def compute() -> Any:
            turned = left._view.op == B._view.op == _library.TRANS  # by rows: so is the product
            C = c.new(left._rows, B._cols, dtype, by_rows=turned)
            multiply(left, B, C)
            if out is None:
                return c.hand(C if A._ndim == 2 else C.T, max(1, A._ndim + B._ndim - 2))
            target = c.take(out, dtype)
            if target.size:
                move("copy", (C if A._ndim == 2 else C.T), target)
            return out

        return c.within(compute)


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    """C := A B; a single column or row by a product with a vector."""
    x = C._context
    if C.size == 0:
        return
    if A._cols == 0:
        move("scale", ZERO, C)
    elif B._cols == 1:
        x("gemv", ONE, A, B, ZERO, C)
    elif A._rows == 1:
        x("gemv", ONE, B.T, A.T, ZERO, C.T)
    else:
        x("gemm", ONE, A, B, ZERO, C)


def _stacked(a: Any, b: Any, out: Any) -> Any:
    a, b = np.asarray(a), np.asarray(b)
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("matmul: a scalar is no matrix")
    left = a[np.newaxis, :] if a.ndim == 1 else a
    right = b[:, np.newaxis] if b.ndim == 1 else b
    stack = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left = np.broadcast_to(left, stack + left.shape[-2:])
    right = np.broadcast_to(right, stack + right.shape[-2:])
    with Call(a[(0,) * (a.ndim - 1)], b[(0,) * (b.ndim - 1)]) as c:
        dtype = c.dtype(a, b)
    result = np.empty(stack + (left.shape[-2], right.shape[-1]), dtype)
    for at in np.ndindex(*stack):
        result[at] = matmul(left[at], right[at])
    if a.ndim == 1:
        result = result[..., 0, :]
    elif b.ndim == 1:
        result = result[..., 0]
    if out is None:
        return result
    out[...] = result
    return out


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Any:
    """The norm of a matrix ('fro', 1, inf) or of a vector (2, 1, inf). Others, which need singular values, are not here."""
    if axis is not None or keepdims:
        raise NotImplementedError("norm: along an axis")
    with Call(a) as c:
        A = c.take(a)
        need_finite(check_finite, A)
        if A._ndim == 2:
            kinds = {None: _library.NORM_FRO, "fro": _library.NORM_FRO, 1: _library.NORM_ONE, math.inf: _library.NORM_INF}
        else:  # a vector is a matrix of one column
            kinds = {None: _library.NORM_FRO, 2: _library.NORM_FRO, 1: _library.NORM_ONE, math.inf: _library.NORM_MAX}
        if ord not in kinds:
            raise NotImplementedError(f"norm: ord={ord!r}; there are {', '.join(repr(k) for k in kinds)}")
        if A.size == 0 and A._ndim == 2 and ord == math.inf and A._rows == 0:
            raise ValueError("norm: the maximum of no rows")
        result = ctypes.c_double()
        c.context("norm", kinds[ord], _library.SYMMETRIC, A, result)
        return np.dtype("f" if A.dtype.char in "fF" else "d").type(result.value)


def stored(m: Matrix) -> Matrix:
    """The block as it is stored, seen through no op."""
    view = library().tsl_general(m._view)
    view.op = _library.NOTRANS
    return m._seen(view)


def diagonal_of(m: Matrix) -> np.ndarray[Any, Any]:
    """A copy in host memory of the diagonal of a square matrix: a row with a longer step."""
    ld = m._ld()
    row = wrapped(m._context, m.dtype, (1, m._rows), m._address(), (ld + 1, m._view.op & _library.CONJ), m._store)
    return fetch(row).reshape(-1)


def factored(c: Call, a: Any, A: Matrix, overwrite: bool) -> tuple[Matrix, Matrix, int]:
    """A copy of A (or A itself) whose storage has become the factors of what was stored, A or its transpose; pivots; the outcome."""
    F = c.overwritten(A, a, overwrite, any_order=True)
    p = c.pivots(A._rows)
    info = c.context.info("getrf", stored(F), p) if A._rows else 0
    return F, p, info


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The inverse of a square matrix. LinAlgError: it is singular."""
    with Call(a) as c:
        A = c.take(a, None, (2,))
        need_square(A)
        need_finite(check_finite, A)

        def compute() -> Any:
            F, p, info = factored(c, a, A, overwrite_a)
            if F.size and not info:  # of the transpose, where that is stored: it is the transpose of the inverse
                info = c.context.info("getri", stored(F), p)
            if info:
                raise np.linalg.LinAlgError(f"singular matrix: U({info},{info}) is zero")
            return c.hand(F)

        return c.within(compute)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinant of a square matrix, in double precision."""
    with Call(a) as c:
        A = c.take(a, None, (2,))
        n = need_square(A)
        need_finite(check_finite, A)

        def compute() -> Any:
            F, p, info = factored(c, a, A, overwrite_a)
            wide = np.complex128 if A.dtype.kind == "c" else np.float64
            if info or n == 0:
                return wide(n == 0)
            exchanges = np.count_nonzero(fetch(p).reshape(-1) != np.arange(1, n + 1))
            return np.prod(diagonal_of(F), dtype=wide) * (-1 if exchanges % 2 else 1)

        return c.within(compute)
