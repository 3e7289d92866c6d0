"""The library's work on stacks, without looking at arguments: each returns new arrays, and the outcomes. Where something is to be copied before it is
overwritten, the copy keeps the order of the elements if the transposes do as well. Vectors, as pivots and eigenvalues, are lines."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._calls.library import LEFT, SORT_NONE, SVD_AUTO, TRANS
from .call import GOOD, INT, LOWER, UPPER, Many

ONE = 1.0
Outcomes = np.ndarray[Any, Any]


def none(k: Many) -> Outcomes:
    return np.zeros(k.whole, np.int64) if k.whole else GOOD


# ---- Cholesky


def cholesky(k: Many, a: Any, lower: bool, clear: bool = True) -> tuple[Any, Outcomes]:
    """L by rows is, as it is stored, L^T: the factor U, with U^H U, of A^T. So the other triangle is given, and nothing is conjugated."""
    f = k.rows(a) if not clear else k.triangle(a, lower)  # its other triangle stays as it is
    if not f.shape[-1]:
        return f, none(k)
    with k:
        infos = k.infos("potrf", k.view(f, UPPER if lower else LOWER))
    return f, infos


# ---- LU


def lu_factor(k: Many, a: Any, told: bool = True) -> tuple[Any, Any, Outcomes]:
    """Factors and pivots, from 1."""
    m, n = a.shape[-2:]
    f, p = k.seen(a), k.line(min(m, n), INT)
    if not min(m, n):
        return f, p, none(k)
    with k:
        return f, p, k.infos("getrf", k.view_seen(f), k.view_line(p), told=told)


def solve(k: Many, a: Any, b: Any) -> tuple[Any, Any, Any, Outcomes]:
    """(x, LU, pivots, infos)"""
    n, r = b.shape[-2:]
    f, p, x = k.seen(a), k.line(n, INT), k.seen(b)
    if not n:
        return x, f, p, none(k)
    with k:
        F, P = k.view_seen(f), k.view_line(p)
        return x, f, p, k.infos("gesv", F, P, k.view_seen(x)) if r else k.infos("getrf", F, P)


def solve_turned(k: Many, a: Any, b: Any) -> tuple[Any, Outcomes]:
    """(x, infos), by the factors of what is stored as it lies, the transposes."""
    f, p, x = k.rows(a), k.line(a.shape[-1], INT), k.seen(b)
    with k:
        P = k.view_line(p)
        infos = k.infos("getrf", k.view(f), P)
        if not infos.any():
            k.call("getrs", k.view(f, op=TRANS), P, k.view_seen(x))
    return x, infos


def lu_solve(k: Many, f: Any, p: Any, b: Any, op: int) -> Any:
    """op(A)^-1 b, f and p of A."""
    n, r = b.shape[-2:]
    x, pivots = k.seen(b), k.space.indices(p)
    if len(f.shape) > 2 and f.shape[:-2] != k.whole or not k.space.packed_columns(f):
        f = k.seen(f)
    if n and r:
        with k:
            k.call("getrs", k.view_seen(f, op=op), k.view_line(pivots), k.view_seen(x))
    return x


def lu(k: Many, a: Any) -> tuple[Any, Any, Any]:
    """P, L and U of A = P L U, of matrices that have elements."""
    m, n = a.shape[-2:]
    f, p = k.seen(a), k.line(min(m, n), INT)
    P, L, U = k.room(m, m), k.room(m, min(m, n)), k.room(min(m, n), n)
    with k:
        factors, exchanges = k.view_seen(f), k.view_line(p)
        k.infos("getrf", factors, exchanges, told=False)
        k.call("plu", factors, exchanges, *[k.view_seen(part) for part in (P, L, U)])
    return P, L, U


BY_UNITS = 16  # up to this order inverses of stacks are solutions of A X = I: one call, and kernels that are not many


def inv(k: Many, a: Any) -> tuple[Any, Outcomes]:
    n = a.shape[-1]
    f, p = k.rows(a), k.line(n, INT)
    if not n:
        return f, none(k)
    x = k.identity(n) if k.batch and n <= BY_UNITS else None
    with k:
        F, P = k.view(f), k.view_line(p)
        if x is not None:
            return x, k.infos("gesv", F, P, k.view(x))
        k.infos("getrf", F, P, told=False)
        return f, k.infos("getri", F, P)  # says of a singular U the same


# ---- triangles


def solve_triangular(k: Many, a: Any, b: Any, lower: bool, unit: bool) -> Any:
    x = k.seen(b)
    if 0 not in b.shape[-2:]:
        with k:
            k.call("trsm", LEFT, ONE, k.reading(a, lower, unit), k.view_seen(x))
    return x


# ---- L D L^T


def ldl_factor(k: Many, a: Any, hermitian: bool, told: bool = True) -> tuple[Any, Any, Outcomes]:
    n = a.shape[-1]
    f, p = k.seen(a), k.line(n, INT)
    if not n:
        return f, p, none(k)
    with k:
        return f, p, k.infos("hetrf" if hermitian and k.complex else "sytrf", k.view_seen(f, LOWER), k.view_line(p), told=told)


def ldl_solve(k: Many, f: Any, p: Any, b: Any, hermitian: bool) -> Any:
    n, r = b.shape[-2:]
    x, factors, pivots = k.seen(b), k.seen(f), k.space.indices(p)
    if n and r:
        with k:
            k.call("hetrs" if hermitian and k.complex else "sytrs", k.view_seen(factors, LOWER), k.view_line(pivots), k.view_seen(x))
    return x


# ---- QR


def geqrf(k: Many, a: Any, columns: int) -> tuple[Any, Any]:
    """Reflectors in an array with room for so many columns, seen, and tau."""
    m, n = a.shape[-2:]
    tau = k.line(min(m, n))
    if columns <= n:
        f = k.seen(a)
    else:
        f = k.room(m, columns)
        k.space.fill(f[..., :n], a)
    if min(m, n):
        with k:
            k.call("geqrf", k.view_seen(f, part=(m, n)), k.view_line(tau))
    return f, tau


def orgqr(k: Many, f: Any, tau: Any, columns: int) -> Any:
    """The first columns of Q: of the reflectors f, which are overwritten."""
    m = f.shape[-2]
    if not tau.shape[-1]:
        return k.space.turned(k.identity(columns, m))
    if columns and m:
        with k:
            k.call("orgqr", k.view_seen(f, part=(m, columns)), k.view_line(tau))
    return f if f.shape[-1] == columns else f[..., :columns]


# ---- eigenvalues


def eigh(k: Many, a: Any, lower: bool, vectors: bool = True) -> tuple[Any, Any, Outcomes]:
    """(w, v, infos). The transposes of real ones are the same, with the other triangle."""
    n = a.shape[-1]
    f = k.seen(a) if k.complex else k.rows(a)
    w, V = k.line(n, k.real), k.room(n, n) if vectors else None
    if not n:
        return w, V, none(k)
    with k:
        triangle = k.view_seen(f, LOWER if lower else UPPER) if k.complex else k.view(f, UPPER if lower else LOWER)
        return w, V, k.infos("syev", triangle, None, k.view_line(w), None if V is None else k.view_seen(V), None)


def eigh_pair(k: Many, a: Any, b: Any, kind: int, lower: bool, vectors: bool) -> tuple[Any, Any, Outcomes]:
    """The same of a pair of matrices."""
    n, uplo = a.shape[-1], LOWER if lower else UPPER
    f, g, w, V = k.seen(a), k.seen(b), k.line(n, k.real), k.room(n, n) if vectors else None
    with k:
        infos = k.infos("sygv", kind, k.view_seen(f, uplo), k.view_seen(g, uplo), None, k.view_line(w), None if V is None else k.view_seen(V), None)
    return w, V, infos


def eig(k: Many, a: Any, left: bool = False, right: bool = True) -> tuple[Any, Any, Any, Outcomes]:
    """(w, left vectors, right vectors, infos), complex."""
    n = a.shape[-1]
    f, w = k.seen(a), k.empty(1, n)
    wi = None if k.complex else k.empty(1, n)
    V = [k.empty(n, n) if wanted else None for wanted in (left, right)]
    infos = none(k)
    if n:
        with k:
            infos = k.infos("geev", k.view_seen(f), k.view(w), None if wi is None else k.view(wi), *[None if v is None else k.view(v) for v in V])
    if wi is not None:
        V = [None if v is None else _pairs(k, v, wi) for v in V]
        w = k.space.complex(w, wi)
    return w[..., 0, :], *[None if v is None else k.space.turned(v) for v in V], infos


def _pairs(k: Many, v: Any, wi: Any) -> Any:
    """Of a real matrix two columns are one vector, and its conjugate. Stored, vectors are rows."""
    if k.space.on_gpu:  # where nobody waits for the places of pairs
        xp, sign = k.space.xp, k.space.turned(wi)  # beside the rows
        re = xp.where(sign < 0, xp.roll(v, 1, -2), v)
        im = xp.where(sign > 0, xp.roll(v, -1, -2), xp.where(sign < 0, -v, xp.zeros_like(v)))
        return k.space.complex(re, im)
    parts = k.space.to_host(v)
    z, first = parts.astype(parts.dtype.char.upper()), np.nonzero(k.space.to_host(wi)[..., 0, :] > 0)
    if len(first[-1]):
        second = (*first[:-1], first[-1] + 1)
        z.real[second], z.imag[first], z.imag[second] = parts[first], parts[second], -parts[second]
    return k.space.numbers(k.like, z)


# ---- singular values


def svd(k: Many, a: Any, full: bool, vectors: bool = True, driver: int = SVD_AUTO) -> tuple[Any, Any, Any, Outcomes]:
    """(U, s, Vh, infos). Of a stack by the transposes, as they lie: A^T = U' S V'^H is A = conj(V') S U'^T, both of which are there by rows."""
    m, n = a.shape[-2:]
    d, turned = min(m, n), k.batch
    s, new, view = k.line(d, k.real), k.empty if turned else k.room, k.view if turned else k.view_seen
    U, Vh = (new(m, m if full else d), new(n if full else d, n)) if vectors else (None, None)
    if not d:
        return U if U is None else k.identity(m, U.shape[-1]), s, Vh if Vh is None else k.identity(Vh.shape[-2], n), none(k)
    f = k.rows(a) if turned else k.seen(a)
    left, right = (Vh, U) if turned else (U, Vh)
    with k:
        return U, s, Vh, k.infos("gesvd", view(f), driver, k.view_line(s), None if left is None else view(left), None if right is None else view(right))


def pinv(k: Many, a: Any, tolerance: float) -> tuple[Any, Outcomes]:
    """The pseudo-inverse of the transpose, stored by columns, is that of the matrix by rows."""
    m, n = a.shape[-2:]
    P = k.empty(n, m)
    infos = none(k)
    if m and n:
        f = k.rows(a)
        with k:
            infos = k.infos("pinv", k.view(f), float(tolerance), k.view(P), None)
    return P, infos


# ---- functions


def expm(k: Many, a: Any) -> Any:
    """The transposes have the transposes."""
    f = k.rows(a)
    if f.shape[-1]:
        with k:
            k.infos("expm", k.view(f))
    return f


def by_schur_form(k: Many, name: str, a: Any) -> tuple[Any, Outcomes]:
    """sqrtm or logm."""
    f = k.seen(a)
    infos = none(k)
    if f.shape[-1]:
        with k:
            infos = k.infos(name, k.view_seen(f))
    return f, infos


def schur(k: Many, a: Any) -> tuple[Any, Any, Outcomes]:
    """(T, Z, infos), in no order."""
    n = a.shape[-1]
    T, Z, w = k.seen(a), k.room(n, n), k.empty(1, n)
    wi = None if k.complex else k.empty(1, n)
    with k:
        return T, Z, k.infos("gees", k.view_seen(T), SORT_NONE, k.view(w), None if wi is None else k.view(wi), k.view_seen(Z), None)


# ---- least squares


def gels(k: Many, a: Any, b: Any, told: bool = True) -> tuple[Any, Any, Outcomes]:
    """(x with what is left below it, R or L, infos): of matrices of full rank."""
    (m, n), r = a.shape[-2:], b.shape[-1]
    f = k.seen(a)
    if m >= n:
        x = k.seen(b)
    else:
        x = k.room(n, r)
        k.space.fill(x[..., :m, :], b)
    infos = none(k)
    if m and n and r:
        with k:
            infos = k.infos("gels", k.view_seen(f), k.view_seen(x), told=told)
    return x, f, infos
