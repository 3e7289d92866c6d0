"""tesela.jax: derivatives of first and second order, in both modes, against differences."""

from __future__ import annotations

import os
import unittest
from typing import Any, Callable, Iterator

import numpy as np
from common import Case, random

from . import test_jax
from .test_jax import there_is_one

Function = Callable[..., Any]
EVERYTHING = "TESELA_TEST_ALL" in os.environ
jax: Any = None
ours: Any = None


def functions() -> Iterator[tuple[str, Function]]:
    """All that have derivatives, of stacks (a, b): a square, b tall. Of vectors, whose phases are free, the squares of sizes."""
    jnp = jax.numpy
    h = lambda a: a + a.conj().mT  # noqa: E731
    s = lambda a: h(a) + 9 * jnp.eye(4)  # noqa: E731
    sizes = lambda *parts: [jnp.abs(v) ** 2 for v in parts]  # noqa: E731
    whole = lambda u, s, vh: (u * s[..., None, :]) @ vh  # noqa: E731
    yield "cholesky", lambda a, b: ours.cholesky(s(a))
    yield "cholesky upper", lambda a, b: ours.cholesky(s(a), upper=True)
    yield "cho_factor", lambda a, b: ours.cho_factor(s(a))[0]
    yield "cho_solve", lambda a, b: ours.cho_solve(ours.cho_factor(s(a), lower=True), b)
    yield "solve", lambda a, b: ours.solve(a, b)
    yield "solve vector", lambda a, b: ours.solve(a[0], b[0, :, 0])
    yield "solve_triangular", lambda a, b: ours.solve_triangular(a, b, lower=True)
    yield "solve_triangular T", lambda a, b: ours.solve_triangular(a, b, "T", unit_diagonal=True)
    yield "solve_triangular C", lambda a, b: ours.solve_triangular(a, b, 2)
    yield "inv", lambda a, b: ours.inv(a)
    yield "det", lambda a, b: ours.det(a)
    yield "slogdet", lambda a, b: tuple(ours.slogdet(a))
    yield "lu", lambda a, b: ours.lu(a)[1:]
    yield "lu tall", lambda a, b: ours.lu(b)[1:]
    yield "lu wide", lambda a, b: ours.lu(b.mT, permute_l=True)
    yield "lu_factor", lambda a, b: ours.lu_factor(a)[0]
    for trans in (0, 1, 2):
        yield f"lu_solve {trans}", lambda a, b, t=trans: ours.lu_solve(ours.lu_factor(a), b, t)
    yield "qr", lambda a, b: ours.qr(a)
    yield "qr tall", lambda a, b: ours.qr(b)
    yield "qr wide", lambda a, b: ours.qr(b.mT, "complete")
    yield "qr r", lambda a, b: ours.qr(b, "r")
    yield "eigvalsh", lambda a, b: ours.eigvalsh(h(a))
    yield "eigh", lambda a, b: sizes(*ours.eigh(h(a)))
    yield "eig", lambda a, b: sizes(*ours.eig(a))
    yield "eigvals", lambda a, b: sizes(ours.eigvals(a))
    yield "svd", lambda a, b: sizes(*ours.svd(b, full_matrices=False))
    yield "svd wide", lambda a, b: sizes(*ours.svd(b.mT, full_matrices=False))
    yield "svd square", lambda a, b: [whole(*ours.svd(a)), *sizes(*ours.svd(a))]
    yield "svd hermitian", lambda a, b: sizes(*ours.svd(h(a), hermitian=True))
    yield "svdvals", lambda a, b: ours.svdvals(b)
    yield "svdvals hermitian", lambda a, b: ours.svd(h(a), compute_uv=False, hermitian=True)
    yield "pinv", lambda a, b: ours.pinv(b)
    yield "pinv wide", lambda a, b: ours.pinv(b.mT)
    yield "pinv hermitian", lambda a, b: ours.pinv(h(a), hermitian=True)
    yield "lstsq", lambda a, b: ours.lstsq(b[0], a[0])[:2]
    yield "lstsq wide", lambda a, b: ours.lstsq(b[0].mT, a[0, :3])[0]
    yield "cond", lambda a, b: ours.cond(a)
    yield "cond fro", lambda a, b: ours.cond(a, "fro")
    yield "expm", lambda a, b: ours.expm(a / 4)


