"""Laws of the frames: what goes in comes out, and nothing else comes out."""

from __future__ import annotations

import contextlib

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from proctor.policies.wire import (
    MAX_ARRAY_BYTES,
    MAX_HEADER_BYTES,
    MAX_REASON,
    VERSION,
    FrameError,
    Message,
    VersionError,
    decode,
    encode,
    from_jpeg,
    to_jpeg,
)

DTYPES = st.sampled_from(["|b1", "|i1", "|u1", "<i2", "<u4", "<i8", ">i4", "<f2", "<f4", "<f8", ">f8"])
ARRAYS = st.dictionaries(
    st.text(min_size=1, max_size=8),
    DTYPES.flatmap(lambda dtype: hnp.arrays(np.dtype(dtype), hnp.array_shapes(min_dims=0, max_dims=4, min_side=0))),
    max_size=5,
)
FIELDS = st.dictionaries(
    st.text(max_size=8).filter(lambda key: key not in {"v", "t", "id", "a"}),
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=20) | st.lists(st.text(max_size=3)),
    max_size=5,
)


def as_bytes(frames: list) -> list[bytes]:
    """What arrives at the other side: bytes."""
    return [frame if isinstance(frame, bytes) else frame.tobytes() for frame in frames]


def same(left: np.ndarray, right: np.ndarray) -> bool:
    return left.shape == right.shape and left.tobytes() == right.astype(right.dtype.newbyteorder("<")).tobytes()


@settings(max_examples=60)
@given(st.text(max_size=20), st.integers(0, 2**63), FIELDS, ARRAYS)
def test_what_goes_in_comes_out(type_: str, number: int, fields: dict, arrays: dict) -> None:
    message = decode(as_bytes(encode(type_, number, fields, arrays)))
    assert (message.type, message.id, message.fields) == (type_, number, fields)
    assert list(message.arrays) == list(arrays)
    for name, array in arrays.items():
        assert same(message.arrays[name], array)
        assert message.arrays[name].dtype == array.dtype.newbyteorder("<")


@settings(max_examples=40)
@given(ARRAYS, st.integers(0, 4096))
def test_the_same_through_a_shared_block_of_any_size(arrays: dict, size: int) -> None:
    block = memoryview(bytearray(size))
    frames = as_bytes(encode("act", 1, {}, arrays, block=block))
    message = decode(frames, block)
    block[:] = bytes(size)
    for name, array in arrays.items():
        assert same(message.arrays[name], array), "the reader must own what it read"


def test_an_array_that_is_not_contiguous_is_sent_as_it_looks() -> None:
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)[::-1, ::2]
    assert same(decode(as_bytes(encode("x", 1, {}, {"a": image}))).arrays["a"], image)


@given(st.lists(st.binary(max_size=200), max_size=4))
def test_garbage_is_a_frame_error_or_a_message(frames: list[bytes]) -> None:
    """Anything else, a TypeError or a MemoryError, would end the server."""
    with contextlib.suppress(FrameError):
        assert isinstance(decode(frames), Message)


@given(st.data())
def test_any_damage_to_a_message_is_noticed_or_harmless(data: st.DataObject) -> None:
    """Flip, cut or drop: either an error, or arrays of the announced sizes."""
    frames = as_bytes(
        encode("act", 7, {"step": 3}, {"state": np.zeros(200), "image/a": np.ones((24, 24, 3), np.uint8)})
    )
    index = data.draw(st.integers(0, len(frames) - 1))
    cut = data.draw(st.integers(0, len(frames[index]) - 1))
    flip = data.draw(st.integers(1, 255))
    damaged = [
        [*frames[:index], frames[index][:cut], *frames[index + 1 :]],
        [*frames[:index], *frames[index + 1 :]],
        [*frames[:index], frames[index][:cut] + bytes([frames[index][cut] ^ flip]) + frames[index][cut + 1 :]],
    ]
    with pytest.raises(FrameError):
        decode([*damaged[0]])
    with pytest.raises(FrameError):
        decode([*damaged[1]])
    try:
        message = decode(damaged[2])
    except FrameError:
        return
    assert sum(array.nbytes for array in message.arrays.values()) == sum(map(len, damaged[2][1:]))


def header(**values: object) -> bytes:
    return msgpack.packb({"v": VERSION, "t": "act", "id": 1, **values})


