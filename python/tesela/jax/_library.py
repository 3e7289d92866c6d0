"""libtesela_jax.so: where it is, and its handlers in XLA's table."""

from __future__ import annotations

import ctypes
import functools

import jax

from .._calls.library import beside, shared

TARGET = "tesela"


@functools.lru_cache(maxsize=None)
def register() -> None:
    """Once; libtesela has been loaded before, so the handlers are bound to that."""
    shared()
    reasons = []
    for place in beside("libtesela_jax", "TESELA_JAX_LIBRARY"):
        try:
            lib = ctypes.CDLL(place)
        except OSError as why:
            reasons.append(str(why))
            continue
        for platform, handler in (("cpu", lib.tesela_jax_host), ("CUDA", lib.tesela_jax_cuda)):
            jax.ffi.register_ffi_target(TARGET, jax.ffi.pycapsule(handler), platform=platform)
        return
    raise ImportError("tesela.jax: libtesela_jax.so cannot be loaded; it is built with libtesela where JAX is found (cmake -DTESELA_JAX_INCLUDE=DIR, the folder that "
                      "jax.ffi.include_dir() says): " + "; ".join(reasons))