def dot(x: Any, y: Any) -> Any:
    """The real part of the sum of products, of all arrays."""
    return sum((p * q).sum().real for p, q in zip(jax.tree.leaves(x), jax.tree.leaves(y)))


class Gradients(Case):
    @classmethod
    def setUpClass(cls) -> None:
        global jax, ours
        there_is_one()
        jax, ours = test_jax.jax, test_jax.ours

    def near(self, got: Any, want: Any) -> None:
        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want)):
            self.assertLess(abs(g - w).max() / (1 + abs(w).max()), 1e-5)

    def derivatives(self, f: Function, x: Any, v: Any, twice: bool) -> None:
        """Of phi, the sum of all results of f times numbers, along v: phi' and the gradient by differences of phi, and from differences of the gradient phi'' v by
        forward over reverse mode; with TESELA_TEST_ALL by reverse over reverse and reverse over forward, and v phi'' v by forward over forward."""
        weights = [random(r.shape, np.dtype(r.dtype).char, i) for i, r in enumerate(jax.tree.leaves(jax.eval_shape(f, *x)))]
        phi = lambda x: dot(weights, f(*x))  # noqa: E731
        slope = lambda x: jax.jvp(phi, (x,), (v,))[1]  # noqa: E731
        gradient = jax.grad(phi)

        @jax.jit
        def first(x: Any) -> Any:
            return phi(x), slope(x), gradient(x)

        @jax.jit
        def second(x: Any) -> Any:
            along = jax.jvp(gradient, (x,), (v,))[1]
            if not EVERYTHING:
                return (along,), ()
            return (along, jax.grad(lambda x: dot(gradient(x), v))(x), jax.grad(slope)(x)), (jax.jvp(slope, (x,), (v,))[1],)

        step = 1e-5
        ahead, behind = (first(tuple(p + sign * step * q for p, q in zip(x, v))) for sign in (1, -1))
        by_difference = jax.tree.map(lambda p, q: (p - q) / (2 * step), ahead, behind)
        _, slope_here, gradient_here = first(x)
        self.near((slope_here, dot(gradient_here, v)), (by_difference[0], by_difference[0]))
        if not twice:
            return
        ways, bent = second(x)
        for way in ways:
            self.near(way, by_difference[2])
        self.near(bent, by_difference[1:2] if bent else ())

    def test_both_orders(self) -> None:
        """Second ones of complex matrices with TESELA_TEST_ALL."""
        for dtype in ("d", "D"):
            x = random((2, 4, 4), dtype) + 3 * np.eye(4, dtype=dtype), random((2, 4, 3), dtype, 1)
            v = random((2, 4, 4), dtype, 2), random((2, 4, 3), dtype, 3)
            for name, f in functions():
                with self.subTest(name, dtype=dtype), jax.default_matmul_precision("highest"):
                    self.derivatives(f, x, v, dtype == "d" or EVERYTHING)

    def test_det_of_singular_matrices(self) -> None:
        singular = np.outer(np.arange(1, 5.0), np.arange(2, 6.0)) + np.diag([0, 0, 1, 2.0])
        singular[0] = singular[1] * 2
        adjugate = jax.grad(ours.det)(singular)
        steps = [[(np.linalg.det(singular + 1e-3 * np.outer(e, f)) - np.linalg.det(singular - 1e-3 * np.outer(e, f))) / 2e-3 for f in np.eye(4)] for e in np.eye(4)]
        self.close(adjugate, np.array(steps), "f", 10)

    def test_derivatives_under_vmap(self) -> None:
        a = random((3, 4, 4), "d") + 3 * np.eye(4)
        for f in (lambda x: ours.det(x) + ours.slogdet(x)[1] + (ours.solve(x, x[:, :2] ** 2) ** 2).sum() + ours.eigvalsh(x @ x.T)[0],
                  lambda x: (ours.cholesky(x @ x.T) ** 3).sum() + ours.qr(x)[0][0, 0] + ours.svdvals(x)[1]):
            for g in (jax.grad(f), jax.hessian(f)):
                one = jax.jit(g)
                self.close(jax.jit(jax.vmap(g))(a), np.stack([one(x) for x in a]), "d", 1e6)


if __name__ == "__main__":
    unittest.main()
