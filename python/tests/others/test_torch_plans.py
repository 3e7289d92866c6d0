"""tesela.torch's calls that come again: by plans and by Python alike."""

from __future__ import annotations

import gc
import unittest
from pathlib import Path
from typing import Any, Callable
from unittest import mock

from common import Case, in_threads, need, python
from others import test_torch

torch: Any = None
ours: Any = None
plan: Any = None


def setUpModule() -> None:
    global torch, ours, plan
    torch = need("torch")
    test_torch.setUpModule()
    ours = test_torch.ours
    from tesela.torch import _plan

    plan = _plan
    if not plan._watching():
        raise unittest.SkipTest("no compiled calls, or a PyTorch without DLPack's C functions")


def inputs(stack: tuple[int, ...], dtype: Any, seed: int) -> tuple[Any, Any, Any]:
    a, b = test_torch.random(*stack, 5, 5, dtype=dtype, seed=seed), test_torch.random(*stack, 5, 2, dtype=dtype, seed=seed + 1)
    return a, a @ a.mH + torch.eye(5, dtype=dtype), b


def only_plans() -> Any:
    """Within it what Python would compute is an error."""
    def refused(*args: Any) -> None:
        raise AssertionError("by Python")

    return mock.patch("tesela.torch._op.many_of", refused)


def by_python(name: str, how: dict[str, Any]) -> bool:
    """Does it look at elements on the host?"""
    return name == "eig" or name == "lstsq" and how["driver"] != "gels"


