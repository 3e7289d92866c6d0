"""DLPack: arrays of others on GPUs, read in place, and our own handed over."""

from __future__ import annotations

import ctypes
import math
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, c_int64, c_uint8, c_uint16, c_uint64, c_void_p, py_object
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from ._matrix import Matrix

CPU, CUDA = 1, 2
_FLOAT, _COMPLEX = 2, 5


class _Tensor(Structure):
    _fields_ = [("data", c_void_p), ("device_type", c_int), ("device_id", c_int32), ("ndim", c_int32), ("code", c_uint8), ("bits", c_uint8),
                ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)), ("byte_offset", c_uint64)]


class _Managed(Structure):
    pass


_Deleter = CFUNCTYPE(None, POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("manager", c_void_p), ("deleter", _Deleter)]

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


def read(a: Any, stream: int) -> Array:
    """An array of somebody's on a GPU; its own stream's work on it goes before ours on `stream`."""
    capsule = a.__dlpack__(stream=stream)
    t = _Tensor.from_address(_get(capsule, _NAME))  # its managed tensor begins with it
    ndim, there = t.ndim, t.strides
    shape = tuple(t.shape[:ndim])
    dtype = _DTYPES.get((t.code, t.bits, t.lanes))
    if dtype is None:
        raise TypeError("elements are of float32, float64, complex64 or complex128")
    strides = tuple(there[:ndim]) if there else packed(shape)
    # The capsule is never taken: its own end frees what it holds.
    return Array((t.data or 0) + t.byte_offset, shape, strides, dtype, a, (a, capsule))


class _Export:
    """What a handed over tensor points to."""

    def __init__(self, m: Matrix) -> None:
        shape, strides = m.shape, m._strides()
        self.matrix = m
        self.shape = (c_int64 * len(shape))(*shape)
        self.strides = (c_int64 * len(shape))(*strides)
        self.managed = _Managed()
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
_NAME = b"dltensor"


# Others may call these when this module has ended: they hold what they need, and their callbacks are never freed.
def _deleted(managed: Any, alive: Any = _alive, addressof: Any = ctypes.addressof) -> None:
    alive.pop(addressof(managed.contents), None)


def _dropped(capsule: int, alive: Any = _alive, is_: Any = _is, bare: Any = _bare, name: bytes = _NAME) -> None:
    if is_(capsule, name):  # nobody took it
        alive.pop(bare(capsule, name), None)


_delete, _unused = _Deleter(_deleted), _Destructor(_dropped)
for _forever in (_delete, _unused):
    _api.Py_IncRef(py_object(_forever))


def export(m: Matrix, stream: Any) -> Any:
    """A capsule; work on the consumer's stream goes after ours. On the host, and with no stream named, it is all done."""
    if stream != -1:  # -1: the consumer does not ask for it
        if m._context.on_gpu and stream is not None:
            m._context("precede", stream)
        else:
            m._context("wait")
    return _new(_Export(m).address, _NAME, ctypes.cast(_unused, c_void_p))
