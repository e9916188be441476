"""``close``: a drawer, a door or a lid, by its handle."""

from __future__ import annotations

from .._arm import Doing
from .._hands import Hands
from ._frame import skill
from ._open import drawer_hand, moving_part, slides, swing_hand


@skill("close", needs="free")
def close(hands: Hands, what: str) -> Doing:
    """Close ``what``: an entity with one moving part, or one of its parts."""
    fixture, handle, opening = moving_part(hands, what)
    if hands.scene.joint(fixture, handle.joint) <= opening.closed_below:
        return
    if slides(hands, fixture, handle):
        yield from drawer_hand(hands).close(fixture, handle, opening.closed_below)
        return
    yield from swing_hand(hands).swing(fixture, handle, 0.0, lambda value: value <= opening.closed_below)
