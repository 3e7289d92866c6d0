"""Factorizations, and solutions with their factors: Cholesky, LU, QR."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np

from . import _small
from ._calls import library as _library
from ._many import batch_calls as _batch_calls
from ._calls.errors import no_factor
from ._flags import transposition
from ._calls.library import Scalar
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import need_finite, need_square
from ._solve import system, through, triangle, unit
from ._many.stacks import each, ndim, of_one
from ._arrays.storage import fetch, make_identity, move, of_numpy

ZERO = Scalar(0, 0)
_NUMPYS = {"reduced": "economic", "complete": "full", "r": "r"}


class QRResult(NamedTuple):
    """As NumPy's: a pair, with names."""

    Q: Any
    R: Any


# ---- Cholesky


def _potrf(c: Call, F: Matrix, lower: bool) -> None:
    info = c.context.info("potrf", triangle(F, lower)) if F.size else 0
    if info:
        raise no_factor(info)


def _expanded(A: Matrix, F: Matrix, lower: bool) -> None:
    """F := a triangle of A, and zeros on the other side of the diagonal."""
    if F.size:
        move("expand", _library.TRIANGULAR, triangle(A, lower), F)


@of_one(_batch_calls.cholesky)
def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True, *, upper: Optional[bool] = None) -> Any:
    """U with a = U^H U, or L with a = L L^H if `lower`; only that triangle of a is read. `upper` is NumPy's word for the other. LinAlgError: a is not positive definite."""
    if upper is not None:
        lower = not upper
    small = _small.cholesky(a, bool(lower), check_finite) if not overwrite_a else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
        need_square(A)
        need_finite(check_finite, A)

        def compute() -> Any:
            F = A
            if not c.may_overwrite(A, a, overwrite_a, any_order=True):
                F = c.new(A._rows, A._cols, A.dtype, by_rows=A._op == _library.TRANS)
                _expanded(A, F, lower)
            _potrf(c, F, lower)
            if F is A:
                _expanded(F, F, lower)
            return c.hand(F)

        return c.within(compute)


@of_one(_batch_calls.cho_factor)
def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, bool]:
    """The factor for cho_solve, (c, lower); the other triangle of c is not cleared."""
    small = _small.cholesky(a, bool(lower), check_finite, clean=False) if not overwrite_a else None
    if small is not None:
        return small, lower
    with Call(a) as c:
        (A,) = c.take((2,))
        need_square(A)
        need_finite(check_finite, A)

        def compute() -> tuple[Any, bool]:
            F = c.overwritten(A, a, overwrite_a, any_order=True)
            _potrf(c, F, lower)
            return c.hand(F), lower

        return c.within(compute)


def _pair(value: Any, name: str, maker: str) -> tuple[Any, Any]:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise TypeError(f"{name} is not the pair that {maker} returns")
    return value[0], value[1]


