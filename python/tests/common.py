"""What the tests share. They are unittest's: pytest runs them, and so does run.py, which needs nothing but NumPy."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import unittest
from pathlib import Path
from typing import Any, Callable, Iterable, Iterator

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

import tesela

TYPES = "fdFD"
PACKAGE = str(Path(tesela.__file__).resolve().parent.parent)

# The host's memory; one device with a memory of its own; three, by tiles: the ways that host data can go.
DEVICES = ("host", "host:1", "host:3")


def python(code: str, **environment: str) -> str:
    """What the program prints; it has the package of these tests."""
    env = {**os.environ, "PYTHONPATH": PACKAGE, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    if done.returncode:
        raise AssertionError(f"it ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


def eps(dtype: Any) -> float:
    return float(np.finfo(dtype).eps)


def random(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng([seed, *shape])
    a = rng.standard_normal(shape)
    if dtype in "FD":
        a = a + 1j * rng.standard_normal(shape)
    return a.astype(dtype)


def positive(n: int, dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    a = random((n, n), dtype, seed)
    return (a @ a.conj().T + n * np.eye(n)).astype(dtype)


def in_threads(work: Callable[[Any], object], items: Iterable[Any]) -> None:
    """work(item) of all items at once, each in a thread of its own; what fails there is the work's to tell."""
    threads = [threading.Thread(target=work, args=(item,)) for item in items]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def layouts(a: np.ndarray[Any, Any], devices: str = "host") -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """The same elements in every kind of storage; for other devices than the host only the two that differ there."""
    yield "C", np.array(a, order="C")
    yield "F", np.array(a, order="F")
    if devices != "host":
        return
    m, n = a.shape
    wide = np.full((m + 3, n + 2), np.nan, a.dtype)
    wide[1:m + 1, 1:n + 1] = a
    yield "a block by rows", wide[1:m + 1, 1:n + 1]
    tall = np.full((m + 3, n + 2), np.nan, a.dtype, order="F")
    tall[1:m + 1, 1:n + 1] = a
    yield "a block by columns", tall[1:m + 1, 1:n + 1]
    gaps = np.full((2 * m, 3 * n), np.nan, a.dtype)
    gaps[::2, ::3] = a
    yield "with gaps", gaps[::2, ::3]
    yield "backwards", np.array(a[::-1, ::-1], order="C")[::-1, ::-1]
    yield "of the other byte order", a.astype(a.dtype.newbyteorder())


class Case(unittest.TestCase):
    def close(self, got: Any, want: Any, dtype: Any, scale: float = 1.0) -> None:
        got, want = np.asarray(got), np.asarray(want)
        self.assertEqual(got.shape, want.shape)
        if want.size:
            tolerance = 100 * eps(dtype) * scale * max(1.0, float(np.max(np.abs(want))))
            self.assertLessEqual(float(np.max(np.abs(got - want))), tolerance)

    def solves(self, x: Any, a: Any, b: Any, dtype: Any) -> None:
        """|b - a x| / (n |a| |x| eps) is small, whatever the condition of a."""
        x = np.asarray(x)
        self.assertEqual(x.shape, b.shape)
        scale = len(a) * np.linalg.norm(a, 1) * np.linalg.norm(x, 1) * eps(dtype)
        self.assertLess(np.linalg.norm(b - a @ x, 1) / scale, 30)

    def everywhere(self) -> Iterator[tuple[str, str]]:
        """The devices and types; on the host also without the short way that small problems have."""
        for options in ({"devices": "host", "offload_min": 0}, *({"devices": devices} for devices in DEVICES)):
            for dtype in TYPES:
                with tesela.options(**options):  # type: ignore[arg-type]
                    yield str(options["devices"]), dtype


def need(module: str) -> Any:
    """The module, or a skip that says it is missing. TESELA_TEST_NEED=scipy,torch: or a failure."""
    try:
        return __import__(module, fromlist=["_"])
    except ImportError:
        if module.partition(".")[0] in os.environ.get("TESELA_TEST_NEED", "").split(","):
            raise
        raise unittest.SkipTest(f"no {module} here") from None
