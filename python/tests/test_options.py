"""Options of calls, and the contexts that they choose."""

from __future__ import annotations

import gc
import unittest

import numpy as np
from common import Case, in_threads, positive, python, random

import tesela
from tesela._calls import context as _context


class Options(Case):
    def test_nesting(self) -> None:
        with tesela.options(devices="host:2"):
            self.assertEqual(len(tesela.devices()), 2)
            with tesela.options(tile=32):
                self.assertEqual(len(tesela.devices()), 2)
                with tesela.options(devices="host:3,mem=64M"):
                    self.assertEqual([d.limit for d in tesela.devices()], [64 << 20] * 3)
            self.assertTrue(all(d.is_virtual and d.backend == "host" for d in tesela.devices()))

    def test_reach_the_library(self) -> None:
        s = positive(200, "d")
        with tesela.options(devices="host", variant="no such"):
            with self.assertRaisesRegex(ValueError, "no such"):
                tesela.cholesky(s)
        with tesela.options(devices="moon"):
            self.assertRaises(ValueError, tesela.cholesky, s)
        with tesela.options(devices="host"):
            tesela.cholesky(s)  # as if nothing had been
        with tesela.options(devices="host:2", path="tiles", tile=64, policy="basic", dist="rows", diag_on="device"):
            self.close(tesela.cholesky(s, lower=True), np.linalg.cholesky(s), "d")
        self.assertRaises(TypeError, lambda: tesela.options(colour="red").__enter__())

    def test_wrong_ones(self) -> None:
        """Each is refused where it is written, by its name; what there is, is said."""
        for given, kind, text in (({"tile": -1}, ValueError, "tile=-1 is negative"), ({"tile": "x"}, TypeError, "tile='x'"),
                                  ({"tile": 2.5}, TypeError, "tile=2.5"), ({"offload_min": True}, TypeError, "offload_min=True"),
                                  ({"policy": "p"}, ValueError, "policy='p' is none of auto, basic"),
                                  ({"products": "exact"}, ValueError, "products='exact' is none of auto, native, emulated, emulated-fast"),
                                  ({"dist": "q"}, ValueError, "2d, rows"),
                                  ({"diag_on": ""}, ValueError, "auto, device, host"), ({"path": "x"}, ValueError, "auto, one, tiles"),
                                  ({"memory": "lots"}, ValueError, "memory='lots'.*'64M'"), ({"memory": 0}, ValueError, "memory=0"),
                                  ({"memory": 1.5}, ValueError, "memory=1.5"), ({"devices": 3}, TypeError, "devices=3 is not a string")):
            with self.assertRaisesRegex(kind, text):
                tesela.options(**given)
        for value in ("auto", "basic", "affinity", "cache", "write-back"):  # the library knows what is let pass
            with tesela.options(devices="host:2", policy=value, dist="cols", diag_on="auto", path="one", tile=np.int64(64)):
                tesela.cholesky(positive(20, "d"))
        with tesela.options(devices="host", variant="no such"):
            self.assertRaisesRegex(ValueError, "there are auto, leaf, .*ahead", tesela.cholesky, np.eye(3))
        with tesela.options(devices="host", variant="window"):
            self.assertRaisesRegex(ValueError, "potrf has auto, leaf, wide, ahead", tesela.cholesky, np.eye(300))
        self.assertIn("TESELA_OFFLOAD_MIN='few'", python("import tesela\ntry: tesela.devices()\nexcept ValueError as e: print(e)",
                                                         TESELA_OFFLOAD_MIN="few"))

    def test_products(self) -> None:
        """Numbers far below a row's largest are lost by emulated-fast alone; the environment is what holds outside a block."""
        text = ("import numpy as np, tesela\na, b = np.zeros((2, 48, 48))\na[:, :2] = 1, 1e-30\nb[1] = 1\n"
                "def least(how=None):\n"
                "    with tesela.options(devices='host', products=how): return float(abs(tesela.matmul(a, b)).min())\n"
                "print(least('native'), least('emulated'), least('emulated-fast'), least('auto'), least())")
        self.assertEqual(python(text).split(), ["1e-30", "1e-30", "0.0", "1e-30", "1e-30"])
        self.assertEqual(python(text, TESELA_PRODUCTS="emulated-fast").split(), ["1e-30", "1e-30", "0.0", "1e-30", "0.0"])
        self.assertEqual(python(text, TESELA_PRODUCTS="exact").split(), ["1e-30", "1e-30", "0.0", "1e-30", "1e-30"])

    def test_after_one_that_failed(self) -> None:
        """What was set before the one that the library refused holds no longer."""
        with tesela.options(devices="host"):
            with tesela.options(tile=7, graph="/no/such/folder/graph"):
                self.assertRaises(tesela.Error, tesela.eye, 2)
            tesela.eye(2)
            self.assertEqual(_context.current()._applied["tile"], "0")

    def test_without_a_block(self) -> None:
        with self.assertWarnsRegex(RuntimeWarning, "with"):
            tesela.options(devices="host")
            gc.collect()

    def test_as_a_decorator(self) -> None:
        @tesela.options(devices="host:2")
        def count(depth: int) -> int:
            return len(tesela.devices()) if depth == 0 else count(depth - 1)

        self.assertEqual((count(2), count(0)), (2, 2))
        self.assertNotEqual(len(tesela.devices()), 2)

    def test_explain(self) -> None:
        with tesela.options(devices="host:2,mem=64M"):
            text = tesela.explain("dpotrf", 4000)
            self.assertIn("tiles", text)
            self.assertIn("at most 0.0671 GB", text)
            self.assertTrue(tesela.explain("dgemm", 100, 200, 300))
            self.assertRaises((ValueError, TypeError), tesela.explain, "dnothing", 10)
        for wrong in (("dpotrf",), ("dpotrf", 2.5), (3, 3)):
            self.assertRaises(TypeError, tesela.explain, *wrong)


