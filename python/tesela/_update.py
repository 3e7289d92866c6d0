"""Cholesky factors of a matrix to which rows are added, or from which they are taken."""

from __future__ import annotations

from typing import Any

from ._calls.errors import no_factor
from ._calls.library import View, library
from ._arrays.places import Call
from ._products import need_square


def cholesky_update(c: Any, x: Any, lower: bool = False, downdate: bool = False) -> Any:
    """The factor of c^H c + x^H x (lower: of c c^H + x^H x), or with downdate=True of the difference; c is cholesky's or cho_factor's, x a row or several.
    Elements of c's other triangle stay.

    LinAlgError: there is none, since the difference is not positive definite.
    """
    with Call(c, x, names="cx") as call:
        R, X = call.take((2,), (1, 2))
        n = need_square(R)
        rows = X._seen(library().trans(X._view), 2) if X._ndim == 1 else X
        if rows._cols != n:
            raise ValueError(f"x has {rows._cols} columns, and c is {n} x {n}")

        def compute() -> Any:
            F, Y = call.copied(R), call.copied(rows)
            if n and Y._rows:
                none = View()
                triangle = F._seen(library().lower(F._view) if lower else library().upper(F._view))
                operands = (none, none, none, Y, none) if downdate else (none, Y, none, none, none)
                info = call.context.info("uddate", triangle, *operands)
                if info:
                    raise no_factor(info)
            return call.hand(F)

        return call.within(compute)
