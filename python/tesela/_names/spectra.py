"""What follows from eigenvalues and singular values."""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from .._eig import eigh_tridiagonal
from .._arrays.matrix import Matrix
from .._products import matmul
from .._svd import orth, pinv, svd, svdvals
from .common import adjoint, back, on_host, ready, square


def pinvh(a: Any, atol: Optional[float] = None, rtol: Optional[float] = None, lower: bool = True, return_rank: bool = False, check_finite: bool = True) -> Any:
    """The pseudo-inverse of the Hermitian matrix that a triangle of a stands for."""
    a = square(a)
    return pinv(a if lower else adjoint(a), hermitian=True, atol=atol, rtol=rtol, return_rank=return_rank, check_finite=check_finite)


def orthogonal_procrustes(A: Any, B: Any, check_finite: bool = True) -> Any:
    """(R, scale): the orthogonal R of least |A R - B|, and the sum of the singular values of A^H B."""
    a, b = ready(A, "A"), ready(B, "B")
    if len(a.shape) != 2 or len(b.shape) != 2:
        raise ValueError(f"expected ndim to be 2, but observed {len(a.shape)} and {len(b.shape)}")
    if tuple(a.shape) != tuple(b.shape):
        raise ValueError(f"the shapes of A and B differ ({tuple(a.shape)} vs {tuple(b.shape)})")
    u, w, vh = svd(matmul(adjoint(a), b), check_finite=check_finite)
    scale = w.sum()
    return matmul(u, vh), scale


def subspace_angles(A: Any, B: Any) -> Any:
    """The angles between the ranges of A and B, the largest first: small ones by their sines, large ones by their cosines."""
    a, b = orth(ready(A, "A")), orth(ready(B, "B"))
    if a.shape[0] != b.shape[0]:
        raise ValueError(f"A and B must have the same number of rows, got {a.shape[0]} and {b.shape[0]}")
    inner = matmul(adjoint(a), b)
    cosines = on_host(svdvals(inner))
    outside = b - matmul(a, inner) if a.shape[1] >= b.shape[1] else a - matmul(b, adjoint(inner))
    sines = np.clip(on_host(svdvals(outside)), -1, 1)[:len(cosines)]
    return back(np.where((cosines ** 2 >= 0.5)[::-1], np.arcsin(sines), np.arccos(np.clip(cosines[::-1], -1, 1))), a)


def eigvalsh_tridiagonal(d: Any, e: Any, select: str = "a", select_range: Optional[Sequence[float]] = None, check_finite: bool = True, tol: float = 0.0,
                         lapack_driver: str = "auto") -> Any:
    """The eigenvalues alone, as of eigh_tridiagonal."""
    return eigh_tridiagonal(d, e, True, select, select_range, check_finite, tol, lapack_driver)


# ---- what a matrix looks like: by its elements, in the host's memory


def bandwidth(a: Any) -> tuple[int, int]:
    """(lower, upper): how far from the diagonal the last elements are that are not zero."""
    rows, columns = np.nonzero(on_host(_two(a)))
    apart = columns - rows
    return (int(max(0, -apart.min())), int(max(0, apart.max()))) if len(apart) else (0, 0)


def _two(a: Any) -> Any:
    a = a if isinstance(a, Matrix) else ready(a)
    if len(a.shape) != 2:
        raise ValueError(f"a: expected 2 dimensions, got {len(a.shape)}")
    return a


def _alike(a: Any, conjugate: bool, atol: Optional[float], rtol: Optional[float]) -> bool:
    m = on_host(_two(a))
    if m.shape[0] != m.shape[1]:
        return False
    other = m.conj().T if conjugate else m.T
    if not atol and not rtol:
        return bool((m == other).all())
    return bool(np.allclose(m, other, atol=atol or 0.0, rtol=rtol or 0.0))


def issymmetric(a: Any, atol: Optional[float] = None, rtol: Optional[float] = None) -> bool:
    return _alike(a, False, atol, rtol)


def ishermitian(a: Any, atol: Optional[float] = None, rtol: Optional[float] = None) -> bool:
    return _alike(a, True, atol, rtol)
