"""The package in its process: import, threads, fork, end, errors."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import re
import struct
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np
from common import PACKAGE, Case, in_threads, positive, python, random

import tesela
from tesela._calls import context as _context, library as _library

class Import(Case):
    def test_is_cheap(self) -> None:
        """It imports no NumPy, loads no library and starts no thread."""
        python("import sys, tesela; assert 'numpy' not in sys.modules and 'ctypes' not in sys.modules;"
               "maps, tasks = open('/proc/self/maps').read(), open('/proc/self/status').read();"
               "assert 'libtesela' not in maps and 'Threads:\\t1\\n' in tasks;"
               "assert set(tesela.__all__) <= set(dir(tesela))")

    def test_small_calls_open_no_gpu(self) -> None:
        code = ("import numpy, tesela; tesela.solve(numpy.eye(3), numpy.ones(3)); from tesela._calls import context as _context;"
                "assert list(_context.kept) == ['host'], _context.kept")
        python(code, TESELA_DEVICES="")

    def test_a_call_is_lean(self) -> None:
        """What a call costs beside its work, without clocks: Python's own steps, and what the library is asked for. Of a small problem, and
        of one in the general form."""
        from tesela._calls.library import library

        a, b, steps, wraps = positive(3, "d"), random((3,), "d"), [], []
        lean = {"matmul": (lambda: tesela.matmul(a, a), 25, 110, 3), "solve": (lambda: tesela.solve(a, b), 40, 150, 3),
                "cholesky": (lambda: tesela.cholesky(a), 26, 115, 2), "inv": (lambda: tesela.inv(a), 45, 125, 2),
                "qr": (lambda: tesela.qr(a), 41, 150, 3), "lu_factor": (lambda: tesela.lu_factor(a), 30, 111, 2),
                "norm": (lambda: tesela.norm(a), 28, 75, 1), "solve_triangular": (lambda: tesela.solve_triangular(a, b), 37, 131, 2)}
        wrap, profile = library().matrix_wrap, sys.getprofile()
        gc.disable()  # what ends others' objects is no step of ours
        try:
            for name, (call, small, general, arrays) in lean.items():
                for options, most, wrapped in (({"devices": "host"}, small, 0), ({"devices": "host", "offload_min": 0}, general, arrays)):
                    with tesela.options(**options):
                        call()
                        library().matrix_wrap = lambda *args: (wraps.append(args), wrap(*args))[1]
                        call()
                        library().matrix_wrap = wrap
                        sys.setprofile(lambda frame, event, what: steps.append(what) if event in ("call", "c_call") else None)
                        call()
                        sys.setprofile(profile)
                    self.assertEqual(len(wraps), wrapped, name)
                    self.assertLessEqual(len(steps), 1.2 * most, name)  # versions of Python and NumPy differ
                    wraps.clear()
                    steps.clear()
        finally:
            sys.setprofile(profile)
            library().matrix_wrap = wrap
            gc.enable()

    def test_all_names(self) -> None:
        for name in tesela.__all__:
            self.assertIsNotNone(getattr(tesela, name))
        self.assertRaises(AttributeError, lambda: tesela.cusp)
        self.assertRegex(tesela.__version__, r"^\d+\.\d+\.\d+$")
        self.assertIn("OpenBLAS", tesela.libraries())
        self.assertIs(tesela.LinAlgError, np.linalg.LinAlgError)

    def test_no_library(self) -> None:
        code = "import tesela\ntry: tesela.devices()\nexcept ImportError as e: print(e)"
        self.assertIn("/nowhere.so", python(code, TESELA_LIBRARY="/nowhere.so"))

    def test_may_be_loaded_late(self) -> None:
        """After a program has used up what room there is for static thread-local storage, as PyTorch does: the library asks for none."""
        data = Path(os.environ["TESELA_LIBRARY"]).read_bytes()
        start, count, size = *struct.unpack_from("<Q", data, 0x28), *struct.unpack_from("<H", data, 0x3C), 64
        sections = [struct.unpack_from("<IIQQQQIIQQ", data, start + size * i) for i in range(count)]
        kinds = set()
        for _, type_, _, _, at, length, _, _, _, entry in sections:
            if type_ == 4:  # relocations with addends
                kinds |= {struct.unpack_from("<QQ", data, at + i)[1] & 0xFFFFFFFF for i in range(0, length, entry)}
        machine = struct.unpack_from("<H", data, 0x12)[0]
        self.assertTrue(kinds)
        self.assertNotIn({62: 18, 183: 1030}.get(machine), kinds, "a relocation of initial-exec thread-local storage")

    def test_at_the_end(self) -> None:
        """Matrices and exported tensors that outlive the interpreter's modules."""
        code = ("import numpy as np, tesela; m = tesela.asarray(np.eye(300)); k = m @ m; s = np.from_dlpack(k);"
                "import sys; sys.keep = (m, s, k.__dlpack__()); print(float(s[0, 0]))")
        self.assertEqual(python(code, TESELA_DEVICES="host").strip(), "1.0")
        python("import numpy as np, tesela, sys; m = tesela.asarray(np.eye(300)); sys.keep = (m, m @ m)")  # on a GPU, if there is one


    def test_with_a_daemon_thread_in_a_call(self) -> None:
        """The interpreter ends while another thread is inside the library, or about to be."""
        code = ("import threading, time, numpy as np, tesela\n"
                "a = np.random.rand({n}, {n}) + {n} * np.eye({n}); m = tesela.asarray(a)\n"
                "def busy():\n"
                "    while True:\n"
                "        with tesela.options(devices='{devices}'): {call}\n"
                "threading.Thread(target=busy, daemon=True).start()\n"
                "time.sleep(0.05 + 0.05 * np.random.rand())")
        for devices, n, call in [("host", 200, "m @ m"), ("host", 200, "tesela.solve(a, a)"), ("host", 12, "tesela.inv(a)"),
                                 ("host:2", 200, "tesela.solve(a, a)")]:
            for _ in range(3):
                env = {**os.environ, "PYTHONPATH": PACKAGE, "TESELA_DEVICES": "host"}
                done = subprocess.run([sys.executable, "-c", code.format(n=n, devices=devices, call=call)], env=env, capture_output=True, text=True,
                                      timeout=60)
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{call} on {devices}")

    def test_interrupted(self) -> None:
        """Ctrl-C ends a call that would take minutes; the context can be used again. A program's own handler decides for itself."""
        code = ("import os, signal, threading, time, numpy as np, tesela\n"
                "a = np.random.default_rng(0).standard_normal((5000, 5000)); a += a.T; b = a[:600, :600]\n"
                "with tesela.options(devices='host:2', tile=100):\n"
                "    threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "    try: tesela.eigh(a)\n"
                "    except KeyboardInterrupt: print('interrupted')\n"
                "    print(np.allclose(tesela.matmul(b, b), b @ b), signal.set_wakeup_fd(-1))\n"
                "    heard = []\n"
                "    signal.signal(signal.SIGINT, lambda *_: heard.append(1))\n"
                "    threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
                "    c = a[:1500, :1500]; x = tesela.solve(c, c); print(np.allclose(x, np.eye(1500), atol=1e-6), heard)\n")
        self.assertEqual(python(code, TESELA_DEVICES="host").split(), ["interrupted", "True", "-1", "True", "[1]"])


