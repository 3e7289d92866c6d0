"""tesela.distributed: programs on several processes, under mpirun and without it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Callable

from common import Case

PROGRAM = Path(__file__).resolve().parent / "program.py"
ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
        "OMPI_MCA_hwloc_base_binding_policy": "none", "OPENBLAS_NUM_THREADS": "1"}


class Distributed(Case):
    def run_on(self, count: int, *words: str, **environment: str) -> str:
        launcher = shutil.which(os.environ.get("TESELA_MPIEXEC", "mpirun"))
        if launcher is None:
            raise unittest.SkipTest("no mpirun here")
        try:
            from tesela.distributed._library import mpi

            mpi()
        except ImportError as why:
            raise unittest.SkipTest(str(why).splitlines()[0])
        done = subprocess.run([launcher, "-np", str(count), sys.executable, str(PROGRAM), *words], capture_output=True, text=True, timeout=300,
                              env={**os.environ, **ROOT, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1..", done.stdout)
        self.assertNotIn("not ok", done.stdout)
        return done.stdout

    def test_four(self) -> None:
        self.run_on(4)
        if os.environ.get("TESELA_TEST_ALL"):
            self.run_on(3)
            self.run_on(1)

    def test_address(self) -> None:
        """Without MPI"""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        self.side_by_side(4, lambda rank: [sys.executable, str(PROGRAM), "address", str(rank), "4", address])

    def test_torchrun(self) -> None:
        if importlib.util.find_spec("torch") is None:
            raise unittest.SkipTest("no torch here")
        run = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "4", str(PROGRAM), "group"]
        self.side_by_side(1, lambda rank: run)

    def side_by_side(self, count: int, words: Callable[[int], list[str]]) -> None:
        started = [subprocess.Popen(words(rank), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
                   for rank in range(count)]
        said = [one.communicate(timeout=300)[0] for one in started]
        for one, text in zip(started, said):
            self.assertEqual(one.returncode, 0, text)
        self.assertIn("1..", said[0])
        self.assertNotIn("not ok", "".join(said))

    def test_communicators(self) -> None:
        if importlib.util.find_spec("mpi4py") is None:
            raise unittest.SkipTest("no mpi4py here")
        self.run_on(4, "mpi4py")

    def test_dtensors(self) -> None:
        if importlib.util.find_spec("torch") is None:
            raise unittest.SkipTest("no torch here")
        with tempfile.TemporaryDirectory() as folder:
            self.run_on(4, "torch", TESELA_TEST_STORE=str(Path(folder) / "store"))
