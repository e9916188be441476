"""Codecs of openpi, GR00T and vla-eval: bytes worked out by hand, round trips, and what must never be built.

The golden strings are put together here byte by byte from the msgpack specification, not by any encoder.
"""

from __future__ import annotations

import contextlib
import io
import tracemalloc
import zlib
from collections.abc import Callable
from typing import Any

import msgpack
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image

from proctor.policies.wire import MAX_FOREIGN_BYTES, MAX_SIDE, CodecError, gr00t, openpi, vla_eval


def hexed(text: str) -> bytes:
    return bytes.fromhex(text.replace(" ", "").replace("\n", ""))


OPENPI_VALUE = {"x": np.array([[1, 2], [3, 4]], np.uint8), "f": np.float32(1.5), "prompt": "hi"}
OPENPI_BYTES = hexed("""
    83
      a1 78
      84 c4 0b 5f5f6e6461727261795f5f c3
         c4 04 64617461 c4 04 01020304
         c4 05 6474797065 a3 7c7531
         c4 05 7368617065 92 02 02
      a1 66
      83 c4 0d 5f5f6e7067656e657269635f5f c3
         c4 04 64617461 cb 3ff8000000000000
         c4 05 6474797065 a3 3c6634
      a6 70726f6d7074 a2 6869
""")
GR00T_VALUE = {"endpoint": "get_action", "x": np.array([[1.0, -2.0]], np.float32)}
GR00T_BYTES = hexed("""
    82
      a8 656e64706f696e74 aa 6765745f616374696f6e
      a1 78
      85 c4 02 6e64 c3
         c4 04 74797065 a3 3c6634
         c4 04 6b696e64 c4 00
         c4 05 7368617065 92 01 02
         c4 04 64617461 c4 08 0000803f 000000c0
""")
VLA_EVAL_VALUE = vla_eval.Message("action", {"actions": np.array([1, 0], np.uint8)}, seq=7, timestamp=1.5)
VLA_EVAL_BYTES = hexed("""
    84
      a4 74797065 a6 616374696f6e
      a7 7061796c6f6164
      81 a7 616374696f6e73
         84 ab 5f5f6e6461727261795f5f c3
            a4 64617461 c4 02 0100
            a5 6474797065 a3 7c7531
            a5 7368617065 91 02
      a3 736571 07
      a9 74696d657374616d70 cb 3ff8000000000000
""")


def test_openpi_bytes_as_worked_out_by_hand() -> None:
    assert openpi.encode(OPENPI_VALUE) == OPENPI_BYTES
    value = openpi.decode(OPENPI_BYTES)
    np.testing.assert_array_equal(value["x"], OPENPI_VALUE["x"])
    assert value["x"].dtype == np.uint8
    assert value["f"] == 1.5
    assert type(value["f"]) is np.float32
    assert value["prompt"] == "hi"


def test_gr00t_bytes_as_worked_out_by_hand() -> None:
    assert gr00t.encode(GR00T_VALUE) == GR00T_BYTES
    value = gr00t.decode(GR00T_BYTES)
    np.testing.assert_array_equal(value["x"], np.array([[1.0, -2.0]], np.float32))
    assert value["endpoint"] == "get_action"


def test_vla_eval_bytes_as_worked_out_by_hand() -> None:
    assert vla_eval.encode(VLA_EVAL_VALUE) == VLA_EVAL_BYTES
    message = vla_eval.decode(VLA_EVAL_BYTES)
    assert (message.kind, message.seq, message.timestamp) == ("action", 7, 1.5)
    np.testing.assert_array_equal(message.payload["actions"], [1, 0])


