"""Proctor's wire format: one message is a small header and the raw bytes of its arrays.

Frame 0 is a msgpack map: ``v`` protocol version, ``t`` type of the message, ``id`` number of the request that it
belongs to, ``a`` one ``[name, dtype, shape]`` (or ``[name, dtype, shape, how]``) for each array, and fields of the
type's own. Frames 1.. hold the arrays' bytes in that order, C order, little endian; ``how`` is ``"jpeg"`` (the frame is
a JPEG picture), bytes (no frame: a small array, here it is) or an integer (no frame: the bytes lie at this offset of
the sender's shared block).

Everything is checked before anything is allocated, and no byte that arrives is ever executed: types, limits and shapes
first, no pickle, no compression except JPEG whose header must announce exactly the promised size.

This file needs the standard library, NumPy and msgpack only, and Python 3.10: it is also part of the single-file
servers that run in a model's own environment.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import msgpack
import numpy as np
from numpy.typing import NDArray

VERSION = 1
MAX_HEADER_BYTES = 1 << 20
MAX_ARRAYS = 64
MAX_ARRAY_BYTES = 64 << 20
MAX_MESSAGE_BYTES = 256 << 20
MAX_DIMENSIONS = 8
# An array up to this size travels in the header: a frame of its own costs more than its bytes.
INLINE_BYTES = 1024
WIRE_JPEG_QUALITY = 95
# Characters of a line that says what went wrong; a longer one might not fit into the header that carries it.
MAX_REASON = 500

# Integers, floats and truth values that every machine has. No objects, no text, no structures.
_NAMES = ("|b1", "|i1", "|u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8")
DTYPES = {name: np.dtype(name) for name in _NAMES}

Buffer = bytes | bytearray | memoryview


class FrameError(ValueError):
    """The bytes are no message of this protocol; the text says what was found, cut short: it may quote a stranger."""

    def __init__(self, text: str) -> None:
        super().__init__(short_line(text))


def short_line(text: str, limit: int = MAX_REASON) -> str:
    """Return ``text`` on one line of at most ``limit`` characters, all of which UTF-8 can hold."""
    line = " ".join(text[: 2 * limit].encode("utf-8", "replace").decode().split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


class VersionError(FrameError):
    """The other side speaks another version of the protocol."""


class Message(NamedTuple):
    """A decoded message. Arrays that came as frames are read-only views of them."""

    type: str
    id: int
    fields: dict[str, Any]
    arrays: dict[str, NDArray[Any]]


def encode(
    type_: str,
    number: int = 0,
    fields: Mapping[str, Any] | None = None,
    arrays: Mapping[str, NDArray[Any]] | None = None,
    *,
    jpeg: bool = False,
    block: memoryview | None = None,
) -> list[Any]:
    """Return the frames of a message: bytes and contiguous arrays, for ``send_multipart``.

    With ``jpeg`` pictures (uint8 [H, W, 3]) are compressed. With ``block`` (a shared memory block) arrays are written
    into it as far as they fit, and only the header travels.
    """
    described: list[list[Any]] = []
    frames: list[Any] = [b""]
    used = 0
    for name, value in (arrays or {}).items():
        array = _plain(name, value)
        if array.nbytes <= INLINE_BYTES:
            described.append([name, array.dtype.str, array.shape, array.tobytes()])
        elif block is not None and used + array.nbytes <= len(block):
            block[used : used + array.nbytes] = array.reshape(-1).view(np.uint8).data
            described.append([name, array.dtype.str, array.shape, used])
            used += -(-array.nbytes // 64) * 64
        elif jpeg and is_picture(array):
            described.append([name, array.dtype.str, array.shape, "jpeg"])
            frames.append(to_jpeg(array))
        else:
            described.append([name, array.dtype.str, array.shape])
            frames.append(array)
    header: dict[str, Any] = {"v": VERSION, "t": type_, "id": number}
    if described:
        header["a"] = described
    if fields:
        header.update(fields)
    frames[0] = msgpack.packb(header)
    if len(frames[0]) > MAX_HEADER_BYTES:
        raise FrameError(f"the header of {type_!r} has {len(frames[0])} bytes, allowed are {MAX_HEADER_BYTES}")
    return frames


def decode(frames: Sequence[Buffer], block: memoryview | None = None) -> Message:
    """Read a message; raises `FrameError` unless every frame is what the header says. ``block`` as in `encode`."""
    if not frames:
        raise FrameError("the message is empty")
    header = _header(frames[0])
    described = header.pop("a", [])
    if not isinstance(described, list) or len(described) > MAX_ARRAYS:
        raise FrameError(f"the header must describe at most {MAX_ARRAYS} arrays")
    arrays: dict[str, NDArray[Any]] = {}
    position, total = 1, 0
    for entry in described:
        name, dtype, shape, how = _described(entry)
        if name in arrays:
            raise FrameError(f"array {name!r} is described twice")
        size = dtype.itemsize * math.prod(shape)
        # NumPy refuses an empty array whose other sides are too long, so those count as if it were not empty.
        extent = size or dtype.itemsize * math.prod(max(side, 1) for side in shape)
        total += size
        if extent > MAX_ARRAY_BYTES or total > MAX_MESSAGE_BYTES:
            raise FrameError(f"array {name!r} would take {extent} bytes, allowed are {MAX_ARRAY_BYTES}")
        if type(how) is bytes:
            arrays[name] = _from_frame(name, dtype, shape, None, size, how)
            continue
        if type(how) is int:
            arrays[name] = _from_block(name, dtype, shape, how, size, block)
            continue
        if position >= len(frames):
            raise FrameError(f"the message is truncated: the frame of array {name!r} is missing")
        arrays[name] = _from_frame(name, dtype, shape, how, size, frames[position])
        position += 1
    if position != len(frames):
        raise FrameError(
            f"the message has {len(frames) - 1} frames after the header, its header describes {position - 1}"
        )
    del header["v"]
    return Message(header.pop("t"), header.pop("id"), header, arrays)


def is_picture(array: NDArray[Any]) -> bool:
    """Return whether ``array`` is an uint8 image [H, W, 3], which JPEG can hold."""
    return array.ndim == 3 and array.shape[2] == 3 and array.dtype == np.uint8 and min(array.shape) > 0


def to_jpeg(array: NDArray[Any]) -> bytes:
    """Return an image [H, W, 3] as JPEG of quality 95 with full colour resolution. Needs Pillow."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(array).save(out, "JPEG", quality=WIRE_JPEG_QUALITY, subsampling=0)
    return out.getvalue()


