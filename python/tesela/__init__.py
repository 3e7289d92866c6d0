"""Dense linear algebra on GPUs and hosts: SciPy's names, on NumPy arrays, on anything with DLPack, and on matrices that stay on the device.

Importing this opens no device, loads no library and imports no NumPy: what is used first does.
"""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.linalg import LinAlgError as LinAlgError

    from ._calls.context import (Device as Device, devices as devices, explain as explain, libraries as libraries, wait as wait)
    from ._eig import EighResult as EighResult, eigh as eigh, eigh_tridiagonal as eigh_tridiagonal, eigvalsh as eigvalsh
    from ._calls.library import Error as Error
    from ._calls.options import options as options
    from ._factor import (QRResult as QRResult, cho_factor as cho_factor, cho_solve as cho_solve, cholesky as cholesky, lu as lu, lu_factor as lu_factor,
                          lu_solve as lu_solve, qr as qr)
    from ._functions import SlogdetResult as SlogdetResult, expm as expm, logm as logm, slogdet as slogdet, sqrtm as sqrtm
    from ._ldl import ldl as ldl
    from ._arrays.matrix import Matrix as Matrix
    from ._products import det as det, matmul as matmul, norm as norm
    from ._schur import EigResult as EigResult, eig as eig, eigvals as eigvals, hessenberg as hessenberg, schur as schur
    from ._solve import Solution as Solution, inv as inv, lstsq as lstsq, solve as solve, solve_triangular as solve_triangular
    from ._svd import (PolarResult as PolarResult, SVDResult as SVDResult, cond as cond, matrix_rank as matrix_rank, null_space as null_space, orth as orth,
                       pinv as pinv, polar as polar, svd as svd, svdvals as svdvals)
    from ._sylvester import solve_continuous_lyapunov as solve_continuous_lyapunov, solve_sylvester as solve_sylvester
    from ._update import cholesky_update as cholesky_update
    from ._names.equations import (solve_continuous_are as solve_continuous_are, solve_discrete_are as solve_discrete_are,
                                   solve_discrete_lyapunov as solve_discrete_lyapunov)
    from ._names.factors import (cdf2rdf as cdf2rdf, cossin as cossin, matrix_balance as matrix_balance, qr_delete as qr_delete, qr_insert as qr_insert,
                                 qr_multiply as qr_multiply, qr_update as qr_update, rq as rq, rsf2csf as rsf2csf)
    from ._names.functions import (coshm as coshm, cosm as cosm, expm_cond as expm_cond, expm_frechet as expm_frechet,
                                   fractional_matrix_power as fractional_matrix_power, funm as funm, signm as signm, sinhm as sinhm, sinm as sinm, tanhm as tanhm,
                                   tanm as tanm)
    from ._names.norms import matrix_norm as matrix_norm, vector_norm as vector_norm
    from ._names.pencils import qz as qz
    from ._names.spectra import (bandwidth as bandwidth, eigvalsh_tridiagonal as eigvalsh_tridiagonal, ishermitian as ishermitian, issymmetric as issymmetric,
                                 orthogonal_procrustes as orthogonal_procrustes, pinvh as pinvh, subspace_angles as subspace_angles)
    from ._names.tensors import (cross as cross, diagonal as diagonal, matrix_power as matrix_power, matrix_transpose as matrix_transpose, multi_dot as multi_dot,
                                 outer as outer, tensordot as tensordot, tensorinv as tensorinv, tensorsolve as tensorsolve, trace as trace, vecdot as vecdot)
    from ._arrays.storage import asarray as asarray, empty as empty, eye as eye, zeros as zeros

    __version__: str

_HOMES = {
    "_calls.context": "Device devices explain libraries wait",
    "_eig": "EighResult eigh eigh_tridiagonal eigvalsh",
    "_calls.library": "Error",
    "_factor": "QRResult cho_factor cho_solve cholesky lu lu_factor lu_solve qr",
    "_ldl": "ldl",
    "_functions": "SlogdetResult expm logm slogdet sqrtm",
    "_arrays.matrix": "Matrix",
    "_calls.options": "options",
    "_products": "det matmul norm",
    "_schur": "EigResult eig eigvals hessenberg schur",
    "_solve": "Solution inv lstsq solve solve_triangular",
    "_arrays.storage": "asarray empty eye zeros",
    "_svd": "PolarResult SVDResult cond matrix_rank null_space orth pinv polar svd svdvals",
    "_sylvester": "solve_continuous_lyapunov solve_sylvester",
    "_update": "cholesky_update",
    "_names.equations": "solve_continuous_are solve_discrete_are solve_discrete_lyapunov",
    "_names.factors": "cdf2rdf cossin matrix_balance qr_delete qr_insert qr_multiply qr_update rq rsf2csf",
    "_names.functions": "coshm cosm expm_cond expm_frechet fractional_matrix_power funm signm sinhm sinm tanhm tanm",
    "_names.norms": "matrix_norm vector_norm",
    "_names.pencils": "qz",
    "_names.spectra": "bandwidth eigvalsh_tridiagonal ishermitian issymmetric orthogonal_procrustes pinvh subspace_angles",
    "_names.tensors": "cross diagonal matrix_power matrix_transpose multi_dot outer tensordot tensorinv tensorsolve trace vecdot",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME) + ["LinAlgError"]


_loading = threading.RLock()  # modules import each other: threads that begin with different ones would see them half made


def _refused() -> dict[str, str]:
    reasons: dict[str, str] = importlib.import_module("._names.refused", __name__).REASONS
    return reasons


def _first_use(name: str) -> Any:
    if name in _HOME:
        with _loading:
            value = getattr(importlib.import_module("." + _HOME[name], __name__), name)
    elif name == "LinAlgError":
        value = importlib.import_module("numpy.linalg").LinAlgError
    elif name in ("torch", "jax", "distributed"):  # imports PyTorch or JAX, or loads MPI when a grid is made
        return importlib.import_module("." + name, __name__)
    elif name == "__version__":
        value = importlib.import_module("._calls.library", __name__).version()
    elif name.isidentifier() and not name.startswith("_") and name in _refused():
        raise AttributeError(f"tesela has no {name}: {_refused()[name]}")
    else:  # without the lock: Python asks for a module so before it imports that, and may hold another's lock
        raise AttributeError(f"module 'tesela' has no attribute '{name}'")
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # a type checker that saw it would let every misspelled name pass
    __getattr__ = _first_use


def __dir__() -> list[str]:
    return __all__ + ["__version__"]
