"""Kinds of arrays whose stacks are computed in one call: NumPy's, PyTorch's, CuPy's. What is done to elements beside the library's work is done by the
array's own library, where the elements are."""

from __future__ import annotations

import functools
import math
import sys
from typing import Any, Callable, Optional

import numpy as np

from .._calls import context as _context
from .._calls.context import Context
from .._arrays.kinds import Place, stream_of, torch_stream
from .._arrays.storage import TYPES, address_of


LOW = 0 if sys.byteorder == "little" else 1  # where the low half of a number is


class NumPy:
    """Arrays in the host's memory."""

    on_gpu = False
    xp: Any = np
    types: dict[Any, int] = {np.dtype(letter): number for letter, number in TYPES.items()}  # the library's, by those of arrays

    def context(self, a: Any, order: int) -> Context:
        return _context.on_host(order)

    def stream(self, a: Any) -> Optional[int]:
        return None

    def dtype(self, a: Any) -> np.dtype[Any]:
        found: np.dtype[Any] = a.dtype
        return found

    def empty(self, like: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return self.xp.empty(shape, dtype)

    def empty_by_columns(self, like: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return self.turned(self.empty(like, (*shape[:-2], shape[-1], shape[-2]), dtype))

    address: Callable[[Any], int] = staticmethod(address_of)

    def turned(self, a: Any) -> Any:
        """The transposes."""
        return a.swapaxes(-1, -2)

    def fill(self, to: Any, a: Any) -> None:
        """to := a, which is broadcast."""
        to[...] = a

    def copy(self, a: Any, dtype: np.dtype[Any]) -> Any:
        """By rows without gaps, of this type."""
        return self.xp.array(a, dtype, order="C")

    def by_columns(self, a: Any, dtype: np.dtype[Any]) -> Any:
        """The same by columns."""
        return self.turned(self.copy(self.turned(a), dtype))

    def clear(self, a: Any, lower: bool, beside: int = 0) -> Any:
        """Zeros above the diagonal, or below it; or so many places further away, where the triangle is."""
        return self.xp.tril(a, -beside) if lower else self.xp.triu(a, beside)

    def triangle(self, a: Any, lower: bool, dtype: np.dtype[Any]) -> Any:
        """A copy by rows without gaps, of this type, with zeros outside of the triangle."""
        return self.xp.ascontiguousarray(self.clear(a, lower), dtype)

    def diagonal(self, a: Any) -> Any:
        """To be written to."""
        return np.einsum("...ii->...i", a)

    def extreme(self, a: Any, axis: int) -> Any:
        """The largest."""
        return a.max(axis=axis)

    def prod(self, a: Any, axis: int, dtype: np.dtype[Any]) -> Any:
        return self.xp.prod(a, axis=axis, dtype=dtype)

    def arange(self, like: Any, n: int) -> Any:
        return self.xp.arange(n)

    def eye(self, like: Any, m: int, n: int, dtype: np.dtype[Any]) -> Any:
        """To be read."""
        return self.xp.eye(m, n, dtype=dtype)

    def packed(self, a: Any) -> bool:
        """Is it stored by rows, without gaps?"""
        return bool(a.flags.c_contiguous and a.flags.aligned and a.dtype.isnative)

    def packed_columns(self, a: Any) -> bool:
        """Is it stored by columns, without gaps?"""
        return self.packed(self.turned(a))

    def numbers(self, like: Any, a: np.ndarray[Any, Any]) -> Any:
        """Numbers of the host beside results."""
        return a

    def to_host(self, a: Any) -> np.ndarray[Any, Any]:
        """A few numbers, as outcomes."""
        return np.asarray(a)

    def indices(self, a: Any) -> Any:
        """A copy of whole numbers as the library has them, by rows without gaps; itself, if it is so."""
        return self.xp.ascontiguousarray(a, np.int64)

    def integers(self, like: Any, a: Any) -> Any:
        """Whole numbers of anybody's, where the others are; None: they are none."""
        there = self.xp.asarray(a)
        return there if there.dtype.kind in "iu" else None

    def finite(self, a: Any) -> bool:
        """Squares add up to NaN or infinity if an element is one; they may, too, if elements are large."""
        return math.isfinite(np.vdot(a, a).real) or bool(np.isfinite(a).all())

    def strides(self, a: Any) -> Optional[tuple[int, ...]]:
        """In elements; None: not in whole ones."""
        size = a.itemsize
        return None if not a.flags.aligned or any(s % size for s in a.strides) else tuple(s // size for s in a.strides)

    def conjugate(self, a: Any) -> None:
        """In place."""
        self.xp.conjugate(a, out=a)

    def cast(self, a: Any, dtype: np.dtype[Any]) -> Any:
        return a.astype(dtype)

    def complex(self, re: Any, im: Any) -> Any:
        z = self.xp.empty(re.shape, np.dtype(re.dtype.char.upper()))
        z.real, z.imag = re, im
        return z


class CuPy(NumPy):
    on_gpu = True

    def diagonal(self, a: Any) -> Any:
        return self.xp.diagonal(a, 0, -2, -1)

    def __init__(self) -> None:
        self.xp = sys.modules["cupy"]

    def context(self, a: Any, order: int) -> Context:
        return _context.on_gpu(int(a.device.id))

    def stream(self, a: Any) -> Optional[int]:
        return stream_of(Place("cupy", int(a.device.id), a, a))

    def address(self, a: Any) -> int:
        return int(a.data.ptr)

    def packed(self, a: Any) -> bool:
        return bool(a.flags.c_contiguous)

    def numbers(self, like: Any, a: np.ndarray[Any, Any]) -> Any:
        return self.xp.asarray(a)

    def to_host(self, a: Any) -> np.ndarray[Any, Any]:
        return a if isinstance(a, np.ndarray) else self.xp.asnumpy(a)

    def finite(self, a: Any) -> bool:
        return bool(self.xp.isfinite(a).all())

    def strides(self, a: Any) -> Optional[tuple[int, ...]]:
        return tuple(s // a.itemsize for s in a.strides)


class Torch(NumPy):
    """On the host, or on a GPU."""

    def __init__(self, on_gpu: bool) -> None:
        self.xp = torch = sys.modules["torch"]
        self.on_gpu = on_gpu
        names = ("float32", "float64", "complex64", "complex128", "int64", "int32", "bool")
        self._types = {np.dtype(name): getattr(torch, name) for name in names}
        self._ours = {theirs: ours for ours, theirs in self._types.items()}
        self.address = torch.Tensor.data_ptr
        self.types = {theirs: TYPES[ours.char] for ours, theirs in self._types.items() if ours.char in TYPES}
        self._contiguous = torch.contiguous_format
        self.stream_of = torch_stream()

    def context(self, a: Any, order: int) -> Context:
        return _context.on_gpu(a.get_device()) if self.on_gpu else _context.on_host(order)

    def stream(self, a: Any) -> Optional[int]:
        return self.stream_of(a.get_device()) if self.on_gpu else None

    def dtype(self, a: Any) -> np.dtype[Any]:
        return self._ours[a.dtype]

    def _theirs(self, dtype: np.dtype[Any]) -> Any:
        return self._types[dtype]

    def empty(self, like: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return self._strided(like, shape, _strides_by_rows(shape), dtype)

    def empty_by_columns(self, like: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        return self._strided(like, shape, _strides(shape), dtype)

    def _strided(self, like: Any, shape: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
        """PyTorch's quickest way to memory. To name the type takes longer."""
        theirs = self._types[dtype]
        return like.new_empty_strided(shape, strides) if like.dtype is theirs else like.new_empty_strided(shape, strides, dtype=theirs)

    def low(self, halves: Any, shape: tuple[int, ...]) -> Any:
        """Of numbers of 64 bits, whose halves these are, the low ones: not a copy."""
        return halves.as_strided(shape, tuple(2 * s for s in _strides_by_rows(shape)), LOW)

    def turned(self, a: Any) -> Any:
        return a.mT

    def fill(self, to: Any, a: Any) -> None:
        to.copy_(a)

    def copy(self, a: Any, dtype: np.dtype[Any]) -> Any:
        if a.dtype is not self._types[dtype] or a.is_conj() or a.is_neg():
            to = a.new_empty(a.shape, dtype=self._types[dtype])
            to.copy_(a)
            return to
        return a.clone() if a.is_contiguous() else a.clone(memory_format=self._contiguous)

    def by_columns(self, a: Any, dtype: np.dtype[Any]) -> Any:
        if a.shape[-1] == 1 and a.dtype is self._types[dtype] and self.packed(a):  # a column lies both ways
            return a.clone()
        return self.empty_by_columns(a, a.shape, dtype).copy_(a)

    def triangle(self, a: Any, lower: bool, dtype: np.dtype[Any]) -> Any:
        t = a.tril() if lower else a.triu()
        return t if t.dtype is self._types[dtype] and self.packed(t) else self.copy(t, dtype)

    def diagonal(self, a: Any) -> Any:
        return a.diagonal(0, -2, -1)

    def extreme(self, a: Any, axis: int) -> Any:
        return a.amax(axis)

    def prod(self, a: Any, axis: int, dtype: np.dtype[Any]) -> Any:
        return a.prod(axis, dtype=self._theirs(dtype))

    def arange(self, like: Any, n: int) -> Any:
        return self.xp.arange(n, device=like.device)

    def eye(self, like: Any, m: int, n: int, dtype: np.dtype[Any]) -> Any:
        return (_small_eye if max(m, n) <= 64 else _eye)(m, n, self._types[dtype], like.device)

    def packed(self, a: Any) -> bool:
        return bool(a.is_contiguous() and not a.is_conj() and not a.is_neg())

    def packed_columns(self, a: Any) -> bool:
        """No other strides than these, though elements of a single row or column may have some."""
        shape = a.shape
        return bool((a.is_contiguous() if shape[-1] == 1 else a.stride() == _strides(shape)) and not a.is_conj() and not a.is_neg())

    def numbers(self, like: Any, a: np.ndarray[Any, Any]) -> Any:
        return self.xp.from_numpy(a).to(like.device)

    def to_host(self, a: Any) -> np.ndarray[Any, Any]:
        return a if isinstance(a, np.ndarray) else a.cpu().numpy()

    def indices(self, a: Any) -> Any:
        return a.to(self.xp.int64).contiguous()

    def integers(self, like: Any, a: Any) -> Any:
        there = self.xp.as_tensor(a, device=like.device)
        return None if there.is_floating_point() or there.is_complex() or there.dtype is self.xp.bool else there

    def finite(self, a: Any) -> bool:
        return bool(self.xp.isfinite(a).all())

    def strides(self, a: Any) -> Optional[tuple[int, ...]]:
        return None if a.is_conj() or a.is_neg() else tuple(a.stride())

    def conjugate(self, a: Any) -> None:
        a.copy_(a.conj())

    def cast(self, a: Any, dtype: np.dtype[Any]) -> Any:
        return a.to(self._theirs(dtype))

    def complex(self, re: Any, im: Any) -> Any:
        return self.xp.complex(re, im)


def _eye(m: int, n: int, dtype: Any, device: Any) -> Any:
    return sys.modules["torch"].eye(m, n, dtype=dtype, device=device)


@functools.lru_cache(maxsize=256)
def _small_eye(m: int, n: int, dtype: Any, device: Any) -> Any:
    """Kept, and there for all streams."""
    made = _eye(m, n, dtype, device)
    if made.is_cuda:
        sys.modules["torch"].cuda.current_stream(device).synchronize()
    return keep_for_all(made)


def keep_for_all(t: Any) -> Any:
    """Marks a tensor that is made once, for all calls that read it."""
    t.tesela_keeps = True
    return t


def is_kept(t: Any) -> bool:
    return hasattr(t, "tesela_keeps")


@functools.lru_cache(maxsize=256)
def _strides_by_rows(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(max(1, n) for n in shape[i + 1:]) for i in range(len(shape)))


def _strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Of matrices by columns, one after the other."""
    return (1, shape[0]) if len(shape) == 2 else _strides_of_stacks(shape)


@functools.lru_cache(maxsize=256)
def _strides_of_stacks(shape: tuple[int, ...]) -> tuple[int, ...]:
    m, n = shape[-2:]
    return *(m * n * math.prod(shape[i + 1:-2]) for i in range(len(shape) - 2)), 1, m


@functools.lru_cache(maxsize=None)
def space(kind: str, on_gpu: bool) -> NumPy:
    return NumPy() if kind == "numpy" else CuPy() if kind == "cupy" else Torch(on_gpu)
