"""Functions of stacks that follow from eigenvalues and singular values, by one call of the library. As in batch_calls.py, None: not one of these."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from . import batch_calls as _batch_calls
from .batch import Batch, opened
from .._calls.errors import eigen_failure, no_values
from .._calls.library import SVD_AUTO, Selection
from . import kernels


def _square(*arrays: Any) -> Optional[Batch]:
    c = opened(*arrays)
    if c is None or any(a.shape[-1] != a.shape[-2] or a.shape[-1] != c.arrays[0].shape[-1] for a in c.arrays):
        return None
    return c


# ---- eigenvalues


def eigh(arrays: Sequence[Any], lower: bool, values_only: bool, kind: int, check_finite: bool, which: Any) -> Any:
    """(w, v or None); `which` makes a selection for an order."""
    c = _square(*arrays)
    if c is None:
        return None
    c.finite(check_finite)
    n = c.arrays[0].shape[-1]
    some: Optional[Selection] = which(n)
    if len(arrays) == 1:
        w, v, infos = kernels.eigh(c, c.flat(0), lower, not values_only)
    else:
        w, v, infos = kernels.eigh_pair(c, c.flat(0), c.flat(1), kind, lower, not values_only)
    c.need(infos, lambda info: eigen_failure(info, n))
    if some is not None:  # a batch has them all
        chosen = slice(some.il - 1, some.iu)
        w, v = w[:, chosen], None if v is None else v[:, :, chosen]
    return c.hand_rows(w), None if v is None else c.hand_rows(v)


def eig(a: Any, left: bool, right: bool, check_finite: bool) -> Any:
    """(w, left vectors or None, right vectors or None); of a real stack whose eigenvalues all are real, real vectors, as of one matrix."""
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    n = c.arrays[0].shape[-1]
    w, vl, vr, infos = kernels.eig(c, c.flat(0), left, right)
    c.need(infos, lambda info: eigen_failure(info, n))
    real = not c.complex and not bool((w.imag != 0).any())
    return c.hand_rows(w), *[None if v is None else c.hand_rows(c.rows(v.real) if real else v) for v in (vl, vr)]


# ---- singular values


def _factors(c: Batch, hermitian: bool, full: bool, vectors: bool, driver: int = SVD_AUTO) -> tuple[Any, Any, Any]:
    if hermitian:
        return _of_hermitian(c, vectors)
    U, s, Vh, infos = kernels.svd(c, c.flat(0), full, vectors, driver)
    c.need(infos, lambda info: no_values())
    return U, s, Vh


def _of_hermitian(c: Batch, vectors: bool) -> tuple[Any, Any, Any]:
    """Of the matrices V diag(w) V^H that lower triangles stand for: s = |w|, descending, U = V in this order, and V^H with the signs of w."""
    a = c.flat(0)
    if a.shape[-1] != a.shape[-2]:
        raise ValueError(f"a: expected a square matrix, got one that is {tuple(a.shape[-2:])}")
    w, V, infos = kernels.eigh(c, a, True, vectors)
    c.need(infos, lambda info: no_values())
    each, order = c.space.arange(c.like, c.count)[:, None], c.xp.argsort(-abs(w), -1)
    w = w[each, order]
    if V is None:
        return None, abs(w), None
    rows = V[each, :, order]  # the vectors
    return c.space.turned(rows), abs(w), rows.conj() * c.xp.where(w < 0, -c.xp.ones_like(w), c.xp.ones_like(w))[:, :, None]


def svd(a: Any, full: bool, vectors: bool, check_finite: bool, driver: int, hermitian: bool) -> Any:
    """(U or None, s, Vh or None)"""
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    return tuple(None if part is None else c.hand_rows(part) for part in _factors(c, hermitian, full, vectors, driver))


def _limits(c: Batch, s: Any, shape: Any, atol: Any, rtol: Any) -> Any:
    """What counts as zero beside each row of s, which may differ from matrix to matrix."""
    relative = max(shape) * float(np.finfo(c.dtype).eps) if rtol is None else _each(c, rtol)
    limits = relative * s[:, 0]
    return (limits if atol is None else limits + _each(c, atol))[:, None]


def _each(c: Batch, value: Any) -> Any:
    """A number for each matrix, or one for all."""
    if np.ndim(value) == 0:
        return float(value)
    return c.space.cast(c.xp.broadcast_to(c.space.numbers(c.like, np.asarray(value)), c.stack).reshape(c.count), c.real)


def pinv(a: Any, hermitian: bool, atol: Any, rtol: Any, return_rank: bool, check_finite: bool) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(check_finite)
    if atol is None and np.ndim(rtol) == 0 and not (return_rank or hermitian):
        P, infos = kernels.pinv(c, c.flat(0), -1.0 if rtol is None else float(rtol))
        c.need(infos, lambda info: no_values())
        return c.hand_rows(P)
    U, s, Vh = _factors(c, hermitian, False, True)
    above = s > _limits(c, s, c.arrays[0].shape[-2:], atol, rtol)
    over = c.space.cast(c.xp.where(above, 1 / c.xp.where(above, s, c.xp.ones_like(s)), c.xp.zeros_like(s)), c.dtype)
    turned = c.space.turned
    P = _batch_calls.matmul(turned(Vh).conj() * over[:, None, :], turned(U).conj())
    return (c.hand_rows(P), c.hand_rows(above.sum(-1))) if return_rank else c.hand_rows(P)


def matrix_rank(a: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    c = opened(a)
    if c is None:
        return None
    c.finite(True)
    _, s, _ = _factors(c, hermitian, False, False)
    return c.hand_rows((s > _limits(c, s, c.arrays[0].shape[-2:], atol, rtol)).sum(-1))


def cond(a: Any, p: Any) -> Any:
    """In the norms that singular values make."""
    c = opened(a)
    if c is None:
        return None
    _, s, _, infos = kernels.svd(c, c.flat(0), False, False)
    most, least = (s[:, 0], s[:, -1]) if p != -2 else (s[:, -1], s[:, 0])
    nothing = least == 0
    ratio = most / c.xp.where(nothing, c.xp.ones_like(least), least)
    ratio = c.xp.where(nothing, c.xp.where(most == 0, most * np.nan, most * 0 + np.inf), ratio)
    wrong = c.space.numbers(c.like, infos != 0)
    return c.hand_rows(c.xp.where(wrong, ratio * np.nan, ratio))


def lstsq(a: Any, b: Any, limit: Optional[float], check_finite: bool) -> Any:
    """By singular values: (x, residues, ranks, s)."""
    c = opened(a, b, vectors=1)
    if c is None or c.arrays[0].shape[-2] != c.arrays[1].shape[-2]:
        return None
    c.finite(check_finite)
    m, n = c.arrays[0].shape[-2:]
    A, B, vector = c.flat(0), c.flat(1), c.vectors[1]
    U, s, Vh = _factors(c, False, False, True)
    above = s > _limits(c, s, (m, n), None, limit)
    over = c.space.cast(c.xp.where(above, 1 / c.xp.where(above, s, c.xp.ones_like(s)), c.xp.zeros_like(s)), c.dtype)
    inner = _batch_calls.matmul(c.space.turned(U).conj(), B) * over[:, :, None]
    x, ranks = _batch_calls.matmul(c.space.turned(Vh).conj(), inner), above.sum(-1)
    residues = c.space.empty(c.like, (c.count, 0), c.real)
    if m > n and bool((ranks == n).all()):
        residues = (abs(B - _batch_calls.matmul(A, x)) ** 2).sum(1)
        residues = residues[:, 0] if vector else residues
    return c.hand_rows(x[:, :, 0] if vector else x), c.hand_rows(residues), c.hand_rows(ranks), c.hand_rows(s)


# ---- functions


def expm(a: Any) -> Any:
    c = _square(a)
    return None if c is None else c.hand_rows(kernels.expm(c, c.flat(0)))


def slogdet(a: Any) -> Any:
    """(sign, logabsdet): of the transposes, which have the same."""
    c = _square(a)
    if c is None:
        return None
    f = c.by_columns(0, transposed=True)
    p, infos = _batch_calls.getrf(c, f)
    d = c.xp.diagonal(f, 0, -2, -1)
    sizes = abs(d)
    zero = c.space.numbers(c.like, infos != 0)
    safe = c.xp.where(sizes == 0, c.xp.ones_like(sizes), sizes)
    sign = (d / safe).prod(-1) * (1 - 2 * ((p != c.space.arange(c.like, p.shape[1]) + 1).sum(-1) % 2))
    logs = c.xp.log(safe).sum(-1)
    return c.hand_rows(c.space.cast(c.xp.where(zero, sign * 0, sign), c.dtype)), c.hand_rows(c.space.cast(c.xp.where(zero, logs * 0 - np.inf, logs), c.real))



def by_schur_form(a: Any, name: str, error: Any) -> Any:
    """sqrtm or logm; of a real stack one of whose matrices has none that is real, complex ones of all."""
    c = _square(a)
    if c is None:
        return None
    c.finite(True)
    X, infos = kernels.by_schur_form(c, name, c.flat(0))
    if infos.any() and not c.complex:
        c = opened(c.space.cast(c.arrays[0], np.dtype(c.dtype.char.upper())))
        assert c is not None
        X, infos = kernels.by_schur_form(c, name, c.flat(0))
    c.need(infos, error)
    return c.hand_rows(X)


def schur(a: Any, complex_: bool, check_finite: bool) -> Any:
    """(T, Z)"""
    c = _square(a)
    if c is None:
        return None
    c.finite(check_finite)
    if complex_ and not c.complex:
        c = opened(c.space.cast(c.arrays[0], np.dtype(c.dtype.char.upper())))
        assert c is not None
    T, Z, infos = kernels.schur(c, c.flat(0))
    n = T.shape[-1]
    c.need(infos, lambda info: eigen_failure(info, n))
    return c.hand_rows(T), c.hand_rows(Z)
