"""The libtesela.so of a wheel: one that is given, one that is installed, or one that is built, and what is said meanwhile."""

from __future__ import annotations

import ctypes
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path
from typing import Optional, TextIO

HERE = Path(__file__).resolve().parent.parent


def _terminal() -> Optional[TextIO]:
    """pip shows nothing of what a build writes, unless it is asked to (-v) or the build fails."""
    if sys.stdout.isatty():
        return None
    try:
        return open("/dev/tty", "w")
    except OSError:
        return None


def say(text: str) -> None:
    print(f"tesela: {text}", flush=True)
    terminal = _terminal()
    if terminal:
        with terminal:
            print(f"\rtesela: {text}", file=terminal)


def installed(version: str) -> bool:
    """Is there a library that the package will find by itself when it runs, and of this version? Says what it is, or what is wrong with it."""
    sys.path.insert(0, str(HERE))
    from tesela._calls import library as _library

    try:
        lib = ctypes.CDLL(_library.SYSTEM)
    except OSError:
        say(f"no {_library.SYSTEM} is installed")
        return False
    lib.tsl_version.restype = ctypes.c_char_p
    found = lib.tsl_version().decode()
    lacks = [name for name in _library.names() if not hasattr(lib, name)]
    if found != version or lacks:
        say(f"{_library.SYSTEM} is {found}, and {version} is wanted" if found != version else f"{_library.SYSTEM} has no {lacks[0]}: it is older")
        return False
    say(f"the package will use the {_library.SYSTEM} that is installed, {found} (--config-settings library=build builds one instead)")
    return True


def _lines(*command: str) -> list[str]:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        return []


def _nvcc() -> Optional[str]:
    homes = [os.environ[name] for name in ("CUDAToolkit_ROOT", "CUDA_PATH", "CUDA_HOME") if os.environ.get(name)] + ["/usr/local/cuda"]
    return os.environ.get("CUDACXX") or shutil.which("nvcc", path=os.pathsep.join([os.environ.get("PATH", "")] + [home + "/bin" for home in homes]))


def architectures(wanted: bool) -> list[str]:
    """For CMake: those of the GPUs here, which take a third of the time that all take. Without one no CUDA, which takes a quarter of an hour; if that is
    wanted all the same, the oldest: its PTX runs on later ones."""
    nvcc = _nvcc()
    if not nvcc:
        say("no nvcc: the library is built without CUDA")
        return []
    known = sorted(int(word.partition("_")[2]) for word in _lines(nvcc, "--list-gpu-arch") if re.fullmatch(r"compute_\d+", word))
    here = {int(word.replace(".", "")) for word in _lines("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader")
            if re.fullmatch(r"\d+\.\d", word)}
    chosen = sorted({max((arch for arch in known if arch <= gpu), default=0) for gpu in here if gpu >= 80} - {0})
    if chosen:
        say(f"CUDA for the GPUs that are here, of architecture {' '.join(map(str, chosen))}")
    elif wanted:
        chosen = [arch for arch in known if arch >= 80][:1] or [80]
        say(f"no GPU here: CUDA for architecture {chosen[0]}; later ones translate it at their first use (--config-settings "
            "cmake=-DTESELA_CUDA_ARCH=90 names others)")
    else:
        say("no GPU here: the library is built without CUDA (--config-settings cmake=-DTESELA_CUDA=ON builds it, for a quarter of an hour)")
        return ["-DTESELA_CUDA=OFF"]
    return [f"-DTESELA_CUDA_ARCH={';'.join(map(str, chosen))}"]


def _run(*command: str) -> None:
    """What it says is passed on; of the steps of a build every tenth of them, or one in ten seconds, goes to the terminal, too."""
    told, tenth = time.monotonic(), 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            step = re.match(r"\[\s*(\d+)(?:/(\d+)|%)\]", line)
            if step:
                done, of = int(step[1]), int(step[2] or 100)
                if 10 * done // of > tenth or time.monotonic() > told + 10:
                    told, tenth = time.monotonic(), 10 * done // of
                    say(f"built {done} of {of} files" if step[2] else f"built {done} %")
    if process.returncode:
        raise RuntimeError(f"{' '.join(command[:2])} failed with status {process.returncode}; pip -v shows all it said")


def built(source: Path, build: Path, more: str) -> Path:
    """Only the library, and beside it libtesela_jax where JAX is: no tests, programs or benchmarks."""
    if not shutil.which("cmake"):
        raise RuntimeError("tesela is built with cmake, which is not here; or give a library by --config-settings library=FILE")
    extra = shlex.split(more)
    wanted = any(re.match(r"-DTESELA_CUDA(:\w+)?=ON$", word) for word in extra)
    told = os.environ.get("CUDAARCHS") or any(re.match(r"-D(TESELA_CUDA_ARCH|CMAKE_CUDA_ARCHITECTURES|TESELA_CUDA(:\w+)?=OFF$)", word) for word in extra)
    fresh = not (build / "CMakeCache.txt").exists()
    cores = len(os.sched_getaffinity(0))
    say(f"configuring the library with cmake in {build}")
    _run("cmake", "-S", str(source), "-B", str(build), *(["-G", "Ninja"] if fresh and shutil.which("ninja") else []), "-DCMAKE_BUILD_TYPE=Release",
         "-DBUILD_TESTING=OFF", "-DTESELA_MPI=OFF", *([] if told or not fresh else architectures(wanted)), *extra)
    say(f"building the library on {cores} cores: a minute, with CUDA some more")
    _run("cmake", "--build", str(build), "--target", "tesela_python", "--parallel", str(cores))
    say("the library is built")
    return (build / "libtesela.so").resolve(strict=True)


def fast(include: Path, build: Path) -> Optional[Path]:
    """The compiled calls (python/fast); None: there is no compiler or no Python.h here, and ctypes will call the library."""
    compiler, headers = os.environ.get("CC") or shutil.which("cc"), sysconfig.get_paths()["include"]
    if not compiler or not (Path(headers) / "Python.h").is_file() or sysconfig.get_config_var("Py_GIL_DISABLED"):
        say("no compiler or no Python.h: the package calls the library by ctypes, some microseconds slower")
        return None
    made = build / "tesela_fast.abi3.so"
    done = subprocess.run([*shlex.split(compiler), "-std=gnu11", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", f"-I{include}", f"-I{headers}", "-o", str(made),
                           *map(str, sorted((HERE / "fast").glob("*.c")))], capture_output=True, text=True)
    if done.returncode:
        say(f"the compiled calls cannot be built, and the package calls the library by ctypes: {done.stderr.strip()[:200]}")
        return None
    return made
