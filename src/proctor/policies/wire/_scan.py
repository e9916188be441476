"""What a msgpack message would become, found out before anything of it is built.

One byte of msgpack can become a Python object of 56 bytes (an empty list), so a limit on the message alone does not
bound memory. The scan walks the headers, skips what strings and arrays carry, and refuses what is too many, too deep,
cut off or followed by more. A message of our wires has some dozens of objects.
"""

from __future__ import annotations

from proctor.core import ProctorError

MAX_OBJECTS = 20_000
MAX_DEPTH = 32

# First byte 0xc4..0xdf -> (what follows, width of its length or value in bytes). Extension types are not in the table.
_HEADERS: dict[int, tuple[str, int]] = {
    **{0xC4 + i: ("skip", 1 << i) for i in range(3)},  # bin 8, 16, 32
    0xCA: ("value", 4),
    0xCB: ("value", 8),
    **{0xCC + i: ("value", 1 << i) for i in range(4)},  # uint
    **{0xD0 + i: ("value", 1 << i) for i in range(4)},  # int
    **{0xD9 + i: ("skip", 1 << i) for i in range(3)},  # str 8, 16, 32
    0xDC: ("array", 2),
    0xDD: ("array", 4),
    0xDE: ("map", 2),
    0xDF: ("map", 4),
}


class CodecError(ProctorError):
    """Bytes that are no message of this wire, or an array that must not be built."""


def check_structure(data: bytes, *, max_objects: int = MAX_OBJECTS, max_depth: int = MAX_DEPTH) -> None:
    """Raise `CodecError` unless ``data`` is exactly one msgpack value within the limits."""
    at, objects = 0, 0
    pending = [1]
    while pending:
        if pending[-1] == 0:
            pending.pop()
            continue
        pending[-1] -= 1
        objects += 1
        if objects > max_objects:
            raise CodecError(f"more than {max_objects} values in one message")
        if at >= len(data):
            raise CodecError("the message is cut off")
        at, children = _value(data, at)
        if children:
            if len(pending) >= max_depth:
                raise CodecError(f"more than {max_depth} levels in one message")
            pending.append(children)
        if at > len(data):
            raise CodecError("the message is cut off")
    if at != len(data):
        raise CodecError(f"{len(data) - at} bytes follow the message")


def _value(data: bytes, at: int) -> tuple[int, int]:
    """Return where the value at ``at`` ends (its children not counted) and how many children follow."""
    first = data[at]
    at += 1
    if first < 0x80 or first >= 0xE0 or first in (0xC0, 0xC2, 0xC3):
        return at, 0
    if first < 0x90:
        return at, 2 * (first & 0x0F)
    if first < 0xA0:
        return at, first & 0x0F
    if first < 0xC0:
        return at + (first & 0x1F), 0
    if first not in _HEADERS:
        raise CodecError(f"byte 0x{first:02x} begins no value that this wire knows")
    kind, width = _HEADERS[first]
    if kind == "value":
        return at + width, 0
    count = int.from_bytes(data[at : at + width], "big")
    at += width
    if kind == "skip":
        return at + count, 0
    return at, count if kind == "array" else 2 * count