class Readme(Case):
    def test_what_it_shows(self) -> None:
        for readme in (Path(PACKAGE) / "README.md", Path(PACKAGE).parent / "README.md"):
            for block in re.findall(r"```python\n(.*?)```", readme.read_text() if readme.exists() else "", re.S):
                python(block)
        self.assertIn("```python", (Path(PACKAGE) / "README.md").read_text())


class End(Case):
    def test_with_threads_in_calls(self) -> None:
        """The interpreter ends while daemon threads compute: in one call, between calls, with matrices of the device."""
        code = """
import threading, time, numpy as np, tesela
a = np.random.default_rng(0).standard_normal((400, 400)) + 400 * np.eye(400)
s, M, small = a @ a.T, tesela.asarray(a), np.eye(3)
def two():
    with tesela.options(devices='host:2'): tesela.inv(a)
calls = (lambda: tesela.solve(a, a), lambda: tesela.cholesky(s), lambda: M @ M, lambda: tesela.inv(small), two)
def busy(call):
    while True: call()
for call in calls: threading.Thread(target=busy, args=(call,), daemon=True).start()
time.sleep(%g)
"""
        for i in range(6):
            python(code % (0.1 + 0.03 * i), TESELA_DEVICES="host")

    def test_tensors_that_outlive_it(self) -> None:
        """Those who hold them, as a static object of C++ may, have nothing of Python's to call."""
        code = """
import atexit, numpy as np
@atexit.register
def late():
    from tesela._arrays import dlpack as _dlpack
    print([bool(export.managed.deleter) for export in _dlpack._alive.values()])
import tesela
m = tesela.asarray(np.eye(3)); n = np.from_dlpack(m); c = m.__dlpack__(max_version=(1, 0)); m.__dlpack__()
"""
        self.assertEqual(python(code, TESELA_DEVICES="host").strip(), "[False, False]")

    def test_computing_at_the_end(self) -> None:
        code = """
import atexit, numpy as np
@atexit.register
def late(): print(float((m @ m)[0, 0]), tesela.det(2 * np.eye(3)))
import tesela
m = tesela.asarray(3 * np.eye(3))
"""
        self.assertEqual(python(code, TESELA_DEVICES="host:1").strip(), "9.0 8.0")


