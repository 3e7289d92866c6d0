"""Builds the wheel (PEP 517 and 660) with nothing but Python: the package, and in it libtesela, where none of its version is installed.

Settings: pip's --config-settings NAME=VALUE, or the environment.
    library  TESELA_LIBRARY  a libtesela.so to carry; "build": build one, also where one is installed; "system": carry none
    cmake    TESELA_CMAKE    more arguments for CMake, as -DTESELA_CUDA=OFF
    carry    TESELA_CARRY    "yes": carry OpenBLAS and what it needs, too, for machines that have none
TESELA_BUILD is a folder to build in, and to keep for the next time.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path
from typing import Any, Optional

sys.path.insert(0, str(Path(__file__).resolve().parent))
import native  # noqa: E402

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


def _tag(carried: bool) -> str:
    return "py3-none-" + (sysconfig.get_platform().replace("-", "_").replace(".", "_") if carried else "any")


def _wheel_file(tag: str) -> str:
    return f"Wheel-Version: 1.0\nGenerator: tesela\nRoot-Is-Purelib: {str(tag.endswith('any')).lower()}\nTag: {tag}\n"


def _library(settings: Optional[dict[str, Any]], scratch: Path) -> Optional[Path]:
    """To carry; None: the package finds the one that is installed."""
    given = _setting(settings, "library")
    if given not in ("", "build", "system"):
        return Path(given).resolve(strict=True)
    if given == "system" or not given and native.installed(_version()):
        return None
    return native.built(SOURCE, Path(os.environ.get("TESELA_BUILD") or scratch), _setting(settings, "cmake"))


def _soname(library: Path) -> str:
    told = subprocess.run(["readelf", "-d", str(library)], check=True, capture_output=True, text=True).stdout
    named = re.search(r"SONAME.*\[(.*)\]", told)
    return named[1] if named else library.name


def _beside(library: Path) -> list[Path]:
    """OpenBLAS, which it opens when it is loaded, and the Fortran runtime of that, in the order they need each other."""
    wanted = re.compile(r"lib(openblas|lapack|blas|gfortran|quadmath)")
    loads = f"import ctypes; ctypes.CDLL({str(library)!r}); print(open('/proc/self/maps').read())"
    mapped = subprocess.run([sys.executable, "-c", loads], check=True, capture_output=True, text=True).stdout
    found = {_soname(path): path for path in {Path(m).resolve() for m in re.findall(r"(/\S+)$", mapped, re.M)} if wanted.match(path.name)}
    needs = {name: set(re.findall(r"(\S+) =>", subprocess.run(["ldd", str(path)], check=True, capture_output=True, text=True).stdout))
             for name, path in found.items()}
    ordered: list[str] = []
    while len(ordered) < len(found):
        ready = [n for n in found if n not in ordered and not (needs[n] & found.keys()) - set(ordered) - {n}]
        if not ready:
            raise RuntimeError("libraries that need each other: " + ", ".join(found))
        ordered += ready
    return [found[name] for name in ordered]


def _carried(library: Path, scratch: Path) -> dict[str, Path]:
    """What lies in the package's folder lib: the library, the compiled calls, and for JAX what lies beside the library."""
    handlers, fast = library.parent / "libtesela_jax.so", native.fast(SOURCE / "include", scratch)
    more = ([handlers.resolve()] if handlers.exists() else []) + ([fast] if fast else [])
    return {"libtesela.so": library, **{path.name: path for path in more}}


class _Wheel:
    def __init__(self, folder: str, carried: bool) -> None:
        self.tag = _tag(carried)
        self.name = f"tesela-{_version()}-{self.tag}.whl"
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
        self.add(f"{folder}/WHEEL", _wheel_file(self.tag).encode())
        self.add(f"{folder}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes())
        self.records.append(f"{folder}/RECORD,,")
        self.zip.writestr(zipfile.ZipInfo(f"{folder}/RECORD", (2020, 1, 1, 0, 0, 0)), "\n".join(self.records) + "\n")
        self.zip.close()
        return self.name


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    folder = Path(metadata_directory) / f"tesela-{_version()}.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata())
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_wheel(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    with tempfile.TemporaryDirectory() as scratch:
        library = _library(config_settings, Path(scratch))
        wheel = _Wheel(wheel_directory, library is not None)
        for path in sorted((HERE / "tesela").rglob("*")):
            if path.is_file() and path.relative_to(HERE / "tesela").parts[0] not in ("lib", "__pycache__") and path.suffix != ".pyc":
                wheel.add(str(path.relative_to(HERE)), path.read_bytes())
        for name, path in _carried(library, Path(scratch)).items() if library else ():
            wheel.add(f"tesela/lib/{name}", path.read_bytes(), 0o755)
        if library and _setting(config_settings, "carry") in ("yes", "1", "true"):
            beside = _beside(library)
            for path in beside:
                wheel.add(f"tesela/lib/{path.name}", path.read_bytes(), 0o755)
            wheel.add("tesela/lib/beside.txt", "".join(path.name + "\n" for path in beside).encode())
    return wheel.close()


def build_editable(wheel_directory: str, config_settings: Optional[dict[str, Any]] = None, metadata_directory: Optional[str] = None) -> str:
    """The package stays where it is; the library goes beside it, and one that lay there before does not stay."""
    beside = HERE / "tesela" / "lib"
    with tempfile.TemporaryDirectory() as scratch:
        library = _library(config_settings, Path(scratch))
        shutil.rmtree(beside, ignore_errors=True)
        if library:
            beside.mkdir()
            for name, path in _carried(library, Path(scratch)).items():
                shutil.copyfile(path, beside / name)
    wheel = _Wheel(wheel_directory, library is not None)
    wheel.add("tesela_editable.pth", (str(HERE) + "\n").encode())
    return wheel.close()


def build_sdist(sdist_directory: str, config_settings: Optional[dict[str, Any]] = None) -> str:
    root = f"tesela-{_version()}"
    with tarfile.open(Path(sdist_directory) / f"{root}.tar.gz", "w:gz") as tar:
        with tempfile.NamedTemporaryFile("w", suffix="PKG-INFO") as info:
            info.write(_metadata())
            info.flush()
            tar.add(info.name, f"{root}/PKG-INFO")
        for name in ("pyproject.toml", "README.md", "build_backend", "fast", "tesela", "tests"):
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
