"""The codec of GR00T N1.6 and N1.7: msgpack with arrays as the package msgpack-numpy writes them.

Written: ``{b"nd": true, b"type": "<f4", b"kind": b"", b"shape": [..], b"data": bin}``, a scalar with ``b"nd": false``.
Read as well: ``{"__ndarray_class__": true, "as_npy": bytes of a .npy file}`` of older servers and clients, and their
``{"__ModalityConfig_class__": true, "as_json": text or map}``. msgpack-numpy falls back to pickle for object arrays
(kind ``O``): here they are refused, as is a .npy file that holds one.
"""

from __future__ import annotations

import ast
import json
from typing import Any

import numpy as np

from ._arrays import MAX_FOREIGN_BYTES, Array, build, dtype_of, pack, sendable, unpack
from ._scan import CodecError

_NPY_MAGIC = b"\x93NUMPY"
_MAX_NPY_HEADER = 4096


def encode(value: Any) -> bytes:
    """Return the bytes of ``value``, made of maps, lists, text, numbers and arrays."""
    return pack(value, _encode)


def decode(data: bytes, *, limit: int = MAX_FOREIGN_BYTES) -> Any:
    return unpack(data, _decode, limit=limit)


def modality(keys: list[str], delta_indices: list[int]) -> dict[str, Any]:
    """Return the map that stands for one modality's configuration: its keys and the time steps it looks at."""
    return {
        "__ModalityConfig_class__": True,
        "as_json": {"delta_indices": delta_indices, "modality_keys": keys},
    }


def _encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = sendable(value)
        return {
            b"nd": True,
            b"type": array.dtype.str,
            b"kind": b"",
            b"shape": array.shape,
            b"data": array.tobytes(),
        }
    if isinstance(value, np.generic):
        return {b"nd": False, b"type": dtype_of(value.dtype.str).str, b"data": value.tobytes()}
    raise CodecError(f"a {type(value).__name__} cannot be sent")


def _decode(value: dict[Any, Any]) -> Any:
    if b"nd" in value:
        if value.get(b"kind", b"") not in (b"", ""):
            raise CodecError("an array of objects or structures is not allowed")
        if value[b"nd"] is True:
            return build(value.get(b"data"), value.get(b"type"), value.get(b"shape"))
        return build(value.get(b"data"), value.get(b"type"), [])[()]
    if "__ndarray_class__" in value:
        return _npy(value.get("as_npy"))
    if "__ModalityConfig_class__" in value:
        return _as_map(value.get("as_json"))
    return value


def _npy(data: Any) -> Array:
    """Read a .npy file of format 1 or 2 (NumPy's NEP 1) with the same checks as any other array."""
    if not isinstance(data, bytes) or data[:6] != _NPY_MAGIC or len(data) < 12:
        raise CodecError("as_npy is not a .npy file")
    width = 2 if data[6] == 1 else 4
    start = 8 + width
    length = int.from_bytes(data[8:start], "little")
    if length > min(_MAX_NPY_HEADER, len(data) - start):
        raise CodecError("the header of a .npy file is cut off or too long")
    try:
        header = ast.literal_eval(data[start : start + length].decode("latin-1").strip())
        described, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
    except (ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError):
        raise CodecError("the header of a .npy file cannot be read") from None
    body = data[start + length :]
    if fortran:
        return build(body, described, list(shape)[::-1] if isinstance(shape, tuple) else shape).T
    return build(body, described, shape)


def _as_map(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            value = None
    if not isinstance(value, dict):
        raise CodecError("a modality's configuration is not a map")
    return value
