"""Frames, codecs, limits, tokens and sockets of every wire, and our own: a client's connection, a server's socket.

A codec is pure: bytes in, values out, nothing opened. ``_frames.py``, ``_shared.py`` and ``_router.py`` stand alone, so
that the single-file servers can contain them.
"""

from . import _gr00t as gr00t
from . import _openpi as openpi
from . import _vla_eval as vla_eval
from ._address import (
    TOKEN_VARIABLE,
    endpoint_of,
    is_loopback,
    require_token,
    same_token,
    split_address,
    tcp_endpoint,
    token_from_environment,
)
from ._arrays import MAX_FOREIGN_BYTES
from ._bell import BELL_BYTES, LOOK, Bell, open_bell
from ._connection import Connection
from ._convention import (
    EPISODE_KEY,
    GRIPPERS,
    OPEN_M,
    OURS,
    STATE_PARTS,
    STEP_KEY,
    Convention,
    as_actions,
    as_state,
    as_text,
    gripper_in,
    gripper_out,
    names,
    require_gripper,
    required,
    state_parts,
)
from ._errors import RefusedError, WireError
from ._frames import (
    MAX_ARRAY_BYTES,
    MAX_HEADER_BYTES,
    MAX_MESSAGE_BYTES,
    MAX_REASON,
    VERSION,
    FrameError,
    Message,
    VersionError,
    as_received,
    decode,
    encode,
    from_jpeg,
    short_line,
    to_jpeg,
)
from ._images import MAX_SIDE, ORIENTATIONS, as_picture, oriented, require_orientation, resize_with_pad
from ._router import MAX_BELLS, BindError, Router
from ._scan import CodecError
from ._shared import SharedBlock, keep_freed_memory, open_block
from ._values import observation_arrays, observation_from, spec_from_map, spec_to_map
from ._watched import watch

__all__ = [
    "BELL_BYTES",
    "EPISODE_KEY",
    "GRIPPERS",
    "LOOK",
    "MAX_ARRAY_BYTES",
    "MAX_BELLS",
    "MAX_FOREIGN_BYTES",
    "MAX_HEADER_BYTES",
    "MAX_MESSAGE_BYTES",
    "MAX_REASON",
    "MAX_SIDE",
    "OPEN_M",
    "ORIENTATIONS",
    "OURS",
    "STATE_PARTS",
    "STEP_KEY",
    "TOKEN_VARIABLE",
    "VERSION",
    "Bell",
    "BindError",
    "CodecError",
    "Connection",
    "Convention",
    "FrameError",
    "Message",
    "RefusedError",
    "Router",
    "SharedBlock",
    "VersionError",
    "WireError",
    "as_actions",
    "as_picture",
    "as_received",
    "as_state",
    "as_text",
    "decode",
    "encode",
    "endpoint_of",
    "from_jpeg",
    "gr00t",
    "gripper_in",
    "gripper_out",
    "is_loopback",
    "keep_freed_memory",
    "names",
    "observation_arrays",
    "observation_from",
    "open_bell",
    "open_block",
    "openpi",
    "oriented",
    "require_gripper",
    "require_orientation",
    "require_token",
    "required",
    "resize_with_pad",
    "same_token",
    "short_line",
    "spec_from_map",
    "spec_to_map",
    "split_address",
    "state_parts",
    "tcp_endpoint",
    "to_jpeg",
    "token_from_environment",
    "vla_eval",
    "watch",
]
