"""libtesela.so: where it is, what its functions take, and what its statuses mean in Python."""

from __future__ import annotations

import ctypes
import functools
import os
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_void_p
from pathlib import Path
from types import SimpleNamespace
from typing import Any


class Error(RuntimeError):
    """What a device, a context or a library of it reported; `status` is tesela.h's name of it."""

    __module__ = "tesela"

    def __init__(self, status: str, text: str) -> None:
        super().__init__(status, text)  # its arguments again: copies and pickles are made with these
        self.status = status

    def __str__(self) -> str:
        return str(self.args[1])


class Scalar(Structure):
    """tsl_scalar. A C double complex is passed as two doubles side by side, as this is."""

    _fields_ = [("re", c_double), ("im", c_double)]


class View(Structure):
    _fields_ = [("mat", c_void_p), ("i", c_int64), ("j", c_int64), ("m", c_int64), ("n", c_int64), ("op", c_int), ("uplo", c_int),
                ("diag", c_int), ("problem", c_int32)]


class Config(Structure):
    _fields_ = [("size", c_size_t), ("devices", c_char_p), ("stream", c_void_p), ("workspace_limit", c_size_t), ("allocator", c_void_p)]


class DeviceInfo(Structure):
    _fields_ = [("name", c_char * 96), ("backend", c_char * 16), ("ordinal", c_int), ("is_virtual", c_int), ("limit", c_size_t),
                ("used", c_size_t), ("peak", c_size_t), ("total", c_size_t), ("idle", c_double)]


class SolveOptions(Structure):
    _fields_ = [("lowest", c_int), ("accuracy", c_double)]


class SolveResult(Structure):
    _fields_ = [("info", c_int64), ("iterations", c_int64), ("method", c_int), ("precision", c_int), ("backward_error", c_double),
                ("forward_error", c_double), ("condition", c_double), ("singular", c_int)]


class Selection(Structure):
    """tsl_selection"""

    _fields_ = [("range", c_int), ("il", c_int64), ("iu", c_int64), ("vl", c_double), ("vu", c_double)]


NOTRANS, TRANS, CONJ, HERM = range(4)
LEFT, RIGHT = range(2)
SYMMETRIC, HERMITIAN, TRIANGULAR = range(3)
NORM_MAX, NORM_ONE, NORM_INF, NORM_FRO = range(4)
RANGE_ALL, RANGE_INDEX, RANGE_VALUE = range(3)
SORT_NONE, SORT_LHP, SORT_RHP, SORT_IUC, SORT_OUC = range(5)
SVD_AUTO, SVD_DC, SVD_QR, SVD_POLAR = range(4)

_LETTERS: dict[str, Any] = {
    "x": c_void_p, "m": c_void_p, "v": View, "a": Scalar, "d": c_double, "i": c_int64, "e": c_int, "t": c_char_p, "p": c_void_p,
    "z": c_size_t, "I": POINTER(c_int64), "D": POINTER(c_double), "S": POINTER(Scalar), "M": POINTER(c_void_p), "C": POINTER(Config),
    "Q": POINTER(DeviceInfo), "O": POINTER(SolveOptions), "R": POINTER(SolveResult), "W": POINTER(Selection),
    "-": None,
}
# What each function takes, after the colon what it returns: a status where there is none.
_FUNCTIONS = """
version :t   libraries :t   status_text e:t   status_name e:t   error x:t   stream x:p   tuning x:t
context_create CM   context_destroy x:-   default_context M   wait x   cancel x   follow xp   precede xp   adopt xp   set xtt   device_count x:e   device_query_sized xeQz
explain xtiiitz   type_eps e:d   variant_name te:t
matrix_create xeiiM   matrix_wrap xeiipiM   tiled_wrap xeiipiiM   batch_wrap xeiipiiiM   matrix_free m:-   matrix_data m:p   matrix_ld m:i
whole m:v   sub viiii:v   trans v:v   conj v:v   herm v:v   lower v:v   upper v:v   unit v:v   general v:v
copy xvv   convert xvvI   scale xav   scal xav   axpy xavv   dot xvvS   nrm2 xvD   gemv xavvav   ger xavvv   gemm xavvav   expand xevv   norm xeevD
trsm xeavv   potrf xvI   potrs xvv   posv xvvI   potri xvI   getrf xvvI   getrs xvvv   gesv xvvvI   getri xvvI   laswp xvve   plu xvvvvv
geqrf xvv   ormqr xeevvv   orgqr xvv   gels xvvI   geqp3 xvvv   gelsy xvvvdI   gelsd xvvvdII   solve_sized xvvvOzRz
sytrf xvvI   hetrf xvvI   sytrs xvvv   hetrs xvvv   sysv xvvvI   hesv xvvvI   sytri xvvI   hetri xvvI
syev xvWvvII   sygv xivvWvvII   stev xvvWvvII   gesvd xvevvvI   pinv xvdvII   polar xvvI
gehrd xiivv   orghr xiivv   geev xvvvvvI   gees xvevvvII   laset xaav
sylvester xvvvvI   lyapunov xvvvI   uddate xvvvvvvI
expm xvI   sqrtm xvI   logm xvI   logdet xvvSD
"""

