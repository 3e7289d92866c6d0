"""Functions of stacks by the library's batch calls. They take what the functions of one matrix take, and return None where they do not apply:
then the matrices are taken one after the other, and what is wrong with an argument is said there. Nothing of the caller's is overwritten.

Loops are over rows or columns of all matrices at once, never over matrices.
"""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._batch import Array, Batch, opened, written
from ._errors import deficient, nearly_deficient, no_factor, not_definite, singular, zero_on_diagonal
from ._flags import structure_of, transposition
from ._storage import address_of

_UPLO = (b"U", b"L")


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


def _clear(rows: Array, lower: bool) -> None:
    """Zeros outside of a triangle, or trapezoid, of matrices as NumPy sees them; the diagonal belongs to it."""
    for j in range(rows.shape[2]):
        (rows[:, :j, j] if lower else rows[:, j + 1:, j])[...] = 0


def _mirror(rows: Array, lower: bool, conjugate: bool) -> None:
    """The symmetric or Hermitian matrices that a triangle stands for."""
    for j in range(rows.shape[2]):
        to, of = (rows[:, :j, j], rows[:, j, :j]) if lower else (rows[:, j, :j], rows[:, :j, j])
        to[...] = of.conj() if conjugate else of
    if conjugate:
        diagonal = np.einsum("kii->ki", rows)
        diagonal[...] = diagonal.real


def _general(c: Batch, structure: str, lower: bool, transposed: bool) -> Array:
    """A copy of the matrices by columns, whole where a triangle stands for them."""
    f = c.by_columns(0, transposed)
    if structure in ("sym", "her"):
        _mirror(f.swapaxes(1, 2), lower != transposed, structure == "her" and c.complex)
    return f


def _gesv(c: Batch, f: Array, x: Array) -> None:
    n = f.shape[1]
    p = np.empty((c.count, n), np.int64)
    c.infos(singular, "gesv_batch", n, x.shape[1], *written(f), address_of(p), n, *written(x), c.count)


def _trsm(c: Batch, op: int, lower: bool, unit: bool, x: Array) -> None:
    """x := inv(op(A)) x. A^H of what is stored transposed is its conjugate: then the conjugates are solved for."""
    a = c.read(0)
    conjugate = c.complex and a.turned and op == 2
    trans = (b"T", b"N", b"N")[op] if a.turned else (b"N", b"T", c.calls.herm)[op]
    if conjugate:
        np.conjugate(x, out=x)
    c.run("trsm_batch", b"L", _UPLO[lower != a.turned], trans, b"U" if unit else b"N", x.shape[2], x.shape[1], c.calls.one, *a.place, *written(x),
          c.count)
    if conjugate:
        np.conjugate(x, out=x)


def _need_diagonal(c: Batch) -> None:
    zero = np.diagonal(c.arrays[0], axis1=-2, axis2=-1) == 0
    if zero.any():
        infos = np.where(zero.any(-1), zero.argmax(-1) + 1, 0)
        c.need(np.broadcast_to(infos, c.whole).reshape(-1), zero_on_diagonal)


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
    left, right, product = c.read(0), c.read(1), c.new(m, n)
    c.run("gemm_batch", b"N" if right.turned else b"T", b"N" if left.turned else b"T", n, m, k, c.calls.one, *right.place, *left.place,
          c.calls.zero, *written(product), c.count)
    return c.hand_rows(product[:, 0] if c.vectors[0] else product[:, :, 0] if c.vectors[1] else product)


