"""Factorizations: Cholesky, LU, L D L^T, QR."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch

from .._many import kernels
from ._op import UNTOLD, Op, alone, as_stack, fake_outcome, into, keep, low, many, need, outcome, planned, transposes
from ._triangles import lower_part, solve_upper_adjoint, triangular


class CholeskyEx(NamedTuple):
    L: Any
    info: Any


class LU(NamedTuple):
    P: Any
    L: Any
    U: Any


class LUFactor(NamedTuple):
    LU: Any
    pivots: Any


class LUFactorEx(NamedTuple):
    LU: Any
    pivots: Any
    info: Any


class LDLFactor(NamedTuple):
    LD: Any
    pivots: Any


class LDLFactorEx(NamedTuple):
    LD: Any
    pivots: Any
    info: Any


class QR(NamedTuple):
    Q: Any
    R: Any


# ---- Cholesky


def _cholesky(a: Any, upper: bool, check: bool) -> Any:
    factor, infos = kernels.cholesky(many(a, check=check), a, not upper)
    return factor, outcome(a, infos, check, lambda i: "linalg.cholesky: The factorization could not be completed because the input is not positive-definite "
                           f"(the leading minor of order {i} is not positive-definite).")


def _keep_factor(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.upper = inputs[1]
    keep(ctx, output[0])


def _cholesky_backward(ctx: Any, g: Any, _: Any) -> Any:
    """A = L L^H: with Phi the lower triangle, its diagonal halved, dL = L Phi(L^-1 dA L^-H)."""
    (factor,) = ctx.saved_tensors
    L, G = (factor.mH, g.mH) if ctx.upper else (factor, g)
    phi = lower_part(L.mH @ G)
    phi = phi - phi.diagonal(0, -2, -1).diag_embed() / 2
    S = triangular(L.mH, triangular(L.mH, phi.mH, upper=True).mH, upper=True)  # L^-H Phi L^-1
    return (S + S.mH) / 2, None, None


def _cholesky_jvp(ctx: Any, da: Any, *_: Any) -> Any:
    (factor,) = ctx.saved_tensors
    L = factor.mH if ctx.upper else factor
    inner = triangular(L, triangular(L, (da + da.mH) / 2, upper=False).mH, upper=False).mH  # L^-1 dA L^-H
    phi = lower_part(inner) - inner.diagonal(0, -2, -1).diag_embed() / 2
    dL = L @ phi
    return (dL.mH if ctx.upper else dL), None


_cholesky_op = Op("cholesky", "(Tensor A, bool upper, bool check) -> (Tensor, Tensor)", _cholesky,
                  lambda a, upper, check: (torch.empty_like(a, memory_format=torch.contiguous_format), fake_outcome(a, check)), _keep_factor, _cholesky_backward,
                  _cholesky_jvp)


@planned
def cholesky(A: Any, *, upper: bool = False, out: Any = None) -> Any:
    need("cholesky", A, square=True)
    return into(out, _cholesky_op(A, upper, True)[0])


@planned
def cholesky_ex(A: Any, *, upper: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    need("cholesky_ex", A, square=True)
    L, info = _cholesky_op(A, upper, check_errors)
    return into(out, CholeskyEx(L, info.new_zeros(A.shape[:-2]) if check_errors else info))


# ---- LU


SMALL_LU = 256  # up to this order LU of one matrix on a GPU goes as that of a stack


def _lu(a: Any, check: int) -> Any:
    factors, pivots, infos = kernels.lu_factor(many(a, one=as_stack(a, SMALL_LU), check=check), a, check != UNTOLD)
    return factors, low(pivots), outcome(a, infos, check, lambda i: f"torch.linalg.lu_factor: U[{i},{i}] is zero and using it on lu_solve would "
                                         "result in a division by zero.")


def _lu_fake(a: Any, check: int) -> Any:
    return transposes(a), low(a.new_empty(*a.shape[:-2], min(a.shape[-2:]), dtype=torch.int64)), fake_outcome(a, check)


def _keep_lu(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, output[0], output[1])


def _lu_backward(ctx: Any, g: Any, *_: Any) -> Any:
    """A = P L U. Of the square part dL is L tril(L^-1 dA U^-1, -1), dU is triu(L^-1 dA U^-1) U; what is beside it, or below, is solved for with the other factor."""
    f, pivots = ctx.saved_tensors
    m, n = f.shape[-2:]
    k = min(m, n)
    L, U = f[..., :k, :k], f[..., :k, :k].triu()
    L = lower_part(L, -1) + torch.eye(k, dtype=f.dtype, device=f.device)
    inner_l, inner_u = L.mH @ lower_part(g[..., :k, :k], -1), g[..., :k, :k].triu() @ U.mH
    if n > k:
        inner_l = inner_l - g[..., k:] @ f[..., k:].mH
    if m > k:
        inner_u = inner_u - f[..., k:, :].mH @ g[..., k:, :]
    inner = lower_part(inner_l, -1) + inner_u.triu()
    first = triangular(L.mH, solve_upper_adjoint(U, inner), upper=True, unit=True)
    if n > k:
        first = torch.cat([first, triangular(L.mH, g[..., k:], upper=True, unit=True)], -1)
    if m > k:
        first = torch.cat([first, solve_upper_adjoint(U, g[..., k:, :])], -2)
    return permutation(f, pivots) @ first, None


def _over(b: Any, u: Any) -> Any:
    """b u^-1"""
    return triangular(u.mT, b.mT, upper=False).mT


def _lu_jvp(ctx: Any, da: Any, _: Any) -> Any:
    f, pivots = ctx.saved_tensors
    m, n = f.shape[-2:]
    k = min(m, n)
    x = permutation(f, pivots).mT @ da
    L1, U1 = lower_part(f[..., :k, :k], -1) + torch.eye(k, dtype=f.dtype, device=f.device), f[..., :k, :k].triu()
    inner = _over(triangular(L1, x[..., :k, :k], upper=False, unit=True), U1)
    dL, dU = L1 @ lower_part(inner, -1), inner.triu() @ U1
    both = dL + dU
    if m > k:
        both = torch.cat([both, _over(x[..., k:, :] - f[..., k:, :] @ dU, U1)], -2)
    if n > k:
        both = torch.cat([both, triangular(L1, x[..., k:] - dL @ f[..., k:], upper=False, unit=True)], -1)
    return both, None, None


_lu_op = Op("lu_factor", "(Tensor A, int check) -> (Tensor, Tensor, Tensor)", _lu, _lu_fake, _keep_lu, _lu_backward, _lu_jvp)


def permutation(f: Any, pivots: Any) -> Any:
    return torch.lu_unpack(f.detach(), pivots, unpack_data=False)[0]


def _need_pivot(name: str, pivot: bool) -> None:
    if not pivot:
        raise NotImplementedError(f"tesela.torch.{name}: pivot=False")


@planned
def lu_factor(A: Any, *, pivot: bool = True, out: Any = None) -> Any:
    need("lu_factor", A)
    _need_pivot("lu_factor", pivot)
    return into(out, LUFactor(*_lu_op(A, UNTOLD)[:2]))


@planned
def lu_factor_ex(A: Any, *, pivot: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    need("lu_factor_ex", A)
    _need_pivot("lu_factor_ex", pivot)
    f, pivots, info = _lu_op(A, int(check_errors))
    return into(out, LUFactorEx(f, pivots, info.new_zeros(A.shape[:-2]) if check_errors else info))


@planned
def lu(A: Any, *, pivot: bool = True, out: Any = None) -> Any:
    need("lu", A)
    _need_pivot("lu", pivot)
    if alone(A) and A.numel():
        return into(out, LU(*kernels.lu(many(A, one=as_stack(A, SMALL_LU)), A)))
    f, pivots, _ = _lu_op(A, UNTOLD)
    return into(out, LU(*torch.lu_unpack(f, pivots)))


# ---- L D L^T


def _ldl(a: Any, hermitian: bool, check: int) -> Any:
    factors, pivots, infos = kernels.ldl_factor(many(a, check=check), a, hermitian, check != UNTOLD)
    return lower_part(factors), low(pivots), outcome(a, infos, check, lambda i: f"torch.linalg.ldl_factor: D[{i},{i}] is exactly zero.")


_ldl_op = Op("ldl_factor", "(Tensor A, bool hermitian, int check) -> (Tensor, Tensor, Tensor)", _ldl,
             lambda a, hermitian, check: (torch.empty_like(a), low(a.new_empty(a.shape[:-1], dtype=torch.int64)), fake_outcome(a, check)))


@planned
def ldl_factor(A: Any, *, hermitian: bool = False, out: Any = None) -> Any:
    need("ldl_factor", A, square=True)
    return into(out, LDLFactor(*_ldl_op(A, hermitian, UNTOLD)[:2]))


@planned
def ldl_factor_ex(A: Any, *, hermitian: bool = False, check_errors: bool = False, out: Any = None) -> Any:
    need("ldl_factor_ex", A, square=True)
    f, pivots, info = _ldl_op(A, hermitian, int(check_errors))
    return into(out, LDLFactorEx(f, pivots, info.new_zeros(A.shape[:-2]) if check_errors else info))


# ---- QR

ONE_Q = 64  # up to this order Q of one matrix on a GPU is formed as that of a stack: by one kernel instead of some twenty


def _qr(a: Any, mode: str) -> Any:
    k, (m, n) = many(a), a.shape[-2:]
    columns = m if mode == "complete" else min(m, n)
    f, tau = kernels.geqrf(k, a, columns)
    R = f.triu() if m == n else f[..., :columns, :n].triu()
    if mode == "r":
        return a.new_empty(0), R
    Q = kernels.orgqr(many(f, one=True) if as_stack(f, ONE_Q) else k, f, tau, columns)
    return Q.clone() if n > columns else Q, R


def _qr_fake(a: Any, mode: str) -> Any:
    m, n = a.shape[-2:]
    columns = m if mode == "complete" else min(m, n)
    Q = a.new_empty(0) if mode == "r" else a.new_empty(*a.shape[:-2], columns, m).mT
    return Q, a.new_empty(*a.shape[:-2], columns, n)


def _keep_qr(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.mode = inputs[1]
    keep(ctx, *output)
    ctx.set_materialize_grads(False)


def _qr_backward(ctx: Any, gQ: Any, gR: Any) -> Any:
    """A = Q R. Q^H dQ is skew, which leaves of dA R^-1 its upper triangle to dR; columns beside the square part of R follow from Q."""
    Q, R = ctx.saved_tensors
    if ctx.mode == "r":
        raise RuntimeError("tesela.torch.qr: mode 'r' has no derivative: 'reduced' has")
    q, n = Q.shape[-1], R.shape[-1]
    if q > n:
        raise RuntimeError("tesela.torch.qr: mode 'complete' has a derivative of matrices with at least as many columns as rows only")
    gQ = torch.zeros_like(Q) if gQ is None else gQ
    gR = torch.zeros_like(R) if gR is None else gR
    beside = Q @ gR[..., q:] if n > q else None
    if beside is not None:
        gQ = gQ - beside @ R[..., q:].mH
    R1 = R[..., :q]
    E = (gR[..., :q] @ R1.mH - Q.mH @ gQ).triu()
    S = E + E.mH - E.diagonal(0, -2, -1).real.to(E.dtype).diag_embed()
    first = solve_upper_adjoint(R1, gQ + Q @ S)
    return (first if beside is None else torch.cat([first, beside], -1)), None


def _qr_jvp(ctx: Any, da: Any, _: Any) -> Any:
    """Of the square part, X = Q^H dA R^-1 = Q^H dQ + dR R^-1, a skew matrix and a triangle with a real diagonal; columns beside it are Q R, too."""
    Q, R = ctx.saved_tensors
    q, n = Q.shape[-1], R.shape[-1]
    if ctx.mode == "r" or q > n:
        raise NotImplementedError(f"tesela.torch.qr: mode {ctx.mode!r} has no derivative in forward mode, of matrices of this shape: 'reduced' has")
    R1 = R[..., :q]
    more = _over(da[..., :q], R1)
    X = Q.mH @ more
    below = lower_part(X, -1)
    skew = below - below.mH
    if X.is_complex():
        skew = skew + (1j * X.diagonal(0, -2, -1).imag).diag_embed()
    dQ, dR = more - Q @ (X - skew), (X - skew) @ R1
    return dQ, dR if n == q else torch.cat([dR, (dQ.mH @ Q) @ R[..., q:] + Q.mH @ da[..., q:]], -1)


_qr_op = Op("qr", "(Tensor A, str mode) -> (Tensor, Tensor)", _qr, _qr_fake, _keep_qr, _qr_backward, _qr_jvp)


@planned
def qr(A: Any, mode: str = "reduced", *, out: Any = None) -> Any:
    need("qr", A)
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(f"tesela.torch.qr: mode {mode!r} is none of 'reduced', 'complete', 'r'")
    return into(out, QR(*_qr_op(A, mode)))


def _householder(a: Any, tau: Any) -> Any:
    k, (m, n) = many(a, one=as_stack(a, ONE_Q)), a.shape[-2:]
    f = k.seen(a)
    return kernels.orgqr(k, f, tau if k.space.packed(tau) else k.space.copy(tau, k.dtype), n) if m and n else f


def _keep_reflectors(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, *inputs)


def _householder_jvp(ctx: Any, da: Any, dtau: Any) -> Any:
    a, tau = ctx.saved_tensors
    return _reflected(a, tau, torch.zeros_like(a) if da is None else da, torch.zeros_like(tau) if dtau is None else dtau)[1]


_householder_op = Op("householder_product", "(Tensor A, Tensor tau) -> Tensor", _householder, lambda a, tau: transposes(a), _keep_reflectors,
                     jvp=_householder_jvp)


def _reflected(a: Any, tau: Any, da: Any = None, dtau: Any = None) -> tuple[Any, Any]:
    """The product by the reflectors one after the other, and its tangent if there are those of its parts."""
    n = a.shape[-1]
    V, dV = lower_part(a, -1) + torch.eye(*a.shape[-2:], dtype=a.dtype, device=a.device), None if da is None else lower_part(da, -1)
    Q = torch.eye(*a.shape[-2:], dtype=a.dtype, device=a.device).expand(a.shape)
    dQ = torch.zeros_like(a)
    for i in reversed(range(min(n, tau.shape[-1]))):
        v, t = V[..., i:i + 1], tau[..., i, None, None]
        row = v.mH @ Q
        if dV is not None and dtau is not None:
            dv = dV[..., i:i + 1]
            dQ = dQ - dtau[..., i, None, None] * v @ row - t * (dv @ row + v @ (dv.mH @ Q + v.mH @ dQ))
        Q = Q - t * v @ row
    return Q, dQ


@planned
def householder_product(A: Any, tau: Any, *, out: Any = None) -> Any:
    """With gradients, by the reflectors one after the other."""
    need("householder_product", A, tau.unsqueeze(-1) if tau.ndim < 2 else tau)
    m, n = A.shape[-2:]
    if m < n or tau.shape[-1] > n or tau.shape[:-1] != A.shape[:-2]:
        raise RuntimeError(f"tesela.torch.householder_product: A is {tuple(A.shape)} and tau {tuple(tau.shape)}")
    if not (torch.is_grad_enabled() and (A.requires_grad or tau.requires_grad)):
        return into(out, _householder_op(A, tau))
    return into(out, _reflected(A, tau)[0])
