"""The codec of vla-eval 0.8 (protocol version 1): msgpack maps ``{type, payload, seq, timestamp}``.

Arrays are ``{"__ndarray__": true, data, dtype, shape}``; its own encoder writes pictures as
``{"__image__": true, format: "png" | "jpeg" | "raw", data, shape}``, by default as PNG. Its decoder takes an array for
a picture just as well, so pictures are sent raw: a PNG of 256 x 256 costs some 15 ms to make, the raw bytes nothing.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np

from ._arrays import MAX_FOREIGN_BYTES, build, pack, sendable, unpack
from ._images import decode_picture
from ._scan import CodecError

PROTOCOL_VERSION = 1
HARNESS_VERSION = "0.8.0"
Kind = Literal["hello", "observation", "action", "episode_start", "episode_end", "error"]
_KINDS = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Message:
    """One message; ``seq`` of an answer is that of its question, ``timestamp`` is in seconds since 1970."""

    kind: Kind
    payload: dict[str, Any]
    seq: int = 0
    timestamp: float = field(default_factory=time.time)


def encode(message: Message) -> bytes:
    fields = {
        "type": message.kind,
        "payload": message.payload,
        "seq": message.seq,
        "timestamp": message.timestamp,
    }
    return pack(fields, _encode)


def decode(data: bytes, *, limit: int = MAX_FOREIGN_BYTES) -> Message:
    value = unpack(data, _Decoder(), limit=limit)
    if not isinstance(value, dict):
        raise CodecError(f"a message is a map, not {type(value).__name__}")
    missing = [name for name in ("type", "payload", "seq", "timestamp") if name not in value]
    if missing:
        raise CodecError(f"a message without {missing[0]!r}")
    if value["type"] not in _KINDS:
        raise CodecError(f"message type {str(value['type'])[:40]!r} is unknown (known: {', '.join(_KINDS)})")
    if not isinstance(value["payload"], dict) or type(value["seq"]) is not int:
        raise CodecError(f"a message {value['type']!r} whose payload is no map or whose seq is no whole number")
    if type(value["timestamp"]) not in (int, float):
        raise CodecError(f"a message {value['type']!r} whose timestamp is no number")
    return Message(value["type"], value["payload"], value["seq"], float(value["timestamp"]))


def _encode(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = sendable(value)
        return {
            "__ndarray__": True,
            "data": array.tobytes(),
            "dtype": array.dtype.str,
            "shape": list(array.shape),
        }
    if isinstance(value, np.bool_ | np.integer | np.floating):
        return value.item()
    raise CodecError(f"a {type(value).__name__} cannot be sent")


class _Decoder:
    """Turns maps into arrays for one message, whose pictures together may not become more than `MAX_FOREIGN_BYTES`.

    A PNG of one colour has a thousandth of its picture's size, so a limit on the message bounds only its bytes.
    """

    def __init__(self) -> None:
        self._left_bytes = MAX_FOREIGN_BYTES

    def __call__(self, value: dict[Any, Any]) -> Any:
        if "__image__" in value and value.get("format") != "raw":
            picture = decode_picture(value.get("data"), value.get("format"), self._left_bytes)
            self._left_bytes -= picture.nbytes
            return picture
        if "__image__" in value or "__ndarray__" in value:
            return build(value.get("data"), value.get("dtype"), value.get("shape"))
        return value
