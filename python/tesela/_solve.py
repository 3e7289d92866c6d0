"""Systems of equations, inverses and least squares."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _small
from ._calls import library as _library
from ._many import batch_calls as _batch_calls
from ._calls.errors import LinAlgError, deficient, nearly_deficient, no_values, not_definite, singular, zero_on_diagonal
from ._flags import structure_of, transposition
from ._calls.library import SolveOptions, SolveResult, library
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import ONE, diagonal_of, factored, need_finite, need_square, stored
from ._many.stacks import of_one, of_two
from ._arrays.storage import make_identity, move, of_numpy, pass_over

_PRECISIONS = ("auto", "fp64", "fp32", "tf32", "bf16", "fp16")
_METHODS = ("corrections", "gmres", "factors")


class Solution(NamedTuple):
    """How a solution in mixed precision came about."""

    iterations: Any  #: int: corrections and steps of GMRES. Of stacks these are arrays.
    method: Any  #: str: corrections, gmres or factors
    precision: Any  #: str: of the factorization that led to it
    backward_error: Any  #: float
    forward_error: Any  #: float: what it may be; infinite: the matrix is singular to working precision
    condition: Any  #: float: an estimate, rather too large


def right_hand_sides(n: int, B: Matrix) -> None:
    if B._rows != n:
        raise ValueError(f"b has {B._rows} rows, and a has {n}")


def system(c: Call, check_finite: bool, double: bool = False) -> tuple[Matrix, Matrix]:
    """The call's arrays, a square matrix, or what it was factored into, and right-hand sides, both of one type."""
    A, B = c.take((2,), (1, 2), double=double)
    right_hand_sides(need_square(A), B)
    need_finite(check_finite, A, B)
    return A, B


def triangle(m: Matrix, lower: bool) -> Matrix:
    return m._seen(library().lower(m._view) if lower else library().upper(m._view))


def unit(m: Matrix) -> Matrix:
    return m._seen(library().unit(m._view))


def expanded(c: Call, A: Matrix, structure: str, lower: bool) -> Matrix:
    """A, or the symmetric, Hermitian or triangular matrix that its triangle stands for, if it is such."""
    if structure in ("gen", "pos") or A.size == 0:
        return A
    S = c.new(A._rows, A._cols, A.dtype)
    move("expand", _kind(A, structure), triangle(A, structure == "lower" if structure in ("lower", "upper") else lower), S)
    return S


def _kind(A: Matrix, structure: str) -> int:
    if structure in ("lower", "upper"):
        return _library.TRIANGULAR
    return _library.SYMMETRIC if structure == "sym" or A.dtype.kind != "c" else _library.HERMITIAN


