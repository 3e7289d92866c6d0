"""jax.numpy.linalg's functions, and some of jax.scipy.linalg's, by Tesela: under jax.jit, jax.vmap and jax.grad, on the host and on CUDA devices, a stack in one
call. A matrix that is singular, not definite or not finite gives NaN, as in JAX."""

from __future__ import annotations

from typing import NoReturn

from ._factor import cho_factor, cho_solve, cholesky, lu, lu_factor, lu_solve, qr
from ._functions import expm
from ._solve import det, inv, slogdet, solve
from ._spectra import cond, eig, eigh, eigvals, eigvalsh, lstsq, matrix_rank, pinv, svd, svdvals
from ._triangles import solve_triangular

__all__ = ["cho_factor", "cho_solve", "cholesky", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "expm", "inv", "lstsq", "lu", "lu_factor", "lu_solve",
           "matrix_rank", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd", "svdvals"]


def __getattr__(name: str) -> NoReturn:
    import jax

    for module in (jax.numpy.linalg, jax.scipy.linalg):
        if not name.startswith("_") and hasattr(module, name):
            raise AttributeError(f"tesela.jax has no {name}: {module.__name__}.{name} is it")
    raise AttributeError(f"module 'tesela.jax' has no attribute '{name}'")
