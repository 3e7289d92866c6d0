"""tesela.torch: first and second derivatives by differences, torch.func, torch.compile, and a training loop."""

from __future__ import annotations

import math
import unittest
from typing import Any, Callable, Iterator

import numpy as np
from common import Case, need

torch: Any = None
ours: Any = None

Function = Callable[..., Any]


def setUpModule() -> None:
    global torch, ours
    torch = need("torch")
    import tesela.torch as found

    ours = found


def hermitian(a: Any) -> Any:
    return (a + a.mH) / 2


def definite(a: Any) -> Any:
    return a @ a.mH + 2 * torch.eye(a.shape[-1], dtype=a.dtype)


def numbered(a: Any) -> Any:
    """Columns times 1, 2, ..: so that what is made of vectors depends on each."""
    return a * torch.arange(1, a.shape[-1] + 1)


def of_eigh(r: Any) -> Any:
    return r[0], r[1].abs(), numbered(r[1]) @ r[1].mH


def of_svd(r: Any) -> Any:
    """What does not depend on the vectors' free phase."""
    k = r.S.shape[-1]
    U, Vh = r.U[..., :k], r.Vh[..., :k, :]
    return r.S, numbered(U) @ Vh, U.abs(), Vh.abs(), numbered(U) @ U.mH


def square() -> Iterator[tuple[str, Function, tuple[tuple[int, ...], ...]]]:
    n = 3
    one, two, column, row = (n, n), (2, n, n), (2, n, 2), (2, 2, n)
    for upper in (False, True):
        yield f"cholesky {upper}", lambda a: ours.cholesky(definite(a), upper=upper), (two,)
        for left in (False, True):
            for unit in (False, True):
                yield (f"solve_triangular {upper} {left} {unit}", lambda a, b: ours.solve_triangular(a, b, upper=upper, left=left, unitriangular=unit),
                       (one, column if left else row))
    yield "cholesky_ex", lambda a: ours.cholesky_ex(definite(a)).L, (one,)
    yield "solve", ours.solve, (two, column)
    yield "solve broadcast", ours.solve, ((2, 1, n, n), column)
    yield "solve vector", ours.solve, (one, (n,))
    yield "solve left", lambda a, b: ours.solve(a, b, left=False), (two, row)
    yield "solve_ex", lambda a, b: ours.solve_ex(a, b).result, (two, column)
    for adjoint in (False, True):
        yield f"lu_solve {adjoint}", lambda a, b: ours.lu_solve(*ours.lu_factor(a), b, adjoint=adjoint), (two, column)
        yield f"lu_solve left {adjoint}", lambda a, b: ours.lu_solve(*ours.lu_factor(a), b, left=False, adjoint=adjoint), (two, row)
        yield f"lu_solve stack {adjoint}", lambda a, b: ours.lu_solve(*ours.lu_factor(a), b, adjoint=adjoint), (one, column)
        yield f"lu_solve of b {adjoint}", lambda b: ours.lu_solve(*ours.lu_factor(3 * torch.eye(n, dtype=b.dtype) + 1), b, adjoint=adjoint), (column,)
    yield "inv", ours.inv, (two,)
    yield "inv_ex", lambda a: ours.inv_ex(a).inverse, (one,)
    yield "det", ours.det, (two,)
    yield "slogdet", ours.slogdet, (two,)
    yield "matrix_exp", ours.matrix_exp, (two,)
    yield "eigh", lambda a: of_eigh(ours.eigh(hermitian(a))), (two,)
    yield "eigh U", lambda a: of_eigh(ours.eigh(hermitian(a), "U")), (one,)
    yield "eigvalsh", lambda a: ours.eigvalsh(hermitian(a)), (two,)
    yield "eig", lambda a: (lambda r: (r[0].abs(), r[1].abs()))(ours.eig(a)), (two,)
    yield "eigvals", ours.eigvals, (two,)
    yield "pinv hermitian", lambda a: ours.pinv(hermitian(a), hermitian=True), (two,)
    for p in ("fro", "nuc", 1, -1, -2, math.inf, -math.inf):
        yield f"cond {p}", lambda a: ours.cond(a, p), (two,)
    yield "qr complete", lambda a: tuple(ours.qr(a, "complete")), ((n, 5),)
    yield "householder_product", ours.householder_product, ((2, 5, n), (2, n))


