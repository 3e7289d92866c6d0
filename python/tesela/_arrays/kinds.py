"""Kinds of arrays of others: NumPy, PyTorch, CuPy, whatever has DLPack. Where one is, of which type, and whether it can be computed with."""

from __future__ import annotations

import functools
import sys
from typing import Any, Callable, NamedTuple, Optional, Union

import numpy as np

from . import dlpack as _dlpack
from .._calls import context as _context
from .._calls.context import Context
from .dlpack import Array, packed
from .matrix import Matrix
from .storage import element_type


class Place(NamedTuple):
    """A kind of array on a device. `gpu` is the number of the GPU, None on the host."""

    kind: str  # numpy, tesela, torch, cupy, or other
    gpu: Optional[int]
    like: Any
    array: Any  # as NumPy sees it, if it is in host memory; else itself


def is_of(a: Any, module: str, name: str) -> bool:
    """Is it of this class of a module that somebody has imported?"""
    return isinstance(a, getattr(sys.modules.get(module), name, ()))


def on_device(a: Any) -> bool:
    """Is it an array on a GPU whose own library works on its elements there?"""
    return is_of(a, "torch", "Tensor") and bool(a.is_cuda) or is_of(a, "cupy", "ndarray")


def _masked(a: Any) -> bool:
    """Is it a masked array, or a list with one somewhere?"""
    if isinstance(a, (list, tuple)):
        return any(isinstance(x, (list, tuple, np.ma.MaskedArray)) and _masked(x) for x in a)
    return isinstance(a, np.ma.MaskedArray)


def plain(a: Any, dtype: Optional[np.dtype[Any]] = None) -> np.ndarray[Any, Any]:
    """An array, numbers or lists of them as an array of NumPy's own class."""
    if _masked(a):
        raise ValueError("masked arrays are not supported")
    if not isinstance(a, np.ndarray) and (hasattr(a, "toarray") or hasattr(a, "todense")):
        raise _sparse(type(a).__name__)
    return np.asarray(a, dtype)


def _sparse(what: str) -> ValueError:
    return ValueError(f"sparse matrices are not supported ({what}): toarray() or to_dense() makes a dense one, scipy.sparse.linalg solves with "
                      "sparse ones")


def place_of(a: Any) -> Union[np.ndarray[Any, Any], Place]:
    """Of an array that is not NumPy's; an array of NumPy's itself, also of what becomes one."""
    if isinstance(a, Matrix):
        context = a._context
        return Place("tesela", context.ordinal if context.on_gpu else None, a, a)
    if isinstance(a, (np.ndarray, np.generic, list, tuple)):
        return plain(a)
    if is_of(a, "torch", "Tensor"):
        t = _tensor(a)
        return Place("torch", t.get_device(), t, t) if t.is_cuda else Place("torch", None, t, t.numpy())
    if is_of(a, "cupy", "ndarray"):
        a = a if a.dtype.char in "fdFD" else a.astype(common_dtype(a.dtype))
        return Place("cupy", int(a.device.id), a, a)
    if hasattr(a, "__dlpack_device__"):
        kind, number = a.__dlpack_device__()
        if int(kind) == _dlpack.CUDA:
            if str(getattr(a, "dtype", "")).startswith(("int", "uint", "bool")) and hasattr(a, "astype"):
                a = a.astype("float64")
            return Place("other", int(number), a, a)
        if int(kind) == _dlpack.CPU:
            return Place("other", None, a, _seen_by_numpy(a))
        raise TypeError(f"an array on a device of DLPack's kind {int(kind)}: only the host's and CUDA's can be used")
    if hasattr(a, "__cuda_array_interface__"):
        return Place("other", _context.current().ordinal, a, a)
    return plain(a)


def _seen_by_numpy(a: Any) -> np.ndarray[Any, Any]:
    try:
        return np.from_dlpack(a)
    except (BufferError, RuntimeError) as why:
        raise TypeError(f"an array that NumPy does not take by DLPack: {why}") from None


def named(name: str, a: Any) -> Union[np.ndarray[Any, Any], Place]:
    """place_of an argument, whose errors say which it is."""
    try:
        return place_of(a)
    except (TypeError, ValueError) as why:
        raise (TypeError if isinstance(why, TypeError) else ValueError)(f"{name}: {why}") from None


