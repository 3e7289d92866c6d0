"""DLPack: arrays of others on GPUs, read in place, and our own handed over. By both forms of the protocol: that from version 1 on says
also which version it is, whether the elements may be written, and whether they are a copy."""

from __future__ import annotations

import atexit
import ctypes
import math
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p,
                    py_object)
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

if TYPE_CHECKING:
    from .matrix import Matrix

CPU, CUDA = 1, 2
_FLOAT, _COMPLEX = 2, 5


class _Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8),
                ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


_Deleter = CFUNCTYPE(None, c_void_p)


class _Managed(Structure):
    _fields_ = [("tensor", _Tensor), ("manager", c_void_p), ("deleter", _Deleter)]


class _Versioned(Structure):
    _fields_ = [("major", c_uint32), ("minor", c_uint32), ("manager", c_void_p), ("deleter", _Deleter), ("flags", c_uint64),
                ("tensor", _Tensor)]


VERSION = (1, 0)
_IS_COPIED = 2  # a flag; that of elements which must not be written is not set
_NAME, _VERSIONED_NAME = b"dltensor", b"dltensor_versioned"

_api = ctypes.pythonapi
_get = _api.PyCapsule_GetPointer
_get.restype, _get.argtypes = c_void_p, [py_object, c_char_p]
_new = _api.PyCapsule_New
_new.restype, _new.argtypes = py_object, [c_void_p, c_char_p, c_void_p]
_Destructor = CFUNCTYPE(None, c_void_p)  # of a capsule whose last reference is gone: by its bare address
_is = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", _api))
_bare = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _api))


class Array(NamedTuple):
    """Where an array is; strides in elements."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: np.dtype[Any]
    array: Any
    keep: object  # until it is no longer needed there


_DTYPES: dict[tuple[int, int, int], np.dtype[Any]] = {(_FLOAT, 32, 1): np.dtype("f"), (_FLOAT, 64, 1): np.dtype("d"),
                                                      (_COMPLEX, 64, 1): np.dtype("F"), (_COMPLEX, 128, 1): np.dtype("D")}


def packed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Strides of an array by rows without gaps."""
    return tuple(math.prod(shape[i + 1:]) for i in range(len(shape)))


def _capsule(a: Any, stream: int) -> Any:
    try:
        return a.__dlpack__(stream=stream, max_version=VERSION)
    except TypeError:  # it is older than that argument
        return a.__dlpack__(stream=stream)


def read(a: Any, stream: int) -> Array:
    """An array of somebody's on a GPU; its own stream's work on it goes before ours on `stream`."""
    capsule = _capsule(a, stream)
    managed: Union[_Managed, _Versioned]
    if _is(id(capsule), _VERSIONED_NAME):
        managed = _Versioned.from_address(_get(capsule, _VERSIONED_NAME))
        if managed.major > VERSION[0]:
            raise BufferError(f"DLPack's version {managed.major}.{managed.minor}, of which only those up to {VERSION[0]} are known here")
    else:
        managed = _Managed.from_address(_get(capsule, _NAME))
    t = managed.tensor
    ndim, there = t.ndim, t.strides
    shape = tuple(t.shape[:ndim])
    dtype = _DTYPES.get((t.code, t.bits, t.lanes))
    if dtype is None:
        raise TypeError("elements of an array on a GPU are of float32, float64, complex64 or complex128")
    strides = tuple(there[:ndim]) if there else packed(shape)
    # The capsule is never taken: its own end frees what it holds.
    return Array((t.data or 0) + t.byte_offset, shape, strides, dtype, a, (a, capsule))


class _Export:
    """What a handed over tensor points to."""

    def __init__(self, m: Matrix, versioned: bool, copied: bool) -> None:
        shape, strides = m.shape, m._strides()
        self.matrix = m
        self.shape = (c_int64 * len(shape))(*shape)
        self.strides = (c_int64 * len(shape))(*strides)
        self.managed: Union[_Managed, _Versioned] = _Versioned(*VERSION, flags=_IS_COPIED * copied) if versioned else _Managed()
        t = self.managed.tensor
        t.data = m._address()
        t.device_type, t.device_id = m.__dlpack_device__()
        t.ndim, t.lanes, t.bits = len(shape), 1, 8 * m.dtype.itemsize
        t.code = _COMPLEX if m.dtype.kind == "c" else _FLOAT
        t.shape, t.strides = self.shape, self.strides
        self.managed.deleter = _delete
        self.address = ctypes.addressof(self.managed)
        _alive[self.address] = self


_alive: dict[int, _Export] = {}  # until their deleters are called


# Others may call these when this module has ended: they hold what they need, and their callbacks are never freed.
def _deleted(managed: int, alive: Any = _alive) -> None:
    alive.pop(managed, None)


def _dropped(capsule: int, alive: Any = _alive, is_: Any = _is, bare: Any = _bare, names: Any = (_NAME, _VERSIONED_NAME)) -> None:
    for name in names:
        if is_(capsule, name):  # nobody took it
            alive.pop(bare(capsule, name), None)


_delete, _unused = _Deleter(_deleted), _Destructor(_dropped)
for _forever in (_delete, _unused):
    _api.Py_IncRef(py_object(_forever))


@atexit.register
def _let_go() -> None:
    """Whoever ends after the interpreter must not call into it: tensors that are still in use then have no deleter, as DLPack allows."""
    for export in list(_alive.values()):
        export.managed.deleter = _Deleter()


def export(m: Matrix, stream: Any, max_version: Any, copied: bool) -> Any:
    """A capsule; work on the consumer's stream goes after ours. On the host, and with no stream named, it is all done."""
    if stream != -1:  # -1: the consumer does not ask for it
        if m._context.on_gpu and stream is not None:
            m._context.order("precede", stream)
        else:
            m._context("wait")
    versioned = max_version is not None and max_version[0] >= VERSION[0]
    return _new(_Export(m, versioned, copied).address, _VERSIONED_NAME if versioned else _NAME, ctypes.cast(_unused, c_void_p))


def for_jax(depth: int) -> bool:
    """Is it JAX that asks for a capsule? It takes no arrays with gaps between columns, does not say so, and holds what it has been given to
    be constant, so that elements of its own are right for it."""
    return str(sys._getframe(depth + 1).f_globals.get("__name__")).partition(".")[0] == "jax"
