"""Factorizations that follow from others: RQ, QR of changed matrices, balancing, Schur forms of the other kind, cosines and sines."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._factor import qr
from .._products import matmul
from .._svd import svd
from .common import adjoint, back, blocks, on_host, ready, square


def _matrix(a: Any, name: str) -> Any:
    a = ready(a, name)
    if len(a.shape) != 2:
        raise ValueError(f"{name}: expected 2 dimensions, got {len(a.shape)}")
    return a


def _flipped(a: Any, rows: bool, columns: bool) -> Any:
    """Rows, or columns, in the order from the last to the first."""
    if hasattr(a, "flip"):
        axes = [i for i, wanted in enumerate((rows, columns)) if wanted]
        return a.flip(axes)
    return a[slice(None, None, -1 if rows else None), slice(None, None, -1 if columns else None)]


def rq(a: Any, overwrite_a: bool = False, lwork: Any = None, mode: str = "full", check_finite: bool = True) -> Any:
    """(R, Q) with a = R Q, R upper triangular at its right end, or R alone (mode "r"). By the QR of the adjoint with its columns turned round."""
    if mode not in ("full", "r", "economic"):
        raise ValueError(f"mode={mode!r} is none of 'full', 'r', 'economic'")
    a = _matrix(a, "a")
    results = qr(adjoint(_flipped(a, True, False)), mode=mode, check_finite=check_finite)
    R = _flipped(adjoint(results[-1]), True, True)
    return R if mode == "r" else (R, _flipped(adjoint(results[0]), True, False))


def qr_multiply(a: Any, c: Any, mode: str = "right", pivoting: bool = False, conjugate: bool = False, overwrite_a: bool = False, overwrite_c: bool = False) -> Any:
    """(c Q, R), or (Q c, R) of mode "left"; with pivoting also the order of a's columns. Q is the economic one; if `conjugate`, its conjugate."""
    if mode not in ("left", "right"):
        raise ValueError(f"Mode argument should be one of ['left', 'right']: {mode!r}")
    a, c = _matrix(a, "a"), ready(c, "c")
    Q, R, *order = qr(a, mode="economic", pivoting=pivoting)
    if conjugate:
        Q = Q.conj()
    vector = len(c.shape) == 1
    if mode == "left":
        product = matmul(Q, c)
    else:
        product = matmul(c, Q)
    return (product, R, *order) if not vector else (product.reshape(-1), R, *order)


# ---- QR of a matrix that is changed: the changed matrix is factored


def _again(Q: Any, changed: Any) -> tuple[Any, Any]:
    """As Q was: square, or with as many columns as the matrix."""
    rows, columns = Q.shape
    results = qr(changed, mode="full" if rows == columns else "economic")
    return results[0], results[1]


def _factors(Q: Any, R: Any) -> tuple[Any, Any]:
    Q, R = _matrix(Q, "Q"), _matrix(R, "R")
    if Q.shape[1] != R.shape[0]:
        raise ValueError(f"Q is {tuple(Q.shape)} and R {tuple(R.shape)}")
    return Q, R


def qr_update(Q: Any, R: Any, u: Any, v: Any, overwrite_qruv: bool = False, check_finite: bool = True) -> Any:
    """(Q, R) of Q R + u v^H; u and v are vectors, or matrices of as many columns."""
    Q, R = _factors(Q, R)
    u, v = (x.reshape(-1, 1) if len(x.shape) == 1 else x for x in (ready(u, "u"), ready(v, "v")))
    if u.shape[0] != Q.shape[0] or v.shape[0] != R.shape[1] or u.shape[1] != v.shape[1]:
        raise ValueError(f"u is {tuple(u.shape)} and v {tuple(v.shape)} beside a matrix that is {Q.shape[0]} x {R.shape[1]}")
    return _again(Q, matmul(Q, R) + matmul(u, adjoint(v)))