class Plans(Case):
    def same(self, got: Any, want: Any) -> None:
        """To the bit, and in the same storage."""
        if isinstance(want, tuple):
            self.assertIs(type(got), type(want))
            for g, w in zip(got, want):
                self.same(g, w)
            return
        self.assertEqual((got.shape, got.dtype, got.stride()), (want.shape, want.dtype, want.stride()))
        self.assertTrue(torch.equal(*[torch.view_as_real(t.resolve_conj()).nan_to_num() if t.is_complex() else t.nan_to_num() for t in (got, want)]))

    def test_every_function(self) -> None:
        """The third call and later ones, with other elements, are those of the function itself."""
        for dtype in test_torch.types():
            for stack in ((), (3,), (2, 3), (1,)):
                known = [list(test_torch.calls(*inputs(stack, dtype, seed))) for seed in (0, 7, 8)]
                for which, (name, _, how) in enumerate(known[0]):
                    if name == "matrix_norm":  # PyTorch's own
                        continue
                    with self.subTest(name, dtype=dtype, stack=stack, how=how):
                        function = getattr(ours, name)
                        for seed in (0, 1):
                            function(*known[seed][which][1], **how)
                        args = known[2][which][1]
                        want = function.__wrapped__(*args, **how)
                        kept = [a.clone() for a in args if isinstance(a, torch.Tensor)]
                        if by_python(name, how):
                            got = function(*args, **how)
                        else:
                            with only_plans():
                                got = function(*args, **how)
                        self.same(got, want)
                        self.same(function(*args, **how), want)
                        self.assertTrue(all(map(torch.equal, (a for a in args if isinstance(a, torch.Tensor)), kept)))

    def test_without_compiled_calls(self) -> None:
        code = ("import torch, tesela.torch as t; from tesela.torch import _plan; assert not _plan._watching()\n"
                "a = torch.randn(4, 4, generator=torch.Generator().manual_seed(0)).double() + 4 * torch.eye(4)\n"
                "for _ in range(4): x = t.solve(a, a[:, :1])\n"
                "print(x.flatten().tolist())")
        found = python(code, TESELA_FAST="no")
        self.assertEqual(found, python(code.replace("assert not", "assert"), ))

    def met(self, function: Callable[..., Any], *args: Any, **how: Any) -> Any:
        """After it there is a plan."""
        for _ in range(3):
            got = function(*args, **how)
        return got

    def test_outcomes(self) -> None:
        """What is wrong with a matrix is said as if there were no plan, and the plan holds for others."""
        good, bad = torch.eye(3), torch.diag(torch.tensor([1.0, 0, 1]))
        for stack in (False, True):
            a, wrong = (torch.stack([good, good]), torch.stack([good, bad])) if stack else (good, bad)
            for name, more in (("cholesky", ()), ("solve", (a,)), ("inv", ())):
                self.met(getattr(ours, name), a + a, *more)
                for _ in range(3):
                    with self.assertRaisesRegex(torch.linalg.LinAlgError, "Batch element 1" if stack else "linalg"):
                        getattr(ours, name)(wrong, *more)
                    with only_plans():
                        getattr(ours, name)(a + a, *more)
        self.met(ours.cholesky_ex, a)
        with only_plans():
            self.assertEqual(ours.cholesky_ex(wrong).info.tolist(), [0, 2])

    def test_followed(self) -> None:
        """Gradients, transformations, modes, compilers, options, and other kinds of tensors: as if there were no plan."""
        import tesela

        a, b = torch.eye(3, dtype=torch.float64) * 2, torch.ones(3, 1, dtype=torch.float64)
        self.met(ours.solve, a, b)
        x = b.clone().requires_grad_()
        ours.solve(a, x).sum().backward()
        self.assertEqual(x.grad.tolist(), [[0.5]] * 3)
        with torch.no_grad(), only_plans():
            self.assertFalse(ours.solve(a, x).requires_grad)
        parameter = torch.nn.Parameter(b, requires_grad=False)
        with only_plans():
            self.assertIs(type(ours.solve(a, parameter)), torch.Tensor)
        self.assertEqual(torch.vmap(ours.solve, (None, 0))(a, torch.stack([b, b])).shape, (2, 3, 1))
        self.assertEqual(torch.func.jvp(lambda t: ours.solve(a, t), (b,), (b,))[1].tolist(), [[0.5]] * 3)
        with torch.autograd.forward_ad.dual_level():
            twin = torch.autograd.forward_ad.make_dual(b, b)
            self.assertIsNotNone(torch.autograd.forward_ad.unpack_dual(ours.solve(a, twin)).tangent)
        self.same(torch.compile(ours.solve, fullgraph=True, backend="eager")(a, b), b / 2)
        from torch._subclasses.fake_tensor import FakeTensorMode

        with FakeTensorMode(allow_non_fake_inputs=True):
            self.assertEqual(type(ours.solve(a, b)).__name__, "FakeTensor")
        with torch._C.DisableTorchFunction():  # nothing of it can be recorded
            for _ in range(3):
                self.same(ours.solve(a, torch.ones(3, 7, dtype=torch.float64)), torch.full((7, 3), 0.5, dtype=torch.float64).mT)
        with tesela.options(devices="host:1"), mock.patch.object(plan.Recorded, "call", side_effect=AssertionError):
            self.same(ours.solve(a, b), b / 2)
        with only_plans():
            self.same(ours.solve(a, b), b / 2)

        class Other(torch.Tensor):
            pass

        with self.assertRaisesRegex(AssertionError, "by Python"), only_plans():
            ours.solve(a.as_subclass(Other), b)
        self.assertTrue(torch.equal(ours.solve(a, a), a / 2))  # one tensor twice
        self.met(ours.solve, a, a)
        self.met(ours.solve, a, a.clone())
        self.assertTrue(torch.equal(ours.solve(a, a), a / 2))

    def test_conjugates(self) -> None:
        """Elements that are to be conjugated, or negated, when they are looked at."""
        z = test_torch.random(3, 3, dtype=torch.complex128) + 4 * torch.eye(3)
        for name in ("inv", "cholesky_ex", "lu_factor", "qr", "det"):
            function = getattr(ours, name)
            self.met(function, z)
            self.same(function(z.conj()), function.__wrapped__(z.conj()))
            real = torch.zeros(3, 3, dtype=torch.complex128)
            real.imag = z.real
            self.met(function, real.imag)
            self.assertTrue(real.conj().imag.is_neg())
            self.same(function(real.conj().imag), function.__wrapped__(real.conj().imag))

    def test_told_apart(self) -> None:
        """By shapes, strides, types and other arguments; not by where tensors are."""
        def check(function: Any, *args: Any, **how: Any) -> None:
            for _ in range(3):
                self.same(function(*args, **how), function.__wrapped__(*args, **how))

        wide = test_torch.random(9, 12, dtype=torch.float64)
        for n in (1, 2, 3, 4, 0):
            for a in (wide[:n, :n], wide[1:n + 1, 2:n + 2], wide.mT[:n, :n], wide[:2 * n:2, :2 * n:2], wide[:n, :n].contiguous(), wide[:n, :n].float(), wide[:n, :n].to(torch.complex64)):
                check(ours.lu_factor, a)
                check(ours.eigvalsh, a @ a.mH, "L")
                check(ours.eigvalsh, a @ a.mH, "U")
                check(ours.eigvalsh, a @ a.mH, UPLO="U")
                for rtol in (None, 1, 1.0, 1e-3, True):
                    check(ours.pinv, a, rtol=rtol)
        with self.assertRaises(RuntimeError):
            self.met(ours.eigvalsh, wide[:3, :3], "no triangle")

    def test_out(self) -> None:
        a = torch.eye(3)
        for turn in range(4):
            out = torch.empty(0)
            self.assertIs(ours.inv(a * (turn + 1), out=out), out)
            self.same(out, a / (turn + 1))

    def test_many_shapes(self) -> None:
        """Plans that are many are forgotten, and what was kept with them."""
        torch.manual_seed(0)
        for m in range(1, 20):
            for n in range(1, 20):
                a = torch.randn(m, n)
                for _ in range(3):
                    self.same(ours.lu(a), ours.lu.__wrapped__(a))

    def test_threads(self) -> None:
        """Eight at once, with plans of their own and shared ones."""
        wrong: list[Any] = []
        matrices = [test_torch.random(4 + k % 3, 4 + k % 3, dtype=torch.float64, seed=k) + 5 * torch.eye(4 + k % 3, dtype=torch.float64) for k in range(8)]

        def work(a: Any) -> None:
            want = [ours.inv.__wrapped__(a), ours.lu.__wrapped__(a).U, ours.qr.__wrapped__(a).R]
            for turn in range(300):
                got = [ours.inv(a), ours.lu(a).U, ours.qr(a).R]
                if not all(map(torch.equal, got, want)):
                    wrong.append(turn)

        in_threads(work, matrices)
        self.assertEqual(wrong, [])

    def test_memory(self) -> None:
        """10,000 calls by plans leave nothing behind, nor do errors within plans."""
        a, bad = torch.eye(6) * 3, torch.zeros(6, 6)
        functions = [ours.inv, ours.lu, ours.qr, ours.cholesky_ex, ours.slogdet]
        for f in functions:
            self.met(f, a)
        before = 0
        for turn in range(2500):
            for f in functions:
                f(a)
            if turn % 10 == 0:
                self.assertRaises(torch.linalg.LinAlgError, ours.inv, bad)
            if turn == 500:
                gc.collect()
                before = int(Path("/proc/self/statm").read_text().split()[1])
        self.assertLess((int(Path("/proc/self/statm").read_text().split()[1]) - before) * 4096, 8 << 20)

    def test_fork(self) -> None:
        """A child has plans and contexts of its own."""
        python("import os, torch, tesela.torch as t\n"
               "a = torch.eye(3) * 2\n"
               "for _ in range(4): t.inv(a)\n"
               "child = os.fork()\n"
               "for _ in range(4): assert torch.equal(t.inv(a), a / 4)\n"
               "if not child: os._exit(0)\n"
               "assert os.waitpid(child, 0)[1] == 0")

    def test_what_is_recorded(self) -> None:
        """Nothing that depends on elements, or on tensors from elsewhere, is repeated."""
        t, other = torch.ones(2, 2), torch.ones(2, 2)

        def plan_of(f: Any, *args: Any) -> Any:
            return plan._record(f, args, None)[1]

        self.assertIsNotNone(plan_of(lambda a: (a + 1).mT, t))
        for why, f in (("an element", lambda a: a * a[0, 0].item()), ("a truth", lambda a: a + 1 if a.sum() > 0 else a), ("another tensor", lambda a: a + other),
                       ("a shape that depends on elements", lambda a: a[a > 0] + 1), ("a change of an argument", lambda a: a.add_(1)), ("nested", lambda a: torch.cat([a, a])),
                       ("no tensor", lambda a: 3), ("too many", lambda a: sum([a + i for i in range(70)], a))):
            with self.subTest(why):
                self.assertIsNone(plan_of(f, t.clone()))


