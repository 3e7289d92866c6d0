"""Indices of a matrix. Integers and slices without a step make a block, which is a view; what steps, lists and masks choose is copied."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Iterator, NamedTuple, Sequence, Union

import numpy as np

from . import storage as _storage
from .._calls.library import CONJ, TRANS

if TYPE_CHECKING:
    from .matrix import Matrix


class _Chosen(NamedTuple):
    """Rows and columns, each as a range or a list; vectors have one column."""

    rows: Sequence[int]
    cols: Sequence[int]
    kept: list[bool]  # the dimensions that stay: those not indexed by a number
    by_list: bool  # or a mask, of which NumPy makes a copy, too


def _is_block(indices: Sequence[int]) -> bool:
    return isinstance(indices, range) and (indices.step == 1 or len(indices) < 2)


def _within(index: int, length: int) -> int:
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for {length}")
    return index % length


def _one(key: Any, length: int) -> Union[int, range, np.ndarray[Any, Any]]:
    """What a key of one dimension chooses: an index, a range of them, or an array as it is."""
    if isinstance(key, slice):
        return range(*key.indices(length))
    if isinstance(key, (bool, np.bool_)) or key is None:
        raise IndexError(f"{key} would add a dimension: a matrix has two at most")
    if getattr(key, "ndim", 0) == 0 and hasattr(key, "__index__"):
        return _within(operator.index(key), length)
    array = np.asarray(key)
    if array.size == 0 and not isinstance(key, np.ndarray):
        array = array.astype(np.intp)
    if array.ndim == 0 or array.dtype.kind not in "biu":
        raise IndexError(f"{key!r} is no index: integers, slices, and lists or arrays of integers or booleans are")
    return array


def _listed(chosen: np.ndarray[Any, Any], length: int) -> list[int]:
    """Indices of one dimension, from numbers or a mask."""
    if chosen.dtype.kind == "b":
        if chosen.shape != (length,):
            raise IndexError(f"a mask of {chosen.shape[0]} for a dimension of {length}")
        return [int(i) for i in np.flatnonzero(chosen)]
    return [_within(int(i), length) for i in chosen]


def _parse(m: Matrix, key: Any) -> Union[_Chosen, tuple[Any, ...]]:
    """The rows and columns chosen; the key itself, if elements are chosen one by one."""
    keys = key if isinstance(key, tuple) else (key,)
    dots = [i for i, k in enumerate(keys) if k is Ellipsis]
    used = sum(getattr(k, "ndim", 1) if getattr(k, "dtype", None) == bool else 1 for k in keys if k is not Ellipsis)
    if used > m._ndim or len(dots) > 1:
        raise IndexError(f"too many indices: the matrix has {m._ndim} dimension{'s' * (m._ndim > 1)}")
    if dots:
        keys = keys[:dots[0]] + (slice(None),) * (m._ndim - used) + keys[dots[0] + 1:]
    if used == 2 and len(keys) == 1:  # a mask of all
        if m.shape != keys[0].shape:
            raise IndexError(f"a mask that is {keys[0].shape} for a matrix that is {m.shape}")
        return keys
    sizes = (m._rows, m._cols)[:m._ndim]
    parts: list[Any] = [_one(k, n) for k, n in zip(keys + (slice(None),) * (len(sizes) - len(keys)), sizes)]
    arrays = [part for part in parts if isinstance(part, np.ndarray)]
    if len(arrays) == 2 and arrays[0].shape[1:] == (1,) and arrays[1].ndim == 2 and arrays[1].shape[0] == 1:  # as numpy.ix_ makes them
        parts = [part.reshape(-1) for part in arrays]
    elif len(arrays) == 2 or any(part.ndim > 1 for part in arrays):
        return keys
    kept = [not isinstance(part, int) for part in parts]
    lists = [range(part, part + 1) if isinstance(part, int) else _listed(part, n) if isinstance(part, np.ndarray) else part
             for part, n in zip(parts, sizes)]
    return _Chosen(lists[0], lists[1] if m._ndim == 2 else range(1), kept, bool(arrays))


def _shaped(part: Matrix, kept: list[bool]) -> Matrix:
    """With the dimensions that stay; a row becomes a vector."""
    part = part.T if kept == [False, True] else part
    part._ndim = sum(kept)
    return part


def _block(m: Matrix, chosen: _Chosen) -> Matrix:
    rows, cols = chosen.rows, chosen.cols
    begin = [indices[0] if indices else 0 for indices in (rows, cols)]
    return _shaped(m._seen(m._context.library.sub(m._view, *begin, len(rows), len(cols)), 2), chosen.kept)


def _pieces(m: Matrix, indices: Sequence[int]) -> Iterator[tuple[int, Matrix]]:
    """Rows of m, as few blocks as there can be, and where each begins among the rows chosen."""
    step = indices.step if isinstance(indices, range) else 0
    view, ld = m._view, m._ld()
    if step > 0 and (m._op & TRANS or view.n == 1):  # rows that are stored at a distance of ld, or of 1
        ld, op = (ld, m._op) if m._op & TRANS else (1, TRANS | m._op & CONJ)
        address = m._address() + indices[0] * ld * m.dtype.itemsize
        yield 0, _storage.wrapped(m._context, m.dtype, (len(indices), m._cols), address, (step * ld, op), m._store)
        return
    at = 0
    while at < len(indices):
        end = at + 1
        while end < len(indices) and indices[end] == indices[end - 1] + 1:
            end += 1
        yield at, m._part(indices[at], 0, end - at, m._cols)
        at = end


def _rows(m: Matrix, indices: Sequence[int]) -> Matrix:
    """A copy of these rows."""
    new = _storage.made(m._context, m.dtype, len(indices), m._cols)
    if new.size:
        for at, piece in _pieces(m, indices):
            _storage.move("copy", piece, new._part(at, 0, piece._rows, m._cols))
    return new


def _taken(m: Matrix, indices: Sequence[int]) -> Matrix:
    """These rows: as a view, if they are a block."""
    return _part_of(m, indices) if _is_block(indices) else _rows(m, indices)


def _part_of(m: Matrix, rows: Sequence[int]) -> Matrix:
    return m._part(rows[0] if rows else 0, 0, len(rows), m._cols)


def _two(m: Matrix) -> Matrix:
    """Seen with two dimensions."""
    return m if m._ndim == 2 else m._seen(m._view, 2)


def get(m: Matrix, key: Any) -> Any:
    chosen = _parse(m, key)
    if not isinstance(chosen, _Chosen):
        return _storage.placed(m._context, _storage.fetch(m)[chosen])
    rows, cols, kept, by_list = chosen
    if _is_block(rows) and _is_block(cols):
        part = _block(m, chosen)
        return part.item() if not any(kept) else part
    part = _two(m)
    if _is_block(cols) or not _is_block(rows) and len(cols) * m._rows < len(rows) * m._cols:  # blocks first, then what leaves less
        part = _taken(_taken(part.T, cols).T, rows)
    else:
        part = _taken(_taken(part, rows).T, cols).T
    part._store.frozen = not by_list
    return _shaped(part, kept)


def put(m: Matrix, key: Any, value: Any) -> None:
    if m._store.frozen:
        raise ValueError("a slice with a step is a copy of elements: assign to the matrix itself, or to a copy() of the slice")
    chosen = _parse(m, key)
    if not isinstance(chosen, _Chosen):
        host = _storage.fetch(m)
        host[chosen] = _storage.on_host(value, m.dtype)
        chosen, value = _Chosen(range(m._rows), range(m._cols), [True, True][:m._ndim], False), host
    rows, cols, kept, _ = chosen
    if _is_block(rows) and _is_block(cols):
        block = _block(m, chosen)
        block._ndim = block._ndim or 1
        source = _source(block, value, block.shape)
        if block.size:
            _storage.move("copy", source, block)
        return
    shape = tuple(len(indices) for indices, stays in zip((rows, cols), kept) if stays)
    source = _source(m, value, shape)
    source = source.T if kept == [False, True] else _two(source)
    if not source.size:
        return
    whole = _two(m)
    if not _is_block(rows) and not _is_block(cols):  # the columns of these rows, then the rows
        lines = _rows(whole, rows)
        _put_rows(lines.T, cols, source.T)
        source = lines
    elif _is_block(rows):
        whole, source, rows = _part_of(whole, rows).T, source.T, cols
    else:
        whole = _part_of(whole.T, cols).T
    _put_rows(whole, rows, source)


def _put_rows(m: Matrix, indices: Sequence[int], source: Matrix) -> None:
    for at, piece in _pieces(m, indices):
        _storage.move("copy", source._part(at, 0, piece._rows, source._cols), piece)


def _source(m: Matrix, value: Any, shape: tuple[int, ...]) -> Matrix:
    """What is assigned to elements of m, as a matrix of its context that is not m."""
    here = type(value) is type(m) and value._context is m._context
    if here and value.dtype == m.dtype and value.shape == shape:
        return value.copy() if value._store is m._store else value  # type: ignore[no-any-return]
    host = _storage.on_host(value, m.dtype)
    while host.ndim > len(shape) and host.shape[0] == 1:  # as NumPy assigns
        host = host[0]
    return _storage.of_numpy(m._context, np.broadcast_to(host, shape))
