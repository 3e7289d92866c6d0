"""Sums of matrices, and of a matrix and a number; products and quotients with numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import elements as _elements, storage as _storage
from .._calls.library import NOTRANS, Scalar

if TYPE_CHECKING:
    from .matrix import Matrix

Number = Union[float, complex]


def _scalar(value: Number) -> Scalar:
    return Scalar(value.real, value.imag)


def _number(value: Any) -> Any:
    """A number of any kind, also one that is an array without dimensions, as Python's float or complex; None: it is no number."""
    if np.ndim(value) != 0 or isinstance(value, (str, bytes)):
        return None
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, complex):
        return complex(value)
    if hasattr(value, "__float__") or hasattr(value, "__index__"):
        return float(value)
    return complex(value) if hasattr(value, "__complex__") else None


def _flat(m: Matrix, factor: Number) -> Matrix:
    """The block as it is stored, as one vector from its first element to its last, with what is between the columns. For 1 and -1, of
    real numbers: a complex product with them would make NaN of the other part of an infinite one."""
    length, dtype = m._ld() * (m._view.n - 1) + m._view.m, m.dtype
    if dtype.kind == "c" and factor in (1, -1):
        length, dtype = 2 * length, np.dtype(dtype.char.lower())
    return _storage.wrapped(m._context, dtype, (length, 1), m._address(), (length, NOTRANS), m._store)


def _scale(m: Matrix, factor: Number) -> None:
    """In place, of one that is by columns; unlike tsl_scale, zero keeps NaN."""
    if m.size:
        m._context("scal", _scalar(factor), _flat(m, factor))


def _fitting(m: Matrix, number: Number) -> Matrix:
    """A copy, of complex elements if the number is."""
    widened = isinstance(number, complex) and m.dtype.kind != "c"
    return m.astype(np.result_type(m.dtype, np.complex64)) if widened else m.copy()


def added(m: Matrix, alpha: int, other: Any, beta: int) -> Matrix:
    """alpha m + beta other, new; both factors are 1 or -1."""
    number = _number(other)
    return _combined(m, alpha, other, beta) if number is None else _shifted(m, alpha, number if beta == 1 else -number)


def _combined(m: Matrix, alpha: int, other: Any, beta: int) -> Matrix:
    from .places import Call

    with Call(m, other, names=("the matrix", "the other operand")) as c:
        a, b = c.take((1, 2), (1, 2))
        if a.shape != b.shape:
            raise ValueError(f"operands are {a.shape} and {b.shape}: what is added to a matrix on a device is of its shape, or a number")
        y = c.copied(a)
        x = b if b._op == NOTRANS and b._ld() == y._ld() and not b._store.on_host else c.copied(b)
        if y.size:  # both lie alike: they are added up as vectors, with what is between the columns
            if alpha != 1:
                _scale(y, alpha)
            m._context("axpy", _scalar(beta), _flat(x, beta), _flat(y, beta))
    y._ndim = m._ndim
    return y


def _shifted(m: Matrix, factor: int, number: Number) -> Matrix:
    new = _fitting(m, number)
    if factor != 1:
        _scale(new, factor)
    if new.size:  # of real numbers, as _flat: a column of the number times a row of ones
        reals = _storage.as_reals(new)
        column = _elements.constant(m._context, reals.dtype, reals._rows, number.real)
        if new.dtype.kind == "c":
            column._object[1::2] = number.imag
        m._context("ger", Scalar(1, 0), column, _elements.constant(m._context, reals.dtype, reals._cols), reals)
    return new


def multiplied(m: Matrix, factor: Any) -> Any:
    number = _number(factor)
    if number is None:
        return NotImplemented
    new = _fitting(m, number)
    _scale(new, number)
    return new


def divided(m: Matrix, factor: Any) -> Any:
    number = _number(factor)
    if number is None:
        return NotImplemented
    with np.errstate(all="ignore"):
        inverse = np.divide(1.0, number).item()
    if number != 0 and abs(inverse) > np.finfo(m.dtype).max:  # of a tiny one; what is divided need not be large
        return m * 2.0**100 / (number * 2.0**100)
    return m * inverse
