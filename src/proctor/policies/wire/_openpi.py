"""The codec of openpi and RoboArena: msgpack with arrays as maps whose keys are *bytes*.

``{b"__ndarray__": true, b"data": bin, b"dtype": "<f4", b"shape": [..]}`` is an array in C order, and
``{b"__npgeneric__": true, b"data": value, b"dtype": "<f4"}`` a NumPy scalar (checked against openpi-client 0.1.2).
Decoded arrays are read-only views of the message.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import MAX_FOREIGN_BYTES, build, dtype_of, pack, sendable, unpack
from ._scan import CodecError


def encode(value: Any) -> bytes:
    """Return the bytes of ``value``, made of maps, lists, text, numbers and arrays."""
    return pack(value, _encode)


def decode(data: bytes, *, limit: int = MAX_FOREIGN_BYTES) -> Any:
    return unpack(data, _decode, limit=limit)


def _encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = sendable(value)
        return {
            b"__ndarray__": True,
            b"data": array.tobytes(),
            b"dtype": array.dtype.str,
            b"shape": array.shape,
        }
    if isinstance(value, np.generic):
        return {b"__npgeneric__": True, b"data": value.item(), b"dtype": dtype_of(value.dtype.str).str}
    raise CodecError(f"a {type(value).__name__} cannot be sent")


def _decode(value: dict[Any, Any]) -> Any:
    if b"__ndarray__" in value:
        return build(value.get(b"data"), value.get(b"dtype"), value.get(b"shape"))
    if b"__npgeneric__" in value:
        return _scalar(value.get(b"data"), value.get(b"dtype"))
    return value


def _scalar(data: Any, dtype: Any) -> Any:
    if isinstance(data, str):
        # numpy's own text type, which the peer sends for a prompt taken out of an array.
        return data
    if type(data) not in (bool, int, float):
        raise CodecError(f"a NumPy scalar's value is {type(data).__name__}, not a number")
    try:
        return dtype_of(dtype).type(data)
    except (OverflowError, ValueError):
        raise CodecError(f"{data} does not fit dtype {dtype}") from None
