"""Builds the wheel (PEP 517 and 660) with nothing but Python: libtesela by CMake, or one that is given, and the package around it.

Settings: pip's --config-settings NAME=VALUE, or the environment.
    library  TESELA_LIBRARY  a libtesela.so to carry, instead of building one
    cmake    TESELA_CMAKE    more arguments for CMake, as -DTESELA_CUDA=OFF
    carry    TESELA_CARRY    "yes": carry OpenBLAS and what it needs, too, for machines that have none
TESELA_BUILD is a folder to build in, and to keep for the next time.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Optional

HERE = Path(__file__).resolve().parent.parent
# The library's sources: around this folder in the repository, inside it in a source distribution.
SOURCE = HERE / "source" if (HERE / "source").is_dir() else HERE.parent
IN_SOURCE = ("CMakeLists.txt", "LICENSE", "README.md", "include", "src", "cmake", "cli", "bench")


def _setting(settings: Optional[dict[str, Any]], name: str) -> str:
    return str((settings or {}).get(name) or os.environ.get("TESELA_" + name.upper()) or "")


def _version() -> str:
    header = (SOURCE / "include" / "tesela.h").read_text()
    return ".".join(re.search(rf"#define TSL_VERSION_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR", "PATCH"))  # type: ignore[index]


def _metadata() -> str:
    project = (HERE / "pyproject.toml").read_text()

    def word(name: str) -> str:
        return re.search(rf'^{name} = "(.*)"', project, re.M)[1]  # type: ignore[index]

    needs = re.findall(r'"([^"]+)"', re.search(r"^dependencies = \[(.*)\]", project, re.M)[1])  # type: ignore[index]
    return "\n".join(["Metadata-Version: 2.1", "Name: tesela", f"Version: {_version()}", f"Summary: {word('description')}",
                      f"License: {word('license')}", f"Requires-Python: {word('requires-python')}"] +
                     [f"Requires-Dist: {need}" for need in needs] +
                     ["Description-Content-Type: text/markdown", "", (HERE / "README.md").read_text()])


def _wheel_file() -> str:
    return f"Wheel-Version: 1.0\nGenerator: tesela\nRoot-Is-Purelib: false\nTag: {_tag()}\n"


def _tag() -> str:
    return "py3-none-" + sysconfig.get_platform().replace("-", "_").replace(".", "_")


def _library(settings: Optional[dict[str, Any]], scratch: Path) -> Path:
    given = _setting(settings, "library")
    if given:
        return Path(given).resolve(strict=True)
    if not shutil.which("cmake"):
        raise RuntimeError("tesela is built with cmake, which is not here; or give a library by --config-settings library=FILE")
    build = Path(os.environ.get("TESELA_BUILD") or scratch)
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    fresh = ninja if not (build / "CMakeCache.txt").exists() else []
    subprocess.run(["cmake", "-S", str(SOURCE), "-B", str(build), *fresh, "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF",
                    "-DTESELA_MPI=OFF", *shlex.split(_setting(settings, "cmake"))], check=True)
    subprocess.run(["cmake", "--build", str(build), "--target", "tesela_shared", "--parallel", str(os.cpu_count() or 2)], check=True)
    return (build / "libtesela.so").resolve(strict=True)


def _beside(library: Path) -> list[Path]:
    """OpenBLAS, LAPACKE and the Fortran runtime that it was linked with, in the order they need each other."""
    wanted = re.compile(r"lib(openblas|lapacke|lapack|blas|gfortran|quadmath|tmglib)")
    listed = subprocess.run(["ldd", str(library)], check=True, capture_output=True, text=True).stdout
    found = {m[1]: Path(m[2]).resolve() for m in re.finditer(r"(\S+) => (\S+)", listed) if wanted.match(m[1])}
    needs = {name: set(re.findall(r"(\S+) =>", subprocess.run(["ldd", str(path)], check=True, capture_output=True, text=True).stdout))
             for name, path in found.items()}
    ordered: list[str] = []
    while len(ordered) < len(found):
        ready = [n for n in found if n not in ordered and not (needs[n] & found.keys()) - set(ordered) - {n}]
        if not ready:
            raise RuntimeError("libraries that need each other: " + ", ".join(found))
        ordered += ready
    return [found[name] for name in ordered]


class _Wheel:
    def __init__(self, folder: str) -> None:
        self.name = f"tesela-{_version()}-{_tag()}.whl"
        self.zip = zipfile.ZipFile(Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)
        self.records: list[str] = []

    def add(self, name: str, content: bytes, mode: int = 0o644) -> None:
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes from the same files
        info.external_attr = (0o100000 | mode) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.records.append(f"{name},sha256={digest},{len(content)}")

    def close(self) -> str:
        folder = f"tesela-{_version()}.dist-info"
        self.add(f"{folder}/METADATA", _metadata().encode())
        self.add(f"{folder}/WHEEL", _wheel_file().encode())
        self.add(f"{folder}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes())
        self.records.append(f"{folder}/RECORD,,")
        self.zip.writestr(zipfile.ZipInfo(f"{folder}/RECORD", (2020, 1, 1, 0, 0, 0)), "\n".join(self.records) + "\n")
        self.zip.close()
        return self.name


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    folder = Path(metadata_directory) / f"tesela-{_version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata())
    (folder / "WHEEL").write_text(_wheel_file())
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    wheel = _Wheel(wheel_directory)
    for path in sorted((HERE / "tesela").glob("*")):
        if path.is_file():
            wheel.add(f"tesela/{path.name}", path.read_bytes())
    with tempfile.TemporaryDirectory() as scratch:
        library = _library(config_settings, Path(scratch))
        wheel.add("tesela/lib/libtesela.so", library.read_bytes(), 0o755)
        if _setting(config_settings, "carry") in ("yes", "1", "true"):
            beside = _beside(library)
            for path in beside:
                wheel.add(f"tesela/lib/{path.name}", path.read_bytes(), 0o755)
            wheel.add("tesela/lib/beside.txt", "".join(path.name + "\n" for path in beside).encode())
    return wheel.close()


def build_editable(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """The package stays where it is; the library goes beside it."""
    with tempfile.TemporaryDirectory() as scratch:
        (HERE / "tesela" / "lib").mkdir(exist_ok=True)
        shutil.copyfile(_library(config_settings, Path(scratch)), HERE / "tesela" / "lib" / "libtesela.so")
    wheel = _Wheel(wheel_directory)
    wheel.add("tesela_editable.pth", (str(HERE) + "\n").encode())
    return wheel.close()


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    root = f"tesela-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as tar:
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
            info.write(_metadata())
            info.flush()
            tar.add(info.name, f"{root}/PKG-INFO")
        for name in ("pyproject.toml", "README.md", "build_backend", "tesela", "tests"):
            tar.add(HERE / name, f"{root}/{name}", filter=_sources)
        for name in IN_SOURCE:
            tar.add(SOURCE / name, f"{root}/source/{name}", filter=_sources)
    return root + ".tar.gz"


def _sources(entry: tarfile.TarInfo) -> Optional[tarfile.TarInfo]:
    path = Path(entry.name)
    built = "__pycache__" in path.parts or path.name == "lib" or path.suffix in (".so", ".o", ".pyc") or "results" in path.parts
    return None if built else entry


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