@of_two(_batch_calls.solve)
def solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
          assume_a: Optional[str] = None, transposed: bool = False, *, precision: Optional[str] = None,
          accuracy: Optional[float] = None, full_output: bool = False) -> Any:
    """x with a x = b, as scipy.linalg.solve. LinAlgError: a is singular (or, if assumed so, not positive definite).

    precision  "auto", "fp32", "tf32", "bf16", "fp16": the lowest of the factorization, whose solution is refined until it is as
               accurate as by factors of double precision ("fp64"); for double and double complex a. None: by factors of a's own type.
    accuracy   a backward error that is enough, instead
    full_output  with one of these, also how it came about: (x, Solution)
    """
    structure = structure_of(assume_a)
    mixed = precision is not None or accuracy is not None
    if full_output and not mixed:
        raise ValueError("full_output goes with precision or accuracy")
    if precision not in (None, *_PRECISIONS):
        raise ValueError(f"precision={precision!r} is none of {', '.join(_PRECISIONS)}")
    if accuracy is not None and not (isinstance(accuracy, (int, float, np.number)) and accuracy >= 0):
        raise ValueError(f"accuracy={accuracy!r} is not a number that is not negative")
    if structure in ("lower", "upper") and not mixed:
        return solve_triangular(a, b, trans=int(transposed), lower=structure == "lower", overwrite_b=overwrite_b,
                                check_finite=check_finite)
    small = _small.solve(a, b, structure, bool(lower), bool(transposed), check_finite) if not (mixed or overwrite_a or overwrite_b) else None
    if small is not None:
        return small
    with Call(a, b) as c:
        A, B = system(c, check_finite, double=mixed)
        n, dtype = A._rows, A.dtype

        def compute() -> Any:
            if B.size == 0:
                return _with(c.hand(c.new(n, B._cols, dtype), B._ndim), Solution(0, "factors", "fp64", 0.0, 0.0, 0.0), full_output)
            if not mixed and _takes_ldl(A, structure, transposed):
                try:
                    return _by_ldl(c, A, a, overwrite_a, c.overwritten(B, b, overwrite_b), structure, lower, B._ndim)
                except MemoryError:
                    if not c.in_host_memory or c.context.on_host:  # else by LU, which goes by parts
                        raise
            S = expanded(c, A, structure, lower)
            if mixed:
                return _mixed(c, S, B, structure, lower, transposed, precision, accuracy, full_output)
            F = c.overwritten(A, a, overwrite_a, any_order=True) if S is A else S
            X = c.overwritten(B, b, overwrite_b)
            seen = F.T if transposed else F
            if structure == "pos":
                info = c.context.info("posv", triangle(seen, lower != transposed), X)
            elif seen._op == _library.NOTRANS:
                info = c.context.info("gesv", seen, c.pivots(n), X)
            else:  # what is stored is the transpose
                p = c.pivots(n)
                info = c.context.info("getrf", stored(F), p)
                if not info:
                    c.context("getrs", seen, p, X)
            if info:
                raise not_definite(info) if structure == "pos" else singular(info)
            return c.hand(X, B._ndim)

        return c.within(compute)


def _takes_ldl(A: Matrix, structure: str, transposed: bool = False) -> bool:
    """Symmetric, or Hermitian; not the transpose of that, which is its conjugate"""
    return structure == "sym" or structure == "her" and not (transposed and A.dtype.kind == "c")


def _by_ldl(c: Call, A: Matrix, original: Any, overwrite: bool, X: Matrix, structure: str, lower: bool, ndim: int) -> Any:
    F = c.overwritten(A, original, overwrite)
    routine = "sysv" if _kind(A, structure) == _library.SYMMETRIC else "hesv"
    info = c.context.info(routine, triangle(F, lower), c.pivots(A._rows), X)
    if info:
        raise singular(info)
    return c.hand(X, ndim)


def _inverse_by_ldl(c: Call, A: Matrix, original: Any, overwrite: bool, structure: str, lower: bool) -> Any:
    F, p = c.overwritten(A, original, overwrite), c.pivots(A._rows)
    T, kind = triangle(F, lower), _kind(A, structure)
    names = ("sytrf", "sytri") if kind == _library.SYMMETRIC else ("hetrf", "hetri")
    info = c.context.info(names[0], T, p) or c.context.info(names[1], T, p)
    if info:
        raise singular(info)
    move("expand", kind, T, F)
    return c.hand(F)


@of_one(_batch_calls.inv)
def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = None, lower: bool = False) -> Any:
    """The inverse of a square matrix; `assume_a` and `lower` as of solve. LinAlgError: it is singular, or not positive definite."""
    structure = structure_of(assume_a)
    small = _small.inv(a, check_finite) if structure == "gen" and not overwrite_a else None
    if small is not None:
        return small
    with Call(a) as c:
        (A,) = c.take((2,))
        n = need_square(A)
        need_finite(check_finite, A)
        if n and structure in ("lower", "upper"):
            _need_diagonal(A)

        def compute() -> Any:
            if structure in ("lower", "upper"):
                X = c.new(n, n, A.dtype)
                make_identity(X)
                if n:
                    c.context("trsm", _library.LEFT, ONE, triangle(A, structure == "lower"), X)
                return c.hand(X)
            if structure == "pos":
                F = c.overwritten(A, a, overwrite_a, any_order=True)
                T = triangle(F, lower)
                info = (c.context.info("potrf", T) or c.context.info("potri", T)) if n else 0
                if info:
                    raise not_definite(info)
                if n:
                    move("expand", _kind(A, "her"), T, F)
                return c.hand(F)
            if n and _takes_ldl(A, structure):
                try:
                    return _inverse_by_ldl(c, A, a, overwrite_a, structure, lower)
                except MemoryError:
                    if not c.in_host_memory or c.context.on_host:
                        raise
            S = expanded(c, A, structure, lower)
            F, p, info = factored(c, a if S is A else S, S, overwrite_a or S is not A)
            if n and not info:  # of the transpose, where that is stored: it is the transpose of the inverse
                info = c.context.info("getri", stored(F), p)
            if info:
                raise singular(info)
            return c.hand(F)

        return c.within(compute)