def qr_insert(Q: Any, R: Any, u: Any, k: int, which: str = "row", rcond: Any = None, overwrite_qru: bool = False, check_finite: bool = True) -> Any:
    """(Q, R) of Q R with rows, or columns, u before number k."""
    if which not in ("row", "col"):
        raise ValueError("'which' must be either 'row' or 'col'")
    Q, R = _factors(Q, R)
    a, u = matmul(Q, R), ready(u, "u")
    m, n = a.shape
    row = which == "row"
    lines = (u.reshape(1, -1) if row else u.reshape(-1, 1)) if len(u.shape) == 1 else u
    if lines.shape[1 if row else 0] != (n if row else m):
        raise ValueError(f"u is {tuple(u.shape)}, beside a matrix that is {m} x {n}")
    k = k + (m if row else n) if k < 0 else k
    if not 0 <= k <= (m if row else n):
        raise ValueError("'k' is not a valid index")
    parts = [a[:k], lines, a[k:]] if row else [a[:, :k], lines, a[:, k:]]
    whole = [p for p in parts if p.shape[0] and p.shape[1]]
    full = Q.shape[0] == Q.shape[1]
    results = qr(blocks([[p] for p in whole] if row else [whole]), mode="full" if full else "economic")
    return results[0], results[1]


def qr_delete(Q: Any, R: Any, k: Any, p: int = 1, which: str = "row", overwrite_qr: bool = False, check_finite: bool = True) -> Any:
    """(Q, R) of Q R without p rows, or columns, from number k on."""
    if which not in ("row", "col"):
        raise ValueError("'which' must be either 'row' or 'col'")
    Q, R = _factors(Q, R)
    a, row = matmul(Q, R), which == "row"
    size = a.shape[0 if row else 1]
    k = k + size if k < 0 else k
    if not 0 <= k < size or not 0 < p <= size - k:
        raise ValueError(f"{p} lines from number {k} on are not among {size}")
    parts = [a[:k], a[k + p:]] if row else [a[:, :k], a[:, k + p:]]
    whole = [x for x in parts if x.shape[0] and x.shape[1]] or parts[:1]
    full = Q.shape[0] == Q.shape[1]
    results = qr(blocks([[x] for x in whole] if row else [whole]), mode="full" if full else "economic")
    return results[0], results[1]


# ---- balancing


def matrix_balance(A: Any, permute: bool = True, scale: bool = True, separate: bool = False, overwrite_a: bool = False) -> Any:
    """(B, T) with B = T^-1 A T, whose rows and columns have norms that are alike, and eigenvalues that can be told at once beside the rest; T is a permutation times
    powers of 2. With separate=True T is (scales, order). In the host's memory."""
    a = square(A, "A")
    B = on_host(a).copy()
    n = len(B)
    order, low, high = np.arange(n), 0, n

    def exchange(i: int, j: int) -> None:
        B[[i, j]] = B[[j, i]]
        B[:, [i, j]] = B[:, [j, i]]
        order[[i, j]] = order[[j, i]]

    def alone(rows: bool) -> bool:
        """Puts a row, or column, that has nothing beside its diagonal at the end, or the beginning."""
        nonlocal low, high
        block = B[low:high, low:high] != 0
        np.fill_diagonal(block, False)
        empty = np.flatnonzero(~block.any(1 if rows else 0))
        if not len(empty) or low == high:
            return False
        if rows:
            high -= 1
            exchange(low + int(empty[-1]), high)
        else:
            exchange(low + int(empty[0]), low)
            low += 1
        return True

    if permute:
        while alone(True):
            pass
        while alone(False):
            pass
    scales = np.ones(n)
    changed = bool(scale)
    while changed:
        changed = False
        for i in range(low, high):
            inner = np.abs(np.delete(B[low:high, i], i - low)), np.abs(np.delete(B[i, low:high], i - low))
            c, r = float(np.linalg.norm(inner[0])), float(np.linalg.norm(inner[1]))
            if not c or not r or not np.isfinite(c + r):
                continue
            f = 2.0 ** np.round(np.log2(r / c) / 2)
            if f != 1 and c * f + r / f < 0.95 * (c + r):
                scales[i] *= f
                B[:, i] *= f
                B[i] /= f
                changed = True
    result = back(B, a)
    if separate:
        return result, (scales, order)
    T = np.zeros_like(B)
    T[order, np.arange(n)] = scales
    return result, back(T, a)


