"""Eigenvalues, singular values, and the pseudo-inverse."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import torch

from .._many import kernels
from .._calls.library import SVD_AUTO, SVD_DC, SVD_POLAR, SVD_QR
from ._op import Op, as_stack, complex_of, dual, in_transform, into, keep, many, need, outcome, planned, real_of

_DRIVERS = {None: SVD_AUTO, "gesvd": SVD_QR, "gesvdj": SVD_POLAR, "gesvda": SVD_DC}


class Eigh(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class Eig(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


class SVD(NamedTuple):
    U: Any
    S: Any
    Vh: Any


def _recorded(a: Any) -> bool:
    """Will somebody want gradients? Then values come with their vectors. Under torch.func nobody can say."""
    return bool(torch.is_grad_enabled() and a.requires_grad or in_transform() or dual(a))


def _differences(values: Any, power: int = 1) -> Any:
    """values[j] - values[i], of their powers; 1 where i = j."""
    n, v = values.shape[-1], values ** power if power > 1 else values
    return v.unsqueeze(-2) - v.unsqueeze(-1) + torch.eye(n, dtype=values.dtype, device=values.device)


def _without_diagonal(a: Any) -> Any:
    return a - a.diagonal(0, -2, -1).diag_embed()


# ---- symmetric and Hermitian matrices


def _eigh(a: Any, lower: bool, vectors: bool) -> Any:
    w, v, infos = kernels.eigh(many(a, one=as_stack(a, 64 if vectors else 128)), a, lower, vectors)
    outcome(a, infos, True, lambda i: "linalg.eigh: The algorithm failed to converge, or an element is NaN or infinite.")
    return w, a.new_empty(0) if v is None else v


def _eigh_fake(a: Any, lower: bool, vectors: bool) -> Any:
    return a.new_empty(a.shape[:-1], dtype=real_of(a)), a.new_empty(a.shape).mT if vectors else a.new_empty(0)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.real = not inputs[0].is_complex()
    keep(ctx, *output)
    ctx.set_materialize_grads(False)


def _eigh_backward(ctx: Any, gw: Any, gv: Any) -> Any:
    """dw = diag(V^H dA V), V^H dV = (V^H dA V) / (w_j - w_i) off the diagonal."""
    w, V = ctx.saved_tensors
    if gw is None and gv is None:
        return None, None, None
    inner: Any = 0 if gw is None else gw.to(V.dtype).diag_embed()
    if gv is not None:
        inner = inner + _without_diagonal(V.mH @ gv / _differences(w))
    return V @ inner @ V.mH, None, None


def _eigh_jvp(ctx: Any, da: Any, *_: Any) -> Any:
    w, V = ctx.saved_tensors
    inner = V.mH @ ((da + da.mH) / 2) @ V
    return inner.diagonal(0, -2, -1).real, V @ _without_diagonal(inner / _differences(w))


_eigh_op = Op("eigh", "(Tensor A, bool lower, bool vectors) -> (Tensor, Tensor)", _eigh, _eigh_fake, _keep, _eigh_backward, _eigh_jvp)


def _below(name: str, UPLO: str) -> bool:
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise RuntimeError(f"tesela.torch.{name}: UPLO={UPLO!r} is neither 'L' nor 'U'")
    return UPLO.upper() == "L"


@planned
def eigh(A: Any, UPLO: str = "L", *, out: Any = None) -> Any:
    need("eigh", A, square=True)
    return into(out, Eigh(*_eigh_op(A, _below("eigh", UPLO), True)))


@planned
def eigvalsh(A: Any, UPLO: str = "L", *, out: Any = None) -> Any:
    need("eigvalsh", A, square=True)
    return into(out, _eigh_op(A, _below("eigvalsh", UPLO), _recorded(A))[0])


# ---- other matrices


def _eig(a: Any, vectors: bool) -> Any:
    w, _, v, infos = kernels.eig(many(a), a, False, vectors)
    outcome(a, infos, True, lambda i: "linalg.eig: The algorithm failed to converge, or an element is NaN or infinite.")
    return w, w.new_empty(0) if v is None else v


def _eig_fake(a: Any, vectors: bool) -> Any:
    kind = complex_of(a)
    return a.new_empty(a.shape[:-1], dtype=kind), a.new_empty(a.shape, dtype=kind).mT if vectors else a.new_empty(0, dtype=kind)


def _eig_backward(ctx: Any, gw: Any, gv: Any) -> Any:
    """As of eigh, with V^-1 in place of V^H; vectors keep their length, which takes off the real part of V^H dV's diagonal."""
    from ._solve import solve

    w, V = ctx.saved_tensors
    if gw is None and gv is None:
        return None, None
    inner: Any = 0 if gw is None else gw.diag_embed()
    if gv is not None:
        M = V.mH @ gv
        M = M - V.mH @ (V * M.diagonal(0, -2, -1).real.unsqueeze(-2))
        inner = inner + _without_diagonal(M / _differences(w).conj())
    g = solve(V.mH, inner @ V.mH)
    return (g.real if ctx.real else g), None


