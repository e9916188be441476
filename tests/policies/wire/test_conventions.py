"""Which way up, how large, which sign: laws of the conversions between our conventions and those of a wire."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import ProctorError
from proctor.policies.wire import (
    GRIPPERS,
    ORIENTATIONS,
    CodecError,
    Convention,
    as_actions,
    as_picture,
    as_state,
    gripper_in,
    gripper_out,
    oriented,
    require_gripper,
    require_orientation,
    required,
    resize_with_pad,
)

PICTURE = np.random.default_rng(1).integers(0, 255, (6, 4, 3), dtype=np.uint8)
LIBERO = Convention(("observation/image", "observation/wrist_image"), "observation/state", "prompt")


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_every_orientation_undoes_itself(orientation: str) -> None:
    np.testing.assert_array_equal(oriented(oriented(PICTURE, orientation), orientation), PICTURE)


def test_mirror_is_what_libero_makes_of_an_upright_picture() -> None:
    """Robosuite's first row is the bottom one; datasets hold its picture turned by 180 degrees."""
    robosuite = PICTURE[::-1]
    np.testing.assert_array_equal(oriented(PICTURE, "mirror"), robosuite[::-1, ::-1])
    np.testing.assert_array_equal(oriented(PICTURE, "rotate180"), PICTURE[::-1, ::-1])


@pytest.mark.parametrize(("height", "width"), [(10, 20), (20, 10), (7, 7), (480, 640), (3, 100)])
def test_resizing_keeps_the_aspect_and_pads_with_black(height: int, width: int) -> None:
    white = np.full((height, width, 3), 255, np.uint8)
    out = resize_with_pad(white, 64)
    assert out.shape == (64, 64, 3)
    rows, columns = (int((out.max(axis=(axis, 2)) > 0).sum()) for axis in (1, 0))
    scale = 64 / max(height, width)
    assert (rows, columns) == (max(1, int(height * scale + 1e-9)), max(1, int(width * scale + 1e-9)))


def test_a_picture_of_the_right_size_is_left_alone() -> None:
    picture = np.random.default_rng(2).integers(0, 255, (224, 224, 3), dtype=np.uint8)
    np.testing.assert_array_equal(LIBERO.incoming(LIBERO.outgoing(picture), "image", 224), picture)


@pytest.mark.parametrize("gripper", GRIPPERS)
@given(value=st.floats(-1, 1))
def test_gripper_conventions_there_and_back(gripper: str, value: float) -> None:
    actions = np.array([[0.1, 0.2, value]])
    np.testing.assert_allclose(gripper_in(gripper_out(actions, gripper), gripper), actions, atol=1e-6)


@pytest.mark.parametrize(
    ("gripper", "closed"), [("close_positive", 1), ("open_positive", -1), ("close_01", 1), ("open_01", 0)]
)
def test_what_closes_the_gripper(gripper: str, closed: float) -> None:
    assert gripper_in(np.array([[0.0, closed]]), gripper)[0, -1] == 1.0


def test_cameras_beyond_the_convention_keep_their_names() -> None:
    keys = LIBERO.keys(["agentview", "wrist", "side"], "observation/")
    assert list(keys.values()) == ["observation/image", "observation/wrist_image", "observation/side"]
    assert LIBERO.keys(["wrist"]) == {"wrist": "observation/image"}


@pytest.mark.parametrize(
    "value",
    [
        PICTURE.astype(np.float32),
        PICTURE[..., 0],
        np.zeros((4, 4, 4), np.uint8),
        np.zeros((0, 4, 3), np.uint8),
        [1],
        None,
    ],
)
def test_what_is_no_picture(value: Any) -> None:
    with pytest.raises(CodecError, match=r"camera is .* expected"):
        as_picture(value, "camera")


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (np.zeros((5, 6)), r"shape \[5, 6\]"),
        (np.zeros((0, 7)), "shape"),
        (np.zeros((1, 1, 7)), "shape"),
        (np.full((2, 7), np.nan), "NaN"),
        (np.full(7, np.inf), "NaN or infinity"),
        (np.zeros((2, 7), bool), "bool"),
        ([[1, 2], [3]], "list"),
        ("text", "str"),
        (None, "NoneType"),
    ],
)
def test_what_is_no_action(value: Any, says: str) -> None:
    with pytest.raises(CodecError, match=says):
        as_actions(value, 7, 5)


def test_actions_beyond_the_chunk_are_dropped_and_lists_are_read() -> None:
    assert as_actions(np.zeros((10, 7)), 7, 5).shape == (5, 7)
    assert as_actions([0.0] * 7, 7, 1).shape == (1, 7)
    tail = np.zeros((10, 7))
    tail[9] = np.nan
    assert as_actions(tail, 7, 5).shape == (5, 7)


def test_states_and_missing_keys() -> None:
    assert as_state([0.0] * 8, 8, "state").shape == (8,)
    for bad in (np.zeros(7), np.zeros((1, 8)), np.full(8, np.nan), "x", np.zeros(8, bool)):
        with pytest.raises(CodecError, match="state"):
            as_state(bad, 8, "state")
    with pytest.raises(CodecError, match=r"'observation/image' is missing .*did you mean 'observation/imag'"):
        required({"observation/imag": 1}, "observation/image")


def test_unknown_names_are_answered_with_the_known_ones() -> None:
    with pytest.raises(ProctorError, match="did you mean 'mirror'"):
        require_orientation("miror")
    with pytest.raises(ProctorError, match="did you mean 'open_01'"):
        require_gripper("open01")
