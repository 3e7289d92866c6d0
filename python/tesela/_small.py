"""Small problems of NumPy's own arrays on the host, by typed calls: what the other files compute over matrices, in a few steps of Python's.

A function returns None where it does not apply, and where it does not end well: then the general form computes, and says what is wrong.
So all that can be said of arguments and outcomes is said there. Nothing of the caller's is overwritten.
"""

from __future__ import annotations

import ctypes
import functools
import math
from types import SimpleNamespace
from typing import Any, Optional

import numpy as np

from ._calls import context as _context, options as _options
from ._many import tensors
from ._many.call import Many
from ._many.spaces import space
from ._arrays.storage import SMALL, address_of
from ._calls.typed import typed

Array = np.ndarray[Any, Any]
_HOST, _MIN = {"devices": "host"}, _options.OFFLOAD_MIN
_kept = _context.kept
_isfinite, _vdot, _info, _address = math.isfinite, np.vdot, ctypes.c_int64, ctypes.addressof


_NUMPY = space("numpy", False)
_ALONE: Any = object()  # there is no second array; None is one that is wrong


def _calls(a: Any, b: Any = _ALONE) -> Optional[SimpleNamespace]:
    """Those of the type that the arrays have in common; None: the problem is not one of these."""
    if type(a) is not np.ndarray or not 0 < a.size <= SMALL or a.ndim != 2:
        return None
    if b is not _ALONE and (type(b) is not np.ndarray or not 0 < b.size <= SMALL or b.ndim > 2 or b.dtype != a.dtype or b.ndim == 0):
        return None
    wanted = _options.chosen.get()
    if wanted or _options.DEVICES:
        if wanted != _HOST and (wanted or _options.DEVICES != "host"):
            return None
    elif a.size >= _MIN and max(a.shape) >= _MIN or b is not _ALONE and b.size >= _MIN and max(b.shape) >= _MIN:
        return None
    return typed().get(a.dtype)


def one(a: Any, check_finite: bool = True, square: bool = False) -> Optional[Many]:
    """A call of the kernels of stacks on one small matrix; None: it is not one."""
    if type(a) is not np.ndarray:
        return tensors.one(a, check_finite, square)
    calls = _calls(a)
    if calls is None or square and a.shape[0] != a.shape[1] or check_finite and not _isfinite(_vdot(a, a).real):
        return None
    return Many(_NUMPY, a, (), a.dtype, 0)


def _run(function: Any, *args: Any) -> bool:
    """Has the call been made, and with the outcome 0, if it has one?"""
    context = _kept.get("host") or _context.context("host")
    with context.lock:
        wanted = _options.chosen.get()
        if wanted is not context.options:
            context.apply(wanted, function.__name__)
        return not function(context.handle, *args)


def _finite(check: bool, a: Array, b: Optional[Array] = None) -> bool:
    """Surely: squares add up to NaN or infinity if one is. Fastest by rows without gaps."""
    return not check or _isfinite(_vdot(a, a).real) and (b is None or _isfinite(_vdot(b, b).real))


def _turned(a: Array) -> Optional[bool]:
    """Is it stored by rows, without gaps? None: nor by columns."""
    flags = a.flags
    if not flags.aligned:
        return None
    return False if flags.f_contiguous else True if flags.c_contiguous else None


def _by_columns(a: Array) -> Array:
    return a.copy("F")


@functools.lru_cache(maxsize=64)
def _outside(m: int, n: int, lower: bool) -> Array:
    """Of a triangle, or trapezoid; the diagonal belongs to it."""
    mask: Array = ~np.tri(m, n, 0, bool) if lower else np.tri(m, n, -1, bool)
    mask.flags.writeable = False
    return mask


def _triangle(a: Array, lower: bool) -> Array:
    """A copy, with zeros outside."""
    copy = a.copy()
    copy[_outside(*a.shape, lower)] = 0
    return copy


@functools.lru_cache(maxsize=64)
def _identity(n: int, dtype: np.dtype[Any]) -> Array:
    eye = np.eye(n, dtype=dtype)
    eye.flags.writeable = False
    return eye


def all_true(truths: Array) -> bool:
    """truths.all(), of a few in half the time."""
    return b"\0" not in truths.tobytes()


