"""Eigenvalues, eigenvectors, Schur and Hessenberg forms of matrices that are not symmetric."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional

import numpy as np

from . import _small
from ._calls import library as _library
from ._calls.errors import LinAlgError, eigen_failure
from ._arrays.kinds import on_device
from ._calls.library import View
from ._many import kernels, spectra
from ._many.call import GOOD
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import ONE, ZERO, need_finite, need_square
from ._solve import triangle
from ._many.stacks import each, ndim
from ._arrays.storage import fetch, move, of_numpy

_SORTS = {None: _library.SORT_NONE, "lhp": _library.SORT_LHP, "rhp": _library.SORT_RHP, "iuc": _library.SORT_IUC, "ouc": _library.SORT_OUC}


class EigResult(NamedTuple):
    """As NumPy's: a pair, with names."""

    eigenvalues: Any
    eigenvectors: Any


def eig(a: Any, b: Any = None, left: bool = False, right: bool = True, overwrite_a: bool = False, overwrite_b: bool = False, check_finite: bool = True,
        homogeneous_eigvals: bool = False) -> Any:
    """(w, vr) with a vr = vr diag(w), (w, vl, vr) with left=True, vl^H a = diag(w) vl^H, or w alone with right=False. w is complex; vectors have length 1, and are real where a and all
    eigenvalues are.

    b                    a second matrix: a vr = b vr diag(w), of any b, singular too (w is infinite then); one pair, not a stack
    homogeneous_eigvals  two rows (alpha, beta) with w = alpha / beta, in place of w

    LinAlgError: an eigenvalue was not found, or the pair is singular.
    """
    if b is not None:
        from ._names.pencils import generalized  # which is built on this file

        pair = [x for x in generalized(a, b, left, right, homogeneous_eigvals) if x is not None]
        return pair[0] if len(pair) == 1 else EigResult(*pair) if len(pair) == 2 else tuple(pair)
    if homogeneous_eigvals:
        W, *vectors = _listed(eig(a, None, left, right, overwrite_a, False, check_finite))
        rows = np.stack([_fetched(W), np.ones(len(W))])
        return rows if not vectors else (rows, *vectors)
    if ndim(a) > 2 or on_device(a):
        stacks = spectra.eig(a, left, right, check_finite)
        if stacks is not None:
            W, *both = (v for v in stacks if v is not None)
            return W if not both else EigResult(W, *both) if len(both) == 1 else (W, *both)
    if ndim(a) > 2:
        return each(lambda x: eig(x, None, left, right, False, False, check_finite), a)
    k = _small.one(a, check_finite, True) if not overwrite_a and type(a) is np.ndarray else None
    if k is not None:
        w, *both, info = kernels.eig(k, a, left, right)
        if info is GOOD:
            real = not k.complex and not w.imag.any()
            found = [np.array(v.real if real else v, order="F") for v in both if v is not None]
            return w if not found else EigResult(w, *found) if len(found) == 1 else (w, *found)
    with Call(a) as c:
        (A,) = c.take((2,))
        n = need_square(A)
        need_finite(check_finite, A)
        wanted = (left, right)

        def compute() -> Any:
            w = c.new(n, 1 if A.dtype.kind == "c" else 2, A.dtype)
            V = [c.new(n, n, A.dtype) if side else None for side in wanted]
            F = c.overwritten(A, a, overwrite_a)
            info = c.context.info("geev", F, *_parts(w), *[View() if v is None else v for v in V]) if n else 0
            if info:
                raise eigen_failure(info, n)
            values = _values(w)
            vectors = [_vectors(c, v, values) for v in V if v is not None]
            W = _handed(c, values, 1)
            return W if not vectors else EigResult(W, *vectors) if len(vectors) == 1 else (W, *vectors)

        return c.within(compute)


def _listed(results: Any) -> Any:
    return results if isinstance(results, tuple) else (results,)


def _fetched(w: Any) -> Any:
    from ._names.common import on_host

    return on_host(w)


def eigvals(a: Any, b: Any = None, overwrite_a: bool = False, check_finite: bool = True, homogeneous_eigvals: bool = False) -> Any:
    """The eigenvalues alone, as of eig."""
    return eig(a, b, False, False, overwrite_a, False, check_finite, homogeneous_eigvals)


