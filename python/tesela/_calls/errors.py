"""What is wrong with a matrix, in the words of all functions."""

from __future__ import annotations

from typing import Callable, Optional

import numpy as np

LinAlgError = np.linalg.LinAlgError


def singular(info: int) -> LinAlgError:
    return LinAlgError(f"the matrix is singular: U({info},{info}) is zero")


def not_definite(info: int) -> LinAlgError:
    return LinAlgError(f"the leading minor of order {info} is not positive definite")


def no_factor(info: int) -> LinAlgError:
    return LinAlgError(f"{info}-th leading minor of the array is not positive definite")


def zero_on_diagonal(info: int) -> LinAlgError:
    return LinAlgError(f"singular matrix: resolution failed at diagonal {info - 1}")


def deficient(info: int) -> LinAlgError:
    return LinAlgError(f"the matrix is not of full rank: R({info},{info}) is zero")


def nearly_deficient(info: int) -> LinAlgError:
    return LinAlgError(f"the matrix is not of full rank: R({info},{info}) is zero but for rounding")


def eigen_failure(info: int, n: int) -> LinAlgError:
    """What syev's info, or sygv's, says of a problem of order n."""
    if info > n:
        return LinAlgError(f"b is not positive definite: its leading minor of order {info - n} is not")
    return LinAlgError("eigenvalues did not converge, or an element is NaN or infinite")


def no_values() -> LinAlgError:
    return LinAlgError("singular values did not converge, or an element is NaN or infinite")


def not_finite(name: str) -> ValueError:
    return ValueError(f"{name}: array must not contain infs or NaNs")


def in_stack(error: LinAlgError, place: tuple[int, ...]) -> LinAlgError:
    """The same of a matrix of a stack, and which one."""
    return LinAlgError(f"matrix {place[0] if len(place) == 1 else place} of the stack: {error}")


def first_of(infos: "np.ndarray[tuple[int, ...], np.dtype[np.int64]]", whole: tuple[int, ...],
             error: Callable[[int], LinAlgError]) -> Optional[LinAlgError]:
    """Of the first matrix of a stack whose info is not zero."""
    if not infos.any():
        return None
    at = int(np.argmax(infos != 0))
    return in_stack(error(int(infos[at])), tuple(int(i) for i in np.unravel_index(at, whole)))