# ---- Schur forms


def rsf2csf(T: Any, Z: Any, check_finite: bool = True) -> Any:
    """The complex Schur form (T, Z) of a real one: each block of order 2 is turned into a triangle by the vector of one of its eigenvalues. In the host's memory."""
    t, z = square(T, "T"), square(Z, "Z")
    if tuple(t.shape) != tuple(z.shape):
        raise ValueError(f"Input array shapes must match: Z: {tuple(z.shape)} vs. T: {tuple(t.shape)}")
    kind: Any = np.complex64 if on_host(t).dtype.char in "fF" else np.complex128
    S, V = on_host(t).astype(kind), on_host(z).astype(kind)
    n = len(S)
    for m in range(n - 1, 0, -1):
        if abs(S[m, m - 1]) <= np.finfo(kind).eps * (abs(S[m - 1, m - 1]) + abs(S[m, m])):
            S[m, m - 1] = 0
            continue
        mu = np.linalg.eigvals(S[m - 1:m + 1, m - 1:m + 1])[0] - S[m, m]
        r = np.hypot(abs(mu), abs(S[m, m - 1]))
        c, s = mu / r, S[m, m - 1] / r
        G = np.array([[c.conj(), s], [-s, c]], kind)
        S[m - 1:m + 1, m - 1:] = G @ S[m - 1:m + 1, m - 1:]
        S[:m + 1, m - 1:m + 1] = S[:m + 1, m - 1:m + 1] @ G.conj().T
        V[:, m - 1:m + 1] = V[:, m - 1:m + 1] @ G.conj().T
        S[m, m - 1] = 0
    return back(S, t), back(V, t)


def cdf2rdf(w: Any, v: Any) -> Any:
    """(wr, vr), real, with vr wr = a vr, of eigenvalues and vectors of a real a, pairs of which are conjugates side by side. In the host's memory."""
    like, W, V = ready(v, "v"), on_host(ready(w, "w")), on_host(ready(v, "v"))
    if W.ndim < 1 or V.ndim < 2 or V.shape[-2:] != (W.shape[-1],) * 2 or V.shape[:-2] != W.shape[:-1]:
        raise ValueError(f"w is {W.shape} and v {V.shape}")
    first = W.imag > 0
    second = np.zeros_like(first)
    second[..., 1:] = first[..., :-1]
    if (second != (W.imag < 0)).any() or (W[second] != W[np.roll(second, -1, -1)].conj()).any():
        raise ValueError("w: eigenvalues that are not real must be pairs of conjugates, side by side, that with a positive imaginary part first")
    n = W.shape[-1]
    wr = np.zeros(W.shape + (n,), W.real.dtype)
    at = np.arange(n)
    wr[..., at, at] = W.real
    wr[..., at[:-1], at[1:]] = np.where(first[..., :-1], W.imag[..., :-1], 0)
    wr[..., at[1:], at[:-1]] = np.where(second[..., 1:], W.imag[..., 1:], 0)
    vr = np.where(second[..., None, :], np.roll(V.imag, 1, -1), V.real)
    return back(wr, like), back(vr, like)


# ---- cosines and sines


