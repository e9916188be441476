"""``open``: a drawer, a door or a lid, by its handle."""

from __future__ import annotations

import mujoco

from proctor.assets import Handle, Opening

from .._arm import Doing, SkillError
from .._drawer import DrawerHand
from .._hands import Hands
from .._swing import SwingHand
from ._frame import skill
from ._target import asset_of, target_of


@skill("open", needs="free")
def open_(hands: Hands, what: str) -> Doing:
    """Open ``what``: an entity with one moving part, or one of its parts."""
    fixture, handle, opening = moving_part(hands, what)
    if hands.scene.joint(fixture, handle.joint) >= opening.open_above:
        return
    if slides(hands, fixture, handle):
        yield from drawer_hand(hands).open(fixture, handle, opening.open_above)
        return
    goal = sum(opening.init_open) / 2
    yield from swing_hand(hands).swing(fixture, handle, goal, lambda value: value >= opening.open_above)


def moving_part(hands: Hands, what: str) -> tuple[str, Handle, Opening]:
    """Return the fixture, the handle and the thresholds that ``what`` means."""
    target = target_of(hands.scene, what)
    asset = asset_of(hands, target)
    openings = {site.opening.joint: site.opening for site in asset.sites if site.opening is not None}
    wanted = target.site.opening.joint if target.site is not None and target.site.opening else target.part
    for handle in asset.handles:
        if handle.joint in openings and (not wanted or wanted in (handle.joint, handle.name)):
            return target.entity, handle, openings[handle.joint]
    raise SkillError(f"{what} is nothing that opens")


def slides(hands: Hands, fixture: str, handle: Handle) -> bool:
    """Whether a part slides, as drawers do, rather than turns."""
    return bool(hands.scene.model.joint(f"{fixture}/{handle.joint}").type[0] == mujoco.mjtJoint.mjJNT_SLIDE)


def drawer_hand(hands: Hands) -> DrawerHand:
    return DrawerHand(hands.arm, hands.clearance, hands.traveller)


def swing_hand(hands: Hands) -> SwingHand:
    return SwingHand(hands.arm, hands.clearance, hands.traveller)
