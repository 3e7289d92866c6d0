"""Products, norms and determinants."""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from . import _small
from ._calls import context as _context, library as _library
from ._many import batch_calls as _batch_calls
from ._arrays.elements import diagonal_view
from ._calls.errors import not_finite
from ._arrays.kinds import is_of, need_out, plain
from ._calls.library import Scalar, library
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._many.stacks import each, ndim, of_one
from ._arrays.storage import SMALL, as_reals, fetch, move, pass_over

ONE, ZERO = Scalar(1, 0), Scalar(0, 0)


def is_finite(m: Matrix) -> bool:
    """By the largest magnitude, which is NaN if there is one. Complex elements are seen as pairs of real ones, and what is in the host's
    memory is looked at there."""
    if m.size < SMALL and isinstance(m._object, np.ndarray):
        return _small.all_true(np.isfinite(m._object))
    if m.size == 0:
        return True
    context = _context.context("host") if m._store.on_host else m._context
    parts = as_reals(m, context) if m.dtype.kind == "c" or context is not m._context else m
    result = ctypes.c_double()
    context("norm", _library.NORM_MAX, _library.SYMMETRIC, parts, result)
    return math.isfinite(result.value)


def need_finite(check: bool, *matrices: Matrix, names: str = "ab") -> None:
    if check:
        for name, m in zip(names, matrices):
            if not is_finite(m):
                raise not_finite(name)


def need_square(m: Matrix) -> int:
    if m._ndim != 2 or m._rows != m._cols:
        raise ValueError(f"a: expected a square matrix, got one that is {m.shape}")
    return m._rows


def matmul(a: Any, b: Any, out: Any = None) -> Any:
    """The product a @ b, of matrices or vectors, as numpy.matmul; of stacks of them, too."""
    if ndim(a) > 2 or ndim(b) > 2:
        product = _batch_calls.matmul(a, b)
        if product is None:
            product = each(matmul, a, b)
        if out is None:
            return product
        need_out(out, tuple(product.shape), product.dtype)
        out[...] = product
        return out
    small = _small.matmul(a, b) if out is None else None
    if small is not None:
        return small
    with Call(a, b) as c:
        A, B = c.take((1, 2), (1, 2))
        dtype = A.dtype
        if (A._cols if A._ndim == 2 else A._rows) != B._rows:
            raise ValueError(f"matmul: a is {A.shape} and b is {B.shape}: the last size of a and the first of b differ")
        if A._ndim == B._ndim == 1 and out is None:
            number = Scalar()
            pass_over(c.context, "dot", A, B, number)
            return dtype.type(complex(number.re, number.im) if dtype.kind == "c" else number.re)
        if out is not None:
            shape = ((A._rows,) if A._ndim == 2 else ()) + ((B._cols,) if B._ndim == 2 else ())
            if not shape:
                raise ValueError("matmul: the product is a number, not an array")
            need_out(out, shape, dtype)

        left, right = (A, B) if A._ndim == 2 else (B.T, A)  # a row times a matrix is the matrix's transpose times a column

        def compute() -> Any:
            C = c.new(left._rows, right._cols, dtype, by_rows=left._op == right._op == _library.TRANS)  # if they are
            multiply(left, right, C)
            if out is None:
                return c.hand(C, max(1, A._ndim + B._ndim - 2))
            if C.size:
                c.deliver(C, out)
            return out

        return c.within(compute)


def multiply(A: Matrix, B: Matrix, C: Matrix) -> None:
    """C := A B; a single column or row by a product with a vector."""
    if C.size == 0:
        return
    if A._cols == 0:
        move("scale", ZERO, C)
    elif B._cols == 1:
        pass_over(C._context, "gemv", ONE, A, B, ZERO, C)
    elif A._rows == 1:
        pass_over(C._context, "gemv", ONE, B.T, A.T, ZERO, C.T)
    else:
        C._context("gemm", ONE, A, B, ZERO, C)


def norm(a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False, check_finite: bool = True) -> Any:
    """The norm of a matrix ('fro', 1, inf; by singular values 2, -2, 'nuc') or of a vector (2, 1, inf, any order); along an axis, or two, of a stack."""
    if axis is not None or keepdims:
        from ._names.norms import along  # which is built on this file

        return along(a, ord, axis, keepdims)
    if ord is None and ndim(a) not in (1, 2):  # of all elements; what says nothing of its shape is left to Call
        if hasattr(a, "reshape"):
            a = a.reshape(-1)
        elif isinstance(a, (list, tuple)) or np.isscalar(a):
            a = plain(a).reshape(-1)
    small = _small.norm(a, ord, check_finite)
    if small is not None:
        return small
    if ndim(a) == 2 and isinstance(ord, (str, int, float, np.number)) and ord in (2, -2, "nuc"):
        from ._svd import norm_by_values  # which is built on this file

        return norm_by_values(a, ord, check_finite)
    with Call(a) as c:
        (A,) = c.take((1, 2))
        need_finite(check_finite, A)
        matrix = A._ndim == 2
        kinds = {None: _library.NORM_FRO, "fro" if matrix else 2: _library.NORM_FRO, 1: _library.NORM_ONE,
                 math.inf: _library.NORM_INF if matrix else _library.NORM_MAX}  # a vector is a matrix of one column
        known = isinstance(ord, (str, int, float, np.number, type(None)))
        kind = kinds.get(ord) if known else None
        if kind is None:
            if not known or (ord not in (-1, -math.inf) if matrix else isinstance(ord, str)):
                raise ValueError(f"ord={ord!r} is no norm of a {'matrix' if matrix else 'vector'}")
            if matrix:  # the least sum of sizes down a column, or along a row
                if is_of(a, "torch", "Tensor") or is_of(a, "cupy", "ndarray"):
                    from ._names.common import ready
                    from ._names.norms import of_matrices

                    return np.dtype("f" if A.dtype.char in "fF" else "d").type(of_matrices(ready(a), ord, (0, 1), False).item())
                return np.dtype("f" if A.dtype.char in "fF" else "d").type(np.linalg.norm(fetch(A), ord))
            from ._names.common import ready
            from ._names.norms import of_vectors

            return of_vectors(fetch(A) if isinstance(a, Matrix) else ready(a), ord, (0,), False)
        result = ctypes.c_double()
        pass_over(c.context, "norm", kind, _library.SYMMETRIC, A, result)
        return np.dtype("f" if A.dtype.char in "fF" else "d").type(result.value)


def stored(m: Matrix) -> Matrix:
    """The block as it is stored, seen through no op."""
    view = library().general(m._view)
    view.op = _library.NOTRANS
    return m._seen(view)


def diagonal_of(m: Matrix) -> np.ndarray[Any, Any]:
    """The diagonal, in host memory."""
    return m._object.diagonal() if isinstance(m._object, np.ndarray) else fetch(diagonal_view(m))


def factored(c: Call, a: Any, A: Matrix, overwrite: bool) -> tuple[Matrix, Matrix, int]:
    """A copy of A (or A itself) whose storage has become the factors of what was stored, A or its transpose; pivots; the outcome."""
    F = c.overwritten(A, a, overwrite, any_order=True)
    p = c.pivots(A._rows)
    info = c.context.info("getrf", stored(F), p) if A._rows else 0
    return F, p, info


@of_one(_batch_calls.det)
def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """The determinant of a square matrix, in double precision."""
    small = _small.det(a, check_finite) if not overwrite_a else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
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