def det(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0, transposed=True)  # which have the same determinants
    p, infos = _getrf(c, f)
    n = p.shape[1]
    values = np.prod(np.einsum("kii->ki", f), axis=1, dtype=np.complex128 if c.complex else np.float64)
    exchanges = np.count_nonzero(p != np.arange(1, n + 1), axis=1)
    values[exchanges % 2 == 1] *= -1
    values[infos != 0] = 0
    return values.reshape(c.whole)


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
        c.infos(not_definite, "posv_batch", _UPLO[lower != transposed], *_sizes(c), *written(f), *written(x), c.count)
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
    x = c.identities(n)
    if structure in ("lower", "upper"):
        _need_diagonal(c)
        _trsm(c, 0, structure == "lower", False, x)
        return c.hand(x)
    f = _general(c, structure, lower, True)  # the inverse of the transpose, by columns, is the inverse by rows
    if structure == "pos":
        c.infos(not_definite, "posv_batch", _UPLO[not lower], n, n, *written(f), *written(x), c.count)
        _mirror(x, True, c.complex)
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
    c = opened(a, b, vectors=1) if lapack_driver in (None, "gels") and cond is None and rcond is None else None
    if c is None:
        return None
    (m, n), (rows, k), vector = c.arrays[0].shape[-2:], c.arrays[1].shape[-2:], c.vectors[1]
    if rows != m:
        return None
    c.finite(check_finite)
    f, x = c.by_columns(0), c.new(k, max(m, n))
    x[:, :, :m] = c.flat(1).swapaxes(1, 2)
    c.infos(deficient, "gels_batch", b"N", m, n, k, *written(f), *written(x), c.count)
    _need_full_rank(c, f, m, n)
    residues = np.sum(np.abs(x[:, :, n:m]) ** 2, axis=2) if m > n else np.empty((c.count, 0), c.dtype)
    ranks = np.full(c.whole, min(m, n))
    return c.hand(x[:, :, :n].copy(), vector), c.hand_rows(residues[:, 0] if vector and m > n else residues), ranks, None


def _need_full_rank(c: Batch, f: Array, m: int, n: int) -> None:
    """As _solve._need_full_rank."""
    k = min(m, n)
    r = np.abs(f[:, :k, :k].swapaxes(1, 2))
    _clear(r, m < n)
    small = np.einsum("kii->ki", r) <= max(m, n) * np.finfo(c.dtype).eps * r.max(axis=1 if m >= n else 2)
    c.need(np.where(small.any(1), small.argmax(1) + 1, 0), nearly_deficient)


# ---- Cholesky


