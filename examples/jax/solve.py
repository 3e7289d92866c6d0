"""Builds handlers.cc, and calls it inside jax.jit: python3 solve.py [INCLUDE LIBRARIES], the folders of tesela.h and of libtesela.so."""

import ctypes
import subprocess
import sys
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
include, libraries = sys.argv[1:] or ("/usr/local/include", "/usr/local/lib")
built = Path(tempfile.mkdtemp()) / "handlers.so"
subprocess.run(["c++", "-std=c++17", "-O2", "-shared", "-fPIC", f"-I{include}", f"-I{jax.ffi.include_dir()}", str(Path(__file__).with_name("handlers.cc")),
                f"-L{libraries}", f"-Wl,-rpath,{Path(libraries).resolve()}", "-ltesela", "-o", str(built)], check=True)
handlers = ctypes.CDLL(str(built))
for name in ("cholesky", "eigh"):
    for platform, where in (("cpu", "host"), ("CUDA", "cuda")):
        jax.ffi.register_ffi_target(f"tesela_{name}", jax.ffi.pycapsule(getattr(handlers, f"tesela_{name}_{where}")), platform=platform)


def cholesky(a):
    """L of matrices, or of a stack of them."""
    return jnp.tril(jax.ffi.ffi_call("tesela_cholesky", jax.ShapeDtypeStruct(a.shape, a.dtype), input_output_aliases={0: 0})(a))


def eigh(a):
    v, w = jax.ffi.ffi_call("tesela_eigh", (jax.ShapeDtypeStruct(a.shape, a.dtype), jax.ShapeDtypeStruct(a.shape[:1], a.dtype)), input_output_aliases={0: 0})(a)
    return w, v.T


a = jax.random.normal(jax.random.key(0), (5, 20, 20), jnp.float64)
s = a @ a.mT + jnp.eye(20)
off = jnp.abs(jax.jit(cholesky)(s) - jnp.linalg.cholesky(s)).max()
w, v = jax.jit(eigh)(s[0])
residual = jnp.abs(s[0] @ v - v * w).max()
print(f"cholesky: off by {off:.1e}; eigh: residual {residual:.1e}")
sys.exit(bool(off > 1e-12 or residual > 1e-10))