def cossin(X: Any, p: Any = None, q: Any = None, separate: bool = False, swap_sign: bool = False, compute_u: bool = True, compute_vh: bool = True) -> Any:
    """(u, cs, vdh) with X = u cs vdh, of a unitary X cut after p rows and q columns: u and vdh are of two blocks each, cs of cosines and sines. With separate=True
    ((u1, u2), theta, (v1h, v2h)). X may be the four blocks themselves. As of LAPACK's uncsd, with any p and q."""
    if not hasattr(X, "shape") and isinstance(X, (list, tuple)) and len(X) == 4:
        parts = [_matrix(x, "X") for x in X]
        p, q = parts[0].shape
        X = blocks([parts[:2], parts[2:]])
    X = square(X, "X")
    m = X.shape[0]
    if p is None or q is None or not (0 < p < m and 0 < q < m):
        raise ValueError(f"invalid p={p}, q={q}: 0 < p < {m} and 0 < q < {m} must hold")
    u1, u2, theta, v1h, v2h = _cut(X, p, q)
    if swap_sign:
        u2, v2h = -u2, -v2h
    if separate:
        return (u1, u2) if compute_u else (None, None), theta, (v1h, v2h) if compute_vh else (None, None)
    cs = back(_cosines(theta, m, p, q, swap_sign).astype(on_host(X[:1, :1]).dtype), X)
    return blocks([[u1, 0], [0, u2]]) if compute_u else None, cs, blocks([[v1h, 0], [0, v2h]]) if compute_vh else None


def _cut(X: Any, p: int, q: int) -> tuple[Any, Any, Any, Any, Any]:
    """X11 = U1 C V1^H is its SVD. X21 V1 has orthogonal columns, of lengths s: a QR of them, the longest first, gives U2. The rest follows from X12 and X22, as sum of both,
    since c^2 + s^2 = 1."""
    m = X.shape[0]
    r = min(p, q, m - p, m - q)
    n11, n22, n21 = min(p, q) - r, min(m - p, m - q) - r, min(m - p, q) - r
    u1, c, v1h = svd(X[:p, :q])
    Y = _flipped(matmul(X[p:, :q], adjoint(v1h)), False, True)
    Q, R = qr(Y, mode="full")[:2]
    k = r + n21  # columns that have a length
    d = on_host(R)[:k, :k].diagonal()[::-1]
    s = np.abs(d)
    turn = np.where(s > 0, d / np.where(s > 0, s, 1), 1)
    long = _flipped(Q[:, :k], False, True) * back(turn.reshape(1, -1).astype(d.dtype), X) if k else Q[:, :0]
    u2 = blocks([[Q[:, k:], long]]) if n22 and k else long if k else Q
    cosines, sines = on_host(c)[n11:n11 + r], s[:r]
    theta = np.arctan2(sines, cosines).astype(s.dtype)
    upper, lower = matmul(adjoint(u1), X[:p, q:]), matmul(adjoint(u2), X[p:, q:])
    rows = []
    if n22:
        rows.append([lower[:n22]])
    if r:
        factors = [back(f.reshape(-1, 1).astype(d.dtype), X) for f in (np.cos(theta), np.sin(theta))]
        rows.append([lower[n22:n22 + r] * factors[0] - upper[n11:n11 + r] * factors[1]])
    if p > n11 + r:
        rows.append([-upper[n11 + r:]])
    return u1, u2, back(theta, X), v1h, blocks(rows)


def _cosines(theta: Any, m: int, p: int, q: int, swap_sign: bool) -> np.ndarray[Any, Any]:
    t, r = on_host(theta), min(p, q, m - p, m - q)
    n11, n12, n21, n22 = (min(rows, columns) - r for rows in (p, m - p) for columns in (q, m - q))
    cs = np.zeros((m, m))
    at, down, right = np.arange(r), p + n22, q + n22
    cs[np.arange(n11), np.arange(n11)] = 1
    cs[n11 + at, n11 + at] = cs[down + at, right + at] = np.cos(t)
    cs[p + np.arange(n22), q + np.arange(n22)] = 1
    cs[n11 + at, right + at], cs[down + at, n11 + at] = -np.sin(t), np.sin(t)
    cs[n11 + r + np.arange(n12), right + r + np.arange(n12)] = -1
    cs[down + r + np.arange(n21), n11 + r + np.arange(n21)] = 1
    if swap_sign:
        cs[:p, q:] *= -1
        cs[p:, :q] *= -1
    return cs