class Streams(Case):
    def test_order(self) -> None:
        """Another stream than the default one is followed before the library's work and goes on behind it, also if that fails. On the host: with a space that says that it
        is on a GPU, and functions of the library that only note who calls them."""
        code = ("import ctypes, torch, tesela.torch as t\n"
                "from tesela._many import spaces\n"
                "from tesela._calls import context, fast, library\n"
                "from tesela.torch import _op, _plan\n"
                "assert _plan._watching()\n"
                "noted, stream = [], [0]\n"
                "kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)\n"
                "kept = [kind(lambda x, s, name=name: noted.append((name, s or 0)) or 0) for name in ('follow', 'precede')]\n"
                "lib = library.library()\n"
                "fast.module().bind(*[fast._address(f) for f in (lib.matrix_wrap, lib.batch_wrap, lib.matrix_free, *kept)])\n"
                "lib.follow, lib.precede = kept\n"
                "class Far(spaces.Torch):\n"
                "    def __init__(self):\n"
                "        super().__init__(False)\n"
                "        self.on_gpu, self.stream_of = True, lambda gpu: stream[0]\n"
                "    def context(self, a, order):\n"
                "        found = context.on_host(order)\n"
                "        found.on_default = True\n"
                "        return found\n"
                "far = Far()\n"
                "_op.space = lambda kind, gpu: far\n"
                "a, bad = torch.eye(3) * 2, torch.zeros(3, 3)\n"
                "for turn in range(4): t.inv(a), t.qr(a)\n"
                "assert noted == [], noted\n"
                "def refused(*args): raise AssertionError\n"
                "python, _op.many_of = _op.many_of, refused\n"
                "stream[0] = 77\n"
                "assert torch.equal(t.inv(a), a / 4)\n"
                "assert noted == [('follow', 77), ('precede', 77)], noted\n"
                "t.qr(a)\n"
                "assert noted == 3 * [('follow', 77), ('precede', 77)], noted\n"
                "_op.many_of = python\n"
                "noted.clear()\n"
                "try: t.inv(bad)\n"
                "except torch.linalg.LinAlgError: pass\n"
                "assert noted == 2 * [('follow', 77), ('precede', 77)], noted\n")
        need("torch")
        python(code)


if __name__ == "__main__":
    unittest.main()
