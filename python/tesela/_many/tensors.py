"""One tensor of PyTorch's, on a GPU or small on the host, in a few steps of Python's: what _small.py is to NumPy's arrays. None: not one of these, or it does not end
well; then the general form computes, and says what is wrong."""

from __future__ import annotations

import cmath
from typing import Any, Optional

import numpy as np

from .._calls import options as _options
from .._arrays.kinds import is_of, torch_types
from .._arrays.storage import SMALL
from . import kernels
from .call import GOOD, Many
from .spaces import space


def one(a: Any, check_finite: bool = True, square: bool = False, b: Any = None) -> Optional[Many]:
    """A call on it; on it and right-hand sides."""
    if not is_of(a, "torch", "Tensor") or a.ndim != 2 or not a.numel() or square and a.shape[0] != a.shape[1]:
        return None
    dtype = torch_types().get(a.dtype)
    if dtype is None or not str(a.layout).endswith("strided") or a.requires_grad:
        return None
    if not a.is_cuda and (not a.is_cpu or a.numel() > SMALL or _options.chosen.get() or _options.DEVICES):
        return None
    if b is not None and not (is_of(b, "torch", "Tensor") and b.dtype == a.dtype and b.device == a.device and 0 < b.ndim <= 2 and b.numel() and not b.requires_grad):
        return None
    if check_finite and not (_finite(a) and (b is None or _finite(b))):
        return None
    return Many(space("torch", a.is_cuda), a, (), dtype, max(a.shape))


def _finite(a: Any) -> bool:
    """Surely: elements add up to NaN or infinity if one is."""
    return cmath.isfinite(a.sum().item())


def cholesky(a: Any, lower: bool, check_finite: bool, clean: bool) -> Any:
    k = one(a, check_finite, True)
    if k is None:
        return None
    f, info = kernels.cholesky(k, a, lower, clean)
    return f if info is GOOD else None


def solve(a: Any, b: Any, structure: str, transposed: bool, check_finite: bool) -> Any:
    k = one(a, check_finite, True, b) if structure == "gen" and not transposed else None
    if k is None or b.shape[0] != a.shape[0]:
        return None
    x, info = kernels.solve_turned(k, a, b if b.ndim == 2 else b.unsqueeze(-1))
    return None if info is not GOOD else x if b.ndim == 2 else x.squeeze(-1)


def inv(a: Any, check_finite: bool) -> Any:
    k = one(a, check_finite, True)
    if k is None:
        return None
    x, info = kernels.inv(k, a)
    return x if info is GOOD else None


def _diagonal(a: Any, check_finite: bool) -> Any:
    """(k, the diagonal of U, whether there is an odd number of exchanges), of a matrix that is not singular."""
    k = one(a, check_finite, True)
    if k is None:
        return None
    f, p, info = kernels.lu_factor(k, k.space.turned(a))
    if info is not GOOD:
        return None
    return k, f.diagonal(), int((p != k.space.arange(a, p.shape[0]) + 1).sum().item()) % 2 == 1


def det(a: Any, check_finite: bool) -> Any:
    found = _diagonal(a, check_finite)
    if found is None:
        return None
    k, d, odd = found
    wide = np.dtype(np.complex128 if k.complex else np.float64)
    return wide.type(k.space.prod(d, 0, wide).item() * (-1 if odd else 1))


def slogdet(a: Any) -> Any:
    found = _diagonal(a, True)
    if found is None:
        return None
    k, d, odd = found
    return k.dtype.type(d.sgn().prod().item() * (-1 if odd else 1)), k.real.type(d.abs().double().log().sum().item())


def qr(a: Any, mode: str, check_finite: bool) -> Any:
    k = one(a, check_finite) if mode in ("full", "economic") else None
    if k is None:
        return None
    m, n = a.shape
    q = m if mode == "full" else min(m, n)
    f, tau = kernels.geqrf(k, a, q)
    r = k.space.clear(f[:q, :n], False)
    Q = kernels.orgqr(k, f, tau, q)
    return (Q if f.shape[1] == q else Q.clone()), r


def eigh(a: Any, lower: bool, vectors: bool, check_finite: bool) -> Any:
    k = one(a, check_finite, True)
    if k is None:
        return None
    w, v, info = kernels.eigh(k, a, lower, vectors)
    return (w, v) if info is GOOD else None


def lstsq(a: Any, b: Any, check_finite: bool) -> Any:
    """Of a matrix that is of full rank without a doubt."""
    k = one(a, check_finite, False, b)
    if k is None or b.shape[0] != a.shape[0]:
        return None
    m, n = a.shape
    x, f, info = kernels.gels(k, a, b if b.ndim == 2 else b.unsqueeze(-1))
    if info is not GOOD:
        return None
    sizes = k.space.clear(f[:min(m, n), :min(m, n)], m < n).abs()
    if bool(sizes.diagonal().min() <= max(m, n) * float(np.finfo(k.dtype).eps) * sizes.max()):
        return None
    residues = (x[n:m].abs() ** 2).sum(0) if m > n else x.new_empty(0)
    if b.ndim == 1:
        return x[:n, 0].clone(), residues[0] if m > n else residues, min(m, n), None
    return x[:n].clone(), residues, min(m, n), None
