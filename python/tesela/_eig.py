"""Eigenvalues and eigenvectors of symmetric and Hermitian matrices, of pairs of them, and of tridiagonal ones."""

from __future__ import annotations

import ctypes
import operator
from typing import Any, NamedTuple, Optional, Sequence

import numpy as np

from . import _small
from ._calls import library as _library
from ._calls.errors import eigen_failure
from ._flags import triangle_of
from ._calls.library import Selection, View
from ._many import spectra
from ._arrays.matrix import Matrix
from ._arrays.places import Call
from ._products import need_finite, need_square, stored
from ._solve import triangle
from ._many.stacks import each, ndim

_DRIVERS = {"ev": 1, "evd": 1, "evr": 1, "evx": 1, "gv": 2, "gvd": 2, "gvx": 2}  # of how many matrices
_ALL_ONLY = ("ev", "evd", "gv", "gvd")


class EighResult(NamedTuple):
    """As NumPy's: a pair, with names."""

    eigenvalues: Any
    eigenvectors: Any


def eigh(a: Any, b: Any = None, *, lower: bool = True, eigvals_only: bool = False, overwrite_a: bool = False, overwrite_b: bool = False,
         type: int = 1, check_finite: bool = True, subset_by_index: Optional[Sequence[int]] = None,
         subset_by_value: Optional[Sequence[float]] = None, driver: Optional[str] = None, UPLO: Optional[str] = None) -> Any:
    """(w, v) with a v = v diag(w) for a symmetric or Hermitian a; w ascending, v with orthonormal columns. Only one triangle of a is read.

    b                positive definite: a v = b v diag(w) (type 1), a b v = v diag(w) (2), b a v = v diag(w) (3)
    lower, UPLO      which triangle: SciPy's word, or NumPy's, 'L' or 'U', which may stand in b's place
    eigvals_only     w alone
    subset_by_index  (first, last) of the pairs wanted, counted from 0, both included
    subset_by_value  (low, high): those with low < w <= high
    driver           checked as SciPy does; there is one method for all

    LinAlgError: b is not positive definite, or an eigenvalue was not found.
    """
    if isinstance(b, str):  # NumPy's place for the triangle
        b, UPLO = None, b
    below = triangle_of(lower, UPLO)
    _check_driver(driver, b is not None, subset_by_index is not None or subset_by_value is not None)
    if type not in (1, 2, 3):
        raise ValueError(f"type={type!r} is none of 1, 2, 3")
    if subset_by_index is not None and subset_by_value is not None:
        raise ValueError("subset_by_index and subset_by_value: one of them at most")
    arrays = (a,) if b is None else (a, b)
    if any(ndim(x) > 2 for x in arrays):
        if subset_by_value is not None:
            raise ValueError("subset_by_value: matrices of a stack may have different numbers of eigenvalues there")
        results = spectra.eigh(arrays, below, eigvals_only, type, check_finite, lambda n: _selection(subset_by_index, None, n))
        if results is not None:
            return results[0] if eigvals_only else EighResult(*results)
        return each(lambda *x: _eigh(x, below, eigvals_only, (False, False), type, check_finite, subset_by_index, None), *arrays)
    return _eigh(arrays, below, eigvals_only, (overwrite_a, overwrite_b), type, check_finite, subset_by_index, subset_by_value)


def eigvalsh(a: Any, b: Any = None, *, lower: bool = True, overwrite_a: bool = False, overwrite_b: bool = False, type: int = 1,
             check_finite: bool = True, subset_by_index: Optional[Sequence[int]] = None, subset_by_value: Optional[Sequence[float]] = None,
             driver: Optional[str] = None, UPLO: Optional[str] = None) -> Any:
    """The eigenvalues alone, as of eigh."""
    return eigh(a, b, lower=lower, eigvals_only=True, overwrite_a=overwrite_a, overwrite_b=overwrite_b, type=type, check_finite=check_finite,
                subset_by_index=subset_by_index, subset_by_value=subset_by_value, driver=driver, UPLO=UPLO)


def eigh_tridiagonal(d: Any, e: Any, eigvals_only: bool = False, select: str = "a", select_range: Optional[Sequence[float]] = None,
                     check_finite: bool = True, tol: float = 0.0, lapack_driver: str = "auto") -> Any:
    """(w, v) of the real symmetric matrix with the diagonal d and e beside it, or w alone.

    select  'a': all pairs; 'i': those number select_range[0] to select_range[1], counted from 0; 'v': those with
            select_range[0] < w <= select_range[1]
    tol     has no meaning here; lapack_driver is checked as SciPy does, and has none either
    """
    if select not in ("a", "i", "v", "all", "index", "value", 0, 1, 2):
        raise ValueError(f"select={select!r} is none of 'a', 'i', 'v'")
    if lapack_driver not in ("auto", "stemr", "stebz", "sterf", "stev", "stevd"):
        raise ValueError(f"lapack_driver={lapack_driver!r} is none of 'auto', 'stemr', 'stebz', 'sterf', 'stev', 'stevd'")
    kind = {0: "a", 1: "v", 2: "i"}.get(select, str(select)[0])  # type: ignore[call-overload]
    if kind != "a" and select_range is None:
        raise ValueError(f"select={select!r} needs a select_range")
    by_index, by_value = (select_range if kind == wanted else None for wanted in "iv")
    with Call(d, e, names=("d", "e")) as c:
        D, E = c.take((1,), (1,))
        n = D._rows
        if E._rows != n - 1:
            raise ValueError(f"e has {E._rows} elements, and must have one less than d, which has {n}")
        if D.dtype.kind == "c":
            raise TypeError("d and e must be real")
        need_finite(check_finite, D, E, names="de")
        which = _selection(by_index, by_value, n)
        return c.within(lambda: _pairs(c, n, D.dtype, which, eigvals_only, lambda w, V, m: c.context.info(
            "stev", c.copied(D), c.copied(E), which, w, V, m)))


