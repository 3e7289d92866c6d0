"""Calls that come again. Of a function's call on plain tensors the steps are recorded when it is met for the second time: what PyTorch was asked for and what the library.
The compiled calls (python/fast) repeat them for tensors of the same types, shapes, strides and devices, without Python in between. Where there are none, and where
somebody follows (a compiler, a transformation, a gradient), the function itself is called. A plan supposes that all outcomes are zero: where one is not, the function is
called again, and says what is wrong."""

from __future__ import annotations

import contextvars
import functools
import os
import threading
from typing import Any, Callable, Optional, TypeVar

import torch
from torch.autograd import forward_ad
from torch.overrides import TorchFunctionMode

from .._calls import fast as _fast, options as _options
from .._calls.library import letters
from .._many.call import Many
from .._many.spaces import is_kept

Function = TypeVar("Function", bound=Callable[..., Any])

_T = torch.Tensor
# What of a tensor does not depend on its elements, nor on where they are: all calls of a plan have the same.
_SAME = {getattr(_T, name).__get__ for name in ("shape", "dtype", "device", "layout", "ndim", "is_cuda", "is_cpu", "requires_grad", "itemsize")}
_SAME |= {getattr(_T, name) for name in ("stride", "is_contiguous", "is_conj", "is_neg", "numel", "get_device", "is_floating_point", "is_complex", "dim", "size", "_is_view")}
_BY_ELEMENTS = {"nonzero", "argwhere", "masked_select", "unique"}  # the shapes of their results depend on elements, as those of indices that are tensors
MOST = 64  # slots that a plan can have
_now = threading.local()
transforms: Callable[[], Any] = getattr(torch._C._functorch, "peek_interpreter_stack", lambda: None)  # of torch.func, if it is at work
modes: Callable[[], int] = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)


class Address(int):
    """Of a tensor's elements, in a call that is recorded: it knows the tensor's slot."""

    slot: int


class Recorder(TorchFunctionMode):
    """What is asked of PyTorch within a call; `why`: why that cannot be repeated."""

    def __init__(self, inputs: list[Any]) -> None:
        super().__init__()
        self.inputs = len(inputs)
        self.tensors = list(inputs)  # by slot; kept, so that no other gets the identity of one that is gone
        self.slots = {id(t): i for i, t in enumerate(inputs)}
        self.constants: list[int] = []
        self.steps: list[tuple[str, Any]] = []
        self.why = ""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func in _SAME:
            return result
        if func is _T.data_ptr:
            address = Address(result)
            address.slot = self.slot(args[0])
            return address
        self._step(func, args, kwargs or {}, result)
        return result

    def _step(self, func: Any, args: tuple[Any, ...], named: dict[str, Any], result: Any) -> None:
        made = result if isinstance(result, (tuple, list)) else (result,)
        nested = [t for a in (*args, *named.values()) if isinstance(a, (tuple, list)) for t in a]
        if not made or not all(type(t) is _T for t in made):
            self.why = f"what {func} returns"
        elif any(isinstance(t, _T) for t in (*nested, *named.values())):
            self.why = f"tensors among the arguments of {func}"
        elif func.__name__ in _BY_ELEMENTS or func.__name__ == "__getitem__" and isinstance(args[1], _T):
            self.why = f"the shape of what {func} returns"
        at = tuple(self.slot(a) if isinstance(a, _T) else -1 for a in args)
        changes = args and made[0] is args[0]
        if changes and not _in_place(func.__name__):
            return  # it had nothing to do, and never has
        if changes and (at[0] < self.inputs or at[0] in self.constants):
            self.why = "a change of what is only read"
        if not self.why:
            self.steps.append(("torch", (func, at, tuple(None if i >= 0 else a for a, i in zip(args, at)), named or None, () if changes else tuple(self._new(t) for t in made))))

    def _new(self, t: Any) -> int:
        if id(t) in self.slots:
            self.why = "a result that was there before"
        self.tensors.append(t)
        self.slots[id(t)] = len(self.tensors) - 1
        return len(self.tensors) - 1

    def slot(self, t: Any) -> int:
        """A tensor that nobody made within the call, and that is not kept for all calls, cannot be had again."""
        found = self.slots.get(id(t))
        if found is None:
            if not is_kept(t):
                self.why = "a tensor from elsewhere"
            found = self._new(t)
            self.constants.append(found)
        return found

    def called(self, k: Many, name: str, args: tuple[Any, ...], outcomes: int) -> None:
        """Of the library. Who is told outcomes goes on as if they were zero."""
        entry = _fast.entry(name)
        if entry is None:
            self.why = f"{name}, which no compiled call has"
            return
        places = tuple(self._place(letter, arg, bool(outcomes)) for letter, arg in zip(letters(name)[1:], args))
        self.steps.append(("call", (k.context, name, *entry, places, outcomes)))

    def _place(self, letter: str, arg: Any, told: bool) -> Any:
        if letter == "v" and arg is not None:
            if not isinstance(arg[3], Address):
                self.why = "an address that was not seen"
                return None
            return *arg[:3], arg[3].slot, *arg[4:]
        if letter == "I" and isinstance(arg, Address):
            return arg.slot
        return True if letter == "I" and told and arg is not None else arg

    # ---- the plan

    def plan(self, result: Any) -> Any:
        """None: there is none."""
        results = (result,) if isinstance(result, _T) else result
        if not isinstance(results, tuple) or not all(isinstance(t, _T) for t in results):
            self.why = self.why or "results that are not tensors"
            return None
        places = tuple(self.slot(t) for t in results)
        if self.why or len(self.tensors) > MOST:
            return None
        self._prune(places)
        return _fast.module().Plan(self.inputs, len(self.tensors), tuple(self.constants), tuple(self.tensors[i] for i in self.constants), self._sparing(places), tuple.__new__,
                                   None if results is not result else type(result), places)

    def _prune(self, results: tuple[int, ...]) -> None:
        """Leaves out what nobody asks for the result of."""
        wanted, steps = {*results}, []
        for step in reversed(self.steps):
            outs = step[1][4] if step[0] == "torch" else ()
            if not outs or not wanted.isdisjoint(outs):
                wanted.update(_slots(step))
                steps.append(step)
        self.steps = steps[::-1]

    def _sparing(self, results: tuple[int, ...]) -> tuple[Any, ...]:
        """The steps, with those that drop what nobody wants any more: of what the library works on when that is in order with the stream's work."""
        kept, last, within = {*range(self.inputs), *self.constants, *results}, {}, []
        for i, step in enumerate(self.steps):
            within = [*within, i] if within or step[0] == "enter" else []
            last.update(dict.fromkeys(_slots(step), i))
            if step[0] == "exit":
                last.update({slot: i for slot, at in last.items() if at in within})
                within = []
        steps: list[Any] = []
        for i, step in enumerate(self.steps):
            gone = tuple(slot for slot, at in last.items() if at == i and slot not in kept)
            steps += [step, ("drop", gone)] if gone else [step]
        return tuple(steps)