class Errors(Case):
    def test_in_other_processes(self) -> None:
        """They come back from a pool as they were raised."""
        code = """
import multiprocessing, numpy as np, tesela
def fail(i):
    if i == 0:
        with tesela.options(devices='cuda:62'): tesela.eye(3)  # no machine has it
    if i == 1: tesela.inv(np.zeros((2, 2)))
    if i == 2: tesela.inv(np.zeros((2, 3)))
    if i == 3:
        with tesela.options(devices='host:1', memory=10): tesela.zeros((3, 3))
if __name__ == '__main__':
    with multiprocessing.get_context('fork').Pool(1) as pool:
        for i in range(4):
            try: pool.apply_async(fail, (i,)).get(30)
            except Exception as e: print(type(e).__name__)
"""
        self.assertEqual(python(code).split(), ["Error", "LinAlgError", "ValueError", "MemoryError"])

    def test_copies(self) -> None:
        class Mine(tesela.Error):
            pass

        globals()["Mine"], Mine.__qualname__ = Mine, "Mine"
        for kind in (tesela.Error, Mine):
            error = kind("TSL_ERR_BACKEND", "what happened")
            error.where = "here"  # type: ignore[attr-defined]
            for other in (copy.copy(error), copy.deepcopy(error), *(pickle.loads(pickle.dumps(error, p)) for p in range(6))):
                self.assertIs(type(other), kind)
                self.assertEqual((other.status, str(other), other.where), ("TSL_ERR_BACKEND", "what happened", "here"))
        self.assertEqual(tesela.Error.__module__, "tesela")


class Threads(Case):
    def test_eight_at_once(self) -> None:
        """Each with options of its own, on shared contexts."""
        wrong = []

        def work(k: int) -> None:
            try:
                dtype = "fdFD"[k % 4]
                with tesela.options(devices=("host", "host:1", "host:2")[k % 3], tile=16 * (1 + k % 3)):
                    for n in (5, 40, 150, 70, 33):
                        a, b = random((n, n), dtype, k) + n * np.eye(n, dtype=dtype), random((n, 2), dtype, k + 100)
                        self.close(tesela.solve(a, b), np.linalg.solve(a, b), dtype)
                        m = tesela.asarray(a)
                        self.close(m @ m - a, a @ a - a, dtype, 10)
                        try:
                            tesela.cholesky(-np.eye(n, dtype=dtype))
                            wrong.append("no error")
                        except np.linalg.LinAlgError as error:
                            self.assertIn("1-th", str(error))
            except BaseException as error:  # noqa: B902
                wrong.append(repr(error))

        in_threads(work, range(8))
        self.assertEqual(wrong, [])


    def test_first_use(self) -> None:
        """Of six threads at once, each of which begins at another end of the package."""
        code = """
import threading, time, numpy as np, tesela, sys
class Slow:
    def find_spec(name, path=None, target=None):
        time.sleep(0.02 if name.startswith('tesela.') else 0)
sys.meta_path.insert(0, Slow)  # each import takes long enough for the others to come in between
a, together, wrong = np.eye(3), threading.Barrier(6), []
def work(first):
    together.wait()
    try: first()
    except BaseException as error: wrong.append(repr(error))
calls = (lambda: tesela.inv(a), lambda: tesela.asarray(a), lambda: tesela.Matrix, lambda: tesela.matmul(a, a), lambda: tesela.qr(a),
         lambda: tesela.zeros((2, 2)))
threads = [threading.Thread(target=work, args=(call,)) for call in calls]
for t in threads: t.start()
for t in threads: t.join()
assert not wrong, wrong
"""
        for _ in range(4):
            python(code, TESELA_DEVICES="host")

    def test_a_view_is_whole(self) -> None:
        """Before another thread can see it: here, one that looks as soon as the library is asked."""
        from tesela._arrays import storage as _storage

        with tesela.options(devices="host"):
            m = _storage.of_numpy(_context.context("host"), random((3, 4), "d"))
            self.assertEqual(m._op, _library.TRANS)
            lib = m._context.library
            seen, whole = [], lib.whole

            class Late(_library.View):
                def __setattr__(self, name: str, value: object) -> None:
                    seen.append((m._block_of, dict(m._store._views)))
                    super().__setattr__(name, value)

            lib.whole = lambda handle: Late.from_buffer_copy(whole(handle))
            try:
                self.assertEqual(m._view.op, _library.TRANS)
            finally:
                lib.whole = whole
            self.assertEqual(seen, [(None, {})])


class Fork(Case):
    def test_a_child_computes(self) -> None:
        """After the parent has; with contexts of its own. What it inherited it cannot use, nor does it free it."""
        code = """
import os, threading, numpy as np, tesela
a = np.random.default_rng(0).standard_normal((100, 100)) + 20 * np.eye(100)
m = tesela.asarray(a)
x = tesela.solve(a, a[:, :3])
stop = False
def busy():
    while not stop: tesela.matmul(a, a)
threads = [threading.Thread(target=busy) for _ in range(2)]
for t in threads: t.start()
for i in range(5):
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            assert abs(tesela.solve(a, a[:, :3]) - x).max() < 1e-12
            try: m @ m
            except tesela.Error as error: assert error.status == 'TSL_ERR_PROCESS', error.status
            else: raise AssertionError('a matrix of the parent')
            k = tesela.asarray(a)
            assert abs(np.asarray(k @ k) - a @ a).max() < 1e-10
            del globals()['m'], k
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
stop = True
for t in threads: t.join()
assert abs(np.asarray(m @ m) - a @ a).max() < 1e-10
print('good')
"""
        self.assertEqual(python(code, TESELA_DEVICES="host").strip(), "good")


if __name__ == "__main__":
    unittest.main()