ARRAYS = hnp.arrays(
    st.sampled_from([np.uint8, np.int16, np.int64, np.float16, np.float32, np.float64, np.bool_]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
)


@given(ARRAYS)
def test_arrays_survive_each_codec(array: np.ndarray[Any, Any]) -> None:
    message = vla_eval.Message("observation", {"a": array})
    for back in (
        openpi.decode(openpi.encode({"a": array}))["a"],
        gr00t.decode(gr00t.encode({"a": array}))["a"],
        vla_eval.decode(vla_eval.encode(message)).payload["a"],
    ):
        assert back.dtype == array.dtype
        np.testing.assert_array_equal(back, array)


@pytest.mark.parametrize("codec", [openpi, gr00t])
def test_slices_and_foreign_byte_order_arrive_as_values(codec: Any) -> None:
    array = np.arange(24, dtype=">i4").reshape(4, 6)[::2, ::-1]
    np.testing.assert_array_equal(codec.decode(codec.encode(array)), array)
    fortran = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    np.testing.assert_array_equal(codec.decode(codec.encode(fortran)), fortran)


def npy(array: np.ndarray[Any, Any], **options: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def as_npy(data: bytes) -> bytes:
    return bytes(msgpack.packb({"__ndarray_class__": True, "as_npy": data}))


@pytest.mark.parametrize("order", ["C", "F"])
def test_gr00t_reads_the_older_encoding(order: Any) -> None:
    array = np.asarray(np.arange(12, dtype=np.float32).reshape(3, 4), order=order)
    np.testing.assert_array_equal(gr00t.decode(as_npy(npy(array))), array)


def test_gr00t_reads_a_modality_as_text_and_as_map() -> None:
    keys = {"delta_indices": [0], "modality_keys": ["image"]}
    packed = msgpack.packb(
        {"__ModalityConfig_class__": True, "as_json": '{"delta_indices":[0],"modality_keys":["image"]}'}
    )
    assert gr00t.decode(packed) == keys
    assert gr00t.decode(gr00t.encode(gr00t.modality(["image"], [0]))) == keys


def picture_message(data: bytes, format: str) -> bytes:
    picture = {"__image__": True, "format": format, "data": data, "shape": [2, 2, 3]}
    return bytes(msgpack.packb({"type": "observation", "payload": {"i": picture}, "seq": 1, "timestamp": 0.0}))


def test_vla_eval_pictures_png_jpeg_raw() -> None:
    picture = np.random.default_rng(0).integers(0, 255, (20, 30, 3), dtype=np.uint8)
    for name, exact in (("PNG", True), ("JPEG", False)):
        out = io.BytesIO()
        Image.fromarray(picture).save(out, name)
        got = vla_eval.decode(picture_message(out.getvalue(), name.lower())).payload["i"]
        assert (got.shape, got.dtype) == (picture.shape, np.uint8)
        assert not exact or np.array_equal(got, picture)
    raw = {"__image__": True, "format": "raw", "data": picture.tobytes(), "dtype": "|u1", "shape": [20, 30, 3]}
    sent = msgpack.packb({"type": "observation", "payload": {"i": raw}, "seq": 1, "timestamp": 0.0})
    np.testing.assert_array_equal(vla_eval.decode(sent).payload["i"], picture)


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + kind + body + zlib.crc32(kind + body).to_bytes(4, "big")


@pytest.mark.parametrize(("side", "says"), [(3_000, "3000 x 3000 pixels"), (50_000, "cannot be decoded")])
def test_a_picture_bomb_is_refused_by_its_header(side: int, says: str) -> None:
    header = png_chunk(b"IHDR", side.to_bytes(4, "big") * 2 + bytes([8, 2, 0, 0, 0]))
    pixels = png_chunk(b"IDAT", zlib.compress(bytes(side)))
    with pytest.raises(CodecError, match=says):
        vla_eval.decode(picture_message(b"\x89PNG\r\n\x1a\n" + header + pixels + png_chunk(b"IEND", b""), "png"))


def openpi_array(data: Any, dtype: Any, shape: Any) -> bytes:
    return bytes(msgpack.packb({b"__ndarray__": True, b"data": data, b"dtype": dtype, b"shape": shape}))


def gr00t_array(data: Any, dtype: Any, shape: Any) -> bytes:
    return bytes(msgpack.packb({b"nd": True, b"type": dtype, b"kind": b"", b"shape": shape, b"data": data}))


def vla_eval_array(data: Any, dtype: Any, shape: Any) -> bytes:
    array = {"__ndarray__": True, "data": data, "dtype": dtype, "shape": shape}
    return bytes(msgpack.packb({"type": "action", "payload": {"a": array}, "seq": 1, "timestamp": 0.0}))


WRITERS = [(openpi.decode, openpi_array), (gr00t.decode, gr00t_array), (vla_eval.decode, vla_eval_array)]


def test_many_small_bombs_are_one_large_one() -> None:
    """A PNG of one colour is a thousandth of its picture: 0.1 MB of them would become more than 100 MB."""
    out = io.BytesIO()
    Image.fromarray(np.zeros((MAX_SIDE, MAX_SIDE, 3), np.uint8)).save(out, "PNG")
    picture = {"__image__": True, "format": "png", "data": out.getvalue()}
    most = MAX_FOREIGN_BYTES // (3 * MAX_SIDE**2)

    def message(count: int) -> bytes:
        fields = {"type": "observation", "payload": {"i": [picture] * count}, "seq": 1, "timestamp": 0.0}
        return bytes(msgpack.packb(fields))

    assert len(vla_eval.decode(message(most)).payload["i"]) == most
    with pytest.raises(CodecError, match="too large together"):
        vla_eval.decode(message(most + 1))


@pytest.mark.parametrize("timestamp", [None, "now", b"", [], {}, True])
def test_a_vla_eval_timestamp_is_a_number(timestamp: Any) -> None:
    with pytest.raises(CodecError, match="timestamp"):
        vla_eval.decode(msgpack.packb({"type": "hello", "payload": {}, "seq": 1, "timestamp": timestamp}))


@pytest.mark.parametrize(("decode", "write"), WRITERS, ids=["openpi", "gr00t", "vla-eval"])
@pytest.mark.parametrize(
    ("data", "dtype", "shape", "says"),
    [
        (b"\0" * 8, "|O", [1], "not allowed"),
        (b"\0" * 8, "|V8", [1], "not allowed"),
        (b"\0" * 8, "<c8", [1], "not allowed"),
        (b"\0" * 8, "<U2", [1], "not allowed"),
        (b"\0" * 16, "<f16", [1], "not allowed"),
        (b"\0" * 8, "f4,f4", [1], "not allowed"),
        (b"\0" * 8, [["a", "<f4"]], [2], "not allowed"),
        (b"\0" * 8, None, [1], "not allowed"),
        (b"\0" * 8, "<f4", [-2], "shape"),
        (b"\0" * 8, "<f4", [-1, -2], "shape"),
        (b"\0" * 8, "<f4", [2.0], "shape"),
        (b"\0" * 8, "<f4", [True, 2], "shape"),
        (b"\0" * 8, "<f4", 2, "shape"),
        (b"\0" * 8, "<f4", [1] * 8 + [2], "shape"),
        (b"\0" * 8, "<f4", [1 << 40, 1 << 40], "needs"),
        (b"\0" * 8, "<f4", [3], "needs 12 bytes, 8 came"),
        (b"\0" * 8, "<f4", [1], "needs 4 bytes, 8 came"),
        ("text", "<f4", [1], "not bytes"),
        (None, "<f4", [1], "not bytes"),
    ],
)
def test_arrays_that_must_not_be_built(
    decode: Callable[[bytes], Any], write: Callable[..., bytes], data: Any, dtype: Any, shape: Any, says: str
) -> None:
    with pytest.raises(CodecError, match=says) as caught:
        decode(write(data, dtype, shape))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("codec", [openpi, gr00t, vla_eval])
@pytest.mark.parametrize("value", [np.array([object()]), np.array([1j]), np.array(["text"]), np.zeros(2, "f4,f4")])
def test_nothing_but_numbers_is_sent(codec: Any, value: Any) -> None:
    message: Any = vla_eval.Message("action", {"a": value}) if codec is vla_eval else value
    with pytest.raises(CodecError, match="not allowed"):
        codec.encode(message)


def test_pickles_inside_arrays_are_refused_unopened() -> None:
    pickled = np.array([{"a": 1}], dtype=object)
    with pytest.raises(CodecError, match="not allowed"):
        gr00t.decode(as_npy(npy(pickled, allow_pickle=True)))
    packed = msgpack.packb({b"nd": True, b"type": [["", "|O"]], b"kind": b"O", b"shape": [1], b"data": pickled.dumps()})
    with pytest.raises(CodecError, match="objects or structures"):
        gr00t.decode(packed)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x93NUMPY",
        npy(np.zeros(3))[:-1],
        npy(np.zeros(3))[:40],
        b"PK\x03\x04" + b"\0" * 40,
        npy(np.zeros(3)) + b"\0",
    ],
)
def test_broken_npy_files(data: bytes) -> None:
    with pytest.raises(CodecError):
        gr00t.decode(as_npy(data))


