"""Functions of a square matrix that follow from the exponential, the logarithm and the Schur form."""

from __future__ import annotations

import math
from typing import Any, Callable

import numpy as np

from .._calls.errors import LinAlgError
from .._functions import expm, logm
from .._products import matmul, norm
from .._schur import schur
from .._solve import inv, solve
from .._svd import svdvals
from .common import back, blocks, eps, identity, is_complex, on_host, square, zeros
from .tensors import matrix_power


def _exponentials(A: Any) -> tuple[Any, Any]:
    """(cos, sin)"""
    a = square(A, "A")
    forth = expm(a * 1j)
    if not is_complex(a):
        return forth.real, forth.imag
    other = expm(a * -1j)
    return (forth + other) * 0.5, (forth - other) * -0.5j


def cosm(A: Any) -> Any:
    """The cosine of a square matrix."""
    return _exponentials(A)[0]


def sinm(A: Any) -> Any:
    return _exponentials(A)[1]


def tanm(A: Any) -> Any:
    """The tangent: cos(A)^-1 sin(A)."""
    return solve(*_exponentials(A))


def coshm(A: Any) -> Any:
    a = square(A, "A")
    return (expm(a) + expm(-a)) * 0.5


def sinhm(A: Any) -> Any:
    a = square(A, "A")
    return (expm(a) - expm(-a)) * 0.5


def tanhm(A: Any) -> Any:
    """The hyperbolic tangent: cosh(A)^-1 sinh(A)."""
    a = square(A, "A")
    forth, other = expm(a), expm(-a)
    return solve(forth + other, forth - other)


def signm(A: Any, disp: bool = True) -> Any:
    """The sign: eigenvalues become 1 or -1, as their real parts are. By Newton's iteration X := (X + X^-1) / 2, with scales. With disp=False (sign, |sign sign - 1| in the
    norm one). LinAlgError: an eigenvalue is zero, or beside the imaginary axis."""
    x = square(A, "A")
    n = x.shape[-1]
    for _ in range(100):
        try:
            y = inv(x)
        except LinAlgError:
            raise LinAlgError("the matrix has no sign: an eigenvalue is zero") from None
        scale = math.sqrt(float(norm(y)) / float(norm(x))) if n else 1.0
        scale = scale if abs(scale - 1) > 0.01 else 1.0
        new = (x * scale + y / scale) * 0.5
        step = float(norm(new - x, 1)) if n else 0.0
        x = new
        if step <= 10 * n * eps(x) * float(norm(x, 1)):
            return x if disp else (x, float(norm(matmul(x, x) - identity(x, n), 1)))
    raise LinAlgError("the matrix has no sign: an eigenvalue is beside the imaginary axis")


def funm(A: Any, func: Callable[[Any], Any], disp: bool = True) -> Any:
    """`func`, which takes an array of numbers, of a matrix: by its Schur form and Parlett's recurrence, in the host's memory. With disp=False (F, an estimate of its
    error, in the norm one)."""
    a = square(A, "A")
    T, Z = (on_host(x) for x in schur(a, "complex"))
    n = len(T)
    F = np.diag(np.asarray(func(T.diagonal().copy())).astype(T.dtype))
    closest = float(np.abs(T[0, 0])) if n else 0.0
    for d in range(1, n):  # a diagonal further away each time: f_ij (t_jj - t_ii) follows from those between
        for i in range(n - d):
            j = i + d
            apart = T[j, j] - T[i, i]
            s = T[i, j] * (F[j, j] - F[i, i]) + T[i, i + 1:j] @ F[i + 1:j, j] - F[i, i + 1:j] @ T[i + 1:j, j]
            F[i, j] = s / apart if apart else s
            closest = min(closest, float(np.abs(apart)))
    F = Z @ F @ Z.conj().T
    tolerance = {"f": 1e3 * np.finfo("f").eps, "d": 1e6 * np.finfo("d").eps}["f" if eps(a) > 1e-10 else "d"]
    if not is_complex(a) and np.allclose(F.imag, 0, atol=tolerance):
        F = F.real
    result = back(F, a)
    if disp:
        return result
    closest = closest or float(np.finfo("d").eps)
    above = float(np.linalg.norm(np.triu(T, 1), 1)) if n else 0.0
    error = min(1.0, max(eps(a), eps(a) / closest * above))
    return result, (math.inf if not np.isfinite(F).all() else error)


def fractional_matrix_power(A: Any, t: Any) -> Any:
    """A to the power t. Of a whole t by products, else exp(t log A)."""
    a = square(A, "A")
    whole = math.floor(t)
    if whole == t:
        return matrix_power(a, whole)
    part = expm(logm(a) * (t - whole))
    return matmul(matrix_power(a, whole), part) if whole else part


def expm_frechet(A: Any, E: Any, method: Any = None, compute_expm: bool = True, check_finite: bool = True) -> Any:
    """(exp(A), its derivative at A along E), or that alone: the blocks of exp [A E; 0 A]. `method` is checked as SciPy does."""
    a, e = square(A, "A"), square(E, "E")
    if tuple(a.shape) != tuple(e.shape):
        raise ValueError("expected A and E to be the same shape")
    if method not in (None, "SPS", "blockEnlarge"):
        raise ValueError(f"unknown method {method!r}: there are 'SPS' and 'blockEnlarge'")
    n = a.shape[-1]
    if is_complex(e) and not is_complex(a):
        a = a * (1 + 0j)
    both = expm(blocks([[a, e], [0, a]]))
    return (both[:n, :n], both[:n, n:]) if compute_expm else both[:n, n:]


def expm_cond(A: Any, check_finite: bool = True) -> float:
    """The relative condition of exp at A, in the Frobenius norm: the largest singular value of the derivative, which is a matrix of order n^2, found column by column."""
    a = square(A, "A")
    n = a.shape[-1]
    columns = zeros(a, n * n, n * n)
    for i in range(n):
        for j in range(n):
            e = zeros(a, n, n)
            e[i, j] = 1
            columns[:, i * n + j] = expm_frechet(a, e, compute_expm=False).reshape(n * n)
    return float(svdvals(columns)[0]) * float(norm(a)) / float(norm(expm(a)))
