"""NumPy's and SciPy's names that follow from others: beside theirs, and by what they promise."""

from __future__ import annotations

import ast
import re
import unittest
from pathlib import Path
from typing import Any, Iterator

import numpy as np
from common import Case, need, random

import tesela


def adjoint(a: Any) -> Any:
    return a.conj().swapaxes(-1, -2)


def exported(file: Path) -> set[str]:
    """__all__ of a module that may not be importable here."""
    (names,) = [node.value for node in ast.parse(file.read_text()).body if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"]
    return set(ast.literal_eval(names))


class Numpys(Case):
    def test_norms(self) -> None:
        for dtype in "dF":
            a = random((2, 3, 4, 4), dtype)
            for ord in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
                for keepdims in (False, True):
                    self.close(tesela.norm(a, ord, axis=(1, 3), keepdims=keepdims), np.linalg.norm(a, ord, axis=(1, 3), keepdims=keepdims), dtype)
                    self.close(tesela.matrix_norm(a, ord=ord or "fro", keepdims=keepdims), np.linalg.norm(a, ord or "fro", (-2, -1), keepdims), dtype)
                self.close(tesela.cond(a, ord), np.linalg.cond(a, ord), dtype, 100)
            for order in (None, 0, 1, 2, 3, -1, 0.5, np.inf, -np.inf):
                self.close(tesela.norm(a, order, axis=2), np.linalg.norm(a, order, axis=2), dtype, 10)
                self.close(tesela.norm(a[0, 0, 0], order), np.linalg.norm(a[0, 0, 0], order), dtype, 10)
                flat = np.moveaxis(a, (1, 3), (0, 1)).reshape(3, 4, 8)
                want = np.linalg.norm(flat, 2 if order is None else order, axis=-1)
                self.close(tesela.vector_norm(a, axis=(0, 2), ord=2 if order is None else order), want, dtype, 10)
                self.assertEqual(tesela.vector_norm(a, axis=(0, 2), keepdims=True).shape, (1, 3, 1, 4))
            self.close(tesela.norm(a, keepdims=True), np.linalg.norm(a, keepdims=True), dtype)
            for none in (a[:0], a[:, :, :0], a[..., :0]):
                for axis in (1, 3, (1, 3), (2, 3)):
                    self.close(tesela.norm(none, axis=axis), np.linalg.norm(none, axis=axis), dtype)
            self.assertRaises(ValueError, tesela.norm, a, "nuc", axis=1)
            self.assertRaises(ValueError, tesela.norm, a, 3, axis=(0, 1))
            self.assertRaises(ValueError, tesela.norm, a, 1, axis=(1, 1))
            self.assertRaises(ValueError, tesela.norm, a, 1, axis=(0, 1, 2))
            self.assertRaises(IndexError, tesela.norm, a, 1, axis=7)  # NumPy's AxisError is one

    def test_products(self) -> None:
        for dtype in "dF":
            a = random((2, 3, 4, 4), dtype)
            for n in (-3, -1, 0, 1, 2, 7):
                self.close(tesela.matrix_power(a, n), np.linalg.matrix_power(a, n), dtype, 1e5)
            parts = [random(shape, dtype) for shape in ((3,), (3, 8), (8, 2), (2, 6), (6,))]
            for chosen in (parts, parts[1:], parts[:-1], parts[1:-1], parts[1:3]):
                self.close(tesela.multi_dot(chosen), np.linalg.multi_dot(chosen), dtype, 10)
            t, b, four = random((2, 3, 6), dtype), random((2, 3), dtype), random((4, 6, 8, 3), dtype)
            self.close(tesela.tensorsolve(t, b), np.linalg.tensorsolve(t, b), dtype, 100)
            self.close(tesela.tensorsolve(np.moveaxis(t, 0, 2), b, axes=(1,)), np.linalg.tensorsolve(np.moveaxis(t, 0, 2), b, axes=(1,)), dtype, 100)
            self.close(tesela.tensorinv(four), np.linalg.tensorinv(four), dtype, 1000)
            for axes in (1, ((2, 0), (0, 1))):
                self.close(tesela.tensordot(a, np.moveaxis(a, 2, 0), axes=axes), np.tensordot(a, np.moveaxis(a, 2, 0), axes), dtype, 10)
            v = random((5, 3), dtype)
            self.close(tesela.outer(v[0], v[1]), np.outer(v[0], v[1]), dtype)
            self.close(tesela.cross(v, v[::-1]), np.cross(v, v[::-1]), dtype)
            self.close(tesela.vecdot(v, v[::-1]), (v.conj() * v[::-1]).sum(-1), dtype)
            self.close(tesela.diagonal(a, offset=1), np.diagonal(a, 1, -2, -1), dtype)
            self.close(tesela.trace(a, offset=-1), np.trace(a, -1, -2, -1), dtype)
            self.close(tesela.matrix_transpose(a), a.swapaxes(-1, -2), dtype)
        self.assertRaises(ValueError, tesela.matrix_power, a[..., :2], 2)
        self.assertRaises(TypeError, tesela.matrix_power, a, 0.5)
        self.assertRaises(ValueError, tesela.multi_dot, [a[0, 0]])
        self.assertRaises(ValueError, tesela.tensorinv, four, 0)
        self.assertRaises(ValueError, tesela.cross, v[:, :2], v[:, :2])

    def test_spellings(self) -> None:
        a = random((2, 3, 5, 4), "d")
        for x in (a, a[0, 0], a[..., :3, :], a[0, 0, :3]):
            for mode in ("reduced", "complete"):
                for got in (tesela.qr(x, mode), tesela.qr(x, mode=mode)):
                    each = np.stack([np.concatenate([p.ravel() for p in np.linalg.qr(m, mode)]) for m in x.reshape(-1, *x.shape[-2:])])
                    mine = np.stack([np.concatenate([q.ravel(), r.ravel()]) for q, r in zip(*(p.reshape(-1, *p.shape[-2:]) for p in (got.Q, got.R)))])
                    self.close(mine, each, "d", 10)
            R = tesela.qr(x, "r")
            self.close(R, tesela.qr(x, "reduced").R, "d", 10)
        self.assertRaises(ValueError, tesela.qr, a, "full_")
        self.assertEqual(len(tesela.qr(a[0, 0], mode="r")), 1)  # SciPy's
        s = a[..., :4, :] @ adjoint(a[..., :4, :]) + np.eye(4)
        for x in (s, s[0, 0]):
            self.close(tesela.cholesky(x, upper=False), np.linalg.cholesky(x), "d")
            self.close(tesela.cholesky(x, upper=True), adjoint(np.linalg.cholesky(x)), "d")
            for UPLO in "LU":
                self.close(tesela.eigh(x, UPLO)[0], np.linalg.eigvalsh(x), "d", 10)
                self.close(tesela.eigvalsh(x, UPLO), np.linalg.eigvalsh(x), "d", 10)
        self.assertRaises(ValueError, tesela.eigh, s, "X")

    def test_every_name(self) -> None:
        """Of both libraries is here, or says why not."""
        modules = [np.linalg]
        try:
            modules.append(need("scipy.linalg"))
        except unittest.SkipTest:
            pass
        for module in modules:
            for name in dir(module):
                if not name.startswith("_") and callable(getattr(module, name)) and name != "test" and not hasattr(tesela, name):
                    with self.assertRaisesRegex(AttributeError, f"tesela has no {name}: .*"):
                        getattr(tesela, name)
        self.assertRaisesRegex(AttributeError, "module 'tesela' has no attribute", lambda: tesela.no_such_name)  # type: ignore[attr-defined]

    def test_the_page(self) -> None:
        """Its tables have every name of both libraries, in the column where it belongs."""
        page = Path(__file__).resolve().parent.parent.parent / "docs" / "python.md"
        if not page.exists():
            raise unittest.SkipTest("the page is not beside the package")
        of_numpy, more = page.read_text().partition("## Every name")[2].split("Of scipy.linalg:")
        of_scipy, others = more.split("Of torch.linalg")
        ours, not_ours = [set[str](), set[str]()], set[str]()
        for i, table in enumerate((of_numpy, of_scipy)):
            for row in table.splitlines():
                cells = [set(re.findall(r"`(\w+)[`(]", cell)) for cell in row.split("|")[2:]]
                if cells:
                    ours[i] |= cells[0]
                    not_ours |= cells[1]
        for name in ours[0] | ours[1]:
            self.assertTrue(hasattr(tesela, name), name)
        for name in not_ours:
            self.assertRaisesRegex(AttributeError, f"tesela has no {name}: .*", getattr, tesela, name)
        self.assertLessEqual({name for name in dir(np.linalg) if callable(getattr(np.linalg, name)) and not name.startswith("_")} - {"test"}, ours[0])
        tables = {}
        for row in others.splitlines():
            cells = row.split("|")
            if len(cells) > 3 and "`" in row:
                tables[cells[1].strip()] = [set(re.findall(r"`(\w+)`", cell)) for cell in cells[2:4]]
        for module, theirs in (("torch", ("torch.linalg",)), ("jax", ("jax.numpy.linalg", "jax.scipy.linalg"))):
            listed = [set[str]().union(*(tables[name][column] for name in theirs)) for column in (0, 1)]
            self.assertEqual(listed[0], exported(page.parent.parent / "python" / "tesela" / module / "__init__.py") - {"use"})
            self.assertFalse(listed[0] & listed[1])
        theirs = need("scipy.linalg")
        there = {name for name in theirs.__all__ if callable(getattr(theirs, name))} - {"tri", "tril", "triu", "kron", "test"}  # older ones had NumPy's, too
        self.assertLessEqual(there, ours[1] | not_ours)


class Scipys(Case):
    def setUp(self) -> None:
        self.theirs = need("scipy.linalg")

    def matrices(self) -> Iterator[tuple[str, Any, Any, Any]]:
        for dtype in "dD":
            a, e = random((5, 5), dtype) / 2, random((5, 5), dtype, 1)
            yield dtype, a, e, a @ adjoint(a) + np.eye(5)

    def test_functions(self) -> None:
        for dtype, a, e, p in self.matrices():
            for name in ("cosm", "sinm", "tanm", "coshm", "sinhm", "tanhm", "signm"):
                with self.subTest(name, dtype=dtype):
                    self.close(getattr(tesela, name)(a), getattr(self.theirs, name)(a), dtype, 1e4)
            self.close(tesela.cosm(a) @ tesela.cosm(a) + tesela.sinm(a) @ tesela.sinm(a), np.eye(5), dtype, 10)
            self.close(tesela.funm(a, np.exp), self.theirs.expm(a), dtype, 1e5)
            self.assertLess(tesela.signm(a, disp=False)[1], 1e-10)
            self.assertLess(tesela.funm(a, np.exp, disp=False)[1], 1e-10)
            for t in (0.5, -1.3, 2, -2, 2.7):
                self.close(tesela.fractional_matrix_power(p, t), self.theirs.fractional_matrix_power(p, t), dtype, 1e4)
            for got, want in zip(tesela.expm_frechet(a, e), self.theirs.expm_frechet(a, e)):
                self.close(got, want, dtype, 100)
            self.close(tesela.expm_cond(a), self.theirs.expm_cond(a), dtype, 1e4)
        self.assertRaises(tesela.LinAlgError, tesela.signm, np.zeros((2, 2)))
        self.assertRaises(ValueError, tesela.cosm, np.ones((2, 3)))
        self.assertRaises(ValueError, tesela.expm_frechet, np.eye(2), np.eye(3))

    def test_qr(self) -> None:
        for dtype, _, e, _ in self.matrices():
            for m, n in ((5, 5), (5, 3), (3, 5)):
                a = e[:m, :n]
                for mode in ("full", "economic"):
                    R, Q = tesela.rq(a, mode=mode)
                    want = self.theirs.rq(a, mode=mode)
                    self.assertEqual((R.shape, Q.shape), (want[0].shape, want[1].shape))
                    self.close(R @ Q, a, dtype, 10)
                    self.close(Q @ adjoint(Q), np.eye(len(Q)), dtype, 10)
                    self.close(np.abs(R), np.abs(want[0]), dtype, 10)
                    q, r = self.theirs.qr(a, mode=mode)
                    u, v = random((m, 2), dtype, 2), random((n, 2), dtype, 3)
                    self.factors(tesela.qr_update(q, r, u, v), a + u @ adjoint(v), mode, dtype)
                    self.factors(tesela.qr_update(q, r, u[:, 0], v[:, 0]), a + np.outer(u[:, 0], v[:, 0].conj()), mode, dtype)
                    for k in (0, 1, -1):
                        self.factors(tesela.qr_insert(q, r, v[:, 0], k), np.insert(a, k, v[:, 0], 0), mode, dtype)
                        self.factors(tesela.qr_insert(q, r, u[:, 0], k, "col"), np.insert(a, k, u[:, 0], 1), mode, dtype)
                        for which, axis in (("row", 0), ("col", 1)):
                            self.factors(tesela.qr_delete(q, r, k, which=which), np.delete(a, k, axis), mode, dtype)
                    self.factors(tesela.qr_delete(q, r, 0, 2), a[2:], mode, dtype)
                self.close(np.abs(tesela.rq(a, mode="r")), np.abs(self.theirs.rq(a, mode="r")), dtype, 10)
                for pivoting in (False, True):
                    for mode, c in (("left", random((min(m, n), 2), dtype)), ("right", random((2, m), dtype))):
                        for got, want in zip(tesela.qr_multiply(a, c, mode, pivoting), self.theirs.qr_multiply(a, c, mode, pivoting)):
                            self.close(got, want, dtype, 10)
        self.assertRaises(ValueError, tesela.qr_insert, q, r, u[:, 0], 9)
        self.assertRaises(ValueError, tesela.qr_delete, q, r, 9)
        self.assertRaises(ValueError, tesela.rq, a, mode="raw")

    def factors(self, pair: Any, a: Any, mode: str, dtype: str) -> None:
        Q, R = pair
        self.assertEqual(Q.shape[1], a.shape[0] if mode == "full" or a.shape[0] < a.shape[1] else Q.shape[1])
        self.close(Q @ R, a, dtype, 10)
        self.close(adjoint(Q) @ Q, np.eye(Q.shape[1]), dtype, 10)
        self.close(np.tril(R, -1), np.zeros_like(R), dtype)

    def test_forms(self) -> None:
        for dtype, a, e, _ in self.matrices():
            h = a + adjoint(a)
            self.close(tesela.pinvh(h), self.theirs.pinvh(h), dtype, 100)
            self.close(tesela.pinvh(np.triu(h), lower=False), self.theirs.pinvh(h), dtype, 100)
            bad = np.diag(10.0 ** np.arange(5)) @ e @ np.diag(10.0 ** -np.arange(5))
            bad[2] = 0
            bad[2, 2] = 3
            B, T = tesela.matrix_balance(bad)
            self.close(T @ B @ np.linalg.inv(T), bad, dtype, 1e3)
            self.assertLess(np.linalg.norm(B), np.linalg.norm(bad) / 50)
            self.assertEqual(np.count_nonzero(np.tril(B, -1)[4]), 0)  # the row by itself is the last
            _, (scales, order) = tesela.matrix_balance(bad, separate=True)
            rebuilt = np.zeros((5, 5))
            rebuilt[order, np.arange(5)] = scales
            self.close(rebuilt, T, dtype)
            self.close(tesela.subspace_angles(a[:, :2], e[:, :3]), self.theirs.subspace_angles(a[:, :2], e[:, :3]), dtype, 10)
        a, e = random((5, 5), "d"), random((5, 5), "d", 1)
        for got, want in zip(tesela.orthogonal_procrustes(a, e), self.theirs.orthogonal_procrustes(a, e)):
            self.close(got, want, "d", 10)
        t, z = tesela.rsf2csf(*self.theirs.schur(a))
        self.close(z @ t @ adjoint(z), a, "d", 10)
        self.close(np.tril(t, -1), np.zeros((5, 5)), "d")
        stack = random((2, 5, 5), "d")
        w, v = np.linalg.eig(stack)
        for one in ((w[0], v[0], stack[0]), (w, v, stack)):
            wr, vr = tesela.cdf2rdf(*one[:2])
            self.assertEqual((wr.dtype, vr.dtype), (np.float64, np.float64))
            self.close(vr @ wr, one[2] @ vr, "d", 10)
            self.close(wr, self.theirs.cdf2rdf(*one[:2])[0], "d")
        self.assertRaises(ValueError, tesela.cdf2rdf, np.array([1j, 1j]), np.eye(2))
        d, off = random((6,), "d"), random((5,), "d", 1)
        self.close(tesela.eigvalsh_tridiagonal(d, off), self.theirs.eigvalsh_tridiagonal(d, off), "d", 10)
        for x in (np.triu(a, -1), np.tril(a, 2), np.zeros((3, 4)), np.eye(3)):
            self.assertEqual(tesela.bandwidth(x), self.theirs.bandwidth(x))
        self.assertTrue(tesela.issymmetric(a + a.T) and not tesela.issymmetric(a) and tesela.ishermitian(a + a.T) and not tesela.issymmetric(a[:3]))
        self.assertTrue(tesela.ishermitian(a + a.T + 1e-12 * a, atol=1e-10) and not tesela.ishermitian(a + a.T + 1e-12 * a))

    def test_pencils(self) -> None:
        for dtype in "dD":
            for n in (1, 2, 5, 12):
                for singular in (False, True) if n > 1 else (False,):
                    a, b = random((n, n), dtype), random((n, n), dtype, 1)
                    b[:, :1] *= not singular
                    w, vl, vr = tesela.eig(a, b, left=True)
                    finite, theirs = np.isfinite(w), self.theirs.eigvals(a, b)
                    self.assertEqual(np.count_nonzero(~finite), int(singular))
                    theirs = theirs[np.abs(theirs) < 1e10]
                    self.close(np.sort(np.abs(w[finite])), np.sort(np.abs(theirs)), dtype, 1e4)
                    self.close(a @ vr[:, finite], b @ vr[:, finite] * w[finite], dtype, 100)
                    self.close(adjoint(vl[:, finite]) @ a, w[finite, None] * (adjoint(vl[:, finite]) @ b), dtype, 100)
                    self.close(b @ vr[:, ~finite], np.zeros((n, int(singular))), dtype, 10)
                    self.close(np.linalg.norm(vr, axis=0), np.ones(n), dtype)
                    alpha, beta = tesela.eigvals(a, b, homogeneous_eigvals=True)
                    self.close((alpha[finite] / beta[finite]), w[finite], dtype, 10)
                    for output in ("real", "complex"):
                        AA, BB, Q, Z = tesela.qz(a, b, output)
                        self.close(Q @ AA @ adjoint(Z), a, dtype, 100)
                        self.close(Q @ BB @ adjoint(Z), b, dtype, 100)
                        for U in (Q, Z):
                            self.close(adjoint(U) @ U, np.eye(n), dtype, 10)
                        self.assertEqual((np.tril(BB, -1).any(), np.tril(AA, -2 if dtype == "d" and output == "real" else -1).any()), (False, False))
                        self.assertTrue((BB.diagonal().real >= 0).all())
        self.assertRaises(tesela.LinAlgError, tesela.eig, np.diag([1.0, 0]), np.diag([1.0, 0]))
        self.assertRaises(ValueError, tesela.eig, np.eye(2), np.eye(3))
        self.assertRaises(ValueError, tesela.qz, a, b, sort="lhp")
        self.assertEqual(tesela.eig(np.eye(2), homogeneous_eigvals=True)[0].tolist(), [[1, 1], [1, 1]])

    def test_cossin(self) -> None:
        for dtype in "dD":
            for m in (2, 4, 5):
                X = np.linalg.qr(random((m, m), dtype))[0]
                for p in range(1, m):
                    for q in range(1, m):
                        for swap in (False, True):
                            u, cs, v = tesela.cossin(X, p, q, swap_sign=swap)
                            self.close(u @ cs @ v, X, dtype, 10)
                            C, S = np.abs(cs[:p, :q]), np.abs(cs[p:, :q])
                            self.close(np.sort((C ** 2).sum(0) + (S ** 2).sum(0)), np.ones(q), dtype)
                            self.assertLessEqual(max(np.count_nonzero(C, 0).max(), np.count_nonzero(S, 0).max(), np.count_nonzero(C, 1).max()), 1)
                            for Q in (u, v):
                                self.close(Q @ adjoint(Q), np.eye(m), dtype, 10)
                        (u1, u2), theta, (v1, v2) = tesela.cossin(X, p, q, separate=True)
                        self.close(np.sort(theta), np.sort(self.theirs.cossin(X, p, q, separate=True)[1]), dtype, 10)
                        self.assertEqual((u1.shape, u2.shape, v1.shape, v2.shape, theta.shape), ((p, p), (m - p, m - p), (q, q), (m - q, m - q), (min(p, q, m - p, m - q),)))
        self.assertRaises(ValueError, tesela.cossin, X, 0, 1)

    def test_equations(self) -> None:
        for dtype, a, e, p in self.matrices():
            h, b, r = a + adjoint(a), e[:, :2], 2 * np.eye(2)
            for method in (None, "direct", "bilinear"):
                x = tesela.solve_discrete_lyapunov(a / 3, h, method)
                self.close(a / 3 @ x @ adjoint(a / 3) - x + h, np.zeros((5, 5)), dtype, 100)
            E, s = np.eye(5) + e / 10, e[:, 2:4] / 10
            for how in ({}, {"s": s}, {"e": E}, {"e": E, "s": s}):
                for name in ("solve_continuous_are", "solve_discrete_are"):
                    with self.subTest(name, dtype=dtype, how=list(how)):
                        self.close(getattr(tesela, name)(a, b, p, r, **how), getattr(self.theirs, name)(a, b, p, r, **how), dtype, 1e4)
        self.assertRaises(tesela.LinAlgError, tesela.solve_continuous_are, np.zeros((2, 2)), np.zeros((2, 1)), np.zeros((2, 2)), np.eye(1))
        self.assertRaises(tesela.LinAlgError, tesela.solve_discrete_are, 2 * np.eye(2), np.zeros((2, 1)), np.eye(2), np.eye(1))
        self.assertRaises(ValueError, tesela.solve_continuous_are, a, b, random((5, 5), "d"), r)
        self.assertRaises(ValueError, tesela.solve_discrete_are, a, b[:3], p, r)


class Kinds(Case):
    """The same functions on matrices that stay on the device, and on tensors."""

    def test_other_kinds(self) -> None:
        kinds: list[Any] = [tesela.asarray]
        try:
            kinds.append(need("torch").from_numpy)
        except unittest.SkipTest:
            pass
        a, b = random((4, 4), "d"), random((4, 2), "d", 1)
        s = a @ a.T + np.eye(4)
        for kind in kinds:
            A, B, S = kind(a), kind(b), kind(s)
            for f, want in ((lambda x: tesela.cosm(x), tesela.cosm(a)), (lambda x: tesela.sinhm(x), tesela.sinhm(a)), (lambda x: tesela.matrix_power(x, -2), tesela.matrix_power(a, -2)),
                            (lambda x: tesela.multi_dot([x, x, B]), a @ a @ b), (lambda x: tesela.rq(x)[0], tesela.rq(a)[0]), (lambda x: tesela.trace(x), np.trace(a)),
                            (lambda x: tesela.solve_continuous_are(x, B, S, kind(np.eye(2))), tesela.solve_continuous_are(a, b, s, np.eye(2))),
                            (lambda x: tesela.solve_discrete_are(x, B, S, kind(np.eye(2))), tesela.solve_discrete_are(a, b, s, np.eye(2))),
                            (lambda x: tesela.expm_frechet(x, S)[1], tesela.expm_frechet(a, s)[1]), (lambda x: tesela.pinvh(S), tesela.pinvh(s)),
                            (lambda x: tesela.qr_update(*tesela.qr(x), B[:, 0], B[:, 1])[1], tesela.qr_update(*tesela.qr(a), b[:, 0], b[:, 1])[1]),
                            (lambda x: tesela.outer(B[:, 0], B[:, 1]), np.outer(b[:, 0], b[:, 1])), (lambda x: tesela.signm(x), tesela.signm(a))):
                got = f(A)
                self.close(got, want, "d", 1e4)
                if np.ndim(want):
                    self.assertIs(type(got), type(A))


if __name__ == "__main__":
    unittest.main()
