"""Determinants, norms, conditions, and the exponential."""

from __future__ import annotations

import functools
import math
from typing import Any, NamedTuple

import torch

from .._many import kernels
from .._many.spaces import keep_for_all
from ._op import TYPES, LinAlgError, Op, certain, into, keep, many, need, planned, real_of
from ._solve import factored, inv_ex, inverse_adjoint
from ._spectra import svd, svdvals


class Slogdet(NamedTuple):
    sign: Any
    logabsdet: Any


# ---- determinants


def _factors(a: Any) -> tuple[Any, Any, Any, Any]:
    """The diagonal of U; the same with another sign for each exchange; and LU with its pivots."""
    f, pivots, _ = kernels.lu_factor(many(a), a, False)
    d = f.diagonal(0, -2, -1)
    return d, torch.where(pivots != _places(a.shape[-1], a.device), -d, d), f, pivots


@functools.lru_cache(maxsize=64)
def _places(n: int, device: Any) -> Any:
    """From 1, as pivots count."""
    return keep_for_all(torch.arange(1, n + 1, device=device))


def _slogdet(a: Any) -> Any:
    d, signed, f, pivots = _factors(a)
    return signed.sgn().prod(-1), d.abs().log().sum(-1), f, pivots


def _fake_factors(a: Any) -> tuple[Any, Any]:
    return a.new_empty(a.shape).mT, a.new_empty(a.shape[:-1], dtype=torch.int64)


def _slogdet_fake(a: Any) -> Any:
    stack = a.shape[:-2]
    return a.new_empty(stack), a.new_empty(stack, dtype=real_of(a)), *_fake_factors(a)


def _keep_slogdet(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, inputs[0], output[0], output[2], output[3])


def _slogdet_backward(ctx: Any, gs: Any, gl: Any, *_: Any) -> Any:
    """With t = tr(A^-1 dA): d logabsdet = Re t, d sign = i sign Im t."""
    a, sign, f, pivots = ctx.saved_tensors
    z = gl.to(a.dtype)
    if a.is_complex():
        z = z - 1j * (gs.conj() * sign).imag
    return z[..., None, None] * inverse_adjoint(a, f, pivots)


def _trace_of(a: Any, f: Any, pivots: Any, da: Any) -> Any:
    """tr(A^-1 dA)"""
    return factored(a, f, pivots, da, False).diagonal(0, -2, -1).sum(-1)


def _slogdet_jvp(ctx: Any, da: Any) -> Any:
    a, sign, f, pivots = ctx.saved_tensors
    t = _trace_of(a, f, pivots, da)
    return (1j * t.imag * sign if a.is_complex() else torch.zeros_like(sign)), t.real if a.is_complex() else t, torch.zeros_like(f), None


_slogdet_op = Op("slogdet", "(Tensor A) -> (Tensor, Tensor, Tensor, Tensor)", _slogdet, _slogdet_fake, _keep_slogdet, _slogdet_backward, _slogdet_jvp)


@planned
def slogdet(A: Any, *, out: Any = None) -> Any:
    need("slogdet", A, square=True)
    return into(out, Slogdet(*_slogdet_op(A)[:2]))


def _det(a: Any) -> Any:
    _, signed, f, pivots = _factors(a)
    return signed.prod(-1), f, pivots


def _keep_det(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, inputs[0], *output)


def _det_backward(ctx: Any, g: Any, *_: Any) -> Any:
    """d det = det tr(A^-1 dA); of a singular matrix by its cofactors, U diag(products of the other singular values) V^H but for the sign."""
    a, det_, f, pivots = ctx.saved_tensors
    if not certain(det_) or not bool((det_.detach() == 0).any()):
        return (g * det_.conj())[..., None, None] * inverse_adjoint(a, f, pivots)
    U, s, Vh = svd(a)
    n = a.shape[-1]
    others = torch.where(torch.eye(n, dtype=torch.bool, device=a.device), torch.ones_like(s).unsqueeze(-2), s.unsqueeze(-2)).prod(-1)
    phase = g * (det(U.detach()) * det(Vh.detach())).conj()
    return phase[..., None, None] * ((U * others.to(U.dtype).unsqueeze(-2)) @ Vh)