def matmul(a: Any, b: Any) -> Any:
    if type(a) is np.ndarray and a.ndim == 1:
        return _vector_times(a, b)
    calls = _calls(a, b)
    if calls is None:
        return None
    (m, k), n, left, right = a.shape, b.shape[-1], _turned(a), _turned(b)
    if left is None or right is None or b.shape[0] != k:
        return None
    if b.ndim == 1:
        return _product(calls, a, b, left)
    if left and right:  # the product by rows: of the transposes, by columns, the other way round
        c = np.empty((m, n), a.dtype)
        done = _run(calls.gemm, b"N", b"N", n, m, k, calls.one, address_of(b), n, address_of(a), k, calls.zero, address_of(c), n)
    else:
        c = np.empty((m, n), a.dtype, "F")
        done = _run(calls.gemm, b"T" if left else b"N", b"T" if right else b"N", m, n, k, calls.one, address_of(a), k if left else m, address_of(b),
                    n if right else k, calls.zero, address_of(c), m)
    return c if done else None


def _product(calls: SimpleNamespace, stored: Array, x: Array, transposed: bool) -> Any:
    """Of a matrix, or its transpose if it is stored by rows (or of one by rows, not transposed, which is the same), and a vector."""
    turned = bool(_turned(stored))
    m, n = stored.shape[::-1] if turned else stored.shape
    y = np.empty(n if transposed else m, stored.dtype)
    done = _run(calls.gemv, b"T" if transposed else b"N", m, n, calls.one, address_of(stored), m, address_of(x), 1, calls.zero, address_of(y), 1)
    return y if done else None


def _vector_times(x: Array, b: Any) -> Any:
    if type(b) is np.ndarray and b.ndim == 1:
        column = x.reshape(-1, 1)
        calls = _calls(column, b)
        if calls is None or x.shape != b.shape or _turned(column) is None or _turned(b) is None:
            return None
        number = np.empty(1, x.dtype)
        return number[0] if _run(calls.dot, len(x), address_of(x), 1, address_of(b), 1, address_of(number)) else None
    calls = _calls(b, x)
    if calls is None or b.ndim != 2 or b.shape[0] != len(x) or _turned(x) is None:
        return None
    turned = _turned(b)
    return None if turned is None else _product(calls, b, x, not turned)


def norm(a: Any, ord: Any, check_finite: bool) -> Any:
    calls = _calls(a)
    turned = None if calls is None else _turned(a)
    kind = {None: b"F", "fro": b"F", 1: b"1", math.inf: b"I"}.get(ord) if isinstance(ord, (str, int, float, type(None))) else None
    if calls is None or turned is None or kind is None or not _finite(check_finite, a if turned else a.T):
        return None
    m, n = a.shape
    if turned:
        m, n, kind = n, m, {b"1": b"I", b"I": b"1"}.get(kind, kind)
    result = np.empty(1, calls.real)
    return result[0] if _run(calls.lange, kind, m, n, address_of(a), m, address_of(result)) else None


def _with_info(function: Any, *args: Any) -> bool:
    info = _info()
    return _run(function, *args, _address(info)) and not info.value


def _factored(calls: SimpleNamespace, a: Array, check_finite: bool) -> Optional[tuple[Array, Array]]:
    """LU and pivots, of a square matrix that is not singular."""
    m, n = a.shape
    f = _by_columns(a)
    p = np.empty(n, np.int64)
    if m != n or not _finite(check_finite, f.T) or not _with_info(calls.getrf, n, n, address_of(f), n, address_of(p)):
        return None
    return f, p


def solve(a: Any, b: Any, structure: str, lower: bool, transposed: bool, check_finite: bool) -> Any:
    if type(a) is not np.ndarray:
        return tensors.solve(a, b, structure, transposed, check_finite)
    calls = _calls(a, b)
    if calls is None or structure not in ("gen", "pos"):
        return None
    n, k = a.shape[0], b.shape[1] if b.ndim == 2 else 1
    if a.shape[1] != n or b.shape[0] != n:
        return None
    f, x = _by_columns(a), _by_columns(b)
    if not _finite(check_finite, f.T, x.T):
        return None
    at, to = address_of(f), address_of(x)
    if structure == "pos":
        if transposed and calls.herm == b"C":  # the conjugate's, which has no typed call
            return None
        return x if _with_info(calls.posv, b"L" if lower else b"U", n, k, at, n, to, n) else None
    p = np.empty(n, np.int64)
    if not transposed:
        return x if _with_info(calls.gesv, n, k, at, n, address_of(p), to, n) else None
    done = _with_info(calls.getrf, n, n, at, n, address_of(p)) and _with_info(calls.getrs, b"T", n, k, at, n, address_of(p), to, n)
    return x if done else None


