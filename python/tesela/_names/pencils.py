"""Pencils of two general matrices: eigenvalues and vectors, and the generalized Schur form. By one of the matrices of the pencil that is far from singular, C = c A + s B,
and that across it, D = c B - s A: eigenvalues mu of C^-1 D are those of the pencil turned by an angle, whether B is singular or not."""

from __future__ import annotations

import math
from typing import Any, Optional

import numpy as np

from .._calls.errors import LinAlgError
from .._products import matmul, norm
from .._schur import eig, schur
from .._solve import inv, solve
from .common import adjoint, back, eps, is_complex, on_host, square, widened
from .factors import rq

_ANGLES = (math.pi / 2, 1.0, 0.4, 2.2, 2.8)  # of B itself first


def _turned(a: Any, b: Any) -> tuple[Any, Any, float, float]:
    """(C, D, c, s) of matrices that have the norm 1: the first C that is well conditioned, else the best."""
    best: Optional[tuple[float, Any, float, float]] = None
    for angle in _ANGLES:
        c, s = (0.0, 1.0) if angle == math.pi / 2 else (math.cos(angle), math.sin(angle))
        C = a * c + b * s
        try:
            condition = float(norm(C, 1)) * float(norm(inv(C), 1))
        except (LinAlgError, ValueError):
            continue
        if best is None or condition < best[0]:
            best = condition, C, c, s
        if condition < 1e4:
            break
    if best is None or not best[0] * eps(a) < 0.01:
        raise LinAlgError("the pencil is singular: every matrix of it is, or nearly so")
    _, C, c, s = best
    return C, b * c - a * s, c, s


def _pair(A: Any, B: Any) -> tuple[Any, Any, float, float]:
    """Both, of one type, and their norms."""
    a, b = square(A), square(B, "b")
    if tuple(a.shape) != tuple(b.shape) or len(a.shape) != 2:
        raise ValueError(f"a is {tuple(a.shape)} and b {tuple(b.shape)}: both must be square matrices of one order")
    a, b = widened(a, b), widened(b, a)
    sizes = [float(norm(x)) or 1.0 if x.shape[0] else 1.0 for x in (a, b)]
    return a, b, sizes[0], sizes[1]


def generalized(A: Any, B: Any, left: bool, right: bool, homogeneous: bool) -> Any:
    """(w, left vectors or None, right vectors or None), a x = w b x; w infinite where b x = 0. Homogeneous: (alpha, beta) in place of w, two rows."""
    a, b, sa, sb = _pair(A, B)
    C, D, c, s = _turned(a / sa, b / sb)
    mu, *vectors = eig(solve(C, D), None, left, True) if left else (*eig(solve(C, D)),)
    m = on_host(mu)
    alpha, beta = sa * (c - s * m), sb * (s + c * m)
    small = np.abs(beta) <= len(m) * eps(a) * sb
    beta = np.where(small, 0, beta)
    if homogeneous:
        w = np.stack([alpha, beta]).astype(m.dtype)
    else:
        with np.errstate(all="ignore"):
            w = np.where(small, np.inf, alpha / np.where(small, 1, beta)).astype(m.dtype)
    vl = _unit(solve(widened(adjoint(C), vectors[0]), vectors[0])) if left else None
    return back(w, a), vl, vectors[-1] if right else None


def _unit(v: Any) -> Any:
    """Columns of length 1."""
    lengths = np.linalg.norm(on_host(v), axis=0)
    return matmul(v, back(np.diag(1 / lengths).astype(on_host(v[:1, :1]).dtype), v))


def qz(A: Any, B: Any, output: str = "real", lwork: Any = None, sort: Any = None, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True) -> Any:
    """(AA, BB, Q, Z) with A = Q AA Z^H and B = Q BB Z^H, both upper triangular, BB with a diagonal that is not negative; of real matrices AA with blocks of order 2, unless output
    is 'complex'. lwork has no meaning here, and a sort is not taken."""
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("argument must be 'real', or 'complex'")
    if sort is not None:
        raise ValueError("The 'sort' input of qz() has to be None")
    a, b, sa, sb = _pair(A, B)
    if output[0] == "c" and not is_complex(a):
        a, b = a * (1 + 0j), b * (1 + 0j)
    C, D, _, _ = _turned(a / sa, b / sb)
    T, Q = schur(adjoint(solve(adjoint(C), adjoint(D))))  # of D C^-1
    Z = adjoint(rq(matmul(adjoint(Q), C))[1])
    AA, BB, z = (on_host(x).copy() for x in (matmul(matmul(adjoint(Q), a), Z), matmul(matmul(adjoint(Q), b), Z), Z))
    _clean(AA, BB, z, on_host(T))
    return back(AA, a), back(BB, a), Q, back(z, a)


def _clean(AA: Any, BB: Any, Z: Any, T: Any) -> None:
    """Zeros below the diagonal. A block of order 2 that T has is turned by its columns until BB has none there."""
    n = len(T)
    for j in range(n - 1):
        if T[j + 1, j] == 0:
            AA[j + 1, j] = BB[j + 1, j] = 0
            continue
        x, y = BB[j + 1, j], BB[j + 1, j + 1]
        r = math.hypot(x, y)
        G = np.array([[y, x], [-x, y]]) / r if r else np.eye(2)
        for M in (AA[:j + 2], BB[:j + 2], Z):
            M[:, j:j + 2] = M[:, j:j + 2] @ G
        BB[j + 1, j] = 0
    for j in range(n - 2):
        AA[j + 2:, j] = BB[j + 2:, j] = 0
    d = BB.diagonal()
    sizes = np.abs(d)
    turn = np.where(sizes > 0, d.conj() / np.where(sizes > 0, sizes, 1), 1)
    for M in (AA, BB, Z):
        M *= turn
