"""Functions of stacks by the library's batch calls. They take what the functions of one matrix take, and return None where they do not apply:
then the matrices are taken one after the other, and what is wrong with an argument is said there. Nothing of the caller's is overwritten.

Loops are over rows or columns of all matrices at once, never over matrices.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .batch import Array, Batch, opened
from .._calls.errors import LinAlgError, deficient, nearly_deficient, no_factor, not_definite, singular, zero_on_diagonal
from .._flags import structure_of, transposition
from . import kernels

_UPLO = (b"U", b"L")
INT32 = np.dtype(np.int32)


def _square(a: Any) -> Optional[Batch]:
    c = opened(a)
    return c if c is not None and c.arrays[0].shape[-1] == c.arrays[0].shape[-2] else None


def _system(a: Any, b: Any) -> Optional[Batch]:
    c = opened(a, b, vectors=1)
    return c if c is not None and c.arrays[0].shape[-1] == c.arrays[0].shape[-2] == c.arrays[1].shape[-2] else None


def _sizes(c: Batch) -> tuple[int, int]:
    """The order of a system, and its right-hand sides."""
    n, k = c.arrays[1].shape[-2:]
    return n, k


def mirrored(c: Batch, rows: Array, lower: bool, conjugate: bool) -> Array:
    """The symmetric or Hermitian matrices that a triangle stands for."""
    other = c.space.turned(c.space.clear(rows, lower, 1))
    whole = c.space.clear(rows, lower) + (other.conj() if conjugate else other)
    if conjugate:
        diagonal = c.space.diagonal(whole)
        diagonal[...] = diagonal.real
    return whole


def _general(c: Batch, structure: str, lower: bool, transposed: bool) -> Array:
    """A copy of the matrices by columns, whole where a triangle stands for them."""
    f = c.by_columns(0, transposed)
    if structure in ("sym", "her"):  # stored, the other triangle
        return mirrored(c, f, lower == transposed, structure == "her" and c.complex)
    return f


def _gesv(c: Batch, f: Array, x: Array) -> None:
    n = f.shape[1]
    p = c.whole_numbers(n)
    c.outcomes(singular, "gesv_batch", n, x.shape[1], *c.written(f), c.space.address(p), n, *c.written(x), c.count)


def _trsm(c: Batch, op: int, lower: bool, unit: bool, x: Array) -> None:
    """x := inv(op(A)) x. A^H of what is stored transposed is its conjugate: then the conjugates are solved for."""
    a = c.read(0)
    conjugate = c.complex and a.turned and op == 2
    trans = (b"T", b"N", b"N")[op] if a.turned else (b"N", b"T", c.calls.herm)[op]
    if conjugate:
        c.space.conjugate(x)
    c.run("trsm_batch", b"L", _UPLO[lower != a.turned], trans, b"U" if unit else b"N", x.shape[2], x.shape[1], c.calls.one, *a.place, *c.written(x),
          c.count)
    if conjugate:
        c.space.conjugate(x)


def _need_diagonal(c: Batch) -> None:
    zero = c.xp.diagonal(c.arrays[0], 0, -2, -1) == 0
    if zero.any():
        c.need(np.broadcast_to(_firsts(c, zero), c.stack).reshape(-1), zero_on_diagonal)


def _firsts(c: Batch, wrong: Array) -> Any:
    """Of each row the first place that is true, from 1; 0: there is none."""
    there = c.space.to_host(wrong)
    return np.where(there.any(-1), there.argmax(-1) + 1, 0)


# ---- products and determinants


def matmul(a: Any, b: Any) -> Any:
    c = opened(a, b, vectors=2)
    if c is None:
        return None
    if c.vectors[0]:  # a row
        c.arrays[0] = c.arrays[0].T
    (m, k), (rows, n) = c.arrays[0].shape[-2:], c.arrays[1].shape[-2:]
    if rows != k:
        return None
    # by rows the product is, stored by columns, that of the transposes, the other way round
    left, right, product = c.read(0), c.read(1), c.empty(m, n)
    c.run("gemm_batch", b"N" if right.turned else b"T", b"N" if left.turned else b"T", n, m, k, c.calls.one, *right.place, *left.place,
          c.calls.zero, *c.written(product), c.count)
    return c.hand_rows(product[:, 0] if c.vectors[0] else product[:, :, 0] if c.vectors[1] else product)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0, transposed=True)  # which have the same determinants
    p, infos = getrf(c, f)
    n = p.shape[1]
    values = c.space.prod(c.xp.diagonal(f, 0, -2, -1), 1, np.dtype(np.complex128 if c.complex else np.float64))
    exchanges = (p != c.space.arange(c.like, n) + 1).sum(1)
    values[exchanges % 2 == 1] *= -1
    values[c.space.numbers(c.like, infos != 0)] = 0
    return c.hand_rows(values)


# ---- systems and inverses


def solve(a: Any, b: Any, lower: bool = False, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
          assume_a: Optional[str] = None, transposed: bool = False, *, precision: Optional[str] = None,
          accuracy: Optional[float] = None, full_output: bool = False) -> Any:
    structure = structure_of(assume_a)
    if precision is not None or accuracy is not None or full_output:
        return None
    if structure in ("lower", "upper"):
        return solve_triangular(a, b, int(transposed), structure == "lower", check_finite=check_finite)
    c = _system(a, b)
    if c is None:
        return None
    c.finite(check_finite)
    lower, transposed = bool(lower), bool(transposed)
    f, x = _general(c, structure, lower, transposed), c.by_columns(1)
    if structure == "pos":
        c.outcomes(not_definite, "posv_batch", _UPLO[lower != transposed], *_sizes(c), *c.written(f), *c.written(x), c.count)
    else:
        _gesv(c, f, x)
    return c.hand(x, c.vectors[1])


def inv(a: Any, overwrite_a: bool = False, check_finite: bool = True, *, assume_a: Optional[str] = None, lower: bool = False) -> Any:
    structure = structure_of(assume_a)
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    n, lower = c.arrays[0].shape[-1], bool(lower)
    x = c.identity(n)
    if structure in ("lower", "upper"):
        _need_diagonal(c)
        _trsm(c, 0, structure == "lower", False, x)
        return c.hand(x)
    f = _general(c, structure, lower, True)  # the inverse of the transpose, by columns, is the inverse by rows
    if structure == "pos":
        c.outcomes(not_definite, "posv_batch", _UPLO[not lower], n, n, *c.written(f), *c.written(x), c.count)
        x = mirrored(c, x, True, c.complex)
    else:
        _gesv(c, f, x)
    return c.hand_rows(x)


def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False, overwrite_b: bool = False,
                     check_finite: bool = True) -> Any:
    op = transposition(trans)
    c = _system(a, b)
    if c is None:
        return None
    c.finite(check_finite)
    if not unit_diagonal:
        _need_diagonal(c)
    x = c.by_columns(1)
    _trsm(c, op, bool(lower), bool(unit_diagonal), x)
    return c.hand(x, c.vectors[1])


def lstsq(a: Any, b: Any, cond: Optional[float] = None, overwrite_a: bool = False, overwrite_b: bool = False,
          check_finite: bool = True, lapack_driver: Optional[str] = None, *, rcond: Optional[float] = None) -> Any:
    limit = cond if cond is not None else rcond
    if lapack_driver not in (None, "gels", "gelsd", "gelss") or cond is not None and rcond is not None:
        return None
    if lapack_driver in ("gelsd", "gelss") or limit is not None:
        from . import spectra

        return spectra.lstsq(a, b, limit, check_finite) if lapack_driver != "gels" else None
    try:
        return _of_full_rank(a, b, check_finite)
    except LinAlgError:
        if lapack_driver is not None:
            raise
    return lstsq(a, b, check_finite=check_finite, lapack_driver="gelsd")


def _of_full_rank(a: Any, b: Any, check_finite: bool) -> Any:
    c = opened(a, b, vectors=1)
    if c is None:
        return None
    (m, n), (rows, k), vector = c.arrays[0].shape[-2:], c.arrays[1].shape[-2:], c.vectors[1]
    if rows != m:
        return None
    c.finite(check_finite)
    f, x = c.by_columns(0), c.empty(k, max(m, n))
    x[:, :, :m] = c.space.turned(c.flat(1))
    c.outcomes(deficient, "gels_batch", b"N", m, n, k, *c.written(f), *c.written(x), c.count)
    _need_full_rank(c, f, m, n)
    residues = (abs(x[:, :, n:m]) ** 2).sum(2) if m > n else c.space.empty(c.like, (c.count, 0), c.dtype)
    ranks = c.space.numbers(c.like, np.full(c.stack, min(m, n)))
    solution = c.rows(x[:, :, :n])
    return c.hand(solution, vector), c.hand_rows(residues[:, 0] if vector and m > n else residues), ranks, None


def _need_full_rank(c: Batch, f: Array, m: int, n: int) -> None:
    """As _solve._need_full_rank."""
    k = min(m, n)
    r = c.space.clear(abs(c.space.turned(f[:, :k, :k])), m < n)
    small = c.xp.diagonal(r, 0, -2, -1) <= max(m, n) * float(np.finfo(c.dtype).eps) * c.space.extreme(r, 1 if m >= n else 2)
    if small.any():
        c.need(_firsts(c, small), nearly_deficient)


# ---- Cholesky


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True, *, upper: Optional[bool] = None) -> Any:
    return _potrf(a, bool(lower) if upper is None else not upper, check_finite, True)


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    factor = _potrf(a, bool(lower), check_finite, False)
    return None if factor is None else (factor, lower)


def _potrf(a: Any, lower: bool, check_finite: bool, clear: bool) -> Any:
    """L by rows is, stored by columns, L^T: the factor U, with U^H U, of A^T. So the other triangle is given, and nothing is conjugated."""
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    rows = c.by_columns(0, transposed=True)
    c.outcomes(no_factor, "potrf_batch", _UPLO[not lower], rows.shape[1], *c.written(rows), c.count)
    return c.hand_rows(c.space.clear(rows, lower) if clear else rows)


def cho_solve(factor: Any, lower: Any, b: Any, check_finite: bool) -> Any:
    c, flags = _system(factor, b), np.asarray(lower)
    if c is None or flags.size == 0 or (flags.astype(bool) != bool(flags.flat[0])).any() or not _within(flags.shape, c):
        return None
    c.finite(check_finite)
    f, x = c.read(0), c.by_columns(1)
    conjugate = c.complex and f.turned  # the factor of A^T, which is the conjugate of A
    if conjugate:
        c.space.conjugate(x)
    c.run("potrs_batch", _UPLO[bool(flags.flat[0]) != f.turned], *_sizes(c), *f.place, *c.written(x), c.count)
    if conjugate:
        c.space.conjugate(x)
    return c.hand(x, c.vectors[1])


def _within(stack: tuple[int, ...], c: Batch) -> bool:
    """Does it add nothing to the stack?"""
    try:
        return np.broadcast_shapes(stack, c.stack) == c.stack
    except ValueError:
        return False


# ---- LU


def getrf(c: Batch, f: Array) -> tuple[Array, Array]:
    """Factors in place; pivots, from 1, and infos."""
    n, m = f.shape[1:]
    p, infos = c.whole_numbers(min(m, n)), np.empty(c.count, np.int64)
    c.run("getrf_batch", m, n, *c.written(f), c.space.address(p), p.shape[1], c.count, infos.ctypes.data)
    return p, infos


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0)
    p, _ = getrf(c, f)
    return c.hand(f), c.hand_rows(c.space.cast(p - 1, INT32))


def lu_solve(factors: Any, piv: Any, b: Any, trans: Any, check_finite: bool) -> Any:
    op, c = transposition(trans), _system(factors, b)
    if c is None:
        return None
    n, k = _sizes(c)
    given = c.space.integers(c.like, piv)
    if given is None or given.ndim == 0 or given.shape[-1] != n or not _within(tuple(given.shape[:-1]), c):
        return None
    p = c.whole_numbers(n)
    c.space.fill(p, c.xp.broadcast_to(given, c.stack + (n,)).reshape(c.count, n) + 1)
    if bool(p.min() < 1) or bool(p.max() > n):
        return None
    c.finite(check_finite)
    f, x = c.read(0), c.by_columns(1)
    kept = c.by_columns(0) if f.turned else f.array
    c.run("getrs_batch", (b"N", b"T", c.calls.herm)[op], n, k, *(c.written(kept) if f.turned else f.place), c.space.address(p), n, *c.written(x), c.count)
    return c.hand(x, c.vectors[1])


def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0)
    p, _ = getrf(c, f)
    n, m = f.shape[1:]
    k = min(m, n)
    rows = c.space.turned(f)
    l, u = c.space.clear(rows[:, :, :k], True), c.space.clear(rows[:, :k], False)
    c.space.diagonal(l[:, :k])[...] = 1
    sources = _permutations(c, p, m)
    each, places = c.space.arange(c.like, c.count)[:, None], c.whole_numbers(m)  # row i of a is row places[i] of P^T a
    places[each, sources] = c.space.arange(c.like, m)
    if permute_l:
        return c.hand_rows(l[each, places]), c.hand_rows(u)
    if p_indices:
        return c.hand_rows(c.space.cast(places, INT32)), c.hand_rows(l), c.hand_rows(u)
    exchanges = c.space.cast(places[:, :, None] == c.space.arange(c.like, m), c.real)
    return c.hand_rows(exchanges), c.hand_rows(l), c.hand_rows(u)


def _permutations(c: Batch, p: Array, m: int) -> Array:
    """Row i of P^T a is row s[i] of a, by the exchanges of all matrices at once."""
    each = c.space.arange(c.like, c.count)
    sources = c.whole_numbers(m)
    sources[...] = c.space.arange(c.like, m)
    for i in range(p.shape[1]):
        at = p[:, i] - 1
        came = sources[each, at]
        sources[each, at] = sources[:, i]
        sources[:, i] = came
    return sources


# ---- QR


def qr(a: Any, mode: str, pivoting: bool, check_finite: bool) -> Any:
    c = opened(a) if mode in ("full", "r", "economic", "raw") and not pivoting else None
    if c is None:
        return None
    c.finite(check_finite)
    m, n = c.arrays[0].shape[-2:]
    k = min(m, n)
    q = m if mode == "full" else k  # columns of Q
    f, tau = kernels.geqrf(c, c.flat(0), q)
    r = c.space.clear(f[:, :m if mode in ("full", "r") else k, :n], False)
    if mode == "r":
        return (c.hand_rows(r),)
    if mode == "raw":
        return (c.hand_rows(f), c.hand_rows(tau)), c.hand_rows(r)
    return c.hand_rows(kernels.orgqr(c, f, tau, q)), c.hand_rows(r)
