"""tesela.torch on a GPU: values and gradients, outcomes, programs of torch.compile, streams, threads."""

from __future__ import annotations

import unittest
from typing import Any

import numpy as np
from common import in_threads, random
from gpu import OnGpu

import tesela


class Torch(OnGpu):
    def test_torch_linalg(self) -> None:
        """tesela.torch on the GPU: torch.linalg's values and gradients, of stacks and of one, and nothing but a few numbers by way of the host."""
        import tesela.torch as ours
        from others import test_torch

        torch = test_torch.torch = self.torch
        test_torch.ours = ours
        fetch, far = torch.Tensor.cpu, []

        def watched(t: Any, *args: Any, **how: Any) -> Any:
            far.append(t.numel())
            return fetch(t, *args, **how)

        for dtype in (torch.float32, torch.float64, torch.complex64, torch.complex128):
            for stack in ((), (50,), (2, 3)):
                a, b = test_torch.random(*stack, 5, 5, dtype=dtype), test_torch.random(*stack, 5, 2, dtype=dtype, seed=1)
                s = a @ a.mH + torch.eye(5, dtype=dtype)
                for (name, args, how), (_, mine, _) in zip(test_torch.calls(a, s, b), test_torch.calls(a.cuda(), s.cuda(), b.cuda(), "cuda")):
                    if name == "lstsq" and how["driver"] != "gels":  # torch has no other there
                        continue
                    far.clear()
                    torch.Tensor.cpu = watched
                    try:
                        got = getattr(ours, name)(*mine, **how)
                    finally:
                        torch.Tensor.cpu = fetch
                    with self.subTest(name, dtype=dtype, stack=stack, how=how):
                        self.assertLessEqual(max(far, default=0), 1)
                        self.on_gpu_alike(got, getattr(torch.linalg, name)(*args, **how), str(s.real.dtype).partition(".")[2])

    def on_gpu_alike(self, got: Any, want: Any, dtype: str) -> None:
        if isinstance(want, tuple):
            for g, w in zip(got, want):
                self.on_gpu_alike(g, w, dtype)
        else:
            self.same(got.to(want.dtype), want.resolve_conj().numpy(), dtype, 1000)

    def test_torch_outcomes(self) -> None:
        """Those that nobody waits for stay on the GPU, of one and of stacks; errors are told as on the host."""
        import tesela.torch as ours

        torch, eye = self.torch, self.torch.eye(40, dtype=self.torch.float64)
        last = eye.clone()
        last[30, 30] = 0
        good_and_bad = torch.stack([eye, last, 0 * eye, eye])
        for a in (*good_and_bad, good_and_bad):
            there = a.cuda()
            for name, args in (("cholesky_ex", ()), ("inv_ex", ()), ("lu_factor_ex", ()), ("ldl_factor_ex", ()), ("solve_ex", (eye,))):
                got = getattr(ours, name)(there, *[b.cuda() for b in args]).info
                want = getattr(torch.linalg, name)(a, *args).info
                self.assertEqual((got.device.type, got.dtype, got.shape), ("cuda", torch.int32, want.shape))
                self.assertEqual(got.tolist(), want.tolist(), name)
            if want.any():
                with self.assertRaises(torch.linalg.LinAlgError):
                    ours.cholesky_ex(there, check_errors=True)

    def test_torch_gradients(self) -> None:
        import tesela.torch as ours

        torch, linalg = self.torch, self.torch.linalg
        a = torch.randn(3, 4, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        gradients = []
        for m, device in ((ours, "cuda"), (linalg, "cpu")):
            x = a.to(device).requires_grad_()
            h = x + x.mT
            value = (m.solve(x, x[..., :2]) ** 2).sum() + m.eigh(h)[0][..., 0].sum() + (m.eigh(h)[1] ** 4).sum() + m.slogdet(x)[1].sum() + (m.svd(x).U ** 4).sum() + m.inv(x).sum()
            value.backward()
            gradients.append(x.grad.cpu().numpy())
        self.close(*gradients, "d", 1e5)

    def test_torch_compiled(self) -> None:
        """In one graph, and under vmap, on the GPU: values and gradients of torch.linalg."""
        import tesela.torch as ours

        torch, found = self.torch, []
        a = self.there(random((3, 5, 5), "d") + 4 * np.eye(5))
        b = a[..., :2].contiguous()
        for m in (ours, torch.linalg):
            f = lambda x: m.solve(x, b).sum() + m.slogdet(x).logabsdet.sum() + m.svdvals(x).sum() + m.cholesky(x @ x.mT).sum() + m.qr(x).R.abs().sum()  # noqa: E731, B023
            x = a.clone().requires_grad_()
            (torch.compile(f, fullgraph=True, backend="aot_eager") if m is ours else f)(x).backward()
            mapped = torch.vmap(torch.func.grad(lambda x: m.det(x) + m.inv(x).sum() + m.eigvalsh(x @ x.mT)[0]))(a)  # noqa: B023
            found.append((x.grad, mapped))
        for got, want in zip(*found):
            self.same(got, want.cpu().numpy(), "d", 1e4)

    def test_torch_streams(self) -> None:
        """Calls on four streams, each after what was put there before, and before what comes."""
        import tesela.torch as ours

        torch = self.torch
        streams, found = [torch.cuda.Stream() for _ in range(4)], []
        a = self.there(random((256, 256), "d") + 40 * np.eye(256))
        torch.cuda.synchronize()
        for turn in range(5):
            for i, stream in enumerate(streams):
                with torch.cuda.stream(stream):
                    late = a * (i + 1)
                    for _ in range(20):
                        late = late @ torch.eye(256, dtype=a.dtype, device=a.device)
                    found.append((i, ours.inv(late) * 2))
        torch.cuda.synchronize()
        want = np.linalg.inv(a.cpu().numpy()) * 2
        for i, x in found:
            self.same(x, want / (i + 1), "d", 10)

    def test_torch_training(self) -> None:
        import tesela.torch as ours
        from others import test_torch_gradients

        test_torch_gradients.torch, test_torch_gradients.ours = self.torch, ours
        test_torch_gradients.Gradients("training").training("cuda")

    def test_torch_threads_and_memory(self) -> None:
        """Eight threads on four streams; and 10,000 calls leave nothing behind, on the device or on the host."""
        from pathlib import Path

        import tesela.torch as ours

        torch, wrong, streams = self.torch, [], [self.torch.cuda.Stream() for _ in range(4)]
        matrices = [self.there(random((20, 20), "d", k) + 9 * np.eye(20)) for k in range(8)]
        torch.cuda.synchronize()

        def work(k: int) -> None:
            a, want = matrices[k], torch.linalg.inv(matrices[k].cpu())
            with torch.cuda.stream(streams[k % 4]):
                for turn in range(100):
                    x = ours.inv(a * (turn + 1)) * (turn + 1)
                    y = ours.solve(a, a[:, :1] * turn)[0]
                    if not torch.allclose(x.cpu(), want) or abs(float(y) - turn) > 1e-9:
                        wrong.append((k, turn))

        in_threads(work, range(8))
        self.assertEqual(wrong, [])

        def used() -> tuple[int, ...]:
            host = int(Path("/proc/self/statm").read_text().split()[1]) * 4096
            return torch.cuda.memory_allocated(), tesela.devices()[0].used, host

        before: tuple[int, ...] = ()
        for turn in range(10000):
            a = matrices[turn % 8]
            ours.solve(a, a[:, 0])
            if turn % 10 == 0:
                ours.cholesky(a[:1 + turn % 20, :1 + turn % 20] @ a[:1 + turn % 20, :1 + turn % 20].mT)
            before = before or (used() if turn == 2000 else ())
        for now, then, limit in zip(used(), before, (1 << 20, 4 << 20, 16 << 20)):
            self.assertLess(now - then, limit)


if __name__ == "__main__":
    unittest.main()
