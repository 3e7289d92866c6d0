"""Systems of equations, inverses and least squares."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional

import numpy as np
import torch

from .._many import kernels
from .._calls.library import HERM, NOTRANS
from ._factor import permutation
from ._op import Op, as_stack, certain, fake_outcome, into, keep, many, need, outcome, planned, real_of, stacks, transposes
from ._spectra import pseudo_inverse, svd
from ._triangles import lower_part, triangular


class SolveEx(NamedTuple):
    result: Any
    info: Any


class InvEx(NamedTuple):
    inverse: Any
    info: Any


class Lstsq(NamedTuple):
    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


# ---- by LU


def _singular(i: int) -> str:
    return "torch.linalg.solve: The solver failed because the input matrix is singular."


def _solve(a: Any, b: Any, check: bool) -> Any:
    x, f, pivots, infos = kernels.solve(many(b, a.shape[-1], as_stack(a, 128), check=check), a, b)
    return x, f, pivots, outcome(a, infos, check, _singular)


def _solve_fake(a: Any, b: Any, check: bool) -> Any:
    return transposes(b), transposes(a), a.new_empty(a.shape[:-1], dtype=torch.int64), fake_outcome(a, check)


def _keep_solve(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, inputs[0], *output[:3])


def _solve_backward(ctx: Any, g: Any, *_: Any) -> Any:
    """A X = B: dX = A^-1 (dB - dA X)."""
    a, x, f, pivots = ctx.saved_tensors
    gb = factored(a, f, pivots, g, True)
    return (-(gb @ x.mH) if ctx.needs_input_grad[0] else None), gb, None


def _solve_jvp(ctx: Any, da: Any, db: Any, _: Any) -> Any:
    a, x, f, pivots = ctx.saved_tensors
    right: Any = 0 if db is None else db
    return factored(a, f, pivots, right if da is None else right - da @ x, False), torch.zeros_like(f), None, None  # of factors none is wanted


_solve_op = Op("solve", "(Tensor A, Tensor B, bool check) -> (Tensor, Tensor, Tensor, Tensor)", _solve, _solve_fake, _keep_solve, _solve_backward,
               _solve_jvp)


def _keep_factored(ctx: Any, inputs: Any, output: Any) -> None:
    a, f, pivots, _, ctx.adjoint = inputs
    keep(ctx, a, f, pivots, output)


def _factored_backward(ctx: Any, g: Any) -> Any:
    a, f, pivots, x = ctx.saved_tensors
    gb = factored(a, f, pivots, g, not ctx.adjoint)
    ga = -(x @ gb.mH) if ctx.adjoint else -(gb @ x.mH)
    return ga, None, None, gb, None


# A^-1 B or A^-H B, by the factors of A. A itself is there for the derivative: that by the factors is not wanted.
def _factored_jvp(ctx: Any, da: Any, _: Any, __: Any, db: Any, ___: Any) -> Any:
    a, f, pivots, x = ctx.saved_tensors
    right: Any = 0 if db is None else db
    return factored(a, f, pivots, right if da is None else right - (da.mH if ctx.adjoint else da) @ x, ctx.adjoint)


factored = Op("solve_factored", "(Tensor A, Tensor LU, Tensor pivots, Tensor B, bool adjoint) -> Tensor",
               lambda a, f, p, b, adjoint: kernels.lu_solve(many(b, a.shape[-1]), f, p, b, HERM if adjoint else NOTRANS),
               lambda a, f, p, b, adjoint: transposes(b), _keep_factored, _factored_backward, _factored_jvp)


def inverse_adjoint(a: Any, f: Any, pivots: Any) -> Any:
    """A^-H, by the factors of A."""
    return factored(a, f, pivots, torch.eye(a.shape[-1], dtype=a.dtype, device=a.device).expand(a.shape), True)


def _system(name: str, A: Any, B: Any, left: bool) -> tuple[Any, Any, bool]:
    """A and B as stacks of one shape; whether B is a vector, or a stack of them, as torch.linalg.solve decides that."""
    need(name, A, B, square=True)
    vector = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    b = B.unsqueeze(-1) if vector else B
    if not left and vector:
        raise RuntimeError(f"tesela.torch.{name}: vectors are on the right: left=False")
    if b.shape[-2 if left else -1] != A.shape[-1]:
        raise RuntimeError(f"tesela.torch.{name}: Incompatible shapes of A and B for the equation {'AX = B' if left else 'XA = B'} "
                           f"({tuple(A.shape)} and {tuple(B.shape)})")
    return *stacks(A, b), vector


def _solved(name: str, A: Any, B: Any, left: bool, check: bool) -> tuple[Any, Any]:
    a, b, vector = _system(name, A, B, left)
    x, _, _, info = _solve_op(a, b, check) if left else _solve_op(a.mT, b.mT, check)
    return (x.squeeze(-1) if vector else x if left else x.mT), info.new_zeros(a.shape[:-2]) if check else info


@planned
def solve(A: Any, B: Any, *, left: bool = True, out: Any = None) -> Any:
    a, b, vector = _system("solve", A, B, left)
    x = _solve_op(a, b, True)[0] if left else _solve_op(a.mT, b.mT, True)[0].mT
    return into(out, x.squeeze(-1) if vector else x)


@planned
def solve_ex(A: Any, B: Any, *, left: bool = True, check_errors: bool = False, out: Any = None) -> Any:
    return into(out, SolveEx(*_solved("solve_ex", A, B, left, check_errors)))


@planned
def lu_solve(LU: Any, pivots: Any, B: Any, *, left: bool = True, adjoint: bool = False, out: Any = None) -> Any:
    """With gradients, by the two triangles."""
    need("lu_solve", LU, B, square=True)
    f, b = stacks(LU, B)
    p = pivots if pivots.shape == f.shape[:-1] else pivots.expand(f.shape[:-1])
    if not left:  # X A = B is A^H X^H = B^H
        b, adjoint = b.mH, not adjoint
    if torch.is_grad_enabled() and LU.requires_grad:
        L, P = lower_part(f, -1), permutation(f, p)
        if adjoint:
            x = P @ triangular(L.mH, triangular(f.mH, b, upper=False), upper=True, unit=True)
        else:
            x = triangular(f, triangular(L, P.mT @ b, upper=False, unit=True), upper=True)
    else:
        x = _lu_solve_op(f, p, b, adjoint)
    return into(out, x if left else x.mH)


def _keep_lu_solve(ctx: Any, inputs: Any, output: Any) -> None:
    f, p, _, ctx.adjoint = inputs
    keep(ctx, f, p, output)


def _lu_solve_backward(ctx: Any, g: Any) -> Any:
    f, p, _ = ctx.saved_tensors
    return None, None, _lu_solve_op(f, p, g, not ctx.adjoint), None


def _lu_solve_jvp(ctx: Any, df: Any, _: Any, db: Any, __: Any) -> Any:
    """Of A = P L U by its factors: dX = A^-1 (dB - P (dL U + L dU) X), and so with A^H."""
    f, p, x = ctx.saved_tensors
    right: Any = 0 if db is None else db
    if df is not None:
        L = lower_part(f, -1) + torch.eye(f.shape[-1], dtype=f.dtype, device=f.device)
        da = permutation(f, p) @ (lower_part(df, -1) @ f.triu() + L @ df.triu())
        right = right - (da.mH if ctx.adjoint else da) @ x
    return _lu_solve_op(f, p, right, ctx.adjoint)


def _lu_solve(f: Any, p: Any, b: Any, adjoint: bool) -> Any:
    op = HERM if adjoint else NOTRANS
    return kernels.lu_solve(many(b, f.shape[-1]), f, p, b, op)


_lu_solve_op = Op("lu_solve", "(Tensor LU, Tensor pivots, Tensor B, bool adjoint) -> Tensor", _lu_solve,
                  lambda f, p, b, adjoint: transposes(b), _keep_lu_solve, _lu_solve_backward, _lu_solve_jvp)


# ---- inverses


def _inv(a: Any, check: bool) -> Any:
    x, infos = kernels.inv(many(a, one=as_stack(a, 256), check=check), a)  # of a stack steps wait for no outcome in their midst
    return x, outcome(a, infos, check, lambda i: f"linalg.inv: The diagonal element {i} is zero, the inversion could not be completed because the input matrix is "
                      "singular.")


def _keep_inverse(ctx: Any, inputs: Any, output: Any) -> None:
    keep(ctx, output[0])


def _inv_backward(ctx: Any, g: Any, _: Any) -> Any:
    (x,) = ctx.saved_tensors
    return -(x.mH @ g @ x.mH), None


def _inv_jvp(ctx: Any, da: Any, _: Any) -> Any:
    (x,) = ctx.saved_tensors
    return -(x @ da @ x), None


_inv_op = Op("inv", "(Tensor A, bool check) -> (Tensor, Tensor)", _inv,
             lambda a, check: (torch.empty_like(a, memory_format=torch.contiguous_format), fake_outcome(a, check)), _keep_inverse, _inv_backward, _inv_jvp)


@planned
def inv(A: Any, *, out: Any = None) -> Any:
    need("inv", A, square=True)
    return into(out, _inv_op(A, True)[0])


@planned
def inv_ex(A: Any, *, check_errors: bool = False, out: Any = None) -> Any:
    need("inv_ex", A, square=True)
    x, info = _inv_op(A, check_errors)
    return into(out, InvEx(x, info.new_zeros(A.shape[:-2]) if check_errors else info))


# ---- by L D L^T


_ldl_solve_op = Op("ldl_solve", "(Tensor LD, Tensor pivots, Tensor B, bool hermitian) -> Tensor",
                   lambda f, p, b, hermitian: kernels.ldl_solve(many(b, f.shape[-1]), f, p, b, hermitian), lambda f, p, b, hermitian: transposes(b))


@planned
def ldl_solve(LD: Any, pivots: Any, B: Any, *, hermitian: bool = False, out: Any = None) -> Any:
    need("ldl_solve", LD, B, square=True)
    f, b = stacks(LD, B)
    return into(out, _ldl_solve_op(f, pivots.expand(f.shape[:-1]), b, hermitian))


# ---- least squares


def _gels(a: Any, b: Any, ranks: bool) -> Any:
    """(x, what is left of each column, none), or (x, none, ranks by the diagonal of R): a rank is 0 where it is not full. If ranks are not asked for they are."""
    m, n = a.shape[-2:]
    x, f, infos = kernels.gels(many(b, max(m, n), as_stack(a, 128)), a, b, ranks)
    k = min(m, n)
    if not ranks:
        left = (x[..., n:, :].abs() ** 2).sum(-2) if m > n else x.new_empty(*x.shape[:-2], 0, dtype=real_of(a))
        return (x if m <= n else x.narrow(-2, 0, n).clone(memory_format=torch.contiguous_format)), left, torch.empty(0, dtype=torch.int64, device=a.device)
    R = (f.narrow(-2, 0, k).triu() if m >= n else f.narrow(-1, 0, k).tril()).abs()
    small = R.diagonal(0, -2, -1) <= max(m, n) * torch.finfo(a.dtype).eps * R.amax(-2 if m >= n else -1) if k else R.diagonal(0, -2, -1) > 0
    full = ~small.any(-1)
    if infos.any():
        full = full & torch.as_tensor(np.asarray(infos == 0)).to(a.device)
    x = x.narrow(-2, 0, n).clone(memory_format=torch.contiguous_format)
    return x, x.new_empty(*x.shape[:-2], 0, dtype=real_of(a)), full.to(torch.int64) * k


def _gels_fake(a: Any, b: Any, ranks: bool) -> Any:
    stack, (m, n), k = a.shape[:-2], a.shape[-2:], b.shape[-1]
    x = a.new_empty(*stack, n, k) if ranks or m > n else a.new_empty(*stack, k, n).mT
    return x, a.new_empty(*stack, k if m > n and not ranks else 0, dtype=real_of(a)), a.new_empty(stack if ranks else (0,), dtype=torch.int64)


def _keep_lstsq(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.left = output[1].shape[-1]
    keep(ctx, inputs[0], inputs[1], output[0])
    ctx.set_materialize_grads(False)


def least_squares_gradients(a: Any, b: Any, x: Any, P: Any, g: Any) -> tuple[Any, Any]:
    """X = P B with the pseudo-inverse P of A, of a rank that does not change:
    dP = -P dA P + P P^H dA^H (I - A P) + (I - P A) dA^H P^H P."""
    z = P.mH @ g
    ga = -(z @ x.mH) + (b - a @ x) @ (P @ z).mH + P.mH @ x @ (g - P @ (a @ g)).mH
    return ga, z


def _gels_backward(ctx: Any, g: Any, gleft: Any, _: Any) -> Any:
    """What is left of a column, r = b - A x, is orthogonal to A: d |r|^2 = 2 Re r^H (db - dA x)."""
    a, b, x = ctx.saved_tensors
    ga, gb = (None, None) if g is None else least_squares_gradients(a, b, x, pseudo_inverse(a), g)
    if gleft is not None and gleft.shape[-1]:
        r = 2 * (b - a @ x) * gleft.unsqueeze(-2)
        ga, gb = (-(r @ x.mH), r) if ga is None else (ga - r @ x.mH, gb + r)
    return ga, gb, None


def _gels_jvp(ctx: Any, da: Any, db: Any, _: Any) -> Any:
    a, b, x = ctx.saved_tensors
    P, r = pseudo_inverse(a), b - a @ x
    change: Any = torch.zeros_like(b) if db is None else db
    dx = P @ change
    if da is not None:
        change = change - da @ x
        across = da.mH @ (P.mH @ x)
        dx = P @ change + P @ (P.mH @ (da.mH @ r)) + across - P @ (a @ across)
    left = 2 * (r.conj() * change).sum(-2).real
    return dx, left[..., :ctx.left], None


_gels_op = Op("lstsq", "(Tensor A, Tensor B, bool ranks) -> (Tensor, Tensor, Tensor)", _gels, _gels_fake, _keep_lstsq, _gels_backward, _gels_jvp)


@planned
def lstsq(A: Any, B: Any, rcond: Optional[float] = None, *, driver: Optional[str] = None) -> Any:
    """By QR where that is enough: of full rank, as 'gels' takes it for granted, and as the default finds it; else by singular values."""
    need("lstsq", A, B)
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(f"tesela.torch.lstsq: driver {driver!r} is none of 'gels', 'gelsy', 'gelsd', 'gelss'")
    driver = driver or ("gels" if A.is_cuda else "gelsy")
    m, n = A.shape[-2:]
    vector = B.ndim == 1 or (A.ndim - 1 == B.ndim and B.shape == A.shape[:-1])
    b = B.unsqueeze(-1) if vector else B
    if b.shape[-2] != m:
        raise RuntimeError(f"tesela.torch.lstsq: A is {tuple(A.shape)} and B {tuple(B.shape)}")
    a, b = stacks(A, b)
    stack = a.shape[:-2]
    rank, s = A.new_empty(0, dtype=torch.int64), A.new_empty(0, dtype=A.real.dtype)
    if driver == "gels" or driver == "gelsy" and rcond is None:
        x, left, ranks = _gels_op(a, b, driver == "gelsy")
        full = driver == "gels" or not certain(ranks) or bool((ranks == min(m, n)).all())
        rank = ranks if driver == "gelsy" else rank
    else:
        full = False
    if not full:
        limit = max(m, n) * torch.finfo(A.dtype).eps if rcond is None else float(rcond)
        values = svd(a.detach(), full_matrices=False).S
        rank = (values > limit * values.amax(-1, keepdim=True)).sum(-1) if min(m, n) else torch.zeros(stack, dtype=torch.int64, device=A.device)
        x = pseudo_inverse(a, limit) @ b
        left = ((b - a @ x).abs() ** 2).sum(-2)
        s = values if driver in ("gelsd", "gelss") else s
    residuals = left if m > n and driver != "gelsy" and (driver == "gels" or not certain(rank) or bool((rank == n).all())) else left.new_empty(0)
    return Lstsq(x.squeeze(-1) if vector else x, residuals, rank, s)


