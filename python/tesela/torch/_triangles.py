"""Triangles, and systems with them."""

from __future__ import annotations

from typing import Any

from .._many import kernels
from ._op import Op, into, keep, many, need, planned, stacks, transposes


def lower_part(a: Any, diagonal: int = 0) -> Any:
    return a.tril(diagonal)


def _solve(a: Any, b: Any, upper: bool, unit: bool) -> Any:
    return kernels.solve_triangular(many(b, a.shape[-1]), a, b, not upper, unit)


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.upper, ctx.unit = inputs[2:]
    keep(ctx, inputs[0], output)


def _backward(ctx: Any, g: Any) -> Any:
    """A X = B: dX = A^-1 (dB - dA X), of which dA is a triangle."""
    a, x = ctx.saved_tensors
    gb = triangular(a.mH, g, not ctx.upper, ctx.unit)
    ga = None
    if ctx.needs_input_grad[0]:
        ga = -(gb @ x.mH)
        ga = ga.triu(int(ctx.unit)) if ctx.upper else ga.tril(-int(ctx.unit))
    return ga, gb, None, None


def _jvp(ctx: Any, da: Any, db: Any, *_: Any) -> Any:
    a, x = ctx.saved_tensors
    right: Any = 0 if db is None else db
    if da is not None:
        right = right - (da.triu(int(ctx.unit)) if ctx.upper else da.tril(-int(ctx.unit))) @ x
    return triangular(a, right, ctx.upper, ctx.unit)


_op = Op("solve_triangular", "(Tensor A, Tensor B, bool upper, bool unit) -> Tensor", _solve, lambda a, b, upper, unit: transposes(b), _keep, _backward, _jvp)


def triangular(a: Any, b: Any, upper: bool, unit: bool = False) -> Any:
    """a^-1 b, of stacks of one shape."""
    return _op(a, b, upper, unit)


def solve_upper_adjoint(u: Any, b: Any) -> Any:
    """b u^-H."""
    return triangular(u, b.mH, upper=True).mH


@planned
def solve_triangular(A: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False, out: Any = None) -> Any:
    need("solve_triangular", A, B, square=True)
    if B.ndim < 2 or B.shape[-2 if left else -1] != A.shape[-1]:
        raise RuntimeError(f"tesela.torch.solve_triangular: A is {tuple(A.shape)} and B {tuple(B.shape)}")
    a, b = stacks(A, B)
    return into(out, triangular(a, b, upper, unitriangular) if left else triangular(a.mT, b.mT, not upper, unitriangular).mT)