def _with(x: Any, how: Solution, wanted: bool) -> Any:
    return (x, how) if wanted else x


def _mixed(c: Call, A: Matrix, B: Matrix, structure: str, lower: bool, transposed: bool, precision: Optional[str],
           accuracy: Optional[float], full_output: bool) -> Any:
    wanted = SolveOptions(_PRECISIONS.index(precision or "auto"), accuracy or 0.0)
    how = SolveResult()
    X = c.new(B._rows, B._cols, A.dtype)

    def equations(M: Matrix) -> None:
        seen = M.T if transposed else M
        c.context("solve", triangle(seen, lower != transposed) if structure == "pos" else seen, B, X, wanted, how)

    c.by_parts(equations, A, X)
    if how.info:
        raise np.linalg.LinAlgError("the matrix is not positive definite" if structure == "pos" else "the matrix is singular")
    found = Solution(how.iterations, _METHODS[how.method], _PRECISIONS[how.precision], how.backward_error, how.forward_error,
                     how.condition)
    return _with(c.hand(X, B._ndim), found, full_output)


def through(m: Matrix, op: int) -> Matrix:
    return m if op == 0 else m.T if op == 1 else m.H


@of_two(_batch_calls.solve_triangular)
def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
                     check_finite: bool = True) -> Any:
    """x with a x = b, a^T x = b (trans 1 or 'T') or a^H x = b (2 or 'C'), a being a triangle."""
    op = transposition(trans)
    small = _small.solve_triangular(a, b, op, bool(lower), bool(unit_diagonal), check_finite) if not overwrite_b else None
    if small is not None:
        return small
    with Call(a, b) as c:
        A, B = system(c, check_finite)
        if not unit_diagonal and A._rows:
            _need_diagonal(A)

        def compute() -> Any:
            X = c.overwritten(B, b, overwrite_b)
            T = triangle(A, lower)
            if unit_diagonal:
                T = unit(T)
            if X.size:
                c.context("trsm", _library.LEFT, ONE, through(T, op), X)
            return c.hand(X, B._ndim)

        return c.within(compute)


def _need_diagonal(A: Matrix) -> None:
    there = diagonal_of(A) != 0
    if not _small.all_true(there):
        raise zero_on_diagonal(1 + int(np.argmin(there)))


def _need_full_rank(F: Matrix) -> None:
    """By the diagonal of R or L: what is that small beside the largest of its column of R, or row of L, is rounding. Other columns may be of
    any size: only where some are is each looked at by itself."""
    k, tall = min(F.shape), F._rows >= F._cols
    least, R = max(F.shape) * float(np.finfo(F.dtype).eps), F._part(0, 0, k, k)
    sizes = np.abs(diagonal_of(R))
    for i in map(int, np.flatnonzero(sizes <= least * _largest(triangle(R, not tall), _library.TRIANGULAR))):
        if sizes[i] <= least * _largest(R._part(0, i, i + 1, 1) if tall else R._part(i, 0, 1, i + 1)):
            raise nearly_deficient(1 + i)


def _largest(m: Matrix, structure: int = _library.SYMMETRIC) -> float:
    result = ctypes.c_double()
    pass_over(m._context, "norm", _library.NORM_MAX, structure, m, result)
    return result.value


def _squares(m: Matrix) -> Any:
    """The sums of squares of its columns."""
    sums, number = np.empty(m._cols, m.dtype.type(0).real.dtype), _library.Scalar()
    for j in range(m._cols):
        column = m._part(0, j, m._rows, 1)
        pass_over(m._context, "dot", column.conj(), column, number)
        sums[j] = number.re
    return sums


