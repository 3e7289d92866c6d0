"""tesela.jax: NumPy's results, eagerly, under jit and vmap, on the host or on the GPU that JAX is on. Derivatives: test_jax_gradients.py."""

from __future__ import annotations

import importlib
import inspect
import os
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Callable

import numpy as np
from common import TYPES, Case, in_threads, need, random

jax: Any = None
ours: Any = None


def there_is_one() -> None:
    """JAX and our handlers, or a word what is missing."""
    global jax, ours
    if ours is not None:
        return
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    jax = need("jax")
    jax.config.update("jax_enable_x64", True)
    jax.config.update("jax_default_matmul_precision", "highest")  # what is compared with, not ours
    ours = importlib.import_module("tesela.jax")
    try:
        importlib.import_module("tesela.jax._library").register()
    except ImportError as why:
        ours = None
        if not str(why).startswith("tesela.jax:"):  # libtesela itself
            raise
        raise unittest.SkipTest("no libtesela_jax here") from None


def definite(a: Any) -> Any:
    return a @ a.conj().swapaxes(-1, -2) + np.eye(a.shape[-1])


def functions(stacked: bool = True) -> list[tuple[str, Callable[..., Any], Callable[..., Any]]]:
    """Of (a, s, b): ours, and what NumPy says of the same numbers."""
    mT = lambda a: a.swapaxes(-1, -2)  # noqa: E731
    made = [
        ("cholesky", lambda a, s, b: ours.cholesky(s), lambda a, s, b: np.linalg.cholesky(s)),
        ("cholesky upper", lambda a, s, b: ours.cholesky(s, upper=True), lambda a, s, b: mT(np.linalg.cholesky(s)).conj()),
        ("cho_solve", lambda a, s, b: ours.cho_solve(ours.cho_factor(s), b), lambda a, s, b: np.linalg.solve(s, b)),
        ("cho_solve lower", lambda a, s, b: ours.cho_solve(ours.cho_factor(s, lower=True), b), lambda a, s, b: np.linalg.solve(s, b)),
        ("solve", lambda a, s, b: ours.solve(a, b), lambda a, s, b: np.linalg.solve(a, b)),
        ("inv", lambda a, s, b: ours.inv(a), lambda a, s, b: np.linalg.inv(a)),
        ("lu", lambda a, s, b: _product(*ours.lu(a)), lambda a, s, b: a),
        ("lu permuted", lambda a, s, b: _product(*ours.lu(b, permute_l=True)), lambda a, s, b: b),
        ("qr", lambda a, s, b: _product(*ours.qr(b)), lambda a, s, b: b),
        ("qr complete", lambda a, s, b: _product(*ours.qr(b, "complete")), lambda a, s, b: b),
        ("qr wide", lambda a, s, b: _product(*ours.qr(b.swapaxes(-1, -2))), lambda a, s, b: mT(b)),
        ("qr r", lambda a, s, b: abs(ours.qr(b, "r")), lambda a, s, b: abs(np.linalg.qr(b)[1])),
        ("slogdet", lambda a, s, b: tuple(ours.slogdet(a)), lambda a, s, b: tuple(np.linalg.slogdet(a))),
        ("det", lambda a, s, b: ours.det(a), lambda a, s, b: np.linalg.det(a)),
        ("eigvalsh", lambda a, s, b: ours.eigvalsh(s), lambda a, s, b: np.linalg.eigvalsh(s)),
        ("eigh", lambda a, s, b: _spectral(*ours.eigh(s)), lambda a, s, b: s),
        ("eigh U", lambda a, s, b: ours.eigh(jax.numpy.triu(s), "U", symmetrize_input=False)[0], lambda a, s, b: np.linalg.eigvalsh(s)),
        ("eig", lambda a, s, b: _residual(a, *ours.eig(a)), lambda a, s, b: np.zeros(a.shape)),
        ("eigvals", lambda a, s, b: ours.eigvals(a).sum(-1), lambda a, s, b: np.trace(a, axis1=-2, axis2=-1).astype(complex)),
        ("svd", lambda a, s, b: _product3(*ours.svd(b, full_matrices=False)), lambda a, s, b: b),
        ("svd full", lambda a, s, b: ours.svd(b)[0] @ ours.svd(b)[0].conj().swapaxes(-1, -2), lambda a, s, b: np.broadcast_to(np.eye(b.shape[-2]), b.shape[:-2] + b.shape[-2:-1] * 2)),
        ("svd hermitian", lambda a, s, b: _product3(*ours.svd(-s, hermitian=True)), lambda a, s, b: -s),
        ("svdvals", lambda a, s, b: ours.svdvals(b), lambda a, s, b: np.linalg.svd(b, compute_uv=False)),
        ("pinv", lambda a, s, b: ours.pinv(b), lambda a, s, b: np.linalg.pinv(b)),
        ("pinv hermitian", lambda a, s, b: ours.pinv(s, hermitian=True), lambda a, s, b: np.linalg.inv(s)),
        ("matrix_rank", lambda a, s, b: ours.matrix_rank(b), lambda a, s, b: np.linalg.matrix_rank(b)),
        ("matrix_rank of s", lambda a, s, b: ours.matrix_rank(s, 0.5, hermitian=True), lambda a, s, b: np.linalg.matrix_rank(s, 0.5 * np.linalg.norm(s, 2, (-2, -1)), hermitian=True)),
        ("lstsq", lambda a, s, b: _each(lambda a, b: ours.lstsq(a, b)[0], b, a), lambda a, s, b: np.linalg.pinv(b) @ a),
        ("cond", lambda a, s, b: ours.cond(a), lambda a, s, b: np.linalg.cond(a)),
        ("cond 1", lambda a, s, b: ours.cond(a, 1), lambda a, s, b: np.linalg.cond(a, 1)),
        ("expm", lambda a, s, b: ours.expm(a) @ ours.expm(-a), lambda a, s, b: np.broadcast_to(np.eye(a.shape[-1]), a.shape)),
    ]
    for trans in (0, 1, 2):
        seen = (lambda a: a, mT, lambda a: mT(a).conj())[trans]
        made += [
            (f"lu_solve {trans}", lambda a, s, b, t=trans: ours.lu_solve(ours.lu_factor(a), b, t), lambda a, s, b, f=seen: np.linalg.solve(f(a), b)),
            (f"triangular {trans}", lambda a, s, b, t=trans: ours.solve_triangular(s, b, t, lower=True), lambda a, s, b, f=seen: np.linalg.solve(f(np.tril(s)), b)),
            (f"unit {trans}", lambda a, s, b, t=trans: ours.solve_triangular(s / 50, b, t, unit_diagonal=True),
             lambda a, s, b, f=seen: np.linalg.solve(f(np.triu(s / 50, 1) + np.eye(s.shape[-1])), b)),
        ]
    return made


