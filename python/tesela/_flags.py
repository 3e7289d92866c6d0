"""Flags of calls, as SciPy has them, and what they mean."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

_STRUCTURES = {None: "gen", "gen": "gen", "general": "gen", "sym": "sym", "symmetric": "sym", "her": "her", "hermitian": "her",
               "pos": "pos", "positive definite": "pos", "lower triangular": "lower", "upper triangular": "upper", "diagonal": "gen",
               "tridiagonal": "gen", "banded": "gen"}
_TRANS = {0: 0, "N": 0, 1: 1, "T": 1, 2: 2, "C": 2}


def structure_of(assume_a: Optional[str]) -> str:
    if assume_a not in _STRUCTURES:
        raise ValueError(f"assume_a={assume_a!r} is none of {', '.join(str(k) for k in _STRUCTURES if k)}")
    return _STRUCTURES[assume_a]


def triangle_of(lower: Any, UPLO: Optional[str]) -> bool:
    """Is the lower triangle meant? NumPy's word goes before SciPy's."""
    if UPLO is None:
        return bool(lower)
    if not isinstance(UPLO, str) or UPLO.upper() not in ("L", "U"):
        raise ValueError(f"UPLO={UPLO!r} is neither 'L' nor 'U'")
    return UPLO.upper() == "L"


def transposition(trans: Any) -> int:
    if not isinstance(trans, (str, int, np.integer)) or trans not in _TRANS:
        raise ValueError(f"trans={trans!r} is none of 0, 1, 2, 'N', 'T', 'C'")
    return _TRANS[trans]