def schur(a: Any, output: str = "real", lwork: Optional[int] = None, overwrite_a: bool = False, sort: Optional[str] = None, check_finite: bool = True) -> Any:
    """(T, Z) with a = Z T Z^H, T upper triangular, of a real a with blocks of order 2 on its diagonal for pairs of complex eigenvalues; (T, Z, sdim) with a sort.

    output  'real' or 'complex': a triangular T of a real a, too
    sort    which eigenvalues come first, sdim of them: 'lhp' real part < 0, 'rhp' real part >= 0, 'iuc' modulus <= 1, 'ouc' modulus > 1. Functions are not taken.
    lwork   has no meaning here
    """
    if output not in ("real", "complex", "r", "c"):
        raise ValueError("argument must be 'real', or 'complex'")
    if sort is not None and sort not in _SORTS:
        raise ValueError(f"sort={sort!r} is none of 'lhp', 'rhp', 'iuc', 'ouc'")
    if ndim(a) > 2:
        stacks = spectra.schur(a, output[0] == "c", check_finite) if sort is None else None
        if stacks is not None:
            return stacks
        return each(lambda x: schur(x, output, None, False, sort, check_finite), a)
    with Call(a) as c:
        (A,) = c.take((2,))
        n = need_square(A)
        need_finite(check_finite, A)
        if output[0] == "c" and A.dtype.kind != "c":
            A, overwrite_a = A.astype(np.result_type(A.dtype, np.complex64)), False

        def compute() -> Any:
            T, Z, w = c.overwritten(A, a, overwrite_a), c.new(n, n, A.dtype), c.new(n, 1 if A.dtype.kind == "c" else 2, A.dtype)
            sdim = ctypes.c_int64()
            info = c.context.info("gees", T, _SORTS[sort], *_parts(w), Z, sdim) if n else 0
            if info == n + 1:
                raise LinAlgError("eigenvalues are too close to be put in this order")
            if info == n + 2:
                raise LinAlgError("rounding has moved an eigenvalue to the other side of the order")
            if info:
                raise eigen_failure(info, n)
            return (c.hand(T), c.hand(Z)) if sort is None else (c.hand(T), c.hand(Z), sdim.value)

        return c.within(compute)


def hessenberg(a: Any, calc_q: bool = False, overwrite_a: bool = False, check_finite: bool = True) -> Any:
    """H with a = Q H Q^H, zero below the diagonal next to the main one; (H, Q) with calc_q=True."""
    if ndim(a) > 2:
        return each(lambda x: hessenberg(x, calc_q, False, check_finite), a)
    with Call(a) as c:
        (A,) = c.take((2,))
        n = need_square(A)
        need_finite(check_finite, A)

        def compute() -> Any:
            H, tau = c.overwritten(A, a, overwrite_a), c.new(max(n - 1, 0), 1, A.dtype)
            if n > 2:
                c.context("gehrd", 1, n, H, tau)
            Q = c.copied(H) if calc_q else None
            if Q is not None:
                if n > 2:
                    c.context("orghr", 1, n, Q, tau)
                else:
                    c.context("laset", ZERO, ONE, Q)
            if n > 2:
                c.context("laset", ZERO, ZERO, triangle(H._part(2, 0, n - 2, n - 2), True))
            return c.hand(H) if Q is None else (c.hand(H), c.hand(Q))

        return c.within(compute)


def _parts(w: Matrix) -> tuple[Any, Any]:
    """Real and imaginary parts, or the complex numbers and nothing."""
    return (w._part(0, 0, w._rows, 1), w._part(0, 1, w._rows, 1)) if w._cols == 2 else (w, View())


def _values(w: Matrix) -> Any:
    numbers = fetch(w)
    numbers = numbers.reshape(w._rows, w._cols)
    return numbers[:, 0] + 1j * numbers[:, 1] if w._cols == 2 else numbers[:, 0]


def _handed(c: Call, numbers: Any, dims: int) -> Any:
    """Numbers of the host as a result"""
    two = np.asfortranarray(numbers if numbers.ndim == 2 else numbers[:, None])
    M = c.new(two.shape[0], two.shape[1], two.dtype)
    if two.size:
        move("copy", of_numpy(c.context, two), M)
    return c.hand(M, dims)


def _vectors(c: Call, V: Matrix, values: Any) -> Any:
    """Of a real matrix two columns are one vector, and its conjugate."""
    if V.dtype.kind == "c" or not values.imag.any():
        return c.hand(V)
    real = fetch(V).reshape(V._rows, V._cols)
    full = real.astype(values.dtype)
    for j in np.flatnonzero(values.imag > 0):
        full[:, j] = real[:, j] + 1j * real[:, j + 1]
        full[:, j + 1] = full[:, j].conj()
    return _handed(c, full, 2)
