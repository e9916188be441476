"""Frames, codecs and limits of every wire. A codec is pure: bytes in, values out, nothing opened."""

from . import _gr00t as gr00t
from . import _openpi as openpi
from . import _vla_eval as vla_eval
from ._arrays import MAX_MESSAGE_BYTES
from ._convention import (
    GRIPPERS,
    Convention,
    as_actions,
    as_state,
    as_text,
    gripper_in,
    gripper_out,
    require_gripper,
    required,
)
from ._images import ORIENTATIONS, as_picture, oriented, require_orientation, resize_with_pad
from ._scan import CodecError

__all__ = [
    "GRIPPERS",
    "MAX_MESSAGE_BYTES",
    "ORIENTATIONS",
    "CodecError",
    "Convention",
    "as_actions",
    "as_picture",
    "as_state",
    "as_text",
    "gr00t",
    "gripper_in",
    "gripper_out",
    "openpi",
    "oriented",
    "require_gripper",
    "require_orientation",
    "required",
    "resize_with_pad",
    "vla_eval",
]
