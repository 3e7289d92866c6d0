"""Equations in matrices: the discrete Lyapunov equation, and the algebraic Riccati equations."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from .._calls.errors import LinAlgError
from .._products import matmul, norm
from .._schur import schur
from .._solve import inv, solve
from .._sylvester import solve_continuous_lyapunov
from .common import adjoint, blocks, eps, identity, ready, square, widened


def solve_discrete_lyapunov(a: Any, q: Any, method: Optional[str] = None) -> Any:
    """x with a x a^H - x + q = 0. method 'direct': as n^2 equations, which is right for few unknowns; 'bilinear': b x + x b^H = -c with b = (a - 1) (a + 1)^-1; without one
    'direct' if n < 10. LinAlgError: two eigenvalues of a have the product 1."""
    if method not in (None, "direct", "bilinear"):
        raise ValueError(f"Unknown solver {method}")
    a, q = square(a), ready(q, "q")
    n = a.shape[0]
    if tuple(q.shape) != (n, n):
        raise ValueError(f"q is {tuple(q.shape)}, must be {n} x {n}")
    one = identity(a, n)
    if method == "direct" or method is None and n < 10:
        left = _kronecker(a, a.conj())
        return solve(identity(left, n * n) - left, widened(q, a).reshape(n * n)).reshape(n, n)
    over = inv(a + one)
    b = matmul(a - one, over)
    return solve_continuous_lyapunov(b, matmul(matmul(over, q * -2), adjoint(over)))


def _kronecker(a: Any, b: Any) -> Any:
    return blocks([[b * a[i, j] for j in range(a.shape[1])] for i in range(a.shape[0])])


def _problem(a: Any, b: Any, q: Any, r: Any, e: Any, s: Any) -> tuple[Any, Any, Any, Any]:
    """(a, b, q, r) of the same equation without e and s: with a e^-1 for a, then with what s adds taken off."""
    a, b, q, r = square(a), ready(b, "b"), square(q, "q"), square(r, "r")
    n, m = a.shape[0], r.shape[0]
    if tuple(b.shape) != (n, m) or tuple(q.shape) != (n, n):
        raise ValueError(f"a is {n} x {n} and r {m} x {m}: b must be {n} x {m} and q {n} x {n}, and are {tuple(b.shape)} and {tuple(q.shape)}")
    for name, x in (("q", q), ("r", r)):
        if float(norm(x - adjoint(x), 1)) > float(norm(x, 1)) * 100 * eps(x):
            raise ValueError(f"The {name.upper()} matrix must be symmetric/hermitian.")
    kinds = [a, b, q, r, *(ready(x) for x in (e, s) if x is not None)]
    a, b, q, r = (widened(x, *kinds) for x in (a, b, q, r))
    if s is not None:
        s = widened(ready(s, "s"), *kinds)
        if tuple(s.shape) != (n, m):
            raise ValueError(f"s is {tuple(s.shape)}, must be {n} x {m}")
    if e is not None:
        over = inv(widened(square(e, "e"), *kinds))
        a, q = matmul(a, over), matmul(matmul(adjoint(over), q), over)
        s = None if s is None else matmul(adjoint(over), s)
    if s is not None:
        w = solve(r, adjoint(s))  # r^-1 s^H
        a, q = a - matmul(b, w), q - matmul(s, w)
    return a, b, q, r


def solve_continuous_are(a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True) -> Any:
    """x with e^H x a + a^H x e - (e^H x b + s) r^-1 (b^H x e + s^H) + q = 0, of which a - b r^-1 (b^H x e + s^H) is stable: by the Schur form of the Hamiltonian matrix, the
    left half plane first. `balanced` has no meaning here. LinAlgError: there is none, or r or e is singular."""
    a, b, q, r = _problem(a, b, q, r, e, s)
    n = a.shape[0]
    g = matmul(b, solve(r, adjoint(b)))
    _, Z, found = schur(blocks([[a, -g], [-q, -adjoint(a)]]), sort="lhp")
    if int(found) != n:
        raise LinAlgError("Failed to find a finite solution: eigenvalues are beside the imaginary axis")
    try:
        x = adjoint(solve(adjoint(Z[:n, :n]), adjoint(Z[n:, :n])))
    except LinAlgError:
        raise LinAlgError("Failed to find a finite solution.") from None
    return (x + adjoint(x)) * 0.5


def solve_discrete_are(a: Any, b: Any, q: Any, r: Any, e: Any = None, s: Any = None, balanced: bool = True) -> Any:
    """x with a^H x a - e^H x e - (a^H x b + s) (r + b^H x b)^-1 (b^H x a + s^H) + q = 0, that stabilizes: by doubling, each step of which is as many steps of the system as all
    before. `balanced` has no meaning here. LinAlgError: there is none, or r or e is singular."""
    a, b, q, r = _problem(a, b, q, r, e, s)
    g, h, one = matmul(b, solve(r, adjoint(b))), q, identity(a, a.shape[0])
    try:
        for _ in range(60):
            w = one + matmul(g, h)
            next_a, gain = solve(w, a), solve(w, g)  # w^-1 a and w^-1 g
            step = matmul(adjoint(a), matmul(h, next_a))
            a, g, h = matmul(a, next_a), g + matmul(matmul(a, gain), adjoint(a)), h + step
            if not np.isfinite(float(norm(h, 1, check_finite=False))):
                break
            if float(norm(step, 1)) <= eps(h) * float(norm(h, 1)):
                return (h + adjoint(h)) * 0.5
    except LinAlgError:
        pass
    raise LinAlgError("Failed to find a finite solution.")