def of_any_shape(shape: tuple[int, ...]) -> Iterator[tuple[str, Function, tuple[tuple[int, ...], ...]]]:
    right = shape[:-1] + (2,)
    yield "lu", lambda a: ours.lu(a)[1:], (shape,)
    yield "lu_factor", lambda a: ours.lu_factor(a).LU, (shape,)
    yield "lu_factor_ex", lambda a: ours.lu_factor_ex(a).LU, (shape,)
    yield "qr", lambda a: tuple(ours.qr(a)), (shape,)
    yield "pinv", ours.pinv, (shape,)
    yield "pinv atol", lambda a: ours.pinv(a, atol=torch.full(shape[:-2], 1e-9, dtype=torch.float64)), (shape,)
    yield "svd", lambda a: of_svd(ours.svd(a, full_matrices=False)), (shape,)
    yield "svd full", lambda a: of_svd(ours.svd(a)), (shape,)
    yield "svdvals", ours.svdvals, (shape,)
    yield "lstsq", lambda a, b: ours.lstsq(a, b).solution, (shape, right)
    yield "lstsq gelsd", lambda a, b: ours.lstsq(a, b, driver="gelsd").solution, (shape, right)
    if shape[-2] > shape[-1]:
        yield "lstsq residuals", lambda a, b: ours.lstsq(a, b, driver="gels")[:2], (shape, right)
        yield "lstsq gelsd residuals", lambda a, b: ours.lstsq(a, b, driver="gelsd")[:2], (shape, right)
    yield "cond", ours.cond, (shape,)
    for ord in ("fro", "nuc", 2, -2, 1, -1, math.inf, -math.inf):
        yield f"matrix_norm {ord}", lambda a: ours.matrix_norm(a, ord), (shape,)


def unlike(m: Any) -> Iterator[tuple[str, Function]]:
    """Of a square matrix and right-hand sides, by torch.linalg or by us: all that is differentiated, and does not depend on phases."""
    yield "cholesky", lambda a, b: m.cholesky(definite(a))
    yield "cholesky_ex", lambda a, b: m.cholesky_ex(definite(a), upper=True).L
    yield "solve", m.solve
    yield "solve left", lambda a, b: m.solve(a, b.mT, left=False)
    yield "solve_ex", lambda a, b: m.solve_ex(a, b[..., 0]).result
    yield "solve_triangular", lambda a, b: m.solve_triangular(a, b, upper=True)
    yield "inv", lambda a, b: m.inv(a)
    yield "inv_ex", lambda a, b: m.inv_ex(a).inverse
    for rows, columns in ((4, 4), (4, 2), (2, 4)):
        yield f"lu {rows} {columns}", lambda a, b: m.lu(a[..., :rows, :columns])[1:]
        yield f"lu_factor {rows} {columns}", lambda a, b: m.lu_factor(a[..., :rows, :columns]).LU
        yield f"svd {rows} {columns}", lambda a, b: (lambda r: (r.S, numbered(r.U) @ r.Vh, r.U.abs()))(m.svd(a[..., :rows, :columns], full_matrices=False))
        yield f"svdvals {rows} {columns}", lambda a, b: m.svdvals(a[..., :rows, :columns])
        yield f"pinv {rows} {columns}", lambda a, b: m.pinv(a[..., :rows, :columns])
        yield f"pinv atol {rows} {columns}", lambda a, b: m.pinv(a[..., :rows, :columns], atol=1e-6)
        yield f"lstsq {rows} {columns}", lambda a, b: m.lstsq(a[..., :rows, :columns], b[..., :rows, :], driver="gels")[:2 if rows > columns else 1]
        yield f"cond {rows} {columns}", lambda a, b: m.cond(a[..., :rows, :columns])
        yield f"matrix_norm {rows} {columns}", lambda a, b: m.matrix_norm(a[..., :rows, :columns], "nuc")
    yield "lu_factor_ex", lambda a, b: m.lu_factor_ex(a).LU
    for adjoint in (False, True):
        yield f"lu_solve {adjoint}", lambda a, b: m.lu_solve(*m.lu_factor(a), b, adjoint=adjoint)
    yield "lu_solve left", lambda a, b: m.lu_solve(*m.lu_factor(a), b.mH, left=False)
    yield "qr", lambda a, b: tuple(m.qr(b))
    yield "qr wide", lambda a, b: tuple(m.qr(a[..., :3, :], "complete"))
    yield "det", lambda a, b: m.det(a)
    yield "slogdet", lambda a, b: m.slogdet(a)
    yield "matrix_exp", lambda a, b: m.matrix_exp(a)
    yield "eigh", lambda a, b: (lambda r: (r[0], r[1].abs(), numbered(r[1]) @ r[1].mH))(m.eigh(hermitian(a)))
    yield "eigvalsh", lambda a, b: m.eigvalsh(hermitian(a))
    yield "eigvals", lambda a, b: m.eigvals(a).abs().sum(-1)
    yield "eig", lambda a, b: m.eig(a).eigenvectors.abs().sum((-1, -2))
    yield "householder_product", lambda a, b: m.householder_product(b, a[..., 0, :2])


