"""tesela.jax inside larger programs: one call for a stack, devices that share one, what the handlers refuse."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from common import Case, random

from . import test_jax
from .test_jax import definite, functions, there_is_one


class Programs(Case):
    @classmethod
    def setUpClass(cls) -> None:
        there_is_one()

    def test_one_call(self) -> None:
        """A stack, and a dimension of vmap, is as many calls of the library as one matrix is, and no loop."""
        jax = test_jax.jax
        a = random((3, 4, 4), "d") + 3 * np.eye(4)
        stack = (a, definite(a), random((3, 4, 2), "d", 1))
        for name, f, _ in functions():
            texts = [jax.jit(g).lower(*operands).as_text() for g, operands in ((f, [x[0] for x in stack]), (f, stack), (jax.vmap(f), stack))]
            calls = [text.count("@tesela(") for text in texts]
            with self.subTest(name):
                self.assertGreater(calls[0], 0)
                self.assertEqual(calls, calls[:1] * 3)
                if not name.startswith(("lu", "cond")):  # whose permutations JAX makes in a loop over the pivots, not over matrices
                    self.assertEqual([text.count("stablehlo.while") for text in texts], [0] * 3)

    def test_what_the_handlers_refuse(self) -> None:
        """Not what tesela.jax asks for: an error of XLA's with a sentence, and nothing is written."""
        jax, target = test_jax.jax, "tesela"
        shape, a = jax.ShapeDtypeStruct, random((5, 5), "d")
        whole, infos = shape((5, 5), "float64"), shape((2,), "int32")
        for said, x, results, alias, how in (
                ("no such call: nothing", a, (whole, infos), True, {"call": "nothing"}), ("no such call", a, (whole, infos), True, {}),
                ("potrf has not", a, (whole, infos), True, {"call": "potrf"}), ("potrf has not", a, (whole, infos), True, {"call": "potrf", "letters": "LLLLLL"}),
                ("potrf has not", a, (whole,), True, {"call": "potrf", "letters": "L"}), ("uplo", a, (whole, infos), True, {"call": "potrf", "letters": "Q"}),
                ("no elements of a type", a.astype("i4"), (shape((5, 5), "int32"), infos), True, {"call": "potrf", "letters": "L"}),
                ("no matrices", a[0], (shape((5,), "float64"), infos), True, {"call": "potrf", "letters": "L"}),
                ("in place", a, (whole, infos), False, {"call": "potrf", "letters": "L"})):
            with self.subTest(said, how=how):
                call: Any = jax.ffi.ffi_call(target, results, input_output_aliases={0: 0} if alias else None)
                with self.assertRaisesRegex(Exception, f"tesela: .*{said}"):
                    jax.block_until_ready(call(x, **how))

    def test_several_devices(self) -> None:
        """A stack over four of JAX's devices: each computes its part; of the whole stack all is gathered, which JAX sees to."""
        program = """
import numpy as np, jax, tesela.jax as tj
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
mesh, rng = Mesh(np.array(jax.devices()), ("x",)), np.random.default_rng(0)
a, b = rng.standard_normal((8, 5, 5)) + 4 * np.eye(5), rng.standard_normal((8, 5, 2))
A, B = (jax.device_put(x, NamedSharding(mesh, P("x"))) for x in (a, b))
gradient = jax.vmap(jax.grad(lambda a, b: (tj.solve(a, b) ** 2).sum() + tj.slogdet(a)[1] + tj.eigvalsh(a @ a.T)[0]))
f = lambda a, b: (tj.solve(a, b), tj.inv(a), tj.cholesky(a @ a.mT), tj.svdvals(a), tj.eigh(a @ a.mT)[0], abs(tj.qr(a)[1]), tj.expm(a / 9), gradient(a, b))
each = jax.jit(jax.shard_map(f, mesh=mesh, in_specs=P("x"), out_specs=P("x"), check_vma=False))
text = each.lower(A, B).compile().as_text()
assert "all-gather" not in text and "f64[2,5,5]" in text
for got in (each(A, B), jax.jit(f)(A, B)):
    assert len(got[0].sharding.device_set) == 4
    for g, w in zip(got, f(a, b)):
        assert abs(np.asarray(g) - np.asarray(w)).max() < 1e-12 * (1 + abs(np.asarray(w)).max())
print("well")
"""
        here = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2]), "JAX_ENABLE_X64": "1", "JAX_PLATFORMS": "cpu",
                "XLA_FLAGS": "--xla_force_host_platform_device_count=4"}
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=here)
        self.assertEqual(done.stdout.strip(), "well", done.stderr)