def inv(a: Any, check_finite: bool) -> Any:
    if type(a) is not np.ndarray:
        return tensors.inv(a, check_finite)
    calls = _calls(a)
    factors = None if calls is None else _factored(calls, a, check_finite)
    if calls is None or factors is None:
        return None
    f, p = factors
    return f if _with_info(calls.getri, len(p), address_of(f), len(p), address_of(p)) else None


def det(a: Any, check_finite: bool) -> Any:
    if type(a) is not np.ndarray:
        return tensors.det(a, check_finite)
    calls = _calls(a)
    factors = None if calls is None else _factored(calls, a, check_finite)
    if factors is None:
        return None
    f, p = factors
    exchanges = (p != np.arange(1, len(p) + 1)).tobytes().count(b"\1")
    product = math.prod(f.diagonal().tolist()) * (-1 if exchanges % 2 else 1)
    return np.complex128(product) if a.dtype.kind == "c" else np.float64(product)


def slogdet(a: Any) -> Any:
    """(sign, logarithm), of a matrix that is not singular."""
    if type(a) is not np.ndarray:
        return tensors.slogdet(a)
    calls = _calls(a)
    factors = None if calls is None or a.dtype.kind == "c" else _factored(calls, a, True)
    if factors is None:
        return None
    d, p = factors[0].diagonal(), factors[1]
    negative = (d < 0).tobytes().count(b"\1") + (p != np.arange(1, len(p) + 1)).tobytes().count(b"\1")
    return d.dtype.type(-1 if negative % 2 else 1), d.dtype.type(np.log(np.abs(d)).sum(dtype=np.float64))


def lu_factor(a: Any, check_finite: bool) -> Optional[tuple[Array, Array]]:
    calls = _calls(a)
    factors = None if calls is None else _factored(calls, a, check_finite)
    return None if factors is None else (factors[0], np.subtract(factors[1], 1, dtype=np.int32, casting="unsafe"))


def lu(a: Any, check_finite: bool) -> Any:
    """(p, l, u)"""
    calls = _calls(a)
    factors = None if calls is None else _factored(calls, a, check_finite)
    if calls is None or factors is None:
        return None
    f, n = factors[0], a.shape[0]
    rows = list(range(n))  # where each row of the product comes from
    for i, at in enumerate(factors[1].tolist()):
        rows[i], rows[at - 1] = rows[at - 1], rows[i]
    l = _triangle(f, True)
    l.reshape(-1)[::n + 1] = 1
    return _identity(n, calls.real).take(rows, 0).T, l, _triangle(f, False)


def lu_solve(f: Any, piv: Any, b: Any, op: int, check_finite: bool) -> Any:
    calls = _calls(f, b)
    if calls is None or type(piv) is not np.ndarray or piv.dtype.kind != "i" or piv.shape != f.shape[:1]:
        return None
    n, k = f.shape[0], b.shape[1] if b.ndim == 2 else 1
    p = piv.astype(np.int64)
    if f.shape[1] != n or b.shape[0] != n or not all_true(p.view(np.uint64) < n):
        return None
    factors, x = f if _turned(f) is False else _by_columns(f), _by_columns(b)
    if not _finite(check_finite, factors.T, x.T):
        return None
    p += 1
    done = _with_info(calls.getrs, (b"N", b"T", calls.herm)[op], n, k, address_of(factors), n, address_of(p), address_of(x), n)
    return x if done else None


def cholesky(a: Any, lower: bool, check_finite: bool, clean: bool = True) -> Any:
    """The factor; not clean: with what was in the other triangle. By rows it is that of the transpose, stored by columns."""
    if type(a) is not np.ndarray:
        return tensors.cholesky(a, lower, check_finite, clean)
    calls = _calls(a)
    turned = None if calls is None else _turned(a)
    n = a.shape[0] if calls is not None else 0
    if calls is None or turned is None or a.shape[1] != n:
        return None
    c, below = (a, lower) if turned else (a.T, not lower)  # by rows
    if not _finite(check_finite, c):
        return None
    f = _triangle(c, below) if clean else c.copy()
    done = _with_info(calls.potrf, b"U" if below else b"L", n, address_of(f), n)
    return (f if turned else f.T) if done else None


