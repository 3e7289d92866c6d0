"""Builds a wheel around the library of TESELA_LIBRARY, installs the package in an environment of its own, and uses it there without any
setting. Then wheels that go by the library that is installed, or do not, and the types, by mypy where there is one. Says the results as TAP."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
USE = """import tesela; tesela.devices()
loaded = {line.split()[-1] for line in open('/proc/self/maps') if 'openblas' in line or 'libtesela' in line}
import numpy
print(tesela.solve(2 * numpy.eye(3), numpy.ones(3)).sum(), tesela.__file__, *loaded)"""


def said(*command: object, **environment: str) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        print(f"# {done.stdout}{done.stderr}".replace("\n", "\n# "))
        raise SystemExit(f"not ok - {' '.join(str(word) for word in command[:4])}")
    return done.stdout


STUB = """const char *tsl_version(void) { return VERSION; }"""


def by_what_is_installed(library: str, folder: Path) -> bool:
    """Without cmake, so that nothing is built: a wheel that carries no library, or a word that one would have to be built."""
    backend = [sys.executable, HERE / "build_backend" / "backend.py"]
    tools = folder / "tools"
    tools.mkdir()
    results = []
    for name in ("same", "other", "older", "none"):
        home, wheels = folder / name, folder / (name + "-wheels")
        home.mkdir()
        wheels.mkdir()
        if name == "same":
            (home / "libtesela.so.0").symlink_to(library)
        elif name in ("other", "older"):  # of another version; of this one, but without functions that are used
            version = "9.9.9" if name == "other" else re.findall(r"TSL_VERSION_[A-Z]+ (\d+)", (HERE.parent / "include" / "tesela.h").read_text())
            (home / "stub.c").write_text(STUB.replace("VERSION", f'"{version if name == "other" else ".".join(version)}"'))
            said("cc", "-shared", "-fPIC", "-o", home / "libtesela.so.0", home / "stub.c")
        done = subprocess.run([*map(str, backend), str(wheels)], capture_output=True, text=True,
                              env={**os.environ, "LD_LIBRARY_PATH": str(home), "PATH": str(tools)})
        made = [path.name for path in wheels.glob("*.whl")]
        if name == "same":
            results.append(done.returncode == 0 and made[0].endswith("py3-none-any.whl") and "that is installed" in done.stdout
                           and "tesela/lib" not in said(sys.executable, "-m", "zipfile", "-l", wheels / made[0]))
        else:
            word = {"other": "is 9.9.9", "older": "is older", "none": "no libtesela.so.0 is installed"}[name]
            results.append(done.returncode != 0 and not made and word in done.stdout and "cmake" in done.stderr)
    if not all(results):
        print(f"# {results}")
    return all(results)


def by_what_gpus_there_are(folder: Path) -> bool:
    """CUDA is built for the GPUs that are here, and without one only if it is asked for."""
    tools, results = folder / "cuda", []
    tools.mkdir()
    for name, lines in (("nvcc", "compute_75 compute_80 compute_90"), ("nvidia-smi", "9.0")):
        if name == "nvidia-smi":
            results += [cuda_of(tools, False) == ["-DTESELA_CUDA=OFF"], cuda_of(tools, True) == ["-DTESELA_CUDA_ARCH=80"]]
        (tools / name).write_text(f"#!/bin/sh\necho {lines}\n")
        (tools / name).chmod(0o755)
    results.append(cuda_of(tools, False) == ["-DTESELA_CUDA_ARCH=90"])
    return all(results)


def cuda_of(tools: Path, wanted: bool) -> list[str]:
    code = f"import sys; sys.path.insert(0, {str(HERE / 'build_backend')!r}); import native; print(*native.architectures({wanted}))"
    told = said(sys.executable, "-c", code, PATH=str(tools), CUDACXX=str(tools / "nvcc")).splitlines()
    return told[-1].split() if any(line.startswith("tesela: ") for line in told) else []


def types(folder: Path) -> bool:
    """The package's own; and in a program a name that there is not, an argument that there is not, and values of wrong types."""
    said(sys.executable, "-m", "mypy", "--config-file", HERE / "pyproject.toml", "--cache-dir", folder, HERE / "tesela")
    program = folder / "program.py"
    program.write_text("import numpy as np, tesela\n"
                       "tesela.solve(np.eye(3), np.ones(3), lower=True)\ntesela.asarray(np.eye(3)).T.sum()\ntesela.__version__.split()\n"
                       "tesela.eigh(np.eye(3))\ntesela.solve(np.eye(3), np.ones(3), bogus=1)\n"
                       "tesela.cholesky(np.eye(3), lower='yes')\ntesela.asarray(np.eye(3)).transposed()\n"
                       "with tesela.options(tile='x'):\n    pass\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(folder), str(program)], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": str(HERE)})
    wrong = {int(line.split(":")[1]) for line in done.stdout.splitlines() if line.startswith(str(program)) and ": error:" in line}
    if wrong != {5, 6, 7, 8, 9}:
        print(f"# {done.stdout}".replace("\n", "\n# "))
    return wrong == {5, 6, 7, 8, 9}


def main() -> None:
    library = os.environ.pop("TESELA_LIBRARY")
    os.environ.pop("PYTHONPATH", None)
    with tempfile.TemporaryDirectory() as folder:
        given = {"TESELA_LIBRARY": library, "TESELA_CARRY": "yes"}
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"] if importlib.util.find_spec("pip") else None
        if pip:
            said(*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "-w", folder, HERE, **given)
        else:
            said(sys.executable, HERE / "build_backend" / "backend.py", folder, **given)
        (wheel,) = Path(folder).glob("*.whl")
        print(f"ok 1 - {wheel.name}")
        home = Path(folder) / "home"
        venv.create(home, system_site_packages=True, with_pip=False)
        python = home / "bin" / "python"
        site = said(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
        if pip:
            said(*pip, "install", "--no-deps", "--no-index", "--target", site, wheel)
        else:  # what an installer does with a wheel
            said(python, "-m", "zipfile", "-e", wheel, site)
        said_there = said(python, "-c", f"import sys; sys.path += {sys.path!r}; exec({USE!r})").split()
        good = float(said_there[0]) == 1.5 and len(said_there) >= 4 and all(file.startswith(site) for file in said_there[1:])
        print(f"{'ok' if good else 'not ok'} 2 - installed, it computes with the libraries it carries")
        sdist = said(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(HERE / 'build_backend')!r}); import backend;"
                     f"print(backend.build_sdist({folder!r}))").split()[-1]
        names = said("tar", "tzf", Path(folder) / sdist)
        whole = all(file in names for file in ("/source/src/core/op.c", "/source/include/tesela.h", "/source/include/tesela/lu.h", "/tesela/_arrays/matrix.py"))
        print(f"{'ok' if whole else 'not ok'} 3 - {sdist} has the library's sources")
        chosen = by_what_is_installed(library, Path(folder))
        print(f"{'ok' if chosen else 'not ok'} 4 - an installed library of the same version is used, and no other")
        cuda = by_what_gpus_there_are(Path(folder))
        print(f"{'ok' if cuda else 'not ok'} 5 - CUDA for the GPUs that are here")
        if importlib.util.find_spec("mypy"):
            typed = types(Path(folder))
            print(f"{'ok' if typed else 'not ok'} 6 - types")
        else:
            typed = True
            print("ok 6 - types # SKIP no mypy here")
    print("1..6")
    sys.exit(not (good and whole and chosen and cuda and typed))


main()