@functools.lru_cache(maxsize=None)
def torch_types() -> dict[Any, Any]:
    """NumPy's of PyTorch's types, and the other way."""
    pairs = [(getattr(sys.modules["torch"], name), np.dtype(name)) for name in ("float32", "float64", "complex64", "complex128")]
    return dict(pairs + [(ours, theirs) for theirs, ours in pairs])


def _tensor(t: Any) -> Any:
    """One whose memory shows its elements, of a type of ours: as of NumPy's, integers become double; TypeError: it is of no use here."""
    torch = sys.modules["torch"]
    if t.requires_grad:
        raise TypeError("the tensor requires grad, which only tesela.torch keeps account of: call its functions, or detach() it")
    if t.layout is not torch.strided:
        raise _sparse(str(t.layout))
    if not (t.is_cuda or t.is_cpu):
        raise TypeError(f"a tensor on {t.device}: only the host and CUDA can be used")
    if t.dtype not in torch_types():
        if t.dtype not in _torch_wider():
            raise TypeError(f"elements of {str(t.dtype).partition('.')[2]} cannot be computed with: float32, float64, complex64, complex128, "
                            "float16, integers and bool can")
        return t.to(_torch_wider()[t.dtype])
    return t.resolve_conj().resolve_neg() if t.is_conj() or t.is_neg() else t


@functools.lru_cache(maxsize=None)
def _torch_wider() -> dict[Any, Any]:
    """What PyTorch's types become that the library has not."""
    torch = sys.modules["torch"]
    integers = ("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64")
    wider = {getattr(torch, name): torch.float64 for name in integers if hasattr(torch, name)}
    return {**wider, torch.float16: torch.float32}


def interface_array(a: Any, context: Context) -> Array:
    i = a.__cuda_array_interface__
    dtype = element_type(i["typestr"])
    shape, size, there = tuple(i["shape"]), dtype.itemsize, i.get("strides")
    strides = packed(shape) if there is None else tuple(s // size for s in there)
    if i.get("stream") is not None:
        context.order("follow", i["stream"])
    return Array(i["data"][0], shape, strides, dtype, a, a)


def need_out(out: Any, shape: tuple[int, ...], dtype: Any) -> None:
    """May a result of this shape and type be written to `out`? The errors are NumPy's."""
    p = place_of(out)
    a = p.array if isinstance(p, Place) else p
    if isinstance(p, np.ndarray) and not isinstance(out, np.ndarray) or not hasattr(a, "dtype"):
        raise TypeError("out must be an array")
    if tuple(a.shape) != shape:
        raise ValueError(f"out is {tuple(a.shape)}, the result {shape}")
    from_, to = (d if isinstance(d, np.dtype) else torch_types().get(d) for d in (dtype, out.dtype))
    if from_ is None or to is None or not np.can_cast(from_, to, "same_kind"):
        raise TypeError(f"cannot cast the result from {from_} to {out.dtype}, as out is")
    if isinstance(a, np.ndarray) and not a.flags.writeable or isinstance(p, Place) and p.like is not out:  # a tensor to be conjugated yet
        raise ValueError("out is read-only")


@functools.lru_cache(maxsize=None)
def torch_stream() -> Callable[[Any], int]:
    """PyTorch's way to the address of its current stream of a GPU; where there is, one without an object around it."""
    torch = sys.modules["torch"]
    bare: Any = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    return bare or (lambda gpu: int(torch.cuda.current_stream(gpu).cuda_stream))


def stream_of(p: Place) -> Optional[int]:
    """The stream on which the caller's own work on an array of a GPU is ordered; None: its maker sees to it (DLPack)."""
    if p.kind == "torch":
        return torch_stream()(p.gpu)
    if p.kind == "cupy":
        return int(sys.modules["cupy"].cuda.get_current_stream().ptr)
    return None


@functools.lru_cache(maxsize=None)
def common_dtype(*dtypes: np.dtype[Any]) -> np.dtype[Any]:
    """As SciPy chooses: single only if all are, double for integers and whatever else is real, complex if one is."""
    for dtype in dtypes:
        if dtype.kind not in "biufc":
            raise TypeError(f"elements of type {dtype} are not numbers that can be computed with")
    single = all(dtype.char in "fFe" for dtype in dtypes)
    complex_ = any(dtype.kind == "c" for dtype in dtypes)
    return np.dtype(("F" if single else "D") if complex_ else ("f" if single else "d"))