def cho_solve(f: Any, lower: bool, b: Any, check_finite: bool) -> Any:
    calls = _calls(f, b)
    if calls is None:
        return None
    n, k = f.shape[0], b.shape[1] if b.ndim == 2 else 1
    if f.shape[1] != n or b.shape[0] != n:
        return None
    factor, x = f if _turned(f) is False else _by_columns(f), _by_columns(b)
    done = _finite(check_finite, factor.T, x.T) and _with_info(calls.potrs, b"L" if lower else b"U", n, k, address_of(factor), n, address_of(x), n)
    return x if done else None


def solve_triangular(a: Any, b: Any, op: int, lower: bool, unit: bool, check_finite: bool) -> Any:
    calls = _calls(a, b)
    turned = None if calls is None else _turned(a)
    if calls is None or turned is None:
        return None
    n, k = a.shape[0], b.shape[1] if b.ndim == 2 else 1
    if a.shape[1] != n or b.shape[0] != n:
        return None
    if turned and op == 2 and calls.herm == b"C":  # the conjugate of what is stored
        a, turned = _by_columns(a), False
    x = _by_columns(b)
    if not _finite(check_finite, a if turned else a.T, x.T) or not unit and not all_true(a.diagonal() != 0):
        return None
    trans = (b"T", b"N", b"N")[op] if turned else (b"N", b"T", calls.herm)[op]
    triangle = (b"L" if lower != turned else b"U", trans, b"U" if unit else b"N")
    return x if _run(calls.trsm, b"L", *triangle, n, k, calls.one, address_of(a), n, address_of(x), n) else None


def qr(a: Any, mode: str, check_finite: bool) -> Optional[tuple[Array, Array]]:
    if type(a) is not np.ndarray:
        return tensors.qr(a, mode, check_finite)  # type: ignore[no-any-return]
    calls = _calls(a)
    if calls is None or mode not in ("full", "economic"):
        return None
    m, n = a.shape
    k, q = min(m, n), m if mode == "full" else min(m, n)  # q: columns of Q
    f = np.empty((m, max(n, q)), a.dtype, "F")
    f[:, :n] = a
    if not _finite(check_finite, f[:, :n].T):
        return None
    tau = np.empty(k, a.dtype)
    at = address_of(f)
    if not _with_info(calls.geqrf, m, n, at, m, address_of(tau)):
        return None
    r = _triangle(f[:q, :n], False)
    if not _with_info(calls.orgqr, m, q, k, at, m, address_of(tau)):
        return None
    return (f if f.shape[1] == q else f[:, :q].copy("F")), r


def eigh(a: Any, lower: bool, vectors: bool, check_finite: bool) -> Optional[tuple[Array, Optional[Array]]]:
    if type(a) is not np.ndarray:
        return tensors.eigh(a, lower, vectors, check_finite)  # type: ignore[no-any-return]
    calls = _calls(a)
    if calls is None or a.shape[0] != a.shape[1]:
        return None
    n, v = len(a), _by_columns(a)
    w = np.empty(n, calls.real)
    if not _finite(check_finite, v.T) or not _with_info(calls.syevd, b"V" if vectors else b"N", b"L" if lower else b"U", n, address_of(v), n, address_of(w)):
        return None
    return w, v if vectors else None


def lstsq(a: Any, b: Any, check_finite: bool) -> Any:
    """(x, residues, rank, None), of a matrix that is of full rank without a doubt."""
    if type(a) is not np.ndarray:
        return tensors.lstsq(a, b, check_finite)
    calls = _calls(a, b)
    if calls is None:
        return None
    (m, n), k = a.shape, b.shape[1] if b.ndim == 2 else 1
    if b.shape[0] != m:
        return None
    f, x = _by_columns(a), np.empty((max(m, n), k), a.dtype, "F")
    x[:m] = b.reshape(m, k)
    if not _finite(check_finite, f.T, x[:m].T) or not _with_info(calls.gels, b"N", m, n, k, address_of(f), m, address_of(x), len(x)):
        return None
    # The largest element of each column of R, or row of L, is at most the largest of all.
    sizes = np.abs(f)
    if sizes.diagonal().min() <= max(m, n) * np.finfo(a.dtype).eps * sizes.max():
        return None
    residues = np.sum(np.abs(x[n:m]) ** 2, axis=0) if m > n else np.empty(0, a.dtype)
    if b.ndim == 1:
        return x[:n, 0].copy(), residues[0] if m > n else residues, min(m, n), None
    return x[:n].copy("F"), residues, min(m, n), None
