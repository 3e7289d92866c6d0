"""The library's typed calls, tsl_dgesv and its kin, by ctypes."""

from __future__ import annotations

import ctypes
import functools
from types import SimpleNamespace
from typing import Any

import numpy as np

from .library import Scalar, shared


class _Pair(ctypes.Structure):
    """A C float complex."""

    _fields_ = [("re", ctypes.c_float), ("im", ctypes.c_float)]


# x the context, c a letter, i a size, p an address, s a number of the call's type.
_CALLS = {"gemm": "xcciiispipispi", "gemv": "xciispipispi", "dot": "xipipip", "nrm2": "xipip", "lange": "xciipip", "trsm": "xcccciispipi",
          "potrf": "xcipip", "potri": "xcipip", "potrs": "xciipipip", "posv": "xciipipip", "getrf": "xiipipp", "getrs": "xciipippip",
          "gesv": "xiipippip", "getri": "xipipp", "geqrf": "xiipipp", "orgqr": "xiiipipp", "gels": "xciiipipip",
          "syevd": "xccipipp",
          # of batches: after each leading dimension, and after pivots and tau, the stride; then the count
          "gemm_batch": "xcciiispiipiispiii", "trsm_batch": "xcccciispiipiii", "potrf_batch": "xcipiiip", "potrs_batch": "xciipiipiii",
          "posv_batch": "xciipiipiiip", "getrf_batch": "xiipiipiip", "getrs_batch": "xciipiipipiii", "gesv_batch": "xiipiipipiiip",
          "geqrf_batch": "xiipiipii", "gels_batch": "xciiipiipiiip"}
_TYPES: dict[str, tuple[str, Any]] = {"f": ("s", ctypes.c_float), "d": ("d", ctypes.c_double), "F": ("c", _Pair), "D": ("z", Scalar)}


def _symbol(name: str, letter: str) -> str:
    if name == "orgqr" and letter in "cz":
        name = "ungqr"
    if name == "syevd" and letter in "cz":
        name = "heevd"
    if name == "nrm2" and letter in "cz":
        return {"c": "tsl_scnrm2", "z": "tsl_dznrm2"}[letter]
    return f"tsl_{letter}{name}{'u' if name == 'dot' and letter in 'cz' else ''}"


@functools.lru_cache(maxsize=None)
def typed() -> dict[np.dtype[Any], SimpleNamespace]:
    """Of each type that there is: its calls by their names, and its one and zero."""
    lib, found = shared(), {}
    for char, (letter, number) in _TYPES.items():
        letters = {"x": ctypes.c_void_p, "c": ctypes.c_char, "i": ctypes.c_int64, "p": ctypes.c_void_p, "s": number}
        calls = SimpleNamespace(one=number(1), zero=number(0), real=np.dtype(char.lower()), herm=b"C" if char in "FD" else b"T")
        for name, takes in _CALLS.items():
            function = getattr(lib, _symbol(name, letter))
            function.argtypes, function.restype = [letters[c] for c in takes], ctypes.c_int
            setattr(calls, name, function)
        found[np.dtype(char)] = calls
    return found
