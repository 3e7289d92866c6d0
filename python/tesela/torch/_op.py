"""How an operation of the library becomes one of PyTorch's: an op of torch.library, with a rule for gradients, one for vmap and one for shapes alone, which
torch.compile asks for. Where none of them is wanted the library is called at once."""

from __future__ import annotations

import functools
import sys
from typing import Any, Callable, NoReturn, Optional

import numpy as np
import torch
from torch.autograd import forward_ad

from .._many.call import GOOD, Many
from .._many.spaces import LOW, keep_for_all, space
from ._plan import many_of, modes, planned, transforms

LinAlgError = torch.linalg.LinAlgError
_library = torch.library.Library("tesela", "DEF")
TYPES: dict[Any, Any] = {torch.float32: np.dtype("f"), torch.float64: np.dtype("d"), torch.complex64: np.dtype("F"), torch.complex128: np.dtype("D")}
_PLAIN, _FLAGS = (torch.Tensor, torch.nn.Parameter), (bool, int)


class Op:
    """An operation: `compute` on tensors, `fake` on shapes, `backward` in terms of ops again, so that it can be differentiated itself; `jvp` in forward mode."""

    def __init__(self, name: str, schema: str, compute: Callable[..., Any], fake: Callable[..., Any],
                 setup: Optional[Callable[..., None]] = None, backward: Optional[Callable[..., Any]] = None, jvp: Optional[Callable[..., Any]] = None) -> None:
        full, backward = "tesela::" + name, backward or _refused(name)
        _library.define(name + schema)
        for device in ("CPU", "CUDA"):
            _library.impl(name, compute, device)
        torch.library.register_fake(full, fake, lib=_library)
        torch.library.register_autograd(full, backward, setup_context=setup, lib=_library)
        torch.library.register_vmap(full, self._vmap, lib=_library)
        self.name, self.compute, self.forward_mode = name, compute, jvp is not None
        self.dispatch = getattr(torch.ops.tesela, name)
        self._function = _function(name, self, setup or _nothing, backward, jvp)

    def __call__(self, *args: Any) -> Any:
        if alone(*args):
            return self.compute(*args)
        if torch.compiler.is_compiling() or modes() or transforms() is None and any(isinstance(a, torch.Tensor) and type(a) not in _PLAIN for a in args):
            return self.dispatch(*args)
        if not self.forward_mode and dual(*args):
            raise NotImplementedError(f"tesela.torch.{self.name} has no derivatives in forward mode")
        return self._function.apply(*args)

    def _vmap(self, info: Any, dims: tuple[Any, ...], *args: Any) -> Any:
        """Ops are of stacks: one dimension more, before the others."""
        n = info.batch_size
        moved = [a if not isinstance(a, torch.Tensor) else a.movedim(d, 0) if d is not None else a.unsqueeze(0).expand(n, *a.shape)
                 for a, d in zip(args, dims)]
        out = self(*moved)
        if isinstance(out, torch.Tensor):
            return out, 0
        return out, tuple(0 if t.shape[:1] == (n,) else None for t in out)


def dual(*args: Any) -> bool:
    """Has one of them a tangent that is to be followed? Those of torch.func, which nothing but its own rules can take apart, do not count."""
    return (forward_ad._current_level >= 0 and torch._C._is_fwd_grad_enabled() and transforms() is None
            and any(isinstance(a, torch.Tensor) and forward_ad.unpack_dual(a).tangent is not None for a in args))


def keep(ctx: Any, *tensors: Any) -> None:
    """For derivatives of both modes."""
    ctx.save_for_backward(*tensors)
    ctx.save_for_forward(*tensors)


def alone(*args: Any) -> bool:
    """Does nobody follow what is computed, no compiler, no transformation, no gradient?"""
    if torch.compiler.is_compiling() or modes() or transforms() is not None or forward_ad._current_level >= 0 and dual(*args):
        return False
    grad = torch.is_grad_enabled()
    for a in args:
        kind = type(a)
        if kind in _PLAIN:
            if grad and a.requires_grad:
                return False
        elif kind not in _FLAGS and isinstance(a, torch.Tensor):
            return False
    return True


