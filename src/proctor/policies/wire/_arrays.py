"""What the foreign codecs share: one way to read msgpack, one way to build an array, both with limits first."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
from numpy.typing import NDArray

from ._scan import CodecError, check_structure

MAX_FOREIGN_BYTES = 64 << 20
# Numbers and truth values of fixed size. No objects, no structures, no text, no complex numbers.
_DTYPE = re.compile(r"[<>|=]?(b1|[iu][1248]|f[248])")
_MAX_DIMENSIONS = 8

Array = NDArray[Any]


def pack(value: Any, default: Callable[[Any], Any]) -> bytes:
    """Return ``value`` as msgpack; ``default`` turns an array into what the wire calls one."""
    data: bytes = msgpack.packb(value, default=default, use_bin_type=True)
    return data


def unpack(data: bytes, hook: Callable[[dict[Any, Any]], Any], *, limit: int = MAX_FOREIGN_BYTES) -> Any:
    """Return the one value in ``data``; ``hook`` turns what the wire calls an array into one."""
    if len(data) > limit:
        raise CodecError(f"a message of {len(data)} bytes, allowed are {limit}")
    check_structure(data)
    try:
        return msgpack.unpackb(data, object_hook=hook, raw=False, strict_map_key=True)
    except CodecError:
        raise
    except Exception as error:
        raise CodecError(f"not msgpack: {' '.join(str(error).split()) or type(error).__name__}") from None


def dtype_of(text: Any) -> np.dtype[Any]:
    """Return the dtype called ``text`` if it is a number or truth value of fixed size."""
    if not isinstance(text, str) or not _DTYPE.fullmatch(text):
        raise CodecError(f"dtype {str(text)[:40]!r} is not allowed: only bool, int, uint and float travel")
    return np.dtype(text)


def shape_of(value: Any) -> tuple[int, ...]:
    """Return ``value`` as a shape: at most eight whole numbers, none negative."""
    whole = isinstance(value, list | tuple) and all(type(n) is int and n >= 0 for n in value)
    if not whole or len(value) > _MAX_DIMENSIONS:
        raise CodecError(f"shape {str(value)[:60]} is not a list of at most {_MAX_DIMENSIONS} lengths")
    return tuple(value)


def build(data: Any, dtype: Any, shape: Any) -> Array:
    """Return the array; ``data`` must hold exactly the bytes that dtype and shape ask for, or nothing is built."""
    kind, lengths = dtype_of(dtype), shape_of(shape)
    if not isinstance(data, bytes):
        raise CodecError(f"an array's data is {type(data).__name__}, not bytes")
    needed = math.prod(lengths) * kind.itemsize
    if needed != len(data):
        raise CodecError(f"an array {kind.str}{list(lengths)} needs {needed} bytes, {len(data)} came")
    array: Array = np.ndarray(lengths, dtype=kind, buffer=data)
    return array.astype(kind.newbyteorder("="), copy=False)


def sendable(array: Array) -> Array:
    """Return ``array`` in C order; refuse what no peer may be sent."""
    dtype_of(array.dtype.str)
    return np.ascontiguousarray(array) if array.ndim else array
