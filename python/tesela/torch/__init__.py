"""torch.linalg's functions by Tesela: their names, arguments and named tuples, on the host and on CUDA devices, of stacks in one call, with gradients of any
order, under torch.compile and torch.vmap. `use()` puts them in torch.linalg's place."""

from __future__ import annotations

from typing import NoReturn

from ._factor import cholesky, cholesky_ex, householder_product, ldl_factor, ldl_factor_ex, lu, lu_factor, lu_factor_ex, qr
from ._op import LinAlgError
from ._solve import inv, inv_ex, ldl_solve, lstsq, lu_solve, solve, solve_ex
from ._spectra import eig, eigh, eigvals, eigvalsh, matrix_rank, pinv, svd, svdvals
from ._triangles import solve_triangular
from ._use import use
from ._values import cond, det, matrix_exp, matrix_norm, slogdet

__all__ = ["LinAlgError", "cholesky", "cholesky_ex", "cond", "det", "eig", "eigh", "eigvals", "eigvalsh", "householder_product", "inv", "inv_ex", "ldl_factor",
           "ldl_factor_ex", "ldl_solve", "lstsq", "lu", "lu_factor", "lu_factor_ex", "lu_solve", "matrix_exp", "matrix_norm", "matrix_rank", "pinv", "qr", "slogdet",
           "solve", "solve_ex", "solve_triangular", "svd", "svdvals", "use"]


def __getattr__(name: str) -> NoReturn:
    import torch

    if not name.startswith("_") and hasattr(torch.linalg, name):
        raise AttributeError(f"tesela.torch has no {name}: torch.linalg.{name} is it")
    raise AttributeError(f"module 'tesela.torch' has no attribute '{name}'")