def _nothing(ctx: Any, inputs: Any, output: Any) -> None:
    pass


def _function(name: str, op: Op, setup: Callable[..., None], backward: Callable[..., Any], jvp: Optional[Callable[..., Any]]) -> Any:
    """The same rules for autograd and torch.func, where no compiler is at work."""
    def forward(*args: Any) -> Any:
        out = op(*args)
        if forward_ad._current_level < 0:
            return out
        whole = tuple(t.clone() if t._is_view() else t for t in ((out,) if isinstance(out, torch.Tensor) else out))
        return whole[0] if isinstance(out, torch.Tensor) else whole  # a tangent would have to be stored as what the view is of

    def differentiated(ctx: Any, *grads: Any) -> Any:
        return backward(ctx, *grads)

    def context(ctx: Any, inputs: Any, output: Any) -> None:
        whole = output if isinstance(output, tuple) else (output,)
        ctx.mark_non_differentiable(*[t for t in whole if not t.is_floating_point() and not t.is_complex()])
        setup(ctx, inputs, output)

    rules = {"forward": forward, "setup_context": context, "backward": differentiated, "vmap": op._vmap}
    if jvp is not None:
        rules["jvp"] = _of_values(jvp)
    return type("Tesela_" + name, (torch.autograd.Function,), {key: staticmethod(rule) for key, rule in rules.items()})


def _of_values(jvp: Callable[..., Any]) -> Callable[..., Any]:
    """Dual numbers have one level: what is kept for their tangents has tangents itself, which are not to be followed. torch.func has levels of its own."""
    def tangents(ctx: Any, *args: Any) -> Any:
        if transforms() is not None:
            return jvp(ctx, *args)
        with forward_ad._set_fwd_grad_enabled(False):
            return jvp(ctx, *args)

    return tangents


def _refused(name: str) -> Callable[..., NoReturn]:
    def backward(ctx: Any, *grads: Any) -> NoReturn:
        raise NotImplementedError(f"tesela.torch: {name} has no derivative")

    return backward


def many(a: Any, order: int = 0, one: bool = False, check: int = True) -> Many:
    """A call on tensors of this one's stack. one: of one matrix as a stack of one. Where outcomes are not checked nobody waits for them."""
    shape, gpu = a.shape, a.is_cuda
    k = many_of(space("torch", gpu), a, shape[:-2], TYPES[a.dtype], 0 if gpu else order or max(shape[-2:]), one)
    k.stays = not check
    return k


def as_stack(a: Any, order: int) -> bool:
    """Does one matrix on a GPU go as a stack of one? Up to these orders, measured on an H200, the kernels of stacks take less time."""
    return bool(a.ndim == 2 and a.is_cuda and max(a.shape) <= order)


UNTOLD = -1  # for check: nobody asks for outcomes


def outcome(a: Any, infos: Any, check: int, error: Callable[[int], str]) -> Any:
    """The outcomes as a tensor; if they are to be checked, none, and an error for the first that is not zero."""
    if not check:
        return infos if isinstance(infos, torch.Tensor) else torch.from_numpy(np.asarray(infos, np.int32)).to(a.device)
    if infos is not GOOD and np.count_nonzero(infos):  # sooner than any()
        at = int(np.argmax(infos.reshape(-1) != 0))
        where = f"(Batch element {at}): " if infos.ndim else ""
        raise LinAlgError(f"{where}{error(int(infos.reshape(-1)[at]))}")
    return _none(a.device)


@functools.lru_cache(maxsize=None)
def _none(device: Any) -> Any:
    """There is nothing in it that could be changed."""
    return keep_for_all(torch.empty(0, dtype=torch.int32, device=device))


