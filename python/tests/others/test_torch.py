"""tesela.torch: every function beside torch.linalg's."""

from __future__ import annotations

import contextlib
import importlib
import subprocess
import sys
import unittest
from pathlib import Path
from typing import Any, Iterator
from unittest import mock

from common import Case, in_threads, need

torch: Any = None
ours: Any = None


def setUpModule() -> None:
    global torch, ours
    torch = need("torch")
    import tesela.torch as found

    ours = found


def types() -> Iterator[Any]:
    return iter((torch.float32, torch.float64, torch.complex64, torch.complex128))


def random(*shape: int, dtype: Any, seed: int = 0) -> Any:
    return torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def calls(a: Any, s: Any, b: Any, device: str = "cpu") -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Functions with unique results, of general matrices, definite ones and right-hand sides: (name, arguments, keywords)."""
    n, far = a.shape[-1], a + 3 * torch.eye(a.shape[-1], dtype=a.dtype, device=device)
    row = b.mT
    for upper in (False, True):
        yield "cholesky", (s,), {"upper": upper}
        yield "cholesky_ex", (s,), {"upper": upper, "check_errors": upper}
        for left in (False, True):
            for unit in (False, True):
                yield "solve_triangular", (far / (n if unit else 1), b if left else row), {"upper": upper, "left": left, "unitriangular": unit}
    for left in (False, True):
        yield "solve", (far, b if left else row), {"left": left}
        yield "solve_ex", (far, b if left else row), {"left": left}
        for adjoint in (False, True):
            yield "lu_solve", (*torch.linalg.lu_factor(far), b if left else row), {"left": left, "adjoint": adjoint}
    for function in ("inv", "inv_ex", "lu", "lu_factor", "lu_factor_ex", "det", "slogdet", "matrix_exp", "pinv", "svdvals", "matrix_rank", "cond"):
        yield function, (a,), {}
    for hermitian in (False, True):
        symmetric = s if hermitian else (a + a.mT)
        yield "ldl_factor", (symmetric,), {"hermitian": hermitian}
        yield "ldl_factor_ex", (symmetric,), {"hermitian": hermitian}
        yield "ldl_solve", (*torch.linalg.ldl_factor(symmetric, hermitian=hermitian), b), {"hermitian": hermitian}
        yield "pinv", (s,), {"hermitian": hermitian, "rtol": 1e-3}
        yield "matrix_rank", (s,), {"hermitian": hermitian, "atol": 1e-4}
    for triangle in "LU":
        yield "eigvalsh", (s, triangle), {}
    for p in (None, 2, -2, "fro", "nuc", 1, -1, float("inf"), -float("inf")):
        yield "cond", (far, p), {}
        yield "matrix_norm", (a, p or "fro"), {"keepdim": p == 1}
    for wide in (a, a[..., :-1], a[..., :-1, :]):
        for mode in ("reduced", "complete", "r"):
            yield "qr", (wide, mode), {}
        yield "lu", (wide,), {}
        yield "svdvals", (wide,), {}
        yield "pinv", (wide,), {"atol": 1e-5}
        for driver in (None, "gels", "gelsy", "gelsd", "gelss"):
            yield "lstsq", (wide, b[..., :wide.shape[-2], :]), {"driver": driver}
    yield "householder_product", torch.geqrf(a[..., :-1]), {}


class Torch(Case):
    def alike(self, got: Any, want: Any, scale: float = 1.0) -> None:
        if isinstance(want, tuple):
            self.assertEqual(len(got), len(want))
            for g, w in zip(got, want):
                self.alike(g, w, scale)
            return
        self.assertEqual((got.shape, got.dtype, got.device), (want.shape, want.dtype, want.device))
        if want.is_floating_point() or want.is_complex():
            self.close(got.resolve_conj().detach().numpy(), want.resolve_conj().detach().numpy(), str(want.real.dtype).partition(".")[2], scale)
        else:
            self.assertTrue(torch.equal(got, want))

    def test_every_function(self) -> None:
        for dtype in types():
            for stack in ((), (3,), (2, 3)):
                a, b = random(*stack, 5, 5, dtype=dtype), random(*stack, 5, 2, dtype=dtype, seed=1)
                s = a @ a.mH + torch.eye(5, dtype=dtype)
                for name, args, how in calls(a, s, b):
                    with self.subTest(name, dtype=dtype, stack=stack, how=how):
                        got, want = getattr(ours, name)(*args, **how), getattr(torch.linalg, name)(*args, **how)
                        self.alike(got, want, 500)
                        if isinstance(want, tuple):
                            for field in got._fields:
                                self.assertIs(getattr(got, field), got[got._fields.index(field)])
                                self.assertTrue(hasattr(want, field), field)

    def test_one_as_a_stack(self) -> None:
        """Small matrices on a GPU go as stacks of one; here the same on the host, with outcomes where results are."""
        modules = [importlib.import_module("tesela.torch." + name) for name in ("_op", "_factor", "_solve", "_spectra")]
        from tesela.torch import _plan

        with contextlib.ExitStack() as patched:
            for forget in (patched.callback, lambda f: f()):  # plans that were made by other ways, now and in the end
                forget(_plan.forget)
            for module in modules:
                patched.enter_context(mock.patch.object(module, "as_stack", lambda a, order: a.ndim == 2 and max(a.shape) <= order))
            self.test_every_function()
            self.vectors_of_spectra(())
        for bad in (0, 3):
            a = torch.eye(5, dtype=torch.float64)
            a[2, 2] = 0 if bad else 1
            for one in (False, True):
                k = modules[0].many(a, one=one)
                info = modules[0].outcome(a, k._there("potrf", k.view(a.clone(), 1)), 0, str)
                self.assertEqual((info.dtype, info.shape, info.tolist()), (torch.int32, (), bad))

    def test_pivots(self) -> None:
        """They are halves of the library's numbers: whoever takes pivots takes these."""
        for shape in ((5, 5), (2, 3, 5, 5), (5, 3), (3, 5)):
            a = random(*shape, dtype=torch.float64)
            f, p = ours.lu_factor(a)
            self.alike(p, torch.linalg.lu_factor(a).pivots)
            self.alike(p.clone().view(-1), p.reshape(-1))
            P, L, U = torch.lu_unpack(f, p)
            self.alike(P @ L @ U, a, 10)
            if shape[-1] == shape[-2]:
                self.alike(torch.linalg.lu_solve(f, p, a), ours.lu_solve(f, p, a), 100)

    def test_few_steps(self) -> None:
        """What PyTorch does to elements around a call is a kernel each on a GPU: no more of them than now."""
        from torch.autograd.profiler import profile
        kernels = ["aten::" + name for name in ("copy_", "fill_", "tril", "triu", "triu_", "where")]
        a, b = 3 * torch.eye(5, dtype=torch.float64) + random(5, 5, dtype=torch.float64) / 9, random(5, 2, dtype=torch.float64)
        s, (f, p) = a @ a.mT, torch.linalg.lu_factor(a)
        for name, most, *args in (("cholesky", 1, s), ("solve", 2, a, b), ("inv", 1, a), ("lu", 1, a), ("lu_factor", 1, a), ("lu_solve", 2, f, p, b),
                                  ("eigh", 1, s), ("eigvalsh", 1, s)):
            getattr(ours, name)(*args)
            with profile(use_kineto=False) as seen:
                getattr(ours, name)(*args)
            found = [e.name for e in seen.function_events if e.name in kernels]
            self.assertEqual(len(found), most, f"{name}: {found}")

    def test_vectors_of_spectra(self) -> None:
        self.vectors_of_spectra((), (4,))

    def vectors_of_spectra(self, *stacks: Any) -> None:
        for dtype in types():
            for stack in stacks:
                a = random(*stack, 6, 6, dtype=dtype)
                s = a + a.mH
                for triangle in "LU":
                    one = s.tril() if triangle == "L" else s.triu()  # the other one is not read
                    w, v = ours.eigh(one, triangle)
                    self.alike(w, torch.linalg.eigvalsh(s), 10)
                    self.alike(s @ v, v * w.unsqueeze(-2), 10)
                    self.alike(v.mH @ v, torch.eye(6, dtype=dtype).expand(s.shape), 10)
                w, v = ours.eig(a)
                self.alike(a.to(v.dtype) @ v, v * w.unsqueeze(-2), 50)
                self.alike(torch.linalg.vector_norm(v, dim=-2), torch.ones(*stack, 6, dtype=w.real.dtype))
                self.alike(ours.eigvals(a).sum(-1).real, a.diagonal(0, -2, -1).sum(-1).real, 50)
                for wide in (a, a[..., :4], a[..., :4, :]):
                    for full in (False, True):
                        U, S, Vh = ours.svd(wide, full_matrices=full)
                        want = torch.linalg.svd(wide, full_matrices=full)
                        self.assertEqual((U.shape, Vh.shape), (want.U.shape, want.Vh.shape))
                        self.alike(S, want.S, 10)
                        k = S.shape[-1]
                        self.alike(U[..., :k] * S.unsqueeze(-2) @ Vh[..., :k, :], wide, 10)
                        for Q in (U, Vh.mH):
                            self.alike(Q.mH @ Q, torch.eye(Q.shape[-1], dtype=dtype).expand(*stack, -1, -1), 10)

    def test_storages(self) -> None:
        """Gaps, steps, other orders, conjugates yet to be taken, stacks that are broadcast."""
        for dtype in types():
            wide = random(2, 3, 9, 10, dtype=dtype)
            for a in (wide[..., 2:7, 3:8], wide[..., ::2, ::2], wide[..., :5, :5].mT, wide[..., :5, :5].contiguous().mH, wide.movedim(-1, 0)[:5, ..., :5].movedim(0, -1)):
                a, b = a + 4 * torch.eye(5, dtype=dtype), random(3, 5, 2, dtype=dtype)
                whole = b.expand(2, 3, 5, 2)
                self.alike(ours.solve(a, b), torch.linalg.solve(a, whole), 10)
                self.alike(ours.solve(a, b[0, :, 0]), torch.linalg.solve(a, whole[0, 0, :, :1].expand(2, 3, 5, 1)).squeeze(-1), 10)
                self.alike(ours.solve(a, whole[..., 0]), torch.linalg.solve(a, whole[..., 0]), 10)
                self.alike(ours.solve(a[0, 0], b), torch.linalg.solve(a[0, 0].expand(3, 5, 5), b), 10)
                self.alike(ours.solve_triangular(a[0, 0], b, upper=True), torch.linalg.solve_triangular(a[0, 0], b, upper=True), 10)
                self.alike(ours.solve_triangular(a, b, upper=False), torch.linalg.solve_triangular(a, b, upper=False), 10)
                self.alike(ours.inv(a), torch.linalg.inv(a), 10)
                self.alike(ours.svdvals(a), torch.linalg.svdvals(a), 10)
                self.alike(ours.matrix_norm(a, 2, dim=(0, 2)), torch.linalg.matrix_norm(a, 2, dim=(0, 2)), 10)

    def test_empty(self) -> None:
        for dtype in types():
            for shape in ((0, 0), (3, 0, 0), (0, 4, 4)):
                a = torch.zeros(shape, dtype=dtype)
                b = torch.zeros(*shape[:-1], 2, dtype=dtype)
                for name, args in (("cholesky", (a,)), ("solve", (a, b)), ("inv", (a,)), ("lu", (a,)), ("det", (a,)), ("slogdet", (a,)), ("eigh", (a,)), ("eigvals", (a,)),
                                   ("svd", (a,)), ("qr", (a,)), ("pinv", (a,)), ("matrix_exp", (a,)), ("solve_ex", (a, b)), ("matrix_rank", (a,)), ("svdvals", (a,))):
                    with self.subTest(name, shape=shape):
                        self.alike(getattr(ours, name)(*args), getattr(torch.linalg, name)(*args))
            for shape in ((0, 3), (3, 0), (2, 0, 3)):
                a = torch.zeros(shape, dtype=dtype)
                for full in (True, False):
                    self.alike(ours.svd(a, full), torch.linalg.svd(a, full))
                    self.alike(ours.qr(a, "complete" if full else "reduced"), torch.linalg.qr(a, "complete" if full else "reduced"))

    def test_errors(self) -> None:
        eye = torch.eye(3)
        bad = torch.stack([eye, torch.zeros(3, 3)])
        for name, args in (("cholesky", (bad,)), ("solve", (bad, eye)), ("inv", (bad,)), ("eigh", (bad * float("nan"),)), ("svd", (bad * float("nan"),)), ("eig", (bad / 0,))):
            with self.subTest(name), self.assertRaisesRegex(torch.linalg.LinAlgError, "Batch element"):
                getattr(ours, name)(*args)
        self.assertEqual(ours.cholesky_ex(bad).info.tolist(), [0, 1])
        self.assertEqual(ours.inv_ex(bad).info.tolist(), [0, 1])
        self.assertEqual(ours.solve_ex(bad, eye).info.tolist(), [0, 1])
        for name, args in (("cholesky", (eye[:2],)), ("cholesky", (eye[0],)), ("solve", (eye, eye[:2])), ("solve", (eye, eye.double())), ("qr", (eye, "full"))):
            with self.subTest(name), self.assertRaises(RuntimeError):
                getattr(ours, name)(*args)
        for dtype in (torch.float16, torch.bfloat16, torch.int64):
            with self.assertRaisesRegex(TypeError, str(dtype).partition(".")[2]):
                ours.eigh(eye.to(dtype))
        with self.assertRaisesRegex(TypeError, "sparse"):
            ours.inv(eye.to_sparse())
        for name in set(dir(torch.linalg)) - set(dir(ours)) - {"common_notes"}:
            if not name.startswith("_"):
                with self.assertRaisesRegex(AttributeError, "torch.linalg." + name):
                    getattr(ours, name)

    def test_threads_and_memory(self) -> None:
        """Eight threads at once; and 10,000 calls leave nothing behind."""
        matrices = [random(6, 6, dtype=torch.float64, seed=k) + 5 * torch.eye(6, dtype=torch.float64) for k in range(8)]
        wrong: list[Any] = []

        def work(a: Any) -> None:
            want = torch.linalg.inv(a), torch.linalg.svdvals(a)
            for _ in range(200):
                if not torch.allclose(ours.inv(a), want[0]) or not torch.allclose(ours.svdvals(a), want[1]):
                    wrong.append(a)

        in_threads(work, matrices)
        self.assertEqual(wrong, [])

        def used() -> int:
            return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

        before = 0
        for turn in range(10000):
            a = matrices[turn % 8]
            ours.solve(a, a[:, 0])
            ours.eigvalsh(a[:1 + turn % 6, :1 + turn % 6])
            before = before or (used() if turn == 1000 else 0)
        self.assertLess(used() - before, 8 << 20)

    def test_out(self) -> None:
        a = random(3, 3, dtype=torch.float64) + 3 * torch.eye(3, dtype=torch.float64)
        out = torch.empty(0, dtype=torch.float64)
        self.assertIs(ours.inv(a, out=out), out)
        self.alike(out, torch.linalg.inv(a), 10)
        Q, R = torch.empty(3, 3, dtype=torch.float64), torch.empty(3, 3, dtype=torch.float64)
        self.assertIs(ours.qr(a, out=(Q, R)).R, R)
        self.alike(Q @ R, a, 10)

    def test_what_the_benchmark_compares(self) -> None:
        """Equal infinities are no difference, nor is NaN beside NaN; all else is."""
        sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "bench" / "python"))
        difference = importlib.import_module("torch_table").difference
        inf, nan = float("inf"), float("nan")
        number = lambda *x: torch.tensor(x, dtype=torch.float64)  # noqa: E731
        for same in (number(inf), number(1, -inf, nan), number(0), (number(1), number(nan))):
            self.assertEqual(difference(torch, same, same), 0)
        for ours_, theirs in ((number(inf), number(-inf)), (number(2), number(inf)), (number(inf), number(2)), (number(nan), number(2)), (number(2), number(nan)), (number(1), number(0)),
                              ((number(1), number(nan)), (number(1), number(1)))):
            self.assertEqual(difference(torch, ours_, theirs), inf)
        self.assertEqual(difference(torch, number(inf, 4.5), number(inf, 4)), 0.125)

    def test_compiled(self) -> None:
        """What torch.compile is told of outcomes and pivots, before there are any, is how they are; of sizes that are not known, too."""
        from torch._subclasses.fake_tensor import FakeTensorMode

        for shape in ((4, 4), (2, 4, 4), (0, 4, 4)):
            a = random(*shape, dtype=torch.float64)
            a = a @ a.mT + torch.eye(4, dtype=torch.float64)
            for name in ("cholesky_ex", "inv_ex", "lu_factor", "lu_factor_ex", "ldl_factor_ex", "lu"):
                f = getattr(ours, name)
                want = f(a)
                with self.subTest(name, shape=shape), FakeTensorMode(allow_non_fake_inputs=True):
                    for real, fake in zip(want, f(a)):
                        self.assertEqual((real.shape, real.dtype), (fake.shape, fake.dtype))
                        if real.numel() and name != "lu":  # which is made of several operations
                            self.assertEqual(real.stride(), fake.stride())
                for dynamic in (False, True) if 0 not in shape else ():
                    torch._dynamo.reset()
                    self.alike(tuple(torch.compile(f, backend="aot_eager", fullgraph=True, dynamic=dynamic)(a)), tuple(want))

    def test_imported_when_used(self) -> None:
        code = "import sys, tesela, numpy; tesela.solve(numpy.eye(2), numpy.ones(2)); assert 'torch' not in sys.modules; tesela.torch.inv; assert 'torch' in sys.modules"
        subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    unittest.main()