def _det_jvp(ctx: Any, da: Any) -> Any:
    a, det_, f, pivots = ctx.saved_tensors
    return det_ * _trace_of(a, f, pivots, da), torch.zeros_like(f), None


_det_op = Op("det", "(Tensor A) -> (Tensor, Tensor, Tensor)", _det, lambda a: (a.new_empty(a.shape[:-2]), *_fake_factors(a)), _keep_det, _det_backward,
             _det_jvp)


@planned
def det(A: Any, *, out: Any = None) -> Any:
    need("det", A, square=True)
    return into(out, _det_op(A)[0])


# ---- the exponential


def _keep_exponent(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, inputs[0])


def _exp_backward(ctx: Any, g: Any) -> Any:
    """The derivative of exp at A^H along g is the block above the diagonal of exp [A^H g; 0 A^H]."""
    (a,) = ctx.saved_tensors
    n = a.shape[-1]
    both = torch.cat([torch.cat([a.mH, g], -1), torch.cat([torch.zeros_like(a), a.mH], -1)], -2)
    return matrix_exp(both)[..., :n, n:]


def _exp_jvp(ctx: Any, da: Any) -> Any:
    (a,) = ctx.saved_tensors
    n = a.shape[-1]
    return matrix_exp(torch.cat([torch.cat([a, da], -1), torch.cat([torch.zeros_like(a), a], -1)], -2))[..., :n, n:]


_exp_op = Op("matrix_exp", "(Tensor A) -> Tensor", lambda a: kernels.expm(many(a), a), lambda a: a.new_empty(a.shape),
             _keep_exponent, _exp_backward, _exp_jvp)


@planned
def matrix_exp(A: Any) -> Any:
    need("matrix_exp", A, square=True)
    return _exp_op(A)


# ---- norms


_sums = torch.linalg.matrix_norm  # whatever use() makes of that name
_LAST, _BY_VALUES = (-2, -1), ("nuc", 2, -2)


def matrix_norm(A: Any, ord: Any = "fro", dim: Any = _LAST, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Any:
    if dtype is None and out is None and ord not in _BY_VALUES and type(A) is torch.Tensor and A.dtype in TYPES and A.layout is torch.strided:
        return _sums(A, ord) if dim is _LAST and not keepdim else _sums(A, ord, dim, keepdim)  # as they are most often asked for
    if dtype is not None:
        A = A.to(dtype)
    need("matrix_norm", A)
    if len(dim) != 2 or dim[0] % A.ndim == dim[1] % A.ndim:
        raise RuntimeError(f"tesela.torch.matrix_norm: dim={dim} is not a pair of two dimensions")
    if ord in _BY_VALUES:
        s = svdvals(A.movedim(dim, (-2, -1)))
        values = s.sum(-1) if ord == "nuc" else s.amax(-1) if ord == 2 else s.amin(-1)
    elif ord in ("fro", 1, -1, math.inf, -math.inf):  # sums: theirs
        return into(out, _sums(A, ord, dim, keepdim))
    else:
        raise RuntimeError(f"tesela.torch.matrix_norm: ord={ord!r} is none of 'fro', 'nuc', 1, -1, 2, -2, inf, -inf")
    if keepdim:
        for at in sorted(d % A.ndim for d in dim):
            values = values.unsqueeze(at)
    return into(out, values)


@planned
def cond(A: Any, p: Any = None, *, out: Any = None) -> Any:
    need("cond", A)
    if p in (None, 2, -2):
        s = svdvals(A)
        if not s.shape[-1]:
            return into(out, s.new_zeros(A.shape[:-2]))
        return into(out, s[..., 0] / s[..., -1] if p != -2 else s[..., -1] / s[..., 0])
    need("cond", A, square=True)
    if A.numel() == 0:
        return into(out, A.new_zeros(A.shape[:-2], dtype=real_of(A)))
    try:
        inverse, info = inv_ex(A)
    except LinAlgError:
        return into(out, torch.full(A.shape[:-2], math.inf, dtype=real_of(A), device=A.device))
    values = matrix_norm(A, p) * matrix_norm(inverse, p)
    return into(out, torch.where(info != 0, torch.full_like(values, math.inf), values))