def _each(f: Callable[..., Any], *arrays: Any) -> Any:
    """Of one matrix, mapped over stacks."""
    for _ in range(arrays[0].ndim - 2):
        f = jax.vmap(f)
    return f(*arrays)


def _product(*parts: Any) -> Any:
    p = parts[0]
    for q in parts[1:]:
        p = p.astype(q.dtype) @ q
    return p


def _product3(u: Any, s: Any, vh: Any) -> Any:
    return (u * s[..., None, :]) @ vh


def _spectral(w: Any, v: Any) -> Any:
    return (v * w[..., None, :]) @ v.conj().swapaxes(-1, -2)


def _residual(a: Any, w: Any, v: Any) -> Any:
    return abs(a @ v - v * w[..., None, :])


class Jax(Case):
    @classmethod
    def setUpClass(cls) -> None:
        there_is_one()

    def same(self, got: Any, want: Any, dtype: str, scale: float = 2000) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.same(g, w, dtype, scale)
            return
        self.close(got, want, dtype, scale)

    def operands(self, dtype: str, *stack: int) -> tuple[Any, Any, Any]:
        a = random((*stack, 5, 5), dtype) + 2 * np.eye(5, dtype=dtype)
        return a, definite(a).astype(dtype), random((*stack, 5, 3), dtype, 1)

    def all_alike(self, make: Callable[[Any], Any], operands: Any, wanted: list[Any], dtype: str, **where: Any) -> None:
        """All functions in one program, which is compiled once."""
        got = jax.jit(lambda *x: [make(f)(*x) for _, f, _ in functions()])(*operands)
        for (name, _, _), g, w in zip(functions(), got, wanted):
            with self.subTest(name, dtype=dtype, **where):
                self.same(g, w, dtype)

    def test_against_numpy(self) -> None:
        """Under jit, of one matrix and of stacks, in all types; and eagerly."""
        for dtype in TYPES:
            for stack in ((), (2, 3)):
                a, s, b = self.operands(dtype, *stack)
                self.all_alike(lambda f: f, (a, s, b), [want(a, s, b) for _, _, want in functions()], dtype, stack=stack)
        a, s, b = self.operands("d", 3)
        for name, f, want in functions()[::2]:
            with self.subTest(name, eager=True):
                self.same(f(*map(jax.numpy.asarray, (a, s, b))), want(a, s, b), "d")

    def test_names(self) -> None:
        """Every name of ours is compared with NumPy's; every one of JAX's is ours, or says whose it is; and so for arguments."""
        compared = {word for name, _, _ in functions() for word in name.split()} | {"solve_triangular", "lu_solve", "cho_factor", "lu_factor"}
        self.assertEqual(set(ours.__all__) - compared, set())
        for module in (jax.numpy.linalg, jax.scipy.linalg):
            for name in dir(module):
                if callable(getattr(module, name)) and name not in ours.__all__ and not name.startswith("_"):
                    self.assertRaisesRegex(AttributeError, f"tesela.jax has no {name}: jax.* is it", getattr, ours, name)
        absent = set()
        for name in ours.__all__:
            theirs = getattr(jax.numpy.linalg, name, None) or getattr(jax.scipy.linalg, name)
            absent |= {(name, word) for word in set(inspect.signature(theirs).parameters) - set(inspect.signature(getattr(ours, name)).parameters)}
        self.assertEqual(absent, {("svd", "subset_by_index"), ("pinv", "rcond"), ("matrix_rank", "tol")})  # the page says these

    def test_vmap(self) -> None:
        """A dimension of vmap is one more of the stack: the results of the stack; so are two of them, and one that is not the first."""
        a, s, b = self.operands("d", 2, 3)
        wanted = [want(a, s, b) for _, _, want in functions()]
        self.all_alike(jax.vmap, (a, s, b), wanted, "d", vmap=1)
        self.all_alike(lambda f: jax.vmap(jax.vmap(f)), (a, s, b), wanted, "d", vmap=2)
        self.all_alike(lambda f: jax.vmap(f, in_axes=1), (a, s, b), [jax.tree.map(lambda x: np.swapaxes(x, 0, 1), w) for w in wanted], "d", vmap="of the second")

    def test_systems_that_share_matrices(self) -> None:
        """Stacks of right-hand sides and of matrices that are mapped or broadcast one by one."""
        a = random((2, 3, 4, 4), "d") + 3 * np.eye(4)
        b = random((2, 3, 4, 5), "d", 1)
        lower = np.tril(a)
        for f, want in ((ours.solve, np.linalg.solve), (lambda a, b: ours.solve_triangular(a, b, lower=True), lambda a, b: np.linalg.solve(np.tril(a), b)),
                        (lambda a, b: ours.lu_solve(ours.lu_factor(a), b), np.linalg.solve)):
            for x, y in ((a[0, 0], b), (a[:1], b), (a[:, :1], b), (a, b[0, 0]), (a, b[:1]), (a[:, :1], b[:1]), (a[0], b)):
                self.same(f(x, y), want(x, y), "d")
            self.same(jax.vmap(f, (None, 0))(a[0, 0], b[0]), want(a[0, 0], b[0]), "d")
            self.same(jax.vmap(f, (0, None))(a[0], b[0, 0]), want(a[0], b[0, 0]), "d")
            self.same(jax.vmap(jax.vmap(f, (None, 0)), (0, 0))(a[:, 0], b), want(a[:, :1], b), "d")
            self.same(jax.vmap(jax.vmap(f, (0, None)), (None, 0))(a[0], b[:, 0]), want(a[None, 0], b[:, :1]), "d")
            self.same(jax.vmap(jax.vmap(f, (0, 0)), (None, 0))(a[0], b), want(a[:1], b), "d")
            self.same(jax.vmap(jax.vmap(f, (0, 0)), (0, None))(a, b[0]), want(a, b[:1]), "d")
        self.same(ours.solve(a[0, 0], b[0, 0, :, 0]), np.linalg.solve(a[0, 0], b[0, 0, :, 0]), "d")
        self.same(ours.solve_triangular(lower[0, 0], b[0, 0, :, 0], lower=True), np.linalg.solve(lower[0, 0], b[0, 0, :, 0]), "d")

    def test_large_and_odd(self) -> None:
        for n in (1, 2, 63, 130, 515):
            a, b = random((n, n), "d") + n ** 0.5 * np.eye(n), random((n, 7), "d", 1)
            s = definite(a)
            self.same(ours.solve(a, b), np.linalg.solve(a, b), "d", 1e5)
            self.same(_spectral(*ours.eigh(s)) / n, s / n, "d", 1e4)
            self.same(_product3(*ours.svd(b, full_matrices=False)), b, "d")
            self.same(_product(*ours.qr(a)), a, "d")
            L = ours.cholesky(s)
            self.same(L @ L.T / n, s / n, "d")
        for m, n in ((7, 3), (3, 7), (5, 1), (1, 5)):
            c = random((2, m, n), "z".replace("z", "D"))
            self.same(_product3(*ours.svd(c, full_matrices=False)), c, "D")
            self.same(ours.pinv(c), np.linalg.pinv(c), "D")
            x, resid, rank, s = ours.lstsq(c[0], c[1])
            want = np.linalg.lstsq(c[0], c[1], rcond=None)
            self.same((x, rank, s), (want[0], want[2], want[3]), "D")
            self.same(_product(*ours.lu(c)), c, "D")

    def test_empty(self) -> None:
        for shape in ((0, 0), (3, 0, 0), (0, 3, 3)):
            z = np.zeros(shape)
            n, stack = shape[-1], shape[:-2]
            for f in (ours.cholesky, ours.inv, ours.expm, ours.pinv, lambda z: ours.eigh(z)[1], lambda z: ours.qr(z)[0], lambda z: ours.svd(z)[0], lambda z: ours.solve(z, z)):
                self.assertEqual(jax.jit(f)(z).shape, shape)
            for f in (ours.eigvalsh, ours.svdvals, ours.eigvals):
                self.assertEqual(jax.jit(f)(z).shape, (*stack, n))
            self.same(ours.det(z), np.ones(stack), "d")
            self.assertEqual(ours.slogdet(z)[1].shape, stack)
        self.same(ours.svd(np.zeros((3, 0)))[0], np.eye(3), "d")
        self.assertEqual(ours.qr(np.zeros((3, 0)), "complete")[0].shape, (3, 3))

    def test_what_has_no_result_is_nan(self) -> None:
        """Alone, and the others of its stack are as ever."""
        a = random((3, 4, 4), "d") + 3 * np.eye(4)
        s = definite(a)
        bad, worse = s.copy(), a.copy()
        bad[1] = -s[1]
        worse[1] = 0
        nan = a.copy()
        nan[1, 2, 2] = np.nan
        spoiled = lambda x: np.concatenate([x[:1], np.full_like(x[:1], np.nan), x[2:]])  # noqa: E731
        for got, want in ((ours.cholesky(bad), np.linalg.cholesky(s)), (ours.solve(worse, a), np.linalg.solve(a, a)), (ours.inv(worse), np.linalg.inv(a)),
                          (ours.svdvals(nan), np.linalg.svd(a, compute_uv=False)), (ours.eigvalsh(nan), np.linalg.eigvalsh((a + a.swapaxes(1, 2)) / 2)),
                          (ours.pinv(nan), np.linalg.pinv(a)), (abs(ours.eigvals(nan)).sum(-1), abs(np.linalg.eigvals(a)).sum(-1))):
            self.assertTrue(np.isnan(np.asarray(got)[1]).all())
            self.same(np.asarray(got)[::2], spoiled(want)[::2], "d")
        self.same(ours.det(worse), np.linalg.det(worse), "d")

    def test_a_spoiled_one_beside_others(self) -> None:
        """A NaN, an infinity or nothing but zeros in one matrix of a stack: bit by bit the others have the results that they have anyway."""
        def results(a: Any, s: Any, b: Any) -> dict[str, Any]:
            return {"cholesky": ours.cholesky(s), "cho_solve": ours.cho_solve(ours.cho_factor(s), b), "solve": ours.solve(a, b), "inv": ours.inv(a), "lu": ours.lu(a),
                    "lu_solve": ours.lu_solve(ours.lu_factor(a), b), "triangular": ours.solve_triangular(a, b), "qr": ours.qr(a), "det": ours.det(a), "slogdet": ours.slogdet(a),
                    "eigh": ours.eigh(s), "eigvalsh": ours.eigvalsh(s), "eig": ours.eig(a), "eigvals": ours.eigvals(a), "svd": ours.svd(a), "svdvals": ours.svdvals(a),
                    "svd hermitian": ours.svd(s, hermitian=True), "pinv": ours.pinv(a), "pinv hermitian": ours.pinv(s, hermitian=True), "matrix_rank": ours.matrix_rank(a),
                    "cond": ours.cond(a), "cond 1": ours.cond(a, 1), "expm": ours.expm(a)}

        whole = {"lu", "lu_solve", "triangular", "qr", "matrix_rank"}  # of a matrix with a NaN these have some elements that are finite
        compute = jax.jit(results)
        for dtype in "dF":
            a = random((3, 4, 4), dtype) + 3 * np.eye(4, dtype=dtype)
            s, b = definite(a).astype(dtype), random((3, 4, 2), dtype, 1)
            want = compute(a, s, b)
            for what in (np.nan, np.inf, 0):
                A, S = a.copy(), s.copy()
                for x in (A, S):
                    x[(1, 2, 2) if what else 1] = what
                for name, got in compute(A, S, b).items():
                    with self.subTest(name, dtype=dtype, what=what):
                        for g, w in zip(jax.tree.leaves(got), jax.tree.leaves(want[name])):
                            np.testing.assert_array_equal(np.asarray(g)[::2], np.asarray(w)[::2])
                            if np.isnan(what) and name not in whole:
                                self.assertTrue(np.isnan(np.asarray(g)[1]).all())

    def test_what_is_refused(self) -> None:
        a = random((4, 4), "d")
        for wrong, f in ((TypeError, lambda: ours.solve(a.astype("float16"), a.astype("float16"))), (TypeError, lambda: ours.inv(jax.numpy.asarray(a, jax.numpy.bfloat16))),
                         (ValueError, lambda: ours.cholesky(a[:3])), (ValueError, lambda: ours.solve(a, a[:3])), (ValueError, lambda: ours.eigh(a, "X")),
                         (ValueError, lambda: ours.qr(a, "full")), (ValueError, lambda: ours.svdvals(a[0])), (ValueError, lambda: ours.solve_triangular(a, a, 7)),
                         (NotImplementedError, lambda: jax.grad(lambda x: ours.svd(x)[0].sum())(a[:, :2])),
                         (NotImplementedError, lambda: jax.grad(lambda x: ours.qr(x, "complete")[0].sum())(a[:, :2])),
                         (AttributeError, lambda: ours.toeplitz), (AttributeError, lambda: ours.nothing)):
            self.assertRaises(wrong, f)

    def test_whole_numbers(self) -> None:
        a = np.array([[2, 1], [1, 3]])
        self.same(ours.solve(a, a), np.eye(2), "d")

    def test_without_wide_types(self) -> None:
        """As JAX is by default: no numbers of 64 bits. And `import tesela` alone imports no JAX."""
        program = """
import sys, tesela
assert "jax" not in sys.modules
import numpy as np, tesela.jax as tj, jax
a = np.random.default_rng(0).standard_normal((3, 5, 5)).astype("f") + 3 * np.eye(5, dtype="f")
x = jax.jit(tj.solve)(a, a[..., :2])
assert x.dtype == "float32" and abs(x - np.eye(5)[:, :2]).max() < 1e-4
assert abs(tj.lu(a)[0] @ tj.lu(a)[1] @ tj.lu(a)[2] - a).max() < 1e-4
assert tj.eig(a)[0].dtype == "complex64" and tj.svdvals(a).dtype == "float32"
assert tj.inv(np.eye(3)).dtype == "float32"
assert np.isfinite(jax.grad(lambda a: tj.slogdet(a)[1].sum())(a)).all()
print("well")
"""
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "JAX_ENABLE_X64": "0", "JAX_DEFAULT_MATMUL_PRECISION": "highest"}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=here)
        self.assertEqual(done.stdout.strip(), "well", done.stderr)

    def test_in_loops(self) -> None:
        """Calls in a loop of one program, each after the product before it and before the one after it; and a thousand programs leave nothing behind."""
        n = 300
        a = random((n, n), "d") / n ** 0.5 + 3 * np.eye(n)

        def step(x: Any, _: Any) -> Any:
            y = ours.solve(a @ x @ a, a @ x) @ a
            w, v = ours.eigh(y @ y.T)
            return (v * w ** 0.5) @ v.T, w[0]

        x, least = jax.jit(lambda x: jax.lax.scan(step, x, None, length=6))(np.eye(n))
        want = np.eye(n)
        for i in range(6):
            want = np.linalg.solve(a @ want @ a, a @ want) @ a
            w, v = np.linalg.eigh(want @ want.T)
            want = (v * w ** 0.5) @ v.T
            self.assertLess(abs(float(least[i]) - w[0]), 1e-8)
        self.close(x, want, "d", 1e5)
        f, before = jax.jit(lambda x: ours.inv(x) @ ours.svdvals(x)), 0
        for turn in range(1000):
            f(a[:40, :40] * (turn + 1)).block_until_ready()
            now = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
            before = before or (now if turn == 300 else 0)
        self.assertLess(now - before, 16 << 20)

    def test_threads(self) -> None:
        """Compiled functions from eight threads: each has its own results."""

        a = random((8, 30, 30), "d") + 9 * np.eye(30)
        f, wrong = jax.jit(lambda x: ours.inv(x) @ ours.solve(x, x)), []

        def work(k: int) -> None:
            want = np.linalg.inv(a[k])
            for _ in range(50):
                if abs(np.asarray(f(a[k])) - want).max() > 1e-10:
                    wrong.append(k)

        in_threads(work, range(8))
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