def as_received(array: NDArray[Any]) -> NDArray[Any]:
    """Return what the other side sees of an array that is sent with ``jpeg``."""
    return from_jpeg(to_jpeg(array), array.shape) if is_picture(array) else array


def from_jpeg(data: Buffer, shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the image in ``data``, which must have this shape by its own header before a pixel is decoded."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as image:
            if (image.height, image.width, 3) != tuple(shape) or image.mode != "RGB":
                raise FrameError(f"the JPEG holds {image.width} x {image.height} {image.mode}, announced was {shape}")
            return np.asarray(image)
    except FrameError:
        raise
    except Exception as error:
        raise FrameError(f"the frame is no JPEG picture: {error}") from None


def _plain(name: str, value: Any) -> NDArray[Any]:
    array = value if isinstance(value, np.ndarray) else np.asarray(value)
    if not array.flags.c_contiguous:
        array = np.ascontiguousarray(array)
    if array.dtype.str not in DTYPES:
        little = array.dtype.newbyteorder("<")
        if little.str not in DTYPES:
            raise FrameError(f"array {name!r} has dtype {array.dtype}: integers, floats and bool can be sent")
        array = array.astype(little)
    if array.nbytes > MAX_ARRAY_BYTES or array.ndim > MAX_DIMENSIONS:
        raise FrameError(f"array {name!r} of shape {array.shape} has {array.nbytes} bytes, allowed: {MAX_ARRAY_BYTES}")
    return array


def _header(frame: Buffer) -> dict[str, Any]:
    if len(frame) > MAX_HEADER_BYTES:
        raise FrameError(f"the header has {len(frame)} bytes, allowed are {MAX_HEADER_BYTES}")
    try:
        header = msgpack.unpackb(frame, raw=False, strict_map_key=True)
    except Exception as error:
        text = bytes(frame[:40])
        raise FrameError(f"the first frame is no msgpack map but {text!r} ({type(error).__name__})") from None
    if not isinstance(header, dict):
        raise FrameError(f"the first frame holds {type(header).__name__}, not a map")
    if header.get("v") != VERSION:
        raise VersionError(f"protocol version {header.get('v')!r} was received, this side speaks {VERSION}")
    if not isinstance(header.get("t"), str) or not isinstance(header.get("id"), int):
        raise FrameError("the header has no type 't' (text) or no number 'id' (integer)")
    return header


def _described(entry: Any) -> tuple[str, np.dtype[Any], tuple[int, ...], Any]:
    if not isinstance(entry, list) or not 3 <= len(entry) <= 4:
        raise FrameError("an array is described as [name, dtype, shape] or [name, dtype, shape, how]")
    name, dtype, shape = entry[:3]
    how = entry[3] if len(entry) == 4 else None
    if not isinstance(name, str) or not isinstance(dtype, str) or dtype not in DTYPES:
        raise FrameError(f"array {name!r} has dtype {dtype!r}, allowed are {', '.join(DTYPES)}")
    if not isinstance(shape, list) or len(shape) > MAX_DIMENSIONS:
        raise FrameError(f"array {name!r} has shape {shape!r}")
    for side in shape:
        if type(side) is not int or not 0 <= side <= MAX_ARRAY_BYTES:
            raise FrameError(f"array {name!r} has shape {shape!r}")
    if how is not None and how != "jpeg" and type(how) is not bytes and not (type(how) is int and how >= 0):
        raise FrameError(f"array {name!r} comes as {how!r}: known are 'jpeg', bytes and an offset")
    return name, DTYPES[dtype], tuple(shape), how


def _from_frame(
    name: str, dtype: np.dtype[Any], shape: tuple[int, ...], how: Any, size: int, frame: Buffer
) -> NDArray[Any]:
    if how == "jpeg":
        if len(shape) != 3 or shape[2] != 3 or dtype != np.uint8:
            raise FrameError(f"array {name!r} of {dtype} {shape} cannot be a JPEG picture")
        return from_jpeg(frame, shape)
    if len(frame) != size:
        raise FrameError(f"the frame of array {name!r} has {len(frame)} bytes, {dtype} {shape} needs {size}")
    array = np.frombuffer(frame, dtype).reshape(shape) if size else np.zeros(shape, dtype)
    array.flags.writeable = False
    return array


def _from_block(
    name: str, dtype: np.dtype[Any], shape: tuple[int, ...], offset: int, size: int, block: memoryview | None
) -> NDArray[Any]:
    """Copy out of the shared block: the sender writes the next message there, and a policy may keep this one."""
    if block is None:
        raise FrameError(f"array {name!r} lies in shared memory, but none was agreed on")
    if offset + size > len(block):
        raise FrameError(f"array {name!r} ends {offset + size - len(block)} bytes behind the shared block")
    return np.frombuffer(bytearray(block[offset : offset + size]), dtype).reshape(shape)
