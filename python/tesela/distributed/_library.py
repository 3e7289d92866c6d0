"""What functions on grids take (tesela_grid.h), and libtesela_mpi.so: where it is, and what it adds (tesela_mpi.h)."""

from __future__ import annotations

import ctypes
import functools
from ctypes import CFUNCTYPE, POINTER, Structure, c_double, c_int, c_int64, c_size_t, c_void_p
from types import SimpleNamespace
from typing import Any

from .._calls.library import View, beside, shared

GATHERER = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_size_t)
OVER_NONE, OVER_ROWS, OVER_COLS = range(3)
EVERY = -1


class Axis(Structure):
    """tsl_axis"""

    _fields_ = [("over", c_int), ("nb", c_int64), ("offset", c_int64)]


class Layout(Structure):
    """tsl_layout"""

    _fields_ = [("grid", c_void_p), ("rows", Axis), ("cols", Axis), ("row", c_int), ("col", c_int), ("scheme", c_int)]


class Entry(Structure):
    """tsl_grid_entry: what needs no type of MPI's"""

    _fields_ = [("open", CFUNCTYPE(c_int, c_int, c_int, POINTER(c_void_p), POINTER(c_int), POINTER(c_int))), ("close", c_void_p), ("whole", c_void_p),
                ("matrix", c_void_p), ("together", c_void_p), ("largest", CFUNCTYPE(c_double, c_void_p, c_double))]


def _typed(lib: ctypes.CDLL, takes: dict[str, list[Any]]) -> SimpleNamespace:
    """Functions by their names without tsl_"""
    functions = SimpleNamespace()
    for name, types in takes.items():
        function = getattr(lib, "tsl_" + name)
        function.argtypes, function.restype = types, View if name == "local" else None if name == "grid_free" else c_int
        setattr(functions, name, function)
    return functions


@functools.lru_cache(maxsize=None)
def library() -> SimpleNamespace:
    return _typed(shared(), {
        "grid_row": [c_void_p], "grid_col": [c_void_p], "grid_rows": [c_void_p], "grid_cols": [c_void_p], "grid_free": [c_void_p],
        "grid_place": [c_void_p, c_int, POINTER(c_int), POINTER(c_int)],
        "grid_create_tcp": [c_int, c_int, GATHERER, c_void_p, c_int, c_int, POINTER(c_void_p)],
        "matrix_wrap_on": [c_void_p, POINTER(Layout), c_int, c_int64, c_int64, c_void_p, c_int64, POINTER(c_void_p)], "local": [View]})


@functools.lru_cache(maxsize=None)
def mpi() -> SimpleNamespace:
    """MPI's own parts look for its symbols among those of the whole process."""
    reasons = []
    for place in beside("libtesela_mpi", "TESELA_MPI_LIBRARY"):
        try:
            lib = ctypes.CDLL(place, mode=ctypes.RTLD_GLOBAL)
            break
        except OSError as why:
            reasons.append(str(why))
    else:
        raise ImportError("tesela.distributed: libtesela_mpi cannot be loaded (it is built where CMake finds MPI): " + "; ".join(reasons))
    functions = _typed(lib, {"grid_create": [c_void_p, c_int, c_int, POINTER(c_void_p)]})
    lib.tsl_mpi_entry_points.restype = POINTER(Entry)
    functions.entry = lib.tsl_mpi_entry_points().contents
    return functions
