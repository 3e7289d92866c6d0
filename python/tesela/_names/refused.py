"""Names of scipy.linalg that are not here, and where else the work is done."""

from __future__ import annotations

_BANDED = "matrices stored by their diagonals are not computed with here: scipy.linalg does that"
_TOEPLITZ = "structured matrices given by their first columns are not computed with here: scipy.linalg does that"
_MADE = "it makes a matrix of a few numbers: scipy.linalg's result can be passed on"
_SCIPYS = "it is about SciPy's own routines"
REASONS = {
    **dict.fromkeys("solve_banded solveh_banded eig_banded eigvals_banded cholesky_banded cho_solve_banded".split(), _BANDED),
    **dict.fromkeys("solve_toeplitz matmul_toeplitz solve_circulant".split(), _TOEPLITZ),
    "ordqz": "generalized Schur forms are not put in an order here: scipy.linalg does that",
    **dict.fromkeys("block_diag circulant companion convolution_matrix dft diagsvd fiedler fiedler_companion hadamard hankel helmert hilbert invhilbert invpascal "
                    "khatri_rao leslie pascal toeplitz tri tril triu kron clarkson_woodruff_transform".split(), _MADE),
    **dict.fromkeys("find_best_blas_type get_blas_funcs get_lapack_funcs LinAlgWarning".split(), _SCIPYS),
    "solve_lyapunov": "solve_continuous_lyapunov is it",
}