@pytest.mark.parametrize(
    ("frames", "words"),
    [
        ([], "empty"),
        ([b"hello there, server"], "msgpack"),
        ([msgpack.packb([1, 2])], "list, not a map"),
        ([header(t=3)], "type"),
        ([header(id="one")], "number"),
        ([b"\x00" * (MAX_HEADER_BYTES + 1)], "allowed are"),
        ([header(a=[["x", "|O", [2]]]), b"ab"], "dtype"),
        ([header(a=[["x", "<f16", [2]]]), b"ab"], "dtype"),
        ([header(a=[["x", "|u1", [2, -1]]]), b"ab"], "shape"),
        ([header(a=[["x", "|u1", [True]]]), b"a"], "shape"),
        ([header(a=[["x", "|u1", [1] * 9]]), b"a"], "shape"),
        ([header(a=[["x", "|u1", [2]], ["x", "|u1", [2]]]), b"ab", b"ab"], "twice"),
        ([header(a=[["x", "|u1", [3]]]), b"ab"], "has 2 bytes"),
        ([header(a=[["x", "|u1", [2]]])], "truncated"),
        ([header(a=[["x", "|u1", [3], b"ab"]])], "has 2 bytes"),
        ([header(a=[["x", "<f8", [1 << 22, 1 << 22], b"ab"]])], "would take"),
        ([header(), b"more"], "1 frames after the header"),
        ([header(a=[["x", "<f8", [1 << 20, 1 << 20]]]), b"ab"], "would take"),
        ([header(a=[["x", "|u1", [MAX_ARRAY_BYTES + 1]]]), b"ab"], "shape"),
        ([header(a=[["x", "|u1", [2], "zip"]]), b"ab"], "'zip'"),
        ([header(a=[["x", "|u1", [2], 0]])], "none was agreed"),
        ([header(a=[[f"x{i}", "|u1", [0]] for i in range(65)]), *[b""] * 65], "at most 64"),
        ([header(a=[["x", "<f8", [0, *[1 << 26] * 7]]]), b""], "would take"),
        ([header(a=[["x", "<f8", [*[1 << 26] * 7, 0], b""]])], "would take"),
        ([header(v=b"\xff" * 900_000)], "protocol version"),
        ([header(a=[["x", "|u1", "s\n" * 400_000]]), b"ab"], "shape"),
    ],
)
def test_each_lie_is_named(frames: list[bytes], words: str) -> None:
    with pytest.raises(FrameError, match=words) as caught:
        decode(frames)
    assert len(str(caught.value)) <= MAX_REASON
    assert "\n" not in str(caught.value)


def test_another_version_is_told_apart() -> None:
    with pytest.raises(VersionError, match="version 2 was received, this side speaks 1"):
        decode([msgpack.packb({"v": 2, "t": "hello", "id": 1})])


def test_a_block_is_not_read_beyond_its_end() -> None:
    block = memoryview(bytearray(64))
    with pytest.raises(FrameError, match="behind the shared block"):
        decode([header(a=[["x", "|u1", [10], 60]])], block)


def test_what_cannot_be_sent_is_refused_by_the_sender() -> None:
    with pytest.raises(FrameError, match="dtype"):
        encode("x", 1, {}, {"a": np.array(["text"])})
    with pytest.raises(FrameError, match="header"):
        encode("x", 1, {"text": "y" * (MAX_HEADER_BYTES + 1)})


def test_jpeg_holds_a_picture_closely() -> None:
    ramp = np.linspace(0, 255, 64, dtype=np.uint8)
    image = np.stack([np.tile(ramp, (64, 1)), np.tile(ramp[:, None], (1, 64)), np.full((64, 64), 90, np.uint8)], axis=2)
    frames = encode("act", 1, {}, {"image/a": image, "state": np.zeros(8)}, jpeg=True)
    assert len(frames[1]) < image.nbytes / 2
    message = decode(as_bytes(frames))
    assert np.abs(message.arrays["image/a"].astype(int) - image).max() <= 6
    assert message.arrays["state"].shape == (8,)


def test_a_jpeg_of_another_size_is_refused_before_it_is_decoded() -> None:
    """The header promises 8 x 8, the picture says 4096 x 4096: a bomb by its own account."""
    bomb = to_jpeg(np.zeros((4096, 4096, 3), np.uint8))
    assert len(bomb) < 600_000
    with pytest.raises(FrameError, match="4096 x 4096"):
        decode([header(a=[["image/a", "|u1", [8, 8, 3], "jpeg"]]), bomb])
    with pytest.raises(FrameError, match="no JPEG"):
        from_jpeg(b"\x89PNG\r\n\x1a\n" + bytes(100), (8, 8, 3))
    with pytest.raises(FrameError, match="no JPEG"):
        from_jpeg(bomb[: len(bomb) // 2], (4096, 4096, 3))
