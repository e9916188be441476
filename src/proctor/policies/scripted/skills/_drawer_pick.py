"""``pick`` out of a drawer: up and to the front at once, away from the cabinet that stands over the drawer's back."""

from __future__ import annotations

import itertools

import numpy as np

from .._arm import Array, Doing
from .._clearance import TIGHT_M, held_now
from .._hands import Hands
from ._frame import skill
from ._open import moving_part, slides

# How far up and how far to the front: high enough to be over the drawer's front, far enough to turn the hand.
RISES_M, BACKS_M = (0.10, 0.13, 0.07), (0.10, 0.16, 0.05, 0.22)


def _lies_in_drawer(hands: Hands, name: str) -> bool:
    return name in hands.scene.movable and _front_of(hands, name) is not None


def _front_of(hands: Hands, name: str) -> tuple[str, Array] | None:
    """Return the cabinet in whose drawer something lies, and the direction in which the drawer opens."""
    scene = hands.scene
    for fixture in scene.fixed:
        for site in scene.assets[fixture].sites:
            if site.opening is None or not scene.in_site(scene.com(name), fixture, site):
                continue
            _, handle, _ = moving_part(hands, f"{fixture}/{site.name}")
            if slides(hands, fixture, handle):
                frame = scene.data.body(f"{fixture}/{handle.link}").xmat.reshape(3, 3)
                return fixture, frame @ np.asarray(handle.pull)
    return None


@skill("pick", needs="free", when=_lies_in_drawer)
def pick_from_drawer(hands: Hands, name: str) -> Doing:
    """Grasp what lies in an open drawer and bring it out before the cabinet."""
    drawer = _front_of(hands, name)
    assert drawer is not None
    fixture, front = drawer
    yield from hands.picker.pick(name, narrow=True)
    hands.holding = name
    arm = hands.arm
    start = (arm.position.copy(), arm.rotation.copy())
    for rise, back in itertools.product(RISES_M, BACKS_M):
        out = arm.position + rise * np.array([0.0, 0.0, 1.0]) + back * front
        found = hands.clearance.path_hit(
            [start, (out, start[1])],
            hands.env.controller.q,
            held=held_now(hands.scene, name),
            ignore=frozenset({name}),
            near=frozenset({fixture}),
            margin_m=TIGHT_M,
            finger_m=max(arm.measured_finger_m(), 0.0),
        )
        if found is None:
            yield from hands.traveller.follow([start, (out, start[1])], speed=0.3)
            return