class Contexts(Case):
    def test_few_are_kept(self) -> None:
        """However many specifications are used: those used last, and those that have matrices."""
        with tesela.options(devices="host:1,mem=33M"):
            mine = tesela.asarray(np.eye(3))
        for i in range(3 * _context.KEPT):
            with tesela.options(devices="host:1", memory=f"{64 + i}M"):
                tesela.solve(np.eye(3), np.ones(3))
                if i == 3:
                    third = _context.current()
            with tesela.options(devices="host:1,mem=40M"):  # one that is used all the time
                steady = _context.current()
        gc.collect()
        named = set(_context._alive) - {None, "host"}
        self.assertLessEqual(len(named), _context.KEPT + 2)
        self.assertTrue({"host:1,mem=33M", "host:1,mem=40M", f"host:1,mem={64 + i}M"} <= named)
        with tesela.options(devices="host:1,mem=40M"):
            self.assertIs(_context.current(), steady)
        with tesela.options(devices="host:1,mem=33M"):  # and is found: matrices of the same devices go together
            self.close(mine @ tesela.asarray(np.eye(3)), np.eye(3), "d")
        third("wait")  # whoever has one can use it
        handle, lib = third.handle, third.library
        del third
        gc.collect()
        self.assertEqual(lib.status_name(lib.wait(handle)), b"TSL_ERR_CONTEXT")

    def test_dropped_by_one_thread_while_another_computes(self) -> None:
        wrong = []

        def work(k: int) -> None:
            try:
                for i in range(30):
                    with tesela.options(devices="host:1", memory=f"{100 + (7 * k + i) % 13}M"):
                        a = tesela.asarray(random((5, 5), "d", k))
                        self.close(a @ a, np.asarray(a) @ np.asarray(a), "d")
            except BaseException as error:  # noqa: B902
                wrong.append(repr(error))

        in_threads(work, range(4))
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
