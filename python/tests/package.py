"""Builds a wheel around the library of TESELA_LIBRARY, installs the package in an environment of its own, and uses it there without any
setting.
Then the types, by mypy where that is installed. Says the results as TAP."""

from __future__ import annotations

import importlib.util
import os
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
        whole = "/source/src/core/op.c" in names and "/source/include/tesela.h" in names and "/tesela/_matrix.py" in names
        print(f"{'ok' if whole else 'not ok'} 3 - {sdist} has the library's sources")
        if importlib.util.find_spec("mypy"):
            said(sys.executable, "-m", "mypy", "--config-file", HERE / "pyproject.toml", "--cache-dir", folder, HERE / "tesela")
            print("ok 4 - types")
        else:
            print("ok 4 - types # SKIP no mypy here")
    print("1..4")
    sys.exit(not (good and whole))


main()