def _in_place(name: str) -> bool:
    """Does a function of this name, which returned its first argument, change it? clone_ and __iadd__ do, contiguous and __get__ do not."""
    return name.startswith("__i") if name.endswith("__") else name.endswith("_")


def _slots(step: tuple[str, Any]) -> list[int]:
    """Those that a step uses, or fills."""
    kind, of = step
    if kind == "torch":
        return [i for i in (*of[1], *of[4]) if i >= 0]
    if kind == "call":
        return [p[3] if isinstance(p, tuple) else p for letter, p in zip(letters(of[1])[1:], of[4]) if letter in "vI" and p is not None and p is not True]
    return []


class Recorded(Many):
    """A call whose steps a recorder is told."""

    def __init__(self, recorder: Recorder, *args: Any) -> None:
        super().__init__(*args)
        self.recorder, self.outcomes = recorder, 0

    def __enter__(self) -> Many:
        if self.space.on_gpu:
            self.recorder.steps.append(("enter", (self.context, self.space.stream_of, self.like.get_device(), self.context.on_default)))
        return super().__enter__()

    def __exit__(self, *error: Any) -> None:
        super().__exit__(*error)
        if self.space.on_gpu:
            self.recorder.steps.append(("exit", ()))

    def call(self, name: str, *args: Any) -> int:
        outcome = super().call(name, *args)
        if self.count:
            self.recorder.called(self, name, args, self.outcomes)
        return outcome

    def infos(self, name: str, *args: Any, told: bool = True) -> Any:
        self.outcomes = 0 if not told or self.stays else self.count
        found = super().infos(name, *args, told=told)
        if self.outcomes and found.any():
            self.recorder.why = "an outcome that is not zero"
        self.outcomes = 0
        return found


def many_of(*args: Any) -> Many:
    """A call on tensors, recorded if one is at work."""
    recorder: Optional[Recorder] = getattr(_now, "recorder", None)
    return Many(*args) if recorder is None else Recorded(recorder, *args)


# ---- functions


def _record(f: Callable[..., Any], args: tuple[Any, ...], how: Optional[dict[str, Any]]) -> tuple[Any, Any]:
    """What a call returns, and its plan."""
    named = how or {}
    recorder = Recorder([a for a in (*args, *named.values()) if isinstance(a, _T)])
    _now.recorder = recorder
    try:
        with recorder:
            result = f(*args, **named)
    finally:
        _now.recorder = None
    return result, recorder.plan(result)


@functools.lru_cache(maxsize=None)
def _watching() -> bool:
    """Can the compiled calls look at tensors? They do so by DLPack's C functions, which PyTorch has from 2.11 on."""
    exchange, found = getattr(_T, "__dlpack_c_exchange_api__", None), _fast.module()
    if exchange is None or found is None:
        return False
    default = contextvars.Context().run(_options.chosen.get)
    try:
        found.watch(exchange, _T, torch.nn.Parameter, default, _options.chosen.get, modes, transforms, torch.is_grad_enabled, forward_ad, _T.is_neg, _T.is_conj)
    except ValueError:  # of another version
        return False
    return True


_known: list[Any] = []


def forget() -> None:
    """All plans."""
    for plans in _known:
        plans.forget()


os.register_at_fork(after_in_child=forget)  # a child makes contexts of its own


def _plans(f: Callable[..., Any]) -> Callable[..., Any]:
    if not _watching():
        return f
    _known.append(_fast.module().Plans(f, _record))
    found: Callable[..., Any] = _known[-1]
    return found


def planned(f: Function) -> Function:
    """Makes a function one whose calls are repeated by plans."""
    found: Optional[Callable[..., Any]] = None

    @functools.wraps(f)
    def call(*args: Any, **how: Any) -> Any:
        nonlocal found
        if torch.compiler.is_compiling():
            return f(*args, **how)
        if found is None:
            found = _plans(f)
        return found(*args, **how)

    return call  # type: ignore[return-value]
