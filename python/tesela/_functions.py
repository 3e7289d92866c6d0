"""Functions of a square matrix: the exponential, the square root, the logarithm; and the logarithm of its determinant."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from . import _small
from ._calls.errors import LinAlgError
from ._calls.library import CONJ, Scalar
from ._many import kernels, spectra
from ._arrays.elements import widen
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import factored, need_finite, need_square, stored
from ._many.stacks import each, ndim
from ._arrays.storage import fetch, of_numpy


class SlogdetResult(NamedTuple):
    """As NumPy's."""

    sign: Any
    logabsdet: Any


def expm(A: Any) -> Any:
    """The exponential of a square matrix, or of each of a stack. NaN, if an element is not finite. LinAlgError: it is not square."""
    _need_square(A)
    if ndim(A) > 2:
        stacks = spectra.expm(A)
        return stacks if stacks is not None else each(expm, A)
    k = _small.one(A)
    if k is not None:
        return kernels.expm(k, A)
    with Call(A) as c:
        (a,) = c.take((2,))
        n = need_square(a)

        def compute() -> Any:
            X = c.copied(a)
            if n:
                c.context.info("expm", X)
            return c.hand(X)

        return c.within(compute)


def sqrtm(A: Any, disp: bool = True, blocksize: int = 64) -> Any:
    """The principal square root. Of a real matrix with negative eigenvalues it is complex. With disp=False (root, |root root - A| / |A|), in the Frobenius norm; blocksize is no hint here.

    LinAlgError: there is none, because a zero eigenvalue is defective, or an element is not finite.
    """
    if ndim(A) > 2:
        stacks = spectra.by_schur_form(A, "sqrtm", lambda info: _no("square root"))
        return stacks if stacks is not None else each(sqrtm, A)
    root = _by_schur_form(A, "sqrtm", "square root")
    return root if disp else (root, _off(root, A, lambda x: x @ x))


def logm(A: Any, disp: bool = True) -> Any:
    """The principal logarithm. Of a real matrix with negative eigenvalues it is complex. With disp=False (logarithm, |exp(logarithm) - A| / |A|), in the norm one.

    LinAlgError: the matrix is singular, or an element is not finite.
    """
    if ndim(A) > 2:
        stacks = spectra.by_schur_form(A, "logm", lambda info: _no("logarithm"))
        return stacks if stacks is not None else each(logm, A)
    logarithm = _by_schur_form(A, "logm", "logarithm")
    return logarithm if disp else (logarithm, _off(logarithm, A, expm, 1))


def slogdet(a: Any) -> Any:
    """(sign, logabsdet): the determinant is sign * exp(logabsdet), without overflow; of complex elements sign is of modulus 1. 0 and -inf of a singular matrix. LinAlgError: it is not square."""
    _need_square(a)
    if ndim(a) > 2:
        stacks = spectra.slogdet(a)
        if stacks is not None:
            return SlogdetResult(*stacks)
        parts = each(lambda x: np.array(slogdet(x)), a)
        return SlogdetResult(parts[..., 0], parts[..., 1].real)
    small = _small.slogdet(a)
    if small is not None:
        return SlogdetResult(*small)
    with Call(a) as c:
        (A,) = c.take((2,))
        n = need_square(A)
        real = np.dtype(A.dtype.char.lower())

        def compute() -> Any:
            if n == 0:
                return SlogdetResult(A.dtype.type(1), real.type(0))
            F, p, _ = factored(c, a, A, False)
            phase, logabs = Scalar(), ctypes.c_double()
            c.context("logdet", stored(F), p, phase, logabs)
            turn = complex(phase.re, -phase.im if F._view.op & CONJ else phase.im)
            return SlogdetResult(A.dtype.type(turn if A.dtype.kind == "c" else turn.real), real.type(logabs.value))

        return c.within(compute)


def _need_square(a: Any) -> None:
    """As SciPy's expm and NumPy's slogdet say it, and nothing else of these functions here."""
    shape = a.shape if hasattr(a, "shape") else np.shape(a)
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise LinAlgError(f"a: expected a square matrix, got one that is {tuple(shape)}")


def _no(what: str) -> LinAlgError:
    return LinAlgError(f"the matrix has no {what}: it is singular, or its Schur form was not found")


def _by_schur_form(A: Any, function: str, what: str) -> Any:
    """Of real elements, or where these have none, of complex ones."""
    with Call(A) as c:
        (a,) = c.take((2,))
        n = need_square(a)
        need_finite(True, a)

        def compute() -> Any:
            X: Matrix = c.copied(a)
            info = c.context.info(function, X) if n else 0
            if info and a.dtype.kind != "c":
                wide = np.dtype(a.dtype.char.upper())
                if c.place.kind == "tesela" or c.place.gpu is not None:
                    X = c.new(n, n, wide)
                    widen(a, X)
                else:
                    X = of_numpy(c.context, np.asfortranarray(fetch(a)).astype(wide))
                info = c.context.info(function, X)
            if info:
                raise _no(what)
            return c.hand(X)

        return c.within(compute)


def _off(result: Any, A: Any, back: Any, ord: Any = "fro") -> float:
    whole = np.asarray(A)
    return float(np.linalg.norm(np.asarray(back(result)) - whole, ord) / np.linalg.norm(whole, ord))