def _eig_jvp(ctx: Any, da: Any, _: Any) -> Any:
    from ._solve import solve

    w, V = ctx.saved_tensors
    inner = solve(V, da.to(V.dtype) @ V)
    dV = V @ _without_diagonal(inner / _differences(w))
    return inner.diagonal(0, -2, -1), dV - V * (V.conj() * dV).sum(-2, keepdim=True).real


_eig_op = Op("eig", "(Tensor A, bool vectors) -> (Tensor, Tensor)", _eig, _eig_fake, _keep, _eig_backward, _eig_jvp)


@planned
def eig(A: Any, *, out: Any = None) -> Any:
    need("eig", A, square=True)
    return into(out, Eig(*_eig_op(A, True)))


@planned
def eigvals(A: Any, *, out: Any = None) -> Any:
    need("eigvals", A, square=True)
    return into(out, _eig_op(A, _recorded(A))[0])


# ---- singular values

SMALL_SVD = 256  # up to this order one matrix on a GPU goes as a stack of one, measured on an H200

def _svd(a: Any, full: bool, vectors: bool, driver: int) -> Any:
    U, s, Vh, infos = kernels.svd(many(a, one=as_stack(a, SMALL_SVD)), a, full, vectors, driver)
    outcome(a, infos, True, lambda i: "linalg.svd: The algorithm failed to converge, or an element is NaN or infinite.")
    return (a.new_empty(0), s, a.new_empty(0)) if U is None else (U, s, Vh)


def _svd_fake(a: Any, full: bool, vectors: bool, driver: int) -> Any:
    stack, (m, n) = a.shape[:-2], a.shape[-2:]
    d = min(m, n)
    s = a.new_empty(*stack, d, dtype=real_of(a))
    if not vectors:
        return a.new_empty(0), s, a.new_empty(0)
    U, Vh = (m, m if full else d), (n if full else d, n)
    if stack or as_stack(a, SMALL_SVD):
        return a.new_empty(*stack, *U), s, a.new_empty(*stack, *Vh)
    return a.new_empty(U[::-1]).mT, s, a.new_empty(Vh[::-1]).mT


def _skew(a: Any) -> Any:
    return a - a.mH


