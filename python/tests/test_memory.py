"""Devices whose memory is too small for host arrays in one piece: by parts, and whatever may be overwritten, from the caller's own elements."""

from __future__ import annotations

import unittest
from typing import Any, Callable

import numpy as np
from common import Case, positive, random

import tesela

N = 200  # 320 KB


class Small(Case):
    def calls(self, order: str, leave: bool) -> dict[str, tuple[Callable[[], Any], Any]]:
        """Names, calls, and what they should give. A call with leave to overwrite has arrays of its own."""
        a, s, b = random((N, N), "d") + N * np.eye(N), positive(N, "d"), random((N, 3), "d", 1)

        def A() -> Any:
            return np.array(a, order=order)

        def S() -> Any:
            return np.array(s, order=order)

        def B() -> Any:
            return np.array(b, order=order)

        at_a, at_b, x = {"overwrite_a": leave}, {"overwrite_b": leave}, np.linalg.solve(a, b)
        return {
            "inv": (lambda: tesela.inv(A(), **at_a) @ a, np.eye(N)),
            "inv pos": (lambda: tesela.inv(S(), assume_a="pos", **at_a) @ s, np.eye(N)),
            "det": (lambda: tesela.det(A() / N, **at_a), np.linalg.det(a / N)),
            "cholesky": (lambda: tesela.cholesky(S(), lower=True, **at_a), np.linalg.cholesky(s)),
            "lu": (lambda: np.linalg.multi_dot(tesela.lu(A(), **at_a)), a),
            "qr": (lambda: np.matmul(*tesela.qr(A(), **at_a)), a),
            "qr wide": (lambda: np.matmul(*tesela.qr(A()[:150], mode="economic", **at_a)), a[:150]),
            "solve": (lambda: tesela.solve(A(), B(), **at_a, **at_b), x),
            "solve, only a": (lambda: tesela.solve(A(), B(), **at_a), x),
            "solve, only b": (lambda: tesela.solve(A(), B(), **at_b), x),
            "solve fp32": (lambda: tesela.solve(A(), B(), precision="fp32"), x),
            "solve fp32, a vector": (lambda: tesela.solve(A(), b[:, 0], precision="fp32", transposed=True), np.linalg.solve(a.T, b[:, 0])),
            "solve fp64": (lambda: tesela.solve(A(), B(), precision="fp64"), x),
            "solve fp32 pos": (lambda: tesela.solve(S(), B(), assume_a="pos", lower=True, precision="fp32"), np.linalg.solve(s, b)),
            "solve fp32 sym": (lambda: tesela.solve(S(), B(), assume_a="sym", precision="fp32"), np.linalg.solve(s, b)),
            "solve pos": (lambda: tesela.solve(S(), B(), assume_a="pos", **at_b), np.linalg.solve(s, b)),
            "lu_solve": (lambda: tesela.lu_solve(tesela.lu_factor(A(), **at_a), B(), **at_b), x),
            "cho_solve": (lambda: tesela.cho_solve(tesela.cho_factor(S(), **at_a), B(), **at_b), np.linalg.solve(s, b)),
            "solve_triangular": (lambda: tesela.solve_triangular(A(), B(), lower=True, **at_b), np.linalg.solve(np.tril(a), b)),
            "lstsq": (lambda: tesela.lstsq(A()[:, :150], B(), **at_a)[0], np.linalg.lstsq(a[:, :150], b, rcond=None)[0]),
            "matmul": (lambda: tesela.matmul(A(), A()), a @ a),
            "matrix times vector": (lambda: tesela.matmul(A(), b[:, 0]), a @ b[:, 0]),
            "vector times matrix": (lambda: tesela.matmul(b[:, 0], A()), b[:, 0] @ a),
            "dot": (lambda: tesela.matmul(a.reshape(-1), a.reshape(-1)), np.sum(a * a)),
            "norm": (lambda: [tesela.norm(A(), ord) for ord in (None, 1, np.inf)], [np.linalg.norm(a, ord) for ord in (None, 1, np.inf)]),
        }

    def test_every_call(self) -> None:
        """Memory for less than one matrix, for one but not for what is made of it, and for all."""
        for memory in ("200K", "400K", "500K", "700K", "3M"):
            for order in "CF":
                for leave in (False, True):
                    for name, (call, want) in self.calls(order, leave).items():
                        with self.subTest(name, memory=memory, order=order, leave=leave):
                            with tesela.options(devices="host:1", memory=memory):
                                got = call()
                            self.close(got, want, "d", 10)

    def test_mixed_precision(self) -> None:
        """By tiles, on several devices, of both types; what they say of themselves; what has no solution."""
        for devices in ("host:1", "host:3"):
            for dtype in "dD":
                with self.subTest(devices=devices, dtype=dtype), tesela.options(devices=devices, memory="250K"):
                    a, b = random((N, N), dtype) + N * np.eye(N), random((N, 2), dtype, 1)
                    keep = a.copy()
                    x, how = tesela.solve(a, b, precision="fp32", full_output=True)
                    self.close(x, np.linalg.solve(a, b), dtype, 10)
                    self.assertEqual((how.precision, how.method), ("fp32", "corrections"))
                    self.assertGreater(how.iterations, 0)
                    self.assertLess(how.backward_error, 1e-14)
                    np.testing.assert_array_equal(a, keep)
                    self.assertRaises(tesela.LinAlgError, tesela.solve, 0 * a, b, precision="fp32")
                    self.assertRaises(MemoryError, lambda: tesela.solve(tesela.asarray(a), b, precision="fp32"))
                    with tesela.options(tile=32):
                        self.close(tesela.solve(a, b, precision="fp32"), np.linalg.solve(a, b), dtype, 10)

    def test_no_room_twice(self) -> None:
        """Whatever a device has room for goes there and comes back, in any order."""
        for devices in ("host:1", "host:3"):
            for dtype in "dD":
                with self.subTest(devices=devices, dtype=dtype), tesela.options(devices=devices, memory="400K" if dtype == "d" else "780K"):
                    a = random((N, N - 3), dtype)
                    for order in "CF":
                        m = tesela.asarray(np.array(a, order=order))
                        for got, want in ((m, a), (m.T, a.T), (m.H, a.conj().T), (m[5:, 1:190].T, a[5:, 1:190].T)):
                            np.testing.assert_array_equal(np.asarray(got), want)
                        m[...] = np.array(2 * a, order=order)
                        np.testing.assert_array_equal(np.asarray(m), 2 * a)
                        self.assertRaises(MemoryError, m.copy)
                        del m, got

    def test_results_of_a_matrix_stay_there(self) -> None:
        """Leave to overwrite an array of the host's makes no result that lies in its memory."""
        a, b = random((20, 20), "d") + 20 * np.eye(20), np.array(random((20, 2), "d", 1), order="F")
        for devices in ("host", "host:1"):
            with tesela.options(devices=devices):
                keep = b.copy()
                x = tesela.solve(tesela.asarray(a), b, overwrite_b=True)
                np.testing.assert_array_equal(b, keep)
                self.close(x, np.linalg.solve(a, b), "d")


if __name__ == "__main__":
    unittest.main()