def _check_driver(driver: Optional[str], two: bool, some: bool) -> None:
    if driver is None:
        return
    if driver not in _DRIVERS:
        raise ValueError(f"driver={driver!r} is none of {', '.join(_DRIVERS)}")
    if _DRIVERS[driver] != 1 + two:
        raise ValueError(f"driver={driver!r} is for {'one matrix' if two else 'a pair of matrices'}")
    if some and driver in _ALL_ONLY:
        raise ValueError(f"driver={driver!r} cannot compute subsets of eigenvalues")


def _selection(by_index: Optional[Sequence[Any]], by_value: Optional[Sequence[Any]], n: int) -> Optional[Selection]:
    if by_index is not None:
        first, last = map(operator.index, _two(by_index, "indices"))
        if not 0 <= first <= last < n:
            raise ValueError(f"eigenvalues {first} to {last}: there are numbers 0 to {n - 1}, and the first comes first")
        return Selection(_library.RANGE_INDEX, first + 1, last + 1, 0, 0)
    if by_value is not None:
        low, high = map(float, _two(by_value, "bounds"))
        if not low < high:
            raise ValueError(f"the lower bound {low} is not less than the upper one, {high}")
        return Selection(_library.RANGE_VALUE, 0, 0, low, high)
    return None


def _two(pair: Sequence[Any], what: str) -> Sequence[Any]:
    if len(pair) != 2:
        raise ValueError(f"two {what} are needed, not {len(pair)}")
    return pair


def _eigh(arrays: Sequence[Any], lower: bool, eigvals_only: bool, overwrite: tuple[bool, bool], kind: int, check_finite: bool,
          by_index: Optional[Sequence[int]], by_value: Optional[Sequence[float]]) -> Any:
    if len(arrays) == 1 and by_index is None and by_value is None and not overwrite[0]:
        small = _small.eigh(arrays[0], lower, not eigvals_only, check_finite)
        if small is not None:
            return small[0] if eigvals_only else EighResult(*small)
    with Call(*arrays) as c:
        taken = c.take(*[(2,)] * len(arrays))
        n = need_square(taken[0])
        if any(m.shape != (n, n) for m in taken):
            raise ValueError(f"b is {taken[1].shape}, and a is {taken[0].shape}")
        need_finite(check_finite, *taken)
        which = _selection(by_index, by_value, n)

        def compute() -> Any:
            seen = [_half(c, *each, lower) for each in zip(taken, arrays, overwrite)]
            if len(seen) == 1:
                return _pairs(c, n, taken[0].dtype, which, eigvals_only, lambda w, V, m: c.context.info("syev", *seen, which, w, V, m))
            return _pairs(c, n, taken[0].dtype, which, eigvals_only,
                          lambda w, V, m: c.context.info("sygv", kind, *seen, which, w, V, m))

        return c.within(compute)


def _half(c: Call, m: Matrix, original: Any, allowed: bool, lower: bool) -> Matrix:
    """What is to be overwritten, as its triangle. By rows a real one is the other triangle by columns; of complex elements that would be the conjugate."""
    F = c.overwritten(m, original, allowed, any_order=m.dtype.kind != "c")
    return triangle(F, lower) if F._op == _library.NOTRANS else triangle(stored(F), not lower)


def _pairs(c: Call, n: int, dtype: Any, which: Optional[Selection], eigvals_only: bool, compute: Any) -> Any:
    """Results as they are handed over; `compute` has their places, and that of their number, and returns the library's info."""
    number = ctypes.c_int64()
    most = which.iu - which.il + 1 if which and which.range == _library.RANGE_INDEX else n
    w, V = c.new(n, 1, np.dtype(dtype.char.lower())), None if eigvals_only else c.new(n, most, dtype)
    info = compute(w, V if V is not None else View(), number) if n else 0
    if info:
        raise eigen_failure(info, n)
    m = number.value
    values = c.hand(w if m == n else c.copied(w._part(0, 0, m, 1)), 1)
    if V is None:
        return values
    return EighResult(values, c.hand(V if m == V._cols else c.copied(V._part(0, 0, n, m))))