@pytest.mark.parametrize("decode", [openpi.decode, gr00t.decode, vla_eval.decode])
@pytest.mark.parametrize("good", [OPENPI_BYTES, GR00T_BYTES, VLA_EVAL_BYTES])
def test_every_truncation_and_any_trailing_byte(decode: Callable[[bytes], Any], good: bytes) -> None:
    for length in range(len(good)):
        with pytest.raises(CodecError):
            decode(good[:length])
    with pytest.raises(CodecError):
        decode(good + b"\xc0")


@given(st.binary(max_size=200))
def test_garbage_gives_a_value_or_a_codec_error(data: bytes) -> None:
    for decode in (openpi.decode, gr00t.decode, vla_eval.decode):
        with contextlib.suppress(CodecError):
            decode(data)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xdd\xff\xff\xff\xff" + b"\x90" * 1_000_000, "more than 20000 values"),
        (b"\xdf\xff\xff\xff\xff" + b"\xa0\x90" * 500_000, "more than 20000 values"),
        (b"\x91" * 1000 + b"\xc0", "levels"),
        (b"\xdd\xff\xff\xff\xff", "cut off"),
        (b"\xc6\xff\xff\xff\xff", "cut off"),
        (b"\xd4\x01\x00", "begins no value"),
        (b"\xc7\x00\x05", "begins no value"),
        (b"\xc1", "begins no value"),
    ],
)
def test_small_messages_that_would_become_large(data: bytes, says: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(CodecError, match=says):
            openpi.decode(data)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()


def test_a_message_above_the_limit_is_not_read() -> None:
    with pytest.raises(CodecError, match="allowed are 10"):
        openpi.decode(openpi.encode({"x": np.zeros(100)}), limit=10)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"payload": {}, "seq": 1, "timestamp": 0.0}, "without 'type'"),
        ({"type": "hullo", "payload": {}, "seq": 1, "timestamp": 0.0}, "unknown"),
        ({"type": "hello", "payload": [], "seq": 1, "timestamp": 0.0}, "no map"),
        ({"type": "hello", "payload": {}, "seq": "1", "timestamp": 0.0}, "no whole number"),
        ([1, 2], "is a map"),
    ],
)
def test_vla_eval_messages_that_are_none(fields: Any, says: str) -> None:
    with pytest.raises(CodecError, match=says):
        vla_eval.decode(msgpack.packb(fields))