def cholesky(a: Any, lower: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    return _potrf(a, bool(lower), check_finite, True)


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
    c.infos(no_factor, "potrf_batch", _UPLO[not lower], rows.shape[1], *written(rows), c.count)
    if clear:
        _clear(rows, lower)
    return c.hand_rows(rows)


def cho_solve(factor: Any, lower: Any, b: Any, check_finite: bool) -> Any:
    c, flags = _system(factor, b), np.asarray(lower)
    if c is None or flags.size == 0 or (flags.astype(bool) != bool(flags.flat[0])).any() or not _within(flags.shape, c):
        return None
    c.finite(check_finite)
    f, x = c.read(0), c.by_columns(1)
    conjugate = c.complex and f.turned  # the factor of A^T, which is the conjugate of A
    if conjugate:
        np.conjugate(x, out=x)
    c.run("potrs_batch", _UPLO[bool(flags.flat[0]) != f.turned], *_sizes(c), *f.place, *written(x), c.count)
    if conjugate:
        np.conjugate(x, out=x)
    return c.hand(x, c.vectors[1])


def _within(stack: tuple[int, ...], c: Batch) -> bool:
    """Does it add nothing to the stack?"""
    try:
        return np.broadcast_shapes(stack, c.whole) == c.whole
    except ValueError:
        return False


# ---- LU


def _getrf(c: Batch, f: Array) -> tuple[Array, Array]:
    """Factors in place; pivots, from 1, and infos."""
    n, m = f.shape[1:]
    p, infos = np.empty((c.count, min(m, n)), np.int64), np.empty(c.count, np.int64)
    c.run("getrf_batch", m, n, *written(f), address_of(p), p.shape[1], c.count, address_of(infos))
    return p, infos


def lu_factor(a: Any, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0)
    p, _ = _getrf(c, f)
    return c.hand(f), c.hand_rows((p - 1).astype(np.int32))


def lu_solve(factors: Any, piv: Any, b: Any, trans: Any, check_finite: bool) -> Any:
    op, c = transposition(trans), _system(factors, b)
    if c is None:
        return None
    n, k = _sizes(c)
    given = np.asarray(piv.numpy() if hasattr(piv, "numpy") else piv)
    if given.dtype.kind not in "iu" or given.ndim == 0 or given.shape[-1] != n or not _within(given.shape[:-1], c):
        return None
    p = np.array(np.broadcast_to(given, c.whole + (n,)), np.int64, order="C")
    p += 1
    if p.min() < 1 or p.max() > n:
        return None
    c.finite(check_finite)
    f, x = c.read(0), c.by_columns(1)
    kept = c.by_columns(0) if f.turned else f.array
    c.run("getrs_batch", (b"N", b"T", c.calls.herm)[op], n, k, *(written(kept) if f.turned else f.place), address_of(p), n, *written(x), c.count)
    return c.hand(x, c.vectors[1])


def lu(a: Any, permute_l: bool = False, overwrite_a: bool = False, check_finite: bool = True, p_indices: bool = False) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    f = c.by_columns(0)
    p, _ = _getrf(c, f)
    n, m = f.shape[1:]
    k = min(m, n)
    rows = f.swapaxes(1, 2)
    l, u = rows[:, :, :k].copy("C"), rows[:, :k].copy("C")
    _clear(l, True)
    _clear(u, False)
    np.einsum("kii->ki", l[:, :k])[...] = 1
    sources = _permutations(p, m)
    if permute_l:
        return c.hand_rows(np.take_along_axis(l, np.argsort(sources, axis=1)[:, :, np.newaxis], axis=1)), c.hand_rows(u)
    if p_indices:
        return c.hand_rows(np.argsort(sources, axis=1).astype(np.int32)), c.hand_rows(l), c.hand_rows(u)
    exchanges = np.zeros((c.count, m, m), c.calls.real)
    np.put_along_axis(exchanges, sources[:, np.newaxis, :], 1, axis=1)
    return c.hand_rows(exchanges), c.hand_rows(l), c.hand_rows(u)


def _permutations(p: Array, m: int) -> Array:
    """Row i of P^T a is row s[i] of a, by the exchanges of all matrices at once."""
    sources, each = np.tile(np.arange(m), (len(p), 1)), np.arange(len(p))
    for i in range(p.shape[1]):
        at = p[:, i] - 1
        came = sources[each, at]
        sources[each, at] = sources[:, i]
        sources[:, i] = came
    return sources


# ---- QR


def qr(a: Any, overwrite_a: bool = False, lwork: Optional[int] = None, mode: str = "full", pivoting: bool = False,
       check_finite: bool = True) -> Any:
    c = opened(a) if mode in ("full", "r", "economic", "raw") and not pivoting else None
    if c is None:
        return None
    c.finite(check_finite)
    m, n = c.arrays[0].shape[-2:]
    k = min(m, n)
    q = m if mode == "full" else k  # columns of Q
    f, tau = c.new(max(n, q), m), c.new(1, k)
    f[:, :n] = c.flat(0).swapaxes(1, 2)
    c.run("geqrf_batch", m, n, *written(f), address_of(tau), k, c.count)
    r = np.zeros((c.count, m if mode in ("full", "r") else k, n), c.dtype)
    r[:, :k] = f.swapaxes(1, 2)[:, :k, :n]
    _clear(r, False)
    if mode == "r":
        return (c.hand_rows(r),)
    if mode == "raw":
        return (c.hand(f), c.hand_rows(tau[:, 0])), c.hand_rows(r)
    columns = np.ascontiguousarray(f[:, :q])
    c.views("orgqr", columns, tau)
    return c.hand(columns), c.hand_rows(r)