def low(numbers: Any) -> Any:
    """What whole numbers of the library's are in 32 bits, which hold them: a half of each, not a copy."""
    return numbers.view(torch.int32).as_strided(numbers.shape, tuple(2 * s for s in numbers.stride()), LOW)


def fake_outcome(a: Any, check: int) -> Any:
    if not check and 0 not in a.shape[-2:]:
        return a.new_empty((*a.shape[:-2], 2), dtype=torch.int32)[..., LOW]
    return a.new_empty((0,) if check else a.shape[:-2], dtype=torch.int32)


def need(name: str, *tensors: Any, square: bool = False) -> None:
    """What is wrong with arguments, as PyTorch says it: of shapes a RuntimeError."""
    a = tensors[0]
    if type(a) is torch.Tensor and a.dtype in TYPES and (a.is_cpu or a.is_cuda) and a.layout is torch.strided:
        shape, b = a.shape, tensors[-1]  # nothing is wrong with most
        if len(shape) >= 2 and (not square or shape[-1] == shape[-2]) and (b is a or type(b) is torch.Tensor and b.dtype is a.dtype and b.layout is torch.strided
                                                                          and b.get_device() == a.get_device() and len(tensors) == 2):
            return
    for t in tensors:
        if not isinstance(t, torch.Tensor):
            raise TypeError(f"tesela.torch.{name}: {type(t).__name__} is no tensor")
        if t.layout is not torch.strided or t.device.type not in ("cpu", "cuda"):
            raise TypeError(f"tesela.torch.{name}: a tensor that is {t.layout} on {t.device}: only strided ones on the host and on CUDA devices can be used")
        if t.dtype not in TYPES:
            raise TypeError(f"tesela.torch.{name}: elements of {str(t.dtype).partition('.')[2]} are not computed with: float32, float64, complex64 and complex128 are")
        if t.dtype != tensors[0].dtype or t.device != tensors[0].device:
            raise RuntimeError(f"tesela.torch.{name}: {tensors[0].dtype} on {tensors[0].device} beside {t.dtype} on {t.device}")
    if a.ndim < 2:
        raise RuntimeError(f"tesela.torch.{name}: the tensor must have at least 2 dimensions, and has {a.ndim}")
    if square and a.shape[-1] != a.shape[-2]:
        raise RuntimeError(f"tesela.torch.{name}: must be batches of square matrices, but they are {a.shape[-2]} by {a.shape[-1]} matrices")


def stacks(a: Any, b: Any) -> tuple[Any, Any]:
    """Both of one stack's shape."""
    if a.ndim == 2 == b.ndim or a.shape[:-2] == b.shape[:-2]:
        return a, b
    whole = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.expand(*whole, *a.shape[-2:]), b.expand(*whole, *b.shape[-2:])


def into(out: Any, result: Any) -> Any:
    """The result, in the tensors of `out` if there are; named as it was."""
    if out is None:
        return result
    pairs = [(out, result)] if isinstance(out, torch.Tensor) else list(zip(out, result))
    for to, t in pairs:
        if to.shape != t.shape:
            to.resize_(t.shape)
        to.copy_(t)
    return out if isinstance(out, torch.Tensor) else type(result)(*out)


def in_transform() -> bool:
    """Is torch.func at work?"""
    return not torch.compiler.is_compiling() and transforms() is not None


def certain(t: Any) -> bool:
    """Can its elements be looked at? Not while a compiler follows, or torch.func, or where there are none."""
    return not torch.compiler.is_compiling() and not modes() and transforms() is None and type(t) in _PLAIN


def real_of(a: Any) -> Any:
    return a.real.dtype if a.is_complex() else a.dtype


def complex_of(a: Any) -> Any:
    return a.dtype if a.is_complex() else torch.complex64 if a.dtype == torch.float32 else torch.complex128


def transposes(a: Any) -> Any:
    """A new stack of this shape, stored by columns, for rules about shapes."""
    return a.new_empty(*a.shape[:-2], a.shape[-1], a.shape[-2]).mT


assert sys.modules["torch"] is torch  # not this package