# Wrong arguments are Python's own errors, and so is memory; all else is Error.
_VALUE = {"TSL_ERR_FLAG", "TSL_ERR_SIZE", "TSL_ERR_LD", "TSL_ERR_SHAPE", "TSL_ERR_VIEW", "TSL_ERR_UPLO", "TSL_ERR_OVERFLOW", "TSL_ERR_SPEC",
          "TSL_ERR_OPTION", "TSL_ERR_LAYOUT", "TSL_ERR_OVERLAP", "TSL_ERR_PIVOT"}
_MEMORY = {"TSL_ERR_MEMORY", "TSL_ERR_DEVICE_MEMORY"}


SYSTEM = "libtesela.so.0"
_VERSION = (0, 1)  # major and minor of the tesela.h that this file speaks


def names() -> list[str]:
    """Of the functions that are used, as the library has them."""
    return ["tsl_" + name for name in _FUNCTIONS.split()[::2]]


def _places() -> list[str]:
    """TESELA_LIBRARY and nothing else, if that is set; else the library that the package carries; else the system's."""
    named = os.environ.get("TESELA_LIBRARY")
    if named:
        return [named]
    return [str(path) for path in sorted((Path(__file__).parent.parent / "lib").glob("libtesela.so*"))] + [SYSTEM]


@functools.lru_cache(maxsize=None)
def shared() -> ctypes.CDLL:
    """The library itself, loaded at first use. ctypes lets other Python threads run during its calls."""
    carried = Path(__file__).parent.parent / "lib" / "beside.txt"
    if carried.exists() and not os.environ.get("TESELA_LIBRARY"):
        for name in carried.read_text().split():  # the libraries it needs, in the order they need each other
            ctypes.CDLL(str(carried.parent / name))
    reasons = []
    for place in _places():
        try:
            lib = ctypes.CDLL(place)
            lib.tsl_version.restype = c_char_p
            found = lib.tsl_version().decode()
            lacks = [name for name in names() if not hasattr(lib, name)]
            if tuple(map(int, found.split(".")[:2])) == _VERSION and not lacks:
                return lib
            reasons.append(f"{place} is {found}" + (f" and has no {lacks[0]}" if lacks else "") + ", and the package is for "
                           + ".".join(map(str, _VERSION)))
        except (OSError, AttributeError) as why:
            reasons.append(str(why))
    raise ImportError("tesela: its library cannot be loaded: " + "; ".join(reasons))


def beside(stem: str, variable: str) -> list[str]:
    """Where a library that goes with libtesela may be: as the variable says and nowhere else, if it is set; else beside libtesela; else the system's."""
    named = os.environ.get(variable)
    if named:
        return [named]
    folder = Path(shared()._name).parent
    return [str(path) for path in sorted(folder.glob(stem + ".so*"))[:1] if folder != Path(".")] + [stem + ".so.0"]


@functools.lru_cache(maxsize=None)
def library() -> SimpleNamespace:
    """The library's functions by their names without tsl_."""
    lib = shared()
    functions = SimpleNamespace(ending=False)  # once the interpreter ends nothing is freed any more
    words = _FUNCTIONS.split()
    while words:
        name = words.pop(0)
        takes, _, gives = words.pop(0).partition(":")
        function = getattr(lib, "tsl_" + name)
        function.argtypes = [_LETTERS[letter] for letter in takes]
        function.restype = _LETTERS[gives] if gives else c_int
        setattr(functions, name, function)
    functions.device_query = lambda x, d, info: functions.device_query_sized(x, d, info, ctypes.sizeof(info))
    functions.solve = lambda x, a, b, c, o, r: functions.solve_sized(x, a, b, c, o, ctypes.sizeof(o), r, ctypes.sizeof(r))
    return functions


@functools.lru_cache(maxsize=None)
def letters(name: str) -> str:
    """What a function takes."""
    words = _FUNCTIONS.split()
    return words[words.index(name) + 1].partition(":")[0]


def version() -> str:
    return str(library().version().decode())


def _variants(operation: str) -> list[str]:
    names: list[str] = []
    while name := library().variant_name(operation.encode(), len(names)):
        names.append(name.decode())
    return names


def _possible_variants(function: str) -> str:
    """Names for options(variant=...): those of this operation; if it has none, of all that are called here."""
    own = _variants(function)
    names = own or sorted({name for word in _FUNCTIONS.split() for name in _variants(word)})
    return f"{function + ' has' if own else 'there are'} auto, leaf, {', '.join(names)}"


def failure(status: int, text: str, what: str = "") -> Exception:
    """The exception that says what a function returned; `what` is the function."""
    name = library().status_name(status).decode()
    text = text or library().status_text(status).decode()
    if name == "TSL_ERR_OPTION" and "variant" in text:
        text += "; " + _possible_variants(what)
    if name in _MEMORY:
        return MemoryError(text)
    if name in _VALUE:
        return ValueError(text)
    if name == "TSL_ERR_TYPE":
        return TypeError(text)
    return Error(name, text)