def _svd_backward(ctx: Any, gU: Any, gs: Any, gVh: Any) -> Any:
    """With P = U^H dA V: ds = Re diag(P), and off the diagonal U^H dU = skew(P S) / E, V^H dV = skew(S P) / E, E_ij = s_j^2 - s_i^2; outside the spaces of U and V what
    is left of dA is divided by S. A common phase of the vectors is free, so of complex ones the difference of their phases alone counts."""
    U, s, Vh = ctx.saved_tensors
    m, n, d = U.shape[-2], Vh.shape[-1], s.shape[-1]
    if gU is None and gs is None and gVh is None:
        return None, None, None, None
    U, Vh = U[..., :d], Vh[..., :d, :]
    if gU is None and gVh is None:
        return (U * gs.to(U.dtype).unsqueeze(-2)) @ Vh, None, None, None
    S, E = s.to(U.dtype), _differences(s, 2)
    inner: Any = 0 if gs is None else gs.to(U.dtype).diag_embed()
    outer: Any = 0
    if gU is not None:
        gU = gU[..., :d]
        P = _skew(U.mH @ gU)
        inner = inner + _without_diagonal(P / E) * S.unsqueeze(-2)
        if U.is_complex():
            inner = inner + (P.diagonal(0, -2, -1) / (2 * S)).diag_embed()
        if m > d:
            beside = gU / S.unsqueeze(-2)
            outer = outer + (beside - U @ (U.mH @ beside)) @ Vh
    if gVh is not None:
        gV, V = gVh[..., :d, :].mH, Vh.mH
        inner = inner + S.unsqueeze(-1) * _without_diagonal(_skew(V.mH @ gV) / E)
        if n > d:
            beside = gV / S.unsqueeze(-2)
            outer = outer + U @ (beside - V @ (V.mH @ beside)).mH
    return U @ inner @ Vh + outer, None, None, None


def _svd_jvp(ctx: Any, da: Any, *_: Any) -> Any:
    U, s, Vh = ctx.saved_tensors
    m, n, V = U.shape[-2], Vh.shape[-1], Vh.mH
    if U.shape[-1] != Vh.shape[-2]:
        raise NotImplementedError("tesela.torch.svd: in forward mode a matrix that is not square has no derivative with full_matrices")
    S, E = s.to(U.dtype), _differences(s, 2)
    P = U.mH @ da @ V
    right, left = P * S.unsqueeze(-2), P * S.unsqueeze(-1)
    W, Z = _without_diagonal((right + right.mH) / E), _without_diagonal((left + left.mH) / E)
    if U.is_complex():
        turn = (1j * P.diagonal(0, -2, -1).imag / (2 * s)).diag_embed()
        W, Z = W + turn, Z - turn
    dU, dV = U @ W, V @ Z
    if m > n:
        beside = da @ V / S.unsqueeze(-2)
        dU = dU + beside - U @ (U.mH @ beside)
    if n > m:
        beside = da.mH @ U / S.unsqueeze(-2)
        dV = dV + beside - V @ (V.mH @ beside)
    return dU, P.diagonal(0, -2, -1).real, dV.mH


_svd_op = Op("svd", "(Tensor A, bool full, bool vectors, int driver) -> (Tensor, Tensor, Tensor)", _svd, _svd_fake, _keep, _svd_backward, _svd_jvp)


def _driver(name: str, driver: Optional[str]) -> int:
    if driver not in _DRIVERS:
        raise RuntimeError(f"tesela.torch.{name}: driver {driver!r} is none of 'gesvd', 'gesvdj', 'gesvda'")
    return _DRIVERS[driver]


@planned
def svd(A: Any, full_matrices: bool = True, *, driver: Optional[str] = None, out: Any = None) -> Any:
    need("svd", A)
    return into(out, SVD(*_svd_op(A, full_matrices, True, _driver("svd", driver))))


@planned
def svdvals(A: Any, *, driver: Optional[str] = None, out: Any = None) -> Any:
    need("svdvals", A)
    return into(out, _svd_op(A, False, _recorded(A), _driver("svdvals", driver))[1])


# ---- the pseudo-inverse


def _pinv(a: Any, tolerance: float) -> Any:
    P, infos = kernels.pinv(many(a, one=as_stack(a, 64)), a, tolerance)
    outcome(a, infos, True, lambda i: "linalg.pinv: singular values were not found, or an element is NaN or infinite.")
    return P


def _pinv_fake(a: Any, tolerance: float) -> Any:
    return a.new_empty(*a.shape[:-2], a.shape[-1], a.shape[-2])