class Gradients(Case):
    def test_names(self) -> None:
        """Every function is looked at below, but those that have no derivative: of these `test_none` asks, and ranks are whole numbers."""
        without = {"ldl_factor", "ldl_factor_ex", "ldl_solve", "matrix_rank", "LinAlgError", "use"}
        by_differences = {name.split()[0] for name, _, _ in (*square(), *of_any_shape((3, 3)))}
        self.assertEqual(set(ours.__all__) - without - by_differences, set())
        self.assertEqual(set(ours.__all__) - without - {name.split()[0] for name, _ in unlike(ours)}, set())

    def check(self, functions: Iterator[tuple[str, Function, tuple[tuple[int, ...], ...]]]) -> None:
        for name, f, shapes in functions:
            for dtype in (torch.float64, torch.complex128):
                rng = torch.Generator().manual_seed(3)
                args = [torch.randn(*shape, dtype=dtype, generator=rng).requires_grad_() for shape in shapes]
                with self.subTest(name, dtype=dtype, shapes=shapes):
                    self.assertTrue(torch.autograd.gradcheck(f, args, check_forward_ad=name != "svd full" or shapes[0][-1] == shapes[0][-2]))
                    self.assertTrue(torch.autograd.gradgradcheck(f, args))

    def test_square(self) -> None:
        self.check(square())

    def test_shapes(self) -> None:
        for shape in ((3, 3), (2, 5, 3), (3, 5)):
            self.check(of_any_shape(shape))

    def test_singular_determinant(self) -> None:
        a = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]], dtype=torch.float64)
        self.close(*[torch.autograd.functional.jacobian(det, a).numpy() for det in (ours.det, torch.linalg.det)], "d", 10)

    def test_none(self) -> None:
        """What has no derivative says so."""
        a = torch.randn(5, 3, dtype=torch.float64, requires_grad=True)
        for f in (lambda: ours.qr(a, "complete").Q, lambda: ours.qr(a, "r").R, lambda: ours.ldl_factor(a @ a.mT).LD):
            with self.assertRaises(RuntimeError):
                f().sum().backward()
        with torch.autograd.forward_ad.dual_level():
            dual = torch.autograd.forward_ad.make_dual(torch.eye(3), torch.eye(3))
            for f in (ours.ldl_factor, lambda x: ours.ldl_solve(torch.eye(3), torch.ones(3, dtype=torch.int32), x), lambda x: ours.svd(x[:2]), lambda x: ours.qr(x, "r")):
                with self.assertRaisesRegex(NotImplementedError, "forward"):
                    f(dual)

    def alike(self, got: Any, want: Any) -> None:
        for t, w in zip(self.several(got), self.several(want)):
            t, w = (torch.zeros(()) if x is None else x for x in (t, w))
            self.close(t.resolve_conj().numpy() + np.zeros(w.shape), w.resolve_conj().numpy() + np.zeros(t.shape), "d", 1e5)

    def test_forward_mode(self) -> None:
        """Tangents: torch.linalg's, of dual numbers, of torch.func.jvp and under vmap."""
        jvp, fwd = torch.func.jvp, torch.autograd.forward_ad
        for dtype in (torch.float64, torch.complex128):
            make = torch.Generator().manual_seed(0)
            a, b, da, db = (torch.randn(3, 4, n, dtype=dtype, generator=make) for n in (4, 2, 4, 2))
            a = a + 3 * torch.eye(4)
            for (name, f), (_, theirs) in zip(unlike(ours), unlike(torch.linalg)):
                with self.subTest(name, dtype=dtype):
                    want = jvp(theirs, (a, b), (da, db))[1]
                    self.alike(jvp(f, (a, b), (da, db))[1], want)
                    self.alike(torch.vmap(lambda *t: jvp(f, t[:2], t[2:])[1])(a, b, da, db), want)
                    with fwd.dual_level():
                        self.alike([fwd.unpack_dual(t).tangent for t in self.several(f(fwd.make_dual(a, da), fwd.make_dual(b, db)))], want)

    def test_transforms(self) -> None:
        """vmap, gradients under it, and second derivatives by forward over reverse mode: torch.linalg's."""
        make = torch.Generator().manual_seed(0)
        a, b = (torch.randn(3, 4, n, dtype=torch.float64, generator=make) for n in (4, 2))
        a = a + 3 * torch.eye(4)
        total = lambda f: lambda *x: sum((t.abs() ** 2).sum() for t in self.several(f(*x)))  # noqa: E731
        for (name, f), (_, theirs) in zip(unlike(ours), unlike(torch.linalg)):
            with self.subTest(name):
                self.alike(torch.vmap(f)(a, b), torch.vmap(theirs)(a, b))
                self.alike(torch.vmap(torch.func.grad(total(f), (0, 1)))(a, b), torch.vmap(torch.func.grad(total(theirs), (0, 1)))(a, b))
                self.alike(torch.func.hessian(total(f))(a[0], b[0]), torch.func.hessian(total(theirs))(a[0], b[0]))

    def several(self, t: Any) -> Any:
        return t if isinstance(t, (tuple, list)) else (t,)

    def test_func(self) -> None:
        """vmap, and gradients under it."""
        a = torch.randn(4, 3, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        s, b = a @ a.mT + torch.eye(3), a[0, :, :2]

        def value(linalg: Any) -> Function:
            return lambda x: linalg.slogdet(x)[1] + linalg.eigvalsh(x + x.mT)[0] + linalg.solve(x, b).sum() + linalg.svdvals(x).sum()

        for f in (lambda m: torch.vmap(m.cholesky)(s), lambda m: torch.vmap(m.solve, in_dims=(0, None))(a, b), lambda m: torch.vmap(lambda x: m.eigh(x)[0])(s),
                  lambda m: torch.vmap(m.inv, in_dims=1)(a.movedim(0, 1)), lambda m: torch.vmap(torch.func.grad(value(m)))(s),
                  lambda m: torch.vmap(lambda x: m.qr(x).R)(a), lambda m: torch.vmap(torch.vmap(m.det))(a.unsqueeze(0)),
                  lambda m: torch.func.jacrev(torch.func.grad(value(m)))(s[0]), lambda m: torch.vmap(lambda x: m.cholesky_ex(x).info)(-s)):
            self.close(f(ours).numpy(), f(torch.linalg).numpy(), "d", 1000)

    def test_compiled(self) -> None:
        """In one graph, and to the same gradients; the rules for shapes tell the truth."""
        a = torch.randn(4, 3, 3, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        b, s = a[..., :2].clone(), definite(a)
        ops = torch.ops.tesela
        for op, *args in ((ops.cholesky, s, False, True), (ops.solve, a, b, False), (ops.solve_triangular, a, b, True, False), (ops.inv, a, True), (ops.qr, a, "reduced"),
                          (ops.svd, a, True, True, 0), (ops.eigh, s, True, True), (ops.eig, a, True), (ops.slogdet, a), (ops.det, a), (ops.lstsq, a, b, True), (ops.lstsq, a, b, False),
                          (ops.lu_factor, a, 0), (ops.pinv, a, -1.0), (ops.matrix_exp, a), (ops.svd, a[0], True, True, 0), (ops.svd, a[0, :, :2], False, True, 0),
                          (ops.matrix_exp, a[0]), (ops.qr, a[0], "complete"), (ops.solve, a[0], b[0], True)):
            with self.subTest(str(op)):
                torch.library.opcheck(op, tuple(x.clone().requires_grad_() if isinstance(x, torch.Tensor) else x for x in args))

        f, p, _ = ops.lu_factor(a, 0)
        _, F, P, _ = ops.solve(a, b, False)
        LD, q, _ = ops.ldl_factor(s, False, 0)
        for op, *args in ((ops.lu_solve, f, p, b, False), (ops.lu_solve, f[0], p[0], b[0], True), (ops.solve_factored, a, F, P, b, True), (ops.ldl_factor, s, True, 0),
                          (ops.ldl_factor, s[0], False, 0), (ops.ldl_solve, LD, q, b, False), (ops.householder_product, b, b[..., 0, :].clone()),
                          (ops.pinv_limits, a, torch.full((4, 1), 1e-9, dtype=torch.float64)), (ops.eigh, s, True, False), (ops.eig, a, False), (ops.svd, a, False, False, 0)):
            with self.subTest(str(op), gradients=False):
                torch.library.opcheck(op, tuple(x.clone() if isinstance(x, torch.Tensor) else x for x in args))

        def value(linalg: Any) -> Function:
            return lambda x: (linalg.solve(x, b).sum() + linalg.eigh(x + x.mT).eigenvalues[..., 0].sum() + linalg.cholesky(definite(x)).sum() + linalg.svd(x).S.sum()
                              + linalg.qr(x).R.sum() + linalg.slogdet(x).logabsdet.sum() + linalg.inv(x).sum())

        gradients = []
        for f in (torch.compile(value(ours), fullgraph=True, backend="aot_eager"), value(torch.linalg)):
            x = a.clone().requires_grad_()
            f(x).backward()
            gradients.append(x.grad.numpy())
        self.close(*gradients, "d", 1000)

    def test_use(self) -> None:
        a = torch.eye(3) * 2
        theirs = torch.linalg.inv
        with ours.use():
            with ours.use():
                self.assertIsNot(torch.linalg.inv, theirs)
            self.assertIsNot(torch.linalg.inv, theirs)
            self.assertIs(type(torch.linalg.inv_ex(a)), type(ours.inv_ex(a)))
            with self.assertRaises((NotImplementedError, RuntimeError)):  # theirs
                torch.linalg.inv(a.half())
        self.assertIs(torch.linalg.inv, theirs)
        on = ours.use()
        self.assertIsNot(torch.linalg.svd, torch.linalg.inv)
        self.assertIs(type(torch.linalg.svd(a)), type(ours.svd(a)))
        on.off()
        on.off()
        self.assertIs(torch.linalg.inv, theirs)

    def test_training(self) -> None:
        self.training("cpu")

    def training(self, device: str) -> None:
        """200 steps through eigh and solve: torch.linalg's losses."""
        def losses(linalg: Any) -> list[float]:
            rng = torch.Generator().manual_seed(0)
            a = torch.randn(4, 6, 6, dtype=torch.float64, generator=rng).to(device).requires_grad_()
            wanted, b = torch.linspace(-2, 2, 6, dtype=torch.float64, device=device), torch.randn(4, 6, 1, dtype=torch.float64, generator=rng).to(device)
            found, optimizer = [], torch.optim.SGD([a], lr=0.02)
            for _ in range(200):
                optimizer.zero_grad()
                s = hermitian(a)
                w, v = linalg.eigh(s)
                x = linalg.solve(s @ s + torch.eye(6, dtype=torch.float64, device=device), b)
                loss = ((w - wanted) ** 2).sum() + (x ** 2).sum() + 0.1 * (v[..., :, 0] ** 4).sum()
                loss.backward()
                optimizer.step()
                found.append(float(loss.detach()))
            return found

        mine, theirs = losses(ours), losses(torch.linalg)
        self.assertLess(mine[-1], mine[0] / 2)
        self.close(mine, theirs, "d", 1e4)


if __name__ == "__main__":
    unittest.main()