def cho_solve(c_and_lower: tuple[Any, Any], b: Any, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """x with a x = b, by what cho_factor made of a."""
    factor, lower = _pair(c_and_lower, "c_and_lower", "cho_factor")
    if ndim(factor) > 2 or ndim(b) > 2:
        stacks = _batch_calls.cho_solve(factor, lower, b, check_finite)
        return stacks if stacks is not None else each(lambda f, l, y: cho_solve((f, bool(l)), y, False, check_finite), factor, lower, b,
                                                      cores=(2, 0, 2))
    small = _small.cho_solve(factor, bool(lower), b, check_finite) if not overwrite_b else None
    if small is not None:
        return small
    with Call(factor, b, names=("c", "b")) as c:
        F, B = system(c, check_finite)

        def compute() -> Any:
            X = c.overwritten(B, b, overwrite_b)
            if X.size:
                c.context("potrs", triangle(F, lower), X)
            return c.hand(X, B._ndim)

        return c.within(compute)


# ---- LU


def _getrf(c: Call, A: Matrix, original: Any, overwrite: bool) -> tuple[Matrix, Matrix]:
    F = c.overwritten(A, original, overwrite)
    p = c.pivots(min(A._rows, A._cols))
    if F.size:
        c.context.info("getrf", F, p)
    return F, p


@of_one(_batch_calls.lu_factor)
def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> tuple[Any, Any]:
    """L and U in one matrix, and the pivots: row i was exchanged with row piv[i]. A singular U is no error here."""
    small = _small.lu_factor(a, check_finite) if not overwrite_a else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
        need_finite(check_finite, A)

        def compute() -> tuple[Any, Any]:
            F, p = _getrf(c, A, a, overwrite_a)
            piv = (fetch(p).reshape(-1) - 1).astype(np.int32)
            return c.hand(F), c.hand_numbers(piv)

        return c.within(compute)


def lu_solve(lu_and_piv: tuple[Any, Any], b: Any, trans: Any = 0, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """x with a x = b, a^T x = b (trans 1) or a^H x = b (2), by what lu_factor made of a."""
    factors, piv = _pair(lu_and_piv, "lu_and_piv", "lu_factor")
    if ndim(factors) > 2 or ndim(b) > 2:
        stacks = _batch_calls.lu_solve(factors, piv, b, trans, check_finite)
        return stacks if stacks is not None else each(lambda f, p, y: lu_solve((f, p), y, trans, False, check_finite), factors, piv, b,
                                                      cores=(2, 1, 2))
    op = transposition(trans)
    small = _small.lu_solve(factors, piv, b, op, check_finite) if not overwrite_b else None
    if small is not None:
        return small
    with Call(factors, b, names=("lu", "b")) as c:
        F, B = system(c, check_finite)
        n = F._rows
        given = np.asarray(piv.cpu() if hasattr(piv, "cpu") else piv.get() if hasattr(piv, "get") else piv)
        if given.dtype.kind not in "iu" and n:
            raise TypeError(f"piv: elements are {given.dtype}, and must be integers")
        pivots = given.astype(np.int64) + 1
        if pivots.shape != (n,) or (n and (pivots.min() < 1 or pivots.max() > n)):
            raise ValueError("piv is not what lu_factor returns for a matrix of this order")

        def compute() -> Any:
            X = c.overwritten(B, b, overwrite_b)
            if X.size:
                # the factors as they are stored; by rows they are copied
                N = F if F._op == _library.NOTRANS else c.copied(F)
                c.context("getrs", through(N, op), of_numpy(c.context, pivots.reshape(-1, 1)), X)
            return c.hand(X, B._ndim)

        return c.within(compute)


def permutation(piv: np.ndarray[Any, Any], m: int) -> np.ndarray[Any, Any]:
    """Row i of P^T a is row perm[i] of a."""
    perm = np.arange(m)
    for i, p in enumerate(piv):
        perm[[i, p]] = perm[[p, i]]
    return perm


@of_one(_batch_calls.lu)
def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> Any:
    """(p, l, u) with a = p l u; (p l, u) if `permute_l`; with `p_indices` p is a vector, and a = l[p] u."""
    small = _small.lu(a, check_finite) if not (permute_l or overwrite_a or p_indices) else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
        m, n, k = A._rows, A._cols, min(A._rows, A._cols)
        need_finite(check_finite, A)

        def compute() -> Any:
            F, p = _getrf(c, A, a, overwrite_a)
            L, U = c.new(m, k, A.dtype), c.new(k, n, A.dtype)
            square = F._part(0, 0, k, k)
            if k:
                move("expand", _library.TRIANGULAR, unit(triangle(square, True)), L._part(0, 0, k, k))
                move("expand", _library.TRIANGULAR, triangle(square, False), U._part(0, 0, k, k))
            if m > k > 0:
                move("copy", F._part(k, 0, m - k, k), L._part(k, 0, m - k, k))
            if n > k > 0:
                move("copy", F._part(0, k, k, n - k), U._part(0, k, k, n - k))
            if p_indices and not permute_l:
                perm = permutation(fetch(p).reshape(-1) - 1, m)
                return c.hand_numbers(np.argsort(perm).astype(np.int32)), c.hand(L), c.hand(U)
            P = L if permute_l else c.new(m, m, A.dtype.type(0).real.dtype)
            if not permute_l:
                make_identity(P)
            if P.size and k:  # p times what is there: the exchanges, the last one first
                move("laswp", P, p, 1)
            return (c.hand(L), c.hand(U)) if permute_l else (c.hand(P), c.hand(L), c.hand(U))

        return c.within(compute)


# ---- QR


def _pivoted(c: Call, F: Matrix, tau: Matrix) -> Any:
    """F and tau := the factors of F with its columns in the order that is returned."""
    n = F._cols
    p = c.pivots(n)
    move("copy", of_numpy(c.context, np.zeros((n, 1), np.int64)), p)
    c.context("geqp3", F, p, tau)
    return c.hand_numbers((fetch(p).reshape(-1) - 1).astype(np.int32))


def _batched_qr(a: Any, overwrite_a: Any = False, lwork: Any = None, mode: str = "full", pivoting: bool = False, check_finite: bool = True) -> Any:
    numpys = overwrite_a if isinstance(overwrite_a, str) else mode
    results = _batch_calls.qr(a, _NUMPYS.get(numpys, numpys), pivoting, check_finite)
    if results is None or numpys not in _NUMPYS or numpys == "r" and numpys is not overwrite_a:
        return results
    return first_rows(results[0]) if numpys == "r" else QRResult(*results)


@of_one(_batched_qr)
def qr(a: Any, overwrite_a: Any = False, lwork: Optional[int] = None, mode: str = "full", pivoting: bool = False,
       check_finite: bool = True) -> Any:
    """(Q, R) with a = Q R, Q square ("full") or with as many columns as R has rows ("economic"); (R,) of mode "r"; of mode "raw"
    ((qr, tau), R) with the reflectors as LAPACK stores them. pivoting: of a with its columns in another order, so that R's diagonal does not increase; that order,
    p with a[:, p] = Q R, is one more result. `lwork` has no meaning here. NumPy's words are "reduced", "complete" and "r", which gives R itself, in the second place too:
    qr(a, "reduced"); of a stack, too."""
    numpys = overwrite_a if isinstance(overwrite_a, str) else mode if mode in ("reduced", "complete") else None
    if numpys is not None:
        if numpys not in _NUMPYS:
            raise ValueError(f"mode={numpys!r} is none of {', '.join(map(repr, _NUMPYS))}")
        results = qr(a, mode=_NUMPYS[numpys], pivoting=pivoting, check_finite=check_finite)
        return first_rows(results[0]) if numpys == "r" else QRResult(*results) if not pivoting else results
    if mode not in ("full", "r", "economic", "raw"):
        raise ValueError(f"mode={mode!r} is none of 'full', 'r', 'economic', 'raw'")
    small = _small.qr(a, mode, check_finite) if not overwrite_a and not pivoting else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
        m, n, k = A._rows, A._cols, min(A._rows, A._cols)
        need_finite(check_finite, A)

        def compute() -> Any:
            columns = m if mode == "full" else n  # of the matrix that becomes Q
            if mode == "full" and m > n:
                F = c.new(m, columns, A.dtype)
                if A.size:
                    move("copy", A, F._part(0, 0, m, n))
            else:
                F = c.overwritten(A, a, overwrite_a)
            tau = c.new(k, 1, A.dtype)
            order: tuple[Any, ...] = ()
            if pivoting:
                order = (_pivoted(c, F._part(0, 0, m, n), tau) if k else c.hand_numbers(np.arange(n, dtype=np.int32)),)
            elif k:
                c.context("geqrf", F._part(0, 0, m, n), tau)
            R = c.new(m if mode in ("full", "r") else k, n, A.dtype)
            _upper(F, R, k)
            if mode == "r":
                return (c.hand(R), *order)
            if mode == "raw":
                return ((c.hand(F), c.hand(tau, 1)), c.hand(R), *order)
            Q = F if m >= n else F._part(0, 0, m, m)
            if k:
                c.context("orgqr", Q, tau)
            elif Q.size:
                make_identity(Q)
            if m < n:  # a matrix of its own
                Q = c.copied(Q)
            return (c.hand(Q), c.hand(R), *order)

        return c.within(compute)


def first_rows(R: Any) -> Any:
    """NumPy's R: without the rows of zeros."""
    return R[..., :min(R.shape[-2:]), :] if len(R.shape) > 2 else R[:min(R.shape)]


def _upper(F: Matrix, R: Matrix, k: int) -> None:
    """R := the upper triangle, or trapezoid, of the first rows of F, and zeros below."""
    n = R._cols
    if k:
        move("expand", _library.TRIANGULAR, triangle(F._part(0, 0, k, k), False), R._part(0, 0, k, k))
    if n > k > 0:
        move("copy", F._part(0, k, k, n - k), R._part(0, k, k, n - k))
    if R._rows > k and n:
        move("scale", ZERO, R._part(k, 0, R._rows - k, n))