def _keep_both(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, inputs[0], output)


def _pinv_backward(ctx: Any, g: Any) -> Any:
    """dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P, of a rank that does not change."""
    a, P = ctx.saved_tensors
    z = P.mH @ g
    return -(z @ P.mH) + (g.mH - a @ (P @ g.mH)) @ P @ P.mH + P.mH @ P @ (g.mH - (g.mH @ P) @ a), None


def _pinv_jvp(ctx: Any, da: Any, *_: Any) -> Any:
    a, P = ctx.saved_tensors
    outer = da.mH @ P.mH
    return -(P @ da @ P) + P @ (P.mH @ (da.mH - (da.mH @ a) @ P)) + (outer - P @ (a @ outer)) @ P


_pinv_op = Op("pinv", "(Tensor A, float tolerance) -> Tensor", _pinv, _pinv_fake, _keep_both, _pinv_backward, _pinv_jvp)


def pseudo_inverse(a: Any, tolerance: float = -1.0) -> Any:
    """Singular values not above so much of the largest count as zero; below 0: max(m, n) eps."""
    return _pinv_op(a, tolerance)


def _limits(values: Any, m: int, n: int, atol: Any, rtol: Any) -> Any:
    """What counts as zero, beside the values, of which the first or the last is the largest in size."""
    most = values.amax(-1) if values.shape[-1] else values.new_zeros(values.shape[:-1])
    rounding = max(m, n) * torch.finfo(values.dtype).eps
    if atol is None and not isinstance(rtol, torch.Tensor):
        return (most * (rounding if rtol is None else rtol)).unsqueeze(-1)
    if rtol is None:  # that of rounding, where no other is given
        rtol = torch.where(torch.as_tensor(atol) > 0, 0.0, rounding)
    least = [torch.as_tensor(0.0 if t is None else t, dtype=values.dtype, device=values.device) for t in (atol, rtol)]
    return torch.maximum(least[0], least[1] * most).unsqueeze(-1)


@planned
def pinv(A: Any, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None, out: Any = None) -> Any:
    need("pinv", A)
    rtol = rcond if rtol is None else rtol
    m, n = A.shape[-2:]
    if hermitian:
        if m != n:
            raise RuntimeError(f"tesela.torch.pinv: a Hermitian matrix is square, and this is {m} by {n}")
        w, V = _eigh_op(A, True, True)
        sizes = w.abs()
        w = torch.where(sizes > _limits(sizes.detach(), m, n, atol, rtol), 1 / w, torch.zeros_like(w))
        return into(out, (V * w.to(V.dtype).unsqueeze(-2)) @ V.mH)
    if atol is None and not isinstance(rtol, torch.Tensor):
        return into(out, pseudo_inverse(A, -1.0 if rtol is None else float(rtol)))
    return into(out, _cut_op(A, _limits(svdvals(A.detach()), m, n, atol, rtol)))


def _cut(a: Any, limits: Any) -> Any:
    """With a limit of its own for each matrix."""
    U, s, Vh = _svd(a, False, True, SVD_AUTO)
    over = torch.where(s > limits, 1 / s, torch.zeros_like(s)).to(U.dtype)
    return (Vh.mH * over.unsqueeze(-2)) @ U.mH


def _cut_backward(ctx: Any, g: Any) -> Any:
    return _pinv_backward(ctx, g)


_cut_op = Op("pinv_limits", "(Tensor A, Tensor limits) -> Tensor", _cut, _pinv_fake, _keep_both, _cut_backward, _pinv_jvp)


@planned
def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None, out: Any = None) -> Any:
    need("matrix_rank", A)
    atol, rtol = (tol, 0.0) if tol is not None else (atol, rtol)
    a, (m, n) = A.detach(), A.shape[-2:]
    sizes = eigvalsh(a).abs() if hermitian else svdvals(a)
    return into(out, (sizes > _limits(sizes, m, n, atol, rtol)).sum(-1))