def _of_any_rank(c: Call, F: Matrix, X: Matrix, rcond: float, driver: str) -> tuple[int, Optional[Matrix]]:
    """X := the solution, with the rank, and the singular values if they were computed."""
    rank = ctypes.c_int64()
    if driver == "gelsy":
        p = c.pivots(F._cols)
        move("copy", of_numpy(c.context, np.zeros((F._cols, 1), np.int64)), p)
        c.context("gelsy", F, p, X, rcond, rank)
        return rank.value, None
    s = c.new(min(F._rows, F._cols), 1, F.dtype.type(0).real.dtype)
    if c.context.info("gelsd", F, s, X, rcond, rank):
        raise no_values()
    return rank.value, s


@of_two(_batch_calls.lstsq)
def lstsq(a: Any, b: Any, cond: Optional[float] = None, overwrite_a: bool = False, overwrite_b: bool = False,
          check_finite: bool = True, lapack_driver: Optional[str] = None, *, rcond: Optional[float] = None) -> tuple[Any, Any, Any, Any]:
    """x of least |b - a x|, or, if there are many, of least |x|: (x, residues, rank, s), a of any rank. s: the singular values, None if they are not computed.

    lapack_driver  'gels': by QR, a of full rank, else LinAlgError; 'gelsy': by QR with column pivoting; 'gelsd', 'gelss': by singular values. Without one: 'gels'
                   if there is no cond and a is of full rank, else 'gelsd'; of a stack of matrices 'gels' if there is no cond
    cond, rcond    what is less than this times the largest counts as zero: max(m, n) eps unless it is given
    """
    if lapack_driver not in (None, "gels", "gelsd", "gelsy", "gelss"):
        raise ValueError(f"lapack_driver={lapack_driver!r} is none of 'gels', 'gelsd', 'gelsy', 'gelss'")
    if cond is not None and rcond is not None:
        raise ValueError("cond and rcond: one of them at most")
    least = cond if cond is not None else rcond
    by_qr = lapack_driver == "gels" or (lapack_driver is None and least is None)
    small = _small.lstsq(a, b, check_finite) if by_qr and not (overwrite_a or overwrite_b) else None
    if small is not None:
        return small  # type: ignore[no-any-return]
    with Call(a, b) as c:
        A, B = c.take((2,), (1, 2))
        m, n, k, dtype = A._rows, A._cols, B._cols, A.dtype
        right_hand_sides(m, B)
        need_finite(check_finite, A, B)

        def start() -> Matrix:
            X = c.new(max(m, n), k, dtype)
            if m and k:
                move("copy", B, X._part(0, 0, m, k))
            return X

        def full_rank(X: Matrix) -> bool:
            F = c.copied(A) if lapack_driver is None else c.overwritten(A, a, overwrite_a)
            try:
                info = c.context.info("gels", F, X)
                if info:
                    raise deficient(info)
                _need_full_rank(F)
            except LinAlgError:
                if lapack_driver is not None:
                    raise
                return False
            return True

        def compute() -> tuple[Any, Any, Any, Any]:
            X, rank, s = start(), min(m, n), None
            if min(m, n) == 0:
                if X.size:
                    move("scale", _library.Scalar(0, 0), X)
            elif k and not (by_qr and full_rank(X)):
                X = start() if by_qr else X
                limit = max(m, n) * float(np.finfo(dtype).eps) if least is None else float(least)
                rank, s = _of_any_rank(c, c.overwritten(A, a, overwrite_a), X, limit, "gelsy" if lapack_driver == "gelsy" else "gelsd")
            x = c.new(n, k, dtype)
            if x.size:
                move("copy", X._part(0, 0, n, k), x)
            residues: Any = np.empty(0, dtype)
            if (m > n or n == 0) and rank == n:  # without unknowns it is all of b that is left
                residues = _squares(X._part(n, 0, m - n, k) if n else B)
                if B._ndim == 1:
                    residues = residues[0]
            return c.hand(x, B._ndim), c.hand_numbers(residues), rank, None if s is None else c.hand(s, 1)

        return c.within(compute)
