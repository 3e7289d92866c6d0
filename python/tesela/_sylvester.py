"""Equations in matrices: Sylvester's and Lyapunov's."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._calls import library as _library
from ._calls.errors import LinAlgError
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import need_square
from ._arrays.storage import fetch, move


def solve_sylvester(a: Any, b: Any, q: Any) -> Any:
    """x with a x + x b = q. LinAlgError: a and -b have an eigenvalue in common, or nearly so; or an element is NaN or infinite."""
    with Call(a, b, q, names="abq") as c:
        A, B, Q = c.take((2,), (2,), (2,))
        _need_fit(need_square(A), need_square(B), Q)
        return c.within(lambda: _solved(c, "sylvester", (c.copied(A), c.copied(B)), Q))


def solve_continuous_lyapunov(a: Any, q: Any) -> Any:
    """x with a x + x a^H = q. LinAlgError: as of solve_sylvester, of a and -a^H."""
    with Call(a, q, names="aq") as c:
        A, Q = c.take((2,), (2,))
        _need_fit(need_square(A), A._rows, Q)
        return c.within(lambda: _solved(c, "lyapunov", (c.copied(A),), Q))


def _need_fit(m: int, n: int, Q: Matrix) -> None:
    if (Q._rows, Q._cols) != (m, n):
        raise ValueError(f"q is {Q._rows} x {Q._cols}, must be {m} x {n}")


def _solved(c: Call, function: str, forms: tuple[Matrix, ...], Q: Matrix) -> Any:
    X, s = c.copied(Q), c.new(1, 1, np.dtype(Q.dtype.char.lower()))
    if Q.size:
        info = c.context.info(function, *forms, X, s)
        scale = 0.0 if info else float(fetch(s)[0, 0])
        if info > 1:
            raise LinAlgError("there is no Schur form: eigenvalues did not converge, or an element is NaN or infinite")
        if info or scale < float(np.finfo(s.dtype).tiny):  # so small that the solution overflows
            raise LinAlgError("there is no unique solution, to rounding: eigenvalues of the two matrices add up to zero")
        if scale != 1:
            move("scale", _library.Scalar(1 / scale, 0), X)
    return c.hand(X)
